//! `bench --program`: programs that are right, wrong, silent, slow, or crash.

use crate::bench::bench;
use crate::support::{EASY, Folder, HARD, Run, json_of, name, signal, texts, wait_until};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// `bench` with more time until there was enough for a round: other tests run meanwhile.
fn bench_in_time(words: &[&str]) -> Run {
    let mut run = (None, String::new(), String::new());
    for seconds in ["3", "12", "48", "192"] {
        run = bench(&[words, &["--quiet", "--force", "--seconds", seconds]].concat());
        if run.0 != Some(2) || !run.2.contains("no round was measured") {
            break;
        }
    }
    run
}

/// A command that writes the solutions of its standard input.
fn solver() -> String {
    format!("{} solve -q", env!("CARGO_BIN_EXE_ninefold"))
}

/// `--program NAME=COMMAND` for a script that the shell runs, with the solver as `$0`.
#[cfg(unix)]
fn script(folder: &Folder, name_of_it: &str, text: &str) -> String {
    let solver = solver();
    let path = folder.file(&format!("{name_of_it}.sh"), text.replace("SOLVE", &solver));
    format!("{name_of_it}=sh {} {{input}} {{output}}", name(&path))
}

/// The rows of an export.
fn rows(json: &Path) -> Vec<Value> {
    json_of(json)["rows"].as_array().unwrap().clone()
}

#[test]
fn a_program_is_measured_beside_the_engines_however_it_is_fed() {
    let folder = Folder::new();
    let input = folder.file("two.txt", format!("{EASY}\n{HARD}\n"));
    let json = folder.path("a.json");
    let solver = solver();
    let programs = [
        format!("--program=stdin={solver}"),
        format!("--program=file={solver} {{input}}"),
        format!("--program=both={solver} {{input}} -o {{output}}"),
        format!("--program=csv={solver} --format csv {{input}}"),
        format!("--program=zeros={solver} --format csv --blank 0"),
    ];
    let mut words = vec!["--engines", "lanes", "--blank", "0"];
    words.extend(programs.iter().map(String::as_str));
    words.extend(["--baseline", "file", "--export", name(&json), name(&input)]);
    let (code, out, err) = bench_in_time(&words);
    assert_eq!((code, &*err), (Some(0), ""), "{out}");
    assert!(out.contains("× file") && out.contains("Every answer was right."), "{out}");
    let rows = rows(&json);
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[0]["process"], Value::Null);
    for row in &rows[1..] {
        let process = &row["process"];
        let counts = ["wrong", "missing"].map(|key| process[key].as_u64());
        assert_eq!(counts, [Some(0); 2], "{row}");
    }
}

