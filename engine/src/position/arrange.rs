//! Positions set up directly, for walking through all arrangements of a few pieces.

use assay_rules::piece::Piece;
use assay_rules::{Color, Square, Turn};

use super::{CompiledPosition, Position};

impl<R: CompiledPosition> Position<R> {
    /// Replaces the pieces on the board and the side to move. Everything else stays as it is, so
    /// the position must have no rights, no pawns and no earlier moves. `pieces` holds one king of
    /// each color, on different squares.
    pub(crate) fn arrange(&mut self, side: Color, pieces: &[(Square, Piece)]) {
        let mut change = 0;
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                change ^= self.remove(square, piece);
            }
        }
        let king = self.king_kind();
        for &(square, piece) in pieces {
            change ^= self.put(square, piece);
            if Some(piece.kind) == king {
                self.kings[piece.color.index()] = square;
            }
        }
        self.state.board_key ^= change;
        self.state.side = side;
        self.state.turn = Turn::Single(side);
        self.state.hash = self.compute_hash(&self.state);
    }

    /// Returns true if the side to move could capture the king, so that the position cannot arise.
    pub(crate) fn can_capture_king(&self) -> bool {
        self.is_royal_attacked(!self.side_to_move())
    }
}
