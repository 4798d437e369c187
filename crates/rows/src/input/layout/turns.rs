//! Lists that hold solutions among their puzzles, most often a puzzle on one line and its solution on
//! the next.
//!
//! ```text
//! 53..7…79      a puzzle
//! 53467…79      its solution: it has the same clues
//! ..3.2…..      the next puzzle
//! ```
//!
//! Read as puzzles, the solutions would be solved. So such a list is refused, unless the caller names the
//! field of the puzzles. A list in which a few full grids occur is a list of puzzles.
//!
//! A full grid with the same 17 clues as a puzzle is its solution: by chance, one of `9^17` has them. In
//! a list with wrong solutions, only the order tells that lines take turns.

use super::evidence::Number;
use super::shape::{Columns, Layout, Shape};
use crate::input::fields::{is_full, is_open};
use crate::input::forms;
use crate::input::lines::is_empty;
use crate::puzzle::Cell;
use crate::puzzle::parse::Blanks;
use std::borrow::Cow;
use std::fmt;

/// The fewest clues of a puzzle with one solution.
const FEWEST_CLUES: usize = 17;

/// The fewest full grids that take turns with puzzles of which they are no solutions: 5 of each in any
/// order do so by chance in 2 of 252 lists.
const FEWEST_TURNS: u64 = 5;

type Cells = [u8; Cell::COUNT];

/// What is known of the order of the grids in a list.
#[derive(Default)]
pub(in crate::input) struct Turns {
    columns: Columns,
    /// Puzzles with blanks, in order.
    open: Vec<Cells>,
    /// Full grids that are not the solution of a record next to them.
    alone: Vec<Cells>,
    counts: Counts,
    last: Option<Last>,
}

/// How often grids follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Records of any kind.
    lines: u64,
    open: u64,
    full: u64,
    /// Full grids directly below a puzzle.
    full_below_open: u64,
    /// Puzzles directly below a full grid.
    open_below_full: u64,
    /// Full grids that are the solution of the record before or after.
    beside: u64,
    /// Full grids that are the solution of another record.
    elsewhere: u64,
}

/// The last grid.
struct Last {
    cells: Cells,
    is_full: bool,
    /// It is the solution of the grid before it.
    is_solution: bool,
}

/// Solutions among the puzzles of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) struct Mixed {
    /// Full grids that are a solution of another record, or take turns with puzzles.
    pub(in crate::input) solutions: u64,
    pub(in crate::input) records: u64,
    pub(super) place: Place,
}

/// Where solutions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Next to their puzzles.
    Beside,
    /// Full grids next to puzzles, of which they are no solutions.
    Turns,
    Elsewhere,
}

impl Turns {
    /// Takes the next line.
    pub(in crate::input) fn add(&mut self, layout: &Layout, line: &[u8]) {
        if is_empty(line) || layout.is_comment(line) || layout.is_above_rows(line) {
            return;
        }
        self.counts.lines += 1;
        let text = cells_of(&mut self.columns, layout, line);
        let Some((cells, is_full)) = text.and_then(|text| grid_of(&text, &layout.blanks)) else {
            return;
        };
        let mut next = Last { cells, is_full, is_solution: false };
        match &mut self.last {
            Some(last) if is_full && !last.is_full => {
                self.counts.full_below_open += 1;
                next.is_solution = is_solution(&cells, &last.cells);
                self.counts.beside += u64::from(next.is_solution);
            }
            Some(last) if !is_full && last.is_full => {
                self.counts.open_below_full += 1;
                if !last.is_solution && is_solution(&last.cells, &cells) {
                    last.is_solution = true;
                    self.counts.beside += 1;
                }
            }
            _ => {}
        }
        let last = self.last.replace(next);
        self.alone.extend(last.filter(|it| it.is_full && !it.is_solution).map(|it| it.cells));
        if is_full {
            self.counts.full += 1;
        } else {
            self.counts.open += 1;
            self.open.push(cells);
        }
    }

    /// All lines were taken: solutions are looked for anywhere in the list.
    pub(super) fn complete(&mut self) {
        let last = self.last.take();
        self.alone.extend(last.filter(|it| it.is_full && !it.is_solution).map(|it| it.cells));
        // Without many of them the list is one of puzzles, whatever they are.
        if 6 * self.alone.len() < self.open.len() {
            return;
        }
        let is_of_any = |full: &&Cells| self.open.iter().any(|open| is_solution(full, open));
        self.counts.elsewhere = self.alone.iter().filter(is_of_any).count() as u64;
    }

