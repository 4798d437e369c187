//! The word of 8 lanes, for WebAssembly with `simd128`: one vector.
//!
//! WebAssembly has no detection at run time: a module with an instruction that the runtime lacks is
//! refused as a whole. So the compiler's target decides (`-C target-feature=+simd128`), and no call here
//! is unsafe.
//!
//! Time of node for a puzzle of a batch, `solve_batch` with limit 2, one thread (µs):
//!
//! | list | `portable`, without the feature | this level |
//! | --- | ---: | ---: |
//! | easy | 0.88 | 0.32 |
//! | minimal | 2.39 | 0.74 |
//! | 17 clues | 2.54 | 0.75 |
//! | hardest | 160 | 41 |
//! | several solutions | 10.3 | 2.5 |
#![forbid(unsafe_code)]

use super::board::{ALL_DIGITS, Board, CellBits};
use super::proof::Simd128;
use super::word::{
    HIGH_OF_CLUE, LOW_OF_CLUE, Tile, TileValues, WEIGHED, Word, heaviest, memory, side_by_side,
    transpose_by,
};
use core::arch::wasm32 as arch;
use core::arch::wasm32::v128;
use core::ops::{BitAnd, BitOr};

/// 8 lanes in a vector.
#[derive(Clone, Copy)]
pub(super) struct Word128(v128);

memory!(Memory128, 8 lanes, 16 bytes);

impl BitAnd for Word128 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(arch::v128_and(self.0, other.0))
    }
}

impl BitOr for Word128 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(arch::v128_or(self.0, other.0))
    }
}

impl Word128 {
    #[inline(always)]
    fn from_array(n: [u16; 8]) -> Self {
        Self(arch::u16x8(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]))
    }

    #[inline(always)]
    fn to_array(self) -> [u16; 8] {
        [
            arch::u16x8_extract_lane::<0>(self.0),
            arch::u16x8_extract_lane::<1>(self.0),
            arch::u16x8_extract_lane::<2>(self.0),
            arch::u16x8_extract_lane::<3>(self.0),
            arch::u16x8_extract_lane::<4>(self.0),
            arch::u16x8_extract_lane::<5>(self.0),
            arch::u16x8_extract_lane::<6>(self.0),
            arch::u16x8_extract_lane::<7>(self.0),
        ]
    }

    /// All ones in the lanes that are 0, else 0.
    #[inline(always)]
    fn is_zero(self) -> Self {
        Self(arch::u16x8_eq(self.0, arch::u16x8_splat(0)))
    }

    /// All ones in these lanes, else 0.
    #[inline(always)]
    fn mask(lanes: u8) -> Self {
        let bits = arch::u16x8(1, 2, 4, 8, 16, 32, 64, 128);
        let lanes = arch::u16x8_splat(lanes.into());
        Self(arch::u16x8_eq(arch::v128_and(lanes, bits), bits))
    }

    /// The cells of a board for whose word, 8 cells in each, the test gives all ones or else 0.
    #[inline(always)]
    fn cells_where(board: &Board, test: impl Fn(Self) -> Self) -> CellBits {
        let (words, _) = board.cells.as_chunks::<16>();
        let bits = words.iter().enumerate().map(|(place, words)| {
            let (halves, _) = words.as_chunks::<8>();
            let [low, high] = [halves[0], halves[1]].map(|half| test(Self::from_array(half)).0);
            // A mask is a byte of the same sign, and the signs of 16 bytes are 16 bits.
            let bits = arch::u8x16_bitmask(arch::i8x16_narrow_i16x8(low, high));
            CellBits::from(bits) << (16 * place)
        });
        bits.fold(0, |all, bits| all | bits)
    }
}

#[inline(always)]
fn load_bytes(bytes: &TileValues) -> v128 {
    let (pairs, _) = bytes.as_chunks::<2>();
    let pair = |place: usize| u16::from_le_bytes(pairs[place]);
    let pairs = [pair(0), pair(1), pair(2), pair(3), pair(4), pair(5), pair(6), pair(7)];
    Word128::from_array(pairs).0
}

/// Transposes 8 by 8 words.
#[inline(always)]
fn transpose(rows: [v128; 8]) -> [v128; 8] {
    transpose_by(
        rows,
        |a, b| arch::u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b),
        |a, b| arch::u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b),
    )
}

