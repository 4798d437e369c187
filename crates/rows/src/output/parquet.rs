//! A Parquet file, written from rows of CSV.
//!
//! ```text
//! rows ── 1,024 at a time ─┬─ column writer ── compressed pages ─┐
//!                          └─ column writer ── compressed pages ─┴─ row group ── file
//! ```
//!
//! The pages of a row group are in memory until it is complete, because a column is stored in one
//! piece: a row group ends after 2^20 rows, 64 MiB of pages or 256 MiB of rows. Rows and their bytes are
//! counted, not blocks, so the same rows make the same bytes however they arrive.

use super::column::Kind as Own;
use super::press::Encode;
use super::table::{ColumnType, Table};
use crate::extent::{Extent, Hashed};
use crate::lock;
use crate::parquet::{Kind, Value, column_of, failed};
use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl, get_column_writer};
use parquet::data_type::DataType;
use parquet::errors::Result as Written;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type, TypePtr};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Rows that are given to the column writers together, at most.
const BATCH_ROWS: usize = 1024;

/// Bytes of rows after which a batch ends. The steps of an easy puzzle have 26 KB.
const BATCH_BYTES: usize = if cfg!(test) { 1 << 14 } else { 1 << 20 };

/// Rows of a row group, at most. Tests need several row groups of few rows.
const GROUP_ROWS: usize = if cfg!(test) { 4 * BATCH_ROWS } else { 1 << 20 };

/// Bytes of the pages of a row group after which it ends.
const GROUP_BYTES: usize = 64 << 20;

/// Bytes of rows after which a row group ends: readers hold one in memory, and the pages of lists have a
/// thirtieth of these bytes.
const GROUP_ROW_BYTES: usize = if cfg!(test) { 1 << 16 } else { 256 << 20 };

/// Level of zstd. As of the text of records, higher levels gain little: see `encoder`.
const ZSTD_LEVEL: i32 = 1;

/// Writes a Parquet file. The rows of an incomplete one can be read only if its index is at its end, and
/// no later run continues it.
pub(super) struct ParquetEncoder {
    file: SerializedFileWriter<Hashed>,
    properties: WriterPropertiesPtr,
    columns: Vec<ColumnEncoder>,
    /// The row that is not complete yet.
    rest: Vec<u8>,
    /// Rows of the batch, and of the row group before it.
    batch: Size,
    group: Size,
}

/// A number of rows.
#[derive(Default)]
struct Size {
    rows: usize,
    bytes: usize,
}

/// A column, and its fields of the batch.
struct ColumnEncoder {
    about: ColumnDescPtr,
    /// The fields, without anything between them, and where each ends. One of no bytes is a missing value.
    /// Lists are arrays of JSON.
    fields: Vec<u8>,
    ends: Vec<usize>,
    /// The writer of the row group.
    writer: Option<ColumnWriter<'static>>,
    pages: Pages,
}

impl ColumnEncoder {
    fn push(&mut self, field: &[u8]) {
        self.fields.extend_from_slice(field);
        self.ends.push(self.fields.len());
    }

    /// Gives the batch to the writer of the row group, which is made when there is none.
    fn end_batch(&mut self, properties: &WriterPropertiesPtr) -> io::Result<()> {
        use ColumnWriter as Of;
        let mut writer = self.writer.take().unwrap_or_else(|| {
            let (about, properties) = (Arc::clone(&self.about), Arc::clone(properties));
            get_column_writer(about, properties, Box::new(self.pages.clone()))
        });
        match &mut writer {
            Of::BoolColumnWriter(writer) => self.write(writer),
            Of::Int32ColumnWriter(writer) => self.write(writer),
            Of::Int64ColumnWriter(writer) => self.write(writer),
            Of::Int96ColumnWriter(writer) => self.write(writer),
            Of::FloatColumnWriter(writer) => self.write(writer),
            Of::DoubleColumnWriter(writer) => self.write(writer),
            Of::ByteArrayColumnWriter(writer) => self.write(writer),
            Of::FixedLenByteArrayColumnWriter(writer) => self.write(writer),
        }?;
        self.writer = Some(writer);
        self.fields.clear();
        self.ends.clear();
        Ok(())
    }

