//! Tables of puzzles made from any bytes: the reading must be the content of the table, in whatever form it
//! is written, or the input must be refused.
//!
//! The laws are those of `tests/support/tables.rs`, which the property tests hold, too. Without
//! cargo-fuzz, `tests/library/metamorphic.rs` does the same from seeds:
//!
//! ```sh
//! NINEFOLD_FUZZ_SECONDS=1800 NINEFOLD_FUZZ_SEED=1 \
//!   cargo test --release --test library for_a_long_time -- --ignored --nocapture
//! ```
#![no_main]

#[path = "../../tests/support/laws.rs"]
mod laws;
#[path = "../../tests/support"]
mod support {
    pub mod corpus;
}
#[path = "../../tests/support/tables.rs"]
mod tables;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|choices: &[u8]| {
    if let Err(finding) = tables::check(choices) {
        panic!("{finding}");
    }
});
