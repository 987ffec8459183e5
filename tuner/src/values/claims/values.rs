//! Claims about values: published values, bonuses for pairs, and values relative to other kinds.

use assay_cli::text::{enumeration, with_article};
use assay_rules::GameDef;
use nalgebra::DVector;

use super::run_cache::{FittedValues, RunCache};
use super::{Claimed, Effect, JointResult, NumberResult, TestResult};
use crate::values::data::regressor::{Regressor, is_published_with_half_pair};
use crate::values::inference::fieller::RatioEstimate;
use crate::values::inference::joint_test::test_ratios;
use crate::values::inference::units::{Unit, UnitTable, UnitValue, published_divisor};
use crate::values::inference::verdict::{ValueVerdict, max_width};

pub(super) fn regressor_by_name(game: &GameDef, name: &str) -> Option<Regressor> {
    let kind = game.all_kinds().find(|&kind| game.kind(kind).name == name)?;
    Some(Regressor::Kind(kind))
}

/// Contrast for what a kind is worth when the share `left` of the pieces is left. A document that gives a color-bound kind one value means
/// each of two, so half of the pair's bonus belongs to it.
pub(super) fn worth(fitted: &FittedValues, name: &str, left: f64) -> Option<DVector<f64>> {
    let term = regressor_by_name(&fitted.game, name)?;
    fitted.estimate.worth(term, left)
}

/// [`worth`] where the values are published for another game with the same kinds, `published`.
fn worth_as_published(fitted: &FittedValues, published: &GameDef, name: &str, left: f64) -> Option<DVector<f64>> {
    let at = |term: Regressor| fitted.estimate.contrast(term, left);
    let Some(Regressor::Kind(known)) = regressor_by_name(published, name) else {
        return None;
    };
    let term = regressor_by_name(&fitted.game, name)?;
    let mut worth = at(term)?;
    if let Regressor::Kind(kind) = term
        && is_published_with_half_pair(published, known)
        && let Some(pair) = at(Regressor::Pair(kind))
    {
        worth += pair / 2.0;
    }
    Some(worth)
}

/// Pieces whose values together are a unit.
pub(super) struct Scale {
    names: Vec<String>,
    /// Power of ten by which published values are divided, as in [`Unit::Army`].
    divisor: f64,
    /// Sum of their published values, divided.
    sum: f64,
}

impl Scale {
    /// The kinds besides king and pawn that have a published value, without the one named `except`.
    pub(super) fn of_army(published: &GameDef, except: Option<&str>) -> Scale {
        let kinds = published.all_kinds();
        let army: Vec<(&str, f64)> = kinds
            .filter(|&kind| kind != published.pawn && kind != published.king)
            .map(|kind| published.kind(kind))
            .filter_map(|kind| Some((kind.name.as_str(), kind.value?)))
            .collect();
        // That of the whole army, so that the scale of a game does not depend on the piece that is left out.
        let divisor = published_divisor(army.iter().map(|&(_, value)| value));
        let others = army.iter().filter(|(name, _)| Some(*name) != except);
        let (names, values): (Vec<String>, Vec<f64>) = others.map(|&(name, value)| (name.to_owned(), value)).unzip();
        Scale {
            names,
            divisor,
            sum: rounded(values.iter().sum::<f64>() / divisor),
        }
    }

    /// A published value on this scale.
    fn divided(&self, published: f64) -> f64 {
        rounded(published / self.divisor)
    }

    /// Number of pieces.
    pub(super) fn pieces(&self) -> usize {
        self.names.len()
    }

    fn unit(&self) -> String {
        let divided = if self.divisor > 1.0 {
            format!(" divided by {}", self.divisor)
        } else {
            String::new()
        };
        format!(
            "units in which {} together are worth {}, the sum of their published values{divided}",
            self.names.join(", "),
            self.sum
        )
    }

    /// Contrast of one unit, averaged over the game.
    fn contrast(&self, fitted: &FittedValues, published: &GameDef) -> Result<DVector<f64>, String> {
        let mut unit = DVector::zeros(fitted.estimate.coefficients.len());
        for name in &self.names {
            let worth = worth_as_published(fitted, published, name, fitted.estimate.mean_left);
            unit += worth.ok_or_else(|| format!("{name} is not measured"))? / self.sum;
        }
        Ok(unit)
    }
}

