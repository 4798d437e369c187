//! All outputs of a run: records, rejects, statistics, and the state that a later run needs to
//! continue. They are opened together, checkpointed together and committed together.
//!
//! ```text
//! begin ──> Writing ── complete, synced ──> Committing ── rejects, records named ──> state removed
//!             │  ^                              │  ^      statistics written
//!     suspend │  │ begin with Resume            │  │ begin with Resume
//!     or kill v  │                        kill  v  │
//!            FILE.partial                      FILE.partial or FILE
//!            FILE.partial.state                FILE.partial.state
//! ```
//!
//! The phase is one field of the state file, so a crash is always in exactly one of them. In the
//! phase *writing* a later run cuts the outputs to the last checkpoint and continues. In the phase
//! *committing* it does the rest of the commit, and reads no input.
//!
//! One rule holds for all outputs. An existing file is an error in mode [`Mode::New`], and so is a
//! partial file that an earlier run left, unless it is empty and without a state. Mode
//! [`Mode::Replace`] replaces both. Mode [`Mode::Resume`] continues, with the mode that the
//! interrupted run had; if there is nothing to continue, it is [`Mode::New`]. A device or a pipe is
//! written directly.
//!
//! Nothing here knows puzzles or formats: `P` is how far the command has come, in its own words.

use super::claims::Claims;
use super::error::{Error, STDOUT};
use super::extent::Hasher;
use super::keeper::{Flush, Keeper, Marks};
use super::mark::Kept;
use super::partial::{self, Found, Opening, Partial, find, follow, partial_path, state_path};
use super::sink::{Complete, Sink};
use super::state::{Phase, State};
use super::table::Table;
use super::target::Target;
use super::{disk, encoding::Encoding};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is done with existing files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// They are an error.
    #[default]
    New,
    /// They are replaced: the option `--force`.
    Replace,
    /// An interrupted run is continued: the option `--resume`.
    Resume,
}

/// The outputs of a run.
#[derive(Clone, Debug)]
pub struct Plan<P> {
    /// Records.
    pub records: Target,
    /// Lines that are not answered.
    pub rejects: Option<Target>,
    /// A line that is written before the first of them.
    pub rejects_header: Option<Vec<u8>>,
    /// Statistics, written at the end.
    pub statistics: Option<Target>,
    /// The columns of the records, if they are rows of CSV without a header: a file whose name ends in
    /// `.parquet` needs them.
    pub table: Option<Table>,
    /// What is done with existing files.
    pub mode: Mode,
    /// When checkpoints are written to the disk.
    pub flush: Flush,
    /// What makes the run resumable, if its records and rejects go to files.
    resumable: Option<Resumable<P>>,
}

#[derive(Clone, Debug)]
struct Resumable<P> {
    identity: Value,
    start: P,
}

/// What a run with a [`Plan`] would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Read its input and write.
    Ready,
    /// Complete the commit of an earlier run, without reading any input.
    Committing,
    /// Nothing: all outputs are complete.
    Done,
}

/// A run that has begun.
#[expect(clippy::large_enum_variant, reason = "there is one for a run")]
pub enum Begun<P> {
    /// Its outputs are open.
    Open(Transaction<P>),
    /// An earlier run had written everything, and its commit is complete now.
    Committed {
        /// How far it had come: to the end.
        reached: P,
        /// The time that it took.
        elapsed: Duration,
    },
    /// All outputs were complete before.
    Done,
}

impl<P> Plan<P> {
    /// Records alone, and no state for a later run.
    #[must_use]
    pub fn new(records: Target, mode: Mode) -> Self {
        let (rejects, rejects_header, statistics, resumable) = (None, None, None, None);
        let (flush, table) = (Flush::default(), None);
        Self { records, rejects, rejects_header, statistics, table, mode, flush, resumable }
    }

    /// Lets a later run continue. `identity` is all that the bytes of the outputs depend on: a
    /// later run with another identity is refused. `start` is how far a run has come that has done
    /// nothing.
    #[must_use]
    pub fn resumable(mut self, identity: Value, start: P) -> Self {
        self.resumable = Some(Resumable { identity, start });
        self
    }

