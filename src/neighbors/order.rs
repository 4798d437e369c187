//! New classes, found where the chunks come in order.

use super::Near;
use super::found::FoundPuzzles;
use super::options::Nearby;
use super::worker::{Placed, SearchedRows};
use crate::cli::{counted, say};
use crate::run::{Clues, Error, Taken};
use indicatif::HumanCount;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::sync::PoisonError;

/// A round.
#[derive(Default)]
struct Round {
    /// Its number, from 1.
    number: u64,
    /// The puzzles whose neighbors were searched.
    sources: u64,
    /// The new puzzles.
    found: u64,
}

/// Writes the records of new classes, and makes their puzzles sources.
pub(super) struct NearOrder<'a> {
    nearby: &'a Nearby,
    /// The input of the found puzzles.
    input: usize,
    queue: FoundPuzzles,
    /// Whether the end of each round is printed.
    tells: bool,
    round: Round,
    /// All found puzzles, and those of them that are sources: of all rounds but the last.
    found: u64,
    sources: u64,
    /// The last source of this round, if it is a found one.
    last: u64,
}

impl<'a> NearOrder<'a> {
    /// Continues with the state of an earlier run.
    pub(super) fn new(
        nearby: &'a Nearby,
        input: usize,
        queue: FoundPuzzles,
        tells: bool,
        state: &Value,
    ) -> Self {
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        let [round, sources, found] = [0, 1, 2].map(|place| number(&state["round"][place]));
        let round = Round { number: round.max(1), sources, found };
        let [found, sources, last] = ["found", "sources", "last"].map(|key| number(&state[key]));
        Self { nearby, input, queue, tells, round, found, sources, last }
    }

    /// Tells that the round has ended.
    pub(super) fn tell(&self) {
        if self.tells {
            let Round { number, sources, found } = self.round;
            let (sources, found) = (counted(sources, "source"), counted(found, "new puzzle"));
            say(format_args!("round {}: {sources}, {found}", HumanCount(number)));
        }
    }

    /// Ends the round.
    fn end_round(&mut self) {
        self.tell();
        self.round = Round { number: self.round.number + 1, ..Round::default() };
        self.last = self.found;
    }

    /// Whether there are as many as are wanted.
    pub(super) fn is_full(&self) -> bool {
        self.nearby.max.is_some_and(|max| self.found >= max)
    }

    /// Where the source ends with whose puzzles there are as many as are wanted, if it is in this chunk.
    fn last_needed(&self, kept: &SearchedRows) -> Option<usize> {
        let mut left = self.nearby.max? - self.found;
        let known = self.nearby.known.read().unwrap_or_else(PoisonError::into_inner);
        let is_new = |it: &&Placed| self.nearby.per_source || !known.contains(&it.key);
        let last = kept.sources.iter().find(|source| {
            left = left.saturating_sub(source.placed.iter().filter(is_new).count() as u64);
            left == 0
        });
        last.map(|source| source.end)
    }

    /// Takes the output of the next chunk and writes it.
    pub(super) fn take(
        &mut self,
        taken: &mut Taken<'_, SearchedRows>,
    ) -> Result<ControlFlow<()>, Error> {
        if let Some(end) = self.last_needed(&taken.output.kept) {
            taken.end_behind(end)?;
        }
        let output = &mut *taken.output;
        let (is_found, before) = (output.input == self.input, output.lines_read());
        let (kept, mut left_out) = (std::mem::take(&mut output.kept), Vec::new());
        let nearby = self.nearby;
        let mut known = nearby.known.write().unwrap_or_else(PoisonError::into_inner);
        for source in &kept.sources {
            if is_found && before + source.line > self.last {
                self.end_round();
            }
            self.round.sources += 1;
            for placed in &source.placed {
                if !self.is_full() && (self.nearby.per_source || known.insert(placed.key)) {
                    self.found += 1;
                    self.round.found += 1;
                    output.counts[Near::Found] += 1;
                    output.counts[Near::Minimal] += u64::from(placed.is_minimal);
                    output.counts[Clues(placed.puzzle.clues())] += 1;
                    if self.round.number < self.nearby.rounds {
                        self.sources = self.found;
                        self.queue.push(&placed.puzzle);
                    }
                } else {
                    left_out.push(placed.records.clone());
                }
            }
        }
        if !self.nearby.per_source {
            known.extend(&kept.examined);
        }
        drop(known);
        output.records.remove(left_out);
        let flow = taken.write()?;
        *taken.state = self.state();
        self.queue.took();
        Ok(if self.is_full() { ControlFlow::Break(()) } else { flow })
    }

    /// What a later run needs to continue.
    fn state(&self) -> Value {
        let Round { number, sources, found } = self.round;
        json!({
            "found": self.found,
            "sources": self.sources,
            "last": self.last,
            "round": [number, sources, found],
        })
    }
}

impl Drop for NearOrder<'_> {
    /// The reader need not wait any more.
    fn drop(&mut self) {
        self.queue.close();
    }
}
