//! Answers of another file, by position: the first answer is that of the first puzzle, and so on.
//!
//! Both files are read in their order, side by side, where chunks are claimed, so memory does not grow with them.
//! Malformed lines have an answer, too. A file with more or fewer answers ends the run: it belongs to other
//! puzzles.

use super::error::Error;
use super::inputs::{Inputs, Matched, Names, Piece};
use crate::input::{Answers, Given, Puzzles, Source};
use crate::pipeline::Filled;
use crate::puzzle::{Puzzle, WrongAnswer};
use std::sync::Arc;

/// Whether an answer cannot be that of a puzzle, although it may be that of another one.
fn changes_a_clue(puzzle: &Puzzle, given: &Given) -> bool {
    use WrongAnswer::{ChangedClue, NoCandidate};
    let Given::Cells(answer) = given else { return false };
    matches!(puzzle.check_answer(answer), Err(ChangedClue { .. } | NoCandidate { .. }))
}

/// Adds the answers of another file to the puzzles of each chunk.
pub(crate) struct Matcher {
    answers: Answers,
    names: Names,
    /// The puzzles of a chunk, with the numbers that they have for the workers.
    puzzles: Puzzles,
    /// How many answers were taken, and the line of the last one.
    taken: (u64, u64),
    /// Lines of each input so far.
    lines: Vec<u64>,
    /// The input and the line of the last puzzle.
    last: Option<(usize, u64)>,
    /// The first answer that changes a clue, in words, if there is one: a line may be missing before it.
    changed: String,
}

impl Matcher {
    /// Reads the head of the answers.
    ///
    /// # Errors
    /// The answers cannot be read.
    pub(crate) fn open(answers: Source, sources: &[Source]) -> Result<Self, Error> {
        let layout = sources.iter().find_map(Source::layout).cloned().unwrap_or_default();
        Ok(Self {
            answers: Answers::open(answers, &layout)?,
            names: Names::of(sources),
            puzzles: Puzzles::default(),
            taken: (0, 0),
            lines: vec![0; sources.len()],
            last: None,
            changed: String::new(),
        })
    }

    /// Fills a chunk, and adds its answers.
    ///
    /// # Errors
    /// The inputs or the answers cannot be read, or there are more or fewer answers than puzzles.
    pub(crate) fn fill(
        &mut self,
        inputs: &mut Inputs,
        piece: &mut Piece,
        size: usize,
    ) -> Result<Filled, Error> {
        let filled = inputs.fill(piece, size)?;
        let Piece { chunk, input, file, answers, .. } = piece;
        file.get_or_insert_with(|| Arc::clone(&self.answers.name));
        answers.clear();
        match filled {
            // A chunk whose bytes were lost is an error of the worker that reads it.
            Filled::Chunk if chunk.read(|chunk| self.puzzles.read(chunk)).is_ok() => {
                self.take(*input, answers)?;
            }
            Filled::Chunk | Filled::Nothing => {}
            Filled::End => self.end()?,
        }
        Ok(filled)
    }

    /// Takes the answers of the puzzles of a chunk.
    fn take(&mut self, input: usize, found: &mut Vec<Matched>) -> Result<(), Error> {
        let Self { answers, names, puzzles, taken, lines, last, changed } = self;
        found.resize(puzzles.count(), Matched { line: 0, given: Given::Missing });
        for (row, number) in puzzles.rows() {
            let line = lines[input] + row.line;
            let place = || format!("{}:{line}", names.get(input));
            let Some((at, given)) = answers.take()? else {
                let file = &answers.name;
                let count = match taken {
                    (0, _) => "0 answers".to_owned(),
                    (1, line) => format!("1 answer, the last in {file}:{line}"),
                    (count, line) => format!("{count} answers, the last in {file}:{line}"),
                };
                let reason = format!("has {count}, and none for the puzzle {}", place());
                return Err(Error::Refused(format!("{file}: {reason}{changed}")));
            };
            if let Ok(number) = number {
                if changed.is_empty() && changes_a_clue(&puzzles.puzzle(number), &given) {
                    let at = format!("{}:{at}, for {}", answers.name, place());
                    *changed = format!("; the first answer that changes a clue is {at}");
                }
                found[number] = Matched { line: at, given };
            }
            *taken = (taken.0 + 1, at);
            *last = Some((input, line));
        }
        lines[input] += puzzles.line_count();
        Ok(())
    }

    /// The puzzles are at their end: so must be the answers.
    fn end(&mut self) -> Result<(), Error> {
        let Some((line, _)) = self.answers.take()? else { return Ok(()) };
        let file = &self.answers.name;
        let reason = match self.last {
            None => format!("{file}:{line} is an answer, and the inputs have no puzzle"),
            Some((input, last)) => {
                let input = self.names.get(input);
                format!("{file}:{line} is an answer after that of the last puzzle, {input}:{last}")
            }
        };
        Err(Error::Refused(format!("{file}: {reason}{}", self.changed)))
    }
}
