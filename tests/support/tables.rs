//! Tables of puzzles made from choices, with the reading that they must have.
//!
//! ```text
//! choices ─> Table ─┬─> truth      a row for each record
//!                   └─> bytes      delimiter, header, order of columns, quotation marks, line ends …
//! ```
//!
//! The truth depends on the content alone. So a table with the same content in another order of columns, with
//! other names or line ends, must have the same reading: the metamorphic laws. The only other answer
//! allowed is that the input is refused ([`check`]), and not even that for a table without ambiguity
//! ([`Table::must_be_read`]).
//!
//! `tests/library/metamorphic.rs` and `fuzz/fuzz_targets/tables.rs` hold the reader to them.
#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of this")]

use crate::laws::{self, Puzzle, Reading};
use crate::support::corpus::{self, Answer, Found, Row};
use ninefold::input::{Given, Hints, Source};

/// The records of a reading, in the words of the corpus.
pub fn found(reading: &Reading) -> Found {
    if reading.error.is_some() {
        return Found::Refused;
    }
    Found::Rows(reading.records.iter().map(row_of).collect())
}

/// What a record gave.
pub fn row_of(record: &laws::Record) -> Row {
    let Ok((puzzle, given)) = &record.what else { return Row::Bad };
    let puzzle = match puzzle {
        Puzzle::Grid(grid) => grid.to_string(),
        Puzzle::Sukaku(sukaku) => sukaku.to_string(),
    };
    let answer = match given {
        None | Some(Given::Missing) => Answer::Missing,
        Some(Given::Cells(grid)) => Answer::Grid(grid.to_string()),
        Some(_) => Answer::Bad,
    };
    Row::Puzzle(puzzle, answer)
}

/// A row of bytes that choices are taken from; at its end each choice is the first.
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// A number below this.
    pub fn below(&mut self, end: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(first) % end
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// True once in `times` times.
    pub fn now_and_then(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// Puts them in another order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, self.below(last + 1));
        }
    }
}

/// What is in a column besides the puzzle and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    Id,
    HashId,
    Rating,
    Word,
    Digits,
    Nothing,
    Count,
}

const EXTRAS: [Extra; 7] = [
    Extra::Id,
    Extra::HashId,
    Extra::Rating,
    Extra::Word,
    Extra::Digits,
    Extra::Nothing,
    Extra::Count,
];

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Puzzle,
    Answer,
    Other(Extra),
}

/// What is wrong with the one row that is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The puzzle has 80 cells.
    PuzzleShort,
    /// A cell of the puzzle is `x`.
    PuzzleByte,
    /// There is no puzzle.
    PuzzleMissing,
    /// The answer has 80 cells.
    AnswerShort,
    /// There is no answer.
    AnswerMissing,
    /// The answer has a blank.
    AnswerBlank,
    /// Neither is there.
    BothMissing,
    /// The line is text of another kind.
    OtherText,
}

const DAMAGES: [Damage; 8] = [
    Damage::PuzzleShort,
    Damage::PuzzleByte,
    Damage::PuzzleMissing,
    Damage::AnswerShort,
    Damage::AnswerMissing,
    Damage::AnswerBlank,
    Damage::BothMissing,
    Damage::OtherText,
];

/// What the columns are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// There is no line of names.
    Missing,
    /// The names that the documentation lists.
    Known,
    /// Names that tell a person what they are.
    Telling,
    /// Names that say nothing.
    Letters,
    /// The puzzle has a name of solutions, and the answer one of puzzles.
    Crossed,
}

const HEADERS: [Header; 5] =
    [Header::Known, Header::Missing, Header::Telling, Header::Letters, Header::Crossed];

/// How the table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Fields with a delimiter between.
    Fields { delimiter: &'static str, quotes: Quotes },
    /// A JSON object a line.
    Lines { cells: Cells },
    /// A JSON array of objects, on one line or many.
    Array { cells: Cells, pretty: bool },
}

/// Which fields have quotation marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    None,
    All,
    Grids,
}

/// How JSON has the cells of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    Text,
    Numbers,
    Rows,
}

