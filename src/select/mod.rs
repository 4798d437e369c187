//! `ninefold select`: copies the input rows that meet conditions, byte for byte.
//!
//! ```text
//! chunks ─> workers: conditions, banks ─> duplicates ─> sample ─> head ─> split ─> outputs
//!           cheapest first                in input order
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `class` | which rows are in the same part |
//! | `expression` | conditions on columns of the input |
//! | `worker` | the conditions that depend on a row alone |
//! | `picker` | duplicates, and the choice of rows, in input order |
//! | `sample`, `split` | its steps |
#![forbid(unsafe_code)]

#[cfg(feature = "cli")]
mod args;
mod class;
mod expression;
mod picker;
mod sample;
mod split;
mod worker;

#[cfg(feature = "cli")]
pub(crate) use args::SelectArgs;
pub use class::Classes;
pub use expression::Where;
pub use sample::Strata;
pub use split::Split;

use crate::Status;
use crate::bank::{Bank, Form, Same};
use crate::difficulty::{EffortRange, Gauge, Grade, Measure, ScoreRange, Technique};
use crate::input::Source;
use crate::output::Transaction;
use crate::pipeline::Control;
use crate::run::{Command, Count, Countable, Error, Report, Run, Taken, Writing};
use crate::search::Search;
use picker::Picker;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::Arc;
use worker::SelectWorker;

ninefold_core::named_enum! {
    /// What an answer given with a puzzle is.
    pub enum AnswerIs, "answer" {
        Right = "right", "full and legal, and keeps every clue";
        Wrong = "wrong", "anything else in the field of the solution";
        Missing = "missing", "no solution is given";
    }
}

ninefold_core::named_enum! {
    /// A condition, in the order in which conditions are tested: the cheapest first.
    pub enum Condition, "condition" {
        Clues = "--clues", "the number of clues";
        Where = "--where", "columns of the input";
        Answer = "--answer", "the answer given with the puzzle";
        Status = "--status", "the number of solutions";
        Grade = "--grade", "the rules that solve it";
        Effort = "--effort", "the mean number of guesses";
        Minimal = "--minimal", "no clue is redundant";
        Er = "--er", "the score of the hardest step";
        Technique = "--technique", "the hardest technique";
        NotIn = "--not-in", "no bank has it";
        Unseen = "--unseen", "no row before has it";
    }
}

ninefold_core::named_enum! {
    /// A fact about a puzzle that defines its stratum.
    pub enum Stratum, "stratum" {
        Grade = "grade", "naked-singles, singles, locked-candidates, search";
        Effort = "effort", "0, up to 1, 2, 4, 8, 16, ... guesses";
        Er = "er", "each score";
        Technique = "technique", "each hardest technique";
        Clues = "clues", "each number of clues";
        Status = "status", "unique, multiple, none, conflict, malformed";
    }
}

ninefold_core::named_enum! {
    /// Which rows of a split are in the same part: the classes.
    pub enum Group, "group" {
        @default Form = "form", "isomorphic puzzles";
        Solution = "solution", "puzzles whose only solutions are isomorphic; others as form";
        Row = "row", "equal rows";
    }
}

impl Condition {
    /// The measure that it needs.
    const fn measure(self) -> Option<Measure> {
        match self {
            Self::Grade => Some(Measure::Grade),
            Self::Effort => Some(Measure::Effort),
            Self::Er | Self::Technique => Some(Measure::Er),
            _ => None,
        }
    }
}

/// The conditions of which a selected row meets all. Without any, all rows are selected.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// The puzzle has one of these statuses.
    pub status: Vec<Status>,
    /// Its number of clues is in this range.
    pub clues: Option<RangeInclusive<usize>>,
    /// The columns of the row meet this condition.
    pub columns: Option<Where>,
    /// The answer in the row is one of these. Answers are checked by the rules, without solving.
    pub answer: Vec<AnswerIs>,
    /// The puzzle has one of these grades.
    pub grade: Vec<Grade>,
    /// The mean number of guesses is in this range.
    pub effort: Option<EffortRange>,
    /// The score of the hardest step is in this range.
    pub er: Option<ScoreRange>,
    /// Puzzles with a score above this, in tenths, meet neither `er` nor `technique`.
    pub max_er: Option<u8>,
    /// The hardest technique is one of these.
    pub technique: Vec<Technique>,
    /// No clue is redundant.
    pub minimal: bool,
    /// This bank does not have the puzzle.
    pub not_in: Option<Arc<Bank>>,
    /// No row before it has the puzzle.
    pub unseen: Option<Same>,
}

impl Conditions {
    /// Whether there is a condition of this kind.
    fn has(&self, condition: Condition) -> bool {
        match condition {
            Condition::Clues => self.clues.is_some(),
            Condition::Where => self.columns.is_some(),
            Condition::Answer => !self.answer.is_empty(),
            Condition::Status => !self.status.is_empty(),
            Condition::Grade => !self.grade.is_empty(),
            Condition::Effort => self.effort.is_some(),
            Condition::Minimal => self.minimal,
            Condition::Er => self.er.is_some(),
            Condition::Technique => !self.technique.is_empty(),
            Condition::NotIn => self.not_in.is_some(),
            Condition::Unseen => self.unseen.is_some(),
        }
    }

    fn all(&self) -> impl Iterator<Item = Condition> {
        Condition::ALL.iter().copied().filter(|&condition| self.has(condition))
    }

