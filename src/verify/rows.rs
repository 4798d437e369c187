//! Rows of a puzzle and its answer, checked as bytes: 164 of them and nothing parsed.

use crate::puzzle::Cell;
use crate::puzzle::answer::check_lines;

/// Goes over rows that have a puzzle, one byte between, its answer, and a line end, as long as
/// the answers are right; calls `each` with the number of clues of each puzzle.
///
/// Gives the bytes of these rows. What follows is a row that is wrong or written in another way,
/// or the text is at its end; the caller looks at that row by other means, and may come back
/// behind it. A line ends with LF or CRLF, also mixed.
pub(super) fn right_rows(text: &[u8], delimiter: u8, mut each: impl FnMut(usize)) -> usize {
    /// Puzzle, delimiter, answer.
    const ROW: usize = 2 * Cell::COUNT + 1;
    let mut rest = text;
    while let Some((row, behind)) = rest.split_first_chunk::<ROW>() {
        let ([b'\n', behind @ ..] | [b'\r', b'\n', behind @ ..]) = behind else { break };
        let (puzzle, answer) = row.split_at(Cell::COUNT);
        let (Ok(puzzle), [between, answer @ ..]) = (puzzle.try_into(), answer) else { break };
        let Ok(answer) = answer.try_into() else { break };
        match check_lines(puzzle, answer) {
            Some(clues) if *between == delimiter => each(clues),
            _ => break,
        }
        rest = behind;
    }
    text.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::answer::LineCells;

    const PUZZLE: &LineCells =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &LineCells =
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn rows_are_gone_over_up_to_the_first_that_is_not_right() {
        let row = [PUZZLE.as_slice(), b",", SOLVED].concat();
        let mut text = Vec::new();
        for end in ["\n", "\r\n", "\n"] {
            text.extend_from_slice(&row);
            text.extend_from_slice(end.as_bytes());
        }
        let right = text.len();
        let mut clues = Vec::new();
        for tail in ["", "\n", "1", "# note\n", &"1".repeat(163), &"1".repeat(200)] {
            clues.clear();
            let text = [&text, tail.as_bytes()].concat();
            assert_eq!(right_rows(&text, b',', |count| clues.push(count)), right, "{tail}");
            assert_eq!(clues, [30; 3]);
        }
        assert_eq!(right_rows(&text, b';', |_| ()), 0);
        // A row is one only with its end, and only with a right answer.
        assert_eq!(right_rows(&text[..right - 1], b',', |_| ()), 164 + 165);
        text[164 + 100] = b'0';
        assert_eq!(right_rows(&text, b',', |_| ()), 164);
    }
}
