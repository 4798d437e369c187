//! Judges the puzzles of a chunk: one [`Judged`] for each.
//!
//! ```text
//! puzzles ──> one solution? ──> grade, effort, redundant clues ──> faults
//!             (limit 2)         (of those with one solution)       (with the answers given)
//! ```
//!
//! Each search is done for all puzzles of a chunk before the next begins, so that it has full lanes.

use super::matcher::Matched;
use super::{By, Finding, PredictionScore, ScoreCount, Verify, VerifyCount};
use crate::Verdict;
use crate::bank::Same;
use crate::difficulty::{Gauge, Measure, Measured};
use crate::input::{Given, Malformed, Puzzles};
use crate::names::Named;
use crate::puzzle::answer::check_answer;
use crate::puzzle::{Cell, CellSet, Clashes, Puzzle, Solution, WrongAnswer, rules};
use crate::rate::scale::{ER, EffortBin, ScoreOf};
use crate::run::{Clues, Counts, SlowPlace};
use crate::search::{self, Facts};
use std::ops::ControlFlow;

/// What is wrong with a puzzle.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) finding: Finding,
    pub(super) reason: String,
    /// Where the same puzzle is, `FILE:LINE`.
    pub(super) place: Option<String>,
}

impl Fault {
    const fn new(finding: Finding, reason: String) -> Self {
        Self { finding, reason, place: None }
    }
}

/// What was found of a puzzle, or of a malformed line.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// How many clues it has, if it is a puzzle.
    pub(super) clues: Option<usize>,
    /// One of [`VerifyCount::STATUSES`]; or it is legal and was not solved ([`Verify::trust_unique`]).
    pub(super) status: VerifyCount,
    /// What its answer is, if there is one.
    pub(super) answer: Option<VerifyCount>,
    /// Whether it is minimal, if that was asked and it has one solution.
    pub(super) minimality: Option<VerifyCount>,
    /// Its measures, if any were asked and it has one solution.
    measured: Option<Box<Measured>>,
    pub(super) is_sukaku: bool,
    /// How good its prediction is, if that was asked and is known.
    pub(super) score: Option<PredictionScore>,
    /// What is wrong with the stored answer next to its prediction.
    pub(super) stored: Option<ScoreCount>,
    /// Its faults, in the order of a report.
    pub(super) faults: Vec<Fault>,
}

/// The puzzles of a chunk, with their answers.
pub(super) struct Docket<'a> {
    pub(super) puzzles: &'a Puzzles,
    /// Whether the layout of the chunk has a field for answers.
    pub(super) has_answers: bool,
    /// The answers of another file, and its name.
    pub(super) of_file: Option<(&'a str, &'a [Matched])>,
    /// The predictions next to the puzzles, if they are there: answers of another file are stored ones then.
    pub(super) predicted: Option<&'a [Matched]>,
}

impl Docket<'_> {
    /// The answer to a puzzle that is judged, and its place if it is in another file; and the stored answer, if it is
    /// another one.
    fn answers(&self, number: usize) -> (&Given, Option<(&str, u64)>, Option<&Given>) {
        let beside = self.puzzles.given_with(number);
        match (self.predicted, self.of_file) {
            (Some(predicted), of_file) => {
                let stored = of_file.map_or(beside, |(_, answers)| &answers[number].given);
                (&predicted[number].given, None, Some(stored))
            }
            (None, Some((file, answers))) => {
                let Matched { line, given } = &answers[number];
                (given, Some((file, *line)), Some(beside))
            }
            (None, None) => (beside, None, None),
        }
    }
}

/// Judges puzzles; has an engine and keeps the memory for all checks.
pub(super) struct Judge {
    pub(super) verify: Verify,
    pub(super) facts: Facts,
    /// Grades and measures the difficulty, if that was asked.
    gauge: Option<Gauge>,
}

impl Judged {
    pub(super) fn malformed(error: &Malformed) -> Self {
        let faults = vec![Fault::new(Finding::Malformed, error.to_string())];
        Self { status: VerifyCount::Malformed, faults, ..Self::default() }
    }

    /// Its grade and its other measures, as far as they are known.
    pub(super) fn measured(&self) -> Measured {
        self.measured.as_deref().copied().unwrap_or_default()
    }

