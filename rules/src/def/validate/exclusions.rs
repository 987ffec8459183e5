//! Mechanics that exclude each other.

use crate::variant::GameDef;
use crate::variant::endings::RepetitionResult;
use crate::variant::mechanism::KeyError;
use crate::variant::mechanism::walls::WallRule;

/// A mechanic, and others that a game with it cannot have.
struct Exclusion {
    /// Returns true if the game has the mechanic.
    is_present: fn(&GameDef) -> bool,
    /// Its key in a definition, and the start of the error: what was found and expected.
    key: &'static str,
    found: &'static str,
    /// Each with how the error ends.
    others: &'static [(fn(&GameDef) -> bool, &'static str)],
}

const EXCLUSIONS: &[Exclusion] = &[
    Exclusion {
        is_present: |game| game.mechanisms.flying_general.is_some(),
        key: "flying-general",
        found: "true, expected false in a game",
        others: &[
            (|game| game.kinds.king().is_none(), "without a piece of class king"),
            (|game| game.kinds.has_several_royals(), "with pieces of class royal"),
            (GameDef::drops_kings, "in which kings can be dropped"),
        ],
    },
    Exclusion {
        is_present: |game| game.mechanisms.piece_promotion.is_some(),
        key: "piece-promotion",
        found: "promotion of pieces, expected none in a game",
        others: &[(|game| game.mechanisms.cannon.is_some(), "with cannon pawns")],
    },
    Exclusion {
        is_present: |game| game.mechanisms.piece_promotion.as_ref().is_some_and(|rule| rule.demotes),
        key: "piece-promotion.demotes",
        found: "true, expected false in a game",
        others: &[
            (|game| !game.pawns.promotion.is_empty(), "with ranks in [promotion]"),
            (|game| game.mechanisms.gating.is_some(), "with gating: their moves could be equal"),
        ],
    },
    Exclusion {
        is_present: |game| !game.pawns.promotion_limits.is_empty(),
        key: "pawns.promotion-limits",
        found: "limits of promotion, expected none in a game",
        others: &[(|game| game.mechanisms.drops.is_some(), "with drops")],
    },
    Exclusion {
        is_present: |game| game.mechanisms.drops.is_some(),
        key: "drops",
        found: "drops, expected none in a game",
        others: &[(|game| game.mechanisms.gating.is_some(), "with gating: both use the pockets")],
    },
    Exclusion {
        is_present: |game| game.mechanisms.drops.as_ref().is_some_and(|drops| drops.forced),
        key: "drops.forced",
        found: "true, expected false in a game",
        others: &[(|game| game.mechanisms.forced_captures.is_some(), "in which captures are forced")],
    },
    Exclusion {
        is_present: |game| game.endings.repetition != RepetitionResult::Draw,
        key: "endings.repetition",
        found: "a loss by repetition, expected none in a game",
        others: &[(|game| game.endings.material_count.is_some(), "that counts material then")],
    },
    Exclusion {
        is_present: |game| !game.endings.insufficient_material.is_empty(),
        key: "endings.insufficient-material",
        found: "armies that cannot win against a bare king, expected none, `[]`, in a game",
        others: &[
            (
                |game| !game.kinds.have_kings() && (game.kinds.king().is_some() || game.vital_kind().is_none()),
                "without a piece of class king on both sides",
            ),
            (GameDef::captures_return, "in which captured pieces can be dropped"),
        ],
    },
    Exclusion {
        is_present: |game| !game.endings.pawn_moves_reset,
        key: "endings.pawn-moves-reset",
        found: "false, expected true in a game",
        others: &[(|game| !game.has_reversible_pawns(), "whose pawns cannot go back")],
    },
    Exclusion {
        is_present: |game| game.mechanisms.bare_king.is_some(),
        key: "endings.bare-king-loses",
        found: "true, expected false in a game",
        others: &[(|game| !game.kinds.have_kings(), "in which not both sides have a king")],
    },
    Exclusion {
        is_present: |game| game.mechanisms.check_count.is_some(),
        key: "endings.checks",
        found: "a number of checks that wins, expected none in a game",
        others: &[(
            |game| game.mechanisms.forbidden_checks.is_some(),
            "with `forbids-checks`, which makes checks illegal",
        )],
    },
    Exclusion {
        is_present: |game| game.mechanisms.counting.is_some(),
        key: "endings.counting",
        found: "a count of moves, expected none in a game",
        others: &[
            (|game| !game.kinds.have_kings(), "in which not both sides have a king"),
            (|game| !game.pocket_kinds().is_empty(), "with pockets"),
            (GameDef::has_en_passant, "with captures en passant"),
        ],
    },
    Exclusion {
        is_present: |game| game.mechanisms.explosions.is_some(),
        key: "explosions",
        found: "captures that explode, expected none in a game",
        others: &[
            (|game| game.mechanisms.cannon.is_some(), "with cannon pawns"),
            (|game| game.mechanisms.gating.is_some(), "with gating"),
            (GameDef::captures_return, "with captured pieces that can be dropped"),
        ],
    },
    Exclusion {
        is_present: |game| game.mechanisms.walls.is_some(),
        key: "walls",
        found: "walls, expected none in a game",
        others: &[
            (|game| !game.board.hanging().is_empty(), "with hanging squares"),
            (|game| game.mechanisms.cannon.is_some(), "with cannon pawns"),
            (|game| !game.pocket_kinds().is_empty(), "with pockets"),
        ],
    },
    Exclusion {
        is_present: |game| has_wall_rule(game, |_| true),
        key: "walls.each-move",
        found: "a wall with each move, expected none in a game",
        others: &[
            (|game| game.kinds.all().any(|kind| game.kinds.is_royal(kind)), "with royal pieces"),
            (|game| game.mechanisms.explosions.is_some(), "with explosions"),
            (
                |game| game.mechanisms.castling.as_ref().is_some_and(|castling| castling.from_any_file),
                "with castling from any file",
            ),
        ],
    },
    Exclusion {
        is_present: |game| game.mechanisms.walls.as_ref().is_some_and(|walls| !walls.petrified.is_empty()),
        key: "walls.petrified",
        found: "pieces that become walls, expected none in a game",
        others: &[
            (|game| has_wall_rule(game, |rule| rule == WallRule::Duck), "with a duck"),
            (|game| game.mechanisms.explosions.is_some(), "with explosions"),
        ],
    },
];

fn has_wall_rule(game: &GameDef, is: fn(WallRule) -> bool) -> bool {
    game.mechanisms.walls.as_ref().and_then(|walls| walls.rule).is_some_and(is)
}

/// Checks that no mechanic of the game excludes another one.
pub(super) fn check(game: &GameDef) -> Result<(), KeyError> {
    for exclusion in EXCLUSIONS.iter().filter(|exclusion| (exclusion.is_present)(game)) {
        if let Some((_, other)) = exclusion.others.iter().find(|(is_present, _)| is_present(game)) {
            return Err(KeyError::new(exclusion.key, format!("found {} {other}", exclusion.found)));
        }
    }
    Ok(())
}
