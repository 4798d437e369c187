//! The built program and compressed files: what is read is what was compressed, whatever it is
//! called and however it comes; what is written is what would have been written plainly.
#![cfg(feature = "compression")]

use crate::support::{EASY, Folder, NONE, Run, SOLVED, name, strewn};
use flate2::read::MultiGzDecoder;
use flate2::{Compression, write::GzEncoder};
use ninefold::output;
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

/// Puzzles among comments that hardly compress, so that members of it are decompressed by several
/// threads.
fn long_text() -> String {
    use std::fmt::Write;

    let mut state = 1_u64;
    let mut text = String::new();
    for line in 0..30_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let number = u128::from(state).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        writeln!(text, "# {number:039} {state:020}").unwrap();
        if line % 100 == 0 {
            text += if line % 300 == 0 { NONE } else { EASY };
            text.push('\n');
        }
    }
    text
}

/// Each part of the text as a member.
fn members(pack: fn(&[u8]) -> Vec<u8>, text: &str, lengths: &[usize]) -> Vec<Vec<u8>> {
    let (mut members, mut rest, mut lengths) = (vec![], text.as_bytes(), lengths.iter().cycle());
    while let (false, Some(&length)) = (rest.is_empty(), lengths.next()) {
        let (now, later) = rest.split_at(length.min(rest.len()));
        members.push(pack(now));
        rest = later;
    }
    members
}

#[test]
fn members_that_several_threads_decompress_have_the_same_records_and_errors() {
    let folder = Folder::new();
    let text = long_text();
    let plain = solve(&[], text.as_bytes());
    assert_eq!((plain.0, plain.1.lines().count()), (Some(1), 300));
    for (pack, format, ending) in PACKERS {
        for lengths in [&[300_000][..], &[1 << 20, 0, 7], &[10_000]] {
            let packed = members(pack, &text, lengths).concat();
            assert!(packed.len() > 600_000, "there are no members that wait");
            let path = folder.file(&format!("members.{ending}"), &packed);
            for more in [&["-j1"][..], &["-j2"], &["-j8"]] {
                let words = [&[name(&path)], more].concat();
                assert!(solve(&words, b"") == plain, "{format} {lengths:?} {more:?}");
            }
            assert!(solve(&["-j4"], &packed) == plain, "{format} {lengths:?}");
        }
        let sound = members(pack, &text, &[300_000]);
        let before = sound[..4].concat().len();
        let mut damaged = sound.concat();
        damaged[before + 50_000] ^= 0xff;
        let cut = sound.concat()[..before + 50_000].to_vec();
        let followed = [&sound[..4].concat()[..], b"garbage\n", &sound[4..].concat()].concat();
        let early = "data ends early: is the file truncated?".to_owned();
        let bytes = ninefold::Grouped(before as u64);
        let other = format!("data ends after {bytes} bytes, and other bytes follow");
        for (bytes, says) in
            [(damaged, "data is damaged: ".to_owned()), (cut, early), (followed, other)]
        {
            let path = folder.file(&format!("bad.{ending}"), &bytes);
            let mut first = None;
            for more in [&["-j1"][..], &["-j2"], &["-j8"]] {
                let (code, out, err) = solve(&[&[name(&path)], more].concat(), b"");
                let start = format!("ninefold: {}: {format} {says}", name(&path));
                assert!(code == Some(2) && err.starts_with(&start), "{err}");
                // All whole lines of the members before. Damaged ones may follow.
                let whole = text[..300_000 * 4].lines().rev().skip(1);
                let records = whole.filter(|line| !line.starts_with('#')).count();
                let expected: String = plain.1.split_inclusive('\n').take(records).collect();
                assert!(records > 100 && out.starts_with(&expected), "{format}");
                assert!(*first.get_or_insert((out.clone(), err.clone())) == (out, err), "{more:?}");
            }
        }
    }
}

