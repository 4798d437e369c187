//! Grids far from any puzzle.

use crate::lanes::{EMPTIED, assert_solves, handed_over, in_release, solve_all};
use crate::support::{self, Random};
use ninefold::engine::{Answer, Engine, EngineKind};
use ninefold::puzzle::{Cell, Digit, Grid, House, Puzzle, Sukaku, rules};
use std::ops::ControlFlow;

/// Each engine has no answer to any of these, and says so while the test waits.
fn assert_no_solution(puzzles: &[Grid], what: &str) {
    for lanes in support::lanes() {
        let mut engine = lanes.build();
        for limit in [1, usize::MAX] {
            for (puzzle, answer) in puzzles.iter().zip(solve_all(engine.as_mut(), puzzles, limit)) {
                assert_eq!(answer, Answer::default(), "{lanes}, {what}: {puzzle}");
            }
        }
        for puzzle in puzzles.iter().take(in_release(500)) {
            assert_eq!(engine.solve(puzzle, 2), Answer::default(), "{lanes}, {what}: {puzzle}");
            assert_eq!(handed_over(engine.as_mut(), puzzle, 2), [], "{lanes}, {what}: {puzzle}");
        }
    }
}

/// This is what happened when the sum of all digits was taken for the proof that no cell is
/// empty; see the file.
#[test]
fn a_cell_emptied_in_the_last_pass_is_no_solution() {
    assert_no_solution(&support::list(EMPTIED), "emptied");
}

#[test]
fn an_empty_grid_is_counted_to_any_limit() {
    let mut firsts = Vec::new();
    for lanes in support::lanes() {
        for limit in [1, 2, 1000, in_release(100_000)] {
            let answer = lanes.build().solve(&Grid::EMPTY, limit);
            assert_eq!(answer.count, limit, "{lanes}");
            firsts.extend(answer.first);
        }
        firsts.extend(handed_over(lanes.build().as_mut(), Grid::EMPTY, 1));
    }
    assert!(firsts.iter().all(|first| *first == firsts[0]));
}

/// The deepest stacks there are: nothing but a single clue to begin with.
#[test]
fn a_grid_with_one_clue_is_counted_to_any_limit() {
    let digits = |cell| Digit::ALL.map(|digit| (cell, digit));
    let mut puzzles = Vec::new();
    for (cell, digit) in
        Cell::all().flat_map(digits).step_by(if cfg!(debug_assertions) { 7 } else { 1 })
    {
        let mut puzzle = Grid::EMPTY;
        puzzle.set(cell, Some(digit));
        puzzles.push(puzzle);
    }
    for lanes in support::lanes() {
        for limit in [1, 20] {
            let answers = solve_all(lanes.build().as_mut(), &puzzles, limit);
            for (puzzle, answer) in puzzles.iter().zip(answers) {
                assert_eq!(answer.count, limit, "{lanes}: {puzzle}");
                assert_solves(&answer.first.expect("it was counted"), puzzle, lanes);
            }
        }
    }
}

/// All pairs of cells of all houses, and nothing else in the grid: a search would never end.
#[test]
fn two_equal_digits_in_a_house_of_an_empty_grid_have_no_solution() {
    let mut puzzles = Vec::new();
    for house in House::all() {
        let cells = house.cells();
        for (place, &one) in cells.iter().enumerate() {
            for &two in &cells[..place] {
                let mut puzzle = Grid::EMPTY;
                let digit = Digit::ALL[(one.index() + two.index()) % 9];
                puzzle.set(one, Some(digit));
                puzzle.set(two, Some(digit));
                puzzles.push(puzzle);
            }
        }
    }
    assert_eq!(puzzles.len(), 27 * 36);
    assert_no_solution(&puzzles, "a pair");
}

/// Two equal digits, with one to twenty clues of a solution around, so that propagation gets further.
#[test]
fn two_equal_digits_in_a_house_of_a_sparse_grid_have_no_solution() {
    let seed = 41;
    let random = &mut Random(seed);
    let solved = support::solution_of(support::SOLVED);
    let mut puzzles = Vec::new();
    let houses: Vec<_> = House::all().collect();
    for house in houses.into_iter().cycle().take(in_release(5000)) {
        let solution = support::transformed(&solved, random);
        let mut puzzle = support::with_clues(&solution, 1 + random.below(20), random);
        let [one, two, ..] = random.order::<9>().map(|place| house.cells()[place]);
        puzzle.set(one, Some(solution.get(one)));
        puzzle.set(two, Some(solution.get(one)));
        puzzles.push(puzzle);
    }
    assert_no_solution(&puzzles, &format!("seed {seed}"));
}

