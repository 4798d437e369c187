//! A file as one slice of bytes: the only place where the library maps anything.
//!
//! A page is read from the disk when it is first used and dropped when memory is short, so a mapped
//! file costs no memory of the process. The price: another process may shorten the file, or its disk may
//! fail. Then reading a page raises the signal SIGBUS.
//!
//! ```text
//! file    ████████▏                     has been shortened
//! map     ████████▒▒▒▒│░░░░│░░░░│       ▒ zeros: found by the length of the file
//!                           └ SIGBUS: the program's handler calls Mapping::report_lost
//! ```
//!
//! A library must not install signal handlers, so the library only keeps a list of what is mapped, and
//! a program that handles SIGBUS asks it ([`Mapping::report_lost`]). Every read of a mapping is followed
//! by a check that the bytes were those of the file ([`Mapped::check`]).
//!
//! Not kept: `MADV_POPULATE_READ` for each chunk before it is read. It takes 2 to 3 % longer than the page
//! faults, of which each makes 16 pages present (13.3 ns for a line of 82 bytes instead of 13.0).
#![expect(unsafe_code, reason = "mapping a file is unsafe: its bytes may change under us")]

use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The permission to map files, which a program gives once.
#[derive(Clone, Copy, Debug)]
pub struct Mapping(());

impl Mapping {
    /// Allows files to be mapped.
    ///
    /// # Safety
    /// No process may write to a file while a source that maps it is in use. If another process may
    /// shorten such a file, or its disk may fail, the program must handle SIGBUS: put a readable page in
    /// the place of the lost one after [`Mapping::report_lost`] has returned true. Reading the chunk
    /// then fails with an error.
    pub const unsafe fn allow() -> Self {
        Self(())
    }

    /// Records that the page which begins at this address cannot be read. Returns whether the page is
    /// one of a file that a [`Source`](super::Source) has mapped; if not, nothing is recorded.
    ///
    /// It must be called before the page is replaced. It may be called in a signal handler: it takes no
    /// lock and allocates nothing.
    pub fn report_lost(page: usize) -> bool {
        report_lost(&MAPS, page)
    }
}

/// What is mapped: slots that are used again, as many as maps that Linux lets a process have. Memory is
/// taken for those alone that were used.
static MAPS: [MapSlot; 65536] = [const { MapSlot::new() }; 65536];

/// The addresses of one mapping. A free slot has the end 0, one that changes hands the end 1.
struct MapSlot {
    start: AtomicUsize,
    end: AtomicUsize,
    /// The complement of the lowest address of a lost page; 0 if none was lost.
    lost: AtomicUsize,
}

impl MapSlot {
    const fn new() -> Self {
        Self { start: AtomicUsize::new(0), end: AtomicUsize::new(0), lost: AtomicUsize::new(0) }
    }

    /// Whether an address is in the range. While the slot changes hands the answer is no: the end is read
    /// again, and is 0 and 1 in between.
    fn contains(&self, address: usize) -> bool {
        let end = self.end.load(Ordering::SeqCst);
        let start = self.start.load(Ordering::SeqCst);
        (start..end).contains(&address) && self.end.load(Ordering::SeqCst) == end
    }

    /// Takes the slot, if it is free.
    fn take(&self) -> bool {
        self.end.compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed).is_ok()
    }
}

fn report_lost(slots: &[MapSlot], page: usize) -> bool {
    let slot = slots.iter().find(|slot| slot.contains(page));
    slot.map(|slot| slot.lost.fetch_max(!page, Ordering::SeqCst)).is_some()
}

/// Takes a slot for a range, if one is free.
fn register(slots: &'static [MapSlot], start: usize, end: usize) -> Option<Registered> {
    let slot = slots.iter().find(|slot| slot.take())?;
    slot.start.store(start, Ordering::SeqCst);
    slot.lost.store(0, Ordering::SeqCst);
    slot.end.store(end, Ordering::SeqCst);
    Some(Registered(slot))
}

