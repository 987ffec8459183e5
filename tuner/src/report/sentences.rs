//! Results in sentences, the same on the terminal and in the HTML report.

use assay_cli::format::{count, decimals, grouped, percent, signed};
use assay_cli::text::enumeration;

use crate::report::format::{self, interval, measured, p_value, value as pawns};
use crate::values::design::phase::PhaseModel;
use crate::values::inference::cross_validation::CrossValidation;
use crate::values::inference::estimate::PieceValue;
use crate::values::inference::given_material::GivenMaterial;
use crate::values::inference::joint_test::JointTest;
use crate::values::inference::precision::Precision;
use crate::values::inference::scale::ScaledValue;
use crate::values::inference::units::{Unit, UnitTable};
use crate::values::inference::verdict::ValueVerdict;
use crate::values::playtest::Playtest;
use crate::values::playtest::agreement::{MethodComparison, MethodVerdict};
use crate::values::results::MeasurementReport;

/// Summary of the verdicts: on the inventor's scale, or if that is impossible on the published values in pawns.
pub fn headline(report: &MeasurementReport) -> String {
    if let Some(text) = on_published_scale(report) {
        return text;
    }
    let with = |verdict: ValueVerdict| -> Vec<&PieceValue> {
        report.values.iter().filter(|value| value.verdict == verdict).collect()
    };
    let (agreeing, above, below, inconclusive) = (
        with(ValueVerdict::Agrees),
        with(ValueVerdict::Above),
        with(ValueVerdict::Below),
        with(ValueVerdict::Inconclusive),
    );
    let published = agreeing.len() + above.len() + below.len() + inconclusive.len();
    if published == 0 {
        return "The inventor published no values to compare with.".to_owned();
    }
    let parts = [
        (&agreeing, "agrees with the games", "agree with the games"),
        (&above, "is lower than measured", "are lower than measured"),
        (&below, "is higher than measured", "are higher than measured"),
        (&inconclusive, "needs more games", "need more games"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(values, ..)| !values.is_empty())
        .map(|(values, singular, plural)| {
            let verb = if values.len() == 1 { singular } else { plural };
            format!("{} {verb} ({})", values.len(), names(values))
        })
        .collect();
    let mut text = format!(
        "Of {}, {}.",
        count(published as u64, "published value", "published values"),
        parts.join("; ")
    );
    // All values are in pawns. If all of them are off to the same side, the unit is the likely reason.
    if published > 1 && above.len() == published {
        text += " All of them are too low: compared with the other pieces, the pawn is worth less than the inventor assumed.";
    }
    if published > 1 && below.len() == published {
        text += " All of them are too high: compared with the other pieces, the pawn is worth more than the inventor assumed.";
    }
    text
}

fn names(values: &[&PieceValue]) -> String {
    let names: Vec<&str> = values.iter().map(|value| value.piece.as_str()).collect();
    names.join(", ")
}

/// True if all games are of one player against itself, whose armies are swapped in the second game of a pair. In a match, the players are.
pub(super) fn is_self_play(report: &MeasurementReport) -> bool {
    report.files.iter().all(|file| file.players.len() <= 1)
}

/// Opening pairs from which the coverage of intervals is close to their level.
const ENOUGH_PAIRS: u64 = 200;

/// The games behind the measurement.
pub fn amount(report: &MeasurementReport) -> String {
    let games = &report.games;
    let mut text = format!(
        "{} from {}, {} played twice with {} swapped; {}.",
        count(games.games as u64, "game", "games"),
        count(games.pairs as u64, "opening", "openings"),
        match games.incomplete_pairs {
            0 => "each".to_owned(),
            incomplete => grouped(games.pairs.saturating_sub(incomplete) as u64),
        },
        if is_self_play(report) {
            "the armies"
        } else {
            "the players"
        },
        count(games.positions as u64, "quiet position", "quiet positions")
    );
    if games.without_positions > 0 {
        let (verb, has) = if games.without_positions == 1 {
            ("was", "it has")
        } else {
            ("were", "they have")
        };
        text += &format!(
            " {} {verb} excluded: {has} no quiet position with at least 1/4 of the pieces left.",
            count(games.without_positions as u64, "game", "games")
        );
    }
    text
}

/// A warning, if there are so few openings that the intervals are too narrow.
pub fn few_openings(report: &MeasurementReport) -> Option<String> {
    let pairs = report.games.pairs as u64;
    (pairs < ENOUGH_PAIRS).then(|| {
        format!(
            "There are only {}. With fewer than {ENOUGH_PAIRS}, intervals are too narrow and contain the true value less often than in 95% of \
             measurements; `assay-tuner simulate {} --pairs {pairs}` shows how often.",
            count(pairs, "opening", "openings"),
            report.game
        )
    })
}

/// Expected score of a pawn's advantage; values of the move and of playing White.
pub fn scale(report: &MeasurementReport) -> String {
    let scale = &report.scale;
    let [low, high] = scale.pawn_score_interval;
    let mut text = format!(
        "The side that is a pawn ahead scores {} on average ({} to {}): {} on a full board, {} with a quarter of the pieces left.",
        percent(scale.pawn_score, 1),
        percent(low, 1),
        percent(high, 1),
        percent(scale.pawn_score_full_board, 1),
        percent(scale.pawn_score_few_pieces, 1)
    );
    for (value, what) in [(&scale.side_to_move, "The move"), (&scale.white, "Playing White")] {
        if let Some(value) = value {
            text += &format!(
                " {what} is worth {} pawns ({}).",
                pawns(value.measured),
                interval(value.interval)
            );
        }
    }
    text
}

/// Cross-validation: log-loss on held-out games.
pub fn held_out(report: &MeasurementReport) -> String {
    let Some(losses) = &report.cross_validation else {
        return "Held-out games: too few games for cross-validation.".to_owned();
    };
    let mut text = format!(
        "Held-out games ({}-fold cross-validation over openings), mean log-loss, lower is better: measured values {:.4}",
        losses.folds, losses.fitted
    );
    if let Some(published) = losses.published {
        text += &format!(", published values at their best scale {published:.4}");
    }
    text += &format!(", no values {:.4}. ", losses.constant);
    text + &comparison(losses)
}

fn comparison(losses: &CrossValidation) -> String {
    let Some(gain) = losses.gain_over_published else {
        return "There are no published values to compare with.".to_owned();
    };
    let numbers = format!(
        "difference {}, {} to {}",
        signed(gain.mean, 4),
        signed(gain.low, 4),
        signed(gain.high, 4)
    );
    if gain.low > 0.0 {
        format!("The measured values predict better than the published ones ({numbers}).")
    } else if gain.high < 0.0 {
        format!("The published values predict better than the measured ones ({numbers}), so more games are needed.")
    } else {
        format!("The difference between measured and published values is not significant ({numbers}).")
    }
}

/// Number of games for narrower intervals.
pub fn halving(report: &MeasurementReport) -> String {
    let games = report.games.games as u64;
    let needed = report.convergence.games_to_halve;
    let mut text = format!(
        "Intervals narrow with the square root of the number of games, so halving them needs four times as many: {}, {} more.",
        count(needed, "game", "games"),
        grouped(needed.saturating_sub(games))
    );
    if let Some(widest) = Precision::of(&report.units) {
        text += &format!(
            " The widest is that of the {}, \u{b1}{}% of the army; \u{b1}1% needs about {}.",
            widest.piece,
            decimals(widest.percent, 2),
            count(widest.games_needed(games, 1.0), "game", "games")
        );
    }
    if let Some(exponent) = report.convergence.exponent {
        text += &format!(
            " In these games, widths fall with the number of games to the power {} (expected: -0.50).",
            decimals(exponent, 2)
        );
    }
    text
}

/// Standard errors checked by the bootstrap.
pub fn bootstrap(report: &MeasurementReport) -> Option<String> {
    let bootstrap = report.bootstrap.as_ref()?;
    let [least, most] = bootstrap.sd_ratio;
    let mut text = format!(
        "Bootstrap over opening pairs ({}): standard errors are {least:.2} to {most:.2} times those of the fit.",
        count(bootstrap.replicates as u64, "replicate", "replicates")
    );
    if bootstrap.failed > 0 {
        text += &format!(
            " {} could not be fitted.",
            count(bootstrap.failed as u64, "replicate", "replicates")
        );
    }
    Some(text)
}

/// Calibration and residuals beyond 3 standard errors.
pub fn calibration(report: &MeasurementReport) -> String {
    let diagnostics = &report.diagnostics;
    let beyond = diagnostics.calibration.iter().filter(|bin| bin.residual.is_beyond(3.0));
    let beyond = beyond.count();
    let verb = if beyond == 1 { "is" } else { "are" };
    let mut text = format!(
        "Calibration: of {} by predicted score, {beyond} {verb} off by more than 3 standard errors.",
        count(diagnostics.calibration.len() as u64, "group", "groups")
    );
    let residuals = |residuals: &[crate::values::inference::diagnostics::GroupResidual]| -> Vec<String> {
        let beyond = residuals.iter().filter(|residual| residual.residual.is_beyond(3.0));
        beyond
            .map(|residual| {
                let phase = residual.phase.as_ref();
                let phase = phase.map(|phase| format!(" ({phase})")).unwrap_or_default();
                format!("{}{phase} {}", residual.group, signed(residual.residual.mean, 3))
            })
            .collect()
    };
    let (material, pieces) = (residuals(&diagnostics.by_phase), residuals(&diagnostics.by_kind));
    if material.is_empty() && pieces.is_empty() {
        text += " No residual by material or piece is beyond 3 standard errors.";
    }
    if !material.is_empty() {
        text += &format!(
            " Residuals beyond 3 standard errors, side ahead in material: {}.",
            material.join(", ")
        );
    }
    if !pieces.is_empty() {
        text += &format!(
            " Residuals beyond 3 standard errors, side with more of a piece: {}.",
            pieces.join(", ")
        );
    }
    text + &format!(
        " Condition number of the regressors: {:.0}.",
        diagnostics.collinearity.condition_number
    )
}

/// Test of whether given and won material are worth the same; `None` in a file of an earlier version.
pub fn given_material(report: &MeasurementReport) -> Option<String> {
    let test = match report.given_material.as_ref()? {
        GivenMaterial::Tested(test) => test,
        GivenMaterial::NotPossible { reason } => {
            return Some(format!(
                "Whether material from the opening and material won in play are worth the same could not be tested: {reason}."
            ));
        }
    };
    let f = |test: &JointTest| {
        format!(
            "F({}, {}) = {}, {}",
            test.values,
            grouped(test.denominator_df as u64),
            decimals(test.f, 2),
            p_value(test.p)
        )
    };
    let is_rejected = test.overall.p < 0.05;
    let mut text = format!(
        "Material from the opening and material won in play {} (joint test: {}",
        if is_rejected {
            "are not worth the same"
        } else {
            "do not differ significantly in value"
        },
        f(&test.overall)
    );
    // With one stage, its test is the overall one.
    if test.stages.len() > 1 {
        for stage in &test.stages {
            text += &format!("; {}: {}", stage.stage, p_value(stage.test.p));
        }
    }
    text += ").";
    if is_rejected {
        let significant = test.differences.iter().filter(|difference| difference.is_significant());
        let significant: Vec<String> = significant
            .map(|difference| {
                let stage = if test.stages.len() > 1 {
                    format!(" ({})", difference.stage)
                } else {
                    String::new()
                };
                format!("{}{stage} {}", difference.piece, measured(difference.army))
            })
            .collect();
        if !significant.is_empty() {
            text += &format!(
                " Given minus won, in shares of the army, where 0 is outside the interval: {}.",
                significant.join(", ")
            );
        }
    }
    if !test.never_given.is_empty() {
        text += &format!(
            " Not tested, because no opening gives one side more: {}.",
            test.never_given.join(", ")
        );
    }
    Some(text)
}

/// Definition of the inventor's scale.
pub const INVENTORS_SCALE: &str = "Values are on the inventor's scale: one common factor relates all measured values to the published ones, \
    so that pieces that agree with each other agree with their published values, too, and a piece that differs moves no other. The error of \
    the factor is part of the intervals.";

/// What a unit is in the report's game.
pub fn unit(report: &MeasurementReport, unit: Unit) -> Option<&str> {
    let table = report.units.iter().find(|table| table.unit == unit)?;
    Some(&table.definition)
}

/// Definitions of the units.
pub fn units(report: &MeasurementReport) -> String {
    let definition = |table: &UnitTable| format!("{}: {}.", table.unit.name(), table.definition);
    let definitions: Vec<String> = report.units.iter().map(definition).collect();
    format!(
        "{} A value is the mean log-odds of one more piece, over quiet positions with at least a quarter of the pieces left, divided by the same mean \
         of the unit. It holds for these players and for openings with unequal armies.",
        definitions.join(" ")
    )
}

/// The pieces by their verdict on the inventor's scale.
pub fn on_published_scale(report: &MeasurementReport) -> Option<String> {
    let scales = report.published_scales.as_ref()?;
    let with = |verdict: ValueVerdict| -> Vec<&ScaledValue> {
        let values = scales.average.values.iter();
        values.filter(|value| value.verdict == verdict).collect()
    };
    let names = |values: &[&ScaledValue]| -> String {
        let name = |value: &&ScaledValue| match value
            .deviation()
            .filter(|_| value.verdict != ValueVerdict::Inconclusive)
        {
            Some(deviation) if !deviation.interval.contains(0.0) => {
                format!("{} ({})", value.piece, format::change(1.0 + deviation.value))
            }
            _ => value.piece.clone(),
        };
        enumeration(&values.iter().map(name).collect::<Vec<_>>())
    };
    let margin = percent(scales.average.margin, 0);
    let parts = [
        (
            ValueVerdict::Agrees,
            format!("Worth what the inventor says to within {margin}, relative to one another"),
        ),
        (ValueVerdict::Above, "Worth more".to_owned()),
        (ValueVerdict::Below, "Worth less".to_owned()),
        (ValueVerdict::Inconclusive, "Not clear yet".to_owned()),
    ];
    let sentences = parts.into_iter().filter_map(|(verdict, what)| {
        let values = with(verdict);
        (!values.is_empty()).then(|| format!("{what}: {}.", names(&values)))
    });
    Some(sentences.collect::<Vec<_>>().join(" "))
}

/// Pieces with one verdict on a full board and another with few pieces, both of them decided; `None` if there are none.
pub fn phases_that_differ(report: &MeasurementReport) -> Option<String> {
    let scales = report.published_scales.as_ref()?;
    let (full, few) = (scales.full_board.as_ref()?, scales.few_pieces.as_ref()?);
    let decided = |verdict| {
        matches!(
            verdict,
            ValueVerdict::Agrees | ValueVerdict::Above | ValueVerdict::Below
        )
    };
    let differs = full.values.iter().filter_map(|full| {
        let few = few.of(&full.piece)?;
        (decided(full.verdict) && decided(few.verdict) && full.verdict != few.verdict).then(|| {
            format!(
                "{} ({} on a full board, {} with few pieces)",
                full.piece,
                format::word(full),
                format::word(few)
            )
        })
    });
    let differs: Vec<String> = differs.collect();
    (!differs.is_empty()).then(|| format!("It depends on how many pieces are left: {}.", enumeration(&differs)))
}

/// The phase model, if it is not the default one.
pub fn phase_model(report: &MeasurementReport) -> Option<&'static str> {
    match report.fit.phase_model {
        PhaseModel::PiecewiseLinear => None,
        PhaseModel::Linear => Some("Phase model: linear. Values change at the same rate throughout the game."),
        PhaseModel::Constant => Some("Phase model: constant. Each piece has one value for the whole game."),
    }
}

