//! The arguments of `ninefold minimize`.

use super::{Inside, Minimize, Outcome, Which};
use crate::cli::{
    Error, Job, Ran, SolverArgs, Started, Typed, count_line, counted, parsers, terms,
};
use crate::output::Format;
use crate::run::{self, Report};
use crate::search::Search;
use serde_json::{Value, json};

const AFTER: &str = "\
Record formats, statuses and exit codes: ninefold help formats

Examples:
  ninefold minimize puzzles.txt -o minimal.txt
  ninefold minimize --all puzzles.txt --format csv
  ninefold minimize --fewest puzzles.txt | ninefold rate";

/// Find minimal puzzles inside puzzles with redundant clues
///
/// Removes redundant clues until none is left. A minimal puzzle is written as it is.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = AFTER)]
#[command(mut_arg("only", terms::<Outcome>))]
#[command(next_help_heading = "Puzzles")]
pub(crate) struct MinimizeArgs {
    /// Write all minimal puzzles of each source
    #[arg(long, conflicts_with = "fewest")]
    all: bool,

    /// With --all, write N at most for each source
    ///
    /// A source with more has a record with the status more, too.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parsers::positive)]
    max: u64,

    /// Write a puzzle with the fewest clues
    #[arg(long)]
    fewest: bool,

    /// Try clues in the order of this seed
    ///
    /// The order depends on the seed and the puzzle alone. --all and --fewest need no seed.
    #[arg(long, value_name = "S", default_value_t = crate::SEED, value_parser = parsers::whole)]
    seed: u64,

    #[command(flatten)]
    options: SolverArgs,
}

impl MinimizeArgs {
    fn command(&self, search: Search) -> Minimize {
        let which = match (self.all, self.fewest) {
            (true, _) => Which::All(self.max),
            (_, true) => Which::Fewest,
            _ => Which::One(self.seed),
        };
        Minimize { which, search }
    }
}

impl Job for MinimizeArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let (command, args) = (self.command(Search::default()), self.options.common());
        Ok(Typed::of("minimize", &command, args, Format::Line))
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        run.in_order(|search| self.command(search))
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let counts = count_line(ran.total(), ran.statuses());
        format!("{counts}\n{}", counted(ran.total()[Inside::Found], "minimal puzzle"))
    }

    fn describe(&self, _: &Ran<'_>, object: &mut Value) {
        object["seed"] = json!(self.seed);
    }
}
