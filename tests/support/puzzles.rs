//! What the tests share: cases from a file, and random puzzles that a seed brings back.

use ninefold::engine::Engine;
use ninefold::puzzle::{Cell, Digit, Grid, Puzzle, Solution, parse, rules};
use std::fmt;
use std::ops::ControlFlow;

/// One line of a case file.
pub struct Case {
    /// The puzzle.
    pub puzzle: Grid,
    /// How many solutions it has; 2 means two or more.
    pub count: usize,
    /// The solution, if there is just one.
    pub solution: Option<Solution>,
    /// What to call it in a message.
    pub name: &'static str,
}

/// Reads `puzzle:count:solution  # name`; lines that begin with `#` are notes.
pub fn cases(text: &'static str) -> Vec<Case> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let cases: Vec<_> = lines.map(case).collect();
    assert!(!cases.is_empty());
    cases
}

fn case(line: &'static str) -> Case {
    let (fields, name) = line.split_once("  # ").expect("a case has a name");
    let [puzzle, count, solution] =
        fields.split(':').collect::<Vec<_>>().try_into().expect("a case has three fields");
    let count = count.parse().expect("a count is a number");
    assert_eq!(count == 1, !solution.is_empty(), "{name}");
    let solution = (count == 1).then(|| solution_of(solution));
    Case { puzzle: grid(puzzle), count, solution, name }
}

/// The puzzles of a list; lines that begin with `#` are notes.
pub fn list(text: &str) -> Vec<Grid> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(grid).collect()
}

/// The grid of a line.
pub fn grid(line: &str) -> Grid {
    parse::line(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// The solution of a line.
pub fn solution_of(line: &str) -> Solution {
    Solution::try_from(grid(line)).unwrap_or_else(|error| panic!("{line}: {error:?}"))
}

/// Judges a solution by the rules themselves and by the puzzle, whatever its type promises.
pub fn assert_solves(solution: &Solution, puzzle: &Grid, who: impl fmt::Display) {
    assert_eq!(rules::check_solved(solution.grid()), Ok(()), "{who} on {puzzle}");
    assert!(solution.keeps_clues_of(puzzle), "{who} on {puzzle}");
}

/// The first solutions that an engine hands over, `most` at most.
pub fn handed_over(
    engine: &mut dyn Engine,
    puzzle: impl Into<Puzzle>,
    most: usize,
) -> Vec<Solution> {
    let mut all = Vec::new();
    engine.each_solution(&puzzle.into(), &mut |solution| {
        all.push(*solution);
        if all.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    all
}

/// `SplitMix64`, after Steele, Lea and Flood, 2014: the same numbers from the same seed.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; the bias of `%` does not matter here.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % limit
    }

    /// The numbers 0 to `N - 1` in random order.
    pub fn order<const N: usize>(&mut self) -> [usize; N] {
        let mut order = std::array::from_fn(|index| index);
        for index in (1..N).rev() {
            order.swap(index, self.below(index + 1));
        }
        order
    }
}

/// A grid made from another one by what keeps the rules: digits renamed, bands and stacks
/// moved, rows moved in their band and columns in their stack, rows and columns exchanged. It
/// has as many solutions as the other.
pub fn transformed_grid(grid: &Grid, random: &mut Random) -> Grid {
    let digits = random.order::<9>();
    let (rows, columns) = (line_order(random), line_order(random));
    let transposed = random.below(2) == 1;
    let mut changed = Grid::EMPTY;
    for cell in Cell::all() {
        let (row, column) = (rows[cell.row()], columns[cell.column()]);
        let from = if transposed { column * 9 + row } else { row * 9 + column };
        let digit = grid.get(Cell::new(from));
        changed.set(cell, digit.map(|digit| Digit::ALL[digits[usize::from(digit.value()) - 1]]));
    }
    changed
}

/// A solution, transformed: a solution again.
pub fn transformed(solution: &Solution, random: &mut Random) -> Solution {
    let grid = transformed_grid(solution.grid(), random);
    Solution::try_from(grid).expect("each of these keeps the rules")
}

/// Where each of nine rows or columns comes from.
fn line_order(random: &mut Random) -> [usize; 9] {
    let bands = random.order::<3>();
    let inner = [(); 3].map(|()| random.order::<3>());
    std::array::from_fn(|line| bands[line / 3] * 3 + inner[line / 3][line % 3])
}

/// A random puzzle with this many clues, all taken from `solution`.
pub fn with_clues(solution: &Solution, clues: usize, random: &mut Random) -> Grid {
    let mut puzzle = *solution.grid();
    for &index in &random.order::<81>()[clues..] {
        puzzle.set(Cell::new(index), None);
    }
    puzzle
}

/// A cell with a clue.
pub fn random_clue(puzzle: &Grid, random: &mut Random) -> Cell {
    let mut cells = random.order::<81>().into_iter().map(Cell::new);
    cells.find(|&cell| puzzle.get(cell).is_some()).expect("it has clues")
}

/// A cell without one.
pub fn random_blank(puzzle: &Grid, random: &mut Random) -> Cell {
    let mut cells = random.order::<81>().into_iter().map(Cell::new);
    cells.find(|&cell| puzzle.get(cell).is_none()).expect("it has blanks")
}

/// A digit other than this one.
pub fn other_digit(digit: Option<Digit>, random: &mut Random) -> Digit {
    let others = Digit::ALL.into_iter().filter(|&other| Some(other) != digit);
    others.cycle().nth(random.below(8)).expect("there are eight others")
}
