//! What an input's lines are.
//!
//! ```text
//! id,puzzle,solution,clues     header: columns by name       RecordLayout { form: Row(,), puzzle: 1, solution: 2 }
//! 0,53..7…79,5346…79,30        one row a line
//! {"puzzle": "53..7…79"}       one object a line             RecordLayout { form: Object, puzzle: 0 }, keys ["puzzle"]
//! 53. | .7. | ...              nine lines a puzzle           RecordLayout { form: Grid }
//! ```
//!
//! A layout is found once, by `rule`, before anything is read for good; then every chunk of
//! the input is read by it.

use super::head::has_cells;
use super::hints::ColumnRef;
use crate::input::class::is_drawn;
use crate::input::delimiter::Delimiter;
use crate::input::fields::{
    PREDICTION_NAMES, RecordForm, RecordLayout, SOLUTION_NAMES, field_name,
};
use crate::input::lines::is_empty;
use crate::puzzle::parse::Blanks;
use std::borrow::Cow;

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
    /// The drawn line directly below it.
    pub rule: Option<Vec<u8>>,
    /// The columns' names, if there is a header, or the keys of the first object.
    pub names: Vec<String>,
    /// Bytes of the input up to the end of the header, or of the titles or the count in its place.
    pub(in crate::input) above: u64,
    /// It was found in a head of lines: not given, and no table of Parquet.
    pub(in crate::input) is_decided: bool,
    /// Some puzzles of the head have blanks.
    pub(in crate::input) has_blanks: bool,
    /// Its grids are answers. Comments of this program are records without one.
    pub(in crate::input) has_answers: bool,
    /// Its puzzles are predictions: any text.
    pub(in crate::input) has_predictions: bool,
    /// The field of the predictions beside the puzzles.
    pub(in crate::input) prediction: Option<usize>,
    /// The fields that hold full grids.
    pub(in crate::input) full: Vec<usize>,
    /// The caller says what the fields hold: what is beside the puzzle does not matter.
    pub(in crate::input) is_told: bool,
    /// The field of the puzzles is named in rows of this number of fields, or in all: puzzles in other fields are none.
    pub(in crate::input) named_width: usize,
    /// Records have an answer of their own in place of that of the input.
    pub(in crate::input) replaces_answers: bool,
    /// The lines are made of a JSON document.
    pub(in crate::input) document: Option<Document>,
    /// The lines are made of the rows of a Parquet file.
    pub(in crate::input) parquet: Option<ParquetValues>,
    /// What people should know of lines that are skipped, and of puzzles that are not read.
    pub(in crate::input) notes: String,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) enum LineKind {
    Comment,
    /// It is empty, drawn, or above the rows; or it is the header again.
    Skipped,
    /// It must hold a puzzle.
    Record,
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
pub enum ParquetValues {
    /// As text for people and other programs.
    AsText,
    /// As they are stored: a date is a number.
    AsStored,
    /// As text in rows whose puzzle depends on them. They are empty in other rows.
    IfNeeded {
        /// Answers are wanted. Else they are values like others.
        answers: bool,
    },
}

/// Bytes that stand for a line end within a value of a Parquet file, because a row is a line. UTF-8 does not have them.
pub(crate) const LINE_ENDS: [(u8, u8); 2] = [(0xfe, b'\n'), (0xfd, b'\r')];

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

    /// The fields that may have the predictions, and whether a name says so: the one that the caller names, or all with a
    /// known name; else those of full grids. In a file of puzzles, those of puzzles and answers do not count.
    pub fn predictions(&self, told: Option<&ColumnRef>) -> (Vec<usize>, bool) {
        let (names, is_beside) = (self.field_names(), !self.has_answers);
        let is_called = |place: usize, known: &[&str]| {
            let name = names.get(place).map_or("", |name| name.trim_matches(['#', ' ']));
            // The last key of a path is its name.
            let has_paths = self.has_objects() && told.is_none();
            let name = if has_paths { name.rsplit('.').next().unwrap_or(name) } else { name };
            known.iter().any(|it| it.eq_ignore_ascii_case(name))
        };
        let all = 0..self.columns().max(names.len()).max(1);
        let mut fields: Vec<_> =
            all.clone().filter(|place| !is_beside || *place != self.record.puzzle).collect();
        let key = told.map(ColumnRef::key);
        let known = key.as_deref().map_or(PREDICTION_NAMES.to_vec(), |name| vec![name]);
        let is_named = |place: &usize| match told {
            Some(ColumnRef::Place(told)) if !self.has_objects() => place == told,
            _ => is_called(*place, &known),
        };
        if told.is_some() || fields.iter().any(is_named) {
            fields.retain(is_named);
            let is_found = !fields.is_empty();
            return (fields, is_found);
        }
        if is_beside || all.len() > 1 {
            fields.retain(|place| self.full.contains(place));
            fields.retain(|place| !is_beside || !is_called(*place, &SOLUTION_NAMES));
        }
        (fields, false)
    }

    /// What messages call a field.
    pub fn field_name(&self, place: usize) -> String {
        field_name(self.field_names(), place, self.has_objects())
    }

    /// Whether a record gives a solution beside its puzzle.
    pub const fn has_solutions(&self) -> bool {
        self.record.solution.is_some()
    }

    /// What a line is that begins at this byte of the input.
    pub(in crate::input) fn kind(&self, line: &[u8], start: u64) -> LineKind {
        let is_skipped = || {
            self.is_decided && is_drawn(line)
                || start < self.above && !has_cells(line, &self.blanks)
        };
        let is_header = self.header.as_deref() == Some(line) && self.parquet.is_none();
        if is_empty(line) || is_header {
            LineKind::Skipped
        } else if self.parquet.is_some()
            || self.has_answers && is_own_comment(line)
            || self.has_predictions && start >= self.above && self.header.is_some()
        {
            LineKind::Record
        } else if line[0] == b'#' && !self.is_hashed_row(line) {
            LineKind::Comment
        } else if is_skipped() {
            LineKind::Skipped
        } else {
            LineKind::Record
        }
    }

    /// Whether a line that begins with `#` is a row: it has the cells of a puzzle.
    fn is_hashed_row(&self, line: &[u8]) -> bool {
        // In a list, the first field would begin with `#`.
        let may_be = self.record.form != RecordForm::Row(Delimiter::Any);
        may_be && line.get(1) != Some(&b' ') && has_cells(line, &self.blanks)
    }

    /// The delimiter, if a row has a puzzle and its solution and nothing else, and `.` and `0` are
    /// blanks: such rows can be checked as bytes. (`.` is no blank where it is the delimiter.)
    pub fn pairs(&self) -> Option<u8> {
        let RecordForm::Row(Delimiter::Byte(byte)) = self.record.form else { return None };
        let is_pair =
            matches!(self.record, RecordLayout { puzzle: 0, solution: Some(1), fields: 2, .. });
        (is_pair && self.blanks.has_dot_and_zero()).then_some(byte)
    }

    /// A line or a field with its line ends: a row of a Parquet file may have some.
    pub fn as_text<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        let [(lf, _), (cr, _)] = LINE_ENDS;
        if self.parquet.is_none() || memchr::memchr2(lf, cr, line).is_none() {
            return line.into();
        }
        let end = |byte: &u8| LINE_ENDS.iter().find(|(it, _)| it == byte).map_or(*byte, |it| it.1);
        line.iter().map(end).collect()
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
    pub(in crate::input) fn place_of(&self, name: &str) -> Option<usize> {
        if self.names.is_empty() {
            return name.strip_prefix("column_")?.parse::<usize>().ok()?.checked_sub(1);
        }
        let exact = self.names.iter().position(|it| it == name);
        exact.or_else(|| self.names.iter().position(|it| it.eq_ignore_ascii_case(name)))
    }

    /// How many columns a row has.
    pub(in crate::input) const fn columns(&self) -> usize {
        if matches!(self.record.form, RecordForm::Row(_)) { self.record.fields } else { 0 }
    }

    /// The names of the fields, or nothing if they have none.
    pub(in crate::input) fn field_names(&self) -> &[String] {
        if self.has_objects() { &self.keys } else { &self.names }
    }

    /// Whether this field holds the puzzles or the answers.
    pub(in crate::input) fn is_role(&self, place: usize) -> bool {
        place == self.record.puzzle || Some(place) == self.record.solution
    }

    /// Whether its records are objects.
    pub const fn has_objects(&self) -> bool {
        matches!(self.record.form, RecordForm::Json)
    }

    /// Whether the lines of both can stand in one file and be read as they are here: below the same
    /// header, and with the puzzle in the same place.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let places = match (self.record.form, other.record.form) {
            // The first field is found with any delimiter.
            (RecordForm::Row(one), RecordForm::Row(two)) => {
                self.record.puzzle == other.record.puzzle && (self.record.puzzle == 0 || one == two)
            }
            (RecordForm::Json, RecordForm::Json) => {
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
    pub(in crate::input) fn is_replaced(&self, key: &str) -> bool {
        let answer = self.record.solution.filter(|_| self.replaces_answers);
        [Some(self.record.puzzle), answer].into_iter().flatten().any(|it| self.keys[it] == key)
    }

    /// What is understood of an input of this name, in one line:
    /// `reading column "question" of train.csv, solutions in column "answer"`.
    pub(in crate::input) fn understood(&self, name: &str) -> String {
        let RecordLayout { form, puzzle, solution, .. } = self.record;
        let field = |place| self.field_name(place);
        let what = match form {
            RecordForm::Row(_) if puzzle == 0 && solution.is_none() && self.names.is_empty() => {
                "lines".to_owned()
            }
            RecordForm::Json if self.keys[puzzle].is_empty() => form.name(),
            RecordForm::Row(_) | RecordForm::Json => field(puzzle),
            form => form.name(),
        };
        let answers = solution.map_or(String::new(), |it| format!(", solutions in {}", field(it)));
        let document = self.document.map_or("", |_| ", which is a JSON document");
        format!("reading {what} of {name}{answers}{document}{}", self.notes)
    }
}
