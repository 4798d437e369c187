//! Twelve ways in which other tools were seen to go wrong, and that none of them happens here.
//!
//! They are those of the project's list of data sets; the name of each test is what is done instead.
//! A made-up puzzle bank stands in for people's files (`tests/data/layouts/`).

use crate::support::{EASY, Folder, HARD, ILLEGAL, NONE, Run, SOLVED, TWO, ninefold};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const EMPTY: &str =
    ".................................................................................";

fn solve(words: &[&str], input: impl AsRef<[u8]>) -> Run {
    crate::support::fed(&mut ninefold("solve", words), input)
}

/// Runs with `-q`: nothing is said.
fn quietly(words: &[&str], input: impl AsRef<[u8]>) -> (Option<i32>, String) {
    let (code, records, said) = solve(&[&["-q"], words].concat(), input);
    assert_eq!(said, "");
    (code, records)
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/layouts").join(name)
}

fn solutions() -> String {
    fs::read_to_string(sample("solutions.txt")).unwrap()
}

#[test]
fn failure_1_a_zero_is_a_blank_and_every_line_is_solved() {
    for blank in ["0", ".", "_", "*", "-"] {
        let text = format!("{}\n", EASY.replace('.', blank)).repeat(3);
        assert_eq!(quietly(&[], text), (Some(0), format!("{SOLVED}\n").repeat(3)), "{blank}");
    }
}

#[test]
fn failure_2_a_header_is_neither_a_crash_nor_a_puzzle() {
    for name in ["kaggle_1m.csv", "kaggle_3m.csv", "sapientinc_train.csv", "table.tsv"] {
        let text = fs::read(sample(name)).unwrap();
        assert_eq!(quietly(&["--unique"], &text), (Some(0), solutions()), "{name}");
        let (_, _, said) = solve(&[], &text);
        assert!(said.contains("\n5 puzzles: 5 solved, "), "{said}");
    }
}

#[test]
fn failure_3_hashes_and_ratings_are_no_cells() {
    let text = fs::read(sample("sudoku_exchange.txt")).unwrap();
    assert_eq!(quietly(&["--unique"], text), (Some(0), solutions()));
    // Digits of two fields that make 81 cells together are no puzzle, and those of two lines.
    let halves =
        format!("{EASY}\n{} {}\n{}\n{}\n", &EASY[..40], &EASY[40..], &EASY[..9], &EASY[9..]);
    let (code, records) = quietly(&[], halves);
    assert_eq!(code, Some(1));
    let lines: Vec<_> = records.lines().collect();
    assert_eq!(lines[0], SOLVED);
    for (line, found) in [(1, 40), (2, 9), (3, 72)] {
        assert_eq!(lines[line], format!("# line {}: expected 81 cells, found {found}", line + 1));
    }
}

#[test]
fn failure_4_a_comment_in_the_middle_disturbs_no_line_after_it() {
    let comment = format!("# {}", &HARD[2..]);
    let text = format!("{EASY}\n{comment}\n#\n{EASY}\n{NONE}\n# {EASY}\n{EASY}\n");
    let expected = format!("{SOLVED}\n{SOLVED}\n# line 5: no solution\n{SOLVED}\n");
    assert_eq!(quietly(&[], text), (Some(1), expected));
}

#[test]
fn failure_5_any_line_end_a_count_no_last_end_and_nothing_at_all_are_read() {
    let two = format!("{SOLVED}\n{SOLVED}\n");
    for text in [
        format!("{EASY}\r\n{EASY}\r\n"),
        format!("{EASY}\r\n{EASY}\n"),
        format!("{EASY}\n{EASY}\r\n"),
        format!("2\n{EASY}\n{EASY}\n"),
        format!("2\r\n{EASY}\r\n{EASY}"),
        format!("{EASY}\n{EASY}"),
        format!("{EASY}\n{EASY}\r"),
        format!("\u{feff}{EASY}\n\n\r\n{EASY}\n\n"),
    ] {
        assert_eq!(quietly(&[], &text), (Some(0), two.clone()), "{text:?}");
    }
    assert_eq!(quietly(&["--lines"], ""), (Some(0), String::new()));
}

