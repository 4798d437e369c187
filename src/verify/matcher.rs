//! Answers of another file, by position: the first answer is that of the first puzzle, and so on.
//!
//! ```text
//! each thread   read a chunk of puzzles ─> read a chunk of answers ─> take as many as there are puzzles ─> judge
//!                                          if few are waiting         in order
//! ```
//!
//! Malformed lines have an answer, too. A file with more or fewer answers ends the run: it belongs to other
//! puzzles.

use crate::input::{self, Answers, ChunkAnswers, ChunkBuffer, Given, Puzzles, Row, Source};
use crate::puzzle::{Puzzle, WrongAnswer};
use crate::run::{Error, InOrder, Rows};
use std::collections::VecDeque;
use std::mem;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of answers that are read together: about 3,200.
const CHUNK_BYTES: usize = 256 * 1024;

/// An answer of another file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matched {
    /// The line of the answer in its file.
    pub(super) line: u64,
    /// The answer.
    pub(super) given: Given,
}

/// Whether an answer cannot be that of a puzzle, although it may be that of another one.
fn changes_a_clue(puzzle: &Puzzle, given: &Given) -> bool {
    use WrongAnswer::{ChangedClue, NoCandidate};
    let Given::Cells(answer) = given else { return false };
    matches!(puzzle.check_answer(answer), Err(ChangedClue { .. } | NoCandidate { .. }))
}

/// The answers of a file.
pub(super) struct Matcher {
    /// The name of the file.
    pub(super) name: Arc<str>,
    read: Mutex<ReadAnswers>,
    /// A chunk of answers was read.
    was_read: Condvar,
    dealt: InOrder<DealtAnswers>,
    /// The first answer that changes a clue, in words, if there is one: a line may be missing before it.
    changed: InOrder<String>,
}

/// The chunks of answers that threads have read, in any order.
struct ReadAnswers {
    answers: Answers,
    /// How many chunks have been cut, and whether there are no more.
    cut: usize,
    has_ended: bool,
    /// Those that are not dealt, by their number.
    chunks: Vec<(usize, Result<ChunkAnswers, Error>)>,
    /// Answers that no puzzle has yet.
    waiting: usize,
}

/// The chunks of answers up to the last one that a puzzle has.
#[derive(Default)]
struct DealtAnswers {
    /// How many chunks and lines came.
    chunks: usize,
    lines: u64,
    /// Chunks of which some answers are left: the lines before each, and the first answer.
    left: VecDeque<(Arc<ChunkAnswers>, u64, usize)>,
    /// How many answers were taken, and the line of the last one.
    taken: (usize, u64),
    /// The last puzzle.
    last: Option<(String, u64)>,
}

/// Some answers of a chunk, and the lines before the chunk.
type Dealt = (Arc<ChunkAnswers>, u64, Range<usize>);

impl Matcher {
    /// Reads the head of the answers.
    ///
    /// # Errors
    /// The answers cannot be read.
    pub(super) fn open(answers: Source, sources: &[Source]) -> Result<Self, Error> {
        let layout = sources.iter().find_map(Source::layout).cloned().unwrap_or_default();
        let answers = Answers::open(answers, &layout)?;
        let name = Arc::clone(&answers.name);
        let (cut, has_ended, chunks, waiting) = (0, false, Vec::new(), 0);
        let read = ReadAnswers { answers, cut, has_ended, chunks, waiting };
        let (dealt, changed) = (InOrder::new(DealtAnswers::default()), InOrder::new(String::new()));
        Ok(Self { name, read: Mutex::new(read), was_read: Condvar::new(), dealt, changed })
    }

    fn lock(&self) -> MutexGuard<'_, ReadAnswers> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces `found` by the answers of the puzzles of a chunk, by their numbers.
    ///
    /// # Errors
    /// The answers cannot be read, or there are fewer than puzzles.
    pub(super) fn find(
        &self,
        puzzles: &Puzzles,
        rows: &mut Rows<'_, ()>,
        found: &mut Vec<Matched>,
    ) -> Result<(), Error> {
        let count = puzzles.rows().count();
        if self.lock().waiting < 2 * count {
            self.read_chunk();
        }
        let last = puzzles.rows().last().map(|(row, _)| rows.at(row.line));
        let last = last.map(|(input, line)| (input.to_owned(), line));
        let turn = rows.turn();
        let (dealt, before) = self.dealt.pass(turn, |dealt| {
            dealt.last = last.or(dealt.last.take());
            self.deal(count, dealt)
        })?;
        let mut answers = dealt.iter().flat_map(|(chunk, lines, range)| {
            chunk.answers[range.clone()].iter().map(move |(line, given)| (lines + line, given))
        });
        found.clear();
        found.resize(puzzles.count(), Matched { line: 0, given: Given::Missing });
        let (mut changed, mut taken, mut lacking) = (String::new(), before, None);
        for (Row { line, .. }, number) in puzzles.rows() {
            let Some((at, given)) = answers.next() else {
                lacking = Some(rows.at(line));
                break;
            };
            taken = (taken.0 + 1, at);
            let Ok(number) = number else { continue };
            if changed.is_empty() && changes_a_clue(&puzzles.puzzle(number), given) {
                let (input, line) = rows.at(line);
                let at = format!("{}:{at}, for {input}:{line}", self.name);
                changed = format!("; the first answer that changes a clue is {at}");
            }
            found[number] = Matched { line: at, given: *given };
        }
        let changed = self.changed.pass(turn, |first| {
            if first.is_empty() {
                *first = changed;
            }
            first.clone()
        });
        let Some((input, line)) = lacking else { return Ok(()) };
        let file = &self.name;
        let count = match taken {
            (0, _) => "0 answers".to_owned(),
            (1, line) => format!("1 answer, the last in {file}:{line}"),
            (count, line) => format!("{count} answers, the last in {file}:{line}"),
        };
        let reason = format!("has {count}, and none for the puzzle {input}:{line}");
        Err(Error::Refused(format!("{file}: {reason}{changed}")))
    }

