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
use super::worker::Found;
use super::{Finding, MEASURES, Task, in_order_of};
use crate::bank::Same;
use crate::difficulty::Measured;
use crate::input::{Given, Malformed};
use crate::output::{Field, Format};
use crate::puzzle::rules::check_solved;
use crate::puzzle::{Cell, CellSet, Clashes, Digit, Grid, Puzzle, Solution, Unsolved, WrongAnswer};
use crate::rate::measure_fields;
use crate::run::{Row, Rows, Short, Terms};
use crate::{Status, Verdict};
use std::fmt;

/// Where the same puzzle is: a file, and a line.
#[derive(Clone, Copy, Default)]
pub(super) struct Matches<'a> {
    /// Where it came first.
    pub(super) first: Option<(&'a str, u64)>,
    /// Where a bank has it.
    pub(super) bank: Option<(&'a str, u64)>,
}

/// A fault, and why it is one.
type Visit<'v> = &'v mut dyn FnMut(Finding, &dyn fmt::Display);

/// In place of a status: the puzzle is legal and was not solved.
const NOT_SOLVED: &str = "legal";

impl Task {
    /// Writes the records of a puzzle, and the reject if something is wrong.
    pub(super) fn write<K>(
        &self,
        found: &Found,
        number: usize,
        matches: Matches<'_>,
        row: &Row<'_>,
        rows: &mut Rows<'_, K>,
    ) {
        let judged = &found.judged[number];
        let about = About {
            status: judged.status.map_or(NOT_SOLVED, Status::name),
            judged: Some(judged),
            answer_is: answer_is(judged, found.given(number)),
            matches,
        };
        let each = |visit: Visit<'_>| self.each_fault(found, number, matches, row.puzzle, visit);
        about.write(each, row, rows);
    }

    /// Writes the records of a malformed line.
    pub(super) fn write_malformed<K>(error: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, K>) {
        let (status, matches) = (Status::Malformed.name(), Matches::default());
        let about = About { status, judged: None, answer_is: "", matches };
        about.write(|visit| visit(Finding::Malformed, error), row, rows);
    }

    /// Tells every fault of a puzzle with its reason.
    fn each_fault(
        &self,
        found: &Found,
        number: usize,
        Matches { first, bank }: Matches<'_>,
        puzzle: Option<&Puzzle>,
        visit: Visit<'_>,
    ) {
        let judged = &found.judged[number];
        let clues = puzzle.map_or(Grid::EMPTY, Puzzle::clues);
        match judged.status {
            Some(Status::Conflict) => {
                if let Some(clashes) = Clashes::of(&clues) {
                    visit(Finding::Conflict, &clashes);
                }
            }
            Some(Status::None) => visit(Finding::None, &"no solution"),
            Some(Status::Multiple) => {
                let is_right = judged.answer == Some(Ok(()));
                visit(Finding::Multiple, &Multiple { is_right, pair: found.pair(number) });
            }
            Some(Status::Unknown) => visit(Finding::Unknown, &self.gave_up()),
            _ => {}
        }
        if judged.undecided {
            let reason = format_args!("redundant clues not known: {}", self.gave_up());
            visit(Finding::Unknown, &reason);
        }
        if judged.measured.gave_up {
            visit(Finding::Unknown, &format_args!("effort not known: {}", self.gave_up()));
        }
        let answers = self.answers.as_deref();
        let mut tell = |line: Option<u64>, given: &Given, wrong: Option<&WrongAnswer>| {
            let place = AnswerAt(answers.zip(line));
            match (given, wrong) {
                (Given::Malformed(error), _) => {
                    visit(Finding::WrongAnswer, &format_args!("{place}: {error}"));
                }
                (Given::Cells(answer), Some(wrong)) => {
                    let wrong = Wrong { answer, wrong };
                    visit(Finding::WrongAnswer, &format_args!("{place}: {wrong}"));
                }
                _ => {}
            }
        };
        let wrong = judged.answer.as_ref().and_then(|it| it.as_ref().err());
        let line = found.answer_lines.get(number).copied().flatten();
        tell(line, found.given(number), wrong);
        for more in found.more_wrong(number) {
            tell(Some(more.line), &more.given, more.wrong.as_ref());
        }
        if let Some(cells) = judged.superfluous.filter(|cells| !cells.is_empty()) {
            visit(Finding::NotMinimal, &NotMinimal { clues: &clues, cells });
        }
        if !judged.clues_in_range {
            let range = &self.verify.clues;
            let (least, most, found) = (range.start(), range.end(), judged.clues);
            let reason = format_args!("expected {least} to {most} clues, found {found}");
            visit(Finding::Clues, &reason);
        }
        if let Some((name, line)) = first {
            let what = as_reason(self.verify.duplicates.unwrap_or_default());
            visit(Finding::Duplicate, &format_args!("{what} {name}:{line}"));
        }
        if let Some((name, line)) = bank {
            let what = as_reason(self.bank.map_or(Same::Exact, crate::bank::Form::same));
            visit(Finding::InBank, &format_args!("{what} {name}:{line}"));
        }
        if found.lacks_answer(number) {
            visit(Finding::NoAnswer, &"no answer given");
        }
    }

    /// Why a search was given up.
    const fn gave_up(&self) -> Verdict<&'static Solution, &'static Malformed> {
        Verdict::Unknown { at_least: 0, max_branches: self.verify.search.max_branches }
    }
}

/// What a record says besides the faults.
struct About<'a> {
    status: &'static str,
    /// `None` of a malformed line.
    judged: Option<&'a Judged>,
    answer_is: &'static str,
    matches: Matches<'a>,
}

