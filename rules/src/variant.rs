//! Games and their positions: definitions that have been validated, and the reference generator.

pub(crate) mod endings;
pub(crate) mod kinds;
pub(crate) mod mechanism;
pub(crate) mod pawns;

mod attack;
mod from_setup;
mod marks;
mod movegen;
mod outcome;
mod play;
mod repetition;
mod setup;

use std::sync::Arc;

use serde::Serialize;

use self::endings::Endings;
use self::kinds::{KindDef, Kinds};
use self::mechanism::{Mechanisms, Parts};
use self::pawns::Pawns;
use crate::types::board::Board;
use crate::types::color::Color;
use crate::types::moves::Move;
use crate::types::outcome::Points;
use crate::types::piece::{Kind, Piece};
use crate::types::rights::{Right, RightKind, Rights};
use crate::types::square::{Square, SquareSet};
use crate::types::turn::Turn;

pub use self::marks::{Mark, marks};
pub use self::repetition::RepetitionKey;
pub use self::setup::{EnPassantField, Setup, SetupError, SetupErrors, SetupWarning};

/// A start position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Start {
    /// Identifier on command lines: a number or a word.
    pub id: String,
    /// Description for people.
    #[serde(skip)]
    pub title: String,
    /// Position as FEN.
    pub fen: String,
}

/// A validated game definition. Its serialization has all that determines which games can be
/// played: not what follows from the rest, and no titles, sources, names of kinds and published
/// values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameDef {
    /// Name used by protocols and on command lines (`chess`).
    pub name: String,
    /// Name for people (`Orthodox chess`).
    #[serde(skip)]
    pub title: String,
    /// Source of the rules and values.
    #[serde(skip)]
    pub source: String,
    pub board: Board,
    pub kinds: Kinds,
    pub pawns: Pawns,
    pub mechanisms: Mechanisms,
    pub endings: Endings,
    /// All rights of unmoved pieces; each is one bit of [`Rights`].
    #[serde(skip)]
    pub rights: Vec<Right>,
    pub starts: Vec<Start>,
    /// Index in `starts` of the default start position.
    pub default_start: usize,
}

impl GameDef {
    pub fn kind(&self, kind: Kind) -> &KindDef {
        &self.kinds[kind]
    }

    /// The first kind of pawn, which is the unit of values, and which notation names by no letter.
    pub fn first_pawn(&self) -> Kind {
        self.pawns.kinds[0]
    }

    pub(crate) fn parts(&self) -> Parts<'_> {
        Parts { board: &self.board, kinds: &self.kinds, pawns: &self.pawns }
    }

    /// The kind without which a side has lost: the king, or the only kind whose extinction decides.
    pub fn vital_kind(&self) -> Option<Kind> {
        self.mechanisms.vital_kind(&self.kinds)
    }

    /// Returns true if a side without legal moves can have won.
    pub fn can_win_without_moves(&self) -> bool {
        let Endings { checkmate, stalemate, stalemate_by_count, draw, .. } = self.endings;
        let is_lost = checkmate == Points::LOSS || stalemate == Points::LOSS;
        is_lost || stalemate_by_count || draw != Points::DRAW
    }

    /// Kinds that may be in a pocket, in ascending order; empty in games without pockets.
    pub fn pocket_kinds(&self) -> &[Kind] {
        let gating = self.mechanisms.gating.as_ref().map(|gating| &gating.pocket[..]);
        let drops = self.mechanisms.drops.as_ref().map(|drops| &drops.kinds[..]);
        gating.or(drops).unwrap_or_default()
    }

    pub fn start(&self, id: &str) -> Option<&Start> {
        self.starts.iter().find(|start| start.id == id)
    }

    /// The inventor's value of a kind, in units of the inventor's pawn.
    pub fn value_in_pawns(&self, kind: Kind) -> Option<f64> {
        Some(self.kind(kind).value? / self.kind(self.first_pawn()).value?)
    }

    /// The inventor's bonus for a pair of a kind, in units of the inventor's pawn.
    pub fn pair_in_pawns(&self, kind: Kind) -> Option<f64> {
        Some(self.kind(kind).pair? / self.kind(self.first_pawn()).value?)
    }

    /// Returns true if unmoved pieces of this kind, other than pawns, have additional moves.
    pub fn has_initial_moves(&self, kind: Kind) -> bool {
        !self.pawns.contains(kind) && self.kind(kind).movement.paths.iter().any(|path| path.initial)
    }
}

/// A pawn that can be captured en passant on this move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EnPassant {
    /// Square it passed over.
    pub passed: Square,
    /// Square of the pawn.
    pub victim: Square,
}

