//! Searches for puzzles that keep an engine busy: `cargo run --release -p ninefold-core --example
//! worst_cases -- [SECONDS] [ENGINE] [SEED]`.
//!
//! A hill climb: start from a board of one of five kinds, change it at random, keep the change if
//! the engine does not branch less often. A climb ends after 200 changes in vain. Branches are
//! counted, not seconds, so that a seed gives the same boards on every machine. For each kind, the
//! board with the most branches is printed, as 729 candidates.

use ninefold_core::engine::{Engine, EngineKind};
use ninefold_core::puzzle::{Cell, DigitSet, Grid, House, Puzzle, Random, Sukaku};
use std::error::Error;
use std::fmt::Display;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A search is ended after this number of branches.
const MOST: u64 = 3_000_000;

/// Changes in vain before a climb ends.
const PATIENCE: u32 = 200;

/// A legal grid without a solution: textbook searches need seconds.
const IMPOSSIBLE: &str =
    ".....5......6.1.4.............5........1.6...3.......553.....61........4.........";

type Cells = [u16; Cell::COUNT];

/// A kind of board, and how to make one.
type Kind = (&'static str, fn(&mut Random) -> Cells);

const KINDS: [Kind; 5] = [
    ("grids like an impossible one", mutant),
    ("sparse grids", sparse),
    ("digits confined to few lines", confined),
    ("houses with few digits", poor_houses),
    ("random candidates", scattered),
];

/// The impossible grid with one to six clues changed, moved or removed.
fn mutant(random: &mut Random) -> Cells {
    let mut values: [u8; Cell::COUNT] = IMPOSSIBLE.as_bytes().try_into().expect("81 cells");
    for _ in 0..=random.below(6) {
        let clues: Vec<usize> = (0..Cell::COUNT).filter(|&cell| values[cell] != b'.').collect();
        let clue = clues[random.below(clues.len())];
        match random.below(3) {
            0 => values[clue] = b'.',
            1 => values[clue] = b"123456789"[random.below(9)],
            _ => values.swap(clue, random.below(Cell::COUNT)),
        }
    }
    values.map(|value| if value == b'.' { 0x1ff } else { 1 << (value - b'1') })
}

/// 8 to 24 clues at random.
fn sparse(random: &mut Random) -> Cells {
    let mut cells = [0x1ff; Cell::COUNT];
    for _ in 0..8 + random.below(17) {
        cells[random.below(Cell::COUNT)] = 1 << random.below(9);
    }
    cells
}

/// One to nine digits, each with 3 to 7 rows that have no more columns than rows.
fn confined(random: &mut Random) -> Cells {
    let mut cells = [0x1ff; Cell::COUNT];
    for digit in 0..=random.below(9) {
        let (lines, more) = (3 + random.below(5), random.below(2));
        let (rows, columns) = (random.order::<9>(), random.order::<9>());
        for row in &rows[..lines + more] {
            for column in &columns[lines..] {
                cells[row * 9 + column] &= !(1 << digit);
            }
        }
    }
    cells
}

/// Up to 30 times, some cells of a house lose the same digits.
fn poor_houses(random: &mut Random) -> Cells {
    let houses: Vec<House> = House::all().collect();
    let mut cells = [0x1ff; Cell::COUNT];
    for _ in 0..random.below(30) {
        let digits = set(random);
        let count = 2 + random.below(6);
        for cell in &houses[random.below(27)].cells()[..count] {
            cells[cell.index()] &= !digits;
        }
    }
    cells
}

/// Each candidate with a probability of 50 to 70 %: of such boards about half have a solution.
fn scattered(random: &mut Random) -> Cells {
    let percent = 50 + random.below(20);
    let mut cells = [0; Cell::COUNT];
    for cell in &mut cells {
        for digit in 0..9 {
            *cell |= u16::from(random.below(100) < percent) << digit;
        }
    }
    cells
}

/// Any digits.
fn set(random: &mut Random) -> u16 {
    u16::try_from(random.below(512)).expect("nine bits")
}

/// A board that differs a little.
fn changed(mut cells: Cells, houses: &[House], random: &mut Random) -> Cells {
    match random.below(4) {
        0 => {
            for _ in 0..=random.below(4) {
                cells[random.below(Cell::COUNT)] ^= 1 << random.below(9);
            }
        }
        1 => {
            let (digit, places) = (random.below(9), set(random));
            for (place, cell) in houses[random.below(27)].cells().iter().enumerate() {
                cells[cell.index()] ^= (places >> place & 1) << digit;
            }
        }
        2 => cells[random.below(Cell::COUNT)] = set(random),
        _ => cells.swap(random.below(Cell::COUNT), random.below(Cell::COUNT)),
    }
    cells
}

/// A grid if each cell has one digit or all; the engines treat these differently.
fn puzzle(cells: &Cells) -> Puzzle {
    let sukaku = Sukaku::new(cells.map(DigitSet::from_bits));
    let is_grid = cells.iter().all(|&cell| cell.is_power_of_two() || cell == 0x1ff);
    if is_grid { sukaku.singles().into() } else { sukaku.into() }
}

/// The branches to prove that there are two solutions, one or none.
fn branches(engine: &mut dyn Engine, cells: &Cells) -> u64 {
    let (mut solutions, mut branches) = (0, 0);
    engine.each_solution_observed(
        &puzzle(cells),
        &mut |_| {
            solutions += 1;
            if solutions < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
        &mut || {
            branches += 1;
            if branches < MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    branches
}

/// Climbs from boards of one kind for some time. The worst board, and its branches.
fn climb(
    engine: &mut dyn Engine,
    (_, make): Kind,
    time: Duration,
    random: &mut Random,
) -> (u64, Cells) {
    let houses: Vec<House> = House::all().collect();
    let started = Instant::now();
    let mut worst = (0, [0; Cell::COUNT]);
    while started.elapsed() < time {
        let mut cells = make(random);
        let mut most = branches(engine, &cells);
        let mut in_vain = 0;
        while in_vain < PATIENCE && started.elapsed() < time {
            let other = changed(cells, &houses, random);
            let count = branches(engine, &other);
            in_vain = if count > most { 0 } else { in_vain + 1 };
            if count >= most {
                (most, cells) = (count, other);
            }
        }
        worst = worst.max((most, cells));
    }
    worst
}

fn argument<T: std::str::FromStr>(place: usize, default: T) -> Result<T, Box<dyn Error>>
where
    T::Err: Display,
{
    let Some(text) = std::env::args().nth(place) else { return Ok(default) };
    text.parse().map_err(|error| format!("{text}: {error}").into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let seconds: u64 = argument(1, 60)?;
    let mut engine = argument(2, EngineKind::default())?.build();
    let random = &mut Random::new(argument(3, 1)?);
    let time = Duration::from_secs(seconds) / u32::try_from(KINDS.len())?;
    for kind in KINDS {
        let (branches, cells) = climb(engine.as_mut(), kind, time, random);
        let puzzle = puzzle(&cells);
        let started = Instant::now();
        let answer = match &puzzle {
            Puzzle::Grid(grid) => engine.solve(grid, 2),
            Puzzle::Sukaku(sukaku) => {
                let mut answers = Vec::new();
                engine.solve_sukakus(std::slice::from_ref(sukaku), 2, &mut answers);
                answers[0]
            }
        };
        let (solutions, time) = (answer.count, started.elapsed());
        println!("{}: {branches} branches, {solutions} solutions, {time:?}", kind.0);
        println!("{puzzle}");
    }
    let empty = engine.solve(&Grid::EMPTY, 2);
    assert_eq!(empty.count, 2, "the engine still answers");
    Ok(())
}
