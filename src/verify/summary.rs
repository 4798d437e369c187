//! What a run found: a table for people, and its own keys in statistics.

use super::args::VerifyArgs;
use super::tally::Tally;
use crate::cli::histogram::{self, Part};
use crate::run::{Clues, Counts};
use indicatif::HumanCount;
use serde_json::Value;

/// The counts of one part of the summary.
const ANSWERS: &[Tally] = Tally::between(Tally::Right, Tally::Missing);
const ASKED: &[Tally] = Tally::between(Tally::Minimal, Tally::InBank);

/// How answers are found.
pub(super) const HOW: &str = "--solutions FILE or --columns solution=COLUMN names them";

/// The counts of a run, or of one of its inputs.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) args: &'a VerifyArgs,
    pub(super) counts: &'a Counts,
}

impl Found<'_> {
    fn of(self, tally: Tally) -> u64 {
        self.counts[tally]
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
        let (args, verify) = (self.args, &self.args.verify);
        let (solves, is_bounded) =
            (!verify.trust_unique, args.records.running.max_branches.is_some());
        match tally {
            Tally::NotSolved => !solves,
            Tally::Unique | Tally::Multiple | Tally::None => solves,
            Tally::Unknown => solves && is_bounded,
            Tally::Unproven => is_bounded,
            Tally::Minimal | Tally::NotMinimal => verify.minimal,
            Tally::MinimalUnknown => verify.minimal && is_bounded,
            Tally::OutOfRange => verify.clues != (0..=81),
            Tally::Duplicates => verify.duplicates.is_some(),
            Tally::InBank => !args.against.is_empty(),
            _ if Tally::GRADES.contains(&tally) => verify.grades(),
            _ => true,
        }
    }

    /// Which answers were not checked, because there are none, on a line of its own.
    pub(super) fn unchecked(self) -> String {
        // Those that should have one are reported.
        match self.lacking() - self.of(Tally::Missing) {
            _ if self.checked() == 0 => {
                format!("\nno answers found: answers were not checked ({HOW})")
            }
            0 => String::new(),
            1 => "\n1 puzzle has no answer: it was not checked".to_owned(),
            lacking => {
                let lacking = HumanCount(lacking);
                format!("\n{lacking} puzzles have no answer: it was not checked ({HOW})")
            }
        }
    }

    /// The rows of those counts that this run can have.
    fn rows(self, tallies: &[Tally]) -> Vec<(String, u64)> {
        let tallies = tallies.iter().filter(|&&tally| self.can_be(tally));
        tallies.map(|&tally| (tally.summary().to_owned(), self.of(tally))).collect()
    }

    /// All counts, aligned. An empty list has what was asked, too.
    pub(super) fn table(self) -> String {
        let (puzzles, unique) = (self.counts.puzzles, self.of(Tally::Unique));
        let mut lines = vec![("puzzles".to_owned(), puzzles)];
        lines.extend(self.rows(&[Tally::Passed, Tally::NotSolved]));
        lines.extend(self.rows(Tally::STATUSES));
        let mut grades = self.rows(Tally::GRADES);
        let graded: u64 = grades.iter().map(|(_, count)| count).sum();
        if !grades.is_empty() && graded < unique {
            grades.push(("not asked (sukakus)".to_owned(), unique - graded));
        }
        let clues = self.counts.all::<Clues>().iter().enumerate();
        let clues = clues.map(|(clues, &count)| (format!("{clues:>2}"), count));
        let clues: Vec<_> = clues.filter(|(_, count)| *count > 0).collect();
        let of_clues = clues.iter().map(|(_, count)| count).sum();
        let part = |title, of, rows| Part { title, of, rows };
        let mut parts = vec![
            part("lines", puzzles, lines),
            part("answers", self.checked() + self.of(Tally::Missing), self.rows(ANSWERS)),
            part("also asked", puzzles, self.rows(ASKED)),
            part("puzzles with one solution, by the rules they need", unique, grades),
            part("clues", of_clues, clues),
        ];
        let is_asked = |part: &Part| part.of > 0 || ["lines", "also asked"].contains(&part.title);
        parts.retain(|part| !part.rows.is_empty() && is_asked(part));
        histogram::table(&parts, histogram::columns())
    }

    /// Null for counts that were not asked for.
    pub(super) fn describe(self, object: &mut Value) {
        let args = self.args;
        let has_answers = self.checked() + self.of(Tally::Missing) > 0 || args.matched_by.is_some();
        let is_bounded = args.records.running.max_branches.is_some();
        for &tally in Tally::ALL {
            let is_asked = self.can_be(tally)
                && (has_answers || !ANSWERS.contains(&tally))
                && !(args.verify.trust_unique && tally == Tally::NotOnly);
            let is_possible = if tally == Tally::InBank { is_asked } else { is_bounded };
            let is_there = is_possible || !Tally::OPTIONAL.contains(&tally);
            let (object, key) = match tally.name().split_once('.') {
                Some((group, key)) => (&mut object[group], key),
                None => (&mut *object, tally.name()),
            };
            match object.as_object_mut() {
                Some(object) if !is_there => drop(object.remove(key)),
                Some(object) if !is_asked => drop(object.insert(key.to_owned(), Value::Null)),
                _ => {}
            }
        }
        if !args.verify.grades() {
            object["falls_to"] = Value::Null;
        }
    }
}
