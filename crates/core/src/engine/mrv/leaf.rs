//! The last blanks of a board, cell by cell without conclusions.
//!
//! A board with conclusions takes about 0.7 µs for each guess. Near the end of a search for many solutions
//! most boards have dozens of solutions. There a plain walk is quicker: a step asks three masks of used
//! digits, and takes 2 to 3 ns.

use super::board::{ALL, BandBoard, values_of};
use super::branch::{candidates, cells, count};
use crate::puzzle::{Cell, Solution};

/// The most blanks of a leaf.
pub(super) const LEAF_BLANKS: usize = 24;

/// Steps without a solution after which a leaf is left: some microseconds.
const BARREN_STEPS: u32 = 2048;

/// A blank of a leaf.
#[derive(Clone, Copy, Debug, Default)]
struct LeafBlank {
    cell: u8,
    /// Its row, column and box in [`LeafWalk::used`].
    houses: [u8; 3],
    /// A bit for each candidate that conclusions left.
    candidates: u16,
    /// The candidates that are still to be tried.
    left: u16,
    /// The candidate that is being tried.
    tried: u16,
}

/// The walk of the blanks of a board, in reading order, smallest digit first.
#[derive(Clone, Debug)]
pub(super) struct LeafWalk {
    board: BandBoard,
    blanks: [LeafBlank; LEAF_BLANKS],
    count: usize,
    /// The blank whose candidates are tried. All before it are filled.
    depth: usize,
    /// The digits of blanks before it: rows, columns, boxes.
    used: [u16; 27],
    values: [u8; Cell::COUNT],
}

/// What a step of a leaf came to.
pub(super) enum Walked {
    Solution(Solution),
    /// There are no more.
    End,
    /// Too many steps without a solution: see [`LeafWalk::rest`].
    Barren,
}

impl LeafWalk {
    /// The walk of a board on which no more conclusions can be drawn, if it has few blanks, one at least.
    #[expect(clippy::cast_possible_truncation, reason = "81 cells, 27 houses, nine digits")]
    pub(super) fn of(board: &BandBoard) -> Option<Self> {
        let blanks = board.fixed.map(|fixed| ALL & !fixed);
        if !(1..=LEAF_BLANKS).contains(&(count(blanks) as usize)) {
            return None;
        }
        let mut leaf = Self {
            board: *board,
            blanks: [LeafBlank::default(); LEAF_BLANKS],
            count: 0,
            depth: 0,
            used: [0; 27],
            values: [0; Cell::COUNT],
        };
        for index in cells(blanks) {
            let candidates = candidates(board, index) as u16;
            let (cell, index) = (Cell::new(index), index as u8);
            let houses = [cell.row(), 9 + cell.column(), 18 + cell.box_index()];
            let houses = houses.map(|house| house as u8);
            leaf.blanks[leaf.count] =
                LeafBlank { cell: index, houses, candidates, left: candidates, tried: 0 };
            leaf.count += 1;
        }
        Some(leaf)
    }

    /// Sets the digits that are fixed, before the first solution is listed.
    pub(super) fn set_values(&mut self) {
        self.values = values_of(&self.board.places);
    }

    /// The next solution.
    pub(super) fn walk(&mut self) -> Walked {
        for _ in 0..BARREN_STEPS {
            let blank = &mut self.blanks[self.depth];
            if blank.left == 0 {
                let Some(before) = self.depth.checked_sub(1) else { return Walked::End };
                self.depth = before;
                self.flip();
                continue;
            }
            let digit = blank.left & blank.left.wrapping_neg();
            blank.left ^= digit;
            blank.tried = digit;
            self.values[usize::from(blank.cell)] = value_of(digit);
            if self.depth + 1 == self.count {
                return Walked::Solution(Solution::from_proven_values(self.values));
            }
            self.flip();
            self.depth += 1;
            self.enter();
        }
        Walked::Barren
    }

    /// The number of solutions in a number of steps, and what ended the walk.
    pub(super) fn count(&mut self) -> (u64, Walked) {
        let (mut count, mut barren) = (0, 0);
        while barren < BARREN_STEPS {
            barren += 1;
            let blank = &mut self.blanks[self.depth];
            let mut left = blank.left;
            if self.depth + 1 == self.count && left != 0 {
                count += u64::from(left.count_ones());
                (left, barren) = (0, 0);
            }
            if left == 0 {
                let Some(before) = self.depth.checked_sub(1) else {
                    return (count, Walked::End);
                };
                self.depth = before;
                self.flip();
                continue;
            }
            let digit = left & left.wrapping_neg();
            blank.left = left ^ digit;
            blank.tried = digit;
            self.flip();
            self.depth += 1;
            self.enter();
        }
        (count, Walked::Barren)
    }

    /// Finds the candidates of the blank at this depth.
    fn enter(&mut self) {
        let Self { blanks, used, depth, .. } = self;
        let blank = &mut blanks[*depth];
        let [row, column, square] = blank.houses.map(|house| used[usize::from(house)]);
        blank.left = blank.candidates & !(row | column | square);
    }

    /// Puts the tried digit of the blank at this depth into its houses, or takes it out.
    fn flip(&mut self) {
        let LeafBlank { houses, tried, .. } = self.blanks[self.depth];
        for house in houses {
            self.used[usize::from(house)] ^= tried;
        }
    }

    /// The boards that were not walked, the last in lexicographic order first.
    pub(super) fn rest(&self) -> impl Iterator<Item = BandBoard> {
        (0..=self.depth).filter(|&depth| self.blanks[depth].left != 0).map(|depth| {
            let mut board = self.board;
            for blank in &self.blanks[..depth] {
                board.keep(usize::from(blank.cell), blank.tried);
            }
            board.keep(usize::from(self.blanks[depth].cell), self.blanks[depth].left);
            board
        })
    }
}

/// The digit of a set of one.
#[expect(clippy::cast_possible_truncation, reason = "16 bits")]
fn value_of(digit: u16) -> u8 {
    digit.trailing_zeros() as u8 + 1
}
