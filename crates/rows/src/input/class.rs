//! What a value is, by its bytes alone: the first sentence of the rule.

use crate::puzzle::Cell;
use crate::puzzle::parse::{self, Blanks};
use std::iter;
use std::ops::RangeInclusive;

/// Bytes of a value that may have been 81 cells before some were lost or added (`rules.txt`, hash-rows-one-damaged).
const DAMAGED_BYTES: RangeInclusive<usize> = 60..=100;

/// A damaged value has at least this number of cells among 10 bytes (`rules.txt`, hash-rows-one-damaged).
const DAMAGED_CELLS_OF_10: usize = 9;

/// A puzzle with one solution has at least 17 clues. A line above the rows has fewer cells (`tables.txt`, insert-into), and so
/// has the rest of a row with a full grid, or it may be a puzzle that is written otherwise (`objects.txt`, boards beside their
/// solutions).
pub(super) const CELLS_OF_A_PUZZLE: usize = 17;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldClass {
    /// 81 cells, some of them blank; or the 729 pencilmarks of a sukaku.
    Open,
    /// 81 digits.
    Full,
    /// Nearly 81 cells.
    Damaged,
    /// 81 values that are not all cells, as in a list with -1 for blanks.
    Values,
    /// A number of at most 20 digits.
    Number,
    /// Nothing.
    Empty,
    /// Anything else.
    Other,
}

impl FieldClass {
    /// The class of a value.
    pub(super) fn of(field: &[u8], blanks: &Blanks) -> Self {
        let cells = || field.iter().filter(|&&byte| blanks.is_cell(byte)).count();
        match field.len() {
            Cell::COUNT if is_full(field) => Self::Full,
            Cell::COUNT if is_line_of_marks(field) => Self::Other,
            Cell::COUNT if cells() == Cell::COUNT => Self::Open,
            parse::PENCILMARKS if parse::sukaku(field).is_ok() => Self::Open,
            _ if is_list_of_values(field) => Self::Values,
            length if DAMAGED_BYTES.contains(&length) && !is_line_of_marks(field) => {
                let is_damaged = 10 * cells() >= DAMAGED_CELLS_OF_10 * length;
                if is_damaged { Self::Damaged } else { Self::Other }
            }
            0 => Self::Empty,
            _ if is_count(field) => Self::Number,
            _ => Self::Other,
        }
    }

    /// Whether it is 81 cells or a sukaku.
    pub(super) const fn is_grid(self) -> bool {
        matches!(self, Self::Open | Self::Full)
    }
}

/// Whether a text is a list of 81 values, or 81 digits with a sign before some. (A list of cells is read as cells, if it is
/// JSON.)
fn is_list_of_values(field: &[u8]) -> bool {
    let (mut values, mut signs) = (0, 0);
    for value in field.split(|byte| b"[], ;".contains(byte)).filter(|value| !value.is_empty()) {
        values += 1;
        signs += memchr::memchr_iter(b'-', value).count();
    }
    let is_list = values == Cell::COUNT && field.len() > 2 * Cell::COUNT - 2;
    is_list || values == 1 && signs > 0 && field.len() == Cell::COUNT + signs
}

/// Whether a value is one mark again and again, as a line that is drawn: `----`. Blank puzzles have `.` or `0`.
pub(super) fn is_line_of_marks(field: &[u8]) -> bool {
    let Some(&first) = field.first() else { return false };
    !matches!(first, b'.' | b'0'..=b'9') && field.iter().all(|&byte| byte == first)
}

/// Whether a line is drawn, as below the header of a table: it has no value. A line of 81 dashes is not drawn.
pub(super) fn is_drawn(line: &[u8]) -> bool {
    line.iter().all(|byte| b"-|+:= \t".contains(byte))
        && line.windows(2).any(|two| two == b"--" || two == b"==")
        && line.trim_ascii().len() != Cell::COUNT
}

/// How many of 81 cells are no digits: a loop without early exit, for vectors. None if there are not 81.
pub(super) fn blanks_of(field: &[u8]) -> Option<u8> {
    let cells = <&[u8; Cell::COUNT]>::try_from(field).ok()?;
    Some(cells.iter().map(|byte| u8::from(!is_clue(*byte))).sum())
}

/// Whether a field is a grid without a blank.
pub(super) fn is_full(field: &[u8]) -> bool {
    blanks_of(field) == Some(0)
}

/// Whether a byte is a digit from 1 to 9.
pub(super) const fn is_clue(byte: u8) -> bool {
    matches!(byte, b'1'..=b'9')
}

/// How many of these bytes are digits from 1 to 9.
pub(super) fn clues(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| is_clue(byte)).count()
}

/// Whether a line is a number and nothing else, too short for a puzzle.
pub(super) fn is_count(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    (1..=20).contains(&line.len()) && line.iter().all(u8::is_ascii_digit)
}

/// The runs of exactly 81 cells with a blank in a text.
///
/// A run of 81 bytes covers one of each 81 places, so most bytes are not looked at.
pub(super) fn open_runs<'a>(text: &'a [u8], blanks: &Blanks) -> impl Iterator<Item = &'a [u8]> {
    let is_other = |byte: &u8| !blanks.is_cell(*byte);
    let mut at = Cell::COUNT - 1;
    iter::from_fn(move || {
        while at < text.len() {
            let start = text[..=at].iter().rposition(is_other).map_or(0, |before| before + 1);
            let end = text[at..].iter().position(is_other).map_or(text.len(), |more| at + more);
            at = end + Cell::COUNT;
            let run = &text[start.min(end)..end];
            if run.len() == Cell::COUNT && FieldClass::of(run, blanks) == FieldClass::Open {
                return Some(run);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_by_its_bytes() {
        use FieldClass::{Damaged, Empty, Full, Number, Open, Other};
        let easy =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let cases = [
            (easy.to_owned(), Open),
            (easy.replace('.', "-"), Open),
            (".".repeat(81), Open),
            ("-".repeat(81), Other),
            ("*".repeat(70), Other),
            (easy.replace('.', "1"), Full),
            ("123456789".repeat(81), Open),
            (easy[1..].to_owned(), Damaged),
            (easy.replace('5', "x"), Damaged),
            (easy.replace('.', "x"), Other),
            ("17".to_owned(), Number),
            (String::new(), Empty),
            ("1.5".to_owned(), Other),
        ];
        for (text, class) in cases {
            assert_eq!(FieldClass::of(text.as_bytes(), &Blanks::usual()), class, "{text}");
        }
    }

    #[test]
    fn a_run_has_81_cells_and_no_more() {
        let (open, blanks) = ("1.".repeat(40) + ".", Blanks::usual());
        for before in 0..170 {
            for (text, found) in [
                (format!("{}{open}", "x".repeat(before)), 1),
                (format!("{}{open}x{open}", "x".repeat(before)), 2),
                (format!("{}{open}.x", "x".repeat(before)), 0),
                (format!("{}{}x", "x".repeat(before), &open[1..]), 0),
            ] {
                assert_eq!(open_runs(text.as_bytes(), &blanks).count(), found, "{text}");
            }
        }
    }
}
