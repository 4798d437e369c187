//! The rules of logic without search, in all lanes at once: which puzzles do they solve?
//!
//! The engine's pass (`propagate`) mixes the rules to gain most at once. Here each textbook rule is
//! separate, so that the result names the rules that a puzzle needs. No rule has branches: each
//! covers every house and every cell, whether it finds anything or not.
#![forbid(unsafe_code)]

use crate::puzzle::{Cell, Digit, Grid};
use crate::simd::{ALL_DIGITS, Board, Kernel, MAX_LANES, SimdLevel, Word, lanes_of};
use alloc::vec::Vec;

/// The candidates of one puzzle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CandidateSets([u16; Cell::COUNT]);

impl CandidateSets {
    /// A clue's digit alone, or all nine.
    pub(crate) fn new(puzzle: &Grid) -> Self {
        let mut sets = [ALL_DIGITS; Cell::COUNT];
        for (set, &value) in sets.iter_mut().zip(puzzle.values()) {
            *set = Board::candidates(value);
        }
        Self(sets)
    }

    /// With this digit in a cell. `None` if the cell has one candidate.
    pub(crate) fn with(&self, cell: Cell, digit: Digit) -> Option<Self> {
        let mut sets = self.0;
        sets[cell.index()] = 1 << (digit.value() - 1);
        (!self.0[cell.index()].is_power_of_two()).then_some(Self(sets))
    }
}

/// Rules that are used together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// The only candidate of a cell is removed from the cells that see it.
    NakedSingles,
    /// Also: a cell with the only place of a digit in a house keeps only that digit.
    Singles,
    /// Also: a digit that a line needs within a box is removed from the rest of the box, and the
    /// reverse.
    LockedCandidates,
}

/// The place of a puzzle in a list, and its remaining candidates.
pub(crate) type UngradedPuzzle = (usize, CandidateSets);

/// Applies the rules to every puzzle until they find nothing more. Solved puzzles are removed from
/// the list, and `solved` gets their places. The others keep their order.
pub(crate) fn solve_by_rules(
    level: SimdLevel,
    rules: Rules,
    puzzles: &mut Vec<UngradedPuzzle>,
    solved: &mut dyn FnMut(usize),
) {
    level.run(SolveByRules { rules, puzzles, on_solved: solved });
}

struct SolveByRules<'a> {
    rules: Rules,
    puzzles: &'a mut Vec<UngradedPuzzle>,
    on_solved: &'a mut dyn FnMut(usize),
}

impl Kernel for SolveByRules<'_> {
    type Output = ();

    /// A lane whose puzzle is done, solved or not, gets the next one at once.
    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        let Self { rules, puzzles, on_solved } = self;
        let mut block = RuleBlock::<W>::new(proof);
        // The puzzle in each busy lane. Puzzles from `next` on have not been in a lane.
        let mut homes = [0; MAX_LANES];
        let (mut next, mut busy) = (0, 0);
        loop {
            for lane in lanes_of(W::ALL_LANES & !busy) {
                if next == puzzles.len() {
                    break;
                }
                block.put(lane, &puzzles[next].1);
                homes[lane] = next;
                busy |= 1 << lane;
                next += 1;
            }
            if busy == 0 {
                break;
            }
            let mut unchanged = block.naked_singles();
            if rules != Rules::NakedSingles {
                unchanged &= block.hidden_singles();
            }
            if rules == Rules::LockedCandidates {
                unchanged &= block.locked_candidates();
            }
            // Finished lanes are emptied; the others continue.
            let done = unchanged & busy;
            if done == 0 {
                continue;
            }
            busy &= !done;
            let solved = block.solved();
            for lane in lanes_of(done) {
                let (place, candidates) = &mut puzzles[homes[lane]];
                if solved >> lane & 1 == 0 {
                    block.take(lane, candidates);
                } else {
                    on_solved(*place);
                    *place = usize::MAX;
                }
            }
        }
        puzzles.retain(|&(place, _)| place != usize::MAX);
    }
}

/// A word for each row, column and box.
type ByHouse<T> = [[T; 9]; 3];

/// A board in each lane, by row and column.
struct RuleBlock<W: Word> {
    proof: W::Proof,
    cells: [[W::Memory; 9]; 9],
    /// The single cells that the last pass has seen, by house.
    singles: ByHouse<W::Memory>,
}

impl<W: Word> RuleBlock<W> {
    /// Every lane empty.
    #[inline(always)]
    fn new(proof: W::Proof) -> Self {
        Self { proof, cells: [[W::Memory::from(0); 9]; 9], singles: [[W::Memory::from(0); 9]; 3] }
    }

    /// Puts a board into a lane.
    #[inline(always)]
    fn put(&mut self, lane: usize, board: &CandidateSets) {
        for (cell, &set) in self.cells.as_flattened_mut().iter_mut().zip(&board.0) {
            cell.as_mut()[lane] = set;
        }
        // The next pass sees the singles.
        for house in self.singles.as_flattened_mut() {
            house.as_mut()[lane] = 0;
        }
    }

