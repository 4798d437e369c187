//! Judges the puzzles of chunks and writes their records. Duplicates are left to the step in input order.

use super::judge::{Docket, Judge, Judged, count};
use super::record;
use super::{Finding, PredictionScore, ScoreCount, Verify, VerifyCount};
use crate::bank::{Key, Keys, Same};
use crate::input::{Chunk, Columns, Own, Puzzles, Row, RowPlace};
use crate::output::Format;
use crate::puzzle::Cell;
use crate::puzzle::answer::check_lines;
use crate::run::{Clues, Command, Counts, Output, Rows};
use std::mem;
use std::ops::{ControlFlow, Range};

/// What the step in input order needs of a chunk.
#[derive(Default)]
pub struct ChunkJudged {
    /// If duplicates are looked for: all puzzles, and what was found of them.
    pub(super) puzzles: Option<Puzzles>,
    pub(super) judged: Vec<Judged>,
    /// Where they are, in the order of their lines; these lines, counted from 1 at the start of the chunk; and
    /// their keys.
    pub(super) placed: Vec<JudgedPlace>,
    pub(super) lines: Vec<u64>,
    pub(super) keys: Vec<Key>,
}

/// A puzzle that may be found to be a duplicate.
#[derive(Debug)]
pub(super) struct JudgedPlace {
    pub(super) number: usize,
    /// Its records and its rejects.
    pub(super) records: Range<usize>,
    pub(super) rejects: Range<usize>,
}

/// Judges chunks.
pub(super) struct VerifyWorker {
    judge: Judge,
    /// What was found: first of all grids, then of all sukakus.
    judged: Vec<Judged>,
    /// Those of [`Verify::forms`].
    keys: [Option<Keys>; 2],
    columns: Columns,
}

impl VerifyWorker {
    pub(super) fn new(verify: &Verify) -> Self {
        let keys = verify.forms().map(|form| form.map(Keys::new));
        Self { judge: Judge::new(verify), judged: Vec::new(), keys, columns: Columns::default() }
    }

    /// Judges the puzzles of a chunk, and writes their records.
    pub(super) fn answer(
        &mut self,
        chunk: &Chunk<'_>,
        rows: &mut Rows<'_, ChunkJudged>,
    ) -> ControlFlow<()> {
        // Puzzles without faults have no record, and are not compared with others.
        let is_report = rows.style().format == Format::Report;
        let is_short = is_report && self.keys.iter().all(Option::is_none);
        let mut is_right = false;
        if is_short && self.judge.verify.trust_unique && rows.answers().is_none() {
            rows.work(|output| {
                is_right = self.count_right(chunk, &mut output.counts);
                None
            });
        }
        if is_right {
            return ControlFlow::Continue(());
        }
        let puzzles = rows.read(chunk);
        let (has_answers, of_file) = (chunk.layout().has_solutions(), rows.answers());
        let docket = Docket { puzzles, has_answers, of_file };
        rows.work(|_| self.judge.judge(&docket, &mut self.judged));
        let ChunkJudged { placed, lines, keys, .. } = &mut rows.output.kept;
        placed.clear();
        lines.clear();
        keys.clear();
        count(&self.judged, self.judge.verify.rate, &mut rows.output.counts);
        if self.judge.verify.score {
            self.count_scores(chunk, puzzles, &mut rows.output.counts);
        }
        for RowPlace { line, bytes, number } in puzzles.places() {
            match number {
                Ok(number) if is_short && self.judged[number].faults.is_empty() => {}
                Ok(number) => self.push(&puzzles.row(line, number), number, rows),
                Err(error) => {
                    let judged = [Judged::malformed(&error)];
                    count(&judged, self.judge.verify.rate, &mut rows.output.counts);
                    record::write(&judged[0], &Row { line, puzzle: None, bytes }, rows);
                }
            }
        }
        let verify = &self.judge.verify;
        if verify.duplicates.is_some() {
            let ChunkJudged { puzzles: kept, judged, .. } = &mut rows.output.kept;
            let kept = kept.get_or_insert_with(|| Puzzles::keeping(verify.want(rows.writing)));
            mem::swap(puzzles, kept);
            mem::swap(&mut self.judged, judged);
        }
        ControlFlow::Continue(())
    }

    /// Counts predictions, in all and in buckets. A malformed line has no score.
    fn count_scores(&mut self, chunk: &Chunk, puzzles: &Puzzles, counts: &mut Counts) {
        let Self { judge, judged, columns, .. } = self;
        let by = judge.verify.by.as_ref().zip(Some(judge.verify.by_column()));
        for RowPlace { number, bytes, .. } in puzzles.places() {
            let judged = number.ok().map(|number| &judged[number]);
            let score = judged.and_then(|it| it.score.as_ref());
            PredictionScore::count(score, counts.all_mut::<ScoreCount>());
            let Some((by, column)) = by else { continue };
            let line = bytes.map_or(&[][..], |bytes| &chunk.bytes()[bytes]);
            let values = columns.own(chunk.layout(), line, column);
            let value = if let [Own::Text(value)] = &values[..] { &**value } else { &[] };
            let measured = judged.map(Judged::measured).unwrap_or_default();
            let bucket = by.bucket(judged.and_then(|it| it.clues), &measured, value);
            PredictionScore::count(score, counts.bucket(&bucket));
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

    /// Writes the records of a puzzle.
    fn push(&mut self, row: &Row, number: usize, rows: &mut Rows<'_, ChunkJudged>) {
        let Self { judge, judged, keys, .. } = self;
        let verify = &judge.verify;
        let puzzle = row.puzzle.as_ref().expect("the row of a puzzle");
        let solution = judge.facts.answers.solution(number);
        let keys = keys.each_mut().map(|it| it.as_mut().map(|it| it.of(puzzle, solution)));
        let judged = &mut judged[number];
        if let Some(bank) = &verify.bank
            && let Some((name, line)) = keys[Same::Isomorphic as usize].and_then(|it| bank.find(it))
        {
            let (place, counts) = (format!("{name}:{line}"), &mut rows.output.counts);
            judged.add_place(Finding::InBank, Same::Isomorphic, place, counts);
        }
        let from = (rows.output.records.len(), rows.output.rejects.len());
        if !judged.faults.is_empty() || rows.style().format != Format::Report {
            record::write(judged, row, rows);
        }
        let Output { records, rejects, kept, .. } = &mut *rows.output;
        if let Some(key) = verify.duplicates.and_then(|same| keys[same as usize]) {
            kept.keys.push(key);
            let (records, rejects) = (from.0..records.len(), from.1..rejects.len());
            kept.lines.push(row.line);
            kept.placed.push(JudgedPlace { number, records, rejects });
        }
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
