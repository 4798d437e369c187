//! How the layout of an input is decided: from what its fields hold, not from the first row or from
//! names. Each defect of issue 14, as it was reported, and the forms of issue 13.

use crate::support::{EASY as P, Folder, Run, SOLVED as S, fed, ninefold};
use std::collections::HashSet;
use std::fs;
use std::process::Stdio;

/// 81 blanks.
const E: &str = ".................................................................................";

/// A full grid that keeps the rules, and is not the solution of P.
fn wrong() -> String {
    let swap = |c| match c {
        '1' => '2',
        '2' => '1',
        other => other,
    };
    S.chars().map(swap).collect()
}

fn verify(words: &[&str], text: impl AsRef<[u8]>) -> Run {
    fed(&mut ninefold("verify", words), text)
}

fn solve(words: &[&str], text: impl AsRef<[u8]>) -> Run {
    fed(&mut ninefold("solve", &[&["-q"], words].concat()), text)
}

/// The text as file, as mapped file and as pipe: all give the same.
fn solve_every_way(text: &str) -> Run {
    let folder = Folder::new();
    let path = folder.file("in.txt", text);
    let name = path.to_str().unwrap();
    let piped = solve(&[], text);
    for more in [&[name][..], &["--no-mmap", name]] {
        let (code, records, said) = solve(more, "");
        assert_eq!((code, records), (piped.0, piped.1.clone()), "{more:?}: {text}: {said}");
    }
    piped
}

/// Exit code 2, no record, and this in the message.
fn assert_refused(text: impl AsRef<[u8]>, says: &str) {
    let (code, records, said) = solve(&[], &text);
    let shown = String::from_utf8_lossy(text.as_ref()).chars().take(200).collect::<String>();
    assert_eq!((code, &*records), (Some(2), ""), "{shown}: {said}");
    assert!(said.contains(says), "{said}");
}

#[test]
fn answers_are_checked_whatever_their_field_is_called() {
    let w = wrong();
    let cases = [
        (format!("id,puzzle,solved\n1,{P},{w}\n"), "<stdin>:2: answer: "),
        (format!("1,{P}\n2,{P},{w}\n"), "<stdin>:2: answer: "),
        (format!("puzzle,solutions\n{P},1\n{P},{w}\n"), "<stdin>:3: answer: "),
        (format!("{{\"puzzle\":\"{P}\",\"solution\":[1,2]}}\n"), "<stdin>:1: answer: "),
        (format!("{{\"puzzle\":\"{P}\",\"result\":\"{w}\"}}\n"), "<stdin>:1: answer: "),
        (format!("{P},x,{w}\n"), "<stdin>:1: answer: "),
    ];
    for (text, record) in cases {
        let (code, records, said) = verify(&[], &text);
        assert_eq!(code, Some(1), "{text}: {said}");
        assert!(records.contains(record), "{text}: {records}");
    }
    // A row that deviates is reported.
    let (code, records, _) = verify(&["-q"], format!("1,{P}\n2,{P},{S}\n"));
    assert_eq!((code, &*records), (Some(1), "<stdin>:1: no answer given\n"));
    let (code, records, _) = verify(&["-q"], format!("puzzle,solutions\n{P},1\n{P},{S}\n"));
    assert_eq!(code, Some(1));
    assert_eq!(records, "<stdin>:2: answer: column 83: expected 81 cells, found 1\n");
}

#[test]
fn the_answer_of_one_row_is_checked_where_no_field_has_them() {
    let text = format!("1,{P}\n").repeat(50) + &format!("2,{P},x,{}\n", wrong());
    let (code, records, said) = verify(&[], text);
    assert_eq!(code, Some(1), "{said}");
    assert!(records.starts_with("<stdin>:51: answer: "), "{records}");
    assert!(said.trim_end().lines().last().unwrap().starts_with("50 puzzles have no answer"));
}

