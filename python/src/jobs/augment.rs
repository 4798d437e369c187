//! Isomorphic copies.

use super::columns::{AUGMENT, MAPPED};
use super::puzzles::parse;
use crate::arrow::{ArrayRow, ResultTable, ResultValue, RowQuestion};
use ninefold::augment::{Augment, Copies, Outcome};
use ninefold::puzzle::parse::PENCILMARKS;
use ninefold::puzzle::{Grid, Puzzle};
use ninefold::symmetry::Isomorphism;
use std::ops::ControlFlow;

/// Makes copies of each puzzle, and of its answer if there is a second column. A row has as many answers as
/// copies are wanted; those without a copy come last.
pub(crate) fn augment(augment: Augment) -> RowQuestion {
    let wanted = usize::try_from(augment.copies).unwrap_or(usize::MAX)
        + usize::from(augment.include_original);
    let batch = (4096 / wanted).max(1);
    let question =
        RowQuestion::new(AUGMENT, batch, Copies::default, move |copies, columns, rows, table| {
            for row in rows {
                let answer = columns.get(1).map_or(Ok(ArrayRow::Null), |column| column.row(row))?;
                let puzzle = match (parse(columns[0].row(row)?), answer_of(answer)) {
                    (Ok(None), _) => Ok(None),
                    (Ok(Some(puzzle)), Ok(answer)) => Ok(Some((puzzle, answer))),
                    (Err(why), _) => Err((Outcome::Malformed, why.to_string())),
                    (_, Err(why)) => Err((Outcome::Unreadable, format!("the answer: {why}"))),
                };
                let mut found = 0;
                let missing = match puzzle {
                    Ok(None) => None,
                    Ok(Some((puzzle, answer))) => {
                        let copied = copies.of(&augment, &puzzle, |_, map, copy| {
                            found += 1;
                            push(table, map, copy, answer.as_ref());
                            ControlFlow::Continue(())
                        });
                        Some((Outcome::Few, copied.to_string()))
                    }
                    Err(missing) => Some(missing),
                };
                for _ in found..wanted {
                    match &missing {
                        None => table.push([]),
                        Some((outcome, why)) => {
                            let (status, reason) = (outcome.name().into(), why.as_str().into());
                            table.push([
                                ResultValue::None,
                                ResultValue::None,
                                ResultValue::None,
                                status,
                                reason,
                            ]);
                        }
                    }
                }
            }
            Ok(())
        });
    RowQuestion { copies: Some(wanted), ..question }
}

/// The answer in a row. An empty text is none.
fn answer_of(row: ArrayRow) -> Result<Option<Grid>, String> {
    match row {
        ArrayRow::Text(b"") => Ok(None),
        row => match parse(row) {
            Ok(None) => Ok(None),
            Ok(Some(Puzzle::Grid(grid))) => Ok(Some(grid)),
            Ok(Some(Puzzle::Sukaku(_))) => Err("expected 81 cells, found pencilmarks".to_owned()),
            Err(error) => Err(error.to_string()),
        },
    }
}

/// Appends a copy.
fn push(table: &mut ResultTable, map: &Isomorphism, copy: &Puzzle, answer: Option<&Grid>) {
    let answer = answer.map(|grid| map.apply(grid).line(b'.'));
    table.push([
        ResultValue::Text(copy.line(b'.', &mut [0; PENCILMARKS])),
        answer.as_ref().map_or(ResultValue::None, |line| ResultValue::Text(line)),
        ResultValue::Shown(map),
        Outcome::Augmented.name().into(),
        ResultValue::None,
    ]);
}

/// Applies a transformation to each puzzle.
pub(crate) fn apply(map: Isomorphism) -> RowQuestion {
    RowQuestion::new(
        MAPPED,
        4096,
        || (),
        move |(), columns, rows, table| {
            for row in rows {
                let puzzle = match parse(columns[0].row(row)?) {
                    Ok(None) => {
                        table.push([]);
                        continue;
                    }
                    Ok(Some(Puzzle::Grid(grid))) => Puzzle::Grid(map.apply(&grid)),
                    Ok(Some(Puzzle::Sukaku(sukaku))) => {
                        Puzzle::Sukaku(map.apply_to_sukaku(&sukaku))
                    }
                    Err(why) => {
                        table.push([
                            ResultValue::None,
                            "malformed".into(),
                            ResultValue::Shown(&why),
                        ]);
                        continue;
                    }
                };
                let cells = &mut [0; PENCILMARKS];
                table.push([ResultValue::Text(puzzle.line(b'.', cells)), "mapped".into()]);
            }
            Ok(())
        },
    )
}