    /// Copies the board in a lane.
    #[inline(always)]
    fn take(&self, lane: usize, board: &mut CandidateSets) {
        for (cell, set) in self.cells.as_flattened().iter().zip(&mut board.0) {
            *set = cell.as_ref()[lane];
        }
    }

    #[inline(always)]
    fn cell(&self, row: usize, column: usize) -> W {
        W::load(self.proof, &self.cells[row][column])
    }

    #[inline(always)]
    fn none(&self) -> W {
        W::splat(self.proof, 0)
    }

    /// The lanes that hold a solution, of those in which no single is left to be seen: nine cells
    /// have nine digits in each house, so each has one.
    #[inline(always)]
    fn solved(&self) -> u32 {
        let full = W::splat(self.proof, ALL_DIGITS);
        let mut common = full;
        for house in self.singles.as_flattened() {
            common = common & W::load(self.proof, house);
        }
        common.equal(full)
    }

    /// Removes single candidates from the cells that their cells see. Returns the lanes without new
    /// singles: these are done.
    ///
    /// A new single is used at once, but not within its row, so that no cell of a row waits for
    /// another: 12 passes for an easy puzzle.
    #[inline(always)]
    fn naked_singles(&mut self) -> u32 {
        let none = self.none();
        let (mut columns, mut boxes, mut news) = ([none; 9], [none; 9], none);
        for (kind, seen) in [(1, &mut columns), (2, &mut boxes)] {
            for (seen, singles) in seen.iter_mut().zip(&self.singles[kind]) {
                *seen = W::load(self.proof, singles);
            }
        }
        for row in 0..9 {
            let known = W::load(self.proof, &self.singles[0][row]);
            let mut all = known;
            for stack in 0..3 {
                let home = row / 3 * 3 + stack;
                let (around, mut triad) = (known | boxes[home], none);
                for place in 0..3 {
                    let column = 3 * stack + place;
                    let cell = self.cell(row, column);
                    // A single cell keeps its digit, whether it has been seen or not.
                    let left = cell.replaced_by(cell.without(around | columns[column]));
                    let single = left.if_single();
                    triad = triad | single;
                    columns[column] = columns[column] | single;
                    left.store(&mut self.cells[row][column]);
                }
                boxes[home] = boxes[home] | triad;
                all = all | triad;
            }
            news = news | all.without(known);
            all.store(&mut self.singles[0][row]);
        }
        for (kind, seen) in [(1, &columns), (2, &boxes)] {
            for (seen, singles) in seen.iter().zip(&mut self.singles[kind]) {
                seen.store(singles);
            }
        }
        news.equal(none)
    }

    /// Leaves to a cell only the digit that has no other place in one of its houses. Returns the
    /// lanes where this changes nothing.
    #[inline(always)]
    fn hidden_singles(&mut self) -> u32 {
        let none = self.none();
        let (mut once, mut twice) = ([[none; 9]; 3], [[none; 9]; 3]);
        for row in 0..9 {
            // The sums of the row and its boxes stay in registers along the row.
            let (mut row_once, mut row_twice) = (none, none);
            for stack in 0..3 {
                let home = row / 3 * 3 + stack;
                let (mut triad_once, mut triad_twice) = (none, none);
                for column in 3 * stack..3 * stack + 3 {
                    let cell = self.cell(row, column);
                    triad_twice = triad_twice | triad_once & cell;
                    triad_once = triad_once | cell;
                    twice[1][column] = twice[1][column] | once[1][column] & cell;
                    once[1][column] = once[1][column] | cell;
                }
                row_twice = row_twice | triad_twice | row_once & triad_once;
                row_once = row_once | triad_once;
                twice[2][home] = twice[2][home] | triad_twice | once[2][home] & triad_once;
                once[2][home] = once[2][home] | triad_once;
            }
            (once[0][row], twice[0][row]) = (row_once, row_twice);
        }
        let alone = &mut once;
        for (once, &twice) in alone.as_flattened_mut().iter_mut().zip(twice.as_flattened()) {
            *once = once.without(twice);
        }
        let mut gone = none;
        for row in 0..9 {
            for stack in 0..3 {
                let around = alone[0][row] | alone[2][row / 3 * 3 + stack];
                for place in 0..3 {
                    let column = 3 * stack + place;
                    let cell = self.cell(row, column);
                    let left = cell.replaced_by(cell & (around | alone[1][column]));
                    gone = gone | cell.without(left);
                    left.store(&mut self.cells[row][column]);
                }
            }
        }
        gone.equal(none)
    }

