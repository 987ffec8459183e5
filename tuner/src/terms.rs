//! What coefficients speak of: the columns of a game's regression.
//!
//! All columns are White's minus Black's, so a coefficient is what one more man is worth to its owner.

use assay_rules::man::MAX_KINDS;
use assay_rules::{Color, GameDef, Kind, Man, Square};

/// One column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Men of a kind, those waiting in pockets included: a joker not yet dropped is still its owner's to use.
    Kind(Kind),
    /// Men of a kind on both colours of squares (1 for a side that has them, however many), where the inventor names a
    /// bonus.
    Pair(Kind),
    /// 1 when White is to move, -1 when Black is.
    SideToMove,
    /// 1: what White has from moving first in the game. Armies swapped within pairs keep this column orthogonal to the
    /// men and so cost their values no precision; without the swap it keeps the first move out of them.
    White,
}

impl Term {
    /// All columns of a game: its kinds but the king, of which each side always has one, then pairs, then who moves.
    pub fn all(game: &GameDef) -> Vec<Term> {
        let kinds = game.all_kinds().filter(|&kind| kind != game.king).map(Term::Kind);
        let pairs = game
            .all_kinds()
            .filter(|&kind| game.kind(kind).pair.is_some())
            .map(Term::Pair);
        kinds.chain(pairs).chain([Term::SideToMove, Term::White]).collect()
    }

    /// The column's name.
    pub fn name(self, game: &GameDef) -> String {
        match self {
            Term::Kind(kind) => game.kind(kind).name.clone(),
            Term::Pair(kind) => format!("{} pair", game.kind(kind).name),
            Term::SideToMove => "side to move".to_owned(),
            Term::White => "White".to_owned(),
        }
    }

    /// The inventor's value of what the column counts, in the inventor's units.
    pub fn inventor_raw(self, game: &GameDef) -> Option<f64> {
        match self {
            Term::Kind(kind) => game.kind(kind).value,
            Term::Pair(kind) => game.kind(kind).pair,
            Term::SideToMove | Term::White => None,
        }
    }

    /// The same in pawns.
    pub fn inventor_in_pawns(self, game: &GameDef) -> Option<f64> {
        match self {
            Term::Kind(kind) => game.value_in_pawns(kind),
            Term::Pair(kind) => game.pair_in_pawns(kind),
            Term::SideToMove | Term::White => None,
        }
    }

    /// The column's number for a position with these men.
    pub fn value(self, material: &Material, side: Color) -> f64 {
        match self {
            Term::Kind(kind) => f64::from(material.balance(kind)),
            Term::Pair(kind) => {
                let has = |color| f64::from(u8::from(material.has_pair(color, kind)));
                has(Color::White) - has(Color::Black)
            }
            Term::SideToMove if side == Color::White => 1.0,
            Term::SideToMove => -1.0,
            Term::White => 1.0,
        }
    }
}

/// How many men of each kind each side has, on the board and in its pocket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material {
    counts: [[u8; MAX_KINDS]; 2],
    /// Bit 0: a man of the kind stands on a dark square; bit 1: on a light one.
    shades: [[u8; MAX_KINDS]; 2],
}

impl Material {
    /// Counts men on the board and men in pockets.
    pub fn count(
        game: &GameDef,
        on_board: impl IntoIterator<Item = (Square, Man)>,
        in_pockets: impl IntoIterator<Item = Man>,
    ) -> Material {
        let mut material = Material {
            counts: [[0; MAX_KINDS]; 2],
            shades: [[0; MAX_KINDS]; 2],
        };
        for (square, man) in on_board {
            let shade = (game.board.file(square) + game.board.rank(square)) % 2;
            material.counts[man.color.index()][man.kind.index()] += 1;
            material.shades[man.color.index()][man.kind.index()] |= 1 << shade;
        }
        for man in in_pockets {
            material.counts[man.color.index()][man.kind.index()] += 1;
        }
        material
    }

    /// White's men of a kind minus Black's.
    pub fn balance(&self, kind: Kind) -> i16 {
        let count = |color: Color| i16::from(self.counts[color.index()][kind.index()]);
        count(Color::White) - count(Color::Black)
    }

    /// Are they the same men, wherever they stand?
    pub fn same_men(&self, other: &Material) -> bool {
        self.counts == other.counts
    }

    fn has_pair(&self, color: Color, kind: Kind) -> bool {
        self.shades[color.index()][kind.index()] == 0b11
    }
}

#[cfg(test)]
mod tests {
    use super::Term;
    use crate::positions::Ply;
    use assay_rules::{GameDef, Position};

    fn values(game: &str, fen: &str) -> Vec<(String, f64)> {
        let game = GameDef::builtin(game).unwrap();
        let position = Position::from_fen(&game, fen).unwrap();
        let ply = Ply::from(&position);
        let named = Term::all(&game)
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
        assert_eq!(
            found,
            named(&[("knight", 1.0), ("pawn", -1.0), ("side to move", -1.0), ("White", 1.0)])
        );
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
    fn pocket_jokers_count_and_gamma2_names_no_pair() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let fen = Position::start(&game).fen().replace("[Jj", "[J");
        let found = values("apothecary2", &fen);
        assert!(found.contains(&("joker".to_owned(), 1.0)), "{found:?}");
        let gamma2 = GameDef::builtin("gamma2").unwrap();
        assert!(Term::all(&gamma2).iter().all(|term| !matches!(term, Term::Pair(_))));
    }
}
