//! `ninefold select`: opens, runs, reports.

mod args;
mod summary;

pub(super) use args::SelectArgs;

use super::banks::{self, BankReading};
use super::exit::{Error, Outcome, say};
use super::open;
use super::progress::Bar;
use super::reading;
use super::signals::Signals;
use super::standard::is_standard;
use ninefold::bank::{Bank, Form, Load, Prepared};
use ninefold::input::{ColumnTypes, Source};
use ninefold::output::{ColumnType, Plan, Table, Transaction};
use ninefold::pipeline::{Control, Event, Pipeline};
use ninefold::select::{Select, Split};
use std::path::{Path, PathBuf};
use std::time::Duration;
use summary::Summary;

/// Copies the rows of the inputs that meet the conditions.
pub(super) fn run(args: &SelectArgs) -> Result<Outcome, Error> {
    if let Some(outcome) = args.reading.explain()? {
        return Ok(outcome);
    }
    let mut sources = args.reading.open()?;
    let paths = output_paths(args)?;
    check_outputs(args, &paths)?;
    let mut plan = plan(args, &paths);
    plan.check()?;
    let mut banks = open_banks(args)?;
    args.reading.find_layouts(&mut sources, args.running.quiet)?;
    check_layouts(&sources)?;
    sources.iter().try_for_each(Source::check_flat)?;
    let table = table(&paths, &mut sources)?;
    let reading = BankReading {
        prepared: args.bank_form,
        column: args.bank_column.clone(),
        blanks: args.reading.hints().blanks,
    };
    reading.find_layouts(&mut banks, args.running.quiet)?;
    let signals = Signals::prepare(args.running.grace);
    let mut bank = if banks.is_empty() { None } else { Some(load(args, banks, &signals)?) };
    plan.outputs.iter_mut().for_each(|output| output.table.clone_from(&table));
    let mut outputs = open::begin(plan)?;
    signals.run_begins();

    let mut select = select(args);
    select.header &= table.is_none();
    let mut bar = args.running.bar(&args.reading, &sources, file(args));
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let report = match select.write(sources, bank.as_mut(), &mut outputs, control) {
        Ok(report) => report,
        Err(error) => return Err(open::left(signals.error(error), &outputs.suspend(), "rows")),
    };
    bar.finish();
    let said = commit(outputs, |time| Summary { report: &report, select: &select, args, time })?;
    if !args.running.quiet {
        say(said);
    }
    Ok(Outcome::AllAnswered)
}

/// Commits all outputs. Returns the text of the summary.
fn commit<'a>(
    outputs: Transaction,
    summary: impl Fn(Duration) -> Summary<'a>,
) -> Result<String, Error> {
    let mut said = String::new();
    outputs.commit(|time| {
        let summary = summary(time);
        said = summary.text();
        summary.to_json()
    })?;
    Ok(said)
}

/// The columns of Parquet files of rows, if they go to such. Rows are copied, so they must come from
/// Parquet files.
fn table(paths: &[Option<PathBuf>], sources: &mut Vec<Source>) -> Result<Option<Table>, Error> {
    let Some(path) = paths.iter().flatten().find(|path| open::is_parquet(Some(path))) else {
        return Ok(None);
    };
    let mut names = Vec::new();
    for source in &*sources {
        let is_parquet = source.column_types(ColumnTypes::All)?.is_some();
        let columns = source.layout().map(|layout| layout.columns_of_parquet());
        let Some(columns) = columns.filter(|_| is_parquet) else {
            let name = source.name();
            let reason =
                format!("rows are copied, and {name} is no Parquet file; write another format");
            return Err(Error::at(path, reason));
        };
        names = columns.to_vec();
    }
    let types = open::types_of(sources, ColumnTypes::All, None)?;
    let columns = names.iter().enumerate().map(|(place, name)| {
        let like = types.get(place).cloned().flatten().map(ColumnType::Like);
        (name.clone(), like.unwrap_or(ColumnType::Text))
    });
    Ok(Some(Table::new(columns.collect())))
}

/// What was asked for.
fn select(args: &SelectArgs) -> Select {
    Select {
        conditions: args.conditions(),
        pick: args.pick(),
        header: args.reading.writes_header(),
        split: args.split.clone(),
        shuffles: args.shuffles,
        engine: args.engine,
        simd: args.running.level(),
        max_branches: args.running.max_branches,
        pipeline: pipeline(args),
    }
}

fn pipeline(args: &SelectArgs) -> Pipeline {
    Pipeline { threads: args.running.threads, ..Pipeline::default() }
}

/// The file that rows go to, if it has a name.
fn file(args: &SelectArgs) -> Option<&Path> {
    args.output.as_deref().filter(|path| !is_standard(path))
}

