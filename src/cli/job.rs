//! The run of every command that writes records, from its arguments to its exit code.
//!
//! ```text
//! Job::typed ─> open inputs, check outputs, find layouts ─> Job::prepare ─> begin or resume
//!                                         Job::write ─> commit ─> summary, statistics, exit code
//! ```

use super::reading::NO_RECORDS;
use super::{
    CommonArgs, Error, InputArgs, Ran, Signals, counted, frequent_reasons, full_grids, identity,
    open, refuse, say, statistics,
};
use crate::input::{Layout, Source};
use crate::output::{self, Begun, Column, Format, Mode, Plan, Style, Table, Transaction};
use crate::pipeline::{Control, Event, Pipeline};
use crate::run::{self, Checkpoint, Command, Count, Counts, Report, Run, SlowLine, Writing};
use crate::search::Search;
use indicatif::HumanCount;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What a command declares: its runs, help and `merge` are made of it.
pub(crate) struct Declared {
    pub(crate) name: &'static str,
    pub(crate) columns: Vec<Column>,
    /// Its counts, all zero.
    pub(crate) counts: Counts,
    /// Adds the keys of statistics that are made of counts.
    pub(crate) derive: fn(&Counts, &mut Value),
}

impl Declared {
    /// The declaration of a command that has these columns and counts.
    pub(crate) fn new(name: &'static str, columns: Vec<Column>, counts: Vec<Count>) -> Self {
        Self { name, columns, counts: Counts::new(counts), derive: |_, _| () }
    }

    /// The declaration of a command of the library.
    pub(crate) fn of(name: &'static str, command: &impl Command, format: Format) -> Self {
        Self::new(name, command.columns(format), command.counts())
    }
}

/// In what a command as it was typed differs from others.
#[expect(clippy::struct_excessive_bools, reason = "each is a difference of its own")]
pub(crate) struct Typed {
    pub(crate) args: CommonArgs,
    pub(crate) declared: Declared,
    pub(crate) format: Format,
    /// The files of its records, or standard output: several if records are divided.
    pub(crate) outputs: Vec<Option<PathBuf>>,
    /// Inputs without records beside others.
    pub(crate) empty: Vec<PathBuf>,
    /// Files that it reads besides its inputs.
    pub(crate) also_read: Vec<PathBuf>,
    /// What follows for an input without answers, in words, if answers next to the puzzles are looked for.
    pub(crate) without_answers: Option<&'static str>,
    /// Whether records have answers in place of those of the inputs.
    pub(crate) replaces_answers: bool,
    /// Whether records are rows of the inputs.
    pub(crate) copies_rows: bool,
    /// Whether records name their input, also if there is one.
    pub(crate) names_inputs: bool,
    /// The character of a blank, and whether tables have a header.
    pub(crate) blank: u8,
    pub(crate) header: bool,
    /// The number of tasks of a command that has tasks in place of inputs, or 0.
    pub(crate) tasks: Option<u64>,
    /// Why a resumed run must read its inputs from their start, if it must: its records depend on all
    /// puzzles before them. It replaces what an earlier run left.
    pub(crate) restarts: Option<&'static str>,
}

/// A command as it was typed: what it does.
pub(crate) trait Job {
    /// In what it differs from other commands. Is called once, first of all.
    fn typed(&self) -> Result<Typed, Error>;

    /// Checks what can be checked before any output is created, and opens what it reads besides its inputs. A
    /// command without inputs adds what its tasks are made from to the sources.
    fn prepare(&mut self, _opened: Opened<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Writes the records.
    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error>;

    /// The summary, without the lines that all commands have.
    fn summary(&self, ran: &Ran<'_>) -> String;

    /// What follows the speed in the summary, in place of the engine.
    fn last_words(&self, _ran: &Ran<'_>) -> Option<String> {
        None
    }

    /// Adds its own keys to the statistics of the run.
    fn describe(&self, _ran: &Ran<'_>, _object: &mut Value) {}

    /// Whether every puzzle has the answer that was asked for.
    fn is_complete(&self, total: &Counts) -> Result<bool, Error> {
        Ok(total.answered() == total.puzzles)
    }
}

/// A run whose inputs are open.
pub(crate) struct Opened<'a> {
    pub(crate) typed: &'a mut Typed,
    pub(crate) sources: &'a mut Vec<Source>,
    pub(crate) signals: &'a Signals,
}

/// A run whose outputs are open.
pub(crate) struct Started<'a> {
    pub(crate) run: &'a Run,
    pub(crate) sources: Vec<Source>,
    pub(crate) output: &'a mut Transaction,
    pub(crate) control: Control<'a>,
    /// The engine, whose searches end with the run.
    pub(crate) search: Search,
}

impl Started<'_> {
    /// Writes the records of a command without a step in input order.
    pub(crate) fn in_order<C: Command>(
        self,
        command: impl FnOnce(Search) -> C,
    ) -> Result<Report, run::Error> {
        self.run.in_order(&command(self.search), self.sources, self.output, self.control)
    }
}