/// Regressors that were not measured.
pub fn omitted(report: &MeasurementReport) -> Option<String> {
    let names = report.omitted.join(", ");
    (!names.is_empty()).then(|| format!("Not measured, because it occurs in no position: {names}."))
}

/// What the other models are, and how well they predict.
pub fn models(report: &MeasurementReport) -> String {
    let others = report.alternatives.iter().map(|other| {
        let loss = other
            .log_loss
            .map_or_else(String::new, |loss| format!(", held-out log-loss {loss:.4}"));
        format!("{}: {}{loss}", other.model, other.definition)
    });
    let own = report.cross_validation.as_ref().map_or_else(String::new, |own| {
        format!(" The model of the fit has {:.4}.", own.fitted)
    });
    format!(
        "{}.{own} The spread shows how much the values depend on the model; the intervals leave that out.",
        others.collect::<Vec<_>>().join(". ")
    )
}

/// Number of pieces on which the playtest agrees with the regression.
pub fn second_method(report: &MeasurementReport) -> Option<String> {
    let values = &report.agreement.as_ref()?.values;
    let with = |verdict: MethodVerdict| -> Vec<&str> {
        let values = values.iter().filter(|value| value.verdict == verdict);
        values.map(|value| value.piece.as_str()).collect()
    };
    let (agree, differ) = (with(MethodVerdict::Agree), with(MethodVerdict::Differ));
    let mut text = format!(
        "A second method agrees on {} of {}",
        agree.len(),
        count(values.len() as u64, "piece", "pieces")
    );
    let open = values.len() - agree.len() - differ.len();
    if !differ.is_empty() {
        text += &format!("; it differs on {}", enumeration(&differ));
    }
    if open > 0 {
        text += &format!(
            "; {} more games",
            if open == 1 { "one needs" } else { "the others need" }
        );
    }
    (!values.is_empty()).then(|| text + ".")
}

