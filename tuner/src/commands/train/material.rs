//! `assay-tuner tune --material`: piece values by Texel's method, beside the published ones and
//! those of `fit`.

use std::path::PathBuf;
use std::time::Instant;

use assay_cli::format::{count, decimals};
use assay_cli::text::wrap;
use assay_cli::{Table, output, row};
use assay_engine::Weights;
use assay_rules::Kind;
use serde::Serialize;
use serde_json::json;

use super::{Inputs, Training, described, json_of_data, notes};
use crate::commands::measure;
use crate::report::format;
use crate::training::source;
use crate::training::weights::linear::TuningData;
use crate::training::weights::material::{self, MaterialFit};
use crate::values::analysis::AnalysisOptions;
use crate::values::inference::{Estimate, Unit, ValueTable};

/// A piece's value in the unit army and in centipawns.
#[derive(Serialize)]
struct PieceValue {
    piece: String,
    published: Option<f64>,
    tuned: Option<Estimate>,
    fit: Option<Estimate>,
    /// `None` if the value is not identified, as `standard_error`.
    centipawns: Option<f64>,
    standard_error: Option<f64>,
}

/// The unit, and the values fitted to data beside those of `fit` if there are run files. `weights`
/// are any of the game.
fn values(data: &TuningData, fitted: &MaterialFit, weights: &Weights) -> (String, Vec<PieceValue>) {
    let game = &data.game;
    let terms = weights.terms();
    let by_regression = fit_of_games(data);
    // Both columns have the unit of the pieces that both know.
    let in_both = |kind: Kind| {
        let is_measured = by_regression.as_ref().is_none_or(|table| table.of(&game.kind(kind).name).is_some());
        is_measured && terms.material(kind).is_some_and(|term| fitted.centipawns(term).is_some())
    };
    let kinds: Vec<Kind> = game.kinds.all().filter(|&kind| in_both(kind)).collect();
    let table = Some(&kinds).filter(|kinds| !kinds.is_empty());
    let table = table.and_then(|kinds| fitted.of_kinds(weights, kinds).unit_table(Unit::Army));
    let pieces = terms.all().filter(|term| data.occurrences[term.index()][0] > 0.0).map(|term| {
        let piece = material::name(weights, term);
        let (centipawns, standard_error) = fitted.centipawns(term).unzip();
        let in_unit = table.as_ref().and_then(|table| table.of(&piece));
        PieceValue {
            published: in_unit.and_then(|value| value.published),
            tuned: in_unit.map(|value| value.measured),
            fit: by_regression.as_ref().and_then(|table| Some(table.of(&piece)?.measured)),
            centipawns,
            standard_error,
            piece,
        }
    });
    let mut pieces: Vec<PieceValue> = pieces.collect();
    let rank = |value: &PieceValue| value.centipawns.unwrap_or(f64::NEG_INFINITY);
    pieces.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
    (table.map_or_else(|| "none".to_owned(), |table| table.definition), pieces)
}

fn table(pieces: &[PieceValue]) -> Table {
    // Labelled positions have no values of `fit`.
    let columns_shown = if pieces.iter().any(|value| value.fit.is_some()) { 5 } else { 4 };
    let rows = pieces.iter().map(|value| {
        let centipawns = value.centipawns.map_or_else(|| "not identified".to_owned(), |value| decimals(value, 1));
        let columns = [
            centipawns,
            format::value(value.standard_error, 1),
            format::value(value.published, 2),
            format::measured(value.tuned, 2),
            format::measured(value.fit, 2),
        ];
        row(&value.piece, columns.into_iter().take(columns_shown))
    });
    let headings = ["piece", "centipawns", "standard error", "published", "Texel's method", "fit"];
    Table::of("", headings.into_iter().take(1 + columns_shown), rows)
}

/// Fits values to the positions of files, and reports them.
pub(super) fn run(
    training: &Training,
    inputs: &Inputs,
    lambda: f64,
    (data, reading): (&TuningData, f64),
) -> anyhow::Result<()> {
    let game = &data.game;
    let terms = Weights::zero(game, "");
    let start_time = Instant::now();
    let fitted = material::fit(data, lambda, &terms).map_err(|error| data.fault(&error))?;
    let seconds = start_time.elapsed().as_secs_f64();
    for fault in &fitted.faults {
        output::warning(format_args!("{fault}"));
    }
    let mut weights = fitted.weights(game);
    let command = format!("tuned: `{} --material --lambda {lambda}`", inputs.command("tune", None));
    weights.set_source(&source(&command, "", data.examples.len(), data));
    let (unit, pieces) = values(data, &fitted, &terms);
    let unnamed: usize = data.position_files.iter().map(|file| file.unnamed).sum();
    let clustered_by = match (data.examples.len() - unnamed, unnamed) {
        (0, _) => "position",
        (_, 1..) => "game, opening or position",
        _ if data.position_files.is_empty() => "opening",
        _ => "game or opening",
    };
    let independent = if unnamed == 0 {
        ""
    } else {
        "; positions whose game the file does not name count as independent, so that errors are too small if they share games"
    };
    let maximum = if fitted.has_converged() {
        "Maximum of the likelihood"
    } else {
        "The likelihood has no maximum; values that are identified are those with Jeffreys' prior"
    };
    let text = format!(
        "{}: what the pieces are worth\n\n{}\n{}",
        game.title,
        table(&pieces),
        wrap(
            "",
            &format!(
                "{maximum}, after {}: log-loss {:.6} nats per position, gradient {:.1e}. Standard errors are clustered by \
             {clustered_by} ({}){independent}. +300 centipawns are an expected score of 0.75. Unit of the columns behind, \
             with 95% intervals: {}.",
                count(fitted.model.iterations, "Newton step", "Newton steps"),
                fitted.log_loss,
                fitted.model.gradient,
                count(data.pairs, "cluster", "clusters"),
                unit
            )
        )
    ) + &format!(
        "\n{}: {}, {} fitted. Reading took {reading:.1} s, fitting {seconds:.1} s.\n{}",
        game.name,
        described(data),
        count(data.examples.len(), "position", "positions"),
        data.position_files.iter().map(|file| notes(file, true)).collect::<String>(),
    );
    let mut json = json_of_data(data, lambda, [reading, seconds], weights.source());
    json["log_loss"] = json!({ "fitted": fitted.log_loss });
    json["converged"] = json!(fitted.has_converged());
    json["gradient"] = json!(fitted.model.gradient);
    json["steps"] = json!(fitted.model.iterations);
    json["clustered_by"] = json!(clustered_by);
    json["not_identified"] = json!(fitted.faults.iter().map(ToString::to_string).collect::<Vec<_>>());
    json["values"] = json!(pieces);
    json["unit"] = json!(unit);
    training.finish("Weights", weights.to_toml(), text, json)
}

/// Values in the army by the regression, if the data have run files from which it can measure them.
fn fit_of_games(data: &TuningData) -> Option<ValueTable> {
    if data.files.is_empty() {
        return None;
    }
    let paths: Vec<PathBuf> = data.files.iter().map(|file| PathBuf::from(&file.path)).collect();
    let options = AnalysisOptions { resamples: 0, ..AnalysisOptions::default() };
    match measure(&paths, &options, None) {
        Ok(report) => report.tables.into_iter().find(|table| table.unit == Some(Unit::Army)),
        Err(error) => {
            output::warning(format_args!("no values of `fit`: {error:#}"));
            None
        }
    }
}
