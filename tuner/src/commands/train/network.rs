//! `assay-tuner network`.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use assay_cli::format::count;
use assay_cli::interrupt::stop_flag;
use assay_cli::{Exit, Progress, Table, output, row};
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
    #[command(flatten)]
    settings: NetworkSettings,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let training = &args.training;
    let inputs = training.start(args.init.as_deref())?;
    let settings = &args.settings;
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
            settings.rate,
            settings.seed.seed
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
