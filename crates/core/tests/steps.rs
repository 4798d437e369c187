//! Steps, replayed by a check that knows the solution and nothing of techniques.

use ninefold_core::difficulty::{Candidate, Node, Rater, Score, Step, Steps, Technique, next_step};
use ninefold_core::engine::Bounds;
use ninefold_core::puzzle::{Cell, Digit, DigitSet, Grid, House, Puzzle, Random, Solution, Sukaku};
use ninefold_core::{Verdict, is_unique, solve};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// `puzzle,…`, with a header.
const CASES: &str = include_str!("rating_cases.csv");
const CHAINS: &str = include_str!("rating_chains.csv");

/// The candidates of a puzzle, with the digits placed.
struct Replay {
    solution: Solution,
    cells: [DigitSet; 81],
    grid: Grid,
}

impl Replay {
    fn new(puzzle: &Puzzle) -> Self {
        let mut replay = Self {
            solution: solve(puzzle).unwrap(),
            cells: match puzzle {
                Puzzle::Grid(_) => [DigitSet::FULL; 81],
                Puzzle::Sukaku(sukaku) => *sukaku.values(),
            },
            grid: Grid::EMPTY,
        };
        if let Puzzle::Grid(grid) = puzzle {
            for cell in Cell::all() {
                if let Some(digit) = grid.get(cell) {
                    replay.place(Candidate { cell, digit });
                }
            }
        }
        replay
    }

    fn place(&mut self, Candidate { cell, digit }: Candidate) {
        self.grid.set(cell, Some(digit));
        self.cells[cell.index()] = DigitSet::EMPTY;
        for peer in cell.peers() {
            self.cells[peer.index()].remove(digit);
        }
    }

    fn is_open(&self, Candidate { cell, digit }: Candidate) -> bool {
        self.cells[cell.index()].contains(digit)
    }

    /// Uses a step. Fails if it is not sound, or has no effect.
    fn take(&mut self, step: &Step, about: &str) {
        for chain in &step.chains {
            self.check_chain(chain, step.technique, about);
        }
        assert!(step.placement.is_some() || !step.eliminations.is_empty(), "{about}: {step}");
        assert!(step.placement.is_none() || step.eliminations.is_empty(), "{about}: {step}");
        for &removed in &step.eliminations {
            assert!(self.is_open(removed), "{about}: {removed} is gone before {step}");
            let is_right = self.solution.get(removed.cell) == removed.digit;
            assert!(!is_right, "{about}: {removed} is right, but {step}");
            self.cells[removed.cell.index()].remove(removed.digit);
        }
        if let Some(placed) = step.placement {
            assert!(self.is_open(placed), "{about}: {placed} is gone before {step}");
            assert_eq!(self.solution.get(placed.cell), placed.digit, "{about}: {step}");
            self.place(placed);
        }
    }

    /// Each node follows from those before it; where rules find removals, those that are on do.
    fn check_chain(&self, chain: &[Node], technique: Technique, about: &str) {
        let has_rules = technique >= Technique::DynamicForcingChainPlus;
        assert!(chain.len() > 1, "{about}");
        for (place, &Node { candidate, is_on }) in chain.iter().enumerate().skip(1) {
            let before = &chain[..place];
            let follows = if is_on {
                self.is_single_after(candidate, before)
            } else {
                has_rules || before.iter().any(|it| it.is_on && excludes(it.candidate, candidate))
            };
            assert!(self.is_open(candidate), "{about}: {candidate} is gone");
            let nodes: Vec<_> = before.iter().map(ToString::to_string).collect();
            assert!(follows, "{about}, {technique}: {candidate} {is_on} after {nodes:?}");
        }
    }

    /// Whether a cell or house has no other candidate once some are off.
    fn is_single_after(&self, candidate: Candidate, before: &[Node]) -> bool {
        let is_left = |it: Candidate| {
            let is_off = |node: &Node| node.candidate == it && !node.is_on;
            it != candidate && self.is_open(it) && !before.iter().any(is_off)
        };
        let Candidate { cell, digit } = candidate;
        let of_cell = Digit::ALL.map(|digit| Candidate { cell, digit });
        let mut houses = House::all().filter(|house| house.cells().contains(&cell));
        !of_cell.into_iter().any(is_left)
            || houses.any(|house| {
                !house.cells().map(|cell| Candidate { cell, digit }).into_iter().any(is_left)
            })
    }
}

/// Whether one candidate at most is right.
fn excludes(one: Candidate, other: Candidate) -> bool {
    if one.cell == other.cell {
        one.digit != other.digit
    } else {
        one.digit == other.digit && one.cell.sees(other.cell)
    }
}

