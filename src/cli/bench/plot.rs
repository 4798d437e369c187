//! A chart of puzzles a second, as SVG that can go straight into a README.
//!
//! ```text
//!   title                                   ▒ first  █ unique
//!   easy, 1,000 puzzles (fall to naked singles)
//!     scan    ▒▒▒▒▒▒▒▒▒▒ 60.0 k
//!             █████████ 59.0 k          a bar for each mode; the scale is logarithmic, and
//!     lanes   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ 10.9 M    the same for all lists
//!             ███████████████ 10.7 M
//!             |    |    |    |
//!            10k  100k  1M  10M
//!   where, with what
//! ```
//!
//! The chart has its own background, so it is readable on dark and on light pages.

use super::machine::Export;
use super::numbers::short;
use super::table::list_title;
use crate::cli::svg::{self, COLOURS, FAINT, LINES, MARGIN, WIDTH, escape};
use ninefold::bench::{Label, Listed, Mode, Row};
use std::fmt::Write;

/// Why writing to a string cannot fail.
const FULL: &str = "a string takes all that is written to it";

/// Height of a bar, and of the gap between two contenders.
const BAR: f64 = 12.0;
const GAP: f64 = 8.0;
/// Heights of the title with its legend, of a list's title, of the scale below it, and of a line
/// of the caption.
const TITLE: f64 = 62.0;
const LIST_TITLE: f64 = 30.0;
const SCALE: f64 = 34.0;
const CAPTION_LINE: f64 = 16.0;
/// The mean width of a character at most, at 13, 12 and 11 pixels: these fonts have about 0.55
/// of their height, and capitals and digits more.
const LABEL_CHARACTER: f64 = 7.6;
const CAPTION_CHARACTER: f64 = 6.2;
/// Room for the number behind the longest bar.
const NUMBER: f64 = 70.0;
/// Characters of the longest label that is shown whole.
const LONGEST_LABEL: usize = 30;
/// Characters of the longest title of a list.
const LONGEST_TITLE: usize = 95;

/// The powers of ten between which all bars end, and the pixels that these are.
struct Scale {
    lowest: f64,
    highest: f64,
    left: f64,
    right: f64,
}

impl Scale {
    /// The place of a number of puzzles a second.
    fn place(&self, rate: f64) -> f64 {
        let share = (rate.log10() - self.lowest) / (self.highest - self.lowest);
        self.left + share.clamp(0.0, 1.0) * (self.right - self.left)
    }

    /// The powers of ten, each with its place.
    fn powers(&self) -> impl Iterator<Item = (f64, f64)> {
        #[expect(clippy::cast_possible_truncation, reason = "powers of ten")]
        let powers = self.lowest as i32..=self.highest as i32;
        powers.map(|power| (10f64.powi(power), self.place(10f64.powi(power))))
    }
}

/// The number of a row's bar, and whether the engine is slower than that.
fn rate(row: &Row) -> Option<(f64, bool)> {
    let exact = row.puzzles_per_second().map(|rate| (rate, false));
    exact.or(row.less_than_per_second().map(|rate| (rate, true)))
}

/// The chart.
pub(super) fn render(export: &Export) -> String {
    let report = &export.report;
    let labels = labels(export);
    let shown = labels.iter().map(|label| shorten(&label.to_string(), LONGEST_LABEL));
    let longest = shown.map(|label| label.chars().count()).max().unwrap_or(0);
    let scale = scale(export, longest);
    let modes: Vec<_> = Mode::ALL
        .iter()
        .copied()
        .filter(|&mode| report.rows.iter().any(|row| row.mode == mode))
        .collect();

    let mut body = String::new();
    title(&mut body, &modes);
    let mut top = TITLE;
    for list in &report.lists {
        top = panel(&mut body, export, list, &labels, &modes, &scale, top);
    }
    let bottom = caption(&mut body, export, top + 6.0);
    let height = bottom + MARGIN / 2.0;
    svg::document("Puzzles a second, by engine", height, &body)
}

