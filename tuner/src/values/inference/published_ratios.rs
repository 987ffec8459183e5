//! Joint test of the inventor's ratios. Ratios of two pieces do not depend on a third one.

use nalgebra::DMatrix;

use crate::values::inference::joint_test::JointTest;
use crate::values::inference::units::UnitMeasure;

/// Joint test of the hypothesis that all measured pieces but the pawn have the published ratios to each other, in a fit to
/// the games of `clusters` opening pairs. `None` if fewer than two of them have published values, or if there are too few
/// games.
pub(in crate::values) fn test_all_ratios(measure: &UnitMeasure<'_>, clusters: usize) -> Option<JointTest> {
    let game = measure.game();
    let pieces = measure.kinds().iter().filter(|&&kind| kind != game.pawn);
    // Measured over published value of each piece.
    let contrasts =
        pieces.filter_map(|&kind| Some(measure.worth(kind, measure.pieces_left())? / game.kind(kind).value?));
    let contrasts: Vec<_> = contrasts.collect();
    let (first, others) = contrasts.split_first().filter(|(_, others)| !others.is_empty())?;
    let rows: Vec<_> = others.iter().map(|other| (other - first).transpose()).collect();
    let differences = DMatrix::from_rows(&rows);
    let fit = measure.fit();
    let covariance = &differences * &fit.covariance * differences.transpose();
    JointTest::of_zero(&(&differences * &fit.values), &covariance, clusters)
}
