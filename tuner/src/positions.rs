//! Which positions of a game are looked at.
//!
//! Only quiet ones: what men are on the board tells what a position is worth only when nobody is in the middle of an
//! exchange.

use assay_rules::{Color, Man, Position};

use crate::terms::{Material, Term};

/// Positions taken from one game at most. They share the game's result, so more of them would add almost nothing.
pub const MOST_PER_GAME: usize = 8;

/// Plies since the last capture or promotion that a quiet position needs.
const SETTLED_PLIES: usize = 2;

/// One position of a game, as far as values need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The men.
    pub material: Material,
    /// Who is to move.
    pub side: Color,
    /// Is that side in check?
    pub in_check: bool,
}

impl From<&Position> for Ply {
    fn from(position: &Position) -> Ply {
        let in_pockets = Color::ALL
            .into_iter()
            .flat_map(|color| position.pocket(color).iter().map(move |&kind| Man { color, kind }));
        Ply {
            material: Material::count(position.game(), position.men(), in_pockets),
            side: position.side(),
            in_check: position.in_check(),
        }
    }
}

/// A quiet position.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Plies played before it.
    pub ply: usize,
    /// One number for each term.
    pub values: Vec<f64>,
}

/// The quiet ones among all positions of a game (start and end included), at most `most`, spread evenly.
///
/// Quiet: the side to move is not in check, the men have been the same for two plies (men taken off for the opening
/// count as a change before the first), and the move then played leaves them the same. The end of a game, where nothing
/// more is played, is never taken.
pub fn quiet(plies: &[Ply], terms: &[Term], most: usize) -> Vec<Sample> {
    let is_quiet = |&ply: &usize| {
        let men = &plies[ply].material;
        !plies[ply].in_check
            && plies[ply - SETTLED_PLIES..=ply + 1]
                .iter()
                .all(|other| other.material.same_men(men))
    };
    let quiet: Vec<usize> = (SETTLED_PLIES..plies.len().saturating_sub(1))
        .filter(is_quiet)
        .collect();
    evenly(&quiet, most)
        .map(|ply| {
            let values = terms
                .iter()
                .map(|term| term.value(&plies[ply].material, plies[ply].side));
            Sample {
                ply,
                values: values.collect(),
            }
        })
        .collect()
}

/// At most `most` of the numbers: the middles of equally long stretches.
fn evenly(numbers: &[usize], most: usize) -> impl Iterator<Item = usize> + '_ {
    let wanted = most.min(numbers.len());
    (0..wanted).map(move |slot| numbers[(2 * slot + 1) * numbers.len() / (2 * wanted)])
}

#[cfg(test)]
mod tests {
    use super::{Ply, evenly, quiet};
    use crate::terms::Term;
    use assay_rules::{Game, GameDef, Position, uci};

    fn quiet_plies(fen: &str, moves: &str) -> Vec<usize> {
        let chess = GameDef::builtin("chess").unwrap();
        let mut game = Game::new(Position::from_fen(&chess, fen).unwrap());
        for text in moves.split_whitespace() {
            let mv = uci::parse(game.position(), text).unwrap();
            game.play(mv);
        }
        let plies: Vec<Ply> = game.positions().iter().map(Ply::from).collect();
        quiet(&plies, &Term::all(&chess), 100)
            .into_iter()
            .map(|sample| sample.ply)
            .collect()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn captures_and_their_neighbours_are_left_out() {
        // The exchange on d5 is plies 2 and 3: ply 2 is followed by a capture, 3 to 5 come within two plies of one. The
        // end, ply 9, has no move after it.
        assert_eq!(
            quiet_plies(START, "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 g8f6 f1c4"),
            [6, 7, 8]
        );
    }

    #[test]
    fn checks_are_left_out() {
        // Bb5+ is answered by c6: ply 3 is in check.
        assert_eq!(quiet_plies(START, "e2e4 d7d6 f1b5 c7c6 b5a4 g8f6"), [2, 4, 5]);
    }

    #[test]
    fn promotions_change_the_men() {
        let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(quiet_plies(fen, "e1e2 e8e7 a7a8q e7d7 e2e3 d7e7 a8b8 e7f6"), [5, 6, 7]);
    }

    #[test]
    fn short_games_have_none() {
        assert_eq!(quiet_plies(START, ""), Vec::<usize>::new());
        assert_eq!(quiet_plies(START, "e2e4 e7e5"), Vec::<usize>::new());
    }

    #[test]
    fn samples_are_spread_evenly() {
        let numbers: Vec<usize> = (0..100).collect();
        assert_eq!(evenly(&numbers, 4).collect::<Vec<_>>(), [12, 37, 62, 87]);
        assert_eq!(evenly(&numbers[..3], 8).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(evenly(&[], 8).count(), 0);
    }
}
