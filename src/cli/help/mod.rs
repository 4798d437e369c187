//! `-h`, `--help` and `ninefold help`: the texts of all options in two columns, and topics.
//!
//! Clap puts every option of a long help on three lines or more. With 30 options that is twice what
//! a reader takes in. So `--help` has the long texts in clap's layout of `-h`:
//!
//! ```text
//! Output:
//!   -o, --output <FILE>  Write records to FILE instead of standard output
//!                        FILE appears when the run is complete; …
//! ```

mod formats;

use super::exit::{Error, print};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Args, Command};
use std::process::ExitCode;

/// The topic that is no command.
const FORMATS: &str = "formats";

/// Clap's help without the short text of the command.
const TEMPLATE: &str = "{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

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

/// The command, of which all subcommands have their long texts in place of the short ones.
pub(super) fn with_long_texts(command: Command) -> Command {
    command.mut_subcommands(|command| {
        let about = command.get_long_about().or(command.get_about()).cloned();
        let after = command.get_after_long_help().or(command.get_after_help()).cloned();
        let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort);
        let help = help.help("Print this text; -h prints a summary").help_heading(None);
        // The list of all commands has the short text of each, so that text stays.
        let command = command.help_template(TEMPLATE).before_help(about.unwrap_or_default());
        let command = command.after_help(after.unwrap_or_default());
        command.mut_args(with_long_text).disable_help_flag(true).arg(help)
    })
}

/// The option with its long text, also in a summary.
fn with_long_text(arg: Arg) -> Arg {
    let text = arg.get_long_help().or(arg.get_help()).map(ToString::to_string);
    let text = text.unwrap_or_default().replace("\n\n", "\n").replace('`', "");
    arg.help(text).hide_short_help(false)
}

/// Prints a topic, or the long help of a command, to standard output.
pub(super) fn run(args: &HelpArgs, command: Command) -> Result<ExitCode, Error> {
    let mut command = with_long_texts(command);
    let text = match args.topic.as_deref() {
        Some(FORMATS) => formats::text(),
        topic => {
            command.build();
            let command = match topic.and_then(|name| command.find_subcommand_mut(name)) {
                Some(command) => command,
                None => &mut command,
            };
            command.render_help().to_string()
        }
    };
    print(text.as_bytes())
}
