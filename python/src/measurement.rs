//! Piece values measured from games.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray};
use assay_cli::output;
use assay_selfplay::{RecordedRun, Store, StoreError};
use assay_tuner::report::{measurement, summary};
use assay_tuner::values::analysis::{AnalysisOptions, analyze_watched};
use assay_tuner::values::data::{Dataset, other_definitions};
use assay_tuner::values::design::phase::PhaseModel;
use assay_tuner::values::inference::{Estimate, MeasuredValue, Precision, Unit, next_round};
use assay_tuner::values::playtest;
use assay_tuner::values::results::MeasurementReport;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::data::Run;
use crate::error::raise;
use crate::job::{self, Job};
use crate::number;
use crate::table::Table;

/// Piece values with confidence intervals. All figures are those of `assay-tuner fit --json`.
#[pyclass(frozen, module = "assay")]
pub(crate) struct Measurement {
    report: MeasurementReport,
}

/// Run files as an argument: paths or opened runs, one or several.
pub(crate) struct Files(Vec<PathBuf>);

impl<'py> FromPyObject<'_, 'py> for Files {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Files> {
        let wrong_type = |found: &Bound<'_, PyAny>| {
            PyTypeError::new_err(format!("found {found:?}, expected run files: paths or opened runs, one or several"))
        };
        let path = |value: &Bound<'_, PyAny>| match value.cast::<Run>() {
            Ok(run) => Some(run.get().path.clone()),
            Err(_) => value.extract::<PathBuf>().ok(),
        };
        if let Some(path) = path(&value) {
            return Ok(Files(vec![path]));
        }
        let files = value.try_iter().map_err(|_| wrong_type(&value))?;
        let files = files.map(|file| file.and_then(|file| path(&file).ok_or_else(|| wrong_type(&file))));
        files.collect::<PyResult<_>>().map(Files)
    }
}

/// Measures piece values from run files (paths or opened runs), all of the same game, as `assay-tuner fit` does.
///
/// `phase_model` says how values depend on the game phase: "piecewise" (linear between three quarters and a quarter of the pieces left) or
/// "constant". `resamples` is the number of bootstrap replicates that check the intervals, up to 100,000, 0 for none. `playtest` are run
/// files of a playtest of the same game, measured by the second method, as `assay-tuner fit` does. `progress` counts the games that were
/// read; the fit follows.
#[pyfunction]
#[pyo3(signature = (files, *, playtest = None, phase_model = "piecewise", resamples = 1_000, progress = None))]
pub(crate) fn fit(
    py: Python<'_>,
    files: Files,
    playtest: Option<Files>,
    phase_model: &str,
    #[pyo3(from_py_with = number::resamples)] resamples: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Measurement> {
    let options = AnalysisOptions { phase_model: read_phase_model(phase_model)?, resamples };
    let (Files(paths), playtest) = (files, playtest.map(|Files(paths)| paths));
    let report = job::run_in_pool(py, progress, "games", 0, |job| {
        let stores = Store::open_all(&paths)?;
        let playtest = playtest.map(|paths| Store::open_all(&paths)).transpose()?;
        let total =
            stores.iter().chain(playtest.iter().flatten()).map(Store::count).sum::<Result<u64, StoreError>>()?;
        let mut watch = watch(job, total);
        let data = Dataset::read_watched(&runs(&stores), &mut watch)?;
        let playtest = playtest.map(|stores| playtest::measure_watched(&runs(&stores), &mut watch)).transpose()?;
        let mut report = analyze_watched(&data, &options, &|| job.flow())?;
        if let Some(playtest) = playtest {
            report.add_playtest(playtest);
        }
        Ok(report)
    })?;
    Ok(Measurement { report })
}

