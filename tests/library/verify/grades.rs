//! The grades of puzzles, before the textbook's rules, one cell and one digit at a time.

use crate::support::{self, Random};
use ninefold::difficulty::{Gauge, Grade, Measure};
use ninefold::engine::lanes::SimdLevel;
use ninefold::puzzle::{Cell, Digit, Grid, House};

const PUZZLES: usize = crate::verify::in_release(20_000);

/// A puzzle, and which digits each blank may still hold.
struct Textbook {
    grid: Grid,
    may: [[bool; 10]; 81],
}

impl Textbook {
    fn new(puzzle: &Grid) -> Self {
        let mut textbook = Self { grid: Grid::EMPTY, may: [[true; 10]; 81] };
        for cell in Cell::all() {
            if let Some(digit) = puzzle.get(cell) {
                textbook.place(cell, digit);
            }
        }
        textbook
    }

    fn may(&self, cell: Cell, digit: Digit) -> bool {
        self.grid.get(cell).is_none() && self.may[cell.index()][usize::from(digit.value())]
    }

    fn forbid(&mut self, cell: Cell, digit: Digit) {
        self.may[cell.index()][usize::from(digit.value())] = false;
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        self.grid.set(cell, Some(digit));
        for peer in cell.peers() {
            self.forbid(peer, digit);
        }
    }

    /// The first blank with one candidate.
    fn naked_single(&mut self) -> bool {
        let found = Cell::all().find_map(|cell| {
            let mut digits = Digit::ALL.into_iter().filter(|&digit| self.may(cell, digit));
            let digit = digits.next()?;
            digits.next().is_none().then_some((cell, digit))
        });
        found.is_some_and(|(cell, digit)| {
            self.place(cell, digit);
            true
        })
    }

    fn places(&self, house: House, digit: Digit) -> Vec<Cell> {
        house.cells().into_iter().filter(|&cell| self.may(cell, digit)).collect()
    }

    /// The first digit with one place in a house.
    fn hidden_single(&mut self) -> bool {
        for house in House::all() {
            for digit in Digit::ALL {
                if let [cell] = self.places(house, digit)[..] {
                    self.place(cell, digit);
                    return true;
                }
            }
        }
        false
    }

    /// All places of a digit in one house lie in another, which has further places.
    fn locked_candidates(&mut self) -> bool {
        for one in House::all() {
            for digit in Digit::ALL {
                let places = self.places(one, digit);
                let around = House::all().filter(|&other| other != one);
                for other in around {
                    let cells = other.cells();
                    if places.is_empty() || !places.iter().all(|cell| cells.contains(cell)) {
                        continue;
                    }
                    let mut rest = self.places(other, digit);
                    rest.retain(|cell| !places.contains(cell));
                    for &cell in &rest {
                        self.forbid(cell, digit);
                    }
                    if !rest.is_empty() {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn grade(puzzle: &Grid) -> Grade {
        let mut textbook = Self::new(puzzle);
        while textbook.naked_single() {}
        if textbook.grid.clues() == 81 {
            return Grade::NakedSingles;
        }
        while textbook.naked_single() || textbook.hidden_single() {}
        if textbook.grid.clues() == 81 {
            return Grade::Singles;
        }
        while textbook.naked_single() || textbook.hidden_single() || textbook.locked_candidates() {}
        if textbook.grid.clues() == 81 { Grade::LockedCandidates } else { Grade::Search }
    }
}

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
    for seed in 0..PUZZLES as u64 / 100 {
        let random = &mut Random(seed);
        let puzzles: Vec<_> =
            (0..100).map(|_| crate::verify::changed_form(&bases, random)).collect();
        let expected: Vec<_> = puzzles.iter().map(Textbook::grade).collect();
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

#[test]
fn a_grade_does_not_depend_on_the_batch() {
    let puzzles = crate::verify::good();
    let mut gauge = Gauge::new().with_measures([Measure::Grade]).with_level(SimdLevel::Portable);
    let mut grade = |puzzle| gauge.many_unique(&[puzzle], &[])[0].grade.unwrap();
    let expected: Vec<_> = puzzles.iter().map(|&puzzle| grade(puzzle)).collect();
    for size in [0, 1, 3, 31, 32, 33, 2000] {
        let size = size.min(puzzles.len());
        assert_grades(&puzzles[..size], &expected, &format!("{size} puzzles"));
    }
}
