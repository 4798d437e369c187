//! Puzzles as digits, as texts and as candidates.

use super::columns::{CANDIDATES, TEXT, TOKENS};
use super::puzzles::each_puzzle;
use crate::arrow::{ResultValue, RowQuestion};
use ninefold::puzzle::parse::PENCILMARKS;
use ninefold::puzzle::{Cell, DigitSet, Grid, Puzzle, Sukaku};

/// Rows that are answered together: each takes less than a microsecond.
const BATCH: usize = 4096;

/// The 81 digits of each grid, 0 for a blank.
pub(crate) fn tokens() -> RowQuestion {
    each_puzzle(TOKENS, BATCH, |puzzle, table| match puzzle {
        Puzzle::Grid(grid) => table.push(&[ResultValue::Numbers(grid.values())]),
        Puzzle::Sukaku(_) => table.push_reason("", &"expected 81 cells, found pencilmarks"),
    })
}

/// The text of each puzzle, with this blank.
pub(crate) fn texts(blank: u8) -> RowQuestion {
    each_puzzle(TEXT, BATCH, move |puzzle, table| {
        table.push(&[ResultValue::Text(puzzle.line(blank, &mut [0; PENCILMARKS]))]);
    })
}

/// The candidates of each cell, bit 0 for digit 1: without the clues that the cell sees. A clue is its only
/// candidate. Those of a sukaku are as given.
pub(crate) fn candidates() -> RowQuestion {
    each_puzzle(CANDIDATES, BATCH, |puzzle, table| {
        let sukaku = match puzzle {
            Puzzle::Grid(grid) => candidates_of(grid),
            Puzzle::Sukaku(sukaku) => *sukaku,
        };
        // Bits in 2 bytes.
        let masks = sukaku.values().iter().flat_map(|set| set.bits().to_le_bytes());
        let masks: Vec<u8> = masks.collect();
        table.push(&[ResultValue::Numbers(&masks), "candidates".into()]);
    })
}

fn candidates_of(grid: &Grid) -> Sukaku {
    let houses = |cell: Cell| [cell.row(), 9 + cell.column(), 18 + cell.box_index()];
    let (mut sukaku, mut used) = (Sukaku::from(grid), [DigitSet::EMPTY; 27]);
    for cell in Cell::all() {
        if let Some(digit) = grid.get(cell) {
            for house in houses(cell) {
                used[house].insert(digit);
            }
        }
    }
    for cell in Cell::all().filter(|&cell| grid.get(cell).is_none()) {
        let [row, column, square] = houses(cell).map(|house| used[house]);
        sukaku.set(cell, row.union(column).union(square).complement());
    }
    sukaku
}
