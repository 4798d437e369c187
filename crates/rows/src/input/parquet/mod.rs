//! A Parquet file, read as the lines of a table.
//!
//! ```text
//! file ── footer ── row group ── column ── page ── 256 values ─┐
//!                              └ column ── page ── 256 values ─┴─> 256 lines of CSV
//! ```
//!
//! The layout of these lines is found as that of any other text: from its head. The lines have no header, so that the number of a line is that of its row.
//!
//! Pages are decoded one by one. So memory is a page of each column, however many rows a row group has.

mod column;
mod damage;
mod file;

use super::fields::PUZZLE_NAMES;
use super::layout::hints::{ColumnRef, Hints};
use super::layout::rule::{decide, read_head};
use super::layout::shape::{Layout, ParquetValues};
use super::layout::why::{Decided, Why};
use super::stream::LazyText;
use crate::Grouped;
use crate::parquet as text;
use column::DecodedColumn;
use damage::{damaged, guarded, said_by};
use file::ParquetBytes;
use parquet::basic::{ConvertedType, Repetition};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The name of a column of a Parquet file. With it is its schema in the text form of Parquet, if that form has
/// its type; or what it is if it is nested and so is not read: a list, a map or a struct.
pub type ParquetColumn = (String, Result<Option<String>, &'static str>);

/// Rows that are decoded together: about the bytes of a page of memory for each column.
const BATCH_ROWS: usize = 256;

/// A Parquet file. Nothing but its footer has been looked at.
pub(super) struct ParquetTable {
    origin: TableOrigin,
    length: u64,
}

/// Where the bytes are.
enum TableOrigin {
    /// In a file that is opened when it is its turn.
    Path(PathBuf),
    Open(ParquetBytes),
}

/// A column of the table. Each field of the schema is one.
#[derive(Clone, Debug)]
struct TableColumn {
    name: String,
    /// Its number among the leaves of the schema, or its type if it is nested.
    leaf: Result<usize, &'static str>,
}

impl ParquetTable {
    /// An open file of this length. One that has a path is closed until it is read.
    pub(super) fn of_file(file: File, path: Option<&Path>, length: u64) -> io::Result<Self> {
        let origin = match path {
            Some(path) => TableOrigin::Path(path.to_owned()),
            None => TableOrigin::Open(ParquetBytes::of_file(file, length)),
        };
        let table = Self { origin, length };
        // Its footer can be read: this is known before any output is touched.
        table.open().map(|_| table)
    }

    /// Bytes in memory.
    pub(super) fn in_memory(bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self { origin: TableOrigin::Open(ParquetBytes::of_memory(bytes)), length }
    }

    /// How many bytes the file has.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// How many rows it has.
    pub(super) fn rows(&self) -> io::Result<u64> {
        Ok(rows_of(self.open()?.metadata()))
    }

    /// Its columns. The lines do not have the nested ones.
    pub(super) fn columns(&self) -> io::Result<Vec<ParquetColumn>> {
        let file = self.open()?;
        let schema = file.metadata().file_metadata().schema_descr();
        let schema_of = |leaf| text::schema_of(&schema.column(leaf));
        let heads = heads_of(file.metadata()).into_iter();
        Ok(heads.map(|head| (head.name, head.leaf.map(schema_of))).collect())
    }

    /// Finds the layout of its rows.
    pub(super) fn layout(&self, hints: &Hints) -> io::Result<(Decided<Layout>, Why)> {
        let file = self.open()?;
        let rows = rows_of(file.metadata());
        if rows == 0 {
            let why = "no puzzle found: the file has no rows";
            return Ok((Err(why.to_owned()), Why::default()));
        }
        let heads = heads_of(file.metadata());
        let (flat, nested): (Vec<_>, Vec<_>) = heads.iter().partition(|head| head.leaf.is_ok());
        let names: Vec<_> = flat.iter().map(|head| head.name.clone()).collect();
        let (head, error) = read_head(&mut self.lines(None, 0..rows)?);
        let (layout, why) = decide(&head, &hints_for(&heads, hints)?, Some(&names));
        // Rows before an error are answered.
        if let Some(error) = error.filter(|_| layout.is_err() || head.is_empty()) {
            return Err(error);
        }
        let Ok(mut layout) = layout else {
            let is_named = |head: &&TableColumn| PUZZLE_NAMES.contains(&&*head.name);
            return check_flat(nested.into_iter().max_by_key(is_named)).map(|()| (layout, why));
        };
        let mut header = Vec::new();
        for (place, name) in names.iter().enumerate() {
            header.extend_from_slice(if place == 0 { b"" } else { b"," });
            text::push(name.as_bytes(), false, &mut header);
        }
        layout.header = Some(header);
        layout.parquet = Some(ParquetValues::AsText);
        Ok((Ok(layout), why))
    }

    /// Its rows in this range as lines. As long as there is no layout, all values are as they are.
    pub(super) fn lines(
        &self,
        layout: Option<&Layout>,
        rows: Range<u64>,
    ) -> io::Result<impl Read + Send + use<>> {
        let file = self.open()?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        let mut columns = Vec::new();
        for TableColumn { name, leaf } in heads_of(file.metadata()) {
            let Ok(leaf) = leaf else { continue };
            let other = layout.filter(|it| !it.is_role(columns.len()));
            let is_exact = matches!(other, Some(it) if it.parquet == Some(ParquetValues::AsStored));
            let leaf = (leaf, schema.column(leaf));
            columns.push(DecodedColumn::new(name, leaf, other.is_some(), is_exact));
        }
        let (group, left_in_group, failed) = (0, 0, None);
        let (skip, row, end) = (rows.start, rows.start, rows.end);
        let mut lines = RowReader { file, columns, group, left_in_group, skip, row, end, failed };
        // After an error there are no rows.
        Ok(LazyText::by(move |text| lines.decode(text).inspect_err(|_| lines.end = lines.row)))
    }

    fn open(&self) -> io::Result<SerializedFileReader<ParquetBytes>> {
        let bounded = match &self.origin {
            TableOrigin::Path(path) => ParquetBytes::of_file(File::open(path)?, self.length),
            TableOrigin::Open(bounded) => bounded.clone(),
        };
        bounded.check()?;
        let opened = guarded(|| SerializedFileReader::new(bounded));
        let file = opened.map_err(|why| damaged(&format!("the footer: {why}")))?;
        for (number, group) in file.metadata().row_groups().iter().enumerate() {
            check_places(group, self.length)
                .map_err(|why| damaged(&format!("row group {}: {why}", number + 1)))?;
        }
        Ok(file)
    }
}

/// Fails if a column is said to be in bytes that the file has not: the decoder does not expect that.
fn check_places(group: &RowGroupMetaData, length: u64) -> Result<(), String> {
    if group.num_rows() < 0 {
        return Err(format!("{} rows", group.num_rows()));
    }
    for column in group.columns() {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let bytes = u64::try_from(column.compressed_size()).ok();
        let end =
            u64::try_from(start).ok().zip(bytes).and_then(|(start, it)| start.checked_add(it));
        let is_here = column.file_path().is_none() && column.data_page_offset() >= 0;
        if !is_here || end.is_none_or(|end| end > length) || column.num_values() < 0 {
            let name = column.column_path().string();
            return Err(format!("column {name:?}: it is not in the file where the footer says"));
        }
    }
    Ok(())
}

/// How many rows a file says that it has.
fn rows_of(metadata: &ParquetMetaData) -> u64 {
    let rows = metadata.row_groups().iter().map(RowGroupMetaData::num_rows);
    rows.map(|rows| u64::try_from(rows).unwrap_or_default()).fold(0, u64::saturating_add)
}

/// The columns of a file.
fn heads_of(metadata: &ParquetMetaData) -> Vec<TableColumn> {
    let schema = metadata.file_metadata().schema_descr();
    let heads = schema.root_schema().get_fields().iter().enumerate().map(|(place, field)| {
        let leaf = (0..schema.num_columns()).position(|it| schema.get_column_root_idx(it) == place);
        let info = field.get_basic_info();
        let repeats = info.has_repetition() && info.repetition() == Repetition::REPEATED;
        let leaf = match info.converted_type() {
            _ if field.is_primitive() && !repeats => Ok(leaf.expect("it is one")),
            _ if field.is_primitive() => Err("a list"),
            ConvertedType::LIST => Err("a list"),
            ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE => Err("a map"),
            _ => Err("a struct"),
        };
        TableColumn { name: field.name().to_owned(), leaf }
    });
    heads.collect()
}

/// What the caller knows of the lines of these columns, which are CSV.
fn hints_for(heads: &[TableColumn], hints: &Hints) -> io::Result<Hints> {
    let mut own = Hints { grids: false, ..hints.clone() };
    for wanted in [&mut own.puzzle, &mut own.solution].into_iter().flatten() {
        match wanted {
            ColumnRef::Name(name) => {
                check_flat(heads.iter().find(|head| head.name.eq_ignore_ascii_case(name)))?;
            }
            ColumnRef::Place(place) => {
                check_flat(heads.get(*place))?;
                // A number counts all columns of the file.
                *place -= heads.iter().take(*place).filter(|head| head.leaf.is_err()).count();
            }
        }
    }
    Ok(own)
}

/// Fails if the wanted column is nested.
fn check_flat(wanted: Option<&TableColumn>) -> io::Result<()> {
    let Some(TableColumn { name, leaf: Err(nested) }) = wanted else { return Ok(()) };
    let why = format!(
        "column {name:?} is {nested}, and only flat columns are read: write it as text of 81 cells"
    );
    Err(io::Error::new(ErrorKind::InvalidData, why))
}

/// Reads rows as lines.
struct RowReader {
    file: SerializedFileReader<ParquetBytes>,
    columns: Vec<DecodedColumn>,
    /// How many row groups have been begun.
    group: usize,
    /// Rows of the last of them.
    left_in_group: u64,
    /// Rows that are not wanted before the next.
    skip: u64,
    /// The next row, from 0.
    row: u64,
    end: u64,
    failed: Option<io::Error>,
}

impl RowReader {
    /// Decodes more rows. Rows before an error are kept, and the error is for the next call.
    fn decode(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        while text.is_empty() && self.row < self.end {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            if self.left_in_group == 0 && !self.begin_group()? {
                break;
            }
            let left = self.left_in_group.min(self.end - self.row);
            let wanted = BATCH_ROWS.min(usize::try_from(left).unwrap_or(BATCH_ROWS));
            let mut rows = wanted;
            for column in &mut self.columns {
                let (found, error) = column.fill(wanted);
                let short = (found < wanted).then(|| "has less values than rows".to_owned());
                if let Some(why) = error.or(short) {
                    if found < rows || self.failed.is_none() {
                        let row = Grouped(self.row + found as u64 + 1);
                        let (group, name) = (self.group, &column.name);
                        let why = format!("row group {group}: column {name:?}: row {row}: {why}");
                        self.failed = Some(damaged(&why));
                    }
                    rows = rows.min(found);
                }
            }
            for row in 0..rows {
                let start = text.len();
                for (place, column) in self.columns.iter().enumerate() {
                    if place > 0 {
                        text.push(b',');
                    }
                    column.push(row, text);
                }
                if text.len() == start {
                    // An empty line is not a row of the table.
                    text.extend_from_slice(b"\"\"");
                }
                text.push(b'\n');
            }
            self.row += rows as u64;
            self.left_in_group -= rows as u64;
        }
        Ok(())
    }

    /// Begins the next row group with wanted rows. False if there is none.
    fn begin_group(&mut self) -> io::Result<bool> {
        while self.group < self.file.num_row_groups() {
            let index = self.group;
            self.group += 1;
            let rows = self.file.metadata().row_group(index).num_rows();
            let rows = u64::try_from(rows).unwrap_or_default();
            if self.skip >= rows {
                self.skip -= rows;
                continue;
            }
            let number = self.group;
            let failed = |why: String| damaged(&format!("row group {number}: {why}"));
            let group = self.file.get_row_group(index).map_err(|error| failed(said_by(&error)))?;
            let skip = usize::try_from(self.skip).unwrap_or(usize::MAX);
            for column in &mut self.columns {
                let begun = column.begin(&*group, skip);
                begun.map_err(|why| failed(format!("column {:?}: {why}", column.name)))?;
            }
            self.left_in_group = rows - self.skip;
            self.skip = 0;
            return Ok(true);
        }
        Ok(false)
    }
}
