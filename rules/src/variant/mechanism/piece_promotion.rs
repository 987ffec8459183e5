//! Promotion of pieces to the kinds that are written with a `+`, as in shogi.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KeyError, Mechanism, Parts, forbid, ranks_text, required};
use crate::types::color::{ByColor, Color};
use crate::types::moves::Move;
use crate::types::piece::{Kind, Piece};
use crate::types::square::{Square, SquareSet};
use crate::variant::kinds::Kinds;
use crate::variant::{GameDef, Position};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PiecePromotionKeys {
    /// First and last rank of the zone.
    #[schemars(extend("examples" = [[7, 9]]))]
    pub ranks: Option<[u8; 2]>,
    /// Whether a piece must promote.
    pub forced: Option<bool>,
    /// Whether only captures promote.
    pub by_capture: Option<bool>,
    /// Whether `+X` turns back to X by the same rules.
    pub demotes: Option<bool>,
}

/// Promotion of pieces to the kinds that are written with a `+`, as in shogi.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PiecePromotion {
    /// Squares that each side's pieces promote on: by moves that begin or end there.
    pub zones: ByColor<SquareSet>,
    /// True if a piece must promote when it can.
    pub forced: bool,
    /// True if only captures promote.
    pub by_capture: bool,
    /// True if promoted pieces turn back by the same rules.
    pub demotes: bool,
}

/// Builds the promotion of pieces: a game with kinds that are written with a `+` has its keys, and
/// no other game.
pub(crate) fn build(keys: Option<&PiecePromotionKeys>, parts: Parts<'_>) -> Result<Option<PiecePromotion>, KeyError> {
    let promoted = parts.kinds.iter().find(|kind| kind.unpromoted.is_some() && kind.copy_of.is_none());
    let error = |message: &str| Err(KeyError::new("piece-promotion", message));
    let keys = match (keys, promoted) {
        (None, None) => return Ok(None),
        (Some(keys), Some(_)) => keys,
        (None, Some(kind)) => {
            return error(&format!("missing: expected the table [piece-promotion], because of the {}", kind.name));
        }
        (Some(_), None) => return error("found promotion of pieces, expected a piece whose letter begins with `+`"),
    };
    let board = parts.board;
    let key = "piece-promotion.ranks";
    let [low, high] = required(key, keys.ranks)?;
    let (first, last) = (board.first_rank(), board.first_rank() + board.ranks() - 1);
    let message = format!("found ranks {low} to {high}, expected the first and the last rank within {first} to {last}");
    forbid(low < first || high > last || low > high, key, message)?;
    let zone = |color| {
        let in_zone = |square: &Square| (low..=high).contains(&board.relative_rank(color, *square));
        board.squares().filter(in_zone).collect()
    };
    Ok(Some(PiecePromotion {
        zones: ByColor::new_with(zone),
        forced: keys.forced.unwrap_or(false),
        by_capture: keys.by_capture.unwrap_or(false),
        demotes: keys.demotes.unwrap_or(false),
    }))
}

impl PiecePromotion {
    /// The kind that a piece becomes by promotion or, if the game has it, by demotion.
    pub(crate) fn turned(&self, kinds: &Kinds, kind: Kind) -> Option<Kind> {
        let back = kinds[kind].unpromoted.filter(|_| self.demotes && kinds[kind].copy_of.is_none());
        kinds.promoted(kind).or(back)
    }
}

impl GameDef {
    /// What a promotion to a kind adds to a UCI move: `+` for a promoted kind, `-` for the demotion
    /// to one that promotes, else the kind's letter.
    pub fn promotion_suffix(&self, kind: Kind) -> char {
        let def = self.kind(kind);
        let demotes = self.mechanisms.piece_promotion.as_ref().is_some_and(|rule| rule.demotes);
        match (def.unpromoted, def.copy_of) {
            (Some(_), None) => '+',
            (None, _) if demotes && self.kinds.promoted(kind).is_some() => '-',
            _ => def.letter.to_ascii_lowercase(),
        }
    }

    /// The kind that a piece becomes by promotion as a piece or, if the game has it, by demotion.
    pub fn turned(&self, kind: Kind) -> Option<Kind> {
        self.mechanisms.piece_promotion.as_ref()?.turned(&self.kinds, kind)
    }
}

impl Mechanism for PiecePromotion {
    fn change_kinds(&self, position: &Position, plain: Move, piece: Piece, kinds: &mut Vec<Option<Kind>>) {
        let Some(turned) = self.turned(&position.game().kinds, piece.kind) else { return };
        let zone = self.zones[piece.color];
        let captures = position.piece_at(plain.to()).is_some();
        if (zone.contains(plain.from()) || zone.contains(plain.to())) && (captures || !self.by_capture) {
            kinds.retain(|kind| kind.is_some() || !self.forced);
            kinds.push(Some(turned));
        }
    }

    fn sentences(&self, game: &GameDef) -> Vec<String> {
        let PiecePromotion { zones, forced, by_capture, demotes } = self;
        let pairs = game.kinds.all().filter_map(|kind| Some((kind, game.kinds.promoted(kind)?)));
        let pairs = pairs.map(|(kind, promoted)| format!("{} to {}", game.kind(kind).name, game.kind(promoted).name));
        let ranks = ranks_text(game.board.rank_range(zones[Color::White]).unwrap_or_default());
        let verb = if *forced { "must" } else { "may" };
        let what = if *by_capture { "a capture" } else { "a move" };
        let back = if *demotes { ", and turns back in the same way" } else { "" };
        vec![format!(
            "A piece {verb} promote with {what} that begins or ends on {ranks}{back}: {}.",
            pairs.collect::<Vec<_>>().join(", ")
        )]
    }
}