/// A number to six decimals: sums and quotients of decimals are not exact.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// Tests the value of a piece that replaces `kind` of `game` in the game `other`. The scale is that of the other pieces: together they are worth
/// the sum of their published values. `claimed` is a value as published, in hundredths if the game's values are. The published value of the
/// replaced kind is not used.
pub fn replaced_piece(game: &str, kind: &str, other: &str, claimed: f64, claim: &str, cache: &RunCache) -> TestResult {
    let Some(source) = cache.source(game) else {
        return unknown_game(game, claim);
    };
    let scale = Scale::of_army(&source.game, Some(kind));
    let claimed = scale.divided(claimed);
    let effect = cache.values(other).and_then(|fitted| {
        let worth = worth_as_published(&fitted, &source.game, kind, fitted.estimate.mean_left);
        let worth = worth.ok_or_else(|| format!("{kind} is not measured"))?;
        let unit = scale.contrast(&fitted, &source.game)?;
        Ok(scaled_effect(&fitted, fitted.estimate.ratio(&worth, &unit), 1.0))
    });
    TestResult::Number(NumberResult {
        claim: claim.to_owned(),
        unit: scale.unit(),
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

/// `3 × rook + pawn`.
fn sum_name(names: &[String]) -> String {
    let parts = names.chunk_by(|one, other| one == other).map(|same| match same {
        [one] => one.clone(),
        same => format!("{} \u{d7} {}", same.len(), same[0]),
    });
    parts.collect::<Vec<_>>().join(" + ")
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
        let ratio = fitted.estimate.ratio(&numerator, &denominator);
        Ok(scaled_effect(&fitted, ratio, 1.0))
    });
    let phase = if full_board { ", on a full board" } else { "" };
    TestResult::Number(NumberResult {
        claim: claim.to_owned(),
        unit: format!("{} divided by {}{phase}", sum_name(of), sum_name(to)),
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
    Ok(fitted.estimate.ratio(&numerator, &denominator))
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
        p: None,
        clusters: fitted.clusters,
        games: fitted.games,
    }
}

/// Value of a regressor in pawns, averaged over the game.
fn in_pawns(fitted: &FittedValues, term: Regressor) -> Result<Effect, String> {
    let pawn = Regressor::Kind(fitted.game.pawn);
    let at = |term| fitted.estimate.contrast(term, fitted.estimate.mean_left);
    let ratio = at(term)
        .zip(at(pawn))
        .map(|(above, below)| fitted.estimate.ratio(&above, &below));
    let ratio = ratio.ok_or_else(|| format!("no position contains {}", term.name(&fitted.game)))?;
    Ok(scaled_effect(fitted, ratio, 1.0))
}

fn unknown_game(game: &str, claim: &str) -> TestResult {
    TestResult::Joint(claim.to_owned(), Err(format!("{game} is not known")))
}

/// Tests the published values in shares of the army, so that a wrong published pawn does not refute all others: each piece, the pawn by itself, and
/// all ratios among the pieces jointly.
pub fn published_values(game: &str, cache: &RunCache) -> Vec<TestResult> {
    let claim = "relative to each other, all pieces are worth what is published (jointly)";
    let measured = cache.values(game).and_then(|fitted| Ok((army_table(&fitted)?, fitted)));
    let (table, fitted) = match measured {
        Ok(measured) => measured,
        Err(reason) => return vec![TestResult::Joint(claim.to_owned(), Err(reason))],
    };
    let pawn = &fitted.game.kind(fitted.game.pawn).name;
    let values = table.values.iter();
    let (pawns, pieces): (Vec<PublishedValue>, Vec<PublishedValue>) = values
        // The only published piece would be compared with itself.
        .filter(|value| value.verdict != ValueVerdict::Unit)
        .filter_map(|value| {
            Some(PublishedValue {
                value,
                published: value.published?,
            })
        })
        .partition(|one| one.value.piece == *pawn);
    let number = |one: &PublishedValue| one.result(&table, &fitted);
    let mut results: Vec<TestResult> = pieces.iter().map(number).collect();
    if pieces.len() > 1 {
        results.push(TestResult::Joint(claim.to_owned(), ratios_together(&pieces, &fitted)));
    }
    results.extend(pawns.iter().map(number));
    results
}

/// The values in shares of the army.
///
/// # Errors
/// The reason if a piece with a published value is not measured.
fn army_table(fitted: &FittedValues) -> Result<UnitTable, String> {
    let game = &fitted.game;
    let table = fitted.estimate.unit_table(Unit::Army);
    let table = table.ok_or("no piece besides king and pawn is measured")?;
    let is_measured = |name: &str| table.values.iter().any(|value| value.piece == name);
    let mut published = game
        .all_kinds()
        .filter(|&kind| kind != game.king && game.kind(kind).value.is_some());
    match published.find(|&kind| !is_measured(&game.kind(kind).name)) {
        Some(kind) => Err(format!("{} is not measured", game.kind(kind).name)),
        None => Ok(table),
    }
}

/// A published value in a table of units.
struct PublishedValue<'t> {
    value: &'t UnitValue,
    /// The published value in the table's unit.
    published: f64,
}

impl PublishedValue<'_> {
    /// Tests the value by itself.
    fn result(&self, table: &UnitTable, fitted: &FittedValues) -> TestResult {
        let half_pair = if self.value.with_half_pair {
            " with half of the pair's bonus"
        } else {
            ""
        };
        TestResult::Number(NumberResult {
            claim: format!(
                "the {}{half_pair} is worth {} where the army is worth {}",
                self.value.piece,
                rounded(self.published),
                rounded(table.total)
            ),
            unit: format!("units in which {}", table.definition),
            claimed: Claimed::Equal {
                value: self.published,
                max_width: max_width(self.published),
            },
            effect: Ok(Effect {
                value: self.value.measured.value,
                interval: self.value.measured.interval,
                p: None,
                clusters: fitted.clusters,
                games: fitted.games,
            }),
            note: None,
        })
    }
}

