//! The table of all puzzles so far: whether the same one came before, among a hundred million.
//!
//! ```text
//! puzzle ── 128-bit hash ──┬─ top 8 bits: which of 256 segments
//!                          └─ next 64 bits: where in it, as a part of its length
//!
//! segment   │    │ h₃ 17│ h₇ 2 │    │ h₅ 40│    │      slot: the hash, and the puzzle's number
//!                  ^ home: if taken, the next                 20 bytes
//! ```
//!
//! Two puzzles with the same hash are compared themselves before one is called a duplicate: the
//! caller reads the earlier one again ([`Earlier`]; [`Spool`](super::Spool) is one way). If they
//! differ, both are kept, and each is found again.
//!
//! # The hash
//! XXH3 with 128 bits, by the crate `twox-hash`, of the bytes of [`Packed`]: the same on every
//! machine, and as good as random in all published tests (`SMHasher`). Among 100 million puzzles
//! a pair that differs has the same hash with probability n²/2 / 2¹²⁸ = 1.5 × 10⁻²³, so hits are
//! confirmed because they must be, and not because it happens. Puzzles made to collide cost
//! time, never a wrong answer.
//!
//! # Memory
//! A segment grows by a quarter when four fifths are taken, each by itself: a puzzle takes 20 /
//! 0.8 = 25 to 20 / 0.64 = 31.25 bytes, and growing needs but 1/256 of it besides. So 100
//! million puzzles take 3.2 GB at most. (Doubling would be up to 50 bytes.)
//!
//! # Speed
//! Each look-up is a miss of the cache. A batch first reads one word of every slot that it will
//! look at, none of which waits for another, and then looks.

use super::packed::Packed;
use std::hint::black_box;
use std::{fmt, io};

/// How many segments: growing one moves 1/256 of all.
const SEGMENTS: usize = 256;

/// Taken slots of a segment, at most, in fifths: looking for what is not there takes 13 slots on
/// average at four fifths, which are 4 lines of the cache side by side, and 5 at 64 %.
const MOST_FIFTHS: usize = 4;

/// A puzzle's hash, and its number plus one; 0 if the slot is free.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: [u32; 4],
    number: u32,
}

impl Slot {
    const FREE: Self = Self { hash: [0; 4], number: 0 };
}

/// Gives back puzzles that came before.
///
/// ```
/// use crate::puzzle::Grid;
/// use crate::bank::{Earlier, GRID_BYTES, PackedGrid};
///
/// struct Kept(Vec<PackedGrid>);
///
/// impl Earlier<GRID_BYTES> for Kept {
///     fn puzzle(&mut self, number: u32) -> std::io::Result<PackedGrid> {
///         Ok(self.0[number as usize])
///     }
/// }
///
/// let puzzle = PackedGrid::from(&Grid::EMPTY);
/// assert_eq!(Kept(vec![puzzle]).puzzle(0)?, puzzle);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Earlier<const BYTES: usize> {
    /// The puzzle of this number.
    ///
    /// # Errors
    /// If it cannot be read again.
    fn puzzle(&mut self, number: u32) -> io::Result<Packed<BYTES>>;
}

/// Why the search for duplicates cannot continue.
///
/// ```
/// use crate::bank::DuplicateError;
///
/// assert_eq!(DuplicateError::TooMany.to_string(), "more than 4294967294 puzzles");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum DuplicateError {
    /// An earlier puzzle cannot be read again.
    Earlier(io::Error),
    /// There are more puzzles than numbers for them: 4,294,967,294.
    TooMany,
}

impl fmt::Display for DuplicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Earlier(_) => f.write_str("an earlier puzzle cannot be read again"),
            Self::TooMany => write!(f, "more than {} puzzles", u32::MAX - 1),
        }
    }
}

impl std::error::Error for DuplicateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Earlier(error) => Some(error),
            Self::TooMany => None,
        }
    }
}

