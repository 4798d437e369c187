//! Bad input for the built program: each has its message, its exit code, and bounded memory; what
//! was good before it is kept.

use crate::support::{EASY, Folder, Run, SOLVED, fed, ninefold};
use std::fs;
use std::io::{Read, Write};
use std::process::Child;

/// How a message about an input without a puzzle goes on, if nothing was said beforehand.
const LOOKED_FOR: &str = "no puzzle found: looked for a field of 81 cells \
    (1 to 9, and . 0 _ * or - for a blank), or a header that names a column \
    (puzzle, puzzles, quiz, quizzes, question, sudoku, grid), in the first ";

fn solve(words: &[&str], input: impl AsRef<[u8]>) -> Run {
    crate::support::fed(&mut ninefold("solve", &[&["-q"], words].concat()), input)
}

/// Is refused with this message, by each way in, and the output is not touched.
fn assert_refused(words: &[&str], input: impl AsRef<[u8]>, message: &str) {
    let folder = Folder::new();
    let path = folder.file("in.txt", input.as_ref());
    let output = folder.file("out.txt", "precious");
    let (name, output_name) = (path.to_str().unwrap(), output.to_str().unwrap());
    let expected = |of: &str| (Some(2), String::new(), format!("ninefold: {of}: {message}\n"));
    assert_eq!(solve(words, &input), expected("<stdin>"));
    for more in [&[][..], &["--no-mmap"]] {
        let words = [words, more, &[name, "--force", "-o", output_name]].concat();
        assert_eq!(solve(&words, ""), expected(name));
    }
    assert_eq!(fs::read_to_string(output).unwrap(), "precious");
}

/// The most memory that a process has had, in bytes: `VmHWM`, as long as it runs.
#[cfg(target_os = "linux")]
fn peak_bytes(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

/// The issue's 10 GB were tried by hand; a tenth or a hundredth shows the same.
#[cfg(target_os = "linux")]
#[test]
fn a_line_without_end_takes_no_memory_and_has_one_record() {
    const MOST_BYTES: u64 = 64 << 20;
    let length: usize = if cfg!(debug_assertions) { 100 << 20 } else { 300 << 20 };
    for good in [0, 3] {
        let mut child = ninefold("solve", &["-q"]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..good {
            writeln!(stdin, "{EASY}").unwrap();
        }
        let piece = vec![b'7'; 1 << 20];
        // A program that refuses its input does not read all of it.
        let mut pieces = 0..length >> 20;
        let written = pieces.try_for_each(|_| stdin.write_all(&piece));
        if good == 0 {
            drop(stdin);
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), written.is_err()), (Some(2), true));
            assert!(said.contains(" in the first 64 KiB; the first line is \"777"), "{said}");
            continue;
        }
        written.unwrap();
        let peak = peak_bytes(&child);
        assert!(peak < MOST_BYTES, "{peak} bytes");
        drop(stdin);
        let (mut records, mut said) = (String::new(), String::new());
        child.stdout.take().unwrap().read_to_string(&mut records).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let line = good + 1;
        let expected = format!("# line {line}: expected 81 cells, found {length}\n");
        assert_eq!(records, format!("{SOLVED}\n").repeat(good) + &expected);
        assert_eq!((child.wait().unwrap().code(), &*said), (Some(1), ""));
    }
}

#[test]
fn binary_noise_is_refused_or_has_its_records_after_what_was_good() {
    let mut number = 1_u64;
    let mut noise = Vec::new();
    while noise.len() < 200_000 {
        // Knuth's; the high bits.
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        noise.extend_from_slice(&number.to_be_bytes()[..3]);
    }
    let (code, records, said) = solve(&[], &noise);
    assert_eq!((code, &*records), (Some(2), ""));
    assert!(said.starts_with(&format!("ninefold: <stdin>: {LOOKED_FOR}")), "{said}");
    assert!(said.contains(" lines; the first line is \"") && said.len() < 1000, "{said}");
    assert!(said.contains("; it has zero bytes: no text, or UTF-16, "), "{said}");
    let after = [format!("{EASY}\n{EASY}\n").as_bytes(), &noise].concat();
    let (code, records, said) = solve(&[], &after);
    assert_eq!((code, &*said), (Some(1), ""));
    let (good, bad) = records.split_at(2 * 82);
    assert_eq!(good, format!("{SOLVED}\n{SOLVED}\n"));
    assert!(bad.lines().count() > 500 && bad.lines().all(|line| line.starts_with("# line ")));
}

