//! `ninefold canon`, and `verify` up to symmetry: the built program.

use crate::support::lists::MINIMAL;
use crate::support::{
    EASY, Folder, ILLEGAL, NONE, Run, SOLVED, TWO, assert_counts, fed, json_of, name, ninefold,
    no_such_file, objects,
};
use ::ninefold::puzzle::{Grid, Random, Sukaku};
use ::ninefold::symmetry::Isomorphism;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The forms of [`EASY`].
const EASY_MINLEX: &str =
    "........1.....2.34156...27......8.......51..232974......16..9....34..7..28.91.45.";
const EASY_SOLUTION: &str =
    ".2...67..45.18.26..9...35....1....46........8...31295.3.5.....1..6......91.647...";
/// The minlex form of [`SOLVED`].
const SOLVED_MINLEX: &str =
    "123456789457189263698273514271895346539764128864312957345928671786531492912647835";

fn canon(words: &[&str], input: &str) -> Run {
    fed(&mut ninefold("canon", &[words, &["-q"]].concat()), input)
}

/// `count` puzzles that are not isomorphic.
fn list(count: usize) -> String {
    let lines = MINIMAL.lines().filter(|line| !line.starts_with('#'));
    lines.take(count).flat_map(|line| [line, "\n"]).collect()
}

fn grid(line: &str) -> Grid {
    line.parse().unwrap()
}

/// A puzzle in another position.
fn moved(line: &str, seed: u64) -> String {
    Isomorphism::random(&mut Random::new(seed)).apply(&grid(line)).to_string()
}

#[test]
fn each_puzzle_has_a_record_in_every_format() {
    let text = format!("# mine\n{EASY}\n12x\n{SOLVED}\n{TWO}\n");
    let two = canon(&[], TWO).1;
    let reason = "column 3: expected 1 to 9, '.' or '0', found 'x'";
    let (code, records, said) = canon(&["-"], &text);
    let expected = format!("{EASY_MINLEX}\n# line 3: {reason}\n{SOLVED_MINLEX}\n{two}");
    assert_eq!((code, records), (Some(1), expected), "{said}");
    assert_eq!(said, "");
    let pair = canon(&["--format", "pair", "--blank", "0"], EASY).1;
    let zeros = |line: &str| line.replace('.', "0");
    assert_eq!(pair, format!("{},{}\n", zeros(EASY), zeros(EASY_MINLEX)));
    let csv = canon(&["--format", "csv"], &text).1;
    let expected = format!(
        "line,status,puzzle,form,automorphisms\n2,canonical,{EASY},{EASY_MINLEX},1\n\
         3,malformed,12x,,\n4,canonical,{SOLVED},{SOLVED_MINLEX},1\n5,canonical,{TWO},{},1\n",
        two.trim_end()
    );
    assert_eq!(csv, expected);
    let jsonl = canon(&["--format", "jsonl", "--map"], &text).1;
    let objects = objects(&jsonl);
    assert_eq!(objects.len(), 4);
    assert_eq!(objects[1]["reason"], reason);
    assert_eq!((&objects[1]["form"], &objects[1]["map"]), (&Value::Null, &Value::Null));
    assert_eq!(objects[0]["automorphisms"], 1);
}

#[test]
fn the_map_takes_the_puzzle_to_the_form() {
    let list = list(50);
    for form in ["minlex", "solution"] {
        let words = ["--form", form, "--format", "csv", "--map", "--no-header"];
        let records = canon(&words, &list).1;
        assert_eq!(records.lines().count(), 50);
        for record in records.lines() {
            let fields: Vec<_> = record.split(',').collect();
            let map: Isomorphism = fields[5].parse().unwrap();
            assert_eq!(map.apply(&grid(fields[2])), grid(fields[3]), "{record}");
        }
    }
}

#[test]
fn a_solution_form_needs_one_solution() {
    let folder = Folder::new();
    let text = format!("{EASY}\n{TWO}\n{NONE}\n{ILLEGAL}\n{SOLVED}\n");
    let list = folder.file("list.txt", &text);
    let rejects = folder.path("rejects.txt");
    let words = [name(&list), "--form", "solution", "--rejects", name(&rejects)];
    let (code, records, _) = canon(&words, "");
    let expected = format!(
        "{EASY_SOLUTION}\n# line 2: more than one solution\n# line 3: no solution\n\
         # line 4: 3 twice in row 1 (columns 1 and 2); 3 twice in box 1 \
         (row 1 column 1 and row 1 column 2)\n{SOLVED_MINLEX}\n"
    );
    assert_eq!((code, records), (Some(1), expected));
    let kept = fs::read_to_string(&rejects).unwrap();
    let kept: Vec<_> = kept.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(kept, [TWO, NONE, ILLEGAL]);
    let only = ["--form", "solution", "--only", "none,multiple", "--format", "csv"];
    let records = canon(&only, &text).1;
    let rows: Vec<_> = records.lines().skip(1).collect();
    assert_eq!(rows, [format!("2,multiple,{TWO},,"), format!("3,none,{NONE},,")]);
    // The puzzle without a solution has a minlex form all the same.
    assert_eq!(canon(&[], &text).0, Some(0));
}

