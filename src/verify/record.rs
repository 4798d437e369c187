//! The records of what was found.
//!
//! ```text
//! report  a.txt:17: 3 twice in row 4 (columns 2 and 9)          a line for each fault
//! csv     line,status,faults,clues,grade,answer_is,duplicate_of,puzzle,reasons
//! jsonl   {"line":17,"status":"conflict","faults":["conflict"],"reasons":["3 twice …"],…}
//! ```
//!
//! The column `answer_is` says what an answer is worth. It is not called `answer` because tables and
//! objects can be inputs again.

use super::judge::Judged;
use super::{Finding, Verify};
use crate::Status;
use crate::difficulty::Grade;
use crate::names::Named;
use crate::output::{Field, Format};
use crate::rate::{BOUND, MEASURE_COLUMNS, bound_text, measure_fields};
use crate::run::{Column, Row, Rows, Short, Terms};

/// Where the same puzzle is, `FILE:LINE`: its first place, and the one in a bank.
#[derive(Default)]
pub(super) struct Places {
    pub(super) first: Option<String>,
    pub(super) bank: Option<String>,
}

/// The measures that follow the grade: all other ones.
const MEASURES: usize = MEASURE_COLUMNS.len() - 1;

/// All columns.
pub(crate) fn columns() -> Vec<Column> {
    let mut columns = vec![
        Column::word("status", "the outcome in one word; legal with --trust-unique"),
        Column::word("faults", "the faults found, by the words of --only; empty if it passes"),
        Column::whole("clues", "the number of clues; empty if malformed"),
        Column::word("grade", "naked-singles, singles, locked-candidates or search (--grade)"),
    ];
    columns.extend(&MEASURE_COLUMNS[..MEASURES]);
    columns.extend([
        BOUND,
        Column::word(
            "answer_is",
            "right, valid but not unique, valid but uniqueness unknown, or wrong",
        ),
        Column::text("duplicate_of", "FILE:LINE of the first such puzzle (--duplicates)"),
        Column::text("in_bank", "FILE:LINE of the puzzle in a bank (--against)"),
        Column::text("puzzle", "the cells of the puzzle; if malformed, the text of the field"),
        Column::text("reasons", "why each fault was found"),
    ]);
    columns
}

/// The columns of a run, or their fields, among all: without the grade and the measures that were not asked,
/// without `er_bound` if there is no greatest score, and without `in_bank` if there is no bank. Objects have the
/// reasons next to the faults.
pub(super) fn arranged<T>(asked: Asked, format: Format, mut all: Vec<T>) -> Vec<T> {
    if !asked.bank {
        all.remove(4 + MEASURES + 3);
    }
    if !asked.bound {
        all.remove(4 + MEASURES);
    }
    if !asked.rating {
        all.drain(4..4 + MEASURES);
    }
    if !asked.grade {
        all.remove(3);
    }
    if format == Format::Jsonl {
        all[2..].rotate_right(1);
    }
    all
}

/// The columns that a run has only if they are asked for.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "one for each part of the columns")]
pub(super) struct Asked {
    pub(super) grade: bool,
    pub(super) rating: bool,
    pub(super) bound: bool,
    pub(super) bank: bool,
}

impl Verify {
    /// See [`arranged`].
    pub(super) fn arranged<T>(&self, format: Format, all: Vec<T>) -> Vec<T> {
        let (rating, bound) = (self.rate, self.max_er.is_some());
        let bank = self.bank.is_some();
        arranged(Asked { grade: self.grade, rating, bound, bank }, format, all)
    }

    /// Writes the records of a puzzle or a malformed line, and the reject if something is wrong.
    pub(super) fn write<K>(
        &self,
        judged: &Judged,
        places: &Places,
        row: &Row<'_>,
        rows: &mut Rows<'_, K>,
    ) {
        fn word(text: Option<&'static str>) -> Field<'static> {
            text.map_or(Field::Empty, |it| Field::Plain(it.as_bytes()))
        }
        fn place(text: Option<&String>) -> Field<'_> {
            text.map_or(Field::Empty, |it| Field::Text(it.as_bytes()))
        }
        let faults = &judged.faults.0;
        let mut terms = Terms(0);
        for (finding, reason) in faults {
            let term = Terms::of(*finding as usize);
            terms.0 |= term.0;
            rows.report(row, term, reason);
        }
        let reasons: Vec<_> = faults.iter().map(|(_, reason)| &**reason).collect();
        if !reasons.is_empty() && rows.keeps_rejects() {
            rows.reject(row, &reasons.join(" | "));
        } else if reasons.is_empty() {
            terms = Terms::of(Finding::Pass as usize);
        }
        if !rows.wants_fields(terms) {
            return;
        }
        let names: Vec<_> = faults.iter().map(|(finding, _)| finding.name()).collect();
        let mut fields = vec![
            // The status of a legal puzzle that was not solved.
            word(Some(judged.status.map_or("legal", Status::name))),
            Field::List(&names, " "),
            judged.clues.map_or(Field::Empty, |clues| Field::Number(clues as u64)),
            word(judged.measured.grade.map(Grade::name)),
        ];
        fields.extend(&measure_fields(&judged.measured)[..MEASURES]);
        let bound = bound_text(&judged.measured);
        fields.extend([
            place(bound.as_ref()),
            word(judged.answer.map(Named::summary)),
            place(places.first.as_ref()),
            place(places.bank.as_ref()),
            Field::Puzzle,
            Field::List(&reasons, " | "),
        ]);
        let fields = self.arranged(rows.style().format, fields);
        rows.push(row, terms, &fields, Short::Nothing, None);
    }
}
