//! Fits a database of self-play games and prints the piece values.
//!
//! ```text
//! assay-selfplay generate chess --material values --games 2000 --nodes 200 --data chess.db
//! cargo run --release --example fit_database -- chess.db
//! ```

use std::path::PathBuf;

use assay_selfplay::{RecordedRun, Store};
use assay_tuner::values::analysis::{AnalysisOptions, analyze};
use assay_tuner::values::data::Dataset;
use assay_tuner::values::inference::Unit;

fn main() -> anyhow::Result<()> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    anyhow::ensure!(!paths.is_empty(), "usage: fit_database FILE.db...");
    let stores = Store::open_all(&paths)?;
    let runs: Vec<&dyn RecordedRun> = stores.iter().map(|store| store as &dyn RecordedRun).collect();
    let data = Dataset::read(&runs)?;
    let report = analyze(&data, &AnalysisOptions::default())?;
    for value in report.table(Some(Unit::Army)).into_iter().flat_map(|table| &table.values) {
        println!("{:<16} {:6.2}  {:?}", value.piece, value.measured.value, value.measured.interval);
    }
    Ok(())
}
