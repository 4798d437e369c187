//! Tasks in blocks: for random grids, or for the grids of inputs.

use super::Task;
use crate::input::{Given, Puzzles, RowPlace, Source, Want};
use crate::pipeline::{self, Filled};
use crate::puzzle::{Puzzle, Solution, WrongAnswer};
use crate::run::{Error, Inputs, Names, Piece};
use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Puzzles that a worker is given at a time, at most: four for each that it digs at the same time,
/// so that there are seldom fewer left than that.
const MOST_TASKS: usize = 1024;

/// Bytes of an input read at a time: about 800 grids.
const CHUNK_BYTES: usize = 64 * 1024;

/// Tasks that are given to a worker together, and the lines between them that are no grids.
#[derive(Default)]
pub(super) struct Block {
    pub(super) tasks: Vec<Task>,
    pub(super) refused: Vec<Refused>,
}

/// A line of an input that nothing can be made from.
pub(super) struct Refused {
    pub(super) input: Arc<str>,
    /// Counted from 1.
    pub(super) line: u64,
    pub(super) reason: String,
    /// The reject, if rejects are wanted.
    pub(super) text: Vec<u8>,
}

impl Block {
    fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.refused.is_empty()
    }
}

impl pipeline::Chunk for Block {
    fn size(&self) -> u64 {
        self.tasks.len().max(1) as u64
    }
}

/// All tasks of a run, in order.
pub(super) struct Tasks {
    given: Option<Reader>,
    /// What the next tasks are made from, and how many of them there are.
    start: Option<Solution>,
    left: u64,
    each: u64,
    index: u64,
    /// Those of the shard; whether it is the last.
    pub(super) range: Range<u64>,
    pub(super) is_last: bool,
    /// Refused lines that an earlier run has counted.
    pub(super) refused_before: u64,
    /// Tasks before this one need not be made.
    pub(super) skipped_to: Arc<AtomicU64>,
}

impl Tasks {
    /// `each` of every grid of the inputs, or `each` from random grids if there are no inputs.
    pub(super) fn new(sources: Vec<Source>, each: u64, rejects: bool) -> Self {
        let left = if sources.is_empty() { each } else { 0 };
        let given = (!sources.is_empty()).then(|| Reader::new(sources, rejects));
        let (start, range, skipped_to) = (None, 0..u64::MAX, Arc::default());
        let (index, is_last, refused_before) = (0, true, 0);
        Self { given, start, left, each, index, range, is_last, refused_before, skipped_to }
    }

    /// The number of grids: reads all inputs.
    #[cfg(feature = "cli")]
    pub(super) fn count(mut self) -> Result<u64, Error> {
        self.skipped_to.store(u64::MAX, Ordering::Relaxed);
        let mut block = Block::default();
        while pipeline::Source::fill(&mut self, &mut block, MOST_TASKS)? != Filled::End {}
        Ok(self.index)
    }
}

impl pipeline::Source for Tasks {
    type Chunk = Block;
    type Error = Error;

    fn sizes(&mut self, _: usize) -> RangeInclusive<usize> {
        1..=MOST_TASKS
    }

    fn may_wait(&self) -> bool {
        self.given.as_ref().is_some_and(|reader| reader.inputs.may_wait())
    }

