//! `ninefold verify`, the built program: its reports, counts and exit codes.

use crate::faults::{Run, ninefold, run_with};
use crate::support::lists::MINIMAL;
use crate::support::{
    EASY, Folder, ILLEGAL, LIGHT, Memory, NONE, SOLVED, TWO, assert_counts, corpus, json_of,
    objects, sum_of,
};
use ninefold::input::{Hints, Source};
use ninefold::output::{Format, Transaction};
use ninefold::pipeline::{Control, Pipeline};
use ninefold::run;
use ninefold::run::Report;
use ninefold::verify::{Verify, VerifyCount};

const FAULTS: &str = include_str!("../data/faults.csv");
const REPORT: &str = include_str!("../data/faults.report");

fn verify(folder: &Folder, words: &[&str]) -> Run {
    run_with(ninefold().arg("verify").args(words).current_dir(folder.path(".")), b"")
}

/// The folder with the file of faults.
fn faults() -> Folder {
    let folder = Folder::new();
    folder.file("faults.csv", FAULTS);
    folder
}

const ALL_CHECKS: [&str; 6] =
    ["faults.csv", "--minimal", "--duplicates", "--grade", "--clues", "20..30"];

#[test]
fn the_file_with_one_of_every_fault_has_its_report() {
    let run = verify(&faults(), &ALL_CHECKS);
    assert_eq!(run.out, REPORT);
    assert_eq!(run.code, Some(1), "{}", run.err);
    // Every kind of fault is in it.
    let reasons = "column 4: expected|expected 81 cells|twice in row|no solution|more than one solution|\
                   valid but not unique|is blank|where the clue is|no answer given|not minimal|\
                   clues, found|same puzzle as";
    for reason in reasons.split('|') {
        assert!(run.out.contains(reason), "{reason}");
    }
    for row in ["\n  pass ", "\n  duplicates ", "\n  not minimal ", "\nclues\n", "\n  search "] {
        assert!(run.err.contains(row), "{row}: {}", run.err);
    }
}

#[test]
fn faults_are_chosen_with_only() {
    let told = |words: &[&str]| {
        let run = verify(&faults(), &[&ALL_CHECKS[..], words].concat());
        assert_eq!(run.code, Some(1));
        run.out
    };
    let lines = REPORT.split_inclusive('\n');
    let expected: String = lines.filter(|line| line.contains(" clues, found")).collect();
    assert_eq!(told(&["-q", "--only", "clues"]), expected);
    assert_eq!(told(&["-q", "--only", "pass"]), "");
    let csv = told(&["-q", "--format", "csv", "--only", "pass"]);
    let passing: Vec<_> = csv.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(passing, ["3", "18"]);
}

#[test]
fn tables_and_objects_have_every_line() {
    let run = verify(&faults(), &[&ALL_CHECKS[..], &["--format", "csv"]].concat());
    let rows: Vec<_> = run.out.lines().collect();
    assert_eq!(rows[0], "line,status,faults,clues,grade,answer_is,duplicate_of,puzzle,reasons");
    assert_eq!(rows.len(), 1 + 15, "{}", run.out);
    let duplicate = rows.iter().find(|row| row.starts_with("17,")).unwrap();
    assert!(duplicate.starts_with("17,unique,duplicate,25,singles,right,faults.csv:3,..4."));
    assert!(duplicate.ends_with(",same puzzle as faults.csv:3"), "{duplicate}");
    assert!(run.out.contains(",\"not minimal: any one of "), "{}", run.out);
    let run = verify(&faults(), &[&ALL_CHECKS[..], &["--format", "jsonl"]].concat());
    let objects = objects(&run.out);
    assert_eq!(objects.len(), 15);
    for object in &objects {
        let line = object["line"].as_u64().unwrap();
        let told = REPORT.lines().filter(|told| told.starts_with(&format!("faults.csv:{line}: ")));
        let reasons: Vec<_> = told.map(|told| told.splitn(3, ':').nth(2).unwrap().trim()).collect();
        assert_eq!(object["reasons"], serde_json::json!(reasons), "{object}");
        assert_eq!(object["faults"].as_array().unwrap().len(), reasons.len());
    }
}

