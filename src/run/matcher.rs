//! Matches the answers of another file with the puzzles: both are read in their order, side by side, on the
//! reader's thread.
//!
//! ```text
//! puzzles    1    2    3    4    5          a puzzle may have no answer, or several
//! answers    1         3 3       5   4?     an answer that goes back, or whose puzzle never comes,
//!                                           ends the run: the file belongs to other puzzles
//! ```
//!
//! So memory does not grow with the files. By position, each puzzle has one answer.

use super::error::Error;
use super::inputs::{Inputs, Matched, Names, Piece};
use crate::input::{Answers, Entry, Given, MatchedBy, Puzzles, Source, Want};
use crate::pipeline::{Filled, Source as _};
use crate::puzzle::parse::Blanks;
use crate::puzzle::{Puzzle, WrongAnswer};
use std::collections::VecDeque;
use std::mem;
use std::path::Path;
use std::sync::Arc;

/// The line of a puzzle: its input, and the line in it.
type Place = (usize, u64);

/// Whether an answer cannot be that of a puzzle, although it may be that of another one.
fn changes_a_clue(puzzle: &Puzzle, given: &Given) -> bool {
    use WrongAnswer::{ChangedClue, NoCandidate};
    let Given::Cells(answer) = given else { return false };
    matches!(puzzle.check_answer(answer), Err(ChangedClue { .. } | NoCandidate { .. }))
}

/// Matches answers with puzzles.
pub struct Matcher {
    answers: Answers,
    names: Names,
    /// The puzzles of a chunk, with the numbers that they have for the workers.
    puzzles: Puzzles,
    /// Pieces that were read to see which puzzle follows a chunk.
    ahead: VecDeque<Piece>,
    /// How many answers were taken, and the line of the last one.
    taken: (u64, u64),
    /// Lines of each input so far.
    lines: Vec<u64>,
    /// The last puzzle.
    last: Option<Place>,
    /// The first puzzle that was passed over while the next answer waited for its own.
    passed: Option<Place>,
    /// Where the last answer with a line belongs.
    reached: Place,
    /// The first answer that changes a clue, in words: the files may part there.
    changed: Option<String>,
}

impl Matcher {
    /// Reads the head of the answers. `whole`: whether the workers read whole lines.
    ///
    /// # Errors
    /// The answers cannot be read.
    pub fn open(answers: Source, sources: &[Source], whole: bool) -> Result<Self, Error> {
        let layout = sources.iter().find_map(Source::layout);
        let blanks = layout.map_or_else(Blanks::default, |layout| layout.blanks);
        Ok(Self {
            answers: Answers::open(answers, blanks)?,
            names: Names::of(sources),
            puzzles: Puzzles::keeping(Want { whole, ..Want::default() }),
            ahead: VecDeque::new(),
            taken: (0, 0),
            lines: vec![0; sources.len()],
            last: None,
            passed: None,
            reached: (0, 0),
            changed: None,
        })
    }

    /// How the answers are matched.
    #[must_use]
    pub const fn matched_by(&self) -> MatchedBy {
        self.answers.by
    }

    /// Fills a chunk, and finds its answers.
    ///
    /// # Errors
    /// The inputs or the answers cannot be read, or the answers are those of other puzzles.
    pub fn fill(
        &mut self,
        inputs: &mut Inputs,
        piece: &mut Piece,
        size: usize,
    ) -> Result<Filled, Error> {
        let filled = match self.ahead.pop_front() {
            Some(ahead) => {
                *piece = ahead;
                Filled::Chunk
            }
            None => inputs.fill(piece, size)?,
        };
        let Piece { chunk, input, file, answers } = piece;
        file.get_or_insert_with(|| Arc::clone(&self.answers.name));
        answers.clear();
        match filled {
            // A chunk whose bytes were lost is an error of the worker that reads it.
            Filled::Chunk if chunk.read(|chunk| self.puzzles.read(chunk)).is_ok() => {
                let puzzles = mem::take(&mut self.puzzles);
                let before = self.lines[*input];
                let mut slots = Vec::with_capacity(puzzles.count());
                slots.extend(
                    puzzles.rows().map(|(row, number)| ((*input, before + row.line), number.ok())),
                );
                for place in 0..slots.len() {
                    self.take(&slots[place..], &puzzles, answers, inputs, size)?;
                }
                self.lines[*input] += puzzles.line_count();
                answers.sort_by_key(|matched| matched.number);
                self.puzzles = puzzles;
            }
            Filled::Chunk | Filled::Nothing => {}
            Filled::End => self.end()?,
        }
        Ok(filled)
    }

