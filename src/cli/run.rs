//! The run of every command that writes records, from its arguments to its exit code.
//!
//! ```text
//! Job ─ arguments ─> open inputs, check outputs, find layouts ─> begin or resume
//!                                        Job::write ─> commit ─> summary, statistics, exit code
//! ```

use super::exit::{Error, Outcome, say};
use super::identity;
use super::malformed::frequent_reasons;
use super::open;
use super::progress::per_second;
use super::reading::InputArgs;
use super::signals::Signals;
use super::slowest;
use super::statistics;
use super::writing::RecordsArgs;
use crate::input::{Contradictions, Source};
use crate::output::{Begun, Flush, Format, Left, Mode, Plan, Style, Table, Transaction};
use crate::pipeline::{Control, Event, Pipeline};
use crate::run::{self, Checkpoint, Column, Count, Counts, Report, Run, Shape, Terms, Writing};
use indicatif::HumanCount;
use serde_json::{Map, Value, json};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A command as it was typed. All that is not here belongs to the run.
pub(crate) trait Job {
    /// The options that all commands have.
    fn records(&self) -> &RecordsArgs;

    /// The options of its inputs, if it reads any.
    fn reading(&self) -> Option<&InputArgs>;

    /// The format of the records.
    fn format(&self) -> Format {
        self.records().writing.format(Format::Line)
    }

    /// The files of its records, or standard output: several if records are divided.
    fn outputs(&self) -> Result<Vec<Option<PathBuf>>, Error> {
        Ok(vec![self.records().writing.path().map(Path::to_owned)])
    }

    /// The terms whose records are written.
    fn select(&self) -> Terms;

    /// The columns of its records.
    fn columns(&self, format: Format) -> Vec<Column>;

    /// The columns of Parquet files of its records, if they go to such.
    fn table(&self, style: &Style, sources: &mut Vec<Source>) -> Result<Option<Table>, Error> {
        let args = self.records();
        args.writing.table(style, sources, args.rejects.as_deref())
    }

    /// Its counts.
    fn counts(&self) -> Vec<Count>;

    /// Whether records name their input even if there is only one.
    fn names_inputs(&self) -> bool {
        false
    }

    /// Files that it reads besides its inputs.
    fn also_read(&self) -> Vec<&Path> {
        Vec::new()
    }

    /// Outputs of its own, each with its option and its content.
    fn other_outputs(&self) -> Vec<(&'static str, &'static str, &Option<PathBuf>)> {
        Vec::new()
    }

    /// Checks what can be checked before any output is created, and opens what it reads besides its inputs.
    fn prepare(&mut self, _sources: &mut [Source], _signals: &Signals) -> Result<(), Error> {
        Ok(())
    }

    /// With `--explain-input`, prints how inputs are read. The run ends then.
    fn explain(&self) -> Result<Option<Outcome>, Error> {
        self.reading().map_or(Ok(None), InputArgs::explain)
    }

    /// Detects the layouts of its inputs.
    fn find_layouts(&self, sources: &mut [Source]) -> Result<(), Error> {
        let quiet = self.records().running.quiet;
        self.reading().map_or(Ok(()), |reading| reading.find_layouts(sources, quiet))
    }

    /// Why a resumed run must read its inputs from their start, if it must: its records depend on all
    /// puzzles before them. It replaces what an earlier run left.
    fn restarts(&self) -> Option<&'static str> {
        None
    }

    /// The character for a blank.
    fn blank(&self) -> u8 {
        self.reading().map_or(b'.', InputArgs::written_blank)
    }

    /// Whether csv begins with a header.
    fn writes_header(&self) -> bool {
        self.reading().is_none_or(InputArgs::writes_header)
    }

    /// The inputs whose lines may be rejects.
    fn rejected<'a>(&'a self, sources: &'a [Source]) -> &'a [Source] {
        sources
    }

    /// The end of the progress bar, if it is not the bytes of the inputs.
    fn end(&self) -> Option<u64> {
        None
    }

    /// Writes the records of the sources.
    fn write(
        &mut self,
        run: &Run,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, run::Error>;

    /// The summary, without the lines that all commands have.
    fn summary(&self, ran: &Ran<'_>) -> String;

    /// A line after the speed, if anything was left unchecked.
    fn unchecked(&self, _ran: &Ran<'_>) -> Option<String> {
        None
    }

    /// What follows the speed in its line of the summary.
    fn last_words(&self) -> String {
        self.records().running.engine_in_words()
    }

    /// Adds its own keys to the statistics of the run.
    fn describe(&self, ran: &Ran<'_>, object: &mut Value);

    /// Writes outputs of its own, once the records are complete.
    fn finish(&self, _shape: &Shape, _total: &Counts) -> Result<(), Error> {
        Ok(())
    }

    /// Whether every puzzle has the answer that was asked for.
    fn is_complete(&self, shape: &Shape, total: &Counts) -> Result<bool, Error>;
}

/// A run that came to its end.
pub(crate) struct Ran<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) report: &'a Report,
    pub(crate) time: Duration,
}

