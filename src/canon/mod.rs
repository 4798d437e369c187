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
pub(crate) mod args;

use crate::input::{Chunk, Row};
use crate::output::{Column, Field, Format, Short};
use crate::puzzle::Puzzle;
use crate::puzzle::parse::PENCILMARKS;
use crate::run::{Command, Count, Rows, Terms};
use crate::search::{Answers, Search};
use crate::symmetry::{Canon, Form};
use std::io::Write;
use std::ops::ControlFlow;

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

ninefold_core::named_enum! {
    /// What is counted of a puzzle with a form.
    pub(crate) enum Symmetric, "count" {
        Automorphic = "automorphic", "has automorphisms besides the identity";
    }
}

/// The columns of a table of forms. The last one is for [`Canonize::map`].
pub const COLUMNS: [Column; 5] = [
    Column::status("canonical, or why there is no form"),
    Column::puzzle("puzzle", "the cells of the puzzle; if malformed, the text of the field"),
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
    type Kept = ();

    fn columns(&self, _: Format) -> Vec<Column> {
        COLUMNS[..COLUMNS.len() - usize::from(!self.map)].to_vec()
    }

    fn counts(&self) -> Vec<Count> {
        vec![Count::statuses::<Outcome>(), Count::each::<Symmetric>()]
    }

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, ()>) -> ControlFlow<()> {
        let of_solution = self.form == FormKind::Solution;
        let mut answers = Answers::new(self.search.build(), 2);
        // The form of each puzzle, if it has one.
        let (mut canon, mut forms) = (Canon::new(), Vec::new());
        move |chunk, rows| {
            let puzzles = rows.read(chunk);
            rows.work(|_| {
                let slowest = if of_solution { answers.find(puzzles) } else { None };
                forms.clear();
                forms.extend((0..puzzles.count()).map(|number| {
                    let solution = if of_solution { Some(answers.solution(number)?) } else { None };
                    canon.form_of(&puzzles.puzzle(number), solution)
                }));
                slowest
            });
            rows.each(puzzles, Outcome::Malformed, |row, number, rows| match &forms[number] {
                Some(form) => push(row, form, rows),
                None if of_solution => {
                    let verdict = answers.verdict(number, &puzzles.puzzle(number));
                    rows.unsolved::<Outcome>(row, &verdict);
                }
                None => {
                    let reason = "a sukaku has no minlex form (use --form solution)";
                    rows.unanswered(row, Outcome::Sukaku, &reason);
                }
            })
        }
    }
}

/// The record of a puzzle with a form.
fn push(row: &Row, form: &Form<Puzzle>, rows: &mut Rows<'_, ()>) {
    rows.count(Outcome::Canonical);
    if form.automorphisms > 1 {
        rows.count(Symmetric::Automorphic);
    }
    let (image, mut map) = (&mut [0; PENCILMARKS], [0; 35]);
    let image = form.grid.line(rows.style().blank, image);
    let terms = Terms::of(Outcome::Canonical);
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
    rows.push(row, terms, &fields[..rows.style().columns.len()], Short::Image(image));
}
