//! The steps that solve each puzzle.

use super::columns::{STEP_ARRAYS, STEPS, STEPS_WITH_BOARDS};
use super::puzzles::RowPuzzles;
use super::tokens::masks;
use crate::arrow::{ResultColumn, ResultTable, ResultValue, RowQuestion};
use ninefold::difficulty::{self, Step, Technique};
use ninefold::puzzle::Grid;
use ninefold::steps::{cell_name, removals};

/// Lists the steps of the puzzles that have one solution; with `boards`, also the grid after each step that
/// places a digit.
pub(crate) fn steps(boards: bool) -> RowQuestion {
    question(if boards { STEPS_WITH_BOARDS } else { STEPS }, move |steps, table| {
        let mut list = Vec::new();
        while let Some(step) = steps.next() {
            list.push(value(&step, boards.then(|| steps.grid())));
        }
        table.push(&[ResultValue::List(list), "unique".into()]);
    })
}

/// Lists the steps of the puzzles that have one solution as numbers, with grid and candidates before each.
pub(crate) fn step_arrays() -> RowQuestion {
    question(STEP_ARRAYS, |steps, table| {
        let (mut techniques, mut cells, mut digits) = (Vec::new(), Vec::new(), Vec::new());
        let (mut counts, mut eliminations) = (Vec::new(), Vec::new());
        let (mut boards, mut candidates) = (Vec::new(), Vec::new());
        loop {
            let before = (*steps.grid(), steps.sukaku());
            let Some(step) = steps.next() else { break };
            boards.extend(before.0.values());
            candidates.extend(masks(&before.1));
            techniques.push(technique_number(step.technique));
            cells.push(step.placement.map_or(NO_CELL, |it| small(it.cell.index())));
            digits.push(step.placement.map_or(0, |it| it.digit.value()));
            counts.push(u16::try_from(step.eliminations.len()).expect("at most 729 candidates"));
            let pairs = step.eliminations.iter();
            eliminations.extend(pairs.flat_map(|it| [small(it.cell.index()), it.digit.value()]));
        }
        table.push(&[
            ResultValue::U8s(&techniques),
            ResultValue::U8s(&cells),
            ResultValue::U8s(&digits),
            ResultValue::U16s(&counts),
            ResultValue::U8s(&eliminations),
            ResultValue::U8s(&boards),
            ResultValue::U16s(&candidates),
        ]);
    })
}

/// The cell of a step that places no digit.
const NO_CELL: u8 = 255;

/// The number of a technique among all.
fn technique_number(technique: Technique) -> u8 {
    small(Technique::ALL.iter().position(|it| *it == technique).expect("one of all"))
}

fn small(number: usize) -> u8 {
    u8::try_from(number).expect("a cell or a technique")
}

/// A question about the steps of the puzzles that have one solution.
fn question(
    columns: &'static [ResultColumn],
    push: impl Fn(&mut difficulty::Steps, &mut ResultTable) + Send + Sync + 'static,
) -> RowQuestion {
    let make = |bounds| (RowPuzzles::default(), difficulty::Steps::default().with_bounds(bounds));
    let question =
        RowQuestion::new(columns, 64, make, move |(puzzles, steps), columns, rows, table| {
            puzzles.read(&columns[0], rows)?;
            puzzles.solve(2);
            puzzles.each_unique(table, |puzzle, _, table| {
                steps.restart(puzzle).expect("the puzzle has one solution");
                push(steps, table);
            });
            Ok(())
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
