//! The chunks of the inputs, each with its answers from another file, if there is one.
//!
//! ```text
//! puzzles   p p # ! p │ p p …       the answers are read ahead here, on the reader's thread
//! answers   a a   a a │ a a …
//! ```

use super::answers::MatchedBy;
use super::matching::{Matched, Matcher};
use crate::input::{Puzzles, Record, Source};
use crate::pipeline::{self, Filled};
use crate::puzzle::Puzzle;
use crate::run::{Error, Inputs, Names, Piece, Place};
use std::collections::VecDeque;
use std::mem;
use std::ops::RangeInclusive;

/// A chunk and its answers.
#[derive(Default)]
pub(crate) struct Job {
    pub(super) piece: Piece,
    /// The answers of the other file, in the order of the puzzles.
    pub(super) answers: Vec<Matched>,
}

impl pipeline::Chunk for Job {
    fn size(&self) -> u64 {
        self.piece.size()
    }
}

impl Place for Job {
    fn piece(&self) -> &Piece {
        &self.piece
    }
}

/// Reads the inputs and, beside them, the answers.
pub(super) struct Jobs {
    inputs: Inputs,
    matcher: Option<Matcher>,
    puzzles: Puzzles,
    /// Pieces that were read to see which puzzle follows a chunk.
    ahead: VecDeque<Piece>,
}

impl Jobs {
    /// Reads the head of the answers.
    pub(super) fn open(
        sources: Vec<Source>,
        names: &Names,
        answers: Option<Source>,
    ) -> Result<Self, Error> {
        let matcher = answers.map(|answers| Matcher::open(answers, &sources, names)).transpose()?;
        let (puzzles, ahead) = (Puzzles::new(), VecDeque::new());
        Ok(Self { inputs: Inputs::new(sources), matcher, puzzles, ahead })
    }

    /// How the answers are matched, if there are any.
    pub(super) fn matched_by(&self) -> Option<MatchedBy> {
        self.matcher.as_ref().map(Matcher::matched_by)
    }

    /// Puts the next answers beside the puzzles of a chunk.
    fn take_answers(&mut self, job: &mut Job, size: usize) -> Result<(), Error> {
        let Self { inputs, matcher: Some(matcher), puzzles, ahead } = self else { return Ok(()) };
        if job.piece.chunk.read(|chunk| puzzles.read(chunk)).is_err() {
            // A chunk whose bytes were lost is an error of the worker that reads it.
            return Ok(());
        }
        let input = job.piece.input;
        let following = || first_puzzle(ahead, inputs, size);
        matcher.take(input, puzzles, &mut job.answers, following)
    }
}

/// The first puzzle of the pieces ahead; if they have none, of those that follow.
fn first_puzzle(
    ahead: &mut VecDeque<Piece>,
    inputs: &mut Inputs,
    size: usize,
) -> Result<Option<Puzzle>, Error> {
    let mut puzzles = Puzzles::new();
    let mut place = 0;
    loop {
        if let Some(piece) = ahead.get(place) {
            let is_read = piece.chunk.read(|chunk| puzzles.read(chunk)).is_ok();
            let mut numbers = puzzles.records().filter_map(|record| match record {
                Record::Puzzles { numbers, .. } => Some(numbers.start),
                _ => None,
            });
            match numbers.next() {
                Some(number) if is_read => return Ok(Some(puzzles.puzzle(number))),
                _ => place += 1,
            }
            continue;
        }
        let mut piece = Piece::default();
        match inputs.fill(&mut piece, size)? {
            Filled::Chunk => ahead.push_back(piece),
            Filled::Nothing => {}
            Filled::End => return Ok(None),
        }
    }
}

impl pipeline::Source for Jobs {
    type Chunk = Job;
    type Error = Error;

    fn sizes(&self) -> RangeInclusive<usize> {
        self.inputs.sizes()
    }

    fn expect_slots(&mut self, slots: usize) {
        self.inputs.expect_slots(slots);
    }

    fn fill(&mut self, job: &mut Job, size: usize) -> Result<Filled, Error> {
        job.answers.clear();
        let filled = match self.ahead.pop_front() {
            Some(mut piece) => {
                mem::swap(&mut job.piece, &mut piece);
                Filled::Chunk
            }
            None => self.inputs.fill(&mut job.piece, size)?,
        };
        match filled {
            Filled::Chunk => self.take_answers(job, size)?,
            Filled::Nothing => {}
            Filled::End => self.matcher.iter_mut().try_for_each(Matcher::end)?,
        }
        Ok(filled)
    }
}