/// All puzzles so far, by their hashes.
///
/// ```
/// use crate::puzzle::Grid;
/// use crate::bank::{Duplicates, PackedGrid, Spool};
///
/// let puzzle = PackedGrid::from(&Grid::EMPTY);
/// let (mut duplicates, mut spool, mut found) = (Duplicates::new(), Spool::new(None)?, Vec::new());
/// for line in 1..=2 {
///     duplicates.find(&[puzzle], &mut spool, &mut found)?;
///     spool.push(&puzzle, line)?;
/// }
/// assert_eq!(found, [None, Some(0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Duplicates<const BYTES: usize> {
    hash: fn(&Packed<BYTES>) -> u128,
    segments: Vec<Segment>,
    /// Puzzles so far, duplicates included.
    puzzles: u32,
    /// The hashes of a batch.
    hashes: Vec<u128>,
}

impl<const BYTES: usize> Default for Duplicates<BYTES> {
    fn default() -> Self {
        Self::with_hash(hash)
    }
}

impl<const BYTES: usize> Duplicates<BYTES> {
    /// No puzzle yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No puzzle yet, and another hash. What is found does not depend on it, only the time.
    #[must_use]
    pub fn with_hash(hash: fn(&Packed<BYTES>) -> u128) -> Self {
        let segments = (0..SEGMENTS).map(|_| Segment::default()).collect();
        Self { hash, segments, puzzles: 0, hashes: Vec::new() }
    }

    /// How many puzzles came so far: the number of the next.
    #[must_use]
    pub const fn puzzles(&self) -> u32 {
        self.puzzles
    }

    /// The bytes of the table.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.segments.iter().map(|segment| segment.slots.capacity() * size_of::<Slot>()).sum()
    }

    /// Adds puzzles, which get the next numbers, and appends for each the number of the first
    /// that is the same, if it is not the first itself.
    ///
    /// `earlier` is asked only for puzzles before these.
    ///
    /// # Errors
    /// If an earlier puzzle cannot be read, or there are too many.
    pub fn find(
        &mut self,
        puzzles: &[Packed<BYTES>],
        earlier: &mut dyn Earlier<BYTES>,
        found: &mut Vec<Option<u32>>,
    ) -> Result<(), DuplicateError> {
        self.hash_all(puzzles);
        let start = self.puzzles;
        let mut confirm = |number: u32, puzzle: &Packed<BYTES>| match number.checked_sub(start) {
            Some(index) => Ok(puzzles[index as usize] == *puzzle),
            None => earlier.puzzle(number).map(|it| it == *puzzle),
        };
        for (puzzle, &hash) in puzzles.iter().zip(&self.hashes) {
            let next = self.puzzles.checked_add(2).ok_or(DuplicateError::TooMany)? - 1;
            let segment = &mut self.segments[segment_of(hash)];
            let first = segment.find_or_add(hash, next, |number| confirm(number, puzzle));
            found.push(first.map_err(DuplicateError::Earlier)?);
            self.puzzles = next;
        }
        Ok(())
    }

    /// Appends for each puzzle the number of the one that is the same, if one was added. Nothing is
    /// added.
    ///
    /// # Errors
    /// If an earlier puzzle cannot be read.
    pub fn look_up(
        &mut self,
        puzzles: &[Packed<BYTES>],
        earlier: &mut dyn Earlier<BYTES>,
        found: &mut Vec<Option<u32>>,
    ) -> Result<(), DuplicateError> {
        self.hash_all(puzzles);
        for (puzzle, &hash) in puzzles.iter().zip(&self.hashes) {
            let segment = &self.segments[segment_of(hash)];
            let mut confirm = |number| earlier.puzzle(number).map(|it| it == *puzzle);
            let looked = segment.look(hash, &mut confirm).map_err(DuplicateError::Earlier)?;
            found.push(looked.ok());
        }
        Ok(())
    }

    /// Hashes a batch, and reads the slots where it will look, so that they come into the cache
    /// together.
    fn hash_all(&mut self, puzzles: &[Packed<BYTES>]) {
        self.hashes.clear();
        self.hashes.extend(puzzles.iter().map(self.hash));
        let mut sum = 0u32;
        for &hash in &self.hashes {
            let segment = &self.segments[segment_of(hash)];
            if let Some(slot) = segment.slots.get(home(hash, segment.slots.len())) {
                sum = sum.wrapping_add(slot.number);
            }
        }
        black_box(sum);
    }
}

