//! What is written is read back: the same puzzles, the same solutions, the same statuses; and the
//! exact bytes of every format for every status, so that a change is noticed.

use crate::support::corpus;
use crate::support::{
    EASY, FOUR, Folder, HARD, ILLEGAL, ILLEGAL_REASON, Lots, NONE, Run, SOLVED, TWO, fed, name,
};
use ninefold::Status;
use ninefold::input::{ChunkBuffer, Given, Hints, Puzzles, Source, Want};
use serde_json::json;
use std::fs;
use std::path::Path;

const HARD_SOLVED: &str =
    "316578492529134768487629531263415987974863125851792643138947256692351874745286319";

/// The formats that are read back as tables of puzzles.
const TABLES: [&str; 3] = ["pair", "csv", "jsonl"];

fn solve(words: &[&str], input: impl AsRef<[u8]>) -> Run {
    fed(&mut crate::support::ninefold("solve", &[&["-q"], words].concat()), input)
}

/// The records of a run that says nothing.
fn records(words: &[&str], input: impl AsRef<[u8]>) -> String {
    let (_, records, said) = solve(words, input);
    assert_eq!(said, "", "{words:?}");
    records
}

/// A puzzle of each kind, a line each; the malformed ones hold what tables have to quote.
fn every_kind() -> String {
    let short = &EASY[1..];
    let kinds = [EASY, TWO, NONE, ILLEGAL, short, "a \"quoted\" word", HARD, "# a comment", FOUR];
    kinds.join("\n") + "\n"
}

/// The puzzles and the solutions beside them that the library reads in a text.
fn read(text: &str) -> (Vec<String>, Vec<Option<String>>) {
    let mut source = Source::from_bytes("records", text.into());
    source.find_layout(&Hints::default()).unwrap();
    let mut chunk = ChunkBuffer::default();
    assert!(source.into_chunks().fill(&mut chunk, usize::MAX).unwrap());
    let mut puzzles = Puzzles::keeping(Want { solutions: true, ..Want::default() });
    chunk.read(|chunk| puzzles.read(chunk)).unwrap();
    let given = (0..puzzles.count()).map(|number| match puzzles.given_with(number) {
        Given::Missing => None,
        Given::Cells(grid) => Some(grid.to_string()),
        Given::Malformed(error) => panic!("{error} in {text}"),
    });
    (puzzles.grids().iter().map(ToString::to_string).collect(), given.collect())
}

