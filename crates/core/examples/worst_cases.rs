//! Searches for puzzles that keep an engine busy.
//!
//! ```sh
//! cargo run --release -p ninefold-core --example worst_cases -- SECONDS ENGINE SEED LIMIT
//! ```
//!
//! A hill climb: it starts with a board of one of fourteen kinds, changes it at random, and keeps a change if
//! the engine needs as many branches or more. A climb ends after 200 changes without success. Branches are
//! counted, those of the engine and of the existence search together. For each kind, the example
//! prints the worst board with its number of solutions, as a line of `tests/library/lanes/worst.txt`, and
//! the time of its search on each level of vectors.
//!
//! With a LIMIT over 2, the longest series of branches without a solution counts: a search for a
//! thousand solutions may branch a thousand times as often.

use ninefold_core::engine::lanes::SimdLevel;
use ninefold_core::engine::{Engine, EngineKind};
use ninefold_core::puzzle::{Cell, DigitSet, Grid, House, Puzzle, Random, Sukaku};
use std::cell::Cell as StdCell;
use std::error::Error;
use std::fmt::Display;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A search is ended after this number of branches.
const MOST: u64 = 3_000_000;

/// Changes without success before a climb ends.
const PATIENCE: u32 = 200;

/// Grids that are known to take long: the first has no solution, the second is Norvig's impossible
/// puzzle, the third has one solution far from the start of a search in reading order, the last two
/// have 17 clues and one solution.
const FAMOUS: [&str; 5] = [
    ".....5......6.1.4.............5........1.6...3.......553.....61........4.........",
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...",
    "9..8...........5............2..1...3.1.....6....4...7.7.86.........3.1..4.....2..",
];

type Cells = [u16; Cell::COUNT];

/// A cell with all candidates.
const OPEN: u16 = 0x1ff;