/// A download that failed is not a clean list.
#[test]
fn an_input_without_records_is_refused_by_every_command() {
    const NO_RECORDS: &str = "the input has no records, but at most empty lines and comments";
    let folder = Folder::new();
    let good = folder.file("good.txt", format!("{EASY}\n"));
    let good = good.to_str().unwrap();
    let texts: [(&str, &str); 10] = [
        ("", NO_RECORDS),
        ("\u{feff}", NO_RECORDS),
        ("\n", NO_RECORDS),
        ("\r\n \r\n", NO_RECORDS),
        ("# only\n# comments", NO_RECORDS),
        ("\u{feff}\n# a\n\n", NO_RECORDS),
        ("[]", NO_RECORDS),
        ("puzzle,solution\n", "in column \"puzzle\", in the first line"),
        ("# list\nid;Quiz", "in column \"Quiz\", in the first 2 lines"),
        ("sep=;\n", NO_RECORDS),
    ];
    for (text, says) in texts {
        let file = folder.file("other.txt", text);
        let file = file.to_str().unwrap();
        let says = |(code, out, err): Run, what: &str| {
            assert_eq!((code, &*out, err.lines().count()), (Some(2), "", 1), "{what}: {err}");
            assert!(err.contains("no puzzle found: ") && err.contains(says), "{what}: {err}");
        };
        let commands = ["solve", "verify", "rate", "canon", "select"];
        // Each command for one of the texts.
        for command in &commands[..if text.is_empty() { 5 } else { 1 }] {
            says(fed(&mut ninefold(command, &["-q"]), text), command);
            // One of several inputs, as a file.
            says(fed(&mut ninefold(command, &["-q", good, file]), ""), command);
            let (code, out, err) = fed(&mut ninefold(command, &["--explain-input"]), text);
            assert!(code == Some(2) && out.ends_with("  decision: refused\n"), "{out}");
            assert!(err.contains("no puzzle found: "), "{err}");
        }
        if !text.starts_with('#') {
            continue;
        }
        for words in [["verify", "--against"], ["select", "--not-in"]] {
            says(fed(&mut ninefold(words[0], &["-q", good, words[1], file]), ""), words[1]);
        }
        says(fed(&mut ninefold("generate", &["-q", "-n", "1", "--from", file]), ""), "--from");
    }
    // With --lines, whose first lines decide nothing, a program may have nothing to ask.
    for command in ["solve", "verify", "rate", "canon", "select"] {
        assert_eq!(fed(&mut ninefold(command, &["-q", "--lines"]), "").0, Some(0), "{command}");
        let empty = folder.file("empty.txt", "# a\n\n");
        let words = ["-q", "--lines", good, empty.to_str().unwrap()];
        let (code, out, err) = fed(&mut ninefold(command, &words), "");
        assert_eq!((code, &*out), (Some(2), ""), "{command}");
        assert!(err.contains("empty.txt: no puzzle found: the file has no records"), "{err}");
    }
    let malformed = folder.file("malformed.txt", &EASY[1..]);
    let words = ["-q", good, "--against", malformed.to_str().unwrap()];
    let (code, out, err) = fed(&mut ninefold("verify", &words), "");
    assert_eq!((code, &*out), (Some(2), ""), "{err}");
    assert!(err.contains("--against: the bank has no puzzles"), "{err}");
}

