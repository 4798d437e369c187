//! A crash at a chosen step of `disk`, and the rule of Windows about locked files.

use super::disk::{self, HINT_BYTES, Written};
use crate::lock;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};

/// A crash to come, for this thread and those that it starts.
#[derive(Default)]
pub(crate) struct Crash {
    /// Steps before it, and what the power failure that comes with it leaves.
    state: Mutex<(usize, Synced)>,
}

/// How long each file was when it was synced, by its number.
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
    pub(crate) fn lose_power(&self, folder: &Path) {
        let (_, synced) = &*self.state.lock().unwrap();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.to_string_lossy().contains(".partial") {
                let file = File::options().write(true).open(&path).unwrap();
                // What was never synced may be empty.
                let bytes = synced.get(&number_of(&file)).copied().unwrap_or(0);
                file.set_len(bytes.min(file.metadata().unwrap().len())).unwrap();
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

/// Notes that a file was synced with this length.
pub(crate) fn synced(file: &File, bytes: u64) {
    if let Some(crash) = current() {
        crash.state.lock().unwrap().1.insert(number_of(file), bytes);
    }
}

/// The locked files of this process, each with the handle that has locked it.
static LOCKED: Mutex<Vec<(u64, Weak<File>)>> = Mutex::new(Vec::new());

/// A number for the file, whatever its names are.
fn number_of(file: &File) -> u64 {
    let handle = same_file::Handle::from_file(file.try_clone().unwrap()).unwrap();
    BuildHasherDefault::<DefaultHasher>::default().hash_one(handle)
}

/// Notes that a file was locked, for as long as its handle is open.
pub(crate) fn locked(file: &Arc<File>) {
    let mut locked = lock(&LOCKED);
    locked.retain(|(_, handle)| handle.strong_count() > 0);
    locked.push((number_of(file), Arc::downgrade(file)));
}

/// Fails if another handle has locked the file.
pub(crate) fn check_handle(file: &Arc<File>) -> io::Result<()> {
    let number = number_of(file);
    let is_other = |handle: &Weak<File>| {
        handle.strong_count() > 0 && !std::ptr::eq(handle.as_ptr(), Arc::as_ptr(file))
    };
    if lock(&LOCKED).iter().any(|(locked, handle)| *locked == number && is_other(handle)) {
        return Err(io::Error::other("another handle has locked the file"));
    }
    Ok(())
}

#[test]
fn a_locked_file_is_read_and_written_through_its_handle_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "text").unwrap();
    let [owner, other] = [(); 2].map(|()| disk::open_to_continue(&path).unwrap());
    let read = |file: &disk::OpenFile| file.first(9)?.read(&mut [0; 9]);
    let write = |file: &disk::OpenFile, end| Written::new(file.clone(), Some(end)).write(b"more");
    assert_eq!(read(&other).unwrap(), 4);
    owner.lock().unwrap();
    assert_eq!(other.lock().unwrap_err().kind(), io::ErrorKind::ResourceBusy);
    assert_eq!((read(&owner).unwrap(), write(&owner, 4).unwrap()), (4, 4));
    for error in [read(&other).err(), write(&other, 8).err(), disk::read(&path).err()] {
        assert!(error.is_some());
    }
    drop(owner);
    assert_eq!((write(&other, 8).unwrap(), disk::read(&path).unwrap().len()), (4, 12));
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
    let mut file = Written::new(disk::create_new(&path).unwrap(), Some(0));
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

/// What follows would leave zeros in the file.
#[test]
fn a_file_that_another_program_has_changed_is_not_written_to() {
    for bytes in [0, 3, 9] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = Written::new(disk::create_new(&path).unwrap(), Some(0));
        file.write_all(b"12345").unwrap();
        File::options().write(true).open(&path).unwrap().set_len(bytes).unwrap();
        let [written, flushed] = [file.write_all(b"6"), file.flush()].map(Result::unwrap_err);
        let why = format!("another program has changed the file: 5 bytes are now {bytes}");
        assert_eq!((written.to_string(), flushed.to_string()), (why.clone(), why));
    }
}
