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
use super::{Generate, Made, Maker, Recipe, Task, place};
use crate::Status;
use crate::output::{Field, Format, Transaction};
use crate::pipeline::Cancel;
use crate::puzzle::{Grid, Puzzle};
use crate::run::{Counts, Error, Memory, Order, Row, Rows, Short, Taken, Terms, Writing};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What comes of a block.
#[derive(Default)]
pub(super) struct Kept {
    tasks: Vec<Task>,
    /// What was made for each task. If the run is cancelled, of the first tasks.
    made: Vec<Option<Made>>,
    refused: Vec<Refused>,
}

impl Kept {
    /// Makes the puzzles of a block, until the run is cancelled.
    pub(super) fn make(&mut self, block: &Block, maker: &mut Maker, cancel: &Cancel) {
        self.refused.clone_from(&block.refused);
        self.tasks.clone_from(&block.tasks);
        self.made = maker.make(&block.tasks, &|| cancel.is_requested());
    }
}

/// Appends the record of a puzzle, if its status is wanted.
fn record(line: u64, made: &Made, rows: &mut Rows<'_, Kept>) {
    let (puzzle, solution) = (Puzzle::Grid(made.puzzle), made.solution.line());
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
    let row = Row { line, place: None, puzzle: Some(&puzzle) };
    rows.push(&row, Terms::of(Status::Unique as usize), &fields, short, None);
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
    /// Whether puzzles are made from random grids.
    is_random: bool,
    /// The tasks of this run, and the first that is not done.
    pub(super) range: Range<u64>,
    next: u64,
    /// Puzzles that are written, those of them that are as requested, and failed attempts; by earlier
    /// runs, too.
    puzzles: u64,
    successes: u64,
    in_vain: u64,
    seen: HashSet<u64>,
    /// Attempts in a row that gave nothing new for one grid of the inputs; and which.
    fruitless: (u64, u64),
    /// The first task after those of the grid that nothing new comes of. The source skips them.
    pub(super) skipped_to: Arc<AtomicU64>,
    /// Whether the run is cancelled within a block: nothing after it is taken.
    is_stopped: bool,
    /// Makes puzzles again that came before.
    maker: Option<Maker>,
    refused: &'a mut Refuse<'a>,
}

impl<'a> Distinct<'a> {
    /// Continues after the tasks that are counted.
    pub(super) fn new(
        command: &'a Generate,
        writing: &'a Writing,
        is_random: bool,
        range: Range<u64>,
        counts: &Counts,
        cancel: &Cancel,
        refused: &'a mut Refuse<'a>,
    ) -> Self {
        Self {
            command,
            writing,
            cancel: cancel.clone(),
            is_random,
            next: range.start + counts.lines,
            range,
            puzzles: counts.puzzles,
            successes: counts.puzzles - counts.own[place::NEAR],
            in_vain: 0,
            seen: HashSet::new(),
            fruitless: (0, 0),
            skipped_to: Arc::default(),
            is_stopped: false,
            maker: None,
            refused,
        }
    }

    /// Continues with the state of an earlier run, and the fingerprints of its puzzles.
    pub(super) fn restore(&mut self, state: &Value, seen: HashSet<u64>) {
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        self.in_vain = number(&state["in_vain"]);
        self.fruitless = (number(&state["fruitless"][0]), number(&state["fruitless"][1]));
        self.skipped_to.store(number(&state["skipped_to"]).max(self.next), Ordering::Relaxed);
        self.seen = seen;
    }

