//! A list of puzzles to time, or a fair sample of one that is too long to keep.

use crate::report::ListFacts;
use ninefold_core::puzzle::parse::PENCILMARKS;
use ninefold_core::puzzle::{Grid, Puzzle, Random};
use ninefold_core::symmetry::Isomorphism;
use ninefold_rows::input::{self, ChunkBuffer, Puzzles, Row, Source};
use std::cell::OnceCell;
use twox_hash::XxHash3_128;

/// The most puzzles of a list that are kept: 8 MB.
const MOST_PUZZLES: usize = 100_000;

/// Bytes of an input that are parsed together, as in the program.
const CHUNK_BYTES: usize = 256 * 1024;

/// Puzzles that are timed together.
pub(crate) struct BenchList {
    pub(crate) listed: ListFacts,
    /// The puzzles in random order, so that the first of them are a fair sample.
    pub(crate) puzzles: Vec<Puzzle>,
    /// The line of each puzzle in its source, counted from 1.
    pub(crate) lines: Vec<u64>,
    /// The number of solutions of each puzzle, up to 2.
    pub(crate) solutions: OnceCell<Vec<usize>>,
}

impl BenchList {
    /// A list of these puzzles. Of more than 100,000 a random sample of that size is kept.
    pub(crate) fn new(name: &str, about: &str, puzzles: impl IntoIterator<Item = Puzzle>) -> Self {
        let mut sampler = Sampler::keeping(MOST_PUZZLES, 1);
        (1..).zip(puzzles).for_each(|(line, puzzle)| sampler.push(puzzle, line));
        sampler.finish(name, about)
    }

    /// The puzzles of a source, the number of lines that are none, and the first of these lines.
    pub(crate) fn read(
        name: &str,
        about: &str,
        source: Source,
        seed: u64,
    ) -> Result<(Self, (u64, u64)), input::Error> {
        let mut sampler = Sampler::keeping(MOST_PUZZLES, seed);
        let (mut chunk, mut puzzles) = (ChunkBuffer::default(), Puzzles::default());
        let (mut lines, mut skipped) = (0, (0, 0));
        let mut chunks = source.into_chunks(CHUNK_BYTES);
        while chunks.fill(&mut chunk)? {
            let read = chunk.read(|chunk| puzzles.read(chunk));
            read.map_err(|cause| input::Error { name: name.into(), cause })?;
            for (Row { line, .. }, number) in puzzles.rows() {
                match number {
                    Ok(number) => sampler.push(puzzles.puzzle(number), lines + line),
                    Err(_) if skipped.0 == 0 => skipped = (1, lines + line),
                    Err(_) => skipped.0 += 1,
                }
            }
            lines += puzzles.line_count();
        }
        Ok((sampler.finish(name, about), skipped))
    }

    pub(crate) fn has_sukakus(&self) -> bool {
        self.puzzles.iter().any(|puzzle| matches!(puzzle, Puzzle::Sukaku(_)))
    }

    /// The puzzles again and again, each time under other random isomorphisms. They depend on seed and
    /// round alone.
    pub(crate) fn permuted(&self, seed: u64, round: u64) -> impl Iterator<Item = Puzzle> {
        let mut random = Random::of(seed, round, 0);
        self.puzzles.iter().cycle().map(move |puzzle| {
            let isomorphism = Isomorphism::random(&mut random);
            match puzzle {
                Puzzle::Grid(grid) => Puzzle::Grid(isomorphism.apply(grid)),
                Puzzle::Sukaku(sukaku) => Puzzle::Sukaku(isomorphism.apply_to_sukaku(sukaku)),
            }
        })
    }
}

/// The grids among puzzles: all of them, for a program.
pub(crate) fn grids_of(puzzles: &[Puzzle]) -> Vec<Grid> {
    let grids = puzzles.iter().filter_map(|puzzle| match puzzle {
        Puzzle::Grid(grid) => Some(*grid),
        Puzzle::Sukaku(_) => None,
    });
    grids.collect()
}

/// Keeps `most` of the puzzles of a list, each as likely as the others: "Algorithm R" of Vitter,
/// "Random Sampling with a Reservoir", 1985.
struct Sampler {
    most: usize,
    random: Random,
    kept: Vec<(Puzzle, u64)>,
    total: u64,
    fingerprint: u128,
}

