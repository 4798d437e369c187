//! How many guesses a search makes: the mean over transformations of the puzzle.
//!
//! ```text
//!                      ┌─ transformation 1 ──> search ──> 3 guesses ─┐
//!  puzzle ──> rules ───┼─ transformation 2 ──> search ──> 7 guesses ─┼──> mean, standard error
//!               │      └─ …                                          │
//!               └─ solved: 0 guesses                                 ┘
//! ```
//!
//! # Version 1
//! The search is fixed, so that an effort means the same next year and on every CPU:
//!
//! 1. *Rules.* Naked singles, hidden singles and locked candidates (pointing and claiming), until
//!    none of them removes a candidate. Their result does not depend on the order.
//! 2. *Contradiction.* A cell without candidates, or a house without a place for a digit: the last
//!    guess was wrong. Its candidate is removed, and the search continues with step 1.
//! 3. *Guess.* Of the cells with the fewest candidates (two or more), the first in reading order
//!    gets its smallest candidate. This counts as one guess. A removal after a wrong guess does
//!    not count.
//! 4. The search ends with the first solution.
//!
//! The rules do not depend on how the puzzle is written, and steps 3 and 4 depend on nothing else.
//! So a puzzle that the rules solve has no guesses in any transformation, and only others are
//! transformed, after the rules have filled in what they could. Transformation `i` is
//! `Isomorphism::random` of the stream `Random::of(seed, 0, i)`, the same for all puzzles: the
//! effort of a puzzle does not depend on the puzzles before it.
//!
//! The searches run side by side in the lanes of vectors (`engine::lanes::guesses`). `reference_tests` has
//! the definition again, one rule after the other; the tests compare the two.

#[cfg(test)]
mod reference_tests;

use crate::engine::Bounds;
use crate::engine::lanes::guesses::{GuessCounter, Guesses};
use crate::puzzle::{Grid, Random};
use crate::simd::SimdLevel;
use crate::symmetry::Isomorphism;
use alloc::vec::Vec;

/// The effort of a puzzle: the guesses of a number of searches.
///
/// ```
/// use ninefold_core::difficulty::Gauge;
/// use ninefold_core::puzzle::Grid;
///
/// let hard: Grid =
///     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".parse()?;
/// let effort = Gauge::new().one(&hard).effort.unwrap();
/// assert!(effort.mean() > 10.0 && effort.standard_error() > 0.0);
/// assert_eq!(effort.searches(), 10);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effort {
    guesses: u64,
    squares: u64,
    searches: u64,
}

impl Effort {
    /// Version of the search. It changes whenever the number of guesses of any puzzle may change.
    pub const VERSION: u32 = 1;

    /// Mean number of guesses.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub fn mean(&self) -> f64 {
        self.guesses as f64 / self.searches as f64
    }

    /// Standard error of the mean; 0 for a single search.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub fn standard_error(&self) -> f64 {
        // The products may not fit in 64 bits.
        let [guesses, squares, searches] =
            [self.guesses, self.squares, self.searches].map(u128::from);
        if searches < 2 {
            return 0.0;
        }
        // n Σx² - (Σx)² is exact in integers, so equal numbers give 0.
        let spread = searches * squares - guesses * guesses;
        square_root(spread as f64 / (searches * searches * (searches - 1)) as f64)
    }

    /// Mean number of guesses in thousandths, rounded.
    pub const fn mean_thousandths(&self) -> u64 {
        (self.guesses * 1000 + self.searches / 2) / self.searches
    }

    /// Standard error of the mean in thousandths, rounded.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 or more")]
    pub fn standard_error_thousandths(&self) -> u64 {
        (self.standard_error() * 1000.0 + 0.5) as u64
    }

    /// The guesses of all searches together.
    pub const fn guesses(&self) -> u64 {
        self.guesses
    }

    /// The number of searches.
    pub const fn searches(&self) -> u64 {
        self.searches
    }
}

/// Measures efforts; keeps the memory for it.
#[derive(Debug)]
pub(super) struct Meter {
    shuffles: usize,
    seed: u64,
    level: SimdLevel,
    bounds: Bounds,
    /// Made for the first puzzle.
    counter: Option<GuessCounter>,
    sums: Vec<Sums>,
    efforts: Vec<Option<Effort>>,
}

/// The guesses of a puzzle in its searches so far.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    guesses: u64,
    squares: u64,
    impossible: bool,
    gave_up: bool,
}

