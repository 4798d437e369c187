//! The laws of the reader (`support/laws.rs`) for bytes of every kind, and rows judged by a slow
//! reading that follows the documented rules and shares nothing with the reader.

use crate::laws::{Puzzle, Reading, all, check, grids, hints, read};
use ninefold::input::{ColumnRef, Delimiter, Given, Hints, MAX_LINE_BYTES, Source};
use ninefold::puzzle::Grid;
use proptest::prelude::*;
use proptest::sample::select;

const EASY: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLVED: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Pieces of which texts are made that a reader takes seriously, or nearly.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let row = EASY[9..18].to_owned();
    let framed = format!("| {} | {} | {} |\n", &row[..3], &row[3..6], &row[6..]);
    let words = "\r|\u{feff}|#|,|;|\t| |\"|\"\"|puzzle|solution|quizzes,solutions\n|id;puzzle\n|{\"puzzle\":\"|\"}\n\
        |[Puzzle]\n|[State]\n|+---+---+\n|---------\n|0|.|-|_|x|\0|5\n|2024-05-01\n|\u{1f}\u{8b}|{}";
    let words: Vec<_> = words.split('|').chain(["|"]).collect();
    prop_oneof![
        6 => Just(EASY.as_bytes().to_vec()),
        3 => Just(SOLVED.as_bytes().to_vec()),
        2 => Just(EASY.replace('.', "-").into_bytes()),
        9 => Just(b"\n".to_vec()),
        2 => Just(b"\r\n".to_vec()),
        4 => Just(format!("{row}\n").into_bytes()),
        2 => Just(framed.into_bytes()),
        1 => Just(EASY.as_bytes().chunks(9).collect::<Vec<_>>().join(&b'\n')),
        8 => select(words).prop_map(|word| word.as_bytes().to_vec()),
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
    fn any_text_is_read_the_same_however_it_comes_and_whatever_is_known_of_it(
        text in texts(),
        (seed, is_known) in any::<([u8; 3], bool)>(),
        chunk_bytes in 1usize..500,
    ) {
        let hints = if is_known { hints(seed) } else { grids(seed[0] & 1 != 0) };
        check(&text, &hints, chunk_bytes);
    }
}

/// Lines that a stream cannot keep whole, or that fill the head, where each layout may have them.
#[test]
fn overlong_lines_are_read_the_same_however_they_come() {
    let rows: Vec<u8> = EASY.as_bytes().chunks(9).collect::<Vec<_>>().join(&b'\n');
    for bytes in [65_540, MAX_LINE_BYTES - 1, MAX_LINE_BYTES, MAX_LINE_BYTES + 4] {
        for byte in [b'1', b'#', b',', b'"', b'-'] {
            let line = &vec![byte; bytes][..];
            let easy = EASY.as_bytes();
            for text in [
                [easy, b"\n", line, b"\r\n", easy, line].concat(),
                [line, b"\n", easy].concat(),
                [&line[..bytes - 81], easy].concat(),
                [b"puzzle,", &line[..bytes - 7], b"\n", easy].concat(),
                [b"puzzle,solution\n", easy, b",", line, b"\n"].concat(),
            ] {
                check(&text, &grids(false), 1000);
            }
            // Within a grid, and in place of its last row.
            for text in [
                [&rows[..40], line, b"\n", &rows, b"\n\n", &rows].concat(),
                [&rows[..80], line, b"\n", &rows].concat(),
            ] {
                check(&text, &grids(true), 1000);
            }
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

/// A puzzle, and the answer in its row, if that is no malformed one.
type Pair = (Grid, Option<Given>);

/// The grid of a text, as one would say it: 81 cells, and five bytes for a blank.
fn slow_grid(text: &str) -> Option<Grid> {
    let usual = text.replace(['0', '_', '*', '-'], ".");
    let fits = usual.len() == 81 && usual.chars().all(|it| ".123456789".contains(it));
    fits.then(|| ninefold::puzzle::parse::line(usual.as_bytes()).unwrap())
}

fn slow_row(fields: &[String], puzzle: usize, solution: usize) -> Result<Pair, ()> {
    let grid = fields.get(puzzle).and_then(|field| slow_grid(field));
    let given = match fields.get(solution).map_or("", String::as_str) {
        "" => Some(Given::Missing),
        // What is wrong with it is another question: `None` stands for any of that.
        text => slow_grid(text).map(Given::Cells),
    };
    grid.map(|grid| (grid, given)).ok_or(())
}

fn judgements(reading: &Reading) -> Vec<Option<Result<Pair, ()>>> {
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
    /// The quick ways of the reader against the rules: fields are cut at each delimiter, spaces around them do not
    /// belong to them, quotation marks hide all between them, and a line with a hash may be a comment.
    #[test]
    fn rows_are_read_as_the_rules_say(
        rows in prop::collection::vec(prop::collection::vec(field(), 1..5), 0..8),
        delimiter in select(vec![",", ";", "\t", "|", ":"]),
        (puzzle, solution) in (0usize..3, 0usize..4),
        ends in select(vec!["\n", "\r\n"]),
        chunk_bytes in 1usize..400,
    ) {
        // The first row settles the layout.
        let mut lines = vec![([EASY; 4].join(delimiter), [EASY; 4].map(str::to_owned).to_vec())];
        lines.extend(rows.iter().map(|row| {
            let written = |(field, quoted, space): &(String, bool, &str)| {
                let space = if delimiter == "\t" { "" } else { space };
                let mark = if *quoted { "\"" } else { "" };
                [space, mark, field, mark, space].concat()
            };
            let written: Vec<_> = row.iter().map(written).collect();
            (written.join(delimiter), row.iter().map(|(field, ..)| field.clone()).collect())
        }));
        let judge = |(line, fields): &(String, Vec<String>)| {
            let digits = |text: &str| text.matches(|c| matches!(c, '1'..='9')).count();
            let mut runs = line.split(|c| !".0_*-123456789".contains(c));
            let has_cells = digits(line) >= 17 || runs.any(|run| run.len() >= 17 && digits(run) > 0);
            let is_comment = line.starts_with('#') && !has_cells;
            let is_nothing = line.chars().all(|c| c == ' ' || c == '\t');
            (!is_comment && !is_nothing).then(|| slow_row(fields, puzzle, solution))
        };
        let expected: Vec<_> = lines.iter().map(judge).collect();
        let text: String = lines.iter().map(|(line, _)| [line, ends].concat()).collect();
        let hints = Hints {
            puzzle: Some(ColumnRef::Place(puzzle)),
            solution: Some(ColumnRef::Place(solution)),
            delimiter: Some(Delimiter::Byte(delimiter.as_bytes()[0])),
            no_header: true,
            ..Hints::default()
        };
        let found = read(Source::from_bytes("rows", text.clone().into()), &hints, chunk_bytes, all());
        prop_assert_eq!(judgements(&found), expected, "{}", text);
        check(text.as_bytes(), &hints, chunk_bytes);
    }
}
