//! A column of a Parquet file, some values at a time.

use super::damage::guarded;
use crate::parquet::{Kind, Value};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::Result as Decoded;
use parquet::file::reader::RowGroupReader;
use parquet::schema::types::ColumnDescPtr;

/// A column, and the values of it that are decoded.
pub(super) struct Column {
    name: String,
    /// The number of its leaf.
    leaf: (usize, ColumnDescPtr),
    kind: Kind,
    /// Values that a line cannot hold are marked.
    is_marked: bool,
    /// Of the row group.
    values: Option<Box<dyn Values>>,
    /// 0 for a missing value, if some may be.
    levels: Vec<i16>,
    /// The next value.
    next: usize,
}

/// Values of a row group that are not missing, some at a time.
trait Values: Send {
    fn skip(&mut self, rows: usize) -> Decoded<usize>;

    /// Reads the values of the next `rows` rows and drops the ones before. Values before an error are kept.
    fn read(&mut self, rows: usize, levels: &mut Vec<i16>) -> Decoded<()>;

    /// The number of values before the first one that is not set.
    fn set(&self) -> usize;

    fn push(&self, at: usize, kind: Kind, is_marked: bool, line: &mut Vec<u8>);
}

struct Typed<T: DataType> {
    reader: ColumnReaderImpl<T>,
    values: Vec<T::T>,
}

impl<T: DataType> Values for Typed<T>
where
    T::T: Value,
{
    fn skip(&mut self, rows: usize) -> Decoded<usize> {
        self.reader.skip_records(rows)
    }

    fn read(&mut self, rows: usize, levels: &mut Vec<i16>) -> Decoded<()> {
        self.values.clear();
        self.reader.read_records(rows, Some(levels), None, &mut self.values).map(drop)
    }

    fn set(&self) -> usize {
        let unset = self.values.iter().position(|value| !value.is_set());
        unset.unwrap_or(self.values.len())
    }

    fn push(&self, at: usize, kind: Kind, is_marked: bool, line: &mut Vec<u8>) {
        self.values[at].push(kind, is_marked, line);
    }
}

fn typed(reader: ColumnReader) -> Box<dyn Values> {
    fn of<T: DataType>(reader: ColumnReaderImpl<T>) -> Box<dyn Values>
    where
        T::T: Value,
    {
        Box::new(Typed { reader, values: Vec::new() })
    }
    match reader {
        ColumnReader::BoolColumnReader(reader) => of(reader),
        ColumnReader::Int32ColumnReader(reader) => of(reader),
        ColumnReader::Int64ColumnReader(reader) => of(reader),
        ColumnReader::Int96ColumnReader(reader) => of(reader),
        ColumnReader::FloatColumnReader(reader) => of(reader),
        ColumnReader::DoubleColumnReader(reader) => of(reader),
        ColumnReader::ByteArrayColumnReader(reader) => of(reader),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => of(reader),
    }
}

impl Column {
    /// A column with this leaf of the schema. Marked values can hold what a line cannot; exact ones are
    /// as they are stored.
    pub(super) fn new(
        name: String,
        leaf: (usize, ColumnDescPtr),
        is_marked: bool,
        is_exact: bool,
    ) -> Self {
        let kind = Kind::of(&leaf.1);
        let kind = if is_exact && kind != Kind::Text { Kind::Stored } else { kind };
        Self { name, leaf, kind, is_marked, values: None, levels: Vec::new(), next: 0 }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Begins a row group, after this many of its rows.
    pub(super) fn begin(&mut self, group: &dyn RowGroupReader, skip: usize) -> Result<(), String> {
        let values = guarded(|| {
            let mut values = typed(group.get_column_reader(self.leaf.0)?);
            let skipped = if skip > 0 { values.skip(skip)? } else { 0 };
            Ok((skipped == skip).then_some(values))
        })?;
        self.values = Some(values.ok_or("has less values than rows")?);
        Ok(())
    }

    /// Decodes values for the next rows, in place of those before. Gives for how many rows there are
    /// some, and what is wrong with the one after them.
    pub(super) fn fill(&mut self, rows: usize) -> (usize, Option<String>) {
        let may_miss = self.may_miss();
        let Some(values) = &mut self.values else { return (rows, None) };
        let levels = &mut self.levels;
        levels.clear();
        self.next = 0;
        let error = guarded(|| values.read(rows, levels)).err();
        let set = values.set();
        if !may_miss {
            return (set, error);
        }
        // After an error there may be levels without a value.
        let mut seen = 0;
        let has_value = |level: &&i16| {
            seen += usize::from(**level > 0);
            seen <= set
        };
        (levels.iter().take_while(has_value).count(), error)
    }

    /// Whether values may be missing.
    fn may_miss(&self) -> bool {
        self.leaf.1.max_def_level() > 0
    }

    /// Appends the value of a row, which are asked for one after the other.
    pub(super) fn push(&mut self, row: usize, line: &mut Vec<u8>) {
        if self.may_miss() && self.levels[row] == 0 {
            return;
        }
        let Some(values) = &self.values else { return };
        values.push(self.next, self.kind, self.is_marked, line);
        self.next += 1;
    }
}
