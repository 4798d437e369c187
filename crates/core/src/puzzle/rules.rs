//! The rules, by which everything else is judged: each digit once in every row, column and box.
//!
//! One pass with an integer of counts for each house decides whether a grid is legal. Only if it is
//! not, a second, slower pass finds the clashes.
//!
//! ```
//! use ninefold_core::puzzle::{Clashes, Grid, rules};
//!
//! let grid = "55.......".repeat(9).parse::<Grid>()?;
//! assert!(!rules::is_legal(&grid) && rules::is_legal(&Grid::EMPTY));
//! assert_eq!(Clashes::of(&grid).unwrap().iter().count(), 9 + 2 + 3);
//! # Ok::<(), ninefold_core::puzzle::ParseError>(())
//! ```

use super::cell::{Cell, House};
use super::digit::Digit;
use super::grid::Grid;
use super::tables::table;
use core::error::Error;
use core::fmt;

/// A digit that occurs more than once in a house.
///
/// ```
/// use ninefold_core::puzzle::{Clashes, Grid, House};
///
/// let grid: Grid = format!("7..7{}", ".".repeat(77)).parse()?;
/// let clash = Clashes::of(&grid).unwrap().first();
/// assert_eq!((clash.digit.value(), clash.house), (7, House::Row(0)));
/// assert_eq!(clash.cells().map(|cell| cell.column()).collect::<Vec<_>>(), [0, 3]);
/// assert_eq!(clash.to_string(), "7 twice in row 1 (columns 1 and 4)");
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The digit that occurs more than once.
    pub digit: Digit,
    /// The house in which it does.
    pub house: House,
    /// Bit `i` is set where the house's cell `i` holds the digit: two bits or more.
    places: u16,
}

impl Clash {
    /// The cells of the house that hold the digit, in reading order: two or more.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        let cells = self.house.cells().into_iter().enumerate();
        cells.filter(move |(place, _)| self.places >> place & 1 != 0).map(|(_, cell)| cell)
    }
}

impl fmt::Display for Clash {
    /// `3 twice in row 4 (columns 2 and 9)`; rows and columns count from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.places.count_ones() as usize;
        let times = match count {
            2 => "twice",
            3 => "three times",
            4 => "four times",
            5 => "five times",
            6 => "six times",
            7 => "seven times",
            8 => "eight times",
            _ => "nine times",
        };
        write!(f, "{} {times} in {} (", self.digit.value(), self.house)?;
        match self.house {
            House::Row(_) => f.write_str("columns ")?,
            House::Column(_) => f.write_str("rows ")?,
            House::Box(_) => {}
        }
        for (place, cell) in self.cells().enumerate() {
            f.write_str(match place {
                0 => "",
                _ if place + 1 == count => " and ",
                _ => ", ",
            })?;
            match self.house {
                House::Row(_) => write!(f, "{}", cell.column() + 1)?,
                House::Column(_) => write!(f, "{}", cell.row() + 1)?,
                House::Box(_) => write!(f, "row {} column {}", cell.row() + 1, cell.column() + 1)?,
            }
        }
        f.write_str(")")
    }
}

impl Error for Clash {}

/// Why an answer is wrong: the first reason that applies, in this order.
///
/// ```
/// use ninefold_core::puzzle::{Cell, Grid, WrongAnswer, check_answer};
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let error = check_answer(&puzzle, &puzzle).unwrap_err();
/// assert_eq!(error, WrongAnswer::Blank(Cell::new(2)));
/// assert_eq!(error.to_string(), "row 1 column 3 is blank");
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WrongAnswer {
    /// A cell is blank: the first one.
    Blank(Cell),
    /// A digit occurs twice in a house: the first of [`Clashes`].
    Clash(Clash),
    /// A cell with a clue holds another digit: the first such cell.
    ChangedClue {
        /// The first cell that differs.
        cell: Cell,
        /// The digit of the puzzle.
        clue: Digit,
        /// The digit of the answer.
        found: Digit,
    },
    /// A cell of a sukaku holds a digit that is not a candidate: the first such cell.
    NoCandidate {
        /// The first cell whose digit is not a candidate.
        cell: Cell,
        /// The digit of the answer.
        found: Digit,
    },
}

impl fmt::Display for WrongAnswer {
    /// `row 4 column 2 is blank`, `3 twice in row 4 (columns 2 and 9)`, `row 1 column 1 is 6
    /// where the clue is 5`; rows and columns count from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank(cell) => write!(f, "{cell} is blank"),
            Self::Clash(clash) => clash.fmt(f),
            Self::ChangedClue { cell, clue, found } => {
                write!(f, "{cell} is {found} where the clue is {clue}")
            }
            Self::NoCandidate { cell, found } => {
                write!(f, "{cell} is {found}, which is no candidate there")
            }
        }
    }
}

