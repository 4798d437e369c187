//! Makes the forms of the puzzles of a chunk.

use super::outcome::{FormKind, Outcome};
use super::stats::Stats;
use crate::bulk::{At, From, Output, RecordWriter, Recorder, SlowPlace, answer_all};
use crate::engine::{Answer, Engine};
use crate::input::{Chunk, Malformed, Puzzles, Record, Want};
use crate::names::NameSet;
use crate::output::{Failure, Field, Format, Records, Style, Subject};
use crate::puzzle::parse::PENCILMARKS;
use crate::puzzle::{Puzzle, rules};
use crate::symmetry::{Canon, Isomorphism};
use std::fmt;
use std::io::Write;
use std::time::Instant;

/// A form, and how it comes about.
struct Form {
    puzzle: Puzzle,
    map: Isomorphism,
    automorphisms: u32,
}

/// Makes forms; has an engine and memory for chunks of puzzles.
///
/// ```
/// use ninefold::bulk::{Output, Recorder};
/// use ninefold::canon::{Canonize, FormKind, Worker};
/// use ninefold::engine::EngineKind;
/// use ninefold::input::{ChunkBuffer, Layout, Source};
/// use ninefold::names::NameSet;
///
/// let engine = EngineKind::default().build();
/// let style = Canonize::default().style;
/// let mut worker = Worker::new(FormKind::Minlex, engine, &style, NameSet::ALL, false);
/// let (mut chunk, mut output) = (ChunkBuffer::new(), Output::default());
/// let source = Source::from_bytes("puzzles", format!("1{}", ".".repeat(80)).into());
/// source.with_layout(Layout::plain()).into_chunks(1000).fill(&mut chunk)?;
/// chunk.read(|chunk| worker.run(chunk, None, &mut output))?;
/// let records = output.records.numbered(0, &mut Vec::new()).to_vec();
/// assert_eq!(records, format!("{}1\n", ".".repeat(80)).as_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Worker {
    form: FormKind,
    engine: Box<dyn Engine>,
    canon: Canon,
    select: NameSet<Outcome>,
    writer: RecordWriter,
    puzzles: Puzzles,
    answers: Vec<Answer>,
    /// The form of each puzzle, if it has one.
    forms: Vec<Option<Form>>,
}

impl Worker {
    /// A worker that makes forms of this kind, and writes records with these outcomes.
    #[must_use]
    pub fn new(
        form: FormKind,
        engine: Box<dyn Engine>,
        style: &Style,
        select: NameSet<Outcome>,
        rejects: bool,
    ) -> Self {
        let whole = style.other_columns.is_some();
        let lines = rejects || whole;
        Self {
            form,
            engine,
            canon: Canon::new(),
            select,
            writer: RecordWriter::new(style, rejects),
            puzzles: Puzzles::keeping(Want { lines, solutions: false, whole }),
            answers: Vec::new(),
            forms: Vec::new(),
        }
    }

    /// Makes the forms of all puzzles that were read: first of the grids, then of the sukakus. Returns the
    /// line that took longest to solve.
    fn find_forms(&mut self) -> Option<SlowPlace> {
        let Self { form, engine, canon, puzzles, answers, forms, .. } = self;
        let (grids, sukakus) = (puzzles.grids(), puzzles.sukakus());
        forms.clear();
        if *form == FormKind::Minlex {
            forms.extend(grids.iter().map(|grid| {
                let form = canon.minlex(grid);
                let (map, automorphisms) = (form.map, form.automorphisms);
                Some(Form { puzzle: Puzzle::Grid(form.grid), map, automorphisms })
            }));
            forms.extend(sukakus.iter().map(|_| None));
            return None;
        }
        let slowest = answer_all(engine.as_mut(), puzzles, 2, answers);
        forms.extend(answers.iter().enumerate().map(|(index, answer)| {
            let solution =
                answer.first.as_ref().filter(|_| answer.count == 1 && !answer.gave_up)?;
            let (puzzle, map, automorphisms) = match index.checked_sub(grids.len()) {
                None => {
                    let form = canon.solution_minlex(&grids[index], solution);
                    (Puzzle::Grid(form.grid), form.map, form.automorphisms)
                }
                Some(index) => {
                    let form = canon.solution_minlex_of_sukaku(&sukakus[index], solution);
                    (Puzzle::Sukaku(form.sukaku), form.map, form.automorphisms)
                }
            };
            Some(Form { puzzle, map, automorphisms })
        }));
        slowest
    }
}

impl Recorder for Worker {
    type Counts = Stats;

