//! A bank of puzzles, loaded on all threads: forms are made by workers, and added in order.

use super::forms::{Form, Forms, Same};
use super::packed::PackedGrid;
use super::seen::{Batch, Place, Seen};
use crate::bulk::{Error, Inputs, Names, Piece, bounds, panicked};
use crate::engine::lanes::SimdLevel;
use crate::engine::{Answer, Engine, EngineKind};
use crate::input::{Chunk, Puzzles, Record, Source};
use crate::pipeline::{Control, Event, Ordered, Panic, Pipeline, Progress, Work};
use crate::puzzle::Grid;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Of the puzzles of a prepared bank, the first of each chunk and every so many more are checked.
const CHECK_EVERY: usize = 1024;

ninefold_core::named_enum! {
    /// What a bank holds.
    ///
    /// ```
    /// use crate::bank::Prepared;
    ///
    /// assert_eq!("solution".parse(), Ok(Prepared::Solution));
    /// ```
    pub enum Prepared, "form" {
        @default Any = "any", "any puzzles: their forms are computed";
        Minlex = "minlex", "puzzles in minlex form, as ninefold canon writes them";
        Solution = "solution", "the same of ninefold canon --form solution";
    }
}

/// How a bank is loaded.
///
/// ```
/// use crate::bank::{Batch, Form, Forms, Load};
/// use crate::input::Source;
/// use crate::pipeline::Control;
/// use crate::puzzle::Random;
/// use crate::symmetry::Isomorphism;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("bank.txt", format!("# mine\n{line}\n").into());
/// let mut bank = Load { form: Form::Minlex, ..Load::default() }.load(vec![source], Control::default())?;
/// assert_eq!(bank.puzzles(), 1);
///
/// let other = Isomorphism::random(&mut Random::new(7)).apply(&line.parse()?);
/// let mut batch = Batch::default();
/// batch.grids.push(Forms::new(Form::Minlex).grid(&other, None));
/// bank.find(&batch)?;
/// assert_eq!(bank.place(0)?, Some(("bank.txt", 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// The form by which puzzles are compared. That of the puzzles that are looked for must be the
    /// same.
    pub form: Form,
    /// What the bank holds. If it holds forms already, they are trusted: only a sample is checked.
    pub prepared: Prepared,
    /// The engine that solves.
    pub engine: EngineKind,
    /// Which vectors the engine may use.
    pub simd: SimdLevel,
    /// The most branches of a puzzle. One that takes more counts as a puzzle without just one solution.
    pub max_branches: Option<u32>,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Default for Load {
    fn default() -> Self {
        Self {
            form: Form::Cheapest,
            prepared: Prepared::Any,
            engine: EngineKind::default(),
            simd: SimdLevel::best(),
            max_branches: None,
            pipeline: Pipeline::default(),
        }
    }
}

/// The puzzles of some files, found by their forms: see [`Load`].
pub struct Bank {
    form: Form,
    names: Names,
    seen: Seen,
    puzzles: u64,
    bytes: u64,
    malformed: u64,
    first_malformed: Option<(usize, u64)>,
}

impl Load {
    /// Loads all puzzles of these sources. Lines that are not puzzles are counted.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn load(&self, sources: Vec<Source>, control: Control<'_>) -> Result<Bank, Error> {
        let names = Names::of(&sources);
        let lines = sources.iter().map(|source| source.part().lines_before).collect();
        let bank = Bank {
            form: self.form,
            names: names.clone(),
            seen: Seen::new()?,
            puzzles: 0,
            bytes: 0,
            malformed: 0,
            first_malformed: None,
        };
        let cancel = control.cancel().clone();
        let mut stage = Stage { bank, lines, control };
        let bounds = bounds(self.max_branches, &cancel);
        let make = || Worker {
            names: names.clone(),
            form: self.form,
            prepared: self.prepared,
            forms: Forms::new(self.form),
            engine: self.engine.build_bounded(self.simd, bounds.clone()),
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
    /// The form by which puzzles are compared.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// Which puzzles count as the same.
    #[must_use]
    pub const fn same(&self) -> Same {
        match self.form {
            Form::Exact => Same::Exact,
            Form::Cheapest | Form::Minlex => Same::Isomorphic,
        }
    }

    /// How many puzzles were loaded, duplicates included.
    #[must_use]
    pub const fn puzzles(&self) -> u64 {
        self.puzzles
    }

    /// How many lines are not puzzles.
    #[must_use]
    pub const fn malformed(&self) -> u64 {
        self.malformed
    }

    /// The first line that is not a puzzle: its file, and its number.
    #[must_use]
    pub fn first_malformed(&self) -> Option<(&str, u64)> {
        self.first_malformed.map(|(input, line)| (&**self.names.get(input), line))
    }

    /// Bytes of its table in memory.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.seen.bytes()
    }

