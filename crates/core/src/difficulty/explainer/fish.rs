//! Techniques of one digit: locked candidates and fish.
//!
//! ```text
//!   pointing: the digit's cells in a box     claiming: the digit's cells in a row
//!   lie in one row                           lie in one box
//!
//!   x x . | - - -    - is removed            x x . | . . .
//!   . . . |                                  - - - |
//!   . . . |                                  - - - |
//! ```
//!
//! Boxes have row and column segments of three positions, and so do lines: see `THIRD`.

use super::board::{CellDigit, SolvingBoard};
use super::pattern::Pattern;
use super::sets::closed_sets;
use super::tables::{BOXES, CELLS, COLUMNS, COUNT, SPREAD, THIRD, THIRD_ACROSS, bits, cells_at};
use core::ops::Range;

/// A house in which all positions of a digit in another house lie.
pub(super) struct Intersection {
    house: usize,
    /// The positions of the other house in this one.
    segment: u16,
}

/// The line in which all positions of a box lie.
pub(super) fn line_of(box_house: usize, places: u16) -> Option<Intersection> {
    let (places, in_box) = (usize::from(places), box_house - BOXES);
    let (band, stack) = (in_box / 3, in_box % 3);
    if THIRD[places] != SPREAD {
        let house = 3 * band + usize::from(THIRD[places]);
        Some(Intersection { house, segment: 7 << (3 * stack) })
    } else if THIRD_ACROSS[places] != SPREAD {
        let house = COLUMNS + 3 * stack + usize::from(THIRD_ACROSS[places]);
        Some(Intersection { house, segment: 7 << (3 * band) })
    } else {
        None
    }
}

/// The box in which all positions of a line lie.
pub(super) fn box_of(line: usize, places: u16) -> Option<Intersection> {
    let third = THIRD[usize::from(places)];
    (third != SPREAD).then(|| {
        let third = usize::from(third);
        if line < COLUMNS {
            Intersection { house: BOXES + line / 3 * 3 + third, segment: 7 << (line % 3 * 3) }
        } else {
            let column = line - COLUMNS;
            Intersection { house: BOXES + third * 3 + column / 3, segment: 0o111 << (column % 3) }
        }
    })
}

fn remove_places(board: &mut SolvingBoard, digit: usize, house: usize, places: u16) {
    for position in bits(places) {
        board.remove(usize::from(CELLS[house][position]), digit);
    }
}

/// A digit of a house that is locked in another one.
fn locked(board: &SolvingBoard, digit: usize, house: usize, cover: usize) -> Pattern {
    let cells = cells_at(house, board.places[digit][house]);
    Pattern { cells, digits: 1 << digit, houses: 1 << house, covers: 1 << cover }
}

/// Removes digits that are locked in the cover of a house from the rest of the cover. Stops once `stop` accepts a hint.
#[inline]
pub(super) fn lock(
    board: &mut SolvingBoard,
    digits: u16,
    houses: Range<usize>,
    cover: impl Fn(usize, u16) -> Option<Intersection>,
    mut stop: impl FnMut(Pattern) -> bool,
) -> bool {
    let mut any = false;
    for digit in bits(digits) {
        for house in houses.clone() {
            if let Some(cover) = cover(house, board.places[digit][house]) {
                let others = board.places[digit][cover.house] & !cover.segment;
                any |= others != 0;
                remove_places(board, digit, cover.house, others);
                if others != 0 && stop(locked(board, digit, house, cover.house)) {
                    return true;
                }
            }
        }
    }
    any
}

/// The hidden single that is left in a house without these positions, unless it was one before.
#[inline]
fn revealed(board: &SolvingBoard, digit: usize, house: usize, without: u16) -> Option<CellDigit> {
    let places = board.places[digit][house];
    let left = places & !without;
    (COUNT[usize::from(left)] == 1 && left != places)
        .then(|| CellDigit::new(usize::from(CELLS[house][left.trailing_zeros() as usize]), digit))
}

