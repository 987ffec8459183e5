//! Joint test of the inventor's ratios. Ratios of two pieces do not depend on a third one.

use assay_rules::Kind;
use assay_rules::def::PieceClass;
use nalgebra::{DMatrix, DVector};

use crate::values::inference::joint_test::JointTest;
use crate::values::inference::units::UnitMeasure;

/// A measured piece with a published value.
struct Published {
    kind: Kind,
    /// Contrast of the measured value in log-odds divided by the published value.
    contrast: DVector<f64>,
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
                contrast: measure.average_worth(kind)? / value,
            })
        })
        .collect()
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
