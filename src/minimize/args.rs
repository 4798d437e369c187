//! The arguments of `ninefold minimize`.

use super::{Inside, Minimize, Outcome, Which};
use crate::cli::exit::Error;
use crate::cli::histogram::counted;
use crate::cli::parsers;
use crate::cli::writing::{FORMATS, SolverArgs, formats, terms};
use crate::output::Format;
use crate::pipeline::Cancel;
use crate::run::declared::{Declared, Ran, count_line};
use crate::run::typed::{Job, Started, Typed};
use crate::run::{Error as RunError, Report};
use serde_json::{Value, json};

const ABOUT: &str = "\
Find minimal puzzles inside puzzles with redundant clues

Removes redundant clues until none is left. A minimal puzzle is written as it is.";

const AFTER: &str = "\
Record formats, statuses and exit codes: ninefold help formats

Examples:
  ninefold minimize puzzles.txt -o minimal.txt
  ninefold minimize --all puzzles.txt --format csv
  ninefold minimize --fewest puzzles.txt | ninefold rate";

/// `ninefold minimize`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(mut_arg("format", formats(FORMATS)))]
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
    fn command(&self, cancel: &Cancel) -> Minimize {
        let which = match (self.all, self.fewest) {
            (true, _) => Which::All(self.max),
            (_, true) => Which::Fewest,
            _ => Which::One(self.seed),
        };
        Minimize { which, search: self.options.search.search(cancel) }
    }
}

impl Job for MinimizeArgs {
    fn typed(&self) -> Result<Typed<'_>, Error> {
        let format = self.options.common().format(Format::Line);
        let declared =
            Declared::of::<Outcome>("minimize", &self.command(&Cancel::default()), format);
        Ok(Typed::new(self.options.common(), declared, format))
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, RunError> {
        run.in_order(|cancel| self.command(cancel))
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let counts = count_line(ran.total(), ran.statuses());
        format!("{counts}\n{}", counted(ran.total()[Inside::Found], "minimal puzzle"))
    }

    fn describe(&self, _: &Ran<'_>, object: &mut Value) {
        object["seed"] = json!(self.seed);
    }
}
