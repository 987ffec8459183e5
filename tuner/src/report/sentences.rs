//! What a measurement says, in sentences.

use assay_cli::format::{count, decimals, grouped, percent, signed};
use assay_cli::text::enumeration;
use assay_selfplay::settings::ClusterBy;

use super::format::{self, interval, p_value};
use crate::values::data::clusters_of_imports;
use crate::values::design::PhaseModel;
use crate::values::estimate::ByMoves;
use crate::values::inference::{Estimate, GivenMaterial, MeasuredValue, Precision, Unit, ValueVerdict};
use crate::values::playtest::Playtest;
use crate::values::results::{DecidedGames, GameSummary, MeasurementReport};

/// Those sentences that there are.
pub(super) fn paragraph(sentences: impl IntoIterator<Item = Option<String>>) -> String {
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The pieces by their verdict.
pub fn headline(report: &MeasurementReport) -> String {
    let scale = report.table(None);
    let name = |value: &MeasuredValue| {
        let deviation = scale.and_then(|scale| scale.of(&value.piece)?.deviation());
        match deviation.filter(|_| value.verdict != ValueVerdict::Inconclusive) {
            Some(deviation) if !deviation.contains(0.0) => {
                format!("{} ({})", value.piece, format::change(1.0 + deviation.value))
            }
            _ => value.piece.clone(),
        }
    };
    let agrees = scale.map_or_else(String::new, |scale| {
        format!(" to within {}, relative to one another", percent(scale.margin.unwrap_or_default(), 0))
    });
    let parts = [
        (ValueVerdict::Agrees, format!("Worth what is published{agrees}")),
        (ValueVerdict::Above, "Worth more".to_owned()),
        (ValueVerdict::Below, "Worth less".to_owned()),
        (ValueVerdict::Inconclusive, "Not clear yet".to_owned()),
    ];
    // A piece has the same verdict in all units.
    let values = || report.tables.first().into_iter().flat_map(|table| &table.values);
    let sentences = parts.into_iter().filter_map(|(verdict, what)| {
        let names: Vec<String> = values().filter(|value| value.verdict == verdict).map(name).collect();
        (!names.is_empty()).then(|| format!("{what}: {}.", enumeration(&names)))
    });
    let sentences: Vec<String> = unpublished(report).into_iter().chain(sentences).collect();
    if sentences.is_empty() {
        return "No values are published to compare with.".to_owned();
    }
    sentences.join(" ")
}

/// The unit of the first table, and what one odd piece does to it.
pub fn shares(report: &MeasurementReport) -> Option<String> {
    let army = report.table(Some(Unit::Army))?;
    let verdicts =
        if report.table(None).is_some() { ", and verdicts are relative to the median piece instead" } else { "" };
    Some(format!(
        "Values are shares of the army ({}), so a piece that is worth more leaves less for the others{verdicts}.",
        army.definition
    ))
}

/// Values of the pieces without a published one, each beside the closest piece that has one; `None`
/// if there is nothing to say.
fn unpublished(report: &MeasurementReport) -> Option<String> {
    let ranking = report.ranking.as_ref()?;
    let army = report.table(Some(Unit::Army))?;
    let (published, unpublished): (Vec<_>, Vec<_>) = army.values.iter().partition(|value| value.published.is_some());
    let of_piece = |value: &MeasuredValue| {
        let rank = ranking.iter().find(|ranked| ranked.piece == value.piece)?;
        let rank = format!("rank {} of {} pieces", format::ranks(rank.ranks), ranking.len());
        if value.measured.interval.is_none() {
            return Some(format!("The games do not tell yet what {} is worth ({rank}).", value.piece));
        }
        let distance = |other: &MeasuredValue| (other.measured.value - value.measured.value).abs();
        let closest = published.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)))?;
        Some(format!(
            "{} is worth {}, closest to the {} ({}); {rank}.",
            value.piece,
            format::measured(Some(value.measured), 2),
            closest.piece,
            decimals(closest.measured.value, 2)
        ))
    };
    let sentences: Vec<String> = unpublished.into_iter().filter_map(of_piece).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Opening pairs from which the coverage of intervals is close to their level.
const ENOUGH_PAIRS: u64 = 50;

