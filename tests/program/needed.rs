//! `select --head` and `neighbors --max` end behind the last row that is needed. What is behind it counts nowhere,
//! however much of it was read ahead: such a run is that over an input that ends there.

use crate::support::{Folder, SOLVED, TWO, counts_of, fed_by, lists, ninefold};
use serde_json::Value;
use std::fmt::Write;
use std::fs;

/// The text of rows, which are puzzles, words or comments, and the name of its file.
struct Form {
    file: &'static str,
    begin: &'static str,
    row: fn(&str) -> String,
}

/// Lists, tables, objects, and grids with titles.
const FORMS: [Form; 4] = [
    Form { file: "in.txt", begin: "", row: |row| format!("{row}\r\n") },
    Form {
        file: "in.csv",
        begin: "puzzle,rating,note\n",
        row: |row| match row {
            // A rating that is no number is an error.
            SOLVED => format!("{row},x,\n"),
            _ if row.starts_with('#') => format!("{row}\n"),
            _ => format!("{row},3,\"two, \"\"words\"\"\"\n"),
        },
    },
    Form {
        file: "in.jsonl",
        begin: "",
        row: |row| format!("{{\"a\": 1, \"puzzle\": \"{row}\"}}\n"),
    },
    Form {
        file: "in.sdk",
        begin: "",
        row: |row| {
            let mut text = "A title\n".to_owned();
            for line in row.as_bytes().chunks(9) {
                writeln!(text, "{}", str::from_utf8(line).unwrap()).unwrap();
            }
            // An empty line ends the grid, and counts with it.
            text + "\n"
        },
    },
];

impl Form {
    fn text<'a>(&self, rows: impl IntoIterator<Item = &'a str>) -> String {
        self.begin.to_owned() + &rows.into_iter().map(self.row).collect::<String>()
    }
}

/// Exit code, records, rejects and statistics of a run over an input and another one that is not needed.
fn run(
    folder: &Folder,
    form: &Form,
    words: &[&str],
    (input, drip): (&str, usize),
    text: &str,
) -> (Option<i32>, String, String, Value) {
    let other = format!("other-{}", form.file);
    let grid = if form.file == "in.sdk" { &["--grid"][..] } else { &[] };
    let common = ["-q", "--force", "--rejects", "rejects", "--stats-json", "stats", input, &other];
    let mut program = ninefold(words[0], &[&words[1..], &common, grid].concat());
    let (code, out, said) = fed_by(program.current_dir(folder.path("")), text, drip);
    assert_eq!(said, "", "{words:?}");
    let same_name = |text: String| text.replace("<stdin>", form.file);
    let rejects = same_name(fs::read_to_string(folder.path("rejects")).unwrap());
    (code, same_name(out), rejects, counts_of(&folder.path("stats")))
}

/// Rows of all kinds, and a puzzle that comes once at the end.
fn rows(length: usize) -> Vec<&'static str> {
    let rows = (0..).zip(puzzles().take(90).cycle()).map(|(place, puzzle)| match place % 11 {
        3 => TWO,
        5 => "12x",
        7 => "# a comment",
        _ => puzzle,
    });
    rows.take(length - 1).chain(puzzles().nth(99)).collect()
}

fn puzzles() -> impl Iterator<Item = &'static str> + Clone {
    lists::MINIMAL.lines().filter(|line| !line.starts_with('#'))
}

#[test]
fn what_is_behind_the_last_row_that_is_needed_counts_nowhere() {
    // N is as many as the rows give, of which the last one gives some.
    let cases: [(&[&str], usize); 7] = [
        (&["select", "--head", "N"], 900),
        (&["select", "--head", "0"], 1),
        (&["select", "--status", "unique", "--unseen=exact", "--head", "N"], 60),
        (&["select", "--where", "rating < 5", "--head", "N"], 500),
        (&["neighbors", "--max", "N", "--format", "csv"], 5),
        (&["neighbors", "--max", "N", "--per-source"], 2),
        (&["neighbors", "--max", "N", "--rounds", "2"], 2),
    ];
    for (form, (words, length)) in
        FORMS.iter().flat_map(|form| cases.iter().map(move |case| (form, case)))
    {
        // Grids are the records that end most strangely; only a table has ratings.
        if words.contains(&"--where") && form.file != "in.csv"
            || words[0] == "neighbors" && form.file != "in.sdk" && form.file != "in.txt"
        {
            continue;
        }
        let (rows, folder) = (rows(*length), Folder::new());
        let behind = [SOLVED, "# a comment", "12x", TWO, ""].into_iter().chain(puzzles()).cycle();
        let begin = form.text(rows.iter().copied());
        let whole = form.text(rows.into_iter().chain(behind.take(2 * length)));
        folder.file(&format!("other-{}", form.file), form.text([TWO, "12x"]));
        folder.file(form.file, &begin);
        let of = |number: &str, more: &[&str], input, text: &str| {
            let words = words.iter().map(|&word| if word == "N" { number } else { word });
            let words: Vec<_> = words.chain(more.iter().copied()).collect();
            run(&folder, form, &words, input, text)
        };
        let all = of("1000000", &["-j1"], (form.file, usize::MAX), "");
        let key = if words[0] == "select" { "selected" } else { "found" };
        let number = all.3["inputs"][0][key].to_string();
        let expected = of(&number, &["-j1"], (form.file, usize::MAX), "");
        if !words.contains(&"--rounds") {
            assert_eq!(expected.3["inputs"][0]["bytes"], begin.len());
            assert_eq!(expected.3["inputs"][1]["bytes"], 0);
        }
        folder.file(form.file, &whole);
        let (file, pipe) = (form.file, "-");
        let inputs = [("-j1", file, 1), ("-j8", file, 1), ("-j1", pipe, usize::MAX)];
        for (threads, input, drip) in
            [&inputs[..], &[("-j8", pipe, 5_000), ("-j2", pipe, 150)]].concat()
        {
            let (code, out, rejects, counts) = of(&number, &[threads], (input, drip), &whole);
            let case = format!("{words:?} of {input} {threads}");
            assert_eq!((code, counts), (expected.0, expected.3.clone()), "{case}");
            assert!(out == expected.1, "{case}: {out}");
            assert!(rejects == expected.2, "{case}: {rejects}");
        }
    }
}
