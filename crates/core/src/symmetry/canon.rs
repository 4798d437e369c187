//! Canonical forms: one for each class of puzzles that differ in looks only.
//!
//! ```text
//!                  legal, full ──► full ──► band        tables, under 1 µs
//!   one(grid) ─────┤
//!                  all others ───► search ──► partial   row by row, under 1 µs
//!
//!   solution_minlex(puzzle, solution) ──► full, then the least image of the clues
//! ```

use super::Isomorphism;
use super::full::FullGrids;
use super::partial::PartialMap;
use super::search::MinlexSearch;
use crate::puzzle::{Grid, Puzzle, Solution};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::mem;

/// A canonical form, and how it comes about.
///
/// ```
/// use ninefold_core::puzzle::parse;
///
/// let line = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle = parse::line(line)?;
/// let form = ninefold_core::minlex(&puzzle);
/// assert_eq!(form.map.apply(&puzzle), form.grid);
/// assert_eq!(form.automorphisms, 1);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Form<P = Grid> {
    /// The least grid, sukaku or puzzle that isomorphic puzzles have in common.
    pub grid: P,
    /// A map from the puzzle to its form.
    pub map: Isomorphism,
    /// The number of the puzzle's automorphisms, the identity included: 1 for almost all.
    ///
    /// An automorphism is a transposition, an order of rows and an order of columns that give the
    /// puzzle itself once the digits are relabelled. How absent digits are relabelled does not
    /// count, so the empty puzzle has 3,359,232.
    pub automorphisms: u32,
}

/// Finds canonical forms and automorphisms. Each worker has its own, with memory and tables.
///
/// ```
/// use ninefold_core::puzzle::parse;
/// use ninefold_core::symmetry::{Canon, Isomorphism};
///
/// let line = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle = parse::line(line)?;
/// let other = Isomorphism::random(1).apply(&puzzle);
/// let mut canon = Canon::new();
/// let form = canon.one(&puzzle);
/// assert_eq!(form.grid, canon.one(&other).grid);
/// assert_eq!(form.grid, form.map.apply(&puzzle));
/// assert_eq!(canon.many(&[puzzle; 2]), [form, form]);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Canon {
    search: Box<MinlexSearch>,
    /// Made when the first full grid comes.
    full: Option<Box<FullGrids>>,
    forms: Vec<Form>,
}

impl Canon {
    /// One without memory and tables; they are made when they are needed.
    pub fn new() -> Self {
        Self::default()
    }

    /// The least of all puzzles that are isomorphic to this one, read as a number of 81 digits
    /// in which a blank is a 0.
    ///
    /// The puzzle may be any grid: with several solutions or none, illegal, full or empty.
    ///
    /// # Panics
    /// Never: every grid has a form.
    pub fn one(&mut self, grid: &Grid) -> Form {
        // Rules are checked only for a grid without blanks.
        if !grid.values().contains(&0)
            && let Ok(solution) = Solution::try_from(*grid)
        {
            return self.solution_minlex(grid, &solution);
        }
        let (values, first, automorphisms) = self.search.least(grid);
        let grid = Grid::from_checked_values(values);
        Form { grid, map: map_of(&first), automorphisms }
    }

    /// The least of all puzzles that are isomorphic to each of these, as [`Canon::one`] finds it.
    pub fn many(&mut self, grids: &[Grid]) -> &[Form] {
        let mut forms = mem::take(&mut self.forms);
        forms.clear();
        forms.extend(grids.iter().map(|grid| self.one(grid)));
        self.forms = forms;
        &self.forms
    }

    /// The least image of a puzzle under the maps that take its solution to the least form of the
    /// solution.
    ///
    /// This is a canonical form of puzzles that have one solution: isomorphic ones have the same,
    /// others do not. It is cheaper than [`Canon::one`] if the solution is known, and puzzles
    /// with isomorphic solutions get clues of the same grid.
    pub fn solution_minlex(&mut self, puzzle: &Grid, solution: &Solution) -> Form {
        let (grid, map, automorphisms) = self.full().least_image(puzzle, solution);
        Form { grid, map, automorphisms }
    }

