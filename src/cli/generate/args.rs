//! The arguments of `ninefold generate`.

use super::super::parsers;
use super::super::running::RunArgs;
use super::pattern::{self, Pattern};
use clap::ArgGroup;
use ninefold::difficulty::{EffortRange, Grade, ScoreRange};
use ninefold::generate::{Recipe, Symmetry};
use ninefold::output::{Format, Style};
use ninefold::puzzle::Cell;
use ninefold::puzzle::parse::Blanks;
use std::ops::RangeInclusive;
use std::path::PathBuf;

const ABOUT: &str = "\
Make puzzles, each proven to have one solution

Fills random grids and removes clues in random order while there is one solution. By default the
puzzles are minimal: no clue is redundant. One puzzle per line, . for a blank.";

const AFTER: &str = "\
The same seed gives the same bytes: on every machine, for any number of threads, at any SIMD level,
in every build of this version. A puzzle depends on the options, the seed and its place alone. So a
longer run begins with the puzzles of a shorter one. (With --from and --transform this holds for the
first grid or puzzle: the places of the next depend on --count.)

Exit codes:
  0  every puzzle is as requested; or the reader of standard output closed it
  1  the run is complete, but some puzzles could not be made, or have more or fewer clues than
     requested, or lines of FILE were no grids
  2  failed: wrong usage, or an input or output that cannot be read or written
  130, 143  ended by SIGINT or SIGTERM: the puzzles so far are written, with -o FILE to
     FILE.partial

Examples:
  ninefold generate --count 1000000 --seed 1 -o minimal.txt
  ninefold generate --count 1000 --clues 24..26 --symmetry rotate
  ninefold generate --count 1000 --easy --clues 30 --with-solution
  ninefold generate --count 10 --needs-search --pattern frame.txt
  ninefold generate --count 100 --effort 5..
  ninefold generate --count 100 --er 4.0..4.4
  ninefold generate --transform puzzles.txt --count 8 --seed 1 > shuffled.txt";

/// `ninefold generate`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(after_help = "--help shows more: what depends on the seed, exit codes, examples.")]
#[command(group(ArgGroup::new("grade")))]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(crate) struct GenerateArgs {
    /// Make N puzzles; with --from and --transform N for each grid or puzzle
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(super) count: u64,

    /// Set the seed of all random numbers
    ///
    /// If not given, a random seed is used, and the summary shows it.
    #[arg(short, long, value_name = "S")]
    pub(super) seed: Option<u64>,

    /// Write the puzzles to FILE instead of standard output
    ///
    /// FILE appears when it is complete; until then it is FILE.partial. It cannot be an input.
    /// - is standard output. Compressed if FILE ends in .gz or .zst.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Replace existing output files, and the partial files of earlier runs
    #[arg(long)]
    pub(super) force: bool,

    /// Make minimal puzzles: no clue is redundant
    ///
    /// The default unless --clues, --pattern, --easy, --singles or --locked is given. With one of
    /// these, minimal puzzles are made until one is as requested. With a symmetry, clues are removed
    /// in sets, and no set is redundant.
    #[arg(long, help_heading = "Puzzles", conflicts_with = "pattern")]
    pub(super) minimal: bool,

    /// Make puzzles with K clues, or MIN to MAX; 24.. and ..24 are ranges, too
    ///
    /// Clues are removed until K are left. For a range, K is drawn for each grid, each number equally
    /// likely. A grid that does not reach K counts if it ends in the range, so higher numbers are more
    /// frequent where few clues are rare. If none of --attempts grids ends in the range, the nearest
    /// puzzle is written, and the exit code is 1. Below 22 clues this takes long, below 19 it fails.
    #[arg(long, value_name = "K|MIN..MAX", value_parser = clues, help_heading = "Puzzles")]
    #[arg(conflicts_with = "pattern")]
    pub(super) clues: Option<RangeInclusive<usize>>,

    /// Make puzzles whose clues have this symmetry
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = parsers::named::<Symmetry>())]
    #[arg(help_heading = "Puzzles", conflicts_with = "pattern")]
    pub(super) symmetry: Symmetry,

    /// Make puzzles with clues in these cells: 81 characters, or a file of them
    ///
    /// 1 to 9, x or * for a clue, . 0 _ or - for a blank. In a file, spaces, line ends and lines that
    /// begin with # are ignored. Up to --attempts random grids are tried until one has no other
    /// solution with these clues. With few clues there may be none.
    #[arg(long, value_name = "FILE|CELLS", value_parser = pattern::parse)]
    #[arg(help_heading = "Puzzles", allow_hyphen_values = true)]
    pub(super) pattern: Option<Pattern>,

    /// Make puzzles that fall to naked singles: some cell always has one candidate
    #[arg(long, group = "grade", help_heading = "Puzzles")]
    easy: bool,

    /// Make puzzles that fall to naked and hidden singles, and not to naked singles alone
    #[arg(long, group = "grade", help_heading = "Puzzles")]
    singles: bool,

    /// Make puzzles that fall to singles and locked candidates, and not to singles alone
    #[arg(long, group = "grade", help_heading = "Puzzles")]
    locked: bool,

    /// Make puzzles that fall to none of these
    #[arg(long, group = "grade", help_heading = "Puzzles")]
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
    #[arg(long, value_name = "N", default_value_t = Recipe::ATTEMPTS, help_heading = "Puzzles")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) attempts: u64,

    /// Use the full grids of FILE instead of random ones
    ///
    /// --count puzzles are made of each. Files are read as `solve` reads them. If a puzzle has a
    /// solution next to it, that is the grid. - is standard input.
    #[arg(long, value_name = "FILE", help_heading = "Made from", conflicts_with = "transform")]
    pub(super) from: Vec<PathBuf>,

    /// Make isomorphic copies of the puzzles of FILE, --count of each
    ///
    /// Digits are renamed; rows are permuted in their band, columns in their stack, then bands and
    /// stacks; the grid may be transposed. All 9! x 6^8 x 2 ways are equally likely. A copy has the
    /// same number of solutions and the same difficulty. - is standard input.
    #[arg(long, value_name = "FILE", help_heading = "Made from")]
    #[arg(conflicts_with_all = ["minimal", "clues", "symmetry", "pattern", "grade", "effort", "er"])]
    pub(super) transform: Vec<PathBuf>,

    /// Never write the same puzzle twice (the default)
    ///
    /// Takes 10 to 20 bytes of memory for each puzzle. A repeated puzzle is drawn again.
    #[arg(long, overrides_with = "allow_duplicates", help_heading = "Output")]
    distinct: bool,

    /// Do not check for repeated puzzles
    #[arg(long, help_heading = "Output")]
    pub(super) allow_duplicates: bool,

    /// Write each puzzle with its solution: puzzle,solution; the same as --format pair
    ///
    /// The copy of a puzzle that is not unique has no solution after the comma.
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
