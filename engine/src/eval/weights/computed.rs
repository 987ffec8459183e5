//! Weights computed from the movement of the pieces, for games that have not been tuned.

use std::sync::Arc;

use assay_rules::def::PieceClass;
use assay_rules::piece::Kind;
use assay_rules::{GameDef, Points};

use super::{Weight, Weights};
use crate::eval::mobility::{AverageMobility, joker_mean, piece_value};

/// Strength of the orthodox pawn by [`AverageMobility::strength`]: it moves to 0.875 squares and
/// captures on 1.531.
const ORTHODOX_PAWN: f64 = 0.4 * 0.875 + 0.6 * 1.531;
/// Share of a pawn's value that comes from promotion rather than from its moves.
const PROMOTION_SHARE: f64 = 0.6;
/// Value of a piece in the pocket as a share of its value on the board.
const POCKET_SHARE: f64 = 0.85;

impl Weights {
    /// Computes weights from the movement of the pieces.
    pub fn computed(game: &Arc<GameDef>) -> Weights {
        let mut weights = Weights::zero(game, "computed from the pieces' average reach on a half-empty board");
        set_material(&mut weights);
        for kind in game.kinds.all() {
            set_piece_square(&mut weights, kind);
            set_activity(&mut weights, kind);
        }
        set_general(&mut weights);
        weights
    }
}

fn set_material(weights: &mut Weights) {
    let game = weights.game().clone();
    let pawn = pawn_value(&game);
    // The side that has lost all its pieces of such a kind wins.
    let is_burden = |kind: Kind| {
        let rule = game.mechanisms.extinction.as_ref().filter(|rule| rule.score == Points::WIN);
        rule.is_some_and(|rule| rule.kinds.contains(&game.kinds.original(kind)))
    };
    for kind in game.kinds.all() {
        let value = match game.kind(kind).class {
            PieceClass::King => continue,
            PieceClass::Pawn => 100.0,
            _ => (piece_value(&game, kind) / pawn * 100.0).round(),
        };
        let value = if is_burden(kind) { -value } else { value };
        let terms = weights.terms().kinds[kind.index()];
        if let Some(term) = terms.material {
            weights.set(term, Weight::constant(value));
        }
        if let Some(term) = terms.pocket {
            weights.set(term, Weight::constant((value * POCKET_SHARE).round()));
        }
    }
}

/// Value of the game's pawn in centipawns of the orthodox pawn.
fn pawn_value(game: &GameDef) -> f64 {
    let strength = AverageMobility::new(game, game.first_pawn()).strength();
    100.0 * (PROMOTION_SHARE + (1.0 - PROMOTION_SHARE) * strength / ORTHODOX_PAWN)
}

/// Strength of a kind; a joker has the mean of the others.
fn strength(game: &GameDef, kind: Kind) -> f64 {
    let strength = |kind| AverageMobility::new(game, kind).strength();
    if Some(kind) == game.kinds.joker() { joker_mean(game, game.kinds.all(), strength) } else { strength(kind) }
}

/// Sets the weights of ranks and files.
fn set_piece_square(weights: &mut Weights, kind: Kind) {
    let game = weights.game().clone();
    let class = game.kind(kind).class;
    let terms = weights.terms().kinds[kind.index()];
    let (ranks, files) = (game.board.ranks(), game.board.files().div_ceil(2));
    // Centralization matters more to pieces with short moves.
    let short_range = (8.0 / strength(&game, kind).max(4.0)).min(1.5);
    for rank in 0..ranks {
        // 0 on the first and last rank, 1 in the middle.
        let centrality = f64::from(rank.min(ranks - 1 - rank)) / f64::from((ranks - 1) / 2).max(1.0);
        let weight = match class {
            PieceClass::King => Weight { middlegame: -18.0 * f64::from(rank), endgame: 24.0 * centrality - 12.0 },
            PieceClass::Pawn => {
                let advance = advance(&game, rank).clamp(0.0, 1.0);
                Weight { middlegame: 30.0 * advance * advance, endgame: 70.0 * advance * advance }
            }
            _ => Weight {
                middlegame: short_range * (18.0 * centrality - 10.0),
                endgame: short_range * (10.0 * centrality - 5.0),
            },
        };
        weights.set(terms.ranks.plus(rank), rounded(weight));
    }
    for file in 0..files {
        // 0 on the edge, 1 in the middle.
        let centrality = f64::from(file) / f64::from(files - 1).max(1.0);
        let weight = match class {
            PieceClass::King => Weight { middlegame: -24.0 * centrality + 12.0, endgame: 16.0 * centrality - 8.0 },
            PieceClass::Pawn => Weight { middlegame: 14.0 * centrality - 7.0, endgame: 4.0 - 8.0 * centrality },
            _ => Weight {
                middlegame: short_range * (12.0 * centrality - 7.0),
                endgame: short_range * (8.0 * centrality - 5.0),
            },
        };
        weights.set(terms.files.plus(file), rounded(weight));
    }
}

