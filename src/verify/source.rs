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
use crate::run::{Error, Inputs, Piece, Place};
use std::collections::VecDeque;
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

/// Reads the answers beside the inputs.
pub(super) struct Jobs {
    matcher: Option<Matcher>,
    puzzles: Puzzles,
    /// Pieces that were read to see which puzzle follows a chunk.
    ahead: VecDeque<Piece>,
}

impl Jobs {
    /// Reads the head of the answers. Puzzles have the numbers that they have for the workers if both
    /// read whole lines, or both do not.
    pub(super) fn open(
        sources: &[Source],
        answers: Option<Source>,
        reads_whole_lines: bool,
    ) -> Result<Self, Error> {
        let matcher = answers.map(|answers| Matcher::open(answers, sources)).transpose()?;
        let puzzles = Puzzles::keeping(Want { whole: reads_whole_lines, ..Want::default() });
        Ok(Self { matcher, puzzles, ahead: VecDeque::new() })
    }

    /// How the answers are matched, if there are any.
    pub(super) fn matched_by(&self) -> Option<MatchedBy> {
        self.matcher.as_ref().map(|matcher| matcher.answers.by)
    }

    /// Fills a chunk, and finds its answers.
    pub(super) fn fill(
        &mut self,
        inputs: &mut Inputs,
        job: &mut Job,
        size: usize,
    ) -> Result<Filled, Error> {
        let Self { matcher, puzzles, ahead } = self;
        let filled = match ahead.pop_front() {
            Some(piece) => {
                job.piece = piece;
                Filled::Chunk
            }
            None => inputs.fill(&mut job.piece, size)?,
        };
        let Some(matcher) = matcher else { return Ok(filled) };
        job.file.get_or_insert_with(|| Arc::clone(&matcher.answers.name));
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
