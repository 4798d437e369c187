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

use super::judge::{Fault, Judged};
use super::{Finding, PredictionScore, VerifyCount};
use crate::input::Row;
use crate::names::Named;
use crate::output::{Column, Field, Kind, Short};
use crate::rate::{BOUND, MEASURE_COLUMNS, bound_text, measure_field};
use crate::run::{Rows, Terms};

/// How good a prediction is.
pub const SCORE_COLUMNS: [Column; 7] = [
    Column::decimal("cells", "the share of the blank cells that are right (--score)"),
    Column::whole("right_cells", "blank cells that are right"),
    Column::whole("blank_cells", "blank cells of the puzzle"),
    Column::flag("complete", "no cell of the answer is blank"),
    Column::flag("legal", "no digit is twice in a house of the answer"),
    Column::flag("keeps_clues", "the answer has all clues"),
    Column::flag("exact", "the answer is the solution"),
];

/// All columns.
pub(crate) fn columns() -> Vec<Column> {
    let mut columns = vec![
        Column::status("the outcome in one word; legal with --trust-unique"),
        Column::word("faults", "the faults found, by the words of --only; empty if it passes"),
        Column::whole("clues", "the number of clues; empty if malformed"),
        Column::word("grade", "naked-singles, singles, locked-candidates or search (--grade)"),
    ];
    columns.extend(&MEASURE_COLUMNS[..MEASURE_COLUMNS.len() - 1]);
    columns.extend([
        BOUND,
        Column::word(
            "answer_is",
            "right, valid but not unique, valid but uniqueness unknown, or wrong",
        ),
    ]);
    columns.extend(SCORE_COLUMNS);
    columns.extend([
        Column::text("duplicate_of", "FILE:LINE of the first such puzzle (--duplicates)"),
        Column::text("in_bank", "FILE:LINE of the puzzle in a bank (--against)"),
        Column::puzzle("puzzle", "the cells of the puzzle; if malformed, the text of the field"),
        Column::text("reasons", "why each fault was found"),
    ]);
    columns
}

/// Writes the records of a puzzle or a malformed line, and the reject if something is wrong.
pub(super) fn write<K>(judged: &Judged, row: &Row, rows: &mut Rows<'_, K>) {
    let faults = &judged.faults;
    let mut terms = Terms(0);
    for Fault { finding, reason, .. } in faults {
        let term = Terms::of(*finding);
        terms.0 |= term.0;
        rows.report(row, term, reason);
    }
    let reasons: Vec<_> = faults.iter().map(|it| &*it.reason).collect();
    if !reasons.is_empty() && rows.writing.rejects {
        rows.reject(row, &reasons.join(" | "));
    } else if reasons.is_empty() {
        terms = Terms::of(Finding::Pass);
    }
    if !rows.wants_fields(terms) {
        return;
    }
    let names: Vec<_> = faults.iter().map(|it| it.finding.name()).collect();
    let place = |finding| {
        let fault = faults.iter().find(|it| it.finding == finding)?;
        fault.place.as_ref().map(|place| Field::Text(place.as_bytes()))
    };
    let measured = judged.measured();
    let bound = bound_text(&measured);
    let share = judged.score.map(|it| it.share().to_string()).unwrap_or_default();
    let field = |column: &Column| {
        let score = |of: fn(&PredictionScore) -> Field<'static>| judged.score.as_ref().map(of);
        let text = |text: Option<&'static str>| text.map(str::as_bytes).map(Field::Plain);
        let field = match column.name {
            _ if column.kind == Kind::Puzzle => Some(Field::Puzzle),
            _ if column.kind == Kind::Status => text(Some(match judged.status {
                VerifyCount::NotSolved => "legal",
                status => status.name(),
            })),
            "faults" => Some(Field::List(&names, " ")),
            "clues" => judged.clues.map(|clues| Field::Number(clues as u64)),
            "answer_is" => text(judged.answer.map(Named::summary)),
            "cells" => judged.score.map(|_| Field::Json(share.as_bytes())),
            "right_cells" => score(|it| Field::Number(it.right_cells.into())),
            "blank_cells" => score(|it| Field::Number(it.blank_cells.into())),
            "complete" => score(|it| Field::Flag(it.is_complete)),
            "legal" => score(|it| Field::Flag(it.is_legal)),
            "keeps_clues" => score(|it| Field::Flag(it.keeps_clues)),
            "exact" => score(|it| Field::Flag(it.is_exact)),
            "duplicate_of" => place(Finding::Duplicate),
            "in_bank" => place(Finding::InBank),
            "reasons" => Some(Field::List(&reasons, " | ")),
            name => Some(measure_field(name, &measured, bound.as_ref())),
        };
        field.unwrap_or(Field::Empty)
    };
    let fields: Vec<_> = rows.style().columns.iter().map(field).collect();
    rows.push(row, terms, &fields, Short::Nothing);
}