    /// Finds the answers of the first of these puzzles and malformed lines, which have no number.
    fn take(
        &mut self,
        slots: &[(Place, Option<usize>)],
        puzzles: &Puzzles,
        found: &mut Vec<Matched>,
        inputs: &mut Inputs,
        size: usize,
    ) -> Result<(), Error> {
        let (place, number) = slots[0];
        let (by, mut taken) = (self.answers.by, 0);
        while let Some(entry) = self.answers.next()? {
            let is_of = |number: usize| entry.puzzle.map(|it| it == puzzles.puzzle(number));
            let is_same = number.and_then(is_of);
            let is_here = match by {
                MatchedBy::Line => self.fit_line(&entry, is_same, place)?,
                // More rows of a puzzle are more of its solutions, unless the list has it again.
                MatchedBy::Puzzle if is_same == Some(true) && taken > 0 => {
                    match slots[1..].iter().find_map(|(_, number)| *number) {
                        Some(later) => is_of(later) == Some(false),
                        None => self.following(inputs, size)? != entry.puzzle,
                    }
                }
                MatchedBy::Puzzle if entry.puzzle.is_some() => is_same == Some(true),
                MatchedBy::Puzzle if number.is_some() && taken == 0 => {
                    let reason = "has no puzzle, and the other answers are matched by theirs";
                    return Err(self.refused_at(&entry, reason));
                }
                // The next answer. Of a malformed puzzle, it is that of a row with the same text.
                MatchedBy::Position | MatchedBy::Puzzle => taken == 0,
            };
            if !is_here {
                self.answers.put_back(entry);
                break;
            }
            let Entry { line, given, .. } = entry;
            if let Some(number) = number {
                if self.changed.is_none() && changes_a_clue(&puzzles.puzzle(number), &given) {
                    let (at, place) = (self.at(&entry), self.place(place));
                    let what = "the first answer that changes a clue is";
                    self.changed = Some(format!("{what} {at}, for {place}"));
                }
                found.push(Matched { number, line, given });
            }
            self.taken = (self.taken.0 + 1, line);
            taken += 1;
        }
        if by == MatchedBy::Position && taken == 0 {
            let (place, file) = (self.place(place), &self.answers.name);
            let answers = match self.taken {
                (0, _) => "0 answers".to_owned(),
                (1, line) => format!("1 answer, the last in {file}:{line}"),
                (count, line) => format!("{count} answers, the last in {file}:{line}"),
            };
            return Err(self.refused(format!("has {answers}, and none for the puzzle {place}")));
        }
        if number.is_some() {
            self.passed = if taken > 0 { None } else { self.passed.or(Some(place)) };
        }
        self.last = Some(place);
        Ok(())
    }

    /// The first puzzle after the chunk.
    fn following(&mut self, inputs: &mut Inputs, size: usize) -> Result<Option<Puzzle>, Error> {
        let (mut puzzles, mut place) = (Puzzles::default(), 0);
        loop {
            if let Some(piece) = self.ahead.get(place) {
                let is_read = piece.chunk.read(|chunk| puzzles.read(chunk)).is_ok();
                let first = puzzles.rows().find_map(|(_, number)| number.ok());
                if let Some(number) = first.filter(|_| is_read) {
                    return Ok(Some(puzzles.puzzle(number)));
                }
                place += 1;
                continue;
            }
            let mut piece = Piece::default();
            match inputs.fill(&mut piece, size)? {
                Filled::Chunk => self.ahead.push_back(piece),
                Filled::Nothing => {}
                Filled::End => return Ok(None),
            }
        }
    }

