//! What Assay's own players believe pieces to be worth.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_engine::{CompiledRuleset, Network, Position as EnginePosition, Tables, Visitor, Weights, dispatch};
use assay_rules::{Color, GameDef, Kind, Position};
use assay_selfplay::settings::{EngineKind, Evaluation, PlayerSlots, RunSettings};
use serde::{Deserialize, Serialize};

use assay_selfplay::statistics::range;

/// The piece values of the players of a run, by piece; without the pieces that are worth nothing to
/// them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct OwnValues(pub BTreeMap<String, OwnValue>);

/// The value of a piece to the players of a run, in pawns of their evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct OwnValue {
    /// The value before the random factor of each pair.
    #[serde(deserialize_with = "range::positive")]
    pub value: f64,
    /// The part of it that the random factor multiplies: all of a linear evaluation, and of a
    /// network's as much as of the linear evaluation.
    #[serde(deserialize_with = "range::any")]
    pub varied: f64,
}

impl OwnValues {
    /// The values of the players of a run, with the names of `game`, which has the same rules; `None`
    /// if they are not one built-in engine.
    pub fn of(settings: &RunSettings, game: &GameDef) -> Option<OwnValues> {
        let PlayerSlots::Shared(player) = &settings.players else { return None };
        let EngineKind::Builtin(engine) = &player.kind else { return None };
        let played = settings.game();
        let linear = of_linear(played);
        let network = Network::builtin(played).filter(|_| engine.evaluation == Evaluation::Network);
        let base = network.map_or_else(|| linear.clone(), |network| of_network(played, &network, &linear));
        let biases = settings.eval_jitter.biases(played).into_iter();
        let values = biases.zip(base.iter().zip(&linear)).map(|(bias, (base, linear))| {
            let change = (bias - 1.0) * linear;
            OwnValue { value: base + change, varied: linear + change }
        });
        let named = game.kinds.all().map(|kind| game.kind(kind).name.clone()).zip(values);
        Some(OwnValues(named.filter(|(_, own)| own.value > 0.0).collect()))
    }

    /// The value of a kind; `None` if it is worth nothing.
    pub fn value(&self, game: &GameDef, kind: Kind) -> Option<f64> {
        self.0.get(&game.kind(kind).name).map(|own| own.value)
    }

    /// By kind, the logarithm of the change of the value by the random factors of a pair; 0 for a
    /// kind without a value.
    fn logarithms(&self, game: &GameDef, factors: &[f64]) -> Arc<[f32]> {
        let log = |(kind, factor): (Kind, &f64)| {
            let own = self.0.get(&game.kind(kind).name);
            let change = own.map_or(0.0, |own| (factor - 1.0) * own.varied / own.value);
            change.max(-0.9).ln_1p() as f32
        };
        game.kinds.all().zip(factors).map(log).collect()
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
    game: &'s GameDef,
    own: Option<&'s OwnValues>,
    /// The pair that was asked for last.
    last: Option<(u64, Arc<[f32]>)>,
}

impl<'s> Jitter<'s> {
    /// `game` has the names of `own`.
    pub fn of(settings: &'s RunSettings, game: &'s GameDef, own: Option<&'s OwnValues>) -> Jitter<'s> {
        Jitter { settings, game, own: own.filter(|_| settings.eval_jitter.jitter > 0), last: None }
    }

    /// By kind, the logarithm of the change of the players' value in the games of a pair; empty if
    /// there is none.
    pub fn of_pair(&mut self, pair: u64) -> Arc<[f32]> {
        let Some(own) = self.own else { return Arc::default() };
        match &self.last {
            Some((known, logarithms)) if *known == pair => Arc::clone(logarithms),
            _ => {
                let settings = self.settings;
                let factors = settings.eval_jitter.random_factors(settings.game(), settings.seed, pair);
                let logarithms = own.logarithms(self.game, &factors);
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
