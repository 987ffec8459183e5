//! Regressors: the features of a position that results are regressed on.
//!
//! Every feature of material is White's minus Black's, so a coefficient is the value of one more
//! piece to its owner.

use std::sync::Arc;

use assay_rules::{Color, GameDef, Kind};
use assay_selfplay::material::{self, MaterialCount, is_piece};

use super::material::{majors, pairs_at_start};

/// A feature of a position, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regressor {
    /// Difference in pieces of a kind, including pieces in pockets, which can still be dropped.
    Kind(Kind),
    /// Difference in pairs: whether a side has pieces of a color-bound kind on both colors of
    /// squares (0 or 1 for each side). Only for kinds of which a side has a pair at the start.
    Pair(Kind),
    /// Extra value of the second piece of a kind: -1/2 for a side with one piece, else 0. The
    /// coefficient of the kind is then the mean value of its first and second piece, and this
    /// coefficient is the second's value minus the first's. Not for color-bound kinds, where it
    /// would equal the pair, nor for kinds of which a side has one.
    SecondPiece(Kind),
    /// Difference in pieces of a kind in hand, in games with drops: the coefficient is the value in
    /// hand minus that on the board.
    InHand(Kind),
    /// Jokers times the opponent's major pieces, which a joker can imitate. The design matrix
    /// centers it at the number of majors at the start times the share of pieces left, so that the
    /// joker's own coefficient is its value against a usual army.
    JokerAgainstMajors(Kind),
    /// 1 if White is to move, -1 if Black is.
    SideToMove,
    /// The constant 1: White's advantage of the first move. Swapping the armies within pairs makes
    /// it orthogonal to material. Where sides have armies of their own, it is also what White's
    /// army is worth beyond its pieces.
    White,
    /// White's rating minus Black's in units of 400 points, in imported games with ratings, else 0.
    /// The stronger player wins more often and is ahead in material more often, so without it
    /// material would seem worth more than it is.
    Rating,
    /// The difference in pieces, each times what Assay's own players believe its kind to be worth, in
    /// pawns, and the logarithm of the random factor of that belief in this game: how much of what
    /// players believe comes back in the results ([`Feedback`](crate::values::inference::Feedback)).
    OwnValues,
}

impl Regressor {
    /// Those that count no material; each has one value for the whole game.
    pub const CONSTANTS: [Regressor; 4] =
        [Regressor::SideToMove, Regressor::White, Regressor::Rating, Regressor::OwnValues];

    /// All regressors of a game: kinds without the king, pairs, second pieces, pieces in hand, the
    /// joker's majors, side to move, White, the ratings and the players' own values.
    pub fn all(game: &Arc<GameDef>) -> Vec<Regressor> {
        let largest = material::largest(game);
        let has_second = |kind: Kind| !game.kinds.is_color_bound(kind) && largest[kind.index()] >= 2;
        let pairs = pairs_at_start(game);
        let has_pair = |kind: Kind| game.kinds.is_color_bound(kind) && pairs[kind.index()];
        let kinds = |has: &dyn Fn(Kind) -> bool, regressor: fn(Kind) -> Regressor| -> Vec<Regressor> {
            let pieces = game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king());
            pieces.filter(|&kind| has(kind)).map(regressor).collect()
        };
        [
            kinds(&|_| true, Regressor::Kind),
            kinds(&|kind| is_piece(game, kind) && has_pair(kind), Regressor::Pair),
            kinds(&|kind| is_piece(game, kind) && has_second(kind), Regressor::SecondPiece),
            kinds(&|kind| game.mechanisms.drops.is_some() && game.kinds.unpromoted(kind) == kind, Regressor::InHand),
            kinds(&|kind| Some(kind) == game.kinds.joker() && majors(game) > 0, Regressor::JokerAgainstMajors),
            Regressor::CONSTANTS.to_vec(),
        ]
        .concat()
    }

    /// The kind whose value it is a part of.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Regressor::Kind(kind)
            | Regressor::Pair(kind)
            | Regressor::SecondPiece(kind)
            | Regressor::InHand(kind)
            | Regressor::JokerAgainstMajors(kind) => Some(kind),
            Regressor::SideToMove | Regressor::White | Regressor::Rating | Regressor::OwnValues => None,
        }
    }

    pub fn name(self, game: &GameDef) -> String {
        match self {
            Regressor::Kind(kind) => game.kind(kind).name.clone(),
            Regressor::Pair(kind) => format!("{} pair", game.kind(kind).name),
            Regressor::SecondPiece(kind) => format!("second {}", game.kind(kind).name),
            Regressor::InHand(kind) => format!("{} in hand", game.kind(kind).name),
            Regressor::JokerAgainstMajors(kind) => format!("{} against a major", game.kind(kind).name),
            Regressor::SideToMove => "side to move".to_owned(),
            Regressor::White => "White".to_owned(),
            Regressor::Rating => "400 rating points".to_owned(),
            Regressor::OwnValues => "own values".to_owned(),
        }
    }

    /// Published value of one unit, in the inventor's units.
    pub fn published_raw(self, game: &GameDef) -> Option<f64> {
        match self {
            Regressor::Kind(kind) => game.kind(kind).value,
            Regressor::Pair(kind) => game.kind(kind).pair,
            _ => None,
        }
    }

    /// Published value of one unit, in pawns.
    pub fn published_in_pawns(self, game: &GameDef) -> Option<f64> {
        match self {
            Regressor::Kind(kind) => game.value_in_pawns(kind),
            Regressor::Pair(kind) => game.pair_in_pawns(kind),
            _ => None,
        }
    }

    /// Value of the regressor for a position with this material and side to move. Those of the
    /// ratings and of the players' own values, which depend on the game, are 0 here; see
    /// [`Conditions`](super::Conditions).
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
            Regressor::InHand(kind) => f64::from(material.balance_in_hand(kind)),
            Regressor::JokerAgainstMajors(kind) => {
                let power =
                    |color: Color| f64::from(material.count_of(color, kind)) * f64::from(material.majors_of(!color));
                power(Color::White) - power(Color::Black)
            }
            Regressor::SideToMove if side == Color::White => 1.0,
            Regressor::SideToMove => -1.0,
            Regressor::White => 1.0,
            Regressor::Rating | Regressor::OwnValues => 0.0,
        }
    }
}

