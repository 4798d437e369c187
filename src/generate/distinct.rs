//! Makes the puzzles of a block on a worker; takes the blocks in order and writes them.
//!
//! # Never the same puzzle twice
//! The step in order keeps a fingerprint of 64 bits of every puzzle written. A puzzle whose
//! fingerprint is known is drawn again, from its next attempt on, before the next one is looked
//! at; so the output is the same for any number of threads. Equal puzzles have equal
//! fingerprints, so none comes twice. Two different ones may share theirs, by accident: then one
//! of them is drawn again without need. In a billion puzzles that happens with a probability of
//! 10¹⁸ / 2⁶⁵, one in forty.
//!
//! A run that is resumed reads the fingerprints from the puzzles that are written.

use super::make::{Made, Maker, Task};
use super::recipe::Recipe;
use super::source::{Block, Origin, Refused};
use super::{Generate, place};
use crate::Status;
use crate::output::{Field, Format, Parts, Records, Subject, Transaction};
use crate::pipeline::{Cancel, Work};
use crate::puzzle::Grid;
use crate::run::{Begun, Checkpoint, Counts, Error, Order, Output, Shape, Taken, Terms, Writing};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What comes of a block.
#[derive(Default)]
pub(super) struct Kept {
    tasks: Vec<Task>,
    /// What was made for each task. If the run is cancelled, of the first tasks.
    made: Vec<Option<Made>>,
    /// Where the record of each task ends.
    ends: Vec<usize>,
    refused: Vec<Refused>,
}

/// Makes the puzzles of blocks.
pub(super) struct Making<'a> {
    writing: &'a Writing,
    shape: &'a Shape,
    maker: Maker,
    cancel: Cancel,
}

impl<'a> Making<'a> {
    pub(super) fn new(
        command: &Generate,
        writing: &'a Writing,
        shape: &'a Shape,
        cancel: &Cancel,
    ) -> Self {
        Self { writing, shape, maker: command.maker(cancel), cancel: cancel.clone() }
    }
}

impl Work for Making<'_> {
    type Chunk = Block;
    type Output = Output<Kept>;
    type Error = Error;

    fn run(&mut self, block: &Block, output: &mut Output<Kept>) -> Result<(), Error> {
        let Output { records, rejects, counts, kept, .. } = output;
        *counts = self.shape.zero();
        rejects.restart(0);
        block.refused.iter().for_each(|it| rejects.bytes_mut().extend_from_slice(&it.text));
        kept.refused.clone_from(&block.refused);
        kept.tasks.clone_from(&block.tasks);
        kept.made = self.maker.make_until(&self.cancel, &block.tasks);
        solve(&mut self.maker, self.writing, &mut kept.made);
        records.restart(kept.made.len());
        kept.ends.clear();
        let mut line = 0;
        for made in &kept.made {
            if let Some(made) = made {
                line += 1;
                record(self.writing, line, made, records);
            }
            kept.ends.push(records.len());
        }
        Ok(())
    }
}

/// Solves those that were transformed, if solutions are wanted.
fn solve(maker: &mut Maker, writing: &Writing, made: &mut [Option<Made>]) {
    let are_all = (0..Status::ALL.len()).all(|it| Terms::of(it).meets(writing.select));
    if !are_all || !matches!(writing.style.format, Format::Line | Format::Grid) {
        maker.solve(made);
    }
}

/// Appends the record of a puzzle, if its status is wanted.
fn record(writing: &Writing, line: u64, made: &Made, records: &mut Records) {
    let style = &writing.style;
    let status = made.verdict.map(|verdict| verdict.status());
    if status.is_some_and(|status| !Terms::of(status as usize).meets(writing.select)) {
        return;
    }
    let puzzle = made.puzzle.line(style.blank);
    let solution = made.verdict.as_ref().and_then(|verdict| verdict.solution());
    match (style.format, made.verdict) {
        (Format::Csv | Format::Jsonl, Some(verdict)) => {
            let subject = Subject {
                input: None,
                line,
                puzzle: &puzzle,
                is_text: false,
                others: &[],
                members: &[],
            };
            let solution = solution.map(crate::puzzle::Solution::line);
            let fields = [
                Field::Plain(verdict.status().name().as_bytes()),
                verdict.count().map_or(Field::Empty, Field::Number),
                Field::Puzzle,
                solution.as_ref().map_or(Field::Empty, |line| Field::Plain(line)),
            ];
            let reason: &dyn fmt::Display = &verdict;
            records.push_row(style, &subject, &fields, solution.is_none().then_some(reason));
        }
        (Format::Grid, _) => records.push_grid(style, &puzzle),
        (Format::Pair, _) => {
            // A comment would take the place of the copy.
            let bytes = records.bytes_mut();
            bytes.extend_from_slice(&puzzle);
            bytes.push(b',');
            bytes.extend(solution.iter().flat_map(|solution| solution.line()));
            bytes.push(b'\n');
        }
        _ => records.push_raw(&puzzle),
    }
}

