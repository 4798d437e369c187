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
                    Some(value) => json::field(value).into_owned().into_bytes().into(),
                    None => line.into(),
                }
            }
            Shape::Grids => line.into(),
        }
    }

    /// The other columns of a line, one for each of [`Layout::other_columns`]: what a line has not
    /// is empty, and the last has all that the line has from there on.
    pub fn others<'a>(&'a mut self, layout: &Layout, line: &'a [u8]) -> Vec<Cow<'a, [u8]>> {
        match &layout.shape {
            Shape::Grids => Vec::new(),
            Shape::Objects { .. } => {
                let object = json::object(line).unwrap_or_default();
                let text = |name: &String| object.get(name).map(json::field).unwrap_or_default();
                let wanted = layout.other_columns();
                wanted.iter().map(|name| text(name).into_owned().into_bytes().into()).collect()
            }
            Shape::Rows(rows) => {
                self.fields.split(line, rows.delimiter);
                let (fields, columns) = (&self.fields, layout.columns());
                let goes_on = |place| place + 1 == columns && fields.len() > columns;
                let field = |place: usize| match fields.get(line, place) {
                    Some(_) if goes_on(place) => line[fields.start(place)..].trim_ascii_end(),
                    field => field.unwrap_or_default(),
                };
                let others = (0..columns).filter(|&place| layout.is_other(place));
                others.map(|place| field(place).into()).collect()
            }
        }
    }

    /// The other members of an object, its values as they are written: all that it has, whatever
    /// the first object had. `None` for what is not laid out in objects.
    #[must_use]
    pub fn members(layout: &Layout, line: &[u8]) -> Option<Vec<(String, String)>> {
        let Shape::Objects { puzzle, .. } = &layout.shape else { return None };
        let object = json::object(line).unwrap_or_default();
        let others = object.members().into_iter().filter(|(key, _)| key != puzzle);
        Some(others.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }
}