impl Ran<'_> {
    /// A count of all inputs.
    pub(crate) fn total(&self, name: &str) -> u64 {
        self.shape.get(&self.report.total, name)[0]
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
    let plural = if total.puzzles == 1 { "" } else { "s" };
    let counts = counts.into_iter().map(|(name, count)| format!("{} {name}", HumanCount(count)));
    let counts = counts.collect::<Vec<_>>().join(", ");
    format!("{} puzzle{plural}: {counts}{}", HumanCount(total.puzzles), skipped(total.comments))
}

/// `; 2 comment lines skipped`, or nothing.
fn skipped(comments: u64) -> String {
    match comments {
        0 => String::new(),
        1 => "; 1 comment line skipped".to_owned(),
        comments => format!("; {} comment lines skipped", HumanCount(comments)),
    }
}

/// Runs a command.
pub(super) fn run<T: Job>(mut job: T, mut identity: Map<String, Value>) -> Result<Outcome, Error> {
    if let Some(outcome) = job.explain()? {
        return Ok(outcome);
    }
    let mut sources = job.reading().map_or(Ok(Vec::new()), InputArgs::open)?;
    check_outputs(&job)?;
    let shape = Shape::new(job.counts());
    identity.insert("inputs".to_owned(), inputs_now(&job));
    identity.insert("also read".to_owned(), identity::of_files(job.also_read()));
    let mut plan = plan(&job, &identity)?;
    if !plan.check()? {
        // Everything was read by an earlier run.
        return match Transaction::begin(plan)? {
            Begun::Open(_) => {
                Err(Error::Failed("the outputs were removed by another program".to_owned()))
            }
            ended => already_complete(&job, &shape, ended),
        };
    }
    let signals = Signals::prepare(job.records().running.grace);
    job.find_layouts(&mut sources)?;
    job.prepare(&mut sources, &signals)?;
    let (args, format) = (job.records(), job.format());
    if let Some(shard) = args.shard {
        sources = shard.cut(sources)?;
    }
    // Of several shards one has the header of all.
    let header = job.writes_header() && args.shard.is_none_or(|shard| shard.index() == 1);
    let mut style =
        args.writing.style(job.columns(format), &sources, format, job.blank(), header)?;
    style.input_names |= job.names_inputs();
    let (records, rejects) = plan.outputs.split_at_mut(job.outputs()?.len());
    if let [rejects] = rejects {
        rejects.header = header_of_rejects(job.rejected(&sources))?;
    }
    let table = job.table(&style, &mut sources)?;
    for output in records {
        output.table.clone_from(&table);
    }
    if let Some(why) = job.restarts().filter(|_| args.resume && !args.running.quiet) {
        say(format_args!("ninefold: --resume: {why}, so the run starts from its beginning"));
    }
    let mut output = match Transaction::begin(plan)? {
        Begun::Open(output) => output,
        ended => return already_complete(&job, &shape, ended),
    };
    signals.run_begins();

    let mut bar = args.running.bar(job.reading(), &sources, job.end());
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let writing = Writing { style, select: job.select(), rejects: args.rejects.is_some() };
    let threads = args.running.threads;
    let run = Run { writing, pipeline: Pipeline { threads, ..Pipeline::default() } };
    let report = match job.write(&run, sources, &mut output, control) {
        Ok(report) => report,
        Err(error) => {
            let hint = hint(&output.suspend(), &error);
            return Err(signals.error(error).with_hint(hint));
        }
    };
    bar.finish();

    let mut said = String::new();
    output.commit(|time| {
        let ran = Ran { shape: &shape, report: &report, time };
        said = summary(&job, &ran);
        statistics::of_run(&job, &ran, &identity)
    })?;
    job.finish(&shape, &report.total)?;
    if !job.records().running.quiet {
        say(said);
    }
    outcome(&job, &shape, &report.total)
}

/// Counts, the most frequent faults, the slowest line, and the speed.
fn summary<T: Job>(job: &T, ran: &Ran<'_>) -> String {
    let (total, threads) = (&ran.report.total, ran.report.threads);
    let mut lines = vec![job.summary(ran)];
    let reasons = ran.shape.reasons(total);
    lines.extend(frequent_reasons(total.puzzles, reasons.iter().sum(), reasons));
    for (rows, what) in contradictions(ran.shape, total) {
        let plural = if rows == 1 { "row contradicts" } else { "rows contradict" };
        lines.push(format!("{} {plural} the layout of the input: {what}", HumanCount(rows)));
    }
    lines.extend(ran.report.slowest.as_ref().map(slowest::in_words));
    let plural = if threads == 1 { "" } else { "s" };
    let rate = HumanCount(ran.puzzles_per_second());
    // A command without inputs reads no bytes.
    let megabytes = match total.bytes {
        0 => String::new(),
        _ => format!(", {:.1} MB/s", ran.megabytes_per_second()),
    };
    let seconds = ran.time.as_secs_f64();
    let last = job.last_words();
    lines.push(format!(
        "{seconds:.3} s, {rate} puzzles/s{megabytes}, {threads} thread{plural}, {last}"
    ));
    lines.extend(job.unchecked(ran));
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
    match job.reading().map(|reading| &reading.inputs[..]) {
        None => Value::Array(Vec::new()),
        Some([]) => identity::of_files([Path::new("-")]),
        Some(paths) => identity::of_files(paths.iter().map(PathBuf::as_path)),
    }
}

