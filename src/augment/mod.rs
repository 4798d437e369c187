//! `ninefold augment`: random isomorphic copies of every row, its answer transformed alike.
//!
//! ```text
//! seed, puzzle ──> generator ──> map 1, map 2, …          one map for both, so a right answer
//!                                 │      │                stays right; nothing is solved
//!                  puzzle, answer ┴──> copy 1 ──> record
//! ```
//!
//! The generator depends on the seed and the cells of the puzzle alone. So a puzzle has the same copies
//! in every file, chunk and shard, and `-n 8` begins with the copies of `-n 4`. In exchange a row that
//! occurs twice has the same copies twice.

#[cfg(feature = "cli")]
pub(crate) mod args;

use crate::input::{Chunk, Given, Row, Want};
use crate::names::NameSet;
use crate::output::{Column, Field, Format, Short};
use crate::puzzle::parse::PENCILMARKS;
use crate::puzzle::{Grid, Puzzle, Random};
use crate::run::{CHUNK_BYTES, Command, Count, Rows, Terms, Writing};
use crate::symmetry::{Change, Isomorphism};
use std::collections::HashSet;
use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use twox_hash::XxHash3_64;

ninefold_core::named_enum! {
    /// The outcome of a row.
    pub enum Outcome, "status" {
        Augmented = "augmented", "is a copy, or the row itself as copy 0";
        Few = "few", "has fewer different copies than requested";
        Unreadable = "unreadable", "has an answer that is no grid, or in no column of answers";
        Malformed = "malformed", "is not a puzzle";
    }
}

/// The columns of a table of copies. The last one is for [`Augment::map`].
pub const COLUMNS: [Column; 5] = [
    Column::status("augmented, or why there is no copy"),
    Column::whole("copy", "the number of the copy, counted from 1; 0 for the row itself"),
    Column::puzzle("puzzle", "the cells of the copy; if malformed, the text of the field"),
    Column::text("solution", "the answer of the row, transformed alike; empty if it has none"),
    Column::text("map", "with --map, the transformation from the row to the copy"),
];

ninefold_core::named_enum! {
    /// What is counted of the copies of a row.
    pub enum Drawn, "count" {
        Copies = "copies", "the rows that are written";
        Again = "drawn_again", "the maps whose copy the row had before";
    }
}

/// Draws in a row without a new copy after which there are no more: this many for each copy.
///
/// Each copy that is left is drawn with a probability of at least 1 / 2c, if there are c of them: half of
/// 1 / c, because rows or columns alone with the transposition are no group, and the copies of one half
/// may be more than those of the other. All draws miss it with a probability below e^-40.
const FRUITLESS: u64 = 80;

/// Writes random isomorphic copies.
#[derive(Clone, Debug)]
pub struct Augment {
    /// The number of copies of each row.
    pub copies: u64,
    /// The seed of all transformations.
    pub seed: u64,
    /// The kinds of transformations.
    pub changes: NameSet<Change>,
    /// Whether the row itself comes before its copies, which all differ from it.
    pub include_original: bool,
    /// Whether tables have the transformation of each copy, in the text form of [`Isomorphism`].
    pub map: bool,
}

impl Default for Augment {
    /// One copy by any transformation.
    fn default() -> Self {
        let (copies, seed, changes) = (1, 0, NameSet::ALL);
        Self { copies, seed, changes, include_original: false, map: false }
    }
}

impl Augment {
    /// Whether a row can have this number of copies.
    ///
    /// # Errors
    /// The most that it can have.
    pub fn check(&self) -> Result<(), String> {
        let most = Self::most_images(self.changes, 9) - u64::from(self.include_original);
        if self.copies <= most {
            return Ok(());
        }
        Err(format!("a row has at most {most} different copies of the kinds {}", self.changes))
    }

    /// The most different puzzles that transformations of these kinds make of one with this many
    /// different digits: as many as there are transformations, unless the puzzle has automorphisms.
    fn most_images(changes: NameSet<Change>, digits: u64) -> u64 {
        /// The orders of three bands, and of the three lines in each.
        const LINES: u64 = 6 * 6 * 6 * 6;
        let factor = |change| match change {
            Change::Digits => (10 - digits..=9).product(),
            Change::Rows | Change::Columns => LINES,
            Change::Transpose => 2,
        };
        Change::ALL.iter().filter(|it| changes.contains(**it)).map(|it| factor(*it)).product()
    }
}

