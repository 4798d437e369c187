//! A Parquet file, read as the lines of a table.
//!
//! ```text
//! claim    rows of a row group, up to the end of a page of the puzzles      one thread at a time
//! decode   row group ── column ── pages ── values of these rows ─┐
//!                    └─ column ── pages ── values of these rows ─┴─> lines of CSV        any thread
//! ```
//!
//! The layout of these lines is found as that of any other text: from its head. The lines have no header, so that the
//! number of a line is that of its row.
//!
//! If lines are not kept, columns other than those of the puzzles, and of the answers if these are wanted, are decoded
//! only for the rows whose puzzle is read by what is beside it (`row`). Elsewhere they are empty fields.
//!
//! Pages are decompressed one by one, most of them by the thread that decodes all their rows. So the memory of a thread
//! is a page of each column and its rows, however many rows a row group has.

use super::fields::{PREDICTION_NAMES, PUZZLE_NAMES, RecordLayout};
use super::layout::hints::{ColumnRef, Hints};
use super::layout::rule::{HEAD_BYTES, decide};
use super::layout::shape::{Layout, ParquetValues};
use super::layout::why::{Decided, Why};
use super::part::{Part, Skipped, differs};
use super::row::is_read_alone;
use super::source::{ParquetColumn, RestOfInput, Table};
use crate::extent::Extent;
use crate::lock;
use crate::parquet::column::{DecodedColumn, count};
use crate::parquet::damage::damaged;
use crate::parquet::file::ParquetBytes;
use crate::parquet::pages::PageEnds;
use crate::parquet::table::OpenTable;
use crate::parquet::{self as text, Kind, TableColumn};
use crate::puzzle::Cell;
use parquet::file::reader::Length;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The fewest bytes of a line that are counted, so that a chunk has no more rows than puzzles.
const LINE_BYTES: usize = Cell::COUNT + 1;

/// Rows of a chunk that takes little time: it may have a whole page, so that no other thread decompresses that.
const LONG_CHUNK: u64 = 1024;

/// A chunk is up to this number of usual chunks if it ends with a page then. A page of grids by pyarrow has 13,312 rows;
/// with their answers they are 8.6 chunks of 256 KiB of lines. `verify` with two threads takes 364 ms with 10, and 500
/// with 8, which cuts each page.
const PAGE_CHUNKS: u64 = 10;

/// An open file of this length. One that has a path is closed until it is read.
pub(super) fn of_file(file: File, path: Option<&Path>, length: u64) -> io::Result<Box<dyn Table>> {
    let table = ParquetBytes::of_file(file, path, length);
    // Its footer can be read: this is known before any output is touched.
    OpenTable::open(&table).map(|_| Box::new(table) as _)
}

/// Bytes in memory.
pub(super) fn in_memory(bytes: Vec<u8>) -> Box<dyn Table> {
    Box::new(ParquetBytes::of_memory(bytes))
}

/// Of an open file nothing but its footer has been looked at.
impl Table for ParquetBytes {
    fn length(&self) -> u64 {
        Length::len(self)
    }

    fn rows(&self) -> io::Result<u64> {
        Ok(OpenTable::open(self)?.rows())
    }

    fn columns(&self) -> io::Result<Vec<ParquetColumn>> {
        let table = OpenTable::open(self)?;
        let schema = table.schema();
        let schema_of = |leaf| text::schema_of(&schema.column(leaf));
        let heads = text::columns_of(schema).into_iter();
        Ok(heads.map(|head| (head.name, head.leaf.map(schema_of))).collect())
    }

