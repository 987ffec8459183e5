//! `assay-tuner network`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use assay_engine::nnue::{HIDDEN_STEP, MOST_HIDDEN};
use assay_tuner::training::network::{Settings, Trained, collect, train};
use assay_tuner::training::weights::summary;
use serde_json::json;

use super::{check_writable, epochs_bar, names, print, share};

const LONG: &str = "\
Trains a small neural network for the engine on files of games that `assay-selfplay generate` made.

The network sees which piece stands where, and foretells, in quiet positions, a mixture of what the game brought and what the \
search expected. One opening of twenty is held back; the epoch that foretells those games best is kept. The table holds it \
against the linear evaluation on the same positions.";

const EXAMPLES: &str = "\
Examples:
  assay-selfplay generate gamma2 --games 100000 --nodes 400 --seed 11 --out gamma2.db
  assay-tuner network gamma2.db --out gamma2.network
  assay-tuner network seed1.db seed2.db --hidden 128 --epochs 40 --json | jq .log_loss

The engine plays with the file by its option EvalFile. Does it play better?
  assay-selfplay match gamma2 -engine cmd=assay name=new option.EvalFile=gamma2.network -engine cmd=assay name=old \\
      -each tc=1+0.01 -rounds 200

Keys of --json:
  assay, game, positions (learned, held_back), hidden
  log_loss   nats a position, of openings held back: network, linear (evaluation), constant (half a point); each:
             labels (what is foretold), results (of the games)
  epoch      the one kept
  seconds    reading, training
  source     what the file says of where it comes from
  out        the file; null without --out

The same seed gives the same network whatever the number of threads.";

/// What `network` is told.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the network to this file
    #[arg(long, value_name = "FILE.network")]
    out: Option<PathBuf>,
    /// Hidden numbers a side: a multiple of 16, 16 to 256
    #[arg(long, value_name = "H", default_value_t = 64, value_parser = hidden)]
    hidden: usize,
    /// Passes over the positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    epochs: u16,
    /// The share of the game's result in what is foretold, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = 0.4, value_parser = share)]
    lambda: f32,
    /// Positions of a batch
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// The step of the first epoch
    #[arg(long, value_name = "R", default_value_t = 0.002, value_parser = rate)]
    rate: f32,
    /// The number that all random choices follow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
}

/// Trains.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.out {
        check_writable("--out", path)?;
    }
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
        pool.build_global()?;
    }
    let settings = Settings {
        hidden: args.hidden,
        epochs: usize::from(args.epochs),
        lambda: args.lambda,
        batch: args.batch as usize,
        rate: args.rate,
        seed: args.seed,
    };
    let bar = epochs_bar(settings.epochs);
    let begun = Instant::now();
    bar.set_message("reading games");
    let collected = collect(&args.files)?;
    let reading = begun.elapsed();
    bar.set_message("the first epoch");
    let trained = train(&collected, &settings, |end| {
        bar.set_position(end.epoch as u64);
        bar.set_message(format!("log-loss of unseen games: {:.5}", end.held_back.labels));
    })?;
    let training = begun.elapsed().saturating_sub(reading);
    bar.finish_and_clear();

    let source = format!(
        "trained: `{}` (assay-tuner {}) on {} positions of {}",
        command(args),
        env!("CARGO_PKG_VERSION"),
        trained.learned,
        summary::runs(&collected.game.name, &collected.files)
    );
    let network = trained.numbers.to_network(source.clone()).quantize(&collected.game);
    if let Some(path) = &args.out {
        std::fs::write(path, network.to_bytes()).with_context(|| format!("--out {}", path.display()))?;
    }
    let text = if args.json {
        let value = json!({
            "assay": env!("CARGO_PKG_VERSION"),
            "game": collected.game.name,
            "positions": { "learned": trained.learned, "held_back": trained.held_back },
            "hidden": args.hidden,
            "log_loss": { "network": trained.best.held_back, "linear": trained.linear, "constant": trained.constant },
            "epoch": trained.best.epoch,
            "seconds": { "reading": reading.as_secs_f64(), "training": training.as_secs_f64() },
            "source": source,
            "out": args.out,
        });
        serde_json::to_string_pretty(&value)? + "\n"
    } else {
        table(args, &trained, reading, training)
    };
    print(&text)
}

fn table(args: &Args, trained: &Trained, reading: Duration, training: Duration) -> String {
    let mut text = format!(
        "{} positions learned from, {} held back. Log-loss there, nats a position:\n\n{:<22} {:>9} {:>9}\n",
        trained.learned, trained.held_back, "", "labels", "results"
    );
    for (name, losses) in [
        ("network", trained.best.held_back),
        ("linear evaluation", trained.linear),
        ("half a point", trained.constant),
    ] {
        text += &format!("  {name:<20} {:>9.5} {:>9.5}\n", losses.labels, losses.results);
    }
    let seconds = training.as_secs_f64();
    text += &format!(
        "\nBest after epoch {} of {}. Reading took {:.1} s, training {seconds:.1} s: {:.2} million positions a second.\n",
        trained.best.epoch,
        args.epochs,
        reading.as_secs_f64(),
        trained.learned as f64 * f64::from(args.epochs) / seconds / 1e6
    );
    if let Some(out) = &args.out {
        text += &format!("Network: {}\n", out.display());
    }
    text
}

/// The command as a network file tells it: the files by their names, wherever they are.
fn command(args: &Args) -> String {
    format!(
        "assay-tuner network{} --hidden {} --epochs {} --lambda {} --batch {} --rate {} --seed {}",
        names(&args.files),
        args.hidden,
        args.epochs,
        args.lambda,
        args.batch,
        args.rate,
        args.seed
    )
}

fn hidden(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    let fits = |&hidden: &usize| (HIDDEN_STEP..=MOST_HIDDEN).contains(&hidden) && hidden.is_multiple_of(HIDDEN_STEP);
    number
        .filter(fits)
        .ok_or_else(|| format!("expected a multiple of {HIDDEN_STEP}, {HIDDEN_STEP} to {MOST_HIDDEN}"))
}

fn rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok();
    rate.filter(|&rate: &f32| rate > 0.0 && rate <= 1.0)
        .ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}
