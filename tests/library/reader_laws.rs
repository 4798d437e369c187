//! The laws of the reader (`support/laws.rs`) for bytes of every kind, and rows judged by a slow
//! reading that follows the documented rules and shares nothing with the reader.

use crate::laws::{Puzzle, Reading, all, check, hints, read};
use ninefold::input::{ColumnRef, Delimiter, Given, Hints, Source};
use ninefold::puzzle::Grid;
use proptest::prelude::*;
use proptest::sample::select;
use std::fs;
use std::path::Path;

const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLVED: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Pieces of which texts are made that a reader takes seriously, or nearly.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let row = EASY[9..18].to_owned();
    let framed = format!("| {} | {} | {} |\n", &row[..3], &row[3..6], &row[6..]);
    let words = [
        "\r",
        "\u{feff}",
        "#",
        ",",
        ";",
        "|",
        "\t",
        " ",
        "\"",
        "\"\"",
        "puzzle",
        "solution",
        "answer",
        "quizzes,solutions\n",
        "id;puzzle\n",
        "{\"puzzle\":\"",
        "\"}\n",
        "[Puzzle]\n",
        "[State]\n",
        "+---+---+---+\n",
        "---------\n",
        "0",
        ".",
        "-",
        "_",
        "x",
        "\0",
        "5\n",
        "2024-05-01\n",
        "ER 7.2/1.2/1.2\n",
        "\u{1f}\u{8b}",
        "{}",
    ];
    prop_oneof![
        6 => Just(EASY.as_bytes().to_vec()),
        3 => Just(SOLVED.as_bytes().to_vec()),
        2 => Just(EASY.replace('.', "-").into_bytes()),
        9 => Just(b"\n".to_vec()),
        2 => Just(b"\r\n".to_vec()),
        4 => Just(format!("{row}\n").into_bytes()),
        2 => Just(framed.into_bytes()),
        1 => Just(EASY.as_bytes().chunks(9).collect::<Vec<_>>().join(&b'\n')),
        8 => select(words.to_vec()).prop_map(|word| word.as_bytes().to_vec()),
        1 => "[0-9.]{70,90}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..8),
        1 => (200usize..300).prop_map(|length| vec![b'#'; length]),
    ]
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_read_the_same_however_it_comes(
        text in texts(), grids in any::<bool>(), chunk_bytes in 1usize..500,
    ) {
        check(&text, &crate::laws::grids(grids), chunk_bytes);
    }

    #[test]
    fn any_text_is_read_the_same_whatever_is_known_of_it(
        text in texts(), seed in any::<[u8; 3]>(), chunk_bytes in 1usize..500,
    ) {
        check(&text, &hints(seed), chunk_bytes);
    }

}

/// Every sample, mutilated: a few bytes replaced, taken out or put in.
#[test]
fn samples_with_slips_are_read_the_same_however_they_come() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/layouts");
    let mut number = 0_u64;
    let mut random = |below: usize| {
        // Knuth's multiplier; the high bits are good enough here.
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(number >> 33).unwrap() % below
    };
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let sample = fs::read(&path).unwrap();
        for slips in 0..12 {
            let mut bytes = sample.clone();
            for _ in 0..slips {
                let place = random(bytes.len());
                let byte = b"\n\r,;|\t \"#.0-5x[{"[random(16)];
                match random(3) {
                    0 => bytes[place] = byte,
                    1 => bytes.insert(place, byte),
                    _ => drop(bytes.remove(place)),
                }
            }
            let grids = path.extension().is_some_and(|ending| ending == "sdk" || ending == "ss");
            for grids in [grids, !grids] {
                check(&bytes, &crate::laws::grids(grids), 1 + random(500));
            }
        }
    }
}

/// The layout is looked for in the first 64 KiB: one line that fills them, or nearly.
#[test]
fn an_input_that_begins_with_a_very_long_line_is_read_the_same_however_it_comes() {
    for bytes in [(1 << 16) - 82, (1 << 16) - 1, 1 << 16, 1 << 20] {
        for start in ["", "puzzle,"] {
            let mut text = start.as_bytes().to_vec();
            text.resize(bytes, b'1');
            check(&text, &Hints::default(), 5000);
            text.push(b'\n');
            text.extend_from_slice(EASY.as_bytes());
            check(&text, &Hints::default(), 5000);
        }
    }
}

