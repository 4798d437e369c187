//! Takes the rows in input order: banks, duplicates, then the steps of [`Pick`].

use super::sample::Sample;
use super::sorter::{Facts, MEMORY, Sorter, Way};
use super::worker::Kept;
use super::{Condition, MET, PARTS, Pick, REMOVED, SELECTED, Select};
use crate::bank::{Bank, Table};
use crate::input::{self, Chunk};
use crate::output::Transaction;
use crate::run::{Counts, Error, Order, Taken};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The step of `select` in input order.
pub struct Picker {
    bank: Option<Arc<Bank>>,
    seen: Option<Table>,
    pick: Pick,
    /// Rows that meet all conditions, so far in this run.
    met: u64,
    sample: Option<Sample>,
    sorter: Option<Sorter>,
    writer: Writer,
    /// Whether the header of the input is still to be copied.
    wants_header: bool,
}

/// Writes rows to the outputs of their parts.
struct Writer {
    /// Bytes for each part that are not written yet.
    buffers: Vec<Vec<u8>>,
    /// Rows of each input for each part that are not counted yet.
    written: Vec<Vec<u64>>,
    left: u64,
    is_split: bool,
}

impl Writer {
    /// Takes a row. Returns whether more rows are wanted.
    fn add(&mut self, text: &[u8], way: Way, to: &mut Transaction) -> Result<bool, Error> {
        /// Bytes that are written at a time.
        const BLOCK: usize = 256 << 10;
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        self.written[way.input][way.part] += 1;
        let buffer = &mut self.buffers[way.part];
        buffer.extend_from_slice(text);
        if buffer.len() >= BLOCK {
            to.write(way.part, buffer)?;
            buffer.clear();
        }
        Ok(self.left > 0)
    }

    fn flush(&mut self, to: &mut Transaction) -> Result<(), Error> {
        for (part, buffer) in self.buffers.iter_mut().enumerate() {
            to.write(part, buffer)?;
            buffer.clear();
        }
        Ok(())
    }
}

impl Picker {
    /// For this number of inputs.
    pub(super) fn new(select: &Select, wants_header: bool, inputs: usize) -> Self {
        let pick = select.pick.clone();
        let parts = select.split.as_ref().map_or(1, |split| split.names().count());
        let left = pick.head.unwrap_or(u64::MAX);
        let (buffers, written) = (vec![Vec::new(); parts], vec![vec![0; parts]; inputs]);
        Self {
            bank: select.bank.clone(),
            seen: select.conditions.unseen.map(|_| Table::new()),
            met: 0,
            sample: pick.sample.map(|size| Sample::new(size, pick.seed)),
            sorter: pick.sort.map(|_| Sorter::new(MEMORY)),
            writer: Writer { buffers, written, left, is_split: select.split.is_some() },
            wants_header,
            pick,
        }
    }

    /// Counts the rows of an input that were written since the last call.
    pub(super) fn settle(&mut self, input: usize, counts: &mut [&mut Counts]) {
        for (part, rows) in self.writer.written[input].iter_mut().enumerate() {
            for counts in &mut *counts {
                counts.own[SELECTED] += *rows;
                if self.writer.is_split {
                    counts.own[PARTS + part] += *rows;
                }
            }
            *rows = 0;
        }
    }

    /// Writes the header of the first input that has one.
    fn copy_header(&mut self, taken: &Taken<'_, Kept>, to: &mut Transaction) -> Result<(), Error> {
        let found = taken.piece.chunk.read(header);
        let name = || Arc::clone(taken.names.get(taken.input));
        let found = found.map_err(|cause| input::Error { name: name(), cause })?;
        if let Some(bytes) = found {
            for part in 0..self.writer.buffers.len() {
                to.write_preamble(part, &bytes)?;
            }
            self.wants_header = false;
        }
        Ok(())
    }

