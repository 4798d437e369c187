//! The options for execution: solve, verify and generate have them.

use super::exit::say;
use super::parsers;
use super::progress::Bar;
use super::reading::InputArgs;
use clap::Args;
use ninefold::engine::lanes::SimdLevel;
use ninefold::input::Source;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a run goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Execution")]
pub(super) struct RunArgs {
    /// Use N threads; 0 for all cores
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = parsers::threads, allow_negative_numbers = true)]
    pub(super) threads: usize,

    /// Use this SIMD level; see ninefold env
    ///
    /// All write the same bytes.
    #[arg(long, value_name = "LEVEL", value_parser = parsers::simd(), hide_possible_values = true)]
    pub(super) simd: Option<SimdLevel>,

    /// Give up a puzzle after N branches (guesses)
    ///
    /// Its status is unknown. See docs/limits.md.
    #[arg(long, value_name = "N", value_parser = parsers::branches)]
    #[arg(allow_negative_numbers = true)]
    pub(super) max_branches: Option<u32>,

    /// After a signal, search for S (5) more seconds
    ///
    /// Commands with --resume search the rest later.
    #[arg(long, value_name = "S", default_value = "5", value_parser = parsers::seconds)]
    #[arg(allow_negative_numbers = true, hide_default_value = true)]
    pub(super) grace: Duration,

    /// Exit with code 0 instead of 1
    ///
    /// Code 1: some puzzles have no answer.
    #[arg(long)]
    pub(super) exit_zero: bool,

    /// Show no progress bar
    #[arg(long)]
    pub(super) no_progress: bool,

    /// Write only errors to standard error
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Write the summary to FILE as a JSON object
    ///
    /// An existing FILE needs --force. - is standard output, if the records go elsewhere.
    #[arg(long, value_name = "FILE", value_parser = parsers::output(), help_heading = "Output")]
    pub(super) stats_json: Option<PathBuf>,
}

impl RunArgs {
    /// The SIMD level that is used.
    pub(super) fn level(&self) -> SimdLevel {
        self.simd.unwrap_or_else(SimdLevel::best)
    }

    /// Whether standard error is a terminal and the records go elsewhere. `records` is the file that
    /// they go to, if it has a name.
    pub(super) fn shows_bar(&self, records: Option<&Path>) -> bool {
        let records_seen = records.is_none() && io::stdout().is_terminal();
        !self.quiet && !self.no_progress && !records_seen && io::stderr().is_terminal()
    }

    /// The progress bar of a run over these inputs. It is hidden if records go to the terminal.
    pub(super) fn bar(
        &self,
        reading: &InputArgs,
        inputs: &[Source],
        records: Option<&Path>,
    ) -> Bar {
        self.bar_if(self.shows_bar(records), reading, inputs)
    }

    /// The same, also if records go to the terminal: the run tells before it writes them.
    pub(super) fn bar_among_records(&self, reading: &InputArgs, inputs: &[Source]) -> Bar {
        let is_shown = !self.quiet && !self.no_progress && io::stderr().is_terminal();
        self.bar_if(is_shown, reading, inputs)
    }

    fn bar_if(&self, is_shown: bool, reading: &InputArgs, inputs: &[Source]) -> Bar {
        let typed = reading.reads_stdin() && io::stdin().is_terminal();
        if typed && !self.quiet {
            say("ninefold: reading puzzles from the terminal, one per line; Ctrl-D ends");
        }
        if typed || !is_shown {
            return Bar::hidden();
        }
        Bar::shown(inputs.iter().map(Source::bytes).sum())
    }
}
