//! `ninefold neighbors`: the built program.

use crate::support::{EASY, Folder, ILLEGAL, NONE, TWO, fed, name, ninefold};
use ::ninefold::puzzle::{Grid, Sukaku};
use ::ninefold::symmetry::Canon;
use std::collections::BTreeSet;
use std::fs;
use std::thread::sleep;
use std::time::Duration;

/// Hard puzzles.
const HARD: [&str; 2] = [
    "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3",
    "........2..8.1.9..5....3.4....1.93...6..3..8...37......4......53.1.7.8..2........",
];

fn near(words: &[&str], input: &str) -> (Option<i32>, String, String) {
    fed(&mut ninefold("neighbors", &[words, &["-q"]].concat()), input)
}

/// The second field of each row of a table.
fn statuses(table: &str) -> Vec<&str> {
    table.lines().skip(1).map(|row| row.split(',').nth(1).unwrap()).collect()
}

fn set(text: &str) -> BTreeSet<String> {
    text.lines().map(str::to_owned).collect()
}

/// The classes of puzzles.
fn classes<'a>(puzzles: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let mut canon = Canon::new();
    puzzles.into_iter().map(|line| canon.one(&line.parse().unwrap()).grid.to_string()).collect()
}

/// Which puzzles are neighbors is judged in the core, by brute force.
#[test]
fn each_class_has_one_record_that_says_whether_it_is_minimal() {
    for source in [HARD[0], EASY] {
        let (code, once, said) = near(&[], source);
        assert_eq!((code, set(&once).len()), (Some(0), once.lines().count()), "{said}");
        assert_eq!(set(&once), classes(once.lines()), "{source}");
        let minimal = near(&["--minimal"], source).1;
        let table = near(&["--format", "csv"], source).1;
        let rows = table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        let (flagged, redundant): (Vec<_>, Vec<_>) = rows.partition(|row| row[4] == "true");
        assert_eq!(set(&minimal), flagged.iter().map(|row| row[2].to_owned()).collect());
        let words = ["--minimal", "--only", "not-minimal", "--format", "csv", "-q"];
        let faults = fed(&mut ninefold("verify", &words), &once).1;
        let is_fault = |row: &Vec<&str>| faults.contains(row[2]);
        assert!(redundant.iter().all(is_fault) && !flagged.iter().any(is_fault));
    }
}

#[test]
fn sources_without_one_solution_are_refused_by_reason() {
    let sukaku = Sukaku::from(&EASY.parse::<Grid>().unwrap()).to_string();
    let text = format!("{TWO}\n{NONE}\n{ILLEGAL}\n{sukaku}\n12x\n");
    let folder = Folder::new();
    let rejects = folder.path("rejects.txt");
    let words = ["--format", "csv", "--rejects", name(&rejects)];
    let (code, table, _) = near(&words, &text);
    assert_eq!(code, Some(1));
    assert_eq!(statuses(&table), ["multiple", "none", "conflict", "sukaku", "malformed"]);
    let rejects = fs::read_to_string(rejects).unwrap();
    assert!(rejects.contains("# line 4: a sukaku has no clues that could be removed"), "{rejects}");
    let limited = near(&["--max-branches", "1", "--format", "csv"], HARD[0]).1;
    assert!(statuses(&limited).contains(&"unknown"), "{limited}");
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for (words, why) in [
        (&["--minus", "0", "--plus", "0"][..], "no clue changes"),
        (&["--minus", "2", "--pattern", "same"], "must be equal"),
        (&["--plus", "6"], "expected 0 to 5"),
        (&["--rounds", "0"], "until-stable"),
        (&["--rounds", "2", "--per-source"], "cannot be used with"),
    ] {
        let (code, _, said) = near(words, EASY);
        assert_eq!(code, Some(2), "{words:?}");
        assert!(said.contains(why), "{words:?}: {said}");
    }
}

