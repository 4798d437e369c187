//! The fields of what was measured of a puzzle: the same in every command that reports a difficulty.

use crate::difficulty::{Grade, Measured};
use crate::output::Field;

/// The columns of a difficulty.
///
/// | column | content |
/// | --- | --- |
/// | `effort` | mean number of guesses of a search over shuffles of the puzzle |
/// | `effort_se` | its standard error |
/// | `er`, `ep`, `ed` | Sudoku Explainer: hardest step, hardest up to the first digit, first step |
/// | `technique` | the technique of `er` |
/// | `grade` | the simplest list of rules that solves it |
///
/// ```
/// assert_eq!(ninefold::bulk::MEASURE_COLUMNS[0], "effort");
/// ```
pub const MEASURE_COLUMNS: [&str; 7] =
    ["effort", "effort_se", "er", "ep", "ed", "technique", "grade"];

/// The fields of these columns. What was not measured is empty.
pub(crate) fn measure_fields(measured: &Measured) -> [Field<'static>; MEASURE_COLUMNS.len()] {
    let plain =
        |text: Option<&'static str>| text.map_or(Field::Empty, |it| Field::Plain(it.as_bytes()));
    let rating = measured.rating;
    let thousandths = |number: Option<u64>| number.map_or(Field::Empty, Field::Thousandths);
    [
        thousandths(measured.effort.map(|it| it.mean_thousandths())),
        thousandths(measured.effort.map(|it| it.standard_error_thousandths())),
        plain(rating.map(|it| it.er.text())),
        plain(rating.map(|it| it.ep.text())),
        plain(rating.map(|it| it.ed.text())),
        plain(rating.map(|it| it.technique.name())),
        plain(measured.grade.map(Grade::name)),
    ]
}