    /// Whether the answer of a line belongs to this place, or perhaps to a later one. `is_same`: whether it
    /// has the puzzle of the place, if both have one.
    fn fit_line(
        &mut self,
        entry: &Entry,
        is_same: Option<bool>,
        place: Place,
    ) -> Result<bool, Error> {
        let Some(line) = entry.of_line else {
            return Err(self.refused_at(entry, "has no line number in its field \"line\""));
        };
        // Without names of inputs, lines count on from one input to the next.
        let (wanted, here) = match &entry.of_input {
            Some(name) => ((self.input_of(name, line, entry)?, line), place),
            None => ((0, line), (0, self.lines[..place.0].iter().sum::<u64>() + place.1)),
        };
        if wanted >= self.reached && wanted > here {
            return Ok(false);
        }
        let reason = if wanted < self.reached {
            let before = self.reached.1;
            format!("after that of line {before}: the answers must be in the order of the puzzles")
        } else if wanted < here {
            format!("which has no puzzle: the next one is {}", self.place(place))
        } else if is_same == Some(false) {
            let (at, place) = (self.at(entry), self.place(place));
            return Err(self.refused(format!("the puzzle of {at} is not that of {place}")));
        } else {
            self.reached = wanted;
            return Ok(true);
        };
        Err(self.refused_at(entry, &format!("is the answer of line {line}, {reason}")))
    }

    /// The puzzles are at their end.
    fn end(&mut self) -> Result<(), Error> {
        let Some(entry) = self.answers.next()? else { return Ok(()) };
        let last = self.last.map(|last| self.place(last));
        let reason = match (last, entry.of_line, self.passed) {
            (None, ..) => "is an answer, and the inputs have no puzzle".to_owned(),
            (Some(last), Some(line), _) => {
                format!("is the answer of line {line}, but the last puzzle is {last}")
            }
            (_, None, Some(passed)) if self.answers.by == MatchedBy::Puzzle => {
                let (at, passed) = (self.at(&entry), self.place(passed));
                return Err(self.refused(format!(
                    "the puzzle of {at} is neither {passed} nor a later one: the answers must be in \
                     the order of the puzzles"
                )));
            }
            (Some(last), ..) => format!("is an answer after that of the last puzzle, {last}"),
        };
        Err(self.refused_at(&entry, &reason))
    }

    /// The input that a row names, at or after the one that was reached.
    fn input_of(&self, name: &[u8], line: u64, entry: &Entry) -> Result<usize, Error> {
        let text = String::from_utf8_lossy(name);
        let is = |input: &usize| **self.names.get(*input) == *text;
        // The run that wrote the file may have been in another folder.
        let base = |name: &str| Path::new(name).file_name().map(ToOwned::to_owned);
        let resembles = |input: &usize| base(self.names.get(*input)) == base(&text);
        let (reached, last) = self.reached;
        let first = reached + usize::from(line < last);
        let inputs = || (first..self.lines.len()).chain(0..first);
        inputs().find(is).or_else(|| inputs().find(resembles)).ok_or_else(|| {
            let reason = format!("is the answer of {text:?}, which is not among the inputs");
            self.refused_at(entry, &reason)
        })
    }

    /// An answer in words: `s.csv:17`.
    fn at(&self, entry: &Entry) -> String {
        format!("{}:{}", self.answers.name, entry.line)
    }

    /// A puzzle in words: `p.txt:17`.
    fn place(&self, (input, line): Place) -> String {
        format!("{}:{line}", self.names.get(input))
    }

    /// The error that ends the run: what is wrong with an answer.
    fn refused_at(&self, entry: &Entry, reason: &str) -> Error {
        self.refused(format!("{} {reason}", self.at(entry)))
    }

    /// The error that ends the run: why, and where the files may have parted before.
    fn refused(&self, mut reason: String) -> Error {
        if let Some(changed) = &self.changed {
            reason = format!("{reason}; {changed}");
        }
        Error::Refused(format!("{}: {reason}", self.answers.name))
    }
}