    fn write<T: DataType>(&self, writer: &mut ColumnWriterImpl<T>) -> io::Result<()>
    where
        T::T: Value,
    {
        let (kind, length) = (Kind::of(&self.about), self.about.type_length());
        let are_lists = self.about.max_rep_level() > 0;
        let (mut values, mut levels, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
        let mut push = |item: &[u8], level, repeat| {
            levels.push(level);
            repeats.push(repeat);
            if level == self.about.max_def_level() {
                let value = T::T::of_field(item, kind, length);
                values.push(value.ok_or_else(|| misfit(self.name()))?);
            }
            Ok(())
        };
        let mut start = 0;
        for &end in &self.ends {
            let field = &self.fields[start..end];
            start = end;
            if are_lists {
                each_item(field, self.about.max_def_level(), &mut push)?;
            } else {
                push(field, i16::from(!field.is_empty()), 0)?;
            }
        }
        let repeats = are_lists.then_some(&repeats[..]);
        writer.write_batch(&values, Some(&levels), repeats).map(drop).map_err(failed)
    }

    /// The name of the column, which is not that of the items of a list.
    fn name(&self) -> &str {
        &self.about.path().parts()[0]
    }
}

/// The pages of a column in a row group.
#[derive(Clone, Default)]
struct Pages(Arc<Mutex<Vec<u8>>>);

impl PageWriter for Pages {
    fn write_page(&mut self, page: CompressedPage) -> Written<PageWriteSpec> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let mut spec = SerializedPageWriter::new(&mut bytes).write_page(page)?;
        let mut pages = lock(&self.0);
        spec.offset += pages.len() as u64;
        pages.extend_from_slice(&bytes.into_inner()?);
        Ok(spec)
    }

    fn close(&mut self) -> Written<()> {
        Ok(())
    }
}

impl ParquetEncoder {
    /// A file with these columns.
    pub(super) fn new(table: &Table, behind: Hashed) -> io::Result<Self> {
        let fields = table.columns.iter().map(|(name, kind)| field(name, kind));
        let fields = fields.collect::<Written<Vec<_>>>().map_err(failed)?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build();
        let schema = Arc::new(schema.map_err(failed)?);
        let level = ZstdLevel::try_new(ZSTD_LEVEL).map_err(failed)?;
        let columns = SchemaDescriptor::new(Arc::clone(&schema));
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("ninefold version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(level))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true);
        for ((_, kind), about) in table.columns.iter().zip(columns.columns()) {
            // A dictionary does not make grids smaller that are all different. It makes lists of grids larger,
            // each of which has most bytes of the one before it: the numbers of a dictionary are not whole bytes.
            let has_dictionary = match kind {
                ColumnType::Own(Own::Text | Own::Puzzle | Own::Whole) => false,
                ColumnType::Own(Own::Lists(depth, _)) => *depth == 1,
                _ => true,
            };
            let path = about.path().clone();
            properties = properties.set_column_dictionary_enabled(path.clone(), has_dictionary);
            if about.max_rep_level() > 0 {
                // No reader chooses rows by the least and the greatest number of their lists.
                properties =
                    properties.set_column_statistics_enabled(path, EnabledStatistics::None);
            }
        }
        let properties = Arc::new(properties.build());
        let file = SerializedFileWriter::new(behind, schema, Arc::clone(&properties));
        let file = file.map_err(failed)?;
        let columns = columns.columns().iter().map(|about| ColumnEncoder {
            about: Arc::clone(about),
            fields: Vec::new(),
            ends: Vec::new(),
            writer: None,
            pages: Pages::default(),
        });
        let columns = columns.collect();
        Ok(Self {
            file,
            properties,
            columns,
            rest: Vec::new(),
            batch: Size::default(),
            group: Size::default(),
        })
    }

    fn row(&mut self, row: &[u8]) -> io::Result<()> {
        let mut rest = Some(row);
        let mut unquoted = Vec::new();
        for column in &mut self.columns {
            let Some(from) = rest else { return Err(misfit(column.name())) };
            let (value, next) = next_field(from, &mut unquoted);
            rest = next;
            column.push(value.unwrap_or(&unquoted));
        }
        if rest.is_some() {
            return Err(misfit("a column too many"));
        }
        self.batch.rows += 1;
        self.batch.bytes += row.len();
        if self.batch.rows == BATCH_ROWS || self.batch.bytes >= BATCH_BYTES {
            self.end_batch()?;
        }
        Ok(())
    }

    fn end_batch(&mut self) -> io::Result<()> {
        let mut pages = 0;
        for column in &mut self.columns {
            column.end_batch(&self.properties)?;
            pages += lock(&column.pages.0).len();
        }
        let Size { rows, bytes } = std::mem::take(&mut self.batch);
        self.group = Size { rows: self.group.rows + rows, bytes: self.group.bytes + bytes };
        let Size { rows, bytes } = self.group;
        if rows >= GROUP_ROWS || pages >= GROUP_BYTES || bytes >= GROUP_ROW_BYTES {
            self.end_group()?;
        }
        Ok(())
    }

    fn end_group(&mut self) -> io::Result<()> {
        self.group = Size::default();
        let mut group = self.file.next_row_group().map_err(failed)?;
        for column in &mut self.columns {
            let Some(writer) = column.writer.take() else { continue };
            let closed = writer.close().map_err(failed)?;
            let bytes = Bytes::from(std::mem::take(&mut *lock(&column.pages.0)));
            group.append_column(&bytes, closed).map_err(failed)?;
        }
        group.close().map_err(failed).map(drop)
    }
}

impl Encode for ParquetEncoder {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (mut rows, mut start) = (std::mem::take(&mut self.rest), 0);
        rows.extend_from_slice(bytes);
        for end in memchr::memchr_iter(b'\n', &rows) {
            self.row(&rows[start..end])?;
            start = end + 1;
        }
        rows.drain(..start);
        self.rest = rows;
        Ok(())
    }

