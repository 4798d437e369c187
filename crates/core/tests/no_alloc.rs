//! The front door allocates nothing per puzzle: `solve`, `count` and `is_unique` never, a `Solver`
//! only for its first puzzles.
//!
//! Allocations are counted for each thread apart, so that the test runner does not count.
#![allow(unsafe_code, reason = "an allocator can only be wrapped by an unsafe impl")]

use ninefold_core::engine::EngineKind;
use ninefold_core::engine::lanes::SimdLevel;
use ninefold_core::puzzle::{Grid, Sukaku};
use ninefold_core::{Solver, count, is_unique, solve};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread so far.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counted.
struct Counting;

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the promises that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises that the system's allocator asks for.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the promises that the system's allocator asks for.
        unsafe { System.realloc(pointer, layout, bytes) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One puzzle of each kind: easy, hard, without a solution, with many, in conflict.
const LINES: [&str; 5] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    ".12345678..................9.....................................................",
    ".................................................................................",
    "11...............................................................................",
];

fn puzzles() -> Vec<Grid> {
    LINES.iter().map(|line| line.parse().expect("81 cells")).collect()
}

#[test]
fn one_puzzle_allocates_nothing() {
    let sukakus: Vec<_> = puzzles().iter().map(Sukaku::from).collect();
    let before = ALLOCATIONS.get();
    let mut solved = 0;
    for (line, sukaku) in LINES.iter().zip(&sukakus) {
        solved += usize::from(solve(*line).is_ok());
        solved += usize::from(count(sukaku, 10).is_ok_and(|count| count > 0));
        solved += usize::from(is_unique(*line).is_ok_and(|unique| unique));
    }
    assert_eq!((ALLOCATIONS.get() - before, solved), (0, 3 + 3 + 2));
}

#[test]
fn a_solver_allocates_for_its_first_puzzles_only() {
    let puzzles = puzzles().repeat(20);
    for &kind in EngineKind::ALL.iter().filter(|kind| matches!(kind.name(), "mrv" | "lanes")) {
        for level in SimdLevel::available() {
            let mut solver = Solver::new().with_engine(kind).with_level(level);
            assert_eq!(solver.many(&puzzles).len(), puzzles.len());
            let before = ALLOCATIONS.get();
            for _ in 0..3 {
                assert_eq!(solver.many(&puzzles).len(), puzzles.len());
                assert_eq!(solver.one(&puzzles[0]).count, 1);
            }
            assert_eq!(ALLOCATIONS.get() - before, 0, "{kind} {level}");
        }
    }
}
