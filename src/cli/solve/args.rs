//! The arguments of `ninefold solve`.

use super::super::parsers;
use super::super::reading::InputArgs;
use super::super::running::RunArgs;
use super::super::writing::OutputArgs;
use ninefold::engine::EngineKind;
use ninefold::input::Shard;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

const SOLVE_ABOUT: &str = "\
Write the solution of every puzzle, in input order

Reads one puzzle per line: 81 cells, 1 to 9 for a clue and . 0 _ * or - for a
blank. Tables, JSON lines, grids of nine lines, gzip and zstd are detected.
Writes one record per puzzle: the solution, or a comment with the reason.";

const SOLVE_AFTER: &str = "\
Record formats, statuses and exit codes: ninefold help formats

Examples:
  ninefold solve puzzles.txt -o solutions.txt
  ninefold solve puzzles.txt -o solutions.txt --unique --resume
  ninefold solve train.csv.gz --format csv --keep-columns -o solved.csv.zst
  ninefold solve list.txt --unique --rejects failed.txt -o solutions.txt
  ninefold solve list.txt --shard 2/8 -o part.2.txt --stats-json stats.2.json
  curl -s https://example.com/puzzles.txt | ninefold solve | grep -v '^#'";

/// `ninefold solve`
#[derive(Debug, clap::Args)]
#[command(long_about = SOLVE_ABOUT, after_long_help = SOLVE_AFTER)]
#[command(next_help_heading = "Solving")]
pub(in crate::cli) struct SolveArgs {
    /// Prove that each solution is the only one
    ///
    /// The record of any other puzzle is "more than one solution".
    #[arg(long, conflicts_with = "limit")]
    pub(super) unique: bool,

    /// Count the solutions of each puzzle, up to N
    ///
    /// The record of a puzzle with several solutions is their number. --limit 1 is the default,
    /// --limit 2 is --unique.
    #[arg(long, value_name = "N", value_parser = parsers::limit, allow_negative_numbers = true)]
    pub(super) limit: Option<NonZeroUsize>,

    /// Write every solution of each puzzle
    ///
    /// Solutions are in lexicographic order and the same for every engine. If there are more than
    /// --max, `solutions` in csv and jsonl is --max + 1.
    #[arg(long, conflicts_with_all = ["unique", "limit"])]
    pub(super) all: bool,

    /// With --all, write at most N each
    #[arg(long, value_name = "N", value_parser = parsers::limit, default_value = "1000", requires = "all")]
    pub(super) max: NonZeroUsize,

    /// Solve with this engine; see ninefold engines
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>(), hide_possible_values = true)]
    pub(super) engine: EngineKind,

    #[command(flatten)]
    pub(super) writing: OutputArgs,

    /// Write unanswered input lines to FILE
    ///
    /// A comment before each line has the reason. FILE can be corrected and solved again.
    #[arg(long, value_name = "FILE", value_parser = parsers::output(), help_heading = "Output")]
    pub(super) rejects: Option<PathBuf>,

    #[command(flatten)]
    pub(in crate::cli) running: RunArgs,

    #[command(flatten)]
    pub(super) keeping: ResumeArgs,

    /// Read only part I of N of the inputs
    ///
    /// The outputs of all parts, concatenated in order, are the output of one run. Pipes and
    /// compressed inputs cannot be split. See ninefold merge.
    #[arg(long, value_name = "I/N", help_heading = "Execution")]
    pub(super) shard: Option<Shard>,

    #[command(flatten)]
    pub(super) reading: InputArgs,
}

/// How a run can be interrupted and continued.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Execution")]
pub(super) struct ResumeArgs {
    /// Continue an interrupted run of the same command
    ///
    /// Requires -o FILE. Starts from the beginning if there is nothing to continue, and does nothing
    /// if FILE is complete.
    #[arg(long, requires = "output", conflicts_with = "force")]
    pub(super) resume: bool,

    /// Write a checkpoint every S seconds
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    pub(super) flush_interval: Duration,
}

/// Takes a time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds".to_owned())
}

impl SolveArgs {
    /// The number of solutions to look for.
    pub(in crate::cli) fn limit(&self) -> NonZeroUsize {
        const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("2 is not 0");
        if self.unique { TWO } else { self.limit.unwrap_or(NonZeroUsize::MIN) }
    }
}
