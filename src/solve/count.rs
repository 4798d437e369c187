//! The number of solutions of one puzzle, counted on all threads that have nothing else to do.
//!
//! ```text
//! puzzle ──> 512 parts ──> each counted up to 2^18 ──> complete: added to the sum
//!              ^                                  └──> 2^18 or more: waits, and counts 2^18 until then
//!              └──────────────── 64 of those that wait, divided again
//! ```
//!
//! A part is the puzzle with more digits. No two parts have a solution in common, so the count does not
//! depend on the threads. Memory does not grow: the parts that wait are those of one path of the tree.

use crate::engine::{Answer, Engine};
use crate::puzzle::{Cell, Puzzle, Sukaku};
use crate::search::Search;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The solutions that a chunk counts of each puzzle before one is counted by itself: 20 to 60 ms.
pub(super) const MANY: usize = if cfg!(test) { 1 << 10 } else { 1 << 17 };

/// The most solutions that are counted of a part.
const MOST_OF_PART: usize = if cfg!(test) { 1 << 5 } else { 1 << 18 };

/// How many parts are counted together.
const PARTS: usize = 512;

/// How many parts with too many solutions are divided at once: the work on them is done again, an eighth of
/// the whole.
const DIVIDED: usize = 64;

/// Threads that count the solutions of one puzzle together: those of a run that have nothing else to do. By
/// default there is none besides the worker itself.
///
/// ```
/// use ninefold::solve::{Solve, Team};
///
/// let solve = Solve { team: Team::new(8), ..Solve::default() };
/// ```
#[derive(Clone, Debug, Default)]
pub struct Team {
    threads: usize,
    busy: Arc<AtomicUsize>,
}

impl Team {
    /// A team of the threads of a run, as many as it has workers.
    pub fn new(threads: usize) -> Self {
        Self { threads, busy: Arc::default() }
    }

    /// This thread is at work as long as the result lives.
    pub(super) fn enter(&self) -> Busy {
        self.busy.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(&self.busy))
    }

    /// The threads that have nothing to do.
    fn idle(&self) -> usize {
        self.threads.saturating_sub(self.busy.load(Ordering::Relaxed))
    }
}

/// A thread at work.
pub(super) struct Busy(Arc<AtomicUsize>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The number of solutions of a puzzle up to `limit`, without the first one.
pub(super) fn count(
    puzzle: &Puzzle,
    limit: usize,
    search: &Search,
    team: &Team,
    engines: &mut Vec<Box<dyn Engine>>,
) -> Answer {
    // The puzzle has as many as were counted with its chunk.
    let (mut waiting, mut complete, mut known) = (vec![*puzzle], 0, MANY);
    while !waiting.is_empty() && known < limit && !search.cancel.is_abandoned() {
        let parts = divided(waiting.split_off(waiting.len().saturating_sub(DIVIDED)));
        let counts = {
            let helpers: Vec<Busy> = (0..team.idle()).map(|_| team.enter()).collect();
            let threads = 1 + helpers.len();
            engines.resize_with(threads.max(engines.len()), || search.build());
            let before = complete + waiting.len() * MOST_OF_PART;
            let found = KnownCounts { before, known, limit, search, sum: AtomicUsize::new(0) };
            found.count_all(&parts, &mut engines[..threads])
        };
        for (part, count) in parts.iter().zip(&counts) {
            if *count < MOST_OF_PART { complete += count } else { waiting.push(*part) }
        }
        known = known.max(complete + waiting.len() * MOST_OF_PART);
    }
    search.cancel.report(0);
    let gave_up = known < limit && search.cancel.is_abandoned();
    Answer { count: known.min(limit), first: None, gave_up }
}

/// What is known while parts are counted.
struct KnownCounts<'a> {
    /// The solutions of all other parts, at least.
    before: usize,
    /// The solutions of the puzzle that were found before, at least.
    known: usize,
    limit: usize,
    search: &'a Search,
    /// The solutions of these parts so far.
    sum: AtomicUsize,
}