    /// Adds that the same puzzle is also at this place: before the bank, and a missing answer stays the last
    /// fault. The puzzle was counted without that.
    pub(super) fn add_place(
        &mut self,
        finding: Finding,
        same: Same,
        (file, line): (&str, u64),
        counts: &mut Counts,
    ) {
        counts[VerifyCount::Passed] -= u64::from(self.faults.is_empty());
        let is_in_bank = finding == Finding::InBank;
        counts[if is_in_bank { VerifyCount::InBank } else { VerifyCount::Duplicates }] += 1;
        let what = match same {
            Same::Exact => "same puzzle as",
            Same::Isomorphic => "isomorphic to",
        };
        let is_after = |it: &Fault| matches!(it.finding, Finding::InBank | Finding::NoAnswer);
        let at = self.faults.iter().position(is_after).unwrap_or(self.faults.len());
        let place = format!("{file}:{line}");
        let reason = format!("{what} {place}");
        self.faults.insert(at, Fault { finding, reason, place: Some(place) });
    }
}

impl Judge {
    pub(super) fn new(verify: &Verify) -> Self {
        let (search, verify) = (&verify.search, verify.clone());
        // The shuffles are those of `ninefold rate` by default.
        let rates = verify.rate.then_some([Measure::Effort, Measure::Er]).into_iter().flatten();
        let grade = verify.grades() || verify.by == Some(By::Grade);
        let er = matches!(verify.by, Some(By::Er(_))) && !verify.rate;
        let asked = grade.then_some(Measure::Grade).into_iter().chain(er.then_some(Measure::Er));
        let measures: Vec<_> = rates.chain(asked).collect();
        let gauge = (!measures.is_empty()).then(|| search.gauge(measures, verify.max_er));
        Self { facts: Facts::new(search), gauge, verify }
    }

    /// Judges all puzzles: the grids, then the sukakus. Single candidates of sukakus count as clues, and
    /// they are not graded. Returns the line that took longest to solve.
    pub(super) fn judge(
        &mut self,
        docket: &Docket<'_>,
        judged: &mut Vec<Judged>,
    ) -> Option<SlowPlace> {
        self.facts.restart();
        let slowest = if self.verify.trust_unique { None } else { self.search(docket.puzzles) };
        judged.clear();
        judged.extend((0..docket.puzzles.count()).map(|number| {
            self.passed(number, docket).unwrap_or_else(|| self.judge_one(number, docket))
        }));
        slowest
    }

    /// The short way for nearly all puzzles: a grid with one solution (legal, if nothing is solved), whose
    /// answer, if it has one, is that solution. `None` if more is asked, or something may be wrong.
    fn passed(&self, number: usize, docket: &Docket<'_>) -> Option<Judged> {
        let Verify { minimal, score, .. } = self.verify;
        if self.gauge.is_some() || minimal || score || docket.of_file.is_some() {
            return None;
        }
        let (grid, only) =
            (docket.puzzles.grids().get(number)?, self.facts.answers.solution(number));
        let is_trusted = self.verify.trust_unique;
        let (status, answer) = match (only, docket.puzzles.given_with(number)) {
            (_, Given::Missing) if docket.has_answers => return None,
            (Some(_), Given::Missing) => (VerifyCount::Unique, None),
            (Some(only), Given::Cells(answer)) if answer == only.grid() => {
                (VerifyCount::Unique, Some(VerifyCount::Right))
            }
            (None, Given::Missing) if is_trusted && rules::is_legal(grid) => {
                (VerifyCount::NotSolved, None)
            }
            // The clues are those of a right answer, so they are legal.
            (None, Given::Cells(answer)) if is_trusted && check_answer(grid, answer).is_ok() => {
                (VerifyCount::NotSolved, Some(VerifyCount::Right))
            }
            _ => return None,
        };
        let clues = grid.clues();
        let is_in_range = self.verify.allows(clues);
        is_in_range.then(|| Judged { clues: Some(clues), status, answer, ..Judged::default() })
    }

    /// Finds the solutions of the puzzles, and what is asked of those with one.
    fn search(&mut self, puzzles: &Puzzles) -> Option<SlowPlace> {
        let (facts, all) = (&mut self.facts, 0..puzzles.count());
        let slowest = facts.answers.find(puzzles);
        if let Some(gauge) = &mut self.gauge {
            facts.measure(gauge, puzzles, all.clone());
        }
        if self.verify.minimal {
            facts.find_redundant(puzzles, all);
        }
        slowest
    }

