//! Claims about values: published values, bonuses for pairs, and values relative to other kinds.

use assay_rules::GameDef;
use nalgebra::DVector;

use super::run_cache::{FittedValues, RunCache};
use super::{Claimed, Effect, JointResult, NumberResult, TestResult};
use crate::values::data::regressor::Regressor;
use crate::values::inference::fieller::RatioEstimate;
use crate::values::inference::joint_test;
use crate::values::inference::verdict::max_width;

pub(super) fn regressor_by_name(game: &GameDef, name: &str) -> Option<Regressor> {
    let kind = game.all_kinds().find(|&kind| game.kind(kind).name == name)?;
    Some(Regressor::Kind(kind))
}

/// Contrast for what a kind is worth when the share `left` of the pieces is left. A document that gives a color-bound kind one value means
/// each of two, so half of the pair's bonus belongs to it.
pub(super) fn worth(fitted: &FittedValues, name: &str, left: f64) -> Option<DVector<f64>> {
    worth_as_published(fitted, &fitted.game, name, left)
}

/// [`worth`] where the values are published for another game with the same kinds, `published`.
fn worth_as_published(fitted: &FittedValues, published: &GameDef, name: &str, left: f64) -> Option<DVector<f64>> {
    let parameters = fitted.estimate.coefficients.len();
    let at = |term: Regressor| fitted.estimate.spec.contrast(term, left, parameters);
    let Some(Regressor::Kind(known)) = regressor_by_name(published, name) else {
        return None;
    };
    let term = regressor_by_name(&fitted.game, name)?;
    let mut worth = at(term)?;
    if let Regressor::Kind(kind) = term
        && published.kind(known).value.is_some()
        && published.kind(known).pair.is_none()
        && let Some(pair) = at(Regressor::Pair(kind))
    {
        worth += pair / 2.0;
    }
    Some(worth)
}

/// The kinds besides king, pawn and the replaced one that have a published value, with that value.
pub(super) fn scale_of_others(published: &GameDef, replaced: &str) -> Vec<(String, f64)> {
    let kinds = published.all_kinds();
    kinds
        .filter(|&kind| kind != published.pawn && kind != published.king)
        .map(|kind| published.kind(kind))
        .filter(|kind| kind.name != replaced)
        .filter_map(|kind| Some((kind.name.clone(), kind.value?)))
        .collect()
}

/// Tests the value of a piece that replaces `kind` of `game` in the game `other`. The scale is that of the other pieces: together they are worth
/// the sum of their published values. The published value of the replaced kind is not used.
pub fn replaced_piece(game: &str, kind: &str, other: &str, claimed: f64, claim: &str, cache: &RunCache) -> TestResult {
    let published = cache.source(game).map(|source| source.game);
    let scale = published
        .as_ref()
        .map_or_else(Vec::new, |published| scale_of_others(published, kind));
    let sum: f64 = scale.iter().map(|(_, value)| value).sum();
    let effect = published
        .ok_or_else(|| format!("{game} is not known"))
        .and_then(|published| {
            let fitted = cache.values(other)?;
            let left = fitted.estimate.mean_left;
            let worth = |name: &str| {
                let worth = worth_as_published(&fitted, &published, name, left);
                worth.ok_or_else(|| format!("{name} is not measured"))
            };
            let mut unit = DVector::zeros(fitted.estimate.coefficients.len());
            for (name, _) in &scale {
                unit += worth(name)? / sum;
            }
            let ratio = fitted.estimate.contrast_ratio(&worth(kind)?, &unit);
            Ok(scaled_effect(&fitted, ratio, 1.0))
        });
    // Sums of decimals are not exact.
    let shown = (sum * 1e6).round() / 1e6;
    let names: Vec<&str> = scale.iter().map(|(name, _)| name.as_str()).collect();
    TestResult::Number(NumberResult {
        claim: claim.to_owned(),
        unit: format!(
            "units in which {} together are worth {shown}, the sum of their published values",
            names.join(", ")
        ),
        claimed: Claimed::Equal {
            value: claimed,
            max_width: max_width(claimed),
        },
        effect,
        note: Some(format!(
            "measured in {other}, where this piece takes the place of the {kind}"
        )),
    })
}

