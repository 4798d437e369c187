//! The reasons why most lines of a run are malformed, for its summary.

use crate::input::Reason;
use indicatif::HumanCount;

/// Reasons that a summary lists.
const SHOWN: usize = 3;

/// If most lines are malformed: the most frequent reasons with their counts, and an option that may
/// help. Counts are in the order of [`Reason::ALL`].
pub(crate) fn frequent_reasons(puzzles: u64, counts: &[u64]) -> Option<String> {
    if 2 * counts.iter().sum::<u64>() <= puzzles {
        return None;
    }
    let mut reasons: Vec<_> = Reason::ALL.iter().copied().zip(counts.iter().copied()).collect();
    reasons.retain(|(_, count)| *count > 0);
    // Equal counts stay in the order of the reasons.
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let (first, _) = *reasons.first()?;
    let words = reasons.iter().take(SHOWN);
    let words = words.map(|(reason, count)| format!("{} {}", HumanCount(*count), reason.summary()));
    let words: Vec<_> = words.collect();
    Some(format!("most lines are malformed: {}; {}", words.join(", "), advice(first)))
}

/// The option that may help.
const fn advice(reason: Reason) -> &'static str {
    match reason {
        Reason::Character => {
            "--blank CHARS names other blanks, --columns puzzle=COLUMN another field"
        }
        Reason::Text => "--grid reads grids in text, --columns puzzle=COLUMN another field",
        Reason::Length => {
            "puzzles that a spreadsheet took for numbers have lost their zeros: its column must be text; \
             --explain-input shows how the input is read"
        }
        Reason::Fields => "--delimiter CHAR names another delimiter",
        Reason::Json => "--columns puzzle=KEY names another key",
        Reason::Swapped => "--columns puzzle=COLUMN,solution=COLUMN names the fields",
        Reason::Several => "--columns puzzle=COLUMN names one of them",
        Reason::Quote => "a record is a line: write Parquet or JSON lines",
        Reason::Rows | Reason::Pencilmarks | Reason::TooLong => {
            "--explain-input shows how the input is read, --columns puzzle=COLUMN names another field"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_most_frequent_reasons_are_listed() {
        let mut counts = [0; Reason::ALL.len()];
        for (reason, count) in
            [(Reason::Length, 2), (Reason::Character, 1000), (Reason::Json, 3), (Reason::Rows, 1)]
        {
            counts[reason as usize] = count;
        }
        let text = frequent_reasons(2011, &counts).unwrap();
        let expected = "most lines are malformed: 1,000 a character that is not a cell, \
            3 no JSON, or no puzzle in it, 2 not 81 cells; --blank CHARS";
        assert!(text.starts_with(expected), "{text}");
        assert_eq!(frequent_reasons(2012, &counts), None);
        assert_eq!(frequent_reasons(0, &[0; Reason::ALL.len()]), None);
    }
}
