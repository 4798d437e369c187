//! The arguments of `ninefold select`.

use super::Split;
use super::options::{Condition, PartPlace, Picked, Select};
use super::picker::Picker;
use super::worker::{SelectWorker, SelectedRows};
use crate::bank::Earlier;
use crate::cli::{
    CommonArgs, Declared, Error, FormatArgs, InputArgs, Job, Opened, Ran, RecordsArgs, SearchArgs,
    Started, Typed, banks, check_headers, counted, first_place,
};
use crate::input::{Chunk, Want};
use crate::output::Format;
use crate::run::{self, Command, Count, Counts, Inputs, Report, Rows, Taken, Writing};
use clap::ColorChoice;
use indicatif::HumanCount;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const SELECT_AFTER: &str = "\
Steps: conditions, then --unseen, --sample, --head, --split.
Ranges include both ends: 2..10, 4.5.., ..3.4, 24; --er takes \">6.2\", too.
Malformed rows: --status unique,multiple,none,conflict removes them.
Exit code 0: the run is complete, whether rows were selected or not.
Techniques and other exit codes: ninefold help formats

Examples:
  ninefold select puzzles.txt --status unique --minimal -o minimal.txt
  ninefold select train.csv --er 3.0..4.2 --sample 10000 -o medium.csv
  ninefold select test.csv --not-in train.csv -o clean.csv
  ninefold select all.csv --unseen --split train=0.9,test=0.1 -o new.csv
                                           # new.train.csv and new.test.csv";

/// Copy the rows that meet conditions, byte for byte
///
/// Reads everything that solve reads. A row is a line that should be a puzzle, or
/// the nine lines of a grid. Rows that meet all conditions are copied unchanged,
/// below the header of the input. Comments and empty lines are not copied. All
/// inputs must have the same header.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = SELECT_AFTER)]
#[command(mut_arg("rejects", |arg| arg.help("Write malformed lines to FILE")))]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    select: Select,
    #[command(flatten)]
    reading: InputArgs,
    #[command(flatten)]
    records: RecordsArgs,
    #[command(flatten)]
    search: SearchArgs,
}

impl SelectArgs {
    /// The files of the parts, or the one file or standard output.
    fn outputs(&self) -> Result<Vec<Option<PathBuf>>, Error> {
        let path = self.records.path();
        let Some(split) = &self.select.split else { return Ok(vec![path.map(Path::to_owned)]) };
        let path = path.ok_or_else(|| {
            let reason = "the parts need files of their own: -o FILE with the name of a file";
            Error::Failed(format!("--split: {reason}"))
        })?;
        Ok(split.files(path).into_iter().map(Some).collect())
    }
}

/// The run of a `select`.
struct Selecting<'a> {
    select: &'a Select,
    /// The puzzles so far, if duplicates are looked for.
    earlier: Option<Earlier>,
}

impl Command for Selecting<'_> {
    type Kept = SelectedRows;

    fn counts(&self) -> Vec<Count> {
        counts(self.select.split.as_ref())
    }

    fn want(&self, _: &Writing) -> Want {
        Want { lines: true, solutions: !self.select.answer.is_empty() }
    }

    fn worker(&self) -> impl FnMut(&Chunk<'_>, &mut Rows<'_, SelectedRows>) -> ControlFlow<()> {
        let mut worker = SelectWorker::new(self.select, self.earlier.as_ref());
        move |chunk, rows| worker.answer(chunk, rows)
    }
}

/// What is counted, with the parts of this split.
fn counts(split: Option<&Split>) -> Vec<Count> {
    let mut counts = vec![
        Count::each::<Picked>().listed(Picked::ALL),
        Count::of::<Condition>("removed", Condition::ALL),
    ];
    counts.extend(split.map(|split| Count::of::<PartPlace>("parts", split.names())));
    counts
}

/// The declaration of the records, with the parts of this split.
pub(crate) fn declared(split: Option<&Split>) -> Declared {
    Declared::new("select", Vec::new(), counts(split))
}

