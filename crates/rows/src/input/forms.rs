//! Records that are neither a row of fields nor an object: one line each, with 81 cells written in
//! another way.
//!
//! ```text
//! 5 3 . . 7 . . . .  …             81 cells with a separator between each two
//! 53..7…795346…179                 162 cells: the puzzle and its solution, or the reverse
//! :0000:x:53..7…79:…               HoDoKu: the fourth field; `+` marks a digit that is no clue
//! [[5,3,0,0,7,…],…]                JSON: 81 numbers, in rows or not; 0 or null for a blank
//! ```

use super::fields::{Delimiter, Fields};
use super::malformed::Malformed;
use crate::puzzle::parse::Blanks;
use crate::puzzle::{Cell, ParseError};
use serde_json::Value;

/// The field of the puzzle in a `HoDoKu` line: the line begins with the delimiter.
const HODOKU_FIELD: usize = 3;

/// The cells of a line with separators between them.
pub(super) fn spaced(line: &[u8], blanks: &Blanks) -> Result<Vec<u8>, Malformed> {
    let mut cells = Vec::with_capacity(Cell::COUNT);
    let mut after_cell = false;
    for (at, &byte) in line.iter().enumerate() {
        if Delimiter::BYTES.contains(&byte) {
            after_cell = false;
        } else if after_cell || !blanks.is_cell(byte) {
            let error = ParseError::Byte { column: at + 1, found: byte };
            return Err(Malformed::Cells { column: 1, error });
        } else {
            after_cell = true;
            cells.push(byte);
        }
    }
    exactly_81(cells)
}

/// The 162 cells of a line without a separator, the puzzle first.
pub(super) fn joined(line: &[u8], puzzle_first: bool) -> Result<(&[u8], &[u8]), Malformed> {
    let line = line.trim_ascii();
    if line.len() != 2 * Cell::COUNT {
        return Err(Malformed::Joined { found: line.len() });
    }
    let (one, other) = line.split_at(Cell::COUNT);
    Ok(if puzzle_first { (one, other) } else { (other, one) })
}

/// The puzzle of a `HoDoKu` line, and the byte of the line where it begins.
pub(super) fn hodoku(line: &[u8], fields: &mut Fields) -> Result<(Vec<u8>, usize), Malformed> {
    fields.split(line, Delimiter::Byte(b':'));
    match fields.get(line, HODOKU_FIELD) {
        Some(field) => {
            let cells = field.iter().copied().filter(|&byte| byte != b'+').collect();
            Ok((cells, fields.start(HODOKU_FIELD)))
        }
        None => Err(Malformed::NoField { wanted: HODOKU_FIELD + 1, found: fields.len() }),
    }
}

/// The cells of a JSON array: numbers, one-character strings or null, or strings and arrays of them.
/// `None` if it has something else.
pub(super) fn array(json: &str) -> Option<Vec<u8>> {
    fn add(value: &Value, cells: &mut Vec<u8>) -> Option<()> {
        // An array of other numbers may be long.
        if cells.len() > 2 * Cell::COUNT {
            return None;
        }
        match value {
            Value::Null => cells.push(b'.'),
            Value::Number(number) => {
                let digit = number.as_u64().filter(|&digit| digit <= 9)?;
                cells.push(b'0' + u8::try_from(digit).ok()?);
            }
            Value::String(text) if text.is_empty() || text == " " => cells.push(b'.'),
            Value::String(text) => cells.extend_from_slice(text.as_bytes()),
            Value::Array(values) => values.iter().try_for_each(|value| add(value, cells))?,
            Value::Bool(_) | Value::Object(_) => return None,
        }
        Some(())
    }
    if !json.trim_ascii_start().starts_with('[') {
        return None;
    }
    let value = serde_json::from_str(json).ok()?;
    let mut cells = Vec::new();
    add(&value, &mut cells)?;
    Some(cells)
}

fn exactly_81(cells: Vec<u8>) -> Result<Vec<u8>, Malformed> {
    if cells.len() == Cell::COUNT {
        return Ok(cells);
    }
    let error = ParseError::Length { found: cells.len() };
    Err(Malformed::Cells { column: 1, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn cells_with_a_separator_between_are_joined() {
        let text: Vec<_> = EASY.chars().map(String::from).collect();
        for between in [" ", ", ", "\t", ";"] {
            let found = spaced(text.join(between).as_bytes(), &Blanks::usual());
            assert_eq!(found.unwrap(), EASY.as_bytes());
        }
        let short = text[1..].join(" ");
        assert!(matches!(
            spaced(short.as_bytes(), &Blanks::usual()),
            Err(Malformed::Cells { error: ParseError::Length { found: 80 }, .. })
        ));
        assert!(spaced(b"12 3", &Blanks::usual()).is_err());
    }

    #[test]
    fn an_array_has_numbers_rows_or_strings() {
        let zeros = EASY.replace('.', "0");
        let digits: Vec<_> = zeros.chars().map(String::from).collect();
        let rows: Vec<_> = digits.chunks(9).map(|row| format!("[{}]", row.join(","))).collect();
        let strings: Vec<_> = zeros
            .as_bytes()
            .chunks(9)
            .map(|row| format!("\"{}\"", String::from_utf8_lossy(row)))
            .collect();
        for text in [digits.join(", "), rows.join(","), strings.join(",")] {
            assert_eq!(array(&format!("[{text}]")).unwrap(), zeros.as_bytes());
        }
        assert_eq!(array("[null, \"\"]").unwrap(), b"..");
        assert_eq!(
            [array("[10]"), array("[true]"), array("7"), array("[1")],
            [None, None, None, None]
        );
    }

    #[test]
    fn a_plus_of_hodoku_is_no_cell() {
        let line = format!(":0000:x:+{EASY}::");
        let (cells, start) = hodoku(line.as_bytes(), &mut Fields::default()).unwrap();
        assert_eq!((&cells[..], start), (EASY.as_bytes(), 8));
    }
}