    /// Takes a row that meets all conditions. Returns whether more are wanted.
    fn add(&mut self, text: &[u8], facts: Facts, to: &mut Transaction) -> Result<bool, Error> {
        let number = self.met;
        self.met += 1;
        if !number.is_multiple_of(self.pick.every.get()) {
            return Ok(true);
        }
        match (&mut self.sample, &mut self.sorter) {
            (Some(sample), _) => sample.add(text, facts),
            (None, Some(sorter)) => sorter.add(text, facts)?,
            (None, None) => return self.writer.add(text, facts.way, to),
        }
        Ok(true)
    }
}

impl Order for Picker {
    type Kept = Kept;

    fn take(
        &mut self,
        taken: &mut Taken<'_, Kept>,
        to: &mut Transaction,
    ) -> Result<ControlFlow<()>, Error> {
        if self.wants_header {
            self.copy_header(taken, to)?;
        }
        let Taken { output, input, lines_before, memory, .. } = taken;
        let kept = &mut output.kept;
        kept.lines.iter_mut().for_each(|line| *line += *lines_before);
        let banked = self.bank.as_ref().map(|bank| bank.table.find(&kept.banks));
        let seen = self.seen.as_mut().map(|seen| seen.add(*input, &kept.lines, &kept.unseen));
        let mut wanted = ControlFlow::Continue(());
        for row in &kept.rows {
            let is_in = |found: &Option<Vec<Option<_>>>| {
                found
                    .as_ref()
                    .zip(row.puzzle)
                    .is_some_and(|(found, puzzle)| found[puzzle].is_some())
            };
            if is_in(&banked) {
                kept.counts[REMOVED + Condition::NotIn as usize] += 1;
            } else if is_in(&seen) {
                kept.counts[REMOVED + Condition::Unseen as usize] += 1;
            } else {
                kept.counts[MET] += 1;
                if !self.add(&kept.text[row.text.clone()], row.facts, to)? {
                    wanted = ControlFlow::Break(());
                    break;
                }
            }
        }
        if self.pick.keeps_order() {
            // Rows are written as soon as they are known.
            self.writer.flush(to)?;
        }
        for (own, kept) in output.counts.own.iter_mut().zip(kept.counts) {
            *own += kept;
        }
        self.settle(*input, &mut [&mut output.counts]);
        to.write(self.writer.buffers.len(), output.rejects.numbered(*lines_before, memory))?;
        Ok(wanted)
    }

    fn finish(&mut self, to: &mut Transaction) -> Result<(), Error> {
        let Self { sample, sorter, writer, .. } = self;
        for row in sample.take().into_iter().flat_map(Sample::into_rows) {
            let is_more_wanted = match sorter {
                Some(sorter) => sorter.add(&row.text, row.facts).map(|()| true)?,
                None => writer.add(&row.text, row.facts.way, to)?,
            };
            if !is_more_wanted {
                break;
            }
        }
        if let Some(sorter) = sorter.take() {
            sorter.finish(&mut |text, way| writer.add(text, way, to))?;
        }
        writer.flush(to)
    }
}

/// The header of an input, with the rule below it, if it is in this chunk; empty if there is none.
fn header(chunk: &Chunk) -> Option<Vec<u8>> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let Some(header) = chunk.layout().header() else { return Some(Vec::new()) };
    if !chunk.layout().columns_of_parquet().is_empty() {
        return Some([header, b"\n"].concat());
    }
    let mut found = Vec::new();
    for line in chunk.bytes().split_inclusive(|&byte| byte == b'\n') {
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        let bare = bare.strip_suffix(b"\r").unwrap_or(bare);
        let bare = bare.strip_prefix(MARK).unwrap_or(bare);
        if bare == header && found.is_empty() {
            found.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                found.push(b'\n');
            }
        } else if !found.is_empty() {
            if chunk.layout().rule() == Some(bare) {
                found.extend_from_slice(line);
            }
            break;
        }
    }
    Some(found).filter(|found| !found.is_empty())
}