/// A table of puzzles.
#[derive(Clone, Debug)]
pub struct Table {
    /// The number of each row's puzzle.
    rows: Vec<usize>,
    has_answers: Vec<bool>,
    damage: Option<(usize, Damage)>,
    columns: Vec<Column>,
    header: Header,
    form: Form,
    blank: char,
    ends: &'static str,
    has_mark: bool,
    has_last_end: bool,
}

impl Table {
    /// A table made from choices.
    pub fn choose(choices: &mut Choices) -> Self {
        let rows: Vec<_> = (0..4 + choices.below(5)).map(|_| choices.below(5)).collect();
        let answers = choices.below(4);
        let gap = rows.len() - 2;
        let has_answers = (0..rows.len()).map(|row| match answers {
            // All, none; not the first ones; the first and one other.
            0 => true,
            1 => false,
            2 => row >= gap,
            _ => row == 0 || row == gap,
        });
        let has_answers: Vec<_> = has_answers.collect();
        let damage =
            choices.now_and_then(2).then(|| (choices.below(rows.len()), choices.one_of(&DAMAGES)));
        let mut table = Self {
            rows,
            has_answers,
            damage,
            columns: Vec::new(),
            header: Header::Known,
            form: Form::Fields { delimiter: ",", quotes: Quotes::None },
            blank: '.',
            ends: "\n",
            has_mark: false,
            has_last_end: true,
        };
        table.dress(choices);
        table
    }

    /// The content in another form.
    pub fn dressed(&self, choices: &mut Choices) -> Self {
        let mut other = self.clone();
        other.dress(choices);
        other
    }

    fn dress(&mut self, choices: &mut Choices) {
        let mut columns = vec![Column::Puzzle, Column::Answer];
        for _ in 0..choices.below(4) {
            columns.push(Column::Other(choices.one_of(&EXTRAS)));
        }
        choices.shuffle(&mut columns);
        self.columns = columns;
        self.header = choices.one_of(&HEADERS);
        self.blank = choices.one_of(&['.', '0', '_', '*', '-']);
        self.ends = choices.one_of(&["\n", "\r\n"]);
        self.has_mark = choices.now_and_then(8);
        self.has_last_end = !choices.now_and_then(8);
        let cells = choices.one_of(&[Cells::Text, Cells::Text, Cells::Numbers, Cells::Rows]);
        self.form = match choices.below(8) {
            0..=5 => Form::Fields {
                delimiter: choices.one_of(&[",", ";", "\t", "|", " "]),
                quotes: choices.one_of(&[Quotes::None, Quotes::All, Quotes::Grids]),
            },
            6 => Form::Lines { cells },
            _ => Form::Array { cells, pretty: choices.now_and_then(2) },
        };
        self.settle();
    }

    /// Leaves out what the form cannot express.
    fn settle(&mut self) {
        match self.form {
            Form::Fields { delimiter: " ", quotes } => {
                // A field of spaces cannot be empty, and columns cannot be counted then.
                let empty = |column: &Column| *column == Column::Other(Extra::Nothing);
                self.columns.retain(|column| !empty(column));
                let is_full = self.has_answers.iter().all(|&it| it) && self.damage.is_none();
                if !is_full && quotes != Quotes::All {
                    self.form = Form::Fields { delimiter: ";", quotes };
                }
            }
            Form::Fields { delimiter: "\t", .. } => {
                // A line of tabs alone is an empty line, not a row.
                let is_missing =
                    |(_, it)| matches!(it, Damage::PuzzleMissing | Damage::BothMissing);
                if self.damage.is_some_and(is_missing) {
                    self.columns.push(Column::Other(Extra::Id));
                }
            }
            Form::Array { .. } | Form::Lines { .. } => {
                // An object has keys, and an array no line of other text.
                if self.header == Header::Missing {
                    self.header = Header::Known;
                }
                if self.damage.is_some_and(|(_, it)| it == Damage::OtherText)
                    && matches!(self.form, Form::Array { .. })
                {
                    self.damage = None;
                }
            }
            Form::Fields { .. } => {}
        }
    }

