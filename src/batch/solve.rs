//! One chunk in, its solutions and counts out.
//!
//! A [`Worker`] owns an engine and all the memory that a chunk needs, so that after the first
//! few chunks nothing is allocated any more (`tests/no_alloc.rs`). It goes over a chunk three
//! times: bytes to grids, grids to answers, answers to records.

use super::every::Every;
use super::render::{At, From, Puzzle, Render};
use super::{Output, Stats, Work};
use crate::engine::{Answer, Engine};
use crate::input::{Chunk, Gap, Marked, Puzzles, Want, What};
use crate::Status;
use crate::names::NameSet;
use crate::output::{Failure, Style};
use crate::puzzle::{Sukaku, rules};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::time::Instant;

/// What is asked about each puzzle, and how the answer is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// How many solutions to look for: 1 solves, 2 proves that there is just one, `n` counts.
    pub limit: NonZeroUsize,
    /// Write every solution of each puzzle, up to so many; `limit` has no meaning then.
    pub every: Option<NonZeroUsize>,
    /// How records are written.
    pub style: Style,
    /// Which records are written.
    pub select: NameSet<Status>,
    /// Whether the lines that were not answered are kept.
    pub rejects: bool,
}

impl Default for Question {
    /// One solution of each puzzle, as a line.
    fn default() -> Self {
        Self {
            limit: NonZeroUsize::MIN,
            every: None,
            style: Style::default(),
            select: NameSet::ALL,
            rejects: false,
        }
    }
}

impl Question {
    /// The status of a puzzle with one solution.
    pub(super) const fn answered(&self) -> Status {
        if self.limit.get() > 1 || self.every.is_some() { Status::Unique } else { Status::Solved }
    }
}

/// An engine with memory for chunks of puzzles.
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
        for (line, index) in (first..).zip(range) {
            match self.answers[index] {
                Answer { count: 1, first: Some(ref solution) } if alone => {
                    output.records.push_solution(solution);
                    output.stats.solved += 1;
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
                output.stats.solved += 1;
                let status = self.question.answered();
                self.render.solved(at, puzzle, status, solution, output);
            }
            (Answer { count: 1.., .. }, Some(most)) => {
                let solutions = self.every.of(index);
                self.render.every(at, puzzle, most.get(), answer, solutions, output);
            }
            (Answer { count: found @ 1.., .. }, None) => {
                output.stats.several += 1;
                let all = *found < self.question.limit.get();
                self.render.failure(at, puzzle, &Failure::Several { found: *found, all }, output);
            }
            _ => {
                let singles = puzzle.clues();
                if rules::is_legal(&singles) {
                    output.stats.unsolvable += 1;
                    self.render.failure(at, puzzle, &Failure::NoSolution, output);
                } else {
                    output.stats.illegal += 1;
                    self.render.failure(at, puzzle, &Failure::Conflict(&singles), output);
                }
            }
        }
    }
}

impl Work for Worker {
    /// Answers every puzzle of a chunk.
    ///
    /// # Panics
    /// If the engine does not give one answer for each puzzle.
    fn run(&mut self, chunk: &Chunk, input: Option<&str>, output: &mut Output) {
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
                    output.stats.malformed += 1;
                    let at = At { from, line: output.stats.lines, place: Some(place) };
                    self.render.malformed(&at, &error, output);
                }
            }
        }
        self.render_grids(rendered..grids, from, output);
    }
}
