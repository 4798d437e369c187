//! `--max-branches`: puzzles that are given up, in every command, format and count; and the line that a
//! summary names because it took long.

use crate::support::{EASY, Folder, Run, SOLVED, assert_counts, fed, json_of, ninefold, objects};
use serde_json::{Value, json};
use std::fs;

/// One solution, and a search of some hundred branches.
const SEARCHED: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// The only solution of [`SEARCHED`].
const FOUND: &str =
    "812753649943682175675491283154237896369845721287169534521974368438526917796318452";

/// A puzzle without branches, one with some, one with endless solutions, a conflict and a malformed line.
fn text() -> String {
    let (empty, clash) = (".".repeat(81), format!("55{}", ".".repeat(79)));
    format!("{EASY}\n{SEARCHED}\n{empty}\n{clash}\nx\n")
}

fn run(command: &str, words: &[&str]) -> Run {
    fed(&mut ninefold(command, words), text())
}

/// What a run wrote to standard output.
fn records(command: &str, words: &[&str]) -> String {
    run(command, words).1
}

/// The statistics of a run over a file.
fn statistics(command: &str, words: &[&str], text: &str) -> Value {
    let folder = Folder::new();
    let (input, path) = (folder.file("in.txt", text), folder.path("stats.json"));
    let (input, path) = (input.to_str().unwrap(), path.to_str().unwrap());
    fed(&mut ninefold(command, &[&["--stats-json", path, input], words].concat()), "");
    json_of(path)
}

#[test]
fn a_puzzle_with_more_branches_is_unknown_in_every_format() {
    let words = ["--unique", "--max-branches", "5", "--format"];
    let of = |format| records("solve", &[&words[..], &[format]].concat());
    let empty = ".".repeat(81);
    let comments = "# line 2: more than 5 branches\n# line 3: more than 5 branches\n";
    assert!(of("line").starts_with(&format!("{SOLVED}\n{comments}# line 4: 5 twice in row 1")));
    assert!(of("pair").starts_with(&format!("{EASY},{SOLVED}\n{comments}")));
    assert!(of("grid").contains(comments));
    let rows = format!("\n2,unknown,0,{SEARCHED},\n3,unknown,0,{empty},\n4,conflict,0,");
    assert!(of("csv").contains(&rows));
    let object = json!({
        "line": 2, "status": "unknown", "solutions": 0, "puzzle": SEARCHED, "solution": null,
        "reason": "more than 5 branches",
    });
    assert_eq!(objects(&of("jsonl"))[1], object);
}

