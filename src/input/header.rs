//! A line that names columns, and the rule that some programs draw below it.
//!
//! ```text
//!  id | puzzle          | id | puzzle |          id, Puzzle
//! ----+--------         |----|--------|          1, 53..7…79
//!   1 | 53..7…79        | 1  | 53..7…79 |
//! ```
//!
//! What divides the names is not known: whatever makes the most of them, but spaces only if nothing
//! else makes two, for they may stand around every name.

use super::detect::is_puzzle;
use super::fields::{Delimiter, Fields};
use super::layout::{Column, Hints, PUZZLE_NAMES, Rows, SOLUTION_NAMES};
use super::lines::is_count;
use super::no_puzzle::Wanted;
use crate::puzzle::parse::Blanks;

/// A line that names columns.
pub(super) struct Header {
    pub(super) line: Vec<u8>,
    /// The rule directly below it.
    pub(super) rule: Option<Vec<u8>>,
    pub(super) names: Vec<String>,
    pub(super) delimiter: Delimiter,
}

impl Header {
    /// The header that a line is, if it names the column of the puzzles.
    pub(super) fn of(line: &[u8], hints: &Hints, fields: &mut Fields) -> Option<Self> {
        let mut best: Option<Self> = None;
        for &delimiter in delimiters(hints) {
            fields.split(line, delimiter);
            let names: Vec<_> = fields.iter(line).map(name_of).collect();
            let has_puzzle = fields.iter(line).any(|field| is_puzzle(field, &hints.blanks));
            let place = match &hints.puzzle {
                Some(Column::Name(wanted)) => position(&names, &[wanted]),
                _ => position(&names, &PUZZLE_NAMES),
            };
            if has_puzzle || place.is_none() {
                continue;
            }
            let is_better = best.as_ref().is_none_or(|best| {
                let enough = delimiter == Delimiter::Spaces && best.names.len() > 1;
                names.len() > best.names.len() && !enough
            });
            if is_better {
                best = Some(Self { line: line.to_vec(), rule: None, names, delimiter });
            }
        }
        best
    }

    /// The header that a line is if its names say nothing, but look like names: as many as these rows
    /// have fields, no number among them, and for puzzle and solution neither nothing nor cells.
    pub(super) fn without_meaning(
        line: Vec<u8>,
        rows: Rows,
        blanks: &Blanks,
        fields: &mut Fields,
    ) -> Option<Self> {
        fields.split(&line, rows.delimiter);
        let has_cells = |place| fields.get(&line, place).is_some_and(|it| is_of_cells(it, blanks));
        let is_row = has_cells(rows.puzzle) || rows.solution.is_some_and(has_cells);
        if is_row || fields.len() != rows.fields || fields.iter(&line).any(is_number) {
            return None;
        }
        let names = fields.iter(&line).map(name_of).collect();
        Some(Self { line, rule: None, names, delimiter: rows.delimiter })
    }

    /// Where puzzle and solution stand, or the name that it has not.
    pub(super) fn rows(&self, hints: &Hints) -> Result<Rows, Wanted> {
        let Self { names, delimiter, .. } = self;
        let named = |wanted: &String| position(names, &[wanted]);
        let puzzle = match &hints.puzzle {
            Some(Column::Place(place)) if *place >= names.len() => {
                return Err(Wanted::Place(*place));
            }
            Some(Column::Place(place)) => *place,
            Some(Column::Name(wanted)) => named(wanted).ok_or(Wanted::Name(wanted.clone()))?,
            None => position(names, &PUZZLE_NAMES).unwrap_or_default(),
        };
        let solution = match &hints.solution {
            Some(Column::Place(place)) if *place >= names.len() => {
                return Err(Wanted::SolutionPlace(*place));
            }
            Some(Column::Place(place)) => Some(*place),
            Some(Column::Name(wanted)) => {
                Some(named(wanted).ok_or(Wanted::SolutionName(wanted.clone()))?)
            }
            None => position(names, &SOLUTION_NAMES),
        };
        let one = names.len() == 1 && hints.delimiter.is_none();
        let delimiter = if one { Delimiter::Any } else { *delimiter };
        Ok(Rows { delimiter, puzzle, solution, fields: names.len() })
    }

    /// Where the solution stands that a row gives, if nobody says where. Numbers in a column of
    /// `solutions` are how many there are.
    pub(super) fn solution(&self, row: &[u8], fields: &Fields) -> Option<usize> {
        let has_count = |place| fields.get(row, place).is_some_and(is_count);
        SOLUTION_NAMES.iter().find_map(|name| {
            let place = position(&self.names, &[name])?;
            (!name.ends_with('s') || !has_count(place)).then_some(place)
        })
    }
}

/// Whether a line below a header is a rule: dashes, and what may stand where they cross. A line of
/// 81 dashes is a puzzle.
pub(super) fn is_rule(line: &[u8], blanks: &Blanks) -> bool {
    let drawn = line.iter().all(|byte| b"-+|:= \t".contains(byte));
    let has_dashes = line.windows(3).any(|three| three == b"---" || three == b"===");
    drawn && has_dashes && !is_puzzle(line.trim_ascii(), blanks)
}

/// What may divide the fields.
fn delimiters(hints: &Hints) -> &[Delimiter] {
    match &hints.delimiter {
        Some(delimiter) => std::slice::from_ref(delimiter),
        None => &Delimiter::GUESSES,
    }
}

/// Where the first of those wanted stands that is among the names, without regard to case: where
/// there is a `solution`, `solutions` may be how many.
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

/// The name that a field of a header is.
fn name_of(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}
