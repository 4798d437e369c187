//! The arguments of `ninefold neighbors`.

use super::{Around, MOST_CLUES, Near, Nearby, Outcome, Round};
use crate::bank::Bank;
use crate::cli::banks;
use crate::cli::exit::{Error, refuse, say};
use crate::cli::histogram::counted;
use crate::cli::parsers;
use crate::cli::signals::Signals;
use crate::cli::writing::{FORMATS, SolverArgs, formats, terms};
use crate::difficulty::ScoreRange;
use crate::input::Source;
use crate::output::Format;
use crate::pipeline::Cancel;
use crate::run::declared::{Declared, Ran, count_line};
use crate::run::typed::{Job, Started, Typed};
use crate::run::{Counts, Error as RunError, Report, Terms};
use indicatif::HumanCount;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

const ABOUT: &str = "\
Find puzzles that differ from given puzzles in a few clues

Removes exactly N clues of each puzzle, adds exactly M others, and writes all
puzzles with one solution that this gives: {-N+M}. Isomorphic puzzles are written
once. Every way is tried; no search is cut off.";

const AFTER: &str = "\
Record formats, statuses and exit codes: ninefold help formats

Examples:
  ninefold neighbors hard.txt -o near.txt                        # {-1+1}
  ninefold neighbors hard.txt --minus 2 --plus 2 --minimal --er 11.5..
  ninefold neighbors bank.txt --not-in bank.txt --rounds until-stable -o new.txt
  ninefold neighbors game.txt --minus 2 --plus 2 --pattern same --per-source
  ninefold neighbors puzzle.txt --per-source --format csv";

/// `ninefold neighbors`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(mut_arg("format", formats(FORMATS)))]
#[command(mut_arg("only", terms::<Outcome>))]
#[command(next_help_heading = "Neighbors")]
pub(crate) struct NeighborsArgs {
    /// Remove N clues
    #[arg(long, value_name = "N", default_value = "1", value_parser = change)]
    minus: usize,

    /// Add M clues; a removed cell may get another digit
    #[arg(long, value_name = "M", default_value = "1", value_parser = change)]
    plus: usize,

    /// Add the clues in the removed cells (same)
    ///
    /// The puzzles have the pattern of their sources. --minus and --plus must be equal.
    #[arg(long, value_name = "WHICH", value_parser = ["same"])]
    pattern: Option<String>,

    /// Write minimal puzzles only: no clue is redundant
    #[arg(long)]
    minimal: bool,

    /// Write puzzles with K or MIN..MAX clues only
    #[arg(long, value_name = "K|MIN..MAX", value_parser = parsers::clues)]
    clues: Option<RangeInclusive<usize>>,

    /// Write puzzles with this Explainer rating only
    ///
    /// A range such as 4.0..4.4 or '>9.0', or one score. The rating is er, as rate measures it.
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::scores)]
    er: Option<ScoreRange>,

    /// Leave out the puzzles of this bank, up to symmetry
    ///
    /// Any input that solve reads. Can be given several times.
    #[arg(long, value_name = "BANK")]
    not_in: Vec<PathBuf>,

    /// Search around new puzzles, too: R or until-stable
    ///
    /// In round 1 the puzzles of the inputs are sources, in each further round the new puzzles of the
    /// round before. until-stable ends after a round without a new puzzle.
    #[arg(long, value_name = "R", default_value = "1", value_parser = rounds)]
    #[arg(conflicts_with = "per_source")]
    rounds: Rounds,

    /// End after N new puzzles
    #[arg(long, value_name = "N", value_parser = parsers::positive)]
    max: Option<u64>,

    /// Write all neighbors of each source
    ///
    /// Also those that are isomorphic, or neighbors of an earlier source. They are written as found, not in
    /// canonical form.
    #[arg(long)]
    per_source: bool,

    /// Count the neighbors of each new puzzle (csv, jsonl)
    ///
    /// All puzzles with one solution that differ from it by --minus, --plus and --pattern. Takes as long as
    /// a search around it.
    #[arg(long)]
    count: bool,

    #[command(flatten)]
    options: SolverArgs,

    #[arg(skip)]
    bank: Option<Arc<Bank>>,
}

