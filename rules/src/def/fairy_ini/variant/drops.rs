//! Drops and gating.

use std::num::NonZero;

use indexmap::IndexSet;

use super::super::super::keys::{DropKeys, GameKeys, GatingKeys, LastMoveKeys};
use super::super::kinds::{Name, Names};
use super::draft::{Conflict, Draft, require};
use super::key::{Key, Setting, keys};
use super::pawns::promotion_ranks;
use super::pieces::{is_chess_pawn, is_shogi_pawn};
use crate::types::color::Color;
use crate::types::square::{Square, SquareSet};
use crate::variant::mechanism::drops::Captured;
use crate::variant::{GameDef, mechanism};

keys! {
    /// Drops and gating.
    DropSettings in drops {
        is_allowed: bool = false, "pieceDrops" => &["drops", "walls", "pawns.promotion-limits", "endings", "explosions", "pieces"];
        captures_to_hand: bool = false, "capturesToHand" => &["drops", "explosions", "endings"];
        /// True if captured pieces stay promoted.
        drop_loop: bool = false, "dropLoop" => &["drops.promoted-revert"];
        on_first_rank: bool = false, "firstRankPawnDrops" => &["drops.ranks"];
        in_promotion_zone: bool = false, "promotionZonePawnDrops" => &["drops.ranks"];
        promoted: bool = false, "dropPromoted" => &["drops.promoted"];
        /// Kinds of which a file has no more than a number.
        limited: Vec<Name> = Vec::new(), "dropNoDoubled" => &["drops.pawns-per-file"];
        most_per_file: NonZero<u8> = NonZero::<u8>::MIN, "dropNoDoubledCount" => &["drops.pawns-per-file"];
        forbids_pawn_mate: bool = false, "shogiPawnDropMateIllegal" => &["drops.pawn-mate"];
        gates: bool = false, "gating" => &["gating"];
        gates_as_seirawan: bool = false, "seirawanGating" => &["gating"];
    }
    first {}
}

pub(super) fn define(draft: &Draft<'_>, keys: &mut GameKeys) -> Result<(), Conflict> {
    let drops = &draft.rules.drops;
    if drops.is_allowed {
        keys.drops = Some(drops_of(draft)?);
    }
    if drops.gates || drops.gates_as_seirawan {
        keys.gating = Some(gating(draft)?);
    }
    Ok(())
}

fn drops_of(draft: &Draft<'_>) -> Result<DropKeys, Conflict> {
    let (drops, pawns) = (&draft.rules.drops, &draft.rules.pawns);
    let pawn_promotes = pawns.promotion_types == Some(draft.pawn)
        && !(pawns.promotion_white.is_empty() && pawns.promotion_black.is_empty());
    require(
        !pawn_promotes || draft.pawn == "pawn",
        &["pieceDrops", "pawn"],
        "found pieceDrops with another pawn than that of chess, which may be dropped on all ranks, expected another game",
    )?;
    require(
        drops.limited.is_empty() || drops.limited == [draft.pawn],
        &["dropNoDoubled", "pawn"],
        "found dropNoDoubled of other pieces, expected the pawn or -",
    )?;
    require(
        !drops.promoted || drops.limited.is_empty(),
        &["dropPromoted", "dropNoDoubled"],
        "found dropPromoted and dropNoDoubled, expected one of them: there it also limits promoted pawns",
    )?;
    let mut keys = DropKeys {
        captured: Some(if drops.captures_to_hand { Captured::ToCapturer } else { Captured::Removed }),
        promoted_revert: Some(
            draft.rules.promoted.is_present(draft.kinds) || drops.captures_to_hand && !drops.drop_loop,
        ),
        promoted: Some(drops.promoted),
        pawns_per_file: (!drops.limited.is_empty()).then_some(drops.most_per_file.get()),
        pawn_mate: Some(!drops.forbids_pawn_mate),
        ..DropKeys::default()
    };
    // Only the pawn of chess has these restrictions.
    if let Some(pawn) = draft.kinds.letter("pawn").filter(|_| draft.pawn == "pawn") {
        let zone = promotion_ranks(draft)?;
        let last = draft.board.ranks();
        require(
            !drops.in_promotion_zone || draft.rules.pieces.forbids_immobility,
            &["promotionZonePawnDrops", "immobilityIllegal", "pawn"],
            "found promotionZonePawnDrops = true, expected immobilityIllegal = true, too: no pawn of a definition is on the last rank",
        )?;
        let region = draft.rules.pawns.region_white.write(draft.kinds);
        require(
            drops.in_promotion_zone || zone.last() == Some(&last),
            &["promotionRegionWhite", "pieceDrops"],
            format!(
                "found promotionRegionWhite = {region} with pieceDrops, expected the last rank in it: there pawns are dropped beyond"
            ),
        )?;
        let low = if drops.on_first_rank { 1 } else { 2 };
        let high = if drops.in_promotion_zone { last } else { zone[0] };
        keys.ranks.insert(pawn.to_string(), [low, high - 1]);
    }
    Ok(keys)
}

