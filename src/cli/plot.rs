//! `--plot FILE.svg`: how the puzzles of collections are distributed, each collection drawn over the others.
//!
//! ```text
//!   Difficulty of 2 collections                       a panel for each measure, its axis to scale
//!   ▬ train.csv (9,000)  ▬ test.csv (1,000)           a colour for each collection
//!   20 % │      ┌─┐                                   height: the share of the collection in a bin
//!   10 % │   ┌──┘ └─┐
//!        └───┴──────┴────  1.0  2.0  …  12.0
//! ```

use super::exit::Error;
use super::histogram::counted;
use super::open;
use indicatif::HumanCount;
use ninefold_bench::percent;
use ninefold_bench::svg::{MARGIN, WIDTH, caption, escape, frame, path, shorten, text};
use std::path::{Path, PathBuf};

/// Heights of the title, of a line of the legend, of a panel's title, of its bars, and of its axis.
const TITLE: f64 = 58.0;
const LEGEND: f64 = 20.0;
const PANEL_TITLE: f64 = 34.0;
const BARS: f64 = 190.0;
const AXIS: f64 = 46.0;
/// Room for the numbers left of the bars, and above the highest one.
const NUMBERS: f64 = 40.0;
const ABOVE: f64 = 16.0;
/// The mean width of a character of 11 pixels, and of 9 pixels, at most.
const TICK_CHARACTER: f64 = 6.6;
const SHARE_CHARACTER: f64 = 5.4;
/// Characters of the longest name of a collection.
const LONGEST_NAME: usize = 40;

/// The option of all commands that draw distributions.
#[derive(Debug, clap::Args)]
pub(crate) struct PlotArgs {
    /// Draw the difficulty of the inputs to FILE.svg
    ///
    /// Clues, and effort and er if they are measured. Up to 8 inputs are drawn over each other, more of them as
    /// one. FILE is written when the run is complete. An existing FILE needs --force.
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,
}

impl PlotArgs {
    /// Fails if the chart cannot be written.
    pub(crate) fn check(&self, force: bool) -> Result<(), Error> {
        let plot = self.plot.as_deref();
        if let Some(plot) = plot.filter(|it| it.extension() != Some("svg".as_ref())) {
            return Err(Error::at(plot, "--plot writes SVG only: expected an ending of .svg"));
        }
        open::check_free(plot, force)
    }

    /// Writes the chart, if there is to be one.
    pub(crate) fn write(&self, force: bool, chart: impl FnOnce() -> String) -> Result<(), Error> {
        let Some(path) = self.plot.as_deref() else { return Ok(()) };
        let mut sink = open::sink(Some(path), open::mode(force))?;
        sink.write(chart().as_bytes())?;
        Ok(sink.finish()?)
    }
}

/// A distribution over bins: a panel.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    pub(crate) title: String,
    /// Where the bins begin, and where the last one ends.
    pub(crate) edges: Vec<f64>,
    /// Whether the axis is one of `log(1 + value)`.
    pub(crate) is_logarithmic: bool,
    /// The name of each bin.
    pub(crate) bins: Vec<String>,
    /// The names on the axis. Those that would overlap are left out.
    pub(crate) ticks: Vec<(f64, String)>,
    /// For each collection the puzzles in each bin. There may be more of them than bins: the others are not drawn.
    pub(crate) counts: Vec<Vec<u64>>,
}

impl Panel {
    /// The place of a value, from 0 to 1.
    fn place(&self, value: f64) -> f64 {
        let at = |value: f64| if self.is_logarithmic { value.ln_1p() } else { value };
        let (first, last) = (at(self.edges[0]), at(*self.edges.last().unwrap_or(&1.0)));
        (at(value) - first) / (last - first)
    }

    /// The share of a collection in each bin.
    #[expect(clippy::cast_precision_loss, reason = "pixels")]
    fn shares(counts: &[u64]) -> Vec<f64> {
        let of = counts.iter().sum::<u64>().max(1) as f64;
        counts.iter().map(|&count| count as f64 / of).collect()
    }

    /// Puzzles of a collection in no bin.
    fn outside(&self, counts: &[u64]) -> u64 {
        counts.iter().skip(self.bins.len()).sum()
    }
}

