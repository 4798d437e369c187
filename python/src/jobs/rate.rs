//! Difficulty.

use super::columns::RATE;
use super::puzzles::{Entry, Puzzles};
use crate::arrow::{Column, Question, Table, Value, Worker};
use ninefold::difficulty::{Effort, Gauge, Grade, Measure, Measured, Rating, Score};
use ninefold::engine::Answer;
use ninefold::engine::lanes::SimdLevel;
use ninefold::names::NameSet;
use std::num::NonZeroUsize;
use std::ops::Range;

/// Measures of difficulty.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// What is measured.
    pub measures: NameSet<Measure>,
    /// The number of transformations over which an effort is the mean.
    pub shuffles: NonZeroUsize,
    /// The seed of these transformations.
    pub seed: u64,
}

/// Why a sukaku has no measures.
pub const SUKAKU: &str = "sukakus are not rated";

impl Rate {
    /// The gauge of these measures.
    #[must_use]
    pub fn gauge(&self) -> Gauge {
        Gauge::new(self.measures, SimdLevel::best(), self.shuffles.get(), self.seed)
    }
}

/// A score as a number: above 6.2 it is infinite.
#[must_use]
pub fn number(score: Score) -> f64 {
    score.tenths().map_or(f64::INFINITY, |tenths| f64::from(tenths) / 10.0)
}

/// Measures the puzzles that have one solution.
#[must_use]
pub fn rate(rate: Rate) -> Question {
    let worker = move || -> Worker {
        let (mut gauge, mut puzzles) = (rate.gauge(), Puzzles::default());
        // The grids with one solution, and what was measured of them.
        let (mut unique, mut measured) = (Vec::new(), Vec::new());
        Box::new(move |columns: &[Column], rows: Range<usize>, table: &mut Table| {
            puzzles.read(&columns[0], rows)?;
            puzzles.solve(2);
            let is_unique = |it: &(_, &Answer)| it.1.solution().is_some();
            unique.clear();
            unique.extend(
                puzzles.grids.iter().zip(&puzzles.answers).filter(is_unique).map(|it| *it.0),
            );
            measured.clear();
            gauge.measure(&unique, &mut measured);
            let mut measured = measured.iter();
            for entry in &puzzles.entries {
                let Some(verdict) = puzzles.verdict(entry) else {
                    table.push([]);
                    continue;
                };
                let (found, reason) = match (verdict.solution(), entry) {
                    (None, _) => (None, Value::Shown(&verdict)),
                    (_, Entry::Sukaku(_)) => (None, SUKAKU.into()),
                    _ => (measured.next(), Value::None),
                };
                push(table, found, verdict.status().name(), reason);
            }
            Ok(())
        })
    };
    Question { columns: RATE, batch: 256, worker: Box::new(worker) }
}

/// Appends a row.
fn push(table: &mut Table, found: Option<&Measured>, status: &str, reason: Value) {
    let (effort, rating) = (found.and_then(|it| it.effort), found.and_then(|it| it.rating));
    let effort = |of: fn(&Effort) -> f64| effort.as_ref().map(of).map_or(Value::None, Value::Float);
    let score = |of: fn(&Rating) -> Score| {
        rating.as_ref().map_or(Value::None, |rating| Value::Float(number(of(rating))))
    };
    table.push([
        effort(Effort::mean),
        effort(Effort::standard_error),
        score(|rating| rating.er),
        score(|rating| rating.ep),
        score(|rating| rating.ed),
        rating.as_ref().map_or(Value::None, |rating| rating.technique.name().into()),
        found.and_then(|it| it.grade).map_or(Value::None, |grade| Grade::name(grade).into()),
        status.into(),
        reason,
    ]);
}
