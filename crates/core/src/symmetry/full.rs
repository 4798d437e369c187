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
use super::band::{BandTables, LinePlaces, ROW_ORDERS};
use super::partial::Image;
use crate::puzzle::{Cell, Grid, Solution};
use crate::simd::{ByteKernel, Bytes, SimdLevel};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The last six rows of a form.
type LastRows = [Image; 6];

/// Rows of a grid and of its transposition.
type Sides = [[[u8; 9]; 9]; 2];

/// Finds least forms of full grids; keeps the tables and the memory for it.
#[derive(Clone, Debug)]
pub(super) struct FullGrids {
    tables: BandTables,
    /// All maps to the least form of the grid that was asked for last.
    maps: Vec<Isomorphism>,
    level: SimdLevel,
}

impl FullGrids {
    pub(super) fn new() -> Self {
        Self { tables: BandTables::new(), maps: Vec::new(), level: SimdLevel::for_bytes() }
    }

    /// All maps of a full grid to its least form, one for each automorphism.
    pub(super) fn maps(&mut self, solution: &Solution) -> &[Isomorphism] {
        self.level.run_on_bytes(FindMaps(self, solution));
        &self.maps
    }

    /// The least image of a puzzle among the maps of its solution to the least form.
    pub(super) fn least_image(
        &mut self,
        puzzle: &Grid,
        solution: &Solution,
    ) -> (Grid, Isomorphism, u32) {
        self.level.run_on_bytes(LeastImage(self, puzzle, solution))
    }
}

/// [`FullGrids::maps`].
struct FindMaps<'a>(&'a mut FullGrids, &'a Solution);

impl ByteKernel for FindMaps<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Bytes>(self, proof: B::Proof) {
        let Self(full, solution) = self;
        if !B::IS_REGISTER {
            return full.find_maps_in_arrays(solution);
        }
        let FullGrids { tables, maps, .. } = full;
        let lines = lines::<B>(proof, solution.grid());
        let sides = [lines, B::transposed(lines)];
        let mut all = [None; 6];
        let mut code = u16::MAX;
        for (band, found) in all.iter_mut().enumerate() {
            let (rows, first) = (&sides[band / 3], band % 3 * 3);
            let it = tables.find(proof, [rows[first], rows[first + 1], rows[first + 2]]);
            code = code.min(it.code);
            *found = Some(it);
        }
        let mut best = [Image::MAX; 6];
        maps.clear();
        for (band, found) in all.into_iter().enumerate() {
            let Some(found) = found.filter(|found| found.code == code) else { continue };
            let (arrangement, ways) = tables.ways(found);
            let arrangement = B::load(proof, arrangement);
            for way in ways {
                let columns = arrangement.pick(B::load(proof, &way.columns));
                let (map, rest) = complete(&sides[band / 3], band, way.rows, columns);
                match rest.cmp(&best) {
                    Ordering::Greater => continue,
                    Ordering::Less => {
                        best = rest;
                        maps.clear();
                    }
                    Ordering::Equal => {}
                }
                maps.push(map);
            }
        }
    }
}

/// [`FullGrids::least_image`].
struct LeastImage<'a>(&'a mut FullGrids, &'a Grid, &'a Solution);

impl ByteKernel for LeastImage<'_> {
    type Output = (Grid, Isomorphism, u32);

    #[inline(always)]
    fn run<B: Bytes>(self, proof: B::Proof) -> Self::Output {
        let Self(full, puzzle, solution) = self;
        FindMaps(full, solution).run::<B>(proof);
        // As in `least_of`, whose closure would not be compiled for the level.
        let mut best = (image::<B>(proof, puzzle, &full.maps[0]), full.maps[0], 1);
        for map in &full.maps[1..] {
            let image = image::<B>(proof, puzzle, map);
            match image.cmp(&best.0) {
                Ordering::Less => best = (image, *map, 1),
                Ordering::Equal => best.2 += 1,
                Ordering::Greater => {}
            }
        }
        best
    }
}

impl FullGrids {
    /// [`FindMaps`] by look-ups in arrays: without registers it takes two thirds of the time.
    #[inline(never)]
    fn find_maps_in_arrays(&mut self, solution: &Solution) {
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
            self.tables.find_in_arrays([&rows[first], &rows[first + 1], &rows[first + 2]])
        });
        let code = found.iter().map(|found| found.code).min().unwrap_or(0);
        let mut best = [Image::MAX; 6];
        self.maps.clear();
        for (band, found) in found.into_iter().enumerate().filter(|(_, found)| found.code == code) {
            let (arrangement, ways) = self.tables.ways(found);
            for way in ways {
                let columns = core::array::from_fn(|column| {
                    arrangement[usize::from(way.columns[column] & 15)]
                });
                let (map, rest) = complete_in_arrays(&sides, band, way.rows, columns);
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
    }
}

