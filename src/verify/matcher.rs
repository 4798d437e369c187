//! Answers of another file, by position: the first answer is that of the first puzzle, and so on.
//!
//! ```text
//! each thread   read a chunk of puzzles ─> read a chunk of answers ─> take as many as there are puzzles ─> judge
//!                                          if few are waiting         in order
//! ```
//!
//! Malformed lines have an answer, too. A file with more or fewer answers ends the run: it belongs to other
//! puzzles.

use crate::input::{self, ChunkAnswers, ChunkBuffer, Chunks, Given, Puzzles, Source};
use crate::puzzle::{Puzzle, WrongAnswer};
use crate::run::{Error, InOrder, Rows};
use ninefold_rows::lock;
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

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

/// A chunk of answers. The first thread that needs it reads it.
#[derive(Default)]
struct AnswerSlot {
    chunk: Mutex<ChunkBuffer>,
    answers: OnceLock<Result<Arc<ChunkAnswers>, input::Error>>,
}

/// The answers of a file.
pub(super) struct Matcher {
    /// The name of the file.
    pub(super) name: Arc<str>,
    /// Chunks that were cut and are not dealt, in their order, and those that are still to be cut.
    chunks: Mutex<(VecDeque<Arc<AnswerSlot>>, Chunks)>,
    /// Answers that no puzzle has yet.
    waiting: AtomicUsize,
    dealt: InOrder<DealtAnswers>,
    /// The first answer that changes a clue, in words, if there is one: a line may be missing before it.
    changed: InOrder<String>,
}

/// The answers that puzzles have.
#[derive(Default)]
struct DealtAnswers {
    /// How many there are, and the line of the last one.
    count: (usize, u64),
    /// The last chunk, its first answer that is left, and the lines before the chunk.
    chunk: Arc<ChunkAnswers>,
    start: usize,
    lines: u64,
    /// The last puzzle.
    last: Option<(String, u64)>,
}

/// Some answers of a chunk, and the lines before the chunk.
type Dealt = (Arc<ChunkAnswers>, Range<usize>, u64);

impl Matcher {
    /// Reads the head of the answers.
    ///
    /// # Errors
    /// The answers cannot be read.
    pub(super) fn open(answers: Source, sources: &[Source]) -> Result<Self, Error> {
        let layout = sources.iter().find_map(Source::layout).cloned().unwrap_or_default();
        let name = Arc::clone(answers.name());
        Ok(Self {
            name,
            chunks: Mutex::new((VecDeque::new(), input::open_answers(answers, &layout)?)),
            waiting: AtomicUsize::new(0),
            dealt: InOrder::new(DealtAnswers::default()),
            changed: InOrder::new(String::new()),
        })
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
        let (turn, count) = (rows.turn(), puzzles.places().count());
        if self.waiting.load(Ordering::Relaxed) < 2 * count {
            self.read_chunk();
        }
        let last = puzzles.places().last().map(|row| rows.at(row.line));
        let last = last.map(|(input, line)| (input.to_owned(), line));
        let (dealt, mut before) = self.dealt.pass(turn, |dealt| {
            dealt.last = last.or(dealt.last.take());
            let before = dealt.count;
            self.deal(count, dealt).map(|parts| (parts, before))
        })?;
        let mut answers = dealt.iter().flat_map(|(chunk, range, lines)| {
            chunk.answers[range.clone()].iter().map(move |(line, given)| (lines + line, given))
        });
        found.clear();
        found.resize(puzzles.count(), Matched { line: 0, given: Given::Missing });
        let (mut changed, mut lacking) = (String::new(), None);
        for row in puzzles.places() {
            let Some((at, given)) = answers.next() else {
                lacking = Some(rows.at(row.line));
                break;
            };
            before = (before.0 + 1, at);
            let Ok(number) = row.number else { continue };
            if changed.is_empty() && changes_a_clue(&puzzles.puzzle(number), given) {
                let (input, line) = rows.at(row.line);
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
        let count = match before {
            (0, _) => "0 answers".to_owned(),
            (1, line) => format!("1 answer, the last in {file}:{line}"),
            (count, line) => format!("{count} answers, the last in {file}:{line}"),
        };
        let reason = format!("has {count}, and none for the puzzle {input}:{line}");
        Err(Error::Refused(format!("{file}: {reason}{changed}")))
    }

    /// Reads the next chunk of answers. False if there are no more.
    fn read_chunk(&self) -> bool {
        let mut slot = AnswerSlot::default();
        let mut chunks = lock(&self.chunks);
        match chunks.1.claim(&mut lock(&slot.chunk), CHUNK_BYTES, usize::MAX) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(error) => slot.answers = Err(error).into(),
        }
        let slot = Arc::new(slot);
        chunks.0.push_back(Arc::clone(&slot));
        drop(chunks);
        self.answers_of(&slot);
        true
    }

    /// The answers of a chunk. If another thread reads it, waits for that.
    fn answers_of<'a>(&self, slot: &'a AnswerSlot) -> &'a Result<Arc<ChunkAnswers>, input::Error> {
        slot.answers.get_or_init(|| {
            let failed = |cause| input::Error { name: Arc::clone(&self.name), cause };
            let read = ChunkAnswers::read(&mut lock(&slot.chunk), &mut Puzzles::default());
            let read = read.map_err(failed)?;
            self.waiting.fetch_add(read.answers.len(), Ordering::Relaxed);
            Ok(Arc::new(read))
        })
    }

    /// Deals this many answers, or all that are left.
    fn deal(&self, mut count: usize, dealt: &mut DealtAnswers) -> Result<Vec<Dealt>, Error> {
        let mut parts = Vec::new();
        while count > 0 {
            let left = &dealt.chunk.answers[dealt.start..];
            let end = dealt.start + left.len().min(count);
            if let Some((line, _)) = left[..end - dealt.start].last() {
                let taken = end - dealt.start;
                count -= taken;
                dealt.count = (dealt.count.0 + taken, dealt.lines + line);
                self.waiting.fetch_sub(taken, Ordering::Relaxed);
                parts.push((Arc::clone(&dealt.chunk), dealt.start..end, dealt.lines));
                dealt.start = end;
                continue;
            }
            let next = lock(&self.chunks).0.pop_front();
            if let Some(slot) = next {
                dealt.lines += dealt.chunk.lines;
                let chunk = self.answers_of(&slot).as_ref();
                let chunk = chunk.map_err(|input::Error { name, cause }| {
                    let cause = io::Error::new(cause.kind(), cause.to_string());
                    input::Error { name: Arc::clone(name), cause }
                })?;
                (dealt.chunk, dealt.start) = (Arc::clone(chunk), 0);
            } else if !self.read_chunk() {
                break;
            }
        }
        Ok(parts)
    }

    /// The puzzles are at their end: so must be the answers.
    ///
    /// # Errors
    /// They are not, or cannot be read.
    pub(super) fn end(mut self) -> Result<(), Error> {
        let mut dealt = mem::take(self.dealt.get_mut());
        let last = dealt.last.take();
        if self.deal(1, &mut dealt)?.is_empty() {
            return Ok(());
        }
        let (file, line) = (&self.name, dealt.count.1);
        let reason = match last {
            None => format!("{file}:{line} is an answer, and the inputs have no puzzle"),
            Some((input, last)) => {
                format!("{file}:{line} is an answer after that of the last puzzle, {input}:{last}")
            }
        };
        let changed = self.changed.get_mut();
        Err(Error::Refused(format!("{file}: {reason}{changed}")))
    }
}
