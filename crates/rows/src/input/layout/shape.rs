//! What an input's lines are, and what the caller may know of them beforehand.
//!
//! ```text
//! id,puzzle,solution,clues     header: columns by name       RecordLayout { form: Row(,), puzzle: 1, solution: 2 }
//! 0,53..7…79,5346…79,30        one row a line
//! {"puzzle": "53..7…79"}       one object a line             RecordLayout { form: Object, puzzle: 0 }, keys ["puzzle"]
//! 53. | .7. | ...              nine lines a puzzle           RecordLayout { form: Grid }
//! ```
//!
//! A layout is found once, by `decide`, before anything is read for good; then every chunk of
//! the input is read by it.

use super::head::is_number;
use crate::input::delimiter::Delimiter;
use crate::input::fields::{Fields, Given, RecordForm, RecordLayout, field_name, is_full};
use crate::input::json;
use crate::input::marks;
use crate::puzzle::parse::Blanks;
use std::borrow::Cow;
use std::collections::BTreeSet;

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
    /// The delimiter of the fields.
    pub delimiter: Option<Delimiter>,
    /// The first line is no header, unless it names a column of puzzles.
    pub no_header: bool,
    /// The characters of a blank.
    pub blanks: Blanks,
    /// Puzzles stand in nine lines each. A file may say so by its ending, too.
    pub grids: bool,
    /// The file is read beside the inputs, whose options are not about it: it may have lines or grids of nine.
    pub is_beside: bool,
    /// Full grids are looked for: a field of answers may hold them.
    pub full_grids: bool,
    /// Answers beside the puzzles are not looked at: an input in which several fields may hold them is read.
    pub ignores_answers: bool,
}

/// How the puzzles of an input are found in its lines. By default there is a puzzle a line, with the usual
/// blanks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of an input")]
#[must_use]
pub struct Layout {
    pub(in crate::input) record: RecordLayout,
    /// The paths of keys in objects: the names of their fields.
    pub(in crate::input) keys: Vec<String>,
    /// The characters of a blank.
    pub blanks: Blanks,
    /// The line that names the columns. Wherever it comes again, it is passed over, too: files
    /// are put together like that.
    pub header: Option<Vec<u8>>,
    /// The rule below it: passed over likewise.
    pub rule: Option<Vec<u8>>,
    /// The columns' names, if there is a header, or the keys of the first object.
    pub names: Vec<String>,
    /// The first line says how many lines there are.
    pub(in crate::input) counted: bool,
    /// Lines above the header that are no comments, with their numbers: skipped wherever they come.
    pub(in crate::input) titles: Vec<(u64, Vec<u8>)>,
    /// Of a table, the comments above its header: other lines that begin with `#` are rows. None of a
    /// list, where every such line is a comment.
    pub(in crate::input) comments: Option<BTreeSet<Vec<u8>>>,
    /// The caller has named fields.
    pub(in crate::input) is_told: bool,
    /// Records have an answer of their own in place of that of the input.
    pub(in crate::input) replaces_answers: bool,
    /// Spaces around a field without quotation marks are a part of its value.
    pub(in crate::input) keeps_spaces: bool,
    /// The lines are made of a JSON document.
    pub(in crate::input) document: Option<Document>,
    /// The lines are made of the rows of a Parquet file: see `marks`.
    pub(in crate::input) parquet: Option<ParquetValues>,
    /// What the sample has besides puzzles.
    pub sampled: Sampled,
}

/// What the records of the head have besides puzzles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampled {
    /// Records in the head.
    pub records: u64,
    /// Records with a puzzle that is not solved.
    pub puzzles: u64,
    /// Records with something in the field of the answers; without that field, records with a full grid
    /// beside a puzzle.
    pub answers: u64,
    /// There may be records behind the head.
    pub is_part: bool,
    /// How many fields each row has, if all have as many, and no full grid is in other fields. Of a list with
    /// remarks none.
    pub(in crate::input) width: Option<usize>,
    /// Another field with puzzles, which are not read: some of their clues differ.
    pub(in crate::input) unread: Option<usize>,
}

/// What the records of a document are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) enum Document {
    /// Its values, one after the other.
    Values,
    /// The elements of its arrays.
    Elements,
}

/// How the values of a Parquet file are written, except puzzles and solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) enum ParquetValues {
    /// As text for people and other programs.
    AsText,
    /// As they are stored: a date is a number.
    AsStored,
}

/// The beginning of a line, as a message shows it.
pub fn shown(line: &[u8]) -> String {
    const MOST: usize = 60;
    // A character has 4 bytes at most.
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * MOST + 4)]);
    let more = if text.chars().nth(MOST).is_some() { "…" } else { "" };
    text.chars().take(MOST).flat_map(char::escape_debug).collect::<String>() + more
}

