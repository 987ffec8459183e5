//! A definition in sentences.

use crate::notation::fen;
use crate::types::board::Board;
use crate::types::color::Color;
use crate::types::piece::Kind;
use crate::types::square::SquareSet;
use crate::variant::GameDef;
use crate::variant::kinds::PieceClass;
use crate::variant::mechanism::ranks_text;

/// The rules of a definition as sentences, without the moves of its pieces.
pub fn sentences(game: &GameDef) -> Vec<String> {
    // Every field is named, so that a new one cannot be forgotten.
    let GameDef {
        name: _,
        title: _,
        source: _,
        board,
        kinds: _,
        pawns,
        mechanisms,
        endings,
        rights: _,
        starts,
        default_start,
    } = game;
    let mut said = vec![board_sentence(board)];
    said.extend(side_sentences(game));
    said.extend(royalty_sentences(game));
    said.extend(zone_sentences(game));
    if can_have_pawns(game) {
        said.extend(pawns.sentences(board, &game.kinds));
    }
    if mechanisms.castling.is_none() {
        said.push("Nobody castles.".to_owned());
    }
    said.extend(mechanisms.iter().flat_map(|mechanism| mechanism.sentences(game)));
    said.extend(endings.sentences(game));
    let default = &starts[*default_start];
    said.push(match starts.len() {
        1 => format!("The game starts from {}.", default.fen),
        count => {
            format!("There are {count} start positions; without another choice, {} ({}).", default.id, default.fen)
        }
    });
    said
}

/// Returns true if a start has a pawn, or pawns come from a pocket or by a handicap.
fn can_have_pawns(game: &GameDef) -> bool {
    let on_board = |fen: &str| {
        let pieces = fen::read_pieces(game, fen).unwrap_or_default();
        pieces.iter().flatten().any(|piece| game.pawns.contains(piece.kind))
    };
    game.mechanisms.handicaps.is_some()
        || game.pocket_kinds().iter().any(|&kind| game.pawns.contains(kind))
        || game.starts.iter().any(|start| on_board(&start.fen))
}

fn zone_sentences(game: &GameDef) -> impl Iterator<Item = String> {
    game.kinds.iter().filter_map(|kind| {
        let zone = zone_text(&game.board, kind.zone.as_ref()?[Color::White]);
        Some(format!("The {} moves only to {zone} (Black: turned by 180 degrees).", kind.name))
    })
}

/// Squares by name, but whole ranks next to each other as ranks.
fn zone_text(board: &Board, squares: SquareSet) -> String {
    let is_whole = |rank: &u8| board.squares().all(|square| board.rank(square) != *rank || squares.contains(square));
    let whole: Vec<u8> = (0..board.ranks()).filter(is_whole).collect();
    let (Some(low), Some(high)) = (whole.first(), whole.last()) else {
        return board.square_names(squares);
    };
    if usize::from(high - low) + 1 > whole.len() {
        return board.square_names(squares);
    }
    let ranks = ranks_text((low + board.first_rank(), high + board.first_rank()));
    let single: SquareSet = squares.iter().filter(|&square| !whole.contains(&board.rank(square))).collect();
    if single.is_empty() {
        return ranks;
    }
    format!("{} and {ranks}", board.square_names(single))
}

fn side_sentences(game: &GameDef) -> impl Iterator<Item = String> {
    Color::ALL.into_iter().filter_map(|side| {
        let is_own = |&kind: &Kind| game.kind(kind).side == Some(side);
        let own: Vec<Kind> = game.kinds.all().filter(is_own).collect();
        (!own.is_empty()).then(|| format!("Only {side} can have: {}.", game.kinds.names(&own)))
    })
}

fn royalty_sentences(game: &GameDef) -> impl Iterator<Item = String> {
    let kinds = &game.kinds;
    let king = kinds.king().map(|king| {
        let owner = kinds[king].side.map_or("Each side".to_owned(), |side| side.to_string());
        format!("{owner} has one {}, which must not be left in check.", kinds[king].name)
    });
    let royals: Vec<Kind> = kinds.all().filter(|&kind| kinds[kind].class == PieceClass::Royal).collect();
    let others = match (royals.is_empty(), &king) {
        (false, _) => Some(format!("No {} may be left attacked, however many there are.", kinds.names(&royals))),
        (true, None) => Some("No piece is royal: any can be left attacked, and captured.".to_owned()),
        (true, Some(_)) => None,
    };
    king.into_iter().chain(others)
}

fn board_sentence(board: &Board) -> String {
    let mut text = format!("The board has {} files and {} ranks", board.files(), board.ranks());
    if !board.holes().is_empty() {
        text += &format!(", without {}", board.square_names(board.holes()));
    }
    if !board.hanging().is_empty() {
        text += &format!("; {} can be entered only by capturing", board.square_names(board.hanging()));
    }
    text + "."
}
