//! Jokers, which move like the piece that the opponent has moved last.

use super::prelude::*;

pub(in crate::position) enum JokerHooks {}

impl Mechanism for JokerHooks {
    const MECHANIC: Mechanics = Mechanics::JOKER;

    #[inline(always)]
    fn after_move<R: CompiledPosition, const FULL: bool>(board: &mut MoveBoard<R, FULL>, _mv: Move, piece: Piece) {
        board.0.record_last_moved_as(piece);
    }

    #[inline(always)]
    fn key<R: CompiledPosition>(position: &Position<R>, state: &State) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            if position.jokers(!color).any() {
                key ^= position.tables.zobrist.last_moved_as(color, state.last_moved_as[color.index()]);
            }
        }
        key
    }

    /// Without jokers, their movement is no longer part of the hash.
    #[inline(always)]
    fn changes_hash<R: CompiledPosition>(position: &Position<R>, victim: Option<Piece>) -> bool {
        victim.is_some_and(|victim| Some(victim.kind) == position.joker_kind())
    }
}

impl<R: CompiledPosition> Position<R> {
    /// Records the kind that a piece moved as, which the other side's jokers imitate.
    #[inline(always)]
    pub(in crate::position) fn record_last_moved_as(&mut self, piece: Piece) {
        self.state.last_moved_as = self.last_moved_as_after(&self.state, piece);
    }

    /// The kinds that the sides have moved as, after a move of a piece.
    #[inline(always)]
    pub(in crate::position) fn last_moved_as_after(&self, state: &State, piece: Piece) -> [Option<Kind>; 2] {
        let mut last_moved_as = state.last_moved_as;
        if let Some(joker) = self.joker_kind().filter(|_| self.tables.has(Mechanics::JOKER)) {
            last_moved_as[piece.color.index()] = if piece.kind == joker {
                last_moved_as[(!piece.color).index()]
            } else {
                Some(self.game().kinds.original(piece.kind))
            };
        }
        last_moved_as
    }

    /// Adds the restrictions by enemy jokers on moves of `kind`: after such a move the jokers move
    /// as `kind`.
    #[inline(always)]
    pub(in crate::position) fn add_jokers(
        &self,
        us: Color,
        pins: &mut PinInfo<'_, R::Word>,
        kind: Kind,
        movement: PieceMovement,
    ) {
        let jokers = self.jokers(!us);
        if jokers.is_empty() {
            return;
        }
        let king = self.king(us);
        if movement.leap_captures {
            let from = &self.tables.kind(kind, !us).leaps.captured_from;
            for joker in R::Word::at(from, king) & jokers {
                pins.check_mask &= Bitboard::of(joker);
            }
        }
        if movement.slide_captures.any() {
            for joker in self.tables.sliders.lines(movement.slide_captures, king) & jokers {
                let between = self.tables.between(king, joker);
                let line = between | Bitboard::of(joker);
                let inside = between & self.occupied();
                if inside.is_empty() {
                    pins.check_mask &= line;
                } else if !inside.more_than_one() && (inside & self.by_color(us)).any() {
                    pins.add_pin(inside, line);
                }
            }
        }
    }
}
