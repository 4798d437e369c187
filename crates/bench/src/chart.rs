//! The charts: puzzles per second of each row, against threads, and against the difficulty of lists.
//!
//! ```text
//!   easy, 1,000 puzzles            a panel for each        p/s │        ●─ lanes   a diagram for each
//!     scan      ─●─ 96             list, a point for      (log)│   ●──╱            list and mode, or
//!     lanes             ─●─ 5 M    each row and mode           │ ●  ◆────◆ mrv     each mode; a curve
//!           10   100   1 k …       (logarithmic)               └────────── threads for each contender
//! ```
//!
//! A point is a median, its whiskers the 95 % interval. A hollow point: slower than this.

use crate::numbers::{short, three_digits};
use crate::report::{Label, Mode, Report, Row};
use crate::svg::{MARGIN, WIDTH, caption, frame, path, shorten, symbol, text};
use crate::table::legend;

/// Of the chart of rows: heights of a point with its whiskers, of the gap between two contenders, of
/// the title with its legend, of a list's title, and of the scale below it.
const POINT: f64 = 13.0;
const GAP: f64 = 6.0;
const TITLE: f64 = 62.0;
const LIST_TITLE: f64 = 30.0;
const SCALE: f64 = 34.0;
/// The mean width of a character of 13 pixels, and of 11 pixels, at most.
const LABEL_CHARACTER: f64 = 7.6;
const TICK_CHARACTER: f64 = 6.2;
/// Room for the number behind the last point.
const NUMBER: f64 = 80.0;
/// Characters of the longest label, and title of a list.
const LONGEST_LABEL: usize = 30;
const LONGEST_TITLE: usize = 95;
/// Of the diagrams: heights of a diagram with its title, and of the axis below it; the left and right
/// ends of the axis, and the least distance of two names.
const CHART: f64 = 344.0;
const AXIS: f64 = 90.0;
const ENDS: (f64, f64) = (72.0, WIDTH - 220.0);
const NAME: f64 = 16.0;

/// A logarithmic axis: logarithms, and the pixels of its ends. `start` may be greater than `end`.
struct Axis {
    lowest: f64,
    highest: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis from the lowest to the highest positive value.
    fn between(values: impl Iterator<Item = f64> + Clone, start: f64, end: f64) -> Self {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        let lowest = logs.clone().reduce(f64::min).unwrap_or(0.0);
        let highest = logs.reduce(f64::max).unwrap_or(1.0).max(lowest + f64::EPSILON);
        Self { lowest, highest, start, end }
    }

    /// An axis between powers of ten that holds the numbers and whiskers of all rows.
    fn of_rates(report: &Report, start: f64, end: f64) -> Self {
        let ends = report.rows.iter().flat_map(|row| {
            let whiskers = row.interval().map(|it| [1e9 / it.upper, 1e9 / it.lower]);
            row.rate().map(|(rate, _)| rate).into_iter().chain(whiskers.into_iter().flatten())
        });
        let axis = Self::between(ends, start, end);
        let lowest = axis.lowest.floor();
        Self { lowest, highest: axis.highest.ceil().max(lowest + 1.0), ..axis }
    }

    fn place(&self, value: f64) -> f64 {
        let log = value.max(f64::MIN_POSITIVE).log10();
        let share = (log - self.lowest) / (self.highest - self.lowest);
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// The powers of ten, each with its name and place.
    fn powers(&self) -> impl Iterator<Item = (String, f64)> {
        #[expect(clippy::cast_possible_truncation, reason = "powers of ten")]
        let powers = self.lowest as i32..=self.highest as i32;
        powers.map(|power| {
            let value = 10f64.powi(power);
            let name = short(value).replace(".00", "").replace(".0", "");
            (if value < 1.0 { format!("{value}") } else { name }, self.place(value))
        })
    }
}

/// The point of a row with its whiskers, at the places that `at` gives to puzzles per second.
fn point(body: &mut String, row: &Row, series: usize, at: impl Fn(f64) -> (f64, f64)) {
    let Some((rate, slower)) = row.rate() else { return };
    if let Some(interval) = row.interval() {
        let [(x, y), (to_x, to_y)] = [interval.upper, interval.lower].map(|it| at(1e9 / it));
        path(body, series, "whisker", &format!("M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}"));
    }
    symbol(body, series, at(rate), if slower { "ring" } else { "dot" });
}

/// The number of a point, with its marks.
fn number(row: &Row) -> String {
    let fault = if row.has_faults() { "! " } else { "" };
    match row.rate() {
        None if row.has_faults() => "! failed".to_owned(),
        None => "not measured".to_owned(),
        Some((rate, true)) => format!("{fault}under {}", short(rate)),
        Some((rate, _)) if row.sample => format!("{fault}~ {}", short(rate)),
        Some((rate, _)) => format!("{fault}{}", short(rate)),
    }
}

const fn meaning(mode: Mode) -> &'static str {
    match mode {
        Mode::First => "first solution",
        Mode::Unique => "proof of uniqueness",
    }
}

