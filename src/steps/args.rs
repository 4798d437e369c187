//! The arguments of `ninefold steps`.

use super::{Explained, Steps};
use crate::Status;
use crate::cli::exit::{Error, refuse};
use crate::cli::writing::{SolverArgs, formats, terms};
use crate::output::Format;
use crate::pipeline::Cancel;
use crate::run::declared::{Declared, Ran, count_line};
use crate::run::typed::{Job, Started, Typed};
use crate::run::{Error as RunError, Report};
use indicatif::HumanCount;

const FORMATS: &[Format] = &[Format::Csv, Format::Jsonl, Format::Text, Format::Grid];

const ABOUT: &str = "\
Write the steps that solve every puzzle

Each step uses the easiest technique of Sudoku Explainer 1.2.1 that finds
something, up to nested forcing chains. csv has a row for each step, jsonl an
object for each puzzle, Parquet a row for each puzzle, with lists of numbers.
The highest score of the steps is the er of rate. Reads everything that solve
reads.";

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

/// `ninefold steps`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(mut_arg("format", formats(FORMATS)))]
#[command(mut_arg("only", terms::<Status>))]
#[command(next_help_heading = "Steps")]
pub(crate) struct StepsArgs {
    /// Add the grid after each step that places a digit
    #[arg(long)]
    boards: bool,

    #[command(flatten)]
    options: SolverArgs,
}

impl StepsArgs {
    fn command(&self, cancel: &Cancel) -> Steps {
        let lists = self.options.common().records.is_parquet();
        Steps { boards: self.boards, lists, search: self.options.search.search(cancel) }
    }
}

impl Job for StepsArgs {
    fn typed(&self) -> Result<Typed<'_>, Error> {
        let format = self.options.common().format_or_grid(Format::Csv);
        let is_parquet = self.options.common().records.is_parquet();
        refuse(
            self.boards && is_parquet,
            "--boards",
            "a Parquet file has the grid before each step",
        )?;
        let declared = Declared::of::<Status>("steps", &self.command(&Cancel::default()), format);
        Ok(Typed::new(self.options.common(), declared, format))
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, RunError> {
        run.in_order(|cancel| self.command(cancel))
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let counts = ran.statuses().filter(|(name, _)| *name != "solved");
        let steps = HumanCount(ran.total()[Explained::Steps]);
        format!("{}\n{steps} steps", count_line(ran.total(), counts))
    }
}
