//! How good predictions are.

use super::columns::SCORE;
use super::puzzles::{RowPuzzles, parse};
use crate::arrow::{ArrayColumn, ArrayError, ArrayRow, ResultTable, ResultValue, RowQuestion};
use ninefold::difficulty::{Gauge, Measure, Measured};
use ninefold::engine::{Answer, Bounds};
use ninefold::puzzle::{Grid, Puzzle, Solution};
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
    let make = move |bounds| Scorer::new(by.clone(), has_answers, bounds);
    let question = RowQuestion::new(SCORE, 1024, make, move |scorer, columns, rows, table| {
        let found = scorer.score(columns, rows, table)?;
        let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
        add(&mut totals.all, &found.all);
        for (name, counts) in &found.buckets {
            add(totals.buckets.entry(name.clone()).or_default(), counts);
        }
        Ok(())
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
    fn new(by: Option<By>, has_answers: bool, bounds: Bounds) -> Self {
        let measure = match by {
            Some(By::Grade) => Some(Measure::Grade),
            Some(By::Er(_)) => Some(Measure::Er),
            _ => None,
        };
        let gauge =
            measure.map(|measure| Gauge::new().with_measures([measure]).with_bounds(bounds));
        Self { by, has_answers, gauge, puzzles: RowPuzzles::default() }
    }

    /// Scores a batch of rows.
    fn score(
        &mut self,
        columns: &[ArrayColumn],
        rows: Range<usize>,
        table: &mut ResultTable,
    ) -> Result<Totals, ArrayError> {
        let truths = self.read(columns, rows.clone())?;
        let measured = self.measure();
        let (puzzles, mut totals) = (&self.puzzles, Totals::default());
        for ((row, entry), truth) in rows.zip(&puzzles.entries).zip(&truths) {
            let puzzle = entry.as_ref().ok().map(|place| puzzles.puzzle(place).givens());
            let solution = || puzzles.solution(entry.as_ref().ok()?).map(Solution::grid);
            let score = match (&puzzle, truth.as_ref().or_else(solution)) {
                (Some(puzzle), Some(truth)) => {
                    PredictionScore::of(puzzle, truth, grid(columns[1].row(row)?).as_ref())
                }
                _ => None,
            };
            PredictionScore::count(score.as_ref(), &mut totals.all);
            if let Some(by) = &self.by {
                let name = match columns.last().map(|it| it.row(row)).transpose()? {
                    Some(ArrayRow::Text(name)) if matches!(by, By::Column(_)) => name,
                    _ => &[],
                };
                let measured =
                    entry.as_ref().ok().and_then(|place| measured.get(puzzles.number(place)));
                let measured = measured.copied().unwrap_or_default();
                let name = by.bucket(puzzle.as_ref().map(Grid::clues), &measured, name);
                PredictionScore::count(score.as_ref(), totals.buckets.entry(name).or_default());
            }
            push(score.as_ref(), table);
        }
        Ok(totals)
    }

    /// Reads the puzzles, and solves them if the truth of one is not known. Gives the answers that are right.
    fn read(
        &mut self,
        columns: &[ArrayColumn],
        rows: Range<usize>,
    ) -> Result<Vec<Option<Grid>>, ArrayError> {
        let puzzles = &mut self.puzzles;
        puzzles.read(&columns[0], rows.clone())?;
        let mut truths = vec![None; rows.len()];
        if self.has_answers {
            for ((row, entry), truth) in rows.zip(&puzzles.entries).zip(&mut truths) {
                let Ok(place) = entry else { continue };
                let answer = grid(columns[2].row(row)?);
                *truth = answer.filter(|it| puzzles.puzzle(place).check_answer(it).is_ok());
            }
        }
        let is_open =
            |(entry, truth): (&Result<_, _>, &Option<_>)| entry.is_ok() && truth.is_none();
        if self.gauge.is_some() || puzzles.entries.iter().zip(&truths).any(is_open) {
            puzzles.solve(2);
        }
        Ok(truths)
    }

    /// The measures of the puzzles: first of the grids, then of the sukakus.
    fn measure(&mut self) -> Vec<Measured> {
        let Some(gauge) = &mut self.gauge else { return Vec::new() };
        let (grids, sukakus) = self.puzzles.unique();
        let mut found = gauge.many_unique(&grids, &sukakus).iter();
        let mut measured = |answer: &Answer| answer.solution().and_then(|_| found.next()).copied();
        self.puzzles.answers.iter().map(|it| measured(it).unwrap_or_default()).collect()
    }
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