/// The total number of games of the next round of `assay-tuner validate --precision`; `None` if the half-width of every interval is at
/// most `precision` percent of the army.
#[pyfunction]
#[pyo3(name = "_next_round")]
pub(crate) fn next_games(
    py: Python<'_>,
    path: PathBuf,
    planned: u64,
    precision: f64,
    phase_model: &str,
) -> PyResult<Option<u64>> {
    let options = AnalysisOptions { phase_model: read_phase_model(phase_model)?, resamples: 0 };
    job::run_in_pool(py, None, "games", 0, |job| {
        let store = Store::open_read(&path)?;
        let played = store.count()?;
        let report = Dataset::read_watched(&[&store], &mut watch(job, played))
            .ok()
            .and_then(|data| analyze_watched(&data, &options, &|| job.flow()).ok());
        let found = report.and_then(|report| Precision::of(&report.tables));
        Ok(next_round(found.as_ref(), played, planned, precision))
    })
}

/// The runs of files that are read together. Warns of other definitions of their game.
fn runs(stores: &[Store]) -> Vec<&dyn RecordedRun> {
    let runs: Vec<&dyn RecordedRun> = stores.iter().map(|store| store as &dyn RecordedRun).collect();
    other_definitions(&runs).iter().for_each(output::warning);
    runs
}

/// Reports the games that were read, and ends the reading when the job is to stop.
fn watch(job: &Job, total: u64) -> impl FnMut(u64) -> ControlFlow<()> {
    let mut done = 0;
    move |games| {
        done += games;
        job.report(done, total);
        job.flow()
    }
}

fn read_phase_model(name: &str) -> PyResult<PhaseModel> {
    name.parse().map_err(|expected: String| raise(anyhow!("phase_model: found `{name}`, {expected}")))
}

/// The ends of an interval, if it has any.
fn bounds(estimate: Option<Estimate>) -> (Option<f64>, Option<f64>) {
    estimate.and_then(|estimate| estimate.interval).map(|[low, high]| (low, high)).unzip()
}

/// Reads the JSON of a measurement: the output of `assay-tuner validate`, `fit` or `weigh` with `--json`.
#[pyfunction]
pub(crate) fn read_measurement(path: PathBuf) -> PyResult<Measurement> {
    let report = MeasurementReport::read(&path).map_err(raise)?;
    Ok(Measurement { report })
}

/// A measurement from its JSON, as pickle keeps it, with the checks of [`read_measurement`].
#[pyfunction]
#[pyo3(name = "_parse_measurement")]
pub(crate) fn parse_measurement(text: &str) -> PyResult<Measurement> {
    let report = MeasurementReport::parse(text, Path::new("pickle")).map_err(raise)?;
    Ok(Measurement { report })
}

#[pymethods]
impl Measurement {
    /// Name of the game.
    #[getter]
    fn game(&self) -> &str {
        &self.report.game
    }

