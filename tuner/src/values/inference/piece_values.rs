//! Piece values in pawns, with intervals and verdicts.

use serde::{Deserialize, Serialize};

use super::{Estimate, Fit, ValueVerdict};
use crate::values::data::Regressor;
use crate::values::design::{FEW, PhaseModel};
use assay_selfplay::statistics::range;

/// One row of the value table. Values are in pawns at the same game phase.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct PieceValue {
    /// Name of the piece or pair.
    pub piece: String,
    /// True if the measured values include half of the pair's bonus, because one value is published
    /// for both pieces of the pair.
    pub with_half_pair: bool,
    /// The piece's letter; `None` for pairs.
    pub letter: Option<char>,
    /// Published value in the inventor's units.
    #[serde(deserialize_with = "range::any")]
    pub published_raw: Option<f64>,
    /// Published value in pawns.
    #[serde(deserialize_with = "range::any")]
    pub published: Option<f64>,
    /// Measured value, averaged over the positions of the fit.
    pub measured: Option<Estimate>,
    /// Value with at least three quarters of the pieces left; `None` under
    /// [`PhaseModel::Constant`].
    pub full_board: Option<Estimate>,
    /// Value with a quarter of the pieces left.
    pub few_pieces: Option<Estimate>,
    /// Value by fractional logit, as a cross-check.
    #[serde(deserialize_with = "range::any")]
    pub fractional_logit: Option<f64>,
    /// Verdict on the published value.
    pub verdict: ValueVerdict,
}

impl PieceValue {
    /// The measured value; `None` for the unit, which has no error.
    pub fn uncertain(&self) -> Option<Estimate> {
        self.measured.filter(|_| self.verdict != ValueVerdict::Unit)
    }
}

impl Fit {
    /// The value table: pieces by descending published (else measured) value, then the effects of
    /// pairs, second pieces and hands, then what these games do not measure, then the king, which
    /// is never measured. `fractional` is the fractional logit of the same games.
    pub fn piece_values(&self, fractional: Option<&Fit>) -> Vec<PieceValue> {
        let row = |regressor| self.row(regressor, fractional);
        let material = self.regressors().into_iter();
        let material = material.filter(|regressor| !Regressor::CONSTANTS.contains(regressor));
        let (mut pieces, bonuses): (Vec<PieceValue>, Vec<PieceValue>) =
            material.map(row).partition(|value| value.letter.is_some());
        let bounded = |value: &PieceValue| Some(value.measured?.ends()?.1);
        let rank = |value: &PieceValue| value.published.or_else(|| bounded(value)).unwrap_or(0.0);
        pieces.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
        pieces.extend(bonuses);
        let game = &self.game;
        let kinds = game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king()).map(Regressor::Kind);
        let published_pairs = game.kinds.all().filter(|&kind| game.kind(kind).pair.is_some()).map(Regressor::Pair);
        let unmeasured = kinds.chain(published_pairs).filter(|&regressor| self.contrast(regressor, 1.0).is_none());
        pieces.extend(unmeasured.chain(game.kinds.king().map(Regressor::Kind)).map(row));
        pieces
    }

    fn row(&self, regressor: Regressor, fractional: Option<&Fit>) -> PieceValue {
        let game = &*self.game;
        let published = regressor.published_in_pawns(game);
        let is_pawn = regressor == Regressor::Kind(game.first_pawn());
        let in_pawns = |fit: &Fit, left: f64| {
            let pawn = fit.quantity(fit.worth(Regressor::Kind(game.first_pawn()), left)?);
            Some((&fit.quantity(fit.worth(regressor, left)?) / &pawn).estimate())
        };
        let average = in_pawns(self, self.mean_left);
        let changes = self.phase_model != PhaseModel::Constant && !is_pawn;
        let at = |left: f64| in_pawns(self, left).filter(|_| changes);
        let uncertain = average.filter(|_| !is_pawn);
        PieceValue {
            piece: regressor.name(game),
            with_half_pair: self.has_half_pair(regressor),
            letter: match regressor {
                Regressor::Kind(kind) => Some(game.kind(kind).letter),
                _ => None,
            },
            published_raw: regressor.published_raw(game),
            published,
            measured: average,
            full_board: at(1.0),
            few_pieces: at(FEW),
            fractional_logit: uncertain.and(fractional).and_then(|fit| Some(in_pawns(fit, fit.mean_left)?.ends()?.1)),
            verdict: match (regressor, average) {
                (Regressor::Kind(kind), None) if Some(kind) == game.kinds.king() => ValueVerdict::Unmeasurable,
                (_, None) => ValueVerdict::Unmeasured,
                _ if is_pawn => ValueVerdict::Unit,
                (Regressor::Pair(_), Some(average)) => ValueVerdict::of_pair(average, published),
                (_, Some(average)) => ValueVerdict::of(average, published),
            },
        }
    }
}