/// Whether a comment is one that this program writes between records: `# line 17: no solution`, or
/// `# a.txt: line 17: no solution`.
pub(crate) fn is_own_comment(comment: &[u8]) -> bool {
    const LINE: &[u8] = b"line ";
    let Some(text) = comment.strip_prefix(b"# ") else { return false };
    memchr::memmem::find_iter(text, LINE).any(|start| {
        let behind = &text[start + LINE.len()..];
        let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let begins = start == 0 || text[..start].ends_with(b": ");
        begins && digits > 0 && behind[digits..].starts_with(b": ")
    })
}

/// Whether the ending of a file's name says that its puzzles stand in nine lines each.
pub(in crate::input) fn is_grids(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    [".sdk", ".ss"].iter().any(|ending| name.ends_with(ending))
}

impl Layout {
    /// The same with these blanks.
    pub fn with_blanks(self, blanks: Blanks) -> Self {
        Self { blanks, ..self }
    }

    /// The solution in a record that has been divided: the one in its field, or if no field has them, a full
    /// grid in any field but the puzzle's.
    pub(in crate::input) fn given_in(&self, fields: &Fields, line: &[u8]) -> Given {
        let record = &self.record;
        let is_answer =
            |&place: &usize| place != record.puzzle && fields.get(line, place).is_some_and(is_full);
        match record.solution.or_else(|| (0..fields.len()).find(is_answer)) {
            Some(place) => fields.given(line, place, &self.blanks),
            None => Given::Missing,
        }
    }

    /// Whether a record gives a solution beside its puzzle.
    pub const fn has_solutions(&self) -> bool {
        self.record.solution.is_some()
    }

    /// Whether a line that begins with `#` is a comment: anywhere in a list, and in a table if it is
    /// above the header or was written by this program.
    pub(in crate::input) fn is_comment(&self, line: &[u8]) -> bool {
        let above = |comments: &BTreeSet<Vec<u8>>| comments.contains(line) || is_own_comment(line);
        line.first() == Some(&b'#') && self.comments.as_ref().is_none_or(above)
    }

    /// Whether a line is the header, the rule below it, or a title above it.
    pub(crate) fn is_above_rows(&self, line: &[u8]) -> bool {
        let head = [&self.header, &self.rule].map(Option::as_deref);
        head.contains(&Some(line)) || self.titles.iter().any(|(_, title)| title == line)
    }

    /// The delimiter, if a row has a puzzle and its solution and nothing else, and `.` and `0` are
    /// blanks: such rows can be checked as bytes. (`.` is no blank where it is the delimiter.)
    pub fn pairs(&self) -> Option<u8> {
        let RecordForm::Row(Delimiter::Byte(byte)) = self.record.form else { return None };
        let is_pair =
            matches!(self.record, RecordLayout { puzzle: 0, solution: Some(1), fields: 2, .. });
        (is_pair && self.blanks.has_dot_and_zero()).then_some(byte)
    }

    /// The delimiter of the fields, if a record may have line ends in its quoted fields. A row of a puzzle and
    /// its solution alone has none.
    pub(in crate::input) fn spans(&self) -> Option<Delimiter> {
        let has_others = self.record.fields > 1 + usize::from(self.has_solutions());
        let RecordForm::Row(it @ Delimiter::Byte(_)) = self.record.form else { return None };
        (has_others && self.parquet.is_none()).then_some(it)
    }

