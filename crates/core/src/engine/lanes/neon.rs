//! The word of 16 lanes, for aarch64 CPUs: two registers of NEON.
//!
//! A [`WordNeon`] is made from the proof [`Neon`] and from other words alone, so where one is at
//! hand the CPU has the instructions. That is the one promise which every call here needs.
#![expect(unsafe_code, reason = "core::arch; the measurement is in `word`")]

use super::board::{Board, CellBits};
use super::level::Neon;
use super::word::{
    Cells, HIGH_OF_SET, LOW_OF_SET, Tile, TileValues, Values, Word, but_lowest, side_by_side,
    transpose_by,
};
use core::arch::aarch64 as arch;
use core::ops::{BitAnd, BitOr};

/// Registers of a word.
const REGISTERS: usize = 2;
/// Lanes of a register.
const PER_REGISTER: usize = 8;
/// Lanes of a word.
const LANES: usize = REGISTERS * PER_REGISTER;

/// 8 lanes.
type Register = arch::uint16x8_t;

/// 16 lanes in two registers.
#[derive(Clone, Copy)]
pub(super) struct WordNeon([Register; REGISTERS]);

/// 16 lanes in memory.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct MemoryNeon([u16; LANES]);

/// Calls intrinsics that need NEON and touch no memory.
macro_rules! neon {
    ($calls:expr) => {
        // SAFETY: a `WordNeon` or a `Neon` is at hand, so this CPU has NEON.
        unsafe { $calls }
    };
}

impl BitAnd for WordNeon {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.both(other, |a, b| neon!(arch::vandq_u16(a, b)))
    }
}

impl BitOr for WordNeon {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.both(other, |a, b| neon!(arch::vorrq_u16(a, b)))
    }
}

impl WordNeon {
    /// Register by register.
    #[inline(always)]
    fn both(self, other: Self, of: impl Fn(Register, Register) -> Register) -> Self {
        let mut registers = self.0;
        for (register, other) in registers.iter_mut().zip(other.0) {
            *register = of(*register, other);
        }
        Self(registers)
    }

    /// Itself minus 1.
    #[inline(always)]
    fn less_one(self) -> Self {
        self.both(self, |a, _| neon!(arch::vsubq_u16(a, arch::vdupq_n_u16(1))))
    }

    /// All ones in the lanes where both have a bit, else 0.
    #[inline(always)]
    fn meets(self, other: Self) -> Self {
        self.both(other, |a, b| neon!(arch::vtstq_u16(a, b)))
    }

    /// All ones in these lanes, else 0.
    #[inline(always)]
    fn in_lanes(proof: Neon, lanes: u32) -> Self {
        let mut registers = Self::splat(proof, 0).0;
        for (i, register) in registers.iter_mut().enumerate() {
            let lanes = Self::splat(proof, (lanes >> (8 * i)) as u8 as u16).0[0];
            *register = neon!(arch::vtstq_u16(lanes, load(proof, &BITS)));
        }
        Self(registers)
    }

    /// The cells of a board for whose word the test gives all ones.
    #[inline(always)]
    fn cells_where(proof: Neon, board: &Board, test: impl Fn(Self) -> Self) -> CellBits {
        let (words, _) = board.cells.as_chunks::<LANES>();
        let mut masks = [neon!(arch::vdupq_n_u16(0)); 16];
        let (places, _) = masks.as_chunks_mut::<REGISTERS>();
        for (words, place) in words.iter().zip(places) {
            *place = test(Self::load(proof, &MemoryNeon(*words))).0;
        }
        let bits = |k: usize| bits_of(masks[2 * k], masks[2 * k + 1]);
        let bits = neon!({
            let four = arch::vpaddq_u8(
                arch::vpaddq_u8(bits(0), bits(1)),
                arch::vpaddq_u8(bits(2), bits(3)),
            );
            let two = arch::vpaddq_u8(bits(4), bits(5));
            let two = arch::vpaddq_u8(two, arch::vdupq_n_u8(0));
            arch::vreinterpretq_u64_u8(arch::vpaddq_u8(four, two))
        });
        let (low, high) =
            neon!((arch::vgetq_lane_u64::<0>(bits), arch::vgetq_lane_u64::<1>(bits)));
        CellBits::from(low) | CellBits::from(high) << 64
    }
}

/// Lane `i` has bit `i`.
const BITS: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Of two registers of 0 and all ones one of bytes, in which each eight bytes have a bit each.
#[inline(always)]
fn bits_of(low: Register, high: Register) -> arch::uint8x16_t {
    const BYTES: TileValues = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    neon!({
        let bits = arch::vld1q_u8(BYTES.as_ptr());
        let bytes = arch::vuzp1q_u8(arch::vreinterpretq_u8_u16(low), arch::vreinterpretq_u8_u16(high));
        arch::vandq_u8(bytes, bits)
    })
}

