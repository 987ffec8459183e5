//! `assay-tuner tune` and `assay-tuner network`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, ensure};
use assay_cli::args::{JsonArg, ThreadsArg};
use assay_cli::format::{count, duration, grouped};
use assay_cli::interrupt::{self, stop_flag};
use assay_cli::{Exit, Progress, output, output_file};
use assay_engine::eval::Weight;
use assay_engine::{Network, Weights, file};
use serde::Serialize;
use serde_json::{Value, json};

use super::{file_names, show_read_games, use_threads, write_file};
use crate::report::{Table, row};
use crate::training::network::features::{Features, Split};
use crate::training::network::{NetworkSettings, train};
use crate::training::positions::{Extract, TrainingData};
use crate::training::weights::linear::Terms;
use crate::training::weights::{FOLDS, TunedWeights, TuningSettings, fit};
use crate::training::{HeldOutLoss, TrainingProgress, source};
use crate::values::data::count_games;

const TUNE_EXAMPLES: &str = "\
Examples:
  assay-selfplay generate gamma2 --games 15000 --nodes 400 --seed 11 --data gamma2.db
  assay-tuner tune gamma2.db --out gamma2.toml
  assay-tuner tune seed1.db seed2.db --lambda 1 --out results-only.toml
  assay-tuner tune gamma2.db --init gamma2.toml --json | jq .log_loss
  assay-tuner tune gamma2.db --init computed --out gamma2.toml
      independent of earlier tuning; Assay's own weights were tuned this way

The engine loads the file with the option EvalFile. To test whether it plays better:
  assay-selfplay match gamma2 -engine cmd=assay name=new option.EvalFile=gamma2.toml \\
      -engine cmd=assay name=old -each nodes=3000 -rounds 200

Keys of --json:
  assay, game, files (as in `fit`), games, pairs, positions, terms_per_position, lambda
  log_loss   nats per position on held-out games: folds, labels_before, labels_after,
             results_before, results_after
  epoch      the epoch whose weights are kept; 0 if none was better than the start
  epochs     number of epochs finished
  seconds    reading, training
  pawn       centipawns: [middlegame, endgame]
  changes    changed weights, largest change first: term, before, after
  source     origin of the weights, as in the weights file
  out        the weights file; null without --out

Each epoch prints a line with its held-out log-loss. After Ctrl-C the weights of the best epoch are written, with exit status 130.

The result does not depend on the number of threads.";

const NETWORK_EXAMPLES: &str = "\
Examples:
  assay-selfplay generate gamma2 --games 100000 --nodes 400 --seed 11 --data gamma2.db
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

/// Options that the training of weights and of networks share.
#[derive(Debug, clap::Args)]
struct Training {
    /// Run files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the weights or the network to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Training {
    /// Fails if the output could not be written, or would overwrite a run file. It may be the file
    /// of --init.
    fn start(&self) -> anyhow::Result<()> {
        output_file::check(&[("--out", self.out.as_deref())], &self.files)?;
        use_threads(self.threads)
    }

    /// The training positions of the run files, and the seconds that reading took.
    fn read<X: Extract>(&self, extract: X, decay: f64) -> anyhow::Result<(TrainingData<X::Head, X::Entry>, f64)> {
        let start_time = Instant::now();
        let progress = Progress::new(count_games(&self.files)?, "games");
        progress.set_message("reading");
        let data = TrainingData::read(&self.files, extract, decay, &mut show_read_games(&progress))?;
        progress.finish();
        Ok((data, start_time.elapsed().as_secs_f64()))
    }

    /// The command up to the options of its own, with file names instead of paths, as recorded in
    /// the output.
    fn command(&self, name: &str, init: Option<&Path>) -> String {
        let init = init.map_or_else(String::new, |init| format!(" --init{}", file_names(&[init.to_owned()])));
        format!("assay-tuner {name}{}{init}", file_names(&self.files))
    }

    /// Writes the result (`Weights` or `Network`) to --out and prints the report: as text, or its
    /// JSON with the path of the output.
    fn finish(&self, what: &str, contents: impl AsRef<[u8]>, text: String, mut json: Value) -> anyhow::Result<()> {
        if let Some(path) = &self.out {
            write_file("--out", path, contents)?;
        }
        if self.json.json {
            json["out"] = serde_json::to_value(&self.out)?;
            return output::json(&json);
        }
        let written = self.out.as_ref().map(|path| format!("\n{what}: {}\n", path.display()));
        output::print(text + &written.unwrap_or_default())
    }
}

