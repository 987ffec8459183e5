//! What a file of games holds, in numbers.

use assay_rules::{Points, Termination};
use rayon::prelude::*;
use serde::Serialize;

use crate::store::{GameRecord, Store, StoreError};

/// Games that are played again in parallel.
const CHUNK: usize = 256;

/// What a file of games holds.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// The settings of the run.
    pub settings: Settings,
    /// Games in the file.
    pub games: u64,
    /// Games that the run is to have and that are not there.
    pub missing: u64,
    /// Pairs of which both games are there.
    pub pairs: u64,
    /// Games by White's score.
    pub results: Results,
    /// Games by how they ended.
    pub endings: Endings,
    /// White's mean score in points with its standard error, which takes both games of an opening as one observation.
    pub white: Option<Mean>,
    /// Plies of a game.
    pub plies: Option<Lengths>,
    /// Nodes searched for all moves.
    pub nodes: u64,
    /// What is wrong with the file; empty when nothing is.
    pub faults: Vec<String>,
}

/// The settings of a run, as they were given.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// The game's name.
    pub game: String,
    /// Is it a built-in game?
    pub builtin: bool,
    /// BLAKE3 of its rules.
    pub definition_hash: String,
    /// The seed.
    pub seed: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// Megabytes of the search's table.
    pub hash: usize,
    /// The start before the random moves.
    pub setup: String,
    /// Random plies.
    pub opening_plies: u32,
    /// The most centipawns between the sides; nothing when it was not looked at.
    pub balance: Option<u32>,
    /// What was done to the armies.
    pub material: String,
    /// How far the engine's own piece values were off, in percent.
    pub jitter: String,
    /// Who plays.
    pub player: String,
    /// The program that began the run.
    pub program: String,
    /// When, in UTC.
    pub created: String,
    /// How many games it is to have.
    pub games: u64,
}

/// Games by White's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Results {
    /// 1 point.
    pub wins: u64,
    /// 0.75 points.
    pub advantages: u64,
    /// 0.5 points.
    pub draws: u64,
    /// 0.25 points.
    pub disadvantages: u64,
    /// 0 points.
    pub losses: u64,
}

/// Games by how they ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Endings {
    /// By checkmate.
    pub checkmate: u64,
    /// By stalemate.
    pub stalemate: u64,
    /// With a position that nobody can win.
    pub dead_position: u64,
    /// By repetition.
    pub repetition: u64,
    /// By the move rule.
    pub move_rule: u64,
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error; nothing when there are fewer than two openings.
    pub standard_error: Option<f64>,
}

/// Numbers of plies.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Lengths {
    /// Of the shortest game.
    pub least: u64,
    /// On average.
    pub mean: f64,
    /// Of the longest game.
    pub most: u64,
}

impl Info {
    /// Reads the whole file. What is wrong with single games is among the [`Info::faults`].
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of(store: &Store) -> Result<Info, StoreError> {
        let faults = store.faults()?;
        let run = store.settings();
        let mut seen = Seen::default();
        // The faults tell of the first game that cannot be read; the numbers are of those before it.
        for game in store.games().map_while(Result::ok) {
            let plies = game.moves.len() as u64;
            seen.plies = Some(
                seen.plies
                    .map_or((plies, plies), |(least, most)| (least.min(plies), most.max(plies))),
            );
            seen.nodes += game.moves.iter().map(|played| played.nodes).sum::<u64>();
            match seen.openings.last_mut() {
                Some((pair, points, games)) if *pair == game.pair => {
                    *points += game.result.as_f64();
                    *games += 1;
                }
                _ => seen.openings.push((game.pair, game.result.as_f64(), 1)),
            }
        }
        let tally = store.tally()?;
        let with = |result| tally.with(result);
        let by = |reason| tally.by(reason);
        Ok(Info {
            settings: Settings::of(store),
            games: tally.games(),
            missing: store.missing(run.games)?.len() as u64,
            pairs: seen.openings.iter().filter(|(_, _, games)| *games == 2).count() as u64,
            results: Results {
                wins: with(Points::WIN),
                advantages: with(Points::ADVANTAGE),
                draws: with(Points::DRAW),
                disadvantages: with(Points::DISADVANTAGE),
                losses: with(Points::LOSS),
            },
            endings: Endings {
                checkmate: by(Termination::Checkmate),
                stalemate: by(Termination::Stalemate),
                dead_position: by(Termination::DeadPosition),
                repetition: by(Termination::Repetition),
                move_rule: by(Termination::MoveRule),
            },
            white: clustered_mean(&seen.openings),
            plies: seen
                .plies
                .zip(tally.average_plies())
                .map(|((least, most), mean)| Lengths { least, mean, most }),
            nodes: seen.nodes,
            faults,
        })
    }

    /// Plays every game again by the rules, and adds to the faults those that do not follow them.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn replay(&mut self, store: &Store) -> Result<(), StoreError> {
        let game = &store.settings().settings.source.game;
        let mut games = store.games().map_while(Result::ok);
        loop {
            let chunk: Vec<GameRecord> = games.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                return Ok(());
            }
            let faults = chunk.par_iter().filter_map(|record| record.verify(game).err());
            self.faults
                .extend(faults.map(|fault| fault.to_string()).collect::<Vec<_>>());
        }
    }
}

#[derive(Default)]
struct Seen {
    plies: Option<(u64, u64)>,
    nodes: u64,
    /// Number, White's points and games of each opening.
    openings: Vec<(u64, f64, u64)>,
}

/// The mean score with the sandwich's standard error for clusters, which allows for openings with one game only.
fn clustered_mean(openings: &[(u64, f64, u64)]) -> Option<Mean> {
    let games: u64 = openings.iter().map(|(_, _, games)| games).sum();
    if games == 0 {
        return None;
    }
    let mean = openings.iter().map(|(_, points, _)| points).sum::<f64>() / games as f64;
    let squares: f64 = openings
        .iter()
        .map(|&(_, points, games)| (points - mean * games as f64).powi(2))
        .sum();
    let clusters = openings.len() as f64;
    let standard_error = (openings.len() > 1).then(|| (squares * clusters / (clusters - 1.0)).sqrt() / games as f64);
    Some(Mean { mean, standard_error })
}

impl Settings {
    fn of(store: &Store) -> Settings {
        let run = store.settings();
        let settings = &run.settings;
        Settings {
            game: settings.source.game.name.clone(),
            builtin: settings.source.text.is_none(),
            definition_hash: settings.source.fingerprint(),
            seed: settings.seed,
            nodes: settings.nodes,
            hash: settings.hash_mb,
            setup: settings.opening.start.to_string(),
            opening_plies: settings.opening.plies,
            balance: settings.opening.balance,
            material: settings.opening.material.name().to_owned(),
            jitter: settings.eval_jitter.to_string(),
            player: run.player.clone(),
            program: run.program.clone(),
            created: run.created.clone(),
            games: run.games,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_one_opening_are_one_observation() {
        // Two openings, each won by White in both games or in neither: as good as two games, not four.
        let mean = clustered_mean(&[(0, 2.0, 2), (1, 0.0, 2)]).unwrap();
        assert!((mean.mean - 0.5).abs() < 1e-12);
        assert!((mean.standard_error.unwrap() - 0.5).abs() < 1e-12);
        assert!(clustered_mean(&[]).is_none());
        assert!(clustered_mean(&[(3, 1.0, 1)]).unwrap().standard_error.is_none());
    }
}
