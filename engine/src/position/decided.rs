//! Games that extinction, a goal, the number of checks or a bare king decides.

use assay_rules::Color;
use assay_rules::outcome::{Outcome, Points, Termination};
use assay_rules::piece::Kind;

use super::attacks::{AddedPieces, MovedPieces};
use super::{CompiledPosition, Position, Wanted};
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveList};
use crate::ruleset::Mechanics;
use crate::tables::Goal;

impl<R: CompiledPosition> Position<R> {
    /// Returns the outcome if extinction, a goal, the number of checks or a bare king has decided
    /// the game. There are no legal moves then.
    #[inline(always)]
    pub fn decided(&self) -> Option<Outcome> {
        let mechanics = self.tables.mechanics();
        let waiting = !self.side_to_move();
        if mechanics.contains(Mechanics::CHECK_COUNT) && self.checks_left(waiting) == 0 {
            return Some(Outcome { termination: Termination::Checks, white: Points::WIN.for_white(waiting) });
        }
        if mechanics.contains(Mechanics::BARE_KING)
            && let Some(loser) = self.bare_king()
        {
            return Some(Outcome { termination: Termination::BareKing, white: Points::LOSS.for_white(loser) });
        }
        if mechanics.contains(Mechanics::EXTINCTION)
            && let Some(white) = self.extinction_points(waiting)
        {
            return Some(Outcome { termination: Termination::Extinction, white });
        }
        if !mechanics.contains(Mechanics::GOAL) {
            return None;
        }
        let white = self.goal_points(self.tables.goal.as_ref()?, waiting)?;
        Some(Outcome { termination: Termination::Goal, white })
    }

    /// The side whose king is bare and cannot be followed by the other's with the next move.
    #[inline(always)]
    fn bare_king(&self) -> Option<Color> {
        let mover = self.side_to_move();
        let count = |side: Color| {
            let in_pocket = if self.tables.has(Mechanics::DROPS) {
                self.hands[side.index()].iter().map(|&count| u32::from(count)).sum()
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

    /// White's points if the goal has decided the game.
    #[inline(always)]
    fn goal_points(&self, goal: &Goal<R::Word>, waiting: Color) -> Option<Points> {
        if goal.held {
            return self.has_reached(goal, !waiting).then_some(Points::WIN.for_white(!waiting));
        }
        if !goal.last_turn {
            return self.has_reached(goal, waiting).then_some(Points::WIN.for_white(waiting));
        }
        match (self.has_reached(goal, Color::White), self.has_reached(goal, Color::Black)) {
            (false, false) => None,
            (false, true) => Some(Points::LOSS),
            (true, true) => Some(self.game().results.draw),
            (true, false) if waiting == Color::White && self.can_reach(goal) => None,
            (true, false) => Some(Points::WIN),
        }
    }

    #[inline(always)]
    fn has_reached(&self, goal: &Goal<R::Word>, color: Color) -> bool {
        (self.goal_pieces(goal, color) & goal.squares[color.index()]).any()
    }

    /// The pieces that can reach the goal, also promoted ones.
    #[inline(always)]
    fn goal_pieces(&self, goal: &Goal<R::Word>, color: Color) -> Bitboard<R::Word> {
        let copies = goal.copy.map_or(Bitboard::EMPTY, |copy| self.pieces(color, copy));
        self.pieces(color, goal.kind) | copies
    }

    /// Returns true if the side to move could reach its goal by a legal move, if the game were not
    /// decided.
    #[cold]
    fn can_reach(&self, goal: &Goal<R::Word>) -> bool {
        let mut list = MoveList::new();
        R::generate_into(self, &mut list, !Bitboard::EMPTY, Wanted::EvenIfDecided);
        self.apply_handicap(&mut list);
        // The boards of a perft have no mailbox.
        let side = self.side_to_move();
        let kind_on = |mv: Move| {
            let mut kinds = self.game().all_kinds();
            kinds.find(|&kind| self.pieces(side, kind).contains(mv.from()))
        };
        list.into_iter().any(|mv| mv.dropped().or_else(|| kind_on(mv)).is_some_and(|kind| self.reaches(goal, kind, mv)))
    }

    /// Returns true if a move of a piece of `kind` puts a piece on the goal of the side to move.
    fn reaches(&self, goal: &Goal<R::Word>, kind_of_mover: Kind, mv: Move) -> bool {
        let placed = |kind: Kind| -> Bitboard<R::Word> { MovedPieces(self.moved_pieces(kind_of_mover, mv)).of(kind) };
        let placed = placed(goal.kind) | goal.copy.map_or(Bitboard::EMPTY, placed);
        (placed & goal.squares[self.side_to_move().index()]).any()
    }

    /// Returns a legal move that wins at once by a capture, the goal or the last check, if there is
    /// one.
    #[inline(always)]
    pub(crate) fn winning_move(&self) -> Option<Move> {
        let mechanics = self.tables.mechanics();
        if mechanics.contains(Mechanics::CHECK_COUNT) && self.checks_left(self.side_to_move()) == 1 {
            let mut list = MoveList::new();
            self.legal_checks(&self.check_squares(), &mut list);
            if let Some(&mv) = list.first() {
                return Some(mv);
            }
        }
        if mechanics.contains(Mechanics::EXTINCTION)
            && let Some(mv) = self.last_capture()
        {
            return Some(mv);
        }
        if mechanics.contains(Mechanics::GOAL) { self.goal_move() } else { None }
    }

    fn goal_move(&self) -> Option<Move> {
        let goal = self.tables.goal.as_ref()?;
        let us = self.side_to_move();
        // White's first piece on its goal leaves Black a move, and Black's then draws.
        if goal.held
            || goal.last_turn && (us == Color::White || self.has_reached(goal, Color::White))
            || self.is_handicap_turn()
        {
            return None;
        }
        let squares = goal.squares[us.index()];
        let is_near = |&from: &assay_rules::Square| {
            R::targets(self, from).is_some_and(|(moves, captures)| ((moves | captures) & squares).any())
        };
        let mut origins: Bitboard<R::Word> = self.goal_pieces(goal, us).into_iter().filter(is_near).collect();
        if self.tables.has(Mechanics::DROPS) && self.in_pocket(us, goal.kind) > 0 {
            origins |= squares & !self.occupied();
        }
        if origins.is_empty() {
            return None;
        }
        let mut list = MoveList::new();
        R::generate_into(self, &mut list, origins, Wanted::All);
        list.into_iter().find(|&mv| self.reaches(goal, self.moved_kind(mv), mv))
    }

    /// Returns true if White has reached its goal and Black, who is to move, can follow: the game
    /// will be drawn.
    #[inline(always)]
    pub(crate) fn can_follow(&self) -> bool {
        self.tables.has(Mechanics::GOAL)
            && self.side_to_move() == Color::Black
            && self.tables.goal.as_ref().is_some_and(|goal| goal.last_turn && self.has_reached(goal, Color::White))
            && self.decided().is_none()
    }

    /// Returns true if a legal move puts a piece on the goal of the side to move.
    #[inline(always)]
    pub(crate) fn reaches_goal(&self, mv: Move) -> bool {
        self.tables.has(Mechanics::GOAL)
            && self.tables.goal.as_ref().is_some_and(|goal| self.reaches(goal, self.moved_kind(mv), mv))
    }
}