    /// All outputs, the records first.
    fn targets(&self) -> impl Iterator<Item = &Target> {
        [Some(&self.records), self.rejects.as_ref(), self.statistics.as_ref()].into_iter().flatten()
    }
}

/// What an earlier run left.
enum Earlier<P> {
    Nothing,
    Writing(State<P>),
    Committing(State<P>),
    Complete,
}

impl<P: Clone + Serialize + DeserializeOwned + Send + 'static> Plan<P> {
    /// Checks everything that can be checked without changing anything: before inputs are read.
    ///
    /// # Errors
    /// A file is in the way, two outputs are one file, or there is nothing that could be resumed.
    pub fn check(&self) -> Result<Readiness, Error> {
        Ok(match self.earlier()? {
            Earlier::Nothing | Earlier::Writing(_) => Readiness::Ready,
            Earlier::Committing(_) => Readiness::Committing,
            Earlier::Complete => Readiness::Done,
        })
    }

    fn earlier(&self) -> Result<Earlier<P>, Error> {
        let mut claims = Claims::default();
        self.targets().try_for_each(|target| claims.write(target))?;
        let earlier = match (self.mode, &self.resumable) {
            (Mode::Resume, Some(Resumable { identity, .. })) => self.to_resume(identity)?,
            (Mode::Resume, None) => return Err(refused(&self.records, "cannot be resumed")),
            _ => Earlier::Nothing,
        };
        match &earlier {
            Earlier::Nothing if self.mode != Mode::Replace => {
                self.targets().try_for_each(check_free)?;
            }
            Earlier::Writing(state) if !state.replaces => {
                for target in self.targets().skip(1).filter_map(Target::path) {
                    if is(target, Found::File) {
                        return Err(failed(
                            target,
                            "exists; it was made after the interrupted run",
                        ));
                    }
                }
            }
            _ => {}
        }
        Ok(earlier)
    }

    /// What an earlier run left that this one is to continue.
    fn to_resume(&self, identity: &Value) -> Result<Earlier<P>, Error> {
        let Some(given) = self.records.path() else {
            let why = "--resume takes -o FILE: what went to standard output is lost";
            return Err(refused(&self.records, why));
        };
        let path = follow(given).map_err(|cause| Error::new(given, cause))?;
        let found = find(&path).map_err(|cause| Error::new(given, cause))?;
        if Encoding::of_path(given) == Encoding::Parquet && found != Found::File {
            let why = "--resume cannot continue a Parquet file, whose index is written last: run \
                       without --resume, with --force if a partial file is left; or write .csv.zst";
            return Err(refused(&self.records, why));
        }
        if found == Found::Direct {
            let why = "--resume takes a file: what went to a device or a pipe is lost";
            return Err(refused(&self.records, why));
        }
        if let Some(rejects) = &self.rejects
            && rejects.path().is_none_or(|path| is(path, Found::Direct))
        {
            let why = "--resume takes a file for --rejects: what went elsewhere is lost";
            return Err(refused(rejects, why));
        }
        let partial = partial_path(&path);
        let is_begun = fs::symlink_metadata(&partial).is_ok();
        if is_begun && partial::is_being_written(&partial) {
            let why = format!("another run is writing {}", partial.display());
            return Err(failed(given, &why));
        }
        if !is_begun && found == Found::Nothing {
            // A state alone has nothing that could be continued.
            return Ok(Earlier::Nothing);
        }
        let (is_complete, name) = (found == Found::File, path.display());
        let state = State::<P>::read(&state_path(&path), identity)?;
        let in_the_way = |partial: &Path| {
            format!(
                "exists, and so does {}: move {name} away to continue; --force begins anew",
                partial.display()
            )
        };
        match state {
            Some(State { phase: Phase::Committing { owes_statistics: true, .. }, .. })
                if self.statistics.is_none() =>
            {
                let why = "the interrupted run has yet to write its statistics: --resume needs the \
                           same --stats-json FILE";
                Err(failed(given, why))
            }
            Some(state) if matches!(state.phase, Phase::Committing { .. }) => {
                Ok(Earlier::Committing(state))
            }
            Some(state) if is_begun && (state.replaces || !is_complete) => {
                Ok(Earlier::Writing(state))
            }
            _ if is_begun && is_complete => Err(failed(given, &in_the_way(&partial))),
            Some(_) => {
                let why = format!("exists, but {} is missing", partial.display());
                Err(failed(given, &format!("{why}; --force begins anew")))
            }
            None if is_complete => self.complete(given),
            None if partial::is_vacant(&path) || !partial.is_file() => Ok(Earlier::Nothing),
            None => {
                let (partial, state) = (partial.display(), state_path(&path));
                let why = format!("{partial} cannot be continued, for there is no");
                Err(failed(given, &format!("{why} {}; --force begins anew", state.display())))
            }
        }
    }

    /// The records are complete, and no commit is to be completed.
    fn complete(&self, records: &Path) -> Result<Earlier<P>, Error> {
        for other in self.targets().skip(1).filter_map(Target::path) {
            if !other.is_file() {
                let other = other.display();
                let why = format!("is complete, but {other} cannot be made from what is left");
                return Err(failed(records, &why));
            }
        }
        Ok(Earlier::Complete)
    }

    /// Whether a later run could continue this one.
    fn is_resumable(&self) -> bool {
        let is_file = |target: &Target| {
            target.path().is_some_and(|path| {
                let found = follow(path).and_then(|path| find(&path));
                found.is_ok_and(|found| found != Found::Direct)
            })
        };
        let is_parquet = |path: &Path| Encoding::of_path(path) == Encoding::Parquet;
        self.resumable.is_some()
            && !self.records.path().is_some_and(is_parquet)
            && is_file(&self.records)
            && self.rejects.as_ref().is_none_or(is_file)
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
        Ok(Found::Partial) if !partial::is_vacant(&path) => left(&path),
        _ => return Ok(()),
    };
    Err(failed(given, &why))
}

