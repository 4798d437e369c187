//! Steps, replayed by a check that knows the solution and nothing of techniques.

use ninefold_core::difficulty::{
    Candidate, Inner, Node, Rater, Score, Step, Steps, Technique, next_step,
};
use ninefold_core::engine::Bounds;
use ninefold_core::puzzle::{Cell, Digit, DigitSet, Grid, House, Puzzle, Random, Solution, Sukaku};
use ninefold_core::{Verdict, is_unique, solve};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// `puzzle,…`, with a header.
const CASES: &str = include_str!("rating_cases.csv");
const CHAINS: &str = include_str!("rating_chains.csv");
const HARDEST: &str = include_str!("rating_hardest.csv");

/// A sukaku without a hint of the searches up to nested level 4 with plain dynamic chains inside.
const NESTED_TWICE: &str = include_str!("data/nested_twice.txt");

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
        assert!(step.placement.is_some() || !step.eliminations.is_empty(), "{about}: {step}");
        assert!(step.placement.is_none() || step.eliminations.is_empty(), "{about}: {step}");
        if !step.chains.is_empty() {
            let about = format!("{about}: {step}");
            let proof = self.check_chains(step.technique, &step.chains, &[], &about);
            for &removed in &step.eliminations {
                assert!(proof.removes(removed), "{about}: {removed}");
            }
            let placed = step.placement.map(|candidate| Proof::Node { candidate, is_on: true });
            assert!(placed.is_none_or(|placed| placed == proof), "{about}");
        }
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

    /// What some chains prove once other candidates are gone.
    fn check_chains(
        &self,
        technique: Technique,
        chains: &[Vec<Node>],
        gone: &[Candidate],
        about: &str,
    ) -> Proof {
        for chain in chains {
            self.check_chain(chain, gone, about);
        }
        let proved = |node: &Node, is_same: bool| Proof::Node {
            candidate: node.candidate,
            is_on: node.is_on == is_same,
        };
        let ends = |chain: &[Node]| (chain[0].clone(), chain[chain.len() - 1].clone());
        let (starts, ends): (Vec<_>, Vec<_>) = chains.iter().map(|chain| ends(chain)).unzip();
        let are_opposite =
            |one: &Node, other: &Node| one.candidate == other.candidate && one.is_on != other.is_on;
        let is_cycle = [
            Technique::BidirectionalXCycle,
            Technique::BidirectionalYCycle,
            Technique::BidirectionalCycle,
        ];
        match &starts[..] {
            [start] if is_cycle.contains(&technique) => {
                assert!(!ends[0].is_on && excludes(ends[0].candidate, start.candidate), "{about}");
                Proof::Cycle(chains[0].clone())
            }
            [start] => {
                assert!(are_opposite(start, &ends[0]), "{about}");
                proved(start, false)
            }
            [one, other] if one == other => {
                assert!(are_opposite(&ends[0], &ends[1]), "{about}");
                proved(one, false)
            }
            starts => {
                let same =
                    |end: &Node| (end.candidate, end.is_on) == (ends[0].candidate, ends[0].is_on);
                assert!(ends.iter().all(same), "{about}");
                let is_double = starts.len() == 2 && are_opposite(&starts[0], &starts[1]);
                assert!(is_double || self.is_one_true(starts, gone), "{about}");
                proved(&ends[0], true)
            }
        }
    }

    /// Each node follows from those before it, and from candidates that are gone.
    fn check_chain(&self, chain: &[Node], gone: &[Candidate], about: &str) {
        assert!(chain.len() > 1, "{about}");
        let mut gone = gone.to_vec();
        for (place, node) in chain.iter().enumerate() {
            let (candidate, before) = (node.candidate, &chain[..place]);
            assert!(self.is_open(candidate), "{about}: {candidate} is gone");
            let follows = match &node.inner {
                _ if place == 0 => true,
                Some(inner) => !node.is_on && self.removes(inner, candidate, &gone, about),
                None if node.is_on => self.is_single_without(candidate, &gone),
                None => before.iter().any(|it| it.is_on && excludes(it.candidate, candidate)),
            };
            assert!(follows, "{about}: {node}");
            gone.extend((!node.is_on).then_some(candidate));
        }
    }

    /// Whether an inner technique removes a candidate.
    fn removes(&self, inner: &Inner, removed: Candidate, gone: &[Candidate], about: &str) -> bool {
        if inner.chains.is_empty() {
            assert!(inner.technique < Technique::BidirectionalXCycle, "{about}");
            return self.is_refuted(removed, gone);
        }
        let proof = self.check_chains(inner.technique, &inner.chains, gone, about);
        proof.removes(removed)
    }

    /// The open candidates of the cell of a candidate, and of its digit in its houses.
    fn groups(&self, of: Candidate) -> [Vec<Candidate>; 4] {
        let is_open = |it: &Candidate| self.is_open(*it);
        let Candidate { cell, .. } = of;
        let houses =
            [House::Row(cell.row()), House::Column(cell.column()), House::Box(cell.box_index())];
        let [row, column, in_box] = houses.map(|house| {
            let places = house.cells().map(|cell| Candidate { cell, ..of });
            places.into_iter().filter(is_open).collect()
        });
        let digits = Digit::ALL.map(|digit| Candidate { digit, ..of });
        [row, column, in_box, digits.into_iter().filter(is_open).collect()]
    }

    /// Whether one of some candidates is true: they are all of a cell or of a digit in a house.
    fn is_one_true(&self, nodes: &[Node], gone: &[Candidate]) -> bool {
        let is_in = |it: &Candidate| nodes.iter().any(|node| node.candidate == *it);
        let groups = self.groups(nodes[0].candidate);
        nodes.iter().all(|node| node.is_on)
            && groups.iter().any(|group| group.iter().all(|it| gone.contains(it) || is_in(it)))
    }

    fn is_single_without(&self, candidate: Candidate, gone: &[Candidate]) -> bool {
        let is_left = |it: &Candidate| *it != candidate && !gone.contains(it);
        self.groups(candidate).iter().any(|group| !group.iter().any(is_left))
    }

    /// Whether singles lead from a candidate to a cell without a candidate, or a house without a place.
    fn is_refuted(&self, candidate: Candidate, gone: &[Candidate]) -> bool {
        let mut gone: BTreeSet<_> = gone.iter().copied().collect();
        let all = || Cell::all().flat_map(|cell| Digit::ALL.map(|digit| Candidate { cell, digit }));
        let open: Vec<_> = all().filter(|it| self.is_open(*it)).collect();
        let mut on = vec![candidate];
        let mut done = 0;
        while done < on.len() {
            gone.extend(open.iter().filter(|it| excludes(on[done], **it)));
            done += 1;
            for group in open.iter().flat_map(|it| self.groups(*it)) {
                let mut left = group.iter().filter(|it| !gone.contains(it));
                match (left.next(), left.next()) {
                    (None, _) => return true,
                    (Some(single), None) if !on.contains(single) => on.push(*single),
                    _ => {}
                }
            }
        }
        false
    }
}

