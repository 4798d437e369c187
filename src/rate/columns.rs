//! The columns of a difficulty, and their fields: the same in every command that reports one.

use crate::difficulty::{Backdoor, Grade, Measured, Rating, Score};
use crate::output::{Column, Field};

/// The columns of a difficulty.
pub const MEASURE_COLUMNS: [Column; 7] = [
    Column::decimal("effort", "mean number of guesses over --shuffles transformations"),
    Column::decimal("effort_se", "standard error of this mean"),
    Column::decimal("er", "score of the hardest step"),
    Column::decimal("ep", "score of the hardest step up to the first digit"),
    Column::decimal("ed", "score of the first step"),
    Column::word("technique", "first technique whose score is er"),
    Column::word("grade", "naked-singles, singles, locked-candidates or search"),
];

/// The columns of backdoors, which follow if they are asked for.
pub const BACKDOOR_COLUMNS: [Column; 2] = [
    Column::whole("backdoor", "cells of the smallest backdoor; 3 if more than 2"),
    Column::whole("backdoors", "number of backdoors of this size"),
];

/// The fields of these columns.
pub(crate) fn backdoor_fields(found: Option<Backdoor>) -> [Field<'static>; BACKDOOR_COLUMNS.len()] {
    let [cells, sets] = backdoor_numbers(found);
    [cells, sets].map(|number| number.map_or(Field::Empty, Field::Number))
}

/// The numbers of these columns. If each backdoor has more than two cells, their number is not known.
#[must_use]
pub fn backdoor_numbers(found: Option<Backdoor>) -> [Option<u64>; BACKDOOR_COLUMNS.len()] {
    let sets = found.filter(|found| found.sets > 0);
    [found.map(|found| found.cells.into()), sets.map(|found| found.sets.into())]
}

/// Says that a puzzle is above the greatest score that is wanted: the column after those, if there is one.
pub(crate) const BOUND: Column =
    Column::word("er_bound", "above X, if er is greater than that of --max-er");

/// The text of this column, if `er` is above the greatest score.
pub(crate) fn bound_text(measured: &Measured) -> Option<String> {
    let er = measured.rating.map(|it| it.er).filter(|er| er.tenths().is_none());
    er.map(|er| er.to_string())
}

/// The fields of the columns of a difficulty. What was not measured is empty.
pub(crate) fn measure_fields(measured: &Measured) -> [Field<'static>; MEASURE_COLUMNS.len()] {
    let plain =
        |text: Option<&'static str>| text.map_or(Field::Empty, |it| Field::Plain(it.as_bytes()));
    let rating = measured.rating;
    let score = |score: Option<Score>| {
        let tenths = score.and_then(Score::tenths);
        tenths.map_or(Field::Empty, |tenths| Field::Tenths(u64::from(tenths)))
    };
    let is_known = |rating: &Rating| rating.er.tenths().is_some();
    let thousandths = |number: Option<u64>| number.map_or(Field::Empty, Field::Thousandths);
    [
        thousandths(measured.effort.map(|it| it.mean_thousandths())),
        thousandths(measured.effort.map(|it| it.standard_error_thousandths())),
        score(rating.map(|it| it.er)),
        score(rating.map(|it| it.ep)),
        score(rating.map(|it| it.ed)),
        plain(rating.filter(is_known).map(|it| it.technique.name())),
        plain(measured.grade.map(Grade::name)),
    ]
}
