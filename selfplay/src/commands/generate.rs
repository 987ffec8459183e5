//! `assay-selfplay generate`.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use assay_cli::args::{GameArg, JsonArg, SeedArg, ThreadsArg, one_of, whole_number};
use assay_cli::{Exit, format, interrupt, output, output_file};
use assay_selfplay::settings::{EvalJitter, Evaluation, Material, SelfPlay, Shard, StartChoice};
use assay_selfplay::tally::GameSummary;
use assay_selfplay::{GameSource, Progress, RunOptions, RunSettings, Summary, generate};
use clap::ValueHint;
use serde_json::json;

use super::{balance, exit_of_error, games_done, new_games};

const LONG: &str = include_str!("help/generate-about.txt").trim_ascii_end();

const EXAMPLES: &str = include_str!("help/generate.txt").trim_ascii_end();

/// Play games of the engine against itself; the same command continues a stopped run
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Run file; created if missing, continued if it exists
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    data: PathBuf,
    /// Total number of games of the run
    #[arg(long, value_name = "N", value_parser = whole_number(1..=1_u64 << 40), allow_negative_numbers = true)]
    games: u64,
    /// Nodes per move
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2_000,
        value_parser = whole_number(1..=1_u64 << 50),
        allow_negative_numbers = true
    )]
    nodes: u64,
    /// Play only shard I of N: every N-th opening, starting with the I-th
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Size of each player's transposition table in MiB; affects the games
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = 4,
        value_parser = whole_number(1..=65_536_u32),
        allow_negative_numbers = true
    )]
    hash: u32,
    /// Evaluation of the engine
    ///
    /// `linear` has weights of named terms, among them a value for each piece; every game has them.
    /// `network` plays better; only some games have one, and it is the default there.
    #[arg(long, value_parser = one_of::<Evaluation>(Evaluation::NAMES))]
    evaluation: Option<Evaluation>,
    /// Start position before the random moves: an id, optionally with handicaps (14+pawn:e4), or
    /// `random`
    #[arg(long, value_name = "START", default_value = "random")]
    setup: String,
    /// Random quiet plies before the engine takes over [default: 8; with `values` 6 to 8]
    #[arg(long, value_name = "N", value_parser = whole_number(0..=200_u32), allow_negative_numbers = true)]
    opening_plies: Option<u32>,
    /// Material after the random moves; values and playtest change the defaults of other flags
    ///
    /// `none` is equal armies. `values` measures piece values by imbalances that are planned to be
    /// as informative as possible, `playtest` by matches: each kind against lighter pieces and
    /// pawns, and pawns alone.
    #[arg(long, value_parser = one_of::<Material>(Material::NAMES), default_value_t = Material::None)]
    material: Material,
    /// Largest random change of the engine's own piece values, in percent [default: 0; with
    /// `values` 20]
    ///
    /// The changes are drawn for each opening and are the same for both sides. A list of kinds adds
    /// constant changes: 20,N+20 also raises the value of the kind N by 20% in all games.
    #[arg(long, value_name = "PERCENT")]
    jitter: Option<EvalJitter>,
    /// Largest evaluation of an opening, in centipawns, or `off` [default: 300; with `values` 100]
    ///
    /// Openings with a larger evaluation for either side (before pieces are removed) are rejected
    /// and drawn again, and so are imbalanced openings in which the engine's first move is a
    /// capture. `off` accepts every opening.
    #[arg(long, value_name = "CP", value_parser = balance)]
    balance: Option<Balance>,
    /// End games that both sides see decided, at this many centipawns, or `off` [default: 1000 with
    /// `values` and `playtest` from 400 nodes on, else off]
    ///
    /// Both must score the game at least so high for the same side in two moves in a row. One pair
    /// in ten is played on, to count how often such games end otherwise. Games with other ends than
    /// mate are played on by default.
    #[arg(long, value_name = "CP", value_parser = balance)]
    decided: Option<Balance>,
    #[command(flatten)]
    json: JsonArg,
}

/// An alias: clap would treat a plain `Option` as an argument that may be missing.
type Balance = Option<u32>;

impl Args {
    fn settings(&self) -> Result<(RunSettings, RunOptions)> {
        let choices = SelfPlay {
            seed: self.seed.seed,
            nodes: self.nodes,
            hash_mb: self.hash as usize,
            evaluation: self.evaluation,
            start: StartChoice::from(self.setup.clone()),
            material: self.material,
            opening_plies: self.opening_plies,
            balance: self.balance,
            eval_jitter: self.jitter.clone(),
            decided: self.decided,
        };
        // The errors begin with the name of the option.
        let settings = choices.settings(GameSource::load(&self.game.game)?).map_err(|error| anyhow!("--{error}"))?;
        let threads = self.threads.threads.unwrap_or(0);
        let options = RunOptions { shard: self.shard, ..RunOptions::self_play(self.games, threads) };
        Ok((settings, options))
    }
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    output_file::check_name(&args.data).context("--data")?;
    let (settings, options) = args.settings()?;
    let bar = assay_cli::Progress::new(options.shard_games(&settings), "games");
    bar.print_header(header(&settings));
    let update = |progress: Progress<'_>| {
        if progress.new.is_empty() {
            bar.resume_at(progress.summary.done);
        } else {
            bar.set(progress.summary.done);
        }
        bar.set_message(progress.summary.tally.results().short());
    };
    let played = generate(&settings, &options, &args.data, update, interrupt::stop_flag());
    bar.finish();
    let summary = match played {
        Ok(summary) => summary,
        Err(error) => return exit_of_error(error),
    };
    let games = summary.tally.summary();
    if args.json.json {
        output::json(&json!({
            "program": concat!("assay-selfplay ", env!("CARGO_PKG_VERSION")),
            "game": settings.game().name,
            "seed": settings.seed,
            "nodes": settings.nodes(),
            "file": args.data,
            "shard": args.shard,
            "games": summary.games,
            "done": summary.done,
            "played": summary.played,
            "seconds": summary.elapsed.as_secs_f64(),
            "games_per_second": format::per_second(summary.played, summary.elapsed),
            "results": games.results,
            "mean_plies": games.plies.map(|plies| plies.mean),
        }))?;
    } else {
        output::print(text(args, &settings, &summary, &games))?;
    }
    Ok(Exit::Success)
}

fn header(settings: &RunSettings) -> String {
    let adjudication = settings.adjudication.to_string();
    let separator = if adjudication.is_empty() { "" } else { ", " };
    format!(
        "assay-selfplay {}: {}, seed {}, {} nodes per move, {} MiB hash, openings {}, jitter {}{separator}{adjudication}",
        env!("CARGO_PKG_VERSION"),
        settings.game().name,
        settings.seed,
        format::grouped(settings.nodes()),
        settings.hash_mb(),
        settings.openings,
        settings.eval_jitter
    )
}

fn text(args: &Args, settings: &RunSettings, summary: &Summary, games: &GameSummary) -> String {
    let mut text = format!(
        "{}\n{}: {}, {}\n",
        header(settings),
        args.data.display(),
        games_done(summary.done, summary.games, args.shard),
        new_games(summary.played, summary.elapsed)
    );
    if let Some(plies) = games.plies {
        text += &format!("White: {}; {:.1} plies per game\n", games.results, plies.mean);
    }
    if summary.is_incomplete() {
        text += "stopped; the same command plays the remaining games\n";
    }
    text
}
