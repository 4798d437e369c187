//! What the user types, sees and gets back. All the work is the library's.

mod args;
mod bench;
mod engines;
mod exit;
mod generate;
mod merge;
mod open;
mod progress;
mod reading;
mod resume;
mod running;
mod signals;
mod solve;
mod standard;
mod summary;
mod verify;
mod writing;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// Runs the command that was typed.
pub(crate) fn run() -> ExitCode {
    let args = Args::parse();
    signals::make_errors();
    let result = match &args.command {
        Command::Solve(args) => solve::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Engines => engines::run(),
    };
    exit::code(result)
}
