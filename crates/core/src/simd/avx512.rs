//! The word of 32 lanes, for x86-64 CPUs with AVX-512 F and BW.
//!
//! Its comparisons give bits in mask registers, and one `vpternlog` does any two of `&`, `|`,
//! `!` at once (the compiler finds those by itself), so a pass over 32 puzzles costs what AVX2
//! needs for 16.
//!
//! A [`Word512`] is made from the proof [`Avx512`] and from other words alone, so a word exists
//! only if the CPU has the instructions. That is the one promise which every call here needs.
#![expect(unsafe_code, reason = "core::arch; the measurement is in `word`")]

use super::avx2::{load_tile, store_tile};
use super::board::{ALL_DIGITS, Board, CELLS, CellBits};
use super::proof::Avx512;
use super::word::{
    BoardValues, CANDIDATES, CLUES, Cells, DIGIT_OF_HIGH, DIGIT_OF_LOW, Routine, Tile, TileValues,
    WEIGHED, Word, lanes_of, memory, transpose_by,
};
use crate::bits::bit_operators;
use crate::puzzle::tables::PEER_SETS;
use core::arch::x86_64 as arch;
use core::hint::black_box;
use core::sync::atomic::AtomicU8;
use core::sync::atomic::Ordering::Relaxed;

/// 32 lanes in a register.
#[derive(Clone, Copy)]
pub(super) struct Word512(arch::__m512i);

memory!(Memory512, 32 lanes, 64 bytes);

/// Calls intrinsics that need AVX-512 F and BW and touch no memory.
macro_rules! avx512 {
    ($calls:expr) => {
        // SAFETY: a `Word512` or an `Avx512` exists, so this CPU has AVX-512 F and BW.
        unsafe { $calls }
    };
}

bit_operators!(
    Word512,
    |one, other| Self(avx512!(arch::_mm512_and_si512(one.0, other.0))),
    Self(avx512!(arch::_mm512_or_si512(one.0, other.0)))
);

impl Word512 {
    /// Sets of one digit in a byte: digit 9, which is bit 8, becomes 255.
    #[inline(always)]
    fn cut(self, proof: Avx512) -> Self {
        Self(avx512!(arch::_mm512_min_epu16(self.0, Self::splat(proof, 255).0)))
    }

    /// Copies the board in a lane by gathers, 16 cells at a time.
    #[inline(always)]
    fn copy_by_gathers(_: Avx512, cells: &Cells<Self>, lane: usize, board: &mut Board) {
        let lane = lane % Self::LANES;
        let cells = cells.as_flattened();
        let (words, _) = board.cells.as_chunks_mut::<32>();
        // A gather reads 32 bits: this lane's and its neighbour's, which is then shifted out or
        // cut off.
        let places = avx512!(arch::_mm512_mullo_epi32(
            arch::_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
            arch::_mm512_set1_epi32(64)
        ));
        let gather = |words: &[Memory512; 16]| {
            // From the pointer to all 16 words: one to the first lane alone may not read the rest.
            let first = words.as_ptr().cast::<u16>().wrapping_add(lane & !1).cast();
            // SAFETY: the CPU has AVX-512 F. `first` may read all 1024 bytes of `words`, and the
            // last read ends at byte `15 * 64 + 2 * (lane & !1) + 4`, 1024 at most: lane is under 32.
            let pairs = unsafe { arch::_mm512_i32gather_epi32::<1>(places, first) };
            avx512!({
                let odd = arch::_mm512_srli_epi32::<16>(pairs);
                arch::_mm512_cvtepi32_epi16(if lane & 1 == 1 { odd } else { pairs })
            })
        };
        let (blocks, last) = cells.as_chunks::<16>();
        let last = avx512!({
            let last = arch::_mm_cvtsi32_si128(i32::from(last[0].0[lane]));
            arch::_mm256_zextsi128_si256(last)
        });
        // In stores of a whole register, as `choose` loads them.
        for (k, word) in words.iter_mut().enumerate() {
            let high = blocks.get(2 * k + 1).map_or(last, gather);
            let cells = avx512!({
                let low = arch::_mm512_castsi256_si512(gather(&blocks[2 * k]));
                arch::_mm512_inserti64x4::<1>(low, high)
            });
            *word = Self(cells).stored().0;
        }
    }

