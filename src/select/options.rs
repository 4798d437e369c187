//! Which rows are selected, as typed; the kinds of conditions and of counts.

use super::expression::{CLUES, Where};
use super::sample::Strata;
use super::{Classes, Group, Split};
use crate::Status;
use crate::bank::{Bank, Form, Same};
use crate::cli::{Error, Files, parsers, reading};
use crate::difficulty::{EffortRange, Grade, Measure, ScoreRange, Technique};
use crate::input::Source;
use crate::rate::Rate;
use crate::rate::args::shuffles;
use crate::run::Countable;
use crate::search::Search;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::Arc;

ninefold_core::named_enum! {
    /// What an answer given with a puzzle is.
    pub(super) enum AnswerIs, "answer" {
        Right = "right", "full and legal, and keeps every clue";
        Wrong = "wrong", "anything else in the field of the solution";
        Missing = "missing", "no solution is given";
    }
}

ninefold_core::named_enum! {
    /// A condition, in the order in which conditions are tested: the cheapest first.
    pub(super) enum Condition, "condition" {
        Clues = "--clues", "the number of clues";
        Where = "--where", "columns of the input";
        Answer = "--answer", "the answer given with the puzzle";
        Status = "--status", "the number of solutions";
        Grade = "--grade", "the rules that solve it";
        Effort = "--effort", "the mean number of guesses";
        Minimal = "--minimal", "no clue is redundant";
        Er = "--er", "the score of the hardest step";
        Technique = "--technique", "the hardest technique";
        Uses = "--uses", "a technique of its steps";
        NotIn = "--not-in", "no bank has it";
        Unseen = "--unseen", "no row before has it";
    }
}

impl Condition {
    /// Those whose facts define strata.
    pub(super) const STRATA: [Self; 6] =
        [Self::Grade, Self::Effort, Self::Er, Self::Technique, Self::Clues, Self::Status];

    /// The name of its fact: that of the option without the dashes.
    pub(super) fn fact(self) -> &'static str {
        self.name().trim_start_matches('-')
    }

    /// The measure that it needs.
    pub(super) const fn measure(self) -> Option<Measure> {
        match self {
            Self::Grade => Some(Measure::Grade),
            Self::Effort => Some(Measure::Effort),
            Self::Er | Self::Technique => Some(Measure::Er),
            _ => None,
        }
    }
}

ninefold_core::named_enum! {
    /// What is counted of rows.
    pub(super) enum Picked, "count" {
        Selected = "selected", "a row that is written";
        Met = "met_all_conditions", "a row that meets all conditions";
        Unknown = "unknown", "a puzzle with a search that was given up";
        TooLong = "too_long", "a row that is too long to be copied";
        Malformed = "malformed", "a malformed row that the conditions exclude";
    }
}

/// A part of a split, by its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartPlace(pub(super) usize);

impl Countable for PartPlace {
    fn place(self) -> usize {
        self.0
    }
}

/// Which rows are selected: those that meet all conditions, or a choice of them.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Conditions")]
pub(super) struct Select {
    /// Select by status
    // No puzzle is `solved`: all solutions are proved to be unique, or not.
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    #[arg(value_parser = parsers::named_of(Status::ALL.iter().copied().filter(|&it| it != Status::Solved)))]
    pub(super) status: Vec<Status>,

    /// Select this number of clues: 17..25, 30.. or 24
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::clues)]
    #[arg(allow_negative_numbers = true)]
    pub(super) clues: Option<RangeInclusive<usize>>,

    /// Select by columns: "rating >= 50"
    ///
    /// = != < <= > >= with a number, a word or 'text'; in (...); is null; and, or, not, parentheses.
    /// clues is the number of clues. See docs/select.md.
    #[arg(long, value_name = "EXPR")]
    pub(super) r#where: Option<Where>,

    /// Select by answer
    ///
    /// Answers are checked by the rules, without solving.
    #[arg(long, value_name = "ANSWER", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<AnswerIs>())]
    pub(super) answer: Vec<AnswerIs>,

    /// Select puzzles that these rules solve
    #[arg(long, value_name = "GRADE", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<Grade>())]
    pub(super) grade: Vec<Grade>,

    /// Select by effort; see ninefold rate
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::efforts)]
    #[arg(allow_negative_numbers = true)]
    pub(super) effort: Option<EffortRange>,

    /// Select by Explainer rating, the hardest step
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::scores)]
    #[arg(allow_negative_numbers = true)]
    pub(super) er: Option<ScoreRange>,

    /// Rate up to a score of X
    ///
    /// A puzzle above it is not selected by --er or --technique.
    #[arg(long, value_name = "X", value_parser = parsers::score, hide_short_help = true)]
    pub(super) max_er: Option<u8>,

    /// Select by hardest technique, such as x-wing
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<Technique>(), hide_possible_values = true)]
    pub(super) technique: Vec<Technique>,

    /// Select puzzles of which one step is this technique
    ///
    /// The steps are those of ninefold steps. Takes milliseconds per puzzle.
    #[arg(long, value_name = "NAME", value_delimiter = ',', hide_short_help = true)]
    #[arg(value_parser = parsers::step(), hide_possible_values = true)]
    pub(super) uses: Vec<Technique>,

    /// Select puzzles without a redundant clue
    #[arg(long)]
    pub(super) minimal: bool,

    /// Keep each puzzle once
    ///
    /// HOW is isomorphic if not given. Takes up to 38 bytes of memory per puzzle.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "isomorphic", value_parser = parsers::named::<Same>())]
    pub(super) unseen: Option<Same>,

    /// Measure the effort over N shuffles
    #[arg(long, value_name = "N", value_parser = shuffles, hide_short_help = true)]
    #[arg(default_value_t = Rate::default().shuffles, allow_negative_numbers = true)]
    pub(super) shuffles: NonZeroUsize,

    /// Keep N random rows; with --stratify, N of each
    ///
    /// The rows are in memory until the end.
    #[arg(long, value_name = "N", help_heading = "Rows")]
    #[arg(value_parser = parsers::whole, allow_negative_numbers = true)]
    pub(super) sample: Option<u64>,

    /// Sample each of these strata
    ///
    /// grade, effort, er, technique, clues, status or a column.
    #[arg(long, value_name = "BY", help_heading = "Rows", requires = "sample")]
    pub(super) stratify: Option<Strata>,

    /// Draw sample and split with this seed
    #[arg(long, value_name = "S", help_heading = "Rows", default_value_t = crate::SEED)]
    pub(super) seed: u64,

    /// Keep the first N rows
    ///
    /// Reading stops there if the rows are not sampled.
    #[arg(long, value_name = "N", help_heading = "Rows")]
    #[arg(value_parser = parsers::whole, allow_negative_numbers = true)]
    pub(super) head: Option<u64>,

    /// Divide the rows into files: train=0.9,test=0.1
    ///
    /// Requires -o: parts of out.csv are out.train.csv and out.test.csv. Isomorphic puzzles are in the
    /// same part. The shares add up to 1.
    #[arg(long, value_name = "PARTS", help_heading = "Rows", requires = "output")]
    pub(super) split: Option<Split>,

    /// Keep form, solution or row in one part
    ///
    /// form: isomorphic puzzles. solution: puzzles with isomorphic solutions.
    #[arg(long, value_name = "GROUP", help_heading = "Rows", requires = "split")]
    #[arg(default_value = "form", hide_default_value = true, hide_possible_values = true)]
    #[arg(value_parser = parsers::named::<Group>())]
    pub(super) group: Group,

    /// Select puzzles that BANK does not have; repeatable
    ///
    /// Isomorphic puzzles are the same.
    #[arg(long, value_name = "BANK", value_hint = clap::ValueHint::AnyPath)]
    pub(super) not_in: Vec<Files>,

    /// The bank, once it is read.
    #[arg(skip)]
    pub(super) bank: Option<Arc<Bank>>,
    /// The engine that solves, and the bounds of all searches: those of this run.
    #[arg(skip)]
    pub(super) search: Search,
}

