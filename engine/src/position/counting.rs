//! Counts of moves within which a side must mate.

use assay_rules::Color;
use assay_rules::color::ByColor;
use assay_rules::piece::Kind;

use super::state::{Clock, State};
use super::{CompiledPosition, PackedPiece, Position};

impl<R: CompiledPosition> Position<R> {
    /// Continues the count that runs, whose clock the current state still has, or begins one. The
    /// pieces and the side to move of `next` are those after the move.
    #[inline(always)]
    pub(super) fn update_count(&self, next: &mut State) {
        let earlier = self.state().clock;
        let bares = next.captured != PackedPiece::EMPTY && self.by_color(next.side).count() == 1;
        if earlier.limit().is_some() {
            next.clock = earlier.ticked();
            if !bares {
                return;
            }
        }
        self.begin_count(next);
    }

    fn begin_count(&self, next: &mut State) {
        let Some(rule) = &self.game().counting else { return };
        let count = |color: Color| self.by_color(color).count();
        let has_pawns = (self.pawns(Color::White) | self.pawns(Color::Black)).any();
        let has = |kind: Kind, number| self.pieces(!next.side, kind).count() as usize >= number;
        if let Some(limit) = rule.limit(next.side, ByColor::new_with(count), has_pawns, has) {
            let begins_at_pieces = rule.from_pieces && count(next.side) == 1;
            let plies = if begins_at_pieces { 2 * self.all_pieces().count() } else { 0 };
            next.clock = Clock::new(plies, Some(limit));
        }
    }
}
