//! Splits the time of a whole run into its stages.
//!
//! ```text
//!   reading ─► splitting, parsing ─► solving ─► formatting ─► writing
//!     fill       Puzzles::read       Engine     Records        Sink
//! ```
//!
//! One thread takes each chunk through all stages and reads the clock between two stages: a few
//! reads for 3,200 puzzles. Splitting and parsing are one step of the program. So the cells of each
//! line are parsed once more alone, and splitting is the difference.

use super::clock::{Clock, SystemClock};
use crate::bulk::{CHUNK_BYTES, answer_grids};
use crate::engine::{Answer, Engine};
use crate::input::{self, ChunkBuffer, Puzzles, Source};
use crate::output::{self, Failure, Records, Sink, Style, Subject};
use crate::puzzle::{Cell, Grid, parse, rules};
use std::fmt;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// A stage of a run.
///
/// ```
/// use crate::bench::Stages;
///
/// let stage = Stages::default().each()[0];
/// assert_eq!((stage.name, stage.nanoseconds), ("reading", 0.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stage {
    /// The name of the stage.
    pub name: &'static str,
    /// Nanoseconds per puzzle.
    pub nanoseconds: f64,
}

/// The time of one or more runs through all stages.
///
/// ```
/// use crate::bench::Stages;
///
/// let stages = Stages::default();
/// let names = stages.each().map(|stage| stage.name);
/// assert_eq!(names[..3], ["reading", "splitting lines", "parsing"]);
/// assert_eq!(names[3..], ["solving", "formatting", "writing"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
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

/// A run through the stages failed.
///
/// ```
/// use crate::bench::{Stages, StagesError};
/// use crate::engine::EngineKind;
/// use crate::input::Source;
/// use crate::output::Sink;
/// use std::io::{Error, Read, Result};
///
/// struct Broken;
///
/// impl Read for Broken {
///     fn read(&mut self, _: &mut [u8]) -> Result<usize> {
///         Err(Error::other("broken"))
///     }
/// }
///
/// let source = Source::from_reader("broken", Broken);
/// let mut sink = Sink::from_writer("nothing", std::io::sink());
/// let failed = Stages::default().run(source, &mut sink, EngineKind::Mrv.build().as_mut(), 1);
/// assert!(matches!(failed, Err(StagesError::Input(_))));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum StagesError {
    /// The input cannot be read.
    Input(input::Error),
    /// The output cannot be written.
    Output(output::Error),
}

impl fmt::Display for StagesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input(_) => "cannot read",
            Self::Output(_) => "cannot write",
        })
    }
}

impl std::error::Error for StagesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            Self::Input(error) => error,
            Self::Output(error) => error,
        })
    }
}

impl Stages {
    /// Takes one input through all stages and adds the times.
    ///
    /// ```
    /// use crate::bench::Stages;
    /// use crate::engine::EngineKind;
    /// use crate::input::Source;
    /// use crate::output::Sink;
    ///
    /// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let source = Source::from_bytes("one", line.into());
    /// let mut sink = Sink::from_writer("nothing", std::io::sink());
    /// let mut stages = Stages::default();
    /// stages.run(source, &mut sink, EngineKind::Mrv.build().as_mut(), 2)?;
    /// assert_eq!(stages.puzzles, 1);
    /// assert!(stages.each().iter().any(|stage| stage.name == "solving"));
    /// # Ok::<(), crate::bench::StagesError>(())
    /// ```
    ///
    /// # Errors
    /// The input cannot be read, or the output cannot be written.
    pub fn run(
        &mut self,
        source: Source,
        sink: &mut Sink,
        engine: &mut dyn Engine,
        limit: usize,
    ) -> Result<(), StagesError> {
        let clock = SystemClock::start();
        let name = Arc::clone(source.name());
        let lost = |cause| StagesError::Input(input::Error { name: Arc::clone(&name), cause });
        let mut chunks = source.into_chunks(CHUNK_BYTES);
        let (mut chunk, mut puzzles) = (ChunkBuffer::new(), Puzzles::new());
        let (mut answers, mut records) = (Vec::new(), Records::new());
        let (mut lines, mut memory) = (Vec::new(), Vec::new());
        loop {
            let start = clock.now();
            if !chunks.fill(&mut chunk).map_err(StagesError::Input)? {
                return Ok(());
            }
            chunk.read(|chunk| touch(chunk.bytes())).map_err(lost)?;
            let read = clock.now();
            chunk.read(|chunk| puzzles.read(chunk)).map_err(lost)?;
            let understood = clock.now();
            answers.clear();
            answers.reserve(puzzles.grids().len());
            let ready = clock.now();
            answer_grids(engine, puzzles.grids(), limit, &mut answers);
            let solved = clock.now();
            format(puzzles.grids(), &answers, limit, &mut records);
            let formatted = clock.now();
            sink.write(records.numbered(0, &mut memory)).map_err(StagesError::Output)?;
            let written = clock.now();

            self.parsing += parse_again(puzzles.grids(), &mut lines, &clock);
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
        all.map(|(name, time)| Stage { name, nanoseconds: each(time) })
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
            Answer { count: 1, first: Some(ref solution), .. } => {
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
