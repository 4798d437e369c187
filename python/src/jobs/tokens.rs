//! Puzzles as digits, as texts and as candidates.

use super::columns::{CANDIDATES, TEXT, TOKENS};
use super::puzzles::parse;
use crate::arrow::{ResultColumn, ResultTable, ResultValue, RowQuestion};
use ninefold::puzzle::parse::PENCILMARKS;
use ninefold::puzzle::{Cell, DigitSet, Grid, Puzzle, Sukaku};

/// The 81 digits of each grid, 0 for a blank.
pub(crate) fn tokens() -> RowQuestion {
    question(TOKENS, |puzzle, table| match puzzle {
        Puzzle::Grid(grid) => table.push(&[ResultValue::U8s(grid.values())]),
        Puzzle::Sukaku(_) => table.push_reason("", &"expected 81 cells, found pencilmarks"),
    })
}

/// The text of each puzzle, with this blank.
pub(crate) fn texts(blank: u8) -> RowQuestion {
    question(TEXT, move |puzzle, table| {
        table.push(&[ResultValue::Text(puzzle.line(blank, &mut [0; PENCILMARKS]))]);
    })
}

/// The candidates of each cell, bit 0 for digit 1: without the clues that the cell sees. A clue is its only
/// candidate. Those of a sukaku are as given.
pub(crate) fn candidates() -> RowQuestion {
    question(CANDIDATES, |puzzle, table| {
        let sukaku = match puzzle {
            Puzzle::Grid(grid) => candidates_of(grid),
            Puzzle::Sukaku(sukaku) => *sukaku,
        };
        table.push(&[ResultValue::U16s(&masks(&sukaku)), "candidates".into()]);
    })
}

/// The candidates of each cell as bits.
pub(super) fn masks(sukaku: &Sukaku) -> [u16; Cell::COUNT] {
    sukaku.values().map(DigitSet::bits)
}

fn candidates_of(grid: &Grid) -> Sukaku {
    let mut sukaku = Sukaku::from(grid);
    for cell in Cell::all().filter(|&cell| grid.get(cell).is_none()) {
        let seen: DigitSet = cell.peers().iter().filter_map(|&peer| grid.get(peer)).collect();
        sukaku.set(cell, seen.complement());
    }
    sukaku
}

fn question(
    columns: &'static [ResultColumn],
    push: impl Fn(&Puzzle, &mut ResultTable) + Send + Sync + 'static,
) -> RowQuestion {
    RowQuestion::new(
        columns,
        4096,
        |_| (),
        move |(), columns, rows, table| {
            for row in rows {
                match parse(columns[0].row(row)?) {
                    Ok(puzzle) => push(&puzzle, table),
                    Err(none) => none.push(table),
                }
            }
            Ok(())
        },
    )
}