/// A field in quotation marks may have line ends, and marks may close no field.
#[test]
fn records_of_several_lines_are_read_the_same_however_they_come() {
    let row = |note: &str| format!("1,{note},{EASY}\n");
    let notes =
        ["x", "\"a\nb\"", "\"a\r\n\r\n\"\"b\"\"\"", "\"open", "a\"b", "\"a\"b\"", "\"\n#\n\""];
    let all: String = notes.iter().map(|note| row(note)).collect();
    let table = format!("id,note,puzzle\n{}", all.repeat(3));
    let long = format!("{}{}", row(&format!("\"{}\"", "a\n".repeat(20_000))), row("x"));
    for chunk_bytes in [1, 90, 100, 1000] {
        let reading = check(table.as_bytes(), &Hints::default(), chunk_bytes);
        let right = reading.records.iter().filter(|it| it.what.is_ok()).count();
        // An open mark hides the puzzle.
        assert_eq!((right, reading.records.len()), (3 * notes.len() - 3, 3 * notes.len()));
        let reading = check(long.as_bytes(), &Hints::default(), chunk_bytes);
        assert_eq!(reading.records.iter().map(|it| it.line).collect::<Vec<_>>(), [1, 20_002]);
    }
    // One that is too long is as many lines as it has.
    let too_long = format!("{table}{}{table}", row(&format!("\"{}\"", "a\n".repeat(40_000))));
    check(too_long.as_bytes(), &Hints::default(), 5000);
}

/// Lines that a stream cannot keep whole, where each layout may have them.
#[test]
fn overlong_lines_are_read_the_same_however_they_come() {
    let long = |byte: u8, bytes: usize| vec![byte; bytes];
    let rows: Vec<u8> = EASY.as_bytes().chunks(9).collect::<Vec<_>>().join(&b'\n');
    for bytes in [65_536, 65_540, 150_000] {
        for byte in [b'1', b'#', b',', b'"', b'-'] {
            let line = long(byte, bytes);
            let plain = [EASY.as_bytes(), b"\n", &line, b"\r\n", EASY.as_bytes(), &line].concat();
            check(&plain, &Hints::default(), 1000);
            let first = [&line[..], b"\n", EASY.as_bytes()].concat();
            check(&first, &Hints::default(), 1000);
            let last = [&line[..bytes - 81], EASY.as_bytes()].concat();
            check(&last, &Hints::default(), 1000);
            let table = [b"puzzle,solution\n", EASY.as_bytes(), b",", &line, b"\n"].concat();
            check(&table, &Hints::default(), 1000);
            // Within a grid, and in place of its last row.
            let hints = Hints { grids: true, ..Hints::default() };
            let within = [&rows[..40], &line, b"\n", &rows, b"\n\n", &rows].concat();
            check(&within, &hints, 1000);
            let at_end = [&rows[..80], &line, b"\n", &rows].concat();
            check(&at_end, &hints, 1000);
        }
    }
}

/// Comments within a grid, and a section that is passed over, as long as anybody likes.
#[test]
fn grids_with_much_between_their_rows_are_read_the_same_however_they_come() {
    let rows: Vec<u8> = EASY.as_bytes().chunks(9).collect::<Vec<_>>().join(&b'\n');
    let hints = Hints { grids: true, ..Hints::default() };
    for (length, count) in [(10, 30), (10, 70), (190, 60), (3000, 50), (100, 2000), (70_000, 2)] {
        let comment = [vec![b'#'; length], b"\n".to_vec()].concat().repeat(count);
        for (before, after) in [(&rows[..30], &rows[30..]), (&b"[State]\n"[..], &rows[..])] {
            let text = [&rows[..], b"\n\n", before, &comment, after, b"\n\n", &rows].concat();
            check(&text, &hints, 1000);
        }
    }
}

