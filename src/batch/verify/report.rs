//! How a line's verdict is written.
//!
//! ```text
//! report  a.txt:17: 3 twice in row 4 (columns 2 and 9)          a line for each fault
//! csv     line,status,faults,clues,grade,answer_is,duplicate_of,puzzle,reasons
//! jsonl   {"line":17,"status":"conflict","faults":["conflict"],"reasons":["3 twice …"],…}
//! ```
//!
//! What an answer is worth is no answer, so its column is not called one: tables and objects are
//! read again as inputs.

use super::finding::{Finding, FindingSet};
use crate::input::{Given, Malformed};
use crate::output::push_csv_field;
use crate::puzzle::rules::{Clashes, check_solved};
use crate::puzzle::{Cell, CellSet, Digit, Grid, Solution, Sukaku, Unsolved};
use crate::difficulty::Grade;
use crate::verify::{Solutions, Verdict};
use crate::puzzle::WrongAnswer;
use serde_json::json;
use std::fmt;
use std::io::Write;
use std::ops::RangeInclusive;

/// What the records of verified lines look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// `FILE:LINE: reason`, for faults alone.
    #[default]
    Report,
    /// A row of a table for every line.
    Csv,
    /// An object for every line.
    Jsonl,
}

/// How records are written, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manner {
    /// What they look like.
    pub view: View,
    /// What a blank of a puzzle is written as.
    pub blank: u8,
    /// Whether a table begins with the names of its columns.
    pub header: bool,
    /// The faults that are told, or the lines that have one of these.
    pub select: FindingSet,
}

impl Default for Manner {
    fn default() -> Self {
        Self { view: View::Report, blank: b'.', header: true, select: FindingSet::ALL }
    }
}

/// A line, and all that is known of it.
pub(super) struct Judged<'a> {
    pub(super) name: &'a str,
    pub(super) line: u64,
    pub(super) what: What<'a>,
    /// Where the same puzzle stood first.
    pub(super) first: Option<(&'a str, u64)>,
}

pub(super) enum What<'a> {
    Malformed {
        error: &'a Malformed,
        text: &'a [u8],
    },
    Puzzle {
        /// Its cells; of a sukaku those with one candidate.
        grid: &'a Grid,
        sukaku: Option<&'a Sukaku>,
        verdict: &'a Verdict,
        given: &'a Given,
        /// Where the answer stands, if that is another file.
        answer_at: Option<(&'a str, u64)>,
        /// Two solutions, if they are to be shown.
        pair: Option<&'a [Solution]>,
    },
    /// So many answers, from this line of their file on.
    LeftOver(u64),
}

/// Memory takes all that is written to it.
const FULL: &str = "memory takes all that is written to it";

