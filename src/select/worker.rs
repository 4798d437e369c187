//! Tests the conditions that depend on a row alone, the cheapest first.

use super::own::{Number, push_text_key};
use super::parts::Marks;
use super::sorter::{Facts, Way};
use super::{
    AnswerIs, By, CUT, Classes, Condition, Direction, PARTS, Pick, REMOVED, Select, SortBy,
    Stratum, UNKNOWN, Unfit,
};
use crate::bank::{Forms, Key};
use crate::difficulty::{Gauge, Measure, Measured, Rating, ScoreRange};
use crate::input::{Chunk, Columns, Given, Malformed, Own, Puzzles, Record};
use crate::minimal::{Minimality, Redundant};
use crate::puzzle::answer::{check_answer, check_answer_of};
use crate::puzzle::{Grid, Puzzle, Solution, Sukaku};
use crate::run::{Batch, Piece, Row, Rows, SlowPlace, Worker};
use crate::search::Answers;
use crate::{Status, Verdict};
use std::ops::Range;
use twox_hash::XxHash3_64;

/// The key of rows that have none: they come last.
const NO_KEY: u64 = u64::MAX;

/// The first key of rows that are sorted by a text: they come after numbers.
const TEXT_KEY: u64 = NO_KEY - 1;

/// The rows of a chunk that meet the conditions.
#[derive(Default)]
pub struct Kept {
    /// The bytes of all rows, each with a line end.
    pub(super) text: Vec<u8>,
    pub(super) rows: Vec<KeptRow>,
    /// The keys of their puzzles to find duplicates, and to look for them in banks.
    pub(super) unseen: Vec<Key>,
    pub(super) banks: Vec<Key>,
    /// The line of each puzzle, counted from 1 at the start of the chunk.
    pub(super) lines: Vec<u64>,
    pub(super) counts: [u64; PARTS],
    /// The first line with a column that a condition, key or stratum cannot use.
    pub(super) unfit: Option<(u64, Unfit)>,
}

/// A row that meets the conditions.
pub(super) struct KeptRow {
    /// Its bytes in the text of all rows.
    pub(super) text: Range<usize>,
    pub(super) facts: Facts,
    /// Which of the puzzles it is, unless it is malformed.
    pub(super) puzzle: Option<usize>,
}

/// A row that has met all conditions so far.
struct Candidate {
    line: u64,
    /// The puzzle's number. `None` if it is malformed.
    number: Option<usize>,
    bytes: Range<usize>,
    status: Option<Status>,
    /// Whether a search was given up.
    gave_up: bool,
    is_minimal: bool,
    solution: Option<Solution>,
    measured: Measured,
}

/// Tests the rows of chunks.
pub struct SelectWorker {
    select: Select,
    answers: Answers,
    /// One for each measure, by the order of [`Measure::ALL`].
    gauges: Vec<Gauge>,
    minimality: Minimality,
    candidates: Vec<Candidate>,
    columns: Columns,
    /// The forms of [`Select::forms`].
    forms: [Option<Forms>; 2],
    /// For a split.
    classes: Option<Classes>,
}

impl SelectWorker {
    pub(super) fn new(select: &Select) -> Self {
        let Select { search, shuffles, .. } = select;
        let gauge = |&measure: &Measure| {
            let gauge = Gauge::new().with_measures([measure]).with_level(search.simd);
            let gauge = gauge.with_shuffles(shuffles.get()).with_seed(Select::EFFORT_SEED);
            // A row above the range is not selected, whatever its rating is.
            let er = select.conditions.er.as_ref().map_or(u8::MAX, ScoreRange::most);
            let most = er.min(select.conditions.max_er.unwrap_or(u8::MAX));
            gauge.with_bounds(search.bounds()).with_max_er(most)
        };
        Self {
            select: select.clone(),
            answers: Answers::new(search.build(), 2),
            gauges: Measure::ALL.iter().map(gauge).collect(),
            minimality: Minimality::new(),
            candidates: Vec::new(),
            columns: Columns::new(),
            forms: select.forms().map(|form| form.map(Forms::new)),
            classes: select.split.as_ref().map(|_| Classes::new(select.group, select.pick.seed)),
        }
    }