    /// A line of an input as it can stand in a file of lines: one of a Parquet file is a row of CSV.
    pub fn as_text<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        // Exact lines go to a table, which takes the marks.
        if self.parquet == Some(ParquetValues::AsText) { marks::row(line) } else { line.into() }
    }

    /// The names of all columns of a Parquet file; empty for any other input.
    pub fn columns_of_parquet(&self) -> &[String] {
        if self.parquet.is_some() { &self.names } else { &[] }
    }

    /// The names of the columns other than the puzzle's, in their order: those of the header, the
    /// keys of the first object, or `column_2` and so on. Empty for grids.
    pub fn other_columns(&self) -> Vec<String> {
        if self.has_objects() {
            return self.names.iter().filter(|&name| !self.is_replaced(name)).cloned().collect();
        }
        let columns = (0..self.columns()).filter(|&place| self.is_other(place));
        let name = |place: usize| match self.names.get(place) {
            Some(name) => name.clone(),
            None => format!("column_{}", place + 1),
        };
        columns.map(name).collect()
    }

    /// Whether no record has a column of this name. Each object has keys of its own.
    pub fn lacks(&self, name: &str) -> bool {
        !self.has_objects() && self.place_of(name).is_none_or(|place| place >= self.columns())
    }

    /// The place of a column of a row: by its name in the header, or `column_2` if there is none.
    fn place_of(&self, name: &str) -> Option<usize> {
        if self.names.is_empty() {
            return name.strip_prefix("column_")?.parse::<usize>().ok()?.checked_sub(1);
        }
        let exact = self.names.iter().position(|it| it == name);
        exact.or_else(|| self.names.iter().position(|it| it.eq_ignore_ascii_case(name)))
    }

    /// How many columns a row has: as the header, if there is one; else as the first row. If the rows differ,
    /// there is one at least behind the puzzle.
    pub(in crate::input) fn columns(&self) -> usize {
        match self.record.form {
            RecordForm::Row(_) if self.names.is_empty() && self.sampled.width.is_none() => {
                self.record.fields.max(self.record.puzzle + 2)
            }
            RecordForm::Row(_) => self.record.fields.max(self.names.len()),
            _ => 0,
        }
    }

    /// Whether a name or the caller says what a field is, in a row of this number of fields: it has no puzzle that
    /// is lost. A number is no name, and a puzzle among answers is none whatever they are called.
    pub(in crate::input) fn is_named(&self, place: usize, fields: usize) -> bool {
        let name = self.names.get(place).filter(|_| (2..=fields).contains(&self.names.len()));
        let is_answer = Some(place) == self.record.solution;
        let is_name = |name: &String| !is_answer && !is_number(name.as_bytes());
        self.is_told || self.has_objects() || name.is_some_and(is_name)
    }

    /// Whether puzzles in this field are passed over though it has a name. Commands of this program write some columns
    /// next to puzzles, and the caller may have chosen.
    pub(in crate::input) fn passes_over(&self, place: usize) -> bool {
        let names = if self.has_objects() { &self.keys } else { &self.names };
        let is_own = |it: &str| it == "form" || it == "source" || it.starts_with("input_");
        let is_known = self.is_told || Some(place) == self.record.solution;
        // Other keys begin behind the head.
        let is_other = names.get(place).map_or(self.has_objects(), |name| !is_own(name));
        is_other && !is_known
    }

    /// Whether its records are objects.
    pub const fn has_objects(&self) -> bool {
        matches!(self.record.form, RecordForm::Object)
    }

    /// Whether the lines of both can stand in one file and be read as they are here: below the same
    /// header, and with the puzzle in the same place.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let places = match (self.record.form, other.record.form) {
            // The first field is found with any delimiter.
            (RecordForm::Row(one), RecordForm::Row(two)) => {
                self.record.puzzle == other.record.puzzle && (self.record.puzzle == 0 || one == two)
            }
            (RecordForm::Object, RecordForm::Object) => {
                self.keys[self.record.puzzle] == other.keys[other.record.puzzle]
            }
            (one, two) => one == two && self.record.puzzle == other.record.puzzle,
        };
        places && self.header == other.header
    }

    /// Whether a missing value differs from an empty text. Rows of text have no missing values.
    pub const fn has_missing_values(&self) -> bool {
        self.parquet.is_some() || self.has_objects()
    }

    /// Whether its records are grids of nine lines.
    pub const fn has_grids(&self) -> bool {
        matches!(self.record.form, RecordForm::Grid)
    }

    /// Whether a column is one beside the puzzle's, and not just the text before the first bar of
    /// a framed table, or after the last.
    pub fn is_other(&self, place: usize) -> bool {
        let RecordForm::Row(delimiter) = self.record.form else { return false };
        let at_edge = place == 0 || place + 1 == self.names.len();
        let nameless = self.names.get(place).is_some_and(String::is_empty);
        let bars = delimiter == Delimiter::Byte(b'|');
        let is_answer = self.replaces_answers && Some(place) == self.record.solution;
        place != self.record.puzzle && !is_answer && !(bars && at_edge && nameless)
    }

    /// Whether this key of an object is in a record under another name: it is that of the puzzle, or of an
    /// answer that is replaced.
    fn is_replaced(&self, key: &str) -> bool {
        let answer = self.record.solution.filter(|_| self.replaces_answers);
        [Some(self.record.puzzle), answer].into_iter().flatten().any(|it| self.keys[it] == key)
    }

    /// What is understood of an input of this name, in one line:
    /// `reading column "question" of train.csv, solutions in column "answer"`.
    pub(in crate::input) fn understood(&self, name: &str) -> String {
        let (has_keys, solution) = (self.has_objects(), self.record.solution);
        let names = if has_keys { &self.keys } else { &self.names };
        let [field, answers] = [Some(self.record.puzzle), solution]
            .map(|place| field_name(names, place.unwrap_or_default(), has_keys));
        let what = match self.record.form {
            _ if self.record == RecordLayout::default() && self.names.is_empty() => "lines",
            RecordForm::Row(_) | RecordForm::Object => &field,
            form => form.name(),
        };
        let mut text = format!("reading {what} of {name}");
        text += &solution.map_or(String::new(), |_| format!(", solutions in {answers}"));
        text += self.document.map_or("", |_| ", which is a JSON document");
        text += if self.counted { ", after a count" } else { "" };
        for (number, title) in &self.titles {
            text += &format!("; line {number} is skipped as a title: \"{}\"", shown(title));
        }
        let unread = self.sampled.unread.filter(|place| self.passes_over(*place));
        text += &unread.map_or(String::new(), |place| {
            let field = field_name(names, place, has_keys);
            let option = if has_keys { names[place].clone() } else { (place + 1).to_string() };
            format!("; {field} has other puzzles, which --columns puzzle={option} reads")
        });
        text
    }
}

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

