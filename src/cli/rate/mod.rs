//! `ninefold rate`: its options, and what it says. The steps of the run are in [`records`].

mod args;
mod merge;
mod plot;
mod summary;

pub(super) use args::{RateArgs, shuffles};
pub(super) use merge::MERGER;

use super::exit::{Error, Outcome};
use super::open;
use super::records::{self, Command, Ran, RecordOptions, RecordsArgs, Said};
use ninefold::Status;
use ninefold::bulk;
use ninefold::input::Source;
use ninefold::output::{Format, Transaction};
use ninefold::pipeline::{Control, Pipeline};
use ninefold::rate::{COLUMNS, Question, Rate, Report, Stats};
use serde_json::{Value, json};
use std::path::PathBuf;
use summary::Summary;

/// Measures every puzzle of the inputs, in their order.
pub(super) fn run(args: &RateArgs) -> Result<Outcome, Error> {
    if args.records.writing.format() == Format::Grid {
        let reason = "measures do not fit in grids; use csv, jsonl, pair or line";
        return Err(Error::Failed(format!("--format grid: {reason}")));
    }
    records::run(args)
}

impl Command for &RateArgs {
    type Status = Status;
    type Counts = Stats;

    fn args(&self) -> &RecordsArgs<Status> {
        &self.records
    }

    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn identity(&self) -> Value {
        json!({
            "--measure": self.measures().to_string(),
            "--shuffles": self.shuffles,
            "--seed": self.seed,
        })
    }

    fn prepare(&mut self) -> Result<(), Error> {
        if let Some(plot) = self.plot.as_deref().filter(|it| it.extension() != Some("svg".as_ref()))
        {
            return Err(Error::at(plot, "--plot writes SVG only: expected an ending of .svg"));
        }
        open::check_free(self.plot.as_deref(), self.records.writing.force)
    }

    fn write(
        &self,
        records: RecordOptions<Status>,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, bulk::Error> {
        let RecordOptions { style, select, rejects } = records;
        let (measures, shuffles, seed) = (self.measures(), self.shuffles, self.seed);
        let question = Question { measures, shuffles, seed, style, select, rejects };
        let running = &self.records.running;
        let pipeline = Pipeline { threads: running.threads, ..Pipeline::default() };
        let (engine, simd, max_branches) = (self.engine, running.level(), running.max_branches);
        let rate = Rate { engine, simd, max_branches, question, pipeline };
        rate.write(sources, output, control)
    }

    fn summary(&self, ran: &Ran<'_, Stats>) -> Said {
        let summary = Summary { ran, args: self };
        Said { text: summary.text(), json: summary.to_json() }
    }

    fn other_outputs(&self) -> Vec<(&'static str, &'static str, &Option<PathBuf>)> {
        vec![("--plot", "chart", &self.plot)]
    }

    fn finish(&self, total: &Stats) -> Result<(), Error> {
        let Some(path) = self.plot.as_deref() else { return Ok(()) };
        let mut sink = open::sink(Some(path), open::mode(self.records.writing.force))?;
        sink.write(plot::render(total, self.shuffles).as_bytes())?;
        Ok(sink.finish()?)
    }

    fn outcome(&self, total: &Stats) -> Outcome {
        match total.unrated() {
            0 => Outcome::AllAnswered,
            _ => Outcome::SomeUnanswered,
        }
    }
}
