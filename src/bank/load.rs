//! A bank of puzzles, loaded on all threads.

use super::table::Table;
use super::{Form, Key, Keys, Same};
use crate::input::{Chunk, Row, Source};
use crate::output::Transaction;
use crate::pipeline::{Control, Pipeline};
use crate::run::{Command, Counts, Error, Inputs, Names, Rows, Run, Taken};
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
    /// The ordinal before the first line of each file.
    starts: Vec<u64>,
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
        let loading = Loading { load: self, table: Table::new() };
        let run = Run { pipeline: self.pipeline, ..Run::default() };
        let (nothing, mut first_malformed) = (&mut Transaction::from(Vec::new()), None);
        let take = |taken: &mut Taken<'_, Option<u64>>| {
            first_malformed =
                first_malformed.or(taken.output.kept.map(|line| (taken.output.input, line)));
            Ok(ControlFlow::Continue(()))
        };
        let report = run.write(&loading, sources, Inputs::fill, nothing, control, take)?;
        let starts = report.inputs.iter().scan(0, |all, input| {
            *all += input.counts.lines;
            Some(*all - input.counts.lines)
        });
        let starts = starts.collect();
        let Counts { puzzles, full_grids, reasons, .. } = report.total;
        let malformed = reasons.iter().sum();
        let (table, puzzles) = (loading.table, puzzles - malformed);
        Ok(Bank { form, table, starts, puzzles, malformed, full_grids, first_malformed, names })
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
        let ordinal = self.table.find(key)?;
        let input = self.starts.partition_point(|start| *start < ordinal) - 1;
        Some((self.names.get(input), ordinal - self.starts[input]))
    }
}

/// The loading of a bank.
struct Loading<'a> {
    load: &'a Load,
    table: Table,
}

impl Command for Loading<'_> {
    /// The first malformed line.
    type Kept = Option<u64>;

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, Option<u64>>) -> ControlFlow<()> {
        let (mut keys, mut answers) =
            (Keys::new(self.load.form()), Answers::new(self.load.search.build(), 2));
        move |chunk, rows| {
            let puzzles = rows.read(chunk);
            answers.found.clear();
            if keys.form == Form::Solution {
                answers.find(puzzles);
            }
            rows.output.kept = None;
            let mut entries = Vec::new();
            for (Row { line, puzzle, .. }, number) in puzzles.rows() {
                if let (Some(puzzle), Ok(number)) = (&puzzle, number) {
                    let key = keys.of(puzzle, answers.solution(number));
                    entries.push((key, rows.lines_before() + line));
                } else if rows.output.kept.is_none() {
                    rows.output.kept = Some(rows.line(line));
                }
            }
            self.table.enter(&entries);
            ControlFlow::Continue(())
        }
    }
}
