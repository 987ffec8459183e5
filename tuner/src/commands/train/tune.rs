//! `assay-tuner tune`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use assay_cli::format::grouped;
use assay_cli::interrupt::{self, stop_flag};
use assay_cli::{Exit, Progress};
use assay_engine::eval::Weight;
use assay_engine::{Weights, file};
use assay_rules::GameDef;
use serde::Serialize;
use serde_json::json;

use super::material::{self, PlayArgs};
use super::{Training, described, loss, notes, show_training};
use crate::report::{Table, row};
use crate::training::source;
use crate::training::weights::linear::{Terms, TuningData};
use crate::training::weights::{FOLDS, TunedWeights, TuningSettings, fit};

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
    #[command(flatten)]
    settings: TuningSettings,
    /// Tune piece values alone, one for each piece, by the results of games; without a file, play games for it
    // No other term is counted, so a value includes what the piece's squares and moves are worth.
    #[arg(long)]
    material: bool,
    #[command(flatten)]
    play: PlayArgs,
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
    let mut inputs = training.start(args.init.as_deref())?;
    let settings = &args.settings;
    if args.material && inputs.files.is_empty() {
        let file = args.play.play(inputs.game.as_ref(), training.out.as_deref(), training.threads)?;
        inputs.files.push(file);
    } else {
        args.play.check_unused()?;
    }
    let terms = if args.material { Terms::Material } else { Terms::All };
    let (mut data, reading) = inputs.read(terms, 0.0)?;
    let (examples, game) = (data.examples.len(), Arc::clone(&data.game));
    let game = &game;
    let entries = data.examples.iter().map(|example| example.entries.len());
    let terms = entries.sum::<usize>() as f64 / examples as f64;
    let before = if args.material { material::start(game) } else { args.initial(game)? };
    data.shuffle();
    let progress = Progress::new((settings.epochs * examples) as u64, "positions");
    let show = show_training(&progress, settings.epochs);
    // Values are tuned to the games played so far if the playing was stopped.
    let (is_stopped, not_stopped) = (interrupt::requested(), AtomicBool::new(false));
    let stop = if is_stopped { &not_stopped } else { stop_flag() };
    let mut tuned = fit(&data, &before, settings, stop, show)?;
    progress.finish();
    let command = format!(
        "tuned: `{}{} --lambda {} --prior {} --rate {} --epochs {}`",
        inputs.command("tune", args.init.as_deref()),
        if args.material { " --material" } else { "" },
        settings.lambda,
        settings.prior,
        settings.learning_rate,
        settings.epochs
    );
    if args.material {
        material::same_in_both_phases(&mut tuned.weights);
    }
    tuned.weights.set_source(&source(&command, "", examples, &data));

    let (best, last) = (tuned.best, tuned.last);
    let seconds = last.elapsed.as_secs_f64();
    let mut text = summary(&data, &tuned, settings.lambda, terms, reading);
    let games: usize = data.files.iter().map(|file| file.games).sum();
    let mut json = json!({
        "assay": env!("CARGO_PKG_VERSION"),
        "game": data.game.name,
        "files": data.files,
        "position_files": data.position_files,
        "games": games,
        "pairs": data.pairs,
        "positions": examples,
        "terms_per_position": terms,
        "lambda": settings.lambda,
        "log_loss": {
            "folds": FOLDS,
            "labels_before": tuned.before.labels,
            "labels_after": best.held_out.labels,
            "results_before": tuned.before.results,
            "results_after": best.held_out.results,
        },
        "epoch": best.number,
        "epochs": last.number,
        "seconds": { "reading": reading, "training": seconds },
        "source": tuned.weights.source(),
    });
    if args.material {
        let values = material::Values::of(&data, &tuned.weights);
        // The answer first.
        text = format!("{}\n{text}", values.text());
        values.add_to(&mut json);
    } else {
        let pawn = tuned.weights.terms().material(data.game.pawn);
        let pawn = pawn.map_or_else(Weight::default, |term| tuned.weights.get(term));
        let changes = changes(&before, &tuned.weights);
        text += &format!(
            "A pawn weighs {:.0} centipawns in the middlegame and {:.0} in the endgame; +300 centipawns are an expected score of 0.75.\n{}",
            pawn.middlegame,
            pawn.endgame,
            largest_changes(&tuned, &changes)
        );
        json["pawn"] = json!([pawn.middlegame, pawn.endgame]);
        json["changes"] = json!(changes);
    }
    training.finish("Weights", tuned.weights.to_toml(), text, json)?;
    Ok(if interrupt::requested() { Exit::Interrupted } else { Exit::Success })
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

/// What was read and how well it is predicted. `terms` is their number in a position, and `reading` is in seconds.
fn summary(data: &TuningData, tuned: &TunedWeights, lambda: f64, terms: f64, reading: f64) -> String {
    format!(
        "{}: {}, {} positions of {terms:.1} terms.\n{}\n{}\n\
         Best after epoch {} of {} ({FOLDS} folds{}). Reading took {reading:.1} s, training {:.1} s.\n",
        data.game.name,
        described(data),
        grouped(data.examples.len() as u64),
        data.position_files.iter().map(notes).collect::<String>(),
        losses(tuned, lambda, !data.files.is_empty() || data.position_files.iter().any(|file| file.scores > 0)),
        tuned.best.number,
        tuned.last.number,
        if data.position_files.is_empty() { " by opening" } else { "" },
        tuned.last.elapsed.as_secs_f64(),
    )
}

/// Held-out losses.
fn losses(tuned: &TunedWeights, lambda: f64, has_scores: bool) -> String {
    let (held_out, initial) = (tuned.best.held_out, tuned.before);
    let rows = [
        row(
            if has_scores { format!("labels ({lambda} game result, rest search score)") } else { "labels".to_owned() },
            [initial.labels, held_out.labels].map(loss),
        ),
        row("game results alone", [initial.results, held_out.results].map(loss)),
    ];
    Table::new("", ["Held-out log-loss, nats per position", "before", "after"], rows).text()
}

fn largest_changes(tuned: &TunedWeights, changes: &[WeightChange]) -> String {
    let show = |[middlegame, endgame]: [f64; 2]| format!("{middlegame:.1}, {endgame:.1}");
    let shown = changes.iter().take(SHOWN_CHANGES);
    let shown = shown.map(|change| row(&change.term, [change.before, change.after].map(show)));
    if tuned.best.number == 0 {
        return "No epoch had a lower held-out log-loss than the initial weights: they are kept.\n".to_owned();
    }
    let table = Table::new("", ["Largest changes", "before", "after"], shown);
    format!("\n{}", table.text())
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
