//! Shards put together are the whole, and `ninefold merge` says whether they are.

use super::{Run, assert_refused, name, ninefold, run_with, solve};
use crate::support::{EASY, Folder, SOLVED, TWO, different, json_of, lists, strewn};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const COUNTS: [usize; 3] = [1, 2, 7];

fn merge(stats: &[PathBuf]) -> Run {
    run_with(ninefold().arg("merge").args(stats), b"")
}

fn assert_not_merged(stats: &[PathBuf], message: &str) {
    let run = merge(stats);
    assert_eq!((run.code, &*run.out), (Some(2), ""), "{run:?}");
    assert!(run.said().contains(message), "{message} {run:?}");
}

/// The outputs of `count` shards, put together; and their statistics.
fn shards(folder: &Folder, words: &[&str], count: usize) -> (String, Vec<PathBuf>) {
    let mut all = String::new();
    let mut stats = Vec::new();
    for index in 1..=count {
        let path = folder.path(&format!("stats.{index}.{count}.json"));
        let shard = format!("{index}/{count}");
        let more = ["--shard", &shard, "--force", "--stats-json", name(&path)];
        let run = solve(&[words, &more].concat());
        assert!(matches!(run.code, Some(0 | 1)), "{run:?}");
        all.push_str(&run.out);
        stats.push(path);
    }
    (all, stats)
}

#[test]
fn shards_put_together_are_the_whole() {
    let folder = Folder::new();
    let (text, records) = strewn(300, "");
    let (a, (other, _)) = (folder.file("a.txt", &text), different(500));
    let (b, short) = (folder.file("b.txt", other), folder.file("short.txt", different(1).0));
    let alone = [name(&a), "--unique"];
    assert_eq!(solve(&alone).out, records);
    let several = [name(&a), name(&short), name(&b), "--unique", "--format"];
    let inputs = [alone.to_vec(), [&several[..], &["csv", "--no-mmap"]].concat()];
    for words in inputs {
        let whole_stats = folder.path("whole.json");
        let whole = solve(&[&words[..], &["--force", "--stats-json", name(&whole_stats)]].concat());
        let whole_stats = json_of(whole_stats);
        for count in COUNTS {
            let (all, stats) = shards(&folder, &words, count);
            assert!(all == whole.out, "{count} shards of {words:?}");
            let run = merge(&stats);
            assert_eq!(run.code, Some(0), "{run:?}");
            let sum: Value = serde_json::from_str(&run.out).unwrap();
            for key in ["puzzles", "lines", "bytes", "unique", "multiple", "none"] {
                assert_eq!(sum[key], whole_stats[key], "{key} of {count}");
                assert_eq!(sum["inputs"][0][key], whole_stats["inputs"][0][key]);
            }
            assert!(run.err.ends_with(&format!("{count} shards make a whole\n")), "{run:?}");
        }
    }
}

/// The counts of merged statistics are those of the whole run, and null if they were not asked for.
#[test]
fn the_statistics_of_shards_add_up_for_every_command() {
    const RUNS: &str = "verify faults.csv|verify faults.csv --minimal --clues 20..|\
        verify faults.csv --trust-unique|verify faults.csv --max-branches 1000 --minimal|\
        verify faults.csv --score --columns prediction=2 --by er:1|rate rated.txt|\
        neighbors few.txt --per-source";
    let folder = Folder::new();
    folder.file("faults.csv", include_str!("../../data/faults.csv"));
    let puzzles: Vec<_> = lists::MINIMAL.lines().skip(1).take(30).collect();
    folder.file("rated.txt", format!("{}\n{TWO}\n12\n", puzzles.join("\n")));
    folder.file("few.txt", puzzles[..3].join("\n"));
    for words in RUNS.split('|') {
        let stats = |shard: &str| {
            let path = folder.path(&shard.replace('/', " of "));
            let mut run = ninefold();
            run.args(words.split(' ')).args(["-q", "--force", "-o", "out", "--shard", shard]);
            let run = run.arg("--stats-json").arg(&path).current_dir(folder.path(""));
            let run = run_with(run, b"");
            assert!(matches!(run.code, Some(0 | 1)), "{words}: {run:?}");
            path
        };
        let whole = json_of(stats("1/1"));
        let run = merge(&["3/3", "1/3", "2/3"].map(stats));
        assert_eq!(run.code, Some(0), "{words}: {run:?}");
        let sum: Value = serde_json::from_str(&run.out).unwrap();
        let of_each = ["arguments", "seconds", "solve_seconds", "waited_seconds", "serial_seconds"];
        let of_each = [&of_each[..], &["inputs", "options", "outputs", "shard"]].concat();
        let is_count = |key: &str| !of_each.contains(&key) && !key.ends_with("per_second");
        for (key, value) in whole.as_object().unwrap().iter().filter(|(key, _)| is_count(key)) {
            assert_eq!(sum[key], *value, "{key} of {words}");
        }
        for key in ["minimal", "er"] {
            assert_eq!(sum["inputs"][0][key], whole["inputs"][0][key], "{key} of {words}");
        }
        let says = "32 puzzles: 30 unique, 1 multiple, 1 malformed\n3 shards make a whole";
        assert!(!words.starts_with("rate") || run.err.starts_with(says), "{run:?}");
    }
}