#[test]
fn without_answers_the_first_and_the_last_message_say_so() {
    for text in
        [format!("id,puzzle\n1,{P}\n"), format!("{P}\n"), format!("{{\"puzzle\":\"{P}\"}}\n")]
    {
        let (code, records, said) = verify(&[], &text);
        assert_eq!((code, &*records), (Some(0), ""), "{said}");
        let lines: Vec<_> = said.lines().collect();
        assert!(lines[0].ends_with("; no answers found: answers are not checked"), "{said}");
        let last = lines.last().unwrap();
        assert!(last.starts_with("no answers found: answers were not checked"), "{said}");
        let (code, _, said) = verify(&["--require-answers"], &text);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("--require-answers: no answers found"), "{said}");
    }
    let text = format!("puzzle,solution\n{P},{S}\n{P},\n");
    let (code, records, said) = verify(&["--require-answers"], text);
    assert_eq!((code, &*records), (Some(2), "<stdin>:3: no answer given\n"));
    assert!(said.ends_with("ninefold: --require-answers: 1 puzzle has no answer\n"), "{said}");
    let text = format!("puzzle,solution\n{P},{S}\n");
    assert_eq!(verify(&["-q", "--require-answers"], text).0, Some(0));
}

#[test]
fn a_full_grid_beside_blanks_is_never_solved() {
    let all = "123456798456798132798132465261943857985671324347825916574219683639587241812364579";
    for header in
        ["solution,givens", "puzzle_solution,puzzle_start", "solved,unsolved", "output,input"]
    {
        let (code, records, _) = solve_every_way(&format!("{header}\n{S},{E}\n"));
        assert_eq!(code, Some(0), "{header}");
        assert!(records.trim_end() != S && records.len() == all.len() + 1, "{header}: {records}");
        let (_, table, _) = solve(&["--format", "csv"], format!("{header}\n{S},{P}\n"));
        assert!(table.contains(&format!(",{P},")), "{header}: {table}");
    }
    for text in [format!("{S},{P}\n"), format!("{{\"grid\":\"{S}\",\"start\":\"{P}\"}}\n")] {
        let (code, table, _) = solve(&["--format", "csv"], &text);
        assert_eq!(code, Some(0));
        assert!(table.contains(&format!(",{P},")), "{text}: {table}");
        let (code, records, _) = verify(&["-q"], text.replace(S, &wrong()));
        assert!(code == Some(1) && records.contains(": answer: "), "{text}: {records}");
    }
}

#[test]
fn one_damaged_row_changes_nothing_wherever_it_is() {
    let good = format!("{S},{P}\n");
    for bad in [
        format!("{},{P}\n", &S[1..]),
        format!("{S},{}\n", &P[1..]),
        format!("{P},{S}\n"),
        format!("{P},\n"),
        format!(",{P}\n"),
        format!("{S},{S}\n"),
        "x\n".to_owned(),
    ] {
        for before in [0, 3, 9] {
            let text = format!("{}{bad}{}", good.repeat(before), good.repeat(9 - before));
            let (_, records, said) = solve_every_way(&text);
            let found = records.lines().filter(|record| *record == S).count();
            assert!(found >= 9, "{text}: {records} {said}");
        }
    }
    // The row that deviates is reported.
    let (code, records, _) = solve_every_way(&format!("{}{P},{S}\n", good.repeat(9)));
    assert_eq!(code, Some(1));
    let last = records.lines().last().unwrap();
    assert!(last.starts_with("# line 10: the field of the puzzle is full"), "{last}");
}

#[test]
fn rows_that_disagree_are_refused_with_both_readings() {
    let one = "in 1 record column 1 has blanks and column 2 is full";
    let text = format!("{S},{P}\n{P},{S}\n");
    assert_refused(&text, one);
    assert_refused(&text, "--columns puzzle=1,solution=2 or --columns puzzle=2,solution=1");
    let table =
        format!("a,b\n{}{}", format!("{S},{P}\n").repeat(40), format!("{P},{S}\n").repeat(40));
    assert_refused(&table, "in 40 records column \"a\" has blanks and column \"b\" is full");
    let (code, _, _) = solve(&["--columns", "puzzle=1,solution=2"], &text);
    assert_eq!(code, Some(0));
}

