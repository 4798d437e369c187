//! The word of 8 lanes, for aarch64 CPUs: one register of NEON.
//!
//! A [`Word128`] is made from the proof [`Neon`] and from other words alone, so a word exists
//! only if the CPU has the instructions. That is the one promise which every call here needs.
//!
//! # Why one register
//! A box has 9 cells and 9 singles, and the CPU has 32 registers: a word of several does not fit.
//! Instructions, counted under `qemu-aarch64` before the steps below, on 300 puzzles of each list:
//!
//! | registers a word | a lane and pass | an easy puzzle | a hard one |
//! | --- | ---: | ---: | ---: |
//! | `Portable` | 923 | 6,256 | 735,348 |
//! | 1 | **297** | **2,268** | **248,502** |
//! | 2 | 335 | 2,739 | 269,128 |
//! | 4 | 473 | 3,995 | 318,945 |
//!
//! # What the compiler does not find
//! - It makes four instructions of `x` without `x meets x - 1`, which takes three.
//! - It moves work from one box into the next, so that more words are alive than there are registers.
//! - It copies a register before each selection of bits.
//!
//! Assembly in `meets`, `pinned` and `replaced_by` prevents that. Instructions of a pass compiled
//! alone: 2,418 without, then 2,334, 2,223 and 2,086 (portable: 3,369 for 4 lanes).
//! `docs/performance.md` has those of whole lists.
#![expect(unsafe_code, reason = "core::arch; the measurement is in `word`")]

use super::board::{ALL_DIGITS, Board, CellBits};
use super::proof::Neon;
use super::word::{
    BoardValues, Cells, HIGH_OF_CLUE, LOW_OF_CLUE, Tile, TileValues, WEIGHED, Word, heaviest,
    memory, side_by_side, transpose_by,
};
use crate::bits::bit_operators;
use crate::puzzle::tables::PEER_SETS;
use core::arch::{aarch64 as arch, asm};

/// 8 lanes in a register.
#[derive(Clone, Copy)]
pub(super) struct Word128(arch::uint16x8_t);

memory!(Memory128, 8 lanes, 16 bytes);

/// Calls intrinsics that need NEON and touch no memory.
macro_rules! neon {
    ($calls:expr) => {
        // SAFETY: a `Word128` or a `Neon` exists, so this CPU has NEON.
        unsafe { $calls }
    };
}

bit_operators!(
    Word128,
    |one, other| Self(neon!(arch::vandq_u16(one.0, other.0))),
    Self(neon!(arch::vorrq_u16(one.0, other.0)))
);

/// Lane `i` has bit `i`.
const BITS: Memory128 = Memory128([1, 2, 4, 8, 16, 32, 64, 128]);

