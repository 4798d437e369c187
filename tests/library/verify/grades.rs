//! The grades of puzzles, before a judge that uses the textbook's rules and nothing clever.

use crate::generate::judge;
use crate::support::{self, Random};
use ninefold::difficulty::{Gauge, Grade, Measure};
use ninefold::engine::lanes::SimdLevel;
use ninefold::puzzle::{Cell, Digit, Grid};

const PUZZLES: usize = crate::verify::in_release(20_000);

fn assert_grades(puzzles: &[Grid], expected: &[Grade], what: &str) {
    for level in SimdLevel::available() {
        let mut gauge = Gauge::new().with_measures([Measure::Grade]).with_level(level);
        let measured = gauge.many_unique(puzzles, &[]);
        assert_eq!(measured.len(), puzzles.len());
        for ((puzzle, measured), expected) in puzzles.iter().zip(measured).zip(expected) {
            assert_eq!(measured.grade, Some(*expected), "{what}, {level}: {puzzle}");
        }
    }
}

#[test]
fn puzzles_fall_to_what_the_textbook_says() {
    let bases = crate::verify::good();
    let mut seen = [0; 4];
    // Batches that need one lane, all but one, all, and more.
    let sizes = [1, 31, 32, 33, 403].into_iter().cycle();
    for (seed, size) in (0..).zip(sizes).take(PUZZLES / 100) {
        let random = &mut Random(seed);
        let puzzles: Vec<_> =
            (0..size).map(|_| crate::verify::changed_form(&bases, random)).collect();
        let expected: Vec<_> = puzzles.iter().map(judge::grade).collect();
        assert_grades(&puzzles, &expected, &format!("seed {seed}"));
        for grade in expected {
            seen[grade as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > PUZZLES / 40), "{seen:?}");
}

/// No rule may seem to solve what has not one solution.
#[test]
fn puzzles_without_just_one_solution_need_search() {
    let puzzles: Vec<_> = [crate::verify::MULTIPLE, crate::verify::NONE]
        .into_iter()
        .flat_map(support::list)
        .collect();
    let mut puzzles = [&puzzles[..], &[Grid::EMPTY, support::grid(support::ILLEGAL)]].concat();
    // A full grid with two cells wrong, and with some of it blank.
    let mut wrong = support::grid(support::SOLVED);
    wrong.set(Cell::new(0), Digit::new(3));
    puzzles.push(wrong);
    for cell in (1..81).step_by(3).map(Cell::new) {
        wrong.set(cell, None);
        puzzles.push(wrong);
    }
    assert_grades(&puzzles, &vec![Grade::Search; puzzles.len()], "not one solution");
}
