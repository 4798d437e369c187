//! An open Parquet file: where its row groups begin, and what its threads share.

use super::damage::{damaged, guarded};
use super::file::{ParquetBytes, ParquetFile};
use super::pages::LastPages;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::SchemaDescriptor;
use std::io;
use std::sync::Arc;

/// An open file. Any thread reads some of its columns at any time.
pub(crate) struct OpenTable {
    pub(super) file: ParquetFile,
    /// The first row of each row group, and the number of all rows.
    pub(crate) starts: Vec<u64>,
    pub(super) pages: Arc<LastPages>,
}

impl OpenTable {
    /// Reads the footer.
    pub(crate) fn open(bytes: &ParquetBytes) -> io::Result<Self> {
        let bytes = bytes.open()?;
        let opened = guarded(|| SerializedFileReader::new(bytes));
        let file = opened.map_err(|why| damaged(&format!("the footer: {why}")))?;
        let (mut starts, mut rows) = (vec![0], 0_u64);
        for group in file.metadata().row_groups() {
            let of_group = u64::try_from(group.num_rows());
            rows = rows.saturating_add(of_group.map_err(|_| damaged("a negative number of rows"))?);
            starts.push(rows);
        }
        Ok(Self { file, starts, pages: Arc::default() })
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// The number of the row group that has this row.
    pub(crate) fn group_of(&self, row: u64) -> usize {
        self.starts.partition_point(|start| *start <= row) - 1
    }

    pub(crate) fn schema(&self) -> &SchemaDescriptor {
        self.file.metadata().file_metadata().schema_descr()
    }
}
