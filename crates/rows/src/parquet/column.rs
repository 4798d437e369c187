//! A column of a Parquet file, some values at a time.

use super::damage::guarded;
use super::pages::ColumnPages;
use super::table::OpenTable;
use super::{Kind, Value};
use crate::Grouped;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::DataType;
use parquet::file::reader::FileReader;
use parquet::schema::types::ColumnDescPtr;
use std::ops::Range;
use std::sync::Arc;

/// Does something with the reader of a column, whatever the type of its values is.
macro_rules! with_reader {
    ($reader:expr, $typed:ident => $run:expr) => {
        match $reader {
            ColumnReader::BoolColumnReader($typed) => $run,
            ColumnReader::Int32ColumnReader($typed) => $run,
            ColumnReader::Int64ColumnReader($typed) => $run,
            ColumnReader::Int96ColumnReader($typed) => $run,
            ColumnReader::FloatColumnReader($typed) => $run,
            ColumnReader::DoubleColumnReader($typed) => $run,
            ColumnReader::ByteArrayColumnReader($typed) => $run,
            ColumnReader::FixedLenByteArrayColumnReader($typed) => $run,
        }
    };
}

/// What is wrong with a column that ends too early.
const SHORT: &str = "has less values than rows";

/// A column, and the values of some rows of it as fields.
pub(crate) struct DecodedColumn {
    name: String,
    /// The number of its leaf.
    pub(super) leaf: (usize, ColumnDescPtr),
    /// Nothing of a value is lost. The fields of puzzles and answers have spaces for line ends.
    is_exact: bool,
    /// Only the rows are decoded that need it.
    pub(crate) is_optional: bool,
    kind: Kind,
    /// The reader of a row group, the number of the group, and the next row.
    reader: Option<(ColumnReader, usize, u64)>,
    text: Vec<u8>,
    /// Where in the text the field of each row ends.
    ends: Vec<usize>,
    /// What is wrong with the row after those that have fields.
    pub(crate) fault: Option<String>,
}

impl DecodedColumn {
    /// A column with this leaf of the schema.
    pub(crate) fn new(
        name: String,
        leaf: (usize, ColumnDescPtr),
        kind: Kind,
        is_exact: bool,
        is_optional: bool,
    ) -> Self {
        let (text, ends) = (Vec::new(), Vec::new());
        Self { name, leaf, is_exact, is_optional, kind, reader: None, text, ends, fault: None }
    }

    /// How many rows have fields.
    pub(crate) fn rows(&self) -> usize {
        self.ends.len()
    }

    /// How many bytes its fields have, each with a delimiter.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len() + self.rows()
    }

    /// The field of one of the rows; nothing behind a fault.
    pub(crate) fn field(&self, row: usize) -> &[u8] {
        let Some(&end) = self.ends.get(row) else { return b"" };
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..end]
    }

    /// Makes fields of these rows, in place of those before. Rows that are not wanted have empty fields.
    pub(crate) fn fill(&mut self, table: &OpenTable, rows: &Range<u64>, wanted: &[Range<u64>]) {
        self.text.clear();
        self.ends.clear();
        self.fault = None;
        for wanted in wanted {
            self.ends.resize(count(wanted.start - rows.start), self.text.len());
            if self.read(table, wanted).is_err() {
                // The rows before the fault are found one by one, so they do not depend on where a chunk ends.
                let mut each = wanted.clone().map(|row| row..row + 1);
                if let Some(why) = each.find_map(|row| self.read(table, &row).err()) {
                    let (group, name) = (table.group_of(rows.start) + 1, &self.name);
                    self.fault = Some(format!("row group {group}: column {name:?}: {why}"));
                    return;
                }
            }
        }
        self.ends.resize(count(rows.end - rows.start), self.text.len());
    }

    /// Appends the values of these rows, or none of them.
    fn read(&mut self, table: &OpenTable, rows: &Range<u64>) -> Result<(), String> {
        let group = table.group_of(rows.start);
        let (mut reader, at) = match self.reader.take() {
            Some((reader, of, at)) if of == group && at <= rows.start => (reader, at),
            _ => {
                let (leaf, ref about) = self.leaf;
                let open = || table.file.get_row_group(group)?.get_column_page_reader(leaf);
                let (reader, last) = (guarded(open)?, Arc::clone(&table.pages));
                let pages = Box::new(ColumnPages { reader, last, leaf, next: (group, 0) });
                (get_column_reader(Arc::clone(about), pages), table.starts[group])
            }
        };
        let skip = count(rows.start - at);
        let skipped = guarded(|| with_reader!(&mut reader, typed => typed.skip_records(skip)))?;
        if skipped < skip {
            return Err(SHORT.to_owned());
        }
        let wanted = count(rows.end - rows.start);
        let read = with_reader!(&mut reader, typed => self.push_values(typed, wanted));
        read.map_err(|why| format!("row {}: {why}", Grouped(rows.start + 1)))?;
        self.reader = Some((reader, group, rows.end));
        Ok(())
    }

    /// Appends the next values of a reader, or none of them.
    fn push_values<T: DataType<T: Value>>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        rows: usize,
    ) -> Result<(), String> {
        let (mut values, mut levels) = (Vec::with_capacity(rows), Vec::new());
        let read = guarded(|| reader.read_records(rows, Some(&mut levels), None, &mut values));
        if read?.0 < rows {
            return Err(SHORT.to_owned());
        }
        let mut values = values.iter();
        for row in 0..rows {
            // A column without missing values has no levels.
            if levels.get(row).is_none_or(|level| *level > 0)
                && let Some(value) = values.next()
            {
                value.push(self.kind, self.is_exact, &mut self.text);
            }
            self.ends.push(self.text.len());
        }
        Ok(())
    }
}

/// A number of rows of a chunk, or of a row group that memory can hold.
pub(crate) fn count(rows: u64) -> usize {
    usize::try_from(rows).unwrap_or(usize::MAX)
}
