//! What all commands that write one record for each puzzle share: their options, and the steps of a run.
//!
//! ```text
//! Command ─ args, columns, identity ─> run: open, resume, begin ─> Command::write ─> commit, summary
//! ```

mod merge;
mod resume;
mod writing;

pub(super) use merge::Merger;

use super::exit::{Error, Outcome, say};
use super::open;
use super::parsers;
use super::reading::{InputArgs, in_words};
use super::running::RunArgs;
use super::signals::Signals;
use super::slowest;
use clap::Args;
use ninefold::Status;
use ninefold::bulk::{self, Checkpoint, Counts, Report};
use ninefold::input::{Shard, Source};
use ninefold::names::{NameSet, Named};
use ninefold::output::{Begun, Flush, Format, Mode, Plan, Style, Transaction};
use ninefold::pipeline::{Control, Event};
use resume::ResumeArgs;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;
use writing::OutputArgs;

/// The options of a command that writes records. `S` is what becomes of a puzzle, in one word.
#[derive(Debug, Args)]
pub(super) struct RecordsArgs<S: Named> {
    #[command(flatten)]
    pub(super) writing: OutputArgs<S>,

    /// Write unanswered input lines to FILE
    ///
    /// A comment before each line has the reason. FILE can be corrected and read again.
    #[arg(long, value_name = "FILE", value_parser = parsers::output(), help_heading = "Output")]
    pub(super) rejects: Option<PathBuf>,

    #[command(flatten)]
    pub(super) running: RunArgs,

    #[command(flatten)]
    pub(super) keeping: ResumeArgs,

    /// Read only part I of N of the inputs
    ///
    /// The outputs of all parts, concatenated in order, are the output of one run. Pipes and
    /// compressed inputs cannot be split. See ninefold merge.
    #[arg(long, value_name = "I/N", help_heading = "Execution")]
    pub(super) shard: Option<Shard>,

    #[command(flatten)]
    pub(super) reading: InputArgs,
}

/// A command that writes a record for each puzzle.
pub(super) trait Command {
    /// What becomes of a puzzle, in one word.
    type Status: Named;

    /// What the command counts.
    type Counts: Counts;

    /// The options that all such commands have.
    fn args(&self) -> &RecordsArgs<Self::Status>;

    /// The format of the records.
    fn format(&self) -> Format {
        self.args().writing.format()
    }

