//! The arguments of `ninefold generate`.

use super::super::exit::Error;
use super::super::open;
use super::super::parsers;
use super::super::running::RunArgs;
use super::pattern::{self, Pattern};
use clap::ArgGroup;
use crate::difficulty::{EffortRange, Grade, ScoreRange};
use crate::generate::{Recipe, Symmetry};
use crate::output::{Format, Style, Table};
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;
use std::ops::RangeInclusive;
use std::path::PathBuf;

const ABOUT: &str = "\
Make puzzles, each proven to have one solution

Fills random grids and removes clues in random order while there is one
solution. By default the puzzles are minimal: no clue is redundant.";

const AFTER: &str = "\
The same seed gives the same bytes: on every machine, for any number of threads,
at any SIMD level, in every build of this version. A longer run begins with the
puzzles of a shorter one. (With --from and --transform this holds for the first
grid or puzzle only.)

Record formats and exit codes: ninefold help formats

Examples:
  ninefold generate --count 1e6 --seed 1 -o minimal.txt
  ninefold generate --count 1000 --clues 24..26 --symmetry rotate
  ninefold generate --count 1000 --easy --clues 30 --with-solution
  ninefold generate --count 10 --needs-search --pattern frame.txt
  ninefold generate --count 100 --effort 5..
  ninefold generate --count 100 --er 4.0..4.4
  ninefold generate --transform puzzles.txt --count 8 --seed 1 > shuffled.txt";

