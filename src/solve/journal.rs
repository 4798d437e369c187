//! What makes a run resumable: every now and then the outputs are brought to the disk, and then a
//! small file beside them says how far they are good.
//!
//! ```text
//! writer ── how far it is ──> [ latest ] ──> journal's thread:  sync outputs ─> FILE.partial.state.new
//!           after each chunk                 once an interval,                  written, synced,
//!                                            if there is news                   renamed
//! ```
//!
//! What is compressed is behind the writer. A checkpoint of it waits until it has come so far, and
//! keeps the beginning of the block that is being filled.
//!
//! The thread has its own clock: what was written last is kept though nothing comes after it, as
//! in a pipe whose other end waits. The state never speaks of bytes that are not on the disk, so
//! it holds after a kill and after a loss of power alike. The writer waits for the disk only at
//! the end.

use super::checkpoint::Checkpoint;
use super::stats::Stats;
use crate::bulk::Error;
use crate::input::{Chunk, Tail};
use crate::output::{self, Mark};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// How often a checkpoint is made, if nobody says otherwise: what a kill costs at most, besides
/// the time that the disk takes.
pub const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// Bytes of input by which it is known again: about 50 puzzles.
const TAIL_BYTES: usize = 4096;

/// The version of what is in the file.
const VERSION: u64 = 2;

/// Keeps a file that says how far a run has come.
pub struct Journal {
    path: PathBuf,
    from: Checkpoint,
    latest: Arc<Latest>,
    /// None when it has been waited for.
    thread: Option<JoinHandle<io::Result<()>>>,
    /// Whether the file stays when the run has come to its end.
    stays: bool,
}

impl Journal {
    /// The journal of outputs, written to `path`: `identity` says what else must be the same to
    /// go on, and `from` where the run begins.
    ///
    /// # Errors
    /// The file cannot be written, or there is no thread for it.
    pub fn start(
        path: &Path,
        identity: Value,
        from: Checkpoint,
        outputs: Vec<File>,
        interval: Duration,
    ) -> Result<Self, output::Error> {
        let file = StateFile { path: path.to_owned(), identity, outputs };
        let latest = Arc::new(Latest::new(from.clone()));
        let to_keep = Arc::clone(&latest);
        let builder = Builder::new().name("journal".to_owned());
        // Nothing has been written yet that would be lost with it: the disk need not be waited for.
        let started = file.write(&from, false);
        let started = started.and_then(|()| builder.spawn(move || run(&file, &to_keep, interval)));
        let thread = Some(started.map_err(|cause| failed(path, cause))?);
        Ok(Self { path: path.to_owned(), from, latest, thread, stays: false })
    }

    /// The same, but when the run has come to its end the file says so, and stays: for whoever has
    /// yet to write what was counted, and removes it then.
    #[must_use]
    pub const fn staying(mut self) -> Self {
        self.stays = true;
        self
    }

