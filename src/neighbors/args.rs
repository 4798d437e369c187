//! The arguments of `ninefold neighbors`.

use super::found::{self, FoundPuzzles};
use super::options::Nearby;
use super::order::NearOrder;
use super::worker::{NearWorker, SearchedRows};
use super::{COLUMNS, Near, Outcome};
use crate::cli::{
    Declared, Error, Job, Opened, Ran, SolverArgs, Started, Typed, banks, count_line, refuse, terms,
};
use crate::input::{Chunk, Layout, Source, Want};
use crate::output::{Column, Format};
use crate::pipeline::Filled;
use crate::puzzle::Cell;
use crate::run::{
    self, Checkpoint, Clues, Command, Count, Inputs, Piece, Report, Rows, Terms, Writing,
};
use indicatif::HumanCount;
use std::ops::ControlFlow;
use std::path::Path;

const AFTER: &str = "\
Record formats, statuses and exit codes: ninefold help formats

Examples:
  ninefold neighbors hard.txt -o near.txt                        # {-1+1}
  ninefold neighbors hard.txt --minus 2 --plus 2 --minimal --er 11.5..
  ninefold neighbors bank.txt --not-in bank.txt --rounds until-stable -o new.txt
  ninefold neighbors game.txt --minus 2 --plus 2 --pattern same --per-source
  ninefold neighbors puzzle.txt --per-source --format csv";

/// Find puzzles that differ from given puzzles in a few clues
///
/// Removes exactly N clues of each puzzle, adds exactly M others, and writes all
/// puzzles with one solution that this gives: {-N+M}. Isomorphic puzzles are written
/// once. Every way is tried; no search is cut off.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = AFTER)]
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

    fn want(&self, writing: &Writing) -> Want {
        let want = writing.want();
        Want { lines: want.lines || self.max.is_some(), ..want }
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
    Declared::new("neighbors", COLUMNS.to_vec(), counts())
}

impl Job for NeighborsArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let args = self.options.common();
        let typed = Typed::of("neighbors", &self.nearby, args, Format::Line);
        // Puzzles that are not written cannot be read again: they could come twice.
        let are_written = typed.args.format.writes_puzzles(Terms::of(Outcome::Unique));
        Ok(Typed {
            also_read: self.nearby.not_in.iter().flatten().map(Path::to_owned).collect(),
            // The sources of further rounds are an input of their own.
            names_inputs: self.nearby.has_rounds(),
            restarts: (!are_written && !self.nearby.per_source)
                .then_some("not all puzzles are written"),
            ..typed
        })
    }

    fn prepare(&mut self, opened: Opened<'_>) -> Result<(), Error> {
        let Opened { typed, signals, .. } = opened;
        let nothing = (self.nearby.minus, self.nearby.plus) == (0, 0);
        refuse(nothing, "--minus 0 --plus 0", "no clue changes")?;
        let is_unequal = self.nearby.pattern.is_some() && self.nearby.minus != self.nearby.plus;
        refuse(is_unequal, "--pattern same", "--minus and --plus must be equal")?;
        let reason = "found puzzles have no other columns (use --rounds 1)";
        let keeps = self.options.keep_columns;
        refuse(self.nearby.has_rounds() && keeps, "--keep-columns", reason)?;
        let not_in = &self.nearby.not_in;
        self.nearby.bank = banks::load("--not-in", not_in, true, &typed.args, signals)?;
        Ok(())
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        let Started { run, mut sources, output, control, search } = run;
        self.nearby.search = search;
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
        let is_full = order.is_full();
        let fill = move |inputs: &mut Inputs, piece: &mut Piece, size| {
            if is_full {
                // An earlier run had found them all.
                return Ok(Filled::End);
            }
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