    /// Removes a digit from the rest of a row or column if a box needs it there, and from the rest of
    /// a box if a row or column needs it there. Returns the lanes where this changes nothing.
    #[inline(always)]
    fn locked_candidates(&mut self) -> u32 {
        let (mut across, mut down) = ([[self.none(); 3]; 9], [[self.none(); 3]; 9]);
        for row in 0..9 {
            for column in 0..9 {
                let cell = self.cell(row, column);
                across[row][column / 3] = across[row][column / 3] | cell;
                down[column][row / 3] = down[column][row / 3] | cell;
            }
        }
        let (across, down) = (locked(&across, self.none()), locked(&down, self.none()));
        let mut gone = self.none();
        for row in 0..9 {
            for column in 0..9 {
                let cell = self.cell(row, column);
                let going = across[row][column / 3] | down[column][row / 3];
                gone = gone | cell & going;
                cell.without(going).store(&mut self.cells[row][column]);
            }
        }
        gone.equal(self.none())
    }
}

/// The candidates to remove from the triads (three cells that a line shares with a box), given
/// their candidates: by line, then by box along the line.
#[inline(always)]
fn locked<W: Word>(triads: &[[W; 3]; 9], none: W) -> [[W; 3]; 9] {
    let mut gone = [[none; 3]; 9];
    for line in 0..9 {
        let band = line / 3 * 3;
        let [next, last] = [band + (line + 1) % 3, band + (line + 2) % 3];
        for place in 0..3 {
            let [beside, behind] = [(place + 1) % 3, (place + 2) % 3];
            // Digits of a box that have no other line: not for the other boxes of this line.
            let only_here = triads[line][place].without(triads[next][place] | triads[last][place]);
            gone[line][beside] = gone[line][beside] | only_here;
            gone[line][behind] = gone[line][behind] | only_here;
            // Digits of this line that have no other box: not for the other lines of the box.
            let only_here =
                triads[line][place].without(triads[line][beside] | triads[line][behind]);
            gone[next][place] = gone[next][place] | only_here;
            gone[last][place] = gone[last][place] | only_here;
        }
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::House;
    use crate::simd::Portable;

    /// The candidates after a rule was used once, and whether it said that nothing changed.
    fn after(
        mut board: CandidateSets,
        rule: fn(&mut RuleBlock<Portable>) -> u32,
    ) -> ([u16; 81], bool) {
        let mut block = RuleBlock::new(());
        block.put(2, &board);
        let unchanged = rule(&mut block);
        assert_eq!(unchanged | 1 << 2, 0b1111, "the other lanes are empty");
        block.take(2, &mut board);
        (board.0, unchanged == 0b1111)
    }

    fn empty() -> CandidateSets {
        CandidateSets::new(&Grid::EMPTY)
    }

    #[test]
    fn a_naked_single_goes_from_its_peers_and_stays_itself() {
        for cell in Cell::all() {
            let mut board = empty();
            board.0[cell.index()] = 1 << 4;
            // A cell before it sees it in the second pass.
            let twice = |block: &mut RuleBlock<_>| block.naked_singles() & block.naked_singles();
            let (found, unchanged) = after(board, twice);
            assert!(!unchanged);
            for other in Cell::all() {
                let expected = match other {
                    _ if other == cell => 1 << 4,
                    _ if other.sees(cell) => ALL_DIGITS & !(1 << 4),
                    _ => ALL_DIGITS,
                };
                assert_eq!(found[other.index()], expected, "{cell:?} {other:?}");
            }
            assert_eq!(after(CandidateSets(found), RuleBlock::naked_singles).0, found);
        }
    }

    #[test]
    fn a_hidden_single_is_found_in_every_house() {
        for house in House::all() {
            for own in house.cells() {
                let mut board = empty();
                for cell in house.cells().into_iter().filter(|&cell| cell != own) {
                    board.0[cell.index()] &= !(1 << 8);
                }
                let mut expected = board.0;
                expected[own.index()] = 1 << 8;
                let (found, unchanged) = after(board, RuleBlock::hidden_singles);
                assert!(!unchanged);
                assert_eq!(found, expected, "{house} {own:?}");
            }
        }
    }

    /// Every box with every line through it, both ways.
    #[test]
    fn locked_candidates_go_from_the_rest_of_line_and_box() {
        let lines = || House::all().filter(|house| !matches!(house, House::Box(_)));
        let pairs = lines().flat_map(|line| (0..9).map(move |index| (line, House::Box(index))));
        for (one, other) in pairs.flat_map(|(line, home)| [(line, home), (home, line)]) {
            let common = |cell: &Cell| one.cells().contains(cell) && other.cells().contains(cell);
            if !one.cells().iter().any(common) {
                continue;
            }
            // `one` has the digit only where it meets `other`.
            let mut board = empty();
            for cell in one.cells().into_iter().filter(|cell| !common(cell)) {
                board.0[cell.index()] &= !1;
            }
            let mut expected = board.0;
            for cell in other.cells().into_iter().filter(|cell| !common(cell)) {
                expected[cell.index()] &= !1;
            }
            let (found, unchanged) = after(board, RuleBlock::locked_candidates);
            assert!(!unchanged);
            assert_eq!(found, expected, "{one} {other}");
        }
    }
}