    fn run(&mut self, chunk: &Chunk, input: Option<&str>, output: &mut Output<Stats>) {
        self.puzzles.read(chunk);
        let started = Instant::now();
        output.slowest = self.find_forms();
        output.solve_time = started.elapsed();

        output.records.restart(self.puzzles.count());
        output.rejects.restart(0);
        output.stats = Stats::default();
        output.stats.bytes = chunk.input_bytes();
        output.stats.comments = self.puzzles.comments();
        let from = From { chunk, input };
        // An engine without a bound gives up nothing.
        let branches = self.engine.max_branches().unwrap_or(u32::MAX);
        let Self { puzzles, forms, answers, select, writer, .. } = self;
        let mut record = Recording { select: *select, branches, writer, output };
        for one in puzzles.records() {
            record.output.stats.lines += one.lines();
            match one {
                Record::Puzzles { line, numbers } => {
                    for (line, index) in (line..).zip(numbers) {
                        let at = At { from, line, place: puzzles.bytes_of(index) };
                        let puzzle = puzzles.puzzle(index);
                        match &forms[index] {
                            Some(form) => record.form(&at, &puzzle, form),
                            None => record.none(&at, &puzzle, answers.get(index)),
                        }
                    }
                }
                Record::Malformed { line, bytes, error } => {
                    record.malformed(&At { from, line, place: Some(bytes) }, error);
                }
                Record::Skipped { .. } => {}
            }
        }
    }
}

/// Makes the records of one chunk.
struct Recording<'a> {
    select: NameSet<Outcome>,
    /// The most branches of a puzzle.
    branches: u32,
    writer: &'a mut RecordWriter,
    output: &'a mut Output<Stats>,
}

impl Recording<'_> {
    fn form(&mut self, at: &At, puzzle: &Puzzle, form: &Form) {
        let Output { records, stats, .. } = &mut *self.output;
        stats.add(Outcome::Canonical);
        stats.automorphic += u64::from(form.automorphisms > 1);
        if !self.select.contains(Outcome::Canonical) {
            return;
        }
        let blank = self.writer.style.blank;
        let (own, other) = (&mut [0; PENCILMARKS], &mut [0; PENCILMARKS]);
        let image = form.puzzle.line(blank, other);
        if self.writer.style.format == Format::Line {
            return records.push_raw(image);
        }
        self.writer.about(at, puzzle.line(blank, own), |style, subject| {
            if style.format == Format::Grid {
                return records.push_grid(style, image);
            }
            if style.format == Format::Pair {
                records.bytes_mut().extend_from_slice(subject.puzzle);
                records.bytes_mut().push(b',');
                return records.push_raw(image);
            }
            push_row(records, style, subject, Outcome::Canonical, Some((image, form)), None);
        });
    }

    /// A puzzle without a form. Sukakus have no answer if the form does not need one.
    fn none(&mut self, at: &At, puzzle: &Puzzle, answer: Option<&Answer>) {
        let text = &mut [0; PENCILMARKS];
        let text = puzzle.line(self.writer.style.blank, text);
        let Some(answer) = answer else {
            let reason = "a sukaku has no minlex form (use --form solution)";
            return self.without_form(at, text, Outcome::Sukaku, &reason);
        };
        let singles = puzzle.clues();
        if answer.gave_up {
            let failure = Failure::Unknown { branches: self.branches, found: answer.count };
            self.without_form(at, text, Outcome::Unknown, &failure);
        } else if answer.count > 1 {
            let failure = Failure::Multiple { found: answer.count, all: false };
            self.without_form(at, text, Outcome::Multiple, &failure);
        } else if rules::is_legal(&singles) {
            self.without_form(at, text, Outcome::None, &Failure::None);
        } else {
            self.without_form(at, text, Outcome::Conflict, &Failure::Conflict(&singles));
        }
    }

    fn malformed(&mut self, at: &At, error: &Malformed) {
        let Self { select, branches, writer, output } = self;
        writer.with_malformed_text(at, |writer, text| {
            let mut record = Recording { select: *select, branches: *branches, writer, output };
            record.without_form(at, text, Outcome::Malformed, error);
        });
    }

    fn without_form(&mut self, at: &At, text: &[u8], outcome: Outcome, reason: &dyn fmt::Display) {
        let Output { records, rejects, stats, .. } = &mut *self.output;
        stats.add(outcome);
        if self.select.contains(outcome) {
            self.writer.about(at, text, |style, subject| match style.format {
                Format::Line | Format::Pair | Format::Grid => records.push_comment(subject, reason),
                Format::Csv | Format::Jsonl => {
                    push_row(records, style, subject, outcome, None, Some(reason));
                }
            });
        }
        self.writer.reject(at, reason, rejects);
    }
}

/// A row of a table, or an object.
fn push_row(
    records: &mut Records,
    style: &Style,
    subject: &Subject,
    outcome: Outcome,
    form: Option<(&[u8], &Form)>,
    reason: Option<&dyn fmt::Display>,
) {
    let is_text = outcome == Outcome::Malformed;
    let mut map = [0; 35];
    if let Some((_, form)) = form {
        write!(&mut map[..], "{}", form.map).expect("the text form has 35 bytes");
    }
    let of_form = |field| if form.is_some() { field } else { Field::Empty };
    let automorphisms = form.map_or(0, |(_, form)| form.automorphisms);
    let fields = [
        Field::Plain(outcome.name().as_bytes()),
        if is_text { Field::Text(subject.puzzle) } else { Field::Plain(subject.puzzle) },
        of_form(Field::Plain(form.map_or(&[], |(image, _)| image))),
        of_form(Field::Number(automorphisms.into())),
        of_form(Field::Plain(&map)),
    ];
    records.push_row(style, subject, &fields[..style.columns.len() - 1], reason);
}
