//! Tests the conditions that depend on a row alone, the cheapest first.

use super::expression::missing;
use super::{AnswerIs, Classes, Condition, Picked, Select, Strata, Stratum};
use crate::Status;
use crate::bank::{Forms, Key};
use crate::difficulty::{Gauge, Measure, Measured, Rating, ScoreRange};
use crate::input::{Chunk, Columns, Given, Own, Puzzles, Row, Want};
use crate::run::{Counts, Output, Rows, SlowPlace, Worker};
use crate::search::Facts;
use std::mem;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use twox_hash::XxHash3_64;

/// The rows of a chunk that meet the conditions.
#[derive(Default)]
pub struct Kept {
    /// The bytes of all rows, each with a line end.
    pub(super) text: Vec<u8>,
    pub(super) rows: Vec<KeptRow>,
    /// The keys of their puzzles, if duplicates are looked for, or a bank was asked.
    pub(super) keys: Vec<Key>,
    /// The line of each puzzle, counted from 1 at the start of the chunk.
    pub(super) lines: Vec<u64>,
    /// The first line with a column that a condition or stratum cannot use, and why.
    pub(super) unfit: Option<(u64, String)>,
}

/// A row that meets the conditions.
pub(super) struct KeptRow {
    /// Its bytes in the text of all rows.
    pub(super) text: Range<usize>,
    pub(super) stratum: u64,
    pub(super) part: usize,
    /// Which of the puzzles it is, unless it is malformed.
    pub(super) puzzle: Option<usize>,
}

/// A row that has met all conditions so far.
struct Candidate {
    line: u64,
    /// The puzzle's number. `None` if it is malformed.
    number: Option<usize>,
    bytes: Range<usize>,
    /// The key that the bank was asked for.
    key: Option<Key>,
}

/// Tests the rows of chunks.
pub struct SelectWorker {
    select: Arc<Select>,
    puzzles: Puzzles,
    facts: Facts,
    /// One for each measure, by the order of [`Measure::ALL`].
    gauges: Vec<Gauge>,
    candidates: Vec<Candidate>,
    columns: Columns,
    /// The forms of [`Select::forms`]: for duplicates, unless the key for the bank serves, and for the bank.
    forms: [Option<Forms>; 2],
    /// For a split.
    classes: Option<Classes>,
}

impl SelectWorker {
    pub(super) fn new(select: &Select) -> Self {
        let Select { conditions, search, shuffles, .. } = select;
        // A row above the range is not selected, whatever its rating is.
        let most =
            conditions.er.as_ref().map(ScoreRange::most).into_iter().chain(conditions.max_er);
        let most = most.min();
        let gauge = |&measure: &Measure| {
            let gauge = search.gauge([measure], most).with_shuffles(shuffles.get());
            gauge.with_seed(Select::EFFORT_SEED)
        };
        let [seen, bank] = select.forms();
        let forms = [seen.filter(|_| seen != bank), bank];
        let want = Want { lines: true, whole: true, solutions: conditions.answer.is_some() };
        Self {
            select: Arc::new(select.clone()),
            puzzles: Puzzles::keeping(want),
            facts: Facts::new(search),
            gauges: Measure::ALL.iter().map(gauge).collect(),
            candidates: Vec::new(),
            columns: Columns::default(),
            forms: forms.map(|form| form.map(Forms::new)),
            classes: select.split.as_ref().map(|_| Classes::new(select.group, select.seed)),
        }
    }

    /// Lists all rows.
    fn list(&mut self, puzzles: &Puzzles, chunk: &Chunk, counts: &mut Counts) {
        self.candidates.clear();
        for (Row { line, bytes, .. }, number) in puzzles.rows() {
            let (number, bytes) = (number.ok(), bytes.expect("lines were wanted"));
            if chunk.is_cut(&bytes) && !chunk.layout().has_grids() {
                counts[Picked::TooLong] += 1;
            } else {
                self.candidates.push(Candidate { line, number, bytes, key: None });
            }
        }
    }

    /// Keeps the candidates that meet a condition, and counts the others.
    fn test(
        &mut self,
        condition: Condition,
        counts: &mut Counts,
        mut meets: impl FnMut(&mut Candidate, &Facts) -> bool,
    ) {
        let Self { candidates, facts, .. } = self;
        let before = candidates.len();
        candidates.retain_mut(|it| meets(it, facts));
        counts[condition] += (before - candidates.len()) as u64;
    }

    /// Keeps the candidates whose columns meet the condition on them.
    fn test_columns(&mut self, puzzles: &Puzzles, chunk: &Chunk, output: &mut Output<Kept>) {
        let select = Arc::clone(&self.select);
        let Some(rule) = &select.conditions.columns else { return };
        let (mut columns, mut unfit) = (std::mem::take(&mut self.columns), None);
        self.test(Condition::Where, &mut output.counts, |it, _| {
            let Some(clues) = it.clues(puzzles) else { return false };
            let line = &chunk.bytes()[it.bytes.clone()];
            match rule.holds(clues, columns.own(chunk.layout(), line, rule.columns())) {
                Ok(holds) => holds == Some(true),
                Err(why) => {
                    unfit.get_or_insert((it.line, why));
                    false
                }
            }
        });
        (self.columns, output.kept.unfit) = (columns, unfit);
    }

