//! The least form of a full grid.
//!
//! ```text
//!   6 bands ──► the code of each ──► the least one, or a few ──► all ways to its least band
//!   (3 lying, 3 standing)            by `band`                     │
//!                                          columns and digits are fixed: the other six rows
//!                                          are sorted by their first column, then compared
//! ```
//!
//! The first three rows of the least form are the least band that any of the six bands can
//! become. Few ways lead there for most grids; 648 for the grid with as many automorphisms. All ways that lead to the least form are kept: they are the automorphisms.

use super::Isomorphism;
use super::band::{BandTables, ROW_ORDERS, Way};
use super::partial::Image;
use crate::puzzle::{Grid, Solution};
use alloc::vec::Vec;

/// Rows of a grid and of its transposition.
type Sides = [[[u8; 9]; 9]; 2];

/// The last six rows of a form.
type Rest = [Image; 6];

/// Finds least forms of full grids; keeps the tables and the memory for it.
#[derive(Clone, Debug)]
pub(super) struct FullGrids {
    tables: BandTables,
    /// All maps to the least form of the grid that was asked for last.
    maps: Vec<Isomorphism>,
}

impl FullGrids {
    pub(super) fn new() -> Self {
        Self { tables: BandTables::new(), maps: Vec::new() }
    }

    /// All maps of a full grid to its least form, one for each automorphism.
    pub(super) fn maps(&mut self, solution: &Solution) -> &[Isomorphism] {
        let mut sides: Sides = [[[0; 9]; 9]; 2];
        for (row, values) in solution.grid().values().as_chunks::<9>().0.iter().enumerate() {
            sides[0][row] = *values;
            for (column, &value) in values.iter().enumerate() {
                sides[1][column][row] = value;
            }
        }
        let found: [_; 6] = core::array::from_fn(|band| {
            let rows = &sides[band / 3];
            let first = band % 3 * 3;
            self.tables.find([&rows[first], &rows[first + 1], &rows[first + 2]])
        });
        let code = found.iter().map(|found| found.code).min().unwrap_or(0);
        let mut best = [Image::MAX; 6];
        self.maps.clear();
        for (band, found) in found.into_iter().enumerate().filter(|(_, found)| found.code == code) {
            for way in self.tables.ways(found) {
                let (map, rest) = complete(&sides, band, way);
                if rest > best {
                    continue;
                }
                if rest < best {
                    best = rest;
                    self.maps.clear();
                }
                self.maps.push(map);
            }
        }
        &self.maps
    }

    /// The least image of a puzzle among the maps of its solution to the least form.
    pub(super) fn least_image(
        &mut self,
        puzzle: &Grid,
        solution: &Solution,
    ) -> (Grid, Isomorphism, u32) {
        let maps = self.maps(solution);
        let mut best = (maps[0].apply(puzzle), maps[0], 1);
        for map in &maps[1..] {
            let image = map.apply(puzzle);
            match image.values().cmp(best.0.values()) {
                core::cmp::Ordering::Less => best = (image, *map, 1),
                core::cmp::Ordering::Equal => best.2 += 1,
                core::cmp::Ordering::Greater => {}
            }
        }
        best
    }
}

/// The map that puts a band first in a given way, and the last six rows of the form.
#[expect(clippy::cast_possible_truncation, reason = "under 9")]
fn complete(sides: &Sides, band: usize, way: Way) -> (Isomorphism, Rest) {
    let (side, band) = (band / 3, band % 3);
    let lines = &sides[side];
    let order = ROW_ORDERS[usize::from(way.rows)];
    let top = order.map(|row| row + 3 * band as u8);
    let mut values = [0u8; 16];
    for (label, &column) in (1..10).zip(&way.columns) {
        values[usize::from(lines[usize::from(top[0])][usize::from(column)] & 15)] = label;
    }
    let first = usize::from(way.columns[0]);
    let label = |row: u8| values[usize::from(lines[usize::from(row)][first] & 15)];
    // The rows of the other bands, each behind its label in the first column.
    let below = |band: usize| {
        let mut rows = [0, 1, 2].map(|row| (label((band * 3) as u8 + row), (band * 3) as u8 + row));
        rows.sort_unstable();
        rows
    };
    let (mut upper, mut lower) = (below((band + 1) % 3), below((band + 2) % 3));
    if lower < upper {
        (upper, lower) = (lower, upper);
    }
    let mut rows = [0; 9];
    rows[..3].copy_from_slice(&top);
    for (row, (_, source)) in rows[3..].iter_mut().zip(upper.into_iter().chain(lower)) {
        *row = source;
    }
    let mut rest = [0; 6];
    for (image, &row) in rest.iter_mut().zip(&rows[3..]) {
        let mut line = [0; 16];
        line[..9].copy_from_slice(&lines[usize::from(row)]);
        for &column in &way.columns {
            let value = line[usize::from(column & 15)];
            *image = *image << 4 | Image::from(values[usize::from(value & 15)]);
        }
    }
    let digits = core::array::from_fn(|digit| values[digit]);
    (Isomorphism::of_parts(digits, rows, way.columns, side == 1), rest)
}
