//! Isomorphic copies.

use super::columns::{AUGMENT, MAPPED};
use super::puzzles::{NoPuzzle, each_puzzle, grid, parse};
use crate::arrow::{ArrayRow, ResultTable, ResultValue, RowQuestion};
use ninefold::augment::{Augment, Copies, Outcome};
use ninefold::puzzle::parse::PENCILMARKS;
use ninefold::puzzle::{Grid, Puzzle};
use ninefold::symmetry::Isomorphism;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Makes copies of each puzzle, and of its answer if there is a second column. A row has as many answers as
/// copies are wanted; those without a copy come last.
pub(crate) fn augment(augment: Augment) -> RowQuestion {
    let wanted = usize::try_from(augment.copies).unwrap_or(usize::MAX)
        + usize::from(augment.include_original);
    let batch = (4096 / wanted).max(1);
    let make = |_| Copies::default();
    let note = Arc::<Mutex<String>>::default();
    let noted = Arc::clone(&note);
    let question = RowQuestion::new(AUGMENT, batch, make, move |copies, columns, rows, table| {
        for row in rows {
            let answer = columns.get(1).map_or(ArrayRow::Null, |column| column.row(row));
            let (puzzle, answer) = (parse(columns[0].row(row)), answer_of(answer));
            let mut found = 0;
            let (status, why) = match (puzzle, answer) {
                (Err(NoPuzzle::Null), _) => {
                    (0..wanted).for_each(|_| table.push(&[]));
                    continue;
                }
                (Err(NoPuzzle::Malformed(why)), _) => ("malformed", why),
                (_, Err(why)) => {
                    // The rows of a table without this status are empty.
                    if !table.has("status") {
                        *noted.lock().unwrap_or_else(PoisonError::into_inner) =
                            format!("a row has no copies, because of its answer: {why}");
                    }
                    (Outcome::Unreadable.name(), format!("the answer: {why}"))
                }
                (Ok(puzzle), Ok(answer)) => {
                    let copied = copies.of(&augment, &puzzle, |_, map, copy| {
                        found += 1;
                        push(table, map, copy, answer.as_ref());
                        ControlFlow::Continue(())
                    });
                    (Outcome::Few.name(), copied.to_string())
                }
            };
            (found..wanted).for_each(|_| table.push_reason(status, &why));
        }
    });
    RowQuestion { copies: Some(wanted), note, ..question }
}

/// The answer in a row. An empty text is none.
fn answer_of(row: ArrayRow) -> Result<Option<Grid>, String> {
    if row == ArrayRow::Text(b"") {
        return Ok(None);
    }
    match grid(row) {
        Ok(grid) => Ok(Some(grid)),
        Err(NoPuzzle::Null) => Ok(None),
        Err(NoPuzzle::Malformed(why)) => Err(why),
    }
}

/// Appends a copy.
fn push(table: &mut ResultTable, map: &Isomorphism, copy: &Puzzle, answer: Option<&Grid>) {
    let answer = answer.map(|grid| map.apply(grid).line(b'.'));
    table.push(&[
        ResultValue::Text(copy.line(b'.', &mut [0; PENCILMARKS])),
        answer.as_ref().map_or(ResultValue::None, |line| ResultValue::Text(line)),
        ResultValue::Shown(map),
        Outcome::Augmented.name().into(),
        ResultValue::None,
    ]);
}

/// Applies a transformation to each puzzle.
pub(crate) fn apply(map: Isomorphism) -> RowQuestion {
    each_puzzle(MAPPED, 4096, move |puzzle, table| {
        let image = map.apply_to_puzzle(puzzle);
        let cells = &mut [0; PENCILMARKS];
        table.push(&[ResultValue::Text(image.line(b'.', cells)), "mapped".into()]);
    })
}
