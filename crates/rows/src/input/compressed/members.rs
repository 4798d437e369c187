//! Compressed bytes, decompressed member by member.

use super::codec::{self, Codec};
use super::format::{Format, format_of, is_undecided};
use crate::Grouped;
use std::io::{self, ErrorKind, Read};

/// What a codec did.
pub(super) struct Step {
    /// Bytes of the input that it took.
    pub(super) read: usize,
    /// Bytes that it put into the output, whatever came after them.
    pub(super) written: usize,
    /// Whether the member has ended there, or what is wrong with it.
    pub(super) ended: Result<bool, String>,
}

/// How the text ended. It stays so.
enum End {
    Whole,
    /// All members are whole, and bytes that are none follow.
    Followed(String),
    /// The input is damaged, or is not all there.
    Failed(ErrorKind, String),
}

/// Compressed bytes that are read together: what a pipe holds on Linux.
pub(super) const RAW_BYTES: usize = 64 * 1024;

/// The most compressed bytes that a codec waits for: a block of zstd.
pub(super) const MOST_WAITING: usize = 128 * 1024;

/// Members of one format, one after the other (zstd calls them frames). The compressed bytes come from a
/// reader that is given anew each time, so another thread can go on with them.
pub(super) struct Members {
    pub(super) format: Format,
    /// The member that has begun and not ended.
    codec: Option<Codec>,
    /// Compressed bytes that were read and not yet decompressed: those in this range.
    raw: Vec<u8>,
    start: usize,
    filled: usize,
    /// All compressed bytes have been read.
    is_over: bool,
    /// Bytes before `start`, from the first of the input.
    taken: u64,
    /// The most that the next members may look back on.
    pub(super) window: u64,
    /// The last byte of the text.
    pub(super) last: Option<u8>,
    end: Option<End>,
}

impl Members {
    /// The next byte is that of a member. This many bytes of the input are before it. Members that look
    /// back on more than the window are not begun: reading fails, and can go on when it is larger.
    pub(super) fn new(format: Format, before: u64, window: u64) -> Self {
        Self {
            format,
            codec: None,
            raw: vec![0; MOST_WAITING],
            start: 0,
            filled: 0,
            is_over: false,
            taken: before,
            window,
            last: None,
            end: None,
        }
    }

    /// Whether all members that were begun have ended, and no byte behind them was read.
    pub(super) const fn is_between(&self) -> bool {
        self.codec.is_none() && self.start == self.filled && self.end.is_none()
    }

    /// How many bytes of the input have been read.
    pub(super) const fn bytes(&self) -> u64 {
        self.taken + (self.filled - self.start) as u64
    }

    /// Reads some of the text, which 0 bytes end. Text is handed over before more compressed bytes are
    /// waited for. An error of the reader changes nothing: reading can go on.
    pub(super) fn read(&mut self, reader: &mut dyn Read, text: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < text.len() && self.end.is_none() {
            if !self.run(text, &mut written) {
                if written > 0 {
                    break;
                }
                self.fill(reader)?;
            }
        }
        if written > 0 {
            self.last = Some(text[written - 1]);
            return Ok(written);
        }
        match &self.end {
            Some(End::Failed(kind, why)) => Err(self.error(*kind, why)),
            // A last line that is whole has its end, so it is not lost to the error after it.
            Some(End::Followed(_)) if self.last.is_some_and(|last| last != b'\n') => {
                (text[0], self.last) = (b'\n', Some(b'\n'));
                Ok(1)
            }
            Some(End::Followed(why)) => Err(self.error(ErrorKind::InvalidData, why)),
            Some(End::Whole) | None => Ok(0),
        }
    }

    fn error(&self, kind: ErrorKind, why: &str) -> io::Error {
        io::Error::new(kind, format!("{} data {why}", self.format.name()))
    }

    /// Decompresses some of the member, or begins one; false if that takes more compressed bytes.
    fn run(&mut self, text: &mut [u8], written: &mut usize) -> bool {
        let Some(codec) = &mut self.codec else { return self.begin() };
        let step = codec.run(&self.raw[self.start..self.filled], &mut text[*written..]);
        self.take(step.read);
        *written += step.written;
        let is_moved = step.read > 0 || step.written > 0 || step.ended != Ok(false);
        match step.ended {
            Ok(true) => self.codec = None,
            Ok(false) => {}
            Err(why) => self.end = Some(End::Failed(ErrorKind::InvalidData, why)),
        }
        is_moved
    }

