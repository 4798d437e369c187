//! Puzzles on disk, to be read again by their numbers.
//!
//! A puzzle from a pipe or a compressed file cannot be read a second time where it came from. So
//! each is written, with a word of the caller's (say its line), to a temporary file that has no
//! name and goes away with the process: 49 bytes a grid, 4.9 GB for 100 million. It lies where
//! the system has temporary files (`TMPDIR`); if that is in memory, so is the spool.
//!
//! ```text
//! number × 49 │ 41 bytes: the puzzle, packed │ 8 bytes: the note │ …
//! ```

use super::packed::Packed;
use super::table::Earlier;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes of a note.
const NOTE: usize = size_of::<u64>();

/// Bytes gathered before they are written: one call for 21,399 grids.
const BUFFER: usize = 1024 * 1024;

/// Puzzles that were asked for are kept, each in the place of its number: a list that has the same
/// few puzzles over and over need not go to the file for each. Grids take about 230 KB.
const RECENT: usize = 4096;

/// The puzzles so far.
///
/// ```
/// use crate::puzzle::Grid;
/// use crate::bank::{PackedGrid, Spool};
///
/// let puzzle = PackedGrid::from(&Grid::EMPTY);
/// let mut spool = Spool::new(None)?;
/// spool.push(&puzzle, 17)?;
/// assert_eq!(spool.get(0)?, (puzzle, 17));
/// assert!(spool.get(1).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Spool<const BYTES: usize> {
    file: File,
    /// How many puzzles are in the file; the rest are in the buffer.
    in_file: u64,
    buffer: Vec<u8>,
    /// For one puzzle and its note.
    read: Vec<u8>,
    recent: Vec<Option<(u32, Entry<BYTES>)>>,
}

/// A puzzle, and what its caller noted.
type Entry<const BYTES: usize> = (Packed<BYTES>, u64);

impl<const BYTES: usize> Spool<BYTES> {
    /// Bytes for one puzzle.
    const ENTRY: usize = BYTES + NOTE;

    /// An empty one in this folder, or where the system has temporary files.
    ///
    /// # Errors
    /// If no file can be made there.
    pub fn new(folder: Option<&Path>) -> io::Result<Self> {
        let file = folder.map_or_else(tempfile::tempfile, tempfile::tempfile_in)?;
        let (buffer, read) = (Vec::new(), Vec::new());
        Ok(Self { file, in_file: 0, buffer, read, recent: vec![None; RECENT] })
    }

    /// Adds a puzzle, which gets the next number from 0 on, with a note.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, puzzle: &Packed<BYTES>, note: u64) -> io::Result<()> {
        if self.buffer.len() + Self::ENTRY > BUFFER {
            self.file.seek(SeekFrom::End(0))?;
            self.file.write_all(&self.buffer)?;
            self.in_file += (self.buffer.len() / Self::ENTRY) as u64;
            self.buffer.clear();
        }
        self.buffer.extend_from_slice(puzzle.bytes());
        self.buffer.extend_from_slice(&note.to_le_bytes());
        Ok(())
    }

    /// The puzzle of a number, and its note.
    ///
    /// # Errors
    /// If it cannot be read, or there is none.
    pub fn get(&mut self, number: u32) -> io::Result<Entry<BYTES>> {
        let place = number as usize % RECENT;
        if let Some((kept, entry)) = self.recent[place]
            && kept == number
        {
            return Ok(entry);
        }
        let entry = if let Some(behind) = u64::from(number).checked_sub(self.in_file) {
            let start = usize::try_from(behind).ok().and_then(|it| it.checked_mul(Self::ENTRY));
            let entry = start.and_then(|start| self.buffer.get(start..)?.get(..Self::ENTRY));
            entry.ok_or(io::ErrorKind::UnexpectedEof)?
        } else {
            self.read.resize(Self::ENTRY, 0);
            self.file.seek(SeekFrom::Start(u64::from(number) * Self::ENTRY as u64))?;
            self.file.read_exact(&mut self.read)?;
            &self.read
        };
        let (puzzle, note) = entry.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        let note = note.try_into().map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let (puzzle, note) = (Packed::from_bytes(*puzzle), u64::from_le_bytes(note));
        self.recent[place] = Some((number, (puzzle, note)));
        Ok((puzzle, note))
    }
}

impl<const BYTES: usize> Earlier<BYTES> for Spool<BYTES> {
    fn puzzle(&mut self, number: u32) -> io::Result<Packed<BYTES>> {
        self.get(number).map(|(puzzle, _)| puzzle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::PackedGrid;
    use crate::puzzle::{Cell, Digit, Grid};

    #[test]
    fn every_puzzle_comes_back_from_file_and_buffer() {
        let puzzle = |number: u32| {
            let mut grid = Grid::EMPTY;
            let mut rest = number;
            for cell in Cell::all().take(8) {
                grid.set(cell, Digit::new(u8::try_from(rest % 10).unwrap()));
                rest /= 10;
            }
            PackedGrid::from(&grid)
        };
        // More than twice what the buffer holds; looked at while it grows.
        let count = 50_000;
        let mut spool = Spool::new(None).unwrap();
        for number in 0..count {
            spool.push(&puzzle(number), u64::from(number) << 20).unwrap();
            for earlier in [number, number / 2, number / 3] {
                let expected = (puzzle(earlier), u64::from(earlier) << 20);
                assert_eq!(spool.get(earlier).unwrap(), expected, "{earlier} of {number}");
            }
        }
        assert!(spool.get(count).is_err());
        assert!(spool.in_file > 0);
    }
}
