//! Tests the conditions that depend on a row alone, the cheapest first.

use super::condition::{AnswerIs, Condition, Conditions};
use super::options::Select;
use super::row::{About, Facts, Row};
use crate::Status;
use crate::bank::{Form, Forms, Key};
use crate::bulk::{Error, Names, Piece, SlowPlace};
use crate::difficulty::{Gauge, Measure, Measured};
use crate::engine::{Answer, Bounds, Engine};
use crate::input::{Chunk, Given, Puzzles, Record, Want};
use crate::minimal::Minimality;
use crate::names::NameSet;
use crate::pipeline::Work;
use crate::puzzle::answer::{check_answer, check_answer_of};
use crate::puzzle::{Grid, Puzzle, Solution, rules};
use std::ops::Range;
use twox_hash::{XxHash3_64, XxHash3_128};

/// Which forms of puzzles a run needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// To find puzzles that came before.
    pub(super) unseen: Option<Form>,
    /// To find puzzles of banks.
    pub(super) banks: Option<Form>,
    /// To split isomorphic puzzles alike.
    pub(super) split: bool,
}

/// What comes of a chunk.
#[derive(Default)]
pub(super) struct Output {
    /// The bytes of all rows, each with a line end.
    pub(super) text: Vec<u8>,
    pub(super) rows: Vec<Row>,
    /// The keys of their puzzles to find duplicates, and to look for them in banks.
    pub(super) unseen: Vec<Key>,
    pub(super) banks: Vec<Key>,
    /// The line of each puzzle, counted from 1 at the start of the chunk.
    pub(super) lines: Vec<u64>,
    /// Rows of any kind, and lines.
    pub(super) all: u64,
    pub(super) all_lines: u64,
    pub(super) comments: u64,
    pub(super) bytes: u64,
    /// Rows that a condition has removed.
    pub(super) removed: [u64; Condition::ALL.len()],
    /// Rows that are too long to be copied.
    pub(super) cut: u64,
    /// Rows of which a search was given up.
    pub(super) unknown: u64,
    /// The line that took longest to solve.
    pub(super) slowest: Option<SlowPlace>,
}

impl Output {
    fn clear(&mut self) {
        self.text.clear();
        self.rows.clear();
        self.unseen.clear();
        self.banks.clear();
        self.lines.clear();
        (self.all, self.all_lines, self.bytes, self.cut) = (0, 0, 0, 0);
        (self.unknown, self.slowest) = (0, None);
        self.comments = 0;
        self.removed = Default::default();
    }
}

/// A row that has met all conditions so far.
struct Candidate {
    line: u64,
    /// The puzzle's number; none if it is malformed.
    number: Option<usize>,
    bytes: Range<usize>,
    status: Option<Status>,
    /// Whether a search was given up.
    gave_up: bool,
    solution: Option<Solution>,
    measured: Measured,
}

/// Tests the rows of chunks.
pub(super) struct Worker {
    select: Select,
    needs: Needs,
    names: Names,
    engine: Box<dyn Engine>,
    /// One for each measure, by the order of [`Measure::ALL`].
    gauges: Vec<Gauge>,
    minimality: Minimality,
    puzzles: Puzzles,
    candidates: Vec<Candidate>,
    answers: Vec<Answer>,
    unseen: Option<Forms>,
    banks: Option<Forms>,
    split: Option<Forms>,
}

impl Worker {
    pub(super) fn new(select: &Select, needs: Needs, names: &Names, bounds: &Bounds) -> Self {
        let level = select.simd;
        let gauge = |&measure: &Measure| {
            let (shuffles, seed) = (select.shuffles.get(), Select::EFFORT_SEED);
            Gauge::new(NameSet::of(&[measure]), level, shuffles, seed).bounded(bounds.clone())
        };
        let want = Want::default().with_whole_lines();
        let answers = select.conditions.answers.is_some();
        Self {
            select: select.clone(),
            needs,
            names: names.clone(),
            engine: select.engine.build_bounded(level, bounds.clone()),
            gauges: Measure::ALL.iter().map(gauge).collect(),
            minimality: Minimality::new(),
            puzzles: Puzzles::keeping(if answers { want.with_solutions() } else { want }),
            candidates: Vec::new(),
            answers: Vec::new(),
            unseen: needs.unseen.map(Forms::new),
            banks: needs.banks.map(Forms::new),
            split: needs.split.then(|| Forms::new(Form::Solution)),
        }
    }

