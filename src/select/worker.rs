//! Tests the conditions, the cheapest first; the last one needs all rows before.

use super::Classes;
use super::expression::missing;
use super::options::{AnswerIs, Condition, Picked, Select};
use super::sample::Strata;
use crate::Status;
use crate::bank::{Earlier, Key, Keys};
use crate::difficulty::{Gauge, Measure, Measured, Rating, ScoreRange, Step, Steps};
use crate::input::{Chunk, Columns, Given, Malformed, Own, Puzzles, RowPlace};
use crate::names::NameSet;
use crate::output::{push_packed, push_packed_row};
use crate::run::{Output, Rows, SlowPlace};
use crate::search::{Facts, clues};
use std::mem;
use std::ops::{ControlFlow, Range};
use twox_hash::XxHash3_64;

/// The rows of a chunk that meet the select.
#[derive(Default)]
pub(super) struct SelectedRows {
    /// The bytes of all rows, each with a line end.
    pub(super) text: Vec<u8>,
    pub(super) rows: Vec<SelectedRow>,
    /// The first line with a column that a condition or stratum cannot use, and why.
    pub(super) unfit: Option<(u64, String)>,
}

/// A row that meets the select.
pub(super) struct SelectedRow {
    /// Its bytes in the text of all rows.
    pub(super) text: Range<usize>,
    /// Where it ends in the chunk.
    pub(super) end: usize,
    pub(super) stratum: u64,
    pub(super) part: usize,
}

/// A row that has met all conditions so far.
struct TestedRow {
    line: u64,
    /// The puzzle's number. `None` if it is malformed.
    number: Option<usize>,
    bytes: Range<usize>,
    /// The key that the bank was asked for.
    key: Option<Key>,
}

/// The stratum of rows without a value.
const NO_STRATUM: u64 = u64::MAX;

/// Tests the rows of chunks.
pub(super) struct SelectWorker<'a> {
    select: Select,
    /// All puzzles of the run that met the other conditions, if duplicates are looked for.
    earlier: Option<&'a Earlier>,
    facts: Facts,
    /// One for each measure, by the order of [`Measure::ALL`].
    gauges: Vec<Gauge>,
    steps: Steps,
    rows: Vec<TestedRow>,
    columns: Columns,
    /// Of the forms of [`Select::forms`]: for duplicates, unless the key for the bank serves, and for the bank.
    keys: [Option<Keys>; 2],
    /// For a split.
    classes: Option<Classes>,
}

impl<'a> SelectWorker<'a> {
    pub(super) fn new(select: &Select, earlier: Option<&'a Earlier>) -> Self {
        let Select { search, shuffles, .. } = select;
        // A row above the range is not selected, whatever its rating is.
        let most = select.er.as_ref().map(ScoreRange::most);
        let most = most.into_iter().chain(select.max_er).min();
        let gauge = |&measure: &Measure| {
            let gauge = search.gauge([measure], most).with_shuffles(shuffles.get());
            gauge.with_seed(crate::SEED)
        };
        let [seen, bank] = select.forms();
        let keys = [seen.filter(|_| seen != bank), bank];
        Self {
            select: select.clone(),
            earlier,
            facts: Facts::new(search),
            gauges: Measure::ALL.iter().map(gauge).collect(),
            steps: Steps::default().with_bounds(search.bounds()),
            rows: Vec::new(),
            columns: Columns::default(),
            keys: keys.map(|form| form.map(Keys::new)),
            classes: select.split.as_ref().map(|_| Classes::new(select.group, select.seed)),
        }
    }

