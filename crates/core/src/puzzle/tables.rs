//! Houses, positions and peers as tables of bits, computed at compile time.
//!
//! Houses are numbered: rows 0 to 8, columns 9 to 17, boxes 18 to 26. The *position* of a cell in
//! a house is 0 to 8 in reading order, and a set of positions is a 9-bit mask.

#![expect(clippy::cast_possible_truncation, reason = "houses, cells and positions are below 256")]

use super::cell::{Cell, House};

/// The number of houses.
pub(crate) const HOUSES: usize = 27;
/// The first column.
pub(crate) const COLUMNS: usize = 9;
/// The first box.
pub(crate) const BOXES: usize = 18;

/// The row, column and box of each cell.
pub(crate) static HOUSES_OF: [[u8; 3]; 81] = {
    let mut houses = [[0; 3]; 81];
    let mut index = 0;
    while index < 81 {
        let cell = Cell::new(index);
        houses[index] =
            [cell.row() as u8, (COLUMNS + cell.column()) as u8, (BOXES + cell.box_index()) as u8];
        index += 1;
    }
    houses
};

/// The position of each cell in its row, column and box.
pub(crate) static POSITIONS: [[u8; 3]; 81] = {
    let mut positions = [[0; 3]; 81];
    let mut index = 0;
    while index < 81 {
        let cell = Cell::new(index);
        let in_box = 3 * (cell.row() % 3) + cell.column() % 3;
        positions[index] = [cell.column() as u8, cell.row() as u8, in_box as u8];
        index += 1;
    }
    positions
};

/// The indices of these cells.
const fn indices<const N: usize>(cells: [Cell; N]) -> [u8; N] {
    let (mut indices, mut place) = ([0; N], 0);
    while place < N {
        indices[place] = cells[place].index() as u8;
        place += 1;
    }
    indices
}

/// The cells of each house.
pub(crate) static CELLS: [[u8; 9]; HOUSES] = {
    let mut cells = [[0; 9]; HOUSES];
    let mut house = 0;
    while house < HOUSES {
        cells[house] = indices(match house / 9 {
            0 => House::Row(house).cells(),
            1 => House::Column(house - COLUMNS).cells(),
            _ => House::Box(house - BOXES).cells(),
        });
        house += 1;
    }
    cells
};

/// The peers of each cell, a bit for each.
pub(crate) static PEER_SETS: [u128; 81] = {
    let mut sets = [0; 81];
    let mut index = 0;
    while index < 81 {
        let peers = Cell::new(index).peers();
        let mut place = 0;
        while place < peers.len() {
            sets[index] |= 1 << peers[place].index();
            place += 1;
        }
        index += 1;
    }
    sets
};

/// The 20 cells that each cell sees, in reading order.
pub(crate) static PEERS: [[u8; 20]; 81] = {
    let mut peers = [[0; 20]; 81];
    let mut index = 0;
    while index < 81 {
        peers[index] = indices(Cell::new(index).peers());
        index += 1;
    }
    peers
};
