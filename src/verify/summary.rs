//! What a run found: a table for people, and its own keys in statistics.

use super::args::VerifyArgs;
use super::tally::VerifyCount;
use crate::cli::histogram::{self, HistogramPart};
use crate::run::{Clues, Counts};
use indicatif::HumanCount;
use serde_json::Value;

/// The counts of one part of the summary.
const ANSWERS: &[VerifyCount] = VerifyCount::between(VerifyCount::Right, VerifyCount::Missing);
const ASKED: &[VerifyCount] = VerifyCount::between(VerifyCount::Minimal, VerifyCount::InBank);

/// How answers are found.
pub(super) const HOW: &str = "--solutions FILE or --columns solution=COLUMN names them";

/// The counts of a run, or of one of its inputs.
#[derive(Clone, Copy)]
pub(super) struct VerifyTotals<'a> {
    pub(super) args: &'a VerifyArgs,
    pub(super) counts: &'a Counts,
}

impl VerifyTotals<'_> {
    fn of(self, tally: VerifyCount) -> u64 {
        self.counts[tally]
    }

    /// Answers that were checked.
    fn checked(self) -> u64 {
        ANSWERS[..4].iter().map(|&tally| self.of(tally)).sum()
    }

    /// Puzzles without an answer.
    pub(super) fn lacking(self) -> u64 {
        self.counts.puzzles - self.of(VerifyCount::Malformed) - self.checked()
    }

    /// Whether this run can count any.
    fn can_be(self, tally: VerifyCount) -> bool {
        let args = self.args;
        let (solves, is_bounded) = (!args.trust_unique, args.search.max_branches.is_some());
        match tally {
            VerifyCount::NotSolved => !solves,
            VerifyCount::Unique | VerifyCount::Multiple | VerifyCount::None => solves,
            VerifyCount::Unknown => solves && is_bounded,
            VerifyCount::Unproven => is_bounded,
            VerifyCount::Minimal | VerifyCount::NotMinimal => args.minimal,
            VerifyCount::MinimalUnknown => args.minimal && is_bounded,
            VerifyCount::OutOfRange => args.clues != (0..=81),
            VerifyCount::Duplicates => args.duplicates.is_some(),
            VerifyCount::InBank => !args.against.is_empty(),
            _ if VerifyCount::GRADES.contains(&tally) => args.grades(),
            _ => true,
        }
    }

    /// Which answers were not checked, because there are none, on a line of its own.
    pub(super) fn unchecked(self) -> String {
        // Those that should have one are reported.
        match self.lacking() - self.of(VerifyCount::Missing) {
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
    fn rows(self, tallies: &[VerifyCount]) -> Vec<(String, u64)> {
        let tallies = tallies.iter().filter(|&&tally| self.can_be(tally));
        tallies.map(|&tally| (tally.summary().to_owned(), self.of(tally))).collect()
    }

    /// All counts, aligned. An empty list has what was asked, too.
    pub(super) fn table(self) -> String {
        let (puzzles, unique) = (self.counts.puzzles, self.of(VerifyCount::Unique));
        let mut lines = vec![("puzzles".to_owned(), puzzles)];
        lines.extend(self.rows(&[VerifyCount::Passed, VerifyCount::NotSolved]));
        lines.extend(self.rows(VerifyCount::STATUSES));
        let mut grades = self.rows(VerifyCount::GRADES);
        let graded: u64 = grades.iter().map(|(_, count)| count).sum();
        if !grades.is_empty() && graded < unique {
            grades.push(("not asked (sukakus)".to_owned(), unique - graded));
        }
        let clues = self.counts.all::<Clues>().iter().enumerate();
        let clues = clues.map(|(clues, &count)| (format!("{clues:>2}"), count));
        let clues: Vec<_> = clues.filter(|(_, count)| *count > 0).collect();
        let of_clues = clues.iter().map(|(_, count)| count).sum();
        let part = |title, of, rows| HistogramPart { title, of, rows };
        let mut parts = vec![
            part("lines", puzzles, lines),
            part("answers", self.checked() + self.of(VerifyCount::Missing), self.rows(ANSWERS)),
            part("also asked", puzzles, self.rows(ASKED)),
            part("puzzles with one solution, by the rules they need", unique, grades),
            part("clues", of_clues, clues),
        ];
        let is_asked =
            |part: &HistogramPart| part.of > 0 || ["lines", "also asked"].contains(&part.title);
        parts.retain(|part| !part.rows.is_empty() && is_asked(part));
        histogram::table(&parts, histogram::columns())
    }

    /// Null for counts that were not asked for.
    pub(super) fn describe(self, object: &mut Value) {
        let args = self.args;
        let has_answers =
            self.checked() + self.of(VerifyCount::Missing) > 0 || args.solutions.is_some();
        let is_bounded = args.search.max_branches.is_some();
        for &tally in VerifyCount::ALL {
            let is_asked = self.can_be(tally)
                && (has_answers || !ANSWERS.contains(&tally))
                && !(args.trust_unique && tally == VerifyCount::NotOnly);
            let is_possible = if tally == VerifyCount::InBank { is_asked } else { is_bounded };
            let is_there = is_possible || !VerifyCount::OPTIONAL.contains(&tally);
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
        if !args.grades() {
            object["falls_to"] = Value::Null;
        }
    }
}