    /// Conditions of puzzles with one solution.
    fn test_measures(&mut self, puzzles: &Puzzles, counts: &mut Counts) {
        let select = Arc::clone(&self.select);
        let conditions = &select.conditions;
        if let Some(grades) = &conditions.grade {
            self.measure(Measure::Grade, puzzles);
            self.test(Condition::Grade, counts, |it, facts| {
                it.measured(facts).grade.is_some_and(|grade| grades.contains(&grade))
            });
        }
        if let Some(range) = &conditions.effort {
            self.measure(Measure::Effort, puzzles);
            self.test(Condition::Effort, counts, |it, facts| {
                it.measured(facts).effort.is_some_and(|effort| range.contains(&effort))
            });
        }
        if conditions.minimal {
            self.facts.find_redundant(puzzles, numbers(&self.candidates));
            self.test(Condition::Minimal, counts, |it, facts| {
                let found = it.number.and_then(|number| facts.redundant(number));
                found.is_some_and(|found| found.clues.is_empty() && !found.gave_up)
            });
        }
        if conditions.uses(Measure::Er) {
            self.measure(Measure::Er, puzzles);
        }
        if let Some(range) = &conditions.er {
            self.test(Condition::Er, counts, |it, facts| {
                known(&it.measured(facts)).is_some_and(|rating| range.contains(rating.er))
            });
        }
        if let Some(techniques) = &conditions.technique {
            self.test(Condition::Technique, counts, |it, facts| {
                let known = known(&it.measured(facts));
                known.is_some_and(|rating| techniques.contains(&rating.technique))
            });
        }
    }

    /// Takes a measure of the candidates with one solution. Sukakus have a rating alone.
    fn measure(&mut self, measure: Measure, puzzles: &Puzzles) {
        let Self { facts, gauges, candidates, .. } = self;
        facts.measure(&mut gauges[measure as usize], puzzles, numbers(candidates));
    }

    /// Keeps the candidates that the bank does not have.
    fn test_bank(&mut self, puzzles: &Puzzles, counts: &mut Counts) {
        let (Some(bank), Some(mut forms)) = (self.select.bank.clone(), self.forms[1].take()) else {
            return;
        };
        self.test(Condition::NotIn, counts, |it, facts| {
            let form = |number| forms.of(&puzzles.puzzle(number), facts.answers.solution(number));
            it.key = it.number.map(form).map(|form| form.key());
            it.key.is_none_or(|key| bank.find(key).is_none())
        });
        self.forms[1] = Some(forms);
    }

    /// Copies the rows of the candidates, and makes their forms.
    fn copy_rows(&mut self, puzzles: &Puzzles, chunk: &Chunk, kept: &mut Kept) {
        let Self { select, facts, candidates, columns, forms: [forms, _], classes, .. } = self;
        for candidate in candidates.iter() {
            let puzzle = candidate.number.map(|number| puzzles.puzzle(number));
            let solution = candidate.number.and_then(|number| facts.answers.solution(number));
            let form =
                forms.as_mut().zip(puzzle.as_ref()).map(|(it, puzzle)| it.of(puzzle, solution));
            kept.keys.extend(form.map(|form| form.key()).or(candidate.key));
            let number = puzzle.as_ref().map(|_| kept.lines.len());
            kept.lines.extend(number.map(|_| candidate.line));
            let text = &chunk.bytes()[candidate.bytes.clone()];
            let part = classes.as_mut().zip(select.split.as_ref());
            let part = part.map_or(0, |(classes, split)| {
                split.part(classes.of(puzzle.as_ref(), solution, text))
            });
            let stratum = match &select.stratify {
                None => 0,
                Some(Strata::Fact(fact)) => candidate.stratum(*fact, puzzles, facts),
                Some(Strata::Column(name)) => {
                    match columns.own(chunk.layout(), text, [&**name]).first() {
                        // Two values share a stratum by chance with a probability of 2^-64.
                        Some(Own::Text(value)) => XxHash3_64::oneshot(value),
                        Some(Own::Null) => NO_STRATUM,
                        Some(Own::Missing) | None => {
                            // A line that is no puzzle has no value.
                            if candidate.number.is_some() {
                                kept.unfit.get_or_insert((candidate.line, missing(name)));
                            }
                            NO_STRATUM
                        }
                    }
                }
            };
            let start = kept.text.len();
            copy(chunk, &candidate.bytes, &mut kept.text);
            kept.rows.push(KeptRow { text: start..kept.text.len(), stratum, part, puzzle: number });
        }
    }
}

