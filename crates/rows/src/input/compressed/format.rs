//! Formats, told by the first bytes of a stream.

use std::io::{self, ErrorKind};

/// A format that is decompressed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) enum CompressionFormat {
    /// RFC 1952: members, one after the other.
    Gzip,
    /// RFC 8878: frames, one after the other, some of them to be skipped.
    Zstd,
}

impl CompressionFormat {
    /// What messages call it.
    pub(in crate::input) const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// What bytes are that are no text.
#[derive(Clone, Copy, Debug)]
enum NotText {
    Packed(CompressionFormat),
    /// The name of the format, and the command that makes text of it.
    Piped(&'static str, &'static str),
    /// The name of the format, and advice to the user.
    Refused(&'static str),
}

use NotText::{Packed, Piped, Refused};

/// The most bytes that it takes to tell.
pub(in crate::input) const LONGEST: usize = 16;

/// How each kind but text begins. Of the first byte only these bits count: a zstd frame that is
/// to be skipped begins with any of 16.
const KINDS: [(u8, &[u8], NotText); 16] = [
    (0xff, b"\x1f\x8b", Packed(CompressionFormat::Gzip)),
    (0xff, b"\x28\xb5\x2f\xfd", Packed(CompressionFormat::Zstd)),
    (0xf0, b"\x50\x2a\x4d\x18", Packed(CompressionFormat::Zstd)),
    (0xff, b"\xfd7zXZ\0", Piped("compressed with xz", "xz -dc FILE")),
    (0xff, b"BZh", Piped("compressed with bzip2", "bzip2 -dc FILE")),
    (0xff, b"\x04\x22\x4d\x18", Piped("compressed with lz4", "lz4 -dc FILE")),
    (0xff, b"PK\x03\x04", Piped("a zip archive", "unzip -p FILE")),
    (0xff, b"7z\xbc\xaf\x27\x1c", Piped("a 7z archive", "7z x -so FILE")),
    (0xff, b"SQLite format 3\0", Piped("an SQLite database", SQLITE)),
    (0xff, b"PAR1", Refused(PARQUET)),
    (0xff, b"ARROW1", Refused(ARROW)),
    (0xff, b"\x93NUMPY", Piped("a NumPy array", NUMPY)),
    // Before UTF-16, which begins as the first of them does.
    (0xff, b"\xff\xfe\0\0", Piped("UTF-32 text", "iconv -f UTF-32 -t UTF-8 FILE")),
    (0xff, b"\0\0\xfe\xff", Piped("UTF-32 text", "iconv -f UTF-32 -t UTF-8 FILE")),
    (0xff, b"\xff\xfe", Piped("UTF-16 text", "iconv -f UTF-16 -t UTF-8 FILE")),
    (0xff, b"\xfe\xff", Piped("UTF-16 text", "iconv -f UTF-16 -t UTF-8 FILE")),
];

const PARQUET: &str = "is a Parquet file in a pipe or compressed, where its parts cannot be found: \
                       write it to a file and name that";

const ARROW: &str = "is an Arrow file, which is not read: write it as Parquet, for example with \
                     polars: pl.read_ipc('FILE').write_parquet('FILE.parquet')";

/// Digits in rows of 81 or in grids of 9 by 9, as text.
const SQLITE: &str = "sqlite3 -csv -header FILE 'SELECT * FROM TABLE'";

const NUMPY: &str = "python3 -c \"import numpy, sys; numpy.savetxt(sys.stdout, \
                     numpy.vstack([a.reshape(-1, 81) for x in [numpy.load('FILE')] \
                     for a in getattr(x, 'values', lambda: [x])()]), '%d', '')\"";

/// Whether both are the same as far as they go.
fn agree(bits: u8, magic: &[u8], head: &[u8]) -> bool {
    let first = magic.first().zip(head.first()).is_none_or(|(&a, &b)| a == b & bits);
    first && magic.iter().zip(head).skip(1).all(|(a, b)| a == b)
}

/// Whether more bytes might make these the beginning of something else.
pub(super) fn is_undecided(head: &[u8]) -> bool {
    KINDS.iter().any(|(bits, magic, _)| head.len() < magic.len() && agree(*bits, magic, head))
}

/// The format that these bytes begin, or none if they are text.
///
/// # Errors
/// They begin something that cannot be read; what that is, and what to do about it.
pub(in crate::input) fn format_of(head: &[u8]) -> io::Result<Option<CompressionFormat>> {
    let begins = |(bits, magic, _): &&(u8, &[u8], NotText)| {
        head.len() >= magic.len() && agree(*bits, magic, head)
    };
    let Some((_, _, kind)) = KINDS.iter().find(begins) else { return Ok(None) };
    let (failed, why) = match kind {
        Packed(format) if cfg!(feature = "compression") => return Ok(Some(*format)),
        Packed(format) => {
            let what = format!("is compressed with {}", format.name());
            let why = format!("{what}, which this build leaves out (--features compression)");
            (ErrorKind::Unsupported, why)
        }
        Piped(what, command) => {
            let why = format!("is {what}, which is not read: {command} | ninefold COMMAND -");
            (ErrorKind::InvalidData, why)
        }
        Refused(why) => (ErrorKind::InvalidData, (*why).to_owned()),
    };
    Err(io::Error::new(failed, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_known_by_its_first_bytes_and_not_by_fewer() {
        for (_, magic, kind) in KINDS {
            assert!(magic.len() <= LONGEST);
            for length in 0..magic.len() {
                assert!(is_undecided(&magic[..length]), "{magic:?} {length}");
                // UTF-32 begins as UTF-16 does, which is refused, too.
                let refused = magic[..length].starts_with(b"\xff\xfe");
                assert!(refused || format_of(&magic[..length]).unwrap().is_none(), "{magic:?}");
            }
            let longer = [magic, b"and more"].concat();
            for head in [magic, &longer] {
                assert!(!is_undecided(head) || head == b"\xff\xfe");
                match (kind, format_of(head)) {
                    (Refused(why), Err(error)) => assert_eq!(error.to_string(), why),
                    (Piped(what, command), Err(error)) => {
                        let expected =
                            format!("is {what}, which is not read: {command} | ninefold COMMAND -");
                        assert_eq!(error.to_string(), expected);
                    }
                    (Packed(expected), Ok(found)) => assert_eq!(found, Some(expected)),
                    (Packed(_), Err(_)) if !cfg!(feature = "compression") => {}
                    (kind, found) => panic!("{kind:?} instead of {found:?}"),
                }
            }
        }
    }

    #[test]
    fn text_is_text_as_soon_as_it_can_be_nothing_else() {
        let texts: [&[u8]; 8] =
            [b"5", b"7\n", b"7z,", b".", b"\xef\xbb\xbf", b"P,", b"\x1f\n", b"\x60\x2a\x4d\x18"];
        for head in texts {
            assert!(!is_undecided(head), "{head:?}");
            assert_eq!(format_of(head).unwrap(), None, "{head:?}");
        }
    }

    #[test]
    fn sixteen_kinds_of_zstd_frame_are_to_be_skipped() {
        for first in 0..=u8::MAX {
            let zstd = matches!(
                format_of(&[first, 0x2a, 0x4d, 0x18]),
                Ok(Some(CompressionFormat::Zstd)) | Err(_)
            );
            assert_eq!(zstd, (0x50..0x60).contains(&first), "{first:#x}");
        }
    }

    /// So no line is held back with the bytes that may still become a magic number.
    #[test]
    fn no_magic_has_a_line_end() {
        assert!(KINDS.iter().all(|(_, magic, _)| !magic.contains(&b'\n')));
    }
}
