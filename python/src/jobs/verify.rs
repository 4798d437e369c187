//! Are answers solutions of their puzzles?

use super::columns::VERIFY;
use super::puzzles::parse;
use crate::arrow::{ArrayRow, ResultValue, RowQuestion};
use ninefold::puzzle::Puzzle;
use ninefold::puzzle::answer::check_lines;

/// Why an answer is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnswerError {
    /// The puzzle or the answer is malformed.
    Malformed(String),
    /// The answer is a grid, and wrong.
    Answer(String),
}

/// Checks an answer. A null is right.
///
/// # Errors
/// Why it is wrong.
pub(crate) fn check(puzzle: ArrayRow, answer: ArrayRow) -> Result<(), AnswerError> {
    if let (ArrayRow::Text(puzzle), ArrayRow::Text(answer)) = (puzzle, answer)
        && let (Ok(puzzle), Ok(answer)) = (puzzle.try_into(), answer.try_into())
        && check_lines(puzzle, answer).is_some()
    {
        return Ok(());
    }
    let malformed =
        |what: &'static str| move |error| AnswerError::Malformed(format!("{what}: {error}"));
    let puzzle = parse(puzzle).map_err(malformed("puzzle"))?;
    let answer = parse(answer).map_err(malformed("answer"))?;
    match (puzzle, answer) {
        (Some(puzzle), Some(Puzzle::Grid(answer))) => {
            puzzle.check_answer(&answer).map_err(|wrong| AnswerError::Answer(wrong.to_string()))
        }
        (Some(_), Some(Puzzle::Sukaku(_))) => {
            Err(AnswerError::Malformed("answer: expected 81 cells, found pencilmarks".to_owned()))
        }
        _ => Ok(()),
    }
}

/// Checks answers by the rules: nothing is solved. An answer is right if it is full and legal and
/// keeps the clues of its puzzle.
pub(crate) fn verify() -> RowQuestion {
    RowQuestion::new(
        VERIFY,
        8192,
        || (),
        |(), columns, rows, table| {
            for row in rows {
                let (puzzle, answer) = (columns[0].row(row)?, columns[1].row(row)?);
                if puzzle == ArrayRow::Null || answer == ArrayRow::Null {
                    // Null in the result, so the value does not matter.
                    table.push([ResultValue::Flag(true)]);
                    continue;
                }
                match check(puzzle, answer) {
                    Ok(()) => table.push([ResultValue::Flag(true), "right".into()]),
                    Err(AnswerError::Answer(why)) => {
                        table.push([ResultValue::Flag(false), "wrong".into(), why.as_str().into()]);
                    }
                    Err(AnswerError::Malformed(why)) => {
                        table.push([
                            ResultValue::Flag(false),
                            "malformed".into(),
                            why.as_str().into(),
                        ]);
                    }
                }
            }
            Ok(())
        },
    )
}
