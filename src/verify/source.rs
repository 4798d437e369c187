//! The chunks of the inputs, each with its answers from another file, if there is one.
//!
//! ```text
//! puzzles   p p # ! p │ p p …       the answers are read ahead here, on the reader's thread:
//! answers   a a   a a │ a a …       as many as the chunk has puzzles, malformed ones included
//! ```

use super::answers::Answers;
use crate::bulk::{Error, Inputs, Piece};
use crate::input::{ChunkBuffer, Given, Puzzles, Record, Source};
use crate::pipeline::{self, Filled};
use std::io;
use std::ops::{Range, RangeInclusive};

/// Answers that are passed over at a time when no puzzles are left.
const LEFT_OVER_AT_A_TIME: u64 = 10_000;

/// A chunk and its answers.
#[derive(Default)]
pub(super) struct Job {
    pub(super) piece: Piece,
    /// The next answers of the other file: its line, and the answer. If there are fewer than
    /// puzzles, the file is at its end.
    pub(super) answers: Vec<(u64, Given)>,
    /// Instead of lines: answers without a puzzle. The first line of them, and how many.
    pub(super) left_over: Option<(u64, u64)>,
}

impl pipeline::Chunk for Job {
    fn size(&self) -> u64 {
        if self.left_over.is_some() { 0 } else { self.piece.size() }
    }

    fn part_ends(&self) -> Vec<usize> {
        if self.left_over.is_some() { Vec::new() } else { self.piece.part_ends() }
    }

    fn part(&self, range: Range<usize>) -> Self {
        let mut puzzles = Puzzles::new();
        let mut count = |range| count(&mut puzzles, &self.piece.part(range).chunk).unwrap_or(0);
        let start = count(0..range.start).min(self.answers.len());
        let end = (start + count(range.clone())).min(self.answers.len());
        let answers = self.answers[start..end].to_vec();
        Self { piece: self.piece.part(range), answers, left_over: None }
    }
}

/// The lines of a chunk that should be a puzzle.
fn count(puzzles: &mut Puzzles, chunk: &ChunkBuffer) -> io::Result<usize> {
    chunk.read(|chunk| puzzles.read(chunk))?;
    let malformed = |record: &Record| matches!(record, Record::Malformed { .. });
    Ok(puzzles.count() + puzzles.records().filter(malformed).count())
}

/// Reads the inputs and, beside them, the answers.
pub(super) struct Jobs {
    inputs: Inputs,
    answers: Option<Answers>,
    puzzles: Puzzles,
    /// Once the inputs are at their end: the first answer without a puzzle, and how many so far.
    left_over: Option<(Option<u64>, u64)>,
}

impl Jobs {
    pub(super) fn new(sources: Vec<Source>, answers: Option<Source>) -> Self {
        let answers = answers.map(Answers::new);
        Self { inputs: Inputs::new(sources), answers, puzzles: Puzzles::new(), left_over: None }
    }

    /// Puts the next answers beside the puzzles of a chunk.
    fn take_answers(&mut self, job: &mut Job) -> Result<(), Error> {
        let Some(answers) = &mut self.answers else { return Ok(()) };
        // A chunk whose bytes were lost is an error of the worker that reads it.
        for _ in 0..count(&mut self.puzzles, &job.piece.chunk).unwrap_or(0) {
            let Some(answer) = answers.next()? else { break };
            job.answers.push(answer);
        }
        Ok(())
    }

    /// Passes over the answers that have no puzzle. The last chunk tells of them.
    fn pass_over(&mut self, job: &mut Job) -> Result<Filled, Error> {
        let Some(answers) = &mut self.answers else { return Ok(Filled::End) };
        let (first, count) = self.left_over.get_or_insert_default();
        for _ in 0..LEFT_OVER_AT_A_TIME {
            let Some((line, _)) = answers.next()? else {
                self.answers = None;
                let Some(first) = *first else { return Ok(Filled::End) };
                job.left_over = Some((first, *count));
                return Ok(Filled::Chunk);
            };
            first.get_or_insert(line);
            *count += 1;
        }
        Ok(Filled::Nothing)
    }
}

impl pipeline::Source for Jobs {
    type Chunk = Job;
    type Error = Error;

    fn sizes(&self) -> RangeInclusive<usize> {
        self.inputs.sizes()
    }

    fn fill(&mut self, job: &mut Job, size: usize) -> Result<Filled, Error> {
        job.answers.clear();
        job.left_over = None;
        if self.left_over.is_some() {
            return self.pass_over(job);
        }
        let filled = self.inputs.fill(&mut job.piece, size)?;
        match filled {
            Filled::Chunk => self.take_answers(job)?,
            Filled::Nothing => {}
            Filled::End => return self.pass_over(job),
        }
        Ok(filled)
    }
}
