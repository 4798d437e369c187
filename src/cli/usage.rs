//! Wrong usage: Clap's messages with the prefix of all others.

use clap::error::Error;
use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

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
