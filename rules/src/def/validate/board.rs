//! The board.

use super::super::error::DefError;
use super::super::file::Source;
use crate::types::board::Board;
use crate::variant::mechanism::squares;

impl Source<'_> {
    pub(super) fn board(&self) -> Result<Board, DefError> {
        let raw = self.raw.board.as_ref().ok_or_else(|| self.error("board", "missing: expected the table [board]"))?;
        let files = self.required("board.files", raw.files)?;
        let ranks = self.required("board.ranks", raw.ranks)?;
        let first_rank = raw.first_rank.unwrap_or(1);
        let rectangle = Board::new(files, ranks, first_rank).filter(|_| files >= 3 && ranks >= 4 && first_rank <= 1);
        let board = rectangle.ok_or_else(|| {
            let found = format!("{files} files x {ranks} ranks from rank {first_rank}");
            self.error(
                "board",
                format!(
                    "found {found}, expected 3 to 16 files, at least 4 ranks, at most 128 squares, and first-rank 0 or 1"
                ),
            )
        })?;
        let holes = self.at(squares(&board, "board.holes", raw.holes.as_deref().unwrap_or_default()))?;
        let hanging = self.at(squares(&board, "board.hanging", raw.hanging.as_deref().unwrap_or_default()))?;
        if let Some(square) = holes.intersection(hanging).iter().next() {
            let name = board.square_name(square);
            return Err(self.error("board.hanging", format!("found {name}, which is a hole, expected squares")));
        }
        Ok(board.with_special_squares(holes, hanging))
    }
}
