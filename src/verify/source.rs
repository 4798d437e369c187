//! The chunks of the inputs, each with its answers from another file, if there is one.
//!
//! ```text
//! puzzles   p p # ! p │ p p …       the answers are read ahead here, on the reader's thread
//! answers   a a   a a │ a a …
//! ```

use super::answers::MatchedBy;
use super::matching::{Matched, Matcher};
use crate::input::{Puzzles, Record, Source, Want};
use crate::pipeline::{self, Filled};
use crate::puzzle::Puzzle;
use crate::run::{Error, Inputs, Names, Piece, Place};
use std::collections::VecDeque;
use std::mem;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A chunk and its answers.
#[derive(Default)]
pub struct Job {
    piece: Piece,
    /// The name of the other file, if there is one.
    pub(super) file: Option<Arc<str>>,
    /// Its answers, in the order of the numbers of their puzzles.
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
    /// Reads the head of the answers. Puzzles have the numbers that they have for the workers if both
    /// read whole lines, or both do not.
    pub(super) fn open(
        sources: Vec<Source>,
        names: &Names,
        answers: Option<Source>,
        reads_whole_lines: bool,
    ) -> Result<Self, Error> {
        let matcher = answers.map(|answers| Matcher::open(answers, &sources, names)).transpose()?;
        let puzzles = Puzzles::keeping(Want { whole: reads_whole_lines, ..Want::default() });
        Ok(Self { inputs: Inputs::new(sources), matcher, puzzles, ahead: VecDeque::new() })
    }

    /// How the answers are matched, if there are any.
    pub(super) fn matched_by(&self) -> Option<MatchedBy> {
        self.matcher.as_ref().map(Matcher::matched_by)
    }
}

/// The first puzzle of the pieces ahead; if they have none, of those that follow.
fn first_puzzle(
    ahead: &mut VecDeque<Piece>,
    inputs: &mut Inputs,
    size: usize,
) -> Result<Option<Puzzle>, Error> {
    let (mut puzzles, mut place) = (Puzzles::default(), 0);
    loop {
        while let Some(piece) = ahead.get(place) {
            let is_read = piece.chunk.read(|chunk| puzzles.read(chunk)).is_ok();
            let first = puzzles.records().find_map(|record| match record {
                Record::Puzzles { numbers, .. } => Some(puzzles.puzzle(numbers.start)),
                _ => None,
            });
            if is_read && first.is_some() {
                return Ok(first);
            }
            place += 1;
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
        let Self { inputs, matcher, puzzles, ahead } = self;
        let filled = match ahead.pop_front() {
            Some(mut piece) => {
                mem::swap(&mut job.piece, &mut piece);
                Filled::Chunk
            }
            None => inputs.fill(&mut job.piece, size)?,
        };
        let Some(matcher) = matcher else { return Ok(filled) };
        job.file.get_or_insert_with(|| Arc::clone(matcher.name()));
        job.answers.clear();
        match filled {
            // A chunk whose bytes were lost is an error of the worker that reads it.
            Filled::Chunk if job.piece.chunk.read(|chunk| puzzles.read(chunk)).is_ok() => {
                let following = || first_puzzle(ahead, inputs, size);
                matcher.take(job.piece.input, puzzles, &mut job.answers, following)?;
            }
            Filled::Chunk | Filled::Nothing => {}
            Filled::End => matcher.end()?,
        }
        Ok(filled)
    }
}
