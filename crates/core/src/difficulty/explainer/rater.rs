//! The order of the techniques, and the record of the hardest one.

use super::board::{CellDigit, SolvingBoard};
use super::chains::Chains;
use super::ordered::Ordered;
use super::score::{Rating, Score, Technique};
use super::techniques::{DIRECT, NoStep, REMOVING, Scope, direct, remove};
use crate::engine::{Bounds, first_solutions};
use crate::puzzle::{AnyPuzzle, IntoPuzzle, Puzzle};
use crate::solver::verdict_of;
use crate::verdict::Verdict;
use alloc::vec::Vec;
use core::mem;

/// The rating of a puzzle: the scores of Sudoku Explainer 1.2.1, and the hardest technique.
///
/// ```
/// use ninefold_core::difficulty::{Score, Technique};
/// use ninefold_core::rate;
///
/// let rating = rate("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")?;
/// assert_eq!((rating.er, rating.technique), (Score::Tenths(107), Technique::NestedForcingChain));
/// # Ok::<(), ninefold_core::Verdict>(())
/// ```
///
/// # Errors
/// If the puzzle does not have exactly one solution.
pub fn rate(puzzle: impl IntoPuzzle) -> Result<Rating, Verdict> {
    Rater::new().one(&puzzle.into_puzzle()?)
}

/// Rates puzzles; keeps the memory for it.
///
/// ```
/// use ninefold_core::difficulty::{Rater, Score, Technique};
///
/// let line = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle = ninefold_core::puzzle::parse::line(line).unwrap();
/// let rating = Rater::new().one(&puzzle).unwrap();
/// assert_eq!(rating.er, Score::Tenths(12));
/// assert_eq!(rating.technique, Technique::HiddenSingleBox);
/// ```
#[derive(Debug)]
#[must_use]
pub struct Rater {
    board: SolvingBoard,
    record: ScoreRecord,
    /// What changed since the search of each technique failed.
    changed: [Scope; TECHNIQUES],
    ordered: Ordered,
    chains: Chains,
    bounds: Bounds,
    /// The greatest score wanted, in tenths.
    most: u8,
    ratings: Vec<Result<Rating, Verdict>>,
}

/// The techniques whose searches are repeated only for digits and houses that changed.
const TECHNIQUES: usize = Technique::XyzWing as usize + 1;

/// The scores of a rating so far, in tenths.
#[derive(Clone, Debug)]
pub(super) struct ScoreRecord {
    hardest: u8,
    technique: Technique,
    first: Option<u8>,
    first_placed: Option<u8>,
}

impl ScoreRecord {
    pub(super) const NEW: Self =
        Self { hardest: 0, technique: Technique::None, first: None, first_placed: None };

    pub(super) fn step(&mut self, tenths: u8, technique: Technique) {
        if tenths > self.hardest {
            (self.hardest, self.technique) = (tenths, technique);
        }
        self.first.get_or_insert(self.hardest);
    }

    pub(super) fn placing_step(&mut self, tenths: u8, technique: Technique) {
        self.step(tenths, technique);
        self.first_placed.get_or_insert(self.hardest);
    }

    /// The rating, with a score instead of those without a step.
    fn rating_of(&self, er: Score, missing: Score, technique: Technique) -> Rating {
        let [ed, ep] = [self.first, self.first_placed].map(|it| it.map_or(missing, Score::Tenths));
        Rating { er, ep, ed, technique }
    }

    /// The rating of the steps so far.
    pub(super) fn rating(&self) -> Rating {
        self.rating_of(Score::Tenths(self.hardest), Score::Tenths(0), self.technique)
    }

    /// The rating of a puzzle that no technique solves.
    pub(super) fn rating_beyond(&self) -> Rating {
        self.rating_of(Score::Tenths(Score::BEYOND), Score::Tenths(0), Technique::Beyond)
    }
}

impl Default for Rater {
    fn default() -> Self {
        Self::new()
    }
}

