//! `assay-tuner playtest`.

use std::path::PathBuf;

use assay_cli::args::{GameArg, JsonArg};
use assay_cli::format::{count, decimals};
use assay_cli::interrupt::stop_flag;
use assay_cli::text::wrap;
use assay_cli::{Align, Progress, Table, output};
use assay_selfplay::settings::{GameSource, Material};
use assay_tuner::report::{format, tables};
use assay_tuner::values::playtest::{Playtest, measure};

use super::check_game;
use super::playing::{Playing, Target, play, play_shard};

const EXAMPLES: &str = "\
Examples:
  assay-tuner playtest gamma2
  assay-tuner playtest chess --games 40000 --nodes 4000 --data chess-playtest.db --json
  assay-tuner playtest gamma2 --from seed-1.db seed-2.db
      measures from the games of two files and plays none
  assay-tuner playtest gamma2 --games 40000 --shard 2/8
      the second of eight machines; `assay-selfplay merge` joins the files

Keys of --json: assay, game, files (as those of `validate`), games (in complete pairs), pawn_log_odds, pawn_log_odds_standard_error, values (piece, published, measured: value, standard_error, low, high in pawns; verdict), chi_square
(squared differences between comparisons and values, in standard errors) and its degrees_of_freedom, comparisons (material: pieces
missing from the first army, a slash, pieces missing from the second; pairs, counts of pair scores, score, score_standard_error,
pawns by which the second army is worth more, fitted: the same computed from the values)
";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    playing: Playing,
    /// Measure from these files and play no games
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "nodes", "seed", "shard", "data"])]
    from: Vec<PathBuf>,
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let source = GameSource::load(&args.game.game)?;
    let files = if args.from.is_empty() {
        let path = args.playing.file(&format!("assay-{}-playtest.db", source.game.name));
        let run = args.playing.settings(&source, Material::Playtest, args.playing.games());
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
    let found = measure(&files)?;
    progress.finish();
    check_game(&files, &source, &found.game)?;
    if args.json.json {
        return output::json(&found);
    }
    output::print(text(&found))
}

fn text(playtest: &Playtest) -> String {
    let mut text = format!(
        "{}: values by matches between unequal armies ({} in pairs)\n\n",
        playtest.game,
        count(playtest.games, "game", "games")
    );
    let numbers = ["published", "measured", "95% interval"].map(|heading| (heading, Align::Right));
    let columns = [("piece", Align::Left)].into_iter().chain(numbers);
    let mut table = Table::new(columns.chain([("measured value", Align::Left)]));
    for value in &playtest.values {
        table.row([
            value.piece.clone(),
            format::value(value.published),
            format::value(Some(value.measured.value)),
            format::range(Some([value.measured.low, value.measured.high])),
            value.verdict.text().to_owned(),
        ]);
    }
    text += &format!("{table}\n");
    text += &wrap(
        "",
        &format!(
            "A missing pawn costs {} log-odds (standard error {}). Fit of the values to the comparisons: chi-square {} with {}. The value \
             of a piece is that of the first of its kind to be lost, which includes the bonus for a pair.",
            decimals(playtest.pawn_log_odds, 3),
            decimals(playtest.pawn_log_odds_standard_error, 3),
            decimals(playtest.chi_square, 1),
            count(playtest.degrees_of_freedom, "degree of freedom", "degrees of freedom")
        ),
    );
    format!("{text}\n{}", tables::comparisons(playtest).text())
}