    /// Lists all rows.
    fn list(&mut self, puzzles: &Puzzles, chunk: &Chunk, kept: &mut Kept) {
        let candidates = &mut self.candidates;
        candidates.clear();
        let mut add = |line, number: Option<usize>, bytes: Range<usize>| {
            if chunk.is_cut(&bytes) && !chunk.layout().has_grids() {
                kept.counts[CUT] += 1;
                return;
            }
            let status = if number.is_none() { Some(Status::Malformed) } else { None };
            let (solution, measured) = (None, Measured::default());
            let (gave_up, is_minimal) = (false, false);
            candidates.push(Candidate {
                line,
                number,
                bytes,
                status,
                gave_up,
                is_minimal,
                solution,
                measured,
            });
        };
        for record in puzzles.records() {
            match record {
                Record::Puzzles { line, numbers } => {
                    for (line, number) in (line..).zip(numbers) {
                        let bytes = puzzles.bytes_of(number).expect("lines were wanted");
                        add(line, Some(number), bytes);
                    }
                }
                Record::Malformed { line, bytes, .. } => add(line, None, bytes),
                Record::Skipped { .. } => {}
            }
        }
    }

    /// Keeps the candidates that meet a condition, and counts the others.
    fn test(
        &mut self,
        condition: Condition,
        kept: &mut Kept,
        meets: impl FnMut(&Candidate) -> bool,
    ) {
        let before = self.candidates.len();
        self.candidates.retain(meets);
        kept.counts[REMOVED + condition as usize] += (before - self.candidates.len()) as u64;
    }

    /// Keeps the candidates whose columns meet the condition on them.
    fn test_own(&mut self, puzzles: &Puzzles, chunk: &Chunk, kept: &mut Kept) {
        let Some(rule) = self.select.conditions.own.clone() else { return };
        let (mut columns, mut unfit) = (std::mem::take(&mut self.columns), None);
        self.test(Condition::Where, kept, |it| {
            let Some(clues) = it.clues(puzzles) else { return false };
            let line = &chunk.bytes()[it.bytes.clone()];
            match rule.holds(clues, &columns.own(chunk.layout(), line, rule.columns())) {
                Ok(holds) => holds == Some(true),
                Err(why) => {
                    unfit.get_or_insert((it.line, why));
                    false
                }
            }
        });
        (self.columns, kept.unfit) = (columns, unfit);
    }

    /// Conditions of puzzles with one solution.
    fn test_measures(&mut self, puzzles: &Puzzles, kept: &mut Kept) {
        let conditions = self.select.conditions.clone();
        if let Some(grades) = conditions.grades {
            self.measure(Measure::Grade, puzzles, kept);
            self.test(Condition::Grade, kept, |it| {
                it.measured.grade.is_some_and(|grade| grades.contains(grade))
            });
        }
        if let Some(range) = &conditions.efforts {
            self.measure(Measure::Effort, puzzles, kept);
            self.test(Condition::Effort, kept, |it| {
                it.measured.effort.is_some_and(|effort| range.contains(&effort))
            });
        }
        if conditions.minimal {
            self.find_minimal(puzzles, kept);
            self.test(Condition::Minimal, kept, |it| it.is_minimal);
        }
        if conditions.use_measure(Measure::Er) {
            self.measure(Measure::Er, puzzles, kept);
        }
        if let Some(range) = &conditions.er {
            self.test(Condition::Er, kept, |it| {
                known(&it.measured).is_some_and(|rating| range.contains(rating.er))
            });
        }
        if let Some(techniques) = conditions.techniques {
            self.test(Condition::Technique, kept, |it| {
                known(&it.measured).is_some_and(|rating| techniques.contains(rating.technique))
            });
        }
    }

    /// The grids among the candidates that a test accepts, and their places.
    fn grids(
        &self,
        puzzles: &Puzzles,
        accepts: impl Fn(&Candidate) -> bool,
    ) -> (Vec<usize>, Vec<Grid>) {
        let grids = puzzles.grids();
        let accepted = self.candidates.iter().enumerate().filter(|(_, it)| accepts(it));
        accepted.filter_map(|(place, it)| Some((place, *grids.get(it.number?)?))).unzip()
    }

