//! All outputs of a run: records, rejects, statistics, and the log that a later run needs to continue.
//! They are opened together, checkpointed together and committed together.
//!
//! ```text
//! begin ──> writing ── complete, synced ──> committing ── all outputs named, ──> log removed
//!             │  ^                              │  ^      the first one last   (kept with Resume)
//!     suspend │  │ begin with Resume            │  │
//!     or kill v  │                        kill  v  │ begin with Resume
//!            FILE.partial                      FILE.partial or FILE
//!            FILE.partial.log                  FILE.partial.log
//! ```
//!
//! The phase is that of the last line of the log, so a crash is always in exactly one of them. In the
//! phase *writing* a later run cuts the outputs to the last checkpoint and continues. In the phase
//! *committing* it does the rest of the commit, and reads no input. The log of a complete run with Resume
//! stays in this phase: it says what the files are, and how the run ended.
//!
//! Statistics are written when all outputs are named, and are no part of this: the log has their text, so
//! a later run with Resume writes them if they are missing.
//!
//! One rule holds for all outputs: see [`Mode`]. A device or a pipe is written directly.
//!
//! Nothing here knows puzzles or formats: how far the command has come is a JSON value of its own.

use super::claims::Claims;
use super::disk;
use super::encoder;
use super::encoding::{Encoding, is_parquet};
use super::error::{Error, STDOUT};
use super::keeper::Keeper;
use super::log::{Log, LogEntry, LogHeader, Phase, ValidPart, malformed};
use super::partial::{self, Mode, PartialFile, follow, is_being_written, log_path, partial_path};
use super::press::PressWork;
use super::sink::Sink;
use super::table::Table;
use crate::extent::Extent;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fs;
use std::io::{self, Read};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The outputs of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The outputs. The log is beside the first one.
    pub outputs: Vec<Planned>,
    /// Statistics, written at the end.
    pub statistics: Option<Planned>,
    /// What is done with existing files.
    pub mode: Mode,
    /// A checkpoint is written to the disk at most once in this time: a kill costs the work of this
    /// time, and of the time that the disk takes. If it is zero, each is written at once.
    pub interval: Duration,
    /// Whether a run that is resumed begins anew, because it cannot continue from a checkpoint: the
    /// partial files of the interrupted run are emptied.
    pub restarts: bool,
    /// What makes the run resumable, if its outputs go to files: its identity, and its start.
    resumable: Option<(Value, Value)>,
}

/// An output of a run.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// The file, device or pipe. `None` is standard output.
    pub path: Option<PathBuf>,
    /// Bytes before the first ones, written together with them.
    pub header: Vec<u8>,
    /// The columns of the records, if they are rows of CSV without a header: a file whose name ends in
    /// `.parquet` needs them.
    pub table: Option<Table>,
}

impl From<Option<PathBuf>> for Planned {
    fn from(path: Option<PathBuf>) -> Self {
        Self { path, ..Self::default() }
    }
}

impl Planned {
    fn name(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(STDOUT))
    }

    /// Whether it is written directly, so that no later run can continue it.
    fn is_direct(&self) -> bool {
        self.path.as_ref().is_none_or(|path| partial::is_direct(path))
    }

    /// Opens it. If it is never finished, no partial file is left.
    fn open(&self, replaces: bool) -> Result<Sink, Error> {
        let mut sink = match &self.path {
            Some(path) => Sink::open_as(path, replaces, self.table.as_ref())?,
            None => Sink::stdout(),
        };
        sink.header.clone_from(&self.header);
        Ok(sink)
    }

    /// Locks the partial file of the run that is continued.
    fn lock(&self, replaces: bool) -> Result<PartialFile, Error> {
        let encoding = Encoding::of_path(self.name()).check();
        let locked = encoding.and_then(|()| PartialFile::of_earlier_run(self.name(), replaces));
        locked.map_err(|cause| Error::new(self.name(), cause))
    }
}

/// A run that has begun.
#[expect(clippy::large_enum_variant, reason = "there is one for a run")]
pub enum Begun {
    /// Its outputs are open.
    Open(Transaction),
    /// An earlier run had written everything, and its commit is complete now. It had come this far: to
    /// the end.
    Committed(Value),
    /// An earlier run was complete. It had come this far.
    Done(Value),
}

