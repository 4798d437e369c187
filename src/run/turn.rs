//! What chunks do one after the other, in their order, while many threads work on them.
//!
//! ```text
//! chunk 1   read ─ pass ─── answer ─────────────
//! chunk 2   read ────────── pass ─── answer ────        waits until chunk 1 has passed
//! ```
//!
//! A chunk has the number of its first line if all chunks before have told how many lines they have. They are read
//! first and answered then, so a chunk seldom waits, and never for an answer.

use super::error::Error;
use super::inputs::Names;
use crate::input::LinesBefore;
use crate::pipeline::{Cancel, Spent, Times};
use ninefold_rows::lock;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a thread that waits looks whether the run is over.
const WAIT: Duration = Duration::from_millis(100);

/// What all chunks of a run need to pass one another.
pub(crate) struct Passing {
    cancel: Cancel,
    /// The first chunk that has failed.
    failed: AtomicU64,
    pub(super) times: Arc<Times>,
}

impl Passing {
    pub(crate) fn new(cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), failed: u64::MAX.into(), times: Arc::default() }
    }

    /// The turn of the chunk with this number, from 0.
    pub(crate) const fn turn(&self, number: u64) -> Turn<'_> {
        Turn { number, passing: self }
    }
}

/// The turn of the chunk that a thread works on. If it is dropped before its [`end`](Self::end), as in a panic,
/// the chunks behind it do not count, so they need not wait for it.
pub(crate) struct Turn<'a> {
    number: u64,
    passing: &'a Passing,
}

impl Turn<'_> {
    /// All is done.
    pub(crate) fn end(self) {
        mem::forget(self);
    }

    fn is_over(&self) -> bool {
        let Passing { cancel, failed, .. } = self.passing;
        failed.load(Ordering::Relaxed) < self.number || cancel.is_abandoned()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.passing.failed.fetch_min(self.number, Ordering::Relaxed);
    }
}

/// A value that each chunk changes, and the number of the next chunk that does.
#[derive(Debug)]
pub(crate) struct InOrder<T> {
    value: Mutex<(u64, T)>,
    passed: Condvar,
}

impl<T> InOrder<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { value: Mutex::new((0, value)), passed: Condvar::new() }
    }

    /// Waits until all chunks before this one have passed, and passes.
    pub(crate) fn pass<R>(&self, turn: &Turn<'_>, change: impl FnOnce(&mut T) -> R) -> R {
        let asked = Instant::now();
        let mut value = lock(&self.value);
        while value.0 < turn.number && !turn.is_over() {
            value = self.passed.wait_timeout(value, WAIT).unwrap_or_else(PoisonError::into_inner).0;
        }
        turn.passing.times.add(Spent::Turn, asked);
        let result = change(&mut value.1);
        value.0 = value.0.max(turn.number + 1);
        self.passed.notify_all();
        result
    }

    /// The value after all chunks.
    pub(crate) fn get_mut(&mut self) -> &mut T {
        &mut self.value.get_mut().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Whether all chunks before this one have passed.
    pub(crate) fn is_next(&self, turn: &Turn<'_>) -> bool {
        lock(&self.value).0 >= turn.number
    }
}

/// Where a chunk begins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChunkPlace {
    /// Lines of its input that were read before.
    pub(super) lines: u64,
    /// Lines of all inputs that were read before.
    pub(crate) ordinal: u64,
}

/// Numbers the lines of all inputs.
pub(super) struct LineNumbers<'a> {
    names: &'a Names,
    /// Of each input, the lines before its part, and those of the part that an earlier run has read.
    inputs: Vec<(LinesBefore, u64)>,
    /// The ordinal before the first line of each input that was begun; and how many lines all have so far.
    lines: InOrder<(Vec<u64>, u64)>,
    /// Held by the thread that counts the lines before a part.
    counting: Mutex<()>,
}

impl<'a> LineNumbers<'a> {
    pub(super) fn new(names: &'a Names, inputs: Vec<(LinesBefore, u64)>) -> Self {
        Self { names, inputs, lines: InOrder::new((Vec::new(), 0)), counting: Mutex::new(()) }
    }

    /// The place of a chunk of an input that has this many lines.
    pub(super) fn pass(&self, turn: &Turn<'_>, input: usize, count: u64) -> ChunkPlace {
        self.lines.pass(turn, |(starts, all)| {
            while let Some((_, read)) = self.inputs[..=input].get(starts.len()) {
                starts.push(*all);
                *all += read;
            }
            let place = ChunkPlace { lines: *all - starts[input], ordinal: *all };
            *all += count;
            place
        })
    }

    /// The lines of an input before its part.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(super) fn before(&self, input: usize) -> Result<u64, Error> {
        let before = &self.inputs[input].0;
        let _one_counts = before.known().is_none().then(|| lock(&self.counting));
        before.count().map_err(|cause| self.names.failed(input, cause))
    }

    /// The name of the input and the line that have this ordinal.
    ///
    /// # Errors
    /// As [`before`](Self::before).
    pub(super) fn place(&self, ordinal: u64) -> Result<(&'a str, u64), Error> {
        let lines = lock(&self.lines.value);
        let (starts, _) = &lines.1;
        let input = starts.partition_point(|start| *start < ordinal) - 1;
        let line = ordinal - starts[input];
        drop(lines);
        Ok((self.names.get(input), self.before(input)? + line))
    }
}
