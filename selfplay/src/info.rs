//! Summary of a run file.

use assay_rules::{Points, Termination};
use rayon::prelude::*;
use serde::Serialize;

use crate::game::{GameEnd, GameRecord};
use crate::runner::redraw::Redraw;
use crate::settings::{Material, Shard, StartChoice};
use crate::statistics::elo::Z95;
use crate::store::{Store, StoreError, Tally};

/// Number of games that are replayed in parallel.
const CHUNK: usize = 256;

/// Summary of a run file; it serializes to the JSON of `assay-selfplay info --json`.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    pub settings: Settings,
    /// Number of intact games in the file.
    pub games: u64,
    /// Number of games of the run that are still to be played.
    pub missing: u64,
    /// Number of complete pairs.
    pub pairs: u64,
    /// Games by White's result.
    pub results: Results,
    pub endings: Endings,
    /// White's mean score in points; its standard error is clustered by opening.
    pub white: Option<Mean>,
    /// Plies per game.
    pub plies: Option<GameLengths>,
    /// Nodes searched for all moves of all games.
    pub nodes: u64,
    /// Problems of the file; empty if it is intact.
    pub faults: Vec<String>,
}

/// The settings of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    pub game: String,
    pub builtin: bool,
    /// BLAKE3 hash of the rules.
    pub definition_hash: String,
    pub seed: u64,
    /// Nodes per move.
    pub nodes: u64,
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Start before the random moves.
    pub setup: String,
    pub opening_plies: u32,
    /// Largest evaluation of an opening in centipawns; `None` accepts all.
    pub balance: Option<u32>,
    /// Material imbalance after the random moves.
    pub material: String,
    /// Jitter of the engine's own piece values, in percent.
    pub jitter: String,
    /// Name and version of the player.
    pub player: String,
    /// Name and version of the program that started the run.
    pub program: String,
    /// Start of the run, in UTC.
    pub created: String,
    /// The part of the run that the file holds; `None` for all of it.
    pub shard: Option<Shard>,
    /// Number of games requested, in all shards together.
    pub games: u64,
}

/// Games by White's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Results {
    /// Worth 1 point.
    pub wins: u64,
    /// Worth 0.75 points.
    pub advantages: u64,
    /// Worth 0.5 points.
    pub draws: u64,
    /// Worth 0.25 points.
    pub disadvantages: u64,
    /// Worth 0 points.
    pub losses: u64,
}

impl From<&Tally> for Results {
    fn from(tally: &Tally) -> Results {
        Results {
            wins: tally.games_with_result(Points::WIN),
            advantages: tally.games_with_result(Points::ADVANTAGE),
            draws: tally.games_with_result(Points::DRAW),
            disadvantages: tally.games_with_result(Points::DISADVANTAGE),
            losses: tally.games_with_result(Points::LOSS),
        }
    }
}

/// Games by how they ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Endings {
    pub checkmate: u64,
    pub stalemate: u64,
    /// Neither side can win.
    pub dead_position: u64,
    pub repetition: u64,
    /// The move rule (50 moves in chess; each game sets its own number).
    pub move_rule: u64,
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Mean {
    pub mean: f64,
    /// `None` with fewer than two openings.
    pub standard_error: Option<f64>,
}

impl Mean {
    /// Half the width of the 95% confidence interval; `None` with fewer than two openings.
    pub fn half_width(&self) -> Option<f64> {
        self.standard_error.map(|error| Z95 * error)
    }
}

/// Plies per game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GameLengths {
    pub min: u64,
    pub mean: f64,
    pub max: u64,
}

impl Info {
    /// Reads the whole file. Damaged games are listed in [`Info::faults`].
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(store: &Store) -> Result<Info, StoreError> {
        let faults = store.problems()?;
        let run = store.run();
        let mut totals = Totals::default();
        let mut tally = Tally::default();
        // The numbers cover the intact games.
        for game in store.intact_games() {
            tally.add(&game);
            let plies = game.moves.len() as u64;
            totals.plies = Some(
                totals
                    .plies
                    .map_or((plies, plies), |(min, max)| (min.min(plies), max.max(plies))),
            );
            let nodes = game.moves.iter().map(|played| played.nodes);
            totals.nodes = nodes.fold(totals.nodes, u64::saturating_add);
            match totals.openings.last_mut() {
                Some((pair, points, games)) if *pair == game.pair => {
                    *points += game.result.as_f64();
                    *games += 1;
                }
                _ => totals.openings.push((game.pair, game.result.as_f64(), 1)),
            }
        }
        let by = |termination| tally.games_with_end(GameEnd::Rules(termination));
        Ok(Info {
            settings: Settings::new(store)?,
            games: tally.games(),
            missing: (run.shard_games())
                .saturating_sub(store.indices()?.partition_point(|&index| index < run.games) as u64),
            pairs: totals.openings.iter().filter(|(_, _, games)| *games == 2).count() as u64,
            results: Results::from(&tally),
            endings: Endings {
                checkmate: by(Termination::Checkmate),
                stalemate: by(Termination::Stalemate),
                dead_position: by(Termination::DeadPosition),
                repetition: by(Termination::Repetition),
                move_rule: by(Termination::MoveRule),
            },
            white: clustered_mean(&totals.openings),
            plies: totals
                .plies
                .zip(tally.average_plies())
                .map(|((min, max), mean)| GameLengths { min, mean, max }),
            nodes: totals.nodes,
            faults,
        })
    }

