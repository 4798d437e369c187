//! `ninefold augment`: the built program.

use crate::support::lists::{MINIMAL, MULTIPLE};
use crate::support::{EASY, Folder, Run, SOLVED, fed, name, ninefold, objects};
use ::ninefold::puzzle::{Grid, Solution};
use ::ninefold::symmetry::Isomorphism;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs;

fn augment(words: &[&str], input: &str) -> Run {
    fed(&mut ninefold("augment", &[words, &["-q"]].concat()), input)
}

/// The objects of a run with `--map`.
fn mapped(words: &[&str], input: &str) -> Vec<Value> {
    let (code, records, said) = augment(&[&["--format", "jsonl", "--map"], words].concat(), input);
    assert_eq!((code, &*said), (Some(0), ""), "{words:?}");
    objects(&records)
}

/// Puzzles, one of several solutions after each.
fn rows(count: usize) -> Vec<(String, String)> {
    let list = |text: &'static str| text.lines().filter(|line| !line.starts_with('#'));
    let puzzles = list(MINIMAL).take(count).chain(list(MULTIPLE).take(count));
    let puzzles: Vec<_> = puzzles.map(|line| line[..81].replace('0', ".")).collect();
    let words = ["--format", "pair", "-q"];
    let solved = fed(&mut ninefold("solve", &words), puzzles.join("\n")).1;
    let pair = |line: &str| line.split_once(',').map(|(one, two)| (one.to_owned(), two.to_owned()));
    solved.lines().filter_map(pair).collect()
}

