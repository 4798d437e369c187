//! All outputs of a run: records, rejects, statistics, and the log that a later run needs to continue.
//! They are opened together, checkpointed together and committed together.
//!
//! ```text
//! begin ──> writing ── complete, synced ──> committing ── all outputs named, ──> log removed
//!             │  ^                              │  ^      the first one last;
//!     suspend │  │ begin with Resume            │  │      statistics written
//!     or kill v  │                        kill  v  │ begin with Resume
//!            FILE.partial                      FILE.partial or FILE
//!            FILE.partial.log                  FILE.partial.log
//! ```
//!
//! The phase is that of the last line of the log, so a crash is always in exactly one of them. In the
//! phase *writing* a later run cuts the outputs to the last checkpoint and continues. In the phase
//! *committing* it does the rest of the commit, and reads no input.
//!
//! One rule holds for all outputs: see [`Mode`]. A device or a pipe is written directly.
//!
//! Nothing here knows puzzles or formats: how far the command has come is a JSON value of its own.

use super::claims::Claims;
use super::encoding::Encoding;
use super::error::{Error, STDOUT};
use super::keeper::{Flush, Keeper};
use super::log::{Kept, Line, Log, Phase, Run, malformed};
use super::partial::{self, Found, Partial, find, follow, log_path, partial_path};
use super::sink::{Complete, Sink};
use super::table::Table;
use super::target::{Mode, Target};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The outputs of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The outputs. The log is beside the first one.
    pub outputs: Vec<Planned>,
    /// Statistics, written at the end.
    pub statistics: Option<Target>,
    /// What is done with existing files.
    pub mode: Mode,
    /// When checkpoints are written to the disk.
    pub flush: Flush,
    /// Whether a run that is resumed begins anew, because it cannot continue from a checkpoint: the
    /// partial files of the interrupted run are emptied.
    pub restarts: bool,
    /// What makes the run resumable, if its outputs go to files: its identity, and its start.
    resumable: Option<(Value, Value)>,
}

/// An output of a run.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Where it goes.
    pub target: Target,
    /// Bytes before the first ones, written together with them.
    pub header: Vec<u8>,
    /// The columns of the records, if they are rows of CSV without a header: a file whose name ends in
    /// `.parquet` needs them.
    pub table: Option<Table>,
}

impl From<Target> for Planned {
    fn from(target: Target) -> Self {
        Self { target, header: Vec::new(), table: None }
    }
}

/// A run that has begun.
#[expect(clippy::large_enum_variant, reason = "there is one for a run")]
pub enum Begun {
    /// Its outputs are open.
    Open(Transaction),
    /// An earlier run had written everything, and its commit is complete now.
    Committed {
        /// How far it had come: to the end.
        reached: Value,
        /// The time that it took.
        elapsed: Duration,
    },
    /// All outputs were complete before.
    Done,
}

/// What an earlier run left.
#[expect(clippy::large_enum_variant, reason = "there is one for a run")]
enum Earlier {
    Nothing,
    Log(Log),
    Complete,
}

impl Plan {
    /// These outputs, and no log for a later run.
    #[must_use]
    pub fn new(outputs: Vec<Planned>, mode: Mode) -> Self {
        let (statistics, flush) = (None, Flush::default());
        Self { outputs, statistics, mode, flush, restarts: false, resumable: None }
    }

    /// Lets a later run continue. `identity` is all that the bytes of the outputs depend on: a
    /// later run with another identity is refused. `start` is how far a run has come that has done
    /// nothing.
    #[must_use]
    pub fn resumable(mut self, identity: Value, start: Value) -> Self {
        self.resumable = Some((identity, start));
        self
    }

    /// Checks everything that can be checked without changing anything: before inputs are read. Returns
    /// whether they need to be: not if an earlier run has written everything.
    ///
    /// # Errors
    /// A file is in the way, two outputs are one file, or there is nothing that could be resumed.
    pub fn check(&self) -> Result<bool, Error> {
        Ok(match self.earlier()? {
            Earlier::Nothing => true,
            Earlier::Log(log) => matches!(log.line.phase, Phase::Writing(_)),
            Earlier::Complete => false,
        })
    }

