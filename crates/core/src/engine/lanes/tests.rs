//! The kernel at every level, and the same on plain integers.

use super::Lanes;
use super::block::Block;
use super::propagate::{BoxPass, open};
use crate::engine::{Bounds, Engine};
use crate::puzzle::tables::PEER_SETS;
use crate::puzzle::{Grid, Random};
use crate::simd::{ALL_DIGITS, Board, CELLS, Kernel, SimdLevel, Word, random_set};
use alloc::vec::Vec;
use core::hint::black_box;

/// Begins random puzzles in some lanes, and looks at the boards of all.
struct Open;

impl Kernel for Open {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        let mut random = Random::new(31);
        for lanes in [u32::MAX, 0, 1, 0x8000_8000, 0x1248_edb7].map(|it| it & W::ALL_LANES) {
            let mut block = Block::<W>::new();
            let mut clues = block.cells;
            for cell in block.cells.as_flattened_mut().iter_mut().flat_map(AsMut::as_mut) {
                *cell = random_set(&mut random);
            }
            for word in clues.as_flattened_mut() {
                for (lane, clue) in word.as_mut().iter_mut().enumerate() {
                    let value = u8::try_from(random.below(30)).expect("under 30");
                    let is_clue = lanes >> lane & 1 != 0 && value < 10;
                    *clue = if is_clue { Board::clue(value) } else { 0 };
                }
            }
            let before = block.cells;
            open(proof, &mut block, lanes, &clues);
            for lane in 0..W::LANES {
                let set_in = |words: &[W::Memory], place: usize| words[place].as_ref()[lane];
                let clue = |cell: usize| set_in(clues.as_flattened(), cell);
                let found = |cell: usize| set_in(block.cells.as_flattened(), cell);
                for (cell, peers) in PEER_SETS.iter().enumerate() {
                    let peers = (0..CELLS).filter(|&peer| peers >> peer & 1 == 1);
                    let expected = match clue(cell) {
                        _ if lanes >> lane & 1 == 0 => set_in(before.as_flattened(), cell),
                        0 => peers.fold(ALL_DIGITS, |left, peer| left & !clue(peer)),
                        digit => digit,
                    };
                    assert_eq!(found(cell), expected, "lane {lane}, cell {cell}, {lanes:b}");
                }
                let triad = |first: usize, step: usize| {
                    found(first) | found(first + step) | found(first + 2 * step)
                };
                for place in 0..27 {
                    let (band, stack, k) = (place / 9, place / 3 % 3, place % 3);
                    let row = triad(band * 27 + k * 9 + stack * 3, 1);
                    let column = triad(band * 27 + stack * 3 + k, 9);
                    assert_eq!(set_in(block.row_triads.as_flattened(), place), row);
                    assert_eq!(set_in(block.column_triads.as_flattened(), place), column);
                }
            }
        }
    }
}

#[test]
fn clues_leave_the_cells_that_see_them_at_every_level() {
    for level in SimdLevel::available() {
        level.run(Open);
    }
}

/// Puts another board into each lane, and copies it out again.
struct CopyEveryLane;

impl Kernel for CopyEveryLane {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        let mut boards = [Board::EMPTY; 32];
        for (board, lane) in boards.iter_mut().zip(0u16..) {
            for (cell, index) in board.cells[..81].iter_mut().zip(0u16..) {
                *cell = (lane * 81 + index) % 511 + 1;
            }
        }
        let mut block = Block::<W>::new();
        for (lane, board) in boards.iter().enumerate().take(W::LANES) {
            block.put([(lane, board)]);
        }
        for (lane, board) in boards.iter().enumerate().take(W::LANES) {
            let mut copy = Board::EMPTY;
            W::copy_lane(proof, &block.cells, lane, &mut copy);
            assert_eq!(copy.cells, board.cells, "lane {lane} of {}", W::LANES);
        }
    }
}

/// Odd lanes share a gathered pair with their neighbour; the last cell is copied by itself.
#[test]
fn every_lane_is_copied_whole_at_every_level() {
    for level in SimdLevel::available() {
        level.run(CopyEveryLane);
    }
}

/// Passes over the boards of all lanes.
struct Passes(u64);

impl Kernel for Passes {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        let mut block = Block::<W>::new();
        for _ in 0..self.0 {
            let events = W::call(proof, BoxPass(black_box(&mut block)));
            assert_eq!(events.dead & W::ALL_LANES, 0, "an empty grid has solutions");
        }
    }
}

/// What an environment variable says.
fn told(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set"))
}

/// How often, and at which level.
fn told_work() -> (u64, SimdLevel) {
    (told("TIMES").parse().expect("a number"), told("LEVEL").parse().expect("a level"))
}

#[test]
#[ignore = "work whose instructions .ci/aarch64 counts"]
fn work_of_passes() {
    let (times, level) = told_work();
    level.run(Passes(times));
}

#[test]
#[ignore = "work whose instructions .ci/aarch64 counts"]
fn work_of_a_list() {
    let (times, level) = told_work();
    let text = std::fs::read_to_string(told("LIST")).expect("a list");
    let puzzles: Vec<Grid> = text.lines().map(|line| line.parse().expect("a puzzle")).collect();
    let mut engine = Lanes::new(level, Bounds::default());
    let mut answers = Vec::new();
    for _ in 0..times {
        answers.clear();
        engine.solve_batch(&puzzles, 2, &mut answers);
    }
    assert!(!puzzles.is_empty() && answers.iter().all(|answer| answer.count > 0));
}
