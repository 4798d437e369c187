//! `ninefold solve`: its options, and what it says. The steps of the run are in [`records`].

mod args;

pub(super) use args::SolveArgs;

use super::exit::{Error, Outcome};
use super::records::{self, Command, Ran, RecordOptions, RecordsArgs, Said};
use super::summary::Summary;
use ninefold::Status;
use ninefold::bulk;
use ninefold::input::Source;
use ninefold::output::{Format, Transaction};
use ninefold::pipeline::{Control, Pipeline};
use ninefold::solve::{Question, Report, Solve, Stats};
use serde_json::{Value, json};

/// Answers every puzzle of the inputs, in their order.
pub(super) fn run(args: &SolveArgs) -> Result<Outcome, Error> {
    records::run(args)
}

impl Command for &SolveArgs {
    type Status = Status;
    type Counts = Stats;

    fn args(&self) -> &RecordsArgs<Status> {
        &self.records
    }

    fn columns(&self) -> &'static [&'static str] {
        &Format::COLUMNS
    }

    fn format(&self) -> Format {
        self.records.writing.format_or_grid(&self.records.reading)
    }

    fn identity(&self) -> Value {
        json!({
            "--limit": self.limit(),
            "--all, --max": self.all.then_some(self.max),
            // Which of several solutions is found first.
            "--engine": self.engine.name(),
        })
    }

    fn write(
        &self,
        records: RecordOptions<Status>,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, bulk::Error> {
        let (limit, every) = (self.limit(), self.all.then_some(self.max));
        let RecordOptions { style, select, rejects } = records;
        let running = &self.records.running;
        let question = Question { limit, every, style, select, rejects };
        let pipeline = Pipeline { threads: running.threads, ..Pipeline::default() };
        let (engine, simd, max_branches) = (self.engine, running.level(), running.max_branches);
        let solve = Solve { engine, simd, max_branches, question, pipeline };
        solve.write(sources, output, control)
    }

    fn summary(&self, ran: &Ran<'_, Stats>) -> Said {
        let summary = Summary {
            report: ran.report,
            time: ran.time,
            engine: self.engine,
            simd: self.records.running.level(),
            limit: self.limit(),
            every: self.all.then_some(self.max),
            is_bounded: self.records.running.max_branches.is_some(),
            shard: ran.shard,
            identity: ran.identity.clone(),
        };
        Said { text: summary.to_string(), json: summary.to_json() }
    }

    fn outcome(&self, total: &Stats) -> Outcome {
        // With --all, a puzzle whose solutions were all written is answered.
        let complete =
            if self.all { total.statuses[Status::Multiple] - total.incomplete } else { 0 };
        match total.unanswered() - complete {
            0 => Outcome::AllAnswered,
            _ => Outcome::SomeUnanswered,
        }
    }
}
