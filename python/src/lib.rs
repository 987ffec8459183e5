//! The native module of the Python package `assay`. Its docstrings and `package/assay/__init__.pyi` document it; each file here
//! is one subject.

mod data;
mod engine;
mod error;
mod game;
mod job;
mod measurement;
mod number;
mod pyffish;
mod selfplay;
mod table;

use pyo3::prelude::*;

#[pymodule]
mod _assay {
    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_export]
    use crate::data::{Run, open};
    #[pymodule_export]
    use crate::engine::{Analysis, Engine, Line, Score};
    #[pymodule_export]
    use crate::error::AssayError;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::game::position::{Outcome, Position};
    #[pymodule_export]
    use crate::measurement::{Measurement, fit, next_games, parse_measurement, read_measurement};
    #[pymodule_export]
    use crate::pyffish::{fairy_fen, fen_fault, insufficient_material};
    #[pymodule_export]
    use crate::selfplay::{identity, merge, merge_batch, selfplay};
    #[pymodule_export]
    use crate::table::Table;

    /// Raises ImportError on a processor that the build does not support.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        assay_engine::check_processor().map_err(|error| PyImportError::new_err(error.to_string()))?;
        module.add("GAMES", PyTuple::new(module.py(), assay_rules::def::game_names().collect::<Vec<_>>())?)?;
        module.add("HAS_X86_64_V3", assay_engine::processor_has_x86_64_v3())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
