//! Legal moves: one body for all games, all lists and all counts.

use assay_rules::def::CastlingWing;
use assay_rules::piece::Kind;
use assay_rules::{Color, Square, Turn};

use super::CompiledPosition;
use super::Position;
use super::attacks::AttackView;
use super::move_sink::MoveSink;
use super::pins::{PinInfo, Pins};
use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::moves::MoveList;
use crate::moves::{Move, MoveKind};
use crate::ruleset::{Lines, PieceMovement, Role};
use crate::ruleset::{for_each_kind, is_general};
use crate::tables::{CastlingTables, Shape, Tables};

/// Generates the legal moves of a position into a sink; with `CAPTURES` only captures and promotions.
pub(super) struct Generator<'p, R: CompiledPosition, S, const CAPTURES: bool, const UNRESTRICTED: bool> {
    pub(super) position: &'p Position<R>,
    pub(super) tables: &'p Tables<R>,
    pub(super) sink: S,
    pub(super) us: Color,
    pub(super) king: Square,
    pub(super) occupied: Bitboard<R::Word>,
    pub(super) enemy: Bitboard<R::Word>,
    /// Squares that can be entered without capturing.
    pub(super) vacant: Bitboard<R::Word>,
    /// What every move but the king's must respect.
    pub(super) pins: PinInfo<'p, R::Word>,
}

impl<R: CompiledPosition> Position<R> {
    /// Generates into a sink; with `CAPTURES` only captures and promotions. A handicap is not yet obeyed.
    #[inline(always)]
    pub(crate) fn generate<S: MoveSink<R::Word>, const CAPTURES: bool>(&self, sink: S) -> S {
        let mut bounds = Pins::new();
        let mut pins = PinInfo::unrestricted(&mut bounds);
        if self.tables.mechanics().pin_masks_suffice() {
            self.compute_pin_info(&mut pins);
        } else {
            self.compute_exposure(&mut pins);
        }
        if S::SPECIALIZE_UNRESTRICTED
            && (!is_general::<R>() || !R::MECHANICS.irregular)
            && pins.is_unrestricted()
            && self.jokers(!self.side_to_move()).is_empty()
        {
            Generator::<R, S, CAPTURES, true>::new(self, sink, pins).all()
        } else {
            Generator::<R, S, CAPTURES, false>::new(self, sink, pins).all()
        }
    }

    /// Writes all legal moves into `list`, instead of what it held.
    pub fn legal_moves(&self, list: &mut MoveList) {
        list.clear();
        R::legal_moves(self, list);
        self.apply_handicap(list);
    }

    /// Writes all legal captures (en passant and cannon too) and promotions into `list`, instead of what it held.
    pub fn legal_captures(&self, list: &mut MoveList) {
        list.clear();
        R::legal_captures(self, list);
        self.apply_handicap(list);
    }

    /// The number of legal moves.
    pub fn count_moves(&self) -> u64 {
        if self.is_handicap_turn() {
            return self.list_moves().len() as u64;
        }
        R::count_moves(self)
    }

    /// Is there a legal move?
    pub fn has_legal_move(&self) -> bool {
        if self.is_handicap_turn() {
            return !self.list_moves().is_empty();
        }
        R::has_legal_move(self)
    }

    fn list_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        list
    }

    /// Is this move, which must be a legal one of some position of the same game, legal here?
    ///
    /// For moves remembered from elsewhere: only the moves of one piece are generated.
    pub fn is_legal(&self, mv: Move) -> bool {
        R::is_legal(self, mv) && (!self.is_handicap_turn() || self.is_within_handicap(mv))
    }

    #[inline(always)]
    pub(crate) fn is_handicap_turn(&self) -> bool {
        R::MECHANICS.handicaps && !matches!(self.turn(), Turn::Single(_))
    }

    /// Within a two-move handicap the first of two moves may give no check, and some moves may not capture.
    #[inline(always)]
    fn apply_handicap(&self, list: &mut MoveList) {
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
        !after.is_attacked(after.king(!side), side, after.view(!side))
    }
}