/// The hash of [`Packed::key`].
fn hash<const BYTES: usize>(puzzle: &Packed<BYTES>) -> u128 {
    puzzle.key()
}

/// The top 8 bits.
const fn segment_of(hash: u128) -> usize {
    (hash >> 120) as usize
}

/// Where in a segment of so many slots a hash belongs: the 64 bits after the segment's, taken as
/// a part of 1, of the length.
#[expect(clippy::cast_possible_truncation, reason = "less than `slots`, which is a usize")]
const fn home(hash: u128, slots: usize) -> usize {
    let part = hash >> 56 & 0xffff_ffff_ffff_ffff;
    ((part * slots as u128) >> 64) as usize
}

#[expect(clippy::cast_possible_truncation, reason = "a quarter of the bits at a time")]
const fn words(hash: u128) -> [u32; 4] {
    [(hash >> 96) as u32, (hash >> 64) as u32, (hash >> 32) as u32, hash as u32]
}

fn whole(words: [u32; 4]) -> u128 {
    words.into_iter().fold(0, |hash, word| hash << 32 | u128::from(word))
}

/// A part of the table that grows by itself.
#[derive(Debug, Default)]
struct Segment {
    slots: Vec<Slot>,
    taken: usize,
}

impl Segment {
    /// The number of the first puzzle with this hash that `confirm` says is the same; if there is
    /// none, adds one under `next`, its number plus one.
    fn find_or_add(
        &mut self,
        hash: u128,
        next: u32,
        mut confirm: impl FnMut(u32) -> io::Result<bool>,
    ) -> io::Result<Option<u32>> {
        if (self.taken + 1) * 5 > self.slots.len() * MOST_FIFTHS {
            self.grow();
        }
        match self.look(hash, &mut confirm)? {
            Ok(number) => Ok(Some(number)),
            Err(index) => {
                self.slots[index] = Slot { hash: words(hash), number: next };
                self.taken += 1;
                Ok(None)
            }
        }
    }

    /// The number of the first puzzle with this hash that `confirm` says is the same; or else the free
    /// slot where the search ended.
    fn look(
        &self,
        hash: u128,
        confirm: &mut dyn FnMut(u32) -> io::Result<bool>,
    ) -> io::Result<Result<u32, usize>> {
        if self.slots.is_empty() {
            return Ok(Err(0));
        }
        let key = words(hash);
        let mut index = home(hash, self.slots.len());
        loop {
            let slot = self.slots[index];
            if slot.number == 0 {
                return Ok(Err(index));
            }
            if slot.hash == key && confirm(slot.number - 1)? {
                return Ok(Ok(slot.number - 1));
            }
            index = self.after(index);
        }
    }

    fn after(&self, index: usize) -> usize {
        if index + 1 == self.slots.len() { 0 } else { index + 1 }
    }

