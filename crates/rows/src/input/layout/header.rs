//! The line that names the fields of a table.

use super::evidence::Evidence;
use super::shape::{Column, Hints};
use crate::input::fields::{Delimiter, Fields, PUZZLE_NAMES, SOLUTION_NAMES, is_puzzle};
use crate::puzzle::parse::Blanks;

/// A line that names fields.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// Its place among the lines of the head.
    pub(super) place: usize,
    pub(super) line: Vec<u8>,
    /// The rule directly below it.
    pub(super) rule: Option<Vec<u8>>,
    pub(super) names: Vec<String>,
    pub(super) delimiter: Delimiter,
}

impl Header {
    /// The header that a line is, if it names the field of the puzzles.
    ///
    /// The delimiter of the names is not known: it is the one that makes the most of them. Spaces count
    /// only if no other makes two, because they may be around every name.
    pub(super) fn by_name(
        place: usize,
        line: &[u8],
        hints: &Hints,
        fields: &mut Fields,
    ) -> Option<Self> {
        // A binary file may have names in it.
        if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
            return None;
        }
        let mut best: Option<Self> = None;
        for &delimiter in delimiters(hints) {
            fields.split(line, delimiter);
            let names: Vec<_> = fields.iter(line).map(name_of).collect();
            let has_puzzle = fields.iter(line).any(|field| is_puzzle(field, &hints.blanks));
            let known = match &hints.puzzle {
                Some(Column::Name(wanted)) => position(&names, &[wanted]),
                _ => position(&names, &PUZZLE_NAMES),
            };
            let known = known.or_else(|| match &hints.solution {
                Some(Column::Name(wanted)) => position(&names, &[wanted]),
                _ => None,
            });
            let is_better = best.as_ref().is_none_or(|best| {
                let enough = delimiter == Delimiter::Spaces && best.names.len() > 1;
                names.len() > best.names.len() && !enough
            });
            if known.is_some() && !has_puzzle && is_better {
                best = Some(Self { place, line: line.to_vec(), rule: None, names, delimiter });
            }
        }
        best
    }

    /// The header that a line is if its names say nothing, but look like names: as many as the rows
    /// have fields, no number among them, and neither nothing nor cells for a field that has grids.
    pub(super) fn by_looks(
        place: usize,
        line: &[u8],
        delimiter: Delimiter,
        evidence: &Evidence,
        blanks: &Blanks,
        fields: &mut Fields,
    ) -> Option<Self> {
        fields.split(line, delimiter);
        let has_cells = |place| fields.get(line, place).is_some_and(|it| is_of_cells(it, blanks));
        let grids = evidence.fields.iter().enumerate();
        let mut grids = grids.filter(|(_, tally)| tally.open() + tally.full > 0);
        let is_row = grids.any(|(place, _)| has_cells(place));
        let is_other = fields.len() != evidence.usual_width();
        let is_no_name = |field| is_number(field) || has_part_of_brackets(field);
        if is_row || is_other || fields.iter(line).any(is_no_name) {
            return None;
        }
        let names: Vec<_> = fields.iter(line).map(name_of).collect();
        // A word above a list is a title, unless it says what the list is.
        if names.len() == 1 && position(&names, &SOLUTION_NAMES).is_none() {
            return None;
        }
        Some(Self { place, line: line.to_vec(), rule: None, names, delimiter })
    }

    /// The delimiter of the rows below it.
    pub(super) fn row_delimiter(&self, hints: &Hints) -> Delimiter {
        let one = self.names.len() == 1 && hints.delimiter.is_none();
        if one { Delimiter::Any } else { self.delimiter }
    }
}

/// Whether a line below a header is a rule: dashes, and what may stand where they cross. A line of
/// 81 dashes is a puzzle.
pub(super) fn is_rule(line: &[u8], blanks: &Blanks) -> bool {
    let drawn = line.iter().all(|byte| b"-+|:= \t".contains(byte));
    let has_dashes = line.windows(3).any(|three| three == b"---" || three == b"===");
    drawn && has_dashes && !is_puzzle(line.trim_ascii(), blanks)
}

/// The delimiter that a line `sep=;` names: the mark of a spreadsheet, and no record.
pub(super) fn separator(line: &[u8]) -> Option<u8> {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\"")).unwrap_or(line);
    match line.get(..4) {
        Some(word) if word.eq_ignore_ascii_case(b"sep=") && line.len() == 5 => Some(line[4]),
        _ => None,
    }
}

/// The delimiters to be tried.
fn delimiters(hints: &Hints) -> &[Delimiter] {
    match &hints.delimiter {
        Some(delimiter) => std::slice::from_ref(delimiter),
        None => &Delimiter::GUESSES,
    }
}

/// Where the first of those wanted is among the names, without regard to case: where there is a
/// `solution`, `solutions` may be how many.
pub(super) fn position<S: AsRef<str>>(names: &[String], wanted: &[S]) -> Option<usize> {
    wanted
        .iter()
        .find_map(|wanted| names.iter().position(|name| name.eq_ignore_ascii_case(wanted.as_ref())))
}

/// Whether a field has cells alone, or nothing.
fn is_of_cells(field: &[u8], blanks: &Blanks) -> bool {
    field.iter().all(|&byte| blanks.is_cell(byte))
}

/// Whether a field is a number, or a date: digits and what may stand between them.
fn is_number(field: &[u8]) -> bool {
    let of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.,:/".contains(byte);
    field.iter().any(u8::is_ascii_digit) && field.iter().all(of_number)
}

/// Whether a bracket opens in a field and closes in another: `(no puzzle)`, divided by spaces, is text.
fn has_part_of_brackets(field: &[u8]) -> bool {
    let count = |byte: u8| memchr::memchr_iter(byte, field).count();
    count(b'(') != count(b')') || count(b'[') != count(b']')
}

/// The name that a field of a header is.
fn name_of(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}
