//! Is there any solution at all? A second search, for boards on which the engines take long.
//!
//! The engines branch on cells. This is the best choice for nearly all puzzles. But on a few boards
//! no cell shows the contradiction. For instance, a digit has five columns left in six rows, while
//! other cells have two candidates. An engine then finds the same contradiction again and again, below
//! millions of guesses.
//!
//! # The search
//! It finds one solution or the proof that there is none, in any order:
//!
//! - It branches on any of 324 *constraints*: a cell needs a digit (81), a house needs a place for
//!   a digit (27 x 9).
//! - A constraint that ended a branch gets a higher weight. The search branches on the constraint with
//!   the fewest choices per weight, so it moves to the place where branches end.
//! - Digits with the same places can be exchanged. If one has no solution in a cell, none of them has.
//!   This matters if many cells have the same few digits: without it, the proof that these are too few is
//!   found again for each order of the digits.
//! - It starts anew after a number of branches that grows, and keeps the weights.
//!
//! ```text
//!            cells       rows x digits   columns x digits   boxes x digits
//!   choices  [ 2 9 9 … | 9 9 5 …       | 6 9 …            | 9 9 …         ]
//!   weight   [ 1 1 1 … | 1 1 7 …       | 4 1 …            | 1 1 …         ]
//!                            ▲ 5/7 is the least: branch here
//! ```
//!
//! Between branches it draws conclusions: naked and hidden singles, and locked candidates. Then it checks
//! each digit alone (nine cells, one in each row, column and box) and each house alone (nine cells
//! with nine digits). Only houses and digits that lost a candidate are checked again.
//!
//! # How an engine uses it
//! An engine searches depth first. At each branch it takes the first choice, and the board of the second
//! choice waits on a stack. After [`DOUBT_AFTER`] branches without a solution, the engine asks
//! [`Doubt`] which of the waiting boards need no search. The question is about the *union* of the boards
//! from the next one down: all candidates that any of them has.
//!
//! ```text
//!   waiting   [ next | . | . | . | . | alive | . | … | last ]     each is searched
//!               └──── union: none ───┘   ▲                        before those on its right
//!                      dropped           the witness fits here
//! ```
//!
//! 1. The union has no solution. Then no board in it has one, and the engine drops them all.
//! 2. The union has a solution. It fits one of the boards, which is alive. This solution is the *witness*,
//!    and the next question is about the boards before. The witness is kept: as long as it waits, that
//!    board needs no question.
//! 3. The solution fits none of the boards, or the branches are used up. The next question is about half
//!    of the boards.
//!
//! So a board without a solution is dropped together with its neighbours, and a rare solution in a
//! huge tree is reached in few steps. Dropping boards without a solution changes neither the solutions
//! nor their order. The questions at one time may branch once for 8 branches of the engine since its
//! last solution, of all lanes that walk the tree. If they use that up, the tree is asked about again when it
//! has taken twice as many.
//!
//! # Memory
//! A search guesses in one cell after the other, so it is at most 81 boards deep, 60 KB of the call
//! stack. Conclusions are drawn from lists of what changed, without recursion.
//!
//! Weights from failures are known as dom/wdeg (Boussemart, Hemery, Lecoutre, Sais: "Boosting
//! systematic search by weighting constraints", 2004).
#![forbid(unsafe_code)]

use super::contract::Branch;
use crate::bits::bits;
use crate::puzzle::Cell;
use crate::puzzle::tables::{CELLS, HOUSES, HOUSES_OF, POSITIONS, set_of, table};
use core::ops::ControlFlow;

/// The branches since the last solution after which a search is doubted first.
pub(super) const DOUBT_AFTER: u64 = 1024;

/// The branches from one question to the next, if the first was of use.
const DOUBT_AGAIN: u64 = 64;

/// The branches of an engine for which this search may branch once.
const COST: u64 = 8;

/// The number of constraints.
const CONSTRAINTS: usize = Cell::COUNT + HOUSES * 9;

/// Branches before the first new start.
const FIRST_RUN: u64 = 64;

