//! The options that say how a run goes and what is said of it: solve, verify and generate have
//! them.

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
pub(super) struct RunArgs {
    /// How many threads work, up to 1024; 0 for all cores that the program may use
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = parsers::threads, allow_negative_numbers = true)]
    pub(super) threads: usize,

    /// Which vectors may be used; the widest of this CPU if not given
    ///
    /// Every level gives the same records. One that this CPU has not is refused.
    #[arg(long, value_name = "LEVEL", value_parser = parsers::simd())]
    pub(super) simd: Option<SimdLevel>,

    /// Show no progress bar
    ///
    /// It is shown on standard error, if that is a terminal and the records go elsewhere; for
    /// piped or compressed input, whose length is not known, it is a counter.
    #[arg(long)]
    pub(super) no_progress: bool,

    /// Write nothing on standard error but errors
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Write the summary to FILE as a JSON object
    ///
    /// It also holds the version, the arguments and the CPU features used. FILE is written when the
    /// run is complete. An existing FILE needs --force, and is unchanged if the run fails. FILE may
    /// be - for standard output, if the records go elsewhere.
    #[arg(long, value_name = "FILE", value_parser = parsers::output())]
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
