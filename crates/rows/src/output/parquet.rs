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
use crate::parquet::{Kind, Value, column_of, failed};
use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{
    ColumnCloseResult, ColumnWriterImpl, get_column_writer, get_typed_column_writer,
};
use parquet::data_type::{
    BoolType, ByteArrayType, DataType, DoubleType, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96Type,
};
use parquet::errors::Result as Written;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
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
    kind: Kind,
    values: Box<dyn Values>,
    levels: Vec<i16>,
    pages: Pages,
}

/// The values of a batch that are not missing, and the writer of their row group.
trait Values: Send {
    /// Adds the value that a field is, if it is one of the type.
    fn push(&mut self, field: &[u8], kind: Kind, length: i32) -> Option<()>;

    /// Gives them to the writer of the row group, which is made when there is none.
    fn write(&mut self, column: Target, levels: &[i16]) -> Written<()>;

    /// Ends the row group.
    fn close(&mut self) -> Option<Written<ColumnCloseResult>>;
}

/// What a column writer is made of.
type Target<'a> = (&'a ColumnDescPtr, &'a WriterPropertiesPtr, &'a Pages);

struct Typed<T: DataType> {
    values: Vec<T::T>,
    writer: Option<ColumnWriterImpl<'static, T>>,
}

impl<T: DataType> Values for Typed<T>
where
    T::T: Value,
{
    fn push(&mut self, field: &[u8], kind: Kind, length: i32) -> Option<()> {
        self.values.push(T::T::of_field(field, kind, length)?);
        Some(())
    }

    fn write(&mut self, (about, properties, pages): Target, levels: &[i16]) -> Written<()> {
        let writer = self.writer.get_or_insert_with(|| {
            let (about, properties) = (Arc::clone(about), Arc::clone(properties));
            get_typed_column_writer(get_column_writer(about, properties, Box::new(pages.clone())))
        });
        writer.write_batch(&self.values, Some(levels), None)?;
        self.values.clear();
        Ok(())
    }

    fn close(&mut self) -> Option<Written<ColumnCloseResult>> {
        Some(self.writer.take()?.close())
    }
}

fn typed(physical: Physical) -> Box<dyn Values> {
    fn of<T: DataType>() -> Box<dyn Values>
    where
        T::T: Value,
    {
        Box::new(Typed::<T> { values: Vec::new(), writer: None })
    }
    match physical {
        Physical::BOOLEAN => of::<BoolType>(),
        Physical::INT32 => of::<Int32Type>(),
        Physical::INT64 => of::<Int64Type>(),
        Physical::INT96 => of::<Int96Type>(),
        Physical::FLOAT => of::<FloatType>(),
        Physical::DOUBLE => of::<DoubleType>(),
        Physical::BYTE_ARRAY => of::<ByteArrayType>(),
        Physical::FIXED_LEN_BYTE_ARRAY => of::<FixedLenByteArrayType>(),
    }
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
            // A dictionary does not make grids smaller that are all different.
            if *kind == ColumnType::Text || *kind == ColumnType::Whole {
                let path = ColumnPath::new(vec![name.clone()]);
                properties = properties.set_column_dictionary_enabled(path, false);
            }
        }
        let properties = Arc::new(properties.build());
        let file = SerializedFileWriter::new(writer, schema, Arc::clone(&properties));
        let file = file.map_err(failed)?;
        let abouts = file.schema_descr().columns().to_vec();
        let columns = abouts.into_iter().map(|about| Column {
            name: about.name().to_owned(),
            kind: Kind::of(&about),
            values: typed(about.physical_type()),
            levels: Vec::new(),
            pages: Pages::default(),
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
            let value = value.unwrap_or(&unquoted);
            column.levels.push(i16::from(!value.is_empty()));
            if !value.is_empty() {
                let pushed = column.values.push(value, column.kind, column.about.type_length());
                pushed.ok_or_else(|| misfit(&column.name))?;
            }
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
            let target = (&column.about, &self.properties, &column.pages);
            column.values.write(target, &column.levels).map_err(failed)?;
            column.levels.clear();
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
            let Some(closed) = column.values.close() else { continue };
            let closed = closed.map_err(failed)?;
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
        ColumnType::Whole => build(Physical::INT64, None)?,
        ColumnType::Decimal => build(Physical::DOUBLE, None)?,
        ColumnType::Word | ColumnType::Text => {
            build(Physical::BYTE_ARRAY, Some(LogicalType::String))?
        }
        ColumnType::Like(schema) => return column_of(name, schema),
    }))
}

/// A row whose fields differ from the columns of the table.
fn misfit(what: &str) -> io::Error {
    io::Error::other(format!("a row does not fit the columns of the table: {what}"))
}