    /// The same by inserting 81 words one by one.
    #[inline(always)]
    fn copy_by_inserts(_: Avx512, cells: &Cells<Self>, lane: usize, board: &mut Board) {
        let lane = lane % Self::LANES;
        let cells = cells.as_flattened();
        let (words, _) = board.cells.as_chunks_mut::<32>();
        let (eights, last) = cells.as_chunks::<8>();
        let eight = |k: usize| {
            let at = |i: usize| eights[k][i].0[lane].cast_signed();
            avx512!(arch::_mm_setr_epi16(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)))
        };
        let last = avx512!(arch::_mm_cvtsi32_si128(i32::from(last[0].0[lane])));
        // In stores of a whole register, as `choose` loads them.
        for (k, word) in words.iter_mut().enumerate() {
            let cells = avx512!({
                let low = arch::_mm256_set_m128i(eight(4 * k + 1), eight(4 * k));
                let high = if k < 2 {
                    arch::_mm256_set_m128i(eight(4 * k + 3), eight(4 * k + 2))
                } else {
                    arch::_mm256_zextsi128_si256(last)
                };
                arch::_mm512_inserti64x4::<1>(arch::_mm512_castsi256_si512(low), high)
            });
            *word = Self(cells).stored().0;
        }
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

/// Whether this CPU copies a board sooner by gathers than by inserts, as [`CopyTiming`] found it: a copy takes
/// 12 and 20 ns on a Xeon, 29 and 11 on a Zen 4, where a gather is microcode.
static GATHERS: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const FASTER: u8 = 1;
const SLOWER: u8 = 2;

/// Measures both ways to copy a board, in a few µs, before the first copy. The copies are the same.
struct CopyTiming<'a> {
    cells: &'a Cells<Word512>,
}

impl Routine<Word512> for CopyTiming<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self, proof: Avx512) -> bool {
        let mut board = Board::EMPTY;
        // SAFETY: all CPUs of x86-64 have this instruction.
        #[allow(unused_unsafe, reason = "safe in later releases of Rust")]
        let now = || unsafe { arch::_rdtsc() };
        // The least of several: an interrupt takes longer than all copies.
        let (mut gathers, mut inserts) = (u64::MAX, u64::MAX);
        for _ in 0..4 {
            let start = now();
            for lane in 0..Word512::LANES {
                Word512::copy_by_gathers(proof, self.cells, black_box(lane), black_box(&mut board));
            }
            let middle = now();
            for lane in 0..Word512::LANES {
                Word512::copy_by_inserts(proof, self.cells, black_box(lane), black_box(&mut board));
            }
            gathers = gathers.min(middle.wrapping_sub(start));
            inserts = inserts.min(now().wrapping_sub(middle));
        }
        GATHERS.store(if gathers < inserts { FASTER } else { SLOWER }, Relaxed);
        gathers < inserts
    }
}

/// The sets of values 0 to 9, as a table for `vpermw`.
const fn table(sets: [u16; 16]) -> Memory512 {
    let (mut table, mut value) = ([0; 32], 0);
    while value < 10 {
        table[value] = sets[value];
        value += 1;
    }
    Memory512(table)
}

/// A bit that no set of digits has.
const FLAG: u16 = 0x8000;

/// Where the peers of each cell are among the cells of a board, and 12 times one that is always
/// empty. Places in the third word of the board, from 64 on, are flagged.
#[expect(clippy::cast_possible_truncation, reason = "81 at most")]
static PEER_PLACES: [Memory512; CELLS] = {
    let mut places = [Memory512([FLAG + 95; 32]); CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (mut peer, mut count) = (0, 0);
        while peer < CELLS {
            if PEER_SETS[cell] >> peer & 1 == 1 {
                places[cell].0[count] = if peer < 64 { peer as u16 } else { FLAG + peer as u16 };
                count += 1;
            }
            peer += 1;
        }
        cell += 1;
    }
    places
};

/// The digits of the single cells whose sets are in these bytes (see [`Word512::cut`]).
#[inline(always)]
fn digits(_: Avx512, sets: arch::__m512i) -> arch::__m512i {
    let table = |bytes| avx512!(arch::_mm512_broadcast_i32x4(load_tile(bytes)));
    avx512!({
        let half = arch::_mm512_set1_epi8(15);
        let low = arch::_mm512_and_si512(sets, half);
        let high = arch::_mm512_and_si512(arch::_mm512_srli_epi16::<4>(sets), half);
        let low = arch::_mm512_shuffle_epi8(table(&DIGIT_OF_LOW), low);
        arch::_mm512_or_si512(low, arch::_mm512_shuffle_epi8(table(&DIGIT_OF_HIGH), high))
    })
}

