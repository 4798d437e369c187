//! The arguments of `ninefold verify`.

use super::record::columns;
use super::{Accuracy, By, Finding, ScoreCount, Verify, VerifyCount};
use crate::bank::{Bank, Same};
use crate::cli::{
    Declared, Error, Files, HistogramPart, Job, Opened, Ran, SolverArgs, Started, Typed, banks,
    counted, formats, histogram, is_mixed, parsers, reading, refuse, skipped_lines, terms,
};
use crate::input::{Hints, Source};
use crate::names::Named;
use crate::output::Format;
use crate::run::{self, Clues, Counts, Report};
use crate::search::Search;
use clap::{Arg, ValueHint};
use indicatif::HumanCount;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

/// The formats of records.
const FORMATS: &[Format] = &[Format::Report, Format::Csv, Format::Jsonl];

const AFTER: &str = "\
Record formats, faults and exit codes: ninefold help formats

Examples:
  ninefold verify puzzles.txt
  ninefold verify --trust-unique sudoku.csv      # only the answers
  ninefold verify puzzles.txt --solutions solutions.txt
  ninefold verify test.csv --against train.csv  # leaks of a test set
  ninefold verify --format csv puzzles.txt -o verdicts.csv";

const FORMAT: &str = "\
Write records in this format [default: report]

report has a line for each fault; csv and jsonl have a record for every puzzle.";

const ONLY: &str = "\
Write only these faults; see ninefold help formats

A list separated by commas. csv and jsonl have the lines with one of these faults. Other faults are \
still counted, also for the exit code.";

/// The option with another text, whose first line is the short one.
fn with_help(arg: Arg, text: &'static str) -> Arg {
    arg.help(text.lines().next().unwrap_or_default()).long_help(text)
}

/// Check a collection: is every puzzle legal, unique, correctly answered, new?
///
/// Reads everything that solve reads. Each puzzle must be well-formed and legal,
/// and have exactly one solution. An answer from a field of solutions or from
/// --solutions must be full, legal, and keep every clue. Answers are checked by the
/// rules, without solving. Writes one line per fault, and a summary.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(verbatim_doc_comment, after_long_help = AFTER)]
#[command(mut_arg("format", |arg| with_help(formats(FORMATS)(arg), FORMAT)))]
#[command(mut_arg("only", |arg| with_help(terms::<Finding>(arg), ONLY).value_name("FAULT")))]
#[command(mut_arg("only", |arg| arg.hide_possible_values(true)))]
#[command(mut_arg("rejects", |arg| arg.help("Write input lines with a fault to FILE")))]
#[command(next_help_heading = "Checks")]
pub(crate) struct VerifyArgs {
    /// Read the answers from FILE
    ///
    /// The first answer belongs to the first puzzle, and so on. A FILE with more or fewer answers is refused.
    #[arg(long, value_name = "FILE")]
    solutions: Option<PathBuf>,

    /// Fail with exit code 2 if a puzzle has no answer
    #[arg(long)]
    require_answers: bool,

    /// Do not solve; trust that legal puzzles are unique
    ///
    /// Checks form, rules and answers only.
    #[arg(long, conflicts_with_all = ["minimal", "show_two", "grade", "rate"])]
    trust_unique: bool,

    /// Score the answers as predictions: the share of blank cells that are right, and more
    ///
    /// --columns prediction=COLUMN names them, in either file. Else they are in a field called prediction, pred, output,
    /// response or completion, or in the only one of full grids. csv and jsonl have columns from cells to exact.
    #[arg(long)]
    score: bool,

    /// Also score each bucket: grade, clues, er, er:WIDTH or a column
    ///
    /// er:0.5 has ratings from 3.0 to 3.4 in one bucket. In \" it is the name of a column.
    #[arg(long, value_name = "WHAT", requires = "score")]
    by: Option<By>,

    /// Report redundant clues
    ///
    /// A clue is redundant if the puzzle is still unique without it. A cell of a
    /// sukaku is redundant if it can have all nine candidates.
    #[arg(long)]
    minimal: bool,

    /// Report puzzles that occur twice, in any input
    ///
    /// HOW is exact if not given; isomorphic compares up to symmetry (see ninefold canon). Takes up to
    /// 38 bytes of memory per puzzle.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = Same::Exact.name(), value_parser = parsers::named::<Same>())]
    duplicates: Option<Same>,

    /// Add the simplest rules that solve each puzzle
    ///
    /// The summary counts the puzzles that naked singles, singles, and locked candidates solve, and those that
    /// need search; csv and jsonl have the column grade. Doubles the time of a run.
    #[arg(long)]
    grade: bool,

