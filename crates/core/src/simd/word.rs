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

use super::board::{ALL_DIGITS, Board, CELLS, CellBits};
use crate::bits::bit_operators;
use crate::puzzle::Solution;
use crate::puzzle::tables::PEER_SETS;
use core::ops::{BitAnd, BitOr};

/// The 81 cells of the boards in all lanes: by band, then in reading order within it.
pub(crate) type Cells<W> = [[<W as Word>::Memory; 27]; 3];

/// The widest word's number of lanes.
pub(crate) const MAX_LANES: usize = 32;

/// The lanes whose bits are set.
#[inline(always)]
pub(crate) fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lane < MAX_LANES).then_some(lane)
    })
}

/// How many cells with two candidates [`Word::heaviest`] weighs: half of them the first in reading order, half
/// the last, so that they come from all over the board.
///
/// Nodes a puzzle on 150 hard puzzles: 297 with the first such cell, 157 with 4, 145 with 6, 142
/// with 8, 140 with all of them (11 on average).
pub(crate) const WEIGHED: usize = 6;

/// The values of 81 cells, a byte each.
pub(crate) type BoardValues = [u8; CELLS];

/// 16 cells that follow each other, in all lanes: a fifth of a board, but for its last cell.
pub(crate) type Tile<W> = [<W as Word>::Memory; 16];

/// The values of 16 cells of one board.
pub(crate) type TileValues = [u8; 16];

/// The low byte of the clue of values 0 to 9, for levels that look up 16 bytes at once.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) const LOW_OF_CLUE: TileValues = byte_of(CLUES, 0);
/// The high byte.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) const HIGH_OF_CLUE: TileValues = byte_of(CLUES, 1);

/// The clues of values 0 to 9.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) const CLUES: [u16; 16] = {
    let (mut sets, mut value) = ([0; 16], 0);
    while value < 10 {
        sets[value as usize] = Board::clue(value);
        value += 1;
    }
    sets
};

/// The candidates of values 0 to 9.
#[cfg(target_arch = "x86_64")]
pub(crate) const CANDIDATES: [u16; 16] = {
    let mut sets = CLUES;
    sets[0] = ALL_DIGITS;
    sets
};

/// One of the two bytes of each set.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) const fn byte_of(sets: [u16; 16], byte: usize) -> TileValues {
    let (mut bytes, mut value) = ([0; 16], 0);
    while value < 16 {
        bytes[value] = sets[value].to_le_bytes()[byte];
        value += 1;
    }
    bytes
}

/// The digit of a single cell by the lower four bits of its set, which is one bit or, for 9, all
/// of eight.
#[cfg(target_arch = "x86_64")]
pub(crate) const DIGIT_OF_LOW: TileValues = [0, 1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 9];
/// The same by the upper four bits. One of the two is 0, or both are 9.
#[cfg(target_arch = "x86_64")]
pub(crate) const DIGIT_OF_HIGH: TileValues = [0, 5, 6, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 9];

/// Eight numbers below 2^16 in two integers.
#[inline(always)]
pub(crate) fn side_by_side(numbers: [u64; 8]) -> [u64; 2] {
    let four = |first: usize| {
        numbers[first]
            | numbers[first + 1] << 16
            | numbers[first + 2] << 32
            | numbers[first + 3] << 48
    };
    [four(0), four(4)]
}

/// Transposes eight rows of eight, by instructions that interleave the first halves and the last
/// halves of two rows.
///
/// ```text
///   a0 a1 a2 …  ┐ interleaved: a0 e0 a1 e1 a2 e2 a3 e3
///   e0 e1 e2 …  ┘              a4 e4 a5 e5 a6 e6 a7 e7
/// ```
///
/// Number the 64 places by six bits, `row row row column column column`. One round moves each row's
/// topmost bit to the end of the column's bits, and the column's topmost to the end of the row's: it
/// rotates all six by one. Three rounds exchange rows and columns.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub(crate) fn transpose_by<R: Copy>(
    mut rows: [R; 8],
    first_halves: impl Fn(R, R) -> R,
    last_halves: impl Fn(R, R) -> R,
) -> [R; 8] {
    for _ in 0..3 {
        let before = rows;
        for k in 0..4 {
            rows[2 * k] = first_halves(before[k], before[k + 4]);
            rows[2 * k + 1] = last_halves(before[k], before[k + 4]);
        }
    }
    rows
}

