//! `ninefold help formats`: inputs, records, statuses, faults and exit codes.
//!
//! Names and their meanings come from the library, so that a new one is listed here.

use super::super::declared;
use crate::Status;
use crate::augment;
use crate::canon;
use crate::difficulty::Technique;
use crate::input::{PUZZLE_NAMES, SOLUTION_NAMES};
use crate::minimize;
use crate::names::Named;
use crate::neighbors;
use crate::output::Format;
use crate::verify::Finding;
use serde_json::Value;
use std::fmt::Write;

const INPUT: &str = "\
INPUT
  A puzzle has 81 cells, row by row: 1 to 9 for a clue, . 0 _ * - for a blank;
  or the 729 candidates of a sukaku. One puzzle per line. Empty lines and lines
  that begin with # are skipped. The first 64 KiB decide the layout:
    lines    81 cells; other fields may follow after a delimiter
    tables   the field with the most grids with blanks has the puzzles, another
             field with the most full grids the solutions; names break ties
    objects  JSON lines or a JSON array, with the same rules for keys
    grids    nine lines each, in any text (--grid, or files *.sdk, *.ss)
    Parquet  the rows of a file as a table; line numbers are row numbers
  gzip and zstd are detected by their first bytes. A puzzle can also be given as
  an argument. ninefold solve --explain-input FILE prints how a file is read.
";

const LINE: &str = "  The record of a puzzle without a solution is a comment (line, pair, grid):
    # line 17: no solution
    # line 18: column 4: expected 1 to 9, '.' or '0', found 'x'
    # line 19: expected 81 cells, found 80
    # line 20: 3 twice in row 4 (columns 2 and 9)
    # line 21: more than one solution    (--unique, or --limit 2)
    # line 22: 5 solutions               (--limit 6 or more)
    # line 23: 6 or more solutions       (--limit 6)
    # line 24: more than 50 branches     (--max-branches 50)
  With several inputs, the name of the input comes first: # a.txt: line 17: ...
  Records of csv and jsonl begin with `input`, the name of the input, if there
  are several, and with `line`, the line number in the input. Objects of jsonl
  have a `reason` if there is no answer.
  With -o FILE.parquet, records have the columns of csv; those of steps have
  lists.
";

const REPORT: &str = "  Examples of a report:
    a.txt:18: 3 twice in row 4 (columns 2 and 9)
    a.txt:21: answer: row 1 column 1 is 6 where the clue is 5
    a.txt:25: same puzzle as a.txt:3
  Several faults are separated by spaces, several reasons by ' | '.
";

const CANON: &str = "  line has the form, pair puzzle,form. Example of a map:
    t1 r456123798 c123465789 d912345678
    t1  rows and columns are exchanged first; t0: they are not
    r   row i of the form comes from the row that the i-th digit names
    c   the same for columns
    d   digit i becomes the i-th digit
";

const RATE: &str = "  pair has the puzzle and the fields from effort to grade, line these fields.
  Sukakus have no effort and no grade. docs/rate.md describes the search.
";

const STEPS: &str =
    "  Objects of jsonl have `status`, `puzzle` and `steps`: an array of objects with
  these keys. text has sentences, grid also the grid after each step.
  Parquet has a row for each puzzle: status, puzzle and lists of numbers, which
  docs/steps.md describes.
";

const EXIT_CODES: &str = "\
EXIT CODES
  0         Every puzzle has the requested answer, or every check passed. Also
            if the reader of standard output closed it (| head), without
            --rejects and --stats-json.
  1         The run is complete, but some puzzles have no answer or fail a
            check. --exit-zero turns this code into 0.
  2         The run failed: wrong usage, an input without a puzzle, or a file
            that cannot be read or written.
  130, 143  SIGINT (Ctrl-C) or SIGTERM ended the run. The records so far are
            written; --resume continues. Searches that last longer than
            --grace are given up. On Windows: 130, with Ctrl-C, Ctrl-Break or
            a closed window.
";

/// The text of the topic.
pub(super) fn text() -> String {
    let mut text = INPUT.to_owned();
    let mut name_lists = [("puzzles", &PUZZLE_NAMES[..]), ("solutions", &SOLUTION_NAMES[..])];
    for (what, names) in &mut name_lists {
        let _ = writeln!(text, "  Names of {what}: {}.", names.join(", "));
    }
    text.push_str("\nRECORDS (--format)\n");
    push_list(&names::<Format>(), &mut text);
    text.push_str(LINE);
    for command in declared(&Value::Null).iter().filter(|it| !it.columns.is_empty()) {
        let _ = writeln!(text, "\nFIELDS of {}", command.name);
        let columns: Vec<_> = command.columns.iter().map(|it| (it.name, it.help)).collect();
        push_list(&columns, &mut text);
        text.push_str(match command.name {
            "verify" => REPORT,
            "canon" => CANON,
            "rate" => RATE,
            "steps" => STEPS,
            _ => "",
        });
    }
    let lists = [
        ("STATUSES (--only)", names::<Status>()),
        ("FAULTS (verify --only)", names::<Finding>()),
        ("STATUSES of canon", names::<canon::Outcome>()),
        ("STATUSES of augment", names::<augment::Outcome>()),
        ("STATUSES of neighbors", names::<neighbors::Outcome>()),
        ("STATUSES of minimize", names::<minimize::Outcome>()),
        ("TECHNIQUES (rate, select --technique), with their scores", names::<Technique>()),
    ];
    for (title, names) in lists {
        let _ = writeln!(text, "\n{title}");
        push_list(&names, &mut text);
    }
    text.push('\n');
    text.push_str(EXIT_CODES);
    text
}

/// Appends each word with its meaning, wrapped at 80 columns.
fn push_list(list: &[(&str, &str)], text: &mut String) {
    let width = list.iter().map(|(word, _)| word.len()).max().unwrap_or_default();
    for (word, meaning) in list {
        for (place, line) in wrap(meaning, 80 - 4 - width).iter().enumerate() {
            let word = if place == 0 { word } else { "" };
            let _ = writeln!(text, "  {word:width$}  {line}");
        }
    }
}

/// All names of a type with their meanings.
fn names<T: Named>() -> Vec<(&'static str, &'static str)> {
    T::ALL.iter().map(|it| (it.name(), it.summary())).collect()
}

/// The words in lines of at most `width` columns. A longer word has a line of its own.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_and_long_ones_stand_alone() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a extraordinary b", 5), ["a", "extraordinary", "b"]);
        assert_eq!(wrap("", 5), [""]);
    }
}
