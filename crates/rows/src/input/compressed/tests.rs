//! Tests of [`Decoder`]: whatever is cut, dripped, cut off or damaged.

use super::format::CompressionFormat;
use super::*;
use crate::Grouped;
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use std::io::Write;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

const FORMATS: [CompressionFormat; 2] = [CompressionFormat::Gzip, CompressionFormat::Zstd];

/// One member: the bytes of each piece, flushed after each.
fn member(format: CompressionFormat, pieces: &[impl AsRef<[u8]>]) -> Vec<u8> {
    fn write(mut encoder: impl Write, pieces: &[impl AsRef<[u8]>]) {
        for piece in pieces {
            encoder.write_all(piece.as_ref()).unwrap();
            encoder.flush().unwrap();
        }
    }
    let mut packed = Vec::new();
    match format {
        CompressionFormat::Gzip => write(GzEncoder::new(&mut packed, Compression::new(6)), pieces),
        CompressionFormat::Zstd => {
            let mut encoder = zstd::Encoder::new(&mut packed, 1).unwrap();
            encoder.include_checksum(true).unwrap();
            write(encoder.auto_finish(), pieces);
        }
    }
    packed
}

/// Gives no more bytes at a time than the next of these numbers.
struct Drips(Vec<u8>, usize, Vec<usize>);

impl Read for Drips {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.2[self.1 % self.2.len()];
        self.1 += 1;
        let bytes = most.min(buffer.len()).min(self.0.len());
        buffer[..bytes].copy_from_slice(&self.0[..bytes]);
        self.0.drain(..bytes);
        Ok(bytes)
    }
}

/// All text that a decoder gives with room for `room` bytes at a time, and its error.
fn decode(bytes: &[u8], drips: &[usize], room: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut reader = Decoder::new(Drips(bytes.to_vec(), 0, drips.to_vec()));
    let (mut text, mut buffer) = (Vec::new(), vec![0; room]);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return (text, None),
            Ok(bytes) => text.extend_from_slice(&buffer[..bytes]),
            Err(error) => return (text, Some(error)),
        }
    }
}

fn said(error: Option<&io::Error>) -> String {
    error.map_or(String::new(), ToString::to_string)
}

/// All of it, and what the error says.
fn decoded(bytes: &[u8]) -> (Vec<u8>, String) {
    let (text, error) = decode(bytes, &[usize::MAX], 1 << 18);
    (text, said(error.as_ref()))
}

proptest! {
    #[test]
    fn however_it_is_cut_and_dripped_it_is_the_same(
        members in prop::collection::vec(
            prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..4), 1..5),
        drips in prop::collection::vec(1usize..200, 1..5),
        room in 1usize..500,
    ) {
        // A text that begins like a format is one of that format.
        let text = [&b"."[..], &members.concat().concat()].concat();
        for format in FORMATS {
            let mut packed = member(format, &[b"."]);
            packed.extend(members.iter().flat_map(|pieces| member(format, pieces)));
            let (found, error) = decode(&packed, &drips, room);
            prop_assert!(error.is_none(), "{:?}", error);
            prop_assert!(found == text);
        }
        let (found, error) = decode(&text, &drips, room);
        prop_assert!(error.is_none() && found == text);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for magic in [&b""[..], b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18"] {
            decode(&[magic, &bytes].concat(), &[7], 64);
        }
    }
}

#[test]
fn data_cut_off_anywhere_but_between_members_ends_early_after_all_before() {
    for format in FORMATS {
        let first = member(format, &["first line\n", "second line\n"]);
        let both = [&first[..], &member(format, &["third\n"])].concat();
        let text = b"first line\nsecond line\nthird\n";
        let mut longest = 0;
        for cut in 4..=both.len() {
            let (found, error) = decoded(&both[..cut]);
            assert!(text.starts_with(&found) && found.len() >= longest, "{format:?} {cut}");
            longest = found.len();
            let rest = cut.saturating_sub(first.len());
            let name = format.name();
            let expected = match rest {
                0 if cut == first.len() => String::new(),
                _ if cut == both.len() => String::new(),
                1..=3 if !format_of(&both[first.len()..cut]).is_ok_and(|f| f.is_some()) => {
                    format!(
                        "{name} data ends after {} bytes, and other bytes follow",
                        Grouped(first.len() as u64)
                    )
                }
                _ => format!("{name} data ends early: is the file truncated?"),
            };
            assert_eq!(error, expected, "{format:?} {cut}");
        }
        assert_eq!(longest, text.len());
        // What was flushed is there, though nothing after it is.
        assert_eq!(decoded(&first[..first.len() - 7]).0, b"first line\nsecond line\n");
    }
}