/// The games behind the measurement.
pub fn amount(report: &MeasurementReport) -> String {
    let games = &report.games;
    let openings = if report.files.iter().any(|file| file.imported.is_some()) {
        count(games.pairs, "cluster of similar games", "clusters of similar games")
    } else {
        let twice = match games.incomplete_pairs {
            0 => "each".to_owned(),
            incomplete => grouped(games.pairs.saturating_sub(incomplete)),
        };
        // In a match, the players are swapped.
        let is_match = report.files.iter().any(|file| file.players.len() > 1);
        let swapped = if is_match { "players" } else { "armies" };
        format!("{}, {twice} played twice with the {swapped} swapped", count(games.pairs, "opening", "openings"))
    };
    let mut text = format!(
        "{} from {openings}; {} with at least 1/4 of the pieces left.",
        count(games.games, "game", "games"),
        count(games.positions, "quiet position", "quiet positions")
    );
    if games.without_positions > 0 {
        text += &format!(
            " {} no such position and {} excluded.",
            count(games.without_positions, "game has", "games have"),
            if games.without_positions == 1 { "is" } else { "are" }
        );
    }
    text
}

/// Number of decided games, and of other ends when played on; `None` if no game ended as decided.
pub fn decided(games: &GameSummary) -> Option<String> {
    let DecidedGames { ended, played_on, otherwise } = games.decided?;
    Some(format!(
        " {} when both sides saw the game decided; of {} on after that, {} otherwise.",
        count(ended, "game ended", "games ended"),
        count(played_on, "game played", "games played"),
        match otherwise {
            0 => "none ended".to_owned(),
            otherwise => format!("{} ended", grouped(otherwise)),
        }
    ))
}

/// Values by moves of pieces without a published value; `None` if there are none.
pub fn by_moves(report: &MeasurementReport) -> Option<String> {
    let around = |estimate: Estimate| {
        let half_width = estimate.half_width().unwrap_or_default();
        format!("{} \u{b1} {}", decimals(estimate.value, 2), decimals(half_width, 2))
    };
    let of_piece = |ByMoves { piece, moves, together }: &ByMoves| {
        let conclusion = match together {
            Some(together) => format!("with these games {}", around(*together)),
            None => "which these games do not confirm".to_owned(),
        };
        format!("{piece} would be worth {}, {conclusion}", around(*moves))
    };
    let pieces: Vec<String> = report.by_moves.iter().map(of_piece).collect();
    (!pieces.is_empty()).then(|| format!("By its moves alone, like the pieces of the atlas, {}.", pieces.join("; ")))
}

/// What does not hold for imported games, with what follows from it, and which of them are one
/// cluster; `None` if there are none.
pub fn imported(clusters: &[ClusterBy], consequence: &str) -> Option<String> {
    let names = clusters.iter().map(|cluster| match cluster {
        ClusterBy::Opening { plies } => format!("with the same first {plies} plies"),
        ClusterBy::Players => "of the same two players".to_owned(),
    });
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| {
        format!(
            "Imported games: their openings were not random and balanced, and their players not equally strong; {consequence}. Games {} are one \
             cluster, because their results depend on one another, so the intervals are wider than those of as many independent games.",
            names.join(", or ")
        )
    })
}

/// As [`imported`], for values.
pub fn imported_values(report: &MeasurementReport) -> Option<String> {
    let ratings = match report.scale.rating {
        Some(_) => "White's rating minus Black's is a part of the regression",
        None => "nothing is known about their ratings",
    };
    let consequence = format!("{ratings}, and a value says what goes along with a piece, not only what it causes");
    imported(&clusters_of_imports(&report.files), &consequence)
}

/// A warning, if there are so few openings that the intervals are too narrow.
pub fn few_openings(report: &MeasurementReport) -> Option<String> {
    let pairs = report.games.pairs as u64;
    (pairs < ENOUGH_PAIRS).then(|| {
        format!(
            "There are only {}. With fewer than {ENOUGH_PAIRS}, intervals may contain the true value less often than in 95% of \
             measurements.",
            count(pairs, "opening", "openings")
        )
    })
}

