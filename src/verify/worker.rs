//! Judges the puzzles of a chunk and writes their records. The search for duplicates is left to
//! the stage that sees the chunks in order.

use super::found::{Found, MoreWrong, Output, Row};
use super::judge::Judge;
use super::matching::Matched;
use super::options::Verify;
use super::render::{Matches, Recorder};
use super::rows;
use super::source::Job;
use super::tally::Tally;
use crate::Status;
use crate::bank::{Form, Forms, Packed};
use crate::bulk::{Error, Names, SlowPlace};
use crate::engine::{Bounds, Engine};
use crate::input::{Chunk, Columns, Given, Layout, Puzzles, Record, Want};
use crate::output::Records;
use crate::pipeline::Work;
use crate::puzzle::{Grid, Puzzle, Sukaku, WrongAnswer};
use std::time::Instant;

/// Judges chunks.
pub(super) struct Worker {
    verify: Verify,
    names: Names,
    recorder: Recorder,
    judge: Judge,
    puzzles: Puzzles,
    columns: Columns,
    answers: Vec<Option<Grid>>,
    comparing: Comparing,
    /// For the canonical forms.
    forms: Forms,
}

/// In which forms the puzzles are compared, with each other and with a bank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Comparing {
    pub(super) exact: bool,
    pub(super) symmetric: Option<Form>,
}

impl Comparing {
    const fn any(self) -> bool {
        self.exact || self.symmetric.is_some()
    }
}

impl Worker {
    pub(super) fn new(
        verify: &Verify,
        names: &Names,
        recorder: &Recorder,
        comparing: Comparing,
        engine: Box<dyn Engine>,
        bounds: &Bounds,
    ) -> Self {
        let solutions = !recorder.has_other_answers();
        Self {
            verify: verify.clone(),
            names: names.clone(),
            recorder: recorder.clone(),
            judge: Judge::bounded(verify.checks.clone(), engine, verify.simd, bounds),
            puzzles: Puzzles::keeping(Want { solutions, ..Want::default() }),
            columns: Columns::new(),
            answers: Vec::new(),
            comparing,
            forms: Forms::new(comparing.symmetric.unwrap_or(Form::Exact)),
        }
    }

    /// Counts the rows of a chunk in which nothing is wrong, if that is all that is asked and all
    /// rows are such.
    fn rows_at_a_glance(&self, chunk: &Chunk, tally: &mut Tally) -> bool {
        let Some(delimiter) = chunk.layout().pairs() else { return false };
        let other_answers = self.recorder.has_other_answers();
        if other_answers || self.comparing.any() || !self.recorder.tells_faults_alone() {
            return false;
        }
        let range = &self.verify.checks.clues;
        let mut in_range = true;
        let end = rows::right_rows(chunk.bytes(), delimiter, |clues| {
            in_range &= range.contains(&clues);
            tally.clues[clues] += 1;
        });
        if !in_range || end < chunk.bytes().len() {
            *tally = Tally::default();
            return false;
        }
        let rows = tally.clues.iter().sum();
        (tally.lines, tally.puzzles, tally.passed) = (rows, rows, rows);
        (tally.not_solved, tally.right) = (rows, rows);
        true
    }

    /// Judges the puzzles that were read.
    fn judge(&mut self, job: &Job, layout: &Layout, found: &mut Found) {
        let (grids, sukakus) = (self.puzzles.grids(), self.puzzles.sukakus());
        found.grids.extend_from_slice(grids);
        found.grids.extend(sukakus.iter().map(Sukaku::singles));
        found.sukakus.extend_from_slice(sukakus);
        self.find_answers(job, layout, found);
        self.answers.clear();
        self.answers.extend(found.given.iter().map(|given| match given {
            Given::Cells(grid) => Some(*grid),
            Given::Missing | Given::Malformed(_) => None,
        }));
        let (answers, others) = self.answers.split_at(grids.len().min(self.answers.len()));
        self.judge.judge(grids, answers, &mut found.judged);
        self.judge.judge_sukakus(&found.sukakus, others, &mut found.judged);
        if self.verify.show_two {
            for (index, verdict) in found.judged.iter().enumerate() {
                if verdict.status == Some(Status::Multiple) {
                    let puzzle = match grids.get(index) {
                        Some(grid) => grid.into(),
                        None => found.sukakus[index - grids.len()],
                    };
                    found.pairs.push((index, self.judge.two_solutions(&puzzle)));
                }
            }
        }
        if self.comparing.exact {
            found.exact.extend(grids.iter().map(|grid| Packed::from(grid).key()));
            found.exact.extend(sukakus.iter().map(|sukaku| Packed::from(sukaku).key()));
        }
        if self.comparing.symmetric.is_some() {
            let mut solutions = self.judge.solutions().peekable();
            for (index, grid) in grids.iter().enumerate() {
                let solution = solutions.next_if(|(place, _)| *place == index);
                let form = self.forms.grid(grid, solution.map(|(_, solution)| solution));
                found.symmetric.push(form.key());
            }
            for (index, sukaku) in found.sukakus.iter().enumerate() {
                let form = self.forms.sukaku(sukaku, self.judge.solution_of_sukaku(index));
                found.symmetric.push(form.key());
            }
        }
    }

