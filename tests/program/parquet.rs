//! Parquet files, in and out: the program reads what pyarrow, polars, pandas and `DuckDB` wrote
//! (`tests/corpus/parquet`), and what it wrote itself.

use crate::support::{
    EASY, Folder, HARD, Lots, Run, SOLVED, TWO, fed, log_path, name, ninefold, wait_until,
};
use ninefold::input::{ChunkBuffer, Hints, Part, Source};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn corpus(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("tests/corpus/parquet").join(format!("{name}.parquet")).display().to_string()
}

fn run(command: &str, words: &[&str]) -> Run {
    fed(&mut ninefold(command, words), "")
}

/// The records of a run that ends with this code.
fn records(command: &str, words: &[&str], code: i32) -> String {
    let (found, out, err) = run(command, &[words, &["-q"]].concat());
    assert_eq!(found, Some(code), "{words:?}: {err}");
    out
}

/// Why a run fails.
fn error(command: &str, words: &[&str]) -> String {
    let (code, out, err) = run(command, &[words, &["-q"]].concat());
    assert_eq!((code, &*out), (Some(2), ""), "{words:?}: {err}");
    err
}

/// `rows` rows of csv with other columns.
fn table(rows: usize) -> String {
    let row = |row: usize| match row % 5 {
        0 => format!("{row},{},{SOLVED},\n", &EASY[1..]),
        1 => format!("{row},{EASY},{SOLVED},\"a, \"\"b\"\"\"\n"),
        _ => format!("{row},{EASY},{SOLVED},word {}\n", row % 7),
    };
    "id,puzzle,solution,note\n".to_owned() + &(1..=rows).map(row).collect::<String>()
}

#[test]
fn a_damaged_value_has_the_number_of_its_row_and_the_place_in_its_value() {
    // Most rows are malformed, so the column is named.
    let named = ["--columns", "puzzle=puzzle"];
    let out = records("solve", &[&[&*corpus("pyarrow-damaged")], &named[..]].concat(), 1);
    let lines: Vec<_> = out.lines().take(3).collect();
    let expected = [
        "# line 1: expected 81 cells, found 0",
        "# line 2: expected 81 cells, found 80",
        "# line 3: column 4: expected 1 to 9, '.' or '0', found 'x'",
    ];
    assert_eq!(lines, expected);
    // The only column of a table has a missing value.
    let out = records("solve", &[&corpus("pyarrow-alone")], 1);
    assert!(out.starts_with("# line 1: expected 81 cells, found 0\n"), "{out}");
    let report = records("verify", &[&[&*corpus("pyarrow-damaged")], &named[..]].concat(), 1);
    assert!(report.contains("pyarrow-damaged.parquet:5: no answer given\n"), "{report}");
}

#[test]
fn columns_are_chosen_by_content_or_by_name() {
    let said = |words: &[&str]| run("solve", words).2;
    let bench = said(&[&corpus("sudokubench")]);
    assert!(bench.contains("reading column \"puzzle\" of "), "{bench}");
    assert!(bench.contains("solutions in column \"solution\""), "{bench}");
    let unnamed = said(&[&corpus("unnamed")]);
    assert!(unnamed.contains("reading column \"1\" of "), "{unnamed}");
    let out = records("solve", &[&corpus("unnamed"), "--columns", "puzzle=2"], 0);
    assert_eq!(out.lines().next(), Some(SOLVED));
    let named = ["--columns", "puzzle=solution,solution=puzzle", "--explain-input"];
    let (_, out, _) = run("solve", &[&corpus("sudokubench"), named[0], named[1], named[2]]);
    assert!(out.contains("decision: reading column \"solution\""), "{out}");
}

#[test]
fn a_nested_column_is_refused_where_its_values_are_needed() {
    let nested = corpus("nested-puzzle");
    let err = error("solve", &[&nested]);
    assert!(err.contains("column \"puzzle\" is a list, and only flat columns are read"), "{err}");
    let other = corpus("nested-other");
    let err = error("solve", &[&other, "--columns", "puzzle=tags"]);
    assert!(err.contains("column \"tags\" is a list"), "{err}");
    // A number counts all columns.
    let solved = records("solve", &[&other], 0);
    assert_eq!(records("solve", &[&other, "--columns", "puzzle=2"], 0), solved);
    assert!(error("solve", &[&other, "--columns", "puzzle=3"]).contains("\"about\" is a struct"));
}

