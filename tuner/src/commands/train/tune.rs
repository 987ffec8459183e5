//! `assay-tuner tune`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use assay_cli::args;
use assay_cli::format::{count, grouped};
use assay_cli::{Exit, Progress, Table, output, row};
use assay_engine::eval::Weight;
use assay_engine::{Weights, file};
use assay_rules::GameDef;
use clap::builder::ArgPredicate;
use serde::Serialize;
use serde_json::json;

use super::material;
use super::{Inputs, Training, described, json_of_data, loss, notes};
use crate::training::source;
use crate::training::weights::linear::Terms;
use crate::training::weights::{MAX_WEIGHT, TunedWeights, TuningSettings, fit};
use crate::values::inference::cross_validation::FOLDS;
use crate::values::model::GRADIENT_TOLERANCE;

/// Arguments of `tune`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("../help/tune.txt").trim_ascii_end())]
pub(crate) struct Args {
    #[command(flatten)]
    training: Training,
    /// Weights to start from: a file, or `computed` for weights computed from the movement of the
    /// pieces [default: the engine's weights for the game]
    #[arg(long, value_name = "FILE.toml", conflicts_with = "material")]
    init: Option<PathBuf>,
    /// Weight of the game's result in the label, 0 to 1; the rest is the search's score. With
    /// --material 1 unless given
    #[arg(long, value_name = "SHARE", default_value = "0.1", default_value_if("material", ArgPredicate::IsPresent, "1"), value_parser = args::share, allow_negative_numbers = true, display_order = 1)]
    lambda: f64,
    /// Standard deviation of the prior that keeps rarely seen weights near their start, in
    /// centipawns. Not with --material, whose values have no prior
    #[arg(long, value_name = "CP", default_value_t = 200.0, value_parser = prior, conflicts_with = "material", allow_negative_numbers = true)]
    prior: f64,
    /// Tune piece values alone, one for each piece, by the results of games
    // No other term is counted, so a value includes what the piece's squares and moves are worth.
    #[arg(long)]
    material: bool,
}

fn prior(text: &str) -> Result<f64, String> {
    let expected = "expected a number of centipawns from 0.000001 to 1000000";
    args::number(text, |number| (1e-6..=1e6).contains(number), expected)
}

/// A weight that tuning has changed, in centipawns: middlegame, endgame.
#[derive(Serialize)]
struct WeightChange {
    term: String,
    before: [f64; 2],
    after: [f64; 2],
}

/// Number of changes in the text.
const SHOWN_CHANGES: usize = 12;

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let training = &args.training;
    let inputs = training.start(args.init.as_deref())?;
    if args.material {
        let (data, reading) = inputs.read(Terms::Material, 0.0, true)?;
        material::run(training, &inputs, args.lambda, (&data, reading))?;
    } else {
        tune_evaluation(args, &inputs)?;
    }
    Ok(Exit::Success)
}

