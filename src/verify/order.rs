//! Duplicates, and puzzles of a bank, are found where the chunks come in order.
//!
//! ```text
//! records of a chunk   row │ row │ row       workers have written them as if no row
//!                            v               were a duplicate
//!                      row │ dup │ row       a row that is one is written again
//! ```

use super::record::Places;
use super::tally::Tally;
use super::worker::Kept;
use super::{Finding, Verify};
use crate::bank::{Same, Table};
use crate::output::{Parts, Records, Transaction};
use crate::run::{Error, Memory, Order, Output, Row, Rows, Taken, Writing};
use std::ops::{ControlFlow, Range};

/// Looks puzzles up among earlier ones and in a bank.
pub struct VerifyOrder {
    verify: Verify,
    writing: Writing,
    /// The earlier puzzles, if duplicates are looked for.
    earlier: Option<(Same, Table)>,
    /// For records that are written again.
    again: Output<()>,
    memory: Memory,
    records: Vec<u8>,
    rejects: Vec<u8>,
}

impl VerifyOrder {
    pub(super) fn new(verify: &Verify, writing: &Writing) -> Self {
        Self {
            verify: verify.clone(),
            writing: writing.clone(),
            earlier: verify.duplicates.map(|same| (same, Table::new())),
            again: Output::default(),
            memory: Memory::default(),
            records: Vec::new(),
            rejects: Vec::new(),
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
        let Self { verify, writing, again, memory, .. } = self;
        let Taken { output, input, lines_before, names, piece, .. } = &mut *taken;
        let input = *input;
        let Output { records, rejects, counts, kept, .. } = &mut **output;
        let Kept { judged, placed, keys, .. } = kept;
        let mut earlier = None;
        if let Some((same, table)) = &mut self.earlier {
            let before = lines_before.count()?;
            let lines: Vec<_> = placed.iter().map(|it| before + it.line).collect();
            earlier = Some(table.add(input, &lines, &keys[*same as usize]).into_iter());
        }
        let bank = verify.bank.as_ref();
        let mut in_bank = bank.map(|bank| bank.find(&keys[bank.form.same() as usize]).into_iter());
        let mut matched = Vec::new();
        for placed in placed {
            let first = earlier.as_mut().and_then(|all| all.next().flatten());
            let first = first.map(|it| format!("{}:{}", names.get(it.input), it.line));
            let bank = in_bank.as_mut().and_then(|all| all.next().flatten());
            let bank = bank.map(|(name, line)| format!("{name}:{line}"));
            if first.is_some() || bank.is_some() {
                matched.push((placed, Places { first, bank }));
            }
        }
        if matched.is_empty() {
            taken.write(to)?;
            return Ok(ControlFlow::Continue(()));
        }
        let lines_before = lines_before.count()?;
        let mut written = Replaced::new(records, lines_before, &mut self.records);
        let mut rejected = Replaced::new(rejects, lines_before, &mut self.rejects);
        names.read(piece, |chunk| {
            for (placed, places) in matched {
                let judged = &mut judged[placed.number];
                counts.own[Tally::Passed.place()] -= u64::from(judged.faults.0.is_empty());
                if let (Some(place), Some(same)) = (&places.first, verify.duplicates) {
                    counts.own[Tally::Duplicates.place()] += 1;
                    judged.faults.push_place(Finding::Duplicate, same, place);
                }
                if let (Some(place), Some(bank)) = (&places.bank, &verify.bank) {
                    counts.own[Tally::InBank.place()] += 1;
                    judged.faults.push_place(Finding::InBank, bank.form.same(), place);
                }
                again.records.restart(0);
                again.rejects.restart(0);
                let (line, place) = (placed.line, placed.place.clone());
                let row = Row { line, place, puzzle: Some(&placed.puzzle) };
                let rows = &mut Rows::new(writing, chunk, names.get(input), memory, again);
                verify.write(judged, &places, &row, rows);
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
