//! The arguments of `ninefold steps`.

use super::{Explained, Steps};
use crate::cli::{Error, Job, Ran, SolverArgs, Started, Typed, count_line, formats, refuse};
use crate::output::Format;
use crate::run::{self, Report};
use crate::search::Search;
use indicatif::HumanCount;

const FORMATS: &[Format] = &[Format::Csv, Format::Jsonl, Format::Text, Format::Grid];

const AFTER: &str = "\
Cells are r2c3, candidates that are true or placed r2c3=4, false or removed
r2c3<>4. In a grid without colours, * marks the cells of a step, and x the cells
that lose a candidate.

Record formats, techniques and exit codes: ninefold help formats

Examples:
  ninefold steps puzzles.txt -o steps.csv.zst
  ninefold steps train.csv --keep-columns -o steps.parquet
  ninefold steps --format jsonl hard.txt | head -n 1
  ninefold steps --format text hard.txt";

/// Write the steps that solve every puzzle
///
/// Each step uses the easiest technique of Sudoku Explainer 1.2.1 that finds
/// something, up to nested forcing chains. csv has a row for each step, jsonl an
/// object for each puzzle, Parquet a row for each puzzle, with lists of numbers.
/// The highest score of the steps is the er of rate. Reads everything that solve
/// reads.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = AFTER)]
#[command(mut_arg("format", formats(FORMATS)))]
#[command(next_help_heading = "Steps")]
pub(crate) struct StepsArgs {
    /// Add the grid after each step that places a digit
    #[arg(long)]
    boards: bool,

    #[command(flatten)]
    options: SolverArgs,
}

impl StepsArgs {
    fn command(&self, search: Search) -> Steps {
        Steps { boards: self.boards, lists: self.options.records.is_parquet(), search }
    }
}

impl Job for StepsArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let (command, args) = (self.command(Search::default()), self.options.common());
        let reason = "a Parquet file has the grid before each step";
        refuse(self.boards && command.lists, "--boards", reason)?;
        let format = args.or_grid(Format::Csv);
        Ok(Typed::of("steps", &command, args, format))
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        run.in_order(|search| self.command(search))
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let counts = ran.statuses().filter(|(name, _)| *name != "solved");
        let steps = HumanCount(ran.total()[Explained::Steps]);
        format!("{}\n{steps} steps", count_line(ran.total(), counts))
    }
}
