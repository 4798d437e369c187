//! Are answers solutions of their puzzles?

use super::puzzles::parse;
use crate::arrow::{ArrayError, Cells, Column, Header, Job, Kind, Row, Shape, Worker};
use ninefold::puzzle::Puzzle;
use ninefold::puzzle::answer::check_lines;
use std::ops::Range;

/// Checks answers by the rules: nothing is solved.
#[derive(Clone, Debug)]
pub struct Verify {
    header: Header,
}

impl Verify {
    /// Checks that each answer is full and legal, and keeps the clues of its puzzle.
    #[must_use]
    pub const fn new(header: Header) -> Self {
        Self { header }
    }
}

/// Why an answer is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The puzzle or the answer is malformed.
    Malformed(String),
    /// The answer is a grid, and wrong.
    Answer(String),
}

/// Checks an answer. A null is right.
///
/// # Errors
/// Why it is wrong.
pub fn check(puzzle: Row, answer: Row) -> Result<(), Wrong> {
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

impl Job for Verify {
    fn shapes(&self) -> &[Shape] {
        const RIGHT: Shape = Shape { name: "right", kind: Kind::Flag };
        match self.header {
            Header::Plain => &[RIGHT],
            Header::Struct => const { &[RIGHT, Shape::STATUS, Shape::REASON] },
        }
    }

    fn header(&self) -> Header {
        self.header
    }

    fn batch(&self) -> usize {
        8192
    }

    fn worker(&self) -> Box<dyn Worker> {
        Box::new(Verifying)
    }
}

struct Verifying;

impl Worker for Verifying {
    fn answer(
        &mut self,
        columns: &[Column],
        rows: Range<usize>,
        cells: &mut [Cells],
    ) -> Result<(), ArrayError> {
        let [Cells::Flags(right), details @ ..] = cells else {
            unreachable!("the cells are those of `shapes`")
        };
        for row in rows {
            let (puzzle, answer) = (columns[0].row(row)?, columns[1].row(row)?);
            let is_null = puzzle == Row::Null || answer == Row::Null;
            let result = if is_null { Ok(()) } else { check(puzzle, answer) };
            right.push(result.is_ok());
            if let [Cells::Names(statuses), Cells::Texts(reasons)] = &mut *details {
                let (status, reason) = match &result {
                    Ok(()) if is_null => ("", ""),
                    Ok(()) => ("right", ""),
                    Err(Wrong::Answer(reason)) => ("wrong", &**reason),
                    Err(Wrong::Malformed(reason)) => ("malformed", &**reason),
                };
                statuses.push(status);
                reasons.push(reason.as_bytes());
            }
        }
        Ok(())
    }
}
