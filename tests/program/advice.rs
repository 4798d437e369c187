//! Advice is run: each message that names a command or an option is followed, and what comes out is compared.
//! Messages about outputs that are left (`--force`, `--resume`) are followed in `faults`.
#![cfg(unix)]

use crate::support::{EASY, Folder, Run, SOLVED, TWO, texts};
use std::env;
use std::path::Path;
use std::process::Command;

/// Runs a line of the shell in a folder, where `ninefold` is the program.
fn shell(folder: &Folder, line: &str) -> Run {
    let own = Path::new(env!("CARGO_BIN_EXE_ninefold")).parent().unwrap().to_path_buf();
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(std::iter::once(own).chain(env::split_paths(&others))).unwrap();
    let mut program = Command::new("sh");
    program.args(["-c", line]).current_dir(folder.path(".")).env("PATH", path);
    texts(program.output().unwrap())
}

/// `p.txt`, `s.txt` and `ps.csv` have two puzzles, their solutions, and both; `g.txt` has grids of nine lines; `x.txt` has
/// x for a blank; the puzzle of `two.txt` has two solutions.
fn folder() -> Folder {
    let folder = Folder::new();
    let nine = |cells: &str| {
        let rows: Vec<_> = (0..9).map(|row| cells[9 * row..][..9].to_owned() + "\n").collect();
        rows.concat() + "\n"
    };
    let swapped = |cells: &str| cells.replace('1', "x").replace('2', "1").replace('x', "2");
    let (p, s) = ([EASY, &swapped(EASY)], [SOLVED, &swapped(SOLVED)]);
    folder.file("p.txt", p.join("\n") + "\n");
    folder.file("s.txt", s.join("\n") + "\n");
    folder.file("ps.csv", format!("{},{}\n{},{}\n", p[0], s[0], p[1], s[1]));
    folder.file("x.txt", p.join("\n").replace('.', "x") + "\n");
    folder.file("g.txt", nine(p[0]) + &nine(p[1]));
    folder.file("two.txt", format!("{TWO}\n"));
    folder
}

/// A file and how it is made, if it is none of the folder; the command; what its message has; the command that
/// follows it, if it is not the message from there to `ninefold COMMAND -`; and a command with the same output. FILE is the
/// file, COMMAND `solve`.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

fn follow(cases: &[Case]) {
    for (file, make, typed, advice, followed, same) in cases {
        let folder = folder();
        let named = |text: &str| text.replace("FILE", file).replace("COMMAND", "solve -q");
        let lacks_tool = |line: &str, (code, _, said): &Run| {
            let lacks = *code == Some(127) || said.contains("ModuleNotFoundError");
            assert!(lacks || line != *make || *code == Some(0), "{line}: {said}");
            lacks
        };
        if lacks_tool(make, &shell(&folder, make)) {
            println!("not tried for lack of a tool: {make}");
            continue;
        }
        let (code, out, said) = shell(&folder, &named(typed));
        let place = said.find(advice).or_else(|| said.find(&named(advice)));
        let place = place.unwrap_or_else(|| panic!("{typed} ({make}): {code:?} {said}{out}"));
        let end =
            said[place..].find(" COMMAND -").map_or(place, |end| place + end + " COMMAND -".len());
        let line = named(if followed.is_empty() { &said[place..end] } else { followed });
        let run = shell(&folder, &line);
        if lacks_tool(&line, &run) {
            println!("not tried for lack of a tool: {line}");
            continue;
        }
        let expected = shell(&folder, &named(same)).1;
        assert_eq!(run.1, expected, "{line} ({make}): {:?} {}", run.0, run.2);
        assert!(!run.1.is_empty(), "{line} ({make}): {:?} {}", run.0, run.2);
    }
}

const SOLVE: &str = "ninefold solve FILE";

