//! `ninefold select`: copies the input rows that meet conditions, byte for byte.
//!
//! ```text
//! chunks ─> workers: conditions, banks ─> duplicates ─> every ─> sample ─> sort ─> head ─> split
//!           cheapest first                in input order                                ─> outputs
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `class` | which rows are in the same part |
//! | `own` | columns of the input in conditions, keys and strata |
//! | `worker` | the conditions that depend on a row alone |
//! | `picker` | duplicates, and the choice of rows, in input order |
//! | `sample`, `sorter`, `split`, `parts` | its steps |
#![forbid(unsafe_code)]

#[cfg(feature = "cli")]
mod args;
mod class;
mod own;
mod parts;
mod picker;
mod sample;
mod sorter;
mod split;
mod worker;

#[cfg(feature = "cli")]
pub(crate) use args::SelectArgs;
pub use class::Classes;
pub use own::{By, Known, Unfit, Where};
pub use parts::{Fit, Member, PartReport, SplitReport, assign};
pub use split::Split;

use crate::Status;
use crate::bank::{Bank, Form, Same};
#[cfg(feature = "cli")]
use crate::cli::parsers;
use crate::difficulty::{EffortRange, Grade, Measure, Meter, ScoreRange, Technique};
use crate::input::{Source, Want};
use crate::names::NameSet;
use crate::output::Transaction;
use crate::pipeline::Control;
#[cfg(feature = "cli")]
use crate::rate::shuffles;
use crate::run::{Command, Count, Error, Inputs, Report, Run, Shape};
use crate::search::Search;
use picker::Picker;
use std::num::{NonZeroU64, NonZeroUsize};
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
    /// The key of a sort.
    pub enum SortBy, "key" {
        Effort = "effort", "mean number of guesses";
        Er = "er", "score of the hardest step";
        Clues = "clues", "number of clues";
    }
}

ninefold_core::named_enum! {
    /// The direction of a sort. Equal rows keep their order; rows without the key come last.
    pub enum Direction, "order" {
        @default Ascending = "ascending", "the lowest first";
        Descending = "descending", "the highest first";
    }
}

ninefold_core::named_enum! {
    /// The value that defines the strata. A sample is drawn from each stratum.
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

/// Which rows are selected: those that meet all conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Conditions {
    /// Select by status
    #[cfg_attr(feature = "cli", arg(long, value_name = "STATUS", value_delimiter = ',',
        value_parser = args::statuses()))]
    pub status: Option<Vec<Status>>,

    /// Select this number of clues: 17..25, 30.. or 24
    #[cfg_attr(feature = "cli", arg(long, value_name = "MIN..MAX", value_parser = parsers::clues,
        allow_negative_numbers = true))]
    pub clues: Option<RangeInclusive<usize>>,

    /// Select by columns: 'rating >= 50'
    ///
    /// = != < <= > >= with a number, a word or 'text'; in (...); is null; and, or, not, parentheses.
    /// clues is the number of clues. See docs/select.md.
    #[cfg_attr(feature = "cli", arg(long = "where", value_name = "EXPR"))]
    pub own: Option<Where>,

    /// Select by answer
    ///
    /// Answers are checked by the rules, without solving.
    #[cfg_attr(feature = "cli", arg(long, value_name = "ANSWER", value_delimiter = ',',
        value_parser = parsers::named::<AnswerIs>()))]
    pub answer: Option<Vec<AnswerIs>>,

    /// Select puzzles that these rules solve
    #[cfg_attr(feature = "cli", arg(long, value_name = "GRADE", value_delimiter = ',',
        value_parser = parsers::named::<Grade>()))]
    pub grade: Option<Vec<Grade>>,

    /// Select by effort; see ninefold rate
    #[cfg_attr(feature = "cli", arg(long, value_name = "MIN..MAX", allow_negative_numbers = true,
        value_parser = parsers::efforts))]
    pub effort: Option<EffortRange>,

    /// Select by Explainer rating, the hardest step
    #[cfg_attr(feature = "cli", arg(long, value_name = "MIN..MAX", allow_negative_numbers = true,
        value_parser = parsers::scores))]
    pub er: Option<ScoreRange>,

    /// Rate up to a score of X
    ///
    /// A puzzle above it is not selected by --er or --technique, and comes last with --sort er.
    #[cfg_attr(feature = "cli", arg(long, value_name = "X", value_parser = parsers::score,
        hide_short_help = true))]
    pub max_er: Option<u8>,

    /// Select by hardest technique, such as x-wing
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", value_delimiter = ',',
        value_parser = parsers::named::<Technique>(), hide_possible_values = true))]
    pub technique: Option<Vec<Technique>>,

    /// Select puzzles without a redundant clue
    #[cfg_attr(feature = "cli", arg(long))]
    pub minimal: bool,

    /// Keep each puzzle once
    ///
    /// HOW is isomorphic if not given. Takes up to 38 bytes of memory per puzzle.
    #[cfg_attr(feature = "cli", arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true,
        default_missing_value = "isomorphic", value_parser = parsers::named::<Same>()))]
    pub unseen: Option<Same>,
}

