//! A first look at an engine on a list: its answers, its branches, and the puzzles that it does not
//! finish.
//!
//! The time of the textbook engines has no useful bound: one puzzle of 17 clues can take `scan` an
//! hour. So before an engine is timed, it solves each puzzle once while it is observed (see
//! [`Engine::each_solution_observed`]), and is stopped when the patience for one puzzle is over.

use super::clock::Clock;
use crate::engine::{Answer, Engine};
use crate::puzzle::Puzzle;
use std::ops::ControlFlow;
use std::time::Duration;

/// Branches between two looks at the clock: `scan` takes 0.1 to 1 µs for one.
const BRANCHES_BETWEEN_LOOKS: u64 = 64;

/// The result for one puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// The answer, unless the engine was stopped.
    pub(super) answer: Option<Answer>,
    /// Boards at which the engine branched; `None` if it does not report them.
    pub(super) branches: Option<u64>,
    /// The time, observed.
    pub(super) time: Duration,
}

/// Observes an engine that solves a puzzle. Stops it when the patience is over or `stopped` returns
/// true.
pub(super) fn look(
    engine: &mut dyn Engine,
    puzzle: &Puzzle,
    limit: usize,
    patience: Duration,
    clock: &dyn Clock,
    stopped: &dyn Fn() -> bool,
) -> Look {
    let (mut answer, mut branches, mut given_up) = (Answer::default(), 0, false);
    let started = clock.now();
    let mut visit = |solution: &_| {
        answer.first.get_or_insert(*solution);
        answer.count += 1;
        if answer.count < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut branch = || {
        branches += 1;
        given_up = branches % BRANCHES_BETWEEN_LOOKS == 0
            && (clock.since(started) > patience || stopped());
        if given_up { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let told = engine.each_solution_observed(puzzle, &mut visit, &mut branch);
    let answer = (!given_up).then_some(answer);
    Look { answer, branches: told.then_some(branches), time: clock.since(started) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::clock::SystemClock;
    use crate::engine::EngineKind;
    use std::cell::Cell;

    /// A clock that advances at each call.
    struct Ticks(Cell<Duration>, Duration);

    impl Clock for Ticks {
        fn now(&self) -> Duration {
            self.0.set(self.0.get() + self.1);
            self.0.get()
        }
    }

    /// Wikipedia's puzzle against brute force: hours for `scan` unless it is stopped.
    fn hopeless() -> Puzzle {
        let text = include_str!("../../data/named.txt").lines().last().unwrap();
        text.parse().unwrap()
    }

    #[test]
    fn an_engine_without_a_bound_is_stopped() {
        let clock = Ticks(Cell::default(), Duration::from_millis(1));
        let mut engine = EngineKind::Scan.build();
        let patience = Duration::from_millis(100);
        let seen = look(engine.as_mut(), &hopeless(), 2, patience, &clock, &|| false);
        assert_eq!(seen.answer, None);
        assert_eq!(seen.branches, Some(101 * BRANCHES_BETWEEN_LOOKS));
        let clock = SystemClock::start();
        let forever = Duration::MAX;
        assert_eq!(look(engine.as_mut(), &hopeless(), 2, forever, &clock, &|| true).answer, None);
    }

    #[test]
    fn an_engine_that_is_in_time_has_answered() {
        let clock = SystemClock::start();
        for kind in [EngineKind::Dlx, EngineKind::Mrv, EngineKind::Lanes] {
            let seen =
                look(kind.build().as_mut(), &hopeless(), 2, Duration::MAX, &clock, &|| false);
            assert_eq!(seen.answer, Some(kind.build().solve(&hopeless().clues(), 2)), "{kind}");
            assert!(seen.branches.is_some(), "{kind}");
        }
    }
}
