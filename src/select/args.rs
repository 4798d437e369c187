//! The arguments of `ninefold select`.

use super::{
    By, CUT, Condition, Known, MET, PARTS, PartReport, Pick, REMOVED, SELECTED, Select, SortBy,
    Split, SplitReport, Stratum, UNKNOWN, Where,
};
use crate::Status;
use crate::cli::banks;
use crate::cli::exit::{Error, refuse};
use crate::cli::open;
use crate::cli::parsers;
use crate::cli::plot::{Panel, PlotArgs, render};
use crate::cli::reading::InputArgs;
use crate::cli::run::{Declared, Job, Ran, Started, check_headers};
use crate::cli::running::SearchArgs;
use crate::cli::signals::Signals;
use crate::cli::writing::{CommonArgs, FormatArgs, RecordsArgs};
use crate::difficulty::Grade;
use crate::input::Source;
use crate::names::Named;
use crate::output::{ColumnType, Format, Style, Table};
use crate::rate::plot;
use crate::run::{self, Counts, Report, Shape};
use clap::ColorChoice;
use clap::builder::TypedValueParser;
use indicatif::HumanCount;
use ninefold_bench::svg::SERIES;
use serde_json::{Value, json};
use std::fmt::Write;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

const SELECT_ABOUT: &str = "\
Copy the rows that meet conditions, byte for byte

Reads everything that solve reads. A row is a line that should be a puzzle, or
the nine lines of a grid. Rows that meet all conditions are copied unchanged,
below the header of the input. Comments and empty lines are not copied. All
inputs must have the same header.";

const SELECT_AFTER: &str = "\
Steps: conditions, then --unseen, --every, --sample, --sort, --head, --split.
Ranges include both ends: 2..10, 4.5.., ..3.4, 24; --er takes '>6.2', too.
Malformed rows: --status unique,multiple,none,conflict removes them.
Exit code 0: the run is complete, whether rows were selected or not.
Techniques and other exit codes: ninefold help formats

Examples:
  ninefold select puzzles.txt --status unique --minimal -o minimal.txt
  ninefold select train.csv --er 3.0..4.2 --sample 10000 -o medium.csv
  ninefold select test.csv --not-in train.csv -o clean.csv
  ninefold select all.csv --unseen --split train=0.9,test=0.1 -o new.csv
                                           # new.train.csv and new.test.csv";

const PLOT: &str = "Draw the parts of a split to FILE.svg";

/// `ninefold select`
#[derive(Debug, clap::Args)]
#[command(long_about = SELECT_ABOUT, after_long_help = SELECT_AFTER)]
#[command(mut_arg("rejects", |arg| arg.help("Write malformed lines to FILE")))]
#[command(mut_arg("plot", |arg| {
    arg.requires("split").hide_short_help(true).help(PLOT).long_help(PLOT)
}))]
#[command(next_help_heading = "Conditions")]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    select: Select,

    /// Select puzzles that BANK does not have; repeatable
    ///
    /// Isomorphic puzzles are the same.
    #[arg(long, value_name = "BANK")]
    not_in: Vec<PathBuf>,

    #[command(flatten)]
    plot: PlotArgs,

    #[command(flatten)]
    records: RecordsArgs,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    reading: InputArgs,

    /// Rows are copied as they are.
    #[arg(skip)]
    format: FormatArgs,

    /// The parts, once they are written.
    #[arg(skip)]
    parts: Option<SplitReport>,
}

/// Takes a status. No puzzle is `solved`: all solutions are proved to be unique, or not.
pub(super) fn statuses() -> impl TypedValueParser<Value = Status> {
    parsers::named_of(Status::ALL.iter().copied().filter(|&status| status != Status::Solved))
}

/// Takes a step of rows.
pub(super) fn every(text: &str) -> Result<NonZeroU64, String> {
    let number = parsers::positive(text)?;
    NonZeroU64::new(number).ok_or_else(|| "expected a whole number from 1".to_owned())
}

