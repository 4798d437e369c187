//! Verdicts as records.
//!
//! ```text
//! report  a.txt:17: 3 twice in row 4 (columns 2 and 9)          a line for each fault
//! csv     line,status,faults,clues,grade,answer_is,duplicate_of,puzzle,reasons
//! jsonl   {"line":17,"status":"conflict","faults":["conflict"],"reasons":["3 twice …"],…}
//! ```
//!
//! With `--against` a column `in_bank` follows `duplicate_of`, with `--rate` the columns of a difficulty
//! follow `grade`.
//!
//! The column `answer_is` says what an answer is worth. It is not called `answer` because tables and
//! objects can be inputs again.

use super::finding::{Finding, FindingSet};
use super::found::{Found, MoreWrong};
use super::judge::{Checks, Verdict};
use crate::Status;
use crate::bank::Same;
use crate::bulk::{MEASURE_COLUMNS, Names, measure_fields};
use crate::difficulty::{Grade, Measured};
use crate::input::{Chunk, Columns as Fields, Given, Malformed};
use crate::output::{Failure, Records, push_csv_field};
use crate::puzzle::WrongAnswer;
use crate::puzzle::rules::check_solved;
use crate::puzzle::{Cell, CellSet, Clashes, Digit, Grid, Solution, Sukaku, Unsolved};
use serde_json::json;
use std::fmt;
use std::io::Write;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

ninefold_core::named_enum! {
    /// What the records of a judgement look like.
    pub enum View, "format" {
        @default Report = "report", "`FILE:LINE: reason`, for faults alone";
        Csv = "csv", "a row of a table for every line";
        Jsonl = "jsonl", "an object for every line";
    }
}

/// How records are written, and which.
///
/// ```
/// use crate::verify::{Finding, FindingSet, Manner, View};
///
/// let select = FindingSet::of(&[Finding::Duplicate]);
/// let manner = Manner { view: View::Csv, select, ..Manner::default() };
/// assert_eq!((manner.blank, manner.header), (b'.', true));
/// ```
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

/// The columns of a table of judgements.
///
/// ```
/// use crate::verify::Columns;
///
/// let columns = Columns::default().names();
/// assert_eq!(columns[..3], ["line", "status", "faults"]);
/// assert_eq!(Columns { names_files: true, ..Columns::default() }.names()[0], "input");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Rows name their input: there are several, or answers from another file.
    pub names_files: bool,
    /// Rows have effort and Explainer's rating.
    pub rated: bool,
    /// Puzzles are looked for in a bank.
    pub in_bank: bool,
}

impl Columns {
    /// Their names, in order.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        let mut names = if self.names_files { vec!["input"] } else { Vec::new() };
        names.extend(["line", "status", "faults", "clues", "grade"]);
        if self.rated {
            names.extend(&MEASURE_COLUMNS[..MEASURES]);
        }
        names.extend(["answer_is", "duplicate_of"]);
        if self.in_bank {
            names.push("in_bank");
        }
        names.extend(["puzzle", "reasons"]);
        names
    }
}

impl Default for Manner {
    fn default() -> Self {
        Self { view: View::Report, blank: b'.', header: true, select: FindingSet::ALL }
    }
}

/// Makes records of what was found.
#[derive(Clone)]
pub(super) struct Recorder {
    manner: Manner,
    /// How many clues a puzzle should have.
    clues: RangeInclusive<usize>,
    names: Names,
    /// The name of the other file that answers come from.
    answers: Option<Arc<str>>,
    /// Which puzzles count as duplicates.
    duplicates: Same,
    /// Which puzzles a bank has, if there is one.
    against: Option<Same>,
    /// Whether effort and Explainer's rating are told.
    rated: bool,
    /// The branches after which a search is given up.
    branches: u32,
}