/// The head decides. What contradicts it later is malformed, in all shards.
#[test]
fn rows_that_change_later_are_malformed() {
    let folder = Folder::new();
    let half = 3000;
    let text = format!("{S},{P}\n").repeat(half) + &format!("{P},{S}\n").repeat(half);
    let path = folder.file("half.csv", text);
    for (more, swapped) in [
        (&[][..], half),
        (&["--no-mmap"], half),
        (&["--shard", "1/2"], 0),
        (&["--shard", "2/2"], half),
    ] {
        let words = [more, &[path.to_str().unwrap()]].concat();
        let (code, records, _) = solve(&words, "");
        assert_eq!(code, Some(i32::from(swapped > 0)), "{more:?}");
        assert_eq!(records.matches("the field of the puzzle is full").count(), swapped);
    }
}

#[test]
fn in_a_table_a_field_that_begins_with_a_hash_is_data() {
    let solved = format!("{S}\n");
    for (text, rows) in [
        (format!("#1,{P}\n"), 1),
        (format!("id,puzzle\n#1,{P}\n2,{P}\n"), 2),
        (format!("# a comment\nid,puzzle\n#1,{P}\n"), 1),
    ] {
        let found = solve_every_way(&text);
        assert_eq!(found, (Some(0), solved.repeat(rows), String::new()), "{text}");
    }
    // Below the header there are no comments, but those that this program writes.
    let text = format!("id,puzzle\n# b\n# line 7: no solution\n1,{P}\n");
    let (code, records, _) = solve(&[], text);
    assert_eq!(code, Some(1));
    assert!(records.starts_with("# line 2: ") && records.lines().count() == 2, "{records}");
}

/// A table without a header, in which each first field begins with `#`. The damaged row is malformed,
/// wherever it is, and no comment.
#[test]
fn below_the_first_row_of_a_table_there_are_no_comments() {
    let row = |number: usize| format!("#{number},{P},{S}\n");
    for damage in ["", "x", &P[1..]] {
        for place in 0..4 {
            let rows = (0..4).map(|number| match number {
                _ if number == place => format!("#{number},{damage},\n"),
                _ => row(number),
            });
            let text: String = rows.collect();
            let (code, records, said) = solve_every_way(&text);
            assert_eq!(code, Some(1), "{text}: {said}");
            let line = format!("# line {}: ", place + 1);
            assert!(records.contains(&line), "{text}: {records}");
        }
    }
    // Comments are above the first row, and ninefold's own are anywhere.
    let text = format!("# mine\n{}# line 2: no solution\n{}", row(1), row(2));
    let (code, _, said) = verify(&[], &text);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("\n2 comment lines skipped\n"), "{said}");
    // A comment among rows that do not begin with `#` is a row, too.
    let text = format!("1,{P}\n# mine\n2,{P}\n");
    assert_eq!(solve(&[], &text).0, Some(1));
    let text = format!("{P},{S}\n# mine\n{P},{S}\n");
    assert_eq!(solve(&[], &text).0, Some(1));
}

/// Found by the laws: two words above two fields that spaces divide.
#[test]
fn text_in_brackets_is_no_header() {
    let text = format!("(nothing here)\n\"{P}\" \"{S}\"\n\"{P}\" \"\"\n");
    let (code, report, said) = verify(&[], &text);
    assert_eq!(code, Some(1), "{said}");
    assert!(report.starts_with("<stdin>:1: column "), "{report}");
    let (_, _, said) = verify(&[], text.replace("(nothing here)", "nothing (here)"));
    assert!(said.starts_with("reading column \"nothing\" of <stdin>"), "{said}");
}

#[test]
fn the_first_name_of_a_header_may_be_a_hash() {
    for (text, expected) in [
        (format!("#,puzzle,start\n1,{P},{P}\n"), "reading column \"puzzle\" of <stdin>"),
        (format!("#,puzzle\n#1,{P}\n#2,{P}\n"), "reading column \"puzzle\" of <stdin>"),
        (format!("#\tgivens\n1\t{P}\n"), "reading column 2 of <stdin>"),
        (format!("#a puzzle, grid\n{P}\n"), "reading lines of <stdin>"),
        (format!("#a,puzzle\n{P},x\n#b\n"), "reading column 1 of <stdin>"),
    ] {
        let (code, records, said) = fed(&mut ninefold("solve", &[]), &text);
        assert_eq!(code, Some(0), "{text}: {said}");
        assert!(!records.contains('#'), "{text}: {records}");
        assert_eq!(said.lines().next(), Some(expected), "{text}");
    }
}

