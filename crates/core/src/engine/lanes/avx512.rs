//! The word of 32 lanes, for x86-64 CPUs with AVX-512 F and BW.
//!
//! Its comparisons give bits in mask registers, and one `vpternlog` does any two of `&`, `|`,
//! `!` at once (the compiler finds those by itself), so a pass over 32 puzzles costs what AVX2
//! needs for 16.
//!
//! A [`Word512`] is made from the proof [`Avx512`] and from other words alone, so where one is
//! at hand the CPU has the instructions. That is the one promise which every call here needs.
#![expect(unsafe_code, reason = "core::arch; the measurement is in `word`")]

use super::board::{Board, CellBits};
use super::level::Avx512;
use super::word::{Cells, Word};
use core::arch::x86_64 as arch;
use core::ops::{BitAnd, BitOr};

/// 32 lanes in a register.
#[derive(Clone, Copy)]
pub(super) struct Word512(arch::__m512i);

/// 32 lanes in memory, aligned as the loads and stores want it.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Memory512([u16; 32]);

/// Calls intrinsics that need AVX-512 F and BW and touch no memory.
macro_rules! avx512 {
    ($calls:expr) => {
        // SAFETY: a `Word512` or an `Avx512` is at hand, so this CPU has AVX-512 F and BW.
        unsafe { $calls }
    };
}

impl BitAnd for Word512 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(avx512!(arch::_mm512_and_si512(self.0, other.0)))
    }
}

impl BitOr for Word512 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(avx512!(arch::_mm512_or_si512(self.0, other.0)))
    }
}

impl Word512 {
    /// Itself minus 1.
    #[inline(always)]
    fn less_one(self) -> Self {
        Self(avx512!(arch::_mm512_sub_epi16(self.0, arch::_mm512_set1_epi16(1))))
    }