    /// What was reached by the run that wrote this file, if there is one.
    ///
    /// # Errors
    /// It cannot be read, or is of a run with another identity: then what differs is said.
    pub fn read(path: &Path, identity: &Value) -> Result<Option<Checkpoint>, output::Error> {
        let text = match fs::read(path) {
            // What a loss of power may leave of the first one.
            Ok(text) if text.is_empty() => return Ok(None),
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(path, error)),
        };
        let invalid = |why: String| failed(path, io::Error::new(ErrorKind::InvalidData, why));
        let state: Value = serde_json::from_slice(&text)
            .map_err(|error| invalid(format!("is not the state of a run: {error}")))?;
        if state["state_version"] != VERSION {
            return Err(invalid("is not the state of a run of this version".to_owned()));
        }
        if let Some(difference) = difference("", &state["identity"], identity) {
            return Err(invalid(format!("is of another run: {difference}")));
        }
        let reached = Checkpoint::from_json(&state["reached"]);
        reached.map(Some).ok_or_else(|| invalid("does not say what was reached".to_owned()))
    }

    /// Where the run began.
    pub(super) const fn reached(&self) -> &Checkpoint {
        &self.from
    }

    /// A chunk of this input has been written, so that records and rejects are there and the input
    /// has these counts.
    pub(super) fn advance(
        &mut self,
        input: usize,
        chunk: &Chunk,
        stats: Stats,
        outputs: [Mark; 2],
        solve_time: Duration,
    ) -> Result<(), Error> {
        if self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
            // It goes on to the end, if nothing fails.
            return self.close();
        }
        let mut place = self.latest.lock();
        place.enter(input);
        place.keep_last(chunk);
        place.reached.inputs[input].stats = stats;
        place.outputs = Some(outputs);
        place.reached.solve_time = solve_time;
        place.reached.complete = false;
        if !place.is_news {
            place.is_news = true;
            self.latest.changed.notify_one();
        }
        Ok(())
    }

    /// The run ends here, but has not come to its end: all that was written can be kept.
    pub(super) fn stop(mut self) -> Result<(), Error> {
        self.latest.lock().is_news = true;
        self.close()
    }

    /// The run has come to its end with these outputs, which come to have their names.
    pub(super) fn complete(&mut self, outputs: [Mark; 2]) -> Result<(), Error> {
        if !self.stays {
            return Ok(());
        }
        let mut place = self.latest.lock();
        place.outputs = Some(outputs);
        place.reached.complete = true;
        place.is_news = true;
        drop(place);
        self.close()
    }

    /// The outputs have their names.
    pub(super) fn end(mut self) -> Result<(), Error> {
        if self.stays {
            return Ok(());
        }
        self.latest.lock().is_news = false;
        self.close()?;
        remove(&self.path).map_err(|cause| failed(&self.path, cause).into())
    }

    /// The time of the runs before.
    pub(super) const fn before(&self) -> Duration {
        self.from.time
    }

    /// Has the thread keep what is news, and waits for it.
    fn close(&mut self) -> Result<(), Error> {
        self.latest.lock().is_over = true;
        self.latest.changed.notify_one();
        let ended = match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(io::Error::other("the thread that keeps it panicked")),
            None => Ok(()),
        };
        ended.map_err(|cause| failed(&self.path, cause).into())
    }
}

/// Nothing of a run that is over is written any more.
impl Drop for Journal {
    fn drop(&mut self) {
        self.latest.lock().is_news = false;
        // Whatever fails here, the run has failed before.
        let _ = self.close();
    }
}

/// How far the writer is, for the thread to keep when it is time.
struct Latest {
    place: Mutex<Place>,
    changed: Condvar,
}

struct Place {
    reached: Checkpoint,
    /// Where records and rejects are, if anything has been written.
    outputs: Option<[Mark; 2]>,
    /// The input that is being written, if one is, and its last bytes.
    input: Option<usize>,
    tail: Vec<u8>,
    started: Instant,
    /// The time of the runs before.
    before: Duration,
    /// Whether any of this has not been kept yet.
    is_news: bool,
    /// Whether nothing more will come.
    is_over: bool,
}

impl Latest {
    fn new(from: Checkpoint) -> Self {
        let (started, before, tail) =
            (Instant::now(), from.time, Vec::with_capacity(2 * TAIL_BYTES));
        let (outputs, input, is_news, is_over) = (None, None, false, false);
        let place =
            Place { reached: from, outputs, input, tail, started, before, is_news, is_over };
        Self { place: Mutex::new(place), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for news, but not before so much time is over. Nothing if no more will come.
    fn next(&self, wait: Duration) -> Option<(Checkpoint, Option<[Mark; 2]>)> {
        let changed = &self.changed;
        let before = |place: &mut Place| !place.is_over;
        let early = changed.wait_timeout_while(self.lock(), wait, before);
        let (place, _) = early.unwrap_or_else(PoisonError::into_inner);
        let idle = |place: &mut Place| !place.is_news && !place.is_over;
        let mut place = changed.wait_while(place, idle).unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut place.is_news).then(|| (place.checkpoint(), place.outputs.clone()))
    }
}

impl Place {
    /// What comes next is of this input.
    fn enter(&mut self, input: usize) {
        if self.input != Some(input) {
            self.keep_tail();
            self.tail.clear();
            self.input = Some(input);
        }
    }

    /// Keeps the last bytes of the input, if they can be had.
    fn keep_last(&mut self, chunk: &Chunk) {
        match chunk.last_bytes(TAIL_BYTES) {
            Some(bytes) => {
                let surplus = (self.tail.len() + bytes.len()).saturating_sub(TAIL_BYTES);
                self.tail.drain(..surplus.min(self.tail.len()));
                self.tail.extend_from_slice(bytes);
            }
            None => self.tail.clear(),
        }
    }

