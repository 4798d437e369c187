//! Ways in which other tools were seen to go wrong: an empty grid, a shortened input. The other ways are in the
//! corpus, beside the formats (`round_trips`) and among the faults.

use crate::support::{EASY, Folder, Run, SOLVED, ninefold};
use std::fs::File;
use std::io::Read;

const EMPTY: &str =
    ".................................................................................";

fn solve(words: &[&str], input: impl AsRef<[u8]>) -> Run {
    crate::support::fed(&mut ninefold("solve", words), input)
}

/// Runs with `-q`: nothing is said.
fn quietly(words: &[&str], input: impl AsRef<[u8]>) -> (Option<i32>, String) {
    let (code, records, said) = solve(&[&["-q"], words].concat(), input);
    assert_eq!(said, "");
    (code, records)
}

#[test]
fn the_empty_grid_and_a_full_one_are_puzzles_like_any_other() {
    let (code, records) = quietly(&[], EMPTY);
    assert_eq!((code, records.len()), (Some(0), 82));
    let (code, text) = quietly(&["--unique"], &records);
    assert_eq!((code, &text), (Some(0), &records), "the solution of the empty grid");
    let expected = (Some(1), "# line 1: more than one solution\n".to_owned());
    assert_eq!(quietly(&["--unique"], EMPTY), expected);
    for words in [&[][..], &["--unique"], &["--all"]] {
        assert_eq!(quietly(words, SOLVED), (Some(0), format!("{SOLVED}\n")), "{words:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_input_that_is_truncated_meanwhile_is_an_error_after_what_was_read() {
    let folder = Folder::new();
    let text = format!("{EASY}\n").repeat(60_000);
    for more in [&["--no-mmap"][..], &[]] {
        let path = folder.file("in.txt", &text);
        let words = [&["-q", "-j1", path.to_str().unwrap()], more].concat();
        let mut child = ninefold("solve", &words).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        // The pipe is full and the program waits: it has read a part, and no more.
        stdout.read_exact(&mut [0; 82]).unwrap();
        let file = File::options().write(true).open(&path).unwrap();
        let kept = 20_000 * 82;
        file.set_len(kept).unwrap();
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = format!("ninefold: {}: was shortened while it was read\n", path.display());
        assert_eq!((output.status.code(), said), (Some(2), expected));
        assert!(rest.len() as u64 + 82 <= kept && rest.lines().all(|line| line == SOLVED));
    }
}
