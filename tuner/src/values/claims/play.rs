//! How the games of a run were played: scores, captures and checks, and the course of the
//! evaluations.

use std::collections::BTreeMap;

use assay_rules::{Color, GameDef, Kind, Points};
use assay_selfplay::GameRecord;
use assay_selfplay::game::Eval;
use assay_selfplay::positions::Ply;
use assay_selfplay::settings::SecondGame;

use crate::values::data::{DataError, PairNumber, RunReader};
use crate::values::design::{DesignMatrix, Observation};
use crate::values::inference::Quantity;
use crate::values::model::{Logit, fit_from, logistic};

/// What is measured of one game.
#[derive(Clone, Debug)]
pub(super) struct PlayedGame {
    /// Number of the opening pair, over all files.
    pub(super) pair: usize,
    pub(super) white: Points,
    /// Score of the army that is White's in the first game of the pair.
    pub(super) army: Points,
    /// Score of the side that makes the first move.
    pub(super) first: Points,
    /// Share of the moves that capture or give check, if they were counted.
    pub(super) forcing: Option<f64>,
    /// Whether a piece from a pocket was placed after the last move at which the side with less time
    /// may do so; `None` if pieces are not placed in that way.
    pub(super) is_late: Option<bool>,
    /// The evaluations of all moves, if known, from the mover's point of view.
    pub(super) evals: Vec<Option<Eval>>,
}

/// Means of games, by name.
pub(super) type Means = BTreeMap<&'static str, Result<Quantity, String>>;

/// Reads games; with `is_replayed`, counts captures and checks, too.
pub(super) fn read(
    run: &RunReader<'_>,
    records: &[GameRecord],
    pairs: PairNumber<'_>,
    is_replayed: bool,
) -> Result<Vec<PlayedGame>, DataError> {
    let is_white_twice = run.settings().second_game() == SecondGame::OwnOpening;
    let replayed = if is_replayed {
        run.replay(records, |_, plies| (plies[0].side, Some(forcing_moves(plies))))?
    } else {
        vec![(Color::White, None); records.len()]
    };
    let games = records.iter().zip(replayed).map(|(record, (first, forcing))| PlayedGame {
        pair: pairs(record.pair),
        white: record.result,
        army: if is_white_twice { record.result } else { record.points_of(0) },
        first: if first == Color::White { record.result } else { record.result.flipped() },
        forcing: forcing.flatten(),
        is_late: is_placed_late(&run.game, record),
        evals: record.moves.iter().map(|played| played.eval).collect(),
    });
    Ok(games.collect())
}

fn is_placed_late(game: &GameDef, record: &GameRecord) -> Option<bool> {
    let gating = game.mechanisms.gating.as_ref()?;
    let last = Color::ALL.into_iter().map(|color| gating.last_move[color]).min()?;
    let mut fields = record.start_fen.split_whitespace();
    let is_black = fields.nth(1) == Some("b");
    let first: usize = fields.next_back()?.parse().ok()?;
    let number = |ply: usize| first + usize::midpoint(ply, usize::from(is_black));
    let is_placed = |kind: Option<Kind>| kind.is_some_and(|kind| gating.pocket.contains(&kind));
    let mut moves = record.moves.iter().enumerate();
    Some(moves.any(|(ply, played)| is_placed(played.mv.extra) && number(ply) > last as usize))
}

/// Share of the moves that capture or give check; `None` without moves.
fn forcing_moves(plies: &[Ply]) -> Option<f64> {
    let is_forcing = |two: &&[Ply]| two[1].in_check || two[1].material.pieces() < two[0].material.pieces();
    let moves = plies.len() - 1;
    (moves > 0).then(|| plies.windows(2).filter(is_forcing).count() as f64 / moves as f64)
}

