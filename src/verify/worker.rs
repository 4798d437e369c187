//! Judges the puzzles of a chunk and writes their records. Duplicates are left to the step in input order.

use super::judge::{Judge, Judged};
use super::matching::Matched;
use super::record::Matches;
use super::source::Job;
use super::tally::{self, Tally};
use super::{Task, rows};
use crate::Status;
use crate::bank::{Form, Forms, Key, Packed, Same};
use crate::input::{Chunk, Given, Malformed, Record};
use crate::output::Format;
use crate::puzzle::{Grid, Puzzle, Solution, Sukaku, WrongAnswer};
use crate::run::{Batch, Output, Row, Rows, SlowPlace, Worker};
use std::mem;
use std::ops::Range;
use std::sync::Arc;

/// What the step in input order needs of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(super) found: Arc<Found>,
    /// The keys of the puzzles themselves, and of their canonical forms, if they are compared.
    exact: Vec<Key>,
    symmetric: Vec<Key>,
    /// The line of each puzzle, counted from 1 at the start of the chunk, if they are compared.
    pub(super) lines: Vec<u64>,
    /// The puzzles in the order of their lines, if they are compared.
    pub(super) placed: Vec<Placed>,
    /// The first answer of another file that contradicts a clue: the line of the puzzle, counted from 1
    /// at the start of the chunk, and the line of the answer.
    pub(super) contradiction: Option<(u64, u64)>,
}

/// A puzzle that may be found to be a duplicate, or in a bank.
#[derive(Debug)]
pub(super) struct Placed {
    /// The line, counted from 1 at the start of the chunk.
    pub(super) line: u64,
    /// Which of the puzzles it is.
    pub(super) number: usize,
    /// Its bytes in the chunk, its records and its rejects.
    pub(super) place: Option<Range<usize>>,
    pub(super) records: Range<usize>,
    pub(super) rejects: Range<usize>,
}

impl Kept {
    /// The keys for a comparison.
    pub(super) fn keys(&self, same: Same) -> &[Key] {
        match same {
            Same::Exact => &self.exact,
            Same::Isomorphic => &self.symmetric,
        }
    }
}

/// What was found of the puzzles of a chunk: first all grids, then all sukakus.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) judged: Vec<Judged>,
    /// Whether each puzzle should have an answer.
    expects_answers: bool,
    /// The answers given with the puzzles; empty if there are none.
    given: Vec<Given>,
    /// The lines of these answers, if they come from another file.
    pub(super) answer_lines: Vec<Option<u64>>,
    /// Of puzzles with several answers in another file, the wrong ones that are not in `given`.
    more_wrong: Vec<MoreWrong>,
    /// Which puzzle, and two solutions of it, of those that have several, if they are to be shown.
    pairs: Vec<(usize, Vec<Solution>)>,
    /// The puzzles, if they are compared.
    grids: Vec<Grid>,
    sukakus: Vec<Sukaku>,
}

/// A wrong answer besides the one that is given with its puzzle.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoreWrong {
    /// Which of the puzzles it belongs to.
    number: usize,
    /// Its line in the file of answers.
    pub(super) line: u64,
    pub(super) given: Given,
    /// Why it is wrong, if it is a grid.
    pub(super) wrong: Option<WrongAnswer>,
}

impl Found {
    fn clear(&mut self) {
        self.judged.clear();
        self.given.clear();
        self.answer_lines.clear();
        self.more_wrong.clear();
        self.pairs.clear();
        self.grids.clear();
        self.sukakus.clear();
    }

    /// A puzzle, if puzzles are compared.
    pub(super) fn puzzle(&self, number: usize) -> Puzzle {
        match number.checked_sub(self.grids.len()) {
            None => Puzzle::Grid(self.grids[number]),
            Some(place) => Puzzle::Sukaku(self.sukakus[place]),
        }
    }

    /// The answer given with a puzzle.
    pub(super) fn given(&self, number: usize) -> &Given {
        self.given.get(number).unwrap_or(&Given::Missing)
    }

    /// Whether a puzzle should have an answer and has none.
    pub(super) fn lacks_answer(&self, number: usize) -> bool {
        self.expects_answers && *self.given(number) == Given::Missing
    }

    /// Whether nothing is wrong with a puzzle, unless it is a duplicate.
    pub(super) fn is_fine(&self, number: usize) -> bool {
        self.judged[number].passes()
            && !self.lacks_answer(number)
            && !matches!(self.given(number), Given::Malformed(_))
    }

