//! The head of an input: its first lines, and which of them may be above the rows.

use crate::input::class::{CELLS_OF_A_PUZZLE, clues, is_clue, is_drawn};
use crate::input::lines::{BYTE_ORDER_MARK, is_empty};
use crate::puzzle::parse::Blanks;

/// A line that is neither empty, nor drawn, nor a comment in words.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeadLine<'a> {
    pub(super) number: u64,
    /// Where it begins and where the next line begins, in bytes of the input.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its bytes, without a byte-order mark.
    pub(super) text: &'a [u8],
    /// The drawn line directly below it.
    pub(super) rule: Option<&'a [u8]>,
}

/// The whole lines among these bytes. A table has lines that are rows alone.
pub(super) fn head_lines(bytes: &[u8], ended: bool, is_table: bool) -> Vec<HeadLine<'_>> {
    let (mut lines, mut start, mut is_below) = (Vec::<HeadLine>::new(), 0, false);
    for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let (begin, end) = (start, start + line.len());
        start = end;
        let is_whole = line.ends_with(b"\n");
        if !is_whole && !ended {
            break;
        }
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let is_none = is_drawn(text) || text.starts_with(b"# ");
        let is_row = !is_empty(text) && (is_table || !is_none);
        if is_row {
            lines.push(HeadLine { number, start: begin, end, text, rule: None });
        } else if let Some(above) = lines.last_mut().filter(|_| is_below && is_drawn(text)) {
            above.rule = Some(text);
        }
        is_below = is_row;
    }
    lines
}

/// Whether a line has as many cells as a puzzle. Then it is neither a header nor a title.
pub(in crate::input) fn has_cells(line: &[u8], blanks: &Blanks) -> bool {
    let mut runs = line.chunk_by(|one, next| blanks.is_cell(*one) == blanks.is_cell(*next));
    let has_run =
        runs.any(|run| run.len() >= CELLS_OF_A_PUZZLE && run.iter().any(|it| is_clue(*it)));
    has_run || clues(line) >= CELLS_OF_A_PUZZLE
}

/// Whether a field is a number, or a date: digits and what may stand between them.
pub(super) fn is_number(field: &[u8]) -> bool {
    let of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.,:/".contains(byte);
    field.iter().any(u8::is_ascii_digit) && field.iter().all(of_number)
}
