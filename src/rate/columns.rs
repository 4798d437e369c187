//! The columns of a difficulty, and their fields: the same in every command that reports one.

use crate::difficulty::{Backdoor, Measured, Rating, Score};
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

/// The numbers of these columns. If each backdoor has more than two cells, their number is not known.
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

/// The field of a column of a difficulty. What was not measured is empty, and so are all other columns.
pub(crate) fn measure_field<'a>(
    column: &str,
    measured: &Measured,
    bound: Option<&'a String>,
) -> Field<'a> {
    let Measured { effort, rating, grade, backdoor, .. } = measured;
    let plain = |text: &'static str| Field::Plain(text.as_bytes());
    let score = |of: fn(&Rating) -> Score| {
        let tenths = rating.as_ref().and_then(|it| of(it).tenths());
        tenths.map(|tenths| Field::Tenths(u64::from(tenths)))
    };
    let known = rating.filter(|it| it.er.tenths().is_some());
    let [cells, sets] = backdoor_numbers(*backdoor);
    let field = match column {
        "effort" => effort.map(|it| Field::Thousandths(it.mean_thousandths())),
        "effort_se" => effort.map(|it| Field::Thousandths(it.standard_error_thousandths())),
        "er" => score(|it| it.er),
        "ep" => score(|it| it.ep),
        "ed" => score(|it| it.ed),
        "technique" => known.map(|it| plain(it.technique.name())),
        "grade" => grade.map(|it| plain(it.name())),
        "er_bound" => bound.map(|text| Field::Text(text.as_bytes())),
        "backdoor" => cells.map(Field::Number),
        "backdoors" => sets.map(Field::Number),
        _ => None,
    };
    field.unwrap_or(Field::Empty)
}
