//! What the program says of an input: refusals, malformed rows, choices and counts. Layouts are in the corpus. A case
//! is a line of a table: fields with `=>` between, `\n` for a line end, and `<P>` for a puzzle (see `written`).

use crate::support::{EASY, Folder, NONE, Run, SOLVED, fed, json_of, name, ninefold};
use std::fs;

/// A text with its marks replaced. `<Q>` is another puzzle, `<W>` its solution, `<X>` has other blanks, `<16>` is larger.
fn written(text: &str) -> String {
    let swapped = |cells: &str| cells.replace('1', "x").replace('2', "1").replace('x', "2");
    let rows = |cells: &str| (0..9).map(|row| cells[9 * row..][..9].to_owned() + "\n").collect();
    let marks: [(&str, String); 16] = [
        (r"\n", "\n".to_owned()),
        ("<LF>", r"\n".to_owned()),
        ("<CR>", "\r".to_owned()),
        ("<P>", EASY.to_owned()),
        ("<S>", SOLVED.to_owned()),
        ("<Q>", swapped(EASY)),
        ("<W>", swapped(SOLVED)),
        ("<none>", NONE.to_owned()),
        ("<X>", EASY.replace('.', "?")),
        ("<80>", EASY[1..].to_owned()),
        ("<16>", "10020030040050060070080090A00B00C00D00E00F00G0000".repeat(6)[..256].to_owned()),
        ("<grid>", rows(EASY)),
        ("<solved>", rows(SOLVED)),
        ("<long>", "x".repeat(1 << 17)),
        ("<NO>", "no puzzle found:".to_owned()),
        ("<FIELD>", "no field of 81 cells (1 to 9, and . 0 _ * or - for a blank)".to_owned()),
    ];
    marks.iter().fold(text.to_owned(), |text, (mark, by)| text.replace(mark, by))
}

/// The fields of each case of a table.
fn cases<const N: usize>(table: &str) -> Vec<[String; N]> {
    let fields = |line: &str| line.split("=>").map(|it| written(it.trim())).collect::<Vec<_>>();
    table.trim().lines().map(|line| fields(line).try_into().expect(line)).collect()
}

fn run(command: &str, options: &str, text: impl AsRef<[u8]>) -> Run {
    fed(&mut ninefold(command, &options.split_whitespace().collect::<Vec<_>>()), text)
}

#[test]
fn an_input_without_puzzles_is_refused_in_one_sentence() {
    const TABLE: &str = r#"
=> => <NO> the input has no records, but at most empty lines and comments
=> <CR>\n <CR>\n => <NO> the input has no records, but at most empty lines and comments
=> <S><S><S>xxxxxxxxxxxxxxustar => is a tar archive, which is not read: tar -xOf FILE | ninefold COMMAND -
=> <P><CR><P><CR> => CR alone ends its lines: tr '\r' '<LF>' < FILE | ninefold COMMAND -
=> <long> => <NO> its first line is longer than 64 KiB
=> a,b\n1,2\n3,4 => <NO> <FIELD> in the first 3 lines; line 1 is "a,b"
=> <16>\n<16>\n => <NO> <FIELD> <..>…"; expected 9x9 cells, found 16x16: only 9x9 is read
=> a,b\n<P>,<P>\n => <NO> several fields may hold the puzzles: column "a", column "b"; choose one, as with --columns puzzle=a
=> <S>,<P>\n<P>,<S>\n => <NO> several fields may hold the puzzles: column 1, column 2; choose one, as with --columns puzzle=1
=> id,solution\n1,<S>\n => <NO> the only grids are in column "solution", which is named after answers; --columns puzzle=solution reads them as puzzles
=> <grid> => <NO> <FIELD> in the first 9 lines; line 1 is "53..7...."; --grid reads puzzles of nine lines
--grid => x => <NO> no grid of nine lines of nine cells
=> <X> => <NO> <FIELD> <..>; --blank "?" reads '?' as a blank
=> {"all":["<P>","<P>"]} => <NO> <FIELD> <..>; jq -c '.[]' FILE | ninefold COMMAND - reads the values one level further in
=> {"all":["Solve <P>"]} => <NO> <FIELD> <..>…"
=> :0000:x:<P>:714:::\n => <NO> <FIELD> <..>; column 91: deleted candidates are not read, and it is another puzzle without them
=> id,puzzle\n1,<P>\n2,\n3,\n => <NO> fewer than half of the rows hold a puzzle in column "puzzle", 1 of 3; line 3: column 3: expected 81 cells, found 0
--columns puzzle=no => quiz,x\n<P>,\n => <NO> there is no column "no", but quiz, x
"#;
    for [options, text, says] in cases(TABLE) {
        let folder = Folder::new();
        let (input, output) = (folder.file("in.txt", &text), folder.file("out.txt", "precious"));
        let (begin, end) = says.split_once("<..>").unwrap_or((&says, ""));
        let of_file = format!("{options} --no-mmap --force {} -o {}", name(&input), name(&output));
        for (of, options, text) in [("<stdin>", &options, &*text), (name(&input), &of_file, "")] {
            let (code, out, said) = run("solve", options, text);
            assert_eq!((code, &*out, said.lines().count()), (Some(2), "", 1), "{said}");
            let is_said = said.starts_with(&format!("ninefold: {of}: {begin}"));
            assert!(is_said && said.ends_with(&format!("{end}\n")), "{said}instead of {says}");
        }
        assert_eq!(fs::read_to_string(output).unwrap(), "precious");
    }
}

