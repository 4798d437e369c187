//! Streams of arrays across the C interface.
//!
//! `arrow` has a reader and a writer of streams for record batches only. These take any array.
//! <https://arrow.apache.org/docs/format/CStreamInterface.html>
//!
//! ```text
//! Stream    five words, as C has them: the holder owns them, a copy moves them
//! Input     a stream of another library: pulled
//! Stream::of(Chunks)   a stream of ours: `private` owns the chunks
//! ```
#![expect(unsafe_code, reason = "the C interface is made of pointers and callbacks")]

use super::error::ArrayError;
use super::import::importable;
use arrow_array::ffi::from_ffi_and_data_type;
use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// `struct ArrowArrayStream`.
///
/// Invariant: `release` is `None`, and then nothing else is used; or all of this holds until
/// `release` was called: the four callbacks may be called with a pointer to this struct, from one
/// thread at a time, wherever the struct was moved.
#[derive(Debug)]
#[repr(C)]
pub struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Self, *mut FFI_ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Self, *mut FFI_ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Self) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private: *mut c_void,
}

// SAFETY: the C stream interface lets a stream be used from any thread, one at a time. `&Stream`
// gives no access to anything.
unsafe impl Send for Stream {}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the stream was not released (invariant), and it is not used afterwards.
            unsafe { release(self) }
        }
    }
}

impl Stream {
    /// A released stream.
    #[must_use]
    pub const fn released() -> Self {
        Self {
            get_schema: None,
            get_next: None,
            get_last_error: None,
            release: None,
            private: ptr::null_mut(),
        }
    }

    /// Moves a stream out of memory that another library owns, and leaves a released one there.
    ///
    /// # Safety
    /// `from` points to a valid `ArrowArrayStream`, released or not, that no other code uses during
    /// this call.
    #[must_use]
    pub unsafe fn take(from: ptr::NonNull<Self>) -> Self {
        // SAFETY: `from` is valid for reads and writes (caller). The old value is moved, not copied:
        // the new one has no callback, so it is not released twice.
        unsafe { ptr::replace(from.as_ptr(), Self::released()) }
    }

    /// A stream of these arrays.
    pub fn of(arrays: Box<dyn Arrays>) -> Self {
        let own = Box::new(Own { arrays, error: CString::default() });
        Self {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release),
            private: Box::into_raw(own).cast(),
        }
    }
}

/// Arrays of one type, one after the other.
pub trait Arrays: Send {
    /// The field that they are values of.
    fn field(&self) -> Field;

    /// The next array, or `None` at the end.
    ///
    /// # Errors
    /// The array could not be made. The stream may be asked again.
    fn next(&mut self) -> Result<Option<ArrayData>, ArrayError>;
}

/// What `private` of our own streams points to.
struct Own {
    arrays: Box<dyn Arrays>,
    /// The last error. It stays where it is until the next call.
    error: CString,
}

impl Own {
    /// Calls `work`, keeps its error or panic, and returns the code for C.
    fn call(&mut self, work: impl FnOnce(&mut dyn Arrays) -> Result<(), ArrayError>) -> c_int {
        /// `EIO` and `EINTR` of Linux, macOS and Windows.
        const EIO: c_int = 5;
        const EINTR: c_int = 4;
        let result = catch_unwind(AssertUnwindSafe(|| work(self.arrays.as_mut())));
        let error = match result {
            Ok(Ok(())) => return 0,
            Ok(Err(error)) => error,
            Err(_) => ArrayError::Panic,
        };
        let text = match std::error::Error::source(&error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        };
        self.error = CString::new(text.replace('\0', "\\0")).unwrap_or_default();
        if matches!(error, ArrayError::Interrupted) { EINTR } else { EIO }
    }
}

/// The state of a stream of ours.
///
/// # Safety
/// `stream` points to a stream of [`Stream::of`] that was not released, and no other code uses it
/// while the result is used.
unsafe fn own<'a>(stream: *mut Stream) -> &'a mut Own {
    // SAFETY: `private` is the box of `Stream::of`, which lives until `release` (caller).
    unsafe { &mut *(*stream).private.cast::<Own>() }
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the consumer calls this with a stream of ours that is not released, and alone.
    let own = unsafe { own(stream) };
    own.call(|arrays| {
        let schema = FFI_ArrowSchema::try_from(&arrays.field())?;
        // SAFETY: `out` points to memory for a schema, which need not be initialized: it is
        // overwritten without a look at what it held.
        unsafe { ptr::write(out, schema) };
        Ok(())
    })
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`.
    let own = unsafe { own(stream) };
    own.call(|arrays| {
        let array = match arrays.next()? {
            Some(data) => FFI_ArrowArray::new(&data),
            None => FFI_ArrowArray::empty(),
        };
        // SAFETY: `out` points to memory for an array, which need not be initialized.
        unsafe { ptr::write(out, array) };
        Ok(())
    })
}

unsafe extern "C" fn get_last_error(stream: *mut Stream) -> *const c_char {
    // SAFETY: as in `get_schema`.
    let own = unsafe { own(stream) };
    if own.error.is_empty() { ptr::null() } else { own.error.as_ptr() }
}

unsafe extern "C" fn release(stream: *mut Stream) {
    // SAFETY: the consumer calls this once, alone, with a stream of ours: `private` is the box of
    // `Stream::of`. Without `release`, the struct is released and `drop` does nothing.
    unsafe {
        (*stream).release = None;
        drop(Box::from_raw((*stream).private.cast::<Own>()));
        (*stream).private = ptr::null_mut();
    }
}

/// A stream of another library, with its type.
#[derive(Debug)]
pub struct Input {
    stream: Stream,
    data_type: DataType,
    ended: bool,
}

impl Input {
    /// Asks a stream for its type.
    ///
    /// # Errors
    /// The stream was released, or reports an error, or its type is not known.
    pub fn new(mut stream: Stream) -> Result<Self, ArrayError> {
        let get_schema = stream
            .get_schema
            .filter(|_| stream.release.is_some())
            .ok_or_else(|| ArrayError::Stream("it was already consumed".to_owned()))?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released (checked), and `schema` is memory for a schema.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(last_error(&mut stream, code));
        }
        let data_type = importable(&DataType::try_from(&schema)?);
        Ok(Self { stream, data_type, ended: false })
    }

    /// The type of its arrays.
    #[must_use]
    pub const fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The next array; `None` at the end.
    ///
    /// # Errors
    /// The stream reports an error.
    pub fn pull(&mut self) -> Result<Option<ArrayData>, ArrayError> {
        let Some(get_next) = self.stream.get_next.filter(|_| !self.ended) else { return Ok(None) };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, since only `drop` does that, and `array` is memory
        // for an array.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Err(last_error(&mut self.stream, code));
        }
        if array.is_released() {
            self.ended = true;
            return Ok(None);
        }
        // SAFETY: the producer promises that the array has the type of its schema. `importable` asks
        // for no buffer that it does not have.
        let data = unsafe { from_ffi_and_data_type(array, self.data_type.clone()) };
        Ok(Some(data?))
    }
}

/// The error that a stream reports.
fn last_error(stream: &mut Stream, code: c_int) -> ArrayError {
    let message = stream.get_last_error.map_or(ptr::null(), |get| {
        // SAFETY: the stream is not released, and its last call failed.
        unsafe { get(stream) }
    });
    if message.is_null() {
        return ArrayError::Stream(format!("error code {code}"));
    }
    // SAFETY: a message ends with a zero, and stays until the next call on the stream.
    let message = unsafe { CStr::from_ptr(message) };
    ArrayError::Stream(message.to_string_lossy().into_owned())
}