/// A kind of board, and how to make one.
type Kind = (&'static str, fn(&mut Random) -> Cells);

const KINDS: [Kind; 14] = [
    ("mutants of famous grids", mutant),
    ("sparse grids", sparse),
    ("nearly empty grids with a contradiction", nearly_empty),
    ("digits confined to few lines", confined),
    ("houses with few digits", poor_houses),
    ("cells with few digits", poor_cells),
    ("cells with few digits, digits in few lines", poor_and_confined),
    ("two sets of cells with few digits", poor_twice),
    ("cells with few digits, and clues", poor_and_clues),
    ("grids without some digits", without_digits),
    ("several at once", several),
    ("random candidates", scattered),
    ("one rare solution", rare),
    ("one rare solution among confined digits", rare_and_confined),
];

/// A famous grid with one to six clues changed, moved or removed.
fn mutant(random: &mut Random) -> Cells {
    let famous = FAMOUS[random.below(FAMOUS.len())];
    let values: [u8; Cell::COUNT] = famous.as_bytes().try_into().expect("81 cells");
    let mut cells = values.map(|value| if value == b'.' { OPEN } else { 1 << (value - b'1') });
    for _ in 0..=random.below(6) {
        change_clue(&mut cells, random);
    }
    cells
}

/// 8 to 24 clues at random.
fn sparse(random: &mut Random) -> Cells {
    let mut cells = [OPEN; Cell::COUNT];
    for _ in 0..8 + random.below(17) {
        cells[random.below(Cell::COUNT)] = 1 << random.below(9);
    }
    cells
}

/// Three to seven cells of a column with one digit too few: clues in their rows are all other digits.
/// Up to five clues elsewhere.
fn nearly_empty(random: &mut Random) -> Cells {
    let mut cells = [OPEN; Cell::COUNT];
    let (digits, rows) = (random.order::<9>(), random.order::<9>());
    let (count, column) = (3 + random.below(5), random.below(9));
    let clues = &digits[count - 1..];
    for (place, row) in rows[..count].iter().enumerate() {
        let others = random.order::<9>().into_iter().filter(|&other| other != column);
        for (clue, other) in others.take(clues.len()).enumerate() {
            cells[row * 9 + other] = 1 << clues[(clue + place) % clues.len()];
        }
    }
    for _ in 0..random.below(6) {
        cells[random.below(Cell::COUNT)] = 1 << random.below(9);
    }
    cells
}

/// One to nine digits, each with 3 to 7 rows that have no more columns than rows.
fn confined(random: &mut Random) -> Cells {
    let mut cells = [OPEN; Cell::COUNT];
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
    let mut cells = [OPEN; Cell::COUNT];
    for _ in 0..random.below(30) {
        let digits = set(random);
        let count = 2 + random.below(6);
        for cell in &houses[random.below(27)].cells()[..count] {
            cells[cell.index()] &= !digits;
        }
    }
    cells
}

/// 15 to 40 cells with the same 3 to 6 digits, some of them with another one.
fn poor_cells(random: &mut Random) -> Cells {
    let mut cells = [OPEN; Cell::COUNT];
    let digits = &random.order::<9>()[..3 + random.below(4)];
    let few = digits.iter().fold(0, |few, digit| few | 1 << digit);
    let more = [few, few | 1 << random.below(9), few | 1 << random.below(9)];
    for _ in 0..15 + random.below(40) {
        cells[random.below(Cell::COUNT)] = more[random.below(6) % 5 % 3];
    }
    cells
}

/// Cells with few digits, and digits in few lines.
fn poor_and_confined(random: &mut Random) -> Cells {
    let (mut cells, other) = (poor_cells(random), confined(random));
    for (cell, other) in cells.iter_mut().zip(other) {
        *cell &= other;
    }
    cells
}

/// Cells with few digits, and others with few other digits.
fn poor_twice(random: &mut Random) -> Cells {
    let (mut cells, other) = (poor_cells(random), poor_cells(random));
    for (cell, other) in cells.iter_mut().zip(other) {
        *cell = if *cell == OPEN { other } else { *cell };
    }
    cells
}

/// Cells with few digits, and up to ten clues.
fn poor_and_clues(random: &mut Random) -> Cells {
    let mut cells = poor_cells(random);
    for _ in 0..=random.below(10) {
        cells[random.below(Cell::COUNT)] = 1 << random.below(9);
    }
    cells
}

/// A solution without three to six of its digits and one to twenty other clues, and two clues exchanged: the
/// blanks that see the others have the same few digits.
fn without_digits(random: &mut Random) -> Cells {
    let mut cells = solution(random);
    let digits = &random.order::<9>()[..3 + random.below(4)];
    let few = digits.iter().fold(0, |few, digit| few | 1 << digit);
    for cell in &mut cells {
        if *cell & few != 0 {
            *cell = OPEN;
        }
    }
    for _ in 0..=random.below(20) {
        cells[random.below(Cell::COUNT)] = OPEN;
    }
    change_clue(&mut cells, random);
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

/// What two or three of the other kinds have in common.
fn several(random: &mut Random) -> Cells {
    let makers = [confined, poor_houses, confined, poor_houses, scattered];
    let mut cells = [OPEN; Cell::COUNT];
    for _ in 0..2 + random.below(2) {
        let other = makers[random.below(makers.len())](random);
        for (cell, other) in cells.iter_mut().zip(other) {
            *cell &= other;
        }
    }
    cells
}

/// A solution, and of the other candidates 25 to 60 %.
fn rare(random: &mut Random) -> Cells {
    let mut cells = solution(random);
    let percent = 25 + random.below(35);
    for cell in &mut cells {
        for digit in 0..9 {
            *cell |= u16::from(random.below(100) < percent) << digit;
        }
    }
    cells
}

/// Candidates in which digits are confined, and a solution.
fn rare_and_confined(random: &mut Random) -> Cells {
    let (mut cells, solution) = (several(random), solution(random));
    for (cell, digit) in cells.iter_mut().zip(solution) {
        *cell |= digit;
    }
    cells
}

/// A full grid: the first solution of an empty one with its digits, rows and columns in random order.
fn solution(random: &mut Random) -> Cells {
    let first = EngineKind::Mrv.build().solve(&Grid::EMPTY, 1).first.expect("an empty grid");
    let digits = random.order::<9>();
    let [rows, columns] = [(); 2].map(|()| {
        let bands = random.order::<3>().map(|band| random.order::<3>().map(|line| 3 * band + line));
        bands.concat()
    });
    std::array::from_fn(|cell| {
        let value = first.get(Cell::new(rows[cell / 9] * 9 + columns[cell % 9])).value();
        1 << digits[usize::from(value) - 1]
    })
}

/// Any digits.
fn set(random: &mut Random) -> u16 {
    u16::try_from(random.below(512)).expect("nine bits")
}

/// A board that differs a little. A grid stays a grid.
fn changed(mut cells: Cells, houses: &[House], random: &mut Random) -> Cells {
    if is_grid(&cells) {
        for _ in 0..=random.below(2) {
            change_clue(&mut cells, random);
        }
        return cells;
    }
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

/// Adds a clue to a grid, or changes, moves or removes one.
fn change_clue(cells: &mut Cells, random: &mut Random) {
    let clues: Vec<usize> = (0..Cell::COUNT).filter(|&cell| cells[cell] != OPEN).collect();
    let clue = if clues.is_empty() { 0 } else { clues[random.below(clues.len())] };
    match random.below(4) {
        0 => cells[clue] = OPEN,
        1 => cells[clue] = 1 << random.below(9),
        2 => cells.swap(clue, random.below(Cell::COUNT)),
        _ => cells[random.below(Cell::COUNT)] = 1 << random.below(9),
    }
}

/// Whether each cell has one digit or all.
fn is_grid(cells: &Cells) -> bool {
    cells.iter().all(|&cell| cell.is_power_of_two() || cell == OPEN)
}

/// A grid if possible: the engines treat grids and sukakus differently.
fn puzzle(cells: &Cells) -> Puzzle {
    let sukaku = Sukaku::new(cells.map(DigitSet::from_bits));
    if is_grid(cells) { sukaku.singles().into() } else { sukaku.into() }
}

/// The branches to `limit` solutions or the proof that there are fewer, and the number of solutions.
/// With a limit over 2, the most branches without a solution.
fn branches(engine: &mut dyn Engine, cells: &Cells, limit: usize) -> (u64, usize) {
    let (branches, last) = (StdCell::new(0_u64), StdCell::new(0));
    let (mut solutions, mut longest) = (0, 0);
    engine.each_solution_observed(
        &puzzle(cells),
        &mut |_| {
            solutions += 1;
            longest = longest.max(branches.get() - last.replace(branches.get()));
            if solutions < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
        &mut || {
            branches.set(branches.get() + 1);
            let more = branches.get() - last.get() < MOST;
            if more { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    let branches = branches.get();
    (if limit > 2 { longest.max(branches - last.get()) } else { branches }, solutions)
}

/// The shortest of nine searches: others may use the processor.
fn time_of(engine: &mut dyn Engine, puzzle: &Puzzle, limit: usize) -> Duration {
    let time = |_| {
        let (started, mut answers) = (Instant::now(), Vec::with_capacity(1));
        match puzzle {
            Puzzle::Grid(grid) => engine.solve_batch(&[*grid], limit, &mut answers),
            Puzzle::Sukaku(sukaku) => engine.solve_sukakus(&[*sukaku], limit, &mut answers),
        }
        started.elapsed()
    };
    (0..9).map(time).min().expect("nine times")
}

/// Climbs from boards of one kind for some time. The worst board, with its branches and solutions.
fn climb(
    engine: &mut dyn Engine,
    limit: usize,
    (_, make): Kind,
    time: Duration,
    random: &mut Random,
) -> ((u64, usize), Cells) {
    let houses: Vec<House> = House::all().collect();
    let started = Instant::now();
    let mut worst = ((0, 0), [0; Cell::COUNT]);
    while started.elapsed() < time {
        let mut cells = make(random);
        let mut most = branches(engine, &cells, limit);
        let mut in_vain = 0;
        while in_vain < PATIENCE && started.elapsed() < time {
            let other = changed(cells, &houses, random);
            let count = branches(engine, &other, limit);
            in_vain = if count.0 > most.0 { 0 } else { in_vain + 1 };
            if count.0 >= most.0 {
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
    let engine_kind = argument(2, EngineKind::default())?;
    let mut engine = engine_kind.build();
    let random = &mut Random::new(argument(3, 1)?);
    let limit = argument(4, 2)?;
    let time = Duration::from_secs(seconds) / u32::try_from(KINDS.len())?;
    for kind in KINDS {
        let ((branches, solutions), cells) = climb(engine.as_mut(), limit, kind, time, random);
        let times = SimdLevel::available().map(|level| {
            let time = time_of(engine_kind.build_at(level).as_mut(), &puzzle(&cells), limit);
            format!(", {level} {:.1} ms", time.as_secs_f64() * 1e3)
        });
        println!("# {}: {branches} branches{}", kind.0, times.collect::<String>());
        println!("{solutions} {}", puzzle(&cells));
    }
    Ok(())
}