    /// Add effort, Explainer rating and grade
    ///
    /// See ninefold rate. Requires --format csv or jsonl. Takes about 150 µs per puzzle.
    #[arg(long)]
    rate: bool,

    /// Rate up to a score of X: a puzzle above has no er, and a column says so
    ///
    /// The column `er_bound` is `above X` then.
    #[arg(long, value_name = "X", value_parser = parsers::score, requires = "rate")]
    #[arg(hide_short_help = true)]
    max_er: Option<u8>,

    /// Require this number of clues: 17..30, 17.., ..30 or 17
    #[arg(long, value_name = "MIN..MAX", value_parser = parsers::clues)]
    #[arg(default_value = "0..81", hide_default_value = true)]
    clues: RangeInclusive<usize>,

    /// Show two solutions of a puzzle that has several
    #[arg(long)]
    show_two: bool,

    /// Report puzzles that BANK contains; repeatable
    ///
    /// Isomorphic puzzles are the same. BANK is any input of puzzles. Takes as much memory as --duplicates.
    #[arg(long, value_name = "BANK", value_hint = ValueHint::AnyPath)]
    against: Vec<Files>,

    #[command(flatten)]
    options: SolverArgs<()>,

    #[arg(skip)]
    answers: Option<Source>,
    #[arg(skip)]
    bank: Option<Arc<Bank>>,
    /// Where the predictions are, in words.
    #[arg(skip)]
    predictions: String,
}

impl VerifyArgs {
    fn command(&self, search: Search) -> Verify {
        Verify {
            trust_unique: self.trust_unique,
            minimal: self.minimal,
            duplicates: self.duplicates,
            grade: self.grade,
            rate: self.rate,
            max_er: self.max_er,
            score: self.score,
            by: self.by.clone(),
            clues: Some(self.clues.clone()),
            show_two: self.show_two,
            bank: self.bank.clone(),
            search,
        }
    }

    /// Whether puzzles are graded.
    const fn grades(&self) -> bool {
        self.grade || self.rate
    }

    /// Refuses what does not go together.
    fn check(&self, format: Format) -> Result<(), Error> {
        let is_shard = self.options.records.shard.is_some_and(|shard| shard.count() > 1);
        let reason = "the report has no columns; use --format csv or jsonl";
        refuse(self.rate && format == Format::Report, "--rate", reason)?;
        let columns = &self.options.reading.columns;
        let names_prediction = columns.as_ref().is_some_and(|columns| columns.prediction.is_some());
        let reason = "predictions get a score; run with --score";
        refuse(names_prediction && !self.score, "--columns prediction=COLUMN", reason)?;
        let reason = "it must be solved; run without --trust-unique";
        let is_measured = matches!(self.by, Some(By::Grade | By::Er(_)));
        refuse(is_measured && self.trust_unique, "--by", reason)?;
        let reason = "a shard does not see the puzzles of the others; run without --shard";
        refuse(is_shard && self.duplicates.is_some(), "--duplicates", reason)?;
        let reason = "answers are matched from the first puzzle on; run without --shard, or use a table that has \
                      puzzles and solutions";
        refuse(is_shard && self.solutions.is_some(), "--solutions", reason)
    }

    /// Finds the predictions: in the answers or next to the puzzles, by a name or by their grids.
    fn find_predictions(&mut self, sources: &mut [Source]) -> Result<(), Error> {
        let Hints { prediction: told, blanks, .. } = self.options.reading.hints();
        let hints = Hints { full_grids: true, predictions: true, blanks, ..Hints::default() };
        let hints = Hints { prediction: told.clone(), ..hints };
        if let Some(answers) = &mut self.answers {
            reading::find_layout_beside(answers, hints)?;
        }
        let answers = self.answers.as_mut().map(slice::from_mut).unwrap_or_default();
        let of = |source: &Source| {
            source.layout().map(|it| it.predictions(told.as_ref())).unwrap_or_default()
        };
        let has_named = |files: &[Source]| files.iter().any(|source| of(source).1);
        let (in_answers, in_sources) = (has_named(answers), has_named(sources));
        let is_both = in_answers && in_sources && told.is_none();
        let is_beside = !in_answers && (in_sources || answers.is_empty());
        let mut found = String::new();
        for source in if is_beside { &mut *sources } else { answers } {
            let Some(layout) = source.layout().cloned() else { continue };
            let (fields, _) = of(source);
            let names: Vec<_> = fields.iter().map(|&field| layout.field_name(field)).collect();
            let (names, file) = (names.join(", "), source.name());
            let what = if fields.is_empty() { "no field".to_owned() } else { names.clone() };
            let reason = format!(
                "{what} of {file} may have predictions; --columns prediction=COLUMN names the field that does"
            );
            refuse(fields.len() != 1 || is_both, "--score", &reason)?;
            found += &format!("{}{names} of {file}", if found.is_empty() { "" } else { ", " });
            source.read_predictions(fields[0]);
        }
        self.predictions = found;
        let has_stored = |it: &Source| it.layout().is_some_and(|layout| layout.has_solutions());
        let is_known = is_beside && self.answers.is_some() || sources.iter().all(has_stored);
        let reason = "without a stored solution only one that is searched is known; run without --trust-unique";
        refuse(self.trust_unique && !is_known, "--score", reason)
    }
}

