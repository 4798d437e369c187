//! `ninefold verify`: judges puzzles and answers, and tells what is wrong with each line.
//!
//! ```text
//! chunks ─> workers: answers of another file, `Judge`, duplicates, records, counts
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `judge` | what is wrong with puzzles and answers |
//! | `score` | how good predictions are |
//! | `matcher` | answers of another file |
//! | `worker`, `record` | chunks, their records |
//! | `args` | the options, and the summary for people |

#[cfg(feature = "cli")]
pub(crate) mod args;
mod judge;
mod matcher;
mod record;
mod score;
mod worker;

pub use record::SCORE_COLUMNS;
pub use score::{Accuracy, By, PredictionScore, ScoreCount, Scores};

use crate::bank::{Bank, Earlier, Form, Same};
use crate::input::{Chunk, Source, Want};
use crate::output::{Column, Format, Transaction};
use crate::pipeline::Control;
use crate::puzzle::Cell;
use crate::rate::{MEASURE_COLUMNS, scale};
use crate::run::{self, Clues, Command, Count, Report, Rows, Run, Writing};
use crate::search::Search;
use matcher::Matcher;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use worker::VerifyWorker;

ninefold_core::named_enum! {
    /// What was found of a line. A line may have several faults.
    pub enum Finding, "finding" {
        Pass = "pass", "nothing is wrong";
        Malformed = "malformed", "the line is not a puzzle";
        Conflict = "conflict", "a digit occurs twice in a house of the puzzle";
        None = "none", "the puzzle is legal and has no solution";
        Multiple = "multiple", "the puzzle has more than one solution";
        WrongAnswer = "wrong-answer", "the answer is not full, not legal, or changes a clue";
        NoAnswer = "no-answer", "the answer is missing";
        NotMinimal = "not-minimal", "a clue is redundant (--minimal)";
        Clues = "clues", "the number of clues is outside of --clues";
        Duplicate = "duplicate", "the same puzzle occurred before (--duplicates)";
        InBank = "in-bank", "a bank has the same puzzle (--against)";
        Unknown = "unknown", "a search takes more branches than --max-branches allows";
    }
}

ninefold_core::named_enum! {
    /// A count, by its key in statistics and its label.
    pub enum VerifyCount, "count" {
        Unique = "unique", "unique";
        Multiple = "multiple", "multiple";
        None = "none", "none";
        Conflict = "conflict", "conflict";
        Malformed = "malformed", "malformed";
        Unknown = "unknown", "unknown";
        Passed = "passed", "pass";
        @default NotSolved = "legal_not_solved", "legal (not solved)";
        Right = "answers.right", "right";
        NotOnly = "answers.valid_not_the_only_one", "valid but not unique";
        Unproven = "answers.valid_uniqueness_unknown", "valid but uniqueness unknown";
        Wrong = "answers.wrong", "wrong";
        Missing = "answers.missing", "missing";
        Minimal = "minimal", "minimal";
        NotMinimal = "not_minimal", "not minimal";
        MinimalUnknown = "minimality_unknown", "minimality unknown";
        OutOfRange = "wrong_number_of_clues", "wrong number of clues";
        Duplicates = "duplicates", "duplicates";
        InBank = "in_bank", "in a bank";
        NakedSingles = "falls_to.naked-singles", "naked singles";
        Singles = "falls_to.singles", "singles";
        LockedCandidates = "falls_to.locked-candidates", "locked candidates";
        Search = "falls_to.search", "search";
        Sukakus = "sukakus", "sukakus";
    }
}

impl VerifyCount {
    /// The outcomes of puzzles that are not merely legal, by the names of [`Status`](crate::Status).
    const STATUSES: &[Self] = Self::between(Self::Unique, Self::Unknown);
    /// In the order of [`Grade::ALL`](crate::difficulty::Grade::ALL).
    const GRADES: &[Self] = Self::between(Self::NakedSingles, Self::Search);

    /// Counts that are left out of statistics if a run cannot have any.
    const OPTIONAL: &[Self] = &[Self::Unknown, Self::Unproven, Self::MinimalUnknown, Self::InBank];

    const fn between(first: Self, last: Self) -> &'static [Self] {
        Self::ALL.split_at(last as usize + 1).0.split_at(first as usize).1
    }
}

