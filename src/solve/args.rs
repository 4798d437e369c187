//! The arguments of `ninefold solve`.

use super::{Listed, Solve};
use crate::Status;
use crate::cli::{Error, Job, Ran, SolverArgs, Started, Typed, count_line, parsers};
use crate::output::Format;
use crate::run::{self, Counts, Report};
use crate::search::Search;
use indicatif::HumanCount;
use serde_json::{Value, json};
use std::num::NonZeroUsize;

const SOLVE_AFTER: &str = "\
Record formats, statuses and exit codes: ninefold help formats

Examples:
  ninefold solve puzzles.txt -o solutions.txt
  ninefold solve puzzles.txt -o solutions.txt --unique --resume
  ninefold solve train.csv.gz --format csv --keep-columns -o solved.csv.zst
  ninefold solve list.txt --unique --rejects failed.txt -o solutions.txt
  ninefold solve list.txt --shard 2/8 -o part.2.txt --stats-json stats.2.json
  curl -s https://example.com/puzzles.txt | ninefold solve --only solved";

/// Write the solution of every puzzle, in input order
///
/// Reads one puzzle per line: 81 cells, 1 to 9 for a clue and . 0 _ * or - for a
/// blank. Tables, JSON, Parquet, gzip and zstd are detected; --grid reads grids.
/// Writes one record per puzzle: the solution, or a comment with the reason.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = SOLVE_AFTER)]
#[command(next_help_heading = "Solving")]
pub(crate) struct SolveArgs {
    /// Prove that each solution is the only one
    ///
    /// The record of any other puzzle is "more than one solution".
    #[arg(long, conflicts_with = "limit")]
    unique: bool,

    /// Count the solutions of each puzzle, up to N
    ///
    /// The record of a puzzle with several solutions is their number. --limit 1 is the default,
    /// --limit 2 is --unique.
    #[arg(long, value_name = "N", value_parser = parsers::limit, allow_negative_numbers = true)]
    limit: Option<NonZeroUsize>,

    /// Write every solution of each puzzle
    ///
    /// Solutions are in lexicographic order and the same for every engine. If there are more than
    /// --max, `solutions` in csv and jsonl is --max + 1.
    #[arg(long, conflicts_with_all = ["unique", "limit"])]
    all: bool,

    /// With --all, write at most N each
    #[arg(long, value_name = "N", value_parser = parsers::limit, default_value = "1000", requires = "all")]
    max: NonZeroUsize,

    #[command(flatten)]
    options: SolverArgs,
}

impl SolveArgs {
    /// How many solutions are looked for, without `--all`.
    fn limit(&self) -> NonZeroUsize {
        const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("2 is not 0");
        if self.unique { TWO } else { self.limit.unwrap_or(NonZeroUsize::MIN) }
    }

    fn command(&self, search: Search) -> Solve {
        Solve { limit: self.limit(), every: self.all.then_some(self.max), search }
    }

    /// Whether uniqueness is checked.
    fn proves(&self) -> bool {
        self.all || self.limit().get() > 1
    }
}

impl Job for SolveArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let args = self.options.common();
        let format = args.or_grid(Format::Line);
        Ok(Typed::of("solve", &Solve::default(), args, format))
    }

    fn is_complete(&self, total: &Counts) -> Result<bool, Error> {
        let answered = total[Status::Unique] + total[Status::Solved];
        // With --all, a puzzle whose solutions were all written is answered.
        let listed =
            if self.all { total[Status::Multiple] - total[Listed::MoreThanMax] } else { 0 };
        Ok(answered + listed == total.puzzles)
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        run.in_order(|search| self.command(search))
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let is_asked = |name: &str| match name {
            "solved" => !self.proves(),
            "unique" | "multiple" => self.proves(),
            _ => true,
        };
        let counts = ran.statuses().filter(|(name, _)| is_asked(name)).map(|(name, count)| {
            let more = match name {
                "multiple" if self.all => {
                    let (more, most) = (ran.total()[Listed::MoreThanMax], self.max.get() as u64);
                    format!(" ({} with more than {})", HumanCount(more), HumanCount(most))
                }
                _ => String::new(),
            };
            (format!("{name}{more}"), count)
        });
        let mut line = count_line(ran.total(), counts);
        if !self.proves() {
            let end = line.find(';').unwrap_or(line.len());
            line.insert_str(end, "; uniqueness not checked (use --unique)");
        }
        line
    }

    fn describe(&self, _: &Ran<'_>, object: &mut Value) {
        object["limit"] = json!(self.limit());
        if self.all {
            object["max"] = json!(self.max);
        }
    }
}
