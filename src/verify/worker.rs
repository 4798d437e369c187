//! Judges the puzzles of chunks and writes their records. Duplicates are left to the step in input order.

use super::judge::{Docket, Judge, Judged, count};
use super::record;
use super::rows::right_rows;
use super::tally::VerifyCount;
use super::{Finding, Verify};
use crate::bank::{Key, Keys, Same};
use crate::input::{Chunk, Row, RowPlace};
use crate::output::Format;
use crate::puzzle::Cell;
use crate::run::{Clues, Counts, Output, Rows, Worker};
use std::mem;
use std::ops::{ControlFlow, Range};

/// What the step in input order needs of a chunk.
#[derive(Debug, Default)]
pub struct ChunkJudged {
    /// If duplicates are looked for: all puzzles in the order of their lines, and their keys.
    pub(super) placed: Vec<JudgedRow>,
    pub(super) keys: Vec<Key>,
}

/// A puzzle that may be found to be a duplicate.
#[derive(Debug)]
pub(super) struct JudgedRow {
    pub(super) row: Row,
    /// What was found of it.
    pub(super) judged: Judged,
    /// Its records and its rejects.
    pub(super) records: Range<usize>,
    pub(super) rejects: Range<usize>,
}

/// Judges chunks.
pub(super) struct VerifyWorker {
    judge: Judge,
    /// What was found: first of all grids, then of all sukakus.
    judged: Vec<Judged>,
    /// Those of [`Verify::forms`].
    keys: [Option<Keys>; 2],
}

impl VerifyWorker {
    pub(super) fn new(verify: &Verify) -> Self {
        let keys = verify.forms().map(|form| form.map(Keys::new));
        Self { judge: Judge::new(verify), judged: Vec::new(), keys }
    }
}

impl Worker<ChunkJudged> for VerifyWorker {
    fn answer(&mut self, chunk: &Chunk<'_>, rows: &mut Rows<'_, ChunkJudged>) -> ControlFlow<()> {
        // Puzzles without faults have no record, and are not compared with others.
        let is_report = rows.style().format == Format::Report;
        let is_short = is_report && self.keys.iter().all(Option::is_none);
        let mut is_right = false;
        if is_short && self.judge.verify.trust_unique && rows.answers().is_none() {
            rows.work(|output| {
                is_right = self.count_right(chunk, &mut output.counts);
                None
            });
        }
        if is_right {
            return ControlFlow::Continue(());
        }
        let puzzles = rows.read(chunk);
        let (has_answers, of_file) = (chunk.layout().has_solutions(), rows.answers());
        let docket = Docket { puzzles, has_answers, of_file };
        rows.work(|_| self.judge.judge(&docket, &mut self.judged));
        rows.output.kept.placed.clear();
        rows.output.kept.keys.clear();
        count(&self.judged, &mut rows.output.counts);
        for RowPlace { line, bytes, number } in puzzles.places() {
            match number {
                Ok(number) if is_short && self.judged[number].faults.is_empty() => {}
                Ok(number) => self.push(puzzles.row(line, number), number, rows),
                Err(error) => {
                    let judged = [Judged::malformed(&error)];
                    count(&judged, &mut rows.output.counts);
                    record::write(&judged[0], &Row { line, puzzle: None, bytes }, rows);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl VerifyWorker {
    /// Counts the rows of a chunk in which nothing is wrong, if all rows are such.
    fn count_right(&self, chunk: &Chunk, counts: &mut Counts) -> bool {
        let Some(delimiter) = chunk.layout().pairs() else { return false };
        let mut of_clues = [0; Cell::COUNT + 1];
        let end = right_rows(chunk.bytes(), delimiter, |clues| of_clues[clues] += 1);
        let range = &self.judge.verify.clues;
        let is_allowed = |(clues, &rows): (usize, &u64)| rows == 0 || range.contains(&clues);
        if end < chunk.bytes().len() || !of_clues.iter().enumerate().all(is_allowed) {
            return false;
        }
        let rows = of_clues.iter().sum();
        (counts.lines, counts.puzzles) = (rows, rows);
        counts.all_mut::<Clues>().copy_from_slice(&of_clues);
        for tally in [VerifyCount::Passed, VerifyCount::NotSolved, VerifyCount::Right] {
            counts[tally] = rows;
        }
        true
    }

    /// Writes the records of a puzzle.
    fn push(&mut self, row: Row, number: usize, rows: &mut Rows<'_, ChunkJudged>) {
        let Self { judge, judged, keys } = self;
        let verify = &judge.verify;
        let puzzle = row.puzzle.as_ref().expect("the row of a puzzle");
        let solution = judge.facts.answers.solution(number);
        let keys = keys.each_mut().map(|it| it.as_mut().map(|it| it.of(puzzle, solution)));
        let judged = &mut judged[number];
        if let Some(bank) = &verify.bank
            && let Some((name, line)) = keys[Same::Isomorphic as usize].and_then(|it| bank.find(it))
        {
            let (place, counts) = (format!("{name}:{line}"), &mut rows.output.counts);
            judged.add_place(Finding::InBank, Same::Isomorphic, place, counts);
        }
        let from = (rows.output.records.len(), rows.output.rejects.len());
        if !judged.faults.is_empty() || rows.style().format != Format::Report {
            record::write(judged, &row, rows);
        }
        let Output { records, rejects, kept, .. } = &mut *rows.output;
        if let Some(key) = verify.duplicates.and_then(|same| keys[same as usize]) {
            kept.keys.push(key);
            let (records, rejects) = (from.0..records.len(), from.1..rejects.len());
            let judged = mem::take(judged);
            kept.placed.push(JudgedRow { row, judged, records, rejects });
        }
    }
}
