//! Which positions of a game are looked at.
//!
//! Only quiet ones: what pieces are on the board tells what a position is worth only when nobody is in the middle of an
//! exchange.

use assay_rules::{Color, Piece, Position};

use crate::values::data::regressor::{MaterialCount, Regressor};

/// Plies since the last capture or promotion that a quiet position needs.
const SETTLED_PLIES: usize = 2;

/// One position of a game, as far as values need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The pieces.
    pub material: MaterialCount,
    /// Who is to move.
    pub side: Color,
    /// Is that side in check?
    pub in_check: bool,
    /// How many legal moves it has.
    pub moves: u16,
}

impl From<&Position> for Ply {
    fn from(position: &Position) -> Ply {
        let in_pockets = Color::ALL
            .into_iter()
            .flat_map(|color| position.pocket(color).iter().map(move |&kind| Piece { color, kind }));
        Ply {
            material: MaterialCount::count(position.game(), position.pieces(), in_pockets),
            side: position.side_to_move(),
            in_check: position.in_check(),
            moves: position.legal_moves().len() as u16,
        }
    }
}

/// Quiet positions of a game with the same pieces and the same side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialSample {
    /// How many positions.
    pub positions: u32,
    /// Pieces left on the board and in pockets, kings apart.
    pub pieces: u16,
    /// One number for each term, halves at the finest.
    pub values: Box<[f32]>,
}

/// The plies of a game's quiet positions among all its positions (start and end included).
///
/// Quiet: the side to move is not in check, the pieces have been the same for two plies (pieces taken off for the opening
/// count as a change before the first), the move then played leaves them the same, and its player saw no mate in it
/// (`sees_mate`, by ply). The end of a game, where nothing more is played, is never quiet.
pub fn quiet(plies: &[Ply], sees_mate: impl Fn(usize) -> bool) -> Vec<usize> {
    let is_quiet = |&ply: &usize| {
        let pieces = &plies[ply].material;
        !plies[ply].in_check
            && !sees_mate(ply)
            && plies[ply - SETTLED_PLIES..=ply + 1]
                .iter()
                .all(|other| other.material.same_pieces(pieces))
    };
    (SETTLED_PLIES..plies.len().saturating_sub(1))
        .filter(is_quiet)
        .collect()
}

/// What there is to know of positions, those alike put together, in the order in which they first occur.
pub fn samples(plies: &[Ply], quiet: &[usize], regressors: &[Regressor]) -> Vec<MaterialSample> {
    let mut samples: Vec<MaterialSample> = Vec::new();
    for ply in quiet.iter().map(|&ply| &plies[ply]) {
        let values: Box<[f32]> = regressors
            .iter()
            .map(|term| term.value(&ply.material, ply.side) as f32)
            .collect();
        let pieces = ply.material.pieces() as u16;
        // Those alike are near each other.
        let known = samples
            .iter_mut()
            .rev()
            .take(4)
            .find(|sample| sample.pieces == pieces && sample.values == values);
        match known {
            Some(sample) => sample.positions += 1,
            None => samples.push(MaterialSample {
                positions: 1,
                pieces,
                values,
            }),
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::{Ply, quiet, samples};
    use crate::values::data::regressor::Regressor;
    use assay_rules::{Game, GameDef, Position, uci};

    fn plies(fen: &str, moves: &str) -> Vec<Ply> {
        let chess = GameDef::builtin("chess").unwrap();
        let mut game = Game::new(Position::from_fen(&chess, fen).unwrap());
        for text in moves.split_whitespace() {
            let mv = uci::parse(game.position(), text).unwrap();
            game.play(mv);
        }
        game.positions().iter().map(Ply::from).collect()
    }

    fn quiet_plies(fen: &str, moves: &str) -> Vec<usize> {
        quiet(&plies(fen, moves), |_| false)
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
    fn promotions_change_the_pieces() {
        let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(quiet_plies(fen, "e1e2 e8e7 a7a8q e7d7 e2e3 d7e7 a8b8 e7f6"), [5, 6, 7]);
    }

    #[test]
    fn short_games_have_none() {
        assert_eq!(quiet_plies(START, ""), Vec::<usize>::new());
        assert_eq!(quiet_plies(START, "e2e4 e7e5"), Vec::<usize>::new());
    }

    #[test]
    fn positions_of_which_a_mate_was_seen_are_left_out() {
        let plies = plies(START, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3");
        assert_eq!(quiet(&plies, |_| false), [2, 3, 4, 5, 6]);
        assert_eq!(quiet(&plies, |ply| ply == 4), [2, 3, 5, 6]);
    }

    #[test]
    fn positions_alike_are_one_sample() {
        let chess = GameDef::builtin("chess").unwrap();
        let plies = plies(START, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3");
        let found = samples(&plies, &[2, 3, 4, 5, 6], &Regressor::all(&chess));
        let counts: Vec<(u32, u16)> = found.iter().map(|sample| (sample.positions, sample.pieces)).collect();
        // White to move three times, Black twice.
        assert_eq!(counts, [(3, 30), (2, 30)]);
    }
}
