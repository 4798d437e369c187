//! `ninefold canon`: its options, and what it says. The steps of the run are in [`records`].

mod args;
mod merge;
mod summary;

pub(super) use args::CanonArgs;
pub(super) use merge::MERGER;

use super::exit::{self, Error};
use super::records::{self, Command, Ran, RecordOptions, RecordsArgs, Said};
use ninefold::bulk::{self, Report};
use ninefold::canon::{Canonize, Outcome, Stats};
use ninefold::input::Source;
use ninefold::output::{Format, Transaction};
use ninefold::pipeline::{Control, Pipeline};
use serde_json::{Value, json};
use summary::Summary;

/// Writes the canonical form of every puzzle of the inputs, in their order.
pub(super) fn run(args: &CanonArgs) -> Result<exit::Outcome, Error> {
    let format = args.records.writing.format();
    if args.map && matches!(format, Format::Line | Format::Pair | Format::Grid) {
        let reason = format!("a record of --format {format} has no fields (use csv or jsonl)");
        return Err(Error::Failed(format!("--map: {reason}")));
    }
    records::run(args)
}

impl Command for &CanonArgs {
    type Status = Outcome;
    type Counts = Stats;

    fn args(&self) -> &RecordsArgs<Outcome> {
        &self.records
    }

    fn columns(&self) -> &'static [&'static str] {
        if self.map { &Canonize::COLUMNS_WITH_MAP } else { &Canonize::COLUMNS }
    }

    fn identity(&self) -> Value {
        json!({ "command": "canon", "--form": self.form.name(), "--map": self.map })
    }

    fn write(
        &self,
        records: RecordOptions<Outcome>,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report<Stats>, bulk::Error> {
        let RecordOptions { style, select, rejects } = records;
        let running = &self.records.running;
        let pipeline = Pipeline { threads: running.threads, ..Pipeline::default() };
        let (form, engine, simd) = (self.form, self.engine, running.level());
        let max_branches = running.max_branches;
        let canonize =
            Canonize { form, engine, simd, max_branches, style, select, rejects, pipeline };
        canonize.write(sources, output, control)
    }

    fn summary(&self, ran: &Ran<'_, Stats>) -> Said {
        let is_bounded = self.records.running.max_branches.is_some();
        let summary = Summary { ran, form: self.form, is_bounded };
        Said { text: summary.to_string(), json: summary.to_json() }
    }

    fn outcome(&self, total: &Stats) -> exit::Outcome {
        match total.without_form() {
            0 => exit::Outcome::AllAnswered,
            _ => exit::Outcome::SomeUnanswered,
        }
    }
}