/// Fits all weights to the positions of files, and reports them.
fn tune_evaluation(args: &Args, inputs: &Inputs) -> anyhow::Result<()> {
    let settings = &TuningSettings { lambda: args.lambda, prior: args.prior };
    let (data, reading) = inputs.read(Terms::All, 0.0, false)?;
    let examples = data.examples.len();
    let before = args.initial(&data.game)?;
    let start_time = Instant::now();
    let progress = Progress::spinner("fitting");
    let mut tried = 0;
    let mut tuned = fit(&data, &before, settings, |loss| {
        tried += 1;
        progress.set_message(format!("fitting: step {tried}, log-loss {loss:.6}"));
    })?;
    progress.finish();
    let seconds = start_time.elapsed().as_secs_f64();
    if tuned.cut > 0 {
        let cut = count(tuned.cut, "weight", "weights");
        output::warning(format_args!("{cut} beyond ±{MAX_WEIGHT} centipawns were cut; a smaller --prior keeps them"));
    } else if !tuned.has_converged() {
        output::warning(format_args!(
            "the fit has not converged: the gradient is {:.1e}, expected at most {GRADIENT_TOLERANCE:.1e}; a smaller --prior may help",
            tuned.gradient
        ));
    }
    if tuned.held_out.labels > tuned.before.labels {
        output::warning(
            "the weights predict held-out games worse than those before: more games or a smaller --prior are needed",
        );
    }
    let command = format!(
        "tuned: `{} --lambda {} --prior {}`",
        inputs.command("tune", args.init.as_deref()),
        settings.lambda,
        settings.prior
    );
    tuned.weights.set_source(&source(&command, "", examples, &data));
    let entries: usize = data.examples.iter().map(|example| example.entries.len()).sum();
    let terms = entries as f64 / examples as f64;
    let pawn = tuned.weights.terms().material(data.game.first_pawn());
    let pawn = pawn.map_or_else(Weight::default, |term| tuned.weights.get(term));
    let changes = changes(&before, &tuned.weights);
    let has_scores = !data.files.is_empty() || data.position_files.iter().any(|file| file.scores > 0);
    let text = format!(
        "{}: {}, {} positions of {terms:.1} terms.\n{}\n{}\n{} after {}: log-loss of all positions {:.6}, gradient {:.1e}.\n\
         Reading took {reading:.1} s, fitting {seconds:.1} s.\n\
         A pawn weighs {:.0} centipawns in the middlegame and {:.0} in the endgame; +300 centipawns are an expected score of 0.75.\n{}",
        data.game.name,
        described(&data),
        grouped(examples as u64),
        data.position_files.iter().map(|file| notes(file, false)).collect::<String>(),
        losses(&tuned, settings.lambda, has_scores),
        if tuned.has_converged() { "Converged" } else { "Not converged" },
        count(tuned.steps, "Newton step", "Newton steps"),
        tuned.log_loss,
        tuned.gradient,
        pawn.middlegame,
        pawn.endgame,
        largest_changes(&changes)
    );
    let mut json = json_of_data(&data, settings.lambda, [reading, seconds], tuned.weights.source());
    json["terms_per_position"] = json!(terms);
    json["prior"] = json!(settings.prior);
    json["log_loss"] = json!({
        "fitted": tuned.log_loss,
        "folds": FOLDS,
        "labels_before": tuned.before.labels,
        "labels_after": tuned.held_out.labels,
        "results_before": tuned.before.results,
        "results_after": tuned.held_out.results,
    });
    json["converged"] = json!(tuned.has_converged());
    json["gradient"] = json!(tuned.gradient);
    json["steps"] = json!(tuned.steps);
    json["pawn"] = json!([pawn.middlegame, pawn.endgame]);
    json["changes"] = json!(changes);
    args.training.finish("Weights", tuned.weights.to_toml(), text, json)
}

impl Args {
    /// The weights to start from.
    fn initial(&self, game: &Arc<GameDef>) -> anyhow::Result<Weights> {
        match &self.init {
            None => Ok(Weights::for_game(game)),
            Some(path) if path.as_os_str() == "computed" => Ok(Weights::computed(game)),
            Some(path) => {
                let named = || format!("--init {}", path.display());
                let text = file::read_text(path, file::MAX_FILE).with_context(named)?;
                Weights::from_toml(game, &text).with_context(named)
            }
        }
    }
}

/// Held-out losses.
fn losses(tuned: &TunedWeights, lambda: f64, has_scores: bool) -> String {
    let (held_out, initial) = (tuned.held_out, tuned.before);
    let rows = [
        row(
            if has_scores { format!("labels ({lambda} game result, rest search score)") } else { "labels".to_owned() },
            [initial.labels, held_out.labels].map(loss),
        ),
        row("game results alone", [initial.results, held_out.results].map(loss)),
    ];
    let heading = format!("Held-out log-loss ({FOLDS} folds), nats per position");
    Table::of("", [&heading, "before", "after"], rows).to_string()
}

fn largest_changes(changes: &[WeightChange]) -> String {
    let show = |[middlegame, endgame]: [f64; 2]| format!("{middlegame:.1}, {endgame:.1}");
    let shown = changes.iter().take(SHOWN_CHANGES);
    let shown = shown.map(|change| row(&change.term, [change.before, change.after].map(show)));
    let table = Table::of("", ["Largest changes", "before", "after"], shown);
    format!("\n{table}")
}

/// Weights that differ when rounded to tenths of a centipawn, as in the file; the largest change
/// first.
fn changes(before: &Weights, after: &Weights) -> Vec<WeightChange> {
    let (game, terms) = (after.game(), after.terms());
    let tenths = |weight: Weight| [weight.middlegame, weight.endgame].map(|value| (value * 10.0).round() as i32);
    let centipawns = |tenths: [i32; 2]| tenths.map(|value| f64::from(value) / 10.0);
    let changed = terms.all().filter_map(|term| {
        let (before, after) = (tenths(before.get(term)), tenths(after.get(term)));
        let size = before[0].abs_diff(after[0]).max(before[1].abs_diff(after[1]));
        let change =
            || WeightChange { term: terms.label(game, term), before: centipawns(before), after: centipawns(after) };
        (size > 0).then(|| (size, change()))
    });
    let mut changes: Vec<(u32, WeightChange)> = changed.collect();
    changes.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    changes.into_iter().map(|(_, change)| change).collect()
}
