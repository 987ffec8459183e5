//! Drops: instead of moving, a side may put a piece from its pocket on an empty square.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KeyError, MadeMove, Mechanism, Parts, forbid, kinds_of, ranks_text};
use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::moves::Move;
use crate::types::piece::{Kind, MAX_KINDS, Piece};
use crate::types::square::{Square, SquareSet};
use crate::variant::kinds::{KindDef, Kinds};
use crate::variant::pawns::Pawns;
use crate::variant::{GameDef, Position};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DropKeys {
    /// Letters of the kinds that can be dropped; all but royal kinds and the joker without the key.
    /// With the king among them, each side has its king on the board or in its pocket.
    #[schemars(example = &"PNBRQ")]
    pub kinds: Option<String>,
    /// Whether a side that has a legal drop must drop. The other side may move.
    pub forced: Option<bool>,
    /// Letters of the kinds of which a side has pieces on squares of both colors: the second is
    /// dropped on the other color, and no other piece takes the last square on which one may be
    /// dropped that is still needed.
    #[schemars(example = &"B")]
    pub opposite_colors: Option<String>,
    /// Whose pocket a captured piece goes to. `none`: it is removed.
    #[schemars(with = "Option<String>", extend("default" = "capturer", "enum" = ["capturer", "owner", "none"]))]
    pub captured: Option<Captured>,
    /// Whether a captured promoted piece becomes a pawn again, or keeps its kind.
    #[schemars(extend("default" = true))]
    pub promoted_revert: Option<bool>,
    /// First and last rank of the drops of a kind. Without an entry, pawns are dropped from the
    /// second rank to the one before the first promotion, other pieces anywhere. Replaces the table
    /// of the base as a whole.
    #[schemars(extend("default" = {}, "examples" = [{ "P": [2, 6] }]))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ranks: BTreeMap<String, [u8; 2]>,
    /// Whether a piece X may also be dropped as `+X`.
    pub promoted: Option<bool>,
    /// Pawns of a side on a file with which no other is dropped there. Without the key there is no
    /// limit.
    #[schemars(example = 1)]
    pub pawns_per_file: Option<u8>,
    /// Whether a dropped pawn may give checkmate.
    #[schemars(extend("default" = true))]
    pub pawn_mate: Option<bool>,
}

/// Whose pocket a captured piece goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Captured {
    #[serde(rename = "capturer")]
    ToCapturer,
    #[serde(rename = "owner")]
    ToOwner,
    /// To neither: only pieces that start in a pocket can be dropped.
    #[serde(rename = "none")]
    Removed,
}

/// Drops: instead of moving, a side may put a piece from its pocket on an empty square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drops {
    /// Kinds that may be in a pocket, in ascending order.
    pub kinds: Vec<Kind>,
    /// Squares on which each kind may be dropped, indexed by kind.
    pub zones: Vec<ByColor<SquareSet>>,
    pub captured: Captured,
    /// True if pieces of these kinds may also be dropped as their promoted kinds.
    pub promoted: bool,
    /// Largest number of unpromoted pawns that a side may have on a file by dropping them.
    pub pawns_per_file: Option<u8>,
    /// True if the drop of a pawn may give checkmate.
    pub pawn_mate: bool,
    /// True if a side that has a legal drop must drop.
    pub forced: bool,
    /// Kinds whose second piece is dropped on the other color of squares. Never a pawn or a king.
    pub opposite_colors: Vec<Kind>,
}

impl Drops {
    /// Returns true unless the rule of opposite colors forbids the drop of a piece of `kind`.
    ///
    /// A side needs a color for a piece in its pocket if it has no such piece on squares of that
    /// color, but one on the other or a second one in the pocket. The last free square is kept for
    /// it; if there is none, as cannot happen from a start with enough squares, other pieces are
    /// dropped freely, while Fairy-Stockfish drops none of them.
    fn is_color_allowed(&self, position: &Position, dropped: Kind, to: Square) -> bool {
        let (board, side) = (&position.game().board, position.side_to_move());
        let is_dark = |square| board.is_dark(square);
        self.opposite_colors.iter().all(|&kind| {
            let in_pocket = position.pocket(side).iter().filter(|&&other| other == kind).count();
            let is_it = |&(_, piece): &(Square, Piece)| piece == Piece { color: side, kind };
            let on_board = |dark: bool| position.pieces().filter(is_it).any(|(square, _)| is_dark(square) == dark);
            let has = [false, true].map(on_board);
            let is_needed = |dark: bool| !has[usize::from(dark)] && (has[usize::from(!dark)] || in_pocket > 1);
            if in_pocket == 0 {
                true
            } else if dropped == kind {
                is_needed(is_dark(to)) || has[0] == has[1]
            } else {
                let is_free = |&square: &Square| is_dark(square) == is_dark(to) && position.is_empty(square);
                let mut free = self.zones[kind.index()][side].iter().filter(is_free);
                !is_needed(is_dark(to)) || free.next() != Some(to) || free.next().is_some()
            }
        })
    }

