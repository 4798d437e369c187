//! What all charts share, those of `ninefold::cli::plot` too: frame, colours, text.
//!
//! A style sheet in the file has light colours, and dark ones for `prefers-color-scheme: dark`. Browsers
//! and GitHub apply it to images, too. No crate replaces this: `plotters` 0.3 writes each colour into its
//! element, so a chart is either light or dark; `charming` 0.6 needs a browser, or V8 in the program.

/// Width of a chart, in pixels.
pub const WIDTH: f64 = 880.0;
/// The margin around everything, in pixels.
pub const MARGIN: f64 = 24.0;
const CAPTION_LINE: f64 = 16.0;
/// The most characters of a line of 11 pixels: these fonts have about 0.55 of their height.
const CAPTION_CHARACTERS: usize = 134;

/// The number of colours. They differ in lightness, too.
pub const SERIES: usize = 8;

/// Colours of the paper, the text, fainter text, lines, and the series: those of Okabe and Ito, darker
/// on light paper.
const STYLE: &str = "\
.paper{fill:#ffffff;stroke:#d1d9e0}.ink{fill:#1f2328}.faint{fill:#59636e}.line{stroke:#d1d9e0}
.s0{color:#0969da}.s1{color:#9a3b00}.s2{color:#116329}.s3{color:#8250df}.s4{color:#7d4e00}\
.s5{color:#bf3989}.s6{color:#1b7c83}.s7{color:#57606a}
.dot{fill:currentColor}.ring{fill:none;stroke:currentColor;stroke-width:2}
.whisker{fill:none;stroke:currentColor;stroke-width:1.5}
.bar{fill:currentColor}
.area{fill:currentColor;fill-opacity:0.15}.steps{fill:none;stroke:currentColor;stroke-width:2}
.s1.steps{stroke-dasharray:7 3}.s2.steps{stroke-dasharray:2 3}.s3.steps{stroke-dasharray:9 3 2 3}
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

/// A text of this size and class. `anchor` is the part of it at the place: start, middle or end.
pub fn text(
    body: &mut String,
    (x, y): (f64, f64),
    size: u8,
    class: &str,
    anchor: &str,
    words: &str,
) {
    let words = escape(words);
    *body += &format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" class=\"{class}\" \
         text-anchor=\"{anchor}\">{words}</text>\n"
    );
}

/// A line or curve of a class and the colour of a series.
pub fn path(body: &mut String, series: usize, class: &str, points: &str) {
    let series = series % SERIES;
    *body += &format!("<path class=\"s{series} {class}\" d=\"{points}\"/>\n");
}

/// Sentences below a chart. Returns their lower end.
pub fn caption(body: &mut String, sentences: &[String], top: f64) -> f64 {
    let lines = sentences.iter().flat_map(|sentence| wrap(sentence, CAPTION_CHARACTERS));
    lines.fold(top, |y, line| {
        text(body, (MARGIN, y + CAPTION_LINE), 11, "faint", "start", &line);
        y + CAPTION_LINE
    })
}

/// The text in lines of at most `most` characters. A longer word is cut.
fn wrap(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').map(|word| shorten(word, most)) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                *line += &format!(" {word}");
            }
            _ => lines.push(word),
        }
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
        assert_eq!(wrap("one twothreefour five", 5), ["one", "twot…", "five"]);
        assert_eq!([shorten("lanes", 5), shorten("candidates", 5)], ["lanes", "cand…"]);
        assert_eq!(escape("<a & \"b\">\u{7}"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