#[test]
fn counts_are_written_for_programs() {
    let folder = faults();
    let run = verify(&folder, &[&ALL_CHECKS[..], &["-q", "--stats-json", "stats.json"]].concat());
    assert_eq!(run.err, "");
    let stats = json_of(folder.path("stats.json"));
    let counts = "puzzles 15, passed 2, unique 9, multiple 2, none 1, conflict 1, malformed 2, \
                  minimal 8, not_minimal 1, duplicates 1";
    assert_counts(&stats, counts);
    assert_eq!(stats["answers"]["valid_not_the_only_one"], 1);
    assert_eq!(sum_of(&stats["clues"]), 13);
    assert_eq!(stats["inputs"][0]["puzzles"], 15);
}

#[test]
fn a_right_answer_to_a_puzzle_with_several_is_never_wrong() {
    let folder = Folder::new();
    let other = SOLVED.replacen("67", "76", 1).replace("9761", "9671");
    folder.file("two.csv", format!("puzzle,solution\n{TWO},{SOLVED}\n{TWO},{other}\n"));
    let run = verify(&folder, &["two.csv"]);
    assert!(!run.out.contains("answer: "), "{}", run.out);
    assert_eq!(run.out.matches("the answer is valid but not unique").count(), 2);
    let run = verify(&folder, &["two.csv", "--trust-unique"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(0)));
    for format in ["report", "csv", "jsonl"] {
        let run = verify(&folder, &["two.csv", "--show-two", "-q", "--format", format]);
        assert_eq!(run.out.matches(&format!("{SOLVED} and {other}")).count(), 2, "{}", run.out);
    }
}

