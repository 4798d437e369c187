//! The distributions of effort and of Explainer's rating, as SVG.
//!
//! ```text
//!   Difficulty of 1,000 puzzles
//!   effort: mean guesses over 10 shuffles        er: hardest step of Sudoku Explainer
//!     █                                              █
//!     █ █                                            █ ▄     ▂ █
//!     0 ≤1 ≤2 …                                      1.2 1.5 2.3 …
//! ```

use super::super::svg::{self, COLOURS, FAINT, LINES, MARGIN, WIDTH, escape};
use super::summary::effort_bins;
use indicatif::HumanCount;
use ninefold::difficulty::Score;
use ninefold::rate::Stats;
use std::fmt::Write;
use std::num::NonZeroUsize;

/// Why writing to a string cannot fail.
const FULL: &str = "a string takes all that is written to it";

/// Heights of the title, of a panel's title, of its bars, and of the labels below them.
const TITLE: f64 = 58.0;
const PANEL_TITLE: f64 = 34.0;
const BARS: f64 = 190.0;
const LABELS: f64 = 44.0;

/// A bar: its label, and a count.
struct Bar {
    label: String,
    count: u64,
}

/// The chart.
pub(super) fn render(stats: &Stats, shuffles: NonZeroUsize) -> String {
    let mut panels = Vec::new();
    let efforts: Vec<_> = effort_bins(&stats.efforts)
        .into_iter()
        .map(|(_, label, count)| Bar { label, count })
        .collect();
    if !efforts.is_empty() {
        let title =
            format!("Effort: mean guesses over {} shuffles", HumanCount(shuffles.get() as u64));
        panels.push((title, efforts));
    }
    for (name, counts, meaning) in [
        ("ER", &stats.er, "hardest step"),
        ("EP", &stats.ep, "hardest step up to the first digit"),
        ("ED", &stats.ed, "first step"),
    ] {
        let bars: Vec<_> =
            counts.scores().map(|(score, count)| Bar { label: label(score), count }).collect();
        if !bars.is_empty() {
            panels.push((format!("{name} of Sudoku Explainer 1.2.1: {meaning}"), bars));
        }
    }
    let title = format!("Difficulty of {} puzzles", HumanCount(stats.puzzles - stats.unrated()));
    let mut body = String::new();
    writeln!(
        body,
        "<text x=\"{MARGIN}\" y=\"36\" font-size=\"18\" font-weight=\"600\">{}</text>",
        escape(&title)
    )
    .expect(FULL);
    let mut top = TITLE;
    for (title, bars) in &panels {
        panel(&mut body, title, bars, top);
        top += PANEL_TITLE + BARS + LABELS;
    }
    svg::document(&title, top + MARGIN / 2.0, &body)
}

fn label(score: Score) -> String {
    score.to_string()
}

/// A title, and a bar for each count.
#[expect(clippy::cast_precision_loss, reason = "pixels")]
fn panel(body: &mut String, title: &str, bars: &[Bar], top: f64) {
    writeln!(
        body,
        "<text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"14\" font-weight=\"600\">{}</text>",
        top + 14.0,
        escape(title)
    )
    .expect(FULL);
    let of: u64 = bars.iter().map(|bar| bar.count).sum();
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1).max(1) as f64;
    let each = ((WIDTH - 2.0 * MARGIN) / bars.len() as f64).min(80.0);
    let floor = top + PANEL_TITLE + BARS;
    for (place, bar) in bars.iter().enumerate() {
        let x = MARGIN + place as f64 * each;
        let share = bar.count as f64 / most;
        // The number above the highest bar has 14 pixels.
        let height = if bar.count == 0 { 0.0 } else { (share * (BARS - 14.0)).max(1.0) };
        let middle = x + each / 2.0;
        let label = escape(&bar.label);
        let percent = percent(bar.count, of);
        writeln!(
            body,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{}\">\
             <title>{label}: {}</title></rect>\
             <text x=\"{middle:.1}\" y=\"{:.1}\" font-size=\"9\" fill=\"{FAINT}\" \
             text-anchor=\"middle\">{percent}</text>\
             <text x=\"{middle:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\">{label}</text>",
            x + 1.5,
            floor - height,
            each - 3.0,
            COLOURS[1],
            HumanCount(bar.count),
            floor - height - 4.0,
            floor + 15.0,
        )
        .expect(FULL);
    }
    writeln!(
        body,
        "<path d=\"M{MARGIN} {floor:.1}H{:.1}\" stroke=\"{LINES}\"/>",
        MARGIN + each * bars.len() as f64
    )
    .expect(FULL);
}

/// `12`, `3.4`, `0.1`: the share in percent, and nothing for none.
#[expect(clippy::cast_precision_loss, reason = "shown to a tenth")]
fn percent(count: u64, of: u64) -> String {
    let percent = count as f64 * 100.0 / of.max(1) as f64;
    match percent {
        _ if count == 0 => String::new(),
        percent if percent >= 9.95 => format!("{percent:.0} %"),
        percent => format!("{percent:.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_a_decimal_place_below_10() {
        assert_eq!([percent(1, 2), percent(1, 30), percent(0, 9)], ["50 %", "3.3 %", ""]);
    }
}
