//! The parts of a record that do not depend on the command: which line it is about, the columns of the
//! input that are carried through, the text of a malformed puzzle, and the rejects.

use crate::input::{Chunk, Columns, MAX_LINE_BYTES};
use crate::output::{Format, Records, Style, Subject};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Where records come from.
#[derive(Clone, Copy)]
pub struct From<'a> {
    /// The chunk.
    pub chunk: &'a Chunk<'a>,
    /// The input's name, if records say it.
    pub input: Option<&'a str>,
}

/// The place of a puzzle.
pub struct At<'a> {
    /// Where it comes from.
    pub from: From<'a>,
    /// The line, counted from 1 at the start of the chunk.
    pub line: u64,
    /// Its bytes in the chunk, if they are needed.
    pub place: Option<Range<usize>>,
}

impl<'a> At<'a> {
    fn bytes(&self) -> &'a [u8] {
        self.place.clone().map_or(&[], |place| &self.from.chunk.bytes()[place])
    }
}

/// Writes records with the input's other columns, and rejects.
pub struct RecordWriter {
    /// How records are written.
    pub style: Style,
    /// Whether the lines that were not answered are kept.
    rejects: bool,
    columns: Columns,
    /// For the text of a malformed puzzle.
    text: Vec<u8>,
}

impl RecordWriter {
    /// A writer of this style, which keeps rejects if they are wanted.
    pub fn new(style: &Style, rejects: bool) -> Self {
        Self { style: style.clone(), rejects, columns: Columns::new(), text: Vec::new() }
    }

    /// Calls `write` with the subject of a record, which is about this puzzle.
    pub fn about(&mut self, at: &At, puzzle: &[u8], write: impl FnOnce(&Style, &Subject<'_>)) {
        let others = Others::of(&mut self.columns, &self.style, at);
        write(&self.style, &others.subject(at, puzzle));
    }

    /// Calls `write` with the text of a line that is not a puzzle: of a row, its field.
    pub fn with_malformed_text(&mut self, at: &At, write: impl FnOnce(&mut Self, &[u8])) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        text.extend_from_slice(&self.columns.puzzle(at.from.chunk.layout(), at.bytes()));
        write(self, &text);
        self.text = text;
    }

    /// Keeps a line that was not answered, and why.
    pub fn reject(&self, at: &At, reason: &dyn fmt::Display, rejects: &mut Records) {
        if !self.rejects {
            return;
        }
        let (line, none) = (at.bytes(), Others::default());
        rejects.push_comment(&none.subject(at, line), reason);
        if at.place.as_ref().is_some_and(|place| at.from.chunk.is_cut(place)) {
            let cut = format_args!("of this line only the first {MAX_LINE_BYTES} bytes are kept");
            rejects.push_comment(&none.subject(at, line), &cut);
        }
        rejects.push_raw(&at.from.chunk.layout().as_text(line));
        if at.from.chunk.layout().has_grids() {
            // A grid with too few rows would take those of the next one.
            rejects.push_raw(b"");
        }
    }
}

/// The input's other columns, if they are wanted: of an object that becomes one, as they are written.
#[derive(Default)]
struct Others<'a> {
    fields: Vec<Cow<'a, [u8]>>,
    members: Vec<(String, String)>,
}

impl<'a> Others<'a> {
    fn of(columns: &'a mut Columns, style: &Style, at: &At<'a>) -> Self {
        if style.other_columns.is_none() {
            return Self::default();
        }
        let (layout, line) = (at.from.chunk.layout(), at.bytes());
        if style.format == Format::Jsonl
            && let Some(members) = Columns::members(layout, line)
        {
            return Self { members, ..Self::default() };
        }
        let fields =
            if style.marked { columns.marked(layout, line) } else { columns.others(layout, line) };
        Self { fields, ..Self::default() }
    }

    /// Which record it is.
    fn subject<'b>(&'b self, at: &At<'b>, puzzle: &'b [u8]) -> Subject<'b> {
        let (others, members) = (&self.fields, &self.members);
        Subject { input: at.from.input, line: at.line, puzzle, others, members }
    }
}
