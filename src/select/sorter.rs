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

/// A row in memory.
struct Row {
    key: u64,
    /// Its place among all rows.
    number: u64,
    way: Way,
    /// Its second key and its text.
    second: Range<usize>,
    text: Range<usize>,
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
        let start = self.text.len();
        self.text.extend_from_slice(text);
        let (second, text) = (start..start + facts.second, start + facts.second..self.text.len());
        self.rows.push(Row { key: facts.key, number: self.added, way: facts.way, second, text });
        self.added += 1;
        Ok(())
    }

    fn sort(&mut self) {
        let Self { rows, text, .. } = self;
        let key = |row: &Row| (row.key, &text[row.second.clone()], row.number);
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
            let text = &self.text[row.second.start..row.text.end];
            let Way { input, class, stratum, marks } = row.way;
            let (input, second, length) =
                (input as u64, row.second.len() as u64, text.len() as u64);
            let head = [row.key, row.number, input, class, stratum, marks, second, length];
            writer.write_all(head.map(u64::to_le_bytes).as_flattened())?;
            writer.write_all(text)?;
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
                if !each(&self.text[row.text.clone()], row.way)? {
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

/// What is before the text of a row in the file.
struct Head {
    key: u64,
    number: u64,
    way: Way,
    second: usize,
    length: usize,
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

    /// The head of the next row; none at the end of the run.
    fn head(&mut self, file: &mut File) -> io::Result<Option<Head>> {
        self.fill(file, HEAD)?;
        let Some(head) = self.block[self.at..].first_chunk::<HEAD>() else { return Ok(None) };
        let number = |place: usize| {
            let bytes = head[8 * place..8 * place + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(bytes)
        };
        let size = |place| usize::try_from(number(place)).expect("it was written by this process");
        let [class, stratum, marks] = [3, 4, 5].map(number);
        let way = Way { input: size(2), class, stratum, marks };
        let (second, length) = (size(6), size(7));
        Ok(Some(Head { key: number(0), number: number(1), way, second, length }))
    }

    /// What the next row is sorted by; none at the end of the run.
    fn key(&mut self, file: &mut File) -> io::Result<Option<(u64, Vec<u8>, u64)>> {
        let Some(head) = self.head(file)? else { return Ok(None) };
        self.fill(file, HEAD + head.second)?;
        let second = self.block[self.at + HEAD..][..head.second].to_vec();
        Ok(Some((head.key, second, head.number)))
    }

    /// The text and the way of the next row. Its caller has checked that there is one.
    fn take(&mut self, file: &mut File) -> io::Result<(&[u8], Way)> {
        let Some(head) = self.head(file)? else { return Err(io::ErrorKind::UnexpectedEof.into()) };
        let bytes = HEAD + head.length;
        self.fill(file, bytes)?;
        let start = self.at + HEAD + head.second;
        self.at += bytes;
        Ok((&self.block[start..self.at], head.way))
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
