//! Rows sorted by their keys, in bounded memory.
//!
//! ```text
//! rows ─> memory ── full: sorted ─> run │ run │ run  (temporary file) ─> merge ─> sorted rows
//! ```
//!
//! Rows with the same key keep their order.

use crate::run::Error;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// Bytes of rows that are sorted in memory.
pub(super) const MEMORY: usize = 256 << 20;
/// Bytes that are read of a run at a time.
const BLOCK: usize = 256 << 10;
/// Bytes before the text of a row: key, number, input, class, stratum, marks, bytes of the second key, length.
const HEAD: usize = 64;

/// Where a row comes from, and what decides the part that it goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) input: usize,
    /// The hash of its class under the seed.
    pub(super) class: u64,
    pub(super) stratum: u64,
    /// Its clues and grade, for the report of a split.
    pub(super) marks: u64,
}

/// What is known of a row besides its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowFacts {
    /// The key by which it is sorted: lower keys first.
    pub(super) key: u64,
    /// How many bytes before its text are a second key. They are dropped when it is sorted.
    pub(super) second: usize,
    pub(super) way: Way,
}

/// Takes a row. Returns whether more rows are wanted.
pub(super) type Each<'a> = dyn FnMut(&[u8], Way) -> Result<bool, Error> + 'a;

/// A row: in the file its head, then its second key and its text.
#[derive(Clone, Copy)]
struct Row {
    facts: RowFacts,
    /// Its place among all rows.
    number: u64,
    /// Where its bytes begin in memory, and their number.
    start: usize,
    length: usize,
}

impl Row {
    /// The head of the row in the file.
    fn head(&self) -> [u64; HEAD / 8] {
        let RowFacts { key, second, way: Way { input, class, stratum, marks } } = self.facts;
        [key, self.number, input as u64, class, stratum, marks, second as u64, self.length as u64]
    }

    /// The row with this head, whose bytes begin here.
    fn of_head(head: &[u8; HEAD], start: usize) -> Self {
        let size = |word: u64| usize::try_from(word).expect("it was written by this process");
        let words: &[[u8; 8]; HEAD / 8] = head.as_chunks().0.try_into().expect("eight words");
        let [key, number, input, class, stratum, marks, second, length] =
            words.map(u64::from_le_bytes);
        let way = Way { input: size(input), class, stratum, marks };
        let facts = RowFacts { key, second: size(second), way };
        Self { facts, number, start, length: size(length) }
    }

    fn second<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start..self.start + self.facts.second]
    }

    fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start + self.facts.second..self.start + self.length]
    }
}

/// Sorts rows.
pub(super) struct Sorter {
    memory: usize,
    rows: Vec<Row>,
    text: Vec<u8>,
    added: u64,
    file: Option<File>,
    /// Where the sorted runs are in the file.
    runs: Vec<Range<u64>>,
}

impl Sorter {
    /// Keeps `memory` bytes in memory.
    pub(super) const fn new(memory: usize) -> Self {
        Self { memory, rows: Vec::new(), text: Vec::new(), added: 0, file: None, runs: Vec::new() }
    }

    /// Takes a row.
    pub(super) fn add(&mut self, text: &[u8], facts: RowFacts) -> Result<(), Error> {
        let used = self.text.len() + self.rows.len() * size_of::<Row>();
        if used + text.len() > self.memory && !self.rows.is_empty() {
            self.write_run().map_err(Error::Sort)?;
        }
        let (number, start, length) = (self.added, self.text.len(), text.len());
        self.rows.push(Row { facts, number, start, length });
        self.text.extend_from_slice(text);
        self.added += 1;
        Ok(())
    }

    fn sort(&mut self) {
        let Self { rows, text, .. } = self;
        let key = |row: &Row| (row.facts.key, row.second(text), row.number);
        rows.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
    }

    /// Writes the rows in memory to the file, sorted.
    fn write_run(&mut self) -> io::Result<()> {
        self.sort();
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile()?),
        };
        let start = file.seek(SeekFrom::End(0))?;
        let mut writer = BufWriter::with_capacity(BLOCK, &*file);
        for row in &self.rows {
            writer.write_all(row.head().map(u64::to_le_bytes).as_flattened())?;
            writer.write_all(&self.text[row.start..row.start + row.length])?;
        }
        writer.flush()?;
        drop(writer);
        let end = file.stream_position()?;
        self.runs.push(start..end);
        self.rows.clear();
        self.text.clear();
        Ok(())
    }

    /// Gives all rows in order until `each` wants no more.
    pub(super) fn finish(mut self, each: &mut Each<'_>) -> Result<(), Error> {
        if self.runs.is_empty() {
            self.sort();
            for row in &self.rows {
                if !each(row.text(&self.text), row.facts.way)? {
                    break;
                }
            }
            return Ok(());
        }
        self.write_run().map_err(Error::Sort)?;
        (self.rows, self.text) = (Vec::new(), Vec::new());
        let mut file = self.file.take().expect("runs are in it");
        let mut readers: Vec<_> = self.runs.drain(..).map(Reader::new).collect();
        let mut next = BinaryHeap::new();
        for (place, reader) in readers.iter_mut().enumerate() {
            if let Some(key) = reader.key(&mut file).map_err(Error::Sort)? {
                next.push(Reverse((key, place)));
            }
        }
        while let Some(Reverse((_, place))) = next.pop() {
            let reader = &mut readers[place];
            let (text, way) = reader.take(&mut file).map_err(Error::Sort)?;
            if !each(text, way)? {
                break;
            }
            if let Some(key) = reader.key(&mut file).map_err(Error::Sort)? {
                next.push(Reverse((key, place)));
            }
        }
        Ok(())
    }
}

