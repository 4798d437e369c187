//! Canonical forms against their definition: the least of all 3,359,232 positions.
//!
//! ```text
//! ordinary run     28 puzzles of every kind against all positions, and the laws for 1,000
//! --ignored        1,000 puzzles against all positions (in `.ci/full`); NINEFOLD_LIST=FILE names a list
//!                  of puzzles that are pairwise not isomorphic, such as the 49,158 with 17 clues
//! ```

use ninefold_core::puzzle::{Cell, Digit, Grid, Random, Solution, parse};
use ninefold_core::symmetry::{Canon, Isomorphism, isomorphism};
use std::collections::HashSet;

/// `puzzle name`: puzzles of every kind, most of them hard for a search in some way.
const PUZZLES: &str = include_str!("data/forms.txt");

fn puzzles() -> Vec<(&'static str, Grid)> {
    let puzzle =
        |line: &'static str| line.split_once(' ').map(|(puzzle, name)| (name, grid(puzzle)));
    PUZZLES.lines().filter_map(puzzle).collect()
}

const MOST_SYMMETRIC: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

fn grid(line: &str) -> Grid {
    parse::line(line.as_bytes()).unwrap()
}

/// All positions of a puzzle, tried one after the other.
///
/// Of the orders of rows that begin with the same rows, all are left out once these rows are
/// larger than those of the least form so far. Nothing else is left out.
struct Exhaustive {
    /// The puzzle with its columns in some order, perhaps transposed.
    moved: [[u8; 9]; 9],
    best: [[u8; 9]; 9],
    count: u32,
}

impl Exhaustive {
    /// The least form of a puzzle and the number of its automorphisms.
    fn least(grid: &Grid) -> (Grid, u32) {
        let mut search = Self { moved: [[0; 9]; 9], best: [[10; 9]; 9], count: 0 };
        let at = |row: usize, column: usize| grid.values()[9 * row + column];
        for columns in all_line_orders() {
            let fill = |cell: &dyn Fn(usize, usize) -> u8| {
                core::array::from_fn(|row| columns.map(|column| cell(row, column)))
            };
            search.moved = fill(&|row, column| at(row, column));
            search.add_row(&mut Vec::new(), [0; 10], 0);
            search.moved = fill(&|row, column| at(column, row));
            search.add_row(&mut Vec::new(), [0; 10], 0);
        }
        (Grid::try_from(search.best).unwrap(), search.count)
    }

    fn add_row(&mut self, rows: &mut Vec<usize>, labels: [u8; 10], used: u8) {
        let depth = rows.len();
        if depth == 9 {
            self.count += 1;
            return;
        }
        for row in 0..9 {
            let goes_on = depth.is_multiple_of(3) || rows[depth - 1] / 3 == row / 3;
            if rows.contains(&row) || !goes_on {
                continue;
            }
            let (mut labels, mut used) = (labels, used);
            let image = self.moved[row].map(|digit| {
                if digit != 0 && labels[usize::from(digit)] == 0 {
                    used += 1;
                    labels[usize::from(digit)] = used;
                }
                labels[usize::from(digit)]
            });
            if image > self.best[depth] {
                continue;
            }
            if image < self.best[depth] {
                self.best[depth] = image;
                self.best[depth + 1..].fill([10; 9]);
                self.count = 0;
            }
            rows.push(row);
            self.add_row(rows, labels, used);
            rows.pop();
        }
    }
}

/// The 1,296 orders of nine lines that keep bands together.
fn all_line_orders() -> Vec<[usize; 9]> {
    let three = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    (0..1296)
        .map(|number: usize| {
            let bands = three[number / 216];
            let inner = [number / 36 % 6, number / 6 % 6, number % 6].map(|order| three[order]);
            core::array::from_fn(|line| 3 * bands[line / 3] + inner[line / 3][line % 3])
        })
        .collect()
}