#[test]
fn a_nested_column_that_is_not_needed_is_left_out_by_name() {
    let other = corpus("nested-other");
    for words in [&["solve", "--keep-columns", "--format", "csv"][..], &["select"], &["augment"]] {
        let (code, out, err) = run(words[0], &[&[&*other], &words[1..]].concat());
        let header = out.lines().next().unwrap();
        assert_eq!((code, header.contains("solution")), (Some(0), true), "{err}");
        assert!(!header.contains("tags") && !header.contains("about"), "{header}");
        assert!(err.contains("column \"tags\" is a list, which is not read"), "{err}");
        assert!(err.contains("column \"about\" is a struct, which is not read"), "{err}");
    }
    let folder = Folder::new();
    let to = folder.path("flat.parquet").to_str().unwrap().to_owned();
    records("select", &[&other, "-o", &to], 0);
    assert_eq!(records("select", &[&to], 0), records("select", &[&other], 0));
}

#[test]
fn a_pipe_is_refused_and_a_redirected_file_is_read() {
    let bytes = fs::read(corpus("polars")).unwrap();
    let (code, out, err) = fed(&mut ninefold("solve", &["-q"]), &bytes);
    assert_eq!((code, &*out), (Some(2), ""));
    assert!(err.contains("is a Parquet file in a pipe or compressed"), "{err}");
    let mut program = ninefold("solve", &["-q"]);
    program.stdin(fs::File::open(corpus("polars")).unwrap());
    let output = program.output().unwrap();
    assert_eq!(output.stdout.split(|&byte| byte == b'\n').count(), 6);
}

#[test]
fn a_codec_that_is_not_read_and_a_file_that_is_cut_are_errors() {
    let err = error("solve", &[&corpus("pyarrow-brotli")]);
    assert!(err.contains("row group 1") && err.contains("brotli"), "{err}");
    let folder = Folder::new();
    let bytes = fs::read(corpus("pandas")).unwrap();
    for length in [4, 100, bytes.len() - 1] {
        let cut = folder.file("cut.parquet", &bytes[..length]);
        let err = error("solve", &[name(&cut)]);
        assert!(err.contains("is a damaged Parquet file: the footer: "), "{err}");
    }
}

/// Pages without compression, with a checksum: a digit that another program changed is no other puzzle.
#[test]
fn a_changed_byte_of_a_page_with_a_checksum_is_an_error() {
    let folder = Folder::new();
    let bytes = fs::read(corpus("pyarrow-checksums")).unwrap();
    let whole = records("solve", &[&corpus("pyarrow-checksums")], 0);
    let table = include_str!("../data/layouts/kaggle_9m.csv");
    let puzzles: Vec<_> = table.lines().skip(1).map(|row| &row[..81]).collect();
    // Pages have two rows.
    for (row, before) in [(0, 0), (3, 2)] {
        // Values have their length before them; the statistics of a page do not.
        let value = [&[81, 0, 0, 0], puzzles[row].as_bytes()].concat();
        let value = memchr::memmem::find(&bytes, &value).unwrap();
        let mut changed = bytes.clone();
        let place = value + 4 + puzzles[row].find(|cell| cell != '0').unwrap();
        changed[place] = if changed[place] == b'9' { b'1' } else { changed[place] + 1 };
        let file = folder.file("changed.parquet", &changed);
        for command in ["solve", "select"] {
            let (code, out, err) = run(command, &["-q", name(&file)]);
            let group = row / 2 + 1;
            let says = "changed.parquet: is a damaged Parquet file: ";
            let says = format!("{says}row group {group}: column \"puzzle\": row ");
            assert_eq!((code, err.lines().count()), (Some(2), 1), "{command}: {err}");
            assert!(err.contains(&says) && err.contains("checksum"), "{command}: {err}");
            if command == "solve" {
                let kept: String = whole.split_inclusive('\n').take(before).collect();
                assert_eq!(out, kept, "row {row}");
            }
        }
    }
}

