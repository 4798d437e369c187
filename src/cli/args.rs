//! What was typed, nothing resolved yet.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use ninefold::batch::MAX_THREADS;
use ninefold::engine::EngineKind;
use ninefold::engine::lanes::SimdLevel;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Solves Sudoku puzzles in bulk.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write the solution of every puzzle, line by line
    Solve(SolveArgs),
    /// List the engines that --engine takes
    Engines,
}

const SOLVE_ABOUT: &str = "\
Write the solution of every puzzle, line by line

Reads one puzzle a line: 81 cells, row by row, 1 to 9 for a clue, 0 or . for a blank. Lines end
with LF or CRLF. Empty lines and lines that begin with # are passed over.";

const SOLVE_AFTER: &str = "\
Records:
  One line for each puzzle, in the order of the puzzles: the 81 digits of its solution, or why
  there is none, with the number of the line in its input:
    # line 17: no solution
    # line 18: column 4: expected 1 to 9, '.' or '0', found 'x'
    # line 19: expected 81 cells, found 80
    # line 20: 3 twice in row 4 (columns 2 and 9)
    # line 21: more than one solution       (--unique, or --limit 2)
    # line 22: 5 solutions                  (--limit 6 or more)
    # line 23: 6 or more solutions          (--limit 6)
  With several inputs the name of the input comes first: # a.txt: line 17: no solution

Exit codes:
  0  every puzzle has a solution, and with --unique or --limit no second one; or the reader
     of the output has gone
  1  the run is complete, but some records begin with #
  2  it could not run: wrong usage, or an input or output that cannot be read or written

Examples:
  ninefold solve puzzles.txt -o solutions.txt
  ninefold solve --unique -j 4 a.txt b.txt > solutions.txt
  zcat puzzles.txt.gz | ninefold solve | grep -v '^#'";

/// `ninefold solve`
#[derive(Debug, clap::Args)]
#[command(long_about = SOLVE_ABOUT, after_long_help = SOLVE_AFTER)]
#[command(after_help = "--help says more: what is read, the records, exit codes, examples.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(super) struct SolveArgs {
    /// Files of puzzles; - or none for standard input
    ///
    /// All of them are opened before anything is written.
    #[arg(value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,

    /// Write the records to FILE, not to standard output
    ///
    /// FILE is emptied first. It cannot be one of the inputs. - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Show that each solution is the only one
    ///
    /// The record of a puzzle with more is "more than one solution".
    #[arg(long, conflicts_with = "limit")]
    pub(super) unique: bool,

    /// Count the solutions of each puzzle, up to N
    ///
    /// A puzzle with one solution has it for its record, if there are more the record says how
    /// many. 1 is what is done without this option, 2 is --unique.
    #[arg(long, value_name = "N", value_parser = limit, allow_negative_numbers = true)]
    pub(super) limit: Option<NonZeroUsize>,

    /// How many threads solve, up to 1024; 0 for all cores that the program may use
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = threads, allow_negative_numbers = true)]
    pub(super) threads: usize,

    /// What solves: see `ninefold engines`
    #[arg(long, value_name = "NAME", default_value = EngineKind::DEFAULT.name())]
    #[arg(value_parser = engine_parser())]
    pub(super) engine: EngineKind,

    /// Which vectors the engine may use; the widest of this CPU if not given
    ///
    /// Every level gives the same records. One that this CPU has not is refused.
    #[arg(long, value_name = "LEVEL", value_parser = simd_parser())]
    pub(super) simd: Option<SimdLevel>,

    /// Read files, rather than map them into memory
    ///
    /// Slower, but safe if another program shortens a file meanwhile.
    #[arg(long)]
    pub(super) no_mmap: bool,

    /// Show no progress bar
    ///
    /// It is shown on standard error, if that is a terminal and the records go elsewhere; for
    /// piped input, of which nobody knows the length, it is a counter.
    #[arg(long)]
    pub(super) no_progress: bool,

    /// Write nothing on standard error but errors
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Write the summary to FILE, too, as one JSON object
    ///
    /// Besides what the summary says, it has the version, the arguments, the CPU features used,
    /// and the counts of each input. It is written when the run has come to its end; if the reader
    /// of the records goes away, FILE is left as it was, or empty. FILE may be - for standard
    /// output, if the records go elsewhere.
    #[arg(long, value_name = "FILE")]
    pub(super) stats_json: Option<PathBuf>,
}

impl SolveArgs {
    /// How many solutions to look for.
    pub(super) fn limit(&self) -> NonZeroUsize {
        const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("two is not nought");
        if self.unique { TWO } else { self.limit.unwrap_or(NonZeroUsize::MIN) }
    }
}

/// Takes a limit, and says in words what is wrong with another text.
fn limit(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| format!("expected a whole number from 1 to {}", usize::MAX))
}

/// Takes a number of threads, and says in words what is wrong with another text.
fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number <= MAX_THREADS);
    number.ok_or_else(|| format!("expected a whole number from 0 to {MAX_THREADS}"))
}

/// Takes the name of an engine, and lists them in the help.
fn engine_parser() -> impl TypedValueParser<Value = EngineKind> {
    let names = PossibleValuesParser::new(EngineKind::ALL.map(EngineKind::name));
    names.try_map(|name| name.parse::<EngineKind>())
}

/// Takes the name of a level that this CPU has, and lists all of them in the help.
fn simd_parser() -> impl TypedValueParser<Value = SimdLevel> {
    PossibleValuesParser::new(SimdLevel::NAMES).try_map(|name| {
        let has: Vec<_> = SimdLevel::available().collect();
        level_of(&name, &has)
    })
}

/// The level of this name, on a CPU that has these.
fn level_of(name: &str, has: &[SimdLevel]) -> Result<SimdLevel, String> {
    let level = has.iter().find(|level| level.name() == name);
    level.copied().ok_or_else(|| {
        let names: Vec<_> = has.iter().map(|level| level.name()).collect();
        format!("this CPU has {} only", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_do_not_contradict_each_other() {
        Args::command().debug_assert();
    }

    #[test]
    fn unique_looks_for_two_solutions_and_the_default_for_one() {
        let limit = |options: &[&str]| {
            let words = ["ninefold", "solve"].iter().chain(options);
            Args::try_parse_from(words).map(|args| match args.command {
                Command::Solve(args) => args.limit().get(),
                Command::Engines => 0,
            })
        };
        assert_eq!(limit(&[]).unwrap(), 1);
        assert_eq!(limit(&["--unique"]).unwrap(), 2);
        assert_eq!(limit(&["--limit", "7"]).unwrap(), 7);
        assert!(limit(&["--limit", "0"]).is_err());
        assert!(limit(&["--limit", "2", "--unique"]).is_err());
    }

    #[test]
    fn a_level_that_the_cpu_lacks_is_refused_with_those_it_has() {
        let portable = [SimdLevel::Portable];
        assert_eq!(level_of("portable", &portable), Ok(SimdLevel::Portable));
        assert_eq!(level_of("avx2", &portable).unwrap_err(), "this CPU has portable only");
        for level in SimdLevel::available() {
            let words = ["ninefold", "solve", "--simd", level.name()];
            let command = Args::try_parse_from(words).unwrap().command;
            assert!(matches!(command, Command::Solve(args) if args.simd == Some(level)));
        }
    }

    #[test]
    fn the_names_of_the_levels_are_those_that_the_library_lists() {
        assert!(SimdLevel::available().all(|level| SimdLevel::NAMES.contains(&level.name())));
    }
}
