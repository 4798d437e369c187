//! Patterns: which cells have a clue, typed or in a file.

use crate::cli::exit::chain;
use crate::puzzle::{Cell, CellSet};
use ninefold_core::generate::{parse_pattern, pattern_cell};
use std::fs;
use std::path::PathBuf;

/// The cells that have a clue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) cells: CellSet,
    /// The file that says so, if they were not typed.
    pub(super) file: Option<PathBuf>,
}

/// Takes 81 characters, or the name of a file that has them.
pub(super) fn parse(text: &str) -> Result<Pattern, String> {
    let is_cell = |mark: char| pattern_cell(mark).is_some();
    let (marks, file) = if text.len() == Cell::COUNT && text.chars().all(is_cell) {
        (text.to_owned(), None)
    } else {
        let marks = fs::read_to_string(text).map_err(|cause| {
            // Whether a text that names no file was meant for cells: most of its characters are cells.
            let looks_typed =
                2 * text.chars().filter(|&mark| is_cell(mark)).count() > text.chars().count();
            let found = parse_pattern(text).err().filter(|_| looks_typed);
            let found = found.map_or_else(|| chain(&cause), |error| error.to_string());
            format!("expected 81 of x * 1 to 9 . 0 _ -, or a file: {found}")
        })?;
        let lines = marks.trim_start_matches('\u{feff}').lines();
        (lines.filter(|line| !line.starts_with('#')).collect(), Some(PathBuf::from(text)))
    };
    let cells = parse_pattern(&marks).map_err(|error| error.to_string())?;
    Ok(Pattern { cells, file })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pattern_and_no_file_is_named() {
        for (typed, found) in [
            ("no such file".to_owned(), "No such file"),
            ("-x.".repeat(26), "found 78"),
            ("x.-".repeat(27).replacen('x', "?", 1), "'?' is neither"),
        ] {
            let reason = parse(&typed).unwrap_err();
            assert!(reason.starts_with("expected 81") && reason.contains(found), "{reason}");
        }
        assert!(parse(&".".repeat(81)).unwrap_err().starts_with("0 clues"));
    }
}