#[test]
fn conditions_choose_among_all_neighbors() {
    let all = near(&["--per-source"], HARD[0]).1;
    let same = near(&["--pattern", "same", "--per-source"], HARD[0]).1;
    let pattern = |line: &str| line.bytes().map(|byte| byte == b'.').collect::<Vec<_>>();
    let expected: BTreeSet<_> =
        set(&all).into_iter().filter(|line| pattern(line) == pattern(HARD[0])).collect();
    assert_eq!(set(&same), expected);
    let bank = Folder::new();
    let file = bank.path("bank.txt");
    let once = near(&[], HARD[0]).1;
    let known: String = once.lines().step_by(2).flat_map(|line| [line, "\n"]).collect();
    fs::write(&file, &known).unwrap();
    let rest = near(&["--not-in", file.to_str().unwrap()], HARD[0]).1;
    assert_eq!(set(&rest), set(&once).difference(&set(&known)).cloned().collect());
    assert_eq!(near(&["--clues", "23..30"], HARD[0]).1, "");
    let first: String = once.split_inclusive('\n').take(5).collect();
    assert_eq!(near(&["--max", "5"], HARD[0]).1, first);
    let rated = near(&["--er", "10.0..", "--format", "csv"], HARD[0]).1;
    let words = ["--measure", "er", "-q"];
    let rates = fed(&mut ninefold("rate", &words), &once).1;
    let er = |row: &str, place| row.split(',').nth(place).unwrap().parse::<f64>().unwrap();
    let hard = rates.lines().skip(1).filter(|row| er(row, 4) >= 10.0).count();
    assert_eq!(rated.lines().skip(1).filter(|row| er(row, 5) >= 10.0).count(), hard);
    assert_eq!(rated.lines().count(), hard + 1);
    let counted = near(&["--count", "--format", "csv", "--max", "2"], HARD[0]).1;
    for row in counted.lines().skip(1) {
        let fields: Vec<_> = row.split(',').collect();
        let all = near(&["--per-source"], fields[2]).1;
        assert_eq!(fields[5], all.lines().count().to_string());
    }
}

#[test]
fn rounds_are_the_same_for_all_threads_shards_and_after_kills() {
    let folder = Folder::new();
    let [input, one, killed] = ["in.txt", "one.csv", "killed.csv"].map(|name| folder.path(name));
    fs::write(&input, format!("{}\n{}\n{}\n", HARD[0], TWO, HARD[1])).unwrap();
    let [input, one, killed] = [&input, &one, &killed].map(|path| path.to_str().unwrap());
    let run = |words: &[&str]| {
        let common = ["--rounds", "2", "--format", "csv", "-q"];
        ninefold("neighbors", &[&common, words].concat())
    };
    run(&[input, "-j1", "-o", one]).status().unwrap();
    let expected = fs::read_to_string(one).unwrap();
    assert!(expected.contains("\nfound,") && expected.contains(",multiple,"));
    // The second round is what a run around the first would find.
    let puzzle = |row: &str| row.split(',').nth(3).unwrap().to_owned();
    let rows: Vec<_> = expected.lines().skip(1).filter(|row| row.contains(",unique,")).collect();
    let first: Vec<_> =
        rows.iter().filter(|row| !row.starts_with("found")).map(|row| puzzle(row)).collect();
    let first_text: String = first.iter().flat_map(|line| [line, "\n"]).collect();
    let mut both = set(&near(&[], &first_text).1);
    both.extend(first);
    assert_eq!(both, rows.iter().map(|row| puzzle(row)).collect());
    assert_eq!(both.len(), rows.len());
    let mut kills = 0;
    for round in 0..100 {
        let mut child = run(&[input, "-j2", "-o", killed, "--resume", "--flush-interval", "0"])
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(200 + 200 * round));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert_eq!(fs::read_to_string(killed).unwrap(), expected, "after {kills} kills");
    // The statistics of shards add up.
    let (mut shards, mut all, mut parts) = (BTreeSet::new(), String::new(), Vec::new());
    for index in ["1/3", "2/3", "3/3"] {
        parts.push(folder.path(&index.replace('/', " of ")));
        let stats = ["--stats-json", name(&parts[parts.len() - 1])];
        let words = [&[input, "--shard", index, "--no-header"], &stats[..]].concat();
        let text = String::from_utf8(run(&words).output().unwrap().stdout).unwrap();
        shards.extend(text.lines().filter(|row| row.contains(",unique,")).map(puzzle));
        all += &text;
    }
    let merged = fed(ninefold("merge", &[]).args(parts), "").1;
    let merged: serde_json::Value = serde_json::from_str(&merged).unwrap();
    assert_eq!(merged["found"], all.matches(",unique,").count(), "{merged}");
    assert_eq!(merged["minimal"], all.matches(",true,").count(), "{merged}");
    assert_eq!(shards, both);
}

