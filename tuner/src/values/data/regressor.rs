//! What coefficients speak of: the columns of a game's regression.
//!
//! All columns are White's minus Black's, so a coefficient is what one more piece is worth to its owner.

use std::sync::Arc;

use assay_rules::def::PieceClass;
use assay_rules::piece::MAX_KINDS;
use assay_rules::{Color, GameDef, Kind, Piece, Square};
use assay_selfplay::material::{self, is_color_bound, is_piece};

/// One column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regressor {
    /// Pieces of a kind, those waiting in pockets included: a joker not yet dropped is still its owner's to use.
    Kind(Kind),
    /// Pieces of a colour-bound kind on both colours of squares (1 for a side that has them, however many).
    Pair(Kind),
    /// The second piece of a kind against the first: a side with one has -1/2, a side with none, two or more has 0. So the
    /// kind's own coefficient is the mean of its first and its second piece, and this one what the second is worth more than
    /// the first. Not for colour-bound kinds, where it would be the pair once more, nor for kinds of which armies have one.
    SecondPiece(Kind),
    /// A joker for each strong piece of the other side that it can imitate: what one more of them adds to it.
    /// The number at the start, times the share of pieces left, is taken off ([`crate::values::design::spec`]), so that the joker's own
    /// coefficient is its value against a usual army.
    JokerAgainstMajors(Kind),
    /// 1 when White is to move, -1 when Black is.
    SideToMove,
    /// 1: what White has from moving first in the game. Armies swapped within pairs keep this column orthogonal to the
    /// pieces and so cost their values no precision; without the swap it keeps the first move out of them.
    White,
}

impl Regressor {
    /// All columns of a game: its kinds but the king, of which each side always has one, then what pieces of a kind are worth
    /// together, then the joker's power, then who moves.
    pub fn all(game: &Arc<GameDef>) -> Vec<Regressor> {
        let pieces: Vec<Kind> = game.all_kinds().filter(|&kind| kind != game.king).collect();
        let roams = |kind: &Kind| is_piece(game, *kind);
        let pairs = pieces
            .iter()
            .filter(|&&kind| roams(&kind) && is_color_bound(game, kind));
        let most = material::largest(game);
        let seconds = pieces
            .iter()
            .filter(|&&kind| roams(&kind) && !is_color_bound(game, kind) && most[kind.index()] >= 2);
        let joker = game.joker.filter(|_| majors(game) > 0);
        pieces
            .iter()
            .map(|&kind| Regressor::Kind(kind))
            .chain(pairs.map(|&kind| Regressor::Pair(kind)))
            .chain(seconds.map(|&kind| Regressor::SecondPiece(kind)))
            .chain(joker.map(Regressor::JokerAgainstMajors))
            .chain([Regressor::SideToMove, Regressor::White])
            .collect()
    }

    /// The column's name.
    pub fn name(self, game: &GameDef) -> String {
        match self {
            Regressor::Kind(kind) => game.kind(kind).name.clone(),
            Regressor::Pair(kind) => format!("{} pair", game.kind(kind).name),
            Regressor::SecondPiece(kind) => format!("second {}", game.kind(kind).name),
            Regressor::JokerAgainstMajors(kind) => format!("{} against a major", game.kind(kind).name),
            Regressor::SideToMove => "side to move".to_owned(),
            Regressor::White => "White".to_owned(),
        }
    }

    /// The inventor's value of what the column counts, in the inventor's units.
    pub fn inventor_raw(self, game: &GameDef) -> Option<f64> {
        match self {
            Regressor::Kind(kind) => game.kind(kind).value,
            Regressor::Pair(kind) => game.kind(kind).pair,
            Regressor::SecondPiece(_) | Regressor::JokerAgainstMajors(_) | Regressor::SideToMove | Regressor::White => {
                None
            }
        }
    }