impl Plan {
    /// These outputs, and no log for a later run.
    pub fn new(outputs: Vec<Planned>, mode: Mode) -> Self {
        let interval = Duration::from_secs(1);
        Self { outputs, statistics: None, mode, interval, restarts: false, resumable: None }
    }

    /// Lets a later run continue. `identity` is all that the bytes of the outputs depend on: a
    /// later run with another identity is refused. `start` is how far a run has come that has done
    /// nothing.
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
        Ok(self.earlier()?.is_none_or(|log| matches!(log.line.phase, Phase::Writing(_))))
    }

    /// All outputs, the statistics last.
    fn all(&self) -> impl Iterator<Item = &Planned> {
        self.outputs.iter().chain(&self.statistics)
    }

    /// Whether existing files are replaced: also if the same run was complete, and its records are lost.
    fn replaces(&self) -> bool {
        let was_complete = |(identity, _): &(Value, Value)| {
            let path = followed(self.outputs[0].name()).ok().filter(|path| !path.exists());
            let log = path.and_then(|path| Log::read(&path, identity).ok().flatten());
            log.is_some_and(|log| matches!(log.line.phase, Phase::Committing { is_done: true, .. }))
        };
        self.mode == Mode::Replace
            || self.mode == Mode::Resume && self.resumable.as_ref().is_some_and(was_complete)
    }

    /// The log of an earlier run, if it left anything that this one is to continue.
    fn earlier(&self) -> Result<Option<Log>, Error> {
        let mut claims = Claims::default();
        self.all().try_for_each(|output| claims.write(output.path.as_deref()))?;
        let is_resumed = self.mode == Mode::Resume;
        let earlier = if is_resumed { self.to_resume()? } else { None };
        match &earlier {
            None if !self.replaces() => {
                self.all().filter_map(|output| output.path.as_deref()).try_for_each(check_free)?;
            }
            Some(Log { run, line, .. })
                if !run.replaces && matches!(line.phase, Phase::Writing(_)) =>
            {
                let mut others = self.all().skip(1).filter_map(|output| output.path.as_deref());
                if let Some(other) = others.find(|path| path.is_file()) {
                    let why = "exists; it was made after the interrupted run";
                    return Err(Error::refused(other, why));
                }
            }
            _ => {}
        }
        Ok(earlier)
    }

    /// What an earlier run left that this one is to continue.
    fn to_resume(&self) -> Result<Option<Log>, Error> {
        let (first, others) = self.outputs.split_first().expect("records are an output");
        let given = first.name();
        let refused = |why: &str| Err(Error::refused(given, why));
        let Some((identity, _)) = &self.resumable else {
            return refused("cannot be resumed");
        };
        if first.path.is_none() {
            return refused("--resume takes -o FILE: what went to standard output is lost");
        }
        let path = followed(given)?;
        if first.is_direct() {
            return refused("--resume takes a file: what went to a device or a pipe is lost");
        }
        let is_complete =
            partial::about(&path).map_err(|cause| Error::new(given, cause))?.is_some();
        if let Some(rejects) = others.iter().find(|output| output.is_direct()) {
            let why = "--resume takes a file for --rejects: what went elsewhere is lost";
            return Err(Error::refused(rejects.name(), why));
        }
        let partial = partial_path(&path);
        let is_begun = fs::symlink_metadata(&partial).is_ok();
        let log = log_path(&path);
        let (name, partial_name, log_name) = (path.display(), partial.display(), log.display());
        if is_begun && is_being_written(&partial) {
            return refused(&format!("another run is writing {partial_name}"));
        }
        if !is_begun && !is_complete {
            // A log alone has nothing that could be continued.
            return Ok(None);
        }
        match Log::read(&path, identity)? {
            Some(log) if matches!(log.line.phase, Phase::Committing { .. }) => Ok(Some(log)),
            Some(log) if is_begun && (log.run.replaces || !is_complete) => Ok(Some(log)),
            _ if is_begun && is_complete => refused(&format!(
                "exists, and so does {partial_name}: move {name} away to continue; --force begins anew"
            )),
            Some(_) => {
                refused(&format!("exists, but {partial_name} is missing; --force begins anew"))
            }
            None if is_complete => refused(&format!(
                "exists, and there is no {log_name}: a run without --resume made it, and then it is complete, or \
                 another program; --force replaces it"
            )),
            None if fs::metadata(&partial).is_ok_and(|about| about.len() == 0) => Ok(None),
            None if !partial.is_file() => Ok(None),
            None => refused(&format!(
                "{partial_name} cannot be continued, for there is no {log_name}; --force begins anew"
            )),
        }
    }
}

