//! `ninefold select`, the built program: which rows it copies, and into which parts.

use crate::support::lists::MINIMAL;
use crate::support::{EASY, Folder, NONE, Run, SOLVED, TWO, fed, name, ninefold};
use std::collections::{HashMap, HashSet};
use std::fs;

/// `count` generated minimal puzzles.
fn puzzles(count: usize) -> Vec<&'static str> {
    MINIMAL.lines().filter(|line| !line.starts_with('#')).take(count).collect()
}

fn select(input: impl AsRef<[u8]>, words: &[&str]) -> Run {
    fed(&mut ninefold("select", words), input)
}

/// The rows that are selected of these lines.
fn selected(input: impl AsRef<[u8]>, words: &[&str]) -> Vec<String> {
    let (code, out, err) = select(input, &[words, &["-q"]].concat());
    assert_eq!(code, Some(0), "{err}");
    out.lines().map(str::to_owned).collect()
}

/// What `rate` says of each puzzle, by its column.
fn rated(input: &str) -> Vec<HashMap<String, String>> {
    let (_, out, _) = fed(&mut ninefold("rate", &["-q"]), input);
    let mut lines = out.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().unwrap();
    lines.map(|row| names.iter().cloned().zip(row).collect()).collect()
}

/// Kaggle's way with line ends of Windows and quoted fields, JSON lines with spaces, and plain lines
/// without a last line end.
fn inputs(puzzles: &[&str]) -> [(&'static str, String); 3] {
    let rows = |row: &dyn Fn(usize, &str) -> String| -> String {
        puzzles.iter().enumerate().map(|(place, puzzle)| row(place, puzzle)).collect()
    };
    let csv = rows(&|place, puzzle| {
        let end = if place % 3 == 0 { "\n" } else { "\r\n" };
        format!("{place},{puzzle},\"say \"\"{place}\"\", x\",é{end}")
    });
    let jsonl = rows(&|place, puzzle| format!("{{\"id\": {place},  \"puzzle\":\"{puzzle}\"}}\n"));
    [
        ("csv", format!("id,quizzes,note,\"more, or less\"\r\n{csv}")),
        ("jsonl", jsonl),
        ("txt", format!("# a comment\n\n{}", puzzles.join("\n"))),
    ]
}

#[test]
fn rows_are_copied_byte_for_byte_below_the_header() {
    let puzzles = puzzles(150);
    let expected: Vec<_> = rated(&puzzles.join("\n"))
        .iter()
        .map(|row| (1.0..=3.0).contains(&row["effort"].parse::<f64>().unwrap()))
        .collect();
    for (format, input) in inputs(&puzzles) {
        let (code, out, err) = select(&input, &["-q", "--effort", "1..3", "-j", "3"]);
        assert_eq!(code, Some(0), "{err}");
        let input: Vec<_> = input.split_inclusive('\n').collect();
        let header = usize::from(format == "csv");
        let notes = if format == "txt" { 2 } else { header };
        let rows = input[notes..].iter().zip(&expected).filter(|(_, meets)| **meets);
        let wanted: Vec<_> =
            input[..header].iter().chain(rows.map(|(row, _)| row)).copied().collect();
        let mut wanted = wanted.concat();
        if !wanted.ends_with('\n') {
            wanted.push('\n');
        }
        assert!(wanted.lines().count() > 5);
        assert_eq!(out, wanted, "{format}");
    }
}

#[test]
fn conditions_agree_with_rate_and_verify() {
    let puzzles = puzzles(300);
    let input = puzzles.join("\n");
    let rated = rated(&input);
    let number = |text: &str| text.parse::<f64>().unwrap();
    let clues = |puzzle: &str| puzzle.bytes().filter(u8::is_ascii_digit).count();
    let check = |words: &[&str], meets: &dyn Fn(&HashMap<String, String>) -> bool| {
        let expected: Vec<_> =
            rated.iter().filter(|row| meets(row)).map(|row| row["puzzle"].clone()).collect();
        assert_eq!(selected(&input, words), expected, "{words:?}");
        assert!(!expected.is_empty() && expected.len() < rated.len(), "{words:?}");
    };
    check(&["--effort", "2..10"], &|row| (2.0..=10.0).contains(&number(&row["effort"])));
    check(&["--er", "3.0..4.2"], &|row| (3.0..=4.2).contains(&number(&row["er"])));
    check(&["--er", "4.5.."], &|row| number(&row["er"]) >= 4.5);
    check(&["--er", "..6.2"], &|row| number(&row["er"]) <= 6.2);
    check(&["--er", ">6.2"], &|row| number(&row["er"]) > 6.2);
    check(&["--er", "7.1..7.2"], &|row| (7.1..=7.2).contains(&number(&row["er"])));
    check(&["--technique", "forcing-chain"], &|row| row["technique"] == "forcing-chain");
    check(&["--technique", "xy-wing,pointing"], &|row| {
        ["xy-wing", "pointing"].contains(&&*row["technique"])
    });
    check(&["--grade", "locked-candidates"], &|row| row["grade"] == "locked-candidates");
    check(&["--clues", "..24"], &|row| clues(&row["puzzle"]) <= 24);
    check(&["--clues", "24", "--grade", "search"], &|row| {
        clues(&row["puzzle"]) == 24 && row["grade"] == "search"
    });
    assert_eq!(selected(&input, &["--minimal"]), puzzles);
    assert!(selected(EASY, &["--minimal"]).is_empty());
}

#[test]
fn statuses_answers_and_lines_that_are_not_puzzles_are_told_apart() {
    let wrong = SOLVED.replacen('5', "6", 1);
    let input = format!(
        "puzzle,solution\n{EASY},{SOLVED}\n{EASY},{wrong}\n{TWO},{SOLVED}\n{EASY},\n{NONE},x\n5,{SOLVED}\n"
    );
    let rows: Vec<_> = input.lines().collect();
    let check = |words: &[&str], lines: &[usize]| {
        let expected: Vec<_> = [0].iter().chain(lines).map(|&line| rows[line]).collect();
        assert_eq!(selected(&input, words), expected, "{words:?}");
    };
    check(&[], &[1, 2, 3, 4, 5, 6]);
    check(&["--status", "unique"], &[1, 2, 4]);
    check(&["--status", "multiple,none"], &[3, 5]);
    check(&["--status", "malformed"], &[6]);
    check(&["--answer", "right"], &[1, 3]);
    check(&["--answer", "wrong"], &[2, 5]);
    check(&["--answer", "missing"], &[4]);
    check(&["--status", "unique", "--answer", "right"], &[1]);
    check(&["--effort", "0.."], &[1, 2, 4]);
    // Nothing is selected, and the run is complete.
    check(&["--clues", "81"], &[]);
    assert_eq!(selected(&input, &["--status", "malformed", "--no-header"]), [rows[6]]);
}

#[test]
fn duplicates_and_puzzles_of_banks_are_left_out() {
    let folder = Folder::new();
    let puzzles = puzzles(80);
    let copies = ["-q", "--format", "line", "--count", "2", "--seed", "3"];
    let copies = fed(&mut ninefold("augment", &copies), puzzles.join("\n")).1;
    let input = format!("{}\n{copies}{}\n", puzzles.join("\n"), puzzles[7]);
    assert_eq!(selected(&input, &["--unseen"]), puzzles);
    assert_eq!(selected(&input, &["--unseen=isomorphic"]), puzzles);
    let exact = selected(&input, &["--unseen=exact"]);
    assert_eq!(exact.len(), input.lines().count() - 1);
    // The first that meets the other conditions stays.
    let late = format!("{EASY},{EASY}\n{EASY},{SOLVED}\n{EASY},{SOLVED}\n");
    let right = ["--columns", "puzzle=1,solution=2", "--answer", "right", "--unseen"];
    assert_eq!(selected(&late, &right), [format!("{EASY},{SOLVED}")]);

    let bank = folder.file("bank.txt", puzzles[..50].join("\n"));
    let canon = folder.path("canon.txt");
    fed(&mut ninefold("canon", &["-q", name(&bank), "-o", name(&canon)]), "");
    for bank in [bank, canon] {
        assert_eq!(selected(&input, &["--not-in", name(&bank), "--unseen"]), puzzles[50..]);
    }
}

/// Which rows are in a sample is judged beside `Sample`.
#[test]
fn a_sample_is_in_the_order_of_the_input_for_any_threads() {
    let puzzles = puzzles(40);
    let input = puzzles.join("\n");
    let sample = ["--sample", "10", "--seed", "5"];
    let one = selected(&input, &[&sample[..], &["-j", "1"]].concat());
    let places = one.iter().map(|row| puzzles.iter().position(|it| it == row).unwrap());
    assert!(one.len() == 10 && places.is_sorted());
    assert_eq!(selected(&input, &[&sample[..], &["-j", "4"]].concat()), one);
    assert_eq!(selected(&input, &["--sample", "100"]), puzzles);
}

#[test]
fn the_first_rows_are_kept_of_all_rows_and_of_a_sample() {
    let puzzles = puzzles(60);
    let input = puzzles.join("\n");
    assert_eq!(selected(&input, &["--head", "9"]), puzzles[..9]);
    assert!(selected(&input, &["--head", "0"]).is_empty());
    let sample = selected(&input, &["--sample", "5"]);
    assert_eq!(selected(&input, &["--sample", "5", "--head", "3"]), sample[..3]);
}

#[test]
fn a_split_keeps_isomorphic_puzzles_together() {
    let folder = Folder::new();
    let puzzles = puzzles(100);
    let copies = ["-q", "--format", "line", "--count", "3", "--seed", "9"];
    let copies = fed(&mut ninefold("augment", &copies), puzzles.join("\n")).1;
    let rows: Vec<_> = puzzles.iter().copied().chain(copies.lines()).collect();
    let numbered: Vec<_> =
        rows.iter().enumerate().map(|(id, puzzle)| format!("{id},{puzzle}")).collect();
    let input = folder.file("all.csv", format!("id,puzzle\n{}\n", numbered.join("\n")));
    let output = folder.path("out.csv");
    let words = ["-q", "--split", "train=0.7,test=0.3", "-o", name(&output), name(&input)];
    let (code, _, err) = select("", &words);
    assert_eq!(code, Some(0), "{err}");
    let part = |file: &str| fs::read_to_string(folder.path(file)).unwrap();
    let (train, test) = (part("out.train.csv"), part("out.test.csv"));
    let mut together: Vec<_> = train.lines().skip(1).chain(test.lines().skip(1)).collect();
    together.sort_by_key(|row| row.split(',').next().unwrap().parse::<usize>().unwrap());
    let all = part("all.csv");
    assert_eq!(together, all.lines().skip(1).collect::<Vec<_>>());
    assert!(train.starts_with("id,puzzle\n") && test.starts_with("id,puzzle\n"));
    let share = test.lines().count() - 1;
    assert!((40..200).contains(&share), "{share}");

    let canon = |text: &str| -> HashSet<String> {
        let (_, out, _) = fed(&mut ninefold("canon", &["-q"]), text);
        out.lines().map(str::to_owned).collect()
    };
    assert!(canon(&train).is_disjoint(&canon(&test)));
    assert_eq!(canon(&train).len() + canon(&test).len(), 100);
}

#[test]
fn wrong_usage_is_an_error_before_anything_is_written() {
    let folder = Folder::new();
    let one = folder.file("one.csv", format!("id,puzzle\n1,{EASY}\n"));
    let other = folder.file("other.csv", format!("puzzle,id\n{EASY},1\n"));
    let out = folder.path("out.csv");
    let [one, other, out] = [&one, &other, &out].map(|path| name(path));
    for (words, reason) in [
        (vec![one, other], "do not have the same header"),
        (vec![one, "--split", "a=0.5,b=0.4", "-o", out], "the shares add up to 0.9, not to 1"),
        (vec![one, "--split", "a=1"], "--output"),
        (vec![one, "--split", "a=1", "-o", "-"], "the parts need files of their own"),
        (vec![one, "-o", one, "--force"], "is also"),
        (vec![one, "--not-in", "-"], "standard input cannot be a bank"),
        (vec![one, "--effort", "9..2"], "expected a range of guesses"),
        (vec![one, "--technique", "magic"], "xy-wing"),
        (vec![one, "--uses", "none"], "last-cell"),
    ] {
        let (code, rows, err) = select("", &words);
        assert_eq!((code, &*rows), (Some(2), ""), "{words:?}: {err}");
        assert!(err.contains(reason), "{words:?}: {err}");
    }
    let left: Vec<_> = fs::read_dir(folder.path(".")).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// The ids of the rows that are selected, or the error.
fn ids(input: &str, words: &[&str]) -> Result<Vec<String>, String> {
    let (code, text, said) = fed(&mut ninefold("select", &[words, &["-q"]].concat()), input);
    if code != Some(0) {
        return Err(said);
    }
    let id = |line: &str| line.split(',').next().unwrap().to_owned();
    Ok(text.lines().skip(1).map(id).collect())
}

#[test]
fn rows_are_selected_and_sampled_by_their_own_columns() {
    let ratings = ["50", "7", "", "100.5", "-3", "7.0"];
    let sources = ["a", "b c", "a", "d", "", "a"];
    let row = |id: usize| format!("{id},{EASY},{},\"{}\"\n", ratings[id], sources[id]);
    let rows: Vec<_> = (0..6).map(row).collect();
    let table = format!("id,puzzle,rating,source\n{}", rows.concat());
    for (rule, expected) in [
        ("rating >= 50", "03"),
        ("rating = 7", "15"),
        ("rating is null", "2"),
        ("not rating > 0", "4"),
        ("source in (a, 'b c') and rating < 50", "15"),
        ("source = a and clues = 30", "025"),
        ("source = a and clues != 30", ""),
        ("source is null or rating > 100", "34"),
        ("id != 0 and (SOURCE = a or rating = 100.5)", "235"),
    ] {
        let found = ids(&table, &["--where", rule]).unwrap();
        assert_eq!(found.concat(), expected, "{rule}");
    }
    // All have the same clues.
    assert_eq!(ids(&table, &["--sample", "1", "--stratify", "clues"]).unwrap().len(), 1);
    // One of each source, and one of the rows without a source.
    let sample = ids(&table, &["--sample", "1", "--stratify", "source"]).unwrap();
    assert_eq!(sample.len(), 4);
    assert!(["3", "4"].iter().all(|id| sample.iter().any(|it| it == id)), "{sample:?}");
    // The same rows from objects, without a header and from threads.
    let object = |id: usize| {
        let rating = if ratings[id].is_empty() { "null" } else { ratings[id] };
        format!(
            "{{\"id\":{id},\"puzzle\":\"{EASY}\",\"rating\":{rating},\"source\":\"{}\"}}\n",
            sources[id]
        )
    };
    let objects: String = (0..6).map(object).collect();
    let rule = "source in (a, 'b c') and not rating is null";
    let words = ["--where", rule, "-q", "-j", "2"];
    let found = fed(&mut ninefold("select", &words), &objects).1;
    assert_eq!(found, [object(0), object(1), object(5)].concat());
    let words = ["--where", "column_3 = 7", "-q", "--no-header", "--columns", "puzzle=2"];
    assert_eq!(fed(&mut ninefold("select", &words), rows.concat()).1, rows[1].clone() + &rows[5]);
}

#[test]
fn an_unfit_column_is_an_error_that_names_the_row() {
    let table = format!("id,puzzle,rating\n1,{EASY},5\n# 2\n2,{EASY},x\n3,12,y\n4,{EASY}\n");
    let text = "<stdin>: line 4: column \"rating\": expected a number, found 'x'\n";
    for words in [&["--where", "rating > 1"][..], &["--where", "id = 1 or rating > 1", "-j", "3"]] {
        let error = ids(&table, words).unwrap_err();
        assert!(error.contains(text), "{words:?}: {error}");
    }
    // What does not matter any more is not looked at; a malformed row has no value.
    let rule = "id = 1 or rating = 'x' or id = 4 and rating > 1";
    let error = ids(&table, &["--where", rule]).unwrap_err();
    assert!(error.contains("line 6: no column \"rating\"\n"), "{error}");
    assert_eq!(ids(&table, &["--where", "id < 4"]).unwrap(), ["1", "2"]);
    let stratify = ["--sample", "1", "--stratify", "stars"];
    for (words, expected) in [
        (&["--where", "stars > 1"][..], "--where: <stdin> has no column \"stars\""),
        (&stratify, "--stratify: <stdin> has no column \"stars\": it has id, puzzle"),
        (&["--where", "rating >"], "expected a number, a word or 'text' at the end"),
    ] {
        let error = ids(&table, words).unwrap_err();
        assert!(error.contains(expected), "{words:?}: {error}");
    }
}

/// The part of each id of a split.
fn parts_of(folder: &Folder, input: &str, words: &[&str]) -> HashMap<String, String> {
    let input = folder.file("in.csv", input);
    let output = folder.path("out.csv");
    let files = [name(&input), "-o", name(&output), "--force"];
    let (code, _, said) = select("", &[&files[..], words].concat());
    assert_eq!(code, Some(0), "{said}");
    let mut parts = HashMap::new();
    for part in ["train", "test"] {
        let rows = fs::read_to_string(folder.path(&format!("out.{part}.csv"))).unwrap();
        let id = |line: &str| line.split(',').next().unwrap().to_owned();
        let ids: Vec<_> = rows.lines().skip(1).map(id).collect();
        let line = format!("out.{part}.csv");
        let counted = said.lines().find(|it| it.contains(&line)).unwrap();
        assert!(counted.ends_with(&format!(" {}", ids.len())), "{said}");
        parts.extend(ids.into_iter().map(|id| (id, part.to_owned())));
    }
    parts
}

#[test]
fn groups_stay_together_whatever_the_other_rows_are() {
    let folder = Folder::new();
    // Puzzles of one solution grid, copies of them, and each row twice.
    let from = folder.file("grids.txt", SOLVED);
    let from = ["-q", "-n", "40", "--seed", "1", "--from", name(&from)];
    let same = fed(&mut ninefold("generate", &from), "").1;
    let copies = fed(&mut ninefold("augment", &["-q", "--format", "line"]), &same).1;
    let others = puzzles(100).join("\n");
    let lines: Vec<_> = same.lines().chain(copies.lines()).chain(others.lines()).collect();
    let table = |rows: &mut dyn Iterator<Item = usize>| -> String {
        let rows = rows.map(|id| format!("{id},{}\n", lines[id % 180]));
        format!("id,puzzle\n{}", rows.collect::<String>())
    };
    let whole = table(&mut (0..180));
    let split = ["--split", "train=0.5,test=0.5", "--group"];
    let of = |group: &str, table: &str| parts_of(&folder, table, &[&split[..], &[group]].concat());
    let is_one = |parts: &HashMap<String, String>, ids: &mut dyn Iterator<Item = usize>| {
        ids.map(|id| &parts[&id.to_string()]).collect::<HashSet<_>>().len() == 1
    };
    let solution = of("solution", &whole);
    assert!(is_one(&solution, &mut (0..80)) && !is_one(&solution, &mut (80..180)));
    let form = of("form", &whole);
    assert!((0..40).all(|id| is_one(&form, &mut [id, id + 40].into_iter())));
    assert!(!is_one(&form, &mut (0..80)));
    let row = of("row", &whole);
    assert!(!(0..40).all(|id| is_one(&row, &mut [id, id + 40].into_iter())));
    // By hash the part of a row depends on no other row.
    for group in ["solution", "form", "row"] {
        let some = of(group, &table(&mut (0..180).rev().step_by(3)));
        let known = of(group, &whole);
        assert!(some.iter().all(|(id, part)| known[id] == *part), "{group}");
    }

    // With a head, the parts are those of the rows that are left.
    let some = parts_of(&folder, &whole, &[&split[..2], &["--head", "30"]].concat());
    assert_eq!(some.len(), 30);
    assert!(some.iter().all(|(id, part)| form[id] == *part));
    for option in [["--unseen", "--head=9"], ["--sample", "9"], ["--head", "9"]] {
        let words = [&["--split", "a=1", "--shard", "1/2", "-o", "x.csv"], &option[..]].concat();
        let (code, _, said) = select(&whole, &words);
        assert!(code == Some(2) && said.contains(option[0]), "{said}");
    }
    let (code, _, said) = select(&whole, &["--stratify", "clues"]);
    assert!(code == Some(2) && said.contains("--sample"), "{said}");
}

/// A row of more than 1 MiB cannot be copied: it is counted, the first is named, and the exit code is 1.
#[test]
fn rows_that_are_too_long_to_be_copied_are_told() {
    let row = |bytes: usize| format!("{EASY},{}\n", "x".repeat(bytes));
    let text = format!("puzzle,remark\n{}{}{}{}", row(1), row(1 << 20), row(70_000), row(1 << 21));
    let folder = Folder::new();
    let file = folder.file("long.csv", &text);
    let path = name(&file);
    let (code, out, err) = select("", &[path, "--clues", "20..40"]);
    assert_eq!((code, out), (Some(1), format!("puzzle,remark\n{}{}", row(1), row(70_000))));
    let says = format!("\n2 rows too long to be copied, the first is {path}:3\n");
    assert!(err.contains(&says), "{err}");
    let (code, _, err) = select("", &[path, "--clues", "20..40", "-q"]);
    assert_eq!((code, &*err), (Some(1), ""));
    // A row may be malformed as well.
    let text = format!("puzzle,remark\n{}{}", row(1), row(1 << 20).replacen('5', "?", 1));
    let (code, _, err) = select(text, &["--clues", "20..40"]);
    let says = "\n1 row too long to be copied, the first is <stdin>:3\n";
    assert!(code == Some(1) && err.contains(says), "{err}");
}

/// No condition removes a row that is no puzzle.
#[test]
fn malformed_rows_that_are_removed_are_counted_first() {
    let text = format!("{EASY}\nx\n{EASY}\n{}\n", &EASY[1..]);
    for conditions in
        [&["--clues", "20.."][..], &["--status", "unique", "--clues", "20..", "--unseen=exact"]]
    {
        let (code, out, err) = select(&text, conditions);
        let rows = if conditions.len() > 2 { 1 } else { 2 };
        assert_eq!((code, out.lines().count()), (Some(0), rows));
        let counts: Vec<_> =
            err.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
        assert!(counts[1] == ["rows", "read", "4"] && counts[2] == ["malformed", "2"], "{err}");
        assert!(!err.contains("--clues") && !err.contains("--status"), "{err}");
    }
    let (_, out, err) = select(&text, &["--status", "malformed"]);
    assert!(out.lines().count() == 2 && !err.contains("\nmalformed"), "{out}{err}");
}

#[test]
fn a_bank_may_have_grids_and_tells_if_most_of_its_lines_are_no_puzzles() {
    let folder = Folder::new();
    let rows = EASY.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n");
    let grid = folder.file("grid.txt", rows.collect::<String>());
    let (list, grid) = (folder.file("list.txt", format!("{EASY}\n")), grid.to_str().unwrap());
    for bank in [grid, list.to_str().unwrap()] {
        let (code, out, err) = select("", &[grid, "--grid", "--not-in", bank]);
        assert_eq!((code, &*out), (Some(0), ""), "{bank}: {err}");
    }
    let bad = format!("{EASY}\n").repeat(1000) + &"12\n".repeat(2000);
    let bad = folder.file("bad.txt", bad);
    let (code, _, err) = select("", &[grid, "--grid", "--not-in", bad.to_str().unwrap()]);
    let says = "most lines of the banks, 2000 of 3000, are not puzzles; the first is ";
    assert!(code == Some(0) && err.contains(says), "{err}");
    let odd = folder.file("odd.csv", format!("board,sol\n1,{SOLVED}\n"));
    let (_, _, err) = select("", &[grid, "--grid", "--not-in", odd.to_str().unwrap()]);
    assert!(err.contains("1 of 1 puzzles of the banks are full grids"), "{err}");
}

/// Each byte of the head of a Markdown table may be the end of a shard.
#[test]
fn a_markdown_table_keeps_its_dashes_in_shards() {
    let folder = Folder::new();
    for end in ["\n", "\r\n"] {
        let row = format!("| {EASY} | {SOLVED} |");
        let table = ["| puzzle | solution |", "|---|---|", &row, &row, ""].join(end);
        let file = folder.file("table.md", &table);
        for count in [1, 7, 12, 20] {
            let shard = |number| {
                let shard = format!("{number}/{count}");
                let words = ["-q", name(&file), "--shard", &shard];
                fed(&mut ninefold("select", &words), "").1
            };
            assert_eq!((1..=count).map(shard).collect::<String>(), table, "{count} shards");
        }
    }
}
