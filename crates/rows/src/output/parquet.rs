//! A Parquet file, written from packed rows.
//!
//! ```text
//! 8 MiB of rows ── 1,024 at a time ─┬─ column writer ── compressed pages ─┐
//!                                   └─ column writer ── compressed pages ─┴─ row group ── file
//! any thread                                                                 in order
//! ```
//!
//! A row group ends with the row that reaches 8 MiB, so the same rows make the same bytes however they arrive, and
//! any thread can make one. Most have some 40,000 rows.

use super::column::Kind as Own;
use super::press::{BlockEnd, Encode, Encoder, Packet};
use super::table::{ColumnType, Table, unpack};
use crate::extent::{Extent, Hashed};
use crate::lock;
use crate::parquet::{Kind, Value, column_of, failed};
use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{
    ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer,
};
use parquet::data_type::DataType;
use parquet::errors::Result as Written;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type, TypePtr};
use std::io::{self, Write};
use std::mem;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// Rows that are given to the column writers together, at most.
const BATCH_ROWS: usize = 1024;

/// Bytes of rows after which a batch ends. The steps of an easy puzzle have 26 KB.
const BATCH_BYTES: usize = if cfg!(test) { 1 << 14 } else { 1 << 20 };

/// Bytes of rows of a row group. On 64 threads their text and pages take 1 GB. Tests need several of few rows.
const GROUP_BYTES: usize = if cfg!(test) { 1 << 16 } else { 8 << 20 };

/// Level of zstd. As of the text of records, higher levels gain little: see `encoder`.
const ZSTD_LEVEL: i32 = 1;

/// A row group: the pages of each column, and what the index says of them.
pub(super) type RowGroup = Vec<(Bytes, ColumnCloseResult)>;

/// A column of a row group, and its fields of a batch.
struct ColumnEncoder {
    about: ColumnDescPtr,
    /// The fields, without anything between them. Lists are arrays of JSON.
    fields: Vec<u8>,
    /// Where each ends, and whether it has a value.
    ends: Vec<(usize, bool)>,
    writer: ColumnWriter<'static>,
    pages: Pages,
}

impl ColumnEncoder {
    fn new(about: &ColumnDescPtr, properties: &WriterPropertiesPtr) -> Self {
        let (about, pages) = (Arc::clone(about), Pages::default());
        let to = Box::new(pages.clone());
        let writer = get_column_writer(Arc::clone(&about), Arc::clone(properties), to);
        Self { about, fields: Vec::new(), ends: Vec::new(), writer, pages }
    }

    /// Gives the batch to the writer.
    fn end_batch(&mut self) -> io::Result<()> {
        use ColumnWriter as Of;
        let Self { about, fields, ends, writer, .. } = self;
        // The values of a batch share its bytes.
        let fields = &Bytes::from(mem::take(fields));
        match writer {
            Of::BoolColumnWriter(writer) => write(about, fields, ends, writer),
            Of::Int32ColumnWriter(writer) => write(about, fields, ends, writer),
            Of::Int64ColumnWriter(writer) => write(about, fields, ends, writer),
            Of::Int96ColumnWriter(writer) => write(about, fields, ends, writer),
            Of::FloatColumnWriter(writer) => write(about, fields, ends, writer),
            Of::DoubleColumnWriter(writer) => write(about, fields, ends, writer),
            Of::ByteArrayColumnWriter(writer) => write(about, fields, ends, writer),
            Of::FixedLenByteArrayColumnWriter(writer) => write(about, fields, ends, writer),
        }?;
        ends.clear();
        Ok(())
    }

    fn close(self) -> io::Result<(Bytes, ColumnCloseResult)> {
        let closed = self.writer.close().map_err(failed)?;
        Ok((Bytes::from(mem::take(&mut *lock(&self.pages.0))), closed))
    }
}

/// Writes these fields.
fn write<T: DataType>(
    about: &ColumnDescPtr,
    fields: &Bytes,
    ends: &[(usize, bool)],
    writer: &mut ColumnWriterImpl<T>,
) -> io::Result<()>
where
    T::T: Value,
{
    let (kind, length) = (Kind::of(about), about.type_length());
    let are_lists = about.max_rep_level() > 0;
    let (mut values, mut levels, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
    let mut push = |item: Range<usize>, level, repeat| {
        levels.push(level);
        repeats.push(repeat);
        if level == about.max_def_level() {
            let value = T::T::of_field(fields.slice(item), kind, length);
            values.push(value.ok_or_else(|| misfit(name_of(about)))?);
        }
        Ok(())
    };
    let mut start = 0;
    for &(end, is_there) in ends {
        let field = start..end;
        start = end;
        if are_lists && is_there {
            each_item(fields, field, about.max_def_level(), &mut push)?;
        } else {
            push(field, i16::from(is_there), 0)?;
        }
    }
    let repeats = are_lists.then_some(&repeats[..]);
    writer.write_batch(&values, Some(&levels), repeats).map(drop).map_err(failed)
}

/// The name of a column, which is not that of the items of a list.
fn name_of(about: &ColumnDescPtr) -> &str {
    &about.path().parts()[0]
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

/// The encoder of a file with these columns.
pub(super) fn encoder(table: &Table, behind: Hashed) -> io::Result<Encoder> {
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
            properties = properties.set_column_statistics_enabled(path, EnabledStatistics::None);
        }
    }
    let properties = Arc::new(properties.build());
    let file = SerializedFileWriter::new(behind, schema, Arc::clone(&properties));
    let file = file.map_err(failed)?;
    let pack = move |rows: &[u8]| group(rows, columns.columns(), &properties).map(Packet::Group);
    let ends = BlockEnd { bytes: GROUP_BYTES, with_row: true };
    let encode = Box::new(ParquetFile(file));
    Ok(Encoder { pack: Box::new(pack), ends, encode })
}

