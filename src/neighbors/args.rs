//! The arguments of `ninefold neighbors`.

use super::found::{self, FoundPuzzles};
use super::order::NearOrder;
use super::worker::{NearWorker, SearchedRows};
use super::{Around, COLUMNS, MOST_CLUES, Near, Outcome};
use crate::bank::{Bank, Key};
use crate::cli::banks;
use crate::cli::exit::{Error, refuse};
use crate::cli::parsers;
use crate::cli::signals::Signals;
use crate::cli::writing::{FORMATS, SolverArgs, formats, terms};
use crate::difficulty::ScoreRange;
use crate::input::{Chunk, Layout, Source};
use crate::output::{Column, Format};
use crate::pipeline::Filled;
use crate::puzzle::Cell;
use crate::run::declared::{Declared, Ran, count_line};
use crate::run::typed::{Job, Started, Typed};
use crate::run::{
    Checkpoint, Clues, Command, Count, Counts, Error as RunError, Inputs, Piece, Report, Rows,
    Terms,
};
use crate::search::Search;
use indicatif::HumanCount;
use std::collections::HashSet;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;
use std::sync::{Arc, RwLock};

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

/// Which neighbors are written.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Neighbors")]
pub(super) struct Nearby {
    /// Remove N clues
    #[arg(long, value_name = "N", default_value = "1", value_parser = change)]
    pub(super) minus: usize,

    /// Add M clues; a removed cell may get another digit
    #[arg(long, value_name = "M", default_value = "1", value_parser = change)]
    pub(super) plus: usize,

    /// Add the clues in the removed cells (same)
    ///
    /// The puzzles have the pattern of their sources. --minus and --plus must be equal.
    #[arg(long, value_name = "WHICH", value_parser = ["same"])]
    pub(super) pattern: Option<String>,

    /// Write minimal puzzles only: no clue is redundant
    #[arg(long)]
    pub(super) minimal: bool,

    /// Write puzzles with K or MIN..MAX clues only
    #[arg(long, value_name = "K|MIN..MAX", value_parser = parsers::clues)]
    pub(super) clues: Option<RangeInclusive<usize>>,

    /// Write puzzles with this Explainer rating only
    ///
    /// A range such as 4.0..4.4 or '>9.0', or one score. The rating is er, as rate measures it.
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::scores)]
    pub(super) er: Option<ScoreRange>,

    /// Leave out the puzzles of this bank, up to symmetry
    ///
    /// Any input that solve reads. Can be given several times.
    #[arg(long, value_name = "BANK")]
    pub(super) not_in: Vec<PathBuf>,

    /// Search around new puzzles, too: R or until-stable
    ///
    /// In round 1 the puzzles of the inputs are sources, in each further round the new puzzles of the
    /// round before. until-stable ends after a round without a new puzzle.
    #[arg(long, value_name = "R", default_value = "1", value_parser = rounds)]
    #[arg(conflicts_with = "per_source")]
    pub(super) rounds: u64,

    /// End after N new puzzles
    #[arg(long, value_name = "N", value_parser = parsers::positive)]
    pub(super) max: Option<u64>,

    /// Write all neighbors of each source
    ///
    /// Also those that are isomorphic, or neighbors of an earlier source. They are written as found, not in
    /// canonical form.
    #[arg(long)]
    pub(super) per_source: bool,

    /// Count the neighbors of each new puzzle (csv, jsonl)
    ///
    /// All puzzles with one solution that differ from it by --minus, --plus and --pattern. Takes as long as
    /// a search around it.
    #[arg(long)]
    pub(super) count: bool,

    /// The bank, once it is read.
    #[arg(skip)]
    pub(super) bank: Option<Arc<Bank>>,
    /// The engine and its bounds: those of this run.
    #[arg(skip)]
    pub(super) search: Search,
    /// Classes that are known: each was examined.
    #[arg(skip)]
    pub(super) known: Arc<RwLock<HashSet<Key>>>,
}

/// Takes a number of rounds: more than there can be for `until-stable`.
fn rounds(text: &str) -> Result<u64, String> {
    if text == "until-stable" {
        return Ok(u64::MAX);
    }
    parsers::positive(text).map_err(|why| format!("{why}, or until-stable"))
}

fn change(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&clues| clues <= MOST_CLUES);
    number.ok_or_else(|| format!("expected 0 to {MOST_CLUES}"))
}

impl Nearby {
    /// How many clues change.
    pub(super) const fn around(&self) -> Around {
        let (minus, plus, same_cells) = (self.minus, self.plus, self.pattern.is_some());
        Around { minus, plus, same_cells, needed: false }
    }