/// What to verify. A legal puzzle should have exactly one solution, and a given answer be right.
///
/// ```
/// use ninefold::bank::Same;
/// use ninefold::input::Source;
/// use ninefold::output::{Format, Sink, Transaction};
/// use ninefold::pipeline::Control;
/// use ninefold::run::Run;
/// use ninefold::verify::{Verify, VerifyCount};
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let source = Source::from_bytes("twice", format!("{puzzle}\n{puzzle}\n").into());
/// let verify = Verify { duplicates: Some(Same::Exact), ..Verify::default() };
/// let mut run = Run::default();
/// run.writing.style.format = Format::Report;
/// let mut output = Transaction::from(Sink::stdout());
/// // Writes: twice:2: same puzzle as twice:1
/// let report = verify.run(&run, vec![source], None, &mut output, Control::default())?;
/// assert_eq!((report.count(VerifyCount::Passed), report.count(VerifyCount::Duplicates)), (1, 1));
/// # Ok::<(), ninefold::run::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Verify {
    /// Do not solve, and trust that legal puzzles are unique: only form, rules and answers are checked. Nothing that
    /// needs a search may be asked as well.
    pub trust_unique: bool,
    /// Redundant clues are faults: those without which the puzzle is still unique. A cell of a sukaku is
    /// redundant if it can have all nine candidates.
    pub minimal: bool,
    /// Puzzles that came before, in any source, are faults. Takes up to 38 bytes of memory per puzzle.
    pub duplicates: Option<Same>,
    /// Whether puzzles are graded: the simplest rules that solve each. Doubles the time.
    pub grade: bool,
    /// Whether effort, Explainer rating and grade are measured, as [`Rate`](crate::rate::Rate) does.
    pub rate: bool,
    /// The greatest score of `er` that is wanted, in tenths. A puzzle above it has no `er`.
    pub max_er: Option<u8>,
    /// Whether answers are predictions, which get a score: those of a file of answers, or of a field that
    /// [`Source::read_predictions`] names.
    pub score: bool,
    /// Whether the counts of predictions are also those of buckets.
    pub by: Option<By>,
    /// Another number of clues is a fault.
    pub clues: Option<RangeInclusive<usize>>,
    /// Whether the reason of a puzzle with several solutions has two of them.
    pub show_two: bool,
    /// The puzzles of this bank are faults. If nothing is solved (`trust_unique`), it must be loaded
    /// without `solved`.
    pub bank: Option<Arc<Bank>>,
    /// The engine and the bounds of all searches.
    pub search: Search,
}

impl Verify {
    /// Verifies every puzzle of the sources, in their order. `answers` has an answer for each, in the same
    /// order; without it, those in the sources' own field of solutions are checked.
    ///
    /// # Errors
    /// See [`run::Error`]. Faults of puzzles are no errors: they are reported and counted.
    pub fn run(
        &self,
        run: &Run,
        sources: Vec<Source>,
        answers: Option<Source>,
        output: &mut Transaction,
        control: Control<'_>,
    ) -> Result<Report, run::Error> {
        let mut run = run.clone();
        let style = &mut run.writing.style;
        style.columns = self.columns(style.format);
        style.input_names = sources.len() > 1 || answers.is_some();
        let matcher = answers.map(|answers| Matcher::open(answers, &sources));
        let (matcher, earlier) = (matcher.transpose()?, self.duplicates.map(|_| Earlier::new()));
        let verifying = Verifying { verify: self, matcher, earlier };
        let report = run.in_order(&verifying, sources, output, control)?;
        verifying.matcher.map_or(Ok(()), Matcher::end)?;
        Ok(report)
    }

    /// Whether this number of clues is no fault.
    fn allows(&self, clues: usize) -> bool {
        self.clues.as_ref().is_none_or(|range| range.contains(&clues))
    }

    /// Whether puzzles are graded.
    const fn grades(&self) -> bool {
        self.grade || self.rate
    }

    /// The column whose values are the buckets.
    fn by_column(&self) -> Option<&str> {
        if let Some(By::Column(name)) = &self.by { Some(name) } else { None }
    }

    /// The forms in which puzzles are compared: the puzzles themselves, and a canonical form. One serves
    /// for duplicates and the bank.
    fn forms(&self) -> [Option<Form>; 2] {
        let bank = self.bank.as_ref().map(|bank| bank.form);
        let all = [bank, self.duplicates.map(|same| Form::of(same, !self.trust_unique))];
        [Same::Exact, Same::Isomorphic]
            .map(|same| all.into_iter().flatten().find(|form| form.same() == same))
    }

    /// The columns that were asked for. Objects have the reasons next to the faults.
    pub fn columns(&self, format: Format) -> Vec<Column> {
        let is_asked = |column: &Column| match column.name {
            "grade" => self.grades(),
            "er_bound" => self.max_er.is_some(),
            "in_bank" => self.bank.is_some(),
            name if record::SCORE_COLUMNS.iter().any(|it| it.name == name) => self.score,
            name => self.rate || MEASURE_COLUMNS.iter().all(|it| it.name != name),
        };
        let mut columns: Vec<_> = record::columns().into_iter().filter(is_asked).collect();
        if format == Format::Jsonl {
            columns[2..].rotate_right(1);
        }
        columns
    }

    /// What is counted.
    fn counts(&self) -> Vec<Count> {
        let tallies = Count::each::<VerifyCount>()
            .listed(VerifyCount::STATUSES)
            .optional(VerifyCount::OPTIONAL);
        let clues = Count::of::<Clues>("clues", 0..=Cell::COUNT);
        let rated = self.rate.then(scale::effort_and_er).into_iter().flatten();
        let scored = self.score.then(|| Count::each::<ScoreCount>().in_buckets());
        [tallies, clues].into_iter().chain(rated).chain(scored).collect()
    }
}

/// The run of a [`Verify`].
struct Verifying<'a> {
    verify: &'a Verify,
    /// The answers of another file, if they are read from one.
    matcher: Option<Matcher>,
    /// The puzzles so far, if duplicates are looked for.
    earlier: Option<Earlier>,
}

impl Command for Verifying<'_> {
    type Kept = ();

    fn counts(&self) -> Vec<Count> {
        self.verify.counts()
    }

    fn want(&self, writing: &Writing) -> Want {
        let want = writing.want();
        let lines = want.lines || self.verify.by_column().is_some() || self.verify.score;
        Want { solutions: true, lines }
    }

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, ()>) -> ControlFlow<()> {
        let mut worker = VerifyWorker::new(self);
        move |chunk, rows| worker.answer(chunk, rows)
    }
}
