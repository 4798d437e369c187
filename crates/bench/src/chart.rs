//! The chart: puzzles per second of each row.
//!
//! ```text
//!   easy, 1,000 puzzles            a panel for each list,
//!     scan      ─●─ 96             a point for each row
//!     lanes             ─●─ 5 M    (logarithmic)
//!           10   100   1 k …
//! ```
//!
//! A point is a median, its whiskers the 95 % interval. A hollow point: slower than this.

use crate::numbers::short;
use crate::report::{BenchReport, BenchRow};
use crate::svg::{MARGIN, WIDTH, caption, frame, path, shorten, text};
use crate::table::legend;

/// Heights of a row, of the title, of a list's title, and of the scale below it.
const ROW: f64 = 19.0;
const TITLE: f64 = 62.0;
const LIST_TITLE: f64 = 30.0;
const SCALE: f64 = 34.0;
/// The mean width of a character of 13 pixels, at most.
const LABEL_CHARACTER: f64 = 7.6;
/// Room for the number behind the last point.
const NUMBER: f64 = 80.0;
/// Characters of the longest label, and title of a list.
const LONGEST_LABEL: usize = 30;
const LONGEST_TITLE: usize = 95;

/// A logarithmic axis: logarithms, and the pixels of its ends.
struct Axis {
    lowest: f64,
    highest: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis between powers of ten that holds the numbers and whiskers of all rows.
    fn of_rates(report: &BenchReport, start: f64, end: f64) -> Self {
        let ends = report.rows.iter().flat_map(|row| {
            let whiskers = row.interval().map(|it| [1e9 / it.upper, 1e9 / it.lower]);
            row.rate().map(|(rate, _)| rate).into_iter().chain(whiskers.into_iter().flatten())
        });
        let logs: Vec<_> = ends.filter(|rate| *rate > 0.0).map(f64::log10).collect();
        let lowest = logs.iter().copied().reduce(f64::min).unwrap_or(0.0).floor();
        let highest = logs.into_iter().reduce(f64::max).unwrap_or(1.0).ceil().max(lowest + 1.0);
        Self { lowest, highest, start, end }
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

/// The point of a row with its whiskers.
fn point(body: &mut String, row: &BenchRow, scale: &Axis, y: f64) {
    let Some((rate, slower)) = row.rate() else { return };
    if let Some(interval) = row.interval() {
        let [from, to] = [interval.upper, interval.lower].map(|it| scale.place(1e9 / it));
        path(body, 0, "whisker", &format!("M{from:.1} {y:.1}L{to:.1} {y:.1}"));
    }
    let class = if slower { "ring" } else { "dot" };
    path(
        body,
        0,
        class,
        &format!("M{:.1} {y:.1}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", scale.place(rate) - 4.0),
    );
}

/// The number of a point, with its marks.
fn number(row: &BenchRow) -> String {
    let fault = if row.has_faults() { "! " } else { "" };
    match row.rate() {
        None if row.has_faults() => "! failed".to_owned(),
        None => "not measured".to_owned(),
        Some((rate, true)) => format!("{fault}under {}", short(rate)),
        Some((rate, _)) if row.sample => format!("{fault}~ {}", short(rate)),
        Some((rate, _)) => format!("{fault}{}", short(rate)),
    }
}

/// Puzzles per second of each row: a panel for each list.
#[expect(clippy::cast_precision_loss, reason = "characters and points")]
pub(crate) fn render(report: &BenchReport) -> String {
    let shown = |row: &BenchRow| shorten(&row.contender.to_string(), LONGEST_LABEL);
    let longest = report.rows.iter().map(|row| shown(row).chars().count()).max().unwrap_or(0);
    let left = 2.0 * MARGIN + longest as f64 * LABEL_CHARACTER;
    let scale = Axis::of_rates(report, left, WIDTH - MARGIN - NUMBER);

    let mut body = String::new();
    let about = "proof of uniqueness (logarithmic scale; right is faster)";
    text(&mut body, (MARGIN + 185.0, 36.0), 12, "faint", "start", about);
    let mut top = TITLE;
    for list in &report.lists {
        let title = shorten(&list.title(), LONGEST_TITLE);
        text(&mut body, (MARGIN, top + 19.0), 14, "ink", "start", &title);
        top += LIST_TITLE;
        let end = top + report.rows_of(&list.name).count() as f64 * ROW;
        for (power, x) in scale.powers() {
            path(&mut body, 0, "line", &format!("M{x:.1} {top:.1}V{end:.1}"));
            text(&mut body, (x, end + 14.0), 11, "faint", "middle", &power);
        }
        for row in report.rows_of(&list.name) {
            let y = top + ROW / 2.0;
            text(&mut body, (left - 10.0, y + 4.5), 13, "ink", "end", &shown(row));
            point(&mut body, row, &scale, y);
            let ends = row.interval().map(|it| 1e9 / it.lower).into_iter();
            let ends = ends.chain(row.rate().map(|(rate, _)| rate));
            let right = ends.map(|rate| scale.place(rate)).fold(left, f64::max);
            text(&mut body, (right + 10.0, y + 4.0), 11, "faint", "start", &number(row));
            top += ROW;
        }
        top = end + SCALE;
    }
    let title = "Puzzles per second";
    text(&mut body, (MARGIN, 36.0), 18, "ink", "start", title);
    let points = "Points: medians. Whiskers: 95 % confidence intervals. Hollow: slower than this.";
    let marks =
        legend(report).into_iter().filter(|(it, _)| ["puzzles/s", "~", "!"].contains(&&**it));
    let marks = marks.map(|(mark, text)| format!("{mark}: {}", text.replace('\n', " ")));
    let sentences = [points.to_owned()].into_iter().chain(marks);
    let sentences = sentences.chain([report.machine.sentence(), report.sentence()]);
    let bottom = caption(&mut body, &sentences.collect::<Vec<_>>(), top + 6.0);
    frame(title, bottom + MARGIN / 2.0, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_has_all_values_and_names_the_powers_of_ten() {
        let axis = Axis { lowest: 1.0, highest: 7.0, start: 0.0, end: 60.0 };
        for (value, place) in [(10.0, 0.0), (1e3, 20.0), (1e7, 60.0), (1.0, 0.0)] {
            assert!((axis.place(value) - place).abs() < 1e-9, "{value}");
        }
        let names: Vec<_> = axis.powers().map(|(name, _)| name).collect();
        assert_eq!(names, ["10", "100", "1 k", "10 k", "100 k", "1 M", "10 M"]);
        let small = Axis { lowest: -2.0, highest: -1.0, start: 0.0, end: 1.0 };
        assert_eq!(small.powers().next().map(|(name, _)| name).as_deref(), Some("0.01"));
    }
}
