//! Material of armies.

use std::sync::Arc;

use assay_engine::Weights;
use assay_rules::def::PieceClass;
use assay_rules::{Color, GameDef, Kind, Position};

/// Returns true unless the kind is the king, the pawn or the joker.
pub fn is_piece(game: &GameDef, kind: Kind) -> bool {
    !matches!(game.kind(kind).class, PieceClass::King | PieceClass::Pawn | PieceClass::Joker)
}

/// The number of pieces of each kind that a side has, including its pocket.
pub fn pieces_of(position: &Position, color: Color) -> Vec<usize> {
    let mut counts = vec![0; position.game().kinds.len()];
    for (_, piece) in position.pieces().filter(|(_, piece)| piece.color == color) {
        counts[piece.kind.index()] += 1;
    }
    for kind in position.pocket(color) {
        counts[kind.index()] += 1;
    }
    counts
}

/// The number of pieces of each kind that White and Black have.
pub fn armies_of(position: &Position) -> [Vec<usize>; 2] {
    Color::ALL.map(|color| pieces_of(position, color))
}

/// White's and Black's armies in each of the game's starts: the number of pieces of each kind.
pub fn armies(game: &Arc<GameDef>) -> Vec<[Vec<usize>; 2]> {
    // The starts of a definition are valid.
    let starts = game.starts.iter().filter_map(|start| Position::from_start(game, &start.id).ok());
    starts.map(|position| armies_of(&position)).collect()
}

/// The largest number of pieces of each kind in any army of the game's starts.
pub fn largest(game: &Arc<GameDef>) -> Vec<usize> {
    let armies = armies(game);
    let most = |kind: usize| armies.iter().flatten().map(|army| army[kind]).max().unwrap_or(0);
    (0..game.kinds.len()).map(most).collect()
}

/// A rough value of each kind in pawns (0 for the king): the published value, or else the engine's.
/// Good enough to exclude comparisons that are decided in advance.
pub fn guessed_values(game: &Arc<GameDef>) -> Vec<f64> {
    let weights = Weights::for_game(game);
    let weight = |kind| weights.terms().material(kind).map(|term| weights.get(term).middlegame);
    let pawn = weight(game.first_pawn()).filter(|&pawn| pawn > 0.0).unwrap_or(100.0);
    game.kinds
        .all()
        .map(|kind| {
            if Some(kind) == game.kinds.king() {
                return 0.0;
            }
            let known = if kind == game.first_pawn() { Some(1.0) } else { game.value_in_pawns(kind) };
            known.unwrap_or_else(|| weight(kind).unwrap_or(0.0) / pawn)
        })
        .collect()
}
