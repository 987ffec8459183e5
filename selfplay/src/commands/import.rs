//! `assay-selfplay import`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::start_threads;
use anyhow::{Context, Result};
use assay_cli::args::{JsonArg, ThreadsArg, game_help};
use assay_cli::{Exit, Progress, format, interrupt, output, output_file};
use assay_selfplay::GameSource;
use assay_selfplay::import::{Import, ImportError, ImportEvent, ImportSummary};
use assay_selfplay::settings::{ClusterBy, Filters};
use clap::ValueHint;
use serde_json::json;

const LONG: &str = include_str!("help/import-about.txt").trim_ascii_end();

const EXAMPLES: &str = include_str!("help/import.txt").trim_ascii_end();

/// Read games of people or other programs (PGN) into a run file
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// PGN files, also .pgn.gz and .pgn.zst; `-` for standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Run file to create
    #[arg(long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    data: PathBuf,
    /// The game, by name or definition file, whatever the tags Variant say [default: that of the
    /// first game's tag Variant, or chess; games of other variants are left out]
    #[arg(long, value_name = "GAME", value_hint = ValueHint::FilePath, long_help = format!("{}. It overrules the tags Variant. [default: that of the first game's tag Variant, or chess; games of other variants are left out]", game_help()))]
    game: Option<String>,
    /// Games that are one cluster: opening:N, with the same first N plies, or players
    #[arg(long, value_name = "RULE", default_value_t)]
    cluster: ClusterBy,
    #[command(flatten)]
    filters: Filters,
    /// Import nothing if a game is broken
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    start_threads(args.threads)?;
    let files: Vec<&Path> = args.files.iter().map(PathBuf::as_path).filter(|path| *path != Path::new("-")).collect();
    output_file::check_places(&[("--data", Some(&args.data))], &files)?;
    let import = Import {
        files: args.files.clone(),
        source: args.game.as_deref().map(GameSource::load).transpose().context("--game")?,
        cluster: args.cluster,
        filters: args.filters.clone(),
        is_strict: args.strict,
    };
    let bytes = |path: &&Path| path.metadata().map_or(0, |metadata| metadata.len());
    let bar = if files.len() < args.files.len() {
        Progress::spinner("reading standard input")
    } else {
        Progress::new(files.iter().map(bytes).sum::<u64>() >> 10, "KiB")
    };
    let started = Instant::now();
    let report = |event: ImportEvent<'_>| match event {
        ImportEvent::Broken(text) => bar.println(text),
        ImportEvent::Progress(bytes, summary) => {
            bar.set(bytes >> 10);
            bar.set_message(format::count(summary.games, "game", "games"));
        }
    };
    let imported = import.run(&args.data, report, interrupt::stop_flag());
    bar.finish();
    let summary = match imported {
        Err(error @ ImportError::Stopped) => {
            output::note(error);
            return Ok(Exit::Interrupted);
        }
        imported => imported?,
    };
    if args.json.json {
        output::json(&json!({
            "program": concat!("assay-selfplay ", env!("CARGO_PKG_VERSION")),
            "game": summary.game,
            "file": args.data.to_string_lossy(),
            "games": summary.games,
            "read": summary.read,
            "broken": summary.broken,
            "left_out": summary.left_out,
            "clusters": summary.clusters,
            "seconds": started.elapsed().as_secs_f64(),
        }))?;
    } else {
        output::print(text(args, &summary, started))?;
    }
    Ok(Exit::success_if(summary.broken == 0))
}

fn text(args: &Args, summary: &ImportSummary, started: Instant) -> String {
    let elapsed = started.elapsed();
    let rate = format::rate(format::per_second(summary.read, elapsed));
    let clusters = match args.cluster {
        ClusterBy::Opening { plies } => format!("different openings of {plies} plies"),
        ClusterBy::Players => "pairs of players".to_owned(),
    };
    let mut text = format!(
        "{}: {} of {}, with {} {clusters}; {} read in {} ({rate}/s)\n",
        args.data.display(),
        format::count(summary.games, "game", "games"),
        summary.game,
        format::grouped(summary.clusters),
        format::grouped(summary.read),
        format::duration(elapsed)
    );
    for (reason, games) in &summary.left_out {
        text += &format!("left out: {} {reason}\n", format::grouped(*games));
    }
    if summary.broken > 0 {
        text += &format!("broken: {}\n", format::count(summary.broken, "game", "games"));
    }
    text
}