/// A part of a kernel that is a function of its own, compiled for the level of its words.
///
/// A pass takes 190 ns and works on memory alone, so a call is cheap; inlined wherever it is used, it was
/// most of the time to build the crate. `run` and all that it calls must be `#[inline(always)]`.
pub(crate) trait Routine<W: Word> {
    /// Its result.
    type Output;

    /// Does it.
    fn run(self, proof: W::Proof) -> Self::Output;
}

/// Work on words of any width.
///
/// `run` and all that it calls must be `#[inline(always)]`.
pub(crate) trait Kernel {
    /// Its result.
    type Output;

    /// Does it with words of this type.
    fn run<W: Word>(self, proof: W::Proof) -> Self::Output;
}

/// Defines a type of some lanes in memory, aligned as the loads and stores of its word want it.
macro_rules! memory {
    ($name:ident, $lanes:literal lanes, $alignment:literal bytes) => {
        /// The lanes of a word in memory.
        #[derive(Clone, Copy)]
        #[repr(align($alignment))]
        pub(crate) struct $name([u16; $lanes]);

        impl From<u16> for $name {
            #[inline(always)]
            fn from(value: u16) -> Self {
                Self([value; $lanes])
            }
        }

        impl AsRef<[u16]> for $name {
            #[inline(always)]
            fn as_ref(&self) -> &[u16] {
                &self.0
            }
        }

        impl AsMut<[u16]> for $name {
            #[inline(always)]
            fn as_mut(&mut self) -> &mut [u16] {
                &mut self.0
            }
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use memory;

/// One 16-bit integer for each lane.
pub(crate) trait Word:
    Copy + 'static + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// How it lies in memory: lane `i` is element `i`. From a value: the same in every lane.
    type Memory: Copy + Send + From<u16> + AsRef<[u16]> + AsMut<[u16]>;

    /// What must be held to make one: the proof that this CPU has the instructions.
    type Proof: Copy + Send;

    /// How many lanes there are, 32 at most.
    const LANES: usize;

    /// Whether the front stage is faster than a search with these words.
    const HAS_FRONT: bool = false;

    /// Whether the three boxes of a band have code of their own in a pass.
    const UNROLLS_BANDS: bool = true;

    /// Calls a routine: one function for each type of routines.
    #[inline(never)]
    fn call<R: Routine<Self>>(proof: Self::Proof, routine: R) -> R::Output {
        routine.run(proof)
    }

    /// Every lane, a bit each.
    const ALL_LANES: u32 = u32::MAX >> (MAX_LANES - Self::LANES);

    /// The same value in every lane.
    fn splat(proof: Self::Proof, value: u16) -> Self;

    /// All nine digits in these lanes, else 0.
    fn in_lanes(proof: Self::Proof, lanes: u32) -> Self;

    /// Reads every lane.
    fn load(proof: Self::Proof, memory: &Self::Memory) -> Self;

    /// Writes every lane.
    fn store(self, memory: &mut Self::Memory);

    /// Every lane, in memory.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    fn stored(self) -> Self::Memory {
        let mut memory = Self::Memory::from(0);
        self.store(&mut memory);
        memory
    }

    /// The sum, which must fit each lane.
    fn plus(self, other: Self) -> Self;

    /// 0 in the lanes where either is 0, else any sets that are not empty.
    fn zero_if_either(self, other: Self) -> Self;

    /// Itself without the bits of `other`.
    fn without(self, other: Self) -> Self;

    /// Itself minus 1, for sets of digits.
    fn less_one(self) -> Self;

    /// Itself in the lanes where `other` is 0, else 0.
    fn where_zero(self, other: Self) -> Self;

    /// Itself without the lowest bit of each lane: not 0 where a lane has two bits or more.
    #[inline(always)]
    fn but_lowest(self) -> Self {
        self & self.less_one()
    }

    /// Itself without the `N - 1` lowest bits of each lane.
    #[inline(always)]
    fn bits_from<const N: u32>(self) -> Self {
        let mut left = self;
        for _ in 1..N {
            left = left.but_lowest();
        }
        left
    }

    /// Itself in the lanes where it has one bit at most, else 0.
    #[inline(always)]
    fn if_single(self) -> Self {
        self.where_zero(self.but_lowest())
    }

    /// `new` in the lanes where that is not 0, else itself.
    #[inline(always)]
    fn replaced_by(self, new: Self) -> Self {
        new | self.where_zero(new)
    }

    /// Itself. The compiler keeps work on one side of this point from the other side, at levels where
    /// it would move so much that its results go to the stack and back.
    #[inline(always)]
    fn pinned(self) -> Self {
        self
    }

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

    /// How many boards `put_many` puts at once.
    const PUTS: usize = 1;

    /// From how many on it is faster than one by one.
    const MANY_PUTS: u32 = u32::MAX;

    /// Puts a board into each of these lanes, `PUTS` at most.
    #[inline(always)]
    fn put_many<'a>(
        proof: Self::Proof,
        cells: &mut Cells<Self>,
        lanes: u32,
        board: impl Fn(usize) -> &'a Board,
    ) {
        let _ = proof;
        for lane in lanes_of(lanes) {
            for (word, &set) in cells.as_flattened_mut().iter_mut().zip(&board(lane).cells) {
                word.as_mut()[lane % Self::LANES] = set;
            }
        }
    }

    /// The board in a solved lane.
    #[inline(always)]
    fn solution(proof: Self::Proof, cells: &Cells<Self>, lane: usize) -> Solution {
        Solution::from_proven_values(Self::solved_values(proof, cells, lane))
    }

    /// The digits of the board in a solved lane.
    #[inline(always)]
    fn solved_values(proof: Self::Proof, cells: &Cells<Self>, lane: usize) -> BoardValues {
        let mut board = Board::EMPTY;
        Self::copy_lane(proof, cells, lane, &mut board);
        Self::values(proof, &board)
    }

    /// The digits of a board whose cells are all single.
    #[inline(always)]
    fn values(proof: Self::Proof, board: &Board) -> BoardValues {
        let _ = proof;
        board.values()
    }

    /// The candidates of 16 cells of a grid.
    #[inline(always)]
    fn candidates(proof: Self::Proof, values: &TileValues) -> [u16; 16] {
        let _ = proof;
        let mut candidates = [0; 16];
        for (candidates, &value) in candidates.iter_mut().zip(values) {
            *candidates = Board::candidates(value);
        }
        candidates
    }

    /// Fills every lane with the clues of 16 cells of a grid of its own. A blank is an empty set.
    #[inline(always)]
    fn fill<'a>(
        proof: Self::Proof,
        clues: &mut Tile<Self>,
        values: impl Fn(usize) -> &'a TileValues,
    ) {
        let _ = proof;
        for lane in 0..Self::LANES {
            for (word, &value) in clues.iter_mut().zip(values(lane)) {
                word.as_mut()[lane] = Board::clue(value);
            }
        }
    }

    /// Gives the digits of 16 cells in each lane. Those of cells that are not single mean nothing.
    #[inline(always)]
    fn flush(proof: Self::Proof, cells: &Tile<Self>, mut to: impl FnMut(usize, TileValues)) {
        let _ = proof;
        for lane in 0..Self::LANES {
            let mut digits = [0; 16];
            for (digit, word) in digits.iter_mut().zip(cells) {
                *digit = Board::digit(word.as_ref()[lane]);
            }
            to(lane, digits);
        }
    }

    /// The cell of the greatest weight, and of two the last. The weight of a cell is the effect of its
    /// digits on the cells it sees: a peer that has one of them counts 1, and 3 more if it is one of `pairs`.
    fn heaviest(proof: Self::Proof, board: &Board, pairs: CellBits, cells: [u32; WEIGHED])
    -> usize;

    /// Takes the digits from the cells of one board that this cell sees.
    fn take_from_peers(proof: Self::Proof, board: &mut Board, cell: usize, digits: u16);

    /// The cells of one board that have exactly `N` digits, two or more.
    fn cells_of<const N: u32>(proof: Self::Proof, board: &Board) -> CellBits;
}