impl Rater {
    /// One with no memory yet.
    pub const fn new() -> Self {
        Self {
            board: SolvingBoard::new(),
            record: ScoreRecord::NEW,
            changed: [Scope::NONE; TECHNIQUES],
            ordered: Ordered::new(),
            chains: Chains::new(),
            bounds: Bounds::NONE,
            most: u8::MAX,
            ratings: Vec::new(),
        }
    }

    /// Ends soon after the flag of these bounds is set. A puzzle whose rating is stopped has none.
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// Rates up to a score in tenths: ratings above it are [`Score::Above`].
    ///
    /// ```
    /// use ninefold_core::difficulty::{Rater, Score};
    ///
    /// let line = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    /// let puzzle = ninefold_core::puzzle::parse::line(line).unwrap();
    /// let rating = Rater::new().with_max_er(85).one(&puzzle).unwrap();
    /// assert_eq!(rating.er, Score::Above(85));
    /// ```
    pub fn with_max_er(self, tenths: u8) -> Self {
        Self { most: tenths, ..self }
    }

    /// Rates a puzzle.
    ///
    /// A cell of a sukaku is filled if it has one candidate that no cell that it sees has.
    ///
    /// # Errors
    /// If the puzzle does not have exactly one solution, or if a flag stopped the rating.
    pub fn one<P: AnyPuzzle>(&mut self, puzzle: &P) -> Result<Rating, Verdict> {
        let puzzle = (*puzzle).into();
        self.rate(&puzzle, false).map_err(|end| match end {
            NoStep::NotUnique => verdict_of(&puzzle),
            _ => Verdict::Unknown { at_least: 1, max_branches: None },
        })
    }

    /// Rates puzzles, as [`Rater::one`] does.
    pub fn many<P: AnyPuzzle>(&mut self, puzzles: &[P]) -> &[Result<Rating, Verdict>] {
        let mut ratings = mem::take(&mut self.ratings);
        ratings.clear();
        ratings.extend(puzzles.iter().map(|puzzle| self.one(puzzle)));
        self.ratings = ratings;
        &self.ratings
    }

    /// Rates a puzzle of which the caller knows that it has one solution. None if a flag stopped the rating.
    pub(crate) fn one_unique<P: AnyPuzzle>(&mut self, puzzle: &P) -> Option<Rating> {
        self.rate(&(*puzzle).into(), true).ok()
    }

    fn rate(&mut self, puzzle: &Puzzle, mut is_unique: bool) -> Result<Rating, NoStep> {
        self.board.load(puzzle);
        self.record = ScoreRecord::NEW;
        self.changed = [Scope::NONE; TECHNIQUES];
        let mut end = self.board.broken.then_some(NoStep::NotUnique);
        while self.board.unfilled > 0 && end.is_none() {
            if self.board.broken {
                end = Some(NoStep::NotUnique);
            } else if self.record.hardest > self.most {
                end = Some(NoStep::Above);
            } else if !self.step() {
                // Techniques that rely on a single solution come next. Those before prove it.
                is_unique = is_unique || first_solutions(puzzle, 2).count == 1;
                end = if is_unique { self.ordered_step().err() } else { Some(NoStep::NotUnique) };
            }
        }
        match end {
            None if self.record.hardest <= self.most => Ok(self.record.rating()),
            None | Some(NoStep::Above) => {
                let above = Score::Above(self.most);
                Ok(self.record.rating_of(above, above, self.record.technique))
            }
            Some(NoStep::Beyond) => Ok(self.record.rating_beyond()),
            Some(end @ (NoStep::NotUnique | NoStep::Stopped)) => Err(end),
        }
    }

    /// One use of the easiest technique that finds something.
    fn step(&mut self) -> bool {
        self.place_singles();
        self.take_changes();
        self.board.unfilled == 0
            || (self.record.hardest < 26 && self.place_direct())
            || self.steps_up_to(self.record.hardest)
            || (self.record.hardest >= 26 && self.place_direct())
            || self.steps_up_to(44)
    }

