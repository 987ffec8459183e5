//! Games that a piece wins by reaching a goal.

use super::prelude::*;
use crate::tables;

pub(in crate::position) enum GoalHooks {}

impl Mechanism for GoalHooks {
    const MECHANIC: Mechanics = Mechanics::GOAL;

    #[inline(always)]
    fn decided<R: CompiledPosition>(position: &Position<R>) -> Option<Outcome> {
        let white = position.goal_points(position.tables.goal.as_ref()?, !position.side_to_move())?;
        Some(Outcome { termination: Termination::Goal, white })
    }

    #[inline(always)]
    fn winning_move<R: CompiledPosition>(position: &Position<R>) -> Option<Move> {
        position.goal_move()
    }
}

impl<R: CompiledPosition> Position<R> {
    /// White's points if the goal has decided the game.
    #[inline(always)]
    fn goal_points(&self, goal: &tables::GoalTables<R::Word>, waiting: Color) -> Option<Points> {
        if goal.held {
            return self.has_reached(goal, !waiting).then_some(Points::WIN.for_white(!waiting));
        }
        if !goal.last_turn {
            return self.has_reached(goal, waiting).then_some(Points::WIN.for_white(waiting));
        }
        match (self.has_reached(goal, Color::White), self.has_reached(goal, Color::Black)) {
            (false, false) => None,
            (false, true) => Some(Points::LOSS),
            (true, true) => Some(self.game().endings.draw),
            (true, false) if waiting == Color::White && self.can_reach(goal) => None,
            (true, false) => Some(Points::WIN),
        }
    }

    #[inline(always)]
    fn has_reached(&self, goal: &tables::GoalTables<R::Word>, color: Color) -> bool {
        (self.goal_pieces(goal, color) & goal.squares[color.index()]).any()
    }

    /// The pieces that can reach the goal, also promoted ones.
    #[inline(always)]
    fn goal_pieces(&self, goal: &tables::GoalTables<R::Word>, color: Color) -> Bitboard<R::Word> {
        let copies = goal.copy.map_or(Bitboard::EMPTY, |copy| self.pieces(color, copy));
        self.pieces(color, goal.kind) | copies
    }

    /// Returns true if the side to move could reach its goal by a legal move, if the game were not
    /// decided.
    #[cold]
    fn can_reach(&self, goal: &tables::GoalTables<R::Word>) -> bool {
        let mut list = MoveList::new();
        R::generate_into(self, &mut list, !Bitboard::EMPTY, Wanted::EvenIfDecided);
        self.apply_handicap(&mut list);
        // The boards of a perft have no mailbox.
        let kind_on = |mv: Move| self.find_piece(mv.from()).map(|piece| piece.kind);
        list.into_iter().any(|mv| mv.dropped().or_else(|| kind_on(mv)).is_some_and(|kind| self.reaches(goal, kind, mv)))
    }

    /// Returns true if a move of a piece of `kind` puts a piece on the goal of the side to move.
    fn reaches(&self, goal: &tables::GoalTables<R::Word>, kind_of_mover: Kind, mv: Move) -> bool {
        let placed = |kind: Kind| -> Bitboard<R::Word> { self.moved_pieces(kind_of_mover, mv).of(kind) };
        let placed = placed(goal.kind) | goal.copy.map_or(Bitboard::EMPTY, placed);
        (placed & goal.squares[self.side_to_move().index()]).any()
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