/// A puzzle of one of nine kinds, most of them cut from a full grid.
fn random_puzzle(kind: usize, random: &mut Random) -> Grid {
    let full = grid(if random.below(4) == 0 {
        MOST_SYMMETRIC
    } else {
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    });
    let full = Isomorphism::random(&mut *random).apply(&full);
    let mut cells: Vec<_> = Cell::all().collect();
    random.shuffle(&mut cells);
    let kept = match kind {
        0 => random.below(8),
        1 => 8 + random.below(9),
        2 | 3 => 17 + random.below(10),
        4 => 27 + random.below(30),
        5 => 57 + random.below(25),
        _ => random.below(40),
    };
    let mut puzzle = Grid::EMPTY;
    for &cell in &cells[..kept] {
        puzzle.set(cell, full.get(cell));
    }
    match kind {
        // Fewer digits.
        6 => {
            for cell in Cell::all() {
                let few = |digit: Digit| Digit::new(digit.value().div_ceil(3)).unwrap();
                puzzle.set(cell, puzzle.get(cell).map(few));
            }
        }
        // Any digits.
        7 => {
            for &cell in &cells[..kept] {
                puzzle.set(cell, Digit::new(1 + u8::try_from(random.below(9)).unwrap()));
            }
        }
        // A pattern that its own transposition keeps.
        8 => {
            for cell in Cell::all().filter(|cell| cell.row() < cell.column()) {
                let mirrored = Cell::new(cell.column() * 9 + cell.row());
                puzzle.set(cell, puzzle.get(mirrored));
            }
        }
        _ => {}
    }
    puzzle
}

fn agrees_with_the_definition(canon: &mut Canon, name: &str, puzzle: &Grid) {
    let form = canon.one(puzzle);
    let (expected, automorphisms) = Exhaustive::least(puzzle);
    assert_eq!(form.grid, expected, "{name}: {puzzle}");
    assert_eq!(form.automorphisms, automorphisms, "{name}: {puzzle}");
    assert_eq!(form.map.apply(puzzle), expected, "{name}: {puzzle} by {}", form.map);
}

fn keeps_the_laws(canon: &mut Canon, name: &str, puzzle: &Grid, times: usize, random: &mut Random) {
    let form = canon.one(puzzle);
    assert!(form.grid.values() <= puzzle.values(), "{name}: {puzzle}");
    assert_eq!(form.map.apply(puzzle), form.grid, "{name}: {puzzle}");
    assert_eq!(canon.one(&form.grid).grid, form.grid, "{name}: {puzzle}");
    for _ in 0..times {
        let map = Isomorphism::random(&mut *random);
        let other = canon.one(&map.apply(puzzle));
        assert_eq!(other.grid, form.grid, "{name}: {puzzle} by {map}");
        assert_eq!(other.automorphisms, form.automorphisms, "{name}: {puzzle} by {map}");
    }
}

#[test]
fn the_form_is_the_least_of_all_positions() {
    let (mut canon, mut random) = (Canon::new(), Random::new(1));
    for (name, puzzle) in puzzles() {
        agrees_with_the_definition(&mut canon, name, &puzzle);
    }
    for index in 0..12 {
        let puzzle = random_puzzle(index % 9, &mut random);
        agrees_with_the_definition(&mut canon, "random", &puzzle);
    }
}

#[test]
#[ignore = "takes a minute in a release build; .ci/full has it"]
fn a_thousand_puzzles_by_the_definition() {
    let mut random = Random::new(2);
    let named = puzzles().into_iter().map(|(_, puzzle)| puzzle).collect();
    let lists = [listed(), grids(include_str!("data/minimal.txt")), named];
    let lists: Vec<_> = lists.into_iter().filter(|list| !list.is_empty()).collect();
    let puzzles: Vec<_> = (0..1000)
        .map(|index| match index % 3 {
            0 => {
                let list = &lists[index / 3 % lists.len()];
                Isomorphism::random(&mut random).apply(&list[random.below(list.len())])
            }
            _ => random_puzzle(index % 9, &mut random),
        })
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for part in puzzles.chunks(puzzles.len().div_ceil(threads)) {
            scope.spawn(move || {
                let mut canon = Canon::new();
                for puzzle in part {
                    agrees_with_the_definition(&mut canon, "any", puzzle);
                }
            });
        }
    });
}