/// The chart with its title, and below it the marks that the tables explain.
fn finish(report: &Report, title: &str, mut body: String, top: f64, note: &str) -> String {
    text(&mut body, (MARGIN, 36.0), 18, "ink", "start", title);
    let points = "Points: medians. Whiskers: 95 % confidence intervals. Hollow: slower than this.";
    let marks =
        legend(report).into_iter().filter(|(it, _)| ["puzzles/s", "~", "!"].contains(&&**it));
    let marks = marks.map(|(mark, text)| format!("{mark}: {}", text.replace('\n', " ")));
    let points = format!("{points} {note}").trim_end().to_owned();
    let sentences = [points].into_iter().chain(marks);
    let sentences = sentences.chain([report.machine.sentence(), report.sentence()]);
    let bottom = caption(&mut body, &sentences.collect::<Vec<_>>(), top + 6.0);
    frame(title, bottom + MARGIN / 2.0, &body)
}

/// Puzzles per second of each row: a panel for each list.
#[expect(clippy::cast_precision_loss, reason = "characters and points")]
pub(crate) fn rates(report: &Report) -> String {
    let shown = |label: &Label| shorten(&label.to_string(), LONGEST_LABEL);
    let labels = report.labels();
    let longest = labels.iter().map(|label| shown(label).chars().count()).max().unwrap_or(0);
    let left = 2.0 * MARGIN + longest as f64 * LABEL_CHARACTER;
    let scale = Axis::of_rates(report, left, WIDTH - MARGIN - NUMBER);
    let has = |mode: &Mode| report.any(|row| row.mode == *mode);
    let modes: Vec<_> = Mode::ALL.into_iter().filter(has).collect();

    let mut body = String::new();
    let about = "(logarithmic scale; right is faster)";
    text(&mut body, (MARGIN + 185.0, 36.0), 12, "faint", "start", about);
    for (place, mode) in modes.iter().rev().enumerate() {
        let left = WIDTH - MARGIN - 143.0 - 170.0 * place as f64;
        symbol(&mut body, *mode as usize, (left, 32.0), "dot");
        text(&mut body, (left + 13.0, 36.0), 12, "ink", "start", meaning(*mode));
    }
    let mut top = TITLE;
    for list in &report.lists {
        let title = shorten(&list.title(), LONGEST_TITLE);
        text(&mut body, (MARGIN, top + 19.0), 14, "ink", "start", &title);
        top += LIST_TITLE;
        let rows = |label: &Label| {
            let rows = report.rows.iter().filter(|row| row.list == list.name);
            rows.filter(|row| row.label == *label).collect::<Vec<_>>()
        };
        let groups: Vec<_> = labels.iter().map(|label| rows(label)).collect();
        let groups: Vec<_> = groups.iter().filter(|rows| !rows.is_empty()).collect();
        let height = modes.len() as f64 * POINT;
        let end = top + groups.len() as f64 * (height + GAP);
        for (power, x) in scale.powers() {
            path(&mut body, 0, "line", &format!("M{x:.1} {top:.1}V{end:.1}"));
            text(&mut body, (x, end + 14.0), 11, "faint", "middle", &power);
        }
        for rows in groups {
            let middle = top + f64::midpoint(GAP, height) + 4.5;
            text(&mut body, (left - 10.0, middle), 13, "ink", "end", &shown(&rows[0].label));
            for (place, row) in rows.iter().enumerate() {
                let y = top + GAP / 2.0 + (place as f64 + 0.5) * POINT;
                point(&mut body, row, row.mode as usize, |rate| (scale.place(rate), y));
                let ends = row.interval().map(|it| 1e9 / it.lower).into_iter();
                let ends = ends.chain(row.rate().map(|(rate, _)| rate));
                let right = ends.map(|rate| scale.place(rate)).fold(left, f64::max);
                text(&mut body, (right + 10.0, y + 4.0), 11, "faint", "start", &number(row));
            }
            top += height + GAP;
        }
        top = end + SCALE;
    }
    finish(report, "Puzzles per second", body, top, "")
}

