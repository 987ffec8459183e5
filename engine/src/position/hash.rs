//! Zobrist hashing (Zobrist 1970), and the three primitives that change the board.

use assay_rules::def::Rights;
use assay_rules::piece::Piece;
use assay_rules::{Color, Square};

use super::state::State;
use super::{CompiledPosition, PackedPiece, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveKind};
use crate::ruleset::Mechanics;
use crate::tables::{PIECE_INDICES, piece_index};

impl<R: CompiledPosition> Position<R> {
    /// Puts a piece on an empty square. Returns the change of the board key.
    #[inline(always)]
    pub(super) fn put(&mut self, square: Square, piece: Piece) -> u64 {
        self.flip(Bitboard::of(square), piece);
        *R::Word::entry_mut(&mut self.mailbox, square) = PackedPiece::of(piece);
        self.tables.zobrist.piece(piece.color, piece.kind, square)
    }

    /// Removes the piece from its square. Returns the change of the board key.
    #[inline(always)]
    pub(super) fn remove(&mut self, square: Square, piece: Piece) -> u64 {
        self.flip(Bitboard::of(square), piece);
        *R::Word::entry_mut(&mut self.mailbox, square) = PackedPiece::EMPTY;
        self.tables.zobrist.piece(piece.color, piece.kind, square)
    }

    /// Moves a piece to an empty square. Returns the change of the board key.
    #[inline(always)]
    pub(super) fn relocate(&mut self, from: Square, to: Square, piece: Piece) -> u64 {
        self.flip(Bitboard::of(from) | Bitboard::of(to), piece);
        *R::Word::entry_mut(&mut self.mailbox, from) = PackedPiece::EMPTY;
        *R::Word::entry_mut(&mut self.mailbox, to) = PackedPiece::of(piece);
        let zobrist = &self.tables.zobrist;
        zobrist.piece(piece.color, piece.kind, from) ^ zobrist.piece(piece.color, piece.kind, to)
    }

    #[inline(always)]
    fn flip(&mut self, squares: Bitboard<R::Word>, piece: Piece) {
        self.pieces[piece_index(piece.color, piece.kind)] ^= squares;
        self.colors[piece.color.index()] ^= squares;
    }

    /// Returns true if `color` has a piece in its pocket and will not have passed the last move for
    /// gating at its next turn.
    #[inline(always)]
    pub(super) fn can_still_gate(&self, state: &State, color: Color) -> bool {
        if !self.tables.has(Mechanics::GATING) || state.pockets[color.index()] == 0 {
            return false;
        }
        let after_black = state.side == Color::Black && color == Color::White;
        let next = state.fullmove_number + u32::from(after_black);
        self.game().gating.as_ref().is_some_and(|gating| next <= gating.last_move[color])
    }

    /// Rights that distinguish positions under the repetition rule: gating rights count only while
    /// gating is possible.
    #[inline(always)]
    pub(super) fn repetition_rights(&self, state: &State) -> u64 {
        let mut rights = state.rights;
        if self.tables.has(Mechanics::GATING) && rights != 0 {
            for color in Color::ALL {
                if !self.can_still_gate(state, color) {
                    rights &= !self.tables.gate_rights[color.index()];
                }
            }
        }
        rights
    }

    /// Updates the rights in the board key. Called last, after everything that they depend on has
    /// changed.
    #[inline(always)]
    pub(super) fn update_repetition_rights(&self, state: &mut State) {
        let rights = self.repetition_rights(state);
        let changed = rights ^ state.repetition_rights;
        if changed != 0 {
            state.board_key ^= self.tables.zobrist.rights(Rights(changed));
            state.repetition_rights = rights;
        }
    }

