//! `verify --solutions`: answers by position, and files that belong to other puzzles.

use crate::support::{EASY, Folder, LIGHT, NONE, SOLVED, TWO, fed, ninefold};
use std::fs;

/// Exit code, standard output, standard error.
type Run = (Option<i32>, String, String);

fn run(folder: &Folder, command: &str, words: &[&str]) -> Run {
    fed(ninefold(command, words).current_dir(folder.path(".")), "")
}

/// A file has an answer for each puzzle: with `--all` there are more, with `--only` fewer.
#[test]
fn a_selection_of_records_is_refused() {
    let folder = Folder::new();
    folder.file("p.txt", format!("{EASY}\n{TWO}\n{NONE}\n{LIGHT}\n"));
    for (select, told) in [
        (&["--all"][..], "s:6 is an answer after that of the last puzzle, p.txt:4"),
        (&["--unique", "--only", "unique"], "none for the puzzle p.txt:3"),
    ] {
        let words = [&["p.txt", "-q", "--format", "csv", "-o", "s", "--force"], select].concat();
        run(&folder, "solve", &words);
        assert_refused(&folder, &["p.txt"], "s", &[told]);
    }
}

/// `--force` and the like are not given: nothing is to be left.
fn assert_refused(folder: &Folder, inputs: &[&str], answers: &str, told: &[&str]) {
    let words =
        [inputs, &["--solutions", answers, "-f", "-o", "report", "--stats-json", "stats"]].concat();
    let (code, out, err) = run(folder, "verify", &words);
    // The records before it stay in the partial file, which the last line names.
    let refused = |line: &&str| line.starts_with(&format!("ninefold: {answers}: "));
    let last = err.lines().find(refused).unwrap_or_default();
    assert_eq!((code, &*out), (Some(2), ""), "{answers}: {err}");
    assert!(last.starts_with(&format!("ninefold: {answers}: ")), "{err}");
    // The first answer that changes a clue is named if its chunk was judged before.
    let named = usize::from(last.contains("the first answer that changes a clue"));
    for told in &told[..told.len().min(1 + named)] {
        assert!(last.contains(told), "{told}: {err}");
    }
    for name in ["report", "stats"] {
        assert!(!folder.path(name).exists(), "{answers} leaves {name}");
    }
}

#[test]
fn a_list_of_another_length_is_refused_with_the_first_mismatch() {
    let folder = Folder::new();
    let [other, third] = [('1', '2'), ('1', '3')].map(|(one, two)| {
        let swap = |it| {
            if it == one {
                two
            } else if it == two {
                one
            } else {
                it
            }
        };
        SOLVED.chars().map(swap).collect::<String>()
    });
    let puzzle = |solution: &str| solution.replace(['7', '8'], ".");
    let solutions = [SOLVED, &other, &third, SOLVED, &other];
    let lines = solutions.map(|it| puzzle(it) + "\n");
    folder.file("p.txt", format!("# note\n{}", lines.concat()));
    let answers = solutions.map(|it| format!("{it}\n"));
    folder.file("whole.txt", answers.concat());
    let fine =
        run(&folder, "verify", &["p.txt", "--solutions", "whole.txt", "-q", "--trust-unique"]);
    assert_eq!(fine, (Some(0), String::new(), String::new()));
    // The second answer is left out.
    folder.file("short.txt", [&answers[..1], &answers[2..]].concat().concat());
    let told = [
        "has 4 answers, the last in short.txt:4, and none for the puzzle p.txt:6",
        "short.txt:2, for p.txt:3",
    ];
    assert_refused(&folder, &["p.txt"], "short.txt", &told);
    // One too many, after the second.
    folder.file("long.txt", [&answers[..2], &answers[..1], &answers[2..]].concat().concat());
    let told = [
        "long.txt:6 is an answer after that of the last puzzle, p.txt:6",
        "long.txt:3, for p.txt:4",
    ];
    assert_refused(&folder, &["p.txt"], "long.txt", &told);
    folder.file("none.txt", "# nothing\n");
    assert_refused(
        &folder,
        &["p.txt"],
        "none.txt",
        &["has 0 answers, and none for the puzzle p.txt:2"],
    );
    // Of several inputs the lines are those of each.
    folder.file("q.txt", &lines[0]);
    assert_refused(&folder, &["p.txt", "q.txt"], "whole.txt", &["none for the puzzle q.txt:1"]);
    // From a pipe it is seen at the end.
    let (code, _, err) = fed(
        ninefold("verify", &["--solutions", "short.txt", "-q"]).current_dir(folder.path(".")),
        fs::read(folder.path("p.txt")).unwrap(),
    );
    assert_eq!(code, Some(2));
    assert!(err.contains("none for the puzzle <stdin>:6; the first answer that changes a clue is short.txt:2, for <stdin>:3"), "{err}");
}