impl Conditions {
    /// Whether a line that is not a puzzle can meet them.
    fn take_malformed(&self) -> bool {
        let of_puzzles = self.clues.is_some()
            || self.own.is_some()
            || self.answer.is_some()
            || self.minimal
            || self.measures() != NameSet::EMPTY;
        !of_puzzles && self.status.as_ref().is_none_or(|it| it.contains(&Status::Malformed))
    }

    /// The measures that they use.
    fn measures(&self) -> NameSet<Measure> {
        let of_rating = self.er.is_some() || self.technique.is_some();
        measures(self.effort.is_some(), of_rating, self.grade.is_some())
    }
}

/// Which of the rows that meet the conditions are written, and in which order. The steps come in the
/// order of the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Pick {
    /// Keep the first of every K rows
    #[cfg_attr(feature = "cli", arg(long, value_name = "K", help_heading = "Rows", default_value = "1",
        value_parser = args::every, allow_negative_numbers = true))]
    pub every: NonZeroU64,

    /// Keep N random rows; with --stratify, N of each
    ///
    /// The rows are in memory until the end.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help_heading = "Rows",
        value_parser = parsers::whole, allow_negative_numbers = true))]
    pub sample: Option<u64>,

    /// Sample or split each of these strata
    ///
    /// grade, effort, er, technique, clues, status or a column. For --sample and --exact.
    #[cfg_attr(feature = "cli", arg(long, value_name = "BY", help_heading = "Rows"))]
    pub stratify: Option<By<Stratum>>,

    /// Draw sample and split with this seed
    #[cfg_attr(feature = "cli", arg(long, value_name = "S", help_heading = "Rows",
        default_value_t = Pick::default().seed))]
    pub seed: u64,

    /// Sort the rows
    ///
    /// By effort, er, clues or a column. Rows without the key come last.
    #[cfg_attr(feature = "cli", arg(long, value_name = "KEY", help_heading = "Rows"))]
    pub sort: Option<By<SortBy>>,

    /// Sort in this order
    #[cfg_attr(feature = "cli", arg(long, value_name = "ORDER", help_heading = "Rows",
        default_value = "ascending", value_parser = parsers::named::<Direction>(), requires = "sort",
        hide_default_value = true))]
    pub order: Direction,

    /// Keep the first N rows
    ///
    /// Reading stops there if the rows are not sorted or sampled.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help_heading = "Rows",
        value_parser = parsers::whole, allow_negative_numbers = true))]
    pub head: Option<u64>,
}

impl Default for Pick {
    /// All, in input order.
    fn default() -> Self {
        let (sample, stratify, sort, head) = (None, None, None, None);
        let order = Direction::Ascending;
        Self { every: NonZeroU64::MIN, sample, stratify, seed: 1, sort, order, head }
    }
}

impl Pick {
    /// Whether a row is written as soon as it is known to be selected.
    const fn keeps_order(&self) -> bool {
        self.sample.is_none() && self.sort.is_none()
    }

    /// The measures that it uses.
    fn measures(&self) -> NameSet<Measure> {
        let (stratum, key) = (self.stratum(), self.sort.as_ref().and_then(By::fact));
        let of_rating = matches!(stratum, Some(Stratum::Er | Stratum::Technique));
        measures(
            stratum == Some(Stratum::Effort) || key == Some(SortBy::Effort),
            of_rating || key == Some(SortBy::Er),
            stratum == Some(Stratum::Grade),
        )
    }

    /// The fact that defines the strata, if it is one.
    fn stratum(&self) -> Option<Stratum> {
        self.stratify.as_ref().and_then(By::fact)
    }
}