/// The files of the parts, or the one file or standard output.
fn output_paths(args: &SelectArgs) -> Result<Vec<Option<PathBuf>>, Error> {
    let Some(split) = &args.split else { return Ok(vec![file(args).map(Path::to_owned)]) };
    let Some(path) = file(args) else {
        let reason = "the parts need files of their own: -o FILE with the name of a file";
        return Err(Error::Failed(format!("--split: {reason}")));
    };
    Ok(parts(split, path).into_iter().map(Some).collect())
}

/// The file of each part: the name of the part goes before the endings of the file.
fn parts(split: &Split, path: &Path) -> Vec<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // `.csv.gz` stays together, and a leading dot begins the name of a hidden file.
    let compressed = [".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending));
    let inner = compressed.unwrap_or(&name);
    let stem = inner.rfind('.').filter(|&dot| dot > 0).unwrap_or(inner.len());
    let (stem, endings) = name.split_at(stem);
    let file = |part: &str| path.with_file_name(format!("{stem}.{part}{endings}"));
    split.names().map(file).collect()
}

/// Fails if an output is also read, or if two outputs are one file.
fn check_outputs(args: &SelectArgs, paths: &[Option<PathBuf>]) -> Result<(), Error> {
    let banks: Vec<_> = args.not_in.iter().map(|path| &**path).collect();
    let (first, rest) = paths.split_first().expect("there is an output");
    let mut others: Vec<_> = rest.iter().map(|path| ("--split", "rows", path)).collect();
    others.push(("--stats-json", "statistics", &args.running.stats_json));
    open::check(&args.reading, &banks, first.as_deref(), &others)
}

/// The outputs: one for each part.
fn plan(args: &SelectArgs, paths: &[Option<PathBuf>]) -> Plan {
    let mut plan = open::plan(None, args.running.stats_json.as_deref(), args.force);
    plan.outputs = paths.iter().map(|path| open::planned(path.as_deref())).collect();
    plan
}

/// Fails if the rows of two inputs cannot be in one file.
fn check_layouts(sources: &[Source]) -> Result<(), Error> {
    // An empty input has no layout of its own.
    let sources = sources.iter().filter(|source| source.length() != Some(0));
    let named = sources.map(|source| (source.name(), source.layout()));
    let mut layouts = named.filter_map(|(name, layout)| Some((name, layout?)));
    let Some((one, layout)) = layouts.next() else { return Ok(()) };
    match layouts.find(|(_, other)| !other.agrees_with(layout)) {
        Some((other, found)) => {
            let what = if found.header() == layout.header() { "layout" } else { "header" };
            let reason = format!("{one} and {other} do not have the same {what}");
            Err(Error::Failed(format!("{reason}; select from them one by one")))
        }
        None => Ok(()),
    }
}

/// The banks, opened.
fn open_banks(args: &SelectArgs) -> Result<Vec<Source>, Error> {
    let open = |path: &PathBuf| {
        if is_standard(path) {
            let reason = "standard input cannot be a bank; name a file";
            return Err(Error::Failed(format!("--not-in -: {reason}")));
        }
        reading::open(path, args.reading.mapping())
    };
    args.not_in.iter().map(open).collect()
}

/// Loads the banks, and says which lines of them are not puzzles.
fn load(args: &SelectArgs, banks: Vec<Source>, signals: &Signals) -> Result<Bank, Error> {
    let form = if args.bank_form == Prepared::Minlex { Form::Minlex } else { Form::Cheapest };
    let load = Load {
        form,
        prepared: args.bank_form,
        engine: args.engine,
        simd: args.running.level(),
        max_branches: args.running.max_branches,
        pipeline: pipeline(args),
    };
    let bytes = banks.iter().map(Source::bytes).sum();
    let mut bar =
        if args.running.shows_bar(file(args)) { Bar::shown(bytes) } else { Bar::hidden() };
    let mut observer = |event: &Event| bar.tell(event);
    let control = Control::new(signals.cancel()).observed_by(&mut observer);
    let bank = load.load(banks, control).map_err(|error| signals.error(error))?;
    bar.finish();
    if !args.running.quiet {
        banks::tell_malformed(&bank);
    }
    Ok(bank)
}

impl Summary<'_> {
    /// The files of the parts.
    fn files(&self) -> Vec<PathBuf> {
        match (&self.args.split, file(self.args)) {
            (Some(split), Some(path)) => parts(split, path),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_part_is_before_the_endings() {
        let split: Split = "train=0.9,test=0.1".parse().unwrap();
        for (path, train) in [
            ("out.csv", "out.train.csv"),
            ("dir/a.b.jsonl.gz", "dir/a.b.train.jsonl.gz"),
            ("out", "out.train"),
            ("out.zst", "out.train.zst"),
            (".hidden", ".hidden.train"),
        ] {
            assert_eq!(parts(&split, Path::new(path))[0], Path::new(train));
        }
    }
}