/// A hidden single that is made where a digit is locked in the cover of a house: in one of the two
/// houses that `beside` gives for both, without the positions there. Takes the digits that have
/// none from the set.
#[inline]
pub(super) fn direct(
    board: &SolvingBoard,
    digits: &mut u16,
    houses: Range<usize>,
    cover: impl Fn(usize, u16) -> Option<Intersection>,
    beside: impl Fn(usize, usize, usize) -> (usize, u16),
) -> Option<(CellDigit, Pattern)> {
    for digit in bits(*digits) {
        let single = houses.clone().find_map(|house| {
            let Intersection { house: cover, .. } = cover(house, board.places[digit][house])?;
            let mut others = (1..3).map(|step| beside(house, cover, step));
            let single = others.find_map(|(other, without)| revealed(board, digit, other, without));
            Some((single?, locked(board, digit, house, cover)))
        });
        if single.is_some() {
            return single;
        }
        *digits &= !(1 << digit);
    }
    None
}

/// Another box of the line, for pointing.
pub(super) fn beside_box(house: usize, line: usize, step: usize) -> (usize, u16) {
    let (band, stack) = ((house - BOXES) / 3, (house - BOXES) % 3);
    if line < COLUMNS {
        (BOXES + 3 * band + (stack + step) % 3, 7 << (line % 3 * 3))
    } else {
        (BOXES + (band + step) % 3 * 3 + stack, 0o111 << (line % 3))
    }
}

/// Another line of the box, for claiming.
pub(super) fn beside_line(line: usize, house: usize, step: usize) -> (usize, u16) {
    let (band, stack) = ((house - BOXES) / 3, (house - BOXES) % 3);
    let third = if line < COLUMNS { stack } else { band };
    (line / 3 * 3 + (line + step) % 3, 7 << (3 * third))
}

/// The positions of a digit in the nine rows, or in the nine columns.
fn lines(board: &SolvingBoard, digit: usize, first: usize) -> [u16; 9] {
    core::array::from_fn(|line| board.places[digit][first + line])
}

/// Removes the digit from the lines of a fish that cross its members.
fn remove_across(
    board: &mut SolvingBoard,
    digit: usize,
    first: usize,
    members: u16,
    union: u16,
) -> bool {
    let across = COLUMNS - first;
    let mut worth = false;
    for crossing in bits(union) {
        let others = board.places[digit][across + crossing] & !members;
        worth |= others != 0;
        remove_places(board, digit, across + crossing, others);
    }
    worth
}

/// Whether enough cells still wait for the digit.
fn wants_fish(board: &SolvingBoard, digit: usize, size: usize) -> bool {
    usize::from(board.placed[digit]) + 2 * size <= 9
}

/// The lines of a fish and those that cross them.
fn fish_of(board: &SolvingBoard, digit: usize, first: usize, members: u16, union: u16) -> Pattern {
    let cells = bits(members)
        .fold(0, |set, line| set | cells_at(first + line, board.places[digit][first + line]));
    let houses = u32::from(members) << first;
    Pattern { cells, digits: 1 << digit, houses, covers: u32::from(union) << (COLUMNS - first) }
}

/// X-wings (2) or swordfish (3), for these digits. Stops once `stop` accepts a hint.
pub(super) fn fish<const SIZE: usize>(
    board: &mut SolvingBoard,
    digits: u16,
    mut stop: impl FnMut(Pattern) -> bool,
) -> bool {
    let mut any = false;
    for digit in bits(digits) {
        if !wants_fish(board, digit, SIZE) {
            continue;
        }
        for first in [COLUMNS, 0] {
            let masks = lines(board, digit, first);
            let is_last = closed_sets::<SIZE>(&masks, |members, union| {
                let worth = remove_across(board, digit, first, members, union);
                any |= worth;
                worth && stop(fish_of(board, digit, first, members, union))
            });
            if is_last {
                return true;
            }
        }
    }
    any
}

