//! A line that is one JSON object, its values as they are written there.

use super::malformed::Malformed;
use crate::puzzle::Cell;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::slice;

/// The spaces of JSON.
const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

/// The longest path of keys to an object whose values are looked at.
const MOST_PREFIX_BYTES: usize = 200;

/// The keys of an object and the JSON of their values, as they follow each other in the line.
#[derive(Default)]
pub(super) struct Object<'a>(Vec<(Cow<'a, str>, &'a str)>);

/// A string that is borrowed from its JSON, if nothing in it is escaped.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> Object<'a> {
    /// The JSON of a value.
    pub(super) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().rfind(|(other, _)| other == key).map(|(_, value)| *value)
    }

    /// The keys and the JSON of their values. Of a key that comes twice it is the last value.
    pub(super) fn members(&self) -> Vec<(&Cow<'a, str>, &'a str)> {
        let last: BTreeMap<_, _> = self.0.iter().map(|(key, value)| (key, *value)).collect();
        let mut seen = BTreeSet::new();
        let firsts = self.0.iter().filter(|(key, _)| seen.insert(key));
        firsts.map(|(key, _)| (key, last[key])).collect()
    }
}

/// Calls this for each value of a line of JSON that is no object, with the path of keys to it: those of an object, or one
/// of an empty path.
///
/// # Errors
/// It is neither an object, nor an array of cells, nor a text. Some of its values may have been given.
pub(super) fn each_path<'a>(
    line: &'a [u8],
    mut each: impl FnMut(Cow<'_, str>, &'a str),
) -> Result<(), Malformed> {
    fn add<'a>(path: Cow<'_, str>, value: &'a str, each: &mut impl FnMut(Cow<'_, str>, &'a str)) {
        if value.starts_with('{')
            && path.len() < MOST_PREFIX_BYTES
            && let Ok(Object(inner)) = object(value.as_bytes())
        {
            for (key, it) in inner {
                add(format!("{path}.{key}").into(), it, each);
            }
        } else {
            each(path, value);
        }
    }
    let value = line.trim_ascii();
    if !matches!(value.first(), Some(b'[' | b'"')) {
        return each_member(line, |key, value| {
            // `add` calls itself, so it is never a part of this loop.
            if value.starts_with('{') { add(key, value, &mut each) } else { each(key, value) }
        });
    }
    let is_value = |it: &&str| array(it).is_some() || serde_json::from_str::<Text>(it).is_ok();
    let text = str::from_utf8(value).ok().filter(is_value);
    text.map(|text| each("".into(), text)).ok_or(Malformed::NoCells)
}

/// Reads a line as an object.
///
/// # Errors
/// It is not one.
pub(super) fn object(line: &[u8]) -> Result<Object<'_>, Malformed> {
    let mut members = Vec::new();
    each_member(line, |key, value| members.push((key, value))).map(|()| Object(members))
}

/// Calls this for each member of an object: its key, and the JSON of its value.
///
/// # Errors
/// The line is no object. Some of its members may have been given.
#[inline]
fn each_member<'a>(
    line: &'a [u8],
    mut each: impl FnMut(Cow<'a, str>, &'a str),
) -> Result<(), Malformed> {
    let text =
        str::from_utf8(line).map_err(|error| Malformed::no_object(error.valid_up_to() + 1))?;
    // A loop without early exit, for vectors.
    let is_special = |byte: u8| byte < b' ' || byte == b'\\';
    let is_plain = !line.iter().fold(false, |found, &byte| found | is_special(byte));
    let (mut is_first, mut rest) = (true, text.trim_start_matches(SPACES));
    let failed = |rest: &str, column: usize| {
        Malformed::no_object((line.len() - rest.len() + column).min(line.len()))
    };
    let passed = |rest: &mut &'a str, byte: char| {
        let behind = rest.strip_prefix(byte).ok_or_else(|| failed(rest, 1))?;
        *rest = behind.trim_start_matches(SPACES);
        Ok(())
    };
    passed(&mut rest, '{')?;
    while !rest.starts_with('}') {
        if !is_first {
            passed(&mut rest, ',')?;
        }
        is_first = false;
        let start = rest;
        let key = first_value(&mut rest, is_plain).map_err(|column| failed(rest, column))?;
        let name = match key.strip_prefix('"').and_then(|key| key.strip_suffix('"')) {
            Some(name) if is_plain => name.into(),
            _ => serde_json::from_str::<Text>(key).map_err(|_| failed(start, 1))?.0,
        };
        passed(&mut rest, ':')?;
        each(name, first_value(&mut rest, is_plain).map_err(|column| failed(rest, column))?);
    }
    passed(&mut rest, '}')?;
    if rest.is_empty() { Ok(()) } else { Err(failed(rest, 1)) }
}