/// Returns true if a value is published for a kind but no bonus for a pair of it: the value then
/// means each of two pieces, and includes half of the bonus if the kind has one.
pub fn is_published_with_half_pair(game: &GameDef, kind: Kind) -> bool {
    let def = game.kind(kind);
    def.value.is_some() && def.pair.is_none()
}

#[cfg(test)]
mod tests {
    use super::Regressor;
    use assay_rules::{GameDef, Position};
    use assay_selfplay::positions::Ply;

    fn values(game: &str, fen: &str) -> Vec<(String, f64)> {
        let game = GameDef::builtin(game).unwrap();
        let position = Position::from_fen(&game, fen).unwrap();
        let ply = Ply::from(&position);
        let named =
            Regressor::all(&game).into_iter().map(|term| (term.name(&game), term.value(&ply.material, ply.side)));
        named.filter(|(_, value)| *value != 0.0).collect()
    }

    fn named(values: &[(&str, f64)]) -> Vec<(String, f64)> {
        values.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
    }

    #[test]
    fn values_are_white_minus_black() {
        let found = values("chess", "r3k2r/pppppppp/8/8/8/8/1PPPPPPP/RN2K2R b KQkq - 0 1");
        let expected =
            [("knight", 1.0), ("pawn", -1.0), ("second knight", -0.5), ("side to move", -1.0), ("White", 1.0)];
        assert_eq!(found, named(&expected));
    }

    #[test]
    fn pair_needs_both_square_colors() {
        let both = values("berolina", "4k3/p7/8/8/8/8/8/2B1KB2 w - - 0 1");
        assert!(both.contains(&("bishop pair".to_owned(), 1.0)), "{both:?}");
        // c1 and e3 are both dark.
        let one = values("berolina", "4k3/p7/8/8/8/4B3/8/2B1K3 w - - 0 1");
        assert!(!one.iter().any(|(name, _)| name == "bishop pair"), "{one:?}");
    }

    #[test]
    fn jokers_in_pockets_count() {
        let game = GameDef::builtin("apothecary2").unwrap();
        let fen = Position::start(&game).fen().replace("[Jj", "[J");
        let found = values("apothecary2", &fen);
        assert!(found.contains(&("joker".to_owned(), 1.0)), "{found:?}");
        // Only White has a joker, and Black has three majors.
        assert!(found.contains(&("joker against a major".to_owned(), 3.0)), "{found:?}");
    }

    #[test]
    fn pieces_in_hand_have_a_value_of_their_own() {
        let found = values("crazyhouse", "4k3/8/8/8/8/8/8/N3K3[NPpp] w - - 0 1");
        for (name, value) in [("knight", 2.0), ("pawn", -1.0), ("knight in hand", 1.0), ("pawn in hand", -1.0)] {
            assert!(found.contains(&(name.to_owned(), value)), "{name}: {found:?}");
        }
    }

    #[test]
    fn games_have_pair_and_second_piece_regressors() {
        let together = |name: &str| -> Vec<String> {
            let game = GameDef::builtin(name).unwrap();
            let regressors = Regressor::all(&game);
            let selected = regressors.iter().filter(|term| {
                matches!(term, Regressor::Pair(_) | Regressor::SecondPiece(_) | Regressor::JokerAgainstMajors(_))
            });
            selected.map(|term| term.name(&game)).collect()
        };
        assert_eq!(together("chess"), ["bishop pair", "second rook", "second knight"]);
        // An archer steps straight as well, and a camel's move-only step changes color.
        assert_eq!(together("gamma2"), ["bishop pair", "second rook", "second knight"]);
        assert_eq!(
            together("apothecary2"),
            ["bishop pair", "second rook", "second knight", "second elephant", "joker against a major"]
        );
    }

    #[test]
    fn second_piece_is_half_negative_for_a_single_piece() {
        let halves = |fen: &str| {
            let found = values("chess", fen);
            found.iter().find(|(name, _)| name == "second rook").map_or(0, |(_, value)| (2.0 * value) as i32)
        };
        assert_eq!(halves("4k3/p7/8/8/8/8/8/R3K2R w - - 0 1"), 0);
        assert_eq!(halves("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1"), -1);
        assert_eq!(halves("r3k3/p7/8/8/8/8/8/R3K2R w - - 0 1"), 1);
    }
}