impl Error for WrongAnswer {}

/// The clues of a puzzle that conflict: proof that a digit occurs twice in a house.
///
/// As one message: `3 twice in row 4 (columns 2 and 9); …`.
///
/// ```
/// use ninefold_core::puzzle::{Clashes, Grid, House};
///
/// let grid: Grid = format!("7.7{}", ".".repeat(78)).parse()?;
/// let clashes = Clashes::of(&grid).expect("7 is there twice");
/// let houses: Vec<_> = clashes.iter().map(|clash| clash.house).collect();
/// assert_eq!(houses, [House::Row(0), House::Box(0)]);
/// assert_eq!(clashes.first().to_string(), "7 twice in row 1 (columns 1 and 3)");
/// assert!(clashes.to_string().starts_with("7 twice in row 1 (columns 1 and 3); "));
/// assert_eq!(Clashes::of(&Grid::EMPTY), None);
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Clashes(Grid);

impl Clashes {
    /// Clashes that are named; the others are only counted. A grid with one digit in 81 cells
    /// has 27.
    const NAMED: usize = 8;

    /// The clashes of a grid; `None` if it is legal.
    #[inline]
    pub fn of(grid: &Grid) -> Option<Self> {
        (!is_legal(grid)).then_some(Self(*grid))
    }

    /// The first clash, in the order of [`Clashes::iter`].
    ///
    /// # Panics
    /// Never: there is one.
    pub fn first(&self) -> Clash {
        self.iter().next().expect("`is_legal` saw a digit twice")
    }

    /// Every digit that occurs more than once in a house: rows first, then columns, then boxes.
    pub fn iter(&self) -> impl Iterator<Item = Clash> {
        House::all().flat_map(move |house| {
            Digit::ALL.into_iter().filter_map(move |digit| {
                let cells = house.cells().into_iter().enumerate();
                let holders = cells.filter(|&(_, cell)| self.0.get(cell) == Some(digit));
                let places = holders.fold(0, |places, (place, _)| places | 1 << place);
                (u16::count_ones(places) > 1).then_some(Clash { digit, house, places })
            })
        })
    }
}

impl fmt::Debug for Clashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clashes({self})")
    }
}

