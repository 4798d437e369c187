//! Minimal puzzles inside a puzzle that is not minimal: redundant clues are removed until none is left.
//!
//! ```text
//! one       in random order, many puzzles side by side
//! all       without a: all;  with a, without b: all;  with a and b, without c: all …    each once
//! fewest    every minimal puzzle has a clue in each set of cells in which another solution differs:
//!           a least set of clues that meets all such sets known; if it has another solution, one set more
//! ```

use super::Minimality;
use crate::engine::{Answer, Bounds, Engine};
use crate::puzzle::{Cell, CellSet, Grid, Puzzle, Random, Solution, Sukaku};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Break, Continue};

/// Finds minimal puzzles; keeps the memory for it. All puzzles must have exactly one solution, which is
/// given.
///
/// ```
/// use ninefold_core::engine::{Bounds, EngineKind};
/// use ninefold_core::minimal::Minimizer;
/// use ninefold_core::puzzle::Grid;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let solution = ninefold_core::solve(&puzzle)?;
/// let mut minimizer = Minimizer::new(EngineKind::default().build(), Bounds::default());
/// let one = minimizer.one(&[puzzle], &[solution], 1)[0].unwrap();
/// let fewest = minimizer.fewest(&puzzle, &solution).unwrap();
/// assert!(fewest.clues() <= one.clues());
///
/// let mut all = Vec::new();
/// assert_eq!(minimizer.all(&puzzle, &solution, 1000, &mut |it| all.push(*it)), Some(true));
/// assert!(all.contains(&one) && all.contains(&fewest));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Minimizer {
    engine: Box<dyn Engine>,
    bounds: Bounds,
    minimality: Minimality,
    redundant: Vec<CellSet>,
}

/// A puzzle whose clues are removed one by one.
struct Removing {
    puzzle: Grid,
    /// Clues to be tried, the last first.
    order: Vec<Cell>,
    gave_up: bool,
}

/// A bound ended the search.
struct Bound;

impl Minimizer {
    /// Searches with an engine, which has bounds of its own, and these bounds.
    #[must_use]
    pub fn new(engine: Box<dyn Engine>, bounds: Bounds) -> Self {
        Self { engine, bounds, minimality: Minimality::new(), redundant: Vec::new() }
    }

    /// One minimal puzzle inside each puzzle. Clues are tried in an order that depends on the seed and the
    /// puzzle alone. None if a search was given up.
    pub fn one(
        &mut self,
        puzzles: &[Grid],
        solutions: &[Solution],
        seed: u64,
    ) -> Vec<Option<Grid>> {
        let all: Vec<_> = puzzles.iter().copied().map(Puzzle::Grid).collect();
        self.redundant.clear();
        self.minimality.redundant(self.engine.as_mut(), &all, solutions, &mut self.redundant);
        let mut removing: Vec<_> = puzzles
            .iter()
            .zip(&self.redundant)
            .map(|(puzzle, redundant)| {
                let mut order: Vec<_> = redundant.cells().collect();
                Random::of(seed, hash(puzzle), 0).shuffle(&mut order);
                Removing { puzzle: *puzzle, order, gave_up: false }
            })
            .collect();
        for &place in self.minimality.undecided() {
            removing[place].gave_up = true;
        }
        let (mut asked, mut answers) = (Vec::new(), Vec::<Answer>::new());
        loop {
            let (mut places, mut questions) = (Vec::new(), Vec::new());
            asked.clear();
            for (place, it) in removing.iter_mut().enumerate().filter(|(_, it)| !it.gave_up) {
                let Some(cell) = it.order.pop() else { continue };
                places.push((place, cell));
                questions.push(Sukaku::with_another(&it.puzzle, cell, solutions[place].get(cell)));
            }
            if places.is_empty() {
                break;
            }
            asked.append(&mut questions);
            answers.clear();
            self.engine.solve_sukakus(&asked, 1, &mut answers);
            for (&(place, cell), answer) in places.iter().zip(&answers) {
                removing[place].gave_up = answer.gave_up;
                if answer.count == 0 && !answer.gave_up {
                    removing[place].puzzle.set(cell, None);
                }
            }
        }
        removing.into_iter().map(|it| (!it.gave_up).then_some(it.puzzle)).collect()
    }

