//! The built program and compressed files: what is read is what was compressed, whatever it is
//! called and however it comes; what is written is what would have been written plainly.
#![cfg(feature = "compression")]

pub(crate) use crate::support::gzip;
use crate::support::{EASY, Folder, Run, SOLVED, name, strewn};
use flate2::read::MultiGzDecoder;
use std::fs;
use std::io::{Read, Write};
use std::process::Command;

fn ninefold(words: &[&str]) -> Command {
    crate::support::ninefold("solve", &[&["-q"], words].concat())
}

/// Runs `ninefold solve` with these bytes on standard input, `drip` at a time.
fn solve_drips(words: &[&str], input: &[u8], drip: usize) -> Run {
    crate::support::fed_by(&mut ninefold(words), input, drip)
}

fn solve(words: &[&str], input: &[u8]) -> Run {
    solve_drips(words, input, usize::MAX)
}

fn zstd(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text.as_ref()).unwrap();
    encoder.finish().unwrap()
}

/// A way to compress, what it is called, and how its files end.
type Packer = (fn(&[u8]) -> Vec<u8>, &'static str, &'static str);

const PACKERS: [Packer; 2] =
    [(|text| gzip(text), "gzip", "gz"), (|text| zstd(text), "zstd", "zst")];

/// What was compressed, by other code than the program's; none if it does not end.
fn unpacked(ending: &str, bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut text = Vec::new();
    let read = match ending {
        "gz" => MultiGzDecoder::new(bytes).read_to_end(&mut text),
        _ => zstd::Decoder::new(bytes).unwrap().read_to_end(&mut text),
    };
    (text, read.is_ok())
}

/// However the bytes come: `tests/library/input_paths.rs`.
#[test]
fn compressed_puzzles_have_the_same_records_as_plain_ones() {
    let folder = Folder::new();
    let (text, records) = strewn(300, "");
    for (pack, ..) in PACKERS {
        let members: Vec<u8> = text.chunks(777).flat_map(pack).collect();
        // The name says nothing: neither this one, nor that of a pipe.
        let path = folder.file("puzzles.txt", &members);
        for more in [&[][..], &["--no-mmap"]] {
            assert_eq!(solve(&[&["--unique", name(&path)], more].concat(), b"").1, records);
        }
        let stdin = fs::File::open(&path).unwrap();
        let output = ninefold(&["--unique"]).stdin(stdin).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), records);
        assert_eq!(solve_drips(&["--unique"], &members, 1000).1, records);
    }
}

#[test]
fn a_plain_file_may_be_called_as_if_it_were_compressed() {
    let folder = Folder::new();
    for ending in ["gz", "zst", "xz"] {
        let path = folder.file(&format!("plain.{ending}"), EASY);
        let expected = (Some(0), format!("{SOLVED}\n"), String::new());
        assert_eq!(solve(&[name(&path)], b""), expected);
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_what_to_do_and_before_the_output_is_touched() {
    let folder = Folder::new();
    let output = folder.file("out.txt", "precious");
    let utf_16: Vec<u8> =
        format!("\u{feff}{EASY}\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, says) in [
        (&b"\xfd7zXZ\0\0\x04\xe6"[..], "is compressed with xz, which is not read: xz -dc FILE | "),
        (b"BZh91AY&SY", "is compressed with bzip2, which is not read: bzip2 -dc FILE | "),
        (b"\x04\x22\x4d\x18\x64", "is compressed with lz4, which is not read: lz4 -dc FILE | "),
        (b"PK\x03\x04\x14\0", "is a zip archive, which is not read: unzip -p FILE | "),
        (b"7z\xbc\xaf\x27\x1c\0", "is a 7z archive, which is not read: 7z x -so FILE | "),
        (&utf_16, "is UTF-16 text, which is not read: iconv -f UTF-16 -t UTF-8 FILE | "),
    ] {
        // Windows has other commands.
        let says = if cfg!(windows) { says.split_inclusive(": ").next().unwrap() } else { says };
        let good = folder.file("good.txt", EASY);
        let bad = folder.file("bad.txt", bytes);
        let (code, out, err) = solve(&[name(&good), name(&bad), "-o", name(&output)], b"");
        assert_eq!((code, &*out), (Some(2), ""), "{says}");
        assert!(err.starts_with(&format!("ninefold: {}: {says}", name(&bad))), "{err}");
        assert_eq!(fs::read_to_string(&output).unwrap(), "precious");
        let (code, out, err) = solve_drips(&[], bytes, 1);
        assert_eq!((code, &*out), (Some(2), ""), "{says}");
        assert!(err.starts_with(&format!("ninefold: <stdin>: {says}")), "{err}");
    }
}

#[test]
fn output_is_compressed_by_the_end_of_its_name_and_the_same_for_any_threads() {
    let folder = Folder::new();
    let (text, _) = strewn(3000, "");
    let input = folder.file("in.txt", text);
    let plain = solve(&["--unique", name(&input)], b"").1;
    for ending in ["gz", "zst"] {
        let output = folder.path(&format!("out.txt.{ending}"));
        let mut first = None;
        for more in [&["-j1"][..], &["-j8", "--no-mmap"]] {
            let words =
                [&["--unique", "--force", name(&input), "-o", name(&output)], more].concat();
            assert_eq!(solve(&words, b""), (Some(1), String::new(), String::new()));
            let bytes = fs::read(&output).unwrap();
            assert!(unpacked(ending, &bytes) == (plain.clone().into_bytes(), true), "{ending}");
            assert!(*first.get_or_insert(bytes.clone()) == bytes, "{ending} {more:?}");
        }
        // And it is read as it is.
        let read = solve(&[name(&output)], b"").1;
        assert_eq!(read.lines().count(), plain.matches("\n5").count() + 1);
    }
    let output = folder.path("empty.gz");
    assert_eq!(solve(&["--lines", "-o", name(&output)], b"").0, Some(0));
    assert_eq!(unpacked("gz", &fs::read(&output).unwrap()), (vec![], true));
}

/// The message says how to decompress it, and shards of that file are the whole.
#[test]
fn a_shard_of_a_compressed_input_is_refused() {
    let folder = Folder::new();
    let text = strewn(300, "").0;
    for (pack, format, ending) in PACKERS {
        let members: Vec<u8> = text.chunks(777).flat_map(pack).collect();
        let input = folder.file(&format!("in.{ending}"), &members);
        let how = format!("{format} -dc FILE > NEW, and use --shard or split -n l/N with NEW");
        let why = format!("cannot be cut into shards: it is {format} data; decompress it, {how}");
        let refused = |of: &str| (Some(2), String::new(), format!("ninefold: {of}: {why}\n"));
        for shard in ["1/1", "2/3"] {
            let found = solve(&[name(&input), "--shard", shard], b"");
            assert_eq!(found, refused(name(&input)));
            assert_eq!(solve(&["--shard", shard], &members), refused("<stdin>"));
        }
    }
}
