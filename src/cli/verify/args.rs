//! What was typed after `ninefold verify`.

use super::super::parsers;
use super::super::reading::InputArgs;
use super::super::running::RunArgs;
use clap::Args;
use ninefold::engine::EngineKind;
use ninefold::verify::{Finding, FindingSet, View};
use std::ops::RangeInclusive;
use std::path::PathBuf;

const ABOUT: &str = "\
Judge a collection: is every puzzle legal, unique, rightly answered, new?

Reads everything that solve reads. Each puzzle is to be well-formed, with no digit twice in a house,
and with just one solution. If there is a column of solutions, or --solutions, each answer is to be
full, legal, and to keep every clue: that is checked by the rules, without solving. A right answer to
a puzzle with several solutions is valid, not the only one; the puzzle fails, and not its answer.";

const AFTER: &str = "\
Records:
  A line for each fault, and nothing for a puzzle that passes:
    a.txt:17: column 4: expected 1 to 9, '.' or '0', found 'x'
    a.txt:18: 3 twice in row 4 (columns 2 and 9)
    a.txt:19: no solution
    a.txt:20: more than one solution
    a.txt:21: answer: row 1 column 1 is 6 where the clue is 5
    a.txt:22: no answer given
    a.txt:23: not minimal: this clue can be left out: 5 in row 1 column 1        (--minimal)
    a.txt:24: expected 17 to 30 clues, found 31                                  (--clues)
    a.txt:25: same puzzle as a.txt:3                                             (--duplicates)
    a.txt:26: answer s.txt:17: row 9 column 9 is blank                           (--solutions)
    s.txt:27: 2 answers without a puzzle, from here on                           (--solutions)
  With --format csv or jsonl a record for every line. The summary on standard error counts each
  kind, the clues, and what the puzzles with one solution fall to: naked singles alone, naked and
  hidden singles, these and locked candidates, or else they need search.

Exit codes:
  0  everything passes; or the reader of standard output has gone
  1  the run is complete, but something does not
  2  it could not run: wrong usage, or an input or output that cannot be read or written

Examples:
  ninefold verify puzzles.txt
  ninefold verify --minimal --duplicates --clues 17..30 a.txt b.txt
  ninefold verify --trust-unique sudoku.csv              only the answers, near memory speed
  ninefold verify puzzles.txt --solutions solutions.txt
  ninefold verify --format csv puzzles.txt -o verdicts.csv";

/// `ninefold verify`
#[derive(Debug, Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(after_help = "--help says more: what is asked, the records, exit codes, examples.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(super) reading: InputArgs,

    /// Take the answers from FILE, the first for the first puzzle and so on
    ///
    /// A column of solutions is then not looked at. The answer in a line of FILE is what stands in the
    /// column or key called solution or answer, or if there is none the last full field of 81
    /// cells. A count, a header, comments and empty lines are passed over; what solve writes for a
    /// puzzle without a solution stands for no answer.
    #[arg(long, value_name = "FILE")]
    pub(super) solutions: Option<PathBuf>,

    /// Fail if a puzzle has no answer
    ///
    /// The exit code is 2: at the start if an input has no field of answers, or at the end if
    /// the answers of some puzzles are missing.
    #[arg(long)]
    pub(super) require_answers: bool,

    /// Take it on trust that a legal puzzle has just one solution
    ///
    /// Nothing is solved: puzzles are to be well-formed and legal, and answers right. What puzzles
    /// fall to is not found out then.
    #[arg(long, conflicts_with_all = ["minimal", "show_two"])]
    pub(super) trust_unique: bool,

    /// Ask whether a clue can be left out with the solution still the only one, and say which
    ///
    /// Sukakus are not asked: they have candidates, and not clues.
    #[arg(long)]
    pub(super) minimal: bool,

    /// Look for puzzles that came before, in any of the inputs
    ///
    /// However their blanks are written. Grids and sukakus are looked for among their own. Takes up
    /// to 31 bytes of memory for each puzzle (3.2 GB for 100 million), and 49 (a sukaku 100) in a
    /// temporary file (in TMPDIR), where puzzles are read again to be sure.
    #[arg(long)]
    pub(super) duplicates: bool,

    /// How many clues a puzzle should have: 17..30, 17.., ..30 or 17
    #[arg(long, value_name = "MIN..MAX", value_parser = clues, default_value = "0..81")]
    pub(super) clues: RangeInclusive<usize>,

    /// Show two different solutions of each puzzle that has more than one
    #[arg(long)]
    pub(super) show_two: bool,

    /// Write the records to FILE, not to standard output
    ///
    /// FILE appears when it is complete; until then it is FILE.partial. It cannot be one of the inputs. Compressed if it ends in .gz or .zst.
    #[arg(short, long, value_name = "FILE", value_parser = parsers::output())]
    pub(super) output: Option<PathBuf>,

    /// Replace existing output files, and the partial files of earlier runs
    #[arg(long)]
    pub(super) force: bool,

    /// What a record looks like
    #[arg(long, value_name = "FORMAT", default_value = "report", value_parser = parsers::named::<View>())]
    pub(super) format: View,

    /// Write only these faults, divided by commas; of csv and jsonl the lines that have one
    ///
    /// What is left out is counted all the same, and in the exit code.
    #[arg(long, value_name = "FAULT", value_delimiter = ',', value_parser = parsers::named::<Finding>())]
    #[arg(conflicts_with = "except")]
    pub(super) only: Option<Vec<Finding>>,

    /// Write all but these
    #[arg(long, value_name = "FAULT", value_delimiter = ',', value_parser = parsers::named::<Finding>())]
    pub(super) except: Option<Vec<Finding>>,

    /// What solves: see `ninefold engines`
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>())]
    pub(super) engine: EngineKind,

    #[command(flatten)]
    pub(super) running: RunArgs,
}

impl VerifyArgs {
    /// Which faults, or lines, are written.
    pub(super) fn select(&self) -> FindingSet {
        match (&self.only, &self.except) {
            (Some(only), _) => FindingSet::of(only),
            (None, Some(except)) => FindingSet::of(except).complement(),
            (None, None) => FindingSet::ALL,
        }
    }
}

/// Takes a range of clues.
fn clues(text: &str) -> Result<RangeInclusive<usize>, String> {
    const MOST: usize = 81;
    let number = |text: &str, otherwise: usize| {
        if text.is_empty() { Some(otherwise) } else { text.parse().ok().filter(|&it| it <= MOST) }
    };
    let range = match text.split_once("..") {
        Some((least, most)) => {
            let most = most.strip_prefix('=').unwrap_or(most);
            number(least, 0).zip(number(most, MOST))
        }
        None if text.is_empty() => None,
        None => number(text, 0).map(|both| (both, both)),
    };
    let range = range.filter(|(least, most)| least <= most);
    let (least, most) = range.ok_or("expected MIN..MAX, such as 17..30, of 0 to 81")?;
    Ok(least..=most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_clues_may_be_open_or_a_number() {
        assert_eq!(clues("17..30"), Ok(17..=30));
        assert_eq!(clues("17..=30"), Ok(17..=30));
        assert_eq!(clues("17.."), Ok(17..=81));
        assert_eq!(clues("..30"), Ok(0..=30));
        assert_eq!(clues("17"), Ok(17..=17));
        assert!(
            ["", "x", "30..17", "0..82", "-1..3", "1..2..3"]
                .into_iter()
                .all(|it| clues(it).is_err())
        );
    }
}
