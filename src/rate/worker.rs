//! Rates the puzzles of a chunk.

use super::options::Question;
use super::stats::Stats;
use crate::Status;
use crate::bulk::{
    At, From, Output, RecordWriter, Recorder, SlowPlace, answer_all, measure_fields,
};
use crate::difficulty::{Gauge, Measured};
use crate::engine::lanes::SimdLevel;
use crate::engine::{Answer, Bounds, Engine};
use crate::input::{Chunk, Puzzles, Record, Want};
use crate::output::{Failure, Field, Format, Style, Subject};
use crate::puzzle::parse::PENCILMARKS;
use crate::puzzle::{Grid, Puzzle, rules};
use std::fmt;
use std::time::Instant;

/// An engine and a gauge, with memory for chunks of puzzles.
///
/// ```
/// use ninefold::bulk::Output;
/// use ninefold::engine::EngineKind;
/// use ninefold::engine::lanes::SimdLevel;
/// use ninefold::input::{ChunkBuffer, Layout, Source};
/// use ninefold::rate::{Question, Worker};
///
/// let engine = EngineKind::default().build();
/// let mut worker = Worker::new(engine, SimdLevel::best(), Question::default());
/// let (mut chunk, mut output) = (ChunkBuffer::new(), Output::default());
/// let puzzles = Source::from_bytes("puzzles", b"12\n".to_vec());
/// puzzles.with_layout(Layout::plain()).into_chunks(1000).fill(&mut chunk)?;
/// chunk.read(|chunk| worker.run(chunk, None, &mut output))?;
/// let records = output.records.numbered(0, &mut Vec::new()).to_vec();
/// assert_eq!(records, b"1,malformed,,,,,,,,12\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Worker {
    engine: Box<dyn Engine>,
    gauge: Gauge,
    question: Question,
    writer: RecordWriter,
    puzzles: Puzzles,
    answers: Vec<Answer>,
    /// The grids with one solution, and what was measured of them.
    unique: Vec<Grid>,
    measured: Vec<Measured>,
}

impl Worker {
    /// A worker that measures this with the vectors of a level.
    #[must_use]
    pub fn new(engine: Box<dyn Engine>, level: SimdLevel, question: Question) -> Self {
        Self::bounded(engine, level, question, Bounds::default())
    }

    /// The same, with bounds for the searches of efforts. The engine has its own.
    pub(super) fn bounded(
        engine: Box<dyn Engine>,
        level: SimdLevel,
        question: Question,
        bounds: Bounds,
    ) -> Self {
        let whole = question.style.other_columns.is_some();
        let want = Want { lines: question.rejects || whole, solutions: false, whole };
        let (shuffles, seed) = (question.shuffles.get(), question.seed);
        Self {
            engine,
            gauge: Gauge::new(question.measures, level, shuffles, seed).bounded(bounds),
            writer: RecordWriter::new(&question.style, question.rejects),
            question,
            puzzles: Puzzles::keeping(want),
            answers: Vec::new(),
            unique: Vec::new(),
            measured: Vec::new(),
        }
    }

    /// Finds the puzzles with one solution, and measures them. Returns the line whose search for
    /// solutions took longest.
    fn measure(&mut self) -> Option<SlowPlace> {
        let slowest = answer_all(self.engine.as_mut(), &self.puzzles, 2, &mut self.answers);
        self.unique.clear();
        let with_answers = self.puzzles.grids().iter().zip(&self.answers);
        self.unique.extend(with_answers.filter(|(_, it)| is_unique(it)).map(|(grid, _)| grid));
        self.measured.clear();
        self.gauge.measure(&self.unique, &mut self.measured);
        slowest
    }

    /// Rates every puzzle of a chunk, and replaces the output. Records name the input if it has a
    /// name here. What comes of a chunk depends on that chunk alone.
    ///
    /// # Panics
    /// If the engine does not give one answer for each puzzle.
    pub fn run(&mut self, chunk: &Chunk, input: Option<&str>, output: &mut Output<Stats>) {
        self.puzzles.read(chunk);
        let started = Instant::now();
        output.slowest = self.measure();
        output.solve_time = started.elapsed();

        output.records.restart(0);
        output.rejects.restart(0);
        let comments = self.puzzles.comments();
        output.stats = Stats { bytes: chunk.input_bytes(), comments, ..Stats::default() };
        // An engine without a bound gives up nothing.
        let branches = self.engine.max_branches().unwrap_or(u32::MAX);
        let Self { question, writer, puzzles, answers, measured, .. } = self;
        let mut measured = measured.iter();
        let from = From { chunk, input };
        for record in puzzles.records() {
            output.stats.lines += record.lines();
            match record {
                Record::Puzzles { line, numbers } => {
                    for (line, index) in (line..).zip(numbers) {
                        let at = At { from, line, place: puzzles.bytes_of(index) };
                        let puzzle = puzzles.puzzle(index);
                        let found = Found::of(&puzzle, &answers[index], branches, &mut measured);
                        write(question, writer, &at, &puzzle, &found, output);
                    }
                }
                Record::Malformed { line, bytes, error } => {
                    output.stats.puzzles += 1;
                    output.stats.statuses[Status::Malformed] += 1;
                    let at = At { from, line, place: Some(bytes) };
                    writer.with_malformed_text(&at, |writer, text| {
                        let failure = Failure::Malformed(error);
                        write_failure(question, writer, &at, text, &failure, output);
                    });
                }
                Record::Skipped { .. } => {}
            }
        }
    }
}