#[test]
fn skipped_comments_are_counted() {
    let folder = Folder::new();
    let stats = folder.path("stats.json");
    for command in ["solve", "verify"] {
        let text = format!("# one\n{P}\n# two\n\n{P}\n");
        let words = ["--force", "--stats-json", stats.to_str().unwrap()];
        let (_, _, said) = fed(&mut ninefold(command, &words), text);
        assert!(said.contains("2 comment lines skipped"), "{said}");
        let object = std::fs::read_to_string(&stats).unwrap();
        let object: serde_json::Value = serde_json::from_str(&object).unwrap();
        assert_eq!(object["comments"], 2, "{command}");
    }
}

#[test]
fn other_commands_count_comments_too() {
    let folder = Folder::new();
    folder.file("p.csv", format!("# one\n# two\nid,puzzle\n1,{P}\n"));
    for (command, says) in [
        ("canon", "; 2 comment lines skipped\n"),
        ("rate", "; 2 comment lines skipped\n"),
        ("select", "comment lines skipped  2\n"),
    ] {
        let words = ["p.csv", "-o", "out", "--force", "--stats-json", "stats.json"];
        let mut program = ninefold(command, &words);
        let (code, _, said) = fed(program.current_dir(folder.path(".")), "");
        assert!(code == Some(0) && said.contains(says), "{command}: {said}");
        let stats = fs::read(folder.path("stats.json")).unwrap();
        let stats: serde_json::Value = serde_json::from_slice(&stats).unwrap();
        assert_eq!(stats["comments"], 2, "{command}");
        if command == "canon" {
            let mut merge = ninefold("merge", &["stats.json"]);
            let (_, sum, said) = fed(merge.current_dir(folder.path(".")), "");
            assert!(sum.contains("\"comments\": 2"), "{sum}");
            assert!(said.contains("; 2 comment lines skipped"), "{said}");
        }
    }
}

#[test]
fn an_input_without_a_puzzle_is_refused() {
    assert_refused("{\"a\":{\"b\":[1,2]}}\n", "no puzzle found");
    assert_refused("[1, 2, 3]\n", "no puzzle found");
    assert_refused("[[1, 2], [3]]\n", "no puzzle found");
    assert_refused(format!("[\"7\", \"{P}\", \"{S}\"]\n"), "no puzzle found");
    assert_refused(format!("{{\"prompt\":\"solve {P} please\"}}\n"), "no puzzle found");
    assert_refused("x".repeat(2 << 20), "in the first 64 KiB");
    assert_refused(format!("id,solution\n1,{S}\n"), "--columns puzzle=solution");
    let several = format!("{{\"a\":\"{P}\",\"b\":\"{P}\"}}\n");
    assert_refused(&several, "key \"a\", key \"b\"; choose with --columns puzzle=KEY");
    assert_eq!(solve(&["--columns", "puzzle=b"], several).0, Some(0));
}

