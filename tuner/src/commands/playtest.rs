//! `assay-tuner playtest`.

use anyhow::Context;
use assay_cli::args::JsonArg;
use assay_cli::interrupt::without_stop_flag;
use assay_cli::{Progress, output};
use assay_selfplay::settings::Material;

use super::check_game;
use super::playing::GamesArgs;
use crate::report;
use crate::values::inference::Unit;
use crate::values::playtest::measure;

const EXAMPLES: &str = "\
Examples:
  assay-tuner playtest gamma2
  assay-tuner playtest chess --games 40000 --nodes 4000 --data chess-playtest.db --json
  assay-tuner playtest gamma2 --from seed-1.db seed-2.db
      measures from the games of two files and plays none
  assay-tuner playtest gamma2 --games 40000 --shard 2/8
      the second of eight machines; `assay-selfplay merge` joins the files

Keys of --json: assay, game, files (as those of `validate`), games (in complete pairs), unit_log_odds (one unit of the army in log-odds of the \
score), unit_log_odds_standard_error, units (values in four units, as those of `validate`), goodness_of_fit (of the sum of \
the pieces' costs to the comparisons' scores: chi_square, degrees_of_freedom, p; or null), comparisons (material: pieces missing from the first army, a \
slash, pieces missing from the second; pairs, counts of pair scores, score, score_standard_error, advantage of the second army in the \
unit army, fitted: the same computed from the values)
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// Unit of the first table and of pictures
    #[arg(long, value_enum, default_value_t)]
    unit: Unit,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Some((game, files)) = args.games.files(Material::Playtest, "playtest", args.json.json)? else {
        return Ok(());
    };
    let progress = Progress::spinner("measuring from the games");
    let found = without_stop_flag(|| measure(&files))?;
    progress.finish();
    check_game(&files, &game.name, &found.game)?;
    if args.json.json {
        return output::json(&found);
    }
    let page = report::playtest(&found, args.unit)
        .with_context(|| format!("--unit: {} does not have the unit {}", found.game, args.unit.name()))?;
    output::print(page.text())
}