/// The contenders that have a row, in the order of the rows.
fn labels(export: &Export) -> Vec<&Label> {
    let mut labels: Vec<&Label> = Vec::new();
    for row in &export.report.rows {
        if !labels.contains(&&row.label) {
            labels.push(&row.label);
        }
    }
    labels
}

/// A scale on which all bars can be seen: it begins below the shortest.
#[expect(clippy::cast_precision_loss, reason = "characters of a label")]
fn scale(export: &Export, longest_label: usize) -> Scale {
    let rates = || export.report.rows.iter().filter_map(rate).map(|(rate, _)| rate.log10());
    let lowest = rates().fold(f64::INFINITY, f64::min);
    let highest = rates().fold(f64::NEG_INFINITY, f64::max);
    let (lowest, highest) = if lowest.is_finite() { (lowest, highest) } else { (0.0, 1.0) };
    let lowest = (lowest - 0.3).floor();
    let left = 2.0 * MARGIN + longest_label as f64 * LABEL_CHARACTER;
    let highest = highest.ceil().max(lowest + 1.0);
    Scale { lowest, highest, left, right: WIDTH - MARGIN - NUMBER }
}

/// The title and the legend of the colours.
fn title(body: &mut String, modes: &[Mode]) {
    writeln!(
        body,
        "<text x=\"{MARGIN}\" y=\"36\" font-size=\"18\" font-weight=\"600\">\
         Puzzles a second <tspan font-size=\"12\" font-weight=\"400\" fill=\"{FAINT}\">\
         (logarithmic; longer is faster)</tspan></text>"
    )
    .expect(FULL);
    for (place, mode) in modes.iter().rev().enumerate() {
        let right = WIDTH - MARGIN - if place == 0 { 0.0 } else { 190.0 };
        let meaning = if *mode == Mode::First { "first solution" } else { "proof of uniqueness" };
        let colour = colour(*mode);
        writeln!(
            body,
            "<rect x=\"{:.0}\" y=\"26\" width=\"14\" height=\"{BAR}\" rx=\"2\" fill=\"{colour}\"/>\
             <text x=\"{:.0}\" y=\"36\" font-size=\"12\">{meaning}</text>",
            right - 150.0,
            right - 130.0,
        )
        .expect(FULL);
    }
}

fn colour(mode: Mode) -> &'static str {
    COLOURS[usize::from(mode != Mode::First)]
}

/// A list: its title, the bars, the scale. Returns the top of the next list.
#[expect(clippy::cast_precision_loss, reason = "a few bars")]
fn panel(
    body: &mut String,
    export: &Export,
    list: &Listed,
    labels: &[&Label],
    modes: &[Mode],
    scale: &Scale,
    top: f64,
) -> f64 {
    let title = escape(&shorten(&list_title(list), LONGEST_TITLE));
    writeln!(
        body,
        "<text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"14\" font-weight=\"600\">{title}</text>",
        top + 19.0
    )
    .expect(FULL);
    let start = top + LIST_TITLE;
    let each = modes.len() as f64 * BAR + GAP;
    let end = start + labels.len() as f64 * each;
    axis(body, scale, start, end);
    for (index, label) in labels.iter().enumerate() {
        let y = start + index as f64 * each + GAP / 2.0;
        name(body, label, scale, y + (each - GAP) / 2.0);
        for (place, &mode) in modes.iter().enumerate() {
            let y = y + place as f64 * BAR;
            let row = export.report.block(&list.name, mode).find(|row| row.label == **label);
            bar(body, row, mode, scale, y);
        }
    }
    end + SCALE
}

/// The powers of ten: a line through all bars, and the number below it.
fn axis(body: &mut String, scale: &Scale, start: f64, end: f64) {
    for (power, x) in scale.powers() {
        let power = short(power).replace(".00", "").replace(".0", "");
        writeln!(
            body,
            "<path d=\"M{x:.1} {start:.1}V{end:.1}\" stroke=\"{LINES}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"11\" fill=\"{FAINT}\" \
             text-anchor=\"middle\">{power}</text>",
            end + 14.0
        )
        .expect(FULL);
    }
}

