//! The solution given with a puzzle.

use super::delimiter::Delimiter;
use super::fields::Fields;
use super::malformed::Malformed;
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::{Cell, Grid};

/// The solution given with a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// There is none.
    Missing,
    /// These cells; whether they are right is another question.
    Cells(Grid),
    /// It is no grid.
    Malformed(Malformed),
}

/// The solution in this field.
pub(super) fn given_at(fields: &Fields, place: usize, line: &[u8], blanks: &Blanks) -> Given {
    match fields.get(line, place) {
        None | Some([]) => Given::Missing,
        Some(field) => match parse::cells(field, blanks) {
            Ok(grid) => Given::Cells(grid),
            Err(error) => Given::Malformed(Malformed::in_field(fields.start(place), error)),
        },
    }
}

/// The solution that stands in the next field, if that needs no second look.
#[inline]
pub(super) fn given_after(line: &[u8], after: usize, delimiter: Delimiter) -> Option<Given> {
    let field = line.get(after + 1..)?;
    let grid = parse::cells_to_grid(field.first_chunk()?)?;
    let ends = field.get(Cell::COUNT).is_none_or(|&byte| delimiter.divides(byte));
    ends.then_some(Given::Cells(grid))
}
