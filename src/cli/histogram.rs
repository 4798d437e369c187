//! Counts as a table for people, with a bar for each.

use indicatif::HumanCount;
use std::fmt::Write;

/// Columns of the widest bar.
const BAR: u64 = 30;

/// Whether counts have bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bars {
    Shown,
    Hidden,
}

/// Rows of counts, under a title, of so many in all.
pub(super) struct Part {
    pub(super) title: &'static str,
    pub(super) of: u64,
    pub(super) rows: Vec<(String, u64)>,
}

/// All parts, their counts aligned.
pub(super) fn table(parts: &[Part], bars: Bars) -> String {
    let labels =
        parts.iter().flat_map(|part| part.rows.iter().map(|(label, _)| label.chars().count()));
    let width = labels.max().unwrap_or_default();
    let number = |count: u64| HumanCount(count).to_string();
    let numbers = parts.iter().flat_map(|part| &part.rows).map(|&(_, it)| number(it).len());
    let digits = numbers.max().unwrap_or_default();
    let mut text = String::new();
    for part in parts {
        // A string takes all that is written to it.
        let _ = writeln!(text, "{}", part.title);
        for (label, count) in &part.rows {
            let share = tenths(*count, part.of);
            let (whole, tenth) = (share / 10, share % 10);
            let count_text = number(*count);
            let _ = write!(text, "  {label:width$}  {count_text:>digits$}");
            let _ = write!(text, "  {whole:>3}.{tenth} %");
            if bars == Bars::Shown && *count > 0 {
                let _ = write!(text, "  {}", bar(*count, part.of));
            }
            text.push('\n');
        }
    }
    text
}

/// Tenths of a percent, rounded; but all only of all, and none of none.
fn tenths(count: u64, of: u64) -> u128 {
    let rounded = (u128::from(count) * 1000 + u128::from(of / 2)) / u128::from(of.max(1));
    if count == 0 || count >= of { rounded } else { rounded.clamp(1, 999) }
}

/// A bar as long as the share, to an eighth of a column, and never nothing.
fn bar(count: u64, of: u64) -> String {
    const PARTS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = u128::from(count) * u128::from(BAR) * 8 / u128::from(of.max(1));
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
        assert_eq!(bar(1, 1_000_000), "▏");
        assert_eq!(bar(1, 2), "█".repeat(15));
        assert_eq!(bar(7, 7), "█".repeat(30));
        assert_eq!(bar(1, 16), "█▉");
        assert_eq!([tenths(1, 3), tenths(2, 3), tenths(0, 0)], [333, 667, 0]);
        assert_eq!([tenths(99_999, 100_000), tenths(7, 7)], [999, 1000]);
        assert_eq!([tenths(1, 100_000), tenths(0, 7)], [1, 0]);
    }
}