/// [`Word::heaviest`] by the cells that have one of some digits, and the greatest of eight numbers below 2^15.
///
/// The greatest must be found without a branch: which cell weighs most cannot be predicted. Of `max` the
/// compiler makes a branch (6 to 7 % on hard lists).
#[inline(always)]
pub(crate) fn heaviest(
    board: &Board,
    pairs: CellBits,
    cells: [u32; WEIGHED],
    cells_with: impl Fn(u16) -> CellBits,
    greatest: impl Fn([u64; 8]) -> u16,
) -> usize {
    let mut scores = [0; 8];
    for (score, cell) in scores.iter_mut().zip(cells) {
        let touched = cells_with(board.cells[cell as usize]) & PEER_SETS[cell as usize];
        let weight = touched.count_ones() + 3 * (touched & pairs).count_ones();
        // One number, of which the greatest is the greatest weight, and then the last cell.
        *score = u64::from(weight) << 8 | u64::from(cell);
    }
    usize::from(greatest(scores) & 0xff)
}

/// Four lanes in a plain integer, for any CPU: lane `i` is bits `16 i` to `16 i + 15`.
///
/// Sets of digits leave the upper seven bits of a lane free, so sums and borrows of one lane do
/// not reach the next. Arrays of eight lanes, left to the compiler to vectorise with SSE2, took
/// 690 ns for an easy puzzle and 132 µs for a hard one where this takes 410 and 57.
#[derive(Clone, Copy)]
pub(crate) struct Portable(u64);
memory!(Memory64, 4 lanes, 8 bytes);