/// Transposes 8 by 8 words in each quarter of the registers.
#[inline(always)]
fn transpose(_: Avx512, rows: [arch::__m512i; 8]) -> [arch::__m512i; 8] {
    transpose_by(
        rows,
        |a, b| avx512!(arch::_mm512_unpacklo_epi16(a, b)),
        |a, b| avx512!(arch::_mm512_unpackhi_epi16(a, b)),
    )
}

#[expect(clippy::cast_possible_truncation, reason = "the bits above are for other words")]
#[inline(always)]
const fn cut_to_32_bits(cells: CellBits) -> u32 {
    cells as u32
}

impl Word for Word512 {
    type Memory = Memory512;
    type Proof = Avx512;
    const LANES: usize = 32;
    const HAS_FRONT: bool = true;

    #[inline(always)]
    fn call<R: Routine<Self>>(proof: Avx512, routine: R) -> R::Output {
        proof.call(routine)
    }

    #[inline(always)]
    fn splat(_: Avx512, value: u16) -> Self {
        Self(avx512!(arch::_mm512_set1_epi16(value.cast_signed())))
    }

    #[inline(always)]
    fn in_lanes(proof: Avx512, lanes: u32) -> Self {
        let digits = Self::splat(proof, ALL_DIGITS);
        Self(avx512!(arch::_mm512_maskz_mov_epi16(lanes, digits.0)))
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
    fn less_one(self) -> Self {
        Self(avx512!(arch::_mm512_sub_epi16(self.0, arch::_mm512_set1_epi16(1))))
    }

    #[inline(always)]
    fn replaced_by(self, new: Self) -> Self {
        Self(avx512!({
            let some = arch::_mm512_test_epi16_mask(new.0, new.0);
            arch::_mm512_mask_mov_epi16(self.0, some, new.0)
        }))
    }

    #[inline(always)]
    fn where_zero(self, other: Self) -> Self {
        Self(avx512!({
            let zero = arch::_mm512_testn_epi16_mask(other.0, other.0);
            arch::_mm512_maskz_mov_epi16(zero, self.0)
        }))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        avx512!(arch::_mm512_cmpeq_epi16_mask(self.0, other.0))
    }

    #[inline(always)]
    fn copy_lane(proof: Avx512, cells: &Cells<Self>, lane: usize, board: &mut Board) {
        let gathers = match GATHERS.load(Relaxed) {
            UNKNOWN => proof.call(CopyTiming { cells }),
            known => known == FASTER,
        };
        if gathers {
            Self::copy_by_gathers(proof, cells, lane, board);
        } else {
            Self::copy_by_inserts(proof, cells, lane, board);
        }
    }

    const PUTS: usize = 8;
    const MANY_PUTS: u32 = 4;

    /// Eight boards at a time are transposed, so that the eight candidate sets of a cell lie together, and
    /// each word takes those of its lanes at once.
    #[inline(always)]
    fn put_many<'a>(
        proof: Avx512,
        cells: &mut Cells<Self>,
        lanes: u32,
        board: impl Fn(usize) -> &'a Board,
    ) {
        let mut boards = [board(lanes.trailing_zeros() as usize); 8];
        let mut places = Memory512([0; 32]);
        for ((lane, place), k) in lanes_of(lanes).zip(&mut boards).zip(0u16..) {
            *place = board(lane);
            places.0[lane] = k;
        }
        let places = Self::load(proof, &places);
        let places = [0u16, 8, 16, 24].map(|first| places.plus(Self::splat(proof, first)));
        let put = |word: &mut Memory512, places: Self, set: arch::__m512i| {
            let old = Self::load(proof, word).0;
            let new = avx512!(arch::_mm512_mask_permutexvar_epi16(old, lanes, places.0, set));
            Self(new).store(word);
        };
        let (eights, last) = cells.as_flattened_mut().as_chunks_mut::<8>();
        for (w, eights) in eights.chunks_mut(4).enumerate() {
            let rows = boards
                .map(|board| Self::load(proof, &Memory512(board.cells.as_chunks::<32>().0[w])).0);
            let sets = transpose(proof, rows);
            for (eight, places) in eights.iter_mut().zip(places) {
                for (word, set) in eight.iter_mut().zip(sets) {
                    put(word, places, set);
                }
            }
            if w == 2 {
                put(&mut last[0], places[2], sets[0]);
            }
        }
    }