    /// Selects the rows of a chunk, and keeps the rejects.
    pub(super) fn answer(
        &mut self,
        chunk: &Chunk<'_>,
        rows: &mut Rows<'_, SelectedRows>,
    ) -> ControlFlow<()> {
        let puzzles = rows.read(chunk);
        rows.work(|output| self.select(puzzles, chunk, output));
        self.remove_seen(puzzles, rows);
        let selected = mem::take(&mut self.rows);
        let is_packed = rows.style().is_packed;
        for row in &selected {
            self.copy(row, puzzles, chunk, is_packed, &mut rows.output.kept);
        }
        self.rows = selected;
        if let Some((line, why)) = rows.output.kept.unfit.take() {
            rows.output.kept.unfit = Some((rows.line(line), why));
        }
        if rows.writing.rejects {
            for (row, number) in puzzles.rows() {
                if let Err(malformed) = number {
                    rows.reject(&row, &malformed);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Selects the rows of a chunk, without a look at other chunks. Returns the line that took longest.
    fn select(
        &mut self,
        puzzles: &Puzzles,
        chunk: &Chunk,
        output: &mut Output<SelectedRows>,
    ) -> Option<SlowPlace> {
        let Output { kept: selected, counts, firsts, .. } = output;
        selected.clear();
        self.facts.restart();
        let mut rows = mem::take(&mut self.rows);
        (counts[Picked::TooLong], firsts.long) = list(puzzles, &mut rows);
        if !self.select.take_malformed() {
            let before = rows.len();
            rows.retain(|row| row.number.is_some());
            counts[Picked::Malformed] = (before - rows.len()) as u64;
        }
        let (mut slowest, mut measured) = (None, NameSet::EMPTY);
        for &condition in Condition::ALL {
            if condition == Condition::Status && self.select.solves() {
                // A condition that needs one solution removes all other puzzles at once, under its own name.
                slowest = self.facts.answers.find_among(puzzles, numbers(&rows));
            }
            // That needs the rows before.
            if condition == Condition::Unseen || !self.select.has(condition) {
                continue;
            }
            if let Some(measure) = condition.measure().filter(|it| !measured.contains(*it)) {
                measured = measured.with(measure);
                self.measure(measure, puzzles, &rows);
            }
            if condition == Condition::Minimal {
                self.facts.find_redundant(puzzles, numbers(&rows));
            }
            let before = rows.len();
            rows.retain_mut(|row| self.meets(condition, row, puzzles, chunk, selected));
            counts[condition] += (before - rows.len()) as u64;
        }
        let measure = self.select.stratum().and_then(Condition::measure);
        if let Some(measure) = measure.filter(|it| !measured.contains(*it)) {
            self.measure(measure, puzzles, &rows);
        }
        let gave_up = |number: &usize| self.facts.gave_up(*number);
        counts[Picked::Unknown] = (0..puzzles.count()).filter(gave_up).count() as u64;
        self.rows = rows;
        slowest
    }

    /// Removes the rows whose puzzles came before.
    fn remove_seen(&mut self, puzzles: &Puzzles, rows: &mut Rows<'_, SelectedRows>) {
        let Some(earlier) = self.earlier else { return };
        let (facts, [seen, _]) = (&self.facts, &mut self.keys);
        let mut entry = |row: &TestedRow| {
            let number = row.number?;
            let puzzle = (puzzles.puzzle(number), facts.answers.solution(number));
            let key = seen.as_mut().map(|it| it.of(&puzzle.0, puzzle.1)).or(row.key)?;
            Some((key, rows.lines_before() + row.line))
        };
        let entries: Vec<_> = self.rows.iter().filter_map(&mut entry).collect();
        let (mut found, before) =
            (earlier.find(&entries, rows.turn()).into_iter(), self.rows.len());
        self.rows.retain(|row| row.number.is_none() || found.next() == Some(None));
        rows.output.counts[Condition::Unseen] = (before - self.rows.len()) as u64;
    }

    /// Takes a measure of the rows with one solution. Sukakus have a rating alone.
    fn measure(&mut self, measure: Measure, puzzles: &Puzzles, rows: &[TestedRow]) {
        self.facts.measure(&mut self.gauges[measure as usize], puzzles, numbers(rows));
    }

    /// Whether a row meets a condition. All facts that it needs were found.
    fn meets(
        &mut self,
        condition: Condition,
        row: &mut TestedRow,
        puzzles: &Puzzles,
        chunk: &Chunk,
        selected: &mut SelectedRows,
    ) -> bool {
        let Self { select, facts, steps, columns, keys: [_, keys], .. } = self;
        // Malformed rows are here only if they meet all conditions.
        let Some(number) = row.number else { return true };
        let measured = || facts.measured(number);
        match condition {
            Condition::Clues => {
                let clues = clues(puzzles, number);
                select.clues.as_ref().is_none_or(|range| range.contains(&clues))
            }
            Condition::Where => select.r#where.as_ref().is_none_or(|rule| {
                let (layout, line) = (chunk.layout(), &chunk.bytes()[row.bytes.clone()]);
                let values = columns.own(layout, line, rule.columns());
                let holds = rule.holds(clues(puzzles, number), values).unwrap_or_else(|why| {
                    selected.unfit.get_or_insert((row.line, why));
                    None
                });
                holds == Some(true)
            }),
            Condition::Answer => select.answer.contains(&answer_is(puzzles, number)),
            Condition::Status => select.status.contains(&status(number, puzzles, facts)),
            Condition::Grade => measured().grade.is_some_and(|it| select.grade.contains(&it)),
            Condition::Effort => measured().effort.is_some_and(|effort| {
                select.effort.as_ref().is_none_or(|range| range.contains(&effort))
            }),
            Condition::Minimal => facts
                .redundant(number)
                .is_some_and(|found| found.clues.is_empty() && !found.gave_up),
            Condition::Er => known(&measured()).is_some_and(|rating| {
                select.er.as_ref().is_none_or(|range| range.contains(rating.er))
            }),
            Condition::Technique => known(&measured())
                .is_some_and(|rating| select.technique.contains(&rating.technique)),
            Condition::Uses => {
                let is_wanted = |step: Step| select.uses.contains(&step.technique);
                facts.answers.solution(number).is_some_and(|_| {
                    steps.restart_unique(puzzles.puzzle(number));
                    steps.any(is_wanted)
                })
            }
            Condition::NotIn => {
                select.bank.as_ref().zip(keys.as_mut()).is_none_or(|(bank, keys)| {
                    let solution = facts.answers.solution(number);
                    let key = keys.of(&puzzles.puzzle(number), solution);
                    row.key = Some(key);
                    bank.find(key).is_none()
                })
            }
            Condition::Unseen => true,
        }
    }

    /// Copies a row, with the key of its puzzle, its part and its stratum.
    fn copy(
        &mut self,
        row: &TestedRow,
        puzzles: &Puzzles,
        chunk: &Chunk,
        is_packed: bool,
        selected: &mut SelectedRows,
    ) {
        let Self { select, facts, columns, classes, .. } = self;
        let text = &chunk.bytes()[row.bytes.clone()];
        let puzzle = row.number.map(|number| puzzles.puzzle(number));
        let solution = row.number.and_then(|number| facts.answers.solution(number));
        let split = select.split.as_ref().zip(classes.as_mut());
        let part = split
            .map_or(0, |(split, classes)| split.part(classes.of(puzzle.as_ref(), solution, text)));
        let stratum = match &select.stratify {
            None => 0,
            Some(Strata::Fact(fact)) => stratum(*fact, row, puzzles, facts).unwrap_or(NO_STRATUM),
            Some(Strata::Column(name)) => match columns.own(chunk.layout(), text, [&**name])[0] {
                // Two values share a stratum by chance with a probability of 2^-64.
                Own::Text(ref value) => XxHash3_64::oneshot(value),
                Own::Missing if puzzle.is_some() => {
                    selected.unfit.get_or_insert((row.line, missing(name)));
                    NO_STRATUM
                }
                Own::Null | Own::Missing => NO_STRATUM,
            },
        };
        let start = selected.text.len();
        if is_packed {
            push_packed_row(&mut selected.text, |row| {
                let values = columns.of_parquet(chunk.layout(), text).into_iter();
                values.for_each(|value| push_packed(row, value.as_deref()));
            });
        } else {
            push_line(chunk, &row.bytes, &mut selected.text);
        }
        let text = start..selected.text.len();
        let end = row.bytes.end;
        selected.rows.push(SelectedRow { text, end, stratum, part });
    }
}

impl SelectedRows {
    /// Empties all, and keeps the memory.
    fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
        self.unfit = None;
    }
}

/// Lists all rows of a chunk but those that are too long, whose number it returns.
fn list(puzzles: &Puzzles, rows: &mut Vec<TestedRow>) -> (u64, Option<u64>) {
    rows.clear();
    let (mut too_long, mut first) = (0, None);
    for RowPlace { line, bytes, number } in puzzles.places() {
        if let Err(Malformed::TooLong) = number {
            too_long += 1;
            first.get_or_insert(line);
        } else {
            let (number, bytes) = (number.ok(), bytes.expect("lines were wanted"));
            rows.push(TestedRow { line, number, bytes, key: None });
        }
    }
    (too_long, first)
}

/// The puzzles among rows.
fn numbers(rows: &[TestedRow]) -> impl Iterator<Item = usize> {
    rows.iter().filter_map(|it| it.number)
}

/// The status of a puzzle that was searched.
fn status(number: usize, puzzles: &Puzzles, facts: &Facts) -> Status {
    facts.answers.verdict(number, &puzzles.puzzle(number)).status()
}

/// The stratum of a row by a fact, if it has that.
fn stratum(fact: Condition, row: &TestedRow, puzzles: &Puzzles, facts: &Facts) -> Option<u64> {
    let Some(number) = row.number else {
        return (fact == Condition::Status).then_some(Status::Malformed as u64);
    };
    let measured = facts.measured(number);
    match fact {
        Condition::Grade => measured.grade.map(|it| it as u64),
        Condition::Technique => known(&measured).map(|it| it.technique as u64),
        Condition::Er => known(&measured)?.er.tenths().map(u64::from),
        Condition::Clues => Some(clues(puzzles, number) as u64),
        Condition::Status => Some(status(number, puzzles, facts) as u64),
        // 0, up to 1, up to 2, up to 4 and so on.
        Condition::Effort => measured.effort.map(|it| {
            let guesses = it.guesses().div_ceil(it.searches());
            if guesses == 0 { 0 } else { 1 + u64::from(guesses.next_power_of_two().ilog2()) }
        }),
        _ => None,
    }
}

/// The rating, unless `er` is above the greatest score that is wanted.
fn known(measured: &Measured) -> Option<Rating> {
    measured.rating.filter(|it| it.er.tenths().is_some())
}

/// What the answer given with a puzzle is.
fn answer_is(puzzles: &Puzzles, number: usize) -> AnswerIs {
    match puzzles.given_with(number) {
        Given::Missing => AnswerIs::Missing,
        Given::Cells(answer) if puzzles.puzzle(number).check_answer(answer).is_ok() => {
            AnswerIs::Right
        }
        Given::Cells(_) | Given::Malformed(_) => AnswerIs::Wrong,
    }
}

/// Appends the bytes of a row with the line end that it has, or with LF if it has none. A grid of
/// nine lines is followed by an empty line.
fn push_line(chunk: &Chunk, row: &Range<usize>, text: &mut Vec<u8>) {
    let bytes = chunk.bytes();
    let end: &[u8] = match &bytes[row.end..] {
        [b'\r', b'\n', ..] => b"\r\n",
        _ => b"\n",
    };
    text.extend_from_slice(&chunk.layout().as_text(&bytes[row.clone()]));
    text.extend_from_slice(end);
    if chunk.layout().has_grids() {
        text.extend_from_slice(end);
    }
}