/// What chains prove.
#[derive(Debug, PartialEq)]
enum Proof {
    Node {
        candidate: Candidate,
        is_on: bool,
    },
    /// Each candidate that sees a true and a false node.
    Cycle(Vec<Node>),
}

impl Proof {
    /// Whether a candidate is false then.
    fn removes(&self, removed: Candidate) -> bool {
        match self {
            Self::Node { candidate, is_on: false } => *candidate == removed,
            Self::Node { candidate, is_on: true } => excludes(*candidate, removed),
            Self::Cycle(nodes) => [true, false].iter().all(|&is_on| {
                nodes.iter().any(|it| it.is_on == is_on && excludes(it.candidate, removed))
            }),
        }
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

fn check_listed<'a>(lines: impl Iterator<Item = &'a str>) {
    let (mut steps, mut rater) = (Steps::default(), Rater::new());
    for line in lines {
        let (puzzle, _) = line.split_once(',').unwrap();
        check(&mut steps, &mut rater, &puzzle.parse().unwrap(), puzzle);
    }
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
    check_listed(CASES.lines().skip(1).chain(CHAINS.lines().skip(1)));
    check_random(if cfg!(debug_assertions) { 50 } else { 500 });
}

#[test]
#[ignore = "takes minutes"]
fn the_steps_of_ten_thousand_puzzles_are_sound() {
    check_random(10_000);
}

#[test]
#[ignore = "takes a minute"]
fn the_steps_of_the_hardest_puzzles_are_sound() {
    check_listed(HARDEST.lines().skip(1));
}

/// No grid is known that needs inner levels of nested level 4.
#[test]
#[ignore = "takes a minute"]
fn chains_inside_chains_inside_chains_are_sound() {
    let puzzle: Puzzle = NESTED_TWICE.trim().parse().unwrap();
    let (mut replay, mut steps) = (Replay::new(&puzzle), Steps::new(puzzle).unwrap());
    let inside = |node: &Node| node.inner.as_ref().map_or(Vec::new(), |it| it.chains.concat());
    let is_nested_twice = |step: &Step| {
        let nodes: Vec<Node> = step.chains.concat().iter().flat_map(inside).collect();
        nodes.iter().any(|node| node.inner.is_some())
    };
    let step = steps.find(|step| {
        replay.take(step, "a sukaku");
        step.score > Score::Tenths(62)
    });
    let step = step.expect("it is not solved without chains");
    assert!(is_nested_twice(&step), "{step}");
    assert_eq!(step.score, Score::Tenths(118), "{step}");
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