/// The test of all published ratios of the pieces that `validate` makes, too.
fn ratios_together(pieces: &[PublishedValue], fitted: &FittedValues) -> Result<JointResult, String> {
    let test = test_ratios(&fitted.estimate, fitted.clusters).ok_or("too few games to test all values jointly")?;
    let is_sharp = |one: &PublishedValue| {
        let width = one.value.measured.interval.width();
        width.is_some_and(|width| width <= max_width(one.published))
    };
    Ok(JointResult {
        values: test.values,
        f: test.f,
        p: test.p,
        games: fitted.games,
        is_sharp: pieces.iter().all(is_sharp),
    })
}

/// Tests the bonus for both pieces of a color-bound kind, in shares of the army.
pub fn pair(game: &str, name: &str, cache: &RunCache) -> TestResult {
    let Some(source) = cache.source(game) else {
        return unknown_game(game, &format!("a pair of {name}s is worth more than two of them"));
    };
    let def = &source.game;
    let scale = Scale::of_army(def, None);
    let known = def.all_kinds().find(|&kind| def.kind(kind).name == name);
    let known = known.and_then(|kind| Some((Regressor::Pair(kind), def.kind(kind).pair?)));
    let effect = match known {
        None => Err(format!("{game} has no bonus for a pair of {name}s")),
        Some((pair, _)) => cache.values(game).and_then(|fitted| {
            let estimate = &fitted.estimate;
            let bonus = estimate.contrast(pair, estimate.mean_left);
            let bonus = bonus.ok_or_else(|| format!("no position contains {}", pair.name(def)))?;
            let unit = scale.contrast(&fitted, def)?;
            Ok(scaled_effect(&fitted, estimate.ratio(&bonus, &unit), 1.0))
        }),
    };
    let claimed = known.map_or(0.0, |(_, claimed)| scale.divided(claimed));
    TestResult::Number(NumberResult {
        claim: format!(
            "a pair of {name}s is worth {claimed} extra where the army is worth {}",
            scale.sum
        ),
        unit: scale.unit(),
        claimed: Claimed::Equal {
            value: claimed,
            // A bonus is small compared with the pieces, so a wider interval supports it.
            max_width: claimed,
        },
        effect,
        note: None,
    })
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
    let others_worth = match others {
        [only] => format!("{} is worth {unit}", with_article(only)),
        _ => format!("{} are worth {unit} on average", enumeration(others)),
    };
    let measured = cache.values(game);
    let at = |left: Option<f64>| {
        let fitted = measured.as_ref().map_err(Clone::clone)?;
        let ratio = relative_to(fitted, kind, others, left.unwrap_or(fitted.estimate.mean_left))?;
        Ok(scaled_effect(fitted, ratio, unit))
    };
    let result = |claim: String, effect: Result<Effect, String>| {
        TestResult::Number(NumberResult {
            claim,
            unit: format!("units in which {others_worth}"),
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
            format!("{} is worth {claimed} if {others_worth}", with_article(kind)),
            at(None),
        ),
        result("the same on a full board".to_owned(), at(Some(1.0))),
    ]
}

#[cfg(test)]
mod tests {
    use assay_selfplay::settings::GameSource;

    use super::*;

    #[test]
    fn values_in_hundredths_are_divided() {
        let values = [("queen", 900), ("rook", 500), ("bishop", 300), ("knight", 300)];
        let values = values.map(|(piece, value)| format!("[pieces.{piece}]\nvalue = {value}\n"));
        let text = format!(
            "name = 'x'\ntitle = 'x'\nbase = 'chess'\nsource = 'nobody'\n{}",
            values.concat()
        );
        let game = GameSource::from_text(text, "x").unwrap().game;
        let scale = Scale::of_army(&game, None);
        assert_eq!(
            scale.unit(),
            "units in which queen, rook, bishop, knight together are worth 20, the sum of their published values divided by 100"
        );
        assert!((scale.divided(50.0) - 0.5).abs() < 1e-12);
        let scale = Scale::of_army(&game, Some("knight"));
        assert_eq!(scale.pieces(), 3);
        assert!((scale.sum - 17.0).abs() < 1e-12);
        let scale = Scale::of_army(&GameDef::builtin("chess").unwrap(), None);
        assert_eq!(
            scale.unit(),
            "units in which queen, rook, bishop, knight together are worth 20, the sum of their published values"
        );
    }
}
