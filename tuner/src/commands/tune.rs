//! `assay-tuner tune`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use assay_cli::args::{self, JsonArg, ThreadsArg};
use assay_cli::{Progress, output, output_file};
use assay_engine::{Weights, file};
use assay_tuner::training::weights::{Label, TuningSettings, TuningSummary, collect, fit, summary};

use super::{file_names, share, use_threads, write_file};

const EXAMPLES: &str = "\
Examples:
  assay-selfplay generate gamma2 --games 15000 --nodes 400 --seed 11 --out gamma2.db
  assay-tuner tune gamma2.db --out gamma2.toml
  assay-tuner tune seed1.db seed2.db --lambda 1 --out results-only.toml
  assay-tuner tune gamma2.db --from gamma2.toml --json | jq .log_loss
  assay-tuner tune gamma2.db --from computed --out gamma2.toml
      independent of earlier tuning; Assay's own weights were tuned this way

The engine loads the file with the option EvalFile. To test whether it plays better:
  assay-selfplay match gamma2 -engine cmd=assay name=new option.EvalFile=gamma2.toml \\
      -engine cmd=assay name=old -each nodes=3000 -rounds 200

Keys of --json:
  assay, game, files (as in `fit`), games, pairs, positions, terms_per_position, lambda
  log_loss   nats per position on held-out games: folds, labels_before, labels_after,
             results_before, results_after
  fit        epoch (kept), epochs, reading_seconds, fitting_seconds, learning_seconds (of
             these, without predicting held-out games), positions_per_second and
             terms_per_second (while learning), threads
  pawn       centipawns: [middlegame, endgame]
  changes    changed weights, largest change first: term, before, after
  source     origin of the weights, as in the weights file
  out        the weights file; null without --out

The result does not depend on the number of threads.";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the weights to this file
    #[arg(long, value_name = "FILE.toml")]
    out: Option<PathBuf>,
    /// Weights to start from: a file, or `computed` for the default weights, computed from the movement of the pieces [default: the engine's
    /// weights for the game]
    #[arg(long, value_name = "FILE.toml")]
    from: Option<PathBuf>,
    /// Weight of the game's result in the label, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = TuningSettings::default().label.lambda, value_parser = share, allow_negative_numbers = true)]
    lambda: f32,
    /// Standard deviation of the prior that keeps rarely seen weights near their start, in centipawns
    #[arg(long, value_name = "CP", default_value_t = TuningSettings::default().prior, value_parser = centipawns, allow_negative_numbers = true)]
    prior: f64,
    /// Learning rate in the first epoch, in centipawns per batch; it decays afterwards
    #[arg(long, value_name = "CP", default_value_t = TuningSettings::default().learning_rate, value_parser = step, allow_negative_numbers = true)]
    rate: f32,
    /// Maximum number of passes over the games
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = args::whole_number(1..=u16::MAX), allow_negative_numbers = true)]
    epochs: u16,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    // Weights may be tuned in place: --from may be the same file.
    output_file::check(&[("--out", args.out.as_deref())], &args.files)?;
    use_threads(args.threads)?;
    let settings = TuningSettings {
        label: Label { lambda: args.lambda },
        prior: args.prior,
        learning_rate: args.rate,
        epochs: usize::from(args.epochs),
        ..TuningSettings::default()
    };
    let progress = Progress::new(settings.epochs as u64, "epochs");
    let start_time = Instant::now();
    progress.set_message("reading games");
    let collected = collect(&args.files)?;
    let reading = start_time.elapsed().as_secs_f64();
    let before = match &args.from {
        None => Weights::for_game(&collected.game),
        Some(path) if path.as_os_str() == "computed" => Weights::computed(&collected.game),
        Some(path) => {
            let named = || format!("--from {}", path.display());
            let text = file::read_text(path, file::MAX_FILE).with_context(named)?;
            Weights::from_toml(&collected.game, &text).with_context(named)?
        }
    };
    progress.set_message("first epoch");
    let mut fitted = fit(&collected, &before, &settings, |end| {
        progress.set(end.epoch as u64);
        let loss = end.losses.labels / end.losses.positions as f64;
        progress.set_message(format!("held-out log-loss: {loss:.5}"));
    })?;
    progress.finish();

    fitted.weights.set_source(&summary::source(&collected, &command(args)));
    let source = fitted.weights.source().to_owned();
    let mut summary = TuningSummary::new(&collected, &before, &fitted, &settings, reading, source);
    if let Some(path) = &args.out {
        write_file("--out", path, fitted.weights.to_toml())?;
        summary.out = Some(path.display().to_string());
    }
    if args.json.json {
        return output::json(&summary);
    }
    output::print(summary.text())
}

/// The command, with file names instead of paths, as recorded in the weights file.
fn command(args: &Args) -> String {
    let mut text = format!("assay-tuner tune{}", file_names(&args.files));
    if let Some(from) = &args.from {
        text += &format!(" --from{}", file_names(std::slice::from_ref(from)));
    }
    text + &format!(
        " --lambda {} --prior {} --rate {} --epochs {}",
        args.lambda, args.prior, args.rate, args.epochs
    )
}

fn step(text: &str) -> Result<f32, String> {
    centipawns(text).map(|number| number as f32)
}

fn centipawns(text: &str) -> Result<f64, String> {
    let number = args::positive(text).ok();
    let fits = |number: &f64| (1e-6..=1e6).contains(number);
    number
        .filter(fits)
        .ok_or_else(|| "expected a number of centipawns from 0.000001 to 1000000".to_owned())
}
