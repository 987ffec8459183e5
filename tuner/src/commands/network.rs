//! `assay-tuner network`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use assay_cli::args::{self, JsonArg, SeedArg, ThreadsArg};
use assay_cli::format::{self, count};
use assay_cli::interrupt::stop_flag;
use assay_cli::{Align, Exit, Progress, Table, output, output_file};
use assay_engine::nnue::{HIDDEN_MULTIPLE, KING_BUCKETS, MAX_HIDDEN, is_valid_hidden};
use assay_engine::{Network, file};
use assay_rules::GameDef;
use assay_tuner::training::network::{NetworkData, NetworkSettings, TrainedNetwork, TrainingProgress, collect, train};
use assay_tuner::training::weights::summary;
use serde_json::json;

use super::{file_names, share, use_threads, write_file};

const EXAMPLES: &str = "\
Examples:
  assay-selfplay generate gamma2 --games 100000 --nodes 400 --seed 11 --out gamma2.db
  assay-tuner network gamma2.db --out gamma2.network
  assay-tuner network seed1.db seed2.db --hidden 128 --epochs 40 --json | jq .log_loss
  assay-tuner network more.db --init gamma2.network --rate 0.0005 --out new.network
      continues the training of a network with more games

The engine loads the file with the option EvalFile. To test whether it plays better:
  assay-selfplay match gamma2 -engine cmd=assay name=new option.EvalFile=gamma2.network \\
      -engine cmd=assay name=old -each tc=1+0.01 -rounds 200

Keys of --json:
  assay, game, positions (training, held_out), hidden, king_buckets
  log_loss   nats per held-out position: network, linear (evaluation), constant (half a
             point); each with labels (mixture of result and score) and results (results
             alone)
  epochs     number of epochs finished
  seconds    reading, training
  source     origin of the network, as in its file
  out        the file; null without --out

Each epoch prints a line with its held-out log-loss. After Ctrl-C the network of the last finished epoch is written, with exit status \
130.

The same seed gives the same network whatever the number of threads.";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the network to this file
    #[arg(long, value_name = "FILE.network")]
    out: Option<PathBuf>,
    /// Continue the training of this network instead of starting from random weights
    #[arg(long, value_name = "FILE.network")]
    init: Option<PathBuf>,
    /// Hidden neurons per side: a multiple of 16 from 16 to 512
    #[arg(long, value_name = "H", default_value_t = NetworkSettings::default().hidden, value_parser = hidden, allow_negative_numbers = true)]
    hidden: usize,
    /// Sets of feature weights, selected by the square of the own king: 1 or 4
    #[arg(long, value_name = "N", default_value_t = NetworkSettings::default().king_buckets, value_parser = king_buckets, allow_negative_numbers = true)]
    king_buckets: usize,
    /// Passes over the positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = args::whole_number(1..=u16::MAX), allow_negative_numbers = true)]
    epochs: u16,
    /// Weight of the game's result in the label, 0 to 1; the rest is the search's score
    #[arg(long, value_name = "SHARE", default_value_t = NetworkSettings::default().lambda, value_parser = share, allow_negative_numbers = true)]
    lambda: f32,
    /// Positions per batch
    #[arg(long, value_name = "N", default_value_t = NetworkSettings::default().batch as u32, value_parser = args::whole_number(1..=u32::MAX), allow_negative_numbers = true)]
    batch: u32,
    /// Learning rate at the start; it falls to 0 over all epochs
    #[arg(long, value_name = "R", default_value_t = NetworkSettings::default().learning_rate, value_parser = rate, allow_negative_numbers = true)]
    rate: f32,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    // A network may be trained in place: --init may be the same file.
    output_file::check(&[("--out", args.out.as_deref())], &args.files)?;
    use_threads(args.threads)?;
    let settings = NetworkSettings {
        hidden: args.hidden,
        king_buckets: args.king_buckets,
        epochs: usize::from(args.epochs),
        lambda: args.lambda,
        batch: args.batch as usize,
        learning_rate: args.rate,
        seed: args.seed.seed,
    };
    // A wrong path is reported before the games are read.
    let initial = args.init.as_deref().map(InitialFile::read).transpose()?;
    let start_time = Instant::now();
    let progress = Progress::spinner("reading games");
    let data = collect(&args.files)?;
    let reading = start_time.elapsed();
    progress.finish();
    let initial_hash = initial.as_ref().map(InitialFile::hash);
    let initial = initial.map(|file| file.network(&data.game));
    let trained = train_with_progress(&data, &settings, initial.transpose()?.as_ref())?;
    if trained.last.epoch == 0 {
        output::note("stopped before the end of the first epoch: no network");
        return Ok(Exit::Interrupted);
    }

    let source = format!(
        "trained: `{}` ({}assay-tuner {}) on {} positions of {}",
        command(args, trained.last.epoch),
        initial_hash.map_or_else(String::new, |hash| format!("--init file {hash}, ")),
        env!("CARGO_PKG_VERSION"),
        data.training.len(),
        summary::runs(&data.game.name, &data.files)
    );
    let network = trained.parameters.to_network(source.clone()).quantize(&data.game);
    if let Some(path) = &args.out {
        write_file("--out", path, network.to_bytes())?;
    }
    if args.json.json {
        output::json(&json!({
            "assay": env!("CARGO_PKG_VERSION"),
            "game": data.game.name,
            "positions": { "training": data.training.len(), "held_out": data.held_out.len() },
            "hidden": args.hidden,
            "king_buckets": args.king_buckets,
            "log_loss": { "network": trained.last.held_out, "linear": trained.linear, "constant": trained.constant },
            "epochs": trained.last.epoch,
            "seconds": { "reading": reading.as_secs_f64(), "training": trained.last.elapsed.as_secs_f64() },
            "source": source,
            "out": args.out,
        }))?;
    } else {
        output::print(table(args, &data, &trained, reading))?;
    }
    Ok(if trained.last.epoch < settings.epochs {
        Exit::Interrupted
    } else {
        Exit::Success
    })
}

