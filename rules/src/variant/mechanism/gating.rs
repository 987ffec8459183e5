//! Gating: pieces that enter from a pocket, on the square that an unmoved piece leaves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KeyError, MadeMove, Mechanism, Parts, forbid, kinds_of, required};
use crate::types::color::{ByColor, Color};
use crate::types::moves::Move;
use crate::types::piece::{Kind, Piece};
use crate::types::rights::{RightKind, Rights};
use crate::types::square::{Square, SquareSet};
use crate::types::turn::MAX_COUNT;
use crate::variant::{GameDef, Position};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GatingKeys {
    /// Letters of the pieces in the pocket of each side.
    #[schemars(example = &"HE")]
    pub pocket: Option<String>,
    /// Letters of the kinds that gate.
    #[schemars(example = &"KQRBN")]
    pub movers: Option<String>,
    /// Number of the last move in which each side may gate.
    pub last_move: Option<LastMoveKeys>,
    /// Whether the move must be legal without the gated piece, too, which then cannot shield the
    /// king.
    pub forbids_shielding: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LastMoveKeys {
    /// White's last move.
    #[schemars(example = 5)]
    pub white: Option<u32>,
    /// Black's last move.
    #[schemars(example = 6)]
    pub black: Option<u32>,
}

/// Gating: a piece that makes its first move may be replaced on its square by a piece from the
/// pocket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gating {
    /// Kinds that may be in a pocket, at most one piece of each per side.
    pub pocket: Vec<Kind>,
    /// Kinds whose first move allows gating.
    pub movers: Vec<Kind>,
    /// Last move number at which each side may gate.
    pub last_move: ByColor<u32>,
    /// True if a gated piece may not shield the king from a line that the move opens: the move must
    /// be legal without it, too.
    pub forbids_shielding: bool,
}

impl GatingKeys {
    pub(crate) fn build(&self, parts: Parts<'_>) -> Result<Gating, KeyError> {
        let list = |key: &str, text: &Option<String>| {
            let kinds = kinds_of(parts.kinds, key, required(key, text.as_ref())?)?;
            let message = "found no letter, expected at least one";
            if kinds.is_empty() { Err(KeyError::new(key, message)) } else { Ok(kinds) }
        };
        let pocket_key = "gating.pocket";
        let mut pocket = list(pocket_key, &self.pocket)?;
        let is_excluded = |&kind: &Kind| parts.kinds.is_royal(kind) || parts.pawns.contains(kind);
        let message = "found the king or the pawn, expected other pieces";
        forbid(pocket.iter().any(is_excluded), pocket_key, message)?;
        let message = "found a piece of one side, expected pieces of both";
        forbid(pocket.iter().any(|&kind| parts.kinds[kind].side.is_some()), pocket_key, message)?;
        pocket.sort_unstable();
        let movers = list("gating.movers", &self.movers)?;
        let message = "found the pawn, expected other pieces";
        forbid(movers.iter().any(|&kind| parts.pawns.contains(kind)), "gating.movers", message)?;
        let limits = required("gating.last-move", self.last_move.as_ref())?;
        let last_move = ByColor([
            required("gating.last-move.white", limits.white)?,
            required("gating.last-move.black", limits.black)?,
        ]);
        Ok(Gating { pocket, movers, last_move, forbids_shielding: self.forbids_shielding.unwrap_or(false) })
    }
}

impl GameDef {
    /// Rights to gate of the pieces that have a right to castle.
    pub fn rights_implied_by_castling(&self, rights: Rights) -> Rights {
        let mut castling = SquareSet::EMPTY;
        for right in rights.iter().map(|index| &self.rights[index]) {
            if matches!(right.kind, RightKind::Castle(_)) {
                castling = castling.union(right.squares);
            }
        }
        let mut implied = Rights::EMPTY;
        for (index, right) in self.rights.iter().enumerate() {
            if matches!(right.kind, RightKind::Gate(square) if castling.contains(square)) {
                implied.insert(index);
            }
        }
        implied
    }
}

impl Mechanism for Gating {
    fn sentences(&self, game: &GameDef) -> Vec<String> {
        let Gating { pocket, movers, last_move, forbids_shielding } = self;
        let until = match (last_move[Color::White], last_move[Color::Black]) {
            (MAX_COUNT, MAX_COUNT) => String::new(),
            (white, black) => format!(", until move {white} for White and {black} for Black"),
        };
        let alone = if *forbids_shielding { " The move must be legal without that piece, too." } else { "" };
        vec![format!(
            "With its first move, a {} may be replaced on its square by a piece from the pocket ({}){until}.{alone}",
            game.kinds.names(movers),
            game.kinds.names(pocket),
        )]
    }

    /// Adds moves with each piece of the pocket on each square that an unmoved piece leaves.
    fn change_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let (game, side) = (position.game(), position.side_to_move());
        if !position.can_still_gate(side) {
            return;
        }
        let may_gate =
            |&square: &Square| position.rights().iter().any(|index| game.rights[index].kind == RightKind::Gate(square));
        for mv in moves.clone() {
            let left = match mv {
                Move::Normal { from, promotion: None, .. } => vec![from],
                Move::Castle { wing, .. } => {
                    let wing = &game.castling_wings()[wing];
                    [wing.king_from, wing.partner_from].into_iter().filter(|&square| wing.vacates(square)).collect()
                }
                _ => continue,
            };
            for square in left.into_iter().filter(may_gate) {
                moves.extend(position.pocket(side).iter().map(|&kind| mv.with_gate(Some((kind, square)))));
            }
        }
    }

    fn allows(&self, before: &Position, mv: Move, _after: &Position) -> bool {
        !self.forbids_shielding
            || mv.gate_square().is_none()
            || !before.play_unchecked(mv.with_gate(None)).is_royal_attacked(before.side_to_move())
    }

    fn after_move(&self, made: &MadeMove<'_>, after: &mut Position) {
        if let (Some(kind), Some(square)) = (made.mv.gate(), made.mv.gate_square()) {
            after.put_from_pocket(square, Piece { kind, ..made.piece });
        }
    }
}
