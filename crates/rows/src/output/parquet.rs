//! A Parquet file, written from rows of CSV.
//!
//! ```text
//! rows ── 1,024 at a time ─┬─ column writer ── compressed pages ─┐
//!                          └─ column writer ── compressed pages ─┴─ row group ── file
//! ```
//!
//! The pages of a row group are in memory until it is complete, because a column is stored in one
//! piece: a row group ends after 2^20 rows, or after 64 MiB of pages. Rows are counted, not blocks, so
//! the same rows make the same bytes however they arrive.

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
use parquet::schema::types::{ColumnDescPtr, ColumnPath, Type, TypePtr};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Rows that are given to the column writers together.
const BATCH_ROWS: usize = 1024;

/// Rows of a row group, at most. Tests need several row groups of few rows.
const GROUP_ROWS: usize = if cfg!(test) { 4 * BATCH_ROWS } else { 1 << 20 };

/// Bytes of the pages of a row group after which it ends.
const GROUP_BYTES: usize = 64 << 20;

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
    /// Rows of the batch, and of the row group with it.
    batch: usize,
    group: usize,
}

/// A column, and its fields of the batch.
struct ColumnEncoder {
    about: ColumnDescPtr,
    /// The fields, without anything between them, and where each ends. One of no bytes is a missing value.
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
        let (mut values, mut levels) = (Vec::new(), Vec::with_capacity(self.ends.len()));
        let (kind, length) = (Kind::of(&self.about), self.about.type_length());
        let mut start = 0;
        for &end in &self.ends {
            let field = &self.fields[start..end];
            start = end;
            levels.push(i16::from(!field.is_empty()));
            if !field.is_empty() {
                let value = T::T::of_field(field, kind, length);
                values.push(value.ok_or_else(|| misfit(self.about.name()))?);
            }
        }
        writer.write_batch(&values, Some(&levels), None).map(drop).map_err(failed)
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
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("ninefold version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(level))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true);
        for (name, kind) in &table.columns {
            // A dictionary does not make grids smaller that are all different.
            if matches!(kind, ColumnType::Own(Own::Text | Own::Puzzle | Own::Whole)) {
                let path = ColumnPath::new(vec![name.clone()]);
                properties = properties.set_column_dictionary_enabled(path, false);
            }
        }
        let properties = Arc::new(properties.build());
        let file = SerializedFileWriter::new(behind, schema, Arc::clone(&properties));
        let file = file.map_err(failed)?;
        let columns = file.schema_descr().columns().iter().map(|about| ColumnEncoder {
            about: Arc::clone(about),
            fields: Vec::new(),
            ends: Vec::new(),
            writer: None,
            pages: Pages::default(),
        });
        let columns = columns.collect();
        Ok(Self { file, properties, columns, rest: Vec::new(), batch: 0, group: 0 })
    }

    fn row(&mut self, row: &[u8]) -> io::Result<()> {
        let mut rest = Some(row);
        let mut unquoted = Vec::new();
        for column in &mut self.columns {
            let Some(from) = rest else { return Err(misfit(column.about.name())) };
            let (value, next) = next_field(from, &mut unquoted);
            rest = next;
            column.push(value.unwrap_or(&unquoted));
        }
        if rest.is_some() {
            return Err(misfit("a column too many"));
        }
        self.batch += 1;
        if self.batch == BATCH_ROWS {
            self.end_batch()?;
        }
        Ok(())
    }

    fn end_batch(&mut self) -> io::Result<()> {
        let mut bytes = 0;
        for column in &mut self.columns {
            column.end_batch(&self.properties)?;
            bytes += lock(&column.pages.0).len();
        }
        self.group += std::mem::take(&mut self.batch);
        if self.group >= GROUP_ROWS || bytes >= GROUP_BYTES {
            self.end_group()?;
        }
        Ok(())
    }

    fn end_group(&mut self) -> io::Result<()> {
        self.group = 0;
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
        if self.batch > 0 {
            self.end_batch()?;
        }
        if self.group > 0 {
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
        ColumnType::Like(schema) => return column_of(name, schema),
    }))
}

/// A row whose fields differ from the columns of the table.
fn misfit(what: &str) -> io::Error {
    io::Error::other(format!("a row does not fit the columns of the table: {what}"))
}
