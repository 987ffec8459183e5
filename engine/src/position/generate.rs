//! Legal move generation: one generic function for all games and all [sinks](MoveSink).

mod king_danger;
mod move_filter;
pub(super) mod move_sink;
mod pawns;
pub(super) mod pins;
mod promoter;
mod wall_maker;

use assay_rules::piece::Kind;
use assay_rules::{Color, Square, Turn};

use super::{AttackView, CheckSquares, CompiledPosition, Position, Wanted};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveList};
use crate::ruleset::{Lines, Mechanics, PieceMovement, Role, for_each_kind, is_general};
use crate::tables::{Shape, Tables};
use move_filter::MoveFilter;
use move_sink::MoveSink;
use pins::{PinInfo, Pins};
use promoter::Promoter;
use wall_maker::WallMaker;

/// State of a move generation. `UNRESTRICTED` means that neither checks nor pins restrict the
/// moves.
pub(super) struct Generator<'p, R: CompiledPosition, S, const UNRESTRICTED: bool> {
    pub(super) position: &'p Position<R>,
    pub(super) tables: &'p Tables<R>,
    pub(super) sink: S,
    pub(super) us: Color,
    pub(super) king: Square,
    pub(super) occupied: Bitboard<R::Word>,
    /// Pieces that can be captured.
    pub(super) enemy: Bitboard<R::Word>,
    /// Squares that can be entered without capturing: the empty ones that do not hang.
    pub(super) vacant: Bitboard<R::Word>,
    pub(super) pins: PinInfo<'p, R::Word>,
}

impl<R: CompiledPosition> Position<R> {
    /// Generates the legal moves of `us`, the side to move, into a sink. Ignores handicaps.
    /// Everything is inlined, so that a constant `us` specializes the generator.
    #[inline(always)]
    pub(crate) fn generate<S: MoveSink<R::Word>>(&self, us: Color, sink: S) -> S {
        debug_assert_eq!(us, self.side_to_move());
        if !matches!(sink.wanted(), Wanted::EvenIfDecided | Wanted::UnforcedCaptures) && self.decided().is_some() {
            return sink;
        }
        if R::MECHANICS.filters_moves() || R::MECHANICS.contains(Mechanics::PROMOTION_RULES) {
            let position = self;
            let captures_forced = !matches!(sink.wanted(), Wanted::UnforcedCaptures) && self.must_capture();
            let trusted = self.trusted(us);
            let rule = self.wall_rule();
            let origins = sink.origins();
            let origins = if self.must_drop(origins) { origins & !self.all_pieces() } else { origins };
            let sink = WallMaker { position, sink, rule };
            let sink = MoveFilter { position, sink, captures_forced, trusted, origins };
            let promoter = self.generate_safe(us, Promoter { position, us, sink });
            let Promoter { sink: MoveFilter { sink: WallMaker { sink, .. }, .. }, .. } = promoter;
            sink
        } else {
            self.generate_safe(us, sink)
        }
    }

    /// Generates the moves that leave the king of `us` safe.
    #[inline(always)]
    fn generate_safe<S: MoveSink<R::Word>>(&self, us: Color, sink: S) -> S {
        let mut pin_list = Pins::new();
        let mut pins = PinInfo::unrestricted(&mut pin_list);
        if !self.has_king(us) {
            // Nothing is pinned.
        } else if self.tables.mechanics().pin_masks_suffice() {
            self.compute_pin_info(us, &mut pins);
        } else {
            self.compute_exposure(us, &mut pins);
        }
        if S::SPECIALIZE_UNRESTRICTED
            && (!is_general::<R>() || !R::MECHANICS.contains(Mechanics::IRREGULAR))
            && pins.is_unrestricted()
            && self.jokers(!us).is_empty()
        {
            Generator::<R, S, true>::new(self, us, sink, pins).generate()
        } else {
            Generator::<R, S, false>::new(self, us, sink, pins).generate()
        }
    }

    /// Replaces the contents of `list` by all legal moves.
    pub fn legal_moves(&self, list: &mut MoveList) {
        list.clear();
        R::generate_into(self, list, !Bitboard::EMPTY, Wanted::All);
        self.apply_handicap(list);
    }

    /// Replaces the contents of `list` by all legal captures, including en passant and cannon
    /// captures, and promotions.
    pub fn legal_captures(&self, list: &mut MoveList) {
        list.clear();
        R::generate_into(self, list, !Bitboard::EMPTY, Wanted::Captures);
        self.apply_handicap(list);
    }

