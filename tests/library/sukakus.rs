//! Sukakus: every engine, at every level, before a judge that is written here and knows nothing
//! of any engine. What is random names its seed when it fails.

use crate::support::lists::{CASES, EASY, MINIMAL, MULTIPLE};
use crate::support::{Contender, Random, contenders};
use ninefold::engine::{Answer, Engine, EngineKind};
use ninefold::puzzle::{Cell, Digit, DigitSet, Grid, House, Solution, Sukaku, rules};
use std::collections::HashSet;
use std::fmt;

/// `count` in a release build; a tenth in a debug build, which is 10 to 30 times slower.
const fn in_release(count: usize) -> usize {
    if cfg!(debug_assertions) { count / 10 } else { count }
}

/// The answers to a batch.
fn solve_all(engine: &mut dyn Engine, sukakus: &[Sukaku], limit: usize) -> Vec<Answer> {
    let mut answers = Vec::new();
    engine.solve_sukakus(sukakus, limit, &mut answers);
    assert_eq!(answers.len(), sukakus.len());
    answers
}

fn solve(engine: &mut dyn Engine, sukaku: &Sukaku, limit: usize) -> Answer {
    solve_all(engine, std::slice::from_ref(sukaku), limit)[0]
}

/// The first solutions that an engine hands over, `most` at most, each of them judged.
fn handed_over(
    engine: &mut dyn Engine,
    sukaku: &Sukaku,
    most: usize,
    who: impl fmt::Display,
) -> Vec<Solution> {
    let all = crate::support::handed_over(engine, sukaku, most);
    for solution in &all {
        assert_solves(solution, sukaku, &who);
    }
    all
}

/// Judges a solution by the rules and by each candidate.
fn assert_solves(solution: &Solution, sukaku: &Sukaku, who: impl fmt::Display) {
    assert_eq!(rules::check_solved(solution.grid()), Ok(()), "{who} on {sukaku}");
    for cell in Cell::all() {
        let digit = solution.grid().get(cell).expect("it is full");
        assert!(sukaku.get(cell).contains(digit), "{who}: {cell:?} of {sukaku}");
    }
}

/// The judge: every way to give each cell one of its candidates so that no two cells that see
/// each other have the same, `most` ways at most. The cell with the fewest ways left is next.
fn judge(sukaku: &Sukaku, most: usize) -> HashSet<[u8; 81]> {
    fn left(sukaku: &Sukaku, values: &[u8; 81], cell: Cell) -> DigitSet {
        let mut left = sukaku.get(cell);
        for peer in cell.peers() {
            if let Some(digit) = Digit::new(values[peer.index()]) {
                left.remove(digit);
            }
        }
        left
    }
    fn walk(sukaku: &Sukaku, values: &mut [u8; 81], most: usize, all: &mut HashSet<[u8; 81]>) {
        let blanks = Cell::all().filter(|cell| values[cell.index()] == 0);
        let ways = blanks.map(|cell| (cell, left(sukaku, values, cell)));
        let Some((cell, digits)) = ways.min_by_key(|(_, digits)| digits.len()) else {
            all.insert(*values);
            return;
        };
        for digit in digits {
            if all.len() < most {
                values[cell.index()] = digit.value();
                walk(sukaku, values, most, all);
            }
        }
        values[cell.index()] = 0;
    }
    let mut all = HashSet::new();
    walk(sukaku, &mut [0; 81], most, &mut all);
    all
}

/// A sukaku around a planted solution: each other candidate is in with a chance in percent.
/// One of four has lost the planted digit in a cell or a few.
fn planted(random: &mut Random, chances: usize) -> Sukaku {
    let solution =
        crate::support::transformed(&crate::support::solution_of(crate::support::SOLVED), random);
    let mut sukaku = Sukaku::new([DigitSet::EMPTY; 81]);
    for cell in Cell::all() {
        let is_in = |digit: &Digit| *digit == solution.get(cell) || random.below(100) < chances;
        let mut candidates = DigitSet::EMPTY;
        Digit::ALL.into_iter().filter(is_in).for_each(|digit| candidates.insert(digit));
        sukaku.set(cell, candidates);
    }
    if random.below(4) == 0 {
        for _ in 0..=random.below(3) {
            let cell = Cell::new(random.below(81));
            let mut candidates = sukaku.get(cell);
            candidates.remove(solution.get(cell));
            sukaku.set(cell, candidates);
        }
    }
    sukaku
}

/// The same sukaku in other clothes: digits renamed, and the grid turned over or transposed.
fn transformed(sukaku: &Sukaku, random: &mut Random) -> Sukaku {
    let (digits, turn) = (random.order::<9>(), random.below(8));
    let mut changed = *sukaku;
    for cell in Cell::all() {
        let (mut row, mut column) = (cell.row(), cell.column());
        if turn & 1 != 0 {
            row = 8 - row;
        }
        if turn & 2 != 0 {
            column = 8 - column;
        }
        if turn & 4 != 0 {
            (row, column) = (column, row);
        }
        let mut candidates = DigitSet::EMPTY;
        for digit in sukaku.get(cell) {
            candidates.insert(Digit::ALL[digits[usize::from(digit.value()) - 1]]);
        }
        changed.set(Cell::new(row * 9 + column), candidates);
    }
    changed
}