/// The list of puzzles with 17 clues is complete, so no new one is near it.
#[test]
#[ignore = "reads a list that is not in the repository"]
fn puzzles_with_17_clues_of_a_list_have_no_others_near_them() {
    let Ok(list) = std::env::var("NINEFOLD_LIST") else {
        println!("skipped: NINEFOLD_LIST names no list");
        return;
    };
    let text = fs::read_to_string(&list).unwrap();
    let all: Vec<_> = text.lines().filter(|line| line.len() == 81).collect();
    assert_eq!(near(&["--not-in", &list, "--clues", "17", &list], "").1, "");
    let some = all[..300].join("\n");
    assert_eq!(near(&[], &some).1.lines().count(), 350);
    let few = all[..3].join("\n");
    assert_eq!(near(&["--minus", "2", "--plus", "2", "--not-in", &list], &few).1, "");
    let more = near(&["--plus", "2", "--format", "csv"], all[0]).1;
    assert!(more.lines().skip(1).all(|row| row.split(',').nth(3) == Some("18")));
}

#[test]
fn minimize_finds_minimal_puzzles_inside_a_puzzle() {
    let words = |words: &[&str]| {
        let (code, out, err) = fed(&mut ninefold("minimize", &[words, &["-q"]].concat()), EASY);
        assert_eq!(code, Some(0), "{err}");
        out
    };
    let all = words(&["--all", "--format", "csv"]);
    let puzzles: Vec<_> =
        all.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>()).collect();
    let is_inside = |row: &Vec<&str>| {
        row[2].bytes().zip(EASY.bytes()).all(|(inner, outer)| inner == b'.' || inner == outer)
    };
    assert!(puzzles.len() > 10 && puzzles.iter().all(is_inside));
    let list: String = puzzles.iter().flat_map(|row| [row[2], "\n"]).collect();
    let (code, faults, _) =
        fed(&mut ninefold("verify", &["--minimal", "--duplicates", "-q"]), &list);
    assert_eq!((code, &*faults), (Some(0), ""));
    let fewest = words(&["--fewest"]);
    let least = puzzles.iter().map(|row| row[3].parse::<usize>().unwrap()).min().unwrap();
    let clues = |line: &str| line.bytes().filter(u8::is_ascii_digit).count();
    assert_eq!(clues(&fewest), least);
    assert!(list.contains(&fewest));
    let seeds: BTreeSet<_> = (1..20).map(|seed| words(&["--seed", &seed.to_string()])).collect();
    assert!(seeds.len() > 5 && seeds.iter().all(|one| list.contains(one)));
    // A few at most; the record says that there are more.
    let words = ["--all", "--max", "3", "--format", "csv", "-q"];
    let (code, few, _) = fed(&mut ninefold("minimize", &words), EASY);
    assert_eq!((code, statuses(&few)), (Some(1), vec!["minimal", "minimal", "minimal", "more"]));
    let text = format!("{TWO}\n{NONE}\n{ILLEGAL}\n");
    let refused = fed(&mut ninefold("minimize", &words[3..]), &text).1;
    assert_eq!(statuses(&refused), ["multiple", "none", "conflict"]);
}