/// Pieces that enter from the pocket, on the squares that pieces of the castling rank leave.
fn gating(draft: &Draft<'_>) -> Result<GatingKeys, Conflict> {
    let drops = &draft.rules.drops;
    let of_side = |is_own: fn(&char) -> bool| draft.pockets.chars().filter(is_own).map(|c| c.to_ascii_uppercase());
    let pocket: IndexSet<char> = of_side(char::is_ascii_uppercase).collect();
    let is_twice = of_side(char::is_ascii_uppercase).count() > pocket.len();
    let is_equal = of_side(char::is_ascii_lowercase).eq(pocket.iter().copied());
    require(
        drops.gates && drops.gates_as_seirawan && !drops.is_allowed && !pocket.is_empty() && !is_twice && is_equal,
        &["gating", "seirawanGating", "pieceDrops", "startFen"],
        "found gating or seirawanGating, expected both, without pieceDrops, and in the startFen the same pieces in both hands, each once",
    )?;
    let rank = draft.rank(draft.rules.castling.rank, false);
    let movers: IndexSet<char> = rank.chars().filter(char::is_ascii_uppercase).collect();
    Ok(GatingKeys {
        pocket: Some(pocket.into_iter().collect()),
        movers: Some(movers.into_iter().collect()),
        last_move: Some(LastMoveKeys { white: Some(1_000_000), black: Some(1_000_000) }),
        forbids_shielding: Some(true),
    })
}

pub(super) fn fill(game: &GameDef, names: &Names, drops: &mut DropSettings) -> Result<(), String> {
    if let Some(gating) = &game.mechanisms.gating {
        if Color::ALL.into_iter().any(|color| gating.last_move[color] < 1000) || !gating.forbids_shielding {
            return Err("gating that ends after some moves, or that shields the king".to_owned());
        }
        (drops.gates, drops.gates_as_seirawan) = (true, true);
    }
    let Some(rule) = &game.mechanisms.drops else { return Ok(()) };
    let mechanism::drops::Drops {
        kinds,
        zones,
        captured,
        promoted,
        pawns_per_file,
        pawn_mate,
        forced,
        opposite_colors,
    } = rule;
    let castles_by_drops = game.mechanisms.castling.as_ref().is_some_and(|castling| castling.by_drops);
    if *forced || !opposite_colors.is_empty() || castles_by_drops || game.drops_kings() {
        return Err("drops as a phase of the game".to_owned());
    }
    drops.is_allowed = true;
    drops.captures_to_hand = match captured {
        Captured::ToCapturer => true,
        Captured::Removed => false,
        Captured::ToOwner => return Err("captured pieces that return to their owners".to_owned()),
    };
    let others =
        game.kinds.all().filter(|&kind| game.kinds.unpromoted(kind) == kind && Some(kind) != game.kinds.king());
    if game.captures_return() && others.count() != kinds.len() {
        return Err("captured pieces that cannot be dropped".to_owned());
    }
    drops.drop_loop = game.captures_return() && game.kinds.iter().all(|kind| kind.unpromoted.is_none());
    for &kind in kinds {
        let ranks = rule.ranks(&game.board, kind);
        let is_expressed = if kind == game.first_pawn() && is_chess_pawn(game) {
            let first = game.first_promotion_rank();
            drops.in_promotion_zone = ranks.is_some_and(|(_, high)| high >= first);
            drops.on_first_rank = ranks.is_some_and(|(low, _)| low == 1);
            let highest = if drops.in_promotion_zone { game.last_rank() } else { first };
            ranks.is_some_and(|(low, high)| low <= 2 && high + 1 == highest)
        } else {
            let is_open = |&square: &Square| {
                game.kinds.may_enter(kind, Color::White, square)
                    && (game.mechanisms.immobility.is_none() || game.is_mobile(kind, Color::White, square))
            };
            let open: SquareSet = game.board.squares().filter(is_open).collect();
            open == zones[kind.index()][Color::White]
        };
        if !is_expressed {
            return Err(format!("the ranks on which a {} is dropped", game.kind(kind).name));
        }
    }
    if let Some(most) = pawns_per_file.and_then(NonZero::new) {
        drops.limited = vec![names[game.first_pawn()]];
        drops.most_per_file = most;
    }
    drops.promoted = *promoted;
    drops.forbids_pawn_mate = !pawn_mate;
    if !pawn_mate && !is_shogi_pawn(game) {
        return Err("pawns of another game than shogi that must not be dropped with mate".to_owned());
    }
    Ok(())
}
