//! A bank of puzzles, loaded on all threads: workers make the keys, which are added in order.

use super::forms::{Form, Forms, Key, Packed, Same};
use super::table::{Place, Table};
use crate::engine::{Answer, Engine};
use crate::input::{Chunk, Puzzles, Record, Source};
use crate::pipeline::{Control, Event, Ordered, Panic, Pipeline, Progress, Work};
use crate::puzzle::{Grid, Solution};
use crate::run::{Error, Inputs, Names, Piece, panicked};
use crate::search::Search;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Of the puzzles of a prepared bank, the first of each chunk and every 1,024th after it are checked.
const CHECK_EVERY: usize = 1024;

ninefold_core::named_enum! {
    /// What a bank holds.
    pub enum Prepared, "form" {
        @default Any = "any", "any puzzles: their forms are computed";
        Minlex = "minlex", "puzzles in minlex form, as ninefold canon writes them";
        Solution = "solution", "the same of ninefold canon --form solution";
    }
}

/// How a bank is loaded.
#[derive(Clone, Debug)]
pub struct Load {
    /// Which puzzles count as the same.
    pub same: Same,
    /// Whether the puzzles that are looked for come with their solutions, so that the cheapest form can
    /// be compared. If not, or if the bank holds minlex forms, minlex forms are compared.
    pub solved: bool,
    /// What the bank holds. If it holds forms already, they are trusted: only a sample is checked.
    pub prepared: Prepared,
    /// The engine that solves. A puzzle that takes more branches than its bound is compared by its
    /// minlex form.
    pub search: Search,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Default for Load {
    fn default() -> Self {
        Self {
            same: Same::Isomorphic,
            solved: true,
            prepared: Prepared::Any,
            search: Search::default(),
            pipeline: Pipeline::default(),
        }
    }
}

/// The puzzles of some files, found by their forms: see [`Load`].
pub struct Bank {
    /// The form in which puzzles are compared: keys to be looked up must be made of it.
    pub(crate) form: Form,
    pub(crate) table: Table,
    /// How many puzzles were loaded, duplicates included.
    pub(crate) puzzles: u64,
    pub(crate) malformed: u64,
    first_malformed: Option<(usize, u64)>,
    names: Names,
}

impl Load {
    /// Loads all puzzles of these sources. Lines that are not puzzles are counted.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn load(&self, sources: Vec<Source>, control: Control<'_>) -> Result<Bank, Error> {
        let names = Names::of(&sources);
        let lines = sources.iter().map(|source| source.part().lines_before).collect();
        let form = Form::of(self.same, self.solved && self.prepared != Prepared::Minlex);
        let bank = Bank {
            form,
            table: Table::new(),
            puzzles: 0,
            malformed: 0,
            first_malformed: None,
            names: names.clone(),
        };
        let cancel = control.cancel().clone();
        let mut stage = Stage { bank, lines, bytes: 0, control };
        let make = || Worker {
            names: names.clone(),
            prepared: self.prepared,
            forms: Forms::new(form),
            engine: self.search.build(),
            puzzles: Puzzles::new(),
            answers: Vec::new(),
        };
        match self.pipeline.run(Inputs::new(sources), make, &mut stage, &cancel) {
            Ok(()) => Ok(stage.bank),
            Err(error) => Err(Error::of(error, 0)),
        }
    }
}

impl Bank {
    /// How many lines are not puzzles; the file and the number of the first.
    #[must_use]
    pub fn malformed(&self) -> Option<(u64, &str, u64)> {
        let (input, line) = self.first_malformed?;
        Some((self.malformed, self.names.get(input), line))
    }

    /// The file and the line of the first place of each puzzle that the bank has.
    pub(crate) fn find(&self, keys: &[Key]) -> Vec<Option<(&str, u64)>> {
        let place = |place: Place| (&**self.names.get(place.input), place.line);
        self.table.find(keys).into_iter().map(|found| found.map(place)).collect()
    }
}

/// Makes the keys of a chunk.
struct Worker {
    names: Names,
    prepared: Prepared,
    forms: Forms,
    engine: Box<dyn Engine>,
    puzzles: Puzzles,
    answers: Vec<Answer>,
}

/// What a worker makes of a chunk.
#[derive(Default)]
struct Output {
    /// All grids, then all sukakus.
    keys: Vec<Key>,
    /// The line of each puzzle, counted from 1 at the start of the chunk.
    lines: Vec<u64>,
    lines_read: u64,
    malformed: u64,
    first_malformed: Option<u64>,
    /// The first line that is not in the form that the bank should hold.
    unprepared: Option<u64>,
}

