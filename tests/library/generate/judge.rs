//! Judges of one puzzle, as plain as can be.

use ninefold::difficulty::Grade;
use ninefold::engine::{Engine, EngineKind};
use ninefold::puzzle::{Cell, CellSet, Digit, DigitSet, Grid, House};

/// An engine that takes no part in making puzzles.
pub(super) fn engine() -> Box<dyn Engine> {
    EngineKind::Mrv.build()
}

/// Whether a puzzle has one solution.
pub(super) fn is_unique(engine: &mut dyn Engine, puzzle: &Grid) -> bool {
    engine.solve(puzzle, 2).count == 1
}

/// A puzzle without some of its clues.
pub(super) fn without(puzzle: &Grid, cells: CellSet) -> Grid {
    let mut less = *puzzle;
    cells.cells().for_each(|cell| less.set(cell, None));
    less
}

/// Whether it has one solution, and more as soon as any of these steps is taken.
pub(super) fn is_minimal(engine: &mut dyn Engine, puzzle: &Grid, steps: &[CellSet]) -> bool {
    let clues = CellSet::of_clues(puzzle);
    is_unique(engine, puzzle)
        && steps
            .iter()
            .filter(|&&step| !(step & clues).is_empty())
            .all(|&step| !is_unique(engine, &without(puzzle, step)))
}

/// The grade of a puzzle, by sets of candidates and nothing clever.
pub(crate) fn grade(puzzle: &Grid) -> Grade {
    let mut candidates = [DigitSet::FULL; Cell::COUNT];
    for cell in Cell::all() {
        if let Some(digit) = puzzle.get(cell) {
            candidates[cell.index()] = DigitSet::of(digit);
        }
    }
    for (grade, rules) in [
        (Grade::NakedSingles, &[naked as Rule][..]),
        (Grade::Singles, &[naked, hidden]),
        (Grade::LockedCandidates, &[naked, hidden, locked]),
    ] {
        loop {
            let before = candidates;
            for rule in rules {
                rule(&mut candidates);
            }
            if candidates == before {
                break;
            }
        }
        if candidates.iter().all(|set| set.len() == 1) {
            return grade;
        }
    }
    Grade::Search
}

type Candidates = [DigitSet; Cell::COUNT];
type Rule = fn(&mut Candidates);

fn naked(candidates: &mut Candidates) {
    for cell in Cell::all().filter(|cell| candidates[cell.index()].len() == 1).collect::<Vec<_>>() {
        if let Some(digit) = candidates[cell.index()].first() {
            cell.peers().iter().for_each(|peer| candidates[peer.index()].remove(digit));
        }
    }
}

fn places(candidates: &Candidates, house: House, digit: Digit) -> Vec<Cell> {
    let cells = house.cells().into_iter();
    cells.filter(|cell| candidates[cell.index()].contains(digit)).collect()
}

fn hidden(candidates: &mut Candidates) {
    for house in House::all() {
        for digit in Digit::ALL {
            if let [cell] = places(candidates, house, digit)[..] {
                candidates[cell.index()] = DigitSet::of(digit);
            }
        }
    }
}

/// All places of a digit in one house lie in another one, too: it goes from the rest of that.
fn locked(candidates: &mut Candidates) {
    for house in House::all() {
        for digit in Digit::ALL {
            let cells = places(candidates, house, digit);
            for other in House::all().filter(|&other| other != house && cells.len() > 1) {
                if cells.iter().all(|cell| other.cells().contains(cell)) {
                    for cell in other.cells().iter().filter(|cell| !cells.contains(cell)) {
                        candidates[cell.index()].remove(digit);
                    }
                }
            }
        }
    }
}
