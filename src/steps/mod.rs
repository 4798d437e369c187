//! `ninefold steps`: the steps that solve every puzzle, one technique at a time.
//!
//! ```text
//! chunk ─> engine: one solution? ─> difficulty::Steps ─> csv      a record a step
//!                                                        Parquet  a record a puzzle, with lists
//!                                                        jsonl    an object a puzzle
//!                                                        text     sentences
//!                                                        grid     sentences and grids
//! ```

#[cfg(feature = "cli")]
pub(crate) mod args;
mod numbers;
mod text;

#[doc(hidden)]
pub use numbers::StepNumbers;

use crate::difficulty::{self, Node, Step};
use crate::input::{Chunk, Row};
use crate::output::{Column, Field, Format, Short};
use crate::puzzle::{Cell, Grid, Puzzle};
use crate::run::{Command, Count, Rows, Terms};
use crate::search::{Answers, Search};
use crate::{Status, Verdict};
use std::fmt::Display;
use std::ops::ControlFlow;

const STATUS: Column = Column::status("unique if the puzzle has steps");
const PUZZLE: Column =
    Column::puzzle("puzzle", "the cells of the puzzle; if malformed, the text of the field");

/// The columns of a table: a row for each step. The one before the last is for [`Steps::boards`].
pub const COLUMNS: [Column; 11] = [
    STATUS,
    Column::whole("step", "the number of the step, counted from 1"),
    Column::word("technique", "the technique"),
    Column::decimal("score", "its score"),
    Column::text("cells", "the cells that it is about, as r2c3"),
    Column::word("digits", "the digits that it is about"),
    Column::text("eliminations", "the candidates that it removes, as r2c3<>4"),
    Column::word("placement", "the digit that it places, as r2c3=4"),
    Column::text("chains", "nodes that are true, r2c3=4, or false, r2c3<>4; a bar between chains"),
    Column::text("board", "with --boards, the grid after a step that places a digit"),
    PUZZLE,
];

/// The columns of objects: one for each puzzle.
const OF_OBJECTS: [Column; 3] =
    [STATUS, PUZZLE, Column::text("steps", "an array with an object for each step")];

/// The columns of a table with a row for each puzzle. Lists have an item for each step.
const LIST_COLUMNS: [Column; 8] = [
    STATUS,
    PUZZLE,
    Column::lists("technique", 1, 8, "the technique: its place among all, counted from 0"),
    Column::lists("cell", 1, 8, "the cell in which a digit is placed, 0 to 80; 255 if none is"),
    Column::lists("digit", 1, 8, "the digit that is placed; 0 if none is"),
    Column::lists("eliminations", 3, 8, "cell and digit of each candidate that is removed"),
    Column::lists("boards", 2, 8, "the 81 digits before the step, 0 for a blank"),
    Column::lists("candidates", 2, 16, "the candidates of 81 cells before the step, bit 0 for 1"),
];

ninefold_core::named_enum! {
    /// What is counted of a puzzle with steps.
    pub(crate) enum Explained, "count" {
        Steps = "steps", "its steps";
    }
}

/// Writes steps. The example of the [crate] runs a command.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// Whether records have the grid after each step that places a digit.
    pub boards: bool,
    /// Whether a table has lists of cells and digits in place of text: the program writes them to Parquet files.
    pub lists: bool,
    /// The engine that finds out whether a puzzle has one solution, and the bounds of all searches.
    pub search: Search,
}

impl Command for Steps {
    type Kept = ();

    fn columns(&self, format: Format) -> Vec<Column> {
        if format == Format::Jsonl {
            return OF_OBJECTS.to_vec();
        }
        if self.lists {
            return LIST_COLUMNS.to_vec();
        }
        COLUMNS.into_iter().filter(|it| self.boards || it.name != "board").collect()
    }

    fn counts(&self) -> Vec<Count> {
        vec![Count::statuses::<Status>(), Count::each::<Explained>()]
    }

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, ()>) -> ControlFlow<()> {
        let mut worker = StepsWorker {
            command: self,
            answers: Answers::new(self.search.build(), 2),
            steps: difficulty::Steps::default().with_bounds(self.search.bounds()),
            text: Vec::new(),
        };
        move |chunk, rows| {
            let puzzles = rows.read(chunk);
            rows.work(|_| worker.answers.find(puzzles));
            rows.each(puzzles, Status::Malformed, |row, number, rows| {
                worker.push(row, number, rows);
            })
        }
    }
}

/// Finds steps; has memory for a puzzle.
struct StepsWorker<'a> {
    command: &'a Steps,
    answers: Answers,
    steps: difficulty::Steps,
    /// All steps of a puzzle as text.
    text: Vec<u8>,
}

