//! What was typed after `ninefold generate`.

use super::super::parsers;
use super::super::running::RunArgs;
use super::pattern::{self, Pattern};
use clap::ArgGroup;
use ninefold::difficulty::Grade;
use ninefold::generate::{Recipe, Symmetry};
use ninefold::output::{Format, Style};
use ninefold::puzzle::Cell;
use ninefold::puzzle::parse::Blanks;
use std::ops::RangeInclusive;
use std::path::PathBuf;

const ABOUT: &str = "\
Make puzzles, each proven to have one solution

Fills random grids and takes clues away in random order as long as there is one solution. What is
not said otherwise is minimal: no clue can go. One puzzle a line, . for a blank.";

const AFTER: &str = "\
The same seed gives the same bytes: on every machine, for any number of threads, with any vectors,
in every build of this version. A puzzle depends on the options, the seed and its place alone, so
a longer run begins with the puzzles of a shorter one (with --from and --transform, if there is
just one grid or puzzle: the places of the next depend on --count).

Exit codes:
  0  every puzzle is as asked for; or the reader of standard output has gone
  1  the run is complete, but some puzzles could not be made, or have more or fewer clues than
     asked for, or lines of FILE were no grids
  2  it could not run: wrong usage, or an input or output that cannot be read or written
  130, 143  SIGINT or SIGTERM asked for the end: what was made is written, with -o FILE to
     FILE.partial

Examples:
  ninefold generate --count 1000000 --seed 1 -o minimal.txt
  ninefold generate --count 1000 --clues 24..26 --symmetry rotate
  ninefold generate --count 1000 --easy --clues 30 --with-solution
  ninefold generate --count 10 --needs-search --pattern frame.txt
  ninefold generate --transform puzzles.txt --count 8 --seed 1 > shuffled.txt";

/// `ninefold generate`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(after_help = "--help says more: what the seed settles, exit codes, examples.")]
#[command(group(ArgGroup::new("grade")))]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(in crate::cli) struct GenerateArgs {
    /// How many puzzles; with --from and --transform how many of each grid or puzzle
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(super) count: u64,

    /// The number that all random numbers come from
    ///
    /// If not given, one is drawn, and the summary says which.
    #[arg(short, long, value_name = "S")]
    pub(super) seed: Option<u64>,

    /// Write the puzzles to FILE, not to standard output
    ///
    /// FILE appears when it is complete; until then it is FILE.partial. It cannot be one that is read. - is standard output. Compressed if it
    /// ends in .gz or .zst.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Replace FILE if it exists, and what an earlier run left of it
    #[arg(long)]
    pub(super) force: bool,

    /// No clue can go: take away as many as there is one solution for
    ///
    /// Done unless --clues, --pattern, --easy, --singles or --locked is given. With one of these,
    /// minimal puzzles are made until one is as asked for. With a symmetry, none of the clues that
    /// go together can go.
    #[arg(long, help_heading = "Puzzles", conflicts_with = "pattern")]
    pub(super) minimal: bool,

    /// So many clues, or from MIN to MAX; 24.. and ..24 are ranges, too
    ///
    /// Clues are taken away until there are so many; of a range, until a number drawn for each grid,
    /// each as likely. A grid that does not get there counts if it ends in the range, so where few
    /// clues are rare, there are more of the higher numbers. If that is not reached with any of --attempts
    /// grids, the puzzle that comes nearest is given, and the exit code is 1: below 22 it takes
    /// long, below 19 it is in vain.
    #[arg(long, value_name = "K|MIN..MAX", value_parser = clues, help_heading = "Puzzles")]
    #[arg(conflicts_with = "pattern")]
    pub(super) clues: Option<RangeInclusive<usize>>,

    /// The symmetry of the cells that have a clue
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = parsers::named::<Symmetry>())]
    #[arg(help_heading = "Puzzles", conflicts_with = "pattern")]
    pub(super) symmetry: Symmetry,

    /// The cells that have a clue: 81 characters, or a file of them
    ///
    /// 1 to 9, x or * for a clue, . 0 _ or - for a blank; in a file, spaces and line ends do not
    /// count, nor do lines that begin with #. Random grids are tried, up to --attempts, until one
    /// has no other solution with these clues. With few clues that may be in vain.
    #[arg(long, value_name = "FILE|CELLS", value_parser = pattern::parse)]
    #[arg(help_heading = "Puzzles", allow_hyphen_values = true)]
    pub(super) pattern: Option<Pattern>,

    /// Puzzles that fall to naked singles: some cell has always one candidate
    #[arg(long, group = "grade", help_heading = "Puzzles")]
    easy: bool,

    /// Puzzles that fall to naked and hidden singles, and not to naked ones alone
    #[arg(long, group = "grade", help_heading = "Puzzles")]
    singles: bool,

    /// Puzzles that fall to singles and locked candidates, and not to singles alone
    #[arg(long, group = "grade", help_heading = "Puzzles")]
    locked: bool,

    /// Puzzles that fall to none of these
    #[arg(long, group = "grade", help_heading = "Puzzles")]
    needs_search: bool,

    /// Grids that are tried for one puzzle
    ///
    /// Where none leads to one as asked for, the puzzle is missing. The run ends when more could not
    /// be made than could.
    #[arg(long, value_name = "N", default_value_t = Recipe::ATTEMPTS, help_heading = "Puzzles")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) attempts: u64,

    /// Take the full grids of FILE, rather than random ones
    ///
    /// Of each, --count puzzles are made. Files are read as `solve` does; where a solution stands
    /// beside a puzzle, it is taken. - is standard input.
    #[arg(long, value_name = "FILE", help_heading = "Made from", conflicts_with = "transform")]
    pub(super) from: Vec<PathBuf>,

    /// Make shuffled copies of the puzzles of FILE, --count of each
    ///
    /// Digits are renamed, rows moved in their band and columns in their stack, bands and stacks
    /// moved, and rows and columns perhaps exchanged: one of 9! x 6^8 x 2 ways, each as likely. A
    /// copy has as many solutions as the puzzle, and is as hard. - is standard input.
    #[arg(long, value_name = "FILE", help_heading = "Made from")]
    #[arg(conflicts_with_all = ["minimal", "clues", "symmetry", "pattern", "grade"])]
    pub(super) transform: Vec<PathBuf>,

    /// Never give the same puzzle twice (the default)
    ///
    /// Takes 10 to 20 bytes of memory for each puzzle. What has been there before is drawn again.
    #[arg(long, overrides_with = "allow_duplicates", help_heading = "Output")]
    distinct: bool,

    /// Do not look whether a puzzle has been there before
    #[arg(long, help_heading = "Output")]
    pub(super) allow_duplicates: bool,

    /// Give each puzzle with its solution: puzzle,solution; the same as --format pair
    ///
    /// A copy of a puzzle that has not just one has nothing behind the comma.
    #[arg(long, help_heading = "Output", conflicts_with = "format")]
    with_solution: bool,

    /// What a record looks like
    ///
    /// line: the puzzle. pair: puzzle,solution. csv: a table with the columns
    /// line,status,solutions,puzzle,solution. jsonl: an object a line with these keys.
    #[arg(long, value_name = "FORMAT", default_value = "line", help_heading = "Output")]
    #[arg(value_parser = parsers::named::<Format>(), hide_possible_values = true)]
    format: Format,

    /// Write csv without a header
    #[arg(long, help_heading = "Output")]
    no_header: bool,

    /// Write blanks as this character
    #[arg(long, value_name = "CHAR", default_value = ".", value_parser = blank)]
    #[arg(help_heading = "Output", allow_hyphen_values = true)]
    blank: u8,

    #[command(flatten)]
    pub(super) running: RunArgs,
}

