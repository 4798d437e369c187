//! Steps as objects, as sentences, and as grids with marks.

use super::{cell_name, removals};
use crate::difficulty::Step;
use crate::output::{Format, Style, push_grid};
use crate::puzzle::parse::PENCILMARKS;
use crate::puzzle::{Cell, Grid, Puzzle};
use std::io::Write;

/// Memory takes all that is written to it.
const FULL: &str = "memory takes all that is written to it";

/// Marks of blank cells without colours: a cell of the pattern, and one that loses a candidate.
const PATTERN: u8 = b'*';
const REMOVED: u8 = b'x';

/// The same with colours, and that of the digit that is placed.
const PATTERN_COLOR: &str = "\x1b[33m";
const REMOVED_COLOR: &str = "\x1b[31m";
const PLACED_COLOR: &str = "\x1b[1;32m";

/// Appends a step as an object to the text of an array.
pub(super) fn push_object(step: &Step, board: Option<&str>, text: &mut Vec<u8>) {
    let strings = |things: Vec<String>| serde_json::to_string(&things).expect(FULL);
    let shown = |things: &[_]| strings(things.iter().map(ToString::to_string).collect());
    let optional = |text: Option<String>| serde_json::to_string(&text).expect(FULL);
    text.extend_from_slice(if text.ends_with(b"[") { b"" } else { b"," });
    let digits: Vec<_> = step.digits.into_iter().map(|digit| digit.to_string()).collect();
    let chains: Vec<_> = step.chains.iter().map(|chain| shown(chain)).collect();
    write!(
        text,
        "{{\"technique\":\"{}\",\"score\":{},\"cells\":{},\"digits\":[{}],\"eliminations\":{},\
         \"placement\":{},\"chains\":[{}]",
        step.technique,
        step.score,
        strings(step.cells.cells().map(cell_name).collect()),
        digits.join(","),
        shown(&removals(step).collect::<Vec<_>>()),
        optional(step.placement.map(|it| it.to_string())),
        chains.join(","),
    )
    .expect(FULL);
    if let Some(board) = board {
        let board = optional((!board.is_empty()).then(|| board.to_owned()));
        write!(text, ",\"board\":{board}").expect(FULL);
    }
    text.push(b'}');
}

/// Appends the puzzle on a line, or as a grid.
pub(super) fn push_puzzle(puzzle: &Puzzle, style: &Style, text: &mut Vec<u8>) {
    if style.format == Format::Grid {
        push_grid(&puzzle.givens().line(style.blank), |_| "", text);
    } else {
        text.extend_from_slice(puzzle.line(style.blank, &mut [0; PENCILMARKS]));
        text.push(b'\n');
    }
}

/// Appends the sentence of a step, and the grid after it.
pub(super) fn push_step(step: &Step, grid: &Grid, boards: bool, style: &Style, text: &mut Vec<u8>) {
    writeln!(text, "{step}").expect(FULL);
    if style.format == Format::Grid {
        push_marked(step, grid, style, text);
    } else if boards && step.placement.is_some() {
        writeln!(text, "{grid}").expect(FULL);
    }
}

/// Appends the grid after a step, with marks.
fn push_marked(step: &Step, grid: &Grid, style: &Style, text: &mut Vec<u8>) {
    let is_placed = |cell| step.placement.is_some_and(|it| it.cell == cell);
    let is_removed = |cell| step.eliminations.iter().any(|it| it.cell == cell);
    let mut cells = grid.line(style.blank);
    if style.color {
        return push_grid(
            &cells,
            |cell| match Cell::new(cell) {
                cell if is_placed(cell) => PLACED_COLOR,
                cell if is_removed(cell) => REMOVED_COLOR,
                cell if step.cells.contains(cell) => PATTERN_COLOR,
                _ => "",
            },
            text,
        );
    }
    for cell in Cell::all().filter(|&cell| grid.get(cell).is_none()) {
        if is_removed(cell) {
            cells[cell.index()] = REMOVED;
        } else if step.cells.contains(cell) {
            cells[cell.index()] = PATTERN;
        }
    }
    push_grid(&cells, |_| "", text);
}
