//! The sample: the bytes of an input that decide its layout.
//!
//! ```text
//! bytes     |<---- head ---->|        |sample|      |sample|      |sample|
//! pipe      |<---- head ---->|                       a pipe has the head alone
//! ```
//!
//! The head is all lines up to 1,000 records after the first one with a grid, and at most 1 MiB. Of a
//! regular file that is not compressed, 4 more samples of 32 KiB are read: after a quarter, a half and
//! three quarters, and at the end. The decision depends on these lines, not on how they arrive.

use super::head::Head;
use super::shape::{Hints, Layout};
use crate::input::document::{self, Look};
use crate::input::lines::{Lines, is_empty};
use std::io::{self, Read};
use std::ops::Range;

/// Bytes of an input in which its first puzzle must be found.
///
/// Comments and a header come before it: the longest seen has 2 KiB. A stream keeps so many bytes
/// until the layout is known.
pub(super) const HEAD_BYTES: usize = 1 << 20;

/// Bytes of each further sample.
const SAMPLE_BYTES: usize = 32 * 1024;

/// Bytes that a stream is asked for at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// The ranges of a file of this length that are sampled besides its head.
pub(in crate::input) fn samples_of(length: u64) -> Vec<Range<u64>> {
    let sample = SAMPLE_BYTES as u64;
    let start = |quarter: u64| (length / 4 * quarter).min(length.saturating_sub(sample));
    let ranges = (1..=4).map(|quarter| start(quarter)..(start(quarter) + sample).min(length));
    ranges.filter(|_| length > sample).collect()
}

/// What was read of a stream to find its layout.
pub(in crate::input) struct ReadHead {
    pub(in crate::input) bytes: Vec<u8>,
    /// The error that ended it, if the layout was found nevertheless.
    pub(in crate::input) error: Option<io::Error>,
}

/// Reads a stream as far as the decision needs it. Gives whether that is all of it.
pub(super) fn read_head(
    stream: &mut impl Read,
    (hints, is_early): (&Hints, bool),
    head: &mut Vec<u8>,
) -> io::Result<bool> {
    let mut progress = Progress { is_lines: false, head: Head { is_early, ..Head::default() } };
    let mut piece = vec![0; PIECE_BYTES];
    while head.len() < HEAD_BYTES {
        let filled = head.len();
        let room = PIECE_BYTES.min(HEAD_BYTES - filled);
        match stream.read(&mut piece[..room]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
            Ok(0) => return Ok(true),
            Ok(read) => head.extend_from_slice(&piece[..read]),
        }
        let has_line = memchr::memchr(b'\n', &head[filled..]).is_some();
        if has_line && progress.is_enough(head, hints) {
            break;
        }
    }
    Ok(false)
}

/// How far the head of a stream has been looked at.
struct Progress {
    /// The head is no document.
    is_lines: bool,
    head: Head,
}

impl Progress {
    /// Whether the decision needs no more than these bytes.
    fn is_enough(&mut self, head: &[u8], hints: &Hints) -> bool {
        if !self.is_lines {
            match looked_at(head, false, hints) {
                Look::More => return false,
                Look::Document(_) | Look::Unknown => return head.len() >= HEAD_BYTES / 4,
                Look::Lines => self.is_lines = true,
            }
        }
        self.head.extend(head, false, hints)
    }
}

/// Whether the head is that of a JSON document.
pub(super) fn looked_at(head: &[u8], ended: bool, hints: &Hints) -> Look {
    if hints.grids || hints.delimiter.is_some() {
        return Look::Lines;
    }
    document::look(head, ended || head.len() >= HEAD_BYTES)
}

/// The layout, and the error that ended the head if there are lines before it to be answered.
pub(super) fn despite(
    ended: io::Result<bool>,
    layout: io::Result<Layout>,
    head: &[u8],
) -> (io::Result<Layout>, Option<io::Error>) {
    match (ended, layout) {
        (Err(error), Ok(layout)) if head.contains(&b'\n') => (Ok(layout), Some(error)),
        (Err(error), _) => (Err(error), None),
        (Ok(_), layout) => (layout, None),
    }
}

/// A sample without the parts of lines at its ends.
pub(super) fn whole_lines(sample: &[u8]) -> &[u8] {
    let start = memchr::memchr(b'\n', sample).map_or(sample.len(), |end| end + 1);
    let end = memchr::memrchr(b'\n', sample).map_or(start, |end| end + 1);
    &sample[start..end.max(start)]
}

/// The records of samples that are not the head.
pub(super) fn records_of<'a>(samples: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let lines = samples.iter().flat_map(|sample| Lines::new(sample));
    let records = lines.map(|line| line.without_mark().bytes);
    records.filter(|line| !is_empty(line) && line[0] != b'#').collect()
}
