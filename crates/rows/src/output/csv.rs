//! A field of a CSV row, as all commands write it.

/// Appends a field, in quotation marks if it needs them: if it has a comma, a quotation mark or a line end,
/// begins with `#`, or has spaces at its ends. Bytes that are not UTF-8 become U+FFFD, as in JSON: readers of
/// tables refuse them.
pub(crate) fn push_csv_field(row: &mut Vec<u8>, field: &[u8]) {
    let text = String::from_utf8_lossy(field);
    let field = text.as_bytes();
    let is_plain = |byte: &u8| !matches!(byte, b',' | b'"' | b'\n' | b'\r');
    let is_space = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    let is_bare =
        field.first() != Some(&b'#') && !is_space(field.first()) && !is_space(field.last());
    if is_bare && field.iter().all(is_plain) {
        return row.extend_from_slice(field);
    }
    quote(row, field);
}

/// Appends a field in one line: each line end of a malformed puzzle is a space.
pub(super) fn push_csv_line(row: &mut Vec<u8>, field: &[u8]) {
    if memchr::memchr2(b'\n', b'\r', field).is_none() {
        return push_csv_field(row, field);
    }
    quote(row, one_line(field).as_bytes());
}

/// The text of a field, with a space for each line end.
pub(super) fn one_line(field: &[u8]) -> String {
    String::from_utf8_lossy(field).replace(['\n', '\r'], " ")
}

/// Appends a field in quotation marks.
fn quote(row: &mut Vec<u8>, field: &[u8]) {
    row.push(b'"');
    for &byte in field {
        if byte == b'"' {
            row.push(b'"');
        }
        row.push(byte);
    }
    row.push(b'"');
}