/// A shard of an input with records may have none of them.
#[test]
fn a_shard_without_records_is_complete() {
    let folder = Folder::new();
    let file = folder.file("three.txt", format!("{EASY}\n\n\n# end\n"));
    let records_of = |shard: &str| {
        let words = ["-q", "--shard", shard, file.to_str().unwrap()];
        assert_eq!(fed(&mut ninefold("verify", &words), "").0, Some(0), "{shard}");
        let (code, out, err) = fed(&mut ninefold("solve", &words), "");
        assert_eq!((code, &*err), (Some(0), ""), "{shard}");
        out.lines().count()
    };
    assert_eq!(["1/3", "2/3", "3/3"].map(records_of), [1, 0, 0]);
}

#[test]
fn a_table_without_a_puzzle_is_refused_with_what_was_looked_for_and_its_first_line() {
    let says =
        |lines: &str, first: &str| format!("{LOOKED_FOR}{lines}; the first line is \"{first}\"");
    assert_refused(&[], "name,score\nAnn,1\nBob,2\n", &says("3 lines", "name,score"));
    assert_refused(&[], "5\n", &says("line", "5"));
    assert_refused(&[], "{\"a\": \"b\"}\n", &says("line", "{\\\"a\\\": \\\"b\\\"}"));
    let long = "word ".repeat(20);
    assert_refused(&[], &long, &says("line", &format!("{}…", &long[..60])));
    let cells = "no puzzle found: looked for 81 cells (1 to 9, and . 0 _ * or - for a blank) in";
    let says =
        format!("{cells} column \"quiz\", in the first 2 lines; the first line is \"id,quiz\"");
    assert_refused(&[], "id,quiz\n1,2\n", &says);
}

#[test]
fn a_table_is_read_and_written_without_a_header() {
    let text = format!("alpha,beta\n1,{EASY}\n");
    let both = format!("1,malformed,,beta,\n2,solved,1,{EASY},{SOLVED}\n");
    let words = ["--format", "csv", "--no-header"];
    assert_eq!(solve(&words, &text), (Some(1), both, String::new()));
}

#[test]
fn what_divides_fields_in_an_unusual_way_is_asked_for() {
    for (text, mark) in [(format!("a:{EASY}:z\n"), ":"), (format!("'{EASY}','{SOLVED}'\n"), "'")] {
        let (code, records, said) = solve(&[], text.repeat(2));
        assert_eq!((code, &*records), (Some(2), ""), "{said}");
        assert!(said.ends_with("; --delimiter CHAR if one divides fields\n"), "{said}");
        let found = solve(&["--delimiter", mark], text.repeat(2));
        assert_eq!(found, (Some(0), format!("{SOLVED}\n").repeat(2), String::new()));
    }
}

#[test]
fn a_name_that_speaks_of_grids_is_not_believed_of_lines() {
    let folder = Folder::new();
    let path = folder.file("lines.sdk", format!("{EASY}\n{EASY}\n"));
    let expected = (Some(0), format!("{SOLVED}\n").repeat(2), String::new());
    for more in [&[][..], &["--no-mmap"]] {
        assert_eq!(solve(&[more, &[path.to_str().unwrap()]].concat(), ""), expected);
    }
}

#[test]
fn a_grid_that_ends_too_early_has_just_its_lines() {
    let three = &rows_of(EASY)[..29];
    let text = format!("{three}\n\n{}{three}\n", rows_of(EASY));
    let (_, table, _) = solve(&["--grid", "--format", "csv"], text);
    let written = three.replace('\n', " ");
    let rows: Vec<_> = table.lines().collect();
    assert_eq!(rows[1], format!("1,malformed,,\"{written}\","));
    assert_eq!(rows[3], format!("15,malformed,,\"{written}\","));
}

