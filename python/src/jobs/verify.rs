//! Are answers solutions of their puzzles?

use super::columns::VERIFY;
use super::puzzles::{NoPuzzle, grid, parse};
use crate::arrow::{ArrayRow, ResultValue, RowQuestion};
use ninefold::puzzle::answer::check_lines;

/// Checks an answer. A null is right.
///
/// # Errors
/// The status of a wrong or malformed answer, and the reason.
pub(crate) fn check(puzzle: ArrayRow, answer: ArrayRow) -> Result<(), (&'static str, String)> {
    if let (ArrayRow::Text(puzzle), ArrayRow::Text(answer)) = (puzzle, answer)
        && let (Ok(puzzle), Ok(answer)) = (puzzle.try_into(), answer.try_into())
        && check_lines(puzzle, answer).is_some()
    {
        return Ok(());
    }
    match (parse(puzzle), grid(answer)) {
        (Err(NoPuzzle::Malformed(why)), _) => Err(("malformed", format!("puzzle: {why}"))),
        (_, Err(NoPuzzle::Malformed(why))) => Err(("malformed", format!("answer: {why}"))),
        (Err(NoPuzzle::Null), _) | (_, Err(NoPuzzle::Null)) => Ok(()),
        (Ok(puzzle), Ok(answer)) => {
            puzzle.check_answer(&answer).map_err(|wrong| ("wrong", wrong.to_string()))
        }
    }
}

/// Checks answers by the rules: nothing is solved. An answer is right if it is full and legal and
/// keeps the clues of its puzzle.
pub(crate) fn verify() -> RowQuestion {
    RowQuestion::new(
        VERIFY,
        8192,
        |_| (),
        |(), columns, rows, table| {
            for row in rows {
                let (puzzle, answer) = (columns[0].row(row), columns[1].row(row));
                if puzzle == ArrayRow::Null || answer == ArrayRow::Null {
                    // Null in the result. Where that has no nulls, a null is right.
                    table.push(&[ResultValue::Flag(true)]);
                    continue;
                }
                match check(puzzle, answer) {
                    Ok(()) => table.push(&[ResultValue::Flag(true), "right".into()]),
                    Err((status, why)) => table.push_reason(status, &why),
                }
            }
        },
    )
}
