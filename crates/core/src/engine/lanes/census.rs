//! The census of a sparse puzzle: which of its candidates are in several solutions, and which in none.
//!
//! The solutions are not listed. A *dive* places a candidate that is not settled and guesses until it has two
//! solutions. A candidate that was seen in two solutions is settled. A puzzle with 16 clues has 170,000
//! solutions and 330 candidates on average; 44 dives with 62 solutions settle all but four.
//!
//! ```text
//!              lane 0       lane 1       lane 2  …           81 words each:
//!   root     [ candidates | candidates | candidates ]        the board that a dive starts from
//!   todo     [ not settled, and not dived for       ]        a dive begins with one of them
//!   any      [ seen in a solution                   ]
//!   block    [ the board of the dive                ]   ◄─ two passes, then a guess, all lanes in step
//! ```
//!
//! A guess is made in a cell with two candidates. It is the candidate to do, if there is one, else the higher.
//! Boards without the guess are kept in `slots`.
//!
//! # Two solutions must differ
//! A dive that begins with a candidate that was never seen finds solutions that differ from all earlier ones.
//! When none of these is left, a dive may find an earlier solution again. From then on each dive of
//! the puzzle begins with an empty `any`, so its solutions are compared with each other alone. They
//! differ, for a lane goes back to a board that lacks a digit of the last solution.
//!
//! # What stays open
//! A candidate in exactly one solution stays open. A lane goes back [`SLOTS`] guesses at most; if it needed an
//! older board, or too many rounds, the candidate stays open, too. The caller asks for those one by one.
#![forbid(unsafe_code)]

use super::block::Block;
use super::propagate::two_passes;
use super::slots::Slots;
use crate::simd::{CELLS, Cells, Kernel, MAX_LANES, SimdLevel, Word, lanes_of};
use alloc::boxed::Box;

/// Boards that a lane can go back to. With four, six candidates of a puzzle stay open.
const SLOTS: usize = 8;

/// Solutions of a dive. With three, a dive settles no more; with one, a puzzle takes 66 dives.
const ENOUGH: u8 = 2;

/// Rounds, up to twice this number, after which a dive ends. Dives have 12 on average.
const MANY_ROUNDS: usize = 48;

/// A puzzle and its candidates that are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Census {
    /// Its candidates. Some of those that are in no solution are taken away.
    pub(crate) root: [u16; CELLS],
    /// The candidates that are asked for; then those of them that are not settled.
    pub(crate) open: [u16; CELLS],
    /// Whether two solutions were found.
    pub(crate) has_several: bool,
}

/// Takes a census of each puzzle: a candidate of which it finds that it is in several solutions or in none is
/// not open any more. The guesses are not counted.
pub(crate) fn take_census(level: SimdLevel, puzzles: &mut [Census]) {
    level.run(TakeCensus(puzzles));
}

struct TakeCensus<'a>(&'a mut [Census]);

impl Kernel for TakeCensus<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Word>(self, proof: W::Proof) {
        Divers::<W>::new().run(proof, self.0);
    }
}

/// The dive of a lane.
#[derive(Clone, Copy, Default)]
struct Dive {
    /// The place of its puzzle.
    puzzle: usize,
    /// How many dives the puzzle had.
    number: usize,
    /// Whether all that is to do was seen in a solution.
    all_seen: bool,
    /// The candidate that was placed.
    cell: usize,
    digit: u16,
    solutions: u8,
}

/// The dives of all lanes.
struct Divers<W: Word> {
    block: Block<W>,
    root: Cells<W>,
    todo: Cells<W>,
    any: Cells<W>,
    slots: Slots<W, SLOTS>,
    /// Lanes that have a puzzle, a bit each.
    live: u32,
    /// Lanes that lost a usable board in this dive.
    lost: u32,
    /// Lanes whose dive has been there for [`MANY_ROUNDS`] or will be soon.
    old: u32,
    dives: [Dive; MAX_LANES],
}

/// The candidates of a cell in a lane.
#[inline(always)]
fn at<W: Word>(cells: &mut Cells<W>, cell: usize, lane: usize) -> &mut u16 {
    &mut cells.as_flattened_mut()[cell].as_mut()[lane % W::LANES]
}

impl<W: Word> Divers<W> {
    #[inline(never)]
    fn new() -> Box<Self> {
        let none = [[W::Memory::from(0); 27]; 3];
        Box::new(Self {
            block: Block::new(),
            root: none,
            todo: none,
            any: none,
            slots: Slots::new(),
            live: 0,
            lost: 0,
            old: 0,
            dives: [Dive::default(); MAX_LANES],
        })
    }

