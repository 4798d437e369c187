//! Patterns: which cells have a clue.

use super::recipe::Recipe;
use crate::puzzle::{Cell, CellSet, House};
use core::error::Error;
use core::fmt;

/// Why a text is not a pattern of a puzzle with one solution.
///
/// ```
/// use ninefold_core::generate::{PatternError, parse_pattern};
///
/// assert_eq!(parse_pattern("x.?"), Err(PatternError::Mark('?')));
/// assert_eq!(parse_pattern(&".".repeat(81)), Err(PatternError::Clues(0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternError {
    /// A character that is neither a clue nor a blank.
    Mark(char),
    /// The number of cells is not 81.
    Length(usize),
    /// No puzzle with so few clues has one solution.
    Clues(usize),
    /// Two rows of a band, or two columns of a stack, have no clue.
    Empty(House, House),
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark(mark) => {
                write!(f, "'{}' is neither a clue nor a blank", mark.escape_default())
            }
            Self::Length(cells) => write!(f, "expected 81 cells, found {cells}"),
            Self::Clues(clues) => {
                let fewest = Recipe::FEWEST_CLUES;
                write!(f, "{clues} clues: no puzzle with fewer than {fewest} has one solution")
            }
            Self::Empty(one, two) => {
                write!(f, "{one} and {two} have no clue, so they could be exchanged")
            }
        }
    }
}

impl Error for PatternError {}

/// Whether a character stands for a clue; none if it stands for nothing.
pub const fn pattern_cell(mark: char) -> Option<bool> {
    match mark {
        '1'..='9' | 'x' | 'X' | '*' => Some(true),
        '.' | '0' | '_' | '-' => Some(false),
        _ => None,
    }
}

/// Parses 81 cells: `x`, `*` or a digit is a clue, and `.`, `0`, `_` or `-` a blank. White space is skipped.
///
/// ```
/// use ninefold_core::generate::{Recipe, generate, parse_pattern};
/// use ninefold_core::puzzle::CellSet;
///
/// let pattern = parse_pattern(
///     "..xx.xx.. .x..x..x. x...x...x x..xxx..x .x.x.x.x. x..xxx..x x...x...x .x..x..x. ..xx.xx..",
/// )?;
/// let recipe = Recipe { pattern: Some(pattern), ..Recipe::default() };
/// assert!(generate(&recipe, 1).is_some_and(|made| CellSet::of_clues(&made.puzzle) == pattern));
/// # Ok::<(), ninefold_core::generate::PatternError>(())
/// ```
///
/// # Errors
/// If the text is not a pattern, or if no puzzle with clues in these cells has one solution, as far as that
/// is plain to see.
pub fn parse_pattern(marks: &str) -> Result<CellSet, PatternError> {
    let mut pattern = CellSet::EMPTY;
    let mut cells = 0;
    for mark in marks.chars().filter(|mark| !mark.is_whitespace()) {
        let is_clue = pattern_cell(mark).ok_or(PatternError::Mark(mark))?;
        if is_clue && cells < Cell::COUNT {
            pattern.insert(Cell::new(cells));
        }
        cells += 1;
    }
    if cells != Cell::COUNT {
        return Err(PatternError::Length(cells));
    }
    if pattern.len() < Recipe::FEWEST_CLUES {
        return Err(PatternError::Clues(pattern.len()));
    }
    let is_empty = |house: House| house.cells().into_iter().all(|cell| !pattern.contains(cell));
    for line in [House::Row, House::Column] {
        for (one, two) in
            (0..9).flat_map(|one| (one + 1..one / 3 * 3 + 3).map(move |two| (one, two)))
        {
            if is_empty(line(one)) && is_empty(line(two)) {
                return Err(PatternError::Empty(line(one), line(two)));
            }
        }
    }
    Ok(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;

    #[test]
    fn clues_and_blanks_are_read_and_the_rest_is_named() {
        let typed = parse_pattern(&format!("{}x", "x1*.0_-.X0".repeat(8))).unwrap();
        assert_eq!(typed.cells().take(5).map(Cell::index).collect::<Vec<_>>(), [0, 1, 2, 8, 10]);
        assert_eq!(parse_pattern("x.\n x"), Err(PatternError::Length(3)));
        assert_eq!(parse_pattern("x?"), Err(PatternError::Mark('?')));
        assert_eq!(parse_pattern(&"x".repeat(82)), Err(PatternError::Length(82)));
    }

    #[test]
    fn a_pattern_that_cannot_have_one_solution_is_refused() {
        let few = format!("{}{}", "x".repeat(16), ".".repeat(65));
        assert!(parse_pattern(&few).unwrap_err().to_string().starts_with("16 clues"));
        let rows = format!("{}{}", "x".repeat(63), ".".repeat(18));
        let reason = parse_pattern(&rows).unwrap_err().to_string();
        assert_eq!(reason, "row 8 and row 9 have no clue, so they could be exchanged");
        let columns = "xxxxxx.x.".repeat(9);
        let reason = parse_pattern(&columns).unwrap_err().to_string();
        assert!(reason.starts_with("column 7 and column 9"), "{reason}");
        // Lines without a clue in different bands cannot be exchanged.
        let apart = format!("{0}{1}{0}{2}", ".".repeat(9), "x".repeat(18), "x".repeat(45));
        assert!(parse_pattern(&apart).is_ok());
    }
}
