//! How good predictions are.

use super::columns::SCORE;
use super::puzzles::{RowPuzzles, parse};
use crate::arrow::{ArrayColumn, ArrayRow, ResultTable, ResultValue, RowQuestion};
use ninefold::difficulty::{Gauge, Measure};
use ninefold::puzzle::answer::check_lines;
use ninefold::puzzle::{Cell, Grid, Puzzle, Solution, check_answer};
use ninefold::verify::{By, PredictionScore, Scores};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The counts of all rows, and of those of each bucket.
#[derive(Default)]
pub(crate) struct Totals {
    pub(crate) all: Scores,
    pub(crate) buckets: BTreeMap<String, Scores>,
}

/// Scores predictions. The columns are puzzles, predictions, answers if there are any, and names of buckets if
/// `by` says so. All counts are added to the totals.
pub(crate) fn score(by: Option<By>, has_answers: bool, totals: Arc<Mutex<Totals>>) -> RowQuestion {
    let is_long = matches!(by, Some(By::Er(_)));
    let measure = match by {
        Some(By::Grade) => Some(Measure::Grade),
        Some(By::Er(_)) => Some(Measure::Er),
        _ => None,
    };
    let make = move |bounds| {
        let gauge = measure.map(|it| Gauge::new().with_measures([it]).with_bounds(bounds));
        Scorer { by: by.clone(), has_answers, gauge, puzzles: RowPuzzles::default() }
    };
    let question = RowQuestion::new(SCORE, 1024, make, move |scorer, columns, rows, table| {
        let found = scorer.score(columns, rows, table);
        let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
        add(&mut totals.all, &found.all);
        for (name, counts) in &found.buckets {
            add(totals.buckets.entry(name.clone()).or_default(), counts);
        }
    });
    // A prediction that is null is a missing one.
    RowQuestion { copies: Some(1), is_long, ..question }
}

fn add(sums: &mut Scores, more: &Scores) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

struct Scorer {
    by: Option<By>,
    has_answers: bool,
    /// For buckets by difficulty.
    gauge: Option<Gauge>,
    puzzles: RowPuzzles,
}

impl Scorer {
    /// Scores a batch of rows.
    fn score(
        &mut self,
        columns: &[ArrayColumn],
        rows: Range<usize>,
        table: &mut ResultTable,
    ) -> Totals {
        let exact: Vec<_> = rows.clone().map(|row| self.exact(columns, row)).collect();
        let others = rows.clone().zip(&exact).filter(|(_, it)| it.is_none()).map(|(row, _)| row);
        let truths = self.read(columns, &others.collect::<Vec<_>>());
        let measured = self.gauge.as_mut().map(|gauge| self.puzzles.measure(gauge));
        let (puzzles, mut totals) = (&self.puzzles, Totals::default());
        let mut others = puzzles.entries.iter().zip(&truths);
        for (row, exact) in rows.zip(exact) {
            let read = if exact.is_none() { others.next() } else { None };
            let number = read.and_then(|(entry, _)| entry.as_ref().ok().copied());
            let puzzle = number.map(|number| puzzles.puzzle(number).givens());
            let solution = || puzzles.solution(number?).map(Solution::grid);
            let truth = read.and_then(|(_, truth)| truth.as_ref()).or_else(solution);
            let score = match (&puzzle, truth) {
                (Some(puzzle), Some(truth)) => score_of(puzzle, truth, columns[1].row(row)),
                _ => exact,
            };
            PredictionScore::count(score.as_ref(), &mut totals.all);
            if let Some(by) = &self.by {
                let name = match columns.last().map(|it| it.row(row)) {
                    Some(ArrayRow::Text(name)) if matches!(by, By::Column(_)) => name,
                    _ => &[],
                };
                let clues = puzzle.as_ref().map(Grid::clues);
                let clues = clues.or(exact.map(|it| Cell::COUNT - usize::from(it.blank_cells)));
                let measured = number.zip(measured.as_ref());
                let measured = measured.map(|(number, measured)| measured[number]);
                let name = by.bucket(clues, &measured.unwrap_or_default(), name);
                PredictionScore::count(score.as_ref(), totals.buckets.entry(name).or_default());
            }
            push(score.as_ref(), table);
        }
        totals
    }

