//! The arguments of `ninefold bench`.

use crate::outside::{Named, named_command, named_function};
use crate::report::Mode;
use clap::builder::RangedU64ValueParser;
use ninefold_core::engine::EngineKind;
use ninefold_core::engine::lanes::SimdLevel;
use std::path::PathBuf;

const LIBRARY_LONG: &str = "\
Measure a C function of a library; repeatable

size_t SYMBOL(const char *puzzle, size_t limit, char *solution) returns the number of solutions up to \
the limit, and writes one of them; with a limit above 1 it may write none. It runs in a separate process.";

/// The options of `ninefold bench`, except those that say how inputs are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Measurement")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that the user may set")]
pub struct MeasureArgs {
    /// Measure these engines; see ninefold engines
    ///
    /// A list separated by commas. All if not given.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(hide_possible_values = true)]
    pub(crate) engines: Vec<EngineKind>,

    /// Measure programs and libraries alone
    #[arg(long, conflicts_with_all = ["engines", "simd", "threads"])]
    pub(crate) no_engines: bool,

    /// Measure a program; repeatable
    ///
    /// COMMAND runs without a shell. {input} is a file with the puzzles; without it they are on standard
    /// input. {output} is a file for the answers; without it they are on standard output. {limit} is 1
    /// in the mode first and 2 in the mode unique. --blank sets the character for a blank.
    #[arg(long, value_name = "NAME=COMMAND", value_parser = named_command)]
    pub(crate) program: Vec<Named>,

    /// Measure a C function of a library; repeatable
    #[arg(long, long_help = LIBRARY_LONG, value_name = "NAME=FILE:SYMBOL", value_parser = named_function)]
    pub(crate) library: Vec<Named>,

    /// Kill a program or library after N seconds
    #[arg(long, value_name = "N", value_parser = seconds, default_value = "10")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) time_limit: f64,

    /// Measure on these built-in lists, too
    ///
    /// A list separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) lists: Vec<String>,

    /// Measure in these modes, comma-separated
    #[arg(long, value_name = "MODES", value_delimiter = ',', value_enum)]
    #[arg(default_value = "first,unique")]
    pub(crate) modes: Vec<Mode>,

    /// Run lanes at these SIMD levels, each a row
    ///
    /// The widest of this CPU if not given.
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    pub(crate) simd: Vec<SimdLevel>,

    /// Solve on N threads; a list is a row each
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1")]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub(crate) threads: Vec<usize>,

    /// Compare the others with this row, by default dlx
    #[arg(long, value_name = "NAME")]
    pub(crate) baseline: Option<String>,

    /// Take about N seconds
    #[arg(long, value_name = "N", value_parser = seconds, default_value = "60")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) seconds: f64,

    /// Set the seed of all random numbers
    ///
    /// The same seed gives the same permutations.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,

    /// Write the results to FILE: .csv, .json or .md
    ///
    /// They include CPU, version, arguments and seed. Repeatable.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) export: Vec<PathBuf>,

    /// Draw the speed of each row to FILE.svg
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,

    /// Draw speed against threads to FILE.svg
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot_threads: Option<PathBuf>,

    /// Draw speed against difficulty to FILE.svg
    ///
    /// The difficulty of a list is its mean number of branches.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot_difficulty: Option<PathBuf>,

    /// Replace existing files of --export and --plot
    #[arg(short, long, help_heading = "Output")]
    pub force: bool,

    /// Compare with OLD, a .json file of --export
    ///
    /// A row changed if the Mann-Whitney test of its rounds has p <= 0.01, and the quartile ranges do
    /// not overlap.
    #[arg(long, value_name = "OLD", help_heading = "Output")]
    pub(crate) compare: Option<PathBuf>,

    /// Exit with code 1 if --compare finds a slower row
    #[arg(long, requires = "compare", help_heading = "Output")]
    pub(crate) fail_on_slower: bool,

    /// Show no progress bar
    ///
    /// The bar is shown if standard error is a terminal.
    #[arg(long, help_heading = "Execution")]
    pub(crate) no_progress: bool,

    /// Write only errors to standard error
    #[arg(short, long, help_heading = "Execution")]
    pub quiet: bool,
}

impl MeasureArgs {
    /// The given engines, or all.
    pub(crate) fn engines(&self) -> &[EngineKind] {
        match &self.engines[..] {
            _ if self.no_engines => &[],
            [] => EngineKind::ALL,
            engines => engines,
        }
    }

    /// Each engine, on each number of threads; `lanes` at each level, because no other engine has
    /// levels.
    pub(crate) fn variants(&self) -> Vec<(EngineKind, SimdLevel, usize)> {
        let (best, mut variants) = ([SimdLevel::best()], Vec::new());
        for &kind in self.engines() {
            let has_levels = kind == EngineKind::Lanes && !self.simd.is_empty();
            let levels = if has_levels { &self.simd[..] } else { &best };
            for &level in levels {
                variants.extend(self.threads.iter().map(|&threads| (kind, level, threads)));
            }
        }
        variants
    }
}

/// From 0.1 s, which is enough for a few rounds of small lists, to an hour.
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.1..=3600.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.1 to 3600".to_owned())
}
