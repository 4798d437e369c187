//! The word of 16 lanes, for x86-64 CPUs with AVX2.
//!
//! A [`Word256`] is made from the proof [`Avx2`] and from other words alone, so where one is at
//! hand the CPU has the instructions. That is the one promise which every call here needs.
#![expect(unsafe_code, reason = "core::arch; the measurement is in `word`")]

use super::board::{Board, CellBits};
use super::level::Avx2;
use super::word::{Cells, Word};
use core::arch::x86_64 as arch;
use core::ops::{BitAnd, BitOr};

/// 16 lanes in a register.
#[derive(Clone, Copy)]
pub(super) struct Word256(arch::__m256i);

/// 16 lanes in memory, aligned as the loads and stores want it.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Memory256([u16; 16]);

/// Calls intrinsics that need AVX2 and touch no memory.
macro_rules! avx2 {
    ($calls:expr) => {
        // SAFETY: a `Word256` or an `Avx2` is at hand, so this CPU has AVX2.
        unsafe { $calls }
    };
}

impl BitAnd for Word256 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(avx2!(arch::_mm256_and_si256(self.0, other.0)))
    }
}

impl BitOr for Word256 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(avx2!(arch::_mm256_or_si256(self.0, other.0)))
    }
}

impl Word256 {
    /// Itself minus 1.
    #[inline(always)]
    fn less_one(self) -> Self {
        Self(avx2!(arch::_mm256_sub_epi16(self.0, arch::_mm256_set1_epi16(1))))
    }

    /// All ones in the lanes that are 0, else 0.
    #[inline(always)]
    fn is_zero(self) -> Self {
        Self(avx2!(arch::_mm256_cmpeq_epi16(self.0, arch::_mm256_setzero_si256())))
    }

    /// The bits that are set where a lane of `low`, then of `high`, is all ones; both hold only
    /// 0 and all ones.
    #[inline(always)]
    fn mask_bits(low: Self, high: Self) -> u32 {
        // Packing halves each lane to a byte but works on halves of the register, so that the
        // quarters come out as low, high, low, high: 0b11_01_10_00 puts them in order.
        avx2!({
            let bytes = arch::_mm256_packs_epi16(low.0, high.0);
            let bytes = arch::_mm256_permute4x64_epi64(bytes, 0b11_01_10_00);
            arch::_mm256_movemask_epi8(bytes)
        })
        .cast_unsigned()
    }