    /// The columns of a table of records, without the input's name.
    fn columns(&self) -> &'static [&'static str];

    /// The command's own options that the bytes of the outputs depend on, in the words of the user.
    fn identity(&self) -> Value;

    /// Checks what can be checked before any output is created.
    fn prepare(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Writes the records of the sources.
    fn write(
        &self,
        records: RecordOptions<Self::Status>,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report<Self::Counts>, bulk::Error>;

    /// What is said of a run that came to its end.
    fn summary(&self, ran: &Ran<'_, Self::Counts>) -> Said;

    /// Outputs of the command's own, each with its option and its content.
    fn other_outputs(&self) -> Vec<(&'static str, &'static str, &Option<PathBuf>)> {
        Vec::new()
    }

    /// Writes these outputs, once the records are complete.
    fn finish(&self, _total: &Self::Counts) -> Result<(), Error> {
        Ok(())
    }

    /// Whether every puzzle has the answer that was asked for.
    fn outcome(&self, total: &Self::Counts) -> Outcome;
}

/// How the records of a run are written.
pub(super) struct RecordOptions<S: Named> {
    pub(super) style: Style,
    /// Which records are written.
    pub(super) select: NameSet<S>,
    /// Whether the lines that were not answered are kept.
    pub(super) rejects: bool,
}

/// A run that came to its end.
pub(super) struct Ran<'a, C> {
    pub(super) report: &'a Report<C>,
    pub(super) time: Duration,
    /// The part of the inputs that was read.
    pub(super) shard: Option<Shard>,
    /// The inputs and options that the records depend on.
    pub(super) identity: Value,
}

/// What is said of a run.
pub(super) struct Said {
    /// For people, without the last line end.
    pub(super) text: String,
    /// One JSON object.
    pub(super) json: String,
}

/// Writes a record for every puzzle of the inputs, in their order.
pub(super) fn run<T: Command>(mut command: T) -> Result<Outcome, Error> {
    if let Some(outcome) = command.args().reading.explain()? {
        return Ok(outcome);
    }
    let mut sources = command.args().reading.open()?;
    check_outputs(&command)?;
    let mut plan = plan(&command, sources.len());
    if !plan.check()? {
        // Everything was read by an earlier run.
        return match begin(&command, plan)? {
            ControlFlow::Break(outcome) => Ok(outcome),
            ControlFlow::Continue(_) => {
                Err(Error::Failed("the outputs were removed by another program".to_owned()))
            }
        };
    }
    command.prepare()?;
    let args = command.args();
    args.reading.find_layouts(&mut sources, args.running.quiet)?;
    if let Some(shard) = args.shard {
        sources = shard.cut(sources)?;
    }
    // Of several shards one has the header of all.
    let header = args.reading.writes_header() && args.shard.is_none_or(|shard| shard.index() == 1);
    let (columns, blank) = (command.columns(), args.reading.written_blank());
    let style = args.writing.style(columns, &sources, command.format(), blank, header)?;
    let header = header_of_rejects(args, &sources)?;
    if let (Some(rejects), Some(mut header)) = (plan.outputs.get_mut(1), header) {
        header.push(b'\n');
        rejects.header = header;
    }
    plan.outputs[0].table = args.writing.table(&style, &mut sources, args.rejects.as_deref())?;
    let signals = Signals::prepare(args.running.grace);
    let mut output = match begin(&command, plan)? {
        ControlFlow::Continue(output) => output,
        ControlFlow::Break(outcome) => return Ok(outcome),
    };
    signals.run_begins();

    let (select, rejects) = (args.writing.select(), args.rejects.is_some());
    let records = RecordOptions { style, select, rejects };
    let mut bar = args.running.bar(&args.reading, &sources, args.writing.path());
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let report = match command.write(records, sources, &mut output, control) {
        Ok(report) => report,
        Err(error) => {
            let hint = resume::hint(&output.suspend(), &error);
            return Err(signals.error(error).with_hint(hint));
        }
    };
    bar.finish();

    let (shard, identity) = (args.shard, identity(&command));
    let mut said = String::new();
    output.commit(|time| {
        let Said { text, json } = command.summary(&Ran { report: &report, time, shard, identity });
        said = text;
        slowest::in_text(&mut said, report.slowest.as_ref());
        slowest::in_json(json, &command.args().running, report.slowest.as_ref())
    })?;
    command.finish(&report.total)?;
    if !args.running.quiet {
        say(said);
    }
    Ok(command.outcome(&report.total))
}

/// The outputs of a run over this many inputs.
fn plan<T: Command>(command: &T, inputs: usize) -> Plan {
    let args = command.args();
    let mode = match (args.keeping.resume, args.writing.force) {
        (true, _) => Mode::Resume,
        (false, force) => open::mode(force),
    };
    let rejects = args.rejects.as_deref().map(|path| open::planned(Some(path)));
    let outputs = std::iter::once(open::planned(args.writing.path())).chain(rejects);
    let mut plan = Plan::new(outputs.collect(), mode);
    plan.statistics = args.running.stats_json.as_deref().map(|path| open::target(Some(path)));
    plan.flush = Flush::Every(args.keeping.flush_interval);
    plan.resumable(identity(command), json!(Checkpoint::<T::Counts>::start(inputs)))
}

/// All that the bytes of the outputs depend on, in the words of the user.
fn identity<T: Command>(command: &T) -> Value {
    let args = command.args();
    let (reading, writing) = (&args.reading, &args.writing);
    let mut identity = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "inputs": resume::identity_of_inputs(&reading.inputs),
        "--lines": reading.lines,
        "--columns": reading.columns.as_ref().map(ToString::to_string),
        "--delimiter": reading.delimiter.map(in_words),
        "--no-header": reading.no_header,
        "--no-output-header": reading.no_output_header,
        "--blank": reading.blank.map(|blank| blank.to_string()),
        "--grid": reading.grid,
        "--format": command.format().name(),
        "--keep-columns": writing.keep_columns,
        "--only, --except": selection(args),
        "--rejects": args.rejects.is_some(),
        // Each shard has its own, so it is none of the options that all have.
        "FILE of --rejects": args.rejects.as_ref().map(|path| path.to_string_lossy()),
        "--shard": args.shard.map(|shard| shard.to_string()),
    });
    // Without a bound the identity is as it was before there was one.
    if let Some(branches) = args.running.max_branches {
        identity["--max-branches"] = json!(branches);
    }
    let own = command.identity();
    for (key, value) in own.as_object().into_iter().flatten() {
        identity[key] = value.clone();
    }
    identity
}