#[test]
fn other_formats_are_read_through_the_command_of_the_message() {
    let piped = |file, make, advice| (file, make, SOLVE, advice, "", "cat s.txt");
    let save = "python3 -c \"import numpy as n; a = n.array([[int(c) for c in r.strip().replace('.', '0')] \
                for r in open('p.txt')]); n.save('p.npy', a); n.savez('p.npz', q=a.reshape(-1, 9, 9))\"";
    follow(&[
        piped("p.tar", "tar -cf p.tar p.txt", "tar -xOf"),
        piped("p.xz", "xz -c p.txt > p.xz", "xz -dc"),
        piped("p.bz2", "bzip2 -c p.txt > p.bz2", "bzip2 -dc"),
        piped("p.lz4", "lz4 -qc p.txt > p.lz4", "lz4 -dc"),
        piped("p.zip", "zip -q p.zip p.txt", "unzip -p"),
        piped("p.7z", "7z a p.7z p.txt", "7z x -so"),
        piped("p.zst", "gzip -c p.txt | zstd -qc > p.zst", "zstd -dc"),
        piped("p.zst", "cat p.txt | zstd -qc --ultra --long=31 > p.zst", "zstd -dc --long"),
        (
            "p.zst",
            "ninefold generate -q -n 2000 --seed 1 > m; zstd -q --train -B82 m -o d; zstd -qc -D d p.txt > p.zst",
            SOLVE,
            "zstd -dc -D DICTIONARY FILE | ninefold COMMAND -",
            "zstd -dc -D d FILE | ninefold COMMAND -",
            "cat s.txt",
        ),
        piped("p.npy", save, "python3 -c"),
        (
            "p.npz",
            save,
            "unzip -p FILE | ninefold solve - 2>&1 | sed 's/^/now /' >&2",
            "python3 -c",
            "",
            "cat s.txt",
        ),
        piped("u16", "iconv -f UTF-8 -t UTF-16 p.txt > u16", "iconv -f UTF-16 "),
        piped("u32", "iconv -f UTF-8 -t UTF-32 p.txt > u32", "iconv -f UTF-32 "),
        (
            "xg",
            "tr . x < g.txt > xg",
            SOLVE,
            "--grid --blank x",
            "ninefold solve -q --grid --blank x FILE",
            "cat s.txt",
        ),
        piped("le", "iconv -f UTF-8 -t UTF-16LE p.txt > le", "iconv -f UTF-16LE"),
        piped("be", "iconv -f UTF-8 -t UTF-16BE p.txt > be", "iconv -f UTF-16BE"),
        piped("cr", "tr '\\n' '\\r' < p.txt > cr", "tr '"),
        piped("row", "paste -sd , p.txt > row", "tr -s"),
        piped("q.csv", "tr . 0 < p.txt | sed 's/./\"&\",/g; s/,$//' > q.csv", "tr -d '"),
        piped("f.csv", "tr . 0 < p.txt | sed 's/./&.0,/g; s/,$//' > f.csv", "sed 's/"),
        piped("m.txt", "sed 's/./& /g; s/\\./-1/g' p.txt > m.txt", "sed 's/-1/0/g'"),
        (
            "mg.txt",
            "sed 's/./& /g; s/\\./-1/g' g.txt > mg.txt",
            SOLVE,
            "sed 's/-1/./g' FILE | ninefold COMMAND --grid -",
            "sed 's/-1/./g' FILE | ninefold COMMAND --grid -",
            "cat s.txt",
        ),
        piped(
            "mark.json",
            "(printf '\\357\\273\\277'; jq -R . p.txt | jq -cs '{puzzles: .}') > mark.json",
            "jq -rc",
        ),
        (
            "nine.csv",
            "(echo id,puzzle; sed 's/.\\{9\\}/&\\n/g; s/^/1,\"/; s/\\n$/\"/' p.txt) > nine.csv",
            SOLVE,
            "tr '\"' '\\n' < FILE | grep",
            "tr '\"' '\\n' < FILE | grep -vE '^[,;]|[,;]$' | ninefold solve -q --grid -",
            "cat s.txt",
        ),
        (
            "ids.csv",
            "(echo id,puzzle; sed 's/.\\{9\\}/&\\n/g; s/^/123456789,\"/; s/\\n$/\"/' p.txt) > ids.csv",
            SOLVE,
            "tr '\"' '\\n' < FILE | grep",
            "tr '\"' '\\n' < FILE | grep -vE '^[,;]|[,;]$' | ninefold solve -q --grid -",
            "cat s.txt",
        ),
        (
            "lists.csv",
            "(echo id,puzzle; tr . 0 < p.txt | sed 's/./&, /g; s/, $//; s/.*/1,\"[&]\"/'; head -n 1 s.txt; sed 's/\\.7/x7/;1q' p.txt) > lists.csv",
            SOLVE,
            "tr -d ' ,",
            "",
            "cat s.txt",
        ),
        (
            "log.txt",
            "(sed 's/^/[12:00:01] solving /' p.txt; sed 's/^/1 /' p.txt) > log.txt",
            SOLVE,
            "grep -oE",
            "",
            "cat s.txt s.txt",
        ),
        piped(
            "urls.txt",
            "(sed 's/^/see http:..www.example.com\\/sudoku-/' p.txt; printf 'a %0100d b\\n' 0 | tr 0 -) > urls.txt",
            "grep -oE '[0-9.]{81,}'",
        ),
        piped(
            "bold.md",
            "sed 's/.*/* solve **&** _now_ -/; s/8/8/' p.txt > bold.md",
            "grep -oE '[0-9.]{81,}'",
        ),
        piped(
            "dash.txt",
            "(tr . - < p.txt | sed 's/^/a *&*, b/'; printf 'a %0100d b\\n' 0 | tr 0 -) > dash.txt",
            "grep -oE '[0-9-]{81,}'",
        ),
        piped(
            "zero.txt",
            "tr . 0 < p.txt | sed 's/.*/1. so: &./' > zero.txt",
            "grep -oE '[0-9]{81,}'",
        ),
        // The dot of a sentence.
        piped("said.txt", "sed 's/.*/solve &. Thanks/' p.txt > said.txt", "grep -oE '[0-9.]{81}'"),
        // A longer run of cells is no puzzle, and told.
        (
            "dots.txt",
            "sed 's/.*/solve ...&/' p.txt > dots.txt",
            SOLVE,
            "grep -oE",
            "grep -oE '[0-9.]{81,}' FILE | ninefold COMMAND - 2>&1 | grep -c 'found 84'",
            "echo 2",
        ),
        piped(
            "bold.json",
            "jq -R '{a: {b: [\"see **\\(.)**\"]}}' p.txt | jq -s '{x: .}' > bold.json",
            "jq -rc",
        ),
        piped("log.log", "sed 's/^/[12:00:01] solving -/' p.txt > log.log", "grep -oE"),
        piped("open.txt", "sed 's/.*/{solve: **&**}/' p.txt > open.txt", "grep -oE"),
        piped(
            "comma.json",
            "(jq -R . p.txt | paste -sd , | sed 's/.*/[&,]/') > comma.json",
            "grep -oE",
        ),
        // Rows in quotation marks with a comma between them are no grid of nine lines.
        piped(
            "rows.txt",
            "(sed \"s/.*/say '&';/\" p.txt; sed 's/.\\{9\\}/\"&\",/g; s/^/[/; s/,$/],/' p.txt) > rows.txt",
            "grep -oE",
        ),
        (
            "texts.json",
            "(sed 's/\\(.*\\),\\(.*\\)/{\"in\":\"Solve \\1 please\",\"ideal\":\"\\2\"}/' ps.csv; tr . 0 < p.txt | sed 's/./&,/g; s/,$//') > texts.json",
            SOLVE,
            "jq -rc",
            "",
            "cat s.txt",
        ),
        (
            "p.db",
            "(echo 'create table t(puzzle);'; sed \"s/.*/insert into t values('&');/\" p.txt) | sqlite3 p.db",
            SOLVE,
            "sqlite3 -csv -header FILE 'SELECT * FROM TABLE' | ninefold COMMAND -",
            "sqlite3 -csv -header FILE 'SELECT * FROM t' | ninefold COMMAND -",
            "cat s.txt",
        ),
    ]);
}

