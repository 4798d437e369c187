//! Backdoors: cells whose digits let singles solve the puzzle.
//!
//! ```text
//! puzzle ─ singles ─> board ─ each cell ─> boards ─ singles ─> solved: backdoors of one cell
//!                                                       └────> boards ─ each further cell, singles ─> of two
//! ```
//!
//! Singles are naked and hidden singles. All boards of a step are solved side by side, in the lanes of
//! vectors (`engine::lanes::logic`). The second cell is added to the board that the first one leaves.
#![forbid(unsafe_code)]

use crate::Verdict;
use crate::engine::lanes::logic::{self, CandidateSets, Rules, UngradedPuzzle};
use crate::puzzle::{Cell, CellSet, Grid, Solution};
use crate::simd::SimdLevel;
use alloc::vec;
use alloc::vec::Vec;

/// The smallest backdoors of a puzzle.
///
/// ```
/// use ninefold_core::difficulty::{Gauge, Measure};
/// use ninefold_core::puzzle::Grid;
///
/// let hard: Grid =
///     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
/// let backdoor = Gauge::new().with_measures([Measure::Backdoor]).one(&hard).backdoor.unwrap();
/// assert_eq!((backdoor.cells, backdoor.sets), (2, 7));
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backdoor {
    /// The number of cells of each: 0 if singles solve the puzzle, 3 if each has more than two.
    pub cells: u8,
    /// The number of backdoors of this size; 0 if each has more than two cells.
    pub sets: u32,
}

/// The smallest backdoors of a puzzle: the empty set if singles solve it, else all of one cell, else all of two.
/// None if each has more than two cells.
///
/// ```
/// use ninefold_core::difficulty::backdoors;
/// use ninefold_core::puzzle::Grid;
///
/// let puzzle: Grid =
///     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
/// let solution = ninefold_core::solve(puzzle)?;
/// let found = backdoors(&puzzle)?;
/// assert!(found.iter().all(|cells| cells.len() == 2));
///
/// // With the digits of a backdoor, singles solve the puzzle.
/// let mut easy = puzzle;
/// found[0].cells().for_each(|cell| easy.set(cell, Some(solution.get(cell))));
/// assert_eq!(backdoors(&easy)?.len(), 1);
/// assert!(backdoors(&easy)?[0].is_empty());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// If the puzzle does not have exactly one solution.
pub fn backdoors(puzzle: &Grid) -> Result<Vec<CellSet>, Verdict> {
    match crate::verdict(puzzle) {
        Verdict::Unique(solution) => {
            Ok(BackdoorFinder::default().find(SimdLevel::best(), puzzle, &solution))
        }
        other => Err(other),
    }
}

/// Finds backdoors, and keeps the memory for it.
#[derive(Debug, Default)]
pub(super) struct BackdoorFinder {
    left: Vec<UngradedPuzzle>,
    further: Vec<UngradedPuzzle>,
}

impl BackdoorFinder {
    /// The smallest backdoors of a puzzle with this solution, as [`backdoors`] gives them.
    pub(super) fn find(
        &mut self,
        level: SimdLevel,
        puzzle: &Grid,
        solution: &Solution,
    ) -> Vec<CellSet> {
        let solve = |boards: &mut Vec<UngradedPuzzle>| {
            let mut solved = Vec::new();
            let on_solved = &mut |place| solved.push(place);
            logic::solve_by_rules(level, Rules::Singles, boards, on_solved);
            solved.sort_unstable();
            solved
        };
        let (left, further) = (&mut self.left, &mut self.further);
        left.clear();
        left.push((0, CandidateSets::new(puzzle)));
        if !solve(left).is_empty() {
            return vec![CellSet::EMPTY];
        }
        // The place of a board is its cell, then that of the first cell times 81, plus the second.
        let board = left[0].1;
        left.clear();
        let with = |board: &CandidateSets, cell| board.with(cell, solution.get(cell));
        left.extend(Cell::all().filter_map(|one| Some((one.index(), with(&board, one)?))));
        let solved = solve(left);
        if !solved.is_empty() {
            return solved.into_iter().map(|one| CellSet::of(Cell::new(one))).collect();
        }
        further.clear();
        for (one, board) in left {
            let later = (*one + 1..Cell::COUNT).map(Cell::new);
            let place = |two: Cell| *one * Cell::COUNT + two.index();
            further.extend(later.filter_map(|two| Some((place(two), with(board, two)?))));
        }
        let both = |place| [place / Cell::COUNT, place % Cell::COUNT].map(Cell::new);
        solve(further).into_iter().map(|place| both(place).into_iter().collect()).collect()
    }
}

impl Backdoor {
    /// What these smallest backdoors are.
    pub(super) fn of(found: &[CellSet]) -> Self {
        let cells = found.first().map_or(3, |cells| cells.len());
        let cells = u8::try_from(cells).unwrap_or(u8::MAX);
        Self { cells, sets: u32::try_from(found.len()).unwrap_or(u32::MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difficulty::{Grade, Grader};

    /// Whether singles solve the puzzle with these cells filled.
    fn is_solved(puzzle: &Grid, solution: &Solution, cells: &[Cell]) -> bool {
        let mut puzzle = *puzzle;
        for &cell in cells {
            puzzle.set(cell, Some(solution.get(cell)));
        }
        Grader::default().many(SimdLevel::best(), &[puzzle])[0] <= Grade::Singles
    }

    #[test]
    fn backdoors_are_those_of_brute_force() {
        let text = include_str!("../../tests/data/minimal.txt");
        let hard = [
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
            "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3",
        ];
        let mut sizes = [0; 4];
        for line in text.lines().take(40).chain(hard) {
            let puzzle: Grid = line.parse().unwrap();
            let solution = crate::solve(puzzle).unwrap();
            let found = backdoors(&puzzle).unwrap();
            let mut expected = Vec::new();
            if is_solved(&puzzle, &solution, &[]) {
                expected.push(CellSet::EMPTY);
            } else {
                let blanks: Vec<_> =
                    Cell::all().filter(|&cell| puzzle.get(cell).is_none()).collect();
                let one = |cell: &&Cell| is_solved(&puzzle, &solution, &[**cell]);
                expected.extend(blanks.iter().filter(one).map(|&cell| CellSet::of(cell)));
                if expected.is_empty() {
                    for (place, &one) in blanks.iter().enumerate() {
                        let later = blanks[place + 1..].iter();
                        let both = later.filter(|two| is_solved(&puzzle, &solution, &[one, **two]));
                        expected.extend(both.map(|&two| CellSet::of(one) | CellSet::of(two)));
                    }
                }
            }
            assert_eq!(found, expected, "{line}");
            sizes[usize::from(Backdoor::of(&found).cells)] += 1;
        }
        assert!(sizes[..3].iter().all(|&count| count > 0), "{sizes:?}");
        assert!(backdoors(&Grid::EMPTY).is_err());
    }
}