/// Trains with a progress bar and a line for each epoch.
fn train_with_progress(
    data: &NetworkData,
    settings: &NetworkSettings,
    initial: Option<&Network>,
) -> anyhow::Result<TrainedNetwork> {
    let progress = Progress::new((settings.epochs * data.training.len()) as u64, "positions");
    progress.println(format_args!(
        "{} from {}",
        count(data.training.len(), "position", "positions"),
        count(data.clusters, "opening", "openings")
    ));
    let trained = train(data, settings, initial, stop_flag(), |event| match event {
        TrainingProgress::Positions(positions) => progress.set(positions),
        TrainingProgress::Epoch(end) => {
            let text = format!(
                "epoch {}/{}: held-out log-loss {:.5} (results {:.5}), {}",
                end.epoch,
                settings.epochs,
                end.held_out.labels,
                end.held_out.results,
                format::duration(end.elapsed)
            );
            progress.println(&text);
            progress.set_message(format!("held-out log-loss {:.5}", end.held_out.labels));
        }
    });
    trained.context("--init")
}

/// The file of `--init`.
struct InitialFile<'p> {
    path: &'p Path,
    bytes: Vec<u8>,
}

impl InitialFile<'_> {
    fn read(path: &Path) -> anyhow::Result<InitialFile<'_>> {
        let bytes = file::read(path, file::MAX_FILE).with_context(|| format!("--init: {}", path.display()))?;
        Ok(InitialFile { path, bytes })
    }

    /// The first 16 digits of its BLAKE3 hash in hexadecimal.
    fn hash(&self) -> String {
        blake3::hash(&self.bytes).to_hex()[..16].to_owned()
    }

    fn network(&self, game: &GameDef) -> anyhow::Result<Network> {
        Network::read(game, &self.bytes).with_context(|| format!("--init: {}", self.path.display()))
    }
}

fn table(args: &Args, data: &NetworkData, trained: &TrainedNetwork, reading: Duration) -> String {
    let mut table = Table::new([
        ("held-out log-loss, nats per position", Align::Left),
        ("labels", Align::Right),
        ("results", Align::Right),
    ]);
    for (name, losses) in [
        ("network", trained.last.held_out),
        ("linear evaluation", trained.linear),
        ("half a point", trained.constant),
    ] {
        table.row([
            name.to_owned(),
            format!("{:.5}", losses.labels),
            format!("{:.5}", losses.results),
        ]);
    }
    let seconds = trained.last.elapsed.as_secs_f64();
    let mut text = format!(
        "Trained on {}; {} held out.\n\n{table}\nEpochs: {} of {}. Reading took {:.1} s, training {seconds:.1} s ({:.2} million positions \
         per second).\n",
        count(data.training.len(), "position", "positions"),
        count(data.held_out.len(), "position", "positions"),
        trained.last.epoch,
        args.epochs,
        reading.as_secs_f64(),
        (data.training.len() * trained.last.epoch) as f64 / seconds / 1e6
    );
    if let Some(out) = &args.out {
        text += &format!("Network: {}\n", out.display());
    }
    text
}

/// The command, with file names instead of paths, as recorded in the network file.
fn command(args: &Args, finished: usize) -> String {
    let stopped = if finished < usize::from(args.epochs) {
        format!(", stopped after {finished}")
    } else {
        String::new()
    };
    let init = args.init.as_ref().map_or_else(String::new, |path| {
        format!(" --init{}", file_names(std::slice::from_ref(path)))
    });
    format!(
        "assay-tuner network{}{init} --hidden {} --king-buckets {} --epochs {} --lambda {} --batch {} --rate {} --seed {}{stopped}",
        file_names(&args.files),
        args.hidden,
        args.king_buckets,
        args.epochs,
        args.lambda,
        args.batch,
        args.rate,
        args.seed.seed
    )
}

fn hidden(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number
        .filter(|&hidden| is_valid_hidden(hidden))
        .ok_or_else(|| format!("expected a multiple of {HIDDEN_MULTIPLE} from {HIDDEN_MULTIPLE} to {MAX_HIDDEN}"))
}

fn king_buckets(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number
        .filter(|number| [1, KING_BUCKETS].contains(number))
        .ok_or_else(|| format!("expected 1 or {KING_BUCKETS}"))
}

fn rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok();
    rate.filter(|&rate: &f32| rate > 0.0 && rate <= 1.0)
        .ok_or_else(|| "expected a number above 0, at most 1".to_owned())
}