/// A member that begins within stored bytes, where none ends.
#[test]
fn a_start_of_a_member_that_is_none_is_text() {
    let mut bytes = long_text().into_bytes();
    let within = gzip(&bytes[..200_000]);
    // A comment may hold any bytes but a line end.
    let comment: Vec<u8> =
        within.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect();
    for place in [500_000, 1_000_000] {
        let line = place + bytes[place..].iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let comment = [&b"# "[..], &comment, b"\n"].concat();
        bytes.splice(line..line, comment);
    }
    let plain = solve(&[], &bytes);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(&bytes).unwrap();
    let packed = encoder.finish().unwrap();
    for threads in ["-j1", "-j4"] {
        assert!(solve(&[threads], &packed) == plain, "{threads}");
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
        for threads in ["-j1", "-j3"] {
            let records = format!("{SOLVED}\n{SOLVED}\n");
            assert_eq!(
                solve(&[name(&path), threads], b""),
                (Some(0), records, String::new()),
                "{format}"
            );
        }
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
        let (text, whole) = unpacked(ending, &fs::read(output::partial_path(&output)).unwrap());
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

/// The records of a shard, its exit code and its statistics.
fn shard(folder: &Folder, words: &[&str], index: usize, count: usize) -> (String, String) {
    let stats = folder.path(&format!("s{index}.json"));
    let shard = format!("{index}/{count}");
    let more = ["--shard", &shard, "--force", "--stats-json", name(&stats)];
    let (code, out, err) = solve(&[words, &more].concat(), b"");
    assert!(matches!(code, Some(0 | 1)), "{words:?} {shard}: {err}");
    (out, name(&stats).to_owned())
}

/// Members end in the middle of lines, are empty, or hold several shards; rows have line ends in fields.
#[test]
fn the_members_of_a_compressed_file_are_divided_among_shards() {
    let folder = Folder::new();
    let row = |row: usize| {
        let note = ["", "\nb"][row % 2];
        format!("{row},{EASY},\"a {}\"\"note\"\"{note}\"\n", row % 7)
    };
    let quoted: String = (0..6000).map(row).collect();
    let rows: Vec<_> = EASY.as_bytes().chunks(9).collect();
    let grid = [rows.join(&b'\n'), b"\n\n".to_vec()].concat();
    let texts: [(&str, Vec<u8>, &[&str]); 3] = [
        ("lines", strewn(3000, "").0, &[]),
        ("rows", format!("id,puzzle,note\n{quoted}").into_bytes(), &["--format", "csv"]),
        ("grids", grid.repeat(3000), &["--grid"]),
    ];
    for (pack, _, ending) in PACKERS {
        for (kind, text, more) in &texts {
            for bytes in [7_001, 90_000, 400_000] {
                let mut members: Vec<_> = text.chunks(bytes).map(pack).collect();
                members.insert(members.len() / 2, pack(b""));
                let input = folder.file(&format!("{kind}.{bytes}.{ending}"), members.concat());
                let words = [&[name(&input)], *more].concat();
                let whole = solve(&words, b"").1;
                for count in [1, 2, 5, 16] {
                    let all: Vec<_> =
                        (1..=count).map(|index| shard(&folder, &words, index, count)).collect();
                    let records: String = all.iter().map(|(records, _)| &**records).collect();
                    assert!(records == whole, "{count} shards of {kind}.{bytes}.{ending}");
                    let stats: Vec<_> = all.iter().map(|(_, stats)| stats.as_str()).collect();
                    let merged =
                        crate::support::fed(&mut crate::support::ninefold("merge", &stats), "");
                    assert_eq!(merged.0, Some(0), "{}", merged.2);
                    let missing = crate::support::fed(
                        &mut crate::support::ninefold("merge", &stats[1..]),
                        "",
                    );
                    assert_eq!(missing.0, Some(2), "{}", missing.2);
                }
            }
        }
        // Of one member the message says how to make several, and that works.
        let one = folder.file(&format!("one.{ending}"), pack(&texts[0].1));
        let (code, _, said) = solve(&[name(&one), "--shard", "2/3"], b"");
        assert_eq!(code, Some(2), "{said}");
        let (_, command) = said.trim().split_once("; make several: ").expect("a command");
        let command = command.replace("FILE", name(&one)).replace("64M", "64K");
        let several = folder.path(&format!("several.{ending}"));
        let command = command.replace("NEW", name(&several));
        let tool = command.split(' ').next().unwrap();
        if Command::new(tool).arg("--version").output().is_err() || cfg!(not(target_os = "linux")) {
            eprintln!("skipped: {tool} or GNU split is not installed");
            continue;
        }
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success(), "{command}");
        let whole = solve(&[name(&one)], b"").1;
        let all = (1..=3).map(|index| shard(&folder, &[name(&several)], index, 3).0);
        assert!(all.collect::<String>() == whole, "{command}");
    }
}

/// A shard that was interrupted continues, and one without line numbers reads its own members alone: the
/// members before it may be damaged.
#[test]
fn a_shard_does_not_read_the_members_of_others() {
    let folder = Folder::new();
    let text = format!("{EASY}\n").repeat(4000);
    for (pack, _, ending) in PACKERS {
        let mut members: Vec<_> = text.as_bytes().chunks(5_000).map(pack).collect();
        // Of 66. The layout is decided by the first 13 of them.
        for damaged in [14, 15, 50, 51] {
            let middle = members[damaged].len() / 2;
            members[damaged][middle..middle + 8].fill(0x55);
        }
        let input = folder.file(&format!("in.{ending}"), members.concat());
        let output = folder.path(&format!("out.{ending}.txt"));
        let words = [name(&input), "--shard", "2/4", "-o", name(&output), "--resume"];
        for _ in 0..2 {
            let (code, _, said) = solve(&words, b"");
            assert_eq!(code, Some(0), "{said}");
        }
        let records = fs::read_to_string(&output).unwrap();
        assert!(records.lines().count() > 900 && records.lines().all(|line| line == SOLVED));
        assert_eq!(solve(&[name(&input), "--shard", "1/4"], b"").0, Some(2));
    }
}
