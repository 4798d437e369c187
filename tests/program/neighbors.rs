//! `ninefold neighbors`: the built program.

use crate::support::lists::MINIMAL;
use crate::support::{EASY, Folder, ILLEGAL, NONE, SOLVED, TWO, fed, ninefold};
use ::ninefold::engine::EngineKind;
use ::ninefold::puzzle::{Cell, Digit, Grid, Sukaku};
use ::ninefold::symmetry::Canon;
use std::collections::{BTreeSet, HashMap};
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

fn set(text: &str) -> BTreeSet<String> {
    text.lines().map(str::to_owned).collect()
}

/// The classes of puzzles.
fn classes<'a>(puzzles: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let mut canon = Canon::new();
    puzzles.into_iter().map(|line| canon.one(&line.parse().unwrap()).grid.to_string()).collect()
}

/// All neighbors by solving every variant.
fn brute(source: &str, minus: usize, plus: usize) -> BTreeSet<String> {
    fn choices(count: usize, take: usize) -> Vec<Vec<usize>> {
        match (count, take) {
            (_, 0) => vec![Vec::new()],
            (0, _) => Vec::new(),
            _ => {
                let mut all = choices(count - 1, take);
                let with = choices(count - 1, take - 1).into_iter();
                all.extend(with.map(|mut choice| {
                    choice.push(count - 1);
                    choice
                }));
                all
            }
        }
    }
    fn fits(grid: &Grid, cell: Cell, digit: Digit) -> bool {
        let clash = |peer: &Cell| grid.get(*peer) == Some(digit);
        grid.get(cell).is_none() && !cell.peers().iter().any(clash)
    }
    fn add(grid: &Grid, plus: usize, rest: &[(Cell, Digit)], variants: &mut Vec<Grid>) {
        if plus == 0 {
            variants.push(*grid);
            return;
        }
        for (place, &(cell, digit)) in rest.iter().enumerate() {
            if fits(grid, cell, digit) {
                let mut more = *grid;
                more.set(cell, Some(digit));
                add(&more, plus - 1, &rest[place + 1..], variants);
            }
        }
    }
    let source: Grid = source.parse().unwrap();
    let clues: Vec<_> = Cell::all().filter(|&cell| source.get(cell).is_some()).collect();
    let mut engine = EngineKind::Lanes.build();
    let mut found = BTreeSet::new();
    for choice in choices(clues.len(), minus) {
        let mut reduced = source;
        for place in choice {
            reduced.set(clues[place], None);
        }
        let all = Cell::all().flat_map(|cell| Digit::ALL.map(|digit| (cell, digit)));
        let rest: Vec<_> = all
            .filter(|&(cell, digit)| source.get(cell) != Some(digit) && fits(&reduced, cell, digit))
            .collect();
        let (mut variants, mut answers) = (Vec::new(), Vec::new());
        add(&reduced, plus, &rest, &mut variants);
        engine.prove_batch(&variants, &mut answers);
        let unique = variants.iter().zip(answers).filter(|(_, answer)| answer.count == 1);
        found.extend(unique.map(|(variant, _)| variant.to_string()));
    }
    found
}

fn agrees_with_brute_force(source: &str, minus: usize, plus: usize) {
    let [minus_text, plus_text] = [minus, plus].map(|it| it.to_string());
    let change = ["--minus", &minus_text, "--plus", &plus_text];
    let expected = brute(source, minus, plus);
    let (code, found, said) = near(&[&change[..], &["--per-source"]].concat(), source);
    assert_eq!((code, set(&found).len()), (Some(0), found.lines().count()), "{said}");
    assert_eq!(set(&found), expected, "{change:?} {source}");
    let once = near(&change, source).1;
    assert_eq!(set(&once), classes(expected.iter().map(String::as_str)), "{change:?} {source}");
    let minimal = near(&[&change[..], &["--minimal"]].concat(), source).1;
    let table = near(&[&change[..], &["--format", "csv"]].concat(), source).1;
    let flags: HashMap<_, _> = table
        .lines()
        .skip(1)
        .map(|row| {
            let fields: Vec<_> = row.split(',').collect();
            (fields[2].to_owned(), fields[4] == "true")
        })
        .collect();
    assert_eq!(set(&minimal), flags.iter().filter(|it| *it.1).map(|it| it.0.clone()).collect());
    let list: String = once.lines().flat_map(|line| [line, "\n"]).collect();
    let words = ["--minimal", "--only", "not-minimal", "--format", "csv", "-q"];
    let faults = fed(&mut ninefold("verify", &words), &list).1;
    for row in faults.lines().skip(1) {
        let puzzle = row.split(',').find(|field| field.len() == 81).unwrap();
        assert!(!flags[puzzle], "{puzzle}");
    }
    let redundant = faults.lines().skip(1).count();
    assert_eq!(flags.values().filter(|is_minimal| !**is_minimal).count(), redundant);
}

