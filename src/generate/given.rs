//! Grids that are given: read from inputs one after the other, with their lines.

use crate::batch::{self, Halt};
use crate::input::{ChunkBuffer, Chunks, Error, Given as Solved, Puzzles, Source, Want, What};
use crate::puzzle::Grid;
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::vec::IntoIter;

/// Bytes read at a time: about 800 grids.
const CHUNK_BYTES: usize = 64 * 1024;

/// A line of an input that is not passed over.
pub(super) struct Given {
    pub(super) input: Arc<str>,
    /// Counted from 1.
    pub(super) line: u64,
    /// Its grid, or the solution that stands beside it if that is wanted; or why it is none.
    pub(super) grid: Result<Grid, String>,
}

/// Lines that are read before they are asked for, at most: what a chunk has, about.
const LINES_AHEAD: usize = 1024;

/// How soon a wish to end is heard while an input is waited for.
const LOOK: Duration = Duration::from_millis(50);

/// A reader on a thread of its own, for it may wait for a pipe. It is left behind if the run ends
/// meanwhile.
pub(super) struct Ahead {
    lines: Receiver<Result<Given, Error>>,
    thread: Option<JoinHandle<()>>,
}

impl Ahead {
    pub(super) fn of(mut reader: Reader) -> Result<Self, batch::Error> {
        let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
        let read = move || {
            while let Some(line) = reader.next().transpose() {
                let failed = line.is_err();
                if sender.send(line).is_err() || failed {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("reader".to_owned()).spawn(read);
        let thread = thread.map_err(|error| batch::Error::Threads(error.to_string()))?;
        Ok(Self { lines, thread: Some(thread) })
    }

    /// What the reader's `next` gave; nothing at all if the wish to end came before it.
    pub(super) fn next(&mut self, halt: &Halt) -> Option<Result<Option<Given>, Error>> {
        loop {
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => return Some(line.map(Some)),
                Err(RecvTimeoutError::Timeout) if halt.is_requested() => return None,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
                        resume_unwind(panic);
                    }
                    return Some(Ok(None));
                }
            }
        }
    }
}

/// The lines of all inputs, in order.
pub(super) struct Reader {
    sources: IntoIter<Source>,
    current: Option<(Arc<str>, Chunks)>,
    lines: u64,
    chunk: ChunkBuffer,
    puzzles: Puzzles,
    waiting: VecDeque<Given>,
}

impl Reader {
    /// Reads grids, or the solutions given with them where there are any.
    pub(super) fn new(sources: Vec<Source>, solutions: bool) -> Self {
        Self {
            sources: sources.into_iter(),
            current: None,
            lines: 0,
            chunk: ChunkBuffer::new(),
            puzzles: Puzzles::keeping(Want { solutions, ..Want::default() }),
            waiting: VecDeque::new(),
        }
    }

    /// The next line, or none after the last.
    pub(super) fn next(&mut self) -> Result<Option<Given>, Error> {
        while self.waiting.is_empty() {
            let Some((name, chunks)) = &mut self.current else {
                let Some(source) = self.sources.next() else { return Ok(None) };
                let name = Arc::clone(source.name());
                (self.current, self.lines) = (Some((name, source.into_chunks(CHUNK_BYTES))), 0);
                continue;
            };
            if chunks.fill(&mut self.chunk)? {
                let name = Arc::clone(name);
                let read = self.chunk.read(|chunk| self.puzzles.read(chunk));
                read.map_err(|cause| Error { name: Arc::clone(&name), cause })?;
                self.read_chunk(&name);
            } else {
                self.current = None;
            }
        }
        Ok(self.waiting.pop_front())
    }

    fn read_chunk(&mut self, name: &Arc<str>) {
        let (lines, waiting) = (&mut self.lines, &mut self.waiting);
        let mut add = |lines: &mut u64, grid| {
            *lines += 1;
            waiting.push_back(Given { input: Arc::clone(name), line: *lines, grid });
        };
        let (grids, given) = (self.puzzles.grids(), self.puzzles.given());
        let grid = |place: usize| match given.get(place) {
            Some(Solved::Cells(solution)) => Ok(*solution),
            Some(Solved::Malformed(error)) => Err(error.to_string()),
            Some(Solved::Missing) | None => Ok(grids[place]),
        };
        let mut taken = 0;
        for gap in self.puzzles.gaps() {
            (taken..gap.grids_before).for_each(|place| add(lines, grid(place)));
            taken = gap.grids_before;
            match &gap.what {
                What::PassedOver(count) => *lines += count,
                What::Sukaku(_) => {
                    add(
                        lines,
                        Err("expected 81 cells, found the candidates of a sukaku".to_owned()),
                    );
                }
                What::Malformed(error, _) => add(lines, Err(error.to_string())),
            }
        }
        (taken..grids.len()).for_each(|place| add(lines, grid(place)));
    }
}