impl SelectArgs {
    /// Fails if an option names a column that an input does not have.
    fn check_columns(&self, sources: &[Source]) -> Result<(), Error> {
        fn names<T: Named>() -> String {
            T::ALL.iter().map(|it| it.name()).collect::<Vec<_>>().join(", ")
        }
        let used = self.select.conditions.own.iter().flat_map(Where::columns);
        let used = used.map(|it| ("--where", it, names::<Known>()));
        let sort = self.select.pick.sort.as_ref().and_then(By::column);
        let sort = sort.map(|it| ("--sort", it, names::<SortBy>()));
        let stratify = self.select.pick.stratify.as_ref().and_then(By::column);
        let stratify = stratify.map(|it| ("--stratify", it, names::<Stratum>()));
        for (option, name, facts) in used.chain(sort).chain(stratify) {
            let lacks = |it: &&Source| {
                it.length() != Some(0) && it.layout().is_some_and(|it| it.lacks(name))
            };
            if let Some(source) = sources.iter().find(lacks) {
                let columns = source.layout().map(|it| it.names.join(", ")).unwrap_or_default();
                let has = if columns.is_empty() { "no names".to_owned() } else { columns };
                return Err(Error::Failed(format!(
                    "{option}: {} has no column \"{name}\": it has {has}; of each puzzle: {facts}",
                    source.name()
                )));
            }
        }
        Ok(())
    }

    /// The first option that needs all rows before a row.
    fn needs_all_rows(&self) -> Option<&'static str> {
        let Select { conditions, pick, exact, report, .. } = &self.select;
        let needs = [
            ("--unseen", conditions.unseen.is_some()),
            ("--every", pick.every != NonZeroU64::MIN),
            ("--sample", pick.sample.is_some()),
            ("--sort", pick.sort.is_some()),
            ("--head", pick.head.is_some()),
            ("--exact", *exact),
            ("--report", *report),
            ("--plot", self.plot.plot.is_some()),
        ];
        needs.into_iter().find(|(_, is_typed)| *is_typed).map(|(option, _)| option)
    }
}

