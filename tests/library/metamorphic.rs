//! The metamorphic laws (`support/tables.rs`): a table has the same reading, or is refused, in any order of its
//! columns, with any names, delimiter, quotation marks and line ends, and with one damaged row.

use crate::support::Lots;
use crate::tables;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::panic::catch_unwind;
use std::time::Instant;

/// Tables from seeds that do not change: a failure is found again, and shrinks.
#[test]
fn tables_are_read_the_same_in_any_clothes() {
    for seed in 0..4_u8 {
        let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
        let choices = prop::collection::vec(any::<u8>(), 64);
        TestRunner::new_with_rng(config, rng)
            .run(&choices, |choices| tables::check(&choices).map_err(TestCaseError::fail))
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

/// Random tables for `NINEFOLD_FUZZ_SECONDS` (60 by default), from the seed `NINEFOLD_FUZZ_SEED`.
#[test]
#[ignore = "takes a minute"]
fn tables_are_read_the_same_for_a_long_time() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |value| value.parse().expect(name))
    };
    let (seconds, seed) = (number("NINEFOLD_FUZZ_SECONDS", 60), number("NINEFOLD_FUZZ_SEED", 1));
    let (start, mut cases, mut findings) = (Instant::now(), 0_u64, Vec::new());
    while start.elapsed().as_secs() < seconds && findings.len() < 20 {
        let mut lots = Lots(seed << 40 | cases);
        let choices: Vec<u8> = (0..64).map(|_| u8::try_from(lots.below(256)).unwrap()).collect();
        let panicked = |_| Err(format!("it panics for {choices:?}"));
        let checked = catch_unwind(|| tables::check(&choices)).unwrap_or_else(panicked);
        findings.extend(checked.err().map(|finding| format!("case {cases}: {finding}")));
        cases += 1;
    }
    println!("{cases} tables from seed {seed} in {} s", start.elapsed().as_secs());
    assert!(findings.is_empty(), "{} findings\n{}", findings.len(), findings.join("\n\n"));
}