#[test]
fn puzzle_and_answer_are_transformed_by_the_map_that_is_written() {
    let rows = rows(60);
    assert!(rows.len() > 100);
    let lines = rows.iter().enumerate().map(|(id, (one, two))| format!("{id},{one},{two},x{id}"));
    let input =
        format!("id,question,answer,\"a name\"\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    let copies = mapped(&["-n", "5", "--include-original"], &input);
    assert_eq!(copies.len(), 6 * rows.len());
    for (place, copy) in copies.iter().enumerate() {
        let (row, number) = (place / 6, place % 6);
        let (puzzle, answer) = &rows[row];
        let text = |key: &str| copy[key].as_str().unwrap();
        let map: Isomorphism = text("map").parse().unwrap();
        let image = |cells: &str| map.apply(&cells.parse().unwrap()).to_string();
        assert_eq!((&copy["line"], &copy["copy"]), (&(row + 2).into(), &number.into()));
        assert_eq!(text("puzzle"), image(puzzle));
        assert_eq!(text("solution"), image(answer));
        assert!(Solution::try_from(text("solution").parse::<Grid>().unwrap()).is_ok(), "{copy}");
        assert_eq!((text("id"), text("a name")), (&*row.to_string(), &*format!("x{row}")));
        // The answer of the row is not there as it was.
        assert!(copy.get("answer").is_none());
        assert!(number > 0 || text("puzzle") == puzzle);
    }
    let different: HashSet<_> = copies.iter().map(|copy| copy["puzzle"].as_str()).collect();
    assert_eq!(different.len(), copies.len());
}

#[test]
fn every_input_and_every_format_is_known() {
    let folder = Folder::new();
    let pair = format!("{EASY},{SOLVED}\n");
    let copies = mapped(&[], &pair);
    let (puzzle, solution) = (&copies[0]["puzzle"], &copies[0]["solution"]);
    let (puzzle, solution) = (puzzle.as_str().unwrap(), solution.as_str().unwrap());
    assert_eq!(augment(&["--format", "line"], &pair).1, format!("{puzzle}\n"));
    assert_eq!(augment(&["--format", "pair"], &pair).1, format!("{puzzle},{solution}\n"));
    assert_eq!(augment(&["--format", "pair"], EASY).1, format!("{puzzle},\n"));
    assert_eq!(augment(&["--format", "line", EASY], "").1, format!("{puzzle}\n"));
    let grid = augment(&["--format", "grid"], &pair).1;
    assert_eq!(grid.chars().filter(|it| "123456789.".contains(*it)).collect::<String>(), puzzle);
    let csv = format!("line,status,copy,puzzle,solution\n1,augmented,1,{puzzle},{solution}\n");
    assert_eq!(augment(&[], &pair).1, csv);
    let zeros = |text: &str| text.replace('.', "0");
    let blank = augment(&["--format", "line", "--blank", "0"], &pair).1;
    assert_eq!(blank, format!("{}\n", zeros(puzzle)));
    // From objects every other member is kept, as it is written.
    let object = format!("{{\"a\":[1, 2],\"puzzle\":\"{EASY}\",\"solution\":\"{SOLVED}\"}}\n");
    let copy = augment(&["--format", "jsonl"], &object).1;
    let expected = format!(
        "{{\"line\":1,\"status\":\"augmented\",\"copy\":1,\"puzzle\":\"{puzzle}\",\
         \"solution\":\"{solution}\",\"a\":[1, 2]}}\n"
    );
    assert_eq!(copy, expected);
    // Two inputs, fields that are named, a compressed output.
    let one = folder.file("one.csv", format!("{SOLVED};x;{EASY}\n"));
    let out = folder.path("out.csv.gz");
    let words = ["--columns", "puzzle=3,solution=1", "-o", name(&out), name(&one), name(&one)];
    assert_eq!(augment(&words, "").0, Some(0));
    let read = fed(&mut ninefold("verify", &["-q", "--format", "report", name(&out)]), "");
    assert!(read.1.lines().all(|line| line.contains("same puzzle")), "{}", read.1);
}

#[test]
fn rows_without_copies_have_a_record_and_a_reject() {
    let folder = Folder::new();
    let rejects = folder.path("rejects.csv");
    let blank = ".".repeat(81);
    let input =
        format!("q,a,id\n{EASY},{SOLVED},1\n{EASY},12,2\n12,{SOLVED},3\n{blank},,4\n{EASY},,5\n");
    let words = ["--columns", "puzzle=q,solution=a", "-n", "2", "--rejects", name(&rejects)];
    let (code, records, _) = augment(&words, &input);
    assert_eq!(code, Some(1));
    let fields = records.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let fields: Vec<_> =
        fields.map(|it| format!("{} {} {} {}", it[0], it[1], it[2], it[5])).collect();
    let expected = "line status copy id|2 augmented 1 1|2 augmented 2 1|3 unreadable  2|4 malformed  3|\
                    5 augmented 1 4|5 few  4|6 augmented 1 5|6 augmented 2 5";
    assert_eq!(fields.join("|"), expected);
    let few = records.lines().nth(6).unwrap();
    assert_eq!(few, "5,few,,,,4");
    let rejects = fs::read_to_string(rejects).unwrap();
    let reasons = [
        "# line 3: the answer: column 83: expected 81 cells, found 2",
        "# line 4: expected 81 cells, found 2",
        "# line 5: only 1 different copy",
    ];
    let found: Vec<_> = rejects.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(found, reasons);
    // With --lines no line has columns.
    for input in [EASY.to_owned(), format!("{EASY} x\n{EASY}"), format!("{EASY},{SOLVED}\n")] {
        let (code, records, _) = augment(&["--lines", "--format", "csv"], &input);
        let begins = "line,status,copy,puzzle,solution\n1,augmented,1,";
        assert!(code == Some(0) && records.starts_with(begins), "{records}");
    }
    // More copies than transformations.
    let (code, records, said) = augment(&["-n", "3", "--kinds", "transpose"], EASY);
    assert_eq!((code, &*records), (Some(2), ""));
    let expected = "ninefold: -n 3: a row has at most 2 different copies of the kinds transpose\n";
    assert_eq!(said, expected);
}

/// A puzzle whose cells are blank but one has 729 images, and all of them are found.
#[test]
fn all_images_are_found_and_none_comes_twice() {
    let one = format!("5{}\n", ".".repeat(80));
    for (words, most) in [(&["-n", "731"][..], 729), (&["-n", "731", "--include-original"], 728)] {
        let (code, records, _) = augment(&[words, &["--format", "line"]].concat(), &one);
        let copies: Vec<_> = records.lines().filter(|line| !line.starts_with('#')).collect();
        let different = copies.iter().collect::<HashSet<_>>().len();
        assert_eq!((code, different, copies.len()), (Some(1), 729, 729), "{words:?}");
        let last = format!("# line 1: only {most} different copies");
        assert_eq!(records.lines().last(), Some(&*last));
    }
    // No group: its rows are alike, so there are 3 images; transposed, 3 * 6.
    let alike = format!("{}{}", "12.......".repeat(3), ".".repeat(54));
    let kinds = ["--kinds", "rows,transpose", "-n", "2000", "--format", "line"];
    let (_, records, _) = augment(&kinds, &alike);
    assert_eq!(records.lines().collect::<HashSet<_>>().len(), 21 + 1);
    assert_eq!(records.lines().last(), Some("# line 1: only 21 different copies"));
}

#[test]
fn only_the_kinds_that_are_named_change_a_row() {
    let kinds = ["digits", "rows", "columns", "transpose"];
    let identity = ["d123456789", "r123456789", "c123456789", "t0"];
    let places = [3, 1, 2, 0];
    for set in 1..16 {
        let named: Vec<_> =
            (0..4).filter(|kind| set >> kind & 1 == 1).map(|it| kinds[it]).collect();
        let count = if set == 8 { "2" } else { "20" };
        let copies = mapped(&["--kinds", &named.join(","), "-n", count], EASY);
        for kind in 0..4 {
            let changes = copies.iter().any(|copy| {
                copy["map"].as_str().unwrap().split(' ').nth(places[kind]) != Some(identity[kind])
            });
            assert_eq!(changes, set >> kind & 1 == 1, "{named:?}: {}", kinds[kind]);
        }
    }
}

/// The bytes are the same for any number of threads, in shards, from a pipe, and in a run that goes on.
#[test]
fn the_copies_depend_on_the_seed_and_the_puzzle_alone() {
    let folder = Folder::new();
    let rows = rows(80);
    let lines: Vec<_> = rows.iter().map(|(one, two)| format!("{one},{two},x\n")).collect();
    let input = folder.file("in.csv", format!("puzzle,solution,more\n{}", lines.concat()));
    let input = name(&input);
    let words = ["-n", "3", "--seed", "7", "--map"];
    let with = |more: &[&str]| {
        let (code, records, said) = augment(&[&words, more].concat(), "");
        assert_eq!(code, Some(0), "{said}");
        records
    };
    let whole = with(&[input, "-j", "1"]);
    assert_eq!(whole.lines().count(), 3 * rows.len() + 1);
    assert!(with(&[input, "-j", "2"]) == whole);
    assert!(with(&[input, "-j", "5", "--no-mmap"]) == whole);
    let shards: String = (1..=3).map(|it| with(&[input, "--shard", &format!("{it}/3")])).collect();
    assert!(shards == whole);
    assert_ne!(augment(&["-n", "3", "--seed", "8", "--map", input], "").1, whole);
    // The same puzzles elsewhere have the same copies, and fewer copies are the first of them.
    let cells = |records: &str| -> Vec<String> {
        let rows = records.lines().filter(|line| line.contains("augmented"));
        rows.map(|line| line.split(',').nth(3).unwrap().to_owned()).collect()
    };
    let few = augment(&["-n", "1", "--seed", "7", input], "").1;
    let all = cells(&whole);
    assert_eq!(cells(&few), all.iter().step_by(3).cloned().collect::<Vec<_>>());
    let turned: String = lines.iter().rev().map(String::as_str).collect();
    let turned = augment(&["-n", "3", "--seed", "7"], &format!("puzzle,solution,more\n{turned}")).1;
    let mut turned: Vec<_> = cells(&turned).chunks(3).map(<[String]>::to_vec).collect();
    turned.reverse();
    assert_eq!(turned.concat(), all);
}

/// Chi-square of counts that should be equal, less its mean, in standard deviations.
fn deviation(counts: &HashMap<String, u64>, classes: usize, draws: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "below 2^52")]
    let (expected, freedom) = (draws as f64 / classes as f64, classes as f64 - 1.0);
    #[expect(clippy::cast_precision_loss, reason = "below 2^52")]
    let squares = counts.values().map(|&it| (it as f64 - expected).powi(2) / expected);
    let missing = f64::from(u32::try_from(classes - counts.len()).unwrap()) * expected;
    (squares.sum::<f64>() + missing - freedom) / (2.0 * freedom).sqrt()
}