    /// Finds the statuses and the solutions of the candidates. Returns the line that took longest.
    fn find_answers(&mut self, puzzles: &Puzzles, kept: &mut Kept) -> Option<SlowPlace> {
        let (mut places, grids) = self.grids(puzzles, |_| true);
        let (of_sukakus, sukakus) = self.sukakus(puzzles, |_| true);
        let Answers { engine, limit, found: answers } = &mut self.answers;
        answers.clear();
        engine.prove_batch(&grids, answers);
        let slow_grid = engine.slowest().and_then(|it| Some((*places.get(it.index)?, it.time)));
        engine.solve_sukakus(&sukakus, *limit, answers);
        let slow_sukaku =
            engine.slowest().and_then(|it| Some((*of_sukakus.get(it.index)?, it.time)));
        places.extend(of_sukakus);
        assert_eq!(answers.len(), places.len(), "one answer for each puzzle");
        for (&place, answer) in places.iter().zip(&*answers) {
            let candidate = &mut self.candidates[place];
            let Some(number) = candidate.number else { continue };
            let verdict: Verdict<_, Malformed> =
                answer.verdict(puzzles.puzzle(number), *limit, engine.max_branches());
            if answer.gave_up {
                candidate.give_up(kept);
            }
            candidate.status = Some(verdict.status());
            candidate.solution = verdict.solution().copied();
        }
        let slowest = slow_grid.into_iter().chain(slow_sukaku).max_by_key(|&(_, time)| time);
        slowest.and_then(|(at, time)| SlowPlace::of(puzzles, self.candidates[at].number?, time))
    }

    /// The sukakus among the candidates that a test accepts, and their places.
    fn sukakus(
        &self,
        puzzles: &Puzzles,
        accepts: impl Fn(&Candidate) -> bool,
    ) -> (Vec<usize>, Vec<Sukaku>) {
        let (before, sukakus) = (puzzles.grids().len(), puzzles.sukakus());
        let sukaku = |it: &Candidate| sukakus.get(it.number?.checked_sub(before)?).copied();
        let accepted = self.candidates.iter().enumerate().filter(|(_, it)| accepts(it));
        accepted.filter_map(|(place, it)| Some((place, sukaku(it)?))).unzip()
    }

    /// Takes a measure of the puzzles with one solution that do not have it yet. Sukakus have a rating
    /// alone.
    fn measure(&mut self, measure: Measure, puzzles: &Puzzles, kept: &mut Kept) {
        let lacks = |it: &Candidate| match measure {
            Measure::Effort => it.measured.effort.is_none(),
            Measure::Er => it.measured.rating.is_none(),
            Measure::Grade => it.measured.grade.is_none(),
            Measure::Backdoor => it.measured.backdoor.is_none(),
        };
        let is_meant = |it: &Candidate| it.status == Some(Status::Unique) && lacks(it);
        let (mut places, grids) = self.grids(puzzles, is_meant);
        let (of_sukakus, sukakus) = self.sukakus(puzzles, is_meant);
        places.extend(of_sukakus);
        let measured = self.gauges[measure as usize].many_unique(&grids, &sukakus);
        for (place, measured) in places.into_iter().zip(measured) {
            let candidate = &mut self.candidates[place];
            if measured.gave_up {
                candidate.give_up(kept);
            }
            let known = &mut candidate.measured;
            known.effort = known.effort.or(measured.effort);
            known.rating = known.rating.or(measured.rating);
            known.grade = known.grade.or(measured.grade);
        }
    }

    /// Finds the candidates without a redundant clue.
    fn find_minimal(&mut self, puzzles: &Puzzles, kept: &mut Kept) {
        let (mut places, mut unique, mut solutions) = (Vec::new(), Vec::new(), Vec::new());
        for (place, it) in self.candidates.iter().enumerate() {
            if let (Some(number), Some(solution)) = (it.number, it.solution) {
                places.push(place);
                unique.push(puzzles.puzzle(number));
                solutions.push(solution);
            }
        }
        let engine = self.answers.engine.as_mut();
        let redundant = self.minimality.many_unique(engine, &unique, &solutions);
        for (&place, &Redundant { clues, gave_up }) in places.iter().zip(redundant) {
            let candidate = &mut self.candidates[place];
            candidate.is_minimal = clues.is_empty() && !gave_up;
            // With a redundant clue it is certainly not minimal.
            if clues.is_empty() && gave_up {
                candidate.give_up(kept);
            }
        }
    }