impl Sampler {
    fn keeping(most: usize, seed: u64) -> Self {
        let random = Random::of(seed, u64::MAX, 0);
        Self { most, random, kept: Vec::new(), total: 0, fingerprint: 0 }
    }

    fn push(&mut self, puzzle: Puzzle, line: u64) {
        self.total += 1;
        let mut memory = [0; PENCILMARKS];
        let bytes: &[u8] = match &puzzle {
            Puzzle::Grid(grid) => grid.values(),
            Puzzle::Sukaku(_) => puzzle.line(b'.', &mut memory),
        };
        // A sum does not depend on the order.
        self.fingerprint = self.fingerprint.wrapping_add(XxHash3_128::oneshot(bytes));
        if self.kept.len() < self.most {
            self.kept.push((puzzle, line));
            return;
        }
        let place = self.random.below(usize::try_from(self.total).unwrap_or(usize::MAX));
        if let Some(kept) = self.kept.get_mut(place) {
            *kept = (puzzle, line);
        }
    }

    fn finish(mut self, name: &str, about: &str) -> BenchList {
        self.random.shuffle(&mut self.kept);
        let (puzzles, lines): (Vec<_>, Vec<_>) = self.kept.into_iter().unzip();
        let listed = ListFacts {
            name: name.to_owned(),
            about: about.to_owned(),
            puzzles: self.total,
            kept: puzzles.len(),
            fingerprint: format!("{:032x}", self.fingerprint),
        };
        BenchList { listed, puzzles, lines, solutions: OnceCell::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold_core::puzzle::{Cell, Digit};
    use std::collections::HashSet;

    /// `count` different grids.
    fn grids(count: usize) -> impl Iterator<Item = Puzzle> {
        (0..count).map(|number| {
            let mut grid = Grid::EMPTY;
            grid.set(Cell::new(number % 81), Some(Digit::ALL[number / 81]));
            grid.into()
        })
    }

    #[test]
    fn a_short_list_is_kept_whole_and_a_long_one_fairly() {
        let list = BenchList::new("all", "", grids(700));
        assert_eq!(list.puzzles.iter().collect::<HashSet<_>>().len(), 700);
        let half: HashSet<_> = grids(350).collect();
        let mut early = 0;
        for seed in 0..200 {
            let mut some = Sampler::keeping(70, seed);
            grids(700).for_each(|grid| some.push(grid, 1));
            let list = some.finish("some", "");
            assert_eq!((list.listed.kept, list.listed.puzzles), (70, 700));
            assert_eq!(list.puzzles.iter().collect::<HashSet<_>>().len(), 70, "seed {seed}");
            early += list.puzzles.iter().filter(|puzzle| half.contains(puzzle)).count();
        }
        // 14,000 drawn, half of them early: the standard deviation is under 60.
        assert!((6700..=7300).contains(&early), "{early}");
    }

    /// Line ends, blanks, comments and the order make no difference; another puzzle does.
    #[test]
    fn a_list_has_the_same_fingerprint_in_every_layout() {
        let lines: Vec<&str> = include_str!("../../../data/minimal.txt").lines().skip(1).collect();
        let read = |text: String| {
            let source = Source::from_bytes("a", text.into_bytes());
            BenchList::read("a", "", source, 1).unwrap().0
        };
        let plain = read(lines.join("\n"));
        let turned: Vec<&str> = lines.iter().rev().copied().collect();
        let other = read(format!("# two\n{}\r\n", turned.join("\r\n").replace('.', "0")));
        assert_eq!(plain.listed.fingerprint, other.listed.fingerprint);
        assert_ne!(plain.listed.fingerprint, read(lines[1..].join("\n")).listed.fingerprint);
        for (puzzle, line) in other.puzzles.iter().zip(&other.lines) {
            assert_eq!(puzzle.to_string(), turned[usize::try_from(*line).unwrap() - 2]);
        }
    }

    #[test]
    fn each_round_has_other_permutations_and_a_seed_brings_them_back() {
        let list = BenchList::new("ten", "", grids(10));
        let permuted = |seed, round| list.permuted(seed, round).take(25).collect::<Vec<_>>();
        let one = permuted(5, 1);
        assert_eq!(one, permuted(5, 1));
        assert!(one != permuted(5, 2) && one != permuted(6, 1) && one[..10] != one[10..20]);
        assert!(one.iter().all(|puzzle| puzzle.givens().clues() == 1));
    }
}