/// Each engine has the judge's solutions of these, and stops at any limit.
fn assert_agreement(all: &[Contender], seeds: std::ops::Range<u64>, chances: [usize; 2]) {
    const MOST: usize = 60;
    let mut engines: Vec<_> = all.iter().map(|&who| (who, who.build())).collect();
    let mut seen = [0; 3];
    for seed in seeds {
        let random = &mut Random(seed);
        let chances = chances[0] + random.below(chances[1] - chances[0]);
        let sukaku = planted(random, chances);
        let expected = judge(&sukaku, MOST);
        seen[expected.len().min(2)] += 1;
        for (who, engine) in &mut engines {
            let found = handed_over(engine.as_mut(), &sukaku, MOST, *who);
            assert_eq!(found.len(), expected.len(), "seed {seed}: {who} on {sukaku}");
            let values: HashSet<_> = found.iter().map(|it| *it.grid().values()).collect();
            assert_eq!(values.len(), found.len(), "seed {seed}: {who}, one twice of {sukaku}");
            assert!(expected.len() == MOST || values == expected, "seed {seed}: {who}: {sukaku}");
            for limit in [0, 1, 2, found.len(), (found.len() + 1).min(MOST)] {
                let first = if limit > 0 { found.first().copied() } else { None };
                let answer = Answer { count: found.len().min(limit), first, ..Answer::default() };
                let found = solve(engine.as_mut(), &sukaku, limit);
                assert_eq!(found, answer, "seed {seed}: {who}, limit {limit} on {sukaku}");
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "counts 0, 1, more: {seen:?}");
}

#[test]
fn every_engine_has_the_judges_solutions_of_random_sukakus() {
    assert_agreement(&contenders(), 0..in_release(400) as u64, [5, 20]);
}

#[test]
fn engines_that_choose_where_to_branch_have_them_with_more_candidates() {
    let all: Vec<_> = contenders().into_iter().filter(|it| !it.is_plain()).collect();
    assert_agreement(&all, 1000..1000 + in_release(400) as u64, [15, 36]);
}

#[test]
fn the_sukaku_of_a_grid_has_the_answer_of_the_grid() {
    let puzzles: Vec<_> =
        crate::support::cases(CASES).into_iter().map(|case| case.puzzle).collect();
    let sukakus: Vec<_> = puzzles.iter().map(Sukaku::from).collect();
    for who in contenders() {
        let mut engine = who.build();
        for limit in [0, 1, 2, 7] {
            let mut expected = Vec::new();
            engine.solve_batch(&puzzles, limit, &mut expected);
            for (place, answer) in
                solve_all(engine.as_mut(), &sukakus, limit).into_iter().enumerate()
            {
                assert_eq!(answer, expected[place], "{who}, limit {limit}: {}", puzzles[place]);
            }
        }
    }
}

#[test]
fn with_all_candidates_there_are_as_many_solutions_as_are_asked_for() {
    for who in contenders() {
        for limit in [0, 1, 2, 33, 500] {
            let answer = solve(who.build().as_mut(), &Sukaku::FULL, limit);
            assert_eq!(answer.count, limit, "{who}");
            let first = who.build().solve(&Grid::EMPTY, limit).first;
            assert_eq!(answer.first, first, "{who}");
        }
    }
}

/// Each engine says so while the test waits.
fn assert_no_solution(sukakus: &[Sukaku], what: &str) {
    for who in contenders() {
        let mut engine = who.build();
        for limit in [1, usize::MAX] {
            let answers = solve_all(engine.as_mut(), sukakus, limit);
            for (sukaku, answer) in sukakus.iter().zip(answers) {
                assert_eq!(answer, Answer::default(), "{who}, {what}: {sukaku}");
            }
        }
        for sukaku in sukakus.iter().step_by(7) {
            assert_eq!(handed_over(engine.as_mut(), sukaku, 1, who), [], "{who}, {what}");
        }
    }
}

/// An empty cell; a house without a digit; two cells of a house with one and the same candidate.
#[test]
fn a_contradiction_in_a_blank_grid_ends_it_at_once() {
    let with = |cells: &[Cell], candidates: DigitSet| {
        let mut sukaku = Sukaku::FULL;
        for &cell in cells {
            sukaku.set(cell, candidates);
        }
        sukaku
    };
    let mut empty: Vec<_> = Cell::all().map(|cell| with(&[cell], DigitSet::EMPTY)).collect();
    empty.push(Sukaku::new([DigitSet::EMPTY; 81]));
    assert_no_solution(&empty, "an empty cell");
    let (mut without, mut pairs) = (Vec::new(), Vec::new());
    for cells in House::all().map(House::cells) {
        without.extend(Digit::ALL.map(|digit| with(&cells, DigitSet::of(digit).complement())));
        for (place, one) in cells.into_iter().enumerate() {
            let digit = |two: Cell| Digit::ALL[(one.index() + two.index()) % 9];
            let pair = |&two: &Cell| with(&[one, two], DigitSet::of(digit(two)));
            pairs.extend(cells[..place].iter().map(pair));
        }
    }
    assert_no_solution(&without, "a house without a digit");
    assert_no_solution(&pairs, "two equal singles");
}

/// The same two cells become equal singles only after a guess: `z` is 3, so `c` is 1 and `d` is
/// 2, so `a` and `b` are both 5, and all the rest of the grid is blank. An engine that does not
/// see it would fill that rest in every way there is.
///
/// ```text
///   c z .   . . .   a . .     a {1 5}   c {1 3}   z {3 7}
///   . d .   . . .   . b .     b {2 5}   d {2 3}
/// ```
#[test]
fn two_equal_singles_that_come_of_a_guess_are_seen_at_once() {
    let set = |digits: [usize; 2]| {
        let [one, two] = digits.map(|digit| DigitSet::of(Digit::ALL[digit - 1]));
        one.union(two)
    };
    let seed = 51;
    let random = &mut Random(seed);
    let mut sukakus = Vec::new();
    for _ in 0..in_release(300) {
        let (mut sukaku, row, z) = (Sukaku::FULL, 3 * random.below(3), 1 + random.below(2));
        let mut at = |row: usize, column: usize, digits| {
            sukaku.set(Cell::new(row * 9 + column), set(digits));
        };
        at(row, 6, [1, 5]);
        at(row + 1, 7, [2, 5]);
        at(row, 0, [1, 3]);
        at(row + 1, 1, [2, 3]);
        at(row, z, [3, 7]);
        // More pairs around `z`, so that it is guessed first.
        at(row + 2, 0, [7, 8]);
        at((row + 3) % 9, z, [7, 9]);
        at((row + 7) % 9, z, [7, 8]);
        sukakus.push(transformed(&sukaku, random));
    }
    for who in contenders().into_iter().filter(|it| !it.is_plain()) {
        let mut engine = who.build();
        for limit in [1, 2, 40] {
            for answer in solve_all(engine.as_mut(), &sukakus, limit) {
                assert_eq!(answer.count, limit, "seed {seed}: {who}");
            }
        }
    }
}

/// Sukakus of every kind, no two alike.
fn mixed(random: &mut Random) -> Vec<Sukaku> {
    let mut sukakus: Vec<_> = (0..60).map(|place| planted(random, 10 + place % 25)).collect();
    for text in [EASY, MINIMAL, MULTIPLE] {
        sukakus.extend(crate::support::list(text).iter().take(10).map(Sukaku::from));
    }
    sukakus.push(Sukaku::FULL);
    sukakus.push(Sukaku::new([DigitSet::EMPTY; 81]));
    sukakus.push(Sukaku::from(&crate::support::grid(crate::support::ILLEGAL)));
    sukakus
}

#[test]
fn a_sukaku_has_the_same_answer_in_every_batch_at_every_level() {
    let seed = 61;
    let sukakus = mixed(&mut Random(seed));
    let grids = crate::support::list(MINIMAL);
    for limit in [1, 2, 25, 0] {
        let mut portable = None;
        for who in contenders().into_iter().filter(|it| !it.is_plain()) {
            let alone = |sukaku| solve(who.build().as_mut(), sukaku, limit);
            let alone: Vec<_> = sukakus.iter().map(alone).collect();
            if who.kind == EngineKind::Lanes {
                // Of several solutions, too, each level has the same one first.
                assert!(*portable.get_or_insert_with(|| alone.clone()) == alone, "{who}");
            }
            let (mut random, mut engine) = (Random(seed), who.build());
            for size in [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65, in_release(2570)] {
                let picks: Vec<_> = (0..size).map(|_| random.below(sukakus.len())).collect();
                let batch: Vec<_> = picks.iter().map(|&pick| sukakus[pick]).collect();
                // What is in the vector already stays there.
                let mut answers = vec![Answer { count: 9, first: None, ..Answer::default() }];
                engine.solve_sukakus(&batch, limit, &mut answers);
                assert_eq!((answers.len(), answers[0].count), (size + 1, 9), "{who}");
                for (answer, pick) in answers[1..].iter().zip(picks) {
                    let sukaku = &sukakus[pick];
                    assert_eq!(*answer, alone[pick], "seed {seed}: {who}, {size}: {sukaku}");
                }
                // Grids in between leave nothing behind, and find nothing left.
                let grid = &grids[random.below(grids.len())];
                assert_eq!(engine.solve(grid, 2), who.build().solve(grid, 2), "{who}: {grid}");
            }
        }
    }
}
