//! A list of puzzles to time.

use crate::Error;
use crate::report::ListFacts;
use ninefold_core::puzzle::parse::PENCILMARKS;
use ninefold_core::puzzle::{Grid, Puzzle, Random};
use ninefold_core::symmetry::Isomorphism;
use ninefold_rows::input::{ChunkBuffer, Puzzles, Source};
use std::cell::OnceCell;
use std::io::{self, Write};
use twox_hash::XxHash3_128;

/// Bytes of an input that are parsed together, as in the program.
const CHUNK_BYTES: usize = 256 * 1024;

/// Puzzles that are timed together.
pub(crate) struct BenchList {
    pub(crate) listed: ListFacts,
    /// The puzzles in random order, so that the first of them are a fair sample.
    pub(crate) puzzles: Vec<Puzzle>,
    /// The number of solutions of each puzzle, up to 2.
    pub(crate) solutions: OnceCell<Vec<usize>>,
}

impl BenchList {
    pub(crate) fn new(name: &str, about: &str, mut puzzles: Vec<Puzzle>, seed: u64) -> Self {
        Random::of(seed, u64::MAX, 0).shuffle(&mut puzzles);
        // A sum does not depend on the order.
        let fingerprint = puzzles.iter().map(hash).fold(0, u128::wrapping_add);
        let listed = ListFacts {
            name: name.to_owned(),
            about: about.to_owned(),
            puzzles: puzzles.len(),
            fingerprint: format!("{fingerprint:032x}"),
        };
        Self { listed, puzzles, solutions: OnceCell::new() }
    }

    /// The puzzles of a source. Says how many lines are none.
    pub(crate) fn read(
        name: &str,
        about: &str,
        source: Source,
        seed: u64,
        quiet: bool,
    ) -> Result<Self, Error> {
        let (mut chunk, mut read, mut puzzles) =
            (ChunkBuffer::default(), Puzzles::default(), vec![]);
        let (mut lines, mut skipped) = (0, Vec::new());
        let mut chunks = source.into_chunks();
        while chunks.fill(&mut chunk, CHUNK_BYTES)? {
            chunk.read(|chunk| read.read(chunk)).map_err(|error| format!("{name}: {error}"))?;
            for (row, _) in read.rows() {
                match row.puzzle {
                    Some(puzzle) => puzzles.push(puzzle),
                    None => skipped.push(lines + row.line),
                }
            }
            lines += read.line_count();
        }
        if puzzles.is_empty() {
            return Err(format!("{name}: there is no puzzle in it").into());
        }
        if let Some(first) = skipped.first().filter(|_| !quiet) {
            let count = skipped.len();
            let what = "passing over lines that are no puzzle";
            let _ = writeln!(
                io::stderr(),
                "ninefold: {name}: {what}: {count}, the first is line {first}"
            );
        }
        Ok(Self::new(name, about, puzzles, seed))
    }

    pub(crate) fn has_sukakus(&self) -> bool {
        self.puzzles.iter().any(|puzzle| matches!(puzzle, Puzzle::Sukaku(_)))
    }

    /// The number of solutions of a puzzle, up to 2. `place` goes through the list again and again.
    pub(crate) fn expected(&self, place: usize) -> usize {
        self.solutions.get().expect("counted first")[place % self.puzzles.len()]
    }

    /// The puzzles again and again, each time under other random isomorphisms. They depend on seed and
    /// round alone.
    pub(crate) fn permuted(&self, seed: u64, round: u64) -> impl Iterator<Item = Puzzle> {
        let mut random = Random::of(seed, round, 0);
        self.puzzles
            .iter()
            .cycle()
            .map(move |it| Isomorphism::random(&mut random).apply_to_puzzle(it))
    }
}

/// The same whatever the line of the puzzle looked like.
fn hash(puzzle: &Puzzle) -> u128 {
    XxHash3_128::oneshot(puzzle.line(b'.', &mut [0; PENCILMARKS]))
}

/// The grids among puzzles: all of them, for a program.
pub(crate) fn grids_of(puzzles: &[Puzzle]) -> Vec<Grid> {
    let grids = puzzles.iter().filter_map(|puzzle| match puzzle {
        Puzzle::Grid(grid) => Some(*grid),
        Puzzle::Sukaku(_) => None,
    });
    grids.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line ends, blanks, comments and the order make no difference; another puzzle does.
    #[test]
    fn a_list_has_the_same_fingerprint_in_every_layout() {
        let lines: Vec<&str> = include_str!("../../../data/minimal.txt").lines().skip(1).collect();
        let read = |text: String| {
            let source = Source::from_bytes("a", text.into_bytes());
            BenchList::read("a", "", source, 1, true).unwrap().listed.fingerprint
        };
        let plain = read(lines.join("\n"));
        let turned: Vec<&str> = lines.iter().rev().copied().collect();
        let other = read(format!("# two\n{}\r\n", turned.join("\r\n").replace('.', "0")));
        assert_eq!(plain, other);
        assert_ne!(plain, read(lines[1..].join("\n")));
    }

    #[test]
    fn each_round_has_other_permutations_and_a_seed_brings_them_back() {
        let puzzles = include_str!("../../../data/minimal.txt").lines().skip(1).take(10);
        let list = BenchList::new("ten", "", puzzles.map(|it| it.parse().unwrap()).collect(), 1);
        let permuted = |seed, round| list.permuted(seed, round).take(25).collect::<Vec<_>>();
        let one = permuted(5, 1);
        assert_eq!(one, permuted(5, 1));
        assert!(one != permuted(5, 2) && one != permuted(6, 1) && one[..10] != one[10..20]);
    }
}