/// `ninefold generate`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(group(ArgGroup::new("grade")))]
#[command(next_help_heading = "Puzzles")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(crate) struct GenerateArgs {
    /// Make N puzzles; with --from, --transform N of each
    ///
    /// 1e6 and `1_000_000` are numbers, too.
    #[arg(short = 'n', long, value_name = "N", default_value = "1", value_parser = parsers::whole)]
    pub(super) count: u64,

    /// Set the seed of all random numbers
    ///
    /// If not given, a random seed is used, and the summary shows it.
    #[arg(short, long, value_name = "S", value_parser = parsers::whole)]
    pub(super) seed: Option<u64>,

    /// Make minimal puzzles: no clue is redundant
    ///
    /// The default unless --clues, --pattern, --easy, --singles or --locked is given; with one of
    /// these, minimal puzzles are made until one is as requested. With a symmetry, clues are removed
    /// in sets, and no set is redundant.
    #[arg(long, conflicts_with = "pattern")]
    pub(super) minimal: bool,

    /// Make puzzles with K or MIN..MAX clues
    ///
    /// 24.. and ..24 are ranges, too. For a range, a number is drawn for each grid, and a grid counts
    /// if it ends in the range. If none of --attempts grids does, the nearest puzzle is written, and
    /// the exit code is 1. Below 22 clues this takes long, below 19 it fails.
    #[arg(long, value_name = "K|MIN..MAX", value_parser = clues)]
    #[arg(conflicts_with = "pattern")]
    pub(super) clues: Option<RangeInclusive<usize>>,

    /// Make puzzles whose clues have this symmetry
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = parsers::named::<Symmetry>())]
    #[arg(conflicts_with = "pattern")]
    pub(super) symmetry: Symmetry,

    /// Make puzzles with clues in these cells
    ///
    /// 81 characters, or a file of them: 1 to 9, x or * for a clue, . 0 _ or - for a blank. Spaces,
    /// line ends and lines that begin with # are ignored. With few clues there may be no puzzle.
    #[arg(long, value_name = "FILE|CELLS", value_parser = pattern::parse)]
    #[arg(allow_hyphen_values = true)]
    pub(super) pattern: Option<Pattern>,

    /// Make puzzles that naked singles solve
    #[arg(long, group = "grade")]
    easy: bool,

    /// Make puzzles that need hidden singles
    ///
    /// Naked and hidden singles solve them; naked singles alone do not.
    #[arg(long, group = "grade")]
    singles: bool,

    /// Make puzzles that need locked candidates
    ///
    /// Singles and locked candidates solve them; singles alone do not.
    #[arg(long, group = "grade")]
    locked: bool,

    /// Make puzzles that none of these rules solves
    #[arg(long, group = "grade")]
    needs_search: bool,

    /// Make puzzles with an effort in this range: 5.., 2..10 or ..0.5
    ///
    /// The effort is the mean number of guesses, as rate measures it with its default options.
    #[arg(long, value_name = "MIN..MAX", help_heading = "Puzzles")]
    effort: Option<EffortRange>,

    /// Make puzzles with an Explainer rating in this range: 4.0..4.4, 1.5 or '>6.2'
    ///
    /// The rating is er, as rate measures it.
    #[arg(long, value_name = "MIN..MAX", help_heading = "Puzzles")]
    er: Option<ScoreRange>,

    /// Try up to N grids for one puzzle
    ///
    /// Puzzles that cannot be made are skipped. The run stops once failures outnumber successes.
    #[arg(long, value_name = "N", default_value_t = Recipe::ATTEMPTS)]
    #[arg(value_parser = parsers::positive)]
    pub(super) attempts: u64,

    /// Make puzzles from the full grids of FILE
    ///
    /// If a puzzle has a solution next to it, that is the grid. Files are read as solve reads them.
    /// - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "transform")]
    pub(super) from: Vec<PathBuf>,

    /// Make isomorphic copies of the puzzles of FILE
    ///
    /// Digits, rows, columns, bands and stacks are permuted, and the grid may be transposed; all
    /// 9! x 6^8 x 2 ways are equally likely. - is standard input.
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["minimal", "clues", "symmetry", "pattern", "grade", "effort", "er"])]
    pub(super) transform: Vec<PathBuf>,

    /// Treat every line of the inputs as a grid or puzzle
    ///
    /// For a program that sends a puzzle and waits for its copy. No layout is detected.
    #[arg(long)]
    pub(super) lines: bool,

    /// Never write the same puzzle twice (the default)
    ///
    /// Takes 10 to 20 bytes of memory per puzzle. A repeated puzzle is drawn again.
    #[arg(long, overrides_with = "allow_duplicates")]
    distinct: bool,

    /// Do not check for repeated puzzles
    #[arg(long)]
    pub(super) allow_duplicates: bool,

    /// Write puzzles to FILE instead of standard output
    ///
    /// FILE.partial has the puzzles until the run is complete. FILE is compressed if it ends in .gz
    /// or .zst, and Parquet if in .parquet.
    #[arg(short, long, value_name = "FILE", value_parser = parsers::output(), help_heading = "Output")]
    pub(super) output: Option<PathBuf>,

    /// Replace existing output files
    ///
    /// Also replaces partial files of earlier runs.
    #[arg(short, long, help_heading = "Output")]
    pub(super) force: bool,

    /// Write puzzle,solution; the same as --format pair
    ///
    /// A copy of a puzzle that is not unique has no solution after the comma.
    #[arg(long, help_heading = "Output", conflicts_with = "format")]
    with_solution: bool,

    /// Write records in this format [default: line]
    ///
    /// line and grid have the puzzle alone.
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    #[arg(value_parser = parsers::named::<Format>())]
    format: Option<Format>,

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
    /// The properties of the puzzles, with this seed.
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
            effort: self.effort.clone(),
            er: self.er.clone(),
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

    /// The style of the records.
    pub(super) fn style(&self) -> Style {
        let is_parquet = open::is_parquet(self.output.as_deref());
        let format = match self.format {
            Some(format) => format,
            None if is_parquet => Format::Csv,
            None if self.with_solution => Format::Pair,
            None => Format::Line,
        };
        let header = !self.no_header && !is_parquet;
        Style { format, blank: self.blank, header, marked: is_parquet, ..Style::default() }
    }

    /// The columns of a Parquet file of these records, if they go to one.
    pub(super) fn table(&self) -> Result<Option<Table>, Error> {
        if !open::is_parquet(self.output.as_deref()) {
            return Ok(None);
        }
        let style = self.style();
        open::check_csv(style.format)?;
        Ok(Some(Table::of_style(&style, &[])))
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

/// Takes the character of a blank: one that is also read as a blank.
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