impl Judged<'_> {
    /// Tells every fault with its reason.
    pub(super) fn each_fault(
        &self,
        range: &RangeInclusive<usize>,
        visit: &mut dyn FnMut(Finding, &dyn fmt::Display),
    ) {
        match &self.what {
            What::Malformed { error, .. } => visit(Finding::Malformed, error),
            What::LeftOver(count) => {
                let answers = if *count == 1 { "answer" } else { "answers" };
                let reason = format_args!("{count} {answers} without a puzzle, from here on");
                visit(Finding::NoPuzzle, &reason);
            }
            What::Puzzle { grid, verdict, given, answer_at, pair, .. } => {
                match verdict.solutions {
                    Solutions::Illegal => visit(Finding::Conflict, &Clashes(grid)),
                    Solutions::None => visit(Finding::None, &"no solution"),
                    Solutions::Several => {
                        visit(Finding::Multiple, &Several { verdict, pair: *pair });
                    }
                    Solutions::One | Solutions::Trusted => {}
                }
                let place = AnswerAt(*answer_at);
                match (given, &verdict.answer) {
                    (Given::Malformed(error), _) => {
                        visit(Finding::WrongAnswer, &format_args!("{place}: {error}"));
                    }
                    (Given::Cells(answer), Some(Err(wrong))) => {
                        let wrong = Wrong { answer, wrong };
                        visit(Finding::WrongAnswer, &format_args!("{place}: {wrong}"));
                    }
                    _ => {}
                }
                if let Some(cells) = verdict.superfluous.filter(|cells| !cells.is_empty()) {
                    visit(Finding::NotMinimal, &NotMinimal { grid, cells });
                }
                if !verdict.clues_in_range {
                    let (least, most, found) = (range.start(), range.end(), verdict.clues);
                    let reason = format_args!("expected {least} to {most} clues, found {found}");
                    visit(Finding::Clues, &reason);
                }
            }
        }
        if let Some((name, line)) = self.first {
            visit(Finding::Duplicate, &format_args!("same puzzle as {name}:{line}"));
        }
    }

    /// Appends its record, or records, if they are wanted. Lines of `several` files have its name in
    /// tables; `no_answer` says that an answer is missing.
    pub(super) fn write(
        &self,
        manner: &Manner,
        range: &RangeInclusive<usize>,
        several: bool,
        no_answer: bool,
        bytes: &mut Vec<u8>,
    ) -> FindingSet {
        let mut found = FindingSet::EMPTY;
        let mut reasons = Vec::new();
        let mut add = |finding: Finding, reason: &dyn fmt::Display| {
            found = found.with(finding);
            match manner.view {
                View::Report if manner.select.contains(finding) => {
                    writeln!(bytes, "{}:{}: {reason}", self.name, self.line).expect(FULL);
                }
                View::Report => {}
                View::Csv | View::Jsonl => reasons.push((finding, reason.to_string())),
            }
        };
        self.each_fault(range, &mut add);
        if no_answer {
            add(Finding::NoAnswer, &"no answer given");
        }
        if found == FindingSet::EMPTY {
            found = found.with(Finding::Pass);
        }
        if found.meets(manner.select) {
            match manner.view {
                View::Report => {}
                View::Csv => self.push_row(manner, several, &reasons, bytes),
                View::Jsonl => self.push_object(manner, several, &reasons, bytes),
            }
        }
        found
    }

    /// The puzzle's part of the record: status, clues, grade, cells.
    fn about(
        &self,
        manner: &Manner,
    ) -> (&'static str, Option<usize>, Option<&'static str>, Vec<u8>) {
        match &self.what {
            What::Malformed { text, .. } => ("malformed", None, None, text.to_vec()),
            What::LeftOver(_) => ("", None, None, Vec::new()),
            What::Puzzle { grid, sukaku, verdict, .. } => {
                let status = match verdict.solutions {
                    Solutions::Illegal => "conflict",
                    Solutions::None => "none",
                    Solutions::One => "unique",
                    Solutions::Several => "multiple",
                    Solutions::Trusted => "legal",
                };
                let grade = verdict.grade.map(Grade::name);
                let line = match sukaku {
                    Some(sukaku) => sukaku.line(manner.blank).to_vec(),
                    None => grid.line(manner.blank).to_vec(),
                };
                (status, Some(verdict.clues), grade, line)
            }
        }
    }

    /// What the answer is worth, if there is one.
    fn answer(&self) -> &'static str {
        let What::Puzzle { verdict, given, .. } = &self.what else { return "" };
        match (verdict.answer, given, verdict.solutions) {
            (Some(Ok(())), _, Solutions::Several) => "valid, not the only one",
            (Some(Ok(())), ..) => "right",
            (Some(Err(_)), ..) | (None, Given::Malformed(_), _) => "wrong",
            (None, ..) => "",
        }
    }

    fn push_row(
        &self,
        manner: &Manner,
        several: bool,
        reasons: &[(Finding, String)],
        bytes: &mut Vec<u8>,
    ) {
        let (status, clues, grade, puzzle) = self.about(manner);
        if several {
            push_csv_field(bytes, self.name.as_bytes());
            bytes.push(b',');
        }
        write!(bytes, "{},{status},", self.line).expect(FULL);
        for (place, (finding, _)) in reasons.iter().enumerate() {
            write!(bytes, "{}{finding}", if place == 0 { "" } else { " " }).expect(FULL);
        }
        let clues = clues.map_or_else(String::new, |clues| clues.to_string());
        write!(bytes, ",{clues},{},", grade.unwrap_or_default()).expect(FULL);
        push_csv_field(bytes, self.answer().as_bytes());
        bytes.push(b',');
        if let Some((name, line)) = self.first {
            push_csv_field(bytes, format!("{name}:{line}").as_bytes());
        }
        bytes.push(b',');
        push_csv_field(bytes, &puzzle);
        bytes.push(b',');
        let texts: Vec<_> = reasons.iter().map(|(_, reason)| reason.as_str()).collect();
        push_csv_field(bytes, texts.join(" | ").as_bytes());
        bytes.push(b'\n');
    }

    fn push_object(
        &self,
        manner: &Manner,
        several: bool,
        reasons: &[(Finding, String)],
        bytes: &mut Vec<u8>,
    ) {
        let (status, clues, grade, puzzle) = self.about(manner);
        let faults: Vec<_> = reasons.iter().map(|(finding, _)| finding.name()).collect();
        let texts: Vec<_> = reasons.iter().map(|(_, reason)| reason.as_str()).collect();
        let duplicate_of = self.first.map(|(name, line)| format!("{name}:{line}"));
        let answer = Some(self.answer()).filter(|text| !text.is_empty());
        let input = several.then(|| ("input", json!(self.name)));
        let keys = [
            ("line", json!(self.line)),
            ("status", json!(status)),
            ("faults", json!(faults)),
            ("reasons", json!(texts)),
            ("clues", json!(clues)),
            ("grade", json!(grade)),
            ("answer_is", json!(answer)),
            ("duplicate_of", json!(duplicate_of)),
            ("puzzle", json!(String::from_utf8_lossy(&puzzle))),
        ];
        for (place, (key, value)) in input.into_iter().chain(keys).enumerate() {
            bytes.push(if place == 0 { b'{' } else { b',' });
            write!(bytes, "\"{key}\":{value}").expect(FULL);
        }
        bytes.extend_from_slice(b"}\n");
    }
}

/// The names of a table's columns.
pub(super) fn header(several: bool) -> Vec<u8> {
    let input = if several { "input," } else { "" };
    format!("{input}line,status,faults,clues,grade,answer_is,duplicate_of,puzzle,reasons\n")
        .into_bytes()
}

/// Why a puzzle with several solutions fails.
struct Several<'a> {
    verdict: &'a Verdict,
    pair: Option<&'a [Solution]>,
}

impl fmt::Display for Several<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more than one solution")?;
        if let Some(Ok(())) = self.verdict.answer {
            f.write_str("; the answer given is valid, not the only one")?;
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
            Err(Unsolved::Clash(_)) => Clashes(self.answer).fmt(f),
            _ => self.wrong.fmt(f),
        }
    }
}

/// Which clues can go.
struct NotMinimal<'a> {
    grid: &'a Grid,
    cells: CellSet,
}

impl fmt::Display for NotMinimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cells.len() {
            1 => f.write_str("not minimal: this clue can be left out: ")?,
            count => write!(f, "not minimal: any one of {count} clues can be left out: ")?,
        }
        for (place, cell) in self.cells.cells().enumerate() {
            let digit = self.grid.get(cell).map_or(0, Digit::value);
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
