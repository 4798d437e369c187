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
use super::delimiter::Delimiter;
use super::grids;
use super::layout::shape::Layout;
use super::lines::{MAX_LINE_BYTES, record_end};
use super::origin::Origin;
use super::stream::{Buffer, Stream, uninterrupted};
use crate::extent::Extent;
use std::collections::BTreeSet;
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

/// Bytes of a part that have been read by an earlier run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Skipped {
    pub(super) bytes: u64,
    /// The last of them.
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

/// Bytes before a cut that are looked at to find where records begin: twice as many as a record of several
/// lines may have. More are looked at if these do not tell.
const LOOK_BACK: u64 = 2 * MAX_LINE_BYTES as u64;

/// Reads an input from a place on.
type From<'a> = dyn Fn(u64) -> io::Result<Box<dyn Read + Send>> + 'a;

/// The first place between records at or after `cut`, or the end.
///
/// Where a record begins may depend on all bytes before it: on quotation marks that may be open, on the rows
/// of grids without a line between them. Mostly a few bytes tell.
pub(super) fn boundary(from: &From, cut: u64, layout: &Layout) -> io::Result<u64> {
    if cut == 0 {
        return Ok(0);
    }
    if !layout.has_grids() && layout.spans().is_none() {
        // A line ends at a line end, whatever is before it.
        return go_to(from(cut - 1)?, cut - 1, cut, layout);
    }
    let mut back = LOOK_BACK;
    while back < cut {
        let (start, mut bytes) = (cut - back, Vec::new());
        let all = back + MAX_LINE_BYTES as u64;
        let ended = (from(start)?.take(all).read_to_end(&mut bytes)? as u64) < all;
        let wanted = usize::try_from(back).unwrap_or(usize::MAX).min(bytes.len());
        let known = match layout.spans() {
            _ if bytes.is_empty() => Some(0),
            Some(delimiter) => agreed(&bytes, wanted, delimiter, ended),
            None => grids::last_reset(&bytes[..wanted], &layout.blanks),
        };
        if let Some(known) = known {
            let known = start + known as u64;
            return go_to(from(known)?, known, cut, layout);
        }
        back = back.saturating_mul(16);
    }
    go_to(from(0)?, 0, cut, layout)
}

/// The first record that begins at or after `wanted`, if the bytes before it leave no doubt: records that
/// are read from any line on arrive there.
///
/// One of the lines before `wanted` begins a record, because no record of several lines is as long as these
/// bytes. Two ways to read that meet stay together.
fn agreed(bytes: &[u8], wanted: usize, delimiter: Delimiter, ended: bool) -> Option<usize> {
    let lines = memchr::memchr_iter(b'\n', &bytes[..wanted]).map(|end| end + 1);
    let mut starts: BTreeSet<usize> = lines.collect();
    if starts.is_empty() {
        // Within a line that is longer than any record of several lines: its end is the next line end.
        return Some(wanted - 1);
    }
    while let Some(start) = starts.pop_first() {
        let end = record_end(&bytes[start..], Some(delimiter), ended).filter(|_| start < wanted);
        match end {
            Some(length) => drop(starts.insert(start + length)),
            None => return starts.is_empty().then_some(start),
        }
    }
    None
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
        if buffer.left_out.is_none() && wanted < buffer.bytes().len() {
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

    fn layout_of(head: &str) -> Layout {
        let mut source = Source::from_bytes("head", head.as_bytes().to_vec());
        let grids = !head.contains(PUZZLE);
        source.find_layout(&Hints { grids, ..Hints::default() }).unwrap().clone()
    }

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Texts of each kind of layout.
    fn texts() -> Vec<(Layout, String)> {
        let line = format!("{PUZZLE}\n");
        let quoted = format!(
            "1,{PUZZLE},\"a \"\"note\"\"\"\n2,{PUZZLE},\"of two\nlines\"\n\"3\",{PUZZLE},x\n"
        );
        let rows: Vec<_> = PUZZLE.as_bytes().chunks(9).map(String::from_utf8_lossy).collect();
        let rows = rows.join("\n");
        let (apart, titled) = (format!("{rows}\n\n"), format!("# one\nGrid 17\n{rows}\n"));
        let head = |text: &str, times| layout_of(&text.repeat(times));
        vec![
            (head(&line, 9), line),
            (head(&format!("id,puzzle,note\n{quoted}"), 1), quoted),
            (head(&apart, 9), apart),
            (head(&titled, 9), titled),
        ]
    }

    #[test]
    fn a_cut_is_found_without_reading_what_is_before_it() {
        for (layout, text) in texts() {
            let length = 82_000_000_000 / text.len() as u64 * text.len() as u64;
            let read = Arc::new(AtomicU64::new(0));
            let open = |at| {
                let (text, read) = (text.clone().into_bytes(), Arc::clone(&read));
                Ok(Box::new(Repeats { text, length, at, read }) as Box<dyn Read + Send>)
            };
            for index in 1..=64 {
                let shard: Shard = format!("{index}/64").parse().unwrap();
                let (_, cut) = shard.cuts(length);
                let found = boundary(&open, cut, &layout).unwrap();
                let in_text = usize::try_from(found % text.len() as u64).unwrap();
                let begins = |record: &&str| text[in_text..].starts_with(*record);
                let records = ["2,", "\"3\"", "\n", "Grid", "53..7....\n"];
                let is_start = in_text == 0 || records.iter().any(begins);
                assert!(is_start && found - cut <= text.len() as u64, "{index} of {text}");
            }
            let each = read.load(Ordering::Relaxed) / 64;
            assert!(each < 1 << 20, "{each} bytes a cut of {text}");
        }
    }

    /// Pieces of lines put together at random, also ones that leave no place certain for long.
    #[test]
    fn a_cut_is_the_one_that_is_found_from_the_start() {
        let pieces = [
            "1,",
            PUZZLE,
            ",",
            "\"",
            "\"\"",
            "\n",
            "\r\n",
            "a\n",
            "\"\n",
            "\",",
            ",\"b\n",
            "[solution]\n",
            "# c\n",
            "53..7....\n",
            "53..7....\n",
            "........9\n",
            ".........\n",
            "---------\n",
            "---+---+---\n",
            "\n",
            "Grid\n",
        ];
        let mut random = crate::puzzle::Random::new(28);
        let mut below = |most: usize| random.below(most);
        let long = "x".repeat(70_000);
        for case in 0..24 {
            let (layout, text) = &texts()[case % 4];
            let mut bytes = text.clone();
            while bytes.len() < 400_000 {
                match below(if case < 12 { 400 } else { 4_000 }) {
                    0 => bytes.push_str(&long),
                    1..=100 => bytes.push_str(pieces[below(pieces.len())]),
                    _ => bytes.push_str(text),
                }
            }
            let bytes = bytes.into_bytes();
            let (length, read) = (bytes.len() as u64, Arc::new(AtomicU64::new(0)));
            let open = |at| {
                let (text, read) = (bytes.clone(), Arc::clone(&read));
                Ok(Box::new(Repeats { text, length, at, read }) as Box<dyn Read + Send>)
            };
            for _ in 0..8 {
                let cut = below(bytes.len()) as u64;
                let found = boundary(&open, cut, layout).unwrap();
                let expected =
                    if cut == 0 { 0 } else { go_to(&bytes[..], 0, cut, layout).unwrap() };
                assert_eq!(found, expected, "case {case}, cut {cut}");
            }
        }
    }
}