impl Sums {
    fn add(&mut self, outcome: Guesses) {
        match outcome {
            Guesses::Solved(guesses) => {
                self.guesses += guesses;
                self.squares += guesses * guesses;
            }
            Guesses::Impossible => self.impossible = true,
            Guesses::GaveUp => self.gave_up = true,
        }
    }
}

impl Meter {
    /// The usual number of transformations.
    pub(super) const DEFAULT_SHUFFLES: usize = 10;

    /// A measure with [`Meter::DEFAULT_SHUFFLES`] transformations, drawn from the seed 1.
    pub(super) fn new() -> Self {
        Self {
            shuffles: Self::DEFAULT_SHUFFLES,
            seed: 1,
            level: SimdLevel::best(),
            bounds: Bounds::default(),
            counter: None,
            sums: Vec::new(),
            efforts: Vec::new(),
        }
    }

    /// Takes the mean over this number of transformations.
    ///
    /// Panics if `shuffles` is 0.
    pub(super) fn with_shuffles(self, shuffles: usize) -> Self {
        assert!(shuffles > 0, "a mean of no numbers does not exist");
        Self { shuffles, counter: None, ..self }
    }

    /// Draws the transformations from this seed.
    pub(super) fn with_seed(self, seed: u64) -> Self {
        Self { seed, counter: None, ..self }
    }

    /// Uses vectors of this level. The efforts are the same at every level.
    pub(super) fn with_level(self, level: SimdLevel) -> Self {
        Self { level, counter: None, ..self }
    }

    /// Gives up a search at these bounds: a guess is a branch.
    pub(super) fn with_bounds(self, bounds: Bounds) -> Self {
        Self { bounds, counter: None, ..self }
    }

    /// The effort of each puzzle, or `None` if it has no solution or a bound ended a search.
    pub(super) fn many(&mut self, puzzles: &[Grid]) -> &[Option<Effort>] {
        let Self { shuffles, seed, level, bounds, counter, sums, efforts } = self;
        let random = |index| Isomorphism::random(&mut Random::of(*seed, 0, index));
        let counter = counter.get_or_insert_with(|| {
            let transformations: Vec<_> = (0..*shuffles as u64).map(random).collect();
            GuessCounter::new(*level, &transformations).bounded(bounds.clone())
        });
        sums.clear();
        sums.resize(puzzles.len(), Sums::default());
        counter.count(puzzles, &mut |puzzle, outcome| sums[puzzle].add(outcome));
        let searches = counter.transformations() as u64;
        efforts.clear();
        efforts.extend(sums.iter().map(|&Sums { guesses, squares, impossible, gave_up }| {
            (!impossible && !gave_up).then_some(Effort { guesses, squares, searches })
        }));
        efforts
    }
}

