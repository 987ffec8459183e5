//! The report of a tournament: [`TournamentReport`] holds its numbers; [`text`] and JSON (by serde)
//! are renderings of it.

pub mod text;

use std::cmp::Ordering;

use serde::Serialize;

use crate::game::FaultKind;
use crate::game::NamedCounts;
use crate::settings::{EngineSettings, RunSettings};
use crate::standings::Standings;
use crate::statistics::ratings::{Anchor, Pairing, Ratings};
use crate::statistics::{EloEstimate, Estimate};
use crate::tally::{GameLengths, Tally};
use crate::tournament::search_totals::{SearchReport, SearchTotals};

/// The numbers of a tournament. Infinite numbers are `null` in JSON, as in
/// [`MatchReport`](super::MatchReport).
#[derive(Clone, Debug, Serialize)]
pub struct TournamentReport {
    pub game: String,
    /// `roundrobin` or `gauntlet seeds=1`.
    pub format: String,
    pub openings: String,
    /// Finished games.
    pub games: u64,
    /// Games that count: those of complete pairs, in the order of rounds, without repeated pairs.
    pub counted: u64,
    /// Pairs (or games, if openings are played once) whose games equal those of an earlier pair of
    /// the same engines.
    pub repeated_pairs: u64,
    /// Whether each opening is played twice by each pairing.
    pub is_paired: bool,
    /// The engine whose rating is given; `None` if the mean of the ratings is 0.
    pub anchor: Option<String>,
    /// The engines, the strongest first.
    pub engines: Vec<EngineReport>,
    /// Likelihood that the engine of the row is stronger than that of the column, 0 to 1, in the
    /// order of `engines`. `None` if nothing is known, and on the diagonal.
    pub los: Vec<Vec<Option<f64>>>,
    /// The pairings, in the order of play.
    pub pairings: Vec<PairingReport>,
    /// Finished games by how they ended.
    pub endings: NamedCounts,
    pub plies: Option<GameLengths>,
}

/// An engine of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct EngineReport {
    pub name: String,
    pub limits: String,
    /// Logistic Elo. The intervals of all engines hold at once with 95% confidence. `None` if the
    /// games say nothing about it.
    pub elo: Option<Estimate>,
    /// Counted games.
    pub games: u64,
    /// Points in the counted games.
    pub points: f64,
    /// Points per counted game, 0 to 1; `None` before the first game.
    pub score: Option<f64>,
    /// Counted games by points: 0, 0.5, 1, or 0, 0.25, 0.5, 0.75, 1.
    pub results: Vec<u64>,
    pub searches: SearchReport,
    /// Games that the engine lost through a fault, by kind of fault.
    pub faults: NamedCounts,
}

/// Two engines against each other, from the first one's point of view.
#[derive(Clone, Debug, Serialize)]
pub struct PairingReport {
    pub engines: [String; 2],
    /// Counted games.
    pub games: u64,
    pub points: f64,
    /// Counted games by points.
    pub results: Vec<u64>,
    /// Counted pairs by points, 0 to 2; `None` if openings are played once.
    pub pairs: Option<Vec<u64>>,
    /// Logistic Elo of these games alone; `None` before the first pair.
    pub elo: Option<Estimate>,
    pub los: Option<f64>,
    /// Pairs (or games) that do not count, because their games equal those of an earlier one.
    pub repeated_pairs: u64,
}

/// An anchor that is no engine of the tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found engine `{found}`, expected one of {}", .known.join(", "))]
pub struct AnchorError {
    found: String,
    known: Vec<String>,
}

/// The anchor by the name of its engine.
///
/// # Errors
/// If there is no such engine.
pub fn anchor(engines: &[EngineSettings], name: &str, rating: f64) -> Result<Anchor, AnchorError> {
    let player = engines.iter().position(|engine| engine.name == name);
    player.map(|player| Anchor { player, rating }).ok_or_else(|| AnchorError {
        found: name.to_owned(),
        known: engines.iter().map(|engine| engine.name.clone()).collect(),
    })
}

