//! What `assay-tuner tune` and `assay-tuner network` share: their inputs and outputs.

mod material;
pub(crate) mod network;
pub(crate) mod tune;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::ensure;
use assay_cli::args::{JsonArg, ThreadsArg, definition_file};
use assay_cli::format::{count, duration, grouped};
use assay_cli::{Progress, output, output_file};
use assay_rules::text::escaped;
use assay_selfplay::Store;
use assay_selfplay::settings::GameSource;
use serde_json::{Value, json};

use super::{file_names, read_games, runs, use_threads};
use crate::training::examples::{Extract, PositionFile, ReadOptions, TrainingData};
use crate::training::labelled::{BLOCKS, is_run_file};
use crate::training::weights::linear::TuningData;
use crate::training::{HeldOutLoss, TrainingProgress};

/// Options that the training of weights and of networks share.
#[derive(Debug, clap::Args)]
struct Training {
    /// Run files and files of labelled positions; before them, the game of the positions [default:
    /// chess]
    #[arg(value_name = "GAME|FILE")]
    inputs: Vec<PathBuf>,
    /// Game of the labelled positions, in place of the first argument
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Skip faulty labelled positions, and report their number and the first of them
    #[arg(long)]
    skip_bad: bool,
    /// Write the weights or the network to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    json: JsonArg,
}

/// The game and the files that the command line names.
struct Inputs {
    game: Option<GameSource>,
    /// As it is given.
    game_name: Option<String>,
    files: Vec<PathBuf>,
    skips_faults: bool,
}

/// Whether an argument is a game and not a file of games or positions: a built-in name, a
/// definition, or a name without ending of which no file exists.
fn is_game(input: &Path) -> bool {
    let Some(definition) = input.to_str().map(definition_file) else {
        return false;
    };
    definition.is_none_or(|path| match path.extension() {
        Some(ending) => ending == "toml" || ending == "ini",
        None => !path.exists(),
    })
}

impl Training {
    /// The inputs. Fails if the output could not be written, or would overwrite one of them. It may
    /// be the file of --init.
    fn start(&self, init: Option<&Path>) -> anyhow::Result<Inputs> {
        let first = self.inputs.first().filter(|first| is_game(first));
        let files = self.inputs[usize::from(first.is_some())..].to_vec();
        let first = first.map(|name| name.to_string_lossy().into_owned());
        if let (Some(first), Some(game)) = (&first, &self.game) {
            anyhow::bail!("--game {game}: found a second game, {first}, expected one");
        }
        let game_name = first.or_else(|| self.game.clone());
        let game = game_name.as_deref().map(GameSource::load).transpose()?;
        let out = [("--out", self.out.as_deref())];
        // Weights may have been edited by hand.
        if self.out.is_some() && self.out.as_deref() == init {
            output_file::check_places(&out, &self.inputs)?;
        } else {
            output_file::check(&out, &self.inputs)?;
        }
        use_threads(self.threads)?;
        Ok(Inputs { game, game_name, files, skips_faults: self.skip_bad })
    }

    /// Writes the result (`Weights` or `Network`) to --out and prints the report: as text, or its
    /// JSON with the path of the output.
    fn finish(&self, what: &str, contents: impl AsRef<[u8]>, text: String, mut json: Value) -> anyhow::Result<()> {
        if let Some(path) = &self.out {
            output_file::write_contents("--out", path, contents)?;
        }
        if self.json.json {
            json["out"] = serde_json::to_value(&self.out)?;
            return output::json(&json);
        }
        let written = self.out.as_ref().map(|path| format!("\n{what}: {}\n", path.display()));
        output::print(text + &written.unwrap_or_default())
    }
}

impl Inputs {
    /// The training positions of the files, and the seconds that reading took. `decay` and
    /// `as_given` are those of [`ReadOptions`].
    fn read<X: Extract>(
        &self,
        extract: X,
        decay: f64,
        as_given: bool,
    ) -> anyhow::Result<(TrainingData<X::Head, X::Entry>, f64)> {
        ensure!(!self.files.is_empty(), "found no file, expected run files or files of labelled positions; see --help");
        let start_time = Instant::now();
        let options = ReadOptions {
            game: self.game.as_ref().map(|source| source.game.clone()),
            decay,
            skips_faults: self.skips_faults,
            as_given,
        };
        let (run_files, labelled): (Vec<PathBuf>, Vec<PathBuf>) =
            self.files.iter().cloned().partition(|path| is_run_file(path));
        let stores = Store::open_all(&run_files)?;
        let data = if labelled.is_empty() {
            read_games(&stores, |runs, watch| TrainingData::read(runs, &labelled, &options, extract, watch))?
        } else {
            // How many positions a file has is known at its end.
            let progress = Progress::spinner("reading positions");
            let mut read = 0;
            let data = TrainingData::read(&runs(&stores), &labelled, &options, extract, &mut |more| {
                read += more;
                progress.set_message(format!("reading positions: {}", grouped(read)));
                ControlFlow::Continue(())
            })?;
            progress.finish();
            data
        };
        for file in &data.position_files {
            if let Some(fault) = &file.first_fault {
                let skipped = count(file.skipped, "faulty position", "faulty positions");
                output::warning(format_args!("{}: skipped {skipped}, the first: {fault}", file.path.display()));
            }
        }
        Ok((data, start_time.elapsed().as_secs_f64()))
    }