    /// The reading that it must have: one row a record.
    pub fn truth(&self) -> Vec<Row> {
        let row = |place: usize| {
            let puzzle = corpus::puzzles()[self.rows[place]].clone();
            let solution = corpus::solutions()[self.rows[place]].clone();
            let answer =
                if self.has_answers[place] { Answer::Grid(solution) } else { Answer::Missing };
            match self.damage.filter(|(row, _)| *row == place) {
                None => Row::Puzzle(puzzle, answer),
                Some((_, damage)) => match damage {
                    Damage::PuzzleShort
                    | Damage::PuzzleByte
                    | Damage::PuzzleMissing
                    | Damage::BothMissing
                    | Damage::OtherText => Row::Bad,
                    Damage::AnswerMissing => Row::Puzzle(puzzle, Answer::Missing),
                    Damage::AnswerShort | Damage::AnswerBlank => match answer {
                        Answer::Grid(grid) if damage == Damage::AnswerBlank => {
                            Row::Puzzle(puzzle, Answer::Grid(with_blank(&grid)))
                        }
                        Answer::Grid(_) => Row::Puzzle(puzzle, Answer::Bad),
                        other => Row::Puzzle(puzzle, other),
                    },
                },
            }
        };
        (0..self.rows.len()).map(row).collect()
    }

    /// Whether a refusal would be a mistake: at most one row in four or more is damaged, and the
    /// names do not contradict the fields.
    pub fn must_be_read(&self) -> bool {
        self.header != Header::Crossed
    }

    fn name(&self, place: usize) -> String {
        let known = match (self.header, self.columns[place]) {
            (Header::Known, Column::Puzzle) | (Header::Crossed, Column::Answer) => "puzzle",
            (Header::Known, Column::Answer) | (Header::Crossed, Column::Puzzle) => "solution",
            (Header::Telling, Column::Puzzle) => "givens",
            (Header::Telling, Column::Answer) => "solved",
            (Header::Letters | Header::Missing, _) => {
                return char::from(b"abcdefghijklmnopqrstuvwxyz"[place]).to_string();
            }
            (_, Column::Other(extra)) => match extra {
                Extra::Id => "id",
                Extra::HashId => "number",
                Extra::Rating => "rating",
                Extra::Word => "source",
                Extra::Digits => "hash",
                Extra::Nothing => "",
                Extra::Count => "clues",
            },
        };
        // Names of objects differ.
        let is_again = self.columns[..place].contains(&self.columns[place]);
        if is_again { format!("{known}x{place}") } else { known.to_owned() }
    }

    /// The text of a field, without quotation marks.
    fn field(&self, row: usize, column: Column) -> String {
        let damage = self.damage.filter(|(place, _)| *place == row).map(|(_, damage)| damage);
        let number = self.rows[row];
        match column {
            Column::Puzzle => {
                let puzzle = corpus::puzzles()[number].replace('.', &self.blank.to_string());
                match damage {
                    Some(Damage::PuzzleShort) => puzzle[1..].to_owned(),
                    Some(Damage::PuzzleByte) => format!("{}x{}", &puzzle[..40], &puzzle[41..]),
                    Some(Damage::PuzzleMissing | Damage::BothMissing) => String::new(),
                    _ => puzzle,
                }
            }
            Column::Answer if !self.has_answers[row] => String::new(),
            Column::Answer => {
                let solution = corpus::solutions()[number].clone();
                match damage {
                    Some(Damage::AnswerShort) => solution[1..].to_owned(),
                    Some(Damage::AnswerMissing | Damage::BothMissing) => String::new(),
                    Some(Damage::AnswerBlank) => {
                        with_blank(&solution).replace('.', &self.blank.to_string())
                    }
                    _ => solution,
                }
            }
            Column::Other(extra) => match extra {
                Extra::Id => row.to_string(),
                Extra::HashId => format!("#{row}"),
                Extra::Rating => format!("{number}.5"),
                Extra::Word => ["kaggle", "a-b", "ph_1910", "x", "C25.m/S8.f"][number].to_owned(),
                Extra::Digits => format!("0000183b305{number}"),
                Extra::Nothing => String::new(),
                Extra::Count => "1".to_owned(),
            },
        }
    }

