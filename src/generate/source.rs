//! Tasks in blocks: for random grids, or for the grids and puzzles of inputs.

use super::make::Task;
use super::recipe::Start;
use crate::bulk::{Error, Inputs, Names, Piece};
use crate::input::{Given, Puzzles, Record, Source, Want};
use crate::pipeline::{self, Filled};
use crate::puzzle::{Grid, Puzzle, Solution, Unsolved};
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
    /// The input that was read, and its last line that was read.
    pub(super) read_to: Option<(usize, u64)>,
}

/// A line of an input that nothing can be made from.
#[derive(Clone, Debug)]
pub(super) struct Refused {
    pub(super) input: usize,
    /// Counted from 1.
    pub(super) line: u64,
    pub(super) reason: String,
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

    fn part_ends(&self) -> Vec<usize> {
        (1..=self.tasks.len()).collect()
    }

    fn part(&self, range: Range<usize>) -> Self {
        Self { tasks: self.tasks[range].to_vec(), refused: Vec::new(), read_to: self.read_to }
    }
}

/// All tasks of a run, in order.
pub(super) struct Tasks {
    given: Option<Reader>,
    names: Names,
    /// What the next tasks are made from, and how many of them there are.
    start: Start,
    left: u64,
    each: u64,
    puzzles: bool,
    index: u64,
    /// Tasks before this one need not be made.
    skipped_to: Arc<AtomicU64>,
}

impl Tasks {
    /// `count` puzzles from random grids.
    pub(super) fn random(count: u64) -> Self {
        Self { left: count, ..Self::of(Vec::new(), None, count) }
    }

    /// Several puzzles from each grid of the inputs, or from the solution next to it.
    pub(super) fn of_grids(sources: Vec<Source>, count: u64) -> Self {
        Self::of(sources, Some(Want { solutions: true, ..Want::default() }), count)
    }

    /// `count` copies of each puzzle of the inputs.
    pub(super) fn of_puzzles(sources: Vec<Source>, count: u64) -> Self {
        Self { puzzles: true, ..Self::of(sources, Some(Want::default()), count) }
    }

    fn of(sources: Vec<Source>, want: Option<Want>, each: u64) -> Self {
        let names = Names::of(&sources);
        let given = want.map(|want| Reader::new(sources, names.clone(), want));
        let (start, skipped_to) = (Start::Nothing, Arc::default());
        Self { given, names, start, left: 0, each, puzzles: false, index: 0, skipped_to }
    }

    /// The names of the inputs.
    pub(super) const fn names(&self) -> &Names {
        &self.names
    }

    /// A task, of which those before it need not be made: to be set by the stage.
    pub(super) fn skipped_to(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.skipped_to)
    }

    /// What can be made from a grid, or why nothing can.
    fn start_of(&self, grid: Grid) -> Result<Start, String> {
        if self.puzzles {
            return Ok(Start::Puzzle(grid));
        }
        match Solution::try_from(grid) {
            Ok(solution) => Ok(Start::Grid(solution)),
            Err(Unsolved::Blank(cell)) => {
                let (row, column) = (cell.row() + 1, cell.column() + 1);
                Err(format!("expected a full grid, row {row} column {column} is blank"))
            }
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
            let skipped = self.skipped_to.load(Ordering::Relaxed).saturating_sub(self.index);
            let skipped = skipped.min(self.left);
            self.index += skipped;
            self.left -= skipped;
            if self.left > 0 {
                block.tasks.push(Task { index: self.index, attempt: 0, start: self.start });
                self.index += 1;
                self.left -= 1;
                continue;
            }
            let Some(reader) = &mut self.given else { break };
            block.read_to = Some((reader.piece.input, reader.lines));
            let Some((line, grid)) = reader.waiting.pop_front() else {
                if !block.is_empty() {
                    // The next line may be long in coming.
                    break;
                }
                if reader.read()? == Filled::End {
                    self.given = None;
                }
                return Ok(Filled::Nothing);
            };
            let input = reader.piece.input;
            match grid.and_then(|grid| self.start_of(grid)) {
                Ok(start) => (self.start, self.left) = (start, self.each),
                Err(reason) => block.refused.push(Refused { input, line, reason }),
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
    /// Lines of the current input that have been read.
    lines: u64,
    /// Lines that are no comments: their numbers, and their grid or why there is none.
    waiting: VecDeque<(u64, Result<Grid, String>)>,
}

impl Reader {
    fn new(sources: Vec<Source>, names: Names, want: Want) -> Self {
        Self {
            inputs: Inputs::new(sources),
            names,
            piece: Piece::default(),
            puzzles: Puzzles::keeping(want),
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
            let puzzles = &mut self.puzzles;
            self.names.read(&self.piece, |chunk| puzzles.read(chunk))?;
            self.read_chunk();
        }
        Ok(filled)
    }

    fn read_chunk(&mut self) {
        let before = self.lines;
        for record in self.puzzles.records() {
            self.lines += record.lines();
            match record {
                Record::Puzzles { line, numbers } => {
                    let grids = numbers.map(|number| grid_of(&self.puzzles, number));
                    self.waiting.extend((before + line..).zip(grids));
                }
                Record::Malformed { line, error, .. } => {
                    self.waiting.push_back((before + line, Err(error.to_string())));
                }
                Record::Skipped { .. } => {}
            }
        }
    }
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
