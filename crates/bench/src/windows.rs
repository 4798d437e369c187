//! What only the system can do, on Windows: end a tree of processes, and name the machine.
#![expect(unsafe_code, reason = "system calls that std does not have")]

use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::Child;
use std::ptr;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Registry::{HKEY_LOCAL_MACHINE, RRF_RT_REG_SZ, RegGetValueW};
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

/// A program and the processes that it has started: a job, which ends with this.
pub(crate) struct ProcessTree(Option<OwnedHandle>);

impl ProcessTree {
    /// The program is in the job before it can start another one: that takes it milliseconds, and this takes
    /// microseconds. One that has ended already is in none.
    pub(crate) fn of(child: &Child) -> Self {
        // SAFETY: neither attributes nor a name are given.
        let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if job.is_null() {
            return Self(None);
        }
        // SAFETY: the handle is valid, and no other code closes it.
        let job = unsafe { OwnedHandle::from_raw_handle(job) };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: both handles are open, and the structure is of the class and of the length that are given.
        let is_assigned = unsafe {
            let bytes = bytes_of(&limits);
            let (handle, class) = (job.as_raw_handle(), JobObjectExtendedLimitInformation);
            SetInformationJobObject(handle, class, (&raw const limits).cast(), bytes) != 0
                && AssignProcessToJobObject(handle, child.as_raw_handle()) != 0
        };
        Self(Some(job).filter(|_| is_assigned))
    }

    /// Kills the processes.
    pub(crate) fn kill(&self) {
        if let Some(job) = &self.0 {
            // SAFETY: the handle is open.
            unsafe { TerminateJobObject(job.as_raw_handle(), 1) };
        }
    }
}

/// The size of a structure, as the system takes it.
fn bytes_of<T>(value: &T) -> u32 {
    u32::try_from(size_of_val(value)).expect("it has less than 4 GiB")
}

/// A text of the registry, below `HKEY_LOCAL_MACHINE`.
pub(crate) fn registry(key: &str, value: &str) -> Option<String> {
    let wide = |text: &str| text.encode_utf16().chain([0]).collect::<Vec<u16>>();
    let (key, value) = (wide(key), wide(value));
    let mut text = [0_u16; 256];
    let mut bytes = bytes_of(&text);
    // SAFETY: the names end with a zero, and `bytes` is the length of the buffer.
    let failed = unsafe {
        let (kind, buffer) = (ptr::null_mut(), text.as_mut_ptr().cast());
        let (key, value) = (key.as_ptr(), value.as_ptr());
        RegGetValueW(HKEY_LOCAL_MACHINE, key, value, RRF_RT_REG_SZ, kind, buffer, &raw mut bytes)
    };
    let end = text.iter().position(|&unit| unit == 0).filter(|_| failed == 0)?;
    Some(String::from_utf16_lossy(&text[..end]).trim().to_owned()).filter(|it| !it.is_empty())
}

/// The bytes of memory.
pub(crate) fn memory() -> Option<u64> {
    let mut memory = MEMORYSTATUSEX::default();
    memory.dwLength = bytes_of(&memory);
    // SAFETY: the structure has its length.
    let is_known = unsafe { GlobalMemoryStatusEx(&raw mut memory) } != 0;
    is_known.then_some(memory.ullTotalPhys)
}