/// The places of a house whose cells are in another house too.
static SHARED: [[u16; HOUSES]; HOUSES] = table!([[0; HOUSES]; HOUSES], |house| {
    table!([0; HOUSES], |other| {
        let (mut places, mut place) = (0, 0);
        while place < 9 {
            let is_shared = set_of(&CELLS[other]) >> CELLS[house][place] & 1 != 0;
            places |= (is_shared as u16) << place;
            place += 1;
        }
        places
    })
});

/// The search, with the weights that it has learned.
#[derive(Clone, Debug)]
struct Existence {
    weights: [u32; CONSTRAINTS],
}

/// What is known of the solutions of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judgement {
    /// There is at least this one.
    Some(CellCandidates),
    /// There is none.
    None,
    /// The branches were used up before that was certain.
    Unknown,
}

/// What ended a search.
enum SearchEnd {
    /// There is a solution: the cells of the last board.
    Solution(CellCandidates),
    /// There is none.
    NoSolution,
    /// The branches of this run are used up.
    Restart,
    /// The observer broke.
    Broken,
}

/// The doubts about one search of an engine: what was learned from earlier questions.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    existence: Existence,
    /// A solution that was found last. The engine's search may have visited it since.
    witness: Option<CellCandidates>,
}

/// What an engine does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Advice {
    /// This number of waiting boards has no solution, from the first on.
    pub(super) dead: usize,
    /// The number of branches until the next question, if there is no solution until then.
    pub(super) next: u64,
    /// Whether the branches of a question were used up.
    pub(super) is_unknown: bool,
}

impl Doubt {
    pub(super) const fn new() -> Self {
        Self { existence: Existence::new(), witness: None }
    }

    /// How many boards need no search. `waiting` has the boards of second choices in the order in
    /// which they would be searched, one at least. `barren` is the number of branches since the last
    /// solution, of each of the `walkers` that search side by side.
    pub(super) fn ask(
        &mut self,
        barren: u64,
        walkers: u64,
        waiting: &(impl Iterator<Item = CellCandidates> + Clone),
        on_branch: &mut Branch,
    ) -> ControlFlow<(), Advice> {
        let with =
            |solution: &CellCandidates| waiting.clone().position(|board| fits(solution, &board));
        let mut left = barren * walkers / COST;
        // The boards that are asked about, from the first on.
        let mut asked =
            self.witness.as_ref().and_then(with).unwrap_or_else(|| waiting.clone().count());
        let (mut next, mut is_unknown) = (DOUBT_AGAIN, false);
        while asked > 0 && left > 0 {
            let union = waiting.clone().take(asked).fold([0; Cell::COUNT], union);
            match self.existence.judge(&union, left.div_ceil(2), &mut left, on_branch)? {
                Judgement::None => {
                    return ControlFlow::Continue(Advice { dead: asked, next, is_unknown });
                }
                Judgement::Some(solution) => match with(&solution) {
                    Some(place) if place < asked => {
                        self.witness = Some(solution);
                        asked = place;
                    }
                    // It has digits of several boards.
                    _ => asked /= 2,
                },
                Judgement::Unknown => {
                    (next, is_unknown) = (barren, true);
                    asked /= 2;
                }
            }
        }
        ControlFlow::Continue(Advice { dead: 0, next, is_unknown })
    }
}

/// Whether a solution is one of a board.
fn fits(solution: &CellCandidates, board: &CellCandidates) -> bool {
    solution.iter().zip(board).all(|(digit, cell)| digit & cell != 0)
}

/// The candidates of either board.
fn union(mut one: CellCandidates, other: CellCandidates) -> CellCandidates {
    for (one, other) in one.iter_mut().zip(other) {
        *one |= other;
    }
    one
}

/// The candidates of each cell. Bit `d` is the digit `d + 1`.
pub(super) type CellCandidates = [u16; Cell::COUNT];

/// The constraint to blame for a contradiction: one without a choice or, if a digit or a house as a
/// whole has no solution, one of its constraints.
struct Dead(usize);

impl Existence {
    const fn new() -> Self {
        Self { weights: [1; CONSTRAINTS] }
    }

