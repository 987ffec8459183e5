//! Statistics of games: results, first-move advantage, length, legal moves and endgames.
//!
//! Every number is a mean with a standard error clustered by opening.

use std::collections::{BTreeMap, BTreeSet};

use assay_rules::{Color, GameDef, Kind, Points};
use serde::Serialize;

use crate::game::{GameEnd, GameRecord};
use crate::material;
use crate::positions::{Ply, has_unchanged_material, replay};
use crate::statistics::{ClusterSums, ClusteredMean};
use crate::store::{Store, StoreError};

/// Frequency of a result or an ending.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameShare {
    /// White's score in points, or how the games ended.
    pub name: String,
    pub games: usize,
    pub share: ClusteredMean,
}

/// Games that reached certain material.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Endgame {
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

/// Statistics of the intact games of a run that no engine lost by a fault.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Details {
    /// White's mean score in points.
    pub white_score: ClusteredMean,
    /// Length in plies.
    pub plies: ClusteredMean,
    /// Legal moves of a position, over all positions with a move.
    pub moves: ClusteredMean,
    /// Results, White's best first.
    pub results: Vec<GameShare>,
    /// Endings, the most frequent first.
    pub endings: Vec<GameShare>,
    /// Endgames, the most frequent first.
    pub endgames: Vec<Endgame>,
}

/// Filter of the endgames in [`Details`].
#[derive(Clone, Copy, Debug)]
pub struct EndgameFilter {
    /// Maximum number of pieces besides the kings.
    pub max_pieces: usize,
    /// Minimum number of games; at least 2.
    pub min_games: usize,
}

/// Result, length, mobility and endgames of a game.
struct GameFeatures {
    /// Opening.
    cluster: usize,
    white: Points,
    end: GameEnd,
    plies: usize,
    /// Mean number of legal moves.
    moves: f64,
    /// Endgames reached, with the color of the side named first.
    endgames: Vec<(String, Color)>,
}

impl Details {
    /// Computes the statistics of the games in a file.
    ///
    /// # Errors
    /// If a game breaks the rules, or the games have fewer than two openings.
    pub fn read(store: &Store, filter: EndgameFilter) -> Result<Details, StoreError> {
        let settings = &store.header().settings;
        let game = settings.game();
        let values = material::guessed_values(game);
        let look = |record: &GameRecord, plies: &[Ply]| {
            let to_move = &plies[..plies.len() - 1];
            GameFeatures {
                cluster: (record.pair / settings.pairs_per_opening()) as usize,
                white: record.result,
                end: record.end,
                plies: to_move.len(),
                moves: to_move.iter().map(|ply| f64::from(ply.moves)).sum::<f64>() / to_move.len().max(1) as f64,
                endgames: endgames(game, &values, plies, filter.max_pieces),
            }
        };
        let mut games = Vec::new();
        for chunk in store.chunks() {
            let intact = chunk.into_iter().flatten().filter(|record| record.fault.is_none());
            let looked = replay(game, &intact.collect::<Vec<_>>(), look);
            games.extend(looked.map_err(|error| StoreError::unusable(store.path(), error))?);
        }
        let why = "found fewer than two openings, expected at least two for statistics";
        Details::of(&games, filter.min_games).ok_or_else(|| StoreError::unusable(store.path(), why))
    }

    fn of(games: &[GameFeatures], min_games: usize) -> Option<Details> {
        let mean_of = |weight: &dyn Fn(&GameFeatures) -> f64, number: &dyn Fn(&GameFeatures) -> f64| {
            let numbers = games.iter().map(|game| (game.cluster, weight(game), number(game)));
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
        let ends = GameEnd::all().filter(|end| games.iter().any(|game| game.end == *end));
        let endings = ends.map(|end| share(end.name().to_owned(), &|game| game.end == end));
        let mut endings: Vec<GameShare> = endings.collect::<Option<_>>()?;
        endings.sort_by_key(|share| std::cmp::Reverse(share.games));
        Some(Details {
            white_score: mean(&|game| game.white.as_f64())?,
            plies: mean(&|game| game.plies as f64)?,
            // Every position has the same weight, so long games count more.
            moves: mean_of(&|game| game.plies as f64, &|game| game.moves)?,
            results: results.collect::<Option<_>>()?,
            endings,
            endgames: by_endgame(games, min_games),
        })
    }
}

/// Endgames of a game in the order in which they are reached: few pieces, unchanged for some
/// plies.
fn endgames(game: &GameDef, values: &[f64], plies: &[Ply], max_pieces: usize) -> Vec<(String, Color)> {
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
    let mut order: Vec<Kind> = game.kinds.all().filter(|&kind| Some(kind) != game.kinds.king()).collect();
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

fn by_endgame(games: &[GameFeatures], min_games: usize) -> Vec<Endgame> {
    let mut by_pieces: BTreeMap<&str, Vec<(&GameFeatures, Color)>> = BTreeMap::new();
    for game in games {
        for (pieces, strong) in &game.endgames {
            by_pieces.entry(pieces).or_default().push((game, *strong));
        }
    }
    let mut endgames: Vec<Endgame> = by_pieces
        .into_iter()
        .filter(|(_, games)| games.len() >= min_games)
        .filter_map(|(pieces, games)| {
            let score = |game: &GameFeatures, strong: Color| match strong {
                Color::White => game.white,
                Color::Black => game.white.flipped(),
            };
            let mean = |number: &dyn Fn(Points) -> f64| {
                let numbers = games.iter().map(|&(game, strong)| (game.cluster, 1.0, number(score(game, strong))));
                numbers.collect::<ClusterSums>().mean()
            };
            let share = |target: Points| mean(&|score| f64::from(u8::from(score == target)));
            Some(Endgame {
                pieces: pieces.to_owned(),
                games: games.len(),
                score: mean(&|score| score.as_f64())?,
                won: share(Points::WIN)?,
                drawn: share(Points::DRAW)?,
            })
        })
        .collect();
    endgames.sort_by(|one, other| (other.games, &one.pieces).cmp(&(one.games, &other.pieces)));
    endgames
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
        assert_eq!(endgames(&chess, &values, &plies, 3), [("KR v K".to_owned(), Color::White)]);
        assert_eq!(endgames(&chess, &values, &plies[..3], 3), []);
    }
}