    /// Reads the next chunk of answers, if there is one.
    fn read_chunk(&self) {
        let mut read = self.lock();
        if read.has_ended {
            return;
        }
        let mut chunk = ChunkBuffer::default();
        let filled = read.answers.fill(&mut chunk, CHUNK_BYTES);
        read.has_ended = !matches!(filled, Ok(true));
        if matches!(filled, Ok(false)) {
            return;
        }
        let number = read.cut;
        read.cut += 1;
        drop(read);
        let failed = |cause| input::Error { name: Arc::clone(&self.name), cause };
        let answers = filled
            .and_then(|_| ChunkAnswers::read(&chunk, &mut Puzzles::default()).map_err(failed));
        let mut read = self.lock();
        read.waiting += answers.as_ref().map_or(0, |it| it.answers.len());
        read.chunks.push((number, answers.map_err(Error::from)));
        self.was_read.notify_all();
    }

    /// Deals this many answers, or all that are left. Also gives how many were taken before, and the line of the
    /// last one.
    fn deal(
        &self,
        mut count: usize,
        dealt: &mut DealtAnswers,
    ) -> Result<(Vec<Dealt>, (usize, u64)), Error> {
        let (mut parts, before) = (Vec::new(), dealt.taken);
        while count > 0 {
            let Some((chunk, lines, start)) = dealt.left.pop_front() else {
                let Some(chunk) = self.next_chunk(dealt.chunks)? else { break };
                dealt.chunks += 1;
                let lines = chunk.lines;
                dealt.left.push_back((Arc::new(chunk), dealt.lines, 0));
                dealt.lines += lines;
                continue;
            };
            let end = chunk.answers.len().min(start + count);
            count -= end - start;
            if let Some((line, _)) = chunk.answers[start..end].last() {
                dealt.taken = (dealt.taken.0 + end - start, lines + line);
            }
            if end < chunk.answers.len() {
                dealt.left.push_front((Arc::clone(&chunk), lines, end));
            }
            parts.push((chunk, lines, start..end));
        }
        self.lock().waiting -= dealt.taken.0 - before.0;
        Ok((parts, before))
    }

    /// The chunk of answers with this number, if there is one: all before are dealt.
    fn next_chunk(&self, number: usize) -> Result<Option<ChunkAnswers>, Error> {
        let mut read = self.lock();
        loop {
            if let Some(place) = read.chunks.iter().position(|(it, _)| *it == number) {
                return read.chunks.swap_remove(place).1.map(Some);
            }
            if number < read.cut {
                // Another thread reads it.
                read = self.was_read.wait(read).unwrap_or_else(PoisonError::into_inner);
            } else if read.has_ended {
                return Ok(None);
            } else {
                drop(read);
                self.read_chunk();
                read = self.lock();
            }
        }
    }

    /// The puzzles are at their end: so must be the answers.
    ///
    /// # Errors
    /// They are not, or cannot be read.
    pub(super) fn end(mut self) -> Result<(), Error> {
        let (mut dealt, changed) =
            (mem::take(self.dealt.get_mut()), mem::take(self.changed.get_mut()));
        let (left, _) = self.deal(1, &mut dealt)?;
        let first = |(chunk, lines, range): &Dealt| Some(lines + chunk.answers.get(range.start)?.0);
        let Some(line) = left.iter().find_map(first) else { return Ok(()) };
        let file = &self.name;
        let reason = match dealt.last {
            None => format!("{file}:{line} is an answer, and the inputs have no puzzle"),
            Some((input, last)) => {
                format!("{file}:{line} is an answer after that of the last puzzle, {input}:{last}")
            }
        };
        Err(Error::Refused(format!("{file}: {reason}{changed}")))
    }
}