/// Predictions of every kind, in a column and in a file of their own. The last two rows have no score: the puzzle
/// has two solutions, and the line is no puzzle.
#[test]
fn predictions_get_a_score() {
    let folder = Folder::new();
    let changed = SOLVED.replace('1', "x").replace('2', "1").replace('x', "2");
    let fives = "5".repeat(81);
    let blanks = || EASY.bytes().zip(SOLVED.bytes()).filter(|(clue, _)| b".0".contains(clue));
    let count = blanks().count();
    let float = |count: usize| f64::from(u32::try_from(count).unwrap());
    let cells = |right| format!("{},{right},{count}", float(right) / float(count));
    let kept = blanks().filter(|(_, digit)| !b"12".contains(digit)).count();
    let of_fives = blanks().filter(|(_, digit)| *digit == b'5').count();
    let rows = [
        (EASY, "a", SOLVED, cells(count), "true,true,true,true"),
        (EASY, "b", EASY, cells(0), "false,true,true,false"),
        (EASY, "a", &changed, cells(kept), "true,true,false,false"),
        (EASY, "b", &fives, cells(of_fives), "true,false,false,false"),
        (EASY, "", "", cells(0), "false,false,false,false"),
        (EASY, "a", &SOLVED[1..], cells(0), "false,false,false,false"),
        (TWO, "b", SOLVED, ",,".to_owned(), ",,,"),
        (&EASY[1..], "a", SOLVED, ",,".to_owned(), ",,,"),
    ];
    let text = |row: fn(&(&str, &str, &str)) -> String| {
        rows.iter().map(|it| row(&(it.0, it.1, it.2))).collect::<String>()
    };
    let both = text(|(puzzle, of, found)| format!("{puzzle},{of},{found}\n"));
    folder.file("both.csv", format!("puzzle,of,solution\n{both}"));
    let truth =
        |solved: &str| text(|(puzzle, of, _)| format!("{puzzle},{of},T\n")).replace('T', solved);
    folder.file("truth.csv", format!("puzzle,of,solution\n{}", truth(SOLVED)));
    folder.file("none.csv", format!("puzzle,of,solution\n{}", truth("")));
    folder.file("found.csv", format!("found\n{}", text(|(_, _, it)| format!("\"{it}\"\n"))));
    let of_file = |name| [name, "--solutions", "found.csv"];
    let column = ["--columns", "prediction=solution"];
    for input in
        [&[&["both.csv"], &column[..]].concat()[..], &of_file("none.csv"), &of_file("truth.csv")]
    {
        let words = ["--score", "--by", "of", "--format", "csv", "--stats-json", "s.json", "-f"];
        let run = verify(&folder, &[input, &words].concat());
        assert_eq!(run.code, Some(1), "{}", run.err);
        // The answer next to a puzzle with two solutions is its truth.
        let is_known = input[0] == "truth.csv";
        for (line, (.., cells, flags)) in run.out.lines().skip(1).zip(&rows) {
            let unknown = line.contains(TWO) && is_known;
            assert!(unknown || line.contains(&format!(",{cells},{flags},")), "{line}\n{flags}");
        }
        let stats = json_of(folder.path("s.json"));
        let (score, by) = (&stats["score"], &stats["by"]);
        assert_eq!(score["rows"], if is_known { 7 } else { 6 });
        let numbers = ["exact", "missing", "unscored"].map(|key| score[key].as_u64().unwrap());
        assert_eq!(numbers, if is_known { [2, 2, 1] } else { [1, 2, 2] });
        for (key, all) in score.as_object().unwrap().iter().filter(|(_, all)| all.is_u64()) {
            let sum: u64 =
                ["a", "b", "unknown"].map(|it| by[it][key].as_u64().unwrap()).iter().sum();
            assert_eq!(*all, sum, "{key}");
        }
        let part = |key: &str| score[key].as_f64().unwrap();
        let cells = part("right_cells") / part("blank_cells");
        assert!((part("cell_accuracy") - cells).abs() < 1e-12);
        assert_eq!(by["unknown"]["exact_accuracy"], 0.0);
        assert!(run.err.contains("\na ") && run.err.contains("without a score"), "{}", run.err);
    }
    let scored = "--score --columns prediction=solution";
    for (words, reason) in [
        ("--score", "no field of both.csv may have predictions"),
        (&*format!("{scored} --trust-unique"), "only one that is searched"),
        (
            &format!("{scored} --by x"),
            "--by: both.csv has no column \"x\": it has puzzle, of, solution",
        ),
        ("--by clues", "--score"),
    ] {
        let words: Vec<_> = ["both.csv"].into_iter().chain(words.split(' ')).collect();
        let run = verify(&folder, &words);
        assert!(run.code == Some(2) && run.err.contains(reason), "{words:?}: {}", run.err);
    }
}

