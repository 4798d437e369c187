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

    /// The effort of a puzzle that needs no guess in this number of searches.
    pub(super) const fn without_guesses(searches: u64) -> Self {
        Self { guesses: 0, squares: 0, searches }
    }

    /// Adds the guesses of one of the searches.
    pub(super) const fn with(self, guesses: u64) -> Self {
        let squares = self.squares + guesses * guesses;
        Self { guesses: self.guesses + guesses, squares, ..self }
    }

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
mod reference_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difficulty::{Gauge, Measure};
    use crate::engine::Bounds;
    use crate::engine::lanes::guesses::GuessCounter;
    use crate::puzzle::{Grid, Random, parse};
    use crate::simd::SimdLevel;
    use crate::symmetry::Isomorphism;
    use alloc::vec::Vec;

    fn gauge() -> Gauge {
        Gauge::new().with_measures([Measure::Effort])
    }

    fn effort_of(puzzle: &Grid, gauge: &mut Gauge) -> Option<Effort> {
        gauge.many_unique(&[*puzzle], &[])[0].effort
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
        assert_eq!(equal.mean().to_bits(), 3.0f64.to_bits());
        assert_eq!(equal.standard_error().to_bits(), 0);
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
        let first = effort_of(&puzzle, &mut gauge().with_seed(7)).unwrap();
        let mut gauge_of_7 = gauge().with_seed(7);
        assert_eq!(effort_of(&puzzle, &mut gauge_of_7), Some(first));
        assert_eq!(effort_of(&puzzle, &mut gauge_of_7), Some(first));
        assert_ne!(effort_of(&puzzle, &mut gauge().with_seed(8)), Some(first));
    }

    #[test]
    fn what_the_rules_solve_needs_no_guess() {
        for line in [
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "..143............2.596..8.3.9.3..6.1..3....9..8.7.....1.....7.........3.2...4...5",
        ] {
            let puzzle = parse::line(line.as_bytes()).unwrap();
            let effort = effort_of(&puzzle, &mut gauge());
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
            let effort = effort_of(&puzzle, &mut gauge().with_shuffles(3));
            assert_eq!(effort, None, "{line}");
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
                GuessCounter::new(level, &[map], Bounds::NONE)
                    .count(&puzzles, &mut |puzzle, guesses| outcomes[puzzle] = guesses);
                for (puzzle, outcome) in puzzles.iter().zip(outcomes) {
                    let expected = reference_tests::guesses(&map.apply(puzzle)).unwrap();
                    assert_eq!(outcome, Some(expected), "{level}, {puzzle}, {map}");
                    guessed += expected;
                }
            }
            assert!(guessed > 50, "{guessed}");
        }
    }

    /// Filling in what the rules find changes no guess.
    #[test]
    fn an_effort_is_the_mean_of_the_transformed_puzzles() {
        let mut gauge = gauge().with_seed(3);
        for line in &PUZZLES[..5] {
            let puzzle = parse::line(*line).unwrap();
            let copies =
                (0..10).map(|i| Isomorphism::random(&mut Random::of(3, 0, i)).apply(&puzzle));
            let guesses: Vec<_> =
                copies.map(|copy| reference_tests::guesses(&copy).unwrap()).collect();
            let squares = guesses.iter().map(|guesses| guesses * guesses).sum();
            let expected = Effort { guesses: guesses.iter().sum(), squares, searches: 10 };
            assert_eq!(effort_of(&puzzle, &mut gauge), Some(expected), "{puzzle}");
        }
    }

    /// Guesses of version 1. If this fails, `Effort::VERSION` has to change.
    #[test]
    fn version_1_has_these_efforts() {
        assert_eq!(Effort::VERSION, 1);
        let mut gauge = gauge();
        let mean = |line: &[u8; 81]| {
            let effort = effort_of(&parse::line(line).unwrap(), &mut gauge).unwrap();
            alloc::format!("{:.1}", effort.mean())
        };
        assert_eq!(PUZZLES.map(mean), ["0.0", "0.0", "1.9", "3.1", "2.8", "43.2"]);
    }
}