    /// Makes a segment a quarter longer. Slots are moved in the order of their hashes, so both
    /// are gone over from one end to the other.
    fn grow(&mut self) {
        let length = (self.slots.len() / 4 + self.slots.len()).max(16);
        let mut slots = Vec::new();
        // Not a slot more than asked for, which `vec![]` does not promise.
        slots.reserve_exact(length);
        slots.resize(length, Slot::FREE);
        let old = std::mem::replace(&mut self.slots, slots);
        for slot in old.into_iter().filter(|slot| slot.number != 0) {
            let mut index = home(whole(slot.hash), length);
            while self.slots[index].number != 0 {
                index = self.after(index);
            }
            self.slots[index] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::PackedGrid;
    use crate::puzzle::{Cell, Digit, Grid};
    use std::collections::HashMap;

    /// All puzzles, in memory; counts how many were asked for.
    struct Kept(Vec<PackedGrid>, usize);

    impl Earlier<41> for Kept {
        fn puzzle(&mut self, number: u32) -> io::Result<PackedGrid> {
            self.1 += 1;
            self.0.get(number as usize).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
        }
    }

    /// The puzzle of a number: its digits in base 10.
    fn puzzle(number: usize) -> PackedGrid {
        let mut grid = Grid::EMPTY;
        let mut rest = number;
        for cell in Cell::all() {
            grid.set(cell, u8::try_from(rest % 10).ok().and_then(Digit::new));
            rest /= 10;
        }
        PackedGrid::from(&grid)
    }

    /// Finds what a map of the puzzles themselves finds. Returns how many were read again.
    fn assert_found(hash: fn(&PackedGrid) -> u128, numbers: &[usize], batch: usize) -> usize {
        let mut duplicates = Duplicates::with_hash(hash);
        let mut kept = Kept(Vec::new(), 0);
        let (mut found, mut expected, mut first) = (Vec::new(), Vec::new(), HashMap::new());
        for numbers in numbers.chunks(batch) {
            let puzzles: Vec<_> = numbers.iter().map(|&number| puzzle(number)).collect();
            duplicates.find(&puzzles, &mut kept, &mut found).unwrap();
            kept.0.extend(puzzles);
        }
        for (&number, place) in numbers.iter().zip(0u32..) {
            let seen = *first.entry(number).or_insert(place);
            expected.push((seen != place).then_some(seen));
        }
        assert!(found == expected, "batches of {batch}");
        assert_eq!(duplicates.puzzles() as usize, numbers.len());
        kept.1
    }

    #[test]
    fn a_puzzle_is_a_duplicate_of_its_first() {
        let numbers: Vec<_> = (0..30_000usize).map(|index| index * index % 20_011).collect();
        for batch in [1, 7, 3000, 30_000] {
            let asked = assert_found(hash, &numbers, batch);
            assert!(batch == 30_000 || asked > 5000, "{asked}");
        }
    }

    #[test]
    fn puzzles_that_share_a_hash_are_told_apart() {
        let numbers: Vec<_> = (0..900usize).map(|index| index * index % 601).collect();
        // One hash for all; three hashes; one home, other hashes; the last slot for all.
        assert_found(|_| 0, &numbers, 10);
        assert_found(|puzzle| u128::from(puzzle.bytes()[0] % 3) << 100, &numbers, 10);
        assert_found(|puzzle| u128::from(puzzle.bytes()[0]), &numbers, 10);
        assert_found(|_| u128::MAX, &numbers, 10);
    }

    #[test]
    fn a_puzzle_takes_no_more_bytes_than_stated() {
        let mut duplicates = Duplicates::new();
        let mut found = Vec::new();
        for start in (0..200_000).step_by(10_000) {
            let puzzles: Vec<_> = (start..start + 10_000).map(puzzle).collect();
            duplicates.find(&puzzles, &mut Kept(Vec::new(), 0), &mut found).unwrap();
            let stated = found.len() * 3125 / 100;
            // The segments are not all equally full.
            assert!(start == 0 || duplicates.bytes() < stated * 103 / 100, "{start}");
        }
        assert_eq!(size_of::<Slot>(), 20);
    }

    /// The value of nothing is in the reference program's own tests; ours is the same everywhere.
    #[test]
    fn the_hash_is_the_published_one() {
        /// The hash of 41 zeros.
        const EMPTY: u128 = 0xbcac_8a17_609a_2593_7adb_c8ba_9ffa_f49d;
        let nothing = twox_hash::XxHash3_128::oneshot(&[]);
        assert_eq!(nothing, 0x99aa_06d3_0147_98d8_6001_c324_468d_497f);
        assert_eq!(hash(&PackedGrid::from(&Grid::EMPTY)), EMPTY);
    }

    #[test]
    fn an_earlier_puzzle_that_cannot_be_read_ends_it() {
        let mut duplicates = Duplicates::new();
        let mut nothing = Kept(Vec::new(), 0);
        let mut found = Vec::new();
        duplicates.find(&[puzzle(1)], &mut nothing, &mut found).unwrap();
        let error = duplicates.find(&[puzzle(1)], &mut nothing, &mut found).unwrap_err();
        assert!(matches!(error, DuplicateError::Earlier(_)), "{error}");
    }
}