/// The stratum of rows that have no value.
const NO_STRATUM: u64 = u64::MAX;

impl Worker for SelectWorker {
    type Kept = Kept;

    fn answer(&mut self, chunk: &Chunk<'_>, rows: &mut Rows<'_, Kept>) -> ControlFlow<()> {
        let mut puzzles = mem::take(&mut self.puzzles);
        rows.read(chunk, &mut puzzles);
        rows.work(|output| self.select_rows(&puzzles, chunk, output));
        if rows.keeps_rejects() {
            for (row, number) in puzzles.rows() {
                if let Err(malformed) = number {
                    rows.reject(&row, &malformed);
                }
            }
        }
        self.puzzles = puzzles;
        ControlFlow::Continue(())
    }
}

impl SelectWorker {
    /// Keeps the rows that meet all conditions. Returns the line that took longest.
    fn select_rows(
        &mut self,
        puzzles: &Puzzles,
        chunk: &Chunk,
        output: &mut Output<Kept>,
    ) -> Option<SlowPlace> {
        output.kept.clear();
        self.facts.restart();
        self.list(puzzles, chunk, &mut output.counts);
        let select = Arc::clone(&self.select);
        let conditions = &select.conditions;
        if let Some(range) = &conditions.clues {
            self.test(Condition::Clues, &mut output.counts, |it, _| {
                it.clues(puzzles).is_some_and(|clues| range.contains(&clues))
            });
        }
        self.test_columns(puzzles, chunk, output);
        if let Some(answers) = &conditions.answer {
            self.test(Condition::Answer, &mut output.counts, |it, _| {
                it.number.is_some_and(|number| answers.contains(&answer_is(puzzles, number)))
            });
        }
        let mut slowest = None;
        if self.select.solves() {
            slowest = self.facts.answers.find_among(puzzles, numbers(&self.candidates));
            // A condition that needs one solution removes all other puzzles at once, under its own name.
            if let Some(statuses) = &conditions.status {
                self.test(Condition::Status, &mut output.counts, |it, facts| {
                    statuses.contains(&it.status(puzzles, facts))
                });
            }
        }
        self.test_measures(puzzles, &mut output.counts);
        self.test_bank(puzzles, &mut output.counts);
        if !conditions.take_malformed() {
            self.candidates.retain(|it| it.number.is_some());
        }
        let measure = select.stratum().and_then(Stratum::measure);
        if let Some(measure) = measure.filter(|it| !conditions.uses(*it)) {
            self.measure(measure, puzzles);
        }
        let gave_up = |number: &usize| self.facts.gave_up(*number);
        output.counts[Picked::Unknown] = (0..puzzles.count()).filter(gave_up).count() as u64;
        self.copy_rows(puzzles, chunk, &mut output.kept);
        slowest
    }
}

impl Kept {
    /// Empties all, and keeps the memory.
    fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
        self.keys.clear();
        self.lines.clear();
        self.unfit = None;
    }
}

impl Candidate {
    /// The status of a malformed line, or of a puzzle that was searched.
    fn status(&self, puzzles: &Puzzles, facts: &Facts) -> Status {
        let status = |number| facts.answers.verdict(number, &puzzles.puzzle(number)).status();
        self.number.map_or(Status::Malformed, status)
    }

    fn measured(&self, facts: &Facts) -> Measured {
        self.number.map(|number| facts.measured(number)).unwrap_or_default()
    }

    /// The number of clues of a puzzle; of a sukaku its cells with one candidate.
    fn clues(&self, puzzles: &Puzzles) -> Option<usize> {
        self.number.map(|number| puzzles.puzzle(number).givens().clues())
    }

    /// The stratum of a row by a fact. Rows without it are a stratum of their own.
    fn stratum(&self, fact: Stratum, puzzles: &Puzzles, facts: &Facts) -> u64 {
        let measured = self.measured(facts);
        let stratum = match fact {
            Stratum::Grade => measured.grade.map(|it| it as u64),
            Stratum::Technique => known(&measured).map(|it| it.technique as u64),
            Stratum::Er => known(&measured).and_then(|it| it.er.tenths()).map(u64::from),
            Stratum::Clues => self.clues(puzzles).map(|it| it as u64),
            Stratum::Status => Some(self.status(puzzles, facts) as u64),
            // 0, up to 1, up to 2, up to 4 and so on.
            Stratum::Effort => measured.effort.map(|it| {
                let guesses = it.guesses().div_ceil(it.searches());
                if guesses == 0 { 0 } else { 1 + u64::from(guesses.next_power_of_two().ilog2()) }
            }),
        };
        stratum.unwrap_or(NO_STRATUM)
    }
}

/// The puzzles among candidates.
fn numbers(candidates: &[Candidate]) -> impl Iterator<Item = usize> {
    candidates.iter().filter_map(|it| it.number)
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
