//! Streams of arrays across the C interface.
//!
//! `arrow` writes streams of record batches only. It reads any arrays, but not those of polars that
//! are null alone ([`importable`]).
//! <https://arrow.apache.org/docs/format/CStreamInterface.html>
#![expect(unsafe_code, reason = "the C interface is made of pointers and callbacks")]

use super::error::ArrayError;
use super::text::importable;
use arrow_array::ffi::from_ffi_and_data_type;
use arrow_array::ffi_stream::FFI_ArrowArrayStream as Stream;
use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field};
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// Arrays of one type, one after the other. After an error the next one may be asked for.
pub(crate) type ArrayPieces = Box<dyn Iterator<Item = Result<ArrayData, ArrayError>> + Send>;

/// A stream of these arrays, which are values of this field.
pub(crate) fn stream(field: Field, arrays: ArrayPieces) -> Stream {
    let own = Box::into_raw(Box::new(StreamState { field, arrays, error: CString::default() }));
    // SAFETY: the callbacks are made for `StreamState`, and `release` frees it.
    unsafe {
        Stream::new_unchecked(
            Some(get_schema),
            Some(get_next),
            Some(get_last_error),
            Some(release),
            own.cast(),
        )
    }
}

/// The private data of our own streams.
struct StreamState {
    field: Field,
    arrays: ArrayPieces,
    /// The last error. It stays where it is until the next call.
    error: CString,
}

impl StreamState {
    /// Calls `work`, keeps its error or panic, and returns the code for C.
    fn call(&mut self, work: impl FnOnce(&mut Self) -> Result<(), ArrayError>) -> c_int {
        /// `EIO` and `EINTR` of Linux, macOS and Windows.
        const EIO: c_int = 5;
        const EINTR: c_int = 4;
        let result = catch_unwind(AssertUnwindSafe(|| work(self)));
        let error = match result {
            Ok(Ok(())) => return 0,
            Ok(Err(error)) => error,
            Err(_) => ArrayError::Refused("ninefold has a fault: please report it".to_owned()),
        };
        let text = error.to_string().replace('\0', "\\0");
        self.error = CString::new(text).unwrap_or_default();
        if matches!(error, ArrayError::Interrupted) { EINTR } else { EIO }
    }
}

/// The private data of a stream of ours.
///
/// # Safety
/// `from` points to a stream of [`stream`] that was not released, and no other code uses it while the
/// result is used.
unsafe fn own<'a>(from: *mut Stream) -> &'a mut StreamState {
    // SAFETY: the private data is the box of `stream`, which lives until `release` (caller).
    unsafe { &mut *(*from).private_data().cast::<StreamState>() }
}

unsafe extern "C" fn get_schema(from: *mut Stream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the consumer calls this with a stream of ours that is not released, and alone.
    let own = unsafe { own(from) };
    own.call(|own| {
        let schema = FFI_ArrowSchema::try_from(&own.field)?;
        // SAFETY: `out` points to memory for a schema, which need not be initialized: it is
        // overwritten without a look at what it held.
        unsafe { ptr::write(out, schema) };
        Ok(())
    })
}

unsafe extern "C" fn get_next(from: *mut Stream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`.
    let own = unsafe { own(from) };
    own.call(|own| {
        let next = own.arrays.next().transpose()?;
        let array = next.map_or_else(FFI_ArrowArray::empty, |data| FFI_ArrowArray::new(&data));
        // SAFETY: `out` points to memory for an array, which need not be initialized.
        unsafe { ptr::write(out, array) };
        Ok(())
    })
}

unsafe extern "C" fn get_last_error(from: *mut Stream) -> *const c_char {
    // SAFETY: as in `get_schema`.
    let own = unsafe { own(from) };
    if own.error.is_empty() { ptr::null() } else { own.error.as_ptr() }
}

unsafe extern "C" fn release(from: *mut Stream) {
    // SAFETY: the consumer calls this once, alone, with a stream of ours: the private data is the box
    // of `stream`. Without the callback the stream is released, and `drop` does nothing.
    unsafe {
        drop(Box::from_raw((*from).set_private_data(ptr::null_mut()).cast::<StreamState>()));
        (*from).set_release(None);
    }
}

/// A stream of another library, with its type.
#[derive(Debug)]
pub(crate) struct Input {
    stream: Stream,
    /// The type of its arrays.
    pub(super) data_type: DataType,
    ended: bool,
}

impl Input {
    /// Asks a stream for its type.
    ///
    /// # Errors
    /// The stream was released, or reports an error, or its type is not known.
    pub(crate) fn new(mut stream: Stream) -> Result<Self, ArrayError> {
        let get_schema = stream
            .get_schema()
            .filter(|_| stream.release().is_some())
            .ok_or_else(|| ArrayError::stream("it was already consumed"))?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released (checked), and `schema` is memory for a schema.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(last_error(&mut stream, code));
        }
        let data_type = importable(&DataType::try_from(&schema)?);
        Ok(Self { stream, data_type, ended: false })
    }
}

impl Iterator for Input {
    type Item = Result<ArrayData, ArrayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let get_next = self.stream.get_next().filter(|_| !self.ended)?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, since only `drop` does that, and `array` is memory
        // for an array.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Some(Err(last_error(&mut self.stream, code)));
        }
        if array.is_released() {
            self.ended = true;
            return None;
        }
        // SAFETY: the producer promises that the array has the type of its schema. `importable` asks
        // for no buffer that it does not have.
        let data = unsafe { from_ffi_and_data_type(array, self.data_type.clone()) };
        Some(data.map_err(ArrayError::from))
    }
}

/// The error that a stream reports.
fn last_error(stream: &mut Stream, code: c_int) -> ArrayError {
    let message = stream.get_last_error().map_or(ptr::null(), |get| {
        // SAFETY: the stream is not released, and its last call failed.
        unsafe { get(stream) }
    });
    if message.is_null() {
        return ArrayError::stream(&format!("error code {code}"));
    }
    // SAFETY: a message ends with a zero, and stays until the next call on the stream.
    let message = unsafe { CStr::from_ptr(message) };
    ArrayError::stream(&message.to_string_lossy())
}
