//! Difficulty.

use super::columns::RATE;
use super::puzzles::of_puzzles;
use crate::arrow::{ResultTable, ResultValue, RowQuestion};
use ninefold::difficulty::{Effort, Gauge, Grade, Measured, Rating, Score};
use ninefold::engine::Bounds;
use ninefold::rate::backdoor_numbers;

/// Measures the puzzles that have one solution, by gauges with these bounds.
pub(crate) fn rate(gauge: impl Fn(Bounds) -> Gauge + Send + Sync + 'static) -> RowQuestion {
    let question = of_puzzles(RATE, 256, Some(2), gauge, |gauge, puzzles, table| {
        let measured = puzzles.measure(gauge);
        puzzles.each_unique(table, |number, _, table| push_measured(table, &measured[number]));
    });
    RowQuestion { is_long: true, ..question }
}

/// Appends a difficulty.
pub(crate) fn push_measured(table: &mut ResultTable, found: &Measured) {
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
