//! Forms by which puzzles are compared, and their hashes.
//!
//! ```text
//!             one solution                        several, none
//! exact       the puzzle                          the puzzle
//! solution    solution minlex    about 1 µs       puzzle minlex    about 2 to 4 µs
//! minlex      puzzle minlex                       puzzle minlex
//! ```
//!
//! How many solutions a puzzle has does not change under symmetry. So a puzzle with one solution is
//! never isomorphic to one with several, and their forms need not be told apart.
//!
//! A sukaku with one solution has a form like that of a grid: the least image under the maps that take
//! its solution to the least form. Other sukakus are compared as they are: no form is known that is
//! cheap enough.
//!
//! # Keys
//! A [`Key`] is SipHash-1-3 with 128 bits, keyed with random bits that never leave the process (but those of
//! `Known`, which leaves it). So
//! no input can hold two puzzles with the same key, and the keys of different puzzles are as good as
//! random. A table compares 120 bits: among `n` puzzles, two different ones are taken for the same with
//! probability n²/2 / 2¹²⁰, which is 4 × 10⁻²¹ for 100 million.

use crate::puzzle::{Cell, Puzzle, Solution};
use crate::symmetry::Canon;
use siphasher::sip128::SipHasher13;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

ninefold_core::named_enum! {
    /// Which puzzles count as the same.
    pub enum Same, "comparison" {
        @default Exact = "exact", "the same clues in the same cells";
        Isomorphic = "isomorphic", "the same up to symmetry: relabelled, transposed, lines permuted";
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The puzzle itself.
    Exact,
    /// Puzzle minlex.
    Minlex,
    /// Solution minlex of a puzzle with one solution, puzzle minlex of any other.
    Solution,
}

impl Form {
    /// The cheapest form for a comparison. `solved`: whether the solution of each puzzle with exactly
    /// one solution is known.
    pub(crate) const fn of(same: Same, solved: bool) -> Self {
        match (same, solved) {
            (Same::Exact, _) => Self::Exact,
            (Same::Isomorphic, true) => Self::Solution,
            (Same::Isomorphic, false) => Self::Minlex,
        }
    }

    pub(crate) const fn same(self) -> Same {
        match self {
            Self::Exact => Same::Exact,
            Self::Minlex | Self::Solution => Same::Isomorphic,
        }
    }
}

/// Makes the keys by which puzzles are known: of one form, under one secret. Keeps the memory for it.
#[derive(Debug)]
pub struct Keys {
    pub(super) form: Form,
    pub(super) secret: [u64; 2],
    canon: Canon,
}

impl Keys {
    /// Keys of this form under the secret of the process.
    pub(crate) fn new(form: Form) -> Self {
        static SECRET: LazyLock<[u64; 2]> = LazyLock::new(random_secret);
        Self::under(*SECRET, form)
    }

    /// Keys of this form under a secret.
    pub(super) fn under(secret: [u64; 2], form: Form) -> Self {
        Self { form, secret, canon: Canon::new() }
    }

    /// The key of a puzzle. `solution` is its solution, if it has exactly one. A grid never has the key of a
    /// sukaku: the lengths of their forms differ.
    pub fn of(&mut self, puzzle: &Puzzle, solution: Option<&Solution>) -> Key {
        let [one, two] = self.secret;
        let packed = self.packed(puzzle, solution);
        Key(SipHasher13::new_with_keys(one, two).hash(packed.bytes()).into())
    }

    /// XXH3 of the form with 128 bits: the same in every process, on every machine and in every version. It
    /// does for dividing puzzles, not for comparing them: colliding puzzles can be made.
    pub(crate) fn stable_hash(&mut self, puzzle: &Puzzle, solution: Option<&Solution>) -> u128 {
        twox_hash::XxHash3_128::oneshot(self.packed(puzzle, solution).bytes())
    }

    fn packed(&mut self, puzzle: &Puzzle, solution: Option<&Solution>) -> Packed {
        let solution = solution.filter(|_| self.form == Form::Solution);
        let form = match self.form {
            Form::Exact => None,
            Form::Minlex | Form::Solution => self.canon.form_of(puzzle, solution),
        };
        Packed::from(form.as_ref().map_or(puzzle, |form| &form.grid))
    }
}

/// The random bits of keys.
fn random_secret() -> [u64; 2] {
    [0; 2].map(|_| RandomState::new().hash_one(0))
}

/// A puzzle in few bytes, however its line wrote it.
///
/// ```text
/// grid     41 bytes   81 cells of 4 bits, two to a byte, the first in the lower half; blanks are 0
/// sukaku   92 bytes   729 candidates of 1 bit, nine to a cell, the first in the lowest bit
/// ```
struct Packed {
    bytes: [u8; 92],
    length: usize,
}

impl Packed {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl From<&Puzzle> for Packed {
    fn from(puzzle: &Puzzle) -> Self {
        let mut bytes = [0; _];
        let length = match puzzle {
            Puzzle::Grid(grid) => {
                for (byte, cells) in bytes.iter_mut().zip(grid.values().chunks(2)) {
                    *byte = cells[0] | cells.get(1).unwrap_or(&0) << 4;
                }
                41
            }
            Puzzle::Sukaku(sukaku) => {
                for (cell, candidates) in Cell::all().zip(sukaku.values()) {
                    // Nine bits lie in two bytes, wherever they begin.
                    let first = 9 * cell.index();
                    let [low, high] = (candidates.bits() << (first % 8)).to_le_bytes();
                    bytes[first / 8] |= low;
                    bytes[first / 8 + 1] |= high;
                }
                92
            }
        };
        Self { bytes, length }
    }
}

/// What a puzzle is found by: equal for equal forms under one secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub(super) u128);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Digit, DigitSet, Grid, Sukaku};
    use std::collections::HashSet;

    #[test]
    fn every_digit_in_every_cell_has_a_key_of_its_own() {
        let (mut found, mut keys) = (HashSet::new(), Keys::new(Form::Exact));
        let mut is_new = |puzzle: Puzzle| found.insert(keys.of(&puzzle, None));
        assert!(is_new(Grid::EMPTY.into()) && is_new(Sukaku::FULL.into()));
        for cell in Cell::all() {
            for digit in Digit::ALL {
                let (mut grid, mut sukaku) = (Grid::EMPTY, Sukaku::new([DigitSet::EMPTY; 81]));
                grid.set(cell, Some(digit));
                sukaku.set(cell, DigitSet::of(digit));
                assert!(is_new(grid.into()) && is_new(sukaku.into()));
            }
        }
    }

    /// `select --split` divides by it, so it must never change.
    #[test]
    fn the_stable_hash_is_the_published_one() {
        let nothing = twox_hash::XxHash3_128::oneshot(&[]);
        assert_eq!(nothing, 0x99aa_06d3_0147_98d8_6001_c324_468d_497f);
        let empty = Keys::new(Form::Exact).stable_hash(&Grid::EMPTY.into(), None);
        assert_eq!(empty, 0xbcac_8a17_609a_2593_7adb_c8ba_9ffa_f49d);
    }
}
