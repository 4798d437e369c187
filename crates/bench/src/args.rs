//! The arguments of `ninefold bench`.

use crate::program::ProgramCommand;
use ninefold_core::engine::EngineKind;
use ninefold_core::engine::lanes::SimdLevel;
use std::path::PathBuf;

/// The options of `ninefold bench`, except those that say how inputs are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Measurement")]
pub struct MeasureArgs {
    /// Measure these engines; see ninefold engines
    ///
    /// A list separated by commas. All if not given.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(hide_possible_values = true)]
    pub(crate) engines: Vec<EngineKind>,

    /// Measure a program; repeatable
    ///
    /// COMMAND runs without a shell. {input} is a file with the puzzles; without it they are on standard
    /// input. {output} is a file for the answers; without it they are on standard output. --blank sets
    /// the character for a blank.
    #[arg(long, value_name = "NAME=COMMAND")]
    pub(crate) program: Vec<ProgramCommand>,

    /// Kill a program after N seconds
    #[arg(long, value_name = "N", value_parser = seconds, default_value = "10")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) time_limit: f64,

    /// Measure on these built-in lists, too
    ///
    /// A list separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) lists: Vec<String>,

    /// Run lanes at these SIMD levels, each a row
    ///
    /// The widest of this CPU if not given.
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    pub(crate) simd: Vec<SimdLevel>,

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

    /// Write the results to FILE.json
    ///
    /// They include CPU, version, arguments and seed.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub export: Option<PathBuf>,

    /// Draw the speed of each row to FILE.svg
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub plot: Option<PathBuf>,

    /// Replace existing files of --export and --plot
    #[arg(short, long, help_heading = "Output")]
    pub force: bool,

    /// Compare with OLD, a .json file of --export
    ///
    /// A row changed if its 95 % intervals do not overlap.
    #[arg(long, value_name = "OLD", help_heading = "Output")]
    pub compare: Option<PathBuf>,

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
        if self.engines.is_empty() { EngineKind::ALL } else { &self.engines }
    }
}

/// From 0.1 s, which is enough for a few rounds of small lists, to an hour.
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.1..=3600.0).contains(number));
    number.ok_or_else(|| "expected a number from 0.1 to 3600".to_owned())
}
