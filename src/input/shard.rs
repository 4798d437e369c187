//! Inputs cut into shards, for as many runs: each line belongs to the shard in which it begins.
//!
//! ```text
//! inputs    a──────────────────┬b─────────   one after the other, cut by bytes
//! cuts             │           │  │          1/3, 2/3 of all bytes
//! lines     ····⏎······⏎····⏎··│··⏎···⏎···
//! shard     1          2          3          a line goes with its first byte
//! ```
//!
//! So what the shards give, one after the other, is what one run gives. The lines before a shard are
//! counted, for their numbers are those of the whole input; that reads all of an input before the
//! shard once, and does nothing else with it. Of grids it finds the one that a cut goes through.

use super::grids::Scan;
use super::layout::{Layout, Shape};
use super::{Body, Error, Part, Source};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::num::NonZeroU64;
use std::str::FromStr;
use std::sync::Arc;

/// Bytes that are looked at together.
const BLOCK_BYTES: usize = 1 << 18;

/// One of so many shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 1.
    index: NonZeroU64,
    /// How many there are.
    count: NonZeroU64,
}

impl Shard {
    /// Which one, from 1.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index.get()
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count.get()
    }

    /// How many of so many bytes come before it and up to its end.
    fn cuts(self, bytes: u64) -> (u64, u64) {
        let cut = |shards: u64| {
            let cut = u128::from(bytes) * u128::from(shards) / u128::from(self.count());
            u64::try_from(cut).expect("no more than there are bytes")
        };
        (cut(self.index() - 1), cut(self.index()))
    }

    /// Gives each source the part that is in this shard. Their layouts must have been found.
    ///
    /// # Errors
    /// An input that is a pipe or compressed, of which no part can be read by itself; or what the
    /// system says.
    pub fn cut(self, sources: Vec<Source>) -> Result<Vec<Source>, Error> {
        let lengths = sources.iter().map(length).collect::<Result<Vec<_>, _>>()?;
        let (start, end) = self.cuts(lengths.iter().sum());
        let mut before = 0;
        let cut = |(source, length): (Source, u64)| {
            let local = |cut: u64| cut.saturating_sub(before).min(length);
            let (start, end) = (local(start), local(end));
            before += length;
            match part(&source, start, end, length) {
                Ok(part) => Ok(source.with_part(part)),
                Err(cause) => Err(Error { name: Arc::clone(source.name()), cause }),
            }
        };
        sources.into_iter().zip(lengths).map(cut).collect()
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

/// The bytes of an input that can be cut.
fn length(source: &Source) -> Result<u64, Error> {
    match &source.body {
        Body::Shared(shared) => Ok(shared.bytes().len() as u64),
        Body::Named(_, Some(bytes), _) => Ok(*bytes),
        // An empty file.
        Body::Named(_, None, 0) => Ok(0),
        _ => {
            let why = "cannot be cut into shards: it is a pipe or compressed";
            let cause = io::Error::new(ErrorKind::Unsupported, why);
            Err(Error { name: Arc::clone(source.name()), cause })
        }
    }
}

/// The part of an input whose lines begin between two places.
fn part(source: &Source, start: u64, end: u64, length: u64) -> io::Result<Part> {
    if start == end {
        return Ok(Part { start, end: Some(end), lines_before: 0 });
    }
    let layout = source.layout().map_or(const { &Layout::plain() }, |layout| layout);
    let (start, end) = match &source.body {
        Body::Shared(shared) => {
            let places = places(&mut shared.bytes(), start, end, length, layout);
            shared.check(0)?;
            places?
        }
        Body::Named(path, ..) => places(&mut File::open(path)?, start, end, length, layout)?,
        Body::Stream(..) => return Err(ErrorKind::Unsupported.into()),
    };
    Ok(Part { start: start.bytes, end: Some(end.bytes), lines_before: start.lines })
}

/// A place between two records.
#[derive(Clone, Copy, Default)]
struct Place {
    bytes: u64,
    lines: u64,
}

/// The first places between records that are not before these.
fn places(
    reader: &mut dyn Read,
    start: u64,
    end: u64,
    length: u64,
    layout: &Layout,
) -> io::Result<(Place, Place)> {
    let grids = layout.shape == Shape::Grids;
    let scan = grids.then(|| Scan::new(&layout.blanks));
    let reader = BufReader::with_capacity(BLOCK_BYTES, reader);
    let mut walk = Walk { reader, at: Place::default(), scan };
    let first = walk.to(start)?;
    // Up to the end of all there is nothing to be looked for.
    let last = if end == length { Place { bytes: length, lines: 0 } } else { walk.to(end)? };
    Ok((first, last))
}

/// A walk through an input from its start.
struct Walk<'a, R> {
    reader: BufReader<R>,
    at: Place,
    /// The lines so far as grids, if they are.
    scan: Option<Scan<'a>>,
}

impl<R: Read> Walk<'_, R> {
    /// Goes on to the first place between records that has so many bytes before it, or more; or
    /// else to the end.
    fn to(&mut self, bytes: u64) -> io::Result<Place> {
        while self.at.bytes < bytes || !self.scan.as_ref().is_none_or(Scan::is_between) {
            let ended = match &mut self.scan {
                None => self.skip_to_line(bytes)?,
                Some(_) => self.line()?,
            };
            if ended {
                break;
            }
        }
        Ok(self.at)
    }

    /// Goes on towards the first line that begins there or later; true at the end of all.
    fn skip_to_line(&mut self, bytes: u64) -> io::Result<bool> {
        loop {
            let block = self.reader.fill_buf()?;
            if block.is_empty() {
                return Ok(true);
            }
            // The line end just before that place is one that counts.
            let skipped = (bytes - 1).saturating_sub(self.at.bytes);
            let skipped = usize::try_from(skipped).unwrap_or(usize::MAX).min(block.len());
            self.at.lines += memchr::memchr_iter(b'\n', &block[..skipped]).count() as u64;
            let end = memchr::memchr(b'\n', &block[skipped..]).map(|place| skipped + place + 1);
            let taken = end.unwrap_or(block.len());
            self.at.bytes += taken as u64;
            self.reader.consume(taken);
            if end.is_some() {
                self.at.lines += 1;
                return Ok(false);
            }
        }
    }

    /// Goes on by a line of a grid; true at the end of all.
    fn line(&mut self) -> io::Result<bool> {
        /// Bytes of a line that are looked at: a longer one is no row, whatever follows.
        const MOST_BYTES: usize = 1024;
        let mut line = Vec::new();
        loop {
            let block = self.reader.fill_buf()?;
            if block.is_empty() {
                return Ok(true);
            }
            let end = memchr::memchr(b'\n', block);
            let taken = end.unwrap_or(block.len());
            line.extend_from_slice(&block[..taken.min(MOST_BYTES - line.len())]);
            let taken = taken + usize::from(end.is_some());
            self.at.bytes += taken as u64;
            self.reader.consume(taken);
            if end.is_some() {
                self.at.lines += 1;
                if let Some(scan) = &mut self.scan {
                    scan.line(line.strip_suffix(b"\r").unwrap_or(&line));
                }
                return Ok(false);
            }
        }
    }
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
