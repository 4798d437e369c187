//! The plainest solver: first blank in reading order, digits 1 to 9, undo.
//!
//! Each test of a digit reads the row, the column and the box of its cell again. Cells with a single
//! candidate are filled before the first blank.

use super::search::on_branch;
use crate::engine::contract::{Branch, Visit};
use crate::puzzle::{Cell, Digit, DigitSet, Grid, Solution, Sukaku};
use core::ops::ControlFlow;

/// The engine.
pub(crate) fn walk(sukaku: &Sukaku, visit: &mut Visit, branch: &mut Branch) {
    let _ = fill(&mut sukaku.singles(), sukaku, visit, branch);
}

/// Tries every candidate in the first blank, and so on below it.
fn fill(
    grid: &mut Grid,
    sukaku: &Sukaku,
    visit: &mut Visit,
    branch: &mut Branch,
) -> ControlFlow<()> {
    let Some(blank) = Cell::all().find(|&cell| grid.get(cell).is_none()) else {
        return visit(&Solution::try_from(*grid).expect("each digit was looked for in its houses"));
    };
    let candidates = sukaku.get(blank).into_iter();
    let free: DigitSet = candidates.filter(|&digit| may_stand(grid, blank, digit)).collect();
    on_branch(branch, free.len())?;
    for digit in free {
        grid.set(blank, Some(digit));
        fill(grid, sukaku, visit, branch)?;
        grid.set(blank, None);
    }
    ControlFlow::Continue(())
}

/// Whether no cell of the same row, column or box holds the digit.
fn may_stand(grid: &Grid, cell: Cell, digit: Digit) -> bool {
    let (top, left) = (cell.row() / 3 * 3, cell.column() / 3 * 3);
    (0..9).all(|i| {
        let in_row = Cell::new(cell.row() * 9 + i);
        let in_column = Cell::new(i * 9 + cell.column());
        let in_box = Cell::new((top + i / 3) * 9 + left + i % 3);
        [in_row, in_column, in_box].into_iter().all(|other| grid.get(other) != Some(digit))
    })
}