/// The outputs of a run: records, perhaps in parts, then rejects.
fn plan<T: Job>(job: &T, identity: &Map<String, Value>) -> Result<Plan, Error> {
    let args = job.records();
    let mode = match (args.resume, args.writing.force) {
        (true, _) => Mode::Resume,
        (false, force) => open::mode(force),
    };
    let rejects = args.rejects.as_deref().map(|path| open::planned(Some(path)));
    let records = job.outputs()?;
    let outputs = records.iter().map(|path| open::planned(path.as_deref())).chain(rejects);
    let mut plan = Plan::new(outputs.collect(), mode);
    plan.restarts = job.restarts().is_some();
    plan.statistics = args.running.stats_json.as_deref().map(|path| open::target(Some(path)));
    plan.flush = Flush::Every(args.flush_interval);
    Ok(plan.resumable(Value::Object(identity.clone()), json!(Checkpoint::default())))
}

/// An earlier run has written everything.
fn already_complete<T: Job>(job: &T, shape: &Shape, ended: Begun) -> Result<Outcome, Error> {
    let name = job.records().writing.path();
    let name = name.map(|path| path.display().to_string()).unwrap_or_default();
    let Begun::Committed { reached, .. } = ended else {
        say(format_args!("ninefold: {name} is complete: nothing to do"));
        return Ok(Outcome::AllAnswered);
    };
    let reached: Checkpoint = serde_json::from_value(reached).map_err(Error::caused)?;
    let mut total = shape.zero();
    for input in &reached.inputs {
        let added = shape.add(&mut total, &input.counts);
        added.ok_or_else(|| Error::Failed("the counts are too large".to_owned()))?;
    }
    job.finish(shape, &total)?;
    say(format_args!("ninefold: {name} is complete now"));
    outcome(job, shape, &total)
}

/// What the user can do after this error. If an input failed, it may have changed.
fn hint(left: &Left, error: &run::Error) -> Option<String> {
    match (left, error) {
        (Left::Resumable { files, .. }, run::Error::Input(_)) => Some(format!(
            "the records so far are in {files}: with --resume a run over the unchanged inputs continues"
        )),
        _ => left.hint("records"),
    }
}

/// Fails if an output is also read, or if two outputs are one file.
fn check_outputs<T: Job>(job: &T) -> Result<(), Error> {
    let (args, records) = (job.records(), job.outputs()?);
    let mut others = vec![
        ("--stats-json", "statistics", &args.running.stats_json),
        ("--rejects", "rejects", &args.rejects),
    ];
    others.extend(job.other_outputs());
    others.extend(records.iter().skip(1).map(|path| ("--split", "rows", path)));
    open::check(job.reading(), &job.also_read(), records[0].as_deref(), &others)
}

/// The header that rejects need to be read again: the header of all inputs, if their puzzles are in
/// the same field.
fn header_of_rejects(sources: &[Source]) -> Result<Vec<u8>, Error> {
    if let Some((one, other, what)) = check_headers(sources) {
        let reason = format!("{one} and {other} have different {what}s");
        return Err(Error::Failed(format!("--rejects: {reason}; run them one by one")));
    }
    let layout = not_empty(sources).find_map(Source::layout);
    let header = layout.and_then(|layout| layout.header());
    Ok(header.map_or_else(Vec::new, |header| [header, b"\n"].concat()))
}

/// Two inputs whose rows cannot be in one file, if there are such, and what differs.
pub(crate) fn check_headers(sources: &[Source]) -> Option<(&str, &str, &'static str)> {
    let named = not_empty(sources).map(|source| (&**source.name(), source.layout()));
    let mut layouts = named.filter_map(|(name, layout)| Some((name, layout?)));
    let (one, layout) = layouts.next()?;
    let (other, found) = layouts.find(|(_, other)| !other.agrees_with(layout))?;
    Some((one, other, if found.header() == layout.header() { "layout" } else { "header" }))
}

/// An empty input has no layout of its own.
fn not_empty(sources: &[Source]) -> impl Iterator<Item = &Source> {
    sources.iter().filter(|source| source.length() != Some(0))
}
