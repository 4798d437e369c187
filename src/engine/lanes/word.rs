//! A *word*: one 16-bit integer for each lane, all worked on by one instruction.
//!
//! ```text
//!            lane 0      lane 1      lane 2           lane 15
//!          ┌───────────┬───────────┬───────────┬─ ─ ┬───────────┐
//!   cell 0 │ 000010010 │ 111111111 │ 000000100 │    │ 010000000 │   one word: the candidates
//!          └───────────┴───────────┴───────────┴─ ─ ┴───────────┘   of cell 0 in 16 puzzles
//!            {2, 5}      all nine    {3}                {8}
//! ```
//!
//! The kernel is written once against this trait. What differs between CPUs, the width and the
//! instructions, is in the types that implement it: [`Portable`] here, in safe and plain Rust
//! for any CPU, and one file for each further level.
//!
//! Why those files call `core::arch`: the same kernel over plain arrays, compiled for AVX2, took
//! 14.7 ns a lane and pass where the intrinsics take 12.0, and 8.6 where they take 6.1 for
//! AVX-512; worse, a change that moved no operation took the arrays from 14.7 to 31.7, because
//! the compiler's vectoriser must find the vectors anew each time (Xeon, rustc 1.95).

use super::board::{Block, Board, CELLS, CellSet};
use crate::puzzle::Solution;
use std::ops::{BitAnd, BitOr};

/// One 16-bit integer for each lane.
pub(super) trait Word: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// How it lies in memory: lane `i` is element `i`.
    type Memory: Copy + AsRef<[u16]> + AsMut<[u16]>;

    /// What must be held to make one: the proof that this CPU has the instructions.
    type Proof: Copy;

    /// How many lanes there are, 32 at most.
    const LANES: usize;

    /// The same value in every lane, in memory.
    fn memory(value: u16) -> Self::Memory;

    /// The same value in every lane.
    fn splat(proof: Self::Proof, value: u16) -> Self;

    /// Reads every lane.
    fn load(proof: Self::Proof, memory: &Self::Memory) -> Self;

    /// Writes every lane.
    fn store(self, memory: &mut Self::Memory);

    /// The sum, modulo 2^16.
    fn plus(self, other: Self) -> Self;

    /// The bits that `other` has not.
    fn without(self, other: Self) -> Self;

    /// Itself in the lanes where it has one bit at most, else 0. `less_one` is itself minus 1:
    /// `x & (x - 1)` takes the lowest bit away, so it is 0 where there was no other.
    fn if_single(self, less_one: Self) -> Self;

    /// Itself in the lanes where it is not 0, else `other`. It must be a part of `other`.
    fn or_all_of(self, other: Self) -> Self;

    /// Bit `i` is set where lane `i` has its top bit set.
    fn top_bits(self) -> u32;

    /// Bit `i` is set where lane `i` is the same in both.
    fn equal(self, other: Self) -> u32;

    /// Copies the board in a lane.
    #[inline(always)]
    fn copy_lane(proof: Self::Proof, block: &Block<Self>, lane: usize, board: &mut Board) {
        let _ = proof;
        block.copy_board(lane, board);
    }

    /// The solution in a lane whose cells are all single and whose houses are complete.
    #[inline(always)]
    fn solution(proof: Self::Proof, block: &Block<Self>, lane: usize) -> Solution {
        let _ = proof;
        block.solution(lane)
    }

    /// The cells of one board that have at least one of these digits.
    fn cells_with(proof: Self::Proof, board: &Board, digits: u16) -> CellSet;

    /// Takes the digits from these cells of one board.
    fn take(proof: Self::Proof, board: &mut Board, cells: CellSet, digits: u16);

    /// The cells of one board that have exactly two digits.
    fn cells_of_two(proof: Self::Proof, board: &Board) -> CellSet;
}

/// Eight lanes in an array, for any CPU: 128 bits, which SSE2 and NEON do at once.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Portable([u16; 8]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u16, u16) -> u16) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    /// Bit `i` is set where lane `i` passes.
    #[inline(always)]
    fn bits(self, passes: impl Fn(u16) -> bool) -> u32 {
        (0..8).fold(0, |bits, i| bits | if passes(self.0[i]) { 1 << i } else { 0 })
    }
}

impl BitAnd for Portable {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Portable {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

/// All ones where `true`: what a vector comparison gives.
#[inline(always)]
const fn mask(condition: bool) -> u16 {
    if condition { u16::MAX } else { 0 }
}

impl AsRef<[u16]> for Portable {
    #[inline(always)]
    fn as_ref(&self) -> &[u16] {
        &self.0
    }
}

impl AsMut<[u16]> for Portable {
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [u16] {
        &mut self.0
    }
}

impl Word for Portable {
    type Memory = Self;
    type Proof = ();
    const LANES: usize = 8;

    #[inline(always)]
    fn memory(value: u16) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    fn splat((): (), value: u16) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    fn load((): (), memory: &Self) -> Self {
        *memory
    }

    #[inline(always)]
    fn store(self, memory: &mut Self) {
        *memory = self;
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, u16::wrapping_add)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn if_single(self, less_one: Self) -> Self {
        self.zip(less_one, |x, less_one| x & mask(x & less_one == 0))
    }

    #[inline(always)]
    fn or_all_of(self, other: Self) -> Self {
        self.zip(other, |x, other| other & (x | mask(x == 0)))
    }

    #[inline(always)]
    fn top_bits(self) -> u32 {
        self.bits(|x| x & 0x8000 != 0)
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        self.zip(other, |a, b| mask(a == b)).top_bits()
    }

    #[inline(always)]
    fn cells_with((): (), board: &Board, digits: u16) -> CellSet {
        cells_where(board, |candidates| candidates & digits != 0)
    }

    #[inline(always)]
    fn take((): (), board: &mut Board, cells: CellSet, digits: u16) {
        for cell in 0..CELLS {
            board.cells[cell] &= !(digits & mask(cells >> cell & 1 != 0));
        }
    }

    #[inline(always)]
    fn cells_of_two((): (), board: &Board) -> CellSet {
        cells_where(board, |candidates| candidates.count_ones() == 2)
    }
}

/// The cells whose candidates pass.
#[inline(always)]
fn cells_where(board: &Board, passes: impl Fn(u16) -> bool) -> CellSet {
    (0..CELLS).fold(0, |set, cell| set | CellSet::from(passes(board.cells[cell])) << cell)
}
