//! The same walk as `scan`, with one integer of bits for each house.
//!
//! The digits that a blank may take are what its row, its column and its box all lack: two
//! `|` and one complement find all of them at once, so digits that may not stand are never
//! looked at.

use crate::engine::{Engine, Visit};
use crate::puzzle::{Cell, Digit, DigitSet, Grid, Solution, rules};
use std::ops::ControlFlow;

/// The engine: it needs no memory but the stack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Masks;

impl Engine for Masks {
    fn each_solution(&mut self, puzzle: &Grid, visit: &mut Visit) {
        if rules::is_legal(puzzle) {
            let _ = Walk::new(puzzle).fill(0, visit);
        }
    }
}

/// A grid that is being filled, and the digits that each house holds.
struct Walk {
    grid: Grid,
    rows: [DigitSet; 9],
    columns: [DigitSet; 9],
    boxes: [DigitSet; 9],
}

impl Walk {
    fn new(puzzle: &Grid) -> Self {
        let none = [DigitSet::EMPTY; 9];
        let mut walk = Self { grid: *puzzle, rows: none, columns: none, boxes: none };
        for cell in Cell::all() {
            if let Some(clue) = puzzle.get(cell) {
                walk.place(cell, clue);
            }
        }
        walk
    }

    /// Fills the cells from number `index` on, in every way there is.
    fn fill(&mut self, index: usize, visit: &mut Visit) -> ControlFlow<()> {
        if index == Cell::COUNT {
            let solved = Solution::try_from(self.grid);
            return visit(&solved.expect("no house was given a digit that it held"));
        }
        let cell = Cell::new(index);
        if self.grid.get(cell).is_some() {
            return self.fill(index + 1, visit);
        }
        for digit in self.free(cell) {
            self.place(cell, digit);
            self.fill(index + 1, visit)?;
            self.remove(cell, digit);
        }
        ControlFlow::Continue(())
    }

    /// The digits that no house of the cell holds.
    fn free(&self, cell: Cell) -> DigitSet {
        let lines = self.rows[cell.row()].union(self.columns[cell.column()]);
        lines.union(self.boxes[cell.box_index()]).complement()
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        self.grid.set(cell, Some(digit));
        self.rows[cell.row()].insert(digit);
        self.columns[cell.column()].insert(digit);
        self.boxes[cell.box_index()].insert(digit);
    }

    fn remove(&mut self, cell: Cell, digit: Digit) {
        self.grid.set(cell, None);
        self.rows[cell.row()].remove(digit);
        self.columns[cell.column()].remove(digit);
        self.boxes[cell.box_index()].remove(digit);
    }
}