/// A warning, if the values are from a penalized fit.
pub fn separated(separated: &[String]) -> Option<String> {
    let combination = if separated.len() > 1 { "a combination of " } else { "" };
    (!separated.is_empty()).then(|| {
        format!(
            "The results are separated by {combination}{}: the side that has more of it never does worse, so no finite value fits best. All values \
             are from a penalized fit (Jeffreys' prior), with wider intervals; more games are needed.",
            enumeration(separated)
        )
    })
}

/// Expected score of a pawn's advantage; values of the move and of playing White.
pub fn scale(report: &MeasurementReport) -> String {
    let scale = &report.scale;
    let mut text = if let Some((low, pawn, high)) = scale.pawn_score.and_then(|score| score.ends()) {
        format!(
            "The side that is a pawn ahead scores {} on average ({} to {}): {} on a full board, {} with a quarter of the pieces left.",
            percent(pawn, 1),
            percent(low, 1),
            percent(high, 1),
            percent(scale.pawn_score_full_board, 1),
            percent(scale.pawn_score_few_pieces, 1)
        )
    } else {
        "These games do not measure the pawn.".to_owned()
    };
    for (value, what) in [
        (&scale.side_to_move, "The move"),
        (&scale.white, "Playing White"),
        (&scale.rating, "A rating of 400 points more"),
    ] {
        if let Some(value) = value {
            text += &format!(" {what} is worth {} pawns ({}).", decimals(value.value, 2), interval(*value, 2));
        }
    }
    text
}

/// Cross-validation: log-loss on held-out games.
pub fn held_out(report: &MeasurementReport) -> String {
    let Some(losses) = &report.cross_validation else {
        return "Held-out games: too few games for cross-validation.".to_owned();
    };
    let published = losses
        .published
        .map_or_else(String::new, |published| format!(", published values at their best scale {published:.4}"));
    let comparison = losses.gain_over_published.map(|gain| {
        let [low, high] = gain.interval.unwrap_or([gain.value; 2]);
        let outcome = if low > 0.0 {
            "The measured values predict better than the published ones"
        } else if high < 0.0 {
            "More games are needed: the published values predict better than the measured ones"
        } else {
            "The difference between measured and published values is not significant"
        };
        let [mean, low, high] = [gain.value, low, high].map(|gain| signed(gain, 4));
        format!("{outcome} (difference {mean}, {low} to {high}).")
    });
    let comparison = comparison.unwrap_or_else(|| "There are no published values to compare with.".to_owned());
    format!(
        "Held-out games ({}-fold cross-validation over openings), mean log-loss, lower is better: measured values {:.4}{published}, no values \
         {:.4}. {comparison}",
        losses.folds, losses.fitted, losses.constant
    )
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
    if let Some(widest) = Precision::of(&report.tables) {
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
        count(bootstrap.replicates, "replicate", "replicates")
    );
    if bootstrap.failed > 0 {
        text += &format!(" {} could not be fitted.", count(bootstrap.failed, "replicate", "replicates"));
    }
    Some(text)
}

/// How much of what the players believe came back, which the values are corrected for; `None` if
/// that is not known.
pub fn feedback(report: &MeasurementReport) -> Option<String> {
    let feedback = report.fit.feedback.as_ref()?;
    let of_ten = |estimate: Estimate| {
        let interval =
            estimate.map(|share| 10.0 * share).map_or_else(|| "unbounded".to_owned(), |ten| interval(ten, 1));
        format!("{}% ({interval})", decimals(10.0 * estimate.value, 1))
    };
    let run = feedback.run.map_or_else(String::new, |run| format!("; these games alone say {}", of_ten(run)));
    Some(format!(
        "What players believe comes back in the results: if they valued a piece 10% higher, it would be worth {} more{run}. The values are \
         corrected for that, to what pieces are worth to players who value them so.",
        of_ten(feedback.used)
    ))
}

