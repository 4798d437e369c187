//! `bench --program` and `--library`: programs that are right, wrong, silent, slow, or crash.

use crate::bench::{bench, results};
use crate::support::{EASY, Folder, HARD, Run, name, texts};
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
    format!("{name_of_it}=sh {} {{input}} {{output}} {{limit}}", name(&path))
}

/// The rows of an export.
fn rows(json: &Path) -> Vec<Value> {
    results(json)["rows"].as_array().unwrap().clone()
}

#[test]
fn a_program_is_measured_beside_the_engines_however_it_is_fed() {
    let folder = Folder::new();
    let input = folder.file("two.txt", format!("{EASY}\n{HARD}\n"));
    let json = folder.path("a.json");
    let solver = solver();
    let programs = [
        // Without --lines an empty input is refused, so its time cannot be measured.
        format!("--program=stdin={solver} --lines"),
        format!("--program=file={solver} {{input}}"),
        format!("--program=both={solver} {{input}} -o {{output}}"),
        format!("--program=csv={solver} --format csv {{input}}"),
        format!("--program=zeros={solver} --format csv --blank 0"),
    ];
    let mut words = vec!["--engines", "lanes", "--modes", "first", "--blank", "0"];
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
        let at_least = |key: &str| process[key].as_array().unwrap().len() >= 3;
        assert!(at_least("startup_one"), "{row}");
        assert_eq!(at_least("startup_empty"), row["engine"] == "stdin", "{row}");
        let times = |key: &str| process[key].as_array().unwrap().len();
        assert_eq!(times("wall"), row["rounds"].as_array().unwrap().len(), "{row}");
        if cfg!(unix) {
            assert_eq!((times("user"), times("system")), (times("wall"), times("wall")), "{row}");
            let peak = process["peak_bytes"].as_u64();
            assert!(times("wall") == 0 || peak > Some(100_000), "{row}");
        }
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
    // It answers one puzzle, and then as many as it can before the fault.
    let crashing = "[ $(wc -l < \"$1\") -le 1 ] && exec SOLVE \"$1\"; \
                    echo out of luck >&2; kill -SEGV $$";
    let slow = "[ $(wc -l < \"$1\") -le 1 ] && exec SOLVE \"$1\"; sleep 60";
    let failing = "[ $(wc -l < \"$1\") -le 1 ] && exec SOLVE \"$1\"; echo no licence >&2; exit 3";
    let programs = [
        ("right", "exec SOLVE \"$1\" -o \"$2\""),
        ("wrong", &format!("{wrong} > \"$2\"")),
        ("crashing", crashing),
        ("slow", slow),
        ("silent", "exit 0"),
        ("failing", failing),
    ];
    let programs = programs.map(|(name, text)| script(&folder, name, text));
    let mut words = vec!["--no-engines", "--lists", "easy", "--modes", "first"];
    words.extend(["--time-limit", "2", "--export", name(&json)]);
    words.extend(programs.iter().flat_map(|program| ["--program", program]));
    let (code, out, err) = bench_in_time(&words);
    assert_eq!((code, &*err), (Some(1), ""), "{out}");
    let rows = rows(&json);
    let process = |row: usize, key: &str| rows[row]["process"][key].clone();

    assert_eq!((process(0, "wrong"), process(0, "missing")), (json!(0), json!(0)), "{out}");
    assert_eq!(process(0, "failure"), Value::Null, "{out}");
    assert!(out.contains("\n  right ") && !out.contains("right !"), "{out}");

    let wrongs = process(1, "wrong").as_u64().unwrap();
    let checked = process(1, "checked").as_u64().unwrap();
    assert!(wrongs >= 1 && wrongs <= checked.div_ceil(500), "{wrongs} of {checked}: {out}");
    assert_eq!(process(1, "missing"), 0);
    let fault = process(1, "fault");
    assert!(fault.as_str().unwrap().contains(" of easy, given as line 500: "), "{fault}");
    assert!(out.contains("\n  wrong !") && out.contains(" twice in "), "{out}");

    let failure = process(2, "failure");
    let expected = "crashed: killed by signal 11 (SIGSEGV): out of luck";
    assert_eq!(failure, expected, "{out}");
    assert!(out.contains(&format!("! crashing: {expected}")), "{out}");

    let failure = process(3, "failure");
    assert!(failure.as_str().unwrap().starts_with("killed after 2 s (--time-limit)"), "{out}");
    assert!(out.contains("\n  slow !  ") && out.contains(" < "), "{out}");

    assert_eq!(process(4, "missing"), process(4, "checked"));
    assert!(out.contains("! silent: silent: all of "), "{out}");

    assert_eq!(process(5, "failure"), "exit code 3: no licence", "{out}");
    assert!(out.contains("Not every answer was right: see !."), "{out}");
}

