//! Maps between puzzles that differ in looks only.

use super::columns::ISOMORPHISM;
use super::puzzles::parse;
use crate::arrow::{ArrayRow, ResultValue, RowQuestion};
use ninefold::puzzle::{Grid, Puzzle};
use ninefold::symmetry::Canon;

/// Looks for a map from each puzzle to another.
pub(crate) fn isomorphism() -> RowQuestion {
    RowQuestion::new(ISOMORPHISM, 512, Canon::new, |canon, columns, rows, table| {
        for row in rows {
            let (one, other) = (columns[0].row(row)?, columns[1].row(row)?);
            if one == ArrayRow::Null || other == ArrayRow::Null {
                table.push([]);
                continue;
            }
            let grids = grid("puzzle", one).and_then(|one| Ok((one, grid("other", other)?)));
            match grids.map(|(one, other)| canon.isomorphism(&one, &other)) {
                Ok(Some(map)) => table.push([ResultValue::Shown(&map), "isomorphic".into()]),
                Ok(None) => table.push([ResultValue::None, "different".into()]),
                Err(why) => {
                    table.push([ResultValue::None, "malformed".into(), why.as_str().into()]);
                }
            }
        }
        Ok(())
    })
}

/// The grid of a row that is not null.
fn grid(what: &str, row: ArrayRow) -> Result<Grid, String> {
    match parse(row) {
        Ok(Some(Puzzle::Grid(grid))) => Ok(grid),
        Ok(_) => Err(format!("{what}: expected 81 cells, found a sukaku")),
        Err(error) => Err(format!("{what}: {error}")),
    }
}