    /// The score of a prediction that is the answer byte for byte, if that is right: found without parsing the texts.
    /// `None` for other rows, and if all puzzles are measured.
    fn exact(&self, columns: &[ArrayColumn], row: usize) -> Option<PredictionScore> {
        if !self.has_answers || self.gauge.is_some() {
            return None;
        }
        let [puzzle, prediction, answer] = [0, 1, 2].map(|place| columns[place].row(row));
        if prediction != answer {
            return None;
        }
        let clues = match (puzzle, answer) {
            (ArrayRow::Text(puzzle), ArrayRow::Text(answer)) => {
                let lines = puzzle.try_into().ok().zip(answer.try_into().ok());
                lines.and_then(|(puzzle, answer)| check_lines(puzzle, answer))
            }
            (ArrayRow::Digits(&puzzle), ArrayRow::Digits(&answer)) => {
                let grids = Grid::try_from(puzzle).ok().zip(Grid::try_from(answer).ok());
                let right = grids.filter(|(puzzle, answer)| check_answer(puzzle, answer).is_ok());
                right.map(|(puzzle, _)| puzzle.clues())
            }
            _ => None,
        };
        clues.and_then(PredictionScore::exact)
    }

    /// Reads the puzzles, and solves them if the truth of one is not known. Gives the answers that are right.
    fn read(&mut self, columns: &[ArrayColumn], rows: &[usize]) -> Vec<Option<Grid>> {
        let puzzles = &mut self.puzzles;
        puzzles.read(&columns[0], rows.iter().copied());
        let mut truths = vec![None; rows.len()];
        if self.has_answers {
            for ((&row, entry), truth) in rows.iter().zip(&puzzles.entries).zip(&mut truths) {
                let Ok(number) = *entry else { continue };
                let answer = grid(columns[2].row(row));
                *truth = answer.filter(|it| puzzles.puzzle(number).check_answer(it).is_ok());
            }
        }
        let is_open =
            |(entry, truth): (&Result<_, _>, &Option<_>)| entry.is_ok() && truth.is_none();
        if self.gauge.is_some() || puzzles.entries.iter().zip(&truths).any(is_open) {
            puzzles.solve(2);
        }
        truths
    }
}

/// The score of the prediction in a row: at once if it is the truth.
fn score_of(puzzle: &Grid, truth: &Grid, prediction: ArrayRow) -> Option<PredictionScore> {
    let is_exact = match prediction {
        ArrayRow::Digits(digits) => digits == truth.values(),
        ArrayRow::Text(text) => text == truth.values().map(|digit| b'0' + digit),
        _ => false,
    };
    if is_exact {
        return PredictionScore::exact(puzzle.clues());
    }
    PredictionScore::of(puzzle, truth, grid(prediction).as_ref())
}

/// The grid of a row, if it has one.
fn grid(row: ArrayRow) -> Option<Grid> {
    match parse(row) {
        Ok(Puzzle::Grid(grid)) => Some(grid),
        _ => None,
    }
}

/// Appends a row. One without a score is null but for its flags, which are false.
fn push(score: Option<&PredictionScore>, table: &mut ResultTable) {
    let Some(score) = score else { return table.push(&[]) };
    table.push(&[
        ResultValue::Float(score.share()),
        ResultValue::Number(score.right_cells.into()),
        ResultValue::Number(score.blank_cells.into()),
        ResultValue::Flag(score.is_complete),
        ResultValue::Flag(score.is_legal),
        ResultValue::Flag(score.keeps_clues),
        ResultValue::Flag(score.is_exact),
    ]);
}