/// Contrast for the sum of the coefficients of some kinds when the share `left` of the pieces is left.
fn sum_contrast(fitted: &FittedValues, names: &[impl AsRef<str>], left: f64) -> Result<DVector<f64>, String> {
    let parameters = fitted.estimate.coefficients.len();
    let mut sum = DVector::zeros(parameters);
    for name in names.iter().map(AsRef::as_ref) {
        sum += worth(fitted, name, left).ok_or_else(|| format!("{name} is not measured"))?;
    }
    Ok(sum)
}

/// Tests the value of some kinds divided by that of others.
pub fn ratio(
    game: &str,
    (of, to): (&[String], &[String]),
    claimed: Claimed,
    claim: &str,
    full_board: bool,
    cache: &RunCache,
) -> TestResult {
    let effect = cache.values(game).and_then(|fitted| {
        let left = if full_board { 1.0 } else { fitted.estimate.mean_left };
        let (numerator, denominator) = (sum_contrast(&fitted, of, left)?, sum_contrast(&fitted, to, left)?);
        let ratio = fitted.estimate.contrast_ratio(&numerator, &denominator);
        Ok(scaled_effect(&fitted, ratio, 1.0))
    });
    let phase = if full_board { ", on a full board" } else { "" };
    TestResult::Number(NumberResult {
        claim: claim.to_owned(),
        unit: format!("{} divided by {}{phase}", of.join(" + "), to.join(" + ")),
        claimed,
        effect,
        note: None,
    })
}

/// Value of a kind divided by the mean value of others when the share `left` of the pieces is left.
pub(super) fn relative_to(
    fitted: &FittedValues,
    kind: &str,
    others: &[impl AsRef<str>],
    left: f64,
) -> Result<RatioEstimate, String> {
    let numerator = sum_contrast(fitted, &[kind], left)?;
    let denominator = sum_contrast(fitted, others, left)? / others.len() as f64;
    Ok(fitted.estimate.contrast_ratio(&numerator, &denominator))
}

/// A ratio times a factor, with Fieller's interval.
pub(super) fn scaled_effect(fitted: &FittedValues, ratio: RatioEstimate, factor: f64) -> Effect {
    let scaled = RatioEstimate {
        numerator: factor * ratio.numerator,
        numerator_variance: factor * factor * ratio.numerator_variance,
        covariance: factor * ratio.covariance,
        ..ratio
    };
    Effect {
        value: scaled.estimate(),
        interval: scaled.fieller_region(fitted.estimate.critical_value),
        games: fitted.games,
    }
}

/// Value of a regressor in pawns, averaged over the game.
fn in_pawns(fitted: &FittedValues, term: Regressor) -> Result<Effect, String> {
    let pawn = Regressor::Kind(fitted.game.pawn);
    let ratio = fitted.estimate.ratio(term, pawn, fitted.estimate.mean_left);
    let ratio = ratio.ok_or_else(|| format!("no position contains {}", term.name(&fitted.game)))?;
    Ok(scaled_effect(fitted, ratio, 1.0))
}

fn value_result(claim: String, claimed: f64, max_width: f64, effect: Result<Effect, String>) -> TestResult {
    TestResult::Number(NumberResult {
        claim,
        unit: "pawns".to_owned(),
        claimed: Claimed::Equal {
            value: claimed,
            max_width,
        },
        effect,
        note: None,
    })
}

/// Tests the published values, individually and jointly.
pub fn published_values(game: &str, cache: &RunCache) -> Vec<TestResult> {
    let Some(source) = cache.source(game) else {
        return Vec::new();
    };
    let def = &source.game;
    let measured = cache.values(game);
    let mut kinds: Vec<(Regressor, f64)> = def
        .all_kinds()
        .filter(|&kind| kind != def.pawn && kind != def.king)
        .filter_map(|kind| Some((Regressor::Kind(kind), def.value_in_pawns(kind)?)))
        .collect();
    kinds.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut results: Vec<TestResult> = kinds
        .iter()
        .map(|&(term, claimed)| {
            let found = measured.as_ref().map_err(Clone::clone);
            let claim = format!("the {} is worth {claimed:.2} pawns", term.name(def));
            value_result(
                claim,
                claimed,
                max_width(claimed),
                found.and_then(|fitted| in_pawns(fitted, term)),
            )
        })
        .collect();
    let joint = measured.and_then(|fitted| joint_result(&fitted, &kinds));
    results.push(TestResult::Joint(
        "all published values, tested jointly".to_owned(),
        joint,
    ));
    results
}