    /// Whether a line that is not a puzzle can meet them.
    fn take_malformed(&self) -> bool {
        self.all().all(|condition| match condition {
            Condition::Status => self.status.contains(&Status::Malformed),
            Condition::NotIn | Condition::Unseen => true,
            _ => false,
        })
    }
}

/// Selects rows.
///
/// ```
/// use ninefold::input::Source;
/// use ninefold::output::{Sink, Transaction};
/// use ninefold::pipeline::Control;
/// use ninefold::run::Run;
/// use ninefold::select::{Conditions, Select};
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let text = format!("id,puzzle\n1,{puzzle}\n2,{}\n", ".".repeat(81));
/// let source = Source::from_bytes("two.csv", text.into());
/// let conditions = Conditions { clues: Some(17..=81), ..Conditions::default() };
/// let select = Select { conditions, ..Select::default() };
/// let mut run = Run::default();
/// run.writing.style.header = true;
/// let mut outputs = Transaction::from(Sink::stdout());
/// // Writes the header and the first row.
/// let report = select.write(&run, vec![source], &mut outputs, Control::default())?;
/// assert_eq!(report.total.puzzles, 2);
/// # Ok::<(), ninefold::run::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Select {
    /// The conditions of the rows.
    pub conditions: Conditions,
    /// Efforts are means over this number of shuffles.
    pub shuffles: NonZeroUsize,
    /// Keep this number of random rows, in the order of the input. They are in memory until the end.
    pub sample: Option<u64>,
    /// Keep a sample of each stratum.
    pub stratify: Option<Strata>,
    /// The seed of the sample and the split.
    pub seed: u64,
    /// Write this number of rows at most.
    pub head: Option<u64>,
    /// Divide the rows into parts, each with an output of its own.
    pub split: Option<Split>,
    /// Which rows are in the same part.
    pub group: Group,
    /// The engine that solves, and the bounds of all searches.
    pub search: Search,
}

impl Default for Select {
    /// All rows.
    fn default() -> Self {
        Self {
            conditions: Conditions::default(),
            shuffles: NonZeroUsize::new(Gauge::DEFAULT_SHUFFLES).expect("it is not 0"),
            sample: None,
            stratify: None,
            seed: 1,
            head: None,
            split: None,
            group: Group::Form,
            search: Search::default(),
        }
    }
}

ninefold_core::named_enum! {
    /// What is counted of rows.
    pub enum Picked, "count" {
        Selected = "selected", "a row that is written";
        Met = "met_all_conditions", "a row that meets all conditions";
        Unknown = "unknown", "a puzzle with a search that was given up";
        TooLong = "too_long", "a row that is too long to be copied";
    }
}

/// A part of a split, by its place.
#[derive(Clone, Copy, Debug)]
pub struct PartPlace(pub usize);

impl Countable for PartPlace {
    fn place(self) -> usize {
        self.0
    }
}

impl Command for Select {
    type Worker = SelectWorker;

    fn counts(&self) -> Vec<Count> {
        let mut counts = vec![
            Count::each::<Picked>().listed(Picked::ALL),
            Count::of::<Condition>("removed", Condition::ALL),
        ];
        let parts = self.split.as_ref();
        counts.extend(parts.map(|split| Count::of::<PartPlace>("parts", split.names())));
        counts
    }

    fn worker(&self, _: &Writing) -> SelectWorker {
        SelectWorker::new(self)
    }
}

impl Select {
    /// The seed of the transformations: the same as that of `rate`, so that efforts are the same.
    const EFFORT_SEED: u64 = 1;

    /// Writes the selected rows of the sources, which the caller commits: to the first output, or to the
    /// first outputs, one for each part of the split. Rejects go to the output after them.
    ///
    /// All sources must have the same header. It is copied if the style has one.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write(
        &self,
        run: &Run,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, Error> {
        let mut picker = Picker::new(self, run.writing.style.header, sources.len());
        let take = |taken: &mut Taken<'_, _>| picker.take(taken);
        let mut report = run.write(self, sources, |it| it, output, control, take)?;
        picker.end(output)?;
        for (place, input) in report.inputs.iter_mut().enumerate() {
            // Rows that were written after the end of all inputs.
            picker.settle(place, &mut [&mut input.counts, &mut report.total]);
        }
        Ok(report)
    }

    /// The forms by which a run finds duplicates and looks for puzzles in the bank.
    fn forms(&self) -> [Option<Form>; 2] {
        [
            self.conditions.unseen.map(|same| Form::of(same, true)),
            self.conditions.not_in.as_ref().map(|bank| bank.form),
        ]
    }

    /// The fact that defines the strata, if it is one.
    const fn stratum(&self) -> Option<Stratum> {
        if let Some(Strata::Fact(fact)) = &self.stratify { Some(*fact) } else { None }
    }

    /// Whether puzzles are solved: for a condition, a form or a stratum.
    fn solves(&self) -> bool {
        let needs = |it| {
            matches!(it, Condition::Status | Condition::Minimal) || Condition::measure(it).is_some()
        };
        self.conditions.all().any(needs)
            || self.forms().contains(&Some(Form::Solution))
            || self.split.is_some() && Classes::need_solutions(self.group)
            || self.stratum().is_some_and(|it| it != Stratum::Clues)
    }
}

impl Stratum {
    /// The measure that it is made of.
    const fn measure(self) -> Option<Measure> {
        match self {
            Self::Effort => Some(Measure::Effort),
            Self::Er | Self::Technique => Some(Measure::Er),
            Self::Grade => Some(Measure::Grade),
            Self::Clues | Self::Status => None,
        }
    }
}
