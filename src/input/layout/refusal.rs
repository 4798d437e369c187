//! Why an input is refused: the messages, with the option that decides.

use super::detector::Detector;
use super::evidence::Number;
use super::explain::{NoPuzzle, Remark, SHOWN_BYTES, Wanted};
use super::head::Kind;
use super::header::{Header, position};
use super::rules::Choice;
use super::shape::Column;
use crate::input::fields::PUZZLE_NAMES;
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
