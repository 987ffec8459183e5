//! The inventor's ratios: which pieces stand to each other as published, and what the others are worth relative to them.
//!
//! Shares of the army sum to a constant, so one piece that is worth more than published lowers the shares of all others. Ratios of two pieces do
//! not depend on a third one.

use assay_rules::Kind;
use assay_rules::def::PieceClass;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::values::inference::distributions::CONFIDENCE_LEVEL;
use crate::values::inference::estimate::{IntervalEstimate, PieceValue};
use crate::values::inference::fieller::ConfidenceRegion;
use crate::values::inference::joint_test::JointTest;
use crate::values::inference::units::{UnitMeasure, UnitTable};
use crate::values::inference::verdict::{ValueVerdict, max_width};

/// The published ratios of the pieces, tested.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PublishedRatios {
    /// Pieces whose published ratios to each other the games do not reject at the 5% level: at least two, or none if no two agree. They are found by
    /// leaving out one piece after the other, each time the one without which the joint test has the largest p-value.
    pub consistent: Vec<RelativeValue>,
    /// Joint test of the ratios among the consistent pieces; `None` if there are none.
    pub test: Option<JointTest>,
    /// The other pieces with a published value, relative to the consistent ones; relative to all pieces if none are consistent.
    pub others: Vec<RelativeValue>,
    /// The pawn, relative to the same pieces; `None` if it has no published value.
    pub pawn: Option<RelativeValue>,
}

/// The value of a piece relative to others.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct RelativeValue {
    pub piece: String,
    /// True if half of the pair's bonus is included.
    pub with_half_pair: bool,
    /// Measured value divided by the published one, both in units in which the reference pieces together have the same value: 1 is as published.
    pub ratio: IntervalEstimate,
}

impl PublishedRatios {
    /// The relative value of a piece; `None` if nothing is published.
    pub fn of(&self, piece: &str) -> Option<&RelativeValue> {
        let mut all = self.consistent.iter().chain(&self.others).chain(&self.pawn);
        all.find(|value| value.piece == piece)
    }

    /// Verdict on the published ratio of a piece. The joint test has judged the pieces other than the pawn: one that it left out never agrees, and
    /// one that it kept is neither above nor below, whatever its own interval.
    pub fn verdict(&self, piece: &str) -> Option<ValueVerdict> {
        let value = self.of(piece)?;
        let is_pawn = self.pawn.as_ref().is_some_and(|pawn| pawn.piece == piece);
        let is_consistent = self.consistent.iter().any(|kept| kept.piece == piece);
        Some(match value.ratio.interval {
            ConfidenceRegion::Bounded { low, .. } if !is_consistent && low > 1.0 => ValueVerdict::Above,
            ConfidenceRegion::Bounded { high, .. } if !is_consistent && high < 1.0 => ValueVerdict::Below,
            _ if (is_consistent || is_pawn) && value.largest_deviation().is_some() => ValueVerdict::Agrees,
            _ => ValueVerdict::Inconclusive,
        })
    }
}

impl RelativeValue {
    /// The largest deviation from the published value, as a share of it, that the interval allows; `None` if that is more than a quarter.
    pub fn largest_deviation(&self) -> Option<f64> {
        let ConfidenceRegion::Bounded { low, high } = self.ratio.interval else {
            return None;
        };
        let deviation = (1.0 - low).max(high - 1.0);
        (deviation <= max_width(1.0) / 2.0).then_some(deviation)
    }
}

/// Replaces the verdicts on shares and on values in pawns by those on ratios, so that a piece has one verdict in all units. Without ratios the
/// verdicts in pawns count.
pub(in crate::values) fn judge(ratios: Option<&PublishedRatios>, values: &mut [PieceValue], units: &mut [UnitTable]) {
    let is_judged = |verdict: ValueVerdict| !matches!(verdict, ValueVerdict::Unit | ValueVerdict::Unmeasurable);
    if let Some(ratios) = ratios {
        for value in values.iter_mut().filter(|value| is_judged(value.verdict)) {
            value.verdict = ratios.verdict(&value.piece).unwrap_or(value.verdict);
        }
    }
    for value in units.iter_mut().flat_map(|table| &mut table.values) {
        let in_pawns = values.iter().find(|other| other.piece == value.piece);
        let in_pawns = in_pawns
            .map(|other| other.verdict)
            .filter(|&verdict| is_judged(verdict));
        let of_ratio = ratios.and_then(|ratios| ratios.verdict(&value.piece));
        if is_judged(value.verdict) {
            value.verdict = of_ratio.or(in_pawns).unwrap_or(value.verdict);
        }
    }
}

