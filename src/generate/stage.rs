//! Makes the puzzles of a block on a worker; takes the blocks in order and writes them.
//!
//! # Never the same puzzle twice
//! The stage that writes keeps a fingerprint of 64 bits of every puzzle written. A puzzle whose
//! fingerprint is known is drawn again, from its next attempt on, before the next one is looked
//! at; so the output is the same for any number of threads. Equal puzzles have equal
//! fingerprints, so none comes twice. Two different ones may share theirs, by accident: then one
//! of them is drawn again without need. In a billion puzzles that happens with a probability of
//! 10¹⁸ / 2⁶⁵, one in forty.

use super::make::{Made, Maker, Task};
use super::options::Generator;
use super::recipe::Recipe;
use super::report::Report;
use super::source::{Block, Refused};
use crate::Status;
use crate::bulk::{Error, Names};
use crate::output::{Failure, Format, Parts, Records, Style, Subject, Transaction};
use crate::pipeline::{Cancel, Control, Event, Ordered, Panic, Progress, Work};
use crate::puzzle::{Cell, Grid, rules};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What comes of a block.
#[derive(Default)]
pub(super) struct Output {
    /// What was made for each task. If the run is cancelled, of the first tasks.
    made: Vec<Option<Made>>,
    /// The records, and where that of each task ends.
    records: Records,
    ends: Vec<usize>,
}

/// Makes the puzzles of blocks.
pub(super) struct Making<'a> {
    generator: &'a Generator,
    maker: Maker,
    cancel: Cancel,
}

impl<'a> Making<'a> {
    pub(super) fn new(generator: &'a Generator, cancel: Cancel) -> Self {
        let maker = generator.maker(&cancel);
        Self { generator, maker, cancel }
    }
}

impl Work for Making<'_> {
    type Chunk = Block;
    type Output = Output;
    type Error = Error;

    fn run(&mut self, block: &Block, output: &mut Output) -> Result<(), Error> {
        let Output { made, records, ends } = output;
        let style = &self.generator.style;
        *made = self.maker.make_until(&self.cancel, &block.tasks);
        solve(&mut self.maker, style, made);
        records.restart(made.len());
        ends.clear();
        let mut line = 0;
        for made in made {
            if let Some(made) = made {
                line += 1;
                record(self.generator, line, made, records);
            }
            ends.push(records.len());
        }
        Ok(())
    }
}

/// Solves those that were transformed, if solutions are wanted.
fn solve(maker: &mut Maker, style: &Style, made: &mut [Option<Made>]) {
    if !matches!(style.format, Format::Line | Format::Grid) {
        maker.solve(made);
    }
}

/// Appends the record of a puzzle.
fn record(generator: &Generator, line: u64, made: &Made, records: &mut Records) {
    let style = &generator.style;
    // An engine without a bound gives up nothing.
    let branches = generator.max_branches.unwrap_or(u32::MAX);
    let puzzle = made.puzzle.line(style.blank);
    let subject = Subject { input: None, line, puzzle: &puzzle, others: &[], members: &[] };
    match (style.format, &made.solution) {
        (Format::Line, _) => records.push_raw(&puzzle),
        (Format::Grid, _) => records.push_grid(style, &puzzle),
        (_, Some(solution)) => records.push_solved(style, &subject, Status::Unique, 1, solution),
        // A comment would take the place of the copy.
        (Format::Pair, None) => {
            let mut pair = [b','; Cell::COUNT + 1];
            pair[..Cell::COUNT].copy_from_slice(&puzzle);
            records.push_raw(&pair);
        }
        (_, None) => records.push_failure(style, &subject, &failure(made, branches)),
    }
}

/// Why a copy of a puzzle has not one solution.
fn failure(made: &Made, branches: u32) -> Failure<'_> {
    match made.solutions {
        found if made.unknown > 0 => Failure::Unknown { branches, found },
        0 if rules::is_legal(&made.puzzle) => Failure::None,
        0 => Failure::Conflict(&made.puzzle),
        found => Failure::Multiple { found, all: false },
    }
}

