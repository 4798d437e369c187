//! The results: an array, and a stream of arrays. One class has `__arrow_c_array__` and the other
//! `__arrow_c_stream__`; polars refuses an object with both.

use crate::arrow::{ArrayAnswers, ArrayError, stream};
use crate::module::errors::python;
use crate::module::watch::{Watch, lock};
use crate::module::{capsule, pickle, values};
use arrow_array::cast::AsArray;
use arrow_array::{Array as _, Int64Array, make_array};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyIterator, PyList, PySlice, PyTuple};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// An Arrow array: pass it to `pyarrow.array`, `polars.Series`, `pandas.Series.from_arrow`, …
///
/// It keeps the Arrow C data interface, `__arrow_c_array__`.
#[pyclass(frozen, module = "ninefold")]
pub(super) struct Array(pub(super) ArrayData);

impl Array {
    fn field(&self) -> Field {
        Field::new("", self.0.data_type().clone(), true)
    }
}

#[pymethods]
impl Array {
    /// The array for another library: two capsules.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // The interface lets a producer ignore the wish for another type.
        let _ = requested_schema;
        capsule::array(py, &self.field(), &self.0)
    }

    /// The type for another library: a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.field())
    }

    #[getter(_is_text)]
    fn is_text(&self) -> bool {
        use DataType::{LargeUtf8, Utf8, Utf8View};
        matches!(self.0.data_type(), Utf8 | LargeUtf8 | Utf8View)
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        let rows = self.0.len();
        format!("<ninefold.Array of {rows} rows, {}>", self.0.data_type())
    }

    /// The values as Python objects: `None` for a null.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        values::list(py, &self.0)
    }

    /// The starts of the lists and the last end, and the items of all lists: arrays of numpy.
    fn _lists<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyAny>; 2]> {
        let lists = make_array(self.0.clone());
        let lists = lists.as_list_opt::<i32>().ok_or_else(|| PyTypeError::new_err("no lists"))?;
        let offsets: Int64Array = lists.offsets().iter().map(|&it| i64::from(it)).collect();
        let items = lists.values().to_data();
        Ok([values::numpy(py, offsets.to_data())?, values::numpy(py, items)?])
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_pylist(py)?.try_iter()
    }

    /// A field of structs by its name, the value of a row, or the array of a slice of rows.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = make_array(self.0.clone());
        let part = if let Ok(name) = key.extract::<String>() {
            let field = array.as_struct_opt().and_then(|structs| structs.column_by_name(&name));
            let missing = || PyKeyError::new_err(format!("{name:?} of {}", array.data_type()));
            field.ok_or_else(missing)?.to_data()
        } else if let Ok(slice) = key.cast::<PySlice>() {
            let rows = slice.indices(isize::try_from(array.len())?)?;
            if rows.step != 1 {
                return Err(PyValueError::new_err("a slice of an Array has the step 1"));
            }
            self.0.slice(usize::try_from(rows.start)?, rows.slicelength)
        } else if let Ok(row) = key.extract::<isize>() {
            let from_end = if row < 0 { array.len() } else { 0 };
            let place = from_end.checked_add_signed(row).filter(|&it| it < array.len());
            let missing = || PyIndexError::new_err(format!("row {row} of {}", array.len()));
            return values::value(py, &array, place.ok_or_else(missing)?);
        } else {
            let message = "expected the number of a row, a slice, or the name of a field";
            return Err(PyTypeError::new_err(message));
        };
        Ok(Bound::new(py, Self(part))?.into_any())
    }

    /// The array as numpy has it, a copy: structs are structured arrays. Null numbers are NaN, other null values
    /// `None`, and null rows of digits zeros.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = dtype; // numpy changes the type
        if copy == Some(false) {
            return Err(PyValueError::new_err("an Array can only be copied to numpy"));
        }
        values::numpy(py, self.0.clone())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.get_type::<Self>().getattr("_restored")?;
        (restore, (pickle::pickled(py, &self.0)?,)).into_pyobject(py)
    }

    /// The array that `__reduce__` describes.
    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn restored(pickled: &Bound<'_, PyAny>) -> PyResult<Self> {
        pickle::restored(pickled).map(Self)
    }
}

