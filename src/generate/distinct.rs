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

use super::source::{Block, Refused};
use super::{Generate, Made, Maker, Making, Recipe, Task};
use crate::input::Row;
use crate::output::{Field, Format, Short};
use crate::pipeline::Cancel;
use crate::puzzle::{Grid, Puzzle};
use crate::run::{Clues, Counts, Error, Memory, Output, Rows, Stage, Terms, Writing};
use crate::{Extent, Status};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Appends the record of a puzzle, if its status is wanted.
fn record(line: u64, made: &Made, rows: &mut Rows<'_, ()>) {
    let solution = made.solution.line();
    let fields = [
        Field::Plain(Status::Unique.name().as_bytes()),
        Field::Number(1),
        Field::Puzzle,
        Field::Plain(&solution),
    ];
    let image = made.puzzle.line(rows.style().blank);
    let short = match rows.style().format {
        Format::Pair => Short::Text(&solution),
        _ => Short::Image(&image),
    };
    let row = Row { line, puzzle: Some(Puzzle::Grid(made.puzzle)), bytes: None };
    rows.push(&row, Terms::of(Status::Unique), &fields, short);
}

/// Writes the puzzles in order.
pub(super) struct Distinct<'a> {
    command: &'a Generate,
    writing: &'a Writing,
    cancel: Cancel,
    /// The tasks of this run, and the first that is not done.
    pub(super) range: Range<u64>,
    next: u64,
    /// Puzzles that are written, those of them that are as requested, and failed attempts; by earlier
    /// runs, too.
    puzzles: u64,
    successes: u64,
    in_vain: u64,
    /// The fingerprints of the puzzles that are written.
    seen: HashSet<u64>,
    /// Attempts in a row that gave nothing new for one grid of the inputs; and which.
    fruitless: (u64, u64),
    /// The first task after those of the grid that nothing new comes of. The source skips them.
    pub(super) skipped_to: Arc<AtomicU64>,
    /// Makes puzzles again that came before.
    maker: Option<Maker>,
    /// Is called with the input, the line and the reason of lines that cannot be used.
    refused: &'a mut (dyn FnMut(&str, u64, &str) + Send),
}

impl<'a> Distinct<'a> {
    /// Continues after the tasks that the stage has counted, with its state.
    pub(super) fn new(
        command: &'a Generate,
        writing: &'a Writing,
        range: Range<u64>,
        stage: &Stage<'_, '_>,
        cancel: &Cancel,
        refused: &'a mut (dyn FnMut(&str, u64, &str) + Send),
    ) -> Self {
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        let (counts, state) = (stage.counts(), &stage.state);
        let next = range.start + counts.lines;
        let skipped_to = number(&state["skipped_to"]).max(next);
        Self {
            command,
            writing,
            cancel: cancel.clone(),
            range,
            next,
            puzzles: counts.puzzles,
            successes: counts.puzzles - counts[Making::Near],
            in_vain: number(&state["in_vain"]),
            seen: HashSet::new(),
            fruitless: (number(&state["fruitless"][0]), number(&state["fruitless"][1])),
            skipped_to: Arc::new(AtomicU64::new(skipped_to)),
            maker: None,
            refused,
        }
    }

    /// Notes puzzles that are written. Returns how many of them are different.
    pub(super) fn know(&mut self, puzzles: &[Grid]) -> u64 {
        let before = self.seen.len();
        self.seen.extend(puzzles.iter().map(fingerprint));
        (self.seen.len() - before) as u64
    }