/// Agreement of regression and playtest.
pub fn agreement(report: &MeasurementReport) -> Option<String> {
    let (agreement, playtest) = (report.agreement.as_ref()?, report.playtest.as_ref()?);
    if agreement.values.is_empty() {
        return None;
    }
    let with = |verdict: MethodVerdict| -> Vec<&MethodComparison> {
        let values = agreement.values.iter();
        values.filter(|value| value.verdict == verdict).collect()
    };
    let parts = [
        (
            MethodVerdict::Agree,
            ["agrees", "agree"],
            "with the regression to within a quarter of the value",
        ),
        (
            MethodVerdict::Differ,
            ["differs", "differ"],
            "significantly from the regression",
        ),
        (
            MethodVerdict::NotDistinguished,
            ["is not distinguished", "are not distinguished"],
            "by these games",
        ),
        (
            MethodVerdict::NotMeasured,
            ["is not measured", "are not measured"],
            "by both methods, because an interval is unbounded",
        ),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(verdict, verbs, how)| (with(verdict), verbs, how))
        .filter(|(values, ..)| !values.is_empty())
        .map(|(values, [singular, plural], how)| {
            let verb = if values.len() == 1 { singular } else { plural };
            let values: Vec<String> = values.into_iter().map(both_values).collect();
            format!("{} {verb} {how} ({})", values.len(), values.join(", "))
        })
        .collect();
    let mut text = format!(
        "Second method: a playtest of {} from armies that differ by a few pieces measures what it costs a full army to lose its first piece of each kind. \
         Of {}, {}.",
        count(playtest.games, "game", "games"),
        count(agreement.values.len() as u64, "piece", "pieces"),
        parts.join("; ")
    );
    let widths = agreement
        .values
        .iter()
        .filter_map(|value| value.playtest.interval.width());
    if let Some(widest) = widths.max_by(f64::total_cmp) {
        text += &format!(
            " The half-widths of the playtest's intervals are up to {}.",
            decimals(widest / 2.0, 2)
        );
    }
    Some(text)
}