/// Whatever the lists are: no solution is an answer for a puzzle that has none.
#[test]
fn puzzles_without_a_solution_and_with_several_are_judged() {
    let program = format!("mine={} --limit {{limit}}", solver());
    let words = ["--no-engines", "--lists", "none,multiple", "--program", &program];
    let (code, out, err) = bench_in_time(&words);
    assert_eq!((code, &*err), (Some(0), ""), "{out}");
    // An answer to a puzzle that has none.
    if cfg!(unix) {
        let folder = Folder::new();
        let text = format!(
            "while read -r line; do echo {}; done < \"$1\" > \"$2\"",
            "123456789".repeat(9)
        );
        let program = script(&folder, "liar", &text);
        let words = ["--no-engines", "--lists", "none", "--program", &program];
        let (code, out, _) = bench_in_time(&words);
        assert!(code == Some(1) && out.contains("the puzzle has no solution, but"), "{out}");
    }
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
    let mut words = vec!["--no-engines", "--lists", "17-clues", "--modes", "first"];
    words.extend(programs.iter().flat_map(|program| ["--program", program]));
    let (code, out, err) = bench_in_time(&words);
    assert_eq!((code, &*err), (Some(1), ""), "{out}");
    for name in ["pipe", "folder"] {
        assert!(out.contains(&format!("! {name}: silent: all of ")), "{out}");
    }
}

/// A process that left the group of the program ends with it.
#[cfg(target_os = "linux")]
#[test]
fn no_process_of_a_program_is_left() {
    let folder = Folder::new();
    let numbers = folder.path("numbers.txt");
    let text = format!("setsid sleep 300 & echo $! >> {}; exec SOLVE \"$1\"", name(&numbers));
    let program = script(&folder, "leaving", &text);
    let program = program.replace(" {output}", "");
    let words = ["--no-engines", "--lists", "17-clues", "--modes", "first", "--program", &program];
    let (code, out, _) = bench_in_time(&words);
    assert_eq!(code, Some(0), "{out}");
    let numbers = fs::read_to_string(numbers).unwrap();
    assert!(numbers.lines().count() > 3, "{numbers}");
    for number in numbers.lines() {
        let words = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        assert!(!words.starts_with(b"sleep\x00300"), "{number} still runs");
    }
}

#[test]
fn programs_that_cannot_be_measured_are_refused_at_once() {
    let folder = Folder::new();
    let input = folder.file("a.txt", EASY);
    let text = folder.file("lib.so", "no library");
    let not_a_library = format!("a={}:solve", name(&text));
    let cases: [(&[&str], &str); 9] = [
        (&["--program", "./solve {input}"], "expected NAME=COMMAND"),
        (&["--program", "a=./no-such-program"], "a: ./no-such-program: it did not start: No such"),
        (&["--program", "a=no-such-program"], "a: no-such-program: it did not start: No such"),
        (&["--program", "a='x"], "missing closing quote"),
        (&["--program", "lanes=cat"], "have the name lanes"),
        (&["--library", "a=lib.so"], "expected NAME=FILE:SYMBOL"),
        (&["--library", "a=./missing.so:solve"], "--library a: ./missing.so: "),
        (&["--library", &not_a_library], "--library a: "),
        (&["--no-engines"], "nothing to measure without --program or --library"),
    ];
    for (words, message) in cases {
        let (code, out, err) = bench(&[words, &[name(&input)]].concat());
        assert_eq!((code, &*out), (Some(2), ""), "{words:?}: {err}");
        assert!(err.contains(message), "{words:?}: {err}");
    }
}

