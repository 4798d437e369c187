//! Judges the puzzles of chunks and writes their records. Duplicates are left to the step in input order.

use super::judge::{Judge, Judged};
use super::record;
use super::rows::right_rows;
use super::tally::{self, VerifyCount};
use super::{Finding, Verify};
use crate::bank::{Forms, Key, Same};
use crate::input::{Chunk, Malformed};
use crate::output::{Format, Style};
use crate::puzzle::Puzzle;
use crate::run::{Batch, Output, Piece, Row, Rows, SlowPlace, Worker};
use std::mem;
use std::ops::Range;

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
    pub(super) puzzle: Puzzle,
    /// The line, counted from 1 at the start of the chunk.
    pub(super) line: u64,
    /// What was found of it.
    pub(super) judged: Judged,
    /// Its bytes in the chunk, its records and its rejects.
    pub(super) place: Option<Range<usize>>,
    pub(super) records: Range<usize>,
    pub(super) rejects: Range<usize>,
}

/// Judges chunks.
pub struct VerifyWorker {
    judge: Judge,
    /// What was found: first of all grids, then of all sukakus.
    judged: Vec<Judged>,
    /// The forms of [`Verify::forms`].
    forms: [Option<Forms>; 2],
}

impl VerifyWorker {
    pub(super) fn new(verify: &Verify) -> Self {
        let forms = verify.forms().map(|form| form.map(Forms::new));
        Self { judge: Judge::new(verify), judged: Vec::new(), forms }
    }
}

impl Worker for VerifyWorker {
    type Kept = ChunkJudged;

    const WANTS_SOLUTIONS: bool = true;

    /// Counts the rows of a chunk in which nothing is wrong, if that is all that is asked and all rows are
    /// such.
    fn glance(
        &mut self,
        piece: &Piece,
        chunk: &Chunk,
        style: &Style,
        output: &mut Output<ChunkJudged>,
    ) -> bool {
        let verify = &self.judge.verify;
        let is_enough = verify.trust_unique && style.format == Format::Report;
        if !is_enough || piece.file.is_some() || self.forms.iter().any(Option::is_some) {
            return false;
        }
        let Some(delimiter) = chunk.layout().pairs() else { return false };
        let counts = &mut output.counts;
        let (mut rows, mut in_range) = (0, true);
        let end = right_rows(chunk.bytes(), delimiter, |clues| {
            in_range &= verify.clues.contains(&clues);
            rows += 1;
            counts.own[tally::of_clues(clues)] += 1;
        });
        if !in_range || end < chunk.bytes().len() {
            counts.own.fill(0);
            return false;
        }
        (counts.lines, counts.puzzles) = (rows, rows);
        for tally in [VerifyCount::Passed, VerifyCount::NotSolved, VerifyCount::Right] {
            counts.own[tally as usize] = rows;
        }
        true
    }

    fn solve(&mut self, batch: &Batch<'_>, kept: &mut ChunkJudged) -> Option<SlowPlace> {
        kept.placed.clear();
        kept.keys.clear();
        self.judge.judge(batch, &mut self.judged)
    }

    /// Counts a puzzle without faults, if it has no record and is not compared with others.
    #[inline]
    fn short(&mut self, number: usize, rows: &mut Rows<'_, ChunkJudged>) -> bool {
        let is_compared = self.forms.iter().any(Option::is_some);
        if is_compared || rows.style().format != Format::Report {
            return false;
        }
        let judged = &self.judged[number];
        let passes = judged.faults.is_empty();
        if passes {
            tally::count(judged, &mut rows.output.counts);
        }
        passes
    }

    fn record(&mut self, number: usize, row: &Row<'_>, rows: &mut Rows<'_, ChunkJudged>) {
        let Self { judge, judged, forms } = self;
        let verify = &judge.verify;
        let puzzle = row.puzzle.expect("the record of a puzzle");
        let solution = judge.facts.answers.solution(number);
        let keys = forms.each_mut().map(|it| it.as_mut().map(|it| it.of(puzzle, solution).key()));
        let judged = &mut judged[number];
        if let Some(bank) = &verify.bank
            && let Some((name, line)) = keys[Same::Isomorphic as usize].and_then(|it| bank.find(it))
        {
            judged.add_place(Finding::InBank, Same::Isomorphic, format!("{name}:{line}"));
        }
        let from = (rows.output.records.len(), rows.output.rejects.len());
        tally::count(judged, &mut rows.output.counts);
        if !judged.faults.is_empty() || rows.style().format != Format::Report {
            record::write(judged, row, rows);
        }
        let Output { records, rejects, kept, .. } = &mut *rows.output;
        if let Some(key) = verify.duplicates.and_then(|same| keys[same as usize]) {
            kept.keys.push(key);
            let (records, rejects) = (from.0..records.len(), from.1..rejects.len());
            let (puzzle, line, place) = (*puzzle, row.line, row.place.clone());
            let judged = mem::take(judged);
            kept.placed.push(JudgedRow { puzzle, line, judged, place, records, rejects });
        }
    }

    fn malformed(&mut self, error: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, ChunkJudged>) {
        let judged = Judged::malformed(error);
        tally::count(&judged, &mut rows.output.counts);
        record::write(&judged, row, rows);
    }
}
