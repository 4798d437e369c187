//! Naked and hidden sets, and the search that they share with fish.
//!
//! ```text
//!                rows of nine masks              closed set of 2: two masks, two bits in total
//!  naked pair    cells of a house -> digits        cell 3: {2 7}    cell 8: {2 7}
//!  hidden pair   digits -> cells of a house        digit 2: {3 8}   digit 7: {3 8}
//!  X-wing        rows -> columns of a digit        row 0: {3 8}     row 6: {3 8}
//! ```

use super::board::{CellDigit, SolvingBoard};
use super::pattern::Pattern;
use super::tables::{BOXES, CELLS, COUNT, HOUSES, bits, cells_at};

/// Calls `found` with the members and the union of each closed set: `SIZE` masks of at least two
/// bits each with `SIZE` bits in total. Sets come as ascending binary numbers of their members.
/// Stops once `found` returns true, and returns that.
pub(super) fn closed_sets<const SIZE: usize>(
    masks: &[u16; 9],
    mut found: impl FnMut(u16, u16) -> bool,
) -> bool {
    let (mut usable, mut count) = ([0usize; 9], 0);
    for (place, &mask) in masks.iter().enumerate() {
        usable[count] = place;
        count += usize::from((2..=SIZE).contains(&usize::from(COUNT[usize::from(mask)])));
    }
    if count < SIZE {
        return false;
    }
    let usable = &usable[..count];
    add_members::<SIZE>(masks, &usable[..count], SIZE, (0, 0), &mut found)
}

/// Adds `missing` of these places to the members and the union of a set.
fn add_members<const SIZE: usize>(
    masks: &[u16; 9],
    places: &[usize],
    missing: usize,
    (members, union): (u16, u16),
    found: &mut impl FnMut(u16, u16) -> bool,
) -> bool {
    // Places before it have to be left for the others.
    for (rank, &place) in places.iter().enumerate().skip(missing - 1) {
        let (members, union) = (members | 1 << place, union | masks[place]);
        if usize::from(COUNT[usize::from(union)]) > SIZE {
            continue;
        }
        let is_last = if missing == 1 {
            found(members, union)
        } else {
            add_members::<SIZE>(masks, &places[..rank], missing - 1, (members, union), found)
        };
        if is_last {
            return true;
        }
    }
    false
}

/// The houses of a set in Explainer's order: boxes, columns, rows.
fn in_order(houses: u32) -> impl Iterator<Item = usize> {
    let order = (BOXES..HOUSES).chain(9..18).chain(0..9);
    order.filter(move |&house| houses >> house & 1 != 0)
}

/// Sets in a house: `SIZE` cells with `SIZE` candidates in total (naked), or `SIZE` digits with `SIZE`
/// positions in total (hidden). The digits of a naked set are removed from the rest of the house, all other
/// digits from the cells of a hidden set. Stops once `stop` accepts a hint.
pub(super) fn subsets<const SIZE: usize, const IS_HIDDEN: bool>(
    board: &mut SolvingBoard,
    houses: u32,
    mut stop: impl FnMut(Pattern) -> bool,
) -> bool {
    let mut any = false;
    for house in in_order(houses) {
        if usize::from(board.empty[house]) < 2 * SIZE + usize::from(IS_HIDDEN) {
            continue;
        }
        let masks = if IS_HIDDEN { board.places_of_digits(house) } else { board.house(house) };
        let stop = closed_sets::<SIZE>(&masks, |members, union| {
            let (positions, digits) = if IS_HIDDEN { (union, members) } else { (members, union) };
            let (changed, gone) =
                if IS_HIDDEN { (positions, !digits) } else { (!positions & 0x1ff, digits) };
            let worth = board.remove_each(bits(changed).map(|it| (CELLS[house][it], gone)));
            any |= worth;
            let cells = cells_at(house, positions);
            worth && stop(Pattern { houses: 1 << house, ..Pattern::of(cells, digits) })
        });
        if stop {
            return true;
        }
    }
    any
}

