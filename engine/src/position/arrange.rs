//! Positions set up directly, for walking through all arrangements of a few pieces.

use assay_rules::piece::Piece;
use assay_rules::{Color, Square, Turn};

use super::move_board::Change;
use super::{CompiledPosition, Position};

impl<R: CompiledPosition> Position<R> {
    /// Replaces the pieces on the board and the side to move. Everything else stays as it is, so
    /// the position must have no rights, no pawns and no earlier moves. `pieces` holds one king of
    /// each color, on different squares.
    pub(crate) fn arrange(&mut self, side: Color, pieces: &[(Square, Piece)]) {
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                self.rearrange(Change::Piece(square, piece));
            }
        }
        for &(square, piece) in pieces {
            self.rearrange(Change::Piece(square, piece));
            self.record_king(piece, square);
        }
        self.state.side = side;
        self.state.turn = Turn::Single(side);
        self.state.hash = self.compute_hash(&self.state);
    }

    fn rearrange(&mut self, change: Change) {
        self.change_board(change);
        self.state.board_key ^= self.key_of(change);
    }

    /// Returns true if the side to move could capture the king, so that the position cannot arise.
    pub(crate) fn can_capture_king(&self) -> bool {
        self.is_royal_attacked(!self.side_to_move())
    }
}