#[test]
fn isomorphic_puzzles_have_one_form() {
    let (mut canon, mut random) = (Canon::new(), Random::new(3));
    for (name, puzzle) in puzzles() {
        keeps_the_laws(&mut canon, name, &puzzle, 200, &mut random);
    }
    for puzzle in grids(include_str!("data/minimal.txt")) {
        keeps_the_laws(&mut canon, "minimal", &puzzle, 10, &mut random);
    }
    for index in 0..960 {
        let puzzle = random_puzzle(index % 9, &mut random);
        keeps_the_laws(&mut canon, "random", &puzzle, 10, &mut random);
    }
}

#[test]
fn known_forms() {
    let (mut canon, puzzles) = (Canon::new(), puzzles());
    let form = canon.one(&puzzles[0].1).grid;
    let known = "000000001000000020000003000000040500006000300007810000010020004030000070950000000";
    assert_eq!(form, grid(known));
    assert_eq!(canon.one(&Grid::EMPTY).grid, Grid::EMPTY);
    let one = format!("{}1", "0".repeat(80));
    assert_eq!(canon.one(&puzzles[7].1).grid, grid(&one));
    let form = canon.one(&grid(MOST_SYMMETRIC));
    assert_eq!((form.grid, form.automorphisms), (grid(MOST_SYMMETRIC), 648));
    let last = "457893612986217354274538196531964827698721435342685971715349268869172543";
    let last = grid(&format!("123456789{last}"));
    let form = canon.one(&last);
    assert_eq!((form.grid, form.automorphisms), (last, 72));
}

/// The automorphisms of a full grid by their definition: the columns and the first row decide the rest.
fn automorphisms_of(full: &Grid) -> Vec<Isomorphism> {
    let rows_of = |grid: &Grid| -> Vec<[u8; 9]> { grid.values().as_chunks::<9>().0.to_vec() };
    let mut found = Vec::new();
    for turn in [Isomorphism::IDENTITY, Isomorphism::TRANSPOSE] {
        let (wanted, given) = (rows_of(full), rows_of(&turn.apply(full)));
        for columns in all_line_orders() {
            let moved: Vec<_> = given.iter().map(|row| columns.map(|column| row[column])).collect();
            for first in &moved {
                let mut digits = [0; 10];
                (0..9).for_each(|place| digits[usize::from(first[place])] = wanted[0][place]);
                let image = |row: &[u8; 9]| row.map(|value| digits[usize::from(value)]);
                let source = |row: &[u8; 9]| moved.iter().position(|other| image(other) == *row);
                let Some(rows) = wanted.iter().map(source).collect::<Option<Vec<_>>>() else {
                    continue;
                };
                let digits = core::array::from_fn(|place| Digit::new(digits[place + 1]).unwrap());
                let map = Isomorphism::new(digits, rows.try_into().unwrap(), columns);
                found.extend(map.map(|map| turn.then(&map)));
            }
        }
    }
    found
}

/// Published numbers: a grid has one of these numbers of automorphisms, and no other.
#[test]
fn grids_have_the_published_numbers_of_automorphisms() {
    const KNOWN: [u32; 16] = [1, 2, 3, 4, 6, 8, 9, 12, 18, 27, 36, 54, 72, 108, 162, 648];
    let (mut canon, mut random) = (Canon::new(), Random::new(8));
    let mut seen = HashSet::new();
    // Two rectangles or two digits of a symmetric grid are exchanged, as often as it stays a grid.
    let mut full = grid(MOST_SYMMETRIC);
    for round in 0..20_000 {
        if round % 8 == 0 {
            full = grid(MOST_SYMMETRIC);
        }
        let mut other = full;
        let (one, two) = (random.below(9), random.below(9));
        let band = random.below(3) * 3;
        let columns: Vec<_> = (0..9).filter(|_| random.below(3) == 0).collect();
        let rows = [band + one % 3, band + two % 3];
        for column in columns {
            let [upper, lower] = rows.map(|row| Cell::new(9 * row + column));
            other.set(upper, full.get(lower));
            other.set(lower, full.get(upper));
        }
        if random.below(2) == 0 {
            other = Isomorphism::TRANSPOSE.apply(&other);
        }
        if Solution::try_from(other).is_ok() {
            full = other;
            let number = canon.one(&full).automorphisms;
            assert!(KNOWN.contains(&number), "{full} has {number}");
            seen.insert(number);
        }
    }
    assert!(seen.len() >= 3, "{seen:?}");
}

