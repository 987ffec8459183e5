//! Positions of random games: some at random, some that show each mechanism of the game.

use std::sync::Arc;

use assay_rules::{GameDef, Position};

use super::detect::{end_of_line, mechanisms_of_move, mechanisms_of_position};
use super::mechanism::{Coverage, Mechanism};
use super::random_player::{GameRng, RandomPlayer, random_start};

/// Games that are searched for rare mechanisms.
const GAMES: u64 = 100;

/// Length of the longest game in plies.
const MAX_PLIES: u64 = 120;

/// Wanted number of positions that show each mechanism.
const POSITIONS_EACH: u64 = 2;

/// A position with legal moves, after a random number of plies of a random game.
pub fn random_position(game: &Arc<GameDef>, seed: u64, index: u64) -> Position {
    let mut rng = GameRng::new(seed, index);
    let start = random_start(game, &mut rng);
    let plies = rng.below(MAX_PLIES);
    after_random_moves(start, plies, &mut rng)
}

/// The position after some plies of a random game, or fewer if the game would end.
pub fn after_random_moves(mut position: Position, plies: u64, rng: &mut GameRng) -> Position {
    let mut player = RandomPlayer::of_rare_moves();
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let next = position.play(player.choose(&position, &legal, rng));
        if !next.has_legal_move() {
            break;
        }
        position = next;
    }
    position
}

/// Positions of random games that together show every mechanism, as far as a hundred games reach
/// it: in the position itself, by one of its legal moves, or, for checkmate and stalemate, after
/// the move that the game went on with.
pub fn positions_of_mechanisms(game: &Arc<GameDef>, seed: u64) -> Vec<Position> {
    let wanted: Vec<Mechanism> = Mechanism::of_perft(game).collect();
    let (mut shown, mut positions) = (Coverage::default(), Vec::new());
    for index in 0..GAMES {
        // Other games than those of the random positions.
        let mut rng = GameRng::new(!seed, index);
        let mut player = RandomPlayer::new(&mut rng);
        let mut position = random_start(game, &mut rng);
        for _ in 0..MAX_PLIES {
            let is_rare = |mechanism: &Mechanism| shown.get(*mechanism) < POSITIONS_EACH;
            if !wanted.iter().any(is_rare) {
                return positions;
            }
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let next = position.play(player.choose(&position, &legal, &mut rng));
            let mut here = mechanisms_of_position(&position);
            for &mv in &legal {
                here.insert_all(mechanisms_of_move(&position, mv));
            }
            here.insert_all(end_of_line(&next, next.has_legal_move()));
            if wanted.iter().any(|mechanism| here.contains(*mechanism) && is_rare(mechanism)) {
                shown.count_set(here);
                positions.push(position);
            }
            position = next;
        }
    }
    positions
}