/// Why a partial file prevents the run, and the option that helps.
fn left(path: &Path) -> String {
    let partial = partial_path(path);
    let name = partial.display();
    if fs::metadata(&partial).is_ok_and(|about| !about.is_file()) {
        format!("{name} is no regular file")
    } else if partial::is_being_written(&partial) {
        format!("another run is writing {name}")
    } else if partial::has_state(path) {
        format!("an earlier run left {name}; --force begins anew, solve --resume continues")
    } else {
        format!("an earlier run left {name}; --force begins anew")
    }
}

fn is(path: &Path, what: Found) -> bool {
    follow(path).and_then(|path| find(&path)).is_ok_and(|found| found == what)
}

fn refused(target: &Target, why: &str) -> Error {
    failed(target.path().unwrap_or(Path::new(STDOUT)), why)
}

fn failed(path: &Path, why: &str) -> Error {
    Error::new(path, io::Error::new(ErrorKind::InvalidInput, why))
}

/// The outputs of a run, open. See [`Plan`] for an example.
///
/// Of a transaction that is dropped, the last checkpoint that was written to the disk can be
/// continued.
pub struct Transaction<P> {
    records: Sink,
    rejects: Option<Rejects>,
    statistics: Option<Statistics>,
    /// If a later run can continue this one.
    keeper: Option<Keeper<P>>,
    /// How far an earlier run had come.
    resumed: Option<P>,
    /// Whether an earlier run has written records.
    has_records: bool,
    /// The file of the records, through links.
    path: Option<PathBuf>,
    replaces: bool,
    started: Instant,
    earlier: Duration,
}

struct Rejects {
    sink: Sink,
    /// Written before the first of them.
    header: Option<Vec<u8>>,
}

/// Statistics are opened first and written last, so that a long run does not end with an error.
struct Statistics(Sink);

