//! Wrong usage: Clap's messages with the prefix of all others.

use clap::error::Error;
use std::io::Write;
use std::process::ExitCode;

/// Prints what clap has to say: a help text, the version, or why the arguments are refused.
pub(super) fn refuse(error: &Error) -> ExitCode {
    if !error.use_stderr() {
        // A reader that goes away early (`--help | head`) has seen enough.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().ansi().to_string().replacen("error:", "ninefold:", 1);
    // It leaves the colours out if standard error is no terminal, or if `NO_COLOR` says so.
    let _ = anstream::stderr().write_all(text.as_bytes());
    ExitCode::from(2)
}