    /// The cells of a board for whose word, 32 cells in each, the test gives a bit.
    #[inline(always)]
    fn cells_where(proof: Avx512, board: &Board, test: impl Fn(Self) -> u32) -> CellBits {
        let (words, _) = board.cells.as_chunks::<32>();
        let mut cells = 0;
        for (i, word) in words.iter().enumerate() {
            cells |= CellBits::from(test(Self::load(proof, &Memory512(*word)))) << (32 * i);
        }
        cells
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the bits above are for other words")]
#[inline(always)]
const fn cut_to_32_bits(cells: CellBits) -> u32 {
    cells as u32
}

impl AsRef<[u16]> for Memory512 {
    #[inline(always)]
    fn as_ref(&self) -> &[u16] {
        &self.0
    }
}

impl AsMut<[u16]> for Memory512 {
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [u16] {
        &mut self.0
    }
}

impl Word for Word512 {
    type Memory = Memory512;
    type Proof = Avx512;
    const LANES: usize = 32;

    #[inline(always)]
    fn memory(value: u16) -> Memory512 {
        Memory512([value; 32])
    }

    #[inline(always)]
    fn splat(_: Avx512, value: u16) -> Self {
        Self(avx512!(arch::_mm512_set1_epi16(value.cast_signed())))
    }

    #[inline(always)]
    fn load(_: Avx512, memory: &Memory512) -> Self {
        let address = core::ptr::from_ref(memory).cast();
        // SAFETY: the CPU has AVX-512 F, and a `Memory512` is 64 bytes, aligned to 64.
        Self(unsafe { arch::_mm512_load_si512(address) })
    }

    #[inline(always)]
    fn store(self, memory: &mut Memory512) {
        let address = core::ptr::from_mut(memory).cast();
        // SAFETY: the CPU has AVX-512 F, and a `Memory512` is 64 bytes, aligned to 64.
        unsafe { arch::_mm512_store_si512(address, self.0) }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(avx512!(arch::_mm512_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn zero_if_either(self, other: Self) -> Self {
        // The lesser number of each two.
        Self(avx512!(arch::_mm512_min_epu16(self.0, other.0)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(avx512!(arch::_mm512_andnot_si512(other.0, self.0)))
    }

    #[inline(always)]
    fn if_single(self) -> Self {
        Self(avx512!({
            let single = arch::_mm512_testn_epi16_mask(self.0, self.less_one().0);
            arch::_mm512_maskz_mov_epi16(single, self.0)
        }))
    }

    #[inline(always)]
    fn but_lowest(self) -> Self {
        self & self.less_one()
    }

    #[inline(always)]
    fn or_all_of(self, other: Self) -> Self {
        Self(avx512!({
            let some = arch::_mm512_test_epi16_mask(self.0, self.0);
            arch::_mm512_mask_mov_epi16(other.0, some, self.0)
        }))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        avx512!(arch::_mm512_cmpeq_epi16_mask(self.0, other.0))
    }

    /// Gathers 16 cells at a time: 12 ns a board, where 81 loads and stores take 21, since words
    /// lie 64 bytes apart and such loads come one a cycle (Xeon with AVX-512).
    #[inline(always)]
    fn copy_lane(_: Avx512, cells: &Cells<Self>, lane: usize, board: &mut Board) {
        let lane = lane % Self::LANES;
        let cells = cells.as_flattened();
        let (chunks, _) = board.cells.as_chunks_mut::<16>();
        // A gather reads 32 bits: this lane's and its neighbour's, which is then shifted out or
        // cut off.
        let places = avx512!(arch::_mm512_mullo_epi32(
            arch::_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
            arch::_mm512_set1_epi32(64)
        ));
        let (blocks, _) = cells.as_chunks::<16>();
        for (words, chunk) in blocks.iter().zip(chunks) {
            // From the pointer to all 16 words: one to the first lane alone may not read the rest.
            let first = words.as_ptr().cast::<u16>().wrapping_add(lane & !1).cast();
            // SAFETY: the CPU has AVX-512 F. `first` may read all 1024 bytes of `words`, and the
            // last read ends at byte `15 * 64 + 2 * (lane & !1) + 4`, 1024 at most: lane is under 32.
            let pairs = unsafe { arch::_mm512_i32gather_epi32::<1>(places, first) };
            let words = avx512!({
                let odd = arch::_mm512_srli_epi32::<16>(pairs);
                arch::_mm512_cvtepi32_epi16(if lane & 1 == 1 { odd } else { pairs })
            });
            let address = core::ptr::from_mut(chunk).cast();
            // SAFETY: the CPU has AVX; a chunk is 32 bytes.
            unsafe { arch::_mm256_storeu_si256(address, words) }
        }
        board.cells[80] = cells[80].0[lane];
    }

    #[inline(always)]
    fn cells_with(proof: Avx512, board: &Board, digits: u16) -> CellBits {
        let digits = Self::splat(proof, digits);
        Self::cells_where(proof, board, |word| {
            avx512!(arch::_mm512_test_epi16_mask(word.0, digits.0))
        })
    }

    #[inline(always)]
    fn take(proof: Avx512, board: &mut Board, cells: CellBits, digits: u16) {
        let digits = Self::splat(proof, digits);
        let (words, _) = board.cells.as_chunks_mut::<32>();
        for (i, word) in words.iter_mut().enumerate() {
            let asked = cut_to_32_bits(cells >> (32 * i));
            let taken = Self(avx512!(arch::_mm512_maskz_mov_epi16(asked, digits.0)));
            let mut memory = Memory512(*word);
            Self::load(proof, &memory).without(taken).store(&mut memory);
            *word = memory.0;
        }
    }

    #[inline(always)]
    fn cells_of_two(proof: Avx512, board: &Board) -> CellBits {
        Self::cells_where(proof, board, |word| {
            let but_lowest = word & word.less_one();
            let but_two_lowest = but_lowest.less_one();
            avx512!({
                let some = arch::_mm512_test_epi16_mask(but_lowest.0, but_lowest.0);
                arch::_mm512_mask_testn_epi16_mask(some, but_lowest.0, but_two_lowest.0)
            })
        })
    }
}