#[test]
fn text_of_wide_characters_is_refused_with_the_command_for_its_kind() {
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("{EASY}\n").repeat(2).encode_utf16().flat_map(order).collect()
    };
    for (text, says) in [
        (wide(u16::to_be_bytes), "iconv -f UTF-16BE "),
        (wide(u16::to_le_bytes), "iconv -f UTF-16LE "),
        (b"\xff\xfe\0\x005\0\0\0".to_vec(), "iconv -f UTF-32 "),
        (b"\xff\xfe5\0".to_vec(), "iconv -f UTF-16 "),
    ] {
        let (code, records, said) = solve(&[], text);
        assert_eq!((code, &*records), (Some(2), ""));
        let says = if cfg!(windows) { "powershell -c \"gc FILE" } else { says };
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn a_json_document_that_is_cut_off_is_an_error_behind_its_records() {
    for text in [format!("[\"{EASY}\",\n\"{EASY}\"\n"), format!("[\"{EASY}\",\n\"{EASY}\",\"5")] {
        let (code, records, said) = solve(&[], &text);
        assert!(records.starts_with(&format!("{SOLVED}\n{SOLVED}\n")), "{records}");
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("is a JSON document without its end"), "{said}");
    }
}

/// What is wanted of it may be in the part that is not looked at: nothing is cut without a word.
#[test]
fn an_overlong_line_is_read_only_if_all_that_is_wanted_is_in_its_head() {
    let long = "x".repeat(70_000);
    let table = format!("puzzle,t,solution\n{EASY},{long},{SOLVED}\n{EASY},{SOLVED},{SOLVED}\n");
    assert_eq!(solve(&[], &table).1, format!("{SOLVED}\n{SOLVED}\n"));
    let reason = "only the first 65536 of its 70164 bytes are looked at";
    let (code, out, err) = solve(&["--format", "csv", "--keep-columns"], &table);
    let lines: Vec<_> = out.lines().collect();
    assert_eq!((code, lines.len()), (Some(1), 3), "{err}");
    assert!(lines[1].starts_with("2,malformed,,") && lines[2].starts_with("3,solved,1,"), "{out}");
    let objects =
        format!("{{\"puzzle\":\"{EASY}\"}}\n{{\"puzzle\":\"{EASY}\",\"t\":\"{long}\"}}\n");
    let reason_of_object = "only the first 65536 of its 70101 bytes are looked at";
    let (code, out, _) = solve(&[], objects);
    assert_eq!((code, out), (Some(1), format!("{SOLVED}\n# line 2: {reason_of_object}\n")));
    let (code, out, _) = crate::support::fed(&mut ninefold("verify", &["-q"]), &table);
    assert_eq!((code, out), (Some(1), format!("<stdin>:2: answer: {reason}\n")));
}

#[test]
fn ragged_rows_are_read_as_far_as_they_have_a_puzzle() {
    let text = format!("id,puzzle\n1,{EASY}\n2\n3,{EASY},more\n,\n");
    let expected = format!(
        "{SOLVED}\n# line 3: expected a puzzle in field 2, found 1 field\n{SOLVED}\n\
         # line 5: column 2: expected 81 cells, found 0\n"
    );
    assert_eq!(solve(&[], text), (Some(1), expected, String::new()));
}

#[test]
fn lines_that_cr_alone_ends_are_refused_with_what_to_do() {
    let text = format!("{EASY}\r").repeat(3);
    let split = r#"powershell -c "(gc FILE -Raw) -split '\r'""#;
    let mend = if cfg!(windows) { split } else { r"tr '\r' '\n' < FILE" };
    assert_refused(&[], text, &format!("CR alone ends its lines: {mend} | ninefold COMMAND -"));
}

#[test]
fn one_grid_of_nine_lines_is_refused_with_the_option_that_reads_it() {
    let rows: Vec<_> = (0..9).map(|row| &EASY[9 * row..][..9]).collect();
    let text = rows.join("\n");
    let says = format!(
        "{LOOKED_FOR}9 lines; the first line is \"{}\"; puzzles of nine lines are read with --grid",
        rows[0]
    );
    assert_refused(&[], &text, &says);
    assert_eq!(solve(&["--grid"], text).1, format!("{SOLVED}\n"));
}

/// The rows of a puzzle, one line each, and an empty line.
fn rows_of(puzzle: &str) -> String {
    let rows = (0..9).map(|row| format!("{}\n", &puzzle[9 * row..][..9]));
    rows.collect::<String>() + "\n"
}