    fn fill(&mut self, block: &mut Block, size: usize) -> Result<Filled, Error> {
        block.tasks.clear();
        block.refused.clear();
        while block.tasks.len() < size && block.refused.len() < MOST_TASKS {
            let skipped = self.skipped_to.load(Ordering::Relaxed).max(self.range.start);
            let skipped = skipped.saturating_sub(self.index).min(self.left);
            self.index += skipped;
            self.left -= skipped;
            if self.index >= self.range.end && !self.is_last {
                (self.left, self.given) = (0, None);
                break;
            }
            if self.left > 0 {
                block.tasks.push(Task { index: self.index, attempt: 0, start: self.start });
                self.index += 1;
                self.left -= 1;
                continue;
            }
            let Some(reader) = &mut self.given else { break };
            let Some(next) = reader.waiting.pop_front() else {
                if !block.is_empty() {
                    // The next line may be long in coming.
                    break;
                }
                if reader.read()? == Filled::End {
                    self.given = None;
                }
                return Ok(Filled::Nothing);
            };
            match next {
                Ok(start) => (self.start, self.left) = (Some(start), self.each),
                // A line goes with the task after it.
                Err(_) if self.index < self.range.start => {}
                Err(_) if self.refused_before > 0 => self.refused_before -= 1,
                Err(refused) => block.refused.push(refused),
            }
        }
        Ok(if block.is_empty() { Filled::End } else { Filled::Chunk })
    }
}

/// Reads the lines of all inputs, in order.
struct Reader {
    inputs: Inputs,
    names: Names,
    piece: Piece,
    puzzles: Puzzles,
    /// Whether the lines themselves are kept.
    rejects: bool,
    /// Lines of the current input that have been read.
    lines: u64,
    /// What can be made from each line that is no comment.
    waiting: VecDeque<Result<Solution, Refused>>,
}

impl Reader {
    fn new(sources: Vec<Source>, rejects: bool) -> Self {
        let names = Names::of(&sources);
        let want = Want { solutions: true, lines: rejects };
        Self {
            inputs: Inputs::new(sources, want),
            names,
            piece: Piece::default(),
            puzzles: Puzzles::keeping(want),
            rejects,
            lines: 0,
            waiting: VecDeque::new(),
        }
    }

    /// Reads the next lines of the current input, or goes on to the next input.
    fn read(&mut self) -> Result<Filled, Error> {
        let Self { inputs, names, piece, puzzles, rejects, lines, waiting } = self;
        let before = piece.input;
        let filled = inputs.fill(piece, CHUNK_BYTES)?;
        if piece.input != before {
            *lines = 0;
        }
        if filled != Filled::Chunk {
            return Ok(filled);
        }
        piece.chunk.load();
        let (input, are_several) = (names.get(piece.input), names.are_several());
        names.read(piece, |chunk| {
            puzzles.read(chunk);
            for RowPlace { line, bytes, number } in puzzles.places() {
                let number = number.map_err(|error| error.to_string());
                let start = number.and_then(|number| start_of(puzzles, number));
                waiting.push_back(start.map_err(|reason| {
                    let line = *lines + line;
                    let text = bytes.filter(|_| *rejects).map(|place| {
                        let name = if are_several { format!("{input}: ") } else { String::new() };
                        let mut text = format!("# {name}line {line}: {reason}\n").into_bytes();
                        text.extend_from_slice(&chunk.layout().as_text(&chunk.bytes()[place]));
                        // A grid with too few rows would take those of the next one.
                        let has_grids = chunk.layout().has_grids();
                        text.extend_from_slice(if has_grids { b"\n\n" } else { b"\n" });
                        text
                    });
                    let (input, text) = (Arc::clone(input), text.unwrap_or_default());
                    Refused { input, line, reason, text }
                }));
            }
            *lines += puzzles.line_count();
        })?;
        Ok(filled)
    }
}

/// What can be made from the solution given with a puzzle, or else from its grid, or why nothing can.
fn start_of(puzzles: &Puzzles, number: usize) -> Result<Solution, String> {
    let Puzzle::Grid(grid) = puzzles.puzzle(number) else {
        return Err("expected 81 cells, found the candidates of a sukaku".to_owned());
    };
    let grid = match puzzles.given_with(number) {
        Given::Cells(solution) => *solution,
        Given::Malformed(error) => return Err(error.to_string()),
        Given::Missing => grid,
    };
    Solution::try_from(grid).map_err(|unsolved| match unsolved {
        WrongAnswer::Blank(cell) => format!("expected a full grid, {cell} is blank"),
        other => other.to_string(),
    })
}
