//! What a run found: a table for people, and its own keys in statistics.

use super::args::VerifyArgs;
use super::tally::{CLUES, GRADES, Tally};
use super::{MatchedBy, Verified};
use crate::Status;
use crate::cli::histogram::{self, Bars, Part};
use crate::cli::run::Ran;
use crate::difficulty::Grade;
use crate::run::{Counts, Shape};
use indicatif::HumanCount;
use serde_json::{Value, json};
use std::fmt::Write;

/// The counts of a run, or of one of its inputs.
#[derive(Clone, Copy)]
struct Found<'a> {
    args: &'a VerifyArgs,
    shape: &'a Shape,
    counts: &'a Counts,
}

/// Answers that were checked.
fn checked(counts: &Counts) -> u64 {
    use Tally::{NotOnly, Right, Unproven, Wrong};
    [Right, NotOnly, Unproven, Wrong].iter().map(|tally| counts.own[tally.place()]).sum()
}

/// Puzzles without an answer.
pub(super) fn lacking(_: &Shape, counts: &Counts) -> u64 {
    counts.puzzles - counts.own[Status::Malformed as usize] - checked(counts)
}

/// All counts, aligned.
pub(super) fn text(args: &VerifyArgs, ran: &Ran<'_>) -> String {
    let counts = &ran.report.total;
    let found = Found { args, shape: ran.shape, counts };
    let mut text = histogram::table(&found.parts(), Bars::on_stderr());
    let verified = args.verified();
    if let Some(bytes) = verified.and_then(|it| it.table_bytes) {
        let _ = writeln!(text, "table of duplicates: {} bytes", HumanCount(bytes as u64));
    }
    if let Some(bank) = verified.and_then(|it| it.bank.as_ref()) {
        let bytes = HumanCount(bank.table.bytes() as u64);
        let puzzles = HumanCount(bank.puzzles);
        let _ = writeln!(text, "table of the bank: {puzzles} puzzles, {bytes} bytes");
    }
    if counts.comments > 0 {
        let plural = if counts.comments == 1 { "" } else { "s" };
        let _ = writeln!(text, "{} comment line{plural} skipped", HumanCount(counts.comments));
    }
    text.trim_end().to_owned()
}

