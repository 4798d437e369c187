//! `ninefold neighbors`: puzzles with one solution that differ from the puzzles of the input in a few clues.
//!
//! ```text
//! workers                                                  ordered stage: NearOrder
//! sources ─> neighbors ─> class known? minimal? er? ─> records ─> class new? ─> output
//!    ^                                                                 │
//!    └─────────────── found: the new puzzles, one more input <─────────┘  (--rounds)
//! ```
//!
//! The search itself is in [`neighbors`](ninefold_core::neighbors). Each class of isomorphic puzzles is written
//! once: at the first source, in input order, that has it. Its neighbors are sorted, so the output is the
//! same for any number of threads.
//!
//! The new puzzles are an input like any other, with the name `found`: its lines are the new puzzles in
//! their order. So a checkpoint says how many of them are searched, and a resumed run reads the new puzzles
//! and the known classes from its own output.

#[cfg(feature = "cli")]
mod args;
mod found;
mod order;
mod worker;

#[cfg(feature = "cli")]
pub(crate) use args::{NeighborsArgs, declared};
pub use ninefold_core::neighbors::{Around, MOST_CLUES, Neighbors};
use order::NearOrder;
pub use order::Round;
use worker::{Kept, NearWorker};

use crate::bank::{Bank, Key};
use crate::difficulty::ScoreRange;
use crate::input::{Layout, Source};
use crate::output::{Column, Format, Transaction};
use crate::pipeline::{Control, Filled};
use crate::puzzle::Cell;
use crate::run::{
    self, Checkpoint, Clues, Command, Count, Inputs, Piece, Report, Run, Worker, Writing,
};
use crate::search::Search;
use found::Found;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::{Arc, RwLock};

ninefold_core::named_enum! {
    /// The outcome of a source.
    pub enum Outcome, "status" {
        Unique = "unique", "has exactly one solution: a neighbor, or a source that was searched";
        Multiple = "multiple", "has more than one solution";
        None = "none", "is legal and has no solution";
        Conflict = "conflict", "has a digit twice in a house";
        Sukaku = "sukaku", "is a sukaku: it has no clues that could be removed";
        Malformed = "malformed", "is not a puzzle";
        Unknown = "unknown", "it or a neighbor takes more branches than allowed";
    }
}

/// The columns of a table of neighbors.
pub const COLUMNS: [Column; 7] = [
    Column::status("unique, or why the source is not searched"),
    Column::text("puzzle", "the neighbor: its canonical form, or as it was found"),
    Column::whole("clues", "the number of its clues"),
    Column::word("minimal", "true if no clue is redundant"),
    Column::decimal("er", "with --er, the score of the hardest step"),
    Column::whole("neighbors", "with --count, the number of neighbors of the neighbor"),
    Column::puzzle("source", "the cells of the source; if malformed, the text of the field"),
];

ninefold_core::named_enum! {
    /// What is counted of neighbors.
    pub enum Near, "count" {
        Found = "found", "a neighbor";
        Minimal = "minimal", "one without a redundant clue";
    }
}

/// Classes that are known: each was examined.
type Known = Arc<RwLock<HashSet<Key>>>;

/// Writes neighbors.
#[derive(Clone, Debug)]
pub struct Nearby {
    /// How many clues change.
    pub around: Around,
    /// All neighbors of each source as they were found, not the canonical form of each class once.
    pub per_source: bool,
    /// Only minimal puzzles.
    pub minimal: bool,
    /// Only puzzles with this number of clues.
    pub clues: RangeInclusive<usize>,
    /// Only puzzles with this rating.
    pub er: Option<ScoreRange>,
    /// Only puzzles that are in none of these, up to symmetry. It must have been loaded with
    /// [`Load::solved`](crate::bank::Load::solved).
    pub bank: Option<Arc<Bank>>,
    /// Whether the neighbors of each neighbor are counted.
    pub count: bool,
    /// How often new puzzles become sources, the first time included. None: until there are none.
    pub rounds: Option<u64>,
    /// The most new puzzles.
    pub max: Option<u64>,
    /// The engine and its bounds.
    pub search: Search,
}

impl Default for Nearby {
    /// One clue is replaced, in one round.
    fn default() -> Self {
        Self {
            around: Around::default(),
            per_source: false,
            minimal: false,
            clues: 0..=Cell::COUNT,
            er: None,
            bank: None,
            count: false,
            rounds: Some(1),
            max: None,
            search: Search::default(),
        }
    }
}

/// The command with the classes that its workers need not examine.
struct Searching<'a> {
    nearby: &'a Nearby,
    known: Known,
}

impl Nearby {
    /// The columns of its tables.
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        let is_wanted = |column: &&Column| match column.name {
            "er" => self.er.is_some(),
            "neighbors" => self.count,
            _ => true,
        };
        COLUMNS.iter().filter(is_wanted).copied().collect()
    }

    /// Its counts.
    #[must_use]
    pub fn counts() -> Vec<Count> {
        let clues = Count::of::<Clues>("clues", 0..=Cell::COUNT);
        vec![Count::statuses::<Outcome>(), Count::each::<Near>(), clues]
    }

    /// Whether new puzzles become sources.
    const fn has_rounds(&self) -> bool {
        !matches!(self.rounds, Some(..=1))
    }

    /// Writes the neighbors of all puzzles of the sources. `ended` is called at the end of each round.
    ///
    /// # Errors
    /// See [`run::Error`].
    pub fn write(
        &self,
        run: &Run,
        mut sources: Vec<Source>,
        ended: &mut dyn FnMut(&Round),
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, run::Error> {
        let (known, found) = (Known::default(), Found::default());
        let reached: Checkpoint = output.resumed()?.unwrap_or_default();
        if !self.per_source {
            found::read_written(self, &run.writing.style, output, &known, &found, &reached.own)?;
        }
        let input = sources.len();
        if self.has_rounds() {
            let reader = found.reader();
            sources.push(Source::from_reader("found", reader).with_layout(Layout::default()));
        }
        let mut order = NearOrder::new(self, input, Arc::clone(&known), found.clone(), ended);
        order.restore(&reached.own);
        let fill = move |inputs: &mut Inputs, piece: &mut Piece, size| {
            let filled = inputs.fill(piece, size)?;
            if filled == Filled::Chunk {
                found.read();
            }
            Ok(filled)
        };
        let command = Searching { nearby: self, known };
        let report =
            run.write(&command, sources, fill, output, control, |taken| order.take(taken))?;
        order.end();
        Ok(report)
    }
}

impl Command for Searching<'_> {
    type Kept = Kept;

    fn columns(&self, _: Format) -> Vec<Column> {
        self.nearby.columns()
    }

    fn counts(&self) -> Vec<Count> {
        Nearby::counts()
    }

    fn worker(&self, writing: &Writing) -> impl Worker<Kept> {
        NearWorker::new(self.nearby, Arc::clone(&self.known), writing)
    }
}
