//! A first row with a slip, which does not say what the rows are.
//!
//! ```text
//! 53..7…7,5346…179       80 cells and a full grid: which is the puzzle?
//! 53..7…79,5346…17.      a puzzle and what may be its solution: is it?
//! n/a,5346…179           a full grid behind something else: is the puzzle missing?
//! 53..7…79,5346…179      a puzzle and a full grid: no doubt, and this says it of all rows
//! ```
//!
//! If no row of the head is without doubt, the first has the word: what comes before a full grid is
//! its puzzle, with a slip.

use super::detect::is_puzzle;
use super::fields::Fields;
use super::header::Header;
use super::layout::Rows;
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;

/// What is read if nothing better is found.
pub(super) struct Doubt {
    pub(super) rows: Rows,
    /// What stood before it.
    pub(super) header: Option<Header>,
}

/// What a row with a slip may be, if it looks like one; `rows` is what it is if it has none.
pub(super) fn doubt(line: &[u8], rows: Rows, fields: &mut Fields, blanks: &Blanks) -> Option<Rows> {
    fields.split(line, rows.delimiter);
    let field = |place: usize| fields.get(line, place).unwrap_or_default();
    let full = is_full(field(rows.puzzle));
    let mut alike = (0..fields.len())
        .filter(|&place| is_puzzle(field(place), blanks) || resembles_puzzle(field(place), blanks));
    let (first, second) = (alike.next(), alike.next());
    let missing = full && rows.puzzle > 0;
    if rows.solution.is_some() || second.is_none() && !missing {
        return None;
    }
    let mended = first.filter(|&first| full && first < rows.puzzle);
    Some(mended.map_or(rows, |puzzle| Rows { puzzle, solution: Some(rows.puzzle), ..rows }))
}

/// Whether a field is a grid without a blank.
pub(super) fn is_full(field: &[u8]) -> bool {
    field.len() == Cell::COUNT && field.iter().all(|byte| matches!(byte, b'1'..=b'9'))
}

/// Whether a field was a puzzle before somebody's slip: it has about as many bytes as a grid or a
/// sukaku, and nine of ten are cells.
pub(super) fn resembles_puzzle(field: &[u8], blanks: &Blanks) -> bool {
    let cells = field.iter().filter(|&&byte| blanks.is_cell(byte)).count();
    let fits = (60..=100).contains(&field.len()) || is_long_as_sukaku(field);
    fits && 10 * cells >= 9 * field.len()
}

/// Whether a field has about the 729 bytes of a sukaku.
pub(super) fn is_long_as_sukaku(field: &[u8]) -> bool {
    (600..=900).contains(&field.len())
}

#[cfg(test)]
mod tests {
    use crate::input::{Hints, Source};

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn said(text: &str) -> String {
        let mut source = Source::from_bytes("x", text.as_bytes().to_vec());
        source.find_layout(&Hints::default()).unwrap();
        source.understood().unwrap().to_string()
    }

    #[test]
    fn a_row_without_doubt_says_what_all_are() {
        let (short, other) = (&PUZZLE[1..], PUZZLE.replacen('.', "x", 1));
        let partial = SOLVED.replacen('5', ".", 1);
        for first in [
            format!("{short},{SOLVED}"),
            format!("{other},{SOLVED}"),
            format!("{PUZZLE}.,{SOLVED}"),
            format!(",{SOLVED}"),
            format!("n/a,{SOLVED}"),
            format!("53..7,{SOLVED}"),
            format!("{},{SOLVED}", ".".repeat(728)),
            format!("{PUZZLE},{partial}"),
            format!("{PUZZLE},{}", &SOLVED[1..]),
            format!("a,b\n{PUZZLE},{partial}"),
        ] {
            let text = format!("{first}\n{PUZZLE}\n{PUZZLE},{SOLVED}\n");
            let names = if first.starts_with('a') { ["\"a\"", "\"b\""] } else { ["1", "2"] };
            let [puzzle, solution] = names;
            let expected = format!("reading column {puzzle} of x, solutions in column {solution}");
            assert_eq!(said(&text), expected, "{first}");
        }
        let text = format!("1,n/a,{SOLVED}\n2,{PUZZLE},{SOLVED}\n");
        assert_eq!(said(&text), "reading column 2 of x, solutions in column 3");
        let text = format!("{short} {SOLVED} 9.3\n{PUZZLE} {SOLVED} 1.2\n");
        assert_eq!(said(&text), "reading column 1 of x, solutions in column 2");
    }

    #[test]
    fn if_all_are_in_doubt_the_first_has_the_word() {
        let mended = "reading column 1 of x, solutions in column 2";
        let cases = [
            (format!("{},{SOLVED}", &PUZZLE[1..]), mended),
            (format!("{PUZZLE},{PUZZLE}"), "reading column 1 of x"),
            (format!("{},{SOLVED}", ".".repeat(728)), mended),
            (".".repeat(728), "reading lines of x"),
            (format!(",{SOLVED}"), "reading column 2 of x"),
            (format!("7,{SOLVED}"), "reading column 2 of x"),
        ];
        for (row, expected) in cases {
            assert_eq!(said(&format!("{row}\n{row}\n")), expected, "{row}");
        }
    }
}
