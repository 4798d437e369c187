//! Matches the answers of another file with the puzzles: both are read in their order, side by side.
//!
//! ```text
//! puzzles    1    2    3    4    5          a puzzle may have no answer, or several
//! answers    1         3 3       5   4?     an answer that goes back, or whose puzzle never comes,
//!                                           ends the run: the file belongs to other puzzles
//! ```
//!
//! So memory does not grow with the files. By position, each puzzle has one answer.

use super::answers::{Answers, Entry, Key, MatchedBy};
use crate::input::{Given, Puzzles, Record, Source};
use crate::puzzle::Puzzle;
use crate::run::{Error, Names};
use std::path::Path;
use std::sync::Arc;

/// An answer, and which record of a chunk it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matched {
    /// Puzzles and malformed lines of the chunk before it.
    pub(super) record: usize,
    /// Its line in the file of answers.
    pub(super) line: u64,
    pub(super) given: Given,
}

/// The line of a puzzle: its input, and the line in it.
type Place = (usize, u64);

/// A puzzle of a chunk, or a malformed line.
#[derive(Clone, Copy)]
struct Slot {
    place: Place,
    /// Which puzzle of the chunk it is; none if it is malformed.
    number: Option<usize>,
}

/// Matches answers with puzzles.
pub(super) struct Matcher {
    answers: Answers,
    names: Names,
    /// The next answer.
    next: Option<Entry>,
    /// How many answers were taken.
    taken: u64,
    /// The last line of an answer that was taken, in the file of answers.
    last_taken: Option<u64>,
    /// Lines of each input that come before its part that is read.
    skipped: Vec<u64>,
    /// Lines of the current input so far, and of all inputs before it.
    lines: u64,
    lines_before: u64,
    input: usize,
    /// The last puzzle.
    last: Option<Place>,
    /// The first puzzle that was passed over while the next answer waited for its own.
    passed: Option<Place>,
    /// Where the last answer with a line belongs.
    reached: Place,
    slots: Vec<Slot>,
}

impl Matcher {
    /// Reads the head of the answers.
    pub(super) fn open(answers: Source, sources: &[Source], names: &Names) -> Result<Self, Error> {
        let mut answers = Answers::open(answers)?;
        let next = answers.next()?;
        let skipped: Vec<_> = sources.iter().map(|it| it.part().lines_before).collect();
        let lines = skipped.first().copied().unwrap_or(0);
        Ok(Self {
            answers,
            names: names.clone(),
            next,
            taken: 0,
            last_taken: None,
            skipped,
            lines,
            lines_before: 0,
            input: 0,
            last: None,
            passed: None,
            reached: (0, 0),
            slots: Vec::new(),
        })
    }

    /// How the answers are matched.
    pub(super) const fn matched_by(&self) -> MatchedBy {
        self.answers.matched_by()
    }

    /// Finds the answers of a chunk that was read. `following` is the first puzzle after the chunk.
    pub(super) fn take(
        &mut self,
        input: usize,
        puzzles: &Puzzles,
        found: &mut Vec<Matched>,
        following: impl FnMut() -> Result<Option<Puzzle>, Error>,
    ) -> Result<(), Error> {
        while self.input < input {
            self.lines_before += self.lines;
            self.input += 1;
            self.lines = self.skipped[self.input];
        }
        let mut slots = std::mem::take(&mut self.slots);
        slots.clear();
        for record in puzzles.records() {
            match record {
                Record::Puzzles { line, numbers } => {
                    let lines = self.lines + line..;
                    let slot = |(line, number)| Slot { place: (input, line), number: Some(number) };
                    slots.extend(lines.zip(numbers).map(slot));
                }
                Record::Malformed { line, .. } => {
                    let place = (input, self.lines + line);
                    slots.push(Slot { place, number: None });
                }
                Record::Skipped { .. } => {}
            }
        }
        let taken = match self.matched_by() {
            MatchedBy::Position => self.take_by_position(&slots, found),
            MatchedBy::Line => self.take_by_line(&slots, puzzles, found),
            MatchedBy::Puzzle => self.take_by_puzzle(&slots, puzzles, found, following),
        };
        self.lines += puzzles.records().map(|record| record.lines()).sum::<u64>();
        self.slots = slots;
        taken
    }

