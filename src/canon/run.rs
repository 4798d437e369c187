//! A whole run: inputs in, forms out.

use super::outcome::{FormKind, Outcome};
use super::stats::Stats;
use super::worker::Worker;
use crate::bulk::{Error, Report, bounds, write_records};
use crate::engine::EngineKind;
use crate::engine::lanes::SimdLevel;
use crate::input::Source;
use crate::names::NameSet;
use crate::output::{Sink, Style, Transaction};
use crate::pipeline::{Control, Pipeline};

/// How to write canonical forms.
///
/// ```
/// use ninefold::canon::Canonize;
/// use ninefold::input::Source;
/// use ninefold::output::Sink;
/// use ninefold::pipeline::Control;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("one puzzle", puzzle.into());
/// let report = Canonize::default().run(vec![source], Sink::stdout(), Control::default())?;
/// // Writes: ..............1.2..3..2.4...5..3..5.6...2........
/// assert_eq!(report.total.canonical, 1);
/// # Ok::<(), ninefold::bulk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonize {
    /// Which form.
    pub form: FormKind,
    /// The engine that solves, if the form needs the solution.
    pub engine: EngineKind,
    /// Which vectors the engine may use.
    pub simd: SimdLevel,
    /// The most branches of a puzzle. One that takes more is [`Outcome::Unknown`].
    pub max_branches: Option<u32>,
    /// How records are written: with the columns of [`Canonize::COLUMNS`] or
    /// [`Canonize::COLUMNS_WITH_MAP`].
    pub style: Style,
    /// Which records are written.
    pub select: NameSet<Outcome>,
    /// Whether the lines that have no form are kept.
    pub rejects: bool,
    /// On how many threads.
    pub pipeline: Pipeline,
}

impl Default for Canonize {
    fn default() -> Self {
        Self {
            form: FormKind::default(),
            engine: EngineKind::default(),
            simd: SimdLevel::best(),
            max_branches: None,
            style: Style { columns: &Self::COLUMNS, ..Style::default() },
            select: NameSet::ALL,
            rejects: false,
            pipeline: Pipeline::default(),
        }
    }
}

impl Canonize {
    /// The columns of a table of forms, without the input's name.
    pub const COLUMNS: [&str; 5] = ["line", "status", "puzzle", "form", "automorphisms"];

    /// The same with the transformation of each puzzle to its form, in the text form of
    /// [`Isomorphism`](crate::symmetry::Isomorphism).
    pub const COLUMNS_WITH_MAP: [&str; 6] =
        ["line", "status", "puzzle", "form", "automorphisms", "map"];

    /// Writes the form of every puzzle of the sources, in their order: one record each.
    ///
    /// # Errors
    /// See [`Error`]. Puzzles without a form are no errors: they are counted in the report.
    pub fn run(
        &self,
        sources: Vec<Source>,
        sink: Sink,
        control: Control<'_>,
    ) -> Result<Report<Stats>, Error> {
        Transaction::whole(sink, |output| self.write(sources, output, control))
    }

    /// As [`Canonize::run`], but into a transaction, which the caller commits or suspends. If it is
    /// resumed, the sources are read from its checkpoint on.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write(
        &self,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report<Stats>, Error> {
        let bounds = bounds(self.max_branches, control.cancel());
        let make = || {
            let engine = self.engine.build_bounded(self.simd, bounds.clone());
            Worker::new(self.form, engine, &self.style, self.select, self.rejects)
        };
        write_records(&self.pipeline, &self.style.preamble(), make, sources, output, control)
    }
}
