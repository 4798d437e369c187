//! Parts of an input: those after what has been read before, and shards for as many runs.
//!
//! ```text
//! input    |───────|── before ──|─────────────|────────|
//!                start       start + bytes   end
//!                  what is skipped    what is read
//! ```
//!
//! A part is all lines that begin in a range of bytes. The layout is that of the whole input: it is
//! found at its start, wherever reading begins.
//!
//! ```text
//! inputs    a──────────────────┬b─────────   one after the other, cut by bytes
//! cuts             │           │  │          1/3, 2/3 of all bytes
//! lines     ····⏎······⏎····⏎··│··⏎···⏎···
//! shard     1          2          3          a line goes with its first byte
//! ```
//!
//! So the records of all shards, one after the other, are those of one run. A cut is found from the bytes
//! around it ([`boundary`]): what is far before it is not read. Line numbers are those of the whole input, so
//! the lines before a shard are counted as soon as a record needs its number ([`LinesBefore`]).

use super::boundary::end_of_records;
use super::layout::shape::Layout;
use super::origin::Origin;
use super::stream::{Buffer, Stream, uninterrupted};
use crate::extent::Extent;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::num::NonZeroU64;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

/// Which lines of an input are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Bytes before the first of them.
    pub start: u64,
    /// Bytes before the first line after them; none for all there are.
    pub end: Option<u64>,
}

/// The lines of an input before its part, counted when their number is needed: that reads them all.
#[derive(Clone)]
pub struct LinesBefore {
    counted: Arc<OnceLock<u64>>,
    /// The input, and the place where the part begins.
    place: Option<(Origin, u64)>,
}

impl LinesBefore {
    /// The lines before this place.
    pub(super) fn of(origin: Origin, start: u64) -> Self {
        Self { counted: Arc::default(), place: Some((origin, start)) }
    }

    /// The number, if it is known.
    pub fn known(&self) -> Option<u64> {
        self.counted.get().copied()
    }

    /// Counts them, unless that was done before.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn count(&self) -> io::Result<u64> {
        let (None, Some((origin, start))) = (self.known(), &self.place) else {
            return Ok(self.known().unwrap_or_default());
        };
        let mut reader = origin.read_from(0)?.take(*start);
        let (mut block, mut lines) = (vec![0; BLOCK_BYTES], 0);
        loop {
            match uninterrupted(|| reader.read(&mut block))? {
                0 => return Ok(*self.counted.get_or_init(|| lines)),
                bytes => lines += memchr::memchr_iter(b'\n', &block[..bytes]).count() as u64,
            }
        }
    }
}

impl std::convert::From<u64> for LinesBefore {
    fn from(lines: u64) -> Self {
        Self { counted: Arc::new(lines.into()), place: None }
    }
}

impl fmt::Debug for LinesBefore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LinesBefore").field(&self.known()).finish()
    }
}

/// What an earlier run has read of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Skipped {
    pub(super) bytes: u64,
    pub(super) lines: u64,
    /// The last of the bytes.
    pub(super) tail: Extent,
}

/// Skips `bytes` bytes and compares the last of them with `tail`.
pub(super) fn skip(stream: &mut dyn Read, bytes: u64, tail: Extent) -> io::Result<()> {
    let skipped = io::copy(&mut stream.take(bytes.saturating_sub(tail.bytes)), &mut io::sink())?;
    let mut last = Vec::new();
    stream.take(bytes - skipped).read_to_end(&mut last)?;
    // A shorter stream has a shorter tail.
    if Extent::of(&last) == tail { Ok(()) } else { Err(differs()) }
}

pub(super) fn differs() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "is not the input that was read before")
}

/// Bytes that are looked at together.
const BLOCK_BYTES: usize = 1 << 18;

/// One of `count` shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of this shard, from 1.
    index: NonZeroU64,
    /// The number of all shards.
    count: NonZeroU64,
}

impl Shard {
    /// The number of this shard, from 1.
    pub const fn index(self) -> u64 {
        self.index.get()
    }

    /// The number of all shards.
    pub const fn count(self) -> u64 {
        self.count.get()
    }

    /// Bytes before the shard and bytes up to its end, of an input of `bytes` bytes.
    pub fn cuts(self, bytes: u64) -> (u64, u64) {
        let cut = |shards| share(bytes, shards, self.count());
        (cut(self.index() - 1), cut(self.index()))
    }
}

/// As much of `all` as `part` is of `whole`.
pub(super) fn share(all: u64, part: u64, whole: u64) -> u64 {
    let share = u128::from(all) * u128::from(part) / u128::from(whole);
    u64::try_from(share).expect("a part is no more than its whole")
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text.split_once('/').and_then(|(index, count)| {
            Some(Self { index: index.parse().ok()?, count: count.parse().ok()? })
        });
        let shard = shard.filter(|shard| shard.index <= shard.count);
        shard.ok_or_else(|| "expected I/N, with I from 1 to N".to_owned())
    }
}