    /// All targets, the first output first.
    fn targets(&self) -> impl Iterator<Item = &Target> {
        self.outputs.iter().map(|output| &output.target).chain(&self.statistics)
    }

    fn first(&self) -> &Target {
        self.outputs.first().map_or(&Target::Stdout, |output| &output.target)
    }

    fn earlier(&self) -> Result<Earlier, Error> {
        let mut claims = Claims::default();
        self.targets().try_for_each(|target| claims.write(target))?;
        let is_resumed = self.mode == Mode::Resume;
        let earlier = if is_resumed { self.to_resume()? } else { Earlier::Nothing };
        match &earlier {
            Earlier::Nothing if self.mode != Mode::Replace => {
                self.targets().try_for_each(check_free)?;
            }
            Earlier::Log(Log { run, line, .. })
                if !run.replaces && matches!(line.phase, Phase::Writing(_)) =>
            {
                let mut others = self.targets().skip(1).filter_map(Target::path);
                if let Some(other) = others.find(|path| is(path, Found::File)) {
                    let why = "exists; it was made after the interrupted run";
                    return Err(Error::refused(other, why));
                }
            }
            _ => {}
        }
        Ok(earlier)
    }

    /// What an earlier run left that this one is to continue.
    fn to_resume(&self) -> Result<Earlier, Error> {
        let Some((identity, _)) = &self.resumable else {
            return Err(Error::refused(name(self.first()), "cannot be resumed"));
        };
        let Some(given) = self.first().path() else {
            let why = "--resume takes -o FILE: what went to standard output is lost";
            return Err(Error::refused(Path::new(STDOUT), why));
        };
        let path = followed(given)?;
        let found = find(&path).map_err(|cause| Error::new(given, cause))?;
        if Encoding::of_path(given) == Encoding::Parquet && found != Found::File {
            let why = "--resume cannot continue a Parquet file, whose index is written last: run \
                       without --resume, with --force if a partial file is left; or write .csv.zst";
            return Err(Error::refused(given, why));
        }
        if found == Found::Direct {
            let why = "--resume takes a file: what went to a device or a pipe is lost";
            return Err(Error::refused(given, why));
        }
        let others = self.outputs.iter().skip(1).map(|output| &output.target);
        let is_direct = |target: &&Target| target.path().is_none_or(|at| is(at, Found::Direct));
        if let Some(rejects) = others.clone().find(is_direct) {
            let why = "--resume takes a file for --rejects: what went elsewhere is lost";
            return Err(Error::refused(name(rejects), why));
        }
        let partial = partial_path(&path);
        let is_begun = fs::symlink_metadata(&partial).is_ok();
        let refused = |why: String| Err(Error::refused(given, why));
        if is_begun && partial::is_being_written(&partial) {
            return refused(format!("another run is writing {}", partial.display()));
        }
        if !is_begun && found == Found::Nothing {
            // A log alone has nothing that could be continued.
            return Ok(Earlier::Nothing);
        }
        let is_complete = found == Found::File;
        let log = Log::read(&path, identity)?;
        if let Some(Log { line: Line { phase, .. }, .. }) = &log
            && let Phase::Committing { owes_statistics, .. } = phase
        {
            if *owes_statistics && self.statistics.is_none() {
                let why = "the interrupted run has yet to write its statistics: --resume needs the \
                           same --stats-json FILE";
                return refused(why.to_owned());
            }
            return Ok(log.map_or(Earlier::Nothing, Earlier::Log));
        }
        let (name, partial_name) = (path.display(), partial.display());
        match log {
            Some(log) if is_begun && (log.run.replaces || !is_complete) => Ok(Earlier::Log(log)),
            _ if is_begun && is_complete => refused(format!(
                "exists, and so does {partial_name}: move {name} away to continue; --force begins anew"
            )),
            Some(_) => {
                refused(format!("exists, but {partial_name} is missing; --force begins anew"))
            }
            None if is_complete => {
                let mut others = others.chain(&self.statistics).filter_map(Target::path);
                others.find(|path| !path.is_file()).map_or(Ok(Earlier::Complete), |lost| {
                    let lost = lost.display();
                    refused(format!("is complete, but {lost} cannot be made from what is left"))
                })
            }
            None if partial::is_vacant(&path) || !partial.is_file() => Ok(Earlier::Nothing),
            None => {
                let log = log_path(&path);
                let why = format!("{partial_name} cannot be continued, for there is no");
                refused(format!("{why} {}; --force begins anew", log.display()))
            }
        }
    }

