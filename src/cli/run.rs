//! The run of every command that writes records, from its arguments to its exit code.
//!
//! ```text
//! Job ─ arguments ─> open inputs, check outputs, find layouts ─> begin or resume
//!                                        Job::write ─> commit ─> summary, statistics, exit code
//! ```

use super::exit::{Error, Outcome, say};
use super::histogram::counted;
use super::identity;
use super::malformed::frequent_reasons;
use super::open;
use super::progress::per_second;
use super::signals::Signals;
use super::statistics;
use super::writing::CommonArgs;
use crate::input::{Contradictions, Source};
use crate::names::Named;
use crate::output::{Begun, Format, Mode, Plan, Style, Table, Transaction};
use crate::pipeline::{Cancel, Control, Event, Pipeline};
use crate::run::{
    self, Checkpoint, Column, Count, Counts, InOrder, Inputs, Report, Run, Shape, SlowLine, Writing,
};
use indicatif::HumanCount;
use serde_json::{Map, Value, json};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a command declares: its runs, help and `merge` are made of it.
pub(crate) struct Declared {
    pub(crate) name: &'static str,
    pub(crate) columns: Vec<Column>,
    pub(crate) shape: Shape,
    /// The words of `--only`.
    pub(crate) terms: Vec<&'static str>,
    /// Adds the keys of statistics that are made of counts.
    pub(crate) derive: fn(&Shape, &Counts, &mut Value),
}

impl Declared {
    /// The declaration of a command whose records have these terms.
    pub(crate) fn new<T: Named>(
        name: &'static str,
        columns: Vec<Column>,
        counts: Vec<Count>,
    ) -> Self {
        let terms = T::ALL.iter().map(|term| term.name()).collect();
        Self { name, columns, shape: Shape::new(counts), terms, derive: |_, _, _| () }
    }

    /// The declaration of a command of the library.
    pub(crate) fn of<T: Named>(
        name: &'static str,
        command: &impl run::Command,
        format: Format,
    ) -> Self {
        Self::new::<T>(name, command.columns(format), command.counts())
    }
}

/// A command as it was typed. All that is not here belongs to the run.
pub(crate) trait Job {
    /// The options that several commands have.
    fn args(&self) -> CommonArgs<'_>;

    /// The declaration of its records in a format.
    fn declared(&self, format: Format) -> Declared;

    /// The format of the records.
    fn format(&self) -> Format {
        self.args().format(Format::Line)
    }

    /// Changes how its records are written.
    fn style(&self, _style: &mut Style) {}

    /// The files of its records, or standard output: several if records are divided.
    fn outputs(&self) -> Result<Vec<Option<PathBuf>>, Error> {
        Ok(vec![self.args().records.path().map(Path::to_owned)])
    }

    /// The columns of Parquet files of its records, if they go to such.
    fn table(&self, style: &Style, sources: &mut Vec<Source>) -> Result<Option<Table>, Error> {
        self.args().table(style, sources)
    }

    /// Files that it reads besides its inputs.
    fn also_read(&self) -> Vec<&Path> {
        Vec::new()
    }

    /// An output of its own, with its option and its content.
    fn other_output(&self) -> Option<(&'static str, &'static str, &Option<PathBuf>)> {
        None
    }

    /// What follows for an input without answers, in words, if answers next to the puzzles are looked for.
    fn without_answers(&self) -> Option<&'static str> {
        None
    }

    /// Whether records have answers in place of those of the inputs.
    fn replaces_answers(&self) -> bool {
        false
    }

    /// Checks what can be checked before any output is created, and opens what it reads besides its inputs.
    fn prepare(&mut self, _sources: &[Source], _signals: &Signals) -> Result<(), Error> {
        Ok(())
    }

    /// For a command that reads no inputs: the sources whose lines may be rejects, and the number of its
    /// tasks, if that is known.
    fn tasks(&self) -> Option<(&[Source], Option<u64>)> {
        None
    }

    /// Why a resumed run must read its inputs from their start, if it must: its records depend on all
    /// puzzles before them. It replaces what an earlier run left.
    fn restarts(&self) -> Option<&'static str> {
        None
    }

    /// Writes the records.
    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error>;

    /// The summary, without the lines that all commands have.
    fn summary(&self, ran: &Ran<'_>) -> String;

    /// What follows the speed in the summary.
    fn last_words(&self, _ran: &Ran<'_>) -> String {
        self.args().search.engine_in_words()
    }

    /// Adds its own keys to the statistics of the run.
    fn describe(&self, _ran: &Ran<'_>, _object: &mut Value) {}

    /// Writes its own output from the counts of each input, once the records are complete.
    fn finish(&self, _shape: &Shape, _inputs: &[(&str, &Counts)]) -> Result<(), Error> {
        Ok(())
    }

    /// Whether every puzzle has the answer that was asked for: most commands count it first.
    fn is_complete(&self, _shape: &Shape, total: &Counts) -> Result<bool, Error> {
        Ok(total.own[0] == total.puzzles)
    }
}

/// A run whose outputs are open.
pub(crate) struct Started<'a> {
    pub(crate) run: &'a Run,
    pub(crate) sources: Vec<Source>,
    pub(crate) output: &'a mut Transaction,
    pub(crate) control: Control<'a>,
}

