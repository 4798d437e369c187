//! The same walk as `scan`, with one integer of bits for each house.
//!
//! The digits that a blank may take are what its row, its column and its box all lack: two
//! `|` and one complement find all of them at once, so the search never
//! tries an excluded digit.

use super::search::on_branch;
use crate::engine::contract::{Branch, Visit};
use crate::puzzle::{Cell, Digit, DigitSet, Grid, Solution, Sukaku};
use core::ops::ControlFlow;

/// The engine.
pub(crate) fn walk(sukaku: &Sukaku, visit: &mut Visit, branch: &mut Branch) {
    let _ = MaskWalk::new(sukaku).fill(0, visit, branch);
}

/// A grid that is being filled, and the digits that each house holds.
struct MaskWalk<'a> {
    sukaku: &'a Sukaku,
    grid: Grid,
    rows: [DigitSet; 9],
    columns: [DigitSet; 9],
    boxes: [DigitSet; 9],
}

impl<'a> MaskWalk<'a> {
    fn new(sukaku: &'a Sukaku) -> Self {
        let (grid, none) = (sukaku.singles(), [DigitSet::EMPTY; 9]);
        let mut walk = Self { sukaku, grid, rows: none, columns: none, boxes: none };
        for cell in Cell::all() {
            if let Some(clue) = grid.get(cell) {
                walk.place(cell, clue);
            }
        }
        walk
    }

    /// Fills the cells from number `index` on, in every way there is.
    fn fill(&mut self, index: usize, visit: &mut Visit, branch: &mut Branch) -> ControlFlow<()> {
        if index == Cell::COUNT {
            let solved = Solution::try_from(self.grid);
            return visit(&solved.expect("no house was given a digit that it held"));
        }
        let cell = Cell::new(index);
        if self.grid.get(cell).is_some() {
            return self.fill(index + 1, visit, branch);
        }
        let free = self.free(cell);
        on_branch(branch, free.len())?;
        for digit in free {
            self.place(cell, digit);
            self.fill(index + 1, visit, branch)?;
            self.remove(cell, digit);
        }
        ControlFlow::Continue(())
    }

    /// The candidates of the cell that none of its houses holds.
    fn free(&self, cell: Cell) -> DigitSet {
        let lines = self.rows[cell.row()].union(self.columns[cell.column()]);
        let used = lines.union(self.boxes[cell.box_index()]);
        self.sukaku.get(cell).intersection(used.complement())
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