    /// Whether a later run could continue this one.
    fn is_resumable(&self) -> bool {
        let is_resumable = |output: &Planned| {
            output.target.path().is_some_and(|path| {
                let found = follow(path).and_then(|path| find(&path));
                found.is_ok_and(|found| found != Found::Direct)
                    && Encoding::of_path(path) != Encoding::Parquet
            })
        };
        self.resumable.is_some() && self.outputs.iter().all(is_resumable)
    }
}

/// Fails if a file of this name exists, or a partial file that an earlier run left.
///
/// # Errors
/// With the option that helps.
pub fn check_free(target: &Target) -> Result<(), Error> {
    let Some(given) = target.path() else { return Ok(()) };
    // What else is wrong with the name is said when it is opened.
    let Ok(path) = follow(given) else { return Ok(()) };
    let why = match find(&path) {
        Ok(Found::File) => "exists; --force replaces it".to_owned(),
        Ok(Found::Partial) if !partial::is_vacant(&path) => left_by_earlier_run(&path),
        _ => return Ok(()),
    };
    Err(Error::refused(given, why))
}

/// Why a partial file prevents the run, and the option that helps.
fn left_by_earlier_run(path: &Path) -> String {
    let partial = partial_path(path);
    let name = partial.display();
    if fs::metadata(&partial).is_ok_and(|about| !about.is_file()) {
        format!("{name} is no regular file")
    } else if partial::is_being_written(&partial) {
        format!("another run is writing {name}")
    } else if partial::has_log(path) {
        format!("an earlier run left {name}; --force begins anew, solve --resume continues")
    } else {
        format!("an earlier run left {name}; --force begins anew")
    }
}

fn is(path: &Path, what: Found) -> bool {
    follow(path).and_then(|path| find(&path)).is_ok_and(|found| found == what)
}

fn name(target: &Target) -> &Path {
    target.path().unwrap_or(Path::new(STDOUT))
}

fn followed(given: &Path) -> Result<PathBuf, Error> {
    follow(given).map_err(|cause| Error::new(given, cause))
}

/// The outputs of a run, open.
///
/// Of a transaction that is dropped, the last checkpoint that was written to the disk can be
/// continued.
pub struct Transaction {
    outputs: Vec<Open>,
    /// Opened first and written last, so that a long run does not end with an error.
    statistics: Option<Sink>,
    /// If a later run can continue this one.
    keeper: Option<Keeper>,
    /// How far an earlier run had come.
    resumed: Option<Value>,
    /// The file of the first output, through links.
    path: Option<PathBuf>,
    replaces: bool,
    started: Instant,
    earlier: Duration,
}

struct Open {
    sink: Sink,
    header: Vec<u8>,
    is_empty: bool,
}

/// These outputs alone. What was written is kept if the run fails, as the sinks keep it.
impl From<Vec<Sink>> for Transaction {
    fn from(sinks: Vec<Sink>) -> Self {
        let open = |sink| Open { sink, header: Vec::new(), is_empty: true };
        Self {
            outputs: sinks.into_iter().map(open).collect(),
            statistics: None,
            keeper: None,
            resumed: None,
            path: None,
            replaces: false,
            started: Instant::now(),
            earlier: Duration::ZERO,
        }
    }
}

impl From<Sink> for Transaction {
    fn from(sink: Sink) -> Self {
        Self::from(vec![sink])
    }
}

