//! Any bytes for the reader: it must not panic, and must read them the same however they come.
//!
//! ```text
//! 3 bytes    what the caller knows of the input: most seeds leave most of it open
//! 1 byte     where it is cut
//! the rest   the input
//! ```
//!
//! The laws are those of `tests/support/laws.rs`, which the property tests hold, too.
#![no_main]

#[path = "../../tests/support/laws.rs"]
mod laws;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some((&[flags, delimiter, columns, cut], text)) = bytes.split_first_chunk() {
        // Now and then what people say beforehand, else nothing.
        let hints = if flags & 0x80 == 0 {
            laws::hints([flags & 1, 0xff, 0])
        } else {
            laws::hints([flags, delimiter, columns])
        };
        laws::check(text, &hints, usize::from(cut) * 2 + 1);
    }
});
