//! A chunk read as puzzles: the grids side by side, as engines want them, and between them
//! the lines that are none.
//!
//! ```text
//! line  0  1  2  3  4  5  6            grids   p0 p3 p5 p6
//!       p  #  ␤  p  ?  p  p            gaps    before 1: 2 lines passed over
//!                                              before 2: 1 line malformed
//! ```
//!
//! So a plain puzzle costs its grid and nothing else; its line number follows from the gaps.

use super::chunk::Chunk;
use super::lines::Line;
use crate::puzzle::parse;
use crate::puzzle::{Cell, Grid, ParseError};

/// A line, or lines, that gave no grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// How many grids came before.
    pub grids_before: usize,
    /// What stands there.
    pub what: What,
}

/// What a line that gives no grid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// So many lines that are empty or comments, one after the other.
    PassedOver(u64),
    /// A line that should be a puzzle.
    Malformed(ParseError),
}

/// The puzzles of one chunk, with the memory for them.
#[derive(Default)]
pub struct Puzzles {
    grids: Vec<Grid>,
    gaps: Vec<Gap>,
}

impl Puzzles {
    /// No puzzles.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The grids, in the order of their lines.
    #[must_use]
    pub fn grids(&self) -> &[Grid] {
        &self.grids
    }

    /// What stands between them.
    #[must_use]
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Reads a chunk, in place of what was read before.
    pub fn read(&mut self, chunk: &Chunk) {
        self.grids.clear();
        self.gaps.clear();
        let mut lines = chunk.lines();
        self.grids.reserve(lines.remaining_bytes() / (Cell::COUNT + 1) + 1);
        loop {
            lines.take_plain(&mut self.grids);
            let Some(line) = lines.next() else { break };
            self.add_line(line);
        }
    }

    /// A line of any kind.
    fn add_line(&mut self, line: Line) {
        let what = match line.bytes.first() {
            None | Some(b'#') => What::PassedOver(1),
            Some(_) => match parse_line(line) {
                Ok(grid) => return self.grids.push(grid),
                Err(error) => What::Malformed(error),
            },
        };
        let grids_before = self.grids.len();
        if let (What::PassedOver(_), Some(gap)) = (what, self.gaps.last_mut())
            && let What::PassedOver(lines) = &mut gap.what
            && gap.grids_before == grids_before
        {
            *lines += 1;
            return;
        }
        self.gaps.push(Gap { grids_before, what });
    }
}

/// A line's grid. A line that goes on past what was kept of it is too long by its full length.
fn parse_line(line: Line) -> Result<Grid, ParseError> {
    parse::line(line.bytes).map_err(|error| match error {
        ParseError::Length { .. } => {
            ParseError::Length { found: usize::try_from(line.length).unwrap_or(usize::MAX) }
        }
        byte @ ParseError::Byte { .. } => byte,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{MAX_LINE_BYTES, Source};

    fn read(text: Vec<u8>) -> Puzzles {
        let mut chunk = Chunk::new();
        Source::from_bytes("text", text).into_chunks(usize::MAX).fill(&mut chunk).unwrap();
        let mut puzzles = Puzzles::new();
        puzzles.read(&chunk);
        puzzles
    }

    #[test]
    fn comments_and_empty_lines_are_passed_over_wherever_they_stand() {
        let puzzle = ".".repeat(81);
        let comment = format!("#{}", &puzzle[1..]);
        let text = format!("\n{comment}\n{puzzle}\n\r\n#\r\n{puzzle}\r\n{puzzle}\n1\n\n{puzzle}");
        let puzzles = read(text.into());
        let passed = |grids_before, lines| Gap { grids_before, what: What::PassedOver(lines) };
        let malformed = What::Malformed(ParseError::Length { found: 1 });
        let gaps = [passed(0, 2), passed(1, 2), Gap { grids_before: 3, what: malformed }];
        assert_eq!(puzzles.grids(), [Grid::EMPTY; 4]);
        assert_eq!(puzzles.gaps(), [&gaps[..], &[passed(3, 1)]].concat());
    }

    #[test]
    fn an_overlong_line_is_malformed_by_its_full_length() {
        let found = 3 * MAX_LINE_BYTES;
        let what = What::Malformed(ParseError::Length { found });
        assert_eq!(read(vec![b'1'; found]).gaps(), [Gap { grids_before: 0, what }]);
    }
}
