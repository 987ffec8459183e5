//! The board.

use super::super::keys::GameKeys;
use crate::types::board::Board;
use crate::variant::mechanism::{KeyError, required, squares};

impl GameKeys {
    pub(super) fn board(&self) -> Result<Board, KeyError> {
        let raw = self.board.as_ref().ok_or_else(|| KeyError::new("board", "missing: expected the table [board]"))?;
        let files = required("board.files", raw.files)?;
        let ranks = required("board.ranks", raw.ranks)?;
        let first_rank = raw.first_rank.unwrap_or(1);
        let rectangle = Board::new(files, ranks, first_rank).filter(|_| files >= 3 && ranks >= 4 && first_rank <= 1);
        let board = rectangle.ok_or_else(|| {
            let found = format!("{files} files x {ranks} ranks from rank {first_rank}");
            KeyError::new(
                "board",
                format!(
                    "found {found}, expected 3 to 16 files, at least 4 ranks, at most 128 squares, and first-rank 0 or 1"
                ),
            )
        })?;
        let holes = squares(&board, "board.holes", raw.holes.as_deref().unwrap_or_default())?;
        let hanging = squares(&board, "board.hanging", raw.hanging.as_deref().unwrap_or_default())?;
        if let Some(square) = holes.intersection(hanging).iter().next() {
            let name = board.square_name(square);
            return Err(KeyError::new("board.hanging", format!("found {name}, which is a hole, expected squares")));
        }
        Ok(board.with_special_squares(holes, hanging))
    }
}
