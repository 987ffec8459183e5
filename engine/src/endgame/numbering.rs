//! Numbers for all arrangements of the pieces of an endgame.

use arrayvec::ArrayVec;
use assay_rules::square::MAX_SQUARES;
use assay_rules::{Board, Color, Kind, Position, Square};

/// Most pieces of an endgame, kings included.
pub(super) const MAX_PIECES: usize = super::MAX_PIECES + FIRST_PIECE;

/// A square for each piece: the bare king, the attacker's king, the other pieces in the order of
/// the numbering.
pub(super) type Arrangement = ArrayVec<Square, MAX_PIECES>;

/// Slot of the bare king in an [`Arrangement`].
pub(super) const BARE_KING: usize = 0;

/// Slot of the attacker's first piece besides the king.
pub(super) const FIRST_PIECE: usize = 2;

/// Numbers the arrangements of two kings and some pieces. Pieces of the same kind are
/// interchangeable: of the arrangements that differ only in their order, the one with ascending
/// squares counts.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// Sorted, so that pieces of the same kind are neighbors.
    pieces: Vec<Kind>,
    squares: Vec<Square>,
    /// Index in `squares` by square.
    ordinals: [u8; MAX_SQUARES],
}

impl Numbering {
    pub(super) fn new(board: &Board, pieces: &[Kind]) -> Numbering {
        let mut pieces = pieces.to_vec();
        pieces.sort_unstable();
        let squares: Vec<Square> = board.squares().collect();
        let mut ordinals = [0; MAX_SQUARES];
        for (ordinal, square) in squares.iter().enumerate() {
            ordinals[square.index()] = ordinal as u8;
        }
        Numbering { pieces, squares, ordinals }
    }

    /// The attacker's pieces besides the king.
    pub(super) fn pieces(&self) -> &[Kind] {
        &self.pieces
    }

    /// The first slot with a piece of the same kind and color. Interchangeable pieces may change
    /// places in an arrangement, so what is true of a piece is stored for its group.
    #[inline]
    pub(super) fn group(&self, slot: usize) -> usize {
        let same = |piece: usize| self.pieces.iter().position(|&kind| kind == self.pieces[piece]);
        let first = slot.checked_sub(FIRST_PIECE).and_then(same);
        first.map_or(slot, |first| first + FIRST_PIECE)
    }

    /// One more than the largest number.
    pub(super) fn len(&self) -> usize {
        self.squares.len().pow((self.pieces.len() + FIRST_PIECE) as u32)
    }

    /// The numbering without one of the pieces.
    pub(super) fn without(&self, piece: usize) -> Numbering {
        let mut smaller = self.clone();
        smaller.pieces.remove(piece);
        smaller
    }

    /// The number of an arrangement, whose pieces of the same kind may be in any order.
    #[inline]
    pub(super) fn number(&self, arrangement: &Arrangement) -> usize {
        let mut ordinals: ArrayVec<u8, MAX_PIECES> =
            arrangement.iter().map(|square| self.ordinals[square.index()]).collect();
        // Insertion sort among neighbors of the same kind.
        for end in 1..self.pieces.len() {
            let mut at = end;
            while at > 0
                && self.pieces[at] == self.pieces[at - 1]
                && ordinals[FIRST_PIECE + at] < ordinals[FIRST_PIECE + at - 1]
            {
                ordinals.swap(FIRST_PIECE + at, FIRST_PIECE + at - 1);
                at -= 1;
            }
        }
        let base = self.squares.len();
        ordinals.iter().fold(0, |number, &ordinal| number * base + usize::from(ordinal))
    }

    /// The number of a position's pieces; `None` if the endgame has other pieces.
    pub(super) fn number_of(&self, position: &Position) -> Option<usize> {
        let mut white: Vec<(Kind, Square)> = Vec::new();
        for (square, piece) in position.pieces().filter(|&(_, piece)| Some(piece.kind) != position.game().kinds.king())
        {
            if piece.color == Color::Black {
                return None;
            }
            white.push((piece.kind, square));
        }
        white.sort_unstable();
        if !white.iter().map(|(kind, _)| kind).eq(&self.pieces) {
            return None;
        }
        let kings = [Color::Black, Color::White].into_iter().filter_map(|color| position.king(color));
        let arrangement = kings.chain(white.into_iter().map(|(_, square)| square));
        Some(self.number(&arrangement.collect()))
    }

    /// The arrangement with this number; `None` if two pieces are on one square or pieces of the
    /// same kind are not in ascending order.
    #[inline]
    pub(super) fn arrangement(&self, number: usize) -> Option<Arrangement> {
        let base = self.squares.len();
        let count = self.pieces.len() + FIRST_PIECE;
        let mut arrangement: Arrangement = std::iter::repeat_n(Square(0), count).collect();
        let mut rest = number;
        for slot in arrangement.iter_mut().rev() {
            *slot = self.squares[rest % base];
            rest /= base;
        }
        let is_distinct = (1..count).all(|slot| !arrangement[..slot].contains(&arrangement[slot]));
        let is_sorted = (1..self.pieces.len()).all(|piece| {
            self.pieces[piece] != self.pieces[piece - 1]
                || arrangement[FIRST_PIECE + piece - 1] < arrangement[FIRST_PIECE + piece]
        });
        (is_distinct && is_sorted).then_some(arrangement)
    }
}
