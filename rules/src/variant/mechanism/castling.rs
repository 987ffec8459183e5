//! Castling.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MadeMove, Mechanism};
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::piece::{Kind, Piece};
use crate::types::rights::RightKind;
use crate::types::square::Square;
use crate::variant::{GameDef, Position};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CastlingKeys {
    /// Letter of the piece that the king castles with, or letters of several.
    #[schemars(example = &"R")]
    pub partner: Option<String>,
    /// File to which the king castles toward the last file, in place of the distance of its `O`.
    #[schemars(example = &"g")]
    pub kingside_file: Option<String>,
    /// File to which the king castles toward the first file.
    #[schemars(example = &"c")]
    pub queenside_file: Option<String>,
    /// Whether king and partner may begin on any files of their rank, as in Chess960. Requires both
    /// files and one partner; not with gating or handicaps.
    pub from_any_file: Option<bool>,
    /// In a game with drops: board of a FEN with kings and partners on their home squares, in place
    /// of those of the starts. A side gains the right to castle when it drops the second of the two
    /// there.
    #[schemars(example = &"r3k2r/8/8/8/8/8/8/R3K2R")]
    pub array: Option<String>,
}

/// One castling move: the squares of the king and of its partner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CastlingWing {
    pub color: Color,
    /// Home square of the king.
    pub king_from: Square,
    /// Destination of the king.
    pub king_to: Square,
    /// Kind of the partner, the rook in orthodox chess.
    pub partner: Kind,
    /// Home square of the partner.
    pub partner_from: Square,
    /// Destination of the partner: next to the king, on the inner side.
    pub partner_to: Square,
    /// Target of the move in UCI notation: the king's destination, or the partner's home square
    /// where castling is possible [from any file](Castling::from_any_file).
    pub target: Square,
    /// Squares that must be empty apart from king and partner: the squares between the two, and all
    /// that either crosses or lands on.
    pub empty: Vec<Square>,
    /// Squares strictly between the king's home and its destination. None of them may be attacked.
    pub crossed: Vec<Square>,
}

impl CastlingWing {
    /// Returns true if neither king nor partner lands on `square`, so that a piece can be gated
    /// there.
    pub fn vacates(&self, square: Square) -> bool {
        square != self.king_to && square != self.partner_to
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Castling {
    /// All castling moves of the game.
    pub wings: Vec<CastlingWing>,
    /// True if king and partner may begin on any files of their rank, as in Chess960. There is then
    /// a wing for each pair of squares, and a right for each square of a partner: the king,
    /// wherever it is, has not moved while its side has one.
    pub from_any_file: bool,
    /// True if a side gains the right to castle when it drops the second of king and partner on its
    /// home square.
    pub by_drops: bool,
}

impl Castling {
    /// Returns true if king and partner of a wing are at home, whether they have moved or not.
    fn is_at_home(position: &Position, wing: &CastlingWing) -> bool {
        let stands = |square: Square, kind: Option<Kind>| {
            position.piece_at(square) == kind.map(|kind| Piece { color: wing.color, kind })
        };
        stands(wing.king_from, position.game().kinds.castling_king()) && stands(wing.partner_from, Some(wing.partner))
    }

    /// Returns true if king and partner of a wing are at home and have not moved.
    pub(crate) fn is_possible(position: &Position, wing: &CastlingWing) -> bool {
        let right = position.game().castling_right(wing);
        right.is_some_and(|right| position.rights().contains(right)) && Castling::is_at_home(position, wing)
    }
}

impl GameDef {
    /// All castling moves; none in games without castling.
    pub fn castling_wings(&self) -> &[CastlingWing] {
        self.mechanisms.castling.as_ref().map_or(&[], |castling| &castling.wings)
    }

    /// Index of the right to a castling move.
    pub fn castling_right(&self, wing: &CastlingWing) -> Option<usize> {
        let kind = RightKind::Castle(wing.partner_from);
        self.rights.iter().position(|right| right.color == wing.color && right.kind == kind)
    }
}

impl Mechanism for Castling {
    fn sentences(&self, game: &GameDef) -> Vec<String> {
        let square = |square| game.board.square_name(square);
        let Castling { wings, from_any_file, by_drops } = self;
        let Some(first) = wings.first() else { return Vec::new() };
        let (color, partner) = (first.color, &game.kind(first.partner).name);
        let own = || wings.iter().filter(|wing| wing.color == color);
        if *from_any_file {
            let toward = |right: bool| own().find(move |wing| (wing.partner_from > wing.king_from) == right);
            let ends = [true, false].into_iter().filter_map(toward);
            let ends: Vec<String> =
                ends.map(|wing| format!("{} and {}", square(wing.king_to), square(wing.partner_to))).collect();
            return vec![format!("{color} castles with the {partner}, from any files, to {}.", ends.join(", or "))];
        }
        let wings = own().map(|wing| {
            format!(
                "{}-{} with the {} {}-{}",
                square(wing.king_from),
                square(wing.king_to),
                game.kind(wing.partner).name,
                square(wing.partner_from),
                square(wing.partner_to)
            )
        });
        let dropped = if *by_drops { " The two may have been dropped there." } else { "" };
        vec![format!("{color} castles {}.{dropped}", wings.collect::<Vec<_>>().join(", or "))]
    }

    fn change_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let kinds = &position.game().kinds;
        for (index, wing) in self.wings.iter().enumerate() {
            let is_occupied = |&square: &Square| !position.is_empty(square);
            if wing.color != position.side_to_move()
                || !Castling::is_possible(position, wing)
                || wing.empty.iter().any(is_occupied)
            {
                continue;
            }
            // A king that is not royal may castle out of and through attacks.
            let is_attacked = |&square: &Square| position.is_attacked_as_king(wing.king_from, square);
            if kinds.castling_king().is_some_and(|king| kinds.is_royal(king))
                && (is_attacked(&wing.king_from) || wing.crossed.iter().any(is_attacked))
            {
                continue;
            }
            moves.push(Move::Castle { wing: index, from: wing.king_from, to: wing.target, gate: None, wall: None });
        }
    }

    /// Removes the rights to castle from any file that end when the king moves, and adds the rights
    /// that a drop gives.
    fn after_move(&self, made: &MadeMove<'_>, after: &mut Position) {
        if let (true, Move::Drop { to, .. }) = (self.by_drops, made.mv) {
            let is_completed = |wing: &&CastlingWing| {
                wing.color == made.piece.color
                    && [wing.king_from, wing.partner_from].contains(&to)
                    && Castling::is_at_home(after, wing)
            };
            let gained = self.wings.iter().filter(is_completed);
            let gained: Vec<usize> = gained.filter_map(|wing| after.game().castling_right(wing)).collect();
            for right in gained {
                after.setup.rights.insert(right);
            }
        }
        if !self.from_any_file || Some(made.piece.kind) != after.game().kinds.king() {
            return;
        }
        for index in after.rights().iter() {
            let right = &after.game().rights[index];
            if right.color == made.piece.color && matches!(right.kind, RightKind::Castle(_)) {
                after.setup.rights.remove(index);
            }
        }
    }
}
