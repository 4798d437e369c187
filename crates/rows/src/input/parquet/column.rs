//! A column of a Parquet file, some values at a time.

use super::damage::guarded;
use crate::parquet::{Kind, Value};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::reader::RowGroupReader;
use parquet::schema::types::ColumnDescPtr;

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

/// A column, and the values of some rows of it as fields.
pub(super) struct DecodedColumn {
    pub(super) name: String,
    /// The number of its leaf.
    leaf: (usize, ColumnDescPtr),
    /// Of the row group.
    reader: Option<ColumnReader>,
    kind: Kind,
    /// Values that a line cannot hold are marked.
    is_marked: bool,
    text: Vec<u8>,
    /// Where in the text the field of each row ends.
    ends: Vec<usize>,
    /// 0 for a missing value, if some may be.
    levels: Vec<i16>,
}

impl DecodedColumn {
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
        let (text, ends, levels) = (Vec::new(), Vec::new(), Vec::new());
        Self { name, leaf, reader: None, kind, is_marked, text, ends, levels }
    }

    /// Begins a row group, after this many of its rows.
    pub(super) fn begin(&mut self, group: &dyn RowGroupReader, skip: usize) -> Result<(), String> {
        let reader = guarded(|| {
            let mut reader = group.get_column_reader(self.leaf.0)?;
            let skipped = match skip {
                0 => 0,
                skip => with_reader!(&mut reader, typed => typed.skip_records(skip))?,
            };
            Ok((skipped == skip).then_some(reader))
        })?;
        self.reader = Some(reader.ok_or("has less values than rows")?);
        Ok(())
    }

    /// Decodes values for the next rows, in place of those before. Gives for how many rows there are
    /// some, and what is wrong with the one after them.
    pub(super) fn fill(&mut self, rows: usize) -> (usize, Option<String>) {
        let Some(mut reader) = self.reader.take() else { return (rows, None) };
        let error = with_reader!(&mut reader, typed => self.read(typed, rows));
        self.reader = Some(reader);
        (self.ends.len(), error)
    }

    /// Decodes values. Those before an error are kept.
    fn read<T: DataType>(&mut self, reader: &mut ColumnReaderImpl<T>, rows: usize) -> Option<String>
    where
        T::T: Value,
    {
        let mut values = Vec::with_capacity(rows);
        self.text.clear();
        self.ends.clear();
        self.levels.clear();
        let levels = &mut self.levels;
        let error =
            guarded(|| reader.read_records(rows, Some(levels), None, &mut values).map(drop)).err();
        let mut set = values.iter().take_while(|value| value.is_set());
        if self.leaf.1.max_def_level() == 0 {
            levels.clear();
            levels.resize(values.len(), 1);
        }
        for level in levels {
            if *level > 0 {
                // After an error there may be levels without a value.
                let Some(value) = set.next() else { break };
                value.push(self.kind, self.is_marked, &mut self.text);
            }
            self.ends.push(self.text.len());
        }
        error
    }

    /// Appends the value of a row, unless it is missing.
    pub(super) fn push(&self, row: usize, line: &mut Vec<u8>) {
        let Some(&end) = self.ends.get(row) else { return };
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        line.extend_from_slice(&self.text[start..end]);
    }
}