#[test]
fn no_puzzle_disappears_among_grids_for_the_looks_of_it() {
    let marks = "123456789".repeat(81);
    let good = rows_of(EASY);
    let unlike_x = "# line 11: column 3: expected 1 to 9, '.' or '0', found 'x'\n".to_owned();
    let too_few = "# line 11: expected a row of 9 cells, found 3\n".to_owned();
    let in_one_line = "# line 11: expected a row of 9 cells, found 729\n".to_owned();
    let in_text = "# line 11: expected a row of 9 cells, found 89\n".to_owned();
    let in_title = "# line 11: expected a row of 9 cells, found 14\n".to_owned();
    for (second, says) in [
        (rows_of(&EASY.replace('.', "x")), unlike_x),
        (rows_of(&EASY.replace('.', " ")), too_few),
        (format!("{marks}\n"), in_one_line),
        (format!("INSERT '{EASY}'\n"), in_text),
        (format!("Row 1: {}\n", &EASY[..9]), in_title),
    ] {
        let expected = format!("{SOLVED}\n{says}{SOLVED}\n");
        let (code, records, said) = solve(&["--grid"], format!("{good}{second}{good}"));
        assert_eq!((code, &*records, &*said), (Some(1), &*expected, ""));
    }
    // A grid that ends too early hides nothing of what ends it.
    let text = format!("{}{marks}\n{good}", &good[..30]);
    let says = "# line 1: expected 9 rows, found a grid of 3 rows\n\
        # line 4: expected a row of 9 cells, found 729\n";
    assert_eq!(solve(&["--grid"], text), (Some(1), format!("{says}{SOLVED}\n"), String::new()));
    // Titles have letters of many kinds, or few digits.
    let text = format!("Puzzle 123\n{good}17 - 4\n{good}Sudoku Nr7\n{good}From 1.12.2024\n{good}");
    let expected = format!("{SOLVED}\n").repeat(4);
    assert_eq!(solve(&["--grid"], text), (Some(0), expected, String::new()));
}

/// Rows of HTML and LaTeX hold cells, and four rows of four cells are a puzzle.
#[test]
fn rows_of_other_programs_and_sizes_are_no_titles() {
    let good = rows_of(EASY);
    let written = |start: &str, between: &str, end: &str| {
        let cell = |cell: char| if cell == '.' { String::new() } else { cell.to_string() };
        let row = |row: &str| row.chars().map(cell).collect::<Vec<_>>().join(between);
        let rows = good.lines().filter(|row| !row.is_empty());
        rows.map(|cells| start.to_owned() + &row(cells) + end + "\n").collect::<String>() + "\n"
    };
    for (text, lines) in [
        (written("<tr><td>", "</td><td>", "</td></tr>"), (11..20).collect::<Vec<_>>()),
        (written("    ", " & ", " \\\\"), vec![11]),
        (written("", "&", "\\\\ \\hline"), (11..20).collect()),
        (written("", " & ", "\\\\\n\\hline"), (11..29).step_by(2).collect()),
        (written("('", "', '", "'),"), vec![11]),
    ] {
        let (code, out, said) = solve(&["--grid"], format!("{good}{text}{good}"));
        let named = out.lines().filter_map(|line| line.strip_prefix("# line ")?.split_once(':'));
        let named: Vec<i32> = named.map(|(line, _)| line.parse().unwrap()).collect();
        assert_eq!((code, named, &*said), (Some(1), lines, ""), "{text}{out}");
    }
    let small = "expected 9x9 cells, found 4x4: only 9x9 is read";
    for rows in ["1.3.\n.4.2\n2..1\n.1..\n", "1 2|3 4\n---+---\n. .|. .\n2 .|. 1\n# a\n. 1|. .\n"] {
        for end in ["", "\n"] {
            let expected = format!("{SOLVED}\n# line 11: {small}\n{SOLVED}\n");
            let (code, out, said) = solve(&["--grid"], format!("{good}{rows}{end}{good}"));
            assert_eq!((code, &*out, &*said), (Some(1), &*expected, ""), "{rows}{end}");
        }
    }
    // Numbers and dates are titles, also directly above a grid. The grid begins with its first row.
    let titles = [
        "Grid 01",
        "# 5 easy",
        "Puzzle 12, 2021-03-04",
        "==== 5 of 9 ====",
        "2024",
        "0012\n0013\n1.2.",
    ];
    let text: String = titles.map(|title| [title, "\n", &good].concat()).concat();
    let (code, out, said) = solve(&["--grid", "--format", "csv"], format!("{text}1234\n1234\n"));
    let rows = out.lines().skip(1).map(|row| row.split(',').next().unwrap());
    assert_eq!((code, &*said), (Some(0), ""), "{out}");
    assert_eq!(rows.collect::<Vec<_>>(), ["2", "13", "24", "35", "46", "59"]);
}

