//! A list of puzzles to time, or a fair sample of one that is too long to keep.

use super::classics;
use crate::input::{self, ChunkBuffer, Puzzles, Record, Source};
use crate::puzzle::parse::PENCILMARKS;
use crate::puzzle::{Grid, Puzzle, Random};
use crate::symmetry::Isomorphism;
use twox_hash::{XxHash3_64, XxHash3_128};

/// The most puzzles of a list that are kept: 8 MB.
const MOST_PUZZLES: usize = 100_000;

/// The seed of the order and the sample of a list that was not read from a source.
const SEED: u64 = 1;

/// Bytes of an input that are parsed together.
const CHUNK_BYTES: usize = 256 * 1024;

/// Puzzles that are timed together.
///
/// ```
/// use crate::bench::List;
/// use crate::input::Source;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one", line.into());
/// let (list, skipped) = List::read("one", "an easy puzzle", source, 1)?;
/// assert_eq!((list.total, &list.puzzles), (1, &vec![line.parse()?]));
/// assert_eq!(list.lines, [1]);
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
    pub puzzles: Vec<Puzzle>,
    /// The line of each puzzle in its source, counted from 1.
    pub lines: Vec<u64>,
    /// The number of all puzzles: more than `puzzles` has if only a sample is kept.
    pub total: u64,
    /// A hash of all puzzles in their order.
    pub hash: u64,
    /// A hash of the set of puzzles: their order, the line ends, the characters for a blank and the
    /// comments of a file make no difference.
    pub fingerprint: u128,
}

/// Lines of a source that are no puzzles.
///
/// ```
/// use crate::bench::List;
/// use crate::input::Source;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("two lines", format!("{line}\n12\n").into());
/// let (_, skipped) = List::read("one", "an easy puzzle", source, 1)?;
/// let skipped = skipped.expect("the second line is no puzzle");
/// assert_eq!((skipped.lines, skipped.first), (1, 2));
/// # Ok::<(), crate::input::Error>(())
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
    /// use crate::bench::List;
    /// use crate::puzzle::Grid;
    ///
    /// let list = List::new("blank", "no clue at all", [Grid::EMPTY; 3]);
    /// assert_eq!((list.total, list.puzzles.len()), (3, 3));
    /// ```
    #[must_use]
    pub fn new(name: &str, about: &str, puzzles: impl IntoIterator<Item = Grid>) -> Self {
        Self::of_puzzles(name, about, puzzles.into_iter().map(Puzzle::from))
    }

    /// A list of grids, sukakus or both, as [`List::new`].
    ///
    /// ```
    /// use crate::bench::List;
    /// use crate::puzzle::{Puzzle, Sukaku};
    ///
    /// let list = List::of_puzzles("all candidates", "", [Puzzle::Sukaku(Sukaku::FULL)]);
    /// assert!(list.has_sukakus());
    /// ```
    #[must_use]
    pub fn of_puzzles(name: &str, about: &str, puzzles: impl IntoIterator<Item = Puzzle>) -> Self {
        let mut sampler = Sampler::new(SEED);
        (1..).zip(puzzles).for_each(|(line, puzzle)| sampler.push(puzzle, line));
        sampler.finish(name, about)
    }

    /// Whether a puzzle is a sukaku.
    #[must_use]
    pub fn has_sukakus(&self) -> bool {
        self.puzzles.iter().any(|puzzle| matches!(puzzle, Puzzle::Sukaku(_)))
    }

    /// The puzzles of a source, with the lines that were skipped, if any. Of more than 100,000
    /// puzzles a random sample of that size is kept. If `about` is empty and the puzzles are those of
    /// a list that has been published, the description names it.
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
            let before = lines;
            for record in puzzles.records() {
                lines += record.lines();
                match record {
                    Record::Puzzles { line, numbers } => {
                        for (line, number) in (before + line..).zip(numbers) {
                            sampler.push(puzzles.puzzle(number), line);
                        }
                    }
                    Record::Malformed { line, .. } => {
                        let first = before + line;
                        skipped.get_or_insert(Skipped { lines: 0, first }).lines += 1;
                    }
                    _ => {}
                }
            }
        }
        Ok((sampler.finish(name, about), skipped))
    }

    /// The first `count` puzzles, each under a random isomorphism that depends on seed and round
    /// alone. A shorter list is repeated.
    pub(super) fn permuted(&self, seed: u64, round: u64, count: usize) -> Vec<Puzzle> {
        let mut random = Random::of(seed, round, 0);
        let puzzles = self.puzzles.iter().cycle().take(count);
        let permute = |puzzle: &Puzzle| {
            let isomorphism = Isomorphism::random(&mut random);
            match puzzle {
                Puzzle::Grid(grid) => Puzzle::Grid(isomorphism.apply(grid)),
                Puzzle::Sukaku(sukaku) => Puzzle::Sukaku(isomorphism.apply_to_sukaku(sukaku)),
            }
        };
        puzzles.map(permute).collect()
    }
}

/// Keeps [`MOST_PUZZLES`] of the puzzles of a list, each as likely as the others: "Algorithm R" of
/// Vitter, "Random Sampling with a Reservoir", 1985.
#[derive(Clone, Debug)]
struct Sampler {
    most: usize,
    random: Random,
    kept: Vec<(Puzzle, u64)>,
    total: u64,
    hash: u64,
    fingerprint: u128,
}