/// The map that puts a band of these rows first in a given way, and the last six rows of the form.
#[inline(always)]
fn complete<B: Bytes>(
    lines: &[B; 9],
    band: usize,
    order: u8,
    columns: B,
) -> (Isomorphism, LastRows) {
    let (is_transposed, band) = (band >= 3, band % 3);
    let mut rows = [0; 9];
    for (row, in_band) in rows.iter_mut().zip(ROW_ORDERS[usize::from(order)]) {
        *row = FIRST_ROWS[band] + in_band;
    }
    let digits = lines[usize::from(rows[0]) % 9].pick(columns);
    let labels = digits.spread([0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90]);
    let one = sorted_rows(lines, FIRST_ROWS[(band + 1) % 3], labels, columns);
    let two = sorted_rows(lines, FIRST_ROWS[(band + 2) % 3], labels, columns);
    let images = if one[0] < two[0] { [one, two] } else { [two, one] };
    let mut rest = [0; 6];
    for ((row, rest), image) in rows[3..].iter_mut().zip(&mut rest).zip(images.as_flattened()) {
        (*row, *rest) = (image.to_le_bytes()[0], image >> 8);
    }
    let (labels, columns) = (labels.to_array(), columns.to_array());
    (Isomorphism::of_tables(labels, rows, columns, is_transposed), rest)
}

/// The first row of each band.
const FIRST_ROWS: [u8; 3] = [0, 3, 6];

/// The images of the rows of a band in order, each before the number of its row. All begin with different digits.
#[inline(always)]
fn sorted_rows<B: Bytes>(lines: &[B; 9], first: u8, labels: B, columns: B) -> [Image; 3] {
    let mut images = [0; 3];
    for (image, row) in images.iter_mut().zip(first..) {
        let digits = lines[usize::from(row) % 9].pick(columns);
        *image = labels.pick(digits).upper_halves() << 8 | Image::from(row);
    }
    for (one, two) in [(0, 1), (1, 2), (0, 1)] {
        (images[one], images[two]) = (images[one].min(images[two]), images[one].max(images[two]));
    }
    images
}

/// The rows of a grid. Places 9 to 15 mean nothing.
#[inline(always)]
fn lines<B: Bytes>(proof: B::Proof, grid: &Grid) -> [B; 9] {
    let mut lines = [B::splat(proof, 0); 9];
    for (line, start) in lines.iter_mut().zip([0, 9, 18, 27, 36, 45, 54, 63, LAST_16]) {
        *line = B::load(proof, grid.values()[start..].first_chunk().expect("16 cells"));
    }
    lines[8] = lines[8].pick(B::load(proof, &LAST_9_OF_16));
    lines
}

/// The last cell of which 16 begin: the last row is the end of these.
const LAST_16: usize = Cell::COUNT - 16;
const LAST_9_OF_16: [u8; 16] = [7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0];

/// The image of a puzzle.
#[inline(always)]
fn image<B: Bytes>(proof: B::Proof, puzzle: &Grid, map: &Isomorphism) -> Grid {
    if !B::IS_REGISTER {
        return map.apply(puzzle);
    }
    let mut lines = lines::<B>(proof, puzzle);
    if map.is_transposed() {
        lines = B::transposed(lines);
    }
    let (labels, rows, columns) = map.tables();
    let (labels, columns) = (B::load(proof, &labels), B::load(proof, &columns));
    let mut values = [0; 96];
    for (first, &row) in (0..Cell::COUNT).step_by(9).zip(rows) {
        // The seven bytes too many are written over by the next row.
        let row = labels.pick(lines[usize::from(row) % 9].pick(columns)).to_array();
        values[first..first + 16].copy_from_slice(&row);
    }
    Grid::from_checked_values(*values.first_chunk().expect("96 are more than 81"))
}

/// As `complete`, by look-ups in arrays.
#[expect(clippy::cast_possible_truncation, reason = "under 9")]
fn complete_in_arrays(
    sides: &Sides,
    band: usize,
    order: u8,
    columns: LinePlaces,
) -> (Isomorphism, LastRows) {
    let (side, band) = (band / 3, band % 3);
    let lines = &sides[side];
    let order = ROW_ORDERS[usize::from(order)];
    let top = order.map(|row| row + 3 * band as u8);
    let mut values = [0u8; 16];
    for (label, &column) in (1..10).zip(&columns) {
        values[usize::from(lines[usize::from(top[0])][usize::from(column)] & 15)] = label;
    }
    let first = usize::from(columns[0]);
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
        for &column in &columns {
            let value = line[usize::from(column & 15)];
            *image = *image << 4 | Image::from(values[usize::from(value & 15)]);
        }
    }
    let digits = core::array::from_fn(|digit| values[digit]);
    (Isomorphism::of_parts(digits, rows, columns, side == 1), rest)
}
