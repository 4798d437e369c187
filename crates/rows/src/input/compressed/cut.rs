//! Where members begin in a compressed file, so that each shard decompresses its own.

use super::Decoder;
use super::ahead::next_member;
use super::format::{Format, format_of};
use super::members::Members;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes that are searched together.
const BLOCK_BYTES: u64 = 1 << 20;

/// Bytes of a header by which a member is recognized, at most.
const HEADER_BYTES: u64 = 10;

/// Text of a gzip member that is decompressed to see that it is one.
const SAMPLE_BYTES: u64 = 64 << 10;

/// The first place at or after `from` where a member begins; `length`, that of the file, if there is none.
pub(in crate::input) fn member_from(
    file: &mut File,
    format: Format,
    mut from: u64,
    length: u64,
) -> io::Result<u64> {
    if from == 0 {
        return Ok(0);
    }
    let mut block = Vec::new();
    while from < length {
        block.clear();
        file.seek(SeekFrom::Start(from))?;
        file.take(BLOCK_BYTES + HEADER_BYTES).read_to_end(&mut block)?;
        let mut at = 0;
        while let Some(found) = next_member(format, &block, at) {
            if is_member(file, format, from + found as u64, length)? {
                return Ok(from + found as u64);
            }
            at = found + 1;
        }
        from += BLOCK_BYTES;
    }
    Ok(length)
}

/// The text of the members from here on, up to the end of these compressed bytes.
pub(in crate::input) fn text_of(
    reader: impl Read + Send + 'static,
    format: Format,
    start: u64,
) -> Decoder {
    let members = Some(Members::new(format, start, u64::MAX));
    Decoder { members, is_judged: true, ..Decoder::new(reader) }
}

/// Whether a member begins here: bytes like those of its header may occur anywhere.
fn is_member(file: &mut File, format: Format, at: u64, length: u64) -> io::Result<bool> {
    if format == Format::Zstd {
        return Ok(frame_end(file, at).is_ok_and(|end| end <= length));
    }
    file.seek(SeekFrom::Start(at))?;
    let text = text_of(file.try_clone()?, format, at);
    match io::copy(&mut text.take(SAMPLE_BYTES), &mut io::sink()) {
        Ok(_) => Ok(true),
        Err(error) => match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Ok(false),
            _ => Err(error),
        },
    }
}

/// Where the zstd frame ends that begins here (RFC 8878, 3.1.1), by the headers of its blocks. It fails if
/// there is none, or if what follows is no frame.
fn frame_end(file: &mut File, start: u64) -> io::Result<u64> {
    const RESERVED_TYPE: u8 = 3;
    const REPEATED_BYTE: u8 = 1;
    const MOST_BLOCK_BYTES: u64 = 128 << 10;
    let none = || io::Error::from(io::ErrorKind::InvalidData);
    file.seek(SeekFrom::Start(start))?;
    let mut header = [0; 5];
    file.read_exact(&mut header)?;
    let descriptor = header[4];
    let is_one_segment = descriptor & 0x20 != 0;
    let content = [u64::from(is_one_segment), 2, 4, 8][usize::from(descriptor >> 6)];
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let has_checksum = descriptor & 4 != 0;
    if descriptor & 8 != 0 {
        return Err(none());
    }
    let mut at = start + 5 + u64::from(!is_one_segment) + dictionary + content;
    loop {
        file.seek(SeekFrom::Start(at))?;
        let mut header = [0; 3];
        file.read_exact(&mut header)?;
        let [low, middle, high] = header.map(u64::from);
        let (kind, bytes) = (header[0] >> 1 & 3, (low | middle << 8 | high << 16) >> 3);
        if kind == RESERVED_TYPE || bytes > MOST_BLOCK_BYTES {
            return Err(none());
        }
        at += 3 + if kind == REPEATED_BYTE { 1 } else { bytes };
        if header[0] & 1 != 0 {
            break;
        }
    }
    at += 4 * u64::from(has_checksum);
    let mut next = Vec::new();
    file.seek(SeekFrom::Start(at))?;
    file.take(4).read_to_end(&mut next)?;
    let follows = next.is_empty() || matches!(format_of(&next), Ok(Some(Format::Zstd)));
    if follows { Ok(at) } else { Err(none()) }
}
