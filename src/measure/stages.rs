//! Where the time of a whole run goes, stage by stage.
//!
//! ```text
//!   reading ─► splitting, parsing ─► solving ─► formatting ─► writing
//!     fill       Puzzles::read       Engine     Records        Sink
//! ```
//!
//! One thread takes a chunk through all stages, as the program does, with a look at the clock
//! between two of them: two looks for 3,200 puzzles. Splitting and parsing are one step in the
//! program: the cells of each line are parsed once more alone, and what is left is splitting.

use super::Clock;
use crate::bulk::CHUNK_BYTES;
use crate::engine::{Answer, Engine};
use crate::input::{self, Chunk, Puzzles, Source};
use crate::output::{self, Failure, Records, Sink, Style, Subject};
use crate::puzzle::{Cell, Grid, parse, rules};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::time::Duration;

/// A stage of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Nanoseconds for each puzzle.
    pub nanoseconds: f64,
}

/// What a run through all stages took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stages {
    /// Puzzles answered.
    pub puzzles: u64,
    /// Bytes read.
    pub bytes: u64,
    reading: Duration,
    understanding: Duration,
    parsing: Duration,
    solving: Duration,
    formatting: Duration,
    writing: Duration,
}

/// Why the stages could not be gone through.
#[derive(Debug)]
pub enum Error {
    /// The input cannot be read.
    Input(input::Error),
    /// The output cannot be written.
    Output(output::Error),
}

impl Stages {
    /// Takes one input through all stages, and adds the times.
    ///
    /// # Errors
    /// An input that cannot be read, an output that cannot be written.
    pub fn run(
        &mut self,
        source: Source,
        sink: &mut Sink,
        engine: &mut dyn Engine,
        limit: usize,
        clock: &dyn Clock,
    ) -> Result<(), Error> {
        let mut chunks = source.into_chunks(CHUNK_BYTES);
        let (mut chunk, mut puzzles) = (Chunk::new(), Puzzles::new());
        let (mut answers, mut records) = (Vec::new(), Records::new());
        let (mut lines, mut memory) = (Vec::new(), Vec::new());
        loop {
            let start = clock.now();
            if !chunks.fill(&mut chunk).map_err(Error::Input)? {
                return Ok(());
            }
            touch(chunk.bytes());
            let read = clock.now();
            puzzles.read(&chunk);
            let understood = clock.now();
            answers.clear();
            answers.reserve(puzzles.grids().len());
            let ready = clock.now();
            engine.solve_batch(puzzles.grids(), limit, &mut answers);
            let solved = clock.now();
            format(puzzles.grids(), &answers, limit, &mut records);
            let formatted = clock.now();
            sink.write(records.numbered(0, &mut memory)).map_err(Error::Output)?;
            let written = clock.now();

            self.parsing += parse_again(puzzles.grids(), &mut lines, clock);
            self.puzzles += answers.len() as u64;
            self.bytes += chunk.input_bytes();
            let between = |from: Duration, to: Duration| to.saturating_sub(from);
            self.reading += between(start, read);
            self.understanding += between(read, understood);
            self.solving += between(ready, solved);
            self.formatting += between(solved, formatted);
            self.writing += between(formatted, written);
        }
    }

    /// The stages in their order.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "puzzles of a run")]
    pub fn each(&self) -> [Stage; 6] {
        let parsing = self.parsing.min(self.understanding);
        let all = [
            ("reading", self.reading),
            ("splitting lines", self.understanding.saturating_sub(parsing)),
            ("parsing", parsing),
            ("solving", self.solving),
            ("formatting", self.formatting),
            ("writing", self.writing),
        ];
        let each = |time: Duration| time.as_secs_f64() * 1e9 / self.puzzles.max(1) as f64;
        all.map(|(name, time)| Stage { name: name.to_owned(), nanoseconds: each(time) })
    }
}

/// Reads a byte of each page: a mapped file is not read before.
fn touch(bytes: &[u8]) {
    /// The smallest page of any system.
    const PAGE: usize = 4096;
    black_box(bytes.iter().step_by(PAGE).fold(0, |sum: u8, &byte| sum.wrapping_add(byte)));
}

/// The time that the cells of these grids take to parse, and nothing else.
fn parse_again(grids: &[Grid], lines: &mut Vec<[u8; Cell::COUNT]>, clock: &dyn Clock) -> Duration {
    lines.clear();
    lines.extend(grids.iter().map(|grid| grid.line(b'.')));
    let start = clock.now();
    for line in lines {
        black_box(parse::cells_to_grid(black_box(line)));
    }
    clock.since(start)
}

/// Makes the records of a chunk. Line numbers are those of the puzzles: what they say does not
/// change the time.
fn format(grids: &[Grid], answers: &[Answer], limit: usize, records: &mut Records) {
    let style = Style::default();
    records.restart(grids.len());
    for (line, (grid, answer)) in (1..).zip(grids.iter().zip(answers)) {
        let failure = match *answer {
            Answer { count: 1, first: Some(ref solution) } => {
                records.push_solution(solution);
                continue;
            }
            Answer { count: 0, .. } if rules::is_legal(grid) => Failure::None,
            Answer { count: 0, .. } => Failure::Conflict(grid),
            Answer { count: found, .. } => Failure::Multiple { found, all: found < limit },
        };
        let subject = Subject {
            input: None,
            line,
            puzzle: &grid.line(style.blank),
            others: &[],
            members: &[],
        };
        records.push_failure(&style, &subject, &failure);
    }
}
