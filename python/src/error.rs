//! Errors: the text that the command line prints, without `error: `.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

pyo3::create_exception!(
    assay,
    AssayError,
    PyValueError,
    "What was found where, and what was expected: the message that Assay's programs print."
);

/// The exception for an error of the crates.
pub(crate) fn raise(error: impl Into<anyhow::Error>) -> PyErr {
    AssayError::new_err(assay_cli::error_text(&error.into()))
}