    /// Replaces the contents of `list` by all legal moves that give check. `squares` must be of
    /// this position.
    pub fn legal_checks(&self, squares: &CheckSquares<R::Word>, list: &mut MoveList) {
        list.clear();
        if !self.can_be_checked(!self.side_to_move()) {
            return;
        }
        R::generate_into(self, list, !Bitboard::EMPTY, Wanted::Checks(squares));
        list.retain(|mv| self.gives_check(squares, mv));
        self.apply_handicap(list);
    }

    pub fn count_moves(&self) -> usize {
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        list.len()
    }

    pub fn has_legal_move(&self) -> bool {
        self.count_moves() > 0
    }

    /// Returns true if `mv` is legal here. `mv` must be a legal move of some position of the same
    /// game, such as a move from a transposition table.
    ///
    /// Generates the moves of one piece only.
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut list = MoveList::new();
        R::generate_into(self, &mut list, Bitboard::of(mv.from()), Wanted::All);
        list.contains(&mv) && (!self.is_handicap_turn() || self.is_within_handicap(mv))
    }

    #[inline(always)]
    pub(crate) fn is_handicap_turn(&self) -> bool {
        R::MECHANICS.contains(Mechanics::HANDICAPS) && !matches!(self.turn(), Turn::Single(_))
    }

    /// Removes moves that a two-move handicap forbids: the first of two moves must not give check,
    /// and some must not capture.
    #[inline(always)]
    pub(super) fn apply_handicap(&self, list: &mut MoveList) {
        if self.is_handicap_turn() {
            list.retain(|mv| self.is_within_handicap(mv));
        }
    }

    fn is_within_handicap(&self, mv: Move) -> bool {
        if self.is_capture(mv) && !self.turn().may_capture() {
            return false;
        }
        let side = self.side_to_move();
        if self.turn().next().color() != side {
            return true;
        }
        let mut after = self.clone();
        after.make(mv);
        !after.is_royal_attacked(!side)
    }
}

impl<'p, R: CompiledPosition, S: MoveSink<R::Word>, const UNRESTRICTED: bool> Generator<'p, R, S, UNRESTRICTED> {
    #[inline(always)]
    fn new(position: &'p Position<R>, us: Color, sink: S, pins: PinInfo<'p, R::Word>) -> Self {
        let mut enemy = position.by_color(!us);
        if position.tables.has(Mechanics::EXPLOSIONS) {
            // A move that explodes the last royal piece may leave its own royal pieces attacked:
            // nothing captures them any more.
            enemy &= !position.royals(!us);
        }
        Generator {
            position,
            tables: &position.tables,
            sink,
            us,
            king: position.king(us),
            occupied: position.occupied(),
            enemy,
            vacant: position.vacant(),
            pins,
        }
    }

    #[inline(always)]
    fn generate(mut self) -> S {
        let jokers = self.position.jokers(self.us) & self.sink.origins();
        let joker_kind = if self.tables.has(Mechanics::JOKER) { self.position.last_moved_as(!self.us) } else { None };
        for_each_kind!(R, self.tables, all, |kind, movement| {
            let jokers_as_kind =
                if self.tables.has(Mechanics::JOKER) && joker_kind == Some(kind) { jokers } else { Bitboard::EMPTY };
            self.moves_of_kind(kind, movement, jokers_as_kind);
        });
        if self.tables.has(Mechanics::KINGLESS) {
            self.castle_without_king();
        }
        self.sink
    }

