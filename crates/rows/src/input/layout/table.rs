//! The head read in one form: its rows, its header, and which fields hold the puzzles and the answers.
//!
//! ```text
//! # a comment           a comment
//! My list of 2024       a title: it is above the header
//! id,puzzle,rating      the header: the last row above the first grid that has a known name
//! 1,53..7…79,9.3        a row: the classes of its fields are counted
//! 2,53..7…7,1.2         a row: one that is damaged counts as one with blanks
//! ```

use super::head::{HeadLine, has_cells, is_number};
use super::hints::{ColumnRef, Hints};
use super::shape::{Layout, LineKind};
use super::tally::Tally;
use super::why::Decided;
use crate::input::class::{CELLS_OF_A_PUZZLE, FieldClass, is_count};
use crate::input::delimiter::Delimiter;
use crate::input::fields::{
    Fields, PREDICTION_NAMES, PUZZLE_NAMES, RecordForm, RecordLayout, SOLUTION_NAMES, field_name,
};
use crate::input::json;
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;

/// The most fields that are looked at: the widest table seen has 91.
const MOST_FIELDS: usize = 256;

/// Two fields are tied if one has at least half of the grids of the other (`tables.txt`, two-puzzle-columns).
const TIED_SHARE: u64 = 2;

/// The fields that were chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) puzzle: usize,
    pub(super) solution: Option<usize>,
    /// A name says that the field has the puzzles, or the caller.
    pub(super) is_named: bool,
    pub(super) has_blanks: bool,
    /// How many values speak for the field.
    pub(super) score: u64,
}

/// The head in one form.
pub(super) struct Table<'a> {
    /// The layout so far, without the choice.
    pub(super) layout: Layout,
    pub(super) rows: Vec<(HeadLine<'a>, Vec<FieldClass>)>,
    pub(super) tallies: Vec<Tally>,
    /// Titles above the rows.
    pub(super) titles: Vec<HeadLine<'a>>,
}