    /// One row for each unit ("army", "pawns", "minor-pieces") and piece, then one for each effect of pairs, second pieces and hands, in
    /// pawns.
    ///
    /// published and measured: values, averaged over the game. low, high: the 95% interval, null if it is unbounded. verdict.
    /// full_board, few_pieces: values with at least 3/4 and with a quarter of the pieces left. with_half_pair: half of the pair's
    /// bonus is included, because one value is published for both pieces of the pair.
    #[getter]
    fn values(&self) -> PyResult<Table> {
        let tables = self.report.tables.iter().filter_map(|table| Some((table.unit?, &table.values)));
        let lists = tables.chain([(Unit::Pawns, &self.report.bonuses)]);
        let rows: Vec<(String, &MeasuredValue)> =
            lists.flat_map(|(unit, values)| values.iter().map(move |value| (tag(&unit), value))).collect();
        let numbers = |number: &dyn Fn(&MeasuredValue) -> Option<f64>| -> ArrayRef {
            Arc::new(rows.iter().map(|&(_, row)| number(row)).collect::<Float64Array>())
        };
        let names = rows.iter().map(|(unit, _)| Some(unit.clone()));
        let pieces = rows.iter().map(|(_, row)| Some(row.piece.clone()));
        let halves: BooleanArray = rows.iter().map(|(_, row)| Some(row.with_half_pair)).collect();
        let verdicts = rows.iter().map(|(_, row)| Some(tag(&row.verdict)));
        let text = |texts: StringArray| -> ArrayRef { Arc::new(texts) };
        Table::of(RecordBatch::try_from_iter([
            ("unit", text(names.collect())),
            ("piece", text(pieces.collect())),
            ("with_half_pair", Arc::new(halves) as ArrayRef),
            ("published", numbers(&|row| row.published)),
            ("measured", numbers(&|row| Some(row.measured.value))),
            ("low", numbers(&|row| bounds(Some(row.measured)).0)),
            ("high", numbers(&|row| bounds(Some(row.measured)).1)),
            ("verdict", text(verdicts.collect())),
            ("full_board", numbers(&|row| row.full_board.map(|at| at.value))),
            ("full_board_low", numbers(&|row| bounds(row.full_board).0)),
            ("full_board_high", numbers(&|row| bounds(row.full_board).1)),
            ("few_pieces", numbers(&|row| row.few_pieces.map(|at| at.value))),
            ("few_pieces_low", numbers(&|row| bounds(row.few_pieces).0)),
            ("few_pieces_high", numbers(&|row| bounds(row.few_pieces).1)),
        ]))
    }

    /// The coefficients of the regression with standard errors: log-odds of White's score for each unit.
    #[getter]
    fn coefficients(&self) -> PyResult<Table> {
        let fit = &self.report.fit;
        let numbers = |numbers: &[f64]| -> ArrayRef { Arc::new(Float64Array::from(numbers.to_vec())) };
        Table::of(RecordBatch::try_from_iter([
            ("column", Arc::new(StringArray::from(fit.columns.clone())) as ArrayRef),
            ("coefficient", numbers(&fit.coefficients)),
            ("standard_error", numbers(&fit.standard_errors)),
        ]))
    }

    /// The covariance matrix of the coefficients, clustered by opening pair.
    #[getter]
    fn covariance(&self) -> PyResult<Table> {
        let fit = &self.report.fit;
        let names = Arc::new(StringArray::from(fit.columns.clone())) as ArrayRef;
        let columns = fit.columns.iter().enumerate().map(|(index, name)| {
            let column: Float64Array = fit.covariance.iter().map(|row| Some(row[index])).collect();
            (name.as_str(), Arc::new(column) as ArrayRef)
        });
        Table::of(RecordBatch::try_from_iter(std::iter::once(("column", names)).chain(columns)))
    }

    /// The JSON that `assay-tuner fit --json` prints; `assay-tuner report` and `assay.report` read it.
    fn json(&self) -> PyResult<String> {
        assay_cli::output::json_text(&self.report).map_err(raise)
    }

    /// The JSON as Python objects; its keys are documented by `assay-tuner fit --help`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.json()?,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let parse = py.import("assay._assay")?.getattr("_parse_measurement")?;
        Ok((parse, (self.json()?,)))
    }

    /// The report with charts as one HTML page.
    fn html(&self) -> String {
        measurement(&self.report, None, None).html()
    }

    /// Everything that was measured, as `assay-tuner fit --details` prints it.
    fn details(&self) -> String {
        measurement(&self.report, None, None).text()
    }

    /// The table that `assay-tuner fit` prints.
    fn __str__(&self) -> String {
        let more = "More: .details() (phases, tests, diagnostics), .html() (charts), .json()";
        summary(&self.report, &[more.to_owned()])
    }

    fn __repr__(&self) -> String {
        format!("<assay.Measurement {}: {} games>", self.report.game, self.report.games.games)
    }
}

/// The name under which a variant of an enum is serialized.
fn tag(variant: &impl Serialize) -> String {
    let name = serde_json::to_value(variant).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}
