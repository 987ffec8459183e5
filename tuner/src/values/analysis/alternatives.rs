//! Values by other defensible models. The intervals of a fit do not contain the uncertainty about
//! its model; the spread of these values shows it.

use std::collections::BTreeMap;

use crate::values::data::{Dataset, Regressor};
use crate::values::design::{Column, DesignSpec, FEW, PhaseModel};
use crate::values::inference::cross_validation::held_out_loss;
use crate::values::inference::{Fit, JointTest, PhaseSlice, Unit};
use crate::values::model::{Logit, fit_from};
use crate::values::results::AlternativeModel;

/// Fits the other phase model and the fractional logit, and averages the slices. Models that
/// cannot be fitted are left out.
pub(super) fn alternatives(data: &Dataset, phase_model: PhaseModel, slices: &[PhaseSlice]) -> Vec<AlternativeModel> {
    let fractional = "fract. logit";
    let models = [
        (PhaseModel::Piecewise, "piecewise", "constant until 3/4 of the pieces are left, then linear to 1/4"),
        (PhaseModel::Constant, "constant", "one value for all phases"),
        (phase_model, fractional, "fractional logit of the mean score instead of the odds of each result"),
    ];
    let others = models.into_iter().filter(|(_, name, _)| *name != phase_model.to_string());
    let refits = others.filter_map(|(phase_model, name, definition)| {
        let is_fractional = name == fractional;
        let spec = DesignSpec::of(data, phase_model);
        let design = spec.design_matrix(&data.games);
        let model = if is_fractional { Logit::fractional() } else { Logit::of(&design) };
        let fit = Fit::of_design(&design, &spec, spec.mean_pieces_left(&data.games), &model).ok()?;
        let fit = fit.without_feedback(data.own_values.as_ref());
        // The log-loss of a mean score cannot be compared with that of a result.
        let log_loss = if is_fractional { None } else { held_out_loss(&model, &design).ok() };
        Some(AlternativeModel { log_loss, ..described(&fit, name, definition)? })
    });
    refits.chain(wins(data, phase_model)).chain(mean_of_slices(slices)).collect()
}

/// In a game with five results, the odds of a win: advantages count as draws. The slope of the
/// model of the fit is a compromise between those of all thresholds; this one is what pieces do for
/// the whole point. `None` in games with three results.
fn wins(data: &Dataset, phase_model: PhaseModel) -> Option<AlternativeModel> {
    let spec = DesignSpec::of(data, phase_model);
    let design = spec.design_matrix(&data.games);
    let of_wins = design.with_scores(|score| if (0.1..0.9).contains(&score) { 0.5 } else { score })?;
    let model = Logit::of(&of_wins);
    let (all, wins) = (fit_from(&Logit::of(&design), &design, None).ok()?, fit_from(&model, &of_wins, None).ok()?);
    let is_kind = |column: &Column| matches!(column.regressor, Regressor::Kind(_));
    let kinds: Vec<usize> = (0..spec.columns.len()).filter(|&column| is_kind(&spec.columns[column])).collect();
    let difference = wins.coefficients.select_rows(&kinds) - all.coefficients.select_rows(&kinds);
    let errors = wins.cluster_errors.select_rows(&kinds) - all.cluster_errors.select_rows(&kinds);
    let df = errors.ncols() as f64 - 1.0;
    let fit = Fit::new(&wins, &spec, spec.mean_pieces_left(&data.games));
    Some(AlternativeModel {
        same_log_odds: JointTest::of_zero(&difference, &(&errors * errors.transpose()), df),
        ..described(&fit, "wins", "odds of a win, with advantages counted as draws")?
    })
}

fn described(fit: &Fit, name: &str, definition: &str) -> Option<AlternativeModel> {
    let values = fit.unit_table(Unit::Army)?.values.into_iter();
    let values = values.filter_map(|value| Some((value.piece, value.measured.ends()?.1)));
    Some(described_values(name, definition, values.collect()))
}

fn described_values(name: &str, definition: &str, values: BTreeMap<String, f64>) -> AlternativeModel {
    AlternativeModel {
        model: name.to_owned(),
        definition: definition.to_owned(),
        log_loss: None,
        values,
        same_log_odds: None,
    }
}

/// Mean of the slices with at least a quarter of the pieces left. Slices have the weight of their
/// positions in the fit. This is a mean of ratios, and the value of the fit is a ratio of means, so
/// they differ a little even in many games if the unit's log-odds change over the game.
fn mean_of_slices(slices: &[PhaseSlice]) -> Option<AlternativeModel> {
    let slices = || slices.iter().filter(|slice| slice.low >= FEW);
    let mean = |piece: &String| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for slice in slices() {
            sum += slice.weight * slice.values.get(piece)?.get(&Unit::Army)?.ends()?.1;
            weights += slice.weight;
        }
        Some((piece.clone(), sum / weights))
    };
    let pieces = slices().next()?.values.keys();
    let values: BTreeMap<String, f64> = pieces.filter_map(mean).collect();
    let definition = "mean of slices of the game, each measured by itself";
    (!values.is_empty()).then(|| described_values("slices", definition, values))
}