/// Is called with the input, the line and the reason of lines that cannot be used.
pub(super) type Refuse<'a> = dyn FnMut(&str, u64, &str) + 'a;

/// The run is cancelled.
struct Cancelled;

/// Writes the puzzles in order.
pub(super) struct Distinct<'a> {
    command: &'a Generate,
    writing: &'a Writing,
    cancel: Cancel,
    /// Whether the run ends when more puzzles could not be made than could.
    is_random: bool,
    /// The tasks of this run, and the first that is not done.
    range: Range<u64>,
    next: u64,
    /// Puzzles that are written, or could not be made; by earlier runs, too.
    puzzles: u64,
    missing: u64,
    seen: HashSet<u64>,
    /// Attempts in a row that gave nothing new for one grid, or puzzle, of the inputs; and which.
    fruitless: (u64, u64),
    /// The first task after those of the grid or puzzle that nothing new comes of. The source skips them.
    skipped_to: Arc<AtomicU64>,
    /// Whether the run is cancelled within a block: nothing after it is taken.
    is_stopped: bool,
    /// Makes puzzles again that came before.
    maker: Option<Maker>,
    /// For a record that is written again.
    again: Records,
    refused: Option<&'a mut Refuse<'a>>,
}

impl<'a> Distinct<'a> {
    pub(super) fn new(
        command: &'a Generate,
        writing: &'a Writing,
        origin: &Origin,
        range: Range<u64>,
        begun: &Begun,
        cancel: &Cancel,
    ) -> Self {
        let counts = begun.counts();
        Self {
            command,
            writing,
            cancel: cancel.clone(),
            is_random: matches!(origin, Origin::Random),
            next: range.start + counts.lines,
            range,
            puzzles: counts.puzzles,
            missing: counts.own[place::MISSING],
            seen: HashSet::new(),
            fruitless: (0, 0),
            skipped_to: Arc::default(),
            is_stopped: false,
            maker: None,
            again: Records::new(),
            refused: None,
        }
    }

    /// Continues where an earlier run was interrupted.
    pub(super) fn restore(
        &mut self,
        output: &Transaction,
        seen: HashSet<u64>,
        refused: &'a mut dyn FnMut(&str, u64, &str),
    ) -> Result<(), Error> {
        let own = output.resumed::<Checkpoint>()?.unwrap_or_default().own;
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        self.fruitless = (number(&own["fruitless"][0]), number(&own["fruitless"][1]));
        self.skipped_to.store(number(&own["skipped_to"]).max(self.next), Ordering::Relaxed);
        (self.seen, self.refused) = (seen, Some(refused));
        Ok(())
    }

    /// The tasks of this run, and which of them need not be made.
    pub(super) fn tasks(&self) -> (Range<u64>, Arc<AtomicU64>) {
        (self.range.clone(), Arc::clone(&self.skipped_to))
    }

