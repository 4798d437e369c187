//! Solutions, counts, and whether there is one solution.

use super::columns::{COUNT, SOLUTIONS, SOLVE, UNIQUE};
use super::puzzles::{each_puzzle, of_puzzles};
use crate::arrow::{ResultColumn, ResultTable, ResultValue, RowQuestion};
use ninefold::engine::Answer;
use ninefold::puzzle::Solution;
use ninefold::{Solutions, Verdict};
use std::num::NonZeroUsize;

/// Solves puzzles, with a search that ends after `limit` solutions.
pub(crate) fn solve(limit: usize) -> RowQuestion {
    question(SOLVE, limit, |answer, [status, reason], table| {
        let line = answer.solution().map(Solution::line);
        let solution = line.as_ref().map_or(ResultValue::None, |line| ResultValue::Text(line));
        table.push(&[solution, status, number(answer), reason]);
    })
}

/// Counts solutions up to a limit.
pub(crate) fn count(limit: usize) -> RowQuestion {
    question(COUNT, limit, |answer, [status, reason], table| {
        table.push(&[number(answer), status, reason]);
    })
}

/// Answers whether each puzzle has one solution.
pub(crate) fn is_unique() -> RowQuestion {
    question(UNIQUE, 2, |answer, [status, reason], table| {
        table.push(&[ResultValue::Flag(answer.solution().is_some()), status, reason]);
    })
}

/// Asks an engine. `push` appends the row of an answer with its status and reason, if details are wanted.
fn question(
    columns: &'static [ResultColumn],
    limit: usize,
    push: fn(&Answer, [ResultValue; 2], &mut ResultTable),
) -> RowQuestion {
    // Fewer where each puzzle may take long, so that a batch does not.
    let batch = (4096 / limit).clamp(16, 2048);
    of_puzzles(
        columns,
        batch,
        Some(limit),
        |_| (),
        move |(), puzzles, table| {
            puzzles.each(table, |number, table| {
                let answer = &puzzles.answers[number];
                if table.details() {
                    push(answer, status_and_reason(&puzzles.verdict(number)), table);
                } else {
                    push(answer, [ResultValue::None, ResultValue::None], table);
                }
            });
        },
    )
}

fn number(answer: &Answer) -> ResultValue<'static> {
    ResultValue::Number(i64::try_from(answer.count).unwrap_or(i64::MAX))
}

/// The status, and the reason if there is no solution.
fn status_and_reason<'a>(verdict: &'a Verdict<&Solution>) -> [ResultValue<'a>; 2] {
    let reason =
        if verdict.solution().is_some() { ResultValue::None } else { ResultValue::Shown(verdict) };
    [verdict.status().name().into(), reason]
}

/// Lists the solutions of each puzzle, up to a limit.
pub(crate) fn solutions(limit: NonZeroUsize) -> RowQuestion {
    each_puzzle(SOLUTIONS, 64, move |puzzle, table| {
        let mut rest = Solutions::new(puzzle);
        let solutions: Vec<Solution> = rest.by_ref().take(limit.get()).collect();
        let all = rest.next().is_none();
        let (count, first) = (solutions.len() + usize::from(!all), solutions.first());
        let answer = Answer { count, first: first.copied(), gave_up: false };
        let verdict: Verdict<_> = answer.verdict(puzzle, limit.get().saturating_add(1), None);
        let more = format_args!("more than {limit} solutions");
        let reason = match verdict {
            Verdict::Multiple { .. } if !all => ResultValue::Shown(&more),
            Verdict::Multiple { .. } | Verdict::Unique(_) => ResultValue::None,
            _ => ResultValue::Shown(&verdict),
        };
        let lines: Vec<_> = solutions.iter().map(Solution::line).collect();
        let list = lines.iter().map(|line| ResultValue::Text(line)).collect();
        table.push(&[ResultValue::List(list), verdict.status().name().into(), reason]);
    })
}
