//! The built program.

use super::support::{Folder, SOLVED};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn generate(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
    command.arg("generate").args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_seed_is_said_and_can_be_given_again() {
    let first = generate(&["-n", "20"]);
    assert_eq!(first.status.code(), Some(0));
    let seed = text(&first.stderr).trim_end().rsplit_once("seed ").unwrap().1;
    let again = generate(&["--count", "20", "--seed", seed, "-q", "-j", "3"]);
    assert_eq!((&again.stdout, text(&again.stderr)), (&first.stdout, ""));
    assert_eq!(text(&first.stdout).lines().count(), 20);
    assert_ne!(generate(&["-n", "20"]).stdout, first.stdout);
}

#[test]
fn what_is_not_as_asked_for_is_said_and_given() {
    let run = generate(&["-n", "2", "--clues", "17", "--attempts", "10", "--seed", "1"]);
    assert_eq!(run.status.code(), Some(1));
    assert_eq!(text(&run.stdout).lines().count(), 2);
    let said =
        "2 puzzles not with the clues asked for: the nearest of 10 grids each (--attempts)\n";
    assert!(text(&run.stderr).starts_with(said), "{}", text(&run.stderr));
}

#[test]
fn the_statistics_say_how_it_went() {
    let folder = Folder::new();
    let (stats, out) = (folder.path("stats.json"), folder.path("out.txt"));
    let words = ["-n", "50", "--seed", "1", "-o", name(&out), "--stats-json", name(&stats)];
    assert_eq!(generate(&words).status.code(), Some(0));
    let stats: serde_json::Value = serde_json::from_slice(&fs::read(stats).unwrap()).unwrap();
    assert_eq!((&stats["puzzles"], &stats["seed"]), (&50.into(), &1.into()));
    let counts = stats["clues"].as_object().unwrap().values();
    assert_eq!(counts.map(|count| count.as_u64().unwrap()).sum::<u64>(), 50);
    assert_eq!(fs::read_to_string(out).unwrap().lines().count(), 50);
}

#[test]
fn grids_and_puzzles_are_read_and_never_written_over() {
    let folder = Folder::new();
    let grids = folder.file("grids.txt", format!("{SOLVED}\nno grid\n"));
    let run = generate(&["--from", name(&grids), "-n", "2", "--seed", "1"]);
    assert_eq!((run.status.code(), text(&run.stdout).lines().count()), (Some(1), 2));
    assert!(text(&run.stderr).contains("grids.txt: line 2: "), "{}", text(&run.stderr));
    for option in ["--from", "--transform"] {
        let run = generate(&[option, name(&grids), "-o", name(&grids)]);
        assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), ""));
    }
    assert!(fs::read_to_string(&grids).unwrap().starts_with(SOLVED));
}

#[test]
fn a_pattern_is_not_written_over_nor_what_is_read_under_the_name_of_a_part() {
    let folder = Folder::new();
    let pattern = folder.file("pattern", format!("{SOLVED}\n"));
    let partial = folder.file("out.partial", format!("{SOLVED}\n"));
    let (frame, out) = (name(&pattern), folder.path("out"));
    for words in [
        &["--pattern", frame, "-o", frame, "--force"][..],
        &["--pattern", frame, "--stats-json", frame],
        &["--transform", name(&partial), "-o", name(&out), "--force"],
        &["--from", name(&partial), "--stats-json", name(&out)],
    ] {
        let run = generate(words);
        assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), ""), "{words:?}");
        assert!(text(&run.stderr).contains("is also read"), "{}", text(&run.stderr));
    }
    for file in [&pattern, &partial] {
        assert_eq!(fs::read_to_string(file).unwrap(), format!("{SOLVED}\n"));
    }
}

#[test]
fn what_contradicts_itself_is_refused() {
    for words in [
        &["--easy", "--needs-search"][..],
        &["--clues", "16"],
        &["--clues", "30", "--pattern", SOLVED],
        &["--transform", "x", "--minimal"],
        &["--from", "x", "--transform", "x"],
        &["--attempts", "0"],
        &["--pattern", "no such file"],
        &["--from", "no such file"],
    ] {
        let run = generate(words);
        assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), ""), "{words:?}");
    }
}

/// What is made is read back and solved as it was written, in every format.
#[test]
fn every_format_is_read_back_by_solve() {
    let folder = Folder::new();
    let of =
        |format: &str| ["-n", "30", "--seed", "2", "-q", "--format", format].map(str::to_owned);
    for format in ["line", "pair", "csv", "jsonl"] {
        let words = of(format);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let made = generate(&words);
        let file = folder.file(&format!("made-{format}"), &made.stdout);
        let solve = |more: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_ninefold"));
            command.args(["solve", "--unique", "-q"]).args(more).arg(&file).output().unwrap()
        };
        let solved = solve(&["--format", "pair"]);
        assert_eq!(solved.status.code(), Some(0), "{format}");
        assert_eq!(solved.stdout, generate(&[&words[..5], &["--with-solution"]].concat()).stdout);
        if format == "csv" {
            let table = text(&made.stdout).to_owned();
            assert!(table.starts_with("line,status,solutions,puzzle,solution\n1,unique,1,"));
            assert_eq!(table.lines().count(), 31);
        }
    }
    let blanks = generate(&["-n", "3", "--seed", "2", "--blank", "0"]);
    assert_eq!(
        text(&blanks.stdout).replace('0', "."),
        text(&generate(&["-n", "3", "--seed", "2"]).stdout)
    );
}
