//! The distributions of effort and of Explainer's rating, as SVG.
//!
//! ```text
//!   Difficulty of 1,000 puzzles
//!   effort: mean guesses over 10 shuffles        er: hardest step of Sudoku Explainer
//!     █                                              █
//!     █ █                                            █ ▄     ▂ █
//!     0 ≤1 ≤2 …                                      1.2 1.5 2.3 …
//! ```

use super::scale;
use crate::run::{Counts, Shape};
use indicatif::HumanCount;
use ninefold_bench::svg::{MARGIN, WIDTH, escape, frame, text};
use std::num::NonZeroUsize;

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
pub(super) fn render(shape: &Shape, total: &Counts, shuffles: NonZeroUsize) -> String {
    let mut panels = Vec::new();
    let bins = shape.get(total, "effort");
    let end = bins.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    if end > 0 {
        let labels = scale::bins()
            .into_iter()
            .map(|label| label.replace("up to ", "\u{2264}").replace("more than ", ">"));
        let bars = labels.zip(&bins[..end]).map(|(label, &count)| Bar { label, count }).collect();
        let shuffles = HumanCount(shuffles.get() as u64);
        panels.push((format!("Effort: mean guesses over {shuffles} shuffles"), bars));
    }
    for (name, meaning) in
        [("er", "hardest step"), ("ep", "hardest step up to the first digit"), ("ed", "first step")]
    {
        let counts = scale::scores().zip(shape.get(total, name)).filter(|&(_, &count)| count > 0);
        let bar = |(score, &count): (_, &u64)| Bar { label: ToString::to_string(&score), count };
        let bars: Vec<_> = counts.map(bar).collect();
        if !bars.is_empty() {
            let name = name.to_uppercase();
            panels.push((format!("{name} of Sudoku Explainer 1.2.1: {meaning}"), bars));
        }
    }
    let unique = total.own[crate::Status::Unique as usize];
    let title = format!("Difficulty of {} puzzles", HumanCount(unique));
    let mut body = String::new();
    text(&mut body, (MARGIN, 36.0), 18, "ink", "start", &title);
    let mut top = TITLE;
    for (title, bars) in &panels {
        panel(&mut body, title, bars, top);
        top += PANEL_TITLE + BARS + LABELS;
    }
    frame(&title, top + MARGIN / 2.0, &body)
}

/// A title, and a bar for each count.
#[expect(clippy::cast_precision_loss, reason = "pixels")]
fn panel(body: &mut String, title: &str, bars: &[Bar], top: f64) {
    text(body, (MARGIN, top + 14.0), 14, "ink", "start", title);
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
        *body += &format!(
            "<g class=\"s0\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" \
             class=\"bar\"><title>{}: {}</title></rect></g>\n",
            x + 1.5,
            floor - height,
            each - 3.0,
            escape(&bar.label),
            HumanCount(bar.count),
        );
        let share = percent(bar.count, of);
        text(body, (middle, floor - height - 4.0), 9, "faint", "middle", &share);
        text(body, (middle, floor + 15.0), 11, "ink", "middle", &bar.label);
    }
    *body += &format!(
        "<path d=\"M{MARGIN} {floor:.1}H{:.1}\" class=\"line\"/>\n",
        MARGIN + each * bars.len() as f64
    );
}

/// The share in percent, and nothing for none.
#[expect(clippy::cast_precision_loss, reason = "shown to a tenth")]
fn percent(count: u64, of: u64) -> String {
    if count == 0 { String::new() } else { ninefold_bench::percent(count as f64 / of as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_a_decimal_place_below_10() {
        let shown = [percent(1, 2), percent(1, 30), percent(0, 9), percent(1, 1_000_000)];
        assert_eq!(shown, ["50 %", "3.3 %", "", "<0.1 %"]);
    }
}
