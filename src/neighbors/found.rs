//! The puzzles that were found, as an input of the run.
//!
//! ```text
//! NearOrder ─ push ─> lines ─ read ─> chunks ─> workers ─> NearOrder
//! ```
//!
//! The reader waits while there is no line and some chunk is still worked on: more lines may come of it. If
//! all chunks that were read are taken, there are no more.

use super::options::Nearby;
use crate::bank::{Form, Keys};
use crate::output::{Style, Transaction};
use crate::puzzle::{Grid, Puzzle};
use crate::run::Error;
use crate::search::Answers;
use crate::written;
use ninefold_rows::lock;
use serde_json::Value;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The lines that were not read, and the chunks that are under way.
#[derive(Default)]
struct Queue {
    bytes: VecDeque<u8>,
    /// Chunks that were read and not taken.
    under_way: u64,
    is_closed: bool,
}

/// Found puzzles that become sources.
#[derive(Clone, Default)]
pub(super) struct FoundPuzzles(Arc<(Mutex<Queue>, Condvar)>);

impl FoundPuzzles {
    /// Adds a puzzle.
    pub(super) fn push(&self, puzzle: &Grid) {
        let bytes = &mut lock(&self.0.0).bytes;
        bytes.extend(puzzle.line(b'.'));
        bytes.push_back(b'\n');
    }

    /// A chunk was read.
    pub(super) fn read(&self) {
        lock(&self.0.0).under_way += 1;
    }

    /// A chunk was taken, and its puzzles were added.
    pub(super) fn took(&self) {
        lock(&self.0.0).under_way -= 1;
        self.0.1.notify_all();
    }

    /// There are no more.
    pub(super) fn close(&self) {
        lock(&self.0.0).is_closed = true;
        self.0.1.notify_all();
    }
}

/// Reads the lines.
impl Read for FoundPuzzles {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut queue = lock(&self.0.0);
        while queue.bytes.is_empty() && queue.under_way > 0 && !queue.is_closed {
            queue = self.0.1.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.is_closed { Ok(0) } else { queue.bytes.read(buffer) }
    }
}

/// Reads the puzzles that an earlier run has written: their classes are known, and they may be sources.
pub(super) fn read_written(
    nearby: &Nearby,
    style: &Style,
    output: &Transaction,
    found: &FoundPuzzles,
    state: &Value,
) -> Result<(), Error> {
    let number = |key: &str| state[key].as_u64().unwrap_or_default();
    let (sources, mut count) = (number("sources"), 0);
    let mut keys = Keys::new(Form::Solution);
    let mut answers = Answers::new(nearby.search.build(), 2);
    written::read(output, style, 1, number("found"), |puzzles| {
        answers.find(puzzles);
        let before = count;
        let mut known = nearby.known.write().unwrap_or_else(PoisonError::into_inner);
        for (number, grid) in puzzles.grids().iter().enumerate() {
            let Some(solution) = answers.solution(number) else { continue };
            known.insert(keys.of(&Puzzle::Grid(*grid), Some(solution)));
            count += 1;
            if nearby.has_rounds() && count <= sources {
                found.push(grid);
            }
        }
        count - before
    })
}
