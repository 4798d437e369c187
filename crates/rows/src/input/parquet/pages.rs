//! Pages that are decompressed once, whichever threads decode their rows: a chunk has fewer rows than a page.

use crate::lock;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::Result;
use std::sync::{Arc, Mutex, Weak};

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
