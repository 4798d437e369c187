//! Every layout that puzzle files are known to have, read without any option.
//!
//! `tests/data/layouts/` has one small file of each, made up for this, and in all of them are the
//! same five puzzles. Their solutions are known from `solutions.txt`, and the lines from the table.

use crate::support::Run;
use ninefold::input::{ChunkBuffer, Given, Hints, Puzzles, Source, Want};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A file of `tests/data/layouts/`.
struct Sample {
    name: &'static str,
    /// What is said to be read.
    says: &'static str,
    /// The first lines of its puzzles.
    lines: [u64; 5],
}

const fn sample(name: &'static str, says: &'static str, lines: [u64; 5]) -> Sample {
    Sample { name, says, lines }
}

const FROM_1: [u64; 5] = [1, 2, 3, 4, 5];
const FROM_2: [u64; 5] = [2, 3, 4, 5, 6];

/// One of each row of the list of data sets, in its order; then what else the issue names.
const SAMPLES: [Sample; 29] = [
    sample("kaggle_1m.csv", "column \"quizzes\"", FROM_2),
    sample("kaggle_9m.csv", "column \"puzzle\"", FROM_2),
    sample("kaggle_3m.csv", "column \"puzzle\"", FROM_2),
    sample("kaggle_4m_cluewise.csv", "column \"quizzes\"", FROM_2),
    sample("kaggle_training_puzzles.txt", "lines", FROM_1),
    sample("kaggle_training_solutions.txt", "lines", FROM_1),
    sample("sapientinc_train.csv", "column \"question\"", FROM_2),
    sample("merged.csv", "column \"puzzle\"", FROM_2),
    sample("sudoku_exchange.txt", "column 2", FROM_1),
    sample("17_clue_tdoku.txt", "lines", [3, 4, 5, 6, 7]),
    sample("17_clue_code_golf.txt", "lines", FROM_2),
    sample("tdoku_benchmark.txt", "lines", [3, 4, 6, 7, 8]),
    sample("forum_hardest_space.txt", "column 1", FROM_1),
    sample("forum_hardest_semicolon.txt", "column 1", FROM_1),
    sample("forum_hardest_comma.txt", "column 1", FROM_1),
    sample("gsf.txt", "column 1", FROM_2),
    sample("collection.sdm", "lines", FROM_1),
    sample("collection.sdk", "grids of nine lines", [5, 19, 43, 57, 71]),
    sample("framed.ss", "grids of nine lines", [3, 18, 33, 48, 63]),
    sample("simple.ss", "grids of nine lines", [2, 15, 28, 41, 54]),
    sample("corners.ss", "grids of nine lines", [2, 16, 30, 44, 58]),
    sample("blank_underscore.txt", "lines", FROM_1),
    sample("blank_star.txt", "lines", FROM_1),
    sample("blank_minus.txt", "lines", FROM_1),
    sample("objects.jsonl", "key \"puzzle\"", FROM_1),
    sample("quoted.csv", "column \"puzzle\"", FROM_2),
    sample("table.tsv", "column \"Grid\"", FROM_2),
    sample("bars.txt", "column 2", FROM_1),
    sample("marked.csv", "column \"Puzzle\"", FROM_2),
];

/// Puzzles in nine lines, in a file whose ending does not say so: the one that takes an option.
const GRIDS: Sample = sample("plain_grids.txt", "grids of nine lines", [1, 11, 21, 31, 41]);

impl Sample {
    fn path(&self) -> PathBuf {
        folder().join(self.name)
    }

