//! Which line makes a worker panic: asked when one has, by another.
//!
//! ```text
//! chunk   p p p ! p p     answered together: a panic
//!         p p p !         one by one, until it comes again: line 4
//!         └─┬─┘           together, for their records are wanted
//! ```

use super::flow::{Slot, message};
use super::work::Work;
use crate::input::{Chunk, ChunkBuffer};
use std::io;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is known of a panic.
pub(super) struct Blame {
    /// The lines of the chunk that one of it came over.
    pub(super) lines: RangeInclusive<u64>,
    /// What it said.
    pub(super) message: String,
    /// The lines before, answered.
    pub(super) head: Option<Slot>,
}

/// Finds the line in a chunk over which a worker has panicked with this message.
pub(super) fn find(
    make: &dyn Fn() -> Box<dyn Work>,
    chunk: &ChunkBuffer,
    name: Option<&str>,
    first: String,
) -> io::Result<Blame> {
    chunk.read(|chunk| find_in(make, chunk, name, first))
}

fn find_in(
    make: &dyn Fn() -> Box<dyn Work>,
    chunk: &Chunk,
    name: Option<&str>,
    first: String,
) -> Blame {
    let (mut lines, mut start) = (0, 0);
    let mut worker = None;
    for (piece, end) in chunk.pieces() {
        let count = piece.read(|piece| piece.lines().count() as u64).unwrap_or_default();
        if let Err(message) = answer(&mut worker, make, piece, name) {
            let head = answer(&mut None, make, chunk.piece(0..start), name).ok();
            return Blame { lines: lines + 1..=lines + count, message, head };
        }
        (lines, start) = (lines + count, end);
    }
    // None of them alone, or not this time.
    Blame { lines: 1..=lines, message: first, head: None }
}

/// Answers a piece, or gives what the panic said.
fn answer(
    worker: &mut Option<Box<dyn Work>>,
    make: &dyn Fn() -> Box<dyn Work>,
    chunk: ChunkBuffer,
    name: Option<&str>,
) -> Result<Slot, String> {
    let mut slot = Slot { chunk, ..Slot::default() };
    let answered = catch_unwind(AssertUnwindSafe(|| {
        let worker = worker.get_or_insert_with(make);
        // A piece has its bytes in memory, which cannot be lost.
        let Slot { chunk, output } = &mut slot;
        let _ = chunk.read(|chunk| worker.run(chunk, name, output));
    }));
    match answered {
        Ok(()) => Ok(slot),
        Err(panic) => {
            *worker = None;
            Err(message(panic.as_ref()))
        }
    }
}
