//! Difficulty.

use super::columns::RATE;
use super::puzzles::{RowEntry, RowPuzzles};
use crate::arrow::{ResultTable, ResultValue, RowQuestion};
use ninefold::difficulty::{Effort, Gauge, Grade, Measure, Measured, Rating, Score};
use ninefold::engine::Bounds;
use ninefold::names::NameSet;
use ninefold::rate::backdoor_numbers;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Measures of difficulty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RateOptions {
    /// What is measured.
    pub(crate) measures: NameSet<Measure>,
    /// The number of transformations over which an effort is the mean.
    pub(crate) shuffles: NonZeroUsize,
    /// The seed of these transformations.
    pub(crate) seed: u64,
    /// The greatest score of `er` that is wanted, in tenths.
    pub(crate) max_er: u8,
}

impl RateOptions {
    /// The gauge of these measures, and the flag that stops it.
    pub(crate) fn gauge(&self, stop: &Arc<AtomicBool>) -> Gauge {
        let gauge = Gauge::new().with_measures(self.measures.values()).with_max_er(self.max_er);
        let gauge = gauge.with_shuffles(self.shuffles.get()).with_seed(self.seed);
        gauge.with_bounds(Bounds::default().with_stop(Arc::clone(stop)))
    }
}

/// The greatest score that was wanted, if `er` is above it.
pub(crate) fn unknown(found: &Measured) -> Option<&Score> {
    found.rating.as_ref().map(|rating| &rating.er).filter(|er| er.tenths().is_none())
}

/// The numbers and the names of a difficulty, in the order of the columns. There is no number for a score
/// that is not known.
pub(crate) fn values(found: &Measured) -> ([Option<f64>; 5], [Option<&'static str>; 2]) {
    let number = |score: Score| score.tenths().map(|it| f64::from(it) / 10.0);
    let score = |of: fn(&Rating) -> Score| found.rating.as_ref().map(of).and_then(number);
    let effort = |of: fn(&Effort) -> f64| found.effort.as_ref().map(of);
    let numbers = [
        effort(Effort::mean),
        effort(Effort::standard_error),
        score(|rating| rating.er),
        score(|rating| rating.ep),
        score(|rating| rating.ed),
    ];
    let technique = found.rating.filter(|it| it.er.tenths().is_some());
    (numbers, [technique.map(|it| it.technique.name()), found.grade.map(Grade::name)])
}

/// Measures the puzzles that have one solution.
pub(crate) fn rate(rate: RateOptions) -> RowQuestion {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let make = move || (rate.gauge(&stopped), RowPuzzles::default());
    let question = RowQuestion::new(RATE, 256, make, |(gauge, puzzles), columns, rows, table| {
        puzzles.read(&columns[0], rows)?;
        puzzles.solve(2);
        let is_unique = |place: &usize| puzzles.answers[*place].solution().is_some();
        let count = puzzles.grids.len();
        let grids = (0..count).filter(is_unique).map(|place| puzzles.grids[place]);
        let sukakus = (count..puzzles.answers.len()).filter(is_unique);
        let sukakus = sukakus.map(|place| puzzles.sukakus[place - count]);
        let (grids, sukakus): (Vec<_>, Vec<_>) = (grids.collect(), sukakus.collect());
        let measured = gauge.many_unique(&grids, &sukakus);
        let (of_grids, of_sukakus) = measured.split_at(grids.len());
        let (mut of_grids, mut of_sukakus) = (of_grids.iter(), of_sukakus.iter());
        for entry in &puzzles.entries {
            let Some(verdict) = puzzles.verdict(entry) else {
                table.push([]);
                continue;
            };
            let (found, reason) = if verdict.solution().is_some() {
                let is_grid = matches!(entry, RowEntry::Grid(_));
                let found = if is_grid { of_grids.next() } else { of_sukakus.next() };
                (
                    found,
                    found.and_then(unknown).map_or(ResultValue::None, |it| ResultValue::Shown(it)),
                )
            } else {
                (None, ResultValue::Shown(&verdict))
            };
            push(table, found, verdict.status().name(), reason);
        }
        Ok(())
    });
    RowQuestion { stop: Some(stop), ..question }
}

/// Appends a row.
fn push(table: &mut ResultTable, found: Option<&Measured>, status: &str, reason: ResultValue) {
    let (numbers, names) = found.map_or(([None; 5], [None; 2]), values);
    let [effort, effort_se, er, ep, ed] =
        numbers.map(|it| it.map_or(ResultValue::None, ResultValue::Float));
    let [technique, grade] = names.map(|it| it.map_or(ResultValue::None, ResultValue::from));
    let backdoor = backdoor_numbers(found.and_then(|it| it.backdoor));
    let number =
        |it: Option<u64>| it.map_or(ResultValue::None, |it| ResultValue::Number(it.cast_signed()));
    let [backdoor, backdoors] = backdoor.map(number);
    let status = status.into();
    table.push([
        effort, effort_se, er, ep, ed, technique, grade, backdoor, backdoors, status, reason,
    ]);
}
