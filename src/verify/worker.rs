//! Judges the puzzles of chunks, compares them with all before, and writes their records.

use super::judge::{Docket, Judge, Judged, count};
use super::matcher::Matched;
use super::record;
use super::{Finding, PredictionScore, ScoreCount, VerifyCount, Verifying};
use crate::bank::{Key, Keys, Same};
use crate::input::{Chunk, Columns, Given, Own, Puzzles, Row, RowPlace};
use crate::output::Format;
use crate::puzzle::Cell;
use crate::puzzle::answer::check_lines;
use crate::run::{Clues, Counts, Rows};
use std::ops::ControlFlow;

/// Judges chunks.
pub(super) struct VerifyWorker<'a> {
    judge: Judge,
    run: &'a Verifying<'a>,
    /// The answers of another file to the puzzles of the chunk.
    matched: Vec<Matched>,
    /// What was found: first of all grids, then of all sukakus.
    judged: Vec<Judged>,
    /// Those of [`Verify::forms`].
    keys: [Option<Keys>; 2],
    columns: Columns,
}

impl<'a> VerifyWorker<'a> {
    pub(super) fn new(run: &'a Verifying<'a>) -> Self {
        let keys = run.verify.forms().map(|form| form.map(Keys::new));
        let (judge, columns) = (Judge::new(run.verify), Columns::default());
        Self { judge, run, matched: Vec::new(), judged: Vec::new(), keys, columns }
    }

