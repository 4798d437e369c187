//! A crash at a chosen step of `disk`.

use super::disk::{HINT_BYTES, Written};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A crash to come, for this thread and those that it starts.
#[derive(Default)]
pub(crate) struct Crash {
    /// Steps before it, and what the power failure that comes with it leaves.
    state: Mutex<(usize, Synced)>,
}

/// How long each file was when it was synced, by its inode.
type Synced = HashMap<u64, u64>;

thread_local! {
    static CRASH: RefCell<Option<Arc<Crash>>> = const { RefCell::new(None) };
}

impl Crash {
    /// Crashes after this many steps of this thread.
    pub(crate) fn after(steps: usize) -> Arc<Self> {
        let crash = Arc::new(Self { state: Mutex::new((steps, Synced::new())) });
        inherit(Some(Arc::clone(&crash)));
        crash
    }

    /// Whether it has come.
    pub(crate) fn has_come(&self) -> bool {
        self.state.lock().unwrap().0 == 0
    }

    /// Cuts all partial files in a folder to the length that they had when they were synced:
    /// what a power failure may leave.
    #[cfg(unix)]
    pub(crate) fn lose_power(&self, folder: &Path) {
        use std::os::unix::fs::MetadataExt;
        let (_, synced) = &*self.state.lock().unwrap();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.to_string_lossy().contains(".partial") {
                let file = File::options().write(true).open(&path).unwrap();
                let about = file.metadata().unwrap();
                // What was never synced may be empty.
                let bytes = synced.get(&about.ino()).copied().unwrap_or(0);
                file.set_len(bytes.min(about.len())).unwrap();
            }
        }
    }
}

/// The crash that awaits this thread, for a thread that it starts.
pub(crate) fn current() -> Option<Arc<Crash>> {
    CRASH.with_borrow(Clone::clone)
}

/// Lets this thread share a crash.
pub(crate) fn inherit(crash: Option<Arc<Crash>>) {
    CRASH.set(crash);
}

pub(crate) fn step() -> io::Result<()> {
    let Some(crash) = current() else { return Ok(()) };
    let (left, _) = &mut *crash.state.lock().unwrap();
    *left = left.saturating_sub(1);
    if *left == 0 { Err(io::Error::other("crash")) } else { Ok(()) }
}

/// A crash in the middle of a write.
pub(crate) fn write_half(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    step().inspect_err(|_| file.write_all(&bytes[..bytes.len() / 2]).unwrap())
}

/// Notes that a file was synced.
pub(crate) fn synced(file: &File) {
    let Some(crash) = current() else { return };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let about = file.metadata().unwrap();
        crash.state.lock().unwrap().1.insert(about.ino(), about.len());
    }
}

/// As a scanner for viruses opens it. Other systems do not refuse it.
#[cfg(windows)]
#[test]
fn a_file_that_is_open_for_a_moment_is_renamed_after_it() {
    use std::os::windows::fs::OpenOptionsExt;
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
    for path in [&from, &to] {
        fs::write(path, path.to_str().unwrap()).unwrap();
    }
    let scanned = File::options().read(true).share_mode(0).open(&to).unwrap();
    let scanner = std::thread::spawn(|| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        drop(scanned);
    });
    super::disk::rename(&from, &to).unwrap();
    scanner.join().unwrap();
    assert!(fs::read_to_string(&to).unwrap().ends_with("from") && !from.exists());
}

#[test]
fn a_file_is_the_same_with_hints_and_no_longer_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut file = Written::from(Arc::new(File::create(&path).unwrap()));
    let piece = vec![b'7'; HINT_BYTES as usize / 2 + 1];
    for is_hinted in [false, true, false, true] {
        file.write_all(&piece).unwrap();
        assert_eq!(file.bytes == 0, is_hinted);
    }
    drop(file);
    assert_eq!(fs::read(&path).unwrap(), piece.repeat(4));
    #[cfg(target_os = "linux")]
    {
        use std::os::linux::fs::MetadataExt;
        let about = fs::metadata(&path).unwrap();
        let set_aside = (about.st_blocks() * 512).saturating_sub(about.len());
        assert!(set_aside < u64::from(HINT_BYTES) / 2, "{set_aside}");
    }
}
