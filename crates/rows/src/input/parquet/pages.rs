//! Pages. A chunk ends with one, so that a page is decompressed by the thread that decodes its rows. If a page is
//! longer than a chunk may be, its threads share it.

use super::ParquetRows;
use super::damage::guarded;
use crate::lock;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::Result;
use parquet::file::reader::FileReader;
use std::sync::{Arc, Mutex, Weak};

/// Where the pages of a column end, by their headers.
pub(super) struct PageEnds {
    leaf: usize,
    /// The pages of a row group that follow.
    pages: Option<(usize, Box<dyn PageReader>)>,
    /// The row behind the page before them.
    end: u64,
}

impl PageEnds {
    pub(super) const fn of(leaf: usize) -> Self {
        Self { leaf, pages: None, end: 0 }
    }

    /// The row behind the page that has this row, if that can be told. Rows are asked for in their order.
    pub(super) fn behind(&mut self, table: &ParquetRows, row: u64) -> Option<u64> {
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
            end += page.num_rows.or(page.num_levels).unwrap_or_default() as u64;
        }
        (self.pages, self.end) = (pages, end);
        Some(end)
    }
}

/// A page, as soon as a thread has decompressed it.
type SharedPage = Mutex<Option<Page>>;

/// The row group, the column and the number of a page.
type PageKey = [usize; 3];

/// The pages at which some thread is. Other threads wait for a page while one decompresses it.
#[derive(Default)]
pub(super) struct SharedPages(Mutex<Vec<(PageKey, Weak<SharedPage>)>>);

impl SharedPages {
    fn get(&self, key: PageKey) -> Arc<SharedPage> {
        let mut pages = lock(&self.0);
        pages.retain(|(_, page)| page.strong_count() > 0);
        let page = pages.iter().find(|(of, _)| *of == key).and_then(|(_, page)| page.upgrade());
        page.unwrap_or_else(|| {
            let page = Arc::default();
            pages.push((key, Arc::downgrade(&page)));
            page
        })
    }
}

/// The pages of a column of a row group, which are shared.
pub(super) struct ColumnPages {
    pub(super) reader: Box<dyn PageReader>,
    pub(super) shared: Arc<SharedPages>,
    /// The key of the next page.
    pub(super) key: PageKey,
    /// The page before, which stays in memory until then.
    pub(super) page: Arc<SharedPage>,
}

impl PageReader for ColumnPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.page = self.shared.get(self.key);
        self.key[2] += 1;
        let mut page = lock(&self.page);
        if page.is_some() {
            self.reader.skip_next_page()?;
        } else {
            *page = self.reader.get_next_page()?;
        }
        Ok(page.clone())
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.reader.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.key[2] += 1;
        self.reader.skip_next_page()
    }
}

impl Iterator for ColumnPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
