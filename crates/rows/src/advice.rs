//! What a text that holds no row may be instead, and the commands that take its puzzles out.
//!
//! A command has `\0` for the pattern of a puzzle: `in_full` writes the one that fits the text.

use crate::input::malformed::may_be_blank;
use crate::input::{Hints, document, grids, is_clue};
use crate::puzzle::Cell;
use crate::puzzle::parse::{self, Blanks};
use crate::puzzle::rules::is_legal;
use std::cmp::Reverse;

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
const TAKE_OUT_OF_ARRAYS: &str = "its puzzles are lists of cells: tr -d ' ,\"\\r\\n' < FILE \
    | sed 's/\\]\\[//g' | grep -oE '[0-9.]{81}' | grep '[0.]' | ninefold COMMAND -";

const LARGE_NUMBERS: &str = "a spreadsheet took its puzzles for numbers, and their digits are lost: write the file \
    again, with that column as text";

/// What makes puzzles of one line out of lines, and the command that does this.
const LINES_WRITTEN_OTHERWISE: [(&str, &str, &str); 3] = [
    ("\"", "", "its cells are in quotation marks: tr -d '\"' < FILE | ninefold COMMAND -"),
    (".0", "", "its cells have decimals: sed 's/\\.0//g' FILE | ninefold COMMAND -"),
    ("-1", "0", "its blanks are -1: sed 's/-1/0/g' FILE | ninefold COMMAND -"),
];

/// What makes rows of nine cells out of lines, and the command that does this.
const ROWS_WRITTEN_OTHERWISE: [(&str, &str, &str); 7] = [
    ("", "", "puzzles of nine lines are read with --grid"),
    (" ", ".", "its blanks are spaces: tr ' ' . < FILE | ninefold COMMAND --grid -"),
    ("  ", " .", "its blanks are spaces: sed 's/  / ./g' FILE | ninefold COMMAND --grid -"),
    ("-1", ".", "its blanks are -1: sed 's/-1/./g' FILE | ninefold COMMAND --grid -"),
    ("u", "", "u marks digits in it: tr -d u < FILE | ninefold COMMAND --grid -"),
    ("\\n", "\n", ROWS_IN_JSON),
    ("\"", "\n", ROWS_IN_MARKS),
];

const ROWS_IN_MARKS: &str = "its puzzles are lines in quotation marks: \
    tr '\"' '\\n' < FILE | grep -vE '^[,;]|[,;]$' | ninefold COMMAND --grid -";

const ROWS_IN_JSON: &str = "its puzzles are lines in texts: \
    jq -r '.. | strings | select(contains(\"\\n\"))' FILE | ninefold COMMAND --grid -";

/// What an input may be instead that has no puzzle where it was looked for, and the command that helps: the first that
/// finds puzzles. `lines` are those of its head, and `is_read` tells whether other hints would read it.
pub(crate) fn remark(
    head: &[u8],
    lines: &[&[u8]],
    hints: &Hints,
    is_read: impl Fn(&Hints) -> bool,
) -> Option<String> {
    let (text, blanks) = (String::from_utf8_lossy(head), &hints.blanks);
    let in_json = text.trim_start().starts_with(['{', '[']);
    let is_cell = |byte| blanks.is_cell(byte);
    let in_text = has_puzzle(head, is_cell);
    let digits = text.replace([' ', ',', '"', '\r', '\n'], "").replace("][", "");
    let in_arrays = |text: &str| text.contains('[') && has_puzzle(text.as_bytes(), is_cell);
    // One letter may be damage, and no puzzle is where it should be.
    let blank = || if in_text { None } else { other_blank(&text, hints, is_read) };
    let found = rows_otherwise(&text, in_json, blanks)
        .or_else(|| parse::other_size(head).map(|error| error.to_string()))
        // Where fields are told, the lines may be those of a Parquet file.
        .or_else(|| if hints.is_told() { None } else { lines_otherwise(&text, blanks) })
        .or_else(|| columns(lines, blanks))
        .or_else(blank);
    let in_text = in_text && !hints.is_told();
    found.or_else(|| {
        Some(match document::fault(head).filter(|_| in_json) {
            Some(fault) if in_text => format!("it is no JSON: {fault}; {TAKE_OUT_OF_TEXT}"),
            None if in_json && (in_text || in_arrays(&digits.replace("null", "0"))) => {
                format!("puzzles in JSON of another shape: {TAKE_OUT_OF_JSON}")
            }
            _ if head.contains(&0) => {
                let ends = if head[0] == 0 { "BE" } else { "LE" };
                format!(
                    "it has zero bytes: no text, or UTF-16, and then iconv -f UTF-16{ends} -t UTF-8 \
                     FILE | ninefold COMMAND - reads it"
                )
            }
            _ if has_large_number(head) => LARGE_NUMBERS.to_owned(),
            _ if in_text => TAKE_OUT_OF_TEXT.to_owned(),
            _ if in_arrays(&digits) => TAKE_OUT_OF_ARRAYS.to_owned(),
            _ if lines.is_empty() && !hints.grids => {
                "--lines reads the lines below the first".to_owned()
            }
            _ => return None,
        })
    })
}

