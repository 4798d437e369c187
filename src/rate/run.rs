//! A whole run: inputs in, ratings out.

use super::options::Rate;
use super::stats::Report;
use super::worker::Worker;
use crate::bulk::{Error, bounds, write_records};
use crate::input::Source;
use crate::output::{Sink, Transaction};
use crate::pipeline::Control;

impl Rate {
    /// Rates every puzzle of the sources, in their order: one record each.
    ///
    /// # Errors
    /// See [`Error`]. Puzzles that are malformed or have not one solution are no errors: they are
    /// counted in the report.
    pub fn run(
        &self,
        sources: Vec<Source>,
        sink: Sink,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        Transaction::whole(sink, |output| self.write(sources, output, control))
    }

    /// As [`Rate::run`], but into a transaction, which the caller commits or suspends. If it is
    /// resumed, the sources are read from its checkpoint on.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write(
        &self,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let bounds = bounds(self.max_branches, control.cancel());
        let make = || {
            let engine = self.engine.build_bounded(self.simd, bounds.clone());
            Worker::bounded(engine, self.simd, self.question.clone(), bounds.clone())
        };
        let preamble = self.question.style.preamble();
        write_records(&self.pipeline, &preamble, make, sources, output, control)
    }
}
