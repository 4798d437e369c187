//! Charts of puzzles per second against the number of threads, or the difficulty of the lists.
//!
//! ```text
//!   puzzles/s │        ●─ lanes          a curve for each contender; both scales are logarithmic
//!   (log)     │   ●──╱                   for the difficulty, and the threads have their numbers
//!             │ ●      ◆─ mrv            as places: 1, 2, 4
//!             │ ◆────◆
//!             └──────────── threads
//! ```

use super::super::svg::{
    FULL, MARGIN, SERIES, WIDTH, anchored, caption, escape, frame, shorten, symbol, text,
};
use super::axis::Logarithmic;
use super::machine::Export;
use super::numbers::three_digits;
use super::plot::{labels, rate, whiskers};
use super::table::NOTHING;
use crate::bench::{Label, Mode, Row};
use std::fmt::Write;

/// Heights of the title, of a chart, and of the axis below it; widths of the axis and the names.
const TITLE: f64 = 56.0;
const CHART: f64 = 320.0;
const AXIS: f64 = 90.0;
const LEFT: f64 = 72.0;
const NAMES: f64 = 200.0;
/// The least distance of two names.
const NAME: f64 = 16.0;
/// The mean width of a character at 11 pixels at most.
const TICK_CHARACTER: f64 = 6.2;
/// Characters of the longest name.
const LONGEST: usize = 26;

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

/// The left and right ends of the axis.
const ENDS: (f64, f64) = (LEFT, WIDTH - NAMES);

/// The name of a contender without its threads.
fn name_of(label: &Label) -> String {
    match &label.simd {
        Some(simd) => format!("{} ({simd})", label.engine),
        None => label.engine.clone(),
    }
}

/// Puzzles per second against threads: a diagram for each list and mode.
pub(super) fn against_threads(export: &Export) -> String {
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
    let diagrams =
        report.lists.iter().flat_map(|list| Mode::ALL.iter().map(move |&mode| (list, mode)));
    let diagrams = diagrams.filter_map(|(list, mode)| {
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
pub(super) fn against_difficulty(export: &Export) -> String {
    let report = &export.report;
    let title = "Puzzles per second against difficulty";
    let labels = labels(export);
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
    for &mode in Mode::ALL {
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
        _ => "proof of uniqueness",
    }
}

/// The chart: the diagrams one below the other.
fn render(export: &Export, title: &str, diagrams: &[Diagram], sentences: &[&str]) -> String {
    let mut body = String::new();
    text(&mut body, (MARGIN, 36.0), 18, "ink", title);
    let rows = || diagrams.iter().flat_map(|it| &it.curves).flat_map(|curve| &curve.points);
    let ends: Vec<f64> = rows()
        .flat_map(|(_, row)| {
            let (low, high) = whiskers(row).unzip();
            [rate(row).map(|(rate, _)| rate), low, high].into_iter().flatten()
        })
        .collect();
    let mut top = TITLE;
    for diagram in diagrams {
        let scale = Logarithmic::new(ends.iter().copied(), top + 24.0 + CHART, top + 24.0);
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
            names.push((y, x, series, shorten(&curve.name, LONGEST)));
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
        escape(if curve.name.is_empty() { NOTHING } else { &curve.name })
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
