//! A file as one slice of bytes: the only place where anything is mapped.
//!
//! Nothing is copied: the system brings a page in when it is first read, and takes it away
//! when memory is short. So a mapped file costs no memory of ours, whatever its size.
#![expect(unsafe_code, reason = "mapping a file is unsafe: its bytes may change under us")]

use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io;
use std::ops::Deref;

/// The bytes of a regular file, from some place on to its end.
pub(super) struct Mapped {
    map: Mmap,
    start: usize,
}

impl Mapped {
    /// Maps a file, to be seen from `start` on.
    pub(super) fn new(file: &File, start: u64) -> io::Result<Self> {
        // SAFETY: nothing in this process writes to the file. Another process could: no
        // program can rule that out, so the README says it and `--no-mmap` reads instead.
        let map = unsafe { MmapOptions::new().map(file)? };
        // A hint alone: where there is no such advice, the bytes are the same.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Sequential);
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(map.len());
        Ok(Self { map, start })
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map[self.start..]
    }
}
