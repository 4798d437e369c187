//! The values of a record besides its puzzle: its other columns, or the members of its object.

use super::delimiter::Delimiter;
use super::fields::{Fields, Given, RecordForm};
use super::json;
use super::layout::shape::Layout;
use super::row;
use std::borrow::Cow;

/// The value of a column in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Own<'a> {
    /// The record has no such column.
    Missing,
    /// It has no value: it is empty, or null.
    Null,
    /// This text.
    Text(Cow<'a, [u8]>),
}

impl<'a> Own<'a> {
    fn of(text: Cow<'a, [u8]>) -> Self {
        if text.is_empty() { Self::Null } else { Self::Text(text) }
    }
}

/// Divides lines as their layout says, with memory for one.
#[derive(Default)]
pub struct Columns {
    fields: Fields,
}

impl Columns {
    /// The text of a line that stands where its puzzle should; all of it if there is no such
    /// place.
    pub fn puzzle<'a>(&'a mut self, layout: &Layout, line: &'a [u8]) -> Cow<'a, [u8]> {
        let form = layout.record.form;
        let whole = matches!(form, RecordForm::Grid | RecordForm::Hodoku | RecordForm::Spaced);
        if whole || self.fields.divide(line, form, &layout.keys).is_err() {
            return line.into();
        }
        self.fields.get(line, layout.record.puzzle).unwrap_or(line).into()
    }

    /// The prediction beside the puzzle of a line, if there is a field of predictions.
    pub fn prediction(&mut self, layout: &Layout, line: &[u8]) -> Option<Given> {
        layout.prediction.map(|place| row::prediction(&mut self.fields, line, layout, place))
    }

    /// The values of the columns of these names in a line.
    pub fn own<'a>(
        &'a mut self,
        layout: &Layout,
        line: &'a [u8],
        names: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Own<'a>> {
        let object = match layout.record.form {
            RecordForm::Json => json::object(line).unwrap_or_default(),
            RecordForm::Row(delimiter) => {
                self.split(line, delimiter);
                json::Object::default()
            }
            _ => json::Object::default(),
        };
        let mut values = Vec::new();
        for name in names {
            let place = || layout.place_of(name).filter(|_| !layout.has_objects());
            let field = |place| match layout.parquet {
                Some(_) => Some(self.fields.value(line, place, true).unwrap_or_default()),
                None => self.fields.get(line, place),
            };
            let value = object.get(name).map(json::field);
            let value = value.or_else(|| Some(layout.as_text(place().and_then(field)?)));
            values.push(value.map_or(Own::Missing, Own::of));
        }
        values
    }

    /// Divides a row. Of a quotation mark that does not close, the rest of the line is the field.
    fn split(&mut self, line: &[u8], delimiter: Delimiter) {
        let _ = self.fields.split(line, delimiter);
    }

    /// The other columns of a line, one for each of [`Layout::other_columns`]: none for what a line has
    /// not, and the last has all that the line has from there on.
    pub fn others<'a>(&'a mut self, layout: &Layout, line: &'a [u8]) -> Vec<Option<Cow<'a, [u8]>>> {
        if layout.has_objects() {
            let object = json::object(line).unwrap_or_default();
            let value =
                |name: &String| object.get(name).filter(|value| *value != "null").map(json::field);
            return layout.other_columns().iter().map(value).collect();
        }
        let RecordForm::Row(delimiter) = layout.record.form else { return Vec::new() };
        self.split(line, delimiter);
        // Bars are drawn with spaces around them.
        let keeps_spaces = matches!(delimiter, Delimiter::Byte(byte) if byte != b'|');
        let (fields, columns) = (&self.fields, layout.columns());
        let mut values = Vec::new();
        for place in (0..columns).filter(|&place| layout.is_other(place)) {
            // The last one has the rest of the line.
            let value = if place + 1 == columns && fields.len() > columns {
                Some(line[fields.start(place)..].trim_ascii_end())
            } else {
                fields.value(line, place, keeps_spaces)
            };
            values.push(value.map(|it| layout.as_text(it)));
        }
        values
    }

    /// The values of all columns of a row of a Parquet file.
    pub fn of_parquet<'a>(
        &'a mut self,
        layout: &Layout,
        line: &'a [u8],
    ) -> Vec<Option<Cow<'a, [u8]>>> {
        self.split(line, Delimiter::Byte(b','));
        let value = |place| self.fields.value(line, place, true).map(|it| layout.as_text(it));
        (0..self.fields.len()).map(value).collect()
    }

    /// The other members of an object, its values as they are written: all that it has, whatever
    /// the first object had. `None` for what is not laid out in objects.
    pub fn members(layout: &Layout, line: &[u8]) -> Option<Vec<(String, String)>> {
        if !layout.has_objects() {
            return None;
        }
        let object = json::object(line).unwrap_or_default();
        let others = object.members().into_iter().filter(|(key, _)| !layout.is_replaced(key));
        Some(others.map(|(key, value)| (key.to_string(), value.to_owned())).collect())
    }
}