/// One diagram: the names of values on its axis, and curves with their names. Each point of a curve has
/// a value, and a row.
struct Diagram<'a> {
    title: String,
    ticks: Vec<(f64, String)>,
    curves: Vec<(String, Vec<(f64, &'a Row)>)>,
}

/// Puzzles per second against threads: a diagram for each list and mode.
#[expect(clippy::cast_precision_loss, reason = "a few threads")]
pub(crate) fn against_threads(report: &Report) -> String {
    let mut counts: Vec<usize> = report.rows.iter().map(|row| row.label.threads).collect();
    counts.sort_unstable();
    counts.dedup();
    // One thread is not mentioned.
    let solver = |label: &Label| Label { threads: 1, ..label.clone() }.to_string();
    let mut solvers: Vec<_> = report.labels().into_iter().map(solver).collect();
    solvers.dedup();
    let diagrams = report.blocks().map(|(list, mode)| {
        let curves = solvers.iter().map(|name| {
            let rows = report.block(&list.name, mode).filter(|row| row.process.is_none());
            let rows = rows.filter(|row| solver(&row.label) == *name);
            (name.clone(), rows.map(|row| (row.label.threads as f64, row)).collect())
        });
        Diagram {
            title: format!("{}, {}", list.name, meaning(mode)),
            ticks: counts.iter().map(|&count| (count as f64, count.to_string())).collect(),
            curves: curves.collect(),
        }
    });
    let title = "Puzzles per second against threads";
    render(report, title, "threads (logarithmic scale)", diagrams, "")
}

/// Puzzles per second against the difficulty: a diagram for each mode, a point for each list. The
/// difficulty is the number of branches of the contender that reports them on most lists.
pub(crate) fn against_difficulty(report: &Report) -> String {
    let title = "Puzzles per second against difficulty";
    let labels = report.labels();
    let difficulties = |label: &Label| {
        let rows = report.rows.iter().filter(move |row| row.label == *label);
        rows.filter_map(|row| Some((row, 1.0 + row.branches_per_puzzle()?))).collect::<Vec<_>>()
    };
    // The first of those that report most.
    let measure = labels.iter().rev().max_by_key(|label| difficulties(label).len());
    let lists = measure.map(|label| difficulties(label)).unwrap_or_default();
    if lists.is_empty() {
        return finish(report, title, String::new(), TITLE, "No engine reports branches.");
    }
    let of_mode = |mode| {
        let mut lists: Vec<_> = lists.iter().filter(|(row, _)| row.mode == mode).collect();
        lists.sort_by(|one, other| one.1.total_cmp(&other.1));
        lists
    };
    let diagrams = Mode::ALL.into_iter().filter(|mode| !of_mode(*mode).is_empty()).map(|mode| {
        let lists = of_mode(mode);
        let curves = labels.iter().map(|label| {
            let points = lists.iter().filter_map(|(of, value)| {
                let row = report.block(&of.list, mode).find(|row| row.label == **label)?;
                Some((*value, row))
            });
            (label.to_string(), points.collect())
        });
        let name = |list: &str, branches| format!("{list} ({})", three_digits(branches));
        let ticks = lists.iter().map(|(of, value)| (*value, name(&of.list, value - 1.0)));
        Diagram {
            title: meaning(mode).to_owned(),
            ticks: ticks.collect(),
            curves: curves.collect(),
        }
    });
    let measure = measure.map(ToString::to_string).unwrap_or_default();
    let axis = format!("1 + branches per puzzle of {measure} (logarithmic scale)");
    render(report, title, &axis, diagrams, "Below the axis: the lists, with their branches.")
}

/// The chart: the diagrams one below the other.
fn render<'a>(
    report: &'a Report,
    title: &str,
    axis: &str,
    diagrams: impl Iterator<Item = Diagram<'a>>,
    note: &str,
) -> String {
    let (mut body, mut top) = (String::new(), TITLE);
    for diagram in diagrams {
        let scale = Axis::of_rates(report, top + CHART, top + 24.0);
        draw(&mut body, &diagram, axis, &scale, top);
        top += CHART + AXIS;
    }
    finish(report, title, body, top, note)
}

