//! Everyday use: a puzzle as an argument, grids, exit codes of pipelines, numbers.

use crate::support::{EASY, Folder, NONE, SOLVED, TWO, fed, name, ninefold, no_such_file};
use std::fs;

const GRID: &str = "\
5 3 . | . 7 . | . . .     5 3 4 | 6 7 8 | 9 1 2
6 . . | 1 9 5 | . . .     6 7 2 | 1 9 5 | 3 4 8
. 9 8 | . . . | . 6 .     1 9 8 | 3 4 2 | 5 6 7
------+-------+------     ------+-------+------
8 . . | . 6 . | . . 3     8 5 9 | 7 6 1 | 4 2 3
4 . . | 8 . 3 | . . 1     4 2 6 | 8 5 3 | 7 9 1
7 . . | . 2 . | . . 6     7 1 3 | 9 2 4 | 8 5 6
------+-------+------     ------+-------+------
. 6 . | . . . | 2 8 .     9 6 1 | 5 3 7 | 2 8 4
. . . | 4 1 9 | . . 5     2 8 7 | 4 1 9 | 6 3 5
. . . | . 8 . | . 7 9     3 4 5 | 2 8 6 | 1 7 9

";

#[test]
fn a_puzzle_may_be_an_argument() {
    // In a pipe the format is line.
    let (code, out, err) = fed(&mut ninefold("solve", &[EASY]), "");
    assert_eq!((code, &*out), (Some(0), &*format!("{SOLVED}\n")));
    assert!(err.starts_with("1 puzzle: "), "{err}");
    let (code, out, _) = fed(&mut ninefold("solve", &["--unique", "-q", EASY, NONE]), "");
    assert_eq!(code, Some(1));
    assert_eq!(out, format!("{SOLVED}\n# <argument>: line 1: no solution\n"));
    // A sukaku, whose 729 characters are too long for the name of a file.
    let (code, out, _) = fed(&mut ninefold("solve", &["-q", &"123456789".repeat(81)]), "");
    assert_eq!((code, out.len()), (Some(0), 82));
    let (code, out, _) = fed(&mut ninefold("verify", &["-q", "--show-two", TWO]), "");
    assert_eq!(code, Some(1));
    assert!(out.starts_with("<argument>:1: more than one solution: "), "{out}");
}

#[test]
fn a_file_with_the_name_of_a_puzzle_is_read() {
    let folder = Folder::new();
    folder.file(EASY, format!("{NONE}\n"));
    let mut program = ninefold("solve", &["-q", EASY]);
    let (code, out, _) = fed(program.current_dir(folder.path("")), "");
    assert_eq!((code, &*out), (Some(1), "# line 1: no solution\n"));
}

#[test]
fn a_puzzle_with_a_slip_is_no_missing_file_alone() {
    let wrong = EASY.replacen("53", "5x", 1);
    let (code, _, err) = fed(&mut ninefold("solve", &[&wrong]), "");
    assert_eq!(code, Some(2));
    let reason = "no such file, and no puzzle: column 2: expected 1 to 9, '.' or '0', found 'x'";
    assert_eq!(err, format!("ninefold: {wrong}: {reason}\n"));
    for (short, found) in [("53..7", 5), (&EASY[1..], 80), (&"53.".repeat(20), 60), ("17", 2)] {
        let (code, _, err) = fed(&mut ninefold("solve", &[short]), "");
        let reason = format!("no such file, and no puzzle: expected 81 cells, found {found}");
        assert_eq!((code, err), (Some(2), format!("ninefold: {short}: {reason}\n")));
    }
    let (_, _, err) = fed(&mut ninefold("solve", &["puzzles.txt"]), "");
    assert!(err.contains(&no_such_file()) && !err.contains("no puzzle"), "{err}");
}

