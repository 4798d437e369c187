//! Every solution of each puzzle, up to a limit.

use super::columns::SOLUTIONS;
use super::puzzles::{MalformedRow, parse};
use crate::arrow::{Items, ResultValue, RowQuestion};
use ninefold::engine::Answer;
use ninefold::puzzle::Solution;
use ninefold::{Solutions, Verdict};
use std::num::NonZeroUsize;

/// Lists the solutions of each puzzle, up to a limit.
pub(crate) fn solutions(limit: NonZeroUsize) -> RowQuestion {
    RowQuestion::new(SOLUTIONS, 64, Vec::new, move |lines, columns, rows, table| {
        for row in rows {
            let puzzle = match parse(columns[0].row(row)?) {
                Ok(None) => {
                    table.push([]);
                    continue;
                }
                Ok(Some(puzzle)) => puzzle,
                Err(why) => {
                    table.push([ResultValue::None, "malformed".into(), ResultValue::Shown(&why)]);
                    continue;
                }
            };
            let mut rest = Solutions::new(puzzle);
            let solutions: Vec<Solution> = rest.by_ref().take(limit.get()).collect();
            let all = rest.next().is_none();
            let (count, first) = (solutions.len() + usize::from(!all), solutions.first());
            let answer = Answer { count, first: first.copied(), gave_up: false };
            let verdict: Verdict<&Solution, MalformedRow> =
                answer.verdict(puzzle, limit.get().saturating_add(1), None);
            let more = format_args!("more than {limit} solutions");
            let reason = match verdict {
                Verdict::Multiple { .. } if !all => ResultValue::Shown(&more),
                Verdict::Multiple { .. } | Verdict::Unique(_) => ResultValue::None,
                _ => ResultValue::Shown(&verdict),
            };
            lines.clear();
            lines.extend(solutions.iter().map(Solution::line));
            let list = |items: &mut Items| {
                for line in lines.iter() {
                    items.push(ResultValue::Text(line));
                }
            };
            table.push([ResultValue::List(&list), verdict.status().name().into(), reason]);
        }
        Ok(())
    })
}
