//! Parts of a split, and puzzles that are found again.

use super::columns::{CONTAINS, FIRST, KEY, PART};
use super::puzzles::{RowEntry, RowPuzzles};
use crate::arrow::{
    ArrayColumn, ArrayError, ArrayRow, ResultColumn, ResultTable, ResultValue, RowQuestion,
};
use ninefold::bank::{Key, Known, Same};
use ninefold::puzzle::{Puzzle, Solution};
use ninefold::select::{Classes, Group, Split};
use std::ops::Range;
use std::sync::Arc;

/// The name of the part that the hash of each row's class gives.
pub(crate) fn parts(group: Group, seed: u64, split: Split) -> RowQuestion {
    let names: Vec<String> = split.names().map(str::to_owned).collect();
    let make = move || (Classes::new(group, seed), SolvedRows::default());
    RowQuestion::new(PART, 1024, make, move |(classes, rows_of), columns, rows, table| {
        rows_of.read(&columns[0], rows.clone(), Classes::need_solutions(group))?;
        for (row, entry) in rows.zip(&rows_of.0.entries) {
            if *entry == RowEntry::Null {
                table.push([]);
                continue;
            }
            let cells;
            let text = match columns[0].row(row)? {
                ArrayRow::Text(text) => text,
                ArrayRow::Digits(digits) => {
                    cells = digits.map(|digit| digit.wrapping_add(b'0'));
                    &cells
                }
                ArrayRow::Null | ArrayRow::Length(_) => &[],
            };
            let (puzzle, solution) = rows_of.of(entry);
            let class = classes.of(puzzle.as_ref(), solution.as_ref(), text);
            table.push([names[split.part(class)].as_str().into()]);
        }
        Ok(())
    })
}

/// Rows and the solutions of those with one, if they are needed.
#[derive(Default)]
struct SolvedRows(RowPuzzles);

impl SolvedRows {
    fn read(
        &mut self,
        column: &ArrayColumn,
        rows: Range<usize>,
        solves: bool,
    ) -> Result<(), ArrayError> {
        self.0.read(column, rows)?;
        self.0.answers.clear();
        if solves {
            self.0.solve(2);
        }
        Ok(())
    }

    /// The puzzle of a row, and its solution if it has exactly one.
    fn of(&self, entry: &RowEntry) -> (Option<Puzzle>, Option<Solution>) {
        let has_answers = !self.0.answers.is_empty();
        let answer = if has_answers { self.0.answer(entry) } else { None };
        (self.0.puzzle(entry), answer.and_then(|it| it.solution()).copied())
    }
}

/// Makes the keys of puzzles for a bank; no bytes for a row without a puzzle.
pub(crate) fn keys(bank: Arc<Known>) -> RowQuestion {
    looked_up(KEY, bank, |_, key, table| {
        let bytes = key.map(Key::to_bytes);
        table.push([bytes.as_ref().map_or(ResultValue::None, |bytes| ResultValue::Text(bytes))]);
    })
}

/// Tells which puzzles a bank has.
pub(crate) fn contains(bank: Arc<Known>) -> RowQuestion {
    looked_up(CONTAINS, bank, |bank, key, table| {
        table.push([ResultValue::Flag(key.is_some_and(|key| bank.first(key).is_some()))]);
    })
}

/// Finds the place of each puzzle in a bank.
pub(crate) fn first(bank: Arc<Known>) -> RowQuestion {
    looked_up(FIRST, bank, |bank, key, table| {
        let place = key.and_then(|key| i64::try_from(bank.first(key)?).ok());
        table.push([place.map_or(ResultValue::None, ResultValue::Number)]);
    })
}

fn looked_up(
    columns: &'static [ResultColumn],
    bank: Arc<Known>,
    push: fn(&Known, Option<Key>, &mut ResultTable),
) -> RowQuestion {
    let known = Arc::clone(&bank);
    let make = move || (known.keys(), SolvedRows::default());
    RowQuestion::new(columns, 1024, make, move |(keys, rows_of), columns, rows, table| {
        rows_of.read(&columns[0], rows, bank.same() == Same::Isomorphic)?;
        for entry in &rows_of.0.entries {
            let (puzzle, solution) = rows_of.of(entry);
            push(&bank, puzzle.map(|it| keys.of(&it, solution.as_ref())), table);
        }
        Ok(())
    })
}