    /// Adds what was made for each task, until the run ends. An error if it is cancelled.
    fn add_all(
        &mut self,
        tasks: &[Task],
        made: &[Option<Made>],
        rows: &mut Rows<'_, ()>,
    ) -> Result<ControlFlow<()>, Error> {
        for (task, made) in tasks.iter().zip(made) {
            if task.index < self.skipped_to.load(Ordering::Relaxed) {
                // It was made before that was known. It is left out, whenever that was.
                continue;
            }
            if self.add(task, *made, rows)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        // A cancelled worker makes less than all.
        if made.len() < tasks.len() { Err(self.stopped()) } else { Ok(ControlFlow::Continue(())) }
    }

    /// The run was cancelled within a block.
    const fn stopped(&self) -> Error {
        Error::Stopped { puzzles: self.puzzles }
    }

    /// Counts what was made of the next task and appends its record. An error if the run is cancelled.
    fn add(
        &mut self,
        task: &Task,
        made: Option<Made>,
        rows: &mut Rows<'_, ()>,
    ) -> Result<ControlFlow<()>, Error> {
        let counts = &mut rows.output.counts;
        let kept = match made {
            Some(made) if self.command.distinct => self.distinct(task, made, counts)?,
            made => made,
        };
        self.next = task.index + 1;
        let Some(kept) = kept else { return Ok(self.miss(task, made.is_some(), counts)) };
        let is_near = kept.distance > 0;
        self.puzzles += 1;
        self.fruitless.0 = 0;
        counts.puzzles += 1;
        counts[Making::Near] += u64::from(is_near);
        counts[Making::Unknown] += kept.unknown;
        counts[Making::Tried] +=
            if is_near { self.command.recipe.attempts } else { kept.attempt + 1 };
        counts[Clues(kept.puzzle.clues())] += 1;
        record(self.range.start + self.puzzles, &kept, rows);
        if is_near {
            let (counts, attempts) = (&mut rows.output.counts, self.command.recipe.attempts);
            return Ok(self.fail(attempts, task, self.range.end, counts));
        }
        self.successes += 1;
        Ok(ControlFlow::Continue(()))
    }

    /// Attempts of a failure. No grid or puzzle of the inputs takes more without a success.
    fn attempts_of_failure(&self) -> u64 {
        self.command.recipe.attempts.max(Recipe::ATTEMPTS)
    }

    /// Counts failed attempts at a task. `Break` ends the run if failures outnumber successes: the tasks
    /// up to `end` are not tried then.
    fn fail(
        &mut self,
        attempts: u64,
        task: &Task,
        end: u64,
        counts: &mut Counts,
    ) -> ControlFlow<()> {
        self.in_vain = self.in_vain.saturating_add(attempts);
        if self.in_vain / self.attempts_of_failure() <= self.successes {
            return ControlFlow::Continue(());
        }
        counts[Making::Stopped] = 1;
        self.leave(task, end, counts);
        ControlFlow::Break(())
    }

    /// Leaves out the tasks after this one and before `end`.
    fn leave(&mut self, task: &Task, end: u64, counts: &mut Counts) {
        counts[Making::NotTried] += end - task.index - 1;
        self.next = end;
        self.skipped_to.store(end, Ordering::Relaxed);
    }

    /// The puzzle, or another for the same task if it came before. An error if the run is cancelled.
    fn distinct(
        &mut self,
        task: &Task,
        mut made: Made,
        counts: &mut Counts,
    ) -> Result<Option<Made>, Error> {
        let (cancel, mut repeated) = (&self.cancel, 0);
        while self.seen.contains(&fingerprint(&made.puzzle)) {
            repeated += 1;
            if cancel.is_requested() {
                return Err(self.stopped());
            }
            let maker = self.maker.get_or_insert_with(|| self.command.maker(cancel));
            let next = [Task { attempt: made.attempt + 1, ..*task }];
            let drawn = maker.make(&next, &|_| cancel.is_requested()).pop();
            match drawn.filter(|_| !cancel.is_abandoned()) {
                None => return Err(self.stopped()),
                Some(Some(drawn)) => made = drawn,
                Some(None) => {
                    counts[Making::DrawnAgain] += repeated;
                    return Ok(None);
                }
            }
        }
        self.seen.insert(fingerprint(&made.puzzle));
        counts[Making::DrawnAgain] += repeated;
        Ok(Some(made))
    }

    /// Counts a puzzle that could not be made, or only again. `Break` ends the run.
    fn miss(&mut self, task: &Task, is_repeated: bool, counts: &mut Counts) -> ControlFlow<()> {
        let tries = self.command.recipe.attempts_at(task.start.as_ref());
        counts[Making::Tried] += tries;
        counts[Making::Tries] = counts[Making::Tries].max(tries);
        counts[Making::Exhausted] += u64::from(is_repeated);
        counts[Making::Missing] += 1;
        if task.start.is_none() {
            return self.fail(self.attempts_of_failure(), task, self.range.end, counts);
        }
        let start = task.index / self.command.count;
        let before = if self.fruitless.1 == start { self.fruitless.0 } else { 0 };
        self.fruitless = (before + tries, start);
        let end = (start + 1).saturating_mul(self.command.count).min(self.range.end);
        let flow = self.fail(tries, task, end, counts);
        if flow.is_continue() && self.fruitless.0 >= Recipe::ATTEMPTS {
            // All that can be made of it is there: each further task would take as many attempts.
            self.leave(task, end, counts);
        }
        flow
    }

    /// Takes what was made for the tasks of a block, and writes it. An error if the run is cancelled: that is
    /// made for the first tasks alone.
    pub(super) fn take(
        &mut self,
        block: &Block,
        made: &[Option<Made>],
        stage: &mut Stage<'_, '_>,
    ) -> Result<ControlFlow<()>, Error> {
        stage.writes();
        let mut output = Output::default();
        output.restart(stage.counts());
        for Refused { input, line, reason, text } in &block.refused {
            output.counts[Making::RefusedLine] += 1;
            (self.refused)(input, *line, reason);
            stage.output.write(1, text)?;
        }
        let (before, mut memory) = (self.next, Memory::default());
        let mut rows = Rows::new(self.writing, None, "", &mut memory, &mut output);
        let flow = self.add_all(&block.tasks, made, &mut rows);
        output.counts.lines = self.next - before;
        stage.output.write(0, output.records.bytes())?;
        stage.state = self.state();
        stage.add(&output)?;
        stage.checkpoint(0, Extent::default())?;
        flow
    }

    /// What a later run needs to continue.
    fn state(&self) -> Value {
        json!({
            "in_vain": self.in_vain,
            "fruitless": self.fruitless,
            "skipped_to": self.skipped_to.load(Ordering::Relaxed),
        })
    }
}

/// 64 bits of a puzzle, the same on every machine: XXH3.
fn fingerprint(puzzle: &Grid) -> u64 {
    twox_hash::XxHash3_64::oneshot(puzzle.values())
}