/// Fails if a file of this name exists, or a partial file that an earlier run left.
///
/// # Errors
/// With the option that helps.
pub fn check_free(given: &Path) -> Result<(), Error> {
    // What else is wrong with the name is said when it is opened.
    let Ok(path) = follow(given) else { return Ok(()) };
    let partial = partial_path(&path);
    let name = partial.display();
    let left = format!("an earlier run left {name}; --force begins anew");
    let why = match (partial::about(&path), fs::metadata(&partial)) {
        (Ok(Some(about)), _) if about.is_file() => "exists; --force replaces it".to_owned(),
        (Ok(None), Ok(about)) if !about.is_file() => format!("{name} is no regular file"),
        (Ok(None), Ok(_)) if is_being_written(&partial) => format!("another run is writing {name}"),
        (Ok(None), Ok(_)) if partial::has_log(&path) => left + ", --resume continues",
        (Ok(None), Ok(about)) if about.len() > 0 => left,
        (Ok(None), Err(_)) if partial.is_symlink() => left,
        _ => return Ok(()),
    };
    Err(Error::refused(given, why))
}

fn followed(given: &Path) -> Result<PathBuf, Error> {
    follow(given).map_err(|cause| Error::new(given, cause))
}

/// The outputs of a run, open.
///
/// Of a transaction that is dropped, the last checkpoint that was written to the disk can be
/// continued.
pub struct Transaction {
    outputs: Vec<Sink>,
    /// Opened first and written last, so that a long run does not end with an error.
    statistics: Option<Sink>,
    /// If a later run can continue this one.
    keeper: Option<Keeper>,
    /// How far an earlier run had come, and what is kept of each output.
    resumed: Option<(Value, Vec<ValidPart>)>,
    /// The file of the first output, through links.
    path: Option<PathBuf>,
    /// Whether the log stays when the run is complete.
    keeps_log: bool,
    started: Instant,
}