    /// Adds what was made for each task, until the run ends or is cancelled.
    fn add_all(
        &mut self,
        Kept { tasks, made, .. }: &Kept,
        rows: &mut Rows<'_, Kept>,
    ) -> ControlFlow<()> {
        // A cancelled worker makes less than all.
        self.is_stopped = made.len() < tasks.len();
        for (task, made) in tasks.iter().zip(made) {
            if task.index < self.skipped_to.load(Ordering::Relaxed) {
                // It was made before that was known. It is left out, whenever that was.
                continue;
            }
            match self.add(task, *made, rows) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(end) => {
                    self.is_stopped = false;
                    return end;
                }
                Err(Cancelled) => {
                    self.is_stopped = true;
                    break;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Counts what was made of the next task and appends its record. An error if the run is cancelled.
    fn add(
        &mut self,
        task: &Task,
        made: Option<Made>,
        rows: &mut Rows<'_, Kept>,
    ) -> Result<ControlFlow<()>, Cancelled> {
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
        counts.own[place::NEAR] += u64::from(is_near);
        counts.own[place::UNKNOWN] += kept.unknown;
        counts.own[place::TRIED] +=
            if is_near { self.command.recipe.attempts } else { kept.attempt + 1 };
        counts.own[place::CLUES + kept.puzzle.clues()] += 1;
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
        counts.own[place::STOPPED] = 1;
        self.leave(task, end, counts);
        ControlFlow::Break(())
    }

    /// Leaves out the tasks after this one and before `end`.
    fn leave(&mut self, task: &Task, end: u64, counts: &mut Counts) {
        counts.own[place::NOT_TRIED] += end - task.index - 1;
        self.next = end;
        self.skipped_to.store(end, Ordering::Relaxed);
    }

    /// The puzzle, or another for the same task if it came before. An error if the run is cancelled.
    fn distinct(
        &mut self,
        task: &Task,
        mut made: Made,
        counts: &mut Counts,
    ) -> Result<Option<Made>, Cancelled> {
        let (cancel, mut repeated) = (&self.cancel, 0);
        while self.seen.contains(&fingerprint(&made.puzzle)) {
            repeated += 1;
            if cancel.is_requested() {
                return Err(Cancelled);
            }
            let maker = self.maker.get_or_insert_with(|| self.command.maker(cancel));
            let next = [Task { attempt: made.attempt + 1, ..*task }];
            let drawn = maker.make(&next, &|| cancel.is_requested()).pop().ok_or(Cancelled)?;
            if cancel.is_abandoned() {
                return Err(Cancelled);
            }
            let Some(drawn) = drawn else {
                counts.own[place::REPEATED] += repeated;
                return Ok(None);
            };
            made = drawn;
        }
        self.seen.insert(fingerprint(&made.puzzle));
        counts.own[place::REPEATED] += repeated;
        Ok(Some(made))
    }

    /// Counts a puzzle that could not be made, or only again. `Break` ends the run.
    fn miss(&mut self, task: &Task, is_repeated: bool, counts: &mut Counts) -> ControlFlow<()> {
        let tries = self.command.recipe.attempts_at(task.start.as_ref());
        let own = &mut counts.own;
        own[place::TRIED] += tries;
        own[place::TRIES] = own[place::TRIES].max(tries);
        own[place::EXHAUSTED] += u64::from(is_repeated);
        own[place::MISSING] += 1;
        if self.is_random {
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
}

impl Order for Distinct<'_> {
    type Kept = Kept;

    const MAKES_RECORDS: bool = true;

    fn take(
        &mut self,
        taken: &mut Taken<'_, Kept>,
        to: &mut Transaction,
    ) -> Result<ControlFlow<()>, Error> {
        if self.is_stopped {
            return Ok(ControlFlow::Continue(()));
        }
        let Taken { output, memory, piece, .. } = taken;
        let kept = std::mem::take(&mut output.kept);
        for Refused { input, line, reason, text } in &kept.refused {
            output.counts.own[place::REFUSED] += 1;
            (self.refused)(input, *line, reason);
            to.write(1, text)?;
        }
        output.records.restart(kept.made.len());
        let before = self.next;
        let flow = piece.chunk.read(|chunk| {
            let mut own = Memory::default();
            self.add_all(&kept, &mut Rows::new(self.writing, chunk, "", &mut own, output))
        });
        let flow = flow.expect("tasks are not in a file");
        output.counts.lines = self.next - before;
        to.write(0, output.records.numbered(0, memory))?;
        output.kept = kept;
        Ok(flow)
    }

    fn state(&self) -> Option<Value> {
        let skipped_to = self.skipped_to.load(Ordering::Relaxed);
        let (attempts, start) = self.fruitless;
        let (seed, in_vain) = (self.command.seed, self.in_vain);
        Some(json!({
            "seed": seed,
            "in_vain": in_vain,
            "fruitless": [attempts, start],
            "skipped_to": skipped_to,
        }))
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