/// The statuses that are written. Without a bound no puzzle is unknown, and that it would be written says
/// nothing.
fn selection<S: Named>(args: &RecordsArgs<S>) -> String {
    let all = args.writing.select().to_string();
    let is_kept =
        |name: &&str| *name != Status::Unknown.name() || args.running.max_branches.is_some();
    all.split(',').filter(is_kept).collect::<Vec<_>>().join(",")
}

/// Opens the outputs. `Break` if an earlier run has written everything.
fn begin<T: Command>(command: &T, plan: Plan) -> Result<ControlFlow<Outcome, Transaction>, Error> {
    let name = command.args().writing.path();
    let name = name.map(|path| path.display().to_string()).unwrap_or_default();
    Ok(match Transaction::begin(plan)? {
        Begun::Open(output) => ControlFlow::Continue(output),
        Begun::Committed { reached, .. } => {
            let reached = serde_json::from_value::<Checkpoint<T::Counts>>(reached);
            let reached = reached.map_err(|error| Error::Failed(format!("{name}: {error}")))?;
            let total = reached.total();
            command.finish(&total)?;
            say(format_args!("ninefold: {name} is complete now"));
            ControlFlow::Break(command.outcome(&total))
        }
        _ => {
            say(format_args!("ninefold: {name} is complete: nothing to do"));
            ControlFlow::Break(Outcome::AllAnswered)
        }
    })
}

/// Fails if an output is also read, or if two outputs are one file.
fn check_outputs<T: Command>(command: &T) -> Result<(), Error> {
    let args = command.args();
    let mut others = vec![
        ("--stats-json", "statistics", &args.running.stats_json),
        ("--rejects", "rejects", &args.rejects),
    ];
    others.extend(command.other_outputs());
    open::check(&args.reading, &[], args.writing.output.as_deref(), &others)
}

/// The header that rejects need to be read again: the header of all inputs, if their puzzles are in
/// the same field.
fn header_of_rejects<S: Named>(
    args: &RecordsArgs<S>,
    sources: &[Source],
) -> Result<Option<Vec<u8>>, Error> {
    // An empty input has no layout of its own.
    let sources = sources.iter().filter(|source| source.length() != Some(0));
    let named = sources.map(|source| (source.name(), source.layout()));
    let mut layouts = named.filter_map(|(name, layout)| Some((name, layout?)));
    let Some((one, layout)) = layouts.next() else { return Ok(None) };
    match layouts.find(|(_, other)| !other.agrees_with(layout)) {
        Some((other, found)) if args.rejects.is_some() => {
            let what = if found.header() == layout.header() { "layout" } else { "header" };
            let reason = format!("{one} and {other} have not the same {what}");
            Err(Error::Failed(format!("--rejects: {reason}; run them one by one")))
        }
        _ => Ok(layout.header().map(<[u8]>::to_vec)),
    }
}
