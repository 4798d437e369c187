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
//! A [`Key`] is SipHash-1-3 with 128 bits, keyed with random bits that never leave the process. So
//! no input can hold two puzzles with the same key, and the keys of different puzzles are as good as
//! random. A table compares 120 bits: among `n` puzzles, two different ones are taken for the same with
//! probability n²/2 / 2¹²⁰, which is 4 × 10⁻²¹ for 100 million.

use crate::puzzle::{Cell, Grid, Puzzle, Solution, Sukaku};
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

/// Makes forms of one kind; keeps the memory for it.
#[derive(Debug)]
pub(crate) struct Forms {
    pub(super) form: Form,
    canon: Canon,
}

impl Forms {
    pub(crate) fn new(form: Form) -> Self {
        Self { form, canon: Canon::new() }
    }

    /// The form of a puzzle. `solution` is its solution, if it has exactly one.
    pub(crate) fn of(&mut self, puzzle: &Puzzle, solution: Option<&Solution>) -> Packed {
        let solution = solution.filter(|_| self.form == Form::Solution);
        let form = match self.form {
            Form::Exact => None,
            Form::Minlex | Form::Solution => self.canon.form_of(puzzle, solution),
        };
        Packed::from(form.as_ref().map_or(puzzle, |form| &form.grid))
    }
}

/// A puzzle in few bytes, however its line wrote it.
///
/// ```text
/// grid     41 bytes   81 cells of 4 bits, two to a byte, the first in the lower half; blanks are 0
/// sukaku   92 bytes   729 candidates of 1 bit, nine to a cell, the first in the lowest bit
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    bytes: [u8; 92],
    length: usize,
}

impl Packed {
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// The key of this form. A grid never has the key of a sukaku: their lengths differ.
    pub(crate) fn key(&self) -> Key {
        static SECRET: LazyLock<Secret> = LazyLock::new(Secret::random);
        self.key_under(&SECRET)
    }

    /// The key of this form under a secret.
    pub(super) fn key_under(&self, secret: &Secret) -> Key {
        let Secret([one, two]) = *secret;
        Key(SipHasher13::new_with_keys(one, two).hash(self.bytes()).into())
    }

    /// XXH3 with 128 bits: the same in every process, on every machine and in every version. It does
    /// for dividing puzzles, not for comparing them: colliding puzzles can be made.
    pub(crate) fn stable_hash(&self) -> u128 {
        twox_hash::XxHash3_128::oneshot(self.bytes())
    }
}

impl From<&Puzzle> for Packed {
    fn from(puzzle: &Puzzle) -> Self {
        match puzzle {
            Puzzle::Grid(grid) => grid.into(),
            Puzzle::Sukaku(sukaku) => sukaku.into(),
        }
    }
}

impl From<&Grid> for Packed {
    fn from(grid: &Grid) -> Self {
        let mut packed = Self { bytes: [0; _], length: 41 };
        for (byte, cells) in packed.bytes.iter_mut().zip(grid.values().chunks(2)) {
            *byte = cells[0] | cells.get(1).unwrap_or(&0) << 4;
        }
        packed
    }
}

impl From<&Sukaku> for Packed {
    fn from(sukaku: &Sukaku) -> Self {
        let mut packed = Self { bytes: [0; _], length: 92 };
        for (cell, candidates) in Cell::all().zip(sukaku.values()) {
            // Nine bits lie in two bytes, wherever they begin.
            let first = 9 * cell.index();
            let [low, high] = (candidates.bits() << (first % 8)).to_le_bytes();
            packed.bytes[first / 8] |= low;
            packed.bytes[first / 8 + 1] |= high;
        }
        packed
    }
}

/// The random bits of keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Secret(pub(super) [u64; 2]);

impl Secret {
    pub(super) fn random() -> Self {
        Self([0; 2].map(|_| RandomState::new().hash_one(0)))
    }
}

/// What a puzzle is found by: equal for equal forms under one secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub(super) u128);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Digit, DigitSet};
    use std::collections::HashSet;

    #[test]
    fn every_digit_in_every_cell_has_a_key_of_its_own() {
        let mut keys = HashSet::new();
        assert!(keys.insert(Packed::from(&Grid::EMPTY).key()));
        assert!(keys.insert(Packed::from(&Sukaku::FULL).key()));
        for cell in Cell::all() {
            for digit in Digit::ALL {
                let (mut grid, mut sukaku) = (Grid::EMPTY, Sukaku::new([DigitSet::EMPTY; 81]));
                grid.set(cell, Some(digit));
                sukaku.set(cell, DigitSet::of(digit));
                let (grid, sukaku) = (Packed::from(&grid), Packed::from(&sukaku));
                assert!(keys.insert(grid.key()) && keys.insert(sukaku.key()));
                assert_eq!((grid.bytes().len(), sukaku.bytes().len()), (41, 92));
            }
        }
    }

    /// `select --split` divides by it, so it must never change.
    #[test]
    fn the_stable_hash_is_the_published_one() {
        let nothing = twox_hash::XxHash3_128::oneshot(&[]);
        assert_eq!(nothing, 0x99aa_06d3_0147_98d8_6001_c324_468d_497f);
        let empty = Packed::from(&Grid::EMPTY).stable_hash();
        assert_eq!(empty, 0xbcac_8a17_609a_2593_7adb_c8ba_9ffa_f49d);
    }
}