/// Records alone. What was written is kept if the run fails, as the sink keeps it.
impl<P> From<Sink> for Transaction<P> {
    fn from(records: Sink) -> Self {
        let (rejects, statistics, keeper, resumed, path) = (None, None, None, None, None);
        let (has_records, replaces) = (false, false);
        let (started, earlier) = (Instant::now(), Duration::ZERO);
        Self {
            records,
            rejects,
            statistics,
            keeper,
            resumed,
            has_records,
            path,
            replaces,
            started,
            earlier,
        }
    }
}

impl<P: Clone + Serialize + DeserializeOwned + Send + 'static> Transaction<P> {
    /// Opens all outputs, or none. A run that waits for the reader of a pipe blocks here.
    ///
    /// # Errors
    /// See [`Plan::check`]; or an output cannot be opened, locked, or given its name.
    pub fn begin(plan: Plan<P>) -> Result<Begun<P>, TransactionError> {
        Ok(match plan.earlier()? {
            Earlier::Nothing => Begun::Open(Self::fresh(plan)?),
            Earlier::Writing(_) => Begun::Open(Self::resume(plan)?),
            Earlier::Committing(state) => return finish_commit(&plan, state),
            Earlier::Complete => Begun::Done,
        })
    }

    fn fresh(plan: Plan<P>) -> Result<Self, Error> {
        let replaces = plan.mode == Mode::Replace;
        let opening = opening(replaces);
        let is_resumable = plan.is_resumable();
        let mut records = open(&plan.records, opening, plan.table.as_ref())?;
        let path = plan.records.path().filter(|_| records.is_file());
        let path = path.map(|path| follow(path).map_err(|cause| Error::new(path, cause)));
        let path = path.transpose()?;
        if let Some(path) = &path {
            // A state that is left is of records that do not exist any more.
            let state = state_path(path);
            if fs::symlink_metadata(&state).is_ok() {
                disk::remove(&state).map_err(|cause| Error::new(&state, cause))?;
            }
        }
        let rejects = plan.rejects.as_ref().map(|target| open(target, opening, None));
        let mut rejects_sink = rejects.transpose()?;
        let statistics = plan.statistics.as_ref().map(|target| open(target, opening, None));
        let statistics = statistics.transpose()?.map(Statistics);
        let mut keeper = None;
        if let (true, Some(path), Some(Resumable { identity, start })) =
            (is_resumable, &path, plan.resumable)
        {
            let rejects = rejects_sink.as_ref().map(|_| Kept::default());
            let phase = Phase::Writing { records: Kept::default(), rejects };
            let state = State::new(identity, phase, replaces, start);
            records.hash();
            rejects_sink.iter_mut().for_each(Sink::hash);
            let files = files(&records, rejects_sink.as_ref())?;
            let started = Keeper::start(path, state, files, plan.flush)?;
            started.write_first()?;
            keeper = Some(started);
        }
        records.keep();
        if keeper.is_some() {
            rejects_sink.iter_mut().for_each(Sink::keep);
        }
        let rejects = rejects_sink.map(|sink| Rejects { sink, header: plan.rejects_header });
        Ok(Self { rejects, statistics, keeper, path, replaces, ..Self::from(records) })
    }

    fn resume(plan: Plan<P>) -> Result<Self, Error> {
        let Some(Resumable { identity, .. }) = plan.resumable else {
            return Err(refused(&plan.records, "cannot be resumed"));
        };
        let given = plan.records.path().unwrap_or(Path::new(STDOUT));
        let path = follow(given).map_err(|cause| Error::new(given, cause))?;
        // From here on no other run writes the state, so what it says is final.
        let mut records = lock(given, &path)?;
        let state = State::<P>::read(&state_path(&path), &identity)?;
        let Some(state) = state else { return Err(Error::new(given, partial::busy())) };
        let Phase::Writing { records: kept, rejects: kept_rejects } = state.phase.clone() else {
            return Err(Error::new(given, partial::busy()));
        };
        let opening = opening(state.replaces);
        records.set_opening(opening);
        let hasher = records.check_kept(kept.file).map_err(|cause| Error::new(given, cause))?;
        let rejects = match (&plan.rejects, kept_rejects) {
            (Some(target), Some(kept)) => Some((lock_rejects(target, opening, &kept)?, kept)),
            (None, None) => None,
            _ => return Err(failed(given, "is of a run with other outputs")),
        };
        let statistics = plan.statistics.as_ref().map(|target| open(target, opening, None));
        let statistics = statistics.transpose()?.map(Statistics);
        // Everything has been checked. Only now is something changed.
        let has_records = !kept.is_empty();
        let records = Sink::resume(given, records, &kept, hasher)?;
        let rejects = rejects.map(|((path, partial, hasher), kept)| {
            let sink = Sink::resume(&path, partial, &kept, hasher)?;
            let header = plan.rejects_header.filter(|_| kept.is_empty());
            Ok(Rejects { sink, header })
        });
        let rejects = rejects.transpose()?;
        let (resumed, replaces) = (Some(state.reached.clone()), state.replaces);
        let earlier = Duration::from_micros(state.microseconds);
        let files = files(&records, rejects.as_ref().map(|rejects: &Rejects| &rejects.sink))?;
        let keeper = Some(Keeper::start(&path, state, files, plan.flush)?);
        let (path, base) = (Some(path), Self::from(records));
        Ok(Self {
            rejects,
            statistics,
            keeper,
            resumed,
            has_records,
            path,
            replaces,
            earlier,
            ..base
        })
    }

    /// How far an earlier run had come, if this one continues it.
    #[must_use]
    pub const fn resumed(&self) -> Option<&P> {
        self.resumed.as_ref()
    }

    /// The time of the runs that this one continues.
    #[must_use]
    pub const fn earlier(&self) -> Duration {
        self.earlier
    }

    /// The time since the first run began, without the time between runs.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.earlier + self.started.elapsed()
    }

    /// Whether rejects are wanted.
    #[must_use]
    pub const fn has_rejects(&self) -> bool {
        self.rejects.is_some()
    }

    /// Writes what comes before all records, unless an earlier run has written it.
    ///
    /// # Errors
    /// See [`Sink::write`].
    pub fn write_preamble(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.has_records { Ok(()) } else { self.write_records(bytes) }
    }

    /// Writes records.
    ///
    /// # Errors
    /// See [`Sink::write`].
    pub fn write_records(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.records.write(bytes)
    }

    /// Writes rejects, after the header if they are the first. Does nothing if rejects are not
    /// wanted.
    ///
    /// # Errors
    /// See [`Sink::write`].
    pub fn write_rejects(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let Some(Rejects { sink, header }) = &mut self.rejects else { return Ok(()) };
        if bytes.is_empty() {
            return Ok(());
        }
        if let Some(mut header) = header.take() {
            header.push(b'\n');
            sink.write(&header)?;
        }
        sink.write(bytes)
    }

    /// All that was written so far belongs together, and a later run can continue after it. Cheap:
    /// see [`Flush`] for when it is written to the disk. Does nothing if no later run can continue.
    ///
    /// # Errors
    /// A checkpoint, this one or one before, cannot be written to the disk.
    pub fn checkpoint(&mut self, update: impl FnOnce(&mut P)) -> Result<(), Error> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        let rejects = self.rejects.as_ref().map(|rejects| rejects.sink.mark());
        keeper.advance(Marks { records: self.records.mark(), rejects }, update)
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
    /// the statistics. `statistics` is told the time of all runs.
    ///
    /// # Errors
    /// Something cannot be written or renamed. A later run can do the rest.
    pub fn commit(
        mut self,
        statistics: impl FnOnce(Duration) -> String,
    ) -> Result<(), TransactionError> {
        let left = self.left();
        let elapsed = |from: Instant, earlier| earlier + from.elapsed();
        let Self { records, rejects, statistics: to, mut keeper, started, earlier, .. } = self;
        let path = self.path.take();
        let complete = || {
            let rejects = rejects.map(|rejects| rejects.sink.complete()).transpose()?;
            Ok((rejects, records.complete()?))
        };
        let (rejects, records) = match complete() {
            Ok(complete) => complete,
            Err(error) => {
                let _ = keeper.as_mut().map(Keeper::close);
                return Err(TransactionError { error, left });
            }
        };
        let text = statistics(elapsed(started, earlier));
        if let Some(keeper) = &mut keeper {
            let rejects_bytes = rejects.as_ref().map(|rejects| rejects.bytes);
            let (records_bytes, statistics) = (records.bytes, text.clone());
            let owes_statistics = to.is_some();
            let phase =
                Phase::Committing { records_bytes, rejects_bytes, statistics, owes_statistics };
            if let Err(error) = keeper.commit(phase) {
                return Err(TransactionError { error, left });
            }
        }
        let files = rejects.into_iter().chain([records]);
        let unnamed = match (&path, &keeper) {
            (Some(path), Some(_)) => Left::uncommitted(path, Missing::Names),
            // No later run names the file, so its records are where they were.
            _ => left,
        };
        let unwritten = match (&path, &keeper) {
            (Some(path), Some(_)) => Left::uncommitted(path, Missing::Statistics),
            _ => Left::Nothing,
        };
        publish(files, unnamed)?;
        let written = to.map_or(Ok(()), |to| to.write(&text));
        written.map_err(|error| TransactionError { error, left: unwritten })?;
        // The commit is complete. A state that stays is removed by the next run with --resume.
        let _ = keeper.map(Keeper::remove);
        Ok(())
    }

    /// What a run leaves that ends now.
    fn left(&self) -> Left {
        let Some(path) = &self.path else { return Left::Nothing };
        let partial = partial_path(path);
        match (partial.exists(), &self.keeper) {
            (false, _) => Left::Nothing,
            (true, None) => Left::Records { partial },
            (true, Some(_)) => Left::Resumable { partial, replaces: self.replaces },
        }
    }
}

