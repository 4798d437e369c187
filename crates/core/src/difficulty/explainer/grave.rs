//! The bivalue universal grave: all cells with two candidates, all digits with two places.
//!
//! ```text
//!   {1 2}   {1 2 7}   {7 2} …     Without the *bug values* (7 in the middle cell) every cell has
//!     │        │        │         two candidates and every digit fits two cells of each house or
//!   {2 1}    {2 7}    {7 1} …     none. That has no solution or several, so a bug value is true.
//! ```
//!
//! | type | bug cells | result |
//! | --- | --- | --- |
//! | 1 | one | it loses all but its bug values |
//! | 2 | several, with one bug value | cells that see them all lose this value |
//! | 3 | several in a house | their bug values count as one cell of a naked set |
//! | 4 | two in a house with one common other value | they hold it: all other values go |

use super::board::SolvingBoard;
use super::pattern::Pattern;
use super::tables::{BOXES, CELLS, COUNT, HOUSES, HOUSES_OF, PEER_SETS, bits, cells_of, subsets};

/// The bug cells, in the order of discovery, and their bug values.
struct Grave {
    values: [u16; 81],
    cells: u128,
    first: usize,
    /// The bug values of all cells.
    all: u16,
    /// The cells that see all bug cells.
    common: u128,
}

impl Grave {
    fn add(&mut self, cell: usize, value: u16) {
        if self.cells == 0 {
            self.first = cell;
        }
        self.cells |= 1 << cell;
        self.values[cell] |= value;
        self.common &= PEER_SETS[cell];
    }

    fn of(board: &SolvingBoard) -> Option<Self> {
        let mut grave = Self { values: [0; 81], cells: 0, first: 0, all: 0, common: !0 };
        // If only one digit has too many places, every cell with three candidates that it fits in
        // is a bug cell, even where a house has several of them.
        let (mut extra_cells, mut only) = (0u128, None);
        let mut is_only = true;
        for house in (BOXES..HOUSES).chain(0..BOXES) {
            for digit in 0..9 {
                let places = board.places[digit][house];
                if matches!(COUNT[usize::from(places)], 0 | 2) {
                    continue;
                }
                let cells = bits(places).map(|position| usize::from(CELLS[house][position]));
                let wide = cells.filter(|&cell| COUNT[usize::from(board.cells[cell])] >= 3);
                let wide = wide.fold(0u128, |set, cell| set | 1 << cell);
                match only {
                    None => {
                        (only, extra_cells) = (Some(digit), wide);
                    }
                    Some(first) if is_only && first == digit => extra_cells |= wide,
                    Some(_) => is_only = false,
                }
                if wide == 0 {
                    return None;
                }
                if wide.is_power_of_two() {
                    grave.all |= 1 << digit;
                    grave.add(wide.trailing_zeros() as usize, 1 << digit);
                }
            }
        }
        if let (true, Some(digit)) = (is_only, only) {
            for cell in cells_of(extra_cells & !grave.cells) {
                grave.add(cell, 1 << digit);
            }
        }
        grave.is_deadly(board).then_some(grave)
    }

    /// Whether cells have two candidates, and digits two places, without the bug values.
    fn is_deadly(&self, board: &SolvingBoard) -> bool {
        let mut left = [0; 81];
        for (cell, left) in left.iter_mut().enumerate() {
            *left = board.cells[cell] & !self.values[cell];
            if !matches!(COUNT[usize::from(*left)], 0 | 2) || (*left == 0 && board.cells[cell] != 0)
            {
                return false;
            }
        }
        CELLS.iter().all(|house| {
            let (mut once, mut twice, mut more) = (0u16, 0u16, 0u16);
            for &cell in house {
                let left = left[usize::from(cell)];
                more |= twice & left;
                twice |= once & left;
                once |= left;
            }
            once == twice && more == 0
        })
    }

    /// The houses that all bug cells share: box, row, column.
    fn houses(&self) -> impl Iterator<Item = usize> {
        let houses = HOUSES_OF[self.first].map(usize::from);
        let cells = self.cells;
        [2, 0, 1].into_iter().map(move |kind| houses[kind]).filter(move |&house| {
            cells_of(cells).all(|cell| HOUSES_OF[cell].map(usize::from).contains(&house))
        })
    }