/// A name says where they are, in the answers or next to the puzzles; else the only full grids do, and more are refused.
#[test]
fn predictions_are_named() {
    let folder = Folder::new();
    let wrong = SOLVED.replace('1', "x").replace('2', "1").replace('x', "2");
    let all = [("P", EASY), ("S", SOLVED), ("W", &wrong), ("T", &format!("Answer: {SOLVED}"))];
    let filled = |text: &str| {
        let name = |cell: &str| {
            all.iter().find(|it| it.0 == cell).map_or(cell.to_owned(), |it| it.1.to_owned())
        };
        let lines = text.lines().map(|line| line.split(',').map(name).collect::<Vec<_>>());
        lines.map(|cells| cells.join(",") + "\n").collect::<String>()
    };
    let score = |text: &str, words: &str| {
        let run = verify(
            &folder,
            &text.split(' ').chain(words.split_whitespace()).chain(["--score"]).collect::<Vec<_>>(),
        );
        let line = |it: &&str| it.starts_with("predictions: ") || it.starts_with("  exact");
        let lines: Vec<_> =
            run.err.lines().filter(line).map(|it| it.trim_end_matches(" %")).collect();
        let text = if run.code == Some(2) { run.err.clone() } else { lines.join("") };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    folder.file("p.txt", filled("P\n"));
    folder.file("five.txt", filled("P\nP\nP\nP\nP"));
    folder.file("s.csv", filled("solution\nS\n"));
    for (text, words, expected) in [
        ("puzzle,solution,prediction\nP,S,W", "", "column \"prediction\"|0.0"),
        ("question,answer,Output\nP,S,W", "", "column \"Output\"|0.0"),
        ("pred,target\nW,S", "", "column \"pred\"|0.0"),
        ("pred,target\nT,S", "", "column \"pred\"|0.0"),
        ("x,target\nT,S", "--columns prediction=X", "column \"x\"|0.0"),
        ("solution\nS", "", "column \"solution\"|100.0"),
        ("x,target\nW,S", "", "may have predictions"),
        ("pred,completion\nW,S", "", "may have predictions"),
        ("x,target\nW,S", "--columns prediction=y", "no field of f.csv"),
        ("prediction\nT", "", "column \"prediction\"|0.0"),
    ] {
        folder.file("f.csv", filled(text));
        let mut inputs = vec!["p.txt --solutions f.csv"];
        if text.contains("P,") {
            inputs.push("f.csv");
        }
        for input in inputs {
            let found = score(input, words);
            let is_right = expected.split('|').all(|part| found.contains(part));
            assert!(is_right, "{text}: {found}");
        }
    }
    // Those next to the puzzles are predictions, and the others answers.
    folder.file("f.csv", filled("puzzle,response\nP,S\n"));
    assert!(score("f.csv --solutions s.csv --trust-unique", "").contains("f.csv exact"));
    folder.file("f.csv", filled("1,S\n2,S\n3,S\n4,T\n5,S\n"));
    assert!(score("five.txt --solutions f.csv", "").contains("column 2 of f.csv exact 4 80.0"));
}

/// A stored answer may be wrong, or one of several solutions, of which another one may be predicted.
#[test]
fn stored_answers_are_judged_beside_predictions() {
    let folder = Folder::new();
    let blank = ".".repeat(81);
    let [one, two] = [&SOLVED.replace('1', "x").replace('2', "1").replace('x', "2"), SOLVED];
    let text =
        format!("puzzle,solution,pred\n{blank},{one},{two}\n{EASY},{one},{two}\n{EASY},,{one}\n");
    folder.file("f.csv", text);
    let run = verify(&folder, &["f.csv", "--score", "--stats-json", "s.json"]);
    let score = &json_of(folder.path("s.json"))["score"];
    let keys = ["rows", "exact", "valid", "wrong_answers", "answers_not_the_only_one"];
    assert_eq!(keys.map(|key| score[key].as_u64().unwrap()), [3, 1, 2, 1, 1], "{}", run.err);
    assert!(run.err.contains("\n1 stored answers that are wrong\n1 stored answers that are not"));
}

/// Else the second row would have no puzzle, and its solution would be one.
#[test]
fn a_file_of_answers_has_the_blanks_of_the_puzzles() {
    let folder = Folder::new();
    let [none, easy] = [NONE, EASY].map(|puzzle| puzzle.replace(['.', '0'], "x"));
    folder.file("p.txt", format!("{none}\n{easy}\n"));
    folder.file("s.csv", format!("puzzle,solution\n{none},\n{easy},{SOLVED}\n"));
    let run = verify(&folder, &["--blank", "x", "p.txt", "--solutions", "s.csv", "-q"]);
    assert_eq!(run.out, "p.txt:1: no solution\np.txt:1: no answer given\n");
}

/// Columns count bytes of the line, in objects as in rows.
#[test]
fn columns_in_objects_count_from_the_start_of_the_line() {
    let folder = Folder::new();
    let (puzzle, answer) = (EASY.replacen('3', "x", 1), SOLVED.replacen('3', "x", 1));
    let object = |puzzle: &str, answer: &str| {
        format!("{{\"id\": 7, \"puzzle\": \"{puzzle}\", \"solution\": \"{answer}\"}}\n")
    };
    let text = [object(EASY, SOLVED), object(&puzzle, SOLVED), object(EASY, &answer)].concat();
    folder.file("p.jsonl", &text);
    let run = verify(&folder, &["p.jsonl", "-q"]);
    let mut columns = text.lines().skip(1).map(|line| line.find('x').unwrap() + 1);
    let (puzzle, answer) = (columns.next().unwrap(), columns.next().unwrap());
    let expected = format!(
        "p.jsonl:2: column {puzzle}: expected 1 to 9, '.' or '0', found 'x'\n\
         p.jsonl:3: answer: column {answer}: expected 1 to 9, '.' or '0', found 'x'\n"
    );
    assert_eq!(run.out, expected);
    let run = verify(&folder, &["p.jsonl", "-q", "--solutions", "p.jsonl", "-o", "-"]);
    assert!(run.out.contains(&format!(":3: answer p.jsonl:3: column {answer}: ")), "{}", run.out);
}

/// Whatever `solve` writes can be the answers, with the puzzles that have none.
#[test]
fn answers_are_what_solve_writes() {
    let folder = Folder::new();
    let rows = format!("{EASY},{EASY}\n53.x,\n{NONE},{SOLVED}\n{LIGHT},\n{EASY},\n");
    let input = format!("puzzle,solution\n{rows}");
    folder.file("p.csv", input);
    for words in [
        &["--format", "line"][..],
        &["--format", "pair"],
        &["--format", "csv"],
        &["--format", "csv", "--keep-columns"],
        &["--format", "jsonl", "--keep-columns"],
    ] {
        let mut command = ninefold();
        command.args(["solve", "-q", "p.csv", "--force", "-o", "s"]).args(words);
        assert_eq!(command.current_dir(folder.path(".")).status().unwrap().code(), Some(1));
        let run = verify(&folder, &["p.csv", "--solutions", "s", "-q"]);
        let expected = "p.csv:3: column 4: expected 1 to 9, '.' or '0', found 'x'\n\
                        p.csv:4: no solution\np.csv:4: no answer given\n";
        assert_eq!((run.out.as_str(), run.code), (expected, Some(1)), "{words:?}");
    }
}

/// Each among its own kind, however what is out is written.
#[test]
fn sukakus_and_grids_that_came_before_are_found() {
    let folder = Folder::new();
    let (one, two) = (sukaku(EASY), sukaku(LIGHT));
    let lines = [EASY, &one, &two, LIGHT, &one.replace('.', "0"), &EASY.replace('.', "0"), &two];
    folder.file("s.txt", lines.join("\n"));
    let run = verify(&folder, &["s.txt", "--duplicates", "-q"]);
    let of = [(5, 2), (6, 1), (7, 3)];
    let expected = of.map(|(line, first)| format!("s.txt:{line}: same puzzle as s.txt:{first}\n"));
    assert_eq!((run.out, run.code), (expected.concat(), Some(1)));
}

/// Rules alone are tried on puzzles with clues. What was not tried is counted all the same.
#[test]
fn sukakus_are_counted_where_they_are_not_asked() {
    let folder = Folder::new();
    folder.file("s.txt", format!("{EASY}\n{}\n", sukaku(EASY)));
    let run = verify(&folder, &["s.txt", "--grade"]);
    let row = run.err.lines().find(|row| row.trim_start().starts_with("not asked (sukakus)"));
    let row: Vec<_> = row.unwrap().split_whitespace().collect();
    assert_eq!(&row[3..], ["1", "50.0", "%"], "{}", run.err);
}

#[test]
fn the_exit_code_says_how_it_went() {
    let folder = Folder::new();
    folder.file("good.txt", MINIMAL);
    folder.file("bad.txt", ILLEGAL);
    let good = verify(&folder, &["good.txt", "--minimal", "--duplicates", "--clues", "17.."]);
    assert_eq!((good.out.as_str(), good.code), ("", Some(0)), "{}", good.err);
    assert!(good.err.contains("\n  minimal                1,000  100.0 %\n"), "{}", good.err);
    for (code, words) in [
        (1, "bad.txt"),
        (2, "none.txt"),
        (2, "good.txt -o good.txt"),
        (2, "good.txt --solutions bad.txt -o bad.txt"),
        (2, "good.txt --trust-unique --minimal"),
    ] {
        let words: Vec<_> = words.split(' ').collect();
        assert_eq!(verify(&folder, &words).code, Some(code), "{words:?}");
    }
    // A run of verify cannot be resumed.
    folder.file("out.partial", "hours of work");
    let left = verify(&folder, &["good.txt", "-o", "out"]);
    assert!(left.err.ends_with("left out.partial; --force begins anew\n"), "{}", left.err);
}

/// What a run of the library writes, and counts.
fn verify_all(
    verify: &Verify,
    pipeline: Pipeline,
    format: Format,
    source: Source,
    answers: Option<Source>,
) -> (String, Report) {
    let memory = Memory::default();
    let mut output = Transaction::from(memory.sink());
    let mut run = run::Run { pipeline, ..run::Run::default() };
    run.writing.style.format = format;
    let control = Control::default();
    let report = verify.run(&run, vec![source], answers, &mut output, control).unwrap();
    output.commit(|_, _| String::new()).unwrap();
    (memory.text(), report)
}

/// The same bytes and counts whatever the threads and the chunks.
#[test]
fn the_report_does_not_depend_on_threads_or_chunks() {
    let text = FAULTS.repeat(5);
    let is_record = |line: &&str| line.len() > 80 && !line.starts_with('#');
    let answers = [SOLVED, "\n"].concat().repeat(text.lines().filter(is_record).count());
    let mut first = None;
    for (threads, chunk_bytes) in [(1, 1 << 20), (1, 1), (2, 100), (3, 4096)] {
        let found = [Format::Report, Format::Csv, Format::Jsonl].map(|format| {
            let verify = Verify {
                minimal: true,
                clues: Some(20..=30),
                duplicates: Some(ninefold::bank::Same::Exact),
                show_two: true,
                ..Verify::default()
            };
            let pipeline = Pipeline { threads, chunk_size: Some(chunk_bytes) };
            [None, Some(answers.clone())].map(|answers| {
                let mut source = Source::from_bytes("text", text.clone().into_bytes());
                source.find_layout(&Hints::default()).unwrap();
                let answers =
                    answers.map(|answers| Source::from_bytes("answers", answers.into_bytes()));
                let (told, report) = verify_all(&verify, pipeline, format, source, answers);
                (told, report.total)
            })
        });
        let first = first.get_or_insert_with(|| found.clone());
        assert!(*first == found, "{threads} threads, chunks of {chunk_bytes}");
    }
}

/// A chunk whose rows are all right is counted at a glance: the counts are as of one that is
/// looked at row by row.
#[test]
fn rows_counted_at_a_glance_are_counted_like_others() {
    let row = format!("{EASY},{SOLVED}\n");
    let mut text = "puzzle,solution\n".to_owned();
    (0..500).for_each(|_| text.push_str(&row));
    let count = |text: &str, chunk_bytes: usize| {
        let mut source = Source::from_bytes("text", text.as_bytes().to_vec());
        source.find_layout(&Hints::default()).unwrap();
        let verify = Verify { trust_unique: true, ..Verify::default() };
        let pipeline = Pipeline { threads: 1, chunk_size: Some(chunk_bytes) };
        let (told, report) = verify_all(&verify, pipeline, Format::Report, source, None);
        let tallies = [VerifyCount::Right, VerifyCount::Wrong, VerifyCount::Passed];
        (report.total.clone(), tallies.map(|it| report.count(it)), told)
    };
    let whole = count(&text, usize::MAX);
    assert_eq!((whole.1, whole.0.lines), ([500, 0, 500], 501));
    assert!(whole == count(&text, 1000));
    // One that is wrong among them.
    let wrong = format!("{EASY},{}\n", SOLVED.replacen('5', "4", 1));
    text.insert_str(16 + 300 * row.len(), &wrong);
    let (total, counted, told) = count(&text, 1000);
    assert_eq!((counted, total.lines), ([500, 1, 500], 502));
    assert!(told.starts_with("text:302: answer: 4 twice in row 1 "), "{told}");
}

/// The candidates of a grid: one of a clue, nine of a blank cell.
fn sukaku(grid: &str) -> String {
    corpus::marks(grid, '.')
}

#[test]
fn a_sukaku_is_minimal_if_no_cell_can_have_all_candidates() {
    let folder = Folder::new();
    let minimal = MINIMAL.lines().find(|line| !line.starts_with('#')).unwrap();
    let clue = minimal.find(|cell| cell != '.').unwrap();
    // Without a candidate that is no part of the solution, in a blank cell.
    let mut fewer = sukaku(EASY).into_bytes();
    fewer[2 * 9] = b'.';
    let lines = [sukaku(minimal), sukaku(EASY), String::from_utf8(fewer).unwrap()];
    folder.file("s.txt", lines.join("\n"));
    folder.file("grids.txt", format!("{minimal}\n{EASY}\n"));
    let run = verify(&folder, &["s.txt", "--minimal"]);
    let grids = verify(&folder, &["-q", "grids.txt", "--minimal"]);
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{}", run.out);
    let counts: Vec<_> = run.err.lines().map(|line| line.split_whitespace().collect()).collect();
    let has = |start: &[&str]| counts.iter().any(|line: &Vec<_>| line.starts_with(start));
    assert!(has(&["minimal", "1"]) && has(&["not", "minimal", "2"]), "{}", run.err);
    let places = |line: &str| line.rsplit_once(": ").unwrap().1.to_owned();
    let mut found: Vec<_> = run.out.lines().map(places).collect();
    assert_eq!(found[0], places(grids.out.trim_end()));
    found[1] = found[1].replacen("row 1 column 3, ", "", 1);
    assert_eq!(found[1], found[0]);
    assert!(run.out.contains("cells can have all nine candidates: "), "{}", run.out);
    let mut more = minimal.to_owned();
    more.replace_range(clue..=clue, ".");
    let run = verify(&folder, &["-q", "--minimal", &sukaku(&more)]);
    assert!(run.out.contains("more than one solution") && !run.out.contains("minimal"));
    let mut command = ninefold();
    let selected = command.args(["select", "-q", "--minimal"]).arg(folder.path("s.txt"));
    assert_eq!(run_with(selected, b"").out, format!("{}\n", sukaku(minimal)));
}

/// `verify` of this text as `in.txt`.
fn verify_text(words: &[&str], text: &str) -> Run {
    let folder = Folder::new();
    folder.file("in.txt", text);
    verify(&folder, &[words, &["in.txt"]].concat())
}

/// A full grid that is not the solution of `EASY`.
fn wrong() -> String {
    SOLVED.replace('1', "x").replace('2', "1").replace('x', "2")
}

/// Of 30 rows, one has an answer: the others lack theirs.
#[test]
fn a_field_with_one_answer_has_the_answers() {
    let rows = |answer: &str| format!("{}7,{EASY},{answer}\n", format!("7,{EASY},\n").repeat(29));
    let Run { code, out: report, err: said } = verify_text(&[], &rows(&wrong()));
    assert_eq!(code, Some(1), "{said}");
    assert!(report.contains("in.txt:30: answer: "), "{report}");
    assert_eq!(report.matches(": no answer given\n").count(), 29, "{report}");
    let Run { code, err: said, .. } = verify_text(&["--require-answers"], &rows(SOLVED));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.ends_with("--require-answers: 29 puzzles have no answer\n"), "{said}");
}

/// The head of a named column has no answers, and a row behind it has one, which is checked.
#[test]
fn answers_that_the_head_lacks_are_checked() {
    let row = format!("1,{EASY},\n");
    // The head has less than 800 rows.
    let rows = format!("{}2,{EASY},{}\n{}", row.repeat(2000), wrong(), row.repeat(8000));
    let table = format!("id,puzzle,solution\n{rows}");
    let Run { code, out: report, err: said } = verify_text(&["--trust-unique"], &table);
    assert!(report.contains("in.txt:2002: answer: "), "{report} {said}");
    assert_eq!(code, Some(1));
}
