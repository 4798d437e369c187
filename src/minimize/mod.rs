//! `ninefold minimize`: minimal puzzles inside puzzles that are not minimal.
//!
//! ```text
//! chunk ─> grids ─> one solution? ─> redundant clues removed: one way, all ways, the best ─> records
//! ```
//!
//! The search is in [`minimal`](crate::minimal::Minimizer).

#[cfg(feature = "cli")]
mod args;

#[cfg(feature = "cli")]
pub(crate) use args::MinimizeArgs;

use crate::input::Malformed;
use crate::minimal::Minimizer;
use crate::names::Named;
use crate::output::{Field, Format};
use crate::puzzle::{Grid, Puzzle, Solution};
use crate::run::{
    Batch, Column, Command, Count, InOrder, Row, Rows, Shape, Short, SlowPlace, Terms, Worker,
};
use crate::search::{Answers, Search};

ninefold_core::named_enum! {
    /// The outcome of a puzzle.
    pub enum Outcome, "status" {
        Minimal = "minimal", "a minimal puzzle inside the source";
        More = "more", "has more minimal puzzles than --max (--all)";
        Multiple = "multiple", "has more than one solution";
        None = "none", "is legal and has no solution";
        Conflict = "conflict", "has a digit twice in a house";
        Sukaku = "sukaku", "is a sukaku";
        Malformed = "malformed", "is not a puzzle";
        Unknown = "unknown", "takes more branches than --max-branches allows";
    }
}

/// The columns of a table of minimal puzzles.
pub const COLUMNS: [Column; 5] = [
    Column::word("status", "minimal, or why there is no puzzle"),
    Column::text("puzzle", "the minimal puzzle"),
    Column::whole("clues", "the number of its clues"),
    Column::whole("removed", "the number of clues that were removed"),
    Column::text("source", "the cells of the source; if malformed, the text of the field"),
];

/// The place of the count of minimal puzzles.
const FOUND: usize = Outcome::ALL.len();

/// Which minimal puzzles are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// One: clues are tried in an order that depends on the seed and the puzzle.
    One(u64),
    /// All, but no more than this number.
    All(u64),
    /// One with the fewest clues.
    Fewest,
}

impl Which {
    /// The minimal puzzles inside each puzzle, whose only solution is given, and whether they are all that was
    /// asked for.
    pub fn inside(
        self,
        minimizer: &mut Minimizer,
        puzzles: &[Grid],
        solutions: &[Solution],
    ) -> Vec<(Vec<Grid>, Outcome)> {
        let outcome = |is_all| match is_all {
            Some(true) => Outcome::Minimal,
            Some(false) => Outcome::More,
            None => Outcome::Unknown,
        };
        let found = |one: Option<Grid>| (Vec::from_iter(one), outcome(one.map(|_| true)));
        let pairs = puzzles.iter().zip(solutions);
        match self {
            Self::One(_) => {
                minimizer.many_unique(puzzles, solutions).into_iter().map(found).collect()
            }
            Self::Fewest => {
                pairs.map(|(puzzle, solution)| found(minimizer.fewest(puzzle, solution))).collect()
            }
            Self::All(most) => pairs
                .map(|(puzzle, solution)| {
                    let mut all = Vec::new();
                    let is_all = minimizer.each(puzzle, solution, most, &mut |it| all.push(*it));
                    (all, outcome(is_all))
                })
                .collect(),
        }
    }
}

/// Writes minimal puzzles.
#[derive(Clone, Debug)]
pub struct Minimize {
    /// Which ones.
    pub which: Which,
    /// The engine and its bounds.
    pub search: Search,
}

impl Default for Minimize {
    /// One of each puzzle.
    fn default() -> Self {
        Self { which: Which::One(1), search: Search::default() }
    }
}

impl Command for Minimize {
    type Worker = MinimizeWorker;
    type Order = InOrder;

    fn columns(&self, _: Format) -> Vec<Column> {
        COLUMNS.to_vec()
    }

    fn counts(&self) -> Vec<Count> {
        vec![Count::statuses(Outcome::ALL), Count::one("found")]
    }

    fn worker(&self, _: &Shape) -> MinimizeWorker {
        let minimizer = Minimizer::new().with_built(self.search.build(), self.search.bounds());
        let minimizer = match self.which {
            Which::One(seed) => minimizer.with_seed(seed),
            Which::All(_) | Which::Fewest => minimizer,
        };
        MinimizeWorker {
            which: self.which,
            answers: Answers::new(self.search.build(), 2),
            minimizer,
            found: Vec::new(),
        }
    }
}

/// Finds minimal puzzles; has engines and memory for chunks of puzzles.
pub struct MinimizeWorker {
    which: Which,
    answers: Answers,
    minimizer: Minimizer,
    /// The minimal puzzles of each puzzle of the chunk, and whether they are all that was asked for.
    found: Vec<(Vec<Grid>, Outcome)>,
}

impl Worker for MinimizeWorker {
    type Kept = ();

    fn solve(&mut self, batch: &Batch<'_>, (): &mut ()) -> Option<SlowPlace> {
        let slowest = self.answers.find(batch.puzzles);
        self.found.clear();
        self.found.resize(batch.puzzles.count(), (Vec::new(), Outcome::Unknown));
        let grids = batch.puzzles.grids().iter().enumerate();
        let unique = grids
            .filter_map(|(number, grid)| Some((number, (*grid, *self.answers.solution(number)?))));
        let (numbers, unique): (Vec<_>, Vec<_>) = unique.unzip();
        let (puzzles, solutions): (Vec<_>, Vec<_>) = unique.into_iter().unzip();
        let found = self.which.inside(&mut self.minimizer, &puzzles, &solutions);
        for (number, found) in numbers.into_iter().zip(found) {
            self.found[number] = found;
        }
        slowest
    }

    fn record(&mut self, number: usize, row: &Row<'_>, rows: &mut Rows<'_, ()>) {
        let puzzle = row.puzzle.expect("the record of a puzzle");
        let Puzzle::Grid(grid) = puzzle else {
            return rows.unanswered(Outcome::Sukaku, "source", row, &"a sukaku has no clues");
        };
        let verdict = self.answers.verdict(number, puzzle);
        if self.answers.solution(number).is_none() {
            let outcome = Outcome::by_name(verdict.status().name());
            let outcome = outcome.expect("each status has an outcome");
            return rows.unanswered(outcome, "source", row, &verdict);
        }
        let (found, outcome) = &self.found[number];
        let terms = Terms::of(Outcome::Minimal as usize);
        for minimal in found {
            rows.count(FOUND);
            let image = minimal.line(rows.style().blank);
            let clues = minimal.clues();
            let fields = [
                Field::Plain(Outcome::Minimal.name().as_bytes()),
                Field::Plain(&image),
                Field::Number(clues as u64),
                Field::Number((grid.clues() - clues) as u64),
                Field::Puzzle,
            ];
            rows.push(row, terms, &fields, Short::Image(&image), None);
        }
        match outcome {
            Outcome::More => {
                let reason = format!("more than {} minimal puzzles", found.len());
                rows.unanswered(Outcome::More, "source", row, &reason);
            }
            Outcome::Unknown => {
                rows.unanswered(Outcome::Unknown, "source", row, &self.answers.unknown(0));
            }
            _ => rows.count(Outcome::Minimal as usize),
        }
    }

    fn malformed(&mut self, error: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, ()>) {
        rows.unanswered(Outcome::Malformed, "source", row, error);
    }
}