/// Gives complete files their names, in this order.
fn publish(mut files: impl Iterator<Item = Complete>, left: Left) -> Result<(), TransactionError> {
    let named = files.try_for_each(Complete::publish);
    named.map_err(|error| TransactionError { error, left })
}

/// Completes the commit of an earlier run.
fn finish_commit<P>(plan: &Plan<P>, state: State<P>) -> Result<Begun<P>, TransactionError> {
    let given = plan.records.path().unwrap_or(Path::new(STDOUT));
    let path = follow(given).map_err(|cause| Error::new(given, cause))?;
    let Phase::Committing { records_bytes, rejects_bytes, statistics, .. } = state.phase else {
        return Err(failed(given, "is not being committed").into());
    };
    let opening = opening(state.replaces);
    let rejects = match (&plan.rejects, rejects_bytes) {
        (Some(target), Some(bytes)) => {
            completed(target.path().unwrap_or(Path::new(STDOUT)), opening, bytes)?
        }
        (None, None) => Completed { _lock: None, unnamed: None },
        _ => return Err(failed(given, "is of a run with other outputs").into()),
    };
    let records = completed(given, opening, records_bytes)?;
    let files = rejects.unnamed.into_iter().chain(records.unnamed);
    publish(files, Left::uncommitted(&path, Missing::Names))?;
    if let Some(target) = &plan.statistics {
        let written = write_statistics_again(target, opening, &statistics);
        let left = || Left::uncommitted(&path, Missing::Statistics);
        written.map_err(|error| TransactionError { error, left: left() })?;
    }
    let state_file = state_path(&path);
    disk::remove(&state_file).map_err(|cause| Error::new(&state_file, cause))?;
    let elapsed = Duration::from_micros(state.microseconds);
    Ok(Begun::Committed { reached: state.reached, elapsed })
}