    /// The same in pawns.
    pub fn inventor_in_pawns(self, game: &GameDef) -> Option<f64> {
        match self {
            Regressor::Kind(kind) => game.value_in_pawns(kind),
            Regressor::Pair(kind) => game.pair_in_pawns(kind),
            Regressor::SecondPiece(_) | Regressor::JokerAgainstMajors(_) | Regressor::SideToMove | Regressor::White => {
                None
            }
        }
    }

    /// The column's number for a position with these pieces.
    pub fn value(self, material: &MaterialCount, side: Color) -> f64 {
        match self {
            Regressor::Kind(kind) => f64::from(material.balance(kind)),
            Regressor::Pair(kind) => {
                let has = |color| f64::from(u8::from(material.has_pair(color, kind)));
                has(Color::White) - has(Color::Black)
            }
            Regressor::SecondPiece(kind) => {
                let alone = |color| f64::from(u8::from(material.count_of(color, kind) == 1));
                (alone(Color::Black) - alone(Color::White)) / 2.0
            }
            Regressor::JokerAgainstMajors(kind) => {
                let power = |color: Color| {
                    f64::from(material.count_of(color, kind)) * f64::from(material.majors[(!color).index()])
                };
                power(Color::White) - power(Color::Black)
            }
            Regressor::SideToMove if side == Color::White => 1.0,
            Regressor::SideToMove => -1.0,
            Regressor::White => 1.0,
        }
    }
}

/// Pieces of both armies at the start, kings apart: a board with so many is full.
pub fn full_board(game: &Arc<GameDef>) -> usize {
    let armies: usize = material::largest(game).iter().sum();
    2 * armies.saturating_sub(1).max(1)
}

/// Strong pieces (class major) of one army at the start.
pub fn majors(game: &Arc<GameDef>) -> usize {
    let army = material::largest(game);
    let strong = game
        .all_kinds()
        .filter(|&kind| game.kind(kind).class == PieceClass::Major);
    strong.map(|kind| army[kind.index()]).sum()
}

/// How many pieces of each kind each side has, on the board and in its pocket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialCount {
    counts: [[u8; MAX_KINDS]; 2],
    /// Bit 0: a piece of the kind stands on a dark square; bit 1: on a light one.
    shades: [[u8; MAX_KINDS]; 2],
    /// Pieces of class major.
    majors: [u8; 2],
    /// All pieces but kings.
    pieces: u8,
}

