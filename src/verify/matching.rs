//! Matches the answers of another file with the puzzles: both are read in their order, side by side.
//!
//! ```text
//! puzzles    1    2    3    4    5          a puzzle may have no answer, or several
//! answers    1         3 3       5   4?     an answer that goes back, or whose puzzle never comes,
//!                                           ends the run: the file belongs to other puzzles
//! ```
//!
//! So memory does not grow with the files. By position, each puzzle has one answer.

use super::answers::{Answers, Entry, MatchedBy};
use crate::input::{Given, Puzzles, Record, Source};
use crate::puzzle::parse::Blanks;
use crate::puzzle::{Puzzle, WrongAnswer};
use crate::run::{Error, Names};
use std::path::Path;

/// An answer, and which puzzle of a chunk it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matched {
    pub(super) number: usize,
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

/// Whether an answer cannot be that of a puzzle, although it may be that of another one.
fn changes_a_clue(puzzle: &Puzzle, given: &Given) -> bool {
    use WrongAnswer::{ChangedClue, NoCandidate};
    let Given::Cells(answer) = given else { return false };
    matches!(puzzle.check_answer(answer), Err(ChangedClue { .. } | NoCandidate { .. }))
}

/// Matches answers with puzzles.
pub(super) struct Matcher {
    pub(super) answers: Answers,
    names: Names,
    /// The next answer.
    next: Option<Entry>,
    /// How many answers were taken, and the line of the last one.
    taken: u64,
    last_taken: u64,
    /// Lines of each input so far, with those before its part that is read.
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
    /// Reads the head of the answers.
    pub(super) fn open(answers: Source, sources: &[Source]) -> Result<Self, Error> {
        let layout = sources.iter().find_map(Source::layout);
        let blanks = layout.map_or_else(Blanks::default, |layout| *layout.blanks());
        let mut answers = Answers::open(answers, blanks)?;
        Ok(Self {
            next: answers.next()?,
            answers,
            names: Names::of(sources),
            taken: 0,
            last_taken: 0,
            lines: vec![0; sources.len()],
            last: None,
            passed: None,
            reached: (0, 0),
            changed: None,
        })
    }

    /// Finds the answers of a chunk that was read. `following` is the first puzzle after the chunk.
    pub(super) fn take(
        &mut self,
        input: usize,
        puzzles: &Puzzles,
        found: &mut Vec<Matched>,
        mut following: impl FnMut() -> Result<Option<Puzzle>, Error>,
    ) -> Result<(), Error> {
        let before = self.lines[input];
        let mut slots = Vec::new();
        for record in puzzles.records() {
            let place = (input, before + record.line());
            match record {
                Record::Puzzles { line, numbers } => slots.extend(
                    (before + line..)
                        .zip(numbers)
                        .map(|(line, number)| Slot { place: (input, line), number: Some(number) }),
                ),
                Record::Malformed { .. } => slots.push(Slot { place, number: None }),
                Record::Skipped { .. } => {}
            }
        }
        for place in 0..slots.len() {
            self.take_one(&slots[place..], puzzles, found, &mut following)?;
        }
        self.lines[input] += puzzles.records().map(|record| record.lines()).sum::<u64>();
        found.sort_by_key(|matched| matched.number);
        Ok(())
    }

    /// Finds the answers of the first of these slots.
    fn take_one(
        &mut self,
        slots: &[Slot],
        puzzles: &Puzzles,
        found: &mut Vec<Matched>,
        following: &mut impl FnMut() -> Result<Option<Puzzle>, Error>,
    ) -> Result<(), Error> {
        let Slot { place, number } = slots[0];
        let by = self.answers.by;
        let mut taken = 0;
        while let Some(entry) = self.next.take() {
            let is_of = |number: usize| entry.puzzle.map(|it| it == puzzles.puzzle(number));
            let is_same = number.and_then(is_of);
            let is_here = match by {
                MatchedBy::Line => self.fit_line(&entry, is_same, place)?,
                // More rows of a puzzle are more of its solutions, unless the list has it again.
                MatchedBy::Puzzle if is_same == Some(true) && taken > 0 => {
                    match slots[1..].iter().find_map(|slot| slot.number) {
                        Some(later) => is_of(later) == Some(false),
                        None => following()? != entry.puzzle,
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
                self.next = Some(entry);
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
            self.last_taken = line;
            self.taken += 1;
            taken += 1;
            self.next = self.answers.next()?;
        }
        if by == MatchedBy::Position && taken == 0 {
            let (place, answers) =
                (self.place(place), if self.taken == 1 { "answer" } else { "answers" });
            let after = match self.taken {
                0 => String::new(),
                _ => format!(", the last in {}:{}", self.answers.name, self.last_taken),
            };
            let taken = self.taken;
            let reason = format!("has {taken} {answers}{after}, and none for the puzzle {place}");
            return Err(self.refused(reason));
        }
        if number.is_some() {
            self.passed = if taken > 0 { None } else { self.passed.or(Some(place)) };
        }
        self.last = Some(place);
        Ok(())
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
        let wrong = |reason: String| {
            Err(self.refused_at(entry, &format!("is the answer of line {line}, {reason}")))
        };
        if wanted < self.reached {
            let before = self.reached.1;
            return wrong(format!(
                "after that of line {before}: the answers must be in the order of the puzzles"
            ));
        }
        if wanted < here {
            let next = self.place(place);
            return wrong(format!("which has no puzzle: the next one is {next}"));
        }
        if is_same == Some(false) {
            let (at, place) = (self.at(entry), self.place(place));
            return Err(self.refused(format!("the puzzle of {at} is not that of {place}")));
        }
        self.reached = wanted;
        Ok(true)
    }

    /// The puzzles are at their end.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        let Some(entry) = self.next.take() else { return Ok(()) };
        let Some(last) = self.last else {
            return Err(self.refused_at(&entry, "is an answer, and the inputs have no puzzle"));
        };
        let last = self.place(last);
        let reason = match (entry.of_line, self.passed) {
            (Some(line), _) => {
                format!("is the answer of line {line}, but the last puzzle is {last}")
            }
            (None, Some(passed)) if self.answers.by == MatchedBy::Puzzle => {
                let (at, passed) = (self.at(&entry), self.place(passed));
                return Err(self.refused(format!(
                    "the puzzle of {at} is neither {passed} nor a later one: the answers must be in \
                     the order of the puzzles"
                )));
            }
            _ => format!("is an answer after that of the last puzzle, {last}"),
        };
        Err(self.refused_at(&entry, &reason))
    }

    /// The input that a row names, at or after the one that was reached.
    fn input_of(&self, name: &[u8], line: u64, entry: &Entry) -> Result<usize, Error> {
        let text = String::from_utf8_lossy(name);
        let (input, last) = self.reached;
        let is = |place: &usize| **self.names.get(*place) == *text;
        // The run that wrote the file may have been in another folder.
        let base = |name: &str| Path::new(name).file_name().map(ToOwned::to_owned);
        let resembles = |place: &usize| base(self.names.get(*place)) == base(&text);
        let places = || 0..self.lines.len();
        let find = |is: &dyn Fn(&usize) -> bool| {
            let later = |place: &usize| *place > input || *place == input && line >= last;
            places().filter(later).find(is).or_else(|| places().find(is))
        };
        find(&is).or_else(|| find(&resembles)).ok_or_else(|| {
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
