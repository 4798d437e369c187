//! The summary of `canon`: two lines for people, one JSON object for programs.

use super::super::comments::SkippedComments;
use super::super::progress::per_second;
use super::super::records::Ran;
use super::merge::MERGER;
use indicatif::HumanCount;
use ninefold::canon::{FormKind, Outcome, Stats};
use serde_json::json;
use std::env;
use std::fmt;

/// A run that came to its end.
pub(super) struct Summary<'a> {
    pub(super) ran: &'a Ran<'a, Stats>,
    pub(super) form: FormKind,
    /// Whether puzzles can be unknown.
    pub(super) is_bounded: bool,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stats { puzzles, automorphic, .. } = self.ran.report.total;
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        write!(f, "{} puzzle{}: ", HumanCount(puzzles), plural(puzzles))?;
        let mut comma = "";
        for &outcome in Outcome::ALL.iter().filter(|outcome| self.has(**outcome)) {
            let count = self.ran.report.total.of(outcome);
            write!(f, "{comma}{} {outcome}", HumanCount(count))?;
            if outcome == Outcome::Canonical {
                write!(f, " ({} with automorphisms)", HumanCount(automorphic))?;
            }
            comma = ", ";
        }
        write!(f, "{}", SkippedComments(self.ran.report.total.comments))?;
        let threads = self.ran.report.threads;
        let (rate, megabytes) = (self.puzzles_per_second(), self.megabytes_per_second());
        write!(f, "\n{:.3} s, {} puzzles/s", self.ran.time.as_secs_f64(), HumanCount(rate))?;
        write!(f, ", {megabytes:.1} MB/s, {threads} thread{}", plural(threads as u64))?;
        write!(f, ", form {}", self.form)
    }
}

impl Summary<'_> {
    /// Whether puzzles can have this outcome with this form.
    fn has(&self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Canonical | Outcome::Malformed => true,
            Outcome::Unknown => self.is_bounded && self.form == FormKind::Solution,
            Outcome::Sukaku => self.form == FormKind::Minlex,
            _ => self.form == FormKind::Solution,
        }
    }

    fn puzzles_per_second(&self) -> u64 {
        per_second(self.ran.report.total.puzzles, self.ran.time)
    }

    /// Millions of bytes read each second.
    #[expect(clippy::cast_precision_loss, reason = "shown to a tenth")]
    fn megabytes_per_second(&self) -> f64 {
        per_second(self.ran.report.total.bytes, self.ran.time) as f64 / 1e6
    }

    /// The summary and more as one JSON object, with a line end.
    pub(super) fn to_json(&self) -> String {
        let Ran { report, time, .. } = self.ran;
        let arguments: Vec<_> =
            env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let mut object = json!(report.total);
        object["program"] = json!("ninefold");
        object["version"] = json!(env!("CARGO_PKG_VERSION"));
        object["arguments"] = json!(arguments);
        object["form"] = json!(self.form.name());
        object["threads"] = json!(report.threads);
        object["seconds"] = json!(time.as_secs_f64());
        object["solve_seconds"] = json!(report.solve_time.as_secs_f64());
        object["puzzles_per_second"] = json!(self.puzzles_per_second());
        object["megabytes_per_second"] = json!(self.megabytes_per_second());
        MERGER.describe(&mut object, self.ran);
        format!("{object:#}\n")
    }
}