#[cfg(unix)]
#[test]
fn a_device_without_end_is_refused() {
    let output = ninefold("solve", &["/dev/zero"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_title_above_a_known_header_is_skipped_and_named() {
    for title in ["sep=;", "My list of 2024", "Sudoku puzzles"] {
        let text = format!("{title}\nid;puzzle;rating\n1;{P};3\n");
        let (code, records, said) = fed(&mut ninefold("solve", &[]), &text);
        assert_eq!((code, records), (Some(0), format!("{S}\n")), "{said}");
        let says = format!("; line 1 is skipped as a title: \"{title}\"");
        assert!(said.lines().next().unwrap().ends_with(&says), "{said}");
    }
}

#[test]
fn the_field_of_the_puzzles_cannot_hold_the_answers() {
    let text = format!("puzzle,solution\n{P},{S}\n");
    let (code, _, said) = solve(&["--columns", "solution=puzzle"], &text);
    assert_eq!(code, Some(2));
    assert!(said.ends_with("--columns solution=puzzle names the field of the puzzles\n"), "{said}");
    assert_eq!(solve(&["--columns", "puzzle=1,solution=1"], &text).0, Some(2));
}

#[test]
fn one_key_with_81_cells_is_the_puzzle() {
    for key in ["board", "input", "prompt"] {
        let text = format!("{{\"id\":1,\"{key}\":\"{P}\"}}\n");
        assert_eq!(solve_every_way(&text), (Some(0), format!("{S}\n"), String::new()), "{key}");
    }
    let nested = format!("{{\"data\":{{\"puzzle\":\"{P}\",\"answer\":\"{}\"}}}}\n", wrong());
    assert_eq!(solve(&[], &nested).1, format!("{S}\n"));
    assert!(verify(&["-q"], nested).1.starts_with("<stdin>:1: answer: "));
}

/// The digits of a puzzle with this text between them.
fn digits(between: &str) -> String {
    let digits: Vec<_> = P.replace('.', "0").chars().map(String::from).collect();
    digits.join(between)
}

#[test]
fn arrays_of_numbers_are_puzzles() {
    let flat = digits(", ");
    let all = digits(",");
    let rows: Vec<_> = all
        .as_bytes()
        .chunks(18)
        .map(|row| format!("[{}]", String::from_utf8_lossy(row).trim_end_matches(',')))
        .collect();
    let (flat, rows) = (format!("[{flat}]"), format!("[{}]", rows.join(", ")));
    let pretty = rows.replace("], ", "],\n  ");
    for text in [
        format!("{{\"puzzle\": {flat}}}\n{{\"puzzle\": {rows}}}\n"),
        format!("{flat}\n{rows}\n"),
        format!("[{flat}, {rows}]\n"),
        format!("[{{\"q\": {flat}}}, {{\"q\": {rows}}}]"),
        format!("{pretty}\n{pretty}\n"),
    ] {
        let expected = (Some(0), format!("{S}\n{S}\n"), String::new());
        assert_eq!(solve_every_way(&text), expected, "{text}");
    }
    let text = format!("{{\"puzzle\": {flat}, \"answer\": {flat}}}\n");
    assert!(verify(&["-q"], text).1.starts_with("<stdin>:1: answer: "));
}

#[test]
fn a_json_array_of_objects_is_read_on_one_line_or_many() {
    let solved = format!("{S}\n");
    let line = format!("[{{\"puzzle\": \"{P}\"}}, {{\"puzzle\": \"{P}\"}}]");
    assert_eq!(solve_every_way(&line), (Some(0), solved.repeat(2), String::new()));
    let pretty = format!(
        "[\n  {{\n    \"id\": 1,\n    \"puzzle\": \"{P}\"\n  }},\n  {{\n    \"puzzle\": \"1\"\n  }}\n]\n"
    );
    let (code, records, _) = solve_every_way(&pretty);
    let lines: Vec<_> = records.lines().collect();
    assert_eq!((code, lines[0], lines.len()), (Some(1), S, 2));
    assert!(lines[1].starts_with("# line 6: "), "{records}");
    // What jq writes.
    let object = format!("{{\n  \"puzzle\": \"{P}\"\n}}\n");
    assert_eq!(solve_every_way(&object.repeat(3)).1, solved.repeat(3));
    // Larger than what is read at a time.
    let many = format!("[{}]", vec![format!("{{\"p\": \"{P}\"}}"); 4000].join(",\n"));
    assert_eq!(solve_every_way(&many).1, solved.repeat(4000));
    let folder = Folder::new();
    let path = folder.file("a.json", &line);
    let (code, _, said) = solve(&["--shard", "1/2", path.to_str().unwrap()], "");
    assert!(code == Some(2) && said.contains("is a JSON document"), "{said}");
}

#[test]
fn other_forms_of_a_line_are_read() {
    let solved = format!("{S}\n");
    for text in [
        format!(":0000:x:{P}:::\n"),
        format!(":0000:x:+{P}:123:4:5-7\n"),
        format!("{}\n", digits(" ")),
        format!("{}\n", digits(",")),
        format!("{P}{S}\n"),
    ] {
        assert_eq!(solve_every_way(&text), (Some(0), solved.clone(), String::new()), "{text}");
    }
    let (code, records, _) = verify(&["-q"], format!("{P}{S}\n{P}{}\n", wrong()));
    assert_eq!(code, Some(1));
    assert!(records.starts_with("<stdin>:2: answer: "), "{records}");
    let (_, records, _) =
        solve(&[], format!("{}\n{}\n", digits(" "), digits(" ").trim_end_matches('9')));
    assert!(records.ends_with("# line 2: expected 81 cells, found 80\n"), "{records}");
}

#[test]
fn a_grid_of_pencilmarks_is_a_sukaku() {
    let cell = |c: char| if c == '.' { "123456789".to_owned() } else { c.to_string() };
    let row = |row: &[u8]| {
        let cells: Vec<_> = row.iter().map(|&byte| cell(char::from(byte))).collect();
        let box_of = |three: &[String]| three.join(" ");
        let boxes: Vec<_> = cells.chunks(3).map(box_of).collect();
        format!("| {} |\n", boxes.join(" | "))
    };
    let rows: Vec<_> = P.as_bytes().chunks(9).map(row).collect();
    let bands: Vec<_> = rows.chunks(3).map(<[String]>::concat).collect();
    let grid = format!("*-----*\n{}*-----*\n", bands.join("|--+--+--|\n"));
    let text = format!("{grid}\n{grid}");
    assert_eq!(solve_every_way(&text), (Some(0), format!("{S}\n{S}\n"), String::new()));
    let (_, table, _) = solve(&["--format", "csv"], text);
    let lines: Vec<_> = table.lines().skip(1).map(|it| it.split(',').next().unwrap()).collect();
    assert_eq!(lines, ["2", "16"]);
}

#[test]
fn archives_and_tables_in_binary_are_refused_with_a_command() {
    let mut tar = b"puzzles.txt".to_vec();
    tar.resize(257, 0);
    tar.extend_from_slice(b"ustar\x0000");
    tar.resize(512, 0);
    tar.extend_from_slice(format!("{P}\n").as_bytes());
    assert_refused(&tar, "is a tar archive, which is not read: tar -xOf FILE | ninefold COMMAND -");
    assert_refused(b"PAR1\x15\x04", "is a Parquet file in a pipe or compressed");
}

/// Its names could be those of a header.
#[test]
fn a_json_object_is_no_header_and_no_row_of_fields() {
    let line = |text: &str| format!("{{ \"id\":0,\t\"puzzle\" : \"{text}\" }}\n");
    assert_refused(line("53..7"), "no puzzle found");
    let text = format!("{}{P}\n{P}\n", line(P));
    let folder = Folder::new();
    let path = folder.file("mixed.txt", &text);
    let (code, records, said) = solve(&[path.to_str().unwrap()], "");
    assert_eq!(code, Some(1), "{said}");
    assert!(records.ends_with(&format!("{S}\n{S}\n")), "{records}");
}

#[test]
fn a_header_above_rows_that_end_with_tabs_is_a_header() {
    for tail in ["\t", "\t\t"] {
        let names = if tail.len() == 1 { "start\tend" } else { "start\tend\tx" };
        let (code, records, said) = solve_every_way(&format!("{names}\n{P}{tail}\n{P}{tail}\n"));
        assert_eq!((code, records), (Some(0), format!("{S}\n{S}\n")), "{said}");
    }
    let (code, records, said) = solve_every_way(&format!("end\tstart\n\t\"{P}\"\n"));
    assert_eq!((code, records), (Some(0), format!("{S}\n")), "{said}");
    for (header, rows) in [
        ("number\tgivens\tsolved\tx", format!("#0\t{P}\t\t0\n#1\t{P}\t\t0\n")),
        ("number,givens,solved", format!("#0,{P},\n#1,{P},\n#2,{P},\n")),
    ] {
        let (code, _, said) = solve_every_way(&format!("{header}\n{rows}"));
        assert_eq!(code, Some(0), "{said}");
        let (_, report, said) = verify(&[], format!("{header}\n{rows}"));
        assert!(
            !report.contains("answer: ") && said.contains("no answers found"),
            "{report}{said}"
        );
    }
}

#[test]
fn the_most_frequent_reasons_are_listed_if_most_lines_are_malformed() {
    let text = format!("{P}\n1\n2\n{}x\n", &P[1..]);
    for command in ["solve", "verify"] {
        let (code, _, said) = fed(&mut ninefold(command, &[]), &text);
        assert_eq!(code, Some(1));
        let says = "most lines are malformed: 2 not 81 cells, 1 a character that is not a cell; ";
        assert!(said.contains(says), "{said}");
    }
    let (_, _, said) = fed(&mut ninefold("solve", &[]), format!("{P}\n{P}\n1\n"));
    assert!(!said.contains("most lines"), "{said}");
}

#[test]
fn the_evidence_is_explained() {
    let table = format!("grid,start\n{}", format!("{S},{P}\n").repeat(2000));
    let folder = Folder::new();
    let path = folder.file("many.csv", table);
    let (code, text, _) = solve(&["--explain-input", path.to_str().unwrap()], "");
    assert_eq!(code, Some(0));
    // The rows of 64 KiB.
    let grid = text.lines().find(|line| line.contains("column \"grid\": ")).unwrap();
    assert!(grid.ends_with(" rows full, 0 with blanks -> solutions"), "{grid}");
    assert!(grid.contains(": 399 of 399 rows"), "{grid}");
    let start = text.lines().find(|line| line.contains("column \"start\": 0 of ")).unwrap();
    assert!(start.ends_with(" with blanks -> puzzles"), "{start}");
    assert!(text.contains("puzzle rule 4: If one field has blanks"), "{text}");
    assert!(text.contains("answer rule 2: "), "{text}");
}

/// What contradicts the decision behind the head is counted, named at the end, and a fault in `verify`.
#[test]
fn a_row_that_contradicts_the_layout_is_a_fault_in_verify() {
    let folder = Folder::new();
    let rows = format!("{P},x\n").repeat(1000);
    let said = "\n1 row contradicts the layout of the input: another number of fields\n";
    // A field more; a row that is a puzzle alone.
    for (name, odd) in [("more", format!("{P},x,y\n")), ("alone", format!("{P}\n"))] {
        let file = folder.file(name, format!("{rows}{odd}{P},x\n"));
        let path = file.to_str().unwrap();
        let run = verify(&[path], "");
        assert_eq!(run.0, Some(1), "{name}");
        assert!(run.2.contains(said), "{name}: {}", run.2);
        let output = folder.path(&format!("{name}.out"));
        let run = fed(&mut ninefold("solve", &[path, "-o", output.to_str().unwrap()]), "");
        assert_eq!(run.0, Some(0), "{name}");
        assert!(run.2.contains(said), "{name}: {}", run.2);
    }
    assert_eq!(verify(&[folder.file("f.csv", rows).to_str().unwrap()], "").0, Some(0));
}

/// Lists of forums: the puzzle, a name with spaces, and a rating that some rows do not have.
#[test]
fn names_with_spaces_are_one_field_of_a_forum_list() {
    let names = ["Golden Nugget", "Tarx 0134", "Easter Monster (2007)", "Fata  Morgana"];
    let ratings = ["11.9", "", "11.6", "10.2"];
    for delimiter in [";", ",", "\t", "|"] {
        for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0], [0, 2, 1], [2, 0, 1], [2, 1, 0]] {
            for rows in [1, 4] {
                let is_usual = order == [0, 1, 2];
                for is_ragged in [false, true].into_iter().take(1 + usize::from(is_usual)) {
                    let text = |row: usize| {
                        let fields = [P, names[row], ratings[row]];
                        let mut text = order.map(|place| fields[place]).join(delimiter);
                        if is_ragged && ratings[row].is_empty() {
                            text.truncate(text.len() - 1);
                        }
                        text + "\n"
                    };
                    let list: String = (0..rows).map(text).collect();
                    let others = order.into_iter().filter(|&place| place != 0);
                    let others: Vec<_> = others.collect();
                    let wanted = |row: usize| {
                        let fields = ["", names[row], ratings[row]];
                        format!(",{},{}", fields[others[0]], fields[others[1]])
                    };
                    let commands = ["solve", "rate", "verify", "canon"];
                    for command in &commands[..if is_usual { 4 } else { 1 }] {
                        let words = ["-q", "--keep-columns", "--format", "csv"];
                        let (code, out, err) = fed(&mut ninefold(command, &words), &list);
                        assert_eq!((code, &*err), (Some(0), ""), "{command}: {list}");
                        let records: Vec<_> = out.lines().skip(1).collect();
                        assert_eq!(records.len(), rows, "{command}: {list}{out}");
                        for (row, record) in records.iter().enumerate() {
                            assert!(record.ends_with(&wanted(row)), "{command}: {list}{out}");
                        }
                        // The header has as many names, and the explanation the same delimiter.
                        let widths = out.lines().map(|it| it.matches(',').count());
                        let widths: HashSet<_> = widths.collect();
                        assert_eq!(widths.len(), 1, "{command}: {list}{out}");
                    }
                    let (_, copied, _) = fed(&mut ninefold("select", &["-q"]), &list);
                    assert_eq!(copied, list);
                    let words = ["--explain-input"];
                    let (code, out, _) = fed(&mut ninefold("solve", &words), &list);
                    let name =
                        if delimiter == "\t" { "tabs".into() } else { format!("'{delimiter}'") };
                    let says = format!("fields divided by {name}: accepted");
                    assert!(code == Some(0) && out.contains(&says), "{list}{out}");
                }
            }
        }
    }
}

/// `--explain-input` has a line for each field that the run writes, whatever divides them.
#[test]
fn the_fields_of_the_explanation_are_those_of_the_run() {
    let lists = [
        format!("{P} Golden Nugget;11.9\n"),
        format!("{P} Golden Nugget;11.9\n{P} Easter;11\n"),
        format!("{P} ; Golden Nugget ; 11.9\n{P} ; Easter ; 11\n"),
        format!("{P}  11.9, hard\n{P}\n"),
        format!("{P};a b\n{P},c\n{P}|d\n"),
        format!("{P} \"Golden Nugget;11.9\" 1\n"),
        format!("{P}\n{P};x\n"),
        format!("no 1 {P};11.9\n"),
    ];
    for list in lists {
        let words = ["--keep-columns", "--format", "csv"];
        let (code, out, err) = solve(&words, &list);
        let names = out.lines().next().unwrap_or_default().split(',').skip(5).map(str::to_owned);
        let (_, text, _) = fed(&mut ninefold("solve", &["--explain-input"]), &list);
        let fields = text.lines().filter_map(|line| line.trim().strip_prefix("column "));
        let fields = fields.filter(|it| !it.ends_with("-> puzzles"));
        let fields = fields.map(|it| format!("column_{}", it.split(':').next().unwrap()));
        let (names, fields): (Vec<_>, Vec<_>) = (names.collect(), fields.collect());
        assert_eq!(code, Some(0), "{list}{err}");
        assert_eq!(names, fields, "{list}{out}{text}");
    }
}

/// Empty lines are skipped together, and counted: the line of the next record is right.
#[test]
fn a_record_behind_many_empty_lines_has_its_number() {
    for end in ["\n", "\r\n", "  \n", "\t\r\n"] {
        for empty in [1, 70, 300_000] {
            let list = format!("{P}{end}{}{P}x\n{}", end.repeat(empty), end.repeat(empty));
            for words in [&["-q", "-j", "1"][..], &["-q", "-j", "2", "--lines"]] {
                let (code, out, _) = fed(&mut ninefold("solve", words), &list);
                let says = format!("# line {}: expected 81 cells", empty + 2);
                assert_eq!(code, Some(1), "{end:?} {empty}");
                assert!(out.lines().count() == 2 && out.contains(&says), "{end:?} {empty}: {out}");
            }
            let grids: String =
                rows_of_cells().repeat(2).replace("\n\n", &format!("\n{}", end.repeat(empty)));
            let (code, out, _) = fed(&mut ninefold("solve", &["-q", "--grid"]), grids);
            assert_eq!((code, out.lines().count()), (Some(0), 2), "{end:?} {empty}");
        }
    }
}

/// A grid of nine lines, and an empty line.
fn rows_of_cells() -> String {
    let rows = (0..9).map(|row| format!("{}\n", &P[9 * row..9 * row + 9]));
    rows.collect::<String>() + "\n"
}
