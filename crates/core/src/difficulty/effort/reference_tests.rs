//! The effort search again, in the words of its definition: the judge of the fast one.

use crate::puzzle::{Cell, Grid, House};
use alloc::vec::Vec;

type CandidateBits = [u16; 81];

fn candidates_of(puzzle: &Grid) -> CandidateBits {
    puzzle.values().map(|value| if value == 0 { 0x1ff } else { 1 << (value - 1) })
}

fn cells(house: House) -> Vec<usize> {
    house.cells().iter().map(|cell| cell.index()).collect()
}

fn places(of: &CandidateBits, house: House, digit: u16) -> Vec<usize> {
    cells(house).into_iter().filter(|&cell| of[cell] & digit != 0).collect()
}

/// One round of the rules. Returns false on a contradiction.
fn round(of: &mut CandidateBits) -> bool {
    for cell in Cell::all() {
        let own = of[cell.index()];
        if own == 0 {
            return false;
        }
        if own.is_power_of_two() {
            for peer in cell.peers() {
                of[peer.index()] &= !own;
            }
        }
    }
    for house in House::all() {
        for digit in (0..9).map(|digit| 1 << digit) {
            let found = places(of, house, digit);
            match found.len() {
                0 => return false,
                1 => of[found[0]] = digit,
                _ => {}
            }
            // Pointing and claiming: the places lie in another house, too.
            for other in House::all().filter(|&other| other != house) {
                let others = cells(other);
                if found.iter().all(|cell| others.contains(cell)) {
                    for cell in others.into_iter().filter(|cell| !found.contains(cell)) {
                        of[cell] &= !digit;
                    }
                }
            }
        }
    }
    true
}

fn propagate(of: &mut CandidateBits) -> bool {
    loop {
        let before = *of;
        if !round(of) {
            return false;
        }
        if *of == before {
            return true;
        }
    }
}

/// The guesses up to the first solution.
pub(super) fn guesses(puzzle: &Grid) -> Option<u64> {
    let mut count = 0;
    let mut stack = Vec::from([candidates_of(puzzle)]);
    while let Some(mut of) = stack.pop() {
        while propagate(&mut of) {
            let open = (0..81).filter(|&cell| of[cell].count_ones() > 1);
            let Some(cell) = open.min_by_key(|&cell| of[cell].count_ones()) else {
                return Some(count);
            };
            count += 1;
            let digit = of[cell] & of[cell].wrapping_neg();
            let mut otherwise = of;
            otherwise[cell] &= !digit;
            stack.push(otherwise);
            of[cell] = digit;
        }
    }
    None
}
