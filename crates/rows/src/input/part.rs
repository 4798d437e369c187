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
//! So the records of all shards, one after the other, are those of one run. The lines before a shard are
//! counted, because line numbers are those of the whole input. That reads all of an input before the
//! shard once. Of grids it finds the one that a cut goes through.

use super::chunk::end_of_records;
use super::layout::shape::Layout;
use super::stream::{Buffer, Stream};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::num::NonZeroU64;
use std::str::FromStr;
use twox_hash::XxHash3_64;

/// Which lines of an input are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Bytes before the first of them.
    pub start: u64,
    /// Bytes before the first line after them; none for all there are.
    pub end: Option<u64>,
    /// Lines before the first of them.
    pub lines_before: u64,
}

/// The last bytes before some place in an input, to know it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// How many.
    pub bytes: u64,
    /// Their XXH3.
    pub xxh3: u64,
}

impl Default for Tail {
    /// The tail of no bytes.
    fn default() -> Self {
        Self::of(&[])
    }
}

impl Tail {
    /// The tail that these bytes are.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, xxh3: XxHash3_64::oneshot(bytes) }
    }
}

/// Bytes of a part that have been read by an earlier run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Skipped {
    pub(super) bytes: u64,
    pub(super) tail: Tail,
}

/// Skips `bytes` bytes and compares the last of them with `tail`.
pub(super) fn skip(stream: &mut dyn Read, bytes: u64, tail: Tail) -> io::Result<()> {
    let head = bytes.saturating_sub(tail.bytes);
    let skipped = io::copy(&mut stream.take(head), &mut io::sink())?;
    let mut last = Vec::new();
    stream.take(bytes - skipped).read_to_end(&mut last)?;
    // A shorter stream has a shorter tail.
    if Tail::of(&last) == tail { Ok(()) } else { Err(differs()) }
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
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index.get()
    }

    /// The number of all shards.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count.get()
    }

    /// Bytes before the shard and bytes up to its end, of an input of `bytes` bytes.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "it never does")]
    pub fn cuts(self, bytes: u64) -> (u64, u64) {
        let cut = |shards: u64| {
            let cut = u128::from(bytes) * u128::from(shards) / u128::from(self.count());
            u64::try_from(cut).expect("no more than there are bytes")
        };
        (cut(self.index() - 1), cut(self.index()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(index, count)| {
            Some(Self { index: index.parse().ok()?, count: count.parse().ok()? })
        });
        numbers
            .filter(|shard| shard.index <= shard.count)
            .ok_or_else(|| "expected I/N, with I from 1 to N".to_owned())
    }
}

/// A place between two records.
#[derive(Clone, Copy, Default)]
struct Place {
    bytes: u64,
    lines: u64,
}

/// The part whose records begin between two places of an input of this length.
pub(super) fn between(
    reader: impl Read,
    start: u64,
    end: u64,
    length: u64,
    layout: &Layout,
) -> io::Result<Part> {
    let (mut stream, mut buffer) = (Stream::new(reader), Buffer::default());
    let (mut at, mut rest) = (Place::default(), 0..0);
    // Goes to the first place between records at or after `bytes`, or to the end.
    let mut go_to = |bytes: u64| -> io::Result<Place> {
        while at.bytes < bytes {
            if rest.is_empty() {
                let filled = stream.fill(&mut buffer, layout, BLOCK_BYTES)?;
                if filled.input_bytes == 0 {
                    break;
                }
                if filled.left_out.is_some() {
                    // A line that is not kept whole.
                    at = Place { bytes: at.bytes + filled.input_bytes, lines: at.lines + 1 };
                    continue;
                }
                rest = 0..buffer.bytes().len();
            }
            let wanted = usize::try_from(bytes - at.bytes).unwrap_or(usize::MAX);
            let cut = end_of_records(&buffer.bytes()[..rest.end], rest.start, wanted, layout);
            let lines = memchr::memchr_iter(b'\n', &buffer.bytes()[rest.start..cut]).count();
            at.lines += lines as u64;
            at.bytes += (cut - rest.start) as u64;
            rest.start = cut;
        }
        Ok(at)
    };
    let first = go_to(start)?;
    // Up to the end of all there is nothing to be looked for.
    let last = if end == length { Place { bytes: length, lines: 0 } } else { go_to(end)? };
    Ok(Part { start: first.bytes, end: Some(last.bytes), lines_before: first.lines })
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
