//! The charts: puzzles per second of each row, against threads, and against the difficulty of lists.
//!
//! ```text
//!   easy, 1,000 puzzles            a panel for each        p/s │        ●─ lanes   a diagram for each
//!     scan      ├●┤ 96             list, a point for      (log)│   ●──╱            list and mode, or
//!     lanes             ├●┤ 5 M    each row and mode           │ ●  ◆────◆ mrv     each mode; a curve
//!           10   100   1 k …       (logarithmic)               └────────── threads for each contender
//! ```
//!
//! A point is a median, its whiskers the 95 % interval. A hollow point: slower than this.

use crate::export::Export;
use crate::numbers::{short, three_digits};
use crate::report::{Label, Listed, Mode, Row};
use crate::svg::{
    FULL, MARGIN, SERIES, WIDTH, anchored, caption, escape, frame, shorten, symbol, text,
};
use crate::table::list_title;
use std::fmt::Write;

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
/// Characters of the longest label, title of a list, and name of a curve.
const LONGEST_LABEL: usize = 30;
const LONGEST_TITLE: usize = 95;
const LONGEST_NAME: usize = 26;
/// Of the diagrams: heights of the title, of a diagram, and of the axis below it; the left and right
/// ends of the axis, and the least distance of two names.
const CURVES_TITLE: f64 = 56.0;
const CHART: f64 = 320.0;
const AXIS: f64 = 90.0;
const ENDS: (f64, f64) = (72.0, WIDTH - 200.0);
const NAME: f64 = 16.0;

/// A logarithmic axis: logarithms, and the pixels of its ends. `start` may be greater than `end`.
struct Logarithmic {
    lowest: f64,
    highest: f64,
    start: f64,
    end: f64,
}

impl Logarithmic {
    /// An axis from the lowest to the highest positive value.
    fn between(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        let ends = logs.fold(None, |ends: Option<(f64, f64)>, log| {
            Some(ends.map_or((log, log), |(low, high)| (low.min(log), high.max(log))))
        });
        let (lowest, highest) = ends.unwrap_or((0.0, 1.0));
        Self { lowest, highest: highest.max(lowest + f64::EPSILON), start, end }
    }

    /// An axis between powers of ten that holds the numbers and whiskers of all rows.
    fn of_rates(export: &Export, start: f64, end: f64) -> Self {
        let ends = export.report.rows.iter().flat_map(|row| {
            let (low, high) = whiskers(row).unzip();
            [rate(row).map(|(rate, _)| rate), low, high].into_iter().flatten()
        });
        let axis = Self::between(ends, start, end);
        let lowest = axis.lowest.floor();
        Self { lowest, highest: axis.highest.ceil().max(lowest + 1.0), ..axis }
    }

    /// The place of a value.
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

/// The number of a row's point, and whether the contender is slower than that.
fn rate(row: &Row) -> Option<(f64, bool)> {
    let exact = row.puzzles_per_second().map(|rate| (rate, false));
    exact.or(row.less_than_per_second().map(|rate| (rate, true)))
}

/// The interval of the puzzles per second.
fn whiskers(row: &Row) -> Option<(f64, f64)> {
    let (low, high) = row.interval().filter(|_| row.rounds.len() > 1)?;
    Some((1e9 / high, 1e9 / low))
}

/// Puzzles per second of each row.
#[expect(clippy::cast_precision_loss, reason = "characters of a label")]
pub(crate) fn rates(export: &Export) -> String {
    let report = &export.report;
    let labels = report.labels();
    let shown = labels.iter().map(|label| shorten(&label.to_string(), LONGEST_LABEL));
    let longest = shown.map(|label| label.chars().count()).max().unwrap_or(0);
    let left = 2.0 * MARGIN + longest as f64 * LABEL_CHARACTER;
    let scale = Logarithmic::of_rates(export, left, WIDTH - MARGIN - NUMBER);
    let has = |mode: &Mode| report.rows.iter().any(|row| row.mode == *mode);
    let modes: Vec<_> = Mode::ALL.into_iter().filter(has).collect();

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
        let meaning = meaning(*mode);
        symbol(body, *mode as usize, (right - 143.0, 32.0), "dot");
        text(body, (right - 130.0, 36.0), 12, "ink", meaning);
    }
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
    let all = export.report.labels();
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
    let (x, series) = (scale.place(rate), mode as usize);
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
/// A curve: its name, and its points. Each has a place on the axis, and a row.
struct Curve<'a> {
    name: String,
    points: Vec<(f64, &'a Row)>,
}

/// A tick of the axis.
struct Tick {
    place: f64,
    name: String,
}

/// One diagram.
struct Diagram<'a> {
    title: String,
    axis: &'a str,
    ticks: Vec<Tick>,
    curves: Vec<Curve<'a>>,
}

/// The name of a contender without its threads.
fn name_of(label: &Label) -> String {
    match &label.simd {
        Some(simd) => format!("{} ({simd})", label.engine),
        None => label.engine.clone(),
    }
}

