//! Is there any solution at all? A search that no board keeps busy for long.
//!
//! The engines choose cells. On nearly all puzzles that is the best choice. On a few boards a
//! contradiction is far away from the cells that are chosen, for instance a digit that has five columns
//! left in six rows while other cells have two candidates. Then the same contradiction is found again
//! below millions of guesses.
//!
//! This search answers only yes or no. It looks for the contradiction:
//!
//! - It branches on any of 324 *constraints*: a cell needs a digit (81), a house needs a place for
//!   a digit (27 x 9).
//! - A constraint that ended a branch gets a higher weight. The search branches on the constraint with
//!   the fewest choices per weight, so it moves to the place where branches end.
//! - It starts anew after a number of branches that grows, and keeps the weights.
//!
//! ```text
//!            cells       rows x digits   columns x digits   boxes x digits
//!   choices  [ 2 9 9 … | 9 9 5 …       | 6 9 …            | 9 9 …         ]
//!   weight   [ 1 1 1 … | 1 1 7 …       | 4 1 …            | 1 1 …         ]
//!                            ▲ 5/7 is the least: branch here
//! ```
//!
//! A yes or no has no order, so an engine may ask at any time without a change of its solutions or
//! their order. An engine keeps a [`Doubt`] for each search. Before it takes the second choice of a
//! branch, and the first took [`DOUBT_AFTER`] branches or more and had no solution, it asks about
//! the whole puzzle, and if that has a solution, about the second choice. An answer may cost a
//! part of what the first choice cost, so a search that asks in vain takes at most three times
//! as long.
//!
//! Weights from failures are known as dom/wdeg (Boussemart, Hemery, Lecoutre, Sais: "Boosting
//! systematic search by weighting constraints", 2004).
#![forbid(unsafe_code)]

use super::observe::Observer;
use crate::puzzle::{Cell, House};
use core::ops::ControlFlow;

/// The branches of a first choice without a solution after which the second choice is doubted.
pub(super) const DOUBT_AFTER: u32 = 1024;

/// How many branches of an engine take as long as one branch here, about.
const COST: u32 = 64;

/// The number of houses.
const HOUSES: usize = 27;

/// The number of constraints.
const CONSTRAINTS: usize = Cell::COUNT + HOUSES * 9;

/// Branches before the first new start.
const FIRST_RUN: u32 = 64;

/// The cells of each house: rows, columns, boxes.
const CELLS_OF: [[u8; 9]; HOUSES] = {
    let mut table = [[0; 9]; HOUSES];
    let mut house = 0;
    while house < HOUSES {
        let cells = match house / 9 {
            0 => House::Row(house % 9).cells(),
            1 => House::Column(house % 9).cells(),
            _ => House::Box(house % 9).cells(),
        };
        let mut place = 0;
        while place < 9 {
            table[house][place] = cells[place].index() as u8;
            place += 1;
        }
        house += 1;
    }
    table
};

/// The three houses of each cell, and its place in them.
const HOUSES_OF: [[(u8, u8); 3]; Cell::COUNT] = {
    let mut table = [[(0, 0); 3]; Cell::COUNT];
    let mut house = 0;
    while house < HOUSES {
        let mut place = 0;
        while place < 9 {
            table[CELLS_OF[house][place] as usize][house / 9] = (house as u8, place as u8);
            place += 1;
        }
        house += 1;
    }
    table
};

/// The search, with the weights that it has learned.
#[derive(Clone, Debug)]
struct Existence {
    weights: [u32; CONSTRAINTS],
}

/// What is known of the solutions of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// There is at least one.
    Some,
    /// There is none.
    None,
    /// The branches were used up before that was certain.
    Unknown,
}

/// What ended a search.
enum End {
    /// There is a solution.
    Solution,
    /// There is none.
    NoSolution,
    /// The branches of this run are used up.
    Restart,
    /// The observer broke.
    Broken,
}

/// Asks for one search of an engine, when it should.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    existence: Existence,
    /// The branches of the engine's search at which the whole puzzle is asked about again. `None` if
    /// it has a solution.
    whole_after: Option<u32>,
}