impl Select {
    /// Whether there is a condition of this kind.
    pub(super) fn has(&self, condition: Condition) -> bool {
        match condition {
            Condition::Clues => self.clues.is_some(),
            Condition::Where => self.r#where.is_some(),
            Condition::Answer => !self.answer.is_empty(),
            Condition::Status => !self.status.is_empty(),
            Condition::Grade => !self.grade.is_empty(),
            Condition::Effort => self.effort.is_some(),
            Condition::Minimal => self.minimal,
            Condition::Er => self.er.is_some(),
            Condition::Technique => !self.technique.is_empty(),
            Condition::Uses => !self.uses.is_empty(),
            Condition::NotIn => self.bank.is_some(),
            Condition::Unseen => self.unseen.is_some(),
        }
    }

    fn all(&self) -> impl Iterator<Item = Condition> {
        Condition::ALL.iter().copied().filter(|&condition| self.has(condition))
    }

    /// Whether a line that is not a puzzle can meet them.
    pub(super) fn take_malformed(&self) -> bool {
        self.all().all(|condition| match condition {
            Condition::Status => self.status.contains(&Status::Malformed),
            Condition::NotIn | Condition::Unseen => true,
            _ => false,
        })
    }

    /// The forms by which a run finds duplicates and looks for puzzles in the bank.
    pub(super) fn forms(&self) -> [Option<Form>; 2] {
        [self.unseen.map(|same| Form::of(same, true)), self.bank.as_ref().map(|bank| bank.form)]
    }

    /// The fact that defines the strata, if it is one.
    pub(super) const fn stratum(&self) -> Option<Condition> {
        if let Some(Strata::Fact(fact)) = &self.stratify { Some(*fact) } else { None }
    }

    /// Whether puzzles are solved: for a condition, a form or a stratum.
    pub(super) fn solves(&self) -> bool {
        let needs = |it| {
            matches!(it, Condition::Status | Condition::Minimal | Condition::Uses)
                || Condition::measure(it).is_some()
        };
        self.all().any(needs)
            || self.forms().contains(&Some(Form::Solution))
            || self.split.is_some() && Classes::need_solutions(self.group)
            || self.stratum().is_some_and(|it| it != Condition::Clues)
    }

    /// Fails if an option names a column that an input does not have.
    pub(super) fn check_columns(&mut self, sources: &[Source]) -> Result<(), Error> {
        let names = sources.first().and_then(Source::layout).map(|layout| &*layout.names);
        self.r#where.iter_mut().for_each(|it| it.resolve(names.unwrap_or_default()));
        let used = self.r#where.iter().flat_map(Where::columns);
        let used = used.map(|name| ("--where", name, CLUES.to_owned()));
        let facts = || Condition::STRATA.map(Condition::fact).join(", ");
        let stratify = self.stratify.as_ref().and_then(|strata| match strata {
            Strata::Fact(_) => None,
            Strata::Column(name) => Some(("--stratify", &**name, facts())),
        });
        for (option, name, facts) in used.chain(stratify) {
            reading::check_column(option, name, &facts, sources)?;
        }
        Ok(())
    }

    /// The first option that needs all rows before a row.
    pub(super) fn needs_all_rows(&self) -> Option<&'static str> {
        let needs = [
            ("--unseen", self.unseen.is_some()),
            ("--sample", self.sample.is_some()),
            ("--head", self.head.is_some()),
        ];
        needs.into_iter().find(|(_, is_typed)| *is_typed).map(|(option, _)| option)
    }
}