    fn extent(&self) -> Extent {
        self.file.inner().extent()
    }

    /// A row that is not complete is left out.
    fn finish(mut self: Box<Self>) -> io::Result<Extent> {
        if self.batch.rows > 0 {
            self.end_batch()?;
        }
        if self.group.rows > 0 {
            self.end_group()?;
        }
        self.file.finish().map_err(failed)?;
        self.file.inner_mut().flush().map(|()| self.extent())
    }

    fn abandon(self: Box<Self>) -> io::Result<()> {
        self.finish().map(drop)
    }
}

/// The first field of a row, and the rest of the row behind its comma. A field in quotation marks is in
/// `unquoted` instead.
fn next_field<'a>(row: &'a [u8], unquoted: &mut Vec<u8>) -> (Option<&'a [u8]>, Option<&'a [u8]>) {
    if row.first() != Some(&b'"') {
        return match memchr::memchr(b',', row) {
            Some(end) => (Some(&row[..end]), Some(&row[end + 1..])),
            None => (Some(row), None),
        };
    }
    unquoted.clear();
    let mut at = 1;
    while let Some(mark) = memchr::memchr(b'"', &row[at..]) {
        unquoted.extend_from_slice(&row[at..at + mark]);
        at += mark + 1;
        if row.get(at) != Some(&b'"') {
            break;
        }
        unquoted.push(b'"');
        at += 1;
    }
    let rest = row.get(at).filter(|&&byte| byte == b',').map(|_| &row[at + 1..]);
    (None, rest)
}

/// Pushes each number of an array of JSON, and each empty list in it, with its definition level and its
/// repetition level.
///
/// ```text
/// levels of [[5,3],[]]: 5 has 5 and 0, 3 has 5 and 2, the empty list 3 and 1. No list at all: 0 and 0.
/// ```
fn each_item(
    field: &[u8],
    most: i16,
    mut push: impl FnMut(&[u8], i16, i16) -> io::Result<()>,
) -> io::Result<()> {
    if field.is_empty() {
        return push(field, 0, 0);
    }
    let (mut depth, mut repeat, mut start) = (0, 0, 0);
    for (place, &byte) in field.iter().enumerate() {
        if matches!(byte, b',' | b']') && place > start {
            push(&field[start..place], most, repeat)?;
        }
        match byte {
            b'[' => {
                depth += 1;
                if field.get(place + 1) == Some(&b']') {
                    push(b"", 2 * depth - 1, repeat)?;
                }
            }
            b']' => depth -= 1,
            b',' => repeat = depth,
            _ => continue,
        }
        start = place + 1;
    }
    Ok(())
}