impl KnownCounts<'_> {
    /// Counts the solutions of each part, on a thread for each engine. Parts that are not needed have none.
    fn count_all(&self, parts: &[Puzzle], engines: &mut [Box<dyn Engine>]) -> Vec<usize> {
        let next = AtomicUsize::new(0);
        let counts: Vec<_> = parts.iter().map(|_| AtomicUsize::new(0)).collect();
        let work = |engine: &mut Box<dyn Engine>| {
            let mut answers = Vec::with_capacity(1);
            while self.total() < self.limit && !self.search.cancel.is_abandoned() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(part) = parts.get(index) else { break };
                answers.clear();
                match part {
                    Puzzle::Grid(grid) => engine.solve_batch(&[*grid], MOST_OF_PART, &mut answers),
                    Puzzle::Sukaku(sukaku) => {
                        engine.solve_sukakus(&[*sukaku], MOST_OF_PART, &mut answers);
                    }
                }
                let count = answers[0].count;
                counts[index].store(count, Ordering::Relaxed);
                self.sum.fetch_add(count, Ordering::Relaxed);
                self.search.cancel.report(self.total() as u64);
            }
        };
        let (first, others) = engines.split_first_mut().expect("the engine of this thread");
        thread::scope(|scope| {
            let work = &work;
            for engine in others {
                // A thread that the system refuses is not needed.
                let helper = thread::Builder::new().name("count".to_owned());
                let _ = helper.spawn_scoped(scope, move || work(engine));
            }
            work(first);
        });
        counts.into_iter().map(AtomicUsize::into_inner).collect()
    }

    /// The solutions that are known.
    fn total(&self) -> usize {
        self.known.max(self.before + self.sum.load(Ordering::Relaxed))
    }
}

/// Divides puzzles until there are [`PARTS`] or all cells are full.
fn divided(mut parts: Vec<Puzzle>) -> Vec<Puzzle> {
    while parts.len() < PARTS {
        let more: Vec<Puzzle> = parts.iter().flat_map(children).collect();
        if more.len() == parts.len() {
            break;
        }
        parts = more;
    }
    parts
}

/// The puzzle with each candidate of a cell that has as few as possible, but several; or the puzzle itself.
fn children(puzzle: &Puzzle) -> Vec<Puzzle> {
    let candidates = candidates(puzzle);
    let several = Cell::all().filter(|&cell| candidates.get(cell).len() != 1);
    match several.min_by_key(|&cell| candidates.get(cell).len()) {
        Some(cell) => {
            candidates.get(cell).into_iter().filter_map(|digit| puzzle.with(cell, digit)).collect()
        }
        None => vec![*puzzle],
    }
}

/// The candidates of each cell that no single in a cell that it sees excludes.
fn candidates(puzzle: &Puzzle) -> Sukaku {
    let given = match puzzle {
        Puzzle::Grid(grid) => Sukaku::from(grid),
        Puzzle::Sukaku(sukaku) => *sukaku,
    };
    let mut candidates = given;
    for cell in Cell::all().filter(|&cell| given.get(cell).len() == 1) {
        for peer in cell.peers() {
            let others = given.get(cell).complement().intersection(candidates.get(peer));
            candidates.set(peer, others);
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Digit, DigitSet, Grid};

    /// 29,283 solutions: with few for each part, parts are divided again and again.
    const GRID: &str =
        ".3.6..9....2.95..8..8.....78...61............7.39.........372......19.....5....7.";

    #[test]
    fn a_count_is_that_of_all_parts_whatever_the_threads() {
        let grid: Grid = GRID.parse().unwrap();
        // Without a 1 in the first cell.
        let mut sukaku = Sukaku::from(&grid);
        sukaku.set(Cell::new(0), DigitSet::of(Digit::ALL[0]).complement());
        let sukaku = Puzzle::from(sukaku);
        let search = Search::default();
        let of = |puzzle: &Puzzle, threads, limit| {
            let team = Team::new(threads);
            let _busy = team.enter();
            let answer = count(puzzle, limit, &search, &team, &mut Vec::new());
            assert!(!answer.gave_up);
            answer.count
        };
        assert_eq!(of(&grid.into(), 1, 1_000_000), 29_283);
        for threads in [2, 5] {
            assert_eq!(of(&grid.into(), threads, 20_000), 20_000);
            assert_eq!(of(&sukaku, threads, 1_000_000), 25_093);
        }
    }

    #[test]
    fn a_stopped_count_is_a_lower_bound() {
        let search = Search::default();
        search.cancel.abandon();
        let puzzle = Puzzle::from(Grid::EMPTY);
        let answer = count(&puzzle, usize::MAX, &search, &Team::new(2), &mut Vec::new());
        assert_eq!((answer.count, answer.gave_up), (MANY, true));
    }

    #[test]
    fn the_parts_of_a_puzzle_have_no_solution_in_common() {
        let parts = divided(vec![Puzzle::from(Grid::EMPTY)]);
        assert!(parts.len() >= PARTS);
        let disjoint = |one: &Puzzle, two: &Puzzle| {
            let (one, two) = (one.givens(), two.givens());
            Cell::all()
                .any(|cell| one.get(cell).zip(two.get(cell)).is_some_and(|(one, two)| one != two))
        };
        for (number, part) in parts.iter().enumerate() {
            assert!(parts[..number].iter().all(|other| disjoint(part, other)));
        }
    }
}
