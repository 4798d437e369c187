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
use super::encoder::pooled;
use super::press::{BlockEnd, Encode, Encoder, Packet};
use super::table::{ColumnType, Table, unpack};
use crate::extent::{Extent, Hashed};
use crate::lock;
use crate::parquet::{Kind, Value, column_of, failed};
use bytes::Bytes;
use parquet::basic::{CompressionCodec, LogicalType, Repetition, Type as Physical};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
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
use std::sync::{Arc, Mutex};
use zstd::bulk::Compressor;
use zstd::zstd_safe::{CParameter, ParamSwitch};

/// Rows whose fields are given to the column writers together: their text stays in the second cache.
const BATCH_ROWS: usize = 1024;

/// Rows whose lists are given together: those of the steps of an easy puzzle have 26 KB.
const BATCH_LISTS: usize = 16;

/// Bytes of rows of a row group. On 64 threads their text and pages take 1 GB. Tests need several of few rows.
const GROUP_BYTES: usize = if cfg!(test) { 1 << 16 } else { 8 << 20 };

/// Level of zstd. As of the text of records, higher levels gain little: see `encoder`.
const ZSTD_LEVEL: i32 = 1;

/// Bytes of a page that are compressed in both ways, to choose one: 3 % of a page of 1 MiB.
const SAMPLE_BYTES: usize = 32 << 10;

/// A row group: the pages of each column, and what the index says of them.
pub(super) type RowGroup = Vec<(Bytes, ColumnCloseResult)>;

/// Writes the next field of each of these rows, which are what is left of the rows of the text.
fn write<T: DataType>(
    about: &ColumnDescPtr,
    text: &Bytes,
    rows: &mut [&[u8]],
    writer: &mut ColumnWriterImpl<T>,
) -> io::Result<()>
where
    T::T: Value,
{
    let (kind, length) = (Kind::of(about), about.type_length());
    let are_lists = about.max_rep_level() > 0;
    for rows in rows.chunks_mut(if are_lists { BATCH_LISTS } else { BATCH_ROWS }) {
        let (mut values, mut levels, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
        let mut push = |item: &[u8], level, repeat| {
            levels.push(level);
            repeats.push(repeat);
            if level == about.max_def_level() {
                // All values share the bytes of the text.
                let value = T::T::of_field(text.slice_ref(item), kind, length);
                values.push(value.ok_or_else(|| misfit(name_of(about)))?);
            }
            Ok(())
        };
        for row in rows {
            let (field, rest) = unpack(row).ok_or_else(|| misfit(name_of(about)))?;
            *row = rest;
            match field {
                Some(lists) if are_lists => each_item(lists, about.max_def_level(), &mut push)?,
                _ => push(field.unwrap_or_default(), i16::from(field.is_some()), 0)?,
            }
        }
        let repeats = are_lists.then_some(&repeats[..]);
        writer.write_batch(&values, Some(&levels), repeats).map_err(failed)?;
    }
    Ok(())
}

/// The name of a column, which is not that of the items of a list.
fn name_of(about: &ColumnDescPtr) -> &str {
    &about.path().parts()[0]
}

/// Compresses pages. The crate `parquet` can only be told a level.
struct PageCompressor {
    /// As the level does it.
    of_level: Compressor<'static>,
    /// Looks for next to no repeated strings, only for frequent bytes. Digits in any order have nothing else.
    of_symbols: Compressor<'static>,
}

impl PageCompressor {
    fn new() -> io::Result<Mutex<Self>> {
        let [of_level, mut of_symbols] =
            [Compressor::new(ZSTD_LEVEL)?, Compressor::new(ZSTD_LEVEL)?];
        // The target length of the fast strategy is the distance between two looks. If it is not 0, zstd
        // would leave out Huffman coding.
        of_symbols.set_parameter(CParameter::TargetLength(128 << 10))?;
        of_symbols.set_parameter(CParameter::HashLog(6))?;
        of_symbols.set_parameter(CParameter::LiteralCompressionMode(ParamSwitch::Enable))?;
        Ok(Mutex::new(Self { of_level, of_symbols }))
    }

    /// Compresses by symbols if that makes a sample at most 5 % larger.
    ///
    /// Of a million minimal puzzles and their solutions, the level makes 62 bytes a row in 515 ns; symbols make 59
    /// bytes in 150 ns, and are read in 70 ns instead of 130.
    fn compress(&mut self, page: &[u8]) -> io::Result<Vec<u8>> {
        let sample = &page[..page.len().min(SAMPLE_BYTES)];
        let bytes_of_level = self.of_level.compress(sample)?.len();
        let bytes_of_symbols = self.of_symbols.compress(sample)?.len();
        let is_like_symbols = 20 * bytes_of_symbols <= 21 * bytes_of_level;
        let compressor = if is_like_symbols { &mut self.of_symbols } else { &mut self.of_level };
        compressor.compress(page)
    }
}

/// The pages of a column in a row group.
struct Pages<'a>(TrackedWrite<Vec<u8>>, &'a Mutex<PageCompressor>);