/// A complete file, locked.
struct Completed {
    _lock: Option<fs::File>,
    /// If it has no name yet.
    unnamed: Option<Complete>,
}

/// The complete file of an earlier run, under either of its names.
fn completed(given: &Path, opening: Opening, bytes: u64) -> Result<Completed, Error> {
    let find = || {
        let path = follow(given)?;
        if !partial_path(&path).exists() {
            let lock = Some(partial::lock_complete(&path, bytes)?);
            return Ok(Completed { _lock: lock, unnamed: None });
        }
        let mut partial = Partial::of_earlier_run(&path)?;
        partial.set_opening(opening);
        partial.check_len(bytes)?;
        Ok(Completed {
            _lock: None,
            unnamed: Some(Complete::of_earlier_run(given, partial, bytes)),
        })
    };
    find().map_err(|cause: io::Error| Error::new(given, cause))
}

/// Writes statistics unless the earlier run did. It may have been killed in the middle.
fn write_statistics_again(target: &Target, opening: Opening, text: &str) -> Result<(), Error> {
    if let Some(given) = target.path() {
        let path = follow(given).map_err(|cause| Error::new(given, cause))?;
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
    Statistics(open(target, opening, None)?).write(text)
}

impl Statistics {
    fn write(self, text: &str) -> Result<(), Error> {
        let Self(mut sink) = self;
        sink.write(text.as_bytes())?;
        sink.finish()
    }
}

fn opening(replaces: bool) -> Opening {
    if replaces { Opening::Replace } else { Opening::New }
}

/// Opens an output; `table` describes its records if they have columns. If it is never finished, no
/// partial file is left.
fn open(target: &Target, opening: Opening, table: Option<&Table>) -> Result<Sink, Error> {
    match target.path() {
        Some(path) => Ok(Sink::open_table(path, opening, table)?.or_nothing()),
        None => Ok(Sink::stdout()),
    }
}

/// The partial files of these outputs.
fn files(records: &Sink, rejects: Option<&Sink>) -> Result<Vec<fs::File>, Error> {
    let files = [Some(records), rejects].into_iter().flatten().map(Sink::file);
    Ok(files.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn lock(given: &Path, path: &Path) -> Result<Partial, Error> {
    let locked = Encoding::of_path(given).check().and_then(|()| Partial::of_earlier_run(path));
    locked.map_err(|cause| Error::new(given, cause))
}

/// The rejects of the run that is continued.
fn lock_rejects(
    target: &Target,
    opening: Opening,
    kept: &Kept,
) -> Result<(PathBuf, Partial, Hasher), Error> {
    let given = target.path().unwrap_or(Path::new(STDOUT));
    let path = follow(given).map_err(|cause| Error::new(given, cause))?;
    let mut partial = lock(given, &path)?;
    partial.set_opening(opening);
    let hasher = partial.check_kept(kept.file).map_err(|cause| Error::new(given, cause))?;
    Ok((given.to_owned(), partial, hasher))
}

/// What an unfinished run leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// Records that no later run can continue.
    Records {
        /// Where they are.
        partial: PathBuf,
    },
    /// Records that a later run can continue.
    Resumable {
        /// Where they are.
        partial: PathBuf,
        /// Whether the run was started to replace existing files.
        replaces: bool,
    },
    /// All records. A later run completes the commit.
    Uncommitted {
        /// The file that they go to.
        records: PathBuf,
        /// What is not complete.
        missing: Missing,
    },
}

/// What a commit has yet to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Files get their names.
    Names,
    /// The statistics are written.
    Statistics,
}

impl Left {
    fn uncommitted(records: &Path, missing: Missing) -> Self {
        Self::Uncommitted { records: records.to_owned(), missing }
    }

    /// A hint for the user. `what` names the records: `records`, `puzzles`.
    #[must_use]
    pub fn hint(&self, what: &str) -> Option<String> {
        Some(match self {
            Self::Nothing => return None,
            Self::Records { partial } => format!("the {what} so far are in {}", partial.display()),
            Self::Resumable { partial, replaces } => {
                let instead = if *replaces { " instead of --force" } else { "" };
                let partial = partial.display();
                format!(
                    "the {what} so far are in {partial}: with --resume{instead} the same command \
                     continues"
                )
            }
            Self::Uncommitted { records, missing: Missing::Names } => {
                let records = records.display();
                format!(
                    "all {what} of {records} are written: with --resume the same command names the files"
                )
            }
            Self::Uncommitted { records, missing: Missing::Statistics } => {
                let records = records.display();
                format!(
                    "{records} is complete: with --resume the same command writes the statistics"
                )
            }
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
