//! Unavoidable sets: cells of a full grid whose digits can be exchanged for another full grid.
//!
//! A puzzle without a clue in such a set has a second solution, so every puzzle of the grid has a clue in
//! each. A set is *minimal* if no smaller one is inside it.
//!
//! ```text
//! · 4 · │ · 7 ·      the smallest have 4 cells: two digits, two rows, two columns, two boxes
//! · 7 · │ · 4 ·
//! ```
//!
//! [`unavoidable_sets`] finds all minimal sets up to a size. Two kinds of sets are found much faster, by
//! following cycles: those of two digits, and those of two rows of a band or two columns of a stack. Tests of
//! minimality and the generator use these (`pairs`, `known`).

mod known;
mod pairs;

#[doc(hidden)]
pub use known::{Known, Left};
pub(crate) use pairs::necessary;

use crate::puzzle::{Cell, CellSet, Solution};
use alloc::vec::Vec;

/// All minimal unavoidable sets of at most `most` cells, the smallest first.
///
/// Programs use sets of up to 12 cells: about 300 in 8 ms. Each cell more takes 2 to 3 times as long.
///
/// ```
/// use ninefold_core::puzzle::{Grid, Solution};
/// use ninefold_core::unavoidable::unavoidable_sets;
///
/// // No grid has more sets of four cells than this one.
/// let grid: Grid =
///     "123568479864791352957243681218657934536489127749312865391825746472136598685974213".parse()?;
/// let sets = unavoidable_sets(&Solution::try_from(grid)?, 4);
/// assert_eq!(sets.len(), 36);
///
/// // Without the clues of a set, a puzzle has a second solution.
/// let mut puzzle = grid;
/// sets[0].cells().for_each(|cell| puzzle.set(cell, None));
/// assert!(!ninefold_core::is_unique(&puzzle)?);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[must_use]
pub fn unavoidable_sets(solution: &Solution, most: usize) -> Vec<CellSet> {
    let mut holders = [[Cell::new(0); 9]; 27];
    for cell in Cell::all() {
        for house in houses(cell) {
            holders[house][digit(solution, cell)] = cell;
        }
    }
    let mut search = Search { solution, holders, most, first: Cell::new(0), found: Vec::new() };
    for first in Cell::all() {
        search.first = first;
        search.exchange(CellSet::EMPTY, CellSet::of(first), &[0; 27]);
    }
    let mut found = search.found;
    found.sort_by_key(|set| (set.len(), *set));
    found.dedup();
    let mut minimal: Vec<CellSet> = Vec::new();
    for set in found {
        if minimal.iter().all(|smaller| *smaller & set != *smaller) {
            minimal.push(set);
        }
    }
    minimal
}

/// The row, the column and the box of a cell, of all 27 houses.
fn houses(cell: Cell) -> [usize; 3] {
    [cell.row(), 9 + cell.column(), 18 + cell.box_index()]
}

/// The digit of a cell, less one.
fn digit(solution: &Solution, cell: Cell) -> usize {
    usize::from(solution.get(cell).value()) - 1
}

/// The search for the sets whose first cell is this one.
///
/// A cell that gets another digit takes it from the cells of its houses that hold it: they must change,
/// too. When no cell is left that must change, the changed cells are an unavoidable set.
struct Search<'a> {
    solution: &'a Solution,
    /// `[house][digit]`: the cell with this digit.
    holders: [[Cell; 9]; 27],
    most: usize,
    first: Cell,
    found: Vec<CellSet>,
}

