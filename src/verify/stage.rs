//! Takes the chunks in order: finds duplicates, numbers the lines, writes the records and adds up
//! the counts.
//!
//! ```text
//! records of a chunk   row │ row │ row       workers have written them as if no row
//!                            v               were a duplicate
//!                      row │ dup │ row       a row that is one is written again
//! ```

use super::duplicate::{DuplicateError, Duplicates};
use super::found::{Found, Output};
use super::packed::{GRID_BYTES, Packed, SUKAKU_BYTES};
use super::render::Recorder;
use super::report::{InputReport, Report};
use super::source::Job;
use super::spool::Spool;
use super::tally::Tally;
use crate::bulk::{Error, Names, panicked};
use crate::input::Source;
use crate::output::{Records, Transaction};
use crate::pipeline::{Control, Event, Ordered, Panic, Progress};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Bits of a spool's note that hold the line. The bits above hold the input.
const LINE_BITS: u32 = 44;

/// The puzzles of one kind so far.
struct Seen<const BYTES: usize> {
    table: Duplicates<BYTES>,
    spool: Spool<BYTES>,
}

impl<const BYTES: usize> Seen<BYTES> {
    fn new() -> Result<Self, Error> {
        Ok(Self { table: Duplicates::new(), spool: Spool::new(None).map_err(Error::Spool)? })
    }

    /// Appends for each puzzle the number of the first that is the same. The notes of these
    /// puzzles must be kept before the next ones come.
    fn find(
        &mut self,
        puzzles: &[Packed<BYTES>],
        first: &mut Vec<Option<u32>>,
    ) -> Result<(), Error> {
        let found = self.table.find(puzzles, &mut self.spool, first);
        found.map_err(|error| match error {
            DuplicateError::Earlier(cause) => Error::Reread(cause),
            DuplicateError::TooMany => Error::TooManyPuzzles { most: u64::from(u32::MAX - 1) },
        })
    }

    fn note(&mut self, number: u32) -> Result<u64, Error> {
        self.spool.get(number).map(|(_, note)| note).map_err(Error::Spool)
    }
}

/// All puzzles so far. Grids are compared with grids, and sukakus with sukakus.
struct Puzzles {
    grids: Seen<GRID_BYTES>,
    sukakus: Seen<SUKAKU_BYTES>,
    /// For each puzzle of the chunk at hand, the number of the first that is the same.
    first: Vec<Option<u32>>,
}

impl Puzzles {
    fn new() -> Result<Self, Error> {
        Ok(Self { grids: Seen::new()?, sukakus: Seen::new()?, first: Vec::new() })
    }

    /// Finds which puzzles of a chunk came before.
    fn find(&mut self, input: usize, lines_before: u64, found: &Found) -> Result<(), Error> {
        let (grids, sukakus) = &found.packed;
        self.first.clear();
        self.grids.find(grids, &mut self.first)?;
        self.sukakus.find(sukakus, &mut self.first)?;
        for row in &found.rows {
            let note = (input as u64) << LINE_BITS | (lines_before + row.line);
            let kept = match row.index.checked_sub(grids.len()) {
                None => self.grids.spool.push(&grids[row.index], note),
                Some(index) => self.sukakus.spool.push(&sukakus[index], note),
            };
            kept.map_err(Error::Spool)?;
        }
        Ok(())
    }

    /// Where a puzzle of the chunk came first, if it came before: the input, and the line.
    fn first(&mut self, found: &Found, index: usize) -> Result<Option<(usize, u64)>, Error> {
        let Some(number) = self.first[index] else { return Ok(None) };
        let is_grid = index < found.packed.0.len();
        let note = if is_grid { self.grids.note(number) } else { self.sukakus.note(number) }?;
        let input = usize::try_from(note >> LINE_BITS).unwrap_or(usize::MAX);
        Ok(Some((input, note & ((1 << LINE_BITS) - 1))))
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
    /// The earlier puzzles, if duplicates are looked for.
    puzzles: Option<Puzzles>,
    /// Answers that have no puzzle.
    left_over: u64,
    solve_time: Duration,
    output: &'a mut Transaction<()>,
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
        duplicates: bool,
        output: &'a mut Transaction<()>,
        control: Control<'c>,
    ) -> Result<Self, Error> {
        Ok(Self {
            names: names.clone(),
            recorder: recorder.clone(),
            lines_before: sources.iter().map(|source| source.part().lines_before).collect(),
            inputs: vec![Tally::default(); sources.len()],
            done: Progress::default(),
            puzzles: if duplicates { Some(Puzzles::new()?) } else { None },
            left_over: 0,
            solve_time: Duration::ZERO,
            output,
            control,
            again: Records::new(),
            memory: Vec::new(),
        })
    }

    /// Writes what is before all records.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.control.tell(&Event::Began(self.done));
        Ok(self.output.write_preamble(&self.recorder.preamble())?)
    }

    /// How many puzzles are written.
    pub(super) const fn puzzles(&self) -> u64 {
        self.done.items
    }

    /// The last line of an input whose records are written.
    fn lines(&self, input: usize) -> u64 {
        self.lines_before[input] + self.inputs[input].lines
    }

    /// Writes the records of a chunk; those of duplicates again.
    fn write(&mut self, input: usize, lines: u64, output: &mut Output) -> Result<(), Error> {
        let Output { records, tally, found, .. } = output;
        let Some(puzzles) = &mut self.puzzles else {
            let bytes = records.numbered(lines, &mut self.memory);
            if !bytes.is_empty() {
                self.control.tell(&Event::Writing);
            }
            return Ok(self.output.write_records(bytes)?);
        };
        puzzles.find(input, lines, found)?;
        self.memory.clear();
        let mut parts = records.parts(lines);
        for row in &found.rows {
            let Some((first, first_line)) = puzzles.first(found, row.index)? else { continue };
            parts.copy_to(row.start, &mut self.memory);
            parts.skip_to(row.end);
            let first = Some((&**self.names.get(first), first_line));
            self.again.restart(0);
            self.recorder.puzzle(input, row.line, found, row.index, first, &mut self.again);
            self.again.parts(lines).copy_to(self.again.len(), &mut self.memory);
            tally.duplicates += 1;
            tally.passed -= u64::from(found.is_fine(row.index));
        }
        parts.copy_to(records.len(), &mut self.memory);
        if !self.memory.is_empty() {
            self.control.tell(&Event::Writing);
        }
        Ok(self.output.write_records(&self.memory)?)
    }

    /// The counts of a run that is complete.
    pub(super) fn report(self, threads: usize) -> Report {
        let bytes = |puzzles: &Puzzles| puzzles.grids.table.bytes() + puzzles.sukakus.table.bytes();
        let mut total = Tally::default();
        self.inputs.iter().for_each(|tally| total += tally);
        let inputs = self.inputs.into_iter().enumerate().map(|(input, tally)| {
            let name = Arc::clone(self.names.get(input));
            InputReport { name, tally }
        });
        Report {
            total,
            inputs: inputs.collect(),
            left_over: self.left_over,
            table_bytes: self.puzzles.as_ref().map(bytes),
            threads,
            solve_time: self.solve_time,
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
        if let Some((_, count)) = job.left_over {
            // The lines of these records count from the start of their file.
            self.write(input, 0, output)?;
            self.left_over = count;
            return Ok(ControlFlow::Continue(()));
        }
        self.write(input, self.lines(input), output)?;
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