/// A download that failed is no clean list. A program may have nothing to ask, and a shard nothing to do.
#[test]
fn an_input_without_records_is_refused_or_named() {
    let folder = Folder::new();
    folder.file("good", format!("{EASY}\n\n\n# end\n"));
    folder.file("empty", "\n\n");
    let run = |words: &str| {
        let words: Vec<_> = words.split(' ').collect();
        fed(ninefold(words[0], &words[1..]).current_dir(folder.path("")), "")
    };
    for words in ["solve good empty", "rate --lines empty good", "select -q good empty empty"] {
        let (code, out, err) = run(words);
        assert!(code == Some(1) && !out.is_empty(), "{words}: {err}");
        let last = err.lines().last().unwrap();
        assert_eq!(last, "empty: no puzzle found: the file has no records", "{words}");
    }
    let all = "solve empty|solve -|solve empty empty|verify -|rate --lines empty|canon empty|\
               verify good --against empty|select good --not-in empty|generate -n 1 --from empty";
    for words in all.split('|') {
        let (code, out, err) = run(words);
        assert_eq!((code, &*out), (Some(2), ""), "{words}: {err}");
        assert!(err.contains("no puzzle found: the ") && err.contains(" has no records"), "{err}");
    }
    assert_eq!(run("solve --lines -").0, Some(0));
    let shards = [1, 2, 3].map(|it| run(&format!("solve --shard {it}/3 good")).1.lines().count());
    assert_eq!(shards, [1, 0, 0]);
}