#[test]
fn every_format_writes_these_bytes_for_every_status() {
    let short = &EASY[1..];
    let hard = HARD.replace('0', ".");
    let line = format!(
        "{SOLVED}\n# line 2: more than one solution\n# line 3: no solution\n\
         # line 4: {ILLEGAL_REASON}\n# line 5: expected 81 cells, found 80\n\
         # line 6: column 1: expected 1 to 9, '.' or '0', found 'a'\n{HARD_SOLVED}\n\
         # line 9: more than one solution\n"
    );
    let pair = line
        .replace(SOLVED, &format!("{EASY},{SOLVED}"))
        .replace(HARD_SOLVED, &format!("{hard},{HARD_SOLVED}"));
    // A field of the line `a "quoted" word` ends at the first space.
    let csv = format!(
        "line,status,solutions,puzzle,solution\n1,unique,1,{EASY},{SOLVED}\n2,multiple,2,{TWO},\n\
         3,none,0,{NONE},\n4,conflict,0,{ILLEGAL},\n5,malformed,,{short},\n6,malformed,,a,\n\
         7,unique,1,{hard},{HARD_SOLVED}\n9,multiple,2,{FOUR},\n"
    );
    let object = |line, status: &str, count: &str, puzzle: &str, rest: &str| {
        format!(
            "{{\"line\":{line},\"status\":\"{status}\",\"solutions\":{count},\
             \"puzzle\":\"{puzzle}\",\"solution\":{rest}}}\n"
        )
    };
    let failed = |line, status, count, puzzle, reason: &str| {
        object(line, status, count, puzzle, &format!("null,\"reason\":\"{reason}\""))
    };
    let solved = |line, puzzle, solution: &str| {
        object(line, "unique", "1", puzzle, &format!("\"{solution}\""))
    };
    let wrong = "column 1: expected 1 to 9, '.' or '0', found 'a'";
    let jsonl = [
        solved(1, EASY, SOLVED),
        failed(2, "multiple", "2", TWO, "more than one solution"),
        failed(3, "none", "0", NONE, "no solution"),
        failed(4, "conflict", "0", ILLEGAL, ILLEGAL_REASON),
        failed(5, "malformed", "null", short, "expected 81 cells, found 80"),
        failed(6, "malformed", "null", "a", wrong),
        solved(7, &hard, HARD_SOLVED),
        failed(9, "multiple", "2", FOUR, "more than one solution"),
    ]
    .concat();
    let folder = Folder::new();
    let path = folder.file("in.txt", every_kind());
    for (format, expected) in [("line", line), ("pair", pair), ("csv", csv), ("jsonl", jsonl)] {
        let words = ["--unique", "--format", format];
        for more in ["-j1", "-j2 --no-mmap", "-j8 --simd portable", "--engine dlx"] {
            let more: Vec<_> = more.split(' ').chain([name(&path)]).collect();
            let words = [&words[..], &more].concat();
            assert_eq!(solve(&words, ""), (Some(1), expected.clone(), String::new()), "{words:?}");
        }
        assert_eq!(records(&words, every_kind()), expected, "{format}, piped");
        // Without a second solution looked for.
        let solved = expected.replace("unique", "solved");
        let first = solved.lines().nth(usize::from(format == "csv"));
        assert_eq!(records(&["--format", format], EASY).lines().last(), first);
    }
}