/// One diagram.
#[expect(clippy::cast_precision_loss, reason = "characters and lines")]
fn draw(body: &mut String, diagram: &Diagram, axis: &str, scale: &Axis, top: f64) {
    let title = format!("{}: puzzles per second (logarithmic scale)", diagram.title);
    text(body, (MARGIN, top + 12.0), 14, "ink", "start", &title);
    let (left, right) = ENDS;
    for (power, y) in scale.powers() {
        path(body, 0, "line", &format!("M{left:.1} {y:.1}H{right:.1}"));
        text(body, (left - 6.0, y + 4.0), 11, "faint", "end", &power);
    }
    let values = diagram.ticks.iter().map(|(value, _)| *value);
    let places = Axis::between(values, left + 40.0, right - 40.0);
    // A name goes to the first line where it does not touch the one before.
    let mut lines = [f64::NEG_INFINITY; 4];
    for (value, name) in &diagram.ticks {
        let x = places.place(*value);
        let half = name.chars().count() as f64 * TICK_CHARACTER / 2.0;
        let line = lines.iter().position(|end| *end < x - half).unwrap_or(lines.len() - 1);
        lines[line] = x + half + TICK_CHARACTER;
        let below = scale.start + 14.0 + line as f64 * 12.0;
        path(body, 0, "line", &format!("M{x:.1} {:.1}V{:.1}", scale.start, below - 10.0));
        text(body, (x, below), 11, "faint", "middle", name);
    }
    text(body, (f64::midpoint(left, right), scale.start + 66.0), 11, "faint", "middle", axis);
    let mut names: Vec<(f64, usize, &str)> = Vec::new();
    for (series, (name, points)) in diagram.curves.iter().enumerate() {
        let at = |value: f64, rate| (places.place(value), scale.place(rate));
        let known = points.iter().filter_map(|(value, row)| Some(at(*value, row.rate()?.0)));
        let known: Vec<_> = known.collect();
        let Some((_, last)) = known.last() else { continue };
        let line: Vec<_> = known.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        path(body, series, "curve", &format!("M{}", line.join("L")));
        for (value, row) in points {
            point(body, row, series, |rate| at(*value, rate));
        }
        names.push((*last, series, name));
    }
    // The names stand right of the chart, at the height of the last point where there is room.
    names.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut lowest = f64::NEG_INFINITY;
    for (y, series, name) in names {
        lowest = y.max(lowest + NAME);
        symbol(body, series, (right + 12.0, lowest), "dot");
        let name = shorten(name, LONGEST_LABEL);
        text(body, (right + 22.0, lowest + 4.0), 12, "ink", "start", &name);
    }
}

#[cfg(test)]
#[test]
fn the_axis_has_all_values_and_names_the_powers_of_ten() {
    let axis = Axis { lowest: 1.0, highest: 7.0, start: 0.0, end: 60.0 };
    for (value, place) in [(10.0, 0.0), (1e3, 20.0), (1e7, 60.0), (1.0, 0.0)] {
        assert!((axis.place(value) - place).abs() < 1e-9, "{value}");
    }
    let names: Vec<_> = axis.powers().map(|(name, _)| name).collect();
    assert_eq!(names, ["10", "100", "1 k", "10 k", "100 k", "1 M", "10 M"]);
    let small = Axis::between([0.01].into_iter(), 0.0, 1.0);
    assert_eq!(small.powers().next().map(|(name, _)| name).as_deref(), Some("0.01"));
}
