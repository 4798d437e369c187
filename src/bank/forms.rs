//! The form by which puzzles are compared: the puzzle itself, or a canonical form.
//!
//! ```text
//!             one solution                        several, none
//! exact       the puzzle                          the puzzle
//! cheapest    solution minlex    about 1 µs       puzzle minlex    about 2 to 4 µs
//! minlex      puzzle minlex                       puzzle minlex
//! ```
//!
//! How many solutions a puzzle has does not change under symmetry. So a puzzle with one solution is
//! never isomorphic to one with several, and their forms need not be told apart.
//!
//! A sukaku with one solution has a form like that of a grid: the least image under the maps that take
//! its solution to the least form. For other sukakus no form is known that is cheap enough: they are
//! compared as they are.

use super::packed::{PackedGrid, PackedSukaku};
use crate::puzzle::{Grid, Solution, Sukaku};
use crate::symmetry::Canon;

ninefold_core::named_enum! {
    /// Which puzzles count as the same.
    ///
    /// ```
    /// use crate::bank::Same;
    ///
    /// assert_eq!("isomorphic".parse(), Ok(Same::Isomorphic));
    /// ```
    pub enum Same, "comparison" {
        @default Exact = "exact", "the same clues in the same cells";
        Isomorphic = "isomorphic", "the same up to symmetry: relabelled, transposed, lines permuted";
    }
}

/// The form by which puzzles are compared.
///
/// ```
/// use crate::bank::{Form, Same};
///
/// assert_eq!(Form::of(Same::Isomorphic, true), Form::Cheapest);
/// // Without the solutions the cheapest form is not known.
/// assert_eq!(Form::of(Same::Isomorphic, false), Form::Minlex);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The puzzle itself.
    Exact,
    /// Solution minlex of a puzzle with one solution, puzzle minlex of any other.
    Cheapest,
    /// Puzzle minlex.
    Minlex,
}

impl Form {
    /// The form for a comparison, if the solutions of puzzles that have one solution are known or not.
    #[must_use]
    pub const fn of(same: Same, solved: bool) -> Self {
        match (same, solved) {
            (Same::Exact, _) => Self::Exact,
            (Same::Isomorphic, true) => Self::Cheapest,
            (Same::Isomorphic, false) => Self::Minlex,
        }
    }
}

/// Makes forms of one kind; keeps the memory for it.
///
/// ```
/// use crate::bank::{Form, Forms};
/// use crate::puzzle::Random;
/// use crate::symmetry::Isomorphism;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle = line.parse()?;
/// let solution = crate::solve(&puzzle)?;
/// let map = Isomorphism::random(&mut Random::new(1));
/// let mut forms = Forms::new(Form::Cheapest);
/// let one = forms.grid(&puzzle, Some(&solution));
/// let two = forms.grid(&map.apply(&puzzle), Some(&map.apply_to_solution(&solution)));
/// assert_eq!(one.key(), two.key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Forms {
    form: Form,
    canon: Canon,
}

impl Forms {
    /// Makes forms of this kind.
    #[must_use]
    pub fn new(form: Form) -> Self {
        Self { form, canon: Canon::new() }
    }

    /// The kind of forms.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The form of a grid. `solution` is its solution, if it has exactly one.
    #[must_use]
    pub fn grid(&mut self, grid: &Grid, solution: Option<&Solution>) -> PackedGrid {
        match (self.form, solution) {
            (Form::Exact, _) => grid.into(),
            (Form::Cheapest, Some(solution)) => {
                (&self.canon.solution_minlex(grid, solution).grid).into()
            }
            (Form::Cheapest | Form::Minlex, _) => (&self.canon.minlex(grid).grid).into(),
        }
    }

    /// The form of a sukaku. `solution` is its solution, if it has exactly one.
    #[must_use]
    pub fn sukaku(&mut self, sukaku: &Sukaku, solution: Option<&Solution>) -> PackedSukaku {
        match (self.form, solution) {
            (Form::Cheapest, Some(solution)) => {
                (&self.canon.solution_minlex_of_sukaku(sukaku, solution).sukaku).into()
            }
            _ => sukaku.into(),
        }
    }
}
