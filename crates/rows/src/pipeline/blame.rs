//! Finds the part of a chunk over which a worker panicked, with another worker.
//!
//! ```text
//! chunk   p p p ! p p     all parts together: a panic
//!         p p p !         one by one, until it panics again: part 4
//!         └─┬─┘           together, because their output is needed
//! ```

use super::stage::{Chunk, Work};
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Memory for one chunk and its output.
#[derive(Default)]
pub(super) struct Slot<C, O> {
    pub(super) chunk: C,
    pub(super) output: O,
}

/// What is known of a panic.
pub(super) struct Blame<C, O> {
    /// One part; or all of them, if none panics alone.
    pub(super) part: Option<Range<usize>>,
    /// The message of the panic.
    pub(super) message: String,
    /// The parts before, worked on.
    pub(super) head: Option<Slot<C, O>>,
}

/// Finds the part of a chunk over which a worker panicked with this message.
pub(super) fn find<W: Work>(
    make: &impl Fn() -> W,
    chunk: &W::Chunk,
    first: String,
) -> Blame<W::Chunk, W::Output> {
    let (mut start, mut worker) = (0, None);
    for end in chunk.part_ends() {
        if let Err(message) = attempt(&mut worker, make, chunk.part(start..end)) {
            let head = (start > 0).then(|| attempt(&mut None, make, chunk.part(0..start)).ok());
            return Blame { part: Some(start..end), message, head: head.flatten() };
        }
        start = end;
    }
    // None of the parts panics alone, or not this time.
    Blame { part: (start > 0).then_some(0..start), message: first, head: None }
}

/// Works on parts of a chunk, or gives the message of the panic.
fn attempt<W: Work>(
    worker: &mut Option<W>,
    make: &impl Fn() -> W,
    chunk: W::Chunk,
) -> Result<Slot<W::Chunk, W::Output>, String> {
    let mut slot = Slot { chunk, output: W::Output::default() };
    let done = catch_unwind(AssertUnwindSafe(|| {
        // Parts are copies: what fails in the chunk does not fail in them.
        let _ = worker.get_or_insert_with(make).run(&slot.chunk, &mut slot.output);
    }));
    match done {
        Ok(()) => Ok(slot),
        Err(panic) => {
            *worker = None;
            Err(message(panic.as_ref()))
        }
    }
}

/// The message of a panic, if it has one.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}
