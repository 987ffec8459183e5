//! A few games that show what material is worth, kept for the report.

use std::collections::BTreeMap;

use assay_rules::{Color, GameDef, Points, Termination};
use assay_selfplay::game::{Eval, GameEnd};
use assay_selfplay::{GameRecord, material};
use serde::{Deserialize, Serialize};

use super::material::missing_pieces;
use assay_selfplay::statistics::range;

/// Evaluations beyond this, and mates, are recorded as this many centipawns.
const MAX_EVAL: i32 = 10_000;

/// Shorter mates than this, in plies, are mere blunders of the random opening.
const MIN_MATE_PLIES: usize = 30;

/// Why a game was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SampleReason {
    /// Won against the largest superiority in material at the start.
    Upset,
    /// The winner's evaluation had fallen further than in any other game.
    Comeback,
    /// The quickest mate from equal armies or against more material.
    QuickMate,
}

/// A game for the report.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct SampleGame {
    pub reason: SampleReason,
    /// Index of the file of games.
    #[serde(deserialize_with = "range::any")]
    pub file: usize,
    /// The game's number in its file.
    #[serde(deserialize_with = "range::any")]
    pub number: u64,
    /// Pieces missing from the armies, White's first: `-NP/-B`; `None` if none was.
    pub material: Option<String>,
    pub start_fen: String,
    /// The moves in UCI notation.
    pub moves: Vec<String>,
    /// Evaluation before each move in centipawns from White's point of view, at most 10,000 (also
    /// for a mate); `None` if unknown.
    pub evals: Vec<Option<i32>>,
    /// White's score in points.
    #[serde(deserialize_with = "range::share")]
    pub white: f64,
    /// Name of the termination (`checkmate`).
    pub termination: String,
}

/// The best candidate for each reason among the games seen so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampleGames {
    best: BTreeMap<SampleReason, (f64, SampleGame)>,
}

impl SampleGames {
    /// Considers some games of a file.
    pub(crate) fn add(&mut self, game: &std::sync::Arc<GameDef>, file: usize, records: &[GameRecord]) {
        let values = material::guessed_values(game);
        for record in records {
            let Some(winner) = winner(record) else { continue };
            // A game is shown once, under the first reason that it is best for.
            for (reason, score) in scores(game, &values, record, winner) {
                let is_better = self.best.get(&reason).is_none_or(|&(best, _)| score > best);
                if is_better {
                    self.best.insert(reason, (score, sample(game, file, record, reason)));
                    break;
                }
            }
        }
    }

    /// The chosen games.
    pub(crate) fn finish(self) -> Vec<SampleGame> {
        self.best.into_values().map(|(_, game)| game).collect()
    }
}

fn winner(record: &GameRecord) -> Option<Color> {
    match record.result {
        Points::WIN => Some(Color::White),
        Points::LOSS => Some(Color::Black),
        _ => None,
    }
}

/// How well a game illustrates each reason; reasons that do not apply are left out.
fn scores(game: &GameDef, values: &[f64], record: &GameRecord, winner: Color) -> Vec<(SampleReason, f64)> {
    let missing = missing_pieces(game, record.material.as_deref().unwrap_or_default()).unwrap_or_default();
    let white_deficit: f64 = missing.iter().zip(values).map(|(missing, value)| missing * value).sum();
    let sign = if winner == Color::White { 1 } else { -1 };
    let deficit = f64::from(sign) * white_deficit;
    let mut scores = Vec::new();
    if deficit > 0.0 {
        scores.push((SampleReason::Upset, deficit));
    }
    let evals = record
        .moves
        .iter()
        .enumerate()
        .filter_map(|(ply, _)| Some(sign * white_eval(record, ply)?).filter(|eval| eval.abs() < MAX_EVAL));
    let (mut highest, mut fall) = (i32::MIN, 0);
    for eval in evals {
        highest = highest.max(eval);
        fall = fall.max(highest - eval);
    }
    scores.push((SampleReason::Comeback, f64::from(fall)));
    let is_mate = record.end == GameEnd::Rules(Termination::Checkmate);
    if is_mate && deficit >= 0.0 && record.moves.len() >= MIN_MATE_PLIES {
        scores.push((SampleReason::QuickMate, -(record.moves.len() as f64)));
    }
    scores
}

/// The evaluation before a move from White's point of view.
fn white_eval(record: &GameRecord, ply: usize) -> Option<i32> {
    let black_begins = record.start_fen.split(' ').nth(1) == Some("b");
    let is_whites = black_begins != ply.is_multiple_of(2);
    let eval = match record.moves[ply].eval? {
        Eval::Centipawns(centipawns) => centipawns.clamp(-MAX_EVAL, MAX_EVAL),
        Eval::Mate(moves) => MAX_EVAL * moves.signum(),
    };
    Some(if is_whites { eval } else { -eval })
}

fn sample(game: &GameDef, file: usize, record: &GameRecord, reason: SampleReason) -> SampleGame {
    SampleGame {
        reason,
        file,
        number: record.index,
        material: record.material.clone().filter(|note| note != "-/-"),
        start_fen: record.start_fen.clone(),
        moves: record.moves.iter().map(|played| played.mv.uci(game)).collect(),
        evals: (0..record.moves.len()).map(|ply| white_eval(record, ply)).collect(),
        white: record.result.as_f64(),
        termination: record.end.name().to_owned(),
    }
}