#[test]
fn a_damaged_byte_is_an_error_or_makes_no_difference() {
    for format in FORMATS {
        let text = "a line of text\n".repeat(20);
        let packed = member(format, &[&text]);
        for place in 4..packed.len() {
            for bit in 0..8 {
                let mut damaged = packed.clone();
                damaged[place] ^= 1 << bit;
                let (found, error) = decoded(&damaged);
                assert!(!error.is_empty() || found == text.as_bytes(), "{format:?} {place} {bit}");
            }
        }
        let mut damaged = packed.clone();
        // The checksum: gzip has the length after it.
        let place = packed.len() - if format == CompressionFormat::Gzip { 8 } else { 4 };
        damaged[place] ^= 1;
        let says = match format {
            CompressionFormat::Gzip => "gzip data is damaged: incorrect data check",
            CompressionFormat::Zstd => "zstd data is damaged: Restored data doesn't match checksum",
        };
        for room in 1..text.len() + 2 {
            let (found, error) = decode(&damaged, &[usize::MAX], room);
            assert_eq!(
                (&found[..], error.unwrap().to_string()),
                (text.as_bytes(), says.to_owned())
            );
        }
    }
}

/// Any part of a stored block of zstd is text, and a context that has a larger buffer from the frame
/// before takes a block of more text than the frame says it has.
#[test]
fn the_text_before_a_wrong_length_depends_on_no_read_and_no_frame_before() {
    let before = "before\n".repeat(9);
    let stored = "one\ntwo\n".repeat(40);
    let cases: [(&[u8], u16, u16, usize); 2] = [
        // One segment of 20 bytes. Its last block has 11.
        (b"\x20\x14", 11, 1, 8),
        // A window of 1 KiB, and 256 bytes. The first block has 300.
        (b"\x40\0\0\0", 300, 0, 0),
    ];
    for (header, length, is_last, kept) in cases {
        let block = (length << 3 | is_last).to_le_bytes();
        let bytes = &stored.as_bytes()[..usize::from(length)];
        let frame = [b"\x28\xb5\x2f\xfd", header, &block, &[0], bytes].concat();
        let packed = [&member(CompressionFormat::Zstd, &[&before]), &frame[..]].concat();
        let text = &stored[..kept];
        for (packed, text) in [(frame, text.to_owned()), (packed, format!("{before}{text}"))] {
            for drip in (1..30).chain([packed.len()]) {
                let says = "zstd data is damaged: Data corruption detected";
                let (found, error) = decode(&packed, &[drip], 1 + drip % 5);
                assert_eq!(
                    (String::from_utf8(found).unwrap(), &*said(error.as_ref())),
                    (text.clone(), says)
                );
            }
        }
    }
}

/// Noise, of which a zstd block of 128 KiB takes 128 KiB, and gzip as much.
#[test]
fn what_comes_before_the_damage_is_handed_over() {
    let mut state = 1_u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    });
    let text: Vec<u8> = noise.take(5 << 17).collect();
    for format in FORMATS {
        let pieces: Vec<_> = text.chunks(1 << 17).collect();
        let mut packed = member(format, &pieces);
        let place = packed.len() - 1000;
        packed[place] ^= 0xff;
        for room in [1 << 10, 1 << 20] {
            let (found, error) = decode(&packed, &[usize::MAX], room);
            assert!(error.is_some() && found.len() >= 4 << 17, "{format:?}: {}", found.len());
            assert!(found[..4 << 17] == text[..4 << 17], "{format:?}");
        }
    }
}

#[test]
fn what_follows_the_last_member_is_said_after_its_last_line() {
    for format in FORMATS {
        for (text, expected) in [("one\ntwo\n", "one\ntwo\n"), ("one\ntwo", "one\ntwo\n"), ("", "")]
        {
            let packed = member(format, &[text]);
            let others = FORMATS.map(|other| member(other, &["three"]));
            for rest in
                [&b"x"[..], b"garbage", &others[usize::from(format == CompressionFormat::Gzip)]]
            {
                let (found, error) = decoded(&[&packed, rest].concat());
                assert_eq!(String::from_utf8(found).unwrap(), expected);
                let (name, bytes) = (format.name(), Grouped(packed.len() as u64));
                let says = format!("{name} data ends after {bytes} bytes, and other bytes follow");
                assert_eq!(error, says);
            }
        }
    }
    let packed = member(CompressionFormat::Gzip, &["one"]);
    let padded = [&packed[..], &vec![0; 100_000]].concat();
    assert_eq!(decoded(&padded), (b"one".to_vec(), String::new()));
    assert_eq!(decoded(&[padded, packed].concat()), (b"oneone".to_vec(), String::new()));
}

