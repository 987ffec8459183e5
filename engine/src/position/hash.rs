//! Zobrist hashing (Zobrist 1970).

use assay_rules::Color;
use assay_rules::def::Rights;

use super::mechanism::{Mechanism, mechanisms};
use super::state::State;
use super::{CompiledPosition, Position};
use crate::bitboard::{Bitboard, BitboardWord};
use crate::moves::{Move, MoveKind};
use crate::ruleset::Mechanics;
use crate::tables::{PIECE_INDICES, piece_index};

impl<R: CompiledPosition> Position<R> {
    /// Updates the hash after everything else has changed, and the rights in the board key, which
    /// depend on the turn and on pockets.
    #[inline(always)]
    pub(super) fn update_hash(&mut self) {
        let rights = self.repetition_rights(&self.state);
        let changed = rights ^ self.state.repetition_rights;
        if changed != 0 {
            self.state.board_key ^= self.tables.zobrist.rights(Rights(changed));
            self.state.repetition_rights = rights;
        }
        self.state.hash = self.compute_hash(&self.state);
    }

    /// The position hash: the incremental board key combined with the parts that are cheaper to
    /// hash from scratch.
    #[inline(always)]
    pub(super) fn compute_hash(&self, state: &State) -> u64 {
        let zobrist = &self.tables.zobrist;
        let handicaps = R::MECHANICS.contains(Mechanics::HANDICAPS);
        let turn = if handicaps { zobrist.turn(state.turn) } else { zobrist.side(state.side) };
        let mut hash = state.board_key ^ turn;
        mechanisms!(self, |M| hash ^= M::key(self, state));
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
            let kinds = self.game().kinds.all();
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
        let kinds = self.tables.pawn_kinds().flat_map(|kind| Color::ALL.map(|color| piece_index(color, kind)));
        kinds.fold(0, |sum: u64, index| sum.wrapping_add(verification_part(index, self.pieces[index])))
    }

    /// A hash of one side's pieces other than pawns.
    #[inline(always)]
    pub(crate) fn non_pawn_hash(&self, color: Color) -> u64 {
        let kinds = self.game().kinds.all().filter(|&kind| !self.tables.is_pawn(kind));
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
        let victim = self.piece_at(to);
        let mut others_change = state.rights & !kept != 0;
        mechanisms!(self, |M| others_change |= M::changes_hash(self, victim));
        if !is_plain || others_change {
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
        if let Some(victim) = victim {
            next.board_key ^= zobrist.piece(victim.color, victim.kind, to);
            second = replaced(second, piece_index(victim.color, victim.kind), Bitboard::of(to));
        }
        next.last_moved_as = self.last_moved_as_after(&next, piece);
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
    use crate::ruleset::General64;
    use crate::tables::Tables;

    #[test]
    fn hashes_of_plain_moves_are_predicted() {
        let game = GameDef::builtin("chess").unwrap();
        // A capture en passant is possible, and no castling right is left.
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b - a3 0 1";
        let from = assay_rules::Position::from_fen(&game, fen).unwrap();
        let mut position = Position::new(&Tables::<General64>::new(&game), &from);
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
