//! The arguments of `ninefold solve`.

use super::super::parsers;
use super::super::records::RecordsArgs;
use ninefold::Status;
use ninefold::engine::EngineKind;
use std::num::NonZeroUsize;

const SOLVE_ABOUT: &str = "\
Write the solution of every puzzle, line by line

Reads lines of 81 cells, row by row: 1 to 9 for a clue, and . 0 _ * or - for a blank; or of the 729
pencilmarks of a sukaku. A line may have more fields. In a table with a header, the name of a field
(puzzle, quiz, question, ...) selects the puzzle; otherwise the first field of 81 cells is the puzzle.
JSON lines, grids of nine lines (--grid), gzip and zstd are read, too. The detected layout is printed
on standard error. Empty lines and lines that begin with # are skipped. An input without a puzzle is
an error, before anything is written.";

const SOLVE_AFTER: &str = "\
Records:
  One for each puzzle, in the order of the puzzles. With --format line (the default): the 81 digits
  of its solution, or why there is none, with the number of the line in its input:
    # line 17: no solution
    # line 18: column 4: expected 1 to 9, '.' or '0', found 'x'
    # line 19: expected 81 cells, found 80
    # line 20: 3 twice in row 4 (columns 2 and 9)
    # line 21: more than one solution       (--unique, or --limit 2)
    # line 22: 5 solutions                  (--limit 6 or more)
    # line 23: 6 or more solutions          (--limit 6)
  With several inputs the name of the input comes first: # a.txt: line 17: no solution
  pair has puzzle,solution and the same comments. csv and jsonl have for every puzzle
    line       its line in the input (with several inputs, input comes before it)
    status     one of the words below
    solutions  the number of solutions found, up to --limit (2 with --unique); empty if malformed
    puzzle     its cells; if malformed, the text of the field
    solution   the solution, if only one is known
  and jsonl a reason if there is no solution.

Statuses:
  unique     has one solution, and it is proven that there is no other (--unique, --limit, --all)
  solved     has a solution; uniqueness was not checked
  multiple   has more than one solution
  none       is legal and has no solution
  conflict   has a digit twice in a house
  malformed  is not a puzzle

Exit codes:
  0  every puzzle has a solution, and with --unique or --limit no second one; or the reader
     of standard output closed it
  1  the run is complete, but some puzzles were not answered, whether their records were
     written or not
  2  failed: wrong usage, an input without a puzzle, or an input or output that cannot be read or
     written
  130, 143  ended by SIGINT or SIGTERM: the records so far are written; --resume continues

Examples:
  ninefold solve puzzles.txt -o solutions.txt
  ninefold solve puzzles.txt -o solutions.txt --resume
  ninefold solve --unique -j 4 a.txt b.txt > solutions.txt
  ninefold solve train.csv.gz --format csv --keep-columns -o solved.csv.zst
  ninefold solve list.txt --unique --only unique --rejects mend.txt -o good.txt
  ninefold solve list.txt --shard 2/8 -o solutions.2.txt --stats-json stats.2.json
  curl -s https://example.com/puzzles.txt | ninefold solve | grep -v '^#'";

/// `ninefold solve`
#[derive(Debug, clap::Args)]
#[command(long_about = SOLVE_ABOUT, after_long_help = SOLVE_AFTER)]
#[command(after_help = "--help shows more: input, records, exit codes, examples.")]
pub(in crate::cli) struct SolveArgs {
    #[command(flatten)]
    pub(in crate::cli) records: RecordsArgs<Status>,

    /// Prove that each solution is the only one
    ///
    /// The record of any other puzzle is "more than one solution".
    #[arg(long, conflicts_with = "limit")]
    pub(super) unique: bool,

    /// Count the solutions of each puzzle, up to N
    ///
    /// The record of a puzzle with one solution is that solution. If there are more, the record is
    /// their number. --limit 1 is the default, --limit 2 is --unique.
    #[arg(long, value_name = "N", value_parser = parsers::limit, allow_negative_numbers = true)]
    pub(super) limit: Option<NonZeroUsize>,

    /// Write every solution of each puzzle, in the order of their digits
    ///
    /// At most --max solutions are written, the same ones by every engine. With line and pair, a
    /// comment has their number; csv and jsonl have a record for each, and `solutions` is --max + 1 if
    /// there are more. The solutions of all puzzles of a chunk are in memory together.
    #[arg(long, conflicts_with_all = ["unique", "limit"])]
    pub(super) all: bool,

    /// With --all, write at most N solutions of one puzzle
    #[arg(long, value_name = "N", value_parser = parsers::limit, default_value = "1000", requires = "all")]
    pub(super) max: NonZeroUsize,

    /// Solve with this engine
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name())]
    #[arg(value_parser = parsers::named::<EngineKind>())]
    pub(super) engine: EngineKind,
}

impl SolveArgs {
    /// The number of solutions to look for.
    pub(in crate::cli) fn limit(&self) -> NonZeroUsize {
        const TWO: NonZeroUsize = NonZeroUsize::new(2).expect("2 is not 0");
        if self.unique { TWO } else { self.limit.unwrap_or(NonZeroUsize::MIN) }
    }
}
