//! How stored games were played: captures, checks and the course of the scores.

use assay_rules::Color;
use assay_selfplay::GameRecord;
use assay_selfplay::game::Eval;

use crate::values::data::positions::Ply;
use crate::values::data::{DataError, PairNumbers, RunFile};
use crate::values::model::logistic;

/// What is measured of one game. `None` if the game is too short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedGame {
    /// Number of the opening pair, over all files.
    pub pair: u64,
    pub plies: u32,
    /// Share of the moves that capture or give check.
    pub forcing_moves: Option<f64>,
    /// Mean absolute change of the expected score from one of a player's moves to its next, in points.
    pub score_change: Option<f64>,
}

/// Data of a stored game, before the scale of its scores is fitted.
pub(super) struct RawGame {
    pair: u64,
    forcing_moves: u32,
    /// The evaluations of all moves, if known, from the mover's point of view.
    evals: Vec<Option<Eval>>,
    first: Color,
    /// White's points.
    white: f64,
}

/// Replays games.
pub(super) fn read(run: &RunFile, records: &[GameRecord], pairs: &mut PairNumbers) -> Result<Vec<RawGame>, DataError> {
    let forcing = run.replay(records, |_, plies| {
        let first = plies.first().map_or(Color::White, |ply| ply.side);
        (first, forcing_moves(plies))
    })?;
    let games = records
        .iter()
        .zip(forcing)
        .map(|(record, (first, forcing_moves))| RawGame {
            pair: pairs.number(record.pair) as u64,
            forcing_moves,
            evals: record.moves.iter().map(|played| played.eval).collect(),
            first,
            white: record.result.as_f64(),
        });
    Ok(games.collect())
}

/// Number of moves that capture or give check.
fn forcing_moves(plies: &[Ply]) -> u32 {
    let is_forcing = |two: &&[Ply]| two[1].in_check || two[1].material.pieces() < two[0].material.pieces();
    plies.windows(2).filter(is_forcing).count() as u32
}

/// Measures all games of a run.
///
/// # Errors
/// If the scores do not predict the results, so that they have no scale.
pub(super) fn measure(games: &[RawGame]) -> Result<Vec<PlayedGame>, String> {
    let scale = score_scale(games)?;
    let measured = games.iter().map(|game| {
        let plies = game.evals.len() as u32;
        PlayedGame {
            pair: game.pair,
            plies,
            forcing_moves: (plies > 0).then(|| f64::from(game.forcing_moves) / f64::from(plies)),
            score_change: score_change(&game.evals, scale),
        }
    });
    Ok(measured.collect())
}

/// The expected score of the side to move, with `scale` in log-odds per centipawn.
fn expected_score(eval: Eval, scale: f64) -> f64 {
    match eval {
        Eval::Centipawns(centipawns) => logistic(scale * f64::from(centipawns)),
        Eval::Mate(moves) => f64::from(u8::from(moves > 0)),
    }
}

/// Mean absolute change of the expected score between successive moves of the same player.
fn score_change(evals: &[Option<Eval>], scale: f64) -> Option<f64> {
    let changes = evals.windows(3).filter_map(|three| {
        let (before, after) = (three[0]?, three[2]?);
        Some((expected_score(after, scale) - expected_score(before, scale)).abs())
    });
    let (sum, number) = changes.fold((0.0, 0.0), |(sum, number), change| (sum + change, number + 1.0));
    (number > 0.0).then(|| sum / number)
}

/// The maximum-likelihood scale of the scores in log-odds per centipawn: a logistic regression of the results without a constant. Each game has
/// the same weight.
fn score_scale(games: &[RawGame]) -> Result<f64, String> {
    // Log-odds of a thousand pawns: far beyond every game.
    const LARGEST: f64 = 1.0;
    let mut samples: Vec<(f64, f64, f64)> = Vec::new();
    for game in games {
        let scores = || {
            game.evals.iter().enumerate().filter_map(|(ply, eval)| match eval {
                Some(Eval::Centipawns(centipawns)) => Some((ply, f64::from(*centipawns))),
                _ => None,
            })
        };
        let weight = 1.0 / scores().count().max(1) as f64;
        samples.extend(scores().map(|(ply, score)| {
            let is_white = (game.first == Color::White) == (ply % 2 == 0);
            let points = if is_white { game.white } else { 1.0 - game.white };
            (weight, score, points)
        }));
    }
    // The derivative of the log-loss increases with the scale.
    let derivative = |scale: f64| -> f64 {
        let terms = samples
            .iter()
            .map(|&(weight, score, points)| weight * score * (logistic(scale * score) - points));
        terms.sum()
    };
    if derivative(0.0) >= 0.0 {
        return Err("the scores of the moves do not predict the results of these games".to_owned());
    }
    let (mut low, mut high) = (0.0, LARGEST);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if derivative(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(f64::midpoint(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(evals: &[Eval], white: f64) -> RawGame {
        RawGame {
            pair: 0,
            forcing_moves: 1,
            evals: evals.iter().copied().map(Some).collect(),
            first: Color::White,
            white,
        }
    }

    #[test]
    fn scale_of_scores_maximizes_the_likelihood() {
        // Two wins and a loss at +100 have log-odds of ln 2, whatever the mover.
        let ahead = [Eval::Centipawns(100), Eval::Centipawns(-100)];
        let games = [game(&ahead, 1.0), game(&ahead, 1.0), game(&ahead, 0.0)];
        let scale = score_scale(&games).unwrap();
        assert!((100.0 * scale - 2.0_f64.ln()).abs() < 1e-9, "{scale}");
        assert!(
            score_scale(&[game(&ahead, 0.0)])
                .unwrap_err()
                .contains("do not predict")
        );
    }

    #[test]
    fn score_changes_are_those_of_each_player() {
        let scale = 3.0_f64.ln() / 100.0;
        // White's expected score rises from 1/2 to 3/4 and then to a certain win; Black's falls from 1/2 to 0.
        let evals = [
            Eval::Centipawns(0),
            Eval::Centipawns(0),
            Eval::Centipawns(100),
            Eval::Mate(-2),
            Eval::Mate(2),
        ];
        let change = score_change(&evals.map(Some), scale).unwrap();
        assert!((change - (0.25 + 0.5 + 0.25) / 3.0).abs() < 1e-12, "{change}");
        assert_eq!(score_change(&evals.map(Some)[..2], scale), None);
        assert_eq!(score_change(&[None; 5], scale), None);
    }
}