/// Files of the corpus with changed bytes: the program ends with its own words, or with none.
fn mutated_files_end_in_order(files: usize, seed: u64) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/parquet");
    let mut corpus: Vec<_> = fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).collect();
    corpus.retain(|path| path.extension().is_some_and(|end| end == "parquet"));
    corpus.sort();
    let (folder, mut lots, mut errors) = (Folder::new(), Lots(seed), 0);
    let commands: [&[&str]; 3] = [
        &["solve"],
        &["verify", "--format", "jsonl"],
        &["solve", "--format", "csv", "--keep-columns"],
    ];
    for number in 0..files {
        let path = &corpus[number % corpus.len()];
        let mut bytes = fs::read(path).unwrap();
        // One to four bytes, of which one is a single bit, or a few in a row.
        for _ in 0..=lots.below(4) {
            let place = usize::try_from(lots.below(bytes.len() as u64)).unwrap();
            let random = lots.below(256).to_le_bytes()[0];
            match lots.below(3) {
                0 => bytes[place] ^= 1 << (random % 8),
                1 => bytes[place] = random,
                _ => {
                    let end = bytes.len().min(place + 1 + usize::from(random % 8));
                    bytes[place..end].fill(if random < 128 { 0xff } else { 0 });
                }
            }
        }
        let file = folder.file("mutated.parquet", &bytes);
        let words = commands[number % commands.len()];
        let mut program = ninefold(words[0], &words[1..]);
        program.args(["-q", "-j", "1", name(&file)]).env("RUST_BACKTRACE", "1");
        let (code, _, err) = fed(&mut program, "");
        let says =
            format!("seed {seed}, file {number} ({}), {words:?}: {code:?} {err}", path.display());
        match code {
            Some(2) => errors += 1,
            Some(0 | 1) => assert_eq!(err, "", "{says}"),
            _ => panic!("{says}"),
        }
        if code == Some(2) {
            assert!(err.starts_with("ninefold: ") && err.lines().count() == 1, "{says}");
        }
        for word in ["panic", "backtrace", ".rs:", "overflow", "unwrap"] {
            assert!(!err.contains(word), "{says}");
        }
    }
    assert!(errors > files / 4, "{errors} errors of {files}");
}

#[test]
fn mutated_files_end_without_the_text_of_a_panic() {
    mutated_files_end_in_order(60, 1);
}

#[test]
#[ignore = "takes minutes"]
fn five_thousand_mutated_files_end_without_the_text_of_a_panic() {
    mutated_files_end_in_order(5_000, 2);
}