    /// The wrong answers of a puzzle besides the one that is given with it.
    pub(super) fn more_wrong(&self, number: usize) -> &[MoreWrong] {
        let start = self.more_wrong.partition_point(|wrong| wrong.number < number);
        let end = self.more_wrong.partition_point(|wrong| wrong.number <= number);
        &self.more_wrong[start..end]
    }

    /// Two solutions of a puzzle, if they are to be shown.
    pub(super) fn pair(&self, number: usize) -> Option<&[Solution]> {
        let place = self.pairs.binary_search_by_key(&number, |(number, _)| *number);
        place.ok().map(|place| &self.pairs[place].1[..])
    }

    /// Finds the answer that is given with each puzzle.
    fn find_answers(&mut self, batch: &Batch<'_, Job>, are_elsewhere: bool) {
        let puzzles = batch.puzzles;
        if !are_elsewhere {
            self.expects_answers = batch.chunk.layout().has_solutions();
            let given = (0..puzzles.count()).map(|number| puzzles.given_with(number));
            // A single row may have an answer though the layout has no column for them.
            if self.expects_answers || given.clone().any(|given| *given != Given::Missing) {
                self.given.extend(given);
            }
            return;
        }
        self.expects_answers = true;
        self.given.resize(puzzles.count(), Given::Missing);
        self.answer_lines.resize(puzzles.count(), None);
        let mut answers = batch.piece.answers.iter().peekable();
        let mut place = 0;
        for record in puzzles.records() {
            let numbers = match record {
                Record::Puzzles { numbers, .. } => numbers.map(Some).collect(),
                // A malformed puzzle may have an answer, too.
                Record::Malformed { .. } => vec![None],
                Record::Skipped { .. } => continue,
            };
            for number in numbers {
                while let Some(answer) = answers.next_if(|answer| answer.record == place) {
                    if let Some(number) = number {
                        self.add_answer(number, answer, || puzzles.puzzle(number));
                    }
                }
                place += 1;
            }
        }
        self.more_wrong.sort_by_key(|wrong| wrong.number);
    }

    /// Adds an answer of another file to a puzzle, which may have one already.
    fn add_answer(&mut self, number: usize, answer: &Matched, puzzle: impl Fn() -> Puzzle) {
        let &Matched { line, given, .. } = answer;
        if self.answer_lines[number].is_none() || self.given[number] == Given::Missing {
            (self.given[number], self.answer_lines[number]) = (given, Some(line));
            return;
        }
        let why = |given: &Given| match given {
            Given::Cells(grid) => puzzle().check_answer(grid).err(),
            Given::Missing | Given::Malformed(_) => None,
        };
        let is_wrong = |given: &Given| matches!(given, Given::Malformed(_)) || why(given).is_some();
        if !is_wrong(&given) {
            return;
        }
        // The one that is given with the puzzle is wrong if any is.
        if is_wrong(&self.given[number]) {
            self.more_wrong.push(MoreWrong { number, line, given, wrong: why(&given) });
        } else {
            (self.given[number], self.answer_lines[number]) = (given, Some(line));
        }
    }

    /// The line of the answer of a puzzle, if it comes from another file and contradicts one of the clues.
    fn contradiction(&self, number: usize) -> Option<u64> {
        use WrongAnswer::{ChangedClue, NoCandidate};
        let line = self.answer_lines.get(number).copied().flatten()?;
        let answer = self.judged[number].answer;
        matches!(answer, Some(Err(ChangedClue { .. } | NoCandidate { .. }))).then_some(line)
    }
}

/// Judges chunks.
pub(crate) struct VerifyWorker {
    task: Task,
    judge: Judge,
    /// What was found in the chunk.
    found: Arc<Found>,
    forms: Forms,
}

impl VerifyWorker {
    pub(super) fn new(task: &Task) -> Self {
        Self {
            judge: Judge::new(&task.verify),
            forms: Forms::new(task.symmetric().unwrap_or(Form::Exact)),
            found: Arc::default(),
            task: task.clone(),
        }
    }

    /// Keeps the puzzles of a chunk and their keys.
    fn compare(&mut self, batch: &Batch<'_, Job>, found: &mut Found, kept: &mut Kept) {
        let (grids, sukakus) = (batch.puzzles.grids(), batch.puzzles.sukakus());
        found.grids.extend_from_slice(grids);
        found.sukakus.extend_from_slice(sukakus);
        kept.lines.resize(batch.puzzles.count(), 0);
        if self.task.forms().contains(&Some(Form::Exact)) {
            kept.exact.extend(grids.iter().map(|grid| Packed::from(grid).key()));
            kept.exact.extend(sukakus.iter().map(|sukaku| Packed::from(sukaku).key()));
        }
        if self.task.symmetric().is_some() {
            let Self { judge, forms, .. } = self;
            let of_grid = |(number, grid)| forms.grid(grid, judge.solution(number)).key();
            kept.symmetric.extend(grids.iter().enumerate().map(of_grid));
            let sukakus = (grids.len()..).zip(sukakus);
            let of_sukaku = |(number, sukaku)| forms.sukaku(sukaku, judge.solution(number)).key();
            kept.symmetric.extend(sukakus.map(of_sukaku));
        }
    }
}

