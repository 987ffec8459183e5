//! Weights for a game that nobody has tuned yet, computed from how its pieces move.

use std::sync::Arc;

use assay_rules::GameDef;
use assay_rules::def::PieceClass;
use assay_rules::piece::Kind;

use super::{Weight, Weights};
use crate::eval::mobility::AverageMobility;

/// A piece's value grows a little faster than what it reaches: `LINEAR * strength + SQUARE * strength²` centipawns of the
/// orthodox pawn, which gives knight, bishop, rook and queen of orthodox chess 310, 353, 499 and 945.
const LINEAR: f64 = 54.0;
const SQUARE: f64 = 0.95;
/// The strength of the orthodox pawn on the chess board, by [`AverageMobility::strength`]: it steps to 0.875 squares and captures on 1.53.
const ORTHODOX_PAWN: f64 = 0.4 * 0.875 + 0.6 * 1.531;
/// The part of a pawn's value that is the queen it may become, whatever its moves.
const PROMOTION_SHARE: f64 = 0.6;
/// A joker moves as the opponent has just moved, often as a pawn: worth this part of the average piece.
const JOKER_SHARE: f64 = 0.65;
/// What is missing from a piece in the pocket, in parts of its value.
const POCKET_SHARE: f64 = 0.85;

/// Computed weights.
pub(super) fn computed(game: &Arc<GameDef>) -> Weights {
    let mut weights = Weights::zero(game, "computed from the pieces' average reach on a half-empty board");
    let pawn = pawn_value(game);
    for kind in game.all_kinds() {
        let value = match game.kind(kind).class {
            PieceClass::King => continue,
            PieceClass::Pawn => 100.0,
            _ => (value(game, kind) / pawn * 100.0).round(),
        };
        set_material(&mut weights, kind, Weight::flat(value));
    }
    place(&mut weights);
    general(&mut weights);
    weights
}

/// Sets the value of a piece, and of the same piece in the pocket.
pub(super) fn set_material(weights: &mut Weights, kind: Kind, weight: Weight) {
    let terms = weights.terms().kinds[kind.index()];
    let pocket = Weight {
        middlegame: (weight.middlegame * POCKET_SHARE).round(),
        endgame: (weight.endgame * POCKET_SHARE).round(),
    };
    let both = [(terms.material, weight), (terms.pocket, pocket)];
    for (term, weight) in both.into_iter().filter_map(|(term, weight)| Some((term?, weight))) {
        weights.set(term, weight);
    }
}

/// The value of a piece other than king and pawn in centipawns of the orthodox pawn.
pub(in crate::eval) fn value(game: &GameDef, kind: Kind) -> f64 {
    let by_reach = |kind| {
        let strength = AverageMobility::of(game, kind).strength();
        LINEAR * strength + SQUARE * strength * strength
    };
    if Some(kind) != game.joker {
        return by_reach(kind);
    }
    let others: Vec<f64> = game
        .all_kinds()
        .filter(|&other| other != kind && other != game.king && other != game.pawn)
        .map(by_reach)
        .collect();
    JOKER_SHARE * others.iter().sum::<f64>() / others.len().max(1) as f64
}

/// What a kind reaches, as one number; a joker what the others reach on average.
fn strength(game: &GameDef, kind: Kind) -> f64 {
    if Some(kind) != game.joker {
        return AverageMobility::of(game, kind).strength();
    }
    let others: Vec<f64> = game
        .all_kinds()
        .filter(|&other| other != kind)
        .map(|other| AverageMobility::of(game, other).strength())
        .collect();
    others.iter().sum::<f64>() / others.len().max(1) as f64
}

/// The value of the game's pawn in centipawns of the orthodox one.
fn pawn_value(game: &GameDef) -> f64 {
    let strength = AverageMobility::of(game, game.pawn).strength();
    100.0 * (PROMOTION_SHARE + (1.0 - PROMOTION_SHARE) * strength / ORTHODOX_PAWN)
}