/// Shows the progress of training: a bar, and a line for each epoch.
fn show_training(progress: &Progress, epochs: usize) -> impl FnMut(TrainingProgress) {
    move |event| match event {
        TrainingProgress::Positions(positions) => progress.set(positions),
        TrainingProgress::Epoch(epoch) => {
            let HeldOutLoss { labels, results } = epoch.held_out;
            progress.println(format_args!(
                "epoch {}/{epochs}: held-out log-loss {labels:.5} (results {results:.5}), {}",
                epoch.number,
                duration(epoch.elapsed)
            ));
            progress.set_message(format!("held-out log-loss {labels:.5}"));
        }
    }
}

/// Arguments of `tune`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = TUNE_EXAMPLES)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    training: Training,
    /// Weights to start from: a file, or `computed` for weights computed from the movement of the
    /// pieces [default: the engine's weights for the game]
    #[arg(long, value_name = "FILE.toml")]
    init: Option<PathBuf>,
    #[command(flatten)]
    settings: TuningSettings,
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

pub(crate) fn tune(args: &TuneArgs) -> anyhow::Result<Exit> {
    let training = &args.training;
    training.start()?;
    let settings = &args.settings;
    let (mut data, reading) = training.read(Terms, 0.0)?;
    let (examples, game) = (data.examples.len(), Arc::clone(&data.game));
    let game = &game;
    let entries = data.examples.iter().map(|example| example.entries.len());
    let terms = entries.sum::<usize>() as f64 / examples as f64;
    let before = match &args.init {
        None => Weights::for_game(game),
        Some(path) if path.as_os_str() == "computed" => Weights::computed(game),
        Some(path) => {
            let named = || format!("--init {}", path.display());
            let text = file::read_text(path, file::MAX_FILE).with_context(named)?;
            Weights::from_toml(game, &text).with_context(named)?
        }
    };
    data.shuffle();
    let progress = Progress::new((settings.epochs * examples) as u64, "positions");
    let show = show_training(&progress, settings.epochs);
    let mut tuned = fit(&data, &before, settings, stop_flag(), show)?;
    progress.finish();
    let command = format!(
        "{} --lambda {} --prior {} --rate {} --epochs {}",
        training.command("tune", args.init.as_deref()),
        settings.lambda,
        settings.prior,
        settings.learning_rate,
        settings.epochs
    );
    let command = format!("tuned: `{command}`");
    tuned
        .weights
        .set_source(&source(&command, "", examples, &data.game.name, &data.files));

    let games: usize = data.files.iter().map(|file| file.games).sum();
    let pawn = tuned.weights.terms().material(data.game.pawn);
    let pawn = pawn.map_or_else(Weight::default, |term| tuned.weights.get(term));
    let changes = changes(&before, &tuned.weights);
    let (best, last) = (tuned.best, tuned.last);
    let seconds = last.elapsed.as_secs_f64();
    let [losses, changed] = tuned_tables(&tuned, settings.lambda, &changes);
    let text = format!(
        "{}: {} games from {} openings, {} positions of {terms:.1} terms.\n\n{}\n\
         Best after epoch {} of {} ({} folds by opening). Reading took {reading:.1} s, training {seconds:.1} s.\n\
         A pawn weighs {:.0} centipawns in the middlegame and {:.0} in the endgame; +300 centipawns are an expected score of 0.75.\n{}",
        data.game.name,
        grouped(games as u64),
        grouped(data.pairs as u64),
        grouped(examples as u64),
        losses,
        best.number,
        last.number,
        FOLDS,
        pawn.middlegame,
        pawn.endgame,
        changed
    );
    let json = json!({
        "assay": env!("CARGO_PKG_VERSION"),
        "game": data.game.name,
        "files": data.files,
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
        "pawn": [pawn.middlegame, pawn.endgame],
        "changes": changes,
        "source": tuned.weights.source(),
    });
    training.finish("Weights", tuned.weights.to_toml(), text, json)?;
    Ok(if interrupt::requested() {
        Exit::Interrupted
    } else {
        Exit::Success
    })
}

