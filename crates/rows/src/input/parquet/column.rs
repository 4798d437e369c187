//! A column of a Parquet file, some values at a time.

use super::damage::{guarded, said_by};
use super::text::{self, Kind};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::file::reader::RowGroupReader;
use parquet::schema::types::ColumnDescPtr;

/// A column, and the values of it that are decoded.
pub(super) struct Column {
    name: String,
    /// The number of its leaf; none of a nested column, whose values are all missing.
    leaf: Option<(usize, ColumnDescPtr)>,
    kind: Kind,
    /// Values that a line cannot hold are marked.
    is_marked: bool,
    reader: Option<ColumnReader>,
    values: Values,
    /// 0 for a missing value, if some may be.
    levels: Vec<i16>,
    /// The next value.
    next: usize,
}

/// Values that are not missing.
enum Values {
    None,
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Int96(Vec<Int96>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
    Fixed(Vec<FixedLenByteArray>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Bool(values) => values.len(),
            Self::Int32(values) => values.len(),
            Self::Int64(values) => values.len(),
            Self::Int96(values) => values.len(),
            Self::Float(values) => values.len(),
            Self::Double(values) => values.len(),
            Self::Bytes(values) => set(values.iter()),
            Self::Fixed(values) => set(values.iter().map(|value| &**value)),
        }
    }
}

/// How many values are set. The decoder of a damaged page may leave some that are not.
fn set<'a>(mut values: impl ExactSizeIterator<Item = &'a ByteArray>) -> usize {
    let (all, unset) = (values.len(), ByteArray::new());
    values.position(|value| *value == unset).unwrap_or(all)
}

impl Column {
    /// A column with this leaf of the schema. Marked values can hold what a line cannot; exact ones are
    /// as they are stored.
    pub(super) fn new(
        name: String,
        leaf: Option<(usize, ColumnDescPtr)>,
        is_marked: bool,
        is_exact: bool,
    ) -> Self {
        let kind = leaf.as_ref().map_or(Kind::Text, |(_, about)| Kind::of(about));
        let kind = if is_exact && kind != Kind::Text { Kind::Stored } else { kind };
        let (reader, values, levels) = (None, Values::None, Vec::new());
        Self { name, leaf, kind, is_marked, reader, values, levels, next: 0 }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Begins a row group, after this many of its rows.
    pub(super) fn begin(&mut self, group: &dyn RowGroupReader, skip: usize) -> Result<(), String> {
        let Some((leaf, _)) = &self.leaf else { return Ok(()) };
        let reader = guarded(|| {
            let mut reader = group.get_column_reader(*leaf).map_err(|error| said_by(&error))?;
            if skip > 0 && skip_rows(&mut reader, skip)? < skip {
                return Err("has less values than rows".to_owned());
            }
            Ok(reader)
        })?;
        self.values = match &reader {
            ColumnReader::BoolColumnReader(_) => Values::Bool(Vec::new()),
            ColumnReader::Int32ColumnReader(_) => Values::Int32(Vec::new()),
            ColumnReader::Int64ColumnReader(_) => Values::Int64(Vec::new()),
            ColumnReader::Int96ColumnReader(_) => Values::Int96(Vec::new()),
            ColumnReader::FloatColumnReader(_) => Values::Float(Vec::new()),
            ColumnReader::DoubleColumnReader(_) => Values::Double(Vec::new()),
            ColumnReader::ByteArrayColumnReader(_) => Values::Bytes(Vec::new()),
            ColumnReader::FixedLenByteArrayColumnReader(_) => Values::Fixed(Vec::new()),
        };
        self.reader = Some(reader);
        Ok(())
    }

    /// Decodes values for the next rows, in place of those before. Gives for how many rows there are
    /// some, and what is wrong with the one after them.
    pub(super) fn fill(&mut self, rows: usize) -> (usize, Option<String>) {
        let Some(reader) = &mut self.reader else { return (rows, None) };
        let levels = &mut self.levels;
        levels.clear();
        self.next = 0;
        let error = match (reader, &mut self.values) {
            (ColumnReader::BoolColumnReader(reader), Values::Bool(values)) => {
                read(reader, rows, levels, values)
            }
            (ColumnReader::Int32ColumnReader(reader), Values::Int32(values)) => {
                read(reader, rows, levels, values)
            }
            (ColumnReader::Int64ColumnReader(reader), Values::Int64(values)) => {
                read(reader, rows, levels, values)
            }
            (ColumnReader::Int96ColumnReader(reader), Values::Int96(values)) => {
                read(reader, rows, levels, values)
            }
            (ColumnReader::FloatColumnReader(reader), Values::Float(values)) => {
                read(reader, rows, levels, values)
            }
            (ColumnReader::DoubleColumnReader(reader), Values::Double(values)) => {
                read(reader, rows, levels, values)
            }
            (ColumnReader::ByteArrayColumnReader(reader), Values::Bytes(values)) => {
                read(reader, rows, levels, values)
            }
            (ColumnReader::FixedLenByteArrayColumnReader(reader), Values::Fixed(values)) => {
                read(reader, rows, levels, values)
            }
            _ => unreachable!("the values are those of the reader"),
        };
        (self.rows(), error)
    }

    /// For how many rows there are values. After an error there may be levels without one.
    fn rows(&self) -> usize {
        let values = self.values.len();
        if !self.may_miss() {
            return values;
        }
        let mut seen = 0;
        let has_value = |level: &&i16| {
            seen += usize::from(**level > 0);
            seen <= values
        };
        self.levels.iter().take_while(has_value).count()
    }

    /// Whether values may be missing.
    fn may_miss(&self) -> bool {
        self.leaf.as_ref().is_some_and(|(_, about)| about.max_def_level() > 0)
    }

    /// Appends the value of a row, which are asked for one after the other.
    pub(super) fn push(&mut self, row: usize, line: &mut Vec<u8>) {
        if self.leaf.is_none() || self.may_miss() && self.levels[row] == 0 {
            return;
        }
        let at = self.next;
        self.next += 1;
        let kind = self.kind;
        match &self.values {
            Values::None => {}
            Values::Bool(values) => {
                line.extend_from_slice(if values[at] { b"true" } else { b"false" });
            }
            Values::Int32(values) => kind.push_integer(i64::from(values[at]), 32, line),
            Values::Int64(values) => kind.push_integer(values[at], 64, line),
            Values::Int96(values) => kind.push_int96(values[at].data(), line),
            Values::Float(values) => text::push_shown(format_args!("{:?}", values[at]), line),
            Values::Double(values) => text::push_shown(format_args!("{:?}", values[at]), line),
            Values::Bytes(values) => kind.push_bytes(values[at].data(), self.is_marked, line),
            Values::Fixed(values) => kind.push_bytes(values[at].data(), self.is_marked, line),
        }
    }
}

/// Reads values for so many rows. Those before an error are kept.
fn read<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    levels: &mut Vec<i16>,
    values: &mut Vec<T::T>,
) -> Option<String> {
    values.clear();
    let read = guarded(|| {
        let read = reader.read_records(rows, Some(levels), None, values);
        read.map_err(|error| said_by(&error))
    });
    read.err()
}

fn skip_rows(reader: &mut ColumnReader, rows: usize) -> Result<usize, String> {
    let skipped = match reader {
        ColumnReader::BoolColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int32ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int96ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FloatColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::DoubleColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(rows),
    };
    skipped.map_err(|error| said_by(&error))
}
