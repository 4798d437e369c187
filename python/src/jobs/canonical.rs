//! Canonical forms.

use super::columns::CANONICAL;
use super::puzzles::{Entry, Puzzles};
use crate::arrow::{Column, Question, Table, Value, Worker};
use ninefold::canon::FormKind;
use ninefold::puzzle::parse::PENCILMARKS;
use ninefold::puzzle::{Puzzle, Solution};
use ninefold::symmetry::{Canon, Isomorphism};
use std::ops::Range;

/// A form, and how it comes about.
pub struct Formed {
    /// The form.
    pub puzzle: Puzzle,
    /// The map to it.
    pub map: Isomorphism,
    /// The number of automorphisms.
    pub automorphisms: u32,
}

/// Why a sukaku has no minlex form.
pub const NO_MINLEX: &str = "a sukaku has no minlex form (use the form solution)";

/// The minlex form of a puzzle; or, with its only solution, the solution form. `None` for the minlex
/// form of a sukaku.
#[must_use]
pub fn form_of(canon: &mut Canon, puzzle: &Puzzle, solution: Option<&Solution>) -> Option<Formed> {
    let (puzzle, map, automorphisms) = match (puzzle, solution) {
        (Puzzle::Sukaku(_), None) => return None,
        (Puzzle::Sukaku(sukaku), Some(solution)) => {
            let form = canon.solution_minlex_of_sukaku(sukaku, solution);
            (Puzzle::Sukaku(form.sukaku), form.map, form.automorphisms)
        }
        (Puzzle::Grid(grid), solution) => {
            let form = match solution {
                None => canon.minlex(grid),
                Some(solution) => canon.solution_minlex(grid, solution),
            };
            (Puzzle::Grid(form.grid), form.map, form.automorphisms)
        }
    };
    Some(Formed { puzzle, map, automorphisms })
}

/// Finds forms of this kind.
#[must_use]
pub fn canonical(kind: FormKind) -> Question {
    let worker = move || -> Worker {
        let (mut canon, mut puzzles) = (Canon::new(), Puzzles::default());
        Box::new(move |columns: &[Column], rows: Range<usize>, table: &mut Table| {
            puzzles.read(&columns[0], rows)?;
            if kind == FormKind::Solution {
                puzzles.solve(2);
            }
            for entry in &puzzles.entries {
                let Some(puzzle) = puzzles.puzzle(entry) else {
                    match entry {
                        Entry::Malformed(why) => without(table, "malformed", Value::Shown(why)),
                        _ => table.push([]),
                    }
                    continue;
                };
                let mut solution = None;
                if kind == FormKind::Solution
                    && let Some(verdict) = puzzles.verdict(entry)
                {
                    solution = verdict.solution().copied();
                    if solution.is_none() {
                        without(table, verdict.status().name(), Value::Shown(&verdict));
                        continue;
                    }
                }
                let Some(formed) = form_of(&mut canon, &puzzle, solution.as_ref()) else {
                    without(table, "sukaku", NO_MINLEX.into());
                    continue;
                };
                table.push([
                    Value::Text(formed.puzzle.line(b'.', &mut [0; PENCILMARKS])),
                    "canonical".into(),
                    Value::Number(formed.automorphisms.into()),
                    Value::Shown(&formed.map),
                ]);
            }
            Ok(())
        })
    };
    Question { columns: CANONICAL, batch: 512, worker: Box::new(worker) }
}

/// Appends a row without a form.
fn without(table: &mut Table, status: &str, reason: Value) {
    table.push([Value::None, status.into(), Value::None, Value::None, reason]);
}