/// A stream of Arrow arrays: pass it to `pyarrow.chunked_array`, `polars.Series`, …, or iterate.
///
/// It keeps the Arrow C stream interface, `__arrow_c_stream__`. Nothing is solved before it is
/// consumed, and it can be consumed once: after that it raises an `ArrayError`.
#[pyclass(frozen, module = "ninefold")]
pub(super) struct ArrayStream {
    answers: Mutex<Option<WatchedAnswers>>,
    /// Whether all arrays were taken one by one.
    ended: AtomicBool,
    field: Field,
}

impl ArrayStream {
    pub(super) fn new(answers: WatchedAnswers) -> Self {
        let field = answers.answers.field();
        Self { answers: Mutex::new(Some(answers)), ended: AtomicBool::new(false), field }
    }

    /// The next array.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Array>> {
        // Taken out, so that no thread waits for a lock while it holds the GIL.
        let Some(mut answers) = lock(&self.answers).take() else { return Err(consumed()) };
        let next = answers.pull(py);
        if matches!(next, Ok(None)) {
            self.ended.store(true, Ordering::Relaxed);
        } else {
            *lock(&self.answers) = Some(answers);
        }
        Ok(next?.map(Array))
    }
}

fn consumed() -> PyErr {
    python::ArrayError::new_err("the stream was already consumed, or is in use by another thread")
}

#[pymethods]
impl ArrayStream {
    /// The stream for another library: a capsule.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let answers = lock(&self.answers).take().ok_or_else(consumed)?;
        capsule::stream(py, stream(self.field.clone(), Box::new(answers)))
    }

    /// The type for another library: a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema(py, &self.field)
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        // A second loop would be silent.
        if this.ended.load(Ordering::Relaxed) { Err(consumed()) } else { Ok(this) }
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Array>> {
        // After its end an iterator says so again.
        if self.ended.load(Ordering::Relaxed) { Ok(None) } else { self.next(py) }
    }

    fn __repr__(&self) -> String {
        format!("<ninefold.ArrayStream of {}>", self.field.data_type())
    }

    /// All values as Python objects: `None` for a null.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        values::without_full_collections(py, || {
            let list = PyList::empty(py);
            while let Some(array) = self.next(py)? {
                list.call_method1("extend", (array.to_pylist(py)?,))?;
            }
            Ok(list)
        })
    }
}

/// Answers, and what watches over the work on them.
pub(super) struct WatchedAnswers {
    pub(super) answers: ArrayAnswers,
    pub(super) watch: Arc<Watch>,
}

impl WatchedAnswers {
    /// The next array.
    pub(super) fn pull(&mut self, py: Python<'_>) -> PyResult<Option<ArrayData>> {
        let next = py.detach(|| self.answers.next()).transpose();
        if !matches!(next, Ok(Some(_))) {
            self.watch.finish()?;
        }
        next.map_err(|error| self.watch.error(error))
    }

    /// The array of one piece.
    pub(super) fn only(&mut self, py: Python<'_>) -> PyResult<ArrayData> {
        let data = py.detach(|| self.answers.only());
        self.watch.finish()?;
        data.map_err(|error| self.watch.error(error))
    }
}

/// Another library pulls these arrays, with or without the GIL.
impl Iterator for WatchedAnswers {
    type Item = Result<ArrayData, ArrayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = Python::try_attach(|py| py.detach(|| self.answers.next()));
        // Without an interpreter there is no GIL to release.
        let next = next.unwrap_or_else(|| self.answers.next());
        if let Some(Err(ArrayError::Interrupted)) = next {
            self.watch.raise_later();
        }
        if !matches!(next, Some(Ok(_))) && self.watch.finish().is_err() {
            return Some(Err(ArrayError::stream("a warning is an exception")));
        }
        next
    }
}
