//! What a run found, and the lines of its summary that all commands have.

use super::{Typed, counted, per_second};
use crate::run::{Counts, Firsts, Report};
use indicatif::HumanCount;
use std::fmt::Display;
use std::time::Duration;

/// A run that came to its end.
pub(crate) struct Ran<'a> {
    pub(crate) typed: &'a Typed,
    pub(crate) report: &'a Report,
    pub(crate) time: Duration,
}

impl Ran<'_> {
    /// The counts of all inputs.
    pub(crate) const fn total(&self) -> &Counts {
        &self.report.total
    }

    /// The counts of statuses. Without a bound no puzzle is `unknown`.
    pub(crate) fn statuses(&self) -> impl Iterator<Item = (&str, u64)> {
        let is_bounded = self.typed.args.search.max_branches.is_some();
        self.total().listed().filter(move |(name, _)| is_bounded || *name != "unknown")
    }

    pub(crate) fn puzzles_per_second(&self) -> u64 {
        per_second(self.total().puzzles, self.time)
    }

    /// Millions of bytes read each second.
    #[expect(clippy::cast_precision_loss, reason = "shown to a tenth")]
    pub(crate) fn megabytes_per_second(&self) -> f64 {
        per_second(self.total().bytes, self.time) as f64 / 1e6
    }
}

/// `1,000 puzzles: 7 unique, 993 none; 2 comment lines skipped`: the first line of most summaries.
pub(crate) fn count_line<'a, D: Display + 'a>(
    total: &Counts,
    counts: impl IntoIterator<Item = (D, u64)>,
) -> String {
    let counts = counts.into_iter().map(|(name, count)| format!("{} {name}", HumanCount(count)));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let mut text = format!("{}: {counts}", counted(total.puzzles, "puzzle"));
    if let Some(skipped) = skipped_lines(total) {
        text = format!("{text}; {skipped}");
    }
    text
}

/// `2 comment lines and 1 line between grids skipped`.
pub(crate) fn skipped_lines(total: &Counts) -> Option<String> {
    let between = format!("{} between grids", counted(total.between_grids, "line"));
    let lines =
        [(total.comments, counted(total.comments, "comment line")), (total.between_grids, between)];
    let lines: Vec<_> = lines.into_iter().filter(|it| it.0 > 0).map(|it| it.1).collect();
    (!lines.is_empty()).then(|| format!("{} skipped", lines.join(" and ")))
}

/// The full grids: how many are among puzzles with blanks and where the first is, or that there are no others.
pub(super) fn full_grids(report: &Report) -> Option<String> {
    let total = &report.total;
    let found = if total.full_grids == 0 {
        return None;
    } else if is_mixed(total) {
        let full = counted(total.full_grids, "full grid");
        let first = first_place(report, |firsts| firsts.full);
        format!("{full} among puzzles with blanks, the first is {first}")
    } else if total.full_grids == 1 {
        "the puzzle is a full grid".to_owned()
    } else {
        format!("all {} puzzles are full grids", HumanCount(total.full_grids))
    };
    let they = if total.full_grids == 1 { "it is an answer" } else { "they are answers" };
    Some(format!("{found}; if {they}, name the puzzles with --columns"))
}

/// The name of the first input that has such a line, and the line: `a.txt:7`. In a shard the lines before it are
/// counted only now. If they cannot be read any more, the line is that of the part.
pub(crate) fn first_place(report: &Report, of: impl Fn(&Firsts) -> Option<u64>) -> String {
    let place = report.inputs.iter().find_map(|input| {
        let line = of(&input.firsts)?;
        Some(match input.lines_before.count() {
            Ok(before) => format!("{}:{}", input.name, before + line),
            Err(_) => format!("line {line} of this part of {}", input.name),
        })
    });
    place.unwrap_or_default()
}

/// Whether some puzzles have blanks, and others have none.
pub(crate) fn is_mixed(counts: &Counts) -> bool {
    let malformed: u64 = counts.reasons.iter().sum();
    (1..counts.puzzles - malformed).contains(&counts.full_grids)
}
