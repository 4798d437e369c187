//! `ninefold canon`: the canonical form of every puzzle.
//!
//! ```text
//! chunk ─> grids ─> forms ─────────────────────> records
//!              └──> answers ─> solution forms ─┘
//!                   (--form solution)
//! ```
//!
//! The forms themselves are in [`symmetry`](crate::symmetry).

#[cfg(feature = "cli")]
mod args;

#[cfg(feature = "cli")]
pub(crate) use args::CanonArgs;

use crate::input::Malformed;
use crate::names::Named;
use crate::output::{Field, Format};
use crate::puzzle::Puzzle;
use crate::puzzle::parse::PENCILMARKS;
use crate::run::{
    Batch, Column, Command, Count, InOrder, Row, Rows, Shape, Short, SlowPlace, Terms, Worker,
};
use crate::search::{Answers, Search};
use crate::symmetry::{Canon, Form};
use std::io::Write;

ninefold_core::named_enum! {
    /// Which canonical form.
    pub enum FormKind, "form" {
        @default Minlex = "minlex", "the least of all isomorphic puzzles, read as a number";
        Solution = "solution", "the clues under the map that takes the solution to its minlex form";
    }
}

ninefold_core::named_enum! {
    /// The outcome of a puzzle: its verdict, unless the form needs none.
    pub enum Outcome, "status" {
        Canonical = "canonical", "has a form";
        Multiple = "multiple", "has more than one solution (--form solution)";
        None = "none", "is legal and has no solution (--form solution)";
        Conflict = "conflict", "has a digit twice in a house (--form solution)";
        Sukaku = "sukaku", "is a sukaku, which has no minlex form (--form minlex)";
        Malformed = "malformed", "is not a puzzle";
        Unknown = "unknown", "takes more branches than --max-branches allows (--form solution)";
    }
}

/// The columns of a table of forms. The last one is for [`Canonize::map`].
pub const COLUMNS: [Column; 5] = [
    Column::word("status", "canonical, or why there is no form"),
    Column::text("puzzle", "the cells of the puzzle; if malformed, the text of the field"),
    Column::text("form", "the canonical form"),
    Column::whole("automorphisms", "the number of symmetries that map the puzzle to itself"),
    Column::text("map", "with --map, the transformation from the puzzle to its form"),
];

/// Writes canonical forms. The example of the [crate] runs a command.
#[derive(Clone, Debug, Default)]
pub struct Canonize {
    /// Which form.
    pub form: FormKind,
    /// Whether tables have the transformation of each puzzle to its form, in the text form of
    /// [`Isomorphism`](crate::symmetry::Isomorphism).
    pub map: bool,
    /// The engine that solves, if the form needs the solution.
    pub search: Search,
}

impl Command for Canonize {
    type Worker = CanonWorker;
    type Order = InOrder;

    fn columns(&self, _: Format) -> Vec<Column> {
        COLUMNS[..COLUMNS.len() - usize::from(!self.map)].to_vec()
    }

    fn counts(&self) -> Vec<Count> {
        vec![Count::statuses(Outcome::ALL), Count::one("automorphic")]
    }

    fn worker(&self, _: &Shape) -> CanonWorker {
        CanonWorker {
            form: self.form,
            answers: Answers::new(self.search.build(), 2),
            canon: Canon::new(),
            forms: Vec::new(),
        }
    }
}

/// Makes forms; has an engine and memory for chunks of puzzles.
pub struct CanonWorker {
    form: FormKind,
    answers: Answers,
    canon: Canon,
    /// The form of each puzzle, if it has one.
    forms: Vec<Option<Form<Puzzle>>>,
}

impl Worker for CanonWorker {
    type Kept = ();

    fn solve(&mut self, batch: &Batch<'_>, (): &mut ()) -> Option<SlowPlace> {
        let Self { form, answers, canon, forms } = self;
        let of_solution = *form == FormKind::Solution;
        let slowest = if of_solution { answers.find(batch.puzzles) } else { None };
        forms.clear();
        forms.extend((0..batch.puzzles.count()).map(|number| {
            let solution = if of_solution { Some(answers.solution(number)?) } else { None };
            canon.form_of(&batch.puzzles.puzzle(number), solution)
        }));
        slowest
    }

    fn record(&mut self, number: usize, row: &Row<'_>, rows: &mut Rows<'_, ()>) {
        let Some(form) = &self.forms[number] else {
            if self.form == FormKind::Minlex {
                let reason = "a sukaku has no minlex form (use --form solution)";
                return rows.unanswered(Outcome::Sukaku, "puzzle", row, &reason);
            }
            let puzzle = row.puzzle.expect("the record of a puzzle");
            let verdict = self.answers.verdict(number, puzzle);
            let outcome = Outcome::by_name(verdict.status().name());
            let outcome = outcome.expect("each status has an outcome");
            return rows.unanswered(outcome, "puzzle", row, &verdict);
        };
        rows.count(Outcome::Canonical as usize);
        if form.automorphisms > 1 {
            rows.count(Outcome::ALL.len());
        }
        let (image, mut map) = (&mut [0; PENCILMARKS], [0; 35]);
        let image = form.grid.line(rows.style().blank, image);
        let terms = Terms::of(Outcome::Canonical as usize);
        if rows.wants_fields(terms) {
            write!(&mut map[..], "{}", form.map).expect("the text form has 35 bytes");
        }
        let fields = [
            Field::Plain(Outcome::Canonical.name().as_bytes()),
            Field::Puzzle,
            Field::Plain(image),
            Field::Number(form.automorphisms.into()),
            Field::Plain(&map),
        ];
        let fields = &fields[..rows.style().columns.len()];
        rows.push(row, terms, fields, Short::Image(image), None);
    }

    fn malformed(&mut self, error: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, ()>) {
        rows.unanswered(Outcome::Malformed, "puzzle", row, error);
    }
}
