//! Material of armies and positions.

use std::sync::Arc;

use assay_engine::Weights;
use assay_rules::def::PieceClass;
use assay_rules::piece::MAX_KINDS;
use assay_rules::{Color, GameDef, Kind, Piece, Position, Square};

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

/// Number of pieces by color and kind, on the board and in pockets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaterialCount {
    counts: [[u8; MAX_KINDS]; 2],
    /// Bit 0: the side has a piece of the kind on a dark square; bit 1: on a light square.
    shades: [[u8; MAX_KINDS]; 2],
    /// Pieces in pockets, by color and kind.
    in_hand: [[u8; MAX_KINDS]; 2],
    /// Bit N: there is a pawn on file N.
    pawn_files: u32,
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
            material.pawn_files |= u32::from(game.pawns.contains(piece.kind)) << game.board.file(square);
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

    /// Number of files on which there is a pawn of either side.
    pub fn pawn_files(&self) -> u32 {
        self.pawn_files.count_ones()
    }

    /// White's pieces of a kind minus Black's.
    pub fn balance(&self, kind: Kind) -> i16 {
        let count = |color: Color| i16::from(self.count_of(color, kind));
        count(Color::White) - count(Color::Black)
    }

    /// Number of pieces of a kind in a color's pocket.
    pub fn in_hand(&self, color: Color, kind: Kind) -> u8 {
        self.in_hand[color.index()][kind.index()]
    }

    /// White's pieces of a kind in its pocket minus Black's in theirs.
    pub fn balance_in_hand(&self, kind: Kind) -> i16 {
        i16::from(self.in_hand(Color::White, kind)) - i16::from(self.in_hand(Color::Black, kind))
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

impl From<&Position> for MaterialCount {
    fn from(position: &Position) -> MaterialCount {
        let pocket = |color| position.pocket(color).iter().map(move |&kind| Piece { color, kind });
        MaterialCount::count(position.game(), position.pieces(), Color::ALL.into_iter().flat_map(pocket))
    }
}