    /// Keeps the candidates that meet a condition, and counts the others.
    fn test(
        &mut self,
        condition: Condition,
        output: &mut Output,
        meets: impl Fn(&Candidate, &Puzzles, &Conditions) -> bool,
    ) {
        let (before, conditions) = (self.candidates.len(), &self.select.conditions);
        let puzzles = &self.puzzles;
        self.candidates.retain(|candidate| meets(candidate, puzzles, conditions));
        output.removed[condition as usize] += (before - self.candidates.len()) as u64;
    }

    fn run_on(&mut self, chunk: &Chunk, output: &mut Output) {
        output.bytes = chunk.input_bytes();
        self.puzzles.read(chunk);
        output.comments = self.puzzles.comments();
        self.list(chunk, output);
        let conditions = self.select.conditions.clone();
        if conditions.clues.is_some() {
            self.test(Condition::Clues, output, |it, puzzles, conditions| {
                let range = conditions.clues.as_ref();
                clues(it, puzzles).is_some_and(|it| range.is_none_or(|range| range.contains(&it)))
            });
        }
        if let Some(answers) = conditions.answers {
            self.test(Condition::Answer, output, |it, puzzles, _| {
                it.number.is_some_and(|number| answers.contains(answer_is(puzzles, number)))
            });
        }
        if self.solves() {
            self.solve(output);
            // What needs one solution removes all others at once, under its own name.
            if let Some(statuses) = conditions.statuses {
                self.test(Condition::Status, output, |it, _, _| {
                    it.status.is_some_and(|status| statuses.contains(status))
                });
            }
        }
        self.measured_conditions(&conditions, output);
        if !conditions.take_malformed() {
            self.candidates.retain(|it| it.number.is_some());
        }
        self.measure_for_pick(output);
        self.write(chunk, output);
    }

    /// Conditions of puzzles with one solution.
    fn measured_conditions(&mut self, conditions: &Conditions, output: &mut Output) {
        if let Some(grades) = conditions.grades {
            self.measure(Measure::Grade, output);
            self.test(Condition::Grade, output, |it, _, _| {
                it.measured.grade.is_some_and(|grade| grades.contains(grade))
            });
        }
        if let Some(range) = &conditions.efforts {
            self.measure(Measure::Effort, output);
            self.test(Condition::Effort, output, |it, _, _| {
                it.measured.effort.is_some_and(|effort| range.contains(&effort))
            });
        }
        if conditions.minimal {
            self.test_minimality(output);
        }
        if conditions.use_measure(Measure::Er) {
            self.measure(Measure::Er, output);
        }
        if let Some(range) = &conditions.er {
            self.test(Condition::Er, output, |it, _, _| {
                it.measured.rating.is_some_and(|rating| range.contains(rating.er))
            });
        }
        if let Some(techniques) = conditions.techniques {
            self.test(Condition::Technique, output, |it, _, _| {
                it.measured.rating.is_some_and(|rating| techniques.contains(rating.technique))
            });
        }
    }

    /// Whether puzzles are solved: for a condition, a form, a key or a stratum.
    fn solves(&self) -> bool {
        let Select { conditions, pick, .. } = &self.select;
        let forms =
            [self.needs.unseen, self.needs.banks, self.needs.split.then_some(Form::Solution)];
        conditions.solves()
            || forms.contains(&Some(Form::Solution))
            || Measure::ALL.iter().any(|&measure| pick.use_measure(measure))
            || pick.stratify == Some(super::pick::Stratum::Status)
    }