impl Command for Augment {
    type Kept = ();

    fn columns(&self, _: Format) -> Vec<Column> {
        COLUMNS[..COLUMNS.len() - usize::from(!self.map)].to_vec()
    }

    fn counts(&self) -> Vec<Count> {
        vec![Count::statuses::<Outcome>(), Count::each::<Drawn>()]
    }

    /// With 256 KiB of rows, two threads were as slow as one with eight copies: 922 and 913 ms.
    fn chunk_bytes(&self) -> usize {
        CHUNK_BYTES / usize::try_from(self.copies).unwrap_or(usize::MAX).max(1)
    }

    fn want(&self, writing: &Writing) -> Want {
        Want { solutions: true, ..writing.want() }
    }

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, ()>) -> ControlFlow<()> {
        let mut copies = Copies::default();
        move |chunk, rows| self.answer(&mut copies, chunk, rows)
    }
}

/// The copies of one puzzle after another.
///
/// ```
/// use ninefold::augment::{Augment, Copies};
/// use ninefold::puzzle::Puzzle;
/// use std::ops::ControlFlow;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle = Puzzle::try_from(puzzle)?;
/// let (mut copies, mut found) = (Copies::default(), Vec::new());
/// let augment = Augment { copies: 3, ..Augment::default() };
/// copies.of(&augment, &puzzle, |_, _, copy| {
///     found.push(*copy);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found.len(), 3);
/// # Ok::<(), ninefold::puzzle::ParseError>(())
/// ```
#[derive(Debug, Default)]
pub struct Copies {
    /// The fingerprints of the copies of a row.
    seen: HashSet<u64>,
}

/// The number of copies of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The row itself not counted.
    pub copies: u64,
    /// Maps whose copy the row had before.
    pub drawn_again: u64,
}

impl fmt::Display for Copied {
    /// Why there are no more copies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.copies == 1 { "copy" } else { "copies" };
        write!(f, "only {} different {plural}", self.copies)
    }
}

impl Copies {
    /// Gives each copy of a puzzle with its number and its map, until `give` breaks. There may be fewer than
    /// wanted.
    pub fn of(
        &mut self,
        augment: &Augment,
        puzzle: &Puzzle,
        mut give: impl FnMut(u64, &Isomorphism, &Puzzle) -> ControlFlow<()>,
    ) -> Copied {
        let Augment { copies, changes, include_original, .. } = *augment;
        let images = copies + u64::from(include_original);
        let most = Augment::most_images(changes, digits(puzzle));
        self.seen.clear();
        let (mut found, mut fruitless, mut drawn_again) = (0, 0, 0);
        if include_original {
            self.is_new(puzzle);
            found = 1;
            if give(0, &Isomorphism::IDENTITY, puzzle).is_break() {
                return Copied { copies: 0, drawn_again };
            }
        }
        let mut random = Random::new(hash(augment.seed, puzzle));
        while found < images.min(most) && fruitless < FRUITLESS * (found + 1) {
            let map = Isomorphism::random_of(changes, &mut random);
            let image = map.apply_to_puzzle(puzzle);
            if images > 1 && !self.is_new(&image) {
                fruitless += 1;
                drawn_again += 1;
                continue;
            }
            (found, fruitless) = (found + 1, 0);
            if give(found - u64::from(include_original), &map, &image).is_break() {
                break;
            }
        }
        Copied { copies: found - u64::from(include_original), drawn_again }
    }

    /// Notes a copy. Whether the row has no such copy yet.
    ///
    /// Two different ones have the same fingerprint by chance with a probability of 2^-64: then one is
    /// drawn again without need.
    fn is_new(&mut self, image: &Puzzle) -> bool {
        self.seen.insert(hash(0, image))
    }
}