/// A measured piece with a published value.
struct Published {
    kind: Kind,
    value: f64,
    /// Contrast of the measured value in log-odds divided by the published value.
    contrast: DVector<f64>,
}

/// Tests the published ratios in a fit to the games of `clusters` opening pairs. `None` if fewer than two pieces other than the pawn have published
/// values, or if there are too few games for a joint test.
pub fn published_ratios(measure: &UnitMeasure<'_>, clusters: usize) -> Option<PublishedRatios> {
    let (pawns, pieces): (Vec<Published>, Vec<Published>) = published(measure)
        .into_iter()
        .partition(|piece| measure.game().kind(piece.kind).class == PieceClass::Pawn);
    let (consistent, test) = consistent(measure, &pieces, clusters)?;
    let is_consistent = |piece: &&Published| consistent.contains(&piece.kind);
    let reference: Vec<&Published> = if consistent.is_empty() {
        pieces.iter().collect()
    } else {
        pieces.iter().filter(is_consistent).collect()
    };
    // The log-odds of one unit if the reference pieces together are worth what is published.
    let unit = {
        let sum: f64 = reference.iter().map(|piece| piece.value).sum();
        let parts = reference.iter().map(|piece| &piece.contrast * (piece.value / sum));
        parts.reduce(|one, other| one + other)?
    };
    let relative = |piece: &Published| RelativeValue {
        piece: measure.game().kind(piece.kind).name.clone(),
        with_half_pair: measure.has_half_pair(piece.kind),
        ratio: measure.ratio(&piece.contrast, &unit),
    };
    Some(PublishedRatios {
        consistent: pieces.iter().filter(is_consistent).map(relative).collect(),
        test,
        others: pieces
            .iter()
            .filter(|piece| !is_consistent(piece))
            .map(relative)
            .collect(),
        pawn: pawns.first().map(relative),
    })
}

/// Joint test of the published ratios of all measured pieces but the pawn, in a fit to the games of `clusters` opening pairs. `None` if fewer than
/// two of them have published values, or if there are too few games.
pub(in crate::values) fn test_all_ratios(measure: &UnitMeasure<'_>, clusters: usize) -> Option<JointTest> {
    let pieces = published(measure);
    let is_pawn = |piece: &&Published| measure.game().kind(piece.kind).class == PieceClass::Pawn;
    let pieces: Vec<&Published> = pieces.iter().filter(|piece| !is_pawn(piece)).collect();
    test_ratios(measure, &pieces, clusters)
}

/// The measured pieces with a published value.
fn published(measure: &UnitMeasure<'_>) -> Vec<Published> {
    let kinds = measure.kinds().iter();
    kinds
        .filter_map(|&kind| {
            let value = measure.game().kind(kind).value.filter(|&value| value > 0.0)?;
            Some(Published {
                kind,
                value,
                contrast: measure.average_worth(kind)? / value,
            })
        })
        .collect()
}

/// The pieces that are consistent with their published ratios, with their joint test.
fn consistent(
    measure: &UnitMeasure<'_>,
    pieces: &[Published],
    clusters: usize,
) -> Option<(Vec<Kind>, Option<JointTest>)> {
    let mut left: Vec<&Published> = pieces.iter().collect();
    let mut test = test_ratios(measure, &left, clusters)?;
    while test.p < 1.0 - CONFIDENCE_LEVEL {
        if left.len() == 2 {
            return Some((Vec::new(), None));
        }
        let without = |index: usize| {
            let mut rest = left.clone();
            rest.remove(index);
            Some((test_ratios(measure, &rest, clusters)?, rest))
        };
        let candidates = (0..left.len()).filter_map(without);
        (test, left) = candidates.max_by(|(one, _), (other, _)| one.p.total_cmp(&other.p))?;
    }
    Some((left.iter().map(|piece| piece.kind).collect(), Some(test)))
}

/// Joint test of the hypothesis that some pieces, at least two, have the published ratios to each other.
fn test_ratios(measure: &UnitMeasure<'_>, pieces: &[&Published], clusters: usize) -> Option<JointTest> {
    let (first, others) = pieces.split_first().filter(|(_, others)| !others.is_empty())?;
    let rows: Vec<_> = others
        .iter()
        .map(|other| (&other.contrast - &first.contrast).transpose())
        .collect();
    let contrasts = DMatrix::from_rows(&rows);
    let fit = measure.fit();
    let covariance = &contrasts * &fit.covariance * contrasts.transpose();
    JointTest::of_zero(&(&contrasts * &fit.values), &covariance, clusters)
}