/// A legal position of a game: a setup that has been validated.
///
/// Equality compares all fields of the FEN, including the clocks. The repetition rule compares
/// [`Position::repetition_key`]s instead.
#[derive(Clone, Debug)]
pub struct Position {
    game: Arc<GameDef>,
    /// Its en passant field has both squares, or none.
    setup: Setup,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        let is_same = |mut one: Setup, mut two: Setup| {
            (one.rights, two.rights) = (self.written_rights(), other.written_rights());
            one == two
        };
        self.game.name == other.game.name && is_same(self.setup.clone(), other.setup.clone())
    }
}

impl Eq for Position {}

impl Position {
    pub fn game(&self) -> &Arc<GameDef> {
        &self.game
    }

    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.setup.pieces[square.index()]
    }

    /// Squares with walls.
    pub fn walls(&self) -> SquareSet {
        self.setup.walls
    }

    /// Returns true if there is neither a piece nor a wall on a square.
    pub fn is_empty(&self, square: Square) -> bool {
        self.piece_at(square).is_none() && !self.setup.walls.contains(square)
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
        self.setup.pieces.iter().enumerate().filter_map(|(index, piece)| Some((Square(index as u8), (*piece)?)))
    }

    /// Square of a side's king; `None` in a game without one.
    pub fn king(&self, color: Color) -> Option<Square> {
        let kind = self.game.kinds.king()?;
        self.pieces().find_map(|(square, piece)| (piece == Piece { color, kind }).then_some(square))
    }

    /// Squares of the pieces of a side that must not be left attacked: the king, and in some games
    /// others.
    pub fn royals(&self, color: Color) -> impl Iterator<Item = Square> + '_ {
        self.pieces()
            .filter(move |(_, piece)| piece.color == color && self.game.kinds.is_royal(piece.kind))
            .map(|(square, _)| square)
    }

    pub fn side_to_move(&self) -> Color {
        self.setup.turn.color()
    }

    /// The side to move, including two-move handicaps.
    pub fn turn(&self) -> Turn {
        self.setup.turn
    }

    pub fn rights(&self) -> Rights {
        self.setup.rights
    }

    /// The pawn that can be captured en passant. `None` unless at least one such capture is legal.
    pub fn en_passant(&self) -> Option<EnPassant> {
        match self.setup.en_passant {
            EnPassantField::Two(passed, victim) => Some(EnPassant { passed, victim }),
            EnPassantField::None | EnPassantField::One(_) => None,
        }
    }

    /// Pieces in a side's pocket, in ascending order of kinds.
    pub fn pocket(&self, color: Color) -> &[Kind] {
        &self.setup.pockets[color]
    }

    /// Kind of the last movement that a side used, which the *other* side's joker imitates. Always
    /// `None` in games without a joker.
    pub fn last_moved_as(&self, color: Color) -> Option<Kind> {
        self.setup.last_moved_as[color]
    }

    /// Number of checks that a side still has to give to win; 0 in games that do not count checks.
    pub fn checks_left(&self, color: Color) -> u8 {
        self.setup.checks_left[color]
    }

    /// Number of plies after which the count of moves that runs ends the game; `None` if none runs.
    /// The [clock](Position::halfmove_clock) then counts its plies.
    pub fn count_limit(&self) -> Option<u32> {
        self.setup.count_limit
    }

    /// Plies since the last capture, pawn move or drop, or plies of the running count of moves.
    pub fn halfmove_clock(&self) -> u32 {
        self.setup.halfmove_clock
    }

    /// Move number, starting at 1 and incremented after Black's turn.
    pub fn fullmove_number(&self) -> u32 {
        self.setup.fullmove_number
    }

    /// Number of the next move of a side.
    pub fn next_fullmove_number(&self, color: Color) -> u32 {
        match (self.side_to_move(), color) {
            (Color::Black, Color::White) => self.setup.fullmove_number + 1,
            _ => self.setup.fullmove_number,
        }
    }

    /// Returns true if `color` has a piece in its pocket and its next move is within its move
    /// limit.
    pub fn can_still_gate(&self, color: Color) -> bool {
        !self.setup.pockets[color].is_empty()
            && self
                .game
                .mechanisms
                .gating
                .as_ref()
                .is_some_and(|gating| self.next_fullmove_number(color) <= gating.last_move[color])
    }

    /// Returns true if the piece on `square` has its initial moves: a pawn on its home rank, any
    /// other piece while it holds the right.
    fn has_initial_moves(&self, square: Square, piece: Piece) -> bool {
        if self.game.pawns.contains(piece.kind) {
            return self.game.pawns.has_initial_moves(&self.game.board, piece.color, square);
        }
        self.setup.rights.iter().any(|index| self.game.rights[index].kind == RightKind::InitialMove(square))
    }
}
