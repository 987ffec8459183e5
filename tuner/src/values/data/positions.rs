//! Selection of quiet positions.
//!
//! Material predicts the result only if no exchange is under way, so only quiet positions are used.

use std::sync::Arc;

use assay_rules::{Color, Piece, Position};

use crate::values::data::material::MaterialCount;
use crate::values::data::regressor::Regressor;

/// A quiet position has the same material for at least this many plies.
const SETTLED_PLIES: usize = 2;

/// One position of a game: material, side to move and mobility.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Material of both sides.
    pub material: MaterialCount,
    pub side: Color,
    /// True if the side to move is in check.
    pub in_check: bool,
    /// Number of legal moves.
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

/// Quiet positions of one game with the same material and side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialSample {
    /// Number of positions.
    pub positions: u32,
    /// Pieces on the board and in pockets, without kings.
    pub pieces: u16,
    /// Value of each regressor, a multiple of 1/2.
    pub values: Arc<[f32]>,
}

/// Indices of the quiet positions among all positions of a game, start and end included.
///
/// A position is quiet if the side to move is not in check, the material has been the same for two plies (the start counts as a change), the
/// next move leaves it unchanged, and the search found no mate (`sees_mate`, by ply). The last position is never quiet.
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

/// Value of each regressor in a position.
pub fn values(ply: &Ply, regressors: &[Regressor]) -> Arc<[f32]> {
    let values = regressors
        .iter()
        .map(|regressor| regressor.value(&ply.material, ply.side) as f32);
    values.collect()
}

/// Samples of the quiet positions, in order of first occurrence. Equal positions close to each other are merged.
pub fn samples(plies: &[Ply], quiet: &[usize], regressors: &[Regressor]) -> Vec<MaterialSample> {
    let mut samples: Vec<MaterialSample> = Vec::new();
    for ply in quiet.iter().map(|&ply| &plies[ply]) {
        let values = values(ply, regressors);
        let pieces = ply.material.pieces() as u16;
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
    fn skips_positions_around_captures() {
        // The exchange on d5 is plies 2 and 3: ply 2 is followed by a capture, 3 to 5 come within two plies of one. The
        // end, ply 9, has no move after it.
        assert_eq!(
            quiet_plies(START, "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 g8f6 f1c4"),
            [6, 7, 8]
        );
    }

    #[test]
    fn skips_positions_in_check() {
        // Bb5+ is answered by c6: ply 3 is in check.
        assert_eq!(quiet_plies(START, "e2e4 d7d6 f1b5 c7c6 b5a4 g8f6"), [2, 4, 5]);
    }

    #[test]
    fn skips_positions_around_promotions() {
        let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(quiet_plies(fen, "e1e2 e8e7 a7a8q e7d7 e2e3 d7e7 a8b8 e7f6"), [5, 6, 7]);
    }

    #[test]
    fn short_games_have_no_quiet_positions() {
        assert_eq!(quiet_plies(START, ""), Vec::<usize>::new());
        assert_eq!(quiet_plies(START, "e2e4 e7e5"), Vec::<usize>::new());
    }

    #[test]
    fn skips_positions_with_mate_scores() {
        let plies = plies(START, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3");
        assert_eq!(quiet(&plies, |_| false), [2, 3, 4, 5, 6]);
        assert_eq!(quiet(&plies, |ply| ply == 4), [2, 3, 5, 6]);
    }

    #[test]
    fn equal_positions_are_merged() {
        let chess = GameDef::builtin("chess").unwrap();
        let plies = plies(START, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3");
        let found = samples(&plies, &[2, 3, 4, 5, 6], &Regressor::all(&chess));
        let counts: Vec<(u32, u16)> = found.iter().map(|sample| (sample.positions, sample.pieces)).collect();
        // White to move three times, Black twice.
        assert_eq!(counts, [(3, 30), (2, 30)]);
    }
}
