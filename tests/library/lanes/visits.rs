//! `each_solution`: every solution once; a visitor may stop, or panic, at any of them.

use crate::lanes::{MULTIPLE, handed_over, solve_all};
use crate::support::{self, Random};
use ninefold::engine::EngineKind;
use ninefold::puzzle::Grid;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Puzzles with 2 to `most` solutions.
fn puzzles_with_several(most: usize) -> Vec<Grid> {
    let mut judge = EngineKind::Mrv.build();
    let puzzles = support::list(MULTIPLE).into_iter();
    puzzles.filter(|puzzle| judge.solve(puzzle, most + 1).count <= most).collect()
}

#[test]
fn an_engine_is_as_new_after_a_visitor_that_panics() {
    let seed = 31;
    let random = &mut Random(seed);
    let puzzles = [puzzles_with_several(50), vec![Grid::EMPTY]].concat();
    let others = [Grid::EMPTY, puzzles[0], support::grid(support::EASY), puzzles[1]];
    for lanes in support::lanes() {
        let expected = solve_all(lanes.build().as_mut(), &others, 30);
        let mut engine = lanes.build();
        for puzzle in &puzzles {
            let mut left = random.below(2);
            let visit = || {
                engine.each_solution(&puzzle.into(), &mut |_| {
                    // `resume_unwind` is a panic that writes no message.
                    left = left
                        .checked_sub(1)
                        .unwrap_or_else(|| std::panic::resume_unwind(Box::new(())));
                    ControlFlow::Continue(())
                });
            };
            assert!(catch_unwind(AssertUnwindSafe(visit)).is_err(), "seed {seed}: {lanes}");
            let answers = solve_all(engine.as_mut(), &others, 30);
            assert_eq!(answers, expected, "seed {seed}: {lanes}, after {puzzle}");
            let all = handed_over(engine.as_mut(), puzzles[0], usize::MAX);
            assert_eq!(all.len(), lanes.build().solve(&puzzles[0], 51).count, "{lanes}");
        }
    }
}
