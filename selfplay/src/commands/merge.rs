//! `assay-selfplay merge`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use assay_cli::args::JsonArg;
use assay_cli::{Exit, Progress, format, interrupt, output};
use assay_selfplay::Store;
use assay_selfplay::store::{MergeError, MergeProgress, MergeSummary, merge};
use clap::ValueHint;
use serde_json::json;

const LONG: &str = include_str!("help/merge-about.txt").trim_ascii_end();

const EXAMPLES: &str = include_str!("help/merge.txt").trim_ascii_end();

/// Merge the shards of a run, played with --shard, into one file
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// File for all games; created if missing, extended if it holds games of the same run
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// Files of the shards, in any order
    #[arg(required = true, value_name = "SHARD", value_hint = ValueHint::FilePath)]
    shards: Vec<PathBuf>,
    /// Merge the available games even if shards or games are missing
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> Result<Exit> {
    let bar = Progress::new(0, "games");
    let update = |progress: MergeProgress| {
        bar.set_total(progress.total);
        bar.set(progress.done);
    };
    let started = Instant::now();
    let merged = merge(&args.out, &args.shards, args.partial, update, interrupt::stop_flag());
    bar.finish();
    let summary = match merged {
        Err(error @ (MergeError::Missing { .. } | MergeError::Incomplete(_))) => {
            bail!("{error}; --partial merges what is there")
        }
        merged => merged?,
    };
    let done = Store::open_checked(&args.out)?.count()?;
    if args.json.json {
        output::json(&json!({
            "program": concat!("assay-selfplay ", env!("CARGO_PKG_VERSION")),
            "game": summary.game,
            "file": args.out.to_string_lossy(),
            "games": summary.games,
            "done": done,
            "new": summary.new,
            "shards": summary.shards,
            "missing": summary.missing,
        }))?;
    } else {
        output::print(format_args!(
            "{}: {} of {}, {}\n{}",
            args.out.display(),
            format::grouped(done),
            format::count(summary.games, "game", "games"),
            super::new_games(summary.new, started.elapsed()),
            remarks(&summary)
        ))?;
    }
    Ok(Exit::Success)
}

/// Missing shards and games, one per line.
fn remarks(summary: &MergeSummary) -> String {
    let mut text = String::new();
    for shard in summary.shards.iter().filter(|shard| shard.done < shard.games) {
        text += &format!(
            "{}: {} of {} of shard {}\n",
            shard.path.display(),
            format::grouped(shard.done),
            format::count(shard.games, "game", "games"),
            shard.shard
        );
    }
    if !summary.missing.is_empty() {
        let missing: Vec<String> = summary.missing.iter().map(ToString::to_string).collect();
        text += &format!("not named: shard {}\n", missing.join(", "));
    }
    if summary.is_stopped {
        text += "stopped; the same command merges the rest\n";
    }
    text
}