/// The first jellyfish of some digits: columns before rows; then by lines as a binary number, then by digit.
pub(super) fn first_jellyfish(board: &mut SolvingBoard, digits: u16) -> Option<Pattern> {
    for first in [COLUMNS, 0] {
        let mut best: Option<(u16, usize, u16)> = None;
        for digit in bits(digits).filter(|&digit| wants_fish(board, digit, 4)) {
            let masks = lines(board, digit, first);
            closed_sets::<4>(&masks, |members, union| {
                let worth = bits(union).any(|crossing| {
                    board.places[digit][COLUMNS - first + crossing] & !members != 0
                });
                if worth && best.is_none_or(|(least, ..)| members < least) {
                    best = Some((members, digit, union));
                }
                worth
            });
        }
        if let Some((members, digit, union)) = best {
            remove_across(board, digit, first, members, union);
            return Some(fish_of(board, digit, first, members, union));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tables::HOUSES;
    use super::*;

    const ALL: u16 = 0x1ff;

    fn points(board: &mut SolvingBoard) -> bool {
        lock(board, ALL, BOXES..HOUSES, line_of, |_| false)
    }

    fn claims(board: &mut SolvingBoard) -> bool {
        lock(board, ALL, 0..BOXES, box_of, |_| false)
    }

    #[test]
    fn a_box_points_along_a_row_and_a_column() {
        let mut board = SolvingBoard::of_candidates(&[]);
        // 4 stays in r1c1, r1c2 and r1c3 of box 1; 6 in r1c1, r2c1 and r3c1.
        board.strike(4, [9, 10, 11, 18, 19, 20]);
        board.strike(6, [1, 2, 10, 11, 19, 20]);
        assert!(points(&mut board));
        assert_eq!(board.candidates("r1c9"), "12356789");
        assert_eq!(board.candidates("r9c1"), "12345789");
        assert!(!points(&mut board) && !claims(&mut board));
    }

    #[test]
    fn a_column_claims_a_box() {
        let mut board = SolvingBoard::of_candidates(&[]);
        // 4 stays in r4c5, r5c5 and r6c5 of column 5.
        board.strike(4, [4, 13, 22, 58, 67, 76]);
        assert!(claims(&mut board));
        assert_eq!(board.candidates("r4c4"), "12356789");
        assert_eq!(board.candidates("r4c1"), "123456789");
    }

    #[test]
    fn pointing_reveals_a_hidden_single() {
        let mut board = SolvingBoard::of_candidates(&[]);
        board.strike(4, [9, 10, 11, 18, 19, 20]);
        // Without row 1, 4 fits r2c4 alone in box 2.
        board.strike(4, [13, 14, 21, 22, 23]);
        let pointing = |mut digits| direct(&board, &mut digits, BOXES..HOUSES, line_of, beside_box);
        let (single, _) = pointing(ALL).unwrap();
        assert_eq!((single.cell, single.digit), (12, 3));
        assert!(pointing(!(1 << 3) & ALL).is_none());
    }

    #[test]
    fn claiming_reveals_a_hidden_single() {
        let mut board = SolvingBoard::of_candidates(&[]);
        // 4 stays in r1c1 to r1c3 of row 1, and in r2c1 to r2c3 and r2c7 of row 2.
        board.strike(4, [3, 4, 5, 6, 7, 8, 12, 13, 14, 16, 17]);
        let (single, _) = direct(&board, &mut { ALL }, 0..BOXES, box_of, beside_line).unwrap();
        assert_eq!((single.cell, single.digit), (15, 3));
    }

    #[test]
    fn an_x_wing_clears_two_columns_and_a_swordfish_three() {
        let keep = |columns: [usize; 2], row: usize| {
            (9 * row..9 * row + 9).filter(move |cell| !columns.contains(&(cell % 9)))
        };
        let mut board = SolvingBoard::of_candidates(&[]);
        board.strike(5, keep([1, 7], 0).chain(keep([1, 7], 8)));
        assert!(fish::<2>(&mut board, ALL, |_| false));
        assert_eq!(board.candidates("r5c2"), "12346789");
        assert_eq!(board.candidates("r5c3"), "123456789");

        let mut board = SolvingBoard::of_candidates(&[]);
        board.strike(5, keep([1, 4], 0).chain(keep([4, 7], 4)).chain(keep([1, 7], 8)));
        assert!(!fish::<2>(&mut board, ALL, |_| false) && fish::<3>(&mut board, ALL, |_| false));
        for cell in ["r2c2", "r2c5", "r2c8"] {
            assert_eq!(board.candidates(cell), "12346789");
        }
    }

    #[test]
    fn the_first_jellyfish_is_one_of_columns() {
        let mut board = SolvingBoard::of_candidates(&[]);
        for line in [0, 2, 5, 7] {
            for other in [0, 2, 5, 6, 7] {
                board.strike(6, [9 * line + other]);
                board.strike(9, [9 * other + line]);
            }
        }
        assert!(first_jellyfish(&mut board, ALL).is_some());
        assert_eq!(board.candidates("r2c2"), "12345678");
        assert!(first_jellyfish(&mut board, ALL).is_some());
        assert_eq!(board.candidates("r2c2"), "1234578");
        assert!(first_jellyfish(&mut board, ALL).is_none());
    }
}