/// Reads an input from a place on.
type From<'a> = dyn Fn(u64) -> io::Result<Box<dyn Read + Send>> + 'a;

/// The first place between records at or after `cut`, or the end.
///
/// Where a grid in text begins depends on the lines before it, so these are read.
pub(super) fn boundary(from: &From, cut: u64, layout: &Layout) -> io::Result<u64> {
    if cut == 0 {
        return Ok(0);
    }
    if !layout.has_grids() {
        // A line ends at a line end, whatever is before it.
        return go_to(from(cut - 1)?, cut - 1, cut, layout);
    }
    go_to(from(0)?, 0, cut, layout)
}

/// The first place between records at or after `cut`, or the end. The reader begins at the place `at`, which is
/// such a place.
fn go_to(reader: impl Read, mut at: u64, cut: u64, layout: &Layout) -> io::Result<u64> {
    let (mut stream, mut buffer) = (Stream::new(reader), Buffer::default());
    while at < cut {
        stream.fill(&mut buffer, layout, BLOCK_BYTES)?;
        if buffer.input_bytes == 0 {
            break;
        }
        // A line that is not kept whole is passed over as a whole.
        let wanted = usize::try_from(cut - at).unwrap_or(usize::MAX);
        let is_whole = buffer.bytes().len() as u64 == buffer.input_bytes;
        if is_whole && wanted < buffer.bytes().len() {
            return Ok(at + end_of_records(buffer.bytes(), 0, wanted, layout) as u64);
        }
        at += buffer.input_bytes;
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Hints, Source};
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn a_shard_is_one_of_so_many() {
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/2/3", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_cuts_of_all_shards_meet() {
        for bytes in [0, 1, 82, 1000, u64::MAX] {
            for count in [1, 2, 3, 64, u64::MAX] {
                let shard = |index| format!("{index}/{count}").parse::<Shard>().unwrap();
                let mut end = 0;
                for index in 1..=count.min(100) {
                    let cuts = shard(index).cuts(bytes);
                    assert!(cuts.0 == end && cuts.1 >= end);
                    end = cuts.1;
                }
                assert_eq!(shard(count).cuts(bytes).1, bytes);
            }
        }
    }
    /// An input of `length` bytes that repeats a text, and counts what is read of it.
    struct Repeats {
        text: Vec<u8>,
        length: u64,
        at: u64,
        read: Arc<AtomicU64>,
    }

    impl Read for Repeats {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let start = usize::try_from(self.at % self.text.len() as u64).unwrap();
            let rest = usize::try_from(self.length - self.at).unwrap();
            let bytes = buffer.len().min(self.text.len() - start).min(rest);
            buffer[..bytes].copy_from_slice(&self.text[start..start + bytes]);
            self.at += bytes as u64;
            self.read.fetch_add(bytes as u64, Ordering::Relaxed);
            Ok(bytes)
        }
    }

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Whatever is before it.
    #[test]
    fn a_cut_between_lines_is_found_by_reading_one() {
        let text = format!("{PUZZLE}\n");
        let length = 82_000_000_000;
        let read = Arc::new(AtomicU64::new(0));
        let open = |at| {
            let (text, read) = (text.clone().into_bytes(), Arc::clone(&read));
            Ok(Box::new(Repeats { text, length, at, read }) as Box<dyn Read + Send>)
        };
        for index in 1..=64 {
            let shard: Shard = format!("{index}/64").parse().unwrap();
            let (_, cut) = shard.cuts(length);
            let found = boundary(&open, cut, &Layout::default()).unwrap();
            assert!(found.is_multiple_of(82) && found - cut < 82, "{index}");
        }
        assert!(read.load(Ordering::Relaxed) / 64 < 1 << 20);
    }

    #[test]
    fn grids_in_text_are_cut_between_two() {
        let rows: Vec<_> = PUZZLE.as_bytes().chunks(9).map(String::from_utf8_lossy).collect();
        let text = format!("# one\nGrid 17\n{}\n", rows.join("\n")).repeat(2000);
        let mut source = Source::from_bytes("grids", text.clone().into_bytes());
        let layout = source.find_layout(&Hints { grids: true, ..Hints::default() }).unwrap();
        let open = |at: u64| {
            let rest = text.as_bytes()[usize::try_from(at).unwrap()..].to_vec();
            Ok(Box::new(io::Cursor::new(rest)) as Box<dyn Read + Send>)
        };
        for cut in [1, 5000, 70_001, 200_000] {
            let found = usize::try_from(boundary(&open, cut, layout).unwrap()).unwrap();
            let begins = |start: &&str| text[found..].starts_with(*start);
            assert!(["# one", "Grid", "53..7....\n6"].iter().any(begins), "{cut}");
            assert!(found as u64 - cut < 120);
        }
    }
}