/// Divides lines as their layout says, with memory for one.
#[derive(Default)]
pub struct Columns {
    fields: Fields,
}

impl Columns {
    /// The text of a line that stands where its puzzle should; all of it if there is no such
    /// place.
    pub fn puzzle<'a>(&'a mut self, layout: &Layout, line: &'a [u8]) -> Cow<'a, [u8]> {
        let whole = matches!(
            layout.record.form,
            RecordForm::Grid | RecordForm::Array | RecordForm::Hodoku | RecordForm::Spaced
        );
        if whole || self.fields.divide(line, layout.record.form, &layout.keys).is_err() {
            return line.into();
        }
        self.fields.get(line, layout.record.puzzle).unwrap_or(line).into()
    }

    /// The answer in a line: in its column, or where full grids are in the column of the puzzles, there.
    pub(crate) fn answer(&mut self, layout: &Layout, line: &[u8]) -> Given {
        if let Err(malformed) = self.fields.divide(line, layout.record.form, &layout.keys) {
            return Given::Malformed(malformed);
        }
        let puzzle = layout.record.puzzle;
        match layout.record.solution {
            None if self.fields.get(line, puzzle).is_some() => {
                self.fields.given(line, puzzle, &layout.blanks)
            }
            _ => layout.given_in(&self.fields, line),
        }
    }

    /// The values of the columns of these names in a line.
    pub fn own<'a>(
        &'a mut self,
        layout: &Layout,
        line: &'a [u8],
        names: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Own<'a>> {
        let text = |text: Cow<'a, [u8]>| if text.is_empty() { Own::Null } else { Own::Text(text) };
        if layout.has_objects() {
            let object = json::object(line).unwrap_or_default();
            let value = |name| object.get(name).map(json::field).map_or(Own::Missing, text);
            return names.into_iter().map(value).collect();
        }
        let RecordForm::Row(delimiter) = layout.record.form else {
            return names.into_iter().map(|_| Own::Missing).collect();
        };
        self.fields.split(line, delimiter);
        let fields = &self.fields;
        let value = |name| match layout.place_of(name).and_then(|place| fields.get(line, place)) {
            None => Own::Missing,
            Some(field) if layout.parquet.is_some() => marks::value(field).map_or(Own::Null, text),
            Some(field) => text(field.into()),
        };
        names.into_iter().map(value).collect()
    }

    /// The other columns of a line, one for each of [`Layout::other_columns`]: none for what a line has
    /// not, and the last has all that the line has from there on. With marks, all of them are UTF-8 apart
    /// from these.
    pub fn others<'a>(
        &'a mut self,
        layout: &Layout,
        line: &'a [u8],
        with_marks: bool,
    ) -> Vec<Option<Cow<'a, [u8]>>> {
        let mut values = self.fields_of(layout, line);
        if with_marks != layout.parquet.is_some() {
            for value in values.iter_mut().flatten() {
                if with_marks {
                    *value = marks::marked(std::mem::take(value));
                } else if marks::has_marks(value) {
                    *value = marks::value(value).unwrap_or_default().into_owned().into();
                }
            }
        }
        values
    }

    fn fields_of<'a>(&'a mut self, layout: &Layout, line: &'a [u8]) -> Vec<Option<Cow<'a, [u8]>>> {
        if layout.has_objects() {
            let object = json::object(line).unwrap_or_default();
            let value =
                |name: &String| object.get(name).filter(|value| *value != "null").map(json::field);
            return layout.other_columns().iter().map(value).collect();
        }
        let RecordForm::Row(delimiter) = layout.record.form else { return Vec::new() };
        self.fields.split(line, delimiter);
        let (fields, columns) = (&self.fields, layout.columns());
        let goes_on = |place| place + 1 == columns && fields.len() > columns;
        let value = |place: usize| match fields.value(line, place, layout.keeps_spaces) {
            _ if goes_on(place) => Some(line[fields.start(place)..].trim_ascii_end()),
            value => value,
        };
        let others = (0..columns).filter(|&place| layout.is_other(place));
        others.map(|place| value(place).map(Cow::Borrowed)).collect()
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
