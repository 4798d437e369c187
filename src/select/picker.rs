//! Takes the rows in input order: duplicates, then the steps of [`Pick`].

use super::parts::{Compare, Member, SplitReport, assign};
use super::sample::Sample;
use super::sorter::{MEMORY, RowFacts, Sorter, Way};
use super::worker::Kept;
use super::{Condition, MET, PARTS, Pick, REMOVED, SELECTED, Select, Split};
use crate::bank::Table;
use crate::input::Chunk;
use crate::output::Transaction;
use crate::run::{Counts, Error, Order, Taken};
use std::ops::ControlFlow;

/// The step of `select` in input order.
pub struct Picker {
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
    split: Option<Split>,
    /// Rows whose parts are known when all rows are, in the order in which they are written.
    held: Option<(Sorter, Vec<Member>)>,
    compare: Option<Compare>,
}

impl Writer {
    /// Takes a row. Returns whether more rows are wanted.
    fn add(&mut self, text: &[u8], way: Way, to: &mut Transaction) -> Result<bool, Error> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        if let Some((rows, members)) = &mut self.held {
            members.push(Member { class: way.class, stratum: way.stratum });
            rows.add(text, RowFacts { way, ..RowFacts::default() })?;
            return Ok(self.left > 0);
        }
        let part = self.split.as_ref().map_or(0, |split| split.part(way.class));
        self.put(text, way, part, to)?;
        Ok(self.left > 0)
    }

    /// Writes a row to a part.
    fn put(
        &mut self,
        text: &[u8],
        way: Way,
        part: usize,
        to: &mut Transaction,
    ) -> Result<(), Error> {
        /// Bytes that are written at a time.
        const BLOCK: usize = 256 << 10;
        self.written[way.input][part] += 1;
        if let Some(compare) = &mut self.compare {
            compare.add(part, way.class, way.marks);
        }
        let buffer = &mut self.buffers[part];
        buffer.extend_from_slice(text);
        if buffer.len() >= BLOCK {
            to.write(part, buffer)?;
            buffer.clear();
        }
        Ok(())
    }

    /// Writes the rows that waited for their parts.
    fn release(&mut self, to: &mut Transaction) -> Result<(), Error> {
        let Some(((rows, members), split)) = self.held.take().zip(self.split.as_ref()) else {
            return Ok(());
        };
        let (parts, fit) = assign(&members, split);
        if let Some(compare) = &mut self.compare {
            compare.report.fit = Some(fit);
        }
        let mut parts = parts.into_iter();
        rows.finish(&mut |text, way| {
            let part = parts.next().expect("each row has a part");
            self.put(text, way, usize::from(part), to).map(|()| true)
        })
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
        let held = select.exact && select.split.is_some();
        let compare = select.split.as_ref().filter(|_| select.report).map(Compare::new);
        let (buffers, written) = (vec![Vec::new(); parts], vec![vec![0; parts]; inputs]);
        Self {
            seen: select.conditions.unseen.map(|_| Table::new()),
            met: 0,
            sample: pick.sample.map(|size| Sample::new(size, pick.seed)),
            sorter: pick.sort.as_ref().map(|_| Sorter::new(MEMORY)),
            writer: Writer {
                buffers,
                written,
                left,
                split: select.split.clone(),
                held: held.then(|| (Sorter::new(MEMORY), Vec::new())),
                compare,
            },
            wants_header,
            pick,
        }
    }

    /// Counts the rows of an input that were written since the last call.
    pub(super) fn settle(&mut self, input: usize, counts: &mut [&mut Counts]) {
        for (part, rows) in self.writer.written[input].iter_mut().enumerate() {
            for counts in &mut *counts {
                counts.own[SELECTED] += *rows;
                if self.writer.split.is_some() {
                    counts.own[PARTS + part] += *rows;
                }
            }
            *rows = 0;
        }
    }

    /// The parts that were written, if they are compared.
    pub(super) fn report(&mut self) -> Option<SplitReport> {
        self.writer.compare.take().map(|compare| compare.report)
    }

    /// Writes the header of the first input that has one.
    fn copy_header(&mut self, taken: &Taken<'_, Kept>, to: &mut Transaction) -> Result<(), Error> {
        if let Some(bytes) = taken.names.read(taken.piece, header)? {
            for part in 0..self.writer.buffers.len() {
                to.write_preamble(part, &bytes)?;
            }
            self.wants_header = false;
        }
        Ok(())
    }

    /// Takes a row that meets all conditions. Returns whether more are wanted.
    fn add(&mut self, text: &[u8], facts: RowFacts, to: &mut Transaction) -> Result<bool, Error> {
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
        let Taken { output, input, lines_before, memory, names, .. } = taken;
        let kept = &mut output.kept;
        if let Some((line, why)) = &kept.unfit {
            let (input, line) = (names.get(*input), lines_before.count()? + line);
            return Err(Error::Refused(format!("{input}: line {line}: {why}")));
        }
        let mut seen = Vec::new();
        if let Some(table) = &mut self.seen {
            let before = lines_before.count()?;
            kept.lines.iter_mut().for_each(|line| *line += before);
            seen = table.add(*input, &kept.lines, &kept.keys);
        }
        let mut wanted = ControlFlow::Continue(());
        for row in &kept.rows {
            if row.puzzle.and_then(|puzzle| seen.get(puzzle)).is_some_and(Option::is_some) {
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
        let before = lines_before.count_for(output)?;
        to.write(self.writer.buffers.len(), output.rejects.numbered(before, memory))?;
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
        writer.release(to)?;
        writer.flush(to)
    }
}

/// The header of an input, with the rule below it, if it is in this chunk; empty if there is none.
fn header(chunk: &Chunk) -> Option<Vec<u8>> {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let Some(header) = &chunk.layout().header else { return Some(Vec::new()) };
    if !chunk.layout().columns_of_parquet().is_empty() {
        return Some([&header[..], b"\n"].concat());
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
            if chunk.layout().rule.as_deref() == Some(bare) {
                found.extend_from_slice(line);
            }
            break;
        }
    }
    Some(found).filter(|found| !found.is_empty())
}
