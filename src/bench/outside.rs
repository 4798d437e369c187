//! A solver that runs outside of this process: a program, or a library in a process of its own.
//!
//! The measurement knows no processes. It hands over a [`Job`] and gets back a [`Ran`]: how the run
//! ended, what it used, and the answers. `ninefold bench --program` is one implementation.

use crate::pipeline::Cancel;
use crate::puzzle::Grid;
use std::fmt;
use std::io;
use std::time::Duration;

/// The puzzles of one run.
///
/// ```
/// use crate::bench::Job;
/// use crate::puzzle::Grid;
///
/// let job = Job::new(&[Grid::EMPTY], 2);
/// assert_eq!((job.puzzles.len(), job.limit), (1, 2));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Job<'a> {
    /// The puzzles, one a line.
    pub puzzles: &'a [Grid],
    /// The number of solutions after which the solver may leave a puzzle.
    pub limit: usize,
}

impl<'a> Job<'a> {
    /// A job.
    #[must_use]
    pub const fn new(puzzles: &'a [Grid], limit: usize) -> Self {
        Self { puzzles, limit }
    }
}

/// How a run ended.
///
/// ```
/// use crate::bench::End;
///
/// assert_eq!(End::Signal(11).to_string(), "killed by signal 11 (SIGSEGV)");
/// assert_eq!(End::Code(3).to_string(), "exit code 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum End {
    /// It exited with this code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
    /// It was killed after this time.
    TimeLimit(Duration),
    /// The measurement was cancelled.
    Cancelled,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(number) => {
                write!(f, "killed by signal {number}")?;
                name_of(*number).map_or(Ok(()), |name| write!(f, " ({name})"))
            }
            Self::TimeLimit(time) => {
                write!(f, "killed after the time limit of {} s", time.as_secs_f64())
            }
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// The names of the signals that end a program with a fault. Their numbers are the same on Linux and
/// macOS, except SIGBUS.
const fn name_of(signal: i32) -> Option<&'static str> {
    Some(match signal {
        2 => "SIGINT",
        4 => "SIGILL",
        6 => "SIGABRT",
        7 if cfg!(target_os = "linux") => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        10 if cfg!(target_vendor = "apple") => "SIGBUS",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        25 => "SIGXFSZ, too much output",
        _ => return None,
    })
}

/// What a run used, with the processes that it waited for.
///
/// ```
/// use crate::bench::Usage;
/// use std::time::Duration;
///
/// let usage = Usage { user: Duration::from_millis(5), ..Usage::default() };
/// assert_eq!(usage.peak_bytes, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// CPU time in the program.
    pub user: Duration,
    /// CPU time in the kernel.
    pub system: Duration,
    /// The peak memory of the largest process.
    pub peak_bytes: u64,
    /// The memory below which the system does not measure: that of the process that starts it.
    pub floor_bytes: u64,
}

/// The answers of a run.
///
/// ```
/// use crate::bench::Answers;
///
/// let silent = Answers::Text(Vec::new());
/// assert_ne!(silent, Answers::Counted(Vec::new()));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answers {
    /// The text that a program wrote. It is read as the [module](super) says.
    Text(Vec<u8>),
    /// The count of solutions and the text of the first one, for each puzzle.
    Counted(Vec<(usize, [u8; 81])>),
}

/// The result of a run.
///
/// ```
/// use crate::bench::{Answers, End, Ran};
/// use std::time::Duration;
///
/// let ran = Ran::new(Duration::from_millis(20), End::Code(0), Answers::Text(Vec::new()));
/// assert_eq!((ran.solving, ran.usage), (None, None));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Ran {
    /// The time from start to end of the process.
    pub wall: Duration,
    /// The time of solving alone, if the process measures it.
    pub solving: Option<Duration>,
    /// CPU time and memory, if the system tells them.
    pub usage: Option<Usage>,
    /// How it ended.
    pub end: End,
    /// The answers.
    pub answers: Answers,
    /// The last line that it wrote to standard error, or nothing.
    pub message: String,
}

impl Ran {
    /// A run of which nothing else is known.
    #[must_use]
    pub const fn new(wall: Duration, end: End, answers: Answers) -> Self {
        Self { wall, solving: None, usage: None, end, answers, message: String::new() }
    }
}

/// A solver outside of this process.
///
/// ```
/// use crate::bench::{Answers, Contender, End, Job, Outside, Ran};
/// use crate::pipeline::Cancel;
/// use std::io;
/// use std::time::Duration;
///
/// /// Writes nothing.
/// struct Silent;
///
/// impl Outside for Silent {
///     fn run(&mut self, _: Job<'_>, _: &Cancel) -> io::Result<Ran> {
///         Ok(Ran::new(Duration::from_millis(1), End::Code(0), Answers::Text(Vec::new())))
///     }
///
///     fn command(&self) -> String {
///         "silent".to_owned()
///     }
/// }
///
/// assert_eq!(Contender::outside("silent", Box::new(Silent)).label().engine, "silent");
/// ```
pub trait Outside: Send {
    /// Runs the solver on the puzzles. A cancelled run returns [`End::Cancelled`].
    ///
    /// # Errors
    /// The run could not start, or its files could not be written or read.
    fn run(&mut self, job: Job<'_>, cancel: &Cancel) -> io::Result<Ran>;

    /// The command, for the report.
    fn command(&self) -> String;
}