/// The source with this many clues more.
fn filled(source: &str, more: usize) -> String {
    let solution = ::ninefold::solve(source).unwrap().to_string();
    let mut blanks = 0;
    let cells = source.bytes().zip(solution.bytes()).map(|(clue, digit)| {
        blanks += usize::from(clue == b'.');
        if clue == b'.' && blanks <= more { digit } else { clue }
    });
    String::from_utf8(cells.collect()).unwrap()
}

#[test]
fn one_clue_for_another_agrees_with_brute_force() {
    let minimal = MINIMAL.lines().find(|line| line.len() == 81).unwrap();
    for source in [HARD[0], EASY, minimal, SOLVED] {
        agrees_with_brute_force(source, 1, 1);
    }
    agrees_with_brute_force(EASY, 1, 0);
    agrees_with_brute_force(HARD[0], 0, 1);
    agrees_with_brute_force(&filled(HARD[0], 45), 0, 2);
}

#[test]
#[ignore = "minutes"]
fn more_clues_agree_with_brute_force() {
    let list = MINIMAL.lines().filter(|line| line.len() == 81);
    let sources = HARD.into_iter().chain(list.take(197)).chain([EASY]);
    for (place, source) in sources.enumerate() {
        agrees_with_brute_force(source, 1, 1);
        let full = filled(source, 44 + place % 8);
        for (minus, plus) in [(0, 1), (1, 0), (2, 0), (0, 2), (1, 2), (2, 1)] {
            agrees_with_brute_force(&full, minus, plus);
        }
        if place < 4 {
            agrees_with_brute_force(&filled(source, 48), 2, 2);
            agrees_with_brute_force(&full, 3, 1);
            agrees_with_brute_force(source, 2, 1);
            agrees_with_brute_force(source, 0, 2);
        }
    }
}

#[test]
fn sources_without_one_solution_are_refused_by_reason() {
    let sukaku = Sukaku::from(&EASY.parse::<Grid>().unwrap()).to_string();
    let text = format!("{TWO}\n{NONE}\n{ILLEGAL}\n{sukaku}\n12x\n");
    let folder = Folder::new();
    let rejects = folder.path("rejects.txt");
    let words = ["--format", "csv", "--rejects", rejects.to_str().unwrap()];
    let (code, table, _) = near(&words, &text);
    assert_eq!(code, Some(1));
    let statuses: Vec<_> =
        table.lines().skip(1).map(|row| row.split(',').nth(1).unwrap()).collect();
    assert_eq!(statuses, ["multiple", "none", "conflict", "sukaku", "malformed"]);
    let rejects = fs::read_to_string(rejects).unwrap();
    assert!(rejects.contains("# line 4: a sukaku has no clues that could be removed"), "{rejects}");
    let limited = near(&["--max-branches", "1", "--format", "csv"], HARD[0]).1;
    assert!(limited.lines().any(|row| row.split(',').nth(1) == Some("unknown")), "{limited}");
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
    assert_eq!(
        near(&["--max", "5"], HARD[0]).1,
        once.lines().take(5).map(|it| it.to_owned() + "\n").collect::<String>()
    );
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
        assert_eq!(fields[5], brute(fields[2], 1, 1).len().to_string());
    }
}

/// Two rounds around two puzzles.
fn two_rounds(words: &[&str]) -> Vec<String> {
    let common = ["--rounds", "2", "--format", "csv", "-q"];
    common.iter().chain(words).map(|&word| word.to_owned()).collect()
}

