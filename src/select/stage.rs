//! Takes the rows in order: banks, duplicates, then the steps of [`Pick`](super::Pick).

use super::condition::Condition;
use super::options::Select;
use super::report::Report;
use super::row::{Facts, FormOf, Row};
use super::sample::Sample;
use super::sorter::{MEMORY, Sorter};
use super::worker::Output;
use crate::bank::{Bank, Batch, Seen};
use crate::bulk::{Error, Names, Piece, SlowLine, panicked};
use crate::input::{self, Chunk, Source};
use crate::output::Transaction;
use crate::pipeline::{Control, Event, Ordered, Panic, Progress};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Writes rows to the outputs of their parts.
struct Writer<'a> {
    select: &'a Select,
    outputs: &'a mut Transaction,
    /// Bytes for each part that are not written yet.
    buffers: Vec<Vec<u8>>,
    written: Vec<u64>,
    left: u64,
}

impl Writer<'_> {
    /// Takes a row. Returns whether more rows are wanted.
    fn add(&mut self, text: &[u8], hash: u64) -> Result<bool, Error> {
        /// Bytes that are written at a time.
        const BLOCK: usize = 256 << 10;
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let part = self.select.split.as_ref().map_or(0, |split| split.part(hash));
        self.buffers[part].extend_from_slice(text);
        self.written[part] += 1;
        if self.buffers[part].len() >= BLOCK {
            self.outputs.write(part, &self.buffers[part])?;
            self.buffers[part].clear();
        }
        Ok(self.left > 0)
    }

    fn flush(&mut self) -> Result<(), Error> {
        for (part, buffer) in self.buffers.iter_mut().enumerate() {
            self.outputs.write(part, buffer)?;
            buffer.clear();
        }
        Ok(())
    }
}

/// Puts everything together.
pub(super) struct Stage<'a, 'c> {
    names: Names,
    /// How many lines of each input come before its part that is read, and how many were read.
    lines: Vec<u64>,
    bank: Option<&'a mut Bank>,
    seen: Option<Seen>,
    sample: Option<Sample>,
    sorter: Option<Sorter>,
    writer: Writer<'a>,
    /// Whether the header of the input is written, or there is none to be written.
    header_done: bool,
    report: Report,
    control: Control<'c>,
}

impl<'a, 'c> Stage<'a, 'c> {
    pub(super) fn new(
        select: &'a Select,
        sources: &[Source],
        bank: Option<&'a mut Bank>,
        outputs: &'a mut Transaction,
        control: Control<'c>,
    ) -> Result<Self, Error> {
        let pick = &select.pick;
        let parts = outputs.outputs();
        let writer = Writer {
            select,
            outputs,
            buffers: vec![Vec::new(); parts],
            written: vec![0; parts],
            left: pick.head.unwrap_or(u64::MAX),
        };
        let inputs = sources.iter().map(|source| Arc::clone(source.name())).collect();
        Ok(Self {
            names: Names::of(sources),
            lines: sources.iter().map(|source| source.part().lines_before).collect(),
            bank,
            seen: if select.conditions.unseen.is_some() { Some(Seen::new()?) } else { None },
            sample: pick.sample.map(|size| Sample::new(size, pick.seed)),
            sorter: pick.sort.map(|_| Sorter::new(MEMORY)),
            writer,
            header_done: !select.header,
            report: Report { inputs, ..Report::default() },
            control,
        })
    }

    pub(super) fn begin(&mut self) {
        self.control.tell(&Event::Began(Progress::default()));
    }

    /// How many rows were read.
    pub(super) const fn rows(&self) -> u64 {
        self.report.rows
    }

    /// Writes what is kept to the end of the input.
    pub(super) fn finish(mut self, threads: usize) -> Result<Report, Error> {
        let Self { sample, sorter, writer, .. } = &mut self;
        if let Some(sample) = sample.take() {
            for row in sample.into_rows() {
                let more = match sorter {
                    Some(sorter) => sorter.add(&row.text, row.facts).map(|()| true)?,
                    None => writer.add(&row.text, row.facts.hash)?,
                };
                if !more {
                    break;
                }
            }
        }
        if let Some(sorter) = sorter.take() {
            sorter.finish(&mut |text, hash| writer.add(text, hash))?;
        }
        writer.flush()?;
        self.report.parts.clone_from(&self.writer.written);
        self.report.selected = self.writer.written.iter().sum();
        self.report.threads = threads;
        Ok(self.report)
    }

