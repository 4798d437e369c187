//! Minimal puzzles inside a puzzle that is not minimal: redundant clues are removed until none is left.
//!
//! ```text
//! one       in random order, many puzzles side by side
//! all       without a: all;  with a, without b: all;  with a and b, without c: all …    each once
//! fewest    every minimal puzzle has a clue in each set of cells in which another solution differs:
//!           a least set of clues that meets all such sets known; if it has another solution, one set more
//! ```

use super::{Minimality, Redundant};
use crate::engine::{Answer, Bounds, Engine, WorkerEngine};
use crate::puzzle::{Cell, CellSet, Grid, Puzzle, Random, Solution, Sukaku};
use crate::questions::Questions;
use crate::simd::SimdLevel;
use crate::verdict::Verdict;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::ControlFlow::{self, Break, Continue};
use core::{mem, slice};

/// Finds minimal puzzles; keeps the memory for it.
///
/// ```
/// use ninefold_core::minimal::Minimizer;
/// use ninefold_core::puzzle::Grid;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let solution = ninefold_core::solve(&puzzle)?;
/// let mut minimizer = Minimizer::new().with_seed(7);
/// let one = minimizer.one(&puzzle)?;
/// let fewest = minimizer.fewest(&puzzle, &solution).unwrap();
/// assert!(fewest.clues() <= one.clues());
///
/// let mut all = Vec::new();
/// assert_eq!(minimizer.each(&puzzle, &solution, 1000, &mut |it| all.push(*it)), Some(true));
/// assert!(all.contains(&one) && all.contains(&fewest));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Minimizer {
    engine: WorkerEngine,
    seed: u64,
    minimality: Minimality,
    results: Vec<Result<Grid, Verdict>>,
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

impl Default for Minimizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Minimizer {
    /// One without memory.
    pub fn new() -> Self {
        Self {
            engine: WorkerEngine::default(),
            seed: 1,
            minimality: Minimality::new(),
            results: Vec::new(),
        }
    }

    /// Tries clues in the random order of a seed.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Uses vectors of this level. The results are the same at every level.
    pub fn with_level(self, level: SimdLevel) -> Self {
        Self { engine: self.engine.with_level(level), ..self }
    }

    /// Gives up a puzzle at these bounds.
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { engine: self.engine.with_bounds(bounds), ..self }
    }

    /// Uses an engine, which has bounds of its own, and these bounds.
    pub fn with_built(self, engine: Box<dyn Engine>, bounds: Bounds) -> Self {
        Self { engine: self.engine.with_built(engine, bounds), ..self }
    }

    /// A minimal puzzle inside a puzzle. Clues are tried in an order that depends on the seed and the puzzle
    /// alone.
    ///
    /// # Errors
    /// If the puzzle does not have exactly one solution.
    ///
    /// # Panics
    /// Never: each puzzle has one result.
    pub fn one(&mut self, puzzle: &Grid) -> Result<Grid, Verdict> {
        self.many(slice::from_ref(puzzle))[0]
    }

    /// A minimal puzzle inside each puzzle, or why there is none.
    pub fn many(&mut self, puzzles: &[Grid]) -> &[Result<Grid, Verdict>] {
        let mut engine = mem::take(&mut self.engine);
        let found = engine.of_unique(puzzles, |engine, unique, solutions| {
            self.one_in_each(engine.get(), unique, solutions)
        });
        (self.engine, self.results) = (engine, found);
        &self.results
    }

    /// A minimal puzzle inside each puzzle, whose only solution is given. None if a search was given up.
    pub fn many_unique(&mut self, puzzles: &[Grid], solutions: &[Solution]) -> Vec<Option<Grid>> {
        let mut engine = mem::take(&mut self.engine);
        let found = self.one_in_each(engine.get(), puzzles, solutions);
        self.engine = engine;
        found
    }

    fn one_in_each(
        &mut self,
        engine: &mut dyn Engine,
        puzzles: &[Grid],
        solutions: &[Solution],
    ) -> Vec<Option<Grid>> {
        let all: Vec<_> = puzzles.iter().copied().map(Puzzle::Grid).collect();
        let redundant = self.minimality.many_unique(engine, &all, solutions);
        let mut removing: Vec<_> = puzzles
            .iter()
            .zip(redundant)
            .map(|(puzzle, &Redundant { clues, gave_up })| {
                let mut order: Vec<_> = clues.cells().collect();
                Random::of(self.seed, puzzle.hash(), 0).shuffle(&mut order);
                Removing { puzzle: *puzzle, order, gave_up }
            })
            .collect();
        let (mut questions, mut answers) = (Questions::default(), Vec::<Answer>::new());
        loop {
            questions.clear();
            for (place, it) in removing.iter_mut().enumerate().filter(|(_, it)| !it.gave_up) {
                let Some(cell) = it.order.pop() else { continue };
                let other = Sukaku::with_another(&it.puzzle, cell, solutions[place].get(cell));
                questions.push(other, (place, cell));
            }
            if questions.askers.is_empty() {
                break;
            }
            answers.clear();
            engine.solve_sukakus(&questions.questions, 1, &mut answers);
            for (&(place, cell), answer) in questions.askers.iter().zip(&answers) {
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
    pub fn each(
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
        let (puzzles, solutions) = ([Puzzle::Grid(*puzzle)], [*solution]);
        let found = self.minimality.many_unique(self.engine.get(), &puzzles, &solutions);
        let Redundant { clues: redundant, gave_up } = found[0];
        if gave_up || self.engine.bounds().is_stopped() {
            return Break(Some(Bound));
        }
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
        let bounds = &self.engine.bounds().clone();
        let mut cover =
            Cover { engine: self.engine.get(), bounds, solution, sets: Vec::new(), steps: 0 };
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
        self.engine.each_solution(&grid_of(solution, chosen).into(), &mut |found| {
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
        let mut minimizer = Minimizer::new();
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
            let is_all = minimizer.each(&puzzle, &solution, u64::MAX, &mut |found| {
                all.insert(*found.values());
                times += 1;
            });
            assert_eq!((is_all, &all, times), (Some(true), &expected, expected.len()), "{puzzle}");
            let clues = |values: &[u8; 81]| values.iter().filter(|&&it| it != 0).count();
            let fewest = minimizer.fewest(&puzzle, &solution).unwrap();
            assert!(expected.contains(fewest.values()), "{puzzle}");
            assert_eq!(Some(fewest.clues()), expected.iter().map(clues).min(), "{puzzle}");
            for seed in 0..3 {
                minimizer = minimizer.with_seed(seed);
                let found = minimizer.many(&[puzzle, Grid::EMPTY, puzzle]);
                assert!(found[0] == found[2] && expected.contains(found[0].unwrap().values()));
                assert_eq!(found[1], Err(Verdict::Multiple { at_least: 2, exact: false }));
            }
            several += usize::from(expected.len() > 1);
            let most = expected.len() as u64 - 1;
            assert_eq!(minimizer.each(&puzzle, &solution, most, &mut |_| ()), Some(false));
        }
        assert!(several > 5, "{several}");
    }
}