    /// The position hash: the incremental board key combined with the parts that are cheaper to
    /// hash from scratch.
    #[inline(always)]
    pub(super) fn compute_hash(&self, state: &State) -> u64 {
        let zobrist = &self.tables.zobrist;
        let mut hash = state.board_key;
        hash ^= if R::MECHANICS.contains(Mechanics::HANDICAPS) {
            zobrist.turn(state.turn)
        } else {
            zobrist.side(state.side)
        };
        if self.tables.has(Mechanics::EN_PASSANT) {
            hash ^= zobrist.en_passant(state.en_passant);
        }
        if self.tables.has(Mechanics::CHECK_COUNT) {
            for color in Color::ALL {
                hash ^= zobrist.checks_left(color, state.checks_left.of(color));
            }
        }
        if self.tables.has(Mechanics::JOKER) {
            for color in Color::ALL {
                if self.jokers(!color).any() {
                    hash ^= zobrist.last_moved_as(color, state.last_moved_as[color.index()]);
                }
            }
        }
        hash
    }

    /// Estimates the hash after a move, to prefetch from hash tables before the move is made. It is
    /// exact for moves that only move a piece or capture on the target, and change no rights.
    #[inline]
    pub(crate) fn hash_after(&self, mv: Move) -> u64 {
        let zobrist = &self.tables.zobrist;
        let state = self.state();
        let mut hash = state.hash ^ zobrist.side(state.side) ^ zobrist.side(!state.side);
        if self.tables.has(Mechanics::EN_PASSANT) {
            hash ^= zobrist.en_passant(state.en_passant);
        }
        if let Some(piece) = self.piece_at(mv.from()) {
            hash ^= zobrist.piece(piece.color, piece.kind, mv.from()) ^ zobrist.piece(piece.color, piece.kind, mv.to());
        }
        if let Some(victim) = self.piece_at(mv.to()) {
            hash ^= zobrist.piece(victim.color, victim.kind, mv.to());
        }
        hash
    }

    /// Computes the hash from scratch; always equal to [`Position::hash`].
    pub fn hash_from_scratch(&self) -> u64 {
        self.compute_hash(&State { board_key: self.board_key_from_scratch(), ..*self.state() })
    }

    pub(super) fn board_key_from_scratch(&self) -> u64 {
        let zobrist = &self.tables.zobrist;
        let pieces = self.tables.squares.into_iter().filter_map(|square| {
            let piece = R::Word::at(&self.mailbox, square).piece()?;
            Some(zobrist.piece(piece.color, piece.kind, square))
        });
        let pockets = Color::ALL.into_iter().flat_map(|color| {
            let kinds = self.game().all_kinds();
            kinds.map(move |kind| zobrist.pocket(color, kind, self.in_pocket(color, kind)))
        });
        let rights = zobrist.rights(Rights(self.repetition_rights(self.state())));
        let walls = self.walls.into_iter().map(|square| zobrist.wall(square));
        pieces.chain(pockets).chain(walls).fold(rights, |key, part| key ^ part)
    }

    /// A hash of the pieces that is independent of [`Position::hash`] and verifies it: a sum over
    /// the piece bitboards, whose terms are computed in parallel.
    #[inline(always)]
    pub(crate) fn verification_hash(&self) -> u64 {
        let words = self.pieces[..2 * self.tables.movements.len()].iter().enumerate();
        let sum = words.fold(0, |sum: u64, (index, &pieces)| sum.wrapping_add(verification_part(index, pieces)));
        if self.tables.has(Mechanics::WALLS) {
            sum.wrapping_add(verification_part(PIECE_INDICES, self.walls))
        } else {
            sum
        }
    }

    /// A hash of the pawns of both sides.
    #[inline(always)]
    pub(crate) fn pawn_hash(&self) -> u64 {
        let part = |color| verification_part(piece_index(color, self.pawn_kind()), self.pawns(color));
        part(Color::White).wrapping_add(part(Color::Black))
    }

    /// A hash of one side's pieces other than pawns.
    #[inline(always)]
    pub(crate) fn non_pawn_hash(&self, color: Color) -> u64 {
        let kinds = self.game().all_kinds().filter(|&kind| kind != self.pawn_kind());
        kinds.fold(0, |sum: u64, kind| {
            let index = piece_index(color, kind);
            sum.wrapping_add(verification_part(index, self.pieces[index]))
        })
    }

