//! Squares that pieces cannot leave, `immobilityIllegal`. In Fairy-Stockfish the rule is for drops
//! and moves without promotion, walls count, and it alone keeps pawns that need not promote from
//! staying on the last rank.

use super::draft::Conflict;
use crate::types::color::Color;
use crate::types::piece::Kind;
use crate::types::square::Square;
use crate::variant::GameDef;

/// A difference between a game and a variant with its keys.
pub(super) struct Difference {
    keys: &'static [&'static str],
    pub(super) found: &'static str,
    expected: &'static str,
}

impl From<Difference> for Conflict {
    fn from(Difference { keys, found, expected }: Difference) -> Conflict {
        Conflict::new(keys, format!("found {found}, expected {expected}"))
    }
}

const OPTIONAL_PROMOTION: &[&str] = &["mandatoryPawnPromotion", "immobilityIllegal", "promotionPawnTypes"];

/// Compares a game with a variant that has `immobilityIllegal` if `forbids` is true.
pub(super) fn difference(game: &GameDef, forbids: bool) -> Option<Difference> {
    let is_optional = game.pawns.promotion.len() > 1;
    if is_optional && !forbids {
        return Some(Difference {
            keys: &["mandatoryPawnPromotion", "immobilityIllegal"],
            found: "mandatoryPawnPromotion = false without immobilityIllegal = true",
            expected: "both: pawns could stay on the last rank",
        });
    }
    let squares = || Color::ALL.into_iter().flat_map(|color| game.board.squares().map(move |square| (color, square)));
    let is_last = |(color, square): (Color, Square)| game.board.relative_rank(color, square) == game.last_rank();
    let is_stuck = |kind: Kind, (color, square): (Color, Square)| !game.is_mobile(kind, color, square);
    let pawn = game.first_pawn();
    if is_optional && squares().any(|place| is_last(place) && !is_stuck(pawn, place)) {
        return Some(Difference {
            keys: OPTIONAL_PROMOTION,
            found: "optional promotion of pawns that could move on from the last rank",
            expected: "mandatoryPawnPromotion = true: such pawns could stay there",
        });
    }
    if !forbids {
        return None;
    }
    let is_pawn_at_end = |kind: Kind, place| game.pawns.contains(kind) && is_last(place);
    let is_new = game.mechanisms.immobility.is_none();
    if is_new
        && game.kinds.all().any(|kind| squares().any(|place| is_stuck(kind, place) && !is_pawn_at_end(kind, place)))
    {
        return Some(Difference {
            keys: OPTIONAL_PROMOTION,
            found: "optional promotion of pawns besides pieces that may stand where they cannot move on",
            expected: "immobilityIllegal = true, which is for all of them",
        });
    }
    let turns_stuck = |kind| game.turned(kind).is_some_and(|to| squares().any(|place| is_stuck(to, place)));
    let promotes_stuck = |(color, square)| {
        let promotion = game.promotion_on(color, square);
        promotion.is_some_and(|promotion| {
            promotion.kinds.iter().any(|&to| game.kinds.may_own(color, to) && is_stuck(to, (color, square)))
        })
    };
    if game.kinds.all().any(turns_stuck) || squares().any(promotes_stuck) {
        return Some(Difference {
            keys: &[
                "immobilityIllegal",
                "promotionPieceTypesWhite",
                "promotionPieceTypesBlack",
                "promotionRegionWhite",
                "promotedPieceType",
                "pieceDemotion",
            ],
            found: "immobilityIllegal = true with promotion to a piece that cannot move on from some square",
            expected: "other pieces or false: there the rule is not for promotions",
        });
    }
    game.mechanisms.walls.is_some().then_some(Difference {
        keys: &["immobilityIllegal", "wallingRule", "petrifyOnCaptureTypes", "startFen"],
        found: "immobilityIllegal = true with walls",
        expected: "one of them: there walls make pieces immobile, too",
    })
}
