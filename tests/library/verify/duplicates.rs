//! The same puzzle twice, before a sort.

use crate::support::Random;
use ninefold::puzzle::{Grid, parse};
use ninefold::verify::{Duplicates, PackedGrid, Spool};

const PUZZLES: usize = crate::verify::in_release(100_000);

/// For each puzzle the first that is the same, if it is another: by sorting.
fn judge(puzzles: &[Grid]) -> Vec<Option<u32>> {
    let mut sorted: Vec<_> = puzzles.iter().map(Grid::values).zip(0u32..).collect();
    sorted.sort_unstable();
    let mut first = vec![None; puzzles.len()];
    for group in sorted.chunk_by(|one, two| one.0 == two.0) {
        for &(_, place) in &group[1..] {
            first[place as usize] = Some(group[0].1);
        }
    }
    first
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
        // Blanks written in another way are the same puzzle.
        let blank = [b'.', b'0'][random.below(2)];
        puzzles.push(parse::line(&puzzle.line(blank)).unwrap());
    }
    let expected = judge(&puzzles);
    let (mut duplicates, mut spool, mut found) =
        (Duplicates::new(), Spool::new(None).unwrap(), Vec::new());
    let mut rest = &puzzles[..];
    while !rest.is_empty() {
        let (batch, behind) = rest.split_at((1 + random.below(3000)).min(rest.len()));
        rest = behind;
        let batch: Vec<_> = batch.iter().map(PackedGrid::from).collect();
        duplicates.find(&batch, &mut spool, &mut found).unwrap();
        for puzzle in &batch {
            spool.push(puzzle, 0).unwrap();
        }
    }
    for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "puzzle {place}: {}", puzzles[place]);
    }
    assert_eq!(found.len(), puzzles.len());
    let count = expected.iter().flatten().count();
    assert!(count > PUZZLES / 5, "{count} duplicates");
}
