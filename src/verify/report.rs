//! What a run found.

use super::answers::MatchedBy;
use super::tally::Tally;
use crate::bank::Bank;
use crate::bulk::SlowLine;
use std::sync::Arc;
use std::time::Duration;

/// What a run found.
///
/// ```
/// use crate::input::Source;
/// use crate::output::Sink;
/// use crate::pipeline::Control;
/// use crate::verify::Verify;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one", line.into());
/// let sink = Sink::from_writer("nothing", std::io::sink());
/// let report = Verify::default().run(vec![source], None, sink, Control::default())?;
/// assert!(report.all_pass());
/// assert_eq!((report.total.puzzles, report.matched_by, report.table_bytes), (1, None, None));
/// # Ok::<(), crate::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// All inputs together.
    pub total: Tally,
    /// Each input, in their order.
    pub inputs: Vec<InputReport>,
    /// How the answers of another file were matched, if there was one.
    pub matched_by: Option<MatchedBy>,
    /// Bytes of the table that found duplicates.
    pub table_bytes: Option<usize>,
    /// What is known of the bank, if there was one.
    pub bank: Option<BankReport>,
    /// How many workers there were.
    pub threads: usize,
    /// The time that all workers together spent on judging.
    pub solve_time: Duration,
    /// The line that took longest to solve, if that was [`SLOW`](crate::bulk::SLOW) or more.
    pub slowest: Option<SlowLine>,
}

/// The bank that puzzles were compared with.
///
/// ```
/// use crate::bank::Load;
/// use crate::input::Source;
/// use crate::output::{Sink, Transaction};
/// use crate::pipeline::Control;
/// use crate::verify::Verify;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = || vec![Source::from_bytes("one", line.into())];
/// let bank = Load::default().load(source(), Control::default())?;
/// let mut output = Transaction::from(Sink::from_writer("nothing", std::io::sink()));
/// let verify = Verify::default();
/// let report = verify.write_against(source(), None, Some(bank), &mut output, Control::default())?;
/// assert_eq!((report.total.in_bank, report.bank.unwrap().puzzles), (1, 1));
/// # Ok::<(), crate::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BankReport {
    /// How many puzzles it has, duplicates included.
    pub puzzles: u64,
    /// How many of its lines are not puzzles.
    pub malformed: u64,
    /// Bytes of its table in memory.
    pub table_bytes: usize,
}

impl From<&Bank> for BankReport {
    fn from(bank: &Bank) -> Self {
        let Bank { puzzles, malformed, ref table, .. } = *bank;
        Self { puzzles, malformed, table_bytes: table.bytes() }
    }
}

/// What a run found in one input.
///
/// ```
/// use crate::input::Source;
/// use crate::output::Sink;
/// use crate::pipeline::Control;
/// use crate::verify::Verify;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one", line.into());
/// let sink = Sink::from_writer("nothing", std::io::sink());
/// let report = Verify::default().run(vec![source], None, sink, Control::default())?;
/// assert_eq!(&*report.inputs[0].name, "one");
/// assert_eq!(report.inputs[0].tally.passed, 1);
/// # Ok::<(), crate::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputReport {
    /// The input's name.
    pub name: Arc<str>,
    /// Its counts.
    pub tally: Tally,
}

impl Report {
    /// Whether nothing is wrong.
    #[must_use]
    pub const fn all_pass(&self) -> bool {
        self.total.passed == self.total.puzzles
    }
}
