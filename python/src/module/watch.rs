//! Between batches signal handlers run, and a progress bar is updated.

use crate::arrow::ArrayError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyUserWarning};
use pyo3::prelude::*;
use std::ffi::CString;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Locks. What a panic has left is as whole as before it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets signal handlers and other threads run, if the last time was long ago: while Python objects are made.
pub(super) fn take_turns(py: Python<'_>, last: &mut Instant) -> PyResult<()> {
    if last.elapsed() > Duration::from_millis(5) {
        py.check_signals()?;
        py.detach(|| ());
        *last = Instant::now();
    }
    Ok(())
}

/// Warns the caller.
pub(super) fn warn(py: Python<'_>, message: String) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(message)?, 1)
}

/// Runs signal handlers, and keeps the exception of one.
#[derive(Default)]
pub(super) struct Watch {
    raised: Mutex<Option<PyErr>>,
    progress: Option<Py<PyAny>>,
    /// A warning at the end.
    note: Arc<Mutex<String>>,
}

impl Watch {
    /// A watch that shows the progress, unless the caller's argument is `None` or `False`.
    pub(super) fn showing(
        progress: Option<&Bound<'_, PyAny>>,
        total: Option<usize>,
        note: Arc<Mutex<String>>,
    ) -> PyResult<Self> {
        let Some(progress) = progress.filter(|it| it.extract().unwrap_or(true)) else {
            return Ok(Self { note, ..Self::default() });
        };
        let class = progress.py().import("ninefold._progress")?.getattr("Progress")?;
        let progress = Some(class.call1((progress, total))?.unbind());
        Ok(Self { progress, note, ..Self::default() })
    }

    /// Ends the progress bar, and warns if there is a reason.
    ///
    /// # Errors
    /// Warnings are exceptions.
    pub(super) fn finish(&self) -> PyResult<()> {
        if let Some(progress) = &self.progress {
            // A bar that cannot be written to is no reason to lose the result.
            let _ = Python::try_attach(|py| progress.call_method0(py, "close"));
        }
        match mem::take(&mut *lock(&self.note)) {
            note if note.is_empty() => Ok(()),
            note => Python::try_attach(|py| warn(py, note)).unwrap_or(Ok(())),
        }
    }

    /// Counts rows that are done, and runs the handlers of signals that came. Whether to continue.
    pub(super) fn go_on(&self, rows: usize) -> bool {
        let checked = Python::try_attach(|py| {
            // Also those that are done when a signal comes.
            if let Some(progress) = self.progress.as_ref().filter(|_| rows > 0) {
                progress.call_method1(py, "update", (rows,))?;
            }
            py.check_signals()
        });
        match checked {
            Some(Err(error)) => {
                *lock(&self.raised) = Some(error);
                false
            }
            _ => true,
        }
    }

    /// The exception of a handler, if there was one.
    pub(super) fn take(&self) -> Option<PyErr> {
        lock(&self.raised).take()
    }

    /// The exception of a handler, or else that of an array.
    pub(super) fn error(&self, error: ArrayError) -> PyErr {
        self.take().unwrap_or_else(|| error.into())
    }

    /// Raises the exception of a handler again, as soon as Python code runs: a callback of C cannot
    /// raise it.
    pub(super) fn raise_later(&self) {
        let Some(error) = self.take() else { return };
        Python::try_attach(|py| {
            if error.is_instance_of::<PyKeyboardInterrupt>(py) {
                // If that fails, the consumer of the stream still reports that it was interrupted.
                let _ = py.import("_thread").and_then(|it| it.call_method0("interrupt_main"));
            }
        });
    }
}
