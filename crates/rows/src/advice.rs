//! What a text that holds no row may be instead, and the commands that take its puzzles out.
//!
//! A command has `\0` for the pattern of a puzzle: `in_full` writes the one that fits the text.

use crate::input::is_clue;
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;

/// Stands for the pattern of the puzzles in a command. No message has this character for another reason.
pub const PATTERN: &str = "\0";

/// The command that takes puzzles out of JSON of any shape: 81 cells with a blank in strings, arrays of 81 cells or
/// of 9 rows.
pub(crate) const TAKE_OUT_OF_JSON: &str = "\
    jq -rc '.. | (strings | scan(\"\0\") | select(test(\"[1-9]\") and test(\"[^1-9]\"))), \
    (arrays | select((length == 9 or length == 81) and (flatten | map(. // 0 | tostring) | add | length) == 81))' \
    FILE | ninefold COMMAND -";

/// What helps with puzzles that have text before and behind them.
pub const TAKE_OUT_OF_TEXT: &str = "if its puzzles are inside of texts: \
    grep -oE '\0' FILE | grep '[1-9]' | grep '[^1-9]' | ninefold COMMAND -; \
    --delimiter CHAR if one divides fields";

/// The command that takes puzzles out of lists of cells, as `Python` and `NumPy` write them into tables.
pub(crate) const TAKE_OUT_OF_ARRAYS: &str = "its puzzles are lists of cells: tr -d ' ,\"\\r\\n' < FILE \
    | sed 's/\\]\\[//g' | grep -oE '[0-9.]{81}' | grep '[0.]' | ninefold COMMAND -";

/// What makes rows of nine cells out of lines, and the command that does this.
pub(crate) const ROWS_WRITTEN_OTHERWISE: [(&str, &str, &str); 6] = [
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

/// A message with the pattern that finds the puzzles of this text.
pub(crate) fn in_full(message: &str, text: &[u8], blanks: &Blanks) -> String {
    message.replace(PATTERN, &pattern(text, blanks))
}

/// The pattern of `grep` for the puzzles of a text: only with the blanks that its puzzles have, so that a dash or a star
/// next to a puzzle is none of its cells. A run of more than 81 cells is taken whole, and then malformed, unless the
/// runs show that the dot of a sentence ends a puzzle.
fn pattern(text: &[u8], blanks: &Blanks) -> String {
    // A dash is the last, as `grep` wants it.
    let others = (b'.'..=b'~').chain(b'!'..=b'-').filter(|it| !it.is_ascii_digit());
    let is_used =
        |&it: &u8| blanks.is_cell(it) && has_puzzle(text, |byte| byte == it || is_clue(byte));
    let used: Vec<_> = others.filter(is_used).collect();
    let mut longer = open_runs(text, |byte| byte.is_ascii_digit() || used.contains(&byte));
    longer.retain(|run| run.len() > Cell::COUNT);
    let is_ended = |run: &&[u8]| run.len() == Cell::COUNT + 1 && run.ends_with(b".");
    let is_cut = longer.iter().all(is_ended) && longer.iter().any(|run| run[0] != b'.');
    let more = if is_cut { "" } else { "," };
    format!("[0-9{}]{{81{more}}}", String::from_utf8_lossy(&used))
}

/// The runs of cells in a text that have clues and blanks.
pub(crate) fn open_runs(text: &[u8], is_cell: impl Fn(u8) -> bool) -> Vec<&[u8]> {
    let has = |run: &[u8], clue| run.iter().any(|it| is_clue(*it) == clue);
    let is_open = |run: &&[u8]| is_cell(run[0]) && has(run, true) && has(run, false);
    text.chunk_by(|one, next| is_cell(*one) == is_cell(*next)).filter(is_open).collect()
}

/// Whether a text has a puzzle in one piece.
pub(crate) fn has_puzzle(text: &[u8], is_cell: impl Fn(u8) -> bool) -> bool {
    open_runs(text, is_cell).iter().any(|run| run.len() >= Cell::COUNT)
}
