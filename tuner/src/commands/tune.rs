//! `assay-tuner tune`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use assay_engine::Weights;
use assay_tuner::training::weights::{Label, Settings, Summary, collect, fit, summary};

use super::{check_writable, epochs_bar, names, print, share};

const LONG: &str = "\
Tunes the engine's evaluation to files of games that `assay-selfplay generate` made, and writes a weights file.

The evaluation is a sum of terms, each with a weight for the middle game and one for the ending. Tuning finds the weights \
with which it best foretells, in quiet positions, a mixture of what the game brought and what the search expected. Openings \
are dealt into folds that are held back in turn; tuning stops when it no longer foretells the held-back games better.

`fit` says what a piece is worth, with error bars. `tune` makes the engine play better: the weight of a piece here is what \
is left after its mobility, its place and everything else have been counted.

Centipawns are not rescaled: +300 stand for 0.75 points before and after, so a pawn may come to weigh more or less than 100.";

const EXAMPLES: &str = "\
Examples:
  assay-selfplay generate gamma2 --games 15000 --nodes 400 --seed 11 --out gamma2.db
  assay-tuner tune gamma2.db --out gamma2.toml
  assay-tuner tune seed1.db seed2.db --lambda 1 --out results-only.toml
  assay-tuner tune gamma2.db --from gamma2.toml --json | jq .log_loss
  assay-tuner tune gamma2.db --from computed --out gamma2.toml
      does not depend on weights that were tuned before: so Assay's own are made

The engine plays with the file by its option EvalFile. Does it play better?
  assay-selfplay match gamma2 -engine cmd=assay name=new option.EvalFile=gamma2.toml -engine cmd=assay name=old \\
      -each nodes=3000 -rounds 200

Keys of --json:
  assay, game, files (as in `fit`), games, pairs, positions, terms_per_position, lambda
  log_loss   nats a position, out of fold: folds, labels_before, labels_after, results_before,
             results_after
  fit        epoch (kept), epochs, reading_seconds, fitting_seconds, learning_seconds (of
             these, without foretelling unseen games), positions_per_second and terms_per_second (while
             learning), threads
  pawn       centipawns: [middle game, ending]
  changes    weights that differ, the largest change first: term, before, after
  source     what the weights file says of where it comes from
  out        the weights file; null without --out

The result does not depend on the number of threads.";

/// What `tune` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the weights to this file
    #[arg(long, value_name = "FILE.toml")]
    out: Option<PathBuf>,
    /// Begin with the weights of this file, or with `computed`, those that a game without a file has [default: those that
    /// the engine plays the game with]
    #[arg(long, value_name = "FILE.toml")]
    from: Option<PathBuf>,
    /// The share of the game's result in what is foretold, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().label.lambda, value_parser = share)]
    lambda: f32,
    /// How far a weight may stray if few games ask for it, in centipawns
    #[arg(long, value_name = "CP", default_value_t = Settings::default().prior, value_parser = positive)]
    prior: f64,
    /// How far a batch of the first epoch moves a weight, in centipawns; the later, the less
    #[arg(long, value_name = "CP", default_value_t = Settings::default().rate, value_parser = step)]
    rate: f32,
    /// Passes over the games at most
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..))]
    epochs: u16,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// Tunes.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.out {
        check_writable("--out", path)?;
    }
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
        pool.build_global()?;
    }
    let settings = Settings {
        label: Label { lambda: args.lambda },
        prior: args.prior,
        rate: args.rate,
        epochs: usize::from(args.epochs),
        ..Settings::default()
    };
    let bar = epochs_bar(settings.epochs);
    let begun = Instant::now();
    bar.set_message("reading games");
    let collected = collect(&args.files)?;
    let reading = begun.elapsed().as_secs_f64();
    let before = match &args.from {
        None => Weights::for_game(&collected.game),
        Some(path) if path.as_os_str() == "computed" => Weights::computed(&collected.game),
        Some(path) => {
            let named = || format!("--from {}", path.display());
            let text = std::fs::read_to_string(path).with_context(named)?;
            Weights::from_toml(&collected.game, &text).with_context(named)?
        }
    };
    bar.set_message("log-loss of unseen games: the first epoch");
    let mut fitted = fit(&collected, &before, &settings, |end| {
        bar.set_position(end.epoch as u64);
        let loss = end.losses.labels / end.losses.positions as f64;
        bar.set_message(format!("log-loss of unseen games: {loss:.5}"));
    })?;
    bar.finish_and_clear();

    fitted.weights.set_source(summary::source(&collected, &command(args)));
    let source = fitted.weights.source().to_owned();
    let mut summary = Summary::new(&collected, &before, &fitted, &settings, reading, source);
    if let Some(path) = &args.out {
        std::fs::write(path, fitted.weights.to_toml()).with_context(|| format!("--out {}", path.display()))?;
        summary.out = Some(path.display().to_string());
    }
    if args.json {
        return print(&(serde_json::to_string_pretty(&summary)? + "\n"));
    }
    print(&summary.text())
}

/// The command as a weights file tells it: the files by their names, wherever they are.
fn command(args: &Args) -> String {
    let mut text = format!("assay-tuner tune{}", names(&args.files));
    if let Some(from) = &args.from {
        text += &format!(" --from{}", names(std::slice::from_ref(from)));
    }
    text + &format!(
        " --lambda {} --prior {} --rate {} --epochs {}",
        args.lambda, args.prior, args.rate, args.epochs
    )
}

fn step(text: &str) -> Result<f32, String> {
    positive(text).map(|number| number as f32)
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("expected a number of centipawns above 0".to_owned()),
    }
}
