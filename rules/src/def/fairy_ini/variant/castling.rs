//! Castling.

use super::super::super::keys::{CastlingKeys, GameKeys};
use super::super::kinds::{FairyKinds, Name, Names};
use super::draft::{Conflict, Draft, require};
use super::key::{File, Key, Setting, keys};

use crate::types::board::Board;
use crate::variant::GameDef;

keys! {
    /// Castling.
    CastlingSettings in castling {
        is_allowed: bool = true, "castling" => CASTLING;
        kingside_file: File = File(6), "castlingKingsideFile" => CASTLING;
        queenside_file: File = File(2), "castlingQueensideFile" => CASTLING;
        rank: u8 = 1, "castlingRank" => CASTLING;
        from_any_file: bool = false, "chess960" => &["castling.from-any-file", "castling", "walls", "pieces"];
        king: Option<Name> = Some("king"), "castlingKingPiece" => CASTLING;
        partners: Vec<Name> = vec!["rook"], "castlingRookPieces" => CASTLING;
    }
    first {
        "castlingRookPiece" sets ["castlingRookPieces"], |rules, entry, kinds| rules.castling.partners.read(entry, kinds);
    }
}

const CASTLING: &[&str] = &["castling", "pieces", "starts"];

impl CastlingSettings {
    /// Returns true if the start has rights of castling, and the pieces exist.
    pub(super) fn is_possible(&self, start: &str, kinds: &FairyKinds) -> bool {
        self.is_allowed
            && start.split(' ').nth(2).is_some_and(|rights| rights != "-" && rights != "0")
            && self.king.is_some_and(|king| kinds.letter(king).is_some())
            && !kinds.letters(&self.partners).is_empty()
    }
}

pub(super) fn define(draft: &Draft<'_>, keys: &mut GameKeys) -> Result<(), Conflict> {
    if !draft.castles {
        return Ok(());
    }
    let castling = &draft.rules.castling;
    let king = castling.king.and_then(|king| draft.kinds.letter(king)).unwrap_or_default();
    let rank = castling.rank;
    // One side may have no king.
    let is_there = draft.rank(rank, false).contains(king) || draft.rank(rank, true).contains(king.to_ascii_lowercase());
    let message = format!("found castlingRank = {rank}, expected the rank of the king, or castling = false");
    require(is_there, &["castlingRank", "king", "castling"], message)?;
    keys.castling = Some(CastlingKeys {
        partner: Some(draft.kinds.letters(&castling.partners)),
        kingside_file: Some(Board::file_letter(castling.kingside_file.0).to_string()),
        queenside_file: Some(Board::file_letter(castling.queenside_file.0).to_string()),
        from_any_file: Some(castling.from_any_file),
        ..CastlingKeys::default()
    });
    Ok(())
}

pub(super) fn fill(game: &GameDef, names: &Names, castling: &mut CastlingSettings) {
    let Some(rule) = &game.mechanisms.castling else {
        castling.is_allowed = false;
        return;
    };
    let file = |square| File(game.board.file(square));
    for wing in game.castling_wings().iter().rev() {
        let is_kingside = wing.partner_from > wing.king_from;
        *(if is_kingside { &mut castling.kingside_file } else { &mut castling.queenside_file }) = file(wing.king_to);
    }
    castling.rank = rule.wings.first().map_or(1, |wing| game.board.relative_rank(wing.color, wing.king_from));
    let mut partners: Vec<_> = rule.wings.iter().map(|wing| wing.partner).collect();
    partners.sort_unstable_by_key(|&partner| game.kind(partner).letter);
    partners.dedup();
    castling.partners = names.of(&partners);
    castling.from_any_file = rule.from_any_file;
    castling.king = game.kinds.castling_king().map(|king| names[king]);
}