    /// Copies the rows of the candidates, and makes their forms.
    fn copy_rows(&mut self, batch: &Batch<'_, Piece>, kept: &mut Kept) {
        let Self { select, candidates, columns, forms: [unseen, banks], classes, .. } = self;
        let (chunk, puzzles, pick) = (batch.chunk, batch.puzzles, &select.pick);
        let by =
            [pick.sort.as_ref().and_then(By::column), pick.stratify.as_ref().and_then(By::column)];
        let names: Vec<&str> = by.into_iter().flatten().collect();
        for candidate in candidates.iter() {
            let start = kept.text.len();
            let puzzle = candidate.number.map(|number| puzzles.puzzle(number));
            let solution = candidate.solution.as_ref();
            let form = |forms: &mut Forms| match &puzzle {
                Some(Puzzle::Grid(grid)) => Some(forms.grid(grid, solution)),
                Some(Puzzle::Sukaku(sukaku)) => Some(forms.sukaku(sukaku, solution)),
                None => None,
            };
            let key = |forms: &mut Option<Forms>| Some(form(forms.as_mut()?)?.key());
            kept.unseen.extend(key(unseen));
            kept.banks.extend(key(banks));
            let number = puzzle.as_ref().map(|_| kept.lines.len());
            kept.lines.extend(number.map(|_| candidate.line));
            let text = &chunk.bytes()[candidate.bytes.clone()];
            let class = classes.as_mut().map_or(0, |it| it.of(puzzle.as_ref(), solution, text));
            let (clues, grade) = (candidate.clues(puzzles), candidate.measured.grade);
            let marks = Marks { clues, grade }.packed();
            let own = match &names[..] {
                [] => Vec::new(),
                names => columns.own(chunk.layout(), text, names.iter().copied()),
            };
            let own = |name: &str| match names.iter().zip(&own).find(|(it, _)| **it == name) {
                Some((_, Own::Text(text))) => Ok(Some(&**text)),
                Some((_, Own::Null)) => Ok(None),
                _ => Err(Unfit::Missing(name.to_owned())),
            };
            let key = candidate.key(pick, puzzles, &own, &mut kept.text);
            let second = kept.text.len() - start;
            copy(chunk, &candidate.bytes, &mut kept.text);
            let stratum = candidate.stratum(pick, puzzles, &own);
            let mut fit = |found: Result<u64, Unfit>, none: u64| match found {
                Ok(value) => value,
                // A line that is no puzzle has no value.
                Err(_) if candidate.number.is_none() => none,
                Err(why) => {
                    kept.unfit.get_or_insert((candidate.line, why));
                    none
                }
            };
            let (key, stratum) = (fit(key, NO_KEY), fit(stratum, u64::MAX));
            let way = Way { input: batch.piece.input, class, stratum, marks };
            let facts = Facts { key, second, way };
            kept.rows.push(KeptRow { text: start..kept.text.len(), facts, puzzle: number });
        }
    }
}

impl Worker for SelectWorker {
    type Piece = Piece;
    type Kept = Kept;

    fn solve(&mut self, batch: &Batch<'_, Piece>, kept: &mut Kept) -> Option<SlowPlace> {
        let puzzles = batch.puzzles;
        kept.clear();
        self.list(puzzles, batch.chunk, kept);
        let conditions = self.select.conditions.clone();
        if let Some(range) = &conditions.clues {
            self.test(Condition::Clues, kept, |it| {
                it.clues(puzzles).is_some_and(|clues| range.contains(&clues))
            });
        }
        self.test_own(puzzles, batch.chunk, kept);
        if let Some(answers) = conditions.answers {
            self.test(Condition::Answer, kept, |it| {
                it.number.is_some_and(|number| answers.contains(answer_is(puzzles, number)))
            });
        }
        let mut slowest = None;
        if self.select.solves() {
            slowest = self.find_answers(puzzles, kept);
            // A condition that needs one solution removes all other puzzles at once, under its own name.
            if let Some(statuses) = conditions.statuses {
                self.test(Condition::Status, kept, |it| {
                    it.status.is_some_and(|status| statuses.contains(status))
                });
            }
        }
        self.test_measures(puzzles, kept);
        if !conditions.take_malformed() {
            self.candidates.retain(|it| it.number.is_some());
        }
        for &measure in Measure::ALL {
            if self.select.picks_by(measure) {
                self.measure(measure, puzzles, kept);
            }
        }
        self.copy_rows(batch, kept);
        slowest
    }

    fn record(&mut self, _: usize, _: &Row<'_>, _: &mut Rows<'_, Kept>) {}

    fn malformed(&mut self, error: &Malformed, row: &Row<'_>, rows: &mut Rows<'_, Kept>) {
        rows.reject(row, error);
    }
}