    /// Whether the puzzles stand in it already solved.
    fn is_solved(&self) -> bool {
        self.name == "kaggle_training_solutions.txt"
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/layouts")
}

/// The solutions of the five puzzles.
fn solutions() -> Vec<String> {
    let text = fs::read_to_string(folder().join("solutions.txt")).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The five puzzles, with `.` for a blank.
fn puzzles() -> Vec<String> {
    let text = fs::read_to_string(folder().join("kaggle_training_puzzles.txt")).unwrap();
    text.lines().map(|line| line.replace('0', ".")).collect()
}

/// The table that is to come of a sample.
fn table(sample: &Sample) -> String {
    let solutions = solutions();
    let puzzles = if sample.is_solved() { solutions.clone() } else { puzzles() };
    let rows = sample.lines.iter().zip(puzzles).zip(solutions);
    let rows =
        rows.map(|((line, puzzle), solution)| format!("{line},unique,1,{puzzle},{solution}"));
    let header = "line,status,solutions,puzzle,solution".to_owned();
    [header].into_iter().chain(rows).map(|row| row + "\n").collect()
}

/// Exit code, records and what was said.
fn solve(words: &[&str], stdin: Stdio) -> Run {
    crate::support::texts(crate::support::ninefold("solve", words).stdin(stdin).output().unwrap())
}

#[test]
fn every_layout_gives_the_same_puzzles_without_any_option() {
    for sample in &SAMPLES {
        let path = sample.path();
        let name = path.to_str().unwrap();
        let (code, table_found, said) =
            solve(&["--unique", "--format", "csv", name], Stdio::null());
        assert_eq!(table_found, table(sample), "{}: {said}", sample.name);
        assert_eq!(code, Some(0), "{}", sample.name);
        let says = format!("reading {} of {name}", sample.says);
        let first = said.lines().next().unwrap();
        assert!(first.starts_with(&says), "{first}");
        assert_eq!(said.matches("reading ").count(), 1, "{said}");
        let (code, records, said) = solve(&["-q", name], Stdio::null());
        assert_eq!((code, &*said), (Some(0), ""), "{}", sample.name);
        assert_eq!(records.lines().map(str::to_owned).collect::<Vec<_>>(), solutions());
    }
}

/// The puzzles in pencilmarks: what is written of them is what was read, with `.` for a blank.
#[test]
fn sukakus_of_the_same_puzzles_have_the_same_solutions() {
    let path = folder().join("sukaku.txt");
    let text = fs::read_to_string(&path).unwrap();
    let name = path.to_str().unwrap();
    let (code, records, said) = solve(&["--unique", "--format", "csv", name], Stdio::null());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.starts_with(&format!("reading lines of {name}\n")), "{said}");
    let rows = text.lines().zip(1..).skip(1).zip(solutions());
    let rows = rows.map(|((marks, line), solution)| {
        format!("{line},unique,1,{},{solution}", marks.replace('0', "."))
    });
    assert_eq!(records.lines().skip(1).collect::<Vec<_>>(), rows.collect::<Vec<_>>());
}

/// The list of the samples is the list of the files.
#[test]
fn every_sample_is_looked_at() {
    let mut names: Vec<_> = SAMPLES.iter().chain([&GRIDS]).map(|sample| sample.name).collect();
    names.extend(["solutions.txt", "sukaku.txt"]);
    names.sort_unstable();
    let mut files: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort_unstable();
    assert_eq!(files, names);
}

#[test]
fn the_same_bytes_come_of_a_layout_however_it_arrives_and_on_any_threads() {
    for sample in &SAMPLES {
        let path = sample.path();
        let expected = table(sample);
        let words = ["--unique", "--format", "csv", "-q"];
        let name = path.to_str().unwrap();
        for more in [&["-j1"][..], &["-j8", "--no-mmap"], &["-j2", "--simd", "portable"]] {
            let found = solve(&[&words[..], more, &[name]].concat(), Stdio::null());
            assert_eq!(found, (Some(0), expected.clone(), String::new()), "{name} {more:?}");
        }
        // Standard input has no name that could tell.
        let grid: &[&str] = if sample.says.starts_with("grids") { &["--grid"] } else { &[] };
        let file = fs::File::open(&path).unwrap();
        let found = solve(&[&words[..], grid].concat(), file.into());
        assert_eq!(found, (Some(0), expected.clone(), String::new()), "{name} as standard input");
    }
}

#[cfg(feature = "compression")]
#[test]
fn every_layout_is_read_compressed_as_if_it_were_not() {
    use std::io::Write;
    let folder = crate::support::Folder::new();
    for sample in &SAMPLES {
        let bytes = fs::read(sample.path()).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        gzip.write_all(&bytes).unwrap();
        let zstd = zstd::bulk::compress(&bytes, 3).unwrap();
        for (packed, ending) in [(gzip.finish().unwrap(), "gz"), (zstd, "zst")] {
            let path = folder.file(&format!("{}.{ending}", sample.name), packed);
            let words = ["--unique", "-q", "--format", "csv", path.to_str().unwrap()];
            let found = solve(&words, Stdio::null());
            assert_eq!(found, (Some(0), table(sample), String::new()), "{} {ending}", sample.name);
        }
    }
}

#[test]
fn grids_without_an_ending_that_says_so_take_an_option_and_the_message_names_it() {
    let path = GRIDS.path();
    let name = path.to_str().unwrap();
    let words = ["--unique", "--format", "csv", name];
    let (code, records, said) = solve(&words, Stdio::null());
    assert_eq!((code, &*records), (Some(2), ""));
    assert!(said.ends_with("puzzles of nine lines are read with --grid\n"), "{said}");
    let (code, records, _) = solve(&[&words[..], &["--grid"]].concat(), Stdio::null());
    assert_eq!((code, records), (Some(0), table(&GRIDS)));
}

/// `[State]` is a partial solution; any other name may be a puzzle's.
#[test]
fn a_title_in_brackets_hides_no_puzzle() {
    let rows: String = crate::support::EASY
        .as_bytes()
        .chunks(9)
        .flat_map(|row| [row, b"\n"].concat())
        .map(char::from)
        .collect();
    let text = format!("[Puzzle 1]\n{rows}\n[two]\n{rows}[State]\n{rows}[3]\n{rows}");
    let folder = crate::support::Folder::new();
    let path = folder.file("titles.sdk", &text);
    let (code, table, _) = solve(&["--format", "csv", path.to_str().unwrap()], Stdio::null());
    let lines: Vec<_> = table.lines().skip(1).map(|row| row.split_once(',').unwrap().0).collect();
    assert_eq!((code, lines), (Some(0), vec!["2", "13", "33"]));
}

/// The grids of a text, with `-` for a blank, and the line that each begins with.
fn grids(text: &str) -> Vec<(String, &str)> {
    let mut source = Source::from_bytes("grids", text.into());
    source.find_layout(&Hints { grids: true, ..Hints::default() }).unwrap();
    let mut chunk = ChunkBuffer::default();
    assert!(source.into_chunks(usize::MAX).fill(&mut chunk).unwrap());
    let mut puzzles = Puzzles::keeping(Want { lines: true, ..Want::default() });
    chunk.read(|chunk| puzzles.read(chunk)).unwrap();
    let found = puzzles.grids().iter().zip((0..).filter_map(|number| puzzles.bytes_of(number)));
    let first = |start: usize| text[start..].lines().next().unwrap();
    found.map(|(grid, place)| (grid.to_string().replace('.', "-"), first(place.start))).collect()
}

/// EASY with `-` for a blank and these rows of blanks alone.
fn dashes(blank: &[usize]) -> Vec<String> {
    let row =
        |at| if blank.contains(&at) { "---------" } else { &crate::support::EASY[9 * at..][..9] };
    (0..9).map(|at| row(at).replace('.', "-")).collect()
}

#[test]
fn rows_of_dashes_are_told_from_frames() {
    type Draw = fn(&[String]) -> Vec<String>;
    fn bars(rows: &[String]) -> Vec<String> {
        rows.iter().map(|row| format!("{}|{}|{}", &row[..3], &row[3..6], &row[6..])).collect()
    }
    fn rules(rows: &[String]) -> Vec<String> {
        rows.chunks(3).map(bars).collect::<Vec<_>>().join(&bars(&dashes(&[0])[..1])[..])
    }
    let plain: Draw = |rows| rows.to_vec();
    let spaced: Draw = |rows| rows.iter().map(|row| row.replace("", " ")).collect();
    let framed: Draw = |rows| {
        let frame = bars(&dashes(&[0])[..1]);
        [frame.clone(), rules(rows), frame].concat()
    };
    let draws = [(plain, "\n"), (spaced, "\n"), (bars, "\n"), (rules, "\n")];
    let apart = [plain, spaced, bars, rules, framed].map(|draw| (draw, "\n\n"));
    let blanks = (0..9).map(|row| vec![row]).chain([vec![0, 1], vec![0, 8], vec![2, 3]]);
    for blank in blanks {
        for (draw, between) in draws.iter().chain(&apart) {
            let all = [&blank[..], &[], &blank, &blank].map(dashes);
            let text = all.each_ref().map(|rows| draw(rows).join("\n")).join(between);
            let found = grids(&text).into_iter().map(|(grid, _)| grid);
            assert_eq!(found.collect::<Vec<_>>(), all.map(|rows| rows.concat()), "{text}");
        }
    }
    // A grid begins with its first row, not with its frame.
    let dots = crate::support::EASY
        .as_bytes()
        .chunks(9)
        .map(|row| String::from_utf8(row.to_vec()).unwrap());
    let text = format!("---------\n{}\n---------\n", dots.collect::<Vec<_>>().join("\n"));
    let firsts: Vec<_> =
        grids(&text.repeat(2)).into_iter().map(|(_, first)| first.to_owned()).collect();
    assert_eq!(firsts, [&crate::support::EASY[..9]; 2]);
}

#[test]
fn solutions_given_beside_the_puzzles_are_read() {
    let expected = solutions();
    let mut with_solutions = 0;
    for sample in &SAMPLES {
        let mut source = Source::open(&sample.path(), None).unwrap();
        if !source.find_layout(&Hints::default()).unwrap().has_solutions() {
            continue;
        }
        with_solutions += 1;
        let mut chunk = ChunkBuffer::default();
        assert!(source.into_chunks(usize::MAX).fill(&mut chunk).unwrap());
        let mut puzzles = Puzzles::keeping(Want { solutions: true, ..Want::default() });
        chunk.read(|chunk| puzzles.read(chunk)).unwrap();
        let given = (0..puzzles.count()).map(|number| match puzzles.given_with(number) {
            Given::Cells(grid) => grid.to_string(),
            other => panic!("{}: {other:?}", sample.name),
        });
        assert_eq!(given.collect::<Vec<_>>(), expected, "{}", sample.name);
    }
    // Those of Kaggle and Hugging Face, and the four last but one.
    assert_eq!(with_solutions, 11);
}

/// `--explain-input` names the candidates and the decision, and does nothing else.
#[test]
fn the_layout_of_every_sample_is_explained() {
    for sample in &SAMPLES {
        let path = sample.path();
        let name = path.to_str().unwrap();
        let (code, text, said) = solve(&["--explain-input", name], Stdio::null());
        assert_eq!((code, said.as_str()), (Some(0), ""), "{name}");
        let lines: Vec<&str> = text.lines().collect();
        let decision = format!("  decision: reading {} of {name}", sample.says);
        assert_eq!(lines[0], name);
        assert!(lines.last().unwrap().starts_with(&decision), "{text}");
        assert!(lines.iter().any(|line| line.contains(": accepted: ")), "{text}");
    }
    let path = folder().join("kaggle_1m.csv");
    let words = ["--explain-input", path.to_str().unwrap()];
    let verify = crate::support::ninefold("verify", &words).stdin(Stdio::null()).output().unwrap();
    assert_eq!(crate::support::texts(verify), solve(&words, Stdio::null()));
}

#[test]
fn candidates_have_the_reasons_that_decided() {
    let solved = &solutions()[0];
    let puzzle = &puzzles()[0];
    let cases = [
        (
            format!("x\ty\n1\t{puzzle}\n"),
            vec![
                "line 1: header: accepted: names alone, one for each field",
                "column \"y\": 0 of 1 rows full, 1 with blanks -> puzzles",
            ],
        ),
        (format!("7,{solved}\n"), vec!["column 2: 1 of 1 rows full, 0 with blanks -> puzzles"]),
        (
            format!("id,sudoku,cells\n1,name,{puzzle}\n"),
            vec![
                "line 1: header, fields divided by ',': accepted: 3 names, one is known",
                "column \"sudoku\": 0 of 1 rows full, 0 with blanks, 1 other text -> not used",
                "column \"cells\": 0 of 1 rows full, 1 with blanks -> puzzles",
            ],
        ),
        (
            "a,b\n1,2\n".to_owned(),
            vec!["input: a puzzle a line: rejected: no line resembles a puzzle"],
        ),
    ];
    for (text, reasons) in cases {
        let mut program = crate::support::ninefold("solve", &["--explain-input"]);
        let (code, explained, said) = crate::support::fed(&mut program, &text);
        let mut lines = explained.lines().map(str::trim);
        for reason in reasons {
            assert!(lines.any(|line| line == reason), "{reason} in\n{explained}");
        }
        let refused = said.starts_with("ninefold: <stdin>: no puzzle found: ");
        assert_eq!(code, if refused { Some(2) } else { Some(0) }, "{said}");
        assert_eq!(refused, explained.ends_with("\n  decision: refused\n"));
    }
}
