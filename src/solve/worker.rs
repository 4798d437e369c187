//! Answers the puzzles of a chunk.
//!
//! A [`Worker`] owns an engine and all the memory that a chunk needs, so nothing is allocated
//! after the first few chunks (`tests/no_alloc.rs`). It goes over a chunk three times: bytes to
//! grids, grids to answers, answers to records.

use super::every::Every;
use super::output::Output;
use super::question::Question;
use super::render::{At, From, Puzzle, Render};
use super::stats::Stats;
use crate::Status;
use crate::engine::{Answer, Engine};
use crate::input::{Chunk, Gap, Marked, Puzzles, Want, What};
use crate::output::Failure;
use crate::puzzle::{Sukaku, rules};
use std::ops::Range;
use std::time::Instant;

/// An engine with memory for chunks of puzzles.
///
/// ```
/// use ninefold::engine::EngineKind;
/// use ninefold::input::{Chunk, Source};
/// use ninefold::solve::{Output, Question, Worker};
///
/// let mut worker = Worker::new(EngineKind::DEFAULT.build(), Question::default());
/// let (mut chunk, mut output) = (Chunk::new(), Output::default());
/// let puzzles = Source::from_bytes("puzzles", b"12\n".to_vec());
/// puzzles.into_chunks(1000).fill(&mut chunk)?;
/// worker.run(&chunk, None, &mut output);
/// let records = output.records.numbered(0, &mut Vec::new()).to_vec();
/// assert_eq!(records, b"# line 1: expected 81 cells, found 2\n");
/// # Ok::<(), ninefold::input::Error>(())
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

    /// Makes the records of grids whose lines follow each other.
    fn render_grids(&mut self, range: Range<usize>, from: From, output: &mut Output) {
        let first = output.stats.lines + 1;
        output.stats.lines += range.len() as u64;
        output.stats.puzzles += range.len() as u64;
        let alone = self.render.writes_solutions_alone();
        let answered = self.question.answered();
        for (line, index) in (first..).zip(range) {
            match self.answers[index] {
                Answer { count: 1, first: Some(ref solution) } if alone => {
                    output.records.push_solution(solution);
                    output.stats.statuses[answered] += 1;
                }
                _ => {
                    let place = self.puzzles.lines().get(index).cloned();
                    let puzzle = Puzzle::Grid(self.puzzles.grids()[index]);
                    self.render_answer(index, &puzzle, &At { from, line, place }, output);
                }
            }
        }
    }

    /// Makes the record of a puzzle, and counts it.
    fn render_answer(&mut self, index: usize, puzzle: &Puzzle, at: &At, output: &mut Output) {
        let answer = &self.answers[index];
        match (answer, self.question.every) {
            (Answer { count: 1, first: Some(solution) }, _) => {
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
        // From one gap between the grids to the next.
        let grids = self.puzzles.grids().len();
        let from = From { chunk, input };
        let mut rendered = 0;
        for place in 0..self.puzzles.gaps().len() {
            let Gap { grids_before, what } = self.puzzles.gaps()[place].clone();
            self.render_grids(rendered..grids_before, from, output);
            rendered = grids_before;
            match what {
                What::PassedOver(lines) => output.stats.lines += lines,
                What::Sukaku(index) => {
                    output.stats.lines += 1;
                    output.stats.puzzles += 1;
                    let Marked { sukaku, line, .. } = self.puzzles.sukakus()[index].clone();
                    let at = At { from, line: output.stats.lines, place: Some(line) };
                    self.render_answer(grids + index, &Puzzle::Sukaku(sukaku), &at, output);
                }
                What::Malformed(error, place) => {
                    output.stats.lines += 1;
                    output.stats.puzzles += 1;
                    output.stats.statuses[Status::Malformed] += 1;
                    let at = At { from, line: output.stats.lines, place: Some(place) };
                    self.render.malformed(&at, &error, output);
                }
            }
        }
        self.render_grids(rendered..grids, from, output);
    }
}
