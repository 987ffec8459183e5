//! Static exchange evaluation (SEE): the material won or lost if both sides keep capturing on the
//! target of a move, least valuable attacker first.
//!
//! Attackers are recomputed after each capture. This covers x-ray attacks, screens that appear and
//! disappear, and a joker that moves as the last capturing piece. Pins are ignored.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use crate::bitboard::{Bitboard, BitboardWord};
use crate::eval::Evaluator;
use crate::moves::Move;
use crate::position::{CompiledPosition, Position};
use crate::ruleset::Mechanics;

/// Returns the material that `mv` wins by exchanges on its target square, in centipawns; negative
/// if it loses material.
#[cfg(test)]
fn see<R: CompiledPosition>(evaluator: &Evaluator<R>, position: &Position<R>, mv: Move) -> i32 {
    let first = FirstMove::new(evaluator, position, mv);
    if first.ends_exchange { first.gain } else { first.gain - first.best_reply(evaluator, position, mv) }
}

/// Returns true if `mv` wins at least `threshold` centipawns by exchanges on its target square.
pub fn see_ge<R: CompiledPosition>(evaluator: &Evaluator<R>, position: &Position<R>, mv: Move, threshold: i32) -> bool {
    let first = FirstMove::new(evaluator, position, mv);
    if first.gain < threshold || first.ends_exchange {
        return first.gain >= threshold;
    }
    // Losing the piece for nothing is the worst case.
    first.gain - first.target_value >= threshold || first.gain - first.best_reply(evaluator, position, mv) >= threshold
}

/// The move that starts the exchange. Values are in centipawns.
struct FirstMove {
    /// Material won by the move itself.
    gain: i32,
    /// Value of the piece on the target after the move.
    target_value: i32,
    /// True if nothing is left to capture on the target.
    ends_exchange: bool,
}

impl FirstMove {
    fn new<R: CompiledPosition>(evaluator: &Evaluator<R>, position: &Position<R>, mv: Move) -> FirstMove {
        let victim = position.captured_kind(mv).map_or(0, |kind| evaluator.see_value(kind));
        let own = evaluator.see_value(position.moved_kind(mv));
        if mv.is_cannon() {
            return FirstMove { gain: victim - own, target_value: 0, ends_exchange: true };
        }
        let becomes = mv.promotion().map_or(own, |kind| evaluator.see_value(kind));
        if position.tables().has(Mechanics::EXPLOSIONS) && position.is_capture(mv) {
            return FirstMove {
                gain: victim - own + explosion_gain(evaluator, position, mv, becomes),
                target_value: 0,
                ends_exchange: true,
            };
        }
        if position.is_petrified(position.moved_kind(mv)) && position.is_capture(mv) {
            return FirstMove { gain: victim - own, target_value: 0, ends_exchange: true };
        }
        FirstMove { gain: victim + becomes - own, target_value: becomes, ends_exchange: mv.is_castle() }
    }

    /// Material that the opponent wins by continuing the exchange.
    fn best_reply<R: CompiledPosition>(&self, evaluator: &Evaluator<R>, position: &Position<R>, mv: Move) -> i32 {
        let mover = position.side_to_move();
        // A piece dropped on the vacated square is ignored: it neither blocks nor attacks.
        let mut occupied = (position.occupied() & !Bitboard::of(mv.from())) | Bitboard::of(mv.to());
        if mv.is_en_passant()
            && let Some(chance) = position.en_passant()
        {
            occupied &= !Bitboard::of(chance.victim);
        }
        let used = kind_moved_as(position, position.moved_kind(mv), position.last_moved_as(!mover));
        Exchange { evaluator, position, target: mv.to() }.best(!mover, occupied, used, self.target_value)
    }
}

/// Gain of the mover by the explosion of a capture, besides the captured piece: the value of the
/// opponent's pieces around it less that of the mover's own, and `becomes`, the value of the
/// capturing piece, if it survives.
fn explosion_gain<R: CompiledPosition>(
    evaluator: &Evaluator<R>,
    position: &Position<R>,
    mv: Move,
    becomes: i32,
) -> i32 {
    let blast = position.blast(mv.promotion().unwrap_or_else(|| position.moved_kind(mv)), mv);
    let survivor = if blast.contains(mv.to()) { 0 } else { becomes };
    let debris = (blast & !Bitboard::of(mv.to())).into_iter().map(|square| {
        let value = position.kind_at(square).map_or(0, |kind| evaluator.see_value(kind));
        if position.color_at(square) == Some(position.side_to_move()) { -value } else { value }
    });
    survivor + debris.sum::<i32>()
}

