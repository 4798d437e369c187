//! The word of 16 lanes, for x86-64 CPUs with AVX2.
//!
//! A [`Word256`] is made from the proof [`Avx2`] and from other words alone, so a word exists
//! only if the CPU has the instructions. That is the one promise which every call here needs.
#![expect(unsafe_code, reason = "core::arch; the measurement is in `word`")]

use super::board::{ALL_DIGITS, Board, CELLS, CellBits};
use super::bytes::Bytes;
use super::proof::Avx2;
use super::word::{
    BoardValues, CANDIDATES, Cells, DIGIT_OF_HIGH, DIGIT_OF_LOW, HIGH_OF_CLUE, LOW_OF_CLUE,
    Routine, Tile, TileValues, WEIGHED, Word, byte_of, lanes_of, memory, side_by_side,
    transpose_by,
};
use crate::bits::bit_operators;
use crate::puzzle::tables::PEER_SETS;
use core::arch::x86_64 as arch;

/// 16 lanes in a register.
#[derive(Clone, Copy)]
pub(super) struct Word256(arch::__m256i);

memory!(Memory256, 16 lanes, 32 bytes);

/// Calls intrinsics that need AVX2 and touch no memory.
macro_rules! avx2 {
    ($calls:expr) => {
        // SAFETY: a `Word256` or an `Avx2` exists, so this CPU has AVX2.
        unsafe { $calls }
    };
}

bit_operators!(
    Word256,
    |one, other| Self(avx2!(arch::_mm256_and_si256(one.0, other.0))),
    Self(avx2!(arch::_mm256_or_si256(one.0, other.0)))
);

impl Word256 {
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

    /// All ones in these lanes, else 0.
    #[inline(always)]
    fn mask(proof: Avx2, lanes: u16) -> Self {
        let bits = Self::load(proof, &BITS);
        let asked = Self::splat(proof, lanes) & bits;
        Self(avx2!(arch::_mm256_cmpeq_epi16(asked.0, bits.0)))
    }

    /// The digits of single cells, a byte each: from the lower half of `low` and of `high`, then
    /// from their upper halves.
    #[inline(always)]
    fn digits(proof: Avx2, low: Self, high: Self) -> arch::__m256i {
        avx2!({
            // Digit 9, which is bit 8, becomes 255: its halves are 15, which no other digit has.
            let sets = arch::_mm256_packus_epi16(low.0, high.0);
            let half = arch::_mm256_set1_epi8(15);
            let low = arch::_mm256_and_si256(sets, half);
            let high = arch::_mm256_and_si256(arch::_mm256_srli_epi16(sets, 4), half);
            let low = arch::_mm256_shuffle_epi8(twice(proof, DIGIT_OF_LOW), low);
            arch::_mm256_or_si256(low, arch::_mm256_shuffle_epi8(twice(proof, DIGIT_OF_HIGH), high))
        })
    }

    /// All ones in the lanes of `N` digits, else 0.
    #[inline(always)]
    fn is_of<const N: u32>(self) -> Self {
        let highest = self.bits_from::<N>();
        (highest & highest.less_one()).is_zero().without(highest.is_zero())
    }

    /// What `of` makes of 32 cells of a board, cut to bytes of which none becomes 0: of eight cells of a word, of eight
    /// of the next, and again.
    #[inline(always)]
    fn packed(proof: Avx2, board: &Board, k: usize, of: impl Fn(Self) -> Self) -> arch::__m256i {
        let (words, _) = board.cells.as_chunks::<16>();
        let low = of(Self::load(proof, &Memory256(words[2 * k])));
        let high = of(Self::load(proof, &Memory256(words[2 * k + 1])));
        avx2!(arch::_mm256_packs_epi16(low.0, high.0))
    }

