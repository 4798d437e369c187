//! What people on Windows expect: patterns that no shell expands, devices without a folder, names in any spelling.
#![cfg(windows)]

use crate::bench::bench;
use crate::support::{EASY, Folder, HARD, Run, json_of, name, ninefold, texts};
use std::env;
use std::fs::{self, File};
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// A run in this folder.
fn run(folder: &Folder, command: &str, words: &[&str]) -> Run {
    let mut program = ninefold(command, words);
    texts(program.current_dir(folder.path("")).output().unwrap())
}

#[test]
fn patterns_stand_for_the_files_that_match() {
    let folder = Folder::new();
    fs::create_dir(folder.path("d[1]")).unwrap();
    for (file, text) in [("b.txt", HARD), ("A.TXT", EASY), ("d[1]/c.txt", EASY), ("e.csv", HARD)] {
        folder.file(file, format!("{text}\n"));
    }
    let solved = |words: &[&str]| run(&folder, "solve", &[&["-q"], words].concat());
    for (pattern, files) in [
        ("*.txt", &["A.TXT", "b.txt"][..]),
        (r".\?.*", &["A.TXT", "b.txt", "e.csv"]),
        (r"D[1]\*", &[r"d[1]\c.txt"]),
        ("d[1]/?.txt", &["d[1]/c.txt"]),
    ] {
        let (expected, found) = (solved(files), solved(&[pattern]));
        assert_eq!((found.0, found.1), (Some(0), expected.1), "{pattern}: {}", found.2);
    }
    let (code, _, err) = run(&folder, "verify", &["-q", "b.txt", "--against", "b*"]);
    assert_eq!(code, Some(1), "{err}");
    for (command, words) in [("solve", &["no*.txt"][..]), ("merge", &["no*.txt"])] {
        let (code, _, err) = run(&folder, command, words);
        assert_eq!((code, &*err), (Some(2), "ninefold: no*.txt: no file matches\n"));
    }
    let stars = EASY.replace('.', "*");
    assert_eq!(solved(&[&stars]).0, Some(0));
    let err = solved(&[&stars[1..]]).2;
    assert!(err.contains("no such file, and no puzzle: expected 81 cells, found 80"), "{err}");
}

#[test]
fn devices_are_read_and_written_directly() {
    let folder = Folder::new();
    folder.file("a.txt", EASY);
    let refused = "takes a file: what went to a device or a pipe is lost";
    for (words, code, message) in [
        (&["a.txt", "-o", "nul"][..], 0, "1 solved"),
        (&["a.txt", "-o", "NUL", "--force", "--rejects", r".\nul"], 0, "1 solved"),
        (&["a.txt", "-o", "nul", "--resume"], 2, refused),
        (&["nul"], 2, "nul: no puzzle found: the input has no records"),
    ] {
        let (found, _, err) = run(&folder, "solve", words);
        assert!(found == Some(code) && err.contains(message), "{words:?}: {err}");
    }
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 1);
}

#[test]
fn an_output_is_known_in_any_spelling() {
    let folder = Folder::new();
    let input = folder.file("in.txt", EASY);
    fs::hard_link(&input, folder.path("hard.txt")).unwrap();
    let taken = "is also read, or written to, by this run";
    for words in [
        ["-o", "IN.TXT"],
        ["-o", "in.txt."],
        ["-o", r"sub\..\in.txt"],
        ["--stats-json", "hard.txt"],
    ] {
        let (code, _, err) = run(&folder, "solve", &[&["in.txt", "--force"], &words[..]].concat());
        assert!(code == Some(2) && err.contains(taken), "{words:?}: {err}");
    }
    for other in ["NEW.txt", "new.txt.", "New.TXT.partial", r".\new.txt "] {
        let words = ["in.txt", "-o", "new.txt", "--rejects", other];
        let (code, _, err) = run(&folder, "solve", &words);
        assert!(code == Some(2) && err.contains(taken), "{other}: {err}");
    }
    assert_eq!(fs::read_to_string(&input).unwrap(), EASY);
}

#[test]
fn standard_input_may_be_a_file() {
    let folder = Folder::new();
    let input = folder.file("in.txt", format!("{EASY}\n{HARD}\n"));
    let redirected = |words: &[&str], file: &Path| {
        let mut program = ninefold("solve", words);
        texts(program.stdin(File::open(file).unwrap()).output().unwrap())
    };
    let shards = ["1/2", "2/2"].map(|shard| redirected(&["-q", "--shard", shard], &input));
    let whole = redirected(&["-q"], &input).1;
    assert_eq!(shards[0].1.clone() + &shards[1].1, whole, "{shards:?}");
    if cfg!(feature = "parquet") {
        let parquet = folder.path("a.parquet");
        let words = ["-q", "--unique", name(&input), "-o", name(&parquet)];
        assert_eq!(texts(ninefold("solve", &words).output().unwrap()).0, Some(0));
        assert_eq!(redirected(&["-q", "--format", "line"], &parquet).1, whole);
    }
}

