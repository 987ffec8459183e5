//! `assay-tuner playtest`.

use assay_cli::args::{GameArg, JsonArg};
use assay_cli::format::{count, decimals};
use assay_cli::interrupt::stop_flag;
use assay_cli::text::wrap;
use assay_cli::{Align, Progress, Table, output};
use assay_selfplay::settings::{GameSource, Material};
use assay_tuner::report::{format, tables};
use assay_tuner::values::playtest::{Playtest, measure};

use super::playing::{Playing, play};

const EXAMPLES: &str = "\
Examples:
  assay-tuner playtest gamma2
  assay-tuner playtest chess --games 40000 --nodes 4000 --data chess-playtest.db --json

Keys of --json: assay, game, file, data (an entry of files as in `validate`), games (in complete pairs), pawn_log_odds,
pawn_log_odds_standard_error, values (piece, published, measured: value, standard_error, low, high in pawns; verdict), chi_square
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
    #[command(flatten)]
    json: JsonArg,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let source = GameSource::load(&args.game.game)?;
    let path = args.playing.file(&format!("assay-{}-playtest.db", source.game.name));
    let settings = args.playing.settings(&source, Material::Playtest, args.playing.games());
    let stop = stop_flag();
    play(&settings, &path, stop, None)?;
    let progress = Progress::spinner("measuring from the games");
    let found = measure(&path)?;
    progress.finish();
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