    /// Moves of all pieces of one kind, and of the jokers that currently move as that kind.
    #[inline(always)]
    fn moves_of_kind(&mut self, kind: Kind, movement: PieceMovement, jokers_as_kind: Bitboard<R::Word>) {
        let pieces = self.position.pieces(self.us, kind) & self.sink.origins();
        let drops = self.drop_targets(kind, movement);
        let is_idle = pieces.is_empty() && (!self.tables.has(Mechanics::DROPS) || drops.is_empty());
        if is_idle && (!self.tables.has(Mechanics::JOKER) || jokers_as_kind.is_empty()) {
            return;
        }
        let jokers = self.tables.has(Mechanics::JOKER);
        let snapshot = self.pins.snapshot();
        if jokers && !UNRESTRICTED && self.position.has_king(self.us) && self.tables.mechanics().pin_masks_suffice() {
            self.position.add_jokers(self.us, &mut self.pins, kind, movement);
        }
        match movement.role {
            Role::King if !self.position.has_king(self.us) => {}
            Role::King => self.king_moves(kind, movement),
            Role::Pawn => self.pawn_moves(kind, pieces),
            Role::Piece if is_general::<R>() => self.pieces_moves_by_shape(kind, movement, pieces),
            Role::Piece => self.pieces_moves(kind, movement, pieces, true),
            // Jokers move with the kind that they imitate.
            Role::Joker => {}
        }
        if self.tables.has(Mechanics::DROPS) {
            self.drop_moves(kind, movement, drops);
        }
        if jokers {
            self.pieces_moves(kind, movement, jokers_as_kind, false);
            self.pins.restore(snapshot);
        }
    }

    #[inline(always)]
    fn pieces_moves(&mut self, kind: Kind, movement: PieceMovement, pieces: Bitboard<R::Word>, own_kind: bool) {
        for from in pieces {
            self.piece_moves(kind, movement, from, own_kind);
        }
    }

    /// Moves of all pieces of a kind that is known only at run time. Common movements are passed as
    /// constants, so that the loop over the pieces is specialized for them.
    #[inline(always)]
    fn pieces_moves_by_shape(&mut self, kind: Kind, movement: PieceMovement, pieces: Bitboard<R::Word>) {
        match self.tables.shape(kind) {
            Shape::Leaper => self.pieces_moves(kind, PieceMovement::LEAPER, pieces, true),
            Shape::Rook => self.pieces_moves(kind, PieceMovement::slider(Lines::ORTHOGONAL), pieces, true),
            Shape::Bishop => self.pieces_moves(kind, PieceMovement::slider(Lines::DIAGONAL), pieces, true),
            Shape::Queen => self.pieces_moves(kind, PieceMovement::slider(Lines::ALL), pieces, true),
            Shape::Other => self.pieces_moves(kind, movement, pieces, true),
        }
    }

    /// Pseudo-legal targets of a piece.
    #[inline(always)]
    fn targets(&self, kind: Kind, movement: PieceMovement, from: Square, own_kind: bool) -> Bitboard<R::Word> {
        let (moves, captures) = self.position.targets(kind, movement, from, self.us, own_kind);
        let captures = captures & self.enemy;
        let turning = || {
            if own_kind { self.wanted_turning(kind, from) } else { Bitboard::EMPTY }
        };
        if self.sink.captures_only() {
            return captures | (moves & self.vacant & turning());
        }
        let targets = (moves & self.vacant) | captures;
        match self.sink.wanted() {
            // A gated piece can give check as well, and so can a promoted one.
            Wanted::Checks(squares) if own_kind && !self.may_gate(from) => {
                targets & (self.position.may_check_on(squares, kind, movement, Some(from)) | turning())
            }
            _ => targets,
        }
    }

    #[inline(always)]
    fn piece_moves(&mut self, kind: Kind, movement: PieceMovement, from: Square, own_kind: bool) {
        let targets = self.targets(kind, movement, from, own_kind);
        let moved = if own_kind { kind } else { self.position.joker_kind().unwrap_or(kind) };
        if UNRESTRICTED {
            if self.may_gate(from) {
                self.gate(moved, from, targets);
            }
            self.sink.piece_moves(moved, from, targets);
            return;
        }
        let forbids_shielding = self.tables.has(Mechanics::FORBIDS_SHIELDING);
        let mut gating = Bitboard::EMPTY;
        if self.may_gate(from) {
            // The gated piece fills the square left, so no line opens there and pins do not count.
            let targets = targets & self.pins.check_mask;
            let to_test = targets & self.pins.test_to;
            let after = |to: Square| self.occupied | Bitboard::of(to);
            let shields = self.position.pawns(self.us);
            let passed = filter_safe(to_test, |to| self.is_safe(self.king, after(to), to, shields, kind));
            gating = (targets & !to_test) | passed;
            if !forbids_shielding {
                self.gate(moved, from, gating);
            }
        }
        let mut safe = targets & self.pins.allowed_targets(from);
        if self.may_need_test() {
            let test_all = self.pins.test_from.contains(from);
            let to_test = if test_all { targets } else { safe & self.pins.test_to };
            if test_all || to_test.any() {
                let after = |to: Square| (self.occupied & !Bitboard::of(from)) | Bitboard::of(to);
                let shields = self.position.pawns(self.us);
                let passed = filter_safe(to_test, |to| self.is_safe(self.king, after(to), to, shields, kind));
                safe = passed | if test_all { Bitboard::EMPTY } else { safe & !to_test };
            }
        }
        if forbids_shielding && gating.any() {
            self.gate(moved, from, gating & safe);
        }
        self.sink.piece_moves(moved, from, safe);
    }

