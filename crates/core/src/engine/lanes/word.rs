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
//! instructions, is in the types that implement it: [`Portable`] here, in plain Rust for any
//! CPU, and one file for each further level.
//!
//! Why those files call `core::arch`: the same kernel over plain arrays, compiled for AVX2, took
//! 14.7 ns a lane and pass where the intrinsics take 12.0, and 8.6 where they take 6.1 for
//! AVX-512; worse, a change that moved no operation took the arrays from 14.7 to 31.7, because
//! the compiler's vectoriser must find the vectors anew each time (Xeon, rustc 1.95).
#![forbid(unsafe_code)]

use super::board::{Board, CELLS, CellBits};
use crate::puzzle::Solution;
use core::ops::{BitAnd, BitOr};

/// The 81 cells of the boards in all lanes: by band, then in reading order within it.
pub(super) type Cells<W> = [[<W as Word>::Memory; 27]; 3];

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

    /// The sum, which must fit each lane.
    fn plus(self, other: Self) -> Self;

    /// 0 in the lanes where either is 0, else any sets that are not empty.
    fn zero_if_either(self, other: Self) -> Self;

    /// Itself without the bits of `other`.
    fn without(self, other: Self) -> Self;

    /// Itself in the lanes where it has one bit at most, else 0. `x & (x - 1)` takes the lowest
    /// bit away, so it is 0 where there was no other.
    fn if_single(self) -> Self;

    /// Itself without the lowest bit of each lane: not 0 where a lane has two bits or more.
    fn but_lowest(self) -> Self;

    /// Itself in the lanes where it is not 0, else `other`. It must be a part of `other`.
    fn or_all_of(self, other: Self) -> Self;

    /// Bit `i` is set where lane `i` is the same in both.
    fn equal(self, other: Self) -> u32;

    /// Copies the board in a lane.
    #[inline(always)]
    fn copy_lane(proof: Self::Proof, cells: &Cells<Self>, lane: usize, board: &mut Board) {
        let _ = proof;
        for (word, candidates) in cells.as_flattened().iter().zip(&mut board.cells) {
            *candidates = word.as_ref()[lane % Self::LANES];
        }
    }

    /// The board in a solved lane.
    #[inline(always)]
    fn solution(proof: Self::Proof, cells: &Cells<Self>, lane: usize) -> Solution {
        let mut board = Board::EMPTY;
        Self::copy_lane(proof, cells, lane, &mut board);
        board.solution()
    }

    /// The cells of one board that have at least one of these digits.
    fn cells_with(proof: Self::Proof, board: &Board, digits: u16) -> CellBits;

    /// Takes the digits from these cells of one board.
    fn take(proof: Self::Proof, board: &mut Board, cells: CellBits, digits: u16);

    /// The cells of one board that have exactly two digits.
    fn cells_of_two(proof: Self::Proof, board: &Board) -> CellBits;
}

/// Four lanes in a plain integer, for any CPU: lane `i` is bits `16 i` to `16 i + 15`.
///
/// Sets of digits leave the upper seven bits of a lane free, so sums and borrows of one lane do
/// not reach the next. Arrays of eight lanes, left to the compiler to vectorise with SSE2, took
/// 690 ns for an easy puzzle and 132 µs for a hard one where this takes 410 and 57.
#[derive(Clone, Copy)]
pub(super) struct Portable(u64);

/// The top bit of every lane.
const TOPS: u64 = 0x8000_8000_8000_8000;
/// The lowest bit of every lane.
const ONES: u64 = 0x0001_0001_0001_0001;

impl Portable {
    /// Itself minus 1, for sets of digits.
    #[inline(always)]
    fn less_one(self) -> Self {
        Self(((self.0 | TOPS) - ONES) ^ TOPS)
    }

    /// All ones in the lanes that are 0, for values under 2^15.
    #[inline(always)]
    const fn is_zero(self) -> u64 {
        // The borrow of 0 - 1 takes the bit that was lent.
        let lent_back = (self.0 | TOPS) - ONES;
        let zeros = !lent_back & TOPS;
        // From the top bit to the whole lane: 0x8000 - 1 and the top bit itself.
        (zeros - (zeros >> 15)) | zeros
    }
}

impl BitAnd for Portable {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Portable {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Word for Portable {
    type Memory = [u16; 4];
    type Proof = ();
    const LANES: usize = 4;

    #[inline(always)]
    fn memory(value: u16) -> [u16; 4] {
        [value; 4]
    }

    #[inline(always)]
    fn splat((): (), value: u16) -> Self {
        Self(u64::from(value) * ONES)
    }

    #[inline(always)]
    fn load((): (), memory: &[u16; 4]) -> Self {
        let [a, b, c, d] = memory.map(u64::from);
        Self(a | b << 16 | c << 32 | d << 48)
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "one lane of four")]
    fn store(self, memory: &mut [u16; 4]) {
        *memory = [0, 16, 32, 48].map(|shift| (self.0 >> shift) as u16);
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline(always)]
    fn zero_if_either(self, other: Self) -> Self {
        Self(self.0 & !other.is_zero())
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline(always)]
    fn if_single(self) -> Self {
        Self(self.0 & (self & self.less_one()).is_zero())
    }

    #[inline(always)]
    fn but_lowest(self) -> Self {
        self & self.less_one()
    }

    #[inline(always)]
    fn or_all_of(self, other: Self) -> Self {
        Self(other.0 & (self.0 | self.is_zero()))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        let differ = self.0 ^ other.0;
        let same = |lane: usize| (differ >> (16 * lane)).trailing_zeros() >= 16;
        (0..4).fold(0, |bits, lane| bits | u32::from(same(lane)) << lane)
    }

    #[inline(always)]
    fn cells_with((): (), board: &Board, digits: u16) -> CellBits {
        let digits = Self::splat((), digits);
        cells_where(board, |word| !(word & digits).is_zero())
    }

    #[inline(always)]
    fn take((): (), board: &mut Board, cells: CellBits, digits: u16) {
        for (index, cell) in board.cells.iter_mut().enumerate().take(CELLS) {
            let asked = cells >> index & 1 != 0;
            *cell &= !if asked { digits } else { 0 };
        }
    }

    #[inline(always)]
    fn cells_of_two((): (), board: &Board) -> CellBits {
        cells_where(board, |word| {
            let but_lowest = word & word.less_one();
            let but_two_lowest = but_lowest & but_lowest.less_one();
            but_two_lowest.is_zero() & !but_lowest.is_zero()
        })
    }
}

/// The cells for which the test gives all ones, four at a time.
#[inline(always)]
fn cells_where(board: &Board, test: impl Fn(Portable) -> u64) -> CellBits {
    // Brings the lowest bits of the four lanes side by side, to bits 48 to 51: lane `i` is
    // shifted by `48 - 15 i`. The other products end below or fall off the top.
    const SIDE_BY_SIDE: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;
    let (words, _) = board.cells.as_chunks::<4>();
    let bits = |words: &[[u16; 4]]| {
        let words = words.iter().enumerate();
        words.fold(0, |bits, (place, word)| {
            let passed = test(Portable::load((), word)) & ONES;
            bits | (passed.wrapping_mul(SIDE_BY_SIDE) >> 48 & 0xf) << (4 * place)
        })
    };
    let (low, high) = words.split_at(16);
    CellBits::from(bits(low)) | CellBits::from(bits(high)) << 64
}