impl About<'_> {
    /// Writes the records with these faults, if they are wanted.
    fn write<K>(&self, each_fault: impl Fn(Visit<'_>), row: &Row<'_>, rows: &mut Rows<'_, K>) {
        let format = rows.style().format;
        let keeps = format != Format::Report || rows.keeps_rejects();
        let (mut faults, mut reasons, mut terms) = (Vec::new(), Vec::new(), Terms(0));
        each_fault(&mut |finding, reason| {
            let term = Terms::of(finding as usize);
            terms.0 |= term.0;
            rows.report(row, term, reason);
            if keeps {
                faults.push(finding.name());
                reasons.push(reason.to_string());
            }
        });
        let reasons: Vec<_> = reasons.iter().map(String::as_str).collect();
        if !reasons.is_empty() {
            rows.reject(row, &reasons.join(" | "));
        } else if terms == Terms(0) {
            terms = Terms::of(Finding::Pass as usize);
        }
        if rows.wants_fields(terms) {
            self.push(&faults, &reasons, terms, row, rows);
        }
    }

    /// A record with columns.
    fn push<K>(
        &self,
        faults: &[&str],
        reasons: &[&str],
        terms: Terms,
        row: &Row<'_>,
        rows: &mut Rows<'_, K>,
    ) {
        fn word(text: &'static str) -> Field<'static> {
            if text.is_empty() { Field::Empty } else { Field::Plain(text.as_bytes()) }
        }
        fn text(text: Option<&String>) -> Field<'_> {
            text.map_or(Field::Empty, |it| Field::Text(it.as_bytes()))
        }
        let Self { judged, matches, .. } = self;
        let place = |(name, line): (&str, u64)| format!("{name}:{line}");
        let (first, bank) = (matches.first.map(place), matches.bank.map(place));
        let has = |name| rows.style().columns.iter().any(|column| column.name == name);
        let mut fields = vec![
            word(self.status),
            Field::List(faults, " "),
            judged.map_or(Field::Empty, |it| Field::Number(it.clues as u64)),
            word(judged.and_then(|it| it.grade).map_or("", |grade| grade.name())),
        ];
        if has("effort") {
            let measured = judged.map_or_else(Measured::default, |it| it.measured);
            fields.extend(&measure_fields(&measured)[..MEASURES]);
        }
        fields.extend([word(self.answer_is), text(first.as_ref())]);
        if has("in_bank") {
            fields.push(text(bank.as_ref()));
        }
        fields.extend([Field::Puzzle, Field::List(reasons, " | ")]);
        in_order_of(rows.style().format, &mut fields);
        rows.push(row, terms, &fields, Short::Nothing, None);
    }
}

/// What an answer is worth, if there is one.
const fn answer_is(judged: &Judged, given: &Given) -> &'static str {
    match (judged.answer, given, judged.status) {
        (Some(Ok(())), _, Some(Status::Multiple)) => "valid but not unique",
        (Some(Ok(())), _, Some(Status::Unknown)) => "valid but uniqueness unknown",
        (Some(Ok(())), ..) => "right",
        (Some(Err(_)), ..) | (None, Given::Malformed(_), _) => "wrong",
        (None, ..) => "",
    }
}

/// What is said of a puzzle that is also elsewhere.
const fn as_reason(same: Same) -> &'static str {
    match same {
        Same::Exact => "same puzzle as",
        Same::Isomorphic => "isomorphic to",
    }
}

/// Why a puzzle with several solutions fails.
struct Multiple<'a> {
    /// Whether the answer is one of them.
    is_right: bool,
    pair: Option<&'a [Solution]>,
}

impl fmt::Display for Multiple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more than one solution")?;
        if self.is_right {
            f.write_str("; the answer is valid but not unique")?;
        }
        if let Some([one, two]) = self.pair {
            write!(f, ": {one} and {two}")?;
        }
        Ok(())
    }
}

/// The answer, with its place if it stands in another file.
struct AnswerAt<'a>(Option<(&'a str, u64)>);

impl fmt::Display for AnswerAt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("answer")?;
        self.0.map_or(Ok(()), |(name, line)| write!(f, " {name}:{line}"))
    }
}

/// Why an answer is wrong.
struct Wrong<'a> {
    answer: &'a Grid,
    wrong: &'a WrongAnswer,
}

impl fmt::Display for Wrong<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match check_solved(self.answer) {
            Err(Unsolved::Clash(_)) => {
                Clashes::of(self.answer).map_or(Ok(()), |clashes| clashes.fmt(f))
            }
            _ => self.wrong.fmt(f),
        }
    }
}

/// Which clues can go.
struct NotMinimal<'a> {
    clues: &'a Grid,
    cells: CellSet,
}

impl fmt::Display for NotMinimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cells.len() {
            1 => f.write_str("not minimal: this clue can be left out: ")?,
            count => write!(f, "not minimal: any one of {count} clues can be left out: ")?,
        }
        for (place, cell) in self.cells.cells().enumerate() {
            let digit = self.clues.get(cell).map_or(0, Digit::value);
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{digit} in {}", Place(cell))?;
        }
        Ok(())
    }
}

/// A cell, as people say it.
struct Place(Cell);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {} column {}", self.0.row() + 1, self.0.column() + 1)
    }
}