    /// What the next member looks back on, if it is known and may be; 0 of gzip, and if anything may be.
    fn next_window(&self) -> Option<u64> {
        let next = &self.raw[self.start..self.filled];
        if self.window == u64::MAX || !next.starts_with(Format::Zstd.magic()) {
            return Some(0);
        }
        Some(window_of(next.first_chunk()?)).filter(|&window| window <= self.window)
    }

    /// Begins the next member, or ends if there is none; false if it takes more bytes to tell.
    fn begin(&mut self) -> bool {
        let next = &self.raw[self.start..self.filled];
        if self.format == Format::Gzip && next.first() == Some(&0) {
            // Tapes and disks fill up the last block so; gzip(1) says nothing about it.
            self.take(next.iter().take_while(|&&byte| byte == 0).count());
            return true;
        }
        if next.is_empty() || is_undecided(next) && !self.is_over || self.next_window().is_none() {
            return false;
        }
        if matches!(format_of(next), Ok(Some(format)) if format == self.format) {
            self.codec = Some(codec::of(self.format));
        } else {
            let taken = Grouped(self.taken);
            let why = format!("ends after {taken} bytes, and other bytes follow");
            self.end = Some(End::Followed(why));
        }
        true
    }

    /// Adds what one read gives. There is room: a codec leaves fewer bytes than it may wait for unless
    /// the text is full, and what tells a format is short.
    fn fill(&mut self, reader: &mut dyn Read) -> io::Result<()> {
        self.raw.copy_within(self.start..self.filled, 0);
        (self.start, self.filled) = (0, self.filled - self.start);
        if self.codec.is_none() && self.filled >= HEADER_BYTES && self.next_window().is_none() {
            return Err(ErrorKind::WouldBlock.into());
        }
        debug_assert!(self.filled < self.raw.len(), "no room to read would look like the end");
        let bytes = reader.read(&mut self.raw[self.filled..])?;
        self.filled += bytes;
        self.is_over = bytes == 0;
        if self.is_over && self.codec.is_some() {
            let why = "ends early: is the file truncated?".to_owned();
            self.end = Some(End::Failed(ErrorKind::UnexpectedEof, why));
        } else if self.is_over && self.filled == 0 {
            self.end = Some(End::Whole);
        }
        Ok(())
    }

    const fn take(&mut self, bytes: usize) {
        self.start += bytes;
        self.taken += bytes as u64;
    }
}

/// The most bytes of the header of a frame that are looked at.
const HEADER_BYTES: usize = 17;

/// How many bytes a zstd frame looks back on (RFC 8878, 3.1.1.1).
fn window_of(header: &[u8; HEADER_BYTES]) -> u64 {
    let (descriptor, window) = (header[4], header[5]);
    if descriptor & 0x20 == 0 {
        let base = 1_u64 << (10 + (window >> 3));
        return base + base / 8 * u64::from(window & 7);
    }
    // One segment: all of its content. The length of that follows the number of a dictionary.
    let start = 5 + [0, 1, 2, 4][usize::from(descriptor & 3)];
    let bytes = [1, 2, 4, 8][usize::from(descriptor >> 6)];
    let length = &header[start..start + bytes];
    length.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_of_a_frame_is_that_of_its_header() {
        let cases: [(&[u8], u64); 4] = [
            (b"\0\x88", 128 << 20),
            (b"\0\x89", 144 << 20),
            // One segment, as long as its content: 8 bytes of it.
            (b"\xe0\0\0\0\0\x01\0\0\0", 1 << 32),
            (b"\x20\x07", 7),
        ];
        for (bytes, window) in cases {
            let mut header = [0; HEADER_BYTES];
            header[4..4 + bytes.len()].copy_from_slice(bytes);
            assert_eq!(window_of(&header), window, "{bytes:?}");
        }
    }
}
