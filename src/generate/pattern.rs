//! Patterns: which cells have a clue, typed or in a file.

use crate::cli::exit::chain;
use crate::generate::Recipe;
use crate::puzzle::{Cell, CellSet, House};
use std::fs;
use std::path::PathBuf;

const FEWEST: usize = Recipe::FEWEST_CLUES;

/// The cells that have a clue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) cells: CellSet,
    /// The file that says so, if they were not typed.
    pub(super) file: Option<PathBuf>,
}

/// Takes 81 characters, or the name of a file that has them.
pub(super) fn parse(text: &str) -> Result<Pattern, String> {
    let mut file = None;
    let cells = if text.len() == Cell::COUNT && text.chars().all(|mark| cell(mark).is_some()) {
        of_marks(text)?
    } else {
        let marks = fs::read_to_string(text).map_err(|cause| {
            let found = if looks_typed(text) { of_marks(text).err() } else { None };
            let found = found.unwrap_or_else(|| chain(&cause));
            format!("expected 81 of x * 1 to 9 . 0 _ -, or a file: {found}")
        })?;
        file = Some(PathBuf::from(text));
        let lines = marks.trim_start_matches('\u{feff}').lines();
        of_marks(&lines.filter(|line| !line.starts_with('#')).collect::<String>())?
    };
    match reason_against(cells) {
        Some(reason) => Err(reason),
        None => Ok(Pattern { cells, file }),
    }
}

/// Whether a character stands for a clue; none if it stands for nothing.
fn cell(mark: char) -> Option<bool> {
    match mark {
        '1'..='9' | 'x' | 'X' | '*' => Some(true),
        '.' | '0' | '_' | '-' => Some(false),
        _ => None,
    }
}

/// Whether a text that names no file was meant for cells: most of its characters are cells.
fn looks_typed(text: &str) -> bool {
    let (marks, all) = (text.chars().filter(|&mark| cell(mark).is_some()), text.chars());
    2 * marks.count() > all.count()
}

fn of_marks(marks: &str) -> Result<CellSet, String> {
    let marks: Vec<_> = marks.chars().filter(|mark| !mark.is_whitespace()).collect();
    if let Some(&mark) = marks.iter().find(|&&mark| cell(mark).is_none()) {
        return Err(format!("'{}' is neither a clue nor a blank", mark.escape_default()));
    }
    if marks.len() != Cell::COUNT {
        return Err(format!("expected 81 cells, found {}", marks.len()));
    }
    Ok(Cell::all()
        .zip(&marks)
        .filter(|&(_, &mark)| cell(mark) == Some(true))
        .map(|it| it.0)
        .collect())
}

/// Why no puzzle with clues in these cells has one solution, if that is plain to see.
fn reason_against(pattern: CellSet) -> Option<String> {
    if pattern.len() < FEWEST {
        let clues = pattern.len();
        return Some(format!("{clues} clues: no puzzle with fewer than {FEWEST} has one solution"));
    }
    let is_empty = |house: House| house.cells().into_iter().all(|cell| !pattern.contains(cell));
    for line in [House::Row, House::Column] {
        for (one, two) in
            (0..9).flat_map(|one| (one + 1..one / 3 * 3 + 3).map(move |two| (one, two)))
        {
            if is_empty(line(one)) && is_empty(line(two)) {
                let (one, two) = (line(one), line(two));
                return Some(format!("{one} and {two} have no clue, so they could be exchanged"));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clues_and_blanks_are_read_and_the_rest_is_named() {
        let typed = of_marks(&"x1*.0_-.X".repeat(9)).unwrap();
        assert_eq!(typed.cells().take(5).map(Cell::index).collect::<Vec<_>>(), [0, 1, 2, 8, 9]);
        assert_eq!(of_marks("x.\n x"), Err("expected 81 cells, found 3".to_owned()));
        assert_eq!(of_marks("x?"), Err("'?' is neither a clue nor a blank".to_owned()));
        for (typed, found) in [
            ("no such file".to_owned(), "No such file"),
            ("-x.".repeat(26), "found 78"),
            ("x.-".repeat(27).replacen('x', "?", 1), "'?' is neither"),
        ] {
            let reason = parse(&typed).unwrap_err();
            assert!(reason.starts_with("expected 81") && reason.contains(found), "{reason}");
        }
    }

    #[test]
    fn a_pattern_that_cannot_have_one_solution_is_refused() {
        let few = format!("{}{}", "x".repeat(16), ".".repeat(65));
        assert!(parse(&few).unwrap_err().starts_with("16 clues"));
        let rows = format!("{}{}", "x".repeat(63), ".".repeat(18));
        let reason = parse(&rows).unwrap_err();
        assert_eq!(reason, "row 8 and row 9 have no clue, so they could be exchanged");
        let columns = "xxxxxx.x.".repeat(9);
        assert!(parse(&columns).unwrap_err().starts_with("column 7 and column 9"));
        // Lines without a clue in different bands cannot be exchanged.
        let apart = ["xxxxxxxxx"; 9].map(str::to_owned).join("");
        let apart = format!("{}{}{}{}", ".".repeat(9), &apart[..18], ".".repeat(9), &apart[..45]);
        assert!(parse(&apart).is_ok());
    }
}
