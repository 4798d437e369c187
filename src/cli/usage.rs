//! Wrong usage: Clap's messages with the prefix of all others.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// An error about an option that another command has names this command. Clap names the most similar option, which
/// is another thing.
pub(super) fn of_another_command(mut error: Error, program: &clap::Command) -> Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return error };
    let has_it = |command: &&clap::Command| {
        command
            .get_arguments()
            .any(|it| it.get_long().is_some() && it.get_long() == word.strip_prefix("--"))
    };
    let names: Vec<_> =
        program.get_subcommands().filter(has_it).map(clap::Command::get_name).collect();
    if !names.is_empty() && error.kind() == ErrorKind::UnknownArgument {
        let tip = format!("{word} is an option of {}", names.join(", "));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    error
}

/// Prints what clap has to say: a help text, the version, or why the arguments are refused.
pub(super) fn refuse(error: &Error) -> ExitCode {
    if !error.use_stderr() {
        // A reader that goes away early (`--help | head`) has seen enough.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render();
    let is_plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let text = if io::stderr().is_terminal() && !is_plain {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    let _ = io::stderr().write_all(text.replacen("error:", "ninefold:", 1).as_bytes());
    ExitCode::from(2)
}