impl Started<'_> {
    /// Writes the records of a command without a step in input order. Its searches end with the run.
    pub(crate) fn in_order<C>(
        self,
        command: impl FnOnce(&Cancel) -> C,
    ) -> Result<Report, run::Error>
    where
        C: run::Command<Order = InOrder, Worker: run::Worker<Kept = ()>>,
    {
        let Self { run, sources, output, control } = self;
        let command = command(control.cancel());
        run.write(&command, &mut InOrder, sources, Inputs::fill, output, control)
    }
}

/// A run that came to its end.
pub(crate) struct Ran<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) report: &'a Report,
    pub(crate) time: Duration,
    is_bounded: bool,
}

impl Ran<'_> {
    /// A count of all inputs.
    pub(crate) fn total(&self, name: &str) -> u64 {
        self.report.count(name)
    }

    /// The counts of statuses. Without a bound no puzzle is `unknown`.
    pub(crate) fn statuses(&self) -> impl Iterator<Item = (&str, u64)> {
        let named = self.shape.named(&self.report.total).into_iter();
        named.filter(|(name, _)| self.is_bounded || *name != "unknown")
    }

    pub(crate) fn puzzles_per_second(&self) -> u64 {
        per_second(self.report.total.puzzles, self.time)
    }

    /// Millions of bytes read each second.
    #[expect(clippy::cast_precision_loss, reason = "shown to a tenth")]
    pub(crate) fn megabytes_per_second(&self) -> f64 {
        per_second(self.report.total.bytes, self.time) as f64 / 1e6
    }
}

/// `1,000 puzzles: 7 unique, 993 none; 2 comment lines skipped`: the first line of most summaries.
pub(crate) fn count_line<'a, D: Display + 'a>(
    total: &Counts,
    counts: impl IntoIterator<Item = (D, u64)>,
) -> String {
    let counts = counts.into_iter().map(|(name, count)| format!("{} {name}", HumanCount(count)));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let mut text = format!("{}: {counts}", counted(total.puzzles, "puzzle"));
    if total.comments > 0 {
        text = format!("{text}; {}", skipped_comments(total.comments));
    }
    text
}

/// `2 comment lines skipped`, or nothing.
pub(crate) fn skipped_comments(comments: u64) -> String {
    match comments {
        0 => String::new(),
        comments => format!("{} skipped", counted(comments, "comment line")),
    }
}