/// Writes the puzzles in order.
pub(super) struct Stage<'a, 'c> {
    generator: &'a Generator,
    names: Names,
    /// Whether the run ends when more puzzles could not be made than could.
    is_random: bool,
    output: &'a mut Transaction,
    control: Control<'c>,
    report: Report,
    seen: HashSet<u64>,
    /// Attempts in a row that gave nothing new for one grid, or puzzle, of the inputs; and which.
    fruitless: (u64, u64),
    /// The first task after those of the grid or puzzle that nothing new comes of. The source skips them.
    skipped_to: Arc<AtomicU64>,
    /// Makes puzzles again that came before.
    maker: Option<Maker>,
    /// For a record that is written again, and for the records of a block.
    again: Records,
    memory: Vec<u8>,
}

impl<'a, 'c> Stage<'a, 'c> {
    pub(super) fn new(
        generator: &'a Generator,
        names: &Names,
        is_random: bool,
        skipped_to: Arc<AtomicU64>,
        output: &'a mut Transaction,
        control: Control<'c>,
    ) -> Self {
        Self {
            generator,
            names: names.clone(),
            is_random,
            output,
            control,
            report: Report::NOTHING,
            seen: HashSet::new(),
            fruitless: (0, 0),
            skipped_to,
            maker: None,
            again: Records::new(),
            memory: Vec::new(),
        }
    }

    /// Writes what is before all records.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.control.tell(&Event::Began(Progress::default()));
        Ok(self.output.write_preamble(0, &self.generator.style.preamble())?)
    }

    /// How many puzzles are written.
    pub(super) const fn puzzles(&self) -> u64 {
        self.report.puzzles
    }

    /// The counts of a run that is complete.
    pub(super) fn report(self) -> Report {
        self.report
    }

    /// Counts what was made, and copies it to the memory: all before `done`, when it returns, is
    /// counted, and the caller copies the rest of that.
    fn add_all(
        &mut self,
        tasks: &[Task],
        Output { made, ends, .. }: &Output,
        parts: &mut Parts<'_>,
        done: &mut usize,
    ) -> Result<ControlFlow<()>, Error> {
        for ((task, made), &end) in tasks.iter().zip(made).zip(ends) {
            if task.index < self.skipped_to.load(Ordering::Relaxed) {
                // It was made before the stage knew. It is left out, whenever that was.
                if made.is_some() {
                    parts.copy_to(*done, &mut self.memory);
                    parts.skip_to(end);
                    parts.uncount_line();
                }
                *done = end;
                continue;
            }
            let kept = match made {
                Some(made) => self.distinct(task, *made)?,
                None => None,
            };
            if let Some((made, again)) = kept {
                self.add(&made);
                self.fruitless.0 = 0;
                if again {
                    parts.copy_to(*done, &mut self.memory);
                    parts.skip_to(end);
                    self.again.restart(0);
                    record(self.generator, self.report.puzzles, &made, &mut self.again);
                    self.again.parts(0).copy_to(self.again.len(), &mut self.memory);
                }
            } else {
                if made.is_some() {
                    parts.copy_to(*done, &mut self.memory);
                    parts.skip_to(end);
                    parts.uncount_line();
                }
                if self.miss(task, made.is_some()).is_break() {
                    *done = end;
                    return Ok(ControlFlow::Break(()));
                }
            }
            *done = end;
        }
        // A cancelled worker makes less than all.
        if made.len() == tasks.len() { Ok(ControlFlow::Continue(())) } else { Err(self.stopped()) }
    }

    /// The error of a run that is cancelled.
    const fn stopped(&self) -> Error {
        Error::Stopped { puzzles: self.report.puzzles }
    }

    /// The puzzle, or another for the same task if it came before; and whether it is another.
    fn distinct(&mut self, task: &Task, mut made: Made) -> Result<Option<(Made, bool)>, Error> {
        if !self.generator.distinct {
            return Ok(Some((made, false)));
        }
        let generator = self.generator;
        let mut again = false;
        while !self.seen.insert(fingerprint(&made.puzzle)) {
            self.report.repeated += 1;
            let cancel = self.control.cancel();
            if cancel.is_requested() {
                return Err(self.stopped());
            }
            let maker = self.maker.get_or_insert_with(|| generator.maker(cancel));
            let next = [Task { attempt: made.attempt + 1, ..*task }];
            let drawn = maker.make_until(cancel, &next).pop().ok_or_else(|| self.stopped())?;
            if cancel.is_abandoned() {
                return Err(self.stopped());
            }
            let Some(drawn) = drawn else { return Ok(None) };
            (made, again) = (drawn, true);
        }
        // Only the copy that is kept is solved: thousands are drawn of a puzzle that has few copies.
        if let Some(maker) = self.maker.as_mut().filter(|_| again) {
            let mut kept = [Some(made)];
            solve(maker, &generator.style, &mut kept);
            if self.control.cancel().is_abandoned() {
                return Err(self.stopped());
            }
            return Ok(kept[0].map(|made| (made, true)));
        }
        Ok(Some((made, again)))
    }

    /// Counts a puzzle.
    fn add(&mut self, made: &Made) {
        let (report, recipe) = (&mut self.report, &self.generator.recipe);
        report.puzzles += 1;
        report.near += u64::from(made.distance > 0);
        report.unknown += made.unknown;
        report.attempts += if made.distance > 0 { recipe.attempts } else { made.attempt + 1 };
        report.clues[made.puzzle.clues()] += 1;
    }

    /// Counts a puzzle that could not be made, or only again. `Break` ends the run.
    fn miss(&mut self, task: &Task, is_repeated: bool) -> ControlFlow<()> {
        let report = &mut self.report;
        let tries = self.generator.recipe.attempts_at(&task.start);
        report.attempts += tries;
        report.tries = report.tries.max(tries);
        report.exhausted += u64::from(is_repeated);
        report.missing += 1;
        if self.is_random && report.missing > report.puzzles {
            report.not_tried = self.generator.count - report.missing - report.puzzles;
            return ControlFlow::Break(());
        }
        if !self.is_random {
            let start = task.index / self.generator.count;
            let before = if self.fruitless.1 == start { self.fruitless.0 } else { 0 };
            self.fruitless = (before + tries, start);
            if self.fruitless.0 >= Recipe::ATTEMPTS {
                // All that can be made of it is there: each further task would take as many attempts.
                let end = (start + 1).saturating_mul(self.generator.count);
                report.not_tried += end - task.index - 1;
                self.skipped_to.store(end, Ordering::Relaxed);
            }
        }
        ControlFlow::Continue(())
    }
}