impl<'a> Table<'a> {
    /// The head in this form, if a row holds a grid then. `columns` are the names of a table without a header.
    pub(super) fn of(
        head: &[HeadLine<'a>],
        form: RecordForm,
        hints: &Hints,
        columns: Option<&[String]>,
    ) -> Option<Self> {
        let blanks = match form {
            RecordForm::Row(Delimiter::Byte(byte)) => hints.blanks.without(byte),
            _ => hints.blanks,
        };
        let record = RecordLayout { form, ..RecordLayout::default() };
        let keys = if form == RecordForm::Json { keys_of(head) } else { Vec::new() };
        let layout = Layout { record, keys, blanks, is_decided: true, ..Layout::default() };
        // The first field of a list is its puzzle.
        let is_list = form == RecordForm::Row(Delimiter::Any) && hints.puzzle.is_none();
        let mut fields = Fields::default();
        let mut lines = Vec::new();
        for line in head {
            let mut classes = classes_of(&mut fields, line.text, &layout);
            if is_list && !classes.first().is_some_and(|it| it.is_grid()) {
                classes.truncate(1);
            }
            lines.push((*line, classes));
        }
        // Predictions may all be malformed.
        let second = hints.predictions.then_some(lines.len().min(2).checked_sub(1)).flatten();
        let first = lines.iter().position(holds_grid).or(second)?;
        let mut table = Self { layout, rows: Vec::new(), tallies: Vec::new(), titles: Vec::new() };
        if let Some(names) = columns {
            table.layout.names = names.to_vec();
            table.layout.is_decided = false;
        } else if form != RecordForm::Json {
            table.find_header(&lines[..first], &lines[first].1, hints);
        }
        for (line, classes) in lines {
            let kind = table.layout.kind(line.text, line.start as u64);
            if columns.is_some() || kind == LineKind::Record {
                table.rows.push((line, classes));
            }
        }
        table.count();
        Some(table)
    }

    /// Finds the header among the lines above the first grid, whose row has these fields: the last one with a known name, or
    /// the first.
    fn find_header(
        &mut self,
        above: &[(HeadLine<'a>, Vec<FieldClass>)],
        row: &[FieldClass],
        hints: &Hints,
    ) {
        let (known, form) = (known_names(hints), self.layout.record.form);
        let (mut titles, mut header) = (Vec::new(), None);
        for (line, fields) in above {
            // The first grid may be a part of a prediction of several lines.
            let names = names_of(line.text, form, if hints.predictions { fields } else { row });
            // Names or numbers of 81 cells.
            let is_of_cells = form == RecordForm::Spaced && !names.is_empty();
            if !is_of_cells && !may_be_above(line.text, &self.layout.blanks) {
                continue;
            }
            titles.push(*line);
            let is_named = names.iter().any(|name| rank_of(name, &known).is_some());
            let is_word = !hints.predictions || !line.text.contains(&b' ');
            let is_first = titles.len() == 1 && is_word && may_be_first(line.text, form, hints);
            if is_named || is_of_cells || is_first {
                header = Some((titles.len(), *line, names));
            }
        }
        let Some((lines, line, names)) = header else { return };
        self.layout.above = line.end as u64;
        titles.truncate(lines);
        if !names.is_empty() && !is_count(line.text) {
            titles.pop();
            self.layout.names = names;
            self.layout.header = Some(line.text.to_vec());
            self.layout.rule = line.rule.map(<[u8]>::to_vec);
        }
        self.titles = titles;
    }

    /// Counts the classes of the values of each field.
    fn count(&mut self) {
        let names = self.layout.names.len().max(self.layout.keys.len());
        let fields = self.rows.iter().map(|(_, classes)| classes.len()).max();
        let fields = fields.unwrap_or_default().max(names).min(MOST_FIELDS);
        self.tallies = vec![Tally::default(); fields];
        for (_, classes) in &self.rows {
            for (place, tally) in self.tallies.iter_mut().enumerate() {
                tally.add(classes.get(place).copied().unwrap_or(FieldClass::Empty));
            }
        }
    }

    /// How many values are grids.
    pub(super) fn grids(&self) -> u64 {
        self.tallies.iter().map(Tally::grids).sum()
    }

    /// What messages call a field.
    pub(super) fn name(&self, field: usize) -> String {
        field_name(self.layout.field_names(), field, self.layout.has_objects())
    }

    /// Chooses the fields of the puzzles and of the answers.
    pub(super) fn choose(&self, hints: &Hints) -> Decided<Choice> {
        let told_solution = hints.solution.as_ref().map(|it| self.told(it)).transpose()?;
        let mut choice = match &hints.puzzle {
            Some(column) => self.told_puzzles(self.told(column)?)?,
            None => self.puzzles(told_solution, hints)?,
        };
        if !hints.full_grids {
            choice.solution = told_solution.or_else(|| self.answers(choice.puzzle));
        }
        Ok(choice)
    }

    /// The puzzles in the field that the caller names.
    fn told_puzzles(&self, puzzle: usize) -> Decided<Choice> {
        let tally = self.tallies[puzzle];
        let (has_blanks, score) = (tally.open() > 0 && tally.open() >= tally.full(), tally.grids());
        let choice = Choice { puzzle, solution: None, is_named: true, has_blanks, score };
        if score > 0 { Ok(choice) } else { Err(format!("{} has no 81 cells", self.name(puzzle))) }
    }

    /// The field that the caller names.
    fn told(&self, column: &ColumnRef) -> Decided<usize> {
        let names = self.layout.field_names();
        let place = match column {
            ColumnRef::Place(place) if !self.layout.has_objects() => Some(*place),
            _ => names.iter().position(|it| bare(it).eq_ignore_ascii_case(&column.key())),
        };
        place.filter(|place| *place < self.tallies.len()).ok_or_else(|| {
            let what = if self.layout.has_objects() { "key" } else { "column" };
            let has = match names.join(", ") {
                names if names.is_empty() => format!("{} without names", self.tallies.len()),
                names => names,
            };
            format!("there is no {what} \"{}\", but {has}", column.key())
        })
    }

    /// The field with the most values with blanks has the puzzles; without any, that with the most full ones. For a file of
    /// answers it is the other way round.
    fn puzzles(&self, told_solution: Option<usize>, hints: &Hints) -> Decided<Choice> {
        let known = if hints.full_grids { &SOLUTION_NAMES[..] } else { &PUZZLE_NAMES[..] };
        let mut scores = [Vec::new(), Vec::new()];
        for (field, tally) in self.tallies.iter().enumerate() {
            // A named field may have damaged values alone, and values of another kind may be the puzzles.
            let is_known = self.rank(field, known).is_some();
            let may_be = tally.grids() + tally.count(FieldClass::Values) > 0 || is_known;
            if may_be && Some(field) != told_solution {
                let (open, full) = (tally.open(), tally.full());
                let (wanted, others) = if hints.full_grids { (full, open) } else { (open, full) };
                scores[0].push((field, if wanted >= others { wanted } else { 0 }));
                scores[1].push((field, open + full));
            }
        }
        let has_wanted = scores[0].iter().any(|(_, score)| *score > 0);
        if let Some((puzzle, score)) =
            self.first_named(&scores[0], known).filter(|_| !has_wanted && hints.full_grids)
        {
            return Ok(Choice { puzzle, solution: None, is_named: true, has_blanks: false, score });
        }
        let tied = tied(&scores[usize::from(!has_wanted)]);
        let named = self.first_named(&tied, known);
        let mut unanswering = tied.clone();
        unanswering.retain(|(field, _)| self.rank(*field, &SOLUTION_NAMES).is_none());
        let (puzzle, _) = match (named, &tied[..], &unanswering[..]) {
            (Some(named), ..) => named,
            (None, [only], _) => *only,
            (None, _, [only]) if !has_wanted => *only,
            (None, [], _) => return Err("no field has 81 cells".to_owned()),
            (None, [(first, _), ..], _) => return Err(self.several(&tied, *first)),
        };
        if !hints.full_grids && self.rank(puzzle, &SOLUTION_NAMES).is_some() {
            return Err(format!(
                "the only grids are in {}, which is named after answers; --columns puzzle={} reads them as puzzles",
                self.name(puzzle),
                self.option(puzzle)
            ));
        }
        let (is_named, has_blanks) = (named.is_some(), has_wanted != hints.full_grids);
        let score = self.tallies[puzzle].grids();
        Ok(Choice { puzzle, solution: None, is_named, has_blanks, score })
    }

    /// The field with the most full values beside the puzzles has the answers.
    fn answers(&self, puzzle: usize) -> Option<usize> {
        let (mut full, mut named) = (Vec::new(), Vec::new());
        for (field, tally) in self.tallies.iter().enumerate().filter(|(it, _)| *it != puzzle) {
            full.push((field, tally.full()));
            // Numbers in a field `solutions` say how many there are.
            if tally.count(FieldClass::Number) == 0 {
                named.push((field, 0));
            }
        }
        let tied = tied(&full);
        let only = match tied[..] {
            [] => return self.first_named(&named, &SOLUTION_NAMES).map(|(field, _)| field),
            [only] => Some(only),
            _ => None,
        };
        self.first_named(&tied, &SOLUTION_NAMES).or(only).map(|(field, _)| field)
    }

    /// The field with the first of these names, and its score.
    fn first_named(&self, fields: &[(usize, u64)], known: &[&str]) -> Option<(usize, u64)> {
        let rank = |&(field, score): &(usize, u64)| Some((self.rank(field, known)?, field, score));
        fields.iter().filter_map(rank).min().map(|(_, field, score)| (field, score))
    }

    /// Which of these names a field has. The last key of a path is its name if no other path has one.
    fn rank(&self, field: usize, known: &[&str]) -> Option<usize> {
        let name = self.layout.field_names().get(field)?;
        let exact = rank_of(name, known);
        if exact.is_some() || !self.layout.has_objects() {
            return exact;
        }
        let is_named =
            |path: &&String| rank_of(path.rsplit('.').next().unwrap_or_default(), known).is_some();
        let is_only = self.layout.keys.iter().filter(is_named).count() == 1;
        (is_only && is_named(&name)).then_some(known.len())
    }

    /// Several fields may hold the puzzles, and no name decides.
    fn several(&self, fields: &[(usize, u64)], first: usize) -> String {
        let names: Vec<_> = fields.iter().map(|(field, _)| self.name(*field)).collect();
        let (names, option) = (names.join(", "), self.option(first));
        format!(
            "several fields may hold the puzzles: {names}; choose one, as with --columns puzzle={option}"
        )
    }

    /// How an option names a field.
    pub(super) fn option(&self, field: usize) -> String {
        let name = self.layout.field_names().get(field).filter(|name| !name.is_empty());
        name.map_or_else(|| (field + 1).to_string(), |name| bare(name).to_owned())
    }
}

/// The fields whose score is at least half of the best one.
fn tied(fields: &[(usize, u64)]) -> Vec<(usize, u64)> {
    let most = fields.iter().map(|(_, score)| *score).max().unwrap_or_default();
    let is_tied = |(_, score): &&(usize, u64)| *score > 0 && TIED_SHARE * score >= most;
    fields.iter().filter(is_tied).copied().collect()
}

/// Whether a row has a grid.
pub(super) fn holds_grid((_, classes): &(HeadLine, Vec<FieldClass>)) -> bool {
    classes.iter().any(|class| class.is_grid())
}

/// The classes of the values of a record; none if it does not have this form.
fn classes_of(fields: &mut Fields, line: &[u8], layout: &Layout) -> Vec<FieldClass> {
    let is_divided = fields.divide(line, layout.record.form, &layout.keys).is_ok();
    // A row has its fields, though a quotation mark does not close.
    if !is_divided && !matches!(layout.record.form, RecordForm::Row(_)) {
        return Vec::new();
    }
    let classes = fields.iter(line).map(|field| FieldClass::of(field, &layout.blanks));
    classes.take(MOST_FIELDS).collect()
}

/// The paths of all objects of the head, those that are seen first.
fn keys_of(head: &[HeadLine]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for line in head {
        let mut paths = Vec::new();
        let read = json::each_path(line.text, |path, _| paths.push(path.into_owned()));
        for path in paths.into_iter().filter(|_| read.is_ok()) {
            if keys.len() < MOST_FIELDS && !keys.contains(&path) {
                keys.push(path);
            }
        }
    }
    keys
}

/// The names in a line above a row of these fields, if it has as many. R writes no name above the names of the rows.
fn names_of(line: &[u8], form: RecordForm, row: &[FieldClass]) -> Vec<String> {
    let (delimiter, width) = match form {
        RecordForm::Row(delimiter) => (delimiter, row.len()),
        RecordForm::Spaced => (Delimiter::Any, Cell::COUNT),
        _ => return Vec::new(),
    };
    let (mut names, mut cells) = (Vec::new(), 0);
    for field in Fields::of_row(line, delimiter).iter().flat_map(|fields| fields.iter(line)) {
        cells += usize::from(field.len() == 1);
        names.push(String::from_utf8_lossy(field).into_owned());
    }
    let has_row_names = names.len() > 1 && names.len() + 1 == width && !row[0].is_grid();
    if has_row_names && delimiter != Delimiter::Any {
        names.insert(0, String::new());
    }
    // Most fields of a damaged row of cells are cells.
    let is_row = form == RecordForm::Spaced && cells >= CELLS_OF_A_PUZZLE;
    if names.len() == width && !is_row { names } else { Vec::new() }
}

/// Whether a line may be above the rows: it has no puzzle, and is no comment in words.
fn may_be_above(line: &[u8], blanks: &Blanks) -> bool {
    let may_be_name = |byte: &u8| byte.is_ascii_alphanumeric() || b",;\t|".contains(byte);
    !has_cells(line, blanks) && (line[0] != b'#' || line.get(1).is_some_and(may_be_name))
}

/// Whether the first line is above the rows whatever its names are: it has no number but one count.
fn may_be_first(line: &[u8], form: RecordForm, hints: &Hints) -> bool {
    let RecordForm::Row(delimiter) = form else { return false };
    let has_number =
        || Fields::of_row(line, delimiter).is_none_or(|it| it.iter(line).any(is_number));
    line[0] != b'#' && (is_count(line) || !hints.no_header && !has_number())
}

/// A name without the mark of a comment.
fn bare(name: &str) -> &str {
    name.trim_matches(['#', ' '])
}

/// The names that make a line a header.
fn known_names(hints: &Hints) -> Vec<&str> {
    let told = [&hints.puzzle, &hints.solution, &hints.prediction].into_iter().flatten();
    let told =
        told.filter_map(|it| if let ColumnRef::Name(name) = it { Some(&**name) } else { None });
    let predictions = if hints.predictions { &PREDICTION_NAMES[..] } else { &[] };
    told.chain(PUZZLE_NAMES).chain(SOLUTION_NAMES).chain(predictions.iter().copied()).collect()
}

/// Which of these names this is, without regard to case.
fn rank_of(name: &str, known: &[&str]) -> Option<usize> {
    known.iter().position(|known| bare(name).eq_ignore_ascii_case(known))
}