/// These outputs alone. What was written is kept if the run fails, as the sinks keep it.
impl From<Vec<Sink>> for Transaction {
    fn from(outputs: Vec<Sink>) -> Self {
        Self {
            outputs,
            statistics: None,
            keeper: None,
            resumed: None,
            path: None,
            keeps_log: false,
            started: Instant::now(),
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
    pub fn begin(plan: Plan) -> Result<Begun, Error> {
        Ok(match plan.earlier()? {
            None => Begun::Open(Self::fresh(plan)?),
            Some(log) => match log.line.phase {
                Phase::Writing(_) => Begun::Open(Self::resume(&plan)?),
                Phase::Committing { .. } => finish_commit(&plan, log)?,
            },
        })
    }

    fn fresh(plan: Plan) -> Result<Self, Error> {
        let (replaces, keeps_log) = (plan.replaces(), plan.mode == Mode::Resume);
        let is_resumable = !plan.outputs.iter().any(Planned::is_direct);
        let outputs = plan.outputs.iter().map(|output| output.open(replaces));
        let mut outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        let path = outputs.first().and_then(|it| Some(it.partial.as_ref()?.path.clone()));
        // A log that is left is of records that do not exist any more.
        path.as_deref().map_or(Ok(()), Log::remove)?;
        let statistics = plan.statistics.map(|output| output.open(replaces)).transpose()?;
        let mut keeper = None;
        if let (true, Some(path), Some((identity, reached))) = (is_resumable, &path, plan.resumable)
        {
            let phase = Phase::Writing(vec![ValidPart::default(); outputs.len()]);
            let line = LogEntry { phase, time: Duration::ZERO, reached };
            let mut log = Log::new(path, LogHeader { identity, replaces }, line);
            log.write()?;
            keeper = Some(Keeper::start(log, &outputs, plan.interval));
        }
        let partials = outputs.iter_mut().filter_map(|output| output.partial.as_mut());
        partials.for_each(|partial| partial.stays = path.is_some());
        Ok(Self { statistics, keeper, path, keeps_log, ..Self::from(outputs) })
    }

    fn resume(plan: &Plan) -> Result<Self, Error> {
        let (Some(first), Some((identity, start))) = (plan.outputs.first(), &plan.resumable) else {
            unreachable!("a log was found")
        };
        let path = followed(first.name())?;
        // From here on no other run writes the log, so what it says is final.
        let mut locked = vec![first.lock(false)?];
        let busy = || Error::new(first.name(), disk::busy());
        let mut log = Log::read(&path, identity)?.ok_or_else(busy)?;
        let Phase::Writing(mut kept) = log.line.phase.clone() else { return Err(busy()) };
        if plan.restarts || plan.outputs.iter().any(|output| is_parquet(output.name())) {
            kept.fill(ValidPart::default());
            (log.line.time, log.line.reached) = (Duration::ZERO, start.clone());
        }
        let (replaces, reached) = (log.run.replaces, log.line.reached.clone());
        if kept.len() != plan.outputs.len() {
            return Err(Error::refused(first.name(), "is of a run with other outputs"));
        }
        for output in &plan.outputs[1..] {
            locked.push(output.lock(replaces)?);
        }
        locked[0].replaces = replaces;
        let mut checked = Vec::new();
        for ((output, partial), kept) in plan.outputs.iter().zip(locked).zip(&kept) {
            let hasher = partial.check_kept(kept.file);
            let hasher = hasher.map_err(|cause| Error::new(output.name(), cause))?;
            checked.push((output, partial, kept, hasher));
        }
        let statistics = plan.statistics.as_ref().map(|output| output.open(replaces));
        let statistics = statistics.transpose()?;
        // Everything has been checked. Only now is something changed.
        let mut outputs = Vec::new();
        for (output, partial, kept, hasher) in checked {
            let mut sink =
                Sink::resume(output.name(), partial, kept, hasher, output.table.as_ref())?;
            sink.header.clone_from(&output.header);
            outputs.push(sink);
        }
        let keeper = Some(Keeper::start(log, &outputs, plan.interval));
        let (resumed, path, base) = (Some((reached, kept)), Some(path), Self::from(outputs));
        let keeps_log = true;
        Ok(Self { statistics, keeper, resumed, path, keeps_log, ..base })
    }

    /// Compresses a part of what was written, if some of it waits for that: on any thread, at any time.
    pub fn work(&self) -> impl Fn() -> bool + Send + Sync + use<> {
        let work: Vec<_> = self.outputs.iter().filter_map(Sink::work).collect();
        move || work.iter().any(PressWork::help)
    }

    /// How far an earlier run had come, if this one continues it.
    ///
    /// # Errors
    /// It is not such a value: the log is damaged.
    pub fn resumed<P: DeserializeOwned>(&self) -> Result<Option<P>, Error> {
        let reached = self.resumed.as_ref().map(|(reached, _)| reached.clone());
        let reached = reached.map(serde_json::from_value).transpose();
        let log = log_path(self.path.as_deref().unwrap_or(Path::new("")));
        reached.map_err(|error| malformed(&log, &error))
    }

    /// The text of the first output that an earlier run has written. It is read before anything is written.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn written(&self) -> Result<Option<Box<dyn Read + Send>>, Error> {
        let (Some(path), Some((_, kept))) = (&self.path, &self.resumed) else { return Ok(None) };
        if kept[0].is_empty() {
            return Ok(None);
        }
        let Some(PartialFile { file, .. }) = &self.outputs[0].partial else { return Ok(None) };
        let text = file.first(kept[0].file.bytes);
        let text = text.and_then(|text| encoder::decoder(Encoding::of_path(path), text));
        let text = text.map_err(|cause| Error::new(&file.path, cause))?;
        Ok(Some(Box::new(text.chain(io::Cursor::new(kept[0].pending())))))
    }

    /// The partial file of the first output, if it is a file that a later run could continue.
    pub fn partial(&self) -> Option<PathBuf> {
        self.path.as_deref().map(partial_path)
    }

    /// Writes what comes before all records of an output, unless an earlier run has written it.
    ///
    /// # Errors
    /// See [`Sink::write`].
    pub fn write_preamble(&mut self, output: usize, bytes: &[u8]) -> Result<(), Error> {
        let is_empty = self.outputs.get(output).is_some_and(|sink| sink.is_empty);
        if is_empty { self.write(output, bytes) } else { Ok(()) }
    }

    /// Writes to an output: its header before the first bytes. Does nothing if there is no such output.
    ///
    /// # Errors
    /// See [`Sink::write`].
    pub fn write(&mut self, output: usize, bytes: &[u8]) -> Result<(), Error> {
        self.outputs.get_mut(output).map_or(Ok(()), |sink| sink.write(bytes))
    }

    /// All that was written so far belongs together, and a later run can continue after it. `update`
    /// changes how far the run has come. Cheap: see [`Plan::interval`] for when it is written. Does
    /// nothing if no later run can continue.
    ///
    /// # Errors
    /// A checkpoint, this one or one before, cannot be written to the disk.
    pub fn checkpoint(&mut self, update: impl FnOnce(&mut Value)) -> Result<(), Error> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        keeper.advance(self.outputs.iter().map(Sink::mark).collect(), update)
    }

