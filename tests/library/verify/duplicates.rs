//! The same puzzle twice, before a sort.

use crate::support::{Memory, Random};
use ninefold::bank::Same;
use ninefold::input::{Hints, Source};
use ninefold::output::{Format, Transaction};
use ninefold::pipeline::{Control, Pipeline};
use ninefold::puzzle::Grid;
use ninefold::run::{Run, Terms};
use ninefold::verify::{Finding, Verify};
use std::fmt::Write as _;

const PUZZLES: usize = crate::verify::in_release(100_000);

/// For each puzzle the first that is the same, if it is another: by sorting.
fn judge(puzzles: &[Grid]) -> Vec<Option<usize>> {
    let mut sorted: Vec<_> = puzzles.iter().map(Grid::values).zip(0..).collect();
    sorted.sort_unstable();
    let mut first = vec![None; puzzles.len()];
    for group in sorted.chunk_by(|one, two| one.0 == two.0) {
        for &(_, place) in &group[1..] {
            first[place] = Some(group[0].1);
        }
    }
    first
}

/// The records of `verify --trust-unique --duplicates --only duplicate` for some texts.
fn records(texts: &[String], pipeline: Pipeline) -> String {
    let source = |(name, text): (&'static str, &String)| {
        let mut source = Source::from_bytes(name, text.clone().into());
        source.find_layout(&Hints::default()).unwrap();
        source
    };
    let duplicates = Some(Same::Exact);
    let verify = Verify { trust_unique: true, duplicates, ..Verify::default() };
    let mut run = Run { pipeline, ..Run::default() };
    run.writing.style.format = Format::Report;
    run.writing.select = Terms::of(Finding::Duplicate);
    let memory = Memory::default();
    let mut output = Transaction::from(memory.sink());
    let sources = ["one", "two"].into_iter().zip(texts).map(source).collect();
    verify.run(&run, sources, None, &mut output, Control::default()).unwrap();
    output.commit(|_, _| String::new()).unwrap();
    memory.text()
}

#[test]
fn duplicates_are_those_of_a_sort() {
    let bases = crate::verify::good();
    let random = &mut Random(1);
    let mut puzzles: Vec<Grid> = Vec::new();
    for _ in 0..PUZZLES {
        let puzzle = match random.below(4) {
            // One that came before, or one that differs from it in a cell.
            0 if !puzzles.is_empty() => puzzles[random.below(puzzles.len())],
            1 if !puzzles.is_empty() => {
                let mut puzzle = puzzles[random.below(puzzles.len())];
                puzzle.set(crate::support::random_clue(&puzzle, random), None);
                puzzle
            }
            _ => crate::verify::changed_form(&bases, random),
        };
        puzzles.push(puzzle);
    }
    // Two inputs, in which comments move the lines. Blanks written in another way are the same puzzle.
    let (mut texts, mut places) = (vec![String::new(); 2], Vec::new());
    let mut lines = [0; 2];
    for (index, puzzle) in puzzles.iter().enumerate() {
        let input = usize::from(index >= PUZZLES / 2);
        if random.below(3) == 0 {
            texts[input].push_str("# comment\n");
            lines[input] += 1;
        }
        let line = puzzle.line([b'.', b'0'][random.below(2)]);
        texts[input].extend([str::from_utf8(&line).unwrap(), "\n"]);
        lines[input] += 1;
        places.push(format!("{}:{}", ["one", "two"][input], lines[input]));
    }
    let mut expected = String::new();
    for (place, first) in places.iter().zip(judge(&puzzles)) {
        if let Some(first) = first {
            writeln!(expected, "{place}: same puzzle as {}", places[first]).unwrap();
        }
    }
    let count = expected.lines().count();
    assert!(count > PUZZLES / 5, "{count} duplicates");
    for (threads, chunk_size) in [(1, None), (2, Some(1000)), (3, Some(100_000))] {
        let found = records(&texts, Pipeline { threads, chunk_size });
        let different = found.lines().zip(expected.lines()).find(|(one, two)| one != two);
        assert!(found == expected, "{threads} threads: {different:?}");
    }
}