/// Runs a command.
pub(super) fn run<T: Job>(mut job: T, mut identity: Map<String, Value>) -> Result<Outcome, Error> {
    let mut sources = Vec::new();
    if let Some(reading) = job.args().reading {
        if let Some(outcome) = reading.explain(job.without_answers().is_some())? {
            return Ok(outcome);
        }
        sources = reading.open()?;
    }
    check_outputs(&job)?;
    let format = job.format();
    let Declared { shape, terms, derive, .. } = job.declared(format);
    identity.insert("inputs".to_owned(), inputs_now(&job));
    identity.insert("also read".to_owned(), identity::of_files(job.also_read()));
    let mut plan = plan(&job, &identity)?;
    if !plan.check()? {
        // Everything was read by an earlier run.
        return already_complete(&job, &shape, Transaction::begin(plan)?);
    }
    let args = job.args();
    let signals = Signals::prepare(args.search.grace);
    let quiet = args.records.running.quiet;
    if let Some(reading) = args.reading {
        reading.find_layouts(&mut sources, job.without_answers(), quiet)?;
    }
    if job.replaces_answers() {
        sources.iter_mut().for_each(Source::replace_answers);
    }
    if !quiet {
        say_left_out(&sources)?;
    }
    job.prepare(&sources, &signals)?;
    let args = job.args();
    let (records, reading) = (args.records, args.reading);
    if let Some(shard) = records.shard {
        sources = shard.cut(sources)?;
    }
    let mut style = args.style(job.declared(format).columns, &sources, format)?;
    if let Some(reading) = reading {
        style.blank = reading.written_blank();
        style.header = !reading.no_header;
    }
    job.style(&mut style);
    // Of several shards one has the header of all.
    style.header &= !style.marked && records.shard.is_none_or(|shard| shard.index() == 1);
    let (outputs, rejects) = plan.outputs.split_at_mut(job.outputs()?.len());
    let (rejected, tasks) = job.tasks().unwrap_or((&sources, None));
    if let [rejects] = rejects {
        rejects.header = header_of_rejects(rejected)?;
    }
    let table = job.table(&style, &mut sources)?;
    for output in outputs {
        output.table.clone_from(&table);
    }
    if let Some(why) = job.restarts().filter(|_| records.resume && !quiet) {
        say(format_args!("ninefold: --resume: {why}, so the run starts from its beginning"));
    }
    let mut output = match Transaction::begin(plan)? {
        Begun::Open(output) => output,
        ended => return already_complete(&job, &shape, ended),
    };
    signals.run_begins();

    let mut bar = records.running.bar(reading, &sources, tasks);
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let select = args.format.select(&terms);
    let writing = Writing { style, select, rejects: records.rejects.is_some() };
    let threads = records.running.threads;
    let run = Run { writing, pipeline: Pipeline { threads, ..Pipeline::default() } };
    let started = Started { run: &run, sources, output: &mut output, control };
    let report = match job.write(started) {
        Ok(report) => report,
        Err(error) => {
            let is_changed = matches!(error, run::Error::Input(_));
            // If an input failed, it may have changed.
            let command =
                if is_changed { "a run over the unchanged inputs" } else { "the same command" };
            let hint = output.suspend(command);
            return Err(signals.error(error).with_hint(hint));
        }
    };
    bar.finish();

    let mut said = String::new();
    output.commit(|time| {
        let is_bounded = job.args().search.max_branches.is_some();
        let ran = Ran { shape: &shape, report: &report, time, is_bounded };
        said = summary(&job, &ran);
        statistics::of_run(&job, &ran, derive, &identity)
    })?;
    let inputs: Vec<_> = report.inputs.iter().map(|it| (&*it.name, &it.counts)).collect();
    job.finish(&shape, &inputs)?;
    if !quiet {
        say(said);
    }
    outcome(&job, &shape, &report.total)
}

/// Names the columns of Parquet files that are not read.
fn say_left_out(sources: &[Source]) -> Result<(), Error> {
    for source in sources {
        for (column, kind) in source.nested()? {
            let name = source.name();
            say(format_args!(
                "{name}: column {column:?} is {kind}, which is not read: it is left out"
            ));
        }
    }
    Ok(())
}

/// Counts, the most frequent faults, the slowest line, and the speed.
fn summary<T: Job>(job: &T, ran: &Ran<'_>) -> String {
    let total = &ran.report.total;
    let mut lines = vec![job.summary(ran)];
    let reasons = ran.shape.reasons(total);
    lines.extend(frequent_reasons(total.puzzles, reasons.iter().sum(), reasons));
    for (rows, what) in contradictions(ran.shape, total) {
        let plural = if rows == 1 { "row contradicts" } else { "rows contradict" };
        lines.push(format!("{} {plural} the layout of the input: {what}", HumanCount(rows)));
    }
    lines.extend(ran.report.slowest.as_ref().map(|SlowLine { input, line, time, .. }| {
        format!("{input}: line {} took {:.1} s", HumanCount(*line), time.as_secs_f64())
    }));
    let threads = counted(ran.report.threads as u64, "thread");
    let rate = HumanCount(ran.puzzles_per_second());
    // A command without inputs reads no bytes.
    let megabytes = match total.bytes {
        0 => String::new(),
        _ => format!(", {:.1} MB/s", ran.megabytes_per_second()),
    };
    let seconds = ran.time.as_secs_f64();
    let last = job.last_words(ran);
    lines.push(format!("{seconds:.3} s, {rate} puzzles/s{megabytes}, {threads}, {last}"));
    lines.join("\n")
}

/// Rows that contradict the layout of their input, by the way they do so.
pub(crate) fn contradictions(shape: &Shape, total: &Counts) -> Vec<(u64, &'static str)> {
    let Contradictions { solved, widths, elsewhere } = shape.contradictions(total);
    let all = [
        (solved, "full grids where puzzles were (--columns names the fields)"),
        (widths, "another number of fields"),
        (elsewhere, "a puzzle or full grid in another field (--columns names the fields)"),
    ];
    all.into_iter().filter(|(rows, _)| *rows > 0).collect()
}

fn outcome<T: Job>(job: &T, shape: &Shape, total: &Counts) -> Result<Outcome, Error> {
    Ok(if job.is_complete(shape, total)? { Outcome::AllAnswered } else { Outcome::SomeUnanswered })
}

