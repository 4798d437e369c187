//! The steps that solve each puzzle.

use super::columns::{STEPS, STEPS_WITH_BOARDS};
use super::puzzles::RowPuzzles;
use crate::arrow::{Items, ResultValue, RowQuestion};
use ninefold::difficulty::{self, Step};
use ninefold::engine::Bounds;
use ninefold::puzzle::Grid;
use ninefold::steps::{cell_name, removals};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Lists the steps of the puzzles that have one solution; with `boards`, also the grid after each step that
/// places a digit.
pub(crate) fn steps(boards: bool) -> RowQuestion {
    let stop = Arc::new(AtomicBool::new(false));
    let bounds = Bounds::default().with_stop(Arc::clone(&stop));
    let columns = if boards { STEPS_WITH_BOARDS } else { STEPS };
    let steps = move || difficulty::Steps::default().with_bounds(bounds.clone());
    let make = move || (RowPuzzles::default(), steps(), Vec::new());
    let question =
        RowQuestion::new(columns, 64, make, |(puzzles, steps, taken), columns, rows, table| {
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
                    table.push([ResultValue::None, status, ResultValue::Shown(&verdict)]);
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
                table.push([ResultValue::List(&list), status]);
            }
            Ok(())
        });
    RowQuestion { stop: Some(stop), ..question }
}

/// Appends a step.
fn push(step: &Step, board: Option<&Grid>, steps: &mut Items) {
    let score = step
        .score
        .tenths()
        .map_or(ResultValue::None, |it| ResultValue::Float(f64::from(it) / 10.0));
    let cells = |items: &mut Items| {
        step.cells.cells().for_each(|cell| items.push(ResultValue::Shown(&cell_name(cell))));
    };
    let digits = |items: &mut Items| {
        step.digits
            .into_iter()
            .for_each(|digit| items.push(ResultValue::Number(digit.value().into())));
    };
    let eliminations = |items: &mut Items| {
        removals(step).for_each(|node| items.push(ResultValue::Shown(&node)));
    };
    let chains = |items: &mut Items| {
        for chain in &step.chains {
            let nodes = |items: &mut Items| {
                for node in chain {
                    items.push(ResultValue::Shown(node));
                }
            };
            items.push(ResultValue::List(&nodes));
        }
    };
    steps.push(ResultValue::Struct(&[
        step.technique.name().into(),
        score,
        ResultValue::List(&cells),
        ResultValue::List(&digits),
        ResultValue::List(&eliminations),
        step.placement.as_ref().map_or(ResultValue::None, |it| ResultValue::Shown(it)),
        ResultValue::List(&chains),
        board.map_or(ResultValue::None, |it| ResultValue::Shown(it)),
    ]));
}
