//! The built program: what it writes, what it says, and its exit code.

use crate::faults::{Run, assert_refused, ninefold, run_with};
use crate::support::{
    EASY, Folder, ILLEGAL, NONE, SOLVED, TWO, assert_counts, json_of, name, no_such_file,
};
use ninefold::engine::lanes::SimdLevel;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Runs `ninefold solve` with these words, and these bytes for standard input.
fn solve_bytes(words: &[&str], input: &[u8]) -> Run {
    run_with(ninefold().arg("solve").args(words), input)
}

fn solve(words: &[&str]) -> Run {
    solve_bytes(words, b"")
}

#[test]
fn the_exit_code_is_0_if_every_puzzle_is_answered() {
    assert_eq!(solve_bytes(&["-q"], EASY.as_bytes()).code, Some(0));
    assert_eq!(solve_bytes(&["-q"], TWO.as_bytes()).code, Some(0));
    assert_eq!(solve_bytes(&["-q", "--unique"], TWO.as_bytes()).code, Some(1));
    assert_eq!(solve_bytes(&["-q", "--limit", "9"], TWO.as_bytes()).out, "# line 1: 2 solutions\n");
    // A program may have nothing to ask. A text without a puzzle is an error.
    let nothing = Run { code: Some(0), out: String::new(), err: String::new() };
    assert_eq!(solve_bytes(&["-q", "--lines"], b""), nothing);
    let comment = "# nothing but words";
    let begins = format!("; the input begins with \"{comment}\"");
    for (text, begins) in [("\n\r\n", ""), (comment, &*begins)] {
        let err = format!("ninefold: no puzzle found{begins}\n");
        let expected = Run { code: Some(2), out: String::new(), err };
        assert_eq!(solve_bytes(&["-q", "--lines"], text.as_bytes()), expected);
    }
}

#[test]
fn a_regular_file_as_standard_input_is_read_from_where_it_stands() {
    let folder = Folder::new();
    let mut file = File::open(folder.file("a.txt", format!("a title\n{EASY}\n"))).unwrap();
    file.read_exact(&mut [0; 8]).unwrap();
    let output = ninefold().args(["solve", "-q"]).stdin(file).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{SOLVED}\n"));
}

/// The shell's `(ninefold solve; cat) < file`, and `ninefold solve - - < file`.
#[test]
fn standard_input_is_read_once_mapped_or_not() {
    let folder = Folder::new();
    let path = folder.file("a.txt", format!("{EASY}\n"));
    for more in [&[][..], &["--no-mmap"]] {
        let mut file = File::open(&path).unwrap();
        let stdin = file.try_clone().unwrap();
        // The second one is empty, which --lines allows.
        let words = [&["solve", "-q", "--lines", "-", "-"], more].concat();
        let output = ninefold().args(words).stdin(stdin).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{SOLVED}\n"), "{more:?}");
        let mut rest = String::new();
        file.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "{more:?}");
    }
}

/// A shell's usual limit is 1,024 open files; here it is 64.
#[cfg(unix)]
#[test]
fn there_may_be_more_inputs_than_open_files() {
    let folder = Folder::new();
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_ninefold");
    command.args(["-c", "ulimit -n 64 && exec \"$0\" solve -q --no-mmap \"$@\"", program]);
    command.args((0..100).map(|number| folder.file(&number.to_string(), EASY)));
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{SOLVED}\n").repeat(100));
}

