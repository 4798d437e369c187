//! The walk of all solutions of a puzzle, for lists and counts.
//!
//! ```text
//! board ── many blanks: guess a cell ──> two boards
//!      └── few blanks: a leaf, walked without conclusions
//! ```
//!
//! A walk that guesses in a poor place may find a subtree without a solution that is practically
//! endless. After [`BARREN_BOARDS`] boards without a solution, each board is checked before it is entered:
//! the search of `mrv` looks for one solution. A solution that it finds is the *witness*. It answers for
//! all boards that it fits, so a descent costs a search only where it leaves the witness.
//!
//! Memory: one board for each blank that was guessed, at most 81 of 124 bytes, and those of a leaf.

use super::board::BandBoard;
use super::branch::choose;
use super::leaf::{LeafWalk, Walked};
use super::search;
use crate::engine::bounds::Bounds;
use crate::puzzle::{Cell, Puzzle, Solution, rules};
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// Boards without a solution after which each further board is checked.
///
/// A board takes about 0.5 µs, a check 5 to 50 µs.
const BARREN_BOARDS: u32 = 64;

/// Chooses a blank, and the first of its candidates to try. `None` if every cell is fixed.
pub(super) type Choose = fn(&BandBoard) -> Option<(usize, usize)>;

/// A walk that can be continued.
#[derive(Clone, Debug)]
pub(in crate::engine) struct SolutionWalk {
    choose: Choose,
    /// The boards that wait. The last is the next.
    waiting: Vec<BandBoard>,
    /// The board with few blanks whose solutions come before those of the others.
    leaf: Option<LeafWalk>,
    /// Boards since the last solution.
    barren: u32,
    /// A solution that was found by a check.
    witness: Option<Solution>,
    pub(super) bounds: Bounds,
    /// Boards with a guess so far, those of checks included.
    branches: u64,
    pub(in crate::engine) gave_up: bool,
}

impl SolutionWalk {
    /// A walk that guesses in this way. It has no puzzle yet.
    pub(super) fn new(choose: Choose, bounds: Bounds) -> Self {
        Self {
            choose,
            waiting: Vec::with_capacity(2 * Cell::COUNT),
            leaf: None,
            barren: 0,
            witness: None,
            bounds,
            branches: 0,
            gave_up: false,
        }
    }

    /// A walk that counts. It has no puzzle yet.
    pub(in crate::engine) fn counting(bounds: Bounds) -> Self {
        Self::new(choose, bounds)
    }

    /// Begins with another puzzle. One that is not legal has no solution.
    pub(in crate::engine) fn begin(&mut self, puzzle: &Puzzle) {
        self.waiting.clear();
        (self.leaf, self.witness) = (None, None);
        (self.barren, self.branches, self.gave_up) = (0, 0, false);
        match puzzle {
            Puzzle::Grid(grid) if rules::is_legal(grid) => self.waiting.push(BandBoard::new(grid)),
            Puzzle::Grid(_) => {}
            Puzzle::Sukaku(sukaku) => self.waiting.push(BandBoard::of(sukaku)),
        }
    }

    /// The next solution.
    pub(super) fn next(&mut self) -> Option<Solution> {
        loop {
            if let Some(leaf) = &mut self.leaf {
                match leaf.walk() {
                    Walked::Solution(solution) => {
                        self.barren = 0;
                        return Some(solution);
                    }
                    walked => self.leave(&walked),
                }
            }
            if let Some(solution) = self.descend()? {
                return Some(solution);
            }
            if let Some(leaf) = &mut self.leaf {
                leaf.set_values();
            }
        }
    }

    /// The number of further solutions, counted up to about `most`: the last leaf is counted whole.
    pub(in crate::engine) fn count(&mut self, most: u64) -> u64 {
        let mut count = 0;
        while count < most {
            if let Some(leaf) = &mut self.leaf {
                let (found, walked) = leaf.count();
                count += found;
                if found > 0 {
                    self.barren = 0;
                }
                self.leave(&walked);
            }
            match self.descend() {
                Some(solution) => count += u64::from(solution.is_some()),
                None => break,
            }
        }
        count
    }

    /// Leaves a leaf. Boards that it did not walk wait.
    fn leave(&mut self, walked: &Walked) {
        let Some(leaf) = self.leaf.take() else { return };
        if matches!(walked, Walked::Barren) {
            self.waiting.extend(leaf.rest());
            self.barren = BARREN_BOARDS;
        }
    }

    /// Counts a branch. It breaks at a bound.
    fn on_branch(branches: &mut u64, bounds: &Bounds) -> ControlFlow<()> {
        *branches += 1;
        let most = bounds.max_branches().map_or(u64::MAX, u64::from);
        if *branches > most || bounds.is_stopped() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Whether a board has a solution. It breaks at a bound.
    fn check(&mut self, board: &BandBoard) -> ControlFlow<(), bool> {
        if self.witness.is_some_and(|witness| board.has(&witness)) {
            return ControlFlow::Continue(true);
        }
        let Self { bounds, branches, witness, .. } = self;
        let (mut found, mut ended) = (None, ControlFlow::Continue(()));
        search(
            *board,
            &mut |solution| {
                found = Some(*solution);
                ControlFlow::Break(())
            },
            &mut || {
                ended = Self::on_branch(branches, bounds);
                ended
            },
        );
        ended?;
        *witness = found.or(*witness);
        ControlFlow::Continue(found.is_some())
    }

    /// Descends from the next board to a solution or a leaf. `None` if no board waits, or at a bound.
    #[expect(clippy::option_option, reason = "whether a board waited, and its solution")]
    fn descend(&mut self) -> Option<Option<Solution>> {
        let board = self.waiting.pop()?;
        let ControlFlow::Continue(solution) = self.descend_from(board) else {
            self.waiting.clear();
            self.gave_up = true;
            return None;
        };
        Some(solution)
    }

    fn descend_from(&mut self, mut board: BandBoard) -> ControlFlow<(), Option<Solution>> {
        while board.propagate() {
            let Some((cell, digit)) = (self.choose)(&board) else {
                self.barren = 0;
                return ControlFlow::Continue(Some(board.solution()));
            };
            Self::on_branch(&mut self.branches, &self.bounds)?;
            self.barren += 1;
            if self.barren <= BARREN_BOARDS {
                self.leaf = LeafWalk::of(&board);
                if self.leaf.is_some() {
                    break;
                }
            } else if !self.check(&board)? {
                break;
            }
            let mut rest = board;
            rest.remove(cell, digit);
            self.waiting.push(rest);
            board.place(cell, digit);
        }
        ControlFlow::Continue(None)
    }
}