impl Worker {
    fn run_on(&mut self, chunk: &Chunk, output: &mut Output) {
        self.puzzles.read(chunk);
        self.note_lines(output);
        let Self { prepared, puzzles, answers, engine, forms, .. } = self;
        let (grids, sukakus) = (puzzles.grids(), puzzles.sukakus());
        let solves = forms.form == Form::Solution;
        answers.clear();
        if *prepared != Prepared::Any && forms.form != Form::Exact {
            output.keys.extend(grids.iter().map(|grid| Packed::from(grid).key()));
            let checked = (0..grids.len()).step_by(CHECK_EVERY);
            let wrong = checked
                .map(|index| (index, &grids[index]))
                .find(|(_, grid)| !is_prepared(*prepared, grid, forms, engine.as_mut()));
            output.unprepared = wrong.map(|(index, _)| output.lines[index]);
        } else {
            if solves {
                engine.prove_batch(grids, answers);
            }
            let mut answers = answers.iter();
            output.keys.extend(
                grids.iter().map(|grid| forms.grid(grid, only_solution(answers.next())).key()),
            );
        }
        answers.clear();
        if solves {
            engine.solve_sukakus(sukakus, 2, answers);
        }
        let mut answers = answers.iter();
        output.keys.extend(
            sukakus.iter().map(|sukaku| forms.sukaku(sukaku, only_solution(answers.next())).key()),
        );
    }

    /// Notes the line of each puzzle.
    fn note_lines(&self, output: &mut Output) {
        *output = Output { lines: vec![0; self.puzzles.count()], ..Output::default() };
        for record in self.puzzles.records() {
            output.lines_read += record.lines();
            match record {
                Record::Puzzles { line, numbers } => {
                    for (line, index) in (line..).zip(numbers) {
                        output.lines[index] = line;
                    }
                }
                Record::Malformed { line, .. } => {
                    output.malformed += 1;
                    output.first_malformed.get_or_insert(line);
                }
                Record::Skipped { .. } => {}
            }
        }
    }
}

/// The solution of a puzzle that has exactly one.
fn only_solution(answer: Option<&Answer>) -> Option<&Solution> {
    answer.filter(|answer| answer.count == 1 && !answer.gave_up)?.first.as_ref()
}

/// Whether a puzzle is in the form that a bank should hold. One whose search was given up may be.
fn is_prepared(
    prepared: Prepared,
    grid: &Grid,
    forms: &mut Forms,
    engine: &mut dyn Engine,
) -> bool {
    let mut answers = Vec::new();
    if prepared == Prepared::Solution {
        engine.solve_batch(&[*grid], 2, &mut answers);
    }
    match answers.first() {
        Some(answer) if answer.gave_up => true,
        Some(answer) if answer.count != 1 => false,
        answer => forms.grid(grid, only_solution(answer)) == grid.into(),
    }
}

impl Work for Worker {
    type Chunk = Piece;
    type Output = Output;
    type Error = Error;

    fn run(&mut self, piece: &Piece, output: &mut Output) -> Result<(), Error> {
        let names = self.names.clone();
        names.read(piece, |chunk| self.run_on(chunk, output))
    }
}

/// Adds the keys in order.
struct Stage<'c> {
    bank: Bank,
    /// The lines of each input so far.
    lines: Vec<u64>,
    bytes: u64,
    control: Control<'c>,
}

impl Ordered for Stage<'_> {
    type Chunk = Piece;
    type Output = Output;
    type Error = Error;

    fn take(&mut self, piece: &mut Piece, output: &mut Output) -> Result<ControlFlow<()>, Error> {
        let Self { bank, lines, bytes, control } = self;
        let before = lines[piece.input];
        if let Some(line) = output.unprepared {
            let input = Arc::clone(bank.names.get(piece.input));
            return Err(Error::Unprepared { input, line: before + line });
        }
        output.lines.iter_mut().for_each(|line| *line += before);
        bank.table.add(piece.input, &output.lines, &output.keys);
        bank.puzzles += output.keys.len() as u64;
        bank.malformed += output.malformed;
        if let Some(line) = output.first_malformed {
            bank.first_malformed.get_or_insert((piece.input, before + line));
        }
        lines[piece.input] += output.lines_read;
        *bytes += crate::pipeline::Chunk::size(piece);
        control.tell(&Event::Advanced(Progress::new(bank.puzzles, *bytes)));
        Ok(ControlFlow::Continue(()))
    }

    fn panicked(&mut self, panic: Panic<'_, Piece>) -> Error {
        panicked(&panic, &self.bank.names, |input| self.lines[input])
    }
}