#[test]
fn inputs_that_cannot_be_read_are_refused_before_the_output_is_touched() {
    let folder = Folder::new();
    let good = folder.file("good.txt", EASY);
    let output = folder.file("out.txt", "precious");
    let missing = folder.path("missing.txt");
    let directory = folder.path("");
    let refused = |bad: &Path, cause: &str| {
        let run = solve(&[name(&good), name(bad), "-o", name(&output)]);
        assert_refused(&run, &format!("{}: {cause}", name(bad).replace('\n', "\u{fffd}")));
        assert_eq!(fs::read_to_string(&output).unwrap(), "precious");
    };
    refused(&missing, &no_such_file());
    // No name on Windows.
    #[cfg(unix)]
    refused(&folder.path("two\nlines"), &no_such_file());
    refused(&directory, "is a directory");
    for option in ["-o", "--stats-json", "--rejects"] {
        let words = [name(&good), "-o", name(&missing), option, name(&directory)];
        let words = if option == "-o" { &words[..1] } else { &words[..3] };
        let run = solve(&[words, &[option, name(&directory)]].concat());
        assert_refused(&run, &format!("{}: is a directory", name(&directory)));
    }
    let locked = folder.file("locked.txt", EASY);
    #[cfg(unix)]
    fs::set_permissions(&locked, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    // Root may read it nevertheless.
    if File::open(&locked).is_err() {
        refused(&locked, "Permission denied");
    }
}

#[test]
fn an_output_that_cannot_be_made_is_an_error() {
    let folder = Folder::new();
    let output = folder.path("no/such/folder");
    let refusal = |path: &str, folder: &str| format!("{path}: the folder {folder} does not exist");
    let missing = refusal(name(&output), name(output.parent().unwrap()));
    let run = solve_bytes(&["-o", name(&output)], EASY.as_bytes());
    assert_refused(&run, &missing);
    if cfg!(unix) {
        let run = solve_bytes(&["-o", "no\nsuch/folder"], EASY.as_bytes());
        assert_refused(&run, &refusal("no\u{fffd}such/folder", "no\u{fffd}such"));
    }
    let precious = folder.file("precious.txt", "precious");
    let words = ["-o", name(&precious), "--force", "--stats-json", name(&output)];
    let run = solve_bytes(&words, EASY.as_bytes());
    assert_refused(&run, &missing);
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_over_what_is_read() {
    let folder = Folder::new();
    let input = folder.file("in.txt", EASY);
    let (hard, soft) = (folder.path("hard.txt"), folder.path("soft.txt"));
    fs::hard_link(&input, &hard).unwrap();
    std::os::unix::fs::symlink(&input, &soft).unwrap();
    let dotted = folder.path("./in.txt");
    for path in [&input, &hard, &soft, &dotted] {
        let message = format!("{}: is also read, or written to, by this run", path.display());
        for option in ["-o", "--stats-json"] {
            assert_refused(&solve(&[name(&input), option, name(path)]), &message);
            let stdin = File::open(&input).unwrap();
            let words = ["solve", option, name(path)];
            let output = ninefold().args(words).stdin(stdin).output().unwrap();
            assert_eq!(output.status.code(), Some(2));
        }
        assert_eq!(fs::read_to_string(&input).unwrap(), EASY);
    }
    let both = folder.path("new.txt");
    let run = solve(&[name(&input), "-o", name(&both), "--stats-json", name(&both)]);
    assert_refused(&run, &format!("{}: is also read, or written to, by this run", both.display()));
    assert!(!both.exists());
    // Standard output appended to the input, as a shell does it with `>>`.
    let stdout = File::options().append(true).open(&input).unwrap();
    let output = ninefold().arg("solve").arg(&input).stdout(stdout).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&input).unwrap(), EASY);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_is_told() {
    let run = solve_bytes(&["-o", "/dev/full"], EASY.as_bytes());
    assert_refused(&run, "/dev/full: No space left on device");
    let full = File::options().write(true).open("/dev/full").unwrap();
    let folder = Folder::new();
    let input = folder.file("in.txt", EASY);
    let output = ninefold().arg("solve").arg(input).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.ends_with("\nninefold: <stdout>: No space left on device\n"), "{err}");
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let folder = Folder::new();
    let text = format!("{SOLVED}\n").repeat(100_000);
    let input = folder.file("in.txt", text);
    let mut command = ninefold();
    command.args(["solve", "-q"]).arg(&input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0; 82]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    let mut command = ninefold();
    let mut child = command.arg("engines").stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_statistics_are_one_json_object() {
    let folder = Folder::new();
    let input = folder.file("in.txt", format!("{EASY}\n{NONE}\n{TWO}\n{ILLEGAL}\n1\n#\n"));
    // Longer than what is written: it has to go.
    let stats = folder.file("stats.json", "x".repeat(100_000));
    let words = ["--unique", "-q", "-j2", name(&input), "--force", "--stats-json", name(&stats)];
    assert_eq!(solve(&words).code, Some(1));
    let object = json_of(&stats);
    let counts = "puzzles 5, lines 6, unique 1, solved 0, multiple 1, none 1, conflict 1, \
                  malformed 1, bytes 332, threads 2, limit 2";
    assert_counts(&object, counts);
    assert_eq!(object["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(object["arguments"][0], "solve");
    assert_eq!(object["inputs"][0]["name"], name(&input));
    assert_eq!(object["inputs"][0]["puzzles"], 5);
    assert!(object["cpu_features"].is_array() && object["seconds"].is_f64());
    assert!(object["solve_seconds"].as_f64().unwrap() > 0.0);
    assert!(object["puzzles_per_second"].is_u64() && object["megabytes_per_second"].is_f64());
}

/// The rest of standard input comes late, or standard output is read late.
#[test]
fn the_statistics_say_what_a_run_waited_for() {
    let (folder, text) = (Folder::new(), format!("{EASY}\n").repeat(10_000));
    let (stats, output) = (folder.path("stats.json"), folder.path("out.txt"));
    for (key, of) in [("waited_seconds", "input"), ("serial_seconds", "output")] {
        let mut command = ninefold();
        command.args(["solve", "-q", "-j1", "-f", "--stats-json", name(&stats)]);
        if of == "input" {
            command.arg("-o").arg(&output);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut input, mut read) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let late = Duration::from_millis(300);
        let reader = thread::spawn(move || {
            thread::sleep(late);
            io::copy(&mut read, &mut io::sink()).unwrap()
        });
        // More than the head, and than a pipe holds.
        input.write_all(text.as_bytes()).unwrap();
        thread::sleep(late);
        drop(input);
        reader.join().unwrap();
        assert!(child.wait().unwrap().success());
        let object = json_of(&stats);
        let seconds = |key: &str, of: &str| object[key][of].as_f64().unwrap();
        assert!(seconds(key, of) > 0.2, "{key}, {of}: {object}");
        assert!(seconds("waited_seconds", "turn") < 0.2, "{object}");
    }
}

#[test]
fn the_statistics_may_go_to_standard_output_if_the_records_do_not() {
    let folder = Folder::new();
    let records = folder.path("out.txt");
    let words = ["-q", "--stats-json", "-", "-o", name(&records)];
    let run = solve_bytes(&words, EASY.as_bytes());
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &object["solved"]), (Some(0), &1.into()));
    let run = solve_bytes(&["--stats-json", "-"], EASY.as_bytes());
    let reason = "standard output is taken, so the statistics cannot go there";
    assert_refused(&run, &format!("--stats-json -: {reason}"));
}

#[test]
fn what_was_not_looked_for_is_not_said_to_be_none() {
    let summary = |words: &[&str]| solve_bytes(words, TWO.as_bytes()).err;
    let line = "\n1 puzzle: 1 solved, 0 none, 0 conflict, 0 malformed; \
                uniqueness not checked (use --unique)\n";
    assert!(summary(&[]).contains(line), "{}", summary(&[]));
    assert!(summary(&["--unique"]).contains("\n1 puzzle: 0 unique, 1 multiple, "));
}

#[test]
fn a_number_out_of_range_is_refused_with_the_range() {
    for words in [["--threads", "many"], ["-j", "-1"], ["-j", "1025"]] {
        let run = solve(&words);
        assert!(run.err.contains(": expected a whole number from 0 to 1,024\n"), "{}", run.err);
        assert_eq!((run.code, &*run.out), (Some(2), ""), "{words:?}");
    }
    for number in ["0", "-3", "all", "18446744073709551616"] {
        let run = solve(&["--limit", number]);
        assert!(run.err.contains(": expected a whole number from 1 to "), "{}", run.err);
        assert_eq!((run.code, &*run.out), (Some(2), ""), "{number}");
    }
    let both = solve(&["--limit", "2", "--unique"]);
    assert!(both.code == Some(2) && both.err.contains("cannot be used with"), "{}", both.err);
}

/// Which of the levels the CPU lacks depends on it; here each is either taken or refused.
#[test]
fn a_simd_level_is_used_and_named_or_refused_with_those_there_are() {
    let folder = Folder::new();
    let stats = folder.path("stats.json");
    for level in SimdLevel::NAMES {
        let words = ["-j1", "--simd", level, "--force", "--stats-json", name(&stats)];
        let run = solve_bytes(&words, EASY.as_bytes());
        let Ok(has) = level.parse::<SimdLevel>() else {
            assert_eq!((run.code, &*run.out), (Some(2), ""), "{run:?}");
            assert!(run.err.contains("this CPU has portable"), "{}", run.err);
            continue;
        };
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.err.ends_with(&format!(", engine lanes ({level})\n")), "{}", run.err);
        let object = json_of(&stats);
        assert_eq!((&object["engine"], &object["simd"]), (&"lanes".into(), &level.into()));
        assert_eq!(object["cpu_features"], serde_json::json!(has.features()), "{level}");
    }
    let said = solve(&["--simd", "mmx"]).err;
    assert!(said.contains("[possible values: portable, avx2, avx512, neon]"), "{said}");
}

#[test]
fn engines_are_listed_with_a_line_each() {
    let output = ninefold().arg("engines").output().unwrap();
    let list = String::from_utf8(output.stdout).unwrap();
    assert_eq!(list.lines().count(), ninefold::engine::EngineKind::ALL.len());
    assert_eq!(list.matches("(the default)").count(), 1);
    assert!(list.starts_with("scan "));
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_of_the_system_loses_its_number_and_a_file_keeps_its_name() {
    let folder = Folder::new();
    let input = folder.file("in.txt", EASY);
    let exists = folder.file("o (os error 5) z.txt", "precious");
    let run = solve(&[name(&input), "-o", name(&exists)]);
    assert_refused(&run, &format!("{}: exists; --force replaces it", name(&exists)));
    // A file is no folder.
    let within = folder.path("in.txt/o (os error 5) z.txt");
    let run = solve(&[name(&input), "-o", name(&within)]);
    assert_refused(&run, &format!("{}: Not a directory", name(&within)));
}