/// Legal grids that are empty but for what makes them impossible: as they stand, and wherever
/// bands, stacks, rows, columns and digits may be moved.
#[test]
fn legal_grids_without_a_solution_are_found_out() {
    let grids: [&[&str]; 5] = [
        // 9 has no place in the first row: one blank there, two, three.
        &["12345678.", "........9"],
        &["1234567..", ".........", ".........", ".......9.", "", "", "........9"],
        &["123456...", "........9"],
        // The first cell has no digit.
        &["...123...", ".78......", ".9.......", "4........", "5........", "6........"],
        // Three cells of a column have two digits between them: only a guess shows it.
        &[".12.34567", "", "", ".23.45671", "", "", ".34.56712"],
    ];
    let seed = 42;
    let random = &mut Random(seed);
    let mut puzzles = Vec::new();
    for rows in grids {
        let lines = rows.iter().map(|row| format!("{row:.<9}")).collect::<Vec<_>>().concat();
        let grid = support::grid(&format!("{lines:.<81}"));
        assert!(rules::is_legal(&grid), "{grid}");
        puzzles.extend((0..in_release(100)).map(|_| support::transformed_grid(&grid, random)));
    }
    assert_no_solution(&puzzles, &format!("seed {seed}"));
}

#[test]
fn a_full_grid_is_its_own_only_solution_or_has_none() {
    let seed = 43;
    let random = &mut Random(seed);
    let solved = support::solution_of(support::SOLVED);
    let mut wrong = Vec::new();
    for _ in 0..in_release(500) {
        let solution = support::transformed(&solved, random);
        for lanes in support::lanes() {
            let answer = lanes.build().solve(solution.grid(), 2);
            assert_eq!((answer.count, answer.first), (1, Some(solution)), "{lanes}");
        }
        // A digit changed, two cells exchanged, and boxes that are right in rows that are not.
        let mut changed = *solution.grid();
        let cell = Cell::new(random.below(81));
        changed.set(cell, Some(support::other_digit(changed.get(cell), random)));
        let mut exchanged = *solution.grid();
        let [one, two, ..] = random.order::<81>().map(Cell::new);
        exchanged.set(one, Some(solution.get(two)));
        exchanged.set(two, Some(solution.get(one)));
        let mut boxes = Grid::EMPTY;
        for house in (0..9).map(House::Box) {
            for (cell, digit) in house.cells().into_iter().zip(random.order::<9>()) {
                boxes.set(cell, Some(Digit::ALL[digit]));
            }
        }
        wrong.extend([changed, exchanged, boxes].into_iter().filter(|it| *it != *solution.grid()));
    }
    wrong.retain(|grid| !rules::is_legal(grid));
    assert!(wrong.len() > in_release(1400));
    assert_no_solution(&wrong, &format!("seed {seed}"));
}

/// Two cells of a box become equal singles by a guess, with 12 clues besides: not looked at, four
/// lanes with two copies were at it for 75 s, and one with one copy for ever.
#[test]
fn a_clash_that_comes_of_a_guess_is_found_out_in_a_grid_too() {
    let grid = support::grid(
        "2....6...1.....9.3.......1..6....2.9...............3....6....4...................",
    );
    for lanes in support::lanes() {
        let mut engine = lanes.build();
        for copies in [1, 2, 3, 5, 33] {
            let answers = solve_all(engine.as_mut(), &vec![grid; copies], 2);
            assert!(answers.iter().all(|answer| answer.count == 0), "{lanes}, {copies} copies");
        }
        assert!(handed_over(engine.as_mut(), grid, 1).is_empty(), "{lanes}");
    }
}

/// Two puzzles that took 14 s and more than 15 minutes before long searches were doubted, and the worst
/// boards of a hill climb, each after its number of solutions (2: or more). The first is a
/// legal grid of 14 clues. The second has digit 5 only in columns 1, 2, 4, 5, 7 of six rows. The last but seven
/// to four have 22 to 31 cells with the same four or five digits: they took 20,000 branches and more before
/// such digits were tried once.
const WORST: &str = include_str!("worst.txt");

/// Sukakus of the same kind, of which divided trees took 0.2 and 0.5 s when each lane asked for itself.
const DIVIDED: &str = include_str!("divided.txt");

fn puzzles(text: &str) -> impl Iterator<Item = (usize, Puzzle)> {
    text.lines().map(|line| {
        let (count, puzzle) = line.split_once(' ').expect("a count before a puzzle");
        (count.parse().expect("a count"), puzzle.parse().expect("a puzzle"))
    })
}

