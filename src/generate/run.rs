//! A whole run: tasks given out, puzzles made on many threads, and written in order.
//!
//! # Never the same puzzle twice
//! The thread that writes keeps a fingerprint of 64 bits of every puzzle written. A puzzle whose
//! fingerprint is known is drawn again, from its next attempt on, before the next one is looked
//! at; so what comes out is the same for any number of threads. Equal puzzles have equal
//! fingerprints, so none comes twice. Two different ones may share theirs, by accident: then one
//! of them is drawn again though it need not be, and nobody is harmed. In a billion puzzles that
//! happens with a probability of 10¹⁸ / 2⁶⁵, one in forty.

use super::given::{Ahead, Given, Reader};
use super::{Made, Maker, Recipe, Start, Task};
use crate::batch::{Error, Halt, MAX_THREADS, Ordered, Stop};
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::input::Source;
use crate::output::{Failure, Format, Records, Sink, Status, Style, Subject};
use crate::puzzle::{Cell, Grid, Solution, Unsolved, rules};
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

/// Puzzles that a worker is given at a time, at most: four for each that it digs at the same time,
/// so that there are seldom fewer left than that.
const MOST_TASKS: usize = 1024;

/// What puzzles are made from.
pub enum Origin {
    /// Random full grids, one for each puzzle.
    Random,
    /// Full grids from these inputs.
    Grids(Vec<Source>),
    /// Puzzles from these inputs, to be transformed.
    Puzzles(Vec<Source>),
}

/// Makes puzzles and writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    /// How they are to be.
    pub recipe: Recipe,
    /// How many puzzles, or how many for each that is given.
    pub count: u64,
    /// Never the same twice.
    pub distinct: bool,
    /// How they are written: the puzzle by itself, or with its solution.
    pub style: Style,
    /// How many workers; 0 for one on each core.
    pub threads: usize,
    /// Which vectors the engine may use.
    pub simd: SimdLevel,
}

/// What a run has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Puzzles written.
    pub puzzles: u64,
    /// Those of them that have more or fewer clues than asked for.
    pub near: u64,
    /// Puzzles that could not be made.
    pub missing: u64,
    /// Those behind them that were not tried, for more could not be made than could.
    pub not_tried: u64,
    /// Those of them for which nothing was drawn but what had been there before.
    pub exhausted: u64,
    /// The most tries for one of the missing.
    pub tries: u64,
    /// Puzzles that were drawn again because they had been there before.
    pub repeated: u64,
    /// Grids or transformations tried for the puzzles written.
    pub attempts: u64,
    /// Lines of the inputs that nothing could be made from.
    pub refused: u64,
    /// How many puzzles have so many clues.
    pub clues: [u64; Cell::COUNT + 1],
}

/// Is told how far a run has come.
pub trait Progress {
    /// So much has been written.
    fn advance(&mut self, so_far: &Report);

    /// Nothing can be made from this line.
    fn refuse(&mut self, input: &str, line: u64, reason: &str);

    /// Whose wish that the run should end is heard, if anybody's.
    fn halt(&self) -> Option<&Halt> {
        None
    }
}

impl Report {
    const NOTHING: Self = Self {
        puzzles: 0,
        near: 0,
        missing: 0,
        not_tried: 0,
        exhausted: 0,
        tries: 0,
        repeated: 0,
        attempts: 0,
        refused: 0,
        clues: [0; Cell::COUNT + 1],
    };

    /// Whether every puzzle that was asked for is as it was asked for.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.near == 0 && self.missing == 0 && self.refused == 0
    }

    /// The mean number of clues.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "shown to a hundredth")]
    pub fn mean_clues(&self) -> f64 {
        let total: u64 = (0..).zip(self.clues).map(|(clues, count)| clues * count).sum();
        total as f64 / self.puzzles.max(1) as f64
    }
}