impl MaterialCount {
    /// Counts pieces on the board and pieces in pockets.
    pub fn count(
        game: &GameDef,
        on_board: impl IntoIterator<Item = (Square, Piece)>,
        in_pockets: impl IntoIterator<Item = Piece>,
    ) -> MaterialCount {
        let mut material = MaterialCount {
            counts: [[0; MAX_KINDS]; 2],
            shades: [[0; MAX_KINDS]; 2],
            majors: [0; 2],
            pieces: 0,
        };
        for (square, piece) in on_board {
            let shade = (game.board.file(square) + game.board.rank(square)) % 2;
            material.add(game, piece);
            material.shades[piece.color.index()][piece.kind.index()] |= 1 << shade;
        }
        for piece in in_pockets {
            material.add(game, piece);
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

    /// Pieces of a kind of one side.
    pub fn count_of(&self, color: Color, kind: Kind) -> u8 {
        self.counts[color.index()][kind.index()]
    }

    /// All pieces of both sides but the kings.
    pub fn pieces(&self) -> usize {
        usize::from(self.pieces)
    }

    /// White's pieces of a kind minus Black's.
    pub fn balance(&self, kind: Kind) -> i16 {
        let count = |color: Color| i16::from(self.count_of(color, kind));
        count(Color::White) - count(Color::Black)
    }

    /// Are they the same pieces, wherever they stand?
    pub fn same_pieces(&self, other: &MaterialCount) -> bool {
        self.counts == other.counts
    }

    fn has_pair(&self, color: Color, kind: Kind) -> bool {
        self.shades[color.index()][kind.index()] == 0b11
    }
}

#[cfg(test)]
mod tests {
    use super::{Regressor, full_board};
    use crate::values::data::positions::Ply;
    use assay_rules::{GameDef, Position};

    fn values(game: &str, fen: &str) -> Vec<(String, f64)> {
        let game = GameDef::builtin(game).unwrap();
        let position = Position::from_fen(&game, fen).unwrap();
        let ply = Ply::from(&position);
        let named = Regressor::all(&game)
            .into_iter()
            .map(|term| (term.name(&game), term.value(&ply.material, ply.side)));
        named.filter(|(_, value)| *value != 0.0).collect()
    }

    fn named(values: &[(&str, f64)]) -> Vec<(String, f64)> {
        values.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
    }

    #[test]
    fn material_is_white_minus_black() {
        let found = values("chess", "r3k2r/pppppppp/8/8/8/8/1PPPPPPP/RN2K2R b KQkq - 0 1");
        let expected = [
            ("knight", 1.0),
            ("pawn", -1.0),
            ("second knight", -0.5),
            ("side to move", -1.0),
            ("White", 1.0),
        ];
        assert_eq!(found, named(&expected));
    }

    #[test]
    fn pairs_need_both_colours() {
        let both = values("berolina", "4k3/p7/8/8/8/8/8/2B1KB2 w - - 0 1");
        assert!(both.contains(&("bishop pair".to_owned(), 1.0)), "{both:?}");
        // c1 and e3 are both dark.
        let one = values("berolina", "4k3/p7/8/8/8/4B3/8/2B1K3 w - - 0 1");
        assert!(!one.iter().any(|(name, _)| name == "bishop pair"), "{one:?}");
    }

    #[test]
    fn pocket_jokers_count() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let fen = Position::start(&game).fen().replace("[Jj", "[J");
        let found = values("apothecary2", &fen);
        assert!(found.contains(&("joker".to_owned(), 1.0)), "{found:?}");
        // White's alone, against Black's three majors.
        assert!(found.contains(&("joker against a major".to_owned(), 3.0)), "{found:?}");
    }

    #[test]
    fn what_pieces_are_worth_together_is_asked_of_every_game() {
        let together = |name: &str| -> Vec<String> {
            let game = GameDef::builtin(name).unwrap();
            let regressors = Regressor::all(&game);
            let wanted = regressors.iter().filter(|term| {
                matches!(
                    term,
                    Regressor::Pair(_) | Regressor::SecondPiece(_) | Regressor::JokerAgainstMajors(_)
                )
            });
            wanted.map(|term| term.name(&game)).collect()
        };
        assert_eq!(together("chess"), ["bishop pair", "second rook", "second knight"]);
        // An archer steps straight as well, and a camel's move-only step changes colour.
        assert_eq!(together("gamma2"), ["bishop pair", "second rook", "second knight"]);
        assert_eq!(
            together("apothecary2"),
            [
                "bishop pair",
                "second rook",
                "second knight",
                "second elephant",
                "joker against a major"
            ]
        );
    }

    #[test]
    fn the_second_piece_is_held_against_the_first() {
        let halves = |fen: &str| {
            let found = values("chess", fen);
            found
                .iter()
                .find(|(name, _)| name == "second rook")
                .map_or(0, |(_, value)| (2.0 * value) as i32)
        };
        assert_eq!(halves("4k3/p7/8/8/8/8/8/R3K2R w - - 0 1"), 0);
        assert_eq!(halves("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1"), -1);
        assert_eq!(halves("r3k3/p7/8/8/8/8/8/R3K2R w - - 0 1"), 1);
    }

    #[test]
    fn a_full_board_is_the_start() {
        for (name, pieces) in [("chess", 30), ("gamma2", 38), ("apothecary2", 48)] {
            assert_eq!(full_board(&GameDef::builtin(name).unwrap()), pieces, "{name}");
        }
    }
}
