//! Houses, positions and peers as tables of bits, computed at compile time.
//!
//! Houses are numbered: rows 0 to 8, columns 9 to 17, boxes 18 to 26. The *position* of a cell in
//! a house is 0 to 8 in reading order, and a set of positions is a 9-bit mask.

#![expect(clippy::cast_possible_truncation, reason = "houses, cells and positions are below 256")]

use super::cell::{Cell, House};

/// An array that the compiler fills: `table!([0; 81], |index| …)` has `…` at each index.
macro_rules! table {
    ([$empty:expr; $length:expr], |$index:ident| $element:expr) => {{
        let (mut table, mut $index) = ([$empty; $length], 0);
        while $index < $length {
            table[$index] = $element;
            $index += 1;
        }
        table
    }};
}
pub(crate) use table;

/// The number of houses.
pub(crate) const HOUSES: usize = 27;
/// The first column.
pub(crate) const COLUMNS: usize = 9;
/// The first box.
pub(crate) const BOXES: usize = 18;

/// The row, column and box of each cell.
pub(crate) static HOUSES_OF: [[u8; 3]; 81] = table!([[0; 3]; 81], |index| {
    let cell = Cell::new(index);
    [cell.row() as u8, (COLUMNS + cell.column()) as u8, (BOXES + cell.box_index()) as u8]
});

/// The position of each cell in its row, column and box.
pub(crate) static POSITIONS: [[u8; 3]; 81] = table!([[0; 3]; 81], |index| {
    let cell = Cell::new(index);
    let in_box = 3 * (cell.row() % 3) + cell.column() % 3;
    [cell.column() as u8, cell.row() as u8, in_box as u8]
});

/// The indices of these cells.
const fn indices<const N: usize>(cells: [Cell; N]) -> [u8; N] {
    table!([0; N], |place| cells[place].index() as u8)
}

/// The cells of each house.
pub(crate) static CELLS: [[u8; 9]; HOUSES] = table!([[0; 9]; HOUSES], |house| {
    indices(match house / 9 {
        0 => House::Row(house).cells(),
        1 => House::Column(house - COLUMNS).cells(),
        _ => House::Box(house - BOXES).cells(),
    })
});

/// The 20 cells that each cell sees, in reading order.
pub(crate) static PEERS: [[u8; 20]; 81] =
    table!([[0; 20]; 81], |index| indices(Cell::new(index).peers()));

/// The same as sets: bit `c` for cell `c`.
pub(crate) static PEER_SETS: [u128; 81] = table!([0; 81], |index| set_of(&PEERS[index]));

/// The cells with these indices as a set.
pub(crate) const fn set_of(cells: &[u8]) -> u128 {
    let (mut set, mut place) = (0, 0);
    while place < cells.len() {
        set |= 1 << cells[place];
        place += 1;
    }
    set
}