impl Transaction {
    /// Opens all outputs, or none. A run that waits for the reader of a pipe blocks here.
    ///
    /// # Errors
    /// See [`Plan::check`]; or an output cannot be opened, locked, or given its name.
    pub fn begin(plan: Plan) -> Result<Begun, TransactionError> {
        Ok(match plan.earlier()? {
            Earlier::Nothing => Begun::Open(Self::fresh(plan)?),
            Earlier::Log(log) => match &log.line.phase {
                Phase::Writing(_) => Begun::Open(Self::resume(&plan)?),
                Phase::Committing { .. } => return finish_commit(&plan, log),
            },
            Earlier::Complete => Begun::Done,
        })
    }

    fn fresh(plan: Plan) -> Result<Self, Error> {
        let replaces = plan.mode == Mode::Replace;
        let is_resumable = plan.is_resumable();
        let mut outputs = Vec::new();
        let mut path = None;
        for Planned { target, header, table } in plan.outputs {
            let sink = open(&target, replaces, table.as_ref())?;
            if let (true, Some(given), true) =
                (outputs.is_empty(), target.path(), sink.partial_path().is_some())
            {
                let path = path.insert(followed(given)?);
                // A log that is left is of records that do not exist any more.
                Log::remove(path)?;
            }
            outputs.push(Open { sink, header, is_empty: true });
        }
        let statistics = plan.statistics.map(|target| open(&target, replaces, None)).transpose()?;
        let mut keeper = None;
        if let (true, Some(path), Some((identity, reached))) = (is_resumable, &path, plan.resumable)
        {
            for output in &mut outputs {
                output.sink.hash();
            }
            let phase = Phase::Writing(vec![Kept::default(); outputs.len()]);
            let line = Line { phase, time: Duration::ZERO, reached };
            let mut log = Log::new(path, Run { identity, replaces }, line);
            log.write()?;
            keeper = Some(Keeper::start(log, files(&outputs)?, plan.flush)?);
        }
        if path.is_some() {
            for output in &mut outputs {
                output.sink.keep(true);
            }
        }
        Ok(Self { outputs, statistics, keeper, path, replaces, ..Self::from(Vec::new()) })
    }

    fn resume(plan: &Plan) -> Result<Self, Error> {
        let given = name(plan.first());
        let path = followed(given)?;
        // From here on no other run writes the log, so what it says is final.
        let first = lock(given)?;
        let identity = plan.resumable.as_ref().map_or(&Value::Null, |(identity, _)| identity);
        let busy = || Error::new(given, partial::busy());
        let mut log = Log::read(&path, identity)?.ok_or_else(busy)?;
        let Phase::Writing(mut kept) = log.line.phase.clone() else { return Err(busy()) };
        if plan.restarts {
            kept.fill(Kept::default());
            log.line.time = Duration::ZERO;
            log.line.reached =
                plan.resumable.as_ref().map_or(Value::Null, |(_, start)| start.clone());
        }
        let Log { run, line, .. } = &log;
        let (replaces, earlier, reached) = (run.replaces, line.time, line.reached.clone());
        if kept.len() != plan.outputs.len() {
            return Err(Error::refused(given, "is of a run with other outputs"));
        }
        let others = plan.outputs.iter().skip(1).map(|output| lock(name(&output.target)));
        let mut checked = Vec::new();
        for (partial, kept) in std::iter::once(Ok(first)).chain(others).zip(kept) {
            let mut partial = partial?;
            partial.replaces = replaces;
            let given = name(&plan.outputs[checked.len()].target);
            let hasher = partial.check_kept(kept.file).map_err(|cause| Error::new(given, cause))?;
            checked.push((partial, kept, hasher));
        }
        let statistics = plan.statistics.as_ref().map(|target| open(target, replaces, None));
        let statistics = statistics.transpose()?;
        // Everything has been checked. Only now is something changed.
        let mut outputs = Vec::new();
        for ((partial, kept, hasher), planned) in checked.into_iter().zip(&plan.outputs) {
            let sink = Sink::resume(name(&planned.target), partial, &kept, hasher)?;
            outputs.push(Open { sink, header: planned.header.clone(), is_empty: kept.is_empty() });
        }
        let keeper = Some(Keeper::start(log, files(&outputs)?, plan.flush)?);
        let (resumed, path, base) = (Some(reached), Some(path), Self::from(Vec::new()));
        Ok(Self { outputs, statistics, keeper, resumed, path, replaces, earlier, ..base })
    }

