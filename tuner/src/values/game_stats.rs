//! Statistics of games: results, first-move advantage, length, legal moves and endgames.
//!
//! Every number is a mean with a standard error clustered by opening pair.

use std::collections::{BTreeMap, BTreeSet};

use assay_cli::format::count;
use assay_rules::{Color, GameDef, Points};
use assay_selfplay::game::GameEnd;
use assay_selfplay::settings::ClusterBy;
use assay_selfplay::{GameRecord, RecordedRun, material};
use serde::Serialize;

use crate::values::data::positions::has_unchanged_material;
use crate::values::data::{DataError, DataFile, Ply, ReadWatch, clusters_of_imports, join_names, read_runs};
use crate::values::distinct;
use crate::values::inference::{ClusterSums, ClusteredMean};

/// Frequency of a result or termination.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameShare {
    /// White's score in points, or name of the termination.
    pub name: String,
    pub games: usize,
    pub share: ClusteredMean,
}

/// Games that reached certain material.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndingStats {
    /// The material, the stronger side first: `KR v K`.
    pub pieces: String,
    /// Number of games with it.
    pub games: usize,
    /// Mean score of the first side in points.
    pub score: ClusteredMean,
    /// Share of games won by the first side.
    pub won: ClusteredMean,
    /// Share of drawn games.
    pub drawn: ClusteredMean,
}

/// Statistics of the games of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameStats {
    pub assay: &'static str,
    /// The game's protocol name.
    pub game: String,
    /// The files of games.
    pub files: Vec<String>,
    /// Modification of the armies; several if the runs differ.
    pub material: String,
    /// How imported games are clustered; empty if Assay has played all games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clusters: Vec<ClusterBy>,
    pub games: usize,
    pub pairs: usize,
    /// Results, White's best first.
    pub results: Vec<GameShare>,
    /// Terminations, the most frequent first.
    pub terminations: Vec<GameShare>,
    /// White's mean score in points.
    pub white_score: ClusteredMean,
    /// Length in plies.
    pub plies: ClusteredMean,
    /// Legal moves of a position, over all positions with a move.
    pub moves: ClusteredMean,
    /// Maximum number of pieces besides the kings in `endings`.
    pub max_pieces: usize,
    /// Endgames, the most frequent first.
    pub endings: Vec<EndingStats>,
}

/// Result, length, mobility and endgames of a game.
struct GameFeatures {
    /// Opening pair.
    pair: u64,
    /// White's score.
    white: Points,
    end: GameEnd,
    plies: usize,
    moves: f64,
    /// Endgames reached, with the color of the side named first.
    endings: Vec<(String, Color)>,
}

/// Computes the statistics of the games of runs. Endgames have at most `max_pieces` pieces besides
/// the kings and occur in at least `min_games` games.
///
/// # Errors
/// If a run cannot be read, is of another game than the first one or the same as an earlier one, or
/// if all together have fewer than two opening pairs; [`DataError::Stopped`] if `watch` ends the
/// reading.
pub fn game_stats(
    runs: &[&dyn RecordedRun],
    max_pieces: usize,
    min_games: usize,
    watch: ReadWatch<'_>,
) -> Result<GameStats, DataError> {
    let mut games = Vec::new();
    let read = read_runs(runs, watch, |run, records, pairs| -> Result<(), DataError> {
        let game = &run.game;
        let values = material::guessed_values(game);
        let look = |record: &GameRecord, plies: &[Ply]| {
            let to_move = &plies[..plies.len() - 1];
            GameFeatures {
                pair: record.pair,
                white: record.result,
                end: record.end,
                plies: to_move.len(),
                moves: to_move.iter().map(|ply| f64::from(ply.moves)).sum::<f64>() / to_move.len().max(1) as f64,
                endings: endings(game, &values, plies, max_pieces),
            }
        };
        games.extend(
            run.replay(records, look)?.into_iter().map(|game| GameFeatures { pair: pairs(game.pair) as u64, ..game }),
        );
        Ok(())
    })?;
    summarize(&read.files, &read.game, &games, (max_pieces, min_games)).ok_or_else(|| {
        let found = count(read.pairs, "opening pair", "opening pairs");
        DataError::Contents(format!("{}: found {found}, expected at least 2", join_names(&read.files)))
    })
}

/// Summarizes games; `None` if there are fewer than two opening pairs.
fn summarize(
    files: &[DataFile],
    game: &GameDef,
    games: &[GameFeatures],
    (max_pieces, min_games): (usize, usize),
) -> Option<GameStats> {
    let mean_of = |weight: &dyn Fn(&GameFeatures) -> f64, number: &dyn Fn(&GameFeatures) -> f64| {
        let numbers = games.iter().map(|game| (game.pair as usize, weight(game), number(game)));
        numbers.collect::<ClusterSums>().mean()
    };
    let mean = |number: &dyn Fn(&GameFeatures) -> f64| mean_of(&|_| 1.0, number);
    let share = |name: String, is: &dyn Fn(&GameFeatures) -> bool| {
        Some(GameShare {
            name,
            games: games.iter().filter(|game| is(game)).count(),
            share: mean(&|game| f64::from(u8::from(is(game))))?,
        })
    };
    let scores: BTreeSet<Points> = games.iter().map(|game| game.white).collect();
    let results = scores.into_iter().rev();
    let results = results.map(|score| share(score.to_string(), &|game| game.white == score));
    let terminations = distinct(games.iter().map(|game| game.end)).into_iter();
    let terminations = terminations.map(|end| share(end.name().to_owned(), &|game| game.end == end));
    let mut terminations: Vec<GameShare> = terminations.collect::<Option<_>>()?;
    terminations.sort_by_key(|share| std::cmp::Reverse(share.games));
    let pairs: BTreeSet<u64> = games.iter().map(|game| game.pair).collect();
    let materials: BTreeSet<&str> = files.iter().map(|file| file.material.as_str()).collect();
    Some(GameStats {
        assay: env!("CARGO_PKG_VERSION"),
        game: game.name.clone(),
        files: files.iter().map(|file| file.path.clone()).collect(),
        material: materials.into_iter().collect::<Vec<_>>().join(", "),
        clusters: clusters_of_imports(files),
        games: games.len(),
        pairs: pairs.len(),
        results: results.collect::<Option<_>>()?,
        terminations,
        white_score: mean(&|game| game.white.as_f64())?,
        plies: mean(&|game| game.plies as f64)?,
        // Every position has the same weight, so long games count more.
        moves: mean_of(&|game| game.plies as f64, &|game| game.moves)?,
        max_pieces,
        endings: by_ending(games, min_games),
    })
}