    /// The puzzles are at their end.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        let Some(entry) = self.next.take() else { return Ok(()) };
        let at = self.at(&entry);
        let Some(last) = self.last else {
            return Err(self.refused(format!("{at} is an answer, and the inputs have no puzzle")));
        };
        let last = self.place(last);
        Err(match (&entry.key, self.passed) {
            (Key::Line { line: Some(line), .. }, _) => self.refused(format!(
                "{at} is the answer of line {line}, but the last puzzle is {last}"
            )),
            (Key::Puzzle(_), Some(passed)) => {
                let passed = self.place(passed);
                self.refused(format!(
                    "the puzzle of {at} is neither {passed} nor a later one: the answers must be in \
                     the order of the puzzles"
                ))
            }
            _ => self.refused(format!("{at} is an answer after that of the last puzzle, {last}")),
        })
    }

    fn take_by_position(&mut self, slots: &[Slot], found: &mut Vec<Matched>) -> Result<(), Error> {
        for (record, slot) in slots.iter().enumerate() {
            if self.next.is_none() {
                let (place, taken) = (self.place(slot.place), self.taken);
                let answers = if taken == 1 { "answer" } else { "answers" };
                let after = self.last_taken.map_or_else(String::new, |line| {
                    format!(", the last in {}:{line}", self.answers.name())
                });
                return Err(self.refused(format!(
                    "has {taken} {answers}{after}, and none for the puzzle {place}"
                )));
            }
            self.push(record, found)?;
            self.last = Some(slot.place);
        }
        Ok(())
    }

    fn take_by_line(
        &mut self,
        slots: &[Slot],
        puzzles: &Puzzles,
        found: &mut Vec<Matched>,
    ) -> Result<(), Error> {
        for (record, slot) in slots.iter().enumerate() {
            while let Some(entry) = &self.next {
                let Key::Line { input, line, puzzle } = &entry.key else { break };
                let Some(line) = *line else {
                    let at = self.at(entry);
                    return Err(
                        self.refused(format!("{at} has no line number in its field \"line\""))
                    );
                };
                // Without names of inputs, lines count on from one input to the next.
                let (wanted, here) = match input {
                    Some(name) => {
                        ((self.input_of(name, line, entry)?, line), (slot.place.0, slot.place.1))
                    }
                    None => ((0, line), (0, self.lines_before + slot.place.1)),
                };
                if wanted < self.reached {
                    let (at, before) = (self.at(entry), self.reached.1);
                    return Err(self.refused(format!(
                        "{at} is the answer of line {line}, after that of line {before}: the answers \
                         must be in the order of the puzzles"
                    )));
                }
                if wanted > here {
                    break;
                }
                if wanted < here {
                    let (at, place) = (self.at(entry), self.place(slot.place));
                    return Err(self.refused(format!(
                        "{at} is the answer of line {line}, which has no puzzle: the next one is {place}"
                    )));
                }
                let same = |number| puzzle.is_none_or(|puzzle| puzzle == puzzles.puzzle(number));
                if !slot.number.is_none_or(same) {
                    let (at, place) = (self.at(entry), self.place(slot.place));
                    return Err(self.refused(format!("the puzzle of {at} is not that of {place}")));
                }
                self.reached = wanted;
                self.push(record, found)?;
            }
            self.last = Some(slot.place);
        }
        Ok(())
    }

    fn take_by_puzzle(
        &mut self,
        slots: &[Slot],
        puzzles: &Puzzles,
        found: &mut Vec<Matched>,
        mut following: impl FnMut() -> Result<Option<Puzzle>, Error>,
    ) -> Result<(), Error> {
        for (record, slot) in slots.iter().enumerate() {
            self.last = Some(slot.place);
            let Some(number) = slot.number else {
                // Its row has the same malformed text.
                if matches!(&self.next, Some(Entry { key: Key::Puzzle(None), .. })) {
                    self.push(record, found)?;
                }
                continue;
            };
            // A row without a puzzle and without an answer says nothing.
            while let Some(entry) = &self.next
                && entry.key == Key::Puzzle(None)
            {
                if entry.given != Given::Missing {
                    let at = self.at(entry);
                    return Err(self.refused(format!(
                        "{at} has no puzzle, and the other answers are matched by theirs"
                    )));
                }
                self.advance()?;
            }
            let puzzle = puzzles.puzzle(number);
            if self.is_next(&puzzle) {
                self.push(record, found)?;
                self.passed = None;
                // More rows of the same puzzle are more of its solutions, unless the list has the
                // puzzle again.
                while self.is_next(&puzzle) {
                    let later = slots[record + 1..].iter().find_map(|slot| slot.number);
                    let again = match later {
                        Some(number) => Some(puzzles.puzzle(number)),
                        None => following()?,
                    };
                    if again == Some(puzzle) {
                        break;
                    }
                    self.push(record, found)?;
                }
            } else if self.next.is_some() {
                self.passed.get_or_insert(slot.place);
            }
        }
        Ok(())
    }

    /// Whether the next answer is that of this puzzle.
    fn is_next(&self, puzzle: &Puzzle) -> bool {
        matches!(&self.next, Some(Entry { key: Key::Puzzle(Some(it)), .. }) if it == puzzle)
    }

    /// Takes the next answer for a record.
    fn push(&mut self, record: usize, found: &mut Vec<Matched>) -> Result<(), Error> {
        if let Some(Entry { line, given, .. }) = self.next.take() {
            found.push(Matched { record, line, given });
            self.last_taken = Some(line);
            self.taken += 1;
        }
        self.advance()
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.next = self.answers.next()?;
        Ok(())
    }

    /// The input that a row names, at or after the one that was reached.
    fn input_of(&self, name: &[u8], line: u64, entry: &Entry) -> Result<usize, Error> {
        let text = String::from_utf8_lossy(name);
        let (input, last) = self.reached;
        let is = |place: &usize| **self.names.get(*place) == *text;
        // The run that wrote the file may have been in another folder.
        let base = |name: &str| Path::new(name).file_name().map(ToOwned::to_owned);
        let resembles = |place: &usize| base(self.names.get(*place)) == base(&text);
        let places = || 0..self.skipped.len();
        let find = |is: &dyn Fn(&usize) -> bool| {
            let later = |place: &usize| *place > input || *place == input && line >= last;
            places().filter(later).find(is).or_else(|| places().find(is))
        };
        find(&is).or_else(|| find(&resembles)).ok_or_else(|| {
            let at = self.at(entry);
            self.refused(format!("{at} is the answer of {text:?}, which is not among the inputs"))
        })
    }

    /// An answer in words: `s.csv:17`.
    fn at(&self, entry: &Entry) -> String {
        format!("{}:{}", self.answers.name(), entry.line)
    }

    /// A puzzle in words: `p.txt:17`.
    fn place(&self, (input, line): Place) -> String {
        format!("{}:{line}", self.names.get(input))
    }

    fn refused(&self, reason: String) -> Error {
        Error::Answers { name: Arc::clone(self.answers.name()), reason }
    }
}
