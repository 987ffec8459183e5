//! Games that too few pieces of some kinds decide.

use super::prelude::*;

pub(in crate::position) enum ExtinctionHooks {}

impl Mechanism for ExtinctionHooks {
    const MECHANIC: Mechanics = Mechanics::EXTINCTION;

    #[inline(always)]
    fn decided<R: CompiledPosition>(position: &Position<R>) -> Option<Outcome> {
        let white = position.extinction_points(!position.side_to_move())?;
        Some(Outcome { termination: Termination::Extinction, white })
    }

    #[inline(always)]
    fn winning_move<R: CompiledPosition>(position: &Position<R>) -> Option<Move> {
        position.last_capture()
    }
}

impl<R: CompiledPosition> Position<R> {
    /// White's points if a side is extinct; first the side that has just moved.
    #[inline(always)]
    fn extinction_points(&self, waiting: Color) -> Option<Points> {
        let rule = self.tables.extinction.as_ref()?;
        let is_few = |side: Color| rule.groups.iter().any(|group| self.count(side, group) <= rule.at_most);
        let extinct = [waiting, !waiting].into_iter().find(|&side| is_few(side))?;
        Some(rule.score.for_white(extinct))
    }

    /// Number of a side's pieces of some kinds, on the board and in its pocket.
    #[inline(always)]
    fn count(&self, side: Color, kinds: &[Kind]) -> u32 {
        let has_pockets = self.tables.has(Mechanics::DROPS) || self.tables.has(Mechanics::GATING);
        let counts = kinds.iter().map(|&kind| {
            let in_pocket = if has_pockets { self.in_pocket(side, kind) } else { 0 };
            self.pieces(side, kind).count() + in_pocket
        });
        counts.sum()
    }

    /// Returns a legal capture that wins at once, because the opponent is extinct after it.
    fn last_capture(&self) -> Option<Move> {
        let rule = self.tables.extinction.as_ref().filter(|rule| rule.score == Points::LOSS)?;
        let us = self.side_to_move();
        let mut targets = Bitboard::EMPTY;
        let explodes = self.tables.has(Mechanics::EXPLOSIONS);
        for group in rule.groups.iter().filter(|group| explodes || self.count(!us, group) == rule.at_most + 1) {
            for &kind in group {
                targets |= self.pieces(!us, kind);
            }
        }
        if let Some(rule) = self.explosions() {
            let near = targets.into_iter().fold(Bitboard::EMPTY, |near, target| near | rule.zone(target));
            targets = near;
        }
        let view = self.view(!us);
        let mut victims = (targets & self.by_color(!us)).into_iter();
        let may_pass = explodes && self.en_passant().is_some();
        if !may_pass && !victims.any(|target| R::is_attacked(self, target, us, &view)) {
            return None;
        }
        let mut list = MoveList::new();
        self.legal_captures(&mut list);
        list.into_iter().find(|&mv| {
            let passed = self.en_passant().filter(|_| mv.is_en_passant());
            let victim = passed.map_or(mv.to(), |ep| ep.victim);
            let is_near = targets.contains(victim) || explodes && targets.contains(mv.to());
            if !is_near {
                return false;
            }
            let mut after = self.ply_board();
            after.make(mv);
            after.decided().is_some_and(|outcome| outcome.white.for_white(us) == Points::WIN)
        })
    }
}
