//! What to verify, and how to tell it.

use super::judge::Checks;
use super::render::Manner;
use crate::bank::Same;
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::pipeline::Pipeline;

/// What to verify, and how to tell it.
///
/// ```
/// use crate::bank::Same;
/// use crate::input::Source;
/// use crate::output::Sink;
/// use crate::pipeline::Control;
/// use crate::verify::Verify;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("twice", format!("{puzzle}\n{puzzle}\n").into());
/// let verify = Verify { duplicates: Some(Same::Exact), ..Verify::default() };
/// let report = verify.run(vec![source], None, Sink::stdout(), Control::default())?;
/// // Writes: twice:2: same puzzle as twice:1
/// assert_eq!((report.total.passed, report.total.duplicates), (1, 1));
/// # Ok::<(), crate::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verify {
    /// The engine that solves.
    pub engine: EngineKind,
    /// Which vectors the engine may use.
    pub simd: SimdLevel,
    /// The most branches of a puzzle, and the most guesses of a search for its effort. One that takes
    /// more is [`Status::Unknown`](crate::Status::Unknown).
    pub max_branches: Option<u32>,
    /// What is asked of each puzzle.
    pub checks: Checks,
    /// Whether to look for puzzles that came before, in any of the inputs, and which count as the same.
    pub duplicates: Option<Same>,
    /// Whether to show two solutions of a puzzle that has several.
    pub show_two: bool,
    /// How it is told.
    pub manner: Manner,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Default for Verify {
    fn default() -> Self {
        Self {
            engine: EngineKind::default(),
            simd: SimdLevel::best(),
            max_branches: None,
            checks: Checks::default(),
            duplicates: None,
            show_two: false,
            manner: Manner::default(),
            pipeline: Pipeline::default(),
        }
    }
}
