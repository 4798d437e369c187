//! What happens at the edges: full disks, too little time, counts that cannot be, names that collide.

use crate::support::{EASY, Folder, Run, SOLVED, assert_counts, fed, json_of, ninefold};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::time::Duration;

fn run(folder: &Folder, command: &str, words: &[&str]) -> Run {
    fed(ninefold(command, words).current_dir(folder.path(".")), "")
}

/// A limit of no bytes a file stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_at_the_start_leaves_no_log() {
    let folder = Folder::new();
    folder.file("p.txt", EASY);
    for more in ["", "--rejects rejects --stats-json stats", "--resume"] {
        let script = format!(
            "ulimit -f 0; exec {} solve p.txt -o out {more}",
            env!("CARGO_BIN_EXE_ninefold")
        );
        let mut command = Command::new("sh");
        let output = command.args(["-c", &script]).current_dir(folder.path(".")).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("out.partial.log: "), "{err}");
        let files = fs::read_dir(folder.path(".")).unwrap();
        let names: Vec<_> = files.map(|it| it.unwrap().file_name()).collect();
        assert_eq!(names, ["p.txt"], "{more}");
    }
}

/// A grid has one puzzle of 81 clues, and 81 of 80.
#[test]
fn more_puzzles_than_a_grid_has_are_refused() {
    let folder = Folder::new();
    folder.file("one.txt", SOLVED);
    for (clues, most) in [("81", "1 puzzle"), ("80", "81 different puzzles")] {
        let words = ["--from", "one.txt", "--clues", clues, "-n", "5000000"];
        let (code, out, err) = run(&folder, "generate", &words);
        let why = format!(
            "ninefold: --count 5000000: a full grid has {most} with these clues; --allow-duplicates \
             writes more\n"
        );
        assert_eq!((code, &*out, err.ends_with(&why)), (Some(2), "", true), "{err}");
    }
    let words = ["--from", "one.txt", "--clues", "81", "-n", "3", "--allow-duplicates"];
    let (code, out, _) = run(&folder, "generate", &words);
    assert_eq!((code, out.lines().count()), (Some(0), 3));
}

/// The grids after the first are the same: 100,000 attempts at each fail.
#[test]
fn a_run_whose_attempts_fail_ends() {
    let folder = Folder::new();
    folder.file("same.txt", format!("{SOLVED}\n").repeat(20_000));
    let words = ["--from", "same.txt", "--clues", "81", "--stats-json", "s"];
    let (code, out, err) = run(&folder, "generate", &words);
    assert_eq!((code, out), (Some(1), format!("{SOLVED}\n")), "{err}");
    assert!(err.contains("2 puzzles not made: 100,000 tries gave no new puzzle\n"), "{err}");
    assert!(err.contains("\nstopped, because failures outnumber successes\n"), "{err}");
    assert_counts(&json_of(folder.path("s")), "missing 2, stopped 1");
}

#[test]
fn requests_that_contradict_each_other_are_refused() {
    let folder = Folder::new();
    let full = "x".repeat(81);
    let generate = |words: &str| {
        let words: Vec<_> = words.split(' ').collect();
        run(&folder, "generate", &words)
    };
    for words in [
        "--grade naked-singles --er >6.2",
        "--grade singles --er 2.5..",
        "--grade locked-candidates --er 3.0..",
        "--grade locked-candidates --er ..1.5",
        "--grade search --er ..1.9",
        "--grade naked-singles --effort 0.5..",
        "--grade search --effort ..0.5",
        "--er ..1.5 --effort 1..",
        "--clues 78 --grade search",
        "--clues 80.. --er 3.0..",
        &format!("--pattern {full} --effort 1.."),
    ] {
        let (code, out, err) = generate(words);
        assert_eq!((code, &*out), (Some(2), ""), "{words}: {err}");
        let option = words.split(' ').next().unwrap();
        assert!(err.contains(option) && err.contains(": no puzzle is like this. "), "{err}");
    }
    let possible = "--grade naked-singles --er 2.0..|--grade search --er 2.0..3.0|\
                    --clues 78 --grade naked-singles|--effort ..0 --grade singles";
    for words in possible.split('|') {
        let (code, _, err) = generate(words);
        assert_eq!(code, Some(0), "{words}: {err}");
    }
}

#[test]
fn merge_refuses_counts_that_contradict_each_other_and_never_wraps() {
    let folder = Folder::new();
    folder.file("in.txt", format!("{EASY}\n").repeat(3));
    let solved = run(&folder, "solve", &["in.txt", "-q", "--unique", "--stats-json", "s.json"]);
    assert_eq!(solved.0, Some(0));
    let whole = json_of(folder.path("s.json"));
    assert_eq!(run(&folder, "merge", &["s.json", "-q"]).0, Some(0));
    let most = u64::MAX;
    let not_the_sum = "its counts are not the sum of those of its inputs";
    let changes: [(&str, Value, &str); 11] = [
        ("/unique", json!(4), "3 puzzles, and 4 of all statuses"),
        ("/inputs/0/unique", json!(2), "3 puzzles, and 2 of all statuses"),
        ("/bytes", json!(247), not_the_sum),
        ("/lines", json!(4), not_the_sum),
        ("/inputs/0/lines", json!(2), not_the_sum),
        ("/inputs/0/bytes", json!(2), not_the_sum),
        ("/inputs/0/bytes", json!(most), not_the_sum),
        ("/inputs/0/unique", json!(most), "3 puzzles, and 18446744073709551615 of all statuses"),
        ("/unique", json!(-1), "no count is called unique"),
        ("/unique", json!(1.5), "no count is called unique"),
        ("/inputs", json!({}), "has no list of inputs"),
    ];
    for (place, value, why) in changes {
        let mut other = whole.clone();
        *other.pointer_mut(place).unwrap() = value;
        folder.file("t.json", other.to_string());
        let (code, out, err) = run(&folder, "merge", &["t.json"]);
        assert_eq!((code, &*out), (Some(2), ""), "{place}: {err}");
        assert!(err.starts_with("ninefold: t.json: ") && err.contains(why), "{place}: {err}");
        for name in ["u64", "usize", "f64", "struct", "sequence"] {
            assert!(!err.contains(name), "{err}");
        }
    }
    // Each input alone is consistent, and the sum is too large.
    let mut other = whole.clone();
    let mut input = other["inputs"][0].clone();
    for key in ["bytes", "lines", "puzzles", "unique", "length"] {
        input[key] = json!(most);
    }
    other["inputs"] = json!([input, input]);
    folder.file("t.json", other.to_string());
    let (code, _, err) = run(&folder, "merge", &["t.json"]);
    assert!(code == Some(2) && err.contains("too large"), "{err}");
}

/// The most memory of a run over lines of one byte, in KB.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_lines_of_a_chunk_or_the_threads() {
    let folder = Folder::new();
    folder.file("x.txt", "x\n".repeat(400_000));
    for (command, threads) in [("solve", "64"), ("verify", "8")] {
        let words = ["--lines", "-q", "-j", threads, "x.txt", "-o", "/dev/null"];
        let mut child = ninefold(command, &words).current_dir(folder.path(".")).spawn().unwrap();
        let mut most = 0;
        while child.try_wait().unwrap().is_none() {
            let status =
                fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let peak = peak.and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok());
            most = most.max(peak.unwrap_or(0));
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(most > 0 && most < 64 * 1024, "{command} -j {threads}: {most} KB");
    }
}
