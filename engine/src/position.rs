//! Positions on bitboards: move generation, making and unmaking moves, attacks, hashing and
//! results.

mod arrange;
mod attack_view;
mod attacks;
mod check;
mod compiled;
mod convert;
mod generate;
mod hash;
mod mailbox;
mod make;
mod mechanism;
mod move_board;
mod move_maker;
mod outcome;
mod state;
mod targets;

use std::sync::Arc;

use assay_rules::piece::{Kind, Piece};
use assay_rules::position::EnPassant;
use assay_rules::{Color, GameDef, Square, Turn};

use crate::bitboard::Bitboard;
use crate::bitboard::BitboardWord;
use crate::moves::{Move, MoveKind};
use crate::ruleset::{Mechanics, Role};
use crate::ruleset::{Ruleset, is_general, kind_with_role};
use crate::tables::{BySquare, PIECE_INDICES, Tables, piece_index};
use move_board::Change;
use state::State;

pub use attack_view::{AttackView, CheckSquares};
pub(crate) use attacks::NoAddedPieces;
pub use compiled::{CompiledPosition, LastPly, Targets, Wanted};

pub(crate) use generate::move_sink::{ListWriter, MoveCounter};
pub(crate) use mailbox::Mailbox;
pub(crate) use move_maker::MoveMaker;

/// The piece on a square, or none, in one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PackedPiece(u8);

impl PackedPiece {
    const EMPTY: PackedPiece = PackedPiece(0);

    #[inline(always)]
    fn of(piece: Piece) -> PackedPiece {
        PackedPiece(piece.kind.0 << 2 | (piece.color as u8) << 1 | 1)
    }

    #[inline(always)]
    fn piece(self) -> Option<Piece> {
        let color = if self.0 & 2 == 0 { Color::White } else { Color::Black };
        (self != PackedPiece::EMPTY).then_some(Piece { color, kind: Kind(self.0 >> 2) })
    }
}

/// A position with the moves that led to it.
///
/// ```
/// use assay_engine::{MoveList, Position, Tables, ruleset::Chess};
/// use assay_rules::GameDef;
///
/// let game = GameDef::builtin("chess").unwrap();
/// let tables = Tables::<Chess>::new(&game);
/// let mut position = Position::new(&tables, &assay_rules::Position::start(&game));
/// let mut moves = MoveList::new();
/// position.legal_moves(&mut moves);
/// assert_eq!(moves.len(), 20);
/// position.make(moves[0]);
/// assert_eq!(position.perft(1), 20);
/// position.unmake();
/// ```
#[derive(Clone, Debug)]
pub struct Position<R: Ruleset> {
    tables: Arc<Tables<R>>,
    /// Indexed by [`piece_index`].
    pieces: [Bitboard<R::Word>; PIECE_INDICES],
    colors: [Bitboard<R::Word>; 2],
    mailbox: BySquare<R, PackedPiece>,
    kings: [Square; 2],
    /// Number of pieces in the pockets, by color and kind.
    pockets: [[u8; PIECE_INDICES / 2]; 2],
    state: State,
    /// Earlier states since the start, the latest last.
    previous: Vec<State>,
    /// Changes by the moves since the start, except by moves that only move a piece and capture one
    /// on its target; the latest last.
    changes: Vec<Change>,
    /// Squares with walls; none in games without them.
    walls: Bitboard<R::Word>,
}

impl<R: Ruleset> Position<R> {
    pub fn tables(&self) -> &Arc<Tables<R>> {
        &self.tables
    }

    pub fn game(&self) -> &Arc<GameDef> {
        self.tables.game()
    }

