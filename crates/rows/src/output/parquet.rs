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

use super::table::{ColumnType, Table};
use bytes::Bytes;
use parquet::basic::{
    Compression, ConvertedType, LogicalType, Repetition, Type as Physical, ZstdLevel,
};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl, get_column_writer};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::errors::{ParquetError, Result as Written};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnDescPtr, ColumnPath, Type, TypePtr};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Rows that are given to the column writers together.
const BATCH_ROWS: usize = 1024;

/// Rows of a row group, at most. Tests need several row groups of few rows.
const GROUP_ROWS: usize = if cfg!(test) { 4 * BATCH_ROWS } else { 1 << 20 };

/// Bytes of the pages of a row group after which it ends.
const GROUP_BYTES: usize = 64 << 20;

/// Level of zstd. As of the text of records, higher levels gain little: see `encoder`.
const ZSTD_LEVEL: i32 = 1;

/// Writes a Parquet file.
pub(super) struct Rows {
    file: SerializedFileWriter<Box<dyn Write + Send>>,
    properties: WriterPropertiesPtr,
    columns: Vec<Column>,
    /// The row that is not complete yet.
    rest: Vec<u8>,
    /// Rows of the batch, and of the row group with it.
    batch: usize,
    group: usize,
}

/// A column, and its values of the batch.
struct Column {
    name: String,
    about: ColumnDescPtr,
    /// Bytes that no text can hold are escaped.
    is_escaped: bool,
    values: Values,
    levels: Vec<i16>,
    pages: Pages,
    /// Of the row group; none before its first batch.
    writer: Option<ColumnWriter<'static>>,
}

enum Values {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Int96(Vec<Int96>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
    Fixed(Vec<FixedLenByteArray>),
}

/// The pages of a column in a row group.
#[derive(Clone, Default)]
struct Pages(Arc<Mutex<Vec<u8>>>);

impl PageWriter for Pages {
    fn write_page(&mut self, page: CompressedPage) -> Written<PageWriteSpec> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let mut spec = SerializedPageWriter::new(&mut bytes).write_page(page)?;
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spec.offset += pages.len() as u64;
        pages.extend_from_slice(&bytes.into_inner()?);
        Ok(spec)
    }

    fn close(&mut self) -> Written<()> {
        Ok(())
    }
}

impl Rows {
    /// A file with these columns.
    pub(super) fn new(table: &Table, writer: Box<dyn Write + Send>) -> io::Result<Self> {
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
            // A dictionary of grids that are all different would be made in vain.
            if *kind == ColumnType::Text || *kind == ColumnType::Whole {
                let path = ColumnPath::new(vec![name.clone()]);
                properties = properties.set_column_dictionary_enabled(path, false);
            }
        }
        let properties = Arc::new(properties.build());
        let file = SerializedFileWriter::new(writer, schema, Arc::clone(&properties));
        let file = file.map_err(failed)?;
        let abouts = file.schema_descr().columns().to_vec();
        let columns = abouts.into_iter().zip(&table.columns);
        let columns = columns.map(|(about, (name, kind))| Column {
            name: name.clone(),
            is_escaped: matches!(kind, ColumnType::Like(_)) && !is_text(&about),
            values: Values::of(about.physical_type()),
            levels: Vec::new(),
            pages: Pages::default(),
            writer: None,
            about,
        });
        let columns = columns.collect();
        Ok(Self { file, properties, columns, rest: Vec::new(), batch: 0, group: 0 })
    }

    /// Takes bytes of rows.
    pub(super) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            if self.rest.is_empty() {
                self.row(&bytes[..end])?;
            } else {
                self.rest.extend_from_slice(&bytes[..end]);
                let row = std::mem::take(&mut self.rest);
                self.row(&row)?;
                self.rest = row;
                self.rest.clear();
            }
            bytes = &bytes[end + 1..];
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }

    fn row(&mut self, row: &[u8]) -> io::Result<()> {
        let mut rest = Some(row);
        let mut unquoted = Vec::new();
        for column in &mut self.columns {
            let Some(from) = rest else { return Err(misfit(&column.name)) };
            let (value, next) = next_field(from, &mut unquoted);
            rest = next;
            column.push(value.unwrap_or(&unquoted))?;
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
            column.write(&self.properties).map_err(failed)?;
            bytes += column.pages.0.lock().unwrap_or_else(PoisonError::into_inner).len();
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
            let mut pages = column.pages.0.lock().unwrap_or_else(PoisonError::into_inner);
            let bytes = Bytes::from(std::mem::take(&mut *pages));
            group.append_column(&bytes, closed).map_err(failed)?;
        }
        group.close().map_err(failed).map(drop)
    }

    /// Writes the rows that are left and the end of the file. A row that is not complete is left out.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.batch > 0 {
            self.end_batch()?;
        }
        if self.group > 0 {
            self.end_group()?;
        }
        self.file.finish().map_err(failed)?;
        self.file.inner_mut().flush()
    }

    /// Bytes in the file.
    pub(super) fn bytes(&self) -> u64 {
        self.file.bytes_written() as u64
    }
}

