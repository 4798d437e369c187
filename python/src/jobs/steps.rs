//! The steps that solve each puzzle.

use super::columns::{STEPS, STEPS_WITH_BOARDS};
use super::puzzles::Puzzles;
use crate::arrow::{Items, Question, Value};
use ninefold::difficulty::{self, Step};
use ninefold::engine::Bounds;
use ninefold::puzzle::Grid;
use ninefold::steps::{cell_name, removals};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Lists the steps of the puzzles that have one solution; with `boards`, also the grid after each step that
/// places a digit.
#[must_use]
pub(crate) fn steps(boards: bool) -> Question {
    let stop = Arc::new(AtomicBool::new(false));
    let bounds = Bounds::default().with_stop(Arc::clone(&stop));
    let columns = if boards { STEPS_WITH_BOARDS } else { STEPS };
    let steps = move || difficulty::Steps::default().with_bounds(bounds.clone());
    let make = move || (Puzzles::default(), steps(), Vec::new());
    let question =
        Question::new(columns, 64, make, |(puzzles, steps, taken), columns, rows, table| {
            puzzles.read(&columns[0], rows)?;
            puzzles.solve(2);
            for entry in &puzzles.entries {
                let Some(verdict) = puzzles.verdict(entry) else {
                    table.push([]);
                    continue;
                };
                let status = verdict.status().name().into();
                let puzzle = verdict.solution().and_then(|_| puzzles.puzzle(entry));
                if puzzle.is_none_or(|puzzle| steps.restart(puzzle).is_err()) {
                    table.push([Value::None, status, Value::Shown(&verdict)]);
                    continue;
                }
                taken.clear();
                while let Some(step) = steps.next() {
                    let board = step.placement.map(|_| *steps.grid());
                    taken.push((step, board));
                }
                let list = |items: &mut Items| {
                    for (step, board) in taken.iter() {
                        push(step, board.as_ref(), items);
                    }
                };
                table.push([Value::List(&list), status]);
            }
            Ok(())
        });
    Question { stop: Some(stop), ..question }
}

/// Appends a step.
fn push(step: &Step, board: Option<&Grid>, steps: &mut Items) {
    let score = step.score.tenths().map_or(Value::None, |it| Value::Float(f64::from(it) / 10.0));
    let cells = |items: &mut Items| {
        step.cells.cells().for_each(|cell| items.push(Value::Shown(&cell_name(cell))));
    };
    let digits = |items: &mut Items| {
        step.digits.into_iter().for_each(|digit| items.push(Value::Number(digit.value().into())));
    };
    let eliminations = |items: &mut Items| {
        removals(step).for_each(|node| items.push(Value::Shown(&node)));
    };
    let chains = |items: &mut Items| {
        for chain in &step.chains {
            let nodes = |items: &mut Items| {
                for node in chain {
                    items.push(Value::Shown(node));
                }
            };
            items.push(Value::List(&nodes));
        }
    };
    steps.push(Value::Struct(&[
        step.technique.name().into(),
        score,
        Value::List(&cells),
        Value::List(&digits),
        Value::List(&eliminations),
        step.placement.as_ref().map_or(Value::None, |it| Value::Shown(it)),
        Value::List(&chains),
        board.map_or(Value::None, |it| Value::Shown(it)),
    ]));
}