/// 64 bits of a puzzle, the same on every machine.
fn hash(seed: u64, puzzle: &Puzzle) -> u64 {
    let mut marks = [0; PENCILMARKS];
    let cells = match puzzle {
        Puzzle::Grid(grid) => &grid.values()[..],
        Puzzle::Sukaku(_) => puzzle.line(b'.', &mut marks),
    };
    XxHash3_64::oneshot_with_seed(seed, cells)
}

/// How many different digits a puzzle has. In a sukaku nearly always all.
fn digits(puzzle: &Puzzle) -> u64 {
    match puzzle {
        Puzzle::Grid(grid) => {
            let set = grid.values().iter().fold(0, |set, &value| set | 1u16 << value);
            u64::from((set & !1).count_ones())
        }
        Puzzle::Sukaku(_) => 9,
    }
}

/// Writes the record of a copy.
fn push(
    number: u64,
    map: &Isomorphism,
    row: &Row,
    image: &Puzzle,
    answer: Option<&Grid>,
    rows: &mut Rows<'_, ()>,
) {
    rows.count(Drawn::Copies);
    let blank = rows.style().blank;
    let answer = answer.map(|grid| grid.line(blank));
    let answer = answer.as_ref().map(|line| &line[..]);
    let (mut text, mut cells) = ([0; 35], [0; PENCILMARKS]);
    if rows.style().columns.len() == COLUMNS.len() {
        write!(&mut text[..], "{map}").expect("the text form has 35 bytes");
    }
    let fields = [
        Field::Plain(Outcome::Augmented.name().as_bytes()),
        Field::Number(number),
        Field::Puzzle,
        answer.map_or(Field::Empty, Field::Plain),
        Field::Plain(&text),
    ];
    let fields = &fields[..rows.style().columns.len()];
    let short = match rows.style().format {
        Format::Pair => Short::Text(answer.unwrap_or_default()),
        Format::Line | Format::Grid => Short::Image(image.line(blank, &mut cells)),
        _ => Short::Nothing,
    };
    let row = Row { puzzle: Some(*image), ..row.clone() };
    rows.push(&row, Terms::of(Outcome::Augmented), fields, short);
}

impl Augment {
    /// Writes the copies of the rows of a chunk.
    fn answer(
        &self,
        copies: &mut Copies,
        chunk: &Chunk<'_>,
        rows: &mut Rows<'_, ()>,
    ) -> ControlFlow<()> {
        let puzzles = rows.read(chunk);
        for (row, number) in puzzles.rows() {
            let number = match number {
                Ok(number) => number,
                Err(malformed) => {
                    rows.unanswered(&row, Outcome::Malformed, &malformed);
                    continue;
                }
            };
            let answer = match puzzles.given_with(number) {
                Given::Missing => None,
                Given::Cells(_)
                    if !chunk.layout().has_solutions() && rows.style().other_columns.is_some() =>
                {
                    // Among the other columns it would stay as it is, beside a copy that it does not solve.
                    let reason = "an answer in no column of answers (--columns names it)";
                    rows.unanswered(&row, Outcome::Unreadable, &reason);
                    continue;
                }
                Given::Cells(grid) => Some(grid),
                Given::Malformed(error) => {
                    let reason = format_args!("the answer: {error}");
                    rows.unanswered(&row, Outcome::Unreadable, &reason);
                    continue;
                }
            };
            let mut flow = ControlFlow::Continue(());
            let copied = copies.of(self, &puzzles.puzzle(number), |number, map, image| {
                let answer = answer.map(|grid| map.apply(grid));
                push(number, map, &row, image, answer.as_ref(), rows);
                // A row may have millions of copies.
                flow = rows.hand_over();
                flow
            });
            flow?;
            rows.output.counts[Drawn::Again] += copied.drawn_again;
            if copied.copies == self.copies {
                rows.count(Outcome::Augmented);
                continue;
            }
            rows.count(Outcome::Few);
            // The puzzle of a record is a copy, and this one has none.
            let mut fields = [Field::Empty; COLUMNS.len()];
            fields[0] = Field::Plain(Outcome::Few.name().as_bytes());
            let fields = &fields[..rows.style().columns.len()];
            rows.fail(&row, Terms::of(Outcome::Few), fields, &copied);
        }
        ControlFlow::Continue(())
    }
}