    /// Brings the latest checkpoint to the disk if it is time, while the run waits for something else.
    ///
    /// # Errors
    /// A checkpoint cannot be written to the disk.
    pub fn keep(&mut self) -> Result<(), Error> {
        self.keeper.as_mut().map_or(Ok(()), Keeper::keep_if_due)
    }

    /// Ends the run early: the last checkpoint is written to the disk. Returns a hint about the files that
    /// are left. `command` is what continues the run: `the same command`.
    pub fn suspend(mut self, command: &str) -> Option<String> {
        // If it cannot be written, the checkpoint before it is the last.
        let _ = self.keeper.as_mut().map(Keeper::suspend);
        self.left(command)
    }

    /// The run has come to its end: completes all outputs and gives them their names, and writes
    /// the statistics. `statistics` is given the time of all runs, and the bytes of each output that is a file.
    ///
    /// # Errors
    /// Something cannot be written or renamed. A later run can do the rest.
    pub fn commit(
        mut self,
        statistics: impl FnOnce(Duration, &[Extent]) -> String,
    ) -> Result<(), Error> {
        let same = "the same command";
        let files = match self.complete() {
            Ok(files) => files,
            Err(error) => return Err(Error { hint: self.suspend(same), ..error }),
        };
        let left = self.left(same);
        let failed = |error| Error { hint: left.clone(), ..error };
        let Self { outputs, statistics: to, keeper, path, keeps_log, started, .. } = self;
        let partials = outputs.into_iter().filter_map(|output| output.partial);
        let time = keeper.as_ref().map_or_else(|| started.elapsed(), Keeper::time);
        let statistics = statistics(time, &files);
        let write = || to.map_or(Ok(()), |sink| write_statistics(sink, &statistics));
        let (Some(mut keeper), Some(path)) = (keeper, path) else {
            partials.rev().try_for_each(PartialFile::publish).map_err(failed)?;
            return write();
        };
        let phase = |is_done| {
            let (files, statistics) = (files.clone(), statistics.clone());
            Phase::Committing { files, statistics, is_done }
        };
        keeper.commit(phase(false)).map_err(failed)?;
        publish(&path, partials, write)?;
        // The commit is complete, also if the log does not say so.
        let _ = if keeps_log { keeper.commit(phase(true)) } else { Log::remove(&path) };
        Ok(())
    }

    /// Completes the outputs, which do not get their names yet. Fails if another program has removed one.
    fn complete(&mut self) -> Result<Vec<Extent>, Error> {
        let files = self.outputs.iter_mut().map(Sink::complete).collect::<Result<Vec<_>, _>>()?;
        let partials = self.outputs.iter().filter_map(|output| output.partial.as_ref());
        for PartialFile { file, .. } in partials {
            file.check(0).map_err(|cause| Error::new(&file.path, cause))?;
        }
        Ok(files)
    }