fn joint_result(fitted: &FittedValues, kinds: &[(Regressor, f64)]) -> Result<JointResult, String> {
    let test = joint_test::joint_test(&fitted.estimate, &fitted.game, fitted.clusters)
        .ok_or("too few games to test all values jointly")?;
    let is_sharp = |&(term, claimed): &(Regressor, f64)| {
        in_pawns(fitted, term)
            .is_ok_and(|effect| effect.interval.width().is_some_and(|width| width <= max_width(claimed)))
    };
    Ok(JointResult {
        values: test.values,
        f: test.f,
        p: test.p,
        games: fitted.games,
        is_sharp: kinds.iter().all(is_sharp),
    })
}

/// Tests the bonus for both pieces of a color-bound kind.
pub fn pair(game: &str, kind: &str, cache: &RunCache) -> TestResult {
    let source = cache.source(game);
    let known = source.as_ref().and_then(|source| {
        let Regressor::Kind(kind) = regressor_by_name(&source.game, kind)? else {
            return None;
        };
        Some((kind, source.game.pair_in_pawns(kind)?))
    });
    let effect = match known {
        None => Err(format!("{game} has no bonus for a pair of {kind}s")),
        Some((kind, _)) => cache
            .values(game)
            .and_then(|fitted| in_pawns(&fitted, Regressor::Pair(kind))),
    };
    let claimed = known.map_or(0.0, |(_, claimed)| claimed);
    // A bonus is small compared with the pieces, so a wider interval supports it.
    value_result(
        format!("a pair of {kind}s is worth {claimed} pawns extra"),
        claimed,
        claimed,
        effect,
    )
}

/// Tests that each major piece of the opponent makes the joker worth more.
pub fn joker_against_majors(game: &str, cache: &RunCache) -> TestResult {
    let effect = cache.values(game).and_then(|fitted| {
        let joker = fitted.game.joker.ok_or_else(|| format!("{game} has no joker"))?;
        in_pawns(&fitted, Regressor::JokerAgainstMajors(joker))
    });
    TestResult::Number(NumberResult {
        claim: "the joker is worth more, the more major pieces the opponent has".to_owned(),
        unit: "pawns per major piece".to_owned(),
        claimed: Claimed::MoreThan {
            value: 0.0,
            margin: 0.25,
        },
        effect,
        note: None,
    })
}

/// Tests the value of a kind relative to others, averaged over the game and on a full board, where it would be exchanged.
///
/// The unit is chosen so that the others are worth `unit` on average.
pub fn relative_value(
    game: &str,
    kind: &str,
    others: &[String],
    unit: f64,
    claimed: f64,
    cache: &RunCache,
) -> Vec<TestResult> {
    let names = others.join(" and ");
    let measured = cache.values(game);
    let at = |left: Option<f64>| {
        let fitted = measured.as_ref().map_err(Clone::clone)?;
        let ratio = relative_to(fitted, kind, others, left.unwrap_or(fitted.estimate.mean_left))?;
        Ok(scaled_effect(fitted, ratio, unit))
    };
    let result = |claim: String, effect: Result<Effect, String>| {
        TestResult::Number(NumberResult {
            claim,
            unit: format!("units in which {names} are worth {unit} on average"),
            claimed: Claimed::Equal {
                value: claimed,
                max_width: max_width(claimed),
            },
            effect,
            note: None,
        })
    };
    vec![
        result(
            format!("a {kind} is worth {claimed} if {names} are worth {unit} on average"),
            at(None),
        ),
        result("the same on a full board".to_owned(), at(Some(1.0))),
    ]
}
