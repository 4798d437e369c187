//! What is wrong with a Parquet file.

use parquet::errors::ParquetError;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A file that is not what it should be.
pub(super) fn damaged(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("is a damaged Parquet file: {why}"))
}

/// What the decoder says, without its name.
pub(super) fn said_by(error: &ParquetError) -> String {
    let text = error.to_string();
    ["Parquet error: ", "EOF: ", "External: "]
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))
        .unwrap_or(&text)
        .to_owned()
}

/// Decodes, and takes a panic for damage: the decoder expects that sizes agree. What it was given is not
/// used again then.
pub(super) fn guarded<T>(decode: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(decoded) => decoded.map_err(|error| said_by(&error)),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("the decoder panicked: {}", text.unwrap_or("for no reason")))
        }
    }
}
