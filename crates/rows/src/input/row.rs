//! One row read: sentence 7 of the rule (`layout::rule`).
//!
//! A row holds a puzzle in its field, or is malformed. It is malformed, too, if the rest of the line may hold the puzzle or
//! another one, so that none is lost.

use super::class::{
    CELLS_OF_A_PUZZLE, FieldClass, blanks_of, clues, is_clue, is_full, is_line_of_marks, open_runs,
};
use super::fields::{Fields, Given};
use super::json;
use super::layout::shape::Layout;
use super::malformed::Malformed;
use crate::puzzle::{Cell, ParseError, Puzzle, parse};

/// An answer of which some digits were lost has at most this number of blanks (`rules.txt`, answer-with-a-blank).
const FEW_BLANKS: u8 = 5;

/// Whether the rest of a row does not matter: its puzzle is in a field that is named, and it and its answer are usual
/// (see `lost`).
#[cfg(feature = "parquet")]
pub(super) fn is_read_alone(puzzle: &[u8], answer: &[u8]) -> bool {
    let is_usual = |blanks| blanks > FEW_BLANKS && usize::from(blanks) < Cell::COUNT;
    blanks_of(puzzle).is_some_and(is_usual) && (answer.is_empty() || is_full(answer))
}

/// A record: its puzzle, and the answer given with it.
pub(super) type Read = Result<(Puzzle, Given), Malformed>;

/// Reads a row, with the answer if answers are looked at.
pub(super) fn read(fields: &mut Fields, line: &[u8], layout: &Layout, answers: bool) -> Read {
    let (record, blanks) = (&layout.record, &layout.blanks);
    if line.starts_with(b"# ") && layout.has_answers {
        return Err(Malformed::MISSING);
    }
    if layout.has_predictions {
        return match prediction(fields, line, layout, record.puzzle) {
            Given::Cells(grid) => Ok((Puzzle::Grid(grid), Given::Missing)),
            Given::Malformed(error) => Err(error),
            Given::Missing => Err(Malformed::MISSING),
        };
    }
    fields.divide(line, record.form, &layout.keys)?;
    let field = match fields.get(line, record.puzzle) {
        Some([b'[', ..]) if layout.has_objects() => return Err(Malformed::NoCells),
        None if layout.has_objects() && !layout.has_answers => return Err(Malformed::NoCells),
        None => return Err(Malformed::NoField { wanted: record.puzzle + 1, found: fields.len() }),
        Some(field) => field,
    };
    // The places of a value in Parquet are counted from its own start.
    let start = if layout.parquet.is_some() { 0 } else { fields.start(record.puzzle) };
    // The puzzle is read last: a grid that is moved waits for its bytes to be stored. What is wrong with it comes first.
    let puzzle = || parse::puzzle(field, blanks).map_err(|it| Malformed::in_field(start, it));
    if is_line_of_marks(field) {
        let error = ParseError::Byte { column: 1, found: field[0] };
        return puzzle().and(Err(Malformed::in_field(start, error)));
    }
    if let Some(lost) = lost(fields, line, field, layout, answers) {
        return puzzle().and(Err(lost));
    }
    let answer = record.solution.filter(|_| answers);
    let given = answer.map_or(Given::Missing, |it| fields.given(line, it, blanks));
    puzzle().map(|puzzle| (puzzle, given))
}

/// Reads the prediction in a field: a text, or an array in JSON.
pub(super) fn prediction(fields: &mut Fields, line: &[u8], layout: &Layout, place: usize) -> Given {
    if let Err(error) = fields.divide(line, layout.record.form, &layout.keys) {
        return Given::Malformed(error);
    }
    let Some(field) = fields.get(line, place).filter(|field| !field.is_empty()) else {
        return Given::Missing;
    };
    let start = fields.start(place);
    let is_array =
        layout.has_objects() && line.get(start) == Some(&b'[') && !line[..start].ends_with(b"\"");
    let text = if is_array { json::tokens(field) } else { layout.as_text(field) };
    let malformed = |error| Given::Malformed(Malformed::in_field(start, error));
    parse::prediction(&text).map_or_else(malformed, Given::Cells)
}

/// What would be lost if this field were read as the puzzle of its row.
fn lost(
    fields: &Fields,
    line: &[u8],
    field: &[u8],
    layout: &Layout,
    answers: bool,
) -> Option<Malformed> {
    if layout.is_told {
        return None;
    }
    // In a shorter row, fields may be shifted.
    let is_named = [fields.len(), usize::MAX].contains(&layout.named_width);
    let blanks = blanks_of(field);
    let is_full = blanks == Some(0);
    if (!is_named || is_full && layout.has_blanks) && has_other_puzzle(fields, line, field, layout)
    {
        return Some(if is_full { Malformed::Swapped } else { Malformed::Several });
    }
    let has_few_blanks = blanks.is_some_and(|blanks| (1..=FEW_BLANKS).contains(&blanks));
    if has_few_blanks && open_runs(line, &layout.blanks).any(|run| clues(run) < clues(field))
        || is_full && other_digits(fields, line, layout) >= CELLS_OF_A_PUZZLE
    {
        return Some(Malformed::Swapped);
    }
    // An answer may have blanks, but hardly fewer digits than its puzzle, and other clues.
    let answer = layout.record.solution.and_then(|place| fields.get(line, place))?;
    let is_open = !answers && FieldClass::of(answer, &layout.blanks) == FieldClass::Open;
    let is_another = is_open && (clues(answer) < clues(field) || !agree(field, answer));
    is_another.then_some(Malformed::Several)
}

/// Whether the rest of the row holds 81 cells with a blank.
fn has_other_puzzle(fields: &Fields, line: &[u8], field: &[u8], layout: &Layout) -> bool {
    let is_open = |field: &[u8]| FieldClass::of(field, &layout.blanks) == FieldClass::Open;
    // An array of cells is no run of the line.
    let is_run = field.len() == Cell::COUNT && memchr::memmem::find(line, field).is_some();
    let own = usize::from(is_run && is_open(field));
    let mut others =
        fields.iter(line).enumerate().filter(|(place, _)| *place != layout.record.puzzle);
    open_runs(line, &layout.blanks).nth(own).is_some() || others.any(|(_, field)| is_open(field))
}

/// How many digits a row has besides its puzzle, its answer, and other full grids.
fn other_digits(fields: &Fields, line: &[u8], layout: &Layout) -> usize {
    let mut digits = 0;
    for run in line.split(|byte| !byte.is_ascii_digit()) {
        digits += if is_full(run) { 0 } else { run.len() };
    }
    for place in [Some(layout.record.puzzle), layout.record.solution].into_iter().flatten() {
        let field = fields.get(line, place).unwrap_or_default();
        // The cells of an array are single digits.
        if is_full(field) && memchr::memmem::find(line, field).is_none() {
            digits -= Cell::COUNT;
        }
    }
    digits
}

/// Whether two grids have the same clues where both have one.
fn agree(one: &[u8], other: &[u8]) -> bool {
    let is_same = |(clue, cell): (&u8, &u8)| clue == cell || !is_clue(*clue) || !is_clue(*cell);
    one.len() != other.len() || one.iter().zip(other).all(is_same)
}