/// The name of the contender whose bars are around this height.
fn name(body: &mut String, label: &Label, scale: &Scale, y: f64) {
    let whole = escape(&label.to_string());
    let shown = escape(&shorten(&label.to_string(), LONGEST_LABEL));
    writeln!(
        body,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"13\" text-anchor=\"end\">{shown}\
         <title>{whole}</title></text>",
        scale.left - 8.0,
        y + 4.5
    )
    .expect(FULL);
}

/// A bar and its number. One that is only known to be shorter is an outline.
fn bar(body: &mut String, row: Option<&Row>, mode: Mode, scale: &Scale, y: f64) {
    let Some((rate, slower)) = row.and_then(rate) else {
        return text(body, scale.left + 4.0, y, "not measured");
    };
    let (x, colour) = (scale.left, colour(mode));
    let width = (scale.place(rate) - x).max(1.0);
    let paint = if slower {
        format!("fill=\"none\" stroke=\"{colour}\" stroke-dasharray=\"3 2\"")
    } else {
        format!("fill=\"{colour}\"")
    };
    let height = BAR - 1.0;
    writeln!(
        body,
        "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height}\" {paint}/>",
        y + 0.5
    )
    .expect(FULL);
    let number = short(rate);
    let mark = match row {
        _ if slower => "under ",
        Some(row) if row.sample => "~ ",
        _ => "",
    };
    text(body, x + width + 5.0, y, &format!("{mark}{number}"));
}

/// The text behind a bar.
fn text(body: &mut String, x: f64, y: f64, words: &str) {
    let y = y + BAR - 2.0;
    writeln!(
        body,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"11\" fill=\"{FAINT}\">{words}</text>"
    )
    .expect(FULL);
}

/// Machine and command. Returns its lower end.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "about 134")]
fn caption(body: &mut String, export: &Export, top: f64) -> f64 {
    let most = ((WIDTH - 2.0 * MARGIN) / CAPTION_CHARACTER) as usize;
    let mut y = top;
    let sampled = export.report.rows.iter().any(|row| row.sample && row.given_up == 0);
    let part = sampled.then(|| "~ a part of the list, another in each round".to_owned());
    for sentence in part.into_iter().chain([export.machine.sentence(), export.sentence()]) {
        for line in wrap(&sentence, most) {
            y += CAPTION_LINE;
            let line = escape(&line);
            writeln!(
                body,
                "<text x=\"{MARGIN}\" y=\"{y:.1}\" font-size=\"11\" fill=\"{FAINT}\">{line}</text>"
            )
            .expect(FULL);
        }
    }
    y
}

/// The text in lines of at most `most` characters, broken between words where possible.
fn wrap(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        let length = lines.last().map_or(0, |line| line.chars().count());
        if length > 0 && length + 1 + word.len() > most {
            lines.push(String::new());
        } else if length > 0 {
            lines.last_mut().expect("there is one").push(' ');
        }
        while word.len() > most {
            let rest = word.split_off(most);
            lines.last_mut().expect("there is one").extend(word);
            lines.push(String::new());
            word = rest;
        }
        lines.last_mut().expect("there is one").extend(word);
    }
    lines
}

/// The text, cut with an ellipsis if it is too long.
fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_longer_than_they_may_be() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one twothreefour five", 5), ["one", "twoth", "reefo", "ur", "five"]);
        assert_eq!(wrap("", 5), [""]);
        for most in 1..20 {
            let lines = wrap("a line with some words, some of them rather-long-ones", most);
            assert!(lines.iter().all(|line| line.chars().count() <= most), "{lines:?}");
        }
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(shorten("lanes", 5), "lanes");
        assert_eq!(shorten("candidates", 5), "cand…");
    }
}
