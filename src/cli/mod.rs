//! What the user types, sees and gets back. All the work is the library's.

mod args;
mod engines;
mod exit;
mod identity;
mod open;
mod progress;
mod solve;
mod summary;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// Runs the command that was typed.
pub(crate) fn run() -> ExitCode {
    let args = Args::parse();
    let result = match &args.command {
        Command::Solve(args) => solve::run(args),
        Command::Engines => engines::run(),
    };
    exit::code(result)
}