#[cfg(unix)] // Windows has other quotes.
#[test]
fn an_address_is_refused() {
    let reason = "addresses are not read: download the file, then name it";
    for address in
        ["https://example.org/17.txt?raw=true", "s3://bucket/17.gz", "hf://datasets/a/b.csv"]
    {
        for words in [&[address][..], &[EASY, "--against", address]] {
            let command = if words.len() == 1 { "solve" } else { "verify" };
            let (code, _, err) = fed(&mut ninefold(command, words), "");
            assert_eq!((code, err.contains(reason)), (Some(2), true), "{err}");
        }
    }
}

#[test]
fn a_grid_tells_clues_from_found_digits() {
    let (code, out, _) = fed(&mut ninefold("solve", &["-q", "--format", "grid"]), EASY);
    assert_eq!((code, &*out), (Some(0), GRID));
    let words = ["-q", "--format", "grid", "--color", "always", EASY];
    let (_, out, _) = fed(ninefold("solve", &words).env("NO_COLOR", "1"), "");
    assert!(out.starts_with("\u{1b}[1m5\u{1b}[0m \u{1b}[1m3\u{1b}[0m \u{1b}[32m4\u{1b}[0m | "));
    assert_eq!([out.matches("\u{1b}[1m").count(), out.matches("\u{1b}[32m").count()], [30, 51]);
    let plain: String = out.replace("\u{1b}[1m", "").replace("\u{1b}[32m", "");
    let plain = plain.replace("\u{1b}[0m", "");
    assert_eq!(plain.lines().next(), Some("5 3 4 | 6 7 8 | 9 1 2"));
    let (_, out, _) = fed(&mut ninefold("solve", &["-q", "--format", "grid", "--unique"]), TWO);
    assert_eq!(out, "# line 1: more than one solution\n");
}

#[test]
fn exit_code_1_can_be_0_and_no_other_code() {
    for command in ["solve", "verify"] {
        let code = |words: &[&str]| fed(&mut ninefold(command, words), NONE).0;
        assert_eq!(code(&["-q"]), Some(1));
        assert_eq!(code(&["-q", "--exit-zero"]), Some(0));
        assert_eq!(code(&["-q", "--exit-zero", "no-such-file"]), Some(2));
    }
    let words =
        ["-q", "--exit-zero", "--grade", "naked-singles", "--clues", "19", "--attempts", "3"];
    assert_eq!(fed(&mut ninefold("generate", &words), "").0, Some(0));
    assert_eq!(fed(&mut ninefold("generate", &[&words[..1], &words[2..]].concat()), "").0, Some(1));
}

/// `--resume` says first which command or which file differs, and which input it does not know.
#[test]
fn a_complete_output_of_another_run_is_refused_in_the_words_of_the_user() {
    let folder = Folder::new();
    let output = folder.path("o.txt");
    let (one, other) = (folder.file("a.txt", EASY), folder.file("b.txt", format!("\n{EASY}")));
    let run = |command: &str, input: &str, text: &str| {
        let words = ["-q", input, "-o", name(&output), "--resume"];
        let (code, _, err) = fed(&mut ninefold(command, &words), text);
        (code.unwrap(), err)
    };
    assert_eq!(run("solve", name(&one), ""), (0, String::new()));
    let log = format!("ninefold: {}.partial.log: is of another run", output.display());
    let files =
        format!("inputs, 1, name was \"{}\", and is \"{}\"", one.display(), other.display());
    assert_eq!(
        run("solve", name(&other), ""),
        (2, format!("{log}: {files}; --force begins anew\n"))
    );
    let commands = "command was \"solve\", and is \"rate\"";
    assert_eq!(
        run("rate", name(&one), ""),
        (2, format!("{log}: {commands}; --force begins anew\n"))
    );
    fs::remove_file(&output).unwrap();
    fs::remove_file(crate::support::log_path(&output)).unwrap();
    assert_eq!(run("solve", "-", EASY), (0, String::new()));
    let (code, said) = run("solve", "-", crate::support::SOLVED);
    assert!(code == 0 && said.ends_with(": nothing to do; the pipe is not compared\n"), "{said}");
}