#[test]
fn the_machine_is_named() {
    let (code, out, _) = run(&Folder::new(), "env", &[]);
    assert_eq!(code, Some(0));
    for (fact, begins) in [("CPU:", ""), ("memory:", ""), ("system:", "Windows")] {
        let line = out.lines().find_map(|line| line.strip_prefix(fact)).map(str::trim);
        assert!(line.is_some_and(|line| !line.is_empty() && line.starts_with(begins)), "{out}");
    }
}

#[test]
fn a_program_that_is_measured_has_backslashes() {
    let folder = Folder::new();
    let (input, json) = (folder.file("in.txt", EASY), folder.path("a.json"));
    let (code, _, err) = bench(&["--program", r"a=C:\no\such.exe {input}", name(&input)]);
    let message = r"ninefold: --program a: C:\no\such.exe: it did not start: ";
    assert!(code == Some(2) && err.contains(message) && !err.contains("os error"), "{err}");
    let program = format!("--program=own=\"{}\" solve {{input}}", env!("CARGO_BIN_EXE_ninefold"));
    let words = ["--engines", "lanes", "--seconds", "5", "-q", &program, "--export", name(&json)];
    let (code, out, err) = bench(&[&words[..], &[name(&input)]].concat());
    assert_eq!((code, &*err), (Some(0), ""), "{out}");
    let rounds = &json_of(&json)["rows"][1]["rounds"];
    assert!(rounds.as_array().is_some_and(|rounds| !rounds.is_empty()), "{rounds}");
}

/// The measured program starts another one, which writes on when the first has ended.
#[test]
fn what_a_program_has_started_ends_with_it() {
    let folder = Folder::new();
    let (input, endless) = (folder.file("in.txt", EASY), folder.path("endless.txt"));
    // cmd.exe takes `/` for an option.
    let own = env!("CARGO_BIN_EXE_ninefold").replace('/', r"\");
    let text = format!(
        "@start /b \"\" \"{own}\" generate -n 1e9 -q --force -o \"{}\"\n@ping -n 3 127.0.0.1\n",
        name(&endless)
    );
    let script = folder.file("script.bat", text);
    let program = format!("--program=tree=cmd /c \"{}\"", name(&script));
    let words = ["--engines", "lanes", "--seconds", "5", "-q", &program, name(&input)];
    let (code, out, err) = bench(&words);
    assert!(code == Some(1) && out.contains("answers wrong: 0, missing: "), "{out}{err}");
    let length = || fs::metadata(folder.path("endless.txt.partial")).unwrap().len();
    let before = length();
    sleep(Duration::from_secs(1));
    assert!(before > 0 && length() == before);
}

/// Code 1 is that of puzzles without one solution.
#[test]
fn the_first_minute_runs_in_cmd() {
    let (folder, root) = (Folder::new(), Path::new(env!("CARGO_MANIFEST_DIR")));
    fs::create_dir(folder.path("data")).unwrap();
    for list in ["easy", "minimal"] {
        let list = format!("data/{list}.txt");
        fs::copy(root.join(&list), folder.path(&list)).unwrap();
    }
    let document = fs::read_to_string(root.join("docs/windows.md")).unwrap();
    let tasks = document.split("```bat\n").nth(1).unwrap().split("```").next().unwrap();
    let own = Path::new(env!("CARGO_BIN_EXE_ninefold")).parent().unwrap();
    let path = format!("{};{}", own.display(), env::var("PATH").unwrap());
    assert!(tasks.lines().count() > 10, "{tasks}");
    for task in tasks.lines() {
        let mut cmd = Command::new("cmd");
        cmd.raw_arg(format!("/c {task}")).current_dir(folder.path("")).env("PATH", &path);
        let (code, _, err) = texts(cmd.output().unwrap());
        assert!(code == Some(0) || code == Some(1), "{task}: {err}");
    }
    for made in ["easy.csv", "new.txt", "forms.txt", "rated.csv", "more.csv", "part1.txt"] {
        let made = format!("out/{made}");
        assert!(fs::metadata(folder.path(&made)).unwrap().len() > 1000, "{made}");
    }
}
