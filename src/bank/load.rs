//! A bank of puzzles, loaded on all threads: workers make the keys, which are added in order.

use super::forms::{Form, Forms, Key, Same};
use super::table::{LinePlace, Table};
use crate::input::{Malformed, Source};
use crate::output::Transaction;
use crate::pipeline::{Control, Pipeline};
use crate::run::{
    Batch, Command, Error, Inputs, Names, Order, Row, Rows, Run, Shape, SlowPlace, Taken, Worker,
    Writing,
};
use crate::search::{Answers, Search};
use std::ops::ControlFlow;

/// How a bank is loaded.
#[derive(Clone, Debug)]
pub struct Load {
    /// Whether the puzzles that are looked for come with their solutions, so that the cheapest form can
    /// be compared. If not, minlex forms are compared.
    pub solved: bool,
    /// The engine that solves. A puzzle that takes more branches than it may is compared by its minlex
    /// form.
    pub search: Search,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Default for Load {
    fn default() -> Self {
        Self { solved: true, search: Search::default(), pipeline: Pipeline::default() }
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
        Form::of(Same::Isomorphic, self.solved)
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
        self.table.find(key).map(|LinePlace { input, line }| (&**self.names.get(input), line))
    }
}

impl Command for Load {
    type Worker = LoadWorker;
    type Order = Bank;

    fn worker(&self, _: &Shape) -> LoadWorker {
        let forms = Forms::new(self.form());
        LoadWorker { forms, answers: Answers::new(self.search.build(), 2) }
    }
}

/// Makes the keys of a chunk.
pub struct LoadWorker {
    forms: Forms,
    answers: Answers,
}

/// What a worker makes of a chunk.
#[derive(Default)]
pub struct ChunkKeys {
    /// All grids, then all sukakus.
    all: Vec<Key>,
    /// The line of each puzzle, counted from 1 at the start of the chunk.
    lines: Vec<u64>,
    malformed: u64,
    first_malformed: Option<u64>,
}

impl Worker for LoadWorker {
    type Kept = ChunkKeys;

    fn solve(&mut self, batch: &Batch<'_>, kept: &mut ChunkKeys) -> Option<SlowPlace> {
        let Self { forms, answers } = self;
        let (puzzles, count) = (batch.puzzles, batch.puzzles.count());
        answers.found.clear();
        if forms.form == Form::Solution {
            answers.find(puzzles);
        }
        let form = |number| forms.of(&puzzles.puzzle(number), answers.solution(number));
        let all = (0..count).map(form).map(|form| form.key()).collect();
        *kept = ChunkKeys { all, lines: vec![0; count], ..ChunkKeys::default() };
        None
    }

    fn record(&mut self, number: usize, row: &Row<'_>, rows: &mut Rows<'_, ChunkKeys>) {
        rows.output.kept.lines[number] = row.line;
    }

    fn malformed(&mut self, _: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, ChunkKeys>) {
        rows.output.kept.malformed += 1;
        rows.output.kept.first_malformed.get_or_insert(row.line);
    }
}

/// Adds the keys in order.
impl Order for Bank {
    type Kept = ChunkKeys;

    fn take(
        &mut self,
        taken: &mut Taken<'_, ChunkKeys>,
        _: &mut Transaction,
    ) -> Result<ControlFlow<()>, Error> {
        let (input, before) = (taken.input, taken.lines_before.count()?);
        let kept = &mut taken.output.kept;
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