#[test]
fn frames_to_skip_bounds_dictionaries_and_formats_within_formats() {
    let skipped = [&b"\x5a\x2a\x4d\x18\x05\0\0\0"[..], b"five!"].concat();
    let frame = member(CompressionFormat::Zstd, &["one\n"]);
    let frames = [&skipped[..], &frame, &skipped, &skipped, &frame, &skipped].concat();
    // Descriptor 0: a window follows. 17 << 3 is 2 to the power of 10 + 17: 128 MiB.
    let window = |window: u8| [&b"\x28\xb5\x2f\xfd\0"[..], &[window], b"\x21\0\0one\n"].concat();
    // Descriptor 1: the number of a dictionary follows the window.
    let dictionary = b"\x28\xb5\x2f\xfd\x01\0\x07\x21\0\0one\n";
    let early = "zstd data ends early: is the file truncated?";
    let cases: [(&[u8], &str, &str); 8] = [
        (&frames, "one\none\n", ""),
        (&skipped, "", ""),
        (&frames[..frames.len() - 1], "one\none\n", early),
        (&window(17 << 3), "one\n", ""),
        (
            &window(18 << 3),
            "",
            "zstd data looks back on more than 128 MiB: \
             zstd -dc --long=31 FILE | ninefold COMMAND -",
        ),
        (
            dictionary,
            "",
            "zstd data was made with a dictionary: \
             zstd -dc -D DICTIONARY FILE | ninefold COMMAND -",
        ),
        (
            &member(CompressionFormat::Zstd, &[member(CompressionFormat::Gzip, &["one"])]),
            "",
            "is gzip data within zstd data: zstd -dc FILE | ninefold COMMAND -",
        ),
        (
            &member(CompressionFormat::Gzip, &[b"\xff\xfe1\0"]),
            "",
            "is UTF-16 text, which is not read: \
             iconv -f UTF-16 -t UTF-8 FILE | ninefold COMMAND -",
        ),
    ];
    for (bytes, text, error) in cases {
        assert_eq!(decoded(bytes), (text.as_bytes().to_vec(), error.to_owned()));
    }
}

/// So a terminal need not be told twice.
#[test]
fn the_end_is_not_read_twice() {
    struct Once(bool);
    impl Read for Once {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            assert!(!std::mem::replace(&mut self.0, true), "it has ended");
            Ok(0)
        }
    }
    assert_eq!(Decoder::new(Once(false)).read(&mut [0; 9]).unwrap(), 0);
}

/// What is read of a channel, until nothing has come for a minute.
struct Fed(Receiver<Vec<u8>>, Cursor<Vec<u8>>);

impl Read for Fed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.position() == self.1.get_ref().len() as u64 {
            self.1 = Cursor::new(match self.0.recv_timeout(Duration::from_secs(60)) {
                Err(RecvTimeoutError::Timeout) => panic!("text is held back"),
                piece => piece.unwrap_or_default(),
            });
        }
        self.1.read(buffer)
    }
}

#[test]
fn no_text_of_a_slow_producer_is_held_back() {
    for format in FORMATS {
        let lines = ["one\n", "a much longer second line\n", &"x".repeat(700), "\n"];
        let (mut pieces, mut start) = (Vec::new(), 0);
        for count in 1..=lines.len() {
            // What ends a member comes after all that was flushed.
            let whole = member(format, &lines[..count]);
            let open = member(format, &[&lines[..count], &["and more"][..]].concat());
            let same = whole.iter().zip(&open).take_while(|(a, b)| a == b).count();
            let end = if count == lines.len() { whole.len() } else { same };
            pieces.push((whole[start..end].to_vec(), lines[count - 1].to_owned()));
            start = end;
        }
        let line = |line| format!("line {line}\n");
        pieces.extend((0..20).map(line).map(|text| (member(format, &[&text]), text)));
        for room in [1, 30, 1 << 18] {
            let (feed, from_feed) = channel();
            let mut reader = Decoder::new(Fed(from_feed, Cursor::default()));
            let mut buffer = vec![0; room];
            for (piece, text) in &pieces {
                feed.send(piece.clone()).unwrap();
                let mut found = Vec::new();
                while found.len() < text.len() {
                    let bytes = reader.read(&mut buffer).unwrap();
                    assert!(bytes > 0, "{format:?} {room}");
                    found.extend_from_slice(&buffer[..bytes]);
                }
                assert_eq!(found, text.as_bytes());
            }
            drop(feed);
            assert_eq!(reader.read(&mut buffer).unwrap(), 0);
        }
    }
}

#[test]
fn a_reader_that_fails_does_so_after_the_text_before() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    for format in FORMATS {
        let packed: Vec<u8> =
            ["one\n", "two\n"].iter().flat_map(|text| member(format, &[text])).collect();
        let mut found = Vec::new();
        let error = Decoder::new(Cursor::new(packed).chain(Fails)).read_to_end(&mut found);
        assert_eq!(
            (found, error.unwrap_err().to_string()),
            (b"one\ntwo\n".to_vec(), "the disk is gone".to_owned())
        );
    }
}
