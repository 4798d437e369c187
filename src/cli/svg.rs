//! What the charts share: the frame, the colours and the text of an SVG.

/// Width of a chart, in pixels, and the margin around everything.
pub(super) const WIDTH: f64 = 880.0;
pub(super) const MARGIN: f64 = 24.0;

/// Colours: paper, ink, fainter ink, lines, and the two of bars. Light and dark blue differ for those
/// who see no colours, too.
pub(super) const PAPER: &str = "#ffffff";
pub(super) const INK: &str = "#1f2328";
pub(super) const FAINT: &str = "#59636e";
pub(super) const LINES: &str = "#d8dee4";
pub(super) const COLOURS: [&str; 2] = ["#8ab4e8", "#1f5fa8"];

/// A whole chart. It has its own background, so it is readable on dark and on light pages.
pub(super) fn document(title: &str, height: f64, body: &str) -> String {
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {WIDTH:.0} {height:.0}\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\" \
         fill=\"{INK}\" role=\"img\">\n\
         <title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{PAPER}\" stroke=\"{LINES}\"/>\n\
         {body}</svg>\n"
    )
}

/// The text with XML's special characters escaped, and without control characters.
pub(super) fn escape(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escape("<a & \"b\">\u{7}"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