    /// Whether new puzzles become sources.
    pub(super) const fn has_rounds(&self) -> bool {
        self.rounds > 1
    }
}

/// `ninefold neighbors`
#[derive(Debug, clap::Args)]
#[command(long_about = ABOUT, after_long_help = AFTER)]
#[command(mut_arg("format", formats(FORMATS)))]
#[command(mut_arg("only", terms::<Outcome>))]
pub(crate) struct NeighborsArgs {
    #[command(flatten)]
    nearby: Nearby,
    #[command(flatten)]
    options: SolverArgs,
}

impl Command for Nearby {
    type Kept = SearchedRows;

    fn columns(&self, _: Format) -> Vec<Column> {
        let is_wanted = |column: &&Column| match column.name {
            "er" => self.er.is_some(),
            "neighbors" => self.count,
            _ => true,
        };
        COLUMNS.iter().filter(is_wanted).copied().collect()
    }

    fn counts(&self) -> Vec<Count> {
        counts()
    }

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, SearchedRows>) -> ControlFlow<()> {
        let mut worker = NearWorker::new(self);
        move |chunk, rows| worker.answer(chunk, rows)
    }
}

fn counts() -> Vec<Count> {
    let clues = Count::of::<Clues>("clues", 0..=Cell::COUNT);
    vec![Count::statuses::<Outcome>(), Count::each::<Near>(), clues]
}

/// The declaration of the records.
pub(crate) fn declared() -> Declared {
    Declared::new::<Outcome>("neighbors", COLUMNS.to_vec(), Counts::new(counts()))
}

impl Job for NeighborsArgs {
    fn typed(&self) -> Result<Typed<'_>, Error> {
        let args = self.options.common();
        let format = args.format(Format::Line);
        let declared = Declared::of::<Outcome>("neighbors", &self.nearby, format);
        // Puzzles that are not written cannot be read again: they could come twice.
        let written = args.format.select(&declared.terms);
        let are_written = Terms::of(Outcome::Unique).meets(written);
        Ok(Typed {
            also_read: self.nearby.not_in.iter().map(PathBuf::as_path).collect(),
            // The sources of further rounds are an input of their own.
            names_inputs: self.nearby.has_rounds(),
            restarts: (!are_written && !self.nearby.per_source)
                .then_some("not all puzzles are written"),
            ..Typed::new(args, declared, format)
        })
    }

    fn prepare(&mut self, _: &[Source], signals: &Signals) -> Result<(), Error> {
        let nothing = (self.nearby.minus, self.nearby.plus) == (0, 0);
        refuse(nothing, "--minus 0 --plus 0", "no clue changes")?;
        let is_unequal = self.nearby.pattern.is_some() && self.nearby.minus != self.nearby.plus;
        refuse(is_unequal, "--pattern same", "--minus and --plus must be equal")?;
        let reason = "found puzzles have no other columns (use --rounds 1)";
        let keeps = self.options.keep_columns;
        refuse(self.nearby.has_rounds() && keeps, "--keep-columns", reason)?;
        let (not_in, common) = (&self.nearby.not_in, self.options.common());
        self.nearby.bank = banks::load("--not-in", not_in, true, common, signals)?;
        Ok(())
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, RunError> {
        let Started { run, mut sources, output, control } = run;
        self.nearby.search = self.options.search.search(control.cancel());
        let (nearby, found) = (&self.nearby, FoundPuzzles::default());
        let state = output.resumed()?.unwrap_or_else(Checkpoint::default).own;
        if !nearby.per_source {
            found::read_written(nearby, &run.writing.style, output, &found, &state)?;
        }
        let input = sources.len();
        if nearby.has_rounds() {
            let source = Source::from_reader("found", found.clone());
            sources.push(source.with_layout(Layout::default()));
        }
        let tells = !self.options.records.running.quiet && nearby.has_rounds();
        let mut order = NearOrder::new(nearby, input, found.clone(), tells, &state);
        let fill = move |inputs: &mut Inputs, piece: &mut Piece, size| {
            let filled = inputs.fill(piece, size)?;
            if filled == Filled::Chunk {
                found.read();
            }
            Ok(filled)
        };
        let report = run.write(nearby, sources, fill, output, control, |it| order.take(it))?;
        order.tell();
        Ok(report)
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let [found, minimal] = [Near::Found, Near::Minimal].map(|it| HumanCount(ran.total()[it]));
        let what = if self.nearby.per_source { "neighbors" } else { "classes of neighbors" };
        let counts = count_line(ran.total(), ran.statuses());
        format!("{counts}\n{found} {what}, {minimal} of them minimal")
    }
}
