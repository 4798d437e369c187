//! Parts of a split, and puzzles that are found again.

use super::columns::{CONTAINS, FIRST, KEY, PART};
use super::puzzles::{NoPuzzle, RowPuzzles, of_puzzles};
use crate::arrow::{ArrayRow, ResultColumn, ResultTable, ResultValue, RowQuestion};
use ninefold::bank::{Key, Known, Same};
use ninefold::puzzle::parse::PENCILMARKS;
use ninefold::select::{Classes, Group, Split};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// A bank that is read while it may grow.
pub(crate) type SharedBank = Arc<RwLock<Known>>;

/// The bank, for reading.
pub(crate) fn read(bank: &RwLock<Known>) -> RwLockReadGuard<'_, Known> {
    bank.read().unwrap_or_else(PoisonError::into_inner)
}

/// The name of the part that the hash of each row's class gives.
pub(crate) fn parts(group: Group, seed: u64, split: Split) -> RowQuestion {
    let names: Vec<String> = split.names().map(str::to_owned).collect();
    let make = move |_| (Classes::new(group, seed), RowPuzzles::default());
    RowQuestion::new(PART, 1024, make, move |(classes, puzzles), columns, rows, table| {
        puzzles.read(&columns[0], rows.clone());
        if Classes::need_solutions(group) {
            puzzles.solve(2);
        }
        for (row, entry) in rows.zip(&puzzles.entries) {
            if *entry == Err(NoPuzzle::Null) {
                table.push(&[]);
                continue;
            }
            let number = entry.as_ref().ok();
            let puzzle = number.map(|&number| puzzles.puzzle(number));
            let cells = &mut [0; PENCILMARKS];
            let text = match (&puzzle, columns[0].row(row)) {
                // However its blanks are written.
                (Some(puzzle), _) => puzzle.line(b'.', cells),
                (None, ArrayRow::Text(text)) => text,
                (None, ArrayRow::Digits(digits)) => digits,
                (None, ArrayRow::Null | ArrayRow::Length(_)) => &[],
            };
            let solution = number.and_then(|&number| puzzles.solution(number));
            let class = classes.of(puzzle.as_ref(), solution, text);
            table.push(&[names[split.part(class)].as_str().into()]);
        }
    })
}

/// Makes the keys of puzzles for a bank, or says why a row has no puzzle.
pub(crate) fn keys(bank: SharedBank) -> RowQuestion {
    looked_up(KEY, bank, |_, key, table| match key {
        Ok(key) => table.push(&[ResultValue::Text(&key.to_bytes())]),
        Err(none) => none.push(table),
    })
}

/// Tells which puzzles a bank has.
pub(crate) fn contains(bank: SharedBank) -> RowQuestion {
    looked_up(CONTAINS, bank, |bank, key, table| {
        table.push(&[ResultValue::Flag(key.is_ok_and(|key| bank.first(key).is_some()))]);
    })
}

/// Finds the place of each puzzle in a bank.
pub(crate) fn first(bank: SharedBank) -> RowQuestion {
    looked_up(FIRST, bank, |bank, key, table| {
        let place = key.ok().and_then(|key| i64::try_from(bank.first(key)?).ok());
        table.push(&[place.map_or(ResultValue::None, ResultValue::Number)]);
    })
}

fn looked_up(
    columns: &'static [ResultColumn],
    bank: SharedBank,
    push: fn(&Known, Result<Key, &NoPuzzle>, &mut ResultTable),
) -> RowQuestion {
    let limit = (read(&bank).same() == Same::Isomorphic).then_some(2);
    let known = Arc::clone(&bank);
    let make = move |_| read(&known).keys();
    of_puzzles(columns, 1024, limit, make, move |keys, puzzles, table| {
        let bank = read(&bank);
        for entry in &puzzles.entries {
            let of = |&number: &usize| keys.of(&puzzles.puzzle(number), puzzles.solution(number));
            push(&bank, entry.as_ref().map(of), table);
        }
    })
}
