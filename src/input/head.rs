//! The first lines of an input, shown to whoever finds its layout.
//!
//! ```text
//! bytes     |<------------- HEAD_BYTES ------------->|···      complete lines are shown, one by one
//! stream    |<- read ->|<- read ->| settled: no more is asked for
//! ```

use super::detect::Detector;
use super::layout::{Hints, Layout};
use super::lines::Lines;
use std::io::{self, Read};

/// Bytes of an input in which its first puzzle must be found.
///
/// Comments and a header come before it: the longest seen has 2 KiB. A stream keeps so many bytes
/// until the layout is known.
const HEAD_BYTES: usize = 1 << 20;

/// Bytes that a stream is asked for at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// Finds the layout of bytes that are all there.
pub(super) fn layout_of_bytes(bytes: &[u8], hints: &Hints) -> io::Result<Layout> {
    let mut detector = Detector::new(hints);
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    // Of a stream nobody knows that it ends just there.
    let ended = bytes.len() < HEAD_BYTES;
    let (shown, settled) = show(&mut detector, head, 0, ended);
    if !settled && !ended {
        detector.unended_line(&head[shown..]);
    }
    settle(detector, ended)
}

/// Finds the layout of a stream; gives what was read of it, too.
pub(super) fn layout_of_stream(
    stream: &mut impl Read,
    hints: &Hints,
) -> (io::Result<Layout>, Vec<u8>) {
    let (mut detector, mut head) = (Detector::new(hints), Vec::new());
    let read = show_stream(&mut detector, stream, &mut head);
    (read.and_then(|ended| settle(detector, ended)), head)
}

fn settle(detector: Detector, ended: bool) -> io::Result<Layout> {
    detector.end(ended).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Shows the lines of an input's head from some place on, until one settles the layout: all that
/// are complete, and the last one if the input ends there. Gives where it stopped, and whether that
/// settles it.
fn show(detector: &mut Detector, head: &[u8], from: usize, ended: bool) -> (usize, bool) {
    let mut start = from;
    let mut lines = Lines::of_chunk(&head[from..], from == 0, None);
    loop {
        let complete = memchr::memchr(b'\n', &head[start..]).is_some();
        match lines.next() {
            Some(line) if complete || ended => {
                start = head.len() - lines.remaining_bytes();
                if detector.line(line.bytes) {
                    return (start, true);
                }
            }
            _ => return (start, false),
        }
    }
}

/// The same for a stream, of which no more is read than is needed. Gives whether that is all of it.
fn show_stream(
    detector: &mut Detector,
    stream: &mut impl Read,
    head: &mut Vec<u8>,
) -> io::Result<bool> {
    let (mut shown, mut settled, mut ended) = (0, false, false);
    while !settled && !ended && head.len() < HEAD_BYTES {
        let filled = head.len();
        head.resize(HEAD_BYTES.min(filled + PIECE_BYTES), 0);
        let read = stream.read(&mut head[filled..]);
        head.truncate(filled + *read.as_ref().unwrap_or(&0));
        match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
            Ok(bytes) => ended = bytes == 0,
        }
        if ended || memchr::memchr(b'\n', &head[filled..]).is_some() {
            (shown, settled) = show(detector, head, shown, ended);
        }
    }
    if !settled && !ended {
        detector.unended_line(&head[shown..]);
    }
    Ok(ended)
}