/// Advancement of a pawn: 0 on its home rank, 1 on the last rank.
fn advance(game: &GameDef, rank: u8) -> f64 {
    let home = game.pawns.home_rank - game.board.first_rank();
    let last = game.last_rank() - game.board.first_rank();
    (f64::from(rank) - f64::from(home)) / f64::from(last - home).max(1.0)
}

/// Sets the weights of mobility, king attack and pair.
fn set_activity(weights: &mut Weights, kind: Kind) {
    let terms = weights.terms().kinds[kind.index()];
    if let Some(term) = terms.mobility {
        let strength = strength(weights.game(), kind);
        weights.set(term, rounded(Weight::constant(30.0 / (strength + 2.0))));
    }
    if let Some(term) = terms.king_attack {
        weights.set(term, Weight::new(7.0, 1.0));
    }
    if let Some(term) = terms.pair {
        weights.set(term, Weight::new(30.0, 45.0));
    }
}

/// Sets the weights of tempo and pawn structure.
fn set_general(weights: &mut Weights) {
    let game = weights.game().clone();
    let terms = weights.terms().general;
    weights.set(terms.tempo, Weight::new(14.0, 6.0));
    weights.set(terms.isolated, Weight::new(-10.0, -12.0));
    weights.set(terms.doubled, Weight::new(-6.0, -14.0));
    weights.set(terms.protected, Weight::new(7.0, 4.0));
    weights.set(terms.pawn_threat, Weight::new(30.0, 25.0));
    weights.set(terms.pawn_shield, Weight::new(11.0, 0.0));
    let first_rank = game.board.first_rank();
    for rank in game.pawns.home_rank - first_rank..=game.last_rank() - first_rank {
        let advance = advance(&game, rank);
        let squared = advance * advance;
        let weight = Weight::new(4.0 + 60.0 * squared, 10.0 + 130.0 * squared);
        weights.set(terms.passed.plus(rank), rounded(weight));
    }
}

/// Rounds to tenths of a centipawn.
fn rounded(weight: Weight) -> Weight {
    let round = |centipawns: f64| (centipawns * 10.0).round() / 10.0;
    Weight::new(round(weight.middlegame), round(weight.endgame))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orthodox_pieces_get_their_usual_values() {
        let game = GameDef::builtin("chess").unwrap();
        let weights = Weights::computed(&game);
        for (letter, min, max) in [('N', 290.0, 340.0), ('B', 310.0, 370.0), ('R', 460.0, 540.0), ('Q', 880.0, 1000.0)]
        {
            let kind = game.kinds.by_letter(letter).unwrap();
            let value = weights.get(weights.terms().material(kind).unwrap()).middlegame;
            assert!((min..=max).contains(&value), "{letter}: {value}");
        }
    }

    #[test]
    fn values_of_apothecary2_are_in_a_plausible_order() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let weights = Weights::computed(&game);
        let value = |letter| {
            let kind = game.kinds.by_letter(letter).unwrap();
            weights.get(weights.terms().material(kind).unwrap()).middlegame
        };
        assert!(
            value('Q') > value('A') && value('A') > value('R') && value('R') > value('N') && value('N') > value('P')
        );
        assert!(value('P') < value('J') && value('J') < value('Q'));
    }
}