/// Where the same puzzle is: a file, and a line.
#[derive(Clone, Copy, Default)]
pub(super) struct Matches<'a> {
    /// Where it came first.
    pub(super) first: Option<(&'a str, u64)>,
    /// Where a bank has it.
    pub(super) bank: Option<(&'a str, u64)>,
}

impl Recorder {
    pub(super) fn new(
        manner: &Manner,
        checks: &Checks,
        names: &Names,
        answers: Option<&Arc<str>>,
    ) -> Self {
        Self {
            manner: manner.clone(),
            clues: checks.clues.clone(),
            names: names.clone(),
            answers: answers.cloned(),
            duplicates: Same::Exact,
            against: None,
            rated: checks.rate_over.is_some(),
            branches: u32::MAX,
        }
    }

    /// The same, if these puzzles count as duplicates and as puzzles of a bank, if there is one.
    pub(super) fn comparing(self, duplicates: Option<Same>, against: Option<Same>) -> Self {
        Self { duplicates: duplicates.unwrap_or_default(), against, ..self }
    }

    /// The same, if searches are given up after this many branches.
    pub(super) fn bounded(self, branches: Option<u32>) -> Self {
        Self { branches: branches.unwrap_or(u32::MAX), ..self }
    }

    /// The name of the other file that answers come from.
    pub(super) fn answers(&self) -> Option<&str> {
        self.answers.as_deref()
    }

    /// Whether answers come from another file.
    pub(super) const fn has_other_answers(&self) -> bool {
        self.answers.is_some()
    }

    /// Whether lines that pass have no record.
    pub(super) fn tells_faults_alone(&self) -> bool {
        self.manner.view == View::Report
    }

    /// What is written before all records.
    pub(super) fn preamble(&self) -> Vec<u8> {
        let has_header = self.manner.view == View::Csv && self.manner.header;
        if has_header { self.header() } else { Vec::new() }
    }

    /// The names of a table's columns.
    fn header(&self) -> Vec<u8> {
        let columns = Columns {
            names_files: self.names_files(),
            rated: self.rated,
            in_bank: self.against.is_some(),
        };
        (columns.names().join(",") + "\n").into_bytes()
    }

    /// Whether tables name the file of each row.
    fn names_files(&self) -> bool {
        self.names.are_several() || self.answers.is_some()
    }

    /// Appends the records of a puzzle. `matches` says where the same puzzle is, too.
    pub(super) fn puzzle(
        &self,
        input: usize,
        line: u64,
        found: &Found,
        index: usize,
        matches: Matches<'_>,
        records: &mut Records,
    ) {
        let answer_line = found.answer_lines.get(index).copied().flatten();
        let what = What::Puzzle {
            grid: &found.grids[index],
            sukaku: found.sukaku(index),
            verdict: &found.judged[index],
            given: found.given(index),
            lacks_answer: found.lacks_answer(index),
            answer_at: self.answers.as_deref().zip(answer_line),
            more_wrong: (self.answers.as_deref().unwrap_or_default(), found.more_wrong(index)),
            pair: found.pair(index),
        };
        let judged = Judged { name: self.names.get(input), line, what, matches, recorder: self };
        judged.write(&self.manner, &self.clues, self.names_files(), records);
    }

    /// Appends the records of a malformed line, which is this part of the chunk.
    pub(super) fn malformed(
        &self,
        input: usize,
        line: u64,
        error: &Malformed,
        (chunk, place): (&Chunk, Range<usize>),
        columns: &mut Fields,
        records: &mut Records,
    ) {
        let text = &columns.puzzle(chunk.layout(), &chunk.bytes()[place]);
        let what = What::Malformed { error, text };
        let judged = Judged {
            name: self.names.get(input),
            line,
            what,
            matches: Matches::default(),
            recorder: self,
        };
        judged.write(&self.manner, &self.clues, self.names_files(), records);
    }
}

/// A line, and all that is known of it.
struct Judged<'a> {
    name: &'a str,
    /// Counted from 1 at the start of the chunk.
    line: u64,
    what: What<'a>,
    /// Where the same puzzle is, too.
    matches: Matches<'a>,
    recorder: &'a Recorder,
}

enum What<'a> {
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
        /// Whether it should have an answer and has none.
        lacks_answer: bool,
        /// The place of the answer, if it is in another file.
        answer_at: Option<(&'a str, u64)>,
        /// The file of answers, and the other wrong ones in it.
        more_wrong: (&'a str, &'a [MoreWrong]),
        /// Two solutions, if they are to be shown.
        pair: Option<&'a [Solution]>,
    },
}

/// The measures that follow the grade: all other ones.
const MEASURES: usize = MEASURE_COLUMNS.len() - 1;

/// In place of a status: the puzzle is legal and was not solved (`--trust-unique`).
const NOT_SOLVED: &str = "legal";

/// Memory takes all that is written to it.
const FULL: &str = "memory takes all that is written to it";