    /// One hint of a technique above 4.4, whose order does have an influence.
    fn ordered_step(&mut self) -> Result<(), NoStep> {
        if let Some((tenths, technique, _)) = self.ordered.first(&mut self.board) {
            self.record.step(tenths, technique);
            return Ok(());
        }
        let hint = self.chains.find(&self.board, self.most, &self.bounds)?;
        self.board.remove_each(hint.removals);
        let (tenths, technique) = (hint.tenths, hint.technique);
        if let Some(placed) = hint.placed {
            self.place(placed, tenths, technique);
        } else {
            self.record.step(tenths, technique);
        }
        Ok(())
    }

    fn place(&mut self, single: CellDigit, tenths: u8, technique: Technique) {
        self.board.place(single.cell(), single.digit());
        self.record.placing_step(tenths, technique);
    }

    /// Places hidden singles until none is left, and naked ones if the rating allows them.
    fn place_singles(&mut self) {
        while self.record.hardest < 15 {
            let hardest = self.record.hardest;
            let last = if hardest < 12 { self.board.last_cell() } else { None };
            if let Some(single) = last {
                self.place(single, 10, Technique::LastCell);
            } else if let Some(single) = self.next_hidden_single(true) {
                self.place(single, 12, Technique::HiddenSingleBox);
            } else if let Some(single) = self.board.last_cell() {
                self.place(single, 10, Technique::LastCell);
            } else if let Some(single) = self.next_hidden_single(false) {
                self.place(single, 15, Technique::HiddenSingleLine);
            } else {
                return;
            }
        }
        loop {
            while let Some(single) =
                self.board.box_singles.pop().or_else(|| self.board.line_singles.pop())
            {
                if self.board.holds(single) {
                    self.place(single, 0, Technique::None);
                }
            }
            if self.record.hardest < 23 {
                return;
            }
            let Some(single) = self.next_naked_single() else { return };
            self.place(single, 23, Technique::NakedSingle);
        }
    }

    fn next_hidden_single(&mut self, in_box: bool) -> Option<CellDigit> {
        let board = &mut self.board;
        loop {
            let list = if in_box { &mut board.box_singles } else { &mut board.line_singles };
            let single = list.pop()?;
            if board.holds(single) {
                return Some(single);
            }
        }
    }

    fn next_naked_single(&mut self) -> Option<CellDigit> {
        while let Some(cell) = self.board.naked_singles.pop() {
            let candidates = self.board.cells[usize::from(cell)];
            if candidates != 0 {
                return Some(CellDigit::new(cell.into(), candidates.trailing_zeros() as usize));
            }
        }
        None
    }

    /// Hands the changes of the board to all searches.
    fn take_changes(&mut self) {
        for scope in &mut self.changed {
            scope.digits |= self.board.changed_digits;
            scope.houses |= self.board.changed_houses;
        }
        self.board.changed_digits = 0;
        self.board.changed_houses = 0;
    }

    /// Techniques that place a digit without a removal on paper: 1.7 to 2.5.
    fn place_direct(&mut self) -> bool {
        for (tenths, technique, in_two_steps) in DIRECT {
            let found = if technique == Technique::NakedSingle {
                self.next_naked_single()
            } else if self.record.hardest < in_two_steps {
                let scope = &mut self.changed[technique as usize];
                direct(&self.board, technique, scope).map(|(single, _)| single)
            } else {
                None
            };
            if let Some(single) = found {
                self.place(single, tenths, technique);
                return true;
            }
        }
        false
    }

    /// Techniques from 2.6 to the limit. Their order has no influence on the rating.
    fn steps_up_to(&mut self, limit: u8) -> bool {
        for (tenths, technique) in REMOVING.into_iter().take_while(|it| it.0 <= limit) {
            let scope = mem::replace(&mut self.changed[technique as usize], Scope::NONE);
            if remove(&mut self.board, technique, scope, |_| false) {
                self.record.step(tenths, technique);
                return true;
            }
        }
        false
    }
}
