//! Pages. A chunk ends with one, so that a page is decompressed by the thread that decodes its rows. If a page is
//! longer than a chunk may be, other threads find it decompressed.

use super::column::DecodedColumn;
use super::damage::guarded;
use super::table::OpenTable;
use crate::lock;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::Result;
use parquet::file::reader::FileReader;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Where the pages of a column end, by their headers.
pub(crate) struct PageEnds {
    leaf: usize,
    /// The pages of a row group that follow.
    pages: Option<(usize, Box<dyn PageReader>)>,
    /// The row behind the page before them.
    end: u64,
}

impl PageEnds {
    pub(crate) const fn of(column: &DecodedColumn) -> Self {
        Self { leaf: column.leaf.0, pages: None, end: 0 }
    }

    /// The row behind the page that has this row, if that can be told. Rows are asked for in their order.
    pub(crate) fn behind(&mut self, table: &OpenTable, row: u64) -> Option<u64> {
        let (group, leaf) = (table.group_of(row), self.leaf);
        let (mut pages, mut end) = (self.pages.take().filter(|(of, _)| *of == group), self.end);
        if pages.is_none() {
            let open = || table.file.get_row_group(group)?.get_column_page_reader(leaf);
            (pages, end) = (Some((group, guarded(open).ok()?)), table.starts[group]);
        }
        let (_, reader) = pages.as_mut()?;
        while end <= row {
            let page = guarded(|| {
                reader.peek_next_page().and_then(|it| Ok((it, reader.skip_next_page()?)))
            });
            let page = page.ok()?.0?;
            end = end.saturating_add(page.num_rows.or(page.num_levels).unwrap_or_default() as u64);
        }
        (self.pages, self.end) = (pages, end);
        Some(end)
    }
}

/// Of each column the page that was decompressed last, with its row group and its number there.
pub(crate) type LastPages = Mutex<BTreeMap<usize, ((usize, usize), Page)>>;

/// The pages of a column of a row group.
pub(crate) struct ColumnPages {
    pub(crate) reader: Box<dyn PageReader>,
    pub(crate) last: Arc<LastPages>,
    pub(crate) leaf: usize,
    /// The row group, and the number of the next page.
    pub(crate) next: (usize, usize),
}

impl PageReader for ColumnPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let next = self.next;
        self.next.1 += 1;
        let last = lock(&self.last).get(&self.leaf).filter(|(of, _)| *of == next).cloned();
        if let Some((_, page)) = last {
            self.reader.skip_next_page()?;
            return Ok(Some(page));
        }
        // Threads that need it at the same time do the same, instead of waiting for the first.
        let page = self.reader.get_next_page()?;
        if let Some(page) = &page {
            lock(&self.last).insert(self.leaf, (next, page.clone()));
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.reader.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.next.1 += 1;
        self.reader.skip_next_page()
    }
}

impl Iterator for ColumnPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