#[test]
fn a_sukaku_has_a_solution_form_and_no_minlex_form() {
    let sukaku = Sukaku::from(&grid(EASY));
    let line = |sukaku: &Sukaku| String::from_utf8(sukaku.line(b'.').to_vec()).unwrap();
    let other = Isomorphism::random(&mut Random::new(9)).apply_to_sukaku(&sukaku);
    let text = format!("{}\n{}\n", line(&sukaku), line(&other));
    let (code, records, _) = canon(&[], &text);
    let reason = "a sukaku has no minlex form (use --form solution)";
    assert_eq!(records, format!("# line 1: {reason}\n# line 2: {reason}\n"));
    assert_eq!(code, Some(1));
    let (code, records, _) = canon(&["--form", "solution"], &text);
    let forms: Vec<_> = records.lines().collect();
    assert_eq!((code, forms.len(), forms[0].len()), (Some(0), 2, 729));
    assert_eq!(forms[0], forms[1]);
    let run = fed(&mut ninefold("verify", &["-q", "--duplicates=isomorphic"]), &text);
    assert_eq!(run.1, "<stdin>:2: isomorphic to <stdin>:1\n");
}

#[test]
fn the_summary_counts_outcomes() {
    let folder = Folder::new();
    let stats = folder.path("stats.json");
    let words = ["--form", "solution", "--stats-json", name(&stats)];
    let (code, _, said) = fed(&mut ninefold("canon", &words), format!("{EASY}\n{TWO}\n1\n"));
    assert_eq!(code, Some(1));
    let counts = "3 puzzles: 1 canonical (0 with automorphisms), 1 multiple, 0 none, 0 conflict, \
                  1 malformed\n";
    assert!(said.contains(counts), "{said}");
    let stats = json_of(stats);
    for counts in [&stats, &stats["inputs"][0]] {
        assert_counts(counts, "puzzles 3, canonical 1, multiple 1, malformed 1");
    }
    assert_eq!([&stats["form"], &stats["options"]["--form"]], ["solution"; 2]);
}

#[test]
fn wrong_options_of_canon_are_errors() {
    let cases: [(&[&str], &str); 5] = [
        (&["--map"], "--map: records of --format line have no fields; use csv or jsonl"),
        (&["--map", "--format", "pair"], "--map: records of --format pair have no fields"),
        (&["--form", "least"], "[possible values: minlex, solution]"),
        (&["--limit", "2"], "unexpected argument '--limit'"),
        (&["--only", "unique"], "invalid value 'unique' for '--only"),
    ];
    for (words, message) in cases {
        let (code, records, said) = canon(words, EASY);
        assert_eq!((code, &*records), (Some(2), ""), "{words:?}");
        assert!(said.contains(message), "{words:?}: {said}");
    }
    let (code, _, said) = canon(&[], "nothing\n");
    assert_eq!(code, Some(2));
    assert!(said.contains("<stdin>"), "{said}");
}

fn verify(words: &[&str], input: &str) -> Run {
    fed(&mut ninefold("verify", &[words, &["-q"]].concat()), input)
}

#[test]
fn duplicates_are_exact_or_up_to_symmetry() {
    // Two solutions and none, too: these are compared by their minlex forms.
    let twice = [EASY, TWO, NONE, ILLEGAL].map(|line| format!("{line}\n{}\n", moved(line, 3)));
    let text = format!("{}{EASY}\n", twice.concat());
    let only = "--only=duplicate";
    let exact = "<stdin>:9: same puzzle as <stdin>:1\n";
    assert_eq!(verify(&["--duplicates", only], &text).1, exact);
    assert_eq!(verify(&["--duplicates=exact", only], &text).1, exact);
    let found = verify(&["--duplicates=isomorphic", only], &text);
    let pair = |line: u64, of: u64| format!("<stdin>:{line}: isomorphic to <stdin>:{of}\n");
    let expected = [(2, 1), (4, 3), (6, 5), (8, 7), (9, 1)].map(|(line, of)| pair(line, of));
    assert_eq!((found.0, found.1), (Some(1), expected.concat()));
    // Nothing is solved, and the same is found.
    let words = ["--duplicates=isomorphic", "--trust-unique", only];
    assert_eq!(verify(&words, &text).1, expected.concat());
    let (code, _, said) = verify(&["--duplicates=similar"], &text);
    assert_eq!(code, Some(2));
    assert!(said.contains("[possible values: exact, isomorphic]"), "{said}");
}

