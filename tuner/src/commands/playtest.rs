//! `assay-tuner playtest`.

use std::path::PathBuf;

use anyhow::bail;
use assay_cli::args::{GameArg, JsonArg};
use assay_cli::interrupt::{stop_flag, without_stop_flag};
use assay_cli::{Progress, output};
use assay_selfplay::settings::{GameSource, Material};
use assay_tuner::report;
use assay_tuner::values::playtest::measure;

use super::playing::{Playing, Target, play, play_shard};
use super::{UnitArg, check_game};

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
    game: GameArg,
    #[command(flatten)]
    playing: Playing,
    /// Measure from these files and play no games
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "nodes", "evaluation", "seed", "shard", "data"])]
    from: Vec<PathBuf>,
    #[command(flatten)]
    unit: UnitArg,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let source = GameSource::load(&args.game.game)?;
    let files = if args.from.is_empty() {
        let path = args.playing.file(&format!("assay-{}-playtest.db", source.game.name));
        let run = args
            .playing
            .settings(&source, Material::Playtest, args.playing.games())?;
        args.playing.run.check_shard(&[("--json", args.json.json)])?;
        if let Some(shard) = args.playing.run.shard {
            return play_shard(shard, &[(run, path)], stop_flag());
        }
        play(&run, &path, stop_flag(), Target::default())?;
        vec![path]
    } else {
        args.from.clone()
    };
    let progress = Progress::spinner("measuring from the games");
    let found = without_stop_flag(|| measure(&files))?;
    progress.finish();
    check_game(&files, &source.game.name, &found.game)?;
    if args.json.json {
        return output::json(&found);
    }
    let Some(page) = report::playtest(&found, args.unit.unit) else {
        bail!(
            "--unit: {} does not have the unit {}",
            found.game,
            args.unit.unit.name()
        );
    };
    output::print(page.text())
}