    /// Lists all rows.
    fn list(&mut self, chunk: &Chunk, output: &mut Output) {
        let Self { puzzles, candidates, .. } = self;
        candidates.clear();
        let mut add = |line, number: Option<usize>, bytes: Range<usize>, output: &mut Output| {
            output.all += 1;
            if chunk.is_cut(&bytes) && !chunk.layout().has_grids() {
                output.cut += 1;
                return;
            }
            let (solution, measured) = (None, Measured::default());
            let status = if number.is_none() { Some(Status::Malformed) } else { None };
            let gave_up = false;
            candidates.push(Candidate { line, number, bytes, status, gave_up, solution, measured });
        };
        for record in puzzles.records() {
            output.all_lines += record.lines();
            match record {
                Record::Puzzles { line, numbers } => {
                    for (line, number) in (line..).zip(numbers) {
                        let bytes = puzzles.bytes_of(number).expect("lines were wanted");
                        add(line, Some(number), bytes, output);
                    }
                }
                Record::Malformed { line, bytes, .. } => add(line, None, bytes, output),
                Record::Skipped { .. } => {}
            }
        }
    }

    /// The grids among the candidates that a test accepts, and their places.
    fn grids(&self, accepts: impl Fn(&Candidate) -> bool) -> (Vec<usize>, Vec<Grid>) {
        let grids = self.puzzles.grids();
        let candidates = self.candidates.iter().enumerate();
        let accepted = candidates.filter(|(_, it)| accepts(it));
        accepted.filter_map(|(place, it)| Some((place, *grids.get(it.number?)?))).unzip()
    }

    /// Finds the statuses and the solutions of the candidates.
    fn solve(&mut self, output: &mut Output) {
        let (places, grids) = self.grids(|_| true);
        self.answers.clear();
        self.engine.prove_batch(&grids, &mut self.answers);
        assert_eq!(self.answers.len(), grids.len(), "one answer for each puzzle");
        self.note_slowest(&places, output);
        for ((&place, grid), answer) in places.iter().zip(&grids).zip(&self.answers) {
            self.candidates[place].answered(answer, || rules::is_legal(grid));
        }
        let first = self.puzzles.grids().len();
        let all = self.puzzles.sukakus();
        let number = |it: &Candidate| it.number.filter(|&number| number >= first);
        let candidates = self.candidates.iter().enumerate();
        let (places, sukakus): (Vec<_>, Vec<_>) =
            candidates.filter_map(|(place, it)| Some((place, all[number(it)? - first]))).unzip();
        self.answers.clear();
        self.engine.solve_sukakus(&sukakus, 2, &mut self.answers);
        self.note_slowest(&places, output);
        for ((place, sukaku), answer) in places.into_iter().zip(&sukakus).zip(&self.answers) {
            self.candidates[place].answered(answer, || rules::is_legal(&sukaku.singles()));
        }
        let unknown = self.candidates.iter().filter(|it| it.gave_up);
        output.unknown += unknown.count() as u64;
    }

    /// Notes the line of the longest search of the last batch, which has the puzzles of these candidates.
    fn note_slowest(&self, places: &[usize], output: &mut Output) {
        let Some(slowest) = self.engine.slowest() else { return };
        let Some(number) = self.candidates[places[slowest.index]].number else { return };
        let place = SlowPlace::of(&self.puzzles, number, slowest.time);
        if place.map(|place| place.time) > output.slowest.map(|place| place.time) {
            output.slowest = place;
        }
    }

    /// Notes that a search of a candidate was given up.
    fn give_up(candidate: &mut Candidate, output: &mut Output) {
        if !std::mem::replace(&mut candidate.gave_up, true) {
            output.unknown += 1;
        }
    }

    /// Takes a measure of the grids with one solution that do not have it yet.
    fn measure(&mut self, measure: Measure, output: &mut Output) {
        let lacks = |it: &Candidate| match measure {
            Measure::Effort => it.measured.effort.is_none(),
            Measure::Er => it.measured.rating.is_none(),
            Measure::Grade => it.measured.grade.is_none(),
        };
        let (places, grids) = self.grids(|it| it.status == Some(Status::Unique) && lacks(it));
        let mut measured = Vec::new();
        self.gauges[measure as usize].measure(&grids, &mut measured);
        for (place, measured) in places.into_iter().zip(measured) {
            if measured.gave_up {
                Self::give_up(&mut self.candidates[place], output);
            }
            let known = &mut self.candidates[place].measured;
            known.effort = known.effort.or(measured.effort);
            known.rating = known.rating.or(measured.rating);
            known.grade = known.grade.or(measured.grade);
        }
    }

