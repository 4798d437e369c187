//! What is wrong with a Parquet file.

use parquet::errors::ParquetError;
use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is damage of a file.
    static IS_DECODING: Cell<bool> = const { Cell::new(false) };
}

/// A file that is not what it should be, or is compressed in a way that the decoder does not know.
pub(crate) fn damaged(why: &str) -> io::Error {
    let what = if why.contains("Disabled feature") { "an unsupported" } else { "a damaged" };
    io::Error::new(ErrorKind::InvalidData, format!("is {what} Parquet file: {why}"))
}

/// What the decoder says, without its name.
fn said_by(error: &ParquetError) -> String {
    let text = error.to_string();
    let mut names = ["Parquet error: ", "EOF: ", "External: "].into_iter();
    names.find_map(|name| text.strip_prefix(name)).unwrap_or(&text).to_owned()
}

/// Decodes, and takes a panic for damage: the decoder expects that sizes agree. What it was given is not
/// used again then. The text of such a panic is not written.
pub(crate) fn guarded<T>(decode: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_DECODING.get() {
                usual(panic);
            }
        }));
    });
    IS_DECODING.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    IS_DECODING.set(false);
    match decoded {
        Ok(decoded) => decoded.map_err(|error| said_by(&error)),
        Err(_) => Err("its bytes contradict each other".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It is not damaged: another program can read it.
    #[test]
    fn an_unknown_compression_is_named() {
        let why = "Disabled feature at compile time: brotli".to_owned();
        let why = guarded::<()>(|| Err(ParquetError::General(why))).unwrap_err();
        let text = damaged(&format!("row group 1: {why}")).to_string();
        assert!(text.starts_with("is an unsupported ") && text.ends_with(": brotli"), "{text}");
    }
}
