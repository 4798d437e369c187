//! A row that may be selected.

use super::pick::{Order, Pick, SortBy, Stratum};
use crate::Status;
use crate::difficulty::{Measured, Score};
use std::ops::Range;

/// The key of rows that have none: they come last.
const NO_KEY: u64 = u64::MAX;

/// What is known of a row besides its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// By what it is sorted: lower keys first.
    pub(super) key: u64,
    /// To what stratum it belongs.
    pub(super) stratum: u64,
    /// By what it is split: uniform over all numbers, and equal for isomorphic puzzles.
    pub(super) hash: u64,
}

/// A row of a chunk that meets the conditions that depend on it alone.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Its bytes in the text of the chunk's rows, with a line end.
    pub(super) text: Range<usize>,
    pub(super) facts: Facts,
    /// Which of the puzzles of the chunk it is, unless it is malformed.
    pub(super) puzzle: Option<usize>,
}

/// What the facts of a row are made of.
pub(super) struct About<'a> {
    pub(super) status: Option<Status>,
    pub(super) clues: Option<usize>,
    pub(super) measured: &'a Measured,
}

impl About<'_> {
    /// The key by which a row is sorted.
    pub(super) fn key(&self, pick: &Pick) -> u64 {
        let key = match pick.sort {
            None => return 0,
            Some(SortBy::Effort) => self.measured.effort.map(|it| it.guesses()),
            Some(SortBy::Er) => self.measured.rating.map(|it| tenths(it.er)),
            Some(SortBy::Clues) => self.clues.map(|it| it as u64),
        };
        match (key, pick.order) {
            (None, _) => NO_KEY,
            (Some(key), Order::Ascending) => key,
            (Some(key), Order::Descending) => NO_KEY - 1 - key,
        }
    }

    /// The stratum of a row. Those without one are a stratum of their own.
    pub(super) fn stratum(&self, pick: &Pick) -> u64 {
        let stratum = match pick.stratify {
            None => return 0,
            Some(Stratum::Grade) => self.measured.grade.map(|it| it as u64),
            Some(Stratum::Technique) => self.measured.rating.map(|it| it.technique as u64),
            Some(Stratum::Er) => self.measured.rating.map(|it| tenths(it.er)),
            Some(Stratum::Clues) => self.clues.map(|it| it as u64),
            Some(Stratum::Status) => self.status.map(|it| it as u64),
            // 0, up to 1, up to 2, up to 4 and so on.
            Some(Stratum::Effort) => self.measured.effort.map(|it| {
                let guesses = it.guesses().div_ceil(it.searches());
                if guesses == 0 { 0 } else { 1 + u64::from(guesses.next_power_of_two().ilog2()) }
            }),
        };
        stratum.unwrap_or(u64::MAX)
    }
}

fn tenths(score: Score) -> u64 {
    score.tenths().map_or(u64::from(Score::MOST_TENTHS) + 1, u64::from)
}