/// Lines outside of grids are counted: titles, and rows with words for blanks.
#[test]
fn lines_between_grids_are_counted() {
    let rows = "None 7 None None nan None None None 8\n".repeat(9);
    let text = format!("# a\nGrid 01\n{}Puzzle:\n{rows}\n{}", rows_of(EASY), rows_of(EASY));
    let skipped = "1 comment line and 11 lines between grids skipped";
    for (command, says) in
        [("solve", skipped), ("verify", skipped), ("select", "lines between grids skipped")]
    {
        let folder = Folder::new();
        let path = folder.path("stats.json");
        let words = ["--grid", "--stats-json", path.to_str().unwrap()];
        let (code, _, said) = fed(&mut ninefold(command, &words), &text);
        assert!(code == Some(0) && said.contains(says), "{said}");
        let stats = fs::read_to_string(path).unwrap();
        let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
        assert_eq!((&stats["lines"], &stats["between_grids"]), (&33.into(), &11.into()), "{stats}");
    }
}

/// What is wrong with a grid is said of its line, however many rows of dashes are above it.
#[test]
fn a_wrong_row_below_a_frame_has_its_line() {
    let bad = rows_of(EASY).replacen('.', "x", 1);
    for frames in [1, 20, 50] {
        let text = format!("{}{bad}", "---------\n".repeat(frames));
        let says =
            format!("# line {}: column 3: expected 1 to 9, '.' or '0', found 'x'\n", frames + 1);
        assert_eq!(solve(&["--grid"], text), (Some(1), says, String::new()));
    }
}

#[test]
fn a_line_without_end_is_no_input_without_grids() {
    let says = format!(
        "no puzzle found: looked for lines of nine cells, in the first 64 KiB; the first line is \"{}…\"",
        "1".repeat(60)
    );
    assert_refused(&["--grid"], "1".repeat(2_000_000), &says);
}

#[test]
fn of_two_columns_with_one_name_the_first_is_read_and_both_are_kept() {
    let text = format!("puzzle,id,id,puzzle\n{EASY},a,b,{SOLVED}\n");
    let words = ["--format", "csv", "--keep-columns"];
    let expected = format!(
        "line,status,solutions,puzzle,solution,id,id_2,input_puzzle\n\
         2,solved,1,{EASY},{SOLVED},a,b,{SOLVED}\n"
    );
    assert_eq!(solve(&words, text), (Some(0), expected, String::new()));
}