#[test]
fn an_unknown_puzzle_is_counted_and_the_exit_code_is_1() {
    let (code, _, said) = run("solve", &["--max-branches", "5"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("5 puzzles: 1 solved, 0 none, 1 conflict, 1 malformed, 2 unknown; "));
    let only = format!("{EASY}\n{SEARCHED}\n");
    let words = ["--max-branches", "5", "--exit-zero"];
    assert_eq!(fed(&mut ninefold("solve", &words), &only).0, Some(0));
    assert_eq!(fed(&mut ninefold("solve", &words[..2]), &only).0, Some(1));
    assert_eq!(fed(&mut ninefold("solve", &["--max-branches", "1e6"]), &only).0, Some(0));
    let stats = statistics("solve", &words, &text());
    assert_counts(&stats, "unknown 2, max_branches 5");
    assert_eq!(stats["inputs"][0]["unknown"], json!(2));
    assert_eq!(stats["options"]["--max-branches"], json!(5));
}

/// Not one byte differs: no count, no column, no key.
#[test]
fn without_the_option_nothing_says_unknown() {
    for command in ["solve", "verify", "rate", "canon", "select"] {
        let text = format!("{EASY}\n{SEARCHED}\n");
        let (_, out, said) = fed(&mut ninefold(command, &[]), &text);
        assert!(!out.contains("unknown") && !said.contains("unknown"), "{command}: {said}");
        let stats = statistics(command, &[], &text).to_string();
        assert!(!stats.contains("unknown") && !stats.contains("branches"), "{command}: {stats}");
        // A bound that is not reached says that there is no such puzzle.
        let stats = statistics(command, &["--max-branches", "1e6"], &text);
        assert_eq!(stats["unknown"], json!(0), "{command}");
    }
}

#[test]
fn unknown_puzzles_are_written_alone_or_rejected() {
    let words = ["--format", "csv", "--no-header", "--max-branches", "5"];
    let all = records("solve", &words);
    let only: Vec<_> = all.lines().filter(|row| row.contains(",unknown,")).collect();
    assert_eq!((only.len(), all.lines().count()), (2, 5));
    let written = records("solve", &[&words[..], &["--only", "unknown"]].concat());
    assert_eq!(written.lines().collect::<Vec<_>>(), only);
    let folder = Folder::new();
    let rejects = folder.path("rejects.txt");
    let words = ["--max-branches", "5", "--rejects", rejects.to_str().unwrap()];
    records("solve", &words);
    let rejects = fs::read_to_string(rejects).unwrap();
    assert!(rejects.starts_with(&format!("# line 2: more than 5 branches\n{SEARCHED}\n")));
}

#[test]
fn all_solutions_and_counts_are_bounded_too() {
    let all = records("solve", &["--all", "--max", "20", "--max-branches", "30"]);
    assert!(all.contains("# line 3: more than 30 branches\n"), "{all}");
    let all =
        records("solve", &["--all", "--max", "3", "--max-branches", "1e6", "--only", "multiple"]);
    assert_eq!(all.lines().count(), 4, "{all}");
    let count = records("solve", &["--limit", "1e9", "--max-branches", "2000"]);
    let third = count.lines().nth(2).unwrap();
    let (begins, ends) = ("# line 3: more than 2000 branches (", " solutions found)");
    assert!(third.starts_with(begins) && third.ends_with(ends), "{third}");
    let one = fed(&mut ninefold("solve", &["--max-branches", "5", SEARCHED]), "");
    assert_eq!((one.0, one.1.as_str()), (Some(1), "# line 1: more than 5 branches\n"));
}

/// An answer of an unknown puzzle is never right, and wrong only if it breaks a rule or a clue.
#[test]
fn an_answer_of_an_unknown_puzzle_is_neither_right_nor_wrong() {
    let broken = FOUND.replacen("81", "18", 1);
    let table = format!(
        "puzzle,solution\n{SEARCHED},{FOUND}\n{SEARCHED},{broken}\n{EASY},{SOLVED}\n{SEARCHED},\n"
    );
    let words = ["--format", "csv", "--max-branches", "5", "--no-header"];
    let (code, out, said) = fed(&mut ninefold("verify", &words), &table);
    assert_eq!(code, Some(1));
    let rows: Vec<Vec<_>> = out.lines().map(|row| row.split(',').collect()).collect();
    let column = |number: usize| rows.iter().map(|row| row[number]).collect::<Vec<_>>();
    assert_eq!(column(1), ["unknown", "unknown", "unique", "unknown"]);
    assert_eq!(column(2), ["unknown", "unknown wrong-answer", "", "unknown no-answer"]);
    assert_eq!(column(4), ["valid but uniqueness unknown", "wrong", "right", ""]);
    for line in ["right ", "valid but uniqueness unknown ", "wrong ", "missing "] {
        let count = said.lines().find_map(|it| it.trim().strip_prefix(line)).unwrap_or_default();
        assert!(count.trim().starts_with("1 "), "{line}: {said}");
    }
    let stats = statistics("verify", &words[2..4], &table);
    let answers = json!({
        "right": 1, "valid_not_the_only_one": 0, "valid_uniqueness_unknown": 1, "wrong": 1, "missing": 1,
    });
    assert_eq!(stats["answers"], answers);
    assert_counts(&stats, "unknown 3, passed 1");
    let words = ["--max-branches", "5", "--only", "unknown"];
    let report = fed(&mut ninefold("verify", &words), &table).1;
    assert_eq!(report.lines().count(), 3, "{report}");
    assert!(report.contains(":2: more than 5 branches\n"), "{report}");
}

#[test]
fn minimality_that_is_not_proven_is_said() {
    // With no branch the solution is found, and of some clue not that it is necessary.
    let (code, out, _) = fed(&mut ninefold("verify", &["--minimal", "--max-branches", "0"]), EASY);
    let (_, proven, _) = fed(&mut ninefold("verify", &["--minimal"]), EASY);
    assert_eq!(code, Some(1));
    assert!(proven.contains(": not minimal: any one of 22 clues"), "{proven}");
    // A clue that is proven redundant is named, whatever is not known of others.
    assert!(out.contains(": not minimal: "), "{out}");
    let minimal =
        crate::support::lists::MINIMAL.lines().find(|line| !line.starts_with('#')).unwrap();
    let stats = |most| statistics("verify", &["--minimal", "--max-branches", most], minimal);
    let (few, many) = (stats("8"), stats("1e6"));
    assert_counts(&many, "minimal 1, minimality_unknown 0");
    let known = few["minimal"].as_u64().unwrap();
    let open = few["minimality_unknown"].as_u64().unwrap() + few["unknown"].as_u64().unwrap();
    assert!(known + open == 1, "{few}");
}

#[test]
fn every_command_that_solves_has_the_bound() {
    let rate = records("rate", &["--max-branches", "5", "--only", "unknown", "--no-header"]);
    assert!(rate.starts_with("2,unknown,,,,,,,,8...") && rate.lines().count() == 2, "{rate}");
    let canon = run("canon", &["--form", "solution", "--max-branches", "5", "--only", "unknown"]);
    assert_eq!(canon.1, "# line 2: more than 5 branches\n# line 3: more than 5 branches\n");
    assert!(canon.2.contains("1 malformed, 2 unknown"), "{}", canon.2);
    let select = run("select", &["--status", "unknown", "--max-branches", "5"]);
    assert_eq!(select.1, format!("{SEARCHED}\n{}\n", ".".repeat(81)));
    let unique = run("select", &["--status", "unique", "--max-branches", "5"]);
    assert_eq!(unique.1, format!("{EASY}\n"));
    assert!(unique.2.lines().any(|line| line.starts_with("unknown") && line.ends_with(" 2")));
    // Digging asks questions that take branches; grids where one takes too many are not used.
    let words = ["-n", "20", "--seed", "1", "--max-branches"];
    let generate = |most| run("generate", &[&words[..], &[most]].concat());
    let (few, many, free) = (generate("2"), generate("1e6"), run("generate", &words[..4]));
    assert_eq!(many.1, free.1);
    assert!(many.2.contains(" drawn again, 0 unknown\n"), "{}", many.2);
    assert_eq!(few.1.lines().count(), 20);
    assert!(few.1 != free.1 && !few.2.contains(" 0 unknown"), "{}", few.2);
    let proven = fed(&mut ninefold("verify", &["--minimal", "-q"]), &few.1);
    assert_eq!((proven.0, proven.1.as_str()), (Some(0), ""));
    let again = run("generate", &[&words[..], &["2", "--simd", "portable", "-j", "1"]].concat());
    assert_eq!(again.1, few.1);
    let unknown =
        |run: &Run| run.2.lines().find(|line| line.ends_with(" unknown")).map(str::to_owned);
    assert_eq!(unknown(&again), unknown(&few));
}

#[test]
fn a_bound_that_is_no_number_is_refused() {
    for wrong in ["-1", "many", "1.5", "4294967296"] {
        let (code, _, said) = fed(&mut ninefold("solve", &["--max-branches", wrong]), "");
        assert_eq!(code, Some(2));
        assert!(said.contains("expected a whole number from 0 to 4,294,967,295"), "{said}");
    }
    for wrong in ["-1", "soon"] {
        let (code, _, said) = fed(&mut ninefold("solve", &["--grace", wrong]), "");
        assert!(code == Some(2) && said.contains("expected a number of seconds"), "{said}");
    }
}

/// Counts more and more solutions of the empty grid, until that takes a second.
#[test]
fn the_line_that_took_longest_is_named() {
    let folder = Folder::new();
    let text = format!("{EASY}\n# a comment\n{SEARCHED}\n{}\n{EASY}\n", ".".repeat(81));
    let input = folder.file("in.txt", text);
    let (input, stats) = (input.to_str().unwrap(), folder.path("stats.json"));
    let mut limit = 50_000_u64;
    loop {
        let count = limit.to_string();
        let words = ["--limit", &count, "--stats-json", stats.to_str().unwrap(), input];
        let (code, _, said) = fed(&mut ninefold("solve", &words), "");
        assert_eq!(code, Some(1), "{said}");
        let object = json_of(&stats);
        fs::remove_file(&stats).unwrap();
        let is_named = said.contains(&format!("\n{input}: line 4 took "));
        assert_eq!(is_named, !object["slowest"].is_null(), "{said}");
        if is_named {
            let slowest = &object["slowest"];
            assert_eq!((&slowest["input"], &slowest["line"]), (&json!(input), &json!(4)));
            assert!(slowest["seconds"].as_f64().unwrap() >= 1.0);
            return;
        }
        limit *= 4;
    }
}
