//! Replays stored games with the engine's move generator.

use std::sync::Arc;

use assay_engine::{CompiledRuleset, MoveList, Position, Tables, Visitor, dispatch};
use assay_rules::{Color, GameDef, Kind, Piece};
use assay_selfplay::GameRecord;
use assay_selfplay::game::ReplayError;
use rayon::prelude::*;

use crate::values::data::material::MaterialCount;
use crate::values::data::positions::Ply;

/// Replays games in parallel and passes the positions of each (the start and one after every move) to `look`. Results are in the order of the
/// games.
///
/// # Errors
/// If a game has an illegal move: the first such game.
pub fn replay<T: Send>(
    game: &Arc<GameDef>,
    records: &[GameRecord],
    look: impl Fn(&GameRecord, &[Ply]) -> T + Sync,
) -> Result<Vec<T>, ReplayError> {
    dispatch(game, Replay { records, look })
}

struct Replay<'r, F> {
    records: &'r [GameRecord],
    look: F,
}

impl<T: Send, F: Fn(&GameRecord, &[Ply]) -> T + Sync> Visitor for Replay<'_, F> {
    type Output = Result<Vec<T>, ReplayError>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Self::Output {
        let looked: Vec<Result<T, ReplayError>> = self
            .records
            .par_iter()
            .map(|record| Ok((self.look)(record, &plies(&tables, record)?)))
            .collect();
        looked.into_iter().collect()
    }
}

fn plies<R: CompiledRuleset>(tables: &Arc<Tables<R>>, record: &GameRecord) -> Result<Vec<Ply>, ReplayError> {
    let game = tables.game();
    let mut position = Position::new(tables, &record.start(game)?);
    let mut plies = Vec::with_capacity(record.moves.len() + 1);
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    plies.push(ply(&position, &legal));
    for (at, played) in record.moves.iter().enumerate() {
        let found = legal.as_slice().iter().find(|&&mv| played.mv.is(mv, game));
        let Some(&mv) = found else {
            return Err(ReplayError::Illegal {
                game: record.index,
                ply: at + 1,
                found: played.mv.uci(game),
                fen: position.to_rules().fen(),
            });
        };
        position.make(mv);
        position.legal_moves(&mut legal);
        plies.push(ply(&position, &legal));
    }
    Ok(plies)
}

fn ply<R: CompiledRuleset>(position: &Position<R>, legal: &MoveList) -> Ply {
    let game = position.game();
    let pieces = || {
        Color::ALL
            .into_iter()
            .flat_map(move |color| game.all_kinds().map(move |kind| Piece { color, kind }))
    };
    let on_board = pieces().flat_map(|piece| {
        position
            .pieces(piece.color, piece.kind)
            .to_set()
            .iter()
            .map(move |at| (at, piece))
    });
    let in_pockets = pieces().filter(|piece| is_in_pocket(position, game, piece.color, piece.kind));
    Ply {
        material: MaterialCount::count(game, on_board, in_pockets),
        side: position.side_to_move(),
        in_check: position.in_check(),
        moves: legal.as_slice().len() as u16,
    }
}

fn is_in_pocket<R: CompiledRuleset>(position: &Position<R>, game: &GameDef, color: Color, kind: Kind) -> bool {
    game.gating.is_some() && position.in_pocket(color, kind)
}

#[cfg(test)]
mod tests {
    use super::replay;
    use crate::values::data::positions::Ply;
    use assay_rules::{Game, GameDef, Position};
    use assay_selfplay::GameRecord;
    use assay_selfplay::game::{GameEnd, PlayedMove, ReplayError};

    /// A game of moves picked by a fixed pseudo-random rule.
    fn some_game(game: &std::sync::Arc<GameDef>, plies: usize) -> (GameRecord, Vec<Ply>) {
        let mut played = Game::new(Position::start(game));
        while played.moves().len() < plies && played.outcome().is_none() {
            let legal = played.position().legal_moves();
            let at = (played.moves().len() * 7919 + 13) % legal.len();
            played.play(legal[at]);
        }
        let moves = played.moves().iter().map(|&mv| PlayedMove {
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
            start_fen: played.positions()[0].fen(),
            moves: moves.collect(),
            result: assay_rules::Points::DRAW,
            end: GameEnd::Rules(assay_rules::Termination::Repetition),
            fault: None,
            ended: None,
            material: None,
        };
        (record, played.positions().iter().map(Ply::from).collect())
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
