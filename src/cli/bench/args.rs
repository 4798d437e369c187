//! The arguments of `ninefold bench`.

use super::built_in;
use super::library::{self, NamedFunction};
use super::program::{self, NamedCommand};
use crate::cli::parsers;
use crate::cli::reading::InputArgs;
use crate::bench::Mode;
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::pipeline::MAX_THREADS;
use std::path::PathBuf;

const ABOUT: &str = "\
Measure how fast solvers are

Times each engine, program and library on each list in interleaved rounds and
prints a table. Without INPUT, built-in lists are used, from easy to hard.
Before each round every puzzle is permuted. Every answer is checked.";

const AFTER: &str = "\
Marks in the table: ~ measured on parts of the list; < slower than this; ! failed,
listed below the table; – not measured. docs/bench.md describes the method.

Exit code 1: an answer was wrong or missing, a program failed, or with
--fail-on-slower, a row is slower.
Exit code 2: the run failed, or there was no time for a round.

Examples:
  ninefold bench
  ninefold bench --engines dlx,mrv,lanes --plot speed.svg puzzles.txt
  ninefold bench --engines lanes --simd portable,avx2 --threads 1,2,4
  ninefold bench --engines lanes --program 'mine=./solve {input}'
  ninefold bench --no-engines --library mine=./libmine.so:solve puzzles.txt
  ninefold bench --export before.json    # then, with another build:
  ninefold bench --compare before.json
  ninefold bench --stages puzzles.txt";

const INPUTS: &str = "Lists of puzzles; - for standard input, none for built-in lists";

const INPUTS_LONG: &str = "\
Lists of puzzles; - for standard input, none for built-in lists

Of a list with more than 100,000 puzzles, a random sample of 100,000 is used. A known list (17 clues, magictour, …) is recognised by its puzzles.";

const LIBRARY_LONG: &str = "\
Measure a C function of a library; repeatable

size_t SYMBOL(const char *puzzle, size_t limit, char *solution) returns the number of solutions up to \
the limit, and writes one of them; with a limit above 1 it may write none. It runs in a separate process.";

/// A chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chart {
    /// Puzzles per second of each contender on each list.
    Rates,
    /// Puzzles per second against threads.
    Threads,
    /// Puzzles per second against the difficulty of the lists.
    Difficulty,
}

/// The options that have no meaning with `--stages`.
const STAGES_EXCLUDE: [&str; 13] = [
    "plot",
    "plot_threads",
    "plot_difficulty",
    "compare",
    "threads",
    "modes",
    "baseline",
    "seed",
    "program",
    "library",
    "no_engines",
    "lists",
    "time_limit",
];

