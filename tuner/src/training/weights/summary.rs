//! Summary of tuning as text and JSON.

use std::fmt::Write as _;

use assay_cli::format::grouped;
use assay_cli::{Align, Table};
use assay_engine::Weights;
use assay_engine::eval::{Term, Weight};
use serde::Serialize;

use super::TuningData;
use super::fit::{TunedWeights, TuningSettings};
use super::objective::LossSums;

use crate::values::data::DataFile;

/// Number of changes in the text.
const SHOWN: usize = 12;

#[derive(Clone, Debug, Serialize)]
pub struct TuningSummary {
    /// Version of Assay.
    pub assay: &'static str,
    /// The chess variant.
    pub game: String,
    /// Files of games.
    pub files: Vec<DataFile>,
    /// Number of games.
    pub games: usize,
    /// Opening pairs.
    pub pairs: usize,
    /// Quiet positions.
    pub positions: usize,
    /// Mean number of terms in a position.
    pub terms_per_position: f64,
    /// Weight of the game results in the labels.
    pub lambda: f32,
    /// Mean log-loss in nats per position.
    pub log_loss: LossComparison,
    pub fit: FitStatistics,
    /// A pawn's weight: centipawns in the middle game and the ending.
    pub pawn: [f64; 2],
    /// Changed weights, the largest change first.
    pub changes: Vec<WeightChange>,
    /// Provenance, as written to the weights file.
    pub source: String,
    /// The weights file, if one was written.
    pub out: Option<String>,
}

