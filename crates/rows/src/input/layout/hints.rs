//! What the caller knows of an input beforehand.

use crate::input::delimiter::Delimiter;
use crate::puzzle::parse::Blanks;
use std::borrow::Cow;

/// A column that the caller names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnRef {
    /// By its place, counted from 0.
    Place(usize),
    /// By its name in the header, without regard to case; or by its key.
    Name(String),
}

impl ColumnRef {
    /// What it is called among the keys of an object, which have no places: a number is a name, too.
    pub(in crate::input) fn key(&self) -> Cow<'_, str> {
        match self {
            Self::Place(place) => (place + 1).to_string().into(),
            Self::Name(name) => name.into(),
        }
    }
}

/// What the caller knows about an input. By default all of it is found out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is known or not by itself")]
pub struct Hints {
    /// The column of the puzzles.
    pub puzzle: Option<ColumnRef>,
    /// The column of the solutions given with them.
    pub solution: Option<ColumnRef>,
    /// The column of the predictions.
    pub prediction: Option<ColumnRef>,
    /// The delimiter of the fields.
    pub delimiter: Option<Delimiter>,
    /// The first line is no header, unless it has a known name.
    pub no_header: bool,
    /// The characters of a blank.
    pub blanks: Blanks,
    /// `-` is a blank in grids, too, where it is a mark otherwise.
    pub has_dashes: bool,
    /// Grids are in text. A file may say so by its ending, too.
    pub grids: bool,
    /// The file is read beside the inputs, whose options are not about it: it may have lines or grids in text.
    pub is_beside: bool,
    /// Full grids are looked for first: a field of answers may hold them.
    pub full_grids: bool,
    /// One of the fields has predictions, which may be any text.
    pub predictions: bool,
}