impl Word for Word128 {
    type Memory = Memory128;
    type Proof = Simd128;
    const LANES: usize = 8;
    const HAS_FRONT: bool = true;

    #[inline(always)]
    fn splat(_: Simd128, value: u16) -> Self {
        Self(arch::u16x8_splat(value))
    }

    #[inline(always)]
    fn in_lanes(proof: Simd128, lanes: u32) -> Self {
        Self::mask(lanes.to_le_bytes()[0]) & Self::splat(proof, ALL_DIGITS)
    }

    #[inline(always)]
    fn load(_: Simd128, memory: &Memory128) -> Self {
        Self::from_array(memory.0)
    }

    #[inline(always)]
    fn store(self, memory: &mut Memory128) {
        memory.0 = self.to_array();
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(arch::u16x8_add(self.0, other.0))
    }

    #[inline(always)]
    fn zero_if_either(self, other: Self) -> Self {
        // The lesser number of each two.
        Self(arch::u16x8_min(self.0, other.0))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(arch::v128_andnot(self.0, other.0))
    }

    #[inline(always)]
    fn less_one(self) -> Self {
        Self(arch::u16x8_sub(self.0, arch::u16x8_splat(1)))
    }

    #[inline(always)]
    fn where_zero(self, other: Self) -> Self {
        self & other.is_zero()
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        arch::u16x8_bitmask(arch::u16x8_eq(self.0, other.0)).into()
    }

    #[inline(always)]
    fn fill<'a>(_: Simd128, clues: &mut Tile<Self>, values: impl Fn(usize) -> &'a TileValues) {
        let (low, high) = (load_bytes(&LOW_OF_CLUE), load_bytes(&HIGH_OF_CLUE));
        let mut rows = [arch::u16x8_splat(0); 8];
        for (lane, row) in rows.iter_mut().enumerate() {
            *row = load_bytes(values(lane));
        }
        let (pairs, _) = clues.as_chunks_mut::<2>();
        for ([even, odd], values) in pairs.iter_mut().zip(transpose(rows)) {
            // Of the two values in a lane, one for each cell of the pair, a byte becomes a set.
            let (low, high) = (arch::u8x16_swizzle(low, values), arch::u8x16_swizzle(high, values));
            let of_even =
                arch::u8x16_shuffle::<0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30>(
                    low, high,
                );
            let of_odd =
                arch::u8x16_shuffle::<1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31>(
                    low, high,
                );
            Self(of_even).store(even);
            Self(of_odd).store(odd);
        }
    }

    #[inline(always)]
    fn take(proof: Simd128, board: &mut Board, cells: CellBits, digits: u16) {
        let digits = Self::splat(proof, digits);
        let (words, _) = board.cells.as_chunks_mut::<8>();
        for (word, cells) in words.iter_mut().zip(cells.to_le_bytes()) {
            let taken = Self::mask(cells) & digits;
            *word = Self::from_array(*word).without(taken).to_array();
        }
    }

    #[inline(always)]
    fn heaviest(proof: Simd128, board: &Board, pairs: CellBits, cells: [u32; WEIGHED]) -> usize {
        let greatest = |scores| {
            let [low, high] = side_by_side(scores);
            let eight = arch::u64x2(low, high);
            let four = arch::u16x8_max(eight, arch::u64x2_shuffle::<1, 0>(eight, eight));
            let two = arch::u16x8_max(four, arch::u32x4_shuffle::<1, 0, 3, 2>(four, four));
            let one = arch::u16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(two, two);
            arch::u16x8_extract_lane::<0>(arch::u16x8_max(two, one))
        };
        let cells_with = |digits| {
            let digits = Self::splat(proof, digits);
            // Sets have nine bits, so none is negative.
            let none = arch::u16x8_splat(0);
            Self::cells_where(board, |word| Self(arch::i16x8_gt((word & digits).0, none)))
        };
        heaviest(board, pairs, cells, cells_with, greatest)
    }

    #[inline(always)]
    fn cells_of<const N: u32>(_: Simd128, board: &Board) -> CellBits {
        Self::cells_where(board, |word| {
            let highest = word.bits_from::<N>();
            highest.but_lowest().is_zero().without(highest.is_zero())
        })
    }
}
