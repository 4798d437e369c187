//! What was found in a chunk.

use super::judge::Verdict;
use super::tally::Tally;
use crate::bank::{Key, Same};
use crate::bulk::SlowPlace;
use crate::input::Given;
use crate::output::Records;
use crate::puzzle::{Grid, Solution, Sukaku, WrongAnswer};
use std::time::Duration;

/// What comes of a chunk, with the memory for it.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// The records of all lines that have one, as if no puzzle were a duplicate.
    pub(super) records: Records,
    /// The counts, as if no puzzle were a duplicate.
    pub(super) tally: Tally,
    /// The first answer of another file that contradicts a clue: the line of the puzzle, counted from 1
    /// at the start of the chunk, and the line of the answer.
    pub(super) contradiction: Option<(u64, u64)>,
    /// The time that judging took.
    pub(super) solve_time: Duration,
    /// The line that took longest to solve.
    pub(super) slowest: Option<SlowPlace>,
    /// The puzzles and their verdicts.
    pub(super) found: Found,
}

/// The puzzles of a chunk and their verdicts: first all grids, then all sukakus.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The puzzles; of a sukaku its cells with a single candidate.
    pub(super) grids: Vec<Grid>,
    pub(super) sukakus: Vec<Sukaku>,
    pub(super) judged: Vec<Verdict>,
    /// Whether each puzzle should have an answer.
    pub(super) expects_answers: bool,
    /// The answers given with the puzzles; empty if there are none.
    pub(super) given: Vec<Given>,
    /// The lines of these answers, if they come from another file.
    pub(super) answer_lines: Vec<Option<u64>>,
    /// Of puzzles with several answers in another file, the wrong ones that are not in `given`.
    pub(super) more_wrong: Vec<MoreWrong>,
    /// Which puzzle, and two solutions of it, of those that have several, if they are to be shown.
    pub(super) pairs: Vec<(usize, Vec<Solution>)>,
    /// The keys of the puzzles themselves for the search for duplicates or in a bank, if that was asked.
    pub(super) exact: Vec<Key>,
    /// The keys of their canonical forms for the same, if that was asked.
    pub(super) symmetric: Vec<Key>,
    /// The line of each puzzle, counted from 1 at the start of the chunk, if one of these was asked.
    pub(super) lines: Vec<u64>,
    /// Their rows in the order of their lines, if that was asked.
    pub(super) rows: Vec<Row>,
}

/// A wrong answer besides the one that is given with its puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoreWrong {
    /// Which of the puzzles it belongs to.
    pub(super) index: usize,
    /// Its line in the file of answers.
    pub(super) line: u64,
    pub(super) given: Given,
    /// Why it is wrong, if it is a grid.
    pub(super) wrong: Option<WrongAnswer>,
}

/// A puzzle that may be found to be a duplicate, or in a bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The line, counted from 1 at the start of the chunk.
    pub(super) line: u64,
    /// Which of the puzzles it is.
    pub(super) index: usize,
    /// Where its record begins and ends in the records.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Found {
    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.grids.clear();
        self.sukakus.clear();
        self.judged.clear();
        self.given.clear();
        self.answer_lines.clear();
        self.more_wrong.clear();
        self.pairs.clear();
        self.exact.clear();
        self.symmetric.clear();
        self.lines.clear();
        self.rows.clear();
    }

    /// The keys for a comparison.
    pub(super) fn keys(&self, same: Same) -> &[Key] {
        match same {
            Same::Exact => &self.exact,
            Same::Isomorphic => &self.symmetric,
        }
    }

    /// The sukaku, if this puzzle is one.
    pub(super) fn sukaku(&self, index: usize) -> Option<&Sukaku> {
        let grids = self.grids.len() - self.sukakus.len();
        index.checked_sub(grids).map(|index| &self.sukakus[index])
    }

    /// The answer given with a puzzle.
    pub(super) fn given(&self, index: usize) -> &Given {
        self.given.get(index).unwrap_or(&Given::Missing)
    }

    /// Whether a puzzle should have an answer and has none.
    pub(super) fn lacks_answer(&self, index: usize) -> bool {
        self.expects_answers && *self.given(index) == Given::Missing
    }

    /// Whether nothing is wrong with a puzzle, unless it is a duplicate.
    pub(super) fn is_fine(&self, index: usize) -> bool {
        self.judged[index].passes()
            && !self.lacks_answer(index)
            && !matches!(self.given(index), Given::Malformed(_))
    }

    /// The wrong answers of a puzzle besides the one that is given with it.
    pub(super) fn more_wrong(&self, index: usize) -> &[MoreWrong] {
        let start = self.more_wrong.partition_point(|wrong| wrong.index < index);
        let end = self.more_wrong.partition_point(|wrong| wrong.index <= index);
        &self.more_wrong[start..end]
    }

    /// Two solutions of a puzzle, if they are to be shown.
    pub(super) fn pair(&self, index: usize) -> Option<&[Solution]> {
        let place = self.pairs.binary_search_by_key(&index, |(index, _)| *index);
        place.ok().map(|place| &self.pairs[place].1[..])
    }
}
