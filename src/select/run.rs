//! A whole run: rows in, selected rows out.

use super::options::Select;
use super::report::Report;
use super::stage::Stage;
use super::worker::{Needs, Worker};
use crate::bank::{Bank, Form};
use crate::bulk::{Error, Inputs, Names, bounds};
use crate::input::Source;
use crate::output::Transaction;
use crate::pipeline::Control;

impl Select {
    /// Writes the selected rows of the sources, which the caller commits: to the one output, or to
    /// the output of each part of the split. Rows of the bank are not selected.
    ///
    /// All sources must have the same header.
    ///
    /// # Errors
    /// See [`Error`].
    ///
    /// # Panics
    /// If there is not one output for each part.
    pub fn write(
        &self,
        sources: Vec<Source>,
        bank: Option<&mut Bank>,
        outputs: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let parts = self.split.as_ref().map_or(1, |split| split.names().count());
        assert_eq!(outputs.outputs(), parts, "an output for each part");
        let names = Names::of(&sources);
        let needs = Needs {
            unseen: self.conditions.unseen.map(|same| Form::of(same, true)),
            banks: bank.as_ref().map(|bank| bank.form()),
            split: self.split.is_some(),
        };
        let cancel = control.cancel().clone();
        let mut stage = Stage::new(self, &sources, bank, outputs, control)?;
        stage.begin();
        let bounds = bounds(self.max_branches, &cancel);
        let make = || Worker::new(self, needs, &names, &bounds);
        match self.pipeline.run(Inputs::new(sources), make, &mut stage, &cancel) {
            Ok(()) => stage.finish(self.pipeline.worker_threads()),
            Err(error) => Err(Error::of(error, stage.rows())),
        }
    }
}