#[test]
fn an_output_that_was_changed_is_not_merged() {
    let folder = Folder::new();
    let input = folder.file("in.txt", different(300).0);
    let shards = [1, 2, 3].map(|it| {
        let (output, stats) =
            (folder.path(&format!("part {it}")), folder.path(&format!("{it}.json")));
        let shard = format!("{it}/3");
        let words = ["-o", name(&output), "--stats-json", name(&stats), "--shard", &shard];
        assert!(solve(&[&[name(&input)][..], &words].concat()).code < Some(2));
        (output, stats)
    });
    let stats = shards.each_ref().map(|it| it.1.clone());
    assert_eq!(merge(&stats).code, Some(0));
    let [one, two] = [0, 1].map(|it| fs::read(&shards[it].0).unwrap());
    let says = "part 2: has other bytes than ";
    for bytes in [&two[..two.len() - 82], &one, &[&two[..], b"\n"].concat(), b""] {
        fs::write(&shards[1].0, bytes).unwrap();
        assert_not_merged(&stats, says);
    }
    fs::remove_file(&shards[1].0).unwrap();
    assert_eq!(merge(&stats).code, Some(0), "it may have been moved away");
}

/// A file of 4 TiB, nearly all of it a hole: to read what is before the last shard takes many minutes.
#[cfg(unix)]
#[test]
fn a_shard_reads_its_own_part_of_a_file() {
    const LENGTH: u64 = 4 << 40;
    let folder = Folder::new();
    let input = folder.file("in.txt", format!("{EASY}\n").repeat(1000));
    let file = fs::OpenOptions::new().append(true).open(&input).unwrap();
    if file.set_len(LENGTH).is_err() {
        eprintln!("skipped: this file system has no files of 4 TiB");
        return;
    }
    (&file).write_all(format!("\n{EASY}\n{EASY}\n").as_bytes()).unwrap();
    let shards = (LENGTH >> 10).to_string();
    for more in [&[][..], &["--no-mmap"]] {
        for (index, expected) in [("1", 13), (&*shards, 2)] {
            let shard = format!("{index}/{shards}");
            let run = solve(&[&[name(&input), "--shard", &shard], more].concat());
            assert_eq!(run.out, format!("{SOLVED}\n").repeat(expected), "{shard}: {run:?}");
        }
    }
}

#[test]
fn parts_that_make_no_whole_are_refused() {
    let folder = Folder::new();
    let (text, _) = different(500);
    let input = folder.file("in.txt", text);
    let (_, thirds) = shards(&folder, &[name(&input), "--unique"], 3);
    let (_, halves) = shards(&folder, &[name(&input), "--unique"], 2);
    let (_, others) = shards(&folder, &[name(&input)], 4);
    let refused = |stats: &[&Path], message: &str| {
        assert_not_merged(&stats.iter().map(|it| it.to_path_buf()).collect::<Vec<_>>(), message);
    };
    refused(&[&thirds[0], &thirds[2]], "shard 2/3 is missing");
    refused(&[&thirds[0], &thirds[1]], "shard 3/3 is missing");
    refused(&[&thirds[1], &thirds[2]], "shard 1/3 is missing");
    refused(&[&thirds[0], &thirds[1], &thirds[1], &thirds[2]], "shard 2/3 comes twice");
    refused(&[&halves[0], &thirds[1], &thirds[2]], " shards, and ");
    refused(&[&thirds[0], &others[1]], "its --unique is not that of ");
    // The shards are those of one run, and their places are not.
    let moved = folder.path("moved.json");
    let object = json_of(&thirds[1]);
    for (more, message) in [(1, "are in no shard"), (-1, " are also in ")] {
        let mut object = object.clone();
        let start = &mut object["inputs"][0]["start"];
        *start = (start.as_i64().unwrap() + more).into();
        fs::write(&moved, object.to_string()).unwrap();
        refused(&[&thirds[0], &moved, &thirds[2]], message);
    }
    fs::write(folder.path("other.json"), "{}").unwrap();
    refused(&[&thirds[0], &folder.path("other.json")], "other.json: its program is not that of ");
    // In any order.
    assert_eq!(merge(&[thirds[2].clone(), thirds[0].clone(), thirds[1].clone()]).code, Some(0));
}

