//! Statistics of games: results, first-move advantage, length, legal moves and endgames.
//!
//! Every number is a mean with a standard error clustered by opening pair.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use assay_cli::format::count;
use assay_rules::{Color, GameDef, Points};
use assay_selfplay::game::GameEnd;
use assay_selfplay::{GameRecord, material};
use serde::Serialize;
use thiserror::Error;

use crate::values::data::positions::Ply;
use crate::values::data::replay::replay;
use crate::values::data::{DataError, DataFile, PairNumbers, load_runs};
use crate::values::inference::clustered_mean::{ClusterSums, ClusteredMean};

/// An endgame has the same material for at least this many plies.
const SETTLED_PLIES: usize = 2;

/// Why games cannot be counted.
#[derive(Debug, Error)]
pub enum GameStatsError {
    /// The file cannot be read, or a stored game has an illegal move.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Too few opening pairs for standard errors.
    #[error(
        "{files}: found {}, expected at least 2",
        count(found, "opening pair", "opening pairs")
    )]
    TooFew {
        /// The paths of the files.
        files: String,
        found: usize,
    },
}

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

/// Statistics of a file of games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameStats {
    pub assay: &'static str,
    /// The game's protocol name.
    pub game: String,
    /// The files of games.
    pub files: Vec<PathBuf>,
    /// Modification of the armies; several if the files differ.
    pub material: String,
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

/// Length, mobility and endgames of a game.
struct GameFeatures {
    plies: usize,
    moves: f64,
    /// Endgames reached, with the color of the side named first.
    endings: Vec<(String, Color)>,
}

/// Computes the statistics of files of games. Endgames have at most `max_pieces` pieces besides the kings and occur in at least
/// `min_games` games. `count` is called for every game that was read, by several threads.
///
/// # Errors
/// If a file cannot be read, holds another game than the first one or the same games as an earlier one, or if all together hold
/// fewer than two opening pairs.
pub fn game_stats(
    paths: &[PathBuf],
    max_pieces: usize,
    min_games: usize,
    count: impl Fn() + Sync,
) -> Result<GameStats, GameStatsError> {
    let (mut files, mut records, mut features) = (Vec::new(), Vec::new(), Vec::new());
    let (mut game, mut pairs) = (None, PairNumbers::default());
    for run in load_runs(paths) {
        let mut run = run?;
        let values = material::guessed_values(&run.game);
        let look = |_: &GameRecord, plies: &[Ply]| {
            count();
            let to_move = &plies[..plies.len() - 1];
            GameFeatures {
                plies: to_move.len(),
                moves: to_move.iter().map(|ply| f64::from(ply.moves)).sum::<f64>() / to_move.len().max(1) as f64,
                endings: endings(&run.game, &values, plies, max_pieces),
            }
        };
        features.extend(
            replay(&run.game, &run.records, look).map_err(|error| DataError::Replay {
                path: run.file.path.clone(),
                error,
            })?,
        );
        pairs.next_file();
        for record in &mut run.records {
            record.pair = pairs.number(record.pair) as u64;
        }
        records.append(&mut run.records);
        game.get_or_insert(run.game);
        files.push(run.file);
    }
    let game = game.ok_or(DataError::NoFile)?;
    summarize(&files, &game, &records, &features, (max_pieces, min_games)).ok_or_else(|| {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        GameStatsError::TooFew {
            files: names.join(", "),
            found: pairs.count(),
        }
    })
}