/// Copies of one row, and first copies of many rows: digits by place, rows, columns, transposition.
fn check_distribution(maps: &[String]) {
    let mut counts: HashMap<(usize, usize), HashMap<String, u64>> = HashMap::new();
    let mut count = |part, place, text: &str| {
        *counts.entry((part, place)).or_default().entry(text.to_owned()).or_default() += 1;
    };
    for map in maps {
        let parts: Vec<_> = map.split(' ').collect();
        count(0, 0, parts[0]);
        count(1, 0, parts[1]);
        count(2, 0, parts[2]);
        // The digit that each digit becomes, and two together.
        (1..10).for_each(|digit| count(3, digit, &parts[3][digit..=digit]));
        count(4, 0, &parts[3][1..3]);
    }
    let classes = [2, 1296, 1296, 9, 72];
    for ((part, place), counts) in &counts {
        assert!(counts.len() <= classes[*part]);
        let deviation = deviation(counts, classes[*part], maps.len());
        assert!(deviation.abs() < 6.0, "part {part}, place {place}: {deviation}");
    }
}

#[test]
fn all_transformations_are_as_likely() {
    let maps = |copies: Vec<Value>| -> Vec<String> {
        copies.iter().map(|copy| copy["map"].as_str().unwrap().to_owned()).collect()
    };
    let of_one = maps(mapped(&["-n", "20000"], EASY));
    assert_eq!(of_one.len(), 20_000);
    check_distribution(&of_one);
    // The generators of different puzzles are independent.
    let easy: Grid = EASY.parse().unwrap();
    let moved = |map: &String| map.parse::<Isomorphism>().unwrap().apply(&easy).to_string() + "\n";
    let other = of_one.iter().step_by(2).map(moved);
    check_distribution(&maps(mapped(&["--seed", "5"], &other.collect::<String>())));
}
