//! `ninefold generate`: makes puzzles, reports.

mod args;
mod pattern;
mod summary;

pub(super) use args::GenerateArgs;

use super::exit::{Error, Outcome, say};
use super::lost_pages;
use super::open;
use super::progress::Bar;
use super::reading;
use super::signals::Signals;
use super::slowest;
use super::standard::is_standard;
use ninefold::generate::{Generator, Origin};
use ninefold::input::{Hints, Layout, Source};
use ninefold::output::Plan;
use ninefold::pipeline::{Control, Event};
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use summary::Summary;

/// Makes the puzzles that were requested.
pub(super) fn run(args: &GenerateArgs) -> Result<Outcome, Error> {
    if !args.recipe(0).clues_can_be() {
        let why = "no such number of clues is laid out in this symmetry";
        return Err(Error::Failed(format!("--clues with --symmetry {}: {why}", args.symmetry)));
    }
    let table = args.table()?;
    let origin = origin(args)?;
    check_outputs(args)?;
    let signals = Signals::prepare(args.running.grace);
    let mut plan = plan(args);
    plan.table = table;
    let mut output = open::begin(plan)?;
    signals.run_begins();
    let seed = args.seed.unwrap_or_else(any_seed);
    let generator = Generator {
        recipe: args.recipe(seed),
        count: args.count,
        distinct: !args.allow_duplicates,
        style: args.style(),
        threads: args.running.threads,
        simd: args.running.level(),
        max_branches: args.running.max_branches,
    };
    let mut bar = bar(args, &origin);
    let mut refusals = Refusals { quiet: args.running.quiet, count: 0 };
    let mut observer = |event: &Event| match *event {
        Event::Refused { input, line, reason } => refusals.tell(input, line, reason),
        _ => bar.tell(event),
    };
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let report = match generator.write(origin, &mut output, control) {
        Ok(report) => report,
        Err(error) => {
            return Err(open::left(signals.error(error), &output.suspend(), "puzzles"));
        }
    };
    bar.finish();

    let mut said = String::new();
    let committed = output.commit(|time| {
        let summary = Summary { report: &report, generator: &generator, time };
        said = summary.to_string();
        slowest::in_json(summary.to_json(), &args.running, None)
    });
    committed.map_err(|failed| open::left(failed.error.into(), &failed.left, "puzzles"))?;
    if !args.running.quiet {
        say(said);
    }
    if report.is_complete() { Ok(Outcome::AllAnswered) } else { Ok(Outcome::SomeUnanswered) }
}

/// The source of the puzzles, opened.
fn origin(args: &GenerateArgs) -> Result<Origin, Error> {
    let open = |path: &PathBuf| reading::open(path, lost_pages::mapping());
    let mut sources = args.inputs().iter().map(open).collect::<Result<Vec<Source>, _>>()?;
    let mut hints = Hints::default();
    hints.full_grids = !args.from.is_empty();
    // Answers are not looked at.
    hints.ignores_answers = true;
    if args.lines {
        sources = sources.into_iter().map(|it| it.with_layout(Layout::plain())).collect();
    }
    for source in &mut sources {
        source.find_layout(&hints)?;
        source.understood().filter(|_| !args.running.quiet).iter().for_each(say);
    }
    Ok(match (args.from.is_empty(), args.transform.is_empty()) {
        (false, _) => Origin::Grids(sources),
        (_, false) => Origin::Puzzles(sources),
        _ => Origin::Random,
    })
}

/// A random seed: 32 bits, so that it is short to type.
fn any_seed() -> u64 {
    RandomState::new().hash_one(()) >> 32
}

/// The file that puzzles go to, if it has a name.
fn output_path(args: &GenerateArgs) -> Option<&Path> {
    args.output.as_deref().filter(|path| !is_standard(path))
}

/// Refuses to write over what is read, or to write two things into one file.
fn check_outputs(args: &GenerateArgs) -> Result<(), Error> {
    let pattern = args.pattern.as_ref().and_then(|pattern| pattern.file.as_deref());
    let read = args.inputs().iter().map(PathBuf::as_path).chain(pattern);
    let others = [("--stats-json", "statistics", &args.running.stats_json)];
    open::check_written(open::claims(read), args.output.as_deref(), &others)?;
    plan(args).check()?;
    Ok(())
}

/// The outputs.
fn plan(args: &GenerateArgs) -> Plan<()> {
    open::plan(output_path(args), args.running.stats_json.as_deref(), args.force)
}

/// The progress bar, if there is a terminal.
fn bar(args: &GenerateArgs, origin: &Origin) -> Bar {
    if !args.running.shows_bar(output_path(args)) {
        return Bar::hidden();
    }
    Bar::shown(matches!(origin, Origin::Random).then_some(args.count))
}

/// Lines that were refused: the first ones are told, and the rest are counted.
struct Refusals {
    quiet: bool,
    count: u64,
}

impl Refusals {
    fn tell(&mut self, input: &str, line: u64, reason: &str) {
        /// Lines whose reasons are told.
        const TOLD: u64 = 10;
        self.count += 1;
        if !self.quiet && self.count <= TOLD {
            say(format_args!("ninefold: {input}: line {line}: {reason}"));
            if self.count == TOLD {
                say("ninefold: further lines are counted only");
            }
        }
    }
}