#[test]
fn failure_6_an_unsolvable_puzzle_is_never_printed_as_solved() {
    for (puzzle, reason) in [(NONE, "no solution"), (ILLEGAL, crate::support::ILLEGAL_REASON)] {
        for words in [&[][..], &["--unique"], &["--limit", "9"], &["--all"]] {
            let expected = (Some(1), format!("# line 1: {reason}\n"));
            assert_eq!(quietly(words, puzzle), expected, "{words:?}");
        }
        let (code, table) = quietly(&["--format", "csv", "--no-header"], puzzle);
        assert!(code == Some(1) && table.ends_with(&format!(",{puzzle},\n")), "{table}");
    }
}

#[test]
fn failure_7_the_empty_grid_and_a_full_one_are_puzzles_like_any_other() {
    let (code, records) = quietly(&[], EMPTY);
    assert_eq!((code, records.len()), (Some(0), 82));
    let (code, text) = quietly(&["--unique"], &records);
    assert_eq!((code, &text), (Some(0), &records), "the solution of the empty grid");
    let expected = (Some(1), "# line 1: more than one solution\n".to_owned());
    assert_eq!(quietly(&["--unique"], EMPTY), expected);
    let (code, records) = quietly(&["--all", "--max", "5"], EMPTY);
    assert_eq!((code, records.lines().count()), (Some(1), 6));
    let first: Vec<_> = records.lines().skip(1).collect();
    let start = "123456789456789123789123456214365897365897214897214365";
    assert_eq!(first[0], format!("{start}531642978642978531978531642"));
    for words in [&[][..], &["--unique"], &["--all"]] {
        assert_eq!(quietly(words, SOLVED), (Some(0), format!("{SOLVED}\n")), "{words:?}");
    }
}