#[test]
fn a_column_that_is_not_there_is_refused() {
    let table = format!("quizzes,solutions\n{EASY},{SOLVED}\n");
    let cells = "81 cells (1 to 9, and . 0 _ * or - for a blank)";
    let seen = ", in the first 2 lines; the first line is \"quizzes,solutions\"";
    for (columns, says) in [
        ("puzzle=9", format!("no puzzle found: looked for {cells} in column 9{seen}")),
        (
            "puzzle=no",
            format!("no puzzle found: looked for a header that names a column \"no\"{seen}"),
        ),
        ("solution=9", format!("no solution found: looked for {cells} in column 9{seen}")),
        (
            "solution=no",
            format!("no solution found: looked for a header that names a column \"no\"{seen}"),
        ),
    ] {
        assert_refused(&["--columns", columns], &table, &says);
    }
    let seen = format!(", in the first line; the first line is \"{}…\"", &EASY[..60]);
    for (columns, says) in [
        ("puzzle=2", format!("no puzzle found: looked for {cells} in column 2{seen}")),
        ("solution=2", format!("no solution found: looked for {cells} in column 2{seen}")),
        (
            "solution=no",
            format!("no solution found: looked for a header that names a column \"no\"{seen}"),
        ),
    ] {
        assert_refused(&["--columns", columns], format!("{EASY}\n"), &says);
    }
}

#[test]
fn a_delimiter_that_does_not_occur_is_not_passed_over() {
    let table = format!("quizzes,solutions\n{EASY},{SOLVED}\n");
    let says = format!(
        "{}, divided by ';', in the first 2 lines; the first line is \"quizzes,solutions\"",
        LOOKED_FOR.strip_suffix(", in the first ").unwrap()
    );
    assert_refused(&["--delimiter", ";"], table, &says);
    // Where nothing has to be divided it does no harm.
    assert_eq!(solve(&["--delimiter", ";"], EASY).1, format!("{SOLVED}\n"));
}

/// Each row passes or fails by itself: `.` is no blank where it is the delimiter.
#[test]
fn a_row_is_judged_alone_where_blanks_are_not_the_usual_ones() {
    let zeros = EASY.replace('.', "0");
    let (good, dots) = (format!("{zeros}.{SOLVED}\n"), format!("{EASY}.{SOLVED}\n"));
    let verify = |text: String| {
        let words = ["--trust-unique", "--delimiter", ".", "-q"];
        crate::support::fed(&mut ninefold("verify", &words), text)
    };
    let alone = verify(format!("{good}{dots}"));
    let (code, _, _) = verify(good.clone());
    assert_eq!((alone.0, code), (Some(1), Some(0)), "{alone:?}");
}

#[test]
fn a_rejected_line_is_said_to_be_cut_only_if_it_is() {
    for (bytes, ends, is_cut) in [
        (65_535, "\n", false),
        (65_536, "\n", false),
        (65_536, "\r\n", false),
        (65_536, "", false),
        (65_537, "\n", true),
        (65_537, "", true),
        (150_000, "\r\n", true),
    ] {
        let text = format!("{EASY}\n{}{ends}", "1".repeat(bytes));
        let folder = Folder::new();
        let path = folder.file("long.txt", &text);
        for input in ["-", path.to_str().unwrap()] {
            let rejects = folder.path("rejects");
            let words = [input, "--force", "--rejects", rejects.to_str().unwrap()];
            assert_eq!(solve(&words, &text).0, Some(1));
            let rejects = fs::read_to_string(rejects).unwrap();
            let said = rejects.contains("only the first 65536 bytes are kept");
            assert_eq!(said, is_cut, "{bytes} bytes of {input}");
        }
    }
}