/// Held-out losses, and the largest changes.
fn tuned_tables(tuned: &TunedWeights, lambda: f64, changes: &[WeightChange]) -> [String; 2] {
    let (held_out, initial) = (tuned.best.held_out, tuned.before);
    let rows = [
        row(
            format!("labels ({lambda} game result, rest search score)"),
            [initial.labels, held_out.labels].map(loss),
        ),
        row("game results alone", [initial.results, held_out.results].map(loss)),
    ];
    let losses = Table::new("", ["Held-out log-loss, nats per position", "before", "after"], rows);
    let show = |[middlegame, endgame]: [f64; 2]| format!("{middlegame:.1}, {endgame:.1}");
    let shown = changes.iter().take(SHOWN_CHANGES);
    let shown = shown.map(|change| row(&change.term, [change.before, change.after].map(show)));
    let changed = if tuned.best.number == 0 {
        "No epoch had a lower held-out log-loss than the initial weights: they are kept.\n".to_owned()
    } else {
        let changes = Table::new("", ["Largest changes", "before", "after"], shown);
        format!("\n{}", changes.text())
    };
    [losses.text(), changed]
}

/// A log-loss as tables show it.
fn loss(nats: f64) -> String {
    format!("{nats:.5}")
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
        let change = || WeightChange {
            term: terms.label(game, term),
            before: centipawns(before),
            after: centipawns(after),
        };
        (size > 0).then(|| (size, change()))
    });
    let mut changes: Vec<(u32, WeightChange)> = changed.collect();
    changes.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    changes.into_iter().map(|(_, change)| change).collect()
}

/// Arguments of `network`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = NETWORK_EXAMPLES)]
pub(crate) struct NetworkArgs {
    #[command(flatten)]
    training: Training,
    /// Continue the training of this network instead of starting from random weights; --hidden may be larger than its own
    #[arg(long, value_name = "FILE.network")]
    init: Option<PathBuf>,
    #[command(flatten)]
    settings: NetworkSettings,
}

pub(crate) fn network(args: &NetworkArgs) -> anyhow::Result<Exit> {
    let training = &args.training;
    training.start()?;
    let settings = &args.settings;
    // A wrong path is reported before the games are read.
    let named = || format!("--init: {}", args.init.as_deref().unwrap_or(Path::new("")).display());
    let read_init = |path: &PathBuf| file::read(path, file::MAX_FILE).with_context(named);
    let init = args.init.as_ref().map(read_init).transpose()?;
    let (data, reading) = training.read(Features, settings.decay)?;
    let has_drops = data.game.drops.is_some();
    ensure!(
        !has_drops,
        "found games with drops, expected others: networks do not count the pieces in pockets"
    );
    let split = Split::of(&data)?;
    let initial = init
        .as_ref()
        .map(|bytes| Network::read(&data.game, bytes).with_context(named));
    let initial = initial.transpose()?;
    let positions = split.training.len();
    let progress = Progress::new((settings.epochs * positions) as u64, "positions");
    progress.println(format_args!(
        "{} from {}",
        count(positions, "position", "positions"),
        count(data.pairs, "opening", "openings")
    ));
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
            training.command("network", args.init.as_deref()),
            settings.hidden,
            settings.king_buckets,
            settings.epochs,
            settings.lambda,
            settings.decay,
            settings.batch,
            settings.learning_rate,
            settings.seed.seed
        ),
        &init.as_ref().map_or_else(String::new, init_hash),
        positions,
        &data.game.name,
        &data.files,
    );
    let mut network = trained.parameters;
    network.source.clone_from(&source);
    let network = network.quantize(&data.game);
    let seconds = trained.last.elapsed.as_secs_f64();
    let rows = [
        ("network", trained.last.held_out),
        ("linear evaluation", trained.linear),
        ("half a point", trained.constant),
    ];
    let rows = rows.map(|(name, losses)| row(name, [losses.labels, losses.results].map(loss)));
    let headings = ["held-out log-loss, nats per position", "labels", "results"];
    let table = Table::new("", headings, rows).text();
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