/// pandas: a series is a table of one column, a missing value of it `""`.
#[test]
fn a_header_of_one_column_is_no_answer_and_an_empty_quoted_field_is_a_missing_one() {
    let folder = Folder::new();
    folder.file("p.txt", format!("{EASY}\n{NONE}\n{LIGHT}\n"));
    for header in ["\"solved\"", "x"] {
        for missing in ["\"\"", "# line 2: no solution"] {
            for end in ["\n", "\r\n"] {
                folder.file("s.csv", [header, SOLVED, missing, SOLVED, ""].join(end));
                let found = run(&folder, "verify", &["p.txt", "--solutions", "s.csv", "-q"]);
                let expected = "p.txt:2: no solution\np.txt:2: no answer given\n";
                assert_eq!((found.0, &*found.1), (Some(1), expected), "{header} {missing}");
            }
        }
    }
    folder.file("two.csv", format!("id,solved\n1,{SOLVED}\n2,\"\"\n3,{SOLVED}\n"));
    let found =
        run(&folder, "verify", &["p.txt", "--solutions", "two.csv", "-q", "--trust-unique"]);
    assert_eq!(found, (Some(1), "p.txt:2: no answer given\n".to_owned(), String::new()));
}

/// Each process has other keys for the tables of the puzzles before and of the bank.
#[test]
fn counts_do_not_depend_on_random_keys() {
    let folder = Folder::new();
    let place =
        |at: usize| format!("{}{}{}\n", ".".repeat(at % 81), 1 + at / 81, ".".repeat(80 - at % 81));
    folder.file("p.txt", (0..300).map(place).collect::<String>());
    let counts = || {
        let words = [
            "p.txt",
            "--duplicates",
            "--against",
            "p.txt",
            "--stats-json",
            "s",
            "-o",
            "r",
            "--force",
        ];
        let (_, _, summary) = run(&folder, "verify", &words);
        let stats = std::fs::read(folder.path("s")).unwrap();
        let mut stats: serde_json::Value = serde_json::from_slice(&stats).unwrap();
        for measured in ["seconds", "solve_seconds", "puzzles_per_second", "megabytes_per_second"] {
            stats.as_object_mut().unwrap().remove(measured).unwrap();
        }
        (summary.split(" s, ").next().unwrap().rsplit_once('\n').unwrap().0.to_owned(), stats)
    };
    let first = counts();
    assert!(first.0.contains("bank: 300 puzzles"), "{}", first.0);
    assert_eq!((&first.1["bank"]["puzzles"], &first.1["in_bank"]), (&300.into(), &300.into()));
    for _ in 0..3 {
        assert_eq!(counts(), first);
    }
}

#[test]
fn statistics_have_null_for_what_was_not_asked() {
    let folder = Folder::new();
    folder.file("p.txt", EASY);
    folder.file("s.txt", SOLVED);
    let stats = |words: &[&str]| -> serde_json::Value {
        let words = [&["p.txt", "-q", "--stats-json", "-", "-o", "r", "--force"], words].concat();
        serde_json::from_str(&run(&folder, "verify", &words).1).unwrap()
    };
    let nulls = |stats: &serde_json::Value| {
        let mut names = Vec::new();
        let mut add = |prefix: &str, value: &serde_json::Value| {
            for (key, value) in value.as_object().unwrap() {
                if value.is_null() {
                    names.push(format!("{prefix}{key}"));
                }
            }
        };
        add("", stats);
        add("answers.", &stats["answers"]);
        names.sort();
        names.join(" ")
    };
    let answers = "answers.missing answers.right answers.valid_not_the_only_one answers.wrong ";
    let found = stats(&[]);
    let rest = "duplicates falls_to legal_not_solved minimal not_minimal wrong_number_of_clues";
    assert_eq!(nulls(&found), format!("{answers}{rest}"));
    assert_eq!(found["inputs"][0]["answers"], found["answers"]);
    let found =
        stats(&["--solutions", "s.txt", "--duplicates", "--minimal", "--grade", "--clues", "17.."]);
    assert_eq!(nulls(&found), "legal_not_solved");
    assert_eq!(
        (&found["answers"]["right"], &found["wrong_number_of_clues"]),
        (&1.into(), &0.into())
    );
    let found = stats(&["--trust-unique"]);
    let rest = "duplicates falls_to minimal multiple none not_minimal unique wrong_number_of_clues";
    assert_eq!(nulls(&found), format!("{answers}{rest}"));
    assert_eq!(found["legal_not_solved"], 1);
}