/// What is to be searched, of a branch whose first choice took long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remains {
    /// Nothing: the whole puzzle has no solution.
    Nothing,
    /// The branches before this one: its second choice has no solution.
    Earlier,
    /// The second choice too.
    All,
}

impl Doubt {
    pub(super) const fn new() -> Self {
        Self { existence: Existence::new(), whole_after: Some(0) }
    }

    /// What remains to be searched, when the first choice took so many `branches` without a solution.
    /// `whole` is the puzzle, `second` the board after the second choice.
    pub(super) fn ask(
        &mut self,
        branches: u32,
        whole: impl FnOnce() -> Cells,
        second: &Cells,
        observer: &mut impl Observer,
    ) -> ControlFlow<(), Remains> {
        let budget = branches / COST;
        if self.whole_after.is_some_and(|after| branches >= after) {
            match self.existence.judge(&whole(), budget, observer)? {
                Verdict::None => return ControlFlow::Continue(Remains::Nothing),
                Verdict::Some => self.whole_after = None,
                Verdict::Unknown => self.whole_after = Some(branches.saturating_mul(2)),
            }
        }
        ControlFlow::Continue(match self.existence.judge(second, budget, observer)? {
            Verdict::None => Remains::Earlier,
            Verdict::Some | Verdict::Unknown => Remains::All,
        })
    }
}

/// The candidates of each cell. Bit `d` is the digit `d + 1`.
pub(super) type Cells = [u16; Cell::COUNT];

/// The constraint that has no choice left.
struct Dead(usize);

impl Existence {
    const fn new() -> Self {
        Self { weights: [1; CONSTRAINTS] }
    }

    /// Whether a board has a solution, after at most `budget` branches. Bit `d` of a cell is the
    /// digit `d + 1`.
    ///
    /// Weights of earlier boards help if these were of the same puzzle.
    fn judge(
        &mut self,
        cells: &Cells,
        mut budget: u32,
        observer: &mut impl Observer,
    ) -> ControlFlow<(), Verdict> {
        let board = match State::new(cells) {
            Ok(board) => board,
            Err(Dead(constraint)) => {
                self.weights[constraint] += 1;
                return ControlFlow::Continue(Verdict::None);
            }
        };
        let mut run = FIRST_RUN;
        while budget > 0 {
            let mut left = run.min(budget);
            budget -= left;
            match self.search(&mut board.clone(), &mut left, observer) {
                End::Solution => return ControlFlow::Continue(Verdict::Some),
                End::NoSolution => return ControlFlow::Continue(Verdict::None),
                End::Broken => return ControlFlow::Break(()),
                End::Restart => run += run / 2,
            }
        }
        ControlFlow::Continue(Verdict::Unknown)
    }

    /// Searches below a board on which no more conclusions can be drawn.
    fn search(&mut self, board: &mut State, left: &mut u32, observer: &mut impl Observer) -> End {
        loop {
            let Some(constraint) = self.choose(board) else { return End::Solution };
            if *left == 0 {
                return End::Restart;
            }
            *left -= 1;
            if observer.on_branch(|| 2).is_break() {
                return End::Broken;
            }
            let (cell, digit) = board.first_choice(constraint);
            let mut guess = board.clone();
            match guess.place(cell, digit) {
                Ok(()) => match self.search(&mut guess, left, observer) {
                    End::NoSolution => {}
                    end => return end,
                },
                Err(Dead(constraint)) => self.weights[constraint] += 1,
            }
            if let Err(Dead(constraint)) = board.remove(cell, digit) {
                self.weights[constraint] += 1;
                return End::NoSolution;
            }
        }
    }

    /// The open constraint with the fewest choices per weight. `None` if every one is met.
    fn choose(&self, board: &State) -> Option<usize> {
        let mut best: Option<(u32, usize)> = None;
        for (constraint, (&choices, &weight)) in board.choices.iter().zip(&self.weights).enumerate()
        {
            let choices = choices.count_ones();
            if choices < 2 {
                continue;
            }
            best = match best {
                Some((least, other)) if least * weight <= choices * self.weights[other] => {
                    Some((least, other))
                }
                _ => Some((choices, constraint)),
            };
        }
        best.map(|(_, constraint)| constraint)
    }
}