    /// First and last rank on which a kind may be dropped, numbered as in
    /// [`PromotionRank::rank`](super::super::pawns::PromotionRank::rank); `None` if it never is.
    pub fn ranks(&self, board: &Board, kind: Kind) -> Option<(u8, u8)> {
        board.rank_range(self.zones[kind.index()][Color::White])
    }
}

impl GameDef {
    /// The piece that a captured piece becomes in a pocket, with the pocket's owner. `None` if it
    /// goes to no pocket.
    pub fn pocketed(&self, captured: Piece) -> Option<Piece> {
        let drops = self.mechanisms.drops.as_ref()?;
        let color = match drops.captured {
            Captured::ToCapturer => !captured.color,
            Captured::ToOwner => captured.color,
            Captured::Removed => return None,
        };
        let kind = self.kinds.unpromoted(captured.kind);
        drops.kinds.contains(&kind).then_some(Piece { color, kind })
    }

    /// Returns true if captured pieces can be dropped, so that a capture can be undone.
    pub fn captures_return(&self) -> bool {
        self.mechanisms.drops.as_ref().is_some_and(|drops| drops.captured != Captured::Removed)
    }

    /// Returns true if a king can be in a pocket, instead of on the board.
    pub fn drops_kings(&self) -> bool {
        self.kinds.king().is_some_and(|king| self.pocket_kinds().contains(&king))
    }
}

impl DropKeys {
    /// If promoted pieces revert when they are captured, pawns promote to copies of the kinds.
    /// Returns the kinds with these copies, and the pawns that promote to them.
    pub(crate) fn with_copies(&self, kinds: Kinds, mut pawns: Pawns) -> Result<(Kinds, Pawns), KeyError> {
        if self.captured == Some(Captured::Removed) || !self.promoted_revert.unwrap_or(true) {
            return Ok((kinds, pawns));
        }
        let (mut all, pawn) = (kinds.to_vec(), pawns.kinds[0]);
        // A joker is never dropped and keeps its kind.
        let choices = pawns.promotion.iter_mut().flat_map(|rank| &mut rank.kinds);
        for choice in choices.filter(|choice| Some(**choice) != kinds.joker()) {
            let known = all.iter().position(|kind| kind.copy_of == Some(*choice));
            let copy = known.unwrap_or_else(|| {
                let original = all[choice.index()].clone();
                all.push(KindDef {
                    name: format!("promoted {}", original.name),
                    value: None,
                    rounded: None,
                    pair: None,
                    copy_of: Some(*choice),
                    unpromoted: Some(pawn),
                    ..original
                });
                all.len() - 1
            });
            *choice = Kind(copy as u8);
        }
        let found = format!("found {} kinds with the promoted ones, which revert when captured", all.len());
        forbid(all.len() > MAX_KINDS, "drops", format!("{found}, expected at most {MAX_KINDS}"))?;
        Ok((Kinds::new(all), pawns))
    }