/// The declaration of the records, and of the counts with or without `--rate` and `--score`.
pub(crate) fn declared(rate: bool, score: bool) -> Declared {
    let verify = Verify { rate, score, ..Verify::default() };
    let declared = Declared::new("verify", columns(), verify.counts());
    Declared { derive, ..declared }
}

/// Adds the accuracy of predictions, in all and in each bucket.
fn derive(counts: &Counts, object: &mut Value) {
    let add = |counts: &[u64], object: &mut Value| {
        let accuracy = Accuracy::of(counts);
        object["exact_accuracy"] = json!(accuracy.map(|it| it.exact));
        object["cell_accuracy"] = json!(accuracy.map(|it| it.cells));
        object["mean_cell_accuracy_of_rows"] = json!(accuracy.map(|it| it.mean_of_rows));
    };
    if object.get("score").is_some() {
        add(counts.all::<ScoreCount>(), &mut object["score"]);
    }
    for (bucket, counts) in counts.buckets() {
        add(counts, &mut object["by"][bucket]);
    }
}

impl Job for VerifyArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let args = self.options.common();
        let format = args.format(Format::Report);
        let columns = self.command(Search::default()).columns(format);
        let declared = Declared { columns, ..declared(self.rate, self.score) };
        let against = self.against.iter().flatten().map(Path::to_owned);
        Ok(Typed {
            also_read: self.solutions.iter().cloned().chain(against).collect(),
            names_inputs: self.solutions.is_some(),
            restarts: match (self.duplicates, &self.solutions) {
                (Some(_), _) => Some("duplicates are looked for among all puzzles"),
                (None, Some(_)) => {
                    Some("the answers of --solutions are read in the order of the puzzles")
                }
                (None, None) => None,
            },
            ..Typed::new(args, declared, format)
        })
    }

    fn prepare(&mut self, opened: Opened<'_>) -> Result<(), Error> {
        let Opened { typed, sources, signals } = opened;
        let has_answers = |it: &Source| it.layout().is_some_and(|layout| layout.has_solutions());
        let lacking = sources.iter().find(|it| it.length() != Some(0) && !has_answers(it));
        if let Some(source) = lacking.filter(|_| self.require_answers && self.solutions.is_none()) {
            let option = format!("{}: --require-answers", source.name());
            return Err(Error::Failed(format!("{option}: no answers found; {HOW}")));
        }
        self.check(typed.format)?;
        if let Some(By::Column(name)) = &self.by {
            reading::check_column("--by", name, "grade, clues, er, er:WIDTH", sources)?;
        }
        let mapping = self.options.reading.mapping();
        let answers = self.solutions.as_deref();
        let answers = answers.map(|path| banks::open(path, "--solutions", "the answers", mapping));
        self.answers = answers.transpose()?;
        if self.score {
            self.find_predictions(sources)?;
        }
        let (paths, solved) = (&self.against, !self.trust_unique);
        self.bank = banks::load("--against", paths, solved, &typed.args, signals)?;
        Ok(())
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        let Started { run, sources, output, control, search } = run;
        self.command(search).run(run, sources, self.answers.take(), output, control)
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let mut text = self.table(ran.total());
        if self.score {
            text.insert_str(0, &format!("predictions: {}\n", self.predictions));
            text += &scores(ran.total());
        }
        if let Some(bank) = &self.bank {
            text += &format!("bank: {} puzzles\n", HumanCount(bank.puzzles));
        }
        text += &skipped_lines(ran.total()).unwrap_or_default();
        text.trim_end().to_owned()
    }

    fn last_words(&self, ran: &Ran<'_>) -> Option<String> {
        let engine = if self.trust_unique {
            "nothing solved".to_owned()
        } else {
            self.options.search.engine_in_words()
        };
        Some(engine + &unchecked(ran.total()))
    }

    fn describe(&self, ran: &Ran<'_>, object: &mut Value) {
        for (place, input) in ran.report.inputs.iter().enumerate() {
            self.describe_counts(&input.counts, &mut object["inputs"][place]);
        }
        self.describe_counts(ran.total(), object);
        if self.score {
            object["predictions"] = json!(self.predictions);
        }
        if let Some(bank) = &self.bank {
            object["bank"] = json!({ "puzzles": bank.puzzles, "malformed": bank.malformed });
        }
    }

    fn is_complete(&self, total: &Counts) -> Result<bool, Error> {
        let missing = lacking(total);
        let have = if missing == 1 { "has" } else { "have" };
        let reason = format!("{} {have} no answer", counted(missing, "puzzle"));
        refuse(self.require_answers && missing > 0, "--require-answers", &reason)?;
        let is_as_decided = !is_mixed(total);
        Ok(is_as_decided && total[VerifyCount::Passed] == total.puzzles)
    }
}

