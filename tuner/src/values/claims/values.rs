//! Claims on what pieces are worth: tables of values, what pieces are worth together, and one kind against others.

use assay_rules::GameDef;
use nalgebra::DVector;

use super::run_cache::{FittedValues, RunCache};
use super::{Claimed, Effect, JointResult, NumberResult, TestResult};
use crate::values::data::regressor::Regressor;
use crate::values::inference::fieller::RatioEstimate;
use crate::values::inference::joint_test;

/// A kind's term by its name.
pub(super) fn term(game: &GameDef, name: &str) -> Option<Regressor> {
    let kind = game.all_kinds().find(|&kind| game.kind(kind).name == name)?;
    Some(Regressor::Kind(kind))
}

/// The sum of some kinds' coefficients, as weights of the parameters.
fn sum(on: &FittedValues, names: &[&str], left: f64) -> Result<DVector<f64>, String> {
    let parameters = on.estimate.coefficients.len();
    let mut sum = DVector::zeros(parameters);
    for name in names {
        let contrast = term(&on.game, name).and_then(|term| on.estimate.spec.contrast(term, left, parameters));
        sum += contrast.ok_or_else(|| format!("{name} is not measured"))?;
    }
    Ok(sum)
}

/// A kind in units of the mean of others when this share of the pieces is left.
pub(super) fn among(on: &FittedValues, kind: &str, others: &[&str], left: f64) -> Result<RatioEstimate, String> {
    let above = sum(on, &[kind], left)?;
    let below = sum(on, others, left)? / others.len() as f64;
    Ok(on.estimate.contrast_ratio(&above, &below))
}

/// A ratio times a factor as an effect.
pub(super) fn effect(on: &FittedValues, ratio: RatioEstimate, factor: f64) -> Effect {
    let scaled = RatioEstimate {
        numerator: factor * ratio.numerator,
        numerator_variance: factor * factor * ratio.numerator_variance,
        covariance: factor * ratio.covariance,
        ..ratio
    };
    Effect {
        value: scaled.estimate(),
        interval: scaled.fieller_region(on.estimate.critical_value),
        games: on.games,
    }
}

/// A term in pawns, on average over the game.
fn in_pawns(on: &FittedValues, term: Regressor) -> Result<Effect, String> {
    let pawn = Regressor::Kind(on.game.pawn);
    let ratio = on.estimate.ratio(term, pawn, on.estimate.mean_left);
    let ratio = ratio.ok_or_else(|| format!("no position shows {}", term.name(&on.game)))?;
    Ok(effect(on, ratio, 1.0))
}

/// The widest interval that says something of a value: a quarter of it to each side.
pub(super) fn most_width(value: f64) -> f64 {
    value.abs() / 2.0
}

fn pawns(claim: String, claimed: f64, most_width: f64, effect: Result<Effect, String>) -> TestResult {
    TestResult::Number(NumberResult {
        claim,
        unit: "pawns".to_owned(),
        claimed: Claimed::Equal {
            value: claimed,
            most_width,
        },
        effect,
        note: None,
    })
}

/// Each of the inventor's values, and all together.
pub fn table(game: &str, cache: &RunCache) -> Vec<TestResult> {
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
    let mut outcomes: Vec<TestResult> = kinds
        .iter()
        .map(|&(term, claimed)| {
            let found = measured.as_ref().map_err(Clone::clone);
            let claim = format!("the {} is worth {claimed:.2} pawns", term.name(def));
            pawns(
                claim,
                claimed,
                most_width(claimed),
                found.and_then(|on| in_pawns(on, term)),
            )
        })
        .collect();
    let together = measured.and_then(|on| all_values(&on, &kinds));
    outcomes.push(TestResult::Joint("all these values together".to_owned(), together));
    outcomes
}

fn all_values(on: &FittedValues, kinds: &[(Regressor, f64)]) -> Result<JointResult, String> {
    let test = joint_test::joint_test(&on.estimate, &on.game, on.clusters)
        .ok_or("too few games to test all values together")?;
    let is_sharp = |&(term, claimed): &(Regressor, f64)| {
        in_pawns(on, term).is_ok_and(|effect| {
            effect
                .interval
                .width()
                .is_some_and(|width| width <= most_width(claimed))
        })
    };
    Ok(JointResult {
        values: test.values,
        f: test.f,
        p: test.p,
        games: on.games,
        is_sharp: kinds.iter().all(is_sharp),
    })
}

/// The bonus for both pieces of a colour-bound kind.
pub fn pair(game: &str, kind: &str, cache: &RunCache) -> TestResult {
    let source = cache.source(game);
    let known = source.as_ref().and_then(|source| {
        let Regressor::Kind(kind) = term(&source.game, kind)? else {
            return None;
        };
        Some((kind, source.game.pair_in_pawns(kind)?))
    });
    let effect = match known {
        None => Err(format!("{game} has no bonus for a pair of {kind}s")),
        Some((kind, _)) => cache.values(game).and_then(|on| in_pawns(&on, Regressor::Pair(kind))),
    };
    let claimed = known.map_or(0.0, |(_, claimed)| claimed);
    // A bonus is small beside the pieces that it is a bonus for.
    pawns(
        format!("both {kind}s are worth {claimed} extra"),
        claimed,
        claimed,
        effect,
    )
}

/// What one more strong piece of the other side adds to a joker.
pub fn joker(game: &str, cache: &RunCache) -> TestResult {
    let effect = cache.values(game).and_then(|on| {
        let joker = on.game.joker.ok_or_else(|| format!("{game} has no joker"))?;
        in_pawns(&on, Regressor::JokerAgainstMajors(joker))
    });
    TestResult::Number(NumberResult {
        claim: "the joker is worth more, the more major pieces the opponent has".to_owned(),
        unit: "pawns for each major piece".to_owned(),
        claimed: Claimed::MoreThan { value: 0.0 },
        effect,
        note: None,
    })
}

/// One kind in units of others: on average over the game, and on a full board, where it would be exchanged.
pub fn share(game: &str, kind: &str, others: &[&str], unit: f64, claimed: f64, cache: &RunCache) -> Vec<TestResult> {
    let names = others.join(" and ");
    let measured = cache.values(game);
    let at = |left: Option<f64>| {
        let on = measured.as_ref().map_err(Clone::clone)?;
        let ratio = among(on, kind, others, left.unwrap_or(on.estimate.mean_left))?;
        Ok(effect(on, ratio, unit))
    };
    let answer = |claim: String, effect: Result<Effect, String>| {
        TestResult::Number(NumberResult {
            claim,
            unit: format!("units of which {names} have {unit} on average"),
            claimed: Claimed::Equal {
                value: claimed,
                most_width: most_width(claimed),
            },
            effect,
            note: None,
        })
    };
    vec![
        answer(
            format!("a {kind} is worth {claimed} where {names} are worth {unit}"),
            at(None),
        ),
        answer("the same on a full board".to_owned(), at(Some(1.0))),
    ]
}