/// The command that makes the most grids of nine lines out of a text.
fn rows_otherwise(text: &str, in_json: bool, blanks: &Blanks) -> Option<String> {
    let grids = |(from, to, hint)| {
        // Line ends are written so in JSON, and strings are no rows there.
        let may_help = in_json == (from == "\\n") || !matches!(from, "\\n" | "\"");
        let text = if may_help { text.replace(from, to) } else { String::new() };
        (grids::count(text.as_bytes(), blanks), hint)
    };
    // Of equal ones, `max_by_key` gives the last.
    let most = ROWS_WRITTEN_OTHERWISE.into_iter().rev().map(grids).max_by_key(|it| it.0);
    most.filter(|(grids, _)| *grids > 0).map(|(_, hint)| hint.to_owned())
}

/// The command that makes a puzzle out of a line.
fn lines_otherwise(text: &str, blanks: &Blanks) -> Option<String> {
    let is_puzzle = |line: &str| {
        let cells = line.replace([' ', ',', ';', '\t', '[', ']'], "");
        // A whole puzzle in quotation marks has no separators.
        line.len() > cells.len() + 70
            && parse::cells(cells.as_bytes(), blanks).is_ok_and(|grid| is_legal(&grid))
    };
    let helps = |(from, to, _): &(&str, &str, &str)| {
        // Arrays of strings are JSON.
        let may_help =
            |line: &str| line.contains(from) && !(*from == "\"" && line.trim().starts_with('['));
        text.lines().any(|line| may_help(line) && is_puzzle(&line.replace(from, to)))
    };
    LINES_WRITTEN_OTHERWISE.into_iter().find(helps).map(|(_, _, hint)| hint.to_owned())
}

/// The command that takes 81 cells in columns of their own out of rows with more columns: those that are a legal grid in
/// the most rows, for with a number of another kind as a cell few are.
fn columns<'a>(lines: &[&'a [u8]], blanks: &Blanks) -> Option<String> {
    // Tabs are what `cut` takes without an option.
    let delimiters = [(b',', " -d ','"), (b';', " -d ';'"), (b'\t', "")];
    delimiters.into_iter().find_map(|(delimiter, option)| {
        let fields = |line: &&'a [u8]| -> Vec<_> {
            line.split(|it| *it == delimiter).map(<[u8]>::trim_ascii).collect()
        };
        // Of 81 columns there is nothing to cut.
        let rows = lines.iter().map(fields).filter(|row| row.len() > Cell::COUNT);
        let rows: Vec<_> = rows.collect();
        let legal = |place: usize| {
            let cells = rows.iter().filter_map(|row| row.get(place..place + Cell::COUNT));
            let grids = cells.flat_map(|row| parse::cells(&row.concat(), blanks));
            grids.filter(is_legal).count()
        };
        let places = 0..rows.iter().map(Vec::len).max()?;
        let (most, Reverse(place)) = places.map(|it| (legal(it), Reverse(it))).max()?;
        let (first, last) = (place + 1, place + Cell::COUNT);
        (most > 0).then(|| {
            format!(
                "columns {first} to {last} have a cell each: cut{option} -f {first}-{last} FILE \
                 | ninefold COMMAND -"
            )
        })
    })
}

/// The option that reads another character as a blank.
fn other_blank(text: &str, hints: &Hints, is_read: impl Fn(&Hints) -> bool) -> Option<String> {
    let is_blank = |&(byte, grids): &(u8, bool)| {
        let told = hints.blanks.with(byte).filter(|_| may_be_blank(byte));
        let text = text.replace(char::from(byte), ".");
        let is_cell = |byte| hints.blanks.is_cell(byte);
        let has_cells = if grids {
            grids::count(text.as_bytes(), &hints.blanks) > 0
        } else {
            has_puzzle(text.as_bytes(), is_cell)
        };
        let is_read = |blanks| is_read(&Hints { blanks, grids, ..hints.clone() });
        has_cells && told.is_some_and(is_read)
    };
    let bytes = || b'!'..=b'~';
    let mut ways = bytes().map(|it| (it, hints.grids)).chain(bytes().map(|it| (it, true)));
    let (byte, grids) = ways.find(is_blank)?;
    // Shells read other characters in their own way.
    let mark = if byte.is_ascii_alphabetic() { "" } else { "\"" };
    let (blank, rows) = (char::from(byte), if grids { "--grid " } else { "" });
    Some(format!("{rows}--blank {mark}{blank}{mark} reads '{blank}' as a blank"))
}

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

/// Whether a text has a number of about 81 digits as a spreadsheet writes it, such as `5.3007E+80`.
fn has_large_number(text: &[u8]) -> bool {
    let is_large = |part: &[u8]| part[0].is_ascii_digit() && matches!(&part[1..3], b"E+" | b"e+");
    text.windows(4).any(|part| is_large(part) && matches!(part[3], b'7' | b'8'))
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