impl Generator {
    /// The number of workers that a run will have.
    #[must_use]
    pub fn worker_threads(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
            threads => threads.min(MAX_THREADS),
        }
    }

    /// Makes all puzzles, and writes them in order.
    ///
    /// A run from random grids ends when more puzzles could not be made than could.
    ///
    /// # Errors
    /// An input that cannot be read, an output that cannot be written, threads that cannot start;
    /// or it was asked to end. What was made before, in order, is written.
    pub fn run(
        &self,
        origin: Origin,
        sink: Sink,
        progress: &mut dyn Progress,
    ) -> Result<Report, Error> {
        let random = matches!(origin, Origin::Random);
        let halt = progress.halt().cloned().unwrap_or_default();
        let mut writer = Writer::new(self, sink, random, halt.clone());
        writer.sink.write(&self.style.preamble())?;
        let mut tasks = Tasks::new(origin, self.count)?;
        let ordered = Ordered { threads: self.worker_threads(), most_items: MOST_TASKS };
        ordered.run(
            |size| if halt.is_requested() { Ok(None) } else { tasks.next_block(size, &halt) },
            |block| block.tasks.len().max(1),
            || {
                let mut maker = self.maker();
                let halt = &halt;
                move |block: Block| {
                    let mut made = maker.make_until(halt, &block.tasks);
                    self.solve(&mut maker, &mut made);
                    (made, block)
                }
            },
            |(made, block)| {
                for (input, line, reason) in &block.refused {
                    writer.report.refused += 1;
                    progress.refuse(input, *line, reason);
                }
                let written = writer.write(&block.tasks, made);
                progress.advance(&writer.report);
                written
            },
        )?;
        // A pattern that cannot be filled has ended it, or there is more to be made.
        if halt.is_requested() && writer.report.not_tried == 0 && !tasks.are_given_out() {
            return Err(writer.stopped());
        }
        writer.finish()
    }

    fn maker(&self) -> Maker {
        let engine = EngineKind::default().build_at(self.simd);
        Maker::new(self.recipe.clone(), engine, self.simd)
    }

    /// Solves those that were transformed, if solutions are wanted.
    fn solve(&self, maker: &mut Maker, made: &mut [Option<Made>]) {
        if self.style.format != Format::Line {
            maker.solve(made);
        }
    }
}

/// Tasks that are given to a worker together, and the lines that stand between them.
struct Block {
    tasks: Vec<Task>,
    refused: Vec<(Arc<str>, u64, String)>,
}

/// All tasks of a run, in order.
struct Tasks {
    given: Option<Ahead>,
    /// What the next tasks are made from, and how many of them there are.
    start: Start,
    left: u64,
    each: u64,
    puzzles: bool,
    index: u64,
}

impl Tasks {
    fn new(origin: Origin, count: u64) -> Result<Self, Error> {
        let puzzles = matches!(origin, Origin::Puzzles(_));
        let (given, left) = match origin {
            Origin::Random => (None, count),
            Origin::Grids(sources) | Origin::Puzzles(sources) => {
                (Some(Ahead::of(Reader::new(sources, !puzzles))?), 0)
            }
        };
        Ok(Self { given, start: Start::Nothing, left, each: count, puzzles, index: 0 })
    }

    /// Whether nothing is left.
    fn are_given_out(&self) -> bool {
        self.left == 0 && self.given.is_none()
    }

    fn next_block(&mut self, size: usize, halt: &Halt) -> Result<Option<Block>, Error> {
        let mut block = Block { tasks: Vec::with_capacity(size), refused: Vec::new() };
        while block.tasks.len() < size && block.refused.len() < MOST_TASKS {
            if self.left > 0 {
                block.tasks.push(Task { index: self.index, attempt: 0, start: self.start });
                self.index += 1;
                self.left -= 1;
                continue;
            }
            let Some(reader) = &mut self.given else { break };
            let Some(next) = reader.next(halt) else { break };
            let Some(Given { input, line, grid }) = next? else {
                self.given = None;
                break;
            };
            match grid.and_then(|grid| self.start_of(grid)) {
                Ok(start) => (self.start, self.left) = (start, self.each),
                Err(reason) => block.refused.push((input, line, reason)),
            }
        }
        let some = !block.tasks.is_empty() || !block.refused.is_empty();
        Ok(some.then_some(block))
    }

    /// What can be made from a grid, or why nothing can.
    fn start_of(&self, grid: Grid) -> Result<Start, String> {
        if self.puzzles {
            return Ok(Start::Puzzle(grid));
        }
        match Solution::try_from(grid) {
            Ok(solution) => Ok(Start::Grid(solution)),
            Err(Unsolved::Blank(cell)) => {
                let (row, column) = (cell.row() + 1, cell.column() + 1);
                Err(format!("expected a full grid, row {row} column {column} is blank"))
            }
            Err(clash) => Err(clash.to_string()),
        }
    }
}

/// Writes puzzles in order.
struct Writer<'a> {
    generator: &'a Generator,
    sink: Sink,
    report: Report,
    seen: HashSet<u64>,
    /// Makes puzzles anew that were there before.
    maker: Option<Maker>,
    records: Records,
    memory: Vec<u8>,
    random: bool,
    halt: Halt,
}

impl<'a> Writer<'a> {
    fn new(generator: &'a Generator, sink: Sink, random: bool, halt: Halt) -> Self {
        let (report, seen, maker) = (Report::NOTHING, HashSet::new(), None);
        let (records, memory) = (Records::new(), Vec::new());
        Self { generator, sink, report, seen, maker, records, memory, random, halt }
    }