    /// Puts together what is known of a puzzle.
    fn judge_one(&mut self, number: usize, docket: &Docket<'_>) -> Judged {
        let puzzles = docket.puzzles;
        let mut faults = Vec::new();
        let given = check_given(number, docket);
        let is_right = matches!(given, Some(Ok(())));
        let status = self.status(number, puzzles, is_right, &mut faults);
        let mut add = |finding, reason| faults.push(Fault::new(finding, reason));
        let measured = self.gauge.is_some().then(|| Box::new(self.facts.measured(number)));
        let redundant = self.facts.redundant(number);
        let gave_up = redundant.is_some_and(|it| it.gave_up);
        let effort_is_unknown = measured.as_ref().is_some_and(|it| it.gave_up);
        for (gave_up, what) in [(gave_up, "redundant clues"), (effort_is_unknown, "effort")] {
            if gave_up {
                add(Finding::Unknown, format!("{what} not known: {}", self.gave_up()));
            }
        }
        if let Some(Err(wrong)) = &given {
            add(Finding::WrongAnswer, wrong.clone());
        }
        let minimality = redundant.map(|redundant| match redundant.clues {
            CellSet::EMPTY if gave_up => VerifyCount::MinimalUnknown,
            CellSet::EMPTY => VerifyCount::Minimal,
            clues => {
                add(Finding::NotMinimal, not_minimal(&puzzles.puzzle(number), clues));
                VerifyCount::NotMinimal
            }
        });
        let clues = search::clues(puzzles, number);
        if let Some(range) = self.verify.clues.as_ref().filter(|range| !range.contains(&clues)) {
            let (least, most) = (range.start(), range.end());
            add(Finding::Clues, format!("expected {least} to {most} clues, found {clues}"));
        }
        let expects_answer =
            docket.of_file.is_some() || docket.predicted.is_some() || docket.has_answers;
        if expects_answer && given.is_none() {
            add(Finding::NoAnswer, "no answer given".to_owned());
        }
        let answer = given.map(|it| match (it, status) {
            (Err(_), _) => VerifyCount::Wrong,
            (Ok(()), VerifyCount::Multiple) => VerifyCount::NotOnly,
            (Ok(()), VerifyCount::Unknown) => VerifyCount::Unproven,
            (Ok(()), _) => VerifyCount::Right,
        });
        let is_sukaku = number >= puzzles.grids().len();
        let scored = self.verify.score.then(|| self.score(number, status, docket));
        let (score, stored) = scored.unwrap_or_default();
        Judged {
            clues: Some(clues),
            status,
            answer,
            minimality,
            measured,
            is_sukaku,
            score,
            stored,
            faults,
        }
    }

    /// How good the prediction for a puzzle is, and what is wrong with the stored answer. That is the truth, if it is
    /// right by the rules; else the only solution is.
    fn score(
        &self,
        number: usize,
        status: VerifyCount,
        docket: &Docket<'_>,
    ) -> (Option<PredictionScore>, Option<ScoreCount>) {
        let puzzle = docket.puzzles.puzzle(number);
        let only = self.facts.answers.solution(number).map(Solution::grid);
        let (prediction, _, stored) = docket.answers(number);
        let (truth, fault) = match stored {
            None | Some(Given::Missing) => (only, None),
            Some(Given::Cells(truth)) if puzzle.check_answer(truth).is_ok() => {
                let is_one_of_several = status == VerifyCount::Multiple;
                (Some(truth), is_one_of_several.then_some(ScoreCount::NotOnly))
            }
            Some(_) => (only, Some(ScoreCount::WrongAnswers)),
        };
        let prediction = if let Given::Cells(cells) = prediction { Some(cells) } else { None };
        let score = |truth| PredictionScore::of(&puzzle.givens(), truth, prediction);
        (truth.and_then(score), fault)
    }

    /// The status of a puzzle, and its fault. `is_right`: by the rules, an answer is.
    fn status(
        &mut self,
        number: usize,
        puzzles: &Puzzles,
        is_right: bool,
        faults: &mut Vec<Fault>,
    ) -> VerifyCount {
        if self.facts.answers.solution(number).is_some() {
            return VerifyCount::Unique;
        }
        let puzzle = &puzzles.puzzle(number);
        let verdict = if self.verify.trust_unique {
            match (Clashes::of(&puzzle.givens()), puzzle) {
                (Some(clashes), _) => Verdict::Conflict(clashes),
                (None, Puzzle::Sukaku(sukaku)) if !sukaku.is_legal() => Verdict::None,
                (None, _) => return VerifyCount::NotSolved,
            }
        } else {
            self.facts.answers.verdict(number, puzzle)
        };
        let name = verdict.status().name();
        let status = VerifyCount::by_name(name).expect("each status is counted");
        let finding = Finding::by_name(name).expect("each status but unique is a fault");
        let mut reason =
            if status == VerifyCount::Unknown { self.gave_up() } else { verdict.to_string() };
        if status == VerifyCount::Multiple && is_right {
            reason += "; the answer is valid but not unique";
        }
        if status == VerifyCount::Multiple
            && self.verify.show_two
            && let [one, two] = &self.two_solutions(puzzle)[..]
        {
            reason += &format!(": {one} and {two}");
        }
        faults.push(Fault::new(finding, reason));
        status
    }