/// Each line is counted, and has its place and the kind of its fault.
#[test]
fn a_row_without_a_puzzle_is_malformed() {
    const TABLE: &str = r#"
<P>\n => <80> => expected 81 cells, found 80 => not 81 cells
id,puzzle\n1,<P>\n => 1,<80>x => column 83: expected 1 to 9, '.' or '0', found 'x' => a character that is not a cell
<P>\n => <80>│ => column 81: expected 1 to 9, '.' or '0', found '│' => text that is no cell and no blank
id,puzzle\n1,<P>\n => 1234123412341234 => expected a puzzle in field 2, found 1 field => too few fields
<P>,<S>\n => <P>,<Q> => several puzzles in one line => several puzzles in a line
<S>;<P>\n => <P>;<S> => the field of the puzzle is full, and the rest of the line has cells: are they swapped? => a full grid where the puzzle should be
id,puzzle,note\n1,<P>,x\n => 2,<P>,"a => column 85: the quotation mark does not close in this line, and a record is a line; write Parquet or JSON lines => a quotation mark that does not close
:0000:x:<P>::::\n => :0000:x:<P>:714::: => column 91: deleted candidates are not read, and it is another puzzle without them => wrong pencilmarks
{"p":"<P>"}\n => {"p":"<P> => column 87: expected a JSON object => no JSON, or no puzzle in it
{"p":"<P>"}\n => ["x"] => expected a string, or a JSON array of 81 numbers from 0 to 9, or null for each 0 => no JSON, or no puzzle in it
"#;
    let folder = Folder::new();
    let (rejects, stats) = (folder.path("rejects"), folder.path("stats"));
    for [above, bad, reason, kind] in cases(TABLE) {
        let good = above.lines().last().unwrap();
        let file = folder.file("in.txt", format!("{above}{bad}\n{good}\n"));
        let place = format!("# line {}: {reason}\n", above.lines().count() + 1);
        let more = format!("--rejects {} --stats-json {}", name(&rejects), name(&stats));
        let (code, out, _) = run("solve", &format!("-q --force {} {more}", name(&file)), "");
        assert_eq!((code, out), (Some(1), format!("{SOLVED}\n{place}{SOLVED}\n")), "{bad}");
        let kept = fs::read_to_string(&rejects).unwrap();
        assert!(kept.ends_with(&format!("{place}{bad}\n")), "{kept}");
        let stats = json_of(&stats);
        assert_eq!([&stats["reasons"][&kind], &stats["malformed"]], [&1, &1], "{bad}");
    }
    // Behind the head they may be most lines.
    let text = r"<P>\n".repeat(900) + &r"1\n".repeat(1000) + "?";
    let (code, _, said) = run("verify", "", written(&text));
    let says = "most lines are malformed: 1,000 not 81 cells, 1 a character that is not a cell; ";
    assert!(code == Some(1) && said.contains(says), "{said}");
}

#[test]
fn an_overlong_line_is_malformed() {
    let row = |bytes| format!("{EASY},{},{SOLVED}\n", "x".repeat(bytes));
    let table = format!("puzzle,t,solution\n{}{}{}", row(0), row(1_000_000), row(1 << 20));
    let says = "<stdin>:4: the line has more than 1048576 bytes\n";
    assert_eq!(run("verify", "-q", &table), (Some(1), says.to_owned(), String::new()));
}

/// The first message, and the records.
#[test]
fn what_is_skipped_or_chosen_is_said() {
    const TABLE: &str = r#"
=> # a\n2\n<P>\n\n# b\n => lines of <stdin>, after a count => <S>\n
=> sep=;\nid;puzzle\n1;<P>\n => column "puzzle" of <stdin>; line 1 is skipped as a title: "sep=;" => <S>\n
=> <td><P></td>\nid,puzzle\n1,<P>\n => column "puzzle" of <stdin> => # line 1: expected a puzzle in field 2, found 1 field\n<S>\n
=> a,b\n<S>,<P>\na,b\n<S>,<P>\n => column "b" of <stdin>, solutions in column "a" => <S>\n<S>\n
=> puzzle,more\n<P>,<Q>\n => column "puzzle" of <stdin>; column "more" has other puzzles, which --columns puzzle=more reads => <S>\n
--columns puzzle=2 => <P>,<Q>\n<P>,<Q>\n => column 2 of <stdin>; column 1 has other puzzles, which --columns puzzle=1 reads => <W>\n<W>\n
--columns puzzle=1 => {"0":"<P>","1":"<Q>"}\n => key "1" of <stdin>; key "0" has other puzzles, which --columns puzzle=0 reads => <W>\n
--delimiter : => a:<P>:z\n => column 2 of <stdin> => <S>\n
--no-header --format csv => alpha,beta\n1,<P>\n => column 2 of <stdin> => 1,malformed,,beta,\n2,solved,1,<P>,<S>\n
--blank ? => <X>\n<P>\n => lines of <stdin> => <S>\n<S>\n
--grid => Easy\n<grid>\n<solved> => grids in text of <stdin> => <S>\n<S>\n
=> [\n{"id": 1,\n"puzzle": "<P>"},\n{"puzzle":"1"}]\n => key "puzzle" of <stdin>, which is a JSON document => <S>\n# line 4: column 12: expected 81 cells, found 1\n
"#;
    for [options, text, says, records] in cases(TABLE) {
        let (_, out, said) = run("solve", &options, &text);
        let first = said.lines().next().unwrap();
        assert_eq!((first, out), (&*format!("reading {says}"), records), "{text}{said}");
    }
    // What is cut off is an error behind its records.
    let (code, out, said) = run("solve", "-q", written(r#"["<P>",\n"<P>"\n"#));
    assert_eq!((code, out), (Some(2), written(r"<S>\n<S>\n")));
    assert!(said.contains("is a JSON document without its end"), "{said}");
}

/// Full grids among puzzles may be answers: they are counted, the first is named, and `verify` fails.
#[test]
fn full_grids_among_puzzles_are_said() {
    let late = r"<P>\n".repeat(3000) + r"<S>\n<S>\n";
    for (options, text, line) in [
        ("", r"<P>\n<S>\n<P>\n<S>\n", 2),
        ("", &late, 3001),
        ("", r"id,puzzle\n1,<P>\n2,<S>\n3,<S>\n", 3),
        ("--grid", r"A title\n<grid>\nA title\n<solved>\n<solved>", 13),
    ] {
        let first = format!("the first is <stdin>:{line}; if they are answers");
        let says = format!("\n2 full grids among puzzles with blanks, {first}, name the puzzles");
        for (command, code) in [("verify", 1), ("solve", 0)] {
            let (found, _, said) = run(command, options, written(text));
            assert!(found == Some(code) && said.contains(&says), "{command}: {said}");
        }
    }
    let said = run("verify", "", written(r"<S>\n<S>\n")).2;
    assert!(said.contains("\nall 2 puzzles are full grids; if they are answers, "), "{said}");
}

#[test]
fn answers_that_are_not_found_are_said_once() {
    for (options, text) in [("", r"id,puzzle\n1,<P>\n"), ("--lines", r"<P>,<S>\n")] {
        let (code, out, said) = run("verify", options, written(text));
        assert_eq!((code, &*out), (Some(0), ""), "{said}");
        assert_eq!(said.matches("answers").count(), 2, "{said}");
        let last = said.lines().last().unwrap();
        assert!(last.starts_with("no answers found: answers were not checked ("), "{said}");
        let (code, _, said) = run("verify", &format!("{options} --require-answers"), written(text));
        assert_eq!((code, said.contains("--require-answers: no answers found;")), (Some(2), true));
    }
    let text = written(r"puzzle,solution\n<P>,<S>\n<P>,\n");
    let (code, out, said) = run("verify", "-q --require-answers", text);
    assert_eq!((code, &*out), (Some(2), "<stdin>:3: no answer given\n"));
    assert_eq!(said, "ninefold: --require-answers: 1 puzzle has no answer\n");
}

/// The second of the puzzles has no solution.
#[test]
fn answers_of_a_second_file_belong_to_the_puzzles_in_order() {
    const TABLE: &str = r#"
<S>\n# line 2: no solution\n<W>\n => <lacks>3: <wrong>
# mine\n<S>\n# p.txt: line 2: no solution\n\n# see line 3: fine\n<W>\n => <lacks>6: <wrong>
solved\n<S>\n""\n<W>\n => <lacks>4: <wrong>
2\n<S>\n# line 2: no solution\n<W>\n => <lacks>4: <wrong>
id,answer\n1,<S>\n2,\n3,<W>\n => <lacks>4: <wrong>
id;answer<CR>\n1;<S><CR>\n2<CR>\n3;<W><CR>\n => <lacks>4: <wrong>
{"solution":"<S>"}\n{"solution":null}\n{"solution":"<W>"}\n => <lacks>3: <wrong>
{"id":1,"a":{"answer":"<S>"}}\n{"id":2}\n{"a":{"answer":"<W>"}}\n => <lacks>3: <wrong>
A title\n<solved>\n<solved>\n<solved> => p.txt:2: answer s.txt:12: row 1 column 1 is 5 where the clue is 1
["<S>",\n"<S>",\n"<S>"] => p.txt:2: answer s.txt:2: row 1 column 1 is 5 where the clue is 1
<S>\n12\n<S>\n => p.txt:2: answer s.txt:2: expected 81 cells, found 2
# none\n => ninefold: s.txt: has 0 answers, and none for the puzzle p.txt:1
<S>\n<S>\n => ninefold: s.txt: has 2 answers, the last in s.txt:2, and none for the puzzle p.txt:3
<S>\n<S>\n<S>\n<S>\n => ninefold: s.txt: s.txt:4 is an answer after that of the last puzzle, p.txt:3
"#;
    let lacks = "p.txt:2: no solution\np.txt:2: no answer given\np.txt:3: answer s.txt:";
    let (folder, wrong) = (Folder::new(), "row 2 column 4 is 2 where the clue is 1");
    folder.file("p.txt", written(r"<P>\n<none>\n<P>\n"));
    for [answers, says] in cases(TABLE) {
        folder.file("s.txt", &answers);
        let mut program = ninefold("verify", &["-q", "p.txt", "--solutions", "s.txt"]);
        let (code, out, said) = fed(program.current_dir(folder.path("")), "");
        let says = says.replace("<lacks>", lacks).replace("<wrong>", wrong);
        assert_eq!(code, Some(if says.starts_with('n') { 2 } else { 1 }), "{answers}{out}{said}");
        assert!(format!("{out}{said}").contains(&says), "{answers}{out}{said}");
    }
}

/// For each delimiter the header, and what each field holds; then the choice.
#[test]
fn the_decision_is_explained() {
    let text = written(r"id;grid;start\n7;<S>;<P>\n8;<S>;<P>\n9;;<80>\n");
    let says = "  rows divided by ';': 3 rows\n    header: \"id;grid;start\"\n    column \"id\": 3 numbers\n    \
                column \"grid\": 2 full, 1 empty -> answers\n    \
                column \"start\": 2 with blanks, 1 damaged -> puzzles\n  \
                decision: reading column \"start\" of <stdin>, solutions in column \"grid\"\n";
    let (code, out, said) = run("solve", "--explain-input", text);
    assert!(code == Some(0) && out.ends_with(says), "{out}{said}");
}
