//! A chart of puzzles per second.
//!
//! ```text
//!   Puzzles per second                      ● first solution  ◆ proof of uniqueness
//!   easy, 1,000 puzzles (fall to naked singles)
//!     scan      ├●┤ 96                      a point for each mode, the median; the whiskers are
//!               ├◆─┤ 110                    the 95 % interval; hollow: slower than this
//!     lanes               ●  5.39 M
//!                        ├◆┤ 4.52 M
//!              10   100   1 k …   10 M      the scale is logarithmic, and the same for all lists
//!   machine, command
//! ```

use super::super::svg::{
    FULL, MARGIN, WIDTH, anchored, caption, escape, frame, shorten, symbol, text,
};
use super::axis::Logarithmic;
use super::machine::Export;
use super::numbers::short;
use super::table::list_title;
use crate::bench::{Label, Listed, Mode, Row};
use std::fmt::Write;

/// Height of a point with its whiskers, and of the gap between two contenders.
const POINT: f64 = 13.0;
const GAP: f64 = 6.0;
/// Heights of the title with its legend, of a list's title, and of the scale below it.
const TITLE: f64 = 62.0;
const LIST_TITLE: f64 = 30.0;
const SCALE: f64 = 34.0;
/// The mean width of a character at 13 pixels at most.
const LABEL_CHARACTER: f64 = 7.6;
/// Room for the number behind the last point.
const NUMBER: f64 = 80.0;
/// Characters of the longest label, and of the longest title of a list, that are shown whole.
const LONGEST_LABEL: usize = 30;
const LONGEST_TITLE: usize = 95;

/// The number of a row's point, and whether the contender is slower than that.
pub(super) fn rate(row: &Row) -> Option<(f64, bool)> {
    let exact = row.puzzles_per_second().map(|rate| (rate, false));
    exact.or(row.less_than_per_second().map(|rate| (rate, true)))
}

/// The interval of the puzzles per second.
pub(super) fn whiskers(row: &Row) -> Option<(f64, f64)> {
    let (low, high) = row.interval().filter(|_| row.rounds.len() > 1)?;
    Some((1e9 / high, 1e9 / low))
}

/// The contenders that have a row, in the order of the rows.
pub(super) fn labels(export: &Export) -> Vec<&Label> {
    let mut labels: Vec<&Label> = Vec::new();
    for row in &export.report.rows {
        if !labels.contains(&&row.label) {
            labels.push(&row.label);
        }
    }
    labels
}

/// The chart.
#[expect(clippy::cast_precision_loss, reason = "characters of a label")]
pub(super) fn render(export: &Export) -> String {
    let report = &export.report;
    let labels = labels(export);
    let shown = labels.iter().map(|label| shorten(&label.to_string(), LONGEST_LABEL));
    let longest = shown.map(|label| label.chars().count()).max().unwrap_or(0);
    let ends = report.rows.iter().flat_map(|row| {
        let (low, high) = whiskers(row).unzip();
        [rate(row).map(|(rate, _)| rate), low, high].into_iter().flatten()
    });
    let left = 2.0 * MARGIN + longest as f64 * LABEL_CHARACTER;
    let scale = Logarithmic::new(ends, left, WIDTH - MARGIN - NUMBER);
    let has = |mode: &Mode| report.rows.iter().any(|row| row.mode == *mode);
    let modes: Vec<_> = Mode::ALL.iter().copied().filter(has).collect();

    let mut body = String::new();
    title(&mut body, &modes);
    let mut top = TITLE;
    for list in &report.lists {
        top = panel(&mut body, export, list, &modes, &scale, top);
    }
    let mut sentences = vec!["Points: medians. Whiskers: 95 % confidence intervals."];
    if report.rows.iter().any(|row| row.sample && row.given_up == 0) {
        sentences.push("~ a part of the list, another in each round; the point is the mean");
    }
    if report.rows.iter().any(|row| row.process.is_some()) {
        sentences.push("Engines and libraries without reading and writing, programs with all from start to end.");
    }
    if report.has_faults() {
        sentences.push("! failed, or answers were wrong or missing");
    }
    let (machine, command) = (export.machine.sentence(), export.sentence());
    let sentences = sentences.into_iter().chain([&*machine, &command]);
    let bottom = caption(&mut body, sentences, top + 6.0);
    frame("Puzzles per second, by engine", bottom + MARGIN / 2.0, &body)
}