    /// Whether a board has a solution, after at most `most` branches, which are taken from `left`.
    /// Bit `d` of a cell is the digit `d + 1`.
    ///
    /// Weights of earlier boards help if these were of the same puzzle.
    fn judge(
        &mut self,
        cells: &CellCandidates,
        mut most: u64,
        left: &mut u64,
        on_branch: &mut Branch,
    ) -> ControlFlow<(), Judgement> {
        let board = match ConstraintBoard::new(cells) {
            Ok(board) => board,
            Err(Dead(constraint)) => {
                self.weights[constraint] += 1;
                return ControlFlow::Continue(Judgement::None);
            }
        };
        let mut run = FIRST_RUN;
        while most > 0 {
            let length = run.min(most);
            let mut unused = length;
            let end = self.search(&mut board.clone(), &mut unused, on_branch);
            most -= length;
            *left -= length - unused;
            match end {
                SearchEnd::Solution(solution) => {
                    return ControlFlow::Continue(Judgement::Some(solution));
                }
                SearchEnd::NoSolution => return ControlFlow::Continue(Judgement::None),
                SearchEnd::Broken => return ControlFlow::Break(()),
                SearchEnd::Restart => run += run / 2,
            }
        }
        ControlFlow::Continue(Judgement::Unknown)
    }

    /// Searches below a board on which no more conclusions can be drawn.
    fn search(
        &mut self,
        board: &mut ConstraintBoard,
        left: &mut u64,
        on_branch: &mut Branch,
    ) -> SearchEnd {
        loop {
            let Some(constraint) = self.choose(board) else {
                return SearchEnd::Solution(*board.choices.first_chunk().expect("324 constraints"));
            };
            if *left == 0 {
                return SearchEnd::Restart;
            }
            *left -= 1;
            if on_branch().is_break() {
                return SearchEnd::Broken;
            }
            let (cell, digit) = board.first_choice(constraint);
            let mut guess = board.clone();
            match guess.place(cell, digit) {
                Ok(()) => match self.search(&mut guess, left, on_branch) {
                    SearchEnd::NoSolution => {}
                    end => return end,
                },
                Err(Dead(constraint)) => self.weights[constraint] += 1,
            }
            // The same digits, exchanged, would be a solution with the twin here.
            let digits = board.twins(digit);
            if let Err(Dead(constraint)) = board.remove(cell, digits) {
                self.weights[constraint] += 1;
                return SearchEnd::NoSolution;
            }
        }
    }

    /// The open constraint with the fewest choices per weight. `None` if every one is met.
    fn choose(&self, board: &ConstraintBoard) -> Option<usize> {
        let mut best = None;
        // More than the choices of any constraint, with the least weight.
        let (mut least, mut heaviest) = (10, 1);
        for (constraint, (choices, &weight)) in board.choices.iter().zip(&self.weights).enumerate()
        {
            let choices = u64::from(choices.count_ones());
            let weight = u64::from(weight);
            if choices > 1 && choices * heaviest < least * weight {
                (best, least, heaviest) = (Some(constraint), choices, weight);
            }
        }
        best
    }
}

/// The choices of all constraints.
#[derive(Clone, Debug)]
struct ConstraintBoard {
    /// Of a cell its digits; of a house and a digit its places.
    choices: [u16; CONSTRAINTS],
    /// Cells that became single and are not yet taken from their peers, a bit each.
    singles: u128,
    /// For each digit the houses that lost a place of it and were not yet looked at, a bit each.
    thinned: [u32; 9],
    /// Digits that lost a place since the last check of templates.
    unchecked_digits: u16,
    /// Houses that lost a candidate since the last check of pairings.
    unchecked_houses: u32,
}

/// The constraint of a digit in a house.
const fn constraint_of(house: usize, digit: usize) -> usize {
    Cell::COUNT + house * 9 + digit
}

