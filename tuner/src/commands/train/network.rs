//! `assay-tuner network`.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use assay_cli::args::{self, SeedArg};
use assay_cli::format::count;
use assay_cli::interrupt::stop_flag;
use assay_cli::{Exit, Progress, Table, output, row};
use assay_engine::nnue::{HIDDEN_MULTIPLE, KING_BUCKETS, MAX_HIDDEN, is_valid_hidden};
use assay_engine::{Network, file};
use serde_json::json;

use super::{Training, loss, show_training};
use crate::training::network::features::{Features, Split};
use crate::training::network::{NetworkSettings, train};
use crate::training::source;

/// Arguments of `network`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("../help/network.txt").trim_ascii_end())]
pub(crate) struct Args {
    #[command(flatten)]
    training: Training,
    /// Continue the training of this network instead of starting from random weights; --hidden may
    /// be larger than its own
    #[arg(long, value_name = "FILE.network")]
    init: Option<PathBuf>,
    /// Weight of the game's result in the label, 0 to 1; the rest are scores of searches
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = args::share, allow_negative_numbers = true, display_order = 1)]
    lambda: f64,
    /// Factor by which the weight of later scores of the game falls with each ply; 0 takes the
    /// position's own score alone
    #[arg(long, value_name = "D", default_value_t = 0.8, value_parser = decay, allow_negative_numbers = true, display_order = 1)]
    decay: f64,
    /// Hidden neurons per side: a multiple of 16 from 16 to 512
    #[arg(long, value_name = "H", default_value_t = 64, value_parser = hidden, allow_negative_numbers = true)]
    hidden: usize,
    /// Sets of feature weights, selected by the square of the own king: 1 or 4
    #[arg(long, value_name = "N", default_value_t = KING_BUCKETS, value_parser = king_buckets, allow_negative_numbers = true)]
    king_buckets: usize,
    /// Passes over the positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = args::whole_number(1..=65_535_usize), allow_negative_numbers = true)]
    epochs: usize,
    /// Positions per batch
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = args::whole_number(1..=u32::MAX as usize), allow_negative_numbers = true)]
    batch: usize,
    /// Learning rate at the start; it falls to 0 over all epochs
    #[arg(long, value_name = "R", default_value_t = 0.001, value_parser = rate, allow_negative_numbers = true)]
    rate: f32,
    #[command(flatten)]
    seed: SeedArg,
}

fn hidden(text: &str) -> Result<usize, String> {
    let expected = format!("expected a multiple of {HIDDEN_MULTIPLE} from {HIDDEN_MULTIPLE} to {MAX_HIDDEN}");
    args::number(text, |&hidden| is_valid_hidden(hidden), &expected)
}

fn king_buckets(text: &str) -> Result<usize, String> {
    let expected = format!("expected 1 or {KING_BUCKETS}");
    args::number(text, |number| [1, KING_BUCKETS].contains(number), &expected)
}

fn decay(text: &str) -> Result<f64, String> {
    args::number(text, |decay| (0.0..1.0).contains(decay), "expected a number from 0, below 1")
}

fn rate(text: &str) -> Result<f32, String> {
    args::number(text, |&rate| rate > 0.0 && rate <= 1.0, "expected a number above 0, at most 1")
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let training = &args.training;
    let inputs = training.start(args.init.as_deref())?;
    let settings = &NetworkSettings {
        lambda: args.lambda,
        decay: args.decay,
        hidden: args.hidden,
        king_buckets: args.king_buckets,
        epochs: args.epochs,
        batch: args.batch,
        learning_rate: args.rate,
        seed: args.seed.seed,
    };
    // A wrong path is reported before the games are read.
    let named = || format!("--init: {}", args.init.as_deref().unwrap_or(Path::new("")).display());
    let read_init = |path: &PathBuf| file::read(path, file::MAX_FILE).with_context(named);
    let init = args.init.as_ref().map(read_init).transpose()?;
    let (data, reading) = inputs.read(Features, settings.decay, false)?;
    let has_drops = data.game.mechanisms.drops.is_some();
    ensure!(!has_drops, "found games with drops, expected others: networks do not count the pieces in pockets");
    let split = Split::of(&data)?;
    let initial = init.as_ref().map(|bytes| Network::read(&data.game, bytes).with_context(named));
    let initial = initial.transpose()?;
    let positions = split.training.len();
    let progress = Progress::new((settings.epochs * positions) as u64, "positions");
    progress.println(format_args!("{} from {}", count(positions, "position", "positions"), super::groups(&data)));
    let show = show_training(&progress, settings.epochs);
    let trained = train(&data, &split, settings, initial.as_ref(), stop_flag(), show)?;
    progress.finish();
    let epochs = trained.last.number;
    if epochs == 0 {
        output::note("stopped before the end of the first epoch: no network");
        return Ok(Exit::Interrupted);
    }

    let is_complete = epochs == settings.epochs;
    let stopped = Some(format!(", stopped after {epochs}")).filter(|_| !is_complete);
    let stopped = stopped.unwrap_or_default();
    // The first 16 digits of its BLAKE3 hash.
    let init_hash = |bytes: &Vec<u8>| format!("--init file {}, ", &blake3::hash(bytes).to_hex()[..16]);
    let source = source(
        &format!(
            "trained: `{} --hidden {} --king-buckets {} --epochs {} --lambda {} --decay {} --batch {} --rate {} --seed {}{stopped}`",
            inputs.command("network", args.init.as_deref()),
            settings.hidden,
            settings.king_buckets,
            settings.epochs,
            settings.lambda,
            settings.decay,
            settings.batch,
            settings.learning_rate,
            settings.seed
        ),
        &init.as_ref().map_or_else(String::new, init_hash),
        positions,
        &data,
    );
    let mut network = trained.parameters;
    network.source.clone_from(&source);
    let network = network.quantize(&data.game);
    let seconds = trained.last.elapsed.as_secs_f64();
    let rows =
        [("network", trained.last.held_out), ("linear evaluation", trained.linear), ("half a point", trained.constant)];
    let rows = rows.map(|(name, losses)| row(name, [losses.labels, losses.results].map(loss)));
    let headings = ["held-out log-loss, nats per position", "labels", "results"];
    let table = Table::of("", headings, rows);
    let text = format!(
        "Trained on {}; {} held out.\n\n{table}\n\
         Epochs: {epochs} of {}. Reading took {reading:.1} s, training {seconds:.1} s.\n",
        count(positions, "position", "positions"),
        count(split.held_out.len(), "position", "positions"),
        settings.epochs,
    );
    let json = json!({
        "assay": env!("CARGO_PKG_VERSION"),
        "game": data.game.name,
        "positions": { "training": positions, "held_out": split.held_out.len() },
        "hidden": settings.hidden,
        "king_buckets": settings.king_buckets,
        "log_loss": { "network": trained.last.held_out, "linear": trained.linear, "constant": trained.constant },
        "epochs": epochs,
        "seconds": { "reading": reading, "training": seconds },
        "source": source,
    });
    training.finish("Network", network.to_bytes(), text, json)?;
    Ok(if is_complete { Exit::Success } else { Exit::Interrupted })
}