impl<'p, R: CompiledPosition, S: MoveSink<R::Word>, const CAPTURES: bool, const UNRESTRICTED: bool>
    Generator<'p, R, S, CAPTURES, UNRESTRICTED>
{
    #[inline(always)]
    fn new(position: &'p Position<R>, sink: S, pins: PinInfo<'p, R::Word>) -> Self {
        let us = position.side_to_move();
        Generator {
            position,
            tables: &position.tables,
            sink,
            us,
            king: position.king(us),
            occupied: position.occupied(),
            enemy: position.by_color(!us),
            vacant: position.vacant(),
            pins,
        }
    }

    #[inline(always)]
    fn all(mut self) -> S {
        let jokers = self.position.jokers(self.us) & self.sink.origins();
        let power = if self.tables.mechanics().joker {
            self.position.last_moved_as(!self.us)
        } else {
            None
        };
        for_each_kind!(R, self.tables, all, |kind, movement| {
            let jokers_as_kind = if self.tables.mechanics().joker && power == Some(kind) {
                jokers
            } else {
                Bitboard::EMPTY
            };
            self.kind(kind, movement, jokers_as_kind);
            if self.sink.is_done() {
                return self.sink;
            }
        });
        self.sink
    }

    /// The moves of all pieces of one kind, and of the jokers that have its movement.
    #[inline(always)]
    fn kind(&mut self, kind: Kind, movement: PieceMovement, jokers_as_kind: Bitboard<R::Word>) {
        let pieces = self.position.pieces(self.us, kind) & self.sink.origins();
        if pieces.is_empty() && (!self.tables.mechanics().joker || jokers_as_kind.is_empty()) {
            return;
        }
        let jokers = self.tables.mechanics().joker;
        let mark = self.pins.snapshot();
        if jokers && !UNRESTRICTED && self.tables.mechanics().pin_masks_suffice() {
            self.position.add_jokers(&mut self.pins, kind, movement);
        }
        match movement.role {
            Role::King => self.king_moves(kind, movement),
            Role::Pawn => self.pawn_moves(kind, pieces),
            Role::Piece if is_general::<R>() => self.pieces_moves_by_shape(kind, movement, pieces),
            Role::Piece => self.pieces_moves(kind, movement, pieces, true),
            // A joker moves as another kind.
            Role::Joker => {}
        }
        if jokers {
            self.pieces_moves(kind, movement, jokers_as_kind, false);
            self.pins.restore(mark);
        }
    }

    #[inline(always)]
    fn pieces_moves(&mut self, kind: Kind, movement: PieceMovement, pieces: Bitboard<R::Word>, own_kind: bool) {
        for from in pieces {
            self.piece_moves(kind, movement, from, own_kind);
        }
    }

    /// The moves of all pieces of a kind known only at run time. With the usual movements as constants, no piece asks what it can do.
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

    /// The squares to which a piece could go, kings' safety apart.
    #[inline(always)]
    fn targets(&self, kind: Kind, movement: PieceMovement, from: Square, own_kind: bool) -> Bitboard<R::Word> {
        let (moves, captures) = self.position.targets(kind, movement, from, self.us, own_kind);
        let captures = captures & self.enemy;
        if CAPTURES {
            captures
        } else {
            (moves & self.vacant) | captures
        }
    }

    #[inline(always)]
    fn piece_moves(&mut self, kind: Kind, movement: PieceMovement, from: Square, own_kind: bool) {
        let targets = self.targets(kind, movement, from, own_kind);
        if UNRESTRICTED {
            if self.may_gate(from) {
                self.gating_moves(from, targets);
            }
            self.sink.piece_moves(from, targets);
            return;
        }
        let shields = self.position.pawns(self.us);
        if self.may_gate(from) {
            // The drop fills the square left, so no line opens there, and no bond to a line counts.
            let targets = targets & self.pins.check_mask;
            let doubtful = targets & self.pins.test_to;
            let after = |to: Square| self.occupied | Bitboard::of(to);
            let proven = filter_safe(doubtful, |to| self.is_safe(self.king, after(to), to, shields, kind));
            self.gating_moves(from, (targets & !doubtful) | proven);
        }
        let mut safe = targets & self.pins.allowed_targets(from);
        if self.may_need_test() {
            let is_tried = self.pins.test_from.contains(from);
            let doubtful = if is_tried { targets } else { safe & self.pins.test_to };
            if is_tried || doubtful.any() {
                let after = |to: Square| (self.occupied & !Bitboard::of(from)) | Bitboard::of(to);
                let proven = filter_safe(doubtful, |to| self.is_safe(self.king, after(to), to, shields, kind));
                safe = proven | if is_tried { Bitboard::EMPTY } else { safe & !doubtful };
            }
        }
        self.sink.piece_moves(from, safe);
    }

    /// Can there be moves that only the full test judges?
    #[inline(always)]
    pub(super) fn may_need_test(&self) -> bool {
        let mechanics = self.tables.mechanics();
        mechanics.hoppers || mechanics.cannon || !mechanics.pin_masks_suffice()
    }

    /// The full test: with the board occupied as after the move, the piece on `removed` captured, `shields` our pawns, the enemy's
    /// jokers moving as `kind`, can our king on `king` not be captured?
    #[inline(always)]
    pub(super) fn is_safe(
        &self,
        king: Square,
        occupied: Bitboard<R::Word>,
        removed: Square,
        shields: Bitboard<R::Word>,
        kind: Kind,
    ) -> bool {
        let power = if self.tables.mechanics().joker {
            Some(kind)
        } else {
            None
        };
        let view = AttackView {
            occupied,
            removed: Bitboard::of(removed),
            shields,
            power,
        };
        !self.position.is_attacked(king, !self.us, view)
    }

    #[inline(always)]
    fn king_moves(&mut self, kind: Kind, movement: PieceMovement) {
        let from = self.king;
        let targets = self.targets(kind, movement, from, true);
        let mechanics = self.tables.mechanics();
        let sweeping = (R::Word::BITS == 64 || is_general::<R>())
            && mechanics.pin_masks_suffice()
            && !mechanics.cannon
            && !mechanics.hoppers;
        if sweeping {
            self.king_moves_at_once(kind, targets);
        } else {
            let shields = self.position.pawns(self.us);
            let lifted = self.occupied & !Bitboard::of(from);
            let safe = filter_safe(targets, |to| {
                self.is_safe(to, lifted | Bitboard::of(to), to, shields, kind)
            });
            self.sink.piece_moves(from, safe);
            self.castle();
        }
        if self.may_gate(from) {
            let shields = self.position.pawns(self.us);
            let after = |to: Square| self.occupied | Bitboard::of(to);
            let safe = filter_safe(targets, |to| self.is_safe(to, after(to), to, shields, kind));
            self.gating_moves(from, safe);
        }
    }

    /// The king's moves where all squares that it could enter or pass are judged together.
    #[inline(always)]
    fn king_moves_at_once(&mut self, kind: Kind, targets: Bitboard<R::Word>) {
        let lifted = self.occupied & !Bitboard::of(self.king);
        let castlings = self.open_wings();
        let paths = castlings
            .iter()
            .flatten()
            .fold(Bitboard::EMPTY, |all, wing| all | wing.king_path);
        let asked = targets | paths;
        if asked.is_empty() {
            return;
        }
        let power = if self.tables.mechanics().joker {
            Some(kind)
        } else {
            None
        };
        let danger = self.position.king_danger(asked, !self.us, lifted, power);
        self.sink.piece_moves(self.king, targets & !danger);
        for tables in castlings.into_iter().flatten() {
            let wing = &tables.wing;
            let safe =
                (tables.king_path & danger).is_empty() && (!tables.can_discover_attack || self.is_safe_castled(wing));
            if safe {
                self.sink
                    .single_move(Move::new(MoveKind::Castle, wing.king_from, wing.king_to));
            }
        }
    }

    /// May the move of the piece on `from` drop a piece from its side's pocket?
    #[inline(always)]
    fn may_gate(&self, from: Square) -> bool {
        self.tables.mechanics().gating
            && R::Word::at(&self.tables.gate_right, from) & self.position.state().rights != 0
            && self.position.can_still_gate(self.position.state(), self.us)
    }

    #[inline(always)]
    fn gating_moves(&mut self, from: Square, to: Bitboard<R::Word>) {
        let mut pocket = self.position.state().pockets[self.us.index()];
        while pocket != 0 {
            self.sink.gating_moves(from, to, Kind(pocket.trailing_zeros() as u8));
            pocket &= pocket - 1;
        }
    }

    /// The castlings on which nothing but danger forbids castling.
    #[inline(always)]
    fn open_wings(&self) -> [Option<&'p CastlingTables<R::Word>>; 2] {
        let mut open = [None; 2];
        if !self.tables.mechanics().castling || CAPTURES || self.pins.in_check {
            return open;
        }
        let tables: &'p Tables<R> = self.tables;
        let rights = self.position.state().rights;
        for (place, wing) in open.iter_mut().zip(&tables.castlings[self.us.index()]) {
            if rights & wing.right != 0 && (self.occupied & wing.empty).is_empty() {
                *place = Some(wing);
            }
        }
        open
    }

    /// Castling where each square is judged by itself.
    #[inline(always)]
    fn castle(&mut self) {
        let lifted = self.occupied & !Bitboard::of(self.king);
        let view = self.position.view(self.us);
        for tables in self.open_wings().into_iter().flatten() {
            let wing = &tables.wing;
            let is_crossed_safely = |&square: &Square| {
                let occupied = lifted | Bitboard::of(square);
                !self
                    .position
                    .is_attacked(square, !self.us, AttackView { occupied, ..view })
            };
            if wing.crossed.iter().all(is_crossed_safely) && self.is_safe_castled(wing) {
                self.sink
                    .single_move(Move::new(MoveKind::Castle, wing.king_from, wing.king_to));
            }
        }
    }

    /// Is the king safe where castling leaves it?
    fn is_safe_castled(&self, wing: &CastlingWing) -> bool {
        let left = Bitboard::of(self.king) | Bitboard::of(wing.partner_from);
        let occupied = (self.occupied & !left) | Bitboard::of(wing.king_to) | Bitboard::of(wing.partner_to);
        let kind = self.position.king_kind();
        // Nothing is captured: an empty square is as good as any.
        self.is_safe(wing.king_to, occupied, wing.king_to, self.position.pawns(self.us), kind)
    }
}

/// The members of `targets` that pass the test.
#[inline(always)]
fn filter_safe<W: BitboardWord>(targets: Bitboard<W>, is_safe: impl Fn(Square) -> bool) -> Bitboard<W> {
    targets.into_iter().filter(|&to| is_safe(to)).collect()
}
