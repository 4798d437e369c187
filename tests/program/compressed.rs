//! The built program and compressed files: what is read is what was compressed, whatever it is
//! called and however it comes; what is written is what would have been written plainly.
#![cfg(feature = "compression")]

use crate::support::{EASY, Folder, NONE, Run, SOLVED, name, partial_path, strewn};
use flate2::read::MultiGzDecoder;
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

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

fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(text.as_ref()).unwrap();
    encoder.finish().unwrap()
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

#[test]
fn compressed_puzzles_have_the_same_records_as_plain_ones() {
    let folder = Folder::new();
    let (text, records) = strewn(300, "");
    for (pack, _, ending) in PACKERS {
        let whole = pack(&text);
        let members: Vec<u8> = text.chunks(777).flat_map(pack).collect();
        for bytes in [whole, members] {
            // The name says nothing: neither this one, nor that of a pipe.
            for called in [format!("puzzles.{ending}"), "puzzles.txt".to_owned()] {
                let path = folder.file(&called, &bytes);
                for more in [&[][..], &["--no-mmap"], &["-j1"]] {
                    let words = [&["--unique", name(&path)], more].concat();
                    assert_eq!(solve(&words, b"").1, records, "{called} {more:?}");
                }
                let stdin = fs::File::open(&path).unwrap();
                let output = ninefold(&["--unique"]).stdin(stdin).output().unwrap();
                assert_eq!(String::from_utf8(output.stdout).unwrap(), records);
            }
            for drip in [1, 1000, usize::MAX] {
                let expected = (Some(1), records.clone(), String::new());
                assert!(solve_drips(&["--unique"], &bytes, drip) == expected, "{drip}");
            }
        }
    }
}