    /// The cells of a board for whose word, 16 cells in each, the test gives all ones.
    #[inline(always)]
    fn cells_where(proof: Avx2, board: &Board, test: impl Fn(Self) -> Self) -> CellBits {
        let (words, _) = board.cells.as_chunks::<16>();
        let mut cells = 0;
        for (i, words) in words.chunks_exact(2).enumerate() {
            let low = test(Self::load(proof, &Memory256(words[0])));
            let high = test(Self::load(proof, &Memory256(words[1])));
            cells |= CellBits::from(Self::mask_bits(low, high)) << (32 * i);
        }
        cells
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the bits above are for other words")]
#[inline(always)]
const fn cut_to_16_bits(cells: CellBits) -> u16 {
    cells as u16
}

impl AsRef<[u16]> for Memory256 {
    #[inline(always)]
    fn as_ref(&self) -> &[u16] {
        &self.0
    }
}

impl AsMut<[u16]> for Memory256 {
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [u16] {
        &mut self.0
    }
}

impl Word for Word256 {
    type Memory = Memory256;
    type Proof = Avx2;
    const LANES: usize = 16;

    #[inline(always)]
    fn memory(value: u16) -> Memory256 {
        Memory256([value; 16])
    }

    #[inline(always)]
    fn splat(_: Avx2, value: u16) -> Self {
        Self(avx2!(arch::_mm256_set1_epi16(value.cast_signed())))
    }

    #[inline(always)]
    fn load(_: Avx2, memory: &Memory256) -> Self {
        let address = core::ptr::from_ref(memory).cast();
        // SAFETY: the CPU has AVX2, and a `Memory256` is 32 bytes, aligned to 32.
        Self(unsafe { arch::_mm256_load_si256(address) })
    }

    #[inline(always)]
    fn store(self, memory: &mut Memory256) {
        let address = core::ptr::from_mut(memory).cast();
        // SAFETY: the CPU has AVX2, and a `Memory256` is 32 bytes, aligned to 32.
        unsafe { arch::_mm256_store_si256(address, self.0) }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(avx2!(arch::_mm256_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn zero_if_either(self, other: Self) -> Self {
        // The lesser number of each two.
        Self(avx2!(arch::_mm256_min_epu16(self.0, other.0)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(avx2!(arch::_mm256_andnot_si256(other.0, self.0)))
    }

    #[inline(always)]
    fn if_single(self) -> Self {
        self & (self & self.less_one()).is_zero()
    }

    #[inline(always)]
    fn but_lowest(self) -> Self {
        self & self.less_one()
    }

    #[inline(always)]
    fn or_all_of(self, other: Self) -> Self {
        other & (self | self.is_zero())
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        let same = Self(avx2!(arch::_mm256_cmpeq_epi16(self.0, other.0)));
        Self::mask_bits(same, Self(avx2!(arch::_mm256_setzero_si256())))
    }

    /// In stores of a whole register: words stored in smaller pieces would have to reach the
    /// cache before `choose` could load them whole (2 % on hard lists).
    #[inline(always)]
    fn copy_lane(_: Avx2, cells: &Cells<Self>, lane: usize, board: &mut Board) {
        let lane = lane % Self::LANES;
        let cells = cells.as_flattened();
        let (chunks, _) = board.cells.as_chunks_mut::<16>();
        let (words, _) = cells.as_chunks::<16>();
        for (words, chunk) in words.iter().zip(chunks) {
            let at = |i: usize| words[i].0[lane].cast_signed();
            let board = Self(avx2!(arch::_mm256_setr_epi16(
                at(0),
                at(1),
                at(2),
                at(3),
                at(4),
                at(5),
                at(6),
                at(7),
                at(8),
                at(9),
                at(10),
                at(11),
                at(12),
                at(13),
                at(14),
                at(15)
            )));
            let mut memory = Memory256([0; 16]);
            board.store(&mut memory);
            *chunk = memory.0;
        }
        board.cells[80] = cells[80].0[lane];
    }

    #[inline(always)]
    fn cells_with(proof: Avx2, board: &Board, digits: u16) -> CellBits {
        let digits = Self::splat(proof, digits);
        !Self::cells_where(proof, board, |word| (word & digits).is_zero())
    }

    #[inline(always)]
    fn take(proof: Avx2, board: &mut Board, cells: CellBits, digits: u16) {
        // Lane `i` asks for bit `i` of its 16 cells.
        const BITS: Memory256 = {
            let (mut bits, mut lane) = ([0; 16], 0);
            while lane < 16 {
                bits[lane] = 1 << lane;
                lane += 1;
            }
            Memory256(bits)
        };
        let bits = Self::load(proof, &BITS);
        let digits = Self::splat(proof, digits);
        let (words, _) = board.cells.as_chunks_mut::<16>();
        for (i, word) in words.iter_mut().enumerate() {
            let asked = Self::splat(proof, cut_to_16_bits(cells >> (16 * i))) & bits;
            let taken = Self(avx2!(arch::_mm256_cmpeq_epi16(asked.0, bits.0))) & digits;
            let mut memory = Memory256(*word);
            Self::load(proof, &memory).without(taken).store(&mut memory);
            *word = memory.0;
        }
    }

    #[inline(always)]
    fn cells_of_two(proof: Avx2, board: &Board) -> CellBits {
        Self::cells_where(proof, board, |word| {
            let but_lowest = word & word.less_one();
            let but_two_lowest = but_lowest & but_lowest.less_one();
            but_two_lowest.is_zero().without(but_lowest.is_zero())
        })
    }
}
