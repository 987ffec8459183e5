//! Rights of unmoved pieces: castling, gating and initial moves.

use crate::notation::fen;
use crate::types::board::Board;
use crate::types::color::Color;
use crate::types::piece::{Kind, Piece};
use crate::types::rights::{Right, RightKind};
use crate::types::square::Square;
use crate::variant::mechanism::castling::Castling;
use crate::variant::mechanism::{KeyError, forbid};
use crate::variant::{GameDef, Start};

/// Pieces of a start position, indexed by square.
pub(super) type Pieces = Vec<Option<Piece>>;

/// The rights of unmoved pieces, ordered by side: castling to the right (`K`) and to the left
/// (`Q`), then unmoved pieces by file, then those on hanging squares (`W` `X` `Y` `Z`).
pub(super) fn derive(game: &GameDef, boards: &[Pieces]) -> Result<Vec<Right>, KeyError> {
    let mut rights = Vec::new();
    for color in Color::ALL {
        let castling = game.mechanisms.castling.iter();
        rights.extend(castling.flat_map(|castling| castling_rights(&game.board, castling, color)));
        push_unmoved_pieces(game, boards, color, &mut rights)?;
    }
    let message = format!("found {} rights of unmoved pieces, expected at most 64", rights.len());
    forbid(rights.len() > 64, "starts", message)?;
    for (index, right) in rights.iter().enumerate() {
        let message = format!(
            "found two rights with the letter `{}`, expected different ones: in a game with castling (K and Q), no piece with \
                 a right may begin on the files k and q",
            right.letter
        );
        forbid(rights[..index].iter().any(|other| other.letter == right.letter), "starts", message)?;
    }
    Ok(rights)
}

/// Pieces of all starts. Only the board field is read, because the rights are not known yet.
pub(super) fn start_boards(game: &GameDef) -> Result<Vec<Pieces>, KeyError> {
    let read = |(index, start): (usize, &Start)| {
        fen::read_pieces(game, &start.fen)
            .map_err(|error| KeyError::new(format!("starts.{index}.fen"), error.to_string()))
    };
    game.starts.iter().enumerate().map(read).collect()
}

fn push_unmoved_pieces(
    game: &GameDef,
    boards: &[Pieces],
    color: Color,
    rights: &mut Vec<Right>,
) -> Result<(), KeyError> {
    let board = &game.board;
    let is_home_of = |square: Square, fits: &dyn Fn(Kind) -> bool| {
        boards.iter().any(|pieces| pieces[square.index()].is_some_and(|piece| piece.color == color && fits(piece.kind)))
    };
    let gates = |kind: Kind| game.mechanisms.gating.as_ref().is_some_and(|gating| gating.movers.contains(&kind));
    let has_initial_moves = |kind: Kind| game.has_initial_moves(kind);
    let mut lettered: Vec<(char, Square)> = Vec::new();
    let mut squares: Vec<Square> = board.squares().collect();
    squares.sort_by_key(|&square| (board.hanging().contains(square), board.file(square), square));
    let mut hanging_letters = ['W', 'X', 'Y', 'Z'].into_iter();
    for square in squares {
        let (gate, first) = (is_home_of(square, &gates), is_home_of(square, &has_initial_moves));
        if !gate && !first {
            continue;
        }
        let (name, is_hanging) = (board.square_name(square), board.hanging().contains(square));
        let message =
            format!("found a mover on {name}, a hanging square, where no piece can gate; expected another square");
        forbid(gate && is_hanging, "gating.movers", message)?;
        let message = format!("found a mover on {name} that also has initial moves (`i`), expected only one of them");
        forbid(gate && first, "gating.movers", message)?;
        let file_letter = Board::file_letter(board.file(square)).to_ascii_uppercase();
        let letter = if is_hanging { hanging_letters.next() } else { Some(file_letter) };
        let letter = letter.ok_or_else(|| {
            let message =
                "found more than four pieces of a side with initial moves on hanging squares, expected at most four";
            KeyError::new("board.hanging", message)
        })?;
        if let Some((_, other)) = lettered.iter().find(|(known, _)| *known == letter) {
            let squares = format!("{} and {name}", board.square_name(*other));
            let message =
                format!("found unmoved {color} pieces with rights on {squares}, expected at most one on each file");
            return Err(KeyError::new("starts", message));
        }
        lettered.push((letter, square));
        rights.push(Right {
            color,
            letter: color.case(letter),
            squares: [square].into_iter().collect(),
            kind: if gate { RightKind::Gate(square) } else { RightKind::InitialMove(square) },
        });
    }
    Ok(())
}

/// The rights of a side to castle: of each wing or, if king and partner may begin on any files, of
/// each square of a partner.
fn castling_rights(board: &Board, castling: &Castling, color: Color) -> Vec<Right> {
    let own = castling.wings.iter().filter(|wing| wing.color == color);
    let mut rights: Vec<Right> = own
        .map(|wing| {
            let side = if wing.king_to > wing.king_from { 'K' } else { 'Q' };
            let file = Board::file_letter(board.file(wing.partner_from)).to_ascii_uppercase();
            let homes = [wing.king_from, wing.partner_from];
            Right {
                color,
                letter: color.case(if castling.from_any_file { file } else { side }),
                // The king may be on any square: it takes the rights away when it moves.
                squares: homes.into_iter().skip(usize::from(castling.from_any_file)).collect(),
                kind: RightKind::Castle(wing.partner_from),
            }
        })
        .collect();
    if castling.from_any_file {
        rights.sort_by_key(|right| std::cmp::Reverse(right.letter));
        rights.dedup();
    }
    rights
}