/// Runs a command.
pub(crate) fn run<T: Job>(mut job: T, mut identity: Map<String, Value>) -> Result<ExitCode, Error> {
    let mut typed = job.typed()?;
    let mut sources = Vec::new();
    if let Some(reading) = &typed.args.reading {
        if reading.explain()? {
            return Ok(ExitCode::SUCCESS);
        }
        sources = reading.open()?;
    }
    typed.check_outputs()?;
    if let Some(reading) = &typed.args.reading {
        typed.empty = reading.remove_empty(&mut sources)?;
    }
    let also_read = identity::of_files(typed.also_read.iter().map(PathBuf::as_path));
    identity.insert("inputs".to_owned(), identity::of_files(typed.inputs()));
    identity.insert("also read".to_owned(), also_read);
    if typed.args.records.is_parquet() {
        let why = "the index of a Parquet file is written last";
        typed.restarts = typed.restarts.or(Some(why));
    }
    let mut plan = typed.plan(&identity);
    if !plan.check()? {
        // Everything was read by an earlier run.
        return already_complete(&job, &typed, Transaction::begin(plan)?);
    }
    let signals = Signals::prepare(typed.args.search.grace);
    typed.find_layouts(&mut sources)?;
    job.prepare(Opened { typed: &mut typed, sources: &mut sources, signals: &signals })?;
    if let Some(shard) = typed.args.records.shard.filter(|_| typed.tasks.is_none()) {
        sources = shard.cut(sources)?;
    }
    let writing = typed.writing(&mut plan, &mut sources)?;
    let mut output = match Transaction::begin(plan)? {
        Begun::Open(output) => output,
        ended => return already_complete(&job, &typed, ended),
    };
    signals.run_begins();
    let running = &typed.args.records.running;
    let mut bar = typed.args.records.bar(typed.args.reading.as_ref(), &sources, typed.tasks);
    let mut observer = |event: &Event| bar.iter_mut().for_each(|bar| bar.tell(event));
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let pipeline = Pipeline { threads: running.threads, ..Pipeline::default() };
    let run = Run { writing, pipeline };
    let search = typed.args.search.search(control.cancel());
    let started = Started { run: &run, sources, output: &mut output, control, search };
    let report = match job.write(started) {
        Ok(report) => report,
        Err(error) => {
            let hint = output.suspend(match error {
                // It may have changed.
                run::Error::Input(_) => "a run over the unchanged inputs",
                _ => "the same command",
            });
            return Err(typed.unwritten(signals.error(error)).with_hint(hint));
        }
    };
    drop(bar);
    commit(&job, &typed, &report, &identity, output)
}

/// Completes the outputs, and says what the run found.
fn commit<T: Job>(
    job: &T,
    typed: &Typed,
    report: &Report,
    identity: &Map<String, Value>,
    output: Transaction,
) -> Result<ExitCode, Error> {
    let mut said = String::new();
    output.commit(|time, files| {
        let ran = Ran { typed, report, time };
        said = summary(job, &ran);
        let mut object = statistics::of_run(&ran, identity);
        job.describe(&ran, &mut object);
        object["outputs"] = statistics::of_outputs(typed, files);
        format!("{object:#}\n")
    })?;
    if !typed.args.records.running.quiet {
        say(said);
    }
    code(job, typed, &report.total, &report.beginning)
}