/// A range in the list, as long as this lives.
struct Registered(&'static MapSlot);

impl Registered {
    /// Whether a page before this address was lost.
    fn has_lost_before(&self, address: usize) -> bool {
        !self.0.lost.load(Ordering::SeqCst) < address
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.0.end.store(0, Ordering::SeqCst);
    }
}

/// The bytes of a regular file, from some place on to its end.
pub(super) struct Mapped {
    /// Dropped before the map, whose addresses may be given to another map then.
    registered: Registered,
    map: Mmap,
    start: usize,
    watched: Watched,
}

/// How the file's length is asked for later.
enum Watched {
    /// By its name, as long as that is the name of this file: on Unix a process may map more files than
    /// it can have open.
    #[cfg(unix)]
    Named(std::path::PathBuf, std::fs::Metadata),
    Open(File),
}

impl Mapped {
    /// Maps a file, to be seen from `start` on.
    pub(super) fn new(
        file: &File,
        path: Option<&Path>,
        start: u64,
        Mapping(()): Mapping,
    ) -> io::Result<Self> {
        // SAFETY: nothing in this process writes to the file. For other processes the caller of
        // `Mapping::allow` has promised it.
        let map = unsafe { MmapOptions::new().map(file)? };
        // A hint alone: where there is no such advice, the bytes are the same.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Sequential);
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(map.len());
        let watched = match path {
            #[cfg(unix)]
            Some(path) => Watched::Named(path.to_owned(), file.metadata()?),
            _ => Watched::Open(file.try_clone()?),
        };
        let first = map.as_ptr().addr();
        let registered = register(&MAPS, first, first + map.len()).ok_or(ErrorKind::OutOfMemory)?;
        Ok(Self { registered, map, start, watched })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.map[self.start..]
    }

    /// Whether the bytes before `end` were those of the file when they were read.
    ///
    /// A page that is lost stays so: whichever thread has read it first, all that read it are told.
    pub(super) fn check(&self, end: usize) -> io::Result<()> {
        let length = match &self.watched {
            Watched::Open(file) => Some(file.metadata()?.len()),
            // If the name is now that of another file, or of none, this file was not changed.
            #[cfg(unix)]
            Watched::Named(path, first) => {
                path.metadata().ok().filter(|now| is_same(first, now)).map(|now| now.len())
            }
        };
        if length.is_some_and(|length| length < (self.start + end) as u64) {
            return Err(shortened());
        }
        if self.registered.has_lost_before(self.map.as_ptr().addr() + self.start + end) {
            return Err(io::Error::other("cannot be read any more, or was shortened meanwhile"));
        }
        Ok(())
    }
}

/// The error of a file that has fewer bytes than it had.
pub(crate) fn shortened() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "was shortened while it was read")
}

#[cfg(unix)]
fn is_same(first: &std::fs::Metadata, now: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (first.dev(), first.ino()) == (now.dev(), now.ino())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_lost_page_is_known_to_its_mapping_alone() {
        static SLOTS: [MapSlot; 199] = [const { MapSlot::new() }; 199];
        let report_lost = |page| super::report_lost(&SLOTS, page);
        let register = |start, end| super::register(&SLOTS, start, end);
        let take = |index: usize| register(index * 0x1000, index * 0x1000 + 0x800).unwrap();
        let maps: Vec<_> = (1..200).map(take).collect();
        assert!(register(0, 1).is_none(), "all slots are taken");
        assert!(!report_lost(0x800) && !report_lost(0x1800));
        assert!(report_lost(150 * 0x1000 + 0x400));
        for (index, map) in (1..).zip(&maps) {
            let start = index * 0x1000;
            assert!(!map.has_lost_before(start + 0x400), "{index}");
            assert_eq!(map.has_lost_before(start + 0x401), index == 150, "{index}");
        }
        drop(maps);
        assert!(!report_lost(150 * 0x1000 + 0x400));
        let again = register(150 * 0x1000, 151 * 0x1000).unwrap();
        assert!(!again.has_lost_before(usize::MAX), "a slot is used again as new");
    }

    #[test]
    fn bytes_behind_a_lost_page_are_not_believed() {
        let path = std::env::temp_dir().join(format!("ninefold-mapped-{}", std::process::id()));
        fs::write(&path, vec![b'1'; 100_000]).unwrap();
        // SAFETY: no other process knows this file.
        let mapping = unsafe { Mapping::allow() };
        let mapped = Mapped::new(&File::open(&path).unwrap(), Some(&path), 10, mapping).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(mapped.bytes().len(), 99_990);
        mapped.check(99_990).unwrap();
        assert!(Mapping::report_lost(mapped.map.as_ptr().addr() + 8192));
        mapped.check(8192 - 10).unwrap();
        assert!(mapped.check(8193 - 10).is_err() && mapped.check(99_990).is_err());
    }
}