#[test]
fn puzzles_of_a_bank_are_reported_with_its_file_and_line() {
    let folder = Folder::new();
    let others = list(50);
    let one = folder.file("one.txt", format!("# a bank\n{others}{}\nx\n", moved(EASY, 5)));
    let two = format!("id,puzzle\n1,{}\n2,{SOLVED}\n", moved(TWO, 6));
    let two = folder.file("two.csv", two);
    let banks = ["--against", name(&one), "--against", name(&two)];
    let text = format!("{EASY}\n{TWO}\n{SOLVED}\n{NONE}\n{}\n", moved(SOLVED, 7));
    let only = "--only=in-bank";
    let found = |line: u64, bank: &Path, of: u64| {
        format!("<stdin>:{line}: isomorphic to {}:{of}\n", name(bank))
    };
    let (code, records, _) = verify(&[&banks[..], &[only]].concat(), &text);
    let expected = [found(1, &one, 52), found(2, &two, 2), found(3, &two, 3), found(5, &two, 3)];
    assert_eq!((code, records), (Some(1), expected.concat()));
    let words = [&banks[..], &[only, "--trust-unique"]].concat();
    assert_eq!(verify(&words, &text).1, expected.concat());
    // Both questions at once, in tables.
    let text = format!("{EASY}\n{EASY}\n{NONE}\n");
    let both = [&banks[..], &["--duplicates", "--format", "csv"]].concat();
    let (_, records, _) = verify(&both, &text);
    let place = format!("{}:52", name(&one));
    let expected = format!(
        "line,status,faults,clues,answer_is,duplicate_of,in_bank,puzzle,reasons\n\
         1,unique,in-bank,30,,,{place},{EASY},isomorphic to {place}\n\
         2,unique,duplicate in-bank,30,,<stdin>:1,{place},{EASY},\
         same puzzle as <stdin>:1 | isomorphic to {place}\n\
         3,none,none,9,,,,{NONE},no solution\n"
    );
    assert_eq!(records, expected);
    let object = verify(&[&banks[..], &["--format", "jsonl"]].concat(), EASY).1;
    assert_eq!(objects(&object)[0]["in_bank"], place);
    // Nothing is found: all is well, and the lines of the bank that are not puzzles are told.
    let run = fed(&mut ninefold("verify", &banks), list(60).lines().last().unwrap());
    assert_eq!(run.0, Some(0), "{}", run.2);
    let told = format!("ninefold: 1 line of the banks is not a puzzle: {}:53\n", name(&one));
    assert!(run.2.contains(&told), "{}", run.2);
}

#[test]
fn the_records_of_canon_are_a_bank() {
    let folder = Folder::new();
    let others = list(30);
    let list = folder.file("list.txt", format!("{others}{EASY}\n"));
    for form in ["minlex", "solution"] {
        let bank = folder.path(&format!("bank-{form}"));
        assert_eq!(canon(&[name(&list), "--form", form, "-o", name(&bank)], "").0, Some(0));
        let expected = format!("<stdin>:1: isomorphic to {}:31\n", name(&bank));
        assert_eq!(verify(&["--against", name(&bank)], &moved(EASY, 8)).1, expected, "{form}");
    }
    // Which of two fields has the puzzles is not guessed.
    let pairs = folder.path("pairs");
    assert_eq!(canon(&[name(&list), "--format", "pair", "-o", name(&pairs)], "").0, Some(0));
    let (code, records, said) = verify(&["--against", name(&pairs)], EASY);
    assert_eq!((code, &*records), (Some(2), ""));
    assert!(said.contains("column 1, column 2; choose one, as with --columns puzzle=1"), "{said}");
}

#[test]
fn wrong_options_about_banks_are_errors() {
    let folder = Folder::new();
    let bank = folder.file("bank.txt", EASY);
    let (bank, missing) = (name(&bank), folder.path("missing.txt"));
    let cases: [(&[&str], &str); 2] = [
        (&["--against", "-"], "--against -: standard input cannot be a bank; name a file"),
        (&["--against", name(&missing)], &format!("missing.txt: {}", no_such_file())),
    ];
    for (words, message) in cases {
        let (code, records, said) = verify(words, EASY);
        assert_eq!((code, &*records), (Some(2), ""), "{words:?}");
        assert!(said.contains(message), "{words:?}: {said}");
    }
    let (code, _, said) = verify(&["--against", bank, "-o", bank, "--force"], EASY);
    assert_eq!(code, Some(2));
    assert!(said.contains("bank.txt"), "{said}");
}
