//! Puzzles judged in bulk: a verdict for each line, of which by default only faults are told.
//!
//! ```text
//! chunks ─> workers: [`Judge`](crate::verify::Judge) ─> verdicts ─> collector, in order ─> sink
//!                                                                   duplicates, answers
//!                                                                   of another file, counts
//! ```
//!
//! What can be said of a puzzle by itself is found by the workers. What needs the lines before it
//! waits for the one thread that has the chunks in order.

mod answers;
mod collect;
mod finding;
mod report;
mod worker;

pub use finding::{Finding, FindingSet};
pub use report::{Manner, View};
pub use worker::Verdicts;

use super::{Error, Pipeline, Progress, Report, Sinks, Work};
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::input::Source;
use crate::output::Sink;
use crate::verify::{Checks, Tally};
use answers::Answers;
use collect::Collector;
use std::sync::Arc;
use worker::Verifier;

/// What to verify, and how to tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verify {
    /// What solves.
    pub engine: EngineKind,
    /// Which vectors the engine may use.
    pub simd: SimdLevel,
    /// What is asked of each puzzle.
    pub checks: Checks,
    /// Whether to look for puzzles that came before, in any of the inputs.
    pub duplicates: bool,
    /// Whether to show two solutions of a puzzle that has several.
    pub show_two: bool,
    /// How it is told.
    pub manner: Manner,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Default for Verify {
    fn default() -> Self {
        Self {
            engine: EngineKind::default(),
            simd: SimdLevel::best(),
            checks: Checks::default(),
            duplicates: false,
            show_two: false,
            manner: Manner::default(),
            pipeline: Pipeline::default(),
        }
    }
}

/// What a run found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Lines, bytes and time.
    pub report: Report,
    /// All inputs together.
    pub total: Tally,
    /// Each input, in their order.
    pub inputs: Vec<Tally>,
    /// Answers of another file that have no puzzle.
    pub left_over: u64,
    /// Bytes of the table that found duplicates.
    pub table_bytes: Option<usize>,
}

impl Verified {
    /// Whether nothing is wrong.
    #[must_use]
    pub const fn all_pass(&self) -> bool {
        self.total.passed == self.total.puzzles && self.left_over == 0
    }
}

impl Verify {
    /// Verifies every puzzle of the sources, in their order. `answers` has an answer for each, line
    /// by line; without it, those in the sources' own column of solutions are looked at.
    ///
    /// # Errors
    /// See [`Error`]. What is wrong with puzzles is no error: it is told, and counted.
    pub fn run(
        &self,
        sources: Vec<Source>,
        answers: Option<Source>,
        sink: Sink,
        progress: &mut dyn Progress,
    ) -> Result<Verified, Error> {
        let names: Vec<_> = sources.iter().map(|source| Arc::clone(source.name())).collect();
        let preamble = if self.manner.view == View::Csv && self.manner.header {
            report::header(names.len() > 1 || answers.is_some())
        } else {
            Vec::new()
        };
        let answers = answers.map(Answers::new);
        let other_answers = answers.is_some();
        let worker = || -> Box<dyn Work> {
            Box::new(Verifier::new(self, self.engine.build_at(self.simd), other_answers))
        };
        let mut collector = Collector::new(self, names, answers)?;
        let sinks = Sinks::from(sink);
        let report = self.pipeline.run_in_order(
            &worker,
            sources,
            sinks,
            &preamble,
            progress,
            Some(&mut collector),
        )?;
        let table_bytes = collector.table_bytes();
        let Collector { tallies: inputs, left_over, .. } = collector;
        let mut total = Tally::default();
        for tally in &inputs {
            total += tally.clone();
        }
        Ok(Verified { report, total, inputs, left_over, table_bytes })
    }

    /// Whether lines that pass leave no record.
    fn tells_faults_alone(&self) -> bool {
        self.manner.view == View::Report
    }
}