/// Reads a run block by block.
struct Reader {
    rest: Range<u64>,
    block: Vec<u8>,
    at: usize,
}

impl Reader {
    const fn new(rest: Range<u64>) -> Self {
        Self { rest, block: Vec::new(), at: 0 }
    }

    /// Makes `bytes` bytes ready; fewer at the end of the run.
    fn fill(&mut self, file: &mut File, bytes: usize) -> io::Result<()> {
        if self.block.len() - self.at >= bytes {
            return Ok(());
        }
        self.block.drain(..self.at);
        self.at = 0;
        let old = self.block.len();
        let left = usize::try_from(self.rest.end - self.rest.start).unwrap_or(usize::MAX);
        let more = bytes.max(BLOCK).saturating_sub(old).min(left);
        self.block.resize(old + more, 0);
        file.seek(SeekFrom::Start(self.rest.start))?;
        file.read_exact(&mut self.block[old..])?;
        self.rest.start += more as u64;
        Ok(())
    }

    /// The next row, whose bytes are in the block; none at the end of the run.
    fn row(&mut self, file: &mut File) -> io::Result<Option<Row>> {
        self.fill(file, HEAD)?;
        let Some(head) = self.block[self.at..].first_chunk() else { return Ok(None) };
        let row = Row::of_head(head, HEAD);
        self.fill(file, HEAD + row.length)?;
        Ok(Some(Row { start: self.at + HEAD, ..row }))
    }

    /// What the next row is sorted by; none at the end of the run.
    fn key(&mut self, file: &mut File) -> io::Result<Option<(u64, Vec<u8>, u64)>> {
        let row = self.row(file)?;
        Ok(row.map(|row| (row.facts.key, row.second(&self.block).to_vec(), row.number)))
    }

    /// The text and the way of the next row. Its caller has checked that there is one.
    fn take(&mut self, file: &mut File) -> io::Result<(&[u8], Way)> {
        let row = self.row(file)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        self.at = row.start + row.length;
        Ok((row.text(&self.block), row.facts.way))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Random;

    /// With memory for all rows, for a few, and for one.
    #[test]
    fn rows_are_sorted_and_equal_ones_keep_their_order() {
        let mut random = Random::new(1);
        let keys: Vec<_> = (0..500).map(|_| random.below(20) as u64).collect();
        let mut expected: Vec<_> = keys.iter().copied().zip(0..).collect();
        expected.sort_by_key(|&(key, _)| key);
        let expected: Vec<_> =
            expected.into_iter().map(|(key, number)| (format!("{key}:{number}"), number)).collect();
        for memory in [MEMORY, 1000, 1] {
            let mut sorter = Sorter::new(memory);
            for (&key, number) in keys.iter().zip(0..) {
                let way = Way { input: number, class: key << 60, ..Way::default() };
                // The second half of the key is bytes of the row.
                let facts = RowFacts { key: key / 5, second: 1, way };
                sorter.add(format!("{}{key}:{number}", key % 5).as_bytes(), facts).unwrap();
            }
            assert_eq!(sorter.runs.len() > 1, memory < MEMORY);
            let mut found = Vec::new();
            let mut each = |text: &[u8], way: Way| {
                found.push((String::from_utf8(text.to_vec()).unwrap(), way.input));
                Ok(true)
            };
            sorter.finish(&mut each).unwrap();
            assert_eq!(found, expected, "{memory} bytes of memory");
        }
    }

    #[test]
    fn no_more_rows_are_given_than_wanted() {
        for memory in [MEMORY, 1] {
            let mut sorter = Sorter::new(memory);
            for key in (0..9).rev() {
                let text = format!("{key}");
                sorter.add(text.as_bytes(), RowFacts { key, ..RowFacts::default() }).unwrap();
            }
            let mut found = Vec::new();
            let mut each = |text: &[u8], _| {
                found.push(text.to_vec());
                Ok(found.len() < 3)
            };
            sorter.finish(&mut each).unwrap();
            assert_eq!(found, [b"0", b"1", b"2"]);
        }
    }
}
