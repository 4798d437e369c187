//! What is said of an input in which no puzzle was found.

use super::fields::Delimiter;
use super::layout::PUZZLE_NAMES;
use std::fmt;

/// Bytes of a line that a message shows.
pub(super) const SHOWN_BYTES: usize = 60;

/// An input without a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPuzzle {
    /// Lines that were looked at.
    pub(super) lines: u64,
    pub(super) wanted: Wanted,
    /// What was said to divide the fields.
    pub(super) delimiter: Option<Delimiter>,
    /// The first line that is not empty, or its head.
    pub(super) first_line: Vec<u8>,
    pub(super) remark: Option<Remark>,
}

/// What the lines may be instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Remark {
    /// A line has a CR within: it may be many.
    Returns,
    /// A line has a zero byte, after another.
    Zeros,
    /// A line has a zero byte, and another after it.
    ZerosFirst,
    /// A line has 81 cells, beside a byte that is not known to divide fields.
    Beside(u8),
    /// There are rows of grids.
    Grids,
}

impl Remark {
    /// What there is to say of a line.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        if let Some(place) = memchr::memchr(b'\0', line) {
            return Some(if place % 2 == 0 { Self::ZerosFirst } else { Self::Zeros });
        }
        memchr::memchr(b'\r', line).map(|_| Self::Returns)
    }

    fn text(self) -> String {
        match self {
            Self::Grids => "puzzles of nine lines are read with --grid".to_owned(),
            Self::Returns => {
                "if CR alone ends its lines: tr '\\r' '\\n' < FILE | ninefold COMMAND -".to_owned()
            }
            Self::Beside(byte) => {
                let byte = char::from(byte);
                format!(
                    "81 cells stand beside {byte}, and --delimiter says what divides the fields"
                )
            }
            Self::Zeros | Self::ZerosFirst => {
                let ends = if self == Self::Zeros { "LE" } else { "BE" };
                format!(
                    "it has zero bytes: no text, or UTF-16, and then \
                     iconv -f UTF-16{ends} -t UTF-8 FILE | ninefold COMMAND - reads it"
                )
            }
        }
    }
}

/// What was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Anything.
    Field,
    /// Something in this column.
    Place(usize),
    /// A header with this name.
    Name(String),
    /// Something in the column of this name.
    Column(String),
    /// A solution in this column.
    SolutionPlace(usize),
    /// A header with this name for the solutions.
    SolutionName(String),
    /// Nine lines.
    Grid,
}

impl fmt::Display for NoPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CELLS: &str = "81 cells (1 to 9, and . 0 _ * or - for a blank)";
        let solution = matches!(self.wanted, Wanted::SolutionPlace(_) | Wanted::SolutionName(_));
        write!(f, "no {} found: looked for ", if solution { "solution" } else { "puzzle" })?;
        match &self.wanted {
            Wanted::Field => {
                let names = PUZZLE_NAMES.join(", ");
                write!(f, "a field of {CELLS}, or a header that names a column ({names})")
            }
            Wanted::Place(place) => write!(f, "{CELLS} in column {}", place + 1),
            Wanted::SolutionPlace(place) => write!(f, "column {}", place + 1),
            Wanted::Name(name) | Wanted::SolutionName(name) => {
                write!(f, "a header that names a column {name:?}")
            }
            Wanted::Column(name) => write!(f, "{CELLS} in column {name:?}"),
            Wanted::Grid => f.write_str("lines of nine cells"),
        }?;
        match self.delimiter {
            Some(Delimiter::Byte(byte)) => write!(f, ", divided by '{}',", byte.escape_ascii()),
            Some(Delimiter::Spaces) => f.write_str(", divided by spaces,"),
            Some(Delimiter::Any) | None if self.wanted == Wanted::Field => f.write_str(","),
            Some(Delimiter::Any) | None => Ok(()),
        }?;
        match self.lines {
            0 => f.write_str(" in the first MiB"),
            1 => f.write_str(" in the first 1 line"),
            lines => write!(f, " in the first {lines} lines"),
        }?;
        let shown = &self.first_line[..self.first_line.len().min(SHOWN_BYTES)];
        let more = if shown.len() < self.first_line.len() { "…" } else { "" };
        write!(f, "; the first line is \"{}{more}\"", shown.escape_ascii())?;
        self.remark.iter().try_for_each(|remark| write!(f, "; {}", remark.text()))
    }
}

impl std::error::Error for NoPuzzle {}
