//! What all charts share, those of `rate` too: the frame, the colours of light and dark pages, symbols, text.
//!
//! A chart is one SVG file that can go straight into a README. Its colours follow the page: a style
//! sheet in the file has light colours, and dark ones for `prefers-color-scheme: dark`. Browsers and
//! GitHub apply it to images, too.

use std::fmt::Write;

/// Why writing to a string cannot fail.
pub const FULL: &str = "a string takes all that is written to it";

/// Width of a chart, in pixels, and the margin around everything.
pub const WIDTH: f64 = 880.0;
pub const MARGIN: f64 = 24.0;
const CAPTION_LINE: f64 = 16.0;
/// The mean width of a character at 11 pixels at most: these fonts have about 0.55 of their height,
/// and capitals and digits more.
const CAPTION_CHARACTER: f64 = 6.2;

/// The colours that are used in turn. They differ in lightness, too, for those who see no colours, and
/// each has another shape.
pub const SERIES: usize = 8;

/// Colours of the paper, the text, fainter text, lines, and the series: those of Okabe and Ito, darker
/// on light paper. The first two series are the modes of the chart of rates.
const STYLE: &str = "\
.paper{fill:#ffffff;stroke:#d1d9e0}.ink{fill:#1f2328}.faint{fill:#59636e}.line{stroke:#d1d9e0}
.s0{color:#0969da}.s1{color:#9a3b00}.s2{color:#116329}.s3{color:#8250df}.s4{color:#7d4e00}\
.s5{color:#bf3989}.s6{color:#1b7c83}.s7{color:#57606a}
.dot{fill:currentColor}.ring{fill:none;stroke:currentColor;stroke-width:2}
.whisker{fill:none;stroke:currentColor;stroke-width:1.5}
.curve{fill:none;stroke:currentColor;stroke-width:2}.bar{fill:currentColor}
@media (prefers-color-scheme:dark){
.paper{fill:#0d1117;stroke:#3d444d}.ink{fill:#f0f6fc}.faint{fill:#9198a1}.line{stroke:#3d444d}
.s0{color:#58a6ff}.s1{color:#ffa657}.s2{color:#56d364}.s3{color:#d2a8ff}.s4{color:#e3b341}\
.s5{color:#ff9bce}.s6{color:#76e3ea}.s7{color:#adbac7}
}
";

/// The frame of a chart of this height around its body.
#[must_use]
pub fn frame(title: &str, height: f64, body: &str) -> String {
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {WIDTH:.0} {height:.0}\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\" \
         role=\"img\">\n\
         <title>{title}</title>\n\
         <style>\n{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" class=\"paper\"/>\n\
         {body}</svg>\n"
    )
}

/// A text at a place, of this size and class.
pub fn text(body: &mut String, at: (f64, f64), size: u8, class: &str, words: &str) {
    anchored(body, at, size, class, "start", words);
}

/// A text whose start, middle or end is at a place.
pub fn anchored(
    body: &mut String,
    (x, y): (f64, f64),
    size: u8,
    class: &str,
    anchor: &str,
    words: &str,
) {
    let words = escape(words);
    writeln!(
        body,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" class=\"{class}\" \
         text-anchor=\"{anchor}\">{words}</text>"
    )
    .expect(FULL);
}

/// The symbol of a series: filled for a number, hollow for an upper bound.
pub fn symbol(body: &mut String, series: usize, (x, y): (f64, f64), class: &str) {
    let series = series % SERIES;
    let shape = match series % 4 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\""),
        1 => format!("<path d=\"M{:.1} {y:.1}l5 -5l5 5l-5 5z\"", x - 5.0),
        2 => format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"7\" height=\"7\"", x - 3.5, y - 3.5),
        _ => format!("<path d=\"M{:.1} {:.1}h9l-4.5 -8z\"", x - 4.5, y + 3.5),
    };
    writeln!(body, "<g class=\"s{series}\">{shape} class=\"{class}\"/></g>").expect(FULL);
}

/// Sentences below a chart. Returns their lower end.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "about 134")]
pub fn caption<'a>(
    body: &mut String,
    sentences: impl IntoIterator<Item = &'a str>,
    top: f64,
) -> f64 {
    let most = ((WIDTH - 2.0 * MARGIN) / CAPTION_CHARACTER) as usize;
    let mut y = top;
    for sentence in sentences {
        for line in wrap(sentence, most) {
            y += CAPTION_LINE;
            text(body, (MARGIN, y), 11, "faint", &line);
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
#[must_use]
pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// The text with XML's special characters escaped, and without control characters.
#[must_use]
pub fn escape(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_enough_and_nothing_is_markup() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one twothreefour five", 5), ["one", "twoth", "reefo", "ur", "five"]);
        assert_eq!([shorten("lanes", 5), shorten("candidates", 5)], ["lanes", "cand…"]);
        assert_eq!(escape("<a & \"b\">\u{7}"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
