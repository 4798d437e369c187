//! Canonical forms in bulk: transformed copies are found in a bank and among duplicates.
//!
//! ```text
//! ordinary run   thousands of puzzles
//! --ignored      a million: cargo test --release --test library canon -- --ignored
//! ```

use crate::support::lists::{EASY, MINIMAL};
use crate::support::{Memory, Random};
use ninefold::bank::{Load, Same};
use ninefold::engine::EngineKind;
use ninefold::input::{Hints, Source};
use ninefold::output::{Format, Transaction};
use ninefold::pipeline::Control;
use ninefold::puzzle::{Grid, Solution};
use ninefold::run::{Run, Terms};
use ninefold::symmetry::{Canon, Isomorphism};
use ninefold::verify::{Finding, Verify};
use std::collections::HashSet;
use std::sync::Arc;

/// Makes puzzles, most of which have one solution, from the solutions of two lists.
struct Maker {
    solutions: Vec<Solution>,
    random: Random,
    maps: ninefold::puzzle::Random,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let grids: Vec<_> = [EASY, MINIMAL].into_iter().flat_map(crate::support::list).collect();
        let mut answers = Vec::new();
        EngineKind::default().build().solve_batch(&grids, 1, &mut answers);
        let solutions = answers.into_iter().filter_map(|answer| answer.first).collect();
        Self { solutions, random: Random(seed), maps: ninefold::puzzle::Random::new(seed) }
    }

    /// A puzzle with 24 to 60 clues.
    fn puzzle(&mut self) -> Grid {
        let solution = &self.solutions[self.random.below(self.solutions.len())];
        let clues = 24 + self.random.below(37);
        crate::support::with_clues(solution, clues, &mut self.random)
    }

    fn transformed(&mut self, puzzle: &Grid) -> Grid {
        Isomorphism::random(&mut self.maps).apply(puzzle)
    }
}

fn text<'a>(puzzles: impl IntoIterator<Item = &'a Grid>) -> Vec<u8> {
    puzzles.into_iter().flat_map(|puzzle| [&puzzle.line(b'.')[..], b"\n"].concat()).collect()
}

fn source(name: &'static str, bytes: Vec<u8>) -> Source {
    let mut source = Source::from_bytes(name, bytes);
    source.find_layout(&Hints::default()).unwrap();
    source
}

/// The lines of `list` that `verify` reports, each with the line that it names.
fn reported(
    verify: &Verify,
    finding: Finding,
    list: &[Grid],
    bank: Option<(&Load, Vec<u8>)>,
) -> Vec<(u64, u64)> {
    let mut run = Run::default();
    run.writing.style.format = Format::Report;
    run.writing.select = Terms::of(finding);
    let bank = bank.map(|(load, bytes)| {
        let bank = load.load(vec![source("bank", bytes)], Control::default()).unwrap();
        Arc::new(bank)
    });
    let verify = Verify { bank, ..verify.clone() };
    let memory = Memory::default();
    let mut output = Transaction::from(memory.sink());
    let sources = vec![source("list", text(list))];
    verify.run(&run, sources, None, &mut output, Control::default()).unwrap();
    output.commit(|_, _| String::new()).unwrap();
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
    let known: HashSet<_> = bank.iter().map(|puzzle| canon.one(puzzle).grid).collect();
    assert_eq!(known.len(), bank.len(), "the puzzles of the bank are different");
    let mut list: Vec<(Grid, Option<u64>)> = Vec::new();
    for _ in 0..planted {
        let index = maker.random.below(bank.len());
        list.push((maker.transformed(&bank[index]), Some(index as u64 + 1)));
    }
    for _ in 0..fresh {
        let puzzle = maker.puzzle();
        assert!(!known.contains(&canon.one(&puzzle).grid), "{puzzle}");
        list.push((puzzle, None));
    }
    maker.maps.shuffle(&mut list);
    let expected = list.iter().zip(1u64..).filter_map(|((_, place), line)| Some((line, (*place)?)));
    let expected: Vec<_> = expected.collect();
    let puzzles: Vec<_> = list.iter().map(|(puzzle, _)| *puzzle).collect();

    let verify = Verify::default();
    let load = Load::default();
    let found = reported(&verify, Finding::InBank, &puzzles, Some((&load, text(&bank))));
    assert!(found == expected, "{} of {planted}", found.len());

    // Duplicates: each puzzle of the bank that is planted comes after itself.
    let verify = Verify { duplicates: Some(Same::Isomorphic), ..Verify::default() };
    let all = [&bank[..], &puzzles].concat();
    let found = reported(&verify, Finding::Duplicate, &all, None);
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