/// Calibration and residuals beyond 3 standard errors.
pub fn calibration(report: &MeasurementReport) -> String {
    let diagnostics = &report.diagnostics;
    let bins = &diagnostics.calibration;
    let off = bins.iter().filter(|bin| bin.residual.is_beyond(3.0)).count();
    let mut text = format!(
        "Calibration: of {} by predicted score, {} off by more than 3 standard errors.",
        count(bins.len(), "group", "groups"),
        count(off, "is", "are")
    );
    let residuals = || diagnostics.by_phase.iter().chain(&diagnostics.by_kind);
    text += &match residuals().filter(|residual| residual.residual.is_beyond(3.0)).count() {
        0 => " No residual by material or piece is beyond 3 standard errors.".to_owned(),
        beyond => format!(
            " Of {} by material or piece, {} beyond 3 standard errors, marked * in the table.",
            count(residuals().count(), "residual", "residuals"),
            count(beyond, "is", "are")
        ),
    };
    let condition = diagnostics.collinearity.condition_number;
    text + &format!(" Condition number of the regressors: {condition:.0}.")
}

/// Test of whether given and won material are worth the same; `None` if it was not made.
pub fn given_material(report: &MeasurementReport) -> Option<String> {
    let test = match report.given_material.as_ref()? {
        GivenMaterial::Tested(test) => test,
        GivenMaterial::NotPossible { reason } => {
            let what = "Whether material from the opening and material won in play are worth the same";
            return Some(format!("{what} could not be tested: {reason}."));
        }
    };
    let overall = &test.overall;
    let differ = if overall.p < 0.05 { "are not worth the same" } else { "do not differ significantly in value" };
    let text = format!(
        "Material from the opening and material won in play {differ} (joint test: F({}, {}) = {}, {}).",
        overall.values,
        grouped(overall.denominator_df.round() as u64),
        decimals(overall.f, 2),
        p_value(overall.p)
    );
    let factor = test.factor.map(|found| {
        let factor =
            format!("A given piece is worth {} times one that was won", format::measured(Some(found.factor), 2));
        match found.test {
            Some(test) if test.p < 0.05 => {
                format!("{factor} on average, but not the same for all pieces ({}).", p_value(test.p))
            }
            Some(test) => format!("{factor}; one factor fits all pieces ({}).", p_value(test.p)),
            None => format!("{factor}."),
        }
    });
    let never = format::listed("Not tested, because no opening gives one side more", &test.never_given);
    Some(paragraph([Some(text), factor, never]))
}

/// Definitions of the units.
pub fn units(report: &MeasurementReport) -> String {
    let units = report.tables.iter().filter_map(|table| Some((table.unit?, table)));
    let definitions = units.map(|(unit, table)| format!("{}: {}. ", unit.name(), table.definition));
    definitions.collect::<String>()
        + "A value is the mean log-odds of one more piece, over quiet positions with at least a quarter of the pieces left, divided by the same \
           mean of the unit. It holds for these players and for openings with unequal armies."
}

/// Pieces whose value changes over the game by more than chance; `None` if there are none.
///
/// Beyond chance on the published scale, where pieces that keep their values do not seem to change
/// because another one does, and in shares of the army, which are the numbers shown.
pub fn values_that_change(report: &MeasurementReport) -> Option<String> {
    let (scale, army) = (report.table(None)?, report.table(Some(Unit::Army))?);
    let is_changed = |value: &MeasuredValue| {
        let (one, other) = (scale.of(&value.piece)?.change?, value.change?);
        let are_alike = (one.value > 0.0) == (other.value > 0.0);
        Some(are_alike && !one.contains(0.0) && !other.contains(0.0))
    };
    let changed = army.values.iter().filter(|value| is_changed(value).unwrap_or(false));
    let changes: Vec<String> = changed
        .map(|value| {
            let [full, few] = [value.full_board, value.few_pieces].map(|at| format::value(at.map(|at| at.value), 2));
            format!("{} (from {full} to {few})", value.piece)
        })
        .collect();
    (!changes.is_empty())
        .then(|| format!("Beyond chance, values change as pieces leave the board: {}.", enumeration(&changes)))
}

/// The phase model, if it is not the default one.
pub fn phase_model(report: &MeasurementReport) -> Option<&'static str> {
    match report.fit.phase_model {
        PhaseModel::Piecewise => None,
        PhaseModel::Constant => Some("Phase model: constant. Each piece has one value for the whole game."),
    }
}

/// Regressors that were not measured.
pub fn omitted(report: &MeasurementReport) -> Option<String> {
    format::listed("Not measured, because hardly any position differs in it", &report.omitted)
}

