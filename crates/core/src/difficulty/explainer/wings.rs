//! XY-wings and XYZ-wings: a pivot and two wings that it sees.
//!
//! ```text
//!   pivot {x y}  ── wing {x z}       Whatever the pivot holds, a wing or the pivot holds z.
//!     │                              Cells that see all of those lose z. An XYZ-wing's pivot
//!   wing {y z}                       is {x y z}, so they have to see the pivot too.
//! ```

use super::board::SolvingBoard;
use super::pattern::Pattern;
use super::tables::{COUNT, PEER_SETS, cells_of};

/// XY-wings, or XYZ-wings if `with_z`. Stops once `stop` accepts a hint.
pub(super) fn wings(
    board: &mut SolvingBoard,
    with_z: bool,
    mut stop: impl FnMut(Pattern) -> bool,
) -> bool {
    let pairs = board.cells_with(|candidates| COUNT[usize::from(candidates)] == 2);
    let pivots = if with_z {
        board.cells_with(|candidates| COUNT[usize::from(candidates)] == 3)
    } else {
        pairs
    };
    let mut any = false;
    for pivot in cells_of(pivots) {
        let own = board.cells[pivot];
        let (mut wings, mut count) = ([0usize; 20], 0);
        for wing in cells_of(pairs & PEER_SETS[pivot]) {
            let shared = COUNT[usize::from(board.cells[wing] & own)];
            wings[count] = wing;
            count += usize::from(shared == if with_z { 2 } else { 1 });
        }
        for (rank, &one) in wings[..count].iter().enumerate() {
            for &two in &wings[..rank] {
                let (first, second) = (board.cells[one], board.cells[two]);
                let z = first & second;
                let covers = if with_z { first | second == own } else { first ^ second == own };
                if !covers || COUNT[usize::from(z)] != 1 {
                    continue;
                }
                let mut seen = PEER_SETS[one] & PEER_SETS[two];
                if with_z {
                    seen &= PEER_SETS[pivot];
                }
                let others = cells_of(seen & !(1 << pivot));
                let worth = board.remove_each(others.map(|cell| (cell, z)));
                any |= worth;
                let cells = 1 << pivot | 1 << one | 1 << two;
                if worth && stop(Pattern::of(cells, own | first | second)) {
                    return true;
                }
            }
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_xy_wing_clears_what_both_wings_see() {
        let cells = [("r1c1", "12"), ("r1c8", "13"), ("r2c2", "23")];
        let mut board = SolvingBoard::of_candidates(&cells);
        assert!(!wings(&mut board, true, |_| false) && wings(&mut board, false, |_| false));
        for cell in ["r1c2", "r1c3", "r2c7", "r2c8", "r2c9"] {
            assert_eq!(board.candidates(cell), "12456789", "{cell}");
        }
        assert_eq!(board.candidates("r3c1"), "123456789");
        assert!(!wings(&mut board, false, |_| false));
    }

    #[test]
    fn an_xyz_wing_clears_what_the_pivot_sees_too() {
        let cells = [("r1c1", "123"), ("r1c8", "13"), ("r2c2", "23")];
        let mut board = SolvingBoard::of_candidates(&cells);
        assert!(!wings(&mut board, false, |_| false) && wings(&mut board, true, |_| false));
        for cell in ["r1c2", "r1c3"] {
            assert_eq!(board.candidates(cell), "12456789", "{cell}");
        }
        assert_eq!(board.candidates("r2c8"), "123456789");
        assert_eq!(board.candidates("r1c1"), "123");
    }
}