/// The inputs of the command line, as they are now. No names stand for standard input.
fn inputs_now<T: Job>(job: &T) -> Value {
    match job.args().reading.map(|reading| &reading.inputs[..]) {
        None => Value::Array(Vec::new()),
        Some([]) => identity::of_files([Path::new("-")]),
        Some(paths) => identity::of_files(paths.iter().map(PathBuf::as_path)),
    }
}

/// The outputs of a run: records, perhaps in parts, then rejects.
fn plan<T: Job>(job: &T, identity: &Map<String, Value>) -> Result<Plan, Error> {
    let args = job.args().records;
    let mode = match (args.resume, args.force) {
        (true, _) => Mode::Resume,
        (false, force) => open::mode(force),
    };
    let rejects = args.rejects.as_deref().map(|path| open::planned(Some(path)));
    let records = job.outputs()?;
    let outputs = records.iter().map(|path| open::planned(path.as_deref())).chain(rejects);
    let mut plan = Plan::new(outputs.collect(), mode);
    plan.restarts = job.restarts().is_some();
    plan.statistics = args.running.stats_json.as_deref().map(|path| open::planned(Some(path)));
    plan.interval = args.flush_interval;
    Ok(plan.resumable(Value::Object(identity.clone()), json!(Checkpoint::default())))
}

/// An earlier run has written everything. What comes through a pipe is not read again.
fn already_complete<T: Job>(job: &T, shape: &Shape, ended: Begun) -> Result<Outcome, Error> {
    let is_pipe = |input: &Value| input["bytes"].is_null();
    let has_pipe = inputs_now(job).as_array().is_some_and(|it| it.iter().any(is_pipe));
    let name = job.args().records.path();
    let name = name.map(|path| path.display().to_string()).unwrap_or_default();
    let (reached, is_new) = match ended {
        Begun::Open(_) => {
            let why = "the outputs were removed by another program";
            return Err(Error::Failed(why.to_owned()));
        }
        Begun::Committed(reached) => (reached, true),
        Begun::Done(reached) => (reached, false),
    };
    let reached: Checkpoint = serde_json::from_value(reached).map_err(Error::caused)?;
    let total = reached.total(shape);
    let total = total.ok_or_else(|| Error::Failed("the counts are too large".to_owned()))?;
    if is_new {
        let paths = job.args().reading.map_or(&[][..], |reading| &reading.inputs);
        let names = paths.iter().map(|path| path.to_string_lossy());
        let names: Vec<_> = names.chain(paths.is_empty().then(|| "<stdin>".into())).collect();
        let names = names.iter().map(|name| &**name);
        job.finish(shape, &names.zip(reached.counts()).collect::<Vec<_>>())?;
    }
    say(format_args!(
        "ninefold: {name} is complete{}{}",
        if is_new { " now" } else { ": nothing to do" },
        if has_pipe { "; the pipe is not compared" } else { "" }
    ));
    outcome(job, shape, &total)
}

/// Fails if an output is also read, or if two outputs are one file.
fn check_outputs<T: Job>(job: &T) -> Result<(), Error> {
    let (CommonArgs { records: args, reading, .. }, records) = (job.args(), job.outputs()?);
    let mut others = vec![
        ("--stats-json", "statistics", &args.running.stats_json),
        ("--rejects", "rejects", &args.rejects),
    ];
    others.extend(job.other_output());
    others.extend(records.iter().skip(1).map(|path| ("--split", "rows", path)));
    open::check(reading, &job.also_read(), records[0].as_deref(), &others)
}

/// The header that rejects need to be read again: the header of all inputs, if their puzzles are in
/// the same field.
fn header_of_rejects(sources: &[Source]) -> Result<Vec<u8>, Error> {
    if let Some((one, other, what)) = check_headers(sources) {
        let reason = format!("{one} and {other} have different {what}s");
        return Err(Error::Failed(format!("--rejects: {reason}; run them one by one")));
    }
    let layout = sources.iter().find_map(Source::layout);
    let header = layout.and_then(|layout| layout.header.as_deref());
    Ok(header.map_or_else(Vec::new, |header| [header, b"\n"].concat()))
}

/// Two inputs whose rows cannot be in one file, if there are such, and what differs.
pub(crate) fn check_headers(sources: &[Source]) -> Option<(&str, &str, &'static str)> {
    let named = sources.iter().map(|source| (&**source.name(), source.layout()));
    let mut layouts = named.filter_map(|(name, layout)| Some((name, layout?)));
    let (one, layout) = layouts.next()?;
    let (other, found) = layouts.find(|(_, other)| !other.agrees_with(layout))?;
    Some((one, other, if found.header == layout.header { "layout" } else { "header" }))
}
