//! Tests of [`Decoder`]: whatever is cut, dripped, cut off or damaged.

use super::*;
use crate::Grouped;
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const FORMATS: [Format; 2] = [Format::Gzip, Format::Zstd];

/// One member: the bytes of each piece, flushed after each.
fn member(format: Format, pieces: &[impl AsRef<[u8]>]) -> Vec<u8> {
    fn write(mut encoder: impl Write, pieces: &[impl AsRef<[u8]>]) {
        for piece in pieces {
            encoder.write_all(piece.as_ref()).unwrap();
            encoder.flush().unwrap();
        }
    }
    let mut packed = Vec::new();
    match format {
        Format::Gzip => write(GzEncoder::new(&mut packed, Compression::new(6)), pieces),
        Format::Zstd => {
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

/// All that a decoder gives with room for so many bytes at a time, and its error.
fn decode(bytes: &[u8], drips: &[usize], room: usize) -> (Vec<u8>, Option<io::Error>) {
    let mut decoder = Decoder::new(Drips(bytes.to_vec(), 0, drips.to_vec()));
    let (mut text, mut buffer) = (Vec::new(), vec![0; room]);
    loop {
        match decoder.read(&mut buffer) {
            Ok(0) => return (text, None),
            Ok(bytes) => text.extend_from_slice(&buffer[..bytes]),
            Err(error) => return (text, Some(error)),
        }
    }
}

/// All of it, and what the error says.
fn decoded(bytes: &[u8]) -> (Vec<u8>, String) {
    let (text, error) = decode(bytes, &[usize::MAX], 1 << 18);
    (text, error.map_or(String::new(), |error| error.to_string()))
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
        let place = packed.len() - if format == Format::Gzip { 8 } else { 4 };
        damaged[place] ^= 1;
        let says = match format {
            Format::Gzip => "gzip data is damaged: incorrect data check",
            Format::Zstd => "zstd data is damaged: Restored data doesn't match checksum",
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

/// Gives one piece after the other, and none before all text of those before was seen.
struct Slow {
    pieces: std::vec::IntoIter<(Vec<u8>, usize)>,
    piece: Cursor<Vec<u8>>,
    seen: Arc<AtomicUsize>,
}

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.position() == self.piece.get_ref().len() as u64 {
            let Some((piece, before)) = self.pieces.next() else { return Ok(0) };
            assert_eq!(self.seen.load(Ordering::Relaxed), before, "text is held back");
            self.piece = Cursor::new(piece);
        }
        self.piece.read(buffer)
    }
}

#[test]
fn what_a_slow_producer_has_flushed_is_handed_over_before_more_is_read() {
    for format in FORMATS {
        let lines = ["one\n", "a much longer second line\n", &"x".repeat(700), "\n"];
        let (mut pieces, mut start, mut text) = (Vec::new(), 0, 0);
        for count in 1..=lines.len() {
            // What ends a member comes after all that was flushed.
            let whole = member(format, &lines[..count]);
            let open = member(format, &[&lines[..count], &["and more"][..]].concat());
            let same = whole.iter().zip(&open).take_while(|(a, b)| a == b).count();
            let end = if count == lines.len() { whole.len() } else { same };
            pieces.push((whole[start..end].to_vec(), text));
            (start, text) = (end, text + lines[count - 1].len());
        }
        for room in [1, 30, 1 << 18] {
            let seen = Arc::new(AtomicUsize::new(0));
            let (pieces, piece) = (pieces.clone().into_iter(), Cursor::default());
            let slow = Slow { pieces, piece, seen: Arc::clone(&seen) };
            let (mut decoder, mut buffer) = (Decoder::new(slow), vec![0; room]);
            loop {
                match decoder.read(&mut buffer).unwrap() {
                    0 => break,
                    bytes => seen.fetch_add(bytes, Ordering::Relaxed),
                };
            }
            assert_eq!(seen.load(Ordering::Relaxed), text);
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
            for rest in [&b"x"[..], b"garbage", &others[usize::from(format == Format::Gzip)]] {
                let (found, error) = decoded(&[&packed, rest].concat());
                assert_eq!(String::from_utf8(found).unwrap(), expected);
                let (name, bytes) = (format.name(), Grouped(packed.len() as u64));
                let says = format!("{name} data ends after {bytes} bytes, and other bytes follow");
                assert_eq!(error, says);
            }
        }
    }
    let packed = member(Format::Gzip, &["one"]);
    let padded = [&packed[..], &vec![0; 100_000]].concat();
    assert_eq!(decoded(&padded), (b"one".to_vec(), String::new()));
    assert_eq!(decoded(&[padded, packed].concat()), (b"oneone".to_vec(), String::new()));
}

#[test]
fn zstd_frames_that_are_to_be_skipped_are() {
    let skipped = [&b"\x5a\x2a\x4d\x18\x05\0\0\0"[..], b"five!"].concat();
    let frame = member(Format::Zstd, &["one\n"]);
    let packed = [&skipped[..], &frame, &skipped, &skipped, &frame, &skipped].concat();
    assert_eq!(decoded(&packed), (b"one\none\n".to_vec(), String::new()));
    assert_eq!(decoded(&skipped), (vec![], String::new()));
    let early = "zstd data ends early: is the file truncated?";
    assert_eq!(decoded(&packed[..packed.len() - 1]), (b"one\none\n".to_vec(), early.to_owned()));
}

#[test]
fn a_window_beyond_the_bound_is_refused_with_what_to_do() {
    // Descriptor 0: a window follows. 17 << 3 is 2 to the power of 10 + 17: 128 MiB.
    let frame = |window: u8| [&b"\x28\xb5\x2f\xfd\0"[..], &[window], b"\x21\0\0one\n"].concat();
    assert_eq!(decoded(&frame(17 << 3)), (b"one\n".to_vec(), String::new()));
    let says =
        "zstd data looks back on more than 128 MiB: zstd -dc --long=31 FILE | ninefold COMMAND -";
    assert_eq!(decoded(&frame(18 << 3)), (vec![], says.to_owned()));
}

#[test]
fn a_dictionary_is_asked_for() {
    // Descriptor 1: a dictionary's number follows the window.
    let says = "zstd data was made with a dictionary: \
                zstd -dc -D DICTIONARY FILE | ninefold COMMAND -";
    let (text, error) = decoded(b"\x28\xb5\x2f\xfd\x01\0\x07\x21\0\0one\n");
    assert_eq!((&text[..], &*error), (&b""[..], says));
}

#[test]
fn what_is_within_compressed_data_is_looked_at_too() {
    let gzip = member(Format::Gzip, &["one"]);
    let says = "is gzip data within zstd data: zstd -dc FILE | ninefold COMMAND -";
    assert_eq!(decoded(&member(Format::Zstd, &[gzip])), (vec![], says.to_owned()));
    let (_, error) = decoded(&member(Format::Gzip, &[b"\xff\xfe1\0"]));
    assert!(error.starts_with("is UTF-16 text"), "{error}");
}

/// So a terminal need not be told twice.
#[test]
fn the_end_is_not_read_twice() {
    struct Once(bool);
    impl Read for Once {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            assert!(!mem::replace(&mut self.0, true), "it has ended");
            Ok(0)
        }
    }
    assert_eq!(Decoder::new(Once(false)).read(&mut [0; 9]).unwrap(), 0);
}
