//! The options for execution, and those of searches.

use super::{Bar, InputArgs, RecordsArgs, parsers, say};
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::input::Source;
use crate::pipeline::Cancel;
use crate::search::Search;
use clap::Args;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

/// How a run goes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Execution")]
pub(crate) struct RunArgs {
    /// Use N threads; 0 for all cores
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = parsers::threads, allow_negative_numbers = true)]
    pub(crate) threads: usize,

    /// Exit with code 0 instead of 1
    ///
    /// Code 1: some puzzles have no answer.
    #[arg(long)]
    pub(crate) exit_zero: bool,

    /// Show no progress
    #[arg(long, hide_short_help = true)]
    pub(crate) no_progress: bool,

    /// Write only errors to standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Write the summary to FILE as a JSON object
    ///
    /// An existing FILE needs --force. - is standard output, if the records go elsewhere.
    #[arg(long, value_name = "FILE", value_parser = parsers::output(), help_heading = "Output")]
    pub(crate) stats_json: Option<PathBuf>,
}

/// How a command searches.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Execution")]
pub(crate) struct SearchArgs {
    /// Use this engine; see ninefold engines
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>(), hide_possible_values = true)]
    pub(super) engine: EngineKind,

    /// Use this SIMD level; see ninefold env
    ///
    /// All write the same bytes.
    #[arg(long, value_name = "LEVEL", value_parser = parsers::simd(), hide_possible_values = true)]
    simd: Option<SimdLevel>,

    /// Give up a puzzle after N branches (guesses)
    ///
    /// Its status is unknown. See docs/limits.md.
    #[arg(long, value_name = "N", value_parser = parsers::branches)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) max_branches: Option<u32>,

    /// After a signal, search for S (2) more seconds
    ///
    /// Commands with --resume search the rest later.
    #[arg(long, value_name = "S", default_value = "2", value_parser = parsers::seconds)]
    #[arg(allow_negative_numbers = true, hide_default_value = true, hide_short_help = true)]
    pub(crate) grace: Duration,
}

impl Default for SearchArgs {
    fn default() -> Self {
        let (engine, grace) = (EngineKind::default(), Duration::from_secs(2));
        Self { engine, simd: None, max_branches: None, grace }
    }
}

impl SearchArgs {
    /// The engine, and the bounds of its searches.
    pub(crate) fn search(&self, cancel: &Cancel) -> Search {
        let (engine, simd, max_branches) = (self.engine, self.level(), self.max_branches);
        Search { engine, simd, max_branches, cancel: cancel.clone(), ..Search::default() }
    }

    /// The engine, and its SIMD level if it has one: ` engine lanes (avx2)`.
    pub(crate) fn engine_in_words(&self) -> String {
        match self.engine {
            EngineKind::Lanes => format!("engine {} ({})", self.engine, self.level()),
            engine => format!("engine {engine}"),
        }
    }

    /// The SIMD level that is used.
    pub(super) fn level(&self) -> SimdLevel {
        self.simd.unwrap_or_else(SimdLevel::best)
    }
}

impl RecordsArgs {
    /// The progress of a run over these inputs: none if they are typed, or puzzles that were given as arguments.
    pub(crate) fn bar(
        &self,
        reading: Option<&InputArgs>,
        inputs: &[Source],
        end: Option<u64>,
    ) -> Option<Bar> {
        let RunArgs { quiet, no_progress, .. } = self.running;
        let is_shown = !quiet && !no_progress;
        let typed = reading.is_some_and(InputArgs::reads_stdin) && io::stdin().is_terminal();
        let are_puzzles = || reading.is_some_and(InputArgs::are_puzzles);
        if typed && !quiet {
            let key = if cfg!(windows) { "Ctrl-Z" } else { "Ctrl-D" };
            say(format_args!(
                "ninefold: reading puzzles from the terminal, one per line; {key} ends"
            ));
        }
        let end = || end.or_else(|| inputs.iter().map(Source::bytes).sum());
        (is_shown && !typed && !are_puzzles()).then(|| Bar::new(end(), self.are_seen()))
    }
}
