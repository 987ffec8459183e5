//! Counts of moves within which a side must mate.

use super::Position;
use crate::types::color::ByColor;
use crate::types::definition::CountingRule;
use crate::types::turn::MAX_COUNT;

impl Position {
    /// Continues the count after a move from a position with `earlier` clock and limit, or begins
    /// one: when none runs, and when a capture leaves a bare king. A count that runs is otherwise
    /// never reset.
    pub(super) fn update_count(&mut self, rule: &CountingRule, captures: bool, earlier: (u32, Option<u32>)) {
        let side = self.side_to_move();
        let count = |color| self.pieces().filter(|(_, piece)| piece.color == color).count() as u32;
        let pieces = ByColor::new_with(count);
        let is_bare = pieces[side] == 1;
        let (clock, running) = earlier;
        if running.is_some() {
            self.halfmove_clock = (clock + 1).min(MAX_COUNT);
        }
        if running.is_some() && !(captures && is_bare) {
            return;
        }
        let has_pawns = self.pieces().any(|(_, piece)| piece.kind == self.game.pawn);
        let has = |kind, number| {
            let owned = |color, owned| color != side && self.game.original(owned) == kind;
            self.pieces().filter(|(_, piece)| owned(piece.color, piece.kind)).count() >= number
        };
        if let Some(limit) = rule.limit(side, pieces, has_pawns, has) {
            self.count_limit = Some(limit);
            let total = pieces.0.iter().sum::<u32>();
            self.halfmove_clock = if is_bare && rule.from_pieces { 2 * total } else { 0 };
        }
    }
}
