//! `assay-tuner playtest`.

use std::path::PathBuf;

use anyhow::Context;
use assay_cli::args::{GameArg, JsonArg};
use assay_cli::interrupt::without_stop_flag;
use assay_cli::{Progress, output};
use assay_selfplay::Store;
use assay_selfplay::settings::{GameSource, Material};

use super::playing::{RunArgs, play, play_shard};
use super::{check_game, runs, unit};
use crate::report;
use crate::values::inference::Unit;
use crate::values::playtest::measure;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/playtest.txt"))]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    run: RunArgs,
    /// Run file; created if missing, continued if it exists [default: assay-GAME-playtest.db, in
    /// this folder]
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Read these files and play no games
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "nodes", "evaluation", "seed", "shard", "data"])]
    from: Vec<PathBuf>,
    /// Unit of the first table and of pictures
    #[arg(long, value_parser = unit(), default_value_t)]
    unit: Unit,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let source = GameSource::load(&args.game.game)?;
    let name = &source.game.name;
    let mut files = args.from.clone();
    if files.is_empty() {
        let path = args.data.clone().unwrap_or_else(|| format!("assay-{name}-playtest.db").into());
        let planned = args.run.settings(&source, Material::Playtest, args.run.games())?;
        args.run.check_shard(&[("--json", args.json.json)])?;
        if let Some(shard) = args.run.shard {
            return play_shard(shard, &[(planned, path)]);
        }
        play(&planned, &path, None, None)?;
        files.push(path);
    }
    let progress = Progress::spinner("measuring from the games");
    let found = without_stop_flag(|| anyhow::Ok(measure(&runs(&Store::open_all(&files)?))?))?;
    progress.finish();
    check_game(&files[0], name, &found.game)?;
    if args.json.json {
        return output::json(&found);
    }
    let page = report::playtest(&found, args.unit)
        .with_context(|| format!("--unit: {} does not have the unit {}", found.game, args.unit.name()))?;
    output::print(page.text())
}