    /// `forbids_immobility` tells whether the game [does](super::immobility::ForbiddenImmobility).
    pub(crate) fn build(&self, parts: Parts<'_>, forbids_immobility: bool) -> Result<Drops, KeyError> {
        let kinds = self.dropped_kinds(parts)?;
        let has_promoted = parts.kinds.iter().any(|kind| kind.unpromoted.is_some() && kind.copy_of.is_none());
        let message = "found false, expected true: pieces that are written with a `+` always revert";
        forbid(has_promoted && self.promoted_revert == Some(false), "drops.promoted-revert", message)?;
        let promoted = self.promoted.unwrap_or(false);
        let message = "found true, expected false: no piece of this game is written with a `+`";
        forbid(!has_promoted && promoted, "drops.promoted", message)?;
        for letter in self.ranks.keys() {
            let message = format!("found `{letter}`, expected the letter of a piece that can be dropped");
            let is_dropped = kinds.iter().any(|&kind| parts.kinds[kind].letter.to_string() == *letter);
            forbid(!is_dropped, format!("drops.ranks.{letter}"), message)?;
        }
        let mut zones = vec![ByColor::default(); parts.kinds.len()];
        for &kind in &kinds {
            let also = parts.kinds.promoted(kind).filter(|_| promoted);
            for dropped in [Some(kind), also].into_iter().flatten() {
                zones[dropped.index()] = self.zone(parts, dropped, forbids_immobility)?;
            }
        }
        let message = "found 0, expected 1 or more, or `kinds` without the pawn";
        forbid(self.pawns_per_file == Some(0), "drops.pawns-per-file", message)?;
        let opposite_key = "drops.opposite-colors";
        let letters = self.opposite_colors.as_deref().unwrap_or_default();
        let opposite_colors = kinds_of(parts.kinds, opposite_key, letters)?;
        let is_excluded =
            |kind: &Kind| !kinds.contains(kind) || parts.pawns.contains(*kind) || Some(*kind) == parts.kinds.king();
        let message = format!("found `{letters}`, expected letters of pieces of `kinds`, neither king nor pawn");
        forbid(opposite_colors.iter().any(is_excluded), opposite_key, message)?;
        Ok(Drops {
            kinds,
            zones,
            captured: self.captured.unwrap_or(Captured::ToCapturer),
            promoted,
            pawns_per_file: self.pawns_per_file,
            pawn_mate: self.pawn_mate.unwrap_or(true),
            forced: self.forced.unwrap_or(false),
            opposite_colors,
        })
    }

    fn dropped_kinds(&self, parts: Parts<'_>) -> Result<Vec<Kind>, KeyError> {
        let all = parts.kinds;
        let is_excluded =
            |kind: &Kind| all.is_royal(*kind) || Some(*kind) == all.joker() || all.unpromoted(*kind) != *kind;
        let Some(letters) = &self.kinds else {
            return Ok(all.all().filter(|kind| !is_excluded(kind)).collect());
        };
        let key = "drops.kinds";
        let mut kinds = kinds_of(parts.kinds, key, letters)?;
        let message = format!("found `{letters}`, expected at least one kind, neither royal (class `royal`) nor joker");
        let is_wrong = |kind: &Kind| is_excluded(kind) && Some(*kind) != all.king();
        forbid(kinds.is_empty() || kinds.iter().any(is_wrong), key, message)?;
        kinds.sort_unstable();
        Ok(kinds)
    }

    /// Squares on which a kind may be dropped: those on the ranks of the definition, or by default
    /// any for pieces, and for pawns those from the second rank to the one before the first
    /// promotion. A piece is not dropped outside of its zone or on a hanging square, which can be
    /// entered only by a capture, and some games forbid squares that the piece could never leave
    /// without a capture.
    fn zone(&self, parts: Parts<'_>, kind: Kind, forbids_immobility: bool) -> Result<ByColor<SquareSet>, KeyError> {
        let Parts { board, kinds, pawns } = parts;
        let (first, top) = (board.first_rank(), board.first_rank() + board.ranks() - 1);
        let letter = kinds[kind].letter;
        // Pawns that never have to promote are dropped like pieces.
        let is_pawn = pawns.contains(kind) && !pawns.promotion.is_empty();
        let last = if is_pawn { pawns.last_rank(board).saturating_sub(1) } else { top };
        let [low, high] = match self.ranks.get(&letter.to_string()) {
            Some(&ranks) => ranks,
            None if is_pawn => [first + 1, pawns.first_promotion_rank(board).saturating_sub(1)],
            None => [first, top],
        };
        let expected = format!("the first and the last rank for a {letter}, within {first} to {last}");
        let message = format!("found ranks {low} to {high}, expected {expected}");
        forbid(low < first || high > last || low > high, format!("drops.ranks.{letter}"), message)?;
        Ok(ByColor::new_with(|color: Color| {
            let is_open = |square: &Square| {
                (low..=high).contains(&board.relative_rank(color, *square))
                    && !board.hanging().contains(*square)
                    && kinds.may_enter(kind, color, *square)
                    && (!forbids_immobility || kinds.is_mobile(board, Piece { color, kind }, *square))
            };
            board.squares().filter(is_open).collect()
        }))
    }
}

