//! The steps of a puzzle as numbers: lists in Parquet files, arrays in Python.

use crate::difficulty::{Steps, Technique};
use crate::puzzle::Cell;

/// The cell of a step that places no digit.
const NO_CELL: u8 = 255;

/// Steps as numbers: an item for each step, and 81 for each in the last two.
#[derive(Default)]
#[doc(hidden)]
pub struct StepNumbers {
    /// The places of the techniques in [`Technique::ALL`].
    pub techniques: Vec<u8>,
    /// The cells in which a digit is placed; 255 if none is.
    pub cells: Vec<u8>,
    /// The digits that are placed; 0 if none is.
    pub digits: Vec<u8>,
    /// Cells and digits of the candidates that are removed.
    pub eliminations: Vec<Vec<[u8; 2]>>,
    /// The digits before the step; 0 for a blank.
    pub boards: Vec<u8>,
    /// The candidates before the step, bit 0 for the digit 1.
    pub candidates: Vec<u16>,
}

impl StepNumbers {
    /// The steps that are left.
    ///
    /// # Panics
    /// Never: all techniques and cells have a number below 256.
    pub fn of(steps: &mut Steps) -> Self {
        let mut numbers = Self::default();
        loop {
            let before = (*steps.grid(), steps.sukaku());
            let Some(step) = steps.next() else { return numbers };
            let technique = Technique::ALL.iter().position(|it| *it == step.technique);
            numbers.techniques.push(small(technique.expect("one of all")));
            numbers.cells.push(step.placement.map_or(NO_CELL, |it| small(it.cell.index())));
            numbers.digits.push(step.placement.map_or(0, |it| it.digit.value()));
            let removed = step.eliminations.iter();
            let removed = removed.map(|it| [small(it.cell.index()), it.digit.value()]);
            numbers.eliminations.push(removed.collect());
            numbers.boards.extend(before.0.values());
            numbers.candidates.extend(before.1.values().iter().map(|set| set.bits()));
        }
    }

    /// The lists as arrays of JSON, in the order of the fields.
    pub(super) fn json(&self) -> [Vec<u8>; 6] {
        let boards: Vec<_> = self.boards.chunks(Cell::COUNT).collect();
        let candidates: Vec<_> = self.candidates.chunks(Cell::COUNT).collect();
        [
            serde_json::to_vec(&self.techniques),
            serde_json::to_vec(&self.cells),
            serde_json::to_vec(&self.digits),
            serde_json::to_vec(&self.eliminations),
            serde_json::to_vec(&boards),
            serde_json::to_vec(&candidates),
        ]
        .map(|list| list.expect("memory takes all that is written to it"))
    }
}

fn small(number: usize) -> u8 {
    u8::try_from(number).expect("a cell or a technique")
}
