//! Why an input is refused: the messages, with the option that decides.

use super::detector::Detector;
use super::evidence::Number;
use super::explain::{NoPuzzle, Remark, SHOWN_BYTES, Wanted};
use super::head::Kind;
use super::header::{Header, position};
use super::rules::Choice;
use super::sample::records_of;
use super::shape::{Column, Layout, Shape};
use super::turns::{Mixed, Place, Turns};
use crate::input::fields::{PUZZLE_NAMES, Rows};
use crate::input::grids;

impl Detector<'_> {
    /// Refuses an input because of what a rule says.
    pub(super) fn refuse_choice(
        &self,
        choice: Option<Choice>,
        name: impl Fn(usize) -> String,
        names: &[String],
        what: &str,
    ) -> NoPuzzle {
        let option = |field: usize| match names.get(field) {
            Some(name) => name.clone(),
            None => (field + 1).to_string(),
        };
        let text = match choice {
            Some(Choice::Disagree { one, other }) => {
                let side = |(open, full, count): (usize, usize, u64)| {
                    let records = if count == 1 { "record" } else { "records" };
                    let (puzzle, answers) = (name(open), name(full));
                    format!(
                        "in {} {records} {puzzle} has blanks and {answers} is full",
                        Number(count)
                    )
                };
                let options = [one, other].map(|(puzzle, answers, _)| {
                    format!("--columns puzzle={},solution={}", option(puzzle), option(answers))
                });
                format!(
                    "records disagree: {}, {}; choose with {}",
                    side(one),
                    side(other),
                    options.join(" or ")
                )
            }
            Some(Choice::Several(fields)) => {
                let names: Vec<_> = fields.iter().map(|&field| name(field)).collect();
                format!(
                    "several fields may hold the puzzles: {}; choose with --columns puzzle={what}",
                    names.join(", ")
                )
            }
            Some(Choice::NamedForAnswers(field)) => {
                format!("--columns solution={} names the field of the puzzles", option(field))
            }
            Some(Choice::AnswersAlone(field)) => format!(
                "no puzzle found: the only grids are in {}, which is named after answers; \
                 --columns puzzle={} reads them as puzzles",
                name(field),
                option(field)
            ),
            _ => return self.refuse_field(None),
        };
        NoPuzzle::refused(text)
    }

    /// Refuses an input whose header or rows lack the field of the answers that was named.
    pub(super) fn refuse_solution(&self) -> NoPuzzle {
        self.refuse(match &self.hints.solution {
            Some(Column::Name(name)) => Wanted::SolutionName(name.clone()),
            Some(Column::Place(place)) => Wanted::SolutionPlace(*place),
            None => Wanted::Field,
        })
    }

    /// Refuses an input without puzzles in the field where they should be.
    pub(super) fn refuse_field(&self, header: Option<&Header>) -> NoPuzzle {
        let wanted = match (&self.hints.puzzle, header) {
            (Some(Column::Place(place)), _) => match header {
                Some(header) if *place < header.names.len() => {
                    Wanted::Column(header.names[*place].clone())
                }
                _ => Wanted::Place(*place),
            },
            (Some(Column::Name(name)), Some(header)) => match position(&header.names, &[name]) {
                Some(place) => Wanted::Column(header.names[place].clone()),
                None => Wanted::Name(name.clone()),
            },
            (Some(Column::Name(name)), None) => Wanted::Name(name.clone()),
            (None, Some(header)) => match position(&header.names, &PUZZLE_NAMES) {
                Some(place) => Wanted::Column(header.names[place].clone()),
                None => Wanted::Field,
            },
            (None, None) if self.hints.solution.is_some() => return self.refuse_solution(),
            (None, None) => Wanted::Field,
        };
        self.refuse(wanted)
    }

    pub(super) fn refuse(&self, wanted: Wanted) -> NoPuzzle {
        let mut remark = None;
        let (mut grid_rows, mut first_line) = (0, None);
        for line in &self.head.lines {
            let bytes = &self.bytes[line.bytes.clone()];
            if line.kind == Kind::Empty {
                continue;
            }
            first_line.get_or_insert(bytes);
            // Where zeros stand is told by the first line that has them.
            if remark <= Some(Remark::Returns) {
                remark = remark.max(Remark::of(bytes));
            }
            let is_row = matches!(line.kind, Kind::Record(_) | Kind::Count)
                && grids::is_row(bytes, &self.hints.blanks);
            grid_rows += usize::from(is_row);
        }
        let unended = &self.bytes[self.head.seen..];
        let first_line = first_line.unwrap_or(unended);
        let grids = (grid_rows >= 9).then_some(Remark::Grids);
        let remark = grids.or(self.beside_puzzle().map(Remark::Beside)).or(remark);
        NoPuzzle {
            lines: self.head.lines.len() as u64,
            wanted,
            delimiter: self.hints.delimiter,
            first_line: first_line[..first_line.len().min(SHOWN_BYTES + 1)].to_vec(),
            remark,
        }
    }

    /// Refuses a list that holds solutions among its puzzles; keeps in mind that there are a few.
    pub(super) fn without_turns(&self, mut layout: Layout) -> Result<Layout, NoPuzzle> {
        let hints = self.hints;
        if layout.is_told || hints.full_grids || layout.has_solutions() {
            return Ok(layout);
        }
        let mut turns = Turns::default();
        self.records().for_each(|line| turns.add(&layout, line));
        for line in records_of(&self.samples) {
            turns.add(&layout, line);
        }
        turns.complete();
        let (mixed, are_many) = turns.mixed();
        if are_many && matches!(layout.shape, Shape::Rows(_) | Shape::Objects { .. }) {
            let ends = if self.is_document {
                Ends::Document
            } else if memchr::memchr(b'\r', self.bytes).is_some() {
                Ends::Crlf
            } else {
                Ends::Lf
            };
            return Err(refuse_turns(&layout, mixed, ends));
        }
        layout.sampled.mixed = (mixed.solutions > 0).then_some((mixed.solutions, mixed.records));
        layout.sampled.is_early = self.head.is_early;
        Ok(layout)
    }
}