impl fmt::Display for Clashes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, clash) in self.iter().take(Self::NAMED).enumerate() {
            f.write_str(if place == 0 { "" } else { "; " })?;
            clash.fmt(f)?;
        }
        match self.iter().count().saturating_sub(Self::NAMED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// What a digit adds to the count of its house: four bits for each digit, and none for a blank.
const COUNTED: [u64; 16] =
    table!([0; 16], |value| if value >= 1 && value <= 9 { 1 << (4 * (value - 1)) } else { 0 });

/// Of each count the bits that say two or more.
const REPEATED: u64 = 0xe_eeee_eeee;

/// Whether no digit occurs twice in a house.
///
/// One integer counts all digits of a house, and no step waits for the one before: 620
/// instructions. Adding up a bit for each digit, house by house, takes 1,790.
///
/// ```
/// use ninefold_core::puzzle::{Cell, Digit, Grid, rules};
///
/// let mut grid = Grid::EMPTY;
/// grid.set(Cell::new(0), Digit::new(5));
/// assert!(rules::is_legal(&grid));
/// grid.set(Cell::new(8), Digit::new(5));
/// assert!(!rules::is_legal(&grid));
/// ```
#[inline]
pub fn is_legal(grid: &Grid) -> bool {
    let (rows, _) = grid.values().as_chunks::<9>();
    let (bands, _) = rows.as_chunks::<3>();
    let (mut columns, mut any) = ([0; 9], 0);
    for band in bands {
        let mut boxes = [0; 3];
        for row in band {
            let mut whole = 0;
            for (column, &value) in row.iter().enumerate() {
                let counted = COUNTED[usize::from(value & 0xf)];
                whole += counted;
                columns[column] += counted;
                boxes[column / 3] += counted;
            }
            any |= whole;
        }
        any |= boxes[0] | boxes[1] | boxes[2];
    }
    columns.iter().fold(any, |any, column| any | column) & REPEATED == 0
}

/// Whether each house has each digit, without branches. `zero` is the byte of a 0.
#[inline]
pub(super) fn has_all_digits(cells: &[u8; Cell::COUNT], zero: u8) -> bool {
    /// The bits of 1 to 9.
    const ALL: u16 = 0b11_1111_1110;
    // `1` to `9` differ from `0` by their value, and nothing else does by 1 to 9.
    let mut bits = [0; Cell::COUNT];
    for (bit, &byte) in bits.iter_mut().zip(cells) {
        *bit = 1u16 << (byte ^ zero).min(15);
    }
    let mut columns = [0; 9];
    // In each row, a triad for each box.
    let mut triads = [[0; 3]; 9];
    let (rows, _) = bits.as_chunks::<9>();
    for (row, triads) in rows.iter().zip(&mut triads) {
        for (column, bit) in columns.iter_mut().zip(row) {
            *column |= bit;
        }
        for (triad, cells) in triads.iter_mut().zip(row.as_chunks::<3>().0) {
            *triad = cells[0] | cells[1] | cells[2];
        }
    }
    let mut wrong = columns.iter().fold(0, |wrong, column| wrong | column ^ ALL);
    for row in &triads {
        wrong |= (row[0] | row[1] | row[2]) ^ ALL;
    }
    for [upper, middle, lower] in triads.as_chunks::<3>().0 {
        for (upper, (middle, lower)) in upper.iter().zip(middle.iter().zip(lower)) {
            wrong |= (upper | middle | lower) ^ ALL;
        }
    }
    wrong == 0
}

/// Checks that a grid is full and legal.
///
/// ```
/// use ninefold_core::puzzle::{Grid, rules};
///
/// let grid: Grid =
///     "534678912672195348198342567859761423426853791713924856961537284287419635345286179".parse()?;
/// assert_eq!(rules::check_solved(&grid), Ok(()));
/// assert!(rules::check_solved(&Grid::EMPTY).is_err());
/// # Ok::<(), ninefold_core::puzzle::ParseError>(())
/// ```
///
/// # Errors
/// The first blank, or else the first clash.
pub fn check_solved(grid: &Grid) -> Result<(), WrongAnswer> {
    if has_all_digits(grid.values(), 0) {
        return Ok(());
    }
    match grid.values().iter().position(|&value| value == 0) {
        Some(blank) => Err(WrongAnswer::Blank(Cell::new(blank))),
        None => {
            Clashes::of(grid).map_or(Ok(()), |clashes| Err(WrongAnswer::Clash(clashes.first())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::parse;

    const SOLVED: &[u8; 81] =
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn clash_of(line: &[u8]) -> String {
        let grid = parse::line(line).unwrap();
        Clashes::of(&grid).unwrap().to_string()
    }

    #[test]
    fn a_solution_is_legal_and_full() {
        assert_eq!(check_solved(&parse::line(SOLVED).unwrap()), Ok(()));
        let mut one_short = *SOLVED;
        one_short[40] = b'.';
        let grid = parse::line(&one_short).unwrap();
        assert_eq!(check_solved(&grid), Err(WrongAnswer::Blank(Cell::new(40))));
        assert!(is_legal(&grid));
    }

    /// Any two cells with the same digit: a clash if and only if they see each other.
    #[test]
    fn two_equal_digits_clash_where_the_cells_see_each_other() {
        for one in Cell::all() {
            for two in Cell::all().filter(|&two| two > one) {
                let mut grid = Grid::EMPTY;
                grid.set(one, Digit::new(7));
                grid.set(two, Digit::new(7));
                assert_eq!(is_legal(&grid), !one.sees(two), "{grid}");
                assert_eq!(crate::puzzle::Sukaku::from(&grid).is_legal(), !one.sees(two), "{grid}");
                for clash in Clashes::of(&grid).iter().flat_map(Clashes::iter) {
                    assert_eq!(clash.cells().collect::<Vec<_>>(), [one, two]);
                    assert!([one, two].iter().all(|cell| clash.house.cells().contains(cell)));
                }
            }
        }
    }

    #[test]
    fn the_house_and_the_cells_are_named() {
        let illegal =
            b"530070000600195000098000060800060003430803001730020006060000280000419005000080000";
        let expected = "3 twice in row 5 (columns 2 and 6); \
                        3 three times in column 2 (rows 1, 5 and 6); \
                        3 twice in box 4 (row 5 column 2 and row 6 column 2)";
        assert_eq!(clash_of(illegal), expected);
        let mut line = [b'.'; 81];
        (line[0], line[10]) = (b'4', b'4');
        assert_eq!(clash_of(&line), "4 twice in box 1 (row 1 column 1 and row 2 column 2)");
        (line[10], line[72]) = (b'.', b'4');
        assert_eq!(clash_of(&line), "4 twice in column 1 (rows 1 and 9)");
        let worst = clash_of(&[b'1'; 81]);
        let first = "1 nine times in row 1 (columns 1, 2, 3, 4, 5, 6, 7, 8 and 9); ";
        assert!(worst.starts_with(first), "{worst}");
        assert!(worst.ends_with("; and 19 more"));
    }
}
