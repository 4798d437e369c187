//! Canonical forms, and maps between puzzles that differ in looks only.

use super::columns::{CANONICAL, ISOMORPHISM};
use super::puzzles::{NoPuzzle, of_puzzles, parse};
use crate::arrow::{ArrayRow, ResultTable, ResultValue, RowQuestion};
use ninefold::canon::FormKind;
use ninefold::puzzle::parse::PENCILMARKS;
use ninefold::puzzle::{Grid, Puzzle, Solution};
use ninefold::symmetry::Canon;

/// Why a puzzle has no form.
pub(crate) const NO_MINLEX: &str = "a sukaku has no minlex form (use the form solution)";

/// Finds forms of this kind.
pub(crate) fn canonical(kind: FormKind) -> RowQuestion {
    let limit = (kind == FormKind::Solution).then_some(2);
    of_puzzles(
        CANONICAL,
        512,
        limit,
        |_| Canon::new(),
        move |canon, puzzles, table| match kind {
            FormKind::Solution => puzzles.each_unique(table, |number, solution, table| {
                push(canon, &puzzles.puzzle(number), Some(solution), table);
            }),
            FormKind::Minlex => puzzles.each(table, |number, table| {
                push(canon, &puzzles.puzzle(number), None, table);
            }),
        },
    )
}

/// Appends a form.
fn push(canon: &mut Canon, puzzle: &Puzzle, solution: Option<&Solution>, table: &mut ResultTable) {
    let Some(formed) = canon.form_of(puzzle, solution) else {
        return table.push_reason("sukaku", &NO_MINLEX);
    };
    table.push(&[
        ResultValue::Text(formed.grid.line(b'.', &mut [0; PENCILMARKS])),
        "canonical".into(),
        ResultValue::Number(formed.automorphisms.into()),
        ResultValue::Shown(&formed.map),
    ]);
}

/// Looks for a map from each puzzle to another.
pub(crate) fn isomorphism() -> RowQuestion {
    let make = |_| Canon::new();
    RowQuestion::new(ISOMORPHISM, 512, make, |canon, columns, rows, table| {
        for row in rows {
            let (one, other) = (columns[0].row(row), columns[1].row(row));
            if one == ArrayRow::Null || other == ArrayRow::Null {
                table.push(&[]);
                continue;
            }
            let grids = grid("puzzle", one).and_then(|one| Ok((one, grid("other", other)?)));
            match grids.map(|(one, other)| canon.isomorphism(&one, &other)) {
                Ok(Some(map)) => table.push(&[ResultValue::Shown(&map), "isomorphic".into()]),
                Ok(None) => table.push(&[ResultValue::None, "different".into()]),
                Err(why) => table.push_reason("malformed", &why),
            }
        }
    })
}

/// The grid of a row that is not null.
fn grid(what: &str, row: ArrayRow) -> Result<Grid, String> {
    match parse(row) {
        Ok(Puzzle::Grid(grid)) => Ok(grid),
        Ok(Puzzle::Sukaku(_)) | Err(NoPuzzle::Null) => {
            Err(format!("{what}: expected 81 cells, found a sukaku"))
        }
        Err(NoPuzzle::Malformed(why)) => Err(format!("{what}: {why}")),
    }
}