/// The first value of a text, up to the next one. Fails with the column of what is none.
#[inline]
fn first_value<'a>(rest: &mut &'a str, is_plain: bool) -> Result<&'a str, usize> {
    let end = if !is_plain {
        None
    } else if let Some(inner) = rest.strip_prefix('"') {
        memchr::memchr(b'"', inner.as_bytes()).map(|end| end + 2)
    } else {
        let end = rest.bytes().position(|byte| matches!(byte, b',' | b'}' | b' '));
        end.filter(|end| serde_json::from_str::<IgnoredAny>(&rest[..*end]).is_ok())
    };
    let end = end.map_or_else(|| end_of_value(rest), Ok)?;
    let (value, behind) = rest.split_at(end);
    *rest = behind.trim_start_matches(SPACES);
    Ok(value)
}

/// Where the first value of a text ends. `serde_json` looks at each byte for itself.
fn end_of_value(text: &str) -> Result<usize, usize> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Ok(values.byte_offset()),
        error => Err(error.and_then(Result::err).map_or(1, |error| error.column())),
    }
}

/// A value as a field of a table: a string's text, nothing for null, else its JSON.
pub(super) fn field(value: &str) -> Cow<'_, [u8]> {
    if value == "null" {
        return Cow::Borrowed(&value.as_bytes()[..0]);
    }
    let text = value.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let Some(text) = text else { return value.as_bytes().into() };
    if memchr::memchr(b'\\', text.as_bytes()).is_none() {
        return text.as_bytes().into();
    }
    // A half of a surrogate pair is JSON, and no text.
    let text = serde_json::from_str::<String>(value);
    text.map_or_else(|_| value.as_bytes().into(), |text| text.into_bytes().into())
}

/// A value as the text of a grid: 81 numbers in an array are 81 cells. If both null and 0 are among them, one of them is no
/// blank: the digits are perhaps 0 to 8.
pub(super) fn cells(value: &str) -> Cow<'_, [u8]> {
    let array = value.starts_with('[').then(|| array(value)).flatten().filter(|cells| {
        cells.len() == Cell::COUNT && !(cells.contains(&b'0') && value.contains("null"))
    });
    array.map_or_else(|| field(value), Cow::Owned)
}

/// The cells of an array of predicted numbers, which may be in rows: `?` for all but 0 to 9.
pub(super) fn tokens(array: &[u8]) -> Cow<'_, [u8]> {
    let rows: Vec<Value> = serde_json::from_slice(array).unwrap_or_default();
    let cells = rows.iter().flat_map(|it| it.as_array().map_or(slice::from_ref(it), Vec::as_slice));
    let digit =
        |it: &Value| it.as_u64().and_then(|it| char::from_digit(u32::try_from(it).ok()?, 10));
    cells.map(|it| digit(it).unwrap_or('?')).collect::<String>().into_bytes().into()
}

