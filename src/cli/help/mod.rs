//! `-h`, `--help` and `ninefold help`: option lists in two columns, and topics.
//!
//! Clap puts every option of a long help on three lines or more. With 30 options that is twice what
//! a reader takes in. So the list is laid out here, and clap prints it below the usage line.
//!
//! ```text
//! Output:
//!   -o, --output <FILE>       Write records to FILE instead of standard output.
//!                             FILE appears when the run is complete; …
//! ```

mod formats;
mod list;

use super::exit::{Error, Outcome, print};
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use std::env;

/// The topic that is no command.
const FORMATS: &str = "formats";

/// Columns of a help text that is not read on a terminal.
const DEFAULT_WIDTH: usize = 80;

/// Longer lines are hard to read.
const MOST_WIDTH: usize = 100;

/// `ninefold help`
#[derive(Debug, Args)]
pub(super) struct HelpArgs {
    /// A command, or `formats` for record formats, statuses and exit codes
    #[arg(value_name = "TOPIC", hide_possible_values = true)]
    topic: Option<String>,
}

/// The command, of which `help` takes the names of all commands and the other topics.
pub(super) fn with_topics(command: Command) -> Command {
    let names = command.get_subcommands().map(|command| command.get_name().to_owned());
    let names: Vec<_> = names.chain([FORMATS.to_owned()]).collect();
    command.mut_subcommand("help", |help| {
        help.mut_arg("topic", |topic| topic.value_parser(PossibleValuesParser::new(names)))
    })
}

/// The commands with the option lists of this module in their help.
pub(super) fn lay_out(command: Command) -> Command {
    let width = width();
    let names: Vec<_> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    let command = command.term_width(width);
    names.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |command| list::lay_out(command, width))
    })
}

/// The columns of a line of help.
fn width() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let named = || env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(named).unwrap_or(DEFAULT_WIDTH).clamp(40, MOST_WIDTH)
}

/// Prints a topic, or the long help of a command, to standard output.
pub(super) fn run(args: &HelpArgs, mut command: Command) -> Result<Outcome, Error> {
    let text = match args.topic.as_deref() {
        Some(FORMATS) => formats::text(),
        topic => {
            command.build();
            let command = match topic.and_then(|name| command.find_subcommand_mut(name)) {
                Some(command) => command,
                None => &mut command,
            };
            command.render_long_help().to_string()
        }
    };
    print(text.as_bytes())
}