impl Search<'_> {
    /// Gives one of the cells that must change another digit. `given`: the new digits of each house.
    fn exchange(&mut self, changed: CellSet, pending: CellSet, given: &[u16; 27]) {
        let Some(cell) = pending.cells().next() else {
            self.found.push(changed);
            return;
        };
        let changed = changed | CellSet::of(cell);
        let (own, houses) = (digit(self.solution, cell), houses(cell));
        let taken = houses.iter().fold(1 << own, |taken, &house| taken | given[house]);
        for digit in (0..9).filter(|digit| taken >> digit & 1 == 0) {
            let holders = houses.map(|house| self.holders[house][digit]);
            if holders.iter().any(|&holder| holder < self.first) {
                continue;
            }
            let pending = (pending | holders.into_iter().collect()) & !changed;
            if (changed | pending).len() <= self.most {
                let mut given = *given;
                for house in houses {
                    given[house] |= 1 << digit;
                }
                self.exchange(changed, pending, &given);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::puzzle::parse;
    use core::ops::ControlFlow;
    use std::collections::BTreeSet;

    fn solution(line: &str) -> Solution {
        Solution::try_from(parse::line(line.as_bytes()).unwrap()).unwrap()
    }

    /// Solutions of the first puzzles of a file.
    fn solutions(count: usize) -> Vec<Solution> {
        let lines = include_str!("../../tests/data/minimal.txt").lines().take(count);
        lines.map(|line| crate::solve(line).unwrap()).collect()
    }

    /// The minimal differences of all solutions of the grid without these cells.
    fn by_solving(solution: &Solution, blank: CellSet, sets: &mut BTreeSet<(usize, CellSet)>) {
        let mut puzzle = *solution.grid();
        blank.cells().for_each(|cell| puzzle.set(cell, None));
        EngineKind::Mrv.build().each_solution(&puzzle, &mut |other| {
            let set = CellSet::of_differences(other.grid(), solution.grid());
            if !set.is_empty() {
                sets.insert((set.len(), set));
            }
            ControlFlow::Continue(())
        });
    }

    /// Mathimagics, forum.enjoysudoku.com, 2019: 36 sets of four cells are the most, and nine grids up to
    /// symmetry have as many; here they cover all cells.
    #[test]
    fn the_counts_are_those_that_are_known() {
        let grid = solution(
            "123568479864791352957243681218657934536489127749312865391825746472136598685974213",
        );
        let sets = unavoidable_sets(&grid, 4);
        assert_eq!(sets.len(), 36);
        assert_eq!(sets.into_iter().fold(CellSet::EMPTY, |all, set| all | set), CellSet::FULL);
    }

    /// Three digits, a band, a stack: every set that is inside such cells is found, and all that is found
    /// there is such a set.
    #[test]
    fn sets_are_the_minimal_differences_of_solutions() {
        const MOST: usize = 10;
        for solution in solutions(3) {
            let found: BTreeSet<_> = unavoidable_sets(&solution, MOST).into_iter().collect();
            let with = |digits: [usize; 3]| -> CellSet {
                Cell::all().filter(|&cell| digits.contains(&digit(&solution, cell))).collect()
            };
            let band = |band| Cell::all().filter(|cell| cell.row() / 3 == band).collect();
            let stack = |stack| Cell::all().filter(|cell| cell.column() / 3 == stack).collect();
            let mut parts: Vec<CellSet> = (0..3).flat_map(|it| [band(it), stack(it)]).collect();
            for one in 0..9 {
                for two in 0..one {
                    parts.extend((0..two).map(|three| with([one, two, three])));
                }
            }
            for part in parts {
                let mut all = BTreeSet::new();
                by_solving(&solution, part, &mut all);
                let mut minimal: Vec<CellSet> = Vec::new();
                for (size, set) in all {
                    let is_new = minimal.iter().all(|smaller| *smaller & set != *smaller);
                    if size <= MOST && is_new {
                        minimal.push(set);
                    }
                }
                let inside = found.iter().filter(|set| **set & part == **set);
                assert_eq!(
                    inside.collect::<BTreeSet<_>>(),
                    minimal.iter().collect(),
                    "{part:?} of {}",
                    solution.grid()
                );
            }
        }
    }

    /// Each set of up to 12 cells has one other filling, apart from sets that contain others.
    #[test]
    fn sets_of_twelve_cells_contain_no_others() {
        for solution in solutions(2) {
            let sets = unavoidable_sets(&solution, 12);
            assert!((200..600).contains(&sets.len()), "{}", sets.len());
            for (place, set) in sets.iter().enumerate() {
                assert!(sets[..place].iter().all(|other| *other & *set != *other));
                let mut differences = BTreeSet::new();
                by_solving(&solution, *set, &mut differences);
                assert_eq!(differences.into_iter().collect::<Vec<_>>(), [(set.len(), *set)]);
            }
        }
    }
}
