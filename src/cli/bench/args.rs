//! What was typed after `ninefold bench`, nothing resolved yet.

use crate::cli::parsers;
use crate::cli::reading::InputArgs;
use ninefold::batch::MAX_THREADS;
use ninefold::bench::Mode;
use ninefold::engine::EngineKind;
use ninefold::engine::lanes::SimdLevel;
use std::path::PathBuf;

const ABOUT: &str = "\
Measure how fast every engine solves

Times each engine on each list in rounds, all in turn, and prints a table. Without INPUT the lists
are four that the program brings along, from easy to hard. Puzzles change their looks before each
round (digits, rows, columns, bands, stacks, transposition), and every answer is checked.";

const AFTER: &str = "\
How it measures:
  First each engine solves puzzles of the list while its branches are counted. Then come rounds
  over everything until the time is over. A round is the whole list once or more; an engine too
  slow for that gets a part of the list, another in each round, marked ~ in the table. One that
  does not finish a puzzle within half a second (more or less with other --seconds) is given up on;
  then the table says what it is slower than, marked <. One for which there was no time has only –.

Exit codes:
  0    measured, all answers right
  1    an answer was wrong, or with --fail-on-slower, something is slower
  2    it could not run: wrong usage, a file that cannot be read or written, or no time for a round
  130, 143  SIGINT (Ctrl-C) or SIGTERM asked for the end; what was measured has been printed

Examples:
  ninefold bench
  ninefold bench --engines dlx,mrv,lanes --plot speed.svg puzzles.txt
  ninefold bench --engines lanes --simd portable,avx2 --threads 1,2,4
  ninefold bench --export before.json    # then, with another build:
  ninefold bench --compare before.json
  ninefold bench --stages puzzles.txt";

const INPUTS: &str = "Files of puzzles, each a list; - for standard input, none for those built in";

const INPUTS_LONG: &str = "\
Files of puzzles, each a list; - for standard input, none for those built in

Of a list with more than 100,000 puzzles, so many are taken by chance. Lines that are no puzzles are
passed over.";

/// What has no meaning with `--stages`.
const STAGES_EXCLUDE: [&str; 6] = ["plot", "compare", "threads", "modes", "baseline", "seed"];

/// `ninefold bench`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(after_help = "--help says more: how it measures, exit codes, examples.")]
#[command(mut_arg("inputs", |arg| arg.help(INPUTS).long_help(INPUTS_LONG).help_heading("Reading")))]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub(in crate::cli) struct BenchArgs {
    /// Which engines, comma-separated; all if not given
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parsers::named::<EngineKind>())]
    pub(super) engines: Vec<EngineKind>,

    /// What an engine looks for, comma-separated
    #[arg(long, value_name = "MODES", value_delimiter = ',', value_parser = parsers::named::<Mode>())]
    #[arg(default_value = "first,unique")]
    pub(super) modes: Vec<Mode>,

    /// Which vectors `lanes` may use, each a row; the widest of this CPU if not given
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', value_parser = parsers::simd())]
    pub(super) simd: Vec<SimdLevel>,

    /// How many threads solve, each number a row
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1")]
    #[arg(value_parser = threads)]
    pub(super) threads: Vec<usize>,

    /// The engine that the others are compared with; dlx if not given, or else the first
    #[arg(long, value_name = "NAME", value_parser = parsers::named::<EngineKind>())]
    pub(super) baseline: Option<EngineKind>,

    /// About how long all of it takes; 40 if not given, and 5 with --stages
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) seconds: Option<f64>,

    /// Where chance comes from: the same seed permutes the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,

    /// Split the time of a whole run into its stages, in place of the table
    ///
    /// Reading, splitting lines, parsing, solving, formatting, writing: on one thread, with proof
    /// of uniqueness, for the first of --engines (lanes if not given) at the first of --simd.
    /// Records go to a file in the folder for temporary files. Nothing is left to chance, so there
    /// is no --seed.
    #[arg(long, conflicts_with_all = STAGES_EXCLUDE)]
    pub(super) stages: bool,

    /// Write the results to FILE, too: .csv, .json or .md by its ending
    ///
    /// CPU, version, arguments and seed are part of it. May be given several times.
    #[arg(long, value_name = "FILE")]
    pub(super) export: Vec<PathBuf>,

    /// Draw a chart of puzzles a second into FILE, which ends with .svg
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,

    /// Replace the files of --export and --plot if they exist
    #[arg(long)]
    pub(super) force: bool,

    /// Say what has changed since OLD, a .json that --export wrote
    ///
    /// A difference is more than noise if the ranks of the rounds differ as chance alone would
    /// have it in one of a hundred pairs of runs at most (Mann and Whitney's test), and their
    /// spreads, from quartile to quartile, do not overlap.
    #[arg(long, value_name = "OLD")]
    pub(super) compare: Option<PathBuf>,

    /// End with code 1 if --compare finds anything slower
    #[arg(long, requires = "compare")]
    pub(super) fail_on_slower: bool,

    /// Show no progress
    ///
    /// It is shown on standard error if that is a terminal.
    #[arg(long)]
    pub(super) no_progress: bool,

    /// Write nothing on standard error but errors
    #[arg(short, long)]
    pub(super) quiet: bool,

    #[command(flatten)]
    pub(super) reading: InputArgs,
}

impl BenchArgs {
    /// Seconds that the measurement may take.
    pub(super) fn seconds(&self) -> f64 {
        self.seconds.unwrap_or(if self.stages { 5.0 } else { 40.0 })
    }

    /// The engines that were named, each once, or all.
    pub(super) fn engines(&self) -> Vec<EngineKind> {
        if self.engines.is_empty() { EngineKind::ALL.to_vec() } else { once(&self.engines) }
    }

    /// The levels that were named, each once, or the best.
    pub(super) fn levels(&self) -> Vec<SimdLevel> {
        if self.simd.is_empty() { vec![SimdLevel::best()] } else { once(&self.simd) }
    }

    /// What to look for, each once.
    pub(super) fn modes(&self) -> Vec<Mode> {
        once(&self.modes)
    }

    /// The numbers of threads, each once.
    pub(super) fn threads(&self) -> Vec<usize> {
        once(&self.threads)
    }
}

/// The items without those that came before.
fn once<T: Copy + PartialEq>(items: &[T]) -> Vec<T> {
    let new = |&(place, item): &(usize, &T)| !items[..place].contains(item);
    items.iter().enumerate().filter(new).map(|(_, item)| *item).collect()
}

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MAX_THREADS).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_THREADS}"))
}

/// An hour is more than anybody needs, and a tenth of a second the least that measures anything.
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.1..=3600.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.1 to 3600".to_owned())
}
