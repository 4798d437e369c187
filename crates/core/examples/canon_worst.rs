//! Searches for puzzles whose minlex form takes the longest, and prints each record.
//!
//! ```sh
//! cargo run --release -p ninefold-core --example canon_worst -- 300 1
//! ```
//!
//! The arguments are the seconds and the seed. Each round begins with a random puzzle of a kind that
//! is hard for a search row by row: few clues, few digits, one full house, cells of the grid with 648
//! automorphisms, the same pattern in several bands. It is then changed step by step, and a change
//! stays if the form takes longer. A record counts if the least of 50 more times is one.

use ninefold_core::puzzle::{Cell, Digit, Grid, House, Random, parse};
use ninefold_core::symmetry::Canon;
use std::time::{Duration, Instant};

const MOST_SYMMETRIC: &[u8; 81] =
    b"123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// Changes of one puzzle that are tried.
const CHANGES: usize = 60;

fn main() {
    let mut words = std::env::args().skip(1).map(|word| word.parse().expect("a number"));
    let seconds = words.next().unwrap_or(60);
    let mut random = Random::new(words.next().unwrap_or(1));
    let (mut canon, started) = (Canon::new(), Instant::now());
    let (mut worst, mut tried) = (Duration::ZERO, 0u64);
    while started.elapsed() < Duration::from_secs(seconds) {
        let mut puzzle = first(&mut random);
        let mut time = least_time(&mut canon, &puzzle, 3);
        for _ in 0..CHANGES {
            tried += 1;
            let other = changed(puzzle, &mut random);
            let other_time = least_time(&mut canon, &other, 3);
            if other_time > time {
                (puzzle, time) = (other, other_time);
            }
        }
        // Where other programs run, three times may all be interrupted.
        if time > worst && least_time(&mut canon, &puzzle, 50) > worst {
            worst = least_time(&mut canon, &puzzle, 50);
            println!("{:8.3} ms  {puzzle}", worst.as_secs_f64() * 1e3);
        }
    }
    println!("{tried} puzzles; the longest {:.3} ms", worst.as_secs_f64() * 1e3);
}

/// The least of so many times.
fn least_time(canon: &mut Canon, puzzle: &Grid, times: u32) -> Duration {
    let one = |_| {
        let started = Instant::now();
        std::hint::black_box(canon.minlex(puzzle));
        started.elapsed()
    };
    (0..times).map(one).min().unwrap_or_default()
}

fn digit(random: &mut Random, most: usize) -> Option<Digit> {
    Digit::new(1 + u8::try_from(random.below(most)).expect("under 9"))
}

/// A puzzle with which a round begins.
fn first(random: &mut Random) -> Grid {
    let full = parse::line(MOST_SYMMETRIC).expect("our own grid");
    let mut puzzle = Grid::EMPTY;
    let cell = |random: &mut Random| Cell::new(random.below(81));
    match random.below(6) {
        // Up to 7 clues, of any digits.
        0 => {
            for _ in 0..random.below(8) {
                puzzle.set(cell(random), digit(random, 9));
            }
        }
        // One full house, and up to 3 clues.
        1 => {
            let house = House::all().nth(random.below(27)).expect("27 houses");
            house.cells().iter().for_each(|&cell| puzzle.set(cell, full.get(cell)));
            for _ in 0..random.below(4) {
                puzzle.set(cell(random), digit(random, 9));
            }
        }
        // Any number of clues of one to three digits.
        2 => {
            let (digits, clues) = (1 + random.below(3), random.below(82));
            for _ in 0..clues {
                puzzle.set(cell(random), digit(random, digits));
            }
        }
        // Some digits of the grid with 648 automorphisms.
        3 => {
            let kept = random.below(512);
            for cell in Cell::all() {
                let value = full.get(cell);
                let stays = value.is_some_and(|it| kept >> (it.value() - 1) & 1 != 0);
                puzzle.set(cell, value.filter(|_| stays));
            }
        }
        // The same rows in each band.
        4 => {
            for place in 0..27 {
                let value = if random.below(3) == 0 { digit(random, 9) } else { None };
                (0..3).for_each(|band| puzzle.set(Cell::new(27 * band + place), value));
            }
        }
        // The same box everywhere.
        _ => {
            for (row, column) in (0..9).map(|place| (place / 3, place % 3)) {
                let value = if random.below(2) == 0 { digit(random, 3) } else { None };
                for (band, stack) in (0..9).map(|place| (place / 3, place % 3)) {
                    puzzle.set(Cell::new(9 * (3 * band + row) + 3 * stack + column), value);
                }
            }
        }
    }
    puzzle
}

/// The puzzle with a cell changed, or with a line copied to another.
fn changed(mut puzzle: Grid, random: &mut Random) -> Grid {
    let (one, other) = (random.below(9), random.below(9));
    match random.below(4) {
        0 => puzzle.set(Cell::new(random.below(81)), digit(random, 9)),
        1 => puzzle.set(Cell::new(random.below(81)), None),
        2 => (0..9).for_each(|column| {
            puzzle.set(Cell::new(9 * one + column), puzzle.get(Cell::new(9 * other + column)));
        }),
        _ => (0..9).for_each(|row| {
            puzzle.set(Cell::new(9 * row + one), puzzle.get(Cell::new(9 * row + other)));
        }),
    }
    puzzle
}