/// Endgames of a game in the order in which they are reached: few pieces, unchanged for some
/// plies.
fn endings(game: &GameDef, values: &[f64], plies: &[Ply], max_pieces: usize) -> Vec<(String, Color)> {
    let mut found: Vec<(String, Color)> = Vec::new();
    for at in 0..plies.len() {
        let pieces = plies[at].material.pieces();
        if pieces > max_pieces || pieces == 0 || !has_unchanged_material(plies, at) {
            continue;
        }
        let (text, strong) = endgame_name(game, values, &plies[at]);
        if !found.iter().any(|(known, _)| *known == text) {
            found.push((text, strong));
        }
    }
    found
}

/// Name of an endgame like `KRP v KR`, and the color of the side named first; White's if the sides
/// are equal.
fn endgame_name(game: &GameDef, values: &[f64], ply: &Ply) -> (String, Color) {
    let mut order: Vec<assay_rules::Kind> = game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king()).collect();
    order.sort_by(|one, other| values[other.index()].total_cmp(&values[one.index()]));
    let side = |color: Color| {
        let mut text: String = game.kinds.king().map(|king| game.kind(king).letter).into_iter().collect();
        let mut worth = 0.0;
        for &kind in &order {
            let count = ply.material.count_of(color, kind);
            worth += f64::from(count) * values[kind.index()];
            text.extend(std::iter::repeat_n(game.kind(kind).letter, usize::from(count)));
        }
        (text, worth)
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    if (black.1, &black.0) > (white.1, &white.0) {
        (format!("{} v {}", black.0, white.0), Color::Black)
    } else {
        (format!("{} v {}", white.0, black.0), Color::White)
    }
}

fn by_ending(games: &[GameFeatures], min_games: usize) -> Vec<EndingStats> {
    let mut by_pieces: BTreeMap<&str, Vec<(&GameFeatures, Color)>> = BTreeMap::new();
    for game in games {
        for (pieces, strong) in &game.endings {
            by_pieces.entry(pieces).or_default().push((game, *strong));
        }
    }
    let mut endings: Vec<EndingStats> = by_pieces
        .into_iter()
        .filter(|(_, games)| games.len() >= min_games)
        .filter_map(|(pieces, games)| {
            let score = |game: &GameFeatures, strong: Color| match strong {
                Color::White => game.white,
                Color::Black => game.white.flipped(),
            };
            let mean = |number: &dyn Fn(Points) -> f64| {
                let numbers =
                    games.iter().map(|&(game, strong)| (game.pair as usize, 1.0, number(score(game, strong))));
                numbers.collect::<ClusterSums>().mean()
            };
            let share = |target: Points| mean(&|score| f64::from(u8::from(score == target)));
            Some(EndingStats {
                pieces: pieces.to_owned(),
                games: games.len(),
                score: mean(&|score| score.as_f64())?,
                won: share(Points::WIN)?,
                drawn: share(Points::DRAW)?,
            })
        })
        .collect();
    endings.sort_by(|one, other| (other.games, &one.pieces).cmp(&(one.games, &other.pieces)));
    endings
}

#[cfg(test)]
mod tests {
    use assay_rules::Position;

    use super::*;

    #[test]
    fn names_endgame_from_the_stronger_side() {
        let chess = GameDef::builtin("chess").unwrap();
        let values = material::guessed_values(&chess);
        let named = |fen: &str| {
            let ply = Ply::from(&Position::from_fen(&chess, fen).unwrap());
            endgame_name(&chess, &values, &ply)
        };
        assert_eq!(named("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1"), ("KRP v K".to_owned(), Color::White));
        assert_eq!(named("4k2r/8/8/8/8/8/8/1N2K3 w - - 0 1"), ("KR v KN".to_owned(), Color::Black));
        assert_eq!(named("4k2r/8/8/8/8/8/8/4K2R w - - 0 1"), ("KR v KR".to_owned(), Color::White));
    }

    #[test]
    fn counts_each_endgame_once_and_not_during_exchanges() {
        let chess = GameDef::builtin("chess").unwrap();
        let values = material::guessed_values(&chess);
        let ply = |fen: &str| Ply::from(&Position::from_fen(&chess, fen).unwrap());
        let rook = ply("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
        let both = ply("4k2r/8/8/8/8/8/8/4K2R w - - 0 1");
        let plies = [both, rook.clone(), rook.clone(), rook.clone(), rook];
        assert_eq!(endings(&chess, &values, &plies, 3), [("KR v K".to_owned(), Color::White)]);
        assert_eq!(endings(&chess, &values, &plies[..3], 3), []);
    }
}