    /// Judges the puzzles of a chunk, and writes their records.
    pub(super) fn answer(&mut self, chunk: &Chunk<'_>, rows: &mut Rows<'_, ()>) -> ControlFlow<()> {
        // Puzzles without faults have no record, and are not compared with others.
        let is_report = rows.style().format == Format::Report;
        let is_short = is_report && self.keys.iter().all(Option::is_none);
        let mut is_right = false;
        let is_all = is_short && !self.judge.verify.score && self.run.matcher.is_none();
        if is_all && self.judge.verify.trust_unique {
            rows.work(|output| {
                is_right = self.count_right(chunk, &mut output.counts);
                None
            });
        }
        if is_right {
            return ControlFlow::Continue(());
        }
        let puzzles = rows.read(chunk);
        let matcher = self.run.matcher.as_ref();
        if let Some(Err(error)) = matcher.map(|it| it.find(puzzles, rows, &mut self.matched)) {
            rows.failed = Some(error);
            return ControlFlow::Break(());
        }
        let mut found = Vec::new();
        if self.judge.verify.duplicates == Some(Same::Exact) {
            // Before the search, so that no chunk waits for that of another.
            self.judge.facts.restart();
            let entries = self.keys_of(Same::Exact, puzzles, rows.lines_before());
            found = self.find_earlier(entries, rows);
        }
        let has_answers = chunk.layout().has_solutions();
        let is_scored = self.judge.verify.score;
        let predicted = if is_scored { self.predictions(chunk, puzzles) } else { None };
        let of_file = matcher.map(|it| (&*it.name, &self.matched[..]));
        let docket = Docket { puzzles, has_answers, of_file, predicted: predicted.as_deref() };
        rows.work(|_| self.judge.judge(&docket, &mut self.judged));
        count(&self.judged, self.judge.verify.rate, &mut rows.output.counts);
        if self.judge.verify.score {
            self.count_scores(chunk, puzzles, &mut rows.output.counts);
        }
        self.compare(puzzles, found, rows);
        for RowPlace { line, bytes, number } in puzzles.places() {
            match number {
                Ok(number) if is_report && self.judged[number].faults.is_empty() => {}
                Ok(number) => record::write(&self.judged[number], &puzzles.row(line, number), rows),
                Err(error) => {
                    let judged = [Judged::malformed(&error)];
                    count(&judged, self.judge.verify.rate, &mut rows.output.counts);
                    record::write(&judged[0], &Row { line, puzzle: None, bytes }, rows);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The predictions next to the puzzles, if they are there.
    fn predictions(&mut self, chunk: &Chunk, puzzles: &Puzzles) -> Option<Vec<Matched>> {
        let mut found = vec![Matched { line: 0, given: Given::Missing }; puzzles.count()];
        for RowPlace { line, number, bytes } in puzzles.places() {
            if let (Ok(number), Some(bytes)) = (number, bytes) {
                let given = self.columns.prediction(chunk.layout(), &chunk.bytes()[bytes])?;
                found[number] = Matched { line, given };
            }
        }
        Some(found)
    }

    /// Counts predictions, in all and in buckets. A malformed line has no score.
    fn count_scores(&mut self, chunk: &Chunk, puzzles: &Puzzles, counts: &mut Counts) {
        let Self { judge, judged, columns, .. } = self;
        let by = judge.verify.by.as_ref().zip(Some(judge.verify.by_column()));
        for RowPlace { number, bytes, .. } in puzzles.places() {
            let judged = number.ok().map(|number| &judged[number]);
            let score = judged.and_then(|it| it.score.as_ref());
            let stored = judged.and_then(|it| it.stored);
            PredictionScore::count(score, stored, counts.all_mut::<ScoreCount>());
            let Some((by, column)) = by else { continue };
            let line = bytes.map_or(&[][..], |bytes| &chunk.bytes()[bytes]);
            let values = columns.own(chunk.layout(), line, column);
            let value = if let [Own::Text(value)] = &values[..] { &**value } else { &[] };
            let measured = judged.map(Judged::measured).unwrap_or_default();
            let bucket = by.bucket(judged.and_then(|it| it.clues), &measured, value);
            PredictionScore::count(score, stored, counts.bucket(&bucket));
        }
    }

    /// Counts the rows of a chunk in which nothing is wrong, if all rows are such.
    fn count_right(&self, chunk: &Chunk, counts: &mut Counts) -> bool {
        let Some(delimiter) = chunk.layout().pairs() else { return false };
        let mut of_clues = [0; Cell::COUNT + 1];
        let end = right_rows(chunk.bytes(), delimiter, |clues| of_clues[clues] += 1);
        let verify = &self.judge.verify;
        let is_allowed = |(clues, &rows): (usize, &u64)| rows == 0 || verify.allows(clues);
        // The lines of full grids are told.
        let has_full = of_clues[Cell::COUNT] > 0;
        if end < chunk.bytes().len() || has_full || !of_clues.iter().enumerate().all(is_allowed) {
            return false;
        }
        let rows = of_clues.iter().sum();
        (counts.lines, counts.puzzles) = (rows, rows);
        counts.all_mut::<Clues>().copy_from_slice(&of_clues);
        for tally in [VerifyCount::Passed, VerifyCount::NotSolved, VerifyCount::Right] {
            counts[tally] = rows;
        }
        true
    }

    /// Adds what is in the bank or came before to what was found of the puzzles. `earlier` are equal puzzles, if
    /// these are looked for.
    fn compare(
        &mut self,
        puzzles: &Puzzles,
        mut earlier: Vec<(usize, u64)>,
        rows: &mut Rows<'_, ()>,
    ) {
        let entries = self.keys_of(Same::Isomorphic, puzzles, rows.lines_before());
        let verify = &self.judge.verify;
        for &(number, (key, _)) in &entries {
            if let Some(place) = verify.bank.as_ref().and_then(|bank| bank.find(key)) {
                let counts = &mut rows.output.counts;
                self.judged[number].add_place(Finding::InBank, Same::Isomorphic, place, counts);
            }
        }
        if verify.duplicates == Some(Same::Isomorphic) {
            earlier = self.find_earlier(entries, rows);
        }
        let same = self.judge.verify.duplicates.unwrap_or_default();
        for (number, first) in earlier {
            let (place, counts) = (rows.place(first), &mut rows.output.counts);
            self.judged[number].add_place(Finding::Duplicate, same, place, counts);
        }
    }

    /// The keys of all puzzles in this form, if they are compared in it: each with its number.
    fn keys_of(&mut self, same: Same, puzzles: &Puzzles, before: u64) -> Vec<(usize, (Key, u64))> {
        let Self { judge, keys, .. } = self;
        let Some(keys) = &mut keys[same as usize] else { return Vec::new() };
        let entry = |RowPlace { line, number, .. }| {
            let number = number.ok()?;
            let solution = judge.facts.answers.solution(number);
            Some((number, (keys.of(&puzzles.puzzle(number), solution), before + line)))
        };
        puzzles.places().filter_map(entry).collect()
    }

    /// The puzzles that came before, and the ordinals of the first lines that have them.
    fn find_earlier(
        &self,
        entries: Vec<(usize, (Key, u64))>,
        rows: &Rows<'_, ()>,
    ) -> Vec<(usize, u64)> {
        let Some(earlier) = &self.run.earlier else { return Vec::new() };
        let (numbers, entries): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        let found = numbers.into_iter().zip(earlier.find(&entries, rows.turn()));
        found.filter_map(|(number, first)| Some((number, first?))).collect()
    }
}

/// Goes over rows that have a puzzle, one byte between, its answer, and a line end, as long as
/// the answers are right; calls `each` with the number of clues of each puzzle.
///
/// Gives the bytes of these rows. What follows is a row that is wrong or written in another way,
/// or the text is at its end; the caller looks at that row by other means, and may come back
/// behind it. A line ends with LF or CRLF, also mixed.
fn right_rows(text: &[u8], delimiter: u8, mut each: impl FnMut(usize)) -> usize {
    /// Puzzle, delimiter, answer.
    const ROW: usize = 2 * Cell::COUNT + 1;
    let mut rest = text;
    while let Some((row, behind)) = rest.split_first_chunk::<ROW>() {
        let ([b'\n', behind @ ..] | [b'\r', b'\n', behind @ ..]) = behind else { break };
        let (puzzle, answer) = row.split_at(Cell::COUNT);
        let (Ok(puzzle), [between, answer @ ..]) = (puzzle.try_into(), answer) else { break };
        let Ok(answer) = answer.try_into() else { break };
        match check_lines(puzzle, answer) {
            Some(clues) if *between == delimiter => each(clues),
            _ => break,
        }
        rest = behind;
    }
    text.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::answer::LineCells;

    const PUZZLE: &LineCells =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &LineCells =
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn rows_are_gone_over_up_to_the_first_that_is_not_right() {
        let row = [PUZZLE.as_slice(), b",", SOLVED].concat();
        let mut text = Vec::new();
        for end in ["\n", "\r\n", "\n"] {
            text.extend_from_slice(&row);
            text.extend_from_slice(end.as_bytes());
        }
        let right = text.len();
        let mut clues = Vec::new();
        for tail in ["", "\n", "1", "# note\n", &"1".repeat(163), &"1".repeat(200)] {
            clues.clear();
            let text = [&text, tail.as_bytes()].concat();
            assert_eq!(right_rows(&text, b',', |count| clues.push(count)), right, "{tail}");
            assert_eq!(clues, [30; 3]);
        }
        assert_eq!(right_rows(&text, b';', |_| ()), 0);
        // A row is one only with its end, and only with a right answer.
        assert_eq!(right_rows(&text[..right - 1], b',', |_| ()), 164 + 165);
        text[164 + 100] = b'0';
        assert_eq!(right_rows(&text, b',', |_| ()), 164);
    }
}
