//! As a filter: each line that comes is answered as soon as it comes, in every format; and as many
//! records go out as puzzles came in.

use super::{ninefold, run_with};
use crate::support::{EASY, HARD, ILLEGAL, NONE, SOLVED, TWO};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const FORMATS: [&str; 4] = ["line", "pair", "csv", "jsonl"];

/// What a slow producer may have to wait: a fraction of a second.
const PROMPT: Duration = Duration::from_millis(500);

#[test]
fn a_slow_producer_of_single_lines_sees_each_answer_within_a_fraction_of_a_second() {
    for format in FORMATS {
        let mut command = ninefold();
        command.args(["solve", "-q", "--unique", "--lines", "--format", format]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, records) = channel();
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                sender.send((line.unwrap(), Instant::now())).unwrap();
            }
        });
        let mut waits = Vec::new();
        for puzzle in &["1234", &EASY[1..], EASY, HARD, NONE, TWO, ILLEGAL, "12", EASY] {
            let asked = Instant::now();
            writeln!(stdin, "{puzzle}").unwrap();
            let (mut record, mut answered) = records.recv_timeout(100 * PROMPT).unwrap();
            if record.starts_with("line,status") {
                (record, answered) = records.recv_timeout(100 * PROMPT).unwrap();
            }
            waits.push(answered - asked);
            assert_eq!(record.contains(SOLVED), *puzzle == EASY, "{format}: {record}");
            std::thread::sleep(Duration::from_millis(20));
        }
        // The first line also waits for the program to start, and the machine may be busy for a
        // moment at another.
        waits.sort_unstable();
        assert!(waits[waits.len() / 2] < PROMPT, "{format}: {waits:?}");
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(1));
        reader.join().unwrap();
        assert!(records.recv().is_err(), "{format}: one record for each line");
    }
}

/// What `rdd.pipe` of Spark does with each partition: lines in, and as many lines out.
#[test]
fn as_many_lines_come_out_as_went_in() {
    let kinds = ["abc", "puzzle", "1", EASY, HARD, NONE, TWO, ILLEGAL, "12", "no puzzle", EASY];
    for format in FORMATS {
        for lines in [0, 1, 500] {
            let text: String =
                kinds.iter().cycle().take(lines).flat_map(|line| [*line, "\n"]).collect();
            let words = ["solve", "-q", "--unique", "--lines", "--no-header", "--format", format];
            let run = run_with(ninefold().args(words), text.as_bytes());
            assert_eq!(run.out.lines().count(), lines, "{format}: {run:?}");
            assert_eq!(run.code, Some(i32::from(lines > 0)), "{format}, {lines} lines");
        }
    }
}

#[test]
fn with_lines_nothing_is_looked_for_and_nothing_refused() {
    let run = |words: &[&str], text: &str| {
        run_with(ninefold().args(["solve", "-q"]).args(words), text.as_bytes())
    };
    let rows = EASY.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n");
    let text = format!("puzzle,id\n{EASY},1\n{}", rows.collect::<String>());
    assert_eq!(run(&["--lines"], &text).out.matches("# line ").count(), 10);
    assert_eq!(run(&["--lines"], "1\n2\n").out.lines().count(), 2, "and no count");
    let blanks = EASY.replace('.', "x");
    let expected = format!("{SOLVED}\n");
    assert_eq!(run(&["--lines", "--blank", "x"], &blanks).out, expected);
    let names = run(&["--lines", "--columns", "puzzle=1"], EASY);
    assert!(names.code == Some(2) && names.err.starts_with("ninefold: "), "{names:?}");
}