/// The set of those of these measures that are used.
fn measures(effort: bool, er: bool, grade: bool) -> NameSet<Measure> {
    let used = [(effort, Measure::Effort), (er, Measure::Er), (grade, Measure::Grade)];
    let used = used.into_iter().filter(|(is_used, _)| *is_used);
    used.fold(NameSet::EMPTY, |set, (_, measure)| set.with(measure))
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
/// let (report, _) = select.write(&run, vec![source], &mut outputs, Control::default())?;
/// assert_eq!(report.total.puzzles, 2);
/// # Ok::<(), ninefold::run::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Select {
    /// Which rows are meant.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub conditions: Conditions,

    /// Measure the effort over N shuffles
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = shuffles,
        default_value_t = Select::default().shuffles, allow_negative_numbers = true,
        hide_short_help = true))]
    pub shuffles: NonZeroUsize,

    /// How many of the rows are written, and in which order.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub pick: Pick,

    /// Divide the rows into files: train=0.9,test=0.1
    ///
    /// Requires -o: parts of out.csv are out.train.csv and out.test.csv. Isomorphic puzzles are in the
    /// same part. The shares add up to 1.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "PARTS", help_heading = "Rows", requires = "output")
    )]
    pub split: Option<Split>,

    /// Keep form, solution or row in one part
    ///
    /// form: isomorphic puzzles. solution: puzzles with isomorphic solutions.
    #[cfg_attr(feature = "cli", arg(long, value_name = "GROUP", help_heading = "Rows",
        default_value = "form", value_parser = parsers::named::<Group>(), requires = "split",
        hide_default_value = true, hide_possible_values = true))]
    pub group: Group,

    /// Give the parts of a split exact sizes
    ///
    /// In each stratum of --stratify, by the largest remainder.
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Rows", requires = "split"))]
    pub exact: bool,

    /// Compare the parts of a split in the summary
    ///
    /// Also checks that no class is in two parts.
    #[cfg_attr(
        feature = "cli",
        arg(long, help_heading = "Rows", requires = "split", hide_short_help = true)
    )]
    pub report: bool,

    /// The puzzles of this bank are not selected.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub bank: Option<Arc<Bank>>,

    /// The engine that solves, and the bounds of all searches.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub search: Search,
}

impl Default for Select {
    /// All rows.
    fn default() -> Self {
        Self {
            conditions: Conditions::default(),
            bank: None,
            pick: Pick::default(),
            split: None,
            group: Group::Form,
            exact: false,
            report: false,
            shuffles: NonZeroUsize::new(Meter::DEFAULT_SHUFFLES).expect("it is not 0"),
            search: Search::default(),
        }
    }
}

/// The places of the counts.
const SELECTED: usize = 0;
const MET: usize = 1;
const UNKNOWN: usize = 2;
const CUT: usize = 3;
const REMOVED: usize = 4;
const PARTS: usize = REMOVED + Condition::ALL.len();

impl Command for Select {
    type Worker = SelectWorker;
    type Order = Picker;

    fn counts(&self) -> Vec<Count> {
        let mut counts = vec![
            Count::each(["selected", "met_all_conditions", "unknown", "too_long"]),
            Count::of("removed", Condition::ALL),
        ];
        counts.extend(self.split.as_ref().map(|split| Count::of("parts", split.names())));
        counts
    }

    fn want(&self) -> Want {
        Want { lines: true, whole: true, solutions: self.conditions.answer.is_some() }
    }

    fn worker(&self, _: &Shape) -> SelectWorker {
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
    /// Also gives the report of the parts, if it is wanted. It takes 16 bytes of memory for each class.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write(
        &self,
        run: &Run,
        sources: Vec<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<(Report, Option<SplitReport>), Error> {
        let mut picker = Picker::new(self, run.writing.style.header, sources.len());
        let mut report = run.write(self, &mut picker, sources, Inputs::fill, output, control)?;
        for (place, input) in report.inputs.iter_mut().enumerate() {
            // Rows that were written after the end of all inputs.
            picker.settle(place, &mut [&mut input.counts, &mut report.total]);
        }
        Ok((report, picker.report()))
    }

    /// The forms by which a run finds duplicates and looks for puzzles in the bank.
    fn forms(&self) -> [Option<Form>; 2] {
        [
            self.conditions.unseen.map(|same| Form::of(same, true)),
            self.bank.as_ref().map(|bank| bank.form),
        ]
    }

    /// The measures that a step after the conditions uses.
    fn picking_measures(&self) -> NameSet<Measure> {
        let measures = self.pick.measures();
        if self.report { measures.with(Measure::Grade) } else { measures }
    }

    /// Whether puzzles are solved: for a condition, a form, a key or a stratum.
    fn solves(&self) -> bool {
        self.conditions.status.is_some()
            || self.conditions.minimal
            || self.forms().contains(&Some(Form::Solution))
            || self.split.is_some() && Classes::need_solutions(self.group)
            || self.conditions.measures() != NameSet::EMPTY
            || self.picking_measures() != NameSet::EMPTY
            || self.pick.stratum() == Some(Stratum::Status)
    }
}