/// A solution given with a puzzle that has others, too, is neither taken for the answer nor wrong.
#[test]
fn failure_8_a_puzzle_with_several_solutions_is_said_to_have_them_whatever_was_published() {
    let (_, both) = quietly(&["--all"], TWO);
    let both: Vec<_> = both.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(both.len(), 2);
    for published in &both {
        let text = format!("quizzes,solutions\n{TWO},{published}\n");
        let (code, records) = quietly(&["--unique", "--format", "csv", "--no-header"], &text);
        assert_eq!((code, records), (Some(1), format!("2,multiple,2,{TWO},\n")));
        let (code, records) = quietly(&["--all"], &text);
        assert_eq!((code, records.lines().count()), (Some(0), 3));
        assert!(records.contains(published), "{records}");
        let mut verify = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        let child = verify.arg("verify").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = child.stderr(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        assert!(said.contains("the answer is valid but not unique"), "{said}");
    }
}

/// Canonical forms are not computed yet: their issue brings the test of 200 isomorphs of one
/// puzzle whose solution has automorphisms. In its place: isomorphs have the same
/// status and count, here rows and digits exchanged.
#[test]
fn failure_9_isomorphs_of_a_puzzle_have_the_same_status() {
    let exchanged = |puzzle: &str| {
        let rows: Vec<_> = puzzle.as_bytes().chunks(9).collect();
        let order = [1, 2, 0, 8, 7, 6, 3, 5, 4].map(|row: usize| rows[row]);
        let digit =
            |&byte: &u8| if byte == b'.' { '.' } else { char::from(b'0' + (byte - b'0') % 9 + 1) };
        order.concat().iter().map(digit).collect::<String>()
    };
    for (puzzle, status) in [(EASY, "unique,1"), (TWO, "multiple,2"), (NONE, "none,0")] {
        let mut isomorph = puzzle.to_owned();
        for _ in 0..9 {
            isomorph = exchanged(&isomorph);
            let (_, row) = quietly(&["--unique", "--format", "csv", "--no-header"], &isomorph);
            assert!(row.starts_with(&format!("1,{status},")), "{row}");
        }
    }
}

#[test]
fn failure_10_every_puzzle_has_its_record_in_its_place() {
    let kinds = [EASY, NONE, "x", ILLEGAL, TWO];
    let text = kinds.join("\n");
    for words in [&[][..], &["--unique"], &["--limit", "5"], &["--format", "pair"]] {
        let (_, records) = quietly(words, &text);
        assert_eq!(records.lines().count(), kinds.len(), "{records}");
        assert!(records.lines().nth(1).unwrap().starts_with("# line 2: "), "{records}");
    }
    for format in ["csv", "jsonl"] {
        let (_, records) = quietly(&["--no-header", "--format", format], &text);
        let number = |line: usize| match format {
            "csv" => format!("{line},"),
            _ => format!("{{\"line\":{line},"),
        };
        let numbered =
            (1..).zip(records.lines()).all(|(line, record)| record.starts_with(&number(line)));
        assert!(numbered && records.lines().count() == kinds.len(), "{records}");
    }
}

#[test]
fn failure_11_what_is_said_never_stands_among_the_records() {
    let folder = Folder::new();
    let stats = folder.path("stats.json");
    for format in ["line", "pair", "csv", "jsonl"] {
        let words = ["--format", format];
        let (_, expected) = quietly(&words, EASY);
        let loud = [&words[..], &["--force", "--stats-json", stats.to_str().unwrap()]].concat();
        let (code, records, said) = solve(&loud, EASY);
        assert_eq!((code, records), (Some(0), expected));
        assert!(said.contains("1 puzzle: 1 solved"), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn failure_12_a_full_disk_is_told_and_the_exit_code_is_2() {
    for (format, _) in [("line", 0), ("pair", 0), ("csv", 0), ("jsonl", 0)] {
        let words = ["-q", "--format", format, "-o", "/dev/full"];
        let message = "ninefold: /dev/full: No space left on device\n".to_owned();
        assert_eq!(solve(&words, EASY), (Some(2), String::new(), message));
        let words = ["-q", "--format", format, "--rejects", "/dev/full"];
        let (code, _, said) = solve(&words, NONE);
        assert_eq!((code, &*said), (Some(2), "ninefold: /dev/full: No space left on device\n"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn failure_12_an_input_that_is_truncated_meanwhile_is_an_error_after_what_was_read() {
    let folder = Folder::new();
    let text = format!("{EASY}\n").repeat(400_000);
    for more in ["--no-mmap", "-q"] {
        let path = folder.file("in.txt", &text);
        let words = ["-q", "-j1", path.to_str().unwrap()];
        let words = if more == "-q" { words.to_vec() } else { [&words[..], &[more]].concat() };
        let mut child = ninefold("solve", &words).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        // The pipe is full and the program waits: it has read a part, and no more.
        stdout.read_exact(&mut [0; 82]).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        let kept = 100_000 * 82;
        file.set_len(kept).unwrap();
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = format!("ninefold: {}: was shortened while it was read\n", path.display());
        assert_eq!((output.status.code(), said), (Some(2), expected));
        assert!(rest.len() as u64 + 82 <= kept && rest.lines().all(|line| line == SOLVED));
    }
}

#[test]
fn failure_12_a_closed_pipe_ends_the_run_quietly_in_every_format() {
    let text = format!("{EASY}\n").repeat(50_000);
    for format in ["line", "pair", "csv", "jsonl"] {
        let mut child = ninefold("solve", &["-q", "--format", format]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let text = text.clone();
        let writer = std::thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
        child.stdout.take().unwrap().read_exact(&mut [0; 82]).unwrap();
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{format}");
    }
}