    /// Counts what was made, and copies it to the memory: all before `done`, when it returns, is
    /// counted, and the caller copies the rest of that.
    fn add_all(
        &mut self,
        Kept { tasks, made, ends, .. }: &Kept,
        counts: &mut Counts,
        parts: &mut Parts<'_>,
        done: &mut usize,
        memory: &mut Vec<u8>,
    ) -> ControlFlow<()> {
        for ((task, made), &end) in tasks.iter().zip(made).zip(ends) {
            let leave_out = |parts: &mut Parts<'_>, done: usize, memory: &mut Vec<u8>| {
                if made.is_some() {
                    parts.copy_to(done, memory);
                    parts.skip_to(end);
                    parts.uncount_line();
                }
            };
            if task.index < self.skipped_to.load(Ordering::Relaxed) {
                // It was made before that was known. It is left out, whenever that was.
                leave_out(parts, *done, memory);
                *done = end;
                continue;
            }
            let kept = match made {
                Some(made) => self.distinct(task, *made, counts),
                None => Ok(None),
            };
            let Ok(kept) = kept else {
                self.is_stopped = true;
                return ControlFlow::Continue(());
            };
            self.next = task.index + 1;
            if let Some((made, again)) = kept {
                self.add(&made, counts);
                self.fruitless.0 = 0;
                if again {
                    parts.copy_to(*done, memory);
                    parts.skip_to(end);
                    self.again.restart(0);
                    record(self.writing, self.range.start + self.puzzles, &made, &mut self.again);
                    self.again.parts(0).copy_to(self.again.len(), memory);
                }
            } else {
                leave_out(parts, *done, memory);
                if self.miss(task, made.is_some(), counts).is_break() {
                    *done = end;
                    return ControlFlow::Break(());
                }
            }
            *done = end;
        }
        // A cancelled worker makes less than all.
        self.is_stopped = made.len() < tasks.len();
        ControlFlow::Continue(())
    }

    /// The puzzle, or another for the same task if it came before; and whether it is another. An error
    /// if the run is cancelled.
    fn distinct(
        &mut self,
        task: &Task,
        mut made: Made,
        counts: &mut Counts,
    ) -> Result<Option<(Made, bool)>, Cancelled> {
        if !self.command.distinct {
            return Ok(Some((made, false)));
        }
        let (mut again, mut repeated) = (false, 0);
        let cancel = &self.cancel;
        while self.seen.contains(&fingerprint(&made.puzzle)) {
            repeated += 1;
            if cancel.is_requested() {
                return Err(Cancelled);
            }
            let maker = self.maker.get_or_insert_with(|| self.command.maker(cancel));
            let next = [Task { attempt: made.attempt + 1, ..*task }];
            let drawn = maker.make_until(cancel, &next).pop().ok_or(Cancelled)?;
            if cancel.is_abandoned() {
                return Err(Cancelled);
            }
            let Some(drawn) = drawn else {
                counts.own[place::REPEATED] += repeated;
                return Ok(None);
            };
            (made, again) = (drawn, true);
        }
        // Only what is kept is solved: a puzzle that has few copies is drawn many thousand times.
        if let Some(maker) = self.maker.as_mut().filter(|_| again) {
            let mut kept = [Some(made)];
            solve(maker, self.writing, &mut kept);
            if cancel.is_abandoned() {
                return Err(Cancelled);
            }
            made = kept[0].ok_or(Cancelled)?;
        }
        self.seen.insert(fingerprint(&made.puzzle));
        counts.own[place::REPEATED] += repeated;
        Ok(Some((made, again)))
    }

    /// Counts a puzzle.
    fn add(&mut self, made: &Made, counts: &mut Counts) {
        let is_near = made.distance > 0;
        self.puzzles += 1;
        counts.puzzles += 1;
        counts.own[place::NEAR] += u64::from(is_near);
        counts.own[place::UNKNOWN] += made.unknown;
        counts.own[place::TRIED] +=
            if is_near { self.command.recipe.attempts } else { made.attempt + 1 };
        counts.own[place::CLUES + made.puzzle.clues()] += 1;
    }

    /// Counts a puzzle that could not be made, or only again. `Break` ends the run.
    fn miss(&mut self, task: &Task, is_repeated: bool, counts: &mut Counts) -> ControlFlow<()> {
        let tries = self.command.recipe.attempts_at(&task.start);
        let own = &mut counts.own;
        own[place::TRIED] += tries;
        own[place::TRIES] = own[place::TRIES].max(tries);
        own[place::EXHAUSTED] += u64::from(is_repeated);
        own[place::MISSING] += 1;
        self.missing += 1;
        let end = if self.is_random {
            if self.missing <= self.puzzles {
                return ControlFlow::Continue(());
            }
            self.range.end
        } else {
            let start = task.index / self.command.count;
            let before = if self.fruitless.1 == start { self.fruitless.0 } else { 0 };
            self.fruitless = (before + tries, start);
            if self.fruitless.0 < Recipe::ATTEMPTS {
                return ControlFlow::Continue(());
            }
            // All that can be made of it is there: each further task would take as many attempts.
            (start + 1).saturating_mul(self.command.count).min(self.range.end)
        };
        own[place::NOT_TRIED] += end - task.index - 1;
        self.next = end;
        self.skipped_to.store(end, Ordering::Relaxed);
        if self.is_random { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Order for Distinct<'_> {
    type Kept = Kept;

    fn take(
        &mut self,
        taken: &mut Taken<'_, Kept>,
        to: &mut Transaction,
    ) -> Result<ControlFlow<()>, Error> {
        if self.is_stopped {
            return Ok(ControlFlow::Continue(()));
        }
        let Taken { output: Output { records, rejects, counts, kept, .. }, memory, .. } = taken;
        for Refused { input, line, reason, .. } in &kept.refused {
            counts.own[place::REFUSED] += 1;
            if let Some(tell) = &mut self.refused {
                tell(input, *line, reason);
            }
        }
        memory.clear();
        let (before, mut done) = (self.next, 0);
        let mut parts = records.parts(self.range.start + self.puzzles);
        let flow = self.add_all(kept, counts, &mut parts, &mut done, memory);
        parts.copy_to(done, memory);
        counts.lines = self.next - before;
        to.write(0, memory)?;
        to.write(1, rejects.numbered(0, &mut Vec::new()))?;
        Ok(flow)
    }

    fn state(&self) -> Option<Value> {
        let skipped_to = self.skipped_to.load(Ordering::Relaxed);
        let (attempts, start) = self.fruitless;
        let seed = self.command.recipe.seed;
        Some(json!({ "seed": seed, "fruitless": [attempts, start], "skipped_to": skipped_to }))
    }

    fn finish(&mut self, _: &mut Transaction) -> Result<(), Error> {
        let puzzles = self.puzzles;
        if self.is_stopped { Err(Error::Stopped { puzzles }) } else { Ok(()) }
    }
}

/// 64 bits of a puzzle, the same on every machine: XXH3.
pub(super) fn fingerprint(puzzle: &Grid) -> u64 {
    twox_hash::XxHash3_64::oneshot(puzzle.values())
}
