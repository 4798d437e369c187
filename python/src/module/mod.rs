//! The native module `ninefold._ninefold`.
#![expect(clippy::doc_markdown, clippy::doc_link_with_quotes, reason = "docstrings of Python")]

mod arrays;
mod capsule;
mod classes;
mod errors;
mod generate;
mod given;
mod map;
mod one;
mod pickle;
mod score;
mod sets;
mod tokens;
mod values;
mod watch;

use pyo3::prelude::*;

#[pymodule]
mod _ninefold {
    use ninefold::difficulty::Technique;
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_export]
    use super::arrays::{
        candidates_array, canonical_array, count_array, is_unique_array, isomorphism_array,
        minimize_array, neighbors_array, rate_array, solutions_array, solve_array, steps_array,
        verify_array,
    };
    #[pymodule_export]
    use super::classes::{Array, ArrayStream};
    #[pymodule_export]
    use super::generate::{generate, generate_array};
    #[pymodule_export]
    use super::map::{Isomorphism, isomorphism};
    #[pymodule_export]
    use super::one::{canonical, count, is_unique, rate, solutions, solve, steps, verify};
    #[pymodule_export]
    use super::score::evaluate;
    #[pymodule_export]
    use super::sets::{Bank, augment_array, split_array};
    #[pymodule_export]
    use super::tokens::{texts, tokens};
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let names = Technique::ALL.iter().map(|technique| technique.name());
        module.add("TECHNIQUES", PyTuple::new(module.py(), names)?)
    }
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