    #[inline(always)]
    fn values(proof: Avx512, board: &Board) -> BoardValues {
        let (words, _) = board.cells.as_chunks::<32>();
        let mut values = [0; 96];
        let (places, _) = values.as_chunks_mut::<32>();
        for (words, place) in words.iter().zip(places) {
            let sets = Self::load(proof, &Memory512(*words)).cut(proof);
            let bytes = avx512!(arch::_mm512_cvtepi16_epi8(digits(proof, sets.0)));
            // SAFETY: the CPU has AVX; a place is 32 bytes.
            unsafe { arch::_mm256_storeu_si256(core::ptr::from_mut(place).cast(), bytes) }
        }
        *values.first_chunk().expect("96 are more than 81")
    }

    #[inline(always)]
    fn candidates(proof: Avx512, values: &TileValues) -> [u16; 16] {
        let table = Self::load(proof, &const { table(CANDIDATES) }).0;
        let mut sets = [0; 16];
        // SAFETY: the CPU has AVX-512 BW and VL; the array is 32 bytes.
        unsafe {
            let values = arch::_mm256_cvtepu8_epi16(load_tile(values));
            let values = arch::_mm512_castsi256_si512(values);
            let found = arch::_mm512_castsi512_si256(arch::_mm512_permutexvar_epi16(values, table));
            arch::_mm256_storeu_si256(sets.as_mut_ptr().cast(), found);
        }
        sets
    }

