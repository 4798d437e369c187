//! One puzzle's tree, divided among free lanes: small batches, large trees, every limit.

use crate::lanes::{MINIMAL, MULTIPLE, NAMED, NONE, handed_over, in_release, solve_all};
use crate::support::{self, Contender, Random};
use ninefold::engine::{Answer, EngineKind};
use ninefold::puzzle::{Grid, Solution};

/// Solutions of one puzzle that are looked at, at most.
const MOST: usize = in_release(5_000);

/// A puzzle with all that is known of it.
struct Known {
    puzzle: Grid,
    /// Its solutions, or [`MOST`] of them.
    count: usize,
    /// What `each_solution`, which divides no tree, hands over first.
    first: Option<Solution>,
}

impl Known {
    /// Counted by `mrv`; by `dlx`, too, if there are few.
    fn new(puzzle: Grid) -> Self {
        let count = EngineKind::Mrv.build().solve(&puzzle, MOST).count;
        if count < 500 {
            assert_eq!(EngineKind::Dlx.build().solve(&puzzle, MOST).count, count, "{puzzle}");
        }
        let first = handed_over(EngineKind::Lanes.build().as_mut(), puzzle, 1).pop();
        Self { puzzle, count, first }
    }

    fn answer(&self, limit: usize) -> Answer {
        let first = if limit == 0 { None } else { self.first };
        Answer { count: self.count.min(limit), first, ..Answer::default() }
    }

    /// A limit under, at or over the count, near or far.
    fn limit(&self, random: &mut Random) -> usize {
        let near = self.count + random.below(5);
        let limit = match random.below(4) {
            0 => 1 + random.below(4),
            1 => 1 + random.below(self.count + 2),
            2 => near.saturating_sub(2),
            _ => MOST,
        };
        limit.clamp(1, MOST)
    }
}

/// Puzzles with 18 to 30 clues of one solution each, which have from one solution to more than
/// anybody counts, and hard ones with one and with none.
fn known(random: &mut Random) -> Vec<Known> {
    let solved = support::solution_of(support::SOLVED);
    let mut puzzles: Vec<_> = (0..in_release(120))
        .map(|_| {
            let solution = support::transformed(&solved, random);
            support::with_clues(&solution, 18 + random.below(13), random)
        })
        .collect();
    puzzles.extend(support::list(NAMED));
    for text in [MULTIPLE, NONE] {
        puzzles.extend(support::list(text).into_iter().take(in_release(100)));
    }
    puzzles.push(Grid::EMPTY);
    puzzles.extend(puzzles_without_solution(random));
    puzzles.into_iter().map(Known::new).collect()
}

/// Puzzles without a solution, from which any one clue may go but not one more: the trees are
/// as large as trees without a solution get.
fn puzzles_without_solution(random: &mut Random) -> Vec<Grid> {
    let mut mrv = EngineKind::Mrv.build();
    let mut puzzles: Vec<_> = support::list(NONE).into_iter().rev().take(in_release(40)).collect();
    for puzzle in &mut puzzles {
        for cell in random.order::<81>().map(ninefold::puzzle::Cell::new) {
            let clue = puzzle.get(cell);
            puzzle.set(cell, None);
            if mrv.solve(puzzle, 1).count > 0 {
                puzzle.set(cell, clue);
            }
        }
    }
    puzzles
}

fn assert_batch(lanes: Contender, batch: &[&Known], limit: usize, answers: &[Answer], seed: u64) {
    for (known, answer) in batch.iter().zip(answers) {
        let (puzzle, size) = (known.puzzle, batch.len());
        let expected = known.answer(limit);
        assert_eq!(*answer, expected, "seed {seed}: {lanes}, {size}, limit {limit}: {puzzle}");
    }
}

/// 1,500 small batches; an engine each for all of them.
#[test]
fn a_divided_tree_has_the_count_and_the_first_solution_of_the_whole() {
    let seed = 21;
    let random = &mut Random(seed);
    let known = known(random);
    let mut engines: Vec<_> = support::lanes().into_iter().map(|it| (it, it.build())).collect();
    for _ in 0..in_release(1500) {
        // Most often one to four, sometimes as many as there are lanes and a few more.
        let size = 1 + if random.below(4) == 0 { random.below(40) } else { random.below(4) };
        let batch: Vec<_> = (0..size).map(|_| &known[random.below(known.len())]).collect();
        let limit = batch[random.below(size)].limit(random);
        // Many times the same many solutions would only take long.
        let limit = if size > 4 { limit.min(MOST / 20) } else { limit };
        let puzzles: Vec<_> = batch.iter().map(|known| known.puzzle).collect();
        for (lanes, engine) in &mut engines {
            let answers = solve_all(engine.as_mut(), &puzzles, limit);
            assert_batch(*lanes, &batch, limit, &answers, seed);
        }
    }
}

/// Every limit from 0 to past the count, so that it is reached in each part of the tree.
#[test]
fn the_limit_may_be_reached_in_any_part_of_the_tree() {
    let seed = 22;
    let known = known(&mut Random(seed));
    let few: Vec<_> = known.iter().filter(|known| (2..150).contains(&known.count)).collect();
    assert!(few.len() > 3);
    for lanes in support::lanes() {
        let mut engine = lanes.build();
        for known in few.iter().take(in_release(60)) {
            for limit in (0..=known.count + 2).chain([usize::MAX]) {
                let answers = solve_all(engine.as_mut(), &[known.puzzle], limit);
                assert_batch(lanes, &[known], limit, &answers, seed);
            }
        }
    }
}

/// The same puzzle in every lane, and with one more in the next: all of them end together.
#[test]
fn copies_of_one_puzzle_are_counted_apart() {
    let seed = 23;
    let known = known(&mut Random(seed));
    for lanes in support::lanes() {
        let mut engine = lanes.build();
        for known in known.iter().filter(|known| known.count < MOST / 20) {
            for (copies, limit) in [(2, known.count.max(1)), (33, known.count + 1), (5, 2)] {
                let batch = vec![known; copies];
                let answers = solve_all(engine.as_mut(), &vec![known.puzzle; copies], limit);
                assert_batch(lanes, &batch, limit, &answers, seed);
            }
        }
    }
}

/// A minimal puzzle less two to five clues: the first solution by dividing, and without.
#[test]
fn the_first_solution_is_that_of_the_undivided_walk() {
    let seed = 24;
    let random = &mut Random(seed);
    for puzzle in support::list(MINIMAL).into_iter().take(in_release(100)) {
        let mut puzzle = support::transformed_grid(&puzzle, random);
        for _ in 0..2 + random.below(4) {
            puzzle.set(support::random_clue(&puzzle, random), None);
        }
        let expected = handed_over(EngineKind::Lanes.build().as_mut(), puzzle, MOST);
        let large_batch = [[puzzle; 40].as_slice(), &[Grid::EMPTY; 3]].concat();
        for lanes in support::lanes() {
            let mut engine = lanes.build();
            let judge = handed_over(engine.as_mut(), puzzle, MOST);
            assert!(judge == expected, "seed {seed}: {lanes}, in another order: {puzzle}");
            for limit in [1, 2, 7, MOST] {
                let count = expected.len().min(limit);
                let expected = Answer { count, first: Some(expected[0]), ..Answer::default() };
                let answer = engine.solve(&puzzle, limit);
                assert_eq!(answer, expected, "seed {seed}: {lanes}: {puzzle}");
                let answers = solve_all(engine.as_mut(), &large_batch, limit.min(7));
                assert_eq!(answers[39].first, expected.first, "seed {seed}: {lanes}: {puzzle}");
            }
        }
    }
}
