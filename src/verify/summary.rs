//! What a run found: a table for people, and its own keys in statistics.

use super::MatchedBy;
use super::args::VerifyArgs;
use super::tally::{CLUES, Tally};
use crate::cli::histogram::{self, Bars, Part};
use crate::cli::run::{Ran, skipped_comments};
use crate::run::{Counts, Shape};
use indicatif::HumanCount;
use serde_json::{Value, json};
use std::fmt::Write;

/// The counts of one part of the summary.
const ANSWERS: &[Tally] = Tally::between(Tally::Right, Tally::Missing);
const ASKED: &[Tally] = Tally::between(Tally::Minimal, Tally::InBank);

/// The counts of a run, or of one of its inputs.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) args: &'a VerifyArgs,
    pub(super) counts: &'a Counts,
}

impl Found<'_> {
    fn of(self, tally: Tally) -> u64 {
        self.counts.own[tally as usize]
    }

    /// Answers that were checked.
    fn checked(self) -> u64 {
        ANSWERS[..4].iter().map(|&tally| self.of(tally)).sum()
    }

    /// Puzzles without an answer.
    pub(super) fn lacking(self) -> u64 {
        self.counts.puzzles - self.of(Tally::Malformed) - self.checked()
    }

    /// Whether this run can count any.
    fn can_be(self, tally: Tally) -> bool {
        let args = self.args;
        let (solves, is_bounded) =
            (!args.trust_unique, args.records.running.max_branches.is_some());
        match tally {
            Tally::NotSolved => !solves,
            Tally::Unique | Tally::Multiple | Tally::None => solves,
            Tally::Unknown => solves && is_bounded,
            Tally::Unproven => is_bounded,
            Tally::Minimal | Tally::NotMinimal => args.minimal,
            Tally::MinimalUnknown => args.minimal && is_bounded,
            Tally::OutOfRange => args.clues != (0..=81),
            Tally::Duplicates => args.duplicates.is_some(),
            Tally::InBank => !args.against.is_empty(),
            _ if Tally::GRADES.contains(&tally) => args.grades(),
            _ => true,
        }
    }

    /// Which answers were not checked, because there are none.
    pub(super) fn unchecked(self) -> Option<String> {
        const HOW: &str = "--solutions FILE or --columns solution=COLUMN names them";
        if self.checked() == 0 {
            return Some(format!("no answers found: answers were not checked ({HOW})"));
        }
        // Those that should have one are reported.
        match self.lacking() - self.of(Tally::Missing) {
            0 => None,
            1 => Some("1 puzzle has no answer: it was not checked".to_owned()),
            lacking => {
                let lacking = HumanCount(lacking);
                Some(format!("{lacking} puzzles have no answer: it was not checked ({HOW})"))
            }
        }
    }

    /// A part of the table, if it counts anything.
    fn part(self, title: &'static str, of: u64, tallies: &[Tally]) -> Option<Part> {
        let rows = tallies.iter().filter(|&&tally| self.can_be(tally));
        let rows: Vec<_> =
            rows.map(|&tally| (tally.summary().to_owned(), self.of(tally))).collect();
        Some(Part { title, of, rows }).filter(|part| part.of > 0 && !part.rows.is_empty())
    }

    /// The parts of the table that have something to say.
    fn parts(self, shape: &Shape) -> Vec<Part> {
        let puzzles = self.counts.puzzles;
        let mut lines = Part { title: "lines", of: puzzles, rows: Vec::new() };
        lines.rows.push(("puzzles".to_owned(), puzzles));
        let outcomes = [&[Tally::Passed, Tally::NotSolved], Tally::STATUSES].concat();
        lines.rows.extend(self.part("", 1, &outcomes).into_iter().flat_map(|part| part.rows));
        let unique = self.of(Tally::Unique);
        let mut grades =
            self.part("puzzles with one solution, by the rules they need", unique, Tally::GRADES);
        if let Some(Part { rows, .. }) = &mut grades {
            let graded: u64 = rows.iter().map(|(_, count)| count).sum();
            if graded < unique {
                rows.push(("not asked (sukakus)".to_owned(), unique - graded));
            }
        }
        let clues = shape.get(self.counts, CLUES).iter().enumerate();
        let rows = clues.map(|(clues, &count)| (format!("{clues:>2}"), count));
        let rows: Vec<_> = rows.filter(|(_, count)| *count > 0).collect();
        let of = rows.iter().map(|(_, count)| count).sum();
        let answers = self.checked() + self.of(Tally::Missing);
        let parts = [
            Some(lines),
            self.part("answers", answers, ANSWERS),
            // An empty list has these rows, too.
            self.part("also asked", puzzles.max(1), ASKED).map(|part| Part { of: puzzles, ..part }),
            grades,
            Some(Part { title: "clues", of, rows }).filter(|part| part.of > 0),
        ];
        parts.into_iter().flatten().collect()
    }

    /// Null for counts that were not asked for.
    fn describe(self, object: &mut Value) {
        let args = self.args;
        let is_matched = args.verified.as_ref().is_some_and(|it| it.matched_by.is_some());
        let has_answers = self.checked() + self.of(Tally::Missing) > 0 || is_matched;
        for &tally in Tally::ALL {
            let is_asked = self.can_be(tally)
                && (has_answers || !ANSWERS.contains(&tally))
                && !(args.trust_unique && tally == Tally::NotOnly);
            let is_bounded = args.records.running.max_branches.is_some();
            let is_there = match tally {
                Tally::InBank => is_asked,
                _ => is_bounded || !Tally::OPTIONAL.contains(&tally),
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
        if !args.grades() {
            object["falls_to"] = Value::Null;
        }
    }
}

/// All counts, aligned.
pub(super) fn text(args: &VerifyArgs, ran: &Ran<'_>) -> String {
    let counts = &ran.report.total;
    let found = Found { args, counts };
    let mut text = histogram::table(&found.parts(ran.shape), Bars::on_stderr());
    if let Some(bank) = &args.bank {
        let _ = writeln!(text, "bank: {} puzzles", HumanCount(bank.puzzles));
    }
    text.push_str(&skipped_comments(counts.comments));
    text.trim_end().to_owned()
}

/// Adds what is no count, and replaces counts that were not asked for by null.
pub(super) fn describe(args: &VerifyArgs, ran: &Ran<'_>, object: &mut Value) {
    for (place, input) in ran.report.inputs.iter().enumerate() {
        Found { args, counts: &input.counts }.describe(&mut object["inputs"][place]);
    }
    Found { args, counts: &ran.report.total }.describe(object);
    let verified = args.verified.as_ref();
    let matched_by = verified.and_then(|it| it.matched_by);
    object["answers_matched_by"] = json!(matched_by.map(MatchedBy::name));
    if let Some(bank) = &args.bank {
        object["bank"] = json!({
            "puzzles": bank.puzzles,
            "malformed": bank.malformed,
        });
    }
}
