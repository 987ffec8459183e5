use assay_engine::Network;
use assay_rules::GameDef;
use thiserror::Error;

use super::{
    DEFAULT_STALL, EngineSettings, EvalJitter, Evaluation, GameSource, Material, OpeningSource, PlayerSlots,
    RandomOpenings, RunSettings, StartChoice,
};
use crate::tournament::adjudication::{Adjudication, ResignRule};

/// The choices of a self-play run, in which one built-in engine plays both sides. What is `None`
/// has a default that depends on the material.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    pub seed: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Transposition table in MiB, which both sides share.
    pub hash_mb: usize,
    /// By default the network, in games that have one. [`Evaluation::Network`] is an error in a game
    /// without one.
    pub evaluation: Option<Evaluation>,
    /// Start before the random moves.
    pub start: StartChoice,
    /// Material after the random moves.
    pub material: Material,
    /// Random quiet plies before the engine takes over; by default 8, to measure values 6 (and up
    /// to two more).
    pub opening_plies: Option<u32>,
    /// Largest evaluation of an opening in centipawns, or `Some(None)` for any; by default 300, to
    /// measure values 100.
    pub balance: Option<Option<u32>>,
    /// Changes to the engine's own piece values; by default none, to measure values up to 20%.
    pub eval_jitter: Option<EvalJitter>,
    /// A game ends when both sides see it decided: each scores it at this many centipawns or more
    /// for the same side, for two moves. `Some(None)` plays all games to the end. The default is
    /// 1,000 to measure values from 400 nodes on, in games that are won by mate alone and have no
    /// drops, counting rules or explosions.
    pub decided: Option<Option<u32>>,
}

/// A score of 10 pawns is the end of most games: 1 in 150 would end otherwise.
const DECIDED: u32 = 1_000;

/// One pair in this many is played on after its games are decided.
const PLAYED_ON: u32 = 10;

/// Returns true if a player with so many nodes per move turns a lead in material into a win. With
/// fewer, it often cannot mate. Some games are won otherwise than by mate, or turn around late:
/// where captured pieces come back, one decided game in ten ended otherwise.
fn may_be_decided(game: &GameDef, nodes: u64) -> bool {
    let rules = &game.mechanisms;
    let has_other_ends = rules.goal.is_some()
        || rules.check_count.is_some()
        || rules.bare_king.is_some()
        || rules.extinction.is_some()
        || rules.counting.is_some()
        || rules.explosions.is_some()
        || rules.drops.is_some();
    nodes >= 400 && !has_other_ends
}

impl Default for SelfPlay {
    /// Seed 1, 2,000 nodes per move, 4 MiB, the game's evaluation, any start, equal armies.
    fn default() -> SelfPlay {
        SelfPlay {
            seed: 1,
            nodes: 2_000,
            hash_mb: 4,
            evaluation: None,
            start: StartChoice::Random,
            material: Material::None,
            opening_plies: None,
            balance: None,
            eval_jitter: None,
            decided: None,
        }
    }
}

/// Choices that do not fit the game. The text begins with the name of the option.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SelfPlayError(String);

impl SelfPlay {
    /// The settings of the run.
    ///
    /// # Errors
    /// If the jitter names a kind that the game does not have, or the game has no network.
    pub fn settings(self, source: GameSource) -> Result<RunSettings, SelfPlayError> {
        // The jitter keeps the engine's own piece values from determining the values measured.
        let ((plies, balance), jitter, decided) = match self.material {
            Material::Values | Material::Playtest => (Material::VALUES_OPENING, 20, Some(DECIDED)),
            Material::None => ((8, 300), 0, None),
        };
        let openings = RandomOpenings {
            start: self.start,
            plies: self.opening_plies.unwrap_or(plies),
            balance: self.balance.unwrap_or(Some(balance)),
            material: self.material,
        };
        let bias = Vec::new();
        let eval_jitter = self.eval_jitter.unwrap_or(EvalJitter { jitter, bias });
        let (game, name) = (&source.game, &source.game.name);
        if let Some(letter) = eval_jitter.unknown_letter(game) {
            let why = format!("jitter: found kind `{letter}`, which {name} does not have");
            return Err(SelfPlayError(why));
        }
        if self.evaluation == Some(Evaluation::Network) && Network::builtin(game).is_none() {
            return Err(SelfPlayError(format!("evaluation network: {name} has no network")));
        }
        let evaluation = Evaluation::of(game, self.evaluation);
        let decided = self.decided.unwrap_or(decided.filter(|_| may_be_decided(game, self.nodes)));
        let adjudication = Adjudication {
            resign: decided.map(|score| ResignRule { moves: 2, score, two_sided: true }),
            played_on: decided.map_or(0, |_| PLAYED_ON),
            ..Adjudication::default()
        };
        let player = EngineSettings::self_play(self.nodes, self.hash_mb, evaluation);
        Ok(RunSettings {
            source,
            players: PlayerSlots::Shared(player),
            openings: OpeningSource::Random(openings),
            repeat: true,
            seed: self.seed,
            eval_jitter,
            adjudication,
            sprt: None,
            stall: DEFAULT_STALL,
        })
    }
}