    fn write(&mut self, tasks: &[Task], made: Vec<Option<Made>>) -> Result<(), Stop<Error>> {
        self.records.restart(tasks.len());
        let added = self.add_all(tasks, made);
        let bytes = self.records.numbered(0, &mut self.memory);
        self.sink.write(bytes).map_err(Error::from)?;
        added
    }

    /// Makes the records of what was made. Less than the tasks is made if it was asked to end.
    fn add_all(&mut self, tasks: &[Task], made: Vec<Option<Made>>) -> Result<(), Stop<Error>> {
        let is_done = made.len() == tasks.len();
        for (task, made) in tasks.iter().zip(made) {
            let is_repeated = made.is_some();
            let made = match made {
                Some(made) => self.distinct(task, made)?,
                None => None,
            };
            if let Some(made) = made {
                self.add(&made);
                continue;
            }
            let tries = self.generator.recipe.attempts_at(&task.start);
            self.report.attempts += tries;
            self.report.tries = self.report.tries.max(tries);
            self.report.exhausted += u64::from(is_repeated);
            self.report.missing += 1;
            let Report { puzzles, missing, .. } = &self.report;
            if self.random && missing > puzzles {
                self.report.not_tried = self.generator.count - missing - puzzles;
                return Err(Stop::Enough);
            }
        }
        if is_done { Ok(()) } else { Err(self.stopped().into()) }
    }

    /// What a run gives that was asked to end.
    fn stopped(&self) -> Error {
        Error::Stopped { puzzles: self.report.puzzles }
    }

    /// The puzzle, or another for the same task if it has been there before.
    fn distinct(&mut self, task: &Task, mut made: Made) -> Result<Option<Made>, Error> {
        if !self.generator.distinct {
            return Ok(Some(made));
        }
        let generator = self.generator;
        let mut again = false;
        while !self.seen.insert(fingerprint(&made.puzzle)) {
            self.report.repeated += 1;
            if self.halt.is_requested() {
                return Err(self.stopped());
            }
            let maker = self.maker.get_or_insert_with(|| generator.maker());
            let next = [Task { attempt: made.attempt + 1, ..*task }];
            let drawn = maker.make_until(&self.halt, &next).pop().ok_or_else(|| self.stopped())?;
            let Some(drawn) = drawn else { return Ok(None) };
            (made, again) = (drawn, true);
        }
        // Only what is kept is solved: a puzzle that has few copies is drawn many thousand times.
        if let Some(maker) = self.maker.as_mut().filter(|_| again) {
            let mut kept = [Some(made)];
            generator.solve(maker, &mut kept);
            return Ok(kept[0]);
        }
        Ok(Some(made))
    }

    fn add(&mut self, made: &Made) {
        let clues = made.puzzle.clues();
        self.report.puzzles += 1;
        self.report.near += u64::from(made.distance > 0);
        let all = self.generator.recipe.attempts;
        self.report.attempts += if made.distance > 0 { all } else { made.attempt + 1 };
        self.report.clues[clues] += 1;
        let style = &self.generator.style;
        let puzzle = made.puzzle.line(style.blank);
        let (input, line) = (None, self.report.puzzles);
        let subject = Subject { input, line, puzzle: &puzzle, others: &[], members: &[] };
        match (style.format, &made.solution) {
            (Format::Line, _) => self.records.push_raw(&puzzle),
            (_, Some(solution)) => {
                self.records.push_solved(style, &subject, Status::Unique, 1, solution);
            }
            // A comment would take the copy's place.
            (Format::Pair, None) => {
                let mut pair = [b','; Cell::COUNT + 1];
                pair[..Cell::COUNT].copy_from_slice(&puzzle);
                self.records.push_raw(&pair);
            }
            (_, None) => self.records.push_failure(style, &subject, &failure(made)),
        }
    }

    fn finish(self) -> Result<Report, Error> {
        self.sink.finish()?;
        Ok(self.report)
    }
}

/// Why a copy of a puzzle has not one solution.
fn failure(made: &Made) -> Failure<'_> {
    match made.solutions {
        0 if rules::is_legal(&made.puzzle) => Failure::None,
        0 => Failure::Conflict(&made.puzzle),
        found => Failure::Multiple { found, all: false },
    }
}

/// 64 bits of a puzzle, the same on every machine: XXH3.
fn fingerprint(puzzle: &Grid) -> u64 {
    xxhash_rust::xxh3::xxh3_64(puzzle.values())
}