/// Replays the steps of a puzzle, and compares their scores with its rating.
fn check(steps: &mut Steps, rater: &mut Rater, puzzle: &Puzzle, about: &str) {
    steps.restart(puzzle).unwrap();
    let mut replay = Replay::new(puzzle);
    replay.grid = *steps.grid();
    let (mut er, mut ep, mut ed) = (Score::Tenths(0), None, None);
    for step in steps.by_ref() {
        er = er.max(step.score);
        ed = ed.or(Some(er));
        if step.placement.is_some() {
            ep = ep.or(Some(er));
        }
        replay.take(&step, about);
        assert!(step.to_string().is_ascii());
    }
    let rating = rater.one(puzzle).unwrap();
    assert_eq!(steps.rating(), rating, "{about}");
    assert_eq!((er, ep, ed), (rating.er, Some(rating.ep), Some(rating.ed)), "{about}");
    assert_eq!(replay.grid, *steps.grid(), "{about}");
    assert_eq!(replay.grid, *replay.solution.grid(), "{about}");
}

/// A minimal puzzle of a random solution.
fn random_puzzle(random: &mut Random) -> Grid {
    let mut puzzle = Grid::EMPTY;
    for in_box in [0, 4, 8] {
        let mut digits = Digit::ALL;
        for (place, cell) in House::Box(in_box).cells().into_iter().enumerate() {
            digits.swap(place, place + random.below(9 - place));
            puzzle.set(cell, Some(digits[place]));
        }
    }
    puzzle = *solve(puzzle).unwrap().grid();
    let mut cells: Vec<_> = Cell::all().collect();
    for place in 0..81 {
        cells.swap(place, place + random.below(81 - place));
        let digit = puzzle.get(cells[place]);
        puzzle.set(cells[place], None);
        if !is_unique(puzzle).unwrap() {
            puzzle.set(cells[place], digit);
        }
    }
    puzzle
}

fn check_random(count: usize) {
    let (mut steps, mut rater) = (Steps::default(), Rater::new());
    let mut random = Random::new(7);
    for _ in 0..count {
        let puzzle = random_puzzle(&mut random);
        check(&mut steps, &mut rater, &puzzle.into(), &puzzle.to_string());
    }
}

#[test]
fn every_step_is_sound_and_the_scores_are_those_of_the_rating() {
    let mut steps = Steps::default();
    let mut rater = Rater::new();
    for line in CASES.lines().skip(1).chain(CHAINS.lines().skip(1)) {
        let (puzzle, _) = line.split_once(',').unwrap();
        check(&mut steps, &mut rater, &puzzle.parse().unwrap(), puzzle);
    }
    check_random(if cfg!(debug_assertions) { 50 } else { 500 });
}

#[test]
#[ignore = "takes minutes"]
fn the_steps_of_ten_thousand_puzzles_are_sound() {
    check_random(10_000);
}

/// The sukaku of a grid has the same steps; one with more candidates has others.
#[test]
fn sukakus_have_steps() {
    let (mut steps, mut rater) = (Steps::default(), Rater::new());
    for line in CHAINS.lines().skip(1).take(8) {
        let (text, _) = line.split_once(',').unwrap();
        let mut of_grid = Steps::new(text).unwrap();
        let sukaku = of_grid.sukaku();
        let expected: Vec<_> = of_grid.by_ref().collect();
        steps.restart(sukaku).unwrap();
        assert!(steps.by_ref().eq(expected), "{text}");
        assert_eq!(steps.rating(), of_grid.rating(), "{text}");
    }
    // Two candidates in each cell of a solution, with one cell that decides.
    let mut random = Random::new(3);
    let mut checked = 0;
    while checked < 20 {
        let mut sukaku = Sukaku::from(solve(Grid::EMPTY).unwrap().grid());
        for cell in Cell::all() {
            let more = [0; 3].map(|_| DigitSet::of(Digit::ALL[random.below(9)]));
            sukaku.set(cell, more.into_iter().fold(sukaku.get(cell), DigitSet::union));
        }
        if is_unique(sukaku).unwrap() {
            check(&mut steps, &mut rater, &sukaku.into(), "a sukaku");
            checked += 1;
        }
    }
}

#[test]
fn a_puzzle_without_one_solution_has_no_steps() {
    assert!(matches!(Steps::new(Grid::EMPTY), Err(Verdict::Multiple { .. })));
    assert!(matches!(next_step(Sukaku::FULL), Err(Verdict::Multiple { .. })));
    assert!(matches!(next_step(&"55.......".repeat(9)), Err(Verdict::Conflict(_))));
    assert!(matches!(next_step("12"), Err(Verdict::Malformed(_))));
    assert!(matches!(next_step(solve(Grid::EMPTY).unwrap().grid()), Ok(None)));
    assert_eq!(Steps::default().next(), None);
}

#[test]
fn stopped_steps_end() {
    let (puzzle, _) = CHAINS.lines().nth(1).unwrap().split_once(',').unwrap();
    let stop = Arc::new(AtomicBool::new(true));
    let mut steps = Steps::new(puzzle).unwrap().with_bounds(Bounds::default().with_stop(stop));
    assert_eq!((steps.next(), steps.is_stopped()), (None, true));
}