    #[inline(always)]
    fn run(&mut self, proof: W::Proof, puzzles: &mut [Census]) {
        let (mut next, mut ended) = (0, W::ALL_LANES);
        loop {
            let starting = self.start(ended, puzzles, &mut next);
            if self.live == 0 {
                return;
            }
            if starting != 0 {
                self.place(proof, starting);
            }
            let (over, solved) = two_passes(proof, &mut self.block, self.live);
            let enough = if solved == 0 { 0 } else { self.note(proof, solved, puzzles) };
            let back = over & !enough;
            let exhausted = self.slots.go_back(proof, &mut self.block, back);
            for lane in lanes_of(exhausted) {
                self.settle(lane, puzzles);
            }
            self.guess(proof, self.live & !back & !enough);
            ended = enough | exhausted | W::ALL_LANES & !self.live;
            if self.slots.round.is_multiple_of(MANY_ROUNDS) {
                let slow = self.old & !ended;
                for lane in lanes_of(slow) {
                    self.leave_open(lane, puzzles);
                }
                self.old = self.live;
                ended |= slow;
            }
        }
    }

    /// Chooses the next dive of each of these lanes, of its puzzle or the next one. Returns the lanes that
    /// have one.
    #[inline(always)]
    fn start(&mut self, ended: u32, puzzles: &mut [Census], next: &mut usize) -> u32 {
        for lane in lanes_of(ended) {
            let bit = 1 << lane;
            while self.live & bit == 0 || !self.choose(lane) {
                self.live &= !bit;
                let Some(puzzle) = puzzles.get_mut(*next) else { break };
                for cell in 0..CELLS {
                    *at::<W>(&mut self.root, cell, lane) = puzzle.root[cell];
                    *at::<W>(&mut self.todo, cell, lane) = puzzle.open[cell];
                    *at::<W>(&mut self.any, cell, lane) = 0;
                }
                puzzle.open = [0; CELLS];
                self.dives[lane] = Dive { puzzle: *next, ..Dive::default() };
                self.live |= bit;
                *next += 1;
            }
        }
        ended & self.live
    }

    /// Chooses the candidate of the next dive of a lane. `false` if none is to do.
    #[inline(always)]
    fn choose(&mut self, lane: usize) -> bool {
        let Self { dives, todo, any, .. } = self;
        let dive = &mut dives[lane];
        dive.number += 1;
        // Another place each time, so that the solutions differ.
        let first = dive.number * 31 % CELLS;
        let mut find = |sees_all: u16| {
            (first..CELLS).chain(0..first).find_map(|cell| {
                let seen = *at::<W>(any, cell, lane) & !sees_all;
                let left = *at::<W>(todo, cell, lane) & !seen;
                (left != 0).then_some((cell, left & left.wrapping_neg()))
            })
        };
        let unseen = if dive.all_seen { None } else { find(0) };
        dive.all_seen = unseen.is_none();
        let Some((cell, digit)) = unseen.or_else(|| find(u16::MAX)) else { return false };
        *at::<W>(todo, cell, lane) &= !digit;
        *dive = Dive { cell, digit, solutions: 0, ..*dive };
        true
    }

    /// Puts the roots into these lanes, with the candidates of their dives placed.
    #[inline(always)]
    fn place(&mut self, proof: W::Proof, starting: u32) {
        let all_seen = lanes_of(starting).filter(|&lane| self.dives[lane].all_seen);
        let all_seen = W::in_lanes(proof, all_seen.fold(0, |lanes, lane| lanes | 1 << lane));
        let lanes = W::in_lanes(proof, starting);
        for band in 0..3 {
            for cell in 0..27 {
                let word = &mut self.block.cells[band][cell];
                let root = W::load(proof, &self.root[band][cell]) & lanes;
                (W::load(proof, word).without(lanes) | root).store(word);
                let any = &mut self.any[band][cell];
                W::load(proof, any).without(all_seen).store(any);
            }
        }
        for lane in lanes_of(starting) {
            let Dive { cell, digit, .. } = self.dives[lane];
            self.block.set_cell(lane, cell, digit);
        }
        self.block.fresh |= starting;
        self.lost &= !starting;
        self.old &= !starting;
        self.slots.forget(starting);
    }

    /// Notes the solutions in these lanes. Returns the lanes that have enough.
    #[inline(always)]
    fn note(&mut self, proof: W::Proof, solved: u32, puzzles: &mut [Census]) -> u32 {
        let lanes = W::in_lanes(proof, solved);
        for band in 0..3 {
            for cell in 0..27 {
                let own = W::load(proof, &self.block.cells[band][cell]) & lanes;
                let (any, todo) = (&mut self.any[band][cell], &mut self.todo[band][cell]);
                let seen = W::load(proof, any);
                W::load(proof, todo).without(seen & own).store(todo);
                (seen | own).store(any);
            }
        }
        let mut enough = 0;
        for lane in lanes_of(solved) {
            let dive = &mut self.dives[lane];
            dive.solutions += 1;
            if dive.solutions == ENOUGH {
                puzzles[dive.puzzle].has_several = true;
                enough |= 1 << lane;
            }
        }
        enough
    }