    #[inline(always)]
    fn fill<'a>(proof: Avx512, clues: &mut Tile<Self>, values: impl Fn(usize) -> &'a TileValues) {
        let sets = Self::load(proof, &const { table(CLUES) }).0;
        let mut rows = [Self::splat(proof, 0).0; 8];
        for (lane, row) in rows.iter_mut().enumerate() {
            let quarter = |k: usize| load_tile(values(lane + 8 * k));
            *row = avx512!({
                let row = arch::_mm512_castsi128_si512(quarter(0));
                let row = arch::_mm512_inserti32x4::<1>(row, quarter(1));
                let row = arch::_mm512_inserti32x4::<2>(row, quarter(2));
                arch::_mm512_inserti32x4::<3>(row, quarter(3))
            });
        }
        let (pairs, _) = clues.as_chunks_mut::<2>();
        for (pair, values) in pairs.iter_mut().zip(transpose(proof, rows)) {
            // Two values in a lane, one for each cell of the pair. Of an index only five bits count.
            let of_pair = avx512!({
                let odd = arch::_mm512_srli_epi16::<8>(values);
                [
                    arch::_mm512_permutexvar_epi16(values, sets),
                    arch::_mm512_permutexvar_epi16(odd, sets),
                ]
            });
            for (word, clues) in pair.iter_mut().zip(of_pair) {
                Self(clues).store(word);
            }
        }
    }

    #[inline(always)]
    fn flush(proof: Avx512, cells: &Tile<Self>, mut to: impl FnMut(usize, TileValues)) {
        let mut columns = [Self::splat(proof, 0).0; 8];
        let (pairs, _) = cells.as_chunks::<2>();
        for ([even, odd], column) in pairs.iter().zip(&mut columns) {
            let (even, odd) =
                (Self::load(proof, even).cut(proof), Self::load(proof, odd).cut(proof));
            // The digits of the two cells side by side in each lane.
            *column = digits(
                proof,
                avx512!(arch::_mm512_or_si512(even.0, arch::_mm512_slli_epi16::<8>(odd.0))),
            );
        }
        for (lane, row) in transpose(proof, columns).into_iter().enumerate() {
            let quarters = avx512!([
                arch::_mm512_castsi512_si128(row),
                arch::_mm512_extracti32x4_epi32::<1>(row),
                arch::_mm512_extracti32x4_epi32::<2>(row),
                arch::_mm512_extracti32x4_epi32::<3>(row),
            ]);
            for (k, quarter) in quarters.into_iter().enumerate() {
                to(lane + 8 * k, store_tile(quarter));
            }
        }
    }

    /// The peers of each cell with their weights above the digits, and the sums of six cells side by side: no
    /// masks are moved to plain registers and counted there.
    #[inline(always)]
    fn heaviest(proof: Avx512, board: &Board, pairs: CellBits, cells: [u32; WEIGHED]) -> usize {
        let (words, _) = board.cells.as_chunks::<32>();
        let weighed = |k: usize| {
            let word = Self::load(proof, &Memory512(words[k])).0;
            let pairs = cut_to_32_bits(pairs >> (32 * k));
            avx512!({
                let one = arch::_mm512_set1_epi16(1 << 12);
                let weight =
                    arch::_mm512_mask_mov_epi16(one, pairs, arch::_mm512_set1_epi16(4 << 12));
                arch::_mm512_or_si512(word, weight)
            })
        };
        let (a, b, c) = (weighed(0), weighed(1), weighed(2));
        // A loop: `map` may be another function, compiled for any CPU.
        let mut weights = [Self::splat(proof, 0).0; WEIGHED];
        for (weight, cell) in weights.iter_mut().zip(cells) {
            let places = Self::load(proof, &PEER_PLACES[cell as usize]).0;
            let digits = Self::splat(proof, board.cells[cell as usize]).0;
            *weight = avx512!({
                let peers = arch::_mm512_permutex2var_epi16(a, places, b);
                let in_c = arch::_mm512_movepi16_mask(places);
                let peers = arch::_mm512_mask_permutexvar_epi16(peers, in_c, places, c);
                let touched = arch::_mm512_test_epi16_mask(peers, digits);
                arch::_mm512_maskz_srli_epi16::<12>(touched, peers)
            });
        }
        let [low, high] = [0, 1].map(|k| {
            (u64::from(cells[k]) | u64::from(cells[k + 2]) << 16 | u64::from(cells[k + 4]) << 32)
                .cast_signed()
        });
        let least = avx512!({
            let sums = |k: usize| {
                let bytes = arch::_mm512_packus_epi16(weights[k], weights[k + 1]);
                arch::_mm512_sad_epu8(bytes, arch::_mm512_setzero_si512())
            };
            let sums = arch::_mm512_or_si512(
                arch::_mm512_or_si512(sums(0), arch::_mm512_slli_epi64::<16>(sums(2))),
                arch::_mm512_slli_epi64::<32>(sums(4)),
            );
            let sums = arch::_mm256_add_epi16(
                arch::_mm512_castsi512_si256(sums),
                arch::_mm512_extracti64x4_epi64::<1>(sums),
            );
            let weights = arch::_mm_add_epi16(
                arch::_mm256_castsi256_si128(sums),
                arch::_mm256_extracti128_si256::<1>(sums),
            );
            let scores = arch::_mm_or_si128(
                arch::_mm_slli_epi16::<8>(weights),
                arch::_mm_set_epi64x(high, low),
            );
            // The greatest is the least complement.
            let complements = arch::_mm_xor_si128(scores, arch::_mm_set1_epi8(-1));
            arch::_mm_extract_epi16::<0>(arch::_mm_minpos_epu16(complements))
        });
        (!least).cast_unsigned() as usize & 0xff
    }

    #[inline(always)]
    fn take_from_peers(proof: Avx512, board: &mut Board, cell: usize, digits: u16) {
        let digits = Self::splat(proof, digits);
        let (words, _) = board.cells.as_chunks_mut::<32>();
        for (i, word) in words.iter_mut().enumerate() {
            let asked = cut_to_32_bits(PEER_SETS[cell] >> (32 * i));
            let taken = Self(avx512!(arch::_mm512_maskz_mov_epi16(asked, digits.0)));
            *word = Self::load(proof, &Memory512(*word)).without(taken).stored().0;
        }
    }

    #[inline(always)]
    fn cells_of<const N: u32>(proof: Avx512, board: &Board) -> CellBits {
        Self::cells_where(proof, board, |word| {
            let highest = word.bits_from::<N>();
            avx512!({
                let some = arch::_mm512_test_epi16_mask(highest.0, highest.0);
                arch::_mm512_mask_testn_epi16_mask(some, highest.0, highest.less_one().0)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Random;
    use crate::simd::SimdLevel;

    /// Copies every lane in both ways.
    struct Copies;

    impl Routine<Word512> for Copies {
        type Output = ();

        fn run(self, proof: Avx512) {
            let (mut cells, mut random) = ([[Memory512::from(0); 27]; 3], Random::new(37));
            for cell in cells.as_flattened_mut().iter_mut().flat_map(AsMut::as_mut) {
                *cell = u16::try_from(random.below(512)).expect("nine bits");
            }
            for lane in 0..Word512::LANES {
                let mut boards = [Board::EMPTY; 3];
                Word512::copy_by_gathers(proof, &cells, lane, &mut boards[0]);
                Word512::copy_by_inserts(proof, &cells, lane, &mut boards[1]);
                for (set, word) in boards[2].cells.iter_mut().zip(cells.as_flattened()) {
                    *set = word.as_ref()[lane];
                }
                assert!(boards.iter().all(|board| board.cells == boards[2].cells), "lane {lane}");
            }
        }
    }

    #[test]
    fn a_board_is_copied_by_gathers_as_by_inserts() {
        if let SimdLevel::Avx512(proof) = SimdLevel::best() {
            Word512::call(proof, Copies);
        }
    }
}