/// Log-loss before and after tuning.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LossComparison {
    /// Number of cross-validation folds.
    pub folds: usize,
    /// Against the labels, with the weights before.
    pub labels_before: f64,
    /// Against the labels, held-out.
    pub labels_after: f64,
    /// Against the games' results, with the weights before.
    pub results_before: f64,
    /// Against the games' results, held-out.
    pub results_after: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct FitStatistics {
    /// Epoch of the result.
    pub epoch: usize,
    /// Epochs run.
    pub epochs: usize,
    /// Seconds spent reading and replaying games.
    pub reading_seconds: f64,
    /// Seconds spent fitting.
    pub fitting_seconds: f64,
    /// Seconds for gradients and steps, without held-out losses.
    pub learning_seconds: f64,
    /// Training throughput in positions per second, all models together.
    pub positions_per_second: f64,
    /// Training throughput in terms per second.
    pub terms_per_second: f64,
    pub threads: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct WeightChange {
    pub term: String,
    /// Centipawns before: middle game, ending.
    pub before: [f64; 2],
    /// Centipawns after.
    pub after: [f64; 2],
}

/// Provenance of weights: the command and everything needed to repeat it.
pub fn source(collected: &TuningData, command: &str) -> String {
    format!(
        "tuned: `{command}` (assay-tuner {}) on {} positions of {}",
        env!("CARGO_PKG_VERSION"),
        collected.examples.len(),
        runs(&collected.game.name, &collected.files)
    )
}

/// The commands that generate the files of games.
pub fn runs(game: &str, files: &[DataFile]) -> String {
    let runs: Vec<String> = files.iter().map(|file| run(game, file)).collect();
    runs.join(" and ")
}

/// The command that generates a file of games, or the players of a match; with the programs that played and the hash of the games.
fn run(game: &str, file: &DataFile) -> String {
    let hash = &file.hash[..16];
    let evaluation = match file.players.as_slice() {
        [player] => player.evaluation.as_ref(),
        [] => None,
        _ => {
            return format!(
                "a match of {}, seed {} (players {}; {} games {hash})",
                file.players_label(),
                file.seed,
                file.player,
                file.games
            );
        }
    };
    let evaluation = evaluation.map_or_else(String::new, |name| format!(" --evaluation {name}"));
    let balance = file.balance.map_or_else(|| "off".to_owned(), |limit| limit.to_string());
    let armies = match file.material.as_str() {
        purpose @ ("values" | "playtest") => format!("--for {purpose}"),
        material => format!("--material {material}"),
    };
    format!(
        "`assay-selfplay generate {game} --games {} --nodes {} --seed {} --setup {} --opening-plies {} --balance {balance} \
         {armies} --jitter {} --hash {}{evaluation}` (player {}, games {hash})",
        file.games, file.nodes, file.seed, file.setup, file.opening_plies, file.jitter, file.hash_mb, file.player,
    )
}

impl TuningSummary {
    /// Summary of a fit that started from the weights `before`.
    pub fn new(
        collected: &TuningData,
        before: &Weights,
        fit: &TunedWeights,
        settings: &TuningSettings,
        reading_seconds: f64,
        source: String,
    ) -> TuningSummary {
        let mean = |losses: LossSums, of: fn(LossSums) -> f64| of(losses) / losses.positions as f64;
        let (labels, results) = (|losses: LossSums| losses.labels, |losses: LossSums| losses.results);
        let positions = collected.examples.len();
        let pawn = fit
            .weights
            .terms()
            .material(collected.game.pawn)
            .map_or([0.0; 2], |term| pair(fit.weights.get(term)));
        TuningSummary {
            assay: env!("CARGO_PKG_VERSION"),
            game: collected.game.name.clone(),
            files: collected.files.clone(),
            games: collected.files.iter().map(|file| file.games).sum(),
            pairs: collected.clusters,
            positions,
            terms_per_position: collected.examples.entry_count() as f64 / positions as f64,
            lambda: settings.label.lambda,
            log_loss: LossComparison {
                folds: settings.folds,
                labels_before: mean(fit.before, labels),
                labels_after: mean(fit.after, labels),
                results_before: mean(fit.before, results),
                results_after: mean(fit.after, results),
            },
            fit: FitStatistics {
                epoch: fit.epoch,
                epochs: fit.epochs,
                reading_seconds,
                fitting_seconds: fit.seconds,
                learning_seconds: fit.learning_seconds,
                positions_per_second: fit.visits as f64 / fit.learning_seconds,
                terms_per_second: fit.entries as f64 / fit.learning_seconds,
                threads: rayon::current_num_threads(),
            },
            pawn,
            changes: changes(before, &fit.weights),
            source,
            out: None,
        }
    }

    pub fn text(&self) -> String {
        let mut text = format!(
            "{}: {} games from {} openings, {} quiet positions of {:.1} terms.\n\n",
            self.game,
            grouped(self.games as u64),
            grouped(self.pairs as u64),
            grouped(self.positions as u64),
            self.terms_per_position
        );
        let loss = &self.log_loss;
        let mut table = Table::new([
            ("Held-out log-loss, nats per position", Align::Left),
            ("before", Align::Right),
            ("after", Align::Right),
        ]);
        for (name, before, after) in [
            (
                format!("labels ({} game result, rest search score)", self.lambda),
                loss.labels_before,
                loss.labels_after,
            ),
            ("game results alone".to_owned(), loss.results_before, loss.results_after),
        ] {
            table.row([name, format!("{before:.5}"), format!("{after:.5}")]);
        }
        text += &table.to_string();
        let fit = &self.fit;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\nBest after epoch {} of {} ({} folds by opening). Reading took {:.1} s, fitting {:.1} s on {} threads: \
             {:.1} million positions and {:.0} million terms per second while training.",
            fit.epoch,
            fit.epochs,
            loss.folds,
            fit.reading_seconds,
            fit.fitting_seconds,
            fit.threads,
            fit.positions_per_second / 1e6,
            fit.terms_per_second / 1e6
        );
        let _ = writeln!(
            text,
            "A pawn weighs {:.0} centipawns in the middle game and {:.0} in the ending; +300 centipawns are an expected score of 0.75 points.",
            self.pawn[0], self.pawn[1]
        );
        if fit.epoch == 0 {
            text += "No epoch had a lower held-out log-loss than the initial weights: they are kept.\n";
        } else {
            let mut table = Table::new([
                ("Largest changes", Align::Left),
                ("before", Align::Right),
                ("after", Align::Right),
            ]);
            for change in self.changes.iter().take(SHOWN) {
                let show = |[middle, end]: [f64; 2]| format!("{middle:.1}, {end:.1}");
                table.row([change.term.clone(), show(change.before), show(change.after)]);
            }
            let _ = write!(text, "\n{table}");
        }
        if let Some(out) = &self.out {
            let _ = writeln!(text, "\nWeights: {out}");
        }
        text
    }
}

fn pair(weight: Weight) -> [f64; 2] {
    [weight.middlegame, weight.endgame]
}

/// Weights that differ when rounded to tenths of a centipawn, as in the file.
fn changes(before: &Weights, after: &Weights) -> Vec<WeightChange> {
    let terms = after.terms();
    let tenths = |weight: Weight| pair(weight).map(|value| (value * 10.0).round() as i32);
    let differ = |term: &Term| tenths(before.get(*term)) != tenths(after.get(*term));
    let centipawns = |weight: Weight| tenths(weight).map(|value| f64::from(value) / 10.0);
    let mut changes: Vec<WeightChange> = terms
        .all()
        .filter(differ)
        .map(|term| WeightChange {
            term: terms.label(after.game(), term),
            before: centipawns(before.get(term)),
            after: centipawns(after.get(term)),
        })
        .collect();
    let size = |change: &WeightChange| {
        let by_phase = change.before.iter().zip(change.after);
        by_phase
            .map(|(before, after)| (before - after).abs())
            .fold(0.0, f64::max)
    };
    changes.sort_by(|one, other| size(other).total_cmp(&size(one)));
    changes
}