#[test]
fn rounds_are_the_same_for_all_threads_shards_and_after_kills() {
    let folder = Folder::new();
    let [input, one, killed] = ["in.txt", "one.csv", "killed.csv"].map(|name| folder.path(name));
    fs::write(&input, format!("{}\n{}\n{}\n", HARD[0], TWO, HARD[1])).unwrap();
    let [input, one, killed] = [&input, &one, &killed].map(|path| path.to_str().unwrap());
    let run = |words: &[&str]| {
        let words = two_rounds(words);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        ninefold("neighbors", &words)
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
        sleep(Duration::from_millis(100 + 40 * round));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert_eq!(fs::read_to_string(killed).unwrap(), expected, "after {kills} kills");
    let mut shards = BTreeSet::new();
    for index in ["1/3", "2/3", "3/3"] {
        let output = run(&[input, "--shard", index, "--no-header"]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        shards.extend(text.lines().filter(|row| row.contains(",unique,")).map(puzzle));
    }
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

/// All minimal puzzles inside a puzzle: redundant clues are removed one by one, in every order.
fn minimal_inside(puzzle: &str) -> BTreeSet<String> {
    let mut engine = EngineKind::Lanes.build();
    let (mut seen, mut minimal) = (BTreeSet::from([puzzle.to_owned()]), BTreeSet::new());
    let mut queue = vec![puzzle.to_owned()];
    while let Some(puzzle) = queue.pop() {
        let clues = puzzle.bytes().enumerate().filter(|it| it.1 != b'.').map(|it| it.0);
        let smaller: Vec<_> =
            clues.map(|cell| [&puzzle[..cell], ".", &puzzle[cell + 1..]].concat()).collect();
        let grids: Vec<Grid> = smaller.iter().map(|line| line.parse().unwrap()).collect();
        let mut answers = Vec::new();
        engine.prove_batch(&grids, &mut answers);
        let unique = smaller.into_iter().zip(answers).filter(|it| it.1.count == 1);
        let unique: Vec<_> = unique.map(|it| it.0).collect();
        if unique.is_empty() {
            minimal.insert(puzzle);
        }
        queue.extend(unique.into_iter().filter(|line| seen.insert(line.clone())));
    }
    minimal
}

#[test]
fn all_minimal_puzzles_of_22_to_28_clues_are_those_of_brute_force() {
    let clues = |line: &str| line.bytes().filter(u8::is_ascii_digit).count();
    let list = MINIMAL.lines().filter(|line| line.len() == 81 && clues(line) < 26);
    let sources: Vec<_> =
        list.take(60).enumerate().map(|(place, line)| filled(line, 1 + place % 4)).collect();
    assert!(sources.iter().all(|line| (22..=29).contains(&clues(line))));
    let text = sources.join("\n");
    let all = fed(&mut ninefold("minimize", &["--all", "--format", "csv", "-q"]), &text).1;
    let least = fed(&mut ninefold("minimize", &["--fewest", "-q"]), &text).1;
    let mut found: HashMap<_, BTreeSet<_>> = HashMap::new();
    for row in all.lines().skip(1) {
        let fields: Vec<_> = row.split(',').collect();
        assert_eq!(fields[1], "minimal");
        assert!(found.entry(fields[5]).or_default().insert(fields[2].to_owned()), "{row}");
    }
    let mut several = 0;
    for (source, least) in sources.iter().zip(least.lines()) {
        let expected = minimal_inside(source);
        assert_eq!(found[source.as_str()], expected, "{source}");
        assert_eq!(Some(clues(least)), expected.iter().map(|line| clues(line)).min());
        several += usize::from(expected.len() > 5);
    }
    assert!(several > 10, "{several}");
}

/// The statistics of shards add up to those of one run.
#[test]
fn statistics_of_shards_are_merged() {
    let folder = Folder::new();
    let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    fs::write(folder.path("in.txt"), format!("{}\n{}\n", HARD[0], HARD[1])).unwrap();
    let input = path("in.txt");
    let run = |shard: &str, name: &str| {
        let (output, stats) = (path(&format!("{name}.csv")), path(&format!("{name}.json")));
        let words = ["--rounds", "2", "--max", "40", "--format", "csv", "--stats-json", &stats];
        let words = [&words[..], &["-q", "-o", &output, "--shard", shard, &input]].concat();
        assert_eq!(ninefold("neighbors", &words).status().unwrap().code(), Some(0));
        fs::read_to_string(output).unwrap()
    };
    let texts = [run("1/2", "one"), run("2/2", "two")];
    let parts = [path("one.json"), path("two.json")];
    let merged = ninefold("merge", &[&*parts[0], &*parts[1]]).output().unwrap();
    let merged: serde_json::Value = serde_json::from_slice(&merged.stdout).unwrap();
    let count = |part: &str| texts.iter().map(|text| text.matches(part).count()).sum::<usize>();
    assert_eq!(merged["found"], count(",unique,"), "{merged}");
    assert_eq!(merged["minimal"], count(",true,"), "{merged}");
    assert!(texts.iter().any(|text| text.contains("\nfound,")));
}

#[test]
fn minimize_finds_minimal_puzzles_inside_a_puzzle() {
    let words = |words: &[&str]| {
        let output = fed(&mut ninefold("minimize", &[words, &["-q"]].concat()), EASY);
        assert_eq!(output.0, Some(0), "{}", output.2);
        output.1
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
    let few =
        fed(&mut ninefold("minimize", &["--all", "--max", "3", "--format", "csv", "-q"]), EASY);
    let statuses: Vec<_> =
        few.1.lines().skip(1).map(|row| row.split(',').nth(1).unwrap()).collect();
    assert_eq!((few.0, &statuses[..]), (Some(1), &["minimal", "minimal", "minimal", "more"][..]));
    let text = format!("{TWO}\n{NONE}\n{ILLEGAL}\n");
    let refused = fed(&mut ninefold("minimize", &["--format", "csv", "-q"]), &text).1;
    let statuses: Vec<_> =
        refused.lines().skip(1).map(|row| row.split(',').nth(1).unwrap()).collect();
    assert_eq!(statuses, ["multiple", "none", "conflict"]);
}
