//! Arrow tables for polars, pandas and pyarrow.

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::error::raise;

/// A table in Arrow's format. Every library that reads `__arrow_c_stream__` takes it without copying: `polars.DataFrame(table)`,
/// `pyarrow.table(table)`.
#[pyclass(frozen, module = "assay")]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    pub(crate) fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Table {
        Table { schema, batches }
    }

    /// A table from the columns of one batch.
    pub(crate) fn of(batch: Result<RecordBatch, ArrowError>) -> PyResult<Table> {
        let batch = batch.map_err(raise)?;
        Ok(Table::new(batch.schema(), vec![batch]))
    }
}

#[pymethods]
impl Table {
    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The Arrow PyCapsule interface. The schema is always the table's own.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer ignore a request.
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// A polars data frame.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.call_method1("DataFrame", (slf,))
    }

    /// A pyarrow table.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("table", (slf,))
    }

    /// A pandas data frame. Needs pyarrow.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Table::to_pyarrow(slf)?.call_method0("to_pandas")
    }

    /// Columns by name, as lists of Python objects. Needs pyarrow.
    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let columns = Table::to_pyarrow(slf)?.call_method0("to_pydict")?;
        Ok(columns.cast_into::<PyDict>()?)
    }

    fn __repr__(&self) -> String {
        format!("<assay.Table {} rows: {}>", self.__len__(), self.columns().join(", "))
    }

    /// In a notebook: the first rows, if polars, or pandas with pyarrow, is installed.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> Option<Bound<'py, PyAny>> {
        let frame = Table::to_polars(slf).or_else(|_| Table::to_pandas(slf)).ok()?;
        frame.call_method0(intern!(slf.py(), "_repr_html_")).ok()
    }
}