    /// Why a search was given up.
    fn gave_up(&self) -> String {
        self.facts.answers.unknown(0).to_string()
    }

    /// Two solutions of a puzzle; fewer if it does not have two.
    fn two_solutions(&mut self, puzzle: &Puzzle) -> Vec<Solution> {
        let mut found = Vec::with_capacity(2);
        self.facts.answers.engine.each_solution(puzzle, &mut |solution| {
            found.push(*solution);
            if found.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found
    }
}

/// Whether the answer given with a puzzle is right by the rules, or why not; `None` without an answer.
fn check_given(number: usize, docket: &Docket<'_>) -> Option<Result<(), String>> {
    let (given, place, _) = docket.answers(number);
    let reason = match given {
        Given::Missing => return None,
        Given::Malformed(error) => error.to_string(),
        Given::Cells(answer) => match docket.puzzles.puzzle(number).check_answer(answer) {
            Ok(()) => return Some(Ok(())),
            Err(WrongAnswer::Clash(_)) => Clashes::of(answer).expect("it has one").to_string(),
            Err(why) => why.to_string(),
        },
    };
    let place = place.map(|(file, line)| format!(" {file}:{line}"));
    Some(Err(format!("answer{}: {reason}", place.unwrap_or_default())))
}

/// Which clues can go.
fn not_minimal(puzzle: &Puzzle, cells: CellSet) -> String {
    let which = match (puzzle, cells.len()) {
        (Puzzle::Grid(_), 1) => "this clue can be left out".to_owned(),
        (Puzzle::Grid(_), count) => format!("any one of {count} clues can be left out"),
        (Puzzle::Sukaku(_), 1) => "this cell can have all nine candidates".to_owned(),
        (Puzzle::Sukaku(_), count) => {
            format!("any one of {count} cells can have all nine candidates")
        }
    };
    let clues = puzzle.givens();
    let place = |cell| match clues.get(cell) {
        Some(digit) => format!("{digit} in {cell}"),
        None => cell.to_string(),
    };
    let places: Vec<_> = cells.cells().map(place).collect();
    format!("not minimal: {which}: {}", places.join(", "))
}

/// Counts puzzles or malformed lines, with their ratings if these are counted: in arrays of its own, because nothing but these is counted of most.
pub(super) fn count(judged: &[Judged], is_rated: bool, counts: &mut Counts) {
    let (mut tallies, mut of_clues) = ([0; VerifyCount::ALL.len()], [0; Cell::COUNT + 1]);
    let mut add = |tally: VerifyCount| tallies[tally as usize] += 1;
    for it in judged {
        if let Some(clues) = it.clues {
            of_clues[clues] += 1;
        }
        add(it.status);
        it.answer.into_iter().chain(it.minimality).for_each(&mut add);
        if it.is_sukaku {
            add(VerifyCount::Sukakus);
        }
        if it.faults.is_empty() {
            add(VerifyCount::Passed);
        }
        for fault in &it.faults {
            match fault.finding {
                Finding::Clues => add(VerifyCount::OutOfRange),
                Finding::NoAnswer => add(VerifyCount::Missing),
                _ => {}
            }
        }
        let Some(measured) = it.measured.as_deref() else { continue };
        if let Some(grade) = measured.grade {
            add(VerifyCount::GRADES[grade as usize]);
        }
        if let Some(effort) = measured.effort {
            counts[EffortBin(effort)] += 1;
        }
        if let Some(rating) = measured.rating.filter(|_| is_rated) {
            counts[ScoreOf::<ER>(rating.er)] += 1;
        }
    }
    let add_all = |sums: &mut [u64], more: &[u64]| {
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    };
    add_all(counts.all_mut::<VerifyCount>(), &tallies);
    add_all(counts.all_mut::<Clues>(), &of_clues);
}
