//! Answers the puzzles of a chunk.
//!
//! A [`Worker`] owns an engine and all the memory that a chunk needs, so nothing is allocated
//! after the first few chunks (`tests/no_alloc.rs`). It goes over a chunk three times: bytes to
//! grids, grids to answers, answers to records.

use super::every::Every;
use super::output::Output;
use super::question::Question;
use super::render::{At, From, Render};
use super::stats::Stats;
use crate::Status;
use crate::engine::{Answer, Engine};
use crate::input::{Chunk, Puzzles, Record, Want};
use crate::output::Failure;
use crate::puzzle::{Sukaku, rules};
use std::ops::Range;
use std::time::Instant;

/// An engine with memory for chunks of puzzles.
///
/// ```
/// use ninefold::engine::EngineKind;
/// use ninefold::input::{ChunkBuffer, Source};
/// use ninefold::solve::{Output, Question, Worker};
///
/// let mut worker = Worker::new(EngineKind::default().build(), Question::default());
/// let (mut chunk, mut output) = (ChunkBuffer::new(), Output::default());
/// let puzzles = Source::from_bytes("puzzles", b"12\n".to_vec());
/// puzzles.into_chunks(1000).fill(&mut chunk)?;
/// chunk.read(|chunk| worker.run(chunk, None, &mut output))?;
/// let records = output.records.numbered(0, &mut Vec::new()).to_vec();
/// assert_eq!(records, b"# line 1: expected 81 cells, found 2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Worker {
    engine: Box<dyn Engine>,
    question: Question,
    puzzles: Puzzles,
    /// Those puzzles that are no grids.
    sukakus: Vec<Sukaku>,
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
        let (sukakus, answers) = (Vec::new(), Vec::new());
        let (every, render) = (Every::default(), Render::new(&question));
        Self { engine, question, puzzles, sukakus, answers, every, render }
    }

    /// Asks the engine about all puzzles of the chunk that was read: the answers to the grids come
    /// first, then those to the sukakus.
    fn solve(&mut self) {
        let grids = self.puzzles.grids();
        self.sukakus.clear();
        self.sukakus.extend(self.puzzles.sukakus().iter().map(|marked| marked.sukaku));
        self.answers.clear();
        self.answers.reserve(grids.len() + self.sukakus.len());
        let (engine, limit) = (self.engine.as_mut(), self.question.limit.get());
        if let Some(most) = self.question.every {
            self.every.find(engine, grids, &self.sukakus, most.get(), &mut self.answers);
        } else {
            engine.solve_batch(grids, limit, &mut self.answers);
            engine.solve_sukakus(&self.sukakus, limit, &mut self.answers);
        }
        let puzzles = grids.len() + self.sukakus.len();
        assert_eq!(self.answers.len(), puzzles, "one answer for each puzzle");
    }

    /// Answers every puzzle of a chunk, and replaces the output. Records name the input if it has a
    /// name here. What comes of a chunk depends on that chunk alone.
    ///
    /// # Panics
    /// If the engine does not give one answer for each puzzle.
    pub fn run(&mut self, chunk: &Chunk, input: Option<&str>, output: &mut Output) {
        self.puzzles.read(chunk);
        let started = Instant::now();
        self.solve();
        output.solve_time = started.elapsed();

        output.records.restart(self.answers.len());
        output.rejects.restart(0);
        output.stats = Stats { bytes: chunk.input_bytes(), ..Stats::default() };
        let Self { question, puzzles, answers, every, render, .. } = self;
        let answered = Answered { question, puzzles, answers, every };
        let from = From { chunk, input };
        for record in puzzles.records() {
            output.stats.lines += record.lines();
            match record {
                Record::Puzzles { line, numbers } => {
                    output.stats.puzzles += numbers.len() as u64;
                    answered.render(numbers, line, from, render, output);
                }
                Record::Malformed { line, bytes, error } => {
                    output.stats.puzzles += 1;
                    output.stats.statuses[Status::Malformed] += 1;
                    render.malformed(&At { from, line, place: Some(bytes) }, error, output);
                }
                Record::Skipped { .. } => {}
            }
        }
    }
}

/// The puzzles of a chunk and their answers.
struct Answered<'a> {
    question: &'a Question,
    puzzles: &'a Puzzles,
    answers: &'a [Answer],
    every: &'a Every,
}

impl Answered<'_> {
    /// Makes the records of these puzzles, whose lines follow each other.
    fn render(
        &self,
        numbers: Range<usize>,
        first: u64,
        from: From,
        render: &mut Render,
        output: &mut Output,
    ) {
        let alone = render.writes_solutions_alone();
        let answered = self.question.answered();
        for (line, number) in (first..).zip(numbers) {
            match self.answers[number] {
                Answer { count: 1, first: Some(ref solution) } if alone => {
                    output.records.push_solution(solution);
                    output.stats.statuses[answered] += 1;
                }
                _ => {
                    let at = At { from, line, place: self.puzzles.bytes_of(number) };
                    self.render_one(number, &at, render, output);
                }
            }
        }
    }

    /// Makes the record of a puzzle, and counts it.
    fn render_one(&self, number: usize, at: &At, render: &mut Render, output: &mut Output) {
        let puzzle = &self.puzzles.puzzle(number);
        let answer = &self.answers[number];
        match (answer, self.question.every) {
            (Answer { count: 1, first: Some(solution) }, _) => {
                let status = self.question.answered();
                output.stats.statuses[status] += 1;
                render.solved(at, puzzle, status, solution, output);
            }
            (Answer { count: 1.., .. }, Some(most)) => {
                render.every(at, puzzle, most.get(), answer, self.every.of(number), output);
            }
            (Answer { count: found @ 1.., .. }, None) => {
                output.stats.statuses[Status::Multiple] += 1;
                let all = *found < self.question.limit.get();
                render.failure(at, puzzle, &Failure::Multiple { found: *found, all }, output);
            }
            _ => {
                let clues = puzzle.clues();
                if rules::is_legal(&clues) {
                    output.stats.statuses[Status::None] += 1;
                    render.failure(at, puzzle, &Failure::None, output);
                } else {
                    output.stats.statuses[Status::Conflict] += 1;
                    render.failure(at, puzzle, &Failure::Conflict(&clues), output);
                }
            }
        }
    }
}