    /// The form of a puzzle: minlex, or with its only solution the form of [`Canon::solution_minlex`]. A
    /// sukaku has no minlex form.
    ///
    /// The solution form of a sukaku is its least image under the maps that take its solution to the
    /// least form of the solution. Images are compared cell by cell, the sets of candidates as numbers.
    ///
    /// ```
    /// use ninefold_core::puzzle::{Puzzle, Solution, Sukaku, parse};
    /// use ninefold_core::symmetry::{Canon, Isomorphism};
    ///
    /// let line = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let puzzle = parse::line(line)?;
    /// let (sukaku, solution) = (Sukaku::from(&puzzle), ninefold_core::solve(&puzzle).unwrap());
    /// let map = Isomorphism::random(1);
    /// let moved = Solution::try_from(map.apply(solution.grid())).unwrap();
    ///
    /// let mut canon = Canon::new();
    /// let one = canon.form_of(&Puzzle::Sukaku(sukaku), Some(&solution)).unwrap();
    /// let other = Puzzle::Sukaku(map.apply_to_sukaku(&sukaku));
    /// let two = canon.form_of(&other, Some(&moved)).unwrap();
    /// assert_eq!(one.grid, two.grid);
    /// assert_eq!(Puzzle::Sukaku(one.map.apply_to_sukaku(&sukaku)), one.grid);
    /// assert_eq!(canon.form_of(&Puzzle::Sukaku(sukaku), None), None);
    /// # Ok::<(), ninefold_core::puzzle::ParseError>(())
    /// ```
    pub fn form_of(
        &mut self,
        puzzle: &Puzzle,
        solution: Option<&Solution>,
    ) -> Option<Form<Puzzle>> {
        let form = match (puzzle, solution) {
            (Puzzle::Sukaku(sukaku), solution) => {
                let maps = self.full().maps(solution?);
                let (least, map, automorphisms) = least_of(maps, |it| it.apply_to_sukaku(sukaku));
                return Some(Form { grid: Puzzle::Sukaku(least), map, automorphisms });
            }
            (Puzzle::Grid(grid), Some(solution)) => self.solution_minlex(grid, solution),
            (Puzzle::Grid(grid), None) => self.one(grid),
        };
        let Form { grid, map, automorphisms } = form;
        Some(Form { grid: Puzzle::Grid(grid), map, automorphisms })
    }

    fn full(&mut self) -> &mut FullGrids {
        self.full.get_or_insert_with(|| Box::new(FullGrids::new()))
    }

    /// A map from one puzzle to another, if there is one.
    pub fn isomorphism(&mut self, one: &Grid, two: &Grid) -> Option<Isomorphism> {
        if one.clues() != two.clues() {
            return None;
        }
        let (one, two) = (self.one(one), self.one(two));
        (one.grid == two.grid).then(|| one.map.then(&two.map.inverse()))
    }
}

/// The least image under some maps, the first map to it, and the number of maps to it.
fn least_of<T: Ord>(
    maps: &[Isomorphism],
    image: impl Fn(&Isomorphism) -> T,
) -> (T, Isomorphism, u32) {
    let mut best = (image(&maps[0]), maps[0], 1);
    for map in &maps[1..] {
        let image = image(map);
        match image.cmp(&best.0) {
            Ordering::Less => best = (image, *map, 1),
            Ordering::Equal => best.2 += 1,
            Ordering::Greater => {}
        }
    }
    best
}

/// The least of all puzzles that are isomorphic to this one, with the map and the number of automorphisms.
/// For many puzzles keep a [`Canon`].
///
/// ```
/// use ninefold_core::minlex;
/// use ninefold_core::puzzle::Grid;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let form = minlex(&puzzle);
/// assert_eq!(minlex(&form.grid).grid, form.grid);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
pub fn minlex(grid: &Grid) -> Form {
    Canon::new().one(grid)
}

/// A map from one puzzle to another, if there is one. For many puzzles keep a [`Canon`].
///
/// ```
/// use ninefold_core::puzzle::parse;
/// use ninefold_core::symmetry::{Isomorphism, isomorphism};
///
/// let line = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle = parse::line(line)?;
/// let other = Isomorphism::random(1).apply(&puzzle);
/// let map = isomorphism(&puzzle, &other).unwrap();
/// assert_eq!(map.apply(&puzzle), other);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
pub fn isomorphism(one: &Grid, two: &Grid) -> Option<Isomorphism> {
    Canon::new().isomorphism(one, two)
}

/// The map of a search that is at its end. Digits without a label get the rest, in order.
fn map_of(partial: &PartialMap) -> Isomorphism {
    let mut values = [0; 10];
    let mut label = partial.used;
    for (value, &known) in values.iter_mut().zip(&partial.labels) {
        *value = known >> 4;
        if *value == super::partial::NEW {
            label += 1;
            *value = label;
        }
    }
    Isomorphism::of_parts(
        values,
        core::array::from_fn(|depth| partial.source_row(depth)),
        *partial.source_columns(),
        partial.turned == 1,
    )
}
