//! A file as one slice of bytes: the only place where anything is mapped.
//!
//! Nothing is copied: the system brings a page in when it is first read, and takes it away
//! when memory is short. So a mapped file costs no memory of ours, whatever its size.
//!
//! If somebody shortens the file, its pages go, and whoever reads one gets a signal, SIGBUS:
//!
//! ```text
//! file    ████████▏                     has been shortened
//! map     ████████▒▒▒▒│░░░░│░░░░│       ▒ noughts: seen by the file's length
//!                           └ SIGBUS: a page of noughts is put here, and the thread remembers
//! ```
//!
//! Then the thread goes on with noughts. What it made of them is thrown away: everybody who has
//! read from a map asks [`Mapped::check`] afterwards whether the bytes were those of the file.
#![expect(unsafe_code, reason = "mapping a file is unsafe: its bytes may change under us")]

use super::whole::shortened;
use memmap2::{Mmap, MmapOptions};
use std::cell::Cell;
use std::fs::{self, File, Metadata};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

thread_local! {
    /// Whether this thread read a page that was gone.
    static LOST: Cell<bool> = const { Cell::new(false) };
}

/// The bytes of a regular file, from some place on to its end.
pub(super) struct Mapped {
    map: Mmap,
    start: usize,
    watched: Watched,
}

/// How the file's length is asked for later.
enum Watched {
    /// By its name, as long as that is the name of this file: a process may map more files than
    /// it can have open.
    Named(PathBuf, Metadata),
    Open(File),
}

impl Mapped {
    /// Maps a file, to be seen from `start` on.
    pub(super) fn new(file: &File, path: Option<&Path>, start: u64) -> io::Result<Self> {
        // SAFETY: nothing in this process writes to the file. Another process could: no
        // program can rule that out, so the README says it and `--no-mmap` reads instead.
        let map = unsafe { MmapOptions::new().map(file)? };
        // A hint alone: where there is no such advice, the bytes are the same.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Sequential);
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(map.len());
        let watched = match path {
            Some(path) => Watched::Named(path.to_owned(), file.metadata()?),
            None => Watched::Open(file.try_clone()?),
        };
        Ok(Self { map, start, watched })
    }

    /// Whether the bytes before `end` that this thread has read were those of the file.
    pub(super) fn check(&self, end: usize) -> io::Result<()> {
        let length = match &self.watched {
            Watched::Open(file) => Some(file.metadata()?.len()),
            // If the name is another file's by now, or nobody's, this one has been left alone.
            Watched::Named(path, first) => {
                fs::metadata(path).ok().filter(|now| is_same(first, now)).map(|now| now.len())
            }
        };
        let lost = LOST.replace(false);
        if length.is_some_and(|length| length < (self.start + end) as u64) {
            return Err(shortened());
        }
        if lost {
            return Err(io::Error::other("cannot be read any more, or was shortened meanwhile"));
        }
        Ok(())
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map[self.start..]
    }
}

#[cfg(unix)]
fn is_same(first: &Metadata, now: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (first.dev(), first.ino()) == (now.dev(), now.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Makes a mapped page that is gone an error of its input, for the whole process from now on.
///
/// A page is gone if somebody has shortened the file, or if the disk fails. Without this the system
/// ends the process with SIGBUS. With it the signal has a handler that does nothing else, and other
/// errors on a bus end the process as before. On systems other than Linux nothing is done.
///
/// # Errors
/// What the system says.
pub fn survive_lost_pages() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_bus;
        // SAFETY: all noughts are a valid `sigaction`, and what it needs besides is set. The
        // handler calls nothing that a handler must not call.
        let failed = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut()) != 0
        };
        if failed {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Puts a page of noughts where a page is gone; then the thread goes on.
#[cfg(target_os = "linux")]
extern "C" fn on_bus(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    /// What the kernel says of a page of a file that it cannot bring in: `BUS_ADRERR`.
    const NO_SUCH_PAGE: libc::c_int = 2;
    // SAFETY: the system gives its handler a valid `info`, which has an address for this signal.
    // The page at this address holds no value that could be lost, for it cannot be read: it is a
    // file's, and of files nothing but inputs is mapped and shortened. It stays readable and
    // belongs to the same map. If anything is otherwise, the signal does what it does by default.
    unsafe {
        if (*info).si_code == NO_SUCH_PAGE {
            let bytes = libc::sysconf(libc::_SC_PAGESIZE).cast_unsigned();
            let address = (*info).si_addr() as usize;
            let Ok(bytes) = usize::try_from(bytes) else { return };
            let page = (address & !(bytes - 1)) as *mut libc::c_void;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
            let put = libc::mmap(page, bytes, libc::PROT_READ, flags, -1, 0);
            if put != libc::MAP_FAILED {
                LOST.set(true);
                return;
            }
        }
        libc::signal(signal, libc::SIG_DFL);
    }
}