impl GenerateArgs {
    /// How puzzles are to be, with this seed.
    pub(super) fn recipe(&self, seed: u64) -> Recipe {
        let grade = self.grade();
        let dug_for = grade.is_some_and(|grade| grade < Grade::Search);
        let minimal = self.clues.is_none() && self.pattern.is_none() && !dug_for;
        Recipe {
            seed,
            clues: self.clues.clone(),
            minimal: self.minimal || minimal,
            symmetry: self.symmetry,
            pattern: self.pattern.as_ref().map(|pattern| pattern.cells),
            grade,
            attempts: self.attempts,
        }
    }

    fn grade(&self) -> Option<Grade> {
        let asked = [
            (self.easy, Grade::NakedSingles),
            (self.singles, Grade::Singles),
            (self.locked, Grade::LockedCandidates),
            (self.needs_search, Grade::Search),
        ];
        asked.into_iter().find_map(|(asked, grade)| asked.then_some(grade))
    }

    /// How puzzles are written.
    pub(super) fn style(&self) -> Style {
        let format = if self.with_solution { Format::Pair } else { self.format };
        Style { format, blank: self.blank, header: !self.no_header, ..Style::default() }
    }

    /// The files that are read.
    pub(super) fn inputs(&self) -> &[PathBuf] {
        if self.from.is_empty() { &self.transform } else { &self.from }
    }
}

/// Takes a number of clues, or the least and the most.
fn clues(text: &str) -> Result<RangeInclusive<usize>, String> {
    const FEWEST: usize = Recipe::FEWEST_CLUES;
    let number = |text: &str| text.parse().ok().filter(|&number| number <= Cell::COUNT);
    let (least, most) = match text.split_once("..") {
        Some((least, "")) if !least.is_empty() => (least, "81"),
        Some(("", most)) if !most.is_empty() => ("0", most),
        both => both.unwrap_or((text, text)),
    };
    match (number(least), number(most)) {
        (Some(_), Some(most)) if most < FEWEST => {
            Err(format!("no puzzle with fewer than {FEWEST} clues has one solution"))
        }
        (Some(least), Some(most)) if least <= most => Ok(least..=most),
        _ => Err(format!("expected a number from {FEWEST} to {}, or two as 24..26", Cell::COUNT)),
    }
}

/// Takes what a blank is written as: something that is read as one.
fn blank(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        &[byte] if Blanks::usual().is_cell(byte) && !(b'1'..=b'9').contains(&byte) => Ok(byte),
        _ => Err("expected one of . 0 _ * -".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clues_are_a_number_or_two() {
        assert_eq!(clues("24"), Ok(24..=24));
        assert_eq!(clues("17..81"), Ok(17..=81));
        assert_eq!(clues("10..20"), Ok(10..=20));
        assert_eq!(clues("24.."), Ok(24..=81));
        assert_eq!(clues("..24"), Ok(0..=24));
        for wrong in ["", "..", "82..", "26..24", "82", "-1", "24..26..28", "some"] {
            assert!(clues(wrong).unwrap_err().starts_with("expected"), "{wrong}");
        }
        assert!(clues("16").unwrap_err().starts_with("no puzzle"));
    }
}