impl Judged<'_> {
    /// Tells every fault with its reason.
    fn each_fault(
        &self,
        range: &RangeInclusive<usize>,
        visit: &mut dyn FnMut(Finding, &dyn fmt::Display),
    ) {
        match &self.what {
            What::Malformed { error, .. } => visit(Finding::Malformed, error),
            What::Puzzle { grid, verdict, given, answer_at, more_wrong, pair, .. } => {
                match verdict.status {
                    Some(Status::Conflict) => {
                        if let Some(clashes) = Clashes::of(grid) {
                            visit(Finding::Conflict, &clashes);
                        }
                    }
                    Some(Status::None) => visit(Finding::None, &"no solution"),
                    Some(Status::Multiple) => {
                        visit(Finding::Multiple, &Multiple { verdict, pair: *pair });
                    }
                    Some(Status::Unknown) => visit(Finding::Unknown, &self.gave_up()),
                    _ => {}
                }
                if verdict.undecided {
                    let reason = format_args!("redundant clues not known: {}", self.gave_up());
                    visit(Finding::Unknown, &reason);
                }
                if verdict.measured.gave_up {
                    visit(Finding::Unknown, &format_args!("effort not known: {}", self.gave_up()));
                }
                let mut tell = |place, given: &Given, wrong: Option<&WrongAnswer>| {
                    let place = AnswerAt(place);
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
                tell(*answer_at, given, verdict.answer.as_ref().and_then(|it| it.as_ref().err()));
                let (answers, more_wrong) = more_wrong;
                for more in *more_wrong {
                    tell(Some((*answers, more.line)), &more.given, more.wrong.as_ref());
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
        let Matches { first, bank } = self.matches;
        if let Some((name, line)) = first {
            let what = as_reason(self.recorder.duplicates);
            visit(Finding::Duplicate, &format_args!("{what} {name}:{line}"));
        }
        if let Some((name, line)) = bank {
            let what = as_reason(self.recorder.against.unwrap_or_default());
            visit(Finding::InBank, &format_args!("{what} {name}:{line}"));
        }
        if let What::Puzzle { lacks_answer: true, .. } = self.what {
            visit(Finding::NoAnswer, &"no answer given");
        }
    }

    /// Why a search was given up.
    const fn gave_up(&self) -> Failure<'static> {
        Failure::Unknown { branches: self.recorder.branches, found: 0 }
    }

    /// Appends its records, if they are wanted. Tables name the file if `names_files`.
    fn write(
        &self,
        manner: &Manner,
        range: &RangeInclusive<usize>,
        names_files: bool,
        records: &mut Records,
    ) {
        let mut found = FindingSet::EMPTY;
        let mut reasons = Vec::new();
        let mut add = |finding: Finding, reason: &dyn fmt::Display| {
            found = found.with(finding);
            match manner.view {
                View::Report if manner.select.contains(finding) => {
                    write!(records.bytes_mut(), "{}:", self.name).expect(FULL);
                    records.push_line_number(self.line);
                    writeln!(records.bytes_mut(), ": {reason}").expect(FULL);
                }
                View::Report => {}
                View::Csv | View::Jsonl => reasons.push((finding, reason.to_string())),
            }
        };
        self.each_fault(range, &mut add);
        if found == FindingSet::EMPTY {
            found = found.with(Finding::Pass);
        }
        if found.meets(manner.select) {
            match manner.view {
                View::Report => {}
                View::Csv => self.push_row(manner, names_files, &reasons, records),
                View::Jsonl => self.push_object(manner, names_files, &reasons, records),
            }
        }
    }

    /// The puzzle's part of the record: status, clues, grade, cells.
    fn about(
        &self,
        manner: &Manner,
    ) -> (&'static str, Option<usize>, Option<&'static str>, Vec<u8>) {
        match &self.what {
            What::Malformed { text, .. } => (Status::Malformed.name(), None, None, text.to_vec()),
            What::Puzzle { grid, sukaku, verdict, .. } => {
                let status = verdict.status.map_or(NOT_SOLVED, Status::name);
                let grade = verdict.grade.map(Grade::name);
                let line = match sukaku {
                    Some(sukaku) => sukaku.line(manner.blank).to_vec(),
                    None => grid.line(manner.blank).to_vec(),
                };
                (status, Some(verdict.clues), grade, line)
            }
        }
    }

    /// What was measured of the puzzle.
    fn measured(&self) -> Measured {
        match &self.what {
            What::Puzzle { verdict, .. } => verdict.measured,
            What::Malformed { .. } => Measured::default(),
        }
    }

    /// What the answer is worth, if there is one.
    fn answer(&self) -> &'static str {
        let What::Puzzle { verdict, given, .. } = &self.what else { return "" };
        match (verdict.answer, given, verdict.status) {
            (Some(Ok(())), _, Some(Status::Multiple)) => "valid but not unique",
            (Some(Ok(())), _, Some(Status::Unknown)) => "valid but uniqueness unknown",
            (Some(Ok(())), ..) => "right",
            (Some(Err(_)), ..) | (None, Given::Malformed(_), _) => "wrong",
            (None, ..) => "",
        }
    }

    fn push_row(
        &self,
        manner: &Manner,
        names_files: bool,
        reasons: &[(Finding, String)],
        records: &mut Records,
    ) {
        let (status, clues, grade, puzzle) = self.about(manner);
        if names_files {
            push_csv_field(records.bytes_mut(), self.name.as_bytes());
            records.bytes_mut().push(b',');
        }
        records.push_line_number(self.line);
        let bytes = records.bytes_mut();
        write!(bytes, ",{status},").expect(FULL);
        for (place, (finding, _)) in reasons.iter().enumerate() {
            write!(bytes, "{}{finding}", if place == 0 { "" } else { " " }).expect(FULL);
        }
        let clues = clues.map_or_else(String::new, |clues| clues.to_string());
        write!(bytes, ",{clues},{},", grade.unwrap_or_default()).expect(FULL);
        if self.recorder.rated {
            for field in &measure_fields(&self.measured())[..MEASURES] {
                field.push_csv(bytes);
                bytes.push(b',');
            }
        }
        push_csv_field(bytes, self.answer().as_bytes());
        bytes.push(b',');
        if let Some((name, line)) = self.matches.first {
            push_csv_field(bytes, format!("{name}:{line}").as_bytes());
        }
        bytes.push(b',');
        if self.recorder.against.is_some() {
            if let Some((name, line)) = self.matches.bank {
                push_csv_field(bytes, format!("{name}:{line}").as_bytes());
            }
            bytes.push(b',');
        }
        push_csv_field(bytes, &puzzle);
        bytes.push(b',');
        let texts: Vec<_> = reasons.iter().map(|(_, reason)| reason.as_str()).collect();
        push_csv_field(bytes, texts.join(" | ").as_bytes());
        bytes.push(b'\n');
    }

    fn push_object(
        &self,
        manner: &Manner,
        names_files: bool,
        reasons: &[(Finding, String)],
        records: &mut Records,
    ) {
        let (status, clues, grade, puzzle) = self.about(manner);
        let faults: Vec<_> = reasons.iter().map(|(finding, _)| finding.name()).collect();
        let texts: Vec<_> = reasons.iter().map(|(_, reason)| reason.as_str()).collect();
        let place = |(name, line): (&str, u64)| format!("{name}:{line}");
        let duplicate_of = self.matches.first.map(place);
        let in_bank = self.matches.bank.map(place);
        let answer = Some(self.answer()).filter(|text| !text.is_empty());
        let bytes = records.bytes_mut();
        bytes.push(b'{');
        if names_files {
            write!(bytes, "\"input\":{},", json!(self.name)).expect(FULL);
        }
        bytes.extend_from_slice(b"\"line\":");
        records.push_line_number(self.line);
        let measured = measure_fields(&self.measured());
        let keys = [
            ("status", json!(status)),
            ("faults", json!(faults)),
            ("reasons", json!(texts)),
            ("clues", json!(clues)),
            ("grade", json!(grade)),
            ("answer_is", json!(answer)),
            ("duplicate_of", json!(duplicate_of)),
            ("in_bank", json!(in_bank)),
            ("puzzle", json!(String::from_utf8_lossy(&puzzle))),
        ];
        let bytes = records.bytes_mut();
        let is_asked = |key: &str| key != "in_bank" || self.recorder.against.is_some();
        for (key, value) in keys.into_iter().filter(|(key, _)| is_asked(key)) {
            write!(bytes, ",\"{key}\":{value}").expect(FULL);
            if key == "grade" && self.recorder.rated {
                for (name, field) in MEASURE_COLUMNS.iter().zip(&measured[..MEASURES]) {
                    bytes.push(b',');
                    field.push_member(name, bytes);
                }
            }
        }
        bytes.extend_from_slice(b"}\n");
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
    verdict: &'a Verdict,
    pair: Option<&'a [Solution]>,
}

impl fmt::Display for Multiple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more than one solution")?;
        if let Some(Ok(())) = self.verdict.answer {
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
