//! The names of columns in options.

/// The text in quotation marks, if a token is one. A doubled mark stands for one.
pub(super) fn unquoted(token: &str, mark: char) -> Option<String> {
    let inside = token.strip_prefix(mark)?.strip_suffix(mark)?;
    Some(inside.replace(&format!("{mark}{mark}"), &mark.to_string()))
}

/// The name of a column. In `"` it is never the name of a fact about the puzzle.
///
/// # Errors
/// There is no name.
pub(crate) fn column_name(text: &str) -> Result<String, String> {
    let name = unquoted(text, '"').unwrap_or_else(|| text.to_owned());
    if ["", "\""].contains(&&*name) {
        return Err("expected the name of a column".to_owned());
    }
    Ok(name)
}