/// Puzzles per second against threads: a diagram for each list and mode.
pub(crate) fn against_threads(export: &Export) -> String {
    let report = &export.report;
    let mut counts: Vec<usize> = report.rows.iter().map(|row| row.label.threads).collect();
    counts.sort_unstable();
    counts.dedup();
    #[expect(clippy::cast_precision_loss, reason = "a few threads")]
    let place = |threads: usize| {
        let last = counts.last().map_or(1.0, |&count| count as f64);
        let share = (threads as f64).ln() / last.ln().max(f64::MIN_POSITIVE);
        ENDS.0 + 30.0 + share * (ENDS.1 - ENDS.0 - 60.0)
    };
    let diagrams = report.blocks().filter_map(|(list, mode)| {
        let mut curves: Vec<Curve> = Vec::new();
        for row in report.block(&list.name, mode).filter(|row| row.process.is_none()) {
            let (name, point) = (name_of(&row.label), (place(row.label.threads), row));
            match curves.iter_mut().find(|curve| curve.name == name) {
                Some(curve) => curve.points.push(point),
                None => curves.push(Curve { name, points: vec![point] }),
            }
        }
        let tick = |&count: &usize| Tick { place: place(count), name: count.to_string() };
        (!curves.is_empty()).then(|| Diagram {
            title: format!("{}, {}", list.name, meaning(mode)),
            axis: "threads (logarithmic scale)",
            ticks: counts.iter().map(tick).collect(),
            curves,
        })
    });
    render(export, "Puzzles per second against threads", &diagrams.collect::<Vec<_>>(), &[])
}

/// Puzzles per second against the difficulty: a diagram for each mode, a point for each list.
pub(crate) fn against_difficulty(export: &Export) -> String {
    let report = &export.report;
    let title = "Puzzles per second against difficulty";
    let labels = report.labels();
    let measure = labels.iter().find(|label| {
        report
            .lists
            .iter()
            .filter(|list| has_branches(export, &list.name, None))
            .all(|list| has_branches(export, &list.name, Some(label)))
            && report.rows.iter().any(|row| row.label == ***label && row.branches.is_some())
    });
    let Some(measure) = measure else {
        return render(export, title, &[], &["No engine reports branches on all lists."]);
    };
    let mut diagrams = Vec::new();
    let axis = format!("1 + branches per puzzle of {measure} (logarithmic scale)");
    for mode in Mode::ALL {
        // The difficulty of each list, with its name.
        let mut lists: Vec<(f64, &str)> = report
            .lists
            .iter()
            .filter_map(|list| {
                let row = report.block(&list.name, mode).find(|row| row.label == **measure)?;
                Some((1.0 + row.branches_per_puzzle()?, &*list.name))
            })
            .collect();
        lists.sort_by(|one, other| one.0.total_cmp(&other.0));
        if lists.is_empty() {
            continue;
        }
        let values = lists.iter().map(|(value, _)| *value);
        let scale = Logarithmic::between(values, ENDS.0 + 40.0, ENDS.1 - 40.0);
        let curves = labels.iter().map(|label| {
            let points = lists.iter().filter_map(|(value, name)| {
                let row = report.block(name, mode).find(|row| row.label == **label)?;
                Some((scale.place(*value), row))
            });
            Curve { name: label.to_string(), points: points.collect() }
        });
        let curves: Vec<_> = curves.filter(|curve| !curve.points.is_empty()).collect();
        let ticks = lists.iter().map(|(value, name)| {
            let branches = three_digits(value - 1.0);
            Tick { place: scale.place(*value), name: format!("{name} ({branches})") }
        });
        let title = meaning(mode).to_owned();
        diagrams.push(Diagram { title, axis: &axis, ticks: ticks.collect(), curves });
    }
    render(export, title, &diagrams, &["Below the axis: the lists, with their branches."])
}

/// Whether a contender, or any, has branches on a list.
fn has_branches(export: &Export, list: &str, label: Option<&Label>) -> bool {
    export.report.rows.iter().any(|row| {
        row.list == list
            && label.is_none_or(|label| row.label == *label)
            && row.branches_per_puzzle().is_some()
    })
}

const fn meaning(mode: Mode) -> &'static str {
    match mode {
        Mode::First => "first solution",
        Mode::Unique => "proof of uniqueness",
    }
}

/// The chart: the diagrams one below the other.
fn render(export: &Export, title: &str, diagrams: &[Diagram], sentences: &[&str]) -> String {
    let mut body = String::new();
    text(&mut body, (MARGIN, 36.0), 18, "ink", title);
    let mut top = CURVES_TITLE;
    for diagram in diagrams {
        let scale = Logarithmic::of_rates(export, top + 24.0 + CHART, top + 24.0);
        draw(&mut body, diagram, &scale, top);
        top += 24.0 + CHART + AXIS;
    }
    let whiskers =
        "Points: medians. Whiskers: 95 % confidence intervals. Hollow: slower than this.";
    let (machine, command) = (export.machine.sentence(), export.sentence());
    let sentences = [whiskers].into_iter().chain(sentences.iter().copied());
    let bottom = caption(&mut body, sentences.chain([&*machine, &command]), top);
    frame(title, bottom + MARGIN / 2.0, &body)
}