/// A library with a function that solves, one that crashes, and one that counts wrong, made by the
/// compiler of this test.
#[test]
fn functions_of_a_shared_library_are_measured_each_in_its_own_process() {
    let folder = Folder::new();
    let source = folder.file("lib.rs", LIBRARY);
    let library = folder.path("libmine.so");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let made = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "cdylib", "-O", "-o", name(&library)])
        .arg(name(&source))
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let input = folder.file("a.txt", format!("{EASY}\n{EASY}\n"));
    let json = folder.path("a.json");
    let functions = ["solve", "crash", "twice"];
    let functions = functions.map(|it| format!("{it}={}:{it}", name(&library)));
    let mut words = vec!["--no-engines", "--export", name(&json), name(&input)];
    words.extend(functions.iter().flat_map(|function| ["--library", function]));
    let (code, out, err) = bench_in_time(&words);
    assert_eq!((code, &*err), (Some(1), ""), "{out}");
    let rows = rows(&json);
    for mode in 0..2 {
        let [solve, crash, twice] = [0, 1, 2].map(|it| &rows[3 * mode + it]["process"]);
        assert_eq!((&solve["wrong"], &solve["missing"]), (&json!(0), &json!(0)), "{out}");
        assert_eq!(solve["failure"], Value::Null, "{out}");
        let failure = crash["failure"].as_str().unwrap();
        assert!(failure.starts_with("crashed: ") || cfg!(not(unix)), "{failure}");
        assert_eq!(twice["wrong"], twice["checked"], "{out}");
    }
    assert!(out.contains("2 solutions counted, expected 1"), "{out}");
    let missing = format!("a={}:no_such_function", name(&library));
    let (code, _, err) = bench(&["--no-engines", "--library", &missing, name(&input)]);
    assert!(code == Some(2) && err.contains("no_such_function"), "{err}");
}

/// Backtracks from the first cell on: enough for an easy puzzle.
const LIBRARY: &str = r#"
fn fits(cells: &[u8; 81], at: usize, digit: u8) -> bool {
    let (row, column) = (at / 9, at % 9);
    (0..9).all(|i| {
        let in_box = row / 3 * 27 + i / 3 * 9 + column / 3 * 3 + i % 3;
        [row * 9 + i, i * 9 + column, in_box].iter().all(|&it| it == at || cells[it] != digit)
    })
}

fn search(cells: &mut [u8; 81], from: usize, limit: usize, found: &mut dyn FnMut(&[u8; 81])) -> usize {
    let Some(at) = (from..81).find(|&at| cells[at] == b'.') else {
        found(cells);
        return 1;
    };
    let mut count = 0;
    for digit in b'1'..=b'9' {
        if count < limit && fits(cells, at, digit) {
            cells[at] = digit;
            count += search(cells, at + 1, limit - count, found);
        }
    }
    cells[at] = b'.';
    count
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn solve(puzzle: *const u8, limit: usize, solution: *mut u8) -> usize {
    let mut cells: [u8; 81] = unsafe { puzzle.cast::<[u8; 81]>().read() };
    search(&mut cells, 0, limit, &mut |found| unsafe { solution.cast::<[u8; 81]>().write(*found) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn crash(puzzle: *const u8, _: usize, _: *mut u8) -> usize {
    std::process::abort();
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn twice(puzzle: *const u8, limit: usize, solution: *mut u8) -> usize {
    2 * unsafe { solve(puzzle, limit, solution) }
}
"#;

/// A signal ends the measurement and the program that runs; so does the end of the measurement by a
/// signal that it cannot handle.
#[cfg(unix)]
#[test]
fn the_program_ends_with_the_measurement() {
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::Duration;
    for (signal, expected) in [("-TERM", Some(143)), ("-KILL", None)] {
        let folder = Folder::new();
        let input = folder.file("a.txt", EASY);
        let number = folder.path("number");
        // The child of the shell is part of the group, too.
        let text = format!("sleep 600 & echo $$ $! > {0}.new; mv {0}.new {0}; wait", name(&number));
        let program = script(&folder, "sleeps", &text);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
        command.args(["bench", "--no-engines", "--time-limit", "500", "--program", &program]);
        command.arg(&input).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        while !number.exists() {
            sleep(Duration::from_millis(10));
        }
        let number = fs::read_to_string(&number).unwrap();
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let (code, _, _) = texts(child.wait_with_output().unwrap());
        assert_eq!(code, expected);
        for process in number.split_whitespace() {
            // It is killed by another process, which may not have had its turn yet.
            let lives = || {
                let kill =
                    Command::new("kill").args(["-0", process]).stderr(Stdio::null()).status();
                let status =
                    fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
                kill.unwrap().success() && !status.contains(") Z ")
            };
            let ended = (0..6000).any(|_| {
                !lives() || {
                    sleep(Duration::from_millis(10));
                    false
                }
            });
            assert!(ended, "{process} still runs after {signal}");
        }
    }
}

/// A program that writes without end is stopped by the size of its output.
#[cfg(unix)]
#[test]
fn a_program_that_writes_without_end_does_not_fill_the_disk() {
    let folder = Folder::new();
    let input = folder.file("a.txt", EASY);
    let words = ["--no-engines", "--modes", "first", "--time-limit", "60"];
    let more = ["--program", "yes=yes", name(&input)];
    let (code, out, _) = bench_in_time(&[&words[..], &more].concat());
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("crashed: killed by signal 25 (SIGXFSZ, too much output)"), "{out}");
}
