//! Pages of mapped inputs that are lost: an error of the input instead of the end of the process.
//!
//! If another process shortens a mapped file, or its disk fails, reading a page of it raises SIGBUS.
//!
//! ```text
//! SIGBUS ─┬─ in a mapped input ──> report to the library ──> a page of zeros in its place ──> continue
//!         └─ anywhere else ──────> the handler that was there before
//! ```
//!
//! The thread reads zeros then. Their result is dropped: the library checks every chunk after it was
//! read.
#![expect(
    unsafe_code,
    reason = "signal handlers are unsafe, and so is the promise to handle SIGBUS"
)]

use crate::input::Mapping;
use std::sync::OnceLock;

/// The permission to map files: given if a lost page is handled. Systems other than Linux have no
/// handler, and a lost page ends the process.
pub(crate) fn mapping() -> Option<Mapping> {
    static MAPPING: OnceLock<Option<Mapping>> = OnceLock::new();
    let allow = || {
        #[cfg(target_os = "linux")]
        if let Err(error) = handler::install() {
            super::exit::say(format_args!(
                "ninefold: SIGBUS cannot be handled, so no file is mapped: {error}"
            ));
            return None;
        }
        // SAFETY: lost pages are handled. This process writes to no file that it reads: it refuses
        // such outputs. docs/limits.md says that other processes must not; `--no-mmap` is for files for
        // which that cannot be promised.
        Some(unsafe { Mapping::allow() })
    };
    *MAPPING.get_or_init(allow)
}

#[cfg(target_os = "linux")]
mod handler {
    use crate::input::Mapping;
    use libc::{c_int, c_void, sigaction, siginfo_t};
    use std::io;
    use std::ptr;
    use std::sync::OnceLock;

    /// The handler that was there before, and the bytes of a page, which are requested beforehand so that the
    /// handler calls as little as possible.
    static BEFORE: OnceLock<(sigaction, usize)> = OnceLock::new();

    /// The kernel's code for a page of a file that it cannot bring in: `BUS_ADRERR`.
    const NO_SUCH_PAGE: c_int = 2;

    /// Installs the handler for the rest of the process.
    pub(super) fn install() -> io::Result<()> {
        // SAFETY: `sysconf` has no preconditions.
        let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page_bytes = usize::try_from(bytes).unwrap_or(0);
        if !page_bytes.is_power_of_two() {
            return Err(io::Error::other("the size of a page is not known"));
        }
        let entry: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = on_bus;
        // SAFETY: all zeros are a valid `sigaction`. The handler calls nothing but functions that are
        // safe in a handler, and the previous handler is stored before this one can run.
        unsafe {
            let mut previous: sigaction = std::mem::zeroed();
            if libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut previous) != 0 {
                return Err(io::Error::last_os_error());
            }
            BEFORE.get_or_init(|| (previous, page_bytes));
            let mut action: sigaction = std::mem::zeroed();
            action.sa_sigaction = entry as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            if libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }

    extern "C" fn on_bus(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
        // SAFETY: the system gives its handler a valid `info`, which has an address for this code.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr().addr()) };
        let Some((previous, page_bytes)) = BEFORE.get() else { return };
        let page = address & !(page_bytes - 1);
        // Reported first: from the moment that zeros can be read there, they are not believed.
        let is_ours = code == NO_SUCH_PAGE && Mapping::report_lost(page);
        if !(is_ours && put_zeros(page, *page_bytes)) {
            forward(signal, code, previous);
        }
    }

    /// Puts a page of zeros in the place of a page of a mapped input.
    fn put_zeros(page: usize, page_bytes: usize) -> bool {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        // SAFETY: the page is one of a mapped input, and holds nothing that could be lost, because it
        // cannot be read. It stays readable, and a part of the same range.
        let put = unsafe {
            let start = ptr::with_exposed_provenance_mut(page);
            libc::mmap(start, page_bytes, libc::PROT_READ, flags, -1, 0)
        };
        put != libc::MAP_FAILED
    }

    /// Gives a signal to the handler that was installed before, which stays from now on.
    fn forward(signal: c_int, code: c_int, previous: &sigaction) {
        // SAFETY: both calls are safe in a handler. A fault occurs again, as its instruction is repeated.
        // A signal that another process has sent does not, so it is raised.
        unsafe {
            libc::sigaction(signal, previous, ptr::null_mut());
            if code <= 0 {
                libc::raise(signal);
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::handler::install;
    use libc::{c_int, sigaction};
    use std::fs::File;
    use std::io::{Seek, Write};
    use std::process::Command;
    use std::ptr;

    /// Exits, so that the parent knows that it was called.
    extern "C" fn earlier(_: c_int) {
        // SAFETY: `_exit` is safe in a handler.
        unsafe { libc::_exit(77) }
    }

    /// Runs in a process of its own: the fault ends it.
    #[test]
    #[ignore = "the next test runs it"]
    fn fault_in_another_mapping() {
        let mut file: File = tempfile::tempfile().unwrap();
        file.write_all(&[b'1'; 100]).unwrap();
        file.rewind().unwrap();
        // SAFETY: all zeros are a valid `sigaction`; the map is checked, and never unmapped.
        unsafe {
            let handler: extern "C" fn(c_int) = earlier;
            let mut action: sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as libc::sighandler_t;
            libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut());
            install().unwrap();
            let fd = std::os::fd::AsRawFd::as_raw_fd(&file);
            let map = libc::mmap(ptr::null_mut(), 100, libc::PROT_READ, libc::MAP_SHARED, fd, 0);
            assert!(map != libc::MAP_FAILED);
            file.set_len(0).unwrap();
            std::hint::black_box(ptr::read_volatile(map.cast::<u8>()));
        }
        unreachable!("the page cannot be read");
    }

    #[test]
    fn a_fault_elsewhere_goes_to_the_handler_that_was_there() {
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--ignored", "--exact", "--nocapture"]);
        program.arg("cli::lost_pages::tests::fault_in_another_mapping");
        let output = program.output().unwrap();
        assert_eq!(output.status.code(), Some(77), "{output:?}");
    }
}
