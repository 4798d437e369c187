//! Takes the rows in input order: sample, head and split.

use super::options::{PartPlace, Picked, Select};
use super::sample::Sample;
use super::worker::SelectedRows;
use crate::input::Chunk;
use crate::output::Transaction;
use crate::run::{Counts, Error, Output, Report, Taken};
use std::ops::ControlFlow;

/// The step of `select` in input order.
pub(super) struct Picker {
    sample: Option<Sample>,
    /// How many more rows may be written.
    left: u64,
    /// Bytes for each part that are not written yet.
    buffers: Vec<Vec<u8>>,
    is_split: bool,
    /// Whether the header of the input is still to be copied.
    wants_header: bool,
}

impl Picker {
    pub(super) fn new(select: &Select, wants_header: bool) -> Self {
        let parts = select.split.as_ref().map_or(1, |split| split.names().count());
        Self {
            sample: select.sample.map(|size| Sample::new(size, select.seed)),
            left: select.head.unwrap_or(u64::MAX),
            buffers: vec![Vec::new(); parts],
            is_split: select.split.is_some(),
            wants_header,
        }
    }

    /// Writes the header of the first input that has one.
    fn copy_header(&mut self, taken: &mut Taken<'_, SelectedRows>) -> Result<(), Error> {
        if let Some(bytes) = taken.names.read(taken.piece, header)? {
            for part in 0..self.buffers.len() {
                taken.to.write_preamble(part, &bytes)?;
            }
            self.wants_header = false;
        }
        Ok(())
    }

    /// Writes a row to a part, and counts it. `Break`: no more rows are wanted.
    fn write(
        &mut self,
        text: &[u8],
        part: usize,
        counts: &mut [&mut Counts],
        to: &mut Transaction,
    ) -> Result<ControlFlow<()>, Error> {
        /// Bytes that are written at a time.
        const BLOCK: usize = 256 << 10;
        if self.left == 0 {
            return Ok(ControlFlow::Break(()));
        }
        self.left -= 1;
        for counts in counts {
            counts[Picked::Selected] += 1;
            if self.is_split {
                counts[PartPlace(part)] += 1;
            }
        }
        let buffer = &mut self.buffers[part];
        buffer.extend_from_slice(text);
        if buffer.len() >= BLOCK {
            to.write(part, buffer)?;
            buffer.clear();
        }
        Ok(if self.left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn flush(&mut self, to: &mut Transaction) -> Result<(), Error> {
        for (part, buffer) in self.buffers.iter_mut().enumerate() {
            to.write(part, buffer)?;
            buffer.clear();
        }
        Ok(())
    }

    /// Takes the rows of the next chunk. `Break`: no more rows are wanted.
    pub(super) fn take(
        &mut self,
        taken: &mut Taken<'_, SelectedRows>,
    ) -> Result<ControlFlow<()>, Error> {
        if self.wants_header {
            self.copy_header(taken)?;
        }
        if self.sample.is_none() {
            // `--head 0` ends at the first row that it does not write.
            let left = usize::try_from(self.left.saturating_sub(1)).unwrap_or(usize::MAX);
            if let Some(end) = taken.output.kept.rows.get(left).map(|row| row.end) {
                taken.end_behind(end)?;
            }
        }
        let Taken { output, names, to, .. } = taken;
        let Output { kept, counts, input, .. } = &mut **output;
        if let Some((line, why)) = &kept.unfit {
            let input = names.get(*input);
            return Err(Error::Refused(format!("{input}: line {line}: {why}")));
        }
        let (mut wanted, mut met) = (ControlFlow::Continue(()), 0);
        for row in &kept.rows {
            met += 1;
            let text = &kept.text[row.text.clone()];
            if let Some(sample) = &mut self.sample {
                sample.add(text, row.stratum, *input, row.part);
            } else {
                wanted = self.write(text, row.part, &mut [&mut *counts], to)?;
            }
            if wanted.is_break() {
                break;
            }
        }
        counts[Picked::Met] += met;
        self.flush(to)?;
        to.write(self.buffers.len(), output.rejects.bytes())?;
        Ok(wanted)
    }

    /// Writes the sample, after all chunks.
    pub(super) fn end(&mut self, report: &mut Report, to: &mut Transaction) -> Result<(), Error> {
        let Report { inputs, total, .. } = report;
        for row in self.sample.take().into_iter().flat_map(Sample::into_rows) {
            let counts = &mut [&mut inputs[row.input].counts, &mut *total];
            if self.write(&row.text, row.part, counts, to)?.is_break() {
                break;
            }
        }
        self.flush(to)
    }
}

/// The header of an input, with the rule below it, if the header is in this chunk; empty if there is none.
fn header(chunk: &Chunk) -> Option<Vec<u8>> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let Some(header) = &chunk.layout().header else { return Some(Vec::new()) };
    if !chunk.layout().columns_of_parquet().is_empty() {
        return Some([&header[..], b"\n"].concat());
    }
    chunk.bytes().split_inclusive(|&byte| byte == b'\n').find_map(|line| {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let bare = text.strip_prefix(MARK).unwrap_or(text);
        let end = if line.len() > text.len() { &line[text.len()..] } else { b"\n" };
        // The rule may be in the next chunk, or in another shard.
        let rule = chunk.layout().rule.iter().flat_map(|rule| [rule, end].concat());
        (bare == header).then(|| [text, end].concat().into_iter().chain(rule).collect())
    })
}
