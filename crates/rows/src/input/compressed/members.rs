//! Compressed bytes, decompressed member by member.

use super::codec::{self, Codec, MOST_WAITING};
use super::format::{CompressionFormat, format_of, is_undecided};
use crate::Grouped;
use std::io::{self, ErrorKind, Read};
use std::mem;

/// Members of one format, one after the other (zstd calls them frames).
pub(super) struct MemberReader {
    reader: Box<dyn Read + Send>,
    format: CompressionFormat,
    /// The member that has begun and not ended.
    codec: Option<Box<dyn Codec>>,
    /// Compressed bytes that were read, and how many of them were taken.
    raw: Vec<u8>,
    start: usize,
    /// All compressed bytes have been read.
    is_over: bool,
    /// Compressed bytes before those.
    taken: u64,
    /// The last byte of the text.
    last: Option<u8>,
    /// What is wrong behind the text: with the member that has begun, or with what follows the last.
    fault: Option<(ErrorKind, String)>,
}

impl MemberReader {
    pub(super) fn new(reader: Box<dyn Read + Send>, format: CompressionFormat) -> Self {
        let (codec, raw, is_over, taken, last, fault) = (None, Vec::new(), false, 0, None, None);
        Self { reader, format, codec, raw, start: 0, is_over, taken, last, fault }
    }

    /// Decompresses some of the member, or begins one; false if that takes more compressed bytes.
    fn run(&mut self, text: &mut [u8], written: &mut usize) -> bool {
        let Some(codec) = &mut self.codec else { return self.begin() };
        let step = codec.run(&self.raw[self.start..], &mut text[*written..]);
        self.take(step.read);
        *written += step.written;
        let is_moved = step.read > 0 || step.written > 0 || step.ended != Ok(false);
        match step.ended {
            Ok(true) => self.codec = None,
            Ok(false) => {}
            Err(why) => self.fault = Some((ErrorKind::InvalidData, why)),
        }
        is_moved
    }

    /// Begins the next member; false if there is none, or if it takes more bytes to tell.
    fn begin(&mut self) -> bool {
        let next = &self.raw[self.start..];
        if self.format == CompressionFormat::Gzip && next.first() == Some(&0) {
            // Tapes and disks fill up the last block so; gzip(1) says nothing about it.
            self.take(next.iter().take_while(|&&byte| byte == 0).count());
            return true;
        }
        if next.is_empty() || is_undecided(next) && !self.is_over {
            return false;
        }
        if matches!(format_of(next), Ok(Some(format)) if format == self.format) {
            self.codec = Some(codec::of(self.format));
        } else {
            let taken = Grouped(self.taken);
            let why = format!("ends after {taken} bytes, and other bytes follow");
            self.fault = Some((ErrorKind::InvalidData, why));
        }
        true
    }

    /// Adds what one read gives. There is room: a codec leaves fewer bytes than it may wait for unless
    /// the text is full, and what tells a format is short.
    fn fill(&mut self) -> io::Result<()> {
        self.raw.drain(..mem::take(&mut self.start));
        let waiting = self.raw.len();
        debug_assert!(waiting < MOST_WAITING, "no room to read would look like the end");
        self.raw.resize(MOST_WAITING, 0);
        let read = self.reader.read(&mut self.raw[waiting..]);
        self.raw.truncate(waiting + read.as_ref().unwrap_or(&0));
        self.is_over = read? == 0;
        if self.is_over && self.codec.is_some() {
            let why = "ends early: is the file truncated?".to_owned();
            self.fault = Some((ErrorKind::UnexpectedEof, why));
        }
        Ok(())
    }

    fn take(&mut self, bytes: usize) {
        self.start += bytes;
        self.taken += bytes as u64;
    }
}

impl Read for MemberReader {
    /// Reads some of the text, which 0 bytes end. Text is handed over before more compressed bytes are
    /// waited for. An error of the reader changes nothing: reading can go on.
    fn read(&mut self, text: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < text.len() && self.fault.is_none() {
            if !self.run(text, &mut written) {
                if written > 0 || self.is_over {
                    break;
                }
                self.fill()?;
            }
        }
        if written > 0 {
            self.last = Some(text[written - 1]);
            return Ok(written);
        }
        let Some((kind, why)) = &self.fault else { return Ok(0) };
        // A last line that is whole has its end, so it is not lost to an error behind the last member.
        if self.codec.is_none() && self.last.is_some_and(|last| last != b'\n') {
            (text[0], self.last) = (b'\n', Some(b'\n'));
            return Ok(1);
        }
        Err(io::Error::new(*kind, format!("{} data {why}", self.format.name())))
    }
}