/// Alone it is refused, among others it is malformed, however it is written.
#[test]
fn a_puzzle_of_another_size_is_named_by_its_size() {
    for side in [4_usize, 6, 12, 16, 25] {
        let size = format!("expected 9x9 cells, found {side}x{side}: only 9x9 is read");
        let values: Vec<_> = (0..side * side)
            .map(|cell| if cell % 3 == 0 { cell / 3 % side + 1 } else { 0 })
            .collect();
        let letters = b"0123456789ABCDEFGHIJKLMNOP";
        let line: String = values.iter().map(|&value| char::from(letters[value])).collect();
        let numbers: Vec<_> = values.iter().map(usize::to_string).collect();
        let rows: Vec<_> = numbers.chunks(side).map(|row| format!("[{}]", row.join(","))).collect();
        let texts: Vec<_> = (0..side).map(|row| &line[side * row..][..side]).collect();
        let array = format!("[{}]", numbers.join(", "));
        let object = format!("{{\"puzzle\":[{}]}}", rows.join(","));
        for (words, text) in [
            (&[][..], line.clone()),
            (&[], format!("id,puzzle\n7,{line}")),
            (&[], numbers.join(" ")),
            (&[], array.clone()),
            (&[], rows.join(",\n")),
            (&[], object.clone()),
            (&[], texts.join("\n")),
            (&["--grid"], texts.join("\n")),
            (&["--grid"], numbers.chunks(side).map(|row| row.join(" ") + "\n").collect()),
        ] {
            let (code, out, said) = solve(words, format!("{text}\n{text}\n"));
            assert!(code == Some(2) && out.is_empty(), "{text}: {said}");
            assert!(said.ends_with(&format!("; {size}\n")), "{text}: {said}");
        }
        let easy: Vec<_> = EASY.replace('.', "0").chars().map(String::from).collect();
        let easy = format!("[{}]", easy.join(","));
        let expected = format!("{SOLVED}\n# line 2: {size}\n");
        for text in [
            format!("{EASY}\n{line}\n"),
            format!("{easy}\n{array}\n"),
            format!("{{\"puzzle\":\"{EASY}\"}}\n{object}\n"),
        ] {
            assert_eq!(solve(&[], &text).1, expected, "{text}");
        }
        if side > 9 {
            let (_, out, said) = solve(&["--grid"], rows_of(EASY) + &texts.join("\n"));
            assert!(out.starts_with(&format!("{SOLVED}\n# line 11: {size}\n")), "{out}{said}");
        }
    }
}

/// A size is that of the puzzle: not that of one row, or of a number in another field.
#[test]
fn no_size_is_taken_from_a_part_of_a_puzzle() {
    let long = rows_of(EASY).replace("4..8.3..1\n", "4..8.3..1234\n");
    let first = rows_of(EASY).replace("53..7....\n", "53..7....123\n");
    for (line, text) in [(5, long), (1, first)] {
        let says = format!("# line {line}: expected a row of 9 cells, found 12\n{SOLVED}\n");
        assert_eq!(solve(&["--grid"], text + &rows_of(EASY)).1, says);
    }
    let row = |row: usize| match row {
        5 => "[1,0,2,0,3,0,4,0,0,0,0,0,0,0,0,0]".to_owned(),
        row => format!("[{},{row},16,0,0,0,0,0,0,0,0,0,9,0,0,0]", row + 1),
    };
    let rows: Vec<_> = (0..16).map(row).collect();
    let object = format!("{{\"puzzle\":[{}]}}\n", rows.join(","));
    let says = "# line 2: expected 9x9 cells, found 16x16: only 9x9 is read";
    let (_, out, _) = solve(&[], format!("{{\"puzzle\":\"{EASY}\"}}\n{object}"));
    assert_eq!(out, format!("{SOLVED}\n{says}\n"));
    let id = "1234123412341234";
    for (head, good, bad, reason) in [
        (
            "id,puzzle\n",
            format!("7,{EASY}"),
            format!("{id},{}", &EASY[1..]),
            "column 18: expected 81 cells, found 80",
        ),
        (
            "id,puzzle\n",
            format!("7,{EASY}"),
            format!("{id},"),
            "column 18: expected 81 cells, found 0",
        ),
        (
            "id,puzzle\n",
            format!("7,{EASY}"),
            id.to_owned(),
            "expected a puzzle in field 2, found 1 field",
        ),
        (
            "",
            format!("{{\"id\":7,\"puzzle\":\"{EASY}\"}}"),
            format!("{{\"id\":{id},\"puzzle\":\"{}x\"}}", &EASY[1..]),
            "column 114: expected 1 to 9, '.' or '0', found 'x'",
        ),
    ] {
        let (_, out, _) = solve(&[], format!("{head}{good}\n{bad}\n"));
        let line = 2 + head.lines().count();
        assert_eq!(out, format!("{SOLVED}\n# line {line}: {reason}\n"), "{bad}");
    }
}
