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

/// How a run goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Execution")]
pub(super) struct RunArgs {
    /// Use N threads; 0 for all cores
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = parsers::threads, allow_negative_numbers = true)]
    pub(super) threads: usize,

    /// Use this SIMD level
    ///
    /// The default is the widest of the CPU. Every level writes the same bytes. Fails if the CPU does not support it.
    #[arg(long, value_name = "LEVEL", value_parser = parsers::simd())]
    pub(super) simd: Option<SimdLevel>,

    /// Exit with code 0 instead of 1
    ///
    /// Code 1 means that the run is complete and some puzzles have no answer.
    #[arg(long)]
    pub(super) exit_zero: bool,

    /// Show no progress bar
    ///
    /// It is on standard error, if that is a terminal.
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
    /// The vectors that are used.
    pub(super) fn level(&self) -> SimdLevel {
        self.simd.unwrap_or_else(SimdLevel::best)
    }

    /// Whether somebody sees a progress bar and nothing else is written in its place. `records` is
    /// the file that records go to, if it has a name.
    pub(super) fn shows_bar(&self, records: Option<&Path>) -> bool {
        let records_seen = records.is_none() && io::stdout().is_terminal();
        !self.quiet && !self.no_progress && !records_seen && io::stderr().is_terminal()
    }

    /// The progress bar of a run over these inputs.
    pub(super) fn bar(
        &self,
        reading: &InputArgs,
        inputs: &[Source],
        records: Option<&Path>,
    ) -> Bar {
        let typed = reading.reads_stdin() && io::stdin().is_terminal();
        if typed && !self.quiet {
            say("ninefold: reading puzzles from the terminal, one a line; Ctrl-D ends");
        }
        if typed || !self.shows_bar(records) {
            return Bar::hidden();
        }
        Bar::shown(inputs.iter().map(Source::bytes).sum())
    }
}
