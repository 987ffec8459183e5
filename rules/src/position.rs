//! Legal positions and the reference move generator.

mod attack;
mod counting;
mod from_setup;
mod movegen;
mod outcome;
mod play;
mod repetition;
mod setup;

use std::sync::Arc;

use crate::types::color::{ByColor, Color};
use crate::types::definition::GameDef;
use crate::types::moves::Move;
use crate::types::piece::{Kind, Piece};
use crate::types::rights::{RightKind, Rights};
use crate::types::square::{Square, SquareSet};

pub use crate::types::turn::{MAX_COUNT, MAX_COUNT_LIMIT, Turn};
pub use repetition::RepetitionKey;
pub use setup::{EnPassantField, Setup, SetupError, SetupErrors, SetupWarning};

/// A pawn that can be captured en passant on this move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EnPassant {
    /// Square it passed over.
    pub passed: Square,
    /// Square of the pawn.
    pub victim: Square,
}

/// A legal position of a game.
///
/// Equality compares all fields of the FEN, including the clocks. The repetition rule compares
/// [`Position::repetition_key`]s instead.
#[derive(Clone, Debug)]
pub struct Position {
    game: Arc<GameDef>,
    pieces: Vec<Option<Piece>>,
    walls: SquareSet,
    turn: Turn,
    rights: Rights,
    en_passant: Option<EnPassant>,
    pockets: ByColor<Vec<Kind>>,
    last_moved_as: ByColor<Option<Kind>>,
    checks_left: ByColor<u8>,
    count_limit: Option<u32>,
    halfmove_clock: u32,
    fullmove_number: u32,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.pieces == other.pieces
            && self.walls == other.walls
            && self.turn == other.turn
            && self.written_rights() == other.written_rights()
            && self.en_passant == other.en_passant
            && self.pockets == other.pockets
            && self.last_moved_as == other.last_moved_as
            && self.checks_left == other.checks_left
            && self.count_limit == other.count_limit
            && self.halfmove_clock == other.halfmove_clock
            && self.fullmove_number == other.fullmove_number
            && self.game.name == other.game.name
    }
}

impl Eq for Position {}

impl Position {
    pub fn game(&self) -> &Arc<GameDef> {
        &self.game
    }

    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// Squares with walls.
    pub fn walls(&self) -> SquareSet {
        self.walls
    }

    /// Returns true if there is neither a piece nor a wall on a square.
    pub fn is_empty(&self, square: Square) -> bool {
        self.piece_at(square).is_none() && !self.walls.contains(square)
    }

    /// The piece that a legal move moves or drops, the king when castling. `None` if the origin of
    /// the move is empty.
    pub fn moved_piece(&self, mv: Move) -> Option<Piece> {
        match mv {
            Move::Drop { kind, .. } => {
                let color = self.side_to_move();
                Some(Piece { color, kind })
            }
            _ => self.piece_at(mv.from()),
        }
    }

    /// All pieces on the board, in ascending order of squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.pieces.iter().enumerate().filter_map(|(index, piece)| Some((Square(index as u8), (*piece)?)))
    }

    /// Square of a side's king; `None` in a game without one.
    pub fn king(&self, color: Color) -> Option<Square> {
        let kind = self.game.king?;
        self.pieces().find_map(|(square, piece)| (piece == Piece { color, kind }).then_some(square))
    }

    /// Squares of the pieces of a side that must not be left attacked: the king, and in some games
    /// others.
    pub fn royals(&self, color: Color) -> impl Iterator<Item = Square> + '_ {
        self.pieces()
            .filter(move |(_, piece)| piece.color == color && self.game.is_royal(piece.kind))
            .map(|(square, _)| square)
    }

    pub fn side_to_move(&self) -> Color {
        self.turn.color()
    }

    /// The side to move, including two-move handicaps.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    pub fn rights(&self) -> Rights {
        self.rights
    }

    /// The pawn that can be captured en passant. `None` unless at least one such capture is legal.
    pub fn en_passant(&self) -> Option<EnPassant> {
        self.en_passant
    }

    /// Pieces in a side's pocket, in ascending order of kinds.
    pub fn pocket(&self, color: Color) -> &[Kind] {
        &self.pockets[color]
    }

    /// Kind of the last movement that a side used, which the *other* side's joker imitates. Always
    /// `None` in games without a joker.
    pub fn last_moved_as(&self, color: Color) -> Option<Kind> {
        self.last_moved_as[color]
    }

    /// Number of checks that a side still has to give to win; 0 in games that do not count checks.
    pub fn checks_left(&self, color: Color) -> u8 {
        self.checks_left[color]
    }

    /// Number of plies after which the count of moves that runs ends the game; `None` if none runs.
    /// The [clock](Position::halfmove_clock) then counts its plies.
    pub fn count_limit(&self) -> Option<u32> {
        self.count_limit
    }

    /// Plies since the last capture, pawn move or drop, or plies of the running count of moves.
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// Move number, starting at 1 and incremented after Black's turn.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// Number of the next move of a side.
    pub fn next_fullmove_number(&self, color: Color) -> u32 {
        match (self.side_to_move(), color) {
            (Color::Black, Color::White) => self.fullmove_number + 1,
            _ => self.fullmove_number,
        }
    }

    /// Returns true if `color` has a piece in its pocket and its next move is within its move
    /// limit.
    pub fn can_still_gate(&self, color: Color) -> bool {
        !self.pockets[color].is_empty()
            && self
                .game
                .gating
                .as_ref()
                .is_some_and(|gating| self.next_fullmove_number(color) <= gating.last_move[color])
    }

    /// Returns true if the piece on `square` has its initial moves: a pawn on its home rank, any
    /// other piece while it holds the right.
    fn has_initial_moves(&self, square: Square, piece: Piece) -> bool {
        if piece.kind == self.game.pawn {
            return self.game.is_home_rank(self.game.board.relative_rank(piece.color, square));
        }
        self.rights.iter().any(|index| self.game.rights[index].kind == RightKind::InitialMove(square))
    }
}
