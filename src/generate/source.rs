//! Tasks in blocks: for random grids, or for the grids of inputs.

use super::{Start, Task};
use crate::input::{Chunk, Given, Puzzles, Row, Source, Want};
use crate::pipeline::{self, Filled, Source as _};
use crate::puzzle::{Grid, Puzzle, Solution, Unsolved};
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

/// What puzzles are made from.
pub enum Origin {
    /// Random full grids, one for each puzzle.
    Random,
    /// Full grids from these inputs, or the solutions next to them.
    Grids(Vec<Source>),
}

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

    /// Whether it has as much as a worker should get.
    fn is_full(&self, size: usize) -> bool {
        self.tasks.len() >= size || self.refused.len() >= MOST_TASKS
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
    start: Start,
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
    /// `each` puzzles from random grids, or `each` of every grid of the inputs.
    pub(super) fn new(origin: Origin, each: u64, rejects: bool) -> Self {
        let (left, given) = match origin {
            Origin::Random => (each, None),
            Origin::Grids(sources) => (0, Some(Reader::new(sources, rejects))),
        };
        let (start, range, skipped_to) = (Start::Nothing, 0..u64::MAX, Arc::default());
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

    /// What can be made from a grid, or why nothing can.
    fn start_of(grid: Grid) -> Result<Start, String> {
        match Solution::try_from(grid) {
            Ok(solution) => Ok(Start::Grid(solution)),
            Err(Unsolved::Blank(cell)) => Err(format!("expected a full grid, {cell} is blank")),
            Err(other) => Err(other.to_string()),
        }
    }
}

impl pipeline::Source for Tasks {
    type Chunk = Block;
    type Error = Error;

    fn sizes(&self) -> RangeInclusive<usize> {
        1..=MOST_TASKS
    }

    fn fill(&mut self, block: &mut Block, size: usize) -> Result<Filled, Error> {
        block.tasks.clear();
        block.refused.clear();
        while !block.is_full(size) {
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
            let Some(Waiting { line, grid, text }) = reader.waiting.pop_front() else {
                if !block.is_empty() {
                    // The next line may be long in coming.
                    break;
                }
                if reader.read()? == Filled::End {
                    self.given = None;
                }
                return Ok(Filled::Nothing);
            };
            let input = Arc::clone(reader.names.get(reader.piece.input));
            let are_several = reader.names.are_several();
            match grid.and_then(Self::start_of) {
                Ok(start) => (self.start, self.left) = (start, self.each),
                // A line goes with the task after it.
                Err(_) if self.index < self.range.start => {}
                Err(_) if self.refused_before > 0 => self.refused_before -= 1,
                Err(reason) => {
                    let name = if are_several { format!("{input}: ") } else { String::new() };
                    let text = text.map_or_else(Vec::new, |text| {
                        let comment = format!("# {name}line {line}: {reason}\n");
                        [comment.as_bytes(), &text].concat()
                    });
                    block.refused.push(Refused { input, line, reason, text });
                }
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
    /// Lines that are no comments.
    waiting: VecDeque<Waiting>,
}

/// A line, and its grid or why there is none.
struct Waiting {
    line: u64,
    grid: Result<Grid, String>,
    /// As it is in a list of rejects, if there is one.
    text: Option<Vec<u8>>,
}

impl Reader {
    fn new(sources: Vec<Source>, rejects: bool) -> Self {
        let names = Names::of(&sources);
        let want = Want { solutions: true, lines: rejects, ..Want::default() };
        Self {
            inputs: Inputs::new(sources),
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
        let input = self.piece.input;
        let filled = self.inputs.fill(&mut self.piece, CHUNK_BYTES)?;
        if self.piece.input != input {
            self.lines = 0;
        }
        if filled == Filled::Chunk {
            let Self { puzzles, rejects, lines, waiting, .. } = self;
            self.names.read(&self.piece, |chunk| {
                puzzles.read(chunk);
                read_chunk(chunk, puzzles, *rejects, lines, waiting);
            })?;
        }
        Ok(filled)
    }
}

fn read_chunk(
    chunk: &Chunk<'_>,
    puzzles: &Puzzles,
    rejects: bool,
    lines: &mut u64,
    waiting: &mut VecDeque<Waiting>,
) {
    let before = *lines;
    let text = |place: Range<usize>| {
        let mut text = chunk.layout().as_text(&chunk.bytes()[place]).into_owned();
        // A grid with too few rows would take those of the next one.
        text.extend_from_slice(if chunk.layout().has_grids() { b"\n\n" } else { b"\n" });
        text
    };
    for (Row { line, bytes, .. }, number) in puzzles.rows() {
        let number = number.map_err(|error| error.to_string());
        let (line, grid) = (before + line, number.and_then(|number| grid_of(puzzles, number)));
        let text = bytes.filter(|_| rejects).map(text);
        waiting.push_back(Waiting { line, grid, text });
    }
    *lines += puzzles.line_count();
}

/// The solution given with a puzzle, or else its grid.
fn grid_of(puzzles: &Puzzles, number: usize) -> Result<Grid, String> {
    let Puzzle::Grid(grid) = puzzles.puzzle(number) else {
        return Err("expected 81 cells, found the candidates of a sukaku".to_owned());
    };
    match puzzles.given_with(number) {
        Given::Cells(solution) => Ok(*solution),
        Given::Malformed(error) => Err(error.to_string()),
        Given::Missing => Ok(grid),
    }
}