#[test]
fn the_form_by_the_solution_groups_isomorphic_puzzles() {
    let (mut canon, mut random) = (Canon::new(), Random::new(5));
    let full = [
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
        MOST_SYMMETRIC,
    ];
    let full = full.map(|line| {
        let least = canon.one(&grid(line));
        let automorphisms = automorphisms_of(&least.grid);
        assert_eq!(automorphisms.len(), least.automorphisms as usize, "{line}");
        (Solution::try_from(grid(line)).unwrap(), least.grid, automorphisms)
    });
    for index in 0..60 {
        let (solution, least, automorphisms) = &full[index % 2];
        let mut puzzle = Grid::EMPTY;
        for cell in Cell::all().filter(|_| random.below(3) == 0) {
            puzzle.set(cell, Some(solution.get(cell)));
        }
        let form = canon.solution_minlex(&puzzle, solution);
        assert_eq!(form.map.apply(&puzzle), form.grid);
        assert_eq!(form.map.apply(solution.grid()), *least);
        // The least of all images under maps of the solution to its least form.
        let images = automorphisms.iter().map(|map| form.map.then(map).apply(&puzzle));
        assert_eq!(images.min(), Some(form.grid));
        for _ in 0..50 {
            let map = Isomorphism::random(&mut random);
            let moved = Solution::try_from(map.apply(solution.grid())).unwrap();
            let other = canon.solution_minlex(&map.apply(&puzzle), &moved);
            assert_eq!(other.grid, form.grid, "{puzzle} by {map}");
            assert_eq!(other.automorphisms, form.automorphisms, "{puzzle} by {map}");
        }
    }
}

#[test]
fn isomorphic_puzzles_are_found_with_a_map() {
    let (mut canon, mut random) = (Canon::new(), Random::new(6));
    for index in 0..300 {
        let one = random_puzzle(index % 9, &mut random);
        let two = Isomorphism::random(&mut random).apply(&one);
        let map = canon.isomorphism(&one, &two).unwrap();
        assert_eq!(map.apply(&one), two, "{map}");
    }
    let puzzles = puzzles();
    let (one, two) = (puzzles[2].1, puzzles[3].1);
    assert_eq!(isomorphism(&one, &two), None);
    assert_eq!(isomorphism(&one, &Grid::EMPTY), None);
    assert_eq!(isomorphism(&one, &one), Some(Isomorphism::IDENTITY));
}

/// The puzzles of the list that is named, if one is.
fn listed() -> Vec<Grid> {
    let Ok(path) = std::env::var("NINEFOLD_LIST") else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(path).unwrap();
    grids(&text)
}

fn grids(text: &str) -> Vec<Grid> {
    text.lines().filter(|line| !line.starts_with('#')).map(grid).collect()
}

#[test]
#[ignore = "needs a list"]
fn the_puzzles_of_a_list_have_a_form_each() {
    let (mut canon, mut random) = (Canon::new(), Random::new(7));
    let list = listed();
    let forms: HashSet<_> = list.iter().map(|puzzle| canon.one(puzzle).grid).collect();
    assert_eq!(forms.len(), list.len());
    for puzzle in &list {
        let other = Isomorphism::random(&mut random).apply(puzzle);
        assert!(forms.contains(&canon.one(&other).grid), "{puzzle}");
    }
}