    /// The weights of the cells that a cell sees and that have one of its digits, added up in four parts.
    #[inline(always)]
    fn sums_of_weights(
        proof: Avx2,
        board: &Board,
        weights: [arch::__m256i; 3],
        cell: u32,
    ) -> arch::__m256i {
        let digits = Self::splat(proof, board.cells[cell as usize]);
        let mut sum = Self::splat(proof, 0).0;
        for (k, weight) in weights.into_iter().enumerate() {
            let touched = Self::packed(proof, board, k, |word| word & digits);
            let peers = Self::load(proof, &PEER_PLACES[cell as usize][k]).0;
            sum = avx2!({
                let untouched = arch::_mm256_cmpeq_epi8(touched, arch::_mm256_setzero_si256());
                let weight = arch::_mm256_and_si256(weight, peers);
                arch::_mm256_add_epi8(sum, arch::_mm256_andnot_si256(untouched, weight))
            });
        }
        avx2!(arch::_mm256_sad_epu8(sum, arch::_mm256_setzero_si256()))
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

/// Lane `i` has bit `i`.
const BITS: Memory256 = {
    let (mut bits, mut lane) = ([0; 16], 0);
    while lane < 16 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    Memory256(bits)
};

/// All ones at the places of each cell's peers, in the order of `packs`: eight cells of a word, eight of
/// the next, and again.
static PEER_PLACES: [[Memory256; 3]; CELLS] = {
    let mut places = [[Memory256([0; 16]); 3]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut byte = 0;
        while byte < 96 {
            let (k, in_word) = (byte / 32, byte % 32);
            let peer = 32 * k + in_word % 16 / 8 * 16 + in_word / 16 * 8 + in_word % 8;
            if PEER_SETS[cell] >> peer & 1 == 1 {
                places[cell][k].0[in_word / 2] |= 0xff << (8 * (in_word % 2));
            }
            byte += 1;
        }
        cell += 1;
    }
    places
};

/// The low byte of the candidates of values 0 to 9.
const LOW_OF_CANDIDATES: TileValues = byte_of(CANDIDATES, 0);
/// The high byte.
const HIGH_OF_CANDIDATES: TileValues = byte_of(CANDIDATES, 1);

/// Eight times: what is at even places, then what is at odd ones.
const EVEN_THEN_ODD: [u8; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15];

/// The reverse.
const FIRST_AND_NINTH: [u8; 16] = [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15];

/// The same 16 bytes in both halves of a register.
#[inline(always)]
fn twice(_: Avx2, bytes: [u8; 16]) -> arch::__m256i {
    avx2!(arch::_mm256_broadcastsi128_si256(load_tile(&bytes)))
}

/// 16 bytes in a register.
#[inline(always)]
pub(super) fn load_tile(bytes: &TileValues) -> arch::__m128i {
    // SAFETY: SSE2 is part of x86-64; the array is 16 bytes.
    unsafe { arch::_mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// The 16 bytes of a register.
#[inline(always)]
pub(super) fn store_tile(bytes: arch::__m128i) -> TileValues {
    let mut array = [0; 16];
    // SAFETY: SSE2 is part of x86-64; the array is 16 bytes.
    unsafe { arch::_mm_storeu_si128(array.as_mut_ptr().cast(), bytes) }
    array
}

/// Transposes 8 by 8 words in both halves of the registers.
#[inline(always)]
fn transpose(_: Avx2, rows: [arch::__m256i; 8]) -> [arch::__m256i; 8] {
    transpose_by(
        rows,
        |a, b| avx2!(arch::_mm256_unpacklo_epi16(a, b)),
        |a, b| avx2!(arch::_mm256_unpackhi_epi16(a, b)),
    )
}

#[expect(clippy::cast_possible_truncation, reason = "there are 16 lanes")]
#[inline(always)]
const fn cut_to_16_bits(lanes: u32) -> u16 {
    lanes as u16
}

impl Word for Word256 {
    type Memory = Memory256;
    type Proof = Avx2;
    const LANES: usize = 16;
    const HAS_FRONT: bool = true;

    #[inline(always)]
    fn call<R: Routine<Self>>(proof: Avx2, routine: R) -> R::Output {
        proof.call(routine)
    }

    #[inline(always)]
    fn splat(_: Avx2, value: u16) -> Self {
        Self(avx2!(arch::_mm256_set1_epi16(value.cast_signed())))
    }

    #[inline(always)]
    fn in_lanes(proof: Avx2, lanes: u32) -> Self {
        let lanes = Self::mask(proof, cut_to_16_bits(lanes));
        lanes & Self::splat(proof, ALL_DIGITS)
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
    fn less_one(self) -> Self {
        Self(avx2!(arch::_mm256_sub_epi16(self.0, arch::_mm256_set1_epi16(1))))
    }

    #[inline(always)]
    fn where_zero(self, other: Self) -> Self {
        self & other.is_zero()
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
            *chunk = board.stored().0;
        }
        if let Some(chunk) = board.cells.last_chunk_mut::<16>() {
            let last = i32::from(cells[80].0[lane]);
            let word = Self(avx2!(arch::_mm256_zextsi128_si256(arch::_mm_cvtsi32_si128(last))));
            *chunk = word.stored().0;
        }
    }

    const PUTS: usize = 4;
    const MANY_PUTS: u32 = 3;

    /// Four boards at a time are transposed, so that the four candidate sets of a cell lie together, and
    /// each word takes those of its lanes at once.
    #[inline(always)]
    fn put_many<'a>(
        proof: Avx2,
        cells: &mut Cells<Self>,
        lanes: u32,
        board: impl Fn(usize) -> &'a Board,
    ) {
        let mut boards = [board(lanes.trailing_zeros() as usize); 4];
        // Bytes 2 k and 2 k + 1 of a group; 0x8080 gives 0.
        let mut places = Memory256([0x8080; 16]);
        for ((lane, place), k) in lanes_of(lanes).zip(&mut boards).zip(0u16..) {
            *place = board(lane);
            places.0[lane % 16] = 0x0100 + 0x0202 * k;
        }
        let places = Self::load(proof, &places);
        let kept = Self(avx2!(arch::_mm256_srai_epi16::<15>(places.0)));
        let put = |word: &mut Memory256, group: i64| {
            let sets = avx2!(arch::_mm256_shuffle_epi8(arch::_mm256_set1_epi64x(group), places.0));
            ((Self::load(proof, word) & kept) | Self(sets)).store(word);
        };
        let (words, last) = cells.as_flattened_mut().as_chunks_mut::<16>();
        let mut groups = [[0i64; 16]; 6];
        for (k, groups) in groups.iter_mut().enumerate() {
            let [a, b, c, d] = boards
                .map(|board| Self::load(proof, &Memory256(board.cells.as_chunks::<16>().0[k])).0);
            let rows = avx2!({
                let (ab, ab2) =
                    (arch::_mm256_unpacklo_epi16(a, b), arch::_mm256_unpackhi_epi16(a, b));
                let (cd, cd2) =
                    (arch::_mm256_unpacklo_epi16(c, d), arch::_mm256_unpackhi_epi16(c, d));
                [
                    arch::_mm256_unpacklo_epi32(ab, cd),
                    arch::_mm256_unpackhi_epi32(ab, cd),
                    arch::_mm256_unpacklo_epi32(ab2, cd2),
                    arch::_mm256_unpackhi_epi32(ab2, cd2),
                ]
            });
            for (four, row) in groups.as_chunks_mut::<4>().0.iter_mut().zip(rows) {
                // SAFETY: the CPU has AVX; four groups are 32 bytes.
                unsafe { arch::_mm256_storeu_si256(core::ptr::from_mut(four).cast(), row) }
            }
        }
        for (words, groups) in words.iter_mut().zip(&groups) {
            for (i, word) in words.iter_mut().enumerate() {
                // Halves of the register have eight cells each, and each pair of cells is side by side.
                put(word, groups[i % 8 / 2 * 4 + i / 8 * 2 + i % 2]);
            }
        }
        put(&mut last[0], groups[5][0]);
    }

    #[inline(always)]
    fn values(proof: Avx2, board: &Board) -> BoardValues {
        let (words, _) = board.cells.as_chunks::<16>();
        let mut values = [0; 96];
        let (places, _) = values.as_chunks_mut::<32>();
        for (words, place) in words.chunks_exact(2).zip(places) {
            let low = Self::load(proof, &Memory256(words[0]));
            let high = Self::load(proof, &Memory256(words[1]));
            // Packing works on halves of the register: see `mask_bits`.
            let digits = avx2!(arch::_mm256_permute4x64_epi64(
                Self::digits(proof, low, high),
                0b11_01_10_00
            ));
            // SAFETY: the CPU has AVX2; a place is 32 bytes.
            unsafe { arch::_mm256_storeu_si256(core::ptr::from_mut(place).cast(), digits) }
        }
        *values.first_chunk().expect("96 are more than 81")
    }

    #[inline(always)]
    fn candidates(_: Avx2, values: &TileValues) -> [u16; 16] {
        Self(avx2!({
            let values = load_tile(values);
            let low = arch::_mm_shuffle_epi8(load_tile(&LOW_OF_CANDIDATES), values);
            let high = arch::_mm_shuffle_epi8(load_tile(&HIGH_OF_CANDIDATES), values);
            arch::_mm256_set_m128i(
                arch::_mm_unpackhi_epi8(low, high),
                arch::_mm_unpacklo_epi8(low, high),
            )
        }))
        .stored()
        .0
    }

    #[inline(always)]
    fn fill<'a>(proof: Avx2, clues: &mut Tile<Self>, values: impl Fn(usize) -> &'a TileValues) {
        let mut rows = [Self::splat(proof, 0).0; 8];
        for (lane, row) in rows.iter_mut().enumerate() {
            let (low, high) = (load_tile(values(lane)), load_tile(values(lane + 8)));
            *row = avx2!(arch::_mm256_set_m128i(high, low));
        }
        let columns = transpose(proof, rows);
        let (pairs, _) = clues.as_chunks_mut::<2>();
        for (pair, values) in pairs.iter_mut().zip(columns) {
            // Of the two values in a lane, one for each cell of the pair, a byte becomes a set.
            let of_pair = avx2!({
                let values = arch::_mm256_shuffle_epi8(values, twice(proof, EVEN_THEN_ODD));
                let low = arch::_mm256_shuffle_epi8(twice(proof, LOW_OF_CLUE), values);
                let high = arch::_mm256_shuffle_epi8(twice(proof, HIGH_OF_CLUE), values);
                [arch::_mm256_unpacklo_epi8(low, high), arch::_mm256_unpackhi_epi8(low, high)]
            });
            for (word, clues) in pair.iter_mut().zip(of_pair) {
                Self(clues).store(word);
            }
        }
    }

    #[inline(always)]
    fn flush(proof: Avx2, cells: &Tile<Self>, mut to: impl FnMut(usize, TileValues)) {
        let mut columns = [Self::splat(proof, 0).0; 8];
        let (pairs, _) = cells.as_chunks::<2>();
        for ([even, odd], column) in pairs.iter().zip(&mut columns) {
            let digits = Self::digits(proof, Self::load(proof, even), Self::load(proof, odd));
            // Eight lanes of the even cell, then of the odd one: side by side in each lane.
            *column = avx2!(arch::_mm256_shuffle_epi8(digits, twice(proof, FIRST_AND_NINTH)));
        }
        for (lane, row) in transpose(proof, columns).into_iter().enumerate() {
            to(lane, store_tile(avx2!(arch::_mm256_castsi256_si128(row))));
            to(lane + 8, store_tile(avx2!(arch::_mm256_extracti128_si256(row, 1))));
        }
    }

    /// Bytes of weights are added up for six cells side by side: no bits are moved to plain registers and
    /// counted there.
    #[inline(always)]
    fn heaviest(proof: Avx2, board: &Board, _: CellBits, cells: [u32; WEIGHED]) -> usize {
        let mut weights = [Self::splat(proof, 0).0; 3];
        for (k, weight) in weights.iter_mut().enumerate() {
            let pairs = Self::packed(proof, board, k, Self::is_of::<2>);
            *weight = avx2!(arch::_mm256_add_epi8(
                arch::_mm256_and_si256(pairs, arch::_mm256_set1_epi8(3)),
                arch::_mm256_set1_epi8(1)
            ));
        }
        // One by one: of a loop, the compiler sends the sums to the stack and back (2 % on hard lists).
        let sums = [
            Self::sums_of_weights(proof, board, weights, cells[0]),
            Self::sums_of_weights(proof, board, weights, cells[1]),
            Self::sums_of_weights(proof, board, weights, cells[2]),
            Self::sums_of_weights(proof, board, weights, cells[3]),
            Self::sums_of_weights(proof, board, weights, cells[4]),
            Self::sums_of_weights(proof, board, weights, cells[5]),
        ];
        let [low, high] = side_by_side([
            cells[0].into(),
            cells[1].into(),
            cells[2].into(),
            cells[3].into(),
            cells[4].into(),
            cells[5].into(),
            0,
            0,
        ])
        .map(u64::cast_signed);
        let least = avx2!({
            let two = |a, b| arch::_mm256_or_si256(a, arch::_mm256_slli_epi64::<16>(b));
            let four = arch::_mm256_or_si256(
                two(sums[0], sums[1]),
                arch::_mm256_slli_epi64::<32>(two(sums[2], sums[3])),
            );
            let halves = |sums| {
                let high = arch::_mm256_extracti128_si256::<1>(sums);
                arch::_mm_add_epi16(arch::_mm256_castsi256_si128(sums), high)
            };
            let (four, two) = (halves(four), halves(two(sums[4], sums[5])));
            let weights = arch::_mm_add_epi16(
                arch::_mm_unpacklo_epi64(four, two),
                arch::_mm_unpackhi_epi64(four, two),
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
    fn take_from_peers(proof: Avx2, board: &mut Board, cell: usize, digits: u16) {
        let digits = Self::splat(proof, digits);
        let (words, _) = board.cells.as_chunks_mut::<16>();
        for (two, places) in words.as_chunks_mut::<2>().0.iter_mut().zip(&PEER_PLACES[cell]) {
            let places = Self::load(proof, places).0;
            let peers = avx2!([
                arch::_mm256_unpacklo_epi8(places, places),
                arch::_mm256_unpackhi_epi8(places, places)
            ]);
            for (word, peers) in two.iter_mut().zip(peers) {
                let taken = Self(peers) & digits;
                *word = Self::load(proof, &Memory256(*word)).without(taken).stored().0;
            }
        }
    }

    #[inline(always)]
    fn cells_of<const N: u32>(proof: Avx2, board: &Board) -> CellBits {
        Self::cells_where(proof, board, Self::is_of::<N>)
    }
}

/// 16 bytes in half a register.
#[derive(Clone, Copy)]
pub(super) struct Bytes128(arch::__m128i);

bit_operators!(
    Bytes128,
    |one, other| Self(avx2!(arch::_mm_and_si128(one.0, other.0))),
    Self(avx2!(arch::_mm_or_si128(one.0, other.0)))
);

impl Bytes for Bytes128 {
    type Proof = Avx2;

    /// For the first two places of each stack, then for the last two: 0 at the earlier place and all ones at the
    /// later one if they are tied. All ones and 0 at all other places.
    type Ties = [(Self, Self); 2];
    const IS_REGISTER: bool = true;

    #[inline(always)]
    fn load(_: Avx2, bytes: &[u8; 16]) -> Self {
        Self(load_tile(bytes))
    }

    #[inline(always)]
    fn to_array(self) -> [u8; 16] {
        store_tile(self.0)
    }

    #[inline(always)]
    fn splat(_: Avx2, byte: u8) -> Self {
        Self(avx2!(arch::_mm_set1_epi8(byte.cast_signed())))
    }

    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        Self(avx2!(arch::_mm_shuffle_epi8(self.0, places.0)))
    }

    #[inline(always)]
    fn with(self, place: u8, old: u8, new: u8) -> Self {
        Self(avx2!({
            let each = arch::_mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            let there = arch::_mm_cmpeq_epi8(each, arch::_mm_set1_epi8(place.cast_signed()));
            let change = arch::_mm_set1_epi8((old ^ new).cast_signed());
            arch::_mm_xor_si128(self.0, arch::_mm_and_si128(there, change))
        }))
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "16 bits")]
    fn equal(self, other: Self) -> u16 {
        let places = avx2!(arch::_mm_movemask_epi8(arch::_mm_cmpeq_epi8(self.0, other.0)));
        places as u16 & 0x1ff
    }

    #[inline(always)]
    fn equal_to_previous(self) -> u16 {
        self.equal(Self(avx2!(arch::_mm_slli_si128::<1>(self.0)))) & 0x1fe
    }

    #[inline(always)]
    fn ties(proof: Avx2, tied: u16) -> Self::Ties {
        // The bits of places 1 to 8.
        let tied = Self::splat(proof, (tied >> 1).to_le_bytes()[0]);
        TIE_BITS.map(|[earlier, later, later_or_255]| {
            let earlier = tied & Self::load(proof, &earlier);
            let later = tied & Self::load(proof, &later);
            let tie = Self::load(proof, &later_or_255);
            avx2!((
                Self(arch::_mm_cmpeq_epi8(earlier.0, arch::_mm_setzero_si128())),
                Self(arch::_mm_cmpeq_epi8(later.0, tie.0))
            ))
        })
    }

    #[inline(always)]
    fn sorted(mut self, [first, last]: Self::Ties) -> Self {
        for (earlier, later) in [first, last, first] {
            self.0 = avx2!({
                let next = arch::_mm_or_si128(arch::_mm_srli_si128::<1>(self.0), earlier.0);
                let previous = arch::_mm_and_si128(arch::_mm_slli_si128::<1>(self.0), later.0);
                arch::_mm_max_epu8(arch::_mm_min_epu8(self.0, next), previous)
            });
        }
        self
    }

    #[inline(always)]
    fn upper_halves(self) -> u64 {
        let pairs = avx2!({
            let halves = arch::_mm_and_si128(self.0, arch::_mm_set1_epi8(-16));
            // Two bytes `a0` and `b0` become `ab0`, then the byte `ab`.
            let pairs = arch::_mm_maddubs_epi16(halves, arch::_mm_set1_epi16(0x0110));
            let pairs = arch::_mm_srli_epi16::<4>(pairs);
            arch::_mm_cvtsi128_si64(arch::_mm_packus_epi16(pairs, pairs))
        });
        // Nine halves of 16.
        pairs.cast_unsigned().swap_bytes() >> 28
    }

    #[inline(always)]
    fn spread(self, bytes: [u8; 9]) -> Self {
        avx2!({
            let each = arch::_mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            let mut table = arch::_mm_setzero_si128();
            for (k, byte) in (0..).zip(bytes) {
                let place = arch::_mm_shuffle_epi8(self.0, arch::_mm_set1_epi8(k));
                let there = arch::_mm_cmpeq_epi8(place, each);
                let byte = arch::_mm_set1_epi8(byte.cast_signed());
                table = arch::_mm_or_si128(table, arch::_mm_and_si128(there, byte));
            }
            Self(table)
        })
    }

    #[inline(always)]
    fn triples(self) -> [usize; 3] {
        avx2!({
            let stacks = arch::_mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, -1, -1, -1, -1);
            let places = arch::_mm_shuffle_epi8(self.0, stacks);
            // 81 a + 9 b and c, then their sum.
            let weights = arch::_mm_set1_epi32(i32::from_le_bytes([81, 9, 1, 0]));
            let words = arch::_mm_maddubs_epi16(places, weights);
            let sums = arch::_mm_madd_epi16(words, arch::_mm_set1_epi16(1));
            [
                arch::_mm_extract_epi16::<0>(sums).cast_unsigned() as usize,
                arch::_mm_extract_epi16::<2>(sums).cast_unsigned() as usize,
                arch::_mm_extract_epi16::<4>(sums).cast_unsigned() as usize,
            ]
        })
    }

    #[inline(always)]
    fn transposed(tables: [Self; 9]) -> [Self; 9] {
        let (last, first) = (tables[8], *tables.first_chunk().expect("9 tables"));
        // Places 0 and 1, then 2 and 3, …, of the first eight tables.
        let pairs = transpose_by(
            first,
            |a, b| Self(avx2!(arch::_mm_unpacklo_epi8(a.0, b.0))),
            |a, b| Self(avx2!(arch::_mm_unpackhi_epi8(a.0, b.0))),
        );
        macro_rules! column {
            ($k:literal) => {
                Self(avx2!({
                    let first = arch::_mm_srli_si128::<{ 8 * ($k % 2) }>(pairs[$k / 2].0);
                    arch::_mm_unpacklo_epi64(first, arch::_mm_srli_si128::<$k>(last.0))
                }))
            };
        }
        [
            column!(0),
            column!(1),
            column!(2),
            column!(3),
            column!(4),
            column!(5),
            column!(6),
            column!(7),
            column!(8),
        ]
    }
}

/// For the first two places of each stack, then for the last two: the bit of the tie at the earlier place; at the
/// later place; and again, where there is none 255, which no bits are.
const TIE_BITS: [[[u8; 16]; 3]; 2] = {
    let mut bits = [[[0; 16], [0; 16], [255; 16]]; 2];
    let mut place = 0;
    while place < 8 {
        if place % 3 < 2 {
            let [earlier, later, later_or_255] = &mut bits[place % 3];
            earlier[place] = 1 << place;
            later[place + 1] = 1 << place;
            later_or_255[place + 1] = 1 << place;
        }
        place += 1;
    }
    bits
};