/// The answers that were not checked.
pub(super) fn unchecked(args: &VerifyArgs, ran: &Ran<'_>) -> Option<String> {
    let text = Found { args, shape: ran.shape, counts: &ran.report.total }.unchecked();
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

/// Adds what is no count, and replaces counts that were not asked for by null.
pub(super) fn describe(args: &VerifyArgs, ran: &Ran<'_>, object: &mut Value) {
    let of = |counts| Found { args, shape: ran.shape, counts };
    for (place, input) in ran.report.inputs.iter().enumerate() {
        of(&input.counts).describe(&mut object["inputs"][place]);
    }
    of(&ran.report.total).describe(object);
    object["answers_matched_by"] = json!(of(&ran.report.total).matched_by().map(MatchedBy::name));
    object["duplicate_table_bytes"] = json!(args.verified().and_then(|it| it.table_bytes));
    if let Some(bank) = args.verified().and_then(|it| it.bank.as_ref()) {
        object["bank"] = json!({
            "puzzles": bank.puzzles,
            "malformed": bank.malformed,
            "table_bytes": bank.table.bytes(),
        });
    }
}

impl Found<'_> {
    fn of(&self, tally: Tally) -> u64 {
        self.counts.own[tally.place()]
    }

    fn status(&self, status: Status) -> u64 {
        self.counts.own[status as usize]
    }

    fn matched_by(&self) -> Option<MatchedBy> {
        self.args.verified().and_then(|Verified { matched_by, .. }| *matched_by)
    }

    fn is_bounded(&self) -> bool {
        self.args.records.running.max_branches.is_some()
    }

    /// Whether puzzles of this status can be found.
    fn can_be(&self, status: Status) -> bool {
        match status {
            Status::Solved => false,
            Status::Unknown => self.is_bounded() && !self.args.trust_unique,
            Status::Malformed | Status::Conflict => true,
            Status::Unique | Status::Multiple | Status::None => !self.args.trust_unique,
        }
    }

    /// Which answers were not checked, because there are none.
    fn unchecked(&self) -> String {
        const HOW: &str = "--solutions FILE or --columns solution=COLUMN names them";
        if checked(self.counts) == 0 {
            return format!("no answers found: answers were not checked ({HOW})");
        }
        // Those that should have one are reported.
        match lacking(self.shape, self.counts) - self.of(Tally::Missing) {
            0 => String::new(),
            1 => "1 puzzle has no answer: it was not checked".to_owned(),
            lacking => {
                format!(
                    "{} puzzles have no answer: it was not checked ({HOW})",
                    HumanCount(lacking)
                )
            }
        }
    }

    /// The parts of the table that have something to say.
    fn parts(&self) -> Vec<Part> {
        let Self { args, shape, counts } = self;
        let row = |(name, tally): (&str, Tally)| (name.to_owned(), self.of(tally));
        let mut parts = vec![Part { title: "lines", of: counts.puzzles, rows: self.lines() }];
        let answers = checked(counts) + self.of(Tally::Missing);
        if answers > 0 {
            let mut rows = vec![("right", Tally::Right), ("valid but not unique", Tally::NotOnly)];
            if self.is_bounded() {
                rows.push(("valid but uniqueness unknown", Tally::Unproven));
            }
            rows.extend([("wrong", Tally::Wrong), ("missing", Tally::Missing)]);
            parts.push(Part {
                title: "answers",
                of: answers,
                rows: rows.into_iter().map(row).collect(),
            });
        }
        let mut asked = Vec::new();
        if args.minimal {
            asked.extend([("minimal", Tally::Minimal), ("not minimal", Tally::NotMinimal)]);
            if self.is_bounded() {
                asked.push(("minimality unknown", Tally::MinimalUnknown));
            }
        }
        if args.clues != (0..=81) {
            asked.push(("wrong number of clues", Tally::OutOfRange));
        }
        if args.duplicates.is_some() {
            asked.push(("duplicates", Tally::Duplicates));
        }
        if !args.against.is_empty() {
            asked.push(("in a bank", Tally::InBank));
        }
        if !asked.is_empty() {
            let rows = asked.into_iter().map(row).collect();
            parts.push(Part { title: "also asked", of: counts.puzzles, rows });
        }
        let unique = self.status(Status::Unique);
        if unique > 0 {
            let names = ["naked singles", "singles", "locked candidates", "search"];
            let grades = shape.get(counts, GRADES);
            let names = names.into_iter().map(str::to_owned);
            let mut rows: Vec<_> = names.zip(grades.iter().copied()).collect();
            let graded: u64 = grades.iter().sum();
            if graded < unique {
                rows.push(("not asked (sukakus)".to_owned(), unique - graded));
            }
            parts.push(Part { title: "puzzles with one solution fall to", of: unique, rows });
        }
        let clues = shape.get(counts, CLUES).iter().enumerate().filter(|&(_, &count)| count > 0);
        let rows: Vec<_> = clues.map(|(clues, &count)| (format!("{clues:>2}"), count)).collect();
        if !rows.is_empty() {
            let of = rows.iter().map(|(_, count)| count).sum();
            parts.push(Part { title: "clues", of, rows });
        }
        parts
    }

    fn lines(&self) -> Vec<(String, u64)> {
        let mut rows = vec![("puzzles", self.counts.puzzles), ("pass", self.of(Tally::Passed))];
        if self.args.trust_unique {
            rows.push(("legal (not solved)", self.of(Tally::NotSolved)));
        }
        let statuses = Status::ALL.iter().filter(|status| self.can_be(**status));
        rows.extend(statuses.map(|&status| (status.name(), self.status(status))));
        rows.into_iter().map(|(label, count)| (label.to_owned(), count)).collect()
    }

    /// Null for counts that were not asked for; each grade has its count.
    fn describe(&self, object: &mut Value) {
        let args = self.args;
        let answers = checked(self.counts) + self.of(Tally::Missing);
        let has_answers = answers > 0 || self.matched_by().is_some();
        let (solves, is_bounded) = (!args.trust_unique, self.is_bounded());
        for &tally in Tally::ALL {
            let is_asked = match tally {
                Tally::Passed | Tally::Sukakus => true,
                Tally::NotSolved => !solves,
                Tally::Right | Tally::Wrong | Tally::Missing | Tally::Unproven => has_answers,
                Tally::NotOnly => has_answers && solves,
                Tally::Minimal | Tally::NotMinimal | Tally::MinimalUnknown => args.minimal,
                Tally::OutOfRange => args.clues != (0..=81),
                Tally::Duplicates => args.duplicates.is_some(),
                Tally::InBank => !args.against.is_empty(),
            };
            // Some counts are there only if they can be.
            let is_there = match tally {
                Tally::Unproven | Tally::MinimalUnknown => is_bounded,
                Tally::InBank => is_asked,
                _ => true,
            };
            let mut keys = tally.name().rsplit('.');
            let key = keys.next().unwrap_or_default();
            let object = keys.fold(&mut *object, |object, key| &mut object[key]);
            match object.as_object_mut() {
                Some(object) if !is_there => drop(object.remove(key)),
                Some(object) if !is_asked => drop(object.insert(key.to_owned(), Value::Null)),
                _ => {}
            }
        }
        let grades = Grade::ALL.iter().zip(self.shape.get(self.counts, GRADES));
        let grades = grades.map(|(grade, count)| (grade.name().to_owned(), json!(count)));
        object[GRADES] = solves.then(|| grades.collect::<Value>()).into();
        for &status in Status::ALL {
            let is_there = match status {
                Status::Solved => false,
                Status::Unknown => is_bounded,
                _ => true,
            };
            match object.as_object_mut() {
                Some(object) if !is_there => drop(object.remove(status.name())),
                _ if !self.can_be(status) => object[status.name()] = Value::Null,
                _ => {}
            }
        }
    }
}