    /// The command up to the options of its own, with file names instead of paths, as recorded in
    /// the output.
    fn command(&self, name: &str, init: Option<&Path>) -> String {
        let game = self.game_name.iter().map(PathBuf::from).collect::<Vec<_>>();
        let init = init.map_or_else(String::new, |init| format!(" --init{}", file_names(&[init.to_owned()])));
        format!("assay-tuner {name}{}{}{init}", file_names(&game), file_names(&self.files))
    }
}

/// The games and labelled positions that were read:
/// `24 games from 12 openings and 10,000 labelled positions`.
fn described<H, E>(data: &TrainingData<H, E>) -> String {
    let games: usize = data.files.iter().map(|file| file.games).sum();
    let labelled: usize = data.position_files.iter().map(|file| file.positions).sum();
    let labelled_text = count(labelled, "labelled position", "labelled positions");
    let games_text = || format!("{} games", grouped(games as u64));
    match (data.files.is_empty(), data.position_files.is_empty()) {
        (_, true) => format!("{} from {}", games_text(), groups(data)),
        (true, false) => labelled_text,
        (false, false) => format!("{} and {labelled_text}", games_text()),
    }
}

/// What is held out together: `12 openings`.
fn groups<H, E>(data: &TrainingData<H, E>) -> String {
    if data.position_files.is_empty() {
        return count(data.pairs, "opening", "openings");
    }
    count(data.pairs, "game, opening or block of positions", "games, openings or blocks of positions")
}

/// What is said about a file of labelled positions: which of them count, and which are held out
/// together. With `as_given`, none is held out.
fn notes(file: &PositionFile, as_given: bool) -> String {
    let path = file.path.display().to_string();
    let name = escaped(&path);
    let used = match file.positions - file.used {
        0 => "all positions count".to_owned(),
        unused => {
            let (unused, all) = (grouped(unused as u64), grouped(file.positions as u64));
            let which =
                if as_given { "those with a move count if they are quiet" } else { "positions in check do not count" };
            format!("{unused} of {all} positions do not count: {which}")
        }
    };
    if as_given {
        return format!("{name}: {used}.\n");
    }
    let unknown = match (file.moves, file.scores) {
        (0, 0) => "; no moves and no scores are given, so positions before a capture, a promotion or a mate count",
        (0, _) => "; no moves are given, so positions before a capture or a promotion count",
        (_, 0) => "; no scores are given, so positions before a mate count",
        _ => "",
    };
    let labels = if file.scores == 0 { " Labels are the results." } else { "" };
    let named = "games or openings that the file names";
    let blocks = format!("{} blocks, since positions of a game are adjacent", BLOCKS.min(file.unnamed));
    let held_out = match file.unnamed {
        0 => named.to_owned(),
        unnamed if unnamed == file.used => blocks,
        _ => format!("{named}, and the other positions by {blocks}"),
    };
    format!("{name}: {used}{unknown}.{labels} Held out by {held_out}.\n")
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

/// A log-loss as tables show it.
fn loss(nats: f64) -> String {
    format!("{nats:.5}")
}

/// The keys of the JSON that all fits of weights share.
fn json_of_data(data: &TuningData, lambda: f64, [reading, fitting]: [f64; 2], source: &str) -> Value {
    json!({
        "assay": env!("CARGO_PKG_VERSION"),
        "game": data.game.name,
        "files": data.files,
        "position_files": data.position_files,
        "games": data.files.iter().map(|file| file.games).sum::<usize>(),
        "pairs": data.pairs,
        "positions": data.examples.len(),
        "lambda": lambda,
        "seconds": { "reading": reading, "fitting": fitting },
        "source": source,
    })
}
