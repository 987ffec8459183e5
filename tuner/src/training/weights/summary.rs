//! What came of tuning, as text and as JSON.

use std::fmt::Write as _;

use assay_cli::format::grouped;
use assay_engine::Weights;
use assay_engine::eval::{Term, Weight};
use serde::Serialize;

use super::Collected;
use super::fit::{Fit, Settings};
use super::objective::Losses;

use crate::values::data::DataFile;

/// Changes shown in the text.
const SHOWN: usize = 12;

/// What came of tuning.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The version.
    pub assay: &'static str,
    /// The game.
    pub game: String,
    /// The files of games.
    pub files: Vec<DataFile>,
    /// How many games.
    pub games: usize,
    /// Opening pairs.
    pub pairs: usize,
    /// Quiet positions.
    pub positions: usize,
    /// Terms that a position has on average.
    pub terms_per_position: f64,
    /// The share of the games' results in the labels.
    pub lambda: f32,
    /// Mean log-losses in nats a position.
    pub log_loss: Comparison,
    /// How the fit went.
    pub fit: Progress,
    /// A pawn's weight: centipawns in the middle game and the ending.
    pub pawn: [f64; 2],
    /// Weights that differ, the largest change first.
    pub changes: Vec<Change>,
    /// What the weights file says of where it comes from.
    pub source: String,
    /// The weights file; null when none was wanted.
    pub out: Option<String>,
}

/// Losses before and after.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Comparison {
    /// Folds that were held back in turn.
    pub folds: usize,
    /// Against the labels, with the weights before.
    pub labels_before: f64,
    /// Against the labels, out of fold.
    pub labels_after: f64,
    /// Against the games' results, with the weights before.
    pub results_before: f64,
    /// Against the games' results, out of fold.
    pub results_after: f64,
}

/// How the fit went.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Progress {
    /// The epoch kept.
    pub epoch: usize,
    /// Epochs tried.
    pub epochs: usize,
    /// Seconds spent reading and replaying games.
    pub reading_seconds: f64,
    /// Seconds spent fitting.
    pub fitting_seconds: f64,
    /// Seconds of these that gradients and steps took, without what unseen games lose.
    pub learning_seconds: f64,
    /// Positions a second while learning, all models together.
    pub positions_per_second: f64,
    /// Terms a second.
    pub terms_per_second: f64,
    /// Threads.
    pub threads: usize,
}

/// A weight that differs.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The term.
    pub term: String,
    /// Centipawns before: middle game, ending.
    pub before: [f64; 2],
    /// Centipawns after.
    pub after: [f64; 2],
}

/// Where weights come from, for their file: `command`, and whatever it takes to repeat it.
pub fn source(collected: &Collected, command: &str) -> String {
    format!(
        "tuned: `{command}` (assay-tuner {}) on {} positions of {}",
        env!("CARGO_PKG_VERSION"),
        collected.examples.len(),
        runs(&collected.game.name, &collected.files)
    )
}

/// Files of games as the commands that make them.
pub fn runs(game: &str, files: &[DataFile]) -> String {
    let runs: Vec<String> = files.iter().map(|file| run(game, file)).collect();
    runs.join(" and ")
}

/// A file of games as the command that makes it, with the hash of its games.
fn run(game: &str, file: &DataFile) -> String {
    let balance = file.balance.map_or_else(|| "off".to_owned(), |limit| limit.to_string());
    let armies = match file.material.as_str() {
        purpose @ ("values" | "playtest") => format!("--for {purpose}"),
        material => format!("--material {material}"),
    };
    format!(
        "`assay-selfplay generate {game} --games {} --nodes {} --seed {} --setup {} --opening-plies {} --balance {balance} \
         {armies} --jitter {} --hash {}` (player {}, games {})",
        file.games,
        file.nodes,
        file.seed,
        file.setup,
        file.opening_plies,
        file.jitter,
        file.hash_mb,
        file.player,
        &file.hash[..16]
    )
}

impl Summary {
    /// Of a fit that began with the weights `before`.
    pub fn new(
        collected: &Collected,
        before: &Weights,
        fit: &Fit,
        settings: &Settings,
        reading_seconds: f64,
        source: String,
    ) -> Summary {
        let mean = |losses: Losses, of: fn(Losses) -> f64| of(losses) / losses.positions as f64;
        let (labels, results) = (|losses: Losses| losses.labels, |losses: Losses| losses.results);
        let positions = collected.examples.len();
        let pawn = fit
            .weights
            .terms()
            .material(collected.game.pawn)
            .map_or([0.0; 2], |term| pair(fit.weights.get(term)));
        Summary {
            assay: env!("CARGO_PKG_VERSION"),
            game: collected.game.name.clone(),
            files: collected.files.clone(),
            games: collected.files.iter().map(|file| file.games).sum(),
            pairs: collected.clusters,
            positions,
            terms_per_position: collected.examples.entry_count() as f64 / positions as f64,
            lambda: settings.label.lambda,
            log_loss: Comparison {
                folds: settings.folds,
                labels_before: mean(fit.before, labels),
                labels_after: mean(fit.after, labels),
                results_before: mean(fit.before, results),
                results_after: mean(fit.after, results),
            },
            fit: Progress {
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

    /// For people.
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
        // Writing to a string cannot fail.
        let _ = writeln!(text, "Log-loss of unseen games, nats a position      before    after");
        for (what, before, after) in [
            (
                format!("labels ({} of the result, the rest the search's)", self.lambda),
                loss.labels_before,
                loss.labels_after,
            ),
            ("results alone".to_owned(), loss.results_before, loss.results_after),
        ] {
            let _ = writeln!(text, "  {what:<43} {before:.5}  {after:.5}");
        }
        let fit = &self.fit;
        let _ = writeln!(
            text,
            "\nBest after epoch {} of {} ({} folds by opening). Reading took {:.1} s, fitting {:.1} s on {} threads: \
             {:.1} million positions and {:.0} million terms a second while learning.",
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
            "A pawn weighs {:.0} centipawns in the middle game and {:.0} in the ending; +300 centipawns stand for 0.75 points.",
            self.pawn[0], self.pawn[1]
        );
        if fit.epoch == 0 {
            text += "No epoch foretold unseen games better than the weights before: they are kept.\n";
        } else {
            let _ = writeln!(text, "\n{:<24} {:>18} {:>18}", "Largest changes", "before", "after");
        }
        for change in self.changes.iter().take(SHOWN) {
            let show = |[middle, end]: [f64; 2]| format!("{middle:.1}, {end:.1}");
            let _ = writeln!(
                text,
                "  {:<22} {:>18} {:>18}",
                change.term,
                show(change.before),
                show(change.after)
            );
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

/// Weights that differ in the tenths that files have.
fn changes(before: &Weights, after: &Weights) -> Vec<Change> {
    let terms = after.terms();
    let tenths = |weight: Weight| pair(weight).map(|value| (value * 10.0).round() as i32);
    let differ = |term: &Term| tenths(before.get(*term)) != tenths(after.get(*term));
    let centipawns = |weight: Weight| tenths(weight).map(|value| f64::from(value) / 10.0);
    let mut changes: Vec<Change> = terms
        .all()
        .filter(differ)
        .map(|term| Change {
            term: terms.label(after.game(), term),
            before: centipawns(before.get(term)),
            after: centipawns(after.get(term)),
        })
        .collect();
    let size = |change: &Change| {
        let by_phase = change.before.iter().zip(change.after);
        by_phase
            .map(|(before, after)| (before - after).abs())
            .fold(0.0, f64::max)
    };
    changes.sort_by(|one, other| size(other).total_cmp(&size(one)));
    changes
}