/// What ends the lines of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) enum Ends {
    Lf,
    Crlf,
    /// Its lines are made of a JSON document.
    Document,
}

/// Refuses a list that holds solutions among its puzzles.
pub(in crate::input) fn refuse_turns(layout: &Layout, mixed: Mixed, ends: Ends) -> NoPuzzle {
    let field = match &layout.shape {
        Shape::Objects { puzzle, .. } => puzzle.clone(),
        Shape::Rows(rows) => match layout.names.get(rows.puzzle) {
            Some(name) => name.clone(),
            None => (rows.puzzle + 1).to_string(),
        },
        _ => "1".to_owned(),
    };
    let is_list = layout.shape == Shape::Rows(Rows::PLAIN) && mixed.place != Place::Elsewhere;
    let how = match ends {
        Ends::Lf if is_list => ": grep '^[^#]' FILE | paste -d, - - | ninefold COMMAND -",
        Ends::Crlf if is_list => {
            ": tr -d '\\r' < FILE | grep '^[^#]' | paste -d, - - | ninefold COMMAND -"
        }
        _ => ", for example as CSV",
    };
    NoPuzzle::refused(format!(
        "solutions are among the puzzles: {mixed}; to read them as answers, write puzzle and solution \
         in one record{how}; to read them as puzzles, use --columns puzzle={field}"
    ))
}

/// Refuses an input because several fields hold full grids and no name decides.
pub(super) fn refuse_answers(
    fields: &[usize],
    name: impl Fn(usize) -> String,
    what: &str,
) -> NoPuzzle {
    let names: Vec<_> = fields.iter().map(|&field| name(field)).collect();
    NoPuzzle::refused(format!(
        "several fields may hold the answers: {}; choose with --columns solution={what}",
        names.join(", ")
    ))
}

/// What messages call a field of a table.
pub(super) fn column_name(names: &[String], field: usize) -> String {
    match names.get(field) {
        Some(name) => format!("column {name:?}"),
        None => format!("column {}", field + 1),
    }
}

/// What messages call a key.
pub(super) fn key_name(keys: &[String], field: usize) -> String {
    format!("key {:?}", keys[field])
}