    #[inline(always)]
    fn state(&self) -> &State {
        &self.state
    }

    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.state().side
    }

    /// Returns the turn: the side to move, or a turn of a two-move handicap.
    #[inline(always)]
    pub fn turn(&self) -> Turn {
        if R::MECHANICS.contains(Mechanics::HANDICAPS) { self.state().turn } else { Turn::Single(self.state().side) }
    }

    /// Returns the position hash; equal for positions that are the same under the repetition rule.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.state().hash
    }

    /// Returns the number of plies since the last capture, pawn move or drop, or of the count of
    /// moves that runs.
    #[inline(always)]
    pub fn halfmove_clock(&self) -> u32 {
        self.state().clock.plies()
    }

    /// Returns the move number: 1 at the start, incremented after each turn of Black.
    #[inline(always)]
    pub fn fullmove_number(&self) -> u32 {
        self.state().fullmove_number
    }

    /// Returns the pawn that can be captured en passant, if any such capture is legal.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<EnPassant> {
        self.state().en_passant
    }

    /// Returns the kind that `color` last moved as, which the other side's jokers imitate.
    #[inline(always)]
    pub fn last_moved_as(&self, color: Color) -> Option<Kind> {
        self.state().last_moved_as[color.index()]
    }

    /// Returns the number of checks that `color` still has to give to win; 0 in games that do not
    /// count checks.
    #[inline(always)]
    pub fn checks_left(&self, color: Color) -> u8 {
        self.state().checks_left.of(color)
    }

    /// Returns the number of pieces of `kind` in the pocket of `color`.
    #[inline(always)]
    pub fn in_pocket(&self, color: Color, kind: Kind) -> u32 {
        u32::from(self.pockets[color.index()][kind.index()])
    }

    /// Returns the move that led here; `None` at the start and after a null move.
    #[inline(always)]
    pub fn last_move(&self) -> Option<Move> {
        self.state().last_move
    }

    /// Returns the number of plies since the start position, null moves included.
    #[inline(always)]
    pub fn ply(&self) -> usize {
        self.previous.len()
    }

    /// Returns a copy of the pieces by square.
    #[inline(always)]
    pub(crate) fn mailbox(&self) -> Mailbox {
        Mailbox::new::<R::Word>(&self.mailbox)
    }

    #[inline(always)]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        R::Word::at(&self.mailbox, square).piece()
    }

    #[inline(always)]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        self.piece_at(square).map(|piece| piece.kind)
    }

    #[inline(always)]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        self.piece_at(square).map(|piece| piece.color)
    }

    /// Returns the pieces of one kind and color.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: Kind) -> Bitboard<R::Word> {
        self.pieces[piece_index(color, kind)]
    }

    /// Returns the squares that block lines: those with pieces or walls.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard<R::Word> {
        if R::MECHANICS.contains(Mechanics::WALLS) { self.all_pieces() | self.walls } else { self.all_pieces() }
    }

    /// Returns the pieces of both colors.
    #[inline(always)]
    pub fn all_pieces(&self) -> Bitboard<R::Word> {
        self.colors[0] | self.colors[1]
    }

    /// Returns all pieces of one color.
    #[inline(always)]
    pub fn by_color(&self, color: Color) -> Bitboard<R::Word> {
        self.colors[color.index()]
    }

    /// Returns the square of a side's king; in a game without one, a square without meaning.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// The pawns of all kinds.
    #[inline(always)]
    pub(crate) fn pawns(&self, color: Color) -> Bitboard<R::Word> {
        let kinds = self.tables.pawn_kinds();
        kinds.fold(Bitboard::EMPTY, |pawns, kind| pawns | self.pieces(color, kind))
    }

    #[inline(always)]
    fn king_kind(&self) -> Option<Kind> {
        const { kind_with_role::<R>(Role::King) }.or_else(|| self.game().kinds.king())
    }

    #[inline(always)]
    fn joker_kind(&self) -> Option<Kind> {
        if is_general::<R>() { self.game().kinds.joker() } else { const { kind_with_role::<R>(Role::Joker) } }
    }

    #[inline(always)]
    fn jokers(&self, color: Color) -> Bitboard<R::Word> {
        if !R::MECHANICS.contains(Mechanics::JOKER) {
            return Bitboard::EMPTY;
        }
        self.joker_kind().map_or(Bitboard::EMPTY, |kind| self.pieces(color, kind))
    }

    /// Returns the kind of the piece that moves or is dropped.
    ///
    /// # Panics
    /// If there is no piece on the origin square.
    #[inline(always)]
    pub fn moved_kind(&self, mv: Move) -> Kind {
        self.moved_piece(mv).kind
    }

    #[inline(always)]
    fn moved_piece(&self, mv: Move) -> Piece {
        if self.tables.has(Mechanics::DROPS)
            && let Some(kind) = mv.dropped()
        {
            let color = self.side_to_move();
            return Piece { color, kind };
        }
        self.piece_at(mv.from()).expect("a piece on the origin square")
    }

    /// Returns the kind of the piece that `mv` captures, if any.
    #[inline(always)]
    pub fn captured_kind(&self, mv: Move) -> Option<Kind> {
        match mv.kind() {
            MoveKind::Castle | MoveKind::CastleGatingPartner | MoveKind::Drop => None,
            MoveKind::EnPassant => self.en_passant().and_then(|ep| self.kind_at(ep.victim)),
            MoveKind::Normal | MoveKind::DoubleStep | MoveKind::Cannon => self.kind_at(mv.to()),
        }
    }

    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Castle | MoveKind::CastleGatingPartner | MoveKind::Drop => false,
            MoveKind::EnPassant => true,
            MoveKind::Normal | MoveKind::DoubleStep | MoveKind::Cannon => self.occupied().contains(mv.to()),
        }
    }
}