    /// Guesses in these lanes, and keeps their boards without the guess: in the first cell with two
    /// candidates, or, if there is none, in the first open cell.
    #[inline(always)]
    fn guess(&mut self, proof: W::Proof, guessing: u32) {
        let slot = self.slots.next_round();
        self.lost |= self.slots.usable[slot];
        self.slots.kept[slot] = self.block.cells;
        let zero = W::splat(proof, 0);
        // Not 0 in the lanes that have guessed or do not guess.
        let mut over = W::in_lanes(proof, !guessing);
        // Another band first each time, so that the solutions differ.
        let first = self.slots.round % 3;
        'bands: for only_pairs in [true, false] {
            for band in [first, (first + 1) % 3, (first + 2) % 3] {
                for cell in 0..27 {
                    let word = &mut self.block.cells[band][cell];
                    let own = W::load(proof, word);
                    let high = own.but_lowest();
                    let choice = if only_pairs {
                        let pair = high.if_single();
                        let todo = (own & W::load(proof, &self.todo[band][cell])).if_single();
                        pair.replaced_by(todo.without(todo.where_zero(pair)))
                    } else {
                        let low = own.without(high);
                        low.without(low.where_zero(high))
                    };
                    let guess = choice.where_zero(over);
                    over = over | guess;
                    let kept = &mut self.slots.kept[slot][band][cell];
                    W::load(proof, kept).without(guess).store(kept);
                    own.replaced_by(guess).store(word);
                }
                if over.equal(zero) == 0 {
                    break 'bands;
                }
            }
        }
        self.slots.usable[slot] = guessing & !over.equal(zero);
    }

    /// Settles the candidate of a dive that has nothing more to search.
    #[inline(always)]
    fn settle(&mut self, lane: usize, puzzles: &mut [Census]) {
        let Dive { puzzle, cell, digit, solutions, all_seen, .. } = self.dives[lane];
        let is_lost = self.lost >> lane & 1 == 1;
        match solutions {
            0 if !is_lost => {
                puzzles[puzzle].root[cell] &= !digit;
                *at::<W>(&mut self.root, cell, lane) &= !digit;
            }
            // It may be in the solutions of other dives.
            1 if is_lost && !all_seen => *at::<W>(&mut self.todo, cell, lane) |= digit,
            _ => self.leave_open(lane, puzzles),
        }
    }

    #[inline(always)]
    fn leave_open(&self, lane: usize, puzzles: &mut [Census]) {
        let Dive { puzzle, cell, digit, .. } = self.dives[lane];
        puzzles[puzzle].open[cell] |= digit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::puzzle::{Cell, Digit, DigitSet, Grid, Sukaku};

    /// Puzzles of a file, each without two of its clues, and one that is unique.
    fn puzzles() -> Vec<Grid> {
        let text = include_str!("../../../tests/data/minimal.txt");
        let lines = text.lines().take(40).enumerate();
        let mut puzzles: Vec<Grid> = lines
            .map(|(place, line)| {
                let mut puzzle: Grid = line.parse().unwrap();
                let clues: Vec<_> =
                    Cell::all().filter(|&cell| puzzle.get(cell).is_some()).collect();
                for cell in clues.into_iter().skip(place % 7).step_by(9).take(2) {
                    puzzle.set(cell, None);
                }
                puzzle
            })
            .collect();
        puzzles.push(text.lines().next().unwrap().parse().unwrap());
        puzzles
    }

    fn census(puzzle: &Grid) -> Census {
        let root = Sukaku::from(puzzle).values().map(DigitSet::bits);
        let open = root.map(|bits| if bits.is_power_of_two() { 0 } else { bits });
        Census { root, open, has_several: false }
    }

    #[test]
    fn settled_candidates_are_in_several_solutions_or_in_none_at_every_level() {
        let (puzzles, mut engine) = (puzzles(), EngineKind::Mrv.build());
        let mut solutions = |puzzle: &Grid, cell: usize, digit: Digit| {
            let mut sukaku = Sukaku::from(puzzle);
            sukaku.set(Cell::new(cell), DigitSet::of(digit));
            let mut answers = Vec::new();
            engine.solve_sukakus(&[sukaku], 2, &mut answers);
            answers[0].count
        };
        for level in SimdLevel::available() {
            for count in [0, 1, 3, puzzles.len()] {
                let mut found: Vec<_> = puzzles[..count].iter().map(census).collect();
                take_census(level, &mut found);
                let (mut asked, mut left) = (0, 0);
                for (puzzle, found) in puzzles.iter().zip(&found) {
                    let before = census(puzzle);
                    let mut has_several = false;
                    for cell in 0..CELLS {
                        for digit in Digit::ALL {
                            let bit = DigitSet::of(digit).bits();
                            if before.open[cell] & bit == 0 {
                                assert_eq!(found.open[cell] & bit, 0);
                                continue;
                            }
                            let solutions = solutions(puzzle, cell, digit);
                            has_several |= solutions == 2;
                            let (is_open, is_left) =
                                (found.open[cell] & bit != 0, found.root[cell] & bit != 0);
                            assert!(is_open || solutions != 1, "{level} {puzzle} {cell} {digit}");
                            assert!(is_left || solutions == 0, "{level} {puzzle} {cell} {digit}");
                            asked += 1;
                            left += usize::from(is_open && solutions != 1);
                        }
                    }
                    assert!(has_several || !found.has_several);
                }
                assert!(left * 10 <= asked, "{level}: {left} of {asked} are not settled");
            }
        }
    }
}
