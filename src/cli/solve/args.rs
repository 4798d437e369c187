//! The arguments of `ninefold solve`.

use super::super::parsers;
use super::super::records::RecordsArgs;
use ninefold::Status;
use ninefold::engine::EngineKind;
use std::num::NonZeroUsize;

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
    pub(in crate::cli) records: RecordsArgs<Status>,
}

impl SolveArgs {
    /// The number of solutions to look for.
    pub(in crate::cli) fn limit(&self) -> NonZeroUsize {
        const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("2 is not 0");
        if self.unique { TWO } else { self.limit.unwrap_or(NonZeroUsize::MIN) }
    }
}