impl Job for SelectArgs {
    fn args(&self) -> CommonArgs<'_> {
        CommonArgs {
            records: &self.records,
            reading: Some(&self.reading),
            format: &self.format,
            color: ColorChoice::Never,
            keep_columns: false,
            search: &self.search,
        }
    }

    fn declared(&self, format: Format) -> Declared {
        Declared::of::<Status>("select", &self.select, format)
    }

    fn format(&self) -> Format {
        Format::Line
    }

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

    /// Rows are copied, so the rows of a Parquet file must come from Parquet files.
    fn table(&self, _: &Style, sources: &mut Vec<Source>) -> Result<Option<Table>, Error> {
        let Some(path) = self.records.path().filter(|path| open::is_parquet(Some(path))) else {
            return Ok(None);
        };
        let mut names = Vec::new();
        for source in &*sources {
            let is_parquet = source.column_types()?.is_some();
            let columns = source.layout().map(|layout| layout.columns_of_parquet());
            let Some(columns) = columns.filter(|_| is_parquet) else {
                let name = source.name();
                let reason =
                    format!("rows are copied, and {name} is no Parquet file; write another format");
                return Err(Error::at(path, reason));
            };
            names = columns.to_vec();
        }
        let types = open::types_of(sources, |_, _| true, self.records.rejects.as_deref())?;
        let columns = names
            .into_iter()
            .enumerate()
            .map(|(place, name)| (name, ColumnType::like(types.get(place).cloned().flatten())));
        Ok(Some(Table { columns: columns.collect() }))
    }

    fn also_read(&self) -> Vec<&Path> {
        self.not_in.iter().map(PathBuf::as_path).collect()
    }

    fn other_output(&self) -> Option<(&'static str, &'static str, &Option<PathBuf>)> {
        Some(("--plot", "chart", &self.plot.plot))
    }

    fn prepare(&mut self, sources: &[Source], signals: &Signals) -> Result<(), Error> {
        self.plot.check(self.records.force)?;
        let parts = self.select.split.iter().flat_map(Split::names).count();
        let reason = format!("draws at most {SERIES} parts, not {parts}");
        refuse(self.plot.plot.is_some() && parts > SERIES, "--plot", &reason)?;
        if let (Some(shard), Some(option)) = (self.records.shard, self.needs_all_rows()) {
            let advice = "select from the shards without it first, then from their rows together";
            let reason = format!("a shard does not have all rows that {option} needs; {advice}");
            return Err(Error::Failed(format!("--shard {shard}: {reason}")));
        }
        if let Some((one, other, what)) = check_headers(sources) {
            let reason = format!("{one} and {other} do not have the same {what}");
            return Err(Error::Failed(format!("{reason}; select from them one by one")));
        }
        self.check_columns(sources)?;
        let Pick { stratify, sample, .. } = &self.select.pick;
        let reason = "strata are those of --sample or --exact; add one of them";
        let is_alone = stratify.is_some() && sample.is_none() && !self.select.exact;
        refuse(is_alone, "--stratify", reason)?;
        self.select.bank = banks::load("--not-in", &self.not_in, true, self.args(), signals)?;
        Ok(())
    }

    fn restarts(&self) -> Option<&'static str> {
        self.needs_all_rows()
    }

    fn write(&mut self, run: Started<'_>) -> Result<Report, run::Error> {
        let Started { run, sources, output, control } = run;
        let mut select = self.select.clone();
        select.report |= self.plot.plot.is_some();
        select.search = self.search.search(control.cancel());
        let (report, parts) = select.write(run, sources, output, control)?;
        self.parts = parts;
        Ok(report)
    }

    /// Rows read, removed and written.
    fn summary(&self, ran: &Ran<'_>) -> String {
        let total = &ran.report.total;
        let own = |place: usize| total.own[place];
        let row = |label: &str, count: u64| (label.to_owned(), count);
        let mut rows = vec![
            row("comment lines skipped", total.comments),
            row("too long to be copied", own(CUT)),
        ];
        let removed = |it: &Condition| (format!("removed by {it}"), own(REMOVED + *it as usize));
        rows.extend(Condition::ALL.iter().map(removed));
        rows.push(row("not picked", own(MET) - own(SELECTED)));
        rows.retain(|&(_, count)| count > 0);
        rows.insert(0, row("rows read", total.puzzles));
        if self.search.max_branches.is_some() {
            rows.push(row("unknown", own(UNKNOWN)));
        }
        rows.push(row("rows written", own(SELECTED)));
        if self.select.split.is_some() {
            let files = self.outputs().into_iter().flatten().flatten().enumerate();
            rows.extend(
                files.map(|(part, file)| (format!("  {}", file.display()), own(PARTS + part))),
            );
        }
        let rows = rows.into_iter().map(|(label, it)| (label, vec![HumanCount(it).to_string()]));
        let mut text = aligned(&rows.collect::<Vec<_>>());
        let parts = self.parts.as_ref().filter(|_| self.select.report);
        text += &parts.map(compared).unwrap_or_default();
        text.trim_end().to_owned()
    }

    fn last_words(&self, _: &Ran<'_>) -> String {
        let engine = self.search.engine_in_words();
        let Pick { sample, seed, .. } = self.select.pick;
        match (sample, &self.select.split) {
            (None, None) => engine,
            _ => format!("{engine}, seed {seed}"),
        }
    }

    fn describe(&self, ran: &Ran<'_>, object: &mut Value) {
        object["rows"] = json!(ran.report.total.puzzles);
        object["rows_per_second"] = json!(ran.puzzles_per_second());
        object["seed"] = json!(self.select.pick.seed);
        object["shuffles"] = json!(self.select.shuffles);
        if let Some(report) = &self.parts {
            object["split"] = described(report);
        }
    }

    fn finish(&self, _: &Shape, _: &[(&str, &Counts)]) -> Result<(), Error> {
        let Some(report) = &self.parts else { return Ok(()) };
        self.plot.write(self.records.force, || drawn(report))
    }

    fn is_complete(&self, _: &Shape, _: &Counts) -> Result<bool, Error> {
        Ok(true)
    }
}