    /// Replays every game, draws its opening again, and adds the contradictions to [`Info::faults`]. Returns false if the openings
    /// could not be drawn again: see [`opening_violations`].
    ///
    /// # Errors
    /// If the rules of the game are not known.
    pub fn replay(&mut self, store: &Store) -> Result<bool, StoreError> {
        self.faults.extend(rule_violations(store)?);
        let violations = opening_violations(store);
        let are_drawn = violations.is_some();
        self.faults.extend(violations.unwrap_or_default());
        Ok(are_drawn)
    }
}

/// Replays every intact game of a run or match; returns the errors of those that break the rules.
///
/// # Errors
/// If the rules of the game are not known.
pub fn rule_violations(store: &Store) -> Result<Vec<String>, StoreError> {
    let game = &store.source()?.game;
    let violations = in_chunks(store, |games| {
        let errors = games.par_iter().filter_map(|record| record.verify(game).err());
        errors.map(|error| error.to_string()).collect()
    });
    Ok(violations)
}

/// Draws the opening of every intact game of a self-play run again; returns the errors of those that begin otherwise. `None` if
/// openings do not depend on the settings alone: in a match, and if another version of the engine played the run, which may judge
/// openings differently.
pub fn opening_violations(store: &Store) -> Option<Vec<String>> {
    let redraw = match Redraw::new(store.run()) {
        Ok(redraw) => redraw?,
        Err(error) => return Some(vec![error.to_string()]),
    };
    Some(in_chunks(store, |games| {
        let pairs: Vec<&[GameRecord]> = games.chunk_by(|one, other| one.pair == other.pair).collect();
        let problems = pairs.par_iter().map_init(
            || redraw.player(),
            |player, games| match player {
                Ok(player) => redraw.problems(player.as_mut(), games),
                Err(error) => vec![error.to_string()],
            },
        );
        problems.flatten_iter().collect()
    }))
}

/// The results of `check` for all intact games, a chunk at a time.
fn in_chunks(store: &Store, check: impl Fn(&[GameRecord]) -> Vec<String>) -> Vec<String> {
    let mut games = store.intact_games();
    let mut problems = Vec::new();
    loop {
        let chunk: Vec<GameRecord> = games.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return problems;
        }
        problems.extend(check(&chunk));
    }
}

#[derive(Default)]
struct Totals {
    plies: Option<(u64, u64)>,
    nodes: u64,
    /// Pair number, White's points, and number of games of each opening.
    openings: Vec<(u64, f64, u64)>,
}

/// Mean score with its cluster-robust (sandwich) standard error; openings with a single game are allowed.
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
    fn new(store: &Store) -> Result<Settings, StoreError> {
        let run = store.run();
        let settings = &run.settings;
        let source = store.source()?;
        let openings = settings.random_openings();
        let material = openings.map_or(Material::None, |openings| openings.material);
        Ok(Settings {
            game: source.game.name.clone(),
            builtin: source.text.is_none(),
            definition_hash: source.rules_hash(),
            seed: settings.seed,
            nodes: settings.nodes(),
            hash: settings.hash_mb(),
            setup: openings.map_or_else(
                || StartChoice::Random.to_string(),
                |openings| openings.start.to_string(),
            ),
            opening_plies: openings.map_or(0, |openings| openings.plies),
            balance: openings.and_then(|openings| openings.balance),
            material: material.name().to_owned(),
            jitter: settings.eval_jitter.to_string(),
            player: run.identities.join(", "),
            program: run.program.clone(),
            created: run.created.clone(),
            shard: run.shard,
            games: run.games,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_the_games_of_an_opening() {
        // Two openings; White wins both games of the first and none of the second: two observations, not four.
        let mean = clustered_mean(&[(0, 2.0, 2), (1, 0.0, 2)]).unwrap();
        assert!((mean.mean - 0.5).abs() < 1e-12);
        assert!((mean.standard_error.unwrap() - 0.5).abs() < 1e-12);
        assert!((mean.half_width().unwrap() - 0.98).abs() < 1e-4);
        assert!(clustered_mean(&[]).is_none());
        assert!(clustered_mean(&[(3, 1.0, 1)]).unwrap().standard_error.is_none());
    }
}