/// The means of all measures, clustered by opening pair. `is_shared`: see [`Quantity::mean`].
pub(super) fn means(games: &[PlayedGame], is_shared: bool) -> Means {
    let mean = |measure: &dyn Fn(&PlayedGame) -> Option<f64>| {
        let numbers = games.iter().filter_map(|game| Some((game.pair, measure(game)?)));
        Quantity::mean(numbers, is_shared).ok_or_else(|| {
            "there are fewer than two openings, or all scored the same, so the error is unknown".to_owned()
        })
    };
    let is_draw = |game: &PlayedGame| Some(f64::from(u8::from(game.white == Points::DRAW)));
    BTreeMap::from([
        ("draws", mean(&is_draw)),
        ("white_score", mean(&|game| Some(game.white.as_f64()))),
        ("score", mean(&|game| Some(game.army.as_f64()))),
        ("length", mean(&|game| Some(game.evals.len() as f64))),
        ("forcing_moves", mean(&|game| game.forcing)),
        ("late_placements", mean(&|game| Some(f64::from(u8::from(game.is_late?))))),
        ("score_changes", score_scale(games).and_then(|scale| mean(&|game| score_change(&game.evals, scale)))),
    ])
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

/// The maximum-likelihood scale of the scores in log-odds per centipawn: a logistic regression of
/// the results without a constant. Each game has the same weight.
fn score_scale(games: &[PlayedGame]) -> Result<f64, String> {
    let mut design = DesignMatrix::new(vec!["score".to_owned()]);
    for (cluster, game) in games.iter().enumerate() {
        let scores = || {
            game.evals.iter().enumerate().filter_map(|(ply, eval)| match eval {
                Some(Eval::Centipawns(centipawns)) => Some((ply, f64::from(*centipawns))),
                _ => None,
            })
        };
        let weight = 1.0 / scores().count() as f64;
        for (ply, score) in scores() {
            let points = if ply % 2 == 0 { game.first } else { game.first.flipped() };
            let observation = Observation { weight, ..Observation::new(points.as_f64(), cluster) };
            design.push(&[score], observation);
        }
    }
    let fit = fit_from(&Logit::fractional(), &design, None).ok();
    let scale = fit.map(|fit| fit.coefficients[0]).filter(|&scale| scale > 0.0);
    scale.ok_or_else(|| "the scores of the moves do not predict the results of these games".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(evals: &[Eval], white: Points) -> PlayedGame {
        PlayedGame {
            pair: 0,
            white,
            army: white,
            first: white,
            forcing: None,
            is_late: None,
            evals: evals.iter().copied().map(Some).collect(),
        }
    }

    #[test]
    fn scale_of_scores_maximizes_the_likelihood() {
        // Two wins and a loss at +100 have log-odds of ln 2, whatever the mover.
        let ahead = [Eval::Centipawns(100), Eval::Centipawns(-100)];
        let games = [Points::WIN, Points::WIN, Points::LOSS].map(|white| game(&ahead, white));
        let scale = score_scale(&games).unwrap();
        assert!((100.0 * scale - 2.0_f64.ln()).abs() < 1e-9, "{scale}");
        let unexpected = score_scale(&[game(&ahead, Points::LOSS)]);
        assert!(unexpected.unwrap_err().contains("do not predict"));
    }

    #[test]
    fn score_changes_are_those_of_each_player() {
        let scale = 3.0_f64.ln() / 100.0;
        // White's expected score rises from 1/2 to 3/4 and then to a certain win; Black's falls
        // from 1/2 to 0.
        let evals = [Eval::Centipawns(0), Eval::Centipawns(0), Eval::Centipawns(100), Eval::Mate(-2), Eval::Mate(2)];
        let change = score_change(&evals.map(Some), scale).unwrap();
        assert!((change - (0.25 + 0.5 + 0.25) / 3.0).abs() < 1e-12, "{change}");
        assert_eq!(score_change(&evals.map(Some)[..2], scale), None);
        assert_eq!(score_change(&[None; 5], scale), None);
    }
}