impl Mechanism for Drops {
    fn sentences(&self, game: &GameDef) -> Vec<String> {
        let Drops { kinds, zones: _, captured, promoted, pawns_per_file, pawn_mate, forced, opposite_colors } = self;
        let mut captured = match captured {
            Captured::ToCapturer => "A captured piece goes to the capturer's pocket".to_owned(),
            Captured::ToOwner => "A captured piece goes to its owner's pocket".to_owned(),
            Captured::Removed => "Captured pieces are gone".to_owned(),
        };
        if game.kinds.iter().any(|kind| kind.copy_of.is_some()) {
            captured += ", a promoted one as a pawn";
        } else if game.kinds.iter().any(|kind| kind.unpromoted.is_some()) {
            captured += ", a promoted one unpromoted";
        }
        let mut text = format!(
            "Instead of moving, a side may put a piece from its pocket ({}) on an empty square. {captured}.",
            game.kinds.names(kinds)
        );
        let everywhere = (game.board.first_rank(), game.board.first_rank() + game.board.ranks() - 1);
        let limits = |&kind: &Kind| self.ranks(&game.board, kind).filter(|&ranks| ranks != everywhere);
        for kinds in kinds.chunk_by(|one, other| limits(one) == limits(other)) {
            if let Some(ranks) = limits(&kinds[0]) {
                let names: Vec<&str> = kinds.iter().map(|&kind| game.kind(kind).name.as_str()).collect();
                text += &format!(" A {} is dropped on {}.", names.join(" or "), ranks_text(ranks));
            }
        }
        if *promoted {
            text += " It may be dropped promoted or not.";
        }
        match pawns_per_file {
            None => {}
            Some(1) => text += " No pawn is dropped on a file with another one of its side.",
            Some(most) => text += &format!(" No pawn is dropped on a file with {most} others of its side."),
        }
        if !pawn_mate {
            text += " A dropped pawn must not give checkmate.";
        }
        if *forced {
            text += " A side that can drop a piece must do so.";
        }
        for &kind in opposite_colors {
            let name = &game.kind(kind).name;
            text += &format!(
                " The second {name} of a side is dropped on the other color of squares than the first, and no other piece takes the \
                 last square that a {name} in the pocket needs for that."
            );
        }
        vec![text]
    }

    fn change_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let (game, side) = (position.game(), position.side_to_move());
        let mut kinds = position.pocket(side).to_vec();
        kinds.dedup();
        if self.promoted {
            let promoted: Vec<Kind> = kinds.iter().filter_map(|&kind| game.kinds.promoted(kind)).collect();
            kinds.extend(promoted);
        }
        for kind in kinds {
            let pawns_on_file = |to: Square| {
                let on_file = |&(square, piece): &(Square, Piece)| {
                    piece.color == side
                        && game.pawns.contains(piece.kind)
                        && game.board.file(square) == game.board.file(to)
                };
                position.pieces().filter(on_file).count()
            };
            let is_forbidden = |to: Square| {
                let most = self.pawns_per_file.filter(|_| game.pawns.contains(kind));
                most.is_some_and(|most| pawns_on_file(to) >= usize::from(most))
                    || !self.is_color_allowed(position, kind, to)
            };
            let empty = self.zones[kind.index()][side].iter().filter(|&to| position.is_empty(to));
            moves.extend(empty.filter(|&to| !is_forbidden(to)).map(|to| Move::Drop { kind, to }));
        }
        let is_legal_drop = |&mv: &Move| matches!(mv, Move::Drop { .. }) && position.is_legal_if_pseudo_legal(mv);
        if self.forced && moves.iter().any(is_legal_drop) {
            moves.retain(|mv| matches!(mv, Move::Drop { .. }));
        }
    }

    /// The drop of a pawn may be forbidden to give checkmate.
    fn allows(&self, _before: &Position, mv: Move, after: &Position) -> bool {
        let is_pawn = matches!(mv, Move::Drop { kind, .. } if after.game().pawns.contains(kind));
        // A goal or a count of checks that the drop decides is no mate.
        self.pawn_mate || !is_pawn || !after.in_check() || after.can_reply_if_undecided(|_| true)
    }

    /// The captured piece goes to a pocket.
    fn after_move(&self, made: &MadeMove<'_>, after: &mut Position) {
        if let Some(Piece { color, kind }) = made.captured.and_then(|victim| after.game().pocketed(victim)) {
            let pocket = &mut after.setup.pockets[color];
            pocket.push(kind);
            pocket.sort_unstable();
        }
    }
}
