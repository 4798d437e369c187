//! Lists that hold solutions among their puzzles, and messages about answers that are rare.

use crate::support::{EASY as P, Folder, Run, SOLVED as S, fed, ninefold};
use std::process::Stdio;

/// A full grid that is not the solution of P.
fn wrong() -> String {
    let swap = |c| match c {
        '1' => '2',
        '2' => '1',
        other => other,
    };
    S.chars().map(swap).collect()
}

fn run(command: &str, words: &[&str], text: &str) -> Run {
    let folder = Folder::new();
    let path = folder.file("in.txt", text);
    let mut program = ninefold(command, words);
    crate::support::texts(program.arg(path).stdin(Stdio::null()).output().unwrap())
}

#[test]
fn solutions_on_lines_of_their_own_are_not_solved() {
    let w = wrong();
    let lists = [
        format!("{P}\n{S}\n{P}\n{S}\n"),
        format!("{P}\r\n{S}\r\n"),
        format!("{S}\n{P}\n{S}\n{P}\n"),
        format!("# one\n{P}\n{S}\n\n# two\n{P}\n{S}\n"),
        format!("{P}\n{S}\n{P}\n{}\n{P}\n{S}\n", &S[1..]),
        format!("{P}\n{w}\n").repeat(5),
        format!("{P}\n{P}\n{S}\n{S}\n"),
        format!("1,{P}\n2,{S}\n"),
        format!("id,grid\n1,{P}\n2,{S}\n"),
        format!("{{\"g\":\"{P}\"}}\n{{\"g\":\"{S}\"}}\n"),
    ];
    for list in &lists {
        for command in ["solve", "verify"] {
            let (code, records, said) = run(command, &[], list);
            assert_eq!((code, &*records), (Some(2), ""), "{command} {list}: {said}");
            assert!(said.contains("solutions are among the puzzles: "), "{said}");
            assert!(said.contains("use --columns puzzle="), "{said}");
        }
    }
    let (_, _, said) = run("verify", &[], &lists[0]);
    assert!(said.contains("2 of 4 records are solutions of the records next to them"), "{said}");
    assert!(said.contains("grep '^[^#]' FILE | paste -d, - - | ninefold COMMAND -"), "{said}");
}

#[test]
fn the_caller_may_say_that_the_solutions_are_puzzles() {
    let list = format!("{P}\n{S}\n{P}\n{S}\n");
    for words in [&["-q", "--columns", "puzzle=1"][..], &["-q", "--lines"]] {
        let (code, records, said) = run("solve", words, &list);
        assert_eq!((code, records.lines().count(), &*said), (Some(0), 4, ""), "{words:?}");
    }
}

#[test]
fn a_pipe_is_refused_as_a_file() {
    for end in ["\n", "\r\n", ""] {
        let list = format!("# list\n{P}\n{S}{end}");
        let (code, records, said) = fed(&mut ninefold("solve", &["-q"]), &list);
        assert_eq!((code, &*records), (Some(2), ""), "{said}");
        assert!(said.contains("1 of 2 records is the solution of the record next to it"), "{said}");
    }
}

#[test]
fn a_list_with_a_few_full_grids_is_a_list_of_puzzles() {
    let few = format!("{}{S}\n", format!("{P}\n").repeat(5));
    let (code, records, said) = run("solve", &[], &few);
    assert_eq!((code, records.lines().count()), (Some(0), 6), "{said}");
    let first = said.lines().next().unwrap();
    assert!(
        first.ends_with(
            "; 1 of 6 sampled records is the solution of another one, and read as a puzzle"
        ),
        "{said}"
    );
    for list in [format!("{P}\n{}\n{P}\n", wrong()), format!("{S}\n{S}\n"), format!("{S}\n")] {
        let (code, _, said) = run("solve", &[], &list);
        assert_eq!(code, Some(0), "{said}");
        assert!(!said.contains("solution of"), "{said}");
    }
}

/// Of 30 rows, one has an answer: that is too few for a field of answers, but it is checked.
#[test]
fn the_first_and_the_last_message_are_true_if_answers_are_rare() {
    let rows = |answer: &str| format!("{}7,{P},{answer}\n", format!("7,{P},\n").repeat(29));
    let (code, report, said) = run("verify", &[], &rows(&wrong()));
    assert_eq!(code, Some(1), "{said}");
    assert!(report.contains("in.txt:30: answer: "), "{report}");
    let first = said.lines().next().unwrap();
    let rare = "answers found in 1 of 30 sampled records: a record without one is not reported";
    assert!(first.ends_with(rare), "{said}");
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("29 puzzles have no answer: it was not checked"), "{said}");
    let (code, _, said) = run("verify", &["--require-answers"], &rows(S));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.ends_with("--require-answers: 29 puzzles have no answer\n"), "{said}");
}

/// The sample has no answers, and a row behind it has one, which is checked.
#[test]
fn answers_that_the_sample_lacks_are_checked() {
    let row = format!("1,{P},\n");
    // The head has less than 800 rows.
    let list = format!("{}2,{P},{}\n{}", row.repeat(2000), wrong(), row.repeat(8000));
    let (code, report, said) = run("verify", &["--trust-unique"], &list);
    assert!(report.contains("in.txt:2001: answer: "), "{report} {said}");
    assert_eq!(code, Some(1));
    let first = said.lines().next().unwrap();
    assert!(first.contains("no answers found in 771 sampled"), "{said}");
    assert!(first.ends_with("answers are not checked, except in records that have one"), "{said}");
    assert!(
        said.lines().last().unwrap().starts_with("10000 puzzles have no answer: ")
            || said.lines().last().unwrap().starts_with("10,000 puzzles have no answer: "),
        "{said}"
    );
}

#[test]
fn a_field_of_answers_that_is_empty_is_named_first_and_last() {
    let (code, report, said) = run("verify", &[], &format!("puzzle,solution\n{P},\n{P},\n"));
    assert_eq!((code, report.matches("no answer given").count()), (Some(1), 2), "{said}");
    for line in [said.lines().next(), said.lines().last()] {
        let line = line.unwrap();
        assert!(
            line.contains("no answers found: answers ") && line.contains("not checked"),
            "{said}"
        );
    }
}
