//! The positions of games, and which of them are quiet.
//!
//! Material predicts the result only if no exchange is under way, so values are fitted to quiet
//! positions.

use std::ops::ControlFlow;
use std::sync::Arc;

use assay_engine::{CompiledRuleset, Position as EnginePosition, Tables, Visitor, dispatch};
use assay_rules::{Color, GameDef, Piece, Position};
use rayon::prelude::*;

use crate::game::{Eval, GameRecord, ReplayError};
use crate::material::MaterialCount;

/// Plies without a change after which material counts as unchanged.
const UNCHANGED_PLIES: usize = 2;

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

impl Ply {
    fn of<R: CompiledRuleset>(position: &EnginePosition<R>) -> Ply {
        let game = position.game();
        let pieces =
            || Color::ALL.into_iter().flat_map(move |color| game.kinds.all().map(move |kind| Piece { color, kind }));
        let on_board = pieces()
            .flat_map(|piece| position.pieces(piece.color, piece.kind).to_set().iter().map(move |at| (at, piece)));
        let in_pockets = pieces().flat_map(|piece| {
            let count = if game.pocket_kinds().is_empty() { 0 } else { position.in_pocket(piece.color, piece.kind) };
            std::iter::repeat_n(piece, count as usize)
        });
        Ply {
            material: MaterialCount::count(game, on_board, in_pockets),
            side: position.side_to_move(),
            in_check: position.in_check(),
            moves: position.count_moves() as u16,
        }
    }
}

impl From<&Position> for Ply {
    fn from(position: &Position) -> Ply {
        Ply {
            material: MaterialCount::from(position),
            side: position.side_to_move(),
            in_check: position.in_check(),
            moves: position.legal_moves().len() as u16,
        }
    }
}

/// Returns true if the material of a position is the same as in the two plies before. The start
/// counts as a change.
pub fn has_unchanged_material(plies: &[Ply], at: usize) -> bool {
    let before = at.checked_sub(UNCHANGED_PLIES).map(|first| &plies[first..at]);
    let pieces = &plies[at].material;
    before.is_some_and(|before| before.iter().all(|ply| ply.material.same_pieces(pieces)))
}

/// Indices of the quiet positions among all positions of a game, start and end included.
///
/// A position is quiet if the side to move is not in check, the material has been the same for two
/// plies (the start counts as a change), the next move leaves it unchanged, and the search found
/// no mate. The last position is never quiet.
pub fn quiet(record: &GameRecord, plies: &[Ply]) -> Vec<usize> {
    let is_quiet = |&at: &usize| {
        let sees_mate = matches!(record.moves[at].eval, Some(Eval::Mate(_)));
        let next = &plies[at + 1].material;
        !plies[at].in_check && !sees_mate && has_unchanged_material(plies, at) && next.same_pieces(&plies[at].material)
    };
    (0..plies.len().saturating_sub(1)).filter(is_quiet).collect()
}

/// Replays games in parallel with the engine's move generator, and passes the positions of each
/// (the start and one after every move) to `look`. Results are in the order of the games.
///
/// # Errors
/// If a game has an illegal move: the first such game.
pub fn replay<T: Send>(
    game: &Arc<GameDef>,
    records: &[GameRecord],
    look: impl Fn(&GameRecord, &[Ply]) -> T + Sync,
) -> Result<Vec<T>, ReplayError> {
    let positions = dispatch(game, MakePositions);
    let looked = records.par_iter().map(|record| Ok(look(record, &positions(record)?)));
    let looked: Vec<Result<T, ReplayError>> = looked.collect();
    looked.into_iter().collect()
}

/// Makes the positions of games, whatever their ruleset: what looks at them is compiled once.
struct MakePositions;

impl Visitor for MakePositions {
    type Output = Box<dyn Fn(&GameRecord) -> Result<Vec<Ply>, ReplayError> + Send + Sync>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        Box::new(move |record| {
            let mut plies = Vec::with_capacity(record.moves.len() + 1);
            record.visit_positions(&tables, |position, _| {
                plies.push(Ply::of(position));
                ControlFlow::Continue(())
            })?;
            Ok(plies)
        })
    }
}

#[cfg(test)]
mod tests {
    use assay_rules::{Game, Points, Termination, uci};

    use super::*;
    use crate::game::{GameEnd, PlayedMove};

    /// The record of a game and its positions by the rules.
    fn recorded(game: &Game) -> (GameRecord, Vec<Ply>) {
        let moves = game.moves().iter().map(|&mv| PlayedMove {
            mv: mv.into(),
            eval: None,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            time_ms: None,
        });
        let record = GameRecord {
            index: 0,
            pair: 0,
            white: 0,
            opening: String::new(),
            start_fen: game.positions()[0].fen(),
            moves: moves.collect(),
            result: Points::DRAW,
            end: GameEnd::Rules(Termination::Repetition),
            fault: None,
            ended: None,
            material: None,
        };
        (record, game.positions().iter().map(Ply::from).collect())
    }

    fn played(fen: &str, moves: &str) -> (GameRecord, Vec<Ply>) {
        let chess = GameDef::builtin("chess").unwrap();
        let mut game = Game::new(Position::from_fen(&chess, fen).unwrap());
        for text in moves.split_whitespace() {
            let mv = uci::parse(game.position(), text).unwrap();
            game.play(mv);
        }
        recorded(&game)
    }

    fn quiet_plies(fen: &str, moves: &str) -> Vec<usize> {
        let (record, plies) = played(fen, moves);
        quiet(&record, &plies)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn skips_positions_around_captures() {
        // The exchange on d5 is plies 2 and 3: ply 2 is followed by a capture, 3 to 5 come within
        // two plies of one. The end, ply 9, has no move after it.
        assert_eq!(quiet_plies(START, "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 g8f6 f1c4"), [6, 7, 8]);
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
        let (mut record, plies) = played(START, "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3");
        assert_eq!(quiet(&record, &plies), [2, 3, 4, 5, 6]);
        record.moves[4].eval = Some(Eval::Mate(3));
        assert_eq!(quiet(&record, &plies), [2, 3, 5, 6]);
    }

    /// A game of moves picked by a fixed pseudo-random rule.
    fn some_game(game: &Arc<GameDef>, plies: usize) -> (GameRecord, Vec<Ply>) {
        let mut played = Game::new(Position::start(game));
        while played.moves().len() < plies && played.outcome().is_none() {
            let legal = played.position().legal_moves();
            let at = (played.moves().len() * 7919 + 13) % legal.len();
            played.play(legal[at]);
        }
        recorded(&played)
    }

    #[test]
    fn engine_and_reference_rules_give_the_same_plies() {
        for name in assay_rules::def::BUILTIN_NAMES {
            let game = GameDef::builtin(name).unwrap();
            let (record, expected) = some_game(&game, 120);
            let found = replay(&game, &[record], |_, plies| plies.to_vec()).unwrap();
            assert_eq!(found, [expected], "{name}");
        }
    }

    #[test]
    fn reports_ply_of_illegal_move() {
        let chess = GameDef::builtin("chess").unwrap();
        let (mut record, _) = some_game(&chess, 10);
        record.moves[3] = record.moves[2];
        let error = replay(&chess, &[record], |_, _| ()).unwrap_err();
        assert!(matches!(error, ReplayError::Illegal { ply: 4, .. }), "{error}");
    }
}