    /// The solutions that were found, and whether they are too many for a list of puzzles.
    pub(in crate::input) fn mixed(&self) -> (Mixed, bool) {
        let Counts { lines, open, full, full_below_open, open_below_full, beside, elsewhere } =
            self.counts;
        let (records, solutions) = (open + full, beside + elsewhere);
        let turns = full_below_open.max(open_below_full);
        let (less, more) = (open.min(full), open.max(full));
        let is_long = turns >= FEWEST_TURNS;
        // A list that begins and ends with the same kind has one more of it.
        let alternates = is_long && 10 * turns >= 9 * less && 10 * (less + 1) >= 9 * more;
        // One solution among other puzzles may be there by intention.
        let is_enough = solutions > 1 || solutions == 1 && lines <= 2;
        let are_many = is_enough && 3 * solutions >= records;
        let place = match () {
            () if !are_many && alternates => Place::Turns,
            () if 2 * beside > solutions => Place::Beside,
            () => Place::Elsewhere,
        };
        let solutions = if place == Place::Turns { turns } else { solutions };
        let mixed = Mixed { solutions, records, place };
        (mixed, are_many || alternates)
    }
}

/// The text of a line that is its puzzle.
fn cells_of<'a>(
    columns: &'a mut Columns,
    layout: &Layout,
    line: &'a [u8],
) -> Option<Cow<'a, [u8]>> {
    match &layout.shape {
        Shape::Rows(_) | Shape::Objects { .. } => Some(columns.puzzle(layout, line)),
        Shape::Arrays => str::from_utf8(line).ok().and_then(forms::array).map(Into::into),
        Shape::Spaced => forms::spaced(line, &layout.blanks).ok().map(Into::into),
        Shape::Hodoku | Shape::Joined { .. } | Shape::Grids => None,
    }
}

/// The cells of a grid, with `.` for a blank, and whether it is full.
fn grid_of(text: &[u8], blanks: &Blanks) -> Option<(Cells, bool)> {
    let is_full = is_full(text);
    if !is_full && !is_open(text, blanks) {
        return None;
    }
    let mut cells = Cells::try_from(text).ok()?;
    for cell in &mut cells {
        if !matches!(cell, b'1'..=b'9') {
            *cell = b'.';
        }
    }
    Some((cells, is_full))
}

/// Whether a full grid has all clues of a puzzle, and they are enough to be no chance.
fn is_solution(full: &Cells, open: &Cells) -> bool {
    let keeps = full.iter().zip(open).all(|(one, other)| *other == b'.' || one == other);
    keeps && open.iter().filter(|&&cell| cell != b'.').count() >= FEWEST_CLUES
}

impl fmt::Display for Mixed {
    /// `500 of 1,000 records are solutions of the records next to them`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { solutions, records, place } = *self;
        write!(f, "{} of {} records ", Number(solutions), Number(records))?;
        f.write_str(match (solutions, place) {
            (1, Place::Beside) => "is the solution of the record next to it",
            (_, Place::Beside) => "are solutions of the records next to them",
            (1, Place::Elsewhere) => "is the solution of another record",
            (_, Place::Elsewhere) => "are solutions of other records",
            (_, Place::Turns) => "are full grids that take turns with puzzles",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const S: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// The solutions among the puzzles of a list, and whether they are too many. `P` is a puzzle, `S` its
    /// solution, `Q` and `W` another puzzle and a full grid of neither, `x` other text.
    fn mixed(list: &str) -> (u64, bool) {
        let other = P.replace('5', "2").replace('3', "5");
        let wrong = S.replace('1', "0").replace('2', "1").replace('0', "2");
        let mut turns = Turns::default();
        for kind in list.chars() {
            let line = match kind {
                'P' => P,
                'S' => S,
                'Q' => &other,
                'W' => &wrong,
                _ => "x",
            };
            turns.add(&Layout::plain(), line.as_bytes());
        }
        turns.complete();
        let (mixed, are_many) = turns.mixed();
        (mixed.solutions, are_many)
    }

    #[test]
    fn solutions_next_to_their_puzzles_are_found() {
        for (list, solutions) in [
            ("PS", 1),
            ("SP", 1),
            ("PSPS", 2),
            ("SPSPSP", 3),
            ("xPSxPS", 2),
            ("PSPxPS", 2),
            ("PPPSSS", 3),
            ("QPQSWS", 2),
        ] {
            assert_eq!(mixed(list), (solutions, true), "{list}");
        }
        assert!(mixed("PWPWPWPWPW").1, "wrong solutions take turns, too");
        assert!(mixed("WQWQWxQWQWQW").1, "in the other order, with a damaged record");
    }

    #[test]
    fn a_few_full_grids_are_puzzles() {
        for list in [
            "PPS",
            "PxS",
            "PSP",
            "P",
            "S",
            "SS",
            "PQ",
            "PW",
            "PWP",
            "PPPS",
            "PQPQPWPQS",
            "WWPWW",
            "PPWPPW",
            "PWPW",
        ] {
            assert!(!mixed(list).1, "{list}");
        }
    }
}