/// The square root, without `std`: Newton's method from above.
fn square_root(number: f64) -> f64 {
    if number <= 0.0 {
        return 0.0;
    }
    let mut root = if number > 1.0 { number } else { 1.0 };
    loop {
        let next = 0.5 * (root + number / root);
        if next >= root {
            return root;
        }
        root = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::parse;
    use alloc::vec::Vec;

    impl Meter {
        fn one(&mut self, puzzle: &Grid) -> Option<Effort> {
            self.many(core::slice::from_ref(puzzle))[0]
        }
    }

    const HARD: &[u8; 81] =
        b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

    #[test]
    fn mean_and_standard_error_are_those_of_the_textbook() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sample variance 32 / 7.
        let found = Effort { guesses: 40, squares: 232, searches: 8 };
        assert!((found.mean() - 5.0).abs() < 1e-12);
        assert!((found.standard_error() - (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
        let equal = Effort { guesses: 30, squares: 90, searches: 10 };
        assert_eq!(
            (equal.mean().to_bits(), equal.standard_error().to_bits()),
            (3.0f64.to_bits(), 0)
        );
        let single = Effort { guesses: 3, squares: 9, searches: 1 };
        assert_eq!(single.standard_error().to_bits(), 0);
    }

    #[test]
    fn the_square_root_is_that_of_std() {
        for number in [0.0, 1e-9, 0.04, 0.5, 1.0, 2.0, 1e6, 123_456.789] {
            let error = (square_root(number) - f64::sqrt(number)).abs();
            assert!(error <= 1e-15 * (1.0 + number), "{number}");
        }
    }

    #[test]
    fn a_seed_brings_back_the_same_effort() {
        let puzzle = parse::line(HARD).unwrap();
        let first = Meter::new().with_seed(7).one(&puzzle).unwrap();
        let mut meter = Meter::new().with_seed(7);
        assert_eq!(meter.one(&puzzle), Some(first));
        assert_eq!(meter.one(&puzzle), Some(first));
        assert_ne!(Meter::new().with_seed(8).one(&puzzle), Some(first));
    }

    #[test]
    fn what_the_rules_solve_needs_no_guess() {
        for line in [
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "..143............2.596..8.3.9.3..6.1..3....9..8.7.....1.....7.........3.2...4...5",
        ] {
            let puzzle = parse::line(line.as_bytes()).unwrap();
            let effort = Meter::new().one(&puzzle);
            let none = Effort { guesses: 0, squares: 0, searches: 10 };
            assert_eq!(effort, Some(none), "{line}");
        }
    }

    #[test]
    fn a_puzzle_without_a_solution_has_no_effort() {
        for line in [
            // Two 5s in a row; and a cell that sees all nine digits.
            "5.......5........................................................................",
            "12345678.........9...............................................................",
        ] {
            let puzzle = parse::line(line.as_bytes()).unwrap();
            assert_eq!(Meter::new().with_shuffles(3).one(&puzzle), None, "{line}");
        }
    }

    /// Generated minimal puzzles, and a hard one.
    const PUZZLES: [&[u8; 81]; 6] = [
        b"21.4....7.......9437..9.....96...3.........46....5..28....48.........21...26....5",
        b"2..4...6.13.8...........138.....549......8....176....5.8......9...9.7....5..21...",
        b"8..9..5...347....9.5..1......5.....1.2.4....3...8.96...6..7..5......4......6...3.",
        b"39..4........5...3.46...1..8....72.........391.4...6....843...1.....1.6.5........",
        b"7.4..9..68.....7.4.5...8.1..6.5.3.9.3.24..6.............1....47..59.1....7.......",
        HARD,
    ];

    #[test]
    fn the_search_guesses_as_its_definition_does() {
        let puzzles = PUZZLES.map(|line| parse::line(line).unwrap());
        for level in SimdLevel::available() {
            let mut guessed = 0;
            // In some of these, two singles of a box are equal, or two digits need the same cell.
            for index in [0, 9, 13, 22, 29] {
                let map = Isomorphism::random(&mut Random::of(1, 0, index));
                let mut outcomes = [None; PUZZLES.len()];
                GuessCounter::new(level, &[map])
                    .count(&puzzles, &mut |puzzle, outcome| outcomes[puzzle] = Some(outcome));
                for (puzzle, outcome) in puzzles.iter().zip(outcomes) {
                    let expected = reference_tests::guesses(&map.apply(puzzle)).unwrap();
                    let found = outcome.unwrap();
                    assert_eq!(found, Guesses::Solved(expected), "{level}, {puzzle}, {map}");
                    guessed += expected;
                }
            }
            assert!(guessed > 50, "{guessed}");
        }
    }

    /// Filling in what the rules find changes no guess.
    #[test]
    fn an_effort_is_the_mean_of_the_transformed_puzzles() {
        let mut meter = Meter::new().with_seed(3);
        for line in &PUZZLES[..5] {
            let puzzle = parse::line(*line).unwrap();
            let copies =
                (0..10).map(|i| Isomorphism::random(&mut Random::of(3, 0, i)).apply(&puzzle));
            let guesses: Vec<_> =
                copies.map(|copy| reference_tests::guesses(&copy).unwrap()).collect();
            let squares = guesses.iter().map(|guesses| guesses * guesses).sum();
            let expected = Effort { guesses: guesses.iter().sum(), squares, searches: 10 };
            assert_eq!(meter.one(&puzzle), Some(expected), "{puzzle}");
        }
    }

    /// Guesses of version 1. If this fails, `Effort::VERSION` has to change.
    #[test]
    fn version_1_has_these_efforts() {
        assert_eq!(Effort::VERSION, 1);
        let mut meter = Meter::new();
        let mean = |line: &[u8; 81]| {
            let effort = meter.one(&parse::line(line).unwrap()).unwrap();
            alloc::format!("{:.1}", effort.mean())
        };
        assert_eq!(PUZZLES.map(mean), ["0.0", "0.0", "1.9", "3.1", "2.8", "43.2"]);
    }
}
