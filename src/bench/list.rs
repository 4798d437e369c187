//! A list of puzzles to time, or a fair sample of one that is too long to keep.

use crate::input::{self, ChunkBuffer, Puzzles, Record, Source};
use crate::puzzle::{Grid, Random};
use crate::symmetry::Isomorphism;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The most puzzles of a list that are kept: 8 MB.
const MOST_PUZZLES: usize = 100_000;

/// The seed of the order and the sample of a list that was not read from a source.
const SEED: u64 = 1;

/// Bytes of an input that are parsed together.
const CHUNK_BYTES: usize = 256 * 1024;

/// Puzzles that are timed together.
///
/// ```
/// use ninefold::bench::List;
/// use ninefold::input::Source;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one", line.into());
/// let (list, skipped) = List::read("one", "an easy puzzle", source, 1)?;
/// assert_eq!((list.total, list.puzzles), (1, vec![line.parse()?]));
/// assert_eq!(skipped, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct List {
    /// The name in the report.
    pub name: String,
    /// A description of a few words.
    pub about: String,
    /// The puzzles in random order, so that the first of them are a fair sample.
    pub puzzles: Vec<Grid>,
    /// The number of all puzzles: more than `puzzles` has if only a sample is kept.
    pub total: u64,
    /// A hash of all puzzles in their order.
    pub hash: u64,
}

/// Lines of a source that are no puzzles.
///
/// ```
/// use ninefold::bench::List;
/// use ninefold::input::Source;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("two lines", format!("{line}\n12\n").into());
/// let (_, skipped) = List::read("one", "an easy puzzle", source, 1)?;
/// let skipped = skipped.expect("the second line is no puzzle");
/// assert_eq!((skipped.lines, skipped.first), (1, 2));
/// # Ok::<(), ninefold::input::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// The number of these lines.
    pub lines: u64,
    /// The first of them, counted from 1.
    pub first: u64,
}

impl List {
    /// A list of these puzzles. Of more than 100,000 a random sample of that size is kept.
    ///
    /// ```
    /// use ninefold::bench::List;
    /// use ninefold::puzzle::Grid;
    ///
    /// let list = List::new("blank", "no clue at all", [Grid::EMPTY; 3]);
    /// assert_eq!((list.total, list.puzzles.len()), (3, 3));
    /// ```
    #[must_use]
    pub fn new(name: &str, about: &str, puzzles: impl IntoIterator<Item = Grid>) -> Self {
        let mut sampler = Sampler::new(SEED);
        puzzles.into_iter().for_each(|puzzle| sampler.push(puzzle));
        sampler.finish(name, about)
    }

    /// The puzzles of a source, with the lines that were skipped, if any. Sukakus are left out. Of
    /// more than 100,000 puzzles a random sample of that size is kept.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn read(
        name: &str,
        about: &str,
        source: Source,
        seed: u64,
    ) -> Result<(Self, Option<Skipped>), input::Error> {
        let mut sampler = Sampler::new(seed);
        let (mut chunk, mut puzzles) = (ChunkBuffer::new(), Puzzles::new());
        let (mut lines, mut skipped) = (0, None);
        let mut chunks = source.into_chunks(CHUNK_BYTES);
        while chunks.fill(&mut chunk)? {
            let read = chunk.read(|chunk| puzzles.read(chunk));
            read.map_err(|cause| input::Error { name: name.into(), cause })?;
            puzzles.grids().iter().for_each(|grid| sampler.push(*grid));
            let before = lines;
            for record in puzzles.records() {
                lines += record.lines();
                if let Record::Malformed { line, .. } = record {
                    let first = before + line;
                    skipped.get_or_insert(Skipped { lines: 0, first }).lines += 1;
                }
            }
        }
        Ok((sampler.finish(name, about), skipped))
    }

    /// The first `count` puzzles, each under a random isomorphism that depends on seed and round
    /// alone. A shorter list is repeated.
    pub(super) fn permuted(&self, seed: u64, round: u64, count: usize) -> Vec<Grid> {
        let mut random = Random::of(seed, round, 0);
        let puzzles = self.puzzles.iter().cycle().take(count);
        puzzles.map(|puzzle| Isomorphism::random(&mut random).apply(puzzle)).collect()
    }
}

/// Keeps [`MOST_PUZZLES`] of the puzzles of a list, each as likely as the others: "Algorithm R" of
/// Vitter, "Random Sampling with a Reservoir", 1985.
#[derive(Clone, Debug)]
struct Sampler {
    most: usize,
    random: Random,
    kept: Vec<Grid>,
    total: u64,
    hash: u64,
}

impl Sampler {
    fn new(seed: u64) -> Self {
        Self::keeping(MOST_PUZZLES, seed)
    }

    fn keeping(most: usize, seed: u64) -> Self {
        Self { most, random: Random::of(seed, u64::MAX, 0), kept: Vec::new(), total: 0, hash: 0 }
    }

    fn push(&mut self, puzzle: Grid) {
        self.total += 1;
        self.hash = xxh3_64_with_seed(puzzle.values(), self.hash);
        if self.kept.len() < self.most {
            self.kept.push(puzzle);
        } else {
            let place = self.random.below(usize::try_from(self.total).unwrap_or(usize::MAX));
            if let Some(kept) = self.kept.get_mut(place) {
                *kept = puzzle;
            }
        }
    }

    fn finish(mut self, name: &str, about: &str) -> List {
        self.random.shuffle(&mut self.kept);
        let (name, about) = (name.to_owned(), about.to_owned());
        List { name, about, puzzles: self.kept, total: self.total, hash: self.hash }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cell, Digit};
    use std::collections::HashSet;

    /// So many different grids.
    fn grids(count: usize) -> impl Iterator<Item = Grid> {
        (0..count).map(|number| {
            let mut grid = Grid::EMPTY;
            grid.set(Cell::new(number % 81), Some(Digit::ALL[number / 81]));
            grid
        })
    }

    #[test]
    fn a_short_list_is_kept_whole_and_a_long_one_fairly() {
        let mut all = Sampler::new(1);
        grids(700).for_each(|grid| all.push(grid));
        let list = all.finish("all", "");
        assert_eq!(list.puzzles.iter().collect::<HashSet<_>>().len(), 700);
        assert_eq!(list.total, 700);

        let mut early = 0;
        for seed in 0..200 {
            let mut some = Sampler::keeping(70, seed);
            grids(700).for_each(|grid| some.push(grid));
            let list = some.finish("some", "");
            assert_eq!((list.puzzles.len(), list.total), (70, 700));
            assert_eq!(list.puzzles.iter().collect::<HashSet<_>>().len(), 70, "seed {seed}");
            let half: HashSet<_> = grids(350).collect();
            early += list.puzzles.iter().filter(|puzzle| half.contains(puzzle)).count();
        }
        // 14,000 drawn, half of them early: the standard deviation is under 60.
        assert!((6700..=7300).contains(&early), "{early}");
    }

    #[test]
    fn each_round_has_other_permutations_and_a_seed_brings_them_back() {
        let mut sampler = Sampler::new(1);
        grids(10).for_each(|grid| sampler.push(grid));
        let list = sampler.finish("ten", "");
        let (one, other) = (list.permuted(5, 1, 25), list.permuted(5, 2, 25));
        assert_eq!(one.len(), 25);
        assert_ne!(one, other);
        assert_ne!(one, list.permuted(6, 1, 25));
        assert_eq!(one, list.permuted(5, 1, 25));
        assert_eq!(one[..10], list.permuted(5, 1, 10));
        assert!(one.iter().all(|puzzle| puzzle.clues() == 1));
    }
}