#[test]
fn the_option_of_a_message_reads_the_puzzles() {
    follow(&[
        (
            "g.txt",
            "",
            SOLVE,
            "puzzles of nine lines are read with --grid",
            "ninefold solve -q FILE --grid",
            "cat s.txt",
        ),
        (
            "ab.csv",
            "(echo a,b; paste -d , p.txt p.txt) > ab.csv",
            SOLVE,
            "choose with --columns puzzle=COLUMN",
            "ninefold solve -q FILE --columns puzzle=b",
            "cat s.txt",
        ),
        (
            "pss.csv",
            "paste -d , p.txt s.txt s.txt > pss.csv",
            "ninefold verify FILE",
            "choose with --columns solution=COLUMN",
            "ninefold verify -q FILE --columns solution=3 --format csv",
            "ninefold verify -q ps.csv --format csv",
        ),
        (
            "mixed.csv",
            "(paste -d , p.txt s.txt; paste -d , s.txt p.txt) > mixed.csv",
            SOLVE,
            "choose with --columns puzzle=1,solution=2 or --columns puzzle=2,solution=1",
            "ninefold solve -q FILE --columns puzzle=1,solution=2",
            "cat s.txt s.txt",
        ),
        (
            "named.csv",
            "(echo solution; cat s.txt) > named.csv",
            SOLVE,
            "--columns puzzle=solution reads them as puzzles",
            "ninefold solve -q FILE --columns puzzle=solution",
            "cat s.txt",
        ),
        (
            "at.txt",
            "sed 's/$/@1/' p.txt > at.txt",
            SOLVE,
            "--delimiter",
            "ninefold solve -q FILE --delimiter @",
            "cat s.txt",
        ),
        (
            "letters.txt",
            "cat p.txt x.txt x.txt > letters.txt",
            SOLVE,
            "--blank CHARS names other blanks",
            "ninefold solve -q FILE --blank x",
            "cat s.txt s.txt s.txt",
        ),
        (
            "board.csv",
            "(echo puzzle,board; sed 's/\\.7/x7/' p.txt | paste -d , - p.txt) > board.csv",
            SOLVE,
            "--columns puzzle=COLUMN another field",
            "ninefold solve -q FILE --columns puzzle=board",
            "cat s.txt",
        ),
        (
            "keys.jsonl",
            "p=$(head -n 1 p.txt); echo '{\"b\":\"'$p'\"}' > keys.jsonl; \
             yes '{\"a\":\"'$p'\"}' | head -n 800 >> keys.jsonl; yes '{\"b\":\"'$p'\"}' | head -n 2000 >> keys.jsonl",
            SOLVE,
            "--columns puzzle=KEY names another key",
            "ninefold solve -q FILE --columns puzzle=b | grep -vc '#'",
            "grep -c '\"b\"' FILE",
        ),
        (
            "swapped.csv",
            "yes $(head -n 1 ps.csv) | head -n 500 > swapped.csv; \
             yes $(paste -d , s.txt p.txt | head -n 1) | head -n 900 >> swapped.csv",
            SOLVE,
            "--columns puzzle=COLUMN,solution=COLUMN names the fields",
            "ninefold solve -q FILE --columns puzzle=2,solution=1 | grep -vc '#'",
            "cat FILE | wc -l",
        ),
        (
            "lines.txt",
            "(cat g.txt; sed G p.txt p.txt) > lines.txt",
            "ninefold solve --grid FILE",
            "puzzles of one line are read without --grid",
            "ninefold solve -q FILE | grep -v '#'",
            "cat s.txt s.txt",
        ),
        (
            "odd.csv",
            "(yes $(head -n 1 p.txt),a,b | head -n 800; tail -n 1 ps.csv | sed 's/,/,b,/') > odd.csv",
            SOLVE,
            "a puzzle or full grid in another field (--columns names the fields)",
            "ninefold verify -q FILE --columns puzzle=1,solution=3 --format csv | grep -c ',right,'",
            "echo 1",
        ),
        (
            "long.txt",
            "(head -c 70000 /dev/zero | tr '\\0' 1; echo; cat p.txt) > long.txt",
            SOLVE,
            "--lines reads the lines below the first",
            "ninefold solve -q FILE --lines | grep -v '#'",
            "cat s.txt",
        ),
        (
            "bars.txt",
            "(echo Puzzle 1:; sed 's/.../&|/g' g.txt; cat s.txt) > bars.txt",
            SOLVE,
            "--grid reads puzzles of nine lines",
            "ninefold solve -q FILE --grid | grep -v '#'",
            "cat s.txt",
        ),
        (
            "two.txt",
            "",
            "ninefold solve two.txt",
            "uniqueness not checked (use --unique)",
            "ninefold solve -q --unique two.txt",
            "echo '# line 1: more than one solution'",
        ),
        (
            "ho.txt",
            "sed 's/.*/:0000:x:&:513:::/' p.txt > ho.txt",
            "ninefold canon -q --rejects r FILE; cat r >&2",
            "a sukaku has no minlex form (use --form solution)",
            "ninefold canon -q --form solution FILE | grep -vc '#'",
            "cat FILE | wc -l",
        ),
    ]);
}