    /// The table as a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut text = match self.form {
            Form::Fields { delimiter, quotes } => self.fields(delimiter, quotes),
            Form::Lines { cells } => self.objects(cells).join("\n") + "\n",
            Form::Array { cells, pretty: false } => {
                format!("[{}]\n", self.objects(cells).join(", "))
            }
            Form::Array { cells, .. } => {
                let objects = self.objects(cells).join(",\n");
                format!(
                    "[\n{}\n]\n",
                    objects.replace('{', "  {\n    ").replace(", \"", ",\n    \"")
                )
            }
        };
        if !self.has_last_end {
            text.pop();
        }
        let text = text.replace('\n', self.ends);
        let mark = if self.has_mark { "\u{feff}" } else { "" };
        [mark, &text].concat().into()
    }

    fn fields(&self, delimiter: &str, quotes: Quotes) -> String {
        let mut lines = Vec::new();
        let put = |text: String, is_grid: bool| match quotes {
            Quotes::All => format!("\"{text}\""),
            Quotes::Grids if is_grid && !text.is_empty() => format!("\"{text}\""),
            _ => text,
        };
        if self.header != Header::Missing {
            let names = (0..self.columns.len()).map(|place| put(self.name(place), false));
            lines.push(names.collect::<Vec<_>>().join(delimiter));
        }
        for row in 0..self.rows.len() {
            if self.damage == Some((row, Damage::OtherText)) {
                lines.push("(nothing here)".to_owned());
                continue;
            }
            let field = |&column: &Column| {
                put(self.field(row, column), !matches!(column, Column::Other(_)))
            };
            let fields: Vec<_> = self.columns.iter().map(field).collect();
            lines.push(fields.join(delimiter));
        }
        lines.join("\n") + "\n"
    }

    fn objects(&self, cells: Cells) -> Vec<String> {
        let object = |row: usize| {
            if self.damage == Some((row, Damage::OtherText)) {
                return "(nothing here)".to_owned();
            }
            let member = |place: usize| {
                let column = self.columns[place];
                let text = self.field(row, column);
                let value = match column {
                    Column::Other(Extra::Rating | Extra::Id | Extra::Count) => text,
                    Column::Puzzle | Column::Answer => json_grid(&text, cells),
                    Column::Other(_) => format!("\"{text}\""),
                };
                format!("\"{}\": {value}", self.name(place))
            };
            let members: Vec<_> = (0..self.columns.len()).map(member).collect();
            format!("{{{}}}", members.join(", "))
        };
        (0..self.rows.len()).map(object).collect()
    }
}

fn with_blank(grid: &str) -> String {
    format!("{}.{}", &grid[..40], &grid[41..])
}

/// Makes a table from choices, and the same in other clothes, and holds the readings of both to the laws.
///
/// # Errors
/// The table whose reading breaks a law, and how.
pub fn check(choices: &[u8]) -> Result<(), String> {
    let mut choices = Choices::new(choices);
    let table = Table::choose(&mut choices);
    let other = table.dressed(&mut choices);
    let cut = choices.below(500) + 1;
    // That takes 100 times as long.
    let is_thorough = choices.now_and_then(64);
    for table in [table, other] {
        let bytes = table.bytes();
        let reading = if is_thorough {
            laws::check(&bytes, &Hints::default(), cut)
        } else {
            let source = Source::from_bytes("table", bytes.clone());
            laws::read(source, &Hints::default(), usize::MAX, laws::all())
        };
        let found = found(&reading);
        let (truth, names) = (Found::Rows(table.truth()), corpus::Names::new());
        if found == truth || found == Found::Refused && !table.must_be_read() {
            continue;
        }
        return Err(format!(
            "{}\n  should be {}\n  is        {} {}\n{table:?}",
            String::from_utf8_lossy(&bytes),
            names.show(&truth),
            names.show(&found),
            reading.error.unwrap_or_default(),
        ));
    }
    Ok(())
}

fn json_grid(text: &str, cells: Cells) -> String {
    if text.is_empty() {
        return "null".to_owned();
    }
    let number = |c: char| match c {
        '1'..='9' => c.to_string(),
        'x' => "\"x\"".to_owned(),
        _ => "0".to_owned(),
    };
    let numbers: Vec<_> = text.chars().map(number).collect();
    match cells {
        Cells::Text => format!("\"{text}\""),
        Cells::Numbers => format!("[{}]", numbers.join(",")),
        Cells::Rows => {
            let rows: Vec<_> =
                numbers.chunks(9).map(|row| format!("[{}]", row.join(","))).collect();
            format!("[{}]", rows.join(","))
        }
    }
}