impl PageWriter for &mut Pages<'_> {
    fn write_page(&mut self, page: CompressedPage) -> Written<PageWriteSpec> {
        let mut packed = page.compressed_page().clone();
        let (Page::DataPage { buf, .. }
        | Page::DataPageV2 { buf, .. }
        | Page::DictionaryPage { buf, .. }) = &mut packed;
        *buf = lock(self.1).compress(page.data())?.into();
        let packed = CompressedPage::new(packed, page.uncompressed_size());
        SerializedPageWriter::new(&mut self.0).write_page(packed)
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
    let columns = SchemaDescriptor::new(Arc::clone(&schema));
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("ninefold version ", env!("CARGO_PKG_VERSION")).to_owned())
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
    let pack = pooled(PageCompressor::new, move |compressor, rows| {
        let rows = Bytes::from(mem::take(rows));
        group(&rows, columns.columns(), &properties, compressor).map(Packet::Group)
    });
    let ends = BlockEnd { bytes: GROUP_BYTES, with_row: true };
    let encode = Box::new(ParquetFile(file));
    Ok(Encoder { pack, ends, encode })
}

/// The row group of these rows.
fn group(
    text: &Bytes,
    columns: &[ColumnDescPtr],
    properties: &WriterPropertiesPtr,
    compressor: &Mutex<PageCompressor>,
) -> io::Result<RowGroup> {
    let pages = || Pages(TrackedWrite::new(Vec::new()), compressor);
    let mut pages: Vec<_> = columns.iter().map(|_| pages()).collect();
    let writers = columns.iter().zip(&mut pages).map(|(about, pages)| {
        get_column_writer(Arc::clone(about), Arc::clone(properties), Box::new(pages))
    });
    let mut writers: Vec<_> = writers.collect();
    let (mut rows, mut rest) = (Vec::new(), &text[..]);
    while let Some((row, behind)) = unpack(rest) {
        rows.push(row.unwrap_or_default());
        rest = behind;
        if rows.len() == BATCH_ROWS || rest.is_empty() {
            let mut columns = columns.iter().zip(&mut writers);
            columns.try_for_each(|(about, to)| write_column(about, text, &mut rows, to))?;
            if rows.drain(..).any(|row| !row.is_empty()) {
                return Err(misfit("a column too many"));
            }
        }
    }
    let closed: Vec<_> = writers.into_iter().map(ColumnWriter::close).collect();
    let closed = closed.into_iter().zip(pages).map(|(closed, pages)| {
        let mut closed = closed?;
        let metadata = closed.metadata.into_builder();
        closed.metadata = metadata.set_compression_codec(CompressionCodec::ZSTD).build()?;
        Ok((pages.0.into_inner()?.into(), closed))
    });
    closed.collect::<Written<_>>().map_err(failed)
}

/// Writes the next field of each of these rows.
fn write_column(
    about: &ColumnDescPtr,
    text: &Bytes,
    rows: &mut [&[u8]],
    writer: &mut ColumnWriter,
) -> io::Result<()> {
    use ColumnWriter as Of;
    match writer {
        Of::BoolColumnWriter(writer) => write(about, text, rows, writer),
        Of::Int32ColumnWriter(writer) => write(about, text, rows, writer),
        Of::Int64ColumnWriter(writer) => write(about, text, rows, writer),
        Of::Int96ColumnWriter(writer) => write(about, text, rows, writer),
        Of::FloatColumnWriter(writer) => write(about, text, rows, writer),
        Of::DoubleColumnWriter(writer) => write(about, text, rows, writer),
        Of::ByteArrayColumnWriter(writer) => write(about, text, rows, writer),
        Of::FixedLenByteArrayColumnWriter(writer) => write(about, text, rows, writer),
    }
}

/// Row groups, one after the other.
struct ParquetFile(SerializedFileWriter<Hashed>);

impl Encode for ParquetFile {
    fn append(&mut self, block: Packet) -> io::Result<()> {
        let Packet::Group(columns) = block else { unreachable!("`group` packs it") };
        let mut group = self.0.next_row_group().map_err(failed)?;
        for (bytes, closed) in columns {
            group.append_column(&bytes, closed).map_err(failed)?;
        }
        group.close().map_err(failed).map(drop)
    }

    fn extent(&self) -> Extent {
        self.0.inner().extent()
    }

    /// The rows of an incomplete file can be read only if its index is at its end, and no later run continues it.
    fn end(mut self: Box<Self>, _is_complete: bool) -> io::Result<Extent> {
        self.0.finish().map_err(failed)?;
        self.0.inner_mut().flush().map(|()| self.extent())
    }
}

/// Pushes each number of an array of JSON, and each empty list in it, with its definition level and its
/// repetition level.
///
/// ```text
/// levels of [[5,3],[]]: 5 has 5 and 0, 3 has 5 and 2, the empty list 3 and 1. No list at all: 0 and 0.
/// ```
fn each_item(
    lists: &[u8],
    most: i16,
    mut push: impl FnMut(&[u8], i16, i16) -> io::Result<()>,
) -> io::Result<()> {
    let (mut depth, mut repeat, mut start) = (0, 0, 0);
    for (place, &byte) in lists.iter().enumerate() {
        if matches!(byte, b',' | b']') && place > start {
            push(&lists[start..place], most, repeat)?;
        }
        match byte {
            b'[' => {
                depth += 1;
                if lists.get(place + 1) == Some(&b']') {
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

    /// Lists of every depth: missing, empty, with empty lists, and many numbers.
    #[test]
    fn lists_are_read_as_they_were_written() {
        let columns = [Own::Whole, Own::Lists(1, 8), Own::Lists(2, 16), Own::Lists(3, 8)];
        let columns = columns.iter().enumerate();
        let columns =
            columns.map(|(place, kind)| (format!("c{place}"), ColumnType::Own(*kind))).collect();
        let grid = format!("[{}]", ["511"; 81].join(","));
        let grids = format!("[{}]", vec![&*grid; 54].join(","));
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