/// The field of the schema that a column is. Every value may be missing.
fn field(name: &str, kind: &ColumnType) -> Written<TypePtr> {
    let build = |physical, logical| {
        Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
    };
    Ok(Arc::new(match kind {
        ColumnType::Own(Own::Whole) => build(Physical::INT64, None)?,
        ColumnType::Own(Own::Decimal) => build(Physical::DOUBLE, None)?,
        ColumnType::Own(Own::Flag) => build(Physical::BOOLEAN, None)?,
        ColumnType::Own(Own::Word | Own::Status | Own::Text | Own::Puzzle) => {
            build(Physical::BYTE_ARRAY, Some(LogicalType::String))?
        }
        ColumnType::Own(Own::Lists(depth, bits)) => return lists_of(name, *depth, *bits),
        ColumnType::Like(schema) => return column_of(name, schema),
    }))
}

/// Lists of unsigned integers, with the groups and the names that Arrow gives lists.
fn lists_of(name: &str, depth: u8, bits: i8) -> Written<TypePtr> {
    const ITEM: &str = "element";
    let group = |name, of, repetition, logical| {
        let group = Type::group_type_builder(name).with_fields(vec![Arc::new(of)]);
        group.with_repetition(repetition).with_logical_type(logical).build()
    };
    let mut lists = Type::primitive_type_builder(ITEM, Physical::INT32)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::integer(bits, false)))
        .build()?;
    for left in (0..depth).rev() {
        let name = if left == 0 { name } else { ITEM };
        lists = group("list", lists, Repetition::REPEATED, None)?;
        lists = group(name, lists, Repetition::OPTIONAL, Some(LogicalType::List))?;
    }
    Ok(Arc::new(lists))
}

/// A row whose fields differ from the columns of the table.
fn misfit(what: &str) -> io::Error {
    io::Error::other(format!("a row does not fit the columns of the table: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    /// A value as JSON.
    fn json(field: &Field) -> String {
        match field {
            Field::Null => String::new(),
            Field::ListInternal(list) => {
                let items: Vec<_> = list.elements().iter().map(json).collect();
                format!("[{}]", items.join(","))
            }
            other => other.to_string(),
        }
    }

    /// Lists of every depth: missing, empty, with empty lists, and longer than a batch.
    #[test]
    fn lists_are_read_as_they_were_written() {
        let columns = [Own::Whole, Own::Lists(1, 8), Own::Lists(2, 16), Own::Lists(3, 8)];
        let columns = columns.iter().enumerate();
        let columns =
            columns.map(|(place, kind)| (format!("c{place}"), ColumnType::Own(*kind))).collect();
        let grid = format!("[{}]", ["511"; 81].join(","));
        let grids = format!("[{}]", vec![&*grid; BATCH_BYTES / 300].join(","));
        let some = ["", "[]", "[0]", "[255,7]"];
        let of_lists = ["", "[]", "[[]]", "[[],[1],[]]", "[[65535,2],[3]]", &grids, "[[],[]]"];
        let deep = ["", "[]", "[[],[[]]]", "[[[1,2],[3,4]],[],[[],[5,6]]]", "[[[]]]"];
        let row = |row: usize| {
            let lists = [some[row % 4], of_lists[row % 7], deep[row % 5]];
            [row.to_string()].into_iter().chain(lists.map(str::to_owned)).collect::<Vec<_>>()
        };
        let rows: Vec<_> = (0..300).map(row).collect();
        let file = tempfile::tempfile().unwrap();
        let behind = Hashed::new(file.try_clone().unwrap(), None);
        let mut encoder = Box::new(ParquetEncoder::new(&Table { columns }, behind).unwrap());
        for row in &rows {
            let quoted = row.iter().map(|field| format!("\"{field}\"")).collect::<Vec<_>>();
            encoder.write(format!("{}\n", quoted.join(",")).as_bytes()).unwrap();
        }
        encoder.finish().unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        assert!(reader.metadata().num_row_groups() > 1);
        let mut found = reader.get_row_iter(None).unwrap();
        for row in rows {
            let read = found.next().unwrap().unwrap();
            let read: Vec<_> = read.get_column_iter().map(|(_, field)| json(field)).collect();
            assert_eq!(read, row);
        }
        assert!(found.next().is_none());
    }
}
