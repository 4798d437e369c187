//! Names to outputs. Everything is checked before anything is created: inputs are opened first, then
//! each output is compared with them and with the other outputs.

use super::exit::{Error, refuse};
use super::standard::is_standard;
use crate::input::{Layout, ParquetValues, Source};
use crate::output::{self, Claims, ColumnType, Mode, Planned, Sink, Table};
use std::path::{Path, PathBuf};

/// The file of this name; `None` is standard output, which is also called `-`.
fn file(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| !is_standard(path))
}

/// Fails if an output is one of the files that are read, or if two outputs are one file. `others` are outputs
/// besides the records, each with its option and its content.
pub(crate) fn check<'a>(
    read: impl IntoIterator<Item = &'a Path>,
    records: Option<&Path>,
    others: &[(&str, &str, &Option<PathBuf>)],
) -> Result<(), Error> {
    let mut claims = Claims::default();
    for path in read {
        match file(Some(path)) {
            Some(path) => claims.read(path),
            None => claims.read_stdin(),
        }
    }
    let records = file(records);
    claims.write(records)?;
    let mut is_stdout_taken = records.is_none();
    for (option, what, path) in others {
        let Some(path) = path.as_deref() else { continue };
        let other = file(Some(path));
        if other.is_none() {
            let reason = format!("standard output is taken, so the {what} cannot go there");
            refuse(is_stdout_taken, &format!("{option} -"), &reason)?;
            is_stdout_taken = true;
        }
        claims.write(other)?;
    }
    Ok(())
}

/// Fails if a file exists, unless it is to be replaced.
pub(crate) fn check_free(path: Option<&Path>, force: bool) -> Result<(), Error> {
    match file(path) {
        Some(path) if !force => Ok(output::check_free(path)?),
        _ => Ok(()),
    }
}

/// What is done with existing files.
pub(crate) const fn mode(force: bool) -> Mode {
    if force { Mode::Replace } else { Mode::New }
}

/// An output that is no part of a transaction.
pub(crate) fn sink(path: &Path, force: bool) -> Result<Sink, Error> {
    file(Some(path)).map_or_else(|| Ok(Sink::stdout()), |path| Ok(Sink::open(path, mode(force))?))
}

/// The types of the wanted columns of the inputs, if all of them are Parquet files and have the same; their
/// values are read as they are stored then. If there are rejects, which are rows of text, only types
/// whose values are written as they are stored.
pub(crate) fn types_of(
    sources: &mut Vec<Source>,
    is_wanted: impl Fn(&Layout, usize) -> bool,
    rejects: Option<&Path>,
) -> Result<Vec<Option<String>>, Error> {
    let mut types: Option<Vec<Option<String>>> = None;
    for source in &*sources {
        let columns = source.parquet_columns()?;
        let flat = columns.iter().filter_map(|(_, schema)| schema.clone().ok()).enumerate();
        let is_wanted = |place| source.layout().is_none_or(|layout| is_wanted(layout, place));
        let found: Vec<_> =
            flat.filter(|(place, _)| is_wanted(*place)).map(|(_, schema)| schema).collect();
        if columns.is_empty() || types.get_or_insert_with(|| found.clone()) != &found {
            return Ok(Vec::new());
        }
    }
    if rejects.is_some() {
        let is_plain = |schema: &String| {
            ["(STRING)", "(UTF8)"].iter().any(|text| schema.contains(text))
                || !schema.contains('(')
                    && !["BYTE_ARRAY", "INT96"].iter().any(|it| schema.contains(it))
        };
        let types = types.unwrap_or_default().into_iter();
        return Ok(types.map(|schema| schema.filter(is_plain)).collect());
    }
    for source in sources {
        source.write_values(ParquetValues::AsStored);
    }
    Ok(types.unwrap_or_default())
}

/// The columns of a Parquet file of copied rows, which must come from Parquet files.
pub(crate) fn table_of_rows(
    path: &Path,
    sources: &mut Vec<Source>,
    rejects: Option<&Path>,
) -> Result<Table, Error> {
    let mut names = Vec::new();
    for source in &*sources {
        let columns = source.layout().map(|layout| layout.columns_of_parquet());
        let Some(columns) = columns.filter(|columns| !columns.is_empty()) else {
            let name = source.name();
            let reason =
                format!("rows are copied, and {name} is no Parquet file; write another format");
            return Err(Error::at(path, reason));
        };
        names = columns.to_vec();
    }
    let types = types_of(sources, |_, _| true, rejects)?;
    let columns = names
        .into_iter()
        .enumerate()
        .map(|(place, name)| (name, ColumnType::like(types.get(place).cloned().flatten())));
    Ok(Table { columns: columns.collect() })
}

/// The output of this name.
pub(crate) fn planned(path: Option<&Path>) -> Planned {
    file(path).map(Path::to_owned).into()
}