/// One diagram.
fn draw(body: &mut String, diagram: &Diagram, scale: &Logarithmic, top: f64) {
    text(body, (MARGIN, top + 12.0), 14, "ink", &diagram.title);
    let (left, right) = ENDS;
    for (power, y) in scale.powers() {
        writeln!(body, "<path d=\"M{left:.1} {y:.1}H{right:.1}\" class=\"line\"/>").expect(FULL);
        anchored(body, (left - 6.0, y + 4.0), 11, "faint", "end", &power);
    }
    let middle = f64::midpoint(scale.start, scale.end);
    writeln!(
        body,
        "<text transform=\"translate({:.1} {middle:.1}) rotate(-90)\" font-size=\"11\" \
         class=\"faint\" text-anchor=\"middle\">puzzles per second (logarithmic scale)</text>",
        MARGIN - 8.0
    )
    .expect(FULL);
    // A name goes to the first line where it does not touch the one before.
    let mut lines = [f64::NEG_INFINITY; 4];
    for tick in &diagram.ticks {
        let (x, y) = (tick.place, scale.start);
        #[expect(clippy::cast_precision_loss, reason = "characters of a name")]
        let half = tick.name.chars().count() as f64 * TICK_CHARACTER / 2.0;
        let line = lines.iter().position(|end| *end < x - half).unwrap_or(lines.len() - 1);
        lines[line] = x + half + TICK_CHARACTER;
        #[expect(clippy::cast_precision_loss, reason = "0 to 3")]
        let below = y + 14.0 + line as f64 * 12.0;
        writeln!(body, "<path d=\"M{x:.1} {y:.1}V{:.1}\" class=\"line\"/>", below - 10.0)
            .expect(FULL);
        anchored(body, (x, below), 11, "faint", "middle", &tick.name);
    }
    let axis = (f64::midpoint(left, right), scale.start + 66.0);
    anchored(body, axis, 11, "faint", "middle", diagram.axis);
    let mut names: Vec<(f64, f64, usize, String)> = Vec::new();
    for (series, curve) in diagram.curves.iter().enumerate() {
        if let Some((x, y)) = draw_curve(body, curve, series, scale) {
            names.push((y, x, series, shorten(&curve.name, LONGEST_NAME)));
        }
    }
    // The names stand right of the chart, at the height of the last point where there is room.
    names.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut lowest = f64::NEG_INFINITY;
    for (y, _, series, name) in names {
        let y = y.max(lowest + NAME);
        lowest = y;
        symbol(body, series, (right + 12.0, y), "dot");
        text(body, (right + 22.0, y + 4.0), 12, "ink", &name);
    }
}

/// A curve. Returns the place of its last point.
fn draw_curve(
    body: &mut String,
    curve: &Curve,
    series: usize,
    scale: &Logarithmic,
) -> Option<(f64, f64)> {
    let class = series % SERIES;
    let known = curve.points.iter().filter_map(|(x, row)| Some((*x, rate(row)?, *row)));
    let known: Vec<_> = known.collect();
    let line: Vec<_> =
        known.iter().map(|(x, (rate, _), _)| format!("{x:.1} {:.1}", scale.place(*rate))).collect();
    writeln!(
        body,
        "<g class=\"s{class}\"><path class=\"curve\" d=\"M{}\"><title>{}</title></path></g>",
        if line.is_empty() { "0 0".to_owned() } else { line.join("L") },
        escape(&curve.name)
    )
    .expect(FULL);
    for (x, (rate, slower), row) in &known {
        if let Some((low, high)) = whiskers(row).filter(|_| !slower) {
            let (low, high) = (scale.place(low), scale.place(high));
            writeln!(
                body,
                "<g class=\"s{class}\"><path class=\"whisker\" d=\"M{:.1} {low:.1}h8M{x:.1} {low:.1}\
                 V{high:.1}M{:.1} {high:.1}h8\"/></g>",
                x - 4.0,
                x - 4.0
            )
            .expect(FULL);
        }
        symbol(body, series, (*x, scale.place(*rate)), if *slower { "ring" } else { "dot" });
    }
    let (x, (rate, _), _) = known.last()?;
    Some((*x, scale.place(*rate)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_has_all_values_and_names_the_powers_of_ten() {
        let axis = Logarithmic { lowest: 1.0, highest: 7.0, start: 0.0, end: 60.0 };
        assert_eq!((axis.place(10.0), axis.place(1e7), axis.place(1.0)), (0.0, 60.0, 0.0));
        assert!((axis.place(1e3) - 20.0).abs() < 1e-9);
        let names: Vec<_> = axis.powers().map(|(name, _)| name).collect();
        assert_eq!(names, ["10", "100", "1 k", "10 k", "100 k", "1 M", "10 M"]);
        let small = Logarithmic::between([0.01].into_iter(), 0.0, 1.0);
        assert_eq!(small.powers().next().map(|(name, _)| name).as_deref(), Some("0.01"));
    }
}