impl Values {
    const fn of(physical: Physical) -> Self {
        match physical {
            Physical::BOOLEAN => Self::Bool(Vec::new()),
            Physical::INT32 => Self::Int32(Vec::new()),
            Physical::INT64 => Self::Int64(Vec::new()),
            Physical::INT96 => Self::Int96(Vec::new()),
            Physical::FLOAT => Self::Float(Vec::new()),
            Physical::DOUBLE => Self::Double(Vec::new()),
            Physical::BYTE_ARRAY => Self::Bytes(Vec::new()),
            Physical::FIXED_LEN_BYTE_ARRAY => Self::Fixed(Vec::new()),
        }
    }
}

impl Column {
    /// Takes a value of the next row; none is missing.
    fn push(&mut self, field: &[u8]) -> io::Result<()> {
        self.levels.push(i16::from(!field.is_empty()));
        if field.is_empty() {
            return Ok(());
        }
        let text = || str::from_utf8(field).ok();
        let pushed = match &mut self.values {
            Values::Bool(values) => text().and_then(|it| it.parse().ok()).map(|it| values.push(it)),
            Values::Int32(values) => {
                text().and_then(|it| it.parse().ok()).map(|it| values.push(it))
            }
            Values::Int64(values) => {
                text().and_then(|it| it.parse().ok()).map(|it| values.push(it))
            }
            Values::Int96(values) => text().and_then(int96).map(|it| values.push(it)),
            Values::Float(values) => {
                text().and_then(|it| it.parse().ok()).map(|it| values.push(it))
            }
            Values::Double(values) => {
                text().and_then(|it| it.parse().ok()).map(|it| values.push(it))
            }
            Values::Bytes(values) => {
                values.push(bytes_of(field, self.is_escaped).into());
                Some(())
            }
            Values::Fixed(values) => {
                let bytes = bytes_of(field, self.is_escaped);
                let fits = i32::try_from(bytes.len()) == Ok(self.about.type_length());
                fits.then(|| values.push(ByteArray::from(bytes).into()))
            }
        };
        pushed.ok_or_else(|| misfit(&self.name))
    }

    /// Gives the values of the batch to the column writer.
    fn write(&mut self, properties: &WriterPropertiesPtr) -> Written<()> {
        let Self { about, values, levels, pages, writer, .. } = self;
        let writer = writer.get_or_insert_with(|| {
            get_column_writer(Arc::clone(about), Arc::clone(properties), Box::new(pages.clone()))
        });
        match (writer, values) {
            (ColumnWriter::BoolColumnWriter(it), Values::Bool(values)) => put(it, values, levels),
            (ColumnWriter::Int32ColumnWriter(it), Values::Int32(values)) => put(it, values, levels),
            (ColumnWriter::Int64ColumnWriter(it), Values::Int64(values)) => put(it, values, levels),
            (ColumnWriter::Int96ColumnWriter(it), Values::Int96(values)) => put(it, values, levels),
            (ColumnWriter::FloatColumnWriter(it), Values::Float(values)) => put(it, values, levels),
            (ColumnWriter::DoubleColumnWriter(it), Values::Double(values)) => {
                put(it, values, levels)
            }
            (ColumnWriter::ByteArrayColumnWriter(it), Values::Bytes(values)) => {
                put(it, values, levels)
            }
            (ColumnWriter::FixedLenByteArrayColumnWriter(it), Values::Fixed(values)) => {
                put(it, values, levels)
            }
            _ => unreachable!("values and writer are of the column's physical type"),
        }
    }
}

