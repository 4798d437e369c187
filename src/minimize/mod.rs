//! `ninefold minimize`: minimal puzzles inside puzzles that are not minimal.
//!
//! ```text
//! chunk ─> grids ─> one solution? ─> redundant clues removed: one way, all ways, the best ─> records
//! ```
//!
//! The search is in [`minimal`](crate::minimal::Minimizer).

#[cfg(feature = "cli")]
pub(crate) mod args;

use crate::input::{Chunk, Puzzles, Row};
use crate::minimal::Minimizer;
use crate::output::{Column, Field, Format, Short};
use crate::puzzle::{Grid, Puzzle, Solution};
use crate::run::{Command, Count, Rows, Terms};
use crate::search::{Answers, Search};
use std::ops::ControlFlow;

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
    Column::status("minimal, or why there is no puzzle"),
    Column::text("puzzle", "the minimal puzzle"),
    Column::whole("clues", "the number of its clues"),
    Column::whole("removed", "the number of clues that were removed"),
    Column::puzzle("source", "the cells of the source; if malformed, the text of the field"),
];

ninefold_core::named_enum! {
    /// What is counted of a source.
    pub enum Inside, "count" {
        Found = "found", "the minimal puzzles inside it";
    }
}

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
    /// The minimal puzzles inside each puzzle of a chunk. Only grids with one solution are searched.
    fn inside_all(
        self,
        minimizer: &mut Minimizer,
        puzzles: &Puzzles,
        answers: &Answers,
    ) -> Vec<(Vec<Grid>, Outcome)> {
        let mut found = vec![(Vec::new(), Outcome::Unknown); puzzles.count()];
        let grids = puzzles.grids().iter().enumerate();
        let unique =
            grids.filter_map(|(number, grid)| Some((number, (*grid, *answers.solution(number)?))));
        let (numbers, unique): (Vec<_>, Vec<_>) = unique.unzip();
        let (grids, solutions): (Vec<_>, Vec<_>) = unique.into_iter().unzip();
        let inside = self.inside(minimizer, &grids, &solutions);
        numbers.into_iter().zip(inside).for_each(|(number, inside)| found[number] = inside);
        found
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
    type Kept = ();

    fn columns(&self, _: Format) -> Vec<Column> {
        COLUMNS.to_vec()
    }

    fn counts(&self) -> Vec<Count> {
        vec![Count::statuses::<Outcome>(), Count::each::<Inside>()]
    }

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, ()>) -> ControlFlow<()> {
        let minimizer = Minimizer::new().with_built(self.search.build(), self.search.bounds());
        let mut minimizer = match self.which {
            Which::One(seed) => minimizer.with_seed(seed),
            Which::All(_) | Which::Fewest => minimizer,
        };
        let mut answers = Answers::new(self.search.build(), 2);
        move |chunk, rows| {
            let (puzzles, mut found) = (rows.read(chunk), Vec::new());
            rows.work(|_| {
                let slowest = answers.find(puzzles);
                found = self.which.inside_all(&mut minimizer, puzzles, &answers);
                slowest
            });
            rows.each(puzzles, Outcome::Malformed, |row, number, rows| {
                push(row, number, &found[number], &answers, rows);
            })
        }
    }
}

/// The records of a source, inside of which these minimal puzzles were found.
fn push(
    row: &Row,
    number: usize,
    (found, outcome): &(Vec<Grid>, Outcome),
    answers: &Answers,
    rows: &mut Rows<'_, ()>,
) {
    let puzzle = row.puzzle.expect("the row of a puzzle");
    let Puzzle::Grid(grid) = puzzle else {
        return rows.unanswered(row, Outcome::Sukaku, &"a sukaku has no clues");
    };
    if answers.solution(number).is_none() {
        return rows.unsolved::<Outcome>(row, &answers.verdict(number, &puzzle));
    }
    for minimal in found {
        rows.count(Inside::Found);
        let image = minimal.line(rows.style().blank);
        let clues = minimal.clues();
        let fields = [
            Field::Plain(Outcome::Minimal.name().as_bytes()),
            Field::Plain(&image),
            Field::Number(clues as u64),
            Field::Number((grid.clues() - clues) as u64),
            Field::Puzzle,
        ];
        rows.push(row, Terms::of(Outcome::Minimal), &fields, Short::Image(&image));
    }
    match outcome {
        Outcome::More => {
            let reason = format!("more than {} minimal puzzles", found.len());
            rows.unanswered(row, Outcome::More, &reason);
        }
        Outcome::Unknown => rows.unanswered(row, Outcome::Unknown, &answers.unknown(0)),
        _ => rows.count(Outcome::Minimal),
    }
}