/// The choices of all constraints.
#[derive(Clone, Debug)]
struct State {
    /// Of a cell its digits; of a house and a digit its places.
    choices: [u16; CONSTRAINTS],
    /// Cells that became single and are not yet taken from their peers.
    news: Queue,
}

/// A set of cells.
type Queue = u128;

/// The constraint of a digit in a house.
const fn constraint_of(house: usize, digit: usize) -> usize {
    Cell::COUNT + house * 9 + digit
}

impl State {
    /// The board, with all conclusions drawn.
    fn new(cells: &Cells) -> Result<Self, Dead> {
        let mut board = Self { choices: [0x1ff; CONSTRAINTS], news: 0 };
        for (cell, &candidates) in cells.iter().enumerate() {
            for digit in 0..9 {
                if candidates >> digit & 1 == 0 {
                    board.take(cell, digit)?;
                }
            }
        }
        board.conclude()?;
        Ok(board)
    }

    /// A cell and a digit that meet a constraint.
    fn first_choice(&self, constraint: usize) -> (usize, usize) {
        let first = self.choices[constraint].trailing_zeros() as usize;
        if constraint < Cell::COUNT {
            return (constraint, first);
        }
        let (house, digit) = ((constraint - Cell::COUNT) / 9, (constraint - Cell::COUNT) % 9);
        (usize::from(CELLS_OF[house][first]), digit)
    }

    fn place(&mut self, cell: usize, digit: usize) -> Result<(), Dead> {
        self.keep(cell, digit)?;
        self.conclude()
    }

    fn remove(&mut self, cell: usize, digit: usize) -> Result<(), Dead> {
        self.take(cell, digit)?;
        self.conclude()
    }

    /// Takes all other digits from a cell.
    fn keep(&mut self, cell: usize, digit: usize) -> Result<(), Dead> {
        let mut others = self.choices[cell] & !(1 << digit);
        while others != 0 {
            self.take(cell, others.trailing_zeros() as usize)?;
            others &= others - 1;
        }
        Ok(())
    }