/// The kind that a piece moves as: its own, or for a joker the kind of the opponent's last move.
fn kind_moved_as<R: CompiledPosition>(
    position: &Position<R>,
    kind: Kind,
    opponent_moved_as: Option<Kind>,
) -> Option<Kind> {
    if !R::MECHANICS.contains(Mechanics::JOKER) {
        return None;
    }
    if Some(kind) == position.game().kinds.joker() { opponent_moved_as } else { Some(kind) }
}

/// A sequence of captures on one square.
struct Exchange<'e, R: CompiledPosition> {
    evaluator: &'e Evaluator<R>,
    position: &'e Position<R>,
    target: Square,
}

impl<R: CompiledPosition> Exchange<'_, R> {
    /// Material that `side` wins by capturing the piece worth `target_value` on the target; 0 if it
    /// is better not to capture. `moved_as` is the kind that the opponent has just moved as.
    fn best(&self, side: Color, occupied: Bitboard<R::Word>, moved_as: Option<Kind>, target_value: i32) -> i32 {
        let mut attackers = self.attackers(side, occupied, moved_as);
        let mut best = 0;
        if R::MECHANICS.contains(Mechanics::CANNON) && attackers.any() {
            let cannons = self.cannon_attackers(side, attackers);
            attackers &= !cannons;
            if cannons.any() {
                // A cannon shot removes the pawn with its target, which ends the exchange.
                best = target_value - self.evaluator.see_value(self.position.game().first_pawn());
            }
        }
        let Some((kind, from)) = self.least_valuable(attackers) else {
            return best.max(0);
        };
        if self.position.is_petrified(kind) {
            // It becomes a wall, which ends the exchange.
            return best.max(target_value - self.evaluator.see_value(kind)).max(0);
        }
        let remaining = occupied & !Bitboard::of(from);
        let used = kind_moved_as(self.position, kind, moved_as);
        if Some(kind) == self.position.game().kinds.king() && self.attackers(!side, remaining, used).any() {
            return best.max(0);
        }
        let reply = self.best(!side, remaining, used, self.evaluator.see_value(kind));
        best.max(target_value - reply).max(0)
    }

    fn attackers(&self, side: Color, occupied: Bitboard<R::Word>, moved_as: Option<Kind>) -> Bitboard<R::Word> {
        let found = self.position.attackers_to(self.target, occupied, side);
        if !R::MECHANICS.contains(Mechanics::JOKER) {
            return found;
        }
        let Some(joker) = self.position.game().kinds.joker() else {
            return found;
        };
        let jokers = self.position.pieces(side, joker) & occupied;
        // The position computes joker attacks from the last move before the exchange.
        (found & !jokers) | self.joker_attackers(side, jokers, occupied, moved_as)
    }

    /// The jokers that attack the target as pieces of kind `moved_as`, by leaps and unlimited
    /// lines.
    fn joker_attackers(
        &self,
        side: Color,
        jokers: Bitboard<R::Word>,
        occupied: Bitboard<R::Word>,
        moved_as: Option<Kind>,
    ) -> Bitboard<R::Word> {
        let Some(moved_as) = moved_as.filter(|_| jokers.any()) else {
            return Bitboard::EMPTY;
        };
        let tables = self.position.tables();
        let movement = tables.movement(moved_as);
        let blockers = occupied | tables.hanging_blockers;
        let mut from = R::Word::at(&tables.kind(moved_as, side).leaps.captured_from, self.target);
        if movement.slide_captures.any() {
            from |= tables.sliders.slide(movement.slide_captures, self.target, blockers);
        }
        if movement.hop_captures.any() {
            from |= tables.sliders.hop(movement.hop_captures, self.target, blockers, occupied);
        }
        from & jokers
    }

    /// The pawns among the attackers that hit the target by a cannon shot.
    fn cannon_attackers(&self, side: Color, attackers: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let pawn = self.position.game().first_pawn();
        let stepping = R::Word::at(&self.position.tables().kind(pawn, side).leaps.captured_from, self.target);
        attackers & self.position.pieces(side, pawn) & !stepping
    }

    #[inline]
    fn least_valuable(&self, attackers: Bitboard<R::Word>) -> Option<(Kind, Square)> {
        attackers
            .into_iter()
            .filter_map(|square| Some((self.position.kind_at(square)?, square)))
            .min_by_key(|&(kind, _)| self.evaluator.see_value(kind))
    }
}

#[cfg(test)]
mod tests;