/// The chart of collections, whose names have the number of their puzzles. Panels without puzzles are left out.
pub(crate) fn render(title: &str, collections: &[(String, u64)], panels: &[Panel]) -> String {
    let mut body = String::new();
    text(&mut body, (MARGIN, 36.0), 18, "ink", "start", &shorten(title, 80));
    let mut top = TITLE;
    if collections.len() > 1 {
        for (series, (name, puzzles)) in collections.iter().enumerate() {
            let (column, line) = (series % 2, series / 2);
            let x = if column == 0 { MARGIN } else { WIDTH / 2.0 };
            #[expect(clippy::cast_precision_loss, reason = "a few lines")]
            let y = top + line as f64 * LEGEND;
            path(&mut body, series, "area", &format!("M{x} {:.1}h22v10h-22z", y - 5.0));
            path(&mut body, series, "steps", &format!("M{x} {:.1}h22", y - 5.0));
            let name = shorten(name, LONGEST_NAME);
            let name = format!("{name} ({} puzzles)", HumanCount(*puzzles));
            text(&mut body, (x + 30.0, y + 4.0), 12, "ink", "start", &name);
        }
        #[expect(clippy::cast_precision_loss, reason = "a few lines")]
        let lines = collections.len().div_ceil(2) as f64;
        top += lines * LEGEND + 8.0;
    }
    for panel in panels.iter().filter(|it| it.counts.iter().flatten().any(|&count| count > 0)) {
        draw(&mut body, panel, top);
        top += PANEL_TITLE + BARS + AXIS;
        let outside = panel.counts.iter().map(|counts| panel.outside(counts)).sum::<u64>();
        if outside > 0 {
            let last = panel.bins.last().map_or("", |it| it);
            let above = format!("{} above {last} are not drawn.", counted(outside, "puzzle"));
            top = caption(&mut body, &[above], top - 18.0) + 18.0;
        }
    }
    frame(title, top + MARGIN / 2.0, &body)
}

/// A title, the axes, and the bars of one collection or the steps of several.
fn draw(body: &mut String, panel: &Panel, top: f64) {
    let of: u64 = panel.counts.iter().flatten().sum();
    let title = match panel.counts.len() {
        1 => format!("{}, {}", panel.title, counted(of, "puzzle")),
        _ => panel.title.clone(),
    };
    text(body, (MARGIN, top + 14.0), 14, "ink", "start", &title);
    let (left, right) = (MARGIN + NUMBERS, WIDTH - MARGIN);
    let floor = top + PANEL_TITLE + BARS;
    let shares: Vec<Vec<f64>> = panel.counts.iter().map(|it| Panel::shares(it)).collect();
    let drawn = shares.iter().flat_map(|it| &it[..panel.bins.len()]);
    let highest = drawn.copied().fold(0.0, f64::max);
    let x = |value: f64| left + panel.place(value) * (right - left);
    let y = |share: f64| floor - share / highest * (BARS - ABOVE);

    let step = round_step(highest);
    for line in (0_u8..).map(|line| f64::from(line) * step).take_while(|it| *it <= highest) {
        path(body, 0, "line", &format!("M{left} {:.1}H{right}", y(line)));
        let name = if line > 0.0 { percent(line).replace(".0 %", " %") } else { "0 %".to_owned() };
        text(body, (left - 6.0, y(line) + 4.0), 11, "faint", "end", &name);
    }
    let mut end = f64::NEG_INFINITY;
    for (value, name) in &panel.ticks {
        let half = characters(name) * TICK_CHARACTER / 2.0;
        let at = x(*value);
        if at - half > end {
            path(body, 0, "line", &format!("M{at:.1} {floor:.1}v4"));
            text(body, (at, floor + 16.0), 11, "ink", "middle", name);
            end = at + half + TICK_CHARACTER;
        }
    }
    if let [shares] = &shares[..] {
        bars(body, panel, shares, &x, &y);
    } else {
        for (series, shares) in shares.iter().enumerate() {
            // Bins without puzzles have no line.
            let (mut line, mut before) = (String::new(), 0.0);
            for (edge, share) in panel.edges.windows(2).zip(shares) {
                if *share > 0.0 && before == 0.0 {
                    line += &format!("M{:.1} {floor:.1}", x(edge[0]));
                }
                if *share > 0.0 {
                    line += &format!("V{:.1}H{:.1}", y(*share).min(floor - 1.0), x(edge[1]));
                } else if before > 0.0 {
                    line += &format!("V{floor:.1}");
                }
                before = *share;
            }
            if before > 0.0 {
                line += &format!("V{floor:.1}");
            }
            path(body, series, "area", &line);
            path(body, series, "steps", &line);
        }
    }
}