    /// Returns true if the game can have moves that no mask decides.
    #[inline(always)]
    pub(super) fn may_need_test(&self) -> bool {
        let mechanics = self.tables.mechanics();
        mechanics.contains(Mechanics::HOPPERS)
            || mechanics.contains(Mechanics::CANNON)
            || !mechanics.pin_masks_suffice()
    }

    /// Full legality test: returns true if no enemy piece attacks our king on `king` after a move,
    /// with the board occupied as given, the piece on `removed` captured, our pawns on `shields`,
    /// and the enemy's jokers moving as `kind`.
    #[inline(always)]
    pub(super) fn is_safe(
        &self,
        king: Square,
        occupied: Bitboard<R::Word>,
        removed: Square,
        shields: Bitboard<R::Word>,
        kind: Kind,
    ) -> bool {
        if !self.position.has_king(self.us) {
            return true;
        }
        let joker_kind = if self.tables.has(Mechanics::JOKER) { Some(kind) } else { None };
        let view = AttackView { occupied, removed: Bitboard::of(removed), shields, joker_kind };
        !self.position.is_attacked(king, !self.us, view)
    }

    #[inline(always)]
    fn king_moves(&mut self, kind: Kind, movement: PieceMovement) {
        let from = self.king;
        let targets = self.targets(kind, movement, from, true);
        let mechanics = self.tables.mechanics();
        let by_danger_map = (R::Word::BITS == 64 || is_general::<R>()) && mechanics.attacks_need_no_screen();
        if by_danger_map {
            self.king_moves_by_danger_map(kind, targets);
        } else {
            let shields = self.position.pawns(self.us);
            let lifted = self.occupied & !Bitboard::of(from);
            let safe = filter_safe(targets, |to| self.is_safe(to, lifted | Bitboard::of(to), to, shields, kind));
            self.sink.piece_moves(kind, from, safe);
            self.castle(kind);
        }
        if self.may_gate(from) {
            let shields = self.position.pawns(self.us);
            let after = |to: Square| self.occupied | Bitboard::of(to);
            let without = |to: Square| after(to) & !Bitboard::of(from);
            let is_safe = |occupied, to| self.is_safe(to, occupied, to, shields, kind);
            let forbids_shielding = mechanics.contains(Mechanics::FORBIDS_SHIELDING);
            let safe =
                filter_safe(targets, |to| is_safe(after(to), to) && (!forbids_shielding || is_safe(without(to), to)));
            self.gate(kind, from, safe);
        }
    }

    /// King moves and castling by a map of all attacked squares.
    #[inline(always)]
    fn king_moves_by_danger_map(&mut self, kind: Kind, targets: Bitboard<R::Word>) {
        let lifted = self.occupied & !Bitboard::of(self.king);
        // An enemy joker attacks squares that the king crosses as it moves now, and the king's new
        // square as a king.
        let joker = self.tables.has(Mechanics::JOKER);
        if joker {
            self.castle(kind);
        }
        let castlings = if joker { [None; 2] } else { self.open_castlings() };
        let paths = castlings.iter().flatten().fold(Bitboard::EMPTY, |all, castling| all | castling.king_path);
        let entered = targets | paths;
        if entered.is_empty() {
            return;
        }
        let joker_kind = if joker { Some(kind) } else { None };
        let danger = self.position.king_danger(entered, !self.us, lifted, joker_kind);
        self.sink.piece_moves(kind, self.king, targets & !danger);
        for tables in castlings.into_iter().flatten() {
            if (tables.king_path & danger).is_empty() {
                self.push_castlings(kind, &tables.wing, tables.can_discover_attack);
            }
        }
    }
}

#[inline(always)]
pub(super) fn filter_safe<W: BitboardWord>(targets: Bitboard<W>, is_safe: impl Fn(Square) -> bool) -> Bitboard<W> {
    targets.into_iter().filter(|&to| is_safe(to)).collect()
}