impl StepsWorker<'_> {
    /// The records of a puzzle.
    fn push(&mut self, row: &Row, number: usize, rows: &mut Rows<'_, ()>) {
        let puzzle = &row.puzzle.expect("the row of a puzzle");
        let verdict = self.answers.verdict(number, puzzle);
        if !matches!(verdict, Verdict::Unique(_)) {
            return rows.unsolved::<Status>(row, &verdict);
        }
        self.steps.restart_unique(*puzzle);
        rows.count(Status::Unique);
        if !rows.wants(Terms::of(Status::Unique)) {
            return;
        }
        match rows.style().format {
            Format::Csv if self.command.lists => self.push_lists(row, rows),
            Format::Csv => self.push_rows(row, rows),
            _ => self.push_text(puzzle, row, rows),
        }
    }

    /// Pushes one row with all steps as lists.
    fn push_lists(&mut self, row: &Row, rows: &mut Rows<'_, ()>) {
        let numbers = StepNumbers::of(&mut self.steps);
        numbers.techniques.iter().for_each(|_| rows.count(Explained::Steps));
        let lists = numbers.json();
        let fields = [plain(Status::Unique.name()), Field::Puzzle].into_iter();
        let fields: Vec<_> = fields.chain(lists.iter().map(|list| Field::Json(list))).collect();
        rows.push(row, Terms::of(Status::Unique), &fields, Short::Nothing);
    }

    /// Pushes a row for each step.
    fn push_rows(&mut self, row: &Row, rows: &mut Rows<'_, ()>) {
        let mut number = 0;
        while let Some(step) = self.steps.next() {
            number += 1;
            rows.count(Explained::Steps);
            let placement = step.placement.map(|it| it.to_string()).unwrap_or_default();
            let digits = joined(step.digits, "");
            let chains = step.chains.iter().map(|chain| joined(chain, " "));
            let (cells, chains) =
                (joined(step.cells.cells().map(cell_name), " "), joined(chains, " | "));
            let eliminations = joined(removals(&step), " ");
            let board = board(&step, self.steps.grid());
            let text = |text| if str::is_empty(text) { Field::Empty } else { plain(text) };
            let fields = [
                plain(Status::Unique.name()),
                Field::Number(number),
                plain(step.technique.name()),
                Field::Tenths(step.score.tenths().unwrap_or_default().into()),
                plain(&cells),
                plain(&digits),
                text(&eliminations),
                text(&placement),
                text(&chains),
                text(&board),
                Field::Puzzle,
            ];
            let fields = fields.iter().zip(COLUMNS);
            let fields = fields.filter(|(_, column)| self.command.boards || column.name != "board");
            let fields: Vec<_> = fields.map(|(field, _)| *field).collect();
            rows.push(row, Terms::of(Status::Unique), &fields, Short::Nothing);
        }
    }

    /// Pushes one record with all steps.
    fn push_text(&mut self, puzzle: &Puzzle, row: &Row, rows: &mut Rows<'_, ()>) {
        let style = rows.style();
        let is_object = style.format == Format::Jsonl;
        self.text.clear();
        if is_object {
            self.text.push(b'[');
        } else {
            text::push_puzzle(puzzle, style, &mut self.text);
        }
        while let Some(step) = self.steps.next() {
            rows.count(Explained::Steps);
            if is_object {
                let board = self.command.boards.then(|| board(&step, self.steps.grid()));
                text::push_object(&step, board.as_deref(), &mut self.text);
            } else {
                let boards = self.command.boards;
                text::push_step(&step, self.steps.grid(), boards, style, &mut self.text);
            }
        }
        self.text.extend(is_object.then_some(b']'));
        let fields = [plain(Status::Unique.name()), Field::Puzzle, Field::Json(&self.text)];
        let fields = if is_object { &fields[..] } else { &[] };
        let terms = Terms::of(Status::Unique);
        rows.push(row, terms, fields, Short::Text(&self.text));
    }
}

/// The grid after a step that places a digit; else nothing.
fn board(step: &Step, grid: &Grid) -> String {
    step.placement.map(|_| grid.to_string()).unwrap_or_default()
}

fn plain(text: &str) -> Field<'_> {
    Field::Plain(text.as_bytes())
}

/// A cell as `r2c3`.
#[doc(hidden)]
pub fn cell_name(cell: Cell) -> String {
    format!("r{}c{}", cell.row() + 1, cell.column() + 1)
}

/// Candidates that are removed: false from now on.
#[doc(hidden)]
pub fn removals(step: &Step) -> impl Iterator<Item = Node> {
    step.eliminations.iter().map(|&candidate| Node { candidate, is_on: false, inner: None })
}

fn joined(things: impl IntoIterator<Item: Display>, between: &str) -> String {
    let texts: Vec<_> = things.into_iter().map(|it| it.to_string()).collect();
    texts.join(between)
}