    /// Calls `found` with all minimal puzzles inside a puzzle, each once, but no more than `most`. Returns
    /// whether they are all. None if a search was given up.
    pub fn all(
        &mut self,
        puzzle: &Grid,
        solution: &Solution,
        most: u64,
        found: &mut dyn FnMut(&Grid),
    ) -> Option<bool> {
        let mut count = 0;
        let mut visit = |puzzle: &Grid| {
            if count == most {
                return Break(None);
            }
            count += 1;
            found(puzzle);
            Continue(())
        };
        match self.below(puzzle, solution, CellSet::EMPTY, &mut visit) {
            Continue(()) => Some(true),
            Break(None) => Some(false),
            Break(Some(Bound)) => None,
        }
    }

    /// All minimal puzzles inside a puzzle that have these clues.
    fn below(
        &mut self,
        puzzle: &Grid,
        solution: &Solution,
        mut kept: CellSet,
        visit: &mut dyn FnMut(&Grid) -> ControlFlow<Option<Bound>>,
    ) -> ControlFlow<Option<Bound>> {
        self.redundant.clear();
        let (puzzles, solutions) = ([Puzzle::Grid(*puzzle)], [*solution]);
        let engine = self.engine.as_mut();
        self.minimality.redundant(engine, &puzzles, &solutions, &mut self.redundant);
        if self.bounds.is_stopped() || !self.minimality.undecided().is_empty() {
            return Break(Some(Bound));
        }
        let redundant = self.redundant[0];
        if redundant.is_empty() {
            return visit(puzzle);
        }
        for cell in (redundant & !kept).cells() {
            let mut smaller = *puzzle;
            smaller.set(cell, None);
            self.below(&smaller, solution, kept, visit)?;
            kept.insert(cell);
        }
        Continue(())
    }

    /// A puzzle with the fewest clues inside a puzzle. None if the search was given up: after as many
    /// steps as branches are allowed.
    pub fn fewest(&mut self, puzzle: &Grid, solution: &Solution) -> Option<Grid> {
        let mut cover = Cover {
            engine: self.engine.as_mut(),
            bounds: &self.bounds,
            solution,
            sets: Vec::new(),
            steps: 0,
        };
        let clues = CellSet::of_clues(puzzle);
        for budget in 0..=clues.len() {
            match cover.search(CellSet::EMPTY, clues, clues, budget) {
                Continue(()) => {}
                Break(Ok(found)) => return Some(grid_of(solution, found)),
                Break(Err(Bound)) => return None,
            }
        }
        Some(*puzzle)
    }
}

/// The search for the least set of clues that meets all sets.
struct Cover<'a> {
    engine: &'a mut dyn Engine,
    bounds: &'a Bounds,
    solution: &'a Solution,
    /// Clues in which other solutions differ.
    sets: Vec<CellSet>,
    steps: u64,
}

impl Cover<'_> {
    /// Adds up to `budget` of the clues `left` to `chosen`. Breaks with a puzzle that has one solution.
    fn search(
        &mut self,
        chosen: CellSet,
        clues: CellSet,
        mut left: CellSet,
        budget: usize,
    ) -> ControlFlow<Result<CellSet, Bound>> {
        self.steps += 1;
        let most = self.bounds.max_branches().map_or(u64::MAX, u64::from);
        if self.steps > most || self.bounds.is_stopped() {
            return Break(Err(Bound));
        }
        let set = loop {
            // Sets that share no clue need a clue each.
            let (mut apart, mut seen, mut least) = (0, CellSet::EMPTY, None);
            for &set in &self.sets {
                if !(set & chosen).is_empty() {
                    continue;
                }
                let set = set & left;
                if (set & seen).is_empty() {
                    (apart, seen) = (apart + 1, seen | set);
                }
                if least.is_none_or(|least: CellSet| set.len() < least.len()) {
                    least = Some(set);
                }
            }
            if apart > budget {
                return Continue(());
            }
            if let Some(least) = least {
                break least;
            }
            let Some(mut set) = self.other(chosen, clues) else { return Break(Ok(chosen)) };
            // Small sets prove more: clues that leave another solution are not needed in it.
            for cell in set.cells() {
                if set.contains(cell)
                    && let Some(smaller) = self.other(clues & !set | CellSet::of(cell), clues)
                {
                    set = smaller;
                }
            }
            self.sets.push(set);
        };
        for cell in set.cells() {
            left &= !CellSet::of(cell);
            self.search(chosen | CellSet::of(cell), clues, left, budget - 1)?;
        }
        Continue(())
    }

    /// The clues in which another solution of the chosen ones differs.
    fn other(&mut self, chosen: CellSet, clues: CellSet) -> Option<CellSet> {
        let (mut other, solution) = (None, self.solution);
        self.engine.each_solution(&grid_of(solution, chosen), &mut |found| {
            other = (found != solution).then_some(*found);
            if other.is_some() { Break(()) } else { Continue(()) }
        });
        other.map(|other| CellSet::of_differences(other.grid(), solution.grid()) & clues)
    }
}

