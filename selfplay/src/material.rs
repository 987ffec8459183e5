//! What armies consist of, as values need it.

use std::sync::Arc;

use assay_engine::Weights;
use assay_rules::def::PieceClass;
use assay_rules::{Color, GameDef, Kind, Position};

/// Does a kind stay on squares of one colour for ever?
pub fn is_color_bound(game: &GameDef, kind: Kind) -> bool {
    let paths = &game.kind(kind).movement.paths;
    let keeps = |file: i8, rank: i8| (i16::from(file) + i16::from(rank)) % 2 == 0;
    !paths.is_empty() && paths.iter().all(|path| keeps(path.delta.file, path.delta.rank))
}

/// Is it a piece that is neither king nor pawn nor joker?
pub fn is_piece(game: &GameDef, kind: Kind) -> bool {
    !matches!(
        game.kind(kind).class,
        PieceClass::King | PieceClass::Pawn | PieceClass::Joker
    )
}

/// How many pieces of each kind a side has, by kind, those in its pocket included.
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

/// The most pieces of each kind that an army has in any start of the game, by kind.
pub fn largest(game: &Arc<GameDef>) -> Vec<usize> {
    let mut most = vec![0; game.kinds.len()];
    for start in &game.starts {
        // A definition's starts were read when it was checked.
        let Ok(position) = Position::from_start(game, &start.id) else {
            continue;
        };
        for (most, count) in most.iter_mut().zip(pieces_of(&position, Color::White)) {
            *most = count.max(*most);
        }
    }
    most
}

/// What each kind is about worth in pawns, by kind (the king nothing): the inventor's value, else what the engine plays with.
/// Good enough to choose comparisons that are not decided beforehand; nothing is concluded from it.
pub fn guessed_values(game: &Arc<GameDef>) -> Vec<f64> {
    let weights = Weights::for_game(game);
    let weight = |kind| weights.terms().material(kind).map(|term| weights.get(term).middlegame);
    let pawn = weight(game.pawn).filter(|&pawn| pawn > 0.0).unwrap_or(100.0);
    game.all_kinds()
        .map(|kind| {
            if kind == game.king {
                return 0.0;
            }
            let known = if kind == game.pawn {
                Some(1.0)
            } else {
                game.value_in_pawns(kind)
            };
            known.unwrap_or_else(|| weight(kind).unwrap_or(0.0) / pawn)
        })
        .collect()
}
