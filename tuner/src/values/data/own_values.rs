//! What Assay's own players believe pieces to be worth.

use std::sync::Arc;

use assay_engine::{CompiledRuleset, Network, Position as EnginePosition, Tables, Visitor, Weights, dispatch};
use assay_rules::{Color, GameDef, Position};
use assay_selfplay::settings::{EngineKind, Evaluation, PlayerSlots, RunSettings};
use serde::{Deserialize, Serialize};

/// The piece values of the players of a run, by kind, in pawns of their evaluation; 0 for a kind
/// without one.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct OwnValues {
    /// The values before the random factor of each pair.
    pub values: Vec<f64>,
    /// The part of them that the random factor multiplies: all of a linear evaluation, and of a
    /// network's as much as of the linear evaluation.
    pub varied: Vec<f64>,
}

impl OwnValues {
    /// The values of the players of a run; `None` if they are not one built-in engine.
    pub fn of(settings: &RunSettings) -> Option<OwnValues> {
        let PlayerSlots::Shared(player) = &settings.players else { return None };
        let EngineKind::Builtin(engine) = &player.kind else { return None };
        let game = settings.game();
        let linear = of_linear(game);
        let biased = |base: &[f64]| {
            let biases = settings.eval_jitter.biases(game).into_iter();
            biases.zip(base.iter().zip(&linear)).map(|(bias, (base, linear))| base + (bias - 1.0) * linear).collect()
        };
        let network = Network::builtin(game).filter(|_| engine.evaluation == Evaluation::Network);
        Some(OwnValues {
            values: network.map_or_else(|| biased(&linear), |network| biased(&of_network(game, &network, &linear))),
            varied: biased(&linear),
        })
    }

    /// By kind, the logarithm of the change of the value by the random factors of a pair; 0 for a
    /// kind without a value.
    fn logarithms(&self, factors: &[f64]) -> Arc<[f32]> {
        let log = |((value, varied), factor): ((&f64, &f64), &f64)| {
            let change = if *value > 0.0 { (factor - 1.0) * varied / value } else { 0.0 };
            change.max(-0.9).ln_1p() as f32
        };
        self.values.iter().zip(&self.varied).zip(factors).map(log).collect()
    }
}

/// The middlegame values of the linear evaluation.
fn of_linear(game: &Arc<GameDef>) -> Vec<f64> {
    let weights = Weights::for_game(game);
    let value = |kind| weights.terms().material(kind).map_or(0.0, |term| weights.get(term).middlegame / 100.0);
    game.kinds.all().map(value).collect()
}

/// The values of a network. Kinds that are not in the start have those of the linear evaluation, in
/// proportion.
fn of_network(game: &Arc<GameDef>, network: &Network, linear: &[f64]) -> Vec<f64> {
    let found = dispatch(game, WithoutPiece { network });
    let known = || found.iter().zip(linear).filter_map(|(found, linear)| Some(((*found)?, *linear)));
    let ratio = known().map(|(found, _)| found).sum::<f64>() / known().map(|(_, linear)| linear).sum::<f64>();
    found.iter().zip(linear).map(|(found, linear)| found.unwrap_or(ratio * linear)).collect()
}

/// By kind, how much lower a network evaluates the start for a side without one of its pieces, on
/// average; `None` for a kind that is not there.
struct WithoutPiece<'n> {
    network: &'n Network,
}

impl Visitor for WithoutPiece<'_> {
    type Output = Vec<Option<f64>>;

    fn visit<R: CompiledRuleset>(self, tables: Arc<Tables<R>>) -> Vec<Option<f64>> {
        let start = Position::start(tables.game());
        // White's point of view.
        let evaluate = |position: &Position| {
            let score = self.network.evaluate(&EnginePosition::new(&tables, position)).centipawns().unwrap_or_default();
            f64::from(if position.side_to_move() == Color::White { score } else { -score }) / 100.0
        };
        let whole = evaluate(&start);
        let mut sums = vec![(0.0, 0.0); tables.game().kinds.all().count()];
        for (at, piece) in start.setup().pieces.iter().enumerate() {
            let Some(piece) = piece.filter(|piece| Some(piece.kind) != tables.game().kinds.king()) else { continue };
            let mut setup = start.setup().clone();
            setup.pieces[at] = None;
            if let Ok((without, _)) = Position::from_setup(tables.game(), &setup) {
                let lost =
                    if piece.color == Color::White { whole - evaluate(&without) } else { evaluate(&without) - whole };
                let (sum, count) = &mut sums[piece.kind.index()];
                (*sum, *count) = (*sum + lost, *count + 1.0);
            }
        }
        sums.into_iter().map(|(sum, count)| (count > 0.0).then(|| (sum / count).max(0.0))).collect()
    }
}

/// The random factors of the values in the games of a run.
pub struct Jitter<'s> {
    settings: &'s RunSettings,
    own: Option<OwnValues>,
    /// The pair that was asked for last.
    last: Option<(u64, Arc<[f32]>)>,
}

impl<'s> Jitter<'s> {
    pub fn of(settings: &'s RunSettings, own: Option<OwnValues>) -> Jitter<'s> {
        Jitter { settings, own: own.filter(|_| settings.eval_jitter.jitter > 0), last: None }
    }

    /// By kind, the logarithm of the change of the players' value in the games of a pair; empty if
    /// there is none.
    pub fn of_pair(&mut self, pair: u64) -> Arc<[f32]> {
        let Some(own) = &self.own else { return Arc::default() };
        match &self.last {
            Some((known, logarithms)) if *known == pair => Arc::clone(logarithms),
            _ => {
                let settings = self.settings;
                let factors = settings.eval_jitter.random_factors(settings.game(), settings.seed, pair);
                let logarithms = own.logarithms(&factors);
                self.last = Some((pair, Arc::clone(&logarithms)));
                logarithms
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Networks know that pieces are worth something, and about as much as the weights say.
    #[test]
    fn networks_have_values_of_their_own() {
        for name in ["chess", "gamma2", "apothecary2"] {
            let game = GameDef::builtin(name).unwrap();
            let network = Network::builtin(&game).unwrap();
            let linear = of_linear(&game);
            let found = of_network(&game, &network, &linear);
            for kind in game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king()) {
                let ratio = found[kind.index()] / linear[kind.index()];
                assert!((0.3..3.0).contains(&ratio), "{name} {}: {ratio}", game.kind(kind).name);
            }
        }
    }
}