/// A bar for each bin, with its share where there is room: above no higher bar, and beside no other number.
fn bars(
    body: &mut String,
    panel: &Panel,
    shares: &[f64],
    x: &impl Fn(f64) -> f64,
    y: &impl Fn(f64) -> f64,
) {
    let floor = y(0.0);
    let bins = panel.edges.windows(2).map(|edge| (x(edge[0]), x(edge[1])));
    let bins: Vec<_> = bins.zip(shares.iter().copied()).collect();
    let gap =
        bins.iter().map(|((from, to), _)| to - from).fold(f64::MAX, f64::min).min(30.0) / 10.0;
    for ((((from, to), share), name), count) in bins.iter().zip(&panel.bins).zip(&panel.counts[0]) {
        if *count > 0 {
            let height = (floor - y(*share)).max(1.0);
            *body += &format!(
                "<g class=\"s0\"><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" \
                 class=\"bar\"><title>{}: {}, {}</title></rect></g>\n",
                from + gap / 2.0,
                floor - height,
                to - from - gap,
                escape(name),
                counted(*count, "puzzle"),
                escape(&percent(*share)),
            );
        }
    }
    // The numbers of the highest bars first.
    let mut order: Vec<_> = (0..bins.len()).filter(|it| bins[*it].1 > 0.0).collect();
    order.sort_by(|one, other| bins[*other].1.total_cmp(&bins[*one].1));
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for place in order {
        let ((from, to), share) = bins[place];
        let (words, middle, at) =
            (percent(share), f64::midpoint(from, to), y(share).min(floor - 1.0) - 4.0);
        let half = characters(&words) * SHARE_CHARACTER / 2.0;
        let (start, end) = (middle - half, middle + half);
        let is_higher = |((from, to), other): &((f64, f64), f64)| {
            *other > share && *from < end && *to > start && y(*other) < at + 2.0
        };
        let overlaps =
            |(from, to, y): &(f64, f64, f64)| *from < end && *to > start && (y - at).abs() < 11.0;
        if !bins.iter().any(is_higher) && !taken.iter().any(overlaps) {
            text(body, (middle, at), 9, "faint", "middle", &words);
            taken.push((start, end, at));
        }
    }
}

/// A step of 1, 2 or 5 times a power of ten: at most 5 steps up to the highest value.
fn round_step(highest: f64) -> f64 {
    let unit = 10f64.powf((highest / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * unit);
    steps.into_iter().find(|step| highest / step <= 5.0).unwrap_or(highest)
}

#[expect(clippy::cast_precision_loss, reason = "a few characters")]
fn characters(text: &str) -> f64 {
    text.chars().count() as f64
}

/// The name of an input: that of its file.
pub(crate) fn file_name(name: &str) -> String {
    let file = Path::new(name).file_name();
    file.map_or_else(|| name.to_owned(), |file| file.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(counts: Vec<Vec<u64>>) -> Panel {
        let edges = vec![0.0, 1.0, 2.0, 3.0];
        let bins = ["a", "b", "<c>"].map(str::to_owned).to_vec();
        let ticks = (0..300).map(|it| (f64::from(it) / 100.0, format!("{it}"))).collect();
        Panel { title: "A & B".to_owned(), edges, is_logarithmic: false, bins, ticks, counts }
    }

    /// The places of all centred texts of a size, and their characters, from left to right.
    fn places(svg: &str, size: &str) -> Vec<(f64, f64)> {
        let document = roxmltree::Document::parse(svg).unwrap();
        let number =
            |node: roxmltree::Node, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
        let texts = document.descendants().filter(|it| it.attribute("font-size") == Some(size));
        let texts = texts.filter(|it| it.attribute("text-anchor") == Some("middle"));
        texts.map(|it| (number(it, "x"), characters(it.text().unwrap()))).collect()
    }

    #[test]
    fn names_do_not_overlap_and_small_shares_are_not_zero() {
        let svg = render("T", &[("x".to_owned(), 3)], &[panel(vec![vec![1, 99_998, 1]])]);
        assert!(svg.contains("&lt;0.1 %") && !svg.contains(">0.0 %"), "{svg}");
        let ticks = places(&svg, "11");
        assert!(ticks.len() > 10 && ticks.len() < 300, "{ticks:?}");
        for pair in ticks.windows(2) {
            let half = |it: (f64, f64)| it.1 * TICK_CHARACTER / 2.0;
            assert!(pair[0].0 + half(pair[0]) < pair[1].0 - half(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn collections_are_drawn_over_each_other() {
        let names = ["one".to_owned(), "other".to_owned()].map(|it| (it, 7));
        let svg = render(
            "T",
            &names,
            &[panel(vec![vec![1, 2, 0], vec![0, 4, 4, 9]]), panel(vec![vec![0; 3]; 2])],
        );
        assert_eq!(svg.matches("class=\"s0 area\"").count(), 2, "legend and curve");
        assert_eq!(svg.matches("class=\"s1 area\"").count(), 2, "legend and curve");
        assert_eq!(svg.matches("A &amp; B").count(), 1, "a panel without puzzles is left out");
        assert!(svg.contains("9 puzzles above &lt;c&gt; are not drawn"), "{svg}");
    }

    #[test]
    fn steps_are_round() {
        for (highest, step) in [(1.0, 0.2), (0.59, 0.2), (0.34, 0.1), (0.05, 0.01), (0.002, 0.0005)]
        {
            assert!(
                (round_step(highest) - step).abs() < 1e-9,
                "{highest}: {}",
                round_step(highest)
            );
        }
    }
}