#[test]
fn other_columns_keep_their_text_in_csv_and_jsonl() {
    let types = corpus("pyarrow-types");
    let csv = records("solve", &[&types, "--format", "csv", "--keep-columns"], 0);
    let end = ",1,-1,18446744073709551615,1.5,0.1,true,2026-11-22,04:30:15.25,2026-11-22 04:30:15.25,\
               2026-11-22 04:30:15.25+00,-0.05,\"a, b\",\\xFF\\x00,";
    assert!(csv.lines().nth(1).unwrap().contains(end), "{csv}");
    let jsonl = records("solve", &[&types, "--format", "jsonl", "--keep-columns"], 0);
    assert!(jsonl.contains(r#""source":" \"x\" ","#), "{jsonl}");
    assert!(jsonl.contains(r#""source":"one\ntwo","#), "{jsonl}");
}

/// `select` copies all columns, and `solve --keep-columns` writes them: the same text comes back.
#[test]
fn types_and_values_survive_a_copy() {
    let folder = Folder::new();
    let (types, copy, kept) =
        (corpus("pyarrow-types"), folder.path("copy.parquet"), folder.path("kept.parquet"));
    records("select", &[&types, "-o", name(&copy)], 0);
    let text = |file: &str| records("solve", &[file, "--format", "jsonl", "--keep-columns"], 0);
    assert_eq!(text(name(&copy)), text(&types));
    records("solve", &[&types, "--keep-columns", "-o", name(&kept)], 0);
    let again = records("solve", &[name(&kept), "--format", "csv", "--keep-columns"], 0);
    assert!(again.contains("18446744073709551615,1.5,0.1,true,2026-11-22,04:30:15.25,"), "{again}");
}

#[test]
fn records_are_those_of_csv_whatever_the_threads() {
    let folder = Folder::new();
    let input = folder.file("in.csv", table(6_000));
    let words = [name(&input), "--unique", "--keep-columns"];
    let csv = records("solve", &[&words[..], &["--format", "csv"]].concat(), 1);
    let outputs = ["1", "2", "3"].map(|threads| {
        let path = folder.path(&format!("{threads}.parquet"));
        records("solve", &[&words[..], &["-j", threads, "-o", name(&path)]].concat(), 1);
        path
    });
    let bytes = fs::read(&outputs[0]).unwrap();
    assert!(outputs.iter().all(|path| fs::read(path).unwrap() == bytes));
    assert!(bytes.starts_with(b"PAR1") && bytes.len() < csv.len() / 4);
    // Rows are copied as csv again.
    let copied = folder.path("copied.csv");
    records("select", &[name(&outputs[0]), "--status", "unique", "-o", name(&copied)], 0);
    let copied = fs::read_to_string(copied).unwrap();
    let kept = csv.lines().enumerate();
    let kept = kept.filter(|(line, text)| *line == 0 || text.contains(",unique,"));
    let expected: String = kept.flat_map(|(_, text)| [text, "\n"]).collect();
    assert!(copied == expected, "{}", copied.lines().take(9).collect::<String>());
}

#[test]
fn every_command_with_columns_writes_them() {
    let folder = Folder::new();
    let easy = folder.file("easy.csv", table(4));
    let of = &[name(&easy)][..];
    for (command, words, header) in [
        ("solve", of, "line,status,solutions,puzzle,solution"),
        ("canon", of, "line,status,puzzle,form,automorphisms"),
        ("rate", of, "line,status,effort,effort_se,er,ep,ed,technique,grade,puzzle"),
        ("verify", of, "line,status,faults,clues,answer_is,duplicate_of,puzzle,reasons"),
        ("generate", &["-n", "3", "--seed", "1"], "line,status,solutions,puzzle,solution"),
    ] {
        let path = folder.path(&format!("{command}.parquet"));
        records(command, &[words, &["-o", name(&path)]].concat(), 0);
        let copied = records("select", &[name(&path)], 0);
        assert_eq!(copied.lines().next(), Some(header), "{command}");
        let csv = records(command, &[words, &["--format", "csv"]].concat(), 0);
        // Efforts are floating-point numbers in Parquet.
        assert_eq!(copied, csv.replace(",0,0,1.2,", ",0.0,0.0,1.2,"), "{command}");
    }
}

#[test]
fn steps_are_lists_with_the_same_bytes_whatever_the_threads() {
    let folder = Folder::new();
    let rows = format!("1,{EASY}\n2,xx\n3,{TWO}\n4,{SOLVED}\n5,{HARD}\n").repeat(9);
    let input = folder.file("in.csv", format!("id,puzzle\n{rows}"));
    let [one, three, copy] = ["1", "3", "copy"].map(|name| folder.path(&format!("{name}.parquet")));
    for (threads, path) in [("1", &one), ("3", &three)] {
        let words = ["--keep-columns", "-j", threads, name(&input), "-o", name(path)];
        records("steps", &words, 1);
    }
    let bytes = fs::read(&one).unwrap();
    assert!(bytes == fs::read(&three).unwrap());
    // The schema has the names of the lists, and the groups that Arrow gives them.
    for list in ["technique", "cell", "digit", "eliminations", "boards", "candidates", "element"] {
        assert!(memchr::memmem::find(&bytes, list.as_bytes()).is_some(), "{list}");
    }
    // Lists are left out of a copy, and named.
    let (code, _, err) = run("select", &[name(&one), "-o", name(&copy)]);
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("column \"boards\" is a list, which is not read"), "{err}");
    let rows = records("select", &[name(&copy)], 0);
    let first: Vec<_> = rows.lines().take(5).collect();
    let expected = [
        "line,status,puzzle,id".to_owned(),
        format!("2,unique,{EASY},1"),
        "3,malformed,xx,2".to_owned(),
        format!("4,multiple,{TWO},3"),
        format!("5,unique,{SOLVED},4"),
    ];
    assert_eq!(first, expected);
    let err = error("steps", &["--boards", name(&input), "-o", name(&copy)]);
    assert!(err.contains("--boards: a Parquet file has the grid before each step"), "{err}");
}

#[test]
fn what_is_no_table_is_not_written_as_one() {
    let folder = Folder::new();
    let (input, output) = (folder.file("in.txt", EASY), folder.path("out.parquet"));
    let (input, output) = (name(&input), name(&output));
    for (command, words, reason) in [
        ("solve", &[input, "-o", output, "--format", "jsonl"][..], "has the columns of csv"),
        ("generate", &["-o", output, "--format", "line"], "has the columns of csv"),
        ("verify", &[input, "-o", output, "--format", "report"], "has the columns of csv"),
        ("select", &[input, "-o", output], "is no Parquet file"),
        ("solve", &[input, "--rejects", output], "only records with columns"),
    ] {
        let err = error(command, words);
        assert!(err.contains(reason), "{words:?}: {err}");
        assert!(!Path::new(output).exists());
    }
}

/// The rows before an error are in the partial file, which can be read.
#[test]
fn an_input_that_fails_leaves_a_readable_partial_file() {
    let folder = Folder::new();
    let good = folder.file("good.csv", table(4));
    let mut bytes = fs::read(corpus("pyarrow-groups")).unwrap();
    // Each column of a row group begins with a dictionary page, whose header begins like this.
    let mut pages = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"\x15\x04\x15"));
    let page = pages.nth(6).unwrap();
    bytes[page..page + 8].fill(0xff);
    let bad = folder.file("bad.parquet", bytes);
    let output = folder.path("out.parquet");
    let (code, _, err) = run("solve", &[name(&good), name(&bad), "-o", name(&output), "-q"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("bad.parquet: is a damaged Parquet file: row group 2: "), "{err}");
    assert!(err.contains("out.parquet.partial"), "{err}");
    let partial = folder.path("out.parquet.partial");
    let rows = records("select", &[name(&partial)], 0);
    assert_eq!(rows.lines().count(), 1 + 4 + 2);
}

#[test]
fn a_run_that_is_killed_begins_again_with_resume() {
    let folder = Folder::new();
    let (output, whole) = (folder.path("out.parquet"), folder.path("whole.parquet"));
    records("generate", &["-n", "3000", "-o", name(&whole)], 0);
    let words = ["-n", "3000", "-o", name(&output), "--resume"];
    let mut child = ninefold("generate", &words).spawn().unwrap();
    wait_until(|| log_path(&output).exists());
    child.kill().unwrap();
    child.wait().unwrap();
    let (code, _, said) = run("generate", &words);
    let says = "ninefold: --resume: the index of a Parquet file is written last, so the run starts from its beginning";
    assert!(code == Some(0) && said.contains(says), "{said}");
    assert!(fs::read(&output).unwrap() == fs::read(&whole).unwrap());
    let (code, _, said) = run("generate", &words);
    assert!(code == Some(0) && said.contains("is complete: nothing to do"), "{said}");
}

#[test]
fn the_rows_of_a_file_are_cut_into_shards() {
    let folder = Folder::new();
    let input = folder.file("in.csv", table(3_000));
    let rows = folder.path("rows.parquet");
    records("solve", &[name(&input), "-o", name(&rows)], 1);
    let whole = records("solve", &[name(&rows), "--format", "csv"], 1);
    let shards: String = ["1/3", "2/3", "3/3"]
        .iter()
        .map(|shard| run("solve", &[name(&rows), "--format", "csv", "-q", "--shard", shard]).1)
        .collect();
    assert_eq!(shards, whole);
    // The statistics of all shards are those of all rows, and two of them are not.
    for command in ["solve", "canon"] {
        let stats = ["1/3", "2/3", "3/3"].map(|shard| {
            let path = folder.path(&format!("{command}.{}.json", &shard[..1]));
            run(command, &[name(&rows), "-q", "--shard", shard, "--stats-json", name(&path)]);
            path
        });
        let (code, merged, err) = run("merge", &stats.each_ref().map(|path| name(path)));
        assert_eq!(code, Some(0), "{err}");
        assert!(merged.contains("\"lines\": 3000"), "{merged}");
        let (code, _, err) = run("merge", &[name(&stats[0]), name(&stats[2])]);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains(" are in no shard") || err.contains("shard 2/3 is missing"), "{err}");
    }
}

/// A file of these rows with four columns, with this number of rows in each row group and about 100 in each page.
fn written(rows: u64, group_rows: u64) -> Vec<u8> {
    let schema = "message m { required int64 id; required binary puzzle (UTF8); optional binary solution (UTF8);
        required double rating; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder()
        .set_data_page_row_count_limit(100)
        .set_write_batch_size(100)
        .set_dictionary_enabled(false)
        .set_compression(Compression::SNAPPY)
        .build();
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    let mut start = 0;
    while start < rows {
        let rows = start..rows.min(start + group_rows);
        start = rows.end;
        let mut group = file.next_row_group().unwrap();
        let text = |text: &str| ByteArray::from(text);
        // Rows whose other fields matter are rare: a full grid, and a puzzle that is cut.
        let puzzle = |row: u64| match row % 1000 {
            123 => text(SOLVED),
            500 => text(&EASY[1..]),
            row if row % 3 == 0 => text(HARD),
            _ => text(EASY),
        };
        let numbers: Vec<i64> = rows.clone().map(u64::cast_signed).collect();
        let puzzles: Vec<_> = rows.clone().map(puzzle).collect();
        let levels: Vec<i16> = rows.clone().map(|row| i16::from(row % 3 > 0)).collect();
        let solutions = vec![text(SOLVED); levels.iter().filter(|level| **level > 0).count()];
        let ratings: Vec<f64> = rows.map(|row| f64::from((row % 90) as u32) / 10.0).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&numbers, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&puzzles, None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&solutions, Some(&levels), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&ratings, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

#[test]
fn a_part_ends_where_it_should_however_long_chunks_are() {
    let bytes = written(5_000, 1 << 20);
    for chunk_bytes in [1, 10_000, 1 << 20, usize::MAX] {
        let mut source = Source::from_bytes("a.parquet", bytes.clone());
        source.find_layout(&Hints::default()).unwrap();
        source.part = Part { start: 1_000, end: Some(3_456) };
        let (mut chunks, mut chunk) = (source.into_chunks(), ChunkBuffer::default());
        let mut rows = 0;
        while chunks.fill(&mut chunk, chunk_bytes).unwrap() {
            rows += chunk.read(|chunk| chunk.lines().count()).unwrap();
        }
        assert_eq!(rows, 2_456, "chunks of {chunk_bytes} bytes");
    }
}

/// What is not decoded is not missed: records and rejects are those of the rows as CSV, for any threads.
#[test]
fn rows_are_decoded_by_any_thread_and_in_any_row_groups() {
    let folder = Folder::new();
    let one = folder.file("one.parquet", written(5_000, 1 << 20));
    let several = folder.file("several.parquet", written(5_000, 1_300));
    let csv = folder.path("rows.csv");
    records("select", &[name(&one), "-o", name(&csv)], 0);
    for (command, words) in [
        ("solve", &["--unique", "--format", "csv"][..]),
        ("solve", &["--format", "csv", "--keep-columns"]),
        ("verify", &["--format", "csv"]),
        ("verify", &["--score", "--columns", "prediction=solution", "--by", "rating"]),
        ("select", &["--where", "rating > 4"]),
        ("select", &["--head", "1234"]),
        ("augment", &["-n", "1", "--seed", "5"]),
    ] {
        let rejects = folder.path("rejects");
        let run = |file: &Path, threads: &str| {
            let words = [words, &[name(file), "-q", "--force", "-j", threads]].concat();
            let plain = run(command, &words);
            let kept = run(command, &[&words[..], &["--rejects", name(&rejects)]].concat());
            assert_eq!((plain.0, &plain.1), (kept.0, &kept.1), "{words:?}: {}", kept.2);
            let rejects = fs::read_to_string(&rejects).unwrap();
            (plain.0, plain.1.replace(name(file), "FILE"), rejects)
        };
        let expected = run(&one, "1");
        assert!(expected.0 < Some(2) && !expected.1.is_empty(), "{command} {words:?}");
        for threads in ["1", "2", "3", "8"] {
            for file in [&one, &several] {
                assert!(run(file, threads) == expected, "{command} {words:?} -j {threads}");
            }
        }
        if command == "solve" {
            // The header is a line.
            let of_csv = run(&csv, "2");
            let rows = |text: &str| {
                text.lines()
                    .map(|row| row.split_once(',').map(|it| it.1.to_owned()))
                    .collect::<Vec<_>>()
            };
            assert!(rows(&of_csv.1) == rows(&expected.1), "{words:?}");
        }
    }
}

/// The rows before the fault are answered, however the rows are cut.
#[test]
fn the_rows_before_a_damaged_page_are_answered_by_any_threads() {
    let folder = Folder::new();
    let mut bytes = written(5_000, 1_300);
    // Snappy begins with the length: 100 puzzles with their lengths.
    let pages: Vec<_> = memchr::memmem::find_iter(&bytes, &[0xb4, 0x42]).collect();
    let page = pages[pages.len() / 2];
    bytes[page] ^= 1;
    let file = folder.file("damaged.parquet", bytes);
    let expected = run("solve", &["-q", "-j", "1", name(&file)]);
    let says = "damaged.parquet: is a damaged Parquet file: row group 2: column \"puzzle\": row ";
    assert!(expected.0 == Some(2) && expected.2.contains(says), "{}", expected.2);
    let rows = expected.1.lines().count();
    assert!(
        rows > 2_000
            && expected.2.contains(&format!(
                "row {},{:03}: ",
                (rows + 1) / 1000,
                (rows + 1) % 1000
            )),
        "{rows}: {}",
        expected.2
    );
    for threads in ["2", "3", "8"] {
        assert!(run("solve", &["-q", "-j", threads, name(&file)]) == expected, "-j {threads}");
    }
}
