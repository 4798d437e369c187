//! Difficulty.

use super::columns::RATE;
use super::puzzles::RowPuzzles;
use crate::arrow::{ResultTable, ResultValue, RowQuestion};
use ninefold::difficulty::{Effort, Gauge, Grade, Measure, Measured, Rating, Score};
use ninefold::engine::Answer;
use ninefold::names::NameSet;
use ninefold::rate::backdoor_numbers;
use std::num::NonZeroUsize;

/// Measures the puzzles that have one solution: an effort is the mean over `shuffles` transformations, by this
/// seed, and scores of `er` are wanted up to `max_er`, in tenths. `known`: as of [`RowPuzzles::knowing`].
pub(crate) fn rate(
    measures: NameSet<Measure>,
    shuffles: NonZeroUsize,
    seed: u64,
    max_er: u8,
    known: Option<Answer>,
) -> RowQuestion {
    let make = move |bounds| {
        let gauge = Gauge::new().with_measures(measures.values()).with_max_er(max_er);
        let gauge = gauge.with_shuffles(shuffles.get()).with_seed(seed).with_bounds(bounds);
        (gauge, RowPuzzles::knowing(known))
    };
    let question = RowQuestion::new(RATE, 256, make, |(gauge, puzzles), columns, rows, table| {
        puzzles.read(&columns[0], rows)?;
        puzzles.solve(2);
        let measured = puzzles.measure(gauge);
        puzzles.each_unique(table, |place, _, table| push(table, &measured[puzzles.number(place)]));
        Ok(())
    });
    RowQuestion { is_long: true, ..question }
}

/// Appends a difficulty.
fn push(table: &mut ResultTable, found: &Measured) {
    let float = |it: Option<f64>| it.map_or(ResultValue::None, ResultValue::Float);
    let effort = |of: fn(&Effort) -> f64| float(found.effort.as_ref().map(of));
    // There is no number for a score that is not known.
    let score = |of: fn(&Rating) -> Score| {
        let tenths = found.rating.as_ref().and_then(|rating| of(rating).tenths());
        float(tenths.map(|it| f64::from(it) / 10.0))
    };
    let name = |it: Option<&'static str>| it.map_or(ResultValue::None, ResultValue::from);
    let (known, above) = match &found.rating {
        Some(rating) if rating.er.tenths().is_none() => (None, Some(&rating.er)),
        rating => (rating.as_ref(), None),
    };
    let backdoor = backdoor_numbers(found.backdoor);
    let [backdoor, backdoors] =
        backdoor.map(|it| it.map_or(ResultValue::None, |it| ResultValue::Number(it.cast_signed())));
    table.push(&[
        effort(Effort::mean),
        effort(Effort::standard_error),
        score(|rating| rating.er),
        score(|rating| rating.ep),
        score(|rating| rating.ed),
        name(known.map(|rating| rating.technique.name())),
        name(found.grade.map(Grade::name)),
        backdoor,
        backdoors,
        "unique".into(),
        above.map_or(ResultValue::None, |er| ResultValue::Shown(er)),
    ]);
}