/// Summarizes games; `None` if there are fewer than two opening pairs.
fn summarize(
    files: &[DataFile],
    game: &GameDef,
    records: &[GameRecord],
    features: &[GameFeatures],
    (max_pieces, min_games): (usize, usize),
) -> Option<GameStats> {
    let all = || records.iter().zip(features);
    let mean_of = |weight: &dyn Fn(&GameFeatures) -> f64, number: &dyn Fn(&GameRecord, &GameFeatures) -> f64| {
        let numbers = all().map(|(record, of)| (record.pair as usize, weight(of), number(record, of)));
        numbers.collect::<ClusterSums>().mean()
    };
    let mean = |number: &dyn Fn(&GameRecord, &GameFeatures) -> f64| mean_of(&|_| 1.0, number);
    let share = |name: String, is: &dyn Fn(&GameRecord) -> bool| {
        Some(GameShare {
            name,
            games: records.iter().filter(|record| is(record)).count(),
            share: mean(&|record, _| f64::from(u8::from(is(record))))?,
        })
    };
    let scores: BTreeSet<Points> = records.iter().map(|record| record.result).collect();
    let results = scores.into_iter().rev();
    let results = results.map(|score| share(score.to_string(), &|record| record.result == score));
    let mut ends: Vec<GameEnd> = Vec::new();
    for record in records {
        if !ends.contains(&record.end) {
            ends.push(record.end);
        }
    }
    let terminations = ends.into_iter();
    let terminations = terminations.map(|end| share(end.name().to_owned(), &|record| record.end == end));
    let mut terminations: Vec<GameShare> = terminations.collect::<Option<_>>()?;
    terminations.sort_by_key(|share| std::cmp::Reverse(share.games));
    let pairs: BTreeSet<u64> = records.iter().map(|record| record.pair).collect();
    let materials: BTreeSet<&str> = files.iter().map(|file| file.material.as_str()).collect();
    Some(GameStats {
        assay: env!("CARGO_PKG_VERSION"),
        game: game.name.clone(),
        files: files.iter().map(|file| file.path.clone()).collect(),
        material: materials.into_iter().collect::<Vec<_>>().join(", "),
        games: records.len(),
        pairs: pairs.len(),
        results: results.collect::<Option<_>>()?,
        terminations,
        white_score: mean(&|record, _| record.result.as_f64())?,
        plies: mean(&|_, of| of.plies as f64)?,
        // Every position has the same weight, so long games count more.
        moves: mean_of(&|of| of.plies as f64, &|_, of| of.moves)?,
        max_pieces,
        endings: by_ending(records, features, min_games),
    })
}

/// Endgames of a game in the order in which they are reached: few pieces, unchanged for some plies.
fn endings(game: &GameDef, values: &[f64], plies: &[Ply], max_pieces: usize) -> Vec<(String, Color)> {
    let mut found: Vec<(String, Color)> = Vec::new();
    for at in SETTLED_PLIES..plies.len() {
        let pieces = &plies[at].material;
        if pieces.pieces() > max_pieces
            || pieces.pieces() == 0
            || !plies[at - SETTLED_PLIES..at]
                .iter()
                .all(|ply| ply.material.same_pieces(pieces))
        {
            continue;
        }
        let (text, strong) = endgame_name(game, values, &plies[at]);
        if !found.iter().any(|(known, _)| *known == text) {
            found.push((text, strong));
        }
    }
    found
}

/// Name of an endgame like `KRP v KR`, and the color of the side named first; White's if the sides are equal.
fn endgame_name(game: &GameDef, values: &[f64], ply: &Ply) -> (String, Color) {
    let mut order: Vec<assay_rules::Kind> = game.all_kinds().filter(|&kind| kind != game.king).collect();
    order.sort_by(|one, other| values[other.index()].total_cmp(&values[one.index()]));
    let side = |color: Color| {
        let mut text = game.kind(game.king).letter.to_string();
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

fn by_ending(records: &[GameRecord], features: &[GameFeatures], min_games: usize) -> Vec<EndingStats> {
    let mut games: BTreeMap<&str, Vec<(usize, Color)>> = BTreeMap::new();
    for (index, features) in features.iter().enumerate() {
        for (pieces, strong) in &features.endings {
            games.entry(pieces).or_default().push((index, *strong));
        }
    }
    let mut endings: Vec<EndingStats> = games
        .into_iter()
        .filter(|(_, games)| games.len() >= min_games)
        .filter_map(|(pieces, games)| {
            let score = |index: usize, strong: Color| match strong {
                Color::White => records[index].result,
                Color::Black => records[index].result.flipped(),
            };
            let mean = |number: &dyn Fn(Points) -> f64| {
                let numbers = games
                    .iter()
                    .map(|&(index, strong)| (records[index].pair as usize, 1.0, number(score(index, strong))));
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
        assert_eq!(
            named("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1"),
            ("KRP v K".to_owned(), Color::White)
        );
        assert_eq!(
            named("4k2r/8/8/8/8/8/8/1N2K3 w - - 0 1"),
            ("KR v KN".to_owned(), Color::Black)
        );
        assert_eq!(
            named("4k2r/8/8/8/8/8/8/4K2R w - - 0 1"),
            ("KR v KR".to_owned(), Color::White)
        );
    }

    #[test]
    fn counts_each_endgame_once_and_not_during_exchanges() {
        let chess = GameDef::builtin("chess").unwrap();
        let values = material::guessed_values(&chess);
        let ply = |fen: &str| Ply::from(&Position::from_fen(&chess, fen).unwrap());
        let rook = ply("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
        let both = ply("4k2r/8/8/8/8/8/8/4K2R w - - 0 1");
        let plies = [both, rook.clone(), rook.clone(), rook.clone(), rook];
        assert_eq!(
            endings(&chess, &values, &plies, 3),
            [("KR v K".to_owned(), Color::White)]
        );
        assert_eq!(endings(&chess, &values, &plies[..3], 3), []);
    }
}
