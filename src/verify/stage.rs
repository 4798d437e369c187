//! Takes the chunks in order: finds duplicates and the puzzles of a bank, numbers the lines, writes the records and adds up
//! the counts.
//!
//! ```text
//! records of a chunk   row │ row │ row       workers have written them as if no row
//!                            v               were a duplicate
//!                      row │ dup │ row       a row that is one is written again
//! ```

use super::answers::MatchedBy;
use super::found::{Found, Output};
use super::render::{Matches, Recorder};
use super::report::{InputReport, Report};
use super::source::Job;
use super::tally::Tally;
use crate::bank::{Bank, Place, Same, Table};
use crate::bulk::{Error, Names, SlowLine, panicked};
use crate::input::Source;
use crate::output::{Records, Transaction};
use crate::pipeline::{Control, Event, Ordered, Panic, Progress};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Whether earlier puzzles, or those of a bank, are among those of a chunk.
pub(super) struct Search {
    /// The earlier puzzles, if duplicates are looked for.
    earlier: Option<(Same, Table)>,
    bank: Option<Bank>,
}

impl Search {
    pub(super) fn new(duplicates: Option<Same>, bank: Option<Bank>) -> Self {
        Self { earlier: duplicates.map(|same| (same, Table::new())), bank }
    }

    /// The first places of the puzzles of a chunk among earlier ones, to which they are added. Empty if
    /// duplicates are not looked for.
    fn find(&mut self, input: usize, lines_before: u64, found: &Found) -> Vec<Option<Place>> {
        let Some((same, earlier)) = &mut self.earlier else { return Vec::new() };
        let lines: Vec<_> = found.lines.iter().map(|line| lines_before + line).collect();
        earlier.add(input, &lines, found.keys(*same))
    }
}

/// Puts everything together.
pub(super) struct Stage<'a, 'c> {
    names: Names,
    recorder: Recorder,
    /// How many lines of each input come before its part that is read.
    lines_before: Vec<u64>,
    inputs: Vec<Tally>,
    /// Puzzles and bytes of all inputs.
    done: Progress,
    search: Search,
    /// The first answer of another file that contradicts a clue: the input, the line of the puzzle
    /// there, and the line of the answer.
    contradiction: Option<(usize, u64, u64)>,
    solve_time: Duration,
    slowest: Option<SlowLine>,
    output: &'a mut Transaction,
    control: Control<'c>,
    /// For a record that is written again, and for records whose line numbers are being set.
    again: Records,
    memory: Vec<u8>,
}

impl<'a, 'c> Stage<'a, 'c> {
    pub(super) fn new(
        sources: &[Source],
        names: &Names,
        recorder: &Recorder,
        search: Search,
        output: &'a mut Transaction,
        control: Control<'c>,
    ) -> Self {
        Self {
            names: names.clone(),
            recorder: recorder.clone(),
            lines_before: sources.iter().map(|source| source.part().lines_before).collect(),
            inputs: vec![Tally::default(); sources.len()],
            done: Progress::default(),
            search,
            contradiction: None,
            solve_time: Duration::ZERO,
            slowest: None,
            output,
            control,
            again: Records::new(),
            memory: Vec::new(),
        }
    }

    /// Writes what is before all records.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.control.tell(&Event::Began(self.done));
        Ok(self.output.write_preamble(0, &self.recorder.preamble())?)
    }

    /// How many puzzles are written.
    pub(super) const fn puzzles(&self) -> u64 {
        self.done.items
    }

    /// The last line of an input whose records are written.
    fn lines(&self, input: usize) -> u64 {
        self.lines_before[input] + self.inputs[input].lines
    }

    /// Writes the records of a chunk; those of duplicates and of puzzles of the bank again.
    fn write(&mut self, input: usize, lines: u64, output: &mut Output) -> Result<(), Error> {
        let Output { records, tally, found, .. } = output;
        let Self { search, names, .. } = self;
        if search.earlier.is_none() && search.bank.is_none() {
            let bytes = records.numbered(lines, &mut self.memory);
            if !bytes.is_empty() {
                self.control.tell(&Event::Writing);
            }
            return Ok(self.output.write(0, bytes)?);
        }
        let earlier = search.find(input, lines, found);
        let in_bank = match &search.bank {
            Some(bank) => bank.find(found.keys(bank.form.same())),
            None => Vec::new(),
        };
        self.memory.clear();
        let mut parts = records.parts(lines);
        for row in &found.rows {
            let first = earlier.get(row.index).copied().flatten();
            let first = first.map(|place| (&**names.get(place.input), place.line));
            let bank = in_bank.get(row.index).copied().flatten();
            if first.is_none() && bank.is_none() {
                continue;
            }
            tally.duplicates += u64::from(first.is_some());
            tally.in_bank += u64::from(bank.is_some());
            tally.passed -= u64::from(found.is_fine(row.index));
            parts.copy_to(row.start, &mut self.memory);
            parts.skip_to(row.end);
            self.again.restart(0);
            let matches = Matches { first, bank };
            self.recorder.puzzle(input, row.line, found, row.index, matches, &mut self.again);
            self.again.parts(lines).copy_to(self.again.len(), &mut self.memory);
        }
        parts.copy_to(records.len(), &mut self.memory);
        if !self.memory.is_empty() {
            self.control.tell(&Event::Writing);
        }
        Ok(self.output.write(0, &self.memory)?)
    }

    /// The first answer of another file that contradicts a clue, in words.
    pub(super) fn first_contradiction(&self) -> Option<String> {
        let (input, line, answer_line) = self.contradiction?;
        let (name, answers) = (self.names.get(input), self.recorder.answers()?);
        Some(format!(
            "the first answer that changes a clue is {answers}:{answer_line}, for {name}:{line}"
        ))
    }

    /// The counts of a run that is complete.
    pub(super) fn report(self, threads: usize, matched_by: Option<MatchedBy>) -> Report {
        let mut total = Tally::default();
        self.inputs.iter().for_each(|tally| total += tally);
        let inputs = self.inputs.into_iter().enumerate().map(|(input, tally)| {
            let name = Arc::clone(self.names.get(input));
            InputReport { name, tally }
        });
        Report {
            total,
            inputs: inputs.collect(),
            matched_by,
            table_bytes: self.search.earlier.as_ref().map(|(_, earlier)| earlier.bytes()),
            bank: self.search.bank.as_ref().map(Into::into),
            threads,
            solve_time: self.solve_time,
            slowest: self.slowest,
        }
    }
}

impl Ordered for Stage<'_, '_> {
    type Chunk = Job;
    type Output = Output;
    type Error = Error;

    fn take(&mut self, job: &mut Job, output: &mut Output) -> Result<ControlFlow<()>, Error> {
        let input = job.piece.input;
        self.solve_time += output.solve_time;
        let lines = self.lines(input);
        SlowLine::update(&mut self.slowest, output.slowest, self.names.get(input), lines);
        if let Some((line, answer_line)) = output.contradiction {
            self.contradiction.get_or_insert((input, lines + line, answer_line));
        }
        self.write(input, lines, output)?;
        self.inputs[input] += &output.tally;
        self.done.items += output.tally.puzzles;
        self.done.position += output.tally.bytes;
        self.control.tell(&Event::Advanced(self.done));
        Ok(ControlFlow::Continue(()))
    }

    fn panicked(&mut self, panic: Panic<'_, Job>) -> Error {
        let piece = &panic.chunk.piece;
        panicked(self.names.get(piece.input), self.lines(piece.input), piece, &panic)
    }
}