/// `ninefold bench`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(mut_arg("inputs", |arg| arg.help(INPUTS).long_help(INPUTS_LONG)))]
#[command(next_help_heading = "Measurement")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(crate) struct BenchArgs {
    /// Measure these engines; see ninefold engines
    ///
    /// A list separated by commas. All if not given.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parsers::named::<EngineKind>())]
    #[arg(hide_possible_values = true)]
    pub(super) engines: Vec<EngineKind>,

    /// Measure programs and libraries alone
    #[arg(long, conflicts_with_all = ["engines", "simd", "threads"])]
    pub(super) no_engines: bool,

    /// Measure a program; repeatable
    ///
    /// COMMAND runs without a shell. {input} is a file with the puzzles; without it they are on standard
    /// input. {output} is a file for the answers; without it they are on standard output. {limit} is 1
    /// in the mode first and 2 in the mode unique. --blank sets the character for a blank.
    #[arg(long, value_name = "NAME=COMMAND", value_parser = program::named_command)]
    pub(super) program: Vec<NamedCommand>,

    /// Measure a C function of a library; repeatable
    ///
    /// It runs in a process of its own, and is timed while it solves.
    #[arg(long, long_help = LIBRARY_LONG, value_name = "NAME=FILE:SYMBOL", value_parser = library::named_function)]
    pub(super) library: Vec<NamedFunction>,

    /// Kill a program or library after N seconds
    #[arg(long, value_name = "N", value_parser = seconds, default_value = "10")]
    #[arg(allow_negative_numbers = true)]
    pub(super) time_limit: f64,

    /// Measure on these built-in lists, too
    ///
    /// A list separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = built_in::names())]
    pub(super) lists: Vec<String>,

    /// Measure in these modes, comma-separated
    #[arg(long, value_name = "MODES", value_delimiter = ',', value_parser = parsers::named::<Mode>())]
    #[arg(default_value = "first,unique")]
    pub(super) modes: Vec<Mode>,

    /// Run lanes at these SIMD levels, each a row
    ///
    /// The widest of this CPU if not given.
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', value_parser = parsers::simd())]
    pub(super) simd: Vec<SimdLevel>,

    /// Solve on N threads; a list is a row each
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1")]
    #[arg(value_parser = threads)]
    pub(super) threads: Vec<usize>,

    /// Compare the others with this row, by default dlx
    #[arg(long, value_name = "NAME")]
    pub(super) baseline: Option<String>,

    /// Take about N seconds [default: 60, with --stages 5]
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) seconds: Option<f64>,

    /// Set the seed of all random numbers
    ///
    /// The same seed gives the same permutations.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parsers::whole)]
    pub(super) seed: u64,

    /// Split the time of a whole run into its stages
    ///
    /// On one thread, with proof of uniqueness, to a file in a temporary folder.
    #[arg(long, conflicts_with_all = STAGES_EXCLUDE)]
    pub(super) stages: bool,

    /// Write the results to FILE: .csv, .json or .md
    ///
    /// They include CPU, version, arguments and seed. Repeatable.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) export: Vec<PathBuf>,

    /// Draw the speed of each row to FILE.svg
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) plot: Option<PathBuf>,

    /// Draw speed against threads to FILE.svg
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) plot_threads: Option<PathBuf>,

    /// Draw speed against difficulty to FILE.svg
    ///
    /// The difficulty of a list is its mean number of branches.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) plot_difficulty: Option<PathBuf>,

    /// Replace existing files of --export and --plot
    #[arg(short, long, help_heading = "Output")]
    pub(super) force: bool,

    /// Compare with OLD, a .json file of --export
    ///
    /// A row changed if the Mann-Whitney test of its rounds has p <= 0.01, and the quartile ranges do
    /// not overlap.
    #[arg(long, value_name = "OLD", help_heading = "Output")]
    pub(super) compare: Option<PathBuf>,

    /// Exit with code 1 if --compare finds a slower row
    #[arg(long, requires = "compare", help_heading = "Output")]
    pub(super) fail_on_slower: bool,

    /// Show no progress bar
    ///
    /// The bar is shown if standard error is a terminal.
    #[arg(long, help_heading = "Execution")]
    pub(super) no_progress: bool,

    /// Write only errors to standard error
    #[arg(short, long, help_heading = "Execution")]
    pub(super) quiet: bool,

    #[command(flatten)]
    pub(super) reading: InputArgs,
}

impl BenchArgs {
    /// The seconds of the measurement.
    pub(super) fn seconds(&self) -> f64 {
        self.seconds.unwrap_or(if self.stages { 5.0 } else { 60.0 })
    }

    /// The given engines, each once, or all.
    pub(super) fn engines(&self) -> Vec<EngineKind> {
        match &self.engines[..] {
            _ if self.no_engines => Vec::new(),
            [] => EngineKind::ALL.to_vec(),
            engines => once(engines),
        }
    }

    /// The character for a blank in the input of programs.
    pub(super) fn blank(&self) -> u8 {
        self.reading.blank.map_or(b'.', |blank| blank.written)
    }

    /// The charts, each with its file.
    pub(super) fn plots(&self) -> impl Iterator<Item = (Chart, &PathBuf)> {
        let charts = [
            (Chart::Rates, &self.plot),
            (Chart::Threads, &self.plot_threads),
            (Chart::Difficulty, &self.plot_difficulty),
        ];
        charts.into_iter().filter_map(|(chart, file)| Some((chart, file.as_ref()?)))
    }

    /// The given levels, each once, or the best.
    pub(super) fn levels(&self) -> Vec<SimdLevel> {
        if self.simd.is_empty() { vec![SimdLevel::best()] } else { once(&self.simd) }
    }

    /// The modes, each once.
    pub(super) fn modes(&self) -> Vec<Mode> {
        once(&self.modes)
    }

    /// The numbers of threads, each once.
    pub(super) fn threads(&self) -> Vec<usize> {
        once(&self.threads)
    }
}

/// The items without repetitions.
fn once<T: Copy + PartialEq>(items: &[T]) -> Vec<T> {
    let new = |&(place, item): &(usize, &T)| !items[..place].contains(item);
    items.iter().enumerate().filter(new).map(|(_, item)| *item).collect()
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MAX_THREADS).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_THREADS}"))
}

/// From 0.1 s, which is enough for a few rounds of small lists, to an hour.
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.1..=3600.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.1 to 3600".to_owned())
}