impl Job for SelectArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let Select { not_in, split, .. } = &self.select;
        let declared = declared(split.as_ref());
        let args = CommonArgs {
            records: self.records.clone(),
            reading: Some(self.reading.clone()),
            // Rows are copied as they are.
            format: FormatArgs::default(),
            color: ColorChoice::Never,
            keep_columns: false,
            search: self.search.clone(),
        };
        Ok(Typed {
            outputs: self.outputs()?,
            also_read: not_in.iter().flatten().map(Path::to_owned).collect(),
            copies_rows: true,
            restarts: self.select.needs_all_rows(),
            ..Typed::new(args, declared, Format::Line)
        })
    }

    fn is_complete(&self, total: &Counts) -> Result<bool, Error> {
        Ok(total[Picked::TooLong] == 0)
    }

    fn prepare(&mut self, opened: Opened<'_>) -> Result<(), Error> {
        let Opened { typed, sources, signals } = opened;
        if let (Some(shard), Some(option)) = (self.records.shard, self.select.needs_all_rows()) {
            let advice = "select from the shards without it first, then from their rows together";
            let reason = format!("a shard does not have all rows that {option} needs; {advice}");
            return Err(Error::Failed(format!("--shard {shard}: {reason}")));
        }
        if let Some((one, other, what)) = check_headers(sources) {
            let reason = format!("{one} and {other} do not have the same {what}");
            return Err(Error::Failed(format!("{reason}; select from them one by one")));
        }
        self.select.check_columns(sources)?;
        let not_in = &self.select.not_in;
        self.select.bank = banks::load("--not-in", not_in, true, &typed.args, signals)?;
        Ok(())
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        let Started { run, sources, output, control, search } = run;
        self.select.search = search;
        let mut picker = Picker::new(&self.select, run.writing.style.header);
        let take = |taken: &mut Taken<'_, _>| picker.take(taken);
        let (select, earlier) = (&self.select, self.select.unseen.map(|_| Earlier::new()));
        let selecting = Selecting { select, earlier };
        let mut report = run.write(&selecting, sources, Inputs::fill, output, control, take)?;
        picker.end(&mut report, output)?;
        Ok(report)
    }

    /// Rows read, removed and written.
    fn summary(&self, ran: &Ran<'_>) -> String {
        let total = ran.total();
        let row = |label: &str, count: u64| (label.to_owned(), count);
        let mut rows = vec![
            row("comment lines skipped", total.comments),
            row("lines between grids skipped", total.between_grids),
            row("too long to be copied", total[Picked::TooLong]),
            row("malformed", total[Picked::Malformed]),
        ];
        let removed = |it: &Condition| (format!("removed by {it}"), total[*it]);
        rows.extend(Condition::ALL.iter().map(removed));
        rows.push(row("not picked", total[Picked::Met] - total[Picked::Selected]));
        rows.retain(|&(_, count)| count > 0);
        rows.insert(0, row("rows read", total.puzzles));
        if self.search.max_branches.is_some() {
            rows.push(row("unknown", total[Picked::Unknown]));
        }
        rows.push(row("rows written", total[Picked::Selected]));
        if self.select.split.is_some() {
            let files = ran.typed.outputs.iter().flatten().enumerate();
            rows.extend(
                files.map(|(part, file)| (format!("  {}", file.display()), total[PartPlace(part)])),
            );
        }
        let mut text = aligned(&rows);
        let too_long = total[Picked::TooLong];
        if too_long > 0 {
            let rows = counted(too_long, "row");
            let first = first_place(ran.report, |firsts| firsts.long);
            text += &format!("\n{rows} too long to be copied, the first is {first}");
        }
        text
    }

    fn last_words(&self, _: &Ran<'_>) -> Option<String> {
        let engine = self.search.engine_in_words();
        let draws = self.select.sample.is_some() || self.select.split.is_some();
        draws.then(|| format!("{engine}, seed {}", self.select.seed))
    }

    fn describe(&self, ran: &Ran<'_>, object: &mut Value) {
        object["rows"] = json!(ran.total().puzzles);
        object["rows_per_second"] = json!(ran.puzzles_per_second());
        object["seed"] = json!(self.select.seed);
        object["shuffles"] = json!(self.select.shuffles);
    }
}

/// Labels and the counts beside them, in two columns.
fn aligned(rows: &[(String, u64)]) -> String {
    let counts: Vec<_> = rows.iter().map(|&(_, count)| HumanCount(count).to_string()).collect();
    let labels = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or_default();
    let width = counts.iter().map(String::len).max().unwrap_or_default();
    let rows = rows.iter().zip(counts);
    let lines = rows.map(|((label, _), count)| format!("{label:labels$}  {count:>width$}"));
    lines.collect::<Vec<_>>().join("\n")
}
