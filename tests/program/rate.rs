//! `ninefold rate`, the built program: its records and its summary.

use crate::support::lists::MINIMAL;
use crate::support::{
    EASY, Folder, ILLEGAL, NONE, Run, SOLVED, TWO, corpus, fed, json_of, name, ninefold, objects,
    sum_of,
};

/// Needs chains, and many guesses.
const HARD: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn rate(input: &str, words: &[&str]) -> Run {
    fed(&mut ninefold("rate", words), input)
}

/// The fields of the rows of a csv without quotation marks, without the header.
fn rows(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().skip(1).map(|row| row.split(',').collect()).collect()
}

#[test]
fn every_format_has_the_same_fields_and_reasons() {
    let input = [HARD, TWO, NONE, ILLEGAL, "53", SOLVED].join("\n");
    let (code, csv, _) = rate(&input, &["-q"]);
    assert_eq!(code, Some(1));
    let expected = format!(
        "line,status,effort,effort_se,er,ep,ed,technique,grade,puzzle\n\
         2,multiple,,,,,,,,{TWO}\n3,none,,,,,,,,{NONE}\n4,conflict,,,,,,,,{ILLEGAL}\n\
         5,malformed,,,,,,,,53\n6,unique,0,0,0.0,0.0,0.0,none,naked-singles,{SOLVED}\n"
    );
    let (hard, rest): (Vec<_>, Vec<_>) = csv.lines().partition(|row| row.starts_with("1,"));
    assert_eq!(rest.join("\n") + "\n", expected);
    let fields: Vec<_> = hard[0].split(',').collect();
    assert_eq!((fields[1], fields[4]), ("unique", "10.7"));
    assert_eq!(fields[7..9], ["nested-forcing-chain", "search"]);
    assert!(fields[2].parse::<f64>().unwrap() > 1.0, "{hard:?}");

    let (_, jsonl, _) = rate(&input, &["-q", "--format", "jsonl"]);
    let objects = objects(&jsonl);
    assert_eq!(objects[0]["effort"].to_string(), fields[2]);
    assert_eq!(objects[0]["effort_se"].to_string(), fields[3]);
    assert_eq!([&objects[0]["er"], &objects[0]["ed"]], [10.7, 9.7]);
    assert_eq!(objects[1]["reason"], "more than one solution");
    assert_eq!(objects[4]["reason"], "expected 81 cells, found 2");
    assert!(objects[1]["effort"].is_null() && objects[0].get("reason").is_none());

    let (_, line, _) = rate(&input, &["-q", "--format", "line"]);
    let measures = fields[2..9].join(",");
    assert_eq!(line.lines().next().unwrap(), measures);
    assert_eq!(line.lines().nth(1).unwrap(), "# line 2: more than one solution");
    let (_, pair, _) = rate(&input, &["-q", "--format", "pair"]);
    assert_eq!(pair.lines().next().unwrap(), format!("{HARD},{measures}"));
}

#[test]
fn sukakus_have_the_rating_of_their_grid() {
    let marks = |grid| corpus::marks(grid, '.');
    // Cells that see a clue still have its digit: so steps remove it, and the first step differs.
    let input = [marks(EASY), EASY.to_owned(), marks(TWO)].join("\n");
    let (code, out, err) = rate(&input, &["-q"]);
    assert_eq!(code, Some(1), "{err}");
    let rows = rows(&out);
    assert_eq!((rows[0][1], rows[0][2], rows[0][8]), ("unique", "", ""));
    assert!(rows[0][4].parse::<f64>().unwrap() >= rows[1][4].parse::<f64>().unwrap());
    assert_eq!(rows[2][1..9], ["multiple", "", "", "", "", "", "", ""]);
}

#[test]
fn the_records_depend_on_no_thread_and_no_cpu() {
    let input: Vec<_> = MINIMAL.lines().take(40).collect();
    let input = input.join("\n");
    let first = rate(&input, &["-q", "-j", "1"]);
    assert_eq!(first.0, Some(0), "{}", first.2);
    for level in ninefold::engine::lanes::SimdLevel::available() {
        let words = ["-q", "-j", "4", "--simd", level.name()];
        assert_eq!(rate(&input, &words), first, "{level}");
    }
    // Another seed has other shuffles.
    assert_ne!(rate(&input, &["-q", "--seed", "2"]).1, first.1);
}

