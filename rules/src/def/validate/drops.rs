//! Drops.

use super::super::error::DefError;
use super::super::file::Source;
use super::super::keys::DropKeys;
use crate::types::color::{ByColor, Color};
use crate::types::definition::{Captured, Drops, GameDef, KindDef};
use crate::types::piece::{Kind, MAX_KINDS};
use crate::types::square::SquareSet;

impl Source<'_> {
    /// Reads the table of drops. If promoted pieces revert when captured, pawns promote to copies
    /// of the kinds, which are added.
    pub(super) fn drops(&self, game: &mut GameDef) -> Result<(), DefError> {
        let Some(raw) = &self.raw.drops else { return Ok(()) };
        let kinds = self.dropped_kinds(game, raw.kinds.as_deref())?;
        let has_promoted = game.kinds.iter().any(|kind| kind.unpromoted.is_some());
        if has_promoted && raw.promoted_revert == Some(false) {
            let message = "found false, expected true: pieces that are written with a `+` always revert";
            return Err(self.error("drops.promoted-revert", message));
        }
        if !has_promoted && raw.promoted == Some(true) {
            let message = "found true, expected false: no piece of this game is written with a `+`";
            return Err(self.error("drops.promoted", message));
        }
        for letter in raw.ranks.keys() {
            if !kinds.iter().any(|&kind| game.kind(kind).letter.to_string() == *letter) {
                let key = format!("drops.ranks.{letter}");
                return Err(
                    self.error(&key, format!("found `{letter}`, expected the letter of a piece that can be dropped"))
                );
            }
        }
        let mut zones = vec![ByColor::default(); game.kinds.len()];
        for &kind in &kinds {
            zones[kind.index()] = self.drop_zone(game, raw, kind)?;
            if let Some(promoted) = game.promoted(kind).filter(|_| raw.promoted == Some(true)) {
                zones[promoted.index()] = self.drop_zone(game, raw, promoted)?;
            }
        }
        game.drops = Some(Drops {
            kinds,
            zones,
            captured: raw.captured.unwrap_or(Captured::ToCapturer),
            promoted: raw.promoted.unwrap_or(false),
            pawns_per_file: raw.pawns_per_file,
            pawn_mate: raw.pawn_mate.unwrap_or(true),
        });
        if raw.pawns_per_file == Some(0) {
            let message = "found 0, expected 1 or more, or `kinds` without the pawn";
            return Err(self.error("drops.pawns-per-file", message));
        }
        if game.captures_return() && raw.promoted_revert.unwrap_or(true) {
            self.add_promoted_copies(game)?;
        }
        Ok(())
    }

    fn dropped_kinds(&self, game: &GameDef, letters: Option<&str>) -> Result<Vec<Kind>, DefError> {
        let is_excluded =
            |kind: &Kind| game.is_royal(*kind) || Some(*kind) == game.joker || game.unpromoted(*kind) != *kind;
        let Some(letters) = letters else {
            return Ok(game.all_kinds().filter(|kind| !is_excluded(kind)).collect());
        };
        let mut kinds = self.kinds_of(game, "drops.kinds", letters)?;
        if kinds.is_empty() || kinds.iter().any(is_excluded) {
            let message = format!("found `{letters}`, expected at least one kind, neither king nor joker");
            return Err(self.error("drops.kinds", message));
        }
        kinds.sort_unstable();
        Ok(kinds)
    }

    /// Squares on which a kind may be dropped: those on the ranks of the definition, or by default
    /// any for pieces, and for pawns those from the second rank to the one before the first
    /// promotion. A piece is not dropped outside of its zone or on a hanging square, which can be
    /// entered only by a capture, and some games forbid squares that the piece could never leave
    /// without a capture.
    fn drop_zone(&self, game: &GameDef, raw: &DropKeys, kind: Kind) -> Result<ByColor<SquareSet>, DefError> {
        let board = &game.board;
        let (first, top) = (board.first_rank(), board.first_rank() + board.ranks() - 1);
        let letter = game.kind(kind).letter;
        let key = format!("drops.ranks.{letter}");
        // Pawns that never have to promote are dropped like pieces.
        let is_pawn = kind == game.pawn && !game.promotion.is_empty();
        let last = if is_pawn { game.last_rank().saturating_sub(1) } else { top };
        let [low, high] = match raw.ranks.get(&letter.to_string()) {
            Some(&ranks) => ranks,
            None if is_pawn => [first + 1, game.first_promotion_rank().saturating_sub(1)],
            None => [first, top],
        };
        if low < first || high > last || low > high {
            let message = format!(
                "found ranks {low} to {high}, expected the first and the last rank for a {letter}, within {first} to {last}"
            );
            return Err(self.error(&key, message));
        }
        Ok(ByColor::new_with(|color: Color| {
            let is_mobile = |square| !game.forbids_immobility || game.is_mobile(kind, color, square);
            let zone = game.kind(kind).zone.as_ref().map(|zone| zone[color]);
            let is_open = |square| {
                !board.hanging().contains(square) && zone.is_none_or(|zone| zone.contains(square)) && is_mobile(square)
            };
            let in_zone = |square| (low..=high).contains(&board.relative_rank(color, square)) && is_open(square);
            board.squares().filter(|&square| in_zone(square)).collect()
        }))
    }

    /// Adds a copy of each kind that pawns promote to, and lets them promote to the copies. A joker
    /// is never dropped and keeps its kind.
    fn add_promoted_copies(&self, game: &mut GameDef) -> Result<(), DefError> {
        let GameDef { kinds, promotion, drops, pawn, .. } = game;
        for choice in promotion.iter_mut().flat_map(|rank| &mut rank.kinds) {
            if Some(*choice) == game.joker {
                continue;
            }
            let known = kinds.iter().position(|kind| kind.copy_of == Some(*choice));
            let copy = known.unwrap_or_else(|| {
                let original = kinds[choice.index()].clone();
                kinds.push(KindDef {
                    name: format!("promoted {}", original.name),
                    value: None,
                    rounded: None,
                    pair: None,
                    copy_of: Some(*choice),
                    unpromoted: Some(*pawn),
                    ..original
                });
                kinds.len() - 1
            });
            *choice = Kind(copy as u8);
        }
        if kinds.len() > MAX_KINDS {
            let message = format!(
                "found {} kinds with the promoted ones, which revert when captured, expected at most {MAX_KINDS}",
                kinds.len()
            );
            return Err(self.error("drops", message));
        }
        if let Some(drops) = drops {
            drops.zones.resize(kinds.len(), ByColor::default());
        }
        Ok(())
    }
}