    /// Writes the header of the first input that has one.
    fn copy_header(&mut self, piece: &Piece) -> Result<(), Error> {
        let name = self.names.get(piece.input);
        let found = piece.chunk.read(|chunk| match header(chunk) {
            Header::None => Some(Vec::new()),
            Header::Here(bytes) => Some(bytes),
            Header::NotYet => None,
        });
        let found = found.map_err(|cause| input::Error { name: Arc::clone(name), cause })?;
        if let Some(bytes) = found {
            for part in 0..self.writer.buffers.len() {
                self.writer.outputs.write_preamble(part, &bytes)?;
            }
            self.header_done = true;
        }
        Ok(())
    }

    /// Takes a row that meets the conditions of its own. Returns whether more are wanted.
    fn add(&mut self, text: &[u8], facts: Facts) -> Result<bool, Error> {
        let number = self.report.met;
        self.report.met += 1;
        if !number.is_multiple_of(self.writer.select.pick.every.get()) {
            return Ok(true);
        }
        match (&mut self.sample, &mut self.sorter) {
            (Some(sample), _) => sample.add(text, facts),
            (None, Some(sorter)) => sorter.add(text, facts)?,
            (None, None) => return self.writer.add(text, facts.hash),
        }
        Ok(true)
    }
}

/// Which puzzle of a batch a row is.
fn index_of(row: &Row, batch: &Batch) -> Option<usize> {
    match row.form {
        FormOf::Grid(place) => Some(place),
        FormOf::Sukaku(place) => Some(batch.grids.len() + place),
        FormOf::Nothing => None,
    }
}

impl Ordered for Stage<'_, '_> {
    type Chunk = Piece;
    type Output = Output;
    type Error = Error;

    fn take(&mut self, piece: &mut Piece, output: &mut Output) -> Result<ControlFlow<()>, Error> {
        if !self.header_done {
            self.copy_header(piece)?;
        }
        let before = self.lines[piece.input];
        self.report.bytes += output.bytes;
        self.report.rows += output.all;
        self.report.cut += output.cut;
        self.report.unknown += output.unknown;
        let name = self.names.get(piece.input);
        SlowLine::update(&mut self.report.slowest, output.slowest, name, before);
        self.report.lines += output.all_lines;
        self.report.comments += output.comments;
        self.lines[piece.input] += output.all_lines;
        for (count, removed) in self.report.removed.iter_mut().zip(output.removed) {
            *count += removed;
        }
        if let Some(bank) = &mut self.bank {
            bank.find(&output.banks)?;
        }
        if let Some(seen) = &mut self.seen {
            output.lines.iter_mut().for_each(|line| *line += before);
            seen.add(&output.unseen, piece.input, &output.lines)?;
        }
        let mut wanted = ControlFlow::Continue(());
        for row in &output.rows {
            if let (Some(bank), Some(index)) = (&mut self.bank, index_of(row, &output.banks))
                && bank.place(index)?.is_some()
            {
                self.report.removed[Condition::NotIn as usize] += 1;
                continue;
            }
            if let (Some(seen), Some(index)) = (&mut self.seen, index_of(row, &output.unseen))
                && seen.place(index)?.is_some()
            {
                self.report.removed[Condition::Unseen as usize] += 1;
                continue;
            }
            if !self.add(&output.text[row.text.clone()], row.facts)? {
                wanted = ControlFlow::Break(());
                break;
            }
        }
        if self.writer.select.pick.keeps_order() {
            // Rows are written as soon as they are known.
            self.writer.flush()?;
        }
        self.control.tell(&Event::Advanced(Progress::new(self.report.rows, self.report.bytes)));
        Ok(wanted)
    }

    fn panicked(&mut self, panic: Panic<'_, Piece>) -> Error {
        let piece = panic.chunk;
        panicked(self.names.get(piece.input), self.lines[piece.input], piece, &panic)
    }
}

/// Where the header of an input is.
enum Header {
    /// It has none.
    None,
    /// These bytes, with their line ends.
    Here(Vec<u8>),
    /// In a chunk that is still to come.
    NotYet,
}

/// Looks for the header of an input in a chunk, and for the rule below it.
fn header(chunk: &Chunk) -> Header {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    let Some(header) = chunk.layout().header() else { return Header::None };
    if chunk.layout().is_of_parquet() {
        return Header::Here([header, b"\n"].concat());
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
    if found.is_empty() { Header::NotYet } else { Header::Here(found) }
}