#[test]
fn the_summary_and_the_statistics_show_the_distributions() {
    let folder = Folder::new();
    let input = folder.file("in.txt", MINIMAL);
    let (records, stats) = (folder.path("out.csv"), folder.path("s.json"));
    let all = [name(&input), "-o", name(&records), "--stats-json", name(&stats)];
    let (code, _, err) = rate("", &all);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("\neffort\n") && err.contains("\ner\n") && err.contains('█'), "{err}");
    let verify = [name(&input), "-q", "--rate", "--format", "csv", "--stats-json"];
    let of_verify = folder.path("v.json");
    fed(&mut ninefold("verify", &[&verify[..], &[name(&of_verify)]].concat()), "");
    let (stats, of_verify) = (json_of(stats), json_of(of_verify));
    for key in ["clues", "effort", "er", "ep", "ed", "technique", "grade"] {
        assert_eq!(sum_of(&stats[key]), stats["unique"], "{key}");
    }
    assert_eq!(of_verify["er"], stats["er"]);
    assert_eq!(sum_of(&of_verify["effort"]), stats["unique"]);
    assert_eq!(stats["effort_version"], 1);
}

#[test]
fn puzzles_above_the_greatest_score_say_so() {
    let words = ["-q", "--measure", "er", "--max-er", "8.5"];
    let (code, csv, _) = rate(&format!("{EASY}\n{HARD}\n{TWO}\n"), &words);
    let expected = format!(
        "line,status,effort,effort_se,er,ep,ed,technique,grade,er_bound,puzzle\n\
         1,unique,,,1.2,1.2,1.2,hidden-single-box,,,{EASY}\n\
         2,unique,,,,,,,,above 8.5,{HARD}\n3,multiple,,,,,,,,,{TWO}\n"
    );
    assert_eq!((code, csv), (Some(1), expected));
    let (_, jsonl, _) = rate(HARD, &[&words[..], &["--format", "jsonl"]].concat());
    assert!(
        jsonl.contains(r#""er":null"#) && jsonl.contains(r#""er_bound":"above 8.5""#),
        "{jsonl}"
    );
    let (code, _, err) = rate(HARD, &["--max-er", "x"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("expected a score such as 9.0"), "{err}");
}

#[test]
fn verify_reports_the_same_measures() {
    let input: Vec<_> = MINIMAL.lines().filter(|line| !line.starts_with('#')).take(40).collect();
    let input = format!("{}\n{TWO}\n", input.join("\n"));
    let (_, rated, _) = rate(&input, &["-q"]);
    let verify = |words: &[&str]| fed(&mut ninefold("verify", words), &input).1;
    let verified = verify(&["-q", "--rate", "--format", "csv"]);
    let header = "line,status,faults,clues,grade,effort,effort_se,er,ep,ed,technique,answer_is,duplicate_of,puzzle,reasons";
    assert_eq!(verified.lines().next(), Some(header));
    for (one, other) in rows(&rated).iter().zip(rows(&verified)) {
        assert_eq!(one[2..8], other[5..11]);
        assert_eq!(one[8], other[4]);
    }
    let object = verify(&["-q", "--rate", "--format", "jsonl"]);
    assert_eq!(objects(&object)[0]["er"].to_string(), rows(&rated)[0][4]);
    assert!(!verify(&["-q", "--format", "csv"]).contains("effort"));
    let (code, _, err) = fed(&mut ninefold("verify", &["--rate"]), &input);
    assert_eq!(code, Some(2));
    assert!(err.contains("use --format csv or jsonl"), "{err}");
}

#[test]
fn generated_puzzles_have_the_difficulty_that_was_requested() {
    for (words, column, range) in [
        (["--effort", "5.."], 2, 5.0..=f64::MAX),
        (["--er", "4.0..4.4"], 4, 4.0..=4.4),
        (["--er", "7.0..7.2"], 4, 7.0..=7.2),
        (["--effort", "0.1..2"], 2, 0.1..=2.0),
    ] {
        let seed = ["--count", "6", "--seed", "4"];
        let made = fed(&mut ninefold("generate", &[&words[..], &seed].concat()), "");
        assert_eq!(made.0, Some(0), "{}", made.2);
        let tried = made.2.split("; ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(tried.replace(',', "").parse::<u64>().unwrap() > 6, "{}", made.2);
        let (_, rated, _) = rate(&made.1, &["-q"]);
        assert_eq!(rows(&rated).len(), 6);
        for row in rows(&rated) {
            assert!(range.contains(&row[column].parse::<f64>().unwrap()), "{words:?}: {row:?}");
        }
        // A shorter run gives the first of them.
        let seed = ["--count", "3", "--seed", "4", "-q", "-j", "1"];
        let fewer = fed(&mut ninefold("generate", &[&words[..], &seed].concat()), "");
        assert!(made.1.starts_with(&fewer.1));
    }
    let (code, _, err) = fed(&mut ninefold("generate", &["--er", "21.."]), "");
    assert_eq!(code, Some(2));
    assert!(err.contains("expected a range of scores up to 20.0 such as"), "{err}");
}

/// `generate`, `verify` and `rate` know the same ladder of rules.
#[test]
fn grades_are_the_same_everywhere() {
    for grade in ["naked-singles", "singles", "locked-candidates", "search"] {
        let words = ["-q", "--grade", grade, "--count", "5", "--seed", "2"];
        let made = fed(&mut ninefold("generate", &words), "");
        assert_eq!(made.0, Some(0), "{}", made.2);
        let (_, rated, _) = rate(&made.1, &["-q", "--measure", "grade"]);
        let verified =
            fed(&mut ninefold("verify", &["-q", "--grade", "--format", "csv"]), &made.1).1;
        assert_eq!(rows(&rated).len(), 5);
        for (one, other) in rows(&rated).iter().zip(rows(&verified)) {
            assert_eq!((one[8], other[4]), (grade, grade));
        }
    }
}

/// Singles solve a puzzle with the digits of a backdoor; the columns come only if they are asked for.
#[test]
fn backdoors_are_measured_if_they_are_asked_for() {
    let input = [EASY, HARD, TWO].join("\n");
    let (_, out, err) = rate(&input, &["--measure", "backdoor,grade"]);
    assert!(err.contains("backdoor"), "{err}");
    let header = "line,status,effort,effort_se,er,ep,ed,technique,grade,backdoor,backdoors,puzzle";
    assert_eq!(out.lines().next(), Some(header));
    let rows = rows(&out);
    assert_eq!(rows[0][8..11], ["naked-singles", "0", "1"]);
    assert_eq!(rows[1][8..10], ["search", "2"]);
    assert_eq!(rows[2][8..11], ["", "", ""]);
    let usual = rate(&input, &["-q"]).1;
    assert!(!usual.contains("backdoor"));
}

/// Golden Nugget, rated 11.9: a search of seconds that only a flag ends.
const LONG: &str =
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

#[test]
fn verify_and_select_rate_up_to_a_score() {
    let lines = format!("{EASY}\n{LONG}\n{HARD}\n");
    for (format, bound) in [("csv", ",above 9.0,"), ("jsonl", "\"er_bound\":\"above 9.0\"")] {
        let words = ["-q", "--rate", "--max-er", "9.0", "--format", format, "--only", "pass"];
        let (code, out, err) = fed(&mut ninefold("verify", &words), &lines);
        assert_eq!((code, &err[..]), (Some(0), ""));
        let bounds: Vec<_> = out.lines().map(|row| row.contains(bound)).collect();
        let header = usize::from(format == "csv");
        assert_eq!(bounds[header..], [false, true, true], "{out}");
    }
    let (code, _, err) = fed(&mut ninefold("verify", &["--max-er", "9"]), &lines);
    assert_eq!(code, Some(2));
    assert!(err.contains("--rate"), "{err}");

    for words in [["--er", "1.."], ["--technique", "nested-forcing-chain,hidden-single-box"]] {
        let words = ["-q", "--max-er", "9", words[0], words[1]];
        let (code, out, err) = fed(&mut ninefold("select", &words), &lines);
        assert_eq!((code, out), (Some(0), format!("{EASY}\n")), "{err}");
    }
}
