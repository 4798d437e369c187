//! The conventions of the ecosystem: small errors, and traits where they make sense.

use ninefold_core::difficulty::{Effort, Measured, Rating, Score, Technique};
use ninefold_core::generate::{Made, PatternError, Recipe};
use ninefold_core::puzzle::{
    Cell, CellSet, Clash, Digit, DigitSet, Grid, House, ParseError, Puzzle, Solution,
    SolutionError, Sukaku, WrongAnswer,
};
use ninefold_core::symmetry::{Form, Isomorphism, IsomorphismError};
use ninefold_core::{Status, UnknownName, Verdict, solve};
use std::collections::{BTreeSet, HashSet};
use std::error::Error;
use std::fmt::Debug;
use std::hash::Hash;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// On 64 bits. A [`Verdict`] is an outcome, with the solution or the conflicting grid of 81 bytes in place; a
/// result with it is hardly larger than a [`Solution`].
#[test]
fn errors_are_small() {
    fn size<E: Error + Send + Sync + 'static>() -> usize {
        size_of::<E>()
    }
    let errors = [
        ("ParseError", size::<ParseError>(), 16),
        ("SolutionError", size::<SolutionError>(), 24),
        ("Clash", size::<Clash>(), 24),
        ("WrongAnswer", size::<WrongAnswer>(), 24),
        ("PatternError", size::<PatternError>(), 32),
        ("IsomorphismError", size::<IsomorphismError>(), 24),
        ("UnknownName", size::<UnknownName>(), 64),
        ("Verdict", size::<Verdict>(), 88),
        ("Result<Grid, ParseError>", size_of::<Result<Grid, ParseError>>(), 88),
        ("Result<Solution, Verdict>", size_of::<Result<Solution, Verdict>>(), 88),
        ("Result<Rating, Verdict>", size_of::<Result<Rating, Verdict>>(), 88),
        ("Option<Solution>", size_of::<Option<Solution>>(), 82),
    ];
    let large: Vec<_> = errors.iter().filter(|(_, size, most)| size > most).collect();
    assert!(large.is_empty(), "name, size, most: {large:?}");
}

#[test]
fn values_are_compared_hashed_and_sorted() {
    fn value<T: Copy + Ord + Hash + Debug + Send + Sync>(one: T, other: T) {
        assert_eq!(BTreeSet::from([one, other, one]).len(), 2);
        assert_eq!(HashSet::from([one, other, one]).len(), 2);
    }
    let grid: Grid = PUZZLE.parse().unwrap();
    let solution = solve(grid).unwrap();
    let copy = Isomorphism::random(1);
    value(Cell::new(0), Cell::new(80));
    value(Digit::ALL[0], Digit::ALL[8]);
    value(House::Row(1), House::Box(1));
    value(CellSet::EMPTY, CellSet::FULL);
    value(DigitSet::EMPTY, DigitSet::FULL);
    value(grid, Grid::EMPTY);
    value(solution, Solution::try_from(copy.apply(solution.grid())).unwrap());
    value(Sukaku::from(grid), Sukaku::FULL);
    value(Puzzle::from(grid), Puzzle::from(Sukaku::from(grid)));
    value(copy, Isomorphism::IDENTITY);
    value(Status::Unique, Status::None);
    value(Score::Tenths(12), Score::Above(12));
    value(Technique::XWing, Technique::Swordfish);
}

#[test]
fn defaults_are_the_empty_values() {
    assert_eq!(Grid::default(), Grid::EMPTY);
    assert_eq!(Sukaku::default(), Sukaku::FULL);
    assert_eq!(CellSet::default(), CellSet::EMPTY);
    assert_eq!(DigitSet::default(), DigitSet::EMPTY);
    assert_eq!(Isomorphism::default(), Isomorphism::IDENTITY);
    assert_eq!(Measured::default().rating, None);
    assert_eq!(Recipe::default().clues, None);
}