    fn layout(&self, hints: &Hints) -> io::Result<(Decided<Layout>, Why)> {
        let table = ParquetRows::open(self, None)?;
        let mut rows = 0..table.file.rows();
        if rows.is_empty() {
            let why = "no puzzle found: the file has no rows";
            return Ok((Err(why.to_owned()), Why::default()));
        }
        let heads = text::columns_of(table.file.schema());
        let (flat, nested): (Vec<_>, Vec<_>) = heads.iter().partition(|head| head.leaf.is_ok());
        let names: Vec<_> = flat.iter().map(|head| head.name.clone()).collect();
        let (mut head, mut error) = (Vec::new(), None);
        while head.len() < HEAD_BYTES
            && error.is_none()
            && let Some(rows) = table.claim(&mut rows, HEAD_BYTES, None)
        {
            error = table.decode(rows, &mut head).err();
        }
        let (layout, why) = decide(&head, &hints_for(&heads, hints)?, Some(&names));
        // Rows before an error are answered.
        if let Some(error) = error.filter(|_| layout.is_err() || head.is_empty()) {
            return Err(error);
        }
        let Ok(mut layout) = layout else {
            let is_named = |head: &&TableColumn| PUZZLE_NAMES.contains(&&*head.name);
            return check_flat(nested.into_iter().max_by_key(is_named)).map(|()| (layout, why));
        };
        let mut header = Vec::new();
        for (place, name) in names.iter().enumerate() {
            header.extend_from_slice(if place == 0 { b"" } else { b"," });
            text::push(name.as_bytes(), false, &mut header);
        }
        layout.header = Some(header);
        layout.parquet = Some(ParquetValues::AsText);
        Ok((Ok(layout), why))
    }

    fn rest(&self, layout: &Layout, part: Part, skipped: Skipped) -> io::Result<RestOfInput> {
        let table = ParquetRows::open(self, Some(layout))?;
        let all = table.file.rows();
        let start = part.start.saturating_add(skipped.lines).min(all);
        let end = part.end.unwrap_or(all);
        // A line has at least one byte.
        let mut before = start.saturating_sub(skipped.tail.bytes).max(part.start)..start;
        let mut text = Vec::new();
        while let Some(rows) = table.claim(&mut before, usize::MAX, None) {
            table.decode(rows, &mut text)?;
        }
        let tail = text.len().saturating_sub(count(skipped.tail.bytes));
        if Extent::of(&text[tail..]) != skipped.tail {
            return Err(differs());
        }
        let mut pages = table.columns().get(layout.record.puzzle).map(PageEnds::of);
        let (table, mut rows) = (Arc::new(table), start..end);
        Ok(RestOfInput::Table(Box::new(move |bytes| {
            let rows = table.claim(&mut rows, bytes, pages.as_mut())?;
            let table = Arc::clone(&table);
            Some(Box::new(move |text| table.decode(rows, text)))
        })))
    }
}

/// What the caller knows of the lines of these columns, which are CSV.
fn hints_for(heads: &[TableColumn], hints: &Hints) -> io::Result<Hints> {
    let mut own = Hints { grids: false, ..hints.clone() };
    let named = |head: &&TableColumn| PREDICTION_NAMES.contains(&&*head.name);
    check_flat(heads.iter().find(|head| hints.predictions && named(head)))?;
    for wanted in [&mut own.puzzle, &mut own.solution, &mut own.prediction].into_iter().flatten() {
        match wanted {
            ColumnRef::Name(name) => {
                check_flat(heads.iter().find(|head| head.name.eq_ignore_ascii_case(name)))?;
            }
            ColumnRef::Place(place) => {
                check_flat(heads.get(*place))?;
                // A number counts all columns of the file.
                *place -= heads.iter().take(*place).filter(|head| head.leaf.is_err()).count();
            }
        }
    }
    Ok(own)
}

/// Fails if the wanted column is nested.
fn check_flat(wanted: Option<&TableColumn>) -> io::Result<()> {
    let Some(TableColumn { name, leaf: Err(nested) }) = wanted else { return Ok(()) };
    let why = format!(
        "column {name:?} is {nested}, and only flat columns are read: write it as text of 81 cells"
    );
    Err(io::Error::new(ErrorKind::InvalidData, why))
}

/// The rows of an open file. Any thread decodes some of them at any time.
struct ParquetRows {
    file: OpenTable,
    /// As long as there is none, all values are as they are.
    layout: Option<Layout>,
    /// Columns that no thread decodes. They are as many as threads have decoded together.
    idle: Mutex<Vec<Vec<DecodedColumn>>>,
    /// Bytes of a line, as those that were decoded last.
    line_bytes: AtomicUsize,
}

impl ParquetRows {
    /// Opens a file to decode its rows.
    fn open(bytes: &ParquetBytes, layout: Option<&Layout>) -> io::Result<Self> {
        let (file, layout) = (OpenTable::open(bytes)?, layout.cloned());
        Ok(Self { file, layout, idle: Mutex::default(), line_bytes: LINE_BYTES.into() })
    }

