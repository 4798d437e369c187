//! Every solution of each puzzle of a chunk, up to a limit.
//!
//! Engines find solutions in different orders, so the solutions are sorted by their digits. If there are more than are wanted, the first in this order are looked for:
//!
//! ```text
//! most = 5      53..7…   more than 5
//!               531.7…   2: taken        each digit in the first blank cell, then
//!               532.7…   0
//!               534.7…   more than 3     only here in the next cell
//!               5341 …   3: taken, that makes 5
//! ```
//!
//! So the list is the same whatever engine found it. A puzzle is asked about no more than nine times
//! for each blank cell, and never for more solutions than are still wanted, and one.
//!
//! The branches of all these searches together are bounded. A puzzle that takes more has no list.

use crate::engine::{Answer, Engine};
use crate::puzzle::{Cell, Digit, Grid, Puzzle, Solution, Sukaku};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

/// The first `most` solutions of a puzzle in lexicographic order, and whether these are all.
///
/// ```
/// use ninefold::engine::EngineKind;
/// use ninefold::puzzle::{Grid, Puzzle};
/// use std::num::NonZeroUsize;
///
/// let (empty, most) = (Puzzle::from(Grid::EMPTY), NonZeroUsize::new(3).unwrap());
/// let (solutions, all) =
///     ninefold::solve::first_solutions(EngineKind::default().build().as_mut(), &empty, most);
/// assert_eq!((solutions.len(), all), (3, false));
/// assert!(solutions[2].to_string().starts_with("123456789456789123789123456"));
/// ```
pub fn first_solutions(
    engine: &mut dyn Engine,
    puzzle: &Puzzle,
    most: NonZeroUsize,
) -> (Vec<Solution>, bool) {
    let mut every = Every::default();
    let answer = every.find_each(engine, *puzzle, most.get());
    (every.solutions, answer.count <= most.get())
}

/// The solutions of the puzzles of a chunk, with the memory for them.
#[derive(Default)]
pub(super) struct Every {
    solutions: Vec<Solution>,
    /// Which of them belong to each puzzle.
    ranges: Vec<Range<usize>>,
    /// The branches that the current puzzle may still take, if they are bounded.
    branches_left: Option<u32>,
}

/// What a search for all solutions found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    All,
    /// There are more than were wanted, and none is taken.
    More,
    /// The search took more branches than were left, and none is taken.
    GaveUp,
}

impl Every {
    /// Finds the first `most` solutions of each puzzle, or all; first of the grids, then of the
    /// sukakus. The count of an answer is one more than `most` if there are more. Returns the number of
    /// the puzzle that took longest, and its time.
    pub(super) fn find(
        &mut self,
        engine: &mut dyn Engine,
        grids: &[Grid],
        sukakus: &[Sukaku],
        most: usize,
        answers: &mut Vec<Answer>,
    ) -> Option<(usize, Duration)> {
        self.solutions.clear();
        self.ranges.clear();
        let grids = grids.iter().map(Puzzle::from);
        let puzzles = grids.chain(sukakus.iter().map(Puzzle::from));
        let (mut slowest, mut started) = (None, Instant::now());
        for (number, puzzle) in puzzles.enumerate() {
            answers.push(self.find_each(engine, puzzle, most));
            let ended = Instant::now();
            let time = ended - started;
            if slowest.is_none_or(|(_, longest)| longest < time) {
                slowest = Some((number, time));
            }
            started = ended;
        }
        slowest
    }

    /// Finds the solutions of one puzzle.
    fn find_each(&mut self, engine: &mut dyn Engine, puzzle: Puzzle, most: usize) -> Answer {
        let start = self.solutions.len();
        self.branches_left = engine.max_branches();
        let all = self.take_all(engine, &puzzle, most);
        let first = match all {
            Taken::More => self.take_first(engine, puzzle, most),
            other => other,
        };
        if first == Taken::GaveUp {
            self.solutions.truncate(start);
        }
        self.ranges.push(start..self.solutions.len());
        let count = self.solutions.len() - start + usize::from(all == Taken::More);
        let first_solution = self.solutions.get(start).copied();
        match first {
            Taken::GaveUp => Answer { gave_up: true, ..Answer::default() },
            _ => Answer { count, first: first_solution, gave_up: false },
        }
    }

    /// Takes all solutions of a puzzle, in the order of their digits, unless they are more than `most`.
    fn take_all(&mut self, engine: &mut dyn Engine, puzzle: &Puzzle, most: usize) -> Taken {
        let (start, mut count) = (self.solutions.len(), 0);
        let Self { solutions, branches_left, .. } = self;
        let mut visit = |solution: &Solution| {
            if count == most {
                count += 1;
                return ControlFlow::Break(());
            }
            count += 1;
            solutions.push(*solution);
            ControlFlow::Continue(())
        };
        let mut gave_up = false;
        if let Some(left) = branches_left {
            engine.each_solution_observed(puzzle, &mut visit, &mut || {
                gave_up = *left == 0;
                *left = left.saturating_sub(1);
                if gave_up { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        } else {
            engine.each_solution_of_puzzle(puzzle, &mut visit);
        }
        if gave_up || count > most {
            self.solutions.truncate(start);
            return if gave_up { Taken::GaveUp } else { Taken::More };
        }
        self.solutions[start..].sort_unstable_by_key(|solution| *solution.grid().values());
        Taken::All
    }

    /// Takes the first `most` solutions of a puzzle that has more.
    fn take_first(&mut self, engine: &mut dyn Engine, mut puzzle: Puzzle, most: usize) -> Taken {
        let wanted = self.solutions.len() + most;
        for cell in Cell::all() {
            let with_each = Digit::ALL.map(|digit| puzzle.with(cell, digit));
            let mut options = with_each.iter().flatten();
            if let (Some(_), None) = (options.next(), options.next()) {
                continue;
            }
            for option in with_each.iter().flatten() {
                let left = wanted - self.solutions.len();
                if left == 0 {
                    return Taken::All;
                }
                match self.take_all(engine, option, left) {
                    Taken::All => {}
                    Taken::GaveUp => return Taken::GaveUp,
                    Taken::More => {
                        puzzle = *option;
                        break;
                    }
                }
            }
        }
        Taken::All
    }

    /// The solutions of a puzzle, in the order of their digits.
    pub(super) fn of(&self, index: usize) -> &[Solution] {
        &self.solutions[self.ranges[index].clone()]
    }
}
