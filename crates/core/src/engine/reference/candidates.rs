//! Fewest candidates first: each blank keeps the set of digits that it may still take.
//!
//! Placing a digit takes it out of the sets of the 20 cells that see it; undoing puts it back
//! where it was taken out, and only there. The next blank is always one with the fewest
//! candidates: with none the walk turns back at once, with one there is nothing to guess.

use super::search::on_branch;
use crate::engine::contract::{Branch, Visit};
use crate::puzzle::tables::PEERS;
use crate::puzzle::{Cell, Digit, DigitSet, Grid, Solution, Sukaku};
use core::ops::ControlFlow;

/// The engine.
pub(crate) fn walk(sukaku: &Sukaku, visit: &mut Visit, branch: &mut Branch) {
    let _ = CandidateWalk::new(sukaku).fill(visit, branch);
}

/// A grid that is being filled, and what each of its cells may take.
struct CandidateWalk {
    grid: Grid,
    candidates: [DigitSet; Cell::COUNT],
}

impl CandidateWalk {
    fn new(sukaku: &Sukaku) -> Self {
        let (clues, mut walk) =
            (sukaku.singles(), Self { grid: Grid::EMPTY, candidates: *sukaku.values() });
        for cell in Cell::all() {
            if let Some(clue) = clues.get(cell) {
                walk.place(cell, clue);
            }
        }
        walk
    }

    /// Fills the blanks, in every way there is.
    fn fill(&mut self, visit: &mut Visit, branch: &mut Branch) -> ControlFlow<()> {
        let blanks = Cell::all().filter(|&cell| self.grid.get(cell).is_none());
        let Some(cell) = blanks.min_by_key(|cell| self.candidates[cell.index()].len()) else {
            let solved = Solution::try_from(self.grid);
            return visit(&solved.expect("every digit was a candidate when it was placed"));
        };
        let candidates = self.candidates[cell.index()];
        on_branch(branch, candidates.len())?;
        for digit in candidates {
            let taken = self.place(cell, digit);
            self.fill(visit, branch)?;
            self.undo(cell, digit, taken);
        }
        ControlFlow::Continue(())
    }

    /// Places a digit. Bit `i` of the answer is set where the cell's peer `i` lost it.
    fn place(&mut self, cell: Cell, digit: Digit) -> u32 {
        self.grid.set(cell, Some(digit));
        let mut taken = 0;
        for (place, &peer) in PEERS[cell.index()].iter().enumerate() {
            let candidates = &mut self.candidates[usize::from(peer)];
            taken |= u32::from(candidates.contains(digit)) << place;
            candidates.remove(digit);
        }
        taken
    }

    /// Takes a digit away again, and gives it back to the peers that had lost it.
    fn undo(&mut self, cell: Cell, digit: Digit, taken: u32) {
        self.grid.set(cell, None);
        for (place, &peer) in PEERS[cell.index()].iter().enumerate() {
            if taken >> place & 1 != 0 {
                self.candidates[usize::from(peer)].insert(digit);
            }
        }
    }
}