    /// Looks for the puzzles of a batch. [`Bank::place`] then tells where they are.
    ///
    /// # Errors
    /// If a puzzle of the bank cannot be read again.
    pub fn find(&mut self, batch: &Batch) -> Result<(), Error> {
        self.seen.find(batch)
    }

    /// The first place of a puzzle of the last batch, if the bank has it: the name of the file, and the
    /// line.
    ///
    /// # Errors
    /// If its place cannot be read again.
    ///
    /// # Panics
    /// If the batch has no such puzzle.
    pub fn place(&mut self, index: usize) -> Result<Option<(&str, u64)>, Error> {
        let place = self.seen.place(index)?;
        Ok(place.map(|Place { input, line }| (&**self.names.get(input), line)))
    }
}

/// Makes the forms of a chunk.
struct Worker {
    names: Names,
    form: Form,
    prepared: Prepared,
    forms: Forms,
    engine: Box<dyn Engine>,
    puzzles: Puzzles,
    answers: Vec<Answer>,
}

/// What comes of a chunk.
#[derive(Default)]
struct Output {
    batch: Batch,
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
        let Self { puzzles, answers, engine, forms, .. } = self;
        let trusted = self.prepared != Prepared::Any && self.form != Form::Exact;
        let (grids, sukakus) = (puzzles.grids(), puzzles.sukakus());
        answers.clear();
        if self.form == Form::Cheapest && !trusted {
            engine.prove_batch(grids, answers);
        }
        output.batch.clear();
        if trusted {
            output.batch.grids.extend(grids.iter().map(PackedGrid::from));
            output.unprepared = (0..grids.len())
                .step_by(CHECK_EVERY)
                .find(|&index| !is_prepared(self.prepared, &grids[index], forms, engine.as_mut()))
                .map(|index| output.lines[index]);
        } else {
            for (index, grid) in grids.iter().enumerate() {
                let answer =
                    answers.get(index).filter(|answer| answer.count == 1 && !answer.gave_up);
                let solution = answer.and_then(|answer| answer.first.as_ref());
                output.batch.grids.push(forms.grid(grid, solution));
            }
        }
        answers.clear();
        if self.form == Form::Cheapest {
            engine.solve_sukakus(sukakus, 2, answers);
        }
        for (index, sukaku) in sukakus.iter().enumerate() {
            let answer = answers.get(index).filter(|answer| answer.count == 1 && !answer.gave_up);
            let solution = answer.and_then(|answer| answer.first.as_ref());
            output.batch.sukakus.push(forms.sukaku(sukaku, solution));
        }
    }

    /// Notes the line of each puzzle.
    fn note_lines(&self, output: &mut Output) {
        output.lines.clear();
        output.lines.resize(self.puzzles.count(), 0);
        (output.lines_read, output.malformed) = (0, 0);
        (output.first_malformed, output.unprepared) = (None, None);
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

/// Whether a puzzle is in the form that a bank should hold.
fn is_prepared(
    prepared: Prepared,
    grid: &Grid,
    forms: &mut Forms,
    engine: &mut dyn Engine,
) -> bool {
    let mut answers = Vec::new();
    if prepared == Prepared::Solution {
        engine.solve_batch(&[*grid], 2, &mut answers);
        // One that was given up may be prepared.
        if answers[0].gave_up {
            return true;
        }
        if answers[0].count != 1 {
            return false;
        }
    }
    let solution = answers.first().and_then(|answer| answer.first.as_ref());
    forms.grid(grid, solution) == grid.into()
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

/// Adds the forms in order.
struct Stage<'c> {
    bank: Bank,
    /// The lines of each input so far.
    lines: Vec<u64>,
    control: Control<'c>,
}

impl Ordered for Stage<'_> {
    type Chunk = Piece;
    type Output = Output;
    type Error = Error;

    fn take(&mut self, piece: &mut Piece, output: &mut Output) -> Result<ControlFlow<()>, Error> {
        let Self { bank, lines, control } = self;
        let before = lines[piece.input];
        if let Some(line) = output.unprepared {
            let input = Arc::clone(bank.names.get(piece.input));
            return Err(Error::Unprepared { input, line: before + line });
        }
        output.lines.iter_mut().for_each(|line| *line += before);
        bank.seen.add(&output.batch, piece.input, &output.lines)?;
        bank.puzzles += output.batch.len() as u64;
        bank.malformed += output.malformed;
        if let Some(line) = output.first_malformed {
            bank.first_malformed.get_or_insert((piece.input, before + line));
        }
        lines[piece.input] += output.lines_read;
        bank.bytes += crate::pipeline::Chunk::size(piece);
        control.tell(&Event::Advanced(Progress::new(bank.puzzles, bank.bytes)));
        Ok(ControlFlow::Continue(()))
    }

    fn panicked(&mut self, panic: Panic<'_, Piece>) -> Error {
        let input = panic.chunk.input;
        panicked(self.bank.names.get(input), self.lines[input], panic.chunk, &panic)
    }
}