/// The accuracy of predictions in words: of all rows, and a line for each bucket.
fn scores(counts: &Counts) -> String {
    let all = counts.all::<ScoreCount>();
    let mut text = match Accuracy::of(all) {
        None => "no prediction has a score\n".to_owned(),
        Some(it) => {
            format!("mean of the rows: {} of their blank cells are right\n", share(it.mean_of_rows))
        }
    };
    for stored in [ScoreCount::WrongAnswers, ScoreCount::NotOnly] {
        let count = all[stored as usize];
        if count > 0 {
            text += &format!("{} {}\n", HumanCount(count), stored.summary());
        }
    }
    let unscored = all[ScoreCount::Unscored as usize];
    if unscored > 0 {
        let rows = counted(unscored, "row");
        let why = "no cell is blank, or the puzzle does not have exactly one solution";
        text += &format!("{rows} without a score: {why}\n");
    }
    let mut buckets: Vec<_> = counts.buckets().iter().collect();
    // `9` comes before `10`, and numbers before words.
    let number = |name: &str| name.split('-').next().and_then(|it| it.parse::<f64>().ok());
    buckets.sort_by(|(one, _), (other, _)| match (number(one), number(other)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    });
    if buckets.is_empty() {
        return text;
    }
    let width = buckets.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(6);
    text += &format!(
        "{:width$}  {:>11}  {:>7}  {:>7}  {:>12}\n",
        "bucket", "rows", "exact", "cells", "mean of rows"
    );
    for (name, counts) in buckets {
        let rows = HumanCount(counts[ScoreCount::Rows as usize]).to_string();
        let shares = Accuracy::of(counts).map(|it| [it.exact, it.cells, it.mean_of_rows]);
        let [exact, cells, mean] = shares.map(|it| it.map(share)).unwrap_or_default();
        text += &format!("{name:width$}  {rows:>11}  {exact:>7}  {cells:>7}  {mean:>12}\n");
    }
    text
}

/// The rows of counts, by their labels.
fn labelled<'a, T: Named>(
    counts: &Counts,
    which: impl IntoIterator<Item = &'a T>,
) -> Vec<(String, u64)> {
    which.into_iter().map(|&it| (it.summary().to_owned(), counts[it])).collect()
}