    fn keep_tail(&mut self) {
        if let Some(input) = self.input {
            self.reached.inputs[input].tail = Tail::of(&self.tail);
        }
    }

    fn checkpoint(&mut self) -> Checkpoint {
        self.keep_tail();
        let time = self.before + self.started.elapsed();
        Checkpoint { time, ..self.reached.clone() }
    }
}

/// The thread: keeps checkpoint after checkpoint, one an interval or as fast as the disk is.
fn run(file: &StateFile, latest: &Latest, interval: Duration) -> io::Result<()> {
    let mut last = Instant::now();
    let wait = |last: Instant| interval.saturating_sub(last.elapsed());
    while let Some((mut checkpoint, outputs)) = latest.next(wait(last)) {
        last = Instant::now();
        if let Some(outputs) = outputs {
            let [Some(records), Some(rejects)] = outputs.map(Mark::kept) else {
                // One of them has failed, and the run ends with the checkpoint before.
                continue;
            };
            (checkpoint.records, checkpoint.rejects) = (records, rejects);
        }
        file.outputs.iter().try_for_each(File::sync_data)?;
        file.write(&checkpoint, true)?;
    }
    Ok(())
}

/// The file, and what it speaks of.
struct StateFile {
    path: PathBuf,
    identity: Value,
    outputs: Vec<File>,
}

impl StateFile {
    /// Puts a checkpoint in the place of the last one: there is always a whole one.
    fn write(&self, checkpoint: &Checkpoint, synced: bool) -> io::Result<()> {
        let state = json!({
            "state_version": VERSION,
            "identity": self.identity,
            "reached": checkpoint.to_json(),
        });
        let new = output::new_path(&self.path);
        // Made anew rather than emptied: it might be a link to another.
        remove(&new)?;
        let mut file = File::create_new(&new)?;
        file.write_all(format!("{state:#}\n").as_bytes())?;
        if synced {
            file.sync_data()?;
        }
        fs::rename(new, &self.path)
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The first thing in which two runs differ, in words.
fn difference(place: &str, was: &Value, now: &Value) -> Option<String> {
    let within = |key: &str| match place {
        "" => key.to_owned(),
        place => format!("{place}, {key}"),
    };
    match (was, now) {
        (Value::Object(was), Value::Object(now)) => {
            let keys = was.keys().chain(now.keys().filter(|key| !was.contains_key(*key)));
            keys.into_iter().find_map(|key| {
                let of = |map: &serde_json::Map<String, Value>| map.get(key).cloned();
                let (was, now) = (of(was).unwrap_or_default(), of(now).unwrap_or_default());
                difference(&within(key), &was, &now)
            })
        }
        (Value::Array(was), Value::Array(now)) if was.len() == now.len() => {
            let mut pairs = was.iter().zip(now).zip(1..);
            pairs.find_map(|((was, now), number)| {
                difference(&within(&format!("{number}")), was, now)
            })
        }
        _ if was == now => None,
        (Value::Array(was), Value::Array(now)) => {
            Some(format!("{place} were {}, and are {}", was.len(), now.len()))
        }
        _ => Some(format!("{place} was {}, and is {}", in_words(was), in_words(now))),
    }
}

fn in_words(value: &Value) -> String {
    if value.is_null() { "not given".to_owned() } else { value.to_string() }
}

fn failed(path: &Path, cause: io::Error) -> output::Error {
    output::Error { name: path.display().to_string().into(), cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_said_by_its_place() {
        let one = json!({"limit": 2, "inputs": [{"name": "a"}, {"name": "b", "bytes": 5}]});
        assert_eq!(difference("", &one, &one), None);
        let mut other = one.clone();
        other["inputs"][1]["bytes"] = json!(6);
        let found = difference("", &one, &other).unwrap();
        assert_eq!(found, "inputs, 2, bytes was 5, and is 6");
        other["inputs"] = json!([]);
        assert_eq!(difference("", &one, &other).unwrap(), "inputs were 2, and are 0");
        assert_eq!(
            difference("", &json!({}), &json!({"a": 1})).unwrap(),
            "a was not given, and is 1"
        );
    }
}
