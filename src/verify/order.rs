//! Duplicates, and puzzles of a bank, are found where the chunks come in order.
//!
//! ```text
//! records of a chunk   row │ row │ row       workers have written them as if no row
//!                            v               were a duplicate
//!                      row │ dup │ row       a row that is one is written again
//! ```

use super::Task;
use super::record::Matches;
use super::tally::Tally;
use super::worker::{Kept, Placed};
use crate::bank::{Bank, Same, Table};
use crate::output::{Parts, Records, Transaction};
use crate::puzzle::Puzzle;
use crate::run::{Error, Memory, Order, Output, Row, Rows, Taken, Writing};
use std::ops::{ControlFlow, Range};

/// Looks puzzles up among earlier ones and in a bank.
pub(crate) struct VerifyOrder {
    task: Task,
    writing: Writing,
    /// The earlier puzzles, if duplicates are looked for.
    earlier: Option<(Same, Table)>,
    pub(super) bank: Option<Bank>,
    /// The first answer of another file that contradicts a clue, in words.
    contradiction: Option<String>,
    /// For records that are written again.
    again: Output<()>,
    memory: Memory,
    records: Vec<u8>,
    rejects: Vec<u8>,
}

impl VerifyOrder {
    pub(super) fn new(task: &Task, writing: &Writing, bank: Option<Bank>) -> Self {
        Self {
            task: task.clone(),
            writing: writing.clone(),
            earlier: task.verify.duplicates.map(|same| (same, Table::new())),
            bank,
            contradiction: None,
            again: Output::default(),
            memory: Memory::default(),
            records: Vec::new(),
            rejects: Vec::new(),
        }
    }

    /// Bytes of the table that finds duplicates.
    pub(super) fn table_bytes(&self) -> Option<usize> {
        self.earlier.as_ref().map(|(_, earlier)| earlier.bytes())
    }

    /// The error of the run. The first answer that cannot be that of its puzzle says where they part.
    pub(super) fn explained(&self, error: Error) -> Error {
        match (error, &self.contradiction) {
            (Error::Answers { name, reason }, Some(place)) => {
                Error::Answers { name, reason: format!("{reason}; {place}") }
            }
            (error, _) => error,
        }
    }

    /// Notes the first answer that contradicts a clue.
    fn note_contradiction(&mut self, taken: &Taken<'_, Kept>) {
        if let (None, Some((line, answer_line)), Some(answers)) =
            (&self.contradiction, taken.output.kept.contradiction, &self.task.answers)
        {
            let (name, line) = (taken.names.get(taken.input), taken.lines_before + line);
            let what = "the first answer that changes a clue is";
            self.contradiction = Some(format!("{what} {answers}:{answer_line}, for {name}:{line}"));
        }
    }
}

impl Order for VerifyOrder {
    type Kept = Kept;

    fn take(
        &mut self,
        taken: &mut Taken<'_, Kept>,
        to: &mut Transaction,
    ) -> Result<ControlFlow<()>, Error> {
        self.note_contradiction(taken);
        let Taken { output, input, lines_before, names, piece, .. } = &mut *taken;
        let (input, lines_before) = (*input, *lines_before);
        let Output { records, rejects, counts, kept, .. } = &mut **output;
        let Self { task, writing, again, memory, .. } = self;
        let lines: Vec<_> = kept.lines.iter().map(|line| lines_before + line).collect();
        let earlier = match &mut self.earlier {
            Some((same, earlier)) => earlier.add(input, &lines, kept.keys(*same)),
            None => Vec::new(),
        };
        let in_bank = match &self.bank {
            Some(bank) => bank.find(kept.keys(bank.form.same())),
            None => Vec::new(),
        };
        let matches = |placed: &Placed| {
            let first = earlier.get(placed.number).copied().flatten();
            let first = first.map(|place| (&**names.get(place.input), place.line));
            Matches { first, bank: in_bank.get(placed.number).copied().flatten() }
        };
        let matched = kept.placed.iter().map(|placed| (placed, matches(placed)));
        let matched = matched.filter(|(_, it)| it.first.is_some() || it.bank.is_some());
        let matched: Vec<_> = matched.collect();
        if matched.is_empty() {
            taken.write(to)?;
            return Ok(ControlFlow::Continue(()));
        }
        let mut written = Replaced::new(records, lines_before, &mut self.records);
        let mut rejected = Replaced::new(rejects, lines_before, &mut self.rejects);
        names.read(piece, |chunk| {
            for (placed, matches) in matched {
                counts.own[Tally::Duplicates.place()] += u64::from(matches.first.is_some());
                counts.own[Tally::InBank.place()] += u64::from(matches.bank.is_some());
                counts.own[Tally::Passed.place()] -= u64::from(kept.found.is_fine(placed.number));
                again.records.restart(0);
                again.rejects.restart(0);
                let puzzle: Puzzle = kept.found.puzzle(placed.number);
                let (line, place) = (placed.line, placed.place.clone());
                let row = Row { line, place, puzzle: Some(&puzzle) };
                let rows = &mut Rows::new(writing, chunk, names.get(input), memory, again);
                task.write(&kept.found, placed.number, matches, &row, rows);
                written.replace(&placed.records, &again.records);
                rejected.replace(&placed.rejects, &again.rejects);
            }
        })?;
        written.end();
        rejected.end();
        to.write(0, &self.records)?;
        to.write(1, &self.rejects)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Records of a chunk, of which some are replaced.
struct Replaced<'a> {
    parts: Parts<'a>,
    length: usize,
    lines_before: u64,
    bytes: &'a mut Vec<u8>,
}

impl<'a> Replaced<'a> {
    fn new(records: &'a Records, lines_before: u64, bytes: &'a mut Vec<u8>) -> Self {
        bytes.clear();
        let (parts, length) = (records.parts(lines_before), records.len());
        Self { parts, length, lines_before, bytes }
    }

    fn replace(&mut self, old: &Range<usize>, new: &Records) {
        self.parts.copy_to(old.start, self.bytes);
        self.parts.skip_to(old.end);
        new.parts(self.lines_before).copy_to(new.len(), self.bytes);
    }

    fn end(mut self) {
        self.parts.copy_to(self.length, self.bytes);
    }
}
