//! The chart: puzzles per second of each row.
//!
//! ```text
//!   easy, 1,000 puzzles            a panel for each list,
//!     scan      ─●─ 96             a point for each row
//!     lanes       ─●─ 5,000,000    (logarithmic)
//!           10   100   1,000 …
//! ```
//!
//! A point is a median, its whiskers the 95 % interval. A hollow point: slower than this.
//!
//! A style sheet in the file has light colours, and dark ones for `prefers-color-scheme: dark`. Browsers
//! and GitHub apply it to images, too. No crate replaces this: `plotters` 0.3 writes each colour into its
//! element, so a chart is either light or dark; `charming` 0.6 needs a browser, or V8 in the program.

use crate::report::{BenchReport, BenchRow};
use crate::table::{NOTHING, speed};
use indicatif::HumanCount;

/// The width of the chart and the margin around everything, in pixels.
const WIDTH: f64 = 880.0;
const MARGIN: f64 = 24.0;
/// Heights of a row, of the title, of a list's title, of the scale below it, and of a line of the caption.
const ROW: f64 = 19.0;
const TITLE: f64 = 62.0;
const LIST_TITLE: f64 = 30.0;
const SCALE: f64 = 34.0;
const CAPTION_LINE: f64 = 16.0;
/// The mean width of a character of 13 pixels, at most.
const LABEL_CHARACTER: f64 = 7.6;
/// Room for the number behind the last point.
const NUMBER: f64 = 80.0;
/// Characters of the longest label, title of a list, and line of the caption.
const LONGEST_LABEL: usize = 30;
const LONGEST_TITLE: usize = 95;
const LONGEST_LINE: usize = 134;

const MEANING: &str = "Points: medians of the rounds. Whiskers: 95 % confidence intervals. \
    ~ means of parts of the list. < hollow: slower than this.";

