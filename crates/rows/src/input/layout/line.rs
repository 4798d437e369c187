//! Questions about one line, before the fields of the input are known.

use super::evidence::Value;
use crate::input::fields::Fields;
use crate::input::json;
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;

/// The key paths of an object and what their values are.
pub(super) fn object_values(line: &[u8], blanks: &Blanks) -> Vec<(String, Value)> {
    let object = json::object(line).unwrap_or_default();
    let paths = object.paths();
    let value = |json: &str| {
        let cells = json::cells(json);
        // The text of an array is as long as a sukaku, perhaps.
        let is_text = json.starts_with('"') || cells.len() <= Cell::COUNT;
        if is_text { Value::of(cells.as_bytes(), blanks) } else { Value::Other }
    };
    paths.into_iter().map(|(path, json)| (path, value(json))).collect()
}

/// Whether a field is one of these names, as in `solution: 5346…`.
pub(super) fn is_key(field: &[u8], names: &[&str]) -> bool {
    let is_mark = |byte: &u8| b":=\"'- ".contains(byte);
    let start = field.iter().position(|byte| !is_mark(byte)).unwrap_or(field.len());
    let end = field.iter().rposition(|byte| !is_mark(byte)).map_or(start, |end| end + 1);
    let name = &field[start..end];
    names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// Whether a line begins with a key, as in `start: 53..7…` or `start = 53..7…`.
pub(super) fn has_mark_of_key(fields: &Fields, line: &[u8]) -> bool {
    let is_mark = |byte: &u8| b":=".contains(byte);
    let first = fields.get(line, 0).unwrap_or_default();
    let second = fields.get(line, 1).unwrap_or_default();
    let is_marked = first.last().is_some_and(is_mark) || second.iter().all(is_mark);
    is_word(first) && !second.is_empty() && is_marked
}

/// Whether a field is a word, perhaps with what divides a key from its value.
pub(super) fn is_word(field: &[u8]) -> bool {
    let of_word = |byte: &u8| byte.is_ascii_alphabetic() || b"_-:='\"".contains(byte);
    field.iter().any(u8::is_ascii_alphabetic) && field.iter().all(of_word)
}

/// Whether a line is a JSON object.
pub(super) fn is_object(line: &[u8]) -> bool {
    line.trim_ascii_start().first() == Some(&b'{') && json::object(line).is_ok()
}

/// Whether a line begins with `#` as a name does, `#1`, and not as text, `# text`.
pub(super) fn is_name_with_hash(line: &[u8]) -> bool {
    line.first() == Some(&b'#') && line.get(1).is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether a line has 81 cells with blanks, if they are not a field.
pub(super) fn has_hidden_puzzle(line: &[u8], blanks: &Blanks) -> bool {
    let mut runs = line.chunk_by(|&one, &next| blanks.is_cell(one) == blanks.is_cell(next));
    runs.any(|run| Value::of(run, blanks) == Value::Blanks)
}