/// The branches to two solutions, the proof that there is only one, or that there is none.
fn branches_to_two(engine: &mut dyn Engine, puzzle: &Puzzle, most: usize) -> (usize, usize) {
    let (mut found, mut branches) = (0, 0);
    engine.search(
        puzzle,
        &mut |_| {
            found += 1;
            if found < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
        &mut || {
            branches += 1;
            if branches < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        },
    );
    (found, branches)
}

/// A branch of the existence search takes about 4 µs, one of an engine less than 1 µs.
#[test]
fn no_puzzle_keeps_a_search_busy() {
    const MOST: usize = 15_000;
    for (count, puzzle) in puzzles(WORST) {
        for lanes in support::lanes() {
            let (found, branches) = branches_to_two(lanes.build().as_mut(), &puzzle, MOST);
            assert!(branches < MOST, "{lanes} on {puzzle}");
            assert_eq!(found, count, "{lanes} on {puzzle}");
        }
        let (found, branches) = branches_to_two(EngineKind::Mrv.build().as_mut(), &puzzle, MOST);
        assert!(branches < MOST, "mrv on {puzzle}");
        assert_eq!(found, count, "mrv on {puzzle}");
    }
}

/// The worst boards in divided trees, whose parts have doubts of their own: alone, in copies that leave lanes
/// free, and among all others.
#[test]
fn no_puzzle_keeps_a_divided_search_busy() {
    let (grids, sukakus): (Vec<_>, Vec<_>) = puzzles(WORST)
        .chain(puzzles(DIVIDED))
        .partition(|(_, puzzle)| matches!(puzzle, Puzzle::Grid(_)));
    let counts = |answers: &[Answer]| answers.iter().map(|it| it.count).collect::<Vec<_>>();
    for lanes in support::lanes() {
        let mut engine = lanes.build();
        for copies in [1, 3] {
            let (mut expected, mut batch) = (Vec::new(), Vec::new());
            for (count, puzzle) in &sukakus {
                let Puzzle::Sukaku(sukaku) = puzzle else { unreachable!("not a grid") };
                expected.extend(vec![*count; copies]);
                batch.extend(vec![*sukaku; copies]);
                let mut answers = Vec::new();
                engine.solve_sukakus(&vec![*sukaku; copies], 2, &mut answers);
                assert_eq!(counts(&answers), vec![*count; copies], "{lanes} on {puzzle}");
            }
            let mut answers = Vec::new();
            engine.solve_sukakus(&batch, 2, &mut answers);
            assert_eq!(counts(&answers), expected, "{lanes}");
            for (count, puzzle) in &grids {
                let Puzzle::Grid(grid) = puzzle else { unreachable!("not a sukaku") };
                let answers = solve_all(engine.as_mut(), &vec![*grid; copies], 2);
                assert_eq!(counts(&answers), vec![*count; copies], "{lanes} on {puzzle}");
            }
        }
    }
}

/// Sukakus whose searches are doubted, each with all its solutions, in the order in which `lanes` visited
/// them before it had doubts.
const ORDER: &str = include_str!("order.txt");

#[test]
fn doubts_change_no_solution_and_no_order() {
    for line in ORDER.lines() {
        let mut fields = line.split(' ');
        let puzzle: Sukaku = fields.next().expect("a puzzle").parse().expect("a sukaku");
        let expected: Vec<String> = fields.map(str::to_owned).collect();
        assert!(!expected.is_empty());
        let visited = |engine: &mut dyn Engine| -> Vec<_> {
            let all = handed_over(engine, puzzle, usize::MAX);
            all.iter().map(ToString::to_string).collect()
        };
        for lanes in support::lanes() {
            let mut engine = lanes.build();
            assert_eq!(visited(engine.as_mut()), expected, "{lanes} on {puzzle}");
            for copies in [1, 2, 40] {
                let (puzzles, mut answers) = (vec![puzzle; copies], Vec::new());
                engine.solve_sukakus(&puzzles, expected.len() + 1, &mut answers);
                for answer in answers {
                    assert_eq!(answer.count, expected.len(), "{lanes} on {puzzle}");
                    let first = answer.first.expect("a solution").to_string();
                    assert_eq!(first, expected[0], "{lanes} on {puzzle}");
                }
            }
        }
        // Other engines have another order.
        let mut others = visited(EngineKind::Mrv.build().as_mut());
        let mut expected = expected.clone();
        others.sort_unstable();
        expected.sort_unstable();
        assert_eq!(others, expected, "mrv on {puzzle}");
    }
}
