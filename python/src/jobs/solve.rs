//! Solutions, counts, and whether there is one solution.

use super::columns::{COUNT, SOLVE, UNIQUE};
use super::puzzles::{MalformedRow, RowPuzzles};
use crate::arrow::{ResultColumn, ResultTable, ResultValue, RowQuestion};
use ninefold::Verdict;
use ninefold::engine::Answer;
use ninefold::puzzle::Solution;

/// Solves puzzles, with a search that ends after `limit` solutions.
pub(crate) fn solve(limit: usize) -> RowQuestion {
    question(SOLVE, limit, |answer, verdict, table| {
        let line = answer.and_then(Answer::solution).map(Solution::line);
        let solution = line.as_ref().map_or(ResultValue::None, |line| ResultValue::Text(line));
        let [status, reason] = details(verdict);
        table.push([solution, status, number(answer), reason]);
    })
}

/// Counts solutions up to a limit.
pub(crate) fn count(limit: usize) -> RowQuestion {
    question(COUNT, limit, |answer, verdict, table| {
        let [status, reason] = details(verdict);
        table.push([number(answer), status, reason]);
    })
}

/// Answers whether each puzzle has one solution.
pub(crate) fn is_unique() -> RowQuestion {
    question(UNIQUE, 2, |answer, verdict, table| {
        let [status, reason] = details(verdict);
        let is_unique = answer.and_then(Answer::solution).is_some();
        table.push([ResultValue::Flag(is_unique), status, reason]);
    })
}

/// The verdict on a row, if details are wanted and the row is not null.
type Details<'a> = Option<&'a Verdict<&'a Solution, MalformedRow>>;

/// Asks an engine, and pushes a row for each answer. There is none to a row without a puzzle.
fn question(
    columns: &'static [ResultColumn],
    limit: usize,
    push: fn(Option<&Answer>, Details, &mut ResultTable),
) -> RowQuestion {
    // Fewer where each puzzle may take long, so that a batch does not.
    let batch = (4096 / limit).clamp(16, 2048);
    RowQuestion::new(columns, batch, RowPuzzles::default, move |puzzles, columns, rows, table| {
        puzzles.read(&columns[0], rows)?;
        puzzles.solve(limit);
        for entry in &puzzles.entries {
            let verdict = if table.details() { puzzles.verdict(entry) } else { None };
            push(puzzles.answer(entry), verdict.as_ref(), table);
        }
        Ok(())
    })
}

fn number<'a>(answer: Option<&Answer>) -> ResultValue<'a> {
    let number = |it: &Answer| ResultValue::Number(i64::try_from(it.count).unwrap_or(i64::MAX));
    answer.map_or(ResultValue::None, number)
}

/// The status, and the reason if there is no solution.
fn details(verdict: Details) -> [ResultValue; 2] {
    let Some(verdict) = verdict else { return [ResultValue::None; 2] };
    let reason =
        if verdict.solution().is_some() { ResultValue::None } else { ResultValue::Shown(verdict) };
    [verdict.status().name().into(), reason]
}