/// These cells of a solution.
fn grid_of(solution: &Solution, cells: CellSet) -> Grid {
    let mut grid = Grid::EMPTY;
    cells.cells().for_each(|cell| grid.set(cell, Some(solution.get(cell))));
    grid
}

/// FNV-1a of the cells (Fowler, Noll, Vo).
fn hash(puzzle: &Grid) -> u64 {
    let step = |hash: u64, &value| (hash ^ u64::from(value)).wrapping_mul(0x0100_0000_01b3);
    puzzle.values().iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use std::collections::BTreeSet;

    /// All minimal puzzles by trying all sets of redundant clues.
    fn brute(puzzle: &Grid) -> BTreeSet<[u8; 81]> {
        let mut engine = EngineKind::Lanes.build();
        let solution = engine.solve(puzzle, 1).first.unwrap();
        let mut is_unique = |clues: CellSet| engine.solve(&grid_of(&solution, clues), 2).count == 1;
        let clues = CellSet::of_clues(puzzle);
        let without = |set: CellSet, cell| set & !CellSet::of(cell);
        let open: Vec<_> = clues.cells().filter(|&it| is_unique(without(clues, it))).collect();
        let removed = |choice: u32| {
            let is_chosen = |place: &usize| choice >> place & 1 != 0;
            (0..open.len()).filter(is_chosen).map(|place| open[place]).collect::<CellSet>()
        };
        let unique: BTreeSet<_> = (0..1u32 << open.len())
            .map(|choice| clues & !removed(choice))
            .filter(|&it| is_unique(it))
            .collect();
        let is_minimal =
            |set: &&CellSet| set.cells().all(|it| !unique.contains(&without(**set, it)));
        let minimal = unique.iter().filter(is_minimal);
        minimal.map(|&set| *grid_of(&solution, set).values()).collect()
    }

    #[test]
    fn minimal_puzzles_are_those_of_brute_force() {
        let text = include_str!("../../tests/data/minimal.txt");
        let engine = || EngineKind::Lanes.build();
        let mut minimizer = Minimizer::new(engine(), Bounds::default());
        let mut several = 0;
        for (place, line) in text.lines().enumerate().take(20) {
            let mut puzzle: Grid = line.parse().unwrap();
            let solution = crate::solve(puzzle).unwrap();
            let blanks: Vec<_> = Cell::all().filter(|&it| puzzle.get(it).is_none()).collect();
            for &cell in blanks.iter().step_by(11).take(place % 5) {
                puzzle.set(cell, Some(solution.get(cell)));
            }
            let expected = brute(&puzzle);
            let (mut all, mut times) = (BTreeSet::new(), 0);
            let is_all = minimizer.all(&puzzle, &solution, u64::MAX, &mut |found| {
                all.insert(*found.values());
                times += 1;
            });
            assert_eq!((is_all, &all, times), (Some(true), &expected, expected.len()), "{puzzle}");
            let clues = |values: &[u8; 81]| values.iter().filter(|&&it| it != 0).count();
            let fewest = minimizer.fewest(&puzzle, &solution).unwrap();
            assert!(expected.contains(fewest.values()), "{puzzle}");
            assert_eq!(Some(fewest.clues()), expected.iter().map(clues).min(), "{puzzle}");
            for seed in 0..3 {
                let one = minimizer.one(&[puzzle; 2], &[solution; 2], seed);
                assert!(one[0] == one[1] && expected.contains(one[0].unwrap().values()));
            }
            several += usize::from(expected.len() > 1);
            let most = expected.len() as u64 - 1;
            assert_eq!(minimizer.all(&puzzle, &solution, most, &mut |_| ()), Some(false));
        }
        assert!(several > 5, "{several}");
    }
}