/// The cells of a JSON array: numbers, one-character strings or null, or strings and arrays of them.
/// `None` if it has something else.
///
/// Each byte is looked at once, so an array takes not much longer than a line of cells. What is no array of digits
/// and texts, such as a number with two digits or a text with an escape, is refused; it need not be JSON.
pub(super) fn array(json: &str) -> Option<Vec<u8>> {
    /// An array of other numbers may be long.
    const MOST: usize = 2 * Cell::COUNT;
    let json = json.trim_ascii().as_bytes();
    if json.first() != Some(&b'[') {
        return None;
    }
    let (mut cells, mut depth, mut at) = (Vec::with_capacity(MOST), 0u32, 0);
    // Whether a value may come next, and whether `]` may.
    let (mut opens, mut closes) = (true, false);
    while let Some(&byte) = json.get(at) {
        at += 1;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b',' if !opens => (opens, closes) = (true, false),
            b']' if closes => {
                depth -= 1;
                (opens, closes) = (false, depth > 0);
                if depth == 0 {
                    return (at == json.len() && !is_one_text(json)).then_some(cells);
                }
            }
            b'[' if opens => {
                depth += 1;
                closes = true;
            }
            _ if !opens || cells.len() > MOST => return None,
            b'0'..=b'9' => {
                let is_longer = |next: &u8| next.is_ascii_digit() || b".eE".contains(next);
                if json.get(at).is_some_and(is_longer) {
                    return None;
                }
                cells.push(byte);
                (opens, closes) = (false, true);
            }
            b'"' => {
                let text = &json[at..];
                let text = &text[..text.iter().position(|&byte| byte == b'"')?];
                if text.iter().any(|&byte| byte < b' ' || byte == b'\\') {
                    return None;
                }
                at += text.len() + 1;
                cells.extend_from_slice(if matches!(text, b"" | b" ") { b"." } else { text });
                (opens, closes) = (false, true);
            }
            b'n' if json[at..].starts_with(b"ull") => {
                at += 3;
                cells.push(b'.');
                (opens, closes) = (false, true);
            }
            _ => return None,
        }
    }
    None
}

/// Whether an array has one text and nothing else: a list of one puzzle, which may be beside longer ones.
fn is_one_text(array: &[u8]) -> bool {
    let items = array[1..array.len() - 1].trim_ascii();
    items.first() == Some(&b'"') && memchr::memchr(b'"', &items[1..]) == items.len().checked_sub(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// What an array has by its values.
    fn by_values(value: &Value, cells: &mut Vec<u8>) -> Option<()> {
        match value {
            Value::Null => cells.push(b'.'),
            Value::Number(it) => {
                cells.push(u8::try_from(it.as_u64()?).ok().filter(|it| *it < 10)? + b'0');
            }
            Value::String(text) if text.trim().is_empty() => cells.push(b'.'),
            Value::String(text) => cells.extend_from_slice(text.as_bytes()),
            Value::Array(values) => values.iter().try_for_each(|it| by_values(it, cells))?,
            Value::Bool(_) | Value::Object(_) => return None,
        }
        Some(())
    }

    proptest::proptest! {
        #[test]
        fn an_array_has_what_its_values_have(
            tokens in proptest::collection::vec(0..TOKENS.len(), 0..12),
            is_whole: bool,
        ) {
            let text: String = tokens.into_iter().map(|token| TOKENS[token]).collect();
            let text = if is_whole { format!("[{text}]") } else { text };
            let is_one_text = |it: &Value| matches!(&it.as_array().unwrap()[..], [Value::String(_)]);
            let value = serde_json::from_str(&text).ok().filter(Value::is_array);
            let value = value.filter(|it| !is_one_text(it));
            let mut cells = Vec::new();
            let expected = value.and_then(|it| by_values(&it, &mut cells)).map(|()| cells);
            proptest::prop_assert_eq!(array(&text), expected, "{}", text);
        }
    }

    /// Of these most texts are made that look like arrays.
    const TOKENS: [&str; 18] = [
        "[", "[", "]", "]", ",", ",", ",", "0,", "5", "null", "nul", "\"\"", "\" \"", "\"57.\"",
        " ", "-", "1.0", "true",
    ];

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
}
