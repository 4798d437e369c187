//! `verify --solutions`: which answer belongs to which puzzle, and files that belong to other puzzles.

use crate::support::{EASY, FOUR, Folder, HARD, ILLEGAL, LIGHT, NONE, SOLVED, TWO, fed, ninefold};
use std::fs;

/// Exit code, standard output, standard error.
type Run = (Option<i32>, String, String);

fn run(folder: &Folder, command: &str, words: &[&str]) -> Run {
    fed(ninefold(command, words).current_dir(folder.path(".")), "")
}

/// Puzzles with none, one, two and four solutions, and lines that are none. Each list of solutions is
/// `--all` of it.
fn puzzles() -> String {
    format!("{EASY}\n# note\n{TWO}\n53.x\n{NONE}\n{FOUR}\n{ILLEGAL}\n\n{LIGHT}\n{HARD}\n{TWO}\n")
}

const SELECTIONS: [&[&str]; 7] = [
    &["--all"],
    &["--unique"],
    &["--all", "--only", "multiple"],
    &["--unique", "--only", "unique"],
    &["--all", "--except", "none,malformed"],
    &["--except", "solved"],
    &["--all", "--max", "1"],
];

/// Formats that have a field with the line or the puzzle.
const FORMATS: [&[&str]; 5] = [
    &["--format", "csv"],
    &["--format", "csv", "--no-output-header"],
    &["--format", "csv", "--keep-columns"],
    &["--format", "jsonl"],
    &["--format", "pair"],
];

/// Wrong and missing answers.
fn answers_in(run: &Run) -> Vec<String> {
    let about_answers =
        |line: &&str| line.contains(": answer") || line.contains(": no answer given");
    run.1.lines().filter(about_answers).map(str::to_owned).collect()
}

#[test]
fn the_output_of_every_selection_is_matched_with_its_puzzles() {
    let folder = Folder::new();
    folder.file("p.txt", puzzles());
    for select in SELECTIONS {
        for format in FORMATS {
            let words = [&["-q", "p.txt", "-o", "s", "--force"], select, format].concat();
            run(&folder, "solve", &words);
            let verified = run(
                &folder,
                "verify",
                &["p.txt", "--solutions", "s", "--stats-json", "j", "--force"],
            );
            let text = fs::read_to_string(folder.path("s")).unwrap();
            if text.lines().all(|line| line.starts_with('#')) {
                // Comments are no rows: nothing says which puzzles they belong to.
                assert_eq!(verified.0, Some(2), "{words:?} {}", verified.2);
                continue;
            }
            assert_eq!(verified.0, Some(1), "{words:?} {}", verified.2);
            assert!(!verified.1.contains(": answer s:"), "{words:?}: {}", verified.1);
            // A puzzle has an answer if its record has one.
            let hard = HARD.replace('0', ".");
            let with_answer = [EASY, TWO, NONE, FOUR, ILLEGAL, LIGHT, &hard, TWO].into_iter();
            let has = |puzzle: &str| {
                text.lines().any(|row| {
                    row.contains(puzzle)
                        && row.replacen(puzzle, "", 1).split(['\"', ',']).any(|it| it.len() == 81)
                })
            };
            let missing = with_answer.filter(|puzzle| !has(puzzle)).count();
            let told = answers_in(&verified).len();
            assert_eq!(told, missing, "{words:?}: {}", verified.1);
            let stats: serde_json::Value =
                serde_json::from_slice(&fs::read(folder.path("j")).unwrap()).unwrap();
            let has_line = format.contains(&"jsonl")
                || format.contains(&"csv") && format.len() == 2
                || format.contains(&"--keep-columns");
            let by = if has_line { "line" } else { "puzzle" };
            assert_eq!(stats["answers_matched_by"], by, "{words:?}");
        }
    }
}

