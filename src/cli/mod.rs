//! The program: arguments, messages and exit codes. The library does all the work.
//!
//! One file or folder a command, each with its `Args`. The files import each other one way:
//!
//! ```text
//! mod.rs ──> a command ──> the option groups (reading, writing, running) ──> parsers, exit
//! ```

mod bench;
mod engines;
mod exit;
mod generate;
mod lost_pages;
mod malformed;
mod merge;
mod open;
mod parsers;
mod progress;
mod reading;
mod running;
mod signals;
mod solve;
mod standard;
mod summary;
mod verify;
mod writing;

use bench::BenchArgs;
use clap::{Parser, Subcommand};
use generate::GenerateArgs;
use merge::MergeArgs;
use solve::SolveArgs;
use std::process::ExitCode;
use verify::VerifyArgs;

/// Solves Sudoku puzzles in bulk.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the solution of every puzzle, line by line
    Solve(Box<SolveArgs>),
    /// Check a collection: is every puzzle legal, unique, correctly answered, new?
    Verify(Box<VerifyArgs>),
    /// Measure how fast the engines solve
    Bench(Box<BenchArgs>),
    /// Make puzzles, each proven to have one solution
    Generate(Box<GenerateArgs>),
    /// Add up the statistics of shards, and check that they make a whole
    Merge(MergeArgs),
    /// List the engines that --engine takes
    Engines,
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use ninefold::engine::lanes::SimdLevel;

    #[test]
    fn the_options_do_not_contradict_each_other() {
        Args::command().debug_assert();
    }

    #[test]
    fn unique_looks_for_two_solutions_and_the_default_for_one() {
        let limit = |options: &[&str]| {
            let words = ["ninefold", "solve"].iter().chain(options);
            Args::try_parse_from(words).map(|args| match args.command {
                Command::Solve(args) => args.limit().get(),
                _ => 0,
            })
        };
        assert_eq!(limit(&[]).unwrap(), 1);
        assert_eq!(limit(&["--unique"]).unwrap(), 2);
        assert_eq!(limit(&["--limit", "7"]).unwrap(), 7);
        assert!(limit(&["--limit", "0"]).is_err());
        assert!(limit(&["--limit", "2", "--unique"]).is_err());
    }

    #[test]
    fn every_level_of_this_cpu_can_be_asked_for() {
        for level in SimdLevel::available() {
            let words = ["ninefold", "solve", "--simd", level.name()];
            let command = Args::try_parse_from(words).unwrap().command;
            assert!(matches!(command, Command::Solve(args) if args.running.simd == Some(level)));
        }
    }
}
