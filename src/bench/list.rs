//! The puzzles that are timed: a list, or a fair sample of one that is too long to be kept.

use crate::puzzle::{Grid, Random};
use crate::symmetry::Isomorphism;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The most puzzles of a list that are kept: 8 MB.
pub const MOST_PUZZLES: usize = 100_000;

/// Puzzles that are timed together.
#[derive(Clone, Debug)]
pub struct List {
    /// What the table calls it.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// Its puzzles, in random order, so that the first of them are a fair sample.
    pub puzzles: Vec<Grid>,
    /// How many there were: more if only a sample of them is kept.
    pub total: u64,
    /// What tells it from other lists: a hash of all its puzzles in their order.
    pub hash: u64,
}

impl List {
    /// Puzzles `from` on, as many as `count`, each changed in looks alone, by chance that the seed
    /// and the round bring back. The list is gone through again and again.
    pub(super) fn permuted(&self, seed: u64, round: u64, count: usize) -> Vec<Grid> {
        let mut random = Random::of(seed, round, 0);
        let puzzles = self.puzzles.iter().cycle().take(count);
        puzzles.map(|puzzle| Isomorphism::random(&mut random).apply(puzzle)).collect()
    }
}

/// Takes the puzzles of a list one by one, and keeps [`MOST_PUZZLES`] of them, each as likely as
/// the others: "Algorithm R" of Vitter, "Random Sampling with a Reservoir", 1985.
#[derive(Clone, Debug)]
pub struct Sampler {
    most: usize,
    random: Random,
    kept: Vec<Grid>,
    total: u64,
    hash: u64,
}

impl Sampler {
    /// One that has taken nothing yet.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::keeping(MOST_PUZZLES, seed)
    }

    fn keeping(most: usize, seed: u64) -> Self {
        Self { most, random: Random::of(seed, u64::MAX, 0), kept: Vec::new(), total: 0, hash: 0 }
    }

    /// Takes a puzzle.
    pub fn push(&mut self, puzzle: Grid) {
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

    /// The list of what was taken.
    #[must_use]
    pub fn finish(mut self, name: &str, about: &str) -> List {
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