/// Why some pieces are not measured; `None` if all are.
pub fn unmeasured(report: &MeasurementReport) -> Option<String> {
    let rules = report.rules();
    let pieces = report.unmeasured().into_iter().map(|kind| rules.kind(kind).name.as_str());
    format::listed("Not measured, because one side has more of it in too few games", pieces)
}

/// What the other models are, and how well they predict.
pub fn models(report: &MeasurementReport) -> String {
    let mut text = String::new();
    for other in &report.alternatives {
        let loss = other.log_loss.map_or_else(String::new, |loss| format!(", held-out log-loss {loss:.4}"));
        let same = other.same_log_odds.map_or_else(String::new, |test| {
            format!("; its log-odds of pieces are those of the fit with {}", p_value(test.p))
        });
        text += &format!("{}: {}{loss}{same}. ", other.model, other.definition);
    }
    if let Some(own) = &report.cross_validation {
        text += &format!("The model of the fit has {:.4}. ", own.fitted);
    }
    text + "The spread shows how much the values depend on the model; the intervals leave that out."
}

/// Number of pieces on which the playtest agrees with the regression.
pub fn second_method(report: &MeasurementReport) -> Option<String> {
    let values = &report.agreement.as_ref()?.values;
    let agree = values.iter().filter(|value| value.verdict == ValueVerdict::Agrees).count();
    let differ = values.iter().filter(|value| matches!(value.verdict, ValueVerdict::Above | ValueVerdict::Below));
    let differ: Vec<&str> = differ.map(|value| value.piece.as_str()).collect();
    // Too few games say nothing.
    if agree == 0 && differ.is_empty() {
        return None;
    }
    let mut text = format!("A second method agrees on {agree} of {}", count(values.len(), "piece", "pieces"));
    if !differ.is_empty() {
        text += &format!("; it differs on {}", enumeration(&differ));
    }
    match values.len() - agree - differ.len() {
        0 => {}
        1 => text += "; one needs more games",
        _ => text += "; the others need more games",
    }
    Some(text + ".")
}

/// Whether the costs of pieces in the playtest add up.
pub fn goodness_of_fit(playtest: &Playtest) -> Option<String> {
    let test = playtest.goodness_of_fit?;
    let numbers = format!(
        "(\u{3c7}\u{b2} = {}, {}, {})",
        decimals(test.chi_square, 1),
        count(test.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
        p_value(test.p)
    );
    let outcome = if test.p < 0.05 {
        format!(
            "the costs of single pieces, added up, do not explain all of its scores {numbers}; its intervals do not allow for that."
        )
    } else {
        format!("its scores are consistent with costs of pieces that add up {numbers}.")
    };
    Some(format!("Goodness of fit of the playtest: {outcome}"))
}

/// Explanation of the intervals.
pub const INTERVALS: &str = "Intervals are 95% confidence intervals; those on the published scale are wider and hold for all pieces \
    together. Standard errors are clustered by opening pair, because the two games of a pair share an opening and all positions of a game \
    share a result. In pawns, all values share the pawn's error and tend to be too high or too low together; shares of the army have a fixed \
    sum, so if one is too high, others are too low.";

/// Explanation of the verdicts.
pub fn verdicts(report: &MeasurementReport) -> String {
    match report.table(None) {
        Some(table) => format!(
            "Measured values are put on the published scale by one common factor, so that most pieces agree: the median of \
             measured over published values. The piece in the middle is the reference and has no error; its error is part of the other intervals, \
             which hold for all pieces together in 95% of measurements. about the same: the interval lies within {} of the \
             published value. more, less: it lies above or below the published value, and reaches farther than that. not clear yet: it contains the \
             published value and reaches farther. The bonus for a pair is judged by its interval in pawns.",
            percent(table.margin.unwrap_or_default(), 0)
        ),
        None => "Verdicts are about values in pawns. about the same: the published value lies in the interval. more, less: the whole interval \
             lies above or below the published value. not clear yet: the published value lies in the interval, but the interval is unbounded \
             or wider than half that value (for a pair: than the bonus)."
            .to_owned(),
    }
}
