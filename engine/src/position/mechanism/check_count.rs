//! Games that a number of checks wins.

use super::prelude::*;

pub(in crate::position) enum CheckCountHooks {}

impl Mechanism for CheckCountHooks {
    const MECHANIC: Mechanics = Mechanics::CHECK_COUNT;

    #[inline(always)]
    fn after_turn<R: CompiledPosition>(position: &mut Position<R>, before: &State) {
        let checks_left = before.checks_left;
        position.state.checks_left =
            if position.in_check() { checks_left.after_check(before.side) } else { checks_left };
    }

    #[inline(always)]
    fn key<R: CompiledPosition>(position: &Position<R>, state: &State) -> u64 {
        let key = |color| position.tables.zobrist.checks_left(color, state.checks_left.of(color));
        key(Color::White) ^ key(Color::Black)
    }

    #[inline(always)]
    fn changes_hash<R: CompiledPosition>(_position: &Position<R>, _victim: Option<Piece>) -> bool {
        true
    }

    #[inline(always)]
    fn decided<R: CompiledPosition>(position: &Position<R>) -> Option<Outcome> {
        let waiting = !position.side_to_move();
        let white = Points::WIN.for_white(waiting);
        (position.checks_left(waiting) == 0).then_some(Outcome { termination: Termination::Checks, white })
    }

    #[inline(always)]
    fn winning_move<R: CompiledPosition>(position: &Position<R>) -> Option<Move> {
        if position.checks_left(position.side_to_move()) != 1 {
            return None;
        }
        let mut list = MoveList::new();
        position.legal_checks(&position.check_squares(), &mut list);
        list.first().copied()
    }
}
