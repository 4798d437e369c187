//! Boards that lanes can go back to, kept without a stack: one slot for each of the last rounds.
//!
//! ```text
//!             lane 0     lane 1     lane 2   …
//!   slot 0  [ round 8  | round 8  |    –     ]   –: used, or the lane went back in that round
//!   slot 1  [ round 9  | round 9  | round 9  ]   a lane goes back to its latest board
//!   slot 2  [ round 6  |    –     | round 6  ]   ◄─ round 10 overwrites this
//!   slot 3  [    –     | round 7  | round 7  ]
//! ```
//!
//! So a lane goes back `N` guesses at most: a depth-first search that forgets its oldest branches.
#![forbid(unsafe_code)]

use super::block::Block;
use crate::simd::{Cells, Word};

/// The boards without a guess of the last `N` rounds.
pub(super) struct Slots<W: Word, const N: usize> {
    pub(super) kept: [Cells<W>; N],
    /// The lanes whose board in a slot is of their puzzle, and was not gone back to yet.
    pub(super) usable: [u32; N],
    pub(super) round: usize,
}

impl<W: Word, const N: usize> Slots<W, N> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { kept: [[[W::Memory::from(0); 27]; 3]; N], usable: [0; N], round: 0 }
    }

    /// Forgets the boards of lanes that begin something else.
    #[inline(always)]
    pub(super) fn forget(&mut self, lanes: u32) {
        for usable in &mut self.usable {
            *usable &= !lanes;
        }
    }

    /// Begins the next round. Returns its slot.
    #[inline(always)]
    pub(super) const fn next_round(&mut self) -> usize {
        self.round = self.round.wrapping_add(1);
        self.round % N
    }

    /// Restores the last usable boards of these lanes, which are fresh then. Returns the lanes that have none.
    #[inline(always)]
    pub(super) fn go_back(&mut self, proof: W::Proof, block: &mut Block<W>, back: u32) -> u32 {
        let mut without = back;
        for age in 0..N {
            let slot = self.round.wrapping_sub(age) % N;
            let lanes = without & self.usable[slot];
            if lanes == 0 {
                continue;
            }
            self.usable[slot] &= !lanes;
            without &= !lanes;
            let lanes = W::in_lanes(proof, lanes);
            let kept = self.kept[slot].as_flattened();
            for (word, kept) in block.cells.as_flattened_mut().iter_mut().zip(kept) {
                let kept = W::load(proof, kept) & lanes;
                (W::load(proof, word).without(lanes) | kept).store(word);
            }
        }
        block.fresh = back & !without;
        without
    }
}