    /// How far an earlier run had come, if this one continues it.
    ///
    /// # Errors
    /// It is not such a value: the log is damaged.
    pub fn resumed<P: DeserializeOwned>(&self) -> Result<Option<P>, Error> {
        let reached = self.resumed.clone().map(serde_json::from_value).transpose();
        let log = log_path(self.path.as_deref().unwrap_or(Path::new("")));
        reached.map_err(|error| malformed(&log, &error))
    }

    /// The time of the runs that this one continues.
    #[must_use]
    pub const fn earlier(&self) -> Duration {
        self.earlier
    }

    /// The partial file of the first output, if it is a file that a later run could continue.
    #[must_use]
    pub fn partial(&self) -> Option<PathBuf> {
        self.path.as_deref().map(partial_path)
    }

    /// How many outputs there are, without the statistics.
    #[must_use]
    pub const fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Writes what comes before all records of an output, unless an earlier run has written it.
    ///
    /// # Errors
    /// See [`Sink::write`].
    pub fn write_preamble(&mut self, output: usize, bytes: &[u8]) -> Result<(), Error> {
        let is_empty = self.outputs.get(output).is_some_and(|output| output.is_empty);
        if is_empty { self.write(output, bytes) } else { Ok(()) }
    }

    /// Writes to an output: its header before the first bytes. Does nothing if there is no such output.
    ///
    /// # Errors
    /// See [`Sink::write`].
    pub fn write(&mut self, output: usize, bytes: &[u8]) -> Result<(), Error> {
        let Some(Open { sink, header, is_empty }) = self.outputs.get_mut(output) else {
            return Ok(());
        };
        if bytes.is_empty() {
            return Ok(());
        }
        if std::mem::take(is_empty) && !header.is_empty() {
            sink.write(header)?;
        }
        sink.write(bytes)
    }

