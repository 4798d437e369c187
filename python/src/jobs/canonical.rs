//! Canonical forms.

use super::columns::CANONICAL;
use super::puzzles::{RowEntry, RowPuzzles};
use crate::arrow::{ResultTable, ResultValue, RowQuestion};
use ninefold::canon::FormKind;
use ninefold::puzzle::parse::PENCILMARKS;
use ninefold::symmetry::Canon;

/// Why a sukaku has no minlex form.
pub(crate) const NO_MINLEX: &str = "a sukaku has no minlex form (use the form solution)";

/// Finds forms of this kind.
pub(crate) fn canonical(kind: FormKind) -> RowQuestion {
    let make = || (Canon::new(), RowPuzzles::default());
    RowQuestion::new(CANONICAL, 512, make, move |(canon, puzzles), columns, rows, table| {
        puzzles.read(&columns[0], rows)?;
        if kind == FormKind::Solution {
            puzzles.solve(2);
        }
        for entry in &puzzles.entries {
            let Some(puzzle) = puzzles.puzzle(entry) else {
                match entry {
                    RowEntry::Malformed(why) => {
                        without(table, "malformed", ResultValue::Shown(why));
                    }
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
                    without(table, verdict.status().name(), ResultValue::Shown(&verdict));
                    continue;
                }
            }
            let Some(formed) = canon.form_of(&puzzle, solution.as_ref()) else {
                without(table, "sukaku", NO_MINLEX.into());
                continue;
            };
            table.push([
                ResultValue::Text(formed.grid.line(b'.', &mut [0; PENCILMARKS])),
                "canonical".into(),
                ResultValue::Number(formed.automorphisms.into()),
                ResultValue::Shown(&formed.map),
            ]);
        }
        Ok(())
    })
}

/// Appends a row without a form.
fn without(table: &mut ResultTable, status: &str, reason: ResultValue) {
    table.push([ResultValue::None, status.into(), ResultValue::None, ResultValue::None, reason]);
}