/// The row group of these rows.
fn group(
    rows: &[u8],
    columns: &[ColumnDescPtr],
    properties: &WriterPropertiesPtr,
) -> io::Result<RowGroup> {
    let columns = columns.iter().map(|about| ColumnEncoder::new(about, properties));
    let mut columns: Vec<_> = columns.collect();
    let (mut rest, mut batch, mut batch_rows) = (rows, rows.len(), 0);
    while let Some((row, behind)) = unpack(rest) {
        push_row(&mut columns, row.unwrap_or_default())?;
        (rest, batch_rows) = (behind, batch_rows + 1);
        if batch_rows == BATCH_ROWS || batch - rest.len() >= BATCH_BYTES {
            columns.iter_mut().try_for_each(ColumnEncoder::end_batch)?;
            (batch, batch_rows) = (rest.len(), 0);
        }
    }
    if batch_rows > 0 {
        columns.iter_mut().try_for_each(ColumnEncoder::end_batch)?;
    }
    columns.into_iter().map(ColumnEncoder::close).collect()
}

fn push_row(columns: &mut [ColumnEncoder], mut row: &[u8]) -> io::Result<()> {
    for column in columns {
        let (value, rest) = unpack(row).ok_or_else(|| misfit(name_of(&column.about)))?;
        row = rest;
        column.fields.extend_from_slice(value.unwrap_or_default());
        column.ends.push((column.fields.len(), value.is_some()));
    }
    if row.is_empty() { Ok(()) } else { Err(misfit("a column too many")) }
}

/// The rows of an incomplete file can be read only if its index is at its end, and no later run continues it.
struct ParquetFile(SerializedFileWriter<Hashed>);

impl Encode for ParquetFile {
    fn append(&mut self, block: Packet) -> io::Result<()> {
        let Packet::Group(columns) = block else { unreachable!("`group` packs it") };
        if columns.iter().all(|(_, closed)| closed.rows_written == 0) {
            return Ok(());
        }
        let mut group = self.0.next_row_group().map_err(failed)?;
        for (bytes, closed) in columns {
            group.append_column(&bytes, closed).map_err(failed)?;
        }
        group.close().map_err(failed).map(drop)
    }

    fn extent(&self) -> Extent {
        self.0.inner().extent()
    }

    fn finish(mut self: Box<Self>) -> io::Result<Extent> {
        self.0.finish().map_err(failed)?;
        self.0.inner_mut().flush().map(|()| self.extent())
    }

    fn abandon(self: Box<Self>) -> io::Result<()> {
        self.finish().map(drop)
    }
}

/// Pushes each number of an array of JSON, and each empty list in it, with its definition level and its
/// repetition level.
///
/// ```text
/// levels of [[5,3],[]]: 5 has 5 and 0, 3 has 5 and 2, the empty list 3 and 1. No list at all: 0 and 0.
/// ```
fn each_item(
    fields: &[u8],
    field: Range<usize>,
    most: i16,
    mut push: impl FnMut(Range<usize>, i16, i16) -> io::Result<()>,
) -> io::Result<()> {
    let (mut depth, mut repeat, mut start) = (0, 0, field.start);
    for place in field {
        let byte = fields[place];
        if matches!(byte, b',' | b']') && place > start {
            push(start..place, most, repeat)?;
        }
        match byte {
            b'[' => {
                depth += 1;
                if fields.get(place + 1) == Some(&b']') {
                    push(place..place, 2 * depth - 1, repeat)?;
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
    use super::super::press::Press;
    use super::super::table::{push_packed, push_packed_row};
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
        let encoder = encoder(&Table { columns }, behind).unwrap();
        let mut press = Press::new(encoder, Extent::default());
        for row in &rows {
            let mut packed = Vec::new();
            push_packed_row(&mut packed, |bytes| {
                for field in row {
                    push_packed(bytes, Some(field.as_bytes()).filter(|it| !it.is_empty()));
                }
            });
            press.write(&packed).unwrap();
        }
        press.finish().unwrap();
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
