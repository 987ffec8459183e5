//! Static exchange evaluation: what a move wins or loses when both sides go on capturing on its target, least piece first.
//!
//! Attackers are looked for anew after each capture with the pieces that are still there, so that pieces behind pieces, screens that
//! come and go, and a joker that moves as whoever captured last are all seen. Pins are not.

use assay_rules::piece::Kind;
use assay_rules::{Color, Square};

use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::eval::Evaluator;
use crate::moves::Move;
use crate::position::CompiledPosition;
use crate::position::Position;

/// What `mv` wins by exchanges on its target square for the side to move, in centipawns; negative when it loses.
pub fn see<R: CompiledPosition>(evaluator: &Evaluator<R>, position: &Position<R>, mv: Move) -> i32 {
    let first = First::of(evaluator, position, mv);
    if first.ends {
        first.gain
    } else {
        first.gain - first.best_reply(evaluator, position, mv)
    }
}

/// Does `mv` win at least `least` centipawns by exchanges?
pub fn see_ge<R: CompiledPosition>(evaluator: &Evaluator<R>, position: &Position<R>, mv: Move, least: i32) -> bool {
    let first = First::of(evaluator, position, mv);
    if first.gain < least || first.ends {
        return first.gain >= least;
    }
    // Even when the piece is lost for nothing?
    first.gain - first.standing >= least || first.gain - first.best_reply(evaluator, position, mv) >= least
}

/// The move that starts the exchange.
struct First {
    /// What it wins at once.
    gain: i32,
    /// What then stands on the target and can be captured.
    standing: i32,
    /// Is nothing left on the target to capture?
    ends: bool,
}

impl First {
    fn of<R: CompiledPosition>(evaluator: &Evaluator<R>, position: &Position<R>, mv: Move) -> First {
        let victim = position.captured_kind(mv).map_or(0, |kind| evaluator.see_value(kind));
        let own = evaluator.see_value(position.moved_kind(mv));
        if mv.is_cannon() {
            return First {
                gain: victim - own,
                standing: 0,
                ends: true,
            };
        }
        let becomes = mv.promotion().map_or(own, |kind| evaluator.see_value(kind));
        First {
            gain: victim + becomes - own,
            standing: becomes,
            ends: mv.is_castle(),
        }
    }

    /// The most that the other side wins by going on.
    fn best_reply<R: CompiledPosition>(&self, evaluator: &Evaluator<R>, position: &Position<R>, mv: Move) -> i32 {
        let mover = position.side_to_move();
        // A piece dropped on the square just left is overlooked: it neither blocks nor takes part.
        let mut occupied = (position.occupied() & !Bitboard::of(mv.from())) | Bitboard::of(mv.to());
        if mv.is_en_passant()
            && let Some(chance) = position.en_passant()
        {
            occupied &= !Bitboard::of(chance.victim);
        }
        let used = power_used(position, position.moved_kind(mv), position.last_moved_as(!mover));
        Exchange {
            evaluator,
            position,
            target: mv.to(),
        }
        .best(!mover, occupied, used, self.standing)
    }
}

/// The power that a piece uses: its own, or for a joker that of the side that moved before it.
fn power_used<R: CompiledPosition>(position: &Position<R>, kind: Kind, before: Option<Kind>) -> Option<Kind> {
    if !R::MECHANICS.joker {
        return None;
    }
    if Some(kind) == position.game().joker {
        before
    } else {
        Some(kind)
    }
}

/// Captures on one square.
struct Exchange<'e, R: CompiledPosition> {
    evaluator: &'e Evaluator<R>,
    position: &'e Position<R>,
    target: Square,
}

impl<R: CompiledPosition> Exchange<'_, R> {
    /// The most that `side` wins by capturing the piece worth `standing` on the target, or 0 when it had better not.
    /// `power` is what the other side has just moved as.
    fn best(&self, side: Color, occupied: Bitboard<R::Word>, power: Option<Kind>, standing: i32) -> i32 {
        let mut attackers = self.attackers(side, occupied, power);
        let mut best = 0;
        if R::MECHANICS.cannon && attackers.any() {
            let shells = self.cannons(side, attackers);
            attackers &= !shells;
            if shells.any() {
                // The pawn goes with its target, and nothing is left to capture.
                best = standing - self.evaluator.see_value(self.position.game().pawn);
            }
        }
        let Some((kind, from)) = self.least(attackers) else {
            return best.max(0);
        };
        let left = occupied & !Bitboard::of(from);
        let used = power_used(self.position, kind, power);
        if kind == self.position.game().king && self.attackers(!side, left, used).any() {
            return best.max(0);
        }
        let reply = self.best(!side, left, used, self.evaluator.see_value(kind));
        best.max(standing - reply).max(0)
    }

    fn attackers(&self, side: Color, occupied: Bitboard<R::Word>, power: Option<Kind>) -> Bitboard<R::Word> {
        let found = self.position.attackers_to(self.target, occupied, side);
        if !R::MECHANICS.joker {
            return found;
        }
        let Some(joker) = self.position.game().joker else {
            return found;
        };
        let jokers = self.position.pieces(side, joker) & occupied;
        // In the position as it stands the jokers may have had another power.
        (found & !jokers) | self.among_jokers(side, jokers, occupied, power)
    }

    /// The jokers that could capture on the target as pieces of kind `power`, by leaps and complete lines.
    fn among_jokers(
        &self,
        side: Color,
        jokers: Bitboard<R::Word>,
        occupied: Bitboard<R::Word>,
        power: Option<Kind>,
    ) -> Bitboard<R::Word> {
        let Some(power) = power.filter(|_| jokers.any()) else {
            return Bitboard::EMPTY;
        };
        let tables = self.position.tables();
        let movement = tables.movement(power);
        let blockers = occupied | tables.walls;
        let mut from = R::Word::at(&tables.kind(power, side).leaps.captured_from, self.target);
        if movement.slide_captures.any() {
            from |= tables.sliders.slide(movement.slide_captures, self.target, blockers);
        }
        if movement.hop_captures.any() {
            from |= tables
                .sliders
                .hop(movement.hop_captures, self.target, blockers, occupied);
        }
        from & jokers
    }

    /// The pawns among the attackers that do not reach the target but hit it by cannon.
    fn cannons(&self, side: Color, attackers: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let pawn = self.position.game().pawn;
        let stepping = R::Word::at(
            &self.position.tables().kind(pawn, side).leaps.captured_from,
            self.target,
        );
        attackers & self.position.pieces(side, pawn) & !stepping
    }

    /// The least of the attackers; of several the first.
    #[inline]
    fn least(&self, attackers: Bitboard<R::Word>) -> Option<(Kind, Square)> {
        attackers
            .into_iter()
            .filter_map(|square| Some((self.position.kind_at(square)?, square)))
            .min_by_key(|&(kind, _)| self.evaluator.see_value(kind))
    }
}

#[cfg(test)]
mod tests;
