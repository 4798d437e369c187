//! The program: arguments, messages and exit codes. The library does all the work.
//!
//! One file or folder a command, each with its `Args`. The files import each other one way:
//!
//! ```text
//! mod.rs ──> a command ──> records ──> the option groups (reading, writing, running) ──> parsers, exit
//! ```

mod banks;
mod bench;
mod canon;
mod comments;
mod completions;
mod engines;
mod env;
mod exit;
mod generate;
mod help;
mod histogram;
mod lost_pages;
mod malformed;
mod man;
mod merge;
mod open;
mod parsers;
mod progress;
mod rate;
mod reading;
mod records;
mod running;
mod select;
mod signals;
mod slowest;
mod solve;
mod standard;
mod summary;
mod usage;
mod verify;
mod version;

use bench::BenchArgs;
use canon::CanonArgs;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use completions::CompletionsArgs;
use exit::Outcome;
use generate::GenerateArgs;
use help::HelpArgs;
use man::ManArgs;
use merge::MergeArgs;
use rate::RateArgs;
use select::SelectArgs;
use solve::SolveArgs;
use std::process::ExitCode;
use verify::VerifyArgs;

/// Solves, checks and makes Sudoku puzzles in bulk.
#[derive(Debug, Parser)]
#[command(name = "ninefold", version, long_version = version::long())]
#[command(disable_help_subcommand = true, after_help = SEE_ALSO)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

/// The commands. `about` is an attribute where the arguments have a long description: a doc comment
/// would replace it.
#[derive(Debug, Subcommand)]
enum Command {
    #[command(about = "Write the solution of every puzzle, in input order")]
    Solve(Box<SolveArgs>),
    #[command(about = "Check a collection: legal, unique, right answers, no duplicates")]
    Verify(Box<VerifyArgs>),
    #[command(about = "Write the canonical form of every puzzle")]
    Canon(Box<CanonArgs>),
    #[command(about = "Measure how difficult each puzzle is")]
    Rate(Box<RateArgs>),
    #[command(about = "Copy the rows that meet conditions")]
    Select(Box<SelectArgs>),
    #[command(about = "Measure how fast solvers are")]
    Bench(Box<BenchArgs>),
    #[command(about = "Make puzzles, each proven to have one solution")]
    Generate(Box<GenerateArgs>),
    #[command(about = "Add up the statistics of shards and check that none is missing")]
    Merge(MergeArgs),
    /// List the engines that --engine takes
    Engines,
    /// Print version, features, CPU and system for a bug report
    Env,
    #[command(about = "Print the completions of a shell")]
    Completions(CompletionsArgs),
    #[command(about = "Write the man pages to a folder")]
    Man(ManArgs),
    /// Print the help of a command, or of a topic: formats
    Help(HelpArgs),
}

const SEE_ALSO: &str = "\
ninefold COMMAND --help    options of a command
ninefold help formats      input and record formats, statuses, exit codes";

/// All commands and options.
fn command() -> clap::Command {
    help::with_topics(Args::command())
}

/// Runs the command that was typed.
pub(crate) fn run() -> ExitCode {
    let words: Option<Vec<_>> = std::env::args_os().map(|word| word.into_string().ok()).collect();
    if let Some(code) = words.and_then(|words| ninefold_bench::hidden(&words)) {
        return code;
    }
    // Laying out the lists of all options takes a millisecond, so it is for help alone.
    let parsed = command().try_get_matches();
    let parsed = parsed.or_else(|_| help::lay_out(command()).try_get_matches());
    let parsed = parsed.and_then(|matches| {
        let is_zero = matches.subcommand().is_some_and(|(_, words)| usage::exits_with_zero(words));
        Ok((Args::from_arg_matches(&matches)?, is_zero))
    });
    let (args, is_zero) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage::refuse(&error),
    };
    signals::make_errors();
    let result = match &args.command {
        Command::Solve(args) => solve::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Canon(args) => canon::run(args),
        Command::Rate(args) => rate::run(args),
        Command::Select(args) => select::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Engines => engines::run(),
        Command::Env => env::run(),
        Command::Completions(args) => completions::run(args, command()),
        Command::Man(args) => man::run(args, command()),
        Command::Help(args) => help::run(args, help::lay_out(command())),
    };
    match result {
        Ok(Outcome::SomeUnanswered) if is_zero => ExitCode::SUCCESS,
        result => exit::code(result),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::engine::lanes::SimdLevel;

    #[test]
    fn the_options_do_not_contradict_each_other() {
        command().debug_assert();
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
            assert!(
                matches!(command, Command::Solve(args) if args.records.running.simd == Some(level))
            );
        }
    }
}
