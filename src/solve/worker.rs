//! Answers the puzzles of a chunk.
//!
//! A [`Worker`] owns an engine and all the memory that a chunk needs, so nothing is allocated
//! after the first few chunks (`tests/no_alloc.rs`). It goes over a chunk three times: bytes to
//! grids, grids to answers, answers to records.

use super::every::Every;
use super::question::Question;
use super::render::Render;
use super::stats::{Output, Stats};
use crate::Status;
use crate::bulk::{At, From, Recorder, SlowPlace, answer_all};
use crate::engine::{Answer, Engine};
use crate::input::{Chunk, Puzzles, Record, Want};
use crate::output::Failure;
use crate::puzzle::{Puzzle, rules};
use std::ops::Range;
use std::time::Instant;

/// An engine with memory for chunks of puzzles.
///
/// ```
/// use ninefold::engine::EngineKind;
/// use ninefold::input::{ChunkBuffer, Layout, Source};
/// use ninefold::solve::{Output, Question, Worker};
///
/// let mut worker = Worker::new(EngineKind::default().build(), Question::default());
/// let (mut chunk, mut output) = (ChunkBuffer::new(), Output::default());
/// let puzzles = Source::from_bytes("puzzles", b"12\n".to_vec());
/// puzzles.with_layout(Layout::plain()).into_chunks(1000).fill(&mut chunk)?;
/// chunk.read(|chunk| worker.run(chunk, None, &mut output))?;
/// let records = output.records.numbered(0, &mut Vec::new()).to_vec();
/// assert_eq!(records, b"# line 1: expected 81 cells, found 2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Worker {
    engine: Box<dyn Engine>,
    question: Question,
    puzzles: Puzzles,
    answers: Vec<Answer>,
    every: Every,
    render: Render,
}

impl Worker {
    /// A worker that asks this about each puzzle.
    #[must_use]
    pub fn new(engine: Box<dyn Engine>, question: Question) -> Self {
        let whole = question.style.other_columns.is_some();
        let lines = question.rejects || whole;
        let puzzles = Puzzles::keeping(Want { lines, solutions: false, whole });
        let (every, render) = (Every::default(), Render::new(&question));
        Self { engine, question, puzzles, answers: Vec::new(), every, render }
    }

    /// Asks the engine about all puzzles of the chunk that was read: the answers to the grids come
    /// first, then those to the sukakus. Returns the line that took longest.
    fn solve(&mut self) -> Option<SlowPlace> {
        let (engine, puzzles) = (self.engine.as_mut(), &self.puzzles);
        let Some(most) = self.question.every else {
            return answer_all(engine, puzzles, self.question.limit.get(), &mut self.answers);
        };
        let (grids, sukakus) = (puzzles.grids(), puzzles.sukakus());
        self.answers.clear();
        let slowest = self.every.find(engine, grids, sukakus, most.get(), &mut self.answers);
        slowest.and_then(|(number, time)| SlowPlace::of(puzzles, number, time))
    }

    /// Answers every puzzle of a chunk, and replaces the output. Records name the input if it has a
    /// name here. What comes of a chunk depends on that chunk alone.
    ///
    /// # Panics
    /// If the engine does not give one answer for each puzzle.
    pub fn run(&mut self, chunk: &Chunk, input: Option<&str>, output: &mut Output) {
        self.puzzles.read(chunk);
        let started = Instant::now();
        output.slowest = self.solve();
        output.solve_time = started.elapsed();

        output.records.restart(self.answers.len());
        output.rejects.restart(0);
        let comments = self.puzzles.comments();
        output.stats = Stats { bytes: chunk.input_bytes(), comments, ..Stats::default() };
        // An engine without a bound gives up nothing.
        let branches = self.engine.max_branches().unwrap_or(u32::MAX);
        let Self { question, puzzles, answers, every, render, .. } = self;
        let from = From { chunk, input };
        let mut answered = Answered { question, answers, branches, every, render };
        for record in puzzles.records() {
            output.stats.lines += record.lines();
            match record {
                Record::Puzzles { line, numbers } => {
                    answered.render_run(puzzles, line, numbers, from, output);
                }
                Record::Malformed { line, bytes, error } => {
                    output.stats.puzzles += 1;
                    output.stats.statuses[Status::Malformed] += 1;
                    output.stats.reasons[error.reason() as usize] += 1;
                    let at = At { from, line, place: Some(bytes) };
                    answered.render.malformed(&at, error, output);
                }
                Record::Skipped { .. } => {}
            }
        }
    }
}

impl Recorder for Worker {
    type Counts = Stats;

    fn run(&mut self, chunk: &Chunk, input: Option<&str>, output: &mut Output) {
        self.run(chunk, input, output);
    }
}

/// The answers to the puzzles of a chunk, about to be rendered.
struct Answered<'a> {
    question: &'a Question,
    answers: &'a [Answer],
    /// The most branches of a puzzle.
    branches: u32,
    every: &'a Every,
    render: &'a mut Render,
}

impl Answered<'_> {
    /// Makes the records of puzzles whose lines follow each other.
    fn render_run(
        &mut self,
        puzzles: &Puzzles,
        line: u64,
        numbers: Range<usize>,
        from: From,
        output: &mut Output,
    ) {
        output.stats.puzzles += numbers.len() as u64;
        let alone = self.render.writes_solutions_alone();
        let answered = self.question.answered();
        for (line, index) in (line..).zip(numbers) {
            match self.answers[index] {
                Answer { count: 1, first: Some(ref solution), gave_up: false } if alone => {
                    output.records.push_solution(solution);
                    output.stats.statuses[answered] += 1;
                }
                _ => {
                    let at = At { from, line, place: puzzles.bytes_of(index) };
                    self.render_answer(index, &puzzles.puzzle(index), &at, output);
                }
            }
        }
    }

    /// Makes the record of a puzzle, and counts it.
    fn render_answer(&mut self, index: usize, puzzle: &Puzzle, at: &At, output: &mut Output) {
        let answer = &self.answers[index];
        match (answer, self.question.every) {
            (Answer { gave_up: true, count: found, .. }, _) => {
                output.stats.statuses[Status::Unknown] += 1;
                let failure = Failure::Unknown { branches: self.branches, found: *found };
                self.render.failure(at, puzzle, &failure, output);
            }
            (Answer { count: 1, first: Some(solution), .. }, _) => {
                let status = self.question.answered();
                output.stats.statuses[status] += 1;
                self.render.solved(at, puzzle, status, solution, output);
            }
            (Answer { count: 1.., .. }, Some(most)) => {
                let solutions = self.every.of(index);
                self.render.every(at, puzzle, most.get(), answer, solutions, output);
            }
            (Answer { count: found @ 1.., .. }, None) => {
                output.stats.statuses[Status::Multiple] += 1;
                let all = *found < self.question.limit.get();
                self.render.failure(at, puzzle, &Failure::Multiple { found: *found, all }, output);
            }
            _ => {
                let singles = puzzle.clues();
                if rules::is_legal(&singles) {
                    output.stats.statuses[Status::None] += 1;
                    self.render.failure(at, puzzle, &Failure::None, output);
                } else {
                    output.stats.statuses[Status::Conflict] += 1;
                    self.render.failure(at, puzzle, &Failure::Conflict(&singles), output);
                }
            }
        }
    }
}
