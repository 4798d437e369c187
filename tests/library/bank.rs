//! Banks: planted copies of puzzles are found in a bank and among duplicates, and nothing else is.
//!
//! ```text
//! ordinary run   thousands of puzzles
//! --ignored      a million: cargo test --release --test library bank -- --ignored
//! ```

use crate::canon::{Maker, Memory, forms, source, text};
use ninefold::bank::{Load, Prepared, Same};
use ninefold::canon::FormKind;
use ninefold::output::{Sink, Transaction};
use ninefold::pipeline::{Control, Pipeline};
use ninefold::puzzle::Grid;
use ninefold::symmetry::Canon;
use ninefold::verify::{Finding, FindingSet, Manner, Verify};
use std::collections::HashSet;

/// The lines of `list` that `verify` reports, each with the line that it names.
fn reported(verify: &Verify, list: &[Grid], bank: Option<(&Load, Vec<u8>)>) -> Vec<(u64, u64)> {
    let bank = bank
        .map(|(load, bytes)| load.load(vec![source("bank", bytes)], Control::default()).unwrap());
    let memory = Memory::default();
    let mut output = Transaction::from(Sink::from_writer("memory", memory.clone()));
    let sources = vec![source("list", text(list))];
    verify.write_against(sources, None, bank, &mut output, Control::default()).unwrap();
    output.commit(|_| String::new()).unwrap();
    let pair = |line: &str| {
        let (at, of) = line.rsplit_once(": isomorphic to ").unwrap();
        let number = |place: &str| place.rsplit_once(':').unwrap().1.parse().unwrap();
        (number(at), number(of))
    };
    memory.text().lines().map(pair).collect()
}

/// Plants copies of puzzles of a bank among others; and copies of others, once each, in the list.
fn assert_found(bank: usize, planted: usize, fresh: usize) {
    let mut maker = Maker::new(3);
    let bank: Vec<_> = (0..bank).map(|_| maker.puzzle()).collect();
    let mut canon = Canon::new();
    // Puzzle minlex, which the bank does not use for puzzles with one solution.
    let known: HashSet<_> = bank.iter().map(|puzzle| canon.minlex(puzzle).grid).collect();
    assert_eq!(known.len(), bank.len(), "the puzzles of the bank are different");
    let mut list: Vec<(Grid, Option<u64>)> = Vec::new();
    for _ in 0..planted {
        let index = maker.random.below(bank.len());
        list.push((maker.transformed(&bank[index]), Some(index as u64 + 1)));
    }
    for _ in 0..fresh {
        let puzzle = maker.puzzle();
        assert!(!known.contains(&canon.minlex(&puzzle).grid), "{puzzle}");
        list.push((puzzle, None));
    }
    maker.maps.shuffle(&mut list);
    let expected = list.iter().zip(1u64..).filter_map(|((_, place), line)| Some((line, (*place)?)));
    let expected: Vec<_> = expected.collect();
    let puzzles: Vec<_> = list.iter().map(|(puzzle, _)| *puzzle).collect();

    let manner = Manner { select: FindingSet::of(&[Finding::InBank]), ..Manner::default() };
    let verify = Verify { manner, ..Verify::default() };
    let load = Load::default();
    let found = reported(&verify, &puzzles, Some((&load, text(&bank))));
    assert!(found == expected, "{} of {planted}", found.len());

    // A bank that was prepared, and puzzle minlex alone.
    let prepared = forms(FormKind::Minlex, &bank, Pipeline::default()).into_bytes();
    let load = Load { prepared: Prepared::Minlex, ..Load::default() };
    let found = reported(&verify, &puzzles, Some((&load, prepared)));
    assert!(found == expected, "{} of {planted} in a prepared bank", found.len());

    // Duplicates: each puzzle of the bank that is planted comes after itself.
    let manner = Manner { select: FindingSet::of(&[Finding::Duplicate]), ..Manner::default() };
    let verify = Verify { manner, duplicates: Some(Same::Isomorphic), ..Verify::default() };
    let all = [&bank[..], &puzzles].concat();
    let found = reported(&verify, &all, None);
    let behind = |&(line, of): &(u64, u64)| (line + bank.len() as u64, of);
    let expected: Vec<_> = expected.iter().map(behind).collect();
    assert!(found == expected, "{} duplicates of {planted}", found.len());
}

#[test]
fn planted_copies_are_found_in_a_bank_and_nothing_else() {
    assert_found(4000, 200, 500);
}

#[test]
#[ignore = "a bank of a million takes a minute in a release build"]
fn a_thousand_planted_copies_are_found_in_a_bank_of_a_million_and_nothing_else() {
    assert_found(1_000_000, 1000, 9000);
}

#[test]
fn a_bank_that_is_not_prepared_as_said_is_an_error() {
    let mut maker = Maker::new(4);
    let puzzles: Vec<_> = (0..10).map(|_| maker.puzzle()).collect();
    for prepared in [Prepared::Minlex, Prepared::Solution] {
        let load = Load { prepared, ..Load::default() };
        let bank = load.load(vec![source("bank", text(&puzzles))], Control::default());
        let error = bank.err().unwrap().to_string();
        assert_eq!(error, "bank: line 1: not in the form that --bank-form names");
    }
}
