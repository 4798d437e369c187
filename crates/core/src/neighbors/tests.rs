//! Neighbors against brute force: every removal, every addition, one by one.

use super::*;
use crate::engine::EngineKind;
use crate::symmetry::Canon;
use std::collections::BTreeSet;

/// 17 clues; a hard one; minimal ones of the generator.
const PUZZLES: [&str; 4] = [
    ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
    "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
];

fn grid(line: &str) -> Grid {
    line.parse().unwrap()
}

/// The puzzle with this many cells more from its solution.
fn filled(puzzle: &Grid, more: usize) -> Grid {
    let (mut grid, solution) = (*puzzle, EngineKind::Mrv.build().solve(puzzle, 1).first.unwrap());
    let blanks = Cell::all().filter(|&cell| puzzle.get(cell).is_none());
    blanks.take(more).for_each(|cell| grid.set(cell, Some(solution.get(cell))));
    grid
}

fn search(puzzle: &Grid, around: Around) -> BTreeSet<[u8; 81]> {
    let mut neighbors = Neighbors::new(around);
    let (mut found, mut times) = (BTreeSet::new(), 0);
    let given_up = neighbors.many(&[*puzzle], &mut |_, neighbor, solution| {
        assert!(solution.keeps_clues_of(neighbor));
        found.insert(*neighbor.values());
        times += 1;
    });
    assert_eq!((times, given_up), (found.len(), vec![0]), "each once");
    found
}

/// All sets of `plus` candidates in increasing order, after the first `from`.
fn additions(
    puzzle: &Grid,
    candidates: &[(Cell, Digit)],
    plus: usize,
    visit: &mut dyn FnMut(&Grid),
) {
    if plus == 0 {
        return visit(puzzle);
    }
    for (place, &(cell, digit)) in candidates.iter().enumerate() {
        if puzzle.get(cell).is_none()
            && cell.peers().iter().all(|&it| puzzle.get(it) != Some(digit))
        {
            additions(&with(puzzle, cell, digit), &candidates[place + 1..], plus - 1, visit);
        }
    }
}

fn brute(puzzle: &Grid, around: Around) -> BTreeSet<[u8; 81]> {
    let clues: Vec<_> = Cell::all().filter(|&cell| puzzle.get(cell).is_some()).collect();
    let (mut engine, mut variants) = (EngineKind::Lanes.build(), Vec::new());
    let mut choice: Vec<_> = (0..around.minus).collect();
    let mut choices = 0;
    loop {
        choices += 1;
        let mut reduced = *puzzle;
        let removed = |cell: &Cell| {
            clues.iter().position(|it| it == cell).is_some_and(|at| choice.contains(&at))
        };
        Cell::all().filter(removed).for_each(|cell| reduced.set(cell, None));
        let candidates: Vec<_> = Cell::all()
            .filter(|cell| !around.same_cells || removed(cell))
            .flat_map(|cell| Digit::ALL.map(|digit| (cell, digit)))
            .filter(|&(cell, digit)| puzzle.get(cell) != Some(digit))
            .collect();
        additions(&reduced, &candidates, around.plus, &mut |variant| variants.push(*variant));
        if !next_choice(&mut choice, clues.len()) {
            break;
        }
    }
    let all = (0..around.minus).fold(1, |all, it| all * (clues.len() - it) / (it + 1));
    assert_eq!(choices, all);
    let mut answers = Vec::new();
    engine.prove_batch(&variants, &mut answers);
    let is_unique = |answer: &crate::engine::Answer| answer.count == 1;
    let unique = variants.iter().zip(&answers).filter(|(_, answer)| is_unique(answer));
    let mut unique: BTreeSet<_> = unique.map(|(variant, _)| *variant.values()).collect();
    if around.needed {
        unique.retain(|values| {
            let grid = Grid::try_from(*values).unwrap();
            Cell::all().filter(|&cell| grid.get(cell).is_some()).all(|cell| {
                let is_added = puzzle.get(cell) != grid.get(cell);
                let mut without = grid;
                without.set(cell, None);
                !is_added || engine.solve(&without, 2).count == 2
            })
        });
    }
    unique
}

#[test]
fn neighbors_are_those_of_brute_force() {
    let mut seen = 0;
    for (place, line) in PUZZLES.iter().enumerate() {
        let puzzle = grid(line);
        for (minus, plus) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for (same_cells, needed) in [(false, false), (true, false), (false, true)] {
                let around = Around { minus, plus, same_cells, needed };
                let is_plain = !same_cells && !needed;
                if same_cells && minus != plus || !is_plain && place != 1 {
                    continue;
                }
                let found = search(&puzzle, around);
                assert_eq!(found, brute(&puzzle, around), "{around:?} of {place}: {line}");
                seen += found.len();
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn neighbors_with_two_clues_more_are_those_of_brute_force() {
    let puzzle = filled(&grid(PUZZLES[1]), 46);
    for (minus, plus, needed) in [(0, 2, false), (0, 3, false), (0, 2, true)] {
        let around = Around { minus, plus, same_cells: false, needed };
        assert_eq!(search(&puzzle, around), brute(&puzzle, around), "{around:?}");
    }
    let puzzle = filled(&grid(PUZZLES[1]), 30);
    let around = Around { minus: 2, plus: 1, same_cells: false, needed: false };
    assert_eq!(search(&puzzle, around), brute(&puzzle, around));
    let around = Around { minus: 2, plus: 2, same_cells: true, needed: false };
    assert_eq!(search(&puzzle, around), brute(&puzzle, around));
}

/// With a memory of reduced puzzles, fewer places are found, but at the first puzzle all classes.
#[test]
fn shared_reduced_puzzles_hide_no_class() {
    let mut canon = Canon::new();
    for (minus, plus) in [(1, 1), (2, 1), (1, 2)] {
        let around = Around { minus, plus, ..Around::default() };
        let source = grid(PUZZLES[1]);
        // The source, its neighbors, and an isomorphic copy.
        let mut sources = vec![source];
        let near = search(&source, Around::default());
        sources.extend(near.iter().take(5).map(|values| Grid::try_from(*values).unwrap()));
        sources.push(canon.one(&source).grid);
        if plus == 2 {
            for source in &mut sources {
                *source = filled(source, 40);
            }
        }
        let mut classes = |shared: bool| {
            let neighbors = Neighbors::new(around);
            let mut neighbors = if shared { neighbors.shared() } else { neighbors };
            let (mut all, mut times) = (BTreeSet::new(), 0);
            let mut new = Vec::new();
            for source in &sources {
                let before = all.len();
                neighbors.many(&[*source], &mut |_, neighbor, _| {
                    times += 1;
                    all.insert(*canon.one(neighbor).grid.values());
                });
                new.push(all.len() - before);
            }
            (all, new, times)
        };
        let (alone, shared) = (classes(false), classes(true));
        assert_eq!((&alone.0, &alone.1), (&shared.0, &shared.1), "{around:?}");
        assert!(shared.2 < alone.2, "{around:?}: {} of {}", shared.2, alone.2);
    }
}