impl Worker for VerifyWorker {
    type Piece = Job;
    type Kept = Kept;

    const WANTS_SOLUTIONS: bool = true;

    /// Counts the rows of a chunk in which nothing is wrong, if that is all that is asked and all rows are
    /// such.
    fn glance(&mut self, chunk: &Chunk, output: &mut Output<Kept>) -> bool {
        let Task { verify, answers, format, .. } = &self.task;
        let is_enough = verify.trust_unique && answers.is_none() && *format == Format::Report;
        let Some(delimiter) = chunk.layout().pairs().filter(|_| is_enough) else { return false };
        if self.task.compares() {
            return false;
        }
        let counts = &mut output.counts;
        let (mut rows, mut in_range) = (0, true);
        let end = rows::right_rows(chunk.bytes(), delimiter, |clues| {
            in_range &= verify.clues.contains(&clues);
            rows += 1;
            counts.own[tally::of_clues(clues)] += 1;
        });
        if !in_range || end < chunk.bytes().len() {
            counts.own.fill(0);
            return false;
        }
        (counts.lines, counts.puzzles) = (rows, rows);
        for tally in [Tally::Passed, Tally::NotSolved, Tally::Right] {
            counts.own[tally.place()] = rows;
        }
        true
    }

    fn solve(&mut self, batch: &Batch<'_, Job>, kept: &mut Kept) -> Option<SlowPlace> {
        // The memory of another chunk, unless another worker still has it.
        self.found = Arc::default();
        let mut shared = mem::take(&mut kept.found);
        if Arc::get_mut(&mut shared).is_none() {
            shared = Arc::default();
        }
        let found = Arc::get_mut(&mut shared).expect("nobody else has it");
        found.clear();
        kept.exact.clear();
        kept.symmetric.clear();
        kept.lines.clear();
        kept.placed.clear();
        kept.contradiction = None;
        found.find_answers(batch, self.task.answers.is_some());
        let slowest = self.judge.judge(batch.puzzles, &found.given, &mut found.judged);
        if self.task.verify.show_two {
            for (number, judged) in found.judged.iter().enumerate() {
                if judged.status == Some(Status::Multiple) {
                    let puzzle = match batch.puzzles.puzzle(number) {
                        Puzzle::Grid(grid) => (&grid).into(),
                        Puzzle::Sukaku(sukaku) => sukaku,
                    };
                    found.pairs.push((number, self.judge.two_solutions(&puzzle)));
                }
            }
        }
        if self.task.compares() {
            self.compare(batch, found, kept);
        }
        kept.found = Arc::clone(&shared);
        self.found = shared;
        slowest
    }

    fn record(&mut self, number: usize, row: &Row<'_>, rows: &mut Rows<'_, Kept>) {
        let Self { task, found, .. } = self;
        let is_fine = found.is_fine(number);
        tally::count(&found.judged[number], rows);
        let is_wrong = matches!(found.given(number), Given::Malformed(_));
        let is_sukaku = matches!(row.puzzle, Some(Puzzle::Sukaku(_)));
        for (is, tally) in [
            (found.lacks_answer(number), Tally::Missing),
            (is_wrong, Tally::Wrong),
            (is_sukaku, Tally::Sukakus),
            (is_fine, Tally::Passed),
        ] {
            if is {
                rows.count(tally.place());
            }
        }
        let kept = &mut rows.output.kept;
        if kept.contradiction.is_none() {
            kept.contradiction = found.contradiction(number).map(|answer| (row.line, answer));
        }
        let (records, rejects) = (rows.output.records.len(), rows.output.rejects.len());
        if !is_fine || rows.style().format != Format::Report {
            task.write(found, number, Matches::default(), row, rows);
        }
        if task.compares() {
            let Output { records: all, rejects: all_rejects, kept, .. } = &mut *rows.output;
            kept.lines[number] = row.line;
            kept.placed.push(Placed {
                line: row.line,
                number,
                place: row.place.clone(),
                records: records..all.len(),
                rejects: rejects..all_rejects.len(),
            });
        }
    }

    fn malformed(&mut self, error: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, Kept>) {
        rows.count(Status::Malformed as usize);
        Task::write_malformed(error, row, rows);
    }
}
