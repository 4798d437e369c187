//! Aligned pair exclusion: two cells whose pairs of digits are excluded by cells that both see.
//!
//! ```text
//!   base {1 2 5} ──┬── base {2 6}        A cell with candidates a and b excludes that the base
//!                  │                     cells hold a and b: it would have none left.
//!               {1 2} {1 6}              1 with 2 and 1 with 6 are excluded: no 1 on the left
//! ```

use super::board::SolvingBoard;
use super::pattern::Pattern;
use super::tables::{COUNT, PEER_SETS, cells_of, seen_by_two};

/// Removes the candidates of `one` that no candidate of the other base cell goes with.
///
/// `excluded[d]`: the digits of the other cell that digit `d` excludes.
fn removable(one: u16, other: u16, excluded: &[u16; 9]) -> u16 {
    let mut gone = 0;
    for (digit, &excluded) in excluded.iter().enumerate() {
        gone |= u16::from(other & !excluded == 0) << digit;
    }
    gone & one
}

/// The first exclusion: by the later base cell, then by the earlier one. A pair of cells has none if
/// neither they nor a cell that both see has `changed`.
pub(super) fn first_exclusion(board: &mut SolvingBoard, changed: u128) -> Option<Pattern> {
    let pairs = board.cells_with(|candidates| COUNT[usize::from(candidates)] == 2);
    let open = board.cells_with(|candidates| COUNT[usize::from(candidates)] >= 2);
    for later in cells_of(open) {
        let near = pairs & PEER_SETS[later];
        // Two common cells are the least that the technique looks at.
        let mut usable = open & seen_by_two(near) & ((1 << later) - 1);
        if (near | 1 << later) & changed == 0 {
            usable &= changed;
        }
        for earlier in cells_of(usable) {
            let common = near & PEER_SETS[earlier];
            if (common | 1 << later | 1 << earlier) & changed == 0 {
                continue;
            }
            let (left, right) = (board.cells[earlier], board.cells[later]);
            let aligned = PEER_SETS[later] >> earlier & 1 != 0;
            let mut excluded: [u16; 9] =
                core::array::from_fn(|digit| if aligned { 1 << digit } else { 0 });
            for cell in cells_of(common) {
                let pair = board.cells[cell];
                let (low, high) = (pair.trailing_zeros(), pair.ilog2());
                excluded[low as usize] |= 1 << high;
                excluded[high as usize] |= 1 << low;
            }
            let from_left = removable(left, right, &excluded);
            let from_right = removable(right, left, &excluded);
            if from_left | from_right != 0 {
                board.remove_all(earlier, from_left);
                board.remove_all(later, from_right);
                return Some(Pattern::of(1 << earlier | 1 << later, from_left | from_right));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The drawing of the module.
    #[test]
    fn a_digit_goes_if_all_its_pairs_are_excluded() {
        let cells = [("r1c1", "125"), ("r1c2", "26"), ("r2c1", "12"), ("r3c3", "16")];
        let mut board = SolvingBoard::of_candidates(&cells);
        assert!(first_exclusion(&mut board, !0).is_some());
        assert_eq!(board.candidates("r1c1"), "25");
        assert_eq!(board.candidates("r1c2"), "26");
    }

    #[test]
    fn one_common_cell_is_not_looked_at() {
        // r1c3 loses 1 and 2 to a naked pair. As an exclusion with r1c1, only r1c2 could prove it.
        let cells = [("r1c1", "12"), ("r1c2", "12")];
        assert!(first_exclusion(&mut SolvingBoard::of_candidates(&cells), !0).is_none());
    }
}
