//! Are answers solutions of their puzzles, and how good are predictions?

use super::columns::{SCORE, VERIFY};
use super::puzzles::{self, NoPuzzle, RowPuzzles, grid};
use crate::arrow::{ArrayColumn, ArrayRow, ResultTable, ResultValue, RowQuestion};
use ninefold::difficulty::{Gauge, Measure};
use ninefold::engine::Bounds;
use ninefold::puzzle::answer::check_lines;
use ninefold::puzzle::{Cell, Grid, Solution, check_answer, parse};
use ninefold::verify::{By, PredictionScore, ScoreCount, Scores};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

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
    match (puzzles::parse(puzzle), grid(answer)) {
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
    let make = |_| ();
    RowQuestion::new(VERIFY, 8192, make, |(), columns, rows, table| {
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
    })
}

/// The counts of all rows, and of those of each bucket.
#[derive(Default)]
pub(crate) struct Totals {
    pub(crate) all: Scores,
    pub(crate) buckets: BTreeMap<String, Scores>,
}

/// Scores predictions. The columns are puzzles, predictions, answers if there are any, and names of buckets if
/// `by` says so. All counts are added to the totals.
pub(crate) fn score(by: Option<By>, has_answers: bool, totals: Arc<Mutex<Totals>>) -> RowQuestion {
    let is_long = matches!(by, Some(By::Er(_)));
    let measure = match by {
        Some(By::Grade) => Some(Measure::Grade),
        Some(By::Er(_)) => Some(Measure::Er),
        _ => None,
    };
    let make = move |bounds: Bounds| {
        let gauge = |it| Gauge::new().with_measures([it]).with_bounds(bounds);
        (measure.map(gauge), RowPuzzles::default())
    };
    let question = RowQuestion::new(SCORE, 1024, make, move |state, columns, rows, table| {
        let (gauge, puzzles) = state;
        // If all puzzles are measured, all are read.
        let quick = has_answers && gauge.is_none();
        let exact = |row| if quick { exact(columns, row) } else { None };
        let exact: Vec<_> = rows.clone().map(exact).collect();
        let others = rows.clone().zip(&exact).filter(|(_, it)| it.is_none()).map(|(row, _)| row);
        puzzles.read(&columns[0], others.clone());
        // The answers that are right. One that is not may be missing, or wrong.
        let truth = |(row, entry): (usize, &Result<usize, _>)| {
            let answer = if has_answers { columns[2].row(row) } else { ArrayRow::Null };
            let number = *entry.as_ref().map_err(|_| None)?;
            let is_missing = matches!(answer, ArrayRow::Null | ArrayRow::Text(b""));
            let right = grid(answer).ok();
            right
                .filter(|it| puzzles.puzzle(number).check_answer(it).is_ok())
                .ok_or((!is_missing).then_some(ScoreCount::WrongAnswers))
        };
        let truths: Vec<_> = others.zip(&puzzles.entries).map(truth).collect();
        let mut entries = puzzles.entries.iter().zip(&truths);
        if gauge.is_some() || entries.any(|(entry, truth)| entry.is_ok() && truth.is_err()) {
            puzzles.solve(2);
        }
        let measured = gauge.as_mut().map(|gauge| puzzles.measure(gauge));
        let (mut found, mut others) = (Totals::default(), puzzles.entries.iter().zip(&truths));
        for (row, exact) in rows.zip(exact) {
            let read = if exact.is_none() { others.next() } else { None };
            let number = read.and_then(|(entry, _)| entry.as_ref().ok().copied());
            let puzzle = number.map(|number| puzzles.puzzle(number).givens());
            let solution = || puzzles.solution(number?).map(Solution::grid);
            let truth = read.and_then(|(_, truth)| truth.as_ref().ok()).or_else(solution);
            let stored = read.and_then(|(_, truth)| truth.err().flatten());
            let score = match (&puzzle, truth) {
                (Some(puzzle), Some(truth)) => {
                    PredictionScore::of(puzzle, truth, predicted(columns[1].row(row)).as_ref())
                }
                _ => exact,
            };
            PredictionScore::count(score.as_ref(), stored, &mut found.all);
            if let Some(by) = &by {
                let name = match columns.last().map(|it| it.row(row)) {
                    Some(ArrayRow::Text(name)) if matches!(by, By::Column(_)) => name,
                    _ => &[],
                };
                let clues = puzzle.as_ref().map(Grid::clues);
                let clues = clues.or(exact.map(|it| Cell::COUNT - usize::from(it.blank_cells)));
                let measured = number.zip(measured.as_ref());
                let measured = measured.map(|(number, measured)| measured[number]);
                let name = by.bucket(clues, &measured.unwrap_or_default(), name);
                PredictionScore::count(
                    score.as_ref(),
                    stored,
                    found.buckets.entry(name).or_default(),
                );
            }
            push_score(score.as_ref(), table);
        }
        let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
        add(&mut totals.all, &found.all);
        for (name, counts) in found.buckets {
            add(totals.buckets.entry(name).or_default(), &counts);
        }
    });
    // A prediction that is null is a missing one.
    RowQuestion { copies: Some(1), is_long, ..question }
}

fn add(sums: &mut Scores, more: &Scores) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// The score of a prediction that is the answer byte for byte, if that is right: found without parsing the texts.
/// `None` for other rows.
fn exact(columns: &[ArrayColumn], row: usize) -> Option<PredictionScore> {
    let [puzzle, prediction, answer] = [0, 1, 2].map(|place| columns[place].row(row));
    if prediction != answer {
        return None;
    }
    PredictionScore::exact(match (puzzle, answer) {
        (ArrayRow::Text(puzzle), ArrayRow::Text(answer)) => {
            check_lines(puzzle.try_into().ok()?, answer.try_into().ok()?)?
        }
        (ArrayRow::Digits(_), _) => {
            let (puzzle, answer) = (grid(puzzle).ok()?, grid(answer).ok()?);
            check_answer(&puzzle, &answer).ok().map(|()| puzzle.clues())?
        }
        _ => return None,
    })
}

/// The grid of a prediction, in which a cell that is no digit is blank.
fn predicted(row: ArrayRow) -> Option<Grid> {
    let digit = |found: u8| if found > 9 { 0 } else { found };
    match row {
        ArrayRow::Text(text) => parse::prediction(text).ok(),
        ArrayRow::Digits(digits) => Grid::try_from(digits.map(digit)).ok(),
        ArrayRow::Null | ArrayRow::Length(_) => None,
    }
}

/// Appends a row. One without a score is null but for its flags, which are false.
fn push_score(score: Option<&PredictionScore>, table: &mut ResultTable) {
    let Some(score) = score else { return table.push(&[]) };
    table.push(&[
        ResultValue::Float(score.share()),
        ResultValue::Number(score.right_cells.into()),
        ResultValue::Number(score.blank_cells.into()),
        ResultValue::Flag(score.is_complete),
        ResultValue::Flag(score.is_legal),
        ResultValue::Flag(score.keeps_clues),
        ResultValue::Flag(score.is_exact),
    ]);
}