impl Word128 {
    /// All ones in the lanes where the two have a bit in common, else 0.
    #[inline(always)]
    fn meets(self, other: Self) -> Self {
        let meets;
        // SAFETY: a `Word128` exists, so this CPU has NEON. The instruction reads and writes
        // these registers alone.
        unsafe {
            asm!(
                "cmtst {meets:v}.8h, {a:v}.8h, {b:v}.8h",
                a = in(vreg) self.0,
                b = in(vreg) other.0,
                meets = lateout(vreg) meets,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self(meets)
    }

    /// All ones in these lanes, else 0.
    #[inline(always)]
    fn mask(proof: Neon, lanes: u8) -> Self {
        Self::splat(proof, lanes.into()).meets(Self::load(proof, &BITS))
    }

    /// The cells of a board for whose word, 8 cells in each, the test gives all ones or else 0.
    #[inline(always)]
    fn cells_where(proof: Neon, board: &Board, test: impl Fn(Self) -> Self) -> CellBits {
        const BITS: TileValues = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        let bits = load_bytes(proof, &BITS);
        let (words, _) = board.cells.as_chunks::<8>();
        // Of 16 cells a byte each, which has the bit of its place among 8 cells.
        let bits = |k: usize| {
            let mask = |k: usize| bytes(test(Self::load(proof, &Memory128(words[k]))));
            neon!(arch::vandq_u8(arch::vuzp1q_u8(mask(2 * k), mask(2 * k + 1)), bits))
        };
        // Neighbours are added up three times.
        let bits = neon!({
            let (a, b) = (arch::vpaddq_u8(bits(0), bits(1)), arch::vpaddq_u8(bits(2), bits(3)));
            let (c, none) = (arch::vpaddq_u8(bits(4), bits(5)), arch::vdupq_n_u8(0));
            let bits = arch::vpaddq_u8(arch::vpaddq_u8(a, b), arch::vpaddq_u8(c, none));
            arch::vreinterpretq_u64_u8(bits)
        });
        let halves = neon!([arch::vgetq_lane_u64::<0>(bits), arch::vgetq_lane_u64::<1>(bits)]);
        let [low, high] = halves.map(CellBits::from);
        low | high << 64
    }
}

/// The same register as bytes.
#[inline(always)]
fn bytes(word: Word128) -> arch::uint8x16_t {
    neon!(arch::vreinterpretq_u8_u16(word.0))
}

/// The same register as words.
#[inline(always)]
fn words(_: Neon, bytes: arch::uint8x16_t) -> Word128 {
    Word128(neon!(arch::vreinterpretq_u16_u8(bytes)))
}

#[inline(always)]
fn load_bytes(_: Neon, bytes: &TileValues) -> arch::uint8x16_t {
    // SAFETY: the CPU has NEON; the array is 16 bytes.
    unsafe { arch::vld1q_u8(bytes.as_ptr()) }
}

#[inline(always)]
fn store_bytes(_: Neon, bytes: arch::uint8x16_t) -> TileValues {
    let mut array = [0; 16];
    // SAFETY: the CPU has NEON; the array is 16 bytes.
    unsafe { arch::vst1q_u8(array.as_mut_ptr(), bytes) }
    array
}

/// Transposes 8 by 8 words.
#[inline(always)]
fn transpose(_: Neon, rows: [arch::uint16x8_t; 8]) -> [arch::uint16x8_t; 8] {
    transpose_by(rows, |a, b| neon!(arch::vzip1q_u16(a, b)), |a, b| neon!(arch::vzip2q_u16(a, b)))
}

impl Word for Word128 {
    type Memory = Memory128;
    type Proof = Neon;
    const LANES: usize = 8;
    const HAS_FRONT: bool = true;

    #[inline(always)]
    fn splat(_: Neon, value: u16) -> Self {
        Self(neon!(arch::vdupq_n_u16(value)))
    }

    #[inline(always)]
    fn in_lanes(proof: Neon, lanes: u32) -> Self {
        Self::mask(proof, lanes.to_le_bytes()[0]) & Self::splat(proof, ALL_DIGITS)
    }

    #[inline(always)]
    fn load(_: Neon, memory: &Memory128) -> Self {
        // SAFETY: the CPU has NEON, and a `Memory128` is 16 bytes.
        Self(unsafe { arch::vld1q_u16(memory.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, memory: &mut Memory128) {
        // SAFETY: the CPU has NEON, and a `Memory128` is 16 bytes.
        unsafe { arch::vst1q_u16(memory.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(neon!(arch::vaddq_u16(self.0, other.0)))
    }

    #[inline(always)]
    fn zero_if_either(self, other: Self) -> Self {
        // The lesser number of each two.
        Self(neon!(arch::vminq_u16(self.0, other.0)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(neon!(arch::vbicq_u16(self.0, other.0)))
    }

    #[inline(always)]
    fn if_single(self) -> Self {
        self.without(self.meets(self.less_one()))
    }

    #[inline(always)]
    fn less_one(self) -> Self {
        Self(neon!(arch::vsubq_u16(self.0, arch::vdupq_n_u16(1))))
    }

    #[inline(always)]
    fn where_zero(self, other: Self) -> Self {
        self.replaced_by(other).without(other)
    }

    #[inline(always)]
    fn replaced_by(self, new: Self) -> Self {
        let mut word = self.0;
        let is_none = neon!(arch::vceqzq_u16(new.0));
        // SAFETY: a `Word128` exists, so this CPU has NEON. The instruction reads and writes
        // these registers alone.
        unsafe {
            asm!(
                "bif {word:v}.16b, {new:v}.16b, {is_none:v}.16b",
                word = inout(vreg) word,
                new = in(vreg) new.0,
                is_none = in(vreg) is_none,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        Self(word)
    }

    #[inline(always)]
    fn pinned(self) -> Self {
        let mut word = self.0;
        // SAFETY: a comment does nothing.
        unsafe { asm!("/* {:v} */", inout(vreg) word, options(nostack, preserves_flags)) }
        Self(word)
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        // SAFETY: a `Word128` exists, so this CPU has NEON; the array is 16 bytes.
        let bits = unsafe { arch::vld1q_u16(BITS.0.as_ptr()) };
        neon!({
            let same = arch::vceqq_u16(self.0, other.0);
            arch::vaddvq_u16(arch::vandq_u16(same, bits)).into()
        })
    }

    /// Loads single lanes into a register and stores it whole, as `choose` loads it.
    #[inline(always)]
    fn copy_lane(proof: Neon, cells: &Cells<Self>, lane: usize, board: &mut Board) {
        let lane = lane % Self::LANES;
        let cells = cells.as_flattened();
        macro_rules! gathered {
            ($words:ident, $($place:literal)+) => {{
                let mut word = Self::splat(proof, 0).0;
                // SAFETY: the CPU has NEON, and each load reads the one lane that it borrows.
                $(word = unsafe { arch::vld1q_lane_u16::<$place>(&$words[$place].0[lane], word) };)+
                Self(word)
            }};
        }
        let (eights, last) = cells.as_chunks::<8>();
        let (places, _) = board.cells.as_chunks_mut::<8>();
        let (whole, rest) = places.split_at_mut(eights.len());
        for (words, place) in eights.iter().zip(whole) {
            *place = gathered!(words, 0 1 2 3 4 5 6 7).stored().0;
        }
        rest[0] = gathered!(last, 0).stored().0;
    }

    #[inline(always)]
    fn values(proof: Neon, board: &Board) -> BoardValues {
        let (words, _) = board.cells.as_chunks::<16>();
        let mut values = [0; 96];
        let (places, _) = values.as_chunks_mut::<16>();
        for (words, place) in words.iter().zip(places) {
            let (halves, _) = words.as_chunks::<8>();
            let zeros = |half: usize| {
                let word = Self::load(proof, &Memory128(halves[half]));
                bytes(Self(neon!(arch::vclzq_u16(word.0))))
            };
            // 15 bits before digit 1 are 0, 14 before digit 2 …
            *place = store_bytes(
                proof,
                neon!(arch::vsubq_u8(arch::vdupq_n_u8(16), arch::vuzp1q_u8(zeros(0), zeros(1)))),
            );
        }
        *values.first_chunk().expect("96 are more than 81")
    }

    #[inline(always)]
    fn fill<'a>(proof: Neon, clues: &mut Tile<Self>, values: impl Fn(usize) -> &'a TileValues) {
        let (low, high) = (load_bytes(proof, &LOW_OF_CLUE), load_bytes(proof, &HIGH_OF_CLUE));
        let mut rows = [Self::splat(proof, 0).0; 8];
        for (lane, row) in rows.iter_mut().enumerate() {
            *row = words(proof, load_bytes(proof, values(lane))).0;
        }
        let (pairs, _) = clues.as_chunks_mut::<2>();
        for (pair, values) in pairs.iter_mut().zip(transpose(proof, rows)) {
            // Of the two values in a lane, one for each cell of the pair, a byte becomes a set.
            let of_pair = neon!({
                let values = bytes(Self(values));
                let (low, high) = (arch::vqtbl1q_u8(low, values), arch::vqtbl1q_u8(high, values));
                [arch::vtrn1q_u8(low, high), arch::vtrn2q_u8(low, high)]
            });
            for (word, clues) in pair.iter_mut().zip(of_pair) {
                words(proof, clues).store(word);
            }
        }
    }

    #[inline(always)]
    fn flush(proof: Neon, cells: &Tile<Self>, mut to: impl FnMut(usize, TileValues)) {
        let mut columns = [Self::splat(proof, 0).0; 8];
        let (pairs, _) = cells.as_chunks::<2>();
        for ([even, odd], column) in pairs.iter().zip(&mut columns) {
            let (even, odd) = (Self::load(proof, even).0, Self::load(proof, odd).0);
            // The digits of the two cells side by side in each lane: see `values`.
            *column = neon!({
                let zeros = arch::vsliq_n_u16::<8>(arch::vclzq_u16(even), arch::vclzq_u16(odd));
                arch::vsubq_u16(arch::vdupq_n_u16(0x1010), zeros)
            });
        }
        for (lane, row) in transpose(proof, columns).into_iter().enumerate() {
            to(lane, store_bytes(proof, bytes(Self(row))));
        }
    }

    #[inline(always)]
    fn take_from_peers(proof: Neon, board: &mut Board, cell: usize, digits: u16) {
        let digits = Self::splat(proof, digits);
        let (words, _) = board.cells.as_chunks_mut::<8>();
        for (word, peers) in words.iter_mut().zip(PEER_SETS[cell].to_le_bytes()) {
            let taken = Self::mask(proof, peers) & digits;
            *word = Self::load(proof, &Memory128(*word)).without(taken).stored().0;
        }
    }

    #[inline(always)]
    fn heaviest(proof: Neon, board: &Board, pairs: CellBits, cells: [u32; WEIGHED]) -> usize {
        let greatest = |scores| {
            let [low, high] = side_by_side(scores);
            neon!({
                let eight = arch::vcombine_u16(arch::vcreate_u16(low), arch::vcreate_u16(high));
                arch::vmaxvq_u16(eight)
            })
        };
        let cells_with = |digits| {
            let digits = Self::splat(proof, digits);
            Self::cells_where(proof, board, |word| word.meets(digits))
        };
        heaviest(board, pairs, cells, cells_with, greatest)
    }

    #[inline(always)]
    fn cells_of<const N: u32>(proof: Neon, board: &Board) -> CellBits {
        Self::cells_where(proof, board, |word| {
            let highest = word.bits_from::<N>();
            highest.meets(highest).without(highest.meets(highest.less_one()))
        })
    }
}
