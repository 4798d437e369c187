//! The nine lines of a grid, its rows or its columns, each in [`Bytes`].

use crate::engine::lanes::Bytes;
use crate::puzzle::{Cell, Grid};

/// Nine values, padded with zeros.
pub(super) type Line = [u8; 16];

/// The rows of a grid; of its transposition if `turned`.
#[inline(always)]
pub(super) fn of(grid: &Grid, turned: bool) -> [Line; 9] {
    let mut lines = [[0; 16]; 9];
    let (rows, _) = grid.values().as_chunks::<9>();
    if turned {
        for (column, row) in rows.iter().enumerate() {
            for (line, &value) in lines.iter_mut().zip(row) {
                line[column] = value;
            }
        }
    } else {
        for (line, row) in lines.iter_mut().zip(rows) {
            line[..9].copy_from_slice(row);
        }
    }
    lines
}

/// The grid of these lines in another order, with the columns in another order and other values.
#[inline(always)]
pub(super) fn image<B: Bytes>(
    proof: B::Proof,
    lines: &[Line; 9],
    rows: &[u8; 9],
    columns: B,
    values: &[u8; 16],
) -> Grid {
    let values = B::load(proof, values);
    // The seven bytes after each row are overwritten by the next one.
    let mut cells = [0; Cell::COUNT + 7];
    for (place, &row) in rows.iter().enumerate() {
        let line = B::load(proof, &lines[usize::from(row) % 9]);
        let image = values.pick(line.pick(columns)).to_array();
        cells[9 * place..9 * place + 16].copy_from_slice(&image);
    }
    Grid::from_checked_values(*cells.first_chunk().expect("81 of 88"))
}