/// The five programs of which a measurement must tell one from the other.
#[cfg(unix)]
#[test]
fn right_wrong_crashing_slow_and_silent_programs_are_told_apart() {
    let folder = Folder::new();
    let json = folder.path("a.json");
    // The last digit of answer 500 is another one.
    let wrong = "SOLVE \"$1\" | awk 'NR == 500 { d = substr($0, 81) % 9 + 1; \
                 $0 = substr($0, 1, 80) d } { print }'";
    // They answer one puzzle, and neither more nor none.
    let crashing = "[ $(wc -l < \"$1\") -eq 1 ] && exec SOLVE \"$1\"; \
                    echo out of luck >&2; kill -SEGV $$";
    let slow = "[ $(wc -l < \"$1\") -eq 1 ] && exec SOLVE \"$1\"; sleep 60";
    let failing = "[ $(wc -l < \"$1\") -eq 1 ] && exec SOLVE \"$1\"; echo no licence >&2; exit 3";
    let programs = [
        ("right", "exec SOLVE \"$1\" -o \"$2\""),
        ("wrong", &format!("{wrong} > \"$2\"")),
        ("crashing", crashing),
        ("slow", slow),
        ("silent", "exit 0"),
        ("failing", failing),
    ];
    let programs = programs.map(|(name, text)| script(&folder, name, text));
    let mut words = vec!["--engines", "lanes", "--lists", "easy"];
    words.extend(["--time-limit", "2", "--export", name(&json)]);
    words.extend(programs.iter().flat_map(|program| ["--program", program]));
    let (code, out, err) = bench_in_time(&words);
    assert_eq!((code, &*err), (Some(1), ""), "{out}");
    let rows = rows(&json);
    let process = |row: usize, key: &str| rows[1 + row]["process"][key].clone();

    assert_eq!((process(0, "wrong"), process(0, "missing")), (json!(0), json!(0)), "{out}");
    assert_eq!(process(0, "failure"), Value::Null, "{out}");
    assert!(out.contains("\n  right ") && !out.contains("right !"), "{out}");

    let wrongs = process(1, "wrong").as_u64().unwrap();
    let checked = process(1, "checked").as_u64().unwrap();
    assert!(wrongs >= 1 && wrongs <= checked.div_ceil(500), "{wrongs} of {checked}: {out}");
    assert_eq!(process(1, "missing"), 0);
    assert!(out.contains("\n  wrong !") && out.contains(" twice in "), "{out}");

    let failure = process(2, "failure");
    let failure = failure.as_str().unwrap();
    assert!(failure.starts_with("signal: 11 (SIGSEGV)"), "{out}");
    assert!(failure.ends_with(": out of luck"), "{out}");
    assert!(out.contains(&format!("! crashing: {failure}")), "{out}");

    let failure = process(3, "failure");
    assert!(failure.as_str().unwrap().starts_with("killed after 2 s (--time-limit)"), "{out}");
    assert!(out.contains("\n  slow !  ") && out.contains(" < "), "{out}");

    assert_eq!(process(4, "missing"), process(4, "checked"));
    assert!(out.contains("! silent: answers wrong: 0, missing: "), "{out}");

    assert_eq!(process(5, "failure"), "exit status: 3: no licence", "{out}");
    assert!(out.contains("Not every answer was right: see !."), "{out}");
}

/// Without its start-up, the program solves 100 puzzles/s. Under load, start-up may take twice its time.
#[cfg(unix)]
#[test]
fn a_slow_start_is_under_a_tenth_or_the_row_has_its_part() {
    let folder = Folder::new();
    let (input, json) = (folder.file("a.txt", EASY), folder.path("a.json"));
    let text = "sleep 0.05; sleep $(awk 'END { print NR / 100 }' \"$1\"); SOLVE \"$1\" -o \"$2\"";
    let program = script(&folder, "late", text);
    for (seconds, engines) in [("0.5", "mrv"), ("1", "mrv"), ("1", "dlx,mrv,lanes"), ("3", "mrv")] {
        let words = ["-fq", name(&input), "--engines", engines, "--program", &program];
        let more = ["--seconds", seconds, "--export", name(&json)];
        let (_, out, _) = bench(&[&words[..], &more].concat());
        let number = |before| {
            let word = out.split(before).nth(1).and_then(|text| text.split_whitespace().next());
            word.and_then(|word| word.parse::<f64>().ok()).expect(&out)
        };
        let [rate, percent] = ["\n  late ", "late: start-up is "].map(number);
        assert!(rate < 100.0 && rate > 100.0 - 2.0 * percent.max(10.0), "{out}");
        let row = rows(&json).pop().unwrap();
        assert!(row["process"]["startup_seconds"].as_f64().unwrap() > 0.05, "{row}");
    }
}

/// Whatever the lists are: no solution is an answer for a puzzle that has none.
#[test]
fn puzzles_without_a_solution_and_with_several_are_judged() {
    let program = format!("mine={} --limit 2", solver());
    let words = ["--engines", "lanes", "--lists", "none,multiple", "--program", &program];
    let (code, out, err) = bench_in_time(&words);
    assert_eq!((code, &*err), (Some(0), ""), "{out}");
}