/// The chart of the parts: clues and grades.
#[expect(clippy::cast_precision_loss, reason = "a few grades")]
fn drawn(report: &SplitReport) -> String {
    let of = |counts: &dyn Fn(&PartReport) -> Vec<u64>| report.parts.iter().map(counts).collect();
    let clues: Vec<_> = of(&|it| it.clues.to_vec());
    let grades: Vec<_> = of(&|it| it.grades.to_vec());
    let names: Vec<_> = grade_names().map(str::to_owned).collect();
    let edges = (0..=names.len()).map(|edge| edge as f64).collect();
    let ticks = names.iter().enumerate();
    let grades = Panel {
        title: "Grade".to_owned(),
        edges,
        is_logarithmic: false,
        ticks: ticks.map(|(place, name)| (place as f64 + 0.5, name.clone())).collect(),
        bins: names,
        counts: grades,
    };
    let parts: Vec<_> = report.parts.iter().map(|it| (it.name.clone(), it.rows)).collect();
    render("Parts of a split", &parts, &[plot::clues(&clues), grades])
}

/// The parts side by side: a line for each fact.
fn compared(report: &SplitReport) -> String {
    let parts = &report.parts;
    let mut rows = vec![("part".to_owned(), parts.iter().map(|it| it.name.clone()).collect())];
    let mut add = |label: &str, fact: &dyn Fn(&PartReport) -> String| {
        rows.push((label.to_owned(), parts.iter().map(fact).collect::<Vec<_>>()));
    };
    let count = |count: u64| HumanCount(count).to_string();
    add("rows", &|it| count(it.rows));
    add("classes", &|it| count(it.classes));
    add("clues, fewest", &|it| it.fewest_clues().map_or_else(String::new, |it| it.to_string()));
    add("clues, mean", &|it| it.mean_clues().map_or_else(String::new, |it| format!("{it:.2}")));
    add("clues, most", &|it| it.most_clues().map_or_else(String::new, |it| it.to_string()));
    for (place, name) in grade_names().enumerate() {
        if parts.iter().any(|it| it.grades[place] > 0) {
            add(name, &|it| count(it.grades[place]));
        }
    }
    let mut text = aligned(&rows);
    let (classes, shared) = (count(report.classes), count(report.shared));
    let _ = writeln!(text, "{classes} classes, {shared} in two parts");
    if let Some(fit) = report.fit {
        let (strata, off) = (count(fit.strata as u64), count(fit.off));
        let strata =
            if fit.strata == 1 { "1 stratum".to_owned() } else { format!("{strata} strata") };
        let _ = writeln!(text, "sizes in {strata}: at most {off} rows from exact");
    }
    text
}

/// Labels and the facts beside them, in columns.
fn aligned(rows: &[(String, Vec<String>)]) -> String {
    let widest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| text.chars().count()).max().unwrap_or_default()
    };
    let labels = widest(&mut rows.iter().map(|(label, _)| label));
    let mut text = String::new();
    for (label, facts) in rows {
        // A string takes all that is written to it.
        let _ = write!(text, "{label:labels$}");
        for (column, fact) in facts.iter().enumerate() {
            let width = widest(&mut rows.iter().map(|(_, facts)| &facts[column]));
            let _ = write!(text, "  {fact:>width$}");
        }
        text.push('\n');
    }
    text
}

/// The grades, and the name of rows without one.
fn grade_names() -> impl Iterator<Item = &'static str> {
    Grade::ALL.iter().map(|grade| grade.name()).chain(["no grade"])
}

/// The report as an object.
fn described(report: &SplitReport) -> Value {
    let part = |it: &PartReport| {
        let clues = (0..).zip(&it.clues).filter(|(_, rows)| **rows > 0);
        let clues: serde_json::Map<_, _> =
            clues.map(|(clues, rows): (usize, _)| (clues.to_string(), json!(rows))).collect();
        let grades: serde_json::Map<_, _> =
            grade_names().map(str::to_owned).zip(it.grades.map(|rows| json!(rows))).collect();
        let mean = it.mean_clues();
        json!({ "name": it.name, "rows": it.rows, "classes": it.classes, "mean_clues": mean,
            "clues": clues, "grades": grades })
    };
    json!({
        "parts": report.parts.iter().map(part).collect::<Vec<_>>(),
        "classes": report.classes,
        "classes_in_two_parts": report.shared,
        "strata": report.fit.map(|fit| fit.strata),
        "most_rows_from_exact": report.fit.map(|fit| fit.off),
    })
}