/// The top bit of every lane.
const TOPS: u64 = 0x8000_8000_8000_8000;
/// The lowest bit of every lane.
const ONES: u64 = 0x0001_0001_0001_0001;

impl Portable {
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

bit_operators!(Portable, |one, other| Self(one.0 & other.0), Self(one.0 | other.0));

impl Word for Portable {
    type Memory = Memory64;
    type Proof = ();
    const LANES: usize = 4;
    const UNROLLS_BANDS: bool = false;

    #[inline(always)]
    fn splat((): (), value: u16) -> Self {
        Self(u64::from(value) * ONES)
    }

    #[inline(always)]
    fn in_lanes((): (), lanes: u32) -> Self {
        let lane = |lane: u32| u64::from(lanes >> lane & 1) << (16 * lane);
        Self((lane(0) | lane(1) | lane(2) | lane(3)) * u64::from(ALL_DIGITS))
    }

    #[inline(always)]
    fn load((): (), memory: &Memory64) -> Self {
        let [a, b, c, d] = memory.0.map(u64::from);
        Self(a | b << 16 | c << 32 | d << 48)
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "one lane of four")]
    fn store(self, memory: &mut Memory64) {
        let lane = self.0;
        memory.0 = [lane as u16, (lane >> 16) as u16, (lane >> 32) as u16, (lane >> 48) as u16];
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
    fn less_one(self) -> Self {
        Self(((self.0 | TOPS) - ONES) ^ TOPS)
    }

    #[inline(always)]
    fn where_zero(self, other: Self) -> Self {
        Self(self.0 & other.is_zero())
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        let differ = self.0 ^ other.0;
        let same = |lane: usize| (differ >> (16 * lane)).trailing_zeros() >= 16;
        (0..4).fold(0, |bits, lane| bits | u32::from(same(lane)) << lane)
    }

    #[inline(always)]
    fn take_from_peers((): (), board: &mut Board, cell: usize, digits: u16) {
        let peers = PEER_SETS[cell];
        for (index, cell) in board.cells.iter_mut().enumerate().take(CELLS) {
            let asked = peers >> index & 1 != 0;
            *cell &= !if asked { digits } else { 0 };
        }
    }

    #[inline(always)]
    fn heaviest((): (), board: &Board, pairs: CellBits, cells: [u32; WEIGHED]) -> usize {
        // In the lanes where `a` is less than `b`, the bit that was lent is gone.
        let greater = |a: Self, b: Self| {
            let keeps = (((a.0 | TOPS) - b.0) & TOPS) >> 15;
            let mask = (keeps << 15) - keeps;
            (a.0 & mask) | (b.0 & !mask)
        };
        let greatest = |scores| {
            let [low, high] = side_by_side(scores);
            let four = greater(Self(low), Self(high));
            let two = greater(Self(four), Self(four >> 32));
            (greater(Self(two), Self(two >> 16)) & 0x7fff) as u16
        };
        let cells_with = |digits| {
            let digits = Self::splat((), digits);
            cells_where(board, |word| !(word & digits).is_zero())
        };
        heaviest(board, pairs, cells, cells_with, greatest)
    }

    #[inline(always)]
    fn cells_of<const N: u32>((): (), board: &Board) -> CellBits {
        cells_where(board, |word| {
            let highest = word.bits_from::<N>();
            (highest & highest.less_one()).is_zero() & !highest.is_zero()
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
            let passed = test(Portable::load((), &Memory64(*word))) & ONES;
            bits | (passed.wrapping_mul(SIDE_BY_SIDE) >> 48 & 0xf) << (4 * place)
        })
    };
    let (low, high) = words.split_at(16);
    CellBits::from(bits(low)) | CellBits::from(bits(high)) << 64
}