    /// Takes the next of these rows, about as many as have this number of bytes as lines. They are in one row group.
    fn claim(
        &self,
        rows: &mut Range<u64>,
        bytes: usize,
        pages: Option<&mut PageEnds>,
    ) -> Option<Range<u64>> {
        let start = rows.start;
        let group_end = self.file.starts.iter().copied().find(|end| *end > start)?;
        let end = Some(group_end.min(rows.end)).filter(|end| *end > start)?;
        let line_bytes = self.line_bytes.load(Ordering::Relaxed).max(LINE_BYTES);
        let mut most = (bytes / line_bytes).max(1) as u64;
        if most >= LONG_CHUNK
            && let Some(page_end) = pages.and_then(|pages| pages.behind(&self.file, start))
        {
            let left = page_end.min(end) - start;
            most = left.div_ceil(left.div_ceil(PAGE_CHUNKS * most));
        }
        rows.start = end.min(start.saturating_add(most));
        Some(start..rows.start)
    }

    /// Decodes rows of one row group, and appends them as lines. Those before an error are appended, too.
    fn decode(&self, rows: Range<u64>, text: &mut Vec<u8>) -> io::Result<()> {
        let idle = lock(&self.idle).pop();
        let mut columns = idle.unwrap_or_else(|| self.columns());
        for is_optional in [false, true] {
            let wanted =
                if is_optional { self.needed(&columns, &rows) } else { vec![rows.clone()] };
            for column in columns.iter_mut().filter(|it| it.is_optional == is_optional) {
                column.fill(&self.file, &rows, &wanted);
            }
        }
        let begin = text.len();
        let shortest = columns.iter().min_by_key(|column| column.rows());
        let found = shortest.map_or(0, DecodedColumn::rows);
        text.reserve_exact(columns.iter().map(DecodedColumn::bytes).sum());
        for row in 0..found {
            let start = text.len();
            for (place, column) in columns.iter().enumerate() {
                text.extend_from_slice(if place == 0 { b"" } else { b"," });
                text.extend_from_slice(column.field(row));
            }
            // An empty line is not a row of the table.
            text.extend_from_slice(if text.len() == start { b"\"\"\n" } else { b"\n" });
        }
        self.line_bytes.store((text.len() - begin) / found.max(1), Ordering::Relaxed);
        let fault = shortest.and_then(|column| column.fault.as_deref()).map(damaged);
        lock(&self.idle).push(columns);
        fault.map_or(Ok(()), Err)
    }

    /// The rows of which all columns are needed.
    fn needed(&self, columns: &[DecodedColumn], rows: &Range<u64>) -> Vec<Range<u64>> {
        let layout = self.layout.as_ref().filter(|it| it.is_told || it.named_width > 0);
        let Some(RecordLayout { puzzle, solution, .. }) = layout.map(|it| it.record) else {
            return vec![rows.clone()];
        };
        let field = |place: usize, row| match columns.get(place) {
            Some(column) if !column.is_optional => column.field(row),
            _ => b"",
        };
        let is_wanted = |&(row, _): &(usize, u64)| {
            let answer = solution.map_or(&b""[..], |place| field(place, row));
            !is_read_alone(field(puzzle, row), answer)
        };
        let wanted = (0..).zip(rows.clone()).filter(is_wanted);
        wanted.map(|(_, row)| row..row + 1).collect()
    }

    /// The columns of the lines.
    fn columns(&self) -> Vec<DecodedColumn> {
        let schema = self.file.schema();
        let heads = text::columns_of(schema).into_iter();
        let heads = heads.filter_map(|head| Some((head.name, head.leaf.ok()?)));
        let columns = heads.enumerate().map(|(place, (name, leaf))| {
            let (values, puzzle, is_role) = match &self.layout {
                Some(it) => (it.parquet, it.record.puzzle, it.is_role(place)),
                None => (None, place, true),
            };
            let is_optional = matches!(values, Some(ParquetValues::IfNeeded { answers })
                if place != puzzle && !(is_role && answers));
            let (leaf, is_exact) = ((leaf, schema.column(leaf)), values.is_some() && !is_role);
            let kind = match Kind::of(&leaf.1) {
                Kind::Text => Kind::Text,
                _ if is_exact && values == Some(ParquetValues::AsStored) => Kind::Stored,
                kind => kind,
            };
            DecodedColumn::new(name, leaf, kind, is_exact, is_optional)
        });
        columns.collect()
    }
}
