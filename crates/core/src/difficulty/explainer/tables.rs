//! Geometry as tables of bits, computed at compile time from `puzzle`.
//!
//! Houses are numbered: rows 0 to 8, columns 9 to 17, boxes 18 to 26. The *position* of a cell in
//! a house is 0 to 8 in reading order, and a set of positions is a 9-bit mask.

#![expect(clippy::cast_possible_truncation, reason = "houses, cells and positions are below 256")]

pub(super) use crate::bits::bits;
pub(super) use crate::puzzle::tables::{
    BOXES, CELLS, COLUMNS, HOUSES, HOUSES_OF, PEER_SETS, PEERS, POSITIONS,
};
use crate::puzzle::tables::{set_of, table};

/// How many bits a mask of nine has. The baseline CPU has no instruction for it.
pub(super) static COUNT: [u8; 512] = table!([0; 512], |mask| usize::count_ones(mask) as u8);

/// The three houses of each cell, as bits.
pub(super) static HOUSE_BITS: [u32; 81] = table!([0; 81], |index| {
    let [row, column, in_box] = HOUSES_OF[index];
    1 << row | 1 << column | 1 << in_box
});

/// The cells of each house as a set: bit `c` for cell `c`.
pub(super) static SETS_OF_HOUSES: [u128; HOUSES] =
    table!([0; HOUSES], |house| set_of(&CELLS[house]));

/// No single third: see [`THIRD`].
pub(super) const SPREAD: u8 = 3;

/// Which third of a mask has all its bits: 0 for bits 0 to 2, 1 for 3 to 5, 2 for 6 to 8.
/// [`SPREAD`] if there is none, or no bit.
pub(super) static THIRD: [u8; 512] = thirds(7, 3);

/// The same for the columns of a box: bits `k`, `k + 3` and `k + 6`.
pub(super) static THIRD_ACROSS: [u8; 512] = thirds(0o111, 1);

/// For each set of positions: the third of the nine that holds them all. A third is `first`, moved by `step` bits.
const fn thirds(first: usize, step: u8) -> [u8; 512] {
    table!([SPREAD; 512], |mask| {
        let mut third = 0;
        while third < SPREAD && mask & !(first << (step * third)) != 0 {
            third += 1;
        }
        if mask == 0 { SPREAD } else { third }
    })
}

/// The cells at some positions of a house, as a set.
pub(super) fn cells_at(house: usize, positions: u16) -> u128 {
    bits(positions).fold(0, |set, position| set | 1 << CELLS[house][position])
}

/// The cells that at least two cells of a set see.
pub(super) fn seen_by_two(set: u128) -> u128 {
    let (mut once, mut twice) = (0, 0);
    for cell in cells_of(set) {
        twice |= once & PEER_SETS[cell];
        once |= PEER_SETS[cell];
    }
    twice
}

/// The cells of a set, in reading order.
pub(super) fn cells_of(set: u128) -> impl Iterator<Item = usize> {
    let mut rest = set;
    core::iter::from_fn(move || {
        let cell = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (cell < 128).then_some(cell)
    })
}

/// The subsets of a mask with `count` bits, as ascending binary numbers: Explainer's order.
pub(super) fn subsets(mask: u16, count: u8) -> impl Iterator<Item = u16> {
    let mut next = (COUNT[usize::from(mask)] >= count).then_some(0u16);
    let all = core::iter::from_fn(move || {
        let subset = next?;
        next = (subset != mask).then(|| subset.wrapping_sub(mask) & mask);
        Some(subset)
    });
    all.filter(move |&subset| COUNT[usize::from(subset)] == count)
}
