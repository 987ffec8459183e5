//! What Assay's own players believe pieces to be worth.

use std::sync::Arc;

use assay_engine::Weights;
use assay_selfplay::settings::{EngineKind, Evaluation, PlayerSlots, RunSettings};
use serde::{Deserialize, Serialize};

/// The piece values of the players of a run, before the random factor of each game.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct OwnValues {
    /// The evaluation of the players.
    pub evaluation: Evaluation,
    /// By kind, in pawns; 0 for a kind without one.
    pub values: Vec<f64>,
}

impl OwnValues {
    /// The values of the players of a run; `None` if they are not one built-in engine.
    pub fn of(settings: &RunSettings) -> Option<OwnValues> {
        let PlayerSlots::Shared(player) = &settings.players else { return None };
        let EngineKind::Builtin(engine) = &player.kind else { return None };
        let game = settings.game();
        let weights = Weights::for_game(game);
        let value = |kind| weights.terms().material(kind).map_or(0.0, |term| weights.get(term).middlegame / 100.0);
        let values = game.kinds.all().map(value).zip(settings.eval_jitter.biases(game));
        let values = values.map(|(value, bias)| value * bias).collect();
        Some(OwnValues { evaluation: engine.evaluation, values })
    }
}

/// The random factors of the values in the games of a run.
pub struct Jitter<'s> {
    settings: &'s RunSettings,
    /// The pair that was asked for last.
    last: Option<(u64, Arc<[f32]>)>,
}

impl<'s> Jitter<'s> {
    pub fn of(settings: &'s RunSettings) -> Jitter<'s> {
        Jitter { settings, last: None }
    }

    /// By kind, the logarithm of the factor in the games of a pair; empty if there is none.
    pub fn of_pair(&mut self, pair: u64) -> Arc<[f32]> {
        if self.settings.eval_jitter.jitter == 0 {
            return Arc::default();
        }
        let (settings, game) = (self.settings, self.settings.game());
        match &self.last {
            Some((known, factors)) if *known == pair => Arc::clone(factors),
            _ => {
                let factors = settings.eval_jitter.random_factors(game, settings.seed, pair);
                let factors: Arc<[f32]> = factors.into_iter().map(|factor| factor.ln() as f32).collect();
                self.last = Some((pair, Arc::clone(&factors)));
                factors
            }
        }
    }
}
