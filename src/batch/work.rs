//! One chunk in, its records and counts out.
//!
//! A [`Worker`] owns an engine and all the memory that a chunk needs, so that after the first
//! few chunks nothing is allocated any more (`tests/no_alloc.rs`). It goes over a chunk three
//! times: bytes to grids, grids to answers, answers to records.

use super::Stats;
use crate::engine::{Answer, Engine};
use crate::input::{Chunk, Gap, Puzzles, What};
use crate::output::{Failure, Records};
use crate::puzzle::{Grid, rules};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::time::{Duration, Instant};

/// What comes of a chunk, with the memory for it.
#[derive(Debug, Default)]
pub struct Output {
    /// One record for each puzzle.
    pub records: Records,
    /// What was found.
    pub stats: Stats,
    /// The time that the engine took.
    pub solve_time: Duration,
}

/// An engine with memory for chunks of puzzles.
pub struct Worker {
    engine: Box<dyn Engine>,
    limit: NonZeroUsize,
    puzzles: Puzzles,
    answers: Vec<Answer>,
}

impl Worker {
    /// A worker that looks for so many solutions of each puzzle.
    #[must_use]
    pub fn new(engine: Box<dyn Engine>, limit: NonZeroUsize) -> Self {
        Self { engine, limit, puzzles: Puzzles::new(), answers: Vec::new() }
    }

    /// Answers every puzzle of a chunk. If `input` has a name, records without a solution
    /// begin with it.
    ///
    /// # Panics
    /// If the engine does not give one answer for each puzzle.
    pub fn run(&mut self, chunk: &Chunk, input: Option<&str>, output: &mut Output) {
        self.puzzles.read(chunk);
        let grids = self.puzzles.grids();
        self.answers.clear();
        self.answers.reserve(grids.len());
        let started = Instant::now();
        self.engine.solve_batch(grids, self.limit.get(), &mut self.answers);
        output.solve_time = started.elapsed();
        assert_eq!(self.answers.len(), grids.len(), "one answer for each puzzle");

        output.records.restart(grids.len());
        output.stats = Stats { bytes: chunk.input_bytes(), ..Stats::default() };
        self.render(input, output);
    }

    /// Makes the records, from one gap between the puzzles to the next.
    fn render(&self, input: Option<&str>, output: &mut Output) {
        let mut rendered = 0;
        for &Gap { grids_before, ref what } in self.puzzles.gaps() {
            self.render_answers(rendered..grids_before, input, output);
            rendered = grids_before;
            match what {
                What::PassedOver(lines) => output.stats.lines += lines,
                What::Malformed(error) => {
                    output.stats.lines += 1;
                    output.stats.puzzles += 1;
                    output.stats.malformed += 1;
                    let failure = Failure::Malformed(error);
                    output.records.push_failure(input, output.stats.lines, &failure);
                }
            }
        }
        self.render_answers(rendered..self.answers.len(), input, output);
    }

    /// Makes the records of puzzles whose lines follow each other.
    fn render_answers(&self, range: Range<usize>, input: Option<&str>, output: &mut Output) {
        let Output { records, stats, .. } = output;
        let lines_before = stats.lines;
        let answers = &self.answers[range.clone()];
        stats.lines += answers.len() as u64;
        stats.puzzles += answers.len() as u64;
        let mut unanswered = 0;
        let grids = &self.puzzles.grids()[range];
        for (line, (grid, answer)) in (lines_before + 1..).zip(grids.iter().zip(answers)) {
            if let Answer { count: 1, first: Some(solution) } = answer {
                records.push_solution(solution);
            } else {
                unanswered += 1;
                let failure = self.failure(grid, answer, stats);
                records.push_failure(input, line, &failure);
            }
        }
        stats.solved += answers.len() as u64 - unanswered;
    }

    /// Why an answer is not one solution; counts it.
    fn failure<'a>(&self, grid: &'a Grid, answer: &Answer, stats: &mut Stats) -> Failure<'a> {
        if answer.count > 0 {
            stats.several += 1;
            Failure::Several { found: answer.count, all: answer.count < self.limit.get() }
        } else if rules::is_legal(grid) {
            stats.unsolvable += 1;
            Failure::NoSolution
        } else {
            stats.illegal += 1;
            Failure::Illegal(grid)
        }
    }
}
