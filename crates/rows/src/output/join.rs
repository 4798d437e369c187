//! Parquet files joined to one: their row groups are copied as they are, one file after the other.

use super::encoding::Encoding;
use super::error::Error;
use super::sink::Sink;
use super::transaction::Mode;
use crate::parquet::failed;
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::TypePtr;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// The rows of all files.
    pub rows: u64,
    /// The row groups of all files.
    pub row_groups: u64,
}

/// Writes these Parquet files as one, in their order. No value is decoded, and one file is open at a time.
///
/// # Errors
/// A file is no Parquet file, or has other columns than the first; or one cannot be read or written.
pub fn join_parquet(parts: &[PathBuf], into: &Path, mode: Mode) -> Result<Joined, Error> {
    let (mut joined, mut schema) = (Joined::default(), None);
    // Before anything is created.
    for path in parts {
        let part = open(path).map_err(|cause| Error::new(path, cause))?;
        let found = schema_of(&part);
        if schema.get_or_insert_with(|| Arc::clone(&found)) != &found {
            let first = parts[0].display();
            return Err(Error::refused(path, format!("does not have the columns of {first}")));
        }
    }
    let Some(schema) = schema else { return Ok(joined) };
    let mut sink = Sink::open_as(into, mode == Mode::Replace, Encoding::Plain, None)?;
    let failed_into = |cause| Error::new(into, failed(cause));
    let created_by = concat!("ninefold version ", env!("CARGO_PKG_VERSION")).to_owned();
    let properties = Arc::new(WriterProperties::builder().set_created_by(created_by).build());
    let writer = SerializedFileWriter::new(Behind(&mut sink), schema, properties);
    let mut writer = writer.map_err(failed_into)?;
    for path in parts {
        let failed = |cause| Error::new(path, cause);
        let part = open(path).map_err(failed)?;
        let file = File::open(path).map_err(failed)?;
        let metadata = part.metadata();
        if joined.row_groups == 0 {
            for pair in metadata.file_metadata().key_value_metadata().into_iter().flatten() {
                writer.append_key_value_metadata(pair.clone());
            }
        }
        for group in metadata.row_groups() {
            copy(&file, group, &mut writer)
                .map_err(|cause| Error::new(path, crate::parquet::failed(cause)))?;
            joined.rows += u64::try_from(group.num_rows()).unwrap_or_default();
            joined.row_groups += 1;
        }
    }
    writer.close().map_err(failed_into)?;
    sink.finish()?;
    Ok(joined)
}

fn open(path: &Path) -> io::Result<SerializedFileReader<File>> {
    let reader = SerializedFileReader::new(File::open(path)?);
    reader.map_err(|cause| {
        let why = format!("is no Parquet file that can be read: {}", failed(cause));
        io::Error::new(ErrorKind::InvalidData, why)
    })
}

/// The schema of the rows.
fn schema_of(part: &SerializedFileReader<File>) -> TypePtr {
    part.metadata().file_metadata().schema_descr().root_schema_ptr()
}

/// Copies the column chunks of a row group.
fn copy<W: Write + Send>(
    file: &File,
    group: &RowGroupMetaData,
    writer: &mut SerializedFileWriter<W>,
) -> parquet::errors::Result<()> {
    let rows_written = u64::try_from(group.num_rows()).unwrap_or_default();
    let mut copied = writer.next_row_group()?;
    for column in group.columns() {
        let (_, bytes_written) = column.byte_range();
        let close = ColumnCloseResult {
            bytes_written,
            rows_written,
            metadata: column.clone(),
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        copied.append_column(file, close)?;
    }
    copied.close()?;
    Ok(())
}

/// Writes into a sink.
struct Behind<'a>(&'a mut Sink);

impl Write for Behind<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| error.cause)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
