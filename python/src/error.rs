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
    AssayError::new_err(name_arguments(&assay_cli::error_text(&error.into())))
}

/// Puts the names of arguments in the place of the command line's options: `opening_plies` for `--opening-plies`.
fn name_arguments(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.strip_prefix("--") {
        Some(option) if option.starts_with(|letter: char| letter.is_ascii_lowercase()) => option.replace('-', "_"),
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}