/// The number of rounds; none without end.
#[derive(Clone, Copy, Debug)]
struct Rounds(Option<u64>);

fn rounds(text: &str) -> Result<Rounds, String> {
    if text == "until-stable" {
        return Ok(Rounds(None));
    }
    let number = parsers::positive(text);
    number.map(|rounds| Rounds(Some(rounds))).map_err(|why| format!("{why}, or until-stable"))
}

fn change(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&clues| clues <= MOST_CLUES);
    number.ok_or_else(|| format!("expected 0 to {MOST_CLUES}"))
}

impl NeighborsArgs {
    fn command(&self, cancel: &Cancel) -> Nearby {
        Nearby {
            around: Around {
                minus: self.minus,
                plus: self.plus,
                same_cells: self.pattern.is_some(),
                needed: false,
            },
            per_source: self.per_source,
            minimal: self.minimal,
            clues: self.clues.clone().unwrap_or(Nearby::default().clues),
            er: self.er.clone(),
            bank: self.bank.clone(),
            count: self.count,
            rounds: self.rounds.0,
            max: self.max,
            search: self.options.search.search(cancel),
        }
    }

    fn has_rounds(&self) -> bool {
        self.rounds.0 != Some(1)
    }
}

/// The declaration of the records.
pub(crate) fn declared() -> Declared {
    Declared::new::<Outcome>("neighbors", super::COLUMNS.to_vec(), Counts::new(Nearby::counts()))
}

impl Job for NeighborsArgs {
    fn typed(&self) -> Result<Typed<'_>, Error> {
        let args = self.options.common();
        let declared =
            Declared { columns: self.command(&Cancel::default()).columns(), ..declared() };
        // Puzzles that are not written cannot be read again: they could come twice.
        let written = args.format.select(&declared.terms);
        let are_written = Terms::of(Outcome::Unique).meets(written);
        Ok(Typed {
            also_read: self.not_in.iter().map(PathBuf::as_path).collect(),
            // The sources of further rounds are an input of their own.
            names_inputs: self.has_rounds(),
            restarts: (!are_written && !self.per_source).then_some("not all puzzles are written"),
            ..Typed::new(args, declared, args.format(Format::Line))
        })
    }

    fn prepare(&mut self, _: &[Source], signals: &Signals) -> Result<(), Error> {
        let nothing = (self.minus, self.plus) == (0, 0);
        refuse(nothing, "--minus 0 --plus 0", "no clue changes")?;
        let is_unequal = self.pattern.is_some() && self.minus != self.plus;
        refuse(is_unequal, "--pattern same", "--minus and --plus must be equal")?;
        let reason = "found puzzles have no other columns (use --rounds 1)";
        let keeps = self.options.keep.keep_columns;
        refuse(self.has_rounds() && keeps, "--keep-columns", reason)?;
        self.bank = banks::load("--not-in", &self.not_in, true, self.options.common(), signals)?;
        Ok(())
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, RunError> {
        let Started { run, sources, output, control } = run;
        let command = self.command(control.cancel());
        let is_quiet = self.options.records.running.quiet || !self.has_rounds();
        let mut ended = |round: &Round| {
            if !is_quiet {
                let [sources, found] = [(round.sources, "source"), (round.found, "new puzzle")]
                    .map(|(count, word)| counted(count, word));
                say(format_args!("round {}: {sources}, {found}", HumanCount(round.number)));
            }
        };
        command.write(run, sources, &mut ended, output, control)
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let [found, minimal] = [Near::Found, Near::Minimal].map(|it| HumanCount(ran.total()[it]));
        let what = if self.per_source { "neighbors" } else { "classes of neighbors" };
        let counts = count_line(ran.total(), ran.statuses());
        format!("{counts}\n{found} {what}, {minimal} of them minimal")
    }
}