/// Counts, the most frequent faults, the slowest line, and the speed.
fn summary<T: Job>(job: &T, ran: &Ran<'_>) -> String {
    let total = ran.total();
    let mut lines = vec![job.summary(ran)];
    lines.extend(frequent_reasons(total.puzzles, &total.reasons));
    lines.extend(full_grids(ran.report));
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
    let last = job.last_words(ran).unwrap_or_else(|| ran.typed.args.search.engine_in_words());
    lines.push(format!("{seconds:.3} s, {rate} puzzles/s{megabytes}, {threads}, {last}"));
    lines.join("\n")
}

/// The exit code: 1 if some puzzles have no answer, or an input has no puzzles. That no puzzle was found is an error,
/// unless others may be in another shard, or nothing at all came through a pipe to --lines.
fn code<T: Job>(
    job: &T,
    typed: &Typed,
    total: &Counts,
    beginning: &[String],
) -> Result<ExitCode, Error> {
    let is_part = typed.args.records.shard.is_some_and(|shard| shard.count() > 1);
    let reads = |reading: &InputArgs| total.bytes > 0 || !reading.lines;
    if total.puzzles == 0 && typed.args.reading.as_ref().is_some_and(reads) && !is_part {
        let begins = match beginning {
            [] => String::new(),
            lines => format!("; the input begins with {}", lines.join(", ")),
        };
        return Err(Error::Failed(format!("no puzzle found{begins}")));
    }
    for path in &typed.empty {
        say(Error::at(path, NO_RECORDS));
    }
    let is_complete = job.is_complete(total)? && typed.empty.is_empty();
    let is_success = is_complete || typed.args.records.running.exit_zero;
    Ok(if is_success { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// An earlier run has written everything. What comes through a pipe is not read again.
fn already_complete<T: Job>(job: &T, typed: &Typed, ended: Begun) -> Result<ExitCode, Error> {
    let is_pipe = |input: &Value| input["bytes"].is_null();
    let has_pipe =
        identity::of_files(typed.inputs()).as_array().is_some_and(|it| it.iter().any(is_pipe));
    let name = typed.args.records.path();
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
    let too_large = || Error::Failed("the counts are too large".to_owned());
    let zero = &typed.declared.counts;
    let counts = reached.counts(zero).ok_or_else(too_large)?;
    let mut total = zero.zero();
    counts.iter().try_for_each(|it| total.add(it)).ok_or_else(too_large)?;
    say(format_args!(
        "ninefold: {name} is complete{}{}",
        if is_new { " now" } else { ": nothing to do" },
        if has_pipe { "; the pipe is not compared" } else { "" }
    ));
    code(job, typed, &total, &[])
}

impl Typed {
    /// A command that differs in nothing else.
    pub(crate) fn new(args: CommonArgs, declared: Declared, format: Format) -> Self {
        let reading = args.reading.as_ref();
        Self {
            declared,
            format,
            outputs: vec![args.records.path().map(Path::to_owned)],
            empty: Vec::new(),
            also_read: Vec::new(),
            without_answers: None,
            replaces_answers: false,
            copies_rows: false,
            names_inputs: false,
            blank: reading.map_or(b'.', InputArgs::written_blank),
            header: reading.is_none_or(|reading| !reading.no_header),
            tasks: None,
            restarts: None,
            args,
        }
    }

    /// A command of the library whose records have this format if none is named.
    pub(crate) fn of(
        name: &'static str,
        command: &impl Command,
        args: CommonArgs,
        format: Format,
    ) -> Self {
        let format = args.format(format);
        Self::new(args, Declared::of(name, command, format), format)
    }

    /// Fails if an output is also read, or if two outputs are one file.
    fn check_outputs(&self) -> Result<(), Error> {
        let args = &self.args.records;
        let mut others = vec![
            ("--stats-json", "statistics", &args.running.stats_json),
            ("--rejects", "rejects", &args.rejects),
        ];
        others.extend(self.outputs.iter().skip(1).map(|path| ("--split", "rows", path)));
        let read = self.inputs().chain(self.also_read.iter().map(PathBuf::as_path));
        open::check(read, self.outputs[0].as_deref(), &others)
    }

    /// The error of a run. That the reader of standard output has closed it is a failure if the run has other
    /// outputs: they are not complete.
    fn unwritten(&self, error: Error) -> Error {
        let args = &self.args.records;
        let others = [&args.rejects, &args.running.stats_json].into_iter().flatten();
        let others: Vec<_> = others.map(|path| path.display().to_string()).collect();
        match error {
            Error::OutputClosed if !others.is_empty() => {
                let others = others.join(" and ");
                let why = format!("{error} before the end of the run; not written: {others}");
                Error::Failed(why)
            }
            error => error,
        }
    }

    /// The inputs of the command line that have records.
    fn inputs(&self) -> impl Iterator<Item = &Path> {
        let has_records = |path: &&Path| self.empty.iter().all(|it| it != path);
        self.args.reading.iter().flat_map(InputArgs::paths).filter(has_records)
    }

    /// The outputs of a run: records, perhaps in parts, then rejects.
    fn plan(&self, identity: &Map<String, Value>) -> Plan {
        let args = &self.args.records;
        let mode = if args.resume { Mode::Resume } else { open::mode(args.force) };
        let rejects = args.rejects.as_deref().map(|path| open::planned(Some(path)));
        let outputs = self.outputs.iter().map(|path| open::planned(path.as_deref())).chain(rejects);
        let mut plan = Plan::new(outputs.collect(), mode);
        plan.restarts = self.restarts.is_some();
        plan.statistics = args.running.stats_json.as_deref().map(|path| open::planned(Some(path)));
        plan.interval = args.flush_interval;
        plan.resumable(Value::Object(identity.clone()), json!(Checkpoint::default()))
    }

    /// Decides how the inputs are read, and says so.
    fn find_layouts(&self, sources: &mut [Source]) -> Result<(), Error> {
        let is_quiet = self.args.records.running.quiet;
        if let Some(reading) = &self.args.reading {
            reading.find_layouts(sources, self.without_answers, is_quiet)?;
        }
        if self.replaces_answers {
            sources.iter_mut().for_each(Source::replace_answers);
        }
        // Columns of Parquet files that are not read are named.
        for source in sources.iter().filter(|_| !is_quiet) {
            for (column, schema) in source.parquet_columns()? {
                let (name, Err(kind)) = (source.name(), schema) else { continue };
                say(format_args!(
                    "{name}: column {column:?} is {kind}, which is not read: it is left out"
                ));
            }
        }
        Ok(())
    }

    /// How records are written. Gives the outputs their headers and columns.
    fn writing(&self, plan: &mut Plan, sources: &mut Vec<Source>) -> Result<Writing, Error> {
        let args = &self.args.records;
        let (format, columns) = (self.format, self.declared.columns.clone());
        let is_parquet = args.is_parquet();
        // Of several shards one has the header of all.
        let has_header = args.shard.is_none_or(|shard| shard.index() == 1);
        let mut style = Style {
            format,
            columns,
            blank: self.blank,
            color: format == Format::Grid && self.args.has_color(),
            header: self.header && !is_parquet && has_header,
            input_names: self.names_inputs || self.tasks.is_none() && sources.len() > 1,
            is_packed: is_parquet,
            ..Style::default()
        };
        self.args.choose_columns(&mut style, sources)?;
        let (records, rejects) = plan.outputs.split_at_mut(self.outputs.len());
        if let [rejects] = rejects {
            rejects.header = header_of_rejects(sources)?;
        }
        let table = self.table(&style, sources)?;
        for output in records {
            output.table.clone_from(&table);
        }
        if let Some(why) = self.restarts.filter(|_| args.resume && !args.running.quiet) {
            say(format_args!("ninefold: --resume: {why}, so the run starts from its beginning"));
        }
        Ok(Writing { style, select: self.args.format.select(), rejects: args.rejects.is_some() })
    }

    /// The columns of a Parquet file of its records, if they go to one. The columns of the input are
    /// of the types that all inputs have for them; others are text.
    fn table(&self, style: &Style, sources: &mut Vec<Source>) -> Result<Option<Table>, Error> {
        let records = &self.args.records;
        let rejects = records.rejects.as_deref();
        let Some(path) = records.path().filter(|path| output::is_parquet(path)) else {
            return Ok(None);
        };
        if self.copies_rows {
            return open::table_of_rows(path, sources, rejects).map(Some);
        }
        let (option, is_csv) = (format!("--format {}", style.format), style.format == Format::Csv);
        refuse(!is_csv, &option, "a Parquet file has the columns of csv; leave the option out")?;
        let mut types = Vec::new();
        if style.other_columns.is_some() {
            types = open::types_of(sources, Layout::is_other, rejects)?;
        }
        Ok(Some(Table::of_style(style, &types)))
    }
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