/// A field: what it holds, and how it is written in a line.
fn field() -> impl Strategy<Value = (String, bool, &'static str)> {
    let text = prop_oneof![
        4 => Just(EASY.to_owned()),
        2 => Just(SOLVED.to_owned()),
        1 => Just(EASY.replace('.', "*")),
        1 => Just(EASY[1..].to_owned()),
        1 => Just(EASY.replace('7', "x")),
        3 => "[a-z0-9.#]{0,12}",
    ];
    (text, prop::bool::weighted(0.2), select(vec!["", "", "", " ", "  ", "\t"]))
}

/// What is to be said of a row: nothing, its puzzle and the solution beside it, or malformed.
type Judgement = Option<Result<(Grid, Option<Given>), ()>>;

/// The grid of a text, as one would say it: 81 cells, and five bytes for a blank.
fn slow_grid(text: &str) -> Option<Grid> {
    let usual: String = text.chars().map(|c| if "0_*-".contains(c) { '.' } else { c }).collect();
    let is_cell = |c: char| c == '.' || ('1'..='9').contains(&c);
    let fits = usual.len() == 81 && usual.chars().all(is_cell);
    fits.then(|| ninefold::puzzle::parse::line(usual.as_bytes()).unwrap())
}

fn slow_row(
    fields: &[String],
    puzzle: usize,
    solution: Option<usize>,
) -> Result<(Grid, Option<Given>), ()> {
    let grid = fields.get(puzzle).and_then(|field| slow_grid(field));
    let given = match solution.and_then(|place| fields.get(place)).map_or("", String::as_str) {
        "" => Some(Given::Missing),
        // What is wrong with it is another question: `None` stands for any of that.
        text => slow_grid(text).map(Given::Cells),
    };
    grid.map(|grid| (grid, given)).ok_or(())
}

fn judgements(reading: &Reading) -> Vec<Judgement> {
    let mut all = vec![None; usize::try_from(reading.lines).unwrap()];
    for record in &reading.records {
        let what = match &record.what {
            Ok((Puzzle::Grid(grid), given)) => {
                let given = given.filter(|given| !matches!(given, Given::Malformed(_)));
                Ok((*grid, given))
            }
            _ => Err(()),
        };
        all[usize::try_from(record.line).unwrap() - 1] = Some(what);
    }
    all
}

proptest! {
    /// The quick ways of the reader against the rules: fields are cut at each delimiter, spaces
    /// around them do not belong to them, and quotation marks hide what they enclose.
    #[test]
    fn rows_are_read_as_the_rules_say(
        rows in prop::collection::vec(prop::collection::vec(field(), 1..5), 0..8),
        delimiter in select(vec![",", ";", "\t", "|", ":"]),
        // Without the field of the answers, the evidence decides: that is another test.
        (puzzle, solution) in (0usize..3, (0usize..4).prop_map(Some)),
        ends in select(vec!["\n", "\r\n"]),
        chunk_bytes in 1usize..400,
    ) {
        // The first row settles the layout.
        let mut text = [EASY; 4].join(delimiter) + "\n";
        let first = [EASY; 4].map(str::to_owned);
        let mut expected = vec![Some(slow_row(&first, puzzle, solution))];
        for row in &rows {
            let mut line = String::new();
            for (place, (field, quoted, space)) in row.iter().enumerate() {
                let space = if delimiter == "\t" { "" } else { space };
                let mark = if *quoted { "\"" } else { "" };
                let before = if place == 0 { "" } else { delimiter };
                line += &[before, space, mark, field, mark, space].concat();
            }
            let fields: Vec<_> = row.iter().map(|(field, ..)| field.clone()).collect();
            // In a table, a field that begins with # is data.
            let nothing = line.chars().all(|c| c == ' ' || c == '\t');
            expected.push((!nothing).then(|| slow_row(&fields, puzzle, solution)));
            text += &line;
            text += ends;
        }
        let hints = Hints {
            puzzle: Some(ColumnRef::Place(puzzle)),
            solution: solution.map(ColumnRef::Place),
            delimiter: Some(Delimiter::Byte(delimiter.as_bytes()[0])),
            no_header: true,
            ..Hints::default()
        };
        let found = read(Source::from_bytes("rows", text.clone().into()), &hints, chunk_bytes, all());
        prop_assert_eq!(judgements(&found), expected, "{}", text);
        check(text.as_bytes(), &hints, chunk_bytes);
    }
}
