//! Why an input is read as it is, or refused.

use super::shape::{Layout, Understood};
use crate::input::fields::{Delimiter, PUZZLE_NAMES};
use std::fmt;
use std::io;
use std::sync::Arc;

/// The most candidates that are kept: an input may have a MiB of lines that say nothing.
const MOST_CANDIDATES: usize = 64;

/// A reading of a line that was considered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    line: u64,
    reading: String,
    is_accepted: bool,
    reason: String,
}

impl Candidate {
    /// The line, counted from 1; 0 for the input as a whole.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// What the line was taken for: `count`, `header, fields divided by ','`, `row` and so on.
    #[must_use]
    pub fn reading(&self) -> &str {
        &self.reading
    }

    /// Whether the line is read so. A later candidate for the same line may revise that.
    #[must_use]
    pub const fn is_accepted(&self) -> bool {
        self.is_accepted
    }

    /// Why.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, reading, is_accepted, reason } = self;
        match line {
            0 => f.write_str("input: ")?,
            line => write!(f, "line {line}: ")?,
        }
        let verdict = if *is_accepted { "accepted" } else { "rejected" };
        write!(f, "{reading}: {verdict}: {reason}")
    }
}

/// How the layout of an input was found: all candidates in the order in which they were considered,
/// and the decision.
#[derive(Clone, Debug)]
pub struct Explanation {
    name: Arc<str>,
    candidates: Vec<Candidate>,
    /// Candidates that were not kept.
    omitted: u64,
    /// A line for each field with its evidence, and the rules that decided.
    evidence: Vec<String>,
    layout: Result<Layout, NoPuzzle>,
}

impl Explanation {
    pub(in crate::input) fn new(name: &Arc<str>) -> Self {
        let layout = Ok(Layout::plain());
        Self {
            name: Arc::clone(name),
            candidates: Vec::new(),
            omitted: 0,
            evidence: Vec::new(),
            layout,
        }
    }

    /// The candidates.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The evidence: what each field of a table or key of objects holds, and the rules that decided.
    #[must_use]
    pub fn evidence(&self) -> &[String] {
        &self.evidence
    }

    /// The layout that was found, or why the input is refused.
    ///
    /// # Errors
    /// No puzzle was found.
    pub const fn layout(&self) -> Result<&Layout, &NoPuzzle> {
        self.layout.as_ref()
    }

    /// Adds a candidate.
    pub(in crate::input) fn candidate(
        &mut self,
        line: u64,
        reading: String,
        is_accepted: bool,
        reason: String,
    ) {
        if self.candidates.len() < MOST_CANDIDATES {
            self.candidates.push(Candidate { line, reading, is_accepted, reason });
        } else {
            self.omitted += 1;
        }
    }

    /// Adds a line of evidence.
    pub(super) fn field(&mut self, line: String) {
        if self.evidence.len() < MOST_CANDIDATES {
            self.evidence.push(line);
        }
    }

    /// Another reading is considered.
    pub(super) fn clear_evidence(&mut self) {
        self.evidence.clear();
    }

    /// The layout was known beforehand.
    pub(in crate::input) fn told(&mut self) {
        self.candidate(0, "layout".to_owned(), true, "is given, no line is looked at".to_owned());
    }

    /// The same with the decision.
    ///
    /// # Errors
    /// The input could not be read.
    pub(in crate::input) fn decided(mut self, found: io::Result<Layout>) -> io::Result<Self> {
        self.layout = match found {
            Ok(layout) => Ok(layout),
            Err(error) => Err(error.downcast::<NoPuzzle>()?),
        };
        Ok(self)
    }
}

impl fmt::Display for Explanation {
    /// The name of the input, a line for each candidate, and the decision.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, candidates, omitted, evidence, layout } = self;
        writeln!(f, "{name}")?;
        candidates.iter().try_for_each(|candidate| writeln!(f, "  {candidate}"))?;
        if *omitted > 0 {
            writeln!(f, "  {omitted} more candidates")?;
        }
        evidence.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        match layout {
            Ok(layout) => writeln!(f, "  decision: {}", Understood { layout, name }),
            // The reason is the caller's error.
            Err(_) => writeln!(f, "  decision: refused"),
        }
    }
}

/// Bytes of a line that a message shows.
pub(in crate::input) const SHOWN_BYTES: usize = 60;

/// An input that is refused: no puzzle was found in it, or two readings are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPuzzle {
    /// Lines that were looked at.
    pub(in crate::input) lines: u64,
    pub(in crate::input) wanted: Wanted,
    /// What was said to divide the fields.
    pub(in crate::input) delimiter: Option<Delimiter>,
    /// The first line that is not empty, or its head.
    pub(in crate::input) first_line: Vec<u8>,
    pub(in crate::input) remark: Option<Remark>,
}

/// What the lines may be instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::input) enum Remark {
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
    pub(in crate::input) fn of(line: &[u8]) -> Option<Self> {
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
pub(in crate::input) enum Wanted {
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
    /// Nothing: the input has grids, or is no text, and this says why it is refused.
    Refused(String),
}

impl NoPuzzle {
    /// An input that is refused for this reason.
    pub(super) fn refused(reason: String) -> Self {
        let wanted = Wanted::Refused(reason);
        Self { lines: 0, wanted, delimiter: None, first_line: Vec::new(), remark: None }
    }
}

impl fmt::Display for NoPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CELLS: &str = "81 cells (1 to 9, and . 0 _ * or - for a blank)";
        if let Wanted::Refused(reason) = &self.wanted {
            return f.write_str(reason);
        }
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
            Wanted::Refused(reason) => f.write_str(reason),
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