impl Kept {
    /// Empties all, and keeps the memory.
    fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
        self.unseen.clear();
        self.banks.clear();
        self.lines.clear();
        self.counts = [0; PARTS];
        self.unfit = None;
    }
}

impl Candidate {
    /// Notes that a search was given up.
    const fn give_up(&mut self, kept: &mut Kept) {
        kept.counts[UNKNOWN] += !self.gave_up as u64;
        self.gave_up = true;
    }

    /// The number of clues of a puzzle; of a sukaku its cells with one candidate.
    fn clues(&self, puzzles: &Puzzles) -> Option<usize> {
        self.number.map(|number| puzzles.puzzle(number).givens().clues())
    }

    /// The key by which a row is sorted. If that is a text, it is appended to `second`.
    fn key(
        &self,
        pick: &Pick,
        puzzles: &Puzzles,
        own: &OwnColumn<'_>,
        second: &mut Vec<u8>,
    ) -> Result<u64, Unfit> {
        let key = match &pick.sort {
            None => return Ok(0),
            Some(By::Fact(SortBy::Effort)) => self.measured.effort.map(|it| it.guesses()),
            Some(By::Fact(SortBy::Er)) => tenths(&self.measured),
            Some(By::Fact(SortBy::Clues)) => self.clues(puzzles).map(|it| it as u64),
            Some(By::Column(name)) => own(name)?.map(|text| {
                Number::of(text).map_or_else(
                    || {
                        push_text_key(text, pick.direction, second);
                        TEXT_KEY
                    },
                    Number::key,
                )
            }),
        };
        Ok(match (key, pick.direction) {
            (None, _) => NO_KEY,
            (Some(key), Direction::Ascending) => key,
            (Some(key), Direction::Descending) => NO_KEY - 1 - key,
        })
    }

    /// The stratum of a row. Rows without one are a stratum of their own.
    fn stratum(&self, pick: &Pick, puzzles: &Puzzles, own: &OwnColumn<'_>) -> Result<u64, Unfit> {
        let fact = match &pick.stratify {
            None => return Ok(0),
            Some(By::Fact(fact)) => *fact,
            // Two values share a stratum by chance with a probability of 2^-64.
            Some(By::Column(name)) => {
                return Ok(own(name)?.map_or(u64::MAX, XxHash3_64::oneshot));
            }
        };
        let stratum = match fact {
            Stratum::Grade => self.measured.grade.map(|it| it as u64),
            Stratum::Technique => known(&self.measured).map(|it| it.technique as u64),
            Stratum::Er => tenths(&self.measured),
            Stratum::Clues => self.clues(puzzles).map(|it| it as u64),
            Stratum::Status => self.status.map(|it| it as u64),
            // 0, up to 1, up to 2, up to 4 and so on.
            Stratum::Effort => self.measured.effort.map(|it| {
                let guesses = it.guesses().div_ceil(it.searches());
                if guesses == 0 { 0 } else { 1 + u64::from(guesses.next_power_of_two().ilog2()) }
            }),
        };
        Ok(stratum.unwrap_or(u64::MAX))
    }
}

/// Gives the value of a column of the row; none for a null.
type OwnColumn<'a> = dyn Fn(&str) -> Result<Option<&'a [u8]>, Unfit> + 'a;

/// The rating, unless `er` is above the greatest score that is wanted.
fn known(measured: &Measured) -> Option<Rating> {
    measured.rating.filter(|it| it.er.tenths().is_some())
}

/// `er` in tenths.
fn tenths(measured: &Measured) -> Option<u64> {
    known(measured)?.er.tenths().map(u64::from)
}

/// What the answer given with a puzzle is.
fn answer_is(puzzles: &Puzzles, number: usize) -> AnswerIs {
    let right = match (puzzles.given_with(number), puzzles.puzzle(number)) {
        (Given::Missing, _) => return AnswerIs::Missing,
        (Given::Malformed(_), _) => false,
        (Given::Cells(answer), Puzzle::Grid(grid)) => check_answer(&grid, answer).is_ok(),
        (Given::Cells(answer), Puzzle::Sukaku(sukaku)) => check_answer_of(&sukaku, answer).is_ok(),
    };
    if right { AnswerIs::Right } else { AnswerIs::Wrong }
}

/// Appends the bytes of a row with the line end that it has, or with LF if it has none. A grid of
/// nine lines is followed by an empty line.
fn copy(chunk: &Chunk, row: &Range<usize>, text: &mut Vec<u8>) {
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
