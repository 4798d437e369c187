//! A field of a CSV row, as all commands write it.

/// Appends a field, in quotation marks if it needs them. A line end becomes a space, because a row
/// is one line. Bytes that are not UTF-8 become U+FFFD, as in JSON: readers of tables refuse them.
pub fn push_csv_field(row: &mut Vec<u8>, field: &[u8]) {
    let text = String::from_utf8_lossy(field);
    let field = text.as_bytes();
    let is_plain = |byte: &u8| !matches!(byte, b',' | b'"' | b'\n' | b'\r');
    let bare = field.first() != Some(&b'#') && !field.starts_with(b" ") && !field.ends_with(b" ");
    if bare && field.iter().all(is_plain) {
        return row.extend_from_slice(field);
    }
    let line: Vec<u8> =
        field.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).collect();
    row.push(b'"');
    let start = row.len();
    // At most, every byte is a quotation mark and is doubled.
    row.resize(start + 2 * line.len(), 0);
    let (_, _, written) = csv_core::quote(&line, &mut row[start..], b'"', b'"', true);
    row.truncate(start + written);
    row.push(b'"');
}
