//! Conversion from and to the types of `assay-rules`.

use std::sync::Arc;

use assay_rules::color::ByColor;
use assay_rules::def::Rights;
use assay_rules::piece::Kind;
use assay_rules::position::{EnPassantField, Setup};
use assay_rules::{Color, Move as RulesMove, Square};

use super::move_board::Change;
use super::state::{ChecksLeft, Clock, State};
use super::{CompiledPosition, PackedPiece, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveKind};
use crate::tables::{PIECE_INDICES, Tables};

impl<R: CompiledPosition> Position<R> {
    /// Converts a position of the rules. Earlier moves are unknown to the result, as at the start
    /// of a game.
    pub fn new(tables: &Arc<Tables<R>>, from: &assay_rules::Position) -> Self {
        R::from_rules(tables, from)
    }

    pub(crate) fn new_impl(tables: &Arc<Tables<R>>, from: &assay_rules::Position) -> Self {
        let state = State {
            board_key: 0,
            hash: 0,
            rights: from.rights().0,
            repetition_rights: 0,
            clock: Clock::new(from.halfmove_clock(), from.count_limit()),
            fullmove_number: from.fullmove_number(),
            last_move: None,
            last_moved_as: Color::ALL.map(|color| from.last_moved_as(color)),
            en_passant: from.en_passant(),
            side: from.side_to_move(),
            turn: from.turn(),
            checks_left: ChecksLeft::new(from.checks_left(Color::White), from.checks_left(Color::Black)),
            captured: PackedPiece::EMPTY,
            changes: 0,
        };
        let mut position = Position {
            tables: Arc::clone(tables),
            pieces: [Bitboard::EMPTY; PIECE_INDICES],
            colors: [Bitboard::EMPTY; 2],
            mailbox: R::Word::per_square(PackedPiece::EMPTY),
            kings: Color::ALL.map(|color| from.king(color).unwrap_or(Square(0))),
            pockets: [[0; PIECE_INDICES / 2]; 2],
            state,
            previous: Vec::with_capacity(256),
            changes: Vec::new(),
            walls: Bitboard::from_set(from.walls()),
        };
        for (square, piece) in from.pieces() {
            position.change_board(Change::Piece(square, piece));
        }
        for color in Color::ALL {
            for kind in from.pocket(color) {
                position.pockets[color.index()][kind.index()] += 1;
            }
        }
        position.state.repetition_rights = position.repetition_rights(&state);
        position.state.board_key = position.board_key_from_scratch();
        position.update_hash();
        position
    }

    /// Converts the position to the rules' type.
    ///
    /// # Panics
    /// If the position was not reached by legal moves.
    pub fn to_rules(&self) -> assay_rules::Position {
        let game = self.game();
        let setup = Setup {
            pieces: (0..game.board.box_size()).map(|square| self.mailbox[square].piece()).collect(),
            walls: self.walls.to_set(),
            pockets: ByColor::new_with(|color| {
                game.kinds
                    .all()
                    .flat_map(|kind| std::iter::repeat_n(kind, self.in_pocket(color, kind) as usize))
                    .collect::<Vec<Kind>>()
            }),
            last_moved_as: ByColor(self.state().last_moved_as),
            checks_left: ByColor::new_with(|color| self.checks_left(color)),
            turn: self.turn(),
            rights: Rights(self.state().rights),
            en_passant: self
                .state()
                .en_passant
                .map_or(EnPassantField::None, |ep| EnPassantField::Two(ep.passed, ep.victim)),
            count_limit: self.state().clock.limit(),
            halfmove_clock: self.halfmove_clock(),
            fullmove_number: self.state().fullmove_number,
            warnings: Vec::new(),
        };
        let (position, _warnings) =
            assay_rules::Position::from_setup(game, &setup).expect("legal moves lead to playable positions");
        position
    }

    /// Converts a legal move to the rules' type.
    ///
    /// # Panics
    /// If the move is not legal in this position.
    pub fn to_rules_move(&self, mv: Move) -> RulesMove {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => {
                RulesMove::Normal { from, to, promotion: mv.promotion(), gate: mv.gate(), wall: mv.wall() }
            }
            MoveKind::DoubleStep => {
                let passed = self.tables.passed_by(self.moved_piece(mv), from, to);
                RulesMove::DoubleStep {
                    from,
                    to,
                    passed: passed.expect("a double step passes over a square"),
                    wall: mv.wall(),
                }
            }
            MoveKind::EnPassant => {
                let ep = self.state().en_passant.expect("there is a pawn to capture en passant");
                RulesMove::EnPassant { from, to, victim: ep.victim, wall: mv.wall() }
            }
            MoveKind::Castle | MoveKind::CastleGatingPartner => {
                let mut wings = self.game().castling_wings().iter();
                let wing = wings.position(|wing| wing.king_from == from && wing.target == to);
                RulesMove::Castle {
                    wing: wing.expect("the game has this castling"),
                    from,
                    to,
                    gate: self.gated(self.side_to_move(), mv),
                    wall: mv.wall(),
                }
            }
            MoveKind::Cannon => RulesMove::Cannon { from, target: to },
            MoveKind::Drop => RulesMove::Drop { kind: self.moved_kind(mv), to },
        }
    }

    /// Converts a legal move from the rules' type.
    pub fn from_rules_move(&self, mv: RulesMove) -> Move {
        let kind = match mv {
            RulesMove::Normal { .. } => MoveKind::Normal,
            RulesMove::DoubleStep { .. } => MoveKind::DoubleStep,
            RulesMove::EnPassant { .. } => MoveKind::EnPassant,
            RulesMove::Castle { from, gate: Some((_, square)), .. } if square != from => MoveKind::CastleGatingPartner,
            RulesMove::Castle { .. } => MoveKind::Castle,
            RulesMove::Cannon { .. } => MoveKind::Cannon,
            RulesMove::Drop { .. } => MoveKind::Drop,
        };
        let mut packed = Move::new(kind, mv.from(), mv.to());
        if let Some(kind) = mv.promotion() {
            packed = packed.promoting(kind);
        }
        if let Some(kind) = mv.gate() {
            packed = packed.gating(kind);
        }
        if let Some(square) = mv.wall() {
            packed = packed.walling(square);
        }
        packed
    }
}
