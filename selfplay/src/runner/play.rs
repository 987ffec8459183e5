//! Playing a game to its end. The rules alone decide how it ends: nothing is adjudicated, and no cap cuts it short.

use std::sync::atomic::{AtomicBool, Ordering};

use assay_rules::{Game, Outcome, Position};

use crate::players::player::{Choice, Player};

/// A game that has ended.
#[derive(Clone, Debug)]
pub struct Played {
    /// The moves with what the player said about them.
    pub choices: Vec<Choice>,
    /// How it ended.
    pub outcome: Outcome,
}

/// Plays from `start` until the rules end the game; `None` when `stop` was raised before.
///
/// The arbiter is `assay_rules`: what the player believes about the end of the game does not matter.
///
/// # Panics
/// When the player chooses a move that is not legal, which is a fault of the player.
pub fn play(start: Position, player: &mut dyn Player, stop: &AtomicBool) -> Option<Played> {
    player.begin(&start);
    let mut game = Game::new(start);
    let mut choices = Vec::new();
    loop {
        if let Some(outcome) = game.outcome() {
            return Some(Played { choices, outcome });
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let choice = player.choose(&game, stop)?;
        assert!(
            game.position().is_legal(choice.mv),
            "the player chose {:?}, which is not legal in {}",
            choice.mv,
            game.position().fen()
        );
        game.play(choice.mv);
        player.played(choice.mv);
        choices.push(choice);
    }
}