    /// Takes a candidate from a cell. The singles that this makes are noted.
    fn take(&mut self, cell: usize, digit: usize) -> Result<(), Dead> {
        if self.choices[cell] >> digit & 1 == 0 {
            return Ok(());
        }
        self.choices[cell] &= !(1 << digit);
        match self.choices[cell] {
            0 => return Err(Dead(cell)),
            left if left & (left - 1) == 0 => self.news |= 1 << cell,
            _ => {}
        }
        for (house, place) in HOUSES_OF[cell] {
            let constraint = constraint_of(usize::from(house), digit);
            self.choices[constraint] &= !(1 << place);
            match self.choices[constraint] {
                0 => return Err(Dead(constraint)),
                left if left & (left - 1) == 0 => {
                    let place = left.trailing_zeros() as usize;
                    let cell = usize::from(CELLS_OF[usize::from(house)][place]);
                    self.keep(cell, digit)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Draws conclusions until there are none: naked and hidden singles, locked candidates.
    fn conclude(&mut self) -> Result<(), Dead> {
        loop {
            while self.news != 0 {
                let cell = self.news.trailing_zeros() as usize;
                self.news &= self.news - 1;
                let digit = self.choices[cell].trailing_zeros() as usize;
                for (house, place) in HOUSES_OF[cell] {
                    let constraint = constraint_of(usize::from(house), digit);
                    let mut others = self.choices[constraint] & !(1 << place);
                    while others != 0 {
                        let place = others.trailing_zeros() as usize;
                        self.take(usize::from(CELLS_OF[usize::from(house)][place]), digit)?;
                        others &= others - 1;
                    }
                }
            }
            if !self.locked_candidates()? {
                self.templates()?;
                return self.pairings();
            }
        }
    }

    /// Checks that each digit alone can be placed nine times: once in each row, column and box.
    fn templates(&self) -> Result<(), Dead> {
        for digit in 0..9 {
            let rows = core::array::from_fn(|row| self.choices[constraint_of(row, digit)]);
            let mut deepest = 0;
            if !has_template(&rows, 0, 0x1ff, 0, &mut deepest) {
                return Err(Dead(constraint_of(deepest, digit)));
            }
        }
        Ok(())
    }

    /// Checks that each house alone can be filled: each cell with one of its candidates, each digit once.
    fn pairings(&self) -> Result<(), Dead> {
        for cells in &CELLS_OF {
            let candidates = cells.map(|cell| self.choices[usize::from(cell)]);
            let mut owners = [NO_OWNER; 9];
            for (place, &cell) in cells.iter().enumerate() {
                if !has_pairing(&candidates, place, &mut owners, &mut 0) {
                    return Err(Dead(usize::from(cell)));
                }
            }
        }
        Ok(())
    }

    /// Takes a digit from the rest of a line if a box has it only there, and the reverse. Whether
    /// there was any.
    fn locked_candidates(&mut self) -> Result<bool, Dead> {
        let mut found = false;
        for house in 0..HOUSES {
            for digit in 0..9 {
                let places = self.choices[constraint_of(house, digit)];
                if places & (places - 1) == 0 {
                    continue;
                }
                // The three places of a triad are neighbours; of a box's columns, every third.
                let first = usize::from(CELLS_OF[house][places.trailing_zeros() as usize]);
                for kind in 0..3 {
                    let (other, _) = HOUSES_OF[first][kind];
                    let other = usize::from(other);
                    if other == house {
                        continue;
                    }
                    let mut common = places;
                    let mut all = true;
                    while common != 0 {
                        let cell = CELLS_OF[house][common.trailing_zeros() as usize];
                        all &= usize::from(HOUSES_OF[usize::from(cell)][kind].0) == other;
                        common &= common - 1;
                    }
                    if !all {
                        continue;
                    }
                    let mut rest = self.choices[constraint_of(other, digit)];
                    while rest != 0 {
                        let cell = usize::from(CELLS_OF[other][rest.trailing_zeros() as usize]);
                        rest &= rest - 1;
                        if usize::from(HOUSES_OF[cell][house / 9].0) != house {
                            found |= self.choices[cell] >> digit & 1 != 0;
                            self.take(cell, digit)?;
                        }
                    }
                }
            }
        }
        Ok(found || self.news != 0)
    }
}

/// In place of the cell that has a digit.
const NO_OWNER: usize = 9;

/// Gives a cell of a house a digit. Other cells may change theirs. Digits that were `seen` are not
/// tried again.
fn has_pairing(
    candidates: &[u16; 9],
    place: usize,
    owners: &mut [usize; 9],
    seen: &mut u16,
) -> bool {
    loop {
        let left = candidates[place] & !*seen;
        if left == 0 {
            return false;
        }
        *seen |= left & left.wrapping_neg();
        let digit = left.trailing_zeros() as usize;
        let owner = owners[digit];
        if owner == NO_OWNER || has_pairing(candidates, owner, owners, seen) {
            owners[digit] = place;
            return true;
        }
    }
}

/// Whether a digit can be placed in the rows from `row` on, in columns that are `free` and stacks that
/// the band has not `used`.
fn has_template(rows: &[u16; 9], row: usize, free: u16, used: u16, deepest: &mut usize) -> bool {
    if row == 9 {
        return true;
    }
    *deepest = row.max(*deepest);
    let used = if row % 3 == 0 { 0 } else { used };
    let mut places = rows[row] & free & !used;
    while places != 0 {
        let place = places & places.wrapping_neg();
        places &= places - 1;
        let stack = 7 << (place.trailing_zeros() / 3 * 3);
        if has_template(rows, row + 1, free & !place, used | stack, deepest) {
            return true;
        }
    }
    false
}
