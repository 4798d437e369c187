//! A bank of puzzles, loaded on all threads: workers make the keys, which are added in order.

use super::forms::{Form, Forms, Key, Packed, Same};
use super::table::{Place, Table};
use crate::engine::{Answer, Engine};
use crate::input::{Malformed, Source};
use crate::output::Transaction;
use crate::pipeline::{Control, Pipeline};
use crate::puzzle::{Grid, Puzzle};
use crate::run::{
    Batch, Command, Error, Inputs, Names, Order, Row, Rows, Run, Shape, SlowPlace, Taken, Worker,
    Writing,
};
use crate::search::{Answers, Search};
use std::ops::ControlFlow;

/// Of the puzzles of a prepared bank, the first of each chunk and every 1,024th after it are checked.
const CHECK_EVERY: usize = 1024;

ninefold_core::named_enum! {
    /// What a bank holds.
    pub enum Prepared, "form" {
        @default Any = "any", "any puzzles: their forms are computed";
        Minlex = "minlex", "puzzles in minlex form, as ninefold canon writes them";
        Solution = "solution", "puzzles as ninefold canon --form solution writes them";
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
    /// The engine that solves. A puzzle that takes more branches than it may is compared by its minlex
    /// form.
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
#[derive(Debug)]
pub struct Bank {
    /// The form in which puzzles are compared: keys to be looked up must be made of it.
    pub(crate) form: Form,
    table: Table,
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
        let (form, names) = (self.form(), Names::of(&sources));
        let (table, first_malformed) = (Table::new(), None);
        let mut bank = Bank { form, table, puzzles: 0, malformed: 0, first_malformed, names };
        let run = Run { writing: Writing::default(), pipeline: self.pipeline };
        let nothing = &mut Transaction::from(Vec::new());
        run.write(self, &mut bank, sources, Inputs::fill, nothing, control)?;
        Ok(bank)
    }

    const fn form(&self) -> Form {
        Form::of(self.same, self.solved && !matches!(self.prepared, Prepared::Minlex))
    }
}

impl Bank {
    /// How many lines are not puzzles; the file and the number of the first.
    #[must_use]
    pub fn malformed(&self) -> Option<(u64, &str, u64)> {
        let (input, line) = self.first_malformed?;
        Some((self.malformed, self.names.get(input), line))
    }

    /// The file and the line of the first place of a puzzle, if the bank has it.
    pub(crate) fn find(&self, key: Key) -> Option<(&str, u64)> {
        self.table.find(key).map(|Place { input, line }| (&**self.names.get(input), line))
    }
}

impl Command for Load {
    type Worker = LoadWorker;
    type Order = Bank;

    fn worker(&self, _: &Shape) -> LoadWorker {
        let (prepared, forms) = (self.prepared, Forms::new(self.form()));
        LoadWorker { prepared, forms, answers: Answers::new(self.search.build(), 2) }
    }
}

/// Makes the keys of a chunk.
pub struct LoadWorker {
    prepared: Prepared,
    forms: Forms,
    answers: Answers,
}

/// What a worker makes of a chunk.
#[derive(Default)]
pub struct Keys {
    /// All grids, then all sukakus.
    all: Vec<Key>,
    /// The line of each puzzle, counted from 1 at the start of the chunk.
    lines: Vec<u64>,
    malformed: u64,
    first_malformed: Option<u64>,
    /// The first puzzle that is not in the form that the bank should hold.
    unprepared: Option<usize>,
}

impl Worker for LoadWorker {
    type Kept = Keys;

    fn solve(&mut self, batch: &Batch<'_>, kept: &mut Keys) -> Option<SlowPlace> {
        let Self { prepared, forms, answers } = self;
        let (puzzles, count) = (batch.puzzles, batch.puzzles.count());
        let is_trusted = *prepared != Prepared::Any && forms.form != Form::Exact;
        // The grids of a prepared bank are forms.
        let trusted = if is_trusted { puzzles.grids().len() } else { 0 };
        let engine = answers.engine.as_mut();
        let is_wrong =
            |&number: &usize| !is_prepared(*prepared, &puzzles.grids()[number], forms, engine);
        let unprepared = (0..trusted).step_by(CHECK_EVERY).find(is_wrong);
        answers.found.clear();
        if forms.form == Form::Solution && trusted < count {
            answers.find_among(puzzles, trusted..count);
        }
        let form = |number| match puzzles.puzzle(number) {
            puzzle if number < trusted => Packed::from(&puzzle),
            puzzle => forms.of(&puzzle, answers.solution(number)),
        };
        let all = (0..count).map(form).map(|form| form.key()).collect();
        *kept = Keys { all, lines: vec![0; count], unprepared, ..Keys::default() };
        None
    }

    fn record(&mut self, number: usize, row: &Row<'_>, rows: &mut Rows<'_, Keys>) {
        rows.output.kept.lines[number] = row.line;
    }

    fn malformed(&mut self, _: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, Keys>) {
        rows.output.kept.malformed += 1;
        rows.output.kept.first_malformed.get_or_insert(row.line);
    }
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
        answer => {
            let solution = answer.and_then(Answer::solution);
            forms.of(&Puzzle::Grid(*grid), solution) == grid.into()
        }
    }
}

/// Adds the keys in order.
impl Order for Bank {
    type Kept = Keys;

    fn take(
        &mut self,
        taken: &mut Taken<'_, Keys>,
        _: &mut Transaction,
    ) -> Result<ControlFlow<()>, Error> {
        let (input, before) = (taken.input, taken.lines_before.count()?);
        let kept = &mut taken.output.kept;
        if let Some(number) = kept.unprepared {
            let (input, line) = (self.names.get(input), before + kept.lines[number]);
            let why = format!("{input}: line {line}: not in the form that --bank-form names");
            return Err(Error::Refused(why));
        }
        kept.lines.iter_mut().for_each(|line| *line += before);
        self.table.add(input, &kept.lines, &kept.all);
        self.puzzles += kept.all.len() as u64;
        self.malformed += kept.malformed;
        if let Some(line) = kept.first_malformed {
            self.first_malformed.get_or_insert((input, before + line));
        }
        Ok(ControlFlow::Continue(()))
    }
}