#[test]
fn grids_are_indexed_iterated_and_collected() {
    let grid: Grid = PUZZLE.parse().unwrap();
    let solution = solve(grid).unwrap();
    assert_eq!((grid[Cell::new(0)], grid[Cell::new(2)]), (Digit::new(5), None));
    assert_eq!(Some(solution[Cell::new(2)]), Digit::new(4));
    assert_eq!(Sukaku::from(grid)[Cell::new(2)], DigitSet::FULL);

    assert_eq!(grid.into_iter().collect::<Grid>(), grid);
    assert_eq!(solution.into_iter().collect::<Grid>(), Grid::from(solution));
    let mut digits = 0;
    for (cell, digit) in grid {
        digits += usize::from(solution[cell] == digit);
    }
    assert_eq!(digits, grid.clues());

    let clues: CellSet = grid.into_iter().map(|(cell, _)| cell).collect();
    assert_eq!(clues, CellSet::of_clues(&grid));
    assert_eq!(clues.into_iter().collect::<CellSet>(), clues);
    let digits: DigitSet = grid.into_iter().map(|(_, digit)| digit).collect();
    assert_eq!(digits, DigitSet::FULL);
    assert_eq!(digits.into_iter().map(u8::from).sum::<u8>(), 45);
}

#[test]
fn arrays_and_texts_are_converted_or_refused() {
    let grid: Grid = PUZZLE.parse().unwrap();
    let cells = *grid.values();
    let mut rows = [[0; 9]; 9];
    rows.as_flattened_mut().copy_from_slice(&cells);
    assert_eq!((Grid::try_from(cells), Grid::try_from(rows)), (Ok(grid), Ok(grid)));
    assert_eq!(Puzzle::try_from(rows), Ok(grid.into()));
    assert_eq!((solve(cells), solve(rows)), (solve(grid), solve(PUZZLE)));
    rows[8][8] = 10;
    let error = ParseError::Value { cell: Cell::new(80), found: 10 };
    assert_eq!(Grid::try_from(rows), Err(error));
    assert_eq!(solve(rows), Err(Verdict::Malformed(error)));
    assert!(Solution::try_from(grid).is_err());

    let text: [u8; 81] = PUZZLE.as_bytes().try_into().unwrap();
    // These are no values.
    assert!(matches!(Grid::try_from(text), Err(ParseError::Value { found: b'5', .. })));
    assert_eq!(Puzzle::try_from(&text), Ok(grid.into()));
}

#[test]
fn types_can_be_sent_to_threads() {
    fn sent<T: Send + Sync + 'static>() {}
    fn moved<T: Send + 'static>() {}
    sent::<Made>();
    sent::<Form>();
    sent::<Effort>();
    moved::<ninefold_core::Solver>();
    moved::<ninefold_core::Solutions>();
    moved::<ninefold_core::generate::Maker>();
    moved::<ninefold_core::difficulty::Gauge>();
    moved::<ninefold_core::difficulty::Steps>();
    moved::<ninefold_core::minimal::Minimality>();
    moved::<ninefold_core::minimal::Minimizer>();
    moved::<ninefold_core::neighbors::Neighbors>();
    moved::<ninefold_core::symmetry::Canon>();
}

#[cfg(feature = "rand")]
#[test]
fn any_generator_gives_puzzles_grids_and_copies() {
    use ninefold_core::generate::{Maker, full_grid, generate};

    /// A counter: as poor as a generator can be.
    struct Counter(u64);

    impl rand_core::TryRng for Counter {
        type Error = core::convert::Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            self.try_next_u64().map(|number| u32::try_from(number >> 32).expect("32 bits"))
        }

        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            self.0 += 1;
            Ok(self.0)
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
            bytes.fill(self.try_next_u64()?.to_le_bytes()[0]);
            Ok(())
        }
    }

    let (mut counter, recipe) = (Counter(6), Recipe::default());
    let dynamic: &mut dyn rand_core::Rng = &mut counter;
    assert_eq!(generate(&recipe, dynamic), generate(&recipe, 7));
    assert_eq!(full_grid(&mut counter), full_grid(8));
    assert_eq!(Isomorphism::random(&mut counter), Isomorphism::random(9));
    assert_eq!(Maker::new(recipe.clone(), &mut counter).one(), generate(&recipe, 10));
}