    /// Finds the answer that is given with each puzzle.
    fn find_answers(&self, job: &Job, layout: &Layout, found: &mut Found) {
        if self.recorder.has_other_answers() {
            found.expects_answers = true;
            found.given.resize(found.grids.len(), Given::Missing);
            found.answer_lines.resize(found.grids.len(), None);
            let mut answers = job.answers.iter().peekable();
            let mut place = 0;
            for record in self.puzzles.records() {
                let numbers = match record {
                    Record::Puzzles { numbers, .. } => numbers.map(Some).collect(),
                    // A malformed puzzle may have an answer, too.
                    Record::Malformed { .. } => vec![None],
                    Record::Skipped { .. } => continue,
                };
                for index in numbers {
                    while let Some(answer) = answers.next_if(|answer| answer.record == place) {
                        if let Some(index) = index {
                            let puzzle = || self.puzzles.puzzle(index);
                            add_answer(found, index, answer, puzzle);
                        }
                    }
                    place += 1;
                }
            }
            found.more_wrong.sort_by_key(|wrong| wrong.index);
            return;
        }
        found.expects_answers = layout.has_solutions();
        let given = (0..self.puzzles.count()).map(|index| self.puzzles.given_with(index));
        // A single row may have an answer though the layout has no column for them.
        if found.expects_answers || given.clone().any(|given| *given != Given::Missing) {
            found.given.extend(given);
        }
    }

    /// Judges the lines of a chunk and writes their records.
    fn run_on(&mut self, job: &Job, chunk: &Chunk, output: &mut Output) {
        let started = Instant::now();
        let glance = self.verify.checks.trust_unique;
        if !glance || !self.rows_at_a_glance(chunk, &mut output.tally) {
            self.puzzles.read(chunk);
            self.judge(job, chunk.layout(), &mut output.found);
            let batches = [0, self.puzzles.grids().len()].into_iter().zip(self.judge.slowest());
            output.slowest = SlowPlace::find(&self.puzzles, batches);
            output.solve_time = started.elapsed();
            self.record(job, chunk, output);
        } else {
            output.solve_time = started.elapsed();
        }
        output.tally.bytes = chunk.input_bytes();
    }

    /// Writes the records of all lines in their order, and counts them.
    fn record(&mut self, job: &Job, chunk: &Chunk, output: &mut Output) {
        let Self { recorder, puzzles, columns, comparing, .. } = self;
        let Output { records, tally, found, contradiction, .. } = output;
        let input = job.piece.input;
        if comparing.any() {
            found.lines.resize(puzzles.count(), 0);
        }
        tally.comments += puzzles.comments();
        for record in puzzles.records() {
            tally.lines += record.lines();
            match record {
                Record::Puzzles { line, numbers } => {
                    for (line, index) in (line..).zip(numbers) {
                        let start = records.len();
                        if contradiction.is_none() && changes_clue(found, index) {
                            let answer_line = found.answer_lines[index];
                            *contradiction = answer_line.map(|answer| (line, answer));
                        }
                        record_puzzle(recorder, input, line, index, found, tally, records);
                        if comparing.any() {
                            found.lines[index] = line;
                            found.rows.push(Row { line, index, start, end: records.len() });
                        }
                    }
                }
                Record::Malformed { line, bytes, error } => {
                    tally.puzzles += 1;
                    tally.statuses[Status::Malformed] += 1;
                    tally.reasons[error.reason() as usize] += 1;
                    recorder.malformed(input, line, error, (chunk, bytes), columns, records);
                }
                Record::Skipped { .. } => {}
            }
        }
    }
}

/// Adds an answer of another file to a puzzle, which may have one already.
fn add_answer(found: &mut Found, index: usize, answer: &Matched, puzzle: impl Fn() -> Puzzle) {
    let &Matched { line, given, .. } = answer;
    let before = found.answer_lines[index].filter(|_| found.given[index] != Given::Missing);
    let Some(before) = before else {
        (found.given[index], found.answer_lines[index]) = (given, Some(line));
        return;
    };
    let why = |given: &Given| match given {
        Given::Cells(grid) => puzzle().check_answer(grid).err(),
        Given::Missing | Given::Malformed(_) => None,
    };
    let is_wrong = |given: &Given| matches!(given, Given::Malformed(_)) || why(given).is_some();
    if !is_wrong(&given) {
        return;
    }
    // The one that is given with the puzzle is wrong if any is.
    if is_wrong(&found.given[index]) {
        debug_assert!(before <= line, "answers come in the order of their lines");
        found.more_wrong.push(MoreWrong { index, line, given, wrong: why(&given) });
    } else {
        (found.given[index], found.answer_lines[index]) = (given, Some(line));
    }
}

/// Whether the answer of a puzzle, from another file, contradicts one of its clues.
fn changes_clue(found: &Found, index: usize) -> bool {
    use WrongAnswer::{ChangedClue, NoCandidate};
    let answer = found.judged[index].answer;
    found.answer_lines.get(index).is_some_and(Option::is_some)
        && matches!(answer, Some(Err(ChangedClue { .. } | NoCandidate { .. })))
}

/// Counts a puzzle, and writes its records, if it has any.
fn record_puzzle(
    recorder: &Recorder,
    input: usize,
    line: u64,
    index: usize,
    found: &Found,
    tally: &mut Tally,
    records: &mut Records,
) {
    let fine = found.is_fine(index);
    tally.add(&found.judged[index]);
    tally.unanswered += u64::from(found.lacks_answer(index));
    tally.wrong += u64::from(matches!(found.given(index), Given::Malformed(_)));
    tally.sukakus += u64::from(found.sukaku(index).is_some());
    tally.passed += u64::from(fine);
    if !fine || !recorder.tells_faults_alone() {
        recorder.puzzle(input, line, found, index, Matches::default(), records);
    }
}

impl Work for Worker {
    type Chunk = Job;
    type Output = Output;
    type Error = Error;

    fn run(&mut self, job: &Job, output: &mut Output) -> Result<(), Error> {
        output.records.restart(0);
        output.tally = Tally::default();
        output.found.clear();
        output.contradiction = None;
        output.slowest = None;
        let names = self.names.clone();
        names.read(&job.piece, |chunk| self.run_on(job, chunk, output))
    }
}
