//! `ninefold rate`: the difficulty of every puzzle.
//!
//! ```text
//! chunk ─> grids ─> engine: one solution? ─> gauge: effort, er, ep, ed, grade ─> records
//! ```

#[cfg(feature = "cli")]
pub(crate) mod args;
pub(crate) mod scale;

use crate::Status;
use crate::difficulty::{Backdoor, Gauge, Measure, Measured, Rating, Score};
use crate::input::{Chunk, Row};
use crate::names::NameSet;
use crate::output::{Column, Field, Format, Kind, Short};
use crate::run::{Command, Count, Rows, Terms};
use crate::search::{Facts, Search};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// The columns of a difficulty: the same in every command that reports one.
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

/// Rates puzzles.
///
/// ```
/// use ninefold::input::Source;
/// use ninefold::output::{Format, Sink};
/// use ninefold::pipeline::Control;
/// use ninefold::rate::Rate;
/// use ninefold::run::Run;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one puzzle", puzzle.into());
/// let mut run = Run::default();
/// run.writing.style.format = Format::Csv;
/// // Writes a header, and: 1,unique,0,0,1.2,1.2,1.2,hidden-single-box,naked-singles,53..7....6..195...
/// let report = run.to(Sink::stdout(), &Rate::default(), vec![source], Control::default())?;
/// assert_eq!(report.total.puzzles, 1);
/// # Ok::<(), ninefold::run::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rate {
    /// What is measured.
    pub measures: NameSet<Measure>,
    /// The number of transformations over which an effort is the mean.
    pub shuffles: NonZeroUsize,
    /// The seed of these transformations.
    pub seed: u64,
    /// The greatest score of `er` that is wanted, in tenths. A puzzle above it has no `er`, and a column
    /// says so.
    pub max_er: Option<u8>,
    /// The engine that finds out whether a puzzle has one solution, and the bounds of all searches.
    pub search: Search,
}

impl Default for Rate {
    /// The [usual measures](Measure::USUAL).
    fn default() -> Self {
        Self {
            measures: NameSet::of(&Measure::USUAL),
            shuffles: NonZeroUsize::new(Gauge::DEFAULT_SHUFFLES).expect("it is not 0"),
            seed: crate::SEED,
            max_er: None,
            search: Search::default(),
        }
    }
}

impl Command for Rate {
    type Kept = ();

    fn columns(&self, _: Format) -> Vec<Column> {
        let status = Column::status("unique if the puzzle is measured");
        let puzzle = Column::puzzle(
            "puzzle",
            "the cells of the puzzle; if malformed, the text of the field",
        );
        let bound: &[_] = if self.max_er.is_some() { &[BOUND] } else { &[] };
        let has_backdoors = self.measures.contains(Measure::Backdoor);
        let backdoors: &[_] = if has_backdoors { &BACKDOOR_COLUMNS } else { &[] };
        [&[status], &MEASURE_COLUMNS[..], bound, backdoors, &[puzzle]].concat()
    }

    fn counts(&self) -> Vec<Count> {
        [vec![Count::statuses::<Status>()], scale::counts()].concat()
    }

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, ()>) -> ControlFlow<()> {
        let gauge = self.search.gauge(self.measures.values(), self.max_er);
        let mut gauge = gauge.with_shuffles(self.shuffles.get()).with_seed(self.seed);
        let mut facts = Facts::new(&self.search);
        move |chunk, rows| {
            let puzzles = rows.read(chunk);
            rows.work(|_| {
                facts.restart();
                let slowest = facts.answers.find(puzzles);
                facts.measure(&mut gauge, puzzles, 0..puzzles.count());
                slowest
            });
            rows.each(puzzles, Status::Malformed, |row, number, rows| {
                push(&facts, row, number, rows);
            })
        }
    }
}

/// The record of a puzzle.
fn push(facts: &Facts, row: &Row, number: usize, rows: &mut Rows<'_, ()>) {
    let puzzle = row.puzzle.expect("the row of a puzzle");
    let answers = &facts.answers;
    let (mut verdict, measured) = (answers.verdict(number, &puzzle), facts.measured(number));
    if measured.gave_up {
        // A search for its effort.
        verdict = answers.unknown(1);
    }
    if verdict.status() != Status::Unique {
        return rows.unsolved::<Status>(row, &verdict);
    }
    rows.count(Status::Unique);
    scale::count(&puzzle, &measured, &mut rows.output.counts);
    let bound = bound_text(&measured);
    let field = |column: &Column| match column.kind {
        Kind::Status => Field::Plain(Status::Unique.name().as_bytes()),
        Kind::Puzzle => Field::Puzzle,
        _ => measure_field(column.name, &measured, bound.as_ref()),
    };
    let fields: Vec<_> = rows.style().columns.iter().map(field).collect();
    let terms = Terms::of(Status::Unique);
    let mut text = Vec::new();
    if !rows.wants_fields(terms) {
        for (place, field) in fields[1..fields.len() - 1].iter().enumerate() {
            text.extend_from_slice(if place == 0 { b"" } else { b"," });
            field.push_csv(&mut text);
        }
    }
    rows.push(row, terms, &fields, Short::Text(&text));
}
