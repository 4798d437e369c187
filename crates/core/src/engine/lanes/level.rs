//! The vector instructions of this CPU: detected once; the result is the permission to use them.
//!
//! Each level is a type that only its `detect` makes, so safe code cannot claim instructions that
//! the CPU lacks. `detect` asks the CPU with the feature `std`; without it, it asks the compiler.
//! A level is entered once per batch: the function with `#[target_feature]` here is the only
//! one compiled for it, and the kernel, `#[inline(always)]` all the way down, melts into it. A
//! kernel function that is not inlined is silently compiled for the baseline CPU and costs 1.8
//! times as much; `.ci/run` looks for such symbols. NEON is in the baseline of aarch64: there the
//! compiler's target answers, and the entries are plain functions.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "enters the code for a CPU that has been asked")
)]

use super::bytes::{Bytes, Plain};
use super::search::{Job, Search};
use super::word::{Portable, Word};
use crate::names::UnknownName;
use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A set of vector instructions that this CPU has.
///
/// A value is the proof: only [`SimdLevel::available`] and [`SimdLevel::by_name`] make one.
///
/// ```
/// use ninefold_core::engine::lanes::SimdLevel;
///
/// let best = SimdLevel::best();
/// assert_eq!(SimdLevel::by_name(best.name()), Ok(best));
/// assert!(SimdLevel::available().any(|level| level == SimdLevel::Portable));
/// assert!(SimdLevel::Portable.features().is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdLevel {
    /// What every CPU has: 4 lanes in a plain integer.
    Portable,
    /// 16 lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// 32 lanes.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// 8 lanes.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    /// 8 lanes.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
}

impl SimdLevel {
    /// The names of all levels, whether this CPU has them or not.
    #[doc(hidden)]
    pub const NAMES: [&str; 5] = ["portable", "avx2", "avx512", "neon", "simd128"];

    /// The levels of this CPU, the widest last.
    ///
    /// Without the feature `std`, these are the levels that the compiler's target has.
    pub fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let wider = [Avx2::detect().map(Self::Avx2), Avx512::detect().map(Self::Avx512)];
        #[cfg(target_arch = "aarch64")]
        let wider = [Neon::detect().map(Self::Neon)];
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        let wider = [Some(Self::Simd128(Simd128(())))];
        #[cfg(not(any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        let wider: [Option<Self>; 0] = [];
        core::iter::once(Self::Portable).chain(wider.into_iter().flatten())
    }

    /// The widest level of this CPU.
    #[must_use]
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Portable)
    }

    /// The level with this name.
    ///
    /// # Errors
    /// If no level has this name, or this CPU lacks it.
    ///
    /// ```
    /// use ninefold_core::engine::lanes::{SimdError, SimdLevel};
    ///
    /// assert_eq!(SimdLevel::by_name("portable"), Ok(SimdLevel::Portable));
    /// assert!(matches!(SimdLevel::by_name("mmx"), Err(SimdError::Unknown(_))));
    /// ```
    pub fn by_name(name: &str) -> Result<Self, SimdError> {
        let found = Self::available().find(|level| level.name() == name);
        found.ok_or_else(|| match Self::NAMES.into_iter().find(|&known| known == name) {
            Some(level) => SimdError::Unsupported { level, best: Self::best() },
            None => SimdError::Unknown(UnknownName::among("SIMD level", Self::NAMES, name)),
        })
    }

    /// The CPU features that the level needs, by their vendor names. The portable level needs none.
    #[doc(hidden)]
    #[must_use]
    pub const fn features(self) -> &'static [&'static str] {
        match self {
            Self::Portable => &[],
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Avx2::FEATURES,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Avx512::FEATURES,
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => Neon::FEATURES,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(_) => &["simd128"],
        }
    }

    /// The name of the level, as `--simd` takes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(_) => "simd128",
        }
    }
}