/// The title and the legend of the modes.
fn title(body: &mut String, modes: &[Mode]) {
    text(body, (MARGIN, 36.0), 18, "ink", "Puzzles per second");
    text(body, (MARGIN + 185.0, 36.0), 12, "faint", "(logarithmic scale; right is faster)");
    for (place, mode) in modes.iter().rev().enumerate() {
        let right = WIDTH - MARGIN - if place == 0 { 0.0 } else { 170.0 };
        let meaning = if *mode == Mode::First { "first solution" } else { "proof of uniqueness" };
        symbol(body, series(*mode), (right - 143.0, 32.0), "dot");
        text(body, (right - 130.0, 36.0), 12, "ink", meaning);
    }
}

fn series(mode: Mode) -> usize {
    usize::from(mode != Mode::First)
}

/// A list: its title, the points, the scale. Returns the top of the next list.
#[expect(clippy::cast_precision_loss, reason = "a few points")]
fn panel(
    body: &mut String,
    export: &Export,
    list: &Listed,
    modes: &[Mode],
    scale: &Logarithmic,
    top: f64,
) -> f64 {
    let title = shorten(&list_title(list), LONGEST_TITLE);
    text(body, (MARGIN, top + 19.0), 14, "ink", &title);
    let all = labels(export);
    let has_row = |label: &&&Label| {
        export.report.rows.iter().any(|row| row.list == list.name && row.label == ***label)
    };
    let labels: Vec<_> = all.iter().filter(has_row).collect();
    let start = top + LIST_TITLE;
    let each = modes.len() as f64 * POINT + GAP;
    let end = start + labels.len() as f64 * each;
    axis(body, scale, start, end);
    for (index, label) in labels.iter().enumerate() {
        let y = start + index as f64 * each + GAP / 2.0;
        name(body, label, scale, y + (each - GAP) / 2.0);
        for (place, &mode) in modes.iter().enumerate() {
            let y = y + (place as f64 + 0.5) * POINT;
            let row = export.report.block(&list.name, mode).find(|row| row.label == ***label);
            point(body, row, mode, scale, y);
        }
    }
    end + SCALE
}

/// The powers of ten: a line through all points, and the number below it.
fn axis(body: &mut String, scale: &Logarithmic, start: f64, end: f64) {
    for (power, x) in scale.powers() {
        writeln!(body, "<path d=\"M{x:.1} {start:.1}V{end:.1}\" class=\"line\"/>").expect(FULL);
        anchored(body, (x, end + 14.0), 11, "faint", "middle", &power);
    }
}

/// The name of the contender whose points are around this height.
fn name(body: &mut String, label: &Label, scale: &Logarithmic, y: f64) {
    let whole = escape(&label.to_string());
    let shown = escape(&shorten(&label.to_string(), LONGEST_LABEL));
    writeln!(
        body,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" class=\"ink\" text-anchor=\"end\">{shown}\
         <title>{whole}</title></text>",
        scale.start - 10.0,
        y + 4.5
    )
    .expect(FULL);
}

/// A point, its whiskers and its number. An upper bound is hollow.
fn point(body: &mut String, row: Option<&Row>, mode: Mode, scale: &Logarithmic, y: f64) {
    let Some(row) = row else { return };
    let fault = if row.has_faults() { "! " } else { "" };
    let Some((rate, slower)) = rate(row) else {
        let words = if row.has_faults() { "! failed" } else { "not measured" };
        return text(body, (scale.start + 4.0, y + 4.0), 11, "faint", words);
    };
    let (x, series) = (scale.place(rate), series(mode));
    let mut right = x + 5.0;
    if let Some((low, high)) = whiskers(row).filter(|_| !slower) {
        let (low, high) = (scale.place(low), scale.place(high));
        writeln!(
            body,
            "<g class=\"s{series}\"><path class=\"whisker\" d=\"M{low:.1} {:.1}v8M{low:.1} {y:.1}\
             H{high:.1}M{high:.1} {:.1}v8\"/></g>",
            y - 4.0,
            y - 4.0
        )
        .expect(FULL);
        right = right.max(high);
    }
    symbol(body, series, (x, y), if slower { "ring" } else { "dot" });
    let mark = match row {
        _ if slower => "under ",
        row if row.sample => "~ ",
        _ => "",
    };
    text(body, (right + 5.0, y + 4.0), 11, "faint", &format!("{fault}{mark}{}", short(rate)));
}