    /// What a run leaves that ends now: a hint for the user.
    fn left(&mut self, command: &str) -> Option<String> {
        let path = self.path.as_ref()?;
        let kept = self.keeper.as_ref().map(Keeper::kept).unwrap_or_default();
        let kept = kept.into_iter().chain(iter::repeat(0));
        let (mut intact, mut facts) = (Vec::new(), Vec::new());
        for (output, kept) in self.outputs.iter_mut().zip(kept) {
            let damage = output.damage(kept);
            let name = output.partial.iter().map(|it| it.file.path.display().to_string());
            intact.extend(name.filter(|_| damage.is_none()));
            facts.extend(damage);
        }
        let is_whole = facts.is_empty();
        if !intact.is_empty() {
            facts.insert(0, format!("the records so far are in {}", intact.join(" and ")));
        }
        let mut hint = facts.join("; ");
        if !is_whole {
            hint += "; --force begins anew";
        } else if self.keeper.is_some() && partial::has_log(path) {
            let replaces = self.outputs[0].partial.as_ref().is_some_and(|it| it.replaces);
            let instead = if replaces { " instead of --force" } else { "" };
            let how = if is_parquet(path) { "begins again" } else { "continues" };
            hint += &format!(": with --resume{instead} {command} {how}");
        }
        Some(hint)
    }
}

/// Completes the commit of an earlier run, or finds that it is complete.
fn finish_commit(plan: &Plan, mut log: Log) -> Result<Begun, Error> {
    let Phase::Committing { files, statistics, is_done, .. } = &mut log.line.phase else {
        unreachable!("everything is written")
    };
    let (path, replaces) = (followed(plan.outputs[0].name())?, log.run.replaces);
    if files.len() != plan.outputs.len() {
        return Err(Error::refused(plan.outputs[0].name(), "is of a run with other outputs"));
    }
    let complete = plan.outputs.iter().zip(files).map(|(output, content)| {
        let completed = PartialFile::completed(output.name(), replaces, *content);
        completed.map_err(|cause| Error::new(output.name(), cause))
    });
    publish(&path, complete.collect::<Result<Vec<_>, _>>()?.into_iter().flatten(), || {
        let mut to = plan.statistics.iter();
        to.try_for_each(|output| write_statistics_again(output, replaces, statistics))
    })?;
    if std::mem::replace(is_done, true) {
        return Ok(Begun::Done(log.line.reached));
    }
    log.write()?;
    Ok(Begun::Committed(log.line.reached))
}

/// Gives all files their names, the first one last, and writes the statistics. If that fails, a later run can do
/// the rest.
fn publish(
    records: &Path,
    complete: impl DoubleEndedIterator<Item = PartialFile>,
    write_statistics: impl FnOnce() -> Result<(), Error>,
) -> Result<(), Error> {
    let records = records.display();
    let owing = |error: Error, what: String| Error { hint: Some(what), ..error };
    complete.rev().try_for_each(PartialFile::publish).map_err(|error| {
        let done = format!("all records of {records} are written");
        owing(error, format!("{done}: with --resume the same command names the files"))
    })?;
    write_statistics().map_err(|error| {
        let done = format!("{records} is complete");
        owing(error, format!("{done}: with --resume the same command writes the statistics"))
    })
}

/// Writes statistics unless the earlier run did. It may have been killed in the middle.
fn write_statistics_again(output: &Planned, replaces: bool, text: &str) -> Result<(), Error> {
    if let Some(given) = &output.path {
        let path = followed(given)?;
        let partial = partial_path(&path);
        let content = |path: &Path| path.is_file().then(|| disk::read(path).ok()).flatten();
        if content(&partial).is_some_and(|found| text.as_bytes().starts_with(&found)) {
            partial::remove_left(&path, true).map_err(|cause| Error::new(given, cause))?;
        }
        if content(&path).is_some_and(|found| found == text.as_bytes()) {
            return Ok(());
        }
    }
    write_statistics(output.open(replaces)?, text)
}

fn write_statistics(mut sink: Sink, text: &str) -> Result<(), Error> {
    sink.write(text.as_bytes())?;
    sink.finish()
}
