//! The report of a measurement: one row a contender, list and mode.

use super::contender::Label;
use super::stats::Spread;
use serde::{Deserialize, Serialize};

ninefold_core::named_enum! {
    /// How many solutions an engine looks for.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Mode, "mode" {
        First = "first", "the first solution";
        Unique = "unique", "a second solution, as proof that there is none";
    }
}

impl Mode {
    /// The number of solutions after which an engine leaves a puzzle.
    #[must_use]
    pub const fn limit(self) -> usize {
        match self {
            Self::First => 1,
            Self::Unique => 2,
        }
    }
}

/// A list that was timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Its puzzles.
    pub puzzles: u64,
    /// How many of them were kept, by chance.
    pub kept: usize,
    /// What tells it from other lists: a hash of its puzzles (XXH3, each with the hash of those
    /// before it as its seed). Older exports have none.
    #[serde(default)]
    pub hash: Option<String>,
}

impl Listed {
    /// Whether it may have the same puzzles as another: as many, and if both are known the same
    /// hash.
    #[must_use]
    pub fn may_be(&self, other: &Self) -> bool {
        let hashes = self.hash.as_ref().zip(other.hash.as_ref());
        self.puzzles == other.puzzles && hashes.is_none_or(|(one, two)| one == two)
    }
}

/// One contender on one list in one mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Row {
    /// The list's name.
    pub list: String,
    /// What was looked for.
    pub mode: Mode,
    /// Who solved.
    #[serde(flatten)]
    pub label: Label,
    /// Nanoseconds for each puzzle, one number a round.
    pub rounds: Vec<f64>,
    /// Puzzles in each round.
    pub puzzles_per_round: usize,
    /// Whether a round is a part of the list: the engine is too slow for the whole.
    pub sample: bool,
    /// Puzzles that the engine was looked at on.
    pub looked_at: usize,
    /// Boards at which it had to choose, on those that it answered; `None` if it does not tell.
    pub branches: Option<u64>,
    /// Puzzles that it answered without one.
    pub without_search: usize,
    /// Puzzles on which patience came to an end, here or in a round.
    pub given_up: usize,
    /// If so: nanoseconds for each puzzle that it needs at least.
    pub at_least: Option<f64>,
}

impl Row {
    /// A row without a round.
    pub(super) fn new(list: &str, mode: Mode, label: &Label) -> Self {
        Self {
            list: list.to_owned(),
            mode,
            label: label.clone(),
            rounds: Vec::new(),
            puzzles_per_round: 0,
            sample: false,
            looked_at: 0,
            branches: None,
            without_search: 0,
            given_up: 0,
            at_least: None,
        }
    }

    /// Nanoseconds for each puzzle: median and quartiles of the rounds; of samples, which are of
    /// other puzzles in each round, the mean. Nothing if the engine was given up on.
    #[must_use]
    pub fn nanoseconds(&self) -> Option<Spread> {
        match self.given_up {
            0 if self.sample => Spread::of_mean(&self.rounds),
            0 => Spread::of(&self.rounds),
            _ => None,
        }
    }

    /// Whether nothing is known of its time: it has no round, and was not given up on.
    #[must_use]
    pub const fn is_unmeasured(&self) -> bool {
        self.rounds.is_empty() && self.given_up == 0
    }

    /// Puzzles a second.
    #[must_use]
    pub fn puzzles_per_second(&self) -> Option<f64> {
        self.nanoseconds().map(|spread| 1e9 / spread.middle)
    }

    /// More puzzles a second than this it cannot do, if it was given up on.
    #[must_use]
    pub fn less_than_per_second(&self) -> Option<f64> {
        self.at_least.filter(|_| self.given_up > 0).map(|nanoseconds| 1e9 / nanoseconds)
    }

    /// Branches for each puzzle, on average.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "an average")]
    pub fn branches_per_puzzle(&self) -> Option<f64> {
        let answered = self.looked_at - self.given_up.min(self.looked_at);
        let branches = self.branches.filter(|_| self.given_up == 0 && answered > 0)?;
        Some(branches as f64 / answered as f64)
    }

    /// The share of puzzles that need no branch, 0 to 1. One given up on needed some.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn share_without_search(&self) -> Option<f64> {
        self.branches.filter(|_| self.looked_at > 0)?;
        Some(self.without_search as f64 / self.looked_at as f64)
    }

    /// Whether it is about the same as another row: list, mode and contender.
    #[must_use]
    pub fn is_about_the_same_as(&self, other: &Self) -> bool {
        (&self.list, self.mode, &self.label) == (&other.list, other.mode, &other.label)
    }
}

/// All that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// What chance came from.
    pub seed: u64,
    /// Rounds that were begun.
    pub rounds: usize,
    /// Seconds that all of it took.
    pub seconds: f64,
    /// Seconds that an engine was given for one puzzle before it was given up on.
    pub patience_seconds: f64,
    /// Whether it was stopped before its time.
    pub interrupted: bool,
    /// The lists.
    pub lists: Vec<Listed>,
    /// The rows: list by list, in each mode by mode, in each contender by contender.
    pub rows: Vec<Row>,
}

impl Report {
    /// The list of this name.
    #[must_use]
    pub fn list(&self, name: &str) -> Option<&Listed> {
        self.lists.iter().find(|list| list.name == name)
    }

    /// The rows of one list and mode, in the order of the contenders.
    pub fn block(&self, list: &str, mode: Mode) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.list == list && row.mode == mode)
    }

    /// How many times as many puzzles a second as the first row of this engine in the same block,
    /// if both are known.
    #[must_use]
    pub fn ratio(&self, row: &Row, baseline: &str) -> Option<f64> {
        let base = self.block(&row.list, row.mode).find(|base| base.label.engine == baseline)?;
        Some(row.puzzles_per_second()? / base.puzzles_per_second()?)
    }

    /// How much of what so many threads could do they do: puzzles a second for each thread,
    /// against the row of the same engine with the fewest threads. `None` for that row itself.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a few threads")]
    pub fn efficiency(&self, row: &Row) -> Option<f64> {
        let same = |base: &&Row| {
            (&base.label.engine, &base.label.simd) == (&row.label.engine, &row.label.simd)
        };
        let block = self.block(&row.list, row.mode).filter(same);
        let base = block.min_by_key(|base| base.label.threads)?;
        if base.label.threads >= row.label.threads {
            return None;
        }
        let each = |row: &Row| Some(row.puzzles_per_second()? / row.label.threads as f64);
        Some(each(row)? / each(base)?)
    }
}