    /// All that was written so far belongs together, and a later run can continue after it. `update`
    /// changes how far the run has come. Cheap: see [`Flush`] for when it is written to the disk. Does
    /// nothing if no later run can continue.
    ///
    /// # Errors
    /// A checkpoint, this one or one before, cannot be written to the disk.
    pub fn checkpoint(&mut self, update: impl FnOnce(&mut Value)) -> Result<(), Error> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        keeper.advance(self.outputs.iter().map(|output| output.sink.mark()).collect(), update)
    }

    /// Writes a whole output. If `write` fails, what it has written is not the output.
    ///
    /// # Errors
    /// That of `write`, or the output cannot be completed.
    pub fn whole<R, E: From<Error>>(
        sink: Sink,
        write: impl FnOnce(&mut Self) -> Result<R, E>,
    ) -> Result<R, E> {
        let mut output = Self::from(sink);
        let report = write(&mut output)?;
        output.commit(|_| String::new()).map_err(|failed| failed.error)?;
        Ok(report)
    }

    /// Ends the run early: the last checkpoint is written to the disk. Returns the remaining files.
    pub fn suspend(mut self) -> Left {
        // If it cannot be written, the checkpoint before it is the last.
        let _ = self.keeper.as_mut().map(Keeper::suspend);
        self.left()
    }

    /// The run has come to its end: completes all outputs and gives them their names, and writes
    /// the statistics. `statistics` is given the time of all runs.
    ///
    /// # Errors
    /// Something cannot be written or renamed. A later run can do the rest.
    pub fn commit(
        self,
        statistics: impl FnOnce(Duration) -> String,
    ) -> Result<(), TransactionError> {
        let left = self.left();
        let Self { outputs, statistics: to, mut keeper, path, started, earlier, .. } = self;
        let complete = outputs.into_iter().map(|output| output.sink.complete());
        let complete = match complete.collect::<Result<Vec<_>, _>>() {
            Ok(complete) => complete,
            Err(error) => {
                let _ = keeper.as_mut().map(Keeper::suspend);
                return Err(TransactionError { error, left });
            }
        };
        let text = statistics(earlier + started.elapsed());
        let (mut unnamed, mut unwritten) = (left.clone(), Left::Nothing);
        if let (Some(keeper), Some(path)) = (&mut keeper, &path) {
            let bytes = complete.iter().map(|output| output.bytes).collect();
            let (statistics, owes_statistics) = (text.clone(), to.is_some());
            let phase = Phase::Committing { bytes, statistics, owes_statistics };
            keeper.commit(phase).map_err(|error| TransactionError { error, left })?;
            unnamed = Left::Unnamed { records: path.clone() };
            unwritten = Left::WithoutStatistics { records: path.clone() };
        }
        let named = complete.into_iter().rev().try_for_each(Complete::publish);
        named.map_err(|error| TransactionError { error, left: unnamed })?;
        let written = to.map_or(Ok(()), |sink| write_statistics(sink, &text));
        written.map_err(|error| TransactionError { error, left: unwritten })?;
        if let (Some(_), Some(path)) = (keeper, path) {
            // The commit is complete. A log that stays is removed by the next run with --resume.
            let _ = Log::remove(&path);
        }
        Ok(())
    }

    /// What a run leaves that ends now.
    fn left(&self) -> Left {
        let partials = self.outputs.iter().filter_map(|output| output.sink.partial_path());
        let partials = partials.filter(|path| path.exists()).map(|path| path.display().to_string());
        let (files, replaces) = (partials.collect::<Vec<_>>().join(" and "), self.replaces);
        match (&self.path, &self.keeper) {
            (None, _) => Left::Nothing,
            (Some(path), _) if !partial_path(path).exists() => Left::Nothing,
            (Some(_), None) => Left::Records { files },
            (Some(_), Some(_)) => Left::Resumable { files, replaces },
        }
    }
}

/// Completes the commit of an earlier run.
fn finish_commit(plan: &Plan, log: Log) -> Result<Begun, TransactionError> {
    let given = name(plan.first());
    let path = followed(given)?;
    let Line { phase: Phase::Committing { bytes, statistics, .. }, time, reached } = log.line
    else {
        return Err(Error::refused(given, "is not being committed").into());
    };
    if bytes.len() != plan.outputs.len() {
        return Err(Error::refused(given, "is of a run with other outputs").into());
    }
    let replaces = log.run.replaces;
    let completed = plan.outputs.iter().zip(bytes);
    let completed = completed.map(|(output, bytes)| completed_by(&output.target, replaces, bytes));
    let completed: Vec<Completed> = completed.collect::<Result<_, _>>()?;
    let (mut locks, mut unnamed) = (Vec::new(), Vec::new());
    for output in completed {
        match output {
            Completed::Named(lock) => locks.push(lock),
            Completed::Unnamed(complete) => unnamed.push(complete),
        }
    }
    let named = unnamed.into_iter().rev().try_for_each(Complete::publish);
    let left = || Left::Unnamed { records: path.clone() };
    named.map_err(|error| TransactionError { error, left: left() })?;
    if let Some(target) = &plan.statistics {
        let written = write_statistics_again(target, replaces, &statistics);
        let left = || Left::WithoutStatistics { records: path.clone() };
        written.map_err(|error| TransactionError { error, left: left() })?;
    }
    Log::remove(&path)?;
    Ok(Begun::Committed { reached, elapsed: time })
}

/// The complete file of an earlier run, locked, under either of its names.
enum Completed {
    Named(fs::File),
    Unnamed(Complete),
}