fn put<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &mut Vec<T::T>,
    levels: &mut Vec<i16>,
) -> Written<()> {
    writer.write_batch(values, Some(levels), None)?;
    values.clear();
    levels.clear();
    Ok(())
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

/// The bytes of a value without marks.
fn bytes_of(field: &[u8], is_escaped: bool) -> Vec<u8> {
    let plain = |&byte: &u8| match byte {
        0xff => None,
        0xfe => Some(b'\n'),
        0xfd => Some(b'\r'),
        0xfc => Some(b' '),
        0xfb => Some(b'\t'),
        byte => Some(byte),
    };
    let bytes: Vec<u8> = field.iter().filter_map(plain).collect();
    if !is_escaped || memchr::memchr(b'\\', &bytes).is_none() {
        return bytes;
    }
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = bytes[at..].strip_prefix(b"\\x").and_then(|rest| rest.get(..2));
        let escape = escape.and_then(|digits| str::from_utf8(digits).ok());
        if let Some(byte) = escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            plain.push(byte);
            at += 4;
        } else {
            plain.push(bytes[at]);
            at += 1;
        }
    }
    plain
}

/// A timestamp of 96 bits from 24 digits.
fn int96(text: &str) -> Option<Int96> {
    let word = |place: usize| u32::from_str_radix(text.get(8 * place..8 * place + 8)?, 16).ok();
    Some(Int96::from(vec![word(0)?, word(1)?, word(2)?]))
}

/// Whether the values of a column are text.
fn is_text(about: &ColumnDescPtr) -> bool {
    let logical = about.logical_type_ref();
    let is_string =
        matches!(logical, Some(LogicalType::String | LogicalType::Enum | LogicalType::Json));
    let converted = about.converted_type();
    let is_utf8 = [ConvertedType::UTF8, ConvertedType::ENUM, ConvertedType::JSON];
    is_string || is_utf8.contains(&converted)
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
        ColumnType::Whole => build(Physical::INT64, None)?,
        ColumnType::Decimal => build(Physical::DOUBLE, None)?,
        ColumnType::Word | ColumnType::Text => {
            build(Physical::BYTE_ARRAY, Some(LogicalType::String))?
        }
        ColumnType::Like(schema) => {
            let message = parse_message_type(schema)?;
            let like = message.get_fields().first().filter(|field| field.is_primitive());
            let like = like.ok_or_else(|| ParquetError::General("no column".to_owned()))?;
            let Type::PrimitiveType { basic_info, physical_type, type_length, scale, precision } =
                &**like
            else {
                return Err(ParquetError::General("no column".to_owned()));
            };
            let builder = Type::primitive_type_builder(name, *physical_type)
                .with_repetition(Repetition::OPTIONAL)
                .with_length(*type_length)
                .with_precision(*precision)
                .with_scale(*scale);
            match basic_info.logical_type_ref() {
                Some(logical) => builder.with_logical_type(Some(logical.clone())).build()?,
                None => builder.with_converted_type(basic_info.converted_type()).build()?,
            }
        }
    }))
}

/// An error of a writer is the one that it had.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        },
        other => io::Error::other(other),
    }
}

/// A row that has not the columns of the table.
fn misfit(what: &str) -> io::Error {
    io::Error::other(format!("a row does not fit the columns of the table: {what}"))
}
