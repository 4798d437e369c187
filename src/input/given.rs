//! The solution given with a puzzle, out of a field.

use super::Malformed;
use super::doubt::is_full;
use super::fields::{Delimiter, Fields};
use super::found::Given;
use super::layout::Rows;
use crate::puzzle::Cell;
use crate::puzzle::parse::{self, Blanks};

/// The solution in a field that begins after so many bytes of the line.
pub(crate) fn given_in(field: &[u8], blanks: &Blanks, start: impl FnOnce() -> usize) -> Given {
    if field.is_empty() {
        return Given::Missing;
    }
    match parse::cells(field, blanks) {
        Ok(grid) => Given::Cells(grid),
        Err(error) => Given::Malformed(Malformed::in_field(start(), error)),
    }
}

/// The solution in a row that has been divided: what stands in its column, or where there is none
/// a full grid right behind a puzzle that comes first.
pub(super) fn given_in_row(line: &[u8], fields: &Fields, rows: &Rows, blanks: &Blanks) -> Given {
    let beside = || rows.is_plain().then_some(1);
    let Some(place) = rows.solution.or_else(beside) else { return Given::Missing };
    let field = fields.get(line, place).unwrap_or_default();
    if rows.solution.is_none() && !is_full(field) {
        return Given::Missing;
    }
    given_in(field, blanks, || fields.start(place))
}

/// The solution that stands in the next field, if that needs no second look.
#[inline]
pub(super) fn given_after(line: &[u8], after: usize, delimiter: Delimiter) -> Option<Given> {
    let field = line.get(after + 1..)?;
    let grid = parse::cells_to_grid(field.first_chunk()?)?;
    let ends = field.get(Cell::COUNT).is_none_or(|&byte| delimiter.divides(byte));
    ends.then_some(Given::Cells(grid))
}
