//! Maps between puzzles that differ in looks only.

use super::columns::ISOMORPHISM;
use super::puzzles::parse;
use crate::arrow::{Column, Question, Row, Table, Value, Worker};
use ninefold::puzzle::{Grid, Puzzle};
use ninefold::symmetry::Canon;
use std::ops::Range;

/// Looks for a map from each puzzle to another.
#[must_use]
pub fn isomorphism() -> Question {
    let worker = || -> Worker {
        let mut canon = Canon::new();
        Box::new(move |columns: &[Column], rows: Range<usize>, table: &mut Table| {
            for row in rows {
                let (one, other) = (columns[0].row(row)?, columns[1].row(row)?);
                if one == Row::Null || other == Row::Null {
                    table.push([]);
                    continue;
                }
                let grids = grid("puzzle", one).and_then(|one| Ok((one, grid("other", other)?)));
                match grids.map(|(one, other)| canon.isomorphism(&one, &other)) {
                    Ok(Some(map)) => table.push([Value::Shown(&map), "isomorphic".into()]),
                    Ok(None) => table.push([Value::None, "different".into()]),
                    Err(why) => {
                        table.push([Value::None, "malformed".into(), why.as_str().into()]);
                    }
                }
            }
            Ok(())
        })
    };
    Question {
        columns: ISOMORPHISM,
        batch: 512,
        worker: Box::new(worker),
        copies: None,
        stop: None,
    }
}

/// The grid of a row that is not null.
fn grid(what: &str, row: Row) -> Result<Grid, String> {
    match parse(row) {
        Ok(Some(Puzzle::Grid(grid))) => Ok(grid),
        Ok(_) => Err(format!("{what}: expected 81 cells, found a sukaku")),
        Err(error) => Err(format!("{what}: {error}")),
    }
}