/// Why [`SimdLevel::by_name`] found no level.
///
/// ```
/// use ninefold_core::engine::lanes::SimdLevel;
///
/// let error = SimdLevel::by_name("mmx").unwrap_err();
/// assert_eq!(error.to_string(), "expected one of portable, avx2, avx512, neon, simd128, found 'mmx'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdError {
    /// No level has this name.
    Unknown(UnknownName),
    /// This CPU lacks the level.
    Unsupported {
        /// The name of the level.
        level: &'static str,
        /// The widest level of this CPU.
        best: SimdLevel,
    },
}

impl fmt::Display for SimdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(error) => error.fmt(f),
            Self::Unsupported { level, best } => {
                write!(f, "this CPU lacks {level}; its widest level is {best}")
            }
        }
    }
}

impl Error for SimdError {}

impl FromStr for SimdLevel {
    type Err = SimdError;

    fn from_str(name: &str) -> Result<Self, SimdError> {
        Self::by_name(name)
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Work on words of any width, other than a search.
///
/// `run` and all that it calls must be `#[inline(always)]`, as the search is.
pub(super) trait Kernel {
    /// Does it with words of this type.
    fn run<W: Word>(self, proof: W::Proof);
}

impl SimdLevel {
    /// Does the work with the words and the instructions of this level.
    pub(super) fn run(self, kernel: impl Kernel) {
        match self {
            Self::Portable => kernel.run::<Portable>(()),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => proof.run_kernel(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(proof) => proof.run_kernel(kernel),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(proof) => proof.run_kernel(kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(proof) => kernel.run::<super::simd128::Word128>(proof),
        }
    }
}

/// Work on [`Bytes`]. `run` and all that it calls must be `#[inline(always)]`.
pub(crate) trait ByteKernel {
    type Output;

    /// Does it with bytes of this type.
    fn run<B: Bytes>(self, proof: B::Proof) -> Self::Output;
}

impl SimdLevel {
    /// The level for [`Bytes`]: the narrowest with vectors.
    pub(crate) fn for_bytes() -> Self {
        Self::available().nth(1).unwrap_or(Self::Portable)
    }

    /// Does the work with the instructions of a level for bytes.
    #[inline]
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(clippy::unused_self, reason = "only x86-64 has another type of bytes")
    )]
    pub(crate) fn run_on_bytes<K: ByteKernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if let Self::Avx2(proof) = self {
            return proof.run_on_bytes(kernel);
        }
        kernel.run::<Plain>(())
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Does work on bytes with the instructions of this level.
    #[inline]
    fn run_on_bytes<K: ByteKernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_level<K: ByteKernel>(proof: Avx2, kernel: K) -> K::Output {
            kernel.run::<super::avx2::Bytes128>(proof)
        }
        // SAFETY: `self` exists, so `detect` found each of these features.
        unsafe { with_level(self, kernel) }
    }
}

/// Runs a job with 4 lanes, on any CPU.
pub(super) fn run_portable(search: &mut Search<Portable>, job: Job) {
    search.run((), job);
}

/// Makes the proof type of a level, and the one function compiled for it.
#[cfg(target_arch = "x86_64")]
macro_rules! level {
    ($(#[$doc:meta])* $level:ident, $word:ty, $features:literal, $($feature:tt),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $level(());

        impl $level {
            const FEATURES: &[&str] = &[$($feature),+];

            /// The proof, if this CPU has it.
            fn detect() -> Option<Self> {
                #[cfg(feature = "std")]
                let has = $(std::arch::is_x86_feature_detected!($feature))&&+;
                #[cfg(not(feature = "std"))]
                let has = $(cfg!(target_feature = $feature))&&+;
                has.then_some(Self(()))
            }

            /// Runs a job with the instructions of this level.
            pub(super) fn run(self, search: &mut Search<$word>, job: Job) {
                #[target_feature(enable = $features)]
                fn with_level(proof: $level, search: &mut Search<$word>, job: Job) {
                    search.run(proof, job);
                }
                // SAFETY: `self` exists, so `detect` found each of these features.
                unsafe { with_level(self, search, job) }
            }

            /// Calls a step with the instructions of this level.
            #[inline(always)]
            pub(super) fn call<S: super::word::Step<$word>>(self, step: S) -> S::Output {
                #[target_feature(enable = $features)]
                #[inline(never)]
                fn with_level<S: super::word::Step<$word>>(proof: $level, step: S) -> S::Output {
                    // The compiler aligns the stack only if it sees an aligned local before it chooses
                    // registers. Without one, registers that a pass keeps on the stack cross cache lines.
                    let aligned = core::mem::MaybeUninit::<<$word as super::word::Word>::Memory>::uninit();
                    core::hint::black_box(&aligned);
                    step.run(proof)
                }
                // SAFETY: `self` exists, so `detect` found each of these features.
                unsafe { with_level(self, step) }
            }

            /// Does the work with the instructions of this level.
            fn run_kernel<K: Kernel>(self, kernel: K) {
                #[target_feature(enable = $features)]
                fn with_level<K: Kernel>(proof: $level, kernel: K) {
                    kernel.run::<$word>(proof);
                }
                // SAFETY: `self` exists, so `detect` found each of these features.
                unsafe { with_level(self, kernel) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
level!(
    /// Proof that this CPU has AVX2, and the bit instructions of its generation.
    Avx2, super::avx2::Word256, "avx2,bmi1,bmi2,lzcnt,popcnt",
    "avx2", "bmi1", "bmi2", "lzcnt", "popcnt"
);

#[cfg(target_arch = "x86_64")]
level!(
    /// Proof that this CPU has AVX-512 F, BW, DQ and VL, and the bit instructions.
    Avx512, super::avx512::Word512, "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt",
    "avx512f", "avx512bw", "avx512dq", "avx512vl", "bmi1", "bmi2", "lzcnt", "popcnt"
);

/// Proof that this CPU has NEON.
///
/// All targets of aarch64 with floating point have it. Big-endian targets run the portable level:
/// the order of their lanes is not tested.
#[cfg(target_arch = "aarch64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neon(());

#[cfg(target_arch = "aarch64")]
impl Neon {
    const FEATURES: &[&str] = &["neon"];

    /// The proof, if the target has it.
    fn detect() -> Option<Self> {
        cfg!(all(target_feature = "neon", target_endian = "little")).then_some(Self(()))
    }

    /// Runs a job with the instructions of this level.
    pub(super) fn run(self, search: &mut Search<super::neon::Word128>, job: Job) {
        search.run(self, job);
    }

    /// Does the work with the instructions of this level.
    fn run_kernel<K: Kernel>(self, kernel: K) {
        kernel.run::<super::neon::Word128>(self);
    }
}

/// Proof that the module is compiled for `simd128`. A runtime without it refuses the module.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd128(());

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl Simd128 {
    /// Runs a job with the instructions of this level.
    pub(super) fn run(self, search: &mut Search<super::simd128::Word128>, job: Job) {
        search.run(self, job);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Lanes;
    use super::super::block::Block;
    use super::super::board::{ALL_DIGITS, Board, CELLS, PEERS};
    use super::super::propagate::{Pass, open};
    use super::*;
    use crate::engine::{Bounds, Engine};
    use crate::puzzle::{Grid, Random};
    use alloc::vec::Vec;
    use core::hint::black_box;

    /// Begins random puzzles in some lanes, and looks at the boards of all.
    struct Open;

    impl Kernel for Open {
        #[inline(always)]
        fn run<W: Word>(self, proof: W::Proof) {
            let mut random = Random::new(31);
            for lanes in [u32::MAX, 0, 1, 0x8000_8000, 0x1248_edb7].map(|it| it & W::ALL_LANES) {
                let mut block = Block::<W>::new();
                let mut clues = block.cells;
                for cell in block.cells.as_flattened_mut().iter_mut().flat_map(AsMut::as_mut) {
                    *cell = random_set(&mut random);
                }
                for word in clues.as_flattened_mut() {
                    for (lane, clue) in word.as_mut().iter_mut().enumerate() {
                        let value = u8::try_from(random.below(30)).expect("under 30");
                        let is_clue = lanes >> lane & 1 != 0 && value < 10;
                        *clue = if is_clue { Board::clue(value) } else { 0 };
                    }
                }
                let before = block.cells;
                open(proof, &mut block, lanes, &clues);
                for lane in 0..W::LANES {
                    let set_in = |words: &[W::Memory], place: usize| words[place].as_ref()[lane];
                    let clue = |cell: usize| set_in(clues.as_flattened(), cell);
                    let found = |cell: usize| set_in(block.cells.as_flattened(), cell);
                    for (cell, peers) in PEERS.iter().enumerate() {
                        let peers = (0..CELLS).filter(|&peer| peers >> peer & 1 == 1);
                        let expected = match clue(cell) {
                            _ if lanes >> lane & 1 == 0 => set_in(before.as_flattened(), cell),
                            0 => peers.fold(ALL_DIGITS, |left, peer| left & !clue(peer)),
                            digit => digit,
                        };
                        assert_eq!(found(cell), expected, "lane {lane}, cell {cell}, {lanes:b}");
                    }
                    let triad = |first: usize, step: usize| {
                        found(first) | found(first + step) | found(first + 2 * step)
                    };
                    for place in 0..27 {
                        let (band, stack, k) = (place / 9, place / 3 % 3, place % 3);
                        let row = triad(band * 27 + k * 9 + stack * 3, 1);
                        let column = triad(band * 27 + stack * 3 + k, 9);
                        assert_eq!(set_in(block.row_triads.as_flattened(), place), row);
                        assert_eq!(set_in(block.column_triads.as_flattened(), place), column);
                    }
                }
            }
        }
    }

    #[test]
    fn clues_leave_the_cells_that_see_them_at_every_level() {
        for level in SimdLevel::available() {
            level.run(Open);
        }
    }

    /// Puts another board into each lane, and copies it out again.
    struct CopyEveryLane;

    impl Kernel for CopyEveryLane {
        #[inline(always)]
        fn run<W: Word>(self, proof: W::Proof) {
            let mut boards = [Board::EMPTY; 32];
            for (board, lane) in boards.iter_mut().zip(0u16..) {
                for (cell, index) in board.cells[..81].iter_mut().zip(0u16..) {
                    *cell = (lane * 81 + index) % 511 + 1;
                }
            }
            let mut block = Block::<W>::new();
            for (lane, board) in boards.iter().enumerate().take(W::LANES) {
                block.put([(lane, board)]);
            }
            for (lane, board) in boards.iter().enumerate().take(W::LANES) {
                let mut copy = Board::EMPTY;
                W::copy_lane(proof, &block.cells, lane, &mut copy);
                assert_eq!(copy.cells, board.cells, "lane {lane} of {}", W::LANES);
            }
        }
    }

    /// Fills all lanes with 16 cells of grids, and flushes their digits.
    struct FillAndFlush;

    impl Kernel for FillAndFlush {
        #[inline(always)]
        fn run<W: Word>(self, proof: W::Proof) {
            // Each lane has other values: 10 has no common factor with 3.
            let value = |lane: usize, cell: usize| {
                u8::try_from((7 * lane + 3 * cell) % 10).expect("below 10")
            };
            let mut values = [[0; 16]; 32];
            for (lane, values) in values.iter_mut().enumerate() {
                for (cell, place) in values.iter_mut().enumerate() {
                    *place = value(lane, cell);
                }
            }
            let mut cells = [W::memory(0); 16];
            W::fill(proof, &mut cells, |lane| &values[lane]);
            for (cell, word) in cells.iter().enumerate() {
                for (lane, &set) in word.as_ref().iter().enumerate() {
                    assert_eq!(set, Board::clue(value(lane, cell)), "lane {lane}, cell {cell}");
                }
            }
            let mut seen = 0u32;
            W::flush(proof, &cells, |lane, digits| {
                seen |= 1 << lane;
                for (cell, digit) in digits.into_iter().enumerate() {
                    let value = value(lane, cell);
                    assert!(value == 0 || digit == value, "lane {lane}, cell {cell}: {digit}");
                }
            });
            assert_eq!(seen, W::ALL_LANES);
            let mut board = Board::EMPTY;
            for (cell, place) in board.cells[..81].iter_mut().enumerate() {
                *place = 1 << (cell % 9);
            }
            for (cell, digit) in W::values(proof, &board).into_iter().enumerate() {
                assert_eq!(usize::from(digit), cell % 9 + 1, "cell {cell}");
            }
        }
    }

    #[test]
    fn values_go_in_and_digits_come_out_at_every_level() {
        for level in SimdLevel::available() {
            level.run(FillAndFlush);
        }
    }

    /// Odd lanes share a gathered pair with their neighbour; the last cell is copied by itself.
    #[test]
    fn every_lane_is_copied_whole_at_every_level() {
        for level in SimdLevel::available() {
            level.run(CopyEveryLane);
        }
    }

    /// Every operation on random words and boards, and the same on plain integers.
    struct Operations;

    impl Kernel for Operations {
        #[inline(always)]
        fn run<W: Word>(self, proof: W::Proof) {
            let mut random = Random::new(23);
            let mut sets = || {
                let mut memory = W::memory(0);
                for set in memory.as_mut() {
                    *set = random_set(&mut random);
                }
                memory
            };
            for round in 0..500 {
                let (a, mut b) = (sets(), sets());
                // Some lanes are equal.
                b.as_mut()[round % W::LANES] = a.as_ref()[round % W::LANES];
                let (x, y) = (W::load(proof, &a), W::load(proof, &b));
                let same = |word: W, of: fn(u16, u16) -> u16, what| {
                    let mut found = W::memory(0);
                    word.store(&mut found);
                    for (lane, &found) in found.as_ref().iter().enumerate() {
                        let (a, b) = (a.as_ref()[lane], b.as_ref()[lane]);
                        assert_eq!(found, of(a, b), "{what} of {a:b} and {b:b}, lane {lane}");
                    }
                };
                same(x & y, |a, b| a & b, "&");
                same(x | y, |a, b| a | b, "|");
                same(x.plus(y), |a, b| a + b, "plus");
                same(x.without(y), |a, b| a & !b, "without");
                same(x.if_single(), |a, _| if a.count_ones() < 2 { a } else { 0 }, "if_single");
                same(x.but_lowest(), |a, _| a & a.wrapping_sub(1), "but_lowest");
                same(x.replaced_by(y), |a, b| if b == 0 { a } else { b }, "replaced_by");
                same(x.settled(), |a, _| a, "settled");
                same(W::splat(proof, 300), |_, _| 300, "splat");
                let mut least = W::memory(0);
                x.zero_if_either(y).store(&mut least);
                for lane in 0..W::LANES {
                    let (a, b) = (a.as_ref()[lane], b.as_ref()[lane]);
                    assert_eq!(least.as_ref()[lane] == 0, a == 0 || b == 0, "{a:b} and {b:b}");
                    assert_eq!(x.equal(y) >> lane & 1 == 1, a == b, "{a:b} and {b:b}");
                }
                assert_eq!(x.equal(x), W::ALL_LANES);
            }
        }
    }

    /// Few digits or many, and none.
    fn random_set(random: &mut Random) -> u16 {
        let mut any = || u16::try_from(random.below(512)).expect("nine bits");
        match any() % 4 {
            0 => any() & any() & any(),
            1 => any() & any(),
            2 => any(),
            _ => 1 << (any() % 10) >> 1,
        }
    }

    /// The operations on one board, and the same cell by cell.
    struct OnOneBoard;

    impl Kernel for OnOneBoard {
        #[inline(always)]
        fn run<W: Word>(self, proof: W::Proof) {
            let mut random = Random::new(29);
            for _ in 0..500 {
                let mut board = Board::EMPTY;
                for cell in &mut board.cells[..CELLS] {
                    *cell = random_set(&mut random);
                }
                let digits = random_set(&mut random);
                let cells = |test: &dyn Fn(u16) -> bool| {
                    let cells = board.cells.iter().enumerate().filter(|&(_, &cell)| test(cell));
                    cells.fold(0, |set, (index, _)| set | 1u128 << index)
                };
                let pairs = cells(&|cell| cell.count_ones() == 2);
                let threes = cells(&|cell| cell.count_ones() == 3);
                assert_eq!(W::cells_of::<2>(proof, &board), pairs);
                assert_eq!(W::cells_of::<3>(proof, &board), threes);

                let mut cell = || u32::try_from(random.below(CELLS)).expect("under 81");
                let asked = [cell(), cell(), cell(), cell(), cell(), cell()];
                let heaviest = asked.into_iter().max_by_key(|&cell| {
                    let own = board.cells[cell as usize];
                    let touched = cells(&|cell| cell & own != 0) & PEERS[cell as usize];
                    (touched.count_ones() + 3 * (touched & pairs).count_ones(), cell)
                });
                let found = W::heaviest(proof, &board, pairs, asked);
                assert_eq!(Some(found), heaviest.map(|cell| cell as usize), "{asked:?}");

                let mut taken = board;
                W::take(proof, &mut taken, threes, digits);
                for (index, (&left, &cell)) in taken.cells.iter().zip(&board.cells).enumerate() {
                    let gone = if threes >> index & 1 == 1 { digits } else { 0 };
                    assert_eq!(left, cell & !gone, "cell {index}");
                }
            }
        }
    }

    #[test]
    fn words_and_boards_are_worked_on_as_plain_integers_at_every_level() {
        for level in SimdLevel::available() {
            level.run(Operations);
            level.run(OnOneBoard);
        }
    }

    /// Passes over the boards of all lanes.
    struct Passes(u64);

    impl Kernel for Passes {
        #[inline(always)]
        fn run<W: Word>(self, proof: W::Proof) {
            let mut block = Block::<W>::new();
            for _ in 0..self.0 {
                let events = W::call(proof, Pass(black_box(&mut block)));
                assert_eq!(events.dead & W::ALL_LANES, 0, "an empty grid has solutions");
            }
        }
    }

    /// What an environment variable says.
    fn told(variable: &str) -> String {
        std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set"))
    }

    /// How often, and at which level.
    fn told_work() -> (u64, SimdLevel) {
        (told("TIMES").parse().expect("a number"), told("LEVEL").parse().expect("a level"))
    }

    #[test]
    #[ignore = "work whose instructions .ci/aarch64 counts"]
    fn work_of_passes() {
        let (times, level) = told_work();
        level.run(Passes(times));
    }

    #[test]
    #[ignore = "work whose instructions .ci/aarch64 counts"]
    fn work_of_a_list() {
        let (times, level) = told_work();
        let text = std::fs::read_to_string(told("LIST")).expect("a list");
        let puzzles: Vec<Grid> = text.lines().map(|line| line.parse().expect("a puzzle")).collect();
        let mut engine = Lanes::new(level, Bounds::default());
        let mut answers = Vec::new();
        for _ in 0..times {
            answers.clear();
            engine.solve_batch(&puzzles, 2, &mut answers);
        }
        assert!(!puzzles.is_empty() && answers.iter().all(|answer| answer.count > 0));
    }

    #[test]
    fn a_name_is_known_or_not_and_supported_or_not() {
        for name in SimdLevel::NAMES {
            match name.parse::<SimdLevel>() {
                Ok(level) => assert_eq!(level.name(), name),
                Err(error) => {
                    let best = SimdLevel::best();
                    assert_eq!(error, SimdError::Unsupported { level: name, best });
                    let expected = format!("this CPU lacks {name}; its widest level is {best}");
                    assert_eq!(error.to_string(), expected);
                }
            }
        }
        let error = "mmx".parse::<SimdLevel>().unwrap_err();
        let expected = "expected one of portable, avx2, avx512, neon, simd128, found 'mmx'";
        assert_eq!(error.to_string(), expected);
    }
}
