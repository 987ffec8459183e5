//! `assay-tuner playtest`.

use anyhow::Context;
use assay_cli::args::JsonArg;
use assay_cli::interrupt::without_stop_flag;
use assay_cli::{Progress, output};
use assay_selfplay::Store;
use assay_selfplay::settings::Material;

use super::playing::GamesArgs;
use super::{check_game, runs, unit};
use crate::report;
use crate::values::inference::Unit;
use crate::values::playtest::measure;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/playtest.txt"))]
pub(crate) struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// Unit of the first table and of pictures
    #[arg(long, value_parser = unit(), default_value_t)]
    unit: Unit,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Some((game, files)) = args.games.files(Material::Playtest, "playtest", args.json.json)? else {
        return Ok(());
    };
    let progress = Progress::spinner("measuring from the games");
    let found = without_stop_flag(|| anyhow::Ok(measure(&runs(&Store::open_all(&files)?))?))?;
    progress.finish();
    check_game(&files[0], &game.name, &found.game)?;
    if args.json.json {
        return output::json(&found);
    }
    let page = report::playtest(&found, args.unit)
        .with_context(|| format!("--unit: {} does not have the unit {}", found.game, args.unit.name()))?;
    output::print(page.text())
}