const STYLE: &str = "\
.paper{fill:#ffffff;stroke:#d1d9e0}.ink{fill:#1f2328}.faint{fill:#59636e}.line{stroke:#d1d9e0}
.dot{fill:#0969da}.ring{fill:none;stroke:#0969da;stroke-width:2}
.whisker{fill:none;stroke:#0969da;stroke-width:1.5}
@media (prefers-color-scheme:dark){
.paper{fill:#0d1117;stroke:#3d444d}.ink{fill:#f0f6fc}.faint{fill:#9198a1}.line{stroke:#3d444d}
.dot{fill:#58a6ff}.ring,.whisker{stroke:#58a6ff}
}
";

/// The logarithmic axis: logarithms, and the pixel of its start.
struct Axis {
    lowest: f64,
    highest: f64,
    start: f64,
}

impl Axis {
    /// An axis between powers of ten that holds the numbers and whiskers of all rows.
    fn of_rates(report: &BenchReport, start: f64) -> Self {
        let ends = report.rows.iter().flat_map(|row| {
            let whiskers = row.interval().map(|it| [1e9 / it.upper, 1e9 / it.lower]);
            row.rate().into_iter().chain(whiskers.into_iter().flatten())
        });
        let logs: Vec<_> = ends.filter(|rate| *rate > 0.0).map(f64::log10).collect();
        let lowest = logs.iter().copied().reduce(f64::min).unwrap_or(0.0).floor();
        let highest = logs.into_iter().reduce(f64::max).unwrap_or(1.0).ceil().max(lowest + 1.0);
        Self { lowest, highest, start }
    }

    fn place(&self, value: f64) -> f64 {
        let log = value.max(f64::MIN_POSITIVE).log10();
        let share = (log - self.lowest) / (self.highest - self.lowest);
        self.start + share.clamp(0.0, 1.0) * (WIDTH - MARGIN - NUMBER - self.start)
    }

    /// The powers of ten, each with its name and place.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "powers of ten")]
    fn powers(&self) -> impl Iterator<Item = (String, f64)> {
        (self.lowest as i32..=self.highest as i32).map(|power| {
            // `powi` is not the same on all systems.
            let value: f64 = format!("1e{power}").parse().expect("it is a number");
            let whole = || HumanCount(value as u64).to_string();
            (if value < 1.0 { value.to_string() } else { whole() }, self.place(value))
        })
    }
}

/// Puzzles per second of each row: a panel for each list.
#[expect(clippy::cast_precision_loss, reason = "characters and points")]
pub(crate) fn render(report: &BenchReport) -> String {
    let shown = |row: &BenchRow| shorten(&row.solver(), LONGEST_LABEL);
    let longest = report.rows.iter().map(|row| shown(row).chars().count()).max().unwrap_or(0);
    let left = 2.0 * MARGIN + longest as f64 * LABEL_CHARACTER;
    let axis = Axis::of_rates(report, left);

    let mut body = text((MARGIN, 36.0), 18, "ink", "start", "Puzzles per second");
    let about = "proof of uniqueness (logarithmic scale; right is faster)";
    body += &text((MARGIN + 185.0, 36.0), 12, "faint", "start", about);
    let mut top = TITLE;
    for list in &report.lists {
        let title = shorten(&list.title(), LONGEST_TITLE);
        body += &text((MARGIN, top + 19.0), 14, "ink", "start", &title);
        top += LIST_TITLE;
        let end = top + report.rows_of(&list.name).count() as f64 * ROW;
        for (power, x) in axis.powers() {
            body += &path("line", &format!("M{x:.1} {top:.1}V{end:.1}"));
            body += &text((x, end + 14.0), 11, "faint", "middle", &power);
        }
        for row in report.rows_of(&list.name) {
            let (y, mut right) = (top + ROW / 2.0, left);
            body += &text((left - 10.0, y + 4.5), 13, "ink", "end", &shown(row));
            if let Some(interval) = row.interval() {
                let [from, to] = [interval.upper, interval.lower].map(|it| axis.place(1e9 / it));
                body += &path("whisker", &format!("M{from:.1} {y:.1}L{to:.1} {y:.1}"));
                right = to;
            }
            if let Some(rate) = row.rate() {
                let class = if row.at_least.is_some() { "ring" } else { "dot" };
                let x = axis.place(rate);
                let circle = format!("M{:.1} {y:.1}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", x - 4.0);
                body += &path(class, &circle);
                right = right.max(x);
            }
            let fault = if row.has_faults() { "! " } else { "" };
            let number = format!("{fault}{}", speed(row).as_deref().unwrap_or(NOTHING));
            body += &text((right + 10.0, y + 4.0), 11, "faint", "start", &number);
            top += ROW;
        }
        top = end + SCALE;
    }
    top += 6.0;
    for line in [MEANING, &report.machine.sentence(), &report.sentence()] {
        top += CAPTION_LINE;
        body += &text((MARGIN, top), 11, "faint", "start", &shorten(line, LONGEST_LINE));
    }
    let height = top + MARGIN / 2.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {WIDTH:.0} {height:.0}\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\" \
         role=\"img\">\n\
         <title>Puzzles per second</title>\n\
         <style>\n{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" class=\"paper\"/>\n\
         {body}</svg>\n"
    )
}

/// A text of this size and class. `anchor` is the part of it at the place: start, middle or end.
fn text((x, y): (f64, f64), size: u8, class: &str, anchor: &str, words: &str) -> String {
    let words = escape(words);
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" class=\"{class}\" \
         text-anchor=\"{anchor}\">{words}</text>\n"
    )
}

/// A line or a shape of a class.
fn path(class: &str, points: &str) -> String {
    format!("<path class=\"{class}\" d=\"{points}\"/>\n")
}

/// The text, cut with an ellipsis if it is too long.
fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// The text with XML's special characters escaped, and without control characters.
fn escape(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_has_all_values_and_names_the_powers_of_ten() {
        let axis = Axis { lowest: 1.0, highest: 7.0, start: WIDTH - MARGIN - NUMBER - 60.0 };
        for (value, place) in [(10.0, 0.0), (1e3, 20.0), (1e7, 60.0), (1.0, 0.0)] {
            assert!((axis.place(value) - axis.start - place).abs() < 1e-9, "{value}");
        }
        let names: Vec<_> = axis.powers().map(|(name, _)| name).collect();
        assert_eq!(names, ["10", "100", "1,000", "10,000", "100,000", "1,000,000", "10,000,000"]);
        let small = Axis { lowest: -2.0, highest: -1.0, start: 0.0 };
        assert_eq!(small.powers().next().map(|(name, _)| name).as_deref(), Some("0.01"));
    }

    #[test]
    fn texts_are_short_enough_and_nothing_is_markup() {
        assert_eq!([shorten("lanes", 5), shorten("candidates", 5)], ["lanes", "cand…"]);
        assert_eq!(escape("<a & \"b\">\u{7}"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
