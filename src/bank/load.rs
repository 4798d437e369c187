//! A bank of puzzles, loaded on all threads: workers make the keys, which are added in order.

use super::forms::{Form, Key, Keys, Same};
use super::table::{LinePlace, Table};
use crate::input::{Chunk, Row, Source};
use crate::output::Transaction;
use crate::pipeline::{Control, Pipeline};
use crate::run::{Command, Error, Inputs, Names, Rows, Run, Taken, Writing};
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
    pub(crate) full_grids: u64,
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
        let (puzzles, malformed, full_grids) = (0, 0, 0);
        let mut bank = Bank { form, table, puzzles, malformed, full_grids, first_malformed, names };
        let run = Run { writing: Writing::default(), pipeline: self.pipeline };
        let nothing = &mut Transaction::from(Vec::new());
        let add = |taken: &mut Taken<'_, _>| bank.add(taken);
        let report = run.write(self, sources, Inputs::fill, nothing, control, add)?;
        bank.malformed = report.total.puzzles - bank.puzzles;
        bank.full_grids = report.total.full_grids;
        Ok(bank)
    }

    const fn form(&self) -> Form {
        Form::of(Same::Isomorphic, self.solved)
    }
}

impl Bank {
    /// How many lines are not puzzles; the file and the number of the first.
    pub fn malformed(&self) -> Option<(u64, &str, u64)> {
        let (input, line) = self.first_malformed?;
        Some((self.malformed, self.names.get(input), line))
    }

    /// The file and the line of the first place of a puzzle, if the bank has it.
    pub(crate) fn find(&self, key: Key) -> Option<(&str, u64)> {
        self.table.find(key).map(|LinePlace { input, line }| (&**self.names.get(input), line))
    }

    /// Adds the keys of the next chunk.
    fn add(&mut self, taken: &mut Taken<'_, ChunkKeys>) -> Result<ControlFlow<()>, Error> {
        let (input, before) = (taken.output.input, taken.lines_before.count()?);
        let kept = &mut taken.output.kept;
        kept.lines.iter_mut().for_each(|line| *line += before);
        self.table.add(input, &kept.lines, &kept.keys);
        self.puzzles += kept.keys.len() as u64;
        if let Some(line) = kept.first_malformed {
            self.first_malformed.get_or_insert((input, before + line));
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Command for Load {
    type Kept = ChunkKeys;

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, ChunkKeys>) -> ControlFlow<()> {
        let (mut keys, mut answers) =
            (Keys::new(self.form()), Answers::new(self.search.build(), 2));
        move |chunk, rows| {
            let puzzles = rows.read(chunk);
            answers.found.clear();
            if keys.form == Form::Solution {
                answers.find(puzzles);
            }
            let kept = &mut rows.output.kept;
            *kept = ChunkKeys::default();
            for (Row { line, puzzle, .. }, number) in puzzles.rows() {
                if let (Some(puzzle), Ok(number)) = (&puzzle, number) {
                    kept.keys.push(keys.of(puzzle, answers.solution(number)));
                    kept.lines.push(line);
                } else {
                    kept.first_malformed.get_or_insert(line);
                }
            }
            ControlFlow::Continue(())
        }
    }
}

/// What a worker makes of a chunk. Lines are counted from 1 at its start.
#[derive(Default)]
pub struct ChunkKeys {
    keys: Vec<Key>,
    /// The line of each puzzle.
    lines: Vec<u64>,
    first_malformed: Option<u64>,
}