fn completed_by(target: &Target, replaces: bool, bytes: u64) -> Result<Completed, Error> {
    let given = name(target);
    let find = || {
        let path = follow(given)?;
        if !partial_path(&path).exists() {
            return Ok(Completed::Named(partial::lock_complete(&path, bytes)?));
        }
        let mut partial = Partial::of_earlier_run(&path)?;
        partial.replaces = replaces;
        partial.check_len(bytes)?;
        Ok(Completed::Unnamed(Complete::of_earlier_run(given, partial, bytes)))
    };
    find().map_err(|cause: io::Error| Error::new(given, cause))
}

/// Writes statistics unless the earlier run did. It may have been killed in the middle.
fn write_statistics_again(target: &Target, replaces: bool, text: &str) -> Result<(), Error> {
    if let Some(given) = target.path() {
        let path = followed(given)?;
        if is(&path, Found::File) && fs::read(&path).is_ok_and(|found| found == text.as_bytes()) {
            return Ok(());
        }
        let partial = partial_path(&path);
        let is_begun = partial.is_file()
            && fs::read(&partial).is_ok_and(|found| text.as_bytes().starts_with(&found));
        if is_begun {
            partial::discard(&path).map_err(|cause| Error::new(given, cause))?;
        }
    }
    write_statistics(open(target, replaces, None)?, text)
}

fn write_statistics(mut sink: Sink, text: &str) -> Result<(), Error> {
    sink.write(text.as_bytes())?;
    sink.finish()
}

/// Opens an output; `table` describes its records if they have columns. If it is never finished, no
/// partial file is left.
fn open(target: &Target, replaces: bool, table: Option<&Table>) -> Result<Sink, Error> {
    match target.path() {
        Some(path) => Sink::open_table(path, replaces, table),
        None => Ok(Sink::stdout()),
    }
}

/// The partial files of these outputs.
fn files(outputs: &[Open]) -> Result<Vec<fs::File>, Error> {
    outputs.iter().filter_map(|output| output.sink.file().transpose()).collect()
}

/// Locks the partial file of the run that is continued.
fn lock(given: &Path) -> Result<Partial, Error> {
    let path = followed(given)?;
    let locked = Encoding::of_path(given).check().and_then(|()| Partial::of_earlier_run(&path));
    locked.map_err(|cause| Error::new(given, cause))
}

/// What an unfinished run leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// Records that no later run can continue.
    Records {
        /// Where they are.
        files: String,
    },
    /// Records that a later run can continue.
    Resumable {
        /// Where they are.
        files: String,
        /// Whether the run was started to replace existing files.
        replaces: bool,
    },
    /// All records, in files that do not have their names yet. A later run completes the commit.
    Unnamed {
        /// The file that they go to.
        records: PathBuf,
    },
    /// All records, and no statistics. A later run completes the commit.
    WithoutStatistics {
        /// The file that has them.
        records: PathBuf,
    },
}

impl Left {
    /// A hint for the user. `what` names the records: `records`, `puzzles`.
    #[must_use]
    pub fn hint(&self, what: &str) -> Option<String> {
        Some(match self {
            Self::Nothing => return None,
            Self::Records { files } => format!("the {what} so far are in {files}"),
            Self::Resumable { files, replaces } => {
                let instead = if *replaces { " instead of --force" } else { "" };
                format!(
                    "the {what} so far are in {files}: with --resume{instead} the same command \
                     continues"
                )
            }
            Self::Unnamed { records } => format!(
                "all {what} of {} are written: with --resume the same command names the files",
                records.display()
            ),
            Self::WithoutStatistics { records } => format!(
                "{} is complete: with --resume the same command writes the statistics",
                records.display()
            ),
        })
    }
}

/// A transaction that failed, and the remaining files.
#[derive(Debug)]
pub struct TransactionError {
    /// The reason.
    pub error: Error,
    /// What is left.
    pub left: Left,
}

impl From<Error> for TransactionError {
    fn from(error: Error) -> Self {
        Self { error, left: Left::Nothing }
    }
}

impl fmt::Display for TransactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for TransactionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}
