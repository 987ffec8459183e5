//! Whole numbers as arguments, with the ranges and the messages of the command line. Each function is the `from_py_with` of one
//! argument.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::anyhow;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::raise;

/// Function, name of the argument, type and range.
macro_rules! arguments {
    ($($function:ident $name:literal $number:ty: $range:expr;)*) => {
        $(pub(crate) fn $function(value: &Bound<'_, PyAny>) -> PyResult<$number> {
            whole_number($name, value, $range)
        })*
    };
}

/// Like [`arguments`], for arguments that may be `None`.
macro_rules! optional_arguments {
    ($($function:ident $name:literal $number:ty: $range:expr;)*) => {
        $(pub(crate) fn $function(value: &Bound<'_, PyAny>) -> PyResult<Option<$number>> {
            (!value.is_none()).then(|| whole_number($name, value, $range)).transpose()
        })*
    };
}

arguments! {
    perft_depth "depth" u32: 1..=64;
    perft_hash "hash" usize: 0..=1 << 20;
    square_size "size" u32: 1..=10_000;
    engine_threads "threads" usize: 1..=256;
    lines "lines" usize: 1..=256;
    games "games" u64: 1..=1 << 40;
    first_game "first_game" u64: 0..=1 << 40;
    nodes "nodes" u64: 1..=1 << 50;
    seed "seed" u64: 0..=u64::MAX;
    hash "hash" usize: 1..=65_536;
    // 0: one for each processor.
    threads "threads" usize: 0..=1_024;
    resamples "resamples" usize: 0..=100_000;
}

optional_arguments! {
    node_limit "nodes" u64: 1..=u64::MAX;
    depth_limit "depth" u32: 1..=u32::MAX;
    opening_plies "opening_plies" u32: 0..=200;
}

fn whole_number<T>(name: &str, value: &Bound<'_, PyAny>, range: RangeInclusive<T>) -> PyResult<T>
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    let index = value.call_method0("__index__").map_err(|_| {
        let (from, to) = (range.start(), range.end());
        PyTypeError::new_err(format!("{name}: found {value:?}, expected a whole number from {from} to {to}"))
    })?;
    // Decimal, as on the command line: a number of Python may be larger than any type.
    let text = match index.extract::<i128>() {
        Ok(number) => number.to_string(),
        Err(_) => index.str()?.to_string(),
    };
    assay_cli::args::whole_number(range)(&text).map_err(|expected| raise(anyhow!("{name}: found {text}, {expected}")))
}