impl Recorder for Worker {
    type Counts = Stats;

    fn run(&mut self, chunk: &Chunk, input: Option<&str>, output: &mut Output<Stats>) {
        self.run(chunk, input, output);
    }
}

/// Whether a search for two solutions found that there is just one.
const fn is_unique(answer: &Answer) -> bool {
    answer.count == 1 && !answer.gave_up
}

/// What was found out about a puzzle.
enum Found {
    /// It has one solution, and these measures.
    Unique(Measured),
    /// It has none or several.
    Multiple,
    None,
    /// A digit is twice in a house of these clues.
    Conflict(Grid),
    /// A search took more branches than this; until then so many solutions were found.
    Unknown(u32, usize),
}

impl Found {
    /// `measured` gives the measures of the grids with one solution.
    fn of<'a>(
        puzzle: &Puzzle,
        answer: &Answer,
        branches: u32,
        measured: &mut impl Iterator<Item = &'a Measured>,
    ) -> Self {
        if answer.gave_up {
            return Self::Unknown(branches, answer.count);
        }
        match (answer.count, puzzle) {
            (1, Puzzle::Grid(_)) => match measured.next().expect("each is measured") {
                // A search for its effort.
                measured if measured.gave_up => Self::Unknown(branches, 1),
                measured => Self::Unique(*measured),
            },
            (1, Puzzle::Sukaku(_)) => Self::Unique(Measured::default()),
            (0, _) => {
                let singles = puzzle.clues();
                if rules::is_legal(&singles) { Self::None } else { Self::Conflict(singles) }
            }
            _ => Self::Multiple,
        }
    }
}

/// Counts a puzzle and writes its record.
fn write(
    question: &Question,
    writer: &mut RecordWriter,
    at: &At,
    puzzle: &Puzzle,
    found: &Found,
    output: &mut Output<Stats>,
) {
    let memory = &mut [0; PENCILMARKS];
    let text = puzzle.line(question.style.blank, memory);
    let failure = match found {
        Found::Unique(measured) => {
            output.stats.puzzles += 1;
            output.stats.statuses[Status::Unique] += 1;
            output.stats.add(measured);
            if question.select.contains(Status::Unique) {
                writer.about(at, text, |style, subject| {
                    push_measured(style, subject, puzzle, measured, output);
                });
            }
            return;
        }
        Found::Multiple => Failure::Multiple { found: 2, all: false },
        Found::None => Failure::None,
        Found::Conflict(singles) => Failure::Conflict(singles),
        &Found::Unknown(branches, found) => Failure::Unknown { branches, found },
    };
    output.stats.puzzles += 1;
    output.stats.statuses[failure.status()] += 1;
    write_failure(question, writer, at, text, &failure, output);
}

/// The record of a puzzle that is measured.
fn push_measured(
    style: &Style,
    subject: &Subject<'_>,
    puzzle: &Puzzle,
    measured: &Measured,
    output: &mut Output<Stats>,
) {
    let fields = measure_fields(measured);
    let records = &mut output.records;
    match style.format {
        Format::Csv | Format::Jsonl => {
            push_row(style, subject, Status::Unique, &fields, None, output);
        }
        _ if matches!(puzzle, Puzzle::Sukaku(_)) => {
            records.push_comment(subject, &"unique, but sukakus are not rated");
        }
        format => {
            let bytes = records.bytes_mut();
            if format == Format::Pair {
                bytes.extend_from_slice(subject.puzzle);
                bytes.push(b',');
            }
            for (place, field) in fields.iter().enumerate() {
                bytes.extend_from_slice(if place == 0 { b"" } else { b"," });
                field.push_csv(bytes);
            }
            bytes.push(b'\n');
        }
    }
}

/// A row of a table, or an object.
fn push_row(
    style: &Style,
    subject: &Subject<'_>,
    status: Status,
    measures: &[Field<'_>],
    reason: Option<&dyn fmt::Display>,
    output: &mut Output<Stats>,
) {
    let mut fields = [Field::Empty; super::options::COLUMNS.len() - 1];
    fields[0] = Field::Plain(status.name().as_bytes());
    fields[1..=measures.len()].copy_from_slice(measures);
    let is_text = status == Status::Malformed;
    let puzzle = subject.puzzle;
    fields[measures.len() + 1] = if is_text { Field::Text(puzzle) } else { Field::Plain(puzzle) };
    output.records.push_row(style, subject, &fields, reason);
}

/// The record of a puzzle that is not measured, and the reject.
fn write_failure(
    question: &Question,
    writer: &mut RecordWriter,
    at: &At,
    text: &[u8],
    failure: &Failure,
    output: &mut Output<Stats>,
) {
    let status = failure.status();
    if question.select.contains(status) {
        writer.about(at, text, |style, subject| match style.format {
            Format::Csv | Format::Jsonl => {
                let none = measure_fields(&Measured::default());
                push_row(style, subject, status, &none, Some(failure), output);
            }
            _ => output.records.push_comment(subject, failure),
        });
    }
    writer.reject(at, failure, &mut output.rejects);
}
