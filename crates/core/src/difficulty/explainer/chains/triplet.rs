//! Aligned triplet exclusion (7.5): three cells whose digits are excluded by cells that all see.
//!
//! ```text
//!   base a ──┬── base b ──┬── base c      a, b and c cannot hold 1, 2, 3 if a common peer
//!            │            │               holds only these: a candidate in no other
//!         {1 2 3}      {2 3}              combination goes
//! ```

#![expect(clippy::cast_possible_truncation, reason = "cells are below 81")]

use super::super::board::SolvingBoard;
use super::super::tables::{COUNT, PEER_SETS, bits, cells_of, seen_by_two};
use alloc::vec::Vec;

/// The search. It remembers the last grid without an exclusion: three cells that had none there have
/// none as long as they and their common peers keep their candidates.
#[derive(Debug)]
pub(super) struct Triplets {
    cells: [u16; 81],
}

impl Triplets {
    pub(super) const fn new() -> Self {
        Self { cells: [0; 81] }
    }

    /// Finds the first exclusion: by the second cell, the first one, then the third one. Returns its
    /// cells.
    pub(super) fn first_exclusion(
        &mut self,
        board: &SolvingBoard,
        removals: &mut Vec<(u8, u16)>,
    ) -> Option<u128> {
        let few = board.cells_with(|candidates| matches!(COUNT[usize::from(candidates)], 2 | 3));
        let open = board.cells_with(|candidates| COUNT[usize::from(candidates)] >= 2);
        let is_base = |&cell: &usize| PEER_SETS[cell] & few != 0;
        let bases = cells_of(open).filter(is_base).fold(0u128, |set, cell| set | 1 << cell);
        let changed = open & board.cells_unlike(&self.cells);
        for second in cells_of(bases) {
            let near = few & PEER_SETS[second];
            // Two common cells are the least.
            let twice = seen_by_two(near);
            for first in cells_of(bases & twice & ((1 << second) - 1)) {
                let both = near & PEER_SETS[first];
                let of_first = few & PEER_SETS[first];
                let pair = 1 << first | 1 << second;
                let mut usable = bases & twice & !pair;
                if (both | pair) & changed == 0 {
                    usable &= changed;
                }
                for third in cells_of(of_first & usable).chain(cells_of(near & usable & !of_first))
                {
                    let common = both & PEER_SETS[third];
                    let triple = pair | 1 << third;
                    if common & common.wrapping_sub(1) != 0
                        && (common | triple) & changed != 0
                        && exclude(board, [first, second, third], common, removals)
                    {
                        return Some(triple);
                    }
                }
            }
        }
        self.cells = board.cells;
        None
    }
}

/// Finds the candidates of three cells that are in no possible combination.
fn exclude(
    board: &SolvingBoard,
    cells: [usize; 3],
    common: u128,
    removals: &mut Vec<(u8, u16)>,
) -> bool {
    let [first, second, third] = cells.map(|cell| board.cells[cell]);
    let see = |one: usize, other: usize| PEER_SETS[cells[one]] >> cells[other] & 1 != 0;
    let (see_01, see_02, see_12) = (see(0, 1), see(0, 2), see(1, 2));
    let mut excluders = [0; 20];
    let mut count = 0;
    // One with another candidate always has that left.
    let union = first | second | third;
    for cell in cells_of(common).filter(|&cell| board.cells[cell] & !union == 0) {
        excluders[count] = board.cells[cell];
        count += 1;
    }
    let mut possible = [0; 3];
    for one in bits(first) {
        for two in bits(second) {
            if see_01 && one == two {
                continue;
            }
            // Nothing new could come of it.
            if possible[0] >> one & 1 != 0 && possible[1] >> two & 1 != 0 && possible[2] == third {
                continue;
            }
            let pair = 1u16 << one | 1 << two;
            let mut excluded = 0;
            if see_02 {
                excluded |= 1 << one;
            }
            if see_12 {
                excluded |= 1 << two;
            }
            for &excluder in &excluders[..count] {
                let left = excluder & !pair;
                match COUNT[usize::from(left)] {
                    0 => excluded = 0x1ff,
                    1 => excluded |= left,
                    _ => {}
                }
            }
            let left = third & !excluded;
            if left != 0 {
                possible[0] |= 1 << one;
                possible[1] |= 1 << two;
                possible[2] |= left;
            }
        }
    }
    let all = [first, second, third];
    for ((cell, candidates), possible) in cells.into_iter().zip(all).zip(possible) {
        if candidates & !possible != 0 {
            removals.push((cell as u8, candidates & !possible));
        }
    }
    !removals.is_empty()
}
