//! Puzzles that were seen, each with its place: found again by their forms.
//!
//! ```text
//! chunk ── Batch: forms ──> Seen ── hash ──> table ── same hash ──> spool: the form and the place
//! ```
//!
//! A puzzle takes up to 31 bytes of memory and 49 in a temporary file (a sukaku 100): see the modules
//! `table` and `spool`. What has the same hash is read again and compared before it is reported.

use super::packed::{GRID_BYTES, Packed, PackedGrid, PackedSukaku, SUKAKU_BYTES};
use super::spool::Spool;
use super::table::{DuplicateError, Duplicates};
use crate::bulk::Error;

/// Bits of a spool's note that hold the line. The bits above hold the input.
const LINE_BITS: u32 = 44;

/// The forms of the puzzles of a chunk: all grids, then all sukakus.
///
/// ```
/// use crate::bank::{Batch, PackedGrid, Place, Seen};
/// use crate::puzzle::Grid;
///
/// let (mut batch, mut seen) = (Batch::default(), Seen::new()?);
/// batch.grids.extend([PackedGrid::from(&Grid::EMPTY); 2]);
/// // The lines 17 and 18 of the first input.
/// seen.add(&batch, 0, &[17, 18])?;
/// assert_eq!(seen.place(0)?, None);
/// assert_eq!(seen.place(1)?, Some(Place { input: 0, line: 17 }));
/// # Ok::<(), crate::bulk::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The forms of grids.
    pub grids: Vec<PackedGrid>,
    /// The forms of sukakus.
    pub sukakus: Vec<PackedSukaku>,
}

impl Batch {
    /// Begins anew.
    pub fn clear(&mut self) {
        self.grids.clear();
        self.sukakus.clear();
    }

    /// How many puzzles there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.grids.len() + self.sukakus.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Where a puzzle is: see [`Batch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which of the inputs, from 0 on.
    pub input: usize,
    /// The line, counted from 1.
    pub line: u64,
}

/// The puzzles of one kind.
struct Kind<const BYTES: usize> {
    table: Duplicates<BYTES>,
    spool: Spool<BYTES>,
}

impl<const BYTES: usize> Kind<BYTES> {
    fn new() -> Result<Self, Error> {
        Ok(Self { table: Duplicates::new(), spool: Spool::new(None).map_err(Error::Spool)? })
    }

    /// Appends for each puzzle the number of the first that is the same. The notes of these
    /// puzzles must be kept before the next ones come.
    fn add(
        &mut self,
        puzzles: &[Packed<BYTES>],
        notes: impl Iterator<Item = u64>,
        first: &mut Vec<Option<u32>>,
    ) -> Result<(), Error> {
        self.table.find(puzzles, &mut self.spool, first).map_err(error)?;
        let mut pairs = puzzles.iter().zip(notes);
        pairs.try_for_each(|(puzzle, note)| self.spool.push(puzzle, note)).map_err(Error::Spool)
    }

    fn find(
        &mut self,
        puzzles: &[Packed<BYTES>],
        found: &mut Vec<Option<u32>>,
    ) -> Result<(), Error> {
        self.table.look_up(puzzles, &mut self.spool, found).map_err(error)
    }

    fn note(&mut self, number: u32) -> Result<u64, Error> {
        self.spool.get(number).map(|(_, note)| note).map_err(Error::Spool)
    }
}

fn error(error: DuplicateError) -> Error {
    match error {
        DuplicateError::Earlier(cause) => Error::Reread(cause),
        DuplicateError::TooMany => Error::TooManyPuzzles { most: u64::from(u32::MAX - 1) },
    }
}

/// All puzzles that were added: see [`Batch`]. Grids are compared with grids, and sukakus with sukakus.
pub struct Seen {
    grids: Kind<GRID_BYTES>,
    sukakus: Kind<SUKAKU_BYTES>,
    /// For each puzzle of the last batch, the number of the first that is the same.
    first: Vec<Option<u32>>,
    /// How many of them are grids.
    batch_grids: usize,
}

impl Seen {
    /// No puzzle.
    ///
    /// # Errors
    /// If no temporary file can be made.
    pub fn new() -> Result<Self, Error> {
        let (grids, sukakus) = (Kind::new()?, Kind::new()?);
        Ok(Self { grids, sukakus, first: Vec::new(), batch_grids: 0 })
    }

    /// Adds the puzzles of a batch, the line of each in this input. [`Seen::place`] then tells of each
    /// whether the same puzzle came before, in an earlier batch or in this one.
    ///
    /// # Errors
    /// If an earlier puzzle cannot be read again, or these cannot be written.
    pub fn add(&mut self, batch: &Batch, input: usize, lines: &[u64]) -> Result<(), Error> {
        debug_assert_eq!(batch.len(), lines.len(), "a line for each puzzle");
        let note = |line: &u64| (input as u64) << LINE_BITS | *line;
        let (of_grids, of_sukakus) = lines.split_at(batch.grids.len().min(lines.len()));
        self.first.clear();
        self.batch_grids = batch.grids.len();
        self.grids.add(&batch.grids, of_grids.iter().map(note), &mut self.first)?;
        self.sukakus.add(&batch.sukakus, of_sukakus.iter().map(note), &mut self.first)
    }

    /// Looks for the puzzles of a batch, and adds none. [`Seen::place`] then tells of each whether it
    /// was added before.
    ///
    /// # Errors
    /// If an earlier puzzle cannot be read again.
    pub fn find(&mut self, batch: &Batch) -> Result<(), Error> {
        self.first.clear();
        self.batch_grids = batch.grids.len();
        self.grids.find(&batch.grids, &mut self.first)?;
        self.sukakus.find(&batch.sukakus, &mut self.first)
    }

    /// Where the same puzzle as this one of the last batch was first, if it was there.
    ///
    /// # Errors
    /// If its place cannot be read again.
    ///
    /// # Panics
    /// If the batch has no such puzzle.
    pub fn place(&mut self, index: usize) -> Result<Option<Place>, Error> {
        let Some(number) = self.first[index] else { return Ok(None) };
        let is_grid = index < self.batch_grids;
        let note = if is_grid { self.grids.note(number) } else { self.sukakus.note(number) }?;
        let input = usize::try_from(note >> LINE_BITS).unwrap_or(usize::MAX);
        Ok(Some(Place { input, line: note & ((1 << LINE_BITS) - 1) }))
    }

    /// The bytes of the tables in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.grids.table.bytes() + self.sukakus.table.bytes()
    }
}
