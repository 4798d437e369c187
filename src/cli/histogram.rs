//! Counts as a table for people, with a bar for each.

use indicatif::HumanCount;
use std::fmt::Write;
use std::io;

/// Columns of the widest bar.
const MOST_BAR: usize = 30;

/// The least width of the widest bar. Narrower terminals show no bars.
const LEAST_BAR: usize = 4;

/// The columns of the terminal, if standard error is one.
pub(crate) fn columns() -> Option<usize> {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map(|(width, _)| width.0.into())
}

/// `1 puzzle`, `1,000 puzzles`.
pub(crate) fn counted(number: u64, word: &str) -> String {
    format!("{} {word}{}", HumanCount(number), if number == 1 { "" } else { "s" })
}

/// Rows of counts under a title, and their total.
pub(crate) struct HistogramPart {
    pub(crate) title: &'static str,
    pub(crate) of: u64,
    pub(crate) rows: Vec<(String, u64)>,
}

impl HistogramPart {
    /// Rows that are all of something together.
    pub(crate) fn whole(title: &'static str, rows: Vec<(String, u64)>) -> Self {
        Self { title, of: rows.iter().map(|(_, count)| count).sum(), rows }
    }
}

/// All parts, their counts aligned. In lines of this many columns, counts have bars as wide as there is room.
pub(crate) fn table(parts: &[HistogramPart], columns: Option<usize>) -> String {
    let labels =
        parts.iter().flat_map(|part| part.rows.iter().map(|(label, _)| label.chars().count()));
    let width = labels.max().unwrap_or_default();
    let number = |count: u64| HumanCount(count).to_string();
    let numbers = parts.iter().flat_map(|part| &part.rows).map(|&(_, it)| number(it).len());
    let digits = numbers.max().unwrap_or_default();
    // The columns before a bar: two spaces between the parts of a row, and `100.0 %`.
    let before = 2 + width + 2 + digits + 2 + 7 + 2;
    let most = columns.map_or(0, |columns| columns.saturating_sub(before).min(MOST_BAR));
    let mut text = String::new();
    for part in parts {
        // A string takes all that is written to it.
        let _ = writeln!(text, "{}", part.title);
        for (label, count) in &part.rows {
            let (share, count_text) = (percent(*count, part.of), number(*count));
            let _ = write!(text, "  {label:width$}  {count_text:>digits$}  {share:>5} %");
            if most >= LEAST_BAR && *count > 0 {
                let _ = write!(text, "  {}", bar(*count, part.of, most));
            }
            text.push('\n');
        }
    }
    text
}

/// The share to a tenth of a percent: 100 only of all, and 0 of none.
fn percent(count: u64, of: u64) -> String {
    let tenths = (u128::from(count) * 1000 + u128::from(of / 2)) / u128::from(of.max(1));
    match if count < of { tenths.min(999) } else { tenths } {
        _ if count > 0 && u128::from(count) * 1000 < u128::from(of) => "<0.1".to_owned(),
        tenths => format!("{}.{}", tenths / 10, tenths % 10),
    }
}

/// A bar as long as the share of `most` columns, to an eighth of a column, and never empty.
fn bar(count: u64, of: u64, most: usize) -> String {
    const PARTS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = u128::from(count) * most as u128 * 8 / u128::from(of.max(1));
    let eighths = usize::try_from(eighths).unwrap_or_default().max(1);
    let mut bar = "█".repeat(eighths / 8);
    bar.extend((eighths % 8).checked_sub(1).map(|part| PARTS[part]));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share_and_never_nothing() {
        assert_eq!(bar(1, 1_000_000, 30), "▏");
        assert_eq!(bar(1, 2, 30), "█".repeat(15));
        assert_eq!(bar(7, 7, 30), "█".repeat(30));
        assert_eq!(bar(1, 16, 30), "█▉");
        assert_eq!(bar(1, 2, 5), "██▌");
        assert_eq!([percent(1, 3), percent(2, 3), percent(0, 0)], ["33.3", "66.7", "0.0"]);
        assert_eq!([percent(99_999, 100_000), percent(7, 7)], ["99.9", "100.0"]);
        assert_eq!([percent(1, 1_000_000), percent(1, 2000)], ["<0.1", "<0.1"]);
        assert_eq!(percent(0, 7), "0.0");
    }
}
