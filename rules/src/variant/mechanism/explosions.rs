//! Captures that explode, as in atomic chess.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KeyError, MadeMove, Mechanism, Parts, forbid, kinds_of};
use crate::types::moves::Move;
use crate::types::piece::{Kind, Piece};
use crate::types::square::Square;
use crate::variant::{GameDef, Position};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplosionKeys {
    /// Letters of kinds that survive explosions, and do not capture their own kind.
    #[schemars(example = &"K", extend("default" = ""))]
    pub immune: Option<String>,
}

/// Captures explode, as in atomic chess: the capturing piece and its neighbors, pawns excepted,
/// vanish with the captured piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explosions {
    /// Kinds that survive explosions, also their own, and do not capture pieces of the same kind.
    pub immune: Vec<Kind>,
}

impl ExplosionKeys {
    /// `king_key` is the key of the king's class.
    pub(crate) fn build(&self, parts: Parts<'_>, king_key: &str) -> Result<Explosions, KeyError> {
        let message = "found king, expected royal or minor in a game in which captures explode: a side may lose it";
        forbid(parts.kinds.king().is_some(), king_key, message)?;
        let key = "explosions.immune";
        let immune = kinds_of(parts.kinds, key, self.immune.as_deref().unwrap_or_default())?;
        if let Some(&kind) = immune.iter().find(|&&kind| parts.kinds.is_royal(kind)) {
            let message = format!("found {}, a royal piece, expected others", parts.kinds[kind].letter);
            return Err(KeyError::new(key, message));
        }
        Ok(Explosions { immune })
    }
}

impl Mechanism for Explosions {
    fn sentences(&self, game: &GameDef) -> Vec<String> {
        let Explosions { immune } = self;
        let mut text = "A capture removes the capturing piece and all pieces around it except pawns.".to_owned();
        if game.kinds.has_several_royals() {
            text += " It must spare the royal pieces of its side, so pieces next to them attack nothing royal.";
        }
        if !immune.is_empty() {
            let immune = game.kinds.names(immune);
            text += &format!(" It does not remove: {immune}. None of these captures one of its kind.");
        }
        vec![text]
    }

    /// A capture that would explode a royal piece of its own side is no attack.
    fn prevents_attack(&self, position: &Position, from: Square, piece: Piece, target: Square) -> bool {
        let board = &position.game().board;
        position.royals(piece.color).any(|royal| royal == from || board.distance(royal, target) == 1)
    }

    /// A capture that takes the last royal piece of the opponent has won.
    fn may_expose_royals(&self, before: &Position, mv: Move, after: &Position) -> bool {
        let opponent = !before.side_to_move();
        before.is_capture(mv) && before.royals(opponent).next().is_some() && after.royals(opponent).next().is_none()
    }

    /// A capture must spare the royal pieces of its side, and immune pieces of its own kind.
    fn allows(&self, before: &Position, mv: Move, after: &Position) -> bool {
        let [moved, target] = [mv.from(), mv.to()].map(|square| before.piece_at(square).map(|piece| piece.kind));
        let is_immune = moved == target && moved.is_some_and(|kind| self.immune.contains(&kind));
        let mover = before.side_to_move();
        !before.is_capture(mv) || !is_immune && after.royals(mover).count() >= before.royals(mover).count()
    }

    /// Removes the piece that has captured and its neighbors, without the pawns among them and
    /// immune pieces.
    fn after_move(&self, made: &MadeMove<'_>, after: &mut Position) {
        if made.captured.is_none() {
            return;
        }
        let (game, center) = (Arc::clone(after.game()), made.mv.to());
        for square in game.board.squares().filter(|&square| game.board.distance(square, center) <= 1) {
            let is_hit = |piece: Piece| {
                (square == center || !game.pawns.contains(piece.kind)) && !self.immune.contains(&piece.kind)
            };
            if after.piece_at(square).is_some_and(is_hit) {
                after.remove_piece(square);
            }
        }
    }
}