/// Where pieces stand well, and what else is said of each kind.
fn place(weights: &mut Weights) {
    let game = weights.game().clone();
    let ranks = game.board.ranks();
    let files = game.board.files().div_ceil(2);
    let home = game.pawn_home_rank - game.board.first_rank();
    let last = game.last_rank() - game.board.first_rank();
    for kind in game.all_kinds() {
        let terms = weights.terms().kinds[kind.index()];
        // 1 in the middle of the board, 0 at its edge.
        let middle = |rank: u8| {
            let edge = f64::from(rank.min(ranks - 1 - rank));
            edge / f64::from((ranks - 1) / 2).max(1.0)
        };
        let inner = |file: u8| f64::from(file) / f64::from(files - 1).max(1.0);
        // 0 on the pawns' home rank, 1 on their last.
        let advance = |rank: u8| (f64::from(rank) - f64::from(home)) / f64::from(last - home).max(1.0);
        let strength = strength(&game, kind);
        // What reaches much reaches it from anywhere: standing in the middle matters to light pieces.
        let light = (8.0 / strength.max(4.0)).min(1.5);
        for rank in 0..ranks {
            let weight = match game.kind(kind).class {
                PieceClass::King => Weight {
                    middlegame: -18.0 * f64::from(rank),
                    endgame: 24.0 * middle(rank) - 12.0,
                },
                PieceClass::Pawn => {
                    let advance = advance(rank).clamp(0.0, 1.0);
                    Weight {
                        middlegame: 30.0 * advance * advance,
                        endgame: 70.0 * advance * advance,
                    }
                }
                _ => Weight {
                    middlegame: light * (18.0 * middle(rank) - 10.0),
                    endgame: light * (10.0 * middle(rank) - 5.0),
                },
            };
            weights.set(terms.ranks.plus(rank), rounded(weight));
        }
        for file in 0..files {
            let weight = match game.kind(kind).class {
                PieceClass::King => Weight {
                    middlegame: -24.0 * inner(file) + 12.0,
                    endgame: 16.0 * inner(file) - 8.0,
                },
                PieceClass::Pawn => Weight {
                    middlegame: 14.0 * inner(file) - 7.0,
                    endgame: 4.0 - 8.0 * inner(file),
                },
                _ => Weight {
                    middlegame: light * (12.0 * inner(file) - 7.0),
                    endgame: light * (8.0 * inner(file) - 5.0),
                },
            };
            weights.set(terms.files.plus(file), rounded(weight));
        }
        if let Some(term) = terms.mobility {
            let each = 30.0 / (strength + 2.0);
            weights.set(
                term,
                rounded(Weight {
                    middlegame: each,
                    endgame: each,
                }),
            );
        }
        if let Some(term) = terms.king_attack {
            weights.set(
                term,
                Weight {
                    middlegame: 7.0,
                    endgame: 1.0,
                },
            );
        }
        if let Some(term) = terms.pair {
            weights.set(
                term,
                Weight {
                    middlegame: 30.0,
                    endgame: 45.0,
                },
            );
        }
    }
}

/// What is said of the position as a whole.
fn general(weights: &mut Weights) {
    let game = weights.game().clone();
    let general = weights.terms().general;
    weights.set(
        general.tempo,
        Weight {
            middlegame: 14.0,
            endgame: 6.0,
        },
    );
    weights.set(
        general.isolated,
        Weight {
            middlegame: -10.0,
            endgame: -12.0,
        },
    );
    weights.set(
        general.doubled,
        Weight {
            middlegame: -6.0,
            endgame: -14.0,
        },
    );
    weights.set(
        general.protected,
        Weight {
            middlegame: 7.0,
            endgame: 4.0,
        },
    );
    weights.set(
        general.pawn_threat,
        Weight {
            middlegame: 30.0,
            endgame: 25.0,
        },
    );
    weights.set(
        general.pawn_shield,
        Weight {
            middlegame: 11.0,
            endgame: 0.0,
        },
    );
    let (home, last) = (
        game.pawn_home_rank - game.board.first_rank(),
        game.last_rank() - game.board.first_rank(),
    );
    for rank in home..=last {
        let advance = f64::from(rank - home) / f64::from(last - home).max(1.0);
        let squared = advance * advance;
        weights.set(
            general.passed.plus(rank),
            rounded(Weight {
                middlegame: 4.0 + 60.0 * squared,
                endgame: 10.0 + 130.0 * squared,
            }),
        );
    }
}

/// To tenths of a centipawn.
fn rounded(weight: Weight) -> Weight {
    let round = |centipawns: f64| (centipawns * 10.0).round() / 10.0;
    Weight {
        middlegame: round(weight.middlegame),
        endgame: round(weight.endgame),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess_pieces_get_about_what_everybody_says() {
        let game = GameDef::builtin("chess").unwrap();
        let weights = computed(&game);
        for (letter, least, most) in [
            ('N', 290.0, 340.0),
            ('B', 310.0, 370.0),
            ('R', 460.0, 540.0),
            ('Q', 880.0, 1000.0),
        ] {
            let kind = game.kind_by_letter(letter).unwrap();
            let value = weights.get(weights.terms().material(kind).unwrap()).middlegame;
            assert!((least..=most).contains(&value), "{letter}: {value}");
        }
    }

    #[test]
    fn every_game_has_an_order_of_values() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let weights = computed(&game);
        let value = |letter| {
            let kind = game.kind_by_letter(letter).unwrap();
            weights.get(weights.terms().material(kind).unwrap()).middlegame
        };
        assert!(
            value('Q') > value('A') && value('A') > value('R') && value('R') > value('N') && value('N') > value('P')
        );
        assert!(value('P') < value('J') && value('J') < value('Q'));
    }
}
