//! The same walk as `scan`, with a table of flags for each kind of house.
//!
//! `used[house][digit]` remembers what each row, column and box already holds, so that a digit
//! is tried or passed over by looking at three flags in place of twenty cells.

use super::search::on_branch;
use crate::engine::contract::{Branch, Visit};
use crate::puzzle::{Cell, Digit, DigitSet, Grid, Solution, Sukaku};
use core::ops::ControlFlow;

/// The engine.
pub(crate) fn walk(sukaku: &Sukaku, visit: &mut Visit, branch: &mut Branch) {
    let _ = FlagWalk::new(sukaku).fill(0, visit, branch);
}

/// A grid that is being filled, and what its houses hold. Digits index as 1 to 9.
struct FlagWalk<'a> {
    sukaku: &'a Sukaku,
    grid: Grid,
    in_row: [[bool; 10]; 9],
    in_column: [[bool; 10]; 9],
    in_box: [[bool; 10]; 9],
}

impl<'a> FlagWalk<'a> {
    fn new(sukaku: &'a Sukaku) -> Self {
        let (grid, none) = (sukaku.singles(), [[false; 10]; 9]);
        let mut walk = Self { sukaku, grid, in_row: none, in_column: none, in_box: none };
        for cell in Cell::all() {
            if let Some(clue) = grid.get(cell) {
                walk.mark(cell, clue, true);
            }
        }
        walk
    }

    /// Fills the cells from number `index` on, in every way there is.
    fn fill(&mut self, index: usize, visit: &mut Visit, branch: &mut Branch) -> ControlFlow<()> {
        if index == Cell::COUNT {
            let solved = Solution::try_from(self.grid);
            return visit(&solved.expect("no digit was placed where a flag was set"));
        }
        let cell = Cell::new(index);
        if self.grid.get(cell).is_some() {
            return self.fill(index + 1, visit, branch);
        }
        let candidates = self.sukaku.get(cell).into_iter();
        let free: DigitSet = candidates.filter(|&digit| !self.is_used(cell, digit)).collect();
        on_branch(branch, free.len())?;
        for digit in free {
            self.grid.set(cell, Some(digit));
            self.mark(cell, digit, true);
            self.fill(index + 1, visit, branch)?;
            self.mark(cell, digit, false);
        }
        self.grid.set(cell, None);
        ControlFlow::Continue(())
    }

    fn is_used(&self, cell: Cell, digit: Digit) -> bool {
        let digit = usize::from(digit.value());
        self.in_row[cell.row()][digit]
            || self.in_column[cell.column()][digit]
            || self.in_box[cell.box_index()][digit]
    }

    fn mark(&mut self, cell: Cell, digit: Digit, used: bool) {
        let digit = usize::from(digit.value());
        self.in_row[cell.row()][digit] = used;
        self.in_column[cell.column()][digit] = used;
        self.in_box[cell.box_index()][digit] = used;
    }
}