    /// Takes the measures by which rows are sorted or divided into strata.
    fn measure_for_pick(&mut self, output: &mut Output) {
        for &measure in Measure::ALL {
            if self.select.pick.use_measure(measure) {
                self.measure(measure, output);
            }
        }
    }

    fn test_minimality(&mut self, output: &mut Output) {
        let (places, grids) = self.grids(|it| it.status == Some(Status::Unique));
        let solutions: Vec<_> =
            places.iter().filter_map(|&place| self.candidates[place].solution).collect();
        let mut redundant = Vec::new();
        self.minimality.redundant(self.engine.as_mut(), &grids, &solutions, &mut redundant);
        let mut minimal = vec![false; self.candidates.len()];
        for (&place, redundant) in places.iter().zip(&redundant) {
            minimal[place] = redundant.is_empty();
        }
        for &undecided in self.minimality.undecided() {
            // With a redundant clue it is certainly not minimal.
            if redundant[undecided].is_empty() {
                let place = places[undecided];
                minimal[place] = false;
                Self::give_up(&mut self.candidates[place], output);
            }
        }
        let before = self.candidates.len();
        let mut minimal = minimal.into_iter();
        self.candidates.retain(|_| minimal.next() == Some(true));
        output.removed[Condition::Minimal as usize] += (before - self.candidates.len()) as u64;
    }

    /// Copies the rows of the candidates, and makes their forms.
    fn write(&mut self, chunk: &Chunk, output: &mut Output) {
        let Self { select, candidates, puzzles, unseen, banks, split, .. } = self;
        for candidate in candidates.iter() {
            let start = output.text.len();
            copy(chunk, &candidate.bytes, &mut output.text);
            let puzzle = candidate.number.map(|number| puzzles.puzzle(number));
            let solution = candidate.solution.as_ref();
            let form = |forms: &mut Forms| match &puzzle {
                Some(Puzzle::Grid(grid)) => Some(forms.grid(grid, solution)),
                Some(Puzzle::Sukaku(sukaku)) => Some(forms.sukaku(sukaku, solution)),
                None => None,
            };
            let key = |forms: &mut Option<Forms>| Some(form(forms.as_mut()?)?.key());
            output.unseen.extend(key(unseen));
            output.banks.extend(key(banks));
            let number = puzzle.as_ref().map(|_| output.lines.len());
            output.lines.extend(number.map(|_| candidate.line));
            let about = About {
                status: candidate.status,
                clues: clues(candidate, puzzles),
                measured: &candidate.measured,
            };
            let hash = split.as_mut().map_or(0, |forms| {
                let hash = match form(forms) {
                    Some(form) => form.stable_hash(),
                    None => XxHash3_128::oneshot(&chunk.bytes()[candidate.bytes.clone()]),
                };
                XxHash3_64::oneshot_with_seed(select.pick.seed, &hash.to_le_bytes())
            });
            let facts =
                Facts { key: about.key(&select.pick), stratum: about.stratum(&select.pick), hash };
            output.rows.push(Row { text: start..output.text.len(), facts, puzzle: number });
        }
    }
}

impl Candidate {
    /// Notes the answer of the engine.
    fn answered(&mut self, answer: &Answer, is_legal: impl Fn() -> bool) {
        self.gave_up = answer.gave_up;
        self.status = Some(match answer.count {
            _ if answer.gave_up => Status::Unknown,
            0 if is_legal() => Status::None,
            0 => Status::Conflict,
            1 => Status::Unique,
            _ => Status::Multiple,
        });
        self.solution = answer.first.filter(|_| answer.count == 1 && !answer.gave_up);
    }
}

/// The number of clues of a puzzle; of a sukaku its cells with one candidate.
fn clues(candidate: &Candidate, puzzles: &Puzzles) -> Option<usize> {
    candidate.number.map(|number| puzzles.puzzle(number).clues().clues())
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

impl Work for Worker {
    type Chunk = Piece;
    type Output = Output;
    type Error = Error;

    fn run(&mut self, piece: &Piece, output: &mut Output) -> Result<(), Error> {
        output.clear();
        let names = self.names.clone();
        names.read(piece, |chunk| self.run_on(chunk, output))
    }
}