/// Files beside the inputs are neither pipes nor read by the options of the inputs.
#[test]
fn a_file_that_the_message_makes_is_read_beside_the_inputs() {
    let columns = "ninefold solve FILE OPTION --format csv -o NEW writes a file to name instead";
    follow(&[
        (
            "ab.csv",
            "paste -d , p.txt p.txt > ab.csv",
            "ninefold verify p.txt --against FILE",
            columns,
            "ninefold solve -q FILE --columns puzzle=2 --format csv -o NEW && ninefold verify -q p.txt --against NEW | wc -l",
            "cat p.txt | wc -l",
        ),
        (
            "named.csv",
            "(echo solution; cat s.txt) > named.csv",
            "ninefold select s.txt --not-in FILE",
            columns,
            "ninefold solve -q FILE --columns puzzle=solution --format csv -o NEW && ninefold verify -q s.txt --against NEW | wc -l",
            "cat s.txt | wc -l",
        ),
        (
            "pss.csv",
            "paste -d , p.txt s.txt s.txt > pss.csv",
            "ninefold generate --from FILE",
            columns,
            "ninefold solve -q FILE --columns puzzle=2 --format csv -o NEW && ninefold generate -q --from NEW --seed 1",
            "ninefold generate -q --from s.txt --seed 1",
        ),
        (
            "p.xz",
            "xz -c p.txt > p.xz",
            "ninefold verify p.txt --against FILE",
            "xz -dc FILE > NEW, and name NEW",
            "xz -dc FILE > NEW && ninefold verify -q p.txt --against NEW | wc -l",
            "cat p.txt | wc -l",
        ),
        (
            "s.xz",
            "xz -c s.txt > s.xz",
            "ninefold verify p.txt --solutions FILE",
            "xz -dc FILE > NEW, and name NEW",
            "xz -dc FILE > NEW && ninefold verify -q p.txt --solutions NEW --format csv",
            "ninefold verify -q p.txt --solutions s.txt --format csv",
        ),
        (
            "s.xz",
            "xz -c s.txt > s.xz",
            "ninefold generate --from FILE",
            "xz -dc FILE > NEW, and name NEW",
            "xz -dc FILE > NEW && ninefold generate -q --from NEW --seed 1",
            "ninefold generate -q --from s.txt --seed 1",
        ),
        (
            "p.txt",
            "",
            "ninefold verify p.txt --against - < FILE",
            "standard input cannot be a bank; name a file",
            "ninefold verify -q p.txt --against FILE | wc -l",
            "cat FILE | wc -l",
        ),
    ]);
}