#[test]
fn what_is_written_is_read_back_with_the_same_answers() {
    let text = every_kind();
    let answers = |format: &str, text: &str| {
        let table = records(&["--unique", "--format", "csv"], text);
        // But for the line, which in a table is one more.
        let rows = table.lines().skip(1).map(|row| row.split_once(',').unwrap().1.to_owned());
        let wanted = |row: &String| format != "pair" || row.starts_with("unique");
        rows.filter(wanted).collect::<Vec<_>>()
    };
    for format in TABLES {
        let written = records(&["--unique", "--format", format], &text);
        let expected = answers(format, &text);
        assert_eq!(answers(format, &written), expected, "{format}");
        // And the solutions beside the puzzles are those that were written there.
        let (puzzles, given) = read(&written);
        assert!(puzzles.len() >= 2, "{format}");
        let solution_of = |puzzle: &str| match puzzle {
            puzzle if puzzle == EASY => Some(SOLVED.to_owned()),
            puzzle if puzzle == HARD.replace('0', ".") => Some(HARD_SOLVED.to_owned()),
            _ => None,
        };
        let expected: Vec<_> = puzzles.iter().map(|puzzle| solution_of(puzzle)).collect();
        assert_eq!(given, expected, "{format}");
        // Written once more they are the same bytes, but for line numbers and lines left out.
        if format == "pair" {
            let puzzles = written.lines().filter(|line| !line.starts_with('#'));
            let again = records(&["--unique", "--format", "pair"], &written);
            assert_eq!(again.lines().collect::<Vec<_>>(), puzzles.collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_blank_that_was_chosen_is_written_and_read_back() {
    for blank in ["0", "_", "*", "-", "x", "."] {
        for format in TABLES {
            let words = ["--unique", "--format", format, "--blank", blank];
            // Pencilmarks are read with `.` or `0` alone.
            let out = if blank == "0" { '0' } else { '.' };
            let mut written = String::new();
            for puzzle in [corpus::marks(EASY, out), EASY.replace('.', blank)] {
                written = records(&words, &puzzle);
                assert!(written.contains(&puzzle), "{format} {written}");
                let again = records(&words, &written);
                assert!(again.contains(&puzzle), "{format} {again}");
                assert!(again.contains(SOLVED), "{format} {again}");
            }
            // What everybody takes for a blank needs no option.
            if blank != "x" {
                assert_eq!(records(&["--unique"], &written), format!("{SOLVED}\n"), "{format}");
            }
        }
    }
}

#[test]
fn columns_that_are_kept_come_back_as_they_were() {
    let text = format!(
        "id,puzzle,note,line\n1,{EASY},\"a, \"\"b\"\"\",7\n#2,{TWO},x\n\"#2\",{TWO},x,\n3,{NONE},,\n"
    );
    let words = ["--unique", "--keep-columns", "--format"];
    let table = records(&[&words[..], &["csv"]].concat(), &text);
    let header = "line,status,solutions,puzzle,solution,id,note,input_line\n";
    let expected = format!(
        "{header}2,unique,1,{EASY},{SOLVED},1,\"a, \"\"b\"\"\",7\n\
         3,multiple,2,{TWO},,\"#2\",x,\n4,multiple,2,{TWO},,\"#2\",x,\n5,none,0,{NONE},,3,,\n"
    );
    assert_eq!(table, expected);
    // Those of the first table are columns like any other.
    let again = records(&[&words[..], &["csv"]].concat(), &table);
    let row = format!("2,unique,1,{EASY},{SOLVED},2,unique,1,{SOLVED},1,\"a, \"\"b\"\"\",7");
    assert_eq!(again.lines().nth(1), Some(&*row));
    let objects = records(&[&words[..], &["jsonl"]].concat(), &text);
    let first = &crate::support::objects(&objects)[0];
    assert_eq!(first["note"], "a, \"b\"");
    assert_eq!(first["input_line"], "7");
    let again = records(&[&words[..], &["jsonl"]].concat(), &objects);
    let first = &crate::support::objects(&again)[0];
    // The number that this program gave the record is a column like any other, too, and stands first.
    assert_eq!(first["note"], "a, \"b\"", "{first}");
    assert_eq!(first["input_line"], 2, "{first}");
    assert_eq!(first["input_line_2"], "7", "{first}");
}

#[test]
fn records_of_several_inputs_say_which_and_are_read_back() {
    let folder = Folder::new();
    let (a, b) = (folder.file("a, b.txt", format!("{EASY}\n{NONE}\n")), folder.file("c.txt", TWO));
    for format in TABLES {
        let words = ["--unique", "--format", format, name(&a), name(&b)];
        let written = records(&words, "");
        let lines = written.lines().count();
        assert_eq!(lines, if format == "csv" { 4 } else { 3 }, "{written}");
        let file =
            if format == "jsonl" { json!(name(&b)).to_string() } else { name(&b).to_owned() };
        assert!(written.contains(&file), "{written}");
        let again = records(&["--unique", "--format", "csv"], &written);
        let statuses: Vec<_> = again.lines().skip(1).map(|row| row.split(',').nth(1)).collect();
        let expected = [Some("unique"), Some("none"), Some("multiple")];
        assert_eq!(statuses, expected[..if format == "pair" { 1 } else { 3 }], "{again}");
    }
}

#[test]
fn the_statuses_that_are_wanted_are_written_and_all_are_counted() {
    let text = every_kind();
    let all = records(&["--unique", "--format", "csv"], &text);
    let rows = |wanted: &dyn Fn(&str) -> bool| {
        let status = |row: &&str| wanted(row.split(',').nth(1).unwrap());
        let rows = all.lines().skip(1).filter(status).map(|row| format!("{row}\n"));
        "line,status,solutions,puzzle,solution\n".to_owned() + &rows.collect::<String>()
    };
    for status in Status::ALL {
        let words = ["--unique", "--format", "csv", "--only", status.name()];
        let only = rows(&|found| found == status.name());
        assert_eq!(solve(&words, &text), (Some(1), only, String::new()), "{status}");
    }
    let two = ["--unique", "--format", "csv", "--only", "none,conflict"];
    assert_eq!(records(&two, &text), rows(&|found| found == "none" || found == "conflict"));
    let (code, _, said) = solve(&["--only", "fine"], &text);
    assert!(code == Some(2) && said.contains("[possible values: unique, solved, "), "{said}");
}

#[test]
fn rejected_lines_are_mended_and_run_again() {
    let folder = Folder::new();
    let rejects = folder.path("rejects.csv");
    let slip = format!("x{}", &EASY[1..]);
    let text =
        format!("id;quiz;note\n1;{EASY};a\n2;{slip};b\n\n3;{NONE};c\n# no\n4;{EASY};d\n5;;e\n");
    let words = ["--rejects", name(&rejects)];
    let (code, first, said) = solve(&words, &text);
    assert_eq!((code, &*said), (Some(1), ""));
    assert_eq!(first.matches(SOLVED).count(), 2);
    let kept = fs::read_to_string(&rejects).unwrap();
    let expected = format!(
        "id;quiz;note\n# line 3: column 3: expected 1 to 9, '.' or '0', found 'x'\n2;{slip};b\n\
         # line 5: no solution\n3;{NONE};c\n# line 8: column 3: expected 81 cells, found 0\n5;;e\n"
    );
    assert_eq!(kept, expected);
    // Run again as they are, they are the same rejects but for the numbers of their lines. Most of them are malformed, so
    // the column is named.
    let again = folder.path("again.csv");
    solve(&["--columns", "puzzle=quiz", "--rejects", name(&again), name(&rejects)], "");
    let lines = |text: &str| {
        let no_comment = |line: &&str| !line.starts_with('#');
        text.lines().filter(no_comment).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&fs::read_to_string(&again).unwrap()), lines(&kept));
    // Mended, they are solved.
    let mended = kept.replace(&slip, EASY).replace(NONE, TWO).replace(";;", &format!(";{HARD};"));
    let (code, records, _) = solve(&[], mended);
    assert_eq!((code, records.lines().count()), (Some(0), 3));
    // What was all answered leaves nothing.
    solve(&[&words[..], &["--force"]].concat(), EASY);
    assert_eq!(fs::read_to_string(&rejects).unwrap(), "");
}

#[test]
fn rejects_of_inputs_that_cannot_stand_in_one_file_are_refused() {
    let folder = Folder::new();
    let rejects = folder.path("rejects.txt");
    let file = |at: usize, text: String| folder.file(&format!("{at}.txt"), text);
    let plain = file(0, format!("{ILLEGAL}\n"));
    let header = file(1, format!("id,puzzle\n1,{ILLEGAL}\n"));
    let second = file(2, format!("a1 {ILLEGAL} 9.3\n"));
    let object = file(3, format!("{{\"puzzle\":\"{ILLEGAL}\"}}\n"));
    let run = |one: &Path, two: &Path| {
        solve(&["--force", "--rejects", name(&rejects), name(one), name(two)], "")
    };
    for (other, what) in [(&header, "header"), (&second, "layout"), (&object, "layout")] {
        let (code, _, said) = run(&plain, other);
        let reason = format!("{} have different {what}s; run them one by one\n", name(other));
        assert!(code == Some(2) && said.ends_with(&reason), "{said}");
        assert_eq!(run(other, other).0, Some(1), "{what}");
    }
    // The first field is found in either.
    let pairs = file(4, format!("{ILLEGAL},{SOLVED}\n"));
    assert_eq!(run(&plain, &pairs).0, Some(1));
    let (code, again, _) = solve(&[name(&rejects)], "");
    assert_eq!((code, again.matches(ILLEGAL_REASON).count()), (Some(1), 2), "{again}");
}

#[test]
fn rejected_grids_are_mended_and_run_again() {
    let folder = Folder::new();
    let rejects = folder.path("rejects.sdk");
    let rows: Vec<_> = (0..9).map(|row| &EASY[9 * row..][..9]).collect();
    let (good, short) = (rows.join("\n"), rows[..8].join("\n"));
    let wrong = good.replacen("6..1", "x..1", 1);
    let text = [&*good, &short, &wrong, &good, &short].join("\n\n");
    let (_, first, _) = solve(&["--grid", "--rejects", name(&rejects)], text);
    assert_eq!(first.matches(SOLVED).count(), 2, "{first}");
    let kept = fs::read_to_string(&rejects).unwrap();
    assert_eq!(kept.matches("# line ").count(), 3, "{kept}");
    let mended = kept.replace("x..1", "6..1").replace(".419..5", ".419..5\n....8..79");
    let mended = mended.replace("....8..79\n....8..79", "....8..79");
    let (code, records, _) = solve(&["--grid"], &mended);
    assert_eq!((code, records), (Some(0), format!("{SOLVED}\n").repeat(3)), "{mended}");
}

#[test]
fn every_solution_is_written_in_order_and_read_back() {
    let folder = Folder::new();
    for format in ["line", "pair", "csv", "jsonl"] {
        let words = ["--all", "--format", format];
        let (code, written, _) = solve(&words, format!("{FOUR}\n{EASY}\n{NONE}\n"));
        assert_eq!(code, Some(1), "{format}");
        for engine in ["dlx", "mrv"] {
            let path = folder.file("in.txt", format!("{FOUR}\n{EASY}\n{NONE}\n"));
            let words = [&words[..], &["--engine", engine, "-j2", name(&path)]].concat();
            assert_eq!(records(&words, ""), written, "{format} {engine}");
        }
        if format == "line" {
            let found: Vec<_> = written.lines().filter(|line| !line.starts_with('#')).collect();
            assert_eq!(found.len(), 5);
            assert!(found[..4].is_sorted() && found[4] == SOLVED, "{written}");
            assert!(written.starts_with("# line 1: 4 solutions\n"), "{written}");
        } else {
            let (puzzles, given) = read(&written);
            let given: Vec<_> = given.into_iter().flatten().collect();
            assert_eq!(given.len(), 5, "{format} {written}");
            assert!(given[..4].is_sorted(), "{format}");
            assert!(puzzles[..4].iter().all(|puzzle| puzzle == FOUR), "{format}");
        }
        let (code, written, _) = solve(&[&words[..], &["--max", "3"]].concat(), FOUR);
        assert_eq!(code, Some(1), "{format}");
        let says = match format {
            "line" | "pair" => "# line 1: more than 3 solutions, of which 3 follow\n",
            "csv" => "1,multiple,4,",
            _ => "\"solutions\":4,",
        };
        assert!(written.contains(says), "{format} {written}");
        let solutions = written.lines().filter(|line| line.contains("53"));
        assert_eq!(solutions.count(), 3, "{written}");
    }
}

#[test]
fn objects_keep_what_they_have_as_it_is_written() {
    let text = format!(
        "{{\"puzzle\":\"{EASY}\",\"z\":1,\"a\":null}}\n\
         {{\"puzzle\":\"{EASY}\",\"z\":12345678901234567890123,\"rating\":5.50,\"line\":[1, \"\\u00e9\"]}}\n"
    );
    let ours = |line| {
        format!(
            "{{\"line\":{line},\"status\":\"solved\",\"solutions\":1,\"puzzle\":\"{EASY}\",\"solution\":\"{SOLVED}\","
        )
    };
    let expected = format!(
        "{}\"z\":1,\"a\":null}}\n{}\"z\":12345678901234567890123,\"rating\":5.50,\"input_line\":[1, \"\\u00e9\"]}}\n",
        ours(1),
        ours(2)
    );
    assert_eq!(records(&["--keep-columns", "--format", "jsonl"], &text), expected);
    let expected = format!(
        "line,status,solutions,puzzle,solution,z,a\n1,solved,1,{EASY},{SOLVED},1,\n\
         2,solved,1,{EASY},{SOLVED},12345678901234567890123,\n"
    );
    assert_eq!(records(&["--keep-columns", "--format", "csv"], &text), expected);
}

#[test]
fn every_row_of_a_table_has_as_many_fields_as_its_header() {
    let words = ["--keep-columns", "--format", "csv"];
    let ours = |line| format!("{line},solved,1,{EASY},{SOLVED}");
    let head = "line,status,solutions,puzzle,solution";
    for (text, names, others) in [
        (format!("{EASY}\n{EASY} 6 x y\n"), ",column_2", [",", ",6 x y"]),
        (format!("{EASY} 7 8\n{EASY} 6 x y \n"), ",column_2,column_3", [",7,8", ",6,x y"]),
        (format!("puzzle,id\n{EASY},1\n{EASY},2,\"3\"\n"), ",id", [",1", ",\"2,\"\"3\"\"\""]),
        (format!("id,puzzle\n1,{EASY}\n2,{EASY},3\n"), ",id", [",1", ",2"]),
        // A list of puzzles alone has no other column.
        (format!("{EASY}\n{EASY}\n"), "", ["", ""]),
        (format!("{EASY}  \n{EASY}\n"), "", ["", ""]),
    ] {
        let first = 1 + u64::from(text.contains("puzzle"));
        let [one, two] = others;
        let expected = format!("{head}{names}\n{}{one}\n{}{two}\n", ours(first), ours(first + 1));
        assert_eq!(records(&words, &text), expected, "{text}");
    }
}

#[test]
fn columns_that_are_named_are_written_in_their_order() {
    let text = format!("id,puzzle,status\n7,{EASY},x\n\"8,1\",{EASY},\n");
    let expected = format!("input_status,solution,id\nx,{SOLVED},7\n,{SOLVED},\"8,1\"\n");
    assert_eq!(records(&["--write", "input_status,solution,id"], &text), expected);
    let object = |line, id| format!("{{\"input\":\"<stdin>\",\"id\":\"{id}\",\"line\":{line}}}\n");
    let words = ["--write", "input,id,line", "--format", "jsonl"];
    assert_eq!(records(&words, &text), object(2, "7") + &object(3, "8,1"));
    for (write, why) in [
        (
            "line,ID",
            "no column is called \"ID\"; the columns are line, status, solutions, puzzle, solution, id, input_status",
        ),
        ("id,line,id", "column \"id\" is named twice"),
    ] {
        let (code, _, said) =
            fed(&mut crate::support::ninefold("solve", &["-q", "--write", write]), &text);
        assert_eq!((code, said), (Some(2), format!("ninefold: --write: {why}\n")));
    }
}

/// A list in an old encoding: what is written is right, or the run ends.
#[test]
fn text_that_is_not_utf8_is_refused() {
    let folder = Folder::new();
    let rows = [format!("{EASY};1\n{EASY};Gr").as_bytes(), b"\xf6\xdfe\n"].concat();
    let run = |words: &str| {
        let words: Vec<_> = words.split(' ').collect();
        let mut program = crate::support::ninefold(words[0], &words[1..]);
        fed(program.current_dir(folder.path("")), &rows)
    };
    let refused = "<stdin>: line 2: a field is not UTF-8; convert the file: iconv -f WINDOWS-1252 ";
    let mut all = vec![
        "solve --keep-columns --format csv",
        "solve --write column_2 --format jsonl",
        "select --where column_2=x",
    ];
    if cfg!(feature = "parquet") {
        all.push("solve --keep-columns -o a.parquet");
    }
    for words in all {
        let (code, _, said) = run(&format!("{words} -q"));
        assert!(code == Some(2) && said.contains(refused), "{words}: {said}");
    }
    assert_eq!(run("solve -q --write solution").0, Some(0));
}

/// The records of CSV, as RFC 4180 has them.
fn rows_of_csv(text: &str) -> Vec<Vec<String>> {
    let (mut reader, mut rows, mut row) = (csv_core::Reader::new(), Vec::new(), Vec::new());
    let (mut rest, mut field) = (text.as_bytes(), vec![0; text.len() + 1]);
    loop {
        let (found, read, written) = reader.read_field(rest, &mut field);
        rest = &rest[read..];
        match found {
            csv_core::ReadFieldResult::Field { record_end } => {
                row.push(String::from_utf8(field[..written].to_vec()).unwrap());
                if record_end {
                    rows.push(std::mem::take(&mut row));
                }
            }
            csv_core::ReadFieldResult::End => return rows,
            other => panic!("{other:?}"),
        }
    }
}

/// Values of other columns are the same in every format: spaces, quotation marks and all. In a table, a record is a line.
#[test]
fn values_of_other_columns_are_kept_whatever_they_are() {
    const PIECES: [&str; 21] = [
        " ", "\t", "\n", "\r", "\r\n", ",", ";", "|", "\"", "\"\"", "#", "a", "1", ".", "é", "∞",
        "\\", "{", "]", "null", "-",
    ];
    let (folder, mut lots) = (Folder::new(), Lots(1));
    let mut below = |end: u64| usize::try_from(lots.below(end)).unwrap();
    let mut value = || (0..below(7)).map(|_| PIECES[below(21)]).collect::<String>();
    let rows: Vec<[String; 3]> = (0..300).map(|_| [value(), value(), value()]).collect();
    let object = |[a, b, c]: &[String; 3]| {
        serde_json::json!({"a": a, "puzzle": EASY, "b": b, "c": c}).to_string() + "\n"
    };
    let quoted = |text: &String| format!("\"{}\"", text.replace('"', "\"\""));
    let row = |row: &[String; 3]| {
        let [a, b, c] = row.each_ref().map(quoted);
        format!("{a},{EASY},{b},{c}\n")
    };
    let objects: String = rows.iter().map(object).collect();
    let of_one_line: Vec<_> =
        rows.iter().map(|row| row.each_ref().map(|it| it.replace(['\r', '\n'], " "))).collect();
    let table = "a,puzzle,b,c\n".to_owned() + &of_one_line.iter().map(row).collect::<String>();
    for (name_of_input, text, rows) in
        [("in.jsonl", objects, &rows), ("in.csv", table, &of_one_line)]
    {
        let input = folder.file(name_of_input, &text);
        let kept = |format: &str, input: &Path| {
            records(&["--keep-columns", "--format", format, name(input)], "")
        };
        let of_csv = |text: &str| {
            let last_three = |row: &Vec<String>| row[row.len() - 3..].to_vec();
            rows_of_csv(text).iter().skip(1).map(last_three).collect::<Vec<_>>()
        };
        assert_eq!(of_csv(&kept("csv", &input)), *rows, "{name_of_input}");
        let found = kept("jsonl", &input);
        for (line, expected) in found.lines().zip(rows) {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            let found = ["a", "b", "c"].map(|key| object[key].as_str().unwrap().to_owned());
            assert_eq!(found, *expected, "{name_of_input}");
        }
        let copied = fed(&mut crate::support::ninefold("select", &["-q", name(&input)]), "").1;
        assert_eq!(copied, text, "{name_of_input}");
        #[cfg(feature = "parquet")]
        {
            let table = folder.path(&format!("{name_of_input}.parquet"));
            records(&["--write", "c,puzzle,b,a", "-o", name(&table), name(&input)], "");
            let mut found = of_csv(&kept("csv", &table));
            for row in &mut found {
                row.reverse();
            }
            assert_eq!(found, *rows, "parquet of {name_of_input}");
        }
    }
}
