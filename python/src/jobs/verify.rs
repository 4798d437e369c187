//! Are answers solutions of their puzzles?

use super::columns::VERIFY;
use super::puzzles::parse;
use crate::arrow::{Question, Row, Value};
use ninefold::puzzle::Puzzle;
use ninefold::puzzle::answer::check_lines;

/// Why an answer is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// The puzzle or the answer is malformed.
    Malformed(String),
    /// The answer is a grid, and wrong.
    Answer(String),
}

/// Checks an answer. A null is right.
///
/// # Errors
/// Why it is wrong.
pub(crate) fn check(puzzle: Row, answer: Row) -> Result<(), Wrong> {
    if let (Row::Text(puzzle), Row::Text(answer)) = (puzzle, answer)
        && let (Ok(puzzle), Ok(answer)) = (puzzle.try_into(), answer.try_into())
        && check_lines(puzzle, answer).is_some()
    {
        return Ok(());
    }
    let malformed = |what: &'static str| move |error| Wrong::Malformed(format!("{what}: {error}"));
    let puzzle = parse(puzzle).map_err(malformed("puzzle"))?;
    let answer = parse(answer).map_err(malformed("answer"))?;
    match (puzzle, answer) {
        (Some(puzzle), Some(Puzzle::Grid(answer))) => {
            puzzle.check_answer(&answer).map_err(|wrong| Wrong::Answer(wrong.to_string()))
        }
        (Some(_), Some(Puzzle::Sukaku(_))) => {
            Err(Wrong::Malformed("answer: expected 81 cells, found pencilmarks".to_owned()))
        }
        _ => Ok(()),
    }
}

/// Checks answers by the rules: nothing is solved. An answer is right if it is full and legal and
/// keeps the clues of its puzzle.
#[must_use]
pub(crate) fn verify() -> Question {
    Question::new(
        VERIFY,
        8192,
        || (),
        |(), columns, rows, table| {
            for row in rows {
                let (puzzle, answer) = (columns[0].row(row)?, columns[1].row(row)?);
                if puzzle == Row::Null || answer == Row::Null {
                    // Null in the result, so the value does not matter.
                    table.push([Value::Flag(true)]);
                    continue;
                }
                match check(puzzle, answer) {
                    Ok(()) => table.push([Value::Flag(true), "right".into()]),
                    Err(Wrong::Answer(why)) => {
                        table.push([Value::Flag(false), "wrong".into(), why.as_str().into()]);
                    }
                    Err(Wrong::Malformed(why)) => {
                        table.push([Value::Flag(false), "malformed".into(), why.as_str().into()]);
                    }
                }
            }
            Ok(())
        },
    )
}
