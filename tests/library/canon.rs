//! Canonical forms in bulk: transformed copies have the same form.
//!
//! ```text
//! ordinary run   thousands of puzzles
//! --ignored      a million: cargo test --release --test library canon -- --ignored
//! ```

use crate::support::Random;
use crate::support::lists::{EASY, MINIMAL};
use ninefold::bank::{Load, Same};
use ninefold::canon::{Canonize, FormKind};
use ninefold::engine::EngineKind;
use ninefold::input::{Hints, Source};
use ninefold::output::{Format, Sink, Transaction};
use ninefold::pipeline::{Control, Pipeline};
use ninefold::puzzle::{Grid, Solution};
use ninefold::run::{Run, Terms};
use ninefold::symmetry::{Canon, Isomorphism};
use ninefold::verify::{Finding, Verify};
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Memory that can be looked at afterwards.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(std::mem::take(&mut self.0.lock().unwrap())).unwrap()
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes puzzles, most of which have one solution, from the solutions of two lists.
pub(crate) struct Maker {
    solutions: Vec<Solution>,
    pub(crate) random: Random,
    pub(crate) maps: ninefold::puzzle::Random,
}

impl Maker {
    pub(crate) fn new(seed: u64) -> Self {
        let grids: Vec<_> = [EASY, MINIMAL].into_iter().flat_map(crate::support::list).collect();
        let mut answers = Vec::new();
        EngineKind::default().build().solve_batch(&grids, 1, &mut answers);
        let solutions = answers.into_iter().filter_map(|answer| answer.first).collect();
        Self { solutions, random: Random(seed), maps: ninefold::puzzle::Random::new(seed) }
    }

    /// A puzzle with 24 to 60 clues.
    pub(crate) fn puzzle(&mut self) -> Grid {
        let solution = &self.solutions[self.random.below(self.solutions.len())];
        let clues = 24 + self.random.below(37);
        crate::support::with_clues(solution, clues, &mut self.random)
    }

    pub(crate) fn transformed(&mut self, puzzle: &Grid) -> Grid {
        Isomorphism::random(&mut self.maps).apply(puzzle)
    }
}

pub(crate) fn text<'a>(puzzles: impl IntoIterator<Item = &'a Grid>) -> Vec<u8> {
    puzzles.into_iter().flat_map(|puzzle| [&puzzle.line(b'.')[..], b"\n"].concat()).collect()
}

pub(crate) fn source(name: &'static str, bytes: Vec<u8>) -> Source {
    let mut source = Source::from_bytes(name, bytes);
    source.find_layout(&Hints::default()).unwrap();
    source
}

/// The forms of a list, one a line, and a comment for a puzzle without one.
pub(crate) fn forms(form: FormKind, puzzles: &[Grid], pipeline: Pipeline) -> String {
    let (run, canonize) =
        (Run { pipeline, ..Run::default() }, Canonize { form, ..Canonize::default() });
    let memory = Memory::default();
    let sink = Sink::from_writer("memory", memory.clone());
    let sources = vec![source("list", text(puzzles))];
    let report = run.to(sink, &canonize, sources, Control::default()).unwrap();
    assert_eq!(report.total.puzzles, puzzles.len() as u64);
    memory.text()
}

fn assert_matched(count: usize) {
    let mut maker = Maker::new(1);
    let puzzles: Vec<_> = (0..count).map(|_| maker.puzzle()).collect();
    let copies: Vec<_> = puzzles.iter().map(|puzzle| maker.transformed(puzzle)).collect();
    for &form in FormKind::ALL {
        let one = forms(form, &puzzles, Pipeline::default());
        let two = forms(form, &copies, Pipeline::default());
        let different = one.lines().zip(two.lines()).zip(&puzzles).find(|((a, b), _)| a != b);
        assert!(different.is_none(), "{form}: {different:?}");
        assert_eq!(one.len(), two.len());
        let canonical = one.lines().filter(|line| !line.starts_with('#')).count();
        assert!(canonical > count / 3, "{form}: {canonical}");
    }
}

#[test]
fn transformed_copies_have_the_same_form() {
    assert_matched(3000);
}

#[test]
#[ignore = "a million puzzles take a minute in a release build"]
fn a_million_transformed_copies_have_the_same_form() {
    assert_matched(1_000_000);
}

#[test]
fn forms_do_not_depend_on_threads_or_chunks() {
    let mut maker = Maker::new(2);
    let puzzles: Vec<_> = (0..300).map(|_| maker.puzzle()).collect();
    for &form in FormKind::ALL {
        let expected = forms(form, &puzzles, Pipeline::default());
        for (threads, chunk_bytes) in [(1, 1), (2, 1000), (3, 1 << 20)] {
            let pipeline = Pipeline { threads, chunk_size: Some(chunk_bytes) };
            assert!(expected == forms(form, &puzzles, pipeline), "{form}, {chunk_bytes}");
        }
    }
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
    run.writing.select = Terms::of(finding as usize);
    let bank = bank.map(|(load, bytes)| {
        let bank = load.load(vec![source("bank", bytes)], Control::default()).unwrap();
        Arc::new(bank)
    });
    let verify = Verify { bank, ..verify.clone() };
    let memory = Memory::default();
    let mut output = Transaction::from(Sink::from_writer("memory", memory.clone()));
    let sources = vec![source("list", text(list))];
    verify.run(&run, sources, None, &mut output, Control::default()).unwrap();
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

    // A bank of forms.
    let canonical = forms(FormKind::Minlex, &bank, Pipeline::default()).into_bytes();
    let found = reported(&verify, Finding::InBank, &puzzles, Some((&load, canonical)));
    assert!(found == expected, "{} of {planted} in a bank of forms", found.len());

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