    /// Type 2.
    fn single_value(&self, board: &mut SolvingBoard) -> Option<u8> {
        board.remove_each(cells_of(self.common).map(|cell| (cell, self.all))).then_some(57)
    }

    /// Type 4.
    fn two_cells(&self, board: &mut SolvingBoard) -> Option<u8> {
        let mut cells = cells_of(self.cells);
        let (Some(one), Some(two), None) = (cells.next(), cells.next(), cells.next()) else {
            return None;
        };
        let shared = board.cells[one] & board.cells[two] & !self.all;
        if COUNT[usize::from(shared)] != 1 || self.houses().next().is_none() {
            return None;
        }
        board.remove_each([one, two].map(|it| (it, !(self.values[it] | shared)))).then_some(57)
    }

    /// Type 3: sets of 2 to 6.
    fn naked_set(&self, board: &mut SolvingBoard) -> Option<u8> {
        (2..=6)
            .find_map(|size| self.houses().find_map(|house| self.naked_set_of(board, house, size)))
    }

    fn naked_set_of(&self, board: &mut SolvingBoard, house: usize, size: u8) -> Option<u8> {
        let cells = board.house(house);
        let common = CELLS[house].iter().enumerate().fold(0u16, |set, (position, &cell)| {
            set | u16::from(self.common >> cell & 1 != 0) << position
        });
        if COUNT[usize::from(common)] < size || COUNT[usize::from(self.all)] < 2 {
            return None;
        }
        for members in subsets(common, size - 1) {
            let union = bits(members).fold(0, |union, position| union | cells[position]);
            let usable = bits(members).all(|position| COUNT[usize::from(cells[position])] >= 2);
            if !usable || COUNT[usize::from(union)] != size || self.all & !union != 0 {
                continue;
            }
            let others = bits(common & !members);
            if board.remove_each(others.map(|it| (CELLS[house][it], union))) {
                return Some(57 + size - 1);
            }
        }
        None
    }
}

/// Uses the first hint of a grave. Returns its score in tenths, and the bug cells and values.
pub(super) fn first_grave(board: &mut SolvingBoard) -> Option<(u8, Pattern)> {
    let grave = Grave::of(board)?;
    let tenths = match (grave.cells.count_ones(), COUNT[usize::from(grave.all)]) {
        // Type 1.
        (1, _) => board.remove_all(grave.first, !grave.all).then_some(56),
        (_, 1) => grave.single_value(board).or_else(|| grave.two_cells(board)),
        _ if grave.common != 0 => grave.two_cells(board).or_else(|| grave.naked_set(board)),
        _ => None,
    };
    Some((tenths?, Pattern::of(grave.cells, grave.all)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cell, parse};

    const SOLVED: &[u8; 81] =
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// The grid without these digits: all other cells are filled.
    fn without(digits: &[u8], kept: &[usize]) -> SolvingBoard {
        let mut puzzle = parse::line(SOLVED).unwrap();
        for cell in Cell::all().filter(|cell| !kept.contains(&cell.index())) {
            if puzzle.get(cell).is_some_and(|digit| digits.contains(&digit.value())) {
                puzzle.set(cell, None);
            }
        }
        let mut board = SolvingBoard::new();
        board.load(&puzzle.into());
        board
    }

    #[test]
    fn two_digits_alone_are_no_grave_with_a_bug_cell() {
        // Every empty cell is {1 2}: no bug value, so nothing to conclude.
        let mut board = without(&[1, 2], &[]);
        assert_eq!(first_grave(&mut board), None);
    }

    #[test]
    fn a_bug_cell_holds_its_bug_value() {
        let mut board = without(&[1, 2], &[]);
        // As if the rest of the solution left 9 in the first empty cell, r1c8, and twice around it.
        let cell = cells_of(board.cells_with(|candidates| candidates != 0)).next().unwrap();
        board.cells[cell] |= 1 << 8;
        for (house, position) in
            HOUSES_OF[cell].into_iter().zip(super::super::tables::POSITIONS[cell])
        {
            board.places[8][usize::from(house)] |= 1 << position;
        }
        assert_eq!(first_grave(&mut board), Some((56, Pattern::of(1 << cell, 1 << 8))));
        assert_eq!(board.cells[cell], 1 << 8);
    }
}
