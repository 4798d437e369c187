//! The arguments of `ninefold bench`.

use crate::cli::parsers;
use crate::cli::reading::InputArgs;
use ninefold::bench::Mode;
use ninefold::engine::EngineKind;
use ninefold::engine::lanes::SimdLevel;
use ninefold::pipeline::MAX_THREADS;
use std::path::PathBuf;

const ABOUT: &str = "\
Measure how fast every engine solves

Times each engine on each list in interleaved rounds and prints a table. Without
INPUT, four built-in lists are used, from easy to hard. Before each round every
puzzle is permuted (digits, rows, columns, bands, stacks, transposition). Every
answer is checked.";

const AFTER: &str = "\
How it measures:
  First each engine solves puzzles of the list while its branches are counted.
  Then rounds over all lists follow until the time is over. A round is the whole
  list, once or more. An engine that is too slow for that gets a part of the
  list, another one in each round; the table marks it with ~. An engine that does
  not finish a puzzle within 0.5 s (more or less with other --seconds) is given
  up on; the table has an upper bound of its speed, marked with <. A row without
  a measurement has –.

Exit code 1: an answer was wrong, or with --fail-on-slower, a row is slower.
Exit code 2: the run failed, or there was no time for a round.

Examples:
  ninefold bench
  ninefold bench --engines dlx,mrv,lanes --plot speed.svg puzzles.txt
  ninefold bench --engines lanes --simd portable,avx2 --threads 1,2,4
  ninefold bench --export before.json    # then, with another build:
  ninefold bench --compare before.json
  ninefold bench --stages puzzles.txt";

const INPUTS: &str = "Lists of puzzles; - for standard input, none for built-in lists";

const INPUTS_LONG: &str = "\
Lists of puzzles; - for standard input, none for built-in lists

Of a list with more than 100,000 puzzles, a random sample of 100,000 is used. Lines that are no
puzzles are skipped.";

/// The options that have no meaning with `--stages`.
const STAGES_EXCLUDE: [&str; 6] = ["plot", "compare", "threads", "modes", "baseline", "seed"];

/// `ninefold bench`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(mut_arg("inputs", |arg| arg.help(INPUTS).long_help(INPUTS_LONG)))]
#[command(next_help_heading = "Measurement")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(crate) struct BenchArgs {
    /// Measure these engines instead of all; see ninefold engines
    ///
    /// A list separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parsers::named::<EngineKind>())]
    #[arg(hide_possible_values = true)]
    pub(super) engines: Vec<EngineKind>,

    /// Measure in these modes, comma-separated
    #[arg(long, value_name = "MODES", value_delimiter = ',', value_parser = parsers::named::<Mode>())]
    #[arg(default_value = "first,unique")]
    pub(super) modes: Vec<Mode>,

    /// Run lanes at these SIMD levels, each a row
    ///
    /// The widest of this CPU if not given.
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', value_parser = parsers::simd())]
    pub(super) simd: Vec<SimdLevel>,

    /// Solve on N threads; each number is a row
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1")]
    #[arg(value_parser = threads)]
    pub(super) threads: Vec<usize>,

    /// Compare the other engines with this one
    ///
    /// dlx if not given, or the first engine.
    #[arg(long, value_name = "NAME", value_parser = parsers::named::<EngineKind>())]
    #[arg(hide_possible_values = true)]
    pub(super) baseline: Option<EngineKind>,

    /// Take about N seconds [default: 40, with --stages 5]
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) seconds: Option<f64>,

    /// Set the seed of all random numbers
    ///
    /// The same seed gives the same permutations.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parsers::whole)]
    pub(super) seed: u64,

    /// Split the time of a whole run into its stages, instead of the table
    ///
    /// Reading, splitting lines, parsing, solving, formatting, writing: on one thread, with proof
    /// of uniqueness, for the first of --engines (lanes if not given) at the first of --simd.
    /// Records go to a file in a temporary folder. There are no random numbers, so no --seed.
    #[arg(long, conflicts_with_all = STAGES_EXCLUDE)]
    pub(super) stages: bool,

    /// Write the results to FILE: .csv, .json or .md
    ///
    /// They include CPU, version, arguments and seed. May be given several times.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) export: Vec<PathBuf>,

    /// Draw a chart of puzzles per second to FILE (.svg)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) plot: Option<PathBuf>,

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
        self.seconds.unwrap_or(if self.stages { 5.0 } else { 40.0 })
    }

    /// The given engines, each once, or all.
    pub(super) fn engines(&self) -> Vec<EngineKind> {
        if self.engines.is_empty() { EngineKind::ALL.to_vec() } else { once(&self.engines) }
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
