//! A transformation that keeps the rules, as a class.

use crate::jobs;
use crate::module::arrays::{CallOptions, answer_one};
use crate::module::errors::malformed;
use crate::module::one::{puzzle_of, seed_of};
use ninefold::puzzle::{Digit, Puzzle, Random};
use ninefold::symmetry;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A transformation that keeps the rules: other digits, rows and columns, perhaps a transposition.
///
/// Example:
///     >>> import ninefold
///     >>> map = ninefold.isomorphism("1" + "." * 80, "." * 80 + "9")
///     >>> map.apply("1" + "." * 80) == "." * 80 + "9"
///     True
///     >>> map.inverse().apply("." * 80 + "9") == "1" + "." * 80
///     True
#[pyclass(frozen, eq, hash, module = "ninefold")]
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Isomorphism(pub(super) symmetry::Isomorphism);

#[pymethods]
impl Isomorphism {
    /// Reads the text of a transformation, as `str` writes it.
    ///
    /// Example:
    ///     >>> import ninefold
    ///     >>> ninefold.Isomorphism.parse("t0 r123456789 c123456789 d213456789").digits[:2]
    ///     [2, 1]
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(|error: symmetry::IsomorphismError| {
            PyValueError::new_err(format!("not an isomorphism: {error}"))
        })
    }

    /// The puzzle that another becomes.
    fn apply(&self, puzzle: &Bound<'_, PyAny>) -> PyResult<String> {
        Ok(self.0.apply_to_puzzle(&puzzle_of(puzzle)?).to_string())
    }

    /// A random transformation, uniformly distributed.
    ///
    /// Example:
    ///     >>> import ninefold
    ///     >>> ninefold.Isomorphism.random(1) == ninefold.Isomorphism.random(1)
    ///     True
    #[staticmethod]
    fn random(#[pyo3(from_py_with = seed_of)] seed: u64) -> Self {
        Self(symmetry::Isomorphism::random(&mut Random::new(seed)))
    }

    /// The puzzles of an array that others become.
    ///
    /// Arguments as in `solve_array`.
    ///
    /// Returns:
    ///     The puzzles in the type of the input, empty (or zeros) for a malformed puzzle; with `details`, a
    ///     struct of `puzzle`, `status` ("mapped" or "malformed") and `reason`.
    #[pyo3(signature = (puzzles, *, column=None, details=false, threads=1, progress=None))]
    fn apply_array<'py>(
        &self,
        puzzles: &Bound<'py, PyAny>,
        column: Option<String>,
        details: bool,
        threads: i64,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        answer_one(puzzles, jobs::apply(self.0), CallOptions { column, details, threads, progress })
    }

    /// The transformation that undoes this one.
    fn inverse(&self) -> Self {
        Self(self.0.inverse())
    }

    /// This transformation, and then the next.
    #[pyo3(name = "then")]
    fn and_then(&self, next: &Self) -> Self {
        Self(self.0.then(&next.0))
    }

    /// Whether rows and columns are exchanged first.
    #[getter]
    fn transposed(&self) -> bool {
        self.0.is_transposed()
    }

    /// The row, 0 to 8, that each row comes from.
    #[getter]
    fn rows(&self) -> Vec<usize> {
        self.0.rows().to_vec()
    }

    /// The column, 0 to 8, that each column comes from.
    #[getter]
    fn columns(&self) -> Vec<usize> {
        self.0.columns().to_vec()
    }

    /// What each of the digits 1 to 9 becomes.
    #[getter]
    fn digits(&self) -> Vec<u32> {
        Digit::ALL.iter().map(|&digit| u32::from(self.0.digit(digit).value())).collect()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("parse")?, (self.0.to_string(),)))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Isomorphism.parse({:?})", self.0.to_string())
    }
}

/// Finds a map from one puzzle to another that differs in looks only: other digits, rows, columns,
/// perhaps transposed. `None` if there is none.
///
/// Raises:
///     MalformedError: A string is not a grid of 81 cells.
///
/// Example:
///     >>> import ninefold
///     >>> str(ninefold.isomorphism("1" + "." * 80, "." * 80 + "9"))[-10:]
///     'd912345678'
///     >>> ninefold.isomorphism("." * 81, "1" + "." * 80) is None
///     True
#[pyfunction]
pub(super) fn isomorphism(
    py: Python<'_>,
    puzzle: &Bound<'_, PyAny>,
    other: &Bound<'_, PyAny>,
) -> PyResult<Option<Isomorphism>> {
    let (one, other) = (grid(puzzle)?, grid(other)?);
    Ok(py.detach(|| symmetry::isomorphism(&one, &other)).map(Isomorphism))
}

/// The grid of a puzzle.
fn grid(puzzle: &Bound<'_, PyAny>) -> PyResult<ninefold::puzzle::Grid> {
    match puzzle_of(puzzle)? {
        Puzzle::Grid(grid) => Ok(grid),
        Puzzle::Sukaku(_) => Err(malformed(&"expected 81 cells, found a sukaku")),
    }
}