#[inline(always)]
fn load(_: Neon, memory: &[u16; PER_REGISTER]) -> Register {
    // SAFETY: the CPU has NEON; the array is 16 bytes.
    unsafe { arch::vld1q_u16(memory.as_ptr()) }
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
fn transpose(_: Neon, rows: [Register; 8]) -> [Register; 8] {
    transpose_by(
        rows,
        |a, b| neon!(arch::vzip1q_u16(a, b)),
        |a, b| neon!(arch::vzip2q_u16(a, b)),
    )
}

impl AsRef<[u16]> for MemoryNeon {
    #[inline(always)]
    fn as_ref(&self) -> &[u16] {
        &self.0
    }
}

impl AsMut<[u16]> for MemoryNeon {
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [u16] {
        &mut self.0
    }
}

impl Word for WordNeon {
    type Memory = MemoryNeon;
    type Proof = Neon;
    const LANES: usize = LANES;
    const HAS_FRONT: bool = true;

    #[inline(always)]
    fn memory(value: u16) -> MemoryNeon {
        MemoryNeon([value; LANES])
    }

    #[inline(always)]
    fn splat(_: Neon, value: u16) -> Self {
        Self([neon!(arch::vdupq_n_u16(value)); REGISTERS])
    }

    #[inline(always)]
    fn load(proof: Neon, memory: &MemoryNeon) -> Self {
        let mut word = Self::splat(proof, 0);
        let (eights, _) = memory.0.as_chunks::<PER_REGISTER>();
        for (register, eight) in word.0.iter_mut().zip(eights) {
            *register = load(proof, eight);
        }
        word
    }

    #[inline(always)]
    fn store(self, memory: &mut MemoryNeon) {
        let (eights, _) = memory.0.as_chunks_mut::<PER_REGISTER>();
        for (register, eight) in self.0.into_iter().zip(eights) {
            // SAFETY: the CPU has NEON; the array is 16 bytes.
            unsafe { arch::vst1q_u16(eight.as_mut_ptr(), register) }
        }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.both(other, |a, b| neon!(arch::vaddq_u16(a, b)))
    }

    #[inline(always)]
    fn zero_if_either(self, other: Self) -> Self {
        // The lesser number of each two.
        self.both(other, |a, b| neon!(arch::vminq_u16(a, b)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.both(other, |a, b| neon!(arch::vbicq_u16(a, b)))
    }

    #[inline(always)]
    fn if_single(self) -> Self {
        self.without(self.meets(self.less_one()))
    }

    #[inline(always)]
    fn but_lowest(self) -> Self {
        self & self.less_one()
    }

    #[inline(always)]
    fn replaced_by(self, new: Self) -> Self {
        self.both(new, |old, new| neon!(arch::vbslq_u16(arch::vceqzq_u16(new), old, new)))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        let same = self.both(other, |a, b| neon!(arch::vceqq_u16(a, b))).0;
        let mut lanes = 0;
        for (i, two) in same.chunks(2).enumerate() {
            let bits = neon!({
                // The bits of a byte are those of eight lanes, when four pairs were added up twice more.
                let bits = bits_of(two[0], two[two.len() - 1]);
                let bits = arch::vpaddq_u8(bits, bits);
                let bits = arch::vpaddq_u8(bits, bits);
                let bits = arch::vpaddq_u8(bits, bits);
                arch::vgetq_lane_u16::<0>(arch::vreinterpretq_u16_u8(bits))
            });
            lanes |= u32::from(bits) << (16 * i);
        }
        lanes
    }

    /// Loads of single lanes make a register, which is stored as a whole: `choose` loads whole ones.
    #[inline(always)]
    fn copy_lane(_: Neon, cells: &Cells<Self>, lane: usize, board: &mut Board) {
        let lane = lane % LANES;
        let (eights, last) = cells.as_flattened().as_chunks::<8>();
        let (places, _) = board.cells.as_chunks_mut::<8>();
        macro_rules! gathered {
            ($words:ident, $($i:literal)+) => {{
                let mut register = neon!(arch::vdupq_n_u16(0));
                $(
                    // SAFETY: the CPU has NEON; one lane is read.
                    register = unsafe {
                        arch::vld1q_lane_u16::<$i>(&raw const $words[$i].0[lane], register)
                    };
                )+
                register
            }};
        }
        for (k, place) in places.iter_mut().enumerate() {
            let register = match eights.get(k) {
                Some(words) => gathered!(words, 0 1 2 3 4 5 6 7),
                None if k == eights.len() => gathered!(last, 0),
                None => break,
            };
            // SAFETY: the CPU has NEON; the array is 16 bytes.
            unsafe { arch::vst1q_u16(place.as_mut_ptr(), register) }
        }
    }

    #[inline(always)]
    fn values(proof: Neon, board: &Board) -> Values {
        let (words, _) = board.cells.as_chunks::<16>();
        let mut values = [0; 96];
        let (places, _) = values.as_chunks_mut::<16>();
        for (words, place) in words.iter().zip(places) {
            let (halves, _) = words.as_chunks::<8>();
            // Of digit 1, which is bit 0, 15 leading bits are 0, and so on.
            *place = store_bytes(proof, neon!({
                let low = arch::vclzq_u16(load(proof, &halves[0]));
                let high = arch::vclzq_u16(load(proof, &halves[1]));
                let zeros = arch::vuzp1q_u8(arch::vreinterpretq_u8_u16(low), arch::vreinterpretq_u8_u16(high));
                arch::vsubq_u8(arch::vdupq_n_u8(16), zeros)
            }));
        }
        *values.first_chunk().expect("96 are more than 81")
    }

    #[inline(always)]
    fn fill<'a>(
        proof: Neon,
        cells: &mut Tile<Self>,
        lanes: u32,
        values: impl Fn(usize) -> &'a TileValues,
    ) {
        let is_new = Self::in_lanes(proof, lanes).0;
        let (low, high) = (load_bytes(proof, &LOW_OF_SET), load_bytes(proof, &HIGH_OF_SET));
        for (k, is_new) in is_new.into_iter().enumerate() {
            let mut rows = [is_new; 8];
            for (lane, row) in rows.iter_mut().enumerate() {
                let values = load_bytes(proof, values(8 * k + lane));
                *row = neon!(arch::vreinterpretq_u16_u8(values));
            }
            let (pairs, _) = cells.as_chunks_mut::<2>();
            for (pair, values) in pairs.iter_mut().zip(transpose(proof, rows)) {
                // Of the two values in a lane, one for each cell of the pair, a byte becomes a set.
                let of_pair = neon!({
                    let values = arch::vreinterpretq_u8_u16(values);
                    let (low, high) = (arch::vqtbl1q_u8(low, values), arch::vqtbl1q_u8(high, values));
                    [arch::vtrn1q_u8(low, high), arch::vtrn2q_u8(low, high)]
                });
                for (word, new) in pair.iter_mut().zip(of_pair) {
                    let mut old = Self::load(proof, word);
                    old.0[k] = neon!(arch::vbslq_u16(is_new, arch::vreinterpretq_u16_u8(new), old.0[k]));
                    old.store(word);
                }
            }
        }
    }

    #[inline(always)]
    fn flush(proof: Neon, cells: &Tile<Self>, mut to: impl FnMut(usize, TileValues)) {
        for k in 0..REGISTERS {
            let mut columns = [neon!(arch::vdupq_n_u16(0)); 8];
            let (pairs, _) = cells.as_chunks::<2>();
            for ([even, odd], column) in pairs.iter().zip(&mut columns) {
                let (even, odd) = (Self::load(proof, even).0[k], Self::load(proof, odd).0[k]);
                *column = neon!({
                    let zeros = arch::vsliq_n_u16::<8>(arch::vclzq_u16(even), arch::vclzq_u16(odd));
                    arch::vsubq_u16(arch::vdupq_n_u16(0x1010), zeros)
                });
            }
            for (lane, row) in transpose(proof, columns).into_iter().enumerate() {
                to(8 * k + lane, store_bytes(proof, neon!(arch::vreinterpretq_u8_u16(row))));
            }
        }
    }

    #[inline(always)]
    fn cells_with(proof: Neon, board: &Board, digits: u16) -> CellBits {
        let digits = Self::splat(proof, digits);
        Self::cells_where(proof, board, |word| word.meets(digits))
    }

    #[inline(always)]
    fn take(proof: Neon, board: &mut Board, cells: CellBits, digits: u16) {
        let digits = Self::splat(proof, digits);
        let (words, _) = board.cells.as_chunks_mut::<LANES>();
        for (i, word) in words.iter_mut().enumerate() {
            let taken = Self::in_lanes(proof, (cells >> (LANES * i)) as u32) & digits;
            let mut memory = MemoryNeon(*word);
            Self::load(proof, &memory).without(taken).store(&mut memory);
            *word = memory.0;
        }
    }

    #[inline(always)]
    fn greatest(_: Neon, scores: [u64; 8]) -> u16 {
        let [low, high] = side_by_side(scores);
        neon!(arch::vmaxvq_u16(arch::vcombine_u16(arch::vcreate_u16(low), arch::vcreate_u16(high))))
    }

    #[inline(always)]
    fn cells_of<const N: u32>(proof: Neon, board: &Board) -> CellBits {
        Self::cells_where(proof, board, |word| {
            let highest = but_lowest::<N, _>(word, Self::less_one);
            highest.meets(highest).without(highest.meets(highest.less_one()))
        })
    }
}
