//! Captures by cannon: a pawn removes itself and an enemy piece beyond a screen ahead of it.

use super::prelude::*;
use crate::ruleset::Lines;

impl<R: CompiledPosition> Position<R> {
    #[inline(always)]
    pub(in crate::position) fn has_cannon(&self) -> bool {
        self.tables.has(Mechanics::CANNON)
    }

    /// Pawns of `by` that attack `target` by cannon: over exactly one piece of their own side, with
    /// no piece of the other side before that screen and no pawn of the other side behind it.
    #[inline(always)]
    pub(in crate::position) fn cannons(
        &self,
        target: Square,
        by: Color,
        view: AttackView<R::Word>,
        added: &impl AddedPieces<R::Word>,
    ) -> Bitboard<R::Word> {
        let behind = self.tables.ahead(!by, target);
        let pawns = behind & self.pawns_in(by, view, added);
        if pawns.is_empty() {
            return Bitboard::EMPTY;
        }
        let pieces = (self.by_color(by) & !view.removed) | added.all();
        let mut found = Bitboard::EMPTY;
        for pawn in pawns {
            let ahead = self.tables.ahead(by, pawn);
            let between = behind & ahead;
            let screen = between & pieces;
            if !screen.is_single() || (between & view.shields).any() {
                continue;
            }
            let before_screen = ahead & self.tables.ahead(!by, screen.lsb());
            let wall = self.tables.has(Mechanics::HANGING) && (between & self.tables.hanging & !view.occupied).any();
            if (before_screen & view.occupied).is_empty() && !wall {
                found |= Bitboard::of(pawn);
            }
        }
        found
    }

    #[inline(always)]
    fn pawns_in(&self, by: Color, view: AttackView<R::Word>, added: &impl AddedPieces<R::Word>) -> Bitboard<R::Word> {
        let kinds = self.tables.pawn_kinds();
        kinds.fold(Bitboard::EMPTY, |pawns, kind| pawns | self.pieces_in(by, kind, view, added))
    }

    /// Squares from which a pawn of `us` can attack `king` by cannon.
    #[inline(always)]
    pub(in crate::position) fn cannon_squares(&self, us: Color, king: Square) -> Bitboard<R::Word> {
        if self.has_cannon() { self.tables.ahead(!us, king) } else { Bitboard::EMPTY }
    }

    /// A pawn attacks the king by cannon over exactly one piece of its own side, unless a piece of
    /// ours stands before that screen or a pawn of ours behind it.
    #[inline(always)]
    pub(in crate::position) fn add_cannons(&self, pins: &mut PinInfo<'_, R::Word>, us: Color, king: Square) {
        let ahead = self.tables.ahead(us, king);
        let (own, enemy) = (self.by_color(us), self.by_color(!us));
        for pawn in ahead & self.pawns(!us) {
            let between = self.tables.between(king, pawn);
            let screens = between & enemy;
            match screens.count() {
                1 => {
                    let before = self.tables.between(pawn, screens.lsb());
                    let shielded = (between & self.pawns(us)).any() || (before & own).any();
                    if shielded {
                        // A piece of ours that leaves may be the last shield.
                        pins.test_from |= between & own;
                    } else {
                        pins.in_check = true;
                        pins.check_mask &= between | Bitboard::of(pawn);
                        pins.test_to |= between | Bitboard::of(pawn);
                    }
                }
                // Capturing one of two screens can leave a single one.
                2 => pins.test_to |= screens,
                _ => {}
            }
        }
    }
}

impl<R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'_, R, S, UNRESTRICTED> {
    /// Cannon captures: a pawn removes itself and the first enemy beyond a screen.
    #[inline(always)]
    pub(in crate::position) fn cannon_moves(&mut self, pawns: Bitboard<R::Word>, kind: Kind) {
        let own = self.occupied & !self.enemy;
        // Fails early in most positions: the first piece ahead of the pawn must be ours, with an
        // enemy beyond.
        let screens = self.blockers_ahead(pawns) & own;
        if screens.is_empty() {
            return;
        }
        for screen in screens {
            let targets = self.cannon_targets(screen, own);
            if targets.is_empty() {
                continue;
            }
            // The pawn is the first piece behind the screen, as the screen is the first ahead of
            // it.
            let near = self.tables.ahead(!self.us, screen) & self.occupied;
            let from = if self.us == Color::White { near.msb() } else { near.lsb() };
            self.push_cannon_captures(from, targets, kind);
        }
    }

    /// The first blocked square ahead of each pawn, by a Kogge-Stone occluded fill.
    #[inline(always)]
    fn blockers_ahead(&self, pawns: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let forward = &self.tables.forward[self.us.index()];
        let passable = if self.tables.has(Mechanics::HANGING) { self.vacant } else { !self.occupied };
        // Each step doubles the distance filled; `has_behind` stops wraps around the edge.
        let mut front = pawns;
        let mut run = passable & forward.has_behind;
        let mut offset = forward.offset;
        for _ in 0..forward.fill_steps {
            front |= front.shifted(offset) & run;
            run &= run.shifted(offset);
            offset *= 2;
        }
        (front & forward.has_ahead).shifted(forward.offset) & !passable
    }

    #[inline(always)]
    fn push_cannon_captures(&mut self, from: Square, targets: Bitboard<R::Word>, kind: Kind) {
        let mechanics = self.tables.mechanics();
        let king_lines = self.tables.sliders.lines(Lines::ALL, self.king);
        for target in targets {
            let (origin, hit) = (Bitboard::of(from), Bitboard::of(target));
            // A move away from all lines through the king cannot expose it.
            let harmless = mechanics.pin_masks_suffice()
                && !mechanics.contains(Mechanics::HOPPERS)
                && !self.pins.in_check
                && ((origin | hit) & king_lines).is_empty();
            let shields = self.position.pawns(self.us) & !origin;
            let occupied = self.occupied & !origin & !hit;
            if harmless || self.is_safe(self.king, occupied, target, shields, kind) {
                self.sink.single_move(kind, Move::new(MoveKind::Cannon, from, target));
            }
        }
    }

    /// Enemy pieces, except the king, that a cannon hits over `screen`: all up to the first piece
    /// of ours or the first pawn.
    #[inline(always)]
    fn cannon_targets(&self, screen: Square, own: Bitboard<R::Word>) -> Bitboard<R::Word> {
        let mut range = self.tables.ahead(self.us, screen);
        if (range & self.enemy).is_empty() {
            return Bitboard::EMPTY;
        }
        let walls =
            if self.tables.has(Mechanics::HANGING) { self.tables.hanging & !self.occupied } else { Bitboard::EMPTY };
        let ends = range & (own | self.position.pawns(!self.us) | walls);
        if ends.any() {
            let first = if self.us == Color::White { ends.lsb() } else { ends.msb() };
            range &= !self.tables.ahead(self.us, first);
        }
        range & self.enemy & !self.position.royals(!self.us)
    }
}
