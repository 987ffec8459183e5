//! Counts of moves within which a side must mate.

use assay_rules::color::ByColor;

use super::prelude::*;

pub(in crate::position) enum CountingHooks {}

impl Mechanism for CountingHooks {
    const MECHANIC: Mechanics = Mechanics::COUNTING;

    /// Continues the count that runs, or begins one.
    #[inline(always)]
    fn clock<R: CompiledPosition>(position: &Position<R>, before: &State) -> Clock {
        let state = &position.state;
        let runs = before.clock.limit().is_some();
        let continued = if runs { before.clock.ticked() } else { state.clock };
        let bares = state.captured != PackedPiece::EMPTY && position.by_color(state.side).count() == 1;
        if runs && !bares { continued } else { position.new_count().unwrap_or(continued) }
    }
}

impl<R: CompiledPosition> Position<R> {
    /// The count that begins here, if one does.
    fn new_count(&self) -> Option<Clock> {
        let rule = self.game().mechanisms.counting.as_ref()?;
        let side = self.side_to_move();
        let count = |color: Color| self.by_color(color).count();
        let has_pawns = (self.pawns(Color::White) | self.pawns(Color::Black)).any();
        let has = |kind: Kind, number| self.pieces(!side, kind).count() as usize >= number;
        let limit = rule.limit(side, ByColor::new_with(count), has_pawns, has)?;
        let begins_at_pieces = rule.from_pieces && count(side) == 1;
        let plies = if begins_at_pieces { 2 * self.all_pieces().count() } else { 0 };
        Some(Clock::new(plies, Some(limit)))
    }
}
