//! Help texts, topics, the version, man pages and completions.

use crate::support::{Folder, fed, ninefold};
use std::fs;
use std::process::Command;

/// Runs the program with these words on 80 columns, and gives its standard output.
fn text(words: &[&str]) -> String {
    let mut program = ninefold(words[0], &words[1..]);
    let (code, out, err) = fed(program.env("COLUMNS", "80"), "");
    assert_eq!((code, &*err), (Some(0), ""), "{words:?}");
    out
}

/// The commands, as the program lists them.
fn commands() -> Vec<String> {
    let text = text(&["--help"]);
    let list = text.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let lines = list.lines().filter(|line| !line.starts_with("   "));
    let names: Vec<_> = lines.map(|it| it.split_whitespace().next().unwrap().to_owned()).collect();
    assert!(names.len() >= 10 && names.contains(&"solve".to_owned()), "{names:?}");
    names
}

#[test]
fn help_is_short_and_fits_in_80_columns() {
    for command in commands() {
        let short = text(&[&command, "-h"]);
        let long = text(&[&command, "--help"]);
        let topic = text(&["help", &command]);
        assert_eq!(long, topic, "{command}");
        assert!(short.lines().count() <= 60, "{command}: {} lines", short.lines().count());
        assert!(long.lines().count() <= 150, "{command}: {} lines", long.lines().count());
        for line in short.lines().chain(long.lines()) {
            assert!(line.chars().count() <= 80, "{command}: {line}");
        }
        assert!(!long.contains("\n\n\n"), "{command}: {long}");
        let paragraphs = long.split("Usage:").next().unwrap().trim().split("\n\n").count();
        assert!(paragraphs == 2 || short.lines().count() < 25, "{command} has no description");
    }
}

#[test]
fn the_topic_formats_names_every_format_status_and_fault() {
    use ninefold::names::Named;
    let text = text(&["help", "formats"]);
    assert!(!text.contains("help formats"), "it refers to itself");
    let mut names: Vec<_> = ninefold::Status::ALL.iter().map(|it| it.name()).collect();
    names.extend(ninefold::output::Format::ALL.iter().map(|it| it.name()));
    names.extend(<ninefold::verify::Finding as Named>::ALL.iter().map(|it| it.name()));
    for name in names {
        assert!(text.contains(&format!("\n  {name} ")), "{name}");
    }
    assert!(text.contains("EXIT CODES") && text.lines().all(|line| line.chars().count() <= 80));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for status in ninefold::Status::ALL {
        assert!(words.contains(&format!("{status} {}", status.summary())), "{status}: {text}");
    }
    let (code, _, err) = fed(&mut ninefold("help", &["formts"]), "");
    assert_eq!(code, Some(2));
    assert!(err.starts_with("ninefold: ") && err.contains("'formats'"), "{err}");
}

#[test]
fn the_version_lists_features_and_simd_levels() {
    let mut features = "cli".to_owned();
    if cfg!(feature = "compression") {
        features += ", compression";
    }
    if cfg!(feature = "parquet") {
        features += ", parquet";
    }
    let short = format!("ninefold {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(text(&["-V"]), short);
    let long = text(&["--version"]);
    let best = ninefold::engine::lanes::SimdLevel::best();
    assert!(long.starts_with(&short), "{long}");
    assert!(long.contains(&format!("\nfeatures: {features}\n")), "{long}");
    assert!(text(&["env"]).contains(&format!(", features {features}\n")));
    assert!(long.contains(&format!("\nSIMD:     {best} (available: portable")), "{long}");
}

#[test]
fn a_bug_report_has_version_cpu_and_system() {
    let text = text(&["env"]);
    for name in ["version:", "build:", "target:", "CPU:", "SIMD:", "system:", "stdout:"] {
        let line = text.lines().find(|line| line.starts_with(name)).expect(name);
        assert!(!line[name.len()..].trim().is_empty(), "{line}");
    }
}

#[test]
fn every_command_has_a_man_page() {
    let folder = Folder::new();
    let pages = folder.path("man");
    let (code, _, err) = fed(&mut ninefold("man", &[pages.to_str().unwrap()]), "");
    assert_eq!(code, Some(0), "{err}");
    for command in commands() {
        let page = fs::read_to_string(pages.join(format!("ninefold-{command}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains(".SH SYNOPSIS"), "{command}");
    }
    let page = fs::read_to_string(pages.join("ninefold.1")).unwrap();
    assert!(page.contains("ninefold\\-solve(1)"), "{page}");
    let solve = fs::read_to_string(pages.join("ninefold-solve.1")).unwrap();
    for option in ["unique", "output", "format", "shard"] {
        assert!(solve.contains(&format!("\\-\\-{option}")), "{option}");
    }
    assert_eq!(solve.matches("Prove that each solution is the only one").count(), 1);
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = text(&["completions", shell]);
        assert!(text.contains("ninefold") && text.contains("solve"), "{shell}");
    }
}

/// What bash offers after these words.
fn completed(script: &str, words: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    let list = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let (word, place) = (words[words.len() - 1], words.len() - 1);
    let before = words[words.len() - 2];
    let body = format!(
        "{script}\nCOMP_WORDS=({list}); COMP_CWORD={place}\n\
         _ninefold ninefold '{word}' '{before}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    );
    let path = folder.file("complete.sh", body);
    let output = Command::new("bash").arg("--norc").arg(path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_names() {
    if Command::new("bash").arg("--version").output().is_err() {
        eprintln!("there is no bash");
        return;
    }
    let script = text(&["completions", "bash"]);
    let cases = "sol solve, solve --uni --unique, solve --engine la lanes, solve --format j jsonl, \
        solve --only mu multiple, verify --only wr wrong-answer, help form formats, completions z zsh";
    for case in cases.split(", ") {
        let (words, expected) = case.rsplit_once(' ').unwrap();
        let words: Vec<_> = ["ninefold"].into_iter().chain(words.split(' ')).collect();
        assert_eq!(completed(&script, &words), [expected], "{case}");
    }
}

#[test]
fn every_error_has_one_prefix() {
    let all = "solve --no-such-option|solve --limit 0|solve no-such-file.txt|verify no-such-file.txt|\
               generate --clues 3|solve 53..7|no-such-command";
    for words in all.split('|') {
        let words: Vec<_> = words.split(' ').collect();
        let (code, out, err) = fed(&mut ninefold(words[0], &words[1..]), "");
        assert_eq!((code, &*out), (Some(2), ""), "{words:?}");
        assert!(err.starts_with("ninefold: ") && !err.contains("error"), "{words:?}: {err}");
    }
}

#[test]
fn an_option_of_another_command_is_named_as_such() {
    let tip = |command, option| fed(&mut ninefold(command, &[option, "x"]), "").2;
    let said = tip("rate", "--technique");
    assert!(said.contains("\n  tip: --technique is an option of select, generate\n"), "{said}");
    assert!(!said.contains("--engine"), "{said}");
    let said = tip("solve", "--er");
    assert!(said.contains("--er is an option of select, generate, neighbors\n"), "{said}");
    assert!(tip("solve", "--engin").contains("'--engine'"));
}