/// An answer to a puzzle that has none.
#[cfg(unix)] // a script of the shell
#[test]
fn an_answer_to_a_puzzle_without_one_is_wrong() {
    let folder = Folder::new();
    let text =
        format!("while read -r line; do echo {}; done < \"$1\" > \"$2\"", "123456789".repeat(9));
    let program = script(&folder, "liar", &text);
    let words = ["--engines", "lanes", "--lists", "none", "--program", &program];
    let (code, out, _) = bench_in_time(&words);
    assert!(code == Some(1) && out.contains("the puzzle has no solution, but"), "{out}");
}

/// A pipe in place of the answers would be read forever.
#[cfg(unix)]
#[test]
fn a_pipe_and_a_folder_in_place_of_the_answers_are_no_answers() {
    let folder = Folder::new();
    let programs = [
        script(&folder, "pipe", "mkfifo \"$2\""),
        script(&folder, "folder", "mkdir \"$2\"; rm \"$1\"; mkdir \"$1\""),
    ];
    let input = folder.file("a.txt", EASY);
    let mut words = vec!["--engines", "lanes", name(&input)];
    words.extend(programs.iter().flat_map(|program| ["--program", program]));
    let (code, out, err) = bench_in_time(&words);
    assert_eq!((code, &*err), (Some(1), ""), "{out}");
    for name in ["pipe", "folder"] {
        assert!(out.contains(&format!("! {name}: answers wrong: 0, missing: ")), "{out}");
    }
}

#[test]
fn programs_that_cannot_be_measured_are_refused_at_once() {
    let folder = Folder::new();
    let input = folder.file("a.txt", EASY);
    let cases: [(&[&str], &str); 5] = [
        (&["--program", "./solve {input}"], "expected NAME=COMMAND"),
        (&["--program", "a=./no-such-program"], "a: ./no-such-program: it did not start: "),
        (&["--program", "a=no-such-program"], "a: no-such-program: it did not start: "),
        (&["--program", "a=\"x"], "missing closing quote"),
        (&["--program", "lanes=cat"], "have the name lanes"),
    ];
    for (words, message) in cases {
        let (code, out, err) = bench(&[words, &[name(&input)]].concat());
        assert_eq!((code, &*out), (Some(2), ""), "{words:?}: {err}");
        assert!(err.contains(message), "{words:?}: {err}");
    }
}

/// A signal ends the measurement and the program that runs.
#[cfg(unix)]
#[test]
fn the_program_ends_with_the_measurement() {
    use std::process::Stdio;
    let folder = Folder::new();
    let input = folder.file("a.txt", EASY);
    let number = folder.path("number");
    // The child of the shell is part of the group, too.
    let text = format!("sleep 600 & echo $$ $! > {0}.new; mv {0}.new {0}; wait", name(&number));
    let program = script(&folder, "sleeps", &text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.args(["bench", "--engines", "lanes", "--time-limit", "500", "--program", &program]);
    command.arg(&input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until(|| number.exists());
    let number = fs::read_to_string(&number).unwrap();
    signal(&child, "-TERM");
    let (code, _, _) = texts(child.wait_with_output().unwrap());
    assert_eq!(code, Some(143));
    for process in number.split_whitespace() {
        // A process that is killed needs its turn to end.
        let lives = || {
            let kill = Command::new("kill").args(["-0", process]).stderr(Stdio::null()).status();
            let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            kill.unwrap().success() && !status.contains(") Z ")
        };
        wait_until(|| !lives());
    }
}

/// A program that writes without end is stopped by the size of its output.
#[cfg(unix)]
#[test]
fn a_program_that_writes_without_end_does_not_fill_the_disk() {
    let folder = Folder::new();
    let input = folder.file("a.txt", EASY);
    let words = ["--engines", "lanes", "--time-limit", "60"];
    let more = ["--program", "yes=yes", name(&input)];
    let (code, out, _) = bench_in_time(&[&words[..], &more].concat());
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("killed, too much output"), "{out}");
}