/// A hidden single of a house that a hidden set of the same house makes. Takes the houses that have
/// none from the set.
pub(super) fn direct<const SIZE: usize>(
    board: &SolvingBoard,
    houses: &mut u32,
) -> Option<(CellDigit, Pattern)> {
    for house in in_order(*houses) {
        if usize::from(board.empty[house]) <= SIZE {
            *houses &= !(1 << house);
            continue;
        }
        let masks = board.places_of_digits(house);
        let mut single = None;
        closed_sets::<SIZE>(&masks, |digits, positions| {
            for digit in bits(!digits & 0x1ff) {
                let left = masks[digit] & !positions;
                let was_hidden = COUNT[usize::from(masks[digit])] <= 1;
                if !was_hidden && COUNT[usize::from(left)] == 1 {
                    let cell = CELLS[house][left.trailing_zeros() as usize];
                    let found = CellDigit::new(usize::from(cell), digit);
                    let pattern = Pattern::of(cells_at(house, positions), digits);
                    single = Some((found, Pattern { houses: 1 << house, ..pattern }));
                    return true;
                }
            }
            false
        });
        if single.is_some() {
            return single;
        }
        *houses &= !(1 << house);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    const ALL: u32 = (1 << HOUSES) - 1;

    #[test]
    fn closed_sets_come_as_ascending_binary_numbers() {
        let masks = [0b11, 0b111, 0b11, 0b1100, 0b101, 0b1, 0b1100, 0, 0b11];
        let mut found = Vec::new();
        assert!(!closed_sets::<2>(&masks, |members, union| {
            found.push((members, union));
            false
        }));
        assert_eq!(
            found,
            [(0b101, 0b11), (0b100_1000, 0b1100), (0b1_0000_0001, 0b11), (0b1_0000_0100, 0b11)]
        );
        let mut first = None;
        assert!(closed_sets::<3>(&masks, |members, union| {
            first = Some((members, union));
            true
        }));
        assert_eq!(first, Some((0b111, 0b111)));
        assert!(!closed_sets::<4>(&[0b11; 9], |_, union| union.count_ones() != 2));
    }

    #[test]
    fn a_naked_pair_clears_its_house() {
        let mut board = SolvingBoard::of_candidates(&[("r1c1", "27"), ("r1c8", "27")]);
        assert!(subsets::<2, false>(&mut board, ALL, |_| false));
        assert_eq!(board.candidates("r1c5"), "1345689");
        assert_eq!(board.candidates("r2c1"), "123456789");
        assert!(!subsets::<2, false>(&mut board, ALL, |_| false));
    }

    #[test]
    fn a_naked_triplet_needs_no_cell_with_all_three() {
        let cells = [("r4c4", "12"), ("r5c5", "23"), ("r6c6", "13")];
        let mut board = SolvingBoard::of_candidates(&cells);
        assert!(!subsets::<2, false>(&mut board, ALL, |_| false));
        assert!(subsets::<3, false>(&mut board, ALL, |_| false));
        assert_eq!(board.candidates("r4c5"), "456789");
        assert_eq!(board.candidates("r4c9"), "123456789");
    }

    #[test]
    fn a_hidden_pair_clears_its_cells_and_gives_a_hidden_single_at_once() {
        let with_pair = || {
            let mut board = SolvingBoard::of_candidates(&[]);
            board.strike(2, 0..7);
            board.strike(7, 0..7);
            board
        };
        let mut board = with_pair();
        assert!(!subsets::<2, false>(&mut board, ALL, |_| false));
        assert!(subsets::<2, true>(&mut board, ALL, |_| false));
        assert_eq!(["r1c8", "r1c9"].map(|cell| board.candidates(cell)), ["27", "27"]);
        let mut board = with_pair();
        assert!(direct::<2>(&board, &mut { ALL }).is_none());
        // Without r1c8 and r1c9, 5 fits r1c1 alone.
        board.strike(5, [1, 2, 3, 4, 5, 6]);
        let (single, _) = direct::<2>(&board, &mut { ALL }).unwrap();
        assert_eq!((single.cell, single.digit), (0, 4));
    }
}
