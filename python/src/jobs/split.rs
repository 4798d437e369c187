//! Parts of a split, and puzzles that are found again.

use super::columns::{CONTAINS, FIRST, KEY, PART};
use super::puzzles::{NoPuzzle, RowPuzzles};
use crate::arrow::{ArrayRow, ResultColumn, ResultTable, ResultValue, RowQuestion};
use ninefold::bank::{Key, Known, Same};
use ninefold::select::{Classes, Group, Split};
use std::sync::Arc;

/// The name of the part that the hash of each row's class gives.
pub(crate) fn parts(group: Group, seed: u64, split: Split) -> RowQuestion {
    let names: Vec<String> = split.names().map(str::to_owned).collect();
    let make = move |_| (Classes::new(group, seed), RowPuzzles::default());
    RowQuestion::new(PART, 1024, make, move |(classes, puzzles), columns, rows, table| {
        puzzles.read(&columns[0], rows.clone())?;
        if Classes::need_solutions(group) {
            puzzles.solve(2);
        }
        for (row, entry) in rows.zip(&puzzles.entries) {
            if *entry == Err(NoPuzzle::Null) {
                table.push(&[]);
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
            let place = entry.as_ref().ok();
            let puzzle = place.map(|place| puzzles.puzzle(place));
            let solution = place.and_then(|place| puzzles.solution(place));
            let class = classes.of(puzzle.as_ref(), solution, text);
            table.push(&[names[split.part(class)].as_str().into()]);
        }
        Ok(())
    })
}

/// Makes the keys of puzzles for a bank; no bytes for a row without a puzzle.
pub(crate) fn keys(bank: Arc<Known>) -> RowQuestion {
    looked_up(KEY, bank, |_, key, table| {
        let bytes = key.map(Key::to_bytes);
        table.push(&[bytes.as_ref().map_or(ResultValue::None, |bytes| ResultValue::Text(bytes))]);
    })
}

/// Tells which puzzles a bank has.
pub(crate) fn contains(bank: Arc<Known>) -> RowQuestion {
    looked_up(CONTAINS, bank, |bank, key, table| {
        table.push(&[ResultValue::Flag(key.is_some_and(|key| bank.first(key).is_some()))]);
    })
}

/// Finds the place of each puzzle in a bank.
pub(crate) fn first(bank: Arc<Known>) -> RowQuestion {
    looked_up(FIRST, bank, |bank, key, table| {
        let place = key.and_then(|key| i64::try_from(bank.first(key)?).ok());
        table.push(&[place.map_or(ResultValue::None, ResultValue::Number)]);
    })
}

fn looked_up(
    columns: &'static [ResultColumn],
    bank: Arc<Known>,
    push: fn(&Known, Option<Key>, &mut ResultTable),
) -> RowQuestion {
    let known = Arc::clone(&bank);
    let make = move |_| (known.keys(), RowPuzzles::default());
    RowQuestion::new(columns, 1024, make, move |(keys, puzzles), columns, rows, table| {
        puzzles.read(&columns[0], rows)?;
        if bank.same() == Same::Isomorphic {
            puzzles.solve(2);
        }
        for entry in &puzzles.entries {
            let key = entry
                .as_ref()
                .ok()
                .map(|place| keys.of(&puzzles.puzzle(place), puzzles.solution(place)));
            push(&bank, key, table);
        }
        Ok(())
    })
}