    /// Predicts the hash and verification hash after `mv` without making it; `second` is the
    /// current verification hash. Returns `None` unless the move changes only pieces, the joker's
    /// movement and the turn.
    #[inline(always)]
    pub(crate) fn hashes_after_move(&self, mv: Move, second: u64) -> Option<(u64, u64)> {
        let (from, to) = (mv.from(), mv.to());
        let is_plain = mv.kind() == MoveKind::Normal && mv.promotion().is_none() && mv.gate().is_none();
        let state = self.state();
        let kept = R::Word::at(&self.tables.kept_rights, from) & R::Word::at(&self.tables.kept_rights, to);
        let gates = self.tables.has(Mechanics::GATING) && state.pockets != [0; 2];
        let others_change = self.tables.has(Mechanics::CHECK_COUNT) || self.tables.has(Mechanics::WALLS);
        // The king takes rights away that do not belong to its square.
        let roams = self.tables.has(Mechanics::CASTLING_FROM_ANY_FILE);
        if !is_plain || state.rights & !kept != 0 || (gates || roams) && state.rights != 0 || others_change {
            return None;
        }
        let piece = self.piece_at(from)?;
        let mut next = *state;
        let zobrist = &self.tables.zobrist;
        next.board_key ^= zobrist.piece(piece.color, piece.kind, from) ^ zobrist.piece(piece.color, piece.kind, to);
        let replaced = |sum: u64, index: usize, change: Bitboard<R::Word>| {
            let pieces = self.pieces[index];
            sum.wrapping_sub(verification_part(index, pieces)).wrapping_add(verification_part(index, pieces ^ change))
        };
        let mut second = replaced(second, piece_index(piece.color, piece.kind), Bitboard::of(from) | Bitboard::of(to));
        if let Some(victim) = self.piece_at(to) {
            if self.tables.has(Mechanics::DROPS) || self.tables.has(Mechanics::EXPLOSIONS) {
                // The victim goes to a pocket, or others vanish with it.
                return None;
            }
            if self.tables.has(Mechanics::JOKER) && Some(victim.kind) == self.joker_kind() {
                // Without jokers, their movement is no longer part of the hash.
                return None;
            }
            next.board_key ^= zobrist.piece(victim.color, victim.kind, to);
            second = replaced(second, piece_index(victim.color, victim.kind), Bitboard::of(to));
        }
        self.record_last_moved_as(&mut next, piece);
        next.en_passant = None;
        Self::end_turn(&mut next);
        Some((self.compute_hash(&next), second))
    }
}

/// The term of one piece bitboard in the verification hash: a 64-bit multiplication folded from 128
/// bits.
#[inline(always)]
fn verification_part<W: BitboardWord>(index: usize, pieces: Bitboard<W>) -> u64 {
    let number = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let product = |word: u64, number: u64| {
        let product = u128::from(word ^ number) * u128::from(number.rotate_left(32) | 1);
        (product as u64) ^ (product >> 64) as u64
    };
    let bits = pieces.0.to_u128();
    let low = product(bits as u64, number);
    if W::BITS == 64 { low } else { low.wrapping_add(product((bits >> 64) as u64, !number)) }
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use crate::moves::MoveList;
    use crate::position::Position;
    use crate::ruleset::Chess;
    use crate::tables::Tables;

    #[test]
    fn hashes_of_plain_moves_are_predicted() {
        let game = GameDef::builtin("chess").unwrap();
        // A capture en passant is possible, and no castling right is left.
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b - a3 0 1";
        let from = assay_rules::Position::from_fen(&game, fen).unwrap();
        let mut position = Position::new(&Tables::<Chess>::new(&game), &from);
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let mut predicted = 0;
        for mv in &moves {
            let hash = position.hash_after(mv);
            position.make(mv);
            if !mv.is_en_passant() && !mv.is_double_step() && mv.promotion().is_none() {
                assert_eq!(hash, position.hash(), "{mv:?}");
                predicted += 1;
            }
            position.unmake();
        }
        assert!(predicted >= 40 && predicted < moves.len(), "{predicted} of {}", moves.len());
    }
}