/// The name of a piece; if the methods differ, also its values.
fn both_values(value: &MethodComparison) -> String {
    match value.z {
        Some(z) if value.verdict == MethodVerdict::Differ => format!(
            "{}: {} by regression, {} by playtest, {} standard errors apart",
            value.piece,
            decimals(value.regression.value, 2),
            decimals(value.playtest.value, 2),
            decimals(z.abs(), 1)
        ),
        _ => value.piece.clone(),
    }
}

/// Whether the costs of pieces in the playtest add up.
pub fn goodness_of_fit(playtest: &Playtest) -> Option<String> {
    let test = playtest.goodness_of_fit?;
    let numbers = format!(
        "\u{3c7}\u{b2} = {}, {}, {}",
        decimals(test.chi_square, 1),
        count(test.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
        p_value(test.p)
    );
    Some(if test.p < 0.05 {
        format!(
            "Goodness of fit of the playtest: the costs of single pieces, added up, do not explain all of its scores ({numbers}); its intervals \
             do not allow for that."
        )
    } else {
        format!(
            "Goodness of fit of the playtest: its scores are consistent with costs of pieces that add up ({numbers})."
        )
    })
}

/// Explanation of the intervals.
pub const INTERVALS: &str = "Intervals are 95% confidence intervals. Standard errors are clustered by opening pair, because the two games of \
    a pair share an opening and all positions of a game share a result. In pawns, all values share the pawn's error and \
    tend to be too high or too low together; shares of the army have a fixed sum, so if one is too high, others are too low. The joint test \
    accounts for that and for the number of values.";

/// Explanation of the verdicts.
pub fn verdicts(report: &MeasurementReport) -> String {
    match &report.published_scales {
        Some(scales) => format!(
            "Measured values are put on the inventor's scale by one common factor, so that most pieces agree (Huber's M-estimate of the logarithms \
             of measured over published values); its error is part of the intervals. about the same: the interval lies within {} of the \
             published value. more, less: it lies above or below the published value, and reaches farther than that. not clear yet: it contains the \
             published value and reaches farther. The bonus for a pair is judged by its interval in pawns.",
            percent(scales.average.margin, 0)
        ),
        None => "Verdicts are about values in pawns. about the same: the published value lies in the interval. more, less: the whole interval \
             lies above or below the published value. not clear yet: the published value lies in the interval, but the interval is unbounded \
             or wider than half that value (for a pair: than the bonus)."
            .to_owned(),
    }
}
