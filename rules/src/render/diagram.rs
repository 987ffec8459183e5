//! Text diagrams.

use crate::types::board::Board;
use crate::types::color::Color;
use crate::types::turn::Turn;
use crate::variant::Position;

/// Draws a position as text: White's pieces in upper case, Black's in lower case, `.` for empty
/// squares, brackets around hanging squares, `*` for walls, blanks for holes, `~` after promoted
/// pieces that revert when captured. The lines below show pockets and last moved kinds, in games
/// that have them, and the side to move. Every line ends with a line break.
///
/// ```
/// use assay_rules::{GameDef, Position, diagram::text_board};
///
/// let chess = GameDef::builtin("chess").unwrap();
/// let text = text_board(&Position::start(&chess));
/// assert!(text.contains("\n 1  R  N  B  Q  K  B  N  R   1\n"));
/// assert!(text.ends_with("White to move, move 1\n"));
/// ```
pub fn text_board(position: &Position) -> String {
    let game = position.game();
    let board = &game.board;
    let files: String = (0..board.files()).map(|file| format!(" {} ", Board::file_letter(file))).collect();
    let files = format!("   {}\n", files.trim_end());
    let mut text = files.clone();
    for rank in (0..board.ranks()).rev() {
        let cells: String = (0..board.files()).map(|file| cell(position, file, rank)).collect();
        let number = board.rank_number(rank);
        text += &format!("{number:>2} {cells} {number:>2}\n");
    }
    text += &files;
    if !game.pocket_kinds().is_empty() {
        text +=
            &format!("Pockets: White {}, Black {}\n", pocket(position, Color::White), pocket(position, Color::Black));
    }
    if game.kinds.joker().is_some() {
        let last_moved_as = |color| position.last_moved_as(color).map_or("none", |kind| game.kind(kind).name.as_str());
        text +=
            &format!("Last moved as: White {}, Black {}\n", last_moved_as(Color::White), last_moved_as(Color::Black));
    }
    text + &side_to_move(position)
}

/// One square or hole, three characters wide.
fn cell(position: &Position, file: u8, rank: u8) -> String {
    let game = position.game();
    let Some(square) = game.board.square_at(i16::from(file), i16::from(rank)) else {
        return "   ".to_owned();
    };
    let piece = position.piece_at(square).map(|piece| game.kinds.symbol(piece.kind, piece.color));
    let is_copy = position.piece_at(square).is_some_and(|piece| game.kind(piece.kind).copy_of.is_some());
    let empty = if position.walls().contains(square) { "*" } else { "." };
    if game.board.hanging().contains(square) {
        format!("[{}]", piece.as_deref().unwrap_or(" "))
    } else {
        format!("{:>2}{}", piece.as_deref().unwrap_or(empty), if is_copy { '~' } else { ' ' })
    }
}

fn pocket(position: &Position, color: Color) -> String {
    let letters: String =
        position.pocket(color).iter().map(|&kind| position.game().kinds.letter(kind, color)).collect();
    if letters.is_empty() { "empty".to_owned() } else { letters }
}

fn side_to_move(position: &Position) -> String {
    let handicap = match position.turn() {
        Turn::Single(_) => "",
        Turn::WhiteTwice | Turn::BlackTwice => ", the first of two moves",
        Turn::WhiteThenBlackTwice => ", then Black twice",
        Turn::BlackAgain => ", the second of two moves",
    };
    let check = if position.in_check() { ", in check" } else { "" };
    format!("{} to move, move {}{handicap}{check}\n", position.side_to_move(), position.fullmove_number())
}
