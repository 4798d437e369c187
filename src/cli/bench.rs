//! `ninefold bench`: the crate `ninefold-bench` measures; this is what it needs of the program.

use super::{Error, InputArgs, Signals, open, parsers};
use crate::engine::EngineKind;
use crate::output::Sink;
use clap::Arg;
use clap::builder::PossibleValue;
use ninefold_bench::{BuiltIn, Host};
use std::process::ExitCode;
use std::time::Duration;

const AFTER: &str = "\
Marks in the table: ~ measured on parts of the list; < slower than this; ! failed,
listed below the table; – not measured. docs/bench.md describes the method.

Exit code 1: an answer was wrong or missing, or a program failed.
Exit code 2: the run failed, or there was no time for a round.

Examples:
  ninefold bench
  ninefold bench --engines dlx,mrv,lanes --plot speed.svg puzzles.txt
  ninefold bench --engines lanes --simd portable,avx2
  ninefold bench --engines lanes --program \"mine=./solve {input}\"
  ninefold bench --export before.json    # then, with another build:
  ninefold bench --compare before.json";

const INPUTS: &str = "Lists of puzzles; - for standard input, none for built-in lists";

/// The built-in lists, about from easy to hard. `data/README.md` explains how they were made.
const LISTS: [BuiltIn; 7] = [
    ("easy", "solved by naked singles", include_str!("../../data/easy.txt")),
    ("minimal", "random, no clue can go", include_str!("../../data/minimal.txt")),
    ("17-clues", "as few clues as there can be", include_str!("../../data/bench/17-clues.txt")),
    ("hard", "the hardest of a million", include_str!("../../data/bench/hard.txt")),
    ("multiple", "more than one solution", include_str!("../../data/multiple.txt")),
    ("none", "no solution", include_str!("../../data/none.txt")),
    ("sukaku", "candidates, no clues", include_str!("../../data/bench/sukaku.txt")),
];

/// Measure how fast solvers are
///
/// Times each engine and program on each list in interleaved rounds and prints a
/// table. Without INPUT, built-in lists are used, from easy to hard.
/// Before each round every puzzle is permuted. Every answer is checked.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = AFTER)]
#[command(mut_args(of_program))]
pub(super) struct BenchArgs {
    #[command(flatten)]
    bench: ninefold_bench::MeasureArgs,

    #[command(flatten)]
    reading: InputArgs,
}

/// The argument with what the program adds to it: its lists, its numbers, other words for the inputs.
fn of_program(arg: Arg) -> Arg {
    let list = |(name, about, _): BuiltIn| PossibleValue::new(name).help(about);
    match arg.get_id().as_str() {
        "inputs" => arg.help(INPUTS).long_help(INPUTS),
        "lists" => arg.value_parser(LISTS.map(list)),
        "engines" => arg.value_parser(parsers::named::<EngineKind>()),
        "simd" => arg.value_parser(parsers::simd()),
        "seed" => arg.value_parser(parsers::whole),
        _ => arg,
    }
}

/// Measures what was requested.
pub(super) fn run(args: &BenchArgs) -> Result<ExitCode, Error> {
    let BenchArgs { bench, reading } = args;
    if reading.explain()? {
        return Ok(ExitCode::SUCCESS);
    }
    let signals = Signals::prepare(Duration::MAX);
    let inputs = reading.inputs.iter().flatten();
    let read = inputs.chain(bench.compare.as_deref());
    let files = [("--export", "results", &bench.export), ("--plot", "chart", &bench.plot)];
    open::check(read, None, &files)?;
    for (.., path) in files {
        open::check_free(path.as_deref(), bench.force)?;
    }
    // This may wait for standard input.
    let mut sources = if reading.inputs.is_empty() { Vec::new() } else { reading.open()? };
    reading.find_layouts(&mut sources, None, bench.quiet)?;
    let host = Host {
        lists: &LISTS,
        inputs: sources,
        blank: reading.written_blank(),
        begin: &|| {
            let open = |path| open::sink(path, bench.force);
            let [export, plot] = [&bench.export, &bench.plot].map(|path| path.as_deref().map(open));
            let [export, plot] = [export.transpose()?, plot.transpose()?];
            signals.run_begins();
            Ok([export, plot].map(|sink| sink.map(Sink::or_nothing)))
        },
        signal: &|| signals.came().map(|(_, code)| code),
    };
    ninefold_bench::run(bench, host).map(ExitCode::from).map_err(Error::of_bench)
}
