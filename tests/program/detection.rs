//! What is said of the decision on a layout, and what contradicts it. How layouts are read is in the corpus
//! (`tests/corpus`).

use crate::support::{EASY as P, Folder, Run, SOLVED as S, fed, ninefold};
use ninefold::input::{ChunkBuffer, Hints, Puzzles, Source, Want};
use std::collections::HashSet;
use std::fs;
use std::process::Stdio;

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

/// A second puzzle has clues of its own. It is malformed unless the name of another field than that of the answers says
/// what it is, in a row with all fields.
#[test]
fn a_second_puzzle_is_lost_nowhere() {
    let other = P.replace('1', "x").replace('2', "1").replace('x', "2");
    let partly = format!("53.{}", &S[3..]);
    let half = format!("{}{}", &S[..40], "0".repeat(41));
    for (head, row, is_malformed) in [
        (format!("{P},{S}"), format!("{P},{other}"), true),
        (format!("{P},{S}\n{P},{S}"), format!("{P},{S},{other}"), true),
        (format!("{P},{S}"), format!("{P},{partly}"), false),
        (format!("1,x,{P},{S}"), format!("2,x,{P},{other}"), true),
        (format!("{P}{S}"), format!("{P}{other}"), true),
        (format!("a|b\n{S}|{P}\n{S}|{P}"), format!("{other}|{P}"), true),
        (format!("a|b\n{P}|{S}\n{P}|{S}"), format!("{P}|{other}"), true),
        (format!("puzzle,answer\n{P},{S}"), format!("{P},{other}"), true),
        (format!("puzzle,answer\n{P},{S}"), format!("{P},{half}"), false),
        (format!("id,puzzle,state\n1,{P},{P}"), format!("2,{P},{other}"), false),
        (format!("id,puzzle,solution\n1,{P},{S}"), format!("{P},{other}"), true),
        (format!("Grid 1\n{P} {S}"), format!("{P} {other}"), true),
    ] {
        let text = format!("{head}\n{row}\n");
        let (code, records, _) = solve(&[], &text);
        let malformed = records.contains("several puzzles in one line");
        assert_eq!(malformed, is_malformed, "{text}{records}");
        assert!(code == Some(1) || !is_malformed, "{text}{records}");
        // `verify` looks at the answers.
        let (code, _, said) = fed(&mut ninefold("verify", &["-q"]), &text);
        assert!(code == Some(1) || row.contains(&partly) || head.contains("state"), "{text}{said}");
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

/// A line above a known header that holds cells is no title.
#[test]
fn cells_above_a_header_are_no_title() {
    for (title, malformed) in
        [(format!("<td>{P}</td>"), 1), (P[..9].to_owned(), 1), ("Nr 1.12.2024".to_owned(), 0)]
    {
        let (code, records, said) = solve(&[], format!("{title}\nid,puzzle\n1,{P}\n"));
        assert_eq!(code, Some(malformed), "{title}: {said}");
        assert_eq!(records.lines().count(), 1 + usize::from(malformed > 0), "{title}: {records}");
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
fn archives_and_tables_in_binary_are_refused_with_a_command() {
    let mut tar = b"puzzles.txt".to_vec();
    tar.resize(257, 0);
    tar.extend_from_slice(b"ustar\x0000");
    tar.resize(512, 0);
    tar.extend_from_slice(format!("{P}\n").as_bytes());
    assert_refused(&tar, "is a tar archive, which is not read: tar -xOf FILE | ninefold COMMAND -");
    assert_refused(b"PAR1\x15\x04", "is a Parquet file in a pipe or compressed");
}

/// A first row with blanks of another kind is malformed, and names no fields.
#[test]
fn a_puzzle_with_other_blanks_is_no_header() {
    for blank in ["x", "?", "#", " ", "·", "/"] {
        let other = P.replace('.', blank);
        for text in [
            format!("{other},a\n{P},b\n{P},c\n"),
            format!("1;{other};{S}\n2;{P};{S}\n3;{P};{S}\n"),
            format!("{other}\n{P}\n{P}\n"),
        ] {
            let (code, out, said) = fed(&mut ninefold("solve", &[]), &text);
            assert_eq!(code, Some(1), "{text}{said}");
            assert!(out.starts_with("# line 1: ") && out.lines().count() == 3, "{text}{out}{said}");
        }
    }
}

/// Puzzles in texts beside their answers are not passed over, whatever is between the records.
#[test]
fn answers_are_no_puzzles_if_these_are_in_texts() {
    let object = format!("{{\"input\":\"Solve {P} please\",\"ideal\":\"{S}\"}}\n");
    for other in ["'x", "-----", &format!("'{P}")] {
        let text = format!("{}{}", object.repeat(3), format!("{other}\n").repeat(30));
        assert_refused(&text, "no puzzle found");
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
    assert!(grid.ends_with("column \"grid\": 399 full -> solutions"), "{grid}");
    assert!(text.contains("column \"start\": 399 with blanks -> puzzles\n"), "{text}");
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

/// Answers may stand among the puzzles of a list, a table or grids: they are counted and the first is named,
/// wherever it is.
#[test]
fn full_grids_among_puzzles_are_a_fault_in_verify() {
    let folder = Folder::new();
    let grid = |line: &str| {
        let rows: Vec<_> = (0..9).map(|row| &line[9 * row..9 * row + 9]).collect();
        format!("A title\n{}\n", rows.join("\n"))
    };
    let list = format!("{P}\n{S}\n{P}\n{S}\n");
    let late = format!("{}{S}\n{S}\n", format!("{P}\n").repeat(3000));
    for (name, text, line, options) in [
        ("list", list.clone(), 2, &[][..]),
        ("late", late.clone(), 3001, &[]),
        ("table", format!("id,puzzle\n1,{P}\n2,{S}\n3,{S}\n"), 3, &[]),
        ("grids", grid(P) + &grid(S) + &grid(S), 12, &["--grid"]),
    ] {
        let file = folder.file(name, text);
        let path = file.to_str().unwrap();
        let says = format!(
            "2 full grids among puzzles with blanks, the first is {path}:{line}; if they are answers, name the \
             puzzles with --columns\n"
        );
        let (code, _, err) = verify(&[&[path], options].concat(), "");
        assert!(code == Some(1) && err.contains(&says), "{name}: {err}");
        let output = folder.path(&format!("{name}.out"));
        let words = [&[path, "-o", output.to_str().unwrap()], options].concat();
        let (code, _, err) = fed(&mut ninefold("solve", &words), "");
        assert!(code == Some(0) && err.contains(&says), "{name}: {err}");
        // A shard has the lines of the whole file.
        let (_, _, err) = verify(&[&[path, "--shard", "2/2"], options].concat(), "");
        assert!(err.contains("the first is") || err.contains("full grid"), "{name}: {err}");
    }
    let solved = folder.file("solved", format!("{S}\n{S}\n"));
    let (code, _, err) = verify(&[solved.to_str().unwrap()], "");
    let says =
        "all 2 puzzles are full grids; if they are answers, name the puzzles with --columns\n";
    assert!(code == Some(0) && err.contains(says), "{err}");
    // Puzzles in one file and their answers in another: the same.
    let puzzles = folder.file("puzzles", format!("{P}\n"));
    let (code, _, _) = verify(&[puzzles.to_str().unwrap(), solved.to_str().unwrap()], "");
    assert_eq!(code, Some(1));
}

/// The commands of messages are run, and give all puzzles.
#[cfg(unix)] // They are for a shell.
#[test]
fn puzzles_of_another_shape_are_refused_with_the_command_that_takes_them_out() {
    let folder = Folder::new();
    let zeros = P.replace('.', "0");
    let joined = |rows: &[&str], by: &str| rows.join(by);
    let digits: Vec<_> = (0..81).map(|cell| &zeros[cell..=cell]).collect();
    let numbers = joined(&digits, ", ");
    let rows: Vec<_> = digits.chunks(9).map(|row| format!("[{}]", row.join(","))).collect();
    let numpy: Vec<_> = digits.chunks(9).map(|row| format!("[{}]", row.join(" "))).collect();
    let lines: Vec<_> = (0..81).step_by(9).map(|cell| &P[cell..cell + 9]).collect();
    let lines_of = |row: &dyn Fn(&str) -> String| {
        lines.iter().map(|line| row(line) + "\n").collect::<String>() + "\n"
    };
    let spaced = |line: &str, by: &str, edge: &str| {
        let line: Vec<_> = line.chars().map(String::from).collect();
        let boxes = line.chunks(3).map(|three| three.join(by)).collect::<Vec<_>>();
        format!("{edge}{}{edge}", boxes.join(edge)).replace('.', " ")
    };
    let letters = format!("{}\n", P.replace('.', "x"));
    let said = solve(&[], &letters).2;
    assert!(said.ends_with("; --blank x reads 'x' as a blank\n"), "{said}");
    assert_eq!(solve(&["--blank", "x"], letters).1, format!("{S}\n"));
    let has_jq = std::process::Command::new("jq").arg("--version").output().is_ok();
    for (name, one) in [
        ("list.json", format!("{{\"puzzles\":\n[\"{P}\",\n\"{P}\"]}}\n")),
        ("pairs.json", format!("[[\"{P}\",\"{S}\"],[\"{P}\",\"{S}\"]]\n")),
        ("arrays.json", format!("{{\"boards\":\n[[{numbers}],\n[{numbers}]]}}\n")),
        ("grids.json", format!("{{\"a\":{{\"value\":\n[{0}],\"b\":[{0}]}}}}\n", rows.join(","))),
        ("levels.json", format!("{{\"easy\":[\"{P}\"],\"hard\":[\"{P}\"]}}\n")),
        ("row.txt", format!("{P}|{P}\n")),
        ("one.json", format!("{{\"easy\":[\"{P}\"],\"hard\":[\"{P}\",\"{S}\"]}}\n")),
        ("table.json", format!("[\n[\"{P}\",\"{S}\"],\n[\"{P}\",\"{S}\"]]\n")),
        ("cells.json", format!("{{\"a\":[{0},\n{0}]}}\n", format!("{digits:?}"))),
        ("lines.json", format!("{{\"a\":[{0},\n{0}]}}\n", format!("{lines:?}"))),
        // A puzzle inside of a text, with or without its answer beside it.
        ("log.jsonl", format!("{{\"input\":\"Solve {P} please\",\"ideal\":\"{S}\"}}\n").repeat(2)),
        ("chat.jsonl", format!("{{\"messages\":[{{\"content\":\"Solve {P}.\"}}]}}\n").repeat(2)),
        (
            "rows.jsonl",
            format!("{{\"q\":\"Solve\\n{}\\n\",\"a\":\"{S}\"}}\n", lines.join("\\n")).repeat(2),
        ),
        ("log.csv", "input,ideal\n".to_owned() + &format!("\"Solve {P}!\",{S}\n").repeat(2)),
        ("text.txt", format!("Solve this: {P}.\n").repeat(2)),
        ("games.xml", format!("<game data=\"{zeros}\" /><p>{P}</p>\n")),
        // Lists of Python and NumPy in a table.
        ("python.csv", format!("id,puzzle\n1,\"[{numbers}]\"\n2,\"[{numbers}]\"\n")),
        ("numpy.csv", format!("id,puzzle\n1,[{0}]\n2,[{0}]\n", joined(&digits, " "))),
        ("nested.csv", format!("puzzle\n\"[{0}]\"\n\"[{0}]\"\n", numpy.join("\n "))),
        ("pairs.csv", format!("a,b\n\"[{numbers}]\",\"[{numbers}]\"\n")),
        // Blanks that are spaces.
        ("bars.txt", lines_of(&|line| spaced(line, "", "|")).repeat(2)),
        ("cells.txt", lines_of(&|line| spaced(line, "|", "|")).repeat(2)),
        ("frames.txt", lines_of(&|line| spaced(line, " ", " | ").trim().to_owned()).repeat(2)),
        ("boxes.txt", lines_of(&|line| spaced(line, " │ ", " │ ")).repeat(2)),
        ("spaces.txt", lines_of(&|line| line.replace('.', " ")).repeat(2)),
        // Candidates, with `u` for a digit that the player found.
        (
            "user.sdx",
            lines_of(&|line| {
                let cells = line.chars().map(|cell| match cell {
                    '.' => "123456789 ".to_owned(),
                    digit => format!("u{digit} "),
                });
                cells.collect()
            })
            .repeat(2),
        ),
    ] {
        let file = folder.file(name, one);
        let path = file.to_str().unwrap();
        let (code, _, err) = solve(&[path], "");
        assert_eq!(code, Some(2), "{name}");
        let (advice, more) =
            err.split_once(" | ninefold COMMAND ").unwrap_or_else(|| panic!("{name}: {err}"));
        let tools = [": jq ", ": grep ", ": tr ", ": sed "].iter();
        let start = tools.filter_map(|tool| advice.find(tool)).min().unwrap();
        let advice = &advice[start + 2..];
        let advice = advice.replace("FILE", path);
        if advice.starts_with("jq") && !has_jq {
            continue;
        }
        let taken = std::process::Command::new("sh").args(["-c", &advice]).output().unwrap();
        let words: &[&str] = if more.starts_with("--grid") { &["--grid"] } else { &[] };
        let solved = solve(words, taken.stdout);
        assert_eq!(solved.1, format!("{S}\n{S}\n"), "{name}: {advice}: {}", solved.2);
    }
}

/// A grid that is drawn with characters of Unicode is read as it is.
#[test]
fn box_characters_divide_the_cells_of_a_grid() {
    let rows = (0..81).step_by(9).map(|cell| {
        let boxes =
            [0, 3, 6].map(|place| P[cell + place..][..3].split("").collect::<Vec<_>>().join(" "));
        format!("│{}│\n", boxes.join("│"))
    });
    let rows: Vec<_> = rows.collect();
    let rule = format!("├{0}┼{0}┼{0}┤\n", "─".repeat(7));
    let text = rows.chunks(3).map(<[String]>::concat).collect::<Vec<_>>().join(&rule);
    assert_eq!(
        solve(&["--grid"], format!("┌─┬─┐\n{text}└─┴─┘\n")),
        (Some(0), format!("{S}\n"), String::new())
    );
    let (code, _, said) = solve(&[], text);
    assert!(code == Some(2) && said.ends_with("are read with --grid\n"), "{said}");
}

/// What is wrong with an array, and where.
#[test]
fn a_fault_in_a_json_array_is_named_with_its_place() {
    for (text, place) in [
        (format!("[{{\"puzzle\":\"{P}\"}},]\n"), "trailing comma at line 1 column 97"),
        (
            format!("[\n{{\"puzzle\":\"{P}\"}}\n{{\"puzzle\":\"{P}\"}}\n]\n"),
            "expected `,` or `]` at line 3 column 1",
        ),
        (format!("[\"{P}\",\n\"{P}\",\n]\n"), "trailing comma at line 3 column 1"),
        (format!("[\n\"{P}\"\n\"{P}\"\n]\n"), "expected `,` or `]` at line 3 column 1"),
        (format!("{{\"puzzle\":\"{P}\",}}\n"), "trailing comma at line 1 column 95"),
    ] {
        assert_refused(&text, &format!("is no JSON: {place}"));
    }
}

/// Bytes that stand next to puzzles, and no blanks.
#[test]
fn blanks_are_advised_for_characters_that_may_be_blanks() {
    for (found, is_advised) in [
        ("x", true),
        ("?", true),
        ("'", false),
        ("=", false),
        ("<", false),
        ("│", false),
        ("\u{1}", false),
    ] {
        let (_, _, said) =
            fed(&mut ninefold("solve", &[]), format!("puzzle\n{}{found}\n", &P[1..]));
        assert!(said.contains("most lines are malformed"), "{said}");
        assert_eq!(said.contains("--blank"), is_advised, "{found}: {said}");
    }
    let said = solve(&[], format!("{P}\n{}│\n", &P[1..])).1;
    assert!(
        said.ends_with("# line 2: column 81: expected 1 to 9, '.' or '0', found '│'\n"),
        "{said}"
    );
}

/// Keys have no places: a number that is given names the key, as the message advises.
#[test]
fn keys_that_are_numbers_are_named_by_their_number() {
    let object = format!("{{\"0\":\"{P}\",\"1\":\"{P}\"}}\n");
    let (code, _, err) = solve(&[], &object);
    assert!(code == Some(2) && err.contains("choose with --columns puzzle=KEY"), "{err}");
    for key in ["0", "1"] {
        let columns = format!("puzzle={key}");
        assert_eq!(solve(&["--columns", &columns], &object).1, format!("{S}\n"), "{key}");
    }
    assert_eq!(solve(&["--columns", "puzzle=2"], &object).0, Some(2));
}

/// The command of the message is run, and what it gives is read.
#[cfg(unix)] // It is for a shell.
#[test]
fn cells_among_other_columns_are_refused_with_the_command_that_takes_them_out() {
    let folder = Folder::new();
    let zeros = P.replace('.', "0");
    let cells = |by: &str| zeros.chars().map(String::from).collect::<Vec<_>>().join(by);
    let answer = S.chars().map(String::from).collect::<Vec<_>>().join(",");
    let names = (0..81).fold(String::new(), |names, number| names + &format!(",{number}"));
    for (name, text) in [
        ("index", format!("{names}\n0,{0}\n1,{0}\n", cells(","))),
        ("both", format!("{0},{answer}\n{0},{answer}\n", cells(","))),
        ("rated", format!("{0}\t7.1\n{0}\t7.2\n", cells("\t"))),
        ("level", format!("hard;{0}\neasy;{0}\n", cells(";"))),
        ("number", format!("7,{0}\n12,{0}\n", cells(","))),
        // One of 82 columns is no cell: the first breaks the rules as a cell.
        ("digit", format!("difficulty{names}\n7,{0}\n2,{0}\n", cells(","))),
        ("digit-behind", format!("{0},7\n{0},2\n", cells(","))),
    ] {
        let file = folder.file(name, text);
        let path = file.to_str().unwrap();
        let (code, _, err) = solve(&[path], "");
        let advice = err.split("have a cell each: ").nth(1).unwrap_or_else(|| panic!("{err}"));
        let advice = advice.split(" | ").next().unwrap().replace("FILE", path);
        assert_eq!(code, Some(2), "{name}");
        let cut = std::process::Command::new("sh").args(["-c", &advice]).output().unwrap();
        assert_eq!(solve(&[], cut.stdout).1, format!("{S}\n{S}\n"), "{name}: {advice}");
    }
}

/// Lists of forums: the puzzle, a name with spaces, and a rating that some rows do not have.
#[test]
fn names_with_spaces_are_one_field_of_a_forum_list() {
    let names = ["Golden Nugget", "Tarx 0134", "Easter Monster (2007)", "Fata  Morgana"];
    let ratings = ["11.9", "", "11.6", "10.2"];
    for (delimiter, order) in
        [(";", [0, 1, 2]), (",", [1, 0, 2]), ("\t", [1, 2, 0]), ("|", [2, 1, 0])]
    {
        let row = |row: usize| {
            order.map(|place| [P, names[row], ratings[row]][place]).join(delimiter) + "\n"
        };
        let others: Vec<_> = order.into_iter().filter(|&place| place != 0).collect();
        let list: String = (0..4).map(row).collect();
        let (code, out, err) = solve(&["--keep-columns", "--format", "csv"], &list);
        assert_eq!((code, &*err), (Some(0), ""), "{list}");
        for (row, record) in out.lines().skip(1).enumerate() {
            let fields = ["", names[row], ratings[row]];
            let kept = format!(",{},{}", fields[others[0]], fields[others[1]]);
            assert!(record.ends_with(&kept), "{list}{out}");
        }
        // The header has as many names.
        let widths: HashSet<_> = out.lines().map(|it| it.matches(',').count()).collect();
        assert_eq!((out.lines().count(), widths.len()), (5, 1), "{list}{out}");
        let (_, out, _) = fed(&mut ninefold("solve", &["--explain-input"]), &list);
        let name = if delimiter == "\t" { "tabs".into() } else { format!("'{delimiter}'") };
        assert!(out.contains(&format!("fields divided by {name}: accepted")), "{list}{out}");
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
    for end in ["\n", "\t\r\n"] {
        for empty in [70, 300_000] {
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

#[test]
fn candidates_have_the_reasons_that_decided() {
    let cases = [
        (
            format!("x\ty\n1\t{P}\n"),
            vec![
                "line 1: header: accepted: names alone, one for each field",
                "column \"y\": 1 with blanks -> puzzles",
            ],
        ),
        (format!("7,{S}\n"), vec!["column 2: 1 full -> puzzles"]),
        (
            format!("id,sudoku,cells\n1,name,{P}\n"),
            vec![
                "line 1: header, fields divided by ',': accepted: 3 names, one is known",
                "column \"sudoku\": 1 other text -> not used",
                "column \"cells\": 1 with blanks -> puzzles",
            ],
        ),
        (
            "a,b\n1,2\n".to_owned(),
            vec!["input: a puzzle a line: rejected: no line resembles a puzzle"],
        ),
    ];
    for (text, reasons) in cases {
        let (code, explained, said) = fed(&mut ninefold("solve", &["--explain-input"]), &text);
        let mut lines = explained.lines().map(str::trim);
        for reason in reasons {
            assert!(lines.any(|line| line == reason), "{reason} in\n{explained}");
        }
        let refused = said.starts_with("ninefold: <stdin>: no puzzle found: ");
        assert_eq!(code, if refused { Some(2) } else { Some(0) }, "{said}");
        assert_eq!(refused, explained.ends_with("\n  decision: refused\n"));
    }
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
    let row = |at| if blank.contains(&at) { "---------" } else { &P[9 * at..][..9] };
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
    let dots = P.as_bytes().chunks(9).map(|row| String::from_utf8(row.to_vec()).unwrap());
    let text = format!("---------\n{}\n---------\n", dots.collect::<Vec<_>>().join("\n"));
    let firsts: Vec<_> =
        grids(&text.repeat(2)).into_iter().map(|(_, first)| first.to_owned()).collect();
    assert_eq!(firsts, [&P[..9]; 2]);
}

/// A position of `HoDoKu`: cells are blank that two solutions fill, and a deleted candidate decides.
#[test]
fn candidates_that_a_line_of_hodoku_deletes_are_no_candidates() {
    let open = S.replace("67891267", "..891267").replace("9761423", "9..1423");
    for (deleted, comment, record) in [
        ("", "", "# line 2: more than one solution"),
        ("714", "", S),
        ("714 944  616", "", S),
        ("614 714", "", "# line 2: no solution"),
        (
            "71",
            "",
            "# line 2: column 91: expected deleted candidates, each as digit, row and column",
        ),
        ("714", "of \"\"mine\"\"", S),
    ] {
        let text = format!(":0000:x:{P}::::\n:0000:x:{open}:{deleted}::{comment}:\n");
        let (_, out, _) = fed(&mut ninefold("solve", &["-q", "--unique"]), &text);
        assert_eq!(out, format!("{S}\n{record}\n"), "{text}");
    }
}

/// The first message names another field with puzzles. It does not name a field of answers, of states of the same puzzle,
/// or a column that this program has written.
#[test]
fn puzzles_that_are_not_read_are_told_with_the_option_that_reads_them() {
    let other = canonical(P);
    for (text, says) in [
        (
            format!("puzzle,solution,puzzle_b\n{P},{S},{other}\n"),
            "column \"puzzle_b\" has other puzzles, which --columns puzzle=3 reads",
        ),
        (
            format!("puzzle,puzzle\n{P},{other}\n"),
            "column \"puzzle\" has other puzzles, which --columns puzzle=2 reads",
        ),
        (
            format!("{{\"puzzle\":\"{P}\",\"next\":\"{other}\"}}\n"),
            "key \"next\" has other puzzles, which --columns puzzle=next reads",
        ),
        (format!("puzzle,solution\n{P},{S}\n"), ""),
        (format!("puzzle,state\n{P},{}{}\n", &S[..40], &P[40..]), ""),
        (format!("line,status,puzzle,form\n1,canonical,{P},{other}\n"), ""),
        (format!("puzzle,input_puzzle\n{P},{other}\n"), ""),
    ] {
        let (code, out, err) = fed(&mut ninefold("solve", &[]), &text);
        assert_eq!((code, &*out), (Some(0), &*format!("{S}\n")), "{text}{err}");
        assert_eq!(err.contains("has other puzzles"), !says.is_empty(), "{text}{err}");
        assert!(err.contains(says), "{text}{err}");
        if let Some((_, option)) = says.split_once("which ") {
            let option = option.strip_suffix(" reads").unwrap();
            let words: Vec<_> = option.split(' ').collect();
            let (_, out, err) = fed(&mut ninefold("canon", &words), &text);
            assert_eq!(
                (out, err.contains("other puzzles")),
                (format!("{other}\n"), false),
                "{text}"
            );
        }
    }
}

/// Behind the head they are counted.
#[test]
fn puzzles_that_are_not_read_are_counted_behind_the_head() {
    let text = format!("puzzle,hard\n{}", format!("{P},\n").repeat(1400));
    let late = text.clone() + &format!("{P},{}\n", canonical(P)).repeat(30);
    let mask: String = P.chars().map(|cell| if cell == '.' { '0' } else { '1' }).collect();
    let masks = text + &format!("{P},{mask}\n").repeat(30);
    let object = |more: &str| format!("{{\"puzzle\":\"{P}\"{more}}}\n");
    let key = format!(",\"hard\":\"{}\"", canonical(P));
    let keys = object("").repeat(1400) + &object(&key).repeat(30);
    let says = "30 rows contradict the layout of the input: a puzzle or full grid in another field";
    for (text, is_told) in [(late, true), (masks, false), (keys, true)] {
        let (code, out, err) = fed(&mut ninefold("solve", &[]), &text);
        assert_eq!((code, out.lines().count()), (Some(0), 1430), "{err}");
        assert_eq!(err.contains(says), is_told, "{err}");
    }
}

fn canonical(puzzle: &str) -> String {
    fed(&mut ninefold("canon", &["-q"]), puzzle).1.trim().to_owned()
}

/// Answers are no puzzles because the puzzles next to them cannot be read.
#[test]
fn answers_next_to_puzzles_that_cannot_be_read_are_not_read() {
    let zeros = P.replace('.', "0");
    let cells = |by: &str| zeros.chars().map(String::from).collect::<Vec<_>>().join(by);
    for (text, says) in [
        (format!("p,sol\n{},{S}\n", P.replace('.', "x")), "--blank x"),
        (format!("p,sol\n\"[{}]\",{S}\n", cells(", ")), "its puzzles are lists of cells"),
        (format!("p;sol\n[{}];{S}\n", cells(", ")), "its puzzles are lists of cells"),
        (
            format!("id,{},sol\n7,{},{S}\n", cells(",c"), cells(",")),
            "columns 2 to 82 have a cell each",
        ),
    ] {
        for command in ["solve", "verify"] {
            let (code, out, err) = fed(&mut ninefold(command, &["-q"]), &text);
            assert_eq!((code, &*out), (Some(2), ""), "{text}{err}");
            assert!(err.contains(says), "{text}{err}");
        }
        let (code, _, err) =
            fed(&mut ninefold("verify", &["-q", "--columns", "puzzle=sol"]), &text);
        assert_eq!((code, &*err), (Some(0), ""), "{text}");
    }
    // One-digit numbers next to a full grid are no cells if they are few.
    let text = format!("sol,{}\n{S},{}\n", vec!["n"; 20].join(","), vec!["0"; 20].join(","));
    assert_eq!(solve(&[], text).1, format!("{S}\n"));
}