impl Ordered for Stage<'_, '_> {
    type Chunk = Block;
    type Output = Output;
    type Error = Error;

    fn take(&mut self, block: &mut Block, output: &mut Output) -> Result<ControlFlow<()>, Error> {
        for Refused { input, line, reason } in &block.refused {
            self.report.refused += 1;
            let (input, line) = (self.names.get(*input), *line);
            self.control.tell(&Event::Refused { input, line, reason });
        }
        self.memory.clear();
        let (mut parts, mut done) = (output.records.parts(self.report.puzzles), 0);
        let added = self.add_all(&block.tasks, output, &mut parts, &mut done);
        parts.copy_to(done, &mut self.memory);
        self.output.write(0, &self.memory)?;
        let puzzles = self.report.puzzles;
        self.control.tell(&Event::Advanced(Progress::new(puzzles, puzzles)));
        added
    }

    fn panicked(&mut self, panic: Panic<'_, Block>) -> Error {
        let (block, message) = (panic.chunk, panic.message.to_owned());
        let number = |place: usize| block.tasks.get(place).map_or(0, |task| task.index + 1);
        match (panic.part, block.read_to) {
            (Some(part), _) => {
                let puzzles = number(part.start)..=number(part.end - 1);
                Error::PanickedMaking { puzzles, message }
            }
            (None, Some((input, after_line))) => {
                Error::Panicked { input: Arc::clone(self.names.get(input)), after_line, message }
            }
            (None, None) => {
                let first = self.report.puzzles + self.report.missing + 1;
                Error::PanickedMaking { puzzles: first..=first, message }
            }
        }
    }
}

/// 64 bits of a puzzle, the same on every machine: XXH3.
fn fingerprint(puzzle: &Grid) -> u64 {
    twox_hash::XxHash3_64::oneshot(puzzle.values())
}