/// In a table as in an object: programs that read tables refuse other bytes.
#[test]
fn bytes_that_are_no_text_are_written_alike_in_csv_and_jsonl() {
    let folder = Folder::new();
    let lines = [&b"53\xff7\n\xe9t\xc3\n"[..], EASY.as_bytes(), b",caf\xe9\n"].concat();
    folder.file("p.csv", [b"puzzle,name\n", &lines[..]].concat());
    for (command, more) in [("solve", &["--keep-columns"][..]), ("verify", &[])] {
        let written = ["csv", "jsonl"].map(|format| {
            let words = [&["p.csv", "-q", "--format", format], more].concat();
            // Anything but UTF-8 would be a panic here.
            run(&folder, command, &words).1
        });
        let [rows, objects] = &written;
        for found in ["53\u{fffd}7", "\u{fffd}t\u{fffd}"] {
            assert!(rows.contains(&format!(",{found},")), "{command}: {rows}");
            assert!(objects.contains(&format!("\"puzzle\":\"{found}\"")), "{command}: {objects}");
        }
        if command == "solve" {
            assert!(rows.contains(",caf\u{fffd}\n") && objects.contains("\"caf\u{fffd}\""));
        }
    }
}

/// The options of a run are about its inputs: a file beside them may have lines or grids of nine lines.
#[test]
fn a_file_beside_the_inputs_has_grids_or_lines() {
    let folder = Folder::new();
    let nine = |cells: &str| {
        let rows: Vec<_> = (0..9).map(|row| cells[9 * row..][..9].to_owned() + "\n").collect();
        format!("Easy\n{}\n", rows.concat())
    };
    let swapped = SOLVED.replace('5', "x").replace('3', "5").replace('x', "3");
    for (name, text) in [
        ("p.txt", format!("{EASY}\n{EASY}\n")),
        ("p-grids.txt", nine(EASY).repeat(2)),
        ("s.txt", format!("{SOLVED}\n{swapped}\n")),
        ("s-grids.txt", nine(SOLVED) + &nine(&swapped)),
        ("s.sdk", nine(SOLVED) + &nine(&swapped)),
    ] {
        folder.file(name, text);
    }
    let two_of = |line| if line == 1 { [1, 2] } else { [2, 13] };
    for (puzzles, at) in [(&["p.txt"][..], 1), (&["--grid", "p-grids.txt"], 2)] {
        let [first, second] =
            two_of(at).map(|line| format!("{}:{line}: ", puzzles.last().unwrap()));
        for (answers, line) in [("s.txt", 2), ("s-grids.txt", 13), ("s.sdk", 13)] {
            let words = [puzzles, &["-q", "--solutions", answers]].concat();
            let (code, out, err) = run(&folder, "verify", &words);
            let wrong = format!("{second}answer {answers}:{line}: row 1 column 1 is 3");
            assert!(out.starts_with(&wrong) && out.lines().count() == 1, "{words:?}: {out}{err}");
            assert_eq!(code, Some(1));
        }
        for (bank, line) in [("p.txt", 1), ("p-grids.txt", 2)] {
            let words = [puzzles, &["-q", "--against", bank]].concat();
            let found = format!("isomorphic to {bank}:{line}\n");
            let expected = (Some(1), format!("{first}{found}{second}{found}"), String::new());
            assert_eq!(run(&folder, "verify", &words), expected, "{words:?}");
        }
    }
    let made = |from| run(&folder, "generate", &["-q", "--seed", "1", "--from", from]);
    assert_eq!(made("s-grids.txt").1.lines().count(), 2);
    assert_eq!(made("s-grids.txt"), made("s.txt"));
    folder.file("bad.txt", nine(SOLVED) + &nine(SOLVED).replace("672195348", "67219534"));
    let (code, out, _) = run(&folder, "verify", &["p.txt", "-q", "--solutions", "bad.txt"]);
    let says = "p.txt:2: answer bad.txt:14: expected a row of 9 cells, found 8\n";
    assert_eq!((code, &*out), (Some(1), says));
}
