//! The program: arguments, messages and exit codes. The library does all the work.
//!
//! One file or folder a command, each with its `Args`. The files import each other one way:
//!
//! ```text
//! mod.rs ──> a command ──> records ──> the option groups (reading, writing, running) ──> parsers, exit
//! ```

pub(crate) mod banks;
mod bench;
mod completions;
mod engines;
mod env;
mod exit;
mod help;
pub(crate) mod histogram;
mod identity;
mod job;
pub(crate) mod lost_pages;
mod malformed;
mod man;
mod open;
pub(crate) mod parsers;
mod progress;
pub(crate) mod reading;
mod running;
mod signals;
mod standard;
mod statistics;
mod summary;
mod usage;
mod version;
mod writing;

pub(crate) use exit::{Error, chain, refuse, say};
pub(crate) use histogram::{HistogramPart, counted};
pub(crate) use job::{Declared, Job, Opened, Started, Typed, check_headers};
pub(crate) use parsers::Files;
pub(crate) use reading::InputArgs;
pub(crate) use running::SearchArgs;
pub(crate) use standard::is_standard;
pub(crate) use summary::{Ran, count_line, first_place, is_mixed, skipped_lines};
pub(crate) use writing::{
    ColorArgs, CommonArgs, FormatArgs, RecordsArgs, SolverArgs, check_fields, formats, terms,
};

use crate::augment::{Augment, args::AugmentArgs};
use crate::canon::{Canonize, args::CanonArgs};
use crate::generate::args::{self as generate, GenerateArgs};
use crate::minimize::{Minimize, args::MinimizeArgs};
use crate::neighbors::args::{self as neighbors, NeighborsArgs};
use crate::output::Format;
use crate::rate::{Rate, args as rate, args::RateArgs};
use crate::select::args::{self as select, SelectArgs};
use crate::solve::{Solve, args::SolveArgs};
use crate::steps::{Steps, args::StepsArgs};
use crate::verify::args::{self as verify, VerifyArgs};
use bench::BenchArgs;
use clap::{CommandFactory, FromArgMatches, Parser};
use completions::CompletionsArgs;
use exit::print;
use help::HelpArgs;
use histogram::columns;
use malformed::frequent_reasons;
use man::ManArgs;
use progress::{Bar, per_second};
use running::RunArgs;
use serde_json::Value;
use signals::Signals;
use standard::stdin_file;
use statistics::MergeArgs;
use std::env::args_os;
use std::process::ExitCode;
use summary::full_grids;

/// Solves, checks and makes Sudoku puzzles in bulk.
// `about` is an attribute where the list of commands has a shorter text than the command.
#[derive(Parser)]
#[command(name = "ninefold", version, long_version = version::long())]
#[command(disable_help_subcommand = true, after_help = SEE_ALSO)]
enum Command {
    Solve(Box<SolveArgs>),
    #[command(about = "Check a collection: legal, unique, right answers, no duplicates")]
    Verify(Box<VerifyArgs>),
    Canon(Box<CanonArgs>),
    Rate(Box<RateArgs>),
    Steps(Box<StepsArgs>),
    #[command(about = "Copy the rows that meet conditions")]
    Select(Box<SelectArgs>),
    Augment(Box<AugmentArgs>),
    Bench(Box<BenchArgs>),
    Generate(Box<GenerateArgs>),
    Neighbors(Box<NeighborsArgs>),
    Minimize(Box<MinimizeArgs>),
    Merge(MergeArgs),
    /// List the engines that --engine takes
    Engines,
    /// Print version, features, CPU and system for a bug report
    Env,
    Completions(CompletionsArgs),
    Man(ManArgs),
    /// Print the help of a command, or of a topic: formats
    Help(HelpArgs),
}

const SEE_ALSO: &str = "\
ninefold COMMAND --help    options of a command
ninefold help formats      input and record formats, statuses, exit codes";

/// All commands and options.
fn program() -> clap::Command {
    // Without the ending `.exe`.
    help::with_topics(Command::command().bin_name("ninefold").max_term_width(100))
}

/// Runs the command that was typed.
pub fn main() -> ExitCode {
    // A console of Windows shows colours if it is asked to.
    #[cfg(windows)]
    anstyle_query::windows::enable_ansi_colors();
    let is_long = args_os().any(|word| word == "--help");
    let typed = if is_long { help::with_long_texts(program()) } else { program() };
    let parsed = typed.try_get_matches().and_then(|matches| {
        let typed = matches.subcommand();
        let identity = typed.map(|(name, words)| identity::of(name, words)).unwrap_or_default();
        Ok((Command::from_arg_matches(&matches)?, identity))
    });
    let (command, identity) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage::refuse(&usage::of_another_command(error, &program())),
    };
    signals::make_errors();
    let result = match command {
        Command::Solve(args) => job::run(*args, identity),
        Command::Verify(args) => job::run(*args, identity),
        Command::Canon(args) => job::run(*args, identity),
        Command::Rate(args) => job::run(*args, identity),
        Command::Steps(args) => job::run(*args, identity),
        Command::Select(args) => job::run(*args, identity),
        Command::Augment(args) => job::run(*args, identity),
        Command::Bench(args) => bench::run(&args),
        Command::Generate(args) => job::run(*args, identity),
        Command::Neighbors(args) => job::run(*args, identity),
        Command::Minimize(args) => job::run(*args, identity),
        Command::Merge(args) => statistics::merge(&args, declared),
        Command::Engines => engines::run(),
        Command::Env => env::run(),
        Command::Completions(args) => completions::run(&args, program()),
        Command::Man(args) => man::run(&args, program()),
        Command::Help(args) => help::run(&args, program()),
    };
    result.unwrap_or_else(exit::fail)
}

/// The declarations of the commands that write records, with these options.
fn declared(options: &Value) -> Vec<Declared> {
    let (split, csv) = (options["--split"].as_str(), Format::Csv);
    let split = split.and_then(|split| split.parse().ok());
    vec![
        Declared::of("solve", &Solve::default(), csv),
        verify::declared(options["--rate"] == true, options["--score"] == true),
        Declared::of("canon", &Canonize { map: true, ..Canonize::default() }, csv),
        rate::declared(&Rate::default(), csv),
        Declared::of("steps", &Steps { boards: true, ..Steps::default() }, csv),
        select::declared(split.as_ref()),
        Declared::of("augment", &Augment { map: true, ..Augment::default() }, csv),
        generate::declared(),
        neighbors::declared(),
        Declared::of("minimize", &Minimize::default(), csv),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_do_not_contradict_each_other() {
        program().debug_assert();
    }
}