impl ConstraintBoard {
    /// The board, with all conclusions drawn.
    fn new(cells: &CellCandidates) -> Result<Self, Dead> {
        let mut board = Self {
            choices: [0x1ff; CONSTRAINTS],
            singles: 0,
            thinned: [0; 9],
            unchecked_digits: 0x1ff,
            unchecked_houses: (1 << HOUSES) - 1,
        };
        for (cell, &candidates) in cells.iter().enumerate() {
            board.keep(cell, candidates)?;
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
        (usize::from(CELLS[house][first]), digit)
    }

    fn place(&mut self, cell: usize, digit: usize) -> Result<(), Dead> {
        self.keep(cell, 1 << digit)?;
        self.conclude()
    }

    fn remove(&mut self, cell: usize, digits: u16) -> Result<(), Dead> {
        self.keep(cell, !digits)?;
        self.conclude()
    }

    /// The digits that can be exchanged with a digit: they have the same places. A bit each, with its own.
    fn twins(&self, digit: usize) -> u16 {
        let places = |row: usize, digit: usize| self.choices[constraint_of(row, digit)];
        let is_twin = |other: usize| (0..9).all(|row| places(row, digit) == places(row, other));
        (0..9).fold(0, |twins, other| twins | u16::from(is_twin(other)) << other)
    }

    /// Takes all digits from a cell but these.
    fn keep(&mut self, cell: usize, digits: u16) -> Result<(), Dead> {
        bits(self.choices[cell] & !digits).try_for_each(|digit| self.take(cell, digit))
    }

    /// Takes a digit from these places of a house.
    fn take_places(&mut self, house: usize, digit: usize, places: u16) -> Result<(), Dead> {
        bits(places).try_for_each(|place| self.take(usize::from(CELLS[house][place]), digit))
    }

    /// Takes a candidate from a cell, and notes what is to be looked at for that.
    fn take(&mut self, cell: usize, digit: usize) -> Result<(), Dead> {
        if self.choices[cell] >> digit & 1 == 0 {
            return Ok(());
        }
        self.choices[cell] &= !(1 << digit);
        match self.choices[cell] {
            0 => return Err(Dead(cell)),
            left if left.is_power_of_two() => self.singles |= 1 << cell,
            _ => {}
        }
        self.unchecked_digits |= 1 << digit;
        for (house, place) in HOUSES_OF[cell].into_iter().zip(POSITIONS[cell]) {
            let house = usize::from(house);
            let constraint = constraint_of(house, digit);
            self.choices[constraint] &= !(1 << place);
            if self.choices[constraint] == 0 {
                return Err(Dead(constraint));
            }
            self.thinned[digit] |= 1 << house;
            self.unchecked_houses |= 1 << house;
        }
        Ok(())
    }

    /// Draws conclusions until there are none.
    fn conclude(&mut self) -> Result<(), Dead> {
        loop {
            if self.singles != 0 {
                let cell = self.singles.trailing_zeros() as usize;
                self.singles &= self.singles - 1;
                self.naked_single(cell)?;
            } else if let Some(digit) = self.thinned.iter().position(|&houses| houses != 0) {
                let house = self.thinned[digit].trailing_zeros() as usize;
                self.thinned[digit] &= self.thinned[digit] - 1;
                self.few_places(house, digit)?;
            } else {
                self.templates()?;
                return self.pairings();
            }
        }
    }

    /// Takes the digit of a cell from its peers.
    fn naked_single(&mut self, cell: usize) -> Result<(), Dead> {
        let digit = self.choices[cell].trailing_zeros() as usize;
        for (house, place) in HOUSES_OF[cell].into_iter().zip(POSITIONS[cell]) {
            let house = usize::from(house);
            let others = self.choices[constraint_of(house, digit)] & !(1 << place);
            self.take_places(house, digit, others)?;
        }
        Ok(())
    }

    /// Looks at the places of a digit in a house: one is a hidden single. Are all in another house too,
    /// the rest of that house loses the digit (locked candidates).
    fn few_places(&mut self, house: usize, digit: usize) -> Result<(), Dead> {
        let places = self.choices[constraint_of(house, digit)];
        let first = usize::from(CELLS[house][places.trailing_zeros() as usize]);
        if places.is_power_of_two() {
            return self.keep(first, 1 << digit);
        }
        for other in HOUSES_OF[first] {
            let other = usize::from(other);
            if other != house && places & !SHARED[house][other] == 0 {
                let rest = self.choices[constraint_of(other, digit)] & !SHARED[other][house];
                self.take_places(other, digit, rest)?;
            }
        }
        Ok(())
    }

    /// Checks that each digit alone can be placed nine times: once in each row, column and box.
    fn templates(&mut self) -> Result<(), Dead> {
        for digit in bits(core::mem::take(&mut self.unchecked_digits)) {
            let rows: [u16; 9] =
                core::array::from_fn(|row| self.choices[constraint_of(row, digit)]);
            if !has_template(&rows) {
                let open = (0..9).filter(|&row| !rows[row].is_power_of_two());
                let row = open.min_by_key(|&row| rows[row].count_ones()).unwrap_or(0);
                return Err(Dead(constraint_of(row, digit)));
            }
        }
        Ok(())
    }

    /// Checks that each house alone can be filled: each cell with one of its candidates, each digit
    /// once.
    fn pairings(&mut self) -> Result<(), Dead> {
        for house in bits(core::mem::take(&mut self.unchecked_houses)) {
            let cells = &CELLS[house];
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

/// The ways to take one column of each stack: way `a + 3b + 9c` takes column a of the left stack, b of
/// the middle one and c of the right one.
const WAYS: usize = 27;

/// The ways that take one of the columns of a set in a stack, a bit each.
const WAYS_WITH: [[u32; 8]; 3] = table!([[0; 8]; 3], |stack| {
    table!([0; 8], |set| {
        let (mut ways, mut way) = (0, 0);
        while way < WAYS {
            let column = [way % 3, way / 3 % 3, way / 9][stack];
            if set >> column & 1 != 0 {
                ways |= 1 << way;
            }
            way += 1;
        }
        ways
    })
});

/// The ways that share no column with a way.
const WAYS_BESIDE: [u32; WAYS] = table!([0; WAYS], |way| {
    WAYS_WITH[0][7 & !(1 << (way % 3))]
        & WAYS_WITH[1][7 & !(1 << (way / 3 % 3))]
        & WAYS_WITH[2][7 & !(1 << (way / 9))]
});

/// Whether a digit can be placed once in each row, column and box. `rows` has its columns in each row.
///
/// A band takes one column of each stack. Two bands that share none leave one way to the third; the
/// numbers of the three ways have the sum 39.
fn has_template(rows: &[u16; 9]) -> bool {
    let [top, middle, bottom] = [&rows[..3], &rows[3..6], &rows[6..]].map(ways_of_band);
    bits(top)
        .any(|one| bits(middle & WAYS_BESIDE[one]).any(|two| bottom >> (39 - one - two) & 1 != 0))
}

/// The ways of a band: its three rows take columns of different stacks.
fn ways_of_band(rows: &[u16]) -> u32 {
    const STACKS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let ways =
        |row: usize, stack: usize| WAYS_WITH[stack][usize::from(rows[row] >> (3 * stack) & 7)];
    STACKS.iter().map(|&[a, b, c]| ways(0, a) & ways(1, b) & ways(2, c)).fold(0, |all, it| all | it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::puzzle::{DigitSet, Grid, Random, Sukaku, rules};
    use alloc::vec::Vec;

    const OPEN: CellCandidates = [0x1ff; Cell::COUNT];

    /// 31 cells with the same four digits, some of which have another one. No solution.
    const TOO_FEW_DIGITS: &str = include_str!("too_few_digits.txt");

    /// The verdict after at most `budget` branches. A solution is checked.
    fn judge(existence: &mut Existence, cells: &CellCandidates, budget: u64) -> Judgement {
        let mut left = budget;
        let ControlFlow::Continue(verdict) =
            existence.judge(cells, budget, &mut left, &mut || ControlFlow::Continue(()))
        else {
            panic!("the observer never breaks");
        };
        if let Judgement::Some(solution) = &verdict {
            assert!(fits(solution, cells));
            let values = solution.map(|digit| b'1' + u8::try_from(digit.ilog2()).unwrap());
            let grid: Grid = core::str::from_utf8(&values).unwrap().parse().unwrap();
            assert_eq!(rules::check_solved(&grid), Ok(()));
        }
        verdict
    }

    /// Asks `mrv`, which does not doubt a search as short as this.
    fn has_solution(cells: &CellCandidates) -> bool {
        let sukaku = Sukaku::new(cells.map(DigitSet::from_bits));
        let (mut found, mut branches) = (false, 0);
        EngineKind::Mrv.build().search(
            &sukaku.into(),
            &mut |_| {
                found = true;
                ControlFlow::Break(())
            },
            &mut || {
                branches += 1;
                ControlFlow::Continue(())
            },
        );
        assert!(branches < DOUBT_AFTER, "{sukaku}: {branches} branches");
        found
    }

    /// Each candidate with a probability in percent, beside those that `must` be there.
    fn scattered(percent: usize, must: &CellCandidates, random: &mut Random) -> CellCandidates {
        must.map(|must| {
            (0..9).fold(must, |cell, digit| cell | u16::from(random.below(100) < percent) << digit)
        })
    }

    /// `mrv` has the same verdict, and what was learned on other boards changes none. About half of the
    /// boards with 60 to 65 % of the candidates have a solution; with a solution inside, 25 % of the others
    /// make the longest searches.
    #[test]
    fn a_verdict_is_that_of_another_engine() {
        let random = &mut Random::new(1);
        let solution = EngineKind::Mrv.build().solve(&Grid::EMPTY, 1).first.unwrap();
        let solved: CellCandidates =
            core::array::from_fn(|cell| 1 << (solution.get(Cell::new(cell)).value() - 1));
        let (mut with, mut without, mut learned) = (0, 0, Existence::new());
        for _ in 0..200 {
            let percent = 10 + random.below(60);
            let mut boards = [
                scattered(percent, &[0; Cell::COUNT], random),
                scattered(percent, &solved, random),
                scattered(percent, &solved, random),
            ];
            // One candidate of the solution less: a near miss.
            let cell = random.below(Cell::COUNT);
            boards[2][cell] &= !solved[cell];
            for cells in &boards {
                let expected = has_solution(cells);
                for budget in [0, 1, 3, 70, u64::MAX] {
                    for existence in [&mut Existence::new(), &mut learned] {
                        match judge(existence, cells, budget) {
                            Judgement::Some(_) => assert!(expected, "{cells:?}"),
                            Judgement::None => assert!(!expected, "{cells:?}"),
                            Judgement::Unknown => assert_ne!(budget, u64::MAX, "{cells:?}"),
                        }
                    }
                }
                *(if expected { &mut with } else { &mut without }) += 1;
            }
        }
        assert!(with > 200 && without > 200, "{with}, {without}");
    }

    #[test]
    fn a_board_without_a_choice_needs_no_branch() {
        let solution = EngineKind::Mrv.build().solve(&Grid::EMPTY, 1).first.unwrap();
        let cells = core::array::from_fn(|cell| 1 << (solution.get(Cell::new(cell)).value() - 1));
        let board = ConstraintBoard::new(&cells).ok().unwrap();
        assert_eq!(board.choices[..Cell::COUNT], cells);
        assert_eq!(Existence::new().choose(&board), None);
    }

    #[test]
    fn a_naked_single_leaves_its_peers() {
        let mut cells = OPEN;
        cells[40] = 1 << 3;
        let board = ConstraintBoard::new(&cells).ok().unwrap();
        for cell in 0..Cell::COUNT {
            let sees = Cell::new(cell).peers().contains(&Cell::new(40));
            let expected = if cell == 40 { 1 << 3 } else { 0x1ff & !(u16::from(sees) << 3) };
            assert_eq!(board.choices[cell], expected, "{cell}");
        }
    }

    #[test]
    fn a_hidden_single_is_kept() {
        for (house, places) in CELLS.iter().enumerate() {
            let mut cells = OPEN;
            for &cell in &places[1..] {
                cells[usize::from(cell)] &= !(1 << 8);
            }
            let board = ConstraintBoard::new(&cells).ok().unwrap();
            assert_eq!(board.choices[usize::from(places[0])], 1 << 8, "{house}");
        }
    }

    /// For each two houses that share three cells: a digit that one has only there leaves the other.
    #[test]
    fn locked_candidates_leave_the_other_house() {
        let mut pairs = 0;
        for (house, other) in (0..HOUSES).flat_map(|house| (0..HOUSES).map(move |it| (house, it))) {
            let shared = SHARED[house][other];
            if house == other || shared.count_ones() != 3 {
                continue;
            }
            pairs += 1;
            let mut cells = OPEN;
            for place in bits(0x1ff & !shared) {
                cells[usize::from(CELLS[house][place])] &= !1;
            }
            let board = ConstraintBoard::new(&cells).ok().unwrap();
            let left = board.choices[constraint_of(other, 0)];
            assert_eq!(left, SHARED[other][house], "{house}, {other}");
        }
        assert_eq!(pairs, 2 * 54);
    }

    /// Row by row, in the words of the rule.
    fn has_template_by_search(rows: &[u16; 9], row: usize, taken: u16, stacks: u16) -> bool {
        let stacks = if row.is_multiple_of(3) { 0 } else { stacks };
        row == 9
            || bits(rows[row] & !taken).any(|column| {
                let stack = 1 << (column / 3);
                stacks & stack == 0
                    && has_template_by_search(rows, row + 1, taken | 1 << column, stacks | stack)
            })
    }

    #[test]
    fn templates_are_those_of_a_search() {
        let random = &mut Random::new(3);
        let mut found = 0;
        for _ in 0..20_000 {
            let percent = 25 + random.below(50);
            let rows: [u16; 9] = core::array::from_fn(|_| {
                (0..9).fold(0, |row, column| row | u16::from(random.below(100) < percent) << column)
            });
            let expected = has_template_by_search(&rows, 0, 0, 0);
            assert_eq!(has_template(&rows), expected, "{rows:?}");
            found += u32::from(expected);
        }
        assert!((5000..15_000).contains(&found), "{found}");
    }

    /// Hall's theorem: a house can be filled if each set of cells has as many digits or more.
    #[test]
    fn pairings_are_those_of_halls_theorem() {
        let random = &mut Random::new(4);
        let mut found = 0;
        for _ in 0..3000 {
            let percent = 15 + random.below(35);
            let candidates: [u16; 9] = core::array::from_fn(|_| {
                (0..9).fold(0, |cell, digit| cell | u16::from(random.below(100) < percent) << digit)
            });
            let expected = (0..512u32).all(|cells| {
                let digits = bits(cells).fold(0, |digits, cell| digits | candidates[cell]);
                digits.count_ones() >= cells.count_ones()
            });
            let mut owners = [NO_OWNER; 9];
            let is_filled =
                (0..9).all(|place| has_pairing(&candidates, place, &mut owners, &mut 0));
            assert_eq!(is_filled, expected, "{candidates:?}");
            found += u32::from(expected);
        }
        assert!((500..2500).contains(&found), "{found}");
    }

    /// Digit 1 has five columns left in six rows; no cell and no house shows it.
    #[test]
    fn a_digit_with_too_few_columns_needs_no_branch() {
        let mut cells = OPEN;
        for row in [0, 1, 3, 4, 6, 7] {
            for column in [2, 5, 7, 8] {
                cells[row * 9 + column] &= !1;
            }
        }
        assert_eq!(judge(&mut Existence::new(), &cells, 0), Judgement::None);
    }

    /// Digits 1 to 4 in cells in which they do not suffice, as each is shown by no house and no digit alone:
    /// one of the four has no solution in a cell, so no other has.
    #[test]
    fn digits_with_the_same_places_are_tried_once() {
        let line = TOO_FEW_DIGITS.trim().as_bytes();
        let cells: CellCandidates = core::array::from_fn(|cell| {
            let candidates = &line[cell * 9..cell * 9 + 9];
            (0..9).fold(0, |all, digit| all | u16::from(candidates[digit] != b'.') << digit)
        });
        let mut left = 2000;
        let verdict =
            Existence::new().judge(&cells, left, &mut left, &mut || ControlFlow::Continue(()));
        assert_eq!((verdict, left > 0), (ControlFlow::Continue(Judgement::None), true));
    }

    /// Three cells of a row with the same two digits.
    #[test]
    fn a_house_with_too_few_digits_needs_no_branch() {
        let mut cells = OPEN;
        for cell in [0, 4, 8] {
            cells[cell] = 0b11;
        }
        assert_eq!(judge(&mut Existence::new(), &cells, 0), Judgement::None);
    }

    #[test]
    fn a_search_ends_when_the_observer_breaks() {
        for most in [1, 2, 5] {
            let mut branches = 0;
            let mut count = || {
                branches += 1;
                if branches < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let mut observer: &mut Branch<'_> = &mut count;
            let verdict =
                Existence::new().judge(&OPEN, u64::MAX, &mut u64::MAX.clone(), &mut observer);
            assert_eq!((verdict, branches), (ControlFlow::Break(()), most));
        }
    }

    /// How many of these boards, the first is searched first, need no search.
    fn dead(doubt: &mut Doubt, waiting: &[CellCandidates]) -> usize {
        let boards = waiting.iter().copied();
        match doubt.ask(100 * DOUBT_AFTER, 1, &boards, &mut || ControlFlow::Continue(())) {
            ControlFlow::Continue(advice) => advice.dead,
            ControlFlow::Break(()) => panic!("the observer never breaks"),
        }
    }

    /// Three cells of a house with two digits.
    fn without_solution(house: usize) -> CellCandidates {
        let mut cells = OPEN;
        for place in [0, 4, 8] {
            cells[usize::from(CELLS[house][place])] = 0b11;
        }
        cells
    }

    #[test]
    fn boards_without_a_solution_need_no_search() {
        let [one, two] = [without_solution(3), without_solution(14)];
        let ask = |waiting: &[CellCandidates]| dead(&mut Doubt::new(), waiting);
        assert_eq!(ask(&[one]), 1);
        assert_eq!(ask(&[one; 50]), 50);
        assert_eq!(ask(&[OPEN]), 0);
        assert_eq!(ask(&[OPEN, one]), 0);
        assert_eq!(ask(&[one, OPEN, one]), 1);
        assert_eq!(ask(&[one, one, one, one, one, OPEN, one, OPEN]), 5);
        // The union of the two has a solution that neither has.
        assert_eq!(ask(&[one, two]), 1);
        assert_eq!(ask(&[one, two, OPEN]), 1);
    }

    /// With near misses of a hard puzzle: all solutions are kept.
    #[test]
    fn no_board_with_a_solution_is_dropped() {
        let random = &mut Random::new(5);
        let mut dropped = 0;
        for _ in 0..100 {
            let mut doubt = Doubt::new();
            for _ in 0..4 {
                let waiting: Vec<CellCandidates> = (0..=random.below(12))
                    .map(|_| scattered(50 + random.below(20), &[0; Cell::COUNT], random))
                    .collect();
                let dead = dead(&mut doubt, &waiting);
                assert!(!waiting[..dead].iter().any(has_solution));
                dropped += dead;
            }
        }
        assert!(dropped > 100, "{dropped}");
    }

    /// The question about a board that has a known solution costs no branch.
    #[test]
    fn a_doubt_remembers_a_solution() {
        let (mut doubt, mut branches) = (Doubt::new(), 0);
        let mut ask = |waiting: &[CellCandidates]| {
            let before = branches;
            let mut count = || {
                branches += 1;
                ControlFlow::Continue(())
            };
            let mut observer: &mut Branch<'_> = &mut count;
            let advice = doubt.ask(DOUBT_AFTER, 1, &waiting.iter().copied(), &mut observer);
            (advice.continue_value().unwrap().dead, branches - before)
        };
        let (dead, branches) = ask(&[OPEN; 3]);
        assert!(dead == 0 && branches > 0);
        assert_eq!(ask(&[OPEN; 3]), (0, 0));
        assert_eq!(ask(&[without_solution(0), OPEN]), (1, 0));
    }
}
