//! Material: pieces of each side, on the board and in pockets.

use std::sync::Arc;

use assay_rules::def::PieceClass;
use assay_rules::piece::MAX_KINDS;
use assay_rules::{Color, GameDef, Kind, Piece, Position, Square};
use assay_selfplay::material;

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
    let materials: Vec<MaterialCount> = starts
        .map(|start| {
            let pocket = |color| start.pocket(color).iter().map(move |&kind| Piece { color, kind });
            MaterialCount::count(game, start.pieces(), Color::ALL.into_iter().flat_map(pocket))
        })
        .collect();
    let has_pair = |material: &MaterialCount, color: Color, kind: Kind| {
        let can_drop = material.in_hand[color.index()][kind.index()] > 0 && material.count_of(color, kind) >= 2;
        material.has_pair(color, kind) || can_drop
    };
    let is_pair =
        |kind| materials.iter().any(|material| Color::ALL.into_iter().any(|color| has_pair(material, color, kind)));
    game.kinds.all().map(is_pair).collect()
}

/// Number of pieces by color and kind, on the board and in pockets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaterialCount {
    counts: [[u8; MAX_KINDS]; 2],
    /// Bit 0: the side has a piece of the kind on a dark square; bit 1: on a light square.
    shades: [[u8; MAX_KINDS]; 2],
    /// Pieces in pockets, by color and kind.
    in_hand: [[u8; MAX_KINDS]; 2],
    /// Major pieces by color.
    majors: [u8; 2],
    /// All pieces, without kings.
    pieces: u8,
}

impl MaterialCount {
    /// Counts pieces on the board and pieces in pockets.
    pub fn count(
        game: &GameDef,
        on_board: impl IntoIterator<Item = (Square, Piece)>,
        in_pockets: impl IntoIterator<Item = Piece>,
    ) -> MaterialCount {
        let mut material = MaterialCount::default();
        for (square, piece) in on_board {
            let shade = (game.board.file(square) + game.board.rank(square)) % 2;
            material.add(game, piece);
            material.shades[piece.color.index()][piece.kind.index()] |= 1 << shade;
        }
        for piece in in_pockets {
            material.add(game, piece);
            material.in_hand[piece.color.index()][piece.kind.index()] += 1;
        }
        material
    }

    /// Counts armies by kind, White's first. Two pieces of a kind stand on both colors of squares.
    pub fn of_armies(game: &GameDef, armies: &[Vec<usize>; 2]) -> MaterialCount {
        let mut material = MaterialCount::default();
        for color in Color::ALL {
            for kind in game.kinds.all() {
                for number in 0..armies[color.index()][kind.index()] {
                    material.add(game, Piece { kind, color });
                    material.shades[color.index()][kind.index()] |= 1 << (number % 2);
                }
            }
        }
        material
    }

    fn add(&mut self, game: &GameDef, piece: Piece) {
        self.counts[piece.color.index()][piece.kind.index()] += 1;
        match game.kind(piece.kind).class {
            PieceClass::King => return,
            PieceClass::Major => self.majors[piece.color.index()] += 1,
            _ => {}
        }
        self.pieces += 1;
    }

    /// Number of pieces of a kind and color.
    pub fn count_of(&self, color: Color, kind: Kind) -> u8 {
        self.counts[color.index()][kind.index()]
    }

    /// Number of pieces of both sides, without kings.
    pub fn pieces(&self) -> usize {
        usize::from(self.pieces)
    }

    /// White's pieces of a kind minus Black's.
    pub fn balance(&self, kind: Kind) -> i16 {
        let count = |color: Color| i16::from(self.count_of(color, kind));
        count(Color::White) - count(Color::Black)
    }

    /// White's pieces of a kind in its pocket minus Black's in theirs.
    pub fn balance_in_hand(&self, kind: Kind) -> i16 {
        let [white, black] = self.in_hand.map(|counts| i16::from(counts[kind.index()]));
        white - black
    }

    /// Returns true if both sides have the same pieces, on any squares.
    pub fn same_pieces(&self, other: &MaterialCount) -> bool {
        self.counts == other.counts
    }

    /// Number of major pieces of a color.
    pub fn majors_of(&self, color: Color) -> u8 {
        self.majors[color.index()]
    }

    /// Returns true if a side has pieces of a kind on both colors of squares.
    pub fn has_pair(&self, color: Color, kind: Kind) -> bool {
        self.shades[color.index()][kind.index()] == 0b11
    }
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
