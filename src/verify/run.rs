//! A whole run: inputs in, verdicts out.

use super::options::Verify;
use super::render::Recorder;
use super::report::Report;
use super::source::Jobs;
use super::stage::{Search, Stage};
use super::worker::{Comparing, Worker};
use crate::bank::{Bank, Form};
use crate::bulk::{Error, Names, bounds};
use crate::input::Source;
use crate::output::{Sink, Transaction};
use crate::pipeline::Control;

impl Verify {
    /// Verifies every puzzle of the sources, in their order. `answers` has an answer for each
    /// ([`MatchedBy`](super::MatchedBy) says for which); without it, those in the sources' own field
    /// of solutions are checked.
    ///
    /// # Errors
    /// See [`Error`]. What is wrong with puzzles is no error: it is told, and counted.
    pub fn run(
        &self,
        sources: Vec<Source>,
        answers: Option<Source>,
        sink: Sink,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        Transaction::whole(sink, |output| self.write(sources, answers, output, control))
    }

    /// As [`Verify::run`], but into a transaction, which the caller commits or suspends.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write(
        &self,
        sources: Vec<Source>,
        answers: Option<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        self.write_against(sources, answers, None, output, control)
    }

    /// As [`Verify::write`], and reports the puzzles that a bank has. If this run does not search for
    /// solutions (`trust_unique`), the bank must be loaded without `solved`.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write_against(
        &self,
        sources: Vec<Source>,
        answers: Option<Source>,
        bank: Option<Bank>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let names = Names::of(&sources);
        let name = answers.as_ref().map(Source::name);
        let against = bank.as_ref().map(|bank| bank.form.same());
        let recorder = Recorder::new(&self.manner, &self.checks, &names, name)
            .comparing(self.duplicates, against)
            .bounded(self.max_branches);
        let cancel = control.cancel().clone();
        let comparing = self.comparing(bank.as_ref());
        let search = Search::new(self.duplicates, bank);
        let mut stage = Stage::new(&sources, &names, &recorder, search, output, control);
        let jobs = Jobs::open(sources, &names, answers)?;
        let matched_by = jobs.matched_by();
        stage.begin()?;
        let bounds = bounds(self.max_branches, &cancel);
        let make = || {
            let engine = self.engine.build_bounded(self.simd, bounds.clone());
            Worker::new(self, &names, &recorder, comparing, engine, &bounds)
        };
        match self.pipeline.run(jobs, make, &mut stage, &cancel) {
            Ok(()) => Ok(stage.report(self.pipeline.worker_threads(), matched_by)),
            Err(error) => Err(match Error::of(error, stage.puzzles()) {
                // The first answer that cannot be that of its puzzle says where they part.
                Error::Answers { name, reason } => {
                    let reason = match stage.first_contradiction() {
                        Some(place) => format!("{reason}; {place}"),
                        None => reason,
                    };
                    Error::Answers { name, reason }
                }
                error => error,
            }),
        }
    }

    /// In which forms puzzles are compared. One canonical form serves for duplicates and the bank.
    fn comparing(&self, bank: Option<&Bank>) -> Comparing {
        let of_bank = bank.map(|bank| bank.form);
        let of_earlier = self.duplicates.map(|same| Form::of(same, !self.checks.trust_unique));
        let forms = [of_bank, of_earlier];
        let symmetric = forms.into_iter().flatten().find(|form| *form != Form::Exact);
        Comparing { exact: forms.contains(&Some(Form::Exact)), symmetric }
    }
}
