//! The arguments of `ninefold augment`.

use super::{Augment, Drawn, Outcome};
use crate::cli::{
    ColorArgs, CommonArgs, Error, FormatArgs, InputArgs, Job, Opened, Ran, RecordsArgs, SearchArgs,
    Started, Typed, check_fields, count_line, parsers, terms,
};
use crate::names::NameSet;
use crate::output::Format;
use crate::run::{self, Report};
use crate::symmetry::Change;
use indicatif::HumanCount;
use serde_json::{Value, json};

const AFTER: &str = "\
The copies of a puzzle depend on the seed and its cells alone: not on threads,
shards, the line or the file. -n 8 begins with the copies of -n 4.

Record formats, maps and exit codes: ninefold help formats

Examples:
  ninefold augment train.csv -n 8 --seed 1 -o train8.csv
  ninefold augment train.csv -n 1000 --include-original -o train.parquet
  ninefold augment puzzles.txt --format line | ninefold solve
  ninefold augment list.csv --kinds digits,transpose --map -o copies.csv.zst";

/// Write random isomorphic copies of every row
///
/// Digits are relabelled, bands, stacks, rows and columns are permuted, and the
/// grid may be transposed. The answer of a row is transformed like its puzzle;
/// nothing is solved. Tables and objects keep all other columns. Reads everything
/// that solve reads, and full grids.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = AFTER)]
#[command(mut_arg("only", terms::<Outcome>))]
#[command(next_help_heading = "Copies")]
pub(crate) struct AugmentArgs {
    /// Write N copies of every row
    ///
    /// All copies of a row differ. A row with fewer different copies has all of them, then a record with
    /// the status few.
    #[arg(short = 'n', long, value_name = "N", default_value = "1", value_parser = parsers::positive)]
    count: u64,

    /// Draw the transformations with this seed
    #[arg(long, value_name = "S", default_value_t = crate::SEED, value_parser = parsers::whole)]
    seed: u64,

    /// Change these alone
    ///
    /// rows are bands and the rows in each, columns are stacks and the columns in each.
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    #[arg(value_parser = parsers::named::<Change>())]
    kinds: Option<Vec<Change>>,

    /// Write the row itself before its copies
    ///
    /// It is copy 0, and the copies differ from it.
    #[arg(long)]
    include_original: bool,

    /// Write the map from row to copy (csv, jsonl)
    #[arg(long)]
    map: bool,

    #[command(flatten)]
    reading: InputArgs,
    #[command(flatten)]
    records: RecordsArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    color: ColorArgs,
}

impl AugmentArgs {
    fn command(&self) -> Augment {
        Augment {
            copies: self.count,
            seed: self.seed,
            changes: self.kinds.as_ref().map_or(NameSet::ALL, |kinds| NameSet::of(kinds)),
            include_original: self.include_original,
            map: self.map,
        }
    }
}

impl Job for AugmentArgs {
    fn typed(&self) -> Result<Typed, Error> {
        let args = CommonArgs {
            records: self.records.clone(),
            reading: Some(self.reading.clone()),
            format: self.format.clone(),
            color: self.color.color,
            keep_columns: false,
            // Nothing is searched.
            search: SearchArgs::default(),
        };
        Ok(Typed {
            without_answers: Some("puzzles alone are transformed"),
            replaces_answers: true,
            ..Typed::of("augment", &self.command(), args, Format::Csv)
        })
    }

    fn prepare(&mut self, Opened { typed, .. }: Opened<'_>) -> Result<(), Error> {
        let fields = check_fields("--map", typed.format);
        // A table keeps the columns of its input unasked.
        typed.args.keep_columns = fields.is_ok();
        if self.map {
            fields?;
        }
        let count = HumanCount(self.count);
        self.command().check().map_err(|error| Error::Failed(format!("-n {count}: {error}")))
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        run.in_order(|_| self.command())
    }

    fn summary(&self, ran: &Ran<'_>) -> String {
        let total = ran.total();
        let [copies, again] = [Drawn::Copies, Drawn::Again].map(|it| HumanCount(total[it]));
        format!("{}\n{copies} rows written, {again} drawn again", count_line(total, ran.statuses()))
    }

    fn last_words(&self, _: &Ran<'_>) -> Option<String> {
        Some(format!("seed {}", self.seed))
    }

    fn describe(&self, _: &Ran<'_>, object: &mut Value) {
        object["seed"] = json!(self.seed);
    }
}