/// A count that is not there is not 0.
#[test]
fn a_missing_count_is_an_error_that_names_the_file_and_the_field() {
    let folder = Folder::new();
    let input = folder.file("in.txt", format!("{EASY}\n").repeat(3));
    let (_, stats) = shards(&folder, &[name(&input), "--unique"], 1);
    let whole = json_of(&stats[0]);
    let refused = |place: &str, key: &str, why: &str| {
        let mut object = whole.clone();
        object.pointer_mut(place).unwrap().as_object_mut().unwrap().remove(key).unwrap();
        fs::write(&stats[0], object.to_string()).unwrap();
        assert_not_merged(&stats, &format!("{}: is not complete: {why}", name(&stats[0])));
    };
    for key in ["unique", "solved", "multiple", "none", "conflict", "malformed", "puzzles"] {
        refused("/inputs/0", key, &format!("no count is called {key}"));
        refused("", key, &format!("no count is called {key}"));
    }
    for key in ["start", "lines_before", "length"] {
        refused("/inputs/0", key, "no start, lines_before or length");
    }
}

/// There are more shards than lines.
#[test]
fn a_shard_that_has_read_nothing_is_missed_too() {
    let folder = Folder::new();
    let input = folder.file("in.txt", format!("{EASY}\n").repeat(3));
    let (_, stats) = shards(&folder, &[name(&input)], 8);
    let (_, ninths) = shards(&folder, &[name(&input)], 9);
    assert_eq!(merge(&stats).code, Some(0));
    let is_empty = |path: &PathBuf| json_of(path)["bytes"] == 0;
    let empty: Vec<_> = (0..8).filter(|&place| is_empty(&stats[place])).collect();
    assert!(empty.len() >= 5);
    let other = (0..9).find(|&place| is_empty(&ninths[place])).unwrap();
    for place in empty {
        let without = [&stats[..place], &stats[place + 1..]].concat();
        let shard = format!("shard {}/8", place + 1);
        assert_not_merged(&without, &format!("{shard} is missing"));
        let twice = [&stats[..], &stats[place..=place]].concat();
        assert_not_merged(&twice, &format!("{shard} comes twice"));
        let with_another = [&without[..], &ninths[other..=other]].concat();
        assert_not_merged(&with_another, " shards, and ");
    }
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let run = run_with(ninefold().args(["solve", "-q", "--shard", "1/2"]), EASY.as_bytes());
    assert_refused(&run, "<stdin>: cannot be cut into shards: it is a pipe");
    for wrong in ["0/2", "3/2", "1", "x/y"] {
        let run = solve(&["--shard", wrong]);
        assert!(run.code == Some(2) && run.err.contains("expected I/N"), "{run:?}");
    }
}

/// The commands of the README, where the program `parallel` is installed.
#[cfg(unix)]
#[test]
fn gnu_parallel_runs_shards_and_pieces_of_a_pipe() {
    let found = Command::new("parallel").arg("--version").output();
    if !found.is_ok_and(|found| found.stdout.starts_with(b"GNU parallel")) {
        eprintln!("skipped: GNU parallel is not installed");
        return;
    }
    let folder = Folder::new();
    let puzzles = lists::NAMED.repeat(100);
    folder.file("puzzles.txt", &puzzles);
    let whole = solve(&[name(&folder.path("puzzles.txt"))]).out;
    let program = Path::new(env!("CARGO_BIN_EXE_ninefold")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let sh = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(folder.path("")).env("PATH", &path);
        let run = run_with(&mut command, b"");
        assert_eq!(run.code, Some(0), "{script}: {run:?}");
        run.out
    };
    let page = include_str!("../../../docs/resume-and-shards.md");
    let command = |begin: &str| {
        let line = page.lines().find(|line| line.starts_with(begin));
        line.unwrap_or_else(|| panic!("the page has no line that begins with {begin}"))
    };
    sh(command("seq 8 | parallel "));
    sh(command("cat $(seq -f "));
    assert!(fs::read_to_string(folder.path("solutions.txt")).unwrap() == whole);
    sh(command("ninefold merge "));
    assert_eq!(json_of(folder.path("stats.json"))["solved"], whole.lines().count());
    sh(command("parallel --pipepart "));
    assert!(fs::read_to_string(folder.path("solutions.txt")).unwrap() == whole);
    // Whole pieces without a puzzle.
    folder.file("puzzles.txt", "not a puzzle\n".repeat(20_000) + &puzzles);
    sh(command("parallel --pipepart "));
    let records = fs::read_to_string(folder.path("solutions.txt")).unwrap();
    assert!(records.ends_with(&whole));
    assert_eq!(records.lines().count(), 20_000 + whole.lines().count());
}