#[test]
fn members_without_text_are_passed_over() {
    let folder = Folder::new();
    for (pack, format, ending) in PACKERS {
        let empty = pack(b"").repeat(50_000);
        let packed =
            [&pack(EASY.as_bytes())[..], &pack(b"\n"), &empty, &pack(EASY.as_bytes())].concat();
        let path = folder.file(&format!("empty.{ending}"), &packed);
        let records = format!("{SOLVED}\n{SOLVED}\n");
        assert_eq!(solve(&[name(&path)], b""), (Some(0), records, String::new()), "{format}");
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
fn every_record_before_the_end_of_a_truncated_file_is_written() {
    let folder = Folder::new();
    let (lines, end) = (10_000, "the rest\n".repeat(100));
    let text = format!("{EASY}\n").repeat(lines);
    for (pack, format, ending) in PACKERS {
        // Members, so that it is known what is whole in spite of the cut.
        let first = pack(text.as_bytes());
        let both = [first.clone(), pack(end.as_bytes())].concat();
        let cut = &both[..first.len() + 20];
        let path = folder.file(&format!("cut.{ending}"), cut);
        for (words, bytes, called) in [
            (&[name(&path)][..], &b""[..], name(&path)),
            (&[name(&path), "--no-mmap", "-j1"], b"", name(&path)),
            (&[], cut, "<stdin>"),
        ] {
            let (code, out, err) = solve(words, bytes);
            let message = format!("{format} data ends early: is the file truncated?");
            assert_eq!(err, format!("ninefold: {called}: {message}\n"));
            assert_eq!(code, Some(2));
            assert!(out.starts_with(&format!("{SOLVED}\n").repeat(lines)), "{format}");
        }
    }
}

#[test]
fn damaged_data_is_an_error_after_the_records_before_it() {
    let text = format!("{EASY}\n").repeat(1000);
    for (pack, format, says) in [
        (PACKERS[0].0, "gzip", "incorrect data check"),
        (PACKERS[1].0, "zstd", "Restored data doesn't match checksum"),
    ] {
        let mut bytes = pack(text.as_bytes());
        // Gzip has the length after the checksum.
        let place = bytes.len() - if format == "gzip" { 8 } else { 4 };
        bytes[place] ^= 1;
        let message = format!("ninefold: <stdin>: {format} data is damaged: {says}\n");
        let (code, out, err) = solve(&[], &bytes);
        assert_eq!((code, err), (Some(2), message));
        assert!(out == format!("{SOLVED}\n").repeat(1000), "{} bytes", out.len());
    }
}

#[test]
fn what_follows_compressed_data_is_an_error_after_all_records() {
    for (pack, format, _) in PACKERS {
        for text in [EASY.to_owned(), format!("{EASY}\n")] {
            let bytes = pack(text.as_bytes());
            let message = format!(
                "ninefold: <stdin>: {format} data ends after {} bytes, and other bytes follow\n",
                ninefold::Grouped(bytes.len() as u64)
            );
            let followed = [&bytes[..], b"garbage"].concat();
            assert_eq!(solve(&[], &followed), (Some(2), format!("{SOLVED}\n"), message));
        }
    }
    let padded = [gzip(EASY), vec![0; 1000]].concat();
    assert_eq!(solve(&[], &padded), (Some(0), format!("{SOLVED}\n"), String::new()));
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
        let good = folder.file("good.txt", EASY);
        let bad = folder.file("bad.txt", bytes);
        for more in [&[][..], &["--no-mmap"]] {
            let words = [&[name(&good), name(&bad), "-o", name(&output)], more].concat();
            let (code, out, err) = solve(&words, b"");
            assert_eq!((code, &*out), (Some(2), ""), "{says}");
            assert!(err.starts_with(&format!("ninefold: {}: {says}", name(&bad))), "{err}");
            assert_eq!(fs::read_to_string(&output).unwrap(), "precious");
        }
        let (code, out, err) = solve_drips(&[], bytes, 1);
        assert_eq!((code, &*out), (Some(2), ""), "{says}");
        assert!(err.starts_with(&format!("ninefold: <stdin>: {says}")), "{err}");
    }
}

#[test]
fn a_slow_producer_that_flushes_sees_its_answers_at_once() {
    fn ask(mut encoder: impl Write, stdout: &mut impl Read) {
        for _ in 0..3 {
            writeln!(encoder, "{EASY}").unwrap();
            encoder.flush().unwrap();
            let mut record = [0; 82];
            // Waits for ever, if the record does not come before the next puzzle.
            stdout.read_exact(&mut record).unwrap();
            assert_eq!(record[..81], *SOLVED.as_bytes());
        }
    }
    for format in ["gzip", "zstd"] {
        let mut child = ninefold(&["--lines"]).stdin(Stdio::piped()).spawn().unwrap();
        let (stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        match format {
            "gzip" => ask(GzEncoder::new(stdin, Compression::new(6)), &mut stdout),
            _ => ask(zstd::Encoder::new(stdin, 3).unwrap().auto_finish(), &mut stdout),
        }
        assert_eq!(child.wait().unwrap().code(), Some(0), "{format}");
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
        for more in [&["-j1"][..], &["-j2"], &["-j8", "--no-mmap"]] {
            let words =
                [&["--unique", "--force", name(&input), "-o", name(&output)], more].concat();
            assert_eq!(solve(&words, b""), (Some(1), String::new(), String::new()));
            let bytes = fs::read(&output).unwrap();
            assert!(unpacked(ending, &bytes) == (plain.clone().into_bytes(), true), "{ending}");
            assert!(*first.get_or_insert(bytes.clone()) == bytes, "{ending} {more:?}");
        }
        // And it is read as it is.
        assert_eq!(
            solve(&[name(&output)], b"").1.lines().count(),
            plain.matches("\n5").count() + 1
        );
    }
    let output = folder.path("empty.gz");
    assert_eq!(solve(&["--lines", "-o", name(&output)], b"").0, Some(0));
    assert_eq!(unpacked("gz", &fs::read(&output).unwrap()), (vec![], true));
}

#[test]
fn output_of_a_run_that_failed_has_its_records_and_no_end() {
    let folder = Folder::new();
    let cut = gzip(format!("{EASY}\n{NONE}\n").repeat(5000));
    let cut = [&cut[..], &cut[..50]].concat();
    for ending in ["gz", "zst"] {
        let output = folder.path(&format!("out.{ending}"));
        let (code, _, err) = solve(&["-o", name(&output)], &cut);
        assert!(code == Some(2) && err.contains("ends early"), "{err}");
        let (text, whole) = unpacked(ending, &fs::read(partial_path(&output)).unwrap());
        assert!(!output.exists());
        assert!(text.len() >= 5000 * 82 && text.starts_with(SOLVED.as_bytes()) && !whole);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_is_told() {
    let folder = Folder::new();
    for ending in ["gz", "zst"] {
        let output = folder.path(&format!("full.{ending}"));
        std::os::unix::fs::symlink("/dev/full", &output).unwrap();
        let message = format!("ninefold: {}: No space left on device\n", name(&output));
        assert_eq!(
            solve(&["-o", name(&output)], EASY.as_bytes()),
            (Some(2), String::new(), message)
        );
    }
}

/// The message says how to decompress it, and shards of that file are the whole.
#[test]
fn a_shard_of_a_compressed_input_is_refused() {
    let folder = Folder::new();
    let text = strewn(300, "").0;
    for (pack, format, ending) in PACKERS {
        let members: Vec<u8> = text.chunks(777).flat_map(pack).collect();
        for bytes in [pack(&text), members] {
            let input = folder.file(&format!("in.{ending}"), &bytes);
            for shard in ["1/1", "2/3"] {
                let (code, out, said) = solve(&[name(&input), "--shard", shard], b"");
                let why = format!(
                    "cannot be cut into shards: it is {format} data; decompress it, {format} -dc FILE > NEW, \
                     and use --shard or split -n l/N with NEW"
                );
                assert_eq!((code, &*out), (Some(2), ""));
                assert_eq!(said, format!("ninefold: {}: {why}\n", name(&input)));
                let piped = solve(&["--shard", shard], &bytes);
                assert_eq!(piped, (Some(2), String::new(), format!("ninefold: <stdin>: {why}\n")));
            }
        }
    }
}
