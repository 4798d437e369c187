//! The steps that solve each puzzle.

use super::columns::{STEP_ARRAYS, STEPS, STEPS_WITH_BOARDS};
use super::puzzles::of_puzzles;
use crate::arrow::{ResultColumn, ResultTable, ResultValue, RowQuestion};
use ninefold::difficulty::{self, Step};
use ninefold::puzzle::Grid;
use ninefold::steps::{StepNumbers, cell_name, removals};

/// Lists the steps of the puzzles that have one solution; with `boards`, also the grid after each step that
/// places a digit.
pub(crate) fn steps(boards: bool) -> RowQuestion {
    question(if boards { STEPS_WITH_BOARDS } else { STEPS }, move |steps, table| {
        push_steps(table, steps, boards);
    })
}

/// Appends a list of steps.
pub(crate) fn push_steps(table: &mut ResultTable, steps: &mut difficulty::Steps, boards: bool) {
    let mut list = Vec::new();
    while let Some(step) = steps.next() {
        list.push(value(&step, boards.then(|| steps.grid())));
    }
    table.push(&[ResultValue::List(list), "unique".into()]);
}

/// Lists the steps of the puzzles that have one solution as numbers, with grid and candidates before each.
pub(crate) fn step_arrays() -> RowQuestion {
    question(STEP_ARRAYS, |steps, table| {
        let numbers = StepNumbers::of(steps);
        let counts = numbers.eliminations.iter().map(Vec::len);
        let counts = counts.map(|it| u16::try_from(it).expect("at most 729 candidates"));
        let counts: Vec<_> = counts.flat_map(u16::to_le_bytes).collect();
        let candidates = numbers.candidates.iter().copied();
        table.push(&[
            ResultValue::Numbers(&numbers.techniques),
            ResultValue::Numbers(&numbers.cells),
            ResultValue::Numbers(&numbers.digits),
            ResultValue::Numbers(&counts),
            ResultValue::Numbers(numbers.eliminations.concat().as_flattened()),
            ResultValue::Numbers(&numbers.boards),
            ResultValue::Numbers(&candidates.flat_map(u16::to_le_bytes).collect::<Vec<_>>()),
        ]);
    })
}

/// A question about the steps of the puzzles that have one solution.
fn question(
    columns: &'static [ResultColumn],
    push: impl Fn(&mut difficulty::Steps, &mut ResultTable) + Send + Sync + 'static,
) -> RowQuestion {
    let make = |bounds| difficulty::Steps::default().with_bounds(bounds);
    let question = of_puzzles(columns, 64, Some(2), make, move |steps, puzzles, table| {
        puzzles.each_unique(table, |number, _, table| {
            steps.restart_unique(puzzles.puzzle(number));
            push(steps, table);
        });
    });
    RowQuestion { is_long: true, ..question }
}

/// The fields of a step, after which the board is this.
fn value(step: &Step, board: Option<&Grid>) -> ResultValue<'static> {
    let text = |it: &dyn ToString| ResultValue::Written(it.to_string());
    let score = step.score.tenths();
    let digits = step.digits.into_iter();
    let chain = |nodes: &Vec<_>| ResultValue::List(nodes.iter().map(|node| text(node)).collect());
    ResultValue::Struct(vec![
        step.technique.name().into(),
        score.map_or(ResultValue::None, |it| ResultValue::Float(f64::from(it) / 10.0)),
        ResultValue::List(step.cells.cells().map(|cell| text(&cell_name(cell))).collect()),
        ResultValue::List(digits.map(|it| ResultValue::Number(it.value().into())).collect()),
        ResultValue::List(removals(step).map(|node| text(&node)).collect()),
        step.placement.as_ref().map_or(ResultValue::None, |it| text(it)),
        ResultValue::List(step.chains.iter().map(chain).collect()),
        step.placement.and(board).map_or(ResultValue::None, |it| text(it)),
    ])
}
