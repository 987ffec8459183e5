//! Games that a bare king loses.

use super::prelude::*;

pub(in crate::position) enum BareKingHooks {}

impl Mechanism for BareKingHooks {
    const MECHANIC: Mechanics = Mechanics::BARE_KING;

    #[inline(always)]
    fn decided<R: CompiledPosition>(position: &Position<R>) -> Option<Outcome> {
        let loser = position.bare_king()?;
        Some(Outcome { termination: Termination::BareKing, white: Points::LOSS.for_white(loser) })
    }
}

impl<R: CompiledPosition> Position<R> {
    /// The side whose king is bare and cannot be followed by the other's with the next move.
    #[inline(always)]
    fn bare_king(&self) -> Option<Color> {
        let mover = self.side_to_move();
        let count = |side: Color| {
            let in_pocket = if self.tables.has(Mechanics::DROPS) {
                self.pockets[side.index()].iter().map(|&count| u32::from(count)).sum()
            } else {
                0
            };
            self.by_color(side).count() + in_pocket
        };
        match (count(mover), count(!mover)) {
            (2.., 1) => Some(!mover),
            (1, 3..) => Some(mover),
            _ => None,
        }
    }
}
