//! Material of a game's starts, and of imbalances.

use std::sync::Arc;

use assay_rules::def::PieceClass;
use assay_rules::{Color, GameDef, Kind, Position};
use assay_selfplay::material::{self, MaterialCount};

/// Number of pieces of both sides in the start with most pieces, without kings; at least 1.
pub fn full_board(game: &Arc<GameDef>) -> usize {
    let is_counted = |kind: usize| game.kinds.king().is_none_or(|king| king.index() != kind);
    let size =
        |army: &Vec<usize>| (0..army.len()).filter(|&kind| is_counted(kind)).map(|kind| army[kind]).sum::<usize>();
    let starts = material::armies(game).into_iter();
    starts.map(|armies| armies.iter().map(size).sum()).max().unwrap_or(0).max(1)
}

/// Number of major pieces of one side at the start.
pub fn majors(game: &Arc<GameDef>) -> usize {
    let army = material::largest(game);
    let majors = game.kinds.all().filter(|&kind| game.kind(kind).class == PieceClass::Major);
    majors.map(|kind| army[kind.index()]).sum()
}

/// For each kind, whether an army of a start has pieces of it on both colors of squares, or can
/// place them there from its pocket.
pub fn pairs_at_start(game: &Arc<GameDef>) -> Vec<bool> {
    let starts = game.starts.iter().filter_map(|start| Position::from_start(game, &start.id).ok());
    let materials: Vec<MaterialCount> = starts.map(|start| MaterialCount::from(&start)).collect();
    let has_pair = |material: &MaterialCount, color: Color, kind: Kind| {
        let can_drop = material.in_hand(color, kind) > 0 && material.count_of(color, kind) >= 2;
        material.has_pair(color, kind) || can_drop
    };
    let is_pair =
        |kind| materials.iter().any(|material| Color::ALL.into_iter().any(|color| has_pair(material, color, kind)));
    game.kinds.all().map(is_pair).collect()
}

/// The kind with this name.
pub fn kind_named(game: &GameDef, name: &str) -> Option<Kind> {
    game.kinds.all().find(|&kind| game.kind(kind).name == name)
}

/// Pieces missing from White's army minus pieces missing from Black's, by kind, from a note like
/// `-N/-PPP`. `None` if the note is malformed.
pub fn missing_pieces(game: &GameDef, note: &str) -> Option<Vec<f64>> {
    let mut missing = vec![0.0; game.kinds.len()];
    let (white, black) = note.split_once('/')?;
    for (side, part) in [(1.0, white), (-1.0, black)] {
        let mut sign = None;
        for letter in part.chars() {
            match letter {
                '-' => sign = Some(1.0),
                '+' => sign = Some(-1.0),
                letter => missing[game.kinds.by_letter(letter)?.index()] += side * sign?,
            }
        }
    }
    Some(missing)
}

#[cfg(test)]
mod tests {
    use assay_rules::GameDef;

    use super::full_board;

    #[test]
    fn full_board_counts_the_start_without_kings() {
        for (name, pieces) in [("chess", 30), ("gamma2", 38), ("apothecary2", 48)] {
            assert_eq!(full_board(&GameDef::builtin(name).unwrap()), pieces, "{name}");
        }
    }
}
