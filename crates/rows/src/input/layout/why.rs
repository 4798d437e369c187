//! Why an input is read as it is, or refused.

use super::shape::Layout;
use crate::Grouped;
use std::fmt::{self, Display};
use std::sync::Arc;

/// Stands for the pattern of the puzzles in a command. No message has this character for another reason.
pub const PATTERN: &str = "\0";

/// The command that takes puzzles out of JSON of any shape: 81 cells with a blank in strings, arrays of 81 cells or
/// of 9 rows.
pub(in crate::input) const TAKE_OUT_OF_JSON: &str = "\
    jq -rc '.. | (strings | scan(\"\0\") | select(test(\"[1-9]\") and test(\"[^1-9]\"))), \
    (arrays | select((length == 9 or length == 81) and (flatten | map(. // 0 | tostring) | add | length) == 81))' \
    FILE | ninefold COMMAND -";

/// What helps with puzzles that have text before and behind them.
pub const TAKE_OUT_OF_TEXT: &str = "if its puzzles are inside of texts: \
    grep -oE '\0' FILE | grep '[1-9]' | grep '[^1-9]' | ninefold COMMAND -; \
    --delimiter CHAR if one divides fields";

/// The command that takes puzzles out of lists of cells, as `Python` and `NumPy` write them into tables.
pub(super) const TAKE_OUT_OF_ARRAYS: &str = "its puzzles are lists of cells: tr -d ' ,\"\\r\\n' < FILE \
    | sed 's/\\]\\[//g' | grep -oE '[0-9.]{81}' | grep '[0.]' | ninefold COMMAND -";

/// What makes rows of nine cells out of lines, and the command that does this.
pub(super) const ROWS_WRITTEN_OTHERWISE: [(&str, &str, &str); 6] = [
    ("", "", "puzzles of nine lines are read with --grid"),
    (" ", ".", "its blanks are spaces: tr ' ' . < FILE | ninefold COMMAND --grid -"),
    ("  ", " .", "its blanks are spaces: sed 's/  / ./g' FILE | ninefold COMMAND --grid -"),
    ("u", "", "u marks digits in it: tr -d u < FILE | ninefold COMMAND --grid -"),
    ("\\n", "\n", ROWS_IN_JSON),
    ("\"", "\n", ROWS_IN_MARKS),
];

const ROWS_IN_MARKS: &str = "its puzzles are lines in quotation marks: \
    tr '\"' '\\n' < FILE | grep -vE '^[,;]|[,;]$' | ninefold COMMAND --grid -";

const ROWS_IN_JSON: &str = "its puzzles are lines in texts: \
    jq -r '.. | strings | select(contains(\"\\n\"))' FILE | ninefold COMMAND --grid -";

/// The reasons of a decision, written down while it is made.
#[derive(Clone, Debug, Default)]
pub(in crate::input) struct Why {
    lines: Vec<String>,
    /// What the fields hold, and the rules that decided.
    pub(super) fields: Vec<String>,
}

impl Why {
    /// A reading of a line, or of the input if that is 0, and why it was taken or not.
    pub(in crate::input) fn say(&mut self, line: u64, what: &str, is_so: bool, why: impl Display) {
        let place = if line == 0 { "input".to_owned() } else { format!("line {line}") };
        let verdict = if is_so { "accepted" } else { "rejected" };
        self.lines.push(format!("{place}: {what}: {verdict}: {why}"));
    }
}

/// How the layout of an input was decided: every reading that was considered, and the decision.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub(in crate::input) name: Arc<str>,
    pub(in crate::input) why: Why,
    /// The layout that was found, or why the input is refused.
    pub layout: Result<Arc<Layout>, String>,
}

impl fmt::Display for Explanation {
    /// The name of the input, a line for each reason, and the decision.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, why, layout } = self;
        writeln!(f, "{name}")?;
        why.lines.iter().chain(&why.fields).try_for_each(|line| writeln!(f, "  {line}"))?;
        // The reason of a refusal is the caller's error.
        let decision = layout.as_ref().map(|layout| layout.understood(name));
        writeln!(f, "  decision: {}", decision.as_deref().unwrap_or("refused"))
    }
}

/// A number of things of one kind: `1 record`, `2,000 records`.
pub(super) fn counted(count: u64, kind: &str) -> String {
    format!("{} {kind}{}", Grouped(count), if count == 1 { "" } else { "s" })
}

/// A decision: how an input is read, or why it is refused: no puzzle was found, or two readings are possible.
pub(in crate::input) type Decided<T> = Result<T, String>;