impl TournamentReport {
    /// The report of a tournament whose games have this tally and these standings; `None` in
    /// self-play.
    pub fn new(
        settings: &RunSettings,
        tally: &Tally,
        standings: &Standings,
        anchor: Option<Anchor>,
    ) -> Option<TournamentReport> {
        let tournament = settings.players.tournament()?;
        let names = |players: [usize; 2]| players.map(|player| tournament.players()[player].name.clone());
        let results =
            standings.pairings().map(|(players, score)| Pairing { players, counts: &score.observation_counts });
        let ratings = Ratings::new(tournament.players().len(), &results.collect::<Vec<_>>(), anchor);
        let engines =
            (0..tournament.players().len()).map(|player| EngineReport::new(player, settings, standings, &ratings));
        let mut ranks: Vec<(usize, EngineReport)> = engines.enumerate().collect();
        ranks.sort_by(|(_, one), (_, other)| by_strength(one, other));
        let los = |row: usize| ranks.iter().map(|&(column, _)| ratings.los[row][column]).collect();
        let pairings = standings.pairings().map(|(players, score)| {
            let (counts, games) = (&score.observation_counts, &score.game_counts);
            let estimate = EloEstimate::from_counts(counts);
            PairingReport {
                engines: names(players),
                games: games.games(),
                points: games.points(),
                results: games.counts().to_vec(),
                pairs: score.is_paired().then(|| counts.counts().to_vec()),
                elo: estimate.map(|estimate| estimate.elo),
                los: estimate.map(|estimate| estimate.los),
                repeated_pairs: score.repeated,
            }
        });
        let pairings: Vec<PairingReport> = pairings.collect();
        Some(TournamentReport {
            game: settings.game().name.clone(),
            format: tournament.format().to_string(),
            openings: settings.openings.to_string(),
            games: tally.games(),
            counted: pairings.iter().map(|pairing| pairing.games).sum(),
            repeated_pairs: standings.repeated(),
            is_paired: settings.repeat,
            anchor: anchor.map(|anchor| tournament.players()[anchor.player].name.clone()),
            los: ranks.iter().map(|&(row, _)| los(row)).collect(),
            engines: ranks.into_iter().map(|(_, engine)| engine).collect(),
            pairings,
            endings: tally.endings(),
            plies: tally.summary().plies,
        })
    }

    /// Points and games of the engine `row` against `column`, in the order of `engines`; `None` if
    /// they are not paired.
    pub fn result(&self, row: usize, column: usize) -> Option<(f64, u64)> {
        let names = [&self.engines[row].name, &self.engines[column].name];
        self.pairings.iter().find_map(|pairing| {
            let games = pairing.games as f64;
            match [&pairing.engines[0], &pairing.engines[1]] {
                engines if engines == names => Some((pairing.points, pairing.games)),
                [second, first] if [first, second] == names => Some((games - pairing.points, pairing.games)),
                _ => None,
            }
        })
    }

    /// What is counted: pairs, or games if openings are played once.
    pub fn unit(&self) -> &'static str {
        if self.is_paired { "pair" } else { "game" }
    }

    /// Finished games that do not count (yet), without those of repeated pairs.
    pub fn uncounted(&self) -> u64 {
        let games_per_opening = if self.is_paired { 2 } else { 1 };
        self.games - self.counted - self.repeated_pairs * games_per_opening
    }
}

/// The stronger engine first. Bounds of infinite ratings decide among themselves, as do scores
/// without ratings.
fn by_strength(one: &EngineReport, other: &EngineReport) -> Ordering {
    let key = |engine: &EngineReport| {
        let elo = engine.elo.map_or([f64::NEG_INFINITY; 2], |elo| {
            let [low, high] = elo.bounds();
            let bound = if low.is_finite() { low } else { high };
            [elo.value, bound]
        });
        (engine.elo.is_some(), elo, engine.score.unwrap_or(0.0))
    };
    let ((one_is_rated, one_elo, one_score), (other_is_rated, other_elo, other_score)) = (key(one), key(other));
    (other_is_rated.cmp(&one_is_rated))
        .then(other_elo[0].total_cmp(&one_elo[0]))
        .then(other_elo[1].total_cmp(&one_elo[1]))
        .then(other_score.total_cmp(&one_score))
}

impl EngineReport {
    fn new(player: usize, settings: &RunSettings, standings: &Standings, ratings: &Ratings) -> EngineReport {
        let engine = &settings.players.all()[player];
        let mut results = vec![0; settings.source.results()];
        let mut faults: NamedCounts = FaultKind::ALL.map(|kind| (kind.name(), 0)).into();
        let mut searches = SearchTotals::default();
        for (players, score) in standings.pairings() {
            let Some(side) = players.iter().position(|&member| member == player) else {
                continue;
            };
            let counts = if side == 0 { score.game_counts.clone() } else { score.game_counts.flipped() };
            results.iter_mut().zip(counts.counts()).for_each(|(sum, count)| *sum += count);
            for (name, count) in &score.faults[side] {
                faults[name] += count;
            }
            searches.add_all(&score.searches[side]);
        }
        let games: u64 = results.iter().sum();
        let last = (results.len() - 1) as f64;
        let steps: u64 = results.iter().zip(0..).map(|(count, step)| count * step).sum();
        let points = steps as f64 / last;
        EngineReport {
            name: engine.name.clone(),
            limits: engine.limits.to_string(),
            elo: ratings.elo[player],
            games,
            points,
            score: (games > 0).then(|| points / games as f64),
            results,
            searches: searches.report(),
            faults,
        }
    }
}
