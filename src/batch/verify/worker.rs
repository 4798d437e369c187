//! One chunk in, its verdicts out. What needs the lines before it (duplicates, answers from
//! another file) and the writing is left to [`Collector`](super::collect::Collector).

use super::Verify;
use crate::Status;
use crate::batch::{Output, Stats, Work};
use crate::engine::Engine;
use crate::input::{Chunk, Given, Malformed, Puzzles, Want, What};
use crate::puzzle::{Grid, Solution, Sukaku};
use crate::verify::rows;
use crate::verify::{Judge, PackedGrid, PackedSukaku, Tally, Verdict};
use std::ops::Range;
use std::time::Instant;

/// What was found of a chunk's lines, with the memory for it.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// Lines that were counted and need not be looked at: nothing is wrong with them.
    pub(super) passed: Tally,
    /// The puzzles; of a sukaku its single candidates. First all grids, then all sukakus.
    pub(super) grids: Vec<Grid>,
    pub(super) sukakus: Vec<Sukaku>,
    /// In the order of their lines: the line, counted from 1 at the start of the chunk, and which
    /// puzzle it is.
    pub(super) order: Vec<(u64, usize)>,
    pub(super) judged: Vec<Verdict>,
    /// The answers given in a column, if there is one.
    pub(super) given: Vec<Given>,
    /// Two solutions of those that have so many, if that was asked: which puzzle, and they.
    pub(super) pairs: Vec<(usize, Vec<Solution>)>,
    /// Grids and sukakus for the search for duplicates, if that was asked.
    pub(super) packed: (Vec<PackedGrid>, Vec<PackedSukaku>),
    /// Before which place in the order, in which line, why, and where in the chunk.
    pub(super) malformed: Vec<(usize, u64, Malformed, Range<usize>)>,
}

/// Judges chunks.
pub(super) struct Verifier {
    verify: Verify,
    /// Whether answers come from another file.
    other_answers: bool,
    judge: Judge,
    puzzles: Puzzles,
    answers: Vec<Option<Grid>>,
}

impl Verifier {
    pub(super) fn new(verify: &Verify, engine: Box<dyn Engine>, other_answers: bool) -> Self {
        let judge = Judge::new(verify.checks.clone(), engine, verify.simd);
        let puzzles = Puzzles::keeping(Want { solutions: !other_answers, ..Want::default() });
        Self { verify: verify.clone(), other_answers, judge, puzzles, answers: Vec::new() }
    }

    /// Counts the rows of a chunk in which nothing is wrong, if that is all that is asked and all
    /// rows are such.
    fn rows_at_a_glance(&self, chunk: &Chunk, found: &mut Verdicts) -> bool {
        let Some(delimiter) = chunk.layout().pairs() else { return false };
        if self.other_answers || self.verify.duplicates || !self.verify.tells_faults_alone() {
            return false;
        }
        let range = &self.verify.checks.clues;
        let mut in_range = true;
        let tally = &mut found.passed;
        let end = rows::right_rows(chunk.bytes(), delimiter, |clues| {
            in_range &= range.contains(&clues);
            tally.clues[clues] += 1;
        });
        let whole = in_range && end == chunk.bytes().len();
        if whole {
            tally.puzzles = tally.clues.iter().sum();
            (tally.not_solved, tally.right) = (tally.puzzles, tally.puzzles);
            tally.passed = tally.puzzles;
        } else {
            *tally = Tally::default();
        }
        whole
    }

    /// Judges the puzzles that were read.
    fn judge(&mut self, chunk: &Chunk, found: &mut Verdicts) {
        let (grids, sukakus) = (self.puzzles.grids(), self.puzzles.sukakus());
        found.grids.extend_from_slice(grids);
        found.grids.extend(sukakus.iter().map(|marked| marked.sukaku.singles()));
        found.sukakus.extend(sukakus.iter().map(|marked| marked.sukaku));
        // A single row may have an answer though the layout has no column for them.
        let given = self.puzzles.given().iter().chain(sukakus.iter().map(|marked| &marked.given));
        let given = given.filter(|_| !self.other_answers);
        if chunk.layout().has_solutions() || given.clone().any(|it| *it != Given::Missing) {
            found.given.extend(given);
        }
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
        if self.verify.duplicates {
            found.packed.0.extend(grids.iter().map(PackedGrid::from));
            found.packed.1.extend(found.sukakus.iter().map(PackedSukaku::from));
        }
    }

    /// Numbers the lines, and counts them.
    fn number(&self, stats: &mut Stats, found: &mut Verdicts) {
        let grids = self.puzzles.grids().len();
        let mut grid = 0;
        let mut take = |upto: usize, stats: &mut Stats, found: &mut Verdicts| {
            found.order.extend((stats.lines + 1..).zip(grid..upto));
            stats.lines += (upto - grid) as u64;
            stats.puzzles += (upto - grid) as u64;
            grid = upto;
        };
        for gap in self.puzzles.gaps() {
            take(gap.grids_before, stats, found);
            match &gap.what {
                What::PassedOver(lines) => stats.lines += lines,
                What::Sukaku(index) => {
                    stats.lines += 1;
                    stats.puzzles += 1;
                    found.order.push((stats.lines, grids + index));
                }
                What::Malformed(error, place) => {
                    stats.lines += 1;
                    stats.puzzles += 1;
                    stats.statuses[Status::Malformed] += 1;
                    let (before, line) = (found.order.len(), stats.lines);
                    found.malformed.push((before, line, *error, place.clone()));
                }
            }
        }
        take(grids, stats, found);
    }
}

impl Work for Verifier {
    fn run(&mut self, chunk: &Chunk, _: Option<&str>, output: &mut Output) {
        let found = &mut output.verdicts;
        found.passed = Tally::default();
        found.grids.clear();
        found.sukakus.clear();
        found.order.clear();
        found.judged.clear();
        found.given.clear();
        found.pairs.clear();
        found.packed.0.clear();
        found.packed.1.clear();
        found.malformed.clear();
        output.stats = Stats { bytes: chunk.input_bytes(), ..Stats::default() };
        let started = Instant::now();
        if self.verify.checks.trust_unique && self.rows_at_a_glance(chunk, found) {
            output.stats.lines = found.passed.puzzles;
            output.stats.puzzles = found.passed.puzzles;
        } else {
            self.puzzles.read(chunk);
            self.judge(chunk, found);
            self.number(&mut output.stats, found);
        }
        output.solve_time = started.elapsed();
    }
}
