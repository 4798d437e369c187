//! The columns beside the puzzle, for whoever carries them through.

use super::fields::Fields;
use super::json;
use super::layout::{Layout, Shape};
use std::borrow::Cow;

/// Divides lines as their layout says, with memory for one.
#[derive(Default)]
pub struct Columns {
    fields: Fields,
}

impl Columns {
    /// No columns yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of a line that stands where its puzzle should; all of it if there is no such
    /// place.
    pub fn puzzle<'a>(&'a mut self, layout: &Layout, line: &'a [u8]) -> Cow<'a, [u8]> {
        match &layout.shape {
            Shape::Rows(rows) => {
                self.fields.split(line, rows.delimiter);
                self.fields.get(line, rows.puzzle).unwrap_or(line).into()
            }
            Shape::Objects { puzzle, .. } => {
                let object = json::object(line).unwrap_or_default();
                match object.get(puzzle) {
                    Some(value) => json::field(value).into_bytes().into(),
                    None => line.into(),
                }
            }
            Shape::Grids => line.into(),
        }
    }

    /// The other columns of a line, one for each of [`Layout::other_columns`], and more if it has
    /// more: what a line has not is empty.
    pub fn others<'a>(&'a mut self, layout: &Layout, line: &'a [u8]) -> Vec<Cow<'a, [u8]>> {
        let wanted = layout.other_columns();
        let mut others: Vec<Cow<[u8]>> = match &layout.shape {
            Shape::Grids => Vec::new(),
            Shape::Objects { .. } => {
                let object = json::object(line).unwrap_or_default();
                let text = |name| object.get(name).map(json::field).unwrap_or_default();
                wanted.iter().map(|name| text(name).into_bytes().into()).collect()
            }
            Shape::Rows(rows) => {
                self.fields.split(line, rows.delimiter);
                let fields = self.fields.iter(line).enumerate();
                fields
                    .filter(|(place, _)| layout.is_other(*place))
                    .map(|(_, field)| field.into())
                    .collect()
            }
        };
        others.resize(others.len().max(wanted.len()), Cow::Borrowed(b""));
        others
    }
}