#[test]
fn what_a_command_lacks_is_given_as_the_message_says() {
    follow(&[
        (
            "p.txt",
            "",
            "ninefold verify --require-answers FILE",
            "--solutions FILE or --columns solution=COLUMN names them",
            "ninefold verify -q --require-answers FILE --solutions s.txt --format csv | cut -d , -f 3",
            "printf 'status\nunique\nunique\n'",
        ),
        (
            "few.csv",
            "(yes $(head -n 1 p.txt) | head -n 30; head -n 1 ps.csv) > few.csv",
            "ninefold verify FILE --columns puzzle=1",
            "--columns solution=COLUMN names them",
            "ninefold verify -q FILE --columns solution=2 | grep -c 'no answer given'",
            "echo 30",
        ),
        (
            "p.txt",
            "",
            "ninefold verify --rate FILE",
            "use --format csv or jsonl",
            "ninefold verify -q --rate FILE --format csv | cut -d , -f 2",
            "printf 'status\nunique\nunique\n'",
        ),
        (
            "ps.csv",
            "",
            "ninefold solve --keep-columns FILE",
            "use csv or jsonl",
            "ninefold solve -q --keep-columns FILE --format csv | cut -d , -f 6 | tail -n 2",
            "cat s.txt",
        ),
        (
            "p.txt",
            "",
            "ninefold canon --map FILE",
            "use csv or jsonl",
            "ninefold canon -q --map FILE --format csv | tail -n 2 | cut -d , -f 4",
            "ninefold canon -q FILE",
        ),
        (
            "p.txt",
            "",
            "ninefold select FILE -o o.parquet",
            "write another format",
            "ninefold select -q FILE -o o.txt && cat o.txt",
            "cat p.txt",
        ),
        (
            "p.txt",
            "",
            "ninefold solve FILE --format jsonl -o o.parquet",
            "leave the option out",
            "ninefold solve -q FILE -o o.parquet && ninefold select o.parquet -q",
            "ninefold solve -q FILE --format csv",
        ),
        (
            "p.gz",
            "gzip -c p.txt > p.gz",
            "ninefold solve FILE --shard 1/2",
            "decompress it, gzip -dc FILE > NEW, and use --shard",
            "gzip -dc FILE > NEW; for i in 1 2; do ninefold solve -q NEW --shard $i/2; done",
            "cat s.txt",
        ),
        (
            "p.json",
            "(echo '['; sed 's/.*/{\"p\":\"&\"},/' p.txt; echo '{\"p\":\"1\"}]') > p.json",
            "ninefold solve FILE --shard 1/2",
            "write one object a line",
            "jq -c '.[]' FILE > NEW; for i in 1 2; do ninefold solve -q NEW --shard $i/2; done | grep -v '#'",
            "cat s.txt",
        ),
        (
            "p.txt",
            "",
            "ninefold verify FILE --duplicates --shard 1/2",
            "run without --shard",
            "ninefold verify -q FILE --duplicates --format csv",
            "ninefold verify -q FILE --format csv",
        ),
        (
            "p.txt",
            "",
            "ninefold verify FILE --solutions s.txt --shard 1/2",
            "use a table that has puzzles and solutions",
            "for i in 1 2; do ninefold verify -q ps.csv --shard $i/2 --format csv; done",
            "ninefold verify -q FILE --solutions s.txt --format csv | cut -d , -f 2-",
        ),
        (
            "s.txt",
            "",
            "ninefold generate -n 2 --clues 81 --from FILE",
            "--allow-duplicates writes more",
            "ninefold generate -q -n 2 --clues 81 --from FILE --allow-duplicates | sort -u",
            "cat s.txt",
        ),
        (
            "s.txt",
            "",
            "ninefold generate --from - --resume -o o.txt < FILE",
            "use a file",
            "ninefold generate -q --seed 1 --from FILE --resume -o o.txt && cat o.txt",
            "ninefold generate -q --seed 1 --from FILE",
        ),
        (
            "ps.csv",
            "",
            "ninefold neighbors FILE --rounds 2 --keep-columns --format csv",
            "use --rounds 1",
            "ninefold neighbors -q FILE --rounds 1 --keep-columns --format csv",
            "ninefold neighbors -q FILE --keep-columns --format csv",
        ),
        (
            "a.csv",
            "(echo puzzle; cat p.txt) > a.csv; (echo id,puzzle; sed 's/^/1,/' p.txt) > b.csv",
            "ninefold solve FILE b.csv --rejects r",
            "run them one by one",
            "for f in FILE b.csv; do ninefold solve -q $f --rejects r --force; done",
            "cat s.txt s.txt",
        ),
        (
            "ps.csv",
            "",
            "ninefold augment --lines FILE --rejects r; cat r >&2",
            "(--columns names it)",
            "ninefold augment -q FILE --columns puzzle=1,solution=2",
            "ninefold augment -q FILE",
        ),
        (
            "p.txt",
            "",
            "ninefold solve FILE -o s.txt",
            "exists; --force replaces it",
            "ninefold solve -q FILE -o s.txt --force && cat s.txt",
            "ninefold solve -q FILE",
        ),
        (
            "p.txt",
            "cp p.txt o.txt.partial",
            "ninefold solve FILE -o o.txt",
            "--force begins anew",
            "ninefold solve -q FILE -o o.txt --force && cat o.txt",
            "ninefold solve -q FILE",
        ),
        (
            "p.txt",
            "ninefold solve -q p.txt -o o.txt",
            "ninefold solve FILE -o o.txt --resume",
            "--force",
            "ninefold solve -q FILE -o o.txt --force && cat o.txt",
            "ninefold solve -q FILE",
        ),
    ]);
}