impl Sampler {
    fn new(seed: u64) -> Self {
        Self::keeping(MOST_PUZZLES, seed)
    }

    fn keeping(most: usize, seed: u64) -> Self {
        let random = Random::of(seed, u64::MAX, 0);
        Self { most, random, kept: Vec::new(), total: 0, hash: 0, fingerprint: 0 }
    }

    fn push(&mut self, puzzle: Puzzle, line: u64) {
        self.total += 1;
        let mut memory = [0; PENCILMARKS];
        let bytes: &[u8] = match &puzzle {
            Puzzle::Grid(grid) => grid.values(),
            Puzzle::Sukaku(_) => puzzle.line(b'.', &mut memory),
        };
        self.hash = XxHash3_64::oneshot_with_seed(self.hash, bytes);
        // A sum does not depend on the order.
        self.fingerprint = self.fingerprint.wrapping_add(XxHash3_128::oneshot(bytes));
        if self.kept.len() < self.most {
            self.kept.push((puzzle, line));
        } else {
            let place = self.random.below(usize::try_from(self.total).unwrap_or(usize::MAX));
            if let Some(kept) = self.kept.get_mut(place) {
                *kept = (puzzle, line);
            }
        }
    }

    fn finish(mut self, name: &str, about: &str) -> List {
        self.random.shuffle(&mut self.kept);
        let known = classics::name(self.total, self.fingerprint).filter(|_| about.is_empty());
        let (name, about) = (name.to_owned(), known.unwrap_or(about).to_owned());
        let (puzzles, lines) = self.kept.into_iter().unzip();
        let Self { total, hash, fingerprint, .. } = self;
        List { name, about, puzzles, lines, total, hash, fingerprint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cell, Digit};
    use std::collections::HashSet;

    /// So many different grids.
    fn grids(count: usize) -> impl Iterator<Item = Puzzle> {
        (0..count).map(|number| {
            let mut grid = Grid::EMPTY;
            grid.set(Cell::new(number % 81), Some(Digit::ALL[number / 81]));
            grid.into()
        })
    }

    #[test]
    fn a_short_list_is_kept_whole_and_a_long_one_fairly() {
        let mut all = Sampler::new(1);
        grids(700).for_each(|grid| all.push(grid, 1));
        let list = all.finish("all", "");
        assert_eq!(list.puzzles.iter().collect::<HashSet<_>>().len(), 700);
        assert_eq!(list.total, 700);

        let mut early = 0;
        for seed in 0..200 {
            let mut some = Sampler::keeping(70, seed);
            grids(700).for_each(|grid| some.push(grid, 1));
            let list = some.finish("some", "");
            assert_eq!((list.puzzles.len(), list.total), (70, 700));
            assert_eq!(list.puzzles.iter().collect::<HashSet<_>>().len(), 70, "seed {seed}");
            let half: HashSet<_> = grids(350).collect();
            early += list.puzzles.iter().filter(|puzzle| half.contains(puzzle)).count();
        }
        // 14,000 drawn, half of them early: the standard deviation is under 60.
        assert!((6700..=7300).contains(&early), "{early}");
    }

    /// Line ends, blanks, comments and the order make no difference; another puzzle does.
    #[test]
    fn a_list_has_the_same_fingerprint_in_every_form() {
        let lines: Vec<&str> = include_str!("../../data/minimal.txt").lines().skip(1).collect();
        let read = |text: String| {
            let source = Source::from_bytes("a", text.into_bytes());
            List::read("a", "", source, 1).unwrap().0
        };
        let plain = read(lines.join("\n"));
        let turned: Vec<&str> = lines.iter().rev().copied().collect();
        let other = read(format!("# two\n{}\r\n", turned.join("\r\n").replace('.', "0")));
        assert_eq!(plain.fingerprint, other.fingerprint);
        assert_ne!(plain.hash, other.hash);
        assert_ne!(plain.fingerprint, read(lines[1..].join("\n")).fingerprint);
        // The line of each puzzle is where it stands, whatever the order of the sample.
        for (puzzle, line) in plain.puzzles.iter().zip(&plain.lines) {
            assert_eq!(puzzle.to_string(), lines[usize::try_from(*line).unwrap() - 1]);
        }
        for (puzzle, line) in other.puzzles.iter().zip(&other.lines) {
            assert_eq!(puzzle.to_string(), turned[usize::try_from(*line).unwrap() - 2]);
        }
    }

    #[test]
    fn each_round_has_other_permutations_and_a_seed_brings_them_back() {
        let mut sampler = Sampler::new(1);
        grids(10).for_each(|grid| sampler.push(grid, 1));
        let list = sampler.finish("ten", "");
        let (one, other) = (list.permuted(5, 1, 25), list.permuted(5, 2, 25));
        assert_eq!(one.len(), 25);
        assert_ne!(one, other);
        assert_ne!(one, list.permuted(6, 1, 25));
        assert_eq!(one, list.permuted(5, 1, 25));
        assert_eq!(one[..10], list.permuted(5, 1, 10));
        assert!(one.iter().all(|puzzle| puzzle.clues().clues() == 1));
    }
}