/// A share from 0 to 1 to a hundredth of a percent.
fn share(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// The counts of one part of the summary.
const ANSWERS: &[VerifyCount] = VerifyCount::between(VerifyCount::Right, VerifyCount::Missing);
const ASKED: &[VerifyCount] = VerifyCount::between(VerifyCount::Minimal, VerifyCount::InBank);

/// How answers are found.
const HOW: &str = "--solutions FILE or --columns solution=COLUMN names them";

/// Answers that were checked.
fn checked(counts: &Counts) -> u64 {
    ANSWERS[..4].iter().map(|&tally| counts[tally]).sum()
}

/// Puzzles without an answer.
fn lacking(counts: &Counts) -> u64 {
    counts.puzzles - counts[VerifyCount::Malformed] - checked(counts)
}

/// Which answers were not checked, because there are none, on a line of its own.
fn unchecked(counts: &Counts) -> String {
    // Those that should have one are reported.
    match lacking(counts) - counts[VerifyCount::Missing] {
        _ if checked(counts) == 0 => {
            format!("\nno answers found: answers were not checked ({HOW})")
        }
        0 => String::new(),
        1 => "\n1 puzzle has no answer: it was not checked".to_owned(),
        lacking => {
            let lacking = HumanCount(lacking);
            format!("\n{lacking} puzzles have no answer: it was not checked ({HOW})")
        }
    }
}

impl VerifyArgs {
    /// Whether this run can count any.
    fn can_be(&self, tally: VerifyCount) -> bool {
        let (solves, is_bounded) = (!self.trust_unique, self.options.search.max_branches.is_some());
        match tally {
            VerifyCount::NotSolved => !solves,
            VerifyCount::Unique | VerifyCount::Multiple | VerifyCount::None => solves,
            VerifyCount::Unknown => solves && is_bounded,
            VerifyCount::Unproven => is_bounded,
            VerifyCount::Minimal | VerifyCount::NotMinimal => self.minimal,
            VerifyCount::MinimalUnknown => self.minimal && is_bounded,
            VerifyCount::OutOfRange => self.clues != (0..=81),
            VerifyCount::Duplicates => self.duplicates.is_some(),
            VerifyCount::InBank => !self.against.is_empty(),
            _ if VerifyCount::GRADES.contains(&tally) => self.grades(),
            _ => true,
        }
    }

    /// The rows of those counts that this run can have.
    fn rows(&self, counts: &Counts, tallies: &[VerifyCount]) -> Vec<(String, u64)> {
        labelled(counts, tallies.iter().filter(|&&tally| self.can_be(tally)))
    }

    /// All counts, aligned. An empty list has what was asked, too.
    fn table(&self, counts: &Counts) -> String {
        let (puzzles, unique) = (counts.puzzles, counts[VerifyCount::Unique]);
        let mut lines = vec![("puzzles".to_owned(), puzzles)];
        lines.extend(self.rows(counts, &[VerifyCount::Passed, VerifyCount::NotSolved]));
        lines.extend(self.rows(counts, VerifyCount::STATUSES));
        let mut grades = self.rows(counts, VerifyCount::GRADES);
        let graded: u64 = grades.iter().map(|(_, count)| count).sum();
        if !grades.is_empty() && graded < unique {
            grades.push(("not asked (sukakus)".to_owned(), unique - graded));
        }
        let clues = counts.all::<Clues>().iter().enumerate();
        let clues = clues.map(|(clues, &count)| (format!("{clues:>2}"), count));
        let clues: Vec<_> = clues.filter(|(_, count)| *count > 0).collect();
        let part = |title, of, rows| HistogramPart { title, of, rows };
        let mut parts = vec![
            part("lines", puzzles, lines),
            HistogramPart::whole("answers", self.rows(counts, ANSWERS)),
            part("also asked", puzzles, self.rows(counts, ASKED)),
            part("puzzles with one solution, by the rules they need", unique, grades),
            HistogramPart::whole("clues", clues),
        ];
        if self.score {
            let right = &[ScoreCount::RightCells];
            let rows = ScoreCount::ALL[1..=5].iter().chain([&ScoreCount::Valid]);
            parts.push(part("predictions", counts[ScoreCount::Rows], labelled(counts, rows)));
            let cells = counts[ScoreCount::BlankCells];
            parts.push(part("cells to predict", cells, labelled(counts, right)));
        }
        let is_asked =
            |part: &HistogramPart| part.of > 0 || ["lines", "also asked"].contains(&part.title);
        parts.retain(|part| !part.rows.is_empty() && is_asked(part));
        histogram::table(&parts, histogram::columns())
    }

    /// Null for counts that were not asked for.
    fn describe_counts(&self, counts: &Counts, object: &mut Value) {
        let has_answers =
            checked(counts) + counts[VerifyCount::Missing] > 0 || self.solutions.is_some();
        let is_bounded = self.options.search.max_branches.is_some();
        for &tally in VerifyCount::ALL {
            let is_asked = self.can_be(tally)
                && (has_answers || !ANSWERS.contains(&tally))
                && !(self.trust_unique && tally == VerifyCount::NotOnly);
            let is_possible = if tally == VerifyCount::InBank { is_asked } else { is_bounded };
            let is_there = is_possible || !VerifyCount::OPTIONAL.contains(&tally);
            let (object, key) = match tally.name().split_once('.') {
                Some((group, key)) => (&mut object[group], key),
                None => (&mut *object, tally.name()),
            };
            match object.as_object_mut() {
                Some(object) if !is_there => drop(object.remove(key)),
                Some(object) if !is_asked => drop(object.insert(key.to_owned(), Value::Null)),
                _ => {}
            }
        }
        if !self.grades() {
            object["falls_to"] = Value::Null;
        }
    }
}
