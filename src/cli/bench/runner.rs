//! Runs commands on puzzles: writes the puzzles to a file, starts `child`, reads the answers.

use super::child::{self, Ended, Outcome, Task, Used};
use super::folder::private_folder;
use crate::cli::exit::Error;
use crate::bench::{Answers, End, Job, Ran, Usage};
use crate::pipeline::Cancel;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Time between two looks at the cancellation token.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// A program may write this many bytes, and so many more for each puzzle: nine lines of a frame are
/// 250. More is a fault that would fill the disk.
const MOST_BYTES: u64 = 16 << 20;
const MOST_BYTES_OF_A_PUZZLE: u64 = 1000;

/// The bytes at the end of standard error that have its last line.
const LAST_BYTES: u64 = 4096;

/// Where the answers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Stdout,
    /// The file of `{output}`.
    File,
}

/// A run that has ended.
pub(super) struct Done {
    pub(super) outcome: Outcome,
    pub(super) text: Vec<u8>,
    pub(super) message: String,
}

impl Done {
    /// The run, with its text as answers.
    pub(super) fn into_ran(self, limit: Duration) -> io::Result<Ran> {
        let end = match self.outcome.ended {
            Ended::Code(code) => End::Code(code),
            Ended::Signal(signal) => End::Signal(signal),
            Ended::TimeLimit => End::TimeLimit(limit),
            Ended::NotStarted(why) => {
                return Err(io::Error::other(format!("it did not start: {why}")));
            }
        };
        let wall = Duration::from_secs_f64(self.outcome.wall);
        let mut ran = Ran::new(wall, end, Answers::Text(self.text));
        ran.usage = self.outcome.used.map(|Used { user, system, peak_bytes, floor_bytes }| {
            let [user, system] = [user, system].map(Duration::from_secs_f64);
            Usage { user, system, peak_bytes, floor_bytes }
        });
        ran.message = self.message;
        Ok(ran)
    }
}

/// Runs commands.
pub(super) struct Runner {
    folder: TempDir,
    /// The character for a blank.
    blank: u8,
    pub(super) time_limit: Duration,
}

impl Runner {
    pub(super) fn new(blank: u8, time_limit: Duration) -> Result<Self, Error> {
        Ok(Self { folder: private_folder()?, blank, time_limit })
    }

    /// Runs a command on the puzzles of a job: `words` gets the paths of the input and the output.
    /// `None` if it was cancelled.
    pub(super) fn run(
        &self,
        job: &Job<'_>,
        cancel: &Cancel,
        from: From,
        words: impl FnOnce(&str, &str) -> Words,
    ) -> io::Result<Option<Done>> {
        // Nothing of an earlier run is left, whatever the program made of its files.
        let folder = tempfile::tempdir_in(self.folder.path())?;
        let path = |name: &str| folder.path().join(name);
        let [input, output, stdout, stderr] =
            ["puzzles.txt", "answers.txt", "stdout.txt", "stderr.txt"].map(path);
        self.write(job, &input)?;
        let command = words(text(&input)?, text(&output)?);
        let task = Task {
            words: command.words,
            stdin: command.reads_stdin.then_some(input),
            stdout: stdout.clone(),
            stderr: stderr.clone(),
            seconds: self.time_limit.as_secs_f64(),
            most_bytes: MOST_BYTES + MOST_BYTES_OF_A_PUZZLE * job.puzzles.len() as u64,
        };
        let Some(outcome) = start(&task, cancel)? else { return Ok(None) };
        let answers = match from {
            From::Stdout => stdout,
            From::File => output,
        };
        let text = read(&answers, task.most_bytes);
        Ok(Some(Done { outcome, text, message: last_line(&stderr) }))
    }

    /// Writes the puzzles, one a line.
    fn write(&self, job: &Job<'_>, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        for puzzle in job.puzzles {
            file.write_all(&puzzle.line(self.blank))?;
            file.write_all(b"\n")?;
        }
        file.flush()
    }
}

/// A command whose placeholders have been replaced.
pub(super) struct Words {
    pub(super) words: Vec<String>,
    pub(super) reads_stdin: bool,
}

/// The bytes of a file of answers. A program that failed may have written none, and one that made a
/// pipe, a link or a folder of this name wrote no answers: a pipe would be read forever.
fn read(path: &Path, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let is_file = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    if is_file && let Ok(file) = File::open(path) {
        // What was read before an error counts.
        let _ = file.take(most).read_to_end(&mut bytes);
    }
    bytes
}

/// A path as text.
fn text(path: &Path) -> io::Result<&str> {
    let why = || io::Error::other(format!("{}: the path is not UTF-8", path.display()));
    path.to_str().ok_or_else(why)
}

/// Starts `child` and waits for its outcome, or for the cancellation.
fn start(task: &Task, cancel: &Cancel) -> io::Result<Option<Outcome>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(child::NAME).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut process = command.spawn()?;
    let outcome = talk(&mut process, task, cancel);
    // Its standard input is closed now: it kills the program, if that still runs, and ends.
    drop(process.stdin.take());
    process.wait()?;
    outcome
}

/// Gives the task to `child`. Standard input stays open: its end kills the program.
fn talk(process: &mut Child, task: &Task, cancel: &Cancel) -> io::Result<Option<Outcome>> {
    let gone = || io::Error::other("the process that runs the program has ended");
    let stdin = process.stdin.as_mut().ok_or_else(gone)?;
    writeln!(stdin, "{}", serde_json::to_string(task)?)?;
    let stdout = process.stdout.take().ok_or_else(gone)?;
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(stdout).read_to_string(&mut line);
        // The receiver is gone after a cancellation.
        let _ = sender.send(read.map(|_| line));
    });
    loop {
        match receiver.recv_timeout(BETWEEN_LOOKS) {
            Ok(line) => return serde_json::from_str(&line?).map(Some).map_err(|_| gone()),
            Err(RecvTimeoutError::Timeout) if cancel.is_requested() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(gone()),
        }
    }
}

/// The last line of a file that is not empty.
fn last_line(path: &Path) -> String {
    let end = || -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let start = file.metadata()?.len().saturating_sub(LAST_BYTES);
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.take(LAST_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let text = String::from_utf8_lossy(&end().unwrap_or_default()).into_owned();
    let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().replace(char::is_control, "\u{fffd}")
}