/// A wrong answer anywhere among several of one puzzle.
#[test]
fn each_of_several_answers_is_checked() {
    let folder = Folder::new();
    folder.file("p.txt", puzzles());
    for format in FORMATS {
        run(&folder, "solve", &[&["-q", "p.txt", "-o", "s", "--force", "--all"], format].concat());
        let text = fs::read_to_string(folder.path("s")).unwrap();
        let rows: Vec<_> = text.lines().collect();
        let mut spoiled = 0;
        for (row, line) in rows.iter().enumerate() {
            let mut fields = line.rsplit(['"', ',']);
            let is_full = |it: &str| {
                it.len() == 81 && it.bytes().all(|byte| byte.is_ascii_digit() && byte != b'0')
            };
            let Some(answer) = fields.find(|it| is_full(it)) else { continue };
            spoiled += 1;
            // The first cell is 5 or 1 in all of them.
            let wrong = format!("9{}", &answer[1..]);
            let mut rows: Vec<_> = rows.iter().map(|line| (*line).to_owned()).collect();
            rows[row] = rows[row].replacen(answer, &wrong, 1);
            folder.file("w", rows.join("\n"));
            let verified = run(&folder, "verify", &["-q", "p.txt", "--solutions", "w"]);
            let told = format!(": answer w:{}: 9 twice in ", row + 1);
            let count = verified.1.matches(&told).count();
            assert_eq!(
                (verified.0, count),
                (Some(1), 1),
                "{format:?}, row {row}: {line}\n{}{}",
                verified.1,
                verified.2
            );
        }
        assert_eq!(spoiled, 1 + 2 + 4 + 1 + 1 + 2, "{format:?}");
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

#[test]
fn a_file_of_other_puzzles_or_another_order_is_refused_with_the_first_mismatch() {
    let folder = Folder::new();
    folder.file("p.txt", format!("{EASY}\n{TWO}\n# note\n{LIGHT}\n"));
    let table = |rows: &[&str]| format!("line,puzzle,solution\n{}\n", rows.join("\n"));
    let row = |line: u32, puzzle: &str| format!("{line},{puzzle},{SOLVED}");
    let [one, two, four] = [row(1, EASY), row(2, TWO), row(4, LIGHT)];
    let cases = [
        (
            table(&[&one, &row(3, TWO)]),
            "s.csv:3 is the answer of line 3, which has no puzzle: the next one is p.txt:4",
        ),
        (table(&[&one, &row(2, EASY)]), "the puzzle of s.csv:3 is not that of p.txt:2"),
        (
            table(&[&two, &one]),
            "s.csv:3 is the answer of line 1, after that of line 2: the answers must be in the order",
        ),
        (
            table(&[&one, &four, &row(5, LIGHT)]),
            "s.csv:4 is the answer of line 5, but the last puzzle is p.txt:4",
        ),
        (
            table(&[&one, &format!("x,{TWO},{SOLVED}"), &four]),
            "s.csv:3 has no line number in its field \"line\"",
        ),
        (
            format!("{TWO},{SOLVED}\n{EASY},{SOLVED}\n"),
            "the puzzle of s.csv:2 is neither p.txt:4 nor a later one: the answers must be in the order",
        ),
        (
            format!("{HARD},{SOLVED}\n{EASY},{SOLVED}\n"),
            "the puzzle of s.csv:1 is neither p.txt:1 nor a later one",
        ),
        (
            format!("{EASY},{SOLVED}\n{TWO},{SOLVED}\n{LIGHT},{SOLVED}\n{HARD},{SOLVED}\n"),
            "s.csv:4 is an answer after that of the last puzzle, p.txt:4",
        ),
        (
            format!("puzzle,solution\n{EASY},{SOLVED}\n{},{SOLVED}\n", &TWO[1..]),
            "s.csv:3 has no puzzle",
        ),
    ];
    for (text, told) in cases {
        folder.file("s.csv", text);
        assert_refused(&folder, &["p.txt"], "s.csv", &[told]);
    }
}

/// Lines count in each input, or through all of them if the file does not name inputs.
#[test]
fn lines_are_those_of_the_input_that_a_row_names() {
    let folder = Folder::new();
    folder.file("a.txt", format!("{EASY}\n{NONE}\n"));
    folder.file("b.txt", format!("# note\n{TWO}\n{LIGHT}\n"));
    let wrong = SOLVED.replacen('5', "4", 1);
    let head = "input,line,solution";
    folder.file(
        "named.csv",
        format!("{head}\na.txt,1,{SOLVED}\nsub/b.txt,2,{SOLVED}\nb.txt,3,{wrong}\n"),
    );
    folder.file("through.csv", format!("line,solution\n1,{SOLVED}\n4,{SOLVED}\n5,{wrong}\n"));
    for name in ["named.csv", "through.csv"] {
        let found = run(
            &folder,
            "verify",
            &["a.txt", "b.txt", "--solutions", name, "-q", "--trust-unique"],
        );
        let expected = format!(
            "a.txt:2: no answer given\nb.txt:3: answer {name}:4: 4 twice in row 1 (columns 1 and 3)"
        );
        assert!(found.1.starts_with(&expected), "{name}: {}{}", found.1, found.2);
    }
    folder.file("other.csv", format!("{head}\na.txt,1,{SOLVED}\nc.txt,2,{SOLVED}\n"));
    let told = "other.csv:3 is the answer of \"c.txt\", which is not among the inputs";
    assert_refused(&folder, &["a.txt", "b.txt"], "other.csv", &[told]);
}

/// pandas: a series is a table of one column, a missing value of it `""`.
#[test]
fn a_header_of_one_column_is_no_answer_and_an_empty_quoted_field_is_a_missing_one() {
    let folder = Folder::new();
    folder.file("p.txt", format!("{EASY}\n{NONE}\n{LIGHT}\n"));
    for header in ["solved", "\"solved\"", "Solution", "x", "final_grid"] {
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

/// A list that has a puzzle twice has an answer for each. The chunks are of any size.
#[test]
fn a_puzzle_that_comes_twice_has_its_own_answers() {
    let folder = Folder::new();
    let wrong = SOLVED.replacen('5', "4", 1);
    let count = 5000;
    folder.file("p.txt", format!("{EASY}\n").repeat(count));
    for place in [0, 1, 2500, 4999] {
        let mut rows = vec![format!("{EASY},{SOLVED}"); count];
        rows[place] = format!("{EASY},{wrong}");
        folder.file("s.csv", rows.join("\n"));
        for threads in ["1", "3"] {
            let words = ["p.txt", "--solutions", "s.csv", "-q", "--trust-unique", "-j", threads];
            let found = run(&folder, "verify", &words);
            let line = place + 1;
            assert!(
                found.1.starts_with(&format!("p.txt:{line}: answer s.csv:{line}: 4 twice")),
                "{}",
                found.1
            );
            assert_eq!((found.0, found.1.lines().count()), (Some(1), 1));
        }
    }
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
    let answers = "answers.missing answers.right answers.valid_not_the_only_one answers.wrong answers_matched_by ";
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
