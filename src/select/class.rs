//! The classes of a split: rows of a class are in the same part.

use super::Group;
use crate::bank::{Form, Keys};
use crate::puzzle::{Puzzle, Solution};
use twox_hash::{XxHash3_64, XxHash3_128};

/// Finds the classes of rows, as numbers that are the same in every run and on every machine.
///
/// ```
/// use ninefold::puzzle::Puzzle;
/// use ninefold::select::{Classes, Group};
///
/// let mut classes = Classes::new(Group::Form, 1);
/// let [one, other] = ["1", "2"].map(|clue| format!("{clue}{}", ".".repeat(80)));
/// let mut class = |text: &str| classes.of(Puzzle::try_from(text).ok().as_ref(), None, text.as_bytes());
/// assert_eq!(class(&one), class(&other));
/// ```
pub struct Classes {
    group: Group,
    seed: u64,
    keys: Keys,
}

impl Classes {
    /// Of this kind, under this seed.
    pub fn new(group: Group, seed: u64) -> Self {
        Self { group, seed, keys: Keys::new(Form::Solution) }
    }

    /// Whether the solutions of puzzles with one solution must be known.
    pub fn need_solutions(group: Group) -> bool {
        group != Group::Row
    }

    /// The class of a row with this text. `solution` is that of a puzzle with exactly one.
    pub fn of(&mut self, puzzle: Option<&Puzzle>, solution: Option<&Solution>, text: &[u8]) -> u64 {
        let hash = match (puzzle, self.group, solution) {
            (None, _, _) | (_, Group::Row, _) => XxHash3_128::oneshot(text),
            (_, Group::Solution, Some(one)) => {
                self.keys.stable_hash(&Puzzle::Grid(*one.grid()), solution)
            }
            (Some(puzzle), _, _) => self.keys.stable_hash(puzzle, solution),
        };
        XxHash3_64::oneshot_with_seed(self.seed, &hash.to_le_bytes())
    }
}
